//! One SMTP connection, and whose matter it is when something goes wrong on it.
//!
//! The library's own way of sending writes a letter and the dot after it apart, and then waits 40 ms for the server's kernel to
//! acknowledge the letter: here both are one write.

use std::fmt;
use std::io::ErrorKind;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lettre::Address;
use lettre::address::{AddressError, Envelope};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::response::{Response, Severity};

use super::server::{Security, Server};
use super::{PostError, link};
use musterd_letter::read_reply;

/// "Authentication required" and its kin may answer any command, and are the operator's matter, not the letter's.
const AUTHENTICATION: [u16; 5] = [530, 534, 535, 538, 454];
/// The server is about to close the connection, whatever was asked.
const CLOSING: u16 = 421;

/// How connections to a relay are made.
pub(super) struct Dial {
    server: Server,
    tls: Option<TlsParameters>,
    hello: ClientId,
}

/// One letter to one recipient.
pub(super) struct Posting {
    from: Option<Address>,
    to: Address,
    text: Text,
    stage: Mutex<Stage>,
}

/// How far a letter has come. Whoever sends it and whoever waits for that must agree on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// No server has been given its text.
    Unsent,
    /// Its text goes to a server that was asked to take it over: from now on it may have.
    Offered,
    /// Nobody waits for it any more, and no server is to be given it.
    GivenUp,
}

/// Why SMTP can't carry a letter: no server need be asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Uncarried {
    /// An address beyond ASCII.
    #[error("`{}`: only ASCII addresses can be written to", .0.escape_debug())]
    NotAscii(String),
    /// No address.
    #[error("`{}`: {error}", text.escape_debug())]
    NoAddress {
        /// What stands in its place.
        text: String,
        /// What is wrong with it.
        error: AddressError,
    },
    /// A text beyond ASCII.
    #[error("the letter is not plain ASCII")]
    Text,
    /// Addresses that can't stand together.
    #[error(transparent)]
    Envelope(#[from] lettre::error::Error),
}

/// A letter's text as SMTP transmits it: lines that begin with a dot have one more, and a lone dot ends it.
struct Text(String);

/// No letter would get through now.
#[derive(Debug)]
pub(super) struct Unreachable {
    /// Whether user, password or our own address were refused: trying again soon does harm.
    pub(super) login: bool,
    pub(super) why: String,
}

/// What went wrong with one letter.
pub(super) enum Trouble {
    /// Never: the letter or its recipient is refused.
    Refused(String),
    /// Not now.
    Deferred(String),
    /// The connection broke or makes no sense.
    Broken(String),
    /// The server answered nothing in time.
    Silence(String),
    /// The server was given the whole letter, and whether it has taken it over can't be known: it fell silent, or said what can't
    /// be understood.
    Unclear { why: String, silent: bool },
    /// The server closes the connection, whatever it was asked, or takes no letter of anybody's now.
    Closing(String),
    /// The server wants a login, or another one, or takes no letter of this sender's.
    Login(String),
    /// One of the two, said over this letter: it may be about the letter or its recipient alone.
    OverALetter { why: String, login: bool },
}

impl Dial {
    /// Nothing is connected yet.
    pub(super) fn new(server: &Server) -> Result<Self, PostError> {
        let tls = match server.security {
            Security::Tls | Security::StartTls => Some(tls_parameters(server)?),
            Security::PlainOnLoopback => {
                server.addresses()?;
                None
            }
        };
        Ok(Self { server: server.clone(), tls, hello: ClientId::default() })
    }

    /// Connects, secures the connection and logs in.
    pub(super) fn connect(&self) -> Result<SmtpLink, Unreachable> {
        let fault = |why| Unreachable { login: false, why };
        let addresses = self.server.addresses().map_err(|e| fault(e.to_string()))?;
        let timeout = Some(self.server.timeout);
        let wrapper = self.tls.as_ref().filter(|_| self.server.security == Security::Tls);
        let mut connection =
            SmtpConnection::connect(addresses.as_slice(), timeout, &self.hello, wrapper, None)
                .map_err(|e| fault(self.in_words(&e)))?;
        if let (Some(tls), Security::StartTls) = (&self.tls, self.server.security) {
            connection.starttls(tls, &self.hello).map_err(|e| fault(self.in_words(&e)))?;
        }
        if let Some((user, password)) = &self.server.login {
            let credentials = Credentials::new(user.clone(), password.reveal().to_owned());
            let accepted = connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials);
            accepted.map_err(|e| Unreachable {
                login: e.is_permanent(),
                why: format!("login as `{user}`: {}", self.in_words(&e)),
            })?;
        }
        let timeout = self.server.timeout;
        Ok(SmtpLink { connection, timeout, borne: timeout, usable: true })
    }

    fn in_words(&self, error: &Error) -> String {
        told(error, self.server.timeout)
    }
}

pub(super) fn tls_parameters(server: &Server) -> Result<TlsParameters, PostError> {
    let mut builder = TlsParameters::builder(server.host.clone());
    if let Some(pem) = server.extra_authority()? {
        let authority =
            Certificate::from_pem(&pem).map_err(|e| server.config_error(format!("tls_ca: {e}")))?;
        builder = builder.add_root_certificate(authority);
    }
    builder.build().map_err(|e| server.tls_error(error_text(&e)))
}

impl Posting {
    /// A letter that SMTP without extensions can carry; or why it is none.
    pub(super) fn new(from: &str, to: &str, raw: &[u8]) -> Result<Self, Uncarried> {
        let address = |text: &str| match text.parse::<Address>() {
            Ok(address) if text.is_ascii() => Ok(address),
            Ok(_) => Err(Uncarried::NotAscii(text.to_owned())),
            Err(error) => Err(Uncarried::NoAddress { text: text.to_owned(), error }),
        };
        let text = str::from_utf8(raw).ok().filter(|text| text.is_ascii()).ok_or(Uncarried::Text)?;
        let from = if from.is_empty() { None } else { Some(address(from)?) };
        let to = address(to)?;
        // The library checks what it is not told twice: that an address can stand in an envelope.
        Envelope::new(from.clone(), vec![to.clone()])?;
        Ok(Self { from, to, text: Text::of(text), stage: Mutex::new(Stage::Unsent) })
    }

    /// Whether a server may have taken it over.
    pub(super) fn was_offered(&self) -> bool {
        self.move_on(|stage| stage) == Stage::Offered
    }

    /// Nobody waits for it any more; whether a server may have taken it over. If not, none will be given it.
    pub(super) fn give_up(&self) -> bool {
        self.move_on(|stage| if stage == Stage::Unsent { Stage::GivenUp } else { stage }) == Stage::Offered
    }

    /// Whether nobody waits for it any more, and no server is to be given it.
    pub(super) fn is_given_up(&self) -> bool {
        self.move_on(|stage| stage) == Stage::GivenUp
    }

    /// Whether its text may be given to a server now.
    fn offer(&self) -> bool {
        self.move_on(|stage| if stage == Stage::Unsent { Stage::Offered } else { stage }) == Stage::Offered
    }

    /// How far it has come, after this.
    fn move_on(&self, step: impl Fn(Stage) -> Stage) -> Stage {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *stage = step(*stage);
        *stage
    }
}

impl Text {
    fn of(letter: &str) -> Self {
        let mut text = String::with_capacity(letter.len() + 64);
        // A lone CR or LF ends a line too: some servers take it so, and would see another end of the letter than we do.
        for line in letter.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r')) {
            if line.starts_with('.') {
                text.push('.');
            }
            text.push_str(line);
            text.push_str("\r\n");
        }
        if letter.ends_with('\n') {
            text.truncate(text.len() - 2);
        }
        text.push_str(".\r\n");
        Self(text)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A connection on which letters can be sent.
pub(super) struct SmtpLink {
    connection: SmtpConnection,
    /// The longest silence to bear from the server, before it has a whole letter.
    timeout: Duration,
    /// The longest silence that is borne now.
    borne: Duration,
    usable: bool,
}

impl SmtpLink {
    /// Sends one letter; the server's reply, for which it has so long from when it has the whole of it.
    pub(super) fn send(&mut self, letter: &Posting, acceptance: Duration) -> Result<String, Trouble> {
        let sent = self.exchange(letter, acceptance);
        let patient = self.bear_silence(self.timeout).is_ok();
        self.usable = patient
            && match &sent {
                Ok(_) => true,
                // One letter that is refused is no reason to connect anew for the next.
                Err(Trouble::Refused(_) | Trouble::Deferred(_)) => {
                    self.command("RSET\r\n", Severity::PositiveCompletion).is_ok()
                }
                Err(_) => false,
            };
        sent
    }

    /// Whether another letter can be sent on it.
    pub(super) fn is_usable(&self) -> bool {
        self.usable
    }

    fn exchange(&mut self, letter: &Posting, acceptance: Duration) -> Result<String, Trouble> {
        use Severity::{PositiveCompletion, PositiveIntermediate};
        let mail = self.command(Mail::new(letter.from.clone(), Vec::new()), PositiveCompletion);
        mail.map_err(|trouble| match trouble {
            // Nothing has been said of the letter yet but who sends it, and that is us with every letter.
            Trouble::Refused(why) => Trouble::Login(why),
            Trouble::Deferred(why) => Trouble::Closing(why),
            other => other,
        })?;
        let rcpt = self.command(Rcpt::new(letter.to.clone(), Vec::new()), PositiveCompletion);
        rcpt.map_err(|trouble| match trouble {
            // It passes when the account, our name or our address is put right. It is not said of all letters, since the relay may
            // repeat what one recipient's server says.
            Trouble::Refused(why) if is_about_us(&why) => Trouble::Deferred(why),
            Trouble::Login(why) if is_relaying_denied(&why) => Trouble::Deferred(why),
            other => other.over_a_letter(),
        })?;
        self.command(Data, PositiveIntermediate).map_err(of_content)?;
        self.bear_silence(acceptance)?;
        if !letter.offer() {
            return Err(Trouble::Broken("the letter was given up meanwhile".to_owned()));
        }
        let reply = self.command(&letter.text, PositiveCompletion).map_err(|trouble| match trouble {
            Trouble::Broken(why) => Trouble::Unclear { why, silent: false },
            Trouble::Silence(why) => Trouble::Unclear { why, silent: true },
            other => of_content(other),
        })?;
        Ok(format!("{} {}", reply.code(), reply.message().collect::<Vec<_>>().join(" ")))
    }

    fn bear_silence(&mut self, timeout: Duration) -> Result<(), Trouble> {
        self.borne = timeout;
        self.connection.set_timeout(Some(timeout)).map_err(|e| Trouble::Broken(e.to_string()))
    }

    /// Says something that must be answered in this sense.
    fn command(&mut self, command: impl fmt::Display, sense: Severity) -> Result<Response, Trouble> {
        match self.connection.command(command) {
            Ok(reply) if reply.code().severity == sense => Ok(reply),
            Ok(reply) => Err(Trouble::Broken(format!("`{}` is no answer here", reply.code()))),
            Err(error) => Err(trouble(&error, self.borne)),
        }
    }

    /// Takes leave, if the server is quick about it.
    pub(super) fn quit(mut self) {
        let soon = Duration::from_millis(500);
        if self.connection.set_timeout(Some(soon)).is_ok() {
            let _ = self.connection.quit();
        }
    }
}

impl Trouble {
    /// What is said of one letter and its recipient need not hold for others: the relay may repeat what one recipient's server says.
    fn over_a_letter(self) -> Self {
        match self {
            Self::Closing(why) => Self::OverALetter { why, login: false },
            Self::Login(why) => Self::OverALetter { why, login: true },
            other => other,
        }
    }
}

fn trouble(error: &Error, borne: Duration) -> Trouble {
    let why = told(error, borne);
    match error.status().map(u16::from) {
        Some(CLOSING) => Trouble::Closing(why),
        Some(code) if AUTHENTICATION.contains(&code) => Trouble::Login(why),
        Some(_) if error.is_permanent() => Trouble::Refused(why),
        Some(_) => Trouble::Deferred(why),
        None if is_silence(error) => Trouble::Silence(why),
        None => Trouble::Broken(why),
    }
}

/// What is said once the recipient was taken: of the letter, and of the address only where a status says so.
fn of_content(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Refused(why) if !is_about_the_address(&why) => Trouble::Deferred(why),
        other => other.over_a_letter(),
    }
}

/// Whether a reply's status is one of RFC 3463 for an address that is no good.
fn is_about_the_address(reply: &str) -> bool {
    let status = read_reply(reply).0.unwrap_or_default();
    ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"].contains(&status.as_str())
}

/// Whether a reply to a recipient refuses the host that writes: servers wait for the recipient before they say so.
fn is_about_us(reply: &str) -> bool {
    let lower = reply.to_ascii_lowercase();
    is_relaying_denied(reply)
        || ["sender address rejected", "helo command rejected", "client host rejected"]
            .iter()
            .any(|words| lower.contains(words))
}

/// Whether a reply says that this server passes nothing on for us.
fn is_relaying_denied(reply: &str) -> bool {
    let reply = reply.to_ascii_lowercase();
    ["relay access denied", "relaying", "not permitted to relay", "unable to relay", "relay not permitted"]
        .iter()
        .any(|words| reply.contains(words))
}

/// Whether a limit on silence ended it.
fn is_silence(error: &Error) -> bool {
    matches!(fault_of_io(error), Some(ErrorKind::TimedOut | ErrorKind::WouldBlock))
}

fn fault_of_io(error: &Error) -> Option<ErrorKind> {
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        if let Some(io) = inner.downcast_ref::<std::io::Error>() {
            return Some(io.kind());
        }
        cause = inner.source();
    }
    None
}

/// The error in words, where silence was borne for so long.
pub(super) fn told(error: &Error, borne: Duration) -> String {
    match fault_of_io(error) {
        // What a socket says of silence is of no use to anybody.
        Some(ErrorKind::WouldBlock) => link::silence(borne),
        _ => error_text(error),
    }
}

/// The error with its causes, on one line.
fn error_text(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        cause = inner.source();
    }
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_can_not_be_ended_from_within() {
        let text = |letter: &str| Text::of(letter).0;
        assert_eq!(text("a\r\n.\r\n..b\r\n"), "a\r\n..\r\n...b\r\n.\r\n");
        assert_eq!(text("no end"), "no end\r\n.\r\n");
        for smuggled in ["a\n.\nMAIL", "a\n.\r\nMAIL", "a\r.\rMAIL", "a\r\n.\rMAIL", "a\r.\nMAIL"] {
            assert_eq!(text(smuggled), "a\r\n..\r\nMAIL\r\n.\r\n", "{smuggled:?}");
        }
    }

    #[test]
    fn what_smtp_can_not_carry_is_refused_here() {
        let why = |from, to, raw: &[u8]| {
            Posting::new(from, to, raw).err().map_or(String::new(), |error| error.to_string())
        };
        assert_eq!(why("", "ney@x.org", b"x\r\n"), "");
        assert!(why("gm@x.org", "no address", b"x").contains("no address"));
        assert!(why("gm@x.org", "n\u{e9}y@x.org", b"x").contains("ASCII"));
        assert!(why("gm@x.org", "ney@x.org", "caf\u{e9}".as_bytes()).contains("ASCII"));
        assert!(!why("gm@x.org\r\nRCPT TO:<a@b>", "ney@x.org", b"x").is_empty());
    }
}

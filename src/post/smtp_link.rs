//! One SMTP connection. Its errors are sorted by what they concern: the letter, the server, or the login.
//!
//! The library's own function for sending writes a letter and the dot after it separately, and then waits 40 ms until the server's kernel
//! acknowledges the letter. Here both are one write.

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

/// "Authentication required" and similar codes. They may answer any command; the operator has to fix them, not the writer of the letter.
const AUTHENTICATION: [u16; 5] = [530, 534, 535, 538, 454];
/// The server is about to close the connection, whatever was asked.
const CLOSING: u16 = 421;

/// The parameters of connections to a relay.
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

/// The progress of one letter. The sending thread and the waiting thread must agree on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// No server has been given its text.
    Unsent,
    /// Its text is being sent to a server that was asked to accept it: from now on the server may have accepted it.
    Offered,
    /// Nobody waits for it any more, and no server must be given it.
    GivenUp,
}

/// Why SMTP can't carry a letter, which is known without asking a server.
#[derive(Debug, thiserror::Error)]
pub(super) enum Uncarried {
    /// An address that is not ASCII.
    #[error("`{}`: only ASCII addresses can be written to", .0.escape_debug())]
    NotAscii(String),
    /// A text that is not an address.
    #[error("`{}`: {error}", text.escape_debug())]
    NoAddress {
        /// The text.
        text: String,
        /// What is wrong with it.
        error: AddressError,
    },
    /// A letter that is not ASCII.
    #[error("the letter is not plain ASCII")]
    Text,
    /// Addresses that can't be used together in an envelope.
    #[error(transparent)]
    Envelope(#[from] lettre::error::Error),
}

/// A letter's text as SMTP transmits it: lines that begin with a dot have one more, and a lone dot ends it.
struct Text(String);

/// The relay can't be reached, so no letter can be sent now.
#[derive(Debug)]
pub(super) struct Unreachable {
    /// Whether user name, password or our own address were refused: trying again soon does harm.
    pub(super) login: bool,
    pub(super) why: String,
}

/// The ways in which one letter can fail.
pub(super) enum Trouble {
    /// The letter or its recipient is refused for good.
    Refused(String),
    /// The letter can't be sent now.
    Deferred(String),
    /// The connection broke, or the server sent nonsense.
    Broken(String),
    /// The server gave no answer in time.
    Silence(String),
    /// The server was given the whole letter, and it is unknown whether it has accepted the letter: it fell silent, or its answer can't be
    /// understood.
    Unclear { why: String, silent: bool },
    /// The server closes the connection, whatever it was asked, or accepts no letter at all now.
    Closing(String),
    /// The server wants a login, or another one, or accepts no letter of this sender.
    Login(String),
    /// One of the last two, as an answer to this letter: it may concern the letter or its recipient only.
    OverALetter { why: String, login: bool },
}

impl Dial {
    /// The parameters for this server; nothing is connected yet.
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
    /// A letter that SMTP without extensions can carry; or why it can't.
    pub(super) fn new(from: &str, to: &str, raw: &[u8]) -> Result<Self, Uncarried> {
        let address = |text: &str| match text.parse::<Address>() {
            Ok(address) if text.is_ascii() => Ok(address),
            Ok(_) => Err(Uncarried::NotAscii(text.to_owned())),
            Err(error) => Err(Uncarried::NoAddress { text: text.to_owned(), error }),
        };
        let text = str::from_utf8(raw).ok().filter(|text| text.is_ascii()).ok_or(Uncarried::Text)?;
        let from = if from.is_empty() { None } else { Some(address(from)?) };
        let to = address(to)?;
        // The library checks that an address can be used in an envelope.
        Envelope::new(from.clone(), vec![to.clone()])?;
        Ok(Self { from, to, text: Text::of(text), stage: Mutex::new(Stage::Unsent) })
    }

    /// Whether a server may have accepted it.
    pub(super) fn was_offered(&self) -> bool {
        self.move_on(|stage| stage) == Stage::Offered
    }

    /// Gives the letter up, because nobody waits for it any more. Returns whether a server may have accepted it; if not, no server will be given it.
    pub(super) fn give_up(&self) -> bool {
        self.move_on(|stage| if stage == Stage::Unsent { Stage::GivenUp } else { stage }) == Stage::Offered
    }

    /// Whether the letter was given up, so that no server must be given it.
    pub(super) fn is_given_up(&self) -> bool {
        self.move_on(|stage| stage) == Stage::GivenUp
    }

    /// Whether its text may be given to a server now. If so, it counts as offered from now on.
    fn offer(&self) -> bool {
        self.move_on(|stage| if stage == Stage::Unsent { Stage::Offered } else { stage }) == Stage::Offered
    }

    /// Applies `step` to the stage. Returns the stage after that.
    fn move_on(&self, step: impl Fn(Stage) -> Stage) -> Stage {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *stage = step(*stage);
        *stage
    }
}

impl Text {
    fn of(letter: &str) -> Self {
        let mut text = String::with_capacity(letter.len() + 64);
        // A lone CR or LF ends a line too: some servers treat it so, and would otherwise see another end of the letter than we do.
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
    /// The longest silence that is allowed before the server has a whole letter.
    timeout: Duration,
    /// The longest silence that is allowed now.
    borne: Duration,
    usable: bool,
}

impl SmtpLink {
    /// Sends one letter, and returns the server's reply. From the end of the letter on, the server has the time `acceptance` for it.
    pub(super) fn send(&mut self, letter: &Posting, acceptance: Duration) -> Result<String, Trouble> {
        let sent = self.exchange(letter, acceptance);
        let patient = self.bear_silence(self.timeout).is_ok();
        self.usable = patient
            && match &sent {
                Ok(_) => true,
                // A refused letter is no reason to make a new connection for the next.
                Err(Trouble::Refused(_) | Trouble::Deferred(_)) => {
                    self.command("RSET\r\n", Severity::PositiveCompletion).is_ok()
                }
                Err(_) => false,
            };
        sent
    }

    /// Whether another letter can be sent on this connection.
    pub(super) fn is_usable(&self) -> bool {
        self.usable
    }

    fn exchange(&mut self, letter: &Posting, acceptance: Duration) -> Result<String, Trouble> {
        use Severity::{PositiveCompletion, PositiveIntermediate};
        let mail = self.command(Mail::new(letter.from.clone(), Vec::new()), PositiveCompletion);
        mail.map_err(|trouble| match trouble {
            // So far only the sender was named, which is the same for every letter.
            Trouble::Refused(why) => Trouble::Login(why),
            Trouble::Deferred(why) => Trouble::Closing(why),
            other => other,
        })?;
        let rcpt = self.command(Rcpt::new(letter.to.clone(), Vec::new()), PositiveCompletion);
        rcpt.map_err(|trouble| match trouble {
            // This passes when the account, our host name or our address is corrected. It isn't taken to concern all letters, since the relay may
            // repeat the answer of one recipient's server.
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

    /// Sends a command, and requires an answer of this severity.
    fn command(&mut self, command: impl fmt::Display, sense: Severity) -> Result<Response, Trouble> {
        match self.connection.command(command) {
            Ok(reply) if reply.code().severity == sense => Ok(reply),
            Ok(reply) => Err(Trouble::Broken(format!("`{}` is no answer here", reply.code()))),
            Err(error) => Err(trouble(&error, self.borne)),
        }
    }

    /// Closes the connection with QUIT, if the server answers quickly.
    pub(super) fn quit(mut self) {
        let soon = Duration::from_millis(500);
        if self.connection.set_timeout(Some(soon)).is_ok() {
            let _ = self.connection.quit();
        }
    }
}

impl Trouble {
    /// An answer for one letter and its recipient need not apply to others: the relay may repeat the answer of one recipient's server.
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

/// An answer after the recipient was accepted concerns the letter; it concerns the address only if its status says so.
fn of_content(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Refused(why) if !is_about_the_address(&why) => Trouble::Deferred(why),
        other => other.over_a_letter(),
    }
}

/// Whether a reply's status is one that RFC 3463 gives to a bad address.
fn is_about_the_address(reply: &str) -> bool {
    let status = read_reply(reply).0.unwrap_or_default();
    ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"].contains(&status.as_str())
}

/// Whether the reply to a recipient refuses our own host: servers wait for the recipient before they say so.
fn is_about_us(reply: &str) -> bool {
    let lower = reply.to_ascii_lowercase();
    is_relaying_denied(reply)
        || ["sender address rejected", "helo command rejected", "client host rejected"]
            .iter()
            .any(|words| lower.contains(words))
}

/// Whether a reply says that this server relays no mail for us.
fn is_relaying_denied(reply: &str) -> bool {
    let reply = reply.to_ascii_lowercase();
    ["relay access denied", "relaying", "not permitted to relay", "unable to relay", "relay not permitted"]
        .iter()
        .any(|words| reply.contains(words))
}

/// Whether the error is a timeout.
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

/// The error in words; for a timeout, `borne` is its length.
pub(super) fn told(error: &Error, borne: Duration) -> String {
    match fault_of_io(error) {
        // The socket's own words for a timeout would tell the reader nothing.
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

//! Tests whether a server would work for us, for `config check --connect`. Nothing is changed on the server.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use lettre::Address;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::SmtpConnection;
use lettre::transport::smtp::commands::{Mail, Rset};
use lettre::transport::smtp::extension::ClientId;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};

use super::link::Link;
use super::server::{Security, Server};
use super::{PostError, Stop, smtp_link};
use musterd_text::nouns::count;

/// The result for a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The result in one line: `imap.example.org:993: logged in as …`.
    pub said: String,
    /// Things that may cause trouble.
    pub doubts: Vec<String>,
}

/// The longest silence of a server that is only being tested, if a longer one is configured.
const PATIENCE: Duration = Duration::from_secs(20);
/// A certificate that expires in fewer days is reported.
const SOON: i64 = 14;
const DAY: i64 = 24 * 3600;

/// Logs in to an IMAP server and opens the folder, for reading only.
///
/// # Errors
/// Why mail could not be read there.
pub fn imap(server: &Server, folder: &str) -> Result<Found, PostError> {
    let server = &hurried(server);
    let mut link = Link::open(server, 0, &Stop::default())?;
    let certificate = link.certificates();
    let names = ["IDLE", "MOVE", "UIDPLUS"];
    let offered = link.call("asking for capabilities", |session| {
        let capabilities = session.capabilities()?;
        Ok(names.map(|name| capabilities.has_str(name)))
    })?;
    let opened = link.call("opening the folder", |session| match session.examine(folder) {
        Err(imap::Error::No(no)) => Ok(Err(no.information)),
        other => other.map(Ok),
    })?;
    let mailbox = opened.map_err(|said| PostError::Server {
        server: server.to_string(),
        doing: "opening the folder",
        reason: format!(
            "the server refuses: {said}; a folder that isn't there before its first mail has to be made, with a mail program or in Dovecot \
             with `doveadm mailbox create -s -u USER {folder}`"
        ),
    })?;
    if mailbox.uid_validity.is_none() {
        return Err(server.config_error("the server gives no UIDVALIDITY, so mail cannot be told apart"));
    }
    let mut doubts = Vec::new();
    let offers: Vec<String> = names
        .iter()
        .zip(offered)
        .map(|(name, there)| format!("{name} {}", if there { "yes" } else { "no" }))
        .collect();
    let user = server.login.as_ref().map_or("nobody", |(user, _)| user);
    let said = format!(
        "{server}: logged in as `{user}`; `{folder}` holds {}; {}; {}",
        count(mailbox.exists, "mail"),
        offers.join(", "),
        validity(server, &certificate, &mut doubts)
    );
    Ok(Found { said, doubts })
}

/// Logs in to an SMTP relay and asks whether it accepts mail from `sender`; no mail is sent.
///
/// # Errors
/// Why mail could not be sent by it.
pub fn smtp(server: &Server, sender: &str) -> Result<Found, PostError> {
    let server = &hurried(server);
    let failed = |doing: &'static str| {
        let name = server.to_string();
        move |error: lettre::transport::smtp::Error| PostError::Server {
            server: name,
            doing,
            reason: smtp_link::told(&error, server.timeout),
        }
    };
    let tls = match server.security {
        Security::PlainOnLoopback => None,
        Security::Tls | Security::StartTls => Some(smtp_link::tls_parameters(server)?),
    };
    let at_once = tls.as_ref().filter(|_| server.security == Security::Tls);
    let hello = ClientId::default();
    let addresses = server.addresses()?;
    // The library wants the name for TLS, but checks the certificate by the name in `tls` only.
    let mut relay = SmtpConnection::connect(&addresses[..], Some(server.timeout), &hello, at_once, None)
        .map_err(failed("connecting"))?;
    if let Some(tls) = tls.as_ref().filter(|_| server.security == Security::StartTls) {
        relay.starttls(tls, &hello).map_err(failed("STARTTLS"))?;
    }
    let certificates = match tls {
        Some(_) => relay.certificate_chain().map_err(failed("reading the certificate"))?,
        None => Vec::new(),
    };
    if let Some((user, password)) = &server.login {
        let credentials = Credentials::new(user.clone(), password.reveal().to_owned());
        relay.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).map_err(|error| {
            PostError::Login {
                server: server.to_string(),
                user: user.clone(),
                reason: smtp_link::told(&error, server.timeout),
            }
        })?;
    }
    let address: Address =
        sender.parse().map_err(|e| server.config_error(format!("`{sender}` can send no mail: {e}")))?;
    relay
        .command(Mail::new(Some(address), Vec::new()))
        .map_err(failed("asking whether it takes our sender"))?;
    relay.command(Rset).map_err(failed("taking the question back"))?;
    // It has answered all questions.
    let _ = relay.quit();
    let mut doubts = Vec::new();
    let user = server
        .login
        .as_ref()
        .map_or_else(|| "no login".to_owned(), |(user, _)| format!("logged in as `{user}`"));
    let certificates: Vec<_> = certificates.into_iter().map(CertificateDer::from).collect();
    let said = format!(
        "{server}: {user}; takes mail from {sender}; {}",
        validity(server, &certificates, &mut doubts)
    );
    Ok(Found { said, doubts })
}

fn hurried(server: &Server) -> Server {
    Server { timeout: server.timeout.min(PATIENCE), ..server.clone() }
}

/// Until when the server's certificates are valid, in words.
fn validity(server: &Server, chain: &[CertificateDer<'_>], doubts: &mut Vec<String>) -> String {
    if server.security == Security::PlainOnLoopback {
        return "not encrypted, as it is this very machine".to_owned();
    }
    let now = now();
    match good_until(server, chain, now) {
        Some(until) => {
            let days = (until - now) / DAY;
            let date = Timestamp::from_second(until).unwrap_or_default().strftime("%Y-%m-%d").to_string();
            if days < SOON {
                doubts.push(format!("the certificate of {server} ends on {date}"));
            }
            format!("certificate good until {date}")
        }
        None => "certificate good now; until when can't be told".to_owned(),
    }
}

#[expect(clippy::disallowed_methods, reason = "a certificate is good until a time of the system's clock")]
fn now() -> i64 {
    Timestamp::now().as_second()
}

/// The last day on which the chain will be trusted, found by asking the verifier, which checks every certificate of it. `None` if it isn't trusted
/// now.
fn good_until(server: &Server, chain: &[CertificateDer<'_>], now: i64) -> Option<i64> {
    let (end_entity, intermediates) = chain.split_first()?;
    let name = ServerName::try_from(server.host.clone()).ok()?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let roots = Arc::new(server.roots().ok()?);
    let verifier = WebPkiServerVerifier::builder_with_provider(roots, provider).build().ok()?;
    let good_at = |at: i64| {
        let at = UnixTime::since_unix_epoch(Duration::from_secs(u64::try_from(at).unwrap_or(0)));
        verifier.verify_server_cert(end_entity, intermediates, &name, &[], at).is_ok()
    };
    if !good_at(now) {
        return None;
    }
    // In a hundred years no certificate is valid.
    let (mut good, mut bad) = (0, 36_500);
    while bad - good > 1 {
        let days = i64::midpoint(good, bad);
        if good_at(now + days * DAY) { good = days } else { bad = days }
    }
    Some(now + good * DAY)
}

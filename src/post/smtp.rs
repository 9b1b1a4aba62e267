//! Mail out by SMTP.
//!
//! Each recipient is sent to by itself, so that each has an outcome of its own. The library's `tracing` feature must stay
//! off: it would write passwords into the log.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use lettre::address::Envelope;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::transport::smtp::{Error, PoolConfig};
use lettre::{Address, SmtpTransport, Transport};

use super::server::{Security, Server};
use super::{Outcome, PostError, Relay};
use crate::fault;

/// "Authentication required" and its kin may answer any command, and are the operator's matter, not the letter's.
const AUTHENTICATION: [&str; 4] = ["530", "534", "535", "538"];

/// An SMTP server that takes our mail.
#[derive(Debug)]
pub struct SmtpRelay {
    transport: SmtpTransport,
}

impl SmtpRelay {
    /// A relay with up to `connections` connections kept open. Nothing is sent yet.
    ///
    /// # Errors
    /// The configuration cannot work: an unencrypted server elsewhere, an unreadable `tls_ca`.
    pub fn new(server: &Server, connections: u32) -> Result<Self, PostError> {
        let tls = match server.security {
            Security::Tls => Tls::Wrapper(tls_parameters(server)?),
            Security::StartTls => Tls::Required(tls_parameters(server)?),
            Security::PlainOnLoopback => {
                server.addresses()?;
                Tls::None
            }
        };
        let mut builder = SmtpTransport::builder_dangerous(&server.host)
            .port(server.port)
            .tls(tls)
            .timeout(Some(server.timeout))
            .authentication(vec![Mechanism::Plain, Mechanism::Login])
            .pool_config(PoolConfig::new().max_size(connections));
        if let Some((user, password)) = &server.login {
            builder = builder.credentials(Credentials::new(user.clone(), password.reveal().to_owned()));
        }
        Ok(Self { transport: builder.build() })
    }

    fn send_one(&self, envelope_from: &str, to: &str, raw: &[u8]) -> Outcome {
        let envelope = match envelope(envelope_from, to) {
            Ok(envelope) => envelope,
            Err(reason) => return Outcome::Refused(reason),
        };
        if let Err(error) = fault::point("smtp.send") {
            return Outcome::Deferred(error.to_string());
        }
        // The library ends the text with a line break of its own.
        let raw = raw.strip_suffix(b"\r\n").unwrap_or(raw);
        let mut result = self.transport.send_raw(&envelope, raw);
        // A pooled connection may have died since its check. Should the mail have been taken after all, its second
        // copy bears the same Message-ID.
        if result.as_ref().is_err_and(is_broken_connection) {
            result = self.transport.send_raw(&envelope, raw);
        }
        match result {
            Ok(reply) => Outcome::Accepted(format!(
                "{} {}",
                reply.code(),
                reply.message().collect::<Vec<_>>().join(" ")
            )),
            Err(error) if self.is_final(&error) => Outcome::Refused(error_text(&error)),
            Err(error) if self.is_unreachable(&error) => Outcome::Unreached(error_text(&error)),
            Err(error) => Outcome::Deferred(error_text(&error)),
        }
    }

    /// Whether no letter would get through now. One letter that breaks its connection must not hold back the others.
    fn is_unreachable(&self, error: &Error) -> bool {
        error.status().is_none() && !error.is_client() && !self.transport.test_connection().unwrap_or(false)
    }

    /// Whether the server refuses this letter for ever, rather than us: a login that fails is also answered by 5xx,
    /// but then no connection can be had at all.
    fn is_final(&self, error: &Error) -> bool {
        let login = error.status().is_some_and(|code| AUTHENTICATION.contains(&code.to_string().as_str()));
        (error.is_permanent() || error.is_client())
            && !login
            && self.transport.test_connection().unwrap_or(false)
    }
}

impl Relay for SmtpRelay {
    fn send(&self, envelope_from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        to.iter().map(|to| (to.clone(), self.send_one(envelope_from, to, raw))).collect()
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

fn envelope(from: &str, to: &str) -> Result<Envelope, String> {
    let address = |text: &str| text.parse::<Address>().map_err(|e| format!("`{}`: {e}", text.escape_debug()));
    let from = if from.is_empty() { None } else { Some(address(from)?) };
    Envelope::new(from, vec![address(to)?]).map_err(|e| e.to_string())
}

fn is_broken_connection(error: &Error) -> bool {
    error.status().is_none() && !error.is_timeout() && !error.is_client() && !error.is_tls()
}

/// The error with its causes, on one line.
pub(super) fn error_text(error: &Error) -> String {
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
    text.replace(['\r', '\n'], " ")
}

/// One message to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    /// The envelope's sender, empty for the null sender.
    pub from: String,
    /// The recipients.
    pub to: Vec<String>,
    /// The message.
    pub raw: Vec<u8>,
}

/// Sends parcels by this many workers at once; the outcomes are in the order of the parcels. Once the relay can't be
/// reached the rest waits too: each try may last as long as the longest silence to bear, and the loop waits for all of them.
#[must_use]
pub fn send_many(relay: &dyn Relay, parcels: &[Parcel], workers: usize) -> Vec<Vec<(String, Outcome)>> {
    let next = AtomicUsize::new(0);
    let unreached = OnceLock::new();
    let outcomes = Mutex::new(vec![Vec::new(); parcels.len()]);
    let send = |parcel: &Parcel| match unreached.get() {
        Some(outcome) => parcel.to.iter().map(|to| (to.clone(), Outcome::clone(outcome))).collect(),
        None => relay.send(&parcel.from, &parcel.to, &parcel.raw),
    };
    let work = || {
        while let Some((at, parcel)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, parcels.get(at)?)))
        {
            let outcome = send(parcel);
            if let Some((_, fault)) = outcome.iter().find(|(_, o)| matches!(o, Outcome::Unreached(_))) {
                unreached.get_or_init(|| fault.clone());
            }
            if let Some(place) = outcomes.lock().unwrap_or_else(PoisonError::into_inner).get_mut(at) {
                *place = outcome;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..workers.min(parcels.len()) {
            scope.spawn(work);
        }
        work();
    });
    outcomes.into_inner().unwrap_or_else(PoisonError::into_inner)
}

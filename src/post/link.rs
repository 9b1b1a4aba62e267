//! One IMAP connection: TCP, TLS, timeouts and limits below the protocol library, its errors and panics contained above it.
//!
//! After any error the link is out of step with the server and must be dropped.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use imap::extensions::idle::SetReadTimeout;
use imap::{Client, Session};
use rustls::pki_types::CertificateDer;
use rustls::{ClientConnection, StreamOwned};

use super::guard::Guard;
use super::pause::now;
use super::server::{Security, Server};
use super::{HEAD_BYTES, KeepError, PostError, Stop};
use musterd_disk::fault;

/// A whole answer may take this many times the longest silence: a server that sends one byte a minute is cut off.
const ANSWER_TIMEOUTS: u32 = 10;
/// The size that an answer may have besides one message of the largest size.
const ANSWER_SLACK: u64 = 8 * 1024 * 1024;
/// The longest line of a server before TLS.
const PLAIN_LINE: usize = 8192;
/// How often a wait for the server checks whether the program is to end.
const LOOK: Duration = Duration::from_secs(1);

/// The TCP stream with a limit on each silence and on the whole answer. It is cut off when the program is to end.
struct Wire {
    tcp: TcpStream,
    stop: Stop,
    usual: Duration,
    silence: Duration,
    deadline: Instant,
}

impl Wire {
    fn new(tcp: TcpStream, timeout: Duration, stop: Stop) -> io::Result<Self> {
        tcp.set_nodelay(true)?;
        tcp.set_read_timeout(Some(timeout))?;
        tcp.set_write_timeout(Some(timeout))?;
        Ok(Self { tcp, stop, usual: timeout, silence: timeout, deadline: now() + timeout * ANSWER_TIMEOUTS })
    }

    /// Allows a silence of this length, and an answer that takes as long: for IDLE, which is one long silence.
    fn wait_up_to(&mut self, silence: Option<Duration>) {
        self.silence = silence.unwrap_or(self.usual);
        self.deadline = now() + silence.unwrap_or(self.usual * ANSWER_TIMEOUTS);
    }
}

impl Read for Wire {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let ends = self.deadline.min(now() + self.silence);
        loop {
            if self.stop.is_set() {
                return Err(io::Error::other(KeepError::Stopping));
            }
            let left = ends.saturating_duration_since(now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let wait = if self.stop.may_come() { left.min(LOOK) } else { left };
            self.tcp.set_read_timeout(Some(wait))?;
            match self.tcp.read(buf) {
                Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
                read => return read,
            }
        }
    }
}

impl Write for Wire {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.tcp.write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tcp.flush()
    }
}

enum Stream {
    Plain(Wire),
    Tls(Box<StreamOwned<ClientConnection, Wire>>),
}

impl Stream {
    fn certificates(&self) -> Vec<CertificateDer<'static>> {
        match self {
            Self::Plain(_) => Vec::new(),
            Self::Tls(tls) => tls.conn.peer_certificates().unwrap_or_default().to_vec(),
        }
    }

    fn wire(&mut self) -> &mut Wire {
        match self {
            Self::Plain(wire) => wire,
            Self::Tls(tls) => &mut tls.sock,
        }
    }
}

/// The stream that the protocol library reads and writes.
pub(super) struct Io {
    stream: Stream,
    guard: Guard,
}

impl Read for Io {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = match &mut self.stream {
            Stream::Plain(wire) => wire.read(buf)?,
            Stream::Tls(tls) => tls.read(buf)?,
        };
        self.guard.check(&mut buf[..count])?;
        Ok(count)
    }
}

impl Write for Io {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.guard.command_sent();
        self.stream.wire().wait_up_to(None);
        match &mut self.stream {
            Stream::Plain(wire) => wire.write(buf),
            Stream::Tls(tls) => tls.write(buf),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.stream {
            Stream::Plain(wire) => wire.flush(),
            Stream::Tls(tls) => tls.flush(),
        }
    }
}

impl SetReadTimeout for Io {
    fn set_read_timeout(&mut self, timeout: Option<Duration>) -> imap::Result<()> {
        self.stream.wire().wait_up_to(timeout);
        Ok(())
    }
}

/// A logged-in IMAP session.
pub(super) struct Link {
    session: Session<Io>,
    stop: Stop,
    server: String,
    timeout: Duration,
    tcp: TcpStream,
    certificates: Vec<CertificateDer<'static>>,
}

impl Link {
    /// Connects, secures the connection and logs in; stops if the program is to end. No message over `limit` bytes will be asked for.
    pub(super) fn open(server: &Server, limit: u64, stop: &Stop) -> Result<Self, PostError> {
        unless_stopped(stop, || Self::open_session(server, limit, stop))
    }

    fn open_session(server: &Server, limit: u64, stop: &Stop) -> Result<Self, PostError> {
        let connect_error = |error| PostError::Connect { server: server.to_string(), error };
        fault::point("imap.connect").map_err(connect_error)?;
        let tcp = server.connect(stop)?;
        let second = tcp.try_clone().map_err(connect_error)?;
        let mut wire = Wire::new(tcp, server.timeout, stop.clone()).map_err(connect_error)?;
        let (stream, greeted) = match server.security {
            Security::PlainOnLoopback => (Stream::Plain(wire), false),
            Security::Tls => (secure(server, wire)?, false),
            Security::StartTls => {
                start_tls(&mut wire).map_err(|e| server.tls_error(format!("STARTTLS: {e}")))?;
                (secure(server, wire)?, true)
            }
        };
        let certificates = stream.certificates();
        // One byte more than the limit shows that a message is too large.
        let literal = limit.saturating_add(1).max(HEAD_BYTES as u64);
        let guard = Guard::new(literal, literal.saturating_add(ANSWER_SLACK));
        let client = Client::new(Io { stream, guard });
        let session = contain(|| log_in(client, server, greeted))
            .unwrap_or_else(|broken| Err(server_error(server, "logging in", broken.to_string())))?;
        let (stop, name) = (stop.clone(), server.to_string());
        Ok(Self { session, stop, server: name, timeout: server.timeout, tcp: second, certificates })
    }

    /// Host and port.
    pub(super) fn server(&self) -> &str {
        &self.server
    }

    /// Runs one exchange with the server, unless the program is to end. After an error the link must not be used any more.
    pub(super) fn call<R>(
        &mut self,
        doing: &'static str,
        exchange: impl FnOnce(&mut Session<Io>) -> imap::Result<R>,
    ) -> Result<R, PostError> {
        let stop = self.stop.clone();
        unless_stopped(&stop, || self.exchange(doing, exchange))
    }

    fn exchange<R>(
        &mut self,
        doing: &'static str,
        exchange: impl FnOnce(&mut Session<Io>) -> imap::Result<R>,
    ) -> Result<R, PostError> {
        let failed = |reason| PostError::Server { server: self.server.clone(), doing, reason };
        fault::point("imap.call").map_err(|e| failed(e.to_string()))?;
        let result = contain(|| {
            let result = exchange(&mut self.session);
            // Unsolicited responses are never used, and would pile up.
            drop(self.session.take_all_unsolicited());
            result
        });
        match result {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(failed(describe(&error, self.timeout))),
            Err(broken) => Err(failed(broken.to_string())),
        }
    }

    /// The certificates that the server showed, its own first; empty without TLS.
    pub(super) fn certificates(&self) -> Vec<CertificateDer<'static>> {
        self.certificates.clone()
    }

    /// A second handle on the connection, to cut it off from another thread.
    pub(super) fn cutter(&self) -> io::Result<Cutter> {
        self.tcp.try_clone().map(Cutter)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // No LOGOUT is sent: after an error nobody would answer it, and servers accept a closed connection.
        let _ = self.tcp.shutdown(Shutdown::Both);
    }
}

/// Cuts a connection off, so that a thread that waits on it returns.
#[derive(Debug)]
pub(super) struct Cutter(TcpStream);

impl Cutter {
    pub(super) fn cut(&self) {
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// Runs this, unless the program is to end. If the program ends meanwhile, a failure isn't blamed on the server.
fn unless_stopped<R>(stop: &Stop, run: impl FnOnce() -> Result<R, PostError>) -> Result<R, PostError> {
    match stop.is_set() {
        true => Err(KeepError::Stopping.into()),
        false => run().map_err(|error| if stop.is_set() { KeepError::Stopping.into() } else { error }),
    }
}

/// Runs the protocol library; its panics on odd answers become errors of the server.
fn contain<R>(run: impl FnOnce() -> R) -> Result<R, Broken> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| Broken)
}

/// The protocol library panicked.
#[derive(Debug, thiserror::Error)]
#[error("the server's answer broke the protocol library; the connection is given up")]
struct Broken;

fn secure(server: &Server, mut wire: Wire) -> Result<Stream, PostError> {
    let mut tls = server.tls()?;
    while tls.is_handshaking() {
        tls.complete_io(&mut wire).map_err(|e| handshake_error(server, &e))?;
    }
    Ok(Stream::Tls(Box::new(StreamOwned::new(tls, wire))))
}

fn handshake_error(server: &Server, error: &io::Error) -> PostError {
    use rustls::CertificateError as Bad;
    match error.get_ref().and_then(|e| e.downcast_ref::<rustls::Error>()) {
        Some(rustls::Error::InvalidCertificate(
            bad @ (Bad::Expired
            | Bad::ExpiredContext { .. }
            | Bad::NotValidYet
            | Bad::NotValidYetContext { .. }
            | Bad::NotValidForName
            | Bad::NotValidForNameContext { .. }),
        )) => server.tls_error(format!("the server's certificate is not valid: {bad}")),
        Some(rustls::Error::InvalidCertificate(bad)) => server.tls_error(format!(
            "the server's certificate is signed by nobody this system trusts ({bad}); for a private server set tls_ca to \
             its authority's file"
        )),
        Some(rustls::Error::InvalidMessage(_)) => server.tls_error(
            "the server does not speak TLS there: check the port, and whether it wants STARTTLS or TLS from the start",
        ),
        Some(error) => server.tls_error(error.to_string()),
        // The network failed in the middle, which passes; or the server doesn't speak TLS.
        None => server_error(server, "TLS handshake", describe_io(error, server.timeout)),
    }
}

/// Asks for TLS on a plain connection. Reads byte by byte: bytes after the answer must not be taken for bytes that came before TLS.
fn start_tls(wire: &mut Wire) -> io::Result<()> {
    let odd =
        |line: &[u8]| io::Error::other(format!("unexpected `{}`", String::from_utf8_lossy(line).trim_end()));
    let greeting = plain_line(wire)?;
    if !is_greeting(&greeting) {
        return Err(odd(&greeting));
    }
    wire.write_all(b"s1 STARTTLS\r\n")?;
    loop {
        let line = plain_line(wire)?;
        match line.get(..5) {
            Some(start) if start.eq_ignore_ascii_case(b"s1 OK") => return Ok(()),
            Some(start) if start.starts_with(b"* ") => {}
            _ => return Err(odd(&line)),
        }
    }
}

fn plain_line(wire: &mut Wire) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.last() != Some(&b'\n') {
        if line.len() >= PLAIN_LINE {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a line without end"));
        }
        wire.read_exact(&mut byte)?;
        line.push(byte[0]);
    }
    Ok(line)
}

/// Whether a line is an ordinary greeting. PREAUTH would mean a session that is not ours, BYE no session.
fn is_greeting(line: &[u8]) -> bool {
    line.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"* OK"))
}

fn log_in(mut client: Client<Io>, server: &Server, greeted: bool) -> Result<Session<Io>, PostError> {
    if !greeted {
        let greeting = client.read_greeting();
        let greeting = greeting
            .map_err(|e| server_error(server, "waiting for the greeting", describe(&e, server.timeout)))?;
        if !is_greeting(&greeting) {
            let shown: String = String::from_utf8_lossy(&greeting).trim_end().chars().take(80).collect();
            let reason = format!("`{}` is no IMAP greeting", shown.escape_debug());
            return Err(server_error(server, "waiting for the greeting", reason));
        }
    }
    let Some((user, password)) = &server.login else {
        return Err(server.config_error("reading mail needs a user name and a password file"));
    };
    let refused = client.capabilities().map(|offered| offered.has_str("LOGINDISABLED"));
    if refused.map_err(|e| server_error(server, "asking for capabilities", describe(&e, server.timeout)))? {
        return Err(server.config_error(
            "the server takes no password here (LOGINDISABLED): use TLS, and an account that may log in with a password",
        ));
    }
    client.login(user, password.reveal()).map_err(|(error, _client)| match error {
        imap::Error::No(ref no) if !is_passing(&no.information) => PostError::Login {
            server: server.to_string(),
            user: user.clone(),
            reason: describe(&error, server.timeout),
        },
        imap::Error::Validate(_) => server.config_error("the user name or password contains a line break"),
        _ => server_error(server, "logging in", describe(&error, server.timeout)),
    })
}

/// Whether a refused login is due to the server's state, and not to user name and password: the library leaves these codes (RFC 5530) in the text.
fn is_passing(information: &str) -> bool {
    let passing = ["[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]"];
    passing
        .iter()
        .any(|code| information.get(..code.len()).is_some_and(|start| start.eq_ignore_ascii_case(code)))
}

fn server_error(server: &Server, doing: &'static str, reason: String) -> PostError {
    PostError::Server { server: server.to_string(), doing, reason }
}

/// The error in words. The library's own words for input errors are never used, because they could quote a password.
fn describe(error: &imap::Error, timeout: Duration) -> String {
    match error {
        imap::Error::Io(error) => describe_io(error, timeout),
        imap::Error::No(no) => format!("the server refuses: {}", no.information),
        imap::Error::Bad(bad) => format!("the server does not understand: {}", bad.information),
        imap::Error::Bye(_) => "the server closed the session or said what cannot be understood".to_owned(),
        imap::Error::ConnectionLost => "the connection was lost".to_owned(),
        imap::Error::Parse(_) | imap::Error::Unexpected(_) | imap::Error::TagMismatch(_) => {
            "the server's answer cannot be understood".to_owned()
        }
        _ => "the exchange failed".to_owned(),
    }
}

fn describe_io(error: &io::Error, timeout: Duration) -> String {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => silence(timeout),
        _ => error.to_string(),
    }
}

/// An error text for a server that was silent for this long.
pub(super) fn silence(timeout: Duration) -> String {
    format!("no complete answer; the longest silence allowed is {} s", timeout.as_secs_f32())
}

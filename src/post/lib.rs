//! Mail in and out: Maildirs, IMAP, SMTP and the spool between the mailbox and the store. All of it real I/O.
//!
//! Mail in: a [`Source`] hands every waiting message to a [`Keep`], which makes it durable, and only then tells the
//! mailbox. Mail out: a [`Relay`] hands one message to each recipient and says what became of it.
//! Nothing here reads a clock for meaning: a message's time is its mailbox's, and waits are given by the caller.

mod aside;
mod backoff;
mod cursor;
mod fsio;
mod guard;
mod imap;
mod link;
mod maildir;
mod pause;
pub mod probe;
mod secret;
mod server;
mod smtp;
mod smtp_link;
mod spool;
mod stop;
mod transit;
mod watch;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

pub use aside::Aside;
pub use backoff::Backoff;
pub use cursor::{Cursor, CursorFile, Position};
pub use imap::{Finish, ImapSource};
pub use maildir::{MaildirRelay, MaildirSource, Readers, create, readers};
pub use secret::{BadSecret, Secret};
pub use server::{LARGEST_AUTHORITIES, Security, Server, authorities};
pub use smtp::SmtpRelay;
pub use spool::{Pending, Spool, deliver, is_as_kept};
pub use stop::Stop;
pub use transit::{Load, Outcomes, Parcel, Transit, send_many};
pub use watch::{ImapWatch, Wake};

/// What is kept of a message over the size limit: its first bytes, enough for the header that says who sent it.
pub const HEAD_BYTES: usize = 64 * 1024;

/// A message as its source hands it over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// The message as it was received.
    pub raw: Raw,
    /// When it reached the mailbox, in seconds since 1970 UTC: IMAP's INTERNALDATE, a Maildir file's modification
    /// time, the clock of the pipe's caller. Never the sender's `Date:`.
    pub arrived: i64,
    /// The name of the source it came from, for the log.
    pub source: String,
}

/// The bytes of a message, or as much of them as is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Raw {
    /// All of it, exactly as received.
    Whole(Vec<u8>),
    /// It is over the size limit and was not loaded.
    Oversize {
        /// The first [`HEAD_BYTES`] of it.
        head: Vec<u8>,
        /// The size of the whole message in bytes, as its mailbox states it.
        size: u64,
    },
}

/// Takes messages to safety before their mailbox is told.
pub trait Keep {
    /// Makes all of these messages durable; keeping one again is harmless.
    ///
    /// # Errors
    /// Some of the batch may not be safe: the caller leaves all of it where it is and tries again later.
    fn keep(&mut self, batch: &[Arrived]) -> Result<(), KeepError>;

    /// Says when the program is to end: a source on a server then breaks off what it is at and begins nothing more.
    fn stop(&self) -> Stop {
        Stop::default()
    }
}

/// Messages could not be made durable. They stay in their mailbox.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// No space is left for the spool.
    #[error("the disk is full at {}: the mail stays in its mailbox until there is space", .0.display())]
    DiskFull(PathBuf),
    /// A message that was kept has changed since.
    #[error(
        "{} was altered after it was kept (its name says the hash of its bytes), or can't be read: it changes nothing; put back a copy \
         with mode 600 for the daemon's user, or ask its sender to send it again, and move the file away",
        .0.display()
    )]
    Altered(PathBuf),
    /// The program is about to end, or to begin anew.
    #[error("the program is stopping: the mail stays in its mailbox")]
    Stopping,
    /// The mail server's pipe brought nothing.
    #[error(
        "standard input is closed or empty, and a mail was to come from there: nothing was kept, the mail server must try again"
    )]
    Nothing,
    /// Any other failure of the file system.
    #[error("cannot keep mail in {}: {error}; it stays in its mailbox", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// What one pass over a mailbox did.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Drained {
    /// How many messages were kept.
    pub kept: usize,
    /// Messages that were left in the mailbox and why; they are tried again at the next pass.
    pub left: Vec<String>,
}

/// A mailbox that orders arrive in.
pub trait Source: Send {
    /// The name of this source in the log.
    fn name(&self) -> &str;

    /// Whether draining waits for a network, so that there is time for other work meanwhile.
    fn is_remote(&self) -> bool {
        false
    }

    /// Takes everything that waits now: each message is kept durably, then marked done in the mailbox.
    /// A message may be handed over again after a crash or a fault, never skipped.
    ///
    /// # Errors
    /// The mailbox could not be reached or read to its end; what was kept before is marked where possible.
    fn drain(&mut self, keep: &mut dyn Keep) -> Result<Drained, PostError>;
}

/// What became of one message to one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The relay has taken it over; its reply.
    Accepted(String),
    /// Not now: try again later; why.
    Deferred(String),
    /// Not now: no connection can be had, so nothing else will get out either; why.
    Unreached(String),
    /// Not now: over this message a login is asked for, or another one, which is the operator's matter; why.
    Login(String),
    /// The relay was given all of it and did not say, or not so that it can be understood, whether it takes it: it may be under
    /// way; why.
    Unclear(String),
    /// Never, says the relay; why.
    Refused(String),
}

impl Outcome {
    /// The same with other words.
    #[must_use]
    pub fn map(self, words: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Accepted(said) => Self::Accepted(words(said)),
            Self::Deferred(why) => Self::Deferred(words(why)),
            Self::Unreached(why) => Self::Unreached(words(why)),
            Self::Login(why) => Self::Login(words(why)),
            Self::Unclear(why) => Self::Unclear(words(why)),
            Self::Refused(why) => Self::Refused(words(why)),
        }
    }
}

/// The way out for mail.
pub trait Relay: Send + Sync {
    /// Whether sending waits for a network, so that there is time for other work meanwhile.
    fn is_remote(&self) -> bool {
        false
    }

    /// Whether a server is known to take letters, so that several may be sent at once. If not, one goes ahead.
    fn is_open(&self) -> bool {
        true
    }

    /// The program is to stop: what isn't answered after this time is given up, and [`Outcome::Unclear`] where it may have been
    /// taken. Said again it changes nothing.
    fn stop_within(&self, _patience: Duration) {}

    /// Sends one message to each of these recipients by itself, so that each has an outcome of its own.
    /// An empty `envelope_from` is the null sender; lines of `raw` end with CR LF. Sending the same message again is harmless: it has the same Message-ID.
    fn send(&self, envelope_from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)>;
}

/// A fault between us and a mailbox or a mail server.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The configuration cannot work; trying again will not help.
    #[error("{server}: {reason}")]
    Config {
        /// Which server or mailbox.
        server: String,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The server could not be reached.
    #[error("{server}: cannot connect: {error}")]
    Connect {
        /// Host and port.
        server: String,
        /// What the system said.
        error: io::Error,
    },
    /// No trusted, encrypted connection could be made.
    #[error("{server}: no secure connection: {reason}")]
    Tls {
        /// Host and port.
        server: String,
        /// What failed and what to do.
        reason: String,
    },
    /// The server refused the user or the password.
    #[error("{server}: login as `{user}` refused: {reason}; check the user name and the password file")]
    Login {
        /// Host and port.
        server: String,
        /// The user name.
        user: String,
        /// The server's words.
        reason: String,
    },
    /// The server failed or talked nonsense in the middle of something.
    #[error("{server}: {doing}: {reason}")]
    Server {
        /// Host and port.
        server: String,
        /// What was being done.
        doing: &'static str,
        /// What went wrong.
        reason: String,
    },
    /// A local file of the mailbox or the cursor failed.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The messages could not be kept.
    #[error(transparent)]
    Keep(#[from] KeepError),
}

impl PostError {
    /// Whether waiting may help; if not, somebody must change the configuration.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Config { .. } | Self::Tls { .. } | Self::Login { .. } => false,
            Self::Connect { .. } | Self::Server { .. } | Self::File { .. } | Self::Keep(_) => true,
        }
    }
}

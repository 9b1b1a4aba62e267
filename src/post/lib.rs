//! Mail in and out: Maildirs, IMAP, SMTP and the spool between the mailbox and the store. All of it real I/O.
//!
//! Incoming mail: a [`Source`] hands every waiting message to a [`Keep`], which makes it durable; only then the mailbox is told. Outgoing mail: a
//! [`Relay`] sends one message to each recipient and reports the result. No decision here depends on a clock: the time of a message is that of its
//! mailbox, and the caller gives the waits.

mod aside;
mod backoff;
mod cursor;
mod fsio;
mod guard;
mod imap;
mod link;
mod maildir;
mod password;
mod pause;
pub mod probe;
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
pub use password::{BadPassword, Password};
pub use server::{LARGEST_AUTHORITIES, Security, Server, authorities};
pub use smtp::SmtpRelay;
pub use spool::{Pending, Spool, deliver, is_as_kept};
pub use stop::Stop;
pub use transit::{Load, Outcomes, Parcel, Transit, send_many};
pub use watch::{ImapWatch, Wake};

/// The length of the beginning that is kept of a message over the size limit, in bytes: enough for the headers that name the sender.
pub const HEAD_BYTES: usize = 64 * 1024;

/// A message as its source hands it over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// The message as it was received.
    pub raw: Raw,
    /// When it reached the mailbox, in seconds since 1970 UTC: IMAP's INTERNALDATE, a Maildir file's modification time, or the clock of the pipe's
    /// caller. Never the sender's `Date:`.
    pub arrived: i64,
    /// The name of the source it came from, for the log.
    pub source: String,
}

/// The bytes of a message, or of its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Raw {
    /// The whole message, exactly as received.
    Whole(Vec<u8>),
    /// It is over the size limit and was not loaded.
    Oversize {
        /// The first [`HEAD_BYTES`] of it.
        head: Vec<u8>,
        /// The size of the whole message in bytes, as its mailbox states it.
        size: u64,
    },
}

/// Makes messages durable before their mailbox is told.
pub trait Keep {
    /// Makes all of these messages durable; keeping one again is harmless.
    ///
    /// # Errors
    /// Some of the batch may not be safe: the caller leaves the whole batch in the mailbox and tries again later.
    fn keep(&mut self, batch: &[Arrived]) -> Result<(), KeepError>;

    /// The signal that the program is to end. A source on a server then stops its current work and begins nothing more.
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
    /// A kept message has changed since, or can't be read.
    #[error(
        "{} was altered after it was kept (its name says the hash of its bytes), or can't be read: it changes nothing; put back a copy \
         with mode 600 for the daemon's user, or ask its sender to send it again, and move the file away",
        .0.display()
    )]
    Altered(PathBuf),
    /// The program is about to end or to restart.
    #[error("the program is stopping: the mail stays in its mailbox")]
    Stopping,
    /// The mail server's pipe delivered nothing.
    #[error(
        "standard input is closed or empty, and a mail was to come from there: nothing was kept, the mail server must try again"
    )]
    Nothing,
    /// Any other failure of the file system.
    #[error("cannot keep mail in {}: {error}; it stays in its mailbox", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

/// The result of one pass over a mailbox.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Drained {
    /// How many messages were kept.
    pub kept: usize,
    /// The messages that were left in the mailbox, with reasons; they are tried again at the next pass.
    pub left: Vec<String>,
}

/// A mailbox that receives orders.
pub trait Source: Send {
    /// The name of this source in the log.
    fn name(&self) -> &str;

    /// Whether draining waits for a network, so that other work can be done meanwhile.
    fn is_remote(&self) -> bool {
        false
    }

    /// Takes all messages that are waiting: each is kept durably, then marked as done in the mailbox. A message may be handed over again after a
    /// crash or an error; it is never skipped.
    ///
    /// # Errors
    /// The mailbox could not be reached or read to its end. Messages that were kept before are marked if possible.
    fn drain(&mut self, keep: &mut dyn Keep) -> Result<Drained, PostError>;
}

/// The result of sending one message to one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The relay has accepted it, with this reply.
    Accepted(String),
    /// The message must be tried again later, for this reason.
    Deferred(String),
    /// No connection can be made, so no other message can be sent either; with the reason.
    Unreached(String),
    /// For this message the relay asks for a login, or another one. The operator has to fix that; with the reason.
    Login(String),
    /// The relay was given the whole message and gave no answer, or none that can be understood: the message may be on its way. With the reason.
    Unclear(String),
    /// The relay has refused it for good, for this reason.
    Refused(String),
}

impl Outcome {
    /// The same outcome with other words.
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

/// A way to send mail.
pub trait Relay: Send + Sync {
    /// Whether sending waits for a network, so that other work can be done meanwhile.
    fn is_remote(&self) -> bool {
        false
    }

    /// Whether a server is known to accept messages, so that several may be sent at once. If not, one is sent first.
    fn is_open(&self) -> bool {
        true
    }

    /// Announces that the program is to stop: a message without an answer after this time is given up, with [`Outcome::Unclear`] if it may have been
    /// accepted. A second call changes nothing.
    fn stop_within(&self, _patience: Duration) {}

    /// Sends one message to each of these recipients separately, so that each has its own outcome. An empty `envelope_from` is the null sender; lines
    /// of `raw` end with CR LF. Sending the same message again is harmless: it has the same Message-ID.
    fn send(&self, envelope_from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)>;
}

/// An error between this program and a mailbox or a mail server.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The configuration cannot work; trying again will not help.
    #[error("{server}: {reason}")]
    Config {
        /// The server or mailbox.
        server: String,
        /// The fault and its remedy.
        reason: String,
    },
    /// The server could not be reached.
    #[error("{server}: cannot connect: {error}")]
    Connect {
        /// Host and port.
        server: String,
        /// The system's error.
        error: io::Error,
    },
    /// No trusted, encrypted connection could be made.
    #[error("{server}: no secure connection: {reason}")]
    Tls {
        /// Host and port.
        server: String,
        /// The failed step and its remedy.
        reason: String,
    },
    /// The server refused the user name or the password.
    #[error("{server}: login as `{user}` refused: {reason}; check the user name and the password file")]
    Login {
        /// Host and port.
        server: String,
        /// The user name.
        user: String,
        /// The server's words.
        reason: String,
    },
    /// The server failed or sent nonsense during an exchange.
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
        /// The system's error.
        error: io::Error,
    },
    /// The messages could not be kept.
    #[error(transparent)]
    Keep(#[from] KeepError),
}

impl PostError {
    /// Whether waiting may help; if not, a person must change the configuration.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Config { .. } | Self::Tls { .. } | Self::Login { .. } => false,
            Self::Connect { .. } | Self::Server { .. } | Self::File { .. } | Self::Keep(_) => true,
        }
    }
}

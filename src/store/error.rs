//! Errors of the store, and what to do about them.

use std::io;
use std::path::{Path, PathBuf};

/// Why the store could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process holds the store.
    #[error(
        "another musterd is running on the store in `{}`: stop it first, or let it do the work (commands talk to it through its socket)",
        dir.display()
    )]
    Busy {
        /// The data directory.
        dir: PathBuf,
    },
    /// The disk refused.
    #[error("{}", disk_sentence(path, doing, source))]
    Disk {
        /// The file or directory at fault.
        path: PathBuf,
        /// What was being done: `write to`, `open`.
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The embedded database can't read what it wrote, or panicked. The next opening sets it aside and rebuilds it.
    #[error("the store in `{}` is damaged ({why}): nothing is lost, start musterd again and it is rebuilt from the mirror journals", dir.display())]
    Damaged {
        /// The data directory.
        dir: PathBuf,
        /// What the database reported.
        why: String,
    },
    /// A mirror journal is damaged, and the store can't repair it.
    #[error(
        "`{}` line {line}: {why}; put back a copy of this file from a backup, or cut the file before this line \
         (what stands after it is lost then), and start again",
        file.display()
    )]
    Mirror {
        /// The mirror journal.
        file: PathBuf,
        /// Its damaged line, from 1.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
    /// Store and mirror are both whole but differ: one of them comes from elsewhere.
    #[error(
        "`{}` line {line} is not what the store holds: one of them was put back from another backup; keep the one that \
         you trust and move the other (`store/` or this file) away, it is rebuilt at the next start",
        file.display()
    )]
    Diverged {
        /// The mirror journal.
        file: PathBuf,
        /// The first line known to differ, from 1.
        line: u64,
    },
    /// A mirror journal under the name of one game that belongs to another.
    #[error(
        "`{}` is no journal of a game `{name}` but {}: move it out of that directory, put back the journal of `{name}` from a backup \
         if there was such a game, and start again",
        file.display(),
        whose.as_ref().map_or("that of another".to_owned(), |whose| format!("a copy of that of `{whose}`"))
    )]
    Foreign {
        /// The mirror journal.
        file: PathBuf,
        /// The game that the file is named after.
        name: String,
        /// The game that the journal belongs to, if it is a game of this host.
        whose: Option<String>,
    },
    /// One mirror journal can't be opened, read or written; a file beside it can.
    #[error("{}", journal_sentence(file, doing, source))]
    Journal {
        /// The mirror journal.
        file: PathBuf,
        /// What was being done: `write to`, `open`.
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The journal of a game, or of the host, can't be used; the reason was reported when it was found. All others can be used.
    #[error("{} is set aside, the others go on: {why}", whose(game))]
    SetAside {
        /// The game.
        game: String,
        /// What is wrong with its journal, and what to do.
        why: String,
    },
    /// A line of a journal is whole, but holds an entry that this program doesn't know.
    #[error(
        "line {line} of its mirror journal holds an entry that this program doesn't know ({why}): run the version of musterd that wrote it, or \
         put back an earlier copy of the journal and move `store/` away, and start musterd again"
    )]
    Unknown {
        /// The line, from 1.
        line: u64,
        /// The unknown part.
        why: String,
    },
    /// A newer program wrote the data directory.
    #[error(
        "`{}` says that a newer musterd wrote this data directory (format {found}, this program knows up to {known}): run that \
         version again, or restore a backup made before the upgrade",
        file.display()
    )]
    Newer {
        /// The file that says so.
        file: PathBuf,
        /// The format found.
        found: u32,
        /// The newest format known.
        known: u32,
    },
    /// The number of the data directory's format can't be read.
    #[error(
        "`{}` is damaged: it holds the number of the data directory's format and nothing else; write `{}` there if this \
         version of musterd ran on it last, or put the file back from a backup",
        file.display(),
        known
    )]
    Format {
        /// The file.
        file: PathBuf,
        /// The format that this program writes.
        known: u32,
    },
    /// The step was made for another state of the game than the store holds. Nothing was written.
    #[error(
        "game `{game}` has {held} entries in the store, the step was made for {expected}: load the game again"
    )]
    Stale {
        /// The game.
        game: String,
        /// The number of entries in the store.
        held: u64,
        /// The number of entries that the writer knew of.
        expected: u64,
    },
    /// The step can't be stored as it is: a fault of the program. Nothing was written.
    #[error("a step can't be stored: {0}")]
    Unfit(Unfit),
    /// A commit is in the database and is valid. The mirror journals lack it until the store is opened again.
    #[error("{fault}; what was in hand is stored all the same: {LOOK}")]
    Unmirrored {
        /// Why the journals could not be written.
        fault: Box<StoreError>,
    },
    /// It is unknown whether a commit is in the database. That shows when the store is opened again.
    #[error("{fault}; what was in hand may be stored all the same: {LOOK}")]
    Unclear {
        /// Why the commit could not be written or made durable.
        fault: Box<StoreError>,
    },
    /// An earlier commit failed half-way. Opening the store again finds out what was written.
    #[error("the store took a fault earlier and must be opened again before it is written to")]
    Poisoned,
}

/// The faults of a step that can't be stored.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// A step without a game has entries; only a game has a journal of entries.
    #[error("it has entries and no game")]
    Homeless,
    /// Something in the step can't be written as JSON.
    #[error("it has no form in JSON ({0})")]
    Unwritable(serde_json::Error),
    /// A stored packet can't be read.
    #[error("a packet of `{name}` can't be read ({error})")]
    Unreadable {
        /// The journal.
        name: String,
        /// The reader's error.
        error: serde_json::Error,
    },
    /// A packet that can't become a mail.
    #[error("packet `{}`: {wrong}", id.escape_default())]
    Packet {
        /// Its id.
        id: String,
        /// The rule that it breaks.
        wrong: String,
    },
    /// A packet has this id already.
    #[error("there is a packet `{0}` already")]
    Taken(String),
    /// A packet of another game.
    #[error("packet `{packet}` is not `{name}`'s")]
    Foreign {
        /// The packet.
        packet: String,
        /// The game of the step.
        name: String,
    },
    /// An attempt for a packet that isn't stored.
    #[error("no packet `{packet}` goes to `{recipient}`")]
    Unknown {
        /// The packet.
        packet: String,
        /// Its recipient.
        recipient: String,
    },
    /// An attempt for a packet that is settled already.
    #[error("packet `{packet}` to `{recipient}` is settled already")]
    Settled {
        /// The packet.
        packet: String,
        /// Its recipient.
        recipient: String,
    },
}

impl From<Unfit> for StoreError {
    fn from(unfit: Unfit) -> Self {
        Self::Unfit(unfit)
    }
}

impl StoreError {
    /// Whether only one journal can't be used, and all others can.
    pub(super) const fn is_of_one_journal(&self) -> bool {
        matches!(
            self,
            Self::Journal { .. } | Self::Mirror { .. } | Self::Foreign { .. } | Self::Diverged { .. }
        )
    }

    /// Whether the same operation may succeed later by itself: the disk may have room again, or the other process may have ended. After a failed
    /// commit the store must be opened again first.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Busy { .. }
            | Self::Disk { .. }
            | Self::Journal { .. }
            | Self::Damaged { .. }
            | Self::Poisoned => true,
            Self::Unmirrored { fault } | Self::Unclear { fault } => fault.may_pass(),
            _ => false,
        }
    }
}

/// The advice to a user whose command may be stored.
const LOOK: &str = "see with `musterd status` and `musterd journal GAME` before you repeat a command";

fn disk_sentence(path: &Path, doing: &str, source: &io::Error) -> String {
    let path = path.display();
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => format!(
            "the disk is full (can't {doing} `{path}`): nothing was lost, mails stay where they are; make room and musterd goes on"
        ),
        io::ErrorKind::PermissionDenied => {
            format!("can't {doing} `{path}`: {source}; it must belong to the user that musterd runs as")
        }
        io::ErrorKind::ReadOnlyFilesystem => format!(
            "can't {doing} `{path}`: it is on a read-only disk, and musterd writes there even to answer a question (opening \
             the store locks and mends it); mount the disk writable, or copy the data directory to one that is and name the \
             copy with --dir"
        ),
        _ => format!("can't {doing} `{path}`: {source}; nothing was acknowledged, mails stay where they are"),
    }
}

fn journal_sentence(file: &Path, doing: &str, source: &io::Error) -> String {
    let what_to_do = match source.kind() {
        io::ErrorKind::PermissionDenied => {
            "give it to the user that musterd runs as, who must be free to write it"
        }
        io::ErrorKind::ReadOnlyFilesystem => "have it writable",
        _ => {
            "mend the disk that it is on, or move away what stands in its place; where it is lost, put it back from a backup"
        }
    };
    format!(
        "can't {doing} `{}`: {source}; {what_to_do}, and start musterd again, which adds what it lacks",
        file.display()
    )
}

fn whose(name: &str) -> String {
    match name {
        super::HOST => "the journal of what is no game's".to_owned(),
        game => format!("game `{game}`"),
    }
}

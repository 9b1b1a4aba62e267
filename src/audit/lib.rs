//! The audit from outside: what anybody can tell of a game from audit files and from the mails that people kept.
//!
//! Nothing here trusts a host, a mail or a file. A [`Reader`] takes files and folders, whatever they are, and gathers what they
//! say; [`inquire`] examines every audit file, holds mails against each other and against its log, plays the game again
//! ([`replay`]) and tells what became of one player's mails ([`Story`]); [`sections`] puts it in words.

mod book;
mod case;
mod claims;
mod compare;
mod contradiction;
mod copies;
mod difference;
mod evidence;
mod fate;
mod form;
mod idle;
mod in_time;
mod inquiry;
mod inventory;
mod mail;
mod mails;
mod mbox;
mod mine;
mod own;
mod place;
mod proven;
mod reading;
mod replay;
mod retold;
mod returned;
mod said;
mod signatures;
mod sources;
mod teller;
mod telling;
mod tellings;
mod told;
mod turns;
mod unexplained;
mod unproved;
mod wording;
mod words;

pub use case::{Case, ExaminedFile};
pub use compare::{Compared, Newer};
pub use contradiction::Contradiction;
pub use copies::SameFile;
pub use difference::{Difference, Divergence, Unable};
pub use evidence::{AuditText, Evidence};
pub use fate::{Counted, Fate};
pub use form::Form;
pub use idle::Idle;
pub use in_time::InTime;
pub use inquiry::{Inquiry, Questions, Stage, Verdict, inquire, statistics_of};
pub use mine::{SentMail, Story, StoryTurn};
pub use place::{FileRef, MailRef};
pub use proven::Proven;
pub use replay::{Replayed, replay};
pub use retold::Retold;
pub use signatures::Signatures;
pub use sources::{ReadPath, ReadPathKind, Reader, Unreadable};
pub use tellings::ToldMails;
pub use turns::turn_by_turn;
pub use unexplained::Unexplained;
pub use words::sections;

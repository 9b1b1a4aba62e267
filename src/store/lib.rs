//! The store: journals, marks of handled mails, outbox and ledger, in one embedded database with a mirror journal for each game.
//!
//! A [`Step`] is everything that one decision changes. [`Ledger::commit`] makes steps durable: one batch in the database, synced; then one line for
//! each step in the mirror journals, synced. So whatever a mail says afterwards is in two files that can each be made from the other, and
//! [`Store::open`] does so if one is behind. If neither can be repaired, it sets that one game aside ([`Records::set_aside`]). It does the same if
//! one journal can't be written in a commit and others can: the commit is valid in the database, no mail that depends on it is sent, and the next
//! opening adds to the journal what it lacks.
//!
//! **Architecture invariant:** the contents of the database are made from the lines of the mirror journals alone, by the same code when a step is
//! committed and when a database is rebuilt.

mod account;
mod database;
mod error;
mod format;
mod glance;
mod keys;
mod layout;
mod ledger;
mod line;
mod memory;
mod mirror;
mod recovery;
mod staging;
mod step;
mod store;

pub use error::{StoreError, Unfit};
pub use format::FORMAT;
pub use glance::{charter, games};
pub use ledger::{Ledger, Records};
pub use memory::Memory;
pub use mirror::verify;
pub use recovery::Recovery;
pub use step::{Attempt, HOST, LedgerLine, Outbox, Outgoing, Packet, Step, Tried};
pub use store::Store;

//! The daemon: the one loop around the pure core. It asks the clock, keeps the mail, commits what the desk decides,
//! and sends what the store says is due.

mod admin;
mod answers;
pub mod archive;
pub mod authentication;
mod beacon;
mod bookkeeper;
mod bounce;
mod card;
pub mod clock;
pub mod config;
pub mod control;
mod custody;
mod decided;
pub mod disk;
mod dispatch;
mod docket;
mod drain;
pub mod escrow;
mod fault;
mod frame;
mod gm;
mod held;
mod host;
mod incoming;
mod intake;
mod invitation;
mod ledger;
pub mod limits;
mod logbook;
mod mailroom;
pub mod metrics;
mod notices;
mod notify;
mod observers;
mod opened;
mod outgoing;
mod parts;
mod press;
mod quiet;
mod refusals;
mod requests;
mod reroll;
mod rounds;
mod seats;
pub mod serve;
mod signing;
mod snapshot;
mod strangers;
mod tally;
mod vault;
mod vitals;
mod witnesses;
mod wording;

pub use admin::{DiceStatus, GameStatus, NewGame, Reply, Request, SeatStatus};
pub use beacon::BeaconSource;
pub use dispatch::{Enclosure, Shape};
pub use fault::HostError;
pub use gm::{End, GmAnswer};
pub use host::{Host, Options};
pub use parts::own_part;
pub use rounds::Trust;
pub use snapshot::{GameMark, MirrorMark, Snapshot};
pub use tally::{Counters, Tally};
pub use vault::Entropy;
pub use vitals::{Ailment, Games, Mailbox, Vitals};

/// So many of something, in words: `1 mail`, `2 mails`.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

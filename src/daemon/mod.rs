//! The daemon: the one loop around the pure core. It asks the clock, keeps the mail, commits what the desk decides,
//! and sends what the store says is due.

mod admin;
mod answers;
pub mod archive;
mod bounce;
mod card;
pub mod clock;
pub mod config;
pub mod control;
pub mod disk;
mod dispatch;
mod docket;
mod fault;
mod frame;
mod gm;
mod host;
mod incoming;
mod intake;
mod invitation;
mod ledger;
mod mailroom;
pub mod metrics;
mod notices;
mod notify;
mod observers;
mod outgoing;
mod press;
mod quiet;
mod requests;
mod rounds;
mod seats;
pub mod serve;
mod snapshot;
mod tally;
mod vault;
mod vitals;

pub use admin::{GameStatus, NewGame, Reply, Request, SeatStatus};
pub use dispatch::{Enclosure, Shape};
pub use fault::HostError;
pub use gm::{End, GmAnswer};
pub use host::{Host, Options};
pub use rounds::Trust;
pub use snapshot::{GameMark, MirrorMark, Snapshot};
pub use tally::{Counters, Tally};
pub use vault::Entropy;
pub use vitals::{Ailment, Games, Mailbox, Vitals};

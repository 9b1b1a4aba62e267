//! The daemon: the one loop around the pure core. It asks the clock, keeps the mail, commits what the desk decides,
//! and sends what the store says is due.

mod admin;
mod answers;
pub mod authentication;
mod bounce;
pub mod clock;
pub mod config;
pub mod control;
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
pub mod limits;
mod mailroom;
mod notices;
mod notify;
mod observers;
mod outgoing;
mod press;
mod refusals;
mod requests;
mod rounds;
mod seats;
pub mod serve;
mod vault;

pub use admin::{GameStatus, NewGame, Reply, Request, SeatStatus};
pub use dispatch::{Enclosure, Shape};
pub use fault::HostError;
pub use gm::{End, GmAnswer};
pub use host::{Host, Options};
pub use rounds::Trust;
pub use vault::Entropy;

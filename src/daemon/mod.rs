//! The daemon: the one loop around the pure core. It asks the clock, keeps the mail, commits what the desk decides,
//! and sends what the store says is due.

mod admin;
mod answers;
mod bounce;
pub mod clock;
pub mod config;
pub mod control;
mod fault;
mod host;
mod incoming;
mod intake;
mod invitation;
mod ledger;
mod mailroom;
mod notices;
mod observers;
mod press;
mod requests;
mod rounds;
pub mod serve;
mod vault;

pub use admin::{GameStatus, NewGame, Reply, Request, SeatStatus};
pub use fault::HostError;
pub use host::{Host, Options};
pub use rounds::Trust;
pub use vault::Entropy;

//! The daemon: the one loop around the pure core. It asks the clock, keeps the mail, commits what the desk decides,
//! and sends what the store says is due.

mod addresses;
pub mod archive;
mod books;
pub mod check;
pub mod clock;
pub mod config;
pub mod control;
mod decisions;
mod fault;
mod games;
mod health;
mod host;
mod inbox;
mod mails;
mod notify;
mod outbound;
mod packet_id;
mod quiet;
mod response;
mod secrets;
mod signals;
mod surroundings;
mod transit;

pub use books::tally::{Counters, SharedCounters};
pub use config::beacon_source::BeaconSource;
pub use config::enclosure::Enclosure;
pub use config::parts::own_part;
pub use config::spare::{spare_others, spare_own};
pub use config::{authentication, disk, limits};
pub use decisions::admin::{DiceStatus, GameStatus, NewGame, Reply, Request, SeatStatus, StatusFilter};
pub use decisions::gm::GmAnswer;
pub use decisions::signing::make_key;
pub use decisions::snapshot::{GameMark, MirrorMark, Snapshot};
pub use decisions::time::rounds::Trust;
pub use fault::{FaultKind, HostError};
pub use health::metrics;
pub use health::vitals::{Ailment, GameCounts, MailboxHealth, Vitals};
pub use host::{Host, Options, serve};
pub use mails::enclosures::Shape;
pub use outbound::RelayHealth;
pub use response::Effect;
pub use secrets::escrow;
pub use secrets::vault::Entropy;
pub use signals::stop_flag;
pub use transit::Delivery;

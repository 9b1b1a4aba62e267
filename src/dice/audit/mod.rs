//! The audit file (dice.md, "The audit file"): a whole game's log, and of every revealed adjudication what proves its dice.
//!
//! [`AuditFile`] is what a host writes; [`examine`] is what a stranger does with it. What a file says is never believed:
//! whatever is wrong in it, by slip or by forgery, is a [`Finding`], and the rest is examined all the same.

mod beacons;
mod bounds;
mod examine;
mod examined;
mod file;
mod finding;
mod findings;
mod log;
mod logged;
mod proof;
mod replay;
mod shape;
mod turn;

pub use examine::examine;
pub use examined::{BeaconProof, Examination, Examined, PublicValue};
pub use file::{Again, AuditFile, LogLine, MOST_LINKS, Thrown, Turn};
pub use finding::{Fault, Finding, Place};
pub use proof::{Node, Proofs, Proved, examine_proofs};
pub use replay::{Courier, EditStep, Replay, Step};
pub use shape::{NotAnAuditFile, PROTOCOL, each};

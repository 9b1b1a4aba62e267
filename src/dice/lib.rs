//! The dice protocol `pbemdice/1`: dice that players can check without trusting anybody. Pure: no clock, no file, no ambient randomness.
//!
//! The order of events in one adjudication `t`: the log opens it, house seats are sealed ([`leaf`]), mails come in,
//! the log closes it with the [`orders_root`] over every seat, [`seed`] binds the dice to that root and to the secret
//! fixed in advance, [`Streams`] throws them by label, and [`rolls_root`] and [`result_commit`] go into the log.
//!
//! [`odds`] is not part of the protocol: it counts the possible results of dice, and throws none.

pub mod audit;
mod beacon;
mod chain;
mod commit;
mod drand;
mod edit;
mod entry;
mod hash;
mod ids;
mod label;
mod level;
pub mod merkle;
mod natural;
mod note;
pub mod odds;
mod orders;
mod reroll;
mod secret;
mod signature;
pub mod statistics;
mod streams;
#[cfg(test)]
mod test_game;
pub mod told;
mod witness;
mod words;

pub use beacon::{BadBeacon, BadBeaconPolicy, Beacon, BeaconPolicy, BeaconValue, NotPublished};
pub use chain::Chain;
pub use commit::{amend_commit, press_commit, result_commit, roll_blind, roll_leaf, roll_leaves, rolls_root};
pub use drand::ValueProof;
pub use edit::{LineChange, LineEdit};
pub use entry::{BadEntry, LogEntry, LogKind, LoggedVerdict};
pub use hash::{BadDigest, Digest, hash, keyed};
pub use ids::{BadId, GameId, Seat};
pub use label::{BadLabel, Label, Roll, Roller};
pub use level::{Assurance, Level};
pub use note::{Holder, Note};
pub use orders::{Block, NotCanonical, ProtocolLine, blind, leaf, root as orders_root};
pub use reroll::Rerolled;
pub use secret::{BadSecretFile, Secret, SecretChain, previous};
pub use signature::{BadHostKey, BadSignature, HostKey, NAMESPACE, Signer};
pub use streams::{DiceFault, Seed, Stream, Streams, seed};
pub use witness::{BadWitness, ChainLines, OpenHead, Witness};
pub use words::{BadWord, Text, Word};

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
mod readme {}

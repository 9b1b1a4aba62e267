//! What every owner has at hand, and none changes.

use std::path::PathBuf;
use std::sync::Arc;

use super::bookkeeper::Books;
use super::clock::Clock;
use super::config::Config;
use super::tally::Tally;
use super::transit::Transit;
use musterd_desk::Desk;

/// What stays as it is while a data directory is open. The owners share it.
pub struct Surroundings {
    /// The data directory.
    pub(super) dir: PathBuf,
    pub(super) config: Config,
    pub(super) clock: Clock,
    /// The rulesets.
    pub(super) desk: Desk,
    /// What the ledger holds.
    pub(super) books: Books,
    /// What is counted.
    pub(super) tally: Tally,
    /// The packets that the relay has.
    pub(super) transit: Arc<Transit>,
}

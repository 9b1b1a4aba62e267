//! What every owner has at hand, and none changes.

use std::path::PathBuf;
use std::sync::Arc;

use crate::books::bookkeeper::Books;
use crate::books::tally::Tally;
use crate::clock::Clock;
use crate::config::Config;
use crate::transit::Transit;
use musterd_desk::Desk;

/// What stays as it is while a data directory is open. The owners share it.
pub struct Surroundings {
    /// The data directory.
    pub(crate) dir: PathBuf,
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    /// The rulesets.
    pub(crate) desk: Desk,
    /// What the ledger holds.
    pub(crate) books: Books,
    /// What is counted.
    pub(crate) tally: Tally,
    /// The packets that the relay has.
    pub(crate) transit: Arc<Transit>,
}

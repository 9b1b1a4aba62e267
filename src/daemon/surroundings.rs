//! What every owner has at hand.

use std::path::PathBuf;
use std::sync::Arc;

use crate::books::bookkeeper::Books;
use crate::books::tally::SharedCounters;
use crate::clock::Clock;
use crate::config::Config;
use crate::transit::Transit;
use musterd_desk::Desk;

/// What the owners share: configuration, clock and rulesets, which stay as they are while a data directory is open; the ledger to read; the counters;
/// and the mails that were handed over to the relay.
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
    pub(crate) tally: SharedCounters,
    /// The mails that were handed over to the relay.
    pub(crate) transit: Arc<Transit>,
}

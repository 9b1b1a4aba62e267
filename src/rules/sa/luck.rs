//! Good and bad luck.

use musterd_dice::statistics::Trial;

use crate::data::Sa;
use crate::event::Event;

/// The rolls of an adjudication that were good or bad luck for a side.
pub(crate) fn trials(_rules: &Sa, _events: &[Event]) -> Vec<Trial> {
    Vec::new()
}

//! The rolls that were good or bad luck for a side.

use musterd_dice::statistics::Trial;

use crate::data::Acw;
use crate::event::Event;

pub(crate) fn trials(_: &Acw, _: &[Event]) -> Vec<Trial> {
    Vec::new()
}

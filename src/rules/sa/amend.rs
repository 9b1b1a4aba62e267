//! What a GM may change.

use musterd_engine::orders::{OrderUse, Remark};

use crate::data::Sa;
use crate::event::Event;
use crate::state::State;

/// What a GM may change, each with an example.
pub(crate) fn uses(_rules: &Sa) -> Vec<OrderUse> {
    Vec::new()
}

/// The events of an amendment.
pub(crate) fn amend(_rules: &Sa, _state: &State, _text: &str) -> Result<Vec<Event>, Remark> {
    Err(Remark::error(1, "Nothing can be changed."))
}

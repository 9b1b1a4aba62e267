//! A GM's amendments.

use musterd_engine::orders::{OrderUse, Remark};

use crate::data::Acw;
use crate::event::Event;
use crate::state::State;

pub(crate) fn uses(_: &Acw) -> Vec<OrderUse> {
    Vec::new()
}

pub(crate) fn amend(_: &Acw, _: &State, _: &str) -> Result<Vec<Event>, Remark> {
    todo!()
}

//! What leaves a position: the only file that makes views and sights.

use std::collections::BTreeSet;

use musterd_dice::Seat;
use serde::Serialize;

use crate::data::Acw;
use crate::event::Event;
use crate::state::State;
use crate::view::View;

/// What a commander learns of one event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sight;

pub(crate) fn view(_: &Acw, _: &State, _: &Seat) -> View {
    todo!()
}

pub(crate) fn witness(_: &Acw, _: &State, _: &Event, _: &Seat) -> Option<Sight> {
    todo!()
}

pub(crate) fn shows_roll(_: &Acw, _: (&str, &str, &str), _: &Seat) -> bool {
    todo!()
}

pub(crate) fn concealed(_: &Acw, _: &View) -> BTreeSet<String> {
    todo!()
}

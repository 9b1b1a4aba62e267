//! Says back what was ordered.

use musterd_engine::orders::{Reading, Recap};

use crate::data::Acw;
use crate::order::Order;
use crate::view::View;

pub(crate) fn read_back(_: &Acw, _: &View, _: &str) -> (Reading<Order>, Recap) {
    todo!()
}

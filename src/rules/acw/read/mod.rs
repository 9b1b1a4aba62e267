//! Reads orders.

use musterd_engine::orders::{Likeness, OrderUse, Reading};

use crate::data::Acw;
use crate::order::Order;
use crate::view::View;

pub(crate) fn read_orders(_: &Acw, _: &View, _: &str) -> Reading<Order> {
    todo!()
}

pub(crate) fn likeness(_: &Acw, _: &str) -> Likeness {
    todo!()
}

pub(crate) fn offered(_: &Acw, _: &View) -> Vec<OrderUse> {
    todo!()
}

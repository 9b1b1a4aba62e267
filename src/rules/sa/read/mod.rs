//! Reads orders.

use musterd_engine::orders::{Likeness, OrderUse, Reading};

use crate::data::Sa;
use crate::order::Order;
use crate::view::View;

/// Reads a set of orders.
pub(crate) fn read_orders(_rules: &Sa, _view: &View, _text: &str) -> Reading<Order> {
    Reading::default()
}

/// What a line of a mail looks like.
pub(crate) fn likeness(_rules: &Sa, _line: &str) -> Likeness {
    Likeness::Prose
}

/// The orders that a commander can give now.
pub(crate) fn offered(_rules: &Sa, _view: &View) -> Vec<OrderUse> {
    Vec::new()
}

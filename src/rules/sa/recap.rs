//! What a receipt says of a set of orders.

use musterd_engine::orders::{Reading, Recap};

use crate::data::Sa;
use crate::order::Order;
use crate::view::View;

/// Reads orders, and says what they come to.
pub(crate) fn read_back(rules: &Sa, view: &View, text: &str) -> (Reading<Order>, Recap) {
    (
        crate::read::read_orders(rules, view, text),
        Recap { orders: Vec::new(), defaults: Vec::new(), ahead: Vec::new() },
    )
}

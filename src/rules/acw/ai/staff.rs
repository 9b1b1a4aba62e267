//! Where the seasoned commander's headquarters goes, and how he leads.

use super::look::Look;
use crate::order::Order;

pub(super) fn orders(_look: &Look<'_>) -> Vec<Order> {
    Vec::new()
}

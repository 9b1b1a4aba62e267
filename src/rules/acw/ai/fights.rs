//! What the seasoned commander tells brigades near him himself.

use super::look::Look;
use super::plan::Plan;
use crate::order::Order;

pub(super) fn orders(_look: &Look<'_>, _plan: &Plan) -> Vec<Order> {
    Vec::new()
}

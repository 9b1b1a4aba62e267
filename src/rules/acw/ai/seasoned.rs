//! The seasoned commander: he plans for the whole field, sees to fights near him, and keeps where his orders reach.

use super::look::Look;
use super::{fights, plan, staff};
use crate::order::Order;

/// His orders.
pub(super) fn orders(look: &mut Look<'_>) -> Vec<Order> {
    let plan = plan::plan(look);
    let mut orders = plan.orders(look);
    let told: Vec<_> = orders
        .iter()
        .filter_map(|order| match order {
            Order::Brigade(id, _) => Some(*id),
            _ => None,
        })
        .collect();
    orders.extend(fights::orders(look, &plan).into_iter().filter(|order| match order {
        Order::Brigade(id, _) => !told.contains(id),
        _ => true,
    }));
    orders.extend(staff::orders(look));
    orders
}

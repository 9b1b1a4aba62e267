//! Lines that take the place of earlier ones: of several orders for the same unit the last counts, and the receipt says which.

use std::collections::BTreeMap;

use musterd_engine::orders::{Placed, Remark};

use super::why::names;
use crate::battle::Battle;
use crate::model::UnitId;
use crate::order::Order;

/// The orders without those that later ones replace, and the remarks on these.
pub(super) fn settled(battle: &Battle, orders: Vec<Placed<Order>>) -> (Vec<Placed<Order>>, Vec<Remark>) {
    let mut replaced: BTreeMap<(usize, usize), Vec<UnitId>> = BTreeMap::new();
    let mut stands = vec![true; orders.len()];
    for (place, placed) in orders.iter().enumerate() {
        let earlier = |other: &Placed<Order>| placed.order.replaces(&other.order);
        let Some(before) = orders[..place].iter().rposition(earlier) else { continue };
        stands[before] = false;
        if orders[before].order != placed.order {
            replaced.entry((placed.line, orders[before].line)).or_default().extend(placed.order.unit());
        }
    }
    let is_left =
        |line: usize| orders.iter().zip(&stands).any(|(placed, stands)| *stands && placed.line == line);
    let remark = |((line, before), units): (&(usize, usize), &Vec<UnitId>)| {
        let whom = if units.is_empty() { String::new() } else { format!(" for {}", names(battle, units)) };
        match is_left(*before) {
            true => Remark::note(*line, format!("This replaces line {before}{whom}.")),
            false => {
                Remark::warning(*line, format!("This replaces line {before}{whom}: nothing is left of it."))
            }
        }
    };
    let remarks = replaced.iter().map(remark).collect();
    let mut stands = stands.into_iter();
    let kept = orders.into_iter().filter(|_| stands.next() == Some(true)).collect();
    (kept, remarks)
}

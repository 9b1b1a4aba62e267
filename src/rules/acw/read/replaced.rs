//! Lines that take the place of earlier ones: of several orders for the same unit the last counts, and the receipt says which.

use std::collections::BTreeMap;

use musterd_engine::orders::{Placed, Remark};

use super::why::names;
use crate::battle::Battle;
use crate::model::{BrigadeId, HqId, UnitId};
use crate::order::{Order, When};

/// What an order decides: a later one of the same takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Goal,
    Profile,
    Command(HqId),
    Brigade(BrigadeId),
    If(BrigadeId, When),
    Stop,
    Resign,
}

const fn subject(order: &Order) -> Subject {
    match order {
        Order::Goal(_) => Subject::Goal,
        Order::Profile(_) => Subject::Profile,
        Order::Command(id, _) => Subject::Command(*id),
        Order::Brigade(id, _) => Subject::Brigade(*id),
        Order::If(id, when, _) => Subject::If(*id, *when),
        Order::StopOnContact(_) => Subject::Stop,
        Order::Resign => Subject::Resign,
    }
}

const fn unit(subject: Subject) -> Option<UnitId> {
    match subject {
        Subject::Command(id) => Some(UnitId::Hq(id)),
        Subject::Brigade(id) | Subject::If(id, _) => Some(UnitId::Brigade(id)),
        _ => None,
    }
}

/// The orders without those that later ones replace, and the remarks on these.
pub(super) fn settled(battle: &Battle, orders: Vec<Placed<Order>>) -> (Vec<Placed<Order>>, Vec<Remark>) {
    let mut last: BTreeMap<Subject, usize> = BTreeMap::new();
    let mut replaced: BTreeMap<(usize, usize), Vec<Subject>> = BTreeMap::new();
    let mut stands = vec![true; orders.len()];
    for (place, placed) in orders.iter().enumerate() {
        let subject = subject(&placed.order);
        let Some(before) = last.insert(subject, place) else { continue };
        stands[before] = false;
        if orders[before].order != placed.order {
            replaced.entry((placed.line, orders[before].line)).or_default().push(subject);
        }
    }
    let is_left =
        |line: usize| orders.iter().zip(&stands).any(|(placed, stands)| *stands && placed.line == line);
    let remark = |((line, before), subjects): (&(usize, usize), &Vec<Subject>)| {
        let units: Vec<UnitId> = subjects.iter().filter_map(|subject| unit(*subject)).collect();
        let whom = if units.is_empty() { String::new() } else { format!(" for {}", names(battle, &units)) };
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

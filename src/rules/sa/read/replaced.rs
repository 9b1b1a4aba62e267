//! Lines that undo what lines above them say. Each line is understood by itself, so the receipt has to tell which of them don't count.

use std::collections::BTreeMap;

use musterd_engine::orders::{Placed, Remark};

use crate::model::UnitId;
use crate::order::{Act, Order, Stance, Trigger};
use crate::words;

/// Remarks on the lines that undo earlier ones.
pub(super) fn remarks(orders: &[Placed<Order>]) -> Vec<Remark> {
    let mut said = Said::default();
    orders.iter().flat_map(|placed| said.take(placed)).collect()
}

/// A line, and the stance that it names.
type Posture<'o> = (&'o Placed<Order>, Option<Stance>);

/// What the lines so far say of units, each with its line.
#[derive(Default)]
struct Said<'o> {
    /// The stance of each, and what changes it: of several the last counts. The stance itself has no trigger.
    stances: BTreeMap<(UnitId, Option<Trigger>), Posture<'o>>,
    /// What they give each to do.
    queues: BTreeMap<UnitId, Vec<&'o Placed<Order>>>,
    /// The last time-point up to which each holds.
    holds: BTreeMap<UnitId, (usize, u16)>,
}

impl<'o> Said<'o> {
    /// Takes the next line, with the remarks on it.
    fn take(&mut self, placed: &'o Placed<Order>) -> Vec<Remark> {
        match &placed.order {
            Order::Stance { units, stance } => self.stance(placed, units, None, Some(*stance)),
            Order::On { units, trigger, stance } => self.stance(placed, units, Some(*trigger), *stance),
            Order::Clear { units } => {
                units.iter().for_each(|id| _ = self.holds.remove(id));
                let told = |id: UnitId| {
                    let lines = self.queues.remove(&id).unwrap_or_default();
                    lines.into_iter().map(move |by| (by, id))
                };
                let undone: Vec<_> = units.iter().copied().flat_map(told).collect();
                undoes(placed, undone, "takes back what", "gives", "to do")
            }
            Order::Do { units, tasks } => {
                units.iter().for_each(|id| self.queues.entry(*id).or_default().push(placed));
                let points = tasks.iter().filter_map(|task| match task.act {
                    Act::Until(point) => Some(point),
                    _ => None,
                });
                points.flat_map(|point| self.hold(placed.line, units, point)).collect()
            }
            Order::Deploy { .. } | Order::Detail(_) | Order::Map(_) | Order::Symbols(_) => Vec::new(),
        }
    }

    fn stance(
        &mut self,
        placed: &'o Placed<Order>,
        units: &[UnitId],
        trigger: Option<Trigger>,
        stance: Option<Stance>,
    ) -> Vec<Remark> {
        let replaced = units.iter().filter_map(|id| {
            let (by, before) = self.stances.insert((*id, trigger), (placed, stance))?;
            (before != stance).then_some((by, *id))
        });
        undoes(placed, replaced.collect(), "replaces what", "says of", "")
    }

    /// Who holds up to a time-point is past every earlier one when it is done.
    fn hold(&mut self, line: usize, units: &[UnitId], point: u16) -> Vec<Remark> {
        let mut late: BTreeMap<(usize, u16), Vec<UnitId>> = BTreeMap::new();
        for id in units {
            match self.holds.get(id) {
                Some(before) if before.1 >= point => late.entry(*before).or_default().push(*id),
                _ => _ = self.holds.insert(*id, (line, point)),
            }
        }
        let remark = |((by, before), units): ((usize, u16), Vec<UnitId>)| {
            let units = words::ids(&units);
            Remark::warning(
                line,
                format!("Line {by} has {units} hold until {before}: after it this comes to nothing."),
            )
            .hint("a queue is done in the order written")
        };
        late.into_iter().map(remark).collect()
    }
}

/// The remarks on a line that undoes others: a warning where nothing is left of one, a note where it is an exception from one.
fn undoes(
    placed: &Placed<Order>,
    undone: Vec<(&Placed<Order>, UnitId)>,
    does: &str,
    says: &str,
    more: &str,
) -> Vec<Remark> {
    let mut lines: BTreeMap<usize, (&Placed<Order>, Vec<UnitId>)> = BTreeMap::new();
    for (by, id) in undone {
        lines.entry(by.line).or_insert((by, Vec::new())).1.push(id);
    }
    let remark = |(line, (by, units)): (usize, (&Placed<Order>, Vec<UnitId>))| {
        let text = format!("This {does} line {line} {says} {} {more}", words::ids(&units));
        let text = format!("{}.", text.trim_end());
        match units.len() == by.order.units().len() {
            true => Remark::warning(placed.line, text),
            false => Remark::note(placed.line, text),
        }
    };
    lines.into_iter().map(remark).collect()
}

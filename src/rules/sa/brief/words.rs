//! How units, places and orders are called in reports.

use crate::model::UnitId;
use crate::order::Charge;
use crate::read::written;

pub(super) use crate::words::{act, called, men, more_tasks, place, refusal, stance};

/// `A3, A4 and A7`.
pub(super) fn listed(units: &[UnitId]) -> String {
    musterd_report::text::listed(&units.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// A number with its sign; 0 has none.
pub(super) fn signed(number: i32) -> String {
    if number == 0 { "0".to_owned() } else { format!("{number:+}") }
}

/// The beginning of what a unit was told, as orders without its name: `ATTACK B5; STANCE CHARGE`. Empty if it is told nothing.
pub(super) fn charge(unit: UnitId, charge: &Charge) -> String {
    const FIRST: usize = 3;
    let name = format!(" {unit}");
    let lines: Vec<String> = charge.orders(unit).iter().flat_map(written).collect();
    let mut parts: Vec<String> = lines.iter().take(FIRST).map(|line| line.replacen(&name, "", 1)).collect();
    if lines.len() > FIRST {
        parts.push(format!("{} more", lines.len() - FIRST));
    }
    parts.join("; ")
}

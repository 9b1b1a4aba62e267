//! Dice and numbers in words: the arithmetic of a roll, losses, names.

use super::super::data::Lga;
use super::super::sight::{Check, Named};
use super::super::view::View;

/// The name of a unit: for the reader's side name and number, `III Davout (3)`; for others name and kind, `Mack 1 (Austrian militia)`.
pub(super) fn name(rules: &Lga, view: &View, unit: &Named) -> String {
    if rules.scenario.side_of(unit.nation) == Some(view.side) {
        format!("{} ({})", unit.name, unit.id)
    } else {
        format!("{} ({} {})", unit.name, rules.adjective(unit.nation), unit.kind)
    }
}

/// `die 4, morale +3, across a river -1 = 6`; a total off the table says what it counts as.
pub(super) fn arithmetic(check: &Check) -> String {
    let mut text = format!("die {}", check.die);
    for modifier in &check.modifiers {
        text.push_str(&format!(", {} {:+}", modifier.why, modifier.by));
    }
    if !check.modifiers.is_empty() {
        text.push_str(&format!(" = {}", check.total));
    }
    if check.used != check.total {
        text.push_str(&format!(", counts as {}", check.used));
    }
    text
}

/// `1 morale`, `2 morale`.
pub(super) fn morale(loss: i8) -> String {
    format!("{loss} morale")
}

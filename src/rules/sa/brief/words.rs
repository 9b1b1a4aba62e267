//! How units, places and orders are called in reports.

use crate::model::UnitId;
use crate::order::{Act, Charge, Stance, Task, Trigger};

pub(super) use crate::words::{called, place, refusal};

/// `A3, A4 and A7`.
pub(super) fn listed(units: &[UnitId]) -> String {
    musterd_report::text::listed(&units.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// A number with its sign; 0 has none.
pub(super) fn signed(number: i32) -> String {
    if number == 0 { "0".to_owned() } else { format!("{number:+}") }
}

/// What a unit is to do, as it is ordered.
pub(crate) fn act(act: Act) -> String {
    match act {
        Act::Move(way) => format!("MOVE {}", way.number()),
        Act::Again => "AGAIN".to_owned(),
        Act::To(hex) => format!("TO {hex}"),
        Act::Hold => "HOLD".to_owned(),
        Act::Until(point) => format!("HOLD UNTIL {point}"),
        Act::Contact => "WAIT CONTACT".to_owned(),
        Act::Strike(way) => format!("ATTACK {}", way.number()),
        Act::Attack(unit) => format!("ATTACK {unit}"),
        Act::Fire(unit) => format!("FIRE {unit}"),
        Act::FireAt(hex) => format!("FIRE {hex}"),
        Act::Cast(spell, points) => {
            let word = spell.name().split(' ').next().unwrap_or_default().to_ascii_uppercase();
            format!("CAST {word} {points}")
        }
        Act::Liken(way) => format!("LIKEN {}", way.number()),
        Act::Leave => "LEAVE".to_owned(),
    }
}

/// An entry of a queue.
pub(crate) fn task(task: &Task) -> String {
    match task.when {
        Some(trigger) => format!("{} WHEN {}", act(task.act), trigger_word(trigger)),
        None => act(task.act),
    }
}

/// A stance, as it is ordered.
pub(crate) fn stance(stance: Stance) -> String {
    match stance {
        Stance::Advance(None) => "ADVANCE".to_owned(),
        Stance::Advance(Some(hex)) => format!("ADVANCE TO {hex}"),
        Stance::Hold => "HOLD".to_owned(),
        Stance::Skirmish => "SKIRMISH".to_owned(),
        Stance::Charge => "CHARGE".to_owned(),
        Stance::Avoid => "AVOID".to_owned(),
    }
}

/// A trigger, as it is ordered.
pub(crate) const fn trigger_word(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Contact => "CONTACT",
        Trigger::FiredAt => "FIRED AT",
        Trigger::RoutNear => "ROUT NEAR",
    }
}

/// What a unit was told, in short: the beginning of its queue, then its stance, then what changes that.
pub(super) fn charge(charge: &Charge) -> String {
    const FIRST: usize = 3;
    let mut parts: Vec<String> = charge.tasks.iter().take(FIRST).map(task).collect();
    if charge.tasks.len() > FIRST {
        parts.push(format!("{} more", charge.tasks.len() - FIRST));
    }
    parts.push(match parts.is_empty() {
        true => stance(charge.stance),
        false => format!("then {}", stance(charge.stance)),
    });
    let on = |(trigger, then): &(Trigger, Stance)| format!("ON {} {}", trigger_word(*trigger), stance(*then));
    parts.extend(charge.triggers.iter().map(on));
    parts.join("; ")
}

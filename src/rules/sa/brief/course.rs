//! The course of the battle, its end and its cost.

use musterd_engine::briefing::{Part, Table};
use musterd_report::text::sentence;

use crate::data::Sa;
use crate::event::Ending;
use crate::model::Side;
use crate::state::{Fate, Phase};
use crate::view::View;

use super::armies::{fate, lost, strength};
use super::words::called;
use crate::words;

/// How far the battle is, for a subject.
pub(super) fn stage(rules: &Sa, view: &View) -> String {
    match view.phase {
        Phase::Unfounded => "before the battle".to_owned(),
        Phase::Initial(Some(side)) => format!("initial move, {}", rules.battle().army(side).name),
        Phase::Initial(None) => "initial move".to_owned(),
        Phase::Battle => {
            let (first, last) = rules.block_after(view.paused);
            format!("time-points {first} to {last}")
        }
        Phase::Over => match view.outcome.as_ref().and_then(|outcome| outcome.won) {
            Some((side, _)) => format!("won by {}", rules.battle().army(side).name),
            None => "drawn".to_owned(),
        },
    }
}

/// How it ended: why, the count, the margin, and who the wizard was.
pub(super) fn ending(rules: &Sa, view: &View) -> Option<Vec<Part>> {
    let outcome = view.outcome.as_ref()?;
    let army = |side: Side| rules.battle().army(side).name.as_str();
    let why = words::ending(rules, outcome.ending);
    let result = sentence(&words::won(rules, outcome.won));
    let mut parts = vec![Part::text(format!("{why}. {result}."))];
    let mut table = Table::new(&["Army", ">Men steady", ">Weight", ">Army morale", "Remarks"]);
    for side in Side::ALL {
        let [steady, ..] = strength(rules, view, side);
        table.row([
            sentence(army(side)),
            steady.to_string(),
            (outcome.left[side.index()] / 100).to_string(),
            view.position.morale[side.index()].to_string(),
            if outcome.ending == Ending::Retreat(side) { "15% off: it retreats" } else { "" }.to_owned(),
        ]);
    }
    parts.push(Part::Table(table));
    parts.push(Part::text(match decided(rules, view) {
        Some(by) => format!("The weight is that of all steady men by type and class. {by}: it decides nothing."),
        None => format!(
            "The weight is that of all steady men by type and class. The heavier army has {}% more: under 10% is a draw, 30% or more decisive.",
            outcome.margin
        ),
    }));
    let hunt = rules.battle().hunt.and(view.real);
    parts.extend(hunt.map(|real| Part::text(format!("The real wizard was {}.", called(rules, real)))));
    Some(parts)
}

/// What decided the battle in place of the weight of both armies.
fn decided(rules: &Sa, view: &View) -> Option<&'static str> {
    let hunt = rules.battle().hunt.filter(|hunt| hunt.decides)?;
    match view.outcome.as_ref()?.ending {
        Ending::WizardDead | Ending::WizardRan | Ending::WizardGone | Ending::WizardLives => {
            Some("The hunt decided")
        }
        Ending::Retreat(side) if side != hunt.side => Some("The hunters left the field to the wizard"),
        Ending::Retreat(_) | Ending::Nightfall => None,
    }
}

/// The standing after each mail turn; nothing before the first.
pub(super) fn course(rules: &Sa, view: &View) -> Vec<Part> {
    if view.course.is_empty() {
        return Vec::new();
    }
    let legend = Side::ALL.map(|side| format!("{} is {}", side.letter(), rules.battle().army(side).name));
    let mut table = Table::new(&[">Time-point", ">Men A", ">Men B", ">Morale A", ">Morale B"]);
    for standing in &view.course {
        let ([men, foes], [morale, theirs]) = (standing.men, standing.morale);
        table.row([
            standing.point.to_string(),
            men.to_string(),
            foes.to_string(),
            morale.to_string(),
            theirs.to_string(),
        ]);
    }
    let hunt = rules.battle().hunt.map(|_| " The men are those of all but the wizard and his likenesses.");
    vec![Part::text(format!("{}.{}", legend.join(", "), hunt.unwrap_or_default())), Part::Table(table)]
}

/// Every unit's losses.
pub(super) fn losses(rules: &Sa, view: &View) -> Table {
    let mut table = Table::new(&["Unit", "Name", ">First", ">Lost", ">%", "Fate"]);
    let units = || rules.battle().units.iter().zip(&view.position.units);
    for side in Side::ALL {
        table.group(sentence(&rules.battle().army(side).name));
        for (spec, unit) in units().filter(|(spec, _)| spec.id.side == side) {
            if unit.fate == Fate::Coming && spec.likeness {
                continue;
            }
            let lost = lost(spec, unit);
            table.row([
                spec.id.to_string(),
                spec.name.clone(),
                spec.men.to_string(),
                lost.to_string(),
                (u64::from(lost) * 100 / u64::from(spec.men.max(1))).to_string(),
                fate(spec, unit).unwrap_or_default(),
            ]);
        }
    }
    table
}

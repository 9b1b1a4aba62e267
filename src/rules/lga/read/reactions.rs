//! Standing orders against what their seat knows (manual 2.13, rulings LGA-46 and LGA-68).

use crate::hex::Hex;
use crate::rules::lga::data::Lga;
use crate::rules::lga::ground::{Traveller, closed};
use crate::rules::lga::map::Area;
use crate::rules::lga::model::{Date, Side, Terrain, UnitId, UnitType};
use crate::rules::lga::order::{Reaction, Standing};
use crate::rules::lga::plan::Plan;
use crate::rules::lga::shift::{Hindrance, Lookout, Shift};
use crate::rules::lga::view::View;

/// What is doubtful about a standing order, or why it can never be carried out. `plan` is the position that the rest of the
/// set leads to.
pub(in crate::rules::lga) fn check(
    rules: &Lga,
    view: &View,
    plan: &Plan<'_>,
    standing: &Standing,
) -> Result<Vec<String>, String> {
    let (unit, to) = match standing.reaction {
        Reaction::Reinforce { unit, to } | Reaction::Withdraw { unit, to } => (unit, to),
        Reaction::Top { unit, at } => return top(rules, plan, unit, at),
    };
    let name = plan.name(unit);
    let place = plan.place(to);
    let at_sea = |hex: Hex| rules.map().area(hex).is_some_and(|area: &Area| area.terrain == Terrain::Sea);
    if at_sea(to) {
        return Err(format!("{name} can't react by sea: {place} is water."));
    }
    if let Some(spec) = rules.scenario().find(unit) {
        let who = Traveller { nation: spec.nation, kind: spec.kind };
        if let Some(why) = closed(rules, who, to, view.control.get(&to).copied()) {
            return Err(format!("{place} is closed to {name}: {why}."));
        }
    }
    let Some(piece) = plan.piece(unit) else { return Ok(absent(plan, unit).into_iter().collect()) };
    let here = plan.place(piece.hex);
    if piece.hex == to {
        return Ok(vec![format!("{name} will be at {place} itself: a reaction goes one hex.")]);
    }
    let shift = Shift { unit, from: piece.hex, to, supplied: piece.is_supplied() };
    let hindrance = shift.hindrance(rules, &Expected { view, plan }).map(|hindrance| match hindrance {
        Hindrance::Unsupplied => {
            format!("{name} began its turn out of supply: it makes no defensive move before the next.")
        }
        Hindrance::CalledAway => format!("{name} has been called away and may not leave {here}."),
        Hindrance::NotAdjacent => format!("{name} will be at {here}, and {place} is not next to it."),
        Hindrance::EnemyThere => {
            format!("An enemy is seen at {place}: {name} can't go there before he is gone.")
        }
        Hindrance::Closed(why) => format!("{place} is closed to {name}: {why}."),
        Hindrance::NotOurs(hex) if at_sea(hex) => {
            format!("{name} will be at sea and can't react from there.")
        }
        Hindrance::NotOurs(hex) => {
            format!("{} is not ours now: units react within controlled areas only.", plan.place(hex))
        }
    });
    let zone = match standing.reaction {
        Reaction::Reinforce { .. } if plan.in_enemy_zone(piece.hex) => Some(format!(
            "{name} will be at {here} in an enemy zone: only who stands outside them reinforces."
        )),
        Reaction::Withdraw { .. } if plan.in_enemy_zone(to) => Some(format!(
            "An enemy zone covers {place}: {name} can't withdraw to it before the enemy is gone."
        )),
        Reaction::Reinforce { .. } | Reaction::Withdraw { .. } | Reaction::Top { .. } => None,
    };
    Ok(hindrance.or(zone).into_iter().collect())
}

/// The position that a set of orders leads to, as its seat expects it.
struct Expected<'a> {
    view: &'a View,
    plan: &'a Plan<'a>,
}

impl Lookout for Expected<'_> {
    fn date(&self) -> Date {
        self.view.date
    }

    fn controller(&self, hex: Hex) -> Option<Side> {
        let now = self.view.control.get(&hex).copied();
        now.map(|side| if self.plan.takes(hex) { self.view.side } else { side })
    }

    fn enemy_at(&self, hex: Hex) -> bool {
        self.view.enemies.contains_key(&hex)
    }
}

/// Headquarters and garrisons are never attacked first (ruling LGA-20); a garrison may be none by then.
fn top(rules: &Lga, plan: &Plan<'_>, unit: UnitId, at: Option<Hex>) -> Result<Vec<String>, String> {
    let text = format!("{} is never attacked first: it can't lie on top.", plan.name(unit));
    if rules.scenario().find(unit).is_some_and(|spec| spec.kind == UnitType::Hq) {
        return Err(text);
    }
    let garrison = plan.piece(unit).filter(|piece| piece.garrison).map(|_| text);
    let elsewhere = plan.piece(unit).zip(at).filter(|(piece, at)| piece.hex != *at).map(|(piece, at)| {
        let (here, there) = (plan.place(piece.hex), plan.place(at));
        format!("{} will be at {here}: it goes on top only at {there}.", plan.name(unit))
    });
    Ok(absent(plan, unit).into_iter().chain(garrison).chain(elsewhere).collect())
}

/// A standing order may wait for a unit that is not there.
fn absent(plan: &Plan<'_>, unit: UnitId) -> Option<String> {
    plan.piece(unit)
        .is_none()
        .then(|| format!("{} is not on the map: the order waits for it.", plan.name(unit)))
}

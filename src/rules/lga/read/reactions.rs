//! Standing orders against what their seat knows (manual 2.13, rulings LGA-46 and LGA-68).

use crate::data::Lga;
use crate::model::{Arm, Date, Side, UnitId};
use crate::needs::Inactive;
use crate::order::{Reaction, Standing};
use crate::plan::{About, Doubt, Plan};
use crate::shift::{Hindrance, Lookout, Shift, closed_goal};
use crate::view::View;
use musterd_engine::hex::Hex;

/// The doubts about a standing order. `plan` is the position that the rest of the set leads to.
///
/// # Errors
/// Why it can never be carried out.
pub(crate) fn check(
    rules: &Lga,
    view: &View,
    plan: &Plan<'_>,
    standing: &Standing,
) -> Result<Vec<Doubt>, Doubt> {
    let (unit, to) = match standing.reaction {
        Reaction::Reinforce { unit, to } | Reaction::Withdraw { unit, to } => (unit, to),
        Reaction::Top { unit, at } => return top(rules, plan, unit, at),
    };
    let (name, place) = (plan.name(unit), plan.place(to));
    if rules.map.is_sea(to) {
        let text = format!("{name} can't react by sea: {place} is water.");
        return Err(Doubt::objection(About::Goal, text).hint("a reaction goes one hex over land"));
    }
    let position = Expected { view, plan };
    if let Some(why) = closed_goal(rules, unit, to, &position) {
        return Err(Doubt::objection(
            About::Goal,
            format!("{place} is closed to {name}: {}.", rules.refusal(why)),
        ));
    }
    let Some(piece) = plan.piece(unit) else { return Ok(absent(plan, unit).into_iter().collect()) };
    let here = plan.place(piece.hex);
    let near = |text: String| {
        Doubt::warning(About::Goal, text).hint(format!("a reaction goes one hex: name one next to {here}"))
    };
    if piece.hex == to {
        return Ok(vec![near(format!("{name} will be at {place} itself."))]);
    }
    let on_unit = |text: String| Doubt::warning(About::Unit, text);
    let on_goal = |text: String| Doubt::warning(About::Goal, text);
    let shift = Shift { unit, from: piece.hex, to, supplied: piece.supplied };
    let hindrance = match shift.hindrance(rules, &position) {
        None => None,
        Some(Hindrance::Inactive(Inactive::Unsupplied)) => Some(on_unit(format!(
            "{name} began its turn out of supply: it makes no defensive move before the next."
        ))),
        Some(Hindrance::Inactive(Inactive::CalledAway)) => {
            Some(on_unit(format!("{name} has been called away and may not leave {here}.")))
        }
        Some(Hindrance::NotAdjacent) => {
            Some(near(format!("{name} will be at {here}, and {place} is not next to it.")))
        }
        Some(Hindrance::EnemyThere) => {
            Some(on_goal(format!("An enemy is seen at {place}: {name} can't go there before he is gone.")))
        }
        Some(Hindrance::NotOurs(hex)) if rules.map.is_sea(hex) => {
            Some(on_unit(format!("{name} will be at sea and can't react from there.")))
        }
        Some(Hindrance::NotOurs(hex)) => Some(on_goal(format!(
            "{} is not ours now: units react within controlled areas only.",
            plan.place(hex)
        ))),
    };
    let zone = || match standing.reaction {
        Reaction::Reinforce { .. } if plan.in_enemy_zone(piece.hex) => Some(on_unit(format!(
            "{name} will be at {here} in an enemy zone: only who stands outside them reinforces."
        ))),
        Reaction::Withdraw { .. } if plan.in_enemy_zone(to) => Some(on_goal(format!(
            "An enemy zone covers {place}: {name} can't withdraw to it before the enemy is gone."
        ))),
        Reaction::Reinforce { .. } | Reaction::Withdraw { .. } | Reaction::Top { .. } => None,
    };
    Ok(hindrance.or_else(zone).into_iter().collect())
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

/// Headquarters and garrisons are never attacked first (ruling LGA-20); a garrison may have left by then.
fn top(rules: &Lga, plan: &Plan<'_>, unit: UnitId, at: Option<Hex>) -> Result<Vec<Doubt>, Doubt> {
    let text = || format!("{} is never attacked first: it can't lie on top.", plan.name(unit));
    if rules.scenario.find(unit).is_some_and(|spec| spec.kind.arm == Arm::Hq) {
        return Err(plan.or_its_corps(unit, Doubt::objection(About::Unit, text())));
    }
    let piece = plan.piece(unit);
    let garrison = piece.filter(|piece| piece.garrison).map(|_| Doubt::warning(About::Unit, text()));
    let elsewhere = piece.zip(at).filter(|(piece, at)| piece.hex != *at).map(|(piece, at)| {
        let (here, there) = (plan.place(piece.hex), plan.place(at));
        let text = format!("{} will be at {here}: it goes on top only at {there}.", plan.name(unit));
        Doubt::warning(About::Goal, text)
    });
    Ok(absent(plan, unit).into_iter().chain(garrison).chain(elsewhere).collect())
}

/// A standing order may wait for a unit that is not there.
fn absent(plan: &Plan<'_>, unit: UnitId) -> Option<Doubt> {
    plan.piece(unit).is_none().then(|| {
        Doubt::warning(About::Unit, format!("{} is not on the map: the order waits for it.", plan.name(unit)))
    })
}

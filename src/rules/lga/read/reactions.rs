//! Standing orders against what their seat knows (manual 2.13, ruling LGA-46).

use crate::hex::Hex;
use crate::rules::lga::data::Lga;
use crate::rules::lga::ground::{Traveller, closed};
use crate::rules::lga::map::Area;
use crate::rules::lga::model::{Terrain, UnitId, UnitType};
use crate::rules::lga::order::{Reaction, Standing};
use crate::rules::lga::plan::Plan;
use crate::rules::lga::view::View;

/// What is doubtful about a standing order, or why it can never be carried out. `plan` is the position that the rest of the
/// set leads to.
pub(super) fn check(
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
    let mut doubts = Vec::new();
    if piece.hex == to {
        doubts.push(format!("{name} will be at {place} itself: a reaction goes one hex."));
    } else if !rules.map().neighbours(piece.hex).any(|hex| hex == to) {
        doubts.push(format!("{name} will be at {}, and {place} is not next to it.", plan.place(piece.hex)));
    }
    if at_sea(piece.hex) {
        doubts.push(format!("{name} will be at sea and can't react from there."));
    }
    if view.control.get(&to) != Some(&view.side) {
        doubts.push(format!("{place} is not ours now: units react within controlled areas only."));
    }
    Ok(doubts)
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

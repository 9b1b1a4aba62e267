//! How far units get in this round, by what their leader sees: the answer to `REACH 3`. It plays each march as a receipt does.

use std::collections::BTreeSet;

use super::brief;
use super::data::Dog;
use super::known::ways;
use super::model::UnitId;
use super::order::{March, Way};
use super::read;
use super::recap;
use super::scores;
use super::view::{OwnUnit, View, Wait};
use super::words;
use musterd_engine::briefing::{Briefing, Fact};
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_kit::lists::joined;
use musterd_kit::reach::{self, Goal, Manner, Reach};

/// The reach of the units that a text names.
///
/// # Errors
/// It names no unit of the leader's, or nobody moves now.
pub(super) fn reach(rules: &Dog, view: &View, text: &str) -> Result<Briefing, Remark> {
    let why = match view.wait {
        Wait::Orders | Wait::Moves => None,
        Wait::Founding | Wait::SetUp => Some("The battle has not begun: nobody moves yet."),
        Wait::Combat => {
            Some("The moves of this round are done: ask again when the next round's are ordered.")
        }
        Wait::Over => Some("The battle is over: nobody moves any more."),
    };
    if let Some(why) = why {
        return Err(Remark::error(0, why));
    }
    let units = read::asked(rules, view, text)?;
    let reaches = units.into_iter().filter_map(|id| Some(of_unit(rules, view, id, view.own.get(&id)?)));
    let when = brief::round_name(rules, view);
    Ok(reach::answer(brief::head(rules, view, Vec::new()), &when, reaches.collect()))
}

fn of_unit(rules: &Dog, view: &View, id: UnitId, unit: &OwnUnit) -> Reach {
    let field = &rules.battle().field;
    let points = scores::points(rules.numbers(), &unit.sorts, unit.aboard);
    let mut facts = vec![Fact::of("Points", words::halves(points))];
    facts.extend(
        unit.saved.map(|(hex, saved)| {
            Fact::of("Saved", format!("{} for {}", words::halves(saved), field.place(hex)))
        }),
    );
    let mut ends = Vec::new();
    ends.extend(unit.aboard.then(|| "It is in a boat, which goes by water: LAND goes ashore.".to_owned()));
    ends.extend(unit.captive.map(|by| format!("It is a prisoner of {by}, and goes nowhere.")));
    ends.extend(unit.guards.then(|| "It guards prisoners this round (DOG-28).".to_owned()));
    ends.extend((!unit.obeys).then(|| "It disobeys this round, and stands (DOG-21).".to_owned()));
    let budget = u32::from(points) + unit.saved.map_or(0, |(_, saved)| u32::from(saved));
    let near = ways(rules, view).within(&unit.sorts, unit.aboard, unit.at, budget);
    let moves = goals(rules, view, id, &near, false);
    let reached: BTreeSet<Hex> = moves.iter().map(|goal| goal.hex).collect();
    let farther: Vec<Hex> = near.iter().copied().filter(|hex| !reached.contains(hex)).collect();
    let flights = goals(rules, view, id, &farther, true);
    let counted = ">points";
    let mut manners = vec![Manner { order: format!("MOVE {} TO", id.in_orders()), counted, goals: moves }];
    if !flights.is_empty() {
        manners.push(Manner { order: format!("FLEE {} TO", id.in_orders()), counted, goals: flights });
        ends.push(
            "MOVE leaves no enemy next to it (DOG-40); FLEE does, and who is left strikes at its back."
                .to_owned(),
        );
    }
    let mut reach = Reach {
        unit: recap::own_unit(rules, id, unit),
        at: field.place(unit.at),
        facts,
        manners,
        ends,
        map: None,
    };
    let passed: BTreeSet<Hex> = reach.goals().chain([unit.at]).collect();
    reach.ends.extend(beside(rules, view, &passed));
    reach.map = Some(reach::map(unit.at, reach.goals(), (Hex::new(1, 1), field.last()), |scale, part| {
        brief::part_of(rules, view, scale, part)
    }));
    reach
}

/// Those of these hexes to which a march gets a unit in this round.
fn goals(rules: &Dog, view: &View, unit: UnitId, near: &[Hex], flee: bool) -> Vec<Goal> {
    let goal = |hex: &Hex| {
        let march = March { unit, way: Way::To(*hex), leave: None, flee };
        let (at, spent, by) = recap::arrival(rules, view, march)?;
        (at == *hex).then(|| Goal {
            cost: spent.into(),
            told: words::halves(spent),
            hex: *hex,
            place: rules.place(*hex),
            note: if by.is_empty() { String::new() } else { format!("struck by {}", joined(&by, ", ")) },
        })
    };
    near.iter().filter_map(goal).collect()
}

/// The enemies seen next to what is passed.
fn beside(rules: &Dog, view: &View, passed: &BTreeSet<Hex>) -> Option<String> {
    let foes = view.foes(rules).filter(|(_, foe)| foe.at.around().any(|hex| passed.contains(&hex)));
    let foes = joined(foes.map(|(id, foe)| format!("{id} at {}", rules.place(foe.at))), ", ");
    let text = "whoever comes next to an enemy goes no farther by MOVE than along it";
    (!foes.is_empty()).then(|| format!("Enemies seen next to its way: {foes}; {text}."))
}

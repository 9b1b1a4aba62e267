//! How far units get in the coming block, by what their commander sees: the answer to `REACH 3`. Each march is played by the rules, with everybody else
//! where he stands.

use musterd_engine::briefing::{Briefing, Fact};
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_kit::reach::{self, Goal, Manner, Reach};

use crate::brief;
use crate::data::Sa;
use crate::deed::{self, Deed, Step};
use crate::event::Event;
use crate::law;
use crate::model::UnitId;
use crate::order::Act;
use crate::read;
use crate::recap::believed;
use crate::state::{Phase, State};
use crate::view::View;
use crate::words;

/// The reach of the units that a text names.
///
/// # Errors
/// It names no unit of the commander's that is on the field, or nobody moves now.
pub(crate) fn reach(rules: &Sa, view: &View, text: &str) -> Result<Briefing, Remark> {
    let block = match view.phase {
        Phase::Unfounded => return Err(Remark::error(0, "The battle has not begun: nobody moves yet.")),
        Phase::Over => return Err(Remark::error(0, "The battle is over: nobody moves any more.")),
        Phase::Initial(Some(side)) if view.side != Some(side) => {
            let mover = &rules.battle().army(side).name;
            return Err(Remark::error(0, format!("{mover} makes its initial move now: nobody else moves."))
                .hint("ask again when it has been made"));
        }
        Phase::Initial(_) => (0, 0),
        Phase::Battle => rules.block_after(view.paused),
    };
    let survey = Survey { rules, view, state: believed(rules, view), block };
    let mut reaches = Vec::new();
    for (id, (start, length)) in read::asked(rules, view, text)? {
        let place = rules.battle().place(id);
        let Some(at) = view.position.units[place].at else {
            let text = format!("{} is not on the field.", words::called(rules, id));
            return Err(Remark::error(0, text).at(start, length));
        };
        reaches.push(survey.reach(id, place, at));
    }
    let when = match view.phase {
        Phase::Initial(_) => "initial move".to_owned(),
        _ => format!("time-points {} to {}", block.0, block.1),
    };
    Ok(reach::answer(brief::head(rules, view, Vec::new()), &when, reaches))
}

struct Survey<'a> {
    rules: &'a Sa,
    view: &'a View,
    state: State,
    /// The first and the last time-point of the coming block.
    block: (u16, u16),
}

impl Survey<'_> {
    fn reach(&self, id: UnitId, place: usize, at: Hex) -> Reach {
        let (rules, unit) = (self.rules, &self.view.position.units[place]);
        let mut reach = Reach {
            unit: words::called(rules, id),
            at: words::place(rules, at),
            facts: vec![Fact::of("Acts next", format!("at {}", unit.next.max(self.block.0)))],
            ..Reach::default()
        };
        let goals = if unit.routing { Vec::new() } else { self.goals(place, at) };
        if unit.routing {
            reach.ends.push("It is in rout: it runs, and goes by no order until it rallies.".to_owned());
        }
        reach.manners.push(Manner { order: format!("MOVE {id} TO"), counted: ">at time-point", goals });
        let passed: Vec<Hex> = reach.goals().chain([at]).collect();
        reach.ends.extend(self.beside(id, &passed));
        reach.ends.push(
            "Times are as if everybody else stood still; a friend in the way is waited for.".to_owned(),
        );
        let whole = (Hex::new(1, 1), rules.battle().field.last());
        reach.map = Some(reach::map(at, reach.goals(), whole, |scale, part| {
            brief::with_units(rules, self.view, scale, part)
        }));
        reach
    }

    /// The hexes to which a march gets a unit in the block.
    fn goals(&self, place: usize, at: Hex) -> Vec<Goal> {
        let battle = self.rules.battle();
        let steps = law::most_steps(self.rules, &battle.units[place], self.block);
        let free = |hex: &Hex| self.view.position.unit_at(self.rules, *hex).is_none();
        let near = battle.field.hexes().filter(|hex| hex.distance(at) <= steps && free(hex));
        let goal = |hex: Hex| {
            let point = self.arrival(place, hex)?;
            let place = words::place(self.rules, hex);
            Some(Goal { cost: point.into(), told: point.to_string(), hex, place, note: String::new() })
        };
        near.filter_map(goal).collect()
    }

    /// The time-point of the block at which `MOVE` brings a unit to a hex; `None` if it doesn't.
    fn arrival(&self, place: usize, goal: Hex) -> Option<u16> {
        let (rules, (first, last)) = (self.rules, self.block);
        let unit = rules.battle().units[place].id;
        let mut state = self.state.clone();
        let mut point = state.position.units[place].next.max(first);
        while point <= last {
            if matches!(self.view.phase, Phase::Battle) {
                state.apply(rules, &Event::Ticked { point });
            }
            match deed::by_order(rules, &state.position, state.real, place, Act::To(goal)).ok()? {
                Step::Last(Deed::Move { .. }) => return Some(point),
                Step::Part(Deed::Move { way, to, delay }) => {
                    state.apply(rules, &Event::Moved { unit, way, to, next: point + delay });
                    point += delay;
                }
                _ => return None,
            }
        }
        None
    }

    /// The enemies next to what is passed.
    fn beside(&self, id: UnitId, passed: &[Hex]) -> Option<String> {
        let battle = self.rules.battle();
        let foes = self.view.position.fielded().filter(|(place, _, at)| {
            battle.units[*place].id.side != id.side && at.around().any(|hex| passed.contains(&hex))
        });
        let foes = foes.map(|(place, _, at)| {
            let foe = words::called(self.rules, battle.units[place].id);
            format!("{foe} at {}", words::place(self.rules, at))
        });
        let foes: Vec<String> = foes.collect();
        let text = "MOVE doesn't attack, and who has moved last checks his morale before he strikes (SA-14)";
        (!foes.is_empty()).then(|| format!("Enemies next to its way: {}; {text}.", foes.join(", ")))
    }
}

//! How far units get in their next turn, by what their seat sees: the answer to `REACH 3`. It plays each march as a receipt does.

use super::atlas::bounds;
use super::brief;
use super::data::Lga;
use super::ground::leaving;
use super::known::Known;
use super::model::{Arm, UnitId};
use super::plan::{Arrival, Plan};
use super::read;
use super::view::{OwnUnit, View};
use musterd_engine::briefing::{Briefing, Fact};
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_kit::reach::{self, Goal, Manner, Reach};
use musterd_report::text::listed;
use musterd_text::nouns::count;

/// The reach of the units that a text names.
///
/// # Errors
/// It names no unit of the seat's that is on the map.
pub(super) fn reach(rules: &Lga, view: &View, text: &str) -> Result<Briefing, Remark> {
    if view.phasing.is_none() {
        return Err(Remark::error(0, "The game is over: nobody moves any more."));
    }
    let known = Known::new(rules, view);
    let plan = Plan::of_next_turn(rules, view, &known);
    let surveyor = Surveyor { rules, view, known: &known, plan: &plan };
    let mut reaches = Vec::new();
    for (id, span) in read::asked(rules, view, text)? {
        let Some(unit) = view.own.get(&id) else {
            let text = format!("{} is not on the map.", plan.name(id));
            return Err(Remark::error(0, text).at(span.0, span.1).hint("BUILD brings it there"));
        };
        reaches.push(surveyor.reach(id, unit));
    }
    Ok(reach::answer(brief::head(rules, view, String::new(), Vec::new()), &view.date.to_string(), reaches))
}

struct Surveyor<'a> {
    rules: &'a Lga,
    view: &'a View,
    known: &'a Known<'a>,
    plan: &'a Plan<'a>,
}

impl Surveyor<'_> {
    fn reach(&self, id: UnitId, unit: &OwnUnit) -> Reach {
        let mut facts = vec![Fact::of("Moves", unit.moves.to_string())];
        if self.view.phasing != Some(self.view.side) {
            facts.push(Fact::of("When", "In your next turn, if everybody stands then where he is seen now."));
        }
        let mut reach = Reach {
            unit: self.plan.name(id).into_owned(),
            at: self.rules.map.place(unit.hex).into_owned(),
            facts,
            ..Reach::default()
        };
        let arrivals = match self.plan.arrivals(id) {
            Ok(arrivals) => arrivals,
            Err(objection) => {
                let so_far = if self.view.phasing == Some(self.view.side) { "" } else { "As things stand: " };
                reach.ends.push(format!("{so_far}{}", objection.text));
                Vec::new()
            }
        };
        let goals = arrivals.iter().map(|arrival| self.goal(arrival)).collect();
        reach.manners.push(Manner { order: format!("MOVE {id} TO"), counted: "moves", goals });
        let reached: Vec<Hex> = arrivals.iter().map(|arrival| arrival.at).chain([unit.hex]).collect();
        reach.ends.extend(self.ends(unit, &reached));
        let goals = arrivals.iter().map(|arrival| arrival.at);
        reach.map = Some(reach::map(unit.hex, goals, bounds(self.rules), |scale, frame| {
            brief::part_of(self.rules, self.view, scale, frame)
        }));
        reach
    }

    fn goal(&self, arrival: &Arrival) -> Goal {
        let long = if arrival.is_long { ", a long march" } else { "" };
        let fog = if arrival.fog > 0 { format!(", {}% risk of fog", arrival.fog) } else { String::new() };
        let note = if arrival.may_halt { "if no garrison stands in the way" } else { "" };
        Goal {
            cost: u32::from(arrival.moves) * 100 + arrival.fog,
            told: format!("{}{long}{fog}", arrival.moves),
            hex: arrival.at,
            place: self.rules.map.place(arrival.at).into_owned(),
            note: note.to_owned(),
        }
    }

    /// What ends or hinders the way: enemies next to what is reached, and their zones.
    fn ends(&self, unit: &OwnUnit, reached: &[Hex]) -> Vec<String> {
        let (map, view) = (&self.rules.map, self.view);
        let place = |hex: &Hex| map.place(*hex).into_owned();
        let mut ends = Vec::new();
        let met =
            view.enemies.iter().filter(|(hex, _)| map.neighbours(**hex).any(|next| reached.contains(&next)));
        let met: Vec<String> = met.map(|(hex, stack)| format!("{} at {}", stack.name, place(hex))).collect();
        if !met.is_empty() {
            let attack = match unit.kind.arm {
                Arm::Hq => "no unit moves onto an enemy",
                _ => "MOVE never attacks, ATTACK does",
            };
            ends.push(format!("Enemies seen next to its way: {}; {attack}.", met.join(", ")));
        }
        let cost = leaving(self.rules, unit.kind.arm);
        let zones: Vec<String> =
            reached.iter().filter(|hex| self.known.in_enemy_zone(**hex)).map(place).collect();
        if cost > 0 && !zones.is_empty() {
            let zones: Vec<&str> = zones.iter().map(String::as_str).collect();
            let moves = count(cost, "move");
            ends.push(format!("In enemy zones, which cost {moves} more to leave: {}.", listed(&zones)));
        }
        ends
    }
}

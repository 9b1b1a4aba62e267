//! Words of the rules.

use musterd_engine::hex::Hex;
use musterd_report::text::sentence;

use crate::battle::{Battle, Hour, Start};
use crate::data::Acw;
use crate::event::{Outcome, Part};
use crate::model::{BrigadeId, HqId, ObjectiveId, Side, UnitId};
use crate::order::{Act, Command, Goal};
use crate::state::State;

/// The hours of a mail turn: `21 July 1861, 05:00`.
pub fn hours(battle: &Battle, first: u16, last: u16) -> String {
    let one = |turn: u16| {
        let hour = battle.hour(turn);
        format!("{}, {}", hour.day, clock(hour.hour))
    };
    match (first == last, battle.hour(first).day == battle.hour(last).day) {
        (true, _) => one(first),
        (false, true) => format!("{} to {}", one(first), clock(battle.hour(last).hour)),
        (false, false) => format!("{} to {}", one(first), one(last)),
    }
}

/// An hour of the day: `05:00`.
pub fn clock(hour: u8) -> String {
    format!("{hour:02}:00")
}

/// When a unit was heard of last, by the turn at whose beginning it reported.
pub fn as_of(battle: &Battle, turn: u16) -> String {
    match turn {
        0 => "as of the start".to_owned(),
        turn => format!("as of {}", clock(battle.hour(turn).hour)),
    }
}

/// Where a commander's headquarters goes.
pub fn goal(battle: &Battle, goal: Goal) -> String {
    match goal {
        Goal::Objective(id) => battle.objective(id).name.clone(),
        Goal::Corps(hq) => format!("{}'s headquarters", battle.hq(hq).name),
        Goal::Hex(hex) => place(battle, hex),
        Goal::Stand => "where it stands".to_owned(),
    }
}

/// A command, as in `offensive by Stone House to Henry Hill`.
pub fn command(battle: &Battle, command: Command) -> String {
    let name = |id: ObjectiveId| battle.objective(id).name.as_str();
    match command {
        Command::Offensive { via: Some(via), objective } => {
            format!("offensive by {} to {}", name(via), name(objective))
        }
        Command::Offensive { via: None, objective } => format!("offensive to {}", name(objective)),
        Command::Defensive(objective) => format!("defensive at {}", name(objective)),
        Command::Reserve => "reserve".to_owned(),
    }
}

/// A brigade as orders and reports call it: `7 Sherman`.
pub fn brigade(battle: &Battle, id: BrigadeId) -> String {
    format!("{} {}", id.number, battle.brigade(id).name)
}

/// A headquarters as orders and reports call it: `H2 1st Division`.
pub fn hq(battle: &Battle, id: HqId) -> String {
    format!("H{} {}", id.number, battle.hq(id).name)
}

/// A unit as orders and reports call it.
pub fn unit(battle: &Battle, unit: UnitId) -> String {
    match unit {
        UnitId::Brigade(id) => brigade(battle, id),
        UnitId::Hq(id) => hq(battle, id),
    }
}

/// Units by number alone: `7`, `H2`.
pub fn number(unit: UnitId) -> String {
    match unit {
        UnitId::Brigade(id) => id.number.to_string(),
        UnitId::Hq(id) => format!("H{}", id.number),
    }
}

/// A hex with its name, if it has one: `Stone House 0812`.
pub fn place(battle: &Battle, hex: Hex) -> String {
    match battle.map.places.get(&hex) {
        Some(name) => format!("{name} {hex}"),
        None => hex.to_string(),
    }
}

/// When and where a unit comes into a battle that it isn't in from the start, if that is before its end: `at 21 July 1861, 09:00, turn 5, in 0812`.
pub(crate) fn arrival(battle: &Battle, start: Start) -> Option<String> {
    let comes = (1..=battle.last_turn()).contains(&start.turn);
    comes.then(|| {
        let hour = hour(battle.hour(start.turn));
        format!("at {hour}, turn {}, in {}", start.turn, place(battle, start.at))
    })
}

/// How the battle ended: a line a side, and who won.
pub(crate) fn results(rules: &Acw, state: &State) -> Vec<String> {
    let Some(outcome) = &state.outcome else { return Vec::new() };
    let battle = rules.battle();
    let line = |side: Side| {
        let index = side.index();
        format!(
            "{}: {} points ({} for objectives, {} for the enemy's losses), {} men lost",
            sentence(&battle.army(side).name),
            outcome.points(side),
            outcome.objectives[index],
            outcome.casualties[index],
            outcome.lost[index]
        )
    };
    let mut lines: Vec<String> = Side::ALL.into_iter().map(line).collect();
    lines.push(verdict(battle, outcome));
    lines
}

/// Who won, in a sentence.
pub(crate) fn verdict(battle: &Battle, outcome: &Outcome) -> String {
    let name = |side: Side| sentence(&battle.army(side).name);
    match (outcome.resigned, outcome.won) {
        (Some(side), _) => format!("{} resigned: {} won.", name(side), battle.army(side.other()).name),
        (None, Some(side)) => format!("{} won.", name(side)),
        (None, None) => "A draw: the points are less than a fifth apart.".to_owned(),
    }
}

/// An order to a brigade, as players write it.
pub fn act(battle: &Battle, act: Act) -> String {
    match act {
        Act::March(Some(id)) => format!("to {}", battle.objective(id).name),
        Act::Deploy(way) => format!("deploy {}", way.abbreviation()),
        act => act.word().to_owned(),
    }
}

/// Quarters as a number: `12.5`, `-3`.
pub fn quarters(quarters: i32) -> String {
    let sign = if quarters < 0 { "-" } else { "" };
    let (whole, rest) = (quarters.unsigned_abs() / 4, quarters.unsigned_abs() % 4);
    let rest = ["", ".25", ".5", ".75"][rest as usize];
    format!("{sign}{whole}{rest}")
}

/// What a value is made of: `strength 12.5, experience 1, cover -3`. Parts that are nothing are left out.
pub fn parts(parts: &[Part]) -> String {
    let told = parts.iter().filter(|Part(_, value)| *value != 0);
    told.map(|Part(of, value)| format!("{} {}", of.words(), quarters(*value))).collect::<Vec<_>>().join(", ")
}

/// An hour with its day: `21 July 1861, 05:00`.
pub fn hour(hour: &Hour) -> String {
    format!("{}, {}", hour.day, clock(hour.hour))
}

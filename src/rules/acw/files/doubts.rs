//! What can be, but is hardly meant.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::hex::Hex;
use musterd_engine::yaml::{LineColumn, Reader};
use musterd_kit::data::At;

use super::declared::{DayLine, ScenarioFile};
use crate::battle::{Battle, Map};
use crate::model::Side;
use crate::numbers::Numbers;

/// Hours that are all without moves, and hours between two days that belong to neither.
pub(super) fn hours(reader: &mut Reader, file: &ScenarioFile) {
    let days = || file.days.value.iter().filter_map(At::known);
    let is_still = |day: &DayLine| {
        let still: BTreeSet<u8> = day.still.iter().filter_map(|hour| hour.known().copied()).collect();
        day.from
            .known()
            .zip(day.to.known())
            .is_some_and(|(from, to)| (*from..=*to).all(|hour| still.contains(&hour)))
    };
    if days().next().is_some() && days().all(is_still) {
        reader.doubt(file.days.at, "every hour is `still`: nobody moves or fights in this battle".to_owned());
    }
    let mut before: Option<(String, u8)> = None;
    for day in file.days.value.iter().filter_map(At::known) {
        let (Some(date), Some(from), Some(to)) = (day.date.known(), day.from.known(), day.to.known()) else {
            return;
        };
        if let Some((last, hour)) = before.filter(|(_, hour)| *hour < 23 || *from > 0) {
            let reason = format!(
                "between {last}, {hour:02}:00, and {}, {from:02}:00, are hours of no turn: nobody rests or arrives in them",
                date.0
            );
            reader.doubt(day.date.at, reason);
        }
        before = Some((date.0.clone(), *to));
    }
}

/// What is doubtful in a battle that can be played; `named` are the places in the file of its objectives, `lines` those of its brigades.
pub(super) fn battle(
    reader: &mut Reader,
    numbers: &Numbers,
    battle: &Battle,
    named: &[At<String>],
    lines: &BTreeMap<(Side, usize), LineColumn>,
) {
    let reach = Side::ALL.map(|side| {
        let starts = battle.army(side).brigades.iter().map(|spec| spec.start.at);
        reachable(numbers, &battle.map, starts.collect())
    });
    for (objective, name) in battle.objectives.iter().zip(named) {
        let [a, b] = objective.worth;
        if (a.turn, a.end, b.turn, b.end) == (0, 0, 0, 0) {
            reader.doubt(name.at, format!("{} is worth nothing to either side", objective.name));
        }
        let far = Side::ALL.into_iter().filter(|side| !reach[side.index()].contains(&objective.hex));
        let far: Vec<&str> = far.map(|side| battle.army(side).name.as_str()).collect();
        if !far.is_empty() {
            let reason = format!(
                "no brigade of {} can ever come to {}, {}: a river or the ground is in the way",
                far.join(" or "),
                objective.name,
                objective.hex
            );
            reader.doubt(name.at, reason);
        }
    }
    for side in Side::ALL {
        let worth = |one: &crate::battle::Objective| one.worth[side.index()];
        let none = battle.objectives.iter().map(worth).all(|worth| worth.turn == 0 && worth.end == 0);
        if let Some(at) = named.first().map(|name| name.at).filter(|_| none) {
            let reason =
                format!("no objective has points for {}: it wins by losses alone", battle.army(side).name);
            reader.doubt(at, reason);
        }
        places(reader, battle, side, lines);
    }
}

/// Where units of a side stand.
fn places(reader: &mut Reader, battle: &Battle, side: Side, lines: &BTreeMap<(Side, usize), LineColumn>) {
    let army = battle.army(side);
    let enemys: BTreeSet<&Hex> = battle.army(side.other()).ground.iter().collect();
    let mut waiting = true;
    for (place, spec) in army.brigades.iter().enumerate() {
        waiting &= spec.start.turn > 0;
        let at = lines.get(&(side, place)).copied().unwrap_or_default();
        if spec.start.turn == 0 && enemys.contains(&spec.start.at) {
            let (name, hex, enemy) = (&spec.name, spec.start.at, &battle.army(side.other()).name);
            reader.doubt(at, format!("{name} stands in {hex}, which is ground of {enemy}"));
        }
        if spec.start.turn == battle.last_turn() {
            reader.doubt(at, format!("{} comes in the last turn: it can do nothing", spec.name));
        }
    }
    if let Some(at) = lines.get(&(side, 0)).filter(|_| waiting) {
        reader.doubt(*at, format!("nobody of {} is there at the start", army.name));
    }
}

/// The hexes that infantry can come to from these.
fn reachable(numbers: &Numbers, map: &Map, starts: Vec<Hex>) -> BTreeSet<Hex> {
    let mut open = starts;
    let mut found: BTreeSet<Hex> = open.iter().copied().collect();
    while let Some(hex) = open.pop() {
        for (way, next) in map.around(hex) {
            let enters = numbers.terrain(map.ground(next)).column.is_some();
            if enters && map.side(hex, way).is_open() && found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

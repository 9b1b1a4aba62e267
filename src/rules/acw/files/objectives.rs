//! Reads the objectives of a battle.

use musterd_engine::alike::names;
use musterd_engine::hex::Hex;
use musterd_engine::yaml::{Reader, short};
use musterd_kit::data::{At, whole};
use musterd_kit::names::is_one;

use super::declared::{MOST_OBJECTIVES, ScenarioFile, WorthLine};
use super::ground::{ReadMap, misread};
use super::hours::{self, Hours};
use crate::battle::{Objective, Worth};
use crate::model::ObjectiveId;
use crate::numbers::Numbers;

/// The objectives as read.
pub(super) struct Objectives {
    pub(super) list: Vec<Objective>,
    /// Their names with their places in the file.
    pub(super) named: Vec<At<String>>,
    /// Whether the names of all are known.
    known: bool,
}

/// Reads the objectives, and notes their faults.
pub(super) fn read(
    reader: &mut Reader,
    file: &ScenarioFile,
    (map, hours, numbers): (&ReadMap, &Hours, &Numbers),
) -> Objectives {
    let list = &file.objectives;
    match list.value.len() {
        0 if list.known().is_some() => reader.fault(list.at, "a battle has objectives: add one"),
        many if many > MOST_OBJECTIVES => {
            reader.fault(list.at, format!("there are {many} objectives: write at most {MOST_OBJECTIVES}"));
        }
        _ => {}
    }
    let known = list.known().is_some()
        && whole(&list.value)
        && list.value.iter().all(|line| line.value.name.known().is_some());
    let mut read = Objectives { list: Vec::new(), named: Vec::new(), known };
    for line in list.value.iter().filter_map(At::known) {
        let hex = map.bounds().hex(reader, &line.hex);
        if let Some(hex) = hex {
            if map.is_closed(numbers, hex) {
                let ground = numbers.ground_name(map.map.ground(hex));
                reader.fault(line.hex.at, format!("nobody can enter {ground} in {hex}: choose another hex"));
            }
            if let Some(other) = read.list.iter().find(|other| other.hex == hex) {
                let reason = format!("{} is in {hex} already: a hex has one objective", short(&other.name));
                reader.fault(line.hex.at, reason);
            }
        }
        if let Some(name) = line.name.known() {
            check_name(reader, &read, map, &line.name, hex.filter(|_| name == &line.name.value));
        }
        let late = "it would count in no turn after that one";
        let turns = match &line.turns {
            Some(turns) => hours::span(reader, hours, turns, late),
            None => hours.last().map(|last| (1, last)),
        };
        read.named.push(line.name.clone());
        read.list.push(Objective {
            name: line.name.value.clone(),
            hex: hex.unwrap_or(Hex::new(1, 1)),
            held: line.held.into(),
            turns: turns.unwrap_or((1, 1)),
            worth: [&line.a, &line.b].map(|worth| points(worth.as_ref())),
        });
    }
    read
}

/// Notes what is wrong with the name of an objective.
fn check_name(reader: &mut Reader, read: &Objectives, map: &ReadMap, name: &At<String>, hex: Option<Hex>) {
    let text = name.value.as_str();
    if read.named.iter().any(|other| is_one(&other.value, text)) {
        reader.fault(name.at, format!("two objectives are called `{}`: call one otherwise", short(text)));
    }
    if let Some(as_what) = misread(text, hex) {
        let reason = format!("orders read `{}` as {as_what}: call the objective otherwise", short(text));
        reader.fault(name.at, reason);
    }
    let Some(hex) = hex else { return };
    for (other, place) in &map.named {
        if *other != hex && is_one(&place.value, text) {
            let reason =
                format!("`{}` is the map's name of {other}: call the objective otherwise", short(text));
            reader.fault(name.at, reason);
        }
        if *other == hex && !is_one(&place.value, text) {
            let reason = format!(
                "{hex} is {} on the map: orders know it by the objective's name alone",
                short(&place.value)
            );
            reader.doubt(name.at, reason);
        }
    }
}

fn points(line: Option<&WorthLine>) -> Worth {
    line.map_or(Worth { turn: 0, end: 0 }, |line| Worth { turn: line.turn, end: line.end })
}

impl Objectives {
    /// The objective of a name.
    pub(super) fn find(&self, reader: &mut Reader, name: &At<String>) -> Option<ObjectiveId> {
        let text = name.known()?;
        let place = self.named.iter().position(|other| is_one(&other.value, text));
        if place.is_none() && self.known {
            let known = names(text, self.named.iter().map(|other| other.value.as_str()));
            reader.fault(name.at, format!("`{}` is no objective; {known}", short(text)));
        }
        place.and_then(|place| u8::try_from(place).ok()).map(ObjectiveId)
    }
}

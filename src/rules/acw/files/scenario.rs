//! Reads a scenario with its map.

use std::collections::BTreeMap;

use musterd_engine::files::RuleFiles;
use musterd_engine::hex::Hex;
use musterd_engine::yaml::{Reader, short};
use musterd_kit::data::At;
use musterd_kit::files::{Found, check_name, named, open};
use musterd_kit::names::is_one;

use super::army::{self, Beside, Roster, Taken};
use super::declared::{MapFile, NUMBERS, ScenarioFile, SideLine};
use super::ground::{self, ReadMap};
use super::looks::Taken as Signs;
use super::{doubts, hours, objectives, paths};
use crate::battle::{Army, Battle, FILE};
use crate::model::Side;
use crate::numbers::Numbers;
use crate::options::Choices;

/// The folder of the maps.
const MAPS: &str = "maps";

/// Reads `scenario.yaml` and the map that it names.
pub(crate) fn read(files: &RuleFiles, numbers: &Numbers, choices: &Choices) -> (Option<Battle>, Found) {
    let (mut reader, file) = open::<ScenarioFile>(files, FILE, &NUMBERS);
    let id = file.as_ref().map(|file| file.id.clone());
    let mut others = Found::default();
    let battle = file.and_then(|file| {
        let map = match named(&mut reader, files, MAPS, &file.map) {
            Some(path) => map_file(&mut others, files, numbers, &path),
            None => ReadMap::default(),
        };
        read_battle(&mut reader, file, map, numbers, choices)
    });
    let mut found = Found { id, ..Found::from(reader).in_order() };
    found.add(others);
    (battle, found)
}

/// Reads a map file of its own.
pub(crate) fn map(files: &RuleFiles, numbers: &Numbers, path: &str) -> Found {
    let mut found = Found::default();
    map_file(&mut found, files, numbers, path);
    found
}

fn map_file(found: &mut Found, files: &RuleFiles, numbers: &Numbers, path: &str) -> ReadMap {
    let (mut reader, file) = open::<MapFile>(files, path, &NUMBERS);
    let read = file.map(|file| {
        check_name(&mut reader, path, &file.id);
        let mut read = ground::read(&mut reader, &file, numbers);
        paths::lay(&mut reader, &file, numbers, &mut read);
        read
    });
    reader.errors.sort_by_key(|fault| fault.at);
    found.add(reader);
    read.unwrap_or_default()
}

fn read_battle(
    reader: &mut Reader,
    file: ScenarioFile,
    map: ReadMap,
    numbers: &Numbers,
    choices: &Choices,
) -> Option<Battle> {
    let hours = hours::read(reader, &file);
    let objectives = objectives::read(reader, &file, (&map, &hours, numbers));
    let radio = choices.radio.unwrap_or(file.radio);
    let letter = |line: &At<SideLine>| {
        let side = line.known()?;
        Some((*side.letter.known()?, side.name.value.clone()))
    };
    let signs = Signs { numbers, letters: file.sides.value.iter().filter_map(letter).collect() };
    let beside = Beside {
        numbers,
        map: &map,
        hours: &hours,
        objectives: &objectives,
        signs,
        radio,
        corps: choices.corps,
    };
    if let Some(sides) = file.sides.known().filter(|sides| sides.len() != 2) {
        reader.fault(file.sides.at, format!("a battle has two sides, not {}", sides.len()));
    }
    let mut taken = Taken::new();
    let mut rosters = Vec::new();
    let lines: Vec<(Side, &At<SideLine>)> = Side::ALL.into_iter().zip(&file.sides.value).collect();
    for (side, line) in lines.iter().filter(|(_, line)| line.known().is_some()) {
        rosters.push(army::read(reader, *side, line, &beside, &mut taken));
    }
    compare(reader, &lines, &rosters);
    unlike_units(reader, &objectives.named, &map, &rosters);
    let [mut a, mut b]: [Roster<'_>; 2] = rosters.try_into().ok()?;
    grounds(reader, &map, &lines, [&mut a.army, &mut b.army], &taken);
    doubts::hours(reader, &file);
    let places = Side::ALL.into_iter().zip([&a, &b]).flat_map(|(side, roster)| {
        roster.lines.iter().enumerate().map(move |(place, at)| ((side, place), *at))
    });
    let places: BTreeMap<(Side, usize), _> = places.collect();
    let (armies, named) = ([a.army, b.army], objectives.named);
    if !reader.errors.is_empty() || !map.sized || map.ground_known.contains(&false) {
        return None;
    }
    let mut ground = map.map;
    for objective in &objectives.list {
        ground.places.insert(objective.hex, objective.name.clone());
    }
    let battle = Battle {
        title: file.title,
        setting: file.kind,
        date: file.date,
        situation: file.situation,
        sources: file.sources,
        map: ground,
        hours: hours.hours,
        objectives: objectives.list,
        radio: file.radio,
        exposed: file.exposed,
        armies,
    };
    doubts::battle(reader, numbers, &battle, &named, &places);
    Some(battle)
}

/// Notes what two sides can't both have, and names of places that are units'.
fn compare(reader: &mut Reader, lines: &[(Side, &At<SideLine>)], rosters: &[Roster<'_>]) {
    let mut seats: Vec<&str> = Vec::new();
    for seat in rosters.iter().flat_map(|roster| &roster.seats) {
        if seats.contains(&seat.value.as_str()) {
            reader.fault(seat.at, format!("two commanders have the seat `{}`", short(&seat.value)));
        }
        seats.push(&seat.value);
    }
    if let [(_, a), (_, b)] = lines
        && a.known().is_some()
        && b.known().is_some()
    {
        let (a, b) = (&a.value, &b.value);
        if a.name.known().is_some() && a.name.known() == b.name.known() {
            reader.fault(b.name.at, "both sides have the same name");
        }
        if a.letter.known().is_some() && a.letter.known() == b.letter.known() {
            reader.fault(b.letter.at, "both sides have the same letter");
        }
        let colour =
            |side: &SideLine| side.look.as_ref().and_then(At::known).and_then(|look| look.colour.clone());
        if let (Some(first), Some(second)) = (colour(a), colour(b))
            && first.value.eq_ignore_ascii_case(&second.value)
        {
            reader.doubt(second.at, "both sides have counters of the same colour");
        }
    }
}

/// Notes names of places and objectives that are names of units too: orders would take the one for the other.
fn unlike_units(reader: &mut Reader, objectives: &[At<String>], map: &ReadMap, rosters: &[Roster<'_>]) {
    for unit in rosters.iter().flat_map(|roster| &roster.names) {
        let is_unit = |name: &str| is_one(&unit.value, name);
        if objectives.iter().any(|name| is_unit(&name.value)) {
            let reason = format!("an objective is called `{}` too: call one otherwise", short(&unit.value));
            reader.fault(unit.at, reason);
        } else if let Some((hex, _)) = map.named.iter().find(|(_, name)| is_unit(&name.value)) {
            let reason =
                format!("`{}` is the map's name of {hex}: call the unit otherwise", short(&unit.value));
            reader.fault(unit.at, reason);
        }
    }
}

/// The hexes that sides control at the start, and whose nobody can be.
fn grounds(
    reader: &mut Reader,
    map: &ReadMap,
    lines: &[(Side, &At<SideLine>)],
    armies: [&mut Army; 2],
    taken: &Taken,
) {
    let mut owners: BTreeMap<Hex, Side> = BTreeMap::new();
    let [a, b] = armies;
    for ((side, line), army) in lines.iter().zip([a, b]) {
        for (at, hexes) in map.bounds().hexes(reader, &line.value.ground) {
            if let Some(hex) = hexes.iter().find(|hex| owners.get(hex) == Some(&side.other())) {
                reader.fault(at, format!("{hex} is ground of the other side, too: it belongs to one"));
            }
            for hex in hexes {
                owners.entry(hex).or_insert(*side);
                army.ground.push(hex);
            }
        }
    }
    for (side, line) in lines {
        let Some(at) = line.value.at.as_ref().filter(|_| line.value.arrives.is_none()) else { continue };
        let Some(hex) = at.known() else { continue };
        let unit = taken.get(hex).map(|(side, _)| *side);
        if unit.or_else(|| owners.get(hex).copied()) == Some(side.other()) {
            let reason = format!("{hex} is the enemy's: an army's headquarters stands on its own ground");
            reader.fault(at.at, reason);
        }
    }
}

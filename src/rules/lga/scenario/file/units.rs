//! The units of a scenario file: the army lists, the build pool, garrisons, and who is recalled.

use std::collections::BTreeMap;

use super::{Raising, Recruiter};
use crate::model::{Arm, Nation, Side, Terrain, UnitId, UnitType};
use crate::scenario::declared::{PoolLine, Post, RecallLine, UnitLine};
use crate::scenario::{Recall, Scenario, Start, UnitSpec};
use musterd_engine::alike::guess;
use musterd_engine::hex::Hex;
use musterd_engine::yaml::{LineColumn, short};
use musterd_kit::data::At;
use musterd_kit::names::words;

/// What a unit counts as whose type is none; that was told.
const UNKNOWN: Arm = Arm::Infantry;

impl Recruiter<'_> {
    /// A unit on the map.
    pub(super) fn unit(&mut self, scenario: &mut Scenario, of: &Raising<'_>, line: At<UnitLine>) {
        let At { at, value: line, .. } = line;
        let kind = self.numbers.units.named(self.reader, &line.kind);
        let max = self.numbers.units.stats(kind.unwrap_or(UNKNOWN.into())).max_morale;
        let morale = line.morale.map_or(i64::from(max), |morale| {
            if let (Some(kind), Some(given)) = (kind, morale.known())
                && self.numbers.units.whole
                && *given > i64::from(max)
            {
                let reason = format!("`{given}` is no morale of {kind}; write a number from 0 to {max}");
                self.reader.fault(morale.at, reason);
            }
            morale.value
        });
        let morale = i8::try_from(morale).unwrap_or(max);
        let start = self.post(&line.at).map(|hex| {
            if let Some(reason) = self.misplaced(scenario, of, &line.name, hex) {
                self.reader.fault(line.at.at, reason);
            }
            Start { hex, garrison: line.garrison, morale, fatigue: line.fatigue }
        });
        let year = scenario.start.year;
        self.enlist(scenario, of, at, &line.name, (kind, year, line.modifier, start));
    }

    /// A unit of the build pool.
    pub(super) fn pooled(&mut self, scenario: &mut Scenario, of: &Raising<'_>, line: At<PoolLine>) {
        let At { at, value: line, .. } = line;
        let kind = self.numbers.units.named(self.reader, &line.kind);
        self.enlist(scenario, of, at, &line.name, (kind, line.year, line.modifier, None));
    }

    fn enlist(
        &mut self,
        scenario: &mut Scenario,
        of: &Raising<'_>,
        at: LineColumn,
        name: &At<String>,
        (kind, from_year, modifier, start): (Option<UnitType>, u16, Option<At<i8>>, Option<Start>),
    ) {
        self.whole &= name.known().is_some();
        self.modified(at, name, kind, modifier.as_ref());
        self.named(scenario, of, name);
        let Ok(id) = u16::try_from(scenario.units.len() + 1).map(UnitId) else { return };
        let name = name.value.clone();
        self.places.units.push(at);
        scenario.units.push(UnitSpec {
            id,
            called: format!("{name} ({id})"),
            name,
            nation: of.nation.unwrap_or(NOBODY),
            side: of.side.unwrap_or(Side::Neutral),
            kind: kind.unwrap_or(UNKNOWN.into()),
            modifier: modifier.map_or(0, |by| by.value),
            from_year,
            start,
        });
    }

    /// A headquarters has a modifier, and nothing else has.
    fn modified(
        &mut self,
        at: LineColumn,
        name: &At<String>,
        kind: Option<UnitType>,
        modifier: Option<&At<i8>>,
    ) {
        let name = called(name);
        match (kind.map(|kind| kind.arm), modifier) {
            (Some(Arm::Hq), None) => {
                let reason = format!("{name} is an HQ and has no modifier: add `modifier: 1`, 2 or 3");
                self.reader.fault(at, reason);
            }
            (None | Some(Arm::Hq), _) | (_, None) => {}
            (Some(_), Some(modifier)) if modifier.known().is_some() => {
                let reason = format!("{name} is no HQ, so it has no modifier: leave it out");
                self.reader.fault(modifier.at, reason);
            }
            (Some(_), Some(_)) => {}
        }
    }

    /// A unit's name can be told from a number, and from those of its nation's other units.
    fn named(&mut self, scenario: &Scenario, of: &Raising<'_>, name: &At<String>) {
        let named = &name.at;
        let Some(name) = name.known() else { return };
        let spelled = words(name);
        if spelled.iter().all(|word| word.chars().all(|c| c.is_ascii_digit())) {
            let reason = format!("`{}` can't be told from a number in orders: use letters", short(name));
            self.reader.fault(*named, reason);
        }
        let place = scenario.units.len();
        let first = *self.named.entry((of.before, spelled)).or_insert(place);
        if let Some(twin) = scenario.units.get(first).filter(|twin| !twin.name.is_empty()) {
            let line = self.places.units.get(first).map_or(0, |at| at.line);
            let reason = format!(
                "{} has a unit called {} already (line {line}): call this one otherwise",
                of.traits.map_or("this nation", |traits| &traits.name),
                twin.name
            );
            self.reader.fault(*named, reason);
        }
    }

    /// The hex that a unit stands in.
    fn post(&mut self, post: &At<Post>) -> Option<Hex> {
        let Post(text) = post.known()?;
        match text.parse::<Hex>() {
            Ok(hex) => Some(hex),
            Err(error) => {
                let city = self.map.city(text).map(|hex| format!("; {} is \"{hex}\"", short(text)));
                self.reader.fault(post.at, format!("{error}{}", city.unwrap_or_default()));
                None
            }
        }
    }

    /// Why a unit can't start in a hex, as far as it is known what stands where.
    fn misplaced(
        &self,
        scenario: &Scenario,
        of: &Raising<'_>,
        name: &At<String>,
        hex: Hex,
    ) -> Option<String> {
        let name = called(name);
        let Some(area) = self.map.area(hex) else {
            let last = self.map.last();
            let reason = format!("{name} stands at {hex}, off the map: its last hex is {last}");
            return Some(reason).filter(|_| self.gaps.sized);
        };
        if self.gaps.vague.contains(hex) {
            return None;
        }
        let place = self.map.place(hex);
        match area.terrain {
            Terrain::Sea if of.traits.is_some_and(|traits| !traits.sails) => {
                let who = match self.setting.setting.sailors() {
                    Some(sailors) => format!("only {sailors} units sail"),
                    None => "no nation's units sail".to_owned(),
                };
                Some(format!("{name} stands at {hex}, which is sea: {who}"))
            }
            Terrain::Sea if area.closed_sea => {
                Some(format!("{name} stands at {hex}, a sea that is closed: choose another hex"))
            }
            Terrain::Sea => None,
            Terrain::Prohibited => {
                Some(format!("{name} stands at {hex}, which is closed ground: choose another hex"))
            }
            _ if self.vague.contains(hex) => None,
            Terrain::Clear | Terrain::Forest | Terrain::Mountain | Terrain::Marsh => {
                match scenario.control.get(&hex) {
                    None => Some(format!(
                        "{name} stands at {place}, which is out of play: change it in `control`"
                    )),
                    Some(holder) if of.side.is_some_and(|side| side != *holder) => Some(format!(
                        "{name} stands at {place}, which the {holder} side holds: change the hex or `control`"
                    )),
                    Some(_) => None,
                }
            }
        }
    }

    /// A garrison stands in a city, is of a type that can, and is alone in it as such (manual 3.5, 3.6).
    pub(super) fn garrisons(&mut self, scenario: &Scenario) {
        let mut held: BTreeMap<Hex, &str> = BTreeMap::new();
        for (unit, &at) in scenario.units.iter().zip(&self.places.units) {
            let Some(start) = unit.start.filter(|start| start.garrison) else { continue };
            let (name, place) = (unit.name.as_str(), self.map.place(start.hex));
            let name = if name.is_empty() { NAMELESS } else { name };
            if !unit.kind.arm.can_garrison() {
                let reason = format!(
                    "{name} is {} and can't be a garrison: infantry, guard and militia can",
                    unit.kind
                );
                self.reader.fault(at, reason);
            }
            if self.gaps.settled && self.map.area(start.hex).is_some_and(|area| area.city.is_none()) {
                self.reader.fault(at, format!("{name} can't be a garrison at {place}: no city stands there"));
            }
            if let Some(other) = held.insert(start.hex, name) {
                let reason = format!("{name} can't be a second garrison of {place}: {other} is it");
                self.reader.fault(at, reason);
            }
        }
    }

    /// Who is called away, and where to; `dated`: whether it is known when the scenario starts and ends.
    pub(super) fn recall(&mut self, scenario: &mut Scenario, line: &RecallLine, dated: bool) {
        let to = self.city(&line.to);
        if let Some(when) = line.when.known().filter(|_| dated) {
            let (start, end) = (scenario.start, scenario.end);
            if !(start..=end).contains(when) {
                let reason = format!("{when} is not in the scenario, which runs from {start} to {end}");
                self.reader.fault(line.when.at, reason);
            }
        }
        let Some(name) = line.unit.known() else { return };
        let unit = scenario.units.iter().find(|unit| unit.name == *name).map(|unit| unit.id);
        if unit.is_none() && self.whole {
            let near = guess(name, scenario.units.iter().map(|u| u.name.as_str()));
            self.reader.fault(line.unit.at, format!("the scenario has no unit called {}{near}", short(name)));
        }
        if let Some((unit, to)) = unit.zip(to) {
            scenario.recalls.push(Recall { unit, to, when: line.when.value });
        }
    }
}

/// What a unit is called that has no name.
const NAMELESS: &str = "this unit";

/// The nation of a unit whose nation is not known.
const NOBODY: Nation = match Nation::of("nobody") {
    Some(nation) => nation,
    None => panic!("a word"),
};

/// A unit's name, if it is known.
fn called(name: &At<String>) -> &str {
    name.known().map_or(NAMELESS, String::as_str)
}

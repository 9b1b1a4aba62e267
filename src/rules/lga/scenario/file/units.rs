//! The units of a scenario file: the army lists, the build pool, garrisons, and who is recalled.

use std::collections::BTreeMap;

use super::Recruiter;
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
    pub(super) fn unit(&mut self, scenario: &mut Scenario, who: (Side, Nation), line: At<UnitLine>) {
        let At { at, value: line, .. } = line;
        let kind = self.numbers.units.named(self.reader, &line.kind);
        let max = self.numbers.stats(kind.unwrap_or(UNKNOWN.into())).max_morale;
        let morale = line.morale.map_or(i64::from(max), |morale| {
            if let Some(kind) = kind
                && morale.value > i64::from(max)
            {
                let given = morale.value;
                let reason = format!("`{given}` is no morale of {kind}; write a number from 0 to {max}");
                self.reader.fault(morale.at, reason);
            }
            morale.value
        });
        let morale = i8::try_from(morale).unwrap_or(max);
        let start = self.post(&line.at).map(|hex| {
            if self.solid
                && let Some(reason) = self.misplaced(scenario, who, &line.name.value, hex)
            {
                self.reader.fault(line.at.at, reason);
            }
            Start { hex, garrison: line.garrison, morale, fatigue: line.fatigue }
        });
        let year = scenario.start.year;
        self.enlist(scenario, who, at, &line.name, (kind, year, line.modifier, start));
    }

    /// A unit of the build pool.
    pub(super) fn pooled(&mut self, scenario: &mut Scenario, who: (Side, Nation), line: At<PoolLine>) {
        let At { at, value: line, .. } = line;
        let kind = self.numbers.units.named(self.reader, &line.kind);
        self.enlist(scenario, who, at, &line.name, (kind, line.year, line.modifier, None));
    }

    fn enlist(
        &mut self,
        scenario: &mut Scenario,
        (side, nation): (Side, Nation),
        at: LineColumn,
        name: &At<String>,
        (kind, from_year, modifier, start): (Option<UnitType>, u16, Option<At<i8>>, Option<Start>),
    ) {
        let At { at: named, value: name, .. } = name;
        match (kind.map(|kind| kind.arm), &modifier) {
            (Some(Arm::Hq), None) => {
                let reason = format!("{name} is an HQ and has no modifier: add `modifier: 1`, 2 or 3");
                self.reader.fault(at, reason);
            }
            (Some(Arm::Hq) | None, Some(_)) | (_, None) => {}
            (_, Some(modifier)) => {
                let reason = format!("{name} is no HQ, so it has no modifier: leave it out");
                self.reader.fault(modifier.at, reason);
            }
        }
        let spelled = words(name);
        if spelled.iter().all(|word| word.chars().all(|c| c.is_ascii_digit())) {
            let reason = format!("`{}` can't be told from a number in orders: use letters", short(name));
            self.reader.fault(*named, reason);
        }
        if let Some(twin) = scenario.units.iter().find(|u| u.nation == nation && words(&u.name) == spelled) {
            let line = self.places.units.get(usize::from(twin.id.0) - 1).map_or(0, |at| at.line);
            let reason = format!(
                "{} has a unit called {} already (line {line}): call this one otherwise",
                self.setting.of(nation).name,
                twin.name
            );
            self.reader.fault(*named, reason);
        }
        let Ok(id) = u16::try_from(scenario.units.len() + 1).map(UnitId) else { return };
        self.places.units.push(at);
        scenario.units.push(UnitSpec {
            id,
            name: name.clone(),
            called: format!("{name} ({id})"),
            nation,
            side,
            kind: kind.unwrap_or(UNKNOWN.into()),
            modifier: modifier.map_or(0, |by| by.value),
            from_year,
            start,
        });
    }

    /// The hex that a unit stands in.
    fn post(&mut self, post: &At<Post>) -> Option<Hex> {
        let Post(text) = &post.value;
        match text.parse::<Hex>() {
            Ok(hex) => Some(hex),
            Err(error) => {
                let city = self.map.city(text).map(|hex| format!("; {} is \"{hex}\"", short(text)));
                self.reader.fault(post.at, format!("{error}{}", city.unwrap_or_default()));
                None
            }
        }
    }

    /// Why a unit can't start in a hex.
    fn misplaced(&self, scenario: &Scenario, who: (Side, Nation), name: &str, hex: Hex) -> Option<String> {
        let (side, nation) = who;
        let Some(area) = self.map.area(hex) else {
            let last = Hex::new(self.map.columns(), self.map.rows());
            return Some(format!("{name} stands at {hex}, off the map: its last hex is {last}"));
        };
        let place = self.map.place(hex);
        match area.terrain {
            Terrain::Sea if !self.setting.of(nation).sails => {
                let who = match self.setting.sailors() {
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
                    Some(holder) if *holder != side => Some(format!(
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
        for unit in &scenario.units {
            let Some(start) = unit.start.filter(|start| start.garrison && self.solid) else { continue };
            let at = self.places.units.get(usize::from(unit.id.0) - 1).copied().unwrap_or_default();
            let (name, place) = (&unit.name, self.map.place(start.hex));
            let able = unit.kind.arm.can_garrison();
            if !able {
                let reason = format!(
                    "{name} is {} and can't be a garrison: infantry, guard and militia can",
                    unit.kind
                );
                self.reader.fault(at, reason);
            }
            if self.map.area(start.hex).is_some_and(|area| area.city.is_none()) {
                self.reader.fault(at, format!("{name} can't be a garrison at {place}: no city stands there"));
            }
            if let Some(other) = held.insert(start.hex, name) {
                let reason = format!("{name} can't be a second garrison of {place}: {other} is it");
                self.reader.fault(at, reason);
            }
        }
    }

    pub(super) fn recall(&mut self, scenario: &mut Scenario, line: RecallLine) {
        let to = self.city(&line.to);
        let At { at, value: name, .. } = line.unit;
        let Some(unit) = scenario.units.iter().find(|u| u.name == name) else {
            let near = guess(&name, scenario.units.iter().map(|u| u.name.as_str()));
            self.reader.fault(at, format!("the scenario has no unit called {}{near}", short(&name)));
            return;
        };
        let (start, end, when) = (scenario.start, scenario.end, line.when.value);
        if !(start..=end).contains(&when) {
            let reason = format!("{when} is not in the scenario, which runs from {start} to {end}");
            self.reader.fault(line.when.at, reason);
        }
        if let Some(to) = to {
            scenario.recalls.push(Recall { unit: unit.id, to, when });
        }
    }
}

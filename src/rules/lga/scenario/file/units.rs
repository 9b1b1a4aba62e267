//! The units of a scenario file: the army lists, the build pool, garrisons, and who is recalled.

use std::collections::BTreeMap;

use super::{Recruiter, YEARS};
use crate::folding::words;
use crate::model::{Nation, Side, Terrain, UnitId, UnitType};
use crate::scenario::{Recall, Scenario, Start, UnitSpec};
use musterd_engine::alike::guess;
use musterd_engine::hex::Hex;
use musterd_engine::yaml::{LineColumn, Node, short};

/// The most fatigue that a unit can start with.
const MOST_FATIGUE: i64 = 9;

const TYPES: [&str; 5] = ["infantry", "guard", "militia", "cavalry", "hq"];

impl Recruiter<'_> {
    /// A unit, on the map or in the build pool.
    pub(super) fn unit(
        &mut self,
        scenario: &mut Scenario,
        (side, nation): (Side, Nation),
        node: &Node,
        placed: bool,
    ) {
        let (what, keys): (_, &[&str]) = match placed {
            true => ("a unit", &["name", "type", "at", "garrison", "morale", "fatigue", "modifier"]),
            false => ("a unit of the pool", &["name", "type", "year", "modifier"]),
        };
        let fields = self.reader.fields(node, what, keys);
        let name =
            fields.need(self.reader, "name").and_then(|n| Some((n, self.reader.text(n, "a unit's name")?)));
        let kind = fields.need(self.reader, "type").and_then(|n| self.reader.word(n, "type", &TYPES));
        let from_year = if placed {
            Some(scenario.start.year)
        } else {
            fields.need(self.reader, "year").and_then(|n| self.reader.number(n, "year", YEARS))
        };
        let modifier = fields.get("modifier");
        let modifier = modifier.map(|n| (n.at, self.reader.number::<i8>(n, "modifier", 1..=3).unwrap_or(1)));
        let hex = if placed { fields.need(self.reader, "at").and_then(|n| self.post(n)) } else { None };
        let (Some((name_node, name)), Some(kind)) = (name, kind) else { return };
        match (kind, modifier) {
            (UnitType::Hq, None) => {
                self.reader.fault(
                    fields.at,
                    format!("{name} is an HQ and has no modifier: add `modifier: 1`, 2 or 3"),
                );
            }
            (UnitType::Hq, Some(_)) | (_, None) => {}
            (_, Some((at, _))) => {
                self.reader.fault(at, format!("{name} is no HQ, so it has no modifier: leave it out"));
            }
        }
        let spelled = words(name);
        if spelled.iter().all(|word| word.chars().all(|c| c.is_ascii_digit())) {
            let reason = format!("`{}` can't be told from a number in orders: use letters", short(name));
            self.reader.fault(name_node.at, reason);
        }
        if let Some(twin) = scenario.units.iter().find(|u| u.nation == nation && words(&u.name) == spelled) {
            let line = self.places.units.get(usize::from(twin.id.0) - 1).map_or(0, |at| at.line);
            let reason = format!(
                "{} has a unit called {} already (line {line}): call this one otherwise",
                self.setting.of(nation).name,
                twin.name
            );
            self.reader.fault(name_node.at, reason);
        }
        let garrison =
            fields.get("garrison").and_then(|n| self.reader.flag(n, "`garrison`")).unwrap_or_default();
        let max = self.numbers.stats(kind).max_morale;
        let morale = fields.get("morale");
        let morale =
            morale.and_then(|n| self.reader.number(n, &format!("morale of {kind}"), 0..=i64::from(max)));
        let fatigue = fields.get("fatigue").and_then(|n| self.reader.number(n, "fatigue", 0..=MOST_FATIGUE));
        let start = hex.map(|(at, hex)| {
            if self.solid
                && let Some(reason) = self.misplaced(scenario, (side, nation), name, hex)
            {
                self.reader.fault(at, reason);
            }
            let (morale, fatigue) = (morale.unwrap_or(max), fatigue.unwrap_or_default());
            Start { hex, garrison, morale, fatigue }
        });
        let Ok(id) = u16::try_from(scenario.units.len() + 1).map(UnitId) else { return };
        self.places.units.push(fields.at);
        scenario.units.push(UnitSpec {
            id,
            name: name.to_owned(),
            called: format!("{name} ({id})"),
            nation,
            side,
            kind,
            modifier: modifier.map_or(0, |(_, by)| by),
            from_year: from_year.unwrap_or_default(),
            start,
        });
    }

    /// The hex that a unit stands in.
    fn post(&mut self, node: &Node) -> Option<(LineColumn, Hex)> {
        let text = self.reader.text(node, "the hex")?;
        match text.parse::<Hex>() {
            Ok(hex) => Some((node.at, hex)),
            Err(error) => {
                let city = self.map.city(text).map(|hex| format!("; {} is \"{hex}\"", short(text)));
                self.reader.fault(node.at, format!("{error}{}", city.unwrap_or_default()));
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
                let sailors = self.setting.sailors();
                Some(format!("{name} stands at {hex}, which is sea: only {sailors} units sail"))
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
            let able = matches!(unit.kind, UnitType::Infantry | UnitType::Guard | UnitType::Militia);
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

    pub(super) fn recall(&mut self, scenario: &mut Scenario, node: &Node) {
        let fields = self.reader.fields(node, "a recall", &["unit", "to", "when"]);
        let to = fields.need(self.reader, "to").and_then(|n| self.city(n));
        let when = fields.need(self.reader, "when").and_then(|n| Some((n.at, self.date(n)?)));
        let Some(named) = fields.need(self.reader, "unit") else { return };
        let Some(name) = self.reader.text(named, "a unit's name") else { return };
        let Some(unit) = scenario.units.iter().find(|u| u.name == name) else {
            let near = guess(name, scenario.units.iter().map(|u| u.name.as_str()));
            self.reader.fault(named.at, format!("the scenario has no unit called {}{near}", short(name)));
            return;
        };
        if let Some((at, date)) = when.filter(|(_, date)| !(scenario.start..=scenario.end).contains(date)) {
            let (start, end) = (scenario.start, scenario.end);
            self.reader.fault(at, format!("{date} is not in the scenario, which runs from {start} to {end}"));
        }
        if let (Some(to), Some((_, when))) = (to, when) {
            scenario.recalls.push(Recall { unit: unit.id, to, when });
        }
    }
}

//! The examination of a scenario or map for its author: every error, doubtful things, and a comparison of the sides.

use std::collections::{BTreeMap, BTreeSet};

use super::chart::{self, Forces};
use super::data::{Lga, SHIPPED};
use super::footing::Traveller;
use super::ground::closed;
use super::map::ReadMap;
use super::model::{Arm, CityRank, Level, Nation, Side};
use super::numbers::{self, Numbers};
use super::scenario::{self, Places, ReadScenario, SideSpec};
use super::setting::{Builds, ReadSetting, Setting, is_usual, strange_countries};
use super::state::State;
use super::supply::Supply;
use super::terrains::Terrains;
use super::victory;
use musterd_engine::briefing::{Part, Section};
use musterd_engine::files::{DataError, RuleFiles};
use musterd_engine::hex::{Hex, HexSet};
use musterd_engine::yaml::LineColumn;
use musterd_engine::{Examination, Ruleset};
use musterd_kit::way::Ways;
use musterd_report as report;

/// The ratio of strength from which the examination mentions that one side is stronger than another.
const LOPSIDED: i32 = 3;

/// How a doubt about a country of a setting begins.
const THE_MAP_LACKS: &str = "the map has no country";

/// Examines `file`: a map, a setting, the numbers, or the scenario that is in `files` as `scenario.yaml`.
pub(super) fn examine(files: &RuleFiles, file: &str) -> Examination {
    let mut examination = match file.trim_end_matches(".yaml").split_once('/') {
        Some(("maps", name)) => of_map(files, name),
        Some(("settings", name)) => of_setting(files, name),
        None if file == numbers::FILE => {
            Examination::failed(Numbers::load(files).err().map_or_else(Vec::new, |e| e.0))
        }
        _ => of_scenario(files, file),
    }
    .of_file(file);
    for found in [&mut examination.errors, &mut examination.warnings] {
        found.sort_by(|a, b| (&a.file, a.at).cmp(&(&b.file, b.at)));
    }
    examination
}

fn of_map(files: &RuleFiles, name: &str) -> Examination {
    // Faults of the numbers are told of their own file.
    let (draft, _) = Numbers::draft(files);
    let terrains = draft.map_or(Terrains::unknown(), |numbers| numbers.terrains);
    let ReadMap { map, setting, errors, mut warnings, .. } = ReadMap::read(files, name, &terrains);
    let errors = [setting.errors, errors].concat();
    if !errors.is_empty() {
        return Examination { errors, warnings, summary: Vec::new() };
    }
    let (setting, known) = (&setting.setting, map.countries());
    // A map of the usual setting need not have all its nations.
    let is_there = |nation| {
        !is_usual(setting) || setting.find(nation).is_some_and(|of| known.contains(of.country.value.as_str()))
    };
    warnings.extend(strange_countries(setting, is_shipped(files, setting), &known, is_there, THE_MAP_LACKS));
    Examination { errors, warnings, summary: chart::survey(&map) }
}

/// Whether a setting is as the program ships it.
fn is_shipped(files: &RuleFiles, setting: &Setting) -> bool {
    let text = files.0.get(&setting.file);
    text.is_none_or(|text| SHIPPED.contains(&(setting.file.as_str(), text.as_str())))
}

/// A setting, compared with the maps that are of it; with all maps if none is.
fn of_setting(files: &RuleFiles, name: &str) -> Examination {
    let ReadSetting { setting, errors, .. } = ReadSetting::read(files, Some(name));
    if !errors.is_empty() {
        return Examination::failed(errors);
    }
    let (draft, _) = Numbers::draft(files);
    let terrains = draft.map_or(Terrains::unknown(), |numbers| numbers.terrains);
    let names = files.0.keys().filter_map(|path| path.strip_prefix("maps/")?.strip_suffix(".yaml"));
    let maps = names.map(|name| ReadMap::read(files, name, &terrains));
    let maps: Vec<ReadMap> = maps.filter(|map| map.errors.is_empty()).collect();
    let is_of_it = |map: &&ReadMap| map.setting.setting.file == setting.file;
    let of_it: Vec<&ReadMap> = match maps.iter().filter(is_of_it).collect::<Vec<_>>() {
        none if none.is_empty() => maps.iter().collect(),
        of_it => of_it,
    };
    if of_it.is_empty() {
        return Examination::default();
    }
    let known = of_it.iter().flat_map(|map| map.map.countries()).collect();
    let warnings = strange_countries(
        &setting,
        is_shipped(files, &setting),
        &known,
        |_| true,
        "no map of this setting has a country",
    );
    Examination { warnings, ..Examination::default() }
}

fn of_scenario(files: &RuleFiles, file: &str) -> Examination {
    // If the numbers can't be used, the shipped ones are used for the examination.
    let (numbers, faults) = match Numbers::draft(files) {
        (Some(numbers), faults) if faults.is_empty() => (numbers, faults),
        (draft, faults) => {
            #[expect(clippy::expect_used, reason = "a test reads them")]
            let shipped = Numbers::load(&RuleFiles::of(&SHIPPED)).expect("the shipped numbers");
            (shipped.in_place_of(draft), faults)
        }
    };
    let draft = match ReadScenario::read(files, &numbers) {
        Err(errors) => return Examination::failed([errors.0, faults].concat()),
        Ok(draft) if !draft.errors.is_empty() || !faults.is_empty() => {
            let errors = [draft.errors, faults].concat();
            return Examination { errors, warnings: draft.warnings, summary: Vec::new() };
        }
        Ok(draft) => draft,
    };
    let rules = match Lga::from_files(files, &[]) {
        Err(errors) => return Examination::failed(errors.0),
        Ok(rules) => rules,
    };
    let state = State::at_start(&rules);
    let mut named = Examination { warnings: draft.warnings, ..Examination::default() };
    named.name(file, &rules.scenario.id, LineColumn { line: 1, column: 1 });
    let is_there = |nation| rules.scenario.units.iter().any(|unit| unit.nation == nation);
    let (setting, known) = (&rules.setting, rules.map.countries());
    named.warnings.extend(strange_countries(
        setting,
        is_shipped(files, setting),
        &known,
        is_there,
        THE_MAP_LACKS,
    ));
    let mut inspector = Inspector { rules: &rules, state, places: &draft.places, warnings: named.warnings };
    for spec in &rules.scenario.sides {
        inspector.levels(spec);
        inspector.forces(spec);
    }
    for (nation, _) in rules.scenario.nations() {
        inspector.nation(nation);
    }
    inspector.units();
    inspector.size();
    let mut levels = chart::levels(&rules);
    let most = rules.scenario.sides.iter().map(|spec| inspector.most(spec));
    chart::points_row(&mut levels, "all within reach", most);
    let after = [Part::Table(levels), Part::text(chart::at_the_start(&rules))];
    let standings = chart::forces(&rules).into_iter().chain(after).collect();
    Examination {
        errors: Vec::new(),
        warnings: inspector.warnings,
        summary: vec![Section::of("Balance", standings)],
    }
}

/// A scenario that can be played, examined for things that may not be meant.
struct Inspector<'a> {
    rules: &'a Lga,
    state: State,
    places: &'a Places,
    warnings: Vec<DataError>,
}

impl Inspector<'_> {
    fn doubt(&mut self, at: LineColumn, reason: impl Into<String>) {
        self.warnings.push(DataError { file: scenario::FILE.to_owned(), at, reason: reason.into() });
    }

    /// Checks that the victory levels of a side fit the points that it has and can get.
    fn levels(&mut self, spec: &SideSpec) {
        let at = self.places.levels.get(&spec.side).copied().unwrap_or_default();
        let (side, points) = (spec.side, victory::points(self.rules, &self.state.control, spec.side));
        match spec.level(points) {
            Level::AbsoluteVictory => self.doubt(
                at,
                format!("the {side} side starts with {points} points, an absolute victory: it can only hold or lose"),
            ),
            Level::AbsoluteDefeat => self.doubt(
                at,
                format!("the {side} side starts with {points} points, an absolute defeat: it can only stay or rise"),
            ),
            _ => {}
        }
        let most = self.most(spec);
        if let Some((level, least)) = spec.levels.iter().find(|(_, least)| *least > most) {
            let reason = format!(
                "{level} asks the {side} side for {least} points, but all the cities that it can reach bring {most}"
            );
            self.doubt(at, reason);
        }
        let reached = self.reached(side);
        let within_reach = |hex: &Hex| reached.contains(*hex) || self.state.control.get(hex) == Some(&side);
        let beyond: Vec<_> =
            self.prizes().filter(|hex| !within_reach(hex)).map(|hex| self.rules.map.place(hex)).collect();
        if !beyond.is_empty() {
            let at = self.places.sides.get(&side).copied().unwrap_or_default();
            self.doubt(at, format!("the {side} side can't get to {}", beyond.join(", ")));
        }
    }

    /// The cities in play that bring points.
    fn prizes(&self) -> impl Iterator<Item = Hex> + '_ {
        let worth = self.rules.map.cities().filter(|(_, city)| city.rank != CityRank::Minor);
        worth.map(|(hex, _)| hex).filter(|hex| self.rules.scenario.in_play(*hex))
    }

    /// The most points that a side can have: with every city that it holds or that one of its units can reach.
    fn most(&self, spec: &SideSpec) -> i32 {
        let reached = self.reached(spec.side);
        let mut state = self.state.clone();
        let gained: Vec<Hex> = self.prizes().filter(|hex| reached.contains(*hex)).collect();
        state.control.extend(gained.into_iter().map(|hex| (hex, spec.side)));
        victory::points(self.rules, &state.control, spec.side)
    }

    /// Every hex that some unit of a side can reach, ignoring enemies: from the places where units stand and are built.
    fn reached(&self, side: Side) -> HexSet {
        let mut starts: BTreeMap<(Nation, Arm), BTreeSet<Hex>> = BTreeMap::new();
        let takers = self.rules.scenario.units.iter().filter(|u| u.side == side && u.kind.arm != Arm::Hq);
        for unit in takers {
            let hexes = starts.entry((unit.nation, unit.kind.arm)).or_default();
            match unit.start {
                Some(start) => drop(hexes.insert(start.hex)),
                None => hexes.extend(self.sites(unit.nation)),
            }
        }
        let mut reached = HexSet::default();
        for ((nation, arm), hexes) in starts {
            let who = Traveller { nation, arm };
            let steps = |hex: Hex, ()| {
                let near = self.rules.map.neighbours(hex).filter(move |to| self.may_enter(who, *to));
                near.map(|to| (to, ()))
            };
            let starts = hexes.into_iter().map(|hex| (hex, ()));
            reached.extend(Ways::reach(self.rules.map.last(), starts, steps).reached().map(|(hex, ())| hex));
        }
        reached
    }

    fn may_enter(&self, who: Traveller, hex: Hex) -> bool {
        closed(self.rules, who, hex, self.state.control.get(&hex).copied()).is_none()
    }

    /// Where a nation can build at the start (manual 2.3, ruling LGA-37).
    fn sites(&self, nation: Nation) -> Vec<Hex> {
        let Some(side) = self.rules.scenario.side_of(nation) else { return Vec::new() };
        let traits = self.rules.setting.of(nation);
        let named = |hex: Hex, name: &String| match traits.builds {
            Builds::AnyCity => {
                self.rules.map.area(hex).is_some_and(|area| area.country == traits.country.value)
            }
            Builds::Capitals => traits.capitals.contains(name),
        };
        let cities = self.rules.map.cities().filter(|(hex, city)| named(*hex, &city.name));
        cities.map(|(hex, _)| hex).filter(|hex| self.state.control.get(hex) == Some(&side)).collect()
    }

    /// Checks that a side has units, and compares it with the others.
    fn forces(&mut self, spec: &SideSpec) {
        let at = self.places.sides.get(&spec.side).copied().unwrap_or_default();
        let own = Forces::of_side(self.rules, spec);
        if own.pieces() == 0 && own.pool == 0 {
            self.doubt(
                at,
                format!("the {} side has no unit: its seat would have nothing to order", spec.side),
            );
            return;
        }
        let others = self.rules.scenario.sides.iter().filter(|other| other.side != spec.side);
        let weaker = others.map(|other| (other.side, Forces::of_side(self.rules, other)));
        let beaten: Vec<_> =
            weaker.filter(|(_, s)| s.morale > 0 && own.morale >= LOPSIDED * s.morale).collect();
        for (other, strength) in beaten {
            self.doubt(
                at,
                format!(
                    "the {} side has {} points of morale on the map against {} of the {other} side: {LOPSIDED} times as \
                     many or more",
                    spec.side, own.morale, strength.morale
                ),
            );
        }
    }

    /// Whether a nation can build what it has in its pool, and has a source of supply.
    fn nation(&mut self, nation: Nation) {
        let at = self.places.nations.get(&nation).copied().unwrap_or_default();
        let pool = self.rules.scenario.units.iter().any(|u| u.nation == nation && u.start.is_none());
        if pool && self.sites(nation).is_empty() {
            let traits = self.rules.setting.of(nation);
            let name = &traits.name;
            let reason = match traits.builds {
                Builds::AnyCity => {
                    format!("{name} has units to build, but no {} city is held by its side", traits.adjective)
                }
                Builds::Capitals => format!(
                    "{name} has units to build, but its side does not hold {} to build them at",
                    traits.capitals.join(" or ")
                ),
            };
            self.doubt(at, reason);
        }
    }

    /// Reports units that starve, can't move, or never appear.
    fn units(&mut self) {
        let (scenario, map) = (&self.rules.scenario, &self.rules.map);
        let supply: BTreeMap<Side, Supply> =
            scenario.sides.iter().map(|s| (s.side, Supply::of(self.rules, &self.state, s.side))).collect();
        for (unit, &at) in scenario.units.iter().zip(&self.places.units) {
            let Some(start) = unit.start else {
                if unit.from_year > scenario.end.year {
                    let (year, end) = (unit.from_year, scenario.end);
                    self.doubt(
                        at,
                        format!("{} can be built from {year} on, but the scenario ends in {end}", unit.name),
                    );
                }
                continue;
            };
            if supply.get(&unit.side).is_some_and(|s| !s.serves(self.rules, &self.state, unit.id)) {
                let place = map.place(start.hex);
                let reason = format!(
                    "{} at {place} starts out of supply: no line leads to a source of its side",
                    unit.name
                );
                self.doubt(at, reason);
            }
            let who = Traveller { nation: unit.nation, arm: unit.kind.arm };
            if !map.neighbours(start.hex).any(|to| self.may_enter(who, to)) {
                let reason = format!(
                    "{} at {} can't move: every hex around it is closed to it",
                    unit.name,
                    map.place(start.hex)
                );
                self.doubt(at, reason);
            }
        }
    }

    /// Reports a map that is larger than a dispatch can show.
    fn size(&mut self) {
        let (first, last) = super::atlas::bounds(self.rules);
        let (wide, high) = (last.col - first.col + 1, last.row - first.row + 1);
        let (widest, highest) = (report::map::WIDEST, report::map::HIGHEST);
        if wide > widest || high > highest {
            let reason = format!(
                "{wide} columns and {high} rows are in play; the map of a dispatch shows {widest} columns and {highest} rows"
            );
            self.doubt(self.places.map, reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::shipped;

    /// What is doubted about the countries of a setting after a change to it, of the setting, the map and the scenario: with `named` the map names it.
    fn doubts(from: &str, to: &str, named: bool) -> [Vec<String>; 3] {
        let mut files = shipped("austrian-1805").unwrap();
        let own = if named { "settings/own.yaml" } else { "settings/napoleonic.yaml" };
        let text = files.0["settings/napoleonic.yaml"].replacen(from, to, 1);
        files.0.insert(own.to_owned(), text);
        if named {
            let map = files.0.get_mut("maps/europe.yaml").unwrap();
            *map = map.replacen("name: Europe\n", "name: Europe\nsetting: own\n", 1);
        }
        [own, "maps/europe.yaml", "scenarios/x.yaml"].map(|file| {
            let found = examine(&files, file);
            assert!(found.errors.is_empty(), "{:?}", found.errors);
            let of_setting = found.warnings.iter().filter(|doubt| doubt.file == own);
            of_setting.map(ToString::to_string).collect()
        })
    }

    #[test]
    fn a_country_of_a_setting_that_the_map_lacks_is_doubted_at_its_place() {
        let all = "there are Austria, Britain, Denmark, France, Holland, Italy, Portugal, Prussia, Rhine, Russia, Russian \
                   Hinterland, Spain, Sweden, Switzerland";
        for (from, to, place, said) in [
            ("country: Spain", "country: Spein", "30:14", "`Spein`; did you mean `Spain`?".to_owned()),
            ("[Russia, Spain,", "[Rusia, Spain,", "25:17", "`Rusia`; did you mean `Russia`?".to_owned()),
            ("country: Austria", "country: Autria", "35:69", "`Autria`; did you mean `Austria`?".to_owned()),
            ("in: [Russian Hinterland]", "in: [Siberia]", "43:19", format!("`Siberia`; {all}")),
            ("closed: [Russian Hinterland]", "closed: [Hinterland]", "60:34", format!("`Hinterland`; {all}")),
            ("confined: [Spain,", "confined: [Spian,", "62:53", "`Spian`; did you mean `Spain`?".to_owned()),
        ] {
            for (named, name) in [(true, "own"), (false, "napoleonic")] {
                let doubt = |lack| vec![format!("settings/{name}.yaml:{place}: {lack} {said}")];
                let (of_setting, of_map) =
                    (doubt("no map of this setting has a country"), doubt(THE_MAP_LACKS));
                assert_eq!(doubts(from, to, named), [of_setting, of_map.clone(), of_map], "{to}");
            }
        }
        // A nation without units in the scenario has no part in it.
        let [of_setting, of_map, of_scenario] = doubts("country: Spain", "country: Aragon", true);
        assert_eq!((of_setting.len(), of_map.len(), of_scenario.len()), (1, 1, 0));
    }
}

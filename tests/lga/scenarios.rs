//! The seven scenarios against the manual's own figures, which stand in `tests/cases/lga/scenarios/` as its section 6.0
//! prints them: dates, points, levels, forces, special rules; and what can be worked out from them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use musterd_engine::Ruleset;
use musterd_engine::hex::Hex;
use musterd_lga::model::{Arm, CityRank, Date, Level, Nation, Season, Side};
use musterd_lga::scenario::UnitSpec;
use musterd_lga::setup::Position;
use musterd_lga::view::View;
use musterd_lga::{Lga, SHIPPED, shipped};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A scenario as the manual prints it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Printed {
    number: usize,
    title: String,
    start: Date,
    end: Date,
    /// Null where the manual leaves a blank.
    points: BTreeMap<Nation, Option<i32>>,
    levels: BTreeMap<Side, [i32; 5]>,
    #[serde(default)]
    levels_as_printed: BTreeMap<Side, [i32; 5]>,
    forces: BTreeMap<Nation, Forces>,
    #[serde(default)]
    recalls: Vec<Recalled>,
    /// Who stands in a city together.
    #[serde(default)]
    together: BTreeMap<String, Vec<String>>,
    cities: BTreeMap<Side, BTreeSet<String>>,
    #[serde(default)]
    home: BTreeMap<Side, BTreeSet<String>>,
    opens: BTreeMap<Side, (i32, Level)>,
    most: BTreeMap<Side, i32>,
    columns: [u8; 2],
    closed: Vec<String>,
}

#[derive(Deserialize, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Forces {
    at_start: Counts,
    #[serde(default)]
    later: BTreeMap<u16, Counts>,
    #[serde(default)]
    hqs: BTreeMap<String, i8>,
}

/// Units by type.
#[derive(Deserialize, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
struct Counts {
    infantry: u32,
    militia: u32,
    artillery: u32,
    cavalry: u32,
}

impl Counts {
    fn add(&mut self, unit: &UnitSpec) {
        match unit.kind.arm {
            Arm::Infantry => self.infantry += 1,
            Arm::Militia => self.militia += 1,
            Arm::Guard => self.artillery += 1,
            Arm::Cavalry => self.cavalry += 1,
            Arm::Hq => panic!("{} is no unit", unit.name),
        }
    }
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Recalled {
    unit: String,
    to: String,
    season: Season,
    year: u16,
}

fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = crate::common::root().join("tests/cases/lga/scenarios").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_yaml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Every shipped scenario with what the manual prints of it, in the order of shipping.
fn scenarios() -> Vec<(Lga, Printed)> {
    let ids = SHIPPED.iter().filter_map(|(path, _)| path.strip_prefix("scenarios/"));
    let load = |file| Lga::from_files(&shipped(str::trim_end_matches(file, ".yaml")).unwrap(), &[]).unwrap();
    ids.map(|file| (load(file), read(file))).collect()
}

fn opening(rules: &Lga, side: Side) -> View {
    rules.view(&rules.found(), &side.to_string().to_lowercase().parse().unwrap())
}

/// The capitals and major cities.
fn great_cities(rules: &Lga) -> impl Iterator<Item = (Hex, &str)> {
    let great = rules.map.cities().filter(|(_, city)| city.rank != CityRank::Minor);
    great.map(|(hex, city)| (hex, city.name.as_str()))
}

#[test]
fn there_are_seven_in_the_manuals_order_with_its_dates_points_and_levels() {
    let scenarios = scenarios();
    assert_eq!(scenarios.len(), 7);
    for (place, (rules, printed)) in (1..).zip(&scenarios) {
        let scenario = &rules.scenario;
        let title = &printed.title;
        assert_eq!((place, &scenario.title), (printed.number, title));
        assert_eq!((scenario.start, scenario.end), (printed.start, printed.end), "{title}");
        let points = printed.points.iter().map(|(&nation, points)| (nation, points.unwrap_or(0)));
        assert_eq!(scenario.nations().collect::<BTreeMap<_, _>>(), points.collect(), "{title}");
        assert_eq!(scenario.sides[0].side, Side::French, "{title}: France begins");
        for spec in &scenario.sides {
            use Level::{
                AbsoluteVictory, StrategicDefeat, StrategicVictory, TacticalDefeat, TacticalVictory,
            };
            let names = [StrategicDefeat, TacticalDefeat, TacticalVictory, StrategicVictory, AbsoluteVictory];
            let levels: Vec<_> = names.into_iter().zip(printed.levels[&spec.side]).collect();
            assert_eq!(spec.levels, levels, "{title}, {}", spec.side);
        }
        assert_eq!(scenario.sides.len(), printed.levels.len(), "{title}");
    }
}

#[test]
fn only_scenario_3_departs_from_the_printed_levels_which_are_scenario_2s_over_again() {
    let scenarios = scenarios();
    let departs = scenarios.iter().filter(|(_, printed)| !printed.levels_as_printed.is_empty());
    assert_eq!(departs.map(|(_, printed)| printed.number).collect::<Vec<_>>(), [3]);
    assert_eq!(scenarios[2].1.levels_as_printed, scenarios[1].1.levels);
}

#[test]
fn the_forces_are_the_manuals_by_nation_type_and_year() {
    for (rules, printed) in scenarios() {
        let mut found: BTreeMap<Nation, Forces> = BTreeMap::new();
        for unit in &rules.scenario.units {
            let forces = found.entry(unit.nation).or_default();
            match (unit.kind.arm, unit.start) {
                (Arm::Hq, Some(_)) => drop(forces.hqs.insert(unit.name.clone(), unit.modifier)),
                (Arm::Hq, None) => panic!("{} begins off the map", unit.name),
                (_, Some(start)) => {
                    forces.at_start.add(unit);
                    let full = (rules.stats(unit.kind).max_morale, 0);
                    assert_eq!((start.morale, start.fatigue), full, "{} is fresh", unit.name);
                }
                (_, None) => forces.later.entry(unit.from_year).or_default().add(unit),
            }
        }
        assert_eq!(found, printed.forces, "{}", printed.title);
    }
}

#[test]
fn the_special_rules_are_the_manuals() {
    for (rules, printed) in scenarios() {
        let scenario = &rules.scenario;
        let recalled = scenario.recalls.iter().map(|recall| Recalled {
            unit: scenario.unit(recall.unit).name.clone(),
            to: rules.map.area(recall.to).unwrap().city.as_ref().unwrap().name.clone(),
            season: recall.when.season,
            year: recall.when.year,
        });
        assert_eq!(recalled.collect::<Vec<_>>(), printed.recalls, "{}", printed.title);
        for (city, names) in &printed.together {
            for name in names {
                let unit = scenario.units.iter().find(|unit| unit.name == *name).unwrap();
                assert_eq!(unit.start.map(|start| start.hex), rules.map.city(city), "{name} in {city}");
                assert_eq!(Some(unit.nation), Nation::of("russia"), "{name} is played by Russia");
            }
        }
        assert!(!scenario.neutral_open, "{}: nothing neutral stands open", printed.title);
    }
}

#[test]
fn each_begins_with_the_cities_and_at_the_level_that_the_manuals_logic_wants() {
    for (rules, printed) in scenarios() {
        let title = &printed.title;
        for spec in &rules.scenario.sides {
            let (side, control) = (spec.side, &rules.scenario.control);
            let held = great_cities(&rules).filter(|(hex, _)| control.get(hex) == Some(&side));
            let held: BTreeSet<String> = held.map(|(_, name)| name.to_owned()).collect();
            assert_eq!(held, printed.cities[&side], "{title}, {side}");
            let home: BTreeSet<String> = great_cities(&rules)
                .filter(|(hex, _)| spec.home.contains(hex))
                .map(|(_, name)| name.to_owned())
                .collect();
            assert_eq!(home, printed.home.get(&side).cloned().unwrap_or_default(), "{title}, {side}");
            let view = opening(&rules, side);
            let standing = view.victory.iter().find(|victory| victory.side == side).unwrap();
            assert_eq!((standing.points, standing.level), printed.opens[&side], "{title}, {side}");
        }
    }
}

/// The land that a side can get to: the French from Paris, dry-shod; the Allies, who have ships or a land front, any.
fn reach(rules: &Lga, side: Side) -> BTreeSet<Hex> {
    let control = &rules.scenario.control;
    if side != Side::French {
        return control.keys().copied().collect();
    }
    let mut reached = BTreeSet::new();
    let mut open = vec![rules.map.city("Paris").unwrap()];
    while let Some(hex) = open.pop() {
        if reached.insert(hex) {
            open.extend(rules.map.neighbours(hex).filter(|hex| control.contains_key(hex)));
        }
    }
    reached
}

#[test]
fn every_level_can_be_reached() {
    for (rules, printed) in scenarios() {
        let title = &printed.title;
        for side in rules.scenario.sides.iter().map(|spec| spec.side) {
            let within = great_cities(&rules).filter(|(hex, _)| reach(&rules, side).contains(hex));
            let position = Position {
                date: printed.start,
                phasing: side,
                units: BTreeMap::new(),
                stacks: BTreeMap::new(),
                control: within.map(|(hex, _)| (hex, side)).collect(),
                points: BTreeMap::new(),
            };
            let state = rules.set_up(&position).unwrap();
            let view = rules.view(&state, &side.to_string().to_lowercase().parse().unwrap());
            let most = view.victory.iter().find(|victory| victory.side == side).unwrap();
            assert_eq!(
                (most.points, most.level),
                (printed.most[&side], Level::AbsoluteVictory),
                "{title}, {side}"
            );
        }
    }
}

#[test]
fn what_is_out_of_play_is_closed() {
    for (rules, printed) in scenarios() {
        let title = &printed.title;
        let columns = || rules.scenario.control.keys().map(|hex| hex.col);
        assert_eq!([columns().min().unwrap(), columns().max().unwrap()], printed.columns, "{title}");
        for city in &printed.closed {
            let hex = rules.map.city(city).unwrap_or_else(|| panic!("no city is called {city}"));
            assert!(!rules.scenario.in_play(hex), "{title}: {city} is in play");
        }
        let open = printed.cities.values().flatten();
        let open: BTreeSet<&String> = open.chain(&printed.closed).collect();
        let untold: Vec<_> =
            great_cities(&rules).filter(|(_, name)| !open.contains(&(*name).to_owned())).collect();
        for (hex, name) in untold {
            assert!(!rules.scenario.in_play(hex), "{title}: {name} is in play, and nobody's");
        }
    }
}

#[test]
fn everybody_begins_in_supply() {
    for (rules, printed) in scenarios() {
        for spec in &rules.scenario.sides {
            let view = opening(&rules, spec.side);
            let hungry = view.own.values().filter(|unit| Some(unit.nation) != Nation::of("spain"));
            let hungry: Vec<_> = hungry.filter(|unit| !view.supplied.contains(&unit.hex)).collect();
            assert!(hungry.is_empty(), "{}: {hungry:?}", printed.title);
        }
    }
}

#[test]
fn the_map_has_the_capitals_and_major_cities_of_the_glossary() {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Glossary {
        capitals: BTreeMap<Nation, BTreeSet<String>>,
        majors: BTreeMap<String, String>,
    }
    let glossary: Glossary = read("cities.yaml");
    let (rules, _) = scenarios().remove(0);
    let of = |rank| rules.map.cities().filter(move |(_, city)| city.rank == rank);
    let capitals: BTreeSet<_> = of(CityRank::Capital).map(|(_, city)| city.name.clone()).collect();
    assert_eq!(capitals, glossary.capitals.values().flatten().cloned().collect());
    for (nation, cities) in &glossary.capitals {
        let home = rules.setting.of(*nation);
        assert_eq!(home.capitals.iter().cloned().collect::<BTreeSet<_>>(), *cities, "{nation:?}");
        for city in cities {
            let hex = rules.map.city(city).unwrap();
            assert_eq!(rules.map.area(hex).unwrap().country, home.country.value, "{city}");
        }
    }
    let majors = of(CityRank::Major).map(|(_, city)| (city.short.clone(), city.name.clone()));
    assert_eq!(majors.collect::<BTreeMap<_, _>>(), glossary.majors);
}

/// Sentences of a text, by their ends.
fn sentences(text: &str) -> usize {
    text.split(". ").filter(|sentence| !sentence.ends_with("St")).count()
}

#[test]
fn each_tells_how_it_came_about_before_the_first_order_and_what_history_did_after_the_last() {
    for (rules, printed) in scenarios() {
        let title = &printed.title;
        let scenario = &rules.scenario;
        for text in [&scenario.situation, &scenario.aftermath] {
            assert!((4..=8).contains(&sentences(text)) && text.is_ascii(), "{title}: {text}");
        }
        for side in scenario.sides.iter().map(|spec| spec.side) {
            let mut view = opening(&rules, side);
            let titles = |view: &View| {
                let briefing = musterd_lga::brief::brief(&rules, view, &[]);
                let titles = briefing.sections.into_iter().map(|section| section.title);
                titles.filter(|t| t == "The situation" || t == "What history did").collect::<Vec<_>>()
            };
            assert_eq!(titles(&view), ["The situation"], "{title}, {side}");
            view.phasing = Some(Side::Allied);
            assert!(titles(&view).is_empty(), "{title}, {side}: told once");
            (view.phasing, view.turn) = (None, view.turns);
            assert_eq!(titles(&view), ["What history did"], "{title}, {side}");
        }
    }
}

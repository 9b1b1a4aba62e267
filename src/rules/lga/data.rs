//! The data of one game: numbers, map, scenario and the seats' commands, loaded together and checked.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::footing::{Footings, NoEntry};
use super::kinds::Stats;
use super::map::Map;
use super::model::{Nation, Side, UnitType};
use super::numbers::Numbers;
use super::policies::Policies;
use super::scenario::Scenario;
use super::setting::Setting;
use super::spelling::Spelling;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::{Founding, Seat, SeatSpec};
use musterd_report::text::listed;

/// The rules and the scenario of one game of La Grande Armée.
#[derive(Debug, Clone)]
pub struct Lga {
    /// The numbers of the rules.
    pub numbers: Numbers,
    /// The map.
    pub map: Map,
    /// The scenario.
    pub scenario: Scenario,
    /// The nations of the game, and the ground that is closed to some.
    pub setting: Setting,
    seats: Vec<SeatSpec>,
    commands: BTreeMap<Seat, Command>,
    /// The names of units and cities as players may write them.
    pub(super) spelling: Spelling,
    /// The ground of the hexes for each kind of traveller.
    pub(super) footings: Footings,
}

/// The command of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Its side.
    pub side: Side,
    /// Its nations, in the order in which they act.
    pub nations: Vec<Nation>,
}

/// The files that the program ships, by path under `games/lga/`.
pub const SHIPPED: [(&str, &str); 10] = [
    ("ruleset.yaml", include_str!("../../../games/lga/ruleset.yaml")),
    ("settings/napoleonic.yaml", include_str!("../../../games/lga/settings/napoleonic.yaml")),
    ("maps/europe.yaml", include_str!("../../../games/lga/maps/europe.yaml")),
    ("scenarios/austrian-1805.yaml", include_str!("../../../games/lga/scenarios/austrian-1805.yaml")),
    ("scenarios/prussian-1806.yaml", include_str!("../../../games/lga/scenarios/prussian-1806.yaml")),
    ("scenarios/spanish-1808.yaml", include_str!("../../../games/lga/scenarios/spanish-1808.yaml")),
    ("scenarios/danube-1809.yaml", include_str!("../../../games/lga/scenarios/danube-1809.yaml")),
    ("scenarios/russian-1812.yaml", include_str!("../../../games/lga/scenarios/russian-1812.yaml")),
    ("scenarios/nations-1814.yaml", include_str!("../../../games/lga/scenarios/nations-1814.yaml")),
    ("scenarios/waterloo-1815.yaml", include_str!("../../../games/lga/scenarios/waterloo-1815.yaml")),
];

/// The files for founding a game of a shipped scenario: rules, maps, and the scenario under the name that a game uses.
pub fn shipped(scenario_id: &str) -> Option<RuleFiles> {
    RuleFiles::of_scenario(&SHIPPED, scenario_id)
}

impl Lga {
    /// Reads and checks the data of a game. Without a choice of seats there is one for each side.
    pub(super) fn read(founding: &Founding<'_>) -> Result<Self, DataErrors> {
        let (files, seats) = (founding.files(), founding.seats());
        let numbers = Numbers::load(files)?;
        let (scenario, map, setting) = Scenario::load(files, &numbers)?;
        let commands = commands(&setting, &scenario, seats)?;
        let rank = |command: &Command| {
            let nation = command.nations.first();
            scenario.nations().position(|(n, _)| Some(&n) == nation)
        };
        let mut order: Vec<_> = commands.iter().collect();
        order.sort_by_key(|(_, command)| rank(command));
        let seats =
            order.into_iter().map(|(seat, command)| seat_spec(&setting, &scenario, seat, command)).collect();
        let spelling = Spelling::of(&scenario, &map, Policies::of(founding.version()));
        let footings = Footings::new(&setting, &map, &scenario, &numbers.movement);
        Ok(Self { numbers, map, scenario, setting, seats, commands, spelling, footings })
    }

    /// The name of a nation: `Austria`.
    pub fn name(&self, nation: Nation) -> &str {
        &self.setting.of(nation).name
    }

    /// `French`, `Spanish` and so on.
    pub fn adjective(&self, nation: Nation) -> &str {
        &self.setting.of(nation).adjective
    }

    /// The reason why a hex is closed, as the end of a sentence.
    pub fn refusal(&self, why: NoEntry) -> Cow<'_, str> {
        match why {
            NoEntry::OutOfPlay => "it is not in play in this scenario".into(),
            NoEntry::Neutral => "it is neutral and closed".into(),
            NoEntry::Sea => match self.setting.sailors() {
                Some(sailors) => format!("only the {sailors} sail").into(),
                None => "nobody sails".into(),
            },
            NoEntry::ClosedSea => match self.setting.sailors() {
                Some(sailors) => format!("the {sailors} may not enter that sea").into(),
                None => "nobody may enter that sea".into(),
            },
            NoEntry::Zone(zone) => self.setting.zone(zone).because.as_str().into(),
        }
    }

    /// The numbers of a type of unit, or of the type that is called as an arm.
    pub fn stats(&self, kind: impl Into<UnitType>) -> Stats {
        self.numbers.units.stats(kind)
    }

    /// The seats of this game, in the order in which they act.
    pub fn seat_specs(&self) -> &[SeatSpec] {
        &self.seats
    }

    /// The other seats of a seat's side, in the order in which they act.
    pub fn allies(&self, seat: &Seat) -> impl Iterator<Item = &SeatSpec> {
        let side = self.command(seat).map(|command| command.side);
        let ally = move |spec: &&SeatSpec| {
            spec.seat != *seat && self.command(&spec.seat).map(|command| command.side) == side
        };
        self.seats.iter().filter(ally)
    }

    /// How the player who commands a nation is addressed: `the commander of Russia`.
    pub fn commander(&self, nation: Nation) -> &str {
        self.seat_of(nation).map_or("nobody", |spec| spec.title.as_str())
    }

    /// The seat that commands a nation.
    pub fn seat_of(&self, nation: Nation) -> Option<&SeatSpec> {
        let commands = |spec: &&SeatSpec| {
            self.command(&spec.seat).is_some_and(|command| command.nations.contains(&nation))
        };
        self.seats.iter().find(commands)
    }

    /// The command of a seat; `None` if the seat is not in the game.
    pub fn command(&self, seat: &Seat) -> Option<&Command> {
        self.commands.get(seat)
    }
}

/// Reads the seats: `french`, `allied` or `neutral` for a whole side, `allied.austria` or `allied.austria-russia` for some
/// of its nations. Every nation has exactly one commander.
fn commands(
    setting: &Setting,
    scenario: &Scenario,
    seats: &[Seat],
) -> Result<BTreeMap<Seat, Command>, DataErrors> {
    let fault = |reason: String| DataErrors::one("seats", 0, reason);
    let mut commands = BTreeMap::new();
    let mut seats = seats.to_vec();
    if seats.is_empty() {
        let whole = scenario.sides.iter().map(|spec| spec.side.word().parse::<Seat>());
        seats = whole.collect::<Result<_, _>>().map_err(|e| fault(format!("{e}")))?;
    }
    for seat in &seats {
        let (side, names) = match seat.as_str().split_once('.') {
            Some((side, names)) => (side, Some(names)),
            None => (seat.as_str(), None),
        };
        let spec = scenario
            .sides
            .iter()
            .find(|spec| spec.side.word() == side)
            .ok_or_else(|| fault(format!("`{seat}`: this scenario has no {side} side")))?;
        let all = spec.nations.iter().map(|(nation, _)| *nation);
        let nations: Vec<Nation> = match names {
            None => all.collect(),
            Some(names) => {
                let names: Vec<&str> = names.split('-').collect();
                let named = |nation: &Nation| {
                    names.contains(&nation.word()) || names.contains(&setting.seat_word(*nation).as_str())
                };
                let found: Vec<Nation> = all.filter(named).collect();
                if found.len() != names.len() {
                    return Err(fault(format!(
                        "`{seat}` names a nation that the {} side does not have",
                        spec.side
                    )));
                }
                found
            }
        };
        commands.insert(seat.clone(), Command { side: spec.side, nations });
    }
    for (nation, _) in scenario.nations() {
        let commanders: Vec<&str> = commands
            .iter()
            .filter(|(_, command)| command.nations.contains(&nation))
            .map(|(seat, _)| seat.as_str())
            .collect();
        let nation = &setting.of(nation).name;
        match commanders.as_slice() {
            [_] => {}
            [] => return Err(fault(format!("nobody commands {nation}: every nation needs a seat"))),
            several => {
                let all = several.join(" and ");
                return Err(fault(format!("{all} both command {nation}: every nation needs one seat")));
            }
        }
    }
    Ok(commands)
}

fn seat_spec(setting: &Setting, scenario: &Scenario, seat: &Seat, command: &Command) -> SeatSpec {
    let whole = scenario.side(command.side).is_some_and(|spec| spec.nations.len() == command.nations.len());
    let title = if whole {
        format!("the {} commander", command.side)
    } else {
        let names: Vec<&str> =
            command.nations.iter().map(|nation| setting.of(*nation).name.as_str()).collect();
        format!("the commander of {}", listed(&names))
    };
    SeatSpec { seat: seat.clone(), title, side: command.side.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CityRank, Terrain};
    use crate::scenario;
    use musterd_engine::Ruleset;
    use musterd_engine::hex::Hex;

    fn scenario_ids() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().filter_map(|(path, _)| path.strip_prefix("scenarios/")?.strip_suffix(".yaml"))
    }

    fn load(id: &str, seats: &[&str]) -> Result<Lga, DataErrors> {
        let seats: Vec<Seat> = seats.iter().map(|s| s.parse().unwrap()).collect();
        Lga::from_files(&shipped(id).unwrap(), &seats)
    }

    #[test]
    fn every_shipped_scenario_loads_and_is_named_as_its_file() {
        for id in scenario_ids() {
            let rules = load(id, &[]).unwrap_or_else(|e| panic!("{id}: {e}"));
            assert_eq!(rules.scenario.id, id);
            for (place, unit) in rules.scenario.units.iter().enumerate() {
                assert_eq!(usize::from(unit.id.0), place + 1);
            }
        }
    }

    #[test]
    fn the_map_has_the_cities_of_the_manual() {
        let rules = load("austrian-1805", &[]).unwrap();
        let count = |rank| rules.map.cities().filter(|(_, city)| city.rank == rank).count();
        assert_eq!((count(CityRank::Capital), count(CityRank::Major), count(CityRank::Minor)), (7, 21, 87));
        let ulm = rules.map.city("Ulm").unwrap();
        assert_eq!(ulm, Hex::new(15, 7));
        assert!(rules.map.river(ulm, Hex::new(14, 6)), "the Danube");
        assert_eq!(rules.map.area(Hex::new(1, 10)).unwrap().within, "Spain");
        assert!(!rules.map.area(rules.map.city("London").unwrap()).unwrap().city.as_ref().unwrap().port);
    }

    #[test]
    fn blocked_sides_and_closed_hexes_join_nothing_and_the_passage_joins_two_seas() {
        let map = load("austrian-1805", &[]).unwrap().map.clone();
        let joined =
            |a: (u8, u8), b: (u8, u8)| map.neighbours(Hex::new(a.0, a.1)).any(|h| h == Hex::new(b.0, b.1));
        assert!(!joined((18, 2), (19, 2)) && !joined((19, 2), (18, 2)), "Oresund");
        assert!(joined((1, 5), (1, 9)) && joined((1, 9), (1, 5)), "round Portugal");
        let gulf = Hex::new(9, 10);
        assert_eq!(map.area(gulf).unwrap().terrain, Terrain::Prohibited);
        assert_eq!(map.neighbours(gulf).count(), 0);
        assert!(map.hexes().all(|h| map.neighbours(h).all(|n| n != gulf)));
    }

    #[test]
    fn a_side_can_be_shared_among_players() {
        let rules = load("austrian-1805", &["allied.russia-britain", "french", "allied.austria"]).unwrap();
        let seats: Vec<&str> = rules.seat_specs().iter().map(|s| s.seat.as_str()).collect();
        assert_eq!(seats, ["french", "allied.austria", "allied.russia-britain"]);
        for bad in [
            &["french"][..],
            &["french", "allied.austria"],
            &["french", "allied", "allied.russia"],
            &["french", "spanish"],
        ] {
            assert!(load("austrian-1805", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_fault_in_a_file_is_told_with_its_line() {
        let mut files = shipped("austrian-1805").unwrap();
        let text = files.0[scenario::FILE].replace("at: \"1402\"", "at: \"1802\"");
        let line = text.lines().position(|line| line.contains("at: \"1802\"")).unwrap() + 1;
        files.0.insert(scenario::FILE.to_owned(), text);
        let errors = Lga::from_files(&files, &[]).unwrap_err();
        assert_eq!((errors.0[0].file.as_str(), errors.0[0].at.line), ("scenario.yaml", line), "{errors}");

        let mut files = shipped("austrian-1805").unwrap();
        let text = files.0["ruleset.yaml"].replace("unspent_for_one_point", "unspent_for_two");
        files.0.insert("ruleset.yaml".to_owned(), text);
        let errors = Lga::from_files(&files, &[]).unwrap_err();
        assert!(errors.to_string().starts_with("ruleset.yaml:"), "{errors}");
    }

    #[test]
    fn numbers_without_sense_are_refused_all_at_once_with_their_places() {
        let mut files = shipped("austrian-1805").unwrap();
        let text = &files.0["ruleset.yaml"];
        let text = text
            .replace("capital: 4,", "capital: 2147483647,")
            .replace("[2, 2, 1, 1, 0, 0]", "[2, -2, 1, 1, 0, 0]");
        let text = text.replace("unspent_for_one_point: 4", "unspent_for_one_point: 0");
        files.0.insert("ruleset.yaml".to_owned(), text);
        let errors = Lga::from_files(&files, &[]).unwrap_err().to_string();
        let expected = [
            "ruleset.yaml:15:20: `2147483647` is no number for `capital`; write a number from -50 to 50",
            "ruleset.yaml:18:24: `0` is no number for `unspent_for_one_point`; write a number from 1 to 50",
            "ruleset.yaml:29:13: `-2` is no number for `loss`; write a number from 0 to 50",
            "ruleset.yaml:40:27: `-2` is no number for `fatigue`; write a number from 0 to 50",
            "ruleset.yaml:59:18: `-2` is no number for `loss`; write a number from 0 to 50",
        ];
        assert_eq!(errors.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_pile_of_brackets_is_refused_before_it_is_read() {
        let mut files = shipped("austrian-1805").unwrap();
        files.0.insert("ruleset.yaml".to_owned(), format!("units: {}", "[".repeat(400_000)));
        let errors = Lga::from_files(&files, &[]).unwrap_err().to_string();
        assert!(errors.contains("limit") || errors.contains("nesting"), "{errors}");
    }

    #[test]
    fn where_no_nation_sails_the_sea_is_closed_to_everybody() {
        let mut files = shipped("austrian-1805").unwrap();
        let setting = files.0.get_mut("settings/napoleonic.yaml").unwrap();
        *setting = setting.replace("    sails: true\n", "");
        let rules = Lga::from_files(&files, &[]).unwrap();
        assert_eq!(rules.refusal(NoEntry::Sea), "nobody sails");
        assert_eq!(crate::fixture::rules("austrian-1805").refusal(NoEntry::Sea), "only the British sail");
    }
}

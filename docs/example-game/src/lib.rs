//! The Kettle Ford: ten units fight for a ford. A game that is small enough to be read in an hour: `docs/example-game/README.md` tells how it was made.

pub mod battle;
mod orders;
pub mod report;

use std::collections::{BTreeMap, BTreeSet};

use battle::{Event, Scenario, Side, State, Unit, UnitId};
use musterd_dice::Seat;
use musterd_engine::briefing::Briefing;
use musterd_engine::files::DataErrors;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Likeness, OrderUse, Reading, Recap, Remark};
use musterd_engine::palette::Palette;
use musterd_engine::yaml::Reader;
use musterd_engine::{Awaiting, Founding, Input, Level, PublishedFormat, Ruleset, Scribe, SeatSpec};
use musterd_kit::data::{ANY, At, schema_of};
use musterd_kit::field::{Cells, Rows, Size, hexes};
use musterd_kit::files::open;
use report::{Sight, View};

/// The files that come with the game, by their path under `games/ford/`.
pub const SHIPPED: [(&str, &str); 1] =
    [("scenarios/kettle.yaml", include_str!("../games/ford/scenarios/kettle.yaml"))];

/// The file of a game's scenario, as it is founded.
const FILE: &str = "scenario.yaml";
/// The most columns and rows: a hex has two digits for each.
const MOST: Size = (99, 99);

/// The game with its scenario.
#[derive(Debug)]
pub struct Ford {
    scenario: Scenario,
    /// The sign of each hex of the field.
    ground: BTreeMap<Hex, char>,
    seats: Vec<SeatSpec>,
}

/// An order of a player's.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Go toward a hex.
    Move {
        /// Who.
        unit: UnitId,
        /// Where to.
        to: Hex,
    },
    /// Strike at an enemy next to the unit; at any, if none is named.
    Attack {
        /// Who.
        unit: UnitId,
        /// At whom.
        target: Option<UnitId>,
    },
}

impl Order {
    const fn unit(&self) -> UnitId {
        match self {
            Self::Move { unit, .. } | Self::Attack { unit, .. } => *unit,
        }
    }
}

/// The seat of a side.
fn seat_of(side: Side) -> Seat {
    #[expect(clippy::expect_used, reason = "a word of small letters")]
    side.to_string().to_lowercase().parse().expect("a seat's name")
}

/// The field by its rows.
fn field(reader: &mut Reader, rows: &At<Vec<At<String>>>) -> BTreeMap<Hex, char> {
    let rows = Rows::read(reader, "rows", rows, Cells::Signs, MOST);
    let ground = rows.ground(reader, |sign| ".w=~".contains(sign).then_some(sign), ". w = or ~");
    hexes(rows.size()).zip(ground).filter_map(|(hex, sign)| Some((hex, sign?))).collect()
}

impl Ford {
    /// The last hex of the field.
    fn last(&self) -> Hex {
        self.ground.keys().copied().max_by_key(|hex| (hex.row, hex.col)).unwrap_or(Hex::new(1, 1))
    }

    /// Notes what is wrong between the parts of the file.
    fn check(&self, reader: &mut Reader) {
        let scenario = &self.scenario;
        let is_ground = |hex: Hex| self.sign(hex).is_some_and(|sign| sign != '~');
        if !is_ground(scenario.goal.value) {
            reader.fault(scenario.goal.at, format!("nobody can hold {}", scenario.goal.value));
        }
        for (id, unit) in &scenario.units {
            if !is_ground(unit.at.value) {
                reader.fault(unit.at.at, format!("{id} can't stand at {}", unit.at.value));
            }
            if !unit.name.value.chars().all(char::is_alphanumeric) {
                reader.fault(
                    unit.name.at,
                    format!("`{}` is no name for {id}: write one word", unit.name.value),
                );
            }
            let before = || scenario.units.range(..*id);
            if let Some((other, _)) = before().find(|(_, other)| other.at.value == unit.at.value) {
                reader.fault(unit.at.at, format!("{other} stands at {} already", unit.at.value));
            }
            let same = |other: &Unit| other.name.value.eq_ignore_ascii_case(&unit.name.value);
            if let Some((other, _)) = before().find(|(_, other)| same(other)) {
                reader.fault(unit.name.at, format!("{other} is called so: give {id} another name"));
            }
        }
        for side in Side::BOTH {
            if !scenario.units.keys().any(|id| id.0 == side) {
                reader.fault(scenario.goal.at, format!("the {side} have no unit: add one"));
            }
        }
    }

    /// The side of a seat of this game. The host asks about no other seat.
    fn side(seat: &Seat) -> Side {
        #[expect(clippy::expect_used, reason = "a game has no other seats")]
        Side::BOTH.into_iter().find(|side| seat_of(*side) == *seat).expect("a seat of this game")
    }
}

impl Ruleset for Ford {
    const ID: &'static str = "ford";
    const NAME: &'static str = "The Kettle Ford";
    const RULES_VERSION: u32 = 1;
    const LEVELS: &'static [Level<bool>] =
        &[Level::of("cautious", "lets the enemy come", true), Level::of("bold", "goes for the ford", false)];
    const PALETTE: &'static Palette = &report::PALETTE;
    const SCHEMAS: &'static [PublishedFormat] =
        &[PublishedFormat::of("ford-scenario", "a scenario of The Kettle Ford", |_| {
            schema_of::<Scenario>("A scenario of The Kettle Ford", &ANY)
        })];

    /// Whether it waits.
    type Skill = bool;
    type Order = Order;
    type Sight = Sight;
    type View = View;

    fn load(founding: &Founding<'_>) -> Result<Self, DataErrors> {
        let (mut reader, scenario) = open::<Scenario>(founding.files(), FILE, &ANY);
        let Some(scenario) = scenario.filter(|_| reader.errors.is_empty()) else {
            return Err(DataErrors(reader.errors));
        };
        let spec =
            |side: Side| SeatSpec::of(seat_of(side), format!("the leader of the {side}"), side.to_string());
        let ground = field(&mut reader, &scenario.rows);
        let rules = Self { scenario, ground, seats: Side::BOTH.map(spec).to_vec() };
        rules.check(&mut reader);
        founding.only(&rules.seats)?;
        if reader.errors.is_empty() { Ok(rules) } else { Err(DataErrors(reader.errors)) }
    }

    fn title(&self) -> String {
        format!("{}, {} rounds", self.scenario.title, self.scenario.rounds)
    }

    fn situation(&self) -> String {
        self.scenario.situation.clone()
    }

    fn seats(&self) -> &[SeatSpec] {
        &self.seats
    }

    fn found(&self) -> State {
        let units = || self.scenario.units.iter();
        State {
            round: 0,
            places: units().map(|(id, unit)| (*id, unit.at.value)).collect(),
            strengths: units().map(|(id, unit)| (*id, unit.kind.strength())).collect(),
        }
    }

    fn awaiting(&self, state: &State) -> Awaiting {
        let is_gone = |side: &Side| !state.places.keys().any(|id| id.0 == *side);
        let beaten = Side::BOTH.into_iter().find(is_gone);
        match state.round {
            0 => Awaiting::Founding,
            round if round > self.scenario.rounds || beaten.is_some() => {
                let holder =
                    state.places.iter().find(|(_, at)| **at == self.scenario.goal.value).map(|(id, _)| id.0);
                let winner = beaten.map(Side::enemy).or(holder);
                let result = winner.map_or("A draw".to_owned(), |side| format!("The {side} win"));
                Awaiting::Over { results: vec![result] }
            }
            round => {
                let must = Side::BOTH.map(seat_of).to_vec();
                Awaiting::orders(&format!("round-{round}"), format!("Round {round}"), must)
            }
        }
    }

    fn view(&self, state: &State, to: &Seat) -> View {
        report::view(self, state, Self::side(to))
    }

    fn witness(&self, before: &State, event: &Event, to: &Seat) -> Option<Sight> {
        report::witness(self, before, event, Self::side(to))
    }

    // Every die is thrown in the open: who acts first is told to all, and a strike is seen by both sides of it. A die for what one side alone knows of,
    // such as a search for hidden units, would have to be kept from the other.
    fn shows_roll(&self, _: &str, _: &str, _: &str, _: &Seat) -> bool {
        true
    }

    fn read_orders(&self, view: &View, text: &str) -> Reading<Order> {
        orders::read(self, view, text)
    }

    fn likeness(&self, line: &str) -> Likeness {
        orders::likeness(self, line)
    }

    fn offered(&self, _: &View) -> Vec<OrderUse> {
        orders::uses()
    }

    fn read_back(&self, view: &View, text: &str) -> (Reading<Order>, Recap) {
        let reading = self.read_orders(view, text);
        let recap = orders::recap(self, view, &reading);
        (reading, recap)
    }

    fn step(&self, scribe: &mut Scribe<'_, Self>, input: &Input<Order>) {
        match scribe.state().round {
            0 => scribe.record(Event::Round { round: 1 }),
            _ => self.round(scribe, input),
        }
    }

    fn amendments(&self) -> Vec<OrderUse> {
        orders::changes()
    }

    fn amend(&self, state: &State, text: &str) -> Result<Vec<Event>, Remark> {
        let read = |state: &State, part: &str| orders::change(self, state, part).map(|event| vec![event]);
        musterd_kit::amend::amended(self, state, text, read, |_| Vec::new())
    }

    fn brief(&self, view: &View, sights: &[Sight]) -> Briefing {
        report::brief(self, view, sights)
    }

    fn concealed(&self, view: &View) -> BTreeSet<String> {
        report::concealed(self, view)
    }

    fn shown(&self, view: &View, sights: &[Sight], hidden: &BTreeSet<String>) -> Briefing {
        report::shown(self, view, sights, hidden)
    }

    fn form(&self, view: &View) -> Vec<String> {
        report::form(self, view)
    }

    fn play(&self, view: &View, waits: bool, _: u64) -> String {
        orders::play(self, view, waits)
    }
}

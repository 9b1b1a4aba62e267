//! The Kettle Ford: ten units fight for a ford. A game that is small enough to be read in an hour: `docs/example-game/README.md` tells how it was made.

pub mod battle;
mod orders;
pub mod report;

use std::collections::{BTreeMap, BTreeSet};

use battle::{Event, Side, State, Unit, UnitId};
use musterd_dice::Seat;
use musterd_engine::briefing::{Briefing, Item};
use musterd_engine::files::DataErrors;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Likeness, OrderUse, Reading, Recap, Remark};
use musterd_engine::{Awaiting, Founding, Input, Ruleset, Scribe, SeatSpec, Skill};
use report::View;
use serde::Deserialize;

/// The files that come with the game, by their path under `games/ford/`.
pub const SHIPPED: [(&str, &str); 1] =
    [("scenarios/kettle.yaml", include_str!("../games/ford/scenarios/kettle.yaml"))];

/// A scenario file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    title: String,
    situation: String,
    /// The number of rounds.
    rounds: u32,
    /// The hex that both want.
    goal: Hex,
    /// The ground, row by row, a sign a hex.
    rows: Vec<String>,
    units: BTreeMap<UnitId, Unit>,
}

/// The game with its scenario.
#[derive(Debug)]
pub struct Ford {
    scenario: Scenario,
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

impl Ford {
    fn last(&self) -> Hex {
        let longest = self.scenario.rows.iter().map(String::len).max().unwrap_or(1);
        let small = |number: usize| u8::try_from(number).unwrap_or(99);
        Hex::new(small(longest), small(self.scenario.rows.len()))
    }

    /// The side of a seat of this game.
    fn side(&self, seat: &Seat) -> Side {
        if *seat == seat_of(Side::R) { Side::R } else { Side::B }
    }
}

impl Ruleset for Ford {
    const ID: &'static str = "ford";
    const NAME: &'static str = "The Kettle Ford";
    const RULES_VERSION: u32 = 1;

    type Order = Order;
    type Sight = Item;
    type View = View;

    fn load(founding: &Founding<'_>) -> Result<Self, DataErrors> {
        let file = "scenario.yaml";
        let scenario: Scenario = founding.files().yaml(file)?;
        let spec = |side: Side| SeatSpec {
            seat: seat_of(side),
            title: format!("the leader of the {side}"),
            side: side.to_string(),
        };
        let rules = Self { scenario, seats: Side::BOTH.map(spec).to_vec() };
        let fault = |what: String| Err(DataErrors::one(file, 0, what));
        let is_odd = |seat: &&Seat| !rules.seats.iter().any(|spec| spec.seat == **seat);
        if let Some(odd) = founding.seats().iter().find(is_odd) {
            return fault(format!("no seat `{odd}`: the seats are reds and blues"));
        }
        let signs = rules.scenario.rows.iter().flat_map(|row| row.chars());
        if let Some(odd) = signs.into_iter().find(|sign| !".w=~".contains(*sign)) {
            return fault(format!("`{odd}` is no ground: write . w = or ~"));
        }
        let is_ground = |hex: Hex| rules.sign(hex).is_some_and(|sign| sign != '~');
        if let Some((id, unit)) = rules.scenario.units.iter().find(|(_, unit)| !is_ground(unit.at)) {
            return fault(format!("{id} can't stand at {}", unit.at));
        }
        match is_ground(rules.scenario.goal) {
            true => Ok(rules),
            false => fault(format!("nobody can hold {}", rules.scenario.goal)),
        }
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
            places: units().map(|(id, unit)| (*id, unit.at)).collect(),
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
                    state.places.iter().find(|(_, at)| **at == self.scenario.goal).map(|(id, _)| id.0);
                let winner = beaten.map(Side::enemy).or(holder);
                let result = winner.map_or("A draw".to_owned(), |side| format!("The {side} win"));
                Awaiting::Over { results: vec![result] }
            }
            round => Awaiting::Orders {
                #[expect(clippy::expect_used, reason = "letters, digits and a dash")]
                name: format!("round-{round}").parse().expect("a wait's name is one word"),
                title: format!("Round {round}"),
                must: Side::BOTH.map(seat_of).to_vec(),
                may: Vec::new(),
            },
        }
    }

    fn view(&self, state: &State, to: &Seat) -> View {
        report::view(self, state, self.side(to))
    }

    fn witness(&self, before: &State, event: &Event, to: &Seat) -> Option<Item> {
        report::witness(self, before, event, self.side(to))
    }

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

    fn amend(&self, state: &State, text: &str) -> Result<Vec<Event>, Remark> {
        let read = |state: &State, part: &str| {
            let words: Vec<&str> = part.split_whitespace().collect();
            let change = || match words[..] {
                ["STRENGTH", unit, strength] => {
                    let unit =
                        UnitId::try_from(unit.to_owned()).ok().filter(|id| state.places.contains_key(id))?;
                    Some(Event::Amended { unit, strength: strength.parse().ok().filter(|left| *left < 10)? })
                }
                _ => None,
            };
            let how = "write STRENGTH, a unit and a number up to 9, such as STRENGTH R1 3";
            change()
                .map(|event| vec![event])
                .ok_or_else(|| Remark::error(1, "That can't be changed.").hint(how))
        };
        musterd_kit::amend::amended(self, state, text, read, |_| Vec::new())
    }

    fn brief(&self, view: &View, sights: &[Item]) -> Briefing {
        report::brief(self, view, sights)
    }

    fn shown(&self, view: &View, sights: &[Item], _: &BTreeSet<String>) -> Briefing {
        // A side has no secrets here but where its units stand, which observers are told some rounds later.
        report::brief(self, view, sights)
    }

    fn history(&self, view: &View) -> Briefing {
        report::brief(self, view, &[])
    }

    fn form(&self, view: &View) -> Vec<String> {
        report::form(self, view)
    }

    fn play(&self, view: &View, skill: Skill, _: u64) -> String {
        orders::play(self, view, skill == Skill::Cautious)
    }
}

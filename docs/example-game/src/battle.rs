//! The rules: the ground, the position, what can happen, and a round.

use std::collections::BTreeMap;
use std::fmt;

use musterd_engine::hex::Hex;
use musterd_engine::{Fold, Input, LabelStem, Scribe};
use musterd_kit::data::{At, like};
use musterd_kit::way::Ways;
use musterd_kit::{data, named, written};
use serde::{Deserialize, Serialize};

use crate::{Ford, Order, seat_of};

/// A side by its letter, as units are named: `R`, `B`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// The Reds.
    R,
    /// The Blues.
    B,
}

impl Side {
    /// Both, in the order of seats.
    pub const BOTH: [Self; 2] = [Self::R, Self::B];

    /// The other side.
    #[must_use]
    pub const fn enemy(self) -> Self {
        match self {
            Self::R => Self::B,
            Self::B => Self::R,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["Reds", "Blues"][*self as usize])
    }
}

/// A unit by side and number: `R1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UnitId(pub Side, pub u8);

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.0, self.1)
    }
}

impl From<UnitId> for String {
    fn from(id: UnitId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for UnitId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let side = Side::BOTH.into_iter().find(|side| text.starts_with(&format!("{side:?}")));
        let number =
            text.get(1..).and_then(|number| number.parse().ok()).filter(|number| (1..=99).contains(number));
        let id = side.zip(number).map(|(side, number)| Self(side, number));
        // As the schema has it: no `r1`, `R01` or `R+1`.
        id.filter(|id| id.to_string() == text)
            .ok_or_else(|| format!("`{text}` is no unit: write R or B and a number up to 99, such as R1"))
    }
}

named! {
    /// The kinds of unit.
    pub enum Kind: "kind" {
        /// On foot: four strong, two points to move.
        Foot = "foot",
        /// On horseback: three strong, four points to move.
        Horse = "horse",
    }
}

impl Kind {
    /// Its strength at first.
    #[must_use]
    pub const fn strength(self) -> u8 {
        match self {
            Self::Foot => 4,
            Self::Horse => 3,
        }
    }

    /// The points that it has for a march.
    #[must_use]
    pub const fn points(self) -> u32 {
        match self {
            Self::Foot => 2,
            Self::Horse => 4,
        }
    }
}

written! { UnitId: like("^[RB][1-9][0-9]?$"); }

data! {
    /// A field, the units on it, and how long they fight.
    #[derive(Debug)]
    pub struct Scenario: "a scenario" {
        /// Its title.
        pub title: String as "the title",
        /// The situation, a few sentences.
        pub situation: String as "the situation",
        /// How many rounds they fight.
        pub rounds: u32 as "number of rounds" [1..=99],
        /// The hex that both sides want.
        pub goal: At<Hex> as "the goal",
        /// The ground, a text a row, a sign a hex: . open, w wood, = ford, ~ water.
        pub rows: At<Vec<At<String>>> as "the rows",
        /// The units by side and number: R1. Both sides know all of these.
        pub units: BTreeMap<UnitId, Unit> as "a unit",
    }

    /// A unit as it begins.
    #[derive(Debug)]
    pub struct Unit: "a unit" {
        /// Its name, one word.
        pub name: At<String> as "a unit's name",
        /// What it is.
        pub kind: Kind,
        /// Where it begins.
        pub at: At<Hex> as "a hex",
    }
}

/// Where units stand.
pub type Places = BTreeMap<UnitId, Hex>;

/// The position.
#[derive(Clone)]
pub struct State {
    /// The round that is ordered now; 0 before the founding.
    pub round: u32,
    /// The units that are left.
    pub places: Places,
    /// What is left of each.
    pub strengths: BTreeMap<UnitId, u8>,
}

/// All that can happen, each with its outcome: a state is changed by these alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A round begins.
    Round {
        /// Its number, from 1.
        round: u32,
    },
    /// A die said who acts first.
    First {
        /// Who does.
        side: Side,
        /// The die: 1 to 3 the Reds.
        face: u32,
    },
    /// A unit marched.
    Marched {
        /// Who.
        unit: UnitId,
        /// The hexes that it entered; at least one.
        way: Vec<Hex>,
    },
    /// A unit struck at an enemy next to it.
    Struck {
        /// Who.
        unit: UnitId,
        /// At whom.
        target: UnitId,
        /// The die.
        face: u32,
        /// What is added to it.
        bonus: i32,
        /// The strength that it costs the enemy.
        loss: u8,
    },
    /// An order came to nothing.
    Failed {
        /// Whose.
        unit: UnitId,
        /// Its line in the set.
        line: usize,
        /// Why.
        why: String,
    },
    /// The GM set the strength of a unit.
    Amended {
        /// Which.
        unit: UnitId,
        /// From now on; gone at 0.
        strength: u8,
    },
}

impl Fold for Ford {
    type State = State;
    type Event = Event;

    fn apply(&self, state: &mut State, event: &Event) {
        match event {
            Event::Round { round } => state.round = *round,
            Event::First { .. } | Event::Failed { .. } => {}
            Event::Marched { unit, way } => {
                if let Some(end) = way.last() {
                    state.places.insert(*unit, *end);
                }
            }
            Event::Struck { target, loss, .. } => {
                let left = state.strengths[target].saturating_sub(*loss);
                leave(state, *target, left);
            }
            Event::Amended { unit, strength } => leave(state, *unit, *strength),
        }
    }
}

/// Leaves a unit with this strength: without any, it is gone.
fn leave(state: &mut State, unit: UnitId, strength: u8) {
    if strength > 0 {
        state.strengths.insert(unit, strength);
    } else {
        state.strengths.remove(&unit);
        state.places.remove(&unit);
    }
}

impl Ford {
    /// The sign of a hex, if it is on the field.
    pub(crate) fn sign(&self, hex: Hex) -> Option<char> {
        self.ground.get(&hex).copied()
    }

    /// The points that a step into a hex costs; `None` if nobody can go there.
    fn cost(&self, hex: Hex) -> Option<u32> {
        match self.sign(hex)? {
            '~' => None,
            '.' => Some(1),
            _ => Some(2),
        }
    }

    /// Whether a side sees a unit of the other that stands in this hex: in a wood only from the next hex.
    pub(crate) fn is_seen(&self, hex: Hex, by: Side, places: &Places) -> bool {
        let beside = |(id, at): (&UnitId, &Hex)| id.0 == by && at.distance(hex) == 1;
        self.sign(hex) != Some('w') || places.iter().any(beside)
    }

    /// The march of a unit toward a hex, among the units that whoever asks knows of: as far as its points last, along the cheapest way, and not into a
    /// hex that is taken. The referee and the receipt ask this same function.
    ///
    /// # Errors
    /// It can't take a step; the text says why.
    pub(crate) fn march(&self, places: &Places, unit: UnitId, to: Hex) -> Result<Vec<Hex>, String> {
        let steps =
            |here: Hex, spent: u32| here.around().filter_map(move |hex| Some((hex, spent + self.cost(hex)?)));
        let way = Ways::cheapest(self.last(), (places[&unit], 0), |hex| hex == to, steps)
            .ok_or_else(|| format!("no way leads to {to}"))?;
        let mut left = self.scenario.units[&unit].kind.points();
        let mut gone = Vec::new();
        for hex in way {
            let Some(rest) = self.cost(hex).and_then(|cost| left.checked_sub(cost)) else { break };
            if places.values().any(|taken| *taken == hex) {
                if gone.is_empty() {
                    return Err(format!("{hex} is taken"));
                }
                break;
            }
            gone.push(hex);
            left = rest;
        }
        if gone.is_empty() { Err(format!("it stands at {to}")) } else { Ok(gone) }
    }

    /// What is added to the die of a strike: one for each unit that helps, one less for a target in a wood, and for whoever stands in a ford.
    pub(crate) fn bonus(&self, places: &Places, unit: UnitId, target: UnitId) -> i32 {
        let foe = places[&target];
        let helps = |(id, at): &(&UnitId, &Hex)| id.0 == unit.0 && **id != unit && at.distance(foe) == 1;
        let helpers = places.iter().filter(helps).count();
        let wood = i32::from(self.sign(foe) == Some('w'));
        let ford = i32::from(self.sign(places[&unit]) == Some('='));
        i32::try_from(helpers).unwrap_or(i32::MAX) - wood - ford
    }

    /// The enemy that a unit strikes at: this one, or the first of those next to it.
    ///
    /// # Errors
    /// None is next to it; the text says so.
    pub(crate) fn target(
        &self,
        places: &Places,
        unit: UnitId,
        named: Option<UnitId>,
    ) -> Result<UnitId, String> {
        let beside = |id: &UnitId| {
            let near = places.get(id).is_some_and(|at| at.distance(places[&unit]) == 1);
            id.0 != unit.0 && near
        };
        match named {
            Some(id) if beside(&id) => Ok(id),
            Some(id) => Err(format!("{id} is not next to it")),
            None => places.keys().copied().find(beside).ok_or_else(|| "no enemy is next to it".to_owned()),
        }
    }

    /// A round: a die says who acts first; all march, then all strike.
    pub(crate) fn round(&self, scribe: &mut Scribe<'_, Self>, input: &Input<Order>) {
        let stem = |kind, subject: String| LabelStem { phase: "round", kind, subject };
        let face = scribe.die(&stem("first", "both".to_owned()), 6);
        let side = if face <= 3 { Side::R } else { Side::B };
        scribe.record(Event::First { side, face });
        let orders: Vec<(usize, &Order)> = [side, side.enemy()]
            .iter()
            .filter_map(|side| input.orders.get(&seat_of(*side)))
            .flat_map(|reading| reading.orders.iter().map(|placed| (placed.line, &placed.order)))
            .collect();
        for (line, order) in &orders {
            // Nobody strikes before all have marched, so that whoever is ordered to march is there.
            if let Order::Move { unit, to } = order {
                scribe.record(match self.march(&scribe.state().places, *unit, *to) {
                    Ok(way) => Event::Marched { unit: *unit, way },
                    Err(why) => Event::Failed { unit: *unit, line: *line, why },
                });
            }
        }
        for (line, order) in &orders {
            let places = &scribe.state().places;
            let Order::Attack { unit, target } = order else { continue };
            if !places.contains_key(unit) {
                continue;
            }
            let event = match self.target(places, *unit, *target) {
                Ok(target) => {
                    let bonus = self.bonus(places, *unit, target);
                    let face = scribe.die(&stem("strike", unit.to_string().to_lowercase()), 6);
                    Event::Struck { unit: *unit, target, face, bonus, loss: loss(face, bonus) }
                }
                Err(why) => Event::Failed { unit: *unit, line: *line, why },
            };
            scribe.record(event);
        }
        let round = scribe.state().round + 1;
        scribe.record(Event::Round { round });
    }
}

/// What a strike costs the enemy: 4 and 5 cost one, 6 and more two.
pub(crate) fn loss(face: u32, bonus: i32) -> u8 {
    match i64::from(face) + i64::from(bonus) {
        ..4 => 0,
        4..6 => 1,
        _ => 2,
    }
}

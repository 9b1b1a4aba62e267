//! The record of a campaign: strengths, battles, losses and hexes taken, turn by turn. The position keeps it; a seat sees
//! what its side took part in, and everything once the campaign is over (ruling LGA-72).

use super::data::Lga;
use super::model::{Date, Side, UnitId};
use musterd_engine::hex::Hex;

/// What has happened so far, as far as somebody may know it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// Each side's strength at each count of its victory points.
    pub strengths: Vec<Strength>,
    /// The battles: all rounds of one turn against one hex.
    pub battles: Vec<Battle>,
    /// Units and headquarters destroyed.
    pub losses: Vec<Loss>,
    /// Cities that changed hands.
    pub captures: Vec<Capture>,
    /// Hexes without a city that did.
    pub ground: Vec<Capture>,
}

/// A player turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// The season.
    pub date: Date,
    /// The side whose turn it is.
    pub side: Side,
}

/// A side's strength on the map, headquarters apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// The turn that began with this count; the last count of a campaign bears the last turn's date.
    pub turn: Turn,
    /// Units on the map.
    pub units: u32,
    /// The sum of their morale.
    pub morale: i32,
}

/// The rounds of combat that one side fought against one hex in one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Battle {
    /// The turn, whose side attacked.
    pub turn: Turn,
    /// The hex attacked.
    pub at: Hex,
    /// The side that held it.
    pub defender: Side,
    /// How many rounds.
    pub rounds: u32,
    /// Morale that the attackers lost.
    pub attacker_lost: i32,
    /// Morale that the defenders lost.
    pub defender_lost: i32,
}

/// A piece destroyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loss {
    /// The turn in which it was destroyed.
    pub turn: Turn,
    /// The unit.
    pub unit: UnitId,
    /// The place; for a battle the hex attacked.
    pub at: Hex,
    /// How it was destroyed.
    pub fate: Destruction,
}

/// How a piece was destroyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Destruction {
    /// In combat against a piece of this side.
    Battle(Side),
    /// In a rout while it withdrew.
    Rout,
    /// In the muster.
    Muster,
    /// For want of supply.
    Supply,
    /// As a garrison under siege.
    Siege,
}

/// A hex that changed hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capture {
    /// In whose turn: that side took it.
    pub turn: Turn,
    /// The hex.
    pub at: Hex,
    /// The side that held it before; `None` if no side did.
    pub from: Option<Side>,
}

impl Record {
    /// What a side knows of it: its own strength, the battles that it fought with what was destroyed in them, its own
    /// losses, and every hex taken (who controls what is seen by all).
    pub(super) fn of_side(&self, rules: &Lga, side: Side) -> Self {
        let ours = |loss: &&Loss| {
            rules.scenario.unit(loss.unit).side == side || loss.fate == Destruction::Battle(side)
        };
        Self {
            strengths: self.strengths.iter().filter(|s| s.turn.side == side).copied().collect(),
            battles: self
                .battles
                .iter()
                .filter(|battle| battle.turn.side == side || battle.defender == side)
                .copied()
                .collect(),
            losses: self.losses.iter().filter(ours).copied().collect(),
            captures: self.captures.clone(),
            ground: self.ground.clone(),
        }
    }
}

//! A throw at a table, and the single line that represents it: the dice of a session are bound to this line.

use super::event::Toll;
use crate::model::{Ground, Scale, Sort, UnitId};
use crate::numbers::Numbers;
use crate::odds::Fighters;
use crate::scores;
use crate::switches::Switches;
use crate::words::{self, behind};
use musterd_kit::lists::joined;

/// A throw of the dice at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named after what they hold; the variants say what is thrown for")]
pub enum Throw {
    /// A strike in close combat (manual 4.3); on nobody if only the hit points are wanted.
    Strike { way: Blow, by: Striker, on: Option<Struck> },
    /// A volley (manual 2.1, ruling DOG-39), with the number of hexes where that matters.
    Volley { by: Striker, on: Option<Struck>, hexes: Option<u32> },
    /// Whether a hidden unit is found (manual 4.6, ruling DOG-23), with the searchers if they may be at home there.
    Search { hidden: Fighters, searcher: Option<Vec<Sort>> },
    /// The order of the armies (manual 4.1, ruling DOG-22), two at least.
    Initiative { armies: Vec<String> },
}

/// How a strike falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blow {
    /// An attack.
    Attack,
    /// An attack and the retaliation, at the same time (ruling DOG-16).
    Exchange,
    /// A retaliation: the defence score counts.
    Retaliation,
}

/// A striker: fighters, or a force that is already known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Striker {
    /// Fighters where they stand.
    Fighters(Fighters),
    /// A force.
    Force(u32),
}

/// A target: fighters, or a number of bodies with hit points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Struck {
    /// Fighters where they stand.
    Fighters(Fighters),
    /// So many.
    Bodies {
        /// How many.
        fighters: u16,
        /// The hit points of each.
        hp: u32,
    },
}

impl Striker {
    /// The force of an attack or a retaliation.
    pub fn force(&self, numbers: &Numbers, switches: Switches, way: Blow) -> u32 {
        match (self, way) {
            (Self::Force(force), _) => *force,
            (Self::Fighters(by), Blow::Retaliation) => {
                scores::defence_force(numbers, switches, &by.sorts, by.ground)
            }
            (Self::Fighters(by), Blow::Attack | Blow::Exchange) => {
                scores::attack_force(numbers, &by.sorts, by.ground)
            }
        }
    }

    /// The force of a volley from so many hexes, one if nobody says it.
    pub fn volley(&self, numbers: &Numbers, scale: Scale, hexes: Option<u32>) -> u32 {
        match self {
            Self::Force(force) => *force,
            Self::Fighters(Fighters { sorts, .. }) => {
                scores::volley_force(numbers, scale, sorts, &vec![1; sorts.len()], hexes.unwrap_or(1))
            }
        }
    }
}

impl Struck {
    /// What so much damage does.
    pub fn toll(&self, numbers: &Numbers, damage: u32) -> Toll {
        match self {
            Self::Fighters(Fighters { sorts, .. }) => {
                let (killed, hp) = scores::deaths(numbers, sorts, damage);
                let left = sorts.iter().zip(&killed).map(|(sort, dead)| sort.fighters - dead).collect();
                Toll { killed, hp, left }
            }
            Self::Bodies { fighters, hp } => {
                let dead = u16::try_from(damage / (*hp).max(1)).map_or(*fighters, |dead| dead.min(*fighters));
                Toll { killed: vec![dead], hp: u32::from(dead) * hp, left: vec![fighters - dead] }
            }
        }
    }
}

impl Blow {
    /// The word that begins its line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Attack => "strike",
            Self::Exchange => "exchange",
            Self::Retaliation => "retaliate",
        }
    }
}

impl Throw {
    /// The line that it is written as: [`read`](super::read::read) gives the same throw back.
    pub fn line(&self, numbers: &Numbers) -> String {
        self.line_of(numbers, None, None)
    }

    /// The same with the names of units in the place of fighters: of who strikes, shoots or searches, and of who is struck or hidden.
    pub fn line_of(&self, numbers: &Numbers, by: Option<UnitId>, on: Option<UnitId>) -> String {
        let named = |unit: Option<UnitId>, otherwise: &dyn Fn() -> String| {
            unit.map_or_else(otherwise, |id| id.to_string())
        };
        let striker = |who: &Striker| named(by, &|| striker(numbers, who));
        let struck = |whom: &Struck| named(on, &|| struck(numbers, whom));
        match self {
            Self::Strike { way, by: who, on: whom } => {
                format!("{} {}{}", way.word(), striker(who), behind(" at ", whom.as_ref().map(struck)))
            }
            Self::Volley { by: who, on: whom, hexes } => {
                let (whom, range) = (behind(" at ", whom.as_ref().map(struck)), behind(" range ", *hexes));
                format!("shoot {}{whom}{range}", striker(who))
            }
            Self::Search { hidden, searcher } => {
                let from = |sorts: &Vec<Sort>| named(by, &|| all(numbers, sorts));
                let hidden = named(on, &|| party(numbers, hidden));
                format!("hide {hidden}{}", behind(" from ", searcher.as_ref().map(from)))
            }
            Self::Initiative { armies } => {
                format!("initiative{}", joined(armies.iter().map(|name| format!(" \"{name}\"")), ""))
            }
        }
    }
}

/// A striker in words.
pub fn striker(numbers: &Numbers, by: &Striker) -> String {
    match by {
        Striker::Fighters(fighters) => party(numbers, fighters),
        Striker::Force(force) => force.to_string(),
    }
}

/// Whoever is struck in words.
pub fn struck(numbers: &Numbers, on: &Struck) -> String {
    match on {
        Struck::Fighters(fighters) => party(numbers, fighters),
        Struck::Bodies { fighters, hp } => format!("{fighters} of {hp} hp"),
    }
}

/// Fighters and where they stand: `18 elite heavy infantry in forest hills`.
pub fn party(numbers: &Numbers, fighters: &Fighters) -> String {
    let sorts = all(numbers, &fighters.sorts);
    if fighters.ground == Ground::OPEN { sorts } else { format!("{sorts} in {}", fighters.ground) }
}

/// Fighters without their ground: `40 pikemen and 20 archers`.
pub fn all(numbers: &Numbers, sorts: &[Sort]) -> String {
    let one = |sort: &Sort| {
        let troop = numbers.troop(sort.troop).called(sort.fighters);
        words::written(numbers, sort, &troop, [" with ", " people ", " size "])
    };
    joined(sorts.iter().map(one), " and ")
}

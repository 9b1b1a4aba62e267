//! The charts of the rules, `games/sa/ruleset.yaml`.

use std::collections::BTreeMap;

use crate::model::{Class, Kind, Missile, Terrain, Weapon};

/// The charts.
#[derive(Debug, Clone)]
pub struct Numbers {
    /// Time-points to enter a hex, by type and terrain; `None` if it may not (Movement Cost Chart).
    pub costs: BTreeMap<Kind, Costs>,
    /// Weapon factors in melee, own weapon of cavalry or infantry against the opponent's type.
    pub cavalry: BTreeMap<Weapon, Row>,
    /// The same of infantry.
    pub infantry: BTreeMap<Weapon, Row>,
    /// Weapon factors in fire combat.
    pub fire: BTreeMap<Missile, Row>,
    /// How far each missile flies, in hexes (SA-28).
    pub ranges: BTreeMap<Missile, u32>,
    /// What each training class stands.
    pub classes: BTreeMap<Class, Training>,
    /// What a man of each type weighs when armies are counted, in quarters (SA-21).
    pub weights: BTreeMap<Kind, u32>,
    /// The tribes with gifts of their own; any other has none.
    pub tribes: BTreeMap<String, Gifts>,
}

/// The costs of a type of unit, in the order of [`Terrain::ALL`].
pub type Costs = [Option<u16>; Terrain::ALL.len()];

/// A row of a chart, in the order of [`Kind::ALL`].
pub type Row = [i32; Kind::ALL.len()];

/// What a training class stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Training {
    /// The least result of a morale check by which it takes orders.
    pub orders: i32,
    /// The least result by which it halts; below it routs.
    pub halts: i32,
    /// The number of melees lost in a row, without a move, at which it routs.
    pub losses: u8,
    /// What its men weigh when armies are counted, in hundredths (SA-21).
    pub weight: u32,
}

/// What the people of a tribe can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gifts {
    /// What a unit is worth in army morale.
    pub morale: i32,
    /// Time-points that its moves are sooner.
    pub sooner: u16,
    /// Added to its fire with bows.
    pub bow: i32,
    /// Added to its melee and fire.
    pub combat: i32,
    /// Taken from its opponent's melee.
    pub daunts: i32,
    /// Taken from the morale checks of enemies near it.
    pub fear: i32,
    /// Added to its melee against some tribes.
    pub against: BTreeMap<String, i32>,
}

impl Gifts {
    /// Those of a tribe that isn't listed.
    pub const NONE: Self =
        Self { morale: 3, sooner: 0, bow: 0, combat: 0, daunts: 0, fear: 0, against: BTreeMap::new() };
}

impl Numbers {
    /// Time-points for a unit of this type to enter such ground; `None` if it may not.
    #[must_use]
    pub fn cost(&self, kind: Kind, terrain: Terrain) -> Option<u16> {
        self.costs[&kind][terrain as usize]
    }

    /// The cost of clear ground, in which other delays are counted.
    #[must_use]
    pub fn clear(&self, kind: Kind) -> u16 {
        self.cost(kind, Terrain::Clear).unwrap_or(1)
    }

    /// The weapon factor in melee (SA-5).
    #[must_use]
    pub fn melee(&self, kind: Kind, weapon: Weapon, against: Kind) -> i32 {
        let chart = if kind.is_cavalry() { &self.cavalry } else { &self.infantry };
        chart.get(&weapon).map_or(0, |row| row[against as usize])
    }

    /// What a training class stands.
    #[must_use]
    pub fn training(&self, class: Class) -> Training {
        self.classes[&class]
    }
}

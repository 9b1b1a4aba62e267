//! A unit as a table keeps it.

use serde::{Deserialize, Serialize};

use crate::model::{Ground, Sort};
use crate::numbers::Numbers;
use crate::odds::Fighters;
use crate::scores;

/// A unit as a table keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptUnit {
    /// Its sorts, with the fighters that are left of each: none of a sort that has fallen.
    pub sorts: Vec<Sort>,
    /// How many fighters each sort had when the unit was written down.
    pub began: Vec<u16>,
    /// The volleys that each sort has left: none of those who don't shoot.
    pub shots: Vec<u16>,
    /// The ground under it.
    pub ground: Ground,
    /// Whether the table said which ground that is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ground_said: bool,
    /// Where it is, in the table's words: a hex, `the old mill`; empty where nobody said it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// Whether it is hidden.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Whether it has run, as the umpire says: no rule of the manual makes a unit rout.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub routed: bool,
    /// Whether it has attacked or shot since the phase began.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acted: bool,
}

impl KeptUnit {
    /// Whole fighters of these sorts, with all their shots.
    pub fn new(numbers: &Numbers, sorts: Vec<Sort>) -> Self {
        Self {
            began: sorts.iter().map(|sort| sort.fighters).collect(),
            shots: sorts.iter().map(|sort| scores::shots(numbers, sort)).collect(),
            sorts,
            ground: Ground::OPEN,
            ground_said: false,
            place: String::new(),
            hidden: false,
            routed: false,
            acted: false,
        }
    }

    /// The fighters who are left, where they stand.
    pub fn fighters(&self) -> Fighters {
        self.those(|_| true)
    }

    /// The fighters who have volleys left, where they stand.
    pub fn shooters(&self) -> Fighters {
        self.those(|shots| shots > 0)
    }

    fn those(&self, with: impl Fn(u16) -> bool) -> Fighters {
        let pairs = self.sorts.iter().zip(&self.shots);
        let sorts = pairs.filter(|(sort, shots)| sort.fighters > 0 && with(**shots));
        Fighters { sorts: sorts.map(|(sort, _)| sort.clone()).collect(), ground: self.ground }
    }

    /// The number of fighters who are left.
    pub fn left(&self) -> u32 {
        self.sorts.iter().map(|sort| u32::from(sort.fighters)).sum()
    }

    /// Takes the dead of a strike off: so many of each sort that was left, in their order.
    pub(super) fn lose(&mut self, killed: &[u16]) {
        let left = self.sorts.iter_mut().filter(|sort| sort.fighters > 0);
        for (sort, dead) in left.zip(killed) {
            sort.fighters = sort.fighters.saturating_sub(*dead);
        }
    }
}

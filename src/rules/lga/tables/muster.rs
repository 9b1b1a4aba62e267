//! The muster (manual 5.4, rulings LGA-10 to LGA-12).

use super::Sum;
use crate::model::{CityRank, Terrain};
use crate::numbers::Muster;
use crate::sight::Check;

/// A unit at muster: everything that the table depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mustering<'a> {
    /// Its morale.
    pub morale: i8,
    /// Whether it is winter.
    pub winter: bool,
    /// The ground under it.
    pub terrain: Terrain,
    /// The city on it: its line replaces that of the ground (ruling LGA-10).
    pub city: Option<CityRank>,
    /// Whether it began the turn in supply.
    pub supplied: bool,
    /// The country in which a French unit can't live off the land, if it is in one.
    pub abroad: Option<&'a str>,
}

impl Mustering<'_> {
    /// The sum that is added to the die.
    #[must_use]
    pub fn bonus(&self, table: &Muster) -> i32 {
        self.lines(table).total()
    }

    /// The roll and the morale that it takes. Below zero the unit is destroyed (ruling LGA-12).
    #[must_use]
    pub fn check(&self, table: &Muster, die: u32) -> (Check, i8) {
        self.lines(table).check(die, |total| table.loss.read(total))
    }

    fn lines(&self, table: &Muster) -> Sum {
        let mut sum = Sum::default();
        sum.add("morale", self.morale);
        sum.add_if(self.winter, "winter", table.winter);
        match self.city {
            Some(CityRank::Capital) => sum.add("capital", table.major_city),
            Some(CityRank::Major) => sum.add("major city", table.major_city),
            Some(CityRank::Minor) => sum.add("minor city", table.minor_city),
            None => {
                sum.add_if(self.terrain == Terrain::Forest, "forest", table.forest);
                sum.add_if(self.terrain == Terrain::Mountain, "mountains", table.mountain);
                sum.add_if(self.terrain == Terrain::Marsh, "marsh", table.marsh);
            }
        }
        sum.add_if(!self.supplied, "out of supply", table.unsupplied);
        if let Some(country) = self.abroad {
            sum.add(&format!("French in {country}"), table.french_abroad);
        }
        sum
    }
}

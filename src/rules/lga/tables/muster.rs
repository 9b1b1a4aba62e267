//! The muster (manual 5.4, rulings LGA-10 to LGA-12).

use super::{Sum, face};
use crate::map::Map;
use crate::model::{Arm, CityRank, Date, OwnTerrain, Season, Terrain};
use crate::numbers::{Muster, read};
use crate::setting::Traits;
use crate::sight::Check;
use musterd_engine::hex::Hex;

/// A unit at muster: everything that the table depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mustering<'a> {
    /// Its morale.
    pub morale: i8,
    /// Whether it is winter.
    pub winter: bool,
    /// The ground under it.
    pub terrain: Terrain,
    /// What it is, if it is none of the rules' own.
    pub own_terrain: Option<OwnTerrain>,
    /// The city on it: its line replaces that of the ground (ruling LGA-10).
    pub city: Option<CityRank>,
    /// Whether it began the turn in supply.
    pub supplied: bool,
    /// The adjective of its nation and the country, if it is in one that its nation can't live off.
    pub hungry: Option<(&'a str, &'a str)>,
}

impl<'a> Mustering<'a> {
    /// A unit by the traits of its nation, its arm and morale in a hex in a season; `None` for one that doesn't muster: a headquarters, or one at sea (ruling
    /// LGA-16).
    pub fn of(
        map: &'a Map,
        (traits, arm, morale): (Option<&'a Traits>, Arm, i8),
        at: Hex,
        date: Date,
        supplied: bool,
    ) -> Option<Self> {
        let area = map.area(at).filter(|area| area.terrain != Terrain::Sea && arm != Arm::Hq)?;
        Some(Self {
            morale,
            winter: date.season == Season::Winter,
            terrain: area.terrain,
            own_terrain: area.own_terrain,
            city: area.city.as_ref().map(|city| city.rank),
            supplied,
            hungry: traits.and_then(|traits| Some((traits.adjective.as_str(), traits.hungry(area)?))),
        })
    }

    /// The morale that a face of the die takes.
    pub fn loss(&self, table: &Muster, die: u32) -> i8 {
        read(&table.loss, face(die).saturating_add(self.bonus(table))).1
    }

    /// The sum that is added to the die.
    pub fn bonus(&self, table: &Muster) -> i32 {
        self.lines(table).total()
    }

    /// The roll and the morale that it takes. Below zero the unit is destroyed (ruling LGA-12).
    pub fn check(&self, table: &Muster, die: u32) -> (Check, i8) {
        self.lines(table).check(die, |total| read(&table.loss, total))
    }

    fn lines(&self, table: &Muster) -> Sum {
        let mut sum = Sum::default();
        sum.add("morale", self.morale);
        sum.add_if(self.winter, "winter", table.winter);
        let own = self.own_terrain.and_then(|own| Some((own, own.muster?)));
        match self.city {
            Some(CityRank::Minor) => sum.add(CityRank::Minor.words(), table.minor_city),
            Some(rank) => sum.add(rank.words(), table.major_city),
            None if let Some((own, muster)) = own => sum.add(own.word(), muster),
            None => {
                sum.add_if(self.terrain == Terrain::Forest, "forest", table.forest);
                sum.add_if(self.terrain == Terrain::Mountain, "mountains", table.mountain);
                sum.add_if(self.terrain == Terrain::Marsh, "marsh", table.marsh);
            }
        }
        sum.add_if(!self.supplied, "out of supply", table.unsupplied);
        if let Some((nation, country)) = self.hungry {
            sum.add(&format!("{nation} in {country}"), table.hungry);
        }
        sum
    }
}

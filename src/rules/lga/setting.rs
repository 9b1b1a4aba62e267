//! The setting of a map, from `games/lga/settings/*.yaml`: what its nations are called and may do, and which ground is closed to some of them.

mod file;

use super::model::{Nation, Side, UnitType};

pub use file::path_of;

/// The nations of a war and its special ground.
#[derive(Debug, Clone)]
pub struct Setting {
    /// In the order of the file.
    nations: Vec<Traits>,
    zones: Vec<Zone>,
}

/// A nation.
#[derive(Debug, Clone)]
pub struct Traits {
    /// The nation.
    pub nation: Nation,
    /// Its name: `Austria`.
    pub name: String,
    /// Of its units: `Austrian`.
    pub adjective: String,
    /// Its letter on maps.
    pub letter: char,
    /// Its own country.
    pub home: Home,
    /// The side that it leads, and whose only source of supply it is.
    pub leads: Option<Side>,
    /// The cities that give it points in spring (manual 5.3).
    pub allotted: Allotted,
    /// Whether it builds in any city of its country (ruling LGA-37), not in its capitals alone.
    pub builds_anywhere: bool,
    /// Whether its capitals supply its side (ruling LGA-34).
    pub supplies: bool,
    /// Whether its units need a line of supply.
    pub needs_supply: bool,
    /// Countries in which its units need none all the same.
    pub supplied_in: Vec<String>,
    /// Countries that its units can't live off at the muster (manual 5.4).
    pub hungry_in: Vec<String>,
    /// Whether its units go to sea (manual 2.5).
    pub sails: bool,
    /// Whether its garrison in a port supplies its side (manual 2.3).
    pub port_supply: bool,
    /// Whether it can give points to its allies (manual 5.5).
    pub aids: bool,
}

/// A nation's own country.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Home {
    /// Its name on the map.
    pub country: String,
    /// Its capitals, by name.
    pub capitals: Vec<String>,
}

/// The cities of its side that give a nation points in spring (manual 5.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Allotted {
    /// Those of its own country.
    Own,
    /// All.
    All,
    /// Those in the country of no other nation of the side.
    Rest,
}

/// Ground that is closed to some units.
#[derive(Debug, Clone)]
pub(super) struct Zone {
    nations: Vec<Nation>,
    /// Empty if all types are meant.
    types: Vec<UnitType>,
    /// Countries that they may not enter.
    pub(super) closed: Vec<String>,
    /// Countries whose soil they may not leave; empty if they may.
    pub(super) confined: Vec<String>,
    /// The end of the sentence that refuses an order.
    because: String,
}

impl Setting {
    /// The nations, in the order of the file.
    pub fn nations(&self) -> impl Iterator<Item = &Traits> {
        self.nations.iter()
    }

    /// The nation's traits, if it is one of this setting.
    #[must_use]
    pub fn find(&self, nation: Nation) -> Option<&Traits> {
        self.nations.iter().find(|traits| traits.nation == nation)
    }

    /// The traits of a nation of the scenario.
    ///
    /// # Panics
    /// When the nation is not of this setting: every nation of a scenario, state or event is.
    #[must_use]
    pub fn of(&self, nation: Nation) -> &Traits {
        #[expect(clippy::expect_used, reason = "the nations of a scenario are checked against its setting")]
        self.find(nation).expect("a nation of the setting")
    }

    /// The words for the nations.
    pub(super) fn words(&self) -> Vec<&str> {
        self.nations.iter().map(|traits| traits.nation.word()).collect()
    }

    /// The nation of this name or of this word of data files, however capitals stand.
    #[must_use]
    pub fn called(&self, text: &str) -> Option<Nation> {
        let is = |traits: &&Traits| {
            text.eq_ignore_ascii_case(&traits.name) || text.eq_ignore_ascii_case(traits.nation.word())
        };
        self.nations.iter().find(is).map(|traits| traits.nation)
    }

    /// The place of a nation in the order of the file.
    #[must_use]
    pub fn place(&self, nation: Nation) -> usize {
        self.nations.iter().position(|traits| traits.nation == nation).unwrap_or(self.nations.len())
    }

    /// The nation that can give aid (manual 5.5).
    #[must_use]
    pub fn donor(&self) -> Option<Nation> {
        self.nations.iter().find(|traits| traits.aids).map(|traits| traits.nation)
    }

    /// The nation that leads a side.
    #[must_use]
    pub fn leader(&self, side: Side) -> Option<&Traits> {
        self.nations.iter().find(|traits| traits.leads == Some(side))
    }

    /// The adjectives of the nations that sail: `British`.
    pub(super) fn sailors(&self) -> String {
        let sailors: Vec<&str> = self
            .nations
            .iter()
            .filter(|traits| traits.sails)
            .map(|traits| traits.adjective.as_str())
            .collect();
        musterd_report::text::listed(&sailors)
    }

    /// The numbers of the zones that bind a nation's units of a type.
    pub(super) fn bonds(&self, nation: Nation, kind: UnitType) -> Vec<u8> {
        let binds = |zone: &Zone| {
            zone.nations.contains(&nation) && (zone.types.is_empty() || zone.types.contains(&kind))
        };
        (0..).zip(&self.zones).filter(|(_, zone)| binds(zone)).map(|(number, _)| number).collect()
    }

    /// A zone by its number.
    pub(super) fn zone(&self, zone: u8) -> &Zone {
        &self.zones[usize::from(zone)]
    }

    /// Why a zone is closed, as the end of a sentence.
    pub(super) fn because(&self, zone: u8) -> &str {
        &self.zones[usize::from(zone)].because
    }

    /// Replaces homes by those of a map, or of the numbers of an old game.
    pub(super) fn rehome(&mut self, nation: Nation, home: &Home) {
        if let Some(traits) = self.nations.iter_mut().find(|traits| traits.nation == nation) {
            traits.home = home.clone();
        }
    }

    /// Replaces the countries that hungry nations can't live off by those of the numbers of an old game.
    pub(super) fn starve_in(&mut self, countries: &[String]) {
        for traits in self.nations.iter_mut().filter(|traits| !traits.hungry_in.is_empty()) {
            traits.hungry_in = countries.to_vec();
        }
    }
}

impl Traits {
    /// Its name in a seat that shares a side: `austria`.
    pub(super) fn seat_word(&self) -> String {
        self.name.to_lowercase().split_whitespace().collect()
    }
}

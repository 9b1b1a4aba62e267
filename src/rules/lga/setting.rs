//! The setting of a map, from `games/lga/settings/*.yaml`: what its nations are called and may do, and which ground is closed to some of them.

mod file;

use super::model::{Arm, Nation, Side};
use musterd_engine::yaml::LineColumn;
use musterd_kit::data::{At, Entries, Value, like};
use musterd_kit::{data, named};
use serde_json::json;

pub use file::path_of;
pub(crate) use file::{ReadSetting, is_usual, strange_countries};

/// The most zones of a setting: they are numbered by a byte.
const MOST_ZONES: usize = 255;

/// The nations of a war and its special ground.
#[derive(Debug, Clone)]
pub struct Setting {
    /// In the order of the file.
    nations: Vec<(Nation, Traits)>,
    /// In the order of the file.
    pub(super) zones: Vec<Zone>,
    /// The file that it was read from.
    pub(super) file: String,
}

data! {
    /// The nations of a war, and the ground that is closed to some of them.
    pub(crate) struct SettingFile: "a setting" where setting_form {
        /// The nations, by the word for each in scenarios, orders and published data.
        nations: At<Entries<Nation, Traits>>,
        /// Ground that is closed to the units of some nations.
        zones: Vec<At<Zone>> = Vec::new(),
    }

    /// A nation.
    #[derive(Debug, Clone)]
    pub struct Traits: "a nation" where nation_form {
        /// Its name: `Austria`.
        pub name: String as "its name",
        /// Of its units: `Austrian`.
        pub adjective: String as "its adjective",
        /// Its letter on maps.
        pub letter: char,
        /// Its own country.
        pub country: At<String>,
        /// The cities where it draws supply and builds.
        pub capitals: Vec<String>,
        /// The side that it leads: it fights on no other, comes first on it, and only its capitals supply that side.
        pub leads: Option<Side>,
        /// The cities of its side that give it points in spring (manual 5.3).
        pub allotted: Allotted = Allotted::Own,
        /// Where it builds (ruling LGA-37).
        pub builds: Builds = Builds::Capitals,
        /// Whether its capitals supply its side (ruling LGA-34).
        pub supplies: bool = true,
        /// Whether its units need a line of supply.
        pub needs_supply: bool = true,
        /// Countries in which its units need none all the same.
        pub supplied_in: Vec<At<String>> = Vec::new(),
        /// Countries that its units can't live off at the muster (manual 5.4).
        pub hungry_in: Vec<At<String>> = Vec::new(),
        /// Whether its units go to sea (manual 2.5).
        pub sails: bool = false,
        /// Whether its garrison in a port supplies its side (manual 2.3).
        pub port_supply: bool = false,
        /// Whether it can give points to its allies (manual 5.5); one nation of a setting can.
        pub aids: bool = false,
    }

    /// Ground that is closed to the units of some nations.
    #[derive(Debug, Clone)]
    pub(crate) struct Zone: "a zone" where zone_form {
        /// The nations.
        pub(crate) nations: Vec<At<Nation>>,
        /// The arms of the units: a type that is added is bound like the arm that it fights as. All if it is left out.
        pub(crate) types: Vec<Arm> = Vec::new(),
        /// Countries that they may not enter.
        closed: Option<At<Vec<At<String>>>>,
        /// Countries whose soil they may not leave.
        confined: Option<At<Vec<At<String>>>>,
        /// The end of the sentence that refuses an order.
        pub(crate) because: String,
    }

    /// A nation's own country.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Home: "a home" {
        /// Its name on the map.
        pub country: String as "the country",
        /// Its capitals, by name.
        pub capitals: Vec<String>,
    }
}

fn setting_form() -> Value {
    json!({ "properties": { "zones": { "maxItems": MOST_ZONES } } })
}

/// Only the capitals of a nation that leads a side supply it.
fn nation_form() -> Value {
    json!({
        "properties": { "letter": { "anyOf": [like("^[A-Z]$")] } },
        "if": { "required": ["leads"] },
        "then": { "properties": { "supplies": { "const": true } } },
    })
}

/// Closed ground or the ground that is left, not both.
fn zone_form() -> Value {
    let has = |key: &str| json!({ "properties": { key: { "minItems": 1 } }, "required": [key] });
    json!({ "oneOf": [has("closed"), has("confined")] })
}

named! {
    /// The cities of its side that give a nation points in spring (manual 5.3).
    pub enum Allotted: "allotment" {
        /// Those of its own country.
        Own = "own",
        /// All.
        All = "all",
        /// Those in the country of no other nation of the side.
        Rest = "rest",
    }

    /// Where a nation builds.
    pub enum Builds: "place to build" {
        /// In its capitals.
        Capitals = "capitals",
        /// In any city of its country.
        AnyCity = "any-city",
    }
}

impl Zone {
    /// Countries that they may not enter.
    pub(crate) fn closed(&self) -> &[At<String>] {
        self.closed.as_ref().map_or(&[], |list| &list.value)
    }

    /// Countries whose soil they may not leave.
    pub(crate) fn confined(&self) -> &[At<String>] {
        self.confined.as_ref().map_or(&[], |list| &list.value)
    }

    /// Whether it binds the units of a nation.
    fn binds(&self, nation: Nation) -> bool {
        self.nations.iter().any(|of| of.value == nation)
    }
}

impl Setting {
    /// The nations, in the order of the file.
    pub fn nations(&self) -> impl Iterator<Item = (Nation, &Traits)> {
        self.nations.iter().map(|(nation, traits)| (*nation, traits))
    }

    /// The nation's traits, if it is one of this setting.
    pub fn find(&self, nation: Nation) -> Option<&Traits> {
        self.nations.iter().find(|(of, _)| *of == nation).map(|(_, traits)| traits)
    }

    /// The traits of a nation of the scenario.
    ///
    /// # Panics
    /// When the nation is not of this setting: every nation of a scenario, state or event is.
    pub fn of(&self, nation: Nation) -> &Traits {
        #[expect(clippy::expect_used, reason = "the nations of a scenario are checked against its setting")]
        self.find(nation).expect("a nation of the setting")
    }

    /// The words for the nations.
    pub(super) fn words(&self) -> Vec<&str> {
        self.nations.iter().map(|(nation, _)| nation.word()).collect()
    }

    /// The nation of this name or of this word of data files, however capitals stand.
    pub fn called(&self, text: &str) -> Option<Nation> {
        let is = |(nation, traits): &(Nation, &Traits)| {
            text.eq_ignore_ascii_case(&traits.name) || text.eq_ignore_ascii_case(nation.word())
        };
        self.nations().find(is).map(|(nation, _)| nation)
    }

    /// The place of a nation in the order of the file.
    pub fn place(&self, nation: Nation) -> usize {
        self.nations.iter().position(|(of, _)| *of == nation).unwrap_or(self.nations.len())
    }

    /// The nation that can give aid (manual 5.5).
    pub fn donor(&self) -> Option<Nation> {
        self.nations().find(|(_, traits)| traits.aids).map(|(nation, _)| nation)
    }

    /// The nation that leads a side.
    pub fn leader(&self, side: Side) -> Option<(Nation, &Traits)> {
        self.nations().find(|(_, traits)| traits.leads == Some(side))
    }

    /// The adjectives of the nations that sail, `British`; `None` if none does.
    pub(super) fn sailors(&self) -> Option<String> {
        let sailors = self.nations().filter(|(_, of)| of.sails).map(|(_, of)| of.adjective.as_str());
        let sailors: Vec<&str> = sailors.collect();
        (!sailors.is_empty()).then(|| musterd_report::text::listed(&sailors))
    }

    /// Its name in a seat that shares a side, `austria`: letters and digits only, or its word.
    pub(super) fn seat_word(&self, nation: Nation) -> String {
        let name: String = self.of(nation).name.to_lowercase().split_whitespace().collect();
        let is_plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if is_plain { name } else { nation.word().to_owned() }
    }

    /// The countries that it names itself, each with whether it matters where only some of the nations are.
    pub(super) fn countries(
        &self,
        is_there: impl Fn(Nation) -> bool + Copy,
    ) -> impl Iterator<Item = (&At<String>, bool)> {
        let of_nations = self.nations().flat_map(move |(nation, traits)| {
            let named = [&traits.country].into_iter().chain(&traits.supplied_in).chain(&traits.hungry_in);
            named.map(move |country| (country, is_there(nation)))
        });
        let of_zones = self.zones.iter().flat_map(move |zone| {
            let matters = zone.nations.iter().any(|nation| is_there(nation.value));
            zone.closed().iter().chain(zone.confined()).map(move |country| (country, matters))
        });
        of_nations.chain(of_zones).filter(|(country, _)| country.known().is_some())
    }

    /// The numbers of the zones that bind a nation's units of an arm.
    pub(super) fn bonds(&self, nation: Nation, arm: Arm) -> Vec<u8> {
        let binds = |zone: &Zone| zone.binds(nation) && (zone.types.is_empty() || zone.types.contains(&arm));
        (0..=u8::MAX).zip(&self.zones).filter(|(_, zone)| binds(zone)).map(|(number, _)| number).collect()
    }

    /// A zone by its number.
    pub(super) fn zone(&self, zone: u8) -> &Zone {
        &self.zones[usize::from(zone)]
    }

    /// Replaces a home by that of a map, or of the numbers of an old game.
    pub(super) fn rehome(&mut self, nation: Nation, home: &Home) {
        if let Some((_, traits)) = self.nations.iter_mut().find(|(of, _)| *of == nation) {
            (traits.country, traits.capitals) = (elsewhere(&home.country), home.capitals.clone());
        }
    }

    /// Replaces the countries that hungry nations can't live off by those of the numbers of an old game.
    pub(super) fn starve_in(&mut self, countries: &[String]) {
        for (_, traits) in self.nations.iter_mut().filter(|(_, traits)| !traits.hungry_in.is_empty()) {
            traits.hungry_in = countries.iter().map(|country| elsewhere(country)).collect();
        }
    }
}

/// Whether a list of countries has this one.
pub(super) fn lists(countries: &[At<String>], country: &str) -> bool {
    countries.iter().any(|listed| listed.value == country)
}

/// A country that another file names: it has no place in the setting's.
fn elsewhere(country: &str) -> At<String> {
    let at = LineColumn::default();
    At { at, first: at, value: country.to_owned() }
}

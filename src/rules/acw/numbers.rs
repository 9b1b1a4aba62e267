//! The tables of the rules, `games/acw/ruleset.yaml`.

use std::collections::BTreeMap;

use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::palette;
use musterd_engine::yaml::{LineColumn, short};
use musterd_kit::data::{At, Each, Entries, Range, Reader};
use musterd_kit::files::open;
use musterd_kit::{data, named};

use crate::model::{Arm, Crossing, Formation, Light, Weather};

/// The file that the tables come from.
pub(crate) const FILE: &str = "ruleset.yaml";
/// The tables that the program ships.
pub(crate) const SHIPPED: &str = include_str!("../../../games/acw/ruleset.yaml");
/// What a number of the tables may be unless its key says otherwise.
pub(crate) const NUMBERS: Range = -99..=99;

data! {
    /// The tables.
    #[derive(Debug, Clone)]
    pub struct Numbers: "a ruleset" {
        /// The base chance to be in communication, by distance (ACW-26). Beyond the last row it is 0.
        pub communications: At<Vec<Reach>>,
        /// Hits by the fire value less the vulnerability (Table 2). Below the first row there are none.
        pub hits: At<Vec<HitsRow>>,
        /// What hits cost (ACW-51).
        pub losses: Losses,
        /// Small arms by their word in scenarios.
        pub small_arms: BTreeMap<String, SmallArms>,
        /// Guns by their word in scenarios.
        pub guns: BTreeMap<String, Gun>,
        /// Kinds of ground by their names, in the order of legends.
        pub(crate) terrains: Entries<String, Terrain>,
        /// Movement points for a hex along a road, in column.
        pub road: u16 [1..=20],
        /// Movement points that water along a hex side adds.
        pub waters: Waters,
        /// Movement points of a turn by type of unit (ACW-42).
        pub allowances: Each<Mover, Allowance>,
        /// What weather and light add to the sum of sight (ACW-22). What is not named adds nothing.
        pub sight: BTreeMap<Haze, i32>,
    }

    /// The base chance up to a distance.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Reach: "a row" {
        /// The last distance of the row, in hexes.
        pub to: u32 [0..=99],
        /// The chance against a random number of 0 to 15.
        pub base: i32 [0..=15],
    }

    /// The hits from a difference on.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct HitsRow: "a row" {
        /// The least difference of the row.
        pub from: i32,
        /// The hits.
        pub hits: u32 [1..=20],
    }

    /// What a hit costs.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Losses: "the losses" {
        /// Hundredths of the men before the shot.
        pub hundredths: u32 [1..=50],
        /// The least number of men.
        pub least: u32 [0..=1000],
        /// Hits of one shot for each gun lost.
        pub hits_a_gun: u32 [1..=20],
        /// Hundredths of the men left in a brigade who are lost when it breaks; the others scatter (ACW-91).
        pub broken: u32 [0..=100],
    }

    /// Small arms.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SmallArms: "small arms" {
        /// Their name, as in "armed with".
        pub name: String as "name",
        /// Their fire value.
        pub fire: i32 [0..=20],
        /// Their melee value.
        pub melee: i32 [0..=20],
        /// 0 for arms that are no firearms; all others reach two hexes (ACW-47).
        pub range: u32 [0..=2],
    }

    /// Guns.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Gun: "guns" {
        /// Their name, as in "with".
        pub name: String as "name",
        /// Counts at a distance.
        pub penetration: i32 [0..=20],
        /// Counts against a neighbour.
        pub effectiveness: i32 [0..=20],
        /// Their rate of fire.
        pub rate: i32 [0..=20],
        /// Their range, in hexes.
        pub range: u32 [1..=20],
    }

    /// A kind of ground.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Terrain: "a terrain" {
        /// Its sign on maps.
        pub sign: char,
        /// Its cover against fire.
        pub cover: i32 [0..=20],
        /// What it takes from sight (ACW-44).
        pub sight: i32 [0..=60],
        /// Movement points to enter it in column; nobody enters ground without.
        pub column: Option<u16> [1..=60],
        /// The same in line.
        pub line: Option<u16> [1..=60],
        /// The same for cavalry.
        pub cavalry: Option<u16> [1..=60],
        /// The same for artillery.
        pub artillery: Option<u16> [1..=60],
        /// Whether it is open water.
        pub water: bool = false,
        /// Its colour on drawn maps, such as "#d5e0b8"; else that of the palette, or one of a few.
        pub colour: Option<At<String>> as "a colour",
    }

    /// Movement points that water adds.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Waters: "the waters" {
        /// A stream.
        pub stream: u16 [0..=60],
        /// A ford.
        pub ford: u16 [0..=60],
        /// A bridge.
        pub bridge: u16 [0..=60],
        /// A pontoon bridge.
        pub pontoon: u16 [0..=60],
    }

    /// How far a type of unit moves in a turn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Allowance: "an allowance" {
        /// Movement points.
        pub points: u16 [1..=99],
        /// The most hexes in column.
        pub column: u16 [1..=60],
        /// The most hexes in line.
        pub line: u16 [1..=60],
    }
}

named! {
    /// Who moves.
    #[expect(missing_docs, reason = "named after what they are")]
    pub enum Mover: "type of unit" {
        Infantry = "infantry",
        MountedInfantry = "mounted-infantry",
        Cavalry = "cavalry",
        Artillery = "artillery",
        Headquarters = "headquarters",
    }

    /// Weather or light that hinders sight.
    #[expect(missing_docs, reason = "named after what they are")]
    pub enum Haze: "weather or light" {
        Overcast = "overcast",
        Drizzle = "drizzle",
        Rain = "rain",
        Snow = "snow",
        LightFog = "light-fog",
        HeavyFog = "heavy-fog",
        Dawn = "dawn",
        Dusk = "dusk",
        Night = "night",
    }
}

impl From<Arm> for Mover {
    fn from(arm: Arm) -> Self {
        match arm {
            Arm::Infantry => Self::Infantry,
            Arm::MountedInfantry => Self::MountedInfantry,
            Arm::Cavalry => Self::Cavalry,
            Arm::Artillery => Self::Artillery,
        }
    }
}

/// A kind of ground, by its place in the list of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ground(pub u8);

impl Terrain {
    /// Movement points for a mover to enter it; `None` if it may not (ACW-55).
    pub const fn cost(&self, mover: Mover, formation: Formation) -> Option<u16> {
        match (mover, formation) {
            (Mover::Headquarters, _) | (Mover::Infantry, Formation::Column) => self.column,
            (Mover::Infantry | Mover::MountedInfantry, Formation::Line) => self.line,
            (Mover::Cavalry, _) | (Mover::MountedInfantry, Formation::Column) => self.cavalry,
            (Mover::Artillery, _) => self.artillery,
        }
    }
}

/// Whether a text is a colour as authors write it.
pub(crate) fn is_colour(text: &str) -> bool {
    text.len() == 7 && palette::is_colour(text)
}

/// Says that a text is no colour.
pub(crate) fn no_colour(text: &str) -> String {
    format!("`{}` is no colour: write # and six digits, such as \"#d5e0b8\"", short(text))
}

impl Numbers {
    /// The tables that the program ships.
    ///
    /// # Panics
    /// Never: a test reads them.
    pub fn shipped() -> Self {
        #[expect(clippy::expect_used, reason = "a test reads them")]
        Self::load(&RuleFiles::of(&[(FILE, SHIPPED)])).expect("the shipped tables")
    }

    /// Reads and checks the file.
    ///
    /// # Errors
    /// Every fault of it, with its place.
    pub fn load(files: &RuleFiles) -> Result<Self, DataErrors> {
        let (mut reader, numbers) = open::<At<Self>>(files, FILE, &NUMBERS);
        if let Some(At { at, value, .. }) = &numbers {
            value.check(&mut reader, *at);
        }
        let numbers = numbers.filter(|_| reader.errors.is_empty()).map(|numbers| numbers.value);
        numbers.ok_or(DataErrors(reader.errors))
    }

    fn check(&self, reader: &mut Reader, top: LineColumn) {
        let mut seen: Vec<char> = Vec::new();
        for (name, terrain) in &self.terrains.0 {
            if seen.contains(&terrain.sign) {
                let reason =
                    format!("`{}` has the sign of another terrain: `{}`", short(&name.value), terrain.sign);
                reader.fault(name.at, reason);
            }
            seen.push(terrain.sign);
            let colour = terrain.colour.as_ref().and_then(|colour| Some((colour.at, colour.known()?)));
            if let Some((at, colour)) = colour.filter(|(_, colour)| !is_colour(colour)) {
                reader.fault(at, no_colour(colour));
            }
        }
        if self.terrains.0.is_empty() || self.terrains.0.len() > 60 {
            reader.fault(top, "`terrains` has 1 to 60 entries".to_owned());
        }
        let rising = |what: &str, values: Vec<i64>, reader: &mut Reader| {
            if values.windows(2).any(|pair| pair[0] >= pair[1]) {
                reader.fault(top, format!("the rows of `{what}` are to rise from one to the next"));
            }
        };
        let mut bare =
            |what: &str, at: LineColumn| reader.fault(at, format!("`{what}` has no rows: add one"));
        if self.communications.value.is_empty() {
            bare("communications", self.communications.at);
        }
        if self.hits.value.is_empty() {
            bare("hits", self.hits.at);
        }
        rising("communications", self.communications.value.iter().map(|row| row.to.into()).collect(), reader);
        rising("hits", self.hits.value.iter().map(|row| row.from.into()).collect(), reader);
    }

    /// A kind of ground.
    ///
    /// # Panics
    /// The map is of other tables.
    pub fn terrain(&self, ground: Ground) -> &Terrain {
        &self.terrains.0[usize::from(ground.0)].1
    }

    /// The name of a kind of ground.
    ///
    /// # Panics
    /// The map is of other tables.
    pub fn ground_name(&self, ground: Ground) -> &str {
        &self.terrains.0[usize::from(ground.0)].0.value
    }

    /// All kinds of ground with their names, in the order of legends.
    pub fn grounds(&self) -> impl Iterator<Item = (Ground, &str, &Terrain)> {
        (0..)
            .zip(&self.terrains.0)
            .map(|(place, (name, terrain))| (Ground(place), name.value.as_str(), terrain))
    }

    /// The ground of a sign.
    pub fn ground_of(&self, sign: char) -> Option<Ground> {
        self.grounds().find(|(_, _, terrain)| terrain.sign == sign).map(|(ground, ..)| ground)
    }

    /// The base chance to be in communication over a distance, against a random number of 0 to 15 (ACW-26).
    pub fn reach(&self, distance: u32) -> i32 {
        // Beyond the last row nobody is reached but by what is added.
        self.communications.value.iter().find(|row| distance <= row.to).map_or(0, |row| row.base)
    }

    /// The hits of a fire value that is so much above the vulnerability (Table 2).
    pub fn hits_of(&self, difference: i32) -> u32 {
        // Below the first row nobody is hit.
        self.hits.value.iter().rev().find(|row| difference >= row.from).map_or(0, |row| row.hits)
    }

    /// Movement points that a crossing adds.
    pub const fn crossing(&self, crossing: Crossing) -> u16 {
        match crossing {
            Crossing::Bridge => self.waters.bridge,
            Crossing::Ford => self.waters.ford,
            Crossing::Pontoon => self.waters.pontoon,
        }
    }

    /// What weather and light add to the sum of sight (ACW-22).
    pub fn haze(&self, weather: Weather, light: Light) -> i32 {
        let of = |word: &str| {
            let haze = Haze::ALL.into_iter().find(|haze| haze.word() == word);
            haze.and_then(|haze| self.sight.get(&haze)).copied().unwrap_or(0)
        };
        of(weather.word()) + of(light.word())
    }
}

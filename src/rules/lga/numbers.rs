//! The numbers of the rules: unit types, costs, tables and modifiers, from `games/lga/ruleset.yaml`.

use std::collections::BTreeMap;

use super::kinds::{Kinds, MOST};
use super::model::{CityRank, Nation, Terrain};
use super::setting::Home;
use super::terrains::Terrains;
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_kit::data::{Range, like};
use musterd_kit::files::open;
use musterd_kit::{data, written};

/// The file that the numbers come from.
pub(super) const FILE: &str = "ruleset.yaml";
/// What a number may be unless its key says otherwise.
pub(crate) const SMALL: Range = -MOST..=MOST;

data! {
    /// Everything in `ruleset.yaml`.
    #[derive(Debug, Clone)]
    pub struct Numbers: "a ruleset" {
        /// The types of unit: one of each arm, called as it, and others that fight as one of them.
        pub units: Kinds,
        /// Terrains besides those of the rules.
        pub terrains: Terrains = Terrains::none(),
        /// Military points to raise a morale to 1, 2, 3 and 4 (manual 5.5).
        pub rally: [u16; 4],
        /// Country and capitals of nations, in games that were founded before there were settings.
        pub nations: BTreeMap<Nation, Home> = BTreeMap::new(),
        /// Victory points of cities (manual 5.2).
        pub victory: CityWorth,
        /// How many unspent points bring one in spring (manual 5.3).
        pub unspent_for_one_point: i32 [1..=MOST],
        /// Costs in moves (manual 2.3, 2.13, 3.2).
        pub movement: MoveCosts,
        /// Fog of war in a hundred (manual 5.63).
        pub fog: FogChances,
        /// The muster (manual 5.4).
        pub muster: Muster,
        /// Long marches (manual 5.62).
        pub long_march: LongMarch,
        /// Combat (manual 5.64).
        pub combat: Combat,
        /// Reinforcing (manual 5.67).
        pub reinforce: Reinforce,
        /// Withdrawing (manual 5.67).
        pub rout: Rout,
        /// Sieges (manual 5.7).
        pub siege: Siege,
    }

    /// Victory points of a city (manual 5.2).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct CityWorth: "`victory`" {
        /// A capital, for its home side.
        capital: i32,
        /// A major city, for its home side.
        major: i32,
        /// Either, for the other side.
        taken: i32,
    }
}

impl CityWorth {
    /// The victory points of a city for the side that holds it, at home or taken from the enemy. A minor city counts nothing.
    pub const fn of(self, rank: CityRank, at_home: bool) -> i32 {
        match (rank, at_home) {
            (CityRank::Capital, true) => self.capital,
            (CityRank::Major, true) => self.major,
            (CityRank::Capital | CityRank::Major, false) => self.taken,
            (CityRank::Minor, _) => 0,
        }
    }
}

data! {
    /// Costs in moves.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct MoveCosts: "`movement`" {
        /// Clear ground.
        clear: u8,
        /// A city, whatever it stands on.
        city: u8,
        /// Forest.
        forest: u8,
        /// Mountains.
        mountain: u8,
        /// Marsh.
        marsh: u8,
        /// The additional cost of leaving an enemy zone of control (manual 3.2).
        pub leave_zone: u8,
        /// The cost of an attack on a unit that withdrew (manual 2.13).
        pub attack_withdrawn: u8,
    }
}

impl MoveCosts {
    /// The moves to enter a land hex; a city is entered at its own cost whatever it stands on (manual 2.3).
    pub const fn enter(self, terrain: Terrain, city: bool) -> u8 {
        match terrain {
            _ if city => self.city,
            Terrain::Clear | Terrain::Sea | Terrain::Prohibited => self.clear,
            Terrain::Forest => self.forest,
            Terrain::Mountain => self.mountain,
            Terrain::Marsh => self.marsh,
        }
    }
}

data! {
    /// Chances of the fog of war, in a hundred (manual 5.63).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct FogChances: "`fog`" {
        /// To lose all remaining moves.
        pub lose_all: u32,
        /// To lose one.
        pub lose_one: u32,
    }
}

/// Reads a table by a die and its modifiers; totals beyond its ends use the end entries (ruling LGA-11). Gives the column, from 1, and the entry.
pub fn read<T: Copy, const N: usize>(table: &[T; N], total: i32) -> (i32, T) {
    let last = const {
        assert!(N > 0 && N < 100);
        N as i32
    };
    let used = total.clamp(1, last);
    (used, table[(used - 1) as usize])
}

data! {
    /// The muster (manual 5.4, ruling LGA-10).
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Muster: "`muster`" {
        /// Morale lost.
        pub loss: [i8; 6] [0..=MOST],
        /// In winter.
        pub winter: i8,
        /// In a capital or major city.
        pub major_city: i8,
        /// In a minor city.
        pub minor_city: i8,
        /// In a forest.
        pub forest: i8,
        /// In mountains.
        pub mountain: i8,
        /// In a marsh.
        pub marsh: i8,
        /// Out of supply.
        pub unsupplied: i8,
        /// In a country that its nation can't live off.
        pub hungry: i8 = 0,
        /// The same, in games that were founded before there were settings.
        french_abroad: Option<i8>,
        /// These countries, in games that were founded before there were settings.
        pub abroad: Option<Vec<String>>,
    }

    /// Long marches (manual 5.62).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct LongMarch: "`long_march`" {
        /// Fatigue gained.
        pub fatigue: [u8; 6] [0..=MOST],
        /// In winter.
        pub winter: i8,
    }
}

/// An entry of the combat results table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Morale that the attacker loses.
    pub attacker: i8,
    /// Morale that the defender loses.
    pub defender: i8,
}

written! { Outcome: like("^[ADS][0-9]$"), or Self { attacker: 0, defender: 0 }; }

impl TryFrom<String> for Outcome {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let bad = || {
            format!("`{text}` is no combat result: write A, D or S and how much morale is lost, such as D2")
        };
        let (who, loss) = text.split_at_checked(1).ok_or_else(bad)?;
        let loss = loss.parse().ok().filter(|n| (0..=9).contains(n)).ok_or_else(bad)?;
        match who {
            "A" => Ok(Self { attacker: loss, defender: 0 }),
            "D" => Ok(Self { attacker: 0, defender: loss }),
            "S" => Ok(Self { attacker: loss, defender: loss }),
            _ => Err(bad()),
        }
    }
}

data! {
    /// Combat (manual 5.64): positive modifiers help the attacker.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Combat: "`combat`" {
        /// The results, by total from 1 to 7.
        pub results: [Outcome; 7],
        /// Against a garrison; then no modifier below counts.
        pub garrison: i8,
        /// Across a river.
        pub river: i8,
        /// From the sea (ruling LGA-30).
        pub from_sea: i8,
        /// Cavalry attacking into forest.
        pub cavalry_into_forest: i8,
        /// Cavalry attacked in forest.
        pub cavalry_holding_forest: i8,
        /// Cavalry attacking a unit of lower morale.
        pub cavalry_on_weaker: i8,
        /// Into mountains.
        pub into_mountain: i8,
        /// Into a marsh.
        pub into_marsh: i8,
        /// Out of a marsh.
        pub out_of_marsh: i8,
    }

    /// Reinforcing (manual 5.67, ruling LGA-14).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Reinforce: "`reinforce`" {
        /// The least total that arrives.
        pub arrives_on: i32,
        /// For militia.
        pub militia: i8,
        /// For cavalry.
        pub cavalry: i8,
    }

    /// Withdrawing (manual 5.67).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Rout: "`rout`" {
        /// Morale lost.
        pub loss: [i8; 6] [0..=MOST],
        /// Over a river.
        pub river: i8,
        /// Into a marsh.
        pub into_marsh: i8,
    }

    /// Sieges (manual 5.7).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Siege: "`siege`" {
        /// Morale lost.
        pub loss: [i8; 6] [0..=MOST],
    }
}

impl Numbers {
    /// Reads and checks the file.
    ///
    /// # Errors
    /// When it is missing, is not what this type wants, has a number without sense, or leaves out an arm.
    pub fn load(files: &RuleFiles) -> Result<Self, DataErrors> {
        match Self::draft(files) {
            (Some(numbers), faults) if faults.is_empty() => Ok(numbers),
            (_, faults) => Err(DataErrors(faults)),
        }
    }

    /// The file as far as it can be read, and its faults: it can't be used if there are some.
    pub(super) fn draft(files: &RuleFiles) -> (Option<Self>, Vec<DataError>) {
        let (reader, mut numbers) = open::<Self>(files, FILE, &SMALL);
        if let Some(Self { muster, .. }) = &mut numbers {
            muster.hungry = muster.french_abroad.unwrap_or(muster.hungry);
        }
        (numbers, reader.errors)
    }

    /// These numbers in the place of others with faults, for checks of what names types of unit and terrains: with those of the others if they are known. Where
    /// they are not, no name of one is known to be wrong.
    pub(super) fn in_place_of(self, draft: Option<Self>) -> Self {
        let (units, terrains) = draft.map(|draft| (draft.units, draft.terrains)).unzip();
        let units = units.filter(|units| units.whole).unwrap_or_else(|| self.units.open());
        let terrains = terrains.unwrap_or(Terrains::unknown());
        Self { units, terrains, ..self }
    }
}

//! The charts of the rules, `games/sa/ruleset.yaml`.

use std::collections::BTreeMap;

use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_kit::data;
use musterd_kit::data::{Data, Each, Node, Noun, Range, Reader, Value, read_draft};
use serde_json::json;

use crate::model::{Class, Missile, Terrain, UnitType, Weapon};

/// The file that the charts come from.
pub(crate) const FILE: &str = "ruleset.yaml";
/// The charts that the program ships.
pub(crate) const SHIPPED: &str = include_str!("../../../games/sa/ruleset.yaml");
/// What a number of the charts may be unless its key says otherwise.
pub(crate) const NUMBERS: Range = -20..=200;

data! {
    /// The charts.
    #[derive(Debug, Clone)]
    pub struct Numbers: "a ruleset" {
        /// Time-points to enter a hex of clear ground, light woods, heavy woods, low hills, high hills, mountain; `XX` where the type may not (Movement
        /// Cost Chart).
        pub costs "movement": Each<UnitType, Costs> [1..=144],
        /// Weapon factors of cavalry in melee by the opponent's type: HI, LHI, MI, LMI, LI, EHC, HC, MC, LC (SA-5). A weapon without a row can't be borne.
        pub cavalry: BTreeMap<Weapon, Row>,
        /// The same of infantry.
        pub infantry: BTreeMap<Weapon, Row>,
        /// Weapon factors in fire combat by the target's type.
        pub fire: Each<Missile, Row>,
        /// How far each missile flies, in hexes (SA-28).
        pub ranges: Each<Missile, u32> [1..=20],
        /// What each training class stands.
        pub classes: Each<Class, Training>,
        /// What a man of each type weighs when armies are counted, in quarters (SA-21).
        pub weights: Each<UnitType, u32> [1..=200],
        /// The tribes with gifts of their own; any other has none.
        pub tribes: BTreeMap<String, Gifts> = BTreeMap::new(),
    }

    /// What a training class stands.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Training: "a training class" {
        /// The least result of a morale check by which it takes orders.
        pub orders: i32,
        /// The least result by which it halts; below it routs.
        pub halts: i32,
        /// The number of melees lost in a row, without a move, at which it routs.
        pub losses: u8 [1..=99],
        /// What its men weigh when armies are counted, in hundredths (SA-21).
        pub weight: u32 [1..=1000],
    }

    /// What the people of a tribe can do.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Gifts: "a tribe" {
        /// What a unit is worth in army morale.
        pub morale: i32 [1..=100] = 3,
        /// Time-points that its moves are sooner.
        pub sooner: u16 [0..=20] = 0,
        /// Added to its fire with bows.
        pub bow: i32 = 0,
        /// Added to its melee and fire.
        pub combat: i32 = 0,
        /// Taken from its opponent's melee.
        pub daunts: i32 = 0,
        /// Taken from the morale checks of enemies near it.
        pub fear: i32 = 0,
        /// Added to its melee against some tribes.
        pub against: BTreeMap<String, i32> = BTreeMap::new(),
    }
}

/// A row of a chart, in the order of [`UnitType::ALL`].
pub type Row = [i32; UnitType::ALL.len()];

/// The costs of a type of unit on the terrains of the chart, which are the first of [`Terrain::ALL`].
pub type Costs = [Cost; 6];

/// Time-points to enter a hex; `None` if it may not be entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost(pub Option<u16>);

/// How the chart writes that a type may not go there.
const PROHIBITED: &str = "XX";

impl Data for Cost {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        match node.text() {
            Some(PROHIBITED) => Some(Self(None)),
            _ => u16::read(reader, node, noun, range).map(|cost| Self(Some(cost))),
        }
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self(None))
    }

    fn schema(range: &Range) -> Value {
        json!({ "anyOf": [{ "const": PROHIBITED }, u16::schema(range)] })
    }
}

impl Gifts {
    /// Those of a tribe that isn't listed.
    pub const NONE: Self =
        Self { morale: 3, sooner: 0, bow: 0, combat: 0, daunts: 0, fear: 0, against: BTreeMap::new() };
}

impl Numbers {
    /// The charts that the program ships.
    pub(crate) fn shipped() -> Self {
        #[expect(clippy::expect_used, reason = "a test reads them")]
        Self::load(&RuleFiles::of(&[(FILE, SHIPPED)])).expect("the shipped charts")
    }

    /// Reads and checks the file.
    ///
    /// # Errors
    /// Every fault of it, with its place.
    pub fn load(files: &RuleFiles) -> Result<Self, DataErrors> {
        let tree = files.tree(FILE)?;
        let mut reader = Reader::new(FILE);
        let numbers: Option<Self> = read_draft(&mut reader, &tree, &NUMBERS);
        let barred =
            |numbers: &&Self, kind: UnitType| numbers.costs[&kind][Terrain::Clear as usize] == Cost(None);
        if let Some(numbers) = numbers.as_ref().filter(|_| reader.errors.is_empty()) {
            for kind in UnitType::ALL.into_iter().filter(|kind| barred(&numbers, *kind)) {
                let row = tree.get("movement").and_then(|chart| chart.get(kind.word()));
                let reason =
                    format!("{} can't be barred from clear ground: write its time-points", kind.word());
                reader.fault(row.map_or(tree.at, |row| row.at), reason);
            }
        }
        numbers.filter(|_| reader.errors.is_empty()).ok_or(DataErrors(reader.errors))
    }

    /// Time-points for a unit of this type to enter such ground; `None` if it may not.
    pub fn cost(&self, kind: UnitType, terrain: Terrain) -> Option<u16> {
        match terrain {
            Terrain::Water => None,
            Terrain::Bridge => self.cost(kind, Terrain::Clear),
            terrain => self.costs[&kind][terrain as usize].0,
        }
    }

    /// The cost of clear ground, in which other delays are counted.
    pub fn clear(&self, kind: UnitType) -> u16 {
        #[expect(clippy::expect_used, reason = "the file is refused otherwise")]
        self.cost(kind, Terrain::Clear).expect("clear ground that everybody may enter")
    }

    /// The weapons that units of this type can bear, with their factors in melee (SA-5).
    pub const fn weapons(&self, kind: UnitType) -> &BTreeMap<Weapon, Row> {
        if kind.is_cavalry() { &self.cavalry } else { &self.infantry }
    }

    /// The weapon factor in melee (SA-5).
    ///
    /// # Panics
    /// Units of this type can't bear such a weapon.
    pub fn melee(&self, kind: UnitType, weapon: Weapon, against: UnitType) -> i32 {
        self.weapons(kind)[&weapon][against as usize]
    }

    /// What a training class stands.
    pub fn training(&self, class: Class) -> Training {
        self.classes[&class]
    }
}

//! What stands in the files of scenarios, armies and fields.

use musterd_engine::hex::Hex;
use musterd_kit::data::{At, Data, Entries, Node, Noun, Range, Reader, Value, Words, form_of, written};
use musterd_kit::field::HexOrTwo;
use musterd_kit::{data, field};
use serde_json::json;

use crate::battle::{Edge, Setting};
use crate::model::{Class, Missile, Terrain, UnitId, UnitType, Weapon};
use crate::numbers::Numbers;

/// The most columns and rows of a field.
pub(super) const MOST: field::Size = (40, 40);
/// The most men of a unit.
pub(super) const MOST_MEN: i64 = 100_000;
/// The most units of a side.
pub(super) const MOST_UNITS: i64 = UnitId::MOST as i64;
/// What a time-point may be.
pub(super) const POINTS: Range = 1..=999;

data! {
    /// A scenario: the field, the two sides, and what is special.
    pub(crate) struct ScenarioFile: "a scenario" where scenario_form {
        /// Its name on the command line: the file's name.
        pub(super) id: At<String> as "id",
        /// Its title.
        pub(super) title: String as "title",
        /// What it is made of.
        pub(super) kind: Setting = Setting::Fantasy,
        /// When it was, in words.
        pub(super) date: String as "date" = String::new(),
        /// The situation, a few sentences.
        pub(super) situation: String as "situation",
        /// Where its facts are from, in words.
        pub(super) sources: String as "the sources" = String::new(),
        /// The last time-point: 144 where none is written.
        pub(super) nightfall: Option<At<u16>> as "time-point" [12..=999],
        /// The field: the name of a file in `fields`, or its rows and places.
        pub(super) field: NameOr<Ground> as "the field",
        /// The two sides; the first is side A.
        pub(super) sides: At<Vec<At<SideLine>>> as "the list of sides",
        /// The hunt for a wizard who makes likenesses of himself (SA-32).
        pub(super) hunt: Option<At<HuntLine>>,
    }

    /// A side.
    pub(crate) struct SideLine: "a side" {
        /// The seat of its commander: small letters, digits, - and .
        pub(super) seat: At<String> as "a seat",
        /// Its name.
        pub(super) name: At<String> as "name",
        /// How its commander is addressed; else `the commander of` the side.
        pub(super) commander: String as "a commander" = String::new(),
        /// Its army: the name of a file in `armies`, or its units.
        pub(super) army: NameOr<Vec<At<Row>>> as "the army",
        /// The edge of the field behind it, over which its units rout.
        pub(super) home: At<Edge>,
        /// Spell points at the start: none where no number is written.
        pub(super) magic: Option<At<u32>> as "number of spell points" [0..=999],
        /// Where the army is drawn up: hexes, or rectangles such as 0101-0312; else in `zone`, else toward its home edge.
        pub(super) area: Option<At<Vec<At<HexOrTwo>>>> as "an area",
        /// Where its commander may place units anew before the battle, written alike; else nowhere.
        pub(super) zone: Option<At<Vec<At<HexOrTwo>>>> as "a zone",
        /// Hexes of units, by their name or number: for `Archers` that of each unit so called.
        pub(super) at: Entries<String, Vec<At<Hex>>> as "the list of hexes" = Entries(Vec::new()),
        /// The units that cast spells, by name or number; else every unit may (SA-38).
        pub(super) casters: Option<At<Vec<At<String>>>> as "the list of casters",
        /// Units that come later, by name or number, each with its time-point and hex.
        pub(super) arrives: Entries<String, ArrivalLine> as "the list of arrivals" = Entries(Vec::new()),
        /// Units that may not move before a time-point, by name or number.
        pub(super) waits: Entries<String, At<u16>> as "time-point" [POINTS] = Entries(Vec::new()),
        /// Units that may desert, by name or number: each throws a die.
        pub(super) deserts: Entries<String, DesertionLine> as "the list of deserters" = Entries(Vec::new()),
        /// Parts of the army with commanders of their own, where a game is founded with `commands: contingents`.
        pub(super) contingents: Vec<At<Contingent>> as "the list of contingents" = Vec::new(),
    }

    /// A part of an army with a commander of its own.
    pub(crate) struct Contingent: "a contingent" {
        /// The seat of its commander.
        pub(super) seat: At<String> as "a seat",
        /// Its name.
        pub(super) name: At<String> as "name",
        /// How its commander is addressed; else `the commander of` the contingent.
        pub(super) commander: String as "a commander" = String::new(),
        /// Its units, by name or number.
        pub(super) units: At<Vec<At<String>>> as "the list of units",
    }

    /// The hunt for a wizard (SA-32).
    #[derive(Debug)]
    pub(crate) struct HuntLine: "a hunt" {
        /// The wizard, by name or number.
        pub(super) wizard: At<String> as "a wizard",
        /// The time-point after which he may leave over his own edge: 72 where none is written.
        pub(super) leaves: Option<At<u16>> as "time-point" [0..=999],
        /// Spell points that a likeness costs: 3 where no number is written.
        pub(super) cost: Option<At<u32>> as "number of spell points" [0..=99],
        /// A hex for each likeness that he can make: where it stands if they are on the field from the start.
        pub(super) likenesses: At<Vec<At<Hex>>> as "the list of likenesses",
    }

    /// Units of an army that are alike.
    pub(crate) struct Row: "a unit" where row_form {
        /// How many there are.
        pub(super) count: u8 as "number of units" [1..=MOST_UNITS] = 1,
        /// Their name: several of one name are numbered.
        pub(super) name: At<String> as "name",
        /// Their tribe or people.
        pub(super) tribe: At<String> as "a tribe",
        /// Their type.
        pub(super) kind "type": At<UnitType>,
        /// Their training class.
        pub(super) class "class": Class,
        /// Their weapon in melee. Cavalry bears lances, javelins or swords; infantry all but lances.
        pub(super) melee: At<Weapon>,
        /// Their missile weapon, if they have one.
        pub(super) missile: Option<Missile>,
        /// Whether they carry shields; nobody does with a two-handed weapon (SA-39).
        pub(super) shield: At<bool>,
        /// The men of each.
        pub(super) men: u32 as "number of men" [1..=MOST_MEN],
        /// A note for readers.
        pub(super) note: String as "a note" = String::new(),
    }

    /// When and where units come.
    pub(crate) struct ArrivalLine: "an arrival" {
        /// At this time-point.
        pub(super) point: At<u16> as "time-point" [POINTS],
        /// In this hex, or the nearest free one.
        pub(super) at: At<Hex>,
    }

    /// When a unit may desert.
    pub(crate) struct DesertionLine: "a desertion" {
        /// At this time-point a die is thrown.
        pub(super) point: At<u16> as "time-point" [POINTS],
        /// It deserts if the die shows no more than this.
        pub(super) most: u32 as "number of a die" [1..=6],
    }

    /// The ground of a field.
    pub(crate) struct Ground: "a field" where ground_form {
        /// Its rows, a sign for each hex: `.` clear, `f` light woods, `F` heavy woods, `n` low hills, `N` high hills, `^` mountain, `~` water, `H`
        /// bridge.
        pub(super) rows: At<Vec<At<String>>> as "the rows of the field",
        /// Names of hexes.
        pub(super) places: Entries<Hex, At<String>> as "the list of places" = Entries(Vec::new()),
    }

    /// A field of its own file, on which any scenario can be played.
    pub(crate) struct FieldFile: "a field" where ground_form {
        ..pub(super) ground: Ground,
        /// Its name: the file's.
        pub(super) id: At<String> as "id",
        /// Its title.
        pub(super) title: String as "title",
    }

    /// An army of its own file, which can fight on either side of any scenario.
    pub(crate) struct ArmyFile: "an army" where army_form {
        /// Its name: the file's.
        pub(super) id: At<String> as "id",
        /// Its title: the name of its side where it fights in the place of another.
        pub(super) title: String as "title",
        /// Its units.
        pub(super) units: At<Vec<At<Row>>> as "the list of units",
    }
}

/// The name of a file, or what would stand in it.
#[derive(Debug)]
pub(crate) enum NameOr<T> {
    /// The name.
    Name(At<String>),
    /// The thing itself.
    Here(At<T>),
}

impl<T: Data> Data for NameOr<T> {
    const MARKED: bool = true;

    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        match node.is_map() || node.is_list() {
            true => At::read(reader, node, noun, range).map(Self::Here),
            false => At::read(reader, node, noun, range).map(Self::Name),
        }
    }

    fn stand_in(range: &Range) -> Option<Self> {
        At::stand_in(range).map(Self::Name)
    }

    fn schema(range: &Range) -> Value {
        json!({ "anyOf": [name_form(), T::schema(range)] })
    }
}

/// The name of a file.
fn name_form() -> Value {
    json!({ "type": ["string", "number"], "pattern": "\\S" })
}

fn scenario_form() -> Value {
    json!({ "properties": { "sides": { "minItems": 2, "maxItems": 2 } } })
}

fn army_form() -> Value {
    json!({ "properties": { "units": { "minItems": 1 } } })
}

fn ground_form() -> Value {
    let signs: String = Terrain::ALL.iter().map(|terrain| terrain.sign()).collect();
    // In a class of a regular expression `^` stands last.
    let signs = format!("{}^", signs.replace('^', ""));
    json!({ "properties": { "rows": field::form(&signs, MOST) } })
}

/// Which weapons which units bear, and that two hands hold no shield.
fn row_form() -> Value {
    let of = |kinds: &[UnitType], then: Value| {
        let kinds: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
        json!({ "if": { "properties": { "type": { "enum": kinds } }, "required": ["type"] }, "then": then })
    };
    let (riders, walkers): (Vec<UnitType>, Vec<UnitType>) =
        UnitType::ALL.iter().partition(|kind| kind.is_cavalry());
    let named = |are: &dyn Fn(Weapon) -> bool| -> Vec<&str> {
        let named = Weapon::ALL.into_iter().zip(Weapon::listed());
        named.filter(|(weapon, _)| are(*weapon)).map(|(_, word)| *word).collect()
    };
    let charts = Numbers::shipped();
    let bears = |kinds: &[UnitType]| {
        let borne = |weapon: Weapon| kinds.iter().any(|kind| charts.weapons(*kind).contains_key(&weapon));
        json!({ "properties": { "melee": { "enum": named(&borne) } } })
    };
    let both = named(&Weapon::takes_both_hands);
    let hands = json!({ "properties": { "melee": { "enum": both } }, "required": ["melee"] });
    json!({ "allOf": [
        of(&riders, bears(&riders)),
        of(&walkers, bears(&walkers)),
        { "if": hands, "then": { "properties": { "shield": { "const": false } } } },
    ] })
}

/// The schema of a file.
pub(crate) fn schema<T: Data>(title: &str) -> String {
    written(&form_of::<T>(title, &POINTS))
}

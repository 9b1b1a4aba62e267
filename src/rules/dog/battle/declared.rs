//! What stands in a battle file and in a hire list.

use crate::model::{Fortification, People, Scale, UnitId};
use crate::numbers::Numbers;
use crate::switches::Switches;
use musterd_engine::files::RuleFiles;
use musterd_kit::data::{ANY, At, Data, Entries, Value, any_text, form_of, hex_form, like, written};
use musterd_kit::field::HexOrTwo;
use musterd_kit::{data, named, texts};
use serde_json::json;

/// The most fighters in a unit, whatever its scale allows.
pub(super) const MOST_FIGHTERS: i64 = 200;
/// The most rounds.
pub(super) const MOST_ROUNDS: i64 = 200;
/// The most money and leadership.
pub(super) const MOST_MONEY: i64 = 1_000_000;

data! {
    /// A battle: the field, the armies, and how long they fight.
    pub(crate) struct BattleFile: "a battle" where battle_form {
        /// Its name on the command line: the file's name.
        pub(super) id: At<String> as "id",
        /// Its title.
        pub(super) title: String as "title",
        /// The situation, a few sentences.
        pub(super) situation: String as "situation",
        /// When it is, in words.
        pub(super) date: String as "date" = String::new(),
        /// How many a unit stands for (manual 1).
        pub(super) scale: At<Scale>,
        /// Whether the orders of a round are mailed together or phase by phase.
        pub(super) orders: Orders = Orders::Together,
        /// The most rounds; without them the battle goes on until one alliance is left.
        pub(super) rounds: Option<At<u16>> as "number of rounds" [1..=MOST_ROUNDS] = None,
        /// The alliance that wins when the last round ends.
        pub(super) holders: Option<At<String>> as "the alliance that wins at the end",
        /// The switches of the rules.
        pub(super) switches: Switches = Switches::USUAL,
        /// The field.
        pub(super) field: FieldLine,
        /// The armies: 2 to 8.
        pub(super) armies: At<Vec<At<ArmyLine>>> as "the list of armies",
    }

    /// The field.
    pub(super) struct FieldLine: "a field" where field_form {
        /// The hexes, a text a row: for each the sign of its terrain, then that of its relief, with blanks between hexes.
        pub(super) rows: At<Vec<At<String>>> as "the rows of the field",
        /// Fortifications, by hex.
        pub(super) fortifications: Option<At<Entries<HexText, Fortification>>> as "the list of fortifications",
        /// Names of hexes.
        pub(super) places: Entries<HexText, At<String>> as "the list of places" = Entries(Vec::new()),
        /// Bridges: hexes of water, or sides between two hexes such as 0304-0305.
        pub(super) bridges: Option<At<Vec<At<HexOrTwo>>>> as "the list of bridges",
        /// Boats, by hex.
        pub(super) boats: Vec<At<HexText>> as "the list of boats" = Vec::new(),
    }

    /// An army.
    pub(super) struct ArmyLine: "an army" where army_form {
        /// The seat of its player: small letters, digits, - and .
        pub(super) seat: At<String> as "a seat",
        /// Its letter on maps and before the numbers of its units, A to Z.
        pub(super) letter: At<char> as "a letter",
        /// Its name.
        pub(super) name: At<String> as "name",
        /// Its leader; else `the leader of` the army.
        pub(super) leader: String as "leader" = String::new(),
        /// For whom it fights; else for itself.
        pub(super) alliance: Option<At<String>> as "alliance",
        /// How much ego its leader holds (manual 2.3).
        pub(super) leadership: At<u32> as "leadership" [1..=MOST_MONEY],
        /// Where it deploys: hexes, or rectangles such as 0101-0312; else anywhere.
        pub(super) zone: Option<Vec<At<HexOrTwo>>> as "a zone",
        /// Money to hire units with.
        pub(super) budget: Option<At<u32>> as "budget" [1..=MOST_MONEY],
        /// A hire list whose units it has.
        pub(super) hire: Option<At<String>> as "a hire list",
        /// The types of troops that it may hire; else all that are for hire.
        pub(super) hires: Option<Vec<At<String>>> as "the list of troops for hire",
        /// Whether it may hire elite troops.
        pub(super) elite: bool = false,
        /// The peoples that it may hire of.
        pub(super) peoples: Vec<People> as "the list of peoples" = Vec::new(),
        /// Its units.
        pub(super) units: Option<At<Vec<At<UnitLine>>>> as "the list of units",
    }

    /// A unit of an army.
    pub(crate) struct UnitLine: "a unit" where unit_form {
        ..pub(super) sorts: SortKeys,
        /// Its number in the army.
        pub(super) id: At<u8> as "unit's number" [1..=i64::from(UnitId::MOST)],
        /// Its name.
        pub(super) name: String as "name" = String::new(),
        /// Where it stands; else it is deployed by its player.
        pub(super) at: Option<At<HexText>>,
        /// Whether it begins hidden.
        pub(super) hidden: bool = false,
    }

    /// A hire list: an army that a leader with money can hire.
    pub(crate) struct HireFile: "a hire list" where hire_form {
        /// Its name: the file's.
        pub(super) id: At<String> as "id",
        /// Its title.
        pub(super) title: String as "title",
        /// The scale of the battles that it is for.
        pub(super) scale: At<Scale>,
        /// The money that all of it may cost.
        pub(super) budget: At<u32> as "budget" [1..=MOST_MONEY],
        /// The leadership that holds it.
        pub(super) leadership: At<u32> as "leadership" [1..=MOST_MONEY],
        /// Its units.
        pub(super) units: At<Vec<At<HiredLine>>> as "the units",
    }

    /// A unit for hire.
    pub(crate) struct HiredLine: "a unit" where unit_form {
        ..pub(super) sorts: SortKeys,
        /// Its name.
        pub(super) name: String as "name" = String::new(),
    }

    /// The fighters of a unit: of one sort, or of several.
    pub(crate) struct SortKeys: "a unit" {
        /// The type of its fighters, a name or code of table 1.
        pub(super) kind "type": Option<At<String>> as "a type of troops",
        /// The number of its fighters.
        pub(super) fighters: Option<At<u16>> as "number of fighters" [1..=MOST_FIGHTERS],
        /// Whether they are elite troops (ruling DOG-8).
        pub(super) elite: bool = false,
        /// The people that they belong to, where that is open.
        pub(super) people: Option<At<People>>,
        /// What they carry: a type of troops.
        pub(super) crew: Option<At<String>> as "a type of troops",
        /// The room that each needs, where that is open.
        pub(super) size: Option<At<u16>> as "size" [1..=MOST_FIGHTERS],
        /// Several sorts of fighters in one unit, at the strategic scale (ruling DOG-33), in place of `type` and `fighters`.
        pub(super) mixed: Option<At<Vec<At<SortLine>>>> as "a mixed unit",
    }

    /// A sort of fighters in a mixed unit.
    pub(crate) struct SortLine: "a sort of fighters" where sort_form {
        /// Their type, a name or code of table 1.
        pub(super) kind "type": At<String> as "a type of troops",
        /// Their number.
        pub(super) fighters: At<u16> as "number of fighters" [1..=MOST_FIGHTERS],
        /// Whether they are elite troops (ruling DOG-8).
        pub(super) elite: bool = false,
        /// The people that they belong to, where that is open.
        pub(super) people: Option<At<People>>,
        /// What they carry: a type of troops.
        pub(super) crew: Option<At<String>> as "a type of troops",
        /// The room that each needs, where that is open.
        pub(super) size: Option<At<u16>> as "size" [1..=MOST_FIGHTERS],
    }
}

/// Where the types of troops and the rows of a field are told that the rules have: among the definitions of a schema.
const TROOP: &str = "#/$defs/troop";
const ROW: &str = "#/$defs/row";

fn battle_form() -> Value {
    let unmixed =
        json!({ "properties": { "armies": { "items": { "properties": { "units": unmixed() } } } } });
    json!({
        "properties": { "armies": { "minItems": 2, "maxItems": 8 } },
        "dependentRequired": { "holders": ["rounds"] },
        "allOf": [small_scale(&unmixed)],
    })
}

fn hire_form() -> Value {
    json!({ "allOf": [small_scale(&json!({ "properties": { "units": unmixed() } }))] })
}

/// What is to be where the scale is not strategic.
fn small_scale(then: &Value) -> Value {
    let small: Vec<&str> = Scale::WORDS.into_iter().filter(|word| *word != "strategic").collect();
    json!({ "if": { "properties": { "scale": { "enum": small } }, "required": ["scale"] }, "then": then })
}

/// Units of one sort each.
fn unmixed() -> Value {
    json!({ "items": { "not": { "required": ["mixed"] } } })
}

fn field_form() -> Value {
    let rows = json!({ "minItems": 1, "maxItems": 40, "items": { "$ref": ROW } });
    json!({ "properties": { "rows": rows } })
}

/// An army has units, or means to get some.
fn army_form() -> Value {
    let listed = json!({ "properties": { "units": { "minItems": 1 } }, "required": ["units"] });
    json!({
        "properties": {
            "seat": { "pattern": "^([a-z0-9.]|[a-z0-9.-]{2,32})$" },
            "letter": { "anyOf": [like("^[A-Z]$")] },
            "hires": { "items": { "$ref": TROOP } },
        },
        "anyOf": [listed, { "required": ["hire"] }, { "required": ["budget"] }],
    })
}

/// Fighters of one sort, or several sorts.
fn unit_form() -> Value {
    json!({
        "properties": { "type": { "$ref": TROOP }, "crew": { "$ref": TROOP }, "mixed": { "minItems": 1 } },
        "if": { "required": ["mixed"] },
        "else": { "required": ["type", "fighters"] },
    })
}

fn sort_form() -> Value {
    json!({ "properties": { "type": { "$ref": TROOP }, "crew": { "$ref": TROOP } } })
}

/// The schema of a file with troops, for the numbers among these files; without any that can be used every name and sign will do.
pub(crate) fn schema_with<T: Data>(title: &str, files: &RuleFiles) -> String {
    let numbers = Numbers::load(files).ok();
    let known = |form: fn(&Numbers) -> Value| numbers.as_ref().map_or_else(any_text, form);
    let mut schema = form_of::<T>(title, &ANY);
    schema["$defs"] = json!({ "troop": known(Numbers::troop_form), "row": known(Numbers::row_form) });
    written(&schema)
}

texts! {
    /// A hex; the field decides whether it has it.
    pub(crate) struct HexText: "a hex" hex_form();
}

named! {
    /// How the orders of a round are mailed.
    pub(crate) enum Orders: "way of mailing orders" {
        /// All at once.
        Together = "together",
        /// Phase by phase.
        ByPhase = "by-phase",
    }
}

//! What stands in a scenario file.

use crate::kinds::{FIGHTER, GARRISON, HEADQUARTERS, TypeName};
use crate::model::{Date, Nation, Season, Side};
use musterd_engine::yaml::{Node, Reader};
use musterd_kit::data::{ANY, At, Data, Noun, Range, Value, Words, hex_form, name_form, where_is};
use musterd_kit::field::form;
use musterd_kit::{data, texts};
use serde_json::json;

/// The years in which a scenario can be set.
const YEARS: Range = 1700..=1899;
/// The most that a nation can have, or a level ask for.
const MOST_POINTS: i64 = 999;
/// The most fatigue that a unit can start with.
const MOST_FATIGUE: i64 = 9;

data! {
    /// A scenario: who fights, with what, from where, and what victory asks for.
    pub(crate) struct ScenarioFile: "a scenario" where scenario_form {
        /// Its name on the command line: the file's name, of a-z, 0-9 and -.
        pub(super) id: At<String> as "the scenario's id",
        /// Its title.
        pub(super) title: String as "the title",
        /// The map: a file of `maps/`, without `.yaml`.
        pub(super) map: At<String> as "the map's name",
        /// The situation, a few sentences.
        pub(super) situation: String as "the situation",
        /// What became of it in history, a few sentences.
        pub(super) aftermath: String as "the aftermath" = String::new(),
        /// The first season.
        pub(super) start: At<Date>,
        /// The last season: at most 80 are played.
        pub(super) end: At<Date>,
        /// The side that moves first, if it is not the first of `sides`.
        pub(super) first: Option<At<Side>>,
        /// Two or three sides, in the order in which they move.
        pub(super) sides: At<Vec<At<SideLine>>>,
        /// Units that go to a city in some season and stay there (ruling LGA-41).
        pub(super) recalls: Vec<RecallLine> = Vec::new(),
        /// Whether whoever enters neutral ground takes it; else it is closed (ruling LGA-33).
        pub(super) neutral_open: bool = false,
        /// Who controls each hex at the start, one character a hex, one text a row: F French, A Allied, N neutral, # out of play, ~ sea.
        pub(super) control: At<Vec<At<String>>>,
    }

    /// A side.
    pub(crate) struct SideLine: "a side" where side_form {
        /// Which one.
        pub(super) side: At<Side>,
        /// The victory points that each level asks for, each more than the one before.
        pub(super) levels: At<Levels>,
        /// Cities that count as its own though another holds them at the start.
        pub(super) home: Vec<At<String>> = Vec::new(),
        /// Its nations, the one that leads it first.
        pub(super) nations: At<Vec<NationLine>>,
    }

    /// The victory points that each level asks for.
    pub(super) struct Levels: "`levels`" {
        /// Strategic defeat.
        pub(super) strategic_defeat "strategic-defeat": At<i32> as "strategic-defeat" [0..=MOST_POINTS],
        /// Tactical defeat.
        pub(super) tactical_defeat "tactical-defeat": At<i32> as "tactical-defeat" [0..=MOST_POINTS],
        /// Tactical victory.
        pub(super) tactical_victory "tactical-victory": At<i32> as "tactical-victory" [0..=MOST_POINTS],
        /// Strategic victory.
        pub(super) strategic_victory "strategic-victory": At<i32> as "strategic-victory" [0..=MOST_POINTS],
        /// Absolute victory.
        pub(super) absolute_victory "absolute-victory": At<i32> as "absolute-victory" [0..=MOST_POINTS],
    }

    /// A nation of a side.
    pub(super) struct NationLine: "a nation" {
        /// Which one, by its word in the setting: `austria`.
        pub(super) nation: At<Nation>,
        /// Its military points for the first season.
        pub(super) points: i32 as "number of military points" [0..=MOST_POINTS],
        /// Its units on the map; the first of a hex lies on top of its stack.
        pub(super) units: Option<At<Vec<At<UnitLine>>>>,
        /// Its units that can be built.
        pub(super) pool: Option<At<Vec<At<PoolLine>>>>,
    }

    /// A unit on the map.
    pub(super) struct UnitLine: "a unit" where unit_form {
        /// Its name, of which no other unit of the nation has the like.
        pub(super) name: At<String> as "a unit's name",
        /// Its type.
        pub(super) kind "type": At<TypeName>,
        /// The hex, column then row, in quotes.
        pub(super) at: At<Post>,
        /// Whether it is the garrison of its city.
        pub(super) garrison: bool = false,
        /// Its morale, if it is not full.
        pub(super) morale: Option<At<i64>> [0..=50],
        /// Its fatigue.
        pub(super) fatigue: u8 as "fatigue" [0..=MOST_FATIGUE] = 0,
        /// What a headquarters adds in combat.
        pub(super) modifier: Option<At<i8>> as "modifier" [1..=3],
    }

    /// A unit that can be built.
    pub(super) struct PoolLine: "a unit of the pool" where pool_form {
        /// Its name, of which no other unit of the nation has the like.
        pub(super) name: At<String> as "a unit's name",
        /// Its type.
        pub(super) kind "type": At<TypeName>,
        /// The year from which it can be built (ruling LGA-6).
        pub(super) year: u16 as "year" [YEARS],
        /// What a headquarters adds in combat.
        pub(super) modifier: Option<At<i8>> as "modifier" [1..=3],
    }

    /// A unit that goes to a city and stays there.
    pub(super) struct RecallLine: "a recall" {
        /// The unit's name.
        pub(super) unit: At<String> as "a unit's name",
        /// The city.
        pub(super) to: At<String> as "a city",
        /// The season.
        pub(super) when: At<Date>,
    }

    /// A season of a year.
    struct DateLine: "a date" {
        /// The season.
        season: At<Season>,
        /// The year.
        year: At<u16> as "year" [YEARS],
    }
}

/// The sides by word, at most once each; the first is one of them.
fn scenario_form() -> Value {
    let is = |side: &str| json!({ "properties": { "side": { "const": side } }, "required": ["side"] });
    let once = |side: &&str| json!({ "contains": is(side), "minContains": 0, "maxContains": 1 });
    let first = |side: &&str| {
        let has = json!({ "properties": { "sides": { "contains": is(side) } } });
        where_is("first", &json!(side), &has)
    };
    let sides = Side::listed();
    json!({
        "properties": {
            "id": { "pattern": "^[a-z0-9-]+$" },
            "sides": { "minItems": 2, "allOf": sides.iter().map(once).collect::<Vec<_>>() },
            "control": form("FAN#~", (99, 99)),
        },
        "allOf": sides.iter().map(first).collect::<Vec<_>>(),
    })
}

fn side_form() -> Value {
    json!({ "properties": { "nations": { "minItems": 1 } } })
}

/// A headquarters has a modifier, and nothing else has.
fn pool_form() -> Value {
    let is = |types: &str| json!({ "properties": { "type": { "$ref": types } }, "required": ["type"] });
    let (has, has_none) =
        (json!({ "required": ["modifier"] }), json!({ "not": { "required": ["modifier"] } }));
    json!({
        "properties": { "name": name_form() },
        "allOf": [{ "if": is(HEADQUARTERS), "then": has }, { "if": is(FIGHTER), "then": has_none }],
    })
}

/// The same; and a garrison is of a type that can be one.
fn unit_form() -> Value {
    let garrison = json!({ "properties": { "type": { "$ref": GARRISON } } });
    json!({ "allOf": [pool_form(), where_is("garrison", &json!(true), &garrison)] })
}

impl Data for Date {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, _: &Range) -> Option<Self> {
        let DateLine { season, year } = DateLine::read(reader, node, noun, &ANY)?;
        Some(Self { year: *year.known()?, season: *season.known()? })
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self { year: 0, season: Season::Spring })
    }

    fn schema(_: &Range) -> Value {
        DateLine::schema(&ANY)
    }
}

texts! {
    /// The hex in which a unit stands, as it is written. The map decides whether there is one.
    pub(super) struct Post: "the hex" hex_form();
}

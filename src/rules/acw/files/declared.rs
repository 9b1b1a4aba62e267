//! What stands in the files of scenarios and maps.

use musterd_engine::files::RuleFiles;
use musterd_engine::hex::{Direction, Hex};
use musterd_kit::data::{At, Entries, Range, Value, form_of, like, refine, written};
use musterd_kit::field::HexOrTwo;
use musterd_kit::{data, field, named, texts, words};
use serde::Deserialize;
use serde_json::json;

use crate::battle::Setting;
use crate::model::{Arm, Branch, BrigadeId, Crossing, Edge, Side, Water, Weather};
use crate::numbers::Numbers;

/// The most columns and rows of a map.
pub(super) const MOST: field::Size = (60, 60);
/// The most turns of a battle.
pub(super) const MOST_TURNS: i64 = 240;
/// The most objectives of a battle.
pub(super) const MOST_OBJECTIVES: usize = 24;
/// The most letters of a brigade's name.
pub(super) const MOST_LETTERS: usize = 16;
/// What a number of the files may be unless its key says otherwise.
pub(super) const NUMBERS: Range = 0..=999;
/// What a rating may be.
const RATING: Range = 0..=9;
/// What a turn may be.
const TURNS: Range = 1..=MOST_TURNS;

data! {
    /// A scenario: when and where it was, the objectives, the two sides.
    pub(crate) struct ScenarioFile: "a scenario" where scenario_form {
        /// Its name on the command line: the file's name.
        pub(super) id: At<String> as "id",
        /// Its title.
        pub(super) title: String as "title",
        /// What it is made of.
        pub(super) kind: Setting = Setting::Own,
        /// When it was, in words.
        pub(super) date: String as "date" = String::new(),
        /// The map: the name of a file in `maps`.
        pub(super) map: At<String> as "the map",
        /// The situation, a few sentences.
        pub(super) situation: String as "situation",
        /// Where its facts are from, in words.
        pub(super) sources: String as "the sources" = String::new(),
        /// The days of the battle, each with its hours. A turn is an hour.
        pub(super) days: At<Vec<At<DayLine>>> as "the list of days",
        /// The weather: turns that are not named are clear.
        pub(super) weather: Vec<At<WeatherLine>> as "the weather" = Vec::new(),
        /// The objectives, at most 24.
        pub(super) objectives: At<Vec<At<ObjectiveLine>>> as "the list of objectives",
        /// Whether all can always be ordered; corps headquarters are not used then (ACW-38).
        pub(super) radio: bool = false,
        /// Whether all enemies are seen.
        pub(super) exposed: bool = false,
        /// The two sides; the first is side A.
        pub(super) sides: At<Vec<At<SideLine>>> as "the list of sides",
    }

    /// A day of the battle.
    pub(crate) struct DayLine: "a day" {
        /// Its date: year, month, day, such as 1861-07-21.
        pub(super) date: At<Date>,
        /// Its first hour of the battle.
        pub(super) from: At<u8> as "hour" [0..=23],
        /// Its last hour of the battle.
        pub(super) to: At<u8> as "hour" [0..=23],
        /// Hours of dawn.
        pub(super) dawn: Vec<At<u8>> as "hour" [0..=23] = Vec::new(),
        /// Hours of dusk.
        pub(super) dusk: Vec<At<u8>> as "hour" [0..=23] = Vec::new(),
        /// Hours of night.
        pub(super) night: Vec<At<u8>> as "hour" [0..=23] = Vec::new(),
        /// Hours in which nobody moves: no-move turns.
        pub(super) still: Vec<At<u8>> as "hour" [0..=23] = Vec::new(),
    }

    /// The weather of some turns.
    pub(crate) struct WeatherLine: "weather" {
        /// The first and the last turn.
        pub(super) turns: At<(u16, u16)> as "turn" [TURNS],
        /// What it is.
        pub(super) is: Weather,
    }

    /// An objective.
    pub(crate) struct ObjectiveLine: "an objective" {
        /// Its name.
        pub(super) name: At<String> as "name",
        /// Its hex.
        pub(super) hex: At<Hex>,
        /// Who holds it at the start: a, the first side, or b, the second.
        pub(super) held: Held,
        /// The first and the last turn in which it counts: the whole battle where none are written.
        pub(super) turns: Option<At<(u16, u16)>> as "turn" [TURNS],
        /// What it is worth to the first side.
        pub(super) a: Option<WorthLine>,
        /// What it is worth to the second side.
        pub(super) b: Option<WorthLine>,
    }

    /// The points of an objective for a side.
    #[derive(Clone)]
    pub(crate) struct WorthLine: "the worth of an objective" {
        /// For each turn in which it counts and is held.
        pub(super) turn: u32 as "number of points" [0..=999] = 0,
        /// For holding it at the end.
        pub(super) end: u32 as "number of points" [0..=9999] = 0,
    }

    /// A side.
    pub(crate) struct SideLine: "a side" {
        /// The seat of its commander: small letters, digits, - and .
        pub(super) seat: At<String> as "a seat",
        /// Its name, as in `the Union`.
        pub(super) name: At<String> as "name",
        /// Its letter on maps, a capital.
        pub(super) letter: At<char> as "a letter",
        /// How its counters look on maps.
        pub(super) look: Option<At<SideLookLine>>,
        /// The name of its army.
        pub(super) army: At<String> as "the army's name",
        /// The army's commander.
        pub(super) commander: String as "a commander",
        /// His leadership, 0 to 9.
        pub(super) leadership: i32 as "leadership" [RATING],
        /// The value of his staff, 0 to 9.
        pub(super) staff: i32 as "staff" [RATING],
        /// The second in command.
        pub(super) second: Option<SecondLine>,
        /// Whether its infantry may dig (ACW-41).
        pub(super) entrench: bool = false,
        /// How many hundredths of its men it loses before its commanders ask for better odds (ACW-92).
        pub(super) resolve: u32 as "resolve" [0..=100] = 5,
        /// The first and the last turn in which a computer commander has limited objectives: those that its formations are told at the start (ACW-95).
        pub(super) limited: Option<At<(u16, u16)>> as "turn" [TURNS],
        /// The edge of the map behind it.
        pub(super) rear: Edge,
        /// The hex of the army's headquarters at the start.
        pub(super) at: Option<At<Hex>>,
        /// When and where the army's headquarters comes, if it is not there at the start.
        pub(super) arrives: Option<At<ArrivalLine>>,
        /// Hexes that it controls at the start, or rectangles such as 0101-0312. What neither side names belongs to the side whose brigade is nearest.
        pub(super) ground: Vec<At<HexOrTwo>> as "the ground" = Vec::new(),
        /// Advice for whoever plays it.
        pub(super) advice: String as "advice" = String::new(),
        /// Its corps.
        pub(super) corps: Vec<At<CorpsLine>> as "the list of corps" = Vec::new(),
        /// Divisions directly under the army.
        pub(super) divisions: Vec<At<DivisionLine>> as "the list of divisions" = Vec::new(),
        /// Brigades directly under the army.
        pub(super) brigades: Vec<At<BrigadeLine>> as "the list of brigades" = Vec::new(),
    }

    /// How the counters of a side look on maps, and those of a type of brigade. The enemy sees these too.
    pub(crate) struct SideLookLine: "the look of a side" where colour_form {
        /// Their colour on drawn maps, such as "#22406f".
        pub(super) colour: Option<At<String>> as "a colour",
        /// The colour of the letters on it: black or white where none is written.
        pub(super) letters: Option<At<String>> as "a colour",
        /// Infantry.
        pub(super) infantry: Option<At<LookLine>>,
        /// Mounted infantry.
        pub(super) mounted "mounted-infantry": Option<At<LookLine>>,
        /// Cavalry.
        pub(super) cavalry: Option<At<LookLine>>,
        /// Artillery.
        pub(super) artillery: Option<At<LookLine>>,
    }

    /// How some counters look on maps.
    pub(crate) struct LookLine: "a look" where look_form {
        /// One or two capital letters that stand on them.
        pub(super) symbol: Option<At<String>> as "a symbol",
        /// Their colour on drawn maps, such as "#22406f".
        pub(super) colour: Option<At<String>> as "a colour",
        /// The colour of the letters on it: black or white where none is written.
        pub(super) letters: Option<At<String>> as "a colour",
    }

    /// A second in command.
    pub(crate) struct SecondLine: "a second in command" {
        /// His name.
        pub(super) name: String as "name",
        /// His leadership, 0 to 9.
        pub(super) leadership: i32 as "leadership" [RATING],
    }

    /// What leads a corps or a division, and what it is to do at the start.
    pub(crate) struct Staff: "a headquarters" {
        /// Its name, as orders call it.
        pub(super) name: At<String> as "name",
        /// Its commander.
        pub(super) commander: String as "a commander",
        /// His leadership, 0 to 9.
        pub(super) leadership: i32 as "leadership" [RATING],
        /// The value of his staff, 0 to 9.
        pub(super) staff: i32 as "staff" [RATING],
        /// Of what troops it is.
        pub(super) kind: Branch = Branch::Infantry,
        /// How the counters of its brigades look on the maps of its own side: else as those of what is over it.
        pub(super) look: Option<At<LookLine>>,
        /// The objective that it is to attack at the start, or two: the first is that by which it goes.
        pub(super) offensive: Option<At<Vec<At<String>>>> as "the list of objectives",
        /// The objective that it is to defend at the start. Without either it is in reserve.
        pub(super) defensive: Option<At<String>> as "an objective",
    }

    /// A corps.
    pub(crate) struct CorpsLine: "a corps" {
        ..pub(super) hq: Staff,
        /// The seat of its commander in games with `command: corps`.
        pub(super) seat: Option<At<SeatLine>>,
        /// Its divisions.
        pub(super) divisions: Vec<At<DivisionLine>> as "the list of divisions" = Vec::new(),
        /// Brigades directly under the corps.
        pub(super) brigades: Vec<At<BrigadeLine>> as "the list of brigades" = Vec::new(),
    }

    /// The seat of a corps commander.
    pub(crate) struct SeatLine: "a seat" {
        /// The seat: small letters, digits, - and .
        pub(super) name: At<String> as "a seat",
        /// How the player is addressed; else `the commander of` the corps.
        pub(super) title: String as "title" = String::new(),
    }

    /// A division.
    pub(crate) struct DivisionLine: "a division" {
        ..pub(super) hq: Staff,
        /// Its brigades.
        pub(super) brigades: At<Vec<At<BrigadeLine>>> as "the list of brigades",
    }

    /// A brigade.
    pub(crate) struct BrigadeLine: "a brigade" where brigade_form {
        /// How orders call it: at most 16 letters, and no other of its army is called so.
        pub(super) name: At<String> as "name",
        /// Its number or designation, for readers.
        pub(super) unit: String as "a unit" = String::new(),
        /// Its commander.
        pub(super) commander: String as "a commander",
        /// Its type.
        pub(super) arm "type": At<Arm>,
        /// Its men.
        pub(super) men: u32 as "number of men" [1..=30_000],
        /// Its regiments; artillery has none.
        pub(super) regiments: Option<At<i32>> as "number of regiments" [1..=40],
        /// Its small arms, a word of `ruleset.yaml`; artillery has none.
        pub(super) arms: Option<At<String>> as "small arms",
        /// The number of its guns.
        pub(super) guns: Option<At<u32>> as "number of guns" [1..=200],
        /// What they are, a word of `ruleset.yaml`.
        pub(super) gun: Option<At<String>> as "guns",
        /// Its experience, 0 to 9.
        pub(super) experience: i32 as "experience" [RATING],
        /// Its commander's leadership, 0 to 9.
        pub(super) leadership: i32 as "leadership" [RATING],
        /// Its hex at the start.
        pub(super) at: Option<At<Hex>>,
        /// When and where it comes, if it is not there at the start.
        pub(super) arrives: Option<At<ArrivalLine>>,
        /// How its counter looks on the maps of its own side: else as those of its division.
        pub(super) look: Option<At<LookLine>>,
        /// Where it faces at the start: toward the enemy where none is written.
        pub(super) facing: Option<Facing>,
        /// Whether it starts in column, mounted or limbered.
        pub(super) column: bool = false,
        /// Its cohesion at the start: 6 where none is written (ACW-49).
        pub(super) cohesion: i32 as "cohesion" [1..=7] = 6,
        /// Whether it is surprised in its camp (ACW-20).
        pub(super) encamped: bool = false,
        /// Whether it is shattered from the start.
        pub(super) shattered: bool = false,
        /// The works that it has dug before.
        pub(super) works: u8 as "value of works" [0..=3] = 0,
        /// Its own objective, of a brigade directly under a corps or an army.
        pub(super) objective: Option<At<String>> as "an objective",
    }

    /// When and where a unit comes.
    pub(crate) struct ArrivalLine: "an arrival" {
        /// At the beginning of this turn.
        pub(super) turn: At<u16> as "turn" [TURNS],
        /// In this hex, or the nearest free one.
        pub(super) at: At<Hex>,
    }

    /// A map.
    pub(crate) struct MapFile: "a map" {
        /// Its name: the file's.
        pub(super) id: At<String> as "id",
        /// Its title.
        pub(super) title: String as "title",
        /// Metres across a hex.
        pub(super) metres: u32 as "number of metres" [50..=5000],
        /// Its rows, a sign of `ruleset.yaml` for each hex.
        pub(super) rows: At<Vec<At<String>>> as "the rows of the map",
        /// Its roads, and its railroads, on which units march as on roads.
        pub(super) roads: Vec<At<RoadLine>> as "the list of roads" = Vec::new(),
        /// Its rivers and streams.
        pub(super) waters: Vec<At<WaterLine>> as "the list of waters" = Vec::new(),
        /// Its bridges, fords and pontoon bridges.
        pub(super) crossings: Vec<At<CrossingLine>> as "the list of crossings" = Vec::new(),
        /// Works that stand from the start: 1 to 3 by hex.
        pub(super) forts: Entries<Hex, u8> as "value of works" [1..=3] = Entries(Vec::new()),
        /// Names of hexes.
        pub(super) places: Entries<Hex, At<String>> as "the list of places" = Entries(Vec::new()),
    }

    /// A road or railroad.
    pub(crate) struct RoadLine: "a road" where path_form {
        /// Its name.
        pub(super) name: String as "name",
        /// What it is.
        pub(super) kind: RoadKind = RoadKind::Road,
        /// Hexes along it: between them it runs straight.
        pub(super) path: At<Vec<At<Hex>>> as "the path",
    }

    /// A river or stream, along sides of hexes.
    pub(crate) struct WaterLine: "a water" where path_form {
        /// Its name.
        pub(super) name: String as "name",
        /// What it is: a river is crossed at its crossings alone, a stream anywhere.
        pub(super) kind: At<Water>,
        /// Hexes along one bank: between them the path runs straight.
        pub(super) path: At<Vec<At<Hex>>> as "the path",
        /// On which side of the path the water is, seen along it.
        pub(super) bank: At<Bank>,
    }

    /// A crossing of a water.
    pub(crate) struct CrossingLine: "a crossing" {
        /// What it is.
        pub(super) kind: Crossing,
        /// Its name.
        pub(super) name: Option<At<String>> as "name",
        /// The two hexes between which it leads over the water.
        pub(super) between: At<[At<Hex>; 2]> as "the list of two hexes",
    }
}

named! {
    /// What a road is.
    pub(crate) enum RoadKind: "kind of road" {
        /// A road or pike.
        Road = "road",
        /// A railroad.
        Rail = "rail",
    }

    /// A side of a path, seen in its direction.
    pub(crate) enum Bank: "side of a path" {
        Left = "left",
        Right = "right",
    }

    /// A side as files write it.
    pub(crate) enum Held: "side" {
        A = "a",
        B = "b",
    }
}

impl From<Held> for Side {
    fn from(held: Held) -> Self {
        match held {
            Held::A => Self::A,
            Held::B => Self::B,
        }
    }
}

/// A direction as files write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct Facing(pub(super) Direction);

words! {
    Facing: "direction" ["e", "w", "ne", "nw", "se", "sw"];
}

texts! {
    /// A date: year, month, day.
    pub(crate) struct Date: "a date" like("^ *1[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) *$");
}

fn scenario_form() -> Value {
    json!({ "properties": {
        "days": { "minItems": 1 },
        "objectives": { "minItems": 1, "maxItems": MOST_OBJECTIVES },
        "sides": { "minItems": 2, "maxItems": 2 },
    } })
}

fn path_form() -> Value {
    json!({ "properties": { "path": { "minItems": 2 } } })
}

/// Colours as files write them; letters are written on a colour.
fn colour_form() -> Value {
    let colour = like("^#[0-9A-Fa-f]{6}$");
    json!({ "properties": { "colour": colour, "letters": colour }, "dependentRequired": { "letters": ["colour"] } })
}

fn look_form() -> Value {
    let mut form = colour_form();
    form["properties"]["symbol"] = like("^[A-Z]{1,2}$");
    form["minProperties"] = json!(1);
    form
}

/// What artillery has, and what others have; and that a brigade is there or comes.
fn brigade_form() -> Value {
    let artillery = json!({ "properties": { "type": { "const": "artillery" } }, "required": ["type"] });
    let without = json!({ "properties": { "arms": false, "regiments": false }, "required": ["guns", "gun"] });
    json!({
        "properties": { "name": { "maxLength": MOST_LETTERS } },
        "if": artillery, "then": without, "else": { "required": ["arms", "regiments"] },
        "dependentRequired": { "guns": ["gun"], "gun": ["guns"] },
        "oneOf": [{ "required": ["at"] }, { "required": ["arrives"] }],
    })
}

/// The tables that a host has, or those that the program ships.
fn tables(files: &RuleFiles) -> Numbers {
    Numbers::load(files).unwrap_or_else(|_| Numbers::shipped())
}

/// The schema of a scenario: its brigades have the arms and guns of the tables.
pub(crate) fn scenario_schema(files: &RuleFiles) -> String {
    let numbers = tables(files);
    let words = |list: Vec<&String>| json!({ "enum": list });
    let (arms, guns) = (words(numbers.small_arms.keys().collect()), words(numbers.guns.keys().collect()));
    let mut form =
        form_of::<ScenarioFile>("A scenario of Decisive Battles of the American Civil War", &NUMBERS);
    armed(&mut form, &arms, &guns);
    written(&form)
}

/// Says of every brigade in a schema what its arms and guns may be.
fn armed(form: &mut Value, arms: &Value, guns: &Value) {
    match form {
        Value::Object(object) => {
            if let Some(Value::Object(keys)) = object.get_mut("properties")
                && keys.contains_key("regiments")
                && keys.contains_key("cohesion")
            {
                for (key, words) in [("arms", arms), ("gun", guns)] {
                    let about = keys.get(key).and_then(|form| form.get("description")).cloned();
                    let mut form = words.clone();
                    form["description"] = about.unwrap_or_default();
                    keys.insert(key.to_owned(), form);
                }
            }
            object.values_mut().for_each(|part| armed(part, arms, guns));
        }
        Value::Array(list) => list.iter_mut().for_each(|part| armed(part, arms, guns)),
        _ => {}
    }
}

/// The schema of a map: its rows have the signs of the tables.
pub(crate) fn map_schema(files: &RuleFiles) -> String {
    let mut signs: Vec<char> = tables(files).grounds().map(|(_, _, terrain)| terrain.sign).collect();
    // In a class of a regular expression `^` means another thing where it stands first.
    signs.sort_by_key(|sign| *sign == '^');
    let escaped = |sign: char| if r"[]\-".contains(sign) { format!("\\{sign}") } else { sign.to_string() };
    let signs: String = signs.into_iter().map(escaped).collect();
    let mut form = form_of::<MapFile>("A map of Decisive Battles of the American Civil War", &NUMBERS);
    refine(&mut form["properties"]["rows"], field::form(&signs, MOST));
    written(&form)
}

/// The most brigades of a side.
pub(super) const MOST_BRIGADES: usize = BrigadeId::MOST as usize;

//! The numbers of the rules, from `games/dog/ruleset.yaml`: table 1, terrain, and what the sections of the manual give as figures.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::json;

use super::cover::{Cover, Terrains};
use super::model::{Fortification, People, Relief, Scale, Terrain, TroopId};
use musterd_engine::alike::{Unlikeness, meant, unlikeness};
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::yaml::LineColumn;
use musterd_kit::data::{At, Data, Each, Node, Noun, Range, Reader, Value, like, whole};
use musterd_kit::files::open;
use musterd_kit::lists::joined;
use musterd_kit::{data, written};

/// The file that the numbers come from.
pub(crate) const FILE: &str = "ruleset.yaml";
/// The most that a number may say. Products of several of them can be more than a number holds: what is reckoned of them saturates
/// (`scores.rs`).
const MOST: i64 = 100_000;
/// What a number may be unless its key says otherwise.
pub(crate) const NUMBERS: Range = 0..=MOST;

data! {
    /// Everything in `ruleset.yaml`.
    #[derive(Debug, Clone)]
    pub struct Numbers: "a ruleset" {
        /// Table 1: the types of troops.
        armies: Table,
        /// Elite troops (ruling DOG-8).
        pub elite: Elite,
        /// The most men-sized fighters in a unit (manual 1).
        scales: Each<Scale, u16>,
        /// The effects of each terrain (manual 3.1). `clear` and `road` have to be there; others may be the author's own.
        terrain: Terrains,
        /// The effects of each relief (manual 3.2).
        relief: Each<Relief, Slope>,
        /// The factor of defence inside each, in halves (manual 3.3).
        fortifications: Each<Fortification, u16>,
        /// Hiding (manual 4.6).
        pub hide: Hide,
        /// A fighter with as many hit points does not enter swamps (ruling DOG-25).
        pub swamp_bar: u32,
        /// Drowning (ruling DOG-24).
        pub drowning: Drowning,
        /// At least one in so many holds each enemy (ruling DOG-18).
        pub rear_guard_one_in: u16 [1..=MOST],
        /// Boats (ruling DOG-35).
        pub boat: BoatNumbers,
        /// Leadership (ruling DOG-20).
        pub leadership: LeadershipNumbers,
    }

    /// A type of troops: a line of table 1. Scores are a fighter's.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Troop: "a type of troops" {
        /// The manual's letters: `HI`.
        pub code: String,
        /// Its name, in the plural: `heavy infantry`.
        pub name: String,
        /// Other names that players may write.
        pub also: Vec<String> = Vec::new(),
        /// Attack score.
        pub attack: u32,
        /// Distance attack, if it has one.
        pub distance: Option<Distance>,
        /// Defence score.
        pub defence: u32,
        /// Points to move in a round.
        pub moves "move": u16,
        /// The room that a fighter needs, in men.
        pub size: Size,
        /// Damage that kills one.
        pub hp: u32 [1..=MOST],
        /// Pride, for each fighter (ruling DOG-21).
        pub ego: u32,
        /// Money to hire one.
        pub hire: u32,
        /// Money to keep one for a unit of time.
        pub maintenance: u32,
        /// The peoples that it belongs to by its type (ruling DOG-6).
        pub people: Vec<People> = Vec::new(),
        /// Whether a people may be chosen for it when it is raised (ruling DOG-6).
        pub any_people: bool = false,
        /// The codes of what it can carry (ruling DOG-26).
        pub crew: Vec<String> = Vec::new(),
        /// Whether it fights as light infantry inside fortifications (ruling DOG-27).
        pub infantry_in_walls: bool = false,
        /// Whether it may not enter water (ruling DOG-24).
        pub sinks: bool = false,
        /// Whether it may not enter forests (ruling DOG-25).
        pub big: bool = false,
        /// Whether no terrain stops or slows it (ruling DOG-25).
        pub flies: bool = false,
        /// Whether money brings it (ruling DOG-9).
        pub for_hire: bool = true,
    }
}

/// Table 1.
#[derive(Debug, Clone)]
struct Table {
    troops: Vec<Troop>,
    /// Whether all could be read: else a name may be that of one that could not.
    whole: bool,
    /// Codes and names that two types have, with the place of the second.
    twice: Vec<(LineColumn, String)>,
}

/// Codes that a hint proposes at most.
const MOST_CODES: usize = 4;
/// The most types of troops: they are numbered by a byte.
const MOST_TROOPS: usize = 250;

impl Table {
    /// The place of the type with this code or name, in any case, in the singular too.
    fn find<'t>(mut troops: impl Iterator<Item = &'t Troop> + Clone, text: &str) -> Option<usize> {
        let same = |name: &str| name.eq_ignore_ascii_case(text) || singular(name).eq_ignore_ascii_case(text);
        let named = |troop: &Troop| same(&troop.name) || troop.also.iter().any(|name| same(name));
        let by_code = troops.clone().position(|troop| troop.code.eq_ignore_ascii_case(text));
        by_code.or_else(|| troops.position(named))
    }

    /// The code and the names of a line that one before it has. They are no faults to the reader: games have been founded with such files.
    fn twice(before: &[At<Troop>], line: &At<Troop>) -> Vec<(LineColumn, String)> {
        let mut twice = Vec::new();
        let same = |a: &str, b: &str| !a.is_empty() && singular(a).eq_ignore_ascii_case(&singular(b));
        let code = &line.value.code;
        if !code.is_empty() && before.iter().any(|other| other.value.code.eq_ignore_ascii_case(code)) {
            let reason = format!("two types of troops have the code `{code}`: the first has it; change one");
            twice.push((line.at, reason));
        }
        for name in line.value.names() {
            if before.iter().any(|other| other.value.names().any(|taken| same(taken, name))) {
                let reason =
                    format!("two types of troops are called `{name}`: the first has the name; change one");
                twice.push((line.at, reason));
            }
        }
        twice
    }
}

impl Data for Table {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let before = reader.errors.len();
        let lines = Vec::<At<Troop>>::read(reader, node, noun, range)?;
        let troops = || lines.iter().map(|line| &line.value);
        let whole = whole(&lines) && troops().all(|troop| !troop.code.is_empty() && !troop.name.is_empty());
        if whole && Self::find(troops(), "LI").is_none() {
            // What riders are inside walls (ruling DOG-27).
            reader.fault(node.at, "`armies` has no line for light infantry (LI): add one");
        }
        if lines.len() > MOST_TROOPS {
            reader.fault(node.at, format!("`armies` has more than {MOST_TROOPS} lines: leave some out"));
        }
        for At { at, value: troop, .. } in &lines {
            for code in troop.crew.iter().filter(|code| whole && Self::find(troops(), code).is_none()) {
                let reason =
                    format!("`{}` carries `{code}`, and no line of `armies` has that code", troop.code);
                reader.fault(*at, reason);
            }
        }
        let twice =
            lines.iter().enumerate().flat_map(|(place, line)| Self::twice(&lines[..place], line)).collect();
        let troops = lines.into_iter().map(|line| line.value).collect();
        Some(Self { troops, whole: reader.errors.len() == before, twice })
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self { troops: Vec::new(), whole: false, twice: Vec::new() })
    }

    fn schema(range: &Range) -> Value {
        let mut schema = Vec::<Troop>::schema(range);
        schema["maxItems"] = json!(MOST_TROOPS);
        schema
    }
}

/// A distance attack, written `10x3:5` (manual 2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distance {
    /// Volleys in a battle.
    pub shots: u16,
    /// Power of a fighter.
    pub power: u32,
    /// Hexes of a tactical map.
    pub range: u16,
}

written! { Distance: like("^[0-9]+x[0-9]+:[0-9]+$"); }

impl TryFrom<String> for Distance {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let parts = || {
            let (shots, rest) = text.split_once('x')?;
            let (power, range) = rest.split_once(':')?;
            let read =
                Self { shots: shots.parse().ok()?, power: power.parse().ok()?, range: range.parse().ok()? };
            (read.shots <= 1000 && read.power <= 10_000 && (1..=99).contains(&read.range)).then_some(read)
        };
        parts().ok_or_else(|| {
            format!("`{text}` is no distance attack: write shots x power : range, such as 10x3:5")
        })
    }
}

impl std::fmt::Display for Distance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}:{}", self.shots, self.power, self.range)
    }
}

/// A part of a text, which may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending(pub String);

impl Data for Ending {
    fn read(_: &mut Reader, node: &Node, _: Noun<'_>, _: &Range) -> Option<Self> {
        Some(Self(node.text().unwrap_or_default().to_owned()))
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self(String::new()))
    }

    fn schema(_: &Range) -> Value {
        json!({ "type": "string" })
    }
}

/// The room that a fighter needs: a number, or a range from which one is chosen when it is raised (ruling DOG-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The least.
    pub least: u16,
    /// The most.
    pub most: u16,
}

written! {
    Size: json!({ "anyOf": [u16::schema(&(1..=MOST)), like("^[0-9]+ to [0-9]+$")] }), or Self { least: 1, most: 1 };
}

impl TryFrom<String> for Size {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let (least, most) = text.split_once(" to ").unwrap_or((&text, &text));
        let (Ok(least), Ok(most)) = (least.parse(), most.parse()) else {
            return Err(format!("`{text}` is no size: write a number, or a range such as 5 to 50"));
        };
        match 1 <= least && least <= most {
            true => Ok(Self { least, most }),
            false => Err(format!(
                "a size from {least} to {most} makes no sense: write the smaller number first, from 1"
            )),
        }
    }
}

data! {
    /// The factors of elite troops (ruling DOG-8).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Elite: "`elite`" {
        /// Attack.
        pub attack: u32,
        /// Defence.
        pub defence: u32,
        /// Maintenance.
        pub maintenance: u32,
        /// Ego.
        pub ego: u32,
        /// Hire.
        pub hire: u32,
    }

    /// The effects of relief, in addition to terrain (manual 3.2).
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Slope: "a relief" {
        /// Its sign in battle files, after the terrain's.
        pub sign: Ending,
        /// Points to enter, in halves.
        pub cost: u16,
        /// Added to what defence is multiplied by, in halves.
        pub defence: u16,
        /// Added to visibility.
        pub visibility: u8,
        /// Its effects for dwarves (ruling DOG-30).
        pub dwarf: DwarfSlope,
    }

    /// The effects of relief for dwarves (ruling DOG-30).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct DwarfSlope: "`dwarf`" {
        /// Points to enter, in halves.
        pub cost: u16,
        /// Added to visibility.
        pub visibility: u8,
    }

    /// Chances to find a hidden unit (manual 4.6, ruling DOG-23).
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Hide: "`hide`" {
        /// Up to so many eighths of a full unit, the factor. Empty only in games that were founded before that was a fault: the factor is 0 then.
        factors: At<Vec<(u32, i32)>>,
        /// Enemies within so many hexes search.
        pub near: u32,
    }
}

impl Hide {
    /// The factor of a unit that fills so much of what its scale allows. On the border of two bands the fuller one counts.
    pub fn factor(&self, filled: u32, full: u32) -> i32 {
        let below =
            |(eighths, _): &&(u32, i32)| u64::from(filled) * 8 < u64::from(*eighths) * u64::from(full);
        let rows = &self.factors.value;
        rows.iter().find(below).or(rows.last()).map_or(0, |(_, factor)| *factor)
    }
}

data! {
    /// Drowning (manual 3.1, ruling DOG-24).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Drowning: "`drowning`" {
        /// Rounds in deep water before it begins.
        pub after: u16,
        /// One in so many a round, rounded up.
        pub one_in: u16 [1..=MOST],
    }

    /// Boats (ruling DOG-35).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct BoatNumbers: "`boat`" {
        /// Men-sized fighters.
        pub carries: u32,
        /// Hexes a round.
        pub moves: u16,
    }

    /// How losses change a leader's leadership (ruling DOG-20).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct LeadershipNumbers: "`leadership`" {
        /// Own losses in victory, in halves.
        pub victory: i64,
        /// In defeat.
        pub defeat: i64,
        /// In a draw.
        pub drawn: i64,
        /// Hit points for one point of leadership.
        pub each: i64 [1..=MOST],
    }
}

/// The numbers as read, with everything found in the file; usable if there are no errors.
pub(super) struct ReadNumbers {
    numbers: Option<Numbers>,
    pub(super) errors: Vec<DataError>,
    pub(super) warnings: Vec<DataError>,
    /// Faults that games were founded with before they were looked for: codes and names that two types of troops have, a table without rows. No new game
    /// is founded with them; games that were founded so are played on.
    pub(super) late: Vec<DataError>,
}

impl ReadNumbers {
    /// Reads the file as far as it can be read.
    pub(super) fn read(files: &RuleFiles) -> Self {
        let (reader, numbers) = open::<Numbers>(files, FILE, &NUMBERS);
        let twice = numbers.iter().flat_map(|numbers| numbers.armies.twice.iter().cloned());
        let bare = numbers.iter().map(|numbers| &numbers.hide.factors).filter(|rows| rows.value.is_empty());
        let bare = bare.map(|rows| (rows.at, "`factors` has no rows: add one".to_owned()));
        let fault = |(at, reason): (LineColumn, String)| DataError { file: FILE.to_owned(), at, reason };
        let late = twice.chain(bare).map(fault).collect();
        Self { numbers, errors: reader.errors, warnings: reader.warnings, late }
    }

    /// The numbers for checks of other files: if they have faults, `shipped` ones in their place.
    pub(super) fn for_checks(self, shipped: Numbers) -> Numbers {
        match self.numbers {
            Some(numbers) if self.errors.is_empty() => numbers,
            draft => shipped.in_place_of(draft),
        }
    }
}

impl Numbers {
    /// Reads and checks the file.
    ///
    /// # Errors
    /// When it is missing, is not what this type wants, has a number out of bounds, or leaves something out.
    pub fn load(files: &RuleFiles) -> Result<Self, DataErrors> {
        let ReadNumbers { numbers, errors, .. } = ReadNumbers::read(files);
        numbers.filter(|_| errors.is_empty()).ok_or(DataErrors(errors))
    }

    /// These numbers in the place of others with faults, for checks of what names troops and terrains: with those of the others if they are known. Where they
    /// are not, no name or sign of one is known to be wrong.
    fn in_place_of(self, draft: Option<Self>) -> Self {
        let (armies, terrain) = draft.map(|draft| (draft.armies, draft.terrain)).unzip();
        let armies = armies.filter(|armies| armies.whole).unwrap_or(Table { whole: false, ..self.armies });
        let terrain = terrain.filter(|terrain| terrain.whole).unwrap_or_else(|| self.terrain.open());
        Self { armies, terrain, ..self }
    }

    /// Whether all types of troops are known. If not, a text that names none is no fault.
    pub(crate) const fn knows_troops(&self) -> bool {
        self.armies.whole
    }

    /// Whether all terrains are known. If not, a sign that is none is no fault.
    pub(crate) const fn knows_terrains(&self) -> bool {
        self.terrain.whole
    }

    /// Every type, in the order of table 1.
    pub fn troops(&self) -> impl Iterator<Item = (TroopId, &Troop)> {
        (0..).map(TroopId).zip(&self.armies.troops)
    }

    /// A type.
    ///
    /// # Panics
    /// For an id that [`Numbers::troops`] did not give.
    pub fn troop(&self, id: TroopId) -> &Troop {
        &self.armies.troops[usize::from(id.0)]
    }

    /// The type with this code or name, in any case, in the singular too.
    pub fn find(&self, text: &str) -> Option<TroopId> {
        let place = Table::find(self.armies.troops.iter(), text)?;
        u8::try_from(place).ok().map(TroopId)
    }

    /// The types whose codes are like a short text that is none, each as `LI (light infantry)`, parted by `or`; none if there are none.
    pub(crate) fn codes_like(&self, text: &str) -> Option<String> {
        let written = text.to_ascii_uppercase();
        if !(2..=3).contains(&written.chars().count()) {
            return None;
        }
        let mut near: Vec<(Unlikeness, &Troop)> = self
            .armies
            .troops
            .iter()
            .map(|troop| (unlikeness(&written, &troop.code.to_ascii_uppercase()), troop))
            .filter(|(unlikeness, troop)| unlikeness.slips == 1 && troop.code.len() > 1)
            .collect();
        near.sort_by_key(|(unlikeness, _)| *unlikeness);
        let told = near.iter().take(MOST_CODES).map(|(_, troop)| format!("{} ({})", troop.code, troop.name));
        Some(joined(told, " or ")).filter(|told| !told.is_empty())
    }

    /// What may be meant by a text that names no type, as the end of a message.
    pub(crate) fn hint(&self, text: &str) -> String {
        let names = self.armies.troops.iter().flat_map(|troop| [&troop.name].into_iter().chain(&troop.also));
        let names: Vec<&str> = names.map(String::as_str).filter(|name| name.len() > 2).collect();
        let singular: Vec<Cow<'_, str>> = names.iter().map(|name| singular(name)).collect();
        let all = names.iter().copied().chain(singular.iter().map(Cow::as_ref));
        if let Some(near) = meant(text, all) {
            return format!("; did you mean `{near}`?");
        }
        self.codes_like(text).map_or_else(
            || ": write a name or code of table 1".to_owned(),
            |codes| format!("; did you mean {codes}?"),
        )
    }

    /// The schema of a type's name or code: what editors propose, or the same in any case and in the singular.
    pub(crate) fn troop_form(&self) -> Value {
        let names = self
            .armies
            .troops
            .iter()
            .flat_map(|troop| [&troop.name, &troop.code].into_iter().chain(&troop.also));
        let names: Vec<&str> = names.map(String::as_str).collect();
        let any_case = |name: &str| -> String {
            let letter = |c: char| match c {
                c if c.is_ascii_alphabetic() => {
                    format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase())
                }
                c => escaped(c),
            };
            name.chars().map(letter).collect()
        };
        let singular = names.iter().map(|name| singular(name));
        let all: BTreeSet<String> =
            names.iter().map(|name| any_case(name)).chain(singular.map(|name| any_case(&name))).collect();
        json!({ "anyOf": [{ "enum": names }, like(&format!("^({})$", joined(all, "|")))] })
    }

    /// The schema of a row of a field: the signs of terrain and relief, with blanks between hexes.
    pub(crate) fn row_form(&self) -> Value {
        let sign = |(_, cover): (Terrain, &Cover)| (cover.has_relief(), escaped(cover.sign));
        let (rising, flat): (Vec<_>, Vec<_>) = self.terrains().map(sign).partition(|(has, _)| *has);
        let signs = |of: Vec<(bool, String)>| joined(of.into_iter().map(|(_, sign)| sign), "|");
        let relief: Vec<String> =
            self.relief.values().map(|slope| slope.sign.0.chars().map(escaped).collect()).collect();
        let hex = format!("(({})({})|{})", signs(rising), relief.join("|"), signs(flat));
        like(&format!(r"^\s*{hex}(\s+{hex}){{0,39}}\s*$"))
    }

    /// Light infantry, which riders count as inside walls (ruling DOG-27).
    pub fn light_infantry(&self) -> &Troop {
        #[expect(clippy::expect_used, reason = "`load` refuses a file without it")]
        let id = self.find("LI").expect("light infantry");
        self.troop(id)
    }

    /// The most men-sized fighters in a unit.
    pub fn limit(&self, scale: Scale) -> u16 {
        self.scales[&scale]
    }

    /// Every terrain: the shipped ones first.
    pub fn terrains(&self) -> impl Iterator<Item = (Terrain, &Cover)> {
        self.terrain.iter()
    }

    /// The terrain with this name, in any case.
    pub fn terrain(&self, name: &str) -> Option<Terrain> {
        self.terrains().map(|(terrain, _)| terrain).find(|terrain| terrain.word().eq_ignore_ascii_case(name))
    }

    /// The effects of a terrain. One that the file doesn't have, such as one that a damaged journal names, counts as clear.
    pub fn cover(&self, terrain: Terrain) -> &Cover {
        let of = |wanted: Terrain| self.terrains().find(|(own, _)| *own == wanted).map(|(_, cover)| cover);
        #[expect(clippy::expect_used, reason = "`load` refuses a file without it")]
        of(terrain).or_else(|| of(Terrain::CLEAR)).expect("clear ground")
    }

    /// The effects of a relief.
    pub fn slope(&self, relief: Relief) -> &Slope {
        &self.relief[&relief]
    }

    /// The factor of defence inside a fortification, in halves.
    pub fn walls(&self, fortification: Fortification) -> u16 {
        self.fortifications[&fortification]
    }
}

impl Troop {
    /// The noun for this number of fighters: `pikeman` for one.
    pub fn called(&self, fighters: u16) -> Cow<'_, str> {
        if fighters == 1 { singular(&self.name) } else { Cow::Borrowed(&self.name) }
    }

    /// Its name, and the others that players may write.
    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.also).map(String::as_str)
    }
}

/// A character as a regular expression has it.
fn escaped(c: char) -> String {
    if r"^$\.*+?()[]{}|/".contains(c) { format!("\\{c}") } else { c.to_string() }
}

/// One of those with a name in the plural: `pikeman`, `elf`, `battle wolf`, `peasant`; names without a plural stay as they are.
fn singular(name: &str) -> Cow<'_, str> {
    let endings = [("men", "man"), ("ves", "f"), ("s", "")];
    let found = endings.iter().find_map(|(many, one)| Some(name.strip_suffix(many)?.to_owned() + one));
    found.map_or(Cow::Borrowed(name), Cow::Owned)
}

#[cfg(test)]
mod tests;

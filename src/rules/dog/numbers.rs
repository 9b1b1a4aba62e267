//! The numbers of the rules, from `games/dog/ruleset.yaml`: table 1, terrain, and what the sections of the manual give as figures.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model::{Fortification, People, Relief, Scale, Terrain, TroopId};
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::yaml::{Content, Node, Reader};

/// The file that the numbers come from.
pub(crate) const FILE: &str = "ruleset.yaml";
/// The most that a number may say. Products of several of them can be more than a number holds: what is reckoned of them saturates
/// (`scores.rs`).
const MOST: i64 = 100_000;

/// Everything in `ruleset.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    armies: Vec<Troop>,
    /// Elite troops (ruling DOG-8).
    pub elite: Elite,
    /// The most men-sized fighters in a unit (manual 1).
    scales: BTreeMap<Scale, u16>,
    terrain: BTreeMap<Terrain, Cover>,
    relief: BTreeMap<Relief, Slope>,
    /// The factor of defence inside each, in halves (manual 3.3).
    fortifications: BTreeMap<Fortification, u16>,
    /// Hiding (manual 4.6).
    pub hide: Hide,
    /// A fighter with as many hit points does not enter swamps (ruling DOG-25).
    pub swamp_bar: u32,
    /// Drowning (ruling DOG-24).
    pub drowning: Drowning,
    /// At least one in so many holds each enemy (ruling DOG-18).
    pub rear_guard_one_in: u16,
    /// Boats (ruling DOG-35).
    pub boat: BoatNumbers,
    /// Leadership (ruling DOG-20).
    pub leadership: LeadershipNumbers,
}

/// A type of troops: a line of table 1. Scores are a fighter's.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Troop {
    /// The manual's letters: `HI`.
    pub code: String,
    /// Its name, in the plural: `heavy infantry`.
    pub name: String,
    /// Other names that players may write.
    #[serde(default)]
    pub also: Vec<String>,
    /// Attack score.
    pub attack: u32,
    /// Distance attack, if it has one.
    #[serde(default)]
    pub distance: Option<Distance>,
    /// Defence score.
    pub defence: u32,
    /// Points to move in a round.
    #[serde(rename = "move")]
    pub moves: u16,
    /// The room that a fighter needs, in men.
    pub size: Size,
    /// Damage that kills one.
    pub hp: u32,
    /// Pride, for each fighter (ruling DOG-21).
    pub ego: u32,
    /// Money to hire one.
    pub hire: u32,
    /// Money to keep one for a unit of time.
    pub maintenance: u32,
    /// The peoples that it belongs to by its type (ruling DOG-6).
    #[serde(default)]
    pub people: Vec<People>,
    /// Whether a people may be chosen for it when it is raised (ruling DOG-6).
    #[serde(default)]
    pub any_people: bool,
    /// The codes of what it can carry (ruling DOG-26).
    #[serde(default)]
    pub crew: Vec<String>,
    /// Whether it fights as light infantry inside fortifications (ruling DOG-27).
    #[serde(default)]
    pub infantry_in_walls: bool,
    /// Whether it may not enter water (ruling DOG-24).
    #[serde(default)]
    pub sinks: bool,
    /// Whether it may not enter forests (ruling DOG-25).
    #[serde(default)]
    pub big: bool,
    /// Whether no terrain stops or slows it (ruling DOG-25).
    #[serde(default)]
    pub flies: bool,
    /// Whether money brings it (ruling DOG-9).
    #[serde(default = "yes")]
    pub for_hire: bool,
}

const fn yes() -> bool {
    true
}

/// A distance attack, written `10x3:5` (manual 2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Distance {
    /// Volleys in a battle.
    pub shots: u16,
    /// Power of a fighter.
    pub power: u32,
    /// Hexes of a tactical map.
    pub range: u16,
}

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

impl From<Distance> for String {
    fn from(distance: Distance) -> Self {
        distance.to_string()
    }
}

impl std::fmt::Display for Distance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}:{}", self.shots, self.power, self.range)
    }
}

/// The room that a fighter needs: a number, or a range from which one is chosen when it is raised (ruling DOG-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "SizeText")]
pub struct Size {
    /// The least.
    pub least: u16,
    /// The most.
    pub most: u16,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum SizeText {
    Number(u16),
    Range(String),
}

impl TryFrom<SizeText> for Size {
    type Error = String;
    fn try_from(text: SizeText) -> Result<Self, String> {
        let (least, most) = match &text {
            SizeText::Number(size) => (*size, *size),
            SizeText::Range(range) => {
                let ends =
                    range.split_once(" to ").and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                ends.ok_or_else(|| {
                    format!("`{range}` is no size: write a number, or a range such as 5 to 50")
                })?
            }
        };
        match 1 <= least && least <= most {
            true => Ok(Self { least, most }),
            false => Err(format!(
                "a size from {least} to {most} makes no sense: write the smaller number first, from 1"
            )),
        }
    }
}

/// The factors of elite troops (ruling DOG-8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elite {
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

/// The effects of terrain (manual 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cover {
    /// Its sign on maps.
    pub sign: char,
    /// Points to enter, in halves.
    pub cost: u16,
    /// The factor of defence, in halves.
    pub defence: u16,
    /// Visibility.
    pub visibility: u8,
    /// The people without penalties there.
    #[serde(default)]
    pub home: Option<People>,
    /// The factor of melee attacks of fighters at home there (ruling DOG-7).
    #[serde(default = "once")]
    pub native_attack: u32,
}

const fn once() -> u32 {
    1
}

/// The effects of relief, in addition to terrain (manual 3.2).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slope {
    /// Its sign in battle files, after the terrain's.
    pub sign: String,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DwarfSlope {
    /// Points to enter, in halves.
    pub cost: u16,
    /// Added to visibility.
    pub visibility: u8,
}

/// Chances to find a hidden unit (manual 4.6, ruling DOG-23).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hide {
    /// Up to so many eighths of a full unit, the factor.
    factors: Vec<(u32, i32)>,
    /// Enemies within so many hexes search.
    pub near: u32,
}

impl Hide {
    /// The factor of a unit that fills so much of what its scale allows. On the border of two bands the fuller one counts.
    #[must_use]
    pub fn factor(&self, filled: u32, full: u32) -> i32 {
        let below =
            |(eighths, _): &&(u32, i32)| u64::from(filled) * 8 < u64::from(*eighths) * u64::from(full);
        self.factors.iter().find(below).or(self.factors.last()).map_or(0, |(_, factor)| *factor)
    }
}

/// Drowning (manual 3.1, ruling DOG-24).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drowning {
    /// Rounds in deep water before it begins.
    pub after: u16,
    /// One in so many a round, rounded up.
    pub one_in: u16,
}

/// Boats (ruling DOG-35).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoatNumbers {
    /// Men-sized fighters.
    pub carries: u32,
    /// Hexes a round.
    pub moves: u16,
}

/// How losses change a leader's leadership (ruling DOG-20).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeadershipNumbers {
    /// Own losses in victory, in halves.
    pub victory: i64,
    /// In defeat.
    pub defeat: i64,
    /// In a draw.
    pub drawn: i64,
    /// Hit points for one point of leadership.
    pub each: i64,
}

impl Numbers {
    /// Reads and checks the file.
    ///
    /// # Errors
    /// When it is missing, is not what this type wants, has a number out of bounds, or leaves something out.
    pub fn load(files: &RuleFiles) -> Result<Self, DataErrors> {
        let mut reader = Reader::new(FILE);
        bounded(&mut reader, &files.tree(FILE)?, FILE);
        if !reader.errors.is_empty() {
            return Err(DataErrors(reader.errors));
        }
        let numbers: Self = files.yaml(FILE)?;
        let missing = |what: &str, word: &str| {
            Err(DataErrors::one(FILE, 0, format!("`{what}` has no line for {word}: add one")))
        };
        if let Some(terrain) = Terrain::ALL.into_iter().find(|t| !numbers.terrain.contains_key(t)) {
            return missing("terrain", &terrain.to_string());
        }
        if let Some(relief) = Relief::ALL.into_iter().find(|r| !numbers.relief.contains_key(r)) {
            return missing("relief", &relief.to_string());
        }
        if let Some(walls) = Fortification::ALL.into_iter().find(|w| !numbers.fortifications.contains_key(w))
        {
            return missing("fortifications", &walls.to_string());
        }
        if let Some(scale) = Scale::ALL.into_iter().find(|s| !numbers.scales.contains_key(s)) {
            return missing("scales", &scale.to_string());
        }
        if numbers.find("LI").is_none() {
            // What riders are inside walls (ruling DOG-27).
            return missing("armies", "light infantry (LI)");
        }
        if numbers.armies.len() > 250 {
            return Err(DataErrors::one(FILE, 0, "`armies` has more than 250 lines: leave some out"));
        }
        let strange = numbers.armies.iter().find_map(|troop| {
            let unknown = troop.crew.iter().find(|code| numbers.find(code).is_none())?;
            Some(format!("`{}` carries `{unknown}`, and no line of `armies` has that code", troop.code))
        });
        match strange {
            Some(reason) => Err(DataErrors::one(FILE, 0, reason)),
            None => Ok(numbers),
        }
    }

    /// Every type, in the order of table 1.
    pub fn troops(&self) -> impl Iterator<Item = (TroopId, &Troop)> {
        (0..).map(TroopId).zip(&self.armies)
    }

    /// A type.
    ///
    /// # Panics
    /// For an id that [`Numbers::troops`] did not give.
    #[must_use]
    pub fn troop(&self, id: TroopId) -> &Troop {
        &self.armies[usize::from(id.0)]
    }

    /// Whether there is such a type: ids come in from journals and amendments too.
    #[must_use]
    pub fn has(&self, id: TroopId) -> bool {
        usize::from(id.0) < self.armies.len()
    }

    /// The type with this code or name, in any case, in the singular too.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<TroopId> {
        let same = |name: &str| name.eq_ignore_ascii_case(text) || singular(name).eq_ignore_ascii_case(text);
        let by_code = self.troops().find(|(_, troop)| troop.code.eq_ignore_ascii_case(text));
        let by_name = || {
            let named = |troop: &Troop| same(&troop.name) || troop.also.iter().any(|name| same(name));
            self.troops().find(|(_, troop)| named(troop))
        };
        by_code.or_else(by_name).map(|(id, _)| id)
    }

    /// Light infantry, which riders count as inside walls (ruling DOG-27).
    #[must_use]
    pub fn light_infantry(&self) -> &Troop {
        #[expect(clippy::expect_used, reason = "`load` refuses a file without it")]
        let id = self.find("LI").expect("light infantry");
        self.troop(id)
    }

    /// The most men-sized fighters in a unit.
    #[must_use]
    pub fn limit(&self, scale: Scale) -> u16 {
        self.scales[&scale]
    }

    /// The effects of a terrain.
    #[must_use]
    pub fn cover(&self, terrain: Terrain) -> &Cover {
        &self.terrain[&terrain]
    }

    /// The effects of a relief.
    #[must_use]
    pub fn slope(&self, relief: Relief) -> &Slope {
        &self.relief[&relief]
    }

    /// The factor of defence inside a fortification, in halves.
    #[must_use]
    pub fn walls(&self, fortification: Fortification) -> u16 {
        self.fortifications[&fortification]
    }
}

impl Troop {
    /// The noun for this number of fighters: `pikeman` for one.
    #[must_use]
    pub fn called(&self, fighters: u16) -> Cow<'_, str> {
        if fighters == 1 { singular(&self.name) } else { Cow::Borrowed(&self.name) }
    }
}

/// One of those with a name in the plural: `pikeman`, `elf`, `battle wolf`, `peasant`; names without a plural stay as they are.
fn singular(name: &str) -> Cow<'_, str> {
    let endings = [("men", "man"), ("ves", "f"), ("s", "")];
    let found = endings.iter().find_map(|(many, one)| Some(name.strip_suffix(many)?.to_owned() + one));
    found.map_or(Cow::Borrowed(name), Cow::Owned)
}

/// Notes every number that is out of bounds.
fn bounded(reader: &mut Reader, node: &Node, key: &str) {
    match &node.content {
        Content::Map(pairs) => {
            for (key, value) in pairs {
                if let Content::Text { text, .. } = &key.content {
                    bounded(reader, value, text);
                }
            }
        }
        Content::List(nodes) => nodes.iter().for_each(|node| bounded(reader, node, key)),
        Content::Text { text, quoted: false }
            if text.bytes().all(|b| b.is_ascii_digit() || b == b'-')
                && text.bytes().any(|b| b.is_ascii_digit()) =>
        {
            let least = i64::from(matches!(key, "hp" | "size" | "each" | "one_in" | "rear_guard_one_in"));
            reader.number::<i64>(node, &format!("number for `{key}`"), least..=MOST);
        }
        Content::Text { .. } => {}
    }
}

#[cfg(test)]
mod tests;

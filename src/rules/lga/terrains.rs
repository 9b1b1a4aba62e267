//! The terrains that a game adds to those of the rules, from `terrains` in `games/lga/ruleset.yaml`.

use super::kinds::MOST;
use super::model::{OwnTerrain, Terrain};
use musterd_kit::data::{At, Data, Entries, Node, Noun, Range, Reader, Value, like};
use musterd_kit::word::Letters;
use musterd_kit::{data, short_words};
use serde_json::json;

/// The form of a sign: any small letter but those of other signs on maps.
const SIGNS: &str = "^[a-eg-np-z]$";
/// Where the definitions of a schema have a row of the ground of a map.
pub(crate) const GROUND: &str = "#/$defs/ground";
/// The names that the ground of the rules has in files and reports.
const OF_THE_RULES: [&str; 7] = ["clear", "forest", "mountain", "mountains", "marsh", "sea", "closed"];

data! {
    /// A terrain.
    struct TerrainLine: "a terrain" {
        /// What it counts as, but for the moves to enter it and the muster.
        like: Terrain,
        /// Its sign on maps: a small letter, but not f or o.
        sign: At<Sign>,
        /// Moves to enter it.
        moves: u8 [1..=MOST],
        /// What it adds at the muster; as the terrain that it is like if it is left out.
        muster: Option<i8>,
    }
}

short_words! {
    /// The name of a terrain.
    struct Name: "a terrain", Letters::Dashed;
}

/// The terrains that a game adds.
#[derive(Debug, Clone)]
pub struct Terrains {
    terrains: Vec<OwnTerrain>,
    /// Whether all could be read: else a sign may be that of one that could not.
    pub(super) whole: bool,
}

impl Terrains {
    /// Terrains that could not be read.
    pub(super) const fn unknown() -> Self {
        Self { terrains: Vec::new(), whole: false }
    }

    /// No terrains but those of the rules.
    pub(super) const fn none() -> Self {
        Self { terrains: Vec::new(), whole: true }
    }

    /// All of them, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = OwnTerrain> {
        self.terrains.iter().copied()
    }

    /// The terrain with this sign.
    pub fn at(&self, sign: char) -> Option<OwnTerrain> {
        self.iter().find(|terrain| terrain.sign == sign)
    }
}

impl Data for Terrains {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let before = reader.errors.len();
        let Entries(lines): Entries<Name, TerrainLine> = Entries::read(reader, node, noun, range)?;
        let mut terrains = Self::none();
        for (name, TerrainLine { like, sign, moves, muster }) in lines {
            let word = name.value.word();
            if OF_THE_RULES.contains(&word) {
                reader.fault(name.at, format!("`{word}` is a terrain of the rules: call this one otherwise"));
            }
            let Some(Sign(mark)) = sign.known() else { continue };
            if let Some(other) = terrains.at(*mark) {
                let reason = format!("`{mark}` is the sign of {} already: choose another", other.word());
                reader.fault(sign.at, reason);
            }
            if let Some(Name(word)) = name.known() {
                terrains.terrains.push(OwnTerrain { word: *word, like, sign: *mark, moves, muster });
            }
        }
        terrains.whole = reader.errors.len() == before;
        Some(terrains)
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self::unknown())
    }

    fn schema(range: &Range) -> Value {
        let mut schema = Entries::<Name, TerrainLine>::schema(range);
        schema["propertyNames"]["not"] = json!({ "enum": OF_THE_RULES });
        schema
    }
}

/// The sign of a terrain.
struct Sign(char);

impl Data for Sign {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let sign = char::read(reader, node, noun, range)?;
        if !sign.is_ascii_lowercase() || ['f', 'o'].contains(&sign) {
            reader.fault(
                node.at,
                format!("`{sign}` can't be the sign of a terrain: write a small letter, but not f or o"),
            );
            return None;
        }
        Some(Self(sign))
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self(char::default()))
    }

    fn schema(_: &Range) -> Value {
        like(SIGNS)
    }
}

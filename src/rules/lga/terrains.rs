//! The terrains that a game adds to those of the rules, from `terrains` in `games/lga/ruleset.yaml`.

use super::kinds::MOST;
use super::model::{OwnTerrain, Terrain};
use musterd_engine::yaml::short;
use musterd_kit::data;
use musterd_kit::data::{At, Data, Entries, Node, Noun, Range, Reader, Value, like};
use musterd_kit::word::{Letters, ShortWord};

/// The form of a sign: any small letter but those of other signs on maps.
const SIGNS: &str = "^[a-eg-np-z]$";

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

/// The terrains that a game adds.
#[derive(Debug, Clone, Default)]
pub struct Terrains(Vec<OwnTerrain>);

impl Terrains {
    /// No terrains but those of the rules.
    pub(super) const fn none() -> Self {
        Self(Vec::new())
    }

    /// All of them, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = OwnTerrain> {
        self.0.iter().copied()
    }

    /// The terrain with this sign.
    #[must_use]
    pub fn at(&self, sign: char) -> Option<OwnTerrain> {
        self.iter().find(|terrain| terrain.sign == sign)
    }
}

impl Data for Terrains {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let before = reader.errors.len();
        let Entries(lines): Entries<Name, TerrainLine> = Entries::read(reader, node, noun, range)?;
        let mut terrains = Self::none();
        for (
            At { value: Name(word), .. },
            TerrainLine { like, sign: At { at, value: Sign(sign), .. }, moves, muster },
        ) in lines
        {
            if let Some(other) = terrains.at(sign) {
                let reason = format!("`{sign}` is the sign of {} already: choose another", other.word());
                reader.fault(at, reason);
            }
            terrains.0.push(OwnTerrain { word, like, sign, moves, muster });
        }
        (reader.errors.len() == before).then_some(terrains)
    }

    fn schema(range: &Range) -> Value {
        Entries::<Name, TerrainLine>::schema(range)
    }
}

/// The name of a terrain.
struct Name(ShortWord);

impl Data for Name {
    fn read(reader: &mut Reader, node: &Node, _: Noun<'_>, _: &Range) -> Option<Self> {
        let text = reader.text(node, "a terrain's name")?;
        let of_the_rules = Terrain::GROUNDS.contains(&text) || ["sea", "mountains", "closed"].contains(&text);
        let word = ShortWord::of(text, Letters::Dashed).filter(|_| !of_the_rules);
        if word.is_none() {
            let (text, most) = (short(text), ShortWord::LONGEST);
            reader.fault(node.at, match of_the_rules {
                true => format!("`{text}` is a terrain of the rules: call this one otherwise"),
                false => format!("`{text}` is no word for a terrain: write 2 to {most} small letters, hyphens between them"),
            });
        }
        word.map(Self)
    }

    fn schema(_: &Range) -> Value {
        like("^[a-z](-?[a-z]){1,15}$")
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

    fn schema(_: &Range) -> Value {
        like(SIGNS)
    }
}

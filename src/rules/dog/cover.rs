//! The terrains of `ruleset.yaml`: what the rules ask of one. A file may have terrains of its author's own.

use super::looks;
use super::model::{Fortification, People, Relief, Terrain};
use musterd_engine::alike::meant;
use musterd_engine::palette::is_colour;
use musterd_kit::data::{At, Data, Entries, Node, Noun, Range, Reader, Value, like};
use musterd_kit::lists::joined;
use musterd_kit::{data, written};
use serde_json::json;

/// A colour, written `#d5e0b8`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colour(pub String);

written! { Colour: like("^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"); }

impl TryFrom<String> for Colour {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let unfit =
            || format!("`{text}` is no colour: write # and six hexadecimal digits, such as \"#d5e0b8\"");
        if is_colour(&text) { Ok(Self(text)) } else { Err(unfit()) }
    }
}

data! {
    /// The effects of a terrain (manual 3.1). A terrain of the author's own is what its keys make of it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Cover: "a terrain" {
        /// Its sign in battle files.
        pub sign: char,
        /// Points to enter, in halves.
        pub cost: u16,
        /// The factor of defence, in halves.
        pub defence: u16,
        /// Visibility.
        pub visibility: u8,
        /// The people without penalties there.
        pub home: Option<People>,
        /// The factor of melee attacks of fighters at home there (ruling DOG-7).
        pub native_attack: u32 = 1,
        /// Whether it is water: boats and bridges belong there, troops that sink may not enter, and others drown (rulings DOG-24, DOG-35). By default
        /// `water` is.
        water: Option<bool>,
        /// Whether fighters with the hit points of `swamp_bar` may not enter, the people of swamps excepted (ruling DOG-25). By default those of `swamp`.
        bars_heavy: Option<bool>,
        /// Whether troops that are `big` may not enter (ruling DOG-25). By default those of `forest`.
        bars_big: Option<bool>,
        /// Whether it can have relief (ruling DOG-37). By default all but water and what bars heavy fighters.
        relief: Option<bool>,
        /// Whether fortifications can stand on it (ruling DOG-37). By default all but water and what bars somebody.
        fortifications: Option<bool>,
        /// Its colour on drawn maps. By default that of the palette, and for a terrain of the author's own one out of a few.
        pub colour: Option<Colour>,
    }
}

impl Cover {
    /// Fills in what the file leaves to the terrain's name and to its other keys.
    fn settle(&mut self, terrain: Terrain) {
        let or = |said: Option<bool>, usual: bool| Some(said.unwrap_or(usual));
        let word = terrain.word();
        self.water = or(self.water, word == "water");
        self.bars_heavy = or(self.bars_heavy, word == "swamp");
        self.bars_big = or(self.bars_big, word == "forest");
        self.relief = or(self.relief, !self.is_water() && !self.bars_heavy());
        self.fortifications =
            or(self.fortifications, !self.is_water() && !self.bars_heavy() && !self.bars_big());
    }

    /// Whether it is water: boats go there, and who sinks may not enter (rulings DOG-24, DOG-35).
    pub fn is_water(&self) -> bool {
        self.water == Some(true)
    }

    /// Whether heavy fighters may not enter (ruling DOG-25).
    pub fn bars_heavy(&self) -> bool {
        self.bars_heavy == Some(true)
    }

    /// Whether big troops may not enter (ruling DOG-25).
    pub fn bars_big(&self) -> bool {
        self.bars_big == Some(true)
    }

    /// Whether it can have relief (manual 3.2, ruling DOG-37).
    pub fn has_relief(&self) -> bool {
        self.relief == Some(true)
    }

    /// Whether a fortification can be built on it (manual 3.3, ruling DOG-37).
    pub fn is_constructable(&self) -> bool {
        self.fortifications == Some(true)
    }
}

/// The terrains of a file: the shipped ones first, in their order. What a terrain leaves out is filled in.
#[derive(Debug, Clone)]
pub(super) struct Terrains {
    terrains: Vec<(Terrain, Cover)>,
    /// Whether all could be read: else a sign may be that of one that could not.
    pub(super) whole: bool,
}

impl Terrains {
    /// The terrains that every file has.
    const NEEDED: [Terrain; 2] = [Terrain::CLEAR, Terrain::ROAD];

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Terrain, &Cover)> {
        self.terrains.iter().map(|(terrain, cover)| (*terrain, cover))
    }

    /// The same, in the place of terrains that could not be read.
    pub(super) fn open(self) -> Self {
        Self { whole: false, ..self }
    }
}

impl Data for Terrains {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let before = reader.errors.len();
        let Entries(lines): Entries<Terrain, Cover> = Entries::read(reader, node, noun, range)?;
        // A key that can't be read may be any.
        let named = lines.iter().all(|(key, _)| key.known().is_some());
        let mut terrains: Vec<(At<Terrain>, Cover)> = Vec::new();
        for (key, cover) in lines {
            // A key that is read as the one that may be meant can be there already.
            if key.known().is_some() && terrains.iter().all(|(other, _)| other.value != key.value) {
                terrains.push((key, cover));
            }
        }
        let has = |terrain: &Terrain| terrains.iter().any(|(other, _)| other.value == *terrain);
        let missing: Vec<Terrain> =
            Self::NEEDED.into_iter().filter(|terrain| named && !has(terrain)).collect();
        settle(reader, &mut terrains, &missing);
        for terrain in missing {
            let is_meant = |(key, _): &&(At<Terrain>, Cover)| {
                looks::drawn(key.value).is_none()
                    && meant(key.value.word(), std::iter::once(terrain.word())).is_some()
            };
            let (at, what_to_do) = match terrains.iter().find(is_meant) {
                Some((key, _)) => (key.at, format!("write `{terrain}` for `{}`", key.value)),
                None => (node.at, "add one".to_owned()),
            };
            reader.fault(at, format!("{} has no line for {terrain}: {what_to_do}", noun.thing()));
        }
        let terrains = terrains.into_iter().map(|(key, cover)| (key.value, cover)).collect();
        Some(Self { terrains, whole: reader.errors.len() == before })
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self { terrains: Vec::new(), whole: false })
    }

    fn schema(range: &Range) -> Value {
        let mut schema = Entries::<Terrain, Cover>::schema(range);
        schema["required"] = json!(Self::NEEDED.map(|terrain| terrain.to_string()));
        schema
    }
}

/// Fills in what the file leaves out, and notes what is wrong with its terrains; a sign that can't be read is NUL. The shipped ones come first, in their
/// order. Two of them with one sign are told as a doubt only, and the first has it: games may have been founded with such a file. What is like a
/// `missing` one is told of as a fault elsewhere.
fn settle(reader: &mut Reader, terrains: &mut [(At<Terrain>, Cover)], missing: &[Terrain]) {
    terrains.sort_by_key(|(terrain, _)| {
        let place = looks::DRAWN.iter().position(|word| *word == terrain.value.word());
        place.unwrap_or(looks::DRAWN.len())
    });
    for (terrain, cover) in terrains.iter_mut() {
        cover.settle(terrain.value);
    }
    let is_own = |terrain: Terrain| looks::drawn(terrain).is_none();
    let left_out = || {
        let named = |word: &str| terrains.iter().any(|(other, _)| other.value.word() == word);
        looks::DRAWN.into_iter().filter(move |word| !named(word))
    };
    for (place, (At { at, value: terrain, .. }, cover)) in terrains.iter().enumerate() {
        let (word, sign) = (terrain.word(), cover.sign);
        let same = |(other, of): &&(At<Terrain>, Cover)| {
            let equal = |a: char, b: char| a == b && a != char::default();
            equal(of.sign, sign) || equal(looks::sign(other.value, of.sign), looks::sign(*terrain, sign))
        };
        if let Some((other, _)) = terrains[..place].iter().find(same) {
            let other = other.value;
            let reason = format!("the sign `{sign}` of `{word}` stands for `{other}` too: choose another");
            if is_own(*terrain) || is_own(other) {
                reader.fault(*at, reason);
            } else {
                reader.doubt(*at, reason);
            }
        }
        if *terrain == Terrain::CLEAR && (cover.is_water() || cover.bars_heavy() || cover.bars_big()) {
            let reason = "`clear` is the ground of bridges, boats and walls: leave `water`, `bars_heavy` and `bars_big` out";
            reader.fault(*at, reason);
        }
        if !is_own(*terrain) {
            continue;
        }
        let fits = sign.is_ascii_graphic() && !looks::RESERVED.contains(sign);
        if sign != char::default() && !fits {
            let taken = joined(looks::RESERVED.chars(), " ");
            let reason = format!(
                "`{sign}` can't be the sign of `{word}`: maps need {taken} for other things, and have ASCII alone: choose another"
            );
            reader.fault(*at, reason);
        }
        if Relief::WORDS.contains(&word) || Fortification::WORDS.contains(&word) {
            reader.fault(
                *at,
                format!("`{word}` is a relief or a fortification: give the terrain another name"),
            );
        } else if let Some(near) = meant(word, left_out())
            && missing.iter().all(|terrain| terrain.word() != near)
        {
            let reason = format!("`{word}` is read as a terrain of your own; did you mean `{near}`?");
            reader.doubt(*at, reason);
        }
    }
}

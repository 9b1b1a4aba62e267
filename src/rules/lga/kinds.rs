//! The types of unit of a game, from `units` in `games/lga/ruleset.yaml`: their names, their numbers, and the arms that they fight as.

use super::model::{Arm, UnitType};
use musterd_engine::alike::meant;
use musterd_engine::yaml::short;
use musterd_kit::data;
use musterd_kit::data::{At, Data, Entries, Node, Noun, Range, Reader, Value, like, one_of};
use musterd_kit::word::{Letters, ShortWord};
use serde_json::json;

/// The largest absolute value of a number in the file; sums of them stay far below the limits of the types.
pub(super) const MOST: i64 = 50;
/// The most types of a game.
const MOST_TYPES: usize = 40;
/// The form of a type's word.
const FORM: &str = "^[a-z](-?[a-z]){1,15}$";

data! {
    /// The numbers of a type of unit (manual 3.3).
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Stats: "a unit type" {
        /// Military points to build one.
        pub cost: u16,
        /// Moves a season.
        pub moves: u8,
        /// The highest morale.
        pub max_morale "morale": i8 [0..=MOST],
    }

    /// A type of unit.
    struct TypeLine: "a unit type" {
        ..stats: Stats,
        /// The arm that it fights as; a type that is called as an arm is of that.
        like: Option<At<Arm>>,
    }
}

/// The types of unit of a game.
#[derive(Debug, Clone)]
pub struct Kinds(Vec<(UnitType, Stats)>);

impl Kinds {
    /// All types: those that are called as their arms in the order of the arms, then the others in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (UnitType, Stats)> + Clone {
        self.0.iter().copied()
    }

    /// The type of this word.
    #[must_use]
    pub fn find(&self, word: &str) -> Option<UnitType> {
        self.iter().map(|(kind, _)| kind).find(|kind| kind.word() == word)
    }

    /// The type that a file names. What isn't one is noted; then it is the one that is meant, if any.
    pub(super) fn named(&self, reader: &mut Reader, At { at, value, .. }: &At<TypeName>) -> Option<UnitType> {
        let TypeName(word) = value;
        let words = || self.0.iter().map(|(kind, _)| kind.word());
        self.find(word).or_else(|| {
            let near = meant(word, words());
            let list = || format!("write {}", words().collect::<Vec<_>>().join(", "));
            let hint = near.map_or_else(list, |near| format!("did you mean `{near}`?"));
            reader.fault(*at, format!("`{}` is no type; {hint}", short(word)));
            near.and_then(|near| self.find(near))
        })
    }

    pub(super) fn stats(&self, kind: UnitType) -> Stats {
        debug_assert_eq!(self.0[usize::from(kind.place)].0, kind, "a type of these numbers");
        self.0[usize::from(kind.place)].1
    }
}

impl Data for Kinds {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let before = reader.errors.len();
        let Entries(lines): Entries<TypeName, TypeLine> = Entries::read(reader, node, noun, range)?;
        let mut kinds: Vec<(UnitType, Stats)> = Vec::new();
        for (At { at, value: TypeName(name), .. }, TypeLine { stats, like }) in lines {
            let own = Arm::WORDS.iter().position(|word| *word == name).map(|place| Arm::ALL[place]);
            let arm = match (own, like) {
                (Some(own), Some(like)) if like.value != own => {
                    reader.fault(like.at, format!("`{name}` is an arm itself: leave `like` out"));
                    continue;
                }
                (Some(arm), _) => arm,
                (None, Some(like)) => like.value,
                (None, None) => {
                    let near = meant(&name, Arm::WORDS.into_iter());
                    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                    let arms = Arm::WORDS.join(", ");
                    let reason = format!(
                        "`{}` is no arm, so `like` has to say which it fights as: {arms}{near}",
                        short(&name)
                    );
                    reader.fault(at, reason);
                    continue;
                }
            };
            match ShortWord::of(&name, Letters::Dashed) {
                Some(word) => kinds.push((UnitType { place: 0, word, arm }, stats)),
                None => reader.fault(
                    at,
                    format!(
                        "`{}` is no word for a type: write 2 to {} small letters, hyphens between them",
                        short(&name),
                        ShortWord::LONGEST
                    ),
                ),
            }
        }
        if kinds.len() > MOST_TYPES {
            reader.fault(node.at, format!("there are {} types: there may be {MOST_TYPES}", kinds.len()));
        }
        let missing = |arm: &Arm| !kinds.iter().any(|(kind, _)| kind.word() == Arm::WORDS[*arm as usize]);
        if reader.errors.len() == before
            && let Some(arm) = Arm::ALL.into_iter().find(missing)
        {
            reader.fault(node.at, format!("`units` has no line for {arm}: add one"));
        }
        // Those that are called as their arms stand where `UnitType::from` looks for them.
        let rank = |(kind, _): &(UnitType, Stats)| {
            Arm::WORDS.iter().position(|word| *word == kind.word()).unwrap_or(Arm::WORDS.len())
        };
        kinds.sort_by_key(rank);
        for (place, (kind, _)) in (0..=u8::MAX).zip(&mut kinds) {
            kind.place = place;
        }
        (reader.errors.len() == before).then_some(Self(kinds))
    }

    fn schema(range: &Range) -> Value {
        Entries::<TypeName, TypeLine>::schema(range)
    }
}

/// A type of unit as a file names it; the numbers of the game decide whether there is one.
#[derive(Debug, Clone)]
pub(crate) struct TypeName(String);

impl Data for TypeName {
    fn read(reader: &mut Reader, node: &Node, _: Noun<'_>, _: &Range) -> Option<Self> {
        reader.text(node, "a type of unit").map(|text| Self(text.to_owned()))
    }

    fn schema(_: &Range) -> Value {
        json!({ "anyOf": [one_of(&Arm::WORDS), like(FORM)] })
    }
}

//! The types of unit of a game, from `units` in `games/lga/ruleset.yaml`: their names, their numbers, and the arms that they fight as.

use super::model::{Arm, UnitType};
use musterd_engine::alike::meant;
use musterd_engine::yaml::short;
use musterd_kit::data::{At, Data, Entries, Node, Noun, Range, Reader, Value};
use musterd_kit::word::Letters;
use musterd_kit::{data, short_words, texts};
use serde_json::json;

/// The largest absolute value of a number in the file; sums of them stay far below the limits of the types.
pub(super) const MOST: i64 = 50;
/// The most types of a game.
const MOST_TYPES: usize = 40;

/// Where the definitions of a schema have the headquarters of a host.
pub(crate) const HEADQUARTERS: &str = "#/$defs/headquarters";
/// Those that fight.
pub(crate) const FIGHTER: &str = "#/$defs/fighter";
/// Those that can garrison a city.
pub(crate) const GARRISON: &str = "#/$defs/garrison";

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

short_words! {
    /// The word for a type of unit.
    struct Word: "a type", Letters::Dashed;
}

/// The types of unit of a game.
#[derive(Debug, Clone)]
pub struct Kinds {
    kinds: Vec<(UnitType, Stats)>,
    /// Whether all could be read: else a word may be one of those that could not, and the numbers are not known.
    pub(super) whole: bool,
}

impl Kinds {
    /// All types: those that are called as their arms in the order of the arms, then the others in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (UnitType, Stats)> + Clone {
        self.kinds.iter().copied()
    }

    /// The type of this word.
    pub fn find(&self, word: &str) -> Option<UnitType> {
        self.iter().map(|(kind, _)| kind).find(|kind| kind.word() == word)
    }

    /// The type that a file names. What isn't one is noted; then it is the one that is meant, if any.
    pub(super) fn named(&self, reader: &mut Reader, named: &At<TypeName>) -> Option<UnitType> {
        let TypeName(word) = named.known()?;
        let found = self.find(word);
        if found.is_some() || !self.whole {
            return found;
        }
        let words = || self.kinds.iter().map(|(kind, _)| kind.word());
        let near = meant(word, words());
        let list = || format!("write {}", words().collect::<Vec<_>>().join(", "));
        let hint = near.map_or_else(list, |near| format!("did you mean `{near}`?"));
        reader.fault(named.at, format!("`{}` is no type; {hint}", short(word)));
        near.and_then(|near| self.find(near))
    }

    /// The same, in the place of types that could not be read.
    pub(super) fn open(self) -> Self {
        Self { whole: false, ..self }
    }

    /// The numbers of a type of unit, or of the type that is called as an arm.
    ///
    /// # Panics
    /// When the type is not one of these: every type of a scenario is of the numbers that it was read with.
    pub fn stats(&self, kind: impl Into<UnitType>) -> Stats {
        let kind = kind.into();
        debug_assert_eq!(self.kinds[usize::from(kind.place)].0, kind, "a type of these numbers");
        self.kinds[usize::from(kind.place)].1
    }
}

impl TypeLine {
    /// The arm of the type of this word. What is wrong with it is noted.
    fn arm(&self, reader: &mut Reader, word: &At<Word>) -> Option<Arm> {
        let name = word.value.word();
        let own = Arm::WORDS.iter().position(|of| *of == name).map(|place| Arm::ALL[place]);
        let like = self.like.as_ref();
        let said = like.and_then(|like| Some((like.at, *like.known()?)));
        if let (Some(own), Some((at, said))) = (own, said)
            && own != said
        {
            reader.fault(at, format!("`{name}` is an arm itself: leave `like` out"));
        }
        if own.is_none() && like.is_none() {
            let near = meant(name, Arm::WORDS.into_iter());
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            let arms = Arm::WORDS.join(", ");
            let reason = format!("`{name}` is no arm, so `like` has to say which it fights as: {arms}{near}");
            reader.fault(word.at, reason);
        }
        own.or(said.map(|(_, said)| said))
    }
}

impl Data for Kinds {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let before = reader.errors.len();
        let Entries(lines): Entries<Word, TypeLine> = Entries::read(reader, node, noun, range)?;
        let many = lines.len();
        let mut kinds: Vec<(UnitType, Stats)> = Vec::new();
        for (word, line) in lines.into_iter().filter(|(word, _)| word.known().is_some()) {
            let Some(arm) = line.arm(reader, &word) else { continue };
            // A word that is read as the one that may be meant can be there already.
            if kinds.iter().all(|(kind, _)| kind.word() != word.value.word()) {
                kinds.push((UnitType { place: 0, word: word.value.0, arm }, line.stats));
            }
        }
        if many > MOST_TYPES {
            reader.fault(
                node.at,
                format!("there are {many} types, and there may be {MOST_TYPES}: leave some out"),
            );
        }
        // One whose name or arm is not known may be any.
        let all = kinds.len() == many;
        let missing = |arm: &Arm| !kinds.iter().any(|(kind, _)| kind.word() == arm.word());
        for arm in Arm::ALL.into_iter().filter(|arm| all && missing(arm)) {
            reader.fault(node.at, format!("{} has no line for {arm}: add one", noun.thing()));
        }
        // Those that are called as their arms stand where `UnitType::from` looks for them.
        let rank = |(kind, _): &(UnitType, Stats)| {
            Arm::WORDS.iter().position(|word| *word == kind.word()).unwrap_or(Arm::WORDS.len())
        };
        kinds.sort_by_key(rank);
        for (place, (kind, _)) in (0..=u8::MAX).zip(&mut kinds) {
            kind.place = place;
        }
        Some(Self { kinds, whole: reader.errors.len() == before })
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self { kinds: Vec::new(), whole: false })
    }

    fn schema(range: &Range) -> Value {
        let mut schema = Entries::<Word, TypeLine>::schema(range);
        schema["required"] = json!(Arm::WORDS);
        schema
    }
}

texts! {
    /// A type of unit as a file names it; the numbers of the game decide whether there is one.
    pub(crate) struct TypeName: "a type of unit" json!({ "$ref": "#/$defs/type" });
}

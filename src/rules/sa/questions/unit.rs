//! Units as a question names them, and the field on which they meet.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::alike;
use musterd_engine::calls::{Arg, CallError, Given, Installation, Kind as Values};
use musterd_engine::hex::Hex;
use musterd_engine::{Founding, Ruleset};
use musterd_kit::meanings::{asked, words};

use crate::battle::{Army, Battle, Edge, Field, Setting, Spec};
use crate::data::Sa;
use crate::model::{Class, Missile, Side, Spell, Terrain, UnitId, UnitType, Weapon};
use crate::numbers::{Gifts, Numbers};
use crate::options::{Choices, EDITIONS, Edition, PENALTIES};
use crate::state::{Enchantment, Last, Position, State};

/// How to write units, for the help.
pub(super) const UNITS: &str = "A unit is its men, its class, its type and its weapon, such as 1000 B EHC lance, in any order. Types are HI, LHI, MI, LMI, LI, \
    EHC, HC, MC and LC; weapons are lance, pike, spear, javelin, two-handed and sword; missiles are javelins, slings and bow. Without a number it has 1000 \
    men, without a class C, without a weapon swords. Say SHIELDLESS, a tribe that has gifts, IN its ground (in light woods), ROUTING, MOVED if its last order \
    was a move, LOST 2 for melees lost in a row, BLADE 2 or SHIELD 2 for a spell.";

/// The arguments of every question about two units.
pub(super) const ASKED: &[Arg] = &[
    Arg::words("words", "UNITS", "The unit that acts, AT the other"),
    Arg::option(
        "terrain-penalty",
        "WHOM",
        Values::Word(&words(&PENALTIES)),
        "Whom the terrain hinders in melee",
    )
    .default(PENALTIES[0].0),
    Arg::option("edition", "EDITION", Values::Word(&words(&EDITIONS)), "Whose charts are used")
        .default(EDITIONS[0].0),
];

/// The charts, and what is chosen if nobody chooses.
fn basis(at: &mut dyn Installation) -> Result<(Numbers, Choices), CallError> {
    let files = at.files()?;
    let founding = Founding::new(Sa::RULES_VERSION, Sa::OPTIONS, &files, &[])?;
    Ok((Numbers::load(&files)?, Choices::of(&founding)))
}

/// The rules without a unit on the field.
pub(super) fn bare(at: &mut dyn Installation) -> Result<Sa, CallError> {
    let (numbers, choices) = basis(at)?;
    Ok(Sa::between(numbers, field(&[], 0), choices))
}

/// Two units that meet, so many hexes apart: the rules, and the position with the one that acts first.
pub(super) fn met(given: &Given, at: &mut dyn Installation, apart: u8) -> Result<(Sa, Position), CallError> {
    let (numbers, choices) = basis(at)?;
    let choices = Choices {
        terrain: asked(given, "terrain-penalty", &PENALTIES),
        edition: asked(given, "edition", &EDITIONS),
        ..choices
    };
    let text = given.all("words").join(" ").to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some(middle) = words.iter().position(|word| *word == "at") else {
        return Err("say who meets whom: 1000 B EHC lance at 1000 C HI pike".into());
    };
    let read = |side, words| read(&numbers, choices.edition, UnitId::new(side, 1), words);
    let units = [read(Side::A, &words[..middle])?, read(Side::B, &words[middle + 1..])?];
    let rules = Sa::between(numbers, field(&units, apart), choices);
    let mut position = State::at_start(&rules).position;
    for (unit, asked) in position.units.iter_mut().zip(&units) {
        unit.routing = asked.routing;
        unit.losing = asked.losing;
        unit.last = if asked.moved { Last::Moved } else { Last::Nothing };
        for (spell, points) in [(Spell::Blade, asked.blade), (Spell::Shield, asked.shield_spell)] {
            unit.spells[spell as usize] = Enchantment { points, until: None };
        }
    }
    Ok((rules, position))
}

/// A unit as a question names it.
struct Asked {
    spec: Spec,
    ground: Terrain,
    routing: bool,
    moved: bool,
    losing: u8,
    blade: u32,
    shield_spell: u32,
}

/// A word of a question.
#[derive(Clone)]
enum Word {
    Class(Class),
    Kind(UnitType),
    Weapon(Weapon),
    Missile(Missile),
    Ground(Terrain),
    Tribe(String),
    Shieldless,
    Shields,
    Routing,
    Moved,
    /// Words with a number behind them.
    Lost,
    Blade,
    Shield,
}

/// All that can be said of a unit, in small letters.
fn vocabulary(numbers: &Numbers) -> BTreeMap<String, Word> {
    let mut words: BTreeMap<String, Word> = BTreeMap::new();
    let mut say = |text: &str, word: &Word| {
        words.insert(text.to_lowercase(), word.clone());
    };
    for class in Class::ALL {
        say(class.word(), &Word::Class(class));
    }
    for kind in UnitType::ALL {
        say(kind.word(), &Word::Kind(kind));
        say(kind.words(), &Word::Kind(kind));
    }
    for weapon in Weapon::ALL {
        say(weapon.words(), &Word::Weapon(weapon));
    }
    let others = [
        ("spear", Weapon::LSpear),
        ("lspear", Weapon::LSpear),
        ("two-handed", Weapon::TwoHand),
        ("twohand", Weapon::TwoHand),
    ];
    for (text, weapon) in others {
        say(text, &Word::Weapon(weapon));
    }
    for missile in Missile::ALL {
        say(missile.words(), &Word::Missile(missile));
    }
    for (text, missile) in [("bow", Missile::Bow), ("sling", Missile::Rocks), ("rocks", Missile::Rocks)] {
        say(text, &Word::Missile(missile));
    }
    for ground in Terrain::ALL {
        say(&format!("in {}", ground.words()), &Word::Ground(ground));
    }
    let enemies = numbers.tribes.values().flat_map(|gifts| gifts.against.keys());
    for tribe in numbers.tribes.keys().chain(enemies) {
        let word = Word::Tribe(tribe.clone());
        say(tribe, &word);
        say(&plural(tribe), &word);
    }
    let plain = [
        ("shieldless", Word::Shieldless),
        ("shields", Word::Shields),
        ("routing", Word::Routing),
        ("moved", Word::Moved),
        ("lost", Word::Lost),
        ("blade", Word::Blade),
        ("shield", Word::Shield),
    ];
    for (text, word) in plain {
        say(text, &word);
    }
    words
}

/// Several of a tribe: Zorgs, Elves, Lizardmen.
fn plural(tribe: &str) -> String {
    let other = [("man", "men"), ("f", "ves"), ("y", "ies")].into_iter();
    let mut other = other.filter_map(|(one, many)| Some(format!("{}{many}", tribe.strip_suffix(one)?)));
    other.next().unwrap_or_else(|| format!("{tribe}s"))
}

/// Why a word says nothing of a unit: a ground that isn't named whole, or no word at all.
fn unheard(word: &str, vocabulary: &BTreeMap<String, Word>) -> String {
    let grounds = Terrain::ALL.map(Terrain::words);
    if word == "in" || grounds.iter().any(|ground| ground.split(' ').any(|part| part == word)) {
        return format!("the ground of a unit is one of these: in {}", grounds.join(", in "));
    }
    let near = alike::meant(word, vocabulary.keys().map(String::as_str));
    let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    format!("`{word}` is nothing that is said of a unit{hint}")
}

/// The most words of one name.
const LONGEST: usize = 3;

fn read(numbers: &Numbers, edition: Edition, id: UnitId, mut words: &[&str]) -> Result<Asked, String> {
    let vocabulary = vocabulary(numbers);
    let mut asked = Asked::new(id);
    let spec = &mut asked.spec;
    let mut kind = None;
    while let Some(word) = words.first() {
        if let Ok(men) = word.parse() {
            if men == 0 {
                return Err("a unit of 0 men fights nobody: give it one man at least".to_owned());
            }
            spec.men = men;
            words = &words[1..];
            continue;
        }
        let known = |length: &usize| vocabulary.get(&words.get(..*length)?.join(" "));
        let found = (1..=LONGEST).rev().find_map(|length| known(&length).map(|word| (length, word)));
        let (length, meant) = found.ok_or_else(|| unheard(word, &vocabulary))?;
        words = &words[length..];
        match meant {
            Word::Class(class) => spec.class = *class,
            Word::Kind(of) => kind = Some(*of),
            Word::Weapon(weapon) => spec.weapon = *weapon,
            Word::Missile(missile) => spec.missile = Some(*missile),
            Word::Ground(ground) => asked.ground = *ground,
            Word::Tribe(tribe) => {
                spec.gifts = numbers.tribes.get(tribe).cloned().unwrap_or(Gifts::NONE);
                spec.tribe.clone_from(tribe);
            }
            Word::Shieldless => spec.shield = false,
            Word::Shields => spec.shield = true,
            Word::Routing => asked.routing = true,
            Word::Moved => asked.moved = true,
            Word::Lost => asked.losing = counted(&mut words, "lost")?,
            Word::Blade => asked.blade = counted(&mut words, "blade")?.into(),
            Word::Shield => asked.shield_spell = counted(&mut words, "shield")?.into(),
        }
    }
    spec.kind = edition.counts(kind.ok_or("say the type of both units: HI, LMI, EHC and so on")?);
    // Two-handed weapons leave no hand for one (SA-39).
    spec.shield &= !spec.weapon.takes_both_hands();
    fits(numbers, spec, asked.ground)?;
    Ok(asked)
}

/// The number behind a word.
fn counted(words: &mut &[&str], what: &str) -> Result<u8, String> {
    let number = words.first().and_then(|word| word.parse().ok());
    *words = words.get(1..).unwrap_or_default();
    number.ok_or_else(|| format!("`{what}` wants a number up to {} behind it", u8::MAX))
}

/// Whether there can be such a unit.
fn fits(numbers: &Numbers, spec: &Spec, ground: Terrain) -> Result<(), String> {
    let kind = spec.kind;
    if !numbers.weapons(kind).contains_key(&spec.weapon) {
        return Err(format!("{} has no {}", kind.words(), spec.weapon.words()));
    }
    if numbers.cost(kind, ground).is_none() {
        return Err(format!("{} can't enter such ground: {}", kind.words(), ground.words()));
    }
    Ok(())
}

/// A battle of these units alone, in a row of hexes.
fn field(units: &[Asked], apart: u8) -> Battle {
    let hexes = [Hex::new(1, 1), Hex::new(1 + apart.max(1), 1)];
    let columns = hexes[1].col;
    let mut ground = vec![Terrain::Clear; usize::from(columns)];
    let stand = |(asked, at): (&Asked, Hex)| {
        ground[usize::from(at.col) - 1] = asked.ground;
        Spec { at: Some(at), ..asked.spec.clone() }
    };
    let specs: Vec<Spec> = units.iter().zip(hexes).map(stand).collect();
    let army = |place: usize| Army {
        name: String::new(),
        commanders: Vec::new(),
        magic: 0,
        home: if place == 0 { Edge::West } else { Edge::East },
        zone: BTreeSet::new(),
        units: (place.min(specs.len()), (place + 1).min(specs.len())),
    };
    Battle {
        title: String::new(),
        setting: Setting::Introductory,
        sources: String::new(),
        date: String::new(),
        situation: String::new(),
        nightfall: 144,
        field: Field { columns, rows: 1, ground, places: BTreeMap::new() },
        sides: [army(0), army(1)],
        units: specs,
        hunt: None,
        swapped: false,
    }
}

impl Asked {
    /// A unit of which nothing is said.
    fn new(id: UnitId) -> Self {
        let spec = Spec {
            id,
            name: id.to_string(),
            row: id.to_string(),
            tribe: String::new(),
            gifts: Gifts::NONE,
            kind: UnitType::Hi,
            class: Class::C,
            weapon: Weapon::Sword,
            missile: None,
            shield: true,
            men: 1000,
            at: None,
            casts: false,
            arrives: None,
            waits: None,
            deserts: None,
            likeness: false,
        };
        let ground = Terrain::Clear;
        Self { spec, ground, routing: false, moved: false, losing: 0, blade: 0, shield_spell: 0 }
    }
}

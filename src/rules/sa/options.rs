//! The choices of whoever founds a game.

use musterd_engine::Founding;
use musterd_engine::founding::GameOption;
use musterd_kit::meanings::{Meaning, meant, words};

use crate::model::{Class, UnitType};

/// Whose charts are used.
pub(crate) const EDITIONS: [Meaning<Edition>; 2] = [
    ("apple", "the first edition's", Edition::Apple),
    (
        "atari",
        "the Atari edition's, which know no medium cavalry: it fights as heavy cavalry",
        Edition::Atari,
    ),
];
/// Whether both sides make the initial move in one mail turn.
const INITIALS: [Meaning<bool>; 2] = [
    ("turns", "one side after the other, the second seeing the first's", false),
    ("together", "both at once; the first side's are carried out first", true),
];
/// Whom the terrain can hinder in melee.
pub(crate) const PENALTIES: [Meaning<Penalty>; 3] = [
    ("opponent", "each unit by the terrain of its opponent", Penalty::Opponent),
    ("self", "each unit by its own terrain", Penalty::Own),
    ("attacker", "the attacker alone, by the terrain of the defender", Penalty::Attacker),
];
/// How many spell points can go into one spell.
const CAPS: [Meaning<Option<u32>>; 7] = [
    ("1", "one", Some(1)),
    ("2", "two", Some(2)),
    ("3", "three", Some(3)),
    ("4", "four", Some(4)),
    ("5", "five", Some(5)),
    ("6", "six", Some(6)),
    ("none", "as many as there are", None),
];
/// Whether contingents have commanders of their own.
const COMMANDS: [Meaning<bool>; 2] = [
    ("armies", "one commander a side", false),
    ("contingents", "a commander for each contingent, where the scenario has them", true),
];
/// Whether a wizard's likenesses stand there from the start.
const WIZARDS: [Meaning<bool>; 2] =
    [("casts", "he makes them by spells", false), ("placed", "they stand on the field from the start", true)];
/// Whether a wizard's death or escape ends the battle.
const HUNTS: [Meaning<bool>; 2] =
    [("on", "it does", true), ("off", "army morale and nightfall alone do", false)];
/// How strong an army is.
const SIZES: [Meaning<Size>; 4] = [
    ("normal", "as the order of battle has it", Size { raised: false, quarters: 4 }),
    ("raised", "each training class a grade better", Size { raised: true, quarters: 4 }),
    ("raised-quarter", "each class a grade better, a quarter more men", Size { raised: true, quarters: 5 }),
    ("raised-double", "each class a grade better, twice the men", Size { raised: true, quarters: 8 }),
];

/// The choices of whoever founds a game.
pub(crate) const OPTIONS: &[GameOption] = &[
    GameOption::words("edition", "whose charts are used", &words(&EDITIONS)),
    GameOption::number("block", "time-points of a mail turn", (4, 36), "12"),
    GameOption::words("initial", "how the initial moves are ordered", &words(&INITIALS)),
    GameOption::words("terrain_penalty", "whom the terrain hinders in melee", &words(&PENALTIES)),
    GameOption::words("spell_cap", "spell points at most in one spell", &words(&CAPS)).with_default("3"),
    GameOption::words("commands", "who commands", &words(&COMMANDS)),
    GameOption::words("wizard", "how a wizard's likenesses come about, where there is one", &words(&WIZARDS)),
    GameOption::words(
        "hunt",
        "whether the death or escape of a wizard ends the battle, where there is one",
        &words(&HUNTS),
    ),
    GameOption::file("army_a", "the army of the first side", "armies"),
    GameOption::file("army_b", "the army of the second side", "armies"),
    GameOption::file("field", "the field", "fields"),
    GameOption::words(
        "size_a",
        "the strength of the first side, for whoever plays the computer",
        &words(&SIZES),
    ),
    GameOption::words(
        "size_b",
        "the strength of the second side, for whoever plays the computer",
        &words(&SIZES),
    ),
];

/// What was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choices {
    /// The charts.
    pub edition: Edition,
    /// Whom the terrain hinders in melee (SA-3).
    pub terrain: Penalty,
    /// Spell points at most in one cast; `None` for no bound (SA-44).
    pub cap: Option<u32>,
    /// Whether both sides make the initial move in one mail turn (SA-43).
    pub together: bool,
    /// Time-points of a mail turn.
    pub block: u16,
    /// Whether contingents have commanders of their own.
    pub contingents: bool,
    /// Whether a wizard's likenesses stand on the field from the start, not made by spells.
    pub placed: bool,
    /// Whether the death or escape of a wizard ends the battle.
    pub hunt: bool,
    /// The sizes of the armies, in the order of the sides (SA-29).
    pub sizes: [Size; 2],
}

/// The size of an army for whoever plays the computer (SA-29).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Whether each training class is a grade better.
    pub raised: bool,
    /// The men, in quarters of those of the order of battle.
    pub quarters: u32,
}

impl Size {
    /// The men of a unit that has so many in the order of battle; halves are rounded up.
    pub const fn men(self, men: u32) -> u32 {
        men.saturating_mul(self.quarters).saturating_add(2) / 4
    }

    /// The training class of a unit that has this one in the order of battle.
    pub const fn class(self, class: Class) -> Class {
        if self.raised { class.raised() } else { class }
    }
}

/// The edition of the charts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edition {
    /// The Apple edition.
    Apple,
    /// The Atari edition, whose charts know no medium cavalry (SA-6).
    Atari,
}

impl Edition {
    /// As what a unit of a type fights.
    pub const fn counts(self, kind: UnitType) -> UnitType {
        match (self, kind) {
            (Self::Atari, UnitType::Mc) => UnitType::Hc,
            _ => kind,
        }
    }
}

/// Whom the terrain hinders in melee (SA-3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Penalty {
    /// Each unit by the terrain of its opponent.
    Opponent,
    /// Each unit by its own terrain.
    Own,
    /// The attacker alone, by the terrain of the defender.
    Attacker,
}

impl Choices {
    /// The choices of a founding.
    #[expect(clippy::expect_used, reason = "checked when it was read")]
    pub fn of(founding: &Founding<'_>) -> Self {
        let word = |name| founding.option(name);
        Self {
            edition: meant(&EDITIONS, word("edition")),
            terrain: meant(&PENALTIES, word("terrain_penalty")),
            cap: meant(&CAPS, word("spell_cap")),
            together: meant(&INITIALS, word("initial")),
            block: u16::try_from(founding.number("block")).expect("a number from 4 to 36"),
            contingents: meant(&COMMANDS, word("commands")),
            placed: meant(&WIZARDS, word("wizard")),
            hunt: meant(&HUNTS, word("hunt")),
            sizes: ["size_a", "size_b"].map(|name| meant(&SIZES, word(name))),
        }
    }
}

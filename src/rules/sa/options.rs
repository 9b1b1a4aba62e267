//! The choices of whoever founds a game.

use musterd_engine::Founding;
use musterd_engine::founding::{GameOption, Values};

use crate::model::Class;

/// The choices of whoever founds a game.
pub(crate) const OPTIONS: &[GameOption] = &[
    GameOption {
        name: "edition",
        about: "whose charts are used",
        values: Values::Words(&[
            ("apple", "the first edition's"),
            ("atari", "the Atari edition's, which know no medium cavalry: it fights as heavy cavalry"),
        ]),
        default: "apple",
    },
    GameOption {
        name: "block",
        about: "time-points of a mail turn",
        values: Values::Number(4, 36),
        default: "12",
    },
    GameOption {
        name: "initial",
        about: "how the initial moves are ordered",
        values: Values::Words(&[
            ("turns", "one side after the other, the second seeing the first's"),
            ("together", "both at once; the first side's are carried out first"),
        ]),
        default: "turns",
    },
    GameOption {
        name: "terrain_penalty",
        about: "whom the terrain hinders in melee",
        values: Values::Words(&[
            ("opponent", "each unit by the terrain of its opponent"),
            ("self", "each unit by its own terrain"),
            ("attacker", "the attacker alone, by the terrain of the defender"),
        ]),
        default: "opponent",
    },
    GameOption {
        name: "spell_cap",
        about: "spell points at most in one spell",
        values: Values::Words(&[
            ("1", "one"),
            ("2", "two"),
            ("3", "three"),
            ("4", "four"),
            ("5", "five"),
            ("6", "six"),
            ("none", "as many as there are"),
        ]),
        default: "3",
    },
    GameOption {
        name: "commands",
        about: "who commands",
        values: Values::Words(&[
            ("armies", "one commander a side"),
            ("contingents", "a commander for each contingent, where the scenario has them"),
        ]),
        default: "armies",
    },
    GameOption {
        name: "wizard",
        about: "how a wizard's likenesses come about, where there is one",
        values: Values::Words(&[
            ("casts", "he makes them by spells"),
            ("placed", "they stand on the field from the start"),
        ]),
        default: "casts",
    },
    GameOption {
        name: "hunt",
        about: "whether the death or escape of a wizard ends the battle, where there is one",
        values: Values::Words(&[("on", "it does"), ("off", "army morale and nightfall alone do")]),
        default: "on",
    },
    army("army_a", "the army of the first side"),
    army("army_b", "the army of the second side"),
    GameOption {
        name: "field",
        about: "the field",
        values: Values::File { folder: "fields", own: "the scenario's" },
        default: "own",
    },
    size("size_a", "the strength of the first side, for whoever plays the computer"),
    size("size_b", "the strength of the second side, for whoever plays the computer"),
];

const fn size(name: &'static str, about: &'static str) -> GameOption {
    GameOption {
        name,
        about,
        values: Values::Words(&[
            ("normal", "as the order of battle has it"),
            ("raised", "each training class a grade better"),
            ("raised-quarter", "each class a grade better, a quarter more men"),
            ("raised-double", "each class a grade better, twice the men"),
        ]),
        default: "normal",
    }
}

const fn army(name: &'static str, about: &'static str) -> GameOption {
    let values = Values::File { folder: "armies", own: "the scenario's" };
    GameOption { name, about, values, default: "own" }
}

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
    fn of(word: &str) -> Self {
        let quarters = match word {
            "raised-quarter" => 5,
            "raised-double" => 8,
            _ => 4,
        };
        Self { raised: word != "normal", quarters }
    }

    /// The men of a unit that has so many in the order of battle; halves are rounded up.
    #[must_use]
    pub const fn men(self, men: u32) -> u32 {
        men.saturating_mul(self.quarters).saturating_add(2) / 4
    }

    /// The training class of a unit that has this one in the order of battle.
    #[must_use]
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
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "what was chosen is one of the values in the list, checked when it was read"
    )]
    pub fn of(founding: &Founding<'_>) -> Self {
        Self {
            edition: match founding.option("edition") {
                "apple" => Edition::Apple,
                "atari" => Edition::Atari,
                other => unreachable!("`{other}` is no edition"),
            },
            terrain: match founding.option("terrain_penalty") {
                "opponent" => Penalty::Opponent,
                "self" => Penalty::Own,
                "attacker" => Penalty::Attacker,
                other => unreachable!("`{other}` is no penalty"),
            },
            cap: match founding.option("spell_cap") {
                "none" => None,
                cap => Some(cap.parse().expect("a number of spell points")),
            },
            together: founding.option("initial") == "together",
            block: u16::try_from(founding.number("block")).expect("a number from 4 to 36"),
            contingents: founding.option("commands") == "contingents",
            placed: founding.option("wizard") == "placed",
            hunt: founding.option("hunt") == "on",
            sizes: ["size_a", "size_b"].map(|name| Size::of(founding.option(name))),
        }
    }
}

//! The forms of the GM's changes: the table of docs/dog/gm-guide.md.

use std::sync::LazyLock;

use musterd_kit::grammar::{Form, Grammar, Lack, Manner, Use, lack};
use musterd_kit::kinds;

/// What a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Unit,
    Add,
    Remove,
    Ground,
    Bridge,
    Boat,
    Leadership,
    Loot,
    Order,
    Rule,
}

kinds! {
    pub(super) enum Kind {
        /// A unit on the field.
        "unit": Unit,
        /// The rest of a line: a unit record.
        "record": Record,
        /// A hex by number, or a place by name.
        "hex": Hex,
        /// A hex of water.
        "water": Water,
        /// A hex of water, or the side between two neighbours: `0304-0305`.
        "span": Span,
        /// How many fighters.
        "fighters": Fighters,
        /// How many volleys.
        "shots": Shots,
        /// How much leadership or loot.
        "points": Points,
        /// A type of troops: the rest of the line.
        "troop": Troop,
        /// A unit's name.
        "name": Name,
        /// An army by its letter or seat.
        "army": Army,
        "terrain": Terrain,
        /// A relief or a fortification.
        "feature": Feature,
    }
}

/// The language of the changes.
pub(super) static GRAMMAR: LazyLock<Grammar<Verb, Kind>> =
    LazyLock::new(|| Grammar::new(Manner::of("change"), FORMS, Kind::named));

const YES: Lack = lack("NO", "Write YES or NO.");

const FORMS: &[Form<Verb>] = &[
    Form {
        verb: Verb::Unit,
        words: &["UNIT"],
        shape: "{unit:unit} ( FIGHTERS {fighters:fighters} [ {of:troop} ] / SHOTS {shots:shots} [ {of:troop} ] / AT|TO|IN {to:hex} \
                / ABOARD AT|IN? {boat:hex} / PRISONER OF|BY? {captor:unit} / hidden=HIDDEN [ ( YES / no=NO ) ] / NAME {name:name} / free=FREE )",
        missing: &[
            YES,
            lack("FREE", "What changes? Write FIGHTERS, SHOTS, AT, ABOARD, HIDDEN, NAME, PRISONER or FREE."),
        ],
        uses: &[
            Use {
                lines: &["UNIT E3 FIGHTERS 12", "UNIT E3 FIGHTERS 12 light infantry"],
                does: "how many are left, none included; of a mixed unit those of the first type, or of the one named. Whom you put back nobody \
                       lost and nobody took, whom you take off neither; more than there ever were are new. What an enemy counted as it fell stands \
                       in his reports until the battle is over",
            },
            Use {
                lines: &["UNIT E3 SHOTS 4", "UNIT E3 SHOTS 4 archers"],
                does: "volleys left, in the same way",
            },
            Use {
                lines: &["UNIT E3 AT 0405"],
                does: "where it stands: a free hex, or a place by name, that such fighters can enter. Units are named by letter and number, or by \
                       their names: `UNIT Old Guard AT 0405`",
            },
            Use {
                lines: &["UNIT E3 ABOARD 0506"],
                does: "it is in the empty boat there, wherever it was before",
            },
            Use {
                lines: &["UNIT E3 HIDDEN YES", "UNIT E3 HIDDEN NO"],
                does: "hides it, or shows it to everybody",
            },
            Use { lines: &["UNIT E3 NAME \"The Forlorn Hope\""], does: "what it is called" },
            Use {
                lines: &["UNIT E3 PRISONER OF D2", "UNIT E3 FREE"],
                does: "the prisoner of an enemy next to it, who needn't guard it in the next round; a prisoner is free",
            },
        ],
    },
    Form {
        verb: Verb::Add,
        words: &["ADD"],
        shape: "{record}",
        missing: &[lack("record", "Which unit? Write a record, such as E9 12 heavy infantry AT 0405.")],
        uses: &[Use {
            lines: &["ADD E9 12 elite heavy infantry AT 0405 HIDDEN"],
            does: "a unit comes, paid by nobody: a record as leaders write them, of any type. Under the number of a unit that is gone it is that \
                   unit again, and its dead are put back",
        }],
    },
    Form {
        verb: Verb::Remove,
        words: &["REMOVE"],
        shape: "{unit:unit}",
        missing: &[],
        uses: &[Use { lines: &["REMOVE E3"], does: "a unit goes; nobody counts it as lost" }],
    },
    Form {
        verb: Verb::Ground,
        words: &["GROUND"],
        shape: "AT|TO|IN? {hex:hex} {terrain:terrain} ( {feature:feature} )*",
        missing: &[],
        uses: &[Use {
            lines: &["GROUND 0405 forest hills", "GROUND 0405 clear castle"],
            does: "all of a hex: terrain, then relief and fortification if it has them",
        }],
    },
    Form {
        verb: Verb::Bridge,
        words: &["BRIDGE"],
        shape: "AT|TO|IN? {over:span} [ ( YES / no=NO ) ]",
        missing: &[YES],
        uses: &[
            Use {
                lines: &["BRIDGE 0506 YES", "BOAT 0506 YES"],
                does: "a bridge over a hex of water, a boat on it; with `NO` one that is empty goes",
            },
            Use {
                lines: &["BRIDGE 0304-0305 YES"],
                does: "a bridge over the side between two neighbours, which is crossed like a road; with `NO` it goes",
            },
        ],
    },
    Form {
        verb: Verb::Boat,
        words: &["BOAT"],
        shape: "AT|TO|IN? {hex:water} [ ( YES / no=NO ) ]",
        missing: &[YES],
        uses: &[],
    },
    Form {
        verb: Verb::Leadership,
        words: &["LEADERSHIP"],
        shape: "{army:army} {points:points}",
        missing: &[],
        uses: &[Use {
            lines: &["LEADERSHIP E 300", "LOOT E 20"],
            does: "a leader's leadership; an army's loot. An army is its letter or its seat",
        }],
    },
    Form {
        verb: Verb::Loot,
        words: &["LOOT"],
        shape: "{army:army} {points:points}",
        missing: &[],
        uses: &[],
    },
    Form {
        verb: Verb::Order,
        words: &["ORDER"],
        shape: "( , / {army:army} )*",
        missing: &[],
        uses: &[Use { lines: &["ORDER D E Q"], does: "in which order the armies act: every army once" }],
    },
    Form {
        verb: Verb::Rule,
        words: &["RULE"],
        shape: "{unit:unit} ( flees=FLEES FROM? {from:unit} / free=FREE / stays=STAYS / holds=HOLDS )",
        missing: &[lack("HOLDS", "Which ruling? Write FREE, STAYS, HOLDS or FLEES and an enemy.")],
        uses: &[
            Use {
                lines: &["RULE E3 FLEES D2", "RULE E3 FREE"],
                does: "in the next round its march counts as a flight from D2; or leaves everybody freely",
            },
            Use {
                lines: &["RULE E3 STAYS", "RULE E3 HOLDS"],
                does: "in the next round it doesn't move; doesn't strike",
            },
        ],
    },
];

//! The forms of the orders: the grammar of docs/dog/orders.md.

use std::sync::LazyLock;

use musterd_kit::grammar::{Form, Grammar, Lack, Manner, Use, lack};
use musterd_kit::kinds;

/// What a line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Unit,
    Hire,
    Move,
    Flee,
    Hide,
    Board,
    Land,
    Dismount,
    Attack,
    Shoot,
    Defend,
    If,
    Surrender,
}

impl Verb {
    /// Whether it is ordered before the battle.
    pub(crate) const fn is_record(self) -> bool {
        matches!(self, Self::Unit | Self::Hire)
    }
}

kinds! {
    pub(crate) enum Kind {
        /// An own unit.
        "own": Own,
        /// An enemy in sight.
        "foe": Foe,
        /// A hex by number, or a place by name.
        "hex": Hex,
        "direction": Direction,
        /// A number of fighters, or another number.
        "count": Count,
        /// The number of a unit that is recorded.
        "number": Number,
        /// A name in quotes.
        "quoted": Quoted,
        /// A name, in quotes or a single word.
        "name": Name,
        /// So many fighters of a type.
        "sort": Sort,
        /// A type of troops.
        "troop": Troop,
        "people": People,
        /// A hire list.
        "list": List,
    }
}

/// The order language.
pub(crate) static GRAMMAR: LazyLock<Grammar<Verb, Kind>> =
    LazyLock::new(|| Grammar::new(Manner::of("order"), FORMS, Kind::named));

/// A march, hex by hex or to a hex, and who stays behind.
const WAY: &str = "{who:own} ( LEAVE|LEAVING|KEEP {leave:count} / flee=FLEE|FLEEING / ,|THEN|VIA|BY / {step:direction} \
                   / to=TO|->|INTO {hex:hex} / AT|IN? {hex:hex} )*";
const STAY: Lack = lack("leave", "How many stay? Write a number.");
const STRIKE: &str = "{who:own+} ON|AT|->|AGAINST? [ ( ANY|ANYBODY|ANYONE / {target:foe} ) ]";

const FORMS: &[Form<Verb>] = &[
    Form {
        verb: Verb::Unit,
        words: &["UNIT", "RECORD", "PLACE"],
        shape: "{unit:number} ( {name:quoted} / NAME|CALLED {name:name} / ,|AND|+|&|; / AT|IN|TO|-> {at:hex} / hidden=HIDDEN \
                / open=OPEN|VISIBLE / elite=ELITE / crew=CREW|WITH {crew-of:troop} / people=PEOPLE|FOLK {people-of:people} \
                / size=SIZE {size-of:count} / {sort:sort} )*",
        missing: &[
            lack("name", "Which name? Write it in quotes."),
            lack("size-of", "Which size? Write a number."),
        ],
        uses: &[
            Use { lines: &["UNIT 3 AT 0405"], does: "unit 3, which the battle gives you, begins there" },
            Use { lines: &["UNIT 3 AT 0405 HIDDEN"], does: "and is hidden" },
            Use {
                lines: &["UNIT 1 18 heavy infantry AT 0405"],
                does: "hires eighteen; names and letters of table 1 both do: `18 HI`",
            },
            Use {
                lines: &["UNIT 2 10 elite knights \"The Ten\" AT 0406"],
                does: "elite troops, where they are for hire, and a name for the unit",
            },
            Use { lines: &["UNIT 4 6 chariots WITH archers"], does: "a crew for each" },
            Use {
                lines: &["UNIT 5 20 barbarians PEOPLE desert"],
                does: "barbarians and nomads of any people, others of those that the battle allows",
            },
            Use {
                lines: &["UNIT 6 100 pikemen AND 60 archers"],
                does: "a mixed unit, on the strategic scale",
            },
        ],
    },
    Form {
        verb: Verb::Hire,
        words: &["HIRE", "ENLIST"],
        shape: "{list:list} [ FROM {first:count} ]",
        missing: &[lack("first", "From which number on? Write one from 1 to 99.")],
        uses: &[Use {
            lines: &["HIRE company-300", "HIRE raid-200 FROM 11"],
            does: "hires a whole hire list, numbered from 1 or from there on; place its units by records such as `UNIT 3 AT 0405`",
        }],
    },
    Form {
        verb: Verb::Move,
        words: &["MOVE", "MARCH", "GO", "ADVANCE", "MV", "SPLIT", "DETACH"],
        shape: WAY,
        missing: &[STAY],
        uses: &[
            Use {
                lines: &["MOVE 3 TO 0405"],
                does: "goes there by the cheapest way, as far as its points last; it stops where it would leave an enemy (DOG-40), \
                       and next to a hex that is taken by then (DOG-12)",
            },
            Use { lines: &["MOVE 3 0304 0305", "MOVE 3 E SE"], does: "hex by hex, step by step" },
            Use {
                lines: &["MOVE 3 TO 0405 LEAVE 6"],
                does: "so many stay behind: a quarter of the unit holds one enemy (DOG-18)",
            },
        ],
    },
    Form {
        verb: Verb::Flee,
        words: &["FLEE", "RETREAT", "WITHDRAW"],
        shape: WAY,
        missing: &[STAY],
        uses: &[Use {
            lines: &["FLEE 3 TO 0101"],
            does: "goes on though it leaves enemies: each strikes once at its back (DOG-17)",
        }],
    },
    Form {
        verb: Verb::Hide,
        words: &["HIDE"],
        shape: "{who:own+}",
        missing: &[],
        uses: &[Use {
            lines: &["HIDE 3"],
            does: "hides where it stands, with no enemy in the open within two hexes (DOG-43)",
        }],
    },
    Form {
        verb: Verb::Board,
        words: &["BOARD", "EMBARK"],
        shape: "{who:own} [ TO|AT|IN|->|INTO? {boat:hex} ]",
        missing: &[],
        uses: &[Use { lines: &["BOARD 3", "BOARD 3 0405"], does: "goes aboard a boat next to it (DOG-35)" }],
    },
    Form {
        verb: Verb::Land,
        words: &["LAND", "DISEMBARK"],
        shape: "{who:own} [ TO|AT|IN|->|INTO ] {to:hex}",
        missing: &[],
        uses: &[Use { lines: &["LAND 3 TO 0405"], does: "goes ashore (DOG-35)" }],
    },
    Form {
        verb: Verb::Dismount,
        words: &["DISMOUNT"],
        shape: "{who:own} [ [ TO|AT|IN|->|INTO ] {to:hex} ]",
        missing: &[],
        uses: &[Use {
            lines: &["DISMOUNT 4", "DISMOUNT 4 TO 0405"],
            does: "the chariots' crew goes on foot, for a point (DOG-36)",
        }],
    },
    Form {
        verb: Verb::Attack,
        words: &["ATTACK", "STRIKE", "CHARGE", "ATT"],
        shape: STRIKE,
        missing: &[],
        uses: &[Use {
            lines: &["ATTACK 3 E2", "ATTACK 3"],
            does: "a melee attack on that enemy next to it, or on whomever it harms most (DOG-42)",
        }],
    },
    Form {
        verb: Verb::Shoot,
        words: &["SHOOT", "FIRE", "VOLLEY"],
        shape: STRIKE,
        missing: &[],
        uses: &[Use {
            lines: &["SHOOT 3 E2", "SHOOT 3"],
            does: "a volley within its range; nobody retaliates (DOG-14)",
        }],
    },
    Form {
        verb: Verb::Defend,
        words: &["DEFEND", "DEFENCE", "DEFENSE", "HOLD", "STAND"],
        shape: "{who:own+}",
        missing: &[],
        uses: &[Use {
            lines: &["DEFEND 3"],
            does: "strikes back at everybody who attacks it; so does a unit without an order to fight",
        }],
    },
    Form {
        verb: Verb::If,
        words: &["IF", "WHEN"],
        shape: "ATTACKED :|,|THEN? ( keep=KEEP|ATTACK|STRIKE / defend=DEFEND|DEFENCE|DEFENSE ) [ {who:own+} ]",
        missing: &[
            lack("ATTACKED", "If what? Write IF ATTACKED DEFEND, or IF ATTACKED KEEP."),
            lack("DEFEND", "What then? Write DEFEND or KEEP."),
        ],
        uses: &[Use {
            lines: &["IF ATTACKED DEFEND", "IF ATTACKED KEEP 3"],
            does: "what units do that are attacked before they strike: give up their own attack for their defence, or keep to it \
                   (DOG-15). Stands until you change it, and for what splits off the unit",
        }],
    },
    Form {
        verb: Verb::Surrender,
        words: &["SURRENDER", "YIELD"],
        shape: "{who:own} [ TO|-> ] {to:foe}",
        missing: &[],
        uses: &[Use {
            lines: &["SURRENDER 3 TO E2"],
            does: "gives itself up to an enemy next to it (DOG-28)",
        }],
    },
];

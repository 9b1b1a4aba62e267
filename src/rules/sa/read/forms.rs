//! The forms of the orders: the grammar of docs/sa/orders.md.

use std::sync::LazyLock;

use musterd_kit::grammar::{Form, Grammar, Manner, lack, used};
use musterd_kit::kinds;

/// Tasks at most that a set gives one unit: more than it can do in a day.
pub(super) const LONGEST_QUEUE: usize = 60;

/// What a line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Deploy,
    Move,
    Again,
    Hold,
    Wait,
    Attack,
    Fire,
    Cast,
    Replicate,
    Leave,
    Stance,
    Advance,
    Charge,
    Skirmish,
    Avoid,
    On,
    Cancel,
    Detail,
    Map,
}

kinds! {
    pub(crate) enum Kind {
        /// Own units; several may follow each other without a comma.
        "own": Own,
        /// Own units where a number without a comma is something else: a direction, a spell.
        "mover": Mover,
        /// An enemy.
        "foe": Foe,
        /// A hex by number, or a place by name.
        "hex": Hex,
        /// The same, where a direction may stand too.
        "goal": Goal,
        /// A direction.
        "way": Way,
        /// A direction of a march, which may be gone several times.
        "step": Step,
        /// A time-point.
        "point": Point,
        /// A row or a column of the field by its number.
        "line": Line,
        /// Spell points.
        "count": Count,
        /// A spell by name or key.
        "spell": Spell,
    }
}

/// The order language.
pub(crate) static GRAMMAR: LazyLock<Grammar<Verb, Kind>> =
    LazyLock::new(|| Grammar::new(Manner::of("order"), FORMS, Kind::named));

const FORMS: &[Form<Verb>] = &[
    Form {
        verb: Verb::Deploy,
        words: &["DEPLOY", "PLACE", "SETUP"],
        shape: "{who:own+} AT|IN|TO|->? {at:hex}",
        missing: &[],
        uses: &[used(&["DEPLOY 3 AT 1507"], "stands there when the battle begins, in its army's zone")],
    },
    Form {
        verb: Verb::Move,
        words: &["MOVE", "MARCH", "GO", "MV"],
        shape: "{who:mover+} ( ,|THEN|VIA / {step:step} / TO|->|INTO {to:hex} / AT|IN? {to:goal} )*",
        missing: &[],
        uses: &[
            used(
                &["MOVE 3 1 1 2", "MOVE 3 NE NE E"],
                "a hex that way each time it acts: 1 NE, 2 E, 3 SE, 4 SW, 5 W, 6 NW",
            ),
            used(&["MOVE 3 TO 1507"], "a hex each time it acts, by the quickest way, until it is there"),
            used(&["MOVE 3 1506 1507"], "from one to the next"),
        ],
    },
    Form {
        verb: Verb::Again,
        words: &["AGAIN", "REPEAT"],
        shape: "{who:own+}",
        missing: &[],
        uses: &[used(&["AGAIN 3"], "moves a hex the way that it moved last")],
    },
    Form {
        verb: Verb::Hold,
        words: &["HOLD", "STAND", "STAY", "HALT"],
        shape: "{who:own+} [ UNTIL|TILL {until:point} ]",
        missing: &[],
        uses: &[
            used(&["HOLD 3"], "holds once, for as long as a move over clear ground takes it (SA-24)"),
            used(&["HOLD 3 UNTIL 24"], "holds up to that time-point"),
            used(
                &["HOLD 1-4", "HOLD ALL", "HOLD REST"],
                "as in every order: a range of units, all (or ALL CAVALRY, INFANTRY, ARCHERS), whom no line above names; a name does too",
            ),
        ],
    },
    Form {
        verb: Verb::Wait,
        words: &["WAIT"],
        shape: "{who:own+} FOR? ( UNTIL|TILL {until:point} / contact=CONTACT )",
        missing: &[lack("CONTACT", "What for? Write UNTIL and a time-point, or CONTACT.")],
        uses: &[used(
            &["WAIT 3 UNTIL 24", "WAIT 3 CONTACT"],
            "holds up to then, or until an enemy is next to it; then its queue goes on",
        )],
    },
    Form {
        verb: Verb::Attack,
        words: &["ATTACK", "STRIKE", "ASSAULT", "ATT"],
        shape: "( {target:foe} WITH|BY {who:own+} / {who:mover+} ON|AT|->|AGAINST? ( {way:way} / {target:foe} ) )",
        missing: &[lack("target", "Whom? Write an enemy by letter and number, or a direction from 1 to 6.")],
        uses: &[
            used(
                &["ATTACK 3 B5", "ATTACK B5 WITH 3, 4"],
                "goes to that enemy and attacks it; who has moved last checks its morale before it strikes (SA-14)",
            ),
            used(&["ATTACK 3 2", "ATTACK 3 E"], "attacks whoever stands that way"),
        ],
    },
    Form {
        verb: Verb::Fire,
        words: &["FIRE", "SHOOT", "VOLLEY"],
        shape: "( {at:hex} WITH|BY {who:own+} / {target:foe} WITH|BY {who:own+} \
                / {who:mover+} ON|AT|->|AGAINST? ( {at:hex} / {target:foe} ) )",
        missing: &[lack("target", "At whom? Write an enemy by letter and number, or a hex.")],
        uses: &[used(
            &["FIRE 3 B5", "FIRE 3 AT 1507"],
            "fires at that enemy, or at whoever stands there, in range and in sight (SA-26 to SA-28)",
        )],
    },
    Form {
        verb: Verb::Cast,
        words: &["CAST", "SPELL"],
        shape: "{who:mover+} {spell:spell} WITH|FOR|BY? {points:count} POINTS|POINT? \
                [ WHEN|IF|ON ( contact=CONTACT / fired=FIRED AT|ON? / rout=ROUT NEAR|NEARBY? ) ]",
        missing: &[
            lack("spell", "Which spell? Write BLADE, SHIELD, HASTE or COURAGE, or its key from 1 to 4."),
            lack("points", "How many points? Write a number."),
            lack("ROUT", "When? Write WHEN CONTACT, WHEN FIRED AT or WHEN ROUT NEAR."),
        ],
        uses: &[
            used(&["CAST 4 COURAGE 2"], "a spell on itself, with so many of its army's points (SA-25)"),
            used(
                &[
                    "CAST 4 BLADE 1 WHEN CONTACT",
                    "CAST 4 SHIELD 1 WHEN FIRED AT",
                    "CAST 4 COURAGE 2 WHEN ROUT NEAR",
                ],
                "in its first turn after that has happened to it, so too late for the checks of that rout; till then the rest of its queue goes on",
            ),
        ],
    },
    Form {
        verb: Verb::Replicate,
        words: &["REPLICATE", "LIKEN", "DUPLICATE", "COPY"],
        shape: "{who:mover} TO|TOWARD|TOWARDS|IN? {way:way}",
        missing: &[],
        uses: &[used(
            &["REPLICATE 1 2"],
            "the wizard makes a likeness of himself that way; which of the two is real his side alone knows (SA-32)",
        )],
    },
    Form {
        verb: Verb::Leave,
        words: &["LEAVE", "ESCAPE", "EXIT"],
        shape: "{who:own+} THE? FIELD?",
        missing: &[],
        uses: &[used(
            &["LEAVE 1"],
            "the wizard leaves the field over his own edge, where the battle lets him (SA-32)",
        )],
    },
    Form {
        verb: Verb::Stance,
        words: &["STANCE", "POSTURE"],
        shape: "{who:own+} :|,? ( advance=ADVANCE [ TO|-> {to:hex} ] / hold=HOLD / skirmish=SKIRMISH / charge=CHARGE \
                / avoid=AVOID|EVADE )",
        missing: &[lack("AVOID", "Which stance? Write ADVANCE, HOLD, SKIRMISH, CHARGE or AVOID.")],
        uses: &[
            used(
                &["STANCE 3 HOLD"],
                "with an empty queue it stays, and fires at what comes into range: so it is at first",
            ),
            used(
                &["STANCE 1-4 ADVANCE", "STANCE 1-4 ADVANCE TO 1507"],
                "goes toward the nearest enemy, or there; fires at what it meets, and stops next to an enemy",
            ),
            used(&["STANCE 2 CHARGE"], "goes to the nearest enemy and attacks it"),
            used(
                &["STANCE 5 SKIRMISH"],
                "fires at what is in range, and else comes into range; steps back from an enemy next to it, unless its missiles fly one hex only (SA-58); without missiles it avoids",
            ),
            used(&["STANCE 6 AVOID"], "steps away from enemies within three hexes"),
        ],
    },
    Form {
        verb: Verb::Advance,
        words: &["ADVANCE"],
        shape: "{who:own+} [ TO|->|INTO? {to:hex} ]",
        missing: &[],
        uses: &[used(&["ADVANCE 1-4", "ADVANCE 1-4 TO 1507"], "the same as `STANCE 1-4 ADVANCE`")],
    },
    Form {
        verb: Verb::Charge,
        words: &["CHARGE"],
        shape: "{who:own+}",
        missing: &[],
        uses: &[used(&["CHARGE 2"], "the same as `STANCE 2 CHARGE`")],
    },
    Form {
        verb: Verb::Skirmish,
        words: &["SKIRMISH", "HARASS"],
        shape: "{who:own+}",
        missing: &[],
        uses: &[used(&["SKIRMISH 5"], "the same as `STANCE 5 SKIRMISH`")],
    },
    Form {
        verb: Verb::Avoid,
        words: &["AVOID", "EVADE"],
        shape: "{who:own+}",
        missing: &[],
        uses: &[used(&["AVOID 6"], "the same as `STANCE 6 AVOID`")],
    },
    Form {
        verb: Verb::On,
        words: &["ON", "WHEN", "UPON"],
        shape: "( contact=CONTACT / fired=FIRED AT|ON? / rout=ROUT NEAR|NEARBY? ) {who:own+} :|,|THEN? \
                ( advance=ADVANCE [ TO|-> {to:hex} ] / hold=HOLD / skirmish=SKIRMISH / charge=CHARGE \
                / avoid=AVOID|EVADE / nothing=NOTHING|NONE )",
        missing: &[
            lack("ROUT", "On what? Write ON CONTACT, ON FIRED AT or ON ROUT NEAR."),
            lack("NOTHING", "What then? Write ADVANCE, HOLD, SKIRMISH, CHARGE, AVOID or NOTHING."),
        ],
        uses: &[
            used(
                &["ON CONTACT 1, 2 CHARGE"],
                "an enemy next to it ends its queue, and from then on its stance is this",
            ),
            used(&["ON FIRED AT 3 AVOID"], "the same when it was fired at"),
            used(&["ON ROUT NEAR 3 HOLD"], "the same when a friend within three hexes has routed"),
            used(&["ON CONTACT 3 NOTHING"], "takes such an order back"),
        ],
    },
    Form {
        verb: Verb::Cancel,
        words: &["CANCEL", "CLEAR", "FORGET"],
        shape: "{who:own+}",
        missing: &[],
        uses: &[used(&["CANCEL 3"], "forgets its queue, and goes by its stance")],
    },
    Form {
        verb: Verb::Detail,
        words: &["DETAIL", "DETAILS", "REPORTS"],
        shape: "( full=FULL|LONG / brief=BRIEF|SHORT )",
        missing: &[lack("BRIEF", "Which reports? Write FULL or BRIEF.")],
        uses: &[used(
            &["DETAIL FULL", "DETAIL BRIEF"],
            "your reports show every figure of checks and fights, or the results alone",
        )],
    },
    Form {
        verb: Verb::Map,
        words: &["MAP"],
        shape: "( none=NONE|OFF / symbols=SYMBOLS|SYMBOL ON? [ off=OFF|NONE ] \
                / TACTICAL? AT|OF? ( ROW? {row:line} ,? COLUMN|COL? {col:line} / {at:hex} ) )",
        missing: &[],
        uses: &[
            used(
                &["MAP TACTICAL 1507", "MAP TACTICAL ROW 7 COLUMN 15"],
                "your reports have a tactical map around that hex too; two numbers alone are row and column",
            ),
            used(&["MAP NONE"], "no such map"),
            used(
                &["MAP SYMBOLS", "MAP SYMBOLS OFF"],
                "tactical maps show each unit's type by a symbol that their legend explains, or don't",
            ),
        ],
    },
];

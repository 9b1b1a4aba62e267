//! The forms of the orders: the grammar of docs/acw/orders.md.

use std::sync::LazyLock;

use musterd_kit::grammar::{Form, Grammar, Lack, Manner, lack, used};
use musterd_kit::kinds;

/// What a line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Army,
    Profile,
    Command,
    Assault,
    Skirmish,
    Advance,
    Withdraw,
    Objective,
    Column,
    Deploy,
    Regroup,
    Stand,
    Reserve,
    If,
    Stop,
    Resign,
    Roster,
    Advice,
    Info,
}

kinds! {
    pub(crate) enum Kind {
        /// A brigade of one's own.
        "brigade": Brigade,
        /// A headquarters of one's own.
        "hq": Hq,
        /// Where a commander's headquarters may go.
        "goal": Goal,
        /// An objective, by name or by its hex.
        "objective": Objective,
        /// A direction.
        "way": Way,
        /// Whatever can be asked about.
        "thing": Thing,
    }
}

/// The order language.
pub(crate) static GRAMMAR: LazyLock<Grammar<Verb, Kind>> =
    LazyLock::new(|| Grammar::new(Manner::of("order"), FORMS, Kind::named));

const WHO: Lack = lack("who", "Which brigades? Write numbers or names, or ALL.");

/// A form of an order that takes brigades and nothing else.
const fn of_brigades(
    verb: Verb,
    words: &'static [&'static str],
    uses: &'static [musterd_kit::grammar::Use],
) -> Form<Verb> {
    Form { verb, words, shape: "{who:brigade+}", missing: &[WHO], uses }
}

const FORMS: &[Form<Verb>] = &[
    Form {
        verb: Verb::Army,
        words: &["ARMY"],
        shape: "[ MOVE|GO|MARCH ] TO|->|INTO|HQ? ( stand=STAND|STAY|HALT|HERE / CORPS|JOIN {corps:hq} / {to:goal} )",
        missing: &[
            lack(
                "to",
                "Where does your headquarters go? Write an objective, a hex, CORPS and a corps, or STAND.",
            )
            .hint("ARMY MOVE Centreville"),
            lack("corps", "To which corps? Write its headquarters.").hint("ARMY MOVE CORPS H2"),
        ],
        uses: &[
            used(
                &["ARMY MOVE Centreville", "ARMY MOVE 2705"],
                "your headquarters goes there: an objective or a hex that your side holds (ACW-43)",
            ),
            used(
                &["ARMY MOVE CORPS H2"],
                "your headquarters goes to that corps, whose divisions you command yourself once it is next to its headquarters",
            ),
            used(&["ARMY MOVE STAND"], "your headquarters stays where it is"),
        ],
    },
    Form {
        verb: Verb::Profile,
        words: &["PROFILE", "LEAD"],
        shape: ":|AS? ( heroic=HEROIC / bold=BOLD / sensible=SENSIBLE / cautious=CAUTIOUS )",
        missing: &[lack("CAUTIOUS", "How do you lead? Write HEROIC, BOLD, SENSIBLE or CAUTIOUS.")],
        uses: &[
            used(
                &["PROFILE HEROIC", "PROFILE BOLD"],
                "you lead from the front, at your peril, where a brigade that is under attack is within four hexes (ACW-23, ACW-40)",
            ),
            used(&["PROFILE SENSIBLE", "PROFILE CAUTIOUS"], "you keep near the fight, or out of all danger"),
        ],
    },
    Form {
        verb: Verb::Command,
        words: &["COMMAND", "CMD"],
        shape: "{hq:hq+} :|TO? ( offensive=OFFENSIVE|ATTACK TO|->|AGAINST|ON|AT? \
                ( VIA|BY|THROUGH|OVER {via:objective} [ TO|->|,|THEN|AND ] {objective:objective} \
                / {first:objective} [ ( VIA|BY|THROUGH|OVER {by:objective} / TO|->|,|THEN|AND? {second:objective} ) ] ) \
                / defensive=DEFENSIVE|DEFEND AT|OF|TO|->|IN|ON? {objective:objective} / reserve=RESERVE|REST )",
        missing: &[
            lack("hq", "Which headquarters? Write its number or name.").hint("COMMAND H2 RESERVE"),
            lack(
                "RESERVE",
                "What is it to do? Write OFFENSIVE and an objective, DEFENSIVE and an objective, or RESERVE.",
            )
            .hint("COMMAND H2 OFFENSIVE Henry Hill"),
        ],
        uses: &[
            used(
                &["COMMAND H2 OFFENSIVE Henry Hill"],
                "marches there, attacks the enemies that it meets, and then goes to those that it sees or hears (ACW-39)",
            ),
            used(
                &[
                    "COMMAND H2 OFFENSIVE VIA Stone House TO Henry Hill",
                    "COMMAND H2 OFFENSIVE Stone House, Henry Hill",
                ],
                "the same by way of the first",
            ),
            used(&["COMMAND H2 DEFENSIVE Henry Hill"], "goes there, and holds it"),
            used(&["COMMAND H2 RESERVE"], "rests, and keeps out of fights"),
        ],
    },
    of_brigades(
        Verb::Assault,
        &["ASSAULT", "CHARGE", "STORM"],
        &[used(
            &["ASSAULT 3"],
            "volley and charge at the opponent next to it; follows where it breaks (ACW-18)",
        )],
    ),
    of_brigades(
        Verb::Skirmish,
        &["SKIRMISH", "SKIRM"],
        &[used(
            &["SKIRMISH 3, 4"],
            "stands and fires, a quarter as well at two hexes as at one; next to an opponent only in cover",
        )],
    ),
    of_brigades(
        Verb::Advance,
        &["ADVANCE", "ADV"],
        &[used(&["ADVANCE 3"], "fires, and goes next to its opponent")],
    ),
    of_brigades(
        Verb::Withdraw,
        &["WITHDRAW", "RETREAT", "DISENGAGE", "RETIRE"],
        &[used(&["WITHDRAW 3-5"], "goes out of the enemy's reach, and fires little")],
    ),
    Form {
        verb: Verb::Objective,
        words: &["OBJECTIVE", "OBJ"],
        shape: "{who:brigade+} [ TO|->|AT|: ] {to:objective}",
        missing: &[WHO, lack("to", "To which objective?").hint("OBJECTIVE 3 TO Henry Hill")],
        uses: &[used(
            &["OBJECTIVE 3 TO Henry Hill"],
            "a brigade that belongs to no division marches there in column, and goes on to it until it has another",
        )],
    },
    Form {
        verb: Verb::Column,
        words: &["COLUMN", "MARCH", "COL"],
        shape: "{who:brigade+} [ TO|->|: {to:objective} ]",
        missing: &[WHO],
        uses: &[used(&["COLUMN 3-5"], "marches in column to the objective of its division, or to its own")],
    },
    Form {
        verb: Verb::Deploy,
        words: &["DEPLOY", "LINE"],
        shape: "{who:brigade+} TO|TOWARD|TOWARDS|->|:? {way:way}",
        missing: &[WHO, lack("way", "Which way? Write NE, E, SE, SW, W or NW.").hint("DEPLOY 3 NW")],
        uses: &[used(&["DEPLOY 3, 4 NW"], "goes a hex that way in line, and faces there")],
    },
    of_brigades(
        Verb::Regroup,
        &["REGROUP", "REJOIN"],
        &[used(&["REGROUP 3"], "marches in column to the headquarters over it")],
    ),
    of_brigades(
        Verb::Stand,
        &["STAND", "HOLD", "STAY", "HALT"],
        &[used(
            &["STAND 3", "STAND 3-5", "STAND ALL"],
            "stays, in line; as in every order: a range of brigades, or all that you can order; a name does too",
        )],
    ),
    of_brigades(
        Verb::Reserve,
        &["RESERVE", "REST"],
        &[used(
            &["RESERVE 3"],
            "rests, and may recover cohesion (ACW-19); it is surprised if an enemy comes near (ACW-20)",
        )],
    ),
    Form {
        verb: Verb::If,
        words: &["IF", "WHEN", "ONCE"],
        shape: "( engaged=ENGAGED / shaken=SHAKEN ) {who:brigade+} :|THEN? \
                ( assault=ASSAULT / skirmish=SKIRMISH / advance=ADVANCE / withdraw=WITHDRAW|RETREAT )",
        missing: &[
            lack("SHAKEN", "If what? Write IF ENGAGED or IF SHAKEN.").hint("IF ENGAGED 3 SKIRMISH"),
            WHO,
            lack("WITHDRAW", "What then? Write ASSAULT, SKIRMISH, ADVANCE or WITHDRAW.")
                .hint("IF ENGAGED 3 SKIRMISH"),
        ],
        uses: &[
            used(
                &["IF ENGAGED 3 ASSAULT", "IF ENGAGED 3-5 SKIRMISH", "IF ENGAGED 3 WITHDRAW"],
                "in later hours of the mail turn: what it does once it is engaged",
            ),
            used(&["IF SHAKEN 3-5 WITHDRAW"], "the same once its cohesion is 3 or less, out of works"),
        ],
    },
    Form {
        verb: Verb::Stop,
        words: &["STOP"],
        shape: "[ ON|UPON ] CONTACT [ off=OFF|NO|NONE ]",
        missing: &[lack("CONTACT", "Write STOP ON CONTACT; a brigade stops by STAND.").hint("STAND 3")],
        uses: &[used(
            &["STOP ON CONTACT"],
            "your hours end early once an enemy comes within two hexes of a brigade of yours",
        )],
    },
    Form {
        verb: Verb::Resign,
        words: &["RESIGN", "SURRENDER", "CAPITULATE"],
        shape: "CONFIRM|CONFIRMED",
        missing: &[lack(
            "CONFIRM",
            "That ends the battle with this turn, and the enemy wins. Write RESIGN CONFIRM if you mean it.",
        )],
        uses: &[used(
            &["RESIGN CONFIRM"],
            "your side gives the battle up: the enemy wins at the end of the turn",
        )],
    },
    Form {
        verb: Verb::Roster,
        words: &["ROSTER"],
        shape: "",
        missing: &[],
        uses: &[used(
            &["ROSTER"],
            "answers in the receipt with all your brigades, those to come and those that are gone",
        )],
    },
    Form {
        verb: Verb::Advice,
        words: &["ADVICE"],
        shape: "",
        missing: &[],
        uses: &[used(
            &["ADVICE"],
            "answers in the receipt with the advice that your army had at the start (ACW-94)",
        )],
    },
    Form {
        verb: Verb::Info,
        words: &["INFO"],
        shape: "{what:thing+}",
        missing: &[
            lack("what", "About what? Write a hex, an objective or a unit of yours.").hint("INFO Henry Hill")
        ],
        uses: &[used(
            &["INFO 0913", "INFO Henry Hill", "INFO 3", "INFO H2"],
            "answers in the receipt: a hex with its ground, cover and holder; an objective with its points; a unit with all its figures",
        )],
    },
];

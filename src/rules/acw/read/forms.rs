//! The forms of the orders: the grammar of docs/acw/orders.md.

use musterd_kit::grammar::{Lack, Manner, lack};
use musterd_kit::{kinds, language};

use crate::order::Act;

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

const WHO: Lack = lack("who", "Which brigades? Write numbers or names, or ALL.");

language! {
    /// The order language.
    pub(crate) static GRAMMAR of Verb, Kind = Manner::of("order");

    Army ["ARMY"]:
        "[ MOVE|GO|MARCH ] TO|->|INTO|HQ? ( stand=STAND|STAY|HALT|HERE / CORPS|JOIN {corps:hq} / {to:goal} )"
    => {
        missing lack("to", "Where does your headquarters go? Write an objective, a hex, CORPS and a corps, or STAND.")
            .hint("ARMY MOVE Centreville");
        missing lack("corps", "To which corps? Write its headquarters.").hint("ARMY MOVE CORPS H2");
        "ARMY MOVE Centreville", "ARMY MOVE 2705" =>
            "your headquarters goes there: an objective or a hex that your side holds (ACW-43)";
        "ARMY MOVE CORPS H2" =>
            "your headquarters goes to that corps, whose divisions you command yourself once it is next to its headquarters";
        "ARMY MOVE STAND" => "your headquarters stays where it is";
    }

    Profile ["PROFILE", "LEAD"]:
        ":|AS? ( heroic=HEROIC / bold=BOLD / sensible=SENSIBLE / cautious=CAUTIOUS )"
    => {
        missing lack("CAUTIOUS", "How do you lead? Write HEROIC, BOLD, SENSIBLE or CAUTIOUS.");
        "PROFILE HEROIC", "PROFILE BOLD" =>
            "you lead from the front, at your peril, where a brigade that is under attack is within four hexes (ACW-23, ACW-40)";
        "PROFILE SENSIBLE", "PROFILE CAUTIOUS" => "you keep near the fight, or out of all danger";
    }

    Command ["COMMAND", "CMD"]:
        "{hq:hq+} :|TO? ( offensive=OFFENSIVE|ATTACK TO|->|AGAINST|ON|AT? \
         ( VIA|BY|THROUGH|OVER {via:objective} [ TO|->|,|THEN|AND ] {objective:objective} \
         / {first:objective} [ ( VIA|BY|THROUGH|OVER {by:objective} / TO|->|,|THEN|AND? {second:objective} ) ] ) \
         / defensive=DEFENSIVE|DEFEND AT|OF|TO|->|IN|ON? {objective:objective} / reserve=RESERVE|REST )"
    => {
        missing lack("hq", "Which headquarters? Write its number or name.").hint("COMMAND H2 RESERVE");
        missing lack("RESERVE", "What is it to do? Write OFFENSIVE and an objective, DEFENSIVE and an objective, or RESERVE.")
            .hint("COMMAND H2 OFFENSIVE Henry Hill");
        "COMMAND H2 OFFENSIVE Henry Hill" =>
            "marches there, attacks the enemies that it meets, and then goes to those that it sees or hears (ACW-39)";
        "COMMAND H2 OFFENSIVE VIA Stone House TO Henry Hill", "COMMAND H2 OFFENSIVE Stone House, Henry Hill" =>
            "the same by way of the first";
        "COMMAND H2 DEFENSIVE Henry Hill" => "goes there, and holds it";
        "COMMAND H2 RESERVE" => "rests, and keeps out of fights";
    }

    Assault ["ASSAULT", "CHARGE", "STORM"]: "{who:brigade+}" => {
        missing WHO;
        "ASSAULT 3" => "volley and charge at the opponent next to it; follows where it breaks (ACW-18)";
    }

    Skirmish ["SKIRMISH", "SKIRM"]: "{who:brigade+}" => {
        missing WHO;
        "SKIRMISH 3, 4" =>
            "stands and fires, a quarter as well at two hexes as at one; next to an opponent only in cover";
    }

    Advance ["ADVANCE", "ADV"]: "{who:brigade+}" => {
        missing WHO;
        "ADVANCE 3" => "fires, and goes next to its opponent";
    }

    Withdraw ["WITHDRAW", "RETREAT", "DISENGAGE", "RETIRE"]: "{who:brigade+}" => {
        missing WHO;
        "WITHDRAW 3-5" => "goes out of the enemy's reach, and fires little";
    }

    Objective ["OBJECTIVE", "OBJ"]: "{who:brigade+} [ TO|->|AT|: ] {to:objective}" => {
        missing WHO;
        missing lack("to", "To which objective?").hint("OBJECTIVE 3 TO Henry Hill");
        "OBJECTIVE 3 TO Henry Hill" =>
            "a brigade that belongs to no division marches there in column, and goes on to it until it has another";
    }

    Column ["COLUMN", "MARCH", "COL"]: "{who:brigade+} [ TO|->|: {to:objective} ]" => {
        missing WHO;
        "COLUMN 3-5" => "marches in column to the objective of its division, or to its own";
    }

    Deploy ["DEPLOY", "LINE"]: "{who:brigade+} TO|TOWARD|TOWARDS|->|:? {way:way}" => {
        missing WHO;
        missing lack("way", "Which way? Write NE, E, SE, SW, W or NW.").hint("DEPLOY 3 NW");
        "DEPLOY 3, 4 NW" => "goes a hex that way in line, and faces there";
    }

    Regroup ["REGROUP", "REJOIN"]: "{who:brigade+}" => {
        missing WHO;
        "REGROUP 3" => "marches in column to the headquarters over it";
    }

    Stand ["STAND", "HOLD", "STAY", "HALT"]: "{who:brigade+}" => {
        missing WHO;
        "STAND 3", "STAND 3-5", "STAND ALL" =>
            "stays, in line; as in every order: a range of brigades, or all that you can order; a name does too";
    }

    Reserve ["RESERVE", "REST"]: "{who:brigade+}" => {
        missing WHO;
        "RESERVE 3" =>
            "rests, and may recover cohesion (ACW-19); it is surprised if an enemy comes near (ACW-20)";
    }

    If ["IF", "WHEN", "ONCE"]:
        "( engaged=ENGAGED / shaken=SHAKEN ) {who:brigade+} :|THEN? \
         ( assault=ASSAULT / skirmish=SKIRMISH / advance=ADVANCE / withdraw=WITHDRAW|RETREAT )"
    => {
        missing lack("SHAKEN", "If what? Write IF ENGAGED or IF SHAKEN.").hint("IF ENGAGED 3 SKIRMISH");
        missing WHO;
        missing lack("WITHDRAW", "What then? Write ASSAULT, SKIRMISH, ADVANCE or WITHDRAW.")
            .hint("IF ENGAGED 3 SKIRMISH");
        "IF ENGAGED 3 ASSAULT", "IF ENGAGED 3-5 SKIRMISH", "IF ENGAGED 3 WITHDRAW" =>
            "in later hours of the mail turn: what it does once it is engaged";
        "IF SHAKEN 3-5 WITHDRAW" => "the same once its cohesion is 3 or less, out of works";
    }

    Stop ["STOP"]: "[ ON|UPON ] CONTACT [ off=OFF|NO|NONE ]" => {
        missing lack("CONTACT", "Write STOP ON CONTACT; a brigade stops by STAND.").hint("STAND 3");
        "STOP ON CONTACT" =>
            "your hours end early once an enemy comes within two hexes of a brigade of yours";
    }

    Resign ["RESIGN", "SURRENDER", "CAPITULATE"]: "CONFIRM|CONFIRMED" => {
        missing lack("CONFIRM", "That ends the battle with this turn, and the enemy wins. Write RESIGN CONFIRM if you mean it.");
        "RESIGN CONFIRM" => "your side gives the battle up: the enemy wins at the end of the turn";
    }

    Roster ["ROSTER"]: "" => {
        "ROSTER" => "answers in the receipt with all your brigades, those to come and those that are gone";
    }

    Advice ["ADVICE"]: "" => {
        "ADVICE" => "answers in the receipt with the advice that your army had at the start (ACW-94)";
    }

    Info ["INFO"]: "{what:thing+}" => {
        missing lack("what", "About what? Write a hex, an objective or a unit of yours.")
            .hint("INFO Henry Hill");
        "INFO 0913", "INFO Henry Hill", "INFO 3", "INFO H2" =>
            "answers in the receipt: a hex with its ground, cover and holder; an objective with its points; a unit with all its figures";
    }
}

/// The orders that are told by a verb and whom it is for alone.
pub(super) const PLAIN: [(Verb, Act); 7] = [
    (Verb::Assault, Act::Assault),
    (Verb::Skirmish, Act::Skirmish),
    (Verb::Advance, Act::Advance),
    (Verb::Withdraw, Act::Withdraw),
    (Verb::Regroup, Act::Regroup),
    (Verb::Reserve, Act::Reserve),
    (Verb::Stand, Act::Stand),
];

/// What such a verb tells a brigade; `None` for other verbs.
pub(super) fn plain(verb: Verb) -> Option<Act> {
    PLAIN.into_iter().find(|(other, _)| *other == verb).map(|(_, act)| act)
}

//! The forms of the orders: the grammar of docs/sa/orders.md.

use musterd_kit::grammar::{Manner, lack};
use musterd_kit::{kinds, language};

/// Tasks at most that a set gives one unit: more than it can do in a day.
pub(super) const LONGEST_QUEUE: usize = 60;

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

language! {
    /// The order language.
    pub(crate) static GRAMMAR of Verb, Kind = Manner::of("order");

    Deploy ["DEPLOY", "PLACE", "SETUP"]: "{who:own+} AT|IN|TO|->? {at:hex}" => {
        "DEPLOY 3 AT 1507" => "stands there when the battle begins, in its army's zone";
    }

    Move ["MOVE", "MARCH", "GO", "MV"]:
        "{who:mover+} ( ,|THEN|VIA / {step:step} / TO|->|INTO {to:hex} / AT|IN? {to:goal} )*"
    => {
        "MOVE 3 1 1 2", "MOVE 3 NE NE E" =>
            "a hex that way each time it acts: 1 NE, 2 E, 3 SE, 4 SW, 5 W, 6 NW";
        "MOVE 3 TO 1507" => "a hex each time it acts, by the quickest way, until it is there";
        "MOVE 3 1506 1507" => "from one to the next";
    }

    Again ["AGAIN", "REPEAT"]: "{who:own+}" => {
        "AGAIN 3" => "moves a hex the way that it moved last";
    }

    Hold ["HOLD", "STAND", "STAY", "HALT"]: "{who:own+} [ UNTIL|TILL {until:point} ]" => {
        "HOLD 3" => "holds once, for as long as a move over clear ground takes it (SA-24)";
        "HOLD 3 UNTIL 24" => "holds up to that time-point";
        "HOLD 1-4", "HOLD ALL", "HOLD REST" =>
            "as in every order: a range of units, all (or ALL CAVALRY, INFANTRY, ARCHERS), whom no line above names; a name does too";
    }

    Wait ["WAIT"]: "{who:own+} FOR? ( UNTIL|TILL {until:point} / contact=CONTACT )" => {
        missing lack("CONTACT", "What for? Write UNTIL and a time-point, or CONTACT.");
        "WAIT 3 UNTIL 24", "WAIT 3 CONTACT" =>
            "holds up to then, or until an enemy is next to it; then its queue goes on";
    }

    Attack ["ATTACK", "STRIKE", "ASSAULT", "ATT"]:
        "( {target:foe} WITH|BY {who:own+} / {who:mover+} ON|AT|->|AGAINST? ( {way:way} / {target:foe} ) )"
    => {
        missing lack("target", "Whom? Write an enemy by letter and number, or a direction from 1 to 6.");
        "ATTACK 3 B5", "ATTACK B5 WITH 3, 4" =>
            "goes to that enemy and attacks it; who has moved last checks its morale before it strikes (SA-14)";
        "ATTACK 3 2", "ATTACK 3 E" => "attacks whoever stands that way";
    }

    Fire ["FIRE", "SHOOT", "VOLLEY"]:
        "( {at:hex} WITH|BY {who:own+} / {target:foe} WITH|BY {who:own+} \
         / {who:mover+} ON|AT|->|AGAINST? ( {at:hex} / {target:foe} ) )"
    => {
        missing lack("target", "At whom? Write an enemy by letter and number, or a hex.");
        "FIRE 3 B5", "FIRE 3 AT 1507" =>
            "fires at that enemy, or at whoever stands there, in range and in sight (SA-26 to SA-28)";
    }

    Cast ["CAST", "SPELL"]:
        "{who:mover+} {spell:spell} WITH|FOR|BY? {points:count} POINTS|POINT? \
         [ WHEN|IF|ON ( contact=CONTACT / fired=FIRED AT|ON? / rout=ROUT NEAR|NEARBY? ) ]"
    => {
        missing lack("spell", "Which spell? Write BLADE, SHIELD, HASTE or COURAGE, or its key from 1 to 4.");
        missing lack("points", "How many points? Write a number.");
        missing lack("ROUT", "When? Write WHEN CONTACT, WHEN FIRED AT or WHEN ROUT NEAR.");
        "CAST 4 COURAGE 2" => "a spell on itself, with so many of its army's points (SA-25)";
        "CAST 4 BLADE 1 WHEN CONTACT", "CAST 4 SHIELD 1 WHEN FIRED AT", "CAST 4 COURAGE 2 WHEN ROUT NEAR" =>
            "in its first turn after that has happened to it, so too late for the checks of that rout; till then the rest of its queue goes on";
    }

    Replicate ["REPLICATE", "LIKEN", "DUPLICATE", "COPY"]: "{who:mover} TO|TOWARD|TOWARDS|IN? {way:way}" => {
        "REPLICATE 1 2" =>
            "the wizard makes a likeness of himself that way; which of the two is real his side alone knows (SA-32)";
    }

    Leave ["LEAVE", "ESCAPE", "EXIT"]: "{who:own+} THE? FIELD?" => {
        "LEAVE 1" => "the wizard leaves the field over his own edge, where the battle lets him (SA-32)";
    }

    Stance ["STANCE", "POSTURE"]:
        "{who:own+} :|,? ( advance=ADVANCE [ TO|-> {to:hex} ] / hold=HOLD / skirmish=SKIRMISH / charge=CHARGE \
         / avoid=AVOID|EVADE )"
    => {
        missing lack("AVOID", "Which stance? Write ADVANCE, HOLD, SKIRMISH, CHARGE or AVOID.");
        "STANCE 3 HOLD" =>
            "with an empty queue it stays, and fires at what comes into range: so it is at first";
        "STANCE 1-4 ADVANCE", "STANCE 1-4 ADVANCE TO 1507" =>
            "goes toward the nearest enemy, or there; fires at what it meets, and stops next to an enemy";
        "STANCE 2 CHARGE" => "goes to the nearest enemy and attacks it";
        "STANCE 5 SKIRMISH" =>
            "fires at what is in range, and else comes into range; steps back from an enemy next to it, unless its missiles fly one hex only (SA-58); without missiles it avoids";
        "STANCE 6 AVOID" => "steps away from enemies within three hexes";
    }

    Advance ["ADVANCE"]: "{who:own+} [ TO|->|INTO? {to:hex} ]" => {
        "ADVANCE 1-4", "ADVANCE 1-4 TO 1507" => "the same as `STANCE 1-4 ADVANCE`";
    }

    Charge ["CHARGE"]: "{who:own+}" => {
        "CHARGE 2" => "the same as `STANCE 2 CHARGE`";
    }

    Skirmish ["SKIRMISH", "HARASS"]: "{who:own+}" => {
        "SKIRMISH 5" => "the same as `STANCE 5 SKIRMISH`";
    }

    Avoid ["AVOID", "EVADE"]: "{who:own+}" => {
        "AVOID 6" => "the same as `STANCE 6 AVOID`";
    }

    On ["ON", "WHEN", "UPON"]:
        "( contact=CONTACT / fired=FIRED AT|ON? / rout=ROUT NEAR|NEARBY? ) {who:own+} :|,|THEN? \
         ( advance=ADVANCE [ TO|-> {to:hex} ] / hold=HOLD / skirmish=SKIRMISH / charge=CHARGE \
         / avoid=AVOID|EVADE / nothing=NOTHING|NONE )"
    => {
        missing lack("ROUT", "On what? Write ON CONTACT, ON FIRED AT or ON ROUT NEAR.");
        missing lack("NOTHING", "What then? Write ADVANCE, HOLD, SKIRMISH, CHARGE, AVOID or NOTHING.");
        "ON CONTACT 1, 2 CHARGE" => "an enemy next to it ends its queue, and from then on its stance is this";
        "ON FIRED AT 3 AVOID" => "the same when it was fired at";
        "ON ROUT NEAR 3 HOLD" => "the same when a friend within three hexes has routed";
        "ON CONTACT 3 NOTHING" => "takes such an order back";
    }

    Cancel ["CANCEL", "CLEAR", "FORGET"]: "{who:own+}" => {
        "CANCEL 3" => "forgets its queue, and goes by its stance";
    }

    Detail ["DETAIL", "DETAILS", "REPORTS"]: "( full=FULL|LONG / brief=BRIEF|SHORT )" => {
        missing lack("BRIEF", "Which reports? Write FULL or BRIEF.");
        "DETAIL FULL", "DETAIL BRIEF" =>
            "your reports show every figure of checks and fights, or the results alone";
    }

    Map ["MAP"]:
        "( none=NONE|OFF / symbols=SYMBOLS|SYMBOL ON? [ off=OFF|NONE ] \
         / TACTICAL? AT|OF? ( ROW? {row:line} ,? COLUMN|COL? {col:line} / {at:hex} ) )"
    => {
        "MAP TACTICAL 1507", "MAP TACTICAL ROW 7 COLUMN 15" =>
            "your reports have a tactical map around that hex too; two numbers alone are row and column";
        "MAP NONE" => "no such map";
        "MAP SYMBOLS", "MAP SYMBOLS OFF" =>
            "tactical maps show each unit's type by a symbol that their legend explains, or don't";
    }
}

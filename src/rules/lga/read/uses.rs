//! The orders with their examples: the tables of docs/lga/orders.md, and the help.

use musterd_engine::orders::OrderUse;

const fn one(lines: &'static [&'static str], also: &'static [&'static str], does: &'static str) -> OrderUse {
    OrderUse { lines, also, does }
}

/// The orders on one's own turn, each with its short form and other words for it.
pub const COMMANDS: &[OrderUse] = &[
    one(&["AID Austria 4"], &["AI"], "Britain gives 4 military points to an ally, before anybody builds"),
    one(
        &["BUILD 34", "BUILD 34 AT Vienna"],
        &["B"],
        "a unit of your build pool appears in its capital, or in the city that is named",
    ),
    one(&["RALLY 6"], &["RA"], "morale up by one: 4, 3, 2, 1 points from morale 0, 1, 2, 3"),
    one(&["MOVE 1 TO Ulm"], &["M", "MARCH", "GO"], "by the cheapest legal path; the receipt shows it"),
    one(&["MOVE 1-3 TO Ulm", "MOVE ALL AT Ulm TO Munich"], &[], "each of them"),
    one(&["MOVE 1 E E NE"], &[], "step by step"),
    one(&["MOVE 1 1405 1406"], &[], "hex by hex, each adjacent to the one before"),
    one(
        &["ATTACK 1507 WITH 3"],
        &["AT", "ASSAULT"],
        "one round of combat with the top enemy in that adjacent hex",
    ),
    one(&["ATTACK 1507 WITH 3 x3"], &[], "up to three rounds"),
    one(&["ATTACK 1507 WITH 3 UNTIL CLEAR"], &[], "as long as an enemy is left there and the unit can"),
    one(
        &["ATTACK 1507 WITH 3 WHILE MORALE >= 2"],
        &[],
        "round after round, as long as the attacker's morale is 2 or better; with `x2` at most so often",
    ),
    one(
        &["ATTACK 1507 WITH 3 WHILE ODDS >= 0"],
        &[],
        "the same, as long as the known modifiers come to 0 or better",
    ),
    one(&["ATTACK 1507 WITH 3 THEN ENTER"], &[], "moves in once nobody is left, if it has the moves"),
    one(
        &["GARRISON 3", "GARRISON Ulm WITH 3"],
        &["G"],
        "ends its move as the garrison of the city it stands in",
    ),
    one(&["END 3"], &["E"], "no further move this season"),
    one(
        &["TOP 3", "TOP 1204 3, 1"],
        &["T"],
        "goes on top of its stack; of several the first ends up highest",
    ),
    one(
        &["IF Ulm EMPTY MOVE 3 TO Ulm"],
        &[],
        "any order above, only if it is so when its turn comes: EMPTY, HELD (by an enemy) or CONTROLLED (by you)",
    ),
    one(&["STANDING", "STANDING NONE"], &["S"], "begins your reactions on somebody else's turn; has none"),
    one(
        &["INFO Ulm, 1406"],
        &["IN"],
        "no order: the receipt answers with what you know of the hex; what it can't find it remarks on, and READY still counts",
    ),
];

/// The reactions on somebody else's turn.
pub const REACTIONS: &[OrderUse] = &[
    one(
        &["REINFORCE 4 TO 1507 WHEN 1507 ATTACKED"],
        &["RE", "SUPPORT"],
        "comes to help one hex away; without a condition when its goal is attacked",
    ),
    one(
        &["WITHDRAW 4 TO Munich WHEN 4 MORALE <= 1"],
        &["W", "RETREAT"],
        "falls back one hex; without a condition when the unit is attacked",
    ),
    one(&["TOP 4 WHEN 4 ATTACKED"], &["T"], "goes on top of its stack; without a condition always"),
];

//! The forms of the orders: the grammar of docs/lga/orders.md.

use musterd_kit::grammar::{Lack, Manner, lack};
use musterd_kit::{kinds, language};

impl Verb {
    /// Whether it is done on somebody else's turn.
    pub(super) const fn is_reaction(self) -> bool {
        matches!(self, Self::Reinforce | Self::Withdraw | Self::TopWhen)
    }

    /// Whether it is an order for the own turn.
    pub(super) const fn is_command(self) -> bool {
        !self.is_reaction() && !matches!(self, Self::If | Self::Standing | Self::Info)
    }

    /// Whether `ALL` alone makes an order of it.
    pub(super) const fn takes_all(self) -> bool {
        matches!(self, Self::Rally | Self::Garrison | Self::End)
    }
}

kinds! {
    pub(super) enum Kind {
        /// Units on the map.
        "field": Field,
        /// Units on the map that go into a city.
        "guard": Guard,
        /// Units of the build pool.
        "pool": Pool,
        /// Units on the map and in the pool.
        "both": Both,
        /// A unit of the side.
        "ally": Ally,
        /// Units on the map, each as long as its name is, before a way.
        "marching": Marching,
        /// A hex and units, with no word between them.
        "melee": Melee,
        /// A hex by number, or a city.
        "place": Place,
        /// A place whose state is looked at.
        "spot": Spot,
        /// A place or a unit that is looked at.
        "watched": Watched,
        /// A place that is asked about.
        "asked": Asked,
        /// A hex by number.
        "hex": Hex,
        /// The hexes of a way.
        "hexes": Hexes,
        "direction": Direction,
        "nation": Nation,
        /// A number of military points.
        "points": Points,
        /// A number of rounds.
        "times": Times,
        /// A number or more.
        "least": Least,
        /// A number or less.
        "most": Most,
    }
}

/// Units of a kind, or all; all of those in a place.
macro_rules! whom {
    ($there:literal, $kind:literal) => {
        concat!("( all=ALL [ ", $there, " {from:place..} ] / {who:", $kind, "+..} )")
    };
}

/// How long an attack goes on. `IF` is `WHILE` too, but doesn't begin a limit: another order may be guarded by it.
macro_rules! limit {
    ($while:literal) => {
        concat!(
            "{rounds:times} / ",
            $while,
            " ( MORALE {morale:least} / ODDS {odds:least} ) / THEN enter=ENTER|ADVANCE / enter=ENTER \
             / UNTIL clear=CLEAR|CLEARED|EMPTY"
        )
    };
}

/// When a reaction is tried.
macro_rules! when {
    ($when:literal) => {
        concat!(
            "[ ( always=ALWAYS / ",
            $when,
            " ( {of:spot..} IS? entered=ENTERED / {of:ally..} MORALE {morale:most} / {of:watched..} IS? attacked=ATTACKED ) ) ]"
        )
    };
}

const NOBODY: &str = "ALL means nobody here: no unit of yours is there for it.";
const NOBODY_IN_THE_FIELD: Lack =
    lack("all", NOBODY).hint("garrisons, and units whose move has ended, are not meant by ALL: name them");
const WHEN: Lack = lack("WHEN|of|ATTACKED", "When?")
    .hint("WHEN 1507 ATTACKED, WHEN 4 ATTACKED, WHEN 4 MORALE <= 1, WHEN 1507 ENTERED or ALWAYS");

language! {
    /// The order language.
    pub(super) static GRAMMAR of Verb, Kind = Manner {
        cut_short: true,
        others: &["READY", "WAIT"],
        behind: Some("one order a line; # begins a comment"),
        ..Manner::of("order")
    };

    Aid ["AID"]: "( TO|MP|MPS|POINTS|POINT|,? / {points:points} / {to:nation} )*" => {
        missing lack("to", "AID to whom?").hint("for example AID Austria 4");
        missing lack("points", "AID how much?").hint("for example AID Austria 4");
        "AID Austria 4" =>
            "your nation that gives aid gives an ally 4 military points, before anybody builds";
    }

    Build ["BUILD"]: concat!(whom!("FROM", "pool"), " [ AT|IN {at:place..} ]") => {
        missing lack("all", NOBODY).hint("BUILD ALL is for what the pool has this year");
        "BUILD 34", "BUILD 34 AT Vienna" =>
            "a unit of your build pool appears in its capital, or in the city that is named";
    }

    Rally ["RALLY"]: whom!("AT|IN|FROM", "field") => {
        missing lack("all", NOBODY).hint("RALLY ALL is for units below full morale; headquarters have none");
        "RALLY 6" => "morale up by one: 4, 3, 2, 1 points from morale 0, 1, 2, 3";
    }

    Move ["MOVE", "MARCH", "GO"]:
        concat!(
            "( ",
            whom!("AT|IN|FROM", "field"),
            " TO|-> {goal:place..} / ( all=ALL AT|IN|FROM! / {who:marching+} ) ( , )* \
             ( {step:direction} ( , / {step:direction} )* / {by:hexes..} ) )"
        )
    => {
        missing lack("by", "Move where?").hint("a goal (TO Ulm), hexes (1405 1406) or directions (E NE)");
        missing lack("AT", "Where does the one place end and the other begin?")
            .hint("for example MOVE ALL AT Ulm TO Munich");
        missing NOBODY_IN_THE_FIELD;
        "MOVE 1 TO Ulm" => "by the cheapest legal path; the receipt shows it";
        "MOVE 1-3 TO Ulm", "MOVE ALL AT Ulm TO Munich" => "each of them";
        "MOVE 1 E E NE" => "step by step";
        "MOVE 1 1405 1406" => "hex by hex, each adjacent to the one before";
    }

    Attack ["ATTACK", "ASSAULT"]:
        concat!(
            "( {at:place..} WITH|BY ",
            whom!("AT|IN|FROM", "field"),
            " / ",
            whom!("AT|IN|FROM", "field"),
            " AT|ON|IN|INTO$ {at:place..} / {at:melee..} ) [ ( ",
            limit!("WHILE"),
            " ) ( ,|AND? / ",
            limit!("WHILE|IF"),
            " )* ]"
        )
    => {
        missing lack("CLEAR", "UNTIL what?").hint("UNTIL CLEAR");
        missing lack("ODDS", "WHILE what?").hint("WHILE MORALE >= 2 or WHILE ODDS >= 0");
        missing lack("ENTER", "THEN what?").hint("THEN ENTER; anything else is an order of its own");
        missing lack("UNTIL", "{} is no limit of an attack.")
            .hint("x3, UNTIL CLEAR, WHILE MORALE >= 2, WHILE ODDS >= 0 or THEN ENTER");
        missing NOBODY_IN_THE_FIELD;
        "ATTACK 1507 WITH 3" => "one round of combat with the top enemy in that adjacent hex";
        "ATTACK 1507 WITH 3 x3" => "up to three rounds";
        "ATTACK 1507 WITH 3 UNTIL CLEAR" => "as long as an enemy is left there and the unit can";
        "ATTACK 1507 WITH 3 WHILE MORALE >= 2" =>
            "round after round, as long as the attacker's morale is 2 or better; with `x2` at most so often";
        "ATTACK 1507 WITH 3 WHILE ODDS >= 0" =>
            "the same, as long as the known modifiers come to 0 or better: the enemy's morale, fatigue and headquarters don't count";
        "ATTACK 1507 WITH 3 THEN ENTER" => "moves in once nobody is left, if it has the moves";
    }

    Garrison ["GARRISON"]:
        concat!(
            "( {at:place..} WITH|BY ",
            whom!("AT|IN|FROM", "field"),
            " / ",
            whom!("FROM", "guard"),
            " [ AT|IN {at:place..} ] )"
        )
    => {
        missing NOBODY_IN_THE_FIELD;
        "GARRISON 3", "GARRISON Ulm WITH 3" => "ends its move as the garrison of the city it stands in";
    }

    End ["END"]: whom!("AT|IN|FROM", "field") => {
        missing NOBODY_IN_THE_FIELD;
        "END 3" => "no further move this season";
    }

    Top ["TOP"]: "[ {at:hex} ] {who:field+..}" => {
        "TOP 3", "TOP 1204 3, 1" => "goes on top of its stack; of several the first ends up highest";
    }

    /// A condition before an order.
    If ["IF"]: "{hex:spot..} IS? ( empty=EMPTY / held=HELD / controlled=CONTROLLED ) ( :|,|THEN )*" => {
        missing lack("hex|CONTROLLED", "IF which hex is EMPTY, HELD or CONTROLLED?")
            .hint("for example IF Ulm EMPTY MOVE 3 TO Ulm");
        "IF Ulm EMPTY MOVE 3 TO Ulm" =>
            "any order above, only if it is so when its turn comes: EMPTY, HELD (by an enemy) or CONTROLLED (by you)";
    }

    /// Begins the standing orders.
    Standing ["STANDING"]: "( :|ORDERS )* [ none=NONE|CLEAR ]" => {
        "STANDING", "STANDING NONE" => "begins your reactions on somebody else's turn; has none";
    }

    /// A question.
    Info ["INFO"]: "{of:asked+..}" => {
        "INFO Ulm, 1406" =>
            "no order: the receipt answers with what you know of the hex; what it can't find it remarks on, and READY still counts";
    }

    Reinforce ["REINFORCE", "SUPPORT"]: concat!("{who:both+..} TO {to:place..} ", when!("WHEN|IF")) => {
        missing WHEN;
        "REINFORCE 4 TO 1507 WHEN 1507 ATTACKED" =>
            "comes to help one hex away; without a condition when its goal is attacked";
    }

    Withdraw ["WITHDRAW", "RETREAT"]: concat!("{who:both+..} TO {to:place..} ", when!("WHEN|IF")) => {
        missing WHEN;
        "WITHDRAW 4 TO Munich WHEN 4 MORALE <= 1" =>
            "falls back one hex; without a condition when the unit is attacked";
    }

    /// A standing order to go on top.
    TopWhen ["TOP"]: concat!("[ {at:hex} ] {who:both+..} ", when!("WHEN")) => {
        missing WHEN;
        "TOP 4 WHEN 4 ATTACKED" => "goes on top of its stack; without a condition always";
    }
}

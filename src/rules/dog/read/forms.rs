//! The forms of the orders: the grammar of docs/dog/orders.md.

use musterd_kit::grammar::{Lack, Manner, lack};
use musterd_kit::{kinds, language};

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

/// A march, hex by hex or to a hex, and who stays behind.
const WAY: &str = "{who:own} ( LEAVE|LEAVING|KEEP {leave:count} / flee=FLEE|FLEEING / ,|THEN|VIA|BY / {step:direction} \
                   / to=TO|->|INTO {hex:hex} / AT|IN? {hex:hex} )*";
const STAY: Lack = lack("leave", "How many stay? Write a number.");
const STRIKE: &str = "{who:own+} ON|AT|->|AGAINST? [ ( ANY|ANYBODY|ANYONE / {target:foe} ) ]";

language! {
    /// The order language.
    pub(crate) static GRAMMAR of Verb, Kind = Manner::of("order");

    Unit ["UNIT", "RECORD", "PLACE"]:
        "{unit:number} ( {name:quoted} / NAME|CALLED {name:name} / ,|AND|+|&|; / AT|IN|TO|-> {at:hex} / hidden=HIDDEN \
         / open=OPEN|VISIBLE / elite=ELITE / crew=CREW|WITH {crew-of:troop} / people=PEOPLE|FOLK {people-of:people} \
         / size=SIZE {size-of:count} / {sort:sort} )*"
    => {
        missing lack("name", "Which name? Write it in quotes.");
        missing lack("size-of", "Which size? Write a number.");
        "UNIT 3 AT 0405" => "unit 3, which the battle gives you, begins there";
        "UNIT 3 AT 0405 HIDDEN" => "and is hidden";
        "UNIT 1 18 heavy infantry AT 0405" => "hires eighteen; names and letters of table 1 both do: `18 HI`";
        "UNIT 2 10 elite knights \"The Ten\" AT 0406" =>
            "elite troops, where they are for hire, and a name for the unit";
        "UNIT 4 6 chariots WITH archers" => "a crew for each";
        "UNIT 5 20 barbarians PEOPLE desert" =>
            "barbarians and nomads of any people, others of those that the battle allows";
        "UNIT 6 100 pikemen AND 60 archers" => "a mixed unit, on the strategic scale";
    }

    Hire ["HIRE", "ENLIST"]: "{list:list} [ FROM {first:count} ]" => {
        missing lack("first", "From which number on? Write one from 1 to 99.");
        "HIRE company-300", "HIRE raid-200 FROM 11" =>
            "hires a whole hire list, numbered from 1 or from there on; place its units by records such as `UNIT 3 AT 0405`";
    }

    Move ["MOVE", "MARCH", "GO", "ADVANCE", "MV", "SPLIT", "DETACH"]: WAY => {
        missing STAY;
        "MOVE 3 TO 0405" =>
            "goes there by the cheapest way, as far as its points last; it stops where it would leave an enemy (DOG-40), \
                       and next to a hex that is taken by then (DOG-12)";
        "MOVE 3 0304 0305", "MOVE 3 E SE" => "hex by hex, step by step";
        "MOVE 3 TO 0405 LEAVE 6" => "so many stay behind: a quarter of the unit holds one enemy (DOG-18)";
    }

    Flee ["FLEE", "RETREAT", "WITHDRAW"]: WAY => {
        missing STAY;
        "FLEE 3 TO 0101" => "goes on though it leaves enemies: each strikes once at its back (DOG-17)";
    }

    Hide ["HIDE"]: "{who:own+}" => {
        "HIDE 3" => "hides where it stands, with no enemy in the open within two hexes (DOG-43)";
    }

    Board ["BOARD", "EMBARK"]: "{who:own} [ TO|AT|IN|->|INTO? {boat:hex} ]" => {
        "BOARD 3", "BOARD 3 0405" => "goes aboard a boat next to it (DOG-35)";
    }

    Land ["LAND", "DISEMBARK"]: "{who:own} [ TO|AT|IN|->|INTO ] {to:hex}" => {
        "LAND 3 TO 0405" => "goes ashore (DOG-35)";
    }

    Dismount ["DISMOUNT"]: "{who:own} [ [ TO|AT|IN|->|INTO ] {to:hex} ]" => {
        "DISMOUNT 4", "DISMOUNT 4 TO 0405" => "the chariots' crew goes on foot, for a point (DOG-36)";
    }

    Attack ["ATTACK", "STRIKE", "CHARGE", "ATT"]: STRIKE => {
        "ATTACK 3 E2", "ATTACK 3" =>
            "a melee attack on that enemy next to it, or on whomever it harms most (DOG-42)";
    }

    Shoot ["SHOOT", "FIRE", "VOLLEY"]: STRIKE => {
        "SHOOT 3 E2", "SHOOT 3" => "a volley within its range; nobody retaliates (DOG-14)";
    }

    Defend ["DEFEND", "DEFENCE", "DEFENSE", "HOLD", "STAND"]: "{who:own+}" => {
        "DEFEND 3" => "strikes back at everybody who attacks it; so does a unit without an order to fight";
    }

    If ["IF", "WHEN"]:
        "ATTACKED :|,|THEN? ( keep=KEEP|ATTACK|STRIKE / defend=DEFEND|DEFENCE|DEFENSE ) [ {who:own+} ]"
    => {
        missing lack("ATTACKED", "If what? Write IF ATTACKED DEFEND, or IF ATTACKED KEEP.");
        missing lack("DEFEND", "What then? Write DEFEND or KEEP.");
        "IF ATTACKED DEFEND", "IF ATTACKED KEEP 3" =>
            "what units do that are attacked before they strike: give up their own attack for their defence, or keep to it \
                   (DOG-15). Stands until you change it, and for what splits off the unit";
    }

    Surrender ["SURRENDER", "YIELD"]: "{who:own} [ TO|-> ] {to:foe}" => {
        "SURRENDER 3 TO E2" => "gives itself up to an enemy next to it (DOG-28)";
    }
}

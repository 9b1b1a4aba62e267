//! The forms of the GM's changes: the table of docs/dog/gm-guide.md.

use musterd_kit::amend::YES_OR_NO;
use musterd_kit::grammar::{Manner, lack};
use musterd_kit::{kinds, language};

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

language! {
    /// The language of the changes.
    pub(super) static GRAMMAR of Verb, Kind = Manner::of("change");

    Unit ["UNIT"]:
        "{unit:unit} ( FIGHTERS {fighters:fighters} [ {of:troop} ] / SHOTS {shots:shots} [ {of:troop} ] / AT|TO|IN {to:hex} \
         / ABOARD AT|IN? {boat:hex} / PRISONER OF|BY? {captor:unit} / hidden=HIDDEN [ ( YES / no=NO ) ] / NAME {name:name} / free=FREE )"
    => {
        missing YES_OR_NO;
        missing lack("FREE", "What changes? Write FIGHTERS, SHOTS, AT, ABOARD, HIDDEN, NAME, PRISONER or FREE.");
        "UNIT E3 FIGHTERS 12", "UNIT E3 FIGHTERS 12 light infantry" =>
            "how many are left, none included; of a mixed unit those of the first type, or of the one named. Whom you put back nobody \
                       lost and nobody took, whom you take off neither; more than there ever were are new. What an enemy counted as it fell stands \
                       in his reports until the battle is over";
        "UNIT E3 SHOTS 4", "UNIT E3 SHOTS 4 archers" => "volleys left, in the same way";
        "UNIT E3 AT 0405" =>
            "where it stands: a free hex, or a place by name, that such fighters can enter. Units are named by letter and number, or by \
                       their names: `UNIT Old Guard AT 0405`";
        "UNIT E3 ABOARD 0506" => "it is in the empty boat there, wherever it was before";
        "UNIT E3 HIDDEN YES", "UNIT E3 HIDDEN NO" => "hides it, or shows it to everybody";
        "UNIT E3 NAME \"The Forlorn Hope\"" => "what it is called";
        "UNIT E3 PRISONER OF D2", "UNIT E3 FREE" =>
            "the prisoner of an enemy next to it, who needn't guard it in the next round; a prisoner is free";
    }

    Add ["ADD"]: "{record}" => {
        missing lack("record", "Which unit? Write a record, such as E9 12 heavy infantry AT 0405.");
        "ADD E9 12 elite heavy infantry AT 0405 HIDDEN" =>
            "a unit comes, paid by nobody: a record as leaders write them, of any type. Under the number of a unit that is gone it is that \
                   unit again, and its dead are put back";
    }

    Remove ["REMOVE"]: "{unit:unit}" => {
        "REMOVE E3" => "a unit goes; nobody counts it as lost";
    }

    Ground ["GROUND"]: "AT|TO|IN? {hex:hex} {terrain:terrain} ( {feature:feature} )*" => {
        "GROUND 0405 forest hills", "GROUND 0405 clear castle" =>
            "all of a hex: terrain, then relief and fortification if it has them";
    }

    Bridge ["BRIDGE"]: "AT|TO|IN? {over:span} [ ( YES / no=NO ) ]" => {
        missing YES_OR_NO;
        "BRIDGE 0506 YES", "BOAT 0506 YES" =>
            "a bridge over a hex of water, a boat on it; with `NO` one that is empty goes";
        "BRIDGE 0304-0305 YES" =>
            "a bridge over the side between two neighbours, which is crossed like a road; with `NO` it goes";
    }

    Boat ["BOAT"]: "AT|TO|IN? {hex:water} [ ( YES / no=NO ) ]" => {
        missing YES_OR_NO;
    }

    Leadership ["LEADERSHIP"]: "{army:army} {points:points}" => {
        "LEADERSHIP E 300", "LOOT E 20" =>
            "a leader's leadership; an army's loot. An army is its letter or its seat";
    }

    Loot ["LOOT"]: "{army:army} {points:points}" => {
    }

    Order ["ORDER"]: "( , / {army:army} )*" => {
        "ORDER D E Q" => "in which order the armies act: every army once";
    }

    Rule ["RULE"]:
        "{unit:unit} ( flees=FLEES FROM? {from:unit} / free=FREE / stays=STAYS / holds=HOLDS )"
    => {
        missing lack("HOLDS", "Which ruling? Write FREE, STAYS, HOLDS or FLEES and an enemy.");
        "RULE E3 FLEES D2", "RULE E3 FREE" =>
            "in the next round its march counts as a flight from D2; or leaves everybody freely";
        "RULE E3 STAYS", "RULE E3 HOLDS" => "in the next round it doesn't move; doesn't strike";
    }
}

//! The verbs of the grammar.

use musterd_engine::alike::meant;

/// The verbs, with what else they may be called.
const VERBS: [(Verb, &[&str]); 14] = [
    (Verb::Unit, &["UNIT", "RECORD", "PLACE"]),
    (Verb::Move, &["MOVE", "MARCH", "GO", "ADVANCE", "MV"]),
    (Verb::Flee, &["FLEE", "RETREAT", "WITHDRAW"]),
    (Verb::Split, &["SPLIT", "DETACH"]),
    (Verb::Hide, &["HIDE"]),
    (Verb::Hire, &["HIRE", "ENLIST"]),
    (Verb::Board, &["BOARD", "EMBARK"]),
    (Verb::Land, &["LAND", "DISEMBARK"]),
    (Verb::Dismount, &["DISMOUNT"]),
    (Verb::Attack, &["ATTACK", "STRIKE", "CHARGE", "ATT"]),
    (Verb::Shoot, &["SHOOT", "FIRE", "VOLLEY"]),
    (Verb::Defend, &["DEFEND", "DEFENCE", "DEFENSE", "HOLD", "STAND"]),
    (Verb::If, &["IF", "WHEN"]),
    (Verb::Surrender, &["SURRENDER", "YIELD"]),
];

/// What a line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Unit,
    Hire,
    Move,
    Flee,
    Split,
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

/// The verb that a word is, in any case.
pub(super) fn verb(word: &str) -> Option<Verb> {
    VERBS
        .iter()
        .find(|(_, words)| words.iter().any(|own| own.eq_ignore_ascii_case(word)))
        .map(|(verb, _)| *verb)
}

/// The verb that somebody may have meant.
pub(super) fn near_verb(word: &str) -> Option<&'static str> {
    meant(word, VERBS.iter().flat_map(|(_, words)| words.iter().copied()))
}

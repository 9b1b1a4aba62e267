//! Orders, mistyped orders and the prose of a letter told apart, a line at a time, where the player marked no block.

use super::verbs::{near_verb, verb};
use crate::battle::hire::HireList;
use crate::data::Dog;
use crate::model::UnitId;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Likeness;
use musterd_engine::particulars::{is_address, is_firm, without_particulars};
use musterd_engine::tokens::{Kind, Token, cut, is_telephone};

/// The words of the grammar besides its verbs, units, hexes and types.
const KEYWORDS: &[&str] = &[
    "TO", "AT", "ON", "LEAVE", "LEAVING", "FLEE", "ATTACKED", "DEFEND", "KEEP", "HIDDEN", "OPEN", "ELITE",
    "CREW", "PEOPLE", "SIZE", "NAME", "ANY", "ALL", "AND", "FROM", "UNIT", "UNITS", "VIA", "THEN", "OF",
    "AGAINST",
];

/// What a line looks like.
pub(super) fn of(rules: &Dog, line: &str) -> Likeness {
    let tokens = cut(line);
    let Some((first, rest)) = tokens.split_first() else { return Likeness::Prose };
    let shouted = first.text.len() > 1 && first.text.bytes().all(|b| b.is_ascii_uppercase());
    let meant = rest.iter().filter(|token| is_ours(rules, token)).count();
    let strange = rest.len() - meant;
    if verb(first.text).is_some() {
        let named = rest.iter().take(3).any(|token| is_name(token));
        // `Hold the line, my friend` is prose; `hold 3 4` is an order.
        return match () {
            () if shouted && (named || meant > 0) => Likeness::Order,
            () if named && strange <= meant => Likeness::Order,
            () if named => Likeness::Doubtful,
            () => Likeness::Prose,
        };
    }
    if near_verb(first.text).is_some() && rest.iter().any(is_name) && strange <= meant {
        return if !shouted && is_address(&tokens) { Likeness::Prose } else { Likeness::Slip };
    }
    // Numbers alone are an address or a telephone's; with a hex, a letter's unit or a verb they may be an order.
    let is_signature = is_telephone(&tokens) || is_firm(&tokens);
    let tokens = without_particulars(&tokens);
    let tells = |token: &Token<'_>| {
        let is_bare = token.text.len() <= 2 && token.text.bytes().all(|b| b.is_ascii_digit());
        is_name(token) && !is_bare || verb(token.text).is_some() || near_verb(token.text).is_some()
    };
    let names = tokens.iter().filter(|token| is_name(token)).count();
    if names > 1 && tokens.iter().any(tells) && !is_signature { Likeness::Doubtful } else { Likeness::Prose }
}

/// A unit or a hex.
fn is_name(token: &Token<'_>) -> bool {
    let text = token.text;
    let bare = !text.is_empty() && text.len() <= 2 && text.bytes().all(|b| b.is_ascii_digit());
    token.kind == Kind::Word && (bare || text.parse::<UnitId>().is_ok() || text.parse::<Hex>().is_ok())
}

fn is_ours(rules: &Dog, token: &Token<'_>) -> bool {
    let place = || rules.battle().field.named(token.text).is_some();
    token.kind != Kind::Word
        || is_name(token)
        || token.is_any(KEYWORDS)
        || rules.numbers().find(token.text).is_some()
        || HireList::find(rules.lists(), token.text).is_some()
        || place()
}

//! The words that the orders are told from prose by.

use musterd_engine::hex::Hex;
use musterd_engine::orders::Likeness;
use musterd_engine::tokens::{Kind, Token, cut, without_comment};
use musterd_kit::lexicon::{Vocabulary, is_short_number, is_word_of, range};
use musterd_kit::set::is_too_long;

use super::forms::{GRAMMAR, Verb};
use crate::data::Acw;
use crate::model::{BrigadeId, HqId};

/// Words for many units, and directions.
const NOUNS: [&str; 14] = [
    "ALL",
    "EVERYBODY",
    "AND",
    "BRIGADE",
    "BRIGADES",
    "HQ",
    "NE",
    "E",
    "SE",
    "SW",
    "W",
    "NW",
    "NORTHWEST",
    "NORTHEAST",
];

/// What a lone line of a mail looks like.
pub(super) fn of(rules: &Acw, line: &str) -> Likeness {
    if is_too_long(line) {
        return Likeness::Prose;
    }
    let tokens = cut(without_comment(line));
    let Some((first, rest)) = tokens.split_first() else { return Likeness::Prose };
    let shouted = first.text.bytes().all(|b| b.is_ascii_uppercase());
    let is_ours = |token: &Token<'_>| {
        token.kind != Kind::Word
            || rules.is_name(token)
            || rules.is_noun(token)
            || GRAMMAR.has_word(token.text)
    };
    let is_named = |token: &Token<'_>| rules.is_name(token) || is_of_battle(rules, token) || token.is("ALL");
    let only_ours = !rest.is_empty() && rest.iter().all(is_ours);
    match GRAMMAR.verb(first.text).filter(|_| first.kind == Kind::Word) {
        Some(Verb::Roster | Verb::Advice) if rest.is_empty() => Likeness::Question,
        Some(Verb::Info) if only_ours && rest.iter().any(is_named) => Likeness::Question,
        Some(Verb::Info) if shouted && rest.iter().any(is_named) => Likeness::Question,
        Some(Verb::Roster | Verb::Advice | Verb::Info) => Likeness::Prose,
        // Orders by names alone: `Assault Sherman, Porter`.
        Some(Verb::Profile | Verb::Stop | Verb::Resign) if only_ours => Likeness::Order,
        Some(_) if only_ours && rest.iter().any(is_named) => Likeness::Order,
        _ => GRAMMAR.likeness(rules, line),
    }
}

/// Whether a word is of a name of the battle: of a unit, a commander or a place.
fn is_of_battle(rules: &Acw, token: &Token<'_>) -> bool {
    let is_of = |name: &str| is_word_of(name, token);
    let battle = rules.battle();
    let is_whole = |name: &str| token.text.len() > 2 && name.eq_ignore_ascii_case(token.text);
    let quoted = |name: &str| token.kind == Kind::Quoted && name.eq_ignore_ascii_case(token.text);
    let units = battle.armies.iter().any(|army| {
        army.brigades.iter().any(|spec| is_whole(&spec.name) || is_of(&spec.name) || is_of(&spec.commander))
            || army.hqs.iter().any(|spec| is_of(&spec.name) || is_of(&spec.commander))
    });
    units
        || battle.objectives.iter().any(|one| is_of(&one.name) || is_whole(&one.name) || quoted(&one.name))
        || battle.map.places.values().any(|name| is_of(name) || is_whole(name) || quoted(name))
}

impl Vocabulary for Acw {
    fn is_name(&self, token: &Token<'_>) -> bool {
        let text = token.text;
        let hq = text.strip_prefix(['H', 'h']).is_some_and(is_short_number);
        is_short_number(text)
            || hq
            || text.parse::<BrigadeId>().is_ok()
            || text.parse::<HqId>().is_ok()
            || text.parse::<Hex>().is_ok()
            || range(std::slice::from_ref(token)).is_some()
    }

    fn is_noun(&self, token: &Token<'_>) -> bool {
        token.is_any(&NOUNS) || is_of_battle(self, token)
    }
}

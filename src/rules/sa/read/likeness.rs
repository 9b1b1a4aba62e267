//! The words that the orders are told from prose by.

use musterd_engine::hex::Hex;
use musterd_engine::orders::Likeness;
use musterd_engine::tokens::Token;
use musterd_kit::lexicon::{Vocabulary, is_short_number, is_word_of};

use super::forms::GRAMMAR;
use super::line::{is_noun, units_of};
use crate::data::Sa;
use crate::model::UnitId;

/// What a lone line of a mail looks like.
pub(super) fn of(rules: &Sa, line: &str) -> Likeness {
    GRAMMAR.likeness(rules, line)
}

impl Vocabulary for Sa {
    fn is_name(&self, token: &Token<'_>) -> bool {
        let text = token.text;
        is_short_number(text)
            || text.parse::<UnitId>().is_ok()
            || text.parse::<Hex>().is_ok()
            || units_of(std::slice::from_ref(token), |_| true).is_some()
    }

    fn is_noun(&self, token: &Token<'_>) -> bool {
        let battle = self.battle();
        is_noun(token)
            || battle.field.places.values().any(|name| is_word_of(name, token))
            || battle.units.iter().any(|spec| is_word_of(&spec.name, token))
    }
}

//! The words that the orders are told from prose by.

use musterd_engine::hex::Hex;
use musterd_engine::orders::Likeness;
use musterd_engine::tokens::Token;
use musterd_kit::lexicon::Vocabulary;

use super::forms::GRAMMAR;
use super::line::{is_noun, units_of};
use crate::data::Sa;
use crate::model::UnitId;

/// The fewest letters of a word of a name.
const ENOUGH_OF_A_NAME: usize = 4;

/// What a lone line of a mail looks like.
pub(super) fn of(rules: &Sa, line: &str) -> Likeness {
    GRAMMAR.likeness(rules, line)
}

impl Vocabulary for Sa {
    fn is_name(&self, token: &Token<'_>) -> bool {
        let text = token.text;
        let bare = !text.is_empty() && text.len() <= 2 && text.bytes().all(|b| b.is_ascii_digit());
        bare || text.parse::<UnitId>().is_ok()
            || text.parse::<Hex>().is_ok()
            || units_of(std::slice::from_ref(token), |_| true).is_some()
    }

    fn is_noun(&self, token: &Token<'_>) -> bool {
        let is_of = |name: &str| {
            let mut words = name.split(|c: char| !c.is_alphanumeric());
            words.any(|word| word.len() >= ENOUGH_OF_A_NAME && word.eq_ignore_ascii_case(token.text))
        };
        let battle = self.battle();
        is_noun(token)
            || battle.field.places.values().any(|name| is_of(name))
            || battle.units.iter().any(|spec| is_of(&spec.name))
    }
}

//! The words that the orders are told from prose by.

use super::forms::GRAMMAR;
use crate::battle::hire::HireList;
use crate::data::Dog;
use crate::model::UnitId;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Likeness;
use musterd_engine::tokens::Token;
use musterd_kit::lexicon::Vocabulary;

/// The words of units and numbers.
const WORDS: [&str; 5] = ["UNIT", "UNITS", "OF", "ALL", "AND"];

/// What a lone line of a mail looks like.
pub(super) fn of(rules: &Dog, line: &str) -> Likeness {
    GRAMMAR.likeness(rules, line)
}

impl Vocabulary for Dog {
    fn is_name(&self, token: &Token<'_>) -> bool {
        let text = token.text;
        let bare = !text.is_empty() && text.len() <= 2 && text.bytes().all(|b| b.is_ascii_digit());
        bare || text.parse::<UnitId>().is_ok() || text.parse::<Hex>().is_ok()
    }

    fn is_noun(&self, token: &Token<'_>) -> bool {
        token.is_any(&WORDS)
            || self.numbers().find(token.text).is_some()
            || HireList::find(self.lists(), token.text).is_some()
            || self.battle().field.named(token.text).is_some()
    }
}

//! Orders, mistyped orders and the prose of a letter told apart, a line at a time, where the player marked no block.

use super::Grammar;
use crate::lexicon::Vocabulary;
use crate::set::is_too_long;
use musterd_engine::orders::Likeness;
use musterd_engine::particulars::{is_address, is_firm, without_particulars};
use musterd_engine::tokens::{Kind, Token, cut, is_telephone, without_comment};

/// Words of shapes that every letter uses too.
const PLAIN: [&str; 4] = ["IN", "INTO", "BY", "WITH"];

impl<V: Copy + PartialEq, K: Copy> Grammar<V, K> {
    /// What a line looks like, apart from its comment. One that would not be read, since it is too long, is prose.
    pub fn likeness(&self, vocabulary: &impl Vocabulary, line: &str) -> Likeness {
        if is_too_long(line) {
            return Likeness::Prose;
        }
        let tokens = cut(without_comment(line));
        let Some((first, rest)) = tokens.split_first() else { return Likeness::Prose };
        let is_name = |token: &Token<'_>| token.kind == Kind::Word && vocabulary.is_name(token);
        let is_ours = |token: &Token<'_>| {
            token.kind != Kind::Word
                || is_name(token)
                || self.has_word(token.text) && !token.is_any(&PLAIN)
                || vocabulary.is_noun(token)
        };
        let shouted = first.text.len() > 1 && first.text.bytes().all(|b| b.is_ascii_uppercase());
        let meant = rest.iter().filter(|token| is_ours(token)).count();
        let strange = rest.len() - meant;
        if self.verb(first.text).is_some() {
            let named = rest.iter().take(3).any(is_name);
            // `Hold the line, my friend` is prose; `hold 3 4` is an order.
            return match () {
                () if shouted && (named || meant > 0) => Likeness::Order,
                () if named && strange <= meant => Likeness::Order,
                () if named => Likeness::Doubtful,
                () => Likeness::Prose,
            };
        }
        if self.near_verb(first.text).is_some() && rest.iter().any(is_name) && strange <= meant {
            return if !shouted && is_address(&tokens) { Likeness::Prose } else { Likeness::Slip };
        }
        // Numbers alone are an address or a telephone's; with a place, a letter's unit or a verb they may be an order.
        let is_signature = is_telephone(&tokens) || is_firm(&tokens);
        let tokens = without_particulars(&tokens);
        let tells = |token: &Token<'_>| {
            let is_bare = token.text.len() <= 2 && token.text.bytes().all(|b| b.is_ascii_digit());
            is_name(token) && !is_bare
                || self.verb(token.text).is_some()
                || self.near_verb(token.text).is_some()
        };
        let names = tokens.iter().filter(|token| is_name(token)).count();
        if names > 1 && tokens.iter().any(tells) && !is_signature {
            Likeness::Doubtful
        } else {
            Likeness::Prose
        }
    }
}

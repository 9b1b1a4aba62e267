//! The first words of orders: their spellings, abbreviations and slips of the pen.

use super::names::{Fault, quote};
use musterd_engine::alike::{slips, unlikeness};
use musterd_engine::tokens::Token;

/// The first words of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    /// British points for an ally.
    Aid,
    /// Combat.
    Attack,
    /// A unit out of the pool.
    Build,
    /// No further move.
    End,
    /// Into the city.
    Garrison,
    /// A condition before an order.
    If,
    /// A question.
    Info,
    /// A march.
    Move,
    /// Morale up by one.
    Rally,
    /// A reaction: come to help.
    Reinforce,
    /// The standing file.
    Standing,
    /// On top of the stack.
    Top,
    /// A reaction: fall back.
    Withdraw,
}

/// Every verb as it may be written; the first spelling of each is its own.
const VERBS: [(&str, Verb); 18] = [
    ("AID", Verb::Aid),
    ("ATTACK", Verb::Attack),
    ("BUILD", Verb::Build),
    ("END", Verb::End),
    ("GARRISON", Verb::Garrison),
    ("IF", Verb::If),
    ("INFO", Verb::Info),
    ("MOVE", Verb::Move),
    ("RALLY", Verb::Rally),
    ("REINFORCE", Verb::Reinforce),
    ("STANDING", Verb::Standing),
    ("TOP", Verb::Top),
    ("WITHDRAW", Verb::Withdraw),
    ("ASSAULT", Verb::Attack),
    ("MARCH", Verb::Move),
    ("GO", Verb::Move),
    ("SUPPORT", Verb::Reinforce),
    ("RETREAT", Verb::Withdraw),
];

/// How many of [`VERBS`] may be cut short: the synonyms are written whole.
const ABBREVIATED: usize = 13;

fn verb_named(word: &str) -> Result<Verb, Vec<&'static str>> {
    if let Some(verb) = whole(word) {
        return Ok(verb);
    }
    let word = word.trim_end_matches(['.', ':']).to_ascii_uppercase();
    let begun: Vec<_> = VERBS[..ABBREVIATED].iter().filter(|(name, _)| name.starts_with(&word)).collect();
    match begun.as_slice() {
        [(_, verb)] if !word.is_empty() => Ok(*verb),
        several => Err(several.iter().map(|(name, _)| *name).collect()),
    }
}

/// How sure it is that a word is a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sureness {
    /// One of them, written whole.
    Whole(Verb),
    /// Cut short, and only one is meant.
    Short(Verb),
    /// Cut short too much.
    Ambiguous,
    /// One wrong letter away from one; two, in a longer word or in capitals.
    Near,
    /// No verb.
    No,
}

/// The verb that a word of a mail is, written whole.
pub(super) fn whole(word: &str) -> Option<Verb> {
    let word = word.trim_end_matches(['.', ':']);
    VERBS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, verb)| *verb)
}

/// How sure it is that a word of a mail is a verb.
pub(super) fn sureness(word: &str) -> Sureness {
    if let Some(verb) = whole(word) {
        return Sureness::Whole(verb);
    }
    let upper = word.trim_end_matches(['.', ':']).to_ascii_uppercase();
    match verb_named(&upper) {
        Ok(verb) => return Sureness::Short(verb),
        Err(begun) if begun.len() > 1 && !upper.is_empty() => return Sureness::Ambiguous,
        Err(_) => {}
    }
    if !(3..=12).contains(&upper.len()) {
        return Sureness::No;
    }
    let most = if upper.len() >= 5 || upper.len() == 4 && word == upper { 2 } else { 1 };
    let near = |name: &str| least_distance(&upper, name) <= most && slips(&upper, name) <= most;
    match VERBS.iter().any(|(name, _)| name.len() > 2 && near(name)) {
        true => Sureness::Near,
        false => Sureness::No,
    }
}

/// A lower bound for the distance of two words in capitals: a slip of the pen adds or removes at most one letter. It decides nearly all comparisons;
/// the distance itself is slow to compute.
fn least_distance(one: &str, other: &str) -> usize {
    let letters = |word: &str| {
        let letters = word.bytes().filter(u8::is_ascii_uppercase);
        letters.fold(0_u32, |all, letter| all | 1 << (letter - b'A'))
    };
    let (mine, theirs) = (letters(one), letters(other));
    let only = (mine & !theirs).count_ones().max((theirs & !mine).count_ones());
    let longer = one.chars().count().abs_diff(other.chars().count());
    longer.max(usize::try_from(only).unwrap_or(0))
}

/// The verb that a token is, or what may have been meant.
pub(super) fn verb(token: Token<'_>) -> Result<Verb, Fault> {
    verb_named(token.text).map_err(|begun| {
        if begun.len() > 1 && !token.text.is_empty() {
            let text = format!("{} could be {}.", quote(token.text), begun.join(" or "));
            return Fault::new(token.span, text).hint("write one letter more");
        }
        let fault = Fault::new(token.span, format!("{} is no order.", quote(token.text)));
        let word: String = token.text.chars().take(20).collect::<String>().to_ascii_uppercase();
        let names = VERBS.iter().map(|(name, _)| *name).chain(["READY", "WAIT"]);
        let near = names.map(|name| (unlikeness(&word, name), name)).min();
        match near {
            Some((unlikeness, name)) if unlikeness.slips <= 2 && word.len() > 2 => {
                fault.hint(format!("did you mean {name}?"))
            }
            _ => fault.hint(
                "orders begin with MOVE, ATTACK, GARRISON, END, TOP, BUILD, RALLY, AID, IF, STANDING or INFO",
            ),
        }
    })
}

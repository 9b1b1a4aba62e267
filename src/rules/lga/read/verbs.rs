//! The first words of orders: their spellings, abbreviations and slips of the pen.

use super::names::{Fault, quote};
use super::tokens::{Cursor, Kind, Token, without_comment};

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
    let word = word.trim_end_matches(['.', ':']).to_ascii_uppercase();
    if let Some((_, verb)) = VERBS.iter().find(|(name, _)| *name == word) {
        return Ok(*verb);
    }
    let begun: Vec<_> = VERBS[..ABBREVIATED].iter().filter(|(name, _)| name.starts_with(&word)).collect();
    match begun.as_slice() {
        [(_, verb)] if !word.is_empty() => Ok(*verb),
        several => Err(several.iter().map(|(name, _)| *name).collect()),
    }
}

/// Whether a line of a mail without an order block looks like an order: it begins with a verb, and goes on as only an order
/// does: with a number, a hex or a keyword.
pub(super) fn looks_like_order(line: &str) -> bool {
    let cursor = Cursor::new(without_comment(line));
    let Some((first, rest)) = cursor.rest().split_first() else { return false };
    let Ok(verb) = verb_named(first.text) else { return false };
    if rest.len() > 24 {
        return false;
    }
    let number =
        |t: &Token<'_>| t.kind == Kind::Quoted || t.text.bytes().next().is_some_and(|b| b.is_ascii_digit());
    match verb {
        Verb::Standing => rest.is_empty() || rest[0].is("NONE") || verb_named(rest[0].text).is_ok(),
        Verb::End if rest.is_empty() => true,
        Verb::If => rest.iter().any(|t| t.is_any(&["EMPTY", "HELD", "CONTROLLED"])),
        Verb::Info => !rest.is_empty() && rest.len() <= 6,
        _ => {
            let keyword = |t: &Token<'_>| t.kind == Kind::Word && ["TO", "AT", "WITH"].contains(&t.text);
            rest.iter().any(number) || rest.len() <= 8 && rest.iter().any(keyword) || rest.len() == 1
        }
    }
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
        let near = VERBS.iter().map(|(name, _)| (strsim::osa_distance(&word, name), name)).min();
        match near {
            Some((distance, name)) if distance <= 2 && word.len() > 2 => {
                fault.hint(format!("did you mean {name}?"))
            }
            _ => fault.hint(
                "orders begin with MOVE, ATTACK, GARRISON, END, TOP, BUILD, RALLY, AID, IF, STANDING or INFO",
            ),
        }
    })
}

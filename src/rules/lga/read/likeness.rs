//! Distinguishes orders, mistyped orders and the prose of a letter, line by line, if the player marked no block.
//!
//! A line is judged by its words: those that only orders use (numbers, keywords in capitals, names of units and cities) against those that no order
//! uses. A letter may say that somebody moved to Vienna, but it uses more words.

use super::forms::{GRAMMAR, Verb};
use crate::spelling::Spelling;
use musterd_engine::alike;
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::Likeness;
use musterd_engine::particulars::{is_address, is_disclaimer, is_firm, without_particulars};
use musterd_engine::tokens::{Cursor, Kind, Token, is_telephone, without_comment};
use musterd_kit::grammar::Sureness;
use musterd_kit::names::words;

/// Words for troops and for everybody: `Rally Everyone` may be meant as an order.
const TROOPS: &[&str] = &[
    "ARMY",
    "ARMIES",
    "CORPS",
    "CAVALRY",
    "CAV",
    "INFANTRY",
    "INF",
    "ARTILLERY",
    "ART",
    "GUARD",
    "GUARDS",
    "DIVISION",
    "BRIGADE",
    "REGIMENT",
    "MILITIA",
    "MIL",
    "TROOPS",
    "MEN",
    "UNITS",
    "EVERYONE",
    "EVERYBODY",
    "EVERYTHING",
    "EVERYWHERE",
    "BOTH",
    "THEM",
    "NORTH",
    "SOUTH",
    "EAST",
    "WEST",
    "NOW",
];
/// Short forms of verbs that are also words of a letter.
const PLAIN_WORDS: &[&str] = &["AT", "IN", "TO", "ST", "EN", "A", "I"];
/// Words of the forms that letters use too.
const OF_LETTERS: &[&str] = &["ADVANCE", "CLEARED", "IF", "MP", "MPS", "POINT", "POINTS"];
/// The least number of letters with which the beginning of a name counts as the name.
const ENOUGH_OF_A_NAME: usize = 4;

/// The least number of letters of a verb in prose: `if`, `go` and `end` occur in every letter.
const TELLING_VERB: usize = 4;

/// The kind of a line.
pub(super) fn of(spelling: &Spelling, line: &str) -> Likeness {
    let cursor = Cursor::new(without_comment(line));
    let Some((first, rest)) = cursor.rest().split_first() else { return Likeness::Prose };
    if is_firm(cursor.rest()) || is_name_of_others(spelling, first, rest) {
        return Likeness::Prose;
    }
    match told(spelling, first, rest) {
        Likeness::Slip if begins_like_a_name(first.text) && is_address(cursor.rest()) => Likeness::Prose,
        Likeness::Prose if speaks_of_war(spelling, cursor.rest()) => Likeness::Doubtful,
        likeness => likeness,
    }
}

/// Whether a verb only begins the name of a person or a club: only names follow it, and none of them is a name of the game's, misspelt or not, or a
/// word for troops. `March Hare`, `Rally Team Graz`.
fn is_name_of_others(spelling: &Spelling, first: &Token<'_>, rest: &[Token<'_>]) -> bool {
    let is_like_name = |t: &Token<'_>| {
        t.kind == Kind::Word && begins_like_a_name(t.text) && t.text.chars().all(char::is_alphabetic)
    };
    let is_word = |t: &Token<'_>| {
        is_keyword(t)
            || t.is_any(TROOPS)
            || Direction::from_abbreviation(t.text).is_some()
            || GRAMMAR.verb(t.text).is_some()
    };
    let is_ours = |t: &Token<'_>| {
        is_name(spelling, t.text)
            || words(t.text)
                .iter()
                .any(|word| alike::meant(word, spelling.vocabulary.iter().map(String::as_str)).is_some())
    };
    let is_cased = is_like_name(first) && !rest.is_empty() && rest.iter().all(is_like_name);
    is_cased
        && GRAMMAR.sureness(first.text) != Sureness::No
        && !rest.iter().any(is_word)
        && !rest.iter().any(is_ours)
}

/// Whether a line of prose contains a verb of orders, or has the form of one: two units or places by name or number, a unit by name in more words
/// than a signature, or a place with a direction word before it. A place alone is an address, and so is `Vive la France!`.
fn speaks_of_war(spelling: &Spelling, tokens: &[Token<'_>]) -> bool {
    if is_telephone(tokens) {
        return false;
    }
    let forbids = is_disclaimer(tokens);
    let tokens = &without_particulars(tokens)[..];
    let words = || tokens.iter().filter(|t| t.kind == Kind::Word);
    let verb = |t: &Token<'_>| {
        let bare = t.text.trim_end_matches('.');
        bare.len() >= TELLING_VERB && GRAMMAR.verb(bare).is_some_and(|verb| verb != Verb::Info)
    };
    // A telephone's digits are no units.
    let number = |t: &Token<'_>| {
        t.text.parse::<Hex>().is_ok()
            || t.text.parse::<usize>().is_ok_and(|n| (1..=spelling.units.len()).contains(&n))
    };
    let names = words().filter(|t| is_name(spelling, t.text)).count();
    let numbers = words().filter(|t| number(t)).count();
    let unit =
        |t: &Token<'_>| words_of(t.text).any(|word| spelling.units.iter().any(|name| name.contains(&word)));
    let town = |t: &Token<'_>| {
        let towns = || spelling.towns.iter().map(|(name, _)| name);
        let mut names = towns().chain(spelling.others.iter().map(|(_, name)| name));
        names.any(|name| words_of(t.text).any(|word| name.contains(&word)))
    };
    let is_moved = |pair: &[Token<'_>]| pair[0].is_any(&["TO", "->"]) && is_name(spelling, pair[1].text);
    !forbids && words().any(verb)
        || names + numbers > 1
        || words().count() > 2 && words().any(|t| unit(t) && !town(t))
        || tokens.windows(2).skip(1).any(is_moved)
        || tokens.first().is_some_and(|t| t.is("IF")) && has_condition(tokens)
}

fn has_condition(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|t| t.is_any(&["EMPTY", "HELD", "CONTROLLED"]))
}

fn has_verb(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|t| t.text.len() > 1 && GRAMMAR.verb(t.text).is_some())
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    words(text).into_iter().filter(|word| word.len() > 1)
}

fn told(spelling: &Spelling, first: &Token<'_>, rest: &[Token<'_>]) -> Likeness {
    let weights = Weights::of(spelling, rest);
    let capitals = first.text.len() > 1 && first.text.bytes().all(|b| b.is_ascii_uppercase());
    // `M. Ney` is a signature.
    let lead = if first.text.ends_with('.') { Sureness::No } else { GRAMMAR.sureness(first.text) };
    match lead {
        Sureness::Whole(Verb::Standing) if opens_section(rest, capitals) => Likeness::Order,
        Sureness::Whole(Verb::End | Verb::Standing) if rest.is_empty() => Likeness::Slip,
        Sureness::Whole(Verb::Info) => asked(spelling, rest),
        // The order itself may stand on the next line.
        Sureness::Whole(Verb::If) if weights.foreign == 0 && has_condition(rest) && !has_verb(rest) => {
            Likeness::Slip
        }
        Sureness::Whole(Verb::If) if !has_condition(rest) => {
            if capitals && weights.may_order() {
                Likeness::Slip
            } else {
                Likeness::Prose
            }
        }
        Sureness::Whole(_) if capitals => shouted(rest, &weights),
        Sureness::Whole(_) if weights.may_order() || weights.only_names() => Likeness::Order,
        Sureness::Whole(verb) if verb.takes_all() && is_all(rest) => Likeness::Order,
        Sureness::Short(_) | Sureness::Ambiguous => abbreviated(first, rest, &weights, lead, capitals),
        Sureness::Near if weights.may_order() => Likeness::Slip,
        _ if without_verb(spelling, first, rest, &weights) => Likeness::Slip,
        _ => Likeness::Prose,
    }
}

/// `INFO Ulm, 1406` asks; `Info: I am away` doesn't.
fn asked(spelling: &Spelling, rest: &[Token<'_>]) -> Likeness {
    let is_place =
        |t: &Token<'_>| t.text.parse::<Hex>().is_ok() || !is_number(t) && is_name(spelling, t.text);
    let is_between = |t: &Token<'_>| t.is_any(&[":", ",", "+", ";", ".", "?", "AND"]);
    let places = rest.iter().filter(|t| !is_between(t));
    if places.clone().count() > 0 && places.clone().all(is_place) {
        Likeness::Question
    } else {
        Likeness::Prose
    }
}

/// Whether a line opens the section: `STANDING`, `STANDING NONE`, `standing reinforce 3 …`; not `standing in the rain`.
fn opens_section(rest: &[Token<'_>], capitals: bool) -> bool {
    match rest {
        [] => capitals,
        [next, more @ ..] => {
            next.is("NONE") && more.is_empty()
                || next.is_any(&[":", "ORDERS"])
                || matches!(GRAMMAR.verb(next.text), Some(Verb::Reinforce | Verb::Withdraw | Verb::Top))
                    && more.iter().any(is_number)
        }
    }
}

/// A line that begins with a verb in capitals is an order, unless all of it is in capitals: `END OF MESSAGE`.
fn shouted(rest: &[Token<'_>], weights: &Weights) -> Likeness {
    if weights.strong > 0 || weights.foreign == 0 && weights.named > 0 || rest.len() == 1 {
        Likeness::Order
    } else if weights.foreign <= 1 {
        Likeness::Slip
    } else {
        Likeness::Prose
    }
}

/// `att Ulm with 3`, `m 3 ulm`; hardly `in 1805` or `G Smith`.
fn abbreviated(
    first: &Token<'_>,
    rest: &[Token<'_>],
    weights: &Weights,
    lead: Sureness<Verb>,
    capitals: bool,
) -> Likeness {
    let number_next = rest.first().is_some_and(is_number);
    if first.is_any(PLAIN_WORDS) && !capitals {
        return if number_next && weights.may_order() { Likeness::Slip } else { Likeness::Prose };
    }
    let enough = match first.text.chars().count() {
        1 => weights.may_order() && (number_next || weights.foreign == 0),
        2 => weights.may_order(),
        _ => weights.may_order() || weights.only_names(),
    };
    match (enough, lead) {
        (false, _) => Likeness::Prose,
        (true, Sureness::Ambiguous) => Likeness::Slip,
        (true, _) => Likeness::Order,
    }
}

/// An order whose verb is missing or misplaced: `3 TO Ulm`, `Please MOVE 3 TO Ulm`.
fn without_verb(spelling: &Spelling, first: &Token<'_>, rest: &[Token<'_>], weights: &Weights) -> bool {
    let verb_inside = rest.iter().any(|t| {
        t.text.len() > 2 && t.text.bytes().all(|b| b.is_ascii_uppercase()) && GRAMMAR.verb(t.text).is_some()
    });
    if verb_inside && weights.may_order() {
        return true;
    }
    let Some(to) = rest.iter().position(|t| t.is_any(&["TO", "->"])) else { return false };
    let place = &rest[to + 1..];
    let who = std::iter::once(first).chain(&rest[..to]);
    let is_place =
        |t: &Token<'_>| t.text.parse::<Hex>().is_ok() || !is_number(t) && is_name(spelling, t.text);
    weights.foreign == 0
        && !place.is_empty()
        && place.iter().all(is_place)
        && who
            .into_iter()
            .all(|t| is_number(t) || is_name(spelling, t.text) || t.is_any(&[",", "+", "AND", "ALL"]))
}

/// Whether a word stands in the forms, and seldom elsewhere.
fn is_keyword(token: &Token<'_>) -> bool {
    GRAMMAR.has_word(token.text) && !token.is_any(OF_LETTERS)
}

fn is_all(rest: &[Token<'_>]) -> bool {
    matches!(rest, [all] if all.is("ALL"))
}

/// `3`, `1507`, `1-3`.
fn is_number(token: &Token<'_>) -> bool {
    token.kind == Kind::Word
        && token.text.bytes().next().is_some_and(|b| b.is_ascii_digit())
        && token.text.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

/// Whether every part of a word is a word of a unit's or a city's name, or the beginning of one.
fn is_name(spelling: &Spelling, text: &str) -> bool {
    let parts = words(text);
    let known = |part: &String| {
        let next = spelling.vocabulary.range(part.clone()..).next();
        next.is_some_and(|word| {
            word == part || part.len() >= ENOUGH_OF_A_NAME && word.starts_with(part.as_str())
        })
    };
    !parts.is_empty() && parts.iter().all(known)
}

/// `Nay`, not `nay` nor `NAY`: in capitals it may be any word.
fn begins_like_a_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_uppercase)
        && chars.next().is_some_and(char::is_lowercase)
        && text.len() > 2
}

/// How many words of a line speak for an order, and how many against.
#[derive(Debug, Default)]
struct Weights {
    /// Numbers, names, quoted names, keywords in capitals.
    strong: usize,
    /// Keywords as a letter may use them.
    weak: usize,
    /// Unknown words that begin like a name.
    named: usize,
    /// Everything else, `!` and `?` too.
    foreign: usize,
}

impl Weights {
    fn of(spelling: &Spelling, tokens: &[Token<'_>]) -> Self {
        let mut weights = Self::default();
        for token in tokens {
            *weights.scale(spelling, token) += 1;
        }
        weights
    }

    fn scale(&mut self, spelling: &Spelling, token: &Token<'_>) -> &mut usize {
        let capitals = token.text.len() > 1 && token.text.bytes().all(|b| b.is_ascii_uppercase());
        let lower = token.text.strip_prefix(['x', 'X']).or_else(|| token.text.strip_suffix(['x', 'X']));
        let times = lower.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        match token.kind {
            Kind::Quoted => &mut self.strong,
            Kind::Mark if token.is("->") => &mut self.strong,
            Kind::Mark if token.is_any(&["!", "?", "(", ")"]) => &mut self.foreign,
            Kind::Mark => &mut self.weak,
            Kind::Word if is_number(token) => &mut self.strong,
            Kind::Word if is_keyword(token) && capitals => &mut self.strong,
            Kind::Word
                if is_keyword(token)
                    || times
                    || Direction::from_abbreviation(token.text).is_some()
                    || GRAMMAR.verb(token.text).is_some() =>
            {
                &mut self.weak
            }
            Kind::Word if is_name(spelling, token.text) => &mut self.strong,
            Kind::Word if begins_like_a_name(token.text) => &mut self.named,
            Kind::Word => &mut self.foreign,
        }
    }

    /// Whether the words of an order outweigh the others.
    const fn may_order(&self) -> bool {
        self.strong > 0 && self.foreign < self.strong + self.weak + self.named
    }

    /// Whether nothing but names and keywords stands there, though none of the names is known: `Nay to Brusels`.
    const fn only_names(&self) -> bool {
        self.named > 0 && self.foreign == 0
    }
}

#[cfg(test)]
mod tests;

//! Orders, mistyped orders and the prose of a letter told apart, a line at a time, where the player marked no block.
//!
//! A line is weighed by its words: those that only orders use (numbers, keywords in capitals, names of units and cities)
//! against those that no order knows. A letter may well say that somebody moved to Vienna; it says so in more words.

use super::verbs::{Sureness, Verb, sureness, whole};
use crate::engine::orders::Likeness;
use crate::engine::tokens::{Cursor, Kind, Token, is_telephone, without_comment};
use crate::hex::{Direction, Hex};
use crate::rules::lga::spelling::{Spelling, words};

/// The words of the grammar besides its verbs.
const KEYWORDS: &[&str] = &[
    "TO",
    "AT",
    "IN",
    "ON",
    "WITH",
    "BY",
    "FROM",
    "INTO",
    "AND",
    "ALL",
    "THEN",
    "ENTER",
    "UNTIL",
    "CLEAR",
    "WHILE",
    "MORALE",
    "ODDS",
    "WHEN",
    "ATTACKED",
    "ENTERED",
    "ALWAYS",
    "EMPTY",
    "HELD",
    "CONTROLLED",
    "IS",
    "NONE",
    "ORDERS",
];
/// Short forms of verbs that are words of a letter too.
const PLAIN_WORDS: &[&str] = &["AT", "IN", "TO", "ST", "EN", "A", "I"];
/// The letters from which on the beginning of a name counts as it.
const ENOUGH_OF_A_NAME: usize = 4;

/// The letters that a verb in prose has at least to be taken for one: `if`, `go` and `end` stand in every letter.
const TELLING_VERB: usize = 4;

/// What a line looks like.
pub(super) fn of(spelling: &Spelling, line: &str) -> Likeness {
    let cursor = Cursor::new(without_comment(line));
    let Some((first, rest)) = cursor.rest().split_first() else { return Likeness::Prose };
    match told(spelling, first, rest) {
        Likeness::Prose if speaks_of_war(spelling, cursor.rest()) => Likeness::Doubtful,
        likeness => likeness,
    }
}

/// Whether a line of prose has a verb of orders, or the shape of one: two units or places by name or number, a unit by name in more words
/// than a signature, or a place that something goes to. A place alone is an address, and `Vive la France!`.
fn speaks_of_war(spelling: &Spelling, tokens: &[Token<'_>]) -> bool {
    if is_telephone(tokens) {
        return false;
    }
    let words = || tokens.iter().filter(|t| t.kind == Kind::Word);
    let verb = |t: &Token<'_>| {
        let bare = t.text.trim_end_matches('.');
        bare.len() >= TELLING_VERB && whole(bare).is_some_and(|verb| verb != Verb::Info)
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
        words_of(t.text).any(|word| spelling.towns.iter().any(|(name, _)| name.contains(&word)))
    };
    let is_moved = |pair: &[Token<'_>]| pair[0].is_any(&["TO", "->"]) && is_name(spelling, pair[1].text);
    words().any(verb)
        || names + numbers > 1
        || words().count() > 2 && words().any(|t| unit(t) && !town(t))
        || tokens.windows(2).skip(1).any(is_moved)
        || tokens.first().is_some_and(|t| t.is("IF")) && has_condition(tokens)
}

fn has_condition(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|t| t.is_any(&["EMPTY", "HELD", "CONTROLLED"]))
}

fn has_verb(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|t| t.text.len() > 1 && whole(t.text).is_some())
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    words(text).into_iter().filter(|word| word.len() > 1)
}

fn told(spelling: &Spelling, first: &Token<'_>, rest: &[Token<'_>]) -> Likeness {
    let weights = Weights::of(spelling, rest);
    let capitals = first.text.len() > 1 && first.text.bytes().all(|b| b.is_ascii_uppercase());
    // `M. Ney` signs a letter.
    let lead = if first.text.ends_with('.') { Sureness::No } else { sureness(first.text) };
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
        Sureness::Whole(Verb::End | Verb::Rally | Verb::Garrison) if is_all(rest) => Likeness::Order,
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

/// `STANDING`, `STANDING NONE`, `standing reinforce 3 …`; hardly `standing in the rain`.
fn opens_section(rest: &[Token<'_>], capitals: bool) -> bool {
    match rest {
        [] => capitals,
        [next, more @ ..] => {
            next.is("NONE") && more.is_empty()
                || next.is_any(&[":", "ORDERS"])
                || matches!(whole(next.text), Some(Verb::Reinforce | Verb::Withdraw | Verb::Top))
                    && more.iter().any(is_number)
        }
    }
}

/// A line that begins with a verb in capitals is an order, unless it shouts: `END OF MESSAGE`.
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
    lead: Sureness,
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
        t.text.len() > 2 && t.text.bytes().all(|b| b.is_ascii_uppercase()) && whole(t.text).is_some()
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

/// `Nay`, not `nay` nor `NAY`: what is shouted may be any word.
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
            Kind::Word if token.is_any(KEYWORDS) && capitals => &mut self.strong,
            Kind::Word
                if token.is_any(KEYWORDS)
                    || times
                    || Direction::from_abbreviation(token.text).is_some()
                    || whole(token.text).is_some() =>
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
mod tests {
    use super::*;
    use crate::rules::lga::fixture::rules;

    #[test]
    fn lone_lines_of_a_mail_are_told_from_prose() {
        let rules = rules("austrian-1805");
        let orders = [
            "MOVE 1 TO Ulm",
            "m 1 ulm",
            "move ney to ulm",
            "Move Nay to Brusels",
            "MOVE 3 to Wroclaw now please",
            "- march III to Brus;",
            "Attack Ulm WITH Ney",
            "att ulm with 3 x2 then enter",
            "END 3",
            "END 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16",
            "END ALL",
            "rally all",
            "standing none",
            "STANDING",
            "STANDING REINFORCE 3 TO 1303",
            "reinforce 3 to 1303 when 1303 attacked",
            "if Ulm empty move 3 to Ulm",
            "rally 6",
            "GARRISON nay",
            "Garrison Nay",
            "garrison Ulm with 3",
            "MOVE: 3 -> Ulm",
            "B \"Rhine Mil\"",
        ];
        let questions = ["INFO Ulm", "info: Ulm, 1406", "INFO Ulm AND Munich?"];
        let slips = [
            "IF Ulm EMPTY",
            "MVOE 3 TO Ulm",
            "mvoe ney to ulm",
            "ATACK 1507 WITH 3",
            "Attak 1507 with Davout",
            "garison 3",
            "GARISON Ney",
            "R 3",
            "A 1507 WITH 3",
            "at 1507 with 3",
            "3 TO Ulm",
            "Davout and Ney to Ulm",
            "Please MOVE 3 TO Ulm",
            "END",
            "end",
        ];
        let prose = [
            "Dear Napoleon,",
            "If you like we can talk on Sunday.",
            "Top idea!",
            "Go on",
            "End of my letter.",
            "END OF MESSAGE",
            "in Vienna",
            "To Davout:",
            "Best regards",
            "Ney",
            "M. Ney",
            "G. Smith",
            "Marshal Ney",
            "Tom Smith",
            "John",
            "Love, Anna",
            "Sent from my iPhone",
            "Tel. 089 123456",
            "Tel 089 123456",
            "+49 89 123456",
            "Sent from my iPhone 15 Pro",
            "See you on Monday at 8!",
            "Add 3 to the list",
            "Thanks for the dispatch of 3 May; it was a pleasure to read.",
            "Get Outlook for iOS",
            "",
            "# MOVE 3 TO Ulm",
            "> quoted",
            "Director, Paris office",
            "Vive la France!",
            "Good luck at Ulm!",
            "at Ulm he stood",
            "Munich is a fine town",
            "+49 89 12 34 56 7",
            "06 12 34 56 78",
            "020 7946 0958",
            "0121 496 0000",
            "Tel. 89 12 34 56 7",
            "Info: Ulm is mine!",
            "INFO",
            "INFO Nowhere",
        ];
        let doubtful = [
            "Move along, nothing to see here, dear Emperor, and give my best to Josephine",
            "Dear GM, I move to Vienna next week!",
            "I move to Vienna next week!",
            "Move fast!",
            "Move fast",
            "Move 3 went badly for me, I think.",
            "Attack is the best defence, as you always say, my friend.",
            "Attack at 1507 was a disaster, I must say!",
            "Build 17 is too dear for me now, alas",
            "If Ulm is held I shall come and help",
            "standing in the rain",
            "Standing by",
            "In Paris, 3 May 1805",
            "Vienna, 3 November 2026",
            "I have 3 corps at Ulm and shall stay",
            "A 3 day pass would be nice",
            "9 to 5",
            "On 21 Nov 2026 the host wrote:",
            "Hold Ulm with Davout",
            "M3 to Paris",
            "Napoleon goes to Paris",
            "rally everyone",
            "Build another militia",
            "move 3 to wherever you like",
            "Ney Paris",
            "Davout shall stay there",
            "Third corps to Ulm",
            "12 1204 13 1305",
            "0909 0908 0907",
            "(3) 1204 1305",
            "Info: I am away from 12 to 15 December",
        ];
        let expected = [
            (Likeness::Order, &orders[..]),
            (Likeness::Question, &questions[..]),
            (Likeness::Slip, &slips[..]),
            (Likeness::Doubtful, &doubtful[..]),
            (Likeness::Prose, &prose[..]),
        ];
        for (expected, lines) in expected {
            let wrong: Vec<_> = lines.iter().filter(|line| of(rules.spelling(), line) != expected).collect();
            let wrong: Vec<_> = wrong.into_iter().map(|line| (line, of(rules.spelling(), line))).collect();
            assert!(wrong.is_empty(), "not {expected:?}: {wrong:#?}");
        }
    }
}

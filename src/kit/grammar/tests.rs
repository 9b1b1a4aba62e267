//! A small language: what open nouns, ways and short verbs are read as, and how each is written.

use super::*;
use crate::lexicon::{Lexicon, at, missing};
use musterd_engine::tokens::{Cursor, Token};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    March,
    Strike,
    Muster,
}

/// Every noun is the text of its tokens, but for a number, which is one token of digits.
struct Texts;

impl Lexicon for Texts {
    type Kind = bool;
    type Noun = String;

    fn read(&self, is_number: bool, cursor: &mut Cursor<'_>) -> Result<String, Remark> {
        let count = if is_number { 1 } else { cursor.rest().len() };
        let words: Vec<&str> = cursor.rest().iter().take(count).map(|token| token.text).collect();
        match words.first() {
            None => Err(missing(cursor, "Who or where?")),
            Some(word) if is_number && word.parse::<u8>().is_err() => {
                Err(at(cursor.rest()[0], format!("`{word}` is no number.")))
            }
            Some(_) => {
                cursor.skip(count);
                Ok(words.join(" "))
            }
        }
    }

    fn begins(&self, is_number: bool, tokens: &[Token<'_>]) -> bool {
        is_number && tokens.first().is_some_and(|token| token.text.parse::<u8>().is_ok())
    }
}

const FORMS: &[Form<Verb>] = &[
    Form {
        verb: Verb::March,
        words: &["MARCH", "GO"],
        shape: "( {who:text+..} [ AT {from:text..} ] TO {goal:text..} / {who:text+..} AT {at:text..} ) [ x {times:number} ]",
        missing: &[lack("TO|AT", "Where to?").hint("MARCH 3 TO Ulm")],
        uses: &[],
    },
    Form {
        verb: Verb::Strike,
        words: &["STRIKE"],
        shape: "( ALL [ AT {from:text..} ] / {who:text..} ) AT$ {at:text..}",
        missing: &[],
        uses: &[],
    },
    Form {
        verb: Verb::Muster,
        words: &["MUSTER"],
        shape: "( all=ALL IN! [ , ] / {who:text+..} ) [ AT|ON$ {at:text..} ] [ WHEN ( {of:text..} SEEN / {of:text..} gone=GONE ) ]",
        missing: &[lack("IN", "Where in?")],
        uses: &[],
    },
];

fn grammar() -> Grammar<Verb, bool> {
    let manner = Manner { cut_short: true, ..Manner::of("order") };
    Grammar::new(manner, FORMS, |kind| match kind {
        "text" => Some(false),
        "number" => Some(true),
        _ => None,
    })
}

/// The parts of a line as `name=text`, or the remark with the place.
fn said(line: &str) -> String {
    match grammar().read(&Texts, line, |_| true) {
        Ok(None) => String::new(),
        Ok(Some(read)) => {
            let part = |part: &Part<String>| match &part.said {
                Said::Noun(noun) => format!("{}={noun}", part.name),
                Said::Word | Said::All => part.name.to_owned(),
            };
            read.parts.iter().map(part).collect::<Vec<_>>().join(" ")
        }
        Err(remark) => {
            format!("{:?} {} {}", remark.span.unwrap(), remark.text, remark.hint.unwrap_or_default())
        }
    }
}

#[test]
fn an_open_noun_goes_to_the_word_that_follows_it() {
    for (line, parts) in [
        ("MARCH Old Guard, 3 TO St. Petersburg", "who=Old Guard who=3 goal=St. Petersburg"),
        ("MARCH 3 AT Ulm TO Wien x 2", "who=3 from=Ulm goal=Wien times=2"),
        ("MARCH 3 AND and 4 AT Ulm", "who=3 who=4 at=Ulm"),
        ("STRIKE ALL AT Ulm", "at=Ulm"),
        ("STRIKE ALL AT Ulm AT Wien", "from=Ulm at=Wien"),
        ("STRIKE VI Ney AT Wien", "who=VI Ney at=Wien"),
        ("MUSTER AND", ""),
        ("MUSTER , 3", "who=3"),
        ("MUSTER ALL", "all"),
        ("MUSTER ALL Saints", "who=ALL Saints"),
        ("MUSTER ALL AT Ulm", "all at=Ulm"),
        ("MUSTER Army at Ulm ON Wien", "who=Army at Ulm at=Wien"),
        ("MUSTER 3 WHEN Ulm GONE", "who=3 of=Ulm gone"),
        ("", ""),
    ] {
        assert_eq!(said(line), parts, "{line}");
    }
}

#[test]
fn a_remark_points_at_what_does_not_fit() {
    for (line, remark) in [
        ("MARCH TO Ulm", "(6, 2) Who or where? "),
        ("MARCH 3 Ulm", "(6, 1) Where to? MARCH 3 TO Ulm"),
        ("MARCH 3 TO", "(10, 1) Who or where? "),
        ("MARCH 3 TO Ulm x y", "(17, 1) `y` is no number. "),
        ("MARCH 3 TO Ulm x 2 3", "(19, 1) What is `3` here? The order is complete before it. "),
        ("STRIKE 3", "(8, 1) Expected AT here. for example STRIKE"),
        ("MUSTER", "(6, 1) Who or where? "),
        ("MUSTER ALL , IN", "(13, 2) What is `IN` here? The order is complete before it. "),
        ("MUSTER 3 WHEN Ulm GONE SEEN", "(23, 4) What is `SEEN` here? The order is complete before it. "),
    ] {
        assert_eq!(said(line), remark, "{line}");
    }
}

#[test]
fn a_verb_may_be_cut_short_while_one_is_meant() {
    let named = |word: &str| {
        let mut cursor = Cursor::new(word);
        let verb = grammar().verb_of(cursor.take().unwrap(), |verb| verb != Verb::Strike);
        verb.map_err(|remark| format!("{} {}", remark.text, remark.hint.unwrap()))
    };
    for (word, verb) in [("mar", Verb::March), ("Str.", Verb::Strike), ("go", Verb::March)] {
        assert_eq!(named(word), Ok(verb), "{word}");
    }
    for (word, remark) in [
        ("M", "`M` could be MARCH or MUSTER. write one letter more"),
        ("MRACH", "`MRACH` is no order. did you mean MARCH?"),
        ("G", "`G` is no order. orders are MARCH, MUSTER"),
    ] {
        assert_eq!(named(word), Err(remark.to_owned()), "{word}");
    }
    let sure = |word: &str| grammar().sureness(word);
    assert_eq!([sure("Go"), sure("Must")], [Sureness::Whole(Verb::March), Sureness::Short(Verb::Muster)]);
    assert_eq!(
        [sure("m"), sure("marhc"), sure("hello")],
        [Sureness::Ambiguous, Sureness::Near, Sureness::No]
    );
}

#[test]
fn an_order_is_written_by_the_way_that_has_a_place_for_its_parts() {
    let written = |verb, parts: &[(&'static str, &str)]| {
        let parts: Vec<Part<String>> =
            parts.iter().map(|(name, text)| Part::noun(name, (*text).to_owned())).collect();
        grammar().write(verb, &parts, |noun, line| line.push_str(noun))
    };
    assert_eq!(written(Verb::March, &[("who", "3"), ("who", "4"), ("goal", "Ulm")]), "MARCH 3, 4 TO Ulm");
    assert_eq!(written(Verb::March, &[("who", "3"), ("at", "Ulm"), ("times", "2")]), "MARCH 3 AT Ulm x 2");
    assert_eq!(written(Verb::Strike, &[("who", "VI Ney"), ("at", "Wien")]), "STRIKE VI Ney AT Wien");
}

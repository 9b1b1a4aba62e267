//! Finds contact details below a letter: telephone numbers, addresses, names of firms, disclaimers. Numbers and verbs in them are not read as orders.

use super::tokens::{Kind, Token, is_telephone};

/// Words that occur in street names. See also [`STREET_ENDS`].
const STREETS: &[&str] = &[
    "street",
    "st",
    "str",
    "road",
    "rd",
    "avenue",
    "ave",
    "lane",
    "ln",
    "square",
    "sq",
    "drive",
    "court",
    "close",
    "crescent",
    "terrace",
    "boulevard",
    "blvd",
    "rue",
    "quai",
    "via",
    "viale",
    "piazza",
    "calle",
    "plaza",
    "paseo",
    "rua",
    "ulica",
    "ul",
    "house",
    "floor",
    "suite",
    "box",
];
/// Endings of street names that are one word.
const STREET_ENDS: &[&str] =
    &["strasse", "stra\u{df}e", "str", "gasse", "platz", "weg", "allee", "straat", "gatan", "vej", "laan"];
/// Words in small letters that may stand in a street name.
const PARTICLES: &[&str] =
    &["de", "la", "du", "des", "le", "der", "dem", "den", "am", "an", "of", "the", "del"];
/// Legal forms that end the name of a firm.
const LEGAL_FORMS: &[&str] = &[
    "gmbh", "mbh", "ag", "kg", "ohg", "gbr", "ltd", "limited", "llc", "llp", "inc", "plc", "pty", "sarl",
    "srl", "bv", "oy", "kft",
];
/// Words that are usual in a disclaimer and rare in a letter about a game.
const DISCLAIMERS: &[&str] = &[
    "confidential",
    "confidentiality",
    "privileged",
    "recipient",
    "recipients",
    "addressee",
    "addressees",
    "disclaimer",
    "disseminate",
    "dissemination",
    "unauthorised",
    "unauthorized",
    "authorised",
    "authorized",
    "prohibited",
];
/// The fewest words of a disclaimer.
const SHORTEST_DISCLAIMER: usize = 8;
/// The most words of a street with its number, or of a town with its postcode.
const MOST_WORDS: usize = 6;
/// The most label words (`Support:`) beside a mail or web address.
const MOST_LABELS: usize = 2;

/// The tokens of a line without telephone numbers, mail and web addresses, streets and towns.
pub fn without_particulars<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut follows_street = false;
    let parts: Vec<&[Token<'a>]> = tokens.split_inclusive(is_between).collect();
    for (n, part) in parts.iter().enumerate() {
        let mut rest = without_net_addresses(part);
        let is_street = match street_from(&rest, parts.get(n + 1).copied().unwrap_or_default()) {
            Some(from) => {
                rest.truncate(from);
                true
            }
            None => false,
        };
        if follows_street && !is_street {
            rest.drain(..town_length(&rest));
        }
        follows_street = is_street;
        if !is_telephone(without_end(&rest)) {
            kept.extend(rest);
        }
    }
    kept
}

/// Whether a line holds an address or a telephone number and nothing else: `Marsch 12, 8010 Graz`.
pub fn is_address(tokens: &[Token<'_>]) -> bool {
    without_particulars(tokens).iter().all(|t| t.kind == Kind::Mark)
}

/// Whether a sentence is a disclaimer, which warns readers for whom the mail was not meant. It may contain verbs such as move, copy or forward.
pub fn is_disclaimer(tokens: &[Token<'_>]) -> bool {
    let words = || tokens.iter().filter(|t| t.kind == Kind::Word);
    words().count() >= SHORTEST_DISCLAIMER && words().any(|t| is_among(t.text, DISCLAIMERS))
}

/// Whether a firm's legal form stands among the words after the first, whatever the name before it: `Move Logistics GmbH`.
pub fn is_firm(tokens: &[Token<'_>]) -> bool {
    tokens.len() > 1 && tokens.iter().skip(1).any(|t| t.kind == Kind::Word && is_among(t.text, LEGAL_FORMS))
}

/// Whether a token separates two parts of a line below a letter.
fn is_between(token: &Token<'_>) -> bool {
    token.kind == Kind::Mark && token.is_any(&["|", "\u{b7}", "\u{2022}", ",", ";"])
}

fn without_end<'t, 'a>(part: &'t [Token<'a>]) -> &'t [Token<'a>] {
    match part {
        [rest @ .., last] if is_between(last) => rest,
        all => all,
    }
}

/// The part without mail and web addresses. A few words beside an address are its label and are left out too: `Support: help@example.org`.
fn without_net_addresses<'a>(part: &[Token<'a>]) -> Vec<Token<'a>> {
    let is_at = |at: usize| part.get(at).is_some_and(|t| t.is("@"));
    let is_net = |at: usize| {
        let text = part[at].text;
        is_at(at)
            || at.checked_sub(1).is_some_and(is_at)
            || is_at(at + 1)
            || text.starts_with("www.")
            || text.contains("//")
            || text.is_empty()
    };
    let kept: Vec<Token<'a>> = (0..part.len()).filter(|at| !is_net(*at)).map(|at| part[at]).collect();
    let words = kept.iter().filter(|t| t.kind == Kind::Word).count();
    if kept.len() < part.len() && words <= MOST_LABELS { Vec::new() } else { kept }
}

/// Where in a part a street name with its number begins: `1 King Street`, `Marktgasse 3`; or any name with a number, if the next part is a postcode
/// with a town.
fn street_from(part: &[Token<'_>], next: &[Token<'_>]) -> Option<usize> {
    let from = part.iter().rposition(|t| t.is(":")).map_or(0, |colon| colon + 1);
    let street = without_end(&part[from..]);
    let is_number = |t: &Token<'_>| t.text.len() <= 5 && t.text.starts_with(|c: char| c.is_ascii_digit());
    let is_word = |t: &Token<'_>| is_number(t) || is_capitalised(t) || is_among(t.text, PARTICLES);
    let is_streets = |t: &Token<'_>| {
        let word = t.text.trim_end_matches('.').to_lowercase();
        is_among(t.text, STREETS)
            || STREET_ENDS.iter().any(|end| word.len() > end.len() && word.ends_with(end))
    };
    let is_short = (2..=MOST_WORDS).contains(&street.len()) && street.iter().all(is_word);
    let has_number = street.first().is_some_and(is_number) || street.last().is_some_and(is_number);
    (is_short && has_number && (street.iter().any(is_streets) || begins_with_postcode(next))).then_some(from)
}

/// Whether the part begins with a postcode: `8010 Graz`, `75001 Paris`.
fn begins_with_postcode(part: &[Token<'_>]) -> bool {
    let [code, town, ..] = part else { return false };
    (4..=5).contains(&code.text.len())
        && code.text.bytes().all(|b| b.is_ascii_digit())
        && is_capitalised(town)
        && without_end(part).len() <= MOST_WORDS
}

/// The number of words after a street that are its postcode and town.
fn town_length(part: &[Token<'_>]) -> usize {
    let is_of_town = |t: &&Token<'_>| is_capitalised(t) || t.text.starts_with(|c: char| c.is_ascii_digit());
    part.iter().take(MOST_WORDS).take_while(is_of_town).count()
}

fn is_capitalised(token: &Token<'_>) -> bool {
    token.kind == Kind::Word && token.text.starts_with(char::is_uppercase)
}

fn is_among(text: &str, words: &[&str]) -> bool {
    let bare = text.trim_end_matches('.');
    words.iter().any(|word| bare.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::cut;

    fn left(line: &str) -> String {
        let kept = without_particulars(&cut(line));
        kept.iter().filter(|t| t.kind == Kind::Word).map(|t| t.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn telephones_addresses_and_streets_go() {
        for line in [
            "Tel +44 20 7946 0000 | Mob +44 7700 900000",
            "P +1 (555) 010-2345 | F +1 (555) 010-2346",
            "T: +44 20 7946 0000  M: +44 7700 900000",
            "1 King Street, London EC2V 8AU",
            "12 Rue de Rivoli, 75001 Paris",
            "Marktgasse 3, 8010 Graz",
            "Marsch 12, 8010 Graz",
            "Support: support@example.com",
            "Tel. 01 42 34 12 11, www.example.org",
        ] {
            assert_eq!(left(line), "", "{line}");
        }
        assert_eq!(
            left(
                "Registered office: 1 King Street, London EC2V 8AU. Registered in England and Wales No. 123456."
            ),
            "Registered office in England and Wales No. 123456"
        );
    }

    #[test]
    fn what_may_be_an_order_stays() {
        for line in [
            "12 to Paris",
            "1 Cav should go to Reims as well",
            "Davout and Ney march on the road to Ulm",
            "12 1204 13 1305",
            "move 12, 13 to Reims",
            "Ney 3, Davout 4",
            "0909 0908 0907",
        ] {
            assert_eq!(
                left(line).split_whitespace().count(),
                cut(line).iter().filter(|t| t.kind == Kind::Word).count(),
                "{line}"
            );
        }
    }

    #[test]
    fn firms_and_disclaimers_are_told() {
        assert!(is_firm(&cut("Move Logistics GmbH, Wien")) && is_firm(&cut("RALLY LTD.")));
        assert!(!is_firm(&cut("move Ney to Ulm")) && !is_firm(&cut("Limited")));
        let warns = "If you are not the intended recipient do not move, copy or forward this mail.";
        assert!(is_disclaimer(&cut(warns)));
        assert!(!is_disclaimer(&cut("Please move the 1st cavalry to Reims as well, my friend.")));
    }
}

//! What a seat was told, as the log binds it (dice.md, "What was told").

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use memchr::memchr;
use serde::{Deserialize, Serialize};

use crate::hash::{Digest, hash, keyed};
use crate::ids::{GameId, Seat};
use crate::natural::natural;
use crate::secret::Secret;

/// What a note that binds a telling begins with.
pub(crate) const TOLD: &str = "told ";
/// What the line before what is bound begins with.
const BEGINS: &str = "Told:";
/// The two words that the line behind it begins with.
const ENDS: [&str; 2] = ["End", "told:"];
/// What a mail says whose middle was left out, in its words.
const CUT: &str = "[ This mail was too long: its middle is left out. ]";

/// Which telling: the `n`th to a seat of one adjudication.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TellingId {
    /// The adjudication that it tells of: of a receipt, the one whose orders it answers.
    pub t: u32,
    /// To whom.
    pub seat: Seat,
    /// Which of those to this seat about `t`, from 1.
    pub n: u32,
}

/// What a telling is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", try_from = "String")]
pub enum TellingKind {
    /// The report after an adjudication.
    Dispatch,
    /// The last report.
    Final,
    /// The answer to orders.
    Receipt,
}

impl TellingKind {
    const ALL: [Self; 3] = [Self::Dispatch, Self::Final, Self::Receipt];

    /// The kind as it is hashed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dispatch => "dispatch",
            Self::Final => "final",
            Self::Receipt => "receipt",
        }
    }
}

/// It is a word in JSON, and nothing else that an enumeration might be written as: an object with that name, for one.
impl TryFrom<String> for TellingKind {
    type Error = String;
    fn try_from(word: String) -> Result<Self, String> {
        let known =
            [Self::Dispatch, Self::Final, Self::Receipt].into_iter().find(|kind| kind.as_str() == word);
        known.ok_or_else(|| "a telling is a `dispatch`, a `final` or a `receipt`".to_owned())
    }
}

/// What was told, as far as it is bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// What it is.
    pub kind: TellingKind,
    /// SHA-256 of the [words of the text](text_words).
    pub text: Option<Digest>,
    /// SHA-256 of the words of the page.
    pub html: Option<Digest>,
    /// SHA-256 of the data's bytes.
    pub data: Option<Digest>,
    /// SHA-256 of what the seat witnessed, by the rules.
    pub facts: Option<Digest>,
    /// What the host and its game master say there in their own words.
    pub said: Vec<String>,
}

impl Contents {
    /// Whether it has no more than its kind has: a receipt is text alone.
    #[must_use]
    pub const fn is_of_its_kind(&self) -> bool {
        !matches!(self.kind, TellingKind::Receipt)
            || (self.html.is_none() && self.data.is_none() && self.facts.is_none())
    }

    /// The commitment: `wording` is the number of the program's wording.
    #[must_use]
    pub fn commit(&self, secret: &Secret, game: &GameId, id: &TellingId, wording: u32) -> Digest {
        let (t, n, wording) = (id.t.to_string(), id.n.to_string(), wording.to_string());
        let place = [game.as_str().as_bytes(), t.as_bytes(), id.seat.as_str().as_bytes(), n.as_bytes()];
        let blind = keyed(secret.as_bytes(), "toldblind", &place);
        let said: Vec<&[u8]> = self.said.iter().map(String::as_bytes).collect();
        let said = hash("said", &said);
        let bytes =
            |digest: &'_ Option<Digest>| digest.map_or_else(Vec::new, |digest| digest.as_bytes().to_vec());
        let forms = [&self.text, &self.html, &self.data, &self.facts].map(bytes);
        let mut fields = place.to_vec();
        fields.extend([blind.as_bytes().as_slice(), wording.as_bytes(), self.kind.as_str().as_bytes()]);
        fields.extend(forms.iter().map(Vec::as_slice));
        fields.push(said.as_bytes());
        hash("told", &fields)
    }
}

/// The note that binds a telling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldNote {
    /// Which.
    pub id: TellingId,
    /// What it is.
    pub kind: TellingKind,
    /// The number of the program's wording.
    pub wording: u32,
    /// The commitment.
    pub commit: Digest,
}

impl fmt::Display for ToldNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id: TellingId { t, seat, n }, kind, wording, commit } = self;
        write!(f, "{TOLD}{t} {seat} {n} {} {wording} {commit}", kind.as_str())
    }
}

/// A text that binds no telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is not `told T SLOT N KIND TELLING COMMIT`")]
pub struct NotTold;

impl FromStr for ToldNote {
    type Err = NotTold;
    fn from_str(text: &str) -> Result<Self, NotTold> {
        let fields: Vec<&str> = text.strip_prefix(TOLD).ok_or(NotTold)?.split(' ').collect();
        let [t, seat, n, kind, wording, commit] = fields[..] else { return Err(NotTold) };
        let kind = TellingKind::ALL.into_iter().find(|known| known.as_str() == kind).ok_or(NotTold)?;
        let seat = seat.parse().map_err(|_| NotTold)?;
        let [t, n, wording] = [t, n, wording].map(natural);
        let (t, n, wording) = (t.ok_or(NotTold)?, n.ok_or(NotTold)?, wording.ok_or(NotTold)?);
        Ok(Self { id: TellingId { t, seat, n }, kind, wording, commit: commit.parse().map_err(|_| NotTold)? })
    }
}

/// The opening of a telling, as the audit file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Members")]
pub struct Opening {
    /// The index of its entry in the log.
    pub entry: u64,
    /// What was told.
    #[serde(flatten)]
    pub contents: Contents,
}

/// The members of an opening, as they are read: `flatten` would read those that nobody knows too, whatever is in them.
#[derive(Deserialize)]
struct Members {
    entry: u64,
    kind: TellingKind,
    text: Option<Digest>,
    html: Option<Digest>,
    data: Option<Digest>,
    facts: Option<Digest>,
    said: Vec<String>,
}

impl From<Members> for Opening {
    fn from(members: Members) -> Self {
        let Members { entry, kind, text, html, data, facts, said } = members;
        Self { entry, contents: Contents { kind, text, html, data, facts, said } }
    }
}

impl TellingId {
    /// The line before what is bound, in a mail of this game.
    #[must_use]
    pub fn begins(&self, game: &GameId) -> String {
        format!("{BEGINS} {}", self.words(game))
    }

    /// The line behind it.
    #[must_use]
    pub fn ends(&self, game: &GameId) -> String {
        format!("{} {} {}", ENDS[0], ENDS[1], self.words(game))
    }

    fn words(&self, game: &GameId) -> String {
        format!("{game} {} {} {}", self.t, self.seat, self.n)
    }
}

/// What stands between the two marks of a mail's text or page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// The game that the marks name.
    pub game: GameId,
    /// The telling that they name.
    pub id: TellingId,
    /// Whether the end is there, and nothing was left out between: only then the rest can be compared.
    pub is_whole: bool,
    /// Whether it says that its middle was left out.
    pub is_cut: bool,
    /// SHA-256 of the words.
    pub digest: Digest,
    /// Its plain words.
    pub plain: PlainWords,
}

/// A word of a text or a page.
struct Word<'a> {
    text: Cow<'a, str>,
    /// Whether it stands in the source. The number of an item in a list doesn't.
    written: bool,
    /// Whether the other forms have it too. The words of a drawing are in none.
    plain: bool,
}

impl Marked {
    /// What a mail's plain text has between its marks; `None` where it has no mark.
    #[must_use]
    pub fn in_text(text: &str) -> Option<Self> {
        let words = split(text).map(|word| Word { text: word.into(), written: true, plain: true });
        Self::among(&words.collect::<Vec<_>>())
    }

    /// What a mail's page of HTML has between its marks.
    #[must_use]
    pub fn in_page(html: &str) -> Option<Self> {
        Self::among(&page_words_of(html))
    }

    fn among(words: &[Word<'_>]) -> Option<Self> {
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_ref());
        let named = |at: usize| {
            let id = TellingId {
                t: natural(text(at + 1))?,
                seat: text(at + 2).parse().ok()?,
                n: natural(text(at + 3))?,
            };
            Some((text(at).parse::<GameId>().ok()?, id))
        };
        let (begins, game, id) = (0..words.len()).find_map(|at| {
            let (game, id) = if text(at) == BEGINS { named(at + 1)? } else { return None };
            Some((at, game, id))
        })?;
        let is_end = |at: &usize| {
            text(*at) == ENDS[0]
                && text(at + 1) == ENDS[1]
                && named(at + 2).as_ref() == Some(&(game.clone(), id.clone()))
        };
        let end = (begins + 5..words.len()).rev().find(is_end);
        let inside = &words[begins + 5..end.unwrap_or(words.len())];
        let joined = join(inside.iter().filter(|word| word.written).map(|word| word.text.as_ref()));
        let plain = inside.iter().filter(|word| word.plain).map(|word| word.text.as_ref());
        let is_cut = joined.contains(CUT);
        Some(Self {
            is_whole: end.is_some() && !is_cut,
            is_cut,
            digest: Digest::of(joined.as_bytes()),
            plain: plain.collect(),
            game,
            id,
        })
    }
}

/// The words of a text: split at spaces, tabs and line ends, and joined by one space.
#[must_use]
#[expect(clippy::expect_used, reason = "all blanks are ASCII, so no character is cut")]
pub fn text_words(text: &str) -> String {
    // Byte by byte, as every receipt and dispatch is walked through: all blanks are ASCII.
    let mut words = Vec::with_capacity(text.len());
    for &byte in text.as_bytes() {
        if !is_blank(byte) {
            words.push(byte);
        } else if words.last().is_some_and(|&last| last != b' ') {
            words.push(b' ');
        }
    }
    words.pop_if(|last| *last == b' ');
    let words = String::from_utf8(words).expect("whole characters");
    if words.contains(">From") { join(split(&words)) } else { words }
}

/// The words of a page of HTML, without its tags.
#[must_use]
pub fn page_words(html: &str) -> String {
    let mut joined = String::with_capacity(html.len() / 4);
    walk(html, |piece, _| {
        if let Piece::Text(text) = piece {
            split(&text).for_each(|word| add(&mut joined, word));
        }
    });
    joined
}

/// The words of a piece of text. Mailboxes write `>From` at the beginning of a line for `From`.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let words = std::iter::from_fn(move || {
        let begin = rest.bytes().position(|byte| !is_blank(byte))?;
        let length = rest[begin..].bytes().position(is_blank).unwrap_or(rest.len() - begin);
        let (word, behind) = rest[begin..].split_at(length);
        rest = behind;
        Some(word)
    });
    words.map(|word| if word == ">From" { &word[1..] } else { word })
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn join<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    words.for_each(|word| add(&mut joined, word));
    joined
}

fn add(joined: &mut String, word: &str) {
    if !joined.is_empty() {
        joined.push(' ');
    }
    joined.push_str(word);
}

/// The elements of which nothing is shown.
const UNSEEN: [&str; 4] = ["head", "title", "style", "script"];
/// The elements whose words the other forms don't have.
const DRAWN: [&str; 2] = ["svg", "summary"];

/// The words of a page.
fn page_words_of(html: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    walk(html, |piece, plain| match piece {
        Piece::Text(Cow::Borrowed(text)) => {
            words.extend(split(text).map(|word| Word { text: word.into(), written: true, plain }));
        }
        Piece::Text(Cow::Owned(text)) => {
            let owned = split(&text).map(|word| Word { text: word.to_owned().into(), written: true, plain });
            words.extend(owned);
        }
        Piece::Number(number) => {
            words.push(Word { text: number.to_string().into(), written: false, plain });
        }
    });
    words
}

/// What a page shows between two of its tags.
enum Piece<'a> {
    /// Text, its entities read.
    Text(Cow<'a, str>),
    /// The number that a list gives its next item.
    Number(u32),
}

/// Goes through a page, and gives each piece out with whether the other forms have its words too. What is no tag but looks like one stays text.
fn walk<'a>(html: &'a str, mut see: impl FnMut(Piece<'a>, bool)) {
    let mut rest = html;
    let mut drawn: Option<&str> = None;
    let mut items: Option<u32> = None;
    while !rest.is_empty() {
        let (text, tag) = rest.split_at(memchr(b'<', rest.as_bytes()).unwrap_or(rest.len()));
        if !text.is_empty() {
            see(Piece::Text(without_entities(text)), drawn.is_none());
        }
        if let Some(comment) = tag.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let Some(end) = memchr(b'>', tag.as_bytes()) else {
            return see(Piece::Text(without_entities(tag)), drawn.is_none());
        };
        let inside = &tag[1..end];
        rest = &tag[end + 1..];
        let closes = inside.starts_with('/');
        let name =
            inside.trim_start_matches('/').split([' ', '\t', '\r', '\n', '/']).next().unwrap_or_default();
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if let (false, Some(unseen)) = (closes, UNSEEN.into_iter().find(|known| is(known))) {
            rest = behind_element(rest, unseen);
        } else if let Some(known) = DRAWN.into_iter().find(|known| is(known)) {
            drawn = match closes {
                true => drawn.filter(|open| *open != known),
                false if inside.ends_with('/') => drawn,
                false => drawn.or(Some(known)),
            };
        } else if is("ol") {
            items = (!closes).then_some(0);
        } else if let (true, false, Some(number)) = (is("li"), closes, items.as_mut()) {
            *number += 1;
            see(Piece::Number(*number), drawn.is_none());
        }
    }
}

/// What stands behind the end of this element.
fn behind_element<'a>(rest: &'a str, name: &str) -> &'a str {
    let end = |(at, _): &(usize, &str)| {
        let tag = rest.get(at + 2..at + 2 + name.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
    };
    let found = rest.match_indices("</").find(end);
    found.and_then(|(at, _)| rest[at..].split_once('>')).map_or("", |(_, behind)| behind)
}

/// The characters that a page writes as entities.
const ENTITIES: [(&str, char); 6] =
    [("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"'), ("&#39;", '\''), ("&nbsp;", ' '), ("&amp;", '&')];

/// A piece of a page with these characters in the place of their entities; other entities stay.
fn without_entities(text: &str) -> Cow<'_, str> {
    if memchr(b'&', text.as_bytes()).is_none() {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        let known = ENTITIES.into_iter().find(|(entity, _)| from.starts_with(entity));
        let (entity, character) = known.unwrap_or(("&", '&'));
        plain.push_str(before);
        plain.push(character);
        rest = &from[entity.len()..];
    }
    plain.push_str(rest);
    plain.into()
}

/// The maximal runs of ASCII letters and digits of a form, in lower case: what its text, its page and its data have in common.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlainWords(Vec<String>);

impl<'a> FromIterator<&'a str> for PlainWords {
    fn from_iter<I: IntoIterator<Item = &'a str>>(texts: I) -> Self {
        let runs = texts.into_iter().flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric()));
        Self(runs.filter(|run| !run.is_empty()).map(str::to_ascii_lowercase).collect())
    }
}

impl PlainWords {
    /// The words that the one has more often than the other, of each: nothing where both have the same. A word that is broken in one of them is
    /// the same.
    #[must_use]
    pub fn differences<'a>(&'a self, other: &'a Self) -> Option<(Vec<&'a str>, Vec<&'a str>)> {
        let (here, there) = (self.beyond(other), other.beyond(self));
        (here.concat() != there.concat()).then_some((here, there))
    }

    /// The words that the other lacks, or has less often, in order.
    #[must_use]
    pub fn beyond<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        other.0.iter().for_each(|word| *left.entry(word.as_str()).or_default() += 1);
        let is_beyond = |word: &&str| match left.get_mut(*word).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                false
            }
            None => true,
        };
        self.0.iter().map(String::as_str).filter(is_beyond).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_game::{game, secret};

    fn id() -> TellingId {
        TellingId { t: 12, seat: "french".parse().unwrap(), n: 3 }
    }

    fn contents() -> Contents {
        let digest = |text: &str| Some(Digest::of(text.as_bytes()));
        Contents {
            kind: TellingKind::Dispatch,
            text: digest("text"),
            html: None,
            data: digest("data"),
            facts: digest("facts"),
            said: vec!["The GM: snow.".to_owned(), String::new()],
        }
    }

    #[test]
    fn whatever_is_told_otherwise_has_another_commitment() {
        let commit =
            |contents: &Contents, id: &TellingId, wording| contents.commit(&secret(), &game(), id, wording);
        let first = commit(&contents(), &id(), 1);
        let other = Some(Digest::of(b"other"));
        let changed = [
            commit(&contents(), &TellingId { n: 4, ..id() }, 1),
            commit(&contents(), &TellingId { t: 13, ..id() }, 1),
            commit(&contents(), &id(), 2),
            commit(&Contents { kind: TellingKind::Final, ..contents() }, &id(), 1),
            commit(&Contents { text: other, ..contents() }, &id(), 1),
            commit(&Contents { html: other, ..contents() }, &id(), 1),
            commit(&Contents { data: None, html: contents().data, ..contents() }, &id(), 1),
            commit(&Contents { facts: None, ..contents() }, &id(), 1),
            commit(&Contents { said: vec!["The GM: snow.".to_owned()], ..contents() }, &id(), 1),
            commit(
                &Contents { said: vec!["The GM:".to_owned(), " snow.".to_owned()], ..contents() },
                &id(),
                1,
            ),
        ];
        let all: std::collections::BTreeSet<Digest> = changed.into_iter().chain([first]).collect();
        assert_eq!(all.len(), 11);
    }

    #[test]
    fn a_note_has_one_spelling() {
        let note = ToldNote { id: id(), kind: TellingKind::Dispatch, wording: 1, commit: Digest::of(b"x") };
        assert_eq!(note.to_string().parse(), Ok(note.clone()));
        let text = note.to_string();
        for wrong in [
            text.replace("12", "012"),
            text.replace(" 3 ", " 0 "),
            text.replace("dispatch", "letter"),
            text.replace("french", "French"),
            text.replace("told ", "told  "),
            format!("{text} "),
            text[..text.len() - 1].to_owned(),
            "told".to_owned(),
        ] {
            assert_eq!(wrong.parse::<ToldNote>(), Err(NotTold), "{wrong}");
        }
    }

    #[test]
    fn what_stands_between_the_marks_is_found_however_lines_are_broken() {
        let mail = format!(
            "Dear player\n{}\nMack 1\n was  destroyed\n{}\nGreetings",
            id().begins(&game()),
            id().ends(&game())
        );
        let found = Marked::in_text(&mail).unwrap();
        assert_eq!((&found.id, &found.game, found.is_whole), (&id(), &game(), true));
        assert_eq!(found.digest, Digest::of(b"Mack 1 was destroyed"));
        assert_eq!(Marked::in_text(&mail.replace(' ', "\r\n")).unwrap().digest, found.digest);
        assert!(Marked::in_text("Mack was destroyed").is_none());
        let cut = mail.replace("destroyed", CUT);
        assert!(!Marked::in_text(&cut).unwrap().is_whole);
        let open = mail.split("End").next().unwrap();
        assert!(!Marked::in_text(open).unwrap().is_whole);
    }

    #[test]
    fn a_page_has_the_words_of_its_text() {
        let (begins, ends) = (id().begins(&game()), id().ends(&game()));
        let text = format!("{begins}\nWHAT HAPPENED ---\n  1  Mack & 1 was `destroyed`.\n  2  <Ulm>\n{ends}");
        let page = format!(
            "<html><head><title>x</title><style>p > a {{}}</style></head><body><p>{begins}</p><!-- no > -->\
             <h2 style=\"a\">What happened</h2><svg><text>drawn</text></svg><details><summary>The map</summary></details>\
             <ol><li>Mack &amp; 1 was <code>destroyed</code>.</li>\n<li>&lt;Ulm&gt;</li></ol><p>{ends}</p></body></html>"
        );
        let (text, page) = (Marked::in_text(&text).unwrap(), Marked::in_page(&page).unwrap());
        assert_eq!(text.plain.differences(&page.plain), None);
        assert_eq!(page.digest, Digest::of(b"What happened drawn The map Mack & 1 was destroyed . <Ulm>"));
    }

    #[test]
    fn a_word_that_is_broken_is_no_difference_and_another_number_is() {
        let words = |text: &str| -> PlainWords { [text].into_iter().collect() };
        assert_eq!(words("an abcdefgh ijk b").differences(&words("b abcdefghijk an")), None);
        assert_eq!(words("lost 1").differences(&words("lost 2")), Some((vec!["1"], vec!["2"])));
        assert_eq!(words("lost 1 1").differences(&words("lost 1")), Some((vec!["1"], vec![])));
    }

    #[test]
    fn no_page_makes_its_reader_stumble() {
        for page in [
            "<",
            "<<",
            "<a",
            "</",
            "<!--",
            "<style",
            "<style>",
            "<style></",
            "<ol><li",
            "<svg/>a",
            "&amp",
            "<é>é</é>",
        ] {
            let _ = (page_words(page), Marked::in_page(page));
        }
        assert_eq!(page_words("<svg/>a <script>x</SCRIPT >b < c"), "a b < c");
        assert_eq!(
            page_words("A&nbsp;&amp;lt; &#39;b&#39; &copy;&gt;From\n&gt;From &"),
            "A &lt; 'b' &copy;>From From &"
        );
    }
}

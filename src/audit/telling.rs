//! What one mail of the host's tells between its marks (dice.md, "What was told"): only digests are kept of it, and what it says against itself.

use std::collections::BTreeMap;

use super::form::Form;
use super::place::MailRef;
use musterd_dice::told::{Marked, PlainWords, TellingId};
use musterd_dice::{Digest, GameId};
use musterd_letter as letter;

/// The most of a text, a page or data that is looked at, in bytes: the host's mails have a few hundred kilobytes.
const LONGEST: usize = 2 * 1024 * 1024;
/// How many words are told in which two forms differ.
const MOST_WORDS: usize = 5;
/// The longest of them, in letters.
const LONGEST_WORD: usize = 30;
/// A word of so many letters may be broken in a text.
const MAY_BREAK: usize = 12;
/// How many copies of a mail are told of that say something else than it.
const MOST_COPIES: usize = 4;
/// The members of a mail's data whose texts stand in its other forms too.
const SHARED: [&str; 3] = ["notices", "standing", "sections"];
/// The parts of the data that the other forms draw.
const DRAWN: [&str; 2] = ["bars", "plain"];

/// What a mail tells between its marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Telling {
    pub(super) game: GameId,
    pub(super) id: TellingId,
    /// The digest of each form that it has whole.
    pub(super) forms: BTreeMap<Form, Digest>,
    /// Whether the host left out its middle.
    pub(super) is_cut: bool,
    /// What is wrong with it by itself.
    pub(super) faults: Vec<Fault>,
    /// Copies of the mail that have another form.
    pub(super) others: Vec<(MailRef, Form)>,
}

/// What a mail says against itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    Marks(&'static str),
    Differ { one: Form, other: Form, here: String, there: String },
}

impl Telling {
    /// What a mail tells; none where it has no marks.
    pub(super) fn of(raw: &[u8]) -> Option<Box<Self>> {
        let written = letter::written(raw);
        let (texts, pages) = (&written.texts, &written.pages);
        let text = texts.iter().find_map(|text| Marked::in_text(beginning(text)));
        let page = pages.iter().find_map(|page| Marked::in_page(beginning(page)));
        let marked = || text.iter().chain(&page);
        let Marked { game, id, .. } = marked().next()?;
        let mut telling = Self {
            game: game.clone(),
            id: id.clone(),
            forms: BTreeMap::new(),
            is_cut: marked().any(|marked| marked.is_cut),
            faults: Vec::new(),
            others: Vec::new(),
        };
        let mut wrong = |why| telling.faults.push(Fault::Marks(why));
        if text.is_some() != page.is_some() && !texts.is_empty() && !pages.is_empty() {
            wrong("of its text and its page only one has them");
        }
        if marked().any(|marked| (&marked.game, &marked.id) != (game, id)) {
            wrong("its text and its page name two different tellings");
        }
        if marked().any(|marked| !marked.is_whole && !marked.is_cut) {
            wrong("the one at the end is missing");
        }
        let data = data_of(raw, game, id);
        let parsed = data.as_deref().map(plain_words_of);
        if parsed == Some(None) {
            wrong("the data beside them are no JSON object");
        }
        let text = text.filter(|text| text.is_whole);
        let page = page.filter(|page| page.is_whole);
        telling.forms.extend(text.as_ref().map(|text| (Form::Text, text.digest)));
        telling.forms.extend(page.as_ref().map(|page| (Form::Page, page.digest)));
        telling.forms.extend(data.map(|data| (Form::Data, Digest::of(&data))));
        let (text, page) = (text.map(|text| text.plain), page.map(|page| page.plain));
        telling.faults.extend(unlike(text.as_ref(), page.as_ref(), parsed.flatten().as_ref()));
        Some(Box::new(telling))
    }

    /// How many bytes of it are kept.
    pub(super) fn bytes(&self) -> usize {
        let faults = self.faults.iter().map(|fault| match fault {
            Fault::Marks(_) => size_of::<Fault>(),
            Fault::Differ { here, there, .. } => size_of::<Fault>() + here.len() + there.len(),
        });
        let others = self.others.iter().map(|(copy, _)| copy.bytes() + size_of::<(MailRef, Form)>());
        size_of::<Self>() + faults.sum::<usize>() + others.sum::<usize>() + self.forms.len() * 64
    }

    /// Takes what a copy of the mail has and it lacks, and notes in what the two differ.
    pub(super) fn take(&mut self, copy: Self, at: &MailRef) {
        for (form, digest) in copy.forms {
            let known = *self.forms.entry(form).or_insert(digest);
            if known != digest && self.others.len() < MOST_COPIES {
                self.others.push((at.clone(), form));
            }
        }
        if self.faults.is_empty() {
            self.faults = copy.faults;
        }
    }
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}

/// The bytes of the attached data: `GAME-tX-SLOT.json`.
fn data_of(raw: &[u8], game: &GameId, id: &TellingId) -> Option<Vec<u8>> {
    let end = format!("-{}.json", id.seat);
    let begin = format!("{game}-t");
    let is_it = |name: &str| {
        let t = name.strip_prefix(&begin).and_then(|name| name.strip_suffix(&end));
        t.is_some_and(|t| !t.is_empty() && t.bytes().all(|digit| digit.is_ascii_digit()))
    };
    letter::attached_files(raw, &end).into_iter().find(|(name, _)| is_it(name)).map(|(_, bytes)| bytes)
}

/// The plain words of a mail's data; none where it can't be read.
fn plain_words_of(data: &[u8]) -> Option<PlainWords> {
    let data = Some(data).filter(|data| data.len() <= LONGEST)?;
    let data = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(data).ok()?;
    let mut texts = Vec::new();
    SHARED.iter().filter_map(|name| data.get(*name)).for_each(|part| texts_in(part, &mut texts));
    Some(texts.into_iter().collect())
}

fn texts_in<'a>(part: &'a serde_json::Value, texts: &mut Vec<&'a str>) {
    use serde_json::Value;
    let is_plain = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n'));
    match part {
        Value::String(text) if is_plain(text) => texts.push(text),
        Value::Array(parts) => parts.iter().for_each(|part| texts_in(part, texts)),
        Value::Object(members) => {
            let kind = members.get("kind").and_then(Value::as_str);
            if !kind.is_some_and(|kind| DRAWN.contains(&kind)) {
                let others = members.iter().filter(|(name, _)| *name != "kind");
                others.for_each(|(_, part)| texts_in(part, texts));
            }
        }
        _ => {}
    }
}

/// In what the forms of one mail differ, if they do.
fn unlike(text: Option<&PlainWords>, page: Option<&PlainWords>, data: Option<&PlainWords>) -> Option<Fault> {
    if let (Some(text), Some(page)) = (text, page)
        && let Some((here, there)) = text.differences(page)
    {
        let (here, there) = (shown(&here), shown(&there));
        return Some(Fault::Differ { one: Form::Text, other: Form::Page, here, there });
    }
    let data = data?;
    let (other, form) = page.map(|page| (page, Form::Page)).or_else(|| Some((text?, Form::Text)))?;
    let mut here = data.beyond(other);
    let there = other.beyond(data);
    if form == Form::Text && !here.is_empty() {
        let joined = there.concat();
        here.retain(|word| word.len() < MAY_BREAK || !joined.contains(word));
    }
    let (one, there) = (Form::Data, String::new());
    (!here.is_empty()).then(|| Fault::Differ { one, other: form, here: shown(&here), there })
}

/// The first words of those in which two forms differ.
fn shown(words: &[&str]) -> String {
    let cut = |word: &&str| word.chars().take(LONGEST_WORD).collect::<String>();
    let more = if words.len() > MOST_WORDS { " ..." } else { "" };
    words.iter().take(MOST_WORDS).map(cut).collect::<Vec<_>>().join(" ") + more
}

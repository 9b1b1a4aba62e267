//! What the host's mails tell, held against what the log binds (dice.md, "What was told"). Of each mail that tells something only digests are kept,
//! and what it says against itself.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::book::Book;
use super::contradiction::Contradiction;
use super::mail::{GUEST, Mail};
use super::mails::Mails;
use super::place::MailRef;
use musterd_desk::mail::Kind;
use musterd_dice::told::{Contents, Marked, PlainWords, TellingId};
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

/// A form in which a mail tells something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Its plain text.
    Text,
    /// Its page of HTML.
    Page,
    /// Its data, attached.
    Data,
}

impl Form {
    const ALL: [Self; 3] = [Self::Text, Self::Page, Self::Data];
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Page => "page",
            Self::Data => "data",
        })
    }
}

/// What a mail tells between its marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Telling {
    game: GameId,
    id: TellingId,
    /// The digest of each form that it has whole.
    forms: BTreeMap<Form, Digest>,
    /// Whether the host left out its middle.
    is_cut: bool,
    /// What is wrong with it by itself.
    faults: Vec<Fault>,
    /// Copies of the mail that have another form.
    others: Vec<(MailRef, Form)>,
}

/// What a mail says against itself.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fault {
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

/// What of a game's mails was compared with what its log binds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ToldMails {
    /// How many entries of the log bind what was told; none where there is no audit file.
    pub bound: Option<usize>,
    /// How many mails tell something between marks.
    pub mails: usize,
    /// How many texts were compared with what is bound.
    pub texts: usize,
    /// How many pages.
    pub pages: usize,
    /// How many attachments with data.
    pub data: usize,
    /// How many mails tell of what is not revealed yet.
    pub waiting: usize,
    /// How many mails tell what the file was made before.
    pub newer: usize,
    /// How many mails lack the middle of their text, which can't be compared.
    pub cut: usize,
}

/// Compares what the mails of a game tell: each with itself, with others of the same telling, and with the log.
pub(super) fn compare(
    game: Option<&GameId>,
    mails: &Mails,
    book: Option<&Book>,
) -> (ToldMails, Vec<Contradiction>) {
    let mut found = Vec::new();
    let told = || mails.all.iter().filter_map(|mail| Some((mail, mail.told.as_deref()?)));
    let mut summary = ToldMails {
        bound: book.map(|book| book.told.len()),
        mails: told().count(),
        cut: told().filter(|(_, telling)| telling.is_cut).count(),
        ..ToldMails::default()
    };
    let mut first: BTreeMap<(&TellingId, Form), (Digest, &MailRef)> = BTreeMap::new();
    for (mail, telling) in told() {
        let (id, at) = (&telling.id, &mail.at);
        found.extend(telling.faults.iter().map(|fault| against_itself(at, fault)));
        let is_anothers =
            game != Some(&telling.game) || mail.seat.as_ref().is_some_and(|seat| *seat != id.seat);
        if is_anothers {
            let why = "they name another game, or another seat than it was sent to";
            found.push(Contradiction::BrokenMarks { mail: at.clone(), why });
            continue;
        }
        found.extend(telling.others.iter().map(|(copy, form)| two_tellings(copy, at, id, *form)));
        for (form, digest) in &telling.forms {
            let (known, by) = *first.entry((id, *form)).or_insert((*digest, at));
            found.extend((known != *digest).then(|| two_tellings(at, by, id, *form)));
        }
        found.extend(book.map(|book| with_log(&mut summary, mail, telling, book)).unwrap_or_default());
    }
    found.extend(book.map(|book| unmarked(mails, book)).unwrap_or_default());
    (summary, found)
}

fn against_itself(mail: &MailRef, fault: &Fault) -> Contradiction {
    let mail = mail.clone();
    match fault.clone() {
        Fault::Marks(why) => Contradiction::BrokenMarks { mail, why },
        Fault::Differ { one, other, here, there } => {
            Contradiction::FormsDiffer { mail, one, other, here, there }
        }
    }
}

fn two_tellings(mail: &MailRef, other: &MailRef, id: &TellingId, form: Form) -> Contradiction {
    let (mail, other_mail, seat) = (mail.clone(), other.clone(), id.seat.to_string());
    Contradiction::TwoTellings { mail, other_mail, seat, t: id.t, n: id.n, form }
}

/// A mail against the entry of the log that binds what it tells.
fn with_log(summary: &mut ToldMails, mail: &Mail, telling: &Telling, book: &Book) -> Vec<Contradiction> {
    let TellingId { t, seat, n } = &telling.id;
    let (t, n, seat, file) = (*t, *n, seat.to_string(), book.path.clone());
    let at = || mail.at.clone();
    if !book.told.contains_key(&telling.id) {
        let is_reached = reach(mail, book).is_some();
        summary.newer += usize::from(!is_reached);
        return is_reached
            .then(|| Contradiction::ToldUnbound { mail: at(), seat, t, n, file })
            .into_iter()
            .collect();
    }
    let Some(opened) = book.opened_telling(&telling.id) else {
        summary.waiting += 1;
        return Vec::new();
    };
    let mut found = Vec::new();
    for form in Form::ALL {
        let Some(told) = telling.forms.get(&form) else { continue };
        let (count, bound) = match form {
            Form::Text => (&mut summary.texts, opened.text),
            Form::Page => (&mut summary.pages, opened.html),
            Form::Data => (&mut summary.data, opened.data),
        };
        *count += 1;
        if bound != Some(*told) {
            let (seat, file) = (seat.clone(), file.clone());
            found.push(Contradiction::ToldOtherwise { mail: at(), seat, t, n, form, file });
        }
    }
    found
}

/// Mails that tell something without marks, from a host that had begun to bind what it tells.
fn unmarked(mails: &Mails, book: &Book) -> Vec<Contradiction> {
    let Some(since) = book.told.values().map(|(index, _)| *index).min() else { return Vec::new() };
    let tells = |mail: &&Mail| {
        let is_seats = mail
            .seat
            .as_ref()
            .is_some_and(|seat| book.seats.contains(seat) && !seat.as_str().starts_with(GUEST));
        let is_due = mail.is_of(Kind::Dispatch) || mail.is_of(Kind::Receipt);
        mail.is_hosts && mail.told.is_none() && is_seats && is_due
    };
    let bare =
        mails.all.iter().filter(tells).filter(|mail| reach(mail, book).is_some_and(|head| since <= head));
    let bare = bare.map(|mail| (mail.at.clone(), book.path.clone()));
    bare.map(|(mail, file)| Contradiction::NoMarks { mail, since, file }).collect()
}

/// The last entry of the log that a mail shows, if the file has it.
fn reach(mail: &Mail, book: &Book) -> Option<u64> {
    mail.index.filter(|index| *index < book.entries as u64)
}

impl Book {
    /// What was told, where the file opens it and the log binds it so.
    fn opened_telling(&self, id: &TellingId) -> Option<&Contents> {
        let (index, note) = self.told.get(id)?;
        let opening = self.turns.get(&id.t)?.told.iter().find(|opening| opening.entry == *index)?;
        let secret = self.secret(id.t)?;
        let commit = opening.contents.commit(&secret, self.game.as_ref()?, id, note.wording);
        (commit == note.commit).then_some(&opening.contents)
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

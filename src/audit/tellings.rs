//! What the host's mails tell, held against each other and against what the log binds (dice.md, "What was told").

use std::collections::BTreeMap;

use serde::Serialize;

use super::book::Book;
use super::contradiction::Contradiction;
use super::form::Form;
use super::mail::{GUEST, Mail};
use super::mails::Mails;
use super::place::MailRef;
use super::telling::{Fault, Telling};
use musterd_desk::mail::Kind;
use musterd_dice::told::{Contents, TellingId, TellingKind};
use musterd_dice::{Digest, GameId};

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
    let is_receipt = book.told[&telling.id].1.kind == TellingKind::Receipt;
    if mail.is_of(Kind::Receipt) != is_receipt {
        let why = "the log binds what they name as another kind of mail";
        return vec![Contradiction::BrokenMarks { mail: at(), why }];
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

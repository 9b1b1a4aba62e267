//! Mails held against each other, and against the log of an audit file.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::book::{Book, Logged, ReceiptFate};
use super::claims::{Claims, Said, Subject, Value};
use super::contradiction::Contradiction;
use super::mail::Receipt;
use super::mails::Mails;
use super::place::{FileRef, MailRef};
use super::said::Close;
use musterd_dice::audit::Examined;
use musterd_dice::{Block, Digest, GameId, SecretChain, orders_root};

/// The mails against each other, and what they claim of each subject: what shows without any file that the host told people different things.
pub(super) fn among_themselves(
    game: &GameId,
    mails: &Mails,
    subjects: &[Vec<Said<'_>>],
) -> Vec<Contradiction> {
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for said in subjects {
        let of_sort = if said[0].0.subject.is_head() { &mut found } else { &mut others };
        of_sort.extend(said[1..].iter().filter_map(|other| between(&said[0], other)));
        of_sort.extend(said.iter().filter_map(|one| wrong_root(game, one)));
    }
    let lacking = mails.all.iter().filter_map(|mail| Some((mail.at.clone(), mail.lack?)));
    found.extend(lacking.map(|(mail, what)| Contradiction::Unreadable { mail, what }));
    found.append(&mut others);
    let attached = mails.receipts().into_iter().filter(|receipt| receipt.returned.is_another());
    found.extend(attached.map(|receipt| Contradiction::OtherAttachment { mail: receipt.mail.at.clone() }));
    found
}

/// Two claims about one subject, the weightier first.
fn between((one, held): &Said<'_>, (other, elsewhere): &Said<'_>) -> Option<Contradiction> {
    let (mail, other_mail, place) = (held.by.clone(), elsewhere.by.clone(), elsewhere.by.place());
    let (value, other) = (one.value.digest()?, other.value.digest()?);
    Some(match one.subject {
        Subject::Head(index) => {
            let signed = [held, elsewhere].into_iter().filter(|held| held.weight.signed).count();
            Contradiction::TwoHeads { index, one: value, mail, other, other_mail, signed }
        }
        Subject::Anchor => Contradiction::TwoAnchors { anchor: value, mail, other, other_place: place },
        Subject::Close(t) => Contradiction::TwoCloses { t, mail, other_mail },
        Subject::Beacon(t) => Contradiction::TwoBeacons { t, mail, value, place, other },
        _ => return None,
    })
}

/// A close whose root is not that of its leaves.
fn wrong_root(game: &GameId, (claim, held): &Said<'_>) -> Option<Contradiction> {
    let (Subject::Close(t), Value::Close(close)) = (&claim.subject, &claim.value) else { return None };
    let (found, shown) = (orders_root(game, *t, &close.leaves), close.root);
    (found != shown).then(|| Contradiction::WrongRoot { t: *t, mail: held.by.clone(), found, shown })
}

/// Whether what was given is of two games that have one name: their anchors differ, and the mails are of two hosts, or no head in them is
/// in the file's log. One host that shows two anchors in one game is another matter.
///
/// Nor are they two where one key signed two heads of one index.
pub(super) fn two_games(
    claims: &Claims,
    book: Option<&Book>,
    among: &[Contradiction],
) -> Option<Contradiction> {
    if among.iter().any(|found| matches!(found, Contradiction::TwoHeads { signed: 2, .. })) {
        return None;
    }
    let logged = book.and_then(|book| book.anchor);
    let (anchor, mail) =
        claims.anchors().find(|(anchor, _)| logged.is_none_or(|logged| logged != *anchor))?;
    let (other, other_place) = anchors(claims, book).find(|(other, _)| *other != anchor)?;
    let fits = |book: &Book| {
        claims.heads().chain(claims.open_heads()).any(|(claim, _)| book.has(claim) == Logged::Same)
    };
    let is_apart = claims.about(Subject::Address).count() > 1 || book.is_some_and(|book| !fits(book));
    is_apart.then(|| Contradiction::TwoGames { anchor, mail: mail.clone(), other, other_place })
}

/// The secrets of an escrow against the anchor of their game, wherever it is shown.
pub(super) fn with_escrow(
    claims: &Claims,
    book: Option<&Book>,
    secrets: &SecretChain,
) -> Option<Contradiction> {
    let (anchor, place) = anchors(claims, book).next()?;
    let escrowed = secrets.anchor();
    (anchor != escrowed).then_some(Contradiction::OtherEscrow { escrowed, anchor, place })
}

/// Every anchor and where it is shown: in the log, then in mails.
fn anchors(claims: &Claims, book: Option<&Book>) -> impl Iterator<Item = (Digest, FileRef)> {
    let logged = book.and_then(|book| Some((book.anchor?, book.path.clone())));
    logged.into_iter().chain(claims.anchors().map(|(anchor, mail)| (anchor, mail.place())))
}

/// The mails against the log of a file.
pub(super) fn with_book(mails: &Mails, subjects: &[Vec<Said<'_>>], book: &Book) -> Vec<Contradiction> {
    let denied = |said: Said<'_>| match book.has(said.0) {
        Logged::Other(logged) => denial(&said, logged, &book.path),
        Logged::Same | Logged::None => None,
    };
    let mut found: Vec<Contradiction> = mails.claims.heads().filter_map(denied).collect();
    found.extend(went_on(mails, book));
    let others = subjects.iter().flatten().copied().filter(|(claim, _)| !claim.subject.is_head());
    found.extend(others.filter_map(denied));
    found.extend(receipts(mails, book));
    found
}

/// A claim that the log of a file denies, by what it has instead.
fn denial((claim, held): &Said<'_>, logged: Option<Digest>, file: &FileRef) -> Option<Contradiction> {
    let (mail, file, shown) = (held.by.clone(), file.clone(), claim.value.digest()?);
    Some(match claim.subject {
        Subject::Head(index) => {
            let (quoted, signed) = (!held.weight.stated, held.weight.signed);
            Contradiction::OtherLog { index, head: shown, mail, quoted, signed, logged: logged?, file }
        }
        Subject::Open(t) => {
            let (quoted, signed) = (!held.weight.stated, held.weight.signed);
            Contradiction::NoSuchHead { t, head: shown, mail, quoted, signed, file }
        }
        Subject::Anchor => {
            Contradiction::TwoAnchors { anchor: shown, mail, other: logged?, other_place: file }
        }
        Subject::Close(t) => Contradiction::OtherClose { t, mail, shown, logged, file },
        Subject::Beacon(t) => {
            Contradiction::TwoBeacons { t, mail, value: shown, place: file, other: logged? }
        }
        _ => return None,
    })
}

/// The levels that the host claimed in its mails against those that the revealed orders have.
pub(super) fn levels(claims: &Claims, turns: &[Examined], file: &FileRef) -> Vec<Contradiction> {
    let mut found = Vec::new();
    for (t, level) in turns.iter().filter(|turn| !turn.void).filter_map(|turn| Some((turn.t, turn.level?))) {
        for (claimed, mail) in claims.texts(Subject::Level(t)) {
            let (mail, claimed, file) = (mail.clone(), claimed.to_owned(), file.clone());
            let is_other = claimed != level.to_string();
            found.extend(is_other.then_some(Contradiction::OtherLevel { t, mail, claimed, level, file }));
        }
    }
    found
}

/// How much of the mails was held against the log of a file and fits it, and how much could not be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// Heads that the log has.
    pub heads: usize,
    /// Heads of entries behind the end of the file.
    pub newer_heads: usize,
    /// Adjudications whose root a mail shows as the log has it.
    pub closes: usize,
    /// Receipts for mails that the log has.
    pub receipts: usize,
    /// Receipts for mails that came after the file was written.
    pub newer_receipts: usize,
    /// Mails of the host's that show no head.
    pub without_head: usize,
    /// Players' own mails of which the log or an answer tells what became of them.
    pub sent: usize,
    /// Players' own mails of which that can't be told from what is here.
    pub untold: usize,
}

impl Compared {
    /// What the mails hold against the log of a file. Players' own mails are counted by their fates.
    pub(super) fn of(mails: &Mails, book: &Book) -> Self {
        let mut compared = Self {
            without_head: mails.all.iter().filter(|mail| mail.is_hosts && !mail.shows_head).count(),
            ..Self::default()
        };
        for (claim, _) in mails.claims.heads().chain(mails.claims.open_heads()) {
            match (book.has(claim), claim.subject) {
                (Logged::Same, _) => compared.heads += 1,
                (Logged::None, Subject::Head(index)) if index >= book.entries as u64 => {
                    compared.newer_heads += 1;
                }
                (Logged::None, Subject::Open(t)) if !book.is_decided(t) => compared.newer_heads += 1,
                _ => {}
            }
        }
        let closes = mails.claims.closes();
        let fits = |(t, close, _): &(u32, &Close, &MailRef)| book.closes.get(t) == Some(&close.root);
        compared.closes = closes.into_iter().filter(fits).map(|(t, ..)| t).collect::<BTreeSet<_>>().len();
        for receipt in mails.receipts() {
            match book.standing(&receipt) {
                ReceiptFate::Taken(_) => compared.receipts += 1,
                ReceiptFate::NotYet => compared.newer_receipts += 1,
                ReceiptFate::Dropped => {}
            }
        }
        compared
    }
}

/// That mails know more of the log than a file has. While a game runs this is as it should be: the file is older.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Newer {
    /// The last entry in the file.
    pub last: u64,
    /// The last entry that a mail shows; none where it shows no number.
    pub index: Option<u64>,
    /// The mail.
    pub mail: MailRef,
}

/// What mails show beyond a file's log, if they do.
pub(super) fn newer(claims: &Claims, book: &Book) -> Option<Newer> {
    let last = (book.entries as u64).checked_sub(1)?;
    if let Some((index, mail)) = claims.last_head().filter(|(index, _)| *index > last) {
        return Some(Newer { last, index: Some(index), mail: mail.clone() });
    }
    let is_newer = |(claim, _): &Said<'_>| book.has(claim) == Logged::None;
    let (_, held) = claims.open_heads().find(is_newer)?;
    Some(Newer { last, index: None, mail: held.by.clone() })
}

/// Mails about turns that ran after the end that a file shows. Mails that come after the end of a game, and the answers to them, make its
/// log longer, so a head beyond the end says nothing by itself.
fn went_on(mails: &Mails, book: &Book) -> Option<Contradiction> {
    let last = book.opened.keys().next_back().copied().filter(|_| book.ended)?;
    let receipts = mails.receipts().into_iter().map(|receipt| (receipt.t, &receipt.mail.at));
    let closes = mails.claims.closes().into_iter().map(|(t, _, mail)| (t, mail));
    let (t, mail) = receipts.chain(closes).filter(|(t, _)| *t > last).min_by_key(|(t, _)| *t)?;
    Some(Contradiction::WentOn { mail: mail.clone(), t, file: book.path.clone(), last })
}

fn receipts(mails: &Mails, book: &Book) -> Vec<Contradiction> {
    let mut found = Vec::new();
    // The receipt that is nearest to the close, for each seat and adjudication.
    let mut last: BTreeMap<_, (u64, Receipt<'_>)> = BTreeMap::new();
    for receipt in mails.receipts() {
        let Receipt { t, leaf, .. } = receipt;
        let (mail, seat) = (receipt.mail.at.clone(), receipt.seat.to_string());
        let taken = match book.standing(&receipt) {
            ReceiptFate::Taken(taken) => taken,
            ReceiptFate::Dropped => {
                found.push(Contradiction::Dropped { mail, seat, t, leaf, file: book.path.clone() });
                continue;
            }
            ReceiptFate::NotYet => continue,
        };
        let is_others =
            |set: &Block| book.leaf(t, receipt.seat, Some(set)).is_some_and(|other| other != leaf);
        if receipt.returned.are_all(is_others) {
            found.push(Contradiction::OtherOrders { mail, seat, t });
            continue;
        }
        let latest = last.entry((t, receipt.seat)).or_insert((taken.index, receipt));
        if taken.index >= latest.0 {
            *latest = (taken.index, receipt);
        }
    }
    found.extend(last.into_values().filter_map(|(index, receipt)| changed(book, index, &receipt)));
    found
}

/// The last receipt of a seat, where its mail counted and the file shows other orders for it.
fn changed(book: &Book, index: u64, receipt: &Receipt<'_>) -> Option<Contradiction> {
    let Receipt { mail, t, seat, returned, .. } = *receipt;
    let is_last = book.counted(t, seat).is_some_and(|counted| counted.index == index);
    // Without its attachment a receipt still says what the orders hash to.
    let is_another = |shown: Option<&str>| {
        returned.are_all(|set| shown != Some(set.as_str()))
            || returned.sha256.is_some_and(|said| shown.map(|text| Digest::of(text.as_bytes())) != Some(said))
    };
    let is_changed = is_last && book.orders(t, seat).is_some_and(is_another);
    is_changed.then(|| Contradiction::Changed { mail: mail.at.clone(), seat: seat.to_string(), t })
}

/// Two files of one game: from which entry on their logs differ, if they do.
pub(super) fn books(one: &Book, other: &Book) -> Option<u64> {
    let mut both = 0..one.entries.min(other.entries) as u64;
    both.find(|index| one.head(*index) != other.head(*index))
}

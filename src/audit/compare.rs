//! Mails held against each other, and against the log of an audit file.

use std::collections::BTreeMap;

use serde::Serialize;

use super::book::{Book, Logged};
use super::claims::{Claim, ClaimKind, Claims, Said};
use super::contradiction::Contradiction;
use super::in_time;
use super::mail::Receipt;
use super::mails::{Kept, Mails};
use super::witness::MailRef;
use musterd_dice::audit::Examined;
use musterd_dice::{Block, Digest, GameId, SecretChain, orders_root};

/// The mails against each other: what shows without any file that the host told people different things.
pub(super) fn among_themselves(game: &GameId, mails: &Mails) -> Vec<Contradiction> {
    let (mut heads, mut others) = (Vec::new(), Vec::new());
    for said in mails.claims.by_subject() {
        let found = match said.first() {
            Some((Claim::Head(..), _)) => &mut heads,
            _ => &mut others,
        };
        if let [first, rest @ ..] = &*said {
            found.extend(rest.iter().filter_map(|other| between(first, other)));
        }
        found.extend(said.iter().filter_map(|one| wrong_root(game, one)));
    }
    let lacking = mails.lacking.iter();
    heads.extend(
        lacking.map(|(mail, lack)| Contradiction::Unreadable { mail: mail.clone(), what: lack.in_words() }),
    );
    heads.append(&mut others);
    let attached = mails.receipts.iter().filter(|receipt| receipt.what.returned.is_another());
    heads.extend(attached.map(|receipt| Contradiction::OtherAttachment { mail: receipt.mail.clone() }));
    heads
}

/// Two claims about one subject, the weightier first.
fn between((one, held): &Said<'_, MailRef>, (other, elsewhere): &Said<'_, MailRef>) -> Option<Contradiction> {
    let (mail, other_mail) = (held.by.clone(), elsewhere.by.clone());
    Some(match (one, other) {
        (Claim::Head(index, one), Claim::Head(_, other)) => Contradiction::TwoHeads {
            index: *index,
            one: one.to_string(),
            mail,
            other: other.to_string(),
            other_mail,
            signed: [held, elsewhere].into_iter().filter(|held| held.weight.is_signed()).count(),
        },
        (Claim::Anchor(anchor), Claim::Anchor(other)) => {
            let (anchor, other) = (anchor.to_string(), other.to_string());
            Contradiction::TwoAnchors { anchor, mail, other, other_place: other_mail.to_string() }
        }
        (Claim::Close(close), Claim::Close(_)) => Contradiction::TwoCloses { t: close.t, mail, other_mail },
        (Claim::Beacon(t, value), Claim::Beacon(_, other)) => {
            let (value, other) = (value.to_string(), other.to_string());
            Contradiction::TwoBeacons { t: *t, mail, value, place: other_mail.to_string(), other }
        }
        _ => return None,
    })
}

/// A close whose root is not that of its leaves.
fn wrong_root(game: &GameId, (claim, held): &Said<'_, MailRef>) -> Option<Contradiction> {
    let Claim::Close(close) = claim else { return None };
    let root = orders_root(game, close.t, &close.leaves);
    let (found, shown) = (root.to_string(), close.root.to_string());
    (root != close.root).then(|| Contradiction::WrongRoot { t: close.t, mail: held.by.clone(), found, shown })
}

/// Whether what was given is of two games that have one name: their anchors differ, and the mails are of two hosts, or no head in them is
/// in the file's log. One host that shows two anchors in one game is another matter.
///
/// Nor are they two where one key signed two heads of one index.
pub(super) fn two_games(
    claims: &Claims<MailRef>,
    book: Option<(&Book, &str)>,
    among: &[Contradiction],
) -> Option<Contradiction> {
    if among.iter().any(|found| matches!(found, Contradiction::TwoHeads { signed: 2, .. })) {
        return None;
    }
    let logged = book.and_then(|(book, path)| Some((book.anchor?, path.to_owned())));
    let shown = claims.anchors().map(|(anchor, mail)| (anchor, mail.to_string()));
    let (anchor, mail) =
        claims.anchors().find(|(anchor, _)| logged.as_ref().is_none_or(|(logged, _)| logged != anchor))?;
    let (other, other_place) = logged.into_iter().chain(shown).find(|(other, _)| *other != anchor)?;
    let fits = |book: &Book| claims.heads().any(|(claim, _)| book.has(claim) == Logged::Same);
    let is_apart = claims.count(ClaimKind::Address) > 1 || book.is_some_and(|(book, _)| !fits(book));
    is_apart.then(|| Contradiction::TwoGames {
        anchor: anchor.to_string(),
        mail: mail.clone(),
        other: other.to_string(),
        other_place,
    })
}

/// The mails against the log of a file.
pub(super) fn with_book(mails: &Mails, book: &Book, file: &str) -> Vec<Contradiction> {
    let denied = |said: Said<'_, MailRef>| match book.has(said.0) {
        Logged::Other(logged) => denial(&said, logged, file),
        Logged::Same | Logged::None => None,
    };
    let mut found: Vec<Contradiction> = mails.claims.heads().filter_map(denied).collect();
    found.extend(went_on(mails, book, file));
    let others = mails.claims.by_subject().flatten().filter(|(claim, _)| !matches!(claim, Claim::Head(..)));
    found.extend(others.filter_map(denied));
    found.extend(receipts(mails, book, file));
    found.extend(in_time::late(mails, book));
    found
}

/// A claim that the log of a file denies, by what it has instead.
fn denial((claim, held): &Said<'_, MailRef>, logged: Option<Digest>, file: &str) -> Option<Contradiction> {
    let (mail, file) = (held.by.clone(), file.to_owned());
    let other = || logged.map(|logged| logged.to_string());
    Some(match claim {
        Claim::Head(index, head) => Contradiction::OtherLog {
            index: *index,
            head: head.to_string(),
            mail,
            quoted: held.weight.is_quoted(),
            signed: held.weight.is_signed(),
            logged: other()?,
            file,
        },
        Claim::Anchor(anchor) => {
            Contradiction::TwoAnchors { anchor: anchor.to_string(), mail, other: other()?, other_place: file }
        }
        Claim::Close(close) => {
            let shown = close.root.to_string();
            Contradiction::OtherClose { t: close.t, mail, shown, logged: other(), file }
        }
        Claim::Beacon(t, value) => {
            Contradiction::TwoBeacons { t: *t, mail, value: value.to_string(), place: file, other: other()? }
        }
        _ => return None,
    })
}

/// The levels that the host claimed in its mails against those that the revealed orders have.
pub(super) fn levels(claims: &Claims<MailRef>, turns: &[Examined], file: &str) -> Vec<Contradiction> {
    let revealed =
        turns.iter().filter(|turn| !turn.void).filter_map(|turn| Some((turn.t, turn.level?.to_string())));
    let found = revealed.flat_map(|(t, level)| {
        let claimed = claims.levels(t).into_iter().filter(|(claimed, _)| *claimed != level);
        let told = claimed.map(|(claimed, mail)| Contradiction::OtherLevel {
            t,
            mail: mail.clone(),
            claimed: claimed.to_owned(),
            level: level.clone(),
            file: file.to_owned(),
        });
        told.collect::<Vec<_>>()
    });
    found.collect()
}

/// That mails know more of the log than a file has. While a game runs this is as it should be: the file is older.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Newer {
    /// The last entry in the file.
    pub last: u64,
    /// The last entry that a mail shows.
    pub index: u64,
    /// The mail.
    pub mail: MailRef,
}

/// What mails show beyond a file's log, if they do.
pub(super) fn newer(claims: &Claims<MailRef>, book: &Book) -> Option<Newer> {
    let last = (book.entries as u64).checked_sub(1)?;
    let (index, mail) = claims.last_head().filter(|(index, _)| *index > last)?;
    Some(Newer { last, index, mail: mail.clone() })
}

/// Mails about turns that ran after the end that a file shows. Mails that come after the end of a game, and the answers to them, make its
/// log longer, so a head beyond the end says nothing by itself.
fn went_on(mails: &Mails, book: &Book, file: &str) -> Option<Contradiction> {
    let last = book.opened.keys().next_back().copied().filter(|_| book.ended)?;
    let receipts = mails.receipts.iter().map(|receipt| (receipt.what.t, &receipt.mail));
    let closes = mails.claims.closes().into_iter().map(|(close, mail)| (close.t, mail));
    let (t, mail) = receipts.chain(closes).filter(|(t, _)| *t > last).min_by_key(|(t, _)| *t)?;
    Some(Contradiction::WentOn { mail: mail.clone(), t, file: file.to_owned(), last })
}

fn receipts(mails: &Mails, book: &Book, file: &str) -> Vec<Contradiction> {
    let mut found = Vec::new();
    // The receipt that is nearest to the close, for each seat and adjudication.
    let mut last: BTreeMap<_, (u64, _)> = BTreeMap::new();
    for receipt in &mails.receipts {
        let what = &receipt.what;
        let (mail, seat, t) = (receipt.mail.clone(), what.seat.to_string(), what.t);
        let Some(taken) = book.taken(t, &what.seat, what.leaf, what.upto) else {
            // A mail that came after the file was written is in no file yet.
            if book.is_decided(t) || what.upto.is_some_and(|upto| upto < book.entries as u64) {
                let (leaf, file) = (what.leaf.to_string(), file.to_owned());
                found.push(Contradiction::Dropped { mail, seat, t, leaf, file });
            }
            continue;
        };
        let returned = what.returned.sets();
        let is_others =
            |set: &Block| book.leaf(t, &what.seat, Some(set)).is_some_and(|leaf| leaf != what.leaf);
        if !returned.is_empty() && returned.iter().all(is_others) {
            found.push(Contradiction::OtherOrders { mail, seat, t });
            continue;
        }
        let latest = last.entry((t, &what.seat)).or_insert((taken.index, receipt));
        if taken.index >= latest.0 {
            *latest = (taken.index, receipt);
        }
    }
    found.extend(last.into_iter().filter_map(|(_, (index, receipt))| changed(book, index, receipt)));
    found
}

/// The last receipt of a seat, where its mail counted and the file shows other orders for it.
fn changed(book: &Book, index: u64, receipt: &Kept<Receipt>) -> Option<Contradiction> {
    let Receipt { t, seat, returned, .. } = &receipt.what;
    let is_last = book.counted(*t, seat).is_some_and(|counted| counted.index == index);
    // Without its attachment a receipt still says what the orders hash to.
    let is_another = |shown: Option<&str>| {
        !returned.sets().is_empty() && !returned.sets().iter().any(|set| shown == Some(set.as_str()))
            || returned.sha256.is_some_and(|said| shown.map(|text| Digest::of(text.as_bytes())) != Some(said))
    };
    let is_changed = is_last && book.orders(*t, seat).is_some_and(is_another);
    is_changed.then(|| Contradiction::Changed { mail: receipt.mail.clone(), seat: seat.to_string(), t: *t })
}

/// The secrets of an escrow against the anchor of their game, wherever it is shown.
pub(super) fn with_escrow(
    claims: &Claims<MailRef>,
    book: Option<(&Book, &str)>,
    secrets: &SecretChain,
) -> Option<Contradiction> {
    let logged = book.and_then(|(book, path)| Some((book.anchor?, path.to_owned())));
    let shown = || claims.anchors().next().map(|(anchor, mail)| (anchor, mail.to_string()));
    let (anchor, place) = logged.or_else(shown)?;
    (anchor != secrets.anchor()).then(|| Contradiction::OtherEscrow {
        escrowed: secrets.anchor().to_string(),
        anchor: anchor.to_string(),
        place,
    })
}

/// Two files of one game: from which entry on their logs differ, if they do.
pub(super) fn books(one: &Book, other: &Book) -> Option<u64> {
    let mut both = 0..one.entries.min(other.entries) as u64;
    both.find(|index| one.head(*index) != other.head(*index))
}

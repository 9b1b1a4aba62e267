//! Mails held against each other, and against the log of an audit file.

use std::collections::BTreeMap;

use serde::Serialize;

use super::book::Book;
use super::contradiction::Contradiction;
use super::evidence::{MailRef, Mails};
use super::in_time;
use super::signatures::Signatures;
use musterd_dice::audit::Examined;
use musterd_dice::{Block, Digest, GameId, SecretChain, orders_root};

/// The mails against each other: what shows without any file that the host told people different things.
pub(super) fn among_themselves(game: &GameId, mails: &Mails, signatures: &Signatures) -> Vec<Contradiction> {
    let mut found = Vec::new();
    for (&index, heads) in mails.heads.iter().filter(|(_, heads)| heads.len() > 1) {
        let mut heads: Vec<_> = heads.iter().collect();
        // What the host signed weighs most, and what its own mails say more than what is quoted.
        heads.sort_by_key(|(head, shown)| (!signatures.has(index, head), shown.quoted));
        if let [(one, shown), rest @ ..] = &*heads {
            found.extend(rest.iter().map(|(other, elsewhere)| Contradiction::TwoHeads {
                index,
                one: one.to_string(),
                mail: shown.mail.clone(),
                other: other.to_string(),
                other_mail: elsewhere.mail.clone(),
                signed: [one, other].into_iter().filter(|head| signatures.has(index, head)).count(),
            }));
        }
    }
    found.extend(
        mails
            .lacking
            .iter()
            .map(|(mail, lack)| Contradiction::Unreadable { mail: mail.clone(), what: lack.in_words() }),
    );
    let mut anchors = mails.anchors.iter();
    if let Some((anchor, mail)) = anchors.next() {
        found.extend(anchors.map(|(other, elsewhere)| Contradiction::TwoAnchors {
            anchor: anchor.to_string(),
            mail: mail.clone(),
            other: other.to_string(),
            other_place: elsewhere.to_string(),
        }));
    }
    for (&t, closes) in &mails.closes {
        if let [(_, mail), (_, other_mail), ..] = &**closes {
            let (mail, other_mail) = (mail.clone(), other_mail.clone());
            found.push(Contradiction::TwoCloses { t, mail, other_mail });
        }
        for (close, mail) in closes {
            let root = orders_root(game, t, &close.leaves);
            if root != close.root {
                let (found_root, shown) = (root.to_string(), close.root.to_string());
                found.push(Contradiction::WrongRoot { t, mail: mail.clone(), found: found_root, shown });
            }
        }
    }
    for (&t, values) in &mails.beacons {
        if let [(value, mail), (other, place), ..] = &**values {
            found.push(Contradiction::TwoBeacons {
                t,
                mail: mail.clone(),
                value: value.to_string(),
                place: place.to_string(),
                other: other.to_string(),
            });
        }
    }
    for receipt in &mails.receipts {
        if receipt.what.returned.is_another() {
            found.push(Contradiction::OtherAttachment { mail: receipt.mail.clone() });
        }
    }
    found
}

/// Whether what was given is of two games that have one name: their anchors differ, and the mails are of two hosts, or no head in them is
/// in the file's log. One host that shows two anchors in one game is another matter.
///
/// Nor are they two where one key signed two heads of one index.
pub(super) fn two_games(
    mails: &Mails,
    book: Option<(&Book, &str)>,
    among: &[Contradiction],
) -> Option<Contradiction> {
    if among.iter().any(|found| matches!(found, Contradiction::TwoHeads { signed: 2, .. })) {
        return None;
    }
    let logged = book.and_then(|(book, path)| Some((book.anchor?, path.to_owned())));
    let shown = mails.anchors.iter().map(|(anchor, mail)| (*anchor, mail.to_string()));
    let (anchor, mail) = mails
        .anchors
        .iter()
        .find(|(anchor, _)| logged.as_ref().is_none_or(|(logged, _)| logged != *anchor))?;
    let (other, other_place) = logged.into_iter().chain(shown).find(|(other, _)| other != anchor)?;
    let fits = |(index, heads): (&u64, &BTreeMap<Digest, _>)| {
        book.and_then(|(book, _)| book.head(*index)).is_some_and(|head| heads.contains_key(&head))
    };
    let is_apart = mails.hosts.len() > 1 || book.is_some() && !mails.heads.iter().any(fits);
    is_apart.then(|| Contradiction::TwoGames {
        anchor: anchor.to_string(),
        mail: mail.clone(),
        other: other.to_string(),
        other_place,
    })
}

/// The mails against the log of a file.
pub(super) fn with_book(
    mails: &Mails,
    book: &Book,
    file: &str,
    signatures: &Signatures,
) -> Vec<Contradiction> {
    let mut found = heads(mails, book, file, signatures);
    found.extend(went_on(mails, book, file));
    if let Some(anchor) = book.anchor {
        found.extend(mails.anchors.iter().filter(|(shown, _)| **shown != anchor).map(|(shown, mail)| {
            Contradiction::TwoAnchors {
                anchor: shown.to_string(),
                mail: mail.clone(),
                other: anchor.to_string(),
                other_place: file.to_owned(),
            }
        }));
    }
    for (&t, closes) in &mails.closes {
        for (close, mail) in closes.iter().filter(|(close, _)| book.closes.get(&t) != Some(&close.root)) {
            // A later one than the file has is told of by its head.
            if book.closes.contains_key(&t) || book.opened.keys().any(|later| *later > t) {
                found.push(Contradiction::OtherClose {
                    t,
                    mail: mail.clone(),
                    shown: close.root.to_string(),
                    logged: book.closes.get(&t).map(ToString::to_string),
                    file: file.to_owned(),
                });
            }
        }
    }
    for (&t, logged) in &book.beacons {
        let shown = mails.beacons.get(&t).into_iter().flatten().filter(|(value, _)| value != logged);
        found.extend(shown.map(|(value, mail)| Contradiction::TwoBeacons {
            t,
            mail: mail.clone(),
            value: value.to_string(),
            place: file.to_owned(),
            other: logged.to_string(),
        }));
    }
    found.extend(receipts(mails, book, file));
    found.extend(in_time::late(mails, book));
    found
}

/// The levels that the host claimed in its mails against those that the revealed orders have.
pub(super) fn levels(mails: &Mails, turns: &[Examined], file: &str) -> Vec<Contradiction> {
    let revealed =
        turns.iter().filter(|turn| !turn.void).filter_map(|turn| Some((turn.t, turn.level?.to_string())));
    let found = revealed.flat_map(|(t, level)| {
        let claimed = mails.levels.get(&t).into_iter().flatten().filter(|(claimed, _)| *claimed != level);
        let told = claimed.map(|(claimed, mail)| Contradiction::OtherLevel {
            t,
            mail: mail.clone(),
            claimed: claimed.clone(),
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
pub(super) fn newer(mails: &Mails, book: &Book) -> Option<Newer> {
    let last = (book.entries as u64).checked_sub(1)?;
    let (&index, heads) = mails.heads.last_key_value().filter(|(index, _)| **index > last)?;
    let mail = heads.first_key_value()?.1.mail.clone();
    Some(Newer { last, index, mail })
}

/// Mails about turns that ran after the end that a file shows. Mails that come after the end of a game, and the answers to them, make its
/// log longer, so a head beyond the end says nothing by itself.
fn went_on(mails: &Mails, book: &Book, file: &str) -> Option<Contradiction> {
    let last = book.opened.keys().next_back().copied().filter(|_| book.ended)?;
    let receipts = mails.receipts.iter().map(|receipt| (receipt.what.t, &receipt.mail));
    let closes = mails.closes.iter().flat_map(|(t, closes)| closes.iter().map(|(_, mail)| (*t, mail)));
    let (t, mail) = receipts.chain(closes).filter(|(t, _)| *t > last).min_by_key(|(t, _)| *t)?;
    Some(Contradiction::WentOn { mail: mail.clone(), t, file: file.to_owned(), last })
}

fn heads(mails: &Mails, book: &Book, file: &str, signatures: &Signatures) -> Vec<Contradiction> {
    let mut found = Vec::new();
    let all = mails.heads.iter().flat_map(|(index, heads)| heads.iter().map(move |shown| (*index, shown)));
    for (index, (head, shown)) in all {
        let (mail, file) = (shown.mail.clone(), file.to_owned());
        match book.head(index) {
            Some(logged) if logged == *head => {}
            Some(logged) => found.push(Contradiction::OtherLog {
                index,
                head: head.to_string(),
                mail,
                quoted: shown.quoted,
                signed: signatures.has(index, head),
                logged: logged.to_string(),
                file,
            }),
            // An entry that can't be read is told of where the file is examined, and a later one as `Newer`.
            None => {}
        }
    }
    found
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
    for ((t, seat), (index, receipt)) in last {
        let is_last = book.counted(t, seat).is_some_and(|counted| counted.index == index);
        let shown = book.orders(t, seat);
        let returned = &receipt.what.returned;
        // Without its attachment a receipt still says what the orders hash to.
        let is_another = |shown: Option<&str>| {
            !returned.sets().is_empty() && !returned.sets().iter().any(|set| shown == Some(set.as_str()))
                || returned
                    .sha256
                    .is_some_and(|said| shown.map(|text| Digest::of(text.as_bytes())) != Some(said))
        };
        if is_last && shown.is_some_and(is_another) {
            let (mail, seat) = (receipt.mail.clone(), seat.to_string());
            found.push(Contradiction::Changed { mail, seat, t });
        }
    }
    found
}

/// The secrets of an escrow against the anchor of their game, wherever it is shown.
pub(super) fn with_escrow(
    mails: &Mails,
    book: Option<(&Book, &str)>,
    secrets: &SecretChain,
) -> Option<Contradiction> {
    let logged = book.and_then(|(book, path)| Some((book.anchor?, path.to_owned())));
    let shown = || mails.anchors.first_key_value().map(|(anchor, mail)| (*anchor, mail.to_string()));
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

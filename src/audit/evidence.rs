//! What was read, gathered by game: audit files, and what mails say. Bounded: a mailbox full of forged mails costs no more
//! memory than one full of true ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use super::in_time;
use super::mail::{Lack, Own, Receipt, Testimony, Unplaced};
use super::place::short;
use super::said::Close;
use super::second::{First, Returned};
use musterd_desk::mail::Kind;
use musterd_dice::{Block, Digest, GameId, HostKey, Label, Seat, Witness};

/// The most that is kept of one kind of testimony for a game; a campaign of 1,000 turns has some thousands.
pub(super) const MOST: usize = 100_000;
/// The most adjudications of a game whose closes are kept.
const MOST_CLOSES: usize = 10_000;
/// The most bytes of orders that are kept for a game.
pub(super) const MOST_BYTES: usize = 64 * 1024 * 1024;
/// The most bytes of players' mails that are kept for a game: they quote what they answer.
const MOST_TEXTS: usize = 256 * 1024 * 1024;
/// The most bytes of audit files that are kept, as much as the largest one may have.
const MOST_FILE_BYTES: usize = 1 << 30;
/// The most audit files.
const MOST_FILES: usize = 10_000;
/// The most games that are looked at in one go.
const MOST_GAMES: usize = 1000;
/// The longest subject that is repeated, in characters.
const LONGEST_SUBJECT: usize = 60;

/// The most addresses of hosts that are kept for a game: two tell that there are two.
const MOST_HOSTS: usize = 8;

/// How the seats of those begin who have none, and are written to all the same.
pub(super) const GUEST: &str = "guest.";

/// A mail that somebody kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MailRef {
    /// The file that it lies in.
    pub path: String,
    /// Which of the file's mails it is, from 1; none where the file is the mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Its subject.
    pub subject: String,
}

impl fmt::Display for MailRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&short(&self.path))?;
        if let Some(number) = self.number {
            write!(f, ", mail {number}")?;
        }
        let mut subject: String = self.subject.chars().take(LONGEST_SUBJECT).collect();
        if subject.len() < self.subject.len() {
            subject.push_str("...");
        }
        write!(f, " (\"{subject}\")")
    }
}

/// An audit file, or a file of proofs, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditText {
    /// Where it lies: a file, or its name and the mail to which it was attached.
    pub path: String,
    /// Whether it was attached to a mail.
    pub attached: bool,
    /// Whose dispatches it came with.
    pub sent_to: BTreeSet<Seat>,
    /// The whole of it.
    pub text: String,
}

/// A head as it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    /// The first mail that shows it; one of the host's if there is one.
    pub(super) mail: MailRef,
    /// Whether it stands only in quotations.
    pub(super) quoted: bool,
    /// In how many mails it stands.
    pub(super) mails: usize,
}

/// A refusal of the host's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) seat: Seat,
    /// The last log entry when it was written: what it refused is there, or shortly before.
    pub(super) index: Option<u64>,
    /// When it was written, by its own word, in Unix seconds.
    pub(super) written: Option<i64>,
}

/// The host's answer to commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) seat: Seat,
    /// The last log entry when it was written.
    pub(super) index: Option<u64>,
    /// Whether it says that the orders are taken back.
    pub(super) takes_back: bool,
    /// The rolls that it says the player consents to be thrown again.
    pub(super) consents: BTreeSet<Label>,
}

/// The order form of a dispatch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    /// The adjudication that it asks for the orders of, where its Message-ID tells.
    pub(super) t: Option<u32>,
    /// The last log entry when it was written.
    pub(super) index: Option<u64>,
    /// Its lines, without comments.
    pub(super) lines: Block,
}

/// A signature that a mail brings, and the heads in the mail that it may be of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signed {
    pub(super) mail: MailRef,
    pub(super) message_id: Option<String>,
    pub(super) heads: Vec<Witness>,
    pub(super) armoured: String,
}

/// A mail with what was read of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept<T> {
    pub(super) mail: MailRef,
    /// Its Message-ID, of a player's mail.
    pub(super) message_id: Option<String>,
    /// The Message-ID of the mail that it answers.
    pub(super) answers: Option<String>,
    pub(super) what: T,
}

/// What mails say of one game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mails {
    pub(super) of_host: usize,
    pub(super) of_players: usize,
    pub(super) heads: BTreeMap<u64, BTreeMap<Digest, Shown>>,
    pub(super) anchors: BTreeMap<Digest, MailRef>,
    /// The addresses that the host's mails are from.
    pub(super) hosts: BTreeSet<String>,
    pub(super) closes: BTreeMap<u32, Vec<(Close, MailRef)>>,
    /// The levels that the host claimed.
    pub(super) levels: BTreeMap<u32, Vec<(String, MailRef)>>,
    /// What the public beacon gave.
    pub(super) beacons: BTreeMap<u32, Vec<(Digest, MailRef)>>,
    /// When the closes of turns that wait for a public beacon were told.
    pub(super) told: in_time::AllTold,
    /// For the last head in each of the host's mails the latest `Date` of one that ends with it, in Unix seconds.
    pub(super) written: BTreeMap<u64, (i64, MailRef)>,
    pub(super) signatures: Vec<Signed>,
    /// The keys that invitations name, of which there has to be one.
    pub(super) keys: Vec<(HostKey, MailRef)>,
    /// Mails of the host's to seats in which something can't be read that each of their kind has.
    pub(super) lacking: Vec<(MailRef, Lack)>,
    /// Mails of the host's to seats that bring no signature, with their Message-IDs.
    pub(super) unsigned: BTreeMap<MailRef, Option<String>>,
    pub(super) receipts: Vec<Kept<Receipt>>,
    pub(super) refusals: Vec<Kept<Refusal>>,
    pub(super) own: Vec<Kept<Own>>,
    pub(super) answers: Vec<Kept<Answer>>,
    /// The adjudications of which each seat's report is there: a dispatch asks for the orders of the next.
    pub(super) dispatches: BTreeMap<Seat, BTreeSet<u32>>,
    /// The order forms in the dispatches to each seat.
    pub(super) forms: BTreeMap<Seat, Vec<Form>>,
    /// What mails say of orders that were taken, and only the log can place.
    pub(super) unplaced: Vec<Kept<Unplaced>>,
    /// The last log entries that the mails to each seat show, but for the last word to somebody who plays it no more.
    pub(super) written_to: BTreeMap<Seat, BTreeSet<u64>>,
    /// Those of the mails that told somebody that the seat is his, or no more.
    pub(super) handed_over: BTreeMap<Seat, BTreeSet<u64>>,
    /// By which a second copy of a mail is known.
    prints: BTreeMap<Digest, First>,
    /// The different signatures of each mail, by its print.
    pub(super) signed: BTreeMap<Digest, BTreeSet<Digest>>,
    /// How many different heads there are.
    different: usize,
    /// How many bytes of orders are kept.
    pub(super) bytes: usize,
    /// How many bytes of what players wrote.
    texts: usize,
}

/// Everything that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    pub(super) files: Vec<AuditText>,
    /// Files of proofs, each once.
    pub(super) proofs: Vec<AuditText>,
    /// By which a second copy of proofs is known, with its place among them.
    known_proofs: BTreeMap<Digest, usize>,
    /// How many bytes of audit files are kept.
    file_bytes: usize,
    /// How many bytes of proofs are kept.
    proof_bytes: usize,
    pub(super) games: BTreeMap<GameId, Mails>,
    /// Whether there was more than is kept.
    pub(super) overfull: bool,
}

impl Evidence {
    /// Takes an audit file.
    pub fn take_file(&mut self, file: AuditText) {
        self.file_bytes = self.file_bytes.saturating_add(file.text.len());
        // The first one is as large as it may be to be read at all.
        if !self.files.is_empty() && (self.file_bytes > MOST_FILE_BYTES || self.files.len() >= MOST_FILES) {
            self.overfull = true;
            return;
        }
        self.files.push(file);
    }

    /// Takes a file of proofs.
    pub fn take_proofs(&mut self, file: AuditText) {
        let digest = Digest::of(file.text.as_bytes());
        if let Some(known) = self.known_proofs.get(&digest).and_then(|at| self.proofs.get_mut(*at)) {
            known.sent_to.extend(file.sent_to);
            return;
        }
        self.proof_bytes += file.text.len();
        if self.proof_bytes > MOST_BYTES || self.proofs.len() >= MOST {
            self.overfull = true;
            return;
        }
        self.known_proofs.insert(digest, self.proofs.len());
        self.proofs.push(file);
    }

    /// Takes a mail; says whether the host wrote it, and for which game it is, if for any.
    pub(super) fn take_mail(&mut self, mail: MailRef, testimony: Testimony) -> Option<bool> {
        let game = testimony.game.clone()?;
        if self.games.len() >= MOST_GAMES && !self.games.contains_key(&game) {
            self.overfull = true;
            return None;
        }
        let is_hosts = testimony.is_hosts;
        // A mail may quote another game's.
        for head in &testimony.heads {
            if self.games.len() < MOST_GAMES || self.games.contains_key(&head.witness.game) {
                let mails = self.games.entry(head.witness.game.clone()).or_default();
                let quoted = head.quoted || !is_hosts;
                self.overfull |= !mails.take_head(head.witness.index, head.witness.head, quoted, &mail);
            }
        }
        let mails = self.games.entry(game).or_default();
        self.overfull |= !mails.take(mail, testimony);
        Some(is_hosts)
    }
}

impl Mails {
    /// Says whether there was room for it.
    pub(super) fn take_head(&mut self, index: u64, head: Digest, quoted: bool, mail: &MailRef) -> bool {
        let known = self.heads.get(&index).is_some_and(|heads| heads.contains_key(&head));
        if !known && self.different >= MOST {
            return false;
        }
        self.different += usize::from(!known);
        let shown = self.heads.entry(index).or_default().entry(head);
        let shown = shown.or_insert_with(|| Shown { mail: mail.clone(), quoted, mails: 0 });
        shown.mails += 1;
        if shown.quoted && !quoted {
            (shown.mail, shown.quoted) = (mail.clone(), false);
        }
        true
    }

    /// Says whether there was room for all of it.
    fn take(&mut self, mail: MailRef, testimony: Testimony) -> bool {
        let Testimony {
            message_id,
            answers,
            sent,
            to_seat,
            hands_over,
            closes,
            told,
            takes_back,
            consents,
            times,
            levels,
            beacons,
            anchor,
            form,
            signature,
            key,
            receipt,
            lack,
            own,
            is_hosts,
            host,
            unplaced,
            heads,
            print,
            ..
        } = testimony;
        // A second copy of a mail may have come another way, and earlier.
        for close in closes.iter().filter(|close| told.contains(&close.t)) {
            let has_room = self.told.len() < MOST_CLOSES || self.told.contains_key(&close.t);
            if has_room {
                in_time::note(self.told.entry(close.t).or_default(), close.root, times, &mail);
            }
        }
        let mut room = self.take_signature(signature, print, message_id.as_ref(), &heads, &mail);
        if let Some(key) =
            key.filter(|key| self.keys.len() < 2 && self.keys.iter().all(|(other, _)| other != key))
        {
            self.keys.push((key, mail.clone()));
        }
        if let Some(first) = self.prints.get(&print).cloned() {
            let unplaced = unplaced.map(|unplaced| unplaced.claim.returned);
            let returned = receipt.map(|receipt| receipt.returned).or(unplaced);
            return room & self.take_more(&first, print, returned, own);
        }
        if self.prints.len() >= 10 * MOST {
            return false;
        }
        // Without its Message-ID a mail to somebody who has no seat looks like others to one, but not like these.
        let always =
            |(kind, _): &(Kind, Seat)| matches!(kind, Kind::Dispatch | Kind::Receipt | Kind::Reminder);
        let is_to_player = sent.is_some() || to_seat.as_ref().is_some_and(always);
        let first = First {
            mail: mail.clone(),
            receipt: receipt.as_ref().map(|_| self.receipts.len()),
            unplaced: unplaced.as_ref().map(|_| self.unplaced.len()),
            own: own.as_ref().map(|_| self.own.len()),
        };
        self.prints.insert(print, first);
        room &= self.written.len() < MOST;
        if self.hosts.len() < MOST_HOSTS {
            self.hosts.extend(host);
        }
        match is_hosts {
            true => self.of_host += 1,
            false => self.of_players += 1,
        }
        let last = heads.iter().rev().find(|head| !head.quoted).filter(|_| is_to_player);
        if let (true, Some(head), Some(at)) = (room, last, times.written) {
            let latest = self.written.entry(head.witness.index).or_insert_with(|| (at, mail.clone()));
            if latest.0 < at {
                *latest = (at, mail.clone());
            }
        }
        room &= self.take_closes(closes, anchor, &mail);
        for (t, level) in levels {
            room &= take_one(&mut self.levels, t, level, &mail);
        }
        for (t, value) in beacons {
            room &= take_one(&mut self.beacons, t, value, &mail);
        }
        if let Some(lack) = lack {
            room &= self.lacking.len() < MOST;
            self.lacking.extend(room.then(|| (mail.clone(), lack)));
        }
        let seat = to_seat.as_ref().filter(|_| is_to_player).map(|(_, seat)| seat);
        if !self.signed.contains_key(&print) && seat.is_some_and(|seat| !seat.as_str().starts_with(GUEST)) {
            room &= self.unsigned.len() < MOST;
            if room {
                self.unsigned.insert(mail.clone(), message_id.clone());
            }
        }
        // What a player's form was filled in with, he was shown.
        let returned = receipt.iter().map(|receipt| &receipt.returned);
        let returned = returned.chain(unplaced.iter().map(|unplaced| &unplaced.claim.returned));
        self.bytes += returned.clone().flat_map(Returned::sets).map(|set| set.as_str().len()).sum::<usize>();
        let blocks = own.iter().flat_map(|own| &own.blocks);
        self.bytes += blocks.clone().map(|block| block.as_str().len()).sum::<usize>();
        let texts = own.iter().flat_map(|own| {
            let enclosed = own.enclosed.iter().filter_map(|one| one.text.as_ref());
            std::iter::once(&own.rest).chain(&own.attached).chain(enclosed)
        });
        self.texts += texts.map(String::len).sum::<usize>();
        room &= self.bytes <= MOST_BYTES && self.texts <= MOST_TEXTS;
        for (index, head) in blocks.chain(returned.flat_map(Returned::credible)).filter_map(Block::seen) {
            room &= self.take_head(index, head, true, &mail);
        }
        if let Some((lines, (_, seat))) = form.zip(to_seat.as_ref()) {
            self.bytes += lines.as_str().len();
            let forms = self.forms.entry(seat.clone()).or_default();
            room &= self.bytes <= MOST_BYTES && forms.len() < MOST_CLOSES;
            if room {
                let index = heads.iter().rev().find(|head| !head.quoted).map(|head| head.witness.index);
                forms.push(Form { t: sent.as_ref().map(|sent| sent.t), index, lines });
            }
        }
        if let Some(sent) = sent.filter(|sent| sent.kind == Kind::Dispatch) {
            self.dispatches.entry(sent.seat).or_default().insert(sent.t);
        }
        if let Some((kind, seat)) = to_seat {
            let index = heads.iter().rev().find(|head| !head.quoted).map(|head| head.witness.index);
            let note = |noted: &mut BTreeMap<Seat, BTreeSet<u64>>| {
                let shown = noted.entry(seat.clone()).or_default();
                shown.extend(index.filter(|_| shown.len() < MOST));
            };
            if hands_over {
                note(&mut self.handed_over);
            }
            if !hands_over || kind == Kind::Invitation {
                note(&mut self.written_to);
            }
            let answers = answers.clone();
            match kind {
                Kind::Answer if self.answers.len() < MOST => {
                    let what = Answer { seat, index, takes_back, consents };
                    self.answers.push(Kept { mail: mail.clone(), message_id: None, answers, what });
                }
                Kind::Refusal if self.refusals.len() < MOST => {
                    let what = Refusal { seat, index, written: times.written };
                    self.refusals.push(Kept { mail: mail.clone(), message_id: None, answers, what });
                }
                _ => {}
            }
        }
        if let Some(what) = unplaced.filter(|_| room) {
            room &= self.unplaced.len() < MOST;
            let answers = answers.clone();
            self.unplaced.push(Kept { mail: mail.clone(), message_id: None, answers, what });
        }
        if let Some(what) = receipt.filter(|_| room) {
            room &= self.receipts.len() < MOST;
            let answers = answers.clone();
            self.receipts.push(Kept { mail: mail.clone(), message_id: None, answers, what });
        }
        if let Some(what) = own.filter(|_| room) {
            room &= self.own.len() < MOST;
            self.own.push(Kept { mail, message_id, answers, what });
        }
        room
    }

    fn take_closes(&mut self, closes: Vec<Close>, anchor: Option<Digest>, mail: &MailRef) -> bool {
        if let Some(anchor) = anchor.filter(|_| self.anchors.len() < MOST) {
            self.anchors.entry(anchor).or_insert_with(|| mail.clone());
        }
        closes.into_iter().fold(true, |room, close| room & take_one(&mut self.closes, close.t, close, mail))
    }
}

/// Keeps what a mail says of an adjudication; says whether there was room for it.
fn take_one<T: PartialEq>(
    kept: &mut BTreeMap<u32, Vec<(T, MailRef)>>,
    t: u32,
    what: T,
    mail: &MailRef,
) -> bool {
    if kept.len() >= MOST_CLOSES && !kept.contains_key(&t) {
        return false;
    }
    let known = kept.entry(t).or_default();
    // Two that differ are enough to show that they do.
    if known.len() < 2 && known.iter().all(|(other, _)| *other != what) {
        known.push((what, mail.clone()));
    }
    true
}

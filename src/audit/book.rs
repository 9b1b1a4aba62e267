//! The log of an audit file, looked up: which head stands where, which mails were taken, what was closed and revealed.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::claims::{Claim, Subject};
use super::mail::Receipt;
use super::place::FileRef;
use musterd_dice::audit::{LogLine, Turn, each};
use musterd_dice::told::{TellingId, ToldNote};
use musterd_dice::{
    Beacon, BeaconPolicy, Block, Digest, GameId, Holder, Label, LogEntry, LoggedVerdict, Note, Seat, Secret,
    SecretChain, Word, leaf, previous,
};

/// How many turns may lie between one and the next that is revealed: a forger may number them as it likes.
const MOST_BETWEEN: u32 = 10_000;

/// A mail in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recv {
    pub(super) index: u64,
    /// The adjudication that it was for.
    pub(super) t: u32,
    pub(super) seat: Seat,
    pub(super) digest: Digest,
    pub(super) verdict: LoggedVerdict,
    pub(super) reason: Option<Word>,
    /// Whether it is no mail, but the computer's orders as they were fixed at the opening.
    pub(super) sealed: bool,
}

/// The round of the public beacon that the dice of a closed adjudication wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) round: u64,
    /// When it comes, in Unix seconds.
    pub(super) at: i64,
    /// The place of the close in the log.
    pub(super) close: u64,
}

/// What a log has of the subject of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Logged {
    /// It has the same.
    Same,
    /// It has this instead, or should have something and has nothing.
    Other(Option<Digest>),
    /// It has nothing of that, or is older.
    None,
}

/// What a log has of the mail that a receipt was given for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReceiptFate<'a> {
    /// It was taken.
    Taken(&'a Recv),
    /// The log has to have it, and doesn't.
    Dropped,
    /// It came after the file was written.
    NotYet,
}

/// What an audit file says, as far as it can be read. Whether it is true is `examine`'s to say.
#[derive(Debug, Clone, Default)]
pub(super) struct Book {
    /// Where the file lies.
    pub(super) path: FileRef,
    pub(super) game: Option<GameId>,
    pub(super) anchor: Option<Digest>,
    pub(super) seats: BTreeSet<Seat>,
    /// How many entries there are.
    pub(super) entries: usize,
    /// The hash of each that can be read: a forger may write any number of others.
    pub(super) heads: BTreeMap<u64, Digest>,
    /// Of each entry, by its hash, where it stands and which adjudication was open behind it.
    open: BTreeMap<Digest, (u64, u32)>,
    /// The name of each adjudication that was opened.
    pub(super) opened: BTreeMap<u32, String>,
    /// The root of each that was closed.
    pub(super) closes: BTreeMap<u32, Digest>,
    pub(super) void: BTreeSet<u32>,
    /// The roll that each which is there for one throws again.
    pub(super) rerolls: BTreeMap<u32, Label>,
    /// Whether the game was over when the log was written, and nothing can have run since.
    pub(super) ended: bool,
    /// The public beacon that the game uses.
    pub(super) policy: Option<BeaconPolicy>,
    /// The last deadline of each adjudication so far, in Unix seconds.
    deadlines: BTreeMap<u32, u64>,
    /// Where each that was closed had its close, and its deadline then, in Unix seconds.
    pub(super) closed_at: BTreeMap<u32, (u64, Option<u64>)>,
    /// What each that was closed in such a game waits for.
    pub(super) due: BTreeMap<u32, Due>,
    /// What the public beacon gave for each adjudication that waited for it.
    pub(super) beacons: BTreeMap<u32, Digest>,
    /// The mails of each seat for each adjudication, sealed orders among them.
    mails: BTreeMap<(Seat, u32), Vec<Recv>>,
    /// Where each adjudication was opened.
    opened_at: BTreeMap<u32, u64>,
    /// Where the log says that a seat changed hands, and whether to a person's.
    handed_over: BTreeMap<Seat, BTreeMap<u64, bool>>,
    /// Where it says that a player consented to throw a roll again, before that was done.
    consented: BTreeMap<(Seat, Label), BTreeSet<u64>>,
    /// Whether it brings what plays the game again.
    pub(super) replayable: bool,
    /// What binds what seats were told: each entry's index and its note.
    pub(super) told: BTreeMap<TellingId, (u64, ToldNote)>,
    /// What is revealed.
    pub(super) turns: BTreeMap<u32, Turn>,
    /// The secrets of an escrow that fits the anchor.
    escrow: Option<SecretChain>,
}

/// The parts of a file, each read by itself.
#[derive(Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    log: &'a RawValue,
    #[serde(borrow)]
    turns: &'a RawValue,
    #[serde(default)]
    replay: Option<IgnoredAny>,
}

impl Book {
    /// Reads a file, which lies at `path`; none if it has no log and no turns.
    pub(super) fn read(path: &str, text: &str) -> Option<Self> {
        let parts: Parts<'_> = serde_json::from_str(text).ok()?;
        let mut book =
            Self { path: FileRef(path.to_owned()), replayable: parts.replay.is_some(), ..Self::default() };
        let entries = each(parts.log, |index, raw| {
            let Ok(line) = serde_json::from_str::<LogLine>(raw.get()) else { return };
            let index = index as u64;
            book.heads.extend(line.hash.parse().ok().map(|hash: Digest| (index, hash)));
            if let Some(entry) = line.entry() {
                book.take(index, entry);
            }
            let last = book.opened.last_key_value().map(|(t, _)| *t).filter(|t| !book.is_decided(*t));
            book.open.extend(book.heads.get(&index).copied().zip(last.map(|t| (index, t))));
        });
        book.entries = entries.ok()?;
        let revealed = |raw: &RawValue| {
            serde_json::from_str::<Turn>(raw.get()).ok().filter(|turn| turn.secret.is_some())
        };
        each(parts.turns, |_, raw| book.turns.extend(revealed(raw).map(|turn| (turn.t, turn)))).ok()?;
        Some(book)
    }

    fn take(&mut self, index: u64, entry: LogEntry) {
        match entry {
            LogEntry::Game { game, anchor, seats, beacon, .. } if index == 0 => {
                (self.game, self.anchor, self.seats, self.policy) = (Some(game), Some(anchor), seats, beacon);
            }
            LogEntry::Open { t, name, deadline } => {
                self.opened.insert(t, name.to_string());
                self.opened_at.insert(t, index);
                self.deadlines.extend(deadline.map(|at| (t, at)));
            }
            LogEntry::Deadline { t, at } => _ = self.deadlines.insert(t, at),
            LogEntry::Seal { t, seat, leaf: digest } => {
                let verdict = LoggedVerdict::Accepted;
                self.receive(Recv { index, t, seat, digest, verdict, reason: None, sealed: true });
            }
            LogEntry::Recv { t, seat: Some(seat), digest, verdict, reason } => {
                self.receive(Recv { index, t, seat, digest, verdict, reason, sealed: false });
            }
            LogEntry::Close { t, root } => {
                self.closes.insert(t, root);
                self.closed_at.insert(t, (index, self.deadlines.get(&t).copied()));
                self.due.extend(self.due_of(t, index).map(|due| (t, due)));
            }
            LogEntry::Rollback { t, back } => {
                self.void.extend(self.opened.range(back.min(t)..=t).map(|(t, _)| *t));
                self.ended = false;
            }
            LogEntry::Reroll { t, label } => {
                self.rerolls.insert(t, label);
                self.ended = false;
            }
            LogEntry::Gm { .. } | LogEntry::Note { .. } => {
                entry.note().into_iter().for_each(|note| self.note(index, note));
            }
            LogEntry::Recv { seat: None, .. } | LogEntry::Game { .. } => {}
            LogEntry::Rolls { .. } | LogEntry::Rerun { .. } => {}
        }
    }

    fn note(&mut self, index: u64, note: Note<'_>) {
        match note {
            Note::Ended(_) => self.ended = true,
            Note::Beacon(t, value) => {
                self.beacons.extend(value.parse().ok().map(|beacon: Beacon| (t, beacon.value)));
            }
            Note::Seat(seat, holder) => {
                self.handed_over.entry(seat).or_default().insert(index, holder == Holder::Player);
            }
            Note::Consent(seat, label) => _ = self.consented.entry((seat, label)).or_default().insert(index),
            Note::Refused(seat, digest, reason) => {
                let Some(t) = self.opened.keys().next_back().copied() else { return };
                let (verdict, reason) = (LoggedVerdict::Refused, Some(reason));
                self.receive(Recv { index, t, seat, digest, verdict, reason, sealed: false });
            }
            Note::Told(Some(note)) => {
                if self.opened.contains_key(&note.id.t) && self.seats.contains(&note.id.seat) {
                    self.told.entry(note.id.clone()).or_insert((index, note));
                }
            }
            Note::Reveal(..) | Note::Amend(_) | Note::Edit(_) | Note::HostKey(_) | Note::Told(None) => {}
        }
    }

    fn receive(&mut self, recv: Recv) {
        self.mails.entry((recv.seat.clone(), recv.t)).or_default().push(recv);
    }

    fn due_of(&self, t: u32, close: u64) -> Option<Due> {
        let (policy, deadline) = self.policy.as_ref().zip(self.deadlines.get(&t))?;
        let round = policy.round(*deadline);
        Some(Due { round, at: policy.time_of(round).try_into().ok()?, close })
    }

    /// Holds a claim against the log.
    pub(super) fn has(&self, claim: &Claim) -> Logged {
        // An entry that can't be read is told of where the file is examined, and a later one as `Newer`.
        let (logged, is_due) = match &claim.subject {
            Subject::Head(index) => (self.heads.get(index), false),
            Subject::Anchor => (self.anchor.as_ref(), false),
            // A later close than the file has is told of by its head.
            Subject::Close(t) => {
                (self.closes.get(t), self.opened.last_key_value().is_some_and(|(last, _)| last > t))
            }
            Subject::Beacon(t) => (self.beacons.get(t), false),
            // While it is open the file may be older than the mail.
            Subject::Open(t) => match claim.value.digest().and_then(|head| self.open_head(*t, head)) {
                Some(_) => return Logged::Same,
                None => (None, self.is_decided(*t)),
            },
            _ => return Logged::None,
        };
        match logged {
            Some(logged) if Some(*logged) == claim.value.digest() => Logged::Same,
            None if !is_due => Logged::None,
            logged => Logged::Other(logged.copied()),
        }
    }

    /// The hash of an entry.
    pub(super) fn head(&self, index: u64) -> Option<Digest> {
        self.heads.get(&index).copied()
    }

    /// Where the entry with this hash stands, if this adjudication was open behind it.
    pub(super) fn open_head(&self, t: u32, head: Digest) -> Option<u64> {
        self.open.get(&head).filter(|(_, open)| *open == t).map(|(index, _)| *index)
    }

    /// The adjudication that was open, or ran last, when the log ended with this entry.
    pub(super) fn open_at(&self, head: u64) -> Option<u32> {
        self.opened_at.iter().rev().find(|(_, at)| **at <= head).map(|(t, _)| *t)
    }

    /// What the log says of a seat's mails for an adjudication.
    pub(super) fn mails_of(&self, t: u32, seat: &Seat) -> &[Recv] {
        self.mails.get(&(seat.clone(), t)).map_or(&[], Vec::as_slice)
    }

    /// The same for all of these adjudications, one behind the other.
    pub(super) fn of_seat(&self, seat: &Seat, within: RangeInclusive<u32>) -> impl Iterator<Item = &Recv> {
        self.mails
            .range((seat.clone(), *within.start())..=(seat.clone(), *within.end()))
            .flat_map(|(_, all)| all)
    }

    /// Every mail that was accepted, and every seal.
    pub(super) fn accepted(&self) -> impl Iterator<Item = &Recv> {
        self.mails.values().flatten().filter(|recv| recv.verdict == LoggedVerdict::Accepted)
    }

    /// The log entries that gave a seat to another between these two: what was written when entry `one` was the last was written before
    /// all of them.
    pub(super) fn handed_over(
        &self,
        seat: &Seat,
        one: u64,
        other: u64,
    ) -> impl DoubleEndedIterator<Item = u64> {
        let between = one.min(other).saturating_add(1)..one.max(other).saturating_add(1);
        let all = self.handed_over.get(seat);
        all.into_iter().flat_map(move |all| all.range(between.clone())).map(|(at, _)| *at)
    }

    /// The heads of the log that stood while a seat was in the hands that had it at this entry: from the first on, up to the other.
    pub(super) fn held(&self, seat: &Seat, index: u64) -> (u64, u64) {
        let behind = index.saturating_add(1);
        let all = self.handed_over.get(seat);
        let from = all.and_then(|all| all.range(..behind).next_back()).map_or(0, |(at, _)| *at);
        let to = all.and_then(|all| all.range(behind..).next()).map_or(u64::MAX, |(at, _)| *at);
        (from, to)
    }

    /// The last log entry before this one that gave a seat to another, and whether that was a person.
    pub(super) fn last_handed_over(&self, seat: &Seat, before: u64) -> Option<(u64, bool)> {
        let (at, to_person) = self.handed_over.get(seat)?.range(..before).next_back()?;
        Some((*at, *to_person))
    }

    /// Where the next adjudication behind `t` was opened; none where none was.
    pub(super) fn next_opened_at(&self, t: u32) -> Option<u64> {
        self.opened_at.range(t.saturating_add(1)..).next().map(|(_, at)| *at)
    }

    /// Of a mail that shows the log up to `upto` and says that a seat's player consents to throw this roll again: what the log has of
    /// that consent once the roll is thrown, unless the player consented anew before.
    pub(super) fn consent_upto(&self, seat: &Seat, label: &Label, upto: u64) -> Option<&Recv> {
        let given = self.consented.get(&(seat.clone(), label.clone()))?;
        let anew = given.range(upto.saturating_add(1)..).next().copied().unwrap_or(u64::MAX);
        let given = *given.range(..=upto).next_back()?;
        let thrown = self.rerolls.iter().filter(|(_, again)| *again == label);
        let all = thrown.flat_map(|(t, _)| self.mails_of(*t, seat));
        let of_it =
            all.filter(|recv| recv.verdict == LoggedVerdict::Accepted && (given..anew).contains(&recv.index));
        of_it.min_by_key(|recv| recv.index)
    }

    /// Whether an adjudication takes no more mails: it was closed, or is void.
    pub(super) fn is_decided(&self, t: u32) -> bool {
        self.closes.contains_key(&t) || self.void.contains(&t)
    }

    /// The mail of a seat that a receipt was given for: the last with its leaf that was there when it was written. A log that has the entry
    /// which the receipt shows, or more, has that mail too; so does one in which the adjudication takes no more mails.
    pub(super) fn standing(&self, receipt: &Receipt<'_>) -> ReceiptFate<'_> {
        let shown = receipt.mail.index;
        let is_there = |recv: &&Recv| shown.is_none_or(|upto| recv.index <= upto);
        let taken = |recv: &&Recv| recv.digest == receipt.leaf && recv.verdict == LoggedVerdict::Accepted;
        match self.mails_of(receipt.t, receipt.seat).iter().filter(is_there).rfind(taken) {
            Some(recv) => ReceiptFate::Taken(recv),
            None if self.is_decided(receipt.t) || shown.is_some_and(|upto| upto < self.entries as u64) => {
                ReceiptFate::Dropped
            }
            None => ReceiptFate::NotYet,
        }
    }

    /// The mail of a seat that counted: its last accepted one.
    pub(super) fn counted(&self, t: u32, seat: &Seat) -> Option<&Recv> {
        self.mails_of(t, seat).iter().rfind(|recv| recv.verdict == LoggedVerdict::Accepted)
    }

    /// The leaf of these orders, or of silence, where that is revealed.
    pub(super) fn leaf(&self, t: u32, seat: &Seat, block: Option<&Block>) -> Option<Digest> {
        Some(leaf(&self.secret(t)?, self.game.as_ref()?, t, seat, block))
    }

    /// The orders that the file shows for a seat, where they are revealed: none where it shows that it sent none.
    pub(super) fn orders(&self, t: u32, seat: &Seat) -> Option<Option<&str>> {
        Some(self.turns.get(&t)?.orders.get(seat.as_str())?.as_deref())
    }

    /// Opens what the file doesn't, if these are the game's secrets.
    pub(super) fn open(&mut self, escrow: &SecretChain) {
        if self.game.as_ref() == Some(escrow.game()) && self.anchor == Some(escrow.anchor()) {
            self.escrow = Some(escrow.clone());
        }
    }

    /// s_t, from an escrow or the file.
    pub(super) fn secret(&self, t: u32) -> Option<Secret> {
        if let Some(escrow) = &self.escrow {
            return escrow.secret(t);
        }
        secret_of(&self.turns, self.game.as_ref()?, t)
    }
}

/// s_t, from the adjudication in a file or from a later one: whoever knows a secret knows all before it.
pub(super) fn secret_of<T: Borrow<Turn>>(turns: &BTreeMap<u32, T>, game: &GameId, t: u32) -> Option<Secret> {
    let (&later, turn) = turns.range(t..=t.saturating_add(MOST_BETWEEN)).next()?;
    let secret = Secret::try_from(turn.borrow().secret.as_deref()?).ok()?;
    Some((t + 1..=later).rev().fold(secret, |secret, i| previous(game, i, &secret)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(log: &[(&str, &str)]) -> Book {
        let lines =
            log.iter().map(|(kind, body)| format!(r#"{{"kind":"{kind}","body":"{body}","hash":""}}"#));
        let lines: Vec<String> = lines.collect();
        Book::read("", &format!(r#"{{"log":[{}],"turns":[]}}"#, lines.join(","))).unwrap()
    }

    #[test]
    fn a_roll_thrown_again_behind_the_end_leaves_it_open_until_the_game_ends_anew() {
        let log = [
            ("open", "1 - a"),
            ("note", "ended: red 1"),
            ("open", "2 - a"),
            ("reroll", "2 1/a/b/c/0"),
            ("note", "ended: red 2"),
        ];
        assert!(book(&log[..2]).ended && !book(&log[..4]).ended && book(&log).ended);
    }

    #[test]
    fn a_seat_is_held_as_long_as_nothing_hands_it_over() {
        let red: Seat = "red".parse().unwrap();
        for handed_over in 0..1_u32 << 6 {
            let is = |at: &u64| handed_over >> at & 1 == 1;
            let log: Vec<_> = (0..6)
                .map(|at| if is(&at) { ("gm", "1 seat red player") } else { ("note", "nothing") })
                .collect();
            let book = book(&log);
            for (index, shown) in (0..6).flat_map(|index| (0..6).map(move |shown| (index, shown))) {
                let (from, to) = book.held(&red, index);
                // What a mail shows was there when it was written: so between two heads lies what stands behind the one, up to the other.
                let is_between = (index.min(shown) + 1..=index.max(shown)).any(|at| is(&at));
                assert_eq!((from..to).contains(&shown), !is_between, "{handed_over:b}, {index}, {shown}");
            }
        }
    }

    #[test]
    fn a_mail_that_a_note_tells_of_was_refused_in_the_last_adjudication() {
        let digest = "ab".repeat(32);
        let red: Seat = "red".parse().unwrap();
        for when in ["after the close", "after the end", "between turns"] {
            let note = format!("mail {when}: red {digest} refused late");
            let book = book(&[("open", "1 - a"), ("open", "2 - b"), ("note", &note)]);
            let [recv] = book.mails_of(2, &red) else { panic!("{note}") };
            assert_eq!(
                (recv.index, recv.verdict, recv.digest.to_string()),
                (2, LoggedVerdict::Refused, digest.clone())
            );
            assert_eq!(recv.reason.as_ref().map(Word::as_str), Some("late"));
        }
        for note in ["mail from afar: red {} refused late", "mail after the end: - {} refused late", "mail"] {
            let note = note.replace("{}", &digest);
            assert!(book(&[("open", "1 - a"), ("note", &note)]).mails.is_empty(), "{note}");
        }
    }
}

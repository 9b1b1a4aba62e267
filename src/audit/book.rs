//! The log of an audit file, looked up: which head stands where, which mails were taken, what was closed and revealed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::dice::audit::{Line, Turn};
use crate::dice::{
    Beacon, Block, Digest, GameId, LogEntry, Seat, Secret, SecretChain, Verdict, Word, leaf, previous,
};

/// How many turns may lie between one and the next that is revealed: a forger may number them as it likes.
const MOST_BETWEEN: u32 = 10_000;

/// A mail in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recv {
    pub(super) index: u64,
    pub(super) digest: Digest,
    pub(super) verdict: Verdict,
    pub(super) reason: Option<Word>,
    /// Whether it is no mail, but the computer's orders as they were fixed at the opening.
    pub(super) sealed: bool,
}

/// What an audit file says, as far as it can be read. Whether it is true is `examine`'s to say.
#[derive(Debug, Clone, Default)]
pub(super) struct Book {
    pub(super) game: Option<GameId>,
    pub(super) anchor: Option<Digest>,
    pub(super) seats: BTreeSet<Seat>,
    /// The hash of each entry.
    pub(super) heads: Vec<Option<Digest>>,
    /// The name of each adjudication that was opened.
    pub(super) opened: BTreeMap<u32, String>,
    /// The root of each that was closed.
    pub(super) closes: BTreeMap<u32, Digest>,
    pub(super) void: BTreeSet<u32>,
    /// Whether the game was over when the log was written.
    pub(super) ended: bool,
    /// What the public beacon gave for each adjudication that waited for it.
    pub(super) beacons: BTreeMap<u32, Digest>,
    /// The mails of each seat for each adjudication, sealed orders among them.
    pub(super) mails: BTreeMap<(u32, Seat), Vec<Recv>>,
    /// Whether it brings what plays the game again.
    pub(super) replayable: bool,
    /// What is revealed.
    pub(super) turns: BTreeMap<u32, Turn>,
    /// The secrets of an escrow that fits the anchor.
    escrow: Option<SecretChain>,
}

/// The parts of a file, each read by itself.
#[derive(Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    log: Vec<&'a RawValue>,
    #[serde(borrow)]
    turns: Vec<&'a RawValue>,
    #[serde(default)]
    replay: Option<IgnoredAny>,
}

impl Book {
    /// Reads a file; none if it has no log and no turns.
    pub(super) fn read(text: &str) -> Option<Self> {
        let parts: Parts<'_> = serde_json::from_str(text).ok()?;
        let mut book = Self { replayable: parts.replay.is_some(), ..Self::default() };
        for (index, raw) in (0..).zip(parts.log) {
            let line = serde_json::from_str::<Line>(raw.get()).ok();
            book.heads.push(line.as_ref().and_then(|line| line.hash.parse().ok()));
            if let Some(entry) = line.as_ref().and_then(Line::entry) {
                book.take(index, entry);
            }
        }
        let turns = parts.turns.iter().filter_map(|raw| serde_json::from_str::<Turn>(raw.get()).ok());
        book.turns = turns.filter(|turn| turn.secret.is_some()).map(|turn| (turn.t, turn)).collect();
        Some(book)
    }

    fn take(&mut self, index: u64, entry: LogEntry) {
        match entry {
            LogEntry::Game { game, anchor, seats, .. } if index == 0 => {
                (self.game, self.anchor, self.seats) = (Some(game), Some(anchor), seats);
            }
            LogEntry::Open { t, name, .. } => _ = self.opened.insert(t, name.to_string()),
            LogEntry::Seal { t, seat, leaf } => {
                let seal =
                    Recv { index, digest: leaf, verdict: Verdict::Accepted, reason: None, sealed: true };
                self.mails.entry((t, seat)).or_default().push(seal);
            }
            LogEntry::Recv { t, seat: Some(seat), digest, verdict, reason } => {
                let recv = Recv { index, digest, verdict, reason, sealed: false };
                self.mails.entry((t, seat)).or_default().push(recv);
            }
            LogEntry::Close { t, root } => _ = self.closes.insert(t, root),
            LogEntry::Rollback { t, back } => {
                self.void.extend(self.opened.range(back.min(t)..=t).map(|(t, _)| *t));
                self.ended = false;
            }
            LogEntry::Note { text } if text.as_str().starts_with("ended: ") => self.ended = true,
            LogEntry::Note { text } => self.beacons.extend(beacon(text.as_str())),
            _ => {}
        }
    }

    /// The hash of an entry.
    pub(super) fn head(&self, index: u64) -> Option<Digest> {
        usize::try_from(index).ok().and_then(|index| self.heads.get(index)).copied().flatten()
    }

    /// What the log says of a seat's mails for an adjudication.
    pub(super) fn mails_of(&self, t: u32, seat: &Seat) -> &[Recv] {
        self.mails.get(&(t, seat.clone())).map_or(&[], Vec::as_slice)
    }

    /// Whether an adjudication takes no more mails: it was closed, or is void.
    pub(super) fn is_decided(&self, t: u32) -> bool {
        self.closes.contains_key(&t) || self.void.contains(&t)
    }

    /// The mail of a seat that counted: its last accepted one.
    pub(super) fn counted(&self, t: u32, seat: &Seat) -> Option<&Recv> {
        self.mails_of(t, seat).iter().rfind(|recv| recv.verdict == Verdict::Accepted)
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

    /// s_t, from an escrow, the file, or a later turn in it: whoever knows a secret knows all before it.
    fn secret(&self, t: u32) -> Option<Secret> {
        if let Some(escrow) = &self.escrow {
            return escrow.secret(t);
        }
        let (&later, turn) = self.turns.range(t..=t.saturating_add(MOST_BETWEEN)).next()?;
        let secret = Secret::try_from(turn.secret.as_deref()?).ok()?;
        let game = self.game.as_ref()?;
        Some((t + 1..=later).rev().fold(secret, |secret, i| previous(game, i, &secret)))
    }
}

/// What a note says that the public beacon gave: `beacon T NAME/ROUND/VALUE`.
fn beacon(note: &str) -> Option<(u32, Digest)> {
    let (t, beacon) = note.strip_prefix("beacon ")?.split_once(' ')?;
    Some((t.parse().ok()?, beacon.parse::<Beacon>().ok()?.value))
}

//! The log of an audit file, read entry by entry: whether its chain holds, and what it says of each adjudication.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use super::finding::{Fault, Finding, Place};
use super::{Examined, Line, kind};
use crate::dice::beacon::BeaconPolicy;
use crate::dice::entry::{LogEntry, LogKind, Verdict};
use crate::dice::hash::{Digest, hash};
use crate::dice::ids::{GameId, Seat};
use crate::dice::label::Label;
use crate::dice::signature::HostKey;

/// What a log says, as far as it can be read.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The hash of each entry as the file has it.
    heads: Vec<Option<Digest>>,
    game: Option<GameId>,
    anchor: Option<Digest>,
    seats: BTreeSet<Seat>,
    beacon: Option<BeaconPolicy>,
    host_key: Option<HostKey>,
    /// The seats that the host or its computer plays now.
    house: BTreeSet<Seat>,
    turns: BTreeMap<u32, Logged>,
}

/// What the log says of one adjudication.
#[derive(Debug, Default)]
pub(super) struct Logged {
    name: String,
    /// The index of its `open`.
    opened: u64,
    /// The seats that had to be sealed, in order.
    pub(super) house: BTreeSet<Seat>,
    pub(super) sealed: BTreeSet<Seat>,
    /// The leaf of each seat's last accepted mail, or of its seal.
    pub(super) accepted: BTreeMap<Seat, Digest>,
    pub(super) deadline: Option<u64>,
    /// The root that it closed with.
    pub(super) close: Option<Digest>,
    /// What was committed to: root of the rolls, result.
    pub(super) rolls: Option<(Digest, Digest)>,
    pub(super) reruns: Vec<(Digest, Digest)>,
    pub(super) reroll: Option<Label>,
    void: bool,
}

impl Logged {
    pub(super) fn outcome(&self, t: u32) -> Examined {
        Examined {
            t,
            name: self.name.clone(),
            closed: self.close.is_some(),
            void: self.void,
            level: None,
            salted: BTreeSet::new(),
            rolls: 0,
            dice: 0,
        }
    }
}

impl Log {
    /// Reads the entries; what is wrong with them joins the findings.
    pub(super) fn read(raw: &[&RawValue], findings: &mut Vec<Finding>) -> Self {
        let mut log = Self::default();
        let mut before: Option<LogKind> = None;
        for (index, raw) in (0..).zip(raw) {
            let place = Place::Log(index);
            let mut wrong = |fault: Fault| findings.push(fault.at(place));
            let line: Line = match serde_json::from_str(raw.get()) {
                Ok(line) => line,
                Err(error) => {
                    wrong(Fault::Malformed(error.to_string()));
                    log.heads.push(None);
                    before = None;
                    continue;
                }
            };
            log.link(index, &line, &mut wrong);
            let entry = match kind(&line.kind).map(|kind| LogEntry::read(kind, &line.body)) {
                Some(Ok(entry)) => entry,
                Some(Err(error)) => {
                    wrong(Fault::Malformed(error.to_string()));
                    before = None;
                    continue;
                }
                None => {
                    let kind: String = line.kind.chars().take(40).collect();
                    wrong(Fault::Malformed(format!("no log has entries of kind `{kind}`")));
                    before = None;
                    continue;
                }
            };
            let this = entry.kind();
            if (this == LogKind::Game) != (index == 0) {
                wrong(Fault::OutOfPlace("a log begins with its one `game` entry".to_owned()));
            }
            if this == LogKind::Rerun && before != Some(LogKind::Gm) {
                wrong(Fault::OutOfPlace(
                    "a rerun stands directly after the `gm` entry that caused it".to_owned(),
                ));
            }
            if let LogEntry::Note { text } = &entry
                && let Some(key) = HostKey::of_note(text.as_str())
            {
                match index {
                    1 => log.host_key = Some(key),
                    _ => wrong(Fault::OutOfPlace(
                        "the host's key is stated directly behind the `game` entry, and never again"
                            .to_owned(),
                    )),
                }
            }
            log.take(index, entry, &mut wrong);
            before = Some(this);
        }
        log.finish(findings);
        log
    }

    /// Checks one link of the chain. The next is checked from the hash that the file shows, so that one change is one finding.
    fn link(&mut self, index: u64, line: &Line, wrong: &mut impl FnMut(Fault)) {
        let previous = match self.heads.last() {
            None => {
                let game = line.body.split(' ').next().unwrap_or_default();
                Some(hash("genesis", &[game.as_bytes()]))
            }
            Some(previous) => *previous,
        };
        let shown: Option<Digest> = line.hash.parse().ok();
        self.heads.push(shown);
        // After an entry without a readable hash there is nothing to check this one against.
        let Some(previous) = previous else { return };
        let index = index.to_string();
        let fields = [previous.as_bytes(), index.as_bytes(), line.kind.as_bytes(), line.body.as_bytes()];
        let expected = hash("entry", &fields);
        if shown != Some(expected) {
            wrong(Fault::WrongHash { expected: expected.to_string() });
        }
    }

    fn take(&mut self, index: u64, entry: LogEntry, wrong: &mut impl FnMut(Fault)) {
        match entry {
            LogEntry::Game { game, anchor, seats, house, beacon, rules: _ } if index == 0 => {
                (self.game, self.anchor, self.beacon) = (Some(game), Some(anchor), beacon);
                (self.seats, self.house) = (seats, house);
            }
            LogEntry::Game { .. } => {}
            LogEntry::Open { t, deadline, name } => self.open(index, t, deadline, name.to_string(), wrong),
            LogEntry::Gm { text, .. } | LogEntry::Note { text } => {
                if let Some((seat, house)) = seated(text.as_str()) {
                    if house {
                        self.house.insert(seat)
                    } else {
                        self.house.remove(&seat)
                    };
                }
            }
            LogEntry::Seal { t, seat, leaf } => self.seal(index, t, seat, leaf, wrong),
            LogEntry::Recv { t, seat, digest, verdict, .. } => {
                let Some(turn) = self.open_turn(t, "recv", wrong) else { return };
                match (verdict, seat) {
                    (Verdict::Refused, _) => {}
                    (Verdict::Accepted, Some(seat)) => _ = turn.accepted.insert(seat, digest),
                    (Verdict::Accepted, None) => {
                        wrong(Fault::OutOfPlace("an accepted mail of no seat".to_owned()));
                    }
                }
            }
            LogEntry::Deadline { t, at } => {
                if let Some(turn) = self.open_turn(t, "deadline", wrong) {
                    turn.deadline = Some(at);
                }
            }
            LogEntry::Close { t, root } => self.close(t, root, wrong),
            LogEntry::Rolls { t, rolls, result } => {
                let Some(turn) = self.known_turn(t, "rolls", wrong) else { return };
                match (turn.close, turn.rolls) {
                    (None, _) => wrong(Fault::OutOfPlace(format!("dice of t {t} fell before its close"))),
                    (_, Some(_)) => wrong(Fault::Count { kind: "rolls", count: 2 }),
                    (Some(_), None) => turn.rolls = Some((rolls, result)),
                }
            }
            LogEntry::Rerun { t, k, rolls, result } => {
                let Some(turn) = self.known_turn(t, "rerun", wrong) else { return };
                if usize::try_from(k).ok() != Some(turn.reruns.len() + 1) || turn.rolls.is_none() {
                    wrong(Fault::OutOfPlace(format!("rerun {k} of t {t} is out of order")));
                }
                turn.reruns.push((rolls, result));
            }
            LogEntry::Rollback { t, back } => {
                if back > t || self.turns.keys().next_back() != Some(&t) {
                    wrong(Fault::OutOfPlace(format!(
                        "a rollback of t {back} to {t} that the log can't have"
                    )));
                }
                self.turns.range_mut(back.min(t)..=t).for_each(|(_, turn)| turn.void = true);
            }
            LogEntry::Reroll { t, label } => {
                let Some(turn) = self.open_turn(t, "reroll", wrong) else { return };
                if index != turn.opened + 1 {
                    wrong(Fault::OutOfPlace("a reroll stands directly after the `open` of its t".to_owned()));
                }
                turn.reroll = Some(label.clone());
                let ran = |turn: &Logged| turn.rolls.is_some() && !turn.void && turn.reroll.is_none();
                let of =
                    self.turns.range(..t).rev().find(|(_, turn)| ran(turn)).map(|(of, _)| of.to_string());
                if of.as_deref() != label.as_str().split('/').next() {
                    wrong(Fault::OutOfPlace(format!("{label} is no roll of the adjudication that ran last")));
                }
            }
        }
    }

    fn open(
        &mut self,
        index: u64,
        t: u32,
        deadline: Option<u64>,
        name: String,
        wrong: &mut impl FnMut(Fault),
    ) {
        let last = self.turns.last_key_value();
        let expected = last.map_or(1, |(t, _)| t.saturating_add(1));
        if self.turns.contains_key(&t) {
            return wrong(Fault::Count { kind: "open", count: 2 });
        }
        if t != expected {
            wrong(Fault::Gap { expected });
        }
        if let Some((last, turn)) = last
            && turn.rolls.is_none()
            && !turn.void
        {
            wrong(Fault::OutOfPlace(format!("t {t} opens before the dice of t {last} fell")));
        }
        let house = self.house.clone();
        self.turns.insert(t, Logged { name, opened: index, house, deadline, ..Logged::default() });
    }

    fn seal(&mut self, index: u64, t: u32, seat: Seat, leaf: Digest, wrong: &mut impl FnMut(Fault)) {
        let Some(turn) = self.open_turn(t, "seal", wrong) else { return };
        let place = turn.opened + 1 + u64::from(turn.reroll.is_some()) + turn.sealed.len() as u64;
        let odd = index != place
            || !turn.house.contains(&seat)
            || turn.sealed.last().is_some_and(|last| *last >= seat);
        if odd {
            wrong(Fault::SealOdd { seat: seat.to_string() });
        }
        turn.sealed.insert(seat.clone());
        turn.accepted.insert(seat, leaf);
    }

    fn close(&mut self, t: u32, root: Digest, wrong: &mut impl FnMut(Fault)) {
        let Some(turn) = self.known_turn(t, "close", wrong) else { return };
        if turn.close.is_some() {
            return wrong(Fault::Count { kind: "close", count: 2 });
        }
        turn.close = Some(root);
        for seat in turn.house.difference(&turn.sealed) {
            wrong(Fault::SealMissing { seat: seat.to_string() });
        }
    }

    /// An adjudication that has been opened.
    fn known_turn(&mut self, t: u32, kind: &str, wrong: &mut impl FnMut(Fault)) -> Option<&mut Logged> {
        let turn = self.turns.get_mut(&t);
        if turn.is_none() {
            wrong(Fault::OutOfPlace(format!("`{kind}` of t {t}, which was never opened")));
        }
        turn
    }

    /// An adjudication that is open.
    fn open_turn(&mut self, t: u32, kind: &str, wrong: &mut impl FnMut(Fault)) -> Option<&mut Logged> {
        let turn = self.known_turn(t, kind, wrong)?;
        if turn.close.is_some() || turn.void {
            wrong(Fault::OutOfPlace(format!("`{kind}` of t {t}, which is not open any more")));
        }
        Some(turn)
    }

    /// What must be there at the end: every adjudication but the last has closed and thrown its dice, or is void.
    fn finish(&self, findings: &mut Vec<Finding>) {
        let last = self.turns.keys().next_back().copied();
        for (&t, turn) in self.turns.iter().filter(|(_, turn)| !turn.void) {
            if turn.close.is_none() && Some(t) != last {
                findings.push(Fault::Count { kind: "close", count: 0 }.at(Place::Turn(t)));
            }
            if turn.rolls.is_none() && (turn.close.is_some() || Some(t) != last) {
                findings.push(Fault::Count { kind: "rolls", count: 0 }.at(Place::Turn(t)));
            }
        }
    }

    /// Compares a head that somebody was shown with the one that stands here.
    pub(super) fn compare(&self, index: u64, head: Digest, place: Place, findings: &mut Vec<Finding>) {
        let here = self.head(index);
        if here != Some(head) {
            findings.push(Fault::OtherLog { head: head.to_string(), known: here.is_some() }.at(place));
        }
    }

    /// The hash of an entry.
    pub(super) fn head(&self, index: u64) -> Option<Digest> {
        usize::try_from(index).ok().and_then(|index| self.heads.get(index)).copied().flatten()
    }

    pub(super) const fn game(&self) -> Option<&GameId> {
        self.game.as_ref()
    }

    pub(super) const fn anchor(&self) -> Option<Digest> {
        self.anchor
    }

    pub(super) const fn seats(&self) -> &BTreeSet<Seat> {
        &self.seats
    }

    pub(super) const fn beacon(&self) -> Option<&BeaconPolicy> {
        self.beacon.as_ref()
    }

    pub(super) const fn host_key(&self) -> Option<HostKey> {
        self.host_key
    }

    /// How many adjudications were opened.
    pub(super) fn opened(&self) -> usize {
        self.turns.len()
    }

    pub(super) fn turns(&self) -> impl Iterator<Item = (u32, &Logged)> {
        self.turns.iter().map(|(t, turn)| (*t, turn))
    }

    pub(super) fn turn(&self, t: u32) -> Option<&Logged> {
        self.turns.get(&t)
    }
}

/// Whether a text of the log says that a seat changed hands: `seat SEAT house`, `seat SEAT player`, `seat SEAT open`, with more
/// words after. Whether the host plays it from then on.
fn seated(text: &str) -> Option<(Seat, bool)> {
    let mut words = text.strip_prefix("seat ")?.split([' ', ':']);
    let seat = words.next()?.parse().ok()?;
    match words.next()? {
        "house" => Some((seat, true)),
        "player" | "open" => Some((seat, false)),
        _ => None,
    }
}

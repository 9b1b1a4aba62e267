//! The log of an audit file, read entry by entry: whether its chain holds, and what it says of each adjudication.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::value::RawValue;

use super::bounds;
use super::examined::{BeaconProof, PublicValue};
use super::file::{LogLine, kind};
use super::finding::{Fault, Place};
use super::findings::Findings;
use super::logged::Logged;
use super::shape::{each, object, unreadable};
use crate::beacon::{Beacon, BeaconPolicy};
use crate::entry::{LogEntry, LogKind, LoggedVerdict};
use crate::hash::{Digest, hash};
use crate::ids::{GameId, Seat};
use crate::note::{Holder, Note};
use crate::signature::HostKey;
use crate::told::{TellingId, TellingKind, ToldNote};
use crate::words::Word;

/// What a log says, as far as it can be read.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The hash of each entry as the file has it, where it can be read.
    heads: BTreeMap<u64, Digest>,
    /// The adjudication that was open behind each entry, by the entry's hash.
    open: BTreeMap<Digest, u32>,
    game: Option<GameId>,
    anchor: Option<Digest>,
    seats: BTreeSet<Seat>,
    beacon: Option<BeaconPolicy>,
    host_key: Option<HostKey>,
    /// The seats that the host or its computer plays now.
    house: Rc<BTreeSet<Seat>>,
    /// The seats that somebody has left, and nobody has taken since.
    vacant: BTreeSet<Seat>,
    /// In a game with a beacon, the latest instant that has passed by what the log says: of a close, or of a round.
    latest: u64,
    /// What the log says was revealed: the number of a secret, and the secret.
    revealed: BTreeSet<(u32, Digest)>,
    turns: BTreeMap<u32, Logged>,
    /// The adjudications of which a roll was thrown again.
    thrown_again: BTreeSet<u32>,
    /// The adjudications that were opened and are not void, in the order of their openings.
    live: Vec<u32>,
}

impl Log {
    /// Reads the entries, and says how many there are; what is wrong with them joins the findings.
    pub(super) fn read(raw: &RawValue, findings: &mut Findings) -> Result<(Self, usize), serde_json::Error> {
        let mut log = Self::default();
        let mut before: Option<LogKind> = None;
        let entries = each(raw, |index, raw| {
            let index = index as u64;
            let place = Place::Log(index);
            let mut wrong = |fault: Fault| findings.push(fault.at(place));
            let previous = before.take();
            let line: LogLine = match object(raw) {
                Ok(line) => line,
                Err(fault) => return wrong(fault),
            };
            log.link(index, &line, &mut wrong);
            let read = kind(&line.kind).map(|kind| LogEntry::read(kind, &line.body));
            let entry = match read {
                Some(Ok(entry)) => entry,
                Some(Err(error)) => return wrong(unreadable(&error)),
                None => {
                    let kind: String = line.kind.chars().take(40).collect();
                    return wrong(Fault::Malformed(format!("no log has entries of kind `{kind}`")));
                }
            };
            if let Err(what) = bounds::keeps(&entry) {
                return wrong(unreadable(&what));
            }
            before = Some(entry.kind());
            log.take(index, previous, entry, &mut wrong);
            let is_open = |t: &u32| log.turns.get(t).is_some_and(Logged::is_open);
            let open = log.live.last().copied().filter(is_open);
            log.open.extend(log.heads.get(&index).copied().zip(open));
        })?;
        if entries == 0 {
            findings.push(Fault::NoLog.at(Place::File));
        }
        log.finish(findings);
        Ok((log, entries))
    }

    /// Checks one link of the chain. The next is checked from the hash that the file shows, so that one change is one finding.
    fn link(&mut self, index: u64, line: &LogLine, wrong: &mut impl FnMut(Fault)) {
        let previous = match index.checked_sub(1) {
            None => {
                let game = line.body.split(' ').next().unwrap_or_default();
                Some(hash("genesis", &[game.as_bytes()]))
            }
            Some(before) => self.heads.get(&before).copied(),
        };
        let shown: Option<Digest> = line.hash.parse().ok();
        self.heads.extend(shown.map(|shown| (index, shown)));
        // After an entry without a readable hash there is nothing to check this one against.
        let Some(previous) = previous else { return };
        let index = index.to_string();
        let fields = [previous.as_bytes(), index.as_bytes(), line.kind.as_bytes(), line.body.as_bytes()];
        let expected = hash("entry", &fields);
        if shown != Some(expected) {
            wrong(Fault::WrongHash { expected: expected.to_string() });
        }
    }

    fn take(
        &mut self,
        index: u64,
        previous: Option<LogKind>,
        entry: LogEntry,
        wrong: &mut impl FnMut(Fault),
    ) {
        if (entry.kind() == LogKind::Game) != (index == 0) {
            return wrong(Fault::OutOfPlace("a log begins with its one `game` entry".to_owned()));
        }
        match entry {
            LogEntry::Game { game, anchor, seats, house, beacon, rules: _ } => {
                (self.game, self.anchor, self.beacon) = (Some(game), Some(anchor), beacon);
                (self.seats, self.house) = (seats, Rc::new(house));
            }
            LogEntry::Open { t, deadline, name } => self.open(index, t, deadline, name.to_string(), wrong),
            LogEntry::Gm { .. } | LogEntry::Note { .. } => {
                entry.note().into_iter().for_each(|note| self.note(index, note, wrong));
            }
            LogEntry::Seal { t, seat, leaf } => self.seal(index, t, seat, leaf, wrong),
            LogEntry::Recv { t, seat, digest, verdict, reason } => {
                self.recv(t, seat, (digest, verdict), reason.as_ref().map(Word::as_str), wrong);
            }
            LogEntry::Deadline { t, at } => {
                if let Some(turn) = self.turn_that("deadline", t, Logged::is_open, wrong) {
                    turn.deadline = Some(at);
                }
            }
            LogEntry::Close { t, root } => self.close(t, root, wrong),
            LogEntry::Rolls { t, rolls, result } => self.rolls(t, (rolls, result), wrong),
            LogEntry::Rerun { t, k, rolls, result } => {
                let Some(turn) = self.turn_that("rerun", t, Logged::has_run, wrong) else { return };
                if previous != Some(LogKind::Gm) {
                    wrong(Fault::OutOfPlace(
                        "a rerun stands directly after the `gm` entry that caused it".to_owned(),
                    ));
                }
                if usize::try_from(k).ok() != Some(turn.reruns.len() + 1) {
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
                while let Some(turn) = self.live.pop_if(|live| *live >= back) {
                    self.turns.entry(turn).and_modify(|turn| turn.void = true);
                }
            }
            LogEntry::Reroll { t, label } => {
                let Some(turn) = self.turn_that("reroll", t, Logged::is_open, wrong) else { return };
                if index != turn.opened + 1 {
                    wrong(Fault::OutOfPlace("a reroll stands directly after the `open` of its t".to_owned()));
                }
                let of = turn.ran_before;
                if !of.is_some_and(|of| label.is_of(of)) {
                    wrong(Fault::OutOfPlace(format!("{label} is no roll of the adjudication that ran last")));
                }
                turn.reroll = Some(label);
                if let Some(of) = of
                    && !self.thrown_again.insert(of)
                {
                    wrong(Fault::OutOfPlace(format!(
                        "a roll of t {of} was thrown again before, and that is done once"
                    )));
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
        let before = self.live.last().and_then(|before| Some((*before, self.turns.get(before)?)));
        let ran_before = before.and_then(|(t, turn)| match turn.reroll {
            Some(_) => turn.ran_before,
            None => Some(t),
        });
        let behind_the_end = last.is_some_and(|(_, turn)| turn.over && turn.has_run());
        let house = Rc::clone(&self.house);
        let turn =
            Logged { name, opened: index, ran_before, house, deadline, behind_the_end, ..Logged::default() };
        self.turns.insert(t, turn);
        self.live.push(t);
    }

    fn seal(&mut self, index: u64, t: u32, seat: Seat, leaf: Digest, wrong: &mut impl FnMut(Fault)) {
        let Some(turn) = self.turn_that("seal", t, Logged::is_open, wrong) else { return };
        let place = turn.opened + 1 + u64::from(turn.reroll.is_some()) + turn.seals.len() as u64;
        if index != place || turn.house.iter().nth(turn.seals.len()) != Some(&seat) {
            return wrong(Fault::SealOdd { seat: seat.to_string() });
        }
        turn.bound.insert(seat.clone());
        turn.seals.insert(seat.clone(), leaf);
        turn.accepted.insert(seat, leaf);
    }

    fn recv(
        &mut self,
        t: u32,
        seat: Option<Seat>,
        (leaf, verdict): (Digest, LoggedVerdict),
        word: Option<&str>,
        wrong: &mut impl FnMut(Fault),
    ) {
        let seat = seat.filter(|seat| self.seats.contains(seat));
        let of_house =
            seat.as_ref().is_some_and(|seat| self.house.contains(seat) || self.vacant.contains(seat));
        let Some(turn) = self.turn_that("recv", t, Logged::is_open, wrong) else { return };
        let seat = match (verdict, seat) {
            (LoggedVerdict::Refused, _) => return,
            (LoggedVerdict::Accepted, Some(seat)) => seat,
            (LoggedVerdict::Accepted, None) => {
                return wrong(Fault::OutOfPlace("an accepted mail of no seat of the game".to_owned()));
            }
        };
        if word == Some("consent") && turn.reroll.is_none() {
            wrong(Fault::ConsentToNothing { seat: seat.to_string() });
        }
        if word == Some("stand-in") && turn.has_orders(&seat) {
            wrong(Fault::StandInUncalled { seat: seat.to_string() });
        }
        match turn.seals.get(&seat) {
            Some(seal) if *seal != leaf && turn.bound.contains(&seat) => {
                wrong(Fault::SealBroken { seat: seat.to_string() });
            }
            None => {
                turn.stood_in.remove(&seat);
                turn.taken_over.remove(&seat);
                if word == Some("stand-in") {
                    turn.stood_in.insert(seat.clone());
                } else if of_house {
                    turn.taken_over.insert(seat.clone());
                }
            }
            Some(_) => {}
        }
        match word {
            Some("withdrawn") => _ = turn.taken_back.insert(seat.clone()),
            _ => _ = turn.taken_back.remove(&seat),
        }
        turn.accepted.insert(seat, leaf);
    }

    fn close(&mut self, t: u32, root: Digest, wrong: &mut impl FnMut(Fault)) {
        if self.turns.get(&t).is_some_and(|turn| turn.close.is_some()) {
            return wrong(Fault::Count { kind: "close", count: 2 });
        }
        let (latest, is_timed) = (self.latest, self.beacon.is_some());
        let Some(turn) = self.turn_that("close", t, Logged::is_open, wrong) else { return };
        turn.close = Some(root);
        for seat in turn.house.iter().filter(|seat| !turn.seals.contains_key(*seat)) {
            wrong(Fault::SealMissing { seat: seat.to_string() });
        }
        if let Some(at) = turn.deadline.filter(|_| is_timed) {
            if at < latest {
                wrong(Fault::Backdated { at, latest });
            }
            self.latest = at.max(latest);
        }
    }

    fn rolls(&mut self, t: u32, committed: (Digest, Digest), wrong: &mut impl FnMut(Fault)) {
        if self.turns.get(&t).is_some_and(|turn| turn.rolls.is_some()) {
            return wrong(Fault::Count { kind: "rolls", count: 2 });
        }
        let waits = self.beacon.is_some();
        let Some(turn) = self.turn_that("rolls", t, Logged::is_closed, wrong) else { return };
        turn.rolls = Some(committed);
        if waits && turn.beacon.is_none() {
            let due = "a `beacon` note before the dice".to_owned();
            wrong(Fault::WrongBeacon { found: String::new(), due });
        }
    }

    /// Takes what a note says, or an intervention.
    fn note(&mut self, index: u64, note: Note<'_>, wrong: &mut impl FnMut(Fault)) {
        match note {
            Note::Seat(seat, holder) => self.change_hands(seat, holder),
            Note::Reveal(t, secret) => _ = self.revealed.insert((t, secret)),
            Note::Ended(_) => match self.turns.values_mut().next_back().filter(|last| last.has_run()) {
                Some(last) => last.over = true,
                None => wrong(Fault::OutOfPlace("the game ends before the dice of its last t".to_owned())),
            },
            Note::HostKey(key) if index == 1 => self.host_key = key,
            Note::HostKey(_) => wrong(Fault::OutOfPlace(
                "the host's key is stated directly behind the `game` entry, and never again".to_owned(),
            )),
            Note::Beacon(t, value) => self.beacon_came(t, value, wrong),
            Note::Told(note) => self.told(index, note, wrong),
            Note::Amend(_) | Note::Edit(_) | Note::Consent(..) | Note::Refused(..) => {}
        }
    }

    /// What a seat was told, which is counted for each seat and adjudication.
    fn told(&mut self, index: u64, note: Option<ToldNote>, wrong: &mut impl FnMut(Fault)) {
        let Some(note) = note else {
            return wrong(Fault::Malformed(
                "a note binds what a seat was told by `told T SLOT N KIND TELLING COMMIT`".to_owned(),
            ));
        };
        let TellingId { t, seat, n } = &note.id;
        let Some(turn) = self.turns.get_mut(t).filter(|_| self.seats.contains(seat)) else {
            return wrong(Fault::OutOfPlace(format!(
                "{seat} is told of t {t}: one of them is not of this log"
            )));
        };
        let last = turn.told.values().rev().find(|told| told.id.seat == *seat).map_or(0, |told| told.id.n);
        if *n != last + 1 {
            wrong(Fault::OutOfPlace(format!(
                "what {seat} was told of t {t} has the number {n} behind {last}"
            )));
        }
        let is_there = match note.kind {
            TellingKind::Receipt => turn.is_open() && turn.accepted.contains_key(seat),
            TellingKind::Dispatch | TellingKind::Final => turn.has_run(),
        };
        if !is_there {
            let kind = note.kind.as_str();
            wrong(Fault::OutOfPlace(format!(
                "a {kind} to {seat} about t {t}, which is not at that point, or to a seat of which no mail was accepted"
            )));
        }
        turn.told.insert(index, note);
    }

    /// Somebody else plays a seat from here on.
    fn change_hands(&mut self, seat: Seat, holder: Holder) {
        if !self.seats.contains(&seat) {
            return;
        }
        match holder {
            Holder::Open => _ = self.vacant.insert(seat.clone()),
            Holder::House | Holder::Player => _ = self.vacant.remove(&seat),
        }
        match holder {
            Holder::House => _ = Rc::make_mut(&mut self.house).insert(seat),
            Holder::Player | Holder::Open => {
                Rc::make_mut(&mut self.house).remove(&seat);
                let open = self.turns.last_entry().filter(|_| holder == Holder::Player);
                open.map(|mut open| open.get_mut().bound.remove(&seat));
            }
        }
    }

    /// What a public beacon gave for an adjudication.
    fn beacon_came(&mut self, t: u32, value: &str, wrong: &mut impl FnMut(Fault)) {
        let Some(policy) = self.beacon.clone() else { return };
        let place = format!("a `beacon` note for t {t}, whose dice wait for none");
        let waiting = self.turns.get_mut(&t).filter(|turn| turn.is_closed());
        let Some((turn, deadline)) = waiting.and_then(|turn| turn.deadline.map(|at| (turn, at))) else {
            return wrong(Fault::OutOfPlace(place));
        };
        let round = policy.round(deadline);
        let given = value
            .parse()
            .ok()
            .filter(|beacon: &Beacon| (&beacon.name, beacon.round) == (&policy.name, round));
        if given.is_none() || turn.beacon.is_some() {
            let due = format!("{}/{round}/, once,", policy.name);
            wrong(Fault::WrongBeacon { found: value.chars().take(120).collect(), due });
        }
        let at = policy.time_of(round);
        turn.public = given.map(|beacon| PublicValue { beacon, at, proof: BeaconProof::NoValue });
        turn.beacon = Some(value.to_owned());
        self.latest = self.latest.max(at);
    }

    /// An adjudication that was opened. That an entry finds it in another state than it may is told.
    fn turn_that(
        &mut self,
        kind: &str,
        t: u32,
        may: impl Fn(&Logged) -> bool,
        wrong: &mut impl FnMut(Fault),
    ) -> Option<&mut Logged> {
        let turn = self.turns.get_mut(&t).filter(|turn| may(turn));
        if turn.is_none() {
            wrong(Fault::OutOfPlace(format!("`{kind}` of t {t}, which is not at that point")));
        }
        turn
    }

    /// What must be there at the end: every adjudication but the last has closed and thrown its dice, or is void; the dice of the
    /// last may wait for a public beacon.
    fn finish(&self, findings: &mut Findings) {
        let last = self.turns.keys().next_back().copied();
        for (&t, turn) in &self.turns {
            // That it was made void later leaves it opened.
            if turn.behind_the_end && turn.reroll.is_none() {
                let why = "it opened when the game was over, and doesn't throw a roll again".to_owned();
                findings.push(Fault::OutOfPlace(why).at(Place::Turn(t)));
            }
        }
        for (&t, turn) in self.turns.iter().filter(|(_, turn)| !turn.void) {
            let is_last = Some(t) == last;
            if turn.close.is_none() && !is_last {
                findings.push(Fault::Count { kind: "close", count: 0 }.at(Place::Turn(t)));
            }
            let may_wait = is_last && (turn.close.is_none() || self.beacon.is_some());
            if turn.rolls.is_none() && !may_wait {
                findings.push(Fault::Count { kind: "rolls", count: 0 }.at(Place::Turn(t)));
            }
        }
    }

    /// Compares a head that somebody was shown with the one that stands here.
    pub(super) fn compare(&self, index: u64, head: Digest, findings: &mut Findings) {
        let here = self.head(index);
        if here != Some(head) {
            let other = Fault::OtherLog { head: head.to_string(), known: here.is_some() };
            findings.push(other.at(Place::Witness(index)));
        }
    }

    /// Compares a head that somebody was shown while an adjudication was open; whether it could be: not while that is open still, since the
    /// file may be older.
    pub(super) fn compare_open(&self, t: u32, head: Digest, findings: &mut Findings) -> bool {
        let has = self.open.get(&head) == Some(&t);
        let is_over = self.turns.get(&t).is_some_and(|turn| !turn.is_open());
        if is_over && !has {
            findings.push(Fault::NoSuchHead { head: head.to_string() }.at(Place::Turn(t)));
        }
        has || is_over
    }

    /// The hash of an entry.
    pub(super) fn head(&self, index: u64) -> Option<Digest> {
        self.heads.get(&index).copied()
    }

    pub(super) const fn game(&self) -> Option<&GameId> {
        self.game.as_ref()
    }

    pub(super) const fn anchor(&self) -> Option<Digest> {
        self.anchor
    }

    /// The secrets of an adjudication that the log says were revealed: one, unless something is wrong.
    pub(super) fn revealed(&self, t: u32) -> impl Iterator<Item = &Digest> {
        self.revealed.iter().filter(move |(number, _)| *number == t).map(|(_, secret)| secret)
    }

    pub(super) const fn seats(&self) -> &BTreeSet<Seat> {
        &self.seats
    }

    pub(super) const fn policy(&self) -> Option<&BeaconPolicy> {
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

//! The life of a game beside its rules, folded from its journal: who is away, who asks for more time, who waits for a seat, who
//! has been told what. [`timing`](super::timing) decides on it.

use std::collections::{BTreeMap, BTreeSet};

use crate::dice::Seat;
use crate::engine::journal::{Arrangement, Change, Charter, Matter, Told};

/// What the journal says of a game besides its rules, its players and its orders.
#[derive(Debug, Clone, Default)]
pub struct Life {
    /// Since when the game stands still, unix seconds.
    pub paused: Option<i64>,
    /// When players are away.
    pub absences: BTreeMap<Seat, Absence>,
    /// The zones of seats that asked for one.
    pub zones: BTreeMap<Seat, String>,
    /// The how-manieth secret each seat has, where it isn't the first.
    pub issues: BTreeMap<Seat, u32>,
    /// Who would take a seat.
    pub standby: Vec<Standby>,
    /// Who watches: addresses.
    pub observers: BTreeSet<String>,
    /// How many adjudications in a row a seat had to order for and did not.
    pub missed: BTreeMap<Seat, u32>,
    /// The GM's words for the dispatch that comes next.
    pub narration: Vec<Narration>,
    /// The time of the open window.
    pub hours: Hours,
}

/// When a player is away, unix seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absence {
    /// From when.
    pub from: i64,
    /// Until when.
    pub until: i64,
}

/// Somebody who would take a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standby {
    /// Where to write to.
    pub address: String,
    /// Which seat; any if none.
    pub seat: Option<Seat>,
}

/// The GM's words for a dispatch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narration {
    /// Who reads them; all if none.
    pub to: BTreeSet<Seat>,
    /// Lines ended by LF.
    pub text: String,
}

/// What happened to the time of the open window.
#[derive(Debug, Clone, Default)]
pub struct Hours {
    /// The deadline that it opened with, unix seconds.
    pub first: Option<i64>,
    /// Whether the turn was held back for missing orders: it runs once they are there.
    pub held: bool,
    /// The deadlines that seats asked for, unix seconds.
    pub votes: BTreeMap<Seat, i64>,
    /// What was told to whom about which deadline. A moved deadline is told of again.
    pub told: BTreeSet<(Matter, Seat, i64)>,
}

impl Life {
    /// A window opened.
    pub(super) fn opened(&mut self, deadline: Option<i64>) {
        self.hours = Hours { first: deadline, ..Hours::default() };
    }

    /// The deadline of the open window was moved.
    pub(super) fn rescheduled(&mut self, reason: &str) {
        match reason {
            HELD => self.hours.held = true,
            _ => self.hours.votes.clear(),
        }
    }

    /// Somebody was told something.
    pub(super) fn told(&mut self, told: &Told) {
        let Told { matter, seats, deadline, .. } = told;
        self.hours.told.extend(seats.iter().map(|seat| (*matter, seat.clone(), *deadline)));
    }

    /// The window closed with these seats missing, of those that had to order.
    pub(super) fn closed(&mut self, must: &[Seat], missing: &BTreeSet<Seat>) {
        for seat in must {
            match missing.contains(seat) {
                true => *self.missed.entry(seat.clone()).or_default() += 1,
                false => _ = self.missed.remove(seat),
            }
        }
    }

    /// Folds an arrangement made at `at`, unix seconds.
    pub(super) fn arranged(&mut self, at: i64, arrangement: &Arrangement, charter: &mut Charter) {
        match arrangement.change.clone() {
            Change::Seated { seat, player } => {
                self.leave(&seat);
                charter.players.insert(seat, player);
            }
            Change::Secret { seat, issue } => _ = self.issues.insert(seat, issue),
            Change::Zone { seat, zone } => _ = self.zones.insert(seat, zone),
            Change::Absent { seat, from, until } if from < until => {
                self.absences.insert(seat, Absence { from, until });
            }
            Change::Absent { seat, .. } => _ = self.absences.remove(&seat),
            Change::Voted { seat, until } => _ = self.hours.votes.insert(seat, until),
            Change::Paused => self.paused = self.paused.or(Some(at)),
            Change::Resumed => self.paused = None,
            Change::Terms { deadlines, press, terms } => {
                charter.deadlines = deadlines;
                charter.press = press;
                charter.terms = *terms;
            }
            Change::Gm { addresses } => charter.gm = addresses,
            Change::Standby { address, seat, listed } => {
                let person = Standby { address, seat };
                self.standby.retain(|other| *other != person);
                self.standby.extend(listed.then_some(person));
            }
            Change::Observer { address, listed } => match listed {
                true => _ = self.observers.insert(address),
                false => _ = self.observers.remove(&address),
            },
            Change::Narrated { to, text } => self.narration.push(Narration { to, text }),
            Change::Released => {}
        }
    }

    /// What was a player's own goes with them.
    fn leave(&mut self, seat: &Seat) {
        self.absences.remove(seat);
        self.zones.remove(seat);
        self.missed.remove(seat);
        self.hours.votes.remove(seat);
    }
}

/// The reason of a [`Rescheduled`](crate::engine::journal::Cause::Rescheduled) deadline: the turn waits for missing orders.
pub const HELD: &str = "held";

//! The life of a game beside its rules, folded from its journal: who is away, who asks for more time, who waits for a seat, who
//! has been told what. [`timing`](super::timing) decides on it.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::{Block, Label, Seat, Word};
use musterd_engine::journal::{
    Arrangement, Author, Change, Charter, Matter, Player, Received, Told, Verdict,
};

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
    /// Whom the GM ejected: the addresses of each.
    pub barred: Vec<Vec<String>>,
    /// Who watches: addresses, each with the adjudication that it was shown last.
    pub observers: BTreeMap<String, u32>,
    /// Who asks to watch, or was refused.
    pub applicants: BTreeMap<String, Application>,
    /// Who is a further witness of the log.
    pub witnesses: BTreeSet<String>,
    /// The addresses of each seat that mail came back from.
    pub undelivered: BTreeMap<Seat, BTreeMap<String, Failures>>,
    /// The mails that came from each seat.
    pub received: BTreeMap<Seat, Mails>,
    /// How many adjudications in a row a seat had to order for and did not.
    pub missed: BTreeMap<Seat, u32>,
    /// The GM's words for the dispatch that comes next.
    pub narration: Vec<Narration>,
    /// For how many seconds the game stood still since a turn ran.
    pub stood_still: i64,
    /// The roll that all are asked to throw again.
    pub reroll: Option<Asked>,
    /// The time of the open window.
    pub hours: Hours,
}

/// What became of somebody's asking to watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Application {
    /// The GM has not answered.
    Open,
    /// The GM has refused it.
    Refused,
}

/// A roll that all are asked to throw again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its label.
    pub label: Label,
    /// Who has consented, and the block that says so.
    pub consents: BTreeMap<Seat, Block>,
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

/// How mail to an address failed, since it last was known to be good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    /// How many mails in a row.
    pub count: u32,
    /// When the last came back, unix seconds.
    pub last: i64,
    /// Its status.
    pub status: String,
    /// Whether one of them said that the address is no good.
    pub permanent: bool,
}

impl Failures {
    /// How many mails in a row have to fail for reasons that may mend before an address counts as no good.
    pub const MOST: u32 = 3;
    /// After how long a failure that may mend is forgotten, in seconds.
    const FORGOTTEN: i64 = 14 * 24 * 3600;

    /// Whether the address counts as no good.
    #[must_use]
    pub fn mark_it(&self) -> bool {
        self.permanent || self.count >= Self::MOST
    }

    fn one_more(before: Option<Self>, at: i64, status: String, permanent: bool) -> Self {
        let before = before.filter(|before| before.mark_it() || at - before.last < Self::FORGOTTEN);
        let (count, was) = before.map_or((0, false), |before| (before.count, before.permanent));
        Self { count: count.saturating_add(1), last: at, status, permanent: was || permanent }
    }
}

/// How many mails came from a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mails {
    /// With orders that counted, or took back such orders.
    pub accepted: u32,
    /// That changed nothing.
    pub refused: u32,
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
    /// When the turn runs because all are ready, unless a mail stops it before; unix seconds.
    pub recall: Option<i64>,
    /// The seats that stopped it by something else than orders, and have sent none since.
    pub unready: BTreeSet<Seat>,
    /// The deadlines that seats asked for, unix seconds.
    pub votes: BTreeMap<Seat, i64>,
    /// How many people have taken each seat since it opened.
    pub arrivals: BTreeMap<Seat, u32>,
    /// What was told to whom about which deadline. A moved deadline is told of again.
    pub told: BTreeSet<(Matter, Seat, i64)>,
}

impl Life {
    /// A window opened.
    pub(super) fn opened(&mut self, deadline: Option<i64>) {
        self.hours = Hours { first: deadline, ..Hours::default() };
    }

    /// The deadline of the open window was moved, or a wait because all are ready began or ended; the window's deadline from then on.
    pub(super) fn rescheduled(&mut self, before: Option<i64>, to: i64, reason: &str) -> Option<i64> {
        self.hours.recall = (reason == RECALL).then_some(to);
        match reason {
            RECALL | RECALLED => return before,
            HELD => self.hours.held = true,
            _ => self.hours.votes.clear(),
        }
        Some(to)
    }

    /// Somebody was told something.
    pub(super) fn told(&mut self, told: &Told) {
        let Told { matter, seats, deadline, .. } = told;
        self.hours.told.extend(seats.iter().map(|seat| (*matter, seat.clone(), *deadline)));
    }

    /// A mail came from a seat.
    pub(super) fn received(&mut self, mail: &Received) {
        let Some(seat) = &mail.seat else { return };
        let mails = self.received.entry(seat.clone()).or_default();
        match mail.verdict {
            Verdict::Accepted { .. } | Verdict::Withdrawn { .. } => {
                mails.accepted += 1;
                self.hours.unready.remove(seat);
            }
            Verdict::Refused { .. } => mails.refused += 1,
        }
    }

    /// Those who watch were shown an adjudication.
    pub(super) fn observed(&mut self, t: u32, is_next: impl Fn(u32) -> bool) {
        self.observers.values_mut().filter(|shown| is_next(**shown)).for_each(|shown| *shown = t);
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

    /// Folds an arrangement made at `at`, in the window that opened at `opened`; unix seconds.
    pub(super) fn arranged(
        &mut self,
        at: i64,
        opened: Option<i64>,
        arrangement: &Arrangement,
        charter: &mut Charter,
    ) {
        match arrangement.change.clone() {
            Change::Seated { seat, player } => {
                self.seated(&seat, &player, arrangement.by == Author::Gm);
                charter.players.insert(seat, player);
            }
            Change::Addresses { seat, addresses } => {
                if let Some(failures) = self.undelivered.get_mut(&seat) {
                    failures.retain(|address, _| addresses.contains(address));
                }
                charter.players.insert(seat, Player::Mail { addresses });
            }
            Change::Undelivered { seat, address, status, permanent } => {
                let failures = self.undelivered.entry(seat).or_default();
                let before = failures.remove(&address);
                failures.insert(address, Failures::one_more(before, at, status, permanent));
            }
            Change::Reached { seat, address } => {
                if let Some(failures) = self.undelivered.get_mut(&seat) {
                    failures.remove(&address);
                }
            }
            Change::Secret { seat, issue } => _ = self.issues.insert(seat, issue),
            Change::Zone { seat, zone } => _ = self.zones.insert(seat, zone),
            Change::Absent { seat, from, until } if from < until => {
                self.absences.insert(seat, Absence { from, until });
            }
            Change::Absent { seat, .. } => _ = self.absences.remove(&seat),
            Change::Voted { seat, until } => _ = self.hours.votes.insert(seat, until),
            Change::Unready { seat } => _ = self.hours.unready.insert(seat),
            Change::Paused => self.paused = self.paused.or(Some(at)),
            Change::Resumed => self.resumed(at, opened),
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
            Change::Observer { address, listed } => self.watches(address, listed),
            Change::Applied { address, refused } => {
                let application = if refused { Application::Refused } else { Application::Open };
                self.applicants.insert(address, application);
            }
            Change::Witness { address, listed: true } => _ = self.witnesses.insert(address),
            Change::Witness { address, listed: false } => _ = self.witnesses.remove(&address),
            Change::Barred { addresses, barred: true } => self.barred.push(addresses),
            Change::Barred { addresses, barred: false } => self.admit(&addresses),
            Change::Narrated { to, text } => self.narration.push(Narration { to, text }),
            Change::RerollAsked { label } => self.reroll = Some(Asked { label, consents: BTreeMap::new() }),
            Change::Consented { seat, block } => {
                if let Some(asked) = &mut self.reroll {
                    asked.consents.insert(seat, block);
                }
            }
            // What is public is told from the whole journal (`Public`).
            Change::Revealed { .. } | Change::Broadcast { .. } | Change::Released => {}
        }
    }

    /// Somebody else plays a seat from now on. `by_gm`: whether the GM gave it to him, and so lets him in again.
    fn seated(&mut self, seat: &Seat, player: &Player, by_gm: bool) {
        self.leave(seat);
        if let Player::Mail { addresses } = player {
            *self.hours.arrivals.entry(seat.clone()).or_default() += 1;
            if self.hours.recall.is_some() {
                // The READY was somebody else's.
                self.hours.unready.insert(seat.clone());
            }
            if by_gm {
                self.admit(addresses);
            }
        }
    }

    /// A pause ends at `at`, in the window that opened at `opened`.
    fn resumed(&mut self, at: i64, opened: Option<i64>) {
        // A window that opened in the pause has stood still since then.
        let since = self.paused.take().map(|paused| opened.map_or(paused, |opened| paused.max(opened)));
        let pause = since.map_or(0, |since| at - since);
        self.stood_still += pause;
        self.hours.first = self.hours.first.map(|first| first + pause);
    }

    /// Somebody begins to watch, or no longer does.
    fn watches(&mut self, address: String, listed: bool) {
        if listed {
            self.applicants.remove(&address);
            self.observers.entry(address).or_default();
        } else {
            self.observers.remove(&address);
            // Who was refused stays so.
            self.applicants.retain(|other, is| *other != address || *is == Application::Refused);
        }
    }

    /// Who waits for the GM's word whether they may watch.
    pub fn asking(&self) -> impl Iterator<Item = &str> {
        self.applicants.iter().filter(|(_, is)| **is == Application::Open).map(|(who, _)| who.as_str())
    }

    /// Whether somebody was ejected from the game, and not let in again.
    #[must_use]
    pub fn is_barred(&self, address: &str) -> bool {
        self.barred.iter().flatten().any(|barred| barred.eq_ignore_ascii_case(address))
    }

    /// Lets the people in again who have one of these addresses.
    fn admit(&mut self, addresses: &[String]) {
        let theirs = |own: &String| addresses.iter().any(|address| address.eq_ignore_ascii_case(own));
        self.barred.retain(|person| !person.iter().any(theirs));
    }

    /// What was a player's own goes with them.
    fn leave(&mut self, seat: &Seat) {
        self.absences.remove(seat);
        self.undelivered.remove(seat);
        self.zones.remove(seat);
        self.missed.remove(seat);
        self.hours.votes.remove(seat);
        // Who was asked is not who would be now.
        self.reroll = None;
    }
}

/// The reason of a [`Rescheduled`](musterd_engine::journal::Cause::Rescheduled) deadline: the turn waits for missing orders.
pub const HELD: &str = "held";
/// The same: all are ready, and the turn runs then, unless a mail stops it. The window's deadline stays what it is.
pub const RECALL: &str = "recall";
/// The same: such a wait is over, and the turn waits for its deadline again, or for all to be ready.
pub const RECALLED: &str = "recalled";

/// Whether the adjudication `t` is the next to be shown to somebody who was shown this one last, or none (0).
pub(super) fn is_next(ran: &BTreeMap<u32, Word>, shown: u32, t: u32) -> bool {
    shown == 0 || ran.range(shown + 1..).next().is_some_and(|(next, _)| *next == t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_no_good_after_three_failures_in_a_row_or_one_for_good() {
        let failed = |at: &[i64], permanent| {
            let one_more =
                |before, at: &i64| Some(Failures::one_more(before, *at, "4.4.7".to_owned(), permanent));
            at.iter().fold(None, one_more).unwrap()
        };
        assert!(!failed(&[0, 1], false).mark_it() && failed(&[0, 1, 2], false).mark_it());
        assert!(failed(&[0], true).mark_it());
        // A failure is forgotten after a fortnight; a mark is not.
        let fortnight = Failures::FORGOTTEN;
        assert_eq!(failed(&[0, fortnight - 1], false).count, 2);
        assert_eq!(failed(&[0, fortnight], false).count, 1);
        assert_eq!(failed(&[0, 1, 2, 2 + fortnight], false).count, 4);
    }
}

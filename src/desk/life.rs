//! The state of a game outside its rules, folded from its journal: who is away, who asks for more time, who waits for a seat, who has been told what.
//! [`timing`](super::timing) bases its decisions on it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use musterd_dice::{Block, Label, Seat, Word};
use musterd_engine::journal::{
    Arrangement, Author, Change, Charter, GmRole, Left, Matter, Player, Preferences, Received, Told, Verdict,
};
use musterd_engine::terms::Reveal;

/// The contents of the journal besides a game's rules, players and orders.
#[derive(Debug, Clone, Default)]
pub struct Life {
    /// Since when the game is paused, unix seconds.
    pub paused: Option<i64>,
    /// When players are away.
    pub absences: BTreeMap<Seat, Absence>,
    /// The time zones of seats that asked for one.
    pub zones: BTreeMap<Seat, String>,
    /// What the mails to each seat bring, where it isn't everything.
    pub preferences: BTreeMap<Seat, Preferences>,
    /// The number of each seat's secret, if it isn't the first.
    pub issues: BTreeMap<Seat, u32>,
    /// The people who offer to take a seat.
    pub standby: Vec<Standby>,
    /// The people whom the GM ejected: the addresses of each.
    pub barred: Vec<Vec<String>>,
    /// The observers: addresses, each with the adjudication that it was sent last.
    pub observers: BTreeMap<String, u32>,
    /// The people who asked to watch, or were refused.
    pub applicants: BTreeMap<String, Application>,
    /// The additional witnesses of the log.
    pub witnesses: BTreeSet<String>,
    /// The addresses of each seat to which mail failed.
    pub undelivered: BTreeMap<Seat, BTreeMap<String, Failures>>,
    /// The number of mails from each seat.
    pub received: BTreeMap<Seat, Mails>,
    /// For how many adjudications in a row a seat had to order and did not; excused ones are not counted.
    pub missed: BTreeMap<Seat, u32>,
    /// The seats whose players are ready until something is in reach, each with the number of turns that went on so without a mail.
    pub until_contact: BTreeMap<Seat, u32>,
    /// The orders that each seat's player has left for a later turn.
    pub ahead: BTreeMap<Seat, Left>,
    /// How many missed turns of each seat's present player were excused.
    pub excused: BTreeMap<Seat, u32>,
    /// The seats whose players took them from somebody else, and have not had to order yet.
    pub newcomers: BTreeSet<Seat>,
    /// How reliably the people of this game have ordered in it, each with all addresses that they had.
    pub attendance: Vec<Attendance>,
    /// The parts of the GM's addresses that aren't owners, in small letters.
    pub gm_roles: BTreeMap<String, GmRole>,
    /// The GM's words for the next dispatch.
    pub narration: Vec<Narration>,
    /// For how many seconds the game was paused since a turn ran.
    pub stood_still: i64,
    /// The roll that all are asked to have thrown again.
    pub reroll: Option<ProposedReroll>,
    /// The times of the open window.
    pub hours: Hours,
}

/// How reliably a person has ordered: of the turns that asked for orders of theirs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attendance {
    /// The person's addresses, in small letters.
    pub addresses: BTreeSet<String>,
    /// The turns.
    pub turns: Turns,
}

/// Turns that asked for orders of a person, counted by how these came. A turn that was taken back counts nowhere.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turns {
    /// Orders were here before the turn had to wait for them.
    pub in_time: u32,
    /// Orders came while the turn waited for them.
    pub late: u32,
    /// No orders came.
    pub missed: u32,
    /// No orders came, and that was excused.
    pub excused: u32,
}

impl Turns {
    /// Both together.
    pub const fn and(self, other: Self) -> Self {
        Self {
            in_time: self.in_time + other.in_time,
            late: self.late + other.late,
            missed: self.missed + other.missed,
            excused: self.excused + other.excused,
        }
    }
}

/// The state of a request to watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Application {
    /// The GM has not answered.
    Open,
    /// The GM has refused it.
    Refused,
}

/// A roll that all are asked to have thrown again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedReroll {
    /// Its label.
    pub label: Label,
    /// The seats that have consented, each with the block that says so.
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

/// A person who offers to take a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standby {
    /// The person's address.
    pub address: String,
    /// The seat; any seat if `None`.
    pub seat: Option<Seat>,
}

/// The failures of mail to an address since it was last known to be good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    /// The number of failed mails in a row.
    pub count: u32,
    /// When the last came back, unix seconds.
    pub last: i64,
    /// Its status.
    pub status: String,
    /// Whether a failure said that the address is no good.
    pub permanent: bool,
}

impl Failures {
    /// How many mails in a row have to fail for passing reasons before an address counts as no good.
    pub const MOST: u32 = 3;
    /// The time after which a passing failure is forgotten, in seconds.
    const FORGOTTEN: i64 = 14 * 24 * 3600;

    /// Whether the address counts as no good.
    pub fn mark_it(&self) -> bool {
        self.permanent || self.count >= Self::MOST
    }

    fn one_more(before: Option<Self>, at: i64, status: String, permanent: bool) -> Self {
        let before = before.filter(|before| before.mark_it() || at - before.last < Self::FORGOTTEN);
        let (count, was) = before.map_or((0, false), |before| (before.count, before.permanent));
        Self { count: count.saturating_add(1), last: at, status, permanent: was || permanent }
    }
}

/// The number of mails from a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mails {
    /// Mails with orders that counted, or that took such orders back.
    pub accepted: u32,
    /// Mails that changed nothing.
    pub refused: u32,
}

/// The GM's words for a dispatch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narration {
    /// The seats that get them; all seats if empty.
    pub to: BTreeSet<Seat>,
    /// Lines ended by LF.
    pub text: String,
}

/// The times of the open window.
#[derive(Debug, Clone, Default)]
pub struct Hours {
    /// The deadline that it opened with, unix seconds.
    pub first: Option<i64>,
    /// Whether the turn is held back for missing orders: it runs once they are there.
    pub held: bool,
    /// When the turn runs because all are ready, unless a mail stops it before; unix seconds.
    pub recall: Option<i64>,
    /// The seats that the turn had to wait for: their orders were missing when its time was over.
    pub late: BTreeSet<Seat>,
    /// The seats that stopped the turn by something other than orders, and have sent no orders since.
    pub unready: BTreeSet<Seat>,
    /// The seats without a mail that the turn doesn't wait for: they are ready until contact, and nothing is in reach.
    pub goes_on: BTreeSet<Seat>,
    /// The deadlines that seats asked for, unix seconds.
    pub votes: BTreeMap<Seat, i64>,
    /// Whether a draw was proposed since the window opened, so that all were told.
    pub draw_proposed: bool,
    /// The seats that agree to a draw.
    pub draws: BTreeSet<Seat>,
    /// How many people have taken each seat since the window opened.
    pub arrivals: BTreeMap<Seat, u32>,
    /// The seats that somebody has taken since then who has sent no orders: those that stand are another's.
    pub inherited: BTreeSet<Seat>,
    /// The notices that were sent: about which deadline, to which seat. If the deadline is moved, the notice is sent again.
    pub told: BTreeSet<(Matter, Seat, i64)>,
}

impl Hours {
    /// A player agrees to a draw, or takes that back.
    fn draw_voted(&mut self, seat: Seat, agrees: bool) {
        self.draw_proposed |= agrees;
        match agrees {
            true => _ = self.draws.insert(seat),
            false => _ = self.draws.remove(&seat),
        }
    }
}

impl Life {
    /// A window opened.
    pub(super) fn opened(&mut self, deadline: Option<i64>) {
        self.hours = Hours { first: deadline, ..Hours::default() };
    }

    /// The deadline of the open window was moved, or a wait because all are ready began or ended. Returns the window's deadline from then on.
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
        if *matter != Matter::Reminder {
            self.hours.late.extend(seats.iter().cloned());
        }
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
                self.hours.inherited.remove(seat);
                // Who writes again is waited for again.
                self.hours.goes_on.remove(seat);
                self.until_contact.remove(seat);
            }
            Verdict::Refused { .. } => mails.refused += 1,
        }
    }

    /// Observers were sent an adjudication.
    pub(super) fn observed(&mut self, t: u32, is_next: impl Fn(u32) -> bool) {
        self.observers.values_mut().filter(|shown| is_next(**shown)).for_each(|shown| *shown = t);
    }

    /// The turn is held back for these seats.
    pub(super) fn held_for(&mut self, missing: BTreeSet<Seat>) {
        self.hours.late.extend(missing);
    }

    /// How many more missed turns of a seat's player are excused, by terms that excuse so many; a newcomer's first is excused by any terms.
    pub fn excuses_left(&self, seat: &Seat, by_terms: u32) -> u32 {
        let left = by_terms.saturating_sub(self.excused.get(seat).copied().unwrap_or_default());
        left.max(u32::from(self.newcomers.contains(seat)))
    }

    /// The window closed. `missing` are the seats without orders, of those that had to order.
    pub(super) fn closed(&mut self, must: &[Seat], missing: &BTreeSet<Seat>, charter: &Charter) {
        for seat in must {
            let mut turns = Turns::default();
            if !missing.contains(seat) {
                self.missed.remove(seat);
                let is_late = self.hours.late.contains(seat);
                (turns.in_time, turns.late) = (u32::from(!is_late), u32::from(is_late));
            } else if self.excuses_left(seat, charter.terms.excused) > 0 {
                *self.excused.entry(seat.clone()).or_default() += 1;
                turns.excused = 1;
            } else {
                *self.missed.entry(seat.clone()).or_default() += 1;
                turns.missed = 1;
            }
            self.newcomers.remove(seat);
            self.attended(charter.players.get(seat).map_or(&[], Player::addresses), turns);
        }
    }

    /// The window, in which these seats could order, closed: whoever went on without a mail does so still, and so do those who have just said that they
    /// are ready until contact.
    pub(super) fn ready_until_contact(&mut self, could: &BTreeSet<Seat>, said: BTreeSet<Seat>) {
        let goes_on = &self.hours.goes_on;
        self.until_contact.retain(|seat, _| goes_on.contains(seat) || !could.contains(seat));
        self.until_contact.extend(said.into_iter().map(|seat| (seat, 0)));
    }

    /// A player leaves orders for a later turn, or takes them back.
    fn leaves(&mut self, seat: Seat, left: Option<Left>) {
        match left {
            Some(left) => _ = self.ahead.insert(seat, left),
            None => _ = self.ahead.remove(&seat),
        }
    }

    /// Nobody goes on without a mail from now on where the log is shown while the game runs.
    fn asked_where_shown(&mut self, charter: &Charter) {
        if charter.terms.reveal != Reveal::End {
            self.until_contact.clear();
        }
    }

    /// Turns became void. Where one of them had run, nobody is ready until contact any more and nothing is left for later: everybody is asked anew.
    pub(super) fn rolled_back(&mut self, ran: bool) {
        if ran {
            self.until_contact.clear();
            self.ahead.clear();
        }
        self.hours.goes_on.clear();
        self.reroll = None;
    }

    /// Counts turns of the person with these addresses; none for a seat that no person plays.
    fn attended(&mut self, addresses: &[String], turns: Turns) {
        let mut addresses: BTreeSet<String> = addresses.iter().map(|own| own.to_lowercase()).collect();
        if addresses.is_empty() {
            return;
        }
        let mut all = turns;
        let (same, others) =
            self.attendance.drain(..).partition::<Vec<_>, _>(|one| !one.addresses.is_disjoint(&addresses));
        for one in same {
            addresses.extend(one.addresses);
            all = all.and(one.turns);
        }
        self.attendance = others;
        self.attendance.push(Attendance { addresses, turns: all });
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
            Change::Preferences { seat, preferences } => _ = self.preferences.insert(seat, preferences),
            Change::Absent { seat, from, until } if from < until => {
                self.absences.insert(seat, Absence { from, until });
            }
            Change::Absent { seat, .. } => _ = self.absences.remove(&seat),
            Change::Voted { seat, until } => _ = self.hours.votes.insert(seat, until),
            Change::Draw { seat, agrees } => self.hours.draw_voted(seat, agrees),
            Change::GoesOn { seat } => {
                *self.until_contact.entry(seat.clone()).or_default() += 1;
                self.hours.goes_on.insert(seat);
            }
            Change::Ahead { seat, left } => self.leaves(seat, left),
            Change::Asked { seat } => _ = self.hours.goes_on.remove(&seat),
            Change::Unready { seat } => _ = self.hours.unready.insert(seat),
            Change::Paused => self.paused = self.paused.or(Some(at)),
            Change::Resumed => self.resumed(at, opened),
            Change::Terms { deadlines, press, terms } => {
                charter.deadlines = deadlines;
                charter.press = press;
                charter.terms = *terms;
                self.asked_where_shown(charter);
            }
            Change::Gm { addresses, roles } => (charter.gm, self.gm_roles) = (addresses, roles),
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
            Change::RerollAsked { label } => {
                self.reroll = Some(ProposedReroll { label, consents: BTreeMap::new() });
            }
            Change::Consented { seat, block } => {
                if let Some(asked) = &mut self.reroll {
                    asked.consents.insert(seat, block);
                }
            }
            // The state of publication is computed from the whole journal (`Public`).
            // The end and changed dispatches are folded by the campaign.
            Change::Revealed { .. }
            | Change::Broadcast { .. }
            | Change::ToGm { .. }
            | Change::FromGm { .. }
            | Change::Archived
            | Change::Edited { .. }
            | Change::Looked { .. }
            | Change::Released
            | Change::Ended { .. } => {}
        }
    }

    /// Another player takes a seat. `by_gm`: whether the GM gave the seat to him, which also lifts a bar.
    fn seated(&mut self, seat: &Seat, player: &Player, by_gm: bool) {
        self.leave(seat);
        if let Player::Mail { addresses } = player {
            self.newcomers.insert(seat.clone());
            self.hours.inherited.insert(seat.clone());
            *self.hours.arrivals.entry(seat.clone()).or_default() += 1;
            if self.hours.recall.is_some() {
                // The `READY` came from the former player.
                self.hours.unready.insert(seat.clone());
            }
            if by_gm {
                self.admit(addresses);
            }
        }
    }

    /// A pause ends at `at`, in the window that opened at `opened`.
    fn resumed(&mut self, at: i64, opened: Option<i64>) {
        // For a window that opened during the pause, time stands still since its opening.
        let since = self.paused.take().map(|paused| opened.map_or(paused, |opened| paused.max(opened)));
        let pause = since.map_or(0, |since| at - since);
        self.stood_still += pause;
        self.hours.first = self.hours.first.map(|first| first + pause);
    }

    /// A person becomes an observer, or is one no longer.
    fn watches(&mut self, address: String, listed: bool) {
        if listed {
            self.applicants.remove(&address);
            self.observers.entry(address).or_default();
        } else {
            self.observers.remove(&address);
            // A refusal stays.
            self.applicants.retain(|other, is| *other != address || *is == Application::Refused);
        }
    }

    /// The people who wait for the GM's permission to watch.
    pub fn asking(&self) -> impl Iterator<Item = &str> {
        self.applicants.iter().filter(|(_, is)| **is == Application::Open).map(|(who, _)| who.as_str())
    }

    /// Whether a person was ejected from the game, and not let in again.
    pub fn is_barred(&self, address: &str) -> bool {
        self.barred.iter().flatten().any(|barred| barred.eq_ignore_ascii_case(address))
    }

    /// Lifts the bar of people who have one of these addresses.
    fn admit(&mut self, addresses: &[String]) {
        let theirs = |own: &String| addresses.iter().any(|address| address.eq_ignore_ascii_case(own));
        self.barred.retain(|person| !person.iter().any(theirs));
    }

    /// Removes what belonged to the leaving player.
    fn leave(&mut self, seat: &Seat) {
        self.absences.remove(seat);
        self.undelivered.remove(seat);
        self.zones.remove(seat);
        self.preferences.remove(seat);
        self.missed.remove(seat);
        self.excused.remove(seat);
        self.newcomers.remove(seat);
        self.hours.votes.remove(seat);
        self.hours.goes_on.remove(seat);
        self.until_contact.remove(seat);
        self.ahead.remove(seat);
        // Who agreed did so with others.
        self.hours.draws.clear();
        self.hours.draw_proposed = false;
        // The people who were asked are not the ones who would have to be asked now.
        self.reroll = None;
    }
}

/// The reason of a [`Rescheduled`](musterd_engine::journal::Cause::Rescheduled) deadline: the turn waits for missing orders.
pub const HELD: &str = "held";
/// The reason of a deadline: all are ready, and the turn runs at that time, unless a mail stops it. The window keeps its own deadline.
pub const RECALL: &str = "recall";
/// The reason of a deadline: such a wait is over, and the turn waits for its deadline again, or for all to be ready.
pub const RECALLED: &str = "recalled";

/// Whether the adjudication `t` is the next one for an observer who was last sent `shown`, or none (0).
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
        // A failure is forgotten after a fortnight; a mark on an address is not.
        let fortnight = Failures::FORGOTTEN;
        assert_eq!(failed(&[0, fortnight - 1], false).count, 2);
        assert_eq!(failed(&[0, fortnight], false).count, 1);
        assert_eq!(failed(&[0, 1, 2, 2 + fortnight], false).count, 4);
    }
}

//! Recall: a turn that would run because all are ready waits a short while first, so that a mail can still stop it. The window keeps its deadline
//! meanwhile, for seats that aren't asked, and for the case that the turn is stopped.

use super::campaign::Campaign;
use super::life::{RECALL, RECALLED};
use musterd_dice::Seat;
use musterd_engine::Awaiting;
use musterd_engine::journal::{Cause, Player};

/// The latest time that the log can express. It stands in the log as the deadline of a window that has none again.
pub const NO_DEADLINE: i64 = 9_999_999_999;

impl Campaign {
    /// When the open turn runs because all are ready, unless a mail stops it before; unix seconds.
    pub fn runs_at(&self) -> Option<i64> {
        self.window().and(self.life().hours.recall)
    }

    /// When the open turn runs by itself, in the present state: when all are ready, or at its deadline.
    pub fn closes_at(&self) -> Option<i64> {
        self.runs_at().or(self.window()?.deadline)
    }

    /// Whether the open turn runs now because all are ready.
    pub fn runs_at_once(&self) -> bool {
        self.all_ready() && (self.runs_at().is_none() || self.recall().is_none())
    }

    /// How many minutes the open turn waits once all are ready; `None` if it runs at once. The founding doesn't wait, since no orders could be
    /// changed, nor does a turn that was held back, which has waited already.
    pub fn recall(&self) -> Option<u32> {
        let minutes = self.charter().terms.recall.filter(|minutes| *minutes > 0)?;
        let founding = matches!(self.game().awaiting(), Awaiting::Founding);
        let waits = !founding && !self.life().hours.held;
        let waits = waits && self.asked().iter().any(|seat| self.is_asked_person(seat));
        waits.then_some(minutes)
    }

    /// Whether a mail of this seat's player without orders stops the turn that is about to run.
    pub fn is_stopped_by(&self, seat: &Seat) -> bool {
        self.runs_at().is_some() && self.is_asked_person(seat) && self.is_ready(seat)
    }

    /// The change of the wait caused by events until `now`, for the journal: it begins; it begins again if a player who is asked has sent other
    /// orders; or it ends because somebody is no longer ready.
    pub fn recalling(&self, now: i64, anew: bool) -> Option<Cause> {
        let deadline = self.window()?.deadline;
        let until = self.recall_until(now);
        match (self.runs_at(), until) {
            (None, Some(until)) => self.rescheduling(until, RECALL),
            (Some(at), Some(until)) if anew && until > at => self.rescheduling(until, RECALL),
            (Some(_), None) if !self.all_ready() => {
                self.rescheduling(deadline.unwrap_or(NO_DEADLINE), RECALLED)
            }
            _ => None,
        }
    }

    /// Until when a wait that begins now lasts, never beyond the deadline; `None` if the turn doesn't wait.
    fn recall_until(&self, now: i64) -> Option<i64> {
        let deadline = self.window()?.deadline.unwrap_or(NO_DEADLINE);
        let minutes = self.recall().filter(|_| now < deadline && self.all_ready())?;
        Some(deadline.min(now + i64::from(minutes) * 60))
    }

    /// Whether a person's `READY` at this seat is one that the open turn waits for.
    pub fn is_asked_person(&self, seat: &Seat) -> bool {
        let person = matches!(self.charter().players.get(seat), Some(Player::Mail { .. }));
        person
            && self.asked().contains(seat)
            && self.window().is_some_and(|window| !window.sealed.contains_key(seat))
    }
}

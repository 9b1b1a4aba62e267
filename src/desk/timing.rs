//! What the time requires of a campaign: reminders, grace, held turns, moved deadlines. All of it uses the same definition of *missing*. Pure: the
//! daemon states the time, asks what is due, does it, and asks again.

use std::collections::{BTreeMap, BTreeSet};

use super::calendar;
use super::campaign::{Awaited, Campaign, CampaignError, Window};
use super::life::{Absence, HELD};
use musterd_dice::{Block, Digest, Seat, SecretChain, Word, leaf};
use musterd_engine::Awaiting;
use musterd_engine::journal::{Cause, Left, Matter, Player, Told};
use musterd_engine::orders::Weight;
use musterd_engine::terms::{Early, Missing, Reveal};

/// Seconds in a minute.
const MINUTE: i64 = 60;
/// How much time a player has after an absence, in seconds.
pub const AFTER_ABSENCE: i64 = 24 * 3600;

/// How many turns go on at most without a mail of a player who is ready until contact: he may have given up.
const MOST_WITHOUT_MAIL: u32 = 12;

/// An action that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// Remind these seats of their orders.
    Remind(BTreeSet<Seat>),
    /// Tell all that the turn waits for these seats, until this time.
    TellLate(BTreeSet<Seat>, i64),
    /// Hold the turn back for these seats, until this time.
    Hold(BTreeSet<Seat>, i64),
    /// Hold the turn back for these seats, whose missed turn is excused, until this time; it runs then.
    Excuse(BTreeSet<Seat>, i64),
    /// Ask the GM what to do about these seats; the turn waits.
    AskGm(BTreeSet<Seat>),
    /// Run the turn; the computer gives the orders of these seats, each by this level.
    Run(BTreeMap<Seat, Word>),
    /// Call off the wait, as the turn was about to run because all were ready and somebody is ready no longer; or let it begin, as all are ready without a
    /// mail.
    StandBy,
    /// Ask the public beacon for the value that the dice of a closed turn wait for: its round is over.
    Beacon(Awaited),
    /// Send the dispatches that the GM had time to look at.
    Release,
    /// Send this adjudication to observers.
    Show(u32),
    /// Forward the sealed letter with this commitment.
    Unseal(Digest),
}

impl Campaign {
    /// The seats that the open window waits for: they must order, the computer doesn't play them, and no set of theirs was accepted. Every seat that
    /// is called missing anywhere is among them.
    pub fn missing(&self) -> BTreeSet<Seat> {
        let Some(window) = self.window() else { return BTreeSet::new() };
        let goes_on = &self.life().hours.goes_on;
        let has_orders = |seat: &Seat| {
            window.accepted.contains_key(seat) || window.sealed.contains_key(seat) || goes_on.contains(seat)
        };
        self.must().into_iter().filter(|seat| !has_orders(seat)).collect()
    }

    /// The seats that must or may order in the open window of a game that has begun.
    pub(super) fn could_order(&self) -> BTreeSet<Seat> {
        match self.game().awaiting() {
            Awaiting::Orders { must, may, .. } => must.iter().chain(may).cloned().collect(),
            Awaiting::Founding | Awaiting::Over { .. } => BTreeSet::new(),
        }
    }

    /// Whether turns may go on without a mail of a seat with nothing in reach. Where the log is shown while the game runs it would tell the others
    /// that this seat sees nothing: there `READY UNTIL CONTACT` is `READY`.
    pub fn allows_until_contact(&self) -> bool {
        self.charter().terms.reveal == Reveal::End
    }

    /// The seats whose players have said in the open window that they are ready until contact, where that counts as `READY` does.
    pub(super) fn said_until_contact(&self) -> BTreeSet<Seat> {
        let window = self.window().filter(|_| self.allows_until_contact());
        let sets = window.into_iter().flat_map(|window| &window.accepted);
        let inherited = &self.life().hours.inherited;
        let said = sets.filter(|(seat, orders)| {
            orders.sheet.until_contact && !inherited.contains(*seat) && self.is_ready(seat)
        });
        said.map(|(seat, _)| seat.clone()).collect()
    }

    /// The orders that were left for the open turn, or for one that is over.
    pub fn left_for_now(&self) -> Vec<(Seat, Left)> {
        let Some(window) = self.window() else { return Vec::new() };
        let must = self.must();
        let is_due = |(seat, left): &(&Seat, &Left)| match &left.turn {
            None => window.t > left.from && must.contains(seat),
            Some(turn) => {
                let is_over = turn.parse().is_ok_and(|t: u32| t < window.t);
                is_over || *turn == window.t.to_string() || *turn == window.name.as_str()
            }
        };
        let left = self.life().ahead.iter().filter(is_due);
        left.map(|(seat, left)| (seat.clone(), left.clone())).collect()
    }

    /// Whether the open turn takes orders of a seat that a person plays, and is the one that these were left for.
    pub fn takes_left(&self, seat: &Seat, left: &Left) -> bool {
        let is_named = |turn: &String| {
            self.window().is_some_and(|window| *turn == window.t.to_string() || *turn == window.name.as_str())
        };
        if !left.turn.as_ref().is_none_or(is_named) {
            return false;
        }
        let is_sealed = self.window().is_none_or(|window| window.sealed.contains_key(seat));
        !is_sealed && self.could_order().contains(seat)
    }

    /// The seats that went on without a mail in the open window and have something in reach now, each with what it is: the position was changed. While
    /// dispatches wait nobody may learn of it.
    pub fn contact_since(&self) -> Vec<(Seat, String)> {
        let goes_on = self.window().into_iter().flat_map(|_| &self.life().hours.goes_on);
        goes_on.filter_map(|seat| Some((seat.clone(), self.game().contact(seat)?))).collect()
    }

    /// The people who are ready until contact and whose orders the open turn takes, each with what is in reach now; `None` if nothing is.
    pub fn until_contact(&self) -> Vec<(Seat, Option<String>)> {
        let Some(window) = self.window() else { return Vec::new() };
        let orders = self.could_order();
        let asked = self.life().until_contact.iter().filter(|(seat, _)| {
            self.allows_until_contact()
                && orders.contains(*seat)
                && !window.accepted.contains_key(*seat)
                && !window.sealed.contains_key(*seat)
        });
        let contact = |(seat, turns): (&Seat, &u32)| {
            let tired = (*turns >= MOST_WITHOUT_MAIL).then(|| {
                format!("nothing in reach, but {MOST_WITHOUT_MAIL} turns have run without a mail of yours")
            });
            (seat.clone(), self.game().contact(seat).or(tired))
        };
        asked.map(contact).collect()
    }

    /// The seats that must order in the open window; at the founding, all seats.
    pub fn must(&self) -> Vec<Seat> {
        match self.game().awaiting() {
            Awaiting::Founding => self.charter().players.keys().cloned().collect(),
            Awaiting::Orders { must, .. } => must.clone(),
            Awaiting::Over { .. } => Vec::new(),
        }
    }

    /// Whether a seat's orders say that its player is done, while a later mail that may hold other orders was not read.
    pub fn ready_waits(&self, seat: &Seat) -> bool {
        let window = self.window().filter(|window| window.unread.contains(seat));
        window.and_then(|window| window.accepted.get(seat)).is_some_and(|orders| orders.sheet.ready)
    }

    /// Whether a seat's orders say that its player is done: `JOIN` before the game is founded, `READY` after that; and no `WAIT`. A slip must not run
    /// a turn, so `READY` counts only if no line has an error and no mail is unread.
    pub fn is_ready(&self, seat: &Seat) -> bool {
        let Some(orders) = self.window().and_then(|w| w.accepted.get(seat)) else {
            let hours = &self.life().hours;
            return hours.goes_on.contains(seat) && !hours.unready.contains(seat);
        };
        let sheet = orders.sheet;
        if self.ready_waits(seat)
            || sheet.wait
            || !(sheet.ready || sheet.join)
            || self.life().hours.unready.contains(seat)
        {
            return false;
        }
        if matches!(self.game().awaiting(), Awaiting::Founding) {
            return true;
        }
        let remarks = || &self.read_back(seat, orders).remarks;
        sheet.ready && remarks().iter().all(|remark| remark.weight != Weight::Error)
    }

    /// The seats that the terms name: those whose `READY` runs the open turn.
    pub fn asked(&self) -> Vec<Seat> {
        let mut seats = self.must();
        if let (Awaiting::Orders { may, .. }, Early::All) =
            (self.game().awaiting(), self.charter().terms.early)
        {
            seats.extend(may.iter().cloned());
        }
        seats
    }

    /// Whether all seats that the terms name are ready, so that the open window may close early. A computer player is ready once the people are,
    /// because its orders are sealed and its mail may be lost. If only computers play, they wait for their mails. A computer that took a seat since
    /// the window opened has nothing sealed, and is ready once its orders have arrived.
    pub fn all_ready(&self) -> bool {
        let Some(window) = self.window() else { return false };
        let never = self.charter().terms.early == Early::Never && !self.is_founding();
        if self.life().paused.is_some() || never {
            return false;
        }
        let seats = self.asked();
        let took_over = |seat: &Seat| {
            let is_computer = matches!(self.charter().players.get(seat), Some(Player::Computer { .. }));
            is_computer && window.accepted.contains_key(seat) && !window.sealed.contains_key(seat)
        };
        let asked = seats.iter().filter(|seat| !took_over(seat));
        let (sealed, people): (Vec<&Seat>, Vec<&Seat>) =
            asked.partition(|seat| window.sealed.contains_key(*seat));
        let awaited = if people.is_empty() { sealed } else { people };
        awaited.iter().all(|seat| self.is_ready(seat))
    }

    /// Whether orders of a seat that arrived at this time are still accepted: until the deadline; and after it, while the turn waits, from seats
    /// whose orders are missing.
    pub fn takes_orders(&self, seat: &Seat, arrived: i64) -> bool {
        let Some(window) = self.window() else { return false };
        // In a pause, a deadline that was not over stands still.
        let Some(deadline) = window.deadline.filter(|at| self.life().paused.is_none_or(|since| since > *at))
        else {
            return true;
        };
        let missing = || self.missing();
        arrived <= deadline
            || (missing().contains(seat)
                && (arrived <= self.last_call(deadline) || self.is_blocked(&missing())))
    }

    /// The most urgent action at `now`. The mailboxes must have been drained before, so that missing orders are really missing.
    pub fn due(&self, now: i64) -> Option<Due> {
        if let Some(t) = self.unobserved() {
            return Some(Due::Show(t));
        }
        if self.life().paused.is_some() {
            return None;
        }
        if let Some(letter) = self.letters().to_unseal(now).filter(|_| self.window().is_some()) {
            return Some(Due::Unseal(letter.commit));
        }
        if let Some(awaited) = self.awaited() {
            return (awaited.due <= now).then_some(Due::Beacon(awaited));
        }
        let Some(window) = self.window() else {
            return self.release_at().filter(|at| *at <= now).map(|_| Due::Release);
        };
        match self.runs_at() {
            Some(_) if !self.all_ready() => return Some(Due::StandBy),
            Some(at) if at <= now => return Some(self.run(self.missing())),
            // All are ready without a mail.
            None if !self.life().hours.goes_on.is_empty()
                && window.deadline.is_none_or(|at| now < at)
                && self.all_ready() =>
            {
                let waits = self.recall().is_some();
                return Some(if waits { Due::StandBy } else { self.run(self.missing()) });
            }
            _ => {}
        }
        let deadline = window.deadline?;
        let missing = self.missing();
        if now < deadline {
            if self.life().hours.held && !self.is_blocked(&missing) && self.excused(&missing).is_empty() {
                return Some(self.run(missing));
            }
            let reminded = self.reminder_at(window).is_some_and(|at| at <= now);
            let seats = self.untold(Matter::Reminder, deadline, self.people(&missing));
            return Some(Due::Remind(seats))
                .filter(|_| reminded)
                .filter(|due| *due != Due::Remind(BTreeSet::new()));
        }
        let last_call = self.last_call(deadline);
        if !missing.is_empty() && now < last_call {
            let untold = self.untold(Matter::Late, deadline, missing.clone());
            return (!untold.is_empty()).then_some(Due::TellLate(missing, last_call));
        }
        if !self.is_blocked(&missing) {
            let excused = self.excused(&missing);
            if excused.is_empty() || self.life().hours.held || self.is_founding() {
                return Some(self.run(missing));
            }
            return Some(Due::Excuse(excused, now + i64::from(self.charter().terms.hold) * MINUTE));
        }
        let asks_nobody = self.charter().gm.is_empty();
        let holds = self.charter().terms.missing != Missing::Gm || asks_nobody;
        if holds && !self.life().hours.held && !self.is_founding() {
            let until = now + i64::from(self.charter().terms.hold) * MINUTE;
            return Some(Due::Hold(missing, until));
        }
        // A game without a GM, from before such terms were refused, has waited long enough.
        if asks_nobody && !self.is_founding() {
            return Some(self.run(missing));
        }
        let untold = self.untold(Matter::Decision, deadline, missing.clone());
        (!untold.is_empty()).then_some(Due::AskGm(missing))
    }

    /// When [`Campaign::due`] has to be asked next, unix seconds: `now` while it has an answer.
    pub fn next_due(&self, now: i64) -> Option<i64> {
        if self.unobserved().is_some() {
            return Some(now);
        }
        if self.life().paused.is_some() {
            return None;
        }
        if let Some(awaited) = self.awaited() {
            return Some(awaited.due.max(now));
        }
        let Some(window) = self.window() else { return self.release_at() };
        let deadline = window.deadline;
        let last_call = deadline.map(|deadline| self.last_call(deadline));
        let seal = self.letters().next_seal();
        let times = [self.runs_at(), self.reminder_at(window), deadline, last_call, seal];
        let later = || times.into_iter().flatten().filter(|at| *at > now).min();
        self.due(now).map(|_| now).or_else(later)
    }

    /// When the time moves the game on next, unix seconds: at the deadline of the open turn, when that runs because all are ready, when a beacon's
    /// round is over, or when dispatches are sent without the GM's approval. `None` if only people can move it on.
    pub fn moves_at(&self) -> Option<i64> {
        if self.life().paused.is_some() {
            return None;
        }
        match (self.awaited(), self.window()) {
            (Some(awaited), _) => Some(awaited.due),
            (None, Some(window)) => self.runs_at().into_iter().chain(window.deadline).min(),
            (None, None) => self.release_at(),
        }
    }

    /// Whether the game waits for its GM at `now`: it is paused, dispatches wait for approval, a turn whose time is over waits for a decision about
    /// missing players, or somebody asks to watch.
    pub fn waits_for_gm(&self, now: i64) -> bool {
        let is_undecided = |deadline: i64| {
            let waits_for_answer =
                self.life().hours.held || self.charter().terms.missing == Missing::Gm || self.is_founding();
            now >= self.last_call(deadline) && waits_for_answer && self.is_blocked(&self.missing())
        };
        !self.is_over()
            && (self.life().paused.is_some()
                || self.draft().is_some()
                || self.life().asking().next().is_some()
                || self.window().and_then(|window| window.deadline).is_some_and(is_undecided))
    }

    /// The deadline of a window that opens at `opened`: by the policy, or later if a seat that must order is away.
    pub fn first_deadline(&self, opened: i64, zone: &str) -> Option<i64> {
        calendar::next(&self.charter().deadlines, opened, zone)
    }

    /// A later deadline for the open window, with the word for its reason: its players voted for it, or one of them is away.
    pub fn later_deadline(&self, zone: &str) -> Option<(i64, &'static str)> {
        let window = self.window()?;
        let deadline = window.deadline?;
        let latest = self.life().hours.first? + i64::from(self.charter().terms.extension) * MINUTE;
        let latest = calendar::off_free_days(&self.charter().deadlines, latest, zone);
        let voted =
            self.voted().map(|at| (calendar::off_free_days(&self.charter().deadlines, at, zone), "vote"));
        let back = self
            .back_at(window, deadline)
            .map(|at| (calendar::not_before(&self.charter().deadlines, at, zone).unwrap_or(at), "absence"));
        let later = [voted, back].into_iter().flatten().map(|(at, why)| (at.min(latest), why));
        later.filter(|(at, _)| *at > deadline).max()
    }

    /// A later deadline for the open window if a person has just taken a seat that must order in it, and too little time is left. Granted once for
    /// each seat and window, so that changing players don't hold a game up.
    pub fn newcomer_deadline(&self, seat: &Seat, now: i64, zone: &str) -> Option<i64> {
        let window = self.window()?;
        let deadline = window.deadline?;
        let hours = &self.life().hours;
        // The orders that the computer sealed for the seat stay in force for this turn.
        let orders = !self.is_founding() && self.must().contains(seat) && !window.sealed.contains_key(seat);
        if !orders || hours.arrivals.get(seat) != Some(&1) {
            return None;
        }
        // In a pause, the remaining time stands still.
        let now = self.life().paused.map_or(now, |paused| paused.max(window.opened));
        let least = now + i64::from(self.charter().terms.newcomer) * MINUTE;
        let least = calendar::off_free_days(&self.charter().deadlines, least, zone);
        (self.charter().terms.newcomer > 0 && least > deadline).then_some(least)
    }

    /// The valid votes for more time: of the people who may order, each with the time asked for, unix seconds.
    pub fn votes(&self) -> BTreeMap<Seat, i64> {
        let voices = self.voices();
        let votes = self.life().hours.votes.iter().filter(|(seat, _)| voices.contains(*seat));
        votes.map(|(seat, until)| (seat.clone(), *until)).collect()
    }

    /// Whether a seat has a voice on the open window's deadline.
    pub fn has_voice(&self, seat: &Seat) -> bool {
        self.voices().contains(seat)
    }

    /// How many players have to ask for more time, and how many players there are.
    pub fn majority(&self) -> (usize, usize) {
        let voices = self.voices().len();
        (voices / 2 + 1, voices)
    }

    /// Whether every person in the game agrees to a draw. Computer players always agree, and a free seat has no vote.
    pub fn draw_is_agreed(&self) -> bool {
        let people = self.people(&self.charter().players.keys().cloned().collect());
        !people.is_empty() && people.is_subset(&self.life().hours.draws)
    }

    /// A move of the deadline, for the journal.
    pub fn rescheduling(&self, deadline: i64, reason: &str) -> Option<Cause> {
        let t = self.window()?.t;
        Some(Cause::Rescheduled { t, deadline, reason: reason.to_owned() })
    }

    /// A note for the journal that these seats, or all about these seats, were told something about the present deadline.
    pub fn telling(&self, matter: Matter, seats: &BTreeSet<Seat>) -> Option<Cause> {
        let window = self.window()?;
        Some(Cause::Told(Told { t: window.t, matter, seats: seats.clone(), deadline: window.deadline? }))
    }

    /// The computer's orders for a seat that sent none, for the journal.
    ///
    /// # Errors
    /// No window is open, or the secret chain is used up.
    pub fn stand_in(&self, secrets: &SecretChain, seat: &Seat, level: &Word) -> Result<Cause, CampaignError> {
        let t = self.window().ok_or(CampaignError::NotOpen)?.t;
        let secret = secrets.secret(t).ok_or(CampaignError::NoSecret(t))?;
        let lines = match self.game().awaiting() {
            Awaiting::Founding => "JOIN\n".to_owned(),
            _ => format!("{}\n", self.game().play(seat, level.as_str(), u64::from(t)).trim_end()),
        };
        let block = Block::canonical(&lines);
        let leaf = leaf(&secret, &self.charter().game, t, seat, Some(&block));
        Ok(Cause::StoodIn { t, seat: seat.clone(), block, leaf })
    }

    /// How the open turn would run now.
    pub fn run_now(&self) -> Due {
        self.run(self.missing())
    }

    fn run(&self, missing: BTreeSet<Seat>) -> Due {
        match &self.charter().terms.missing {
            Missing::Computer { skill } if !self.is_founding() => {
                Due::Run(missing.into_iter().map(|seat| (seat, skill.clone())).collect())
            }
            _ => Due::Run(BTreeMap::new()),
        }
    }

    fn is_founding(&self) -> bool {
        matches!(self.game().awaiting(), Awaiting::Founding)
    }

    /// Whether the turn has to wait for these seats when its time is over. A game begins without players who didn't confirm, but not without any
    /// player.
    fn is_blocked(&self, missing: &BTreeSet<Seat>) -> bool {
        let terms = &self.charter().terms;
        if self.is_founding() {
            return missing.iter().any(|seat| self.charter().players.get(seat) == Some(&Player::Open));
        }
        let too_many = terms.most_missing.is_some_and(|most| missing.len() > most as usize);
        too_many || (matches!(terms.missing, Missing::Hold | Missing::Gm) && !missing.is_empty())
    }

    /// Those of the missing seats whose missed turn would be excused.
    fn excused(&self, missing: &BTreeSet<Seat>) -> BTreeSet<Seat> {
        let by_terms = self.charter().terms.excused;
        let mut excused = self.people(missing);
        excused.retain(|seat| self.life().excuses_left(seat, by_terms) > 0);
        excused
    }

    /// When the grace period ends. A turn that was held back gets none in addition.
    fn last_call(&self, deadline: i64) -> i64 {
        let grace = if self.life().hours.held { 0 } else { self.charter().terms.grace };
        deadline + i64::from(grace) * MINUTE
    }

    /// When the reminder of missing orders is sent: as the terms say, but not in the first half of the window.
    fn reminder_at(&self, window: &Window) -> Option<i64> {
        let deadline = window.deadline?;
        let lead = i64::from(self.charter().terms.remind?) * MINUTE;
        Some((deadline - lead).max(window.opened + (deadline - window.opened) / 2))
    }

    /// When the dispatches of the turn that ran last are sent without approval; `None` if they have been sent or need not wait.
    fn release_at(&self) -> Option<i64> {
        let draft = self.draft()?;
        // Terms that were changed meanwhile may no longer ask for approval.
        let time = self.charter().terms.approval.map_or(0, |minutes| i64::from(minutes) * MINUTE);
        Some(draft.at + self.life().stood_still + time)
    }

    fn people(&self, seats: &BTreeSet<Seat>) -> BTreeSet<Seat> {
        let person = |seat: &&Seat| matches!(self.charter().players.get(*seat), Some(Player::Mail { .. }));
        seats.iter().filter(person).cloned().collect()
    }

    fn untold(&self, matter: Matter, deadline: i64, mut seats: BTreeSet<Seat>) -> BTreeSet<Seat> {
        let told = &self.life().hours.told;
        seats.retain(|seat| !told.contains(&(matter, seat.clone(), deadline)));
        seats
    }

    /// The people who may ask for more time: everybody who may order.
    fn voices(&self) -> BTreeSet<Seat> {
        let mut seats: BTreeSet<Seat> = self.must().into_iter().collect();
        if let Awaiting::Orders { may, .. } = self.game().awaiting() {
            seats.extend(may.iter().cloned());
        }
        self.people(&seats)
    }

    /// The latest time for which a majority asked, or a later one.
    fn voted(&self) -> Option<i64> {
        let mut votes: Vec<i64> = self.votes().into_values().collect();
        votes.sort_unstable_by(|a, b| b.cmp(a));
        votes.get(self.majority().0 - 1).copied()
    }

    /// When the last missing player who is away at the deadline can have ordered.
    fn back_at(&self, window: &Window, deadline: i64) -> Option<i64> {
        let away = |absence: &&Absence| absence.from <= deadline && deadline < absence.until + AFTER_ABSENCE;
        let missing = self.missing();
        let absences = &self.life().absences;
        let away = missing.iter().filter_map(|seat| absences.get(seat)).filter(away);
        away.map(|absence| absence.until + AFTER_ABSENCE).filter(|at| *at > window.opened).max()
    }
}

/// Whether the reason of a moved deadline says that the turn was held back.
pub fn is_held(reason: &str) -> bool {
    reason == HELD
}

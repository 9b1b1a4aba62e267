//! A campaign in play: the fold over a game's journal, and every decision about it. Pure: the daemon commits these decisions, and supplies the time
//! and the secrets.

mod ahead;
mod beacon;
mod binding;
mod causes;
mod closed;
mod edits;
mod heads;
mod juncture;
mod reroll;
mod seen;
mod shared;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use closed::ClosedTurn;
pub use edits::brief_of;
pub use heads::Heads;

use super::desk::{Desk, DeskError};
use super::game::Game;
use super::letters::Letters;
use super::life::{HELD, Life, Narration, is_next};
use super::press;
use super::public::Public;
use super::tail::{Moment, Tail};
use super::taken_back::{Correction, TakenBack};
use super::tellings::Tellings;
pub use super::window::{Accepted, Adjudicated, ReadBack, Window};
pub use beacon::NotTheBeacons;
pub use closed::Awaited;
pub use juncture::{Juncture, Phase};
use musterd_dice::statistics::{Statistics, Tally};
use musterd_dice::{Assurance, Chain, DiceFault, Digest, OpenHead, Roll, Seat, Witness, Word};
use musterd_engine::briefing::Section;
use musterd_engine::journal::{
    Amendment, Arrangement, Author, Cause, Change, Charter, Entry, Player, Received, Sealed, Verdict,
};
use musterd_engine::terms::{Missing, PressPolicy};
use musterd_engine::{Awaiting, Damaged, NoLevel, SeatSpec};
use musterd_report::statistics;
pub use reroll::{NoConsent, NoReroll};
pub use shared::Shared;

/// A game, folded from its journal.
pub struct Campaign {
    /// The present charter: players and terms change in play.
    charter: Charter,
    options: Vec<String>,
    life: Life,
    anchor: Digest,
    game: Box<dyn Game>,
    chain: Chain,
    /// The chain of only those log lines that led to the position.
    course: Chain,
    entries: u64,
    /// The dice of the adjudications that count.
    dice: Tally,
    window: Option<Window>,
    last: Option<Adjudicated>,
    closed: Option<ClosedTurn>,
    results: Option<Vec<String>>,
    /// The adjudication that was open or waited for its dice when the game ended without its rules. It never runs.
    abandoned: Option<u32>,
    archived: bool,
    letters: Letters,
    /// The number of the next adjudication to open, or of the open one.
    next_t: u32,
    /// The adjudications that ran and count, with their names.
    ran: BTreeMap<u32, Word>,
    /// How many times the GM amended the position.
    pub(super) amendments: usize,
    /// How many times the GM changed a line of a dispatch.
    pub(super) edits: usize,
    /// The GM's corrections of earlier turns since a turn ran.
    correction: Option<Correction>,
    taken_back: TakenBack,
    /// The log from the close of the last adjudication that counts to the opening that followed.
    tail: Tail,
    heads: Heads,
    public: Public,
    tellings: Tellings,
    settled: u64,
    shared: Option<Shared>,
}

/// A journal that can't be folded, or a step that can't be taken.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The journal doesn't begin with a founding.
    #[error(
        "the journal of this game doesn't begin with its founding: the store is damaged; restore it from the mirror"
    )]
    NotFounded,
    /// An entry at a place where it can't stand.
    #[error("journal entry {index}: {what}: the journal is damaged; restore it from the mirror")]
    OutOfOrder {
        /// The index of the entry, from 0.
        index: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// The game's files or ruleset can't be used.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// Events that this program can't read.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// A fault in a ruleset's dice.
    #[error(transparent)]
    Dice(#[from] DiceFault),
    /// The secret chain is used up.
    #[error(
        "the secret chain of this game ends before adjudication {0}: the game can't go on with fair dice"
    )]
    NoSecret(u32),
    /// No window is open.
    #[error("this game waits for no orders")]
    NotOpen,
    /// The computer plays by a level that the rules don't have.
    #[error(
        "a computer player of this game has another level than this program's: {0}; install the musterd that gave it, or a newer one"
    )]
    Level(#[from] NoLevel),
    /// The public beacon has not given its value.
    #[error("the dice of adjudication {0} wait for the public beacon")]
    NoBeacon(u32),
}

impl Campaign {
    /// Folds a journal.
    ///
    /// # Errors
    /// The journal is damaged or its ruleset unknown.
    pub fn fold<'a>(
        desk: &Desk,
        entries: impl IntoIterator<Item = &'a Entry>,
    ) -> Result<Self, CampaignError> {
        let entries: Vec<&Entry> = entries.into_iter().collect();
        let (first, rest) = entries.split_first().ok_or(CampaignError::NotFounded)?;
        let Cause::Founded { charter, anchor } = &first.cause else { return Err(CampaignError::NotFounded) };
        let seats: Vec<Seat> = charter.players.keys().cloned().collect();
        let mut campaign = Self {
            game: desk.open(charter.rules(), &charter.files, &seats)?,
            chain: Chain::new(&charter.game),
            course: Chain::new(&charter.game),
            options: desk.options_in_words(&charter.ruleset, &charter.files),
            charter: (**charter).clone(),
            life: Life::default(),
            anchor: *anchor,
            entries: 0,
            window: None,
            dice: Tally::default(),
            last: None,
            closed: None,
            results: None,
            abandoned: None,
            archived: false,
            letters: Letters::default(),
            next_t: 1,
            ran: BTreeMap::new(),
            amendments: 0,
            edits: 0,
            correction: None,
            taken_back: TakenBack::of(&entries),
            tail: Tail::default(),
            heads: Heads::default(),
            public: Public::default(),
            tellings: Tellings::default(),
            settled: 0,
            shared: None,
        };
        campaign.check_levels()?;
        campaign.note(first);
        rest.iter().try_for_each(|entry| campaign.apply(entry))?;
        Ok(campaign)
    }

    /// Computer players play by levels that the rules have, so that no order is missing when it is due.
    fn check_levels(&self) -> Result<(), CampaignError> {
        let Charter { players, terms, .. } = &self.charter;
        let of_terms = match &terms.missing {
            Missing::Computer { skill } => Some(skill),
            _ => None,
        };
        let computers = players.values().filter_map(|player| match player {
            Player::Computer { skill } => Some(skill),
            _ => None,
        });
        let levels = self.game.levels();
        let mut all = computers.chain(of_terms);
        Ok(all.try_for_each(|level| levels.find(Some(level.as_str())).map(drop))?)
    }

    fn note(&mut self, entry: &Entry) {
        let at_once =
            matches!(&entry.cause, Cause::Reported(telling) if self.tellings.is_first_report(telling));
        let moment = Moment { opened: self.window.is_some(), at_once };
        self.tail.before((&entry.cause, self.entries), &self.chain, &self.taken_back, moment);
        for line in entry.cause.log_entries() {
            let hash = self.chain.push(&line);
            self.heads.push(&line, hash);
            self.tail.grow(&line, hash);
            if sets_course(&entry.cause) {
                self.course.push(&line);
            }
        }
        self.public.take(&entry.cause);
        self.entries += 1;
        let is_of_one_seat = match &entry.cause {
            Cause::Received(_) | Cause::Pressed(_) | Cause::Reported(_) => true,
            Cause::Arranged(Arrangement { by, change, .. }) => {
                let follows =
                    matches!(change, Change::GoesOn { .. } | Change::Asked { .. } | Change::Ahead { .. });
                follows || matches!(by, Author::Seat { .. })
            }
            _ => false,
        };
        self.settled += u64::from(!is_of_one_seat);
        self.shared =
            Shared::behind(&entry.cause, &self.chain, self.entries, (self.shared.take(), &self.tellings));
    }

    /// Folds one more entry. An entry that takes earlier ones back ([`TakenBack::takes_back`]) can only be folded with the whole journal, by
    /// [`Campaign::fold`].
    ///
    /// # Errors
    /// The entry can't follow the ones before it.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), CampaignError> {
        let index = self.entries;
        match &entry.cause {
            Cause::Founded { .. } => return Err(out_of_order(index, "a second founding")),
            Cause::Opened { t, name, deadline, sealed } => {
                self.fold_opening(entry.at, *t, name, *deadline, sealed)?;
            }
            Cause::Received(mail) => self.fold_mail(mail)?,
            Cause::StoodIn { seat, block, leaf, .. } => {
                let window = self.window.as_mut().ok_or(out_of_order(index, "orders outside a window"))?;
                window.take(seat, block, leaf);
                window.stood_in.insert(seat.clone());
            }
            Cause::Rescheduled { deadline, reason, .. } => {
                if reason == HELD {
                    self.life.held_for(self.missing());
                }
                let window =
                    self.window.as_mut().ok_or(out_of_order(index, "a deadline outside a window"))?;
                window.deadline = self.life.rescheduled(window.deadline, *deadline, reason);
            }
            Cause::Told(told) => self.life.told(told),
            Cause::Reported(telling) => self.tellings.took(telling),
            Cause::Observed { t } => {
                let ran = &self.ran;
                self.life.observed(*t, |shown| is_next(ran, shown, *t));
            }
            Cause::Arranged(Arrangement { change: Change::Ended { results }, .. }) => self.fold_end(results),
            Cause::Arranged(Arrangement { change: Change::Archived, .. }) => self.archived = true,
            Cause::Arranged(arrangement) => {
                self.arranged(entry.at, arrangement);
                self.check_levels()?;
            }
            Cause::Closed { t, leaves, .. } => self.fold_close(entry.at, *t, leaves)?,
            Cause::Beacon { t, beacon, value } => {
                self.shone(*t, beacon, value.as_ref())
                    .ok_or(out_of_order(index, "a beacon that no dice waited for"))?;
            }
            Cause::Adjudicated { t, events, rolls, .. } => {
                self.fold_adjudication(entry.at, *t, events, rolls)?;
            }
            Cause::Amended(amendment) => {
                self.amendments += 1;
                self.life.reroll = None;
                if !self.taken_back.is_superseded(index) {
                    self.game.amend(&amendment.events)?;
                    self.read_anew();
                }
            }
            Cause::Rerun { t, amendment, events, rolls, .. } => {
                self.fold_rerun(*t, amendment, events, rolls)?;
            }
            Cause::Rerolled(reroll) => {
                self.was_foreseen("a reroll by itself")?;
                let counts = !self.taken_back.is_superseded(index);
                self.rerolled(entry.at, counts, reroll)?
                    .ok_or(out_of_order(index, "a reroll out of turn"))?;
            }
            Cause::RolledBack { t, back, reason } => self.fold_rollback(*t, *back, reason)?,
            Cause::Pressed(letter) => {
                self.window.as_ref().ok_or(out_of_order(index, "a letter outside a window"))?;
                self.letters.wrote(letter);
            }
            Cause::Unsealed { commit, .. } => self.letters.unsealed(commit),
            Cause::Ended { results } => {
                self.results = Some(results.clone());
                self.letters.ended();
            }
            Cause::Intervened { .. } | Cause::Noted { .. } => {}
        }
        self.note(entry);
        Ok(())
    }

    fn fold_opening(
        &mut self,
        at: i64,
        t: u32,
        name: &Word,
        deadline: Option<i64>,
        sealed: &[Sealed],
    ) -> Result<(), CampaignError> {
        if self.window.is_some() || t != self.next_t {
            return Err(out_of_order(self.entries, "a window opens out of turn"));
        }
        self.window = Some(Window {
            t,
            name: name.clone(),
            opened: at,
            deadline,
            sealed: sealed.iter().map(|s| (s.seat.clone(), s.clone())).collect(),
            accepted: BTreeMap::new(),
            stood_in: BTreeSet::new(),
            unread: BTreeSet::new(),
        });
        self.life.opened(deadline);
        self.letters.opened(t, name.as_str());
        Ok(())
    }

    /// A refused mail may come when no window is open; a mail that changes a set of orders may not.
    fn fold_mail(&mut self, mail: &Received) -> Result<(), CampaignError> {
        self.life.received(mail);
        let window = self.window.as_mut().ok_or(out_of_order(self.entries, "orders outside a window"));
        match (&mail.seat, &mail.verdict) {
            (Some(seat), Verdict::Accepted { block, leaf }) => window?.take(seat, block, leaf),
            (Some(seat), Verdict::Withdrawn { .. }) => window?.take_back(seat),
            (Some(seat), Verdict::Refused { reason, .. }) => {
                window.into_iter().for_each(|window| window.refuse(seat, reason));
            }
            _ => {}
        }
        Ok(())
    }

    fn fold_close(&mut self, at: i64, t: u32, leaves: &BTreeMap<Seat, Digest>) -> Result<(), CampaignError> {
        let (mut must, mut missing) = (self.must(), self.missing());
        if !self.taken_back.is_void(t) {
            let (could, said) = (self.could_order(), self.said_until_contact());
            self.life.ready_until_contact(&could, said);
        }
        let window = self.window.take().filter(|w| w.t == t);
        let window = window.ok_or(out_of_order(self.entries, "a close without a window"))?;
        let person = |seat: &&Seat| !self.charter.house().any(|house| house == *seat);
        missing.extend(window.stood_in.iter().filter(person).cloned());
        // What the computer sealed for a seat was nobody's to order.
        must.retain(|seat| !window.sealed.contains_key(seat));
        // A player who didn't confirm before the game began has missed no turn.
        if !self.taken_back.is_void(t) && t > 1 {
            self.life.closed(&must, &missing, &self.charter);
        }
        let with_stand_in = |seat: Seat| {
            let stood_in = window.stood_in.contains(&seat);
            (seat, stood_in)
        };
        self.closed = Some(ClosedTurn {
            t,
            at,
            deadline: window.deadline,
            beacon: None,
            missing: missing.into_iter().map(with_stand_in).collect(),
            blocks: window.blocks(),
            stood_in: window.stood_in,
            sealed: window.sealed.into_keys().collect(),
            name: window.name,
            leaves: leaves.clone(),
        });
        Ok(())
    }

    fn fold_adjudication(
        &mut self,
        at: i64,
        t: u32,
        events: &[Value],
        rolls: &[Roll],
    ) -> Result<(), CampaignError> {
        let index = self.entries;
        let closed = self.closed.take().filter(|c| c.t == t);
        let closed = closed.ok_or(out_of_order(index, "an adjudication without a close"))?;
        self.next_t = t + 1;
        (self.life.stood_still, self.life.reroll) = (0, None);
        let narration = std::mem::take(&mut self.life.narration);
        if !self.taken_back.is_void(t) {
            self.tellings.ran(t);
            if !self.taken_back.is_superseded(index) {
                self.game.adopt(events)?;
                rolls.iter().for_each(|roll| self.dice.add(roll));
            }
            self.correction = None;
            self.adjudicated(at, closed, rolls.to_vec(), narration);
        }
        // Letters are no part of the position: a letter that was read stays read, whatever becomes of the turn.
        let speed = self.charter.terms.couriers.unwrap_or(u32::MAX);
        let seats = self.game.seats();
        self.letters.adjudicated(t, rolls, speed, |writer| press::enemies(seats, writer));
        Ok(())
    }

    fn fold_rerun(
        &mut self,
        t: u32,
        amendment: &Amendment,
        events: &[Value],
        rolls: &[Roll],
    ) -> Result<(), CampaignError> {
        self.was_foreseen("a rerun by itself")?;
        self.amendments += 1;
        self.life.reroll = None;
        if !self.taken_back.is_superseded(self.entries) {
            // In one call, because what a seat sees of the amendment is part of what it sees of the adjudication.
            self.game.adopt(&[amendment.events.as_slice(), events].concat())?;
            rolls.iter().for_each(|roll| self.dice.add(roll));
            if let Some(last) = &mut self.last {
                last.rolls = rolls.to_vec();
            }
            self.correction = Some(Correction::Rerun { t, reason: amendment.reason.clone() });
            self.tellings.told_anew();
            self.read_anew();
        }
        Ok(())
    }

    fn fold_rollback(&mut self, t: u32, back: u32, reason: &str) -> Result<(), CampaignError> {
        self.was_foreseen("a rollback by itself")?;
        // A reroll makes the open window void, and nothing that ran.
        let ran = self.window.as_ref().is_none_or(|window| window.t != back);
        (self.window, self.closed, self.results, self.abandoned) = (None, None, None, None);
        self.archived = false;
        self.life.rolled_back(ran);
        self.letters.rolled_back();
        self.tellings.told_anew();
        self.next_t = t + 1;
        self.correction = Some(Correction::RolledBack { t, back, reason: reason.to_owned() });
        Ok(())
    }

    /// The game ends without its rules. The number of an open adjudication is used up: its secret becomes public.
    fn fold_end(&mut self, results: &[String]) {
        let closed = self.closed.take().map(|closed| closed.t);
        self.abandoned = self.window.take().map(|window| window.t).or(closed);
        self.next_t += u32::from(self.abandoned.is_some());
        self.results = Some(results.to_vec());
        self.life.reroll = None;
        self.letters.ended();
        self.tellings.told_anew();
    }

    /// An error unless the whole journal was searched for entries that take turns back before the next entry is folded.
    fn was_foreseen(&self, what: &'static str) -> Result<(), CampaignError> {
        let index = self.entries;
        if self.taken_back.foresaw(index) { Ok(()) } else { Err(out_of_order(index, what)) }
    }

    fn arranged(&mut self, at: i64, arrangement: &Arrangement) {
        // A turn has run and its dispatches wait: the GM's words are sent with them.
        if let (Change::Narrated { to, text }, None, None, Some(last)) =
            (&arrangement.change, &self.window, &self.closed, &mut self.last)
        {
            last.narration.push(Narration { to: to.clone(), text: text.clone() });
            return;
        }
        if let Change::Edited { edit } = &arrangement.change {
            self.edits += 1;
            self.last
                .iter_mut()
                .filter(|last| last.t == edit.t)
                .for_each(|last| last.edits.push(edit.clone()));
        }
        let opened = self.window.as_ref().map(|window| window.opened);
        self.life.arranged(at, opened, arrangement, &mut self.charter);
    }

    fn adjudicated(&mut self, at: i64, closed: ClosedTurn, rolls: Vec<Roll>, narration: Vec<Narration>) {
        // The house seats are those sealed at the opening, whoever plays them by now, and those that the computer ordered for since: a verifier sees
        // the same.
        let house = closed.sealed.union(&closed.stood_in).cloned().collect();
        let assurance = Assurance::of(&house, &closed.sealed, &closed.blocks, &closed.beacon_bytes());
        let ClosedTurn { t, name, leaves, missing, beacon, .. } = closed;
        self.ran.insert(t, name.clone());
        self.last = Some(Adjudicated {
            t,
            name,
            assurance,
            leaves,
            beacon,
            rolls,
            at,
            missing,
            narration,
            edits: Vec::new(),
        });
    }

    /// Discards the readings of the open window's orders, because the position has changed.
    fn read_anew(&mut self) {
        for orders in self.window.iter_mut().flat_map(|window| window.accepted.values_mut()) {
            orders.read = OnceCell::new();
        }
    }

    /// The letters that a seat gets with the report on the adjudication that ran last.
    pub fn letters_to(&self, seat: &Seat) -> Vec<Section> {
        press::sections(self.game.seats(), seat, self.letters.delivered())
    }

    /// A seat's orders for the open window, read against its view. The founding asks for no orders, so nothing in them can be wrong.
    pub fn read_back<'a>(&self, seat: &Seat, orders: &'a Accepted) -> &'a ReadBack {
        orders.read.get_or_init(|| self.read_ahead(seat, &orders.block))
    }

    /// The number of the next adjudication to open.
    pub fn next_t(&self) -> u32 {
        self.next_t
    }

    /// The adjudications that ran and were not rolled back, with their names.
    pub fn ran(&self) -> &BTreeMap<u32, Word> {
        &self.ran
    }

    /// The GM's corrections of earlier turns since the last one ran.
    pub fn correction(&self) -> Option<&Correction> {
        self.correction.as_ref()
    }

    /// The rules and the players of the game.
    pub fn charter(&self) -> &Charter {
        &self.charter
    }

    /// The contents of the journal about the game outside its rules.
    pub fn life(&self) -> &Life {
        &self.life
    }

    /// The letters between its players.
    pub fn letters(&self) -> &Letters {
        &self.letters
    }

    /// The adjudication that ran last, while its dispatches wait for the GM.
    pub fn draft(&self) -> Option<&Adjudicated> {
        let waits = self.window.is_none() && self.closed.is_none() && self.results.is_none();
        self.last.as_ref().filter(|_| waits)
    }

    /// The result of the game, if it ended otherwise than by its rules.
    pub fn decided_results(&self) -> Option<&[String]> {
        let by_rules = matches!(self.game.awaiting(), Awaiting::Over { .. });
        self.results().filter(|_| !by_rules)
    }

    /// Whether the game ended while an adjudication was open or waited for its dice.
    pub const fn was_cut_short(&self) -> bool {
        self.abandoned.is_some()
    }

    /// s_0, as published before the first mail.
    pub fn anchor(&self) -> Digest {
        self.anchor
    }

    /// The options of the rules as they were chosen, each a sentence.
    pub fn options(&self) -> &[String] {
        &self.options
    }

    /// The game in play.
    pub fn game(&self) -> &dyn Game {
        &*self.game
    }

    /// The statistics of all its dice, and of each side's luck. Nobody may see them before the game is over, because dice reveal hidden things.
    pub fn statistics(&self) -> Statistics {
        Statistics::of(&self.dice, self.game.luck())
    }

    /// What a seat is told of its luck while the game runs, unless the rules withhold it.
    pub fn own_luck(&self, seat: &Seat) -> Section {
        let luck = self.game.luck();
        match self.game.withholds_luck() {
            Some(why) => statistics::withheld_luck(why),
            None => statistics::own_luck(&luck.of(seat).fortunes(), luck.rolls_of(seat)),
        }
    }

    /// The open window, if orders are being taken.
    pub fn window(&self) -> Option<&Window> {
        self.window.as_ref()
    }

    /// The adjudication that ran last.
    pub fn last(&self) -> Option<&Adjudicated> {
        self.last.as_ref()
    }

    /// The result of the game, once it has ended.
    pub fn results(&self) -> Option<&[String]> {
        self.results.as_deref()
    }

    /// The end of the log, which proves the commitments of the adjudication that ran last.
    pub(super) fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Which adjudications of the game are public.
    pub(super) const fn public(&self) -> Public {
        self.public
    }

    /// The log's last entry, with its number: for mails that go to all at once.
    pub fn witness(&self) -> Option<Witness> {
        Witness::of(&self.chain)
    }

    /// The log's last entry without its number, while orders are taken: a number would tell one player how often the others write. Only for a mail
    /// with an entry of its own that its reader can't compute: from an earlier head and that entry he could tell whether others have written since.
    pub fn open_head(&self) -> Option<OpenHead> {
        OpenHead::of(&self.chain, self.window()?.t)
    }

    /// The last entry of the log that all were told of at once.
    pub fn shared(&self) -> Option<&Shared> {
        self.shared.as_ref()
    }

    /// Whether the game is over and was archived since.
    pub const fn is_archived(&self) -> bool {
        self.archived
    }

    /// How many entries the journal has.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// How many entries the journal has besides the orders and letters that came.
    pub fn settled(&self) -> u64 {
        self.settled
    }

    /// The title of a seat's player; the seat's own name if the ruleset has no title.
    pub fn title_of(&self, seat: &Seat) -> String {
        let spec = self.game.seats().iter().find(|s| s.seat == *seat);
        spec.map_or_else(|| seat.to_string(), |s| s.title.clone())
    }

    /// The titles of the players of its side that a seat can write letters to.
    pub fn can_write_to(&self, seat: &Seat) -> Vec<String> {
        let reads = |ally: &&SeatSpec| {
            self.charter.press != PressPolicy::None
                && matches!(self.charter.players.get(&ally.seat), Some(Player::Mail { .. }))
        };
        press::allies(self.game.seats(), seat).filter(reads).map(|ally| ally.title.clone()).collect()
    }
}

/// Whether a cause changes the position, or decides which position counts.
const fn sets_course(cause: &Cause) -> bool {
    matches!(
        cause,
        Cause::Adjudicated { .. }
            | Cause::Amended(_)
            | Cause::Rerun { .. }
            | Cause::Rerolled(_)
            | Cause::RolledBack { .. }
    )
}

/// The error for an entry that can't follow the ones before it.
const fn out_of_order(index: u64, what: &'static str) -> CampaignError {
    CampaignError::OutOfOrder { index, what }
}

//! Mails in `spool/done` that a rebuilt store doesn't know of: mirror journals that were put back from a backup are older than the
//! spool. Where it is on record for which turn of which game such a mail was decided (`decided.rs`), it is dealt with again by itself
//! once the game stands at that very turn, in the order of the first time; where the game has passed that turn it is refused like any mail
//! that is late. All others somebody has to read: orders for a later turn would count for the one that is open again. Until that is done no
//! turn of the games that they may be for is run at its deadline.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::HostError;
use super::decided::{self, Decision};
use super::host::Host;
use super::intake::COMMITTED_TOGETHER;
use musterd_desk::mail::{self, Route};
use musterd_dice::GameId;
use musterd_letter::Limits;
use musterd_post::{Pending, Raw};
use musterd_store::{Step, StoreError};

/// The mails that are held, in the order in which they were decided first; those of unknown destiny last.
#[derive(Default)]
pub(super) struct HeldMails(Vec<Held>);

/// A mail that is held.
struct Held {
    mail: Pending,
    /// The games that it may be for and that don't know of it.
    claims: BTreeMap<GameId, Claim>,
    /// Whether it was decided for several games: then each has a mark of its own.
    is_for_several: bool,
    /// Whether the log names it.
    is_told: bool,
}

/// What a mail is to a game.
struct Claim {
    /// Where the game stood when the mail was decided; none where that isn't known.
    decided: Option<Decision>,
    prospect: Prospect,
}

/// What becomes of a mail that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Prospect {
    /// It is dealt with now.
    Due,
    /// The game has not come so far, or can't be looked at until its journal is mended.
    Waits,
    /// Somebody has to read it.
    Unclear,
}

impl HeldMails {
    /// Whether this mail is held.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|held| held.mail.name == name)
    }

    /// The names of all, in their order.
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|held| held.mail.name.clone()).collect()
    }

    /// Whether somebody has to read a mail before a turn of this game is run at its deadline.
    pub(super) fn stop(&self, game: &GameId) -> bool {
        let stops = |held: &Held| held.claims.get(game).is_some_and(Claim::is_unclear);
        self.0.iter().any(stops)
    }

    /// Where the game stood when the mail was decided for it, if it is held for this game.
    pub(super) fn decision(&self, name: &str, game: &GameId) -> Option<&Decision> {
        let held = self.0.iter().find(|held| held.mail.name == name)?;
        held.claims.get(game)?.decided.as_ref()
    }

    /// What is to be dealt with now.
    fn due(&self) -> impl Iterator<Item = (&Pending, &GameId)> {
        self.0.iter().flat_map(|held| {
            let due = held.claims.iter().filter(|(_, claim)| claim.prospect == Prospect::Due);
            due.map(|(game, _)| (&held.mail, game))
        })
    }
}

impl Claim {
    fn is_unclear(&self) -> bool {
        self.prospect == Prospect::Unclear
    }
}

impl Held {
    fn is_unclear(&self) -> bool {
        self.claims.is_empty() || self.claims.values().any(Claim::is_unclear)
    }
}

/// The mark that a mail for several games has had its effect in one of them.
pub(super) fn mark(game: &GameId, mail: &str) -> String {
    format!("{game}/mail/{mail}")
}

/// Marks in the last step of each game of a mail for several that it has had its effect there: that it is handled stands in the journal
/// of one of them alone, and each can be put back from a backup alone.
pub(super) fn mark_in_each(steps: &mut [Step], mail: &str) {
    let mut marked = BTreeSet::new();
    for step in steps.iter_mut().rev() {
        if let Some(game) = step.game.clone().filter(|game| !marked.contains(game)) {
            step.seen.push(mark(&game, mail));
            marked.insert(game);
        }
    }
}

impl Host {
    /// Looks which mails in `spool/done` the store, which was rebuilt, doesn't know of.
    pub(super) fn look_for_unknown_mails(&mut self) -> Result<(), HostError> {
        let dealt_with: BTreeMap<String, Pending> =
            self.ledger.mails_dealt_with()?.into_iter().map(|mail| (mail.name.clone(), mail)).collect();
        let mut decisions = decided::read(&self.dir, |name| dealt_with.contains_key(name))?;
        let mut found = Vec::new();
        for (name, mail) in dealt_with {
            let decided = decisions.remove(&name).unwrap_or_default();
            let is_for_several = decided.len() > 1;
            let first = decided.values().map(|(place, _)| *place).min().unwrap_or(u64::MAX);
            let claims: BTreeMap<GameId, Option<Decision>> = match decided.is_empty() {
                true if self.ledger.handled(&name)? => continue,
                true => self.may_concern(&mail).into_iter().map(|game| (game, None)).collect(),
                false => decided.into_iter().map(|(game, (_, decision))| (game, Some(decision))).collect(),
            };
            let claim = |(game, decided)| (game, Claim { decided, prospect: Prospect::Waits });
            let claims = claims.into_iter().map(claim).collect();
            found.push((first, Held { mail, claims, is_for_several, is_told: false }));
        }
        found.sort_by(|(one, a), (other, b)| (one, &a.mail).cmp(&(other, &b.mail)));
        self.held = HeldMails(found.into_iter().map(|(_, held)| held).collect());
        self.look_at_held()?;
        self.settle_rebuilding()
    }

    /// The games that a mail of unknown destiny may be for: those that it names; all where it can't be read.
    fn may_concern(&self, mail: &Pending) -> Vec<GameId> {
        let limits = Limits { bytes: self.config.max_mail_bytes };
        let letter = match self.ledger.mail(mail).map(|mail| mail.raw) {
            Ok(Raw::Whole(bytes)) => mail::open(&bytes, &limits),
            Ok(Raw::Oversize { head, size }) => mail::open_beginning(&head, size, &limits),
            Err(_) => return self.docket.keys().cloned().collect(),
        };
        mail::routes(&letter, &self.mailroom.address).into_iter().filter_map(|route| route.game).collect()
    }

    /// Looks anew at what becomes of the mails that are held. One that somebody has moved, or that the games know of by now, is held no
    /// longer.
    fn look_at_held(&mut self) -> Result<(), HostError> {
        let done = self.dir.join("spool/done");
        let mut still = Vec::new();
        for mut held in std::mem::take(&mut self.held).0 {
            if !done.join(&held.mail.name).exists() {
                self.set_aside.remove(&held.mail.name);
                continue;
            }
            let known = self.games_that_know(&held)?;
            let was_claimed = !held.claims.is_empty();
            held.claims.retain(|game, _| !known.contains(game));
            if was_claimed && held.claims.is_empty() {
                continue;
            }
            for (game, claim) in &mut held.claims {
                claim.prospect = match self.set_aside.contains(&held.mail.name) {
                    true => Prospect::Unclear,
                    false => self.prospect(game, claim.decided.as_ref()),
                };
            }
            still.push(held);
        }
        self.held = HeldMails(still);
        Ok(())
    }

    /// Those of the games that a mail may be for which know of it.
    fn games_that_know(&self, held: &Held) -> Result<Vec<GameId>, StoreError> {
        let name = &held.mail.name;
        let mut known = Vec::new();
        for game in held.claims.keys() {
            let knows = match held.is_for_several {
                true => self.ledger.seen(&mark(game, name))?,
                false => self.ledger.handled(name)?,
            };
            known.extend(knows.then(|| game.clone()));
        }
        Ok(known)
    }

    fn prospect(&mut self, game: &GameId, decided: Option<&Decision>) -> Prospect {
        if self.ledger.set_aside(game).is_some() || self.aside.contains_key(game) {
            return Prospect::Waits;
        }
        let (Some(decided), true) = (decided, self.knows(game)) else { return Prospect::Unclear };
        // A game that can't be folded is set aside once something is due in it.
        let Ok(now) = self.campaign(game).map(|campaign| campaign.juncture()) else { return Prospect::Waits };
        match decided.at.order(&now) {
            Ordering::Less => Prospect::Due,
            Ordering::Equal if decided.at.course == now.course => Prospect::Due,
            // The turn of that number, and another one: what was written on its dispatch may mean something else.
            Ordering::Equal => Prospect::Unclear,
            Ordering::Greater => Prospect::Waits,
        }
    }

    /// The routes of a held mail that are for games where it is its time; of any other mail all of them.
    pub(super) fn routes_due(
        &mut self,
        mail: &str,
        mut routes: Vec<(GameId, Route)>,
    ) -> Vec<(GameId, Route)> {
        if self.held.has(mail) {
            routes.retain(|(game, _)| {
                let decided = self.held.decision(mail, game).cloned();
                decided.is_some_and(|decided| self.prospect(game, Some(&decided)) == Prospect::Due)
            });
        }
        routes
    }

    /// When a mail counts as arrived: as it did when it was decided before, if it is held.
    pub(super) fn arrival_of(&self, mail: &Pending, game: &GameId) -> i64 {
        let decided = self.held.decision(&mail.name, game);
        decided.map_or_else(|| self.clock.arrival(mail.arrived), |decided| decided.arrived)
    }

    /// Deals with the held mails whose turn it is, as long as there are any; how many. One may let a turn run, and so the next be open
    /// for others.
    pub(super) fn take_up_held(&mut self) -> Result<usize, HostError> {
        let mut taken = 0;
        let mut tried: BTreeSet<(String, GameId)> = BTreeSet::new();
        while !self.held.0.is_empty() {
            self.look_at_held()?;
            let mut mails: Vec<Pending> = Vec::new();
            for (mail, game) in self.held.due() {
                if mails.len() == COMMITTED_TOGETHER && mails.last() != Some(mail) {
                    break;
                }
                if !tried.insert((mail.name.clone(), game.clone())) {
                    // It was decided, and the game still doesn't know of it: whatever that is, once is enough.
                    self.set_aside.insert(mail.name.clone());
                } else if mails.last() != Some(mail) {
                    mails.push(mail.clone());
                }
            }
            if mails.is_empty() {
                break;
            }
            tracing::info!(
                mails = mails.len(),
                "mails that the rebuilt store doesn't know of are dealt with anew"
            );
            taken += match self.decide_all(&mails).and_then(|decided| self.write(&decided)) {
                Ok(()) => mails.len(),
                Err(error) => self.take_without(error, &mails)?,
            };
        }
        if taken > 0 || !self.held.0.is_empty() {
            self.look_at_held()?;
            self.tell_held();
            self.settle_rebuilding()?;
        }
        Ok(taken)
    }

    /// Once nothing is held the store counts as rebuilt no longer.
    fn settle_rebuilding(&self) -> Result<(), HostError> {
        if self.held.0.is_empty() {
            self.ledger.settle_rebuilding()?;
        }
        Ok(())
    }

    /// Names in the log what somebody has to read, each once.
    fn tell_held(&mut self) {
        for held in self.held.0.iter_mut().filter(|held| held.is_unclear() && !held.is_told) {
            held.is_told = true;
            tracing::warn!(
                mail = held.mail.name,
                "the rebuilt store doesn't know of this mail, which was dealt with once, and for which turn is not known or that turn is \
                 another one now: it is held in spool/done and changes nothing"
            );
        }
    }

    /// The names of the mails that somebody has to read and move: to `spool/new`, where they are dealt with, or away.
    pub(super) fn held_mails(&self) -> Vec<String> {
        let done = self.dir.join("spool/done");
        let unclear = self.held.0.iter().filter(|held| held.is_unclear());
        unclear.map(|held| held.mail.name.clone()).filter(|name| done.join(name).exists()).collect()
    }

    /// The games that wait for somebody to do so.
    pub(super) fn games_held(&self) -> Vec<GameId> {
        self.docket.keys().filter(|game| self.held.stop(game)).cloned().collect()
    }
}

//! What becomes of mails that are held (`held.rs`).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::HostError;
use crate::books::decided::{Decision, OfMail};
use crate::games::Games;
use crate::inbox::held::{Claim, Held, HeldMails, Prospect, mark};
use musterd_desk::mail::Route;
use musterd_dice::GameId;
use musterd_post::Pending;
use musterd_store::StoreError;

impl Games {
    /// Holds what was dealt with, and the store, which was rebuilt, doesn't know of; `decisions` are on record about some of it. `may_concern` gives the
    /// games that a mail of unknown destiny may be for.
    pub(crate) fn hold_unknown(
        &mut self,
        dealt_with: Vec<Pending>,
        mut decisions: BTreeMap<String, OfMail>,
        may_concern: impl Fn(&Pending) -> Option<Vec<GameId>>,
    ) -> Result<(), HostError> {
        let mut found = Vec::new();
        for mail in dealt_with {
            let decided = decisions.remove(&mail.name).unwrap_or_default();
            let is_for_several = decided.len() > 1;
            let first = decided.values().map(|(place, _)| *place).min().unwrap_or(u64::MAX);
            let claims: BTreeMap<GameId, Option<Decision>> = match decided.is_empty() {
                true if self.books.handled(&mail.name)? => continue,
                true => {
                    let games = may_concern(&mail).unwrap_or_else(|| self.docket().keys().cloned().collect());
                    games.into_iter().map(|game| (game, None)).collect()
                }
                false => decided.into_iter().map(|(game, (_, decision))| (game, Some(decision))).collect(),
            };
            let claim = |(game, decided)| (game, Claim { decided, prospect: Prospect::Waits });
            let claims = claims.into_iter().map(claim).collect();
            found.push((first, Held { mail, claims, is_for_several, is_told: false }));
        }
        found.sort_by(|(one, a), (other, b)| (one, &a.mail).cmp(&(other, &b.mail)));
        self.hold_mails(HeldMails(found.into_iter().map(|(_, held)| held).collect()));
        Ok(())
    }

    /// Looks anew at what becomes of the mails that are held. One that somebody has moved, or that the games know of by now, is held no
    /// longer; the names of those that were moved. `is_set_aside` says of which nothing came when they were dealt with.
    pub(crate) fn look_at_held(
        &mut self,
        is_set_aside: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, HostError> {
        let done = self.dir.join("spool/done");
        let (mut still, mut gone) = (Vec::new(), Vec::new());
        for mut held in self.hold_mails(HeldMails::default()).0 {
            if !done.join(&held.mail.name).exists() {
                gone.push(held.mail.name);
                continue;
            }
            let known = self.games_that_know(&held)?;
            let was_claimed = !held.claims.is_empty();
            held.claims.retain(|game, _| !known.contains(game));
            if was_claimed && held.claims.is_empty() {
                continue;
            }
            for (game, claim) in &mut held.claims {
                claim.prospect = match is_set_aside(&held.mail.name) {
                    true => Prospect::Unclear,
                    false => self.prospect(game, claim.decided.as_ref()),
                };
            }
            still.push(held);
        }
        self.hold_mails(HeldMails(still));
        Ok(gone)
    }

    /// Those of the games that a mail may be for which know of it.
    fn games_that_know(&self, held: &Held) -> Result<Vec<GameId>, StoreError> {
        let name = &held.mail.name;
        let mut known = Vec::new();
        for game in held.claims.keys() {
            let knows = match held.is_for_several {
                true => self.books.seen(&mark(game, name))?,
                false => self.books.handled(name)?,
            };
            known.extend(knows.then(|| game.clone()));
        }
        Ok(known)
    }

    fn prospect(&mut self, game: &GameId, decided: Option<&Decision>) -> Prospect {
        if self.books.set_aside(game).is_some() || self.aside().contains_key(game) {
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
    pub(crate) fn routes_due(
        &mut self,
        mail: &str,
        mut routes: Vec<(GameId, Route)>,
    ) -> Vec<(GameId, Route)> {
        if self.held().has(mail) {
            routes.retain(|(game, _)| {
                let decided = self.held().decision(mail, game).cloned();
                decided.is_some_and(|decided| self.prospect(game, Some(&decided)) == Prospect::Due)
            });
        }
        routes
    }

    /// When a mail counts as arrived: as it did when it was decided before, if it is held.
    pub(crate) fn arrival_of(&self, mail: &Pending, game: &GameId) -> i64 {
        let decided = self.held().decision(&mail.name, game);
        decided.map_or_else(|| self.clock.arrival(mail.arrived), |decided| decided.arrived)
    }

    /// The held mails whose turn it is, as many as are dealt with together, but for those in `tried`, where they go too; and those that were decided, and
    /// their game still doesn't know of them: whatever that is, once is enough.
    pub(crate) fn held_mails_due(
        &self,
        most: usize,
        tried: &mut BTreeSet<(String, GameId)>,
    ) -> (Vec<Pending>, Vec<String>) {
        let (mut mails, mut in_vain): (Vec<Pending>, Vec<String>) = (Vec::new(), Vec::new());
        for (mail, game) in self.held().due() {
            if mails.len() == most && mails.last() != Some(mail) {
                break;
            }
            if !tried.insert((mail.name.clone(), game.clone())) {
                in_vain.push(mail.name.clone());
            } else if mails.last() != Some(mail) {
                mails.push(mail.clone());
            }
        }
        (mails, in_vain)
    }

    /// Names in the log what somebody has to read, each once.
    pub(crate) fn tell_held(&mut self) {
        let mut all = self.hold_mails(HeldMails::default());
        for held in all.0.iter_mut().filter(|held| held.is_unclear() && !held.is_told) {
            held.is_told = true;
            tracing::warn!(
                mail = held.mail.name,
                "the rebuilt store doesn't know of this mail, which was dealt with once, and for which turn is not known or that turn is \
                 another one now: it is held in spool/done and changes nothing"
            );
        }
        self.hold_mails(all);
    }

    /// The names of the mails that somebody has to read and move: to `spool/new`, where they are dealt with, or away.
    pub(crate) fn held_mails(&self) -> Vec<String> {
        let done = self.dir.join("spool/done");
        let unclear = self.held().0.iter().filter(|held| held.is_unclear());
        unclear.map(|held| held.mail.name.clone()).filter(|name| done.join(name).exists()).collect()
    }

    /// The games that wait for somebody to do so.
    pub(crate) fn games_held(&self) -> Vec<GameId> {
        self.docket().keys().filter(|game| self.held().stop(game)).cloned().collect()
    }
}

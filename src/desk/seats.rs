//! Seats, the addresses of their players, and the arrangements about them.

use std::collections::BTreeSet;

use super::calendar;
use super::campaign::{Awaited, Campaign, CampaignError};
use super::life::{Failures, is_next};
use musterd_dice::{Digest, Seat, SecretChain, Word, leaf};
use musterd_engine::Awaiting;
use musterd_engine::journal::{Cause, GmRole, Player, Preferences, Received, Verdict};
use musterd_engine::terms::Observers;

/// What the open window expects from a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owed {
    /// Orders, which are missing.
    Missing,
    /// Orders, which are here.
    Here,
    /// Nothing, though the seat may send standing orders.
    Nothing,
}

impl Campaign {
    /// What the open window expects from a seat; `None` while no window is open. Other players are told no more than this.
    pub fn owed(&self, seat: &Seat) -> Option<Owed> {
        self.window()?;
        Some(match (self.must().contains(seat), self.missing().contains(seat)) {
            (_, true) => Owed::Missing,
            (true, false) => Owed::Here,
            (false, false) => Owed::Nothing,
        })
    }

    /// The same in a few words.
    pub fn owed_in_words(&self, owed: Owed) -> &'static str {
        match (owed, self.game().awaiting()) {
            (Owed::Missing, Awaiting::Founding) => "not confirmed",
            (Owed::Here, Awaiting::Founding) => "confirmed",
            (Owed::Missing, _) => "orders missing",
            (Owed::Here, _) => "orders here",
            (Owed::Nothing, _) => "owes nothing",
        }
    }

    /// The seats that nobody plays.
    pub fn free_seats(&self) -> Vec<Seat> {
        let players = self.charter().players.iter();
        players.filter(|(_, player)| **player == Player::Open).map(|(seat, _)| seat.clone()).collect()
    }

    /// The seats for which an address is registered.
    pub fn seats_of(&self, address: &str) -> Vec<Seat> {
        let is_theirs =
            |player: &Player| player.addresses().iter().any(|own| own.eq_ignore_ascii_case(address));
        let players = self.charter().players.iter();
        players.filter(|(_, player)| is_theirs(player)).map(|(seat, _)| seat.clone()).collect()
    }

    /// Whether an address is one of the GM's.
    pub fn is_gms(&self, address: &str) -> bool {
        self.charter().gm.iter().any(|own| own.eq_ignore_ascii_case(address))
    }

    /// The registered addresses of a seat's player, in order; empty if no person plays it.
    pub fn addresses_of(&self, seat: &Seat) -> &[String] {
        self.charter().players.get(seat).map_or(&[], Player::addresses)
    }

    /// Whether mail to this address of a seat fails, as far as is known.
    pub fn is_failing(&self, seat: &Seat, address: &str) -> bool {
        let failures = self.life().undelivered.get(seat).and_then(|failures| failures.get(address));
        failures.is_some_and(Failures::mark_it)
    }

    /// The address to which mail for a seat's player goes: the first that mail doesn't fail to. If mail fails to all, the first of all: a mailbox may
    /// work again, and no player must stay without the mails of the game for good.
    pub fn address_of(&self, seat: &Seat) -> Option<&str> {
        let addresses = self.addresses_of(seat);
        let good = addresses.iter().find(|address| !self.is_failing(seat, address));
        good.or(addresses.first()).map(String::as_str)
    }

    /// The registered addresses of a seat's player, with a word at those that mail fails to: for the player and the GM.
    pub fn addresses_in_words(&self, seat: &Seat) -> String {
        let marked = |address: &String| match self.is_failing(seat, address) {
            true => format!("{address} (mail to it comes back)"),
            false => address.clone(),
        };
        self.addresses_of(seat).iter().map(marked).collect::<Vec<_>>().join(", ")
    }

    /// Whether a person plays the seat and no mail reaches the person, as far as is known. At a deadline such a seat is treated like any other: if
    /// its orders are missing, the terms of the game decide.
    pub fn is_out_of_reach(&self, seat: &Seat) -> bool {
        let addresses = self.addresses_of(seat);
        !addresses.is_empty() && addresses.iter().all(|address| self.is_failing(seat, address))
    }

    /// The number of a seat's secret; the first secret has number 0.
    pub fn issue(&self, seat: &Seat) -> u32 {
        self.life().issues.get(seat).copied().unwrap_or(0)
    }

    /// What the mails to a seat bring.
    pub fn preferences(&self, seat: &Seat) -> Preferences {
        self.life().preferences.get(seat).copied().unwrap_or_default()
    }

    /// The part of an address of the GM's in leading the game; an owner's where nothing else was said.
    pub fn gm_role(&self, address: &str) -> GmRole {
        self.life().gm_roles.get(&address.to_lowercase()).copied().unwrap_or_default()
    }

    /// The GM's addresses that own the game.
    pub fn owners(&self) -> impl Iterator<Item = &String> {
        self.charter().gm.iter().filter(|address| self.gm_role(address) == GmRole::Owner)
    }

    /// The zone in which times are shown: a seat's own, else the game's, else the host's.
    pub fn zone<'a>(&'a self, seat: Option<&Seat>, host: &'a str) -> &'a str {
        let own = seat.and_then(|seat| self.life().zones.get(seat));
        own.map_or_else(|| calendar::zone_of(&self.charter().deadlines, host), String::as_str)
    }

    /// The open wait in words: `Summer 1805, French to move`.
    pub fn wait_title(&self) -> String {
        match self.game().awaiting() {
            _ if self.results().is_some() => "The game is over".to_owned(),
            Awaiting::Founding => "Gathering of the players".to_owned(),
            Awaiting::Orders { title, .. } => title.clone(),
            Awaiting::Over { .. } => "The game is over".to_owned(),
        }
    }

    /// What the game waits for, in words that everybody may read: they reveal nothing of a turn whose dispatches wait for the GM.
    pub fn waits_for(&self) -> String {
        if let Some(Awaited { t, policy, round, due, .. }) = self.awaited() {
            let due = calendar::zoned(due, self.zone(None, "UTC")).strftime("%a %-d %b %Y %H:%M:%S %Z");
            return format!(
                "round {round} of the beacon {} ({due}), for the dice of turn {t}, which is closed",
                policy.name
            );
        }
        match self.draft() {
            Some(_) => "the GM, who looks at the turn that has run".to_owned(),
            None => self.wait_title(),
        }
    }

    /// The state of the game when a mail comes that finds no window open, in the words of the log's notes.
    fn between_windows(&self) -> &'static str {
        match (self.awaited(), self.draft()) {
            (Some(_), _) => "after the close",
            (None, Some(_)) => "between turns",
            (None, None) => "after the end",
        }
    }

    /// The entry for a mail that changes nothing, for this reason. `text` is the digest of what was not taken.
    pub fn refusing(
        &self,
        (mail, arrived): (&str, i64),
        seat: Option<&Seat>,
        reason: &Word,
        text: Digest,
    ) -> Cause {
        match self.window() {
            Some(window) => Cause::Received(Received {
                t: window.t,
                seat: seat.cloned(),
                mail: mail.to_owned(),
                arrived,
                verdict: Verdict::Refused { reason: reason.clone(), text },
            }),
            // Where nothing is open the log has no adjudication that a `recv` could name.
            None => {
                let (when, seat) = (self.between_windows(), seat.map_or("-", Seat::as_str));
                Cause::Noted { text: format!("mail {when}: {seat} {text} refused {reason}") }
            }
        }
    }

    /// Whether the game has come to its end.
    pub fn is_over(&self) -> bool {
        self.results().is_some() || matches!(self.game().awaiting(), Awaiting::Over { .. })
    }

    /// The next adjudication to be sent to observers, if there is one; the terms say how far they are behind. A new observer begins with the newest
    /// that may be seen, the others get one after the other. Once the game is over, nothing is kept back.
    pub fn unobserved(&self) -> Option<u32> {
        let lag = if self.results().is_some() { 0 } else { self.charter().terms.observers_lag };
        // A turn whose dispatches still wait for the GM has not been seen by anybody. Turns that were rolled back don't increase the distance.
        let unseen = usize::from(self.draft().is_some());
        let visible = *self.ran().keys().rev().nth(usize::try_from(lag).ok()?.checked_add(unseen)?)?;
        let behind = *self.watching().map(|(_, shown)| shown).filter(|shown| **shown < visible).min()?;
        // A turn that was rolled back before it was shown is never shown.
        if behind == 0 { Some(visible) } else { self.ran().range(behind + 1..).next().map(|(t, _)| *t) }
    }

    /// The observers who are to be sent this adjudication next.
    pub fn unshown(&self, t: u32) -> BTreeSet<String> {
        let next = self.watching().filter(|(_, shown)| is_next(self.ran(), **shown, t));
        next.map(|(address, _)| address.clone()).collect()
    }

    /// The observers, with the adjudication that each was sent last; empty if the terms allow none.
    fn watching(&self) -> impl Iterator<Item = (&String, &u32)> {
        let may = self.charter().terms.observers != Observers::None;
        self.life().observers.iter().filter(move |_| may)
    }

    /// The withdrawal of a seat's orders for the open window: from then on it counts as having sent none.
    ///
    /// # Errors
    /// No window is open, or the secret chain is used up.
    pub fn withdrawal(
        &self,
        secrets: &SecretChain,
        seat: &Seat,
        mail: &str,
        arrived: i64,
    ) -> Result<Cause, CampaignError> {
        let t = self.window().ok_or(CampaignError::NotOpen)?.t;
        let secret = secrets.secret(t).ok_or(CampaignError::NoSecret(t))?;
        let leaf = leaf(&secret, &self.charter().game, t, seat, None);
        Ok(Cause::Received(Received {
            t,
            seat: Some(seat.clone()),
            mail: mail.to_owned(),
            arrived,
            verdict: Verdict::Withdrawn { leaf },
        }))
    }
}

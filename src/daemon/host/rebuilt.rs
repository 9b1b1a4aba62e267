//! Mails that a rebuilt store doesn't know of are looked for, and dealt with again when it is their turn (`held.rs`).

use std::collections::BTreeSet;

use super::Host;
use super::intake::COMMITTED_TOGETHER;
use crate::HostError;
use crate::books::decided;
use musterd_desk::mail;
use musterd_dice::GameId;
use musterd_letter::Limits;
use musterd_post::{Pending, Raw};

impl Host {
    /// Looks which mails in `spool/done` the store, which was rebuilt, doesn't know of.
    pub(super) fn look_for_unknown_mails(&mut self) -> Result<(), HostError> {
        let dealt_with = self.ledger.mails_dealt_with()?;
        let names: BTreeSet<&str> = dealt_with.iter().map(|mail| mail.name.as_str()).collect();
        let decisions = decided::read(&self.dir, |name| names.contains(name))?;
        // Of one that can't be read nothing is known.
        let (limits, address) = (Limits { bytes: self.config.max_mail_bytes }, self.config.host_address()?);
        let ledger = &self.ledger;
        let may_concern = |mail: &Pending| {
            let letter = match ledger.mail(mail).map(|mail| mail.raw) {
                Ok(Raw::Whole(bytes)) => mail::open(&bytes, &limits),
                Ok(Raw::Oversize { head, size }) => mail::open_beginning(&head, size, &limits),
                Err(_) => return None,
            };
            Some(mail::routes(&letter, &address).into_iter().filter_map(|route| route.game).collect())
        };
        self.games.hold_unknown(dealt_with, decisions, may_concern)?;
        self.look_at_held()?;
        self.settle_rebuilding()
    }

    fn look_at_held(&mut self) -> Result<(), HostError> {
        let inbox = &self.inbox;
        let gone = self.games.look_at_held(|mail| inbox.is_set_aside(mail))?;
        gone.iter().for_each(|mail| self.inbox.has_gone(mail));
        Ok(())
    }

    /// Deals with the held mails whose turn it is, as long as there are any; how many. One may let a turn run, and so the next be open
    /// for others.
    pub(super) fn take_up_held(&mut self) -> Result<usize, HostError> {
        let mut taken = 0;
        let mut tried: BTreeSet<(String, GameId)> = BTreeSet::new();
        while !self.games.held().is_empty() {
            self.look_at_held()?;
            let (mails, in_vain) = self.games.held_mails_due(COMMITTED_TOGETHER, &mut tried);
            in_vain.iter().for_each(|mail| self.inbox.set_aside(mail));
            if mails.is_empty() {
                break;
            }
            tracing::info!(
                mails = mails.len(),
                "mails that the rebuilt store doesn't know of are dealt with anew"
            );
            let decided = self.decide(&mails);
            self.write_or_take_without(decided, &mails, &mut taken)?;
        }
        if taken > 0 || !self.games.held().is_empty() {
            self.look_at_held()?;
            self.games.tell_held();
            self.settle_rebuilding()?;
        }
        Ok(taken)
    }

    /// Once nothing is held the store counts as rebuilt no longer.
    fn settle_rebuilding(&self) -> Result<(), HostError> {
        if self.games.held().is_empty() {
            self.ledger.settle_rebuilding()?;
        }
        Ok(())
    }
}

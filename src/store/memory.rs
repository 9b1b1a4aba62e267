//! A ledger that keeps everything in memory: for tests of the code above it, and as the simplest specification of a ledger.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::account::Account;
use super::error::Unfit;
use super::staging::{fit, name_in};
use super::step::{HOST, LedgerLine, Outbox, Outgoing, Packet, Step, Tried};
use super::{Ledger, Records, StoreError};
use musterd_dice::Digest;
use musterd_engine::GameId;
use musterd_engine::journal::Entry;

/// A [`Ledger`] without a disk. It has no mirror journals, and forgets everything when it is dropped.
#[derive(Debug, Default)]
pub struct Memory {
    kept: Mutex<Kept>,
    set_aside: Mutex<BTreeMap<GameId, Reason>>,
}

#[derive(Debug, Default, Clone)]
struct Kept {
    journals: BTreeMap<GameId, Vec<Entry>>,
    seen: BTreeSet<String>,
    handled: BTreeSet<String>,
    packets: BTreeMap<String, Packet>,
    /// The accounts, by packet id and recipient.
    accounts: BTreeMap<(String, String), Account<()>>,
}

/// Why a game is set aside.
#[derive(Debug)]
struct Reason {
    why: String,
    is_told: bool,
}

impl Kept {
    fn step(&mut self, step: &Step) -> Result<(), StoreError> {
        let name = step.game.as_ref().map_or(HOST, GameId::as_str);
        match &step.game {
            Some(game) => {
                let journal = self.journals.entry(game.clone()).or_default();
                let held = journal.len() as u64;
                if held != step.position {
                    return Err(StoreError::Stale { game: name.to_owned(), held, expected: step.position });
                }
                journal.extend(step.entries.iter().cloned());
            }
            None if !step.entries.is_empty() => {
                return Err(Unfit::Homeless.into());
            }
            None => {}
        }
        for packet in &step.packets {
            fit(packet, name)?;
            if self.packets.insert(packet.id.clone(), packet.clone()).is_some() {
                return Err(Unfit::Taken(packet.id.clone()).into());
            }
            for recipient in &packet.to {
                let account = Account::new((), packet.not_before);
                self.accounts.insert((packet.id.clone(), recipient.clone()), account);
            }
        }
        if let Some(other) = step.tried.iter().find(|tried| name_in(&tried.packet) != name) {
            return Err(Unfit::Foreign { packet: other.packet.clone(), name: name.to_owned() }.into());
        }
        self.seen.extend(step.seen.iter().cloned());
        self.handled.extend(step.handled.iter().cloned());
        step.tried.iter().try_for_each(|tried| self.tried(tried))
    }

    fn tried(&mut self, Tried { packet, recipient, attempt }: &Tried) -> Result<(), StoreError> {
        let account = self
            .accounts
            .get_mut(&(packet.clone(), recipient.clone()))
            .ok_or_else(|| Unfit::Unknown { packet: packet.clone(), recipient: recipient.clone() })?;
        *account = account
            .after(attempt)
            .ok_or_else(|| Unfit::Settled { packet: packet.clone(), recipient: recipient.clone() })?;
        Ok(())
    }

    /// The mails that wait to be sent, in the order in which they are due.
    fn queue(&self) -> Vec<(i64, &str, &str, &Account<()>)> {
        let mut queue: Vec<_> = self
            .accounts
            .iter()
            .filter_map(|((id, recipient), account)| {
                Some((account.next()?, id.as_str(), recipient.as_str(), account))
            })
            .collect();
        queue.sort_by_key(|(at, id, recipient, _)| (*at, *id, *recipient));
        queue
    }
}

impl Memory {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reasons(&self) -> MutexGuard<'_, BTreeMap<GameId, Reason>> {
        self.set_aside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_usable(&self, packet_id: &str) -> bool {
        name_in(packet_id).parse().map_or(true, |game: GameId| self.set_aside(&game).is_none())
    }

    fn usable(&self, game: &GameId) -> Result<(), StoreError> {
        self.set_aside(game).map_or(Ok(()), |why| Err(StoreError::SetAside { game: game.to_string(), why }))
    }

    /// Applies a change as a whole, or not at all if it fails.
    fn change(&self, change: impl FnOnce(&mut Kept) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let mut kept = self.kept();
        let mut changed = kept.clone();
        change(&mut changed)?;
        *kept = changed;
        Ok(())
    }
}

impl Records for Memory {
    fn games(&self) -> Result<Vec<GameId>, StoreError> {
        let games: Vec<GameId> = self.kept().journals.keys().cloned().collect();
        Ok(games.into_iter().filter(|game| self.set_aside(game).is_none()).collect())
    }

    fn position(&self, game: &GameId) -> Result<u64, StoreError> {
        Ok(self.kept().journals.get(game).map_or(0, Vec::len) as u64)
    }

    fn entries(&self, game: &GameId) -> Result<Vec<Entry>, StoreError> {
        self.usable(game)?;
        Ok(self.kept().journals.get(game).cloned().unwrap_or_default())
    }

    fn seen(&self, key: &str) -> Result<bool, StoreError> {
        Ok(self.kept().seen.contains(key))
    }

    fn handled(&self, spool_name: &str) -> Result<bool, StoreError> {
        Ok(self.kept().handled.contains(spool_name))
    }

    fn packet(&self, id: &str) -> Result<Option<Packet>, StoreError> {
        Ok(self.kept().packets.get(id).cloned())
    }

    fn due(&self, now: i64, limit: usize) -> Result<Vec<Outgoing>, StoreError> {
        let kept = self.kept();
        let due = kept.queue().into_iter().take_while(|(at, ..)| *at <= now);
        let usable = due.filter(|(_, id, ..)| self.is_usable(id)).take(limit);
        let outgoing = usable.filter_map(|(_, id, recipient, account)| {
            Some(account.clone().into_outgoing(kept.packets.get(id)?.clone(), recipient.to_owned()))
        });
        Ok(outgoing.collect())
    }

    fn next_due(&self) -> Result<Option<i64>, StoreError> {
        let kept = self.kept();
        Ok(kept.queue().into_iter().find(|(_, id, ..)| self.is_usable(id)).map(|(at, ..)| at))
    }

    fn outbox(&self) -> Result<Outbox, StoreError> {
        let kept = self.kept();
        let queue = kept.queue();
        let oldest = queue.iter().map(|(.., account)| account.since()).min();
        Ok(Outbox { waiting: queue.len() as u64, oldest })
    }

    fn waiting(&self) -> Result<Vec<LedgerLine>, StoreError> {
        let kept = self.kept();
        let usable = kept.queue().into_iter().filter(|(_, id, ..)| self.is_usable(id));
        Ok(usable
            .map(|(_, id, to, account)| account.clone().into_line(id.to_owned(), to.to_owned()))
            .collect())
    }

    fn ledger_of(&self, packets: &str) -> Result<Vec<LedgerLine>, StoreError> {
        let kept = self.kept();
        let of = kept.accounts.iter().filter(|((id, _), _)| id.starts_with(packets));
        Ok(of.map(|((id, to), account)| account.clone().into_line(id.clone(), to.clone())).collect())
    }

    fn mirrors(&self) -> Result<Vec<(String, u64, Digest, u64)>, StoreError> {
        Ok(Vec::new())
    }

    fn set_aside(&self, game: &GameId) -> Option<String> {
        self.reasons().get(game).map(|reason| reason.why.clone())
    }
}

impl Ledger for Memory {
    fn commit(&self, steps: &[Step]) -> Result<(), StoreError> {
        self.change(|kept| {
            steps.iter().try_for_each(|step| kept.step(step))?;
            steps.iter().filter_map(|step| step.game.as_ref()).try_for_each(|game| self.usable(game))
        })
    }

    fn record(&self, tried: &[Tried]) -> Result<(), StoreError> {
        self.change(|kept| tried.iter().try_for_each(|tried| kept.tried(tried)))
    }

    fn newly_set_aside(&self) -> Vec<(GameId, String)> {
        let mut reasons = self.reasons();
        let new = reasons.iter_mut().filter_map(|(game, reason)| {
            let was_told = std::mem::replace(&mut reason.is_told, true);
            (!was_told).then(|| (game.clone(), reason.why.clone()))
        });
        new.collect()
    }

    fn set_game_aside(&self, game: &GameId, why: &str) {
        let reason = Reason { why: why.to_owned(), is_told: false };
        self.reasons().entry(game.clone()).or_insert(reason);
    }

    fn settle_rebuilding(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

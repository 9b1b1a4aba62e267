//! How the host is, as `health` and `metrics` are told.

use std::path::Path;

use super::Host;
use crate::HostError;
use crate::config::disk;
use crate::health::vitals::{GameCounts, Vitals};
use crate::outbound::gms::FailingGms;
use musterd_dice::GameId;
use musterd_store::StoreError;

impl Host {
    /// How many games there are in each condition.
    fn condition_of_games(&self, now: i64) -> GameCounts {
        let mut games = GameCounts::default();
        self.games.docket().values().for_each(|docket| games.add(docket.over, docket.due, now));
        games.aside = self.games.aside().iter().map(|(game, why)| (game.to_string(), why.clone())).collect();
        games
    }

    /// Compares every secret with what its game was founded with. Gives the games that can't go on, and why.
    pub fn look_over_secrets(&mut self) -> Vec<(GameId, String)> {
        while self.games.prove_secrets() {}
        self.games.aside().iter().map(|(game, why)| (game.clone(), why.clone())).collect()
    }

    /// How the host is now.
    ///
    /// # Errors
    /// The store or the spool.
    pub(super) fn vitals(&mut self) -> Result<Vitals, HostError> {
        let now = self.clock.now();
        let space = disk::space(&self.dir).map_err(|e| HostError::io(&self.dir, e))?;
        let (waiting, spool_strays) = self.ledger.mails_waiting()?;
        Ok(Vitals {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: self.started,
            now,
            counters: self.tally.read(),
            games: self.condition_of_games(now),
            mailboxes: self.inbox.mailboxes().to_vec(),
            spool_waiting: u64::try_from(waiting.len()).unwrap_or(u64::MAX),
            spool_aside: self
                .inbox
                .all_set_aside()
                .iter()
                .filter(|name| !self.games.held().has(name))
                .cloned()
                .collect(),
            spool_strays,
            spool_held: self.games.held_mails(),
            games_held: self.games.games_held().iter().map(ToString::to_string).collect(),
            outbox: self.ledger.outbox()?,
            relay: self.outbound.health(),
            gms_unreached: self.unreached_gms()?,
            disk_free: space.free,
            disk_total: space.total,
            disk_low: self.config.low_disk_megabytes.saturating_mul(1_000_000),
            store_bytes: bytes_in(&self.dir, &["store", "mirror"]),
            templates_unfit: self
                .games
                .mailroom()
                .templates
                .faults()
                .iter()
                .map(ToString::to_string)
                .collect(),
            clock_doubted: self.watch.is_doubted(),
            ailing: self.games.ailing().to_vec(),
            warnings: self.games.warnings(),
        })
    }
}

impl Host {
    /// The games that are not over and whose GM has an address that fails.
    fn unreached_gms(&mut self) -> Result<Vec<String>, StoreError> {
        let failing = match self.outbound.failing_gms().take() {
            Some(failing) => failing,
            None => {
                let open = self.games.docket().iter().filter(|(_, docket)| !docket.over);
                FailingGms::read(&self.games.books, open.map(|(game, _)| game))?
            }
        };
        let mut found = Vec::new();
        for (game, addresses) in failing.iter() {
            let is_open = self.games.docket().get(game).is_some_and(|docket| !docket.over);
            if addresses.is_empty() || !is_open {
                continue;
            }
            // One that can't be read is named all the same.
            let is_gms = self
                .games
                .campaign(game)
                .map_or(true, |campaign| addresses.iter().any(|failing| campaign.is_gms(failing)));
            found.extend(is_gms.then(|| game.to_string()));
        }
        *self.outbound.failing_gms() = Some(failing);
        Ok(found)
    }
}

fn bytes_in(dir: &Path, parts: &[&str]) -> u64 {
    parts.iter().map(|part| disk::bytes_in(&dir.join(part))).sum()
}

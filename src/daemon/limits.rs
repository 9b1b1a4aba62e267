//! How much is answered, noted and kept in a day, so that no flood and no loop fills a mailbox, the journal or the disk. What proves
//! to be from a player is never limited here: orders count however many there are, and the last set stands.

use std::collections::BTreeMap;

use super::HostError;
use super::clock::DAY;
use super::host::{Batch, Host};
use musterd_store::Step;

/// Under which answers to people without a seat are counted.
pub(super) const STRANGERS: &str = "_host/strangers";

/// The operator's limits: `limits` in the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many mails of people without a seat are answered in a day, all of them together. Each is answered a few times a day at most.
    pub strangers_a_day: u32,
    /// How many mails that claim to be from a seat and prove nothing are noted in a game's journal in a day. The rest is only
    /// counted and kept with other mail.
    pub unproved_a_day: u32,
    /// How much mail is kept that is no game's: bounces, vacation notices, junk. In megabytes; the oldest goes first.
    pub keep_other_mb: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { strangers_a_day: 500, unproved_a_day: 100, keep_other_mb: 200 }
    }
}

/// How often things were done today, as far as this process knows. The store's marks are the truth: this only spares looking them
/// up one after the other.
#[derive(Debug, Default)]
pub(super) struct Counts {
    day: i64,
    counts: BTreeMap<String, u32>,
}

impl Counts {
    fn of(&mut self, day: i64, what: &str) -> &mut u32 {
        if self.day != day {
            self.day = day;
            self.counts.clear();
        }
        self.counts.entry(what.to_owned()).or_default()
    }

    /// After a commit that failed: what was counted for it did not happen.
    pub(super) fn forget(&mut self) {
        self.counts.clear();
    }
}

/// The mailbox that an address leads to, as far as it can be told: whoever has one has every address `name+anything@` it.
pub(super) fn mailbox_of(address: &str) -> String {
    let address = address.to_ascii_lowercase();
    let Some((local, domain)) = address.rsplit_once('@') else { return address };
    let name = local.split('+').next().filter(|name| !name.is_empty()).unwrap_or(local);
    format!("{name}@{domain}")
}

impl Host {
    /// Whether this is among the first `most` of what is counted under this key today; counts it.
    pub(super) fn is_among(
        &mut self,
        most: u32,
        counted: &str,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        Ok(self.how_manieth(most, counted, step, batch)?.is_some())
    }

    /// The how-manieth this is, from 1, of what is counted under this key today, if it is among the first `most`; counts it.
    pub(super) fn how_manieth(
        &mut self,
        most: u32,
        counted: &str,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<Option<u32>, HostError> {
        let day = self.clock.now().div_euclid(DAY);
        let mut n = *self.counts.of(day, counted);
        let mut found = None;
        while n < most && found.is_none() {
            let is_first = self.is_first(format!("{counted}/{day}/{n}"), step, batch)?;
            n += 1;
            found = is_first.then_some(n);
        }
        *self.counts.of(day, counted) = n;
        Ok(found)
    }

    /// Whether it is known that `most` were counted under this key today.
    pub(super) fn is_used_up(&mut self, most: u32, counted: &str) -> bool {
        let day = self.clock.now().div_euclid(DAY);
        *self.counts.of(day, counted) >= most
    }

    /// Whether this process has counted fewer than `most` under this key today; counts it. Nothing of it is stored.
    pub(super) fn is_among_seen(&mut self, most: u32, counted: &str) -> bool {
        let day = self.clock.now().div_euclid(DAY);
        let count = self.counts.of(day, counted);
        *count = count.saturating_add(1);
        *count <= most
    }

    /// Whether one more mail of somebody without a seat may be answered today, whoever it is; counts it.
    pub(super) fn may_answer_strangers(
        &mut self,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        let most = self.config.limits.strangers_a_day;
        let may = self.is_among(most, STRANGERS, step, batch)?;
        if !may {
            tracing::info!(most, "enough strangers were answered today: this one is not");
        }
        Ok(may)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_addresses_are_of_one_mailbox() {
        for (address, mailbox) in [
            ("Anna@Example.org", "anna@example.org"),
            ("anna+1@example.org", "anna@example.org"),
            ("anna+a+b@example.org", "anna@example.org"),
            ("+x@example.org", "+x@example.org"),
            ("nobody", "nobody"),
        ] {
            assert_eq!(mailbox_of(address), mailbox);
        }
    }
}

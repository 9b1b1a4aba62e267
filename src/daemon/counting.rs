//! What is counted for a day, and whether there was enough of it.

use super::HostError;
use super::batch::Batch;
use super::clock::DAY;
use super::games::Games;
use musterd_store::Step;

/// Under which answers to people without a seat are counted.
pub(super) const STRANGERS: &str = "_host/strangers";

impl Games {
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
        let day = self.now().div_euclid(DAY);
        let mut n = *self.counts().of(day, counted);
        let mut found = None;
        while n < most && found.is_none() {
            let is_first = self.is_first(format!("{counted}/{day}/{n}"), step, batch)?;
            n += 1;
            found = is_first.then_some(n);
        }
        *self.counts().of(day, counted) = n;
        Ok(found)
    }

    /// Whether it is known that `most` were counted under this key today.
    pub(super) fn is_used_up(&mut self, most: u32, counted: &str) -> bool {
        let day = self.now().div_euclid(DAY);
        *self.counts().of(day, counted) >= most
    }

    /// Whether this process has counted fewer than `most` under this key today; counts it. Nothing of it is stored.
    pub(super) fn is_among_seen(&mut self, most: u32, counted: &str) -> bool {
        let day = self.now().div_euclid(DAY);
        let count = self.counts().of(day, counted);
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

/// The mailbox that an address leads to, as far as it can be told: whoever has one has every address `name+anything@` it.
pub(super) fn mailbox_of(address: &str) -> String {
    let address = address.to_ascii_lowercase();
    let Some((local, domain)) = address.rsplit_once('@') else { return address };
    let name = local.split('+').next().filter(|name| !name.is_empty()).unwrap_or(local);
    format!("{name}@{domain}")
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

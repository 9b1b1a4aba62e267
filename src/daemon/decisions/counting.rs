//! What is counted for a day, and whether there was enough of it.

use crate::HostError;
use crate::books::batch::Batch;
use crate::clock::DAY;
use crate::games::Games;
use musterd_store::Step;

/// Under which answers to people without a seat are counted.
pub(crate) const STRANGERS: &str = "_host/strangers";

/// What is said of the first mail beyond those whose commands are read in a day.
pub(crate) fn too_many(most: u32) -> String {
    format!(
        "{most} mails with commands were answered today, and no more are before 00:00 UTC: nothing was done."
    )
}

impl Games {
    /// Whether this is among the first `most` of what is counted under this key today; counts it.
    pub(crate) fn is_among(
        &mut self,
        most: u32,
        counted: &str,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<bool, HostError> {
        Ok(self.how_manieth(most, counted, step, batch)?.is_some())
    }

    /// The how-manieth this is, from 1, of what is counted under this key today, if it is among the first `most`; counts it.
    pub(crate) fn how_manieth(
        &mut self,
        most: u32,
        counted: &str,
        step: &mut Step,
        batch: &mut Batch,
    ) -> Result<Option<u32>, HostError> {
        let day = self.now().div_euclid(DAY);
        let mut n = *self.counts().marked(day, counted);
        let mut found = None;
        while n < most && found.is_none() {
            let is_first = self.is_first(format!("{counted}/{day}/{n}"), step, batch)?;
            n += 1;
            found = is_first.then_some(n);
        }
        *self.counts().marked(day, counted) = n;
        Ok(found)
    }

    /// Whether it is known that `most` were counted under this key today.
    pub(crate) fn is_used_up(&mut self, most: u32, counted: &str) -> bool {
        let day = self.now().div_euclid(DAY);
        *self.counts().marked(day, counted) >= most
    }

    /// Whether this process has counted fewer than `most` under this key today; counts it. Nothing of it is stored.
    pub(crate) fn is_among_seen(&mut self, most: u32, counted: &str) -> bool {
        let day = self.now().div_euclid(DAY);
        let count = self.counts().seen(day, counted);
        *count = count.saturating_add(1);
        *count <= most
    }

    /// Whether one more mail of somebody without a seat may be answered today, whoever it is; counts it.
    pub(crate) fn may_answer_strangers(
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

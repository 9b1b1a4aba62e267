//! What seats are told is bound in the log before it is mailed (docs/dice.md, "What was told").

use crate::HostError;
use crate::decisions::sitting::Sitting;
use crate::mails::dispatches::{BoundReport, Prepared};
use musterd_desk::campaign::{Campaign, CampaignError};
use musterd_dice::Seat;
use musterd_dice::told::{Contents, TellingKind};
use musterd_report::Told;

impl Sitting<'_> {
    /// Binds what these seats are to be told of the adjudication that ran last. Seats that nobody writes to are left out.
    pub(crate) fn bind_reports<'s>(
        &mut self,
        seats: impl IntoIterator<Item = &'s Seat>,
    ) -> Result<Vec<BoundReport>, HostError> {
        let Some(t) = self.campaign().last().map(|last| last.t) else { return Ok(Vec::new()) };
        let prepared: Vec<_> = self.about(|clerk| {
            let prepared = |seat: &Seat| Some((seat.clone(), clerk.prepared(seat)?));
            seats.into_iter().filter_map(prepared).collect()
        })?;
        let bind = |(seat, mut prepared): (Seat, Prepared)| {
            let told = std::mem::take(&mut prepared.told);
            let told = self.bind(t, &seat, prepared.contents.clone(), told)?;
            Ok(prepared.bound(seat, told))
        };
        prepared.into_iter().map(bind).collect()
    }

    /// Binds what a seat is told of its orders for the open turn; `None` where it has none.
    pub(crate) fn bind_receipt(&mut self, seat: &Seat) -> Result<Option<Told>, HostError> {
        let campaign = self.campaign();
        let Some(window) = campaign.window() else { return Ok(None) };
        let Some(orders) = window.accepted.get(seat) else { return Ok(None) };
        let read = campaign.read_back(seat, orders);
        let told = Told::of_orders(&orders.block, &read.recap, &read.remarks);
        let contents = Contents {
            kind: TellingKind::Receipt,
            text: Some(told.text_digest()),
            html: None,
            data: None,
            facts: None,
            said: Vec::new(),
        };
        self.bind(window.t, seat, contents, told).map(Some)
    }

    /// Binds what a seat is told of `t`.
    fn bind(&mut self, t: u32, seat: &Seat, contents: Contents, told: Told) -> Result<Told, HostError> {
        let secrets = self.chain()?;
        let telling = self.campaign().binding(&secrets, t, seat, contents);
        let telling = telling.ok_or_else(|| HostError::campaign(&self.game, CampaignError::NoSecret(t)))?;
        let marked = told.marked(&self.game, &telling.id);
        self.play(Campaign::reporting(telling))?;
        Ok(marked)
    }
}

//! `SECRET`: the GM gives a seat, or the GM's own place, a new secret.

use super::GmOrder;
use crate::response::{Responded, done, undone_at};
use musterd_desk::is_gm;
use musterd_dice::Seat;
use musterd_engine::journal::{Change, Player};

impl GmOrder<'_, '_> {
    /// The secret before is worth nothing from now on; the new one goes to the address that the seat is written to, and the GM
    /// doesn't see it.
    pub(super) fn reissue(&mut self, seat: &Seat) -> Responded {
        let campaign = self.campaign();
        let is_persons = matches!(campaign.charter().players.get(seat), Some(Player::Mail { .. }));
        if !is_persons && !is_gm(seat) {
            return undone_at(seat.as_str(), format!("No person plays {seat}."));
        }
        let issue = campaign.issue(seat) + 1;
        let change = Change::Secret { seat: seat.clone(), issue };
        self.settle(change, format!("{seat} has a new secret"))?;
        self.mail(|clerk| if is_gm(seat) { clerk.gm_welcome() } else { clerk.new_secret(seat) })?;
        let told = match is_gm(seat) {
            true => "You have a new secret: it comes in a mail of its own.".to_owned(),
            false => format!("{seat} has a new secret, and was sent it."),
        };
        done(format!("{told} The one before is worth nothing any more."))
    }
}

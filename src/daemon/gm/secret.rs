//! `SECRET`: the GM gives a seat, or the GM's own place, a new secret.

use super::super::response::{Responded, done, undone};
use super::GmOrder;
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
            return undone(format!("No person plays {seat}."));
        }
        let issue = campaign.issue(seat) + 1;
        let change = Change::Secret { seat: seat.clone(), issue };
        self.settle(change, format!("{seat} has a new secret"))?;
        let told = if is_gm(seat) {
            self.mail(|clerk| clerk.gm_welcome())?;
            "You have a new secret: it comes in a mail of its own. The one before is worth nothing any more."
                .to_owned()
        } else {
            self.mail(|clerk| clerk.new_secret(seat))?;
            format!("{seat} has a new secret, and was sent it. The one before is worth nothing any more.")
        };
        done(told)
    }
}

//! `JOIN alpha PREFER french, austrian`: the first free seat of a list.

use super::wish::{Guest, Wish};
use crate::games::Games;
use crate::response::{Responded, wrong};
use musterd_dice::{GameId, Seat};
use musterd_report::text::listed;

impl Games {
    /// Says how the first free one of these seats is taken.
    pub(super) fn offer_preferred(&mut self, guest: &Guest<'_>, game: &GameId, seats: &[Seat]) -> Responded {
        self.is_here(game)?;
        let campaign = self.campaign(game)?;
        let free = campaign.free_seats();
        if let Some(unknown) = seats.iter().find(|seat| !campaign.charter().players.contains_key(*seat)) {
            return self.offer(guest, game, &Wish::Join(Some(unknown.clone())));
        }
        let Some(seat) = seats.iter().find(|seat| free.contains(seat)) else {
            let names = |seats: &[Seat]| listed(&seats.iter().map(Seat::to_string).collect::<Vec<_>>());
            let instead = match free.as_slice() {
                [] => format!(
                    "No seat is free: STANDBY {game} puts you on the list of those who are asked when one falls free."
                ),
                free => format!("Free: {}.", names(free)),
            };
            return wrong(format!("None of {} is free. {instead}", names(seats)));
        };
        let title = campaign.title_of(seat);
        let mut response = self.offer(guest, game, &Wish::Join(Some(seat.clone())))?;
        let told = format!(
            "Of the seats that you prefer, {title} ({seat}) is the first that is free. Whoever confirms first has it: if it is somebody \
             else's by then, ask again."
        );
        response.paragraphs.insert(0, told);
        Ok(response)
    }
}

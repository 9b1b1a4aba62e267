//! What a list of games says of one, kept without the game.

use std::collections::BTreeSet;

use musterd_desk::campaign::Campaign;
use musterd_desk::life::Attendance;
use musterd_dice::Seat;
use musterd_engine::journal::Player;

/// What a list of games says of one.
#[derive(Debug, Clone)]
pub(crate) struct Card {
    /// The scenario's title.
    pub(crate) title: String,
    /// What it waits for, in words; none once it is over.
    pub(crate) waits_for: Option<String>,
    /// The seats that nobody plays.
    pub(crate) free: Vec<Seat>,
    /// Whether its rules show the order of battle to anybody.
    pub(crate) shows_battle: bool,
    /// The registered addresses of its players.
    pub(crate) addresses: BTreeSet<String>,
    /// How reliably its people have ordered in it.
    pub(crate) attendance: Vec<Attendance>,
}

impl Card {
    pub(crate) fn of(campaign: &Campaign) -> Self {
        let addresses = campaign.charter().players.values().flat_map(Player::addresses);
        Self {
            title: campaign.game().title(),
            waits_for: (!campaign.is_over()).then(|| campaign.waits_for()),
            free: campaign.free_seats(),
            shows_battle: campaign.game().shows_battle(),
            addresses: addresses.cloned().collect(),
            attendance: campaign.life().attendance.clone(),
        }
    }
}

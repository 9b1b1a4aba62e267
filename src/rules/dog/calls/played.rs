//! A battle as far as it has been fought.

use std::collections::BTreeMap;

use crate::data::Dog;
use crate::event::Event;
use crate::next::unspent;
use crate::numbers;
use crate::view::View;
use musterd_dice::{GameId, Seat};
use musterd_engine::calls::{CallError, Installation, PlayedGame};
use musterd_engine::{Match, Ruleset as _};

/// A battle of this host in its present state.
pub(super) struct Played {
    pub(super) rules: Dog,
    /// The view of each leader.
    pub(super) views: BTreeMap<Seat, View>,
    /// Money that leaders did not spend on hire.
    pub(super) unspent: BTreeMap<Seat, u64>,
    /// The text of the numbers of its rules.
    pub(super) numbers: String,
}

impl Played {
    /// The battle that is the game with this name.
    pub(super) fn find(at: &mut dyn Installation, game: &GameId) -> Result<Self, CallError> {
        let PlayedGame { version, files, events } = at.game(game)?;
        let rules = Dog::of_version(version, &files, &[])?;
        let damaged = |error: &dyn std::fmt::Display| CallError::Usage(format!("game {game}: {error}"));
        let mut table = Match::new(rules.clone());
        table.adopt(&events).map_err(|error| damaged(&error))?;
        let events = events.into_iter().map(serde_json::from_value);
        let events: Vec<Event> = events.collect::<Result<_, _>>().map_err(|error| damaged(&error))?;
        let unspent = unspent(&rules, &events);
        let seats = rules.seats().iter().map(|spec| spec.seat.clone());
        let views = seats.map(|seat| (seat.clone(), table.view(&seat))).collect();
        let numbers = files.0.get(numbers::FILE).cloned().unwrap_or_default();
        Ok(Self { rules, views, unspent, numbers })
    }
}

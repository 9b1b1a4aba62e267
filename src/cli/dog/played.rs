use std::collections::BTreeMap;

use crate::cli::global::{Ended, Global};
use musterd_daemon::{HostError, Reply, Request};
use musterd_desk::DeskError;
use musterd_desk::correction::counting_events;
use musterd_dice::{GameId, Seat};
use musterd_dog::Dog;
use musterd_dog::event::Event;
use musterd_dog::next::unspent;
use musterd_dog::view::View;
use musterd_engine::founding::NoVersion;
use musterd_engine::journal::Cause;
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
    pub(super) fn find(global: &Global, game: &GameId) -> Result<Result<Self, Ended>, HostError> {
        let entries = match global.ask(Request::Journal { game: game.clone() })? {
            Ok(Reply::Journal { entries }) => entries,
            Ok(_) => return Ok(Err(Ended::Done)),
            Err(ended) => return Ok(Err(ended)),
        };
        let charter = entries.iter().find_map(|entry| match &entry.cause {
            Cause::Founded { charter, .. } => Some(charter),
            _ => None,
        });
        let charter = charter.ok_or_else(|| HostError::usage(format!("game {game} was never founded")))?;
        if charter.ruleset != Dog::ID {
            return Err(HostError::usage(format!(
                "game {game} is one of `{}`: only battles of Death or Glory have unit records",
                charter.ruleset
            )));
        }
        let version = charter.rules_version;
        NoVersion::check(Dog::ID, version, Dog::RULES_VERSION).map_err(DeskError::from)?;
        let rules = Dog::of_version(version, &charter.files, &[]).map_err(DeskError::from)?;
        let seats: Vec<Seat> = rules.seats().iter().map(|spec| spec.seat.clone()).collect();
        let mut table = Match::new(rules.clone());
        let events = counting_events(&entries);
        let damaged = |error: &dyn std::fmt::Display| HostError::usage(format!("game {game}: {error}"));
        table.adopt(&events).map_err(|error| damaged(&error))?;
        let events: Vec<Event> = events
            .into_iter()
            .map(|event| serde_json::from_value(event).map_err(|error| damaged(&error)))
            .collect::<Result<_, _>>()?;
        let unspent = unspent(&rules, &events);
        let views = seats.into_iter().map(|seat| (seat.clone(), table.view(&seat))).collect();
        let numbers = charter.files.0.get("ruleset.yaml").cloned().unwrap_or_default();
        Ok(Ok(Self { rules, views, unspent, numbers }))
    }
}

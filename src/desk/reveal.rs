//! Which adjudications of a game are revealed, and which may be.

use std::collections::BTreeMap;

use super::campaign::Campaign;
use super::game::Game;
pub use super::public::revealed;
use super::taken_back::TakenBack;
use musterd_dice::Seat;
use musterd_engine::journal::{Cause, Entry};
use musterd_engine::terms::Reveal;

impl Campaign {
    /// The last revealed adjudication; all before it are revealed too. The same as [`revealed`] for the journal.
    pub const fn revealed(&self) -> u32 {
        self.public().upto()
    }

    /// The adjudication up to which the terms now ask for a reveal that has not happened yet. `entries` is the whole journal.
    pub fn to_reveal(&self, entries: &[Entry]) -> Option<u32> {
        let Reveal::Lag { turns } = self.charter().terms.reveal else { return None };
        let ran = entries.iter().filter_map(|entry| match entry.cause {
            Cause::Adjudicated { t, .. } => Some(t),
            _ => None,
        });
        let counting: Vec<u32> = self.ran().keys().copied().collect();
        let mut void_before = 0;
        let mut by_terms = None;
        for t in ran {
            // A turn that was rolled back counts as old as the one that was played in its place: its orders hint at the orders to come.
            void_before = if self.ran().contains_key(&t) { 0 } else { void_before + 1 };
            let later = counting.len() - counting.partition_point(|other| *other <= t);
            if later < usize::try_from(turns).unwrap_or(usize::MAX).saturating_add(void_before) {
                break;
            }
            by_terms = Some(t);
        }
        let upto = by_terms?.min(self.may_be_revealed(entries));
        (upto > self.revealed()).then_some(upto)
    }

    /// The last adjudication that can be revealed without giving away standing orders in force: the one before the first in which a standing order
    /// was given that still stands. `entries` is the whole journal.
    pub fn may_be_revealed(&self, entries: &[Entry]) -> u32 {
        let last = self.ran().keys().next_back().copied().unwrap_or_default();
        match first_in_force(self.game(), entries).filter(|_| self.results().is_none()) {
            Some(first) => last.min(first.saturating_sub(1)),
            None => last,
        }
    }
}

/// The first adjudication in which a standing order was given that is in force now. An order that was given twice, before or after a void turn,
/// counts from the first time: a reader of that adjudication would know it.
fn first_in_force(game: &dyn Game, entries: &[Entry]) -> Option<u32> {
    let all: Vec<&Entry> = entries.iter().collect();
    let taken_back = TakenBack::of(&all);
    let mut given: BTreeMap<(Seat, String), u32> = BTreeMap::new();
    let mut files: BTreeMap<Seat, Vec<String>> = BTreeMap::new();
    for (index, entry) in (0..).zip(entries) {
        let (t, events) = match &entry.cause {
            Cause::Adjudicated { t, events, .. } | Cause::Rerun { t, events, .. } => (t, events),
            Cause::Rerolled(reroll) => (&reroll.of, &reroll.events),
            _ => continue,
        };
        for (seat, file) in game.filed(events) {
            for order in &file {
                given.entry((seat.clone(), order.clone())).or_insert(*t);
            }
            if !taken_back.is_superseded(index) {
                files.insert(seat, file);
            }
        }
    }
    let in_force =
        files.into_iter().flat_map(|(seat, file)| file.into_iter().map(move |order| (seat.clone(), order)));
    in_force.filter_map(|order| given.get(&order).copied()).min()
}

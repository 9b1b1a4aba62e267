//! The end of a round: drowning, captives set free, the next round or the end of the battle (manual 2.3, 3.1, 4.3).

use super::Hand;
use crate::event::Event;
use crate::model::{ArmyId, Sort, UnitId};
use crate::scores;

impl Hand<'_, '_> {
    /// Ends a round.
    pub(super) fn close(&mut self) {
        self.drown();
        self.free_captives();
        let round = self.state().round;
        self.record(Event::RoundEnded { round });
        match self.victor() {
            Some(winner) => self.end(winner),
            None => {
                // The first becomes the last (manual 4.3).
                let mut order = self.state().order.clone();
                order.rotate_left(1);
                self.record(Event::RoundBegan { round: round + 1, order });
            }
        }
    }

    /// A quarter of those who have been in deep water for too long sinks (ruling DOG-24).
    fn drown(&mut self) {
        let drowning = self.rules.numbers().drowning;
        let state = self.state();
        let deep = state
            .units
            .iter()
            .filter(|(id, unit)| unit.swimming >= drowning.after && state.in_deep_water(self.rules, **id));
        for id in deep.map(|(id, _)| *id).collect::<Vec<_>>() {
            let Some(unit) = self.state().unit(id) else { continue };
            let (numbers, switches) = (self.rules.numbers(), self.rules.battle().switches);
            let sinks = |sort: &Sort| match scores::swims(numbers, switches, sort) {
                true => 0,
                false => sort.fighters.div_ceil(drowning.one_in),
            };
            let killed: Vec<u16> = unit.sorts.iter().map(sinks).collect();
            let hp = scores::hp_of(numbers, &unit.sorts, &killed);
            let at = unit.at;
            if killed.iter().any(|dead| *dead > 0) {
                self.record(Event::Drowned { unit: id, at, killed, hp });
            }
        }
    }

    /// Captives whose captor is gone, or a prisoner himself, or away, are free if a friend stands next to them (ruling DOG-34).
    fn free_captives(&mut self) {
        let captives: Vec<(UnitId, UnitId)> =
            self.state().units.iter().filter_map(|(id, unit)| Some((*id, unit.captive?))).collect();
        for (id, captor) in captives {
            let Some(at) = self.state().unit(id).map(|unit| unit.at) else { continue };
            let guarded = self.active(captor).is_some_and(|unit| unit.at.distance(at) <= 1);
            if guarded {
                continue;
            }
            let battle = self.rules.battle();
            // A hidden friend would betray himself.
            let friend = |other: &UnitId| {
                !battle.hostile(id, *other) && self.active(*other).is_some_and(|unit| !unit.hidden)
            };
            let friend = at.around().filter_map(|hex| self.state().at(hex)).find(friend);
            if let Some(by) = friend {
                self.record(Event::Freed { unit: id, at, by });
            }
        }
    }

    /// Whether the battle is over: who won, or nobody.
    fn victor(&self) -> Option<Option<String>> {
        let battle = self.rules.battle();
        let stands = |alliance: &&str| {
            let of = |army: ArmyId| battle.army(army).alliance == **alliance;
            self.state().units.values().any(|unit| unit.captive.is_none() && of(unit.army))
        };
        let left: Vec<&str> = battle.alliances().into_iter().filter(stands).collect();
        match left.as_slice() {
            [] => Some(None),
            [one] => Some(Some((*one).to_owned())),
            _ if battle.rounds.is_some_and(|last| self.state().round >= last) => {
                // Holders win if they still stand.
                Some(battle.holders.clone().filter(|holders| left.contains(&holders.as_str())))
            }
            _ => None,
        }
    }

    /// Ends the battle, and reckons what it cost each leader (ruling DOG-20).
    pub(super) fn end(&mut self, winner: Option<String>) {
        let reckonings = self.state().reckon(self.rules, winner.as_deref());
        self.record(Event::Ended { winner, reckonings });
    }
}

//! Adds events to the record.

use super::State;
use crate::data::Lga;
use crate::event::Event;
use crate::model::{Arm, Side, UnitId};
use crate::record::{Battle, Capture, Destruction, Loss, Record, Strength, Turn};
use musterd_engine::hex::Hex;

impl Record {
    /// Notes an event that is about to happen in the position `before`.
    pub(super) fn note(&mut self, rules: &Lga, before: &State, event: &Event) {
        let turn = Turn { date: before.date, side: before.phasing };
        let mut lost =
            |unit: UnitId, at: Hex, fate: Destruction| self.losses.push(Loss { turn, unit, at, fate });
        match event {
            Event::Counted { side, .. } => {
                let turn = Turn { side: *side, ..turn };
                self.strengths.push(strength(rules, before, turn));
            }
            Event::Attacked { attacker, defender, at, result, .. } => {
                let side = |unit: UnitId| rules.scenario.unit(unit).side;
                if result.attacker_destroyed {
                    lost(*attacker, *at, Destruction::Battle(side(*defender)));
                }
                if result.defender_destroyed {
                    lost(*defender, *at, Destruction::Battle(side(*attacker)));
                }
                // A unit loses no more morale than it has.
                let lost = |unit: UnitId, loss: i8| i32::from(loss.min(before.unit(unit).morale));
                let battle = self.battle(turn, *at, side(*defender));
                battle.rounds += 1;
                battle.attacker_lost += lost(*attacker, result.attacker_loss);
                battle.defender_lost += lost(*defender, result.defender_loss);
            }
            Event::Moved { to, captured: true, .. } => {
                let city = rules.map.city_at(*to).is_some();
                let taken = if city { &mut self.captures } else { &mut self.ground };
                taken.push(Capture { turn, at: *to, from: before.control.get(to).copied() });
            }
            Event::Withdrew { unit, to, destroyed: true, .. } => lost(*unit, *to, Destruction::Rout),
            Event::Mustered { unit, at, destroyed: true, .. } => lost(*unit, *at, Destruction::Muster),
            Event::Besieged { unit, at, destroyed: true, .. } => lost(*unit, *at, Destruction::Siege),
            Event::Starved { unit, at } => lost(*unit, *at, Destruction::Supply),
            _ => {}
        }
    }

    /// The battle of this turn against this hex.
    fn battle(&mut self, turn: Turn, at: Hex, defender: Side) -> &mut Battle {
        let known = self.battles.iter().rposition(|battle| battle.turn == turn && battle.at == at);
        let place = known.unwrap_or_else(|| {
            let (rounds, attacker_lost, defender_lost) = (0, 0, 0);
            self.battles.push(Battle { turn, at, defender, rounds, attacker_lost, defender_lost });
            self.battles.len() - 1
        });
        &mut self.battles[place]
    }
}

fn strength(rules: &Lga, state: &State, turn: Turn) -> Strength {
    let units = rules.scenario.units.iter().filter(|spec| {
        spec.side == turn.side && spec.kind.arm != Arm::Hq && state.unit(spec.id).at.is_some()
    });
    let morale = units.map(|spec| i32::from(state.unit(spec.id).morale));
    morale.fold(Strength { turn, units: 0, morale: 0 }, |sum, morale| Strength {
        units: sum.units + 1,
        morale: sum.morale + morale,
        ..sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::rules;
    use musterd_engine::{Fold as _, Ruleset};

    #[test]
    fn every_hex_taken_is_noted_once_with_who_held_it() {
        let rules = rules("austrian-1805");
        let mut state = rules.found();
        // Mack 1 is the Austrians' unit 19, at Ulm; Strasbourg 1306 is a city, 1305 is none.
        let (strasbourg, ground) = ("1306".parse::<Hex>().unwrap(), "1305".parse::<Hex>().unwrap());
        for (at, captured) in [(ground, true), (strasbourg, true), (ground, false)] {
            let from = state.unit(UnitId(19)).at.unwrap();
            let moved = Event::Moved { unit: UnitId(19), from, to: at, left: 0, marched: 0, captured };
            rules.apply(&mut state, &moved);
        }
        let known = state.record.of_side(&rules, Side::French);
        let french = Some(Side::French);
        let taken = |captures: &[Capture]| captures.iter().map(|c| (c.at, c.from)).collect::<Vec<_>>();
        assert_eq!(taken(&known.captures), [(strasbourg, french)]);
        assert_eq!(taken(&known.ground), [(ground, french)]);
    }
}

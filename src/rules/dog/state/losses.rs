//! Applies losses to units: they fall, drown, give up, are freed. Keeps track of who is gone: if the GM puts some back, the ledgers are corrected.

use super::gone::{Gone, How};
use super::{State, loot};
use crate::data::Dog;
use crate::event::Strike;
use crate::model::{Sort, UnitId};
use crate::scores;

impl State {
    /// A melee attack, and its retaliation at the same time.
    pub(super) fn exchange(&mut self, rules: &Dog, strike: &Strike, answer: Option<&Strike>) {
        self.with(strike.by, |unit| (unit.struck, unit.saved) = (true, None));
        self.with(strike.on, |unit| unit.saved = None);
        if answer.is_some() {
            self.with(strike.on, |unit| unit.retaliated = true);
        }
        self.wound(rules, strike, true);
        if let Some(answer) = answer {
            self.wound(rules, answer, true);
        }
    }

    /// A volley, after which each sort has so many volleys left.
    pub(super) fn shoot(&mut self, rules: &Dog, strike: &Strike, left: &[u16]) {
        self.with(strike.by, |unit| {
            (unit.struck, unit.saved) = (true, None);
            unit.shots = left.to_vec();
        });
        let army = self.units.get(&strike.by).map(|unit| unit.army);
        let counted = army.is_some_and(|army| self.is_beside(rules, army, strike.at));
        self.wound(rules, strike, counted);
    }

    /// Makes a strike so; `counted` where those who struck could count the dead.
    pub(super) fn wound(&mut self, rules: &Dog, strike: &Strike, counted: bool) {
        // The armies are found by letter: of two units that strike at the same time one may be gone already.
        let battle = rules.battle();
        let (Some(by), Some(on)) = (battle.army_of(strike.by), battle.army_of(strike.on)) else { return };
        self.ledger(by).inflicted += u64::from(strike.hp);
        self.ledger(by).counted += if counted { u64::from(strike.hp) } else { 0 };
        self.ledger(on).lost += u64::from(strike.hp);
        self.kill(strike.on, &strike.killed, How::Struck { by });
    }

    pub(super) fn kill(&mut self, id: UnitId, killed: &[u16], how: How) {
        let Some(unit) = self.units.get(&id) else { return };
        for (sort, dead) in unit.sorts.clone().iter().zip(killed) {
            self.note_gone(id, sort, sort.fighters.min(*dead), how);
        }
        self.with(id, |unit| {
            for (sort, dead) in unit.sorts.iter_mut().zip(killed) {
                sort.fighters = sort.fighters.saturating_sub(*dead);
            }
        });
        self.drop_empty(id);
    }

    /// The water takes some of a unit.
    pub(super) fn drown(&mut self, id: UnitId, killed: &[u16], hp: u32) {
        let Some(army) = self.units.get(&id).map(|unit| unit.army) else { return };
        self.ledger(army).lost += u64::from(hp);
        self.ledger(army).drowned += u64::from(hp);
        self.kill(id, killed, How::Drowned);
    }

    /// A unit becomes the prisoner of another, which guards it in the next round.
    pub(super) fn surrender(&mut self, id: UnitId, to: UnitId, loot: u64) {
        let (now, next) = (self.round, self.round + 1);
        self.take_prisoner(id, to, loot);
        self.with(to, |unit| {
            let first = unit.guards.filter(|_| unit.is_guarding(now)).map_or(next, |(first, _)| first);
            unit.guards = Some((first, next));
        });
    }

    /// A unit becomes the prisoner of another.
    pub(super) fn take_prisoner(&mut self, id: UnitId, to: UnitId, loot: u64) {
        self.with(id, |unit| (unit.captive, unit.pursues, unit.hidden) = (Some(to), None, false));
        if let Some(army) = self.units.get(&to).map(|unit| unit.army) {
            self.ledger(army).loot += loot;
        }
    }

    pub(super) fn free(&mut self, rules: &Dog, id: UnitId) {
        let loot = self.units.get(&id).map_or(0, |unit| loot(rules, unit));
        let captor = self.units.get(&id).and_then(|unit| unit.captive);
        self.with(id, |unit| unit.captive = None);
        // The loot goes with the captive (ruling DOG-28: those who are freed are not looted).
        if let Some(army) = captor.and_then(|captor| rules.battle().army_of(captor)) {
            let ledger = self.ledger(army);
            ledger.loot = ledger.loot.saturating_sub(loot);
        }
    }

    /// Fighters of a sort are gone from a unit.
    pub(super) fn note_gone(&mut self, unit: UnitId, sort: &Sort, fighters: u16, how: How) {
        if fighters > 0 {
            let sort = Sort { fighters, ..sort.clone() };
            self.gone.entry(unit).or_default().push(Gone { sort, how });
        }
    }

    /// This number of a sort returns to a unit: the last who went come back first, and no longer count as lost. Additional fighters are new on the
    /// field.
    pub(super) fn take_back(&mut self, rules: &Dog, unit: UnitId, sort: &Sort, mut fighters: u16) {
        let army = rules.battle().army_of(unit);
        let (Some(gone), Some(army)) = (self.gone.get_mut(&unit), army) else { return };
        let each = u64::from(scores::hp(rules.numbers(), sort));
        for Gone { sort: lost, how } in gone.iter_mut().rev() {
            if *lost != (Sort { fighters: lost.fighters, ..sort.clone() }) {
                continue;
            }
            let back = fighters.min(lost.fighters);
            lost.fighters -= back;
            fighters -= back;
            let hp = u64::from(back) * each;
            match *how {
                How::Struck { by } => {
                    // What that army counted stays: a smaller count would reveal how many stand again out of its sight (ruling DOG-45).
                    let ledger = self.ledgers.entry(by).or_default();
                    ledger.inflicted = ledger.inflicted.saturating_sub(hp);
                }
                How::Drowned => {
                    let ledger = self.ledgers.entry(army).or_default();
                    ledger.drowned = ledger.drowned.saturating_sub(hp);
                }
                // No ledger has them.
                How::TakenOff => continue,
            }
            let ledger = self.ledgers.entry(army).or_default();
            ledger.lost = ledger.lost.saturating_sub(hp);
        }
        gone.retain(|gone| gone.sort.fighters > 0);
    }
}

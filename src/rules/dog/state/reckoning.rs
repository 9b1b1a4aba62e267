//! A round begins, the battle ends: what it cost each army and its leader (manual 2.3, ruling DOG-20).

use super::{State, loot};
use crate::battle::Army;
use crate::data::Dog;
use crate::event::Reckoning;
use crate::model::ArmyId;
use crate::view::Wait;

impl State {
    /// Begins a round, in which every unit may move and strike again.
    pub(super) fn begin_round(&mut self, rules: &Dog, round: u16, order: &[ArmyId]) {
        self.round = round;
        self.order = order.to_vec();
        self.wait = if rules.battle().by_phase { Wait::Moves } else { Wait::Orders };
        for unit in self.units.values_mut() {
            (unit.spent, unit.moved, unit.stance) = (0, false, None);
            (unit.struck, unit.retaliated, unit.obeys) = (false, false, true);
            unit.pursues = unit.pursues.filter(|(_, until)| *until >= round);
        }
    }

    /// Ends the battle, with what it cost every leader.
    pub(super) fn end(&mut self, winner: Option<String>, reckonings: &[Reckoning]) {
        self.wait = Wait::Over;
        self.winner = winner;
        self.reckonings = reckonings.to_vec();
        for reckoning in reckonings {
            self.leadership.insert(reckoning.army, reckoning.after);
        }
    }

    /// What the battle cost every army if it ends now.
    pub(crate) fn reckon(&self, rules: &Dog, winner: Option<&str>) -> Vec<Reckoning> {
        let before = |army: &Army| self.leadership[&army.id];
        let armies = rules.battle().armies().iter();
        armies.map(|army| self.reckoning(rules, army, winner, before(army))).collect()
    }

    /// Reckons anew what the GM changed something of when the battle is over. A leadership that he set himself stays.
    pub(super) fn reckon_anew(&mut self, rules: &Dog) {
        if self.wait != Wait::Over {
            return;
        }
        let anew = |old: &Reckoning| {
            let army = rules.battle().army(old.army);
            let new = self.reckoning(rules, army, self.winner.as_deref(), old.before);
            let after = if old.after == old.summed() { new.after } else { old.after };
            Reckoning { after, ..new }
        };
        self.reckonings = self.reckonings.iter().map(anew).collect();
        for reckoning in &self.reckonings {
            self.leadership.insert(reckoning.army, reckoning.after);
        }
    }

    fn reckoning(&self, rules: &Dog, army: &Army, winner: Option<&str>, before: u32) -> Reckoning {
        let (battle, numbers) = (rules.battle(), rules.numbers().leadership);
        let ledger = self.ledgers.get(&army.id).copied().unwrap_or_default();
        let enemies = battle.armies().iter().filter(|other| !battle.allied(army.id, other.id));
        let enemy = enemies.filter_map(|other| self.ledgers.get(&other.id)).map(|ledger| ledger.lost).sum();
        let factor = match winner {
            None => numbers.drawn,
            Some(winner) if winner == army.alliance => numbers.victory,
            Some(_) => numbers.defeat,
        };
        let own = self.units.values().filter(|unit| unit.army == army.id && unit.captive.is_none());
        let mut reckoning = Reckoning {
            army: army.id,
            lost: ledger.lost,
            enemy,
            factor,
            before,
            change: leadership_lost(ledger.lost, enemy, factor, numbers.each),
            after: before,
            loot: ledger.loot,
            maintenance: own.map(|unit| loot(rules, unit)).sum(),
        };
        reckoning.after = reckoning.summed();
        reckoning
    }
}

/// Leadership that a leader loses: own losses times a factor in halves, less the enemy's, for each so many one, rounded up
/// (manual 2.3, ruling DOG-20).
fn leadership_lost(own: u64, enemy: u64, factor: i64, each: i64) -> i64 {
    let halves = i128::from(own) * i128::from(factor) - 2 * i128::from(enemy);
    let each = 2 * i128::from(each.max(1));
    let lost = halves.div_euclid(each) + i128::from(halves.rem_euclid(each) > 0);
    i64::try_from(lost).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::leadership_lost;

    /// The manual's example (2.3): 100 lost and 40 inflicted in a victory cost 2 points.
    #[test]
    fn a_dear_victory_costs_leadership() {
        assert_eq!(leadership_lost(100, 40, 1, 5), 2);
        assert_eq!(leadership_lost(100, 40, 2, 5), 12);
        assert_eq!(leadership_lost(100, 40, 4, 5), 32);
        assert_eq!(leadership_lost(10, 100, 1, 5), -19);
        assert_eq!((leadership_lost(101, 50, 1, 5), leadership_lost(99, 50, 1, 5)), (1, 0));
    }
}

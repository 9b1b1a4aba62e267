//! A computer leader's orders: close with the enemy, shoot on the way, strike where it harms most.

use crate::engine::Skill;
use crate::hex::Hex;
use crate::rules::dog::data::Dog;
use crate::rules::dog::model::UnitId;
use crate::rules::dog::recap::{foe_sorts, ground, ways};
use crate::rules::dog::scores;
use crate::rules::dog::view::{OwnUnit, SeenUnit, View, Wait};
use crate::rules::dog::words;

/// Order lines for this view. The same view and seed give the same orders.
pub(in crate::rules::dog) fn play(rules: &Dog, view: &View, skill: Skill, seed: u64) -> String {
    let leader = Leader { rules, view, skill, seed };
    let lines = match view.wait {
        Wait::Founding | Wait::Over => Vec::new(),
        Wait::SetUp => leader.records(),
        Wait::Orders => leader.orders(true, true),
        Wait::Moves => leader.orders(true, false),
        Wait::Combat => leader.orders(false, true),
    };
    lines.into_iter().map(|line| line + "\n").collect()
}

struct Leader<'a> {
    rules: &'a Dog,
    view: &'a View,
    skill: Skill,
    seed: u64,
}

impl Leader<'_> {
    fn records(&self) -> Vec<String> {
        let Some(army) = self.view.army.map(|army| self.rules.battle().army(army)) else { return Vec::new() };
        if self.view.again {
            // What is left open is put where there is room.
            return self.view.waiting.iter().map(|unit| format!("UNIT {}", unit.unit)).collect();
        }
        let records = super::levy(self.rules, army);
        records
            .into_iter()
            .map(|record| words::written(self.rules.numbers(), &super::Order::Record(record)))
            .collect()
    }

    fn foes(&self) -> impl Iterator<Item = (&UnitId, &SeenUnit)> {
        let battle = self.rules.battle();
        let hostile = |unit: &SeenUnit| self.view.army.is_some_and(|army| !battle.allied(army, unit.army));
        self.view.others.iter().filter(move |(_, unit)| unit.captive.is_none() && hostile(unit))
    }

    fn orders(&self, moves: bool, combat: bool) -> Vec<String> {
        let mut lines = Vec::new();
        let mut taken: Vec<Hex> = Vec::new();
        let mut own: Vec<(&UnitId, &OwnUnit)> =
            self.view.own.iter().filter(|(_, unit)| unit.captive.is_none() && !unit.guards).collect();
        // Those in front go first, so that nobody stands in another's way.
        own.sort_by_key(|(id, unit)| {
            (self.nearest(unit.at).map_or(u32::MAX, |(_, at)| at.distance(unit.at)), **id)
        });
        for (id, unit) in own {
            let mut at = unit.at;
            if moves && let Some(to) = self.goal(unit, &taken) {
                lines.push(format!("MOVE {id} TO {to}"));
                at = to;
            }
            taken.push(at);
            if combat {
                lines.extend(self.fight(*id, unit, at));
            }
        }
        lines
    }

    fn nearest(&self, from: Hex) -> Option<(UnitId, Hex)> {
        // Ties go this way or that by the seed, so that two games aren't the same.
        let key = |at: Hex| (at.distance(from), (u64::from(at.col) ^ self.seed) % 7, at);
        self.foes().min_by_key(|(_, foe)| key(foe.at)).map(|(id, foe)| (*id, foe.at))
    }

    /// Where a unit marches this round: next to the enemy, or within range, as far as it comes.
    fn goal(&self, unit: &OwnUnit, taken: &[Hex]) -> Option<Hex> {
        let numbers = self.rules.numbers();
        let beside = self.foes().any(|(_, foe)| foe.at.distance(unit.at) == 1);
        if beside {
            return None;
        }
        let scale = self.rules.battle().scale;
        let arms = unit.sorts.iter().zip(&unit.shots);
        let range =
            arms.filter(|(_, left)| **left > 0).filter_map(|(sort, _)| scores::distance(numbers, sort));
        let range = range.map(|arm| scores::reach(scale, arm)).max();
        let (_, foe) = self.nearest(unit.at).unwrap_or((UnitId::new('?', 1), self.centre()));
        let keep = range.unwrap_or(1);
        if foe.distance(unit.at) <= keep && self.nearest(unit.at).is_some() {
            return None;
        }
        let mut ways = ways(self.rules, self.view);
        ways.taken.extend(taken);
        if self.skill == Skill::Cautious && range.is_some() && self.view.round < 2 {
            return None;
        }
        let all = 2 * scores::moves(numbers, &unit.sorts);
        let goals = self.rules.battle().field.hexes().filter(|hex| {
            !ways.taken.contains(hex) && hex.distance(foe) == keep.min(foe.distance(unit.at).max(1))
        });
        let mut goals: Vec<Hex> = goals.collect();
        goals.sort_by_key(|hex| (hex.distance(unit.at), *hex));
        let way =
            goals.into_iter().take(6).find_map(|goal| ways.best(&unit.sorts, unit.aboard, unit.at, goal))?;
        let (mut spent, mut from, mut end) = (0, unit.at, None);
        for to in &way {
            let Ok(cost) = ways.step(&unit.sorts, unit.aboard, from, *to) else { break };
            if spent + cost > all {
                // A hex that costs more than a round's points is saved for.
                end = end.or(Some(*to));
                break;
            }
            spent += cost;
            (from, end) = (*to, Some(*to));
            if ways.watched.contains(to) {
                break;
            }
        }
        end
    }

    fn centre(&self) -> Hex {
        let field = &self.rules.battle().field;
        Hex::new(field.columns.div_ceil(2).max(1), field.rows.div_ceil(2).max(1))
    }

    fn fight(&self, id: UnitId, unit: &OwnUnit, at: Hex) -> Option<String> {
        let numbers = self.rules.numbers();
        let shoots = unit.shots.iter().any(|left| *left > 0);
        let foot = ground(self.rules, self.view, at, unit.aboard);
        let force = scores::attack_force(numbers, &unit.sorts, foot);
        let near = self.foes().filter(|(_, foe)| foe.at.distance(at) == 1);
        let worth = |foe: &SeenUnit| {
            let sorts = foe_sorts(foe).unwrap_or_default();
            let damage = scores::damage(self.rules.battle().switches, force, 3);
            scores::deaths(numbers, &sorts, damage).1
        };
        let best = near.max_by_key(|(id, foe)| (worth(foe), std::cmp::Reverse(**id)));
        match best {
            Some((foe, _)) if !shoots || force > 10 => Some(format!("ATTACK {id} {foe}")),
            _ if shoots => Some(format!("SHOOT {id}")),
            Some((foe, _)) => Some(format!("ATTACK {id} {foe}")),
            None if self.skill == Skill::Planner => Some(format!("ATTACK {id}")),
            None => None,
        }
    }
}

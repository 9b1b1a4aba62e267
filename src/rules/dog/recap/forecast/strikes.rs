//! The odds of strikes, from where the moves of a set leave the units.

use super::{Forecast, as_foreseen, falling, named};
use crate::known::{ground, unseen_sorts};
use crate::legality::Outlook;
use crate::model::{Sort, UnitId};
use crate::odds;
use crate::order::Order;
use crate::scores;
use crate::state::{State, Unit};
use crate::view::{Count, SeenUnit};
use crate::words;
use musterd_dice::odds::Distribution;
use musterd_report::text::listed;

impl Forecast<'_> {
    /// The text for an order to fight, with the units where they are then.
    pub(super) fn combat(&self, state: &State, order: &Order) -> Option<String> {
        let unit = match order {
            Order::Attack { unit, .. } | Order::Shoot { unit, .. } | Order::Surrender { unit, .. } => *unit,
            _ => return None,
        };
        let outlook = Outlook { rules: self.rules, state, army: self.view.army? };
        let (Some(post), Some(mover)) = (state.unit(unit), outlook.mover(unit)) else {
            return Some(format!("{unit} is not on the field any more"));
        };
        let post = Post { from: self.comes_to(unit, post), unit: post };
        match order {
            Order::Attack { target: Some(target), .. } => self.attack(&post, *target),
            Order::Attack { target: None, .. } => {
                let beside = self.in_sight(&outlook, |foe| post.unit.at.distance(foe.at) == 1);
                match beside.as_slice() {
                    [] => Some(format!("no enemy is next to {} now", self.place(post.unit.at))),
                    [one] => Some(format!("{one} alone is in reach now; {}", self.attack(&post, *one)?)),
                    several => Some(format!("in reach now: {}", listed(&named(several.iter().copied())))),
                }
            }
            Order::Shoot { target, .. } => {
                if let Err(refusal) = mover.may_shoot(self.rules.numbers(), &post.unit.shots) {
                    return Some(as_foreseen(&refusal));
                }
                if let Some(target) = target {
                    return self.volley(&post, *target);
                }
                let within = self.in_sight(&outlook, |foe| self.volley_force(&post, foe) > 0);
                match within.as_slice() {
                    [] => Some(format!("no enemy is in range of {} now", self.place(post.unit.at))),
                    [one] => Some(format!("{one} alone is in range now; {}", self.volley(&post, *one)?)),
                    several => Some(format!("in range now: {}", listed(&named(several.iter().copied())))),
                }
            }
            Order::Surrender { to, .. } => {
                mover.may_surrender(&outlook, *to).err().map(|refusal| as_foreseen(&refusal))
            }
            _ => None,
        }
    }

    /// The place to which a unit comes by these orders; none if it stays where it is.
    fn comes_to(&self, id: UnitId, unit: &Unit) -> Option<String> {
        let stays = |own: &crate::view::OwnUnit| own.at == unit.at && own.aboard == unit.aboard.is_some();
        (!self.view.own.get(&id).is_some_and(stays)).then(|| self.place(unit.at))
    }

    /// Enemies in sight that are nobody's prisoners, of those that are wanted.
    fn in_sight(&self, outlook: &Outlook<'_>, wanted: impl Fn(&SeenUnit) -> bool) -> Vec<UnitId> {
        let foes = outlook.foes().into_iter().map(|(id, _)| id);
        foes.filter(|id| self.view.others.get(id).is_some_and(&wanted)).collect()
    }

    /// The odds of an attack on a unit in sight, if that stays where it is.
    fn attack(&self, post: &Post<'_>, target: UnitId) -> Option<String> {
        let foe = self.view.others.get(&target)?;
        let (unit, sorts) = (post.unit, post.unit.sorts.as_slice());
        if unit.at.distance(foe.at) != 1 {
            let from = post.from.as_deref().unwrap_or("it");
            return Some(format!("{target} is not next to {from} now"));
        }
        let (numbers, switches) = (self.rules.numbers(), self.rules.battle().switches);
        let here = ground(self.rules, self.view, unit.at, unit.aboard.is_some());
        let there = ground(self.rules, self.view, foe.at, foe.aboard);
        let back = |foes: &[Sort]| {
            // What people they are of is not to be seen: perhaps they are at home.
            let force = |people| {
                let foes: Vec<Sort> = foes.iter().map(|sort| Sort { people, ..sort.clone() }).collect();
                scores::defence_force(numbers, switches, &foes, there)
            };
            let falls = |force| ends(&odds::strike(numbers, switches, force, sorts));
            let (strangers, natives) = (force(None), force(scores::home(numbers, there)));
            match natives {
                0 => "; it can't retaliate".to_owned(),
                _ => {
                    let (least, most) = (falls(strangers).0, falls(natives).1);
                    format!("; if it retaliates, {}", falling(least, most, " of yours"))
                }
            }
        };
        Some(self.strike(post, scores::attack_force(numbers, sorts, here), "", foe, back))
    }

    fn volley(&self, post: &Post<'_>, target: UnitId) -> Option<String> {
        let foe = self.view.others.get(&target)?;
        let hexes = post.unit.at.distance(foe.at);
        match self.volley_force(post, foe) {
            0 => Some(match &post.from {
                None => format!("{target} is {hexes} hexes away now, out of range"),
                Some(from) => format!("{target} is {hexes} hexes from {from} now, out of range"),
            }),
            force => Some(self.strike(post, force, &format!(" over {hexes}"), foe, |_| String::new())),
        }
    }

    fn volley_force(&self, post: &Post<'_>, foe: &SeenUnit) -> u32 {
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let Unit { sorts, shots, at, .. } = post.unit;
        scores::volley_force(numbers, scale, sorts, shots, at.distance(foe.at))
    }

    /// The odds of a strike of this force on a unit in sight, for every possible composition of the unit, with the retaliation.
    fn strike(
        &self,
        post: &Post<'_>,
        force: u32,
        over: &str,
        foe: &SeenUnit,
        back: impl Fn(&[Sort]) -> String,
    ) -> String {
        let (numbers, switches) = (self.rules.numbers(), self.rules.battle().switches);
        let (low, high) = (scores::damage(switches, force, 1), scores::damage(switches, force, 6));
        let from = post.from.as_ref().map_or_else(String::new, |from| format!("from {from}, "));
        let head = format!("{from}force {force}{over}: {low} to {high} damage");
        let fall = |sorts: &[Sort]| {
            let odds = odds::strike(numbers, switches, force, sorts);
            let (least, most) = ends(&odds);
            let all = fighters(sorts);
            let gone = odds.probability(|toll| toll.killed >= all).percent();
            let destroyed = match (least >= all, most >= all) {
                (true, _) => ", all of them".to_owned(),
                (_, true) => format!(", all of them with {gone}"),
                _ => String::new(),
            };
            format!("{}{destroyed}{}", falling(least, most, ""), back(sorts))
        };
        match self.guesses(foe).as_slice() {
            [] => head,
            [(None, sorts)] => format!("{head}, {}", fall(sorts)),
            guesses => {
                let each = |(what, sorts): &(Option<String>, Vec<Sort>)| {
                    let what = what.as_deref().unwrap_or_default();
                    format!(". If they {what}: {}", fall(sorts))
                };
                guesses.iter().map(each).fold(head, |told, guess| told + &guess)
            }
        }
    }

    /// The possible compositions of a unit in sight: the least and the greatest number, in words if they are only guessed. The composition of a mixed
    /// unit is not visible (it is assumed to be even here), nor are the riders of a chariot.
    fn guesses(&self, foe: &SeenUnit) -> Vec<(Option<String>, Vec<Sort>)> {
        let counts = match foe.count {
            Count::Exactly(all) => vec![all],
            Count::About(least, most) if least == most => vec![most],
            Count::About(least, most) => vec![least, most],
        };
        if foe.kinds.is_empty() {
            return Vec::new();
        }
        let numbers = self.rules.numbers();
        let crewed = foe.kinds.iter().any(|(troop, _)| !numbers.troop(*troop).crew.is_empty());
        let guess = |all: &u16| {
            let sorts = unseen_sorts(&foe.kinds, *all);
            let known = matches!(foe.count, Count::Exactly(_));
            let what = match (known && sorts.len() == 1, crewed) {
                (true, false) => None,
                (true, true) => Some("have no crew".to_owned()),
                (false, _) => {
                    let who = match sorts.as_slice() {
                        [one] => one.fighters.to_string(),
                        sorts => words::fighters(numbers, sorts),
                    };
                    Some(format!("are {who}{}", if crewed { " without a crew" } else { "" }))
                }
            };
            (what, sorts)
        };
        counts.iter().map(guess).collect()
    }

    /// Whether everything that a unit strikes with is to be seen but its number.
    pub(super) fn is_plain(&self, foe: &SeenUnit) -> bool {
        matches!(foe.kinds.as_slice(), [(troop, _)] if self.rules.numbers().troop(*troop).crew.is_empty())
    }
}

/// An own unit where the moves leave it.
struct Post<'a> {
    unit: &'a Unit,
    /// Where that is, if it comes there by these orders.
    from: Option<String>,
}

fn fighters(sorts: &[Sort]) -> u16 {
    sorts.iter().map(|sort| sort.fighters).sum()
}

/// The fewest and the most that fall.
fn ends(odds: &Distribution<odds::Harm>) -> (u16, u16) {
    let killed = || odds.outcomes().map(|toll| toll.killed);
    (killed().min().unwrap_or(0), killed().max().unwrap_or(0))
}

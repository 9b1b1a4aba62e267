//! The odds of strikes, from where the moves of a set leave the units.

use super::{Forecast, as_foreseen, falling, named};
use crate::known::{ground, unseen_sorts};
use crate::legality::{Arm, Mover, Outlook, Reason, Refusal};
use crate::model::{Sort, UnitId};
use crate::odds;
use crate::order::Order;
use crate::scores;
use crate::state::{State, Unit};
use crate::view::{Count, OwnUnit, SeenUnit};
use crate::words;
use musterd_dice::odds::Distribution;
use musterd_report::text::listed;

impl Forecast<'_> {
    /// The text for an order to fight, with the units where they are then.
    pub(super) fn combat(&self, state: &State, order: &Order) -> Option<String> {
        let (id, target, arm) = match order {
            Order::Attack { unit, target } => (*unit, *target, Arm::Melee),
            Order::Shoot { unit, target } => (*unit, *target, Arm::Volley),
            Order::Defend { unit } | Order::Surrender { unit, .. } => (*unit, None, Arm::Melee),
            _ => return None,
        };
        let outlook = Outlook { rules: self.rules, state, army: self.view.army? };
        if let Err(refusal) = outlook.may_strike(id) {
            return Some(as_foreseen(&refusal));
        }
        let mover = outlook.mover(id)?;
        let post = Post { from: self.comes_to(id, mover.unit), mover, outlook, arm };
        let told = match order {
            Order::Defend { .. } => Ok(None),
            Order::Surrender { to, .. } => post.mover.may_surrender(&post.outlook, *to).map(|()| None),
            _ => self.strikes(&post, target),
        };
        told.unwrap_or_else(|refusal| Some(self.out_of_reach(&post, &refusal)))
    }

    /// The place to which a unit comes by these orders; none if it stays where it is.
    fn comes_to(&self, id: UnitId, unit: &Unit) -> Option<String> {
        let stays = |own: &OwnUnit| own.at == unit.at && own.aboard == unit.aboard.is_some();
        (!self.view.own.get(&id).is_some_and(stays)).then(|| self.place(unit.at))
    }

    /// The odds of the strike on the unit that is struck, or the units that can be.
    fn strikes(&self, post: &Post<'_>, ordered: Option<UnitId>) -> Result<Option<String>, Refusal> {
        if post.arm == Arm::Volley {
            post.mover.may_shoot(&post.outlook)?;
        }
        if let Some(target) = post.mover.target(&post.outlook, ordered, post.arm)? {
            let hunts = ordered.is_none_or(|ordered| ordered != target);
            let whom = if hunts { format!("it hunts {target}; ") } else { String::new() };
            return Ok(self.on(post, target).map(|odds| whom + &odds));
        }
        let reach = if post.arm == Arm::Melee { "reach" } else { "range" };
        Ok(match post.mover.in_reach(&post.outlook, post.arm).as_slice() {
            [one] => self.on(post, *one).map(|odds| format!("{one} alone is in {reach} now; {odds}")),
            several => Some(format!("in {reach} now: {}", listed(&named(several.iter().copied())))),
        })
    }

    /// Why a unit strikes nobody; of whoever is too far away, how far that is.
    fn out_of_reach(&self, post: &Post<'_>, refusal: &Refusal) -> String {
        let (from, at) = (post.from.as_deref(), post.mover.unit.at);
        match (&refusal.reason, post.arm) {
            (Reason::OutOfReach { target, .. }, Arm::Melee) => {
                format!("{target} is not next to {} now", from.unwrap_or("it"))
            }
            (Reason::OutOfReach { target, .. }, Arm::Volley) => {
                let hexes = self.view.others.get(target).map_or(0, |foe| foe.at.distance(at));
                let from = from.map_or_else(|| "away".to_owned(), |from| format!("from {from}"));
                format!("{target} is {hexes} hexes {from} now, out of range")
            }
            (Reason::NobodyInReach { .. }, Arm::Melee) => {
                format!("no enemy is next to {} now", self.place(at))
            }
            (Reason::NobodyInReach { .. }, Arm::Volley) => {
                format!("no enemy is in range of {} now", self.place(at))
            }
            _ => as_foreseen(refusal),
        }
    }

    /// The odds of a strike on a unit within reach.
    fn on(&self, post: &Post<'_>, target: UnitId) -> Option<String> {
        let foe = self.view.others.get(&target)?;
        let force = post.mover.force_on(&post.outlook, post.arm, foe.at)?;
        Some(match post.arm {
            Arm::Melee => self.strike(post, force, "", foe, |foes| self.retaliation(post, foe, foes)),
            Arm::Volley => {
                let over = format!(" over {}", foe.at.distance(post.mover.unit.at));
                self.strike(post, force, &over, foe, |_| String::new())
            }
        })
    }

    /// How many fall if these fighters of a unit retaliate. What people they are of is not seen: perhaps they are at home.
    fn retaliation(&self, post: &Post<'_>, foe: &SeenUnit, fighters: &[Sort]) -> String {
        let (numbers, switches) = (self.rules.numbers(), self.rules.battle().switches);
        let there = ground(self.rules, self.view, foe.at, foe.aboard);
        let force = |people| {
            let sorts: Vec<Sort> = fighters.iter().map(|sort| Sort { people, ..sort.clone() }).collect();
            scores::defence_force(numbers, switches, &sorts, there)
        };
        let falls = |force| ends(&odds::strike(numbers, switches, force, &post.mover.unit.sorts));
        let (strangers, natives) = (force(None), force(scores::home(numbers, there)));
        if natives == 0 {
            return "; it can't retaliate".to_owned();
        }
        format!("; if it retaliates, {}", falling(falls(strangers).0, falls(natives).1, " of yours"))
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

    /// Whether everything that a unit strikes with is to be seen but its number and its people, of which the courses take the least and the most.
    pub(super) fn is_plain(&self, foe: &SeenUnit) -> bool {
        matches!(foe.kinds.as_slice(), [(troop, _)] if self.rules.numbers().troop(*troop).crew.is_empty())
    }
}

/// An own unit where the moves leave it, with what it is to strike with.
struct Post<'a> {
    outlook: Outlook<'a>,
    mover: Mover<'a>,
    arm: Arm,
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

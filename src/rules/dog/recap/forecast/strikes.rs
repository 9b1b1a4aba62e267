//! The odds of strikes, from where the moves of a set leave the units.

use std::collections::BTreeMap;

use super::phrases::{as_foreseen, falling};
use crate::data::Dog;
use crate::known::{ground, unseen_sorts};
use crate::legality::{Mover, Observation, Reason, Refusal};
use crate::model::{Sort, UnitId, fighters};
use crate::odds;
use crate::order::{Arm, Order};
use crate::scores;
use crate::state::{State, Unit};
use crate::view::{Count, OwnUnit, SeenUnit, View};
use crate::words;
use musterd_dice::odds::Distribution;
use musterd_engine::orders::Placed;
use musterd_kit::lists::listed;
use musterd_report::text::sentence;

/// What an order to fight comes to.
#[derive(Debug, Clone, Default)]
pub(super) struct Fight {
    /// Its text in the receipt.
    pub(super) told: Option<String>,
    /// Why it is not carried out, as things are foreseen.
    pub(super) refused: Option<Refusal>,
}

/// What the orders to fight in a set come to, by their places, one after the other: whom a strike kills the next one doesn't meet. `state` is the
/// position after the moves.
pub(super) fn foretold(
    rules: &Dog,
    view: &View,
    state: &State,
    orders: &[Placed<Order>],
) -> BTreeMap<usize, Fight> {
    let mut combat = Combat { rules, view, struck: BTreeMap::new() };
    let fights = orders.iter().enumerate().filter(|(_, placed)| placed.order.is_combat());
    fights.map(|(place, placed)| (place, combat.fight(state, &placed.order).unwrap_or_default())).collect()
}

/// The combat of a round as far as one side's orders go.
struct Combat<'a> {
    rules: &'a Dog,
    view: &'a View,
    /// Enemies whom earlier orders strike.
    struck: BTreeMap<UnitId, Struck>,
}

/// Who may be left of a unit that was struck.
struct Struck {
    /// Who strikes it, in the order of the strikes.
    by: Vec<UnitId>,
    /// The fewest who are left.
    fewest: Vec<Sort>,
    /// The most who are left.
    most: Vec<Sort>,
}

impl Combat<'_> {
    /// What an order to fight comes to, with the units where they are then.
    fn fight(&mut self, state: &State, order: &Order) -> Option<Fight> {
        let (id, target, arm) = match order {
            Order::Strike { unit, arm, target } => (*unit, *target, *arm),
            Order::Defend { unit } | Order::Surrender { unit, .. } => (*unit, None, Arm::Melee),
            _ => return None,
        };
        let observation = Observation { rules: self.rules, state, army: self.view.army? };
        if let Err(refusal) = observation.may_strike(id) {
            // Who can't strike defends itself all the same.
            let refused = Some(refusal.clone()).filter(|_| !matches!(order, Order::Defend { .. }));
            let told = match order {
                Order::Defend { .. } => observation.may_defend(id).err(),
                _ => Some(refusal),
            };
            return Some(Fight { told: told.as_ref().map(as_foreseen), refused });
        }
        let mover = observation.mover(id)?;
        let post = Post { from: self.comes_to(id, mover.unit), mover, arm };
        let told = match order {
            Order::Defend { .. } => Ok(None),
            Order::Surrender { to, .. } => post.mover.may_surrender(*to).map(|()| None),
            _ => self.strikes(&post, target),
        };
        Some(match told {
            Ok(told) => Fight { told, refused: None },
            Err(refusal) => Fight { told: Some(self.out_of_reach(&post, &refusal)), refused: Some(refusal) },
        })
    }

    /// The place to which a unit comes by these orders; none if it stays where it is.
    fn comes_to(&self, id: UnitId, unit: &Unit) -> Option<String> {
        let stays = |own: &OwnUnit| own.at == unit.at && own.aboard == unit.aboard.is_some();
        (!self.view.own.get(&id).is_some_and(stays)).then(|| self.rules.place(unit.at))
    }

    /// The odds of the strike on the unit that is struck, or the units that can be.
    fn strikes(&mut self, post: &Post<'_>, ordered: Option<UnitId>) -> Result<Option<String>, Refusal> {
        if post.arm == Arm::Volley {
            post.mover.may_shoot()?;
        }
        if let Some(target) = post.mover.target(ordered, post.arm)? {
            let hunts = ordered.is_none_or(|ordered| ordered != target);
            let whom = if hunts { format!("it hunts {target}; ") } else { String::new() };
            let odds = self.on(post, target);
            self.note(post, target, true);
            return Ok(odds.map(|odds| whom + &odds));
        }
        let reach = if post.arm == Arm::Melee { "reach" } else { "range" };
        let is_left = |id: &UnitId| self.struck.get(id).is_none_or(|struck| fighters(&struck.most) > 0);
        let all = post.mover.in_reach(post.arm);
        let left: Vec<UnitId> = all.iter().copied().filter(is_left).collect();
        let told = match left.as_slice() {
            [] => Some(format!("nobody is left in {reach} by then")),
            [one] => self.on(post, *one).map(|odds| format!("{one} alone is in {reach} now; {odds}")),
            several => Some(format!("in {reach} now: {}", listed(several))),
        };
        for target in &left {
            self.note(post, *target, left.len() == 1);
        }
        Ok(told)
    }

    /// Notes a strike for the orders after it: surely it falls on this unit, or perhaps.
    fn note(&mut self, post: &Post<'_>, target: UnitId, surely: bool) {
        let Some(foe) = self.view.others.get(&target) else { return };
        let Some(force) = post.mover.force_on(post.arm, foe.at) else { return };
        let guesses = self.guesses(target, foe);
        let (Some(fewest), Some(most)) = (guesses.first(), guesses.last()) else { return };
        let (numbers, switches) = (self.rules.numbers(), self.rules.battle().switches);
        let after = |sorts: &[Sort], die| {
            let (killed, _) = scores::deaths(numbers, sorts, scores::damage(switches, force, die));
            let left = |(sort, dead): (&Sort, &u16)| Sort {
                fighters: sort.fighters.saturating_sub(*dead),
                ..sort.clone()
            };
            sorts.iter().zip(&killed).map(left).filter(|sort| sort.fighters > 0).collect::<Vec<_>>()
        };
        let fewest = after(&fewest.sorts, 6);
        let most = match self.struck.contains_key(&target) {
            true => most.sorts.clone(),
            false => self.stoutest(foe, fighters(&most.sorts)),
        };
        let most = if surely { after(&most, 1) } else { most };
        let mut by = self.struck.remove(&target).map(|struck| struck.by).unwrap_or_default();
        by.push(post.mover.id);
        self.struck.insert(target, Struck { by, fewest, most });
    }

    /// So many fighters of a unit in sight as they stand the most damage, as far as it can be seen: with the crews that have the most hit points, and of those the best defence; in a mixed
    /// unit one of each kind, and the rest of the kind with the most.
    fn stoutest(&self, foe: &SeenUnit, all: u16) -> Vec<Sort> {
        let numbers = self.rules.numbers();
        let mut sorts = unseen_sorts(&foe.kinds, all);
        for sort in &mut sorts {
            let crews = numbers.troop(sort.troop).crew.iter().filter_map(|code| numbers.find(code));
            sort.crew = crews.max_by_key(|crew| {
                let troop = numbers.troop(*crew);
                (troop.hp, troop.defence, std::cmp::Reverse(*crew))
            });
            sort.fighters = sort.fighters.min(1);
        }
        let rest = all.saturating_sub(fighters(&sorts));
        if let Some(stoutest) = sorts.iter_mut().rev().max_by_key(|sort| scores::hp(numbers, sort)) {
            stoutest.fighters += rest;
        }
        sorts
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
                format!("no enemy is next to {} now", self.rules.place(at))
            }
            (Reason::NobodyInReach { .. }, Arm::Volley) => {
                format!("no enemy is in range of {} now", self.rules.place(at))
            }
            _ => as_foreseen(refusal),
        }
    }

    /// The odds of a strike on a unit within reach.
    fn on(&self, post: &Post<'_>, target: UnitId) -> Option<String> {
        let foe = self.view.others.get(&target)?;
        let guesses = self.guesses(target, foe);
        if let [Guess { what: Some(nobody), sorts }] = guesses.as_slice()
            && sorts.is_empty()
        {
            return Some(nobody.clone());
        }
        let force = post.mover.force_on(post.arm, foe.at)?;
        Some(match post.arm {
            Arm::Melee => self.strike(post, force, "", &guesses, |foes| self.retaliation(post, foe, foes)),
            Arm::Volley => {
                let over = format!(" over {}", foe.at.distance(post.mover.unit.at));
                self.strike(post, force, &over, &guesses, |_| String::new())
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
        guesses: &[Guess],
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
        match guesses {
            [] => head,
            [Guess { what: None, sorts }] => format!("{head}, {}", fall(sorts)),
            guesses => {
                let each = |Guess { what, sorts }: &Guess| {
                    let what = what.as_deref().unwrap_or_default();
                    match sorts.as_slice() {
                        [] => format!(". {what}: it strikes nobody"),
                        sorts => format!(". {what}: {}", fall(sorts)),
                    }
                };
                guesses.iter().map(each).fold(head, |told, guess| told + &guess)
            }
        }
    }

    /// The possible compositions of a unit in sight, when this strike falls on it.
    fn guesses(&self, target: UnitId, foe: &SeenUnit) -> Vec<Guess> {
        match self.struck.get(&target) {
            Some(struck) => self.left(target, struck),
            None => self.unhurt(self.view.count(target, foe), foe),
        }
    }

    /// Who may be left of a unit that was struck: the fewest and the most.
    fn left(&self, target: UnitId, struck: &Struck) -> Vec<Guess> {
        let (whose, leave) = match struck.by.as_slice() {
            [one] => (format!("{one}'s strike"), "leaves"),
            several => (format!("the strikes of {}", listed(several)), "leave"),
        };
        let mixed = self.view.others.get(&target).is_some_and(|foe| foe.kinds.len() > 1);
        let guess = |is_sure: bool, sorts: &Vec<Sort>| {
            let who = match sorts.as_slice() {
                [] => format!("nobody of {target}"),
                [one] if !mixed => {
                    let crew = one.crew.map(|crew| self.rules.numbers().troop(crew).name.as_str());
                    let crew = crew.map_or_else(String::new, |crew| format!(", with a crew of {crew}"));
                    format!("{} of {target}{crew}", one.fighters)
                }
                sorts => format!("{} of {target}", words::fighters(self.rules.numbers(), sorts)),
            };
            let what = match (is_sure, sorts.is_empty()) {
                (false, _) => format!("If {whose} {leave} {who}"),
                (true, false) => sentence(&format!("{whose} {leave} {who}")),
                (true, true) => format!("{whose} {leave} {who}"),
            };
            Guess { what: Some(what), sorts: sorts.clone() }
        };
        match struck.fewest == struck.most {
            true => vec![guess(true, &struck.most)],
            false => vec![guess(false, &struck.fewest), guess(false, &struck.most)],
        }
    }

    /// The possible compositions of a unit that nobody struck: the least and the greatest number, in words if they are only guessed. The composition of
    /// a mixed unit is not visible (it is assumed to be even here), nor are the riders of a chariot.
    fn unhurt(&self, count: Count, foe: &SeenUnit) -> Vec<Guess> {
        let counts = match count {
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
            let known = matches!(count, Count::Exactly(_));
            let what = match (known && sorts.len() == 1, crewed) {
                (true, false) => None,
                (true, true) => Some("If they have no crew".to_owned()),
                (false, _) => {
                    let who = match sorts.as_slice() {
                        [one] => one.fighters.to_string(),
                        sorts => words::fighters(numbers, sorts),
                    };
                    Some(format!("If they are {who}{}", if crewed { " without a crew" } else { "" }))
                }
            };
            Guess { what, sorts }
        };
        counts.iter().map(guess).collect()
    }
}

/// Whether everything that a unit strikes with is to be seen but its number and its people, of which the courses take the least and the most.
pub(super) fn is_plain(rules: &Dog, foe: &SeenUnit) -> bool {
    matches!(foe.kinds.as_slice(), [(troop, _)] if rules.numbers().troop(*troop).crew.is_empty())
}

/// A possible composition of a unit.
struct Guess {
    /// On what condition, in words; none if it is known.
    what: Option<String>,
    /// Its fighters; empty if nobody is left.
    sorts: Vec<Sort>,
}

/// An own unit where the moves leave it, with what it is to strike with.
struct Post<'a> {
    mover: Mover<'a>,
    arm: Arm,
    /// Where that is, if it comes there by these orders.
    from: Option<String>,
}

/// The fewest and the most that fall.
fn ends(odds: &Distribution<odds::Harm>) -> (u16, u16) {
    let killed = || odds.outcomes().map(|toll| toll.killed);
    (killed().min().unwrap_or(0), killed().max().unwrap_or(0))
}

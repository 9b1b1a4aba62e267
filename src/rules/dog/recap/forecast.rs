//! The expected results of orders as far as their leader can know them: where marches end, and the odds of the strikes that follow.

mod deeds;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::data::Dog;
use crate::known::{ground, unseen_sorts, ways};
use crate::legality::{Lookout as _, Refusal};
use crate::model::{Sort, UnitId};
use crate::odds;
use crate::order::{March, Order, Way};
use crate::scores;
use crate::view::{Count, OwnUnit, SeenUnit, View};
use crate::way::{Ways, holds, left_behind, left_enemies};
use crate::words;
use musterd_dice::odds::Distribution;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Placed;
use musterd_report::text::listed;

/// The orders of a set, followed in the order of their lines.
pub(super) struct Forecast<'a> {
    rules: &'a Dog,
    view: &'a View,
    posts: BTreeMap<UnitId, Post>,
    /// Where each boat lies, and who is aboard.
    boats: Vec<(Hex, Option<UnitId>)>,
    /// The hexes of crews and rear guards that these orders detach, with their units.
    detached: BTreeMap<Hex, UnitId>,
    /// The text for each move, by its index in the set.
    moves: BTreeMap<usize, String>,
}

/// The expected place of a unit in combat.
struct Post {
    at: Hex,
    sorts: Vec<Sort>,
    aboard: bool,
    hidden: bool,
    /// Whether it comes there by an order of this set.
    moved: bool,
    /// Whether it has had its move.
    done: bool,
    /// Points that it spends where it stands, in halves: for its crew to go on foot.
    spent: u16,
    /// While its crew waits to get down: the place of its order in the set.
    crew: Option<usize>,
}

/// The unit in a hex after the orders so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Occupant {
    Unit(UnitId),
    /// What these orders detach from a unit, which has no name yet.
    PartOf(UnitId),
}

/// `E1`, `part of E1`.
impl fmt::Display for Occupant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit(id) => write!(f, "{id}"),
            Self::PartOf(id) => write!(f, "part of {id}"),
        }
    }
}

/// How far a march gets as things stand.
struct Advance {
    way: Vec<Hex>,
    reached: Option<Hex>,
    /// Points spent, in halves.
    spent: u16,
    /// Why it ends before its end.
    stop: Option<Halt>,
    /// Enemies that strike at the back of a flight.
    pursued: BTreeSet<UnitId>,
}

/// What ends a march early.
enum Halt {
    /// `saves`: a whole round's points are too few for the hex, so that they are kept for it (ruling DOG-13).
    Points {
        saves: bool,
    },
    Barred {
        hex: Hex,
        reason: String,
    },
    Taken {
        hex: Hex,
        by: Occupant,
    },
    Engaged {
        by: Vec<UnitId>,
        rear_guard: Option<u16>,
    },
}

impl<'a> Forecast<'a> {
    /// Follows every move of a set.
    pub(super) fn of(rules: &'a Dog, view: &'a View, orders: &[Placed<Order>]) -> Self {
        let post = |unit: &OwnUnit| Post {
            at: unit.at,
            sorts: unit.sorts.clone(),
            aboard: unit.aboard,
            hidden: unit.hidden,
            moved: false,
            done: false,
            spent: 0,
            crew: None,
        };
        let posts: BTreeMap<UnitId, Post> = view.own.iter().map(|(id, unit)| (*id, post(unit))).collect();
        let (boats, detached, moves) = (view.boats.clone(), BTreeMap::new(), BTreeMap::new());
        let mut forecast = Self { rules, view, posts, boats, detached, moves };
        for (place, placed) in orders.iter().enumerate() {
            let told = match &placed.order {
                Order::March(march) => forecast.march(march),
                order => forecast.deed(place, order),
            };
            if !told.is_empty() {
                forecast.moves.insert(place, told);
            }
        }
        for unit in view.own.keys() {
            forecast.set_down_beside(*unit);
        }
        forecast
    }

    /// The text for the order with this index: points of a march, odds of a strike.
    pub(super) fn of_order(&self, place: usize, order: &Order) -> Option<String> {
        match order {
            order if order.is_move() => self.moves.get(&place).cloned(),
            Order::Attack { unit, target: Some(target) } => self.attack(*unit, *target),
            Order::Attack { unit, target: None } => {
                let post = self.posts.get(unit)?;
                let beside = self.in_sight(|foe| post.at.distance(foe.at) == 1);
                match beside.as_slice() {
                    [] => Some(format!("no enemy is next to {} now", self.place(post.at))),
                    [one] => Some(format!("{one} alone is in reach now; {}", self.attack(*unit, *one)?)),
                    several => Some(format!("in reach now: {}", listed(&named(several)))),
                }
            }
            Order::Shoot { unit, target: Some(target) } => self.volley(*unit, *target),
            Order::Shoot { unit, target: None } => {
                let post = self.posts.get(unit)?;
                if let Some(unarmed) = self.unarmed(*unit) {
                    return Some(unarmed);
                }
                let within = self.in_sight(|foe| self.volley_force(*unit, post, foe) > 0);
                match within.as_slice() {
                    [] => Some(format!("no enemy is in range of {} now", self.place(post.at))),
                    [one] => Some(format!("{one} alone is in range now; {}", self.volley(*unit, *one)?)),
                    several => Some(format!("in range now: {}", listed(&named(several)))),
                }
            }
            Order::Surrender { unit, to } => {
                self.mover(*unit)?.may_surrender(self, *to).err().map(|refusal| as_foreseen(&refusal))
            }
            _ => None,
        }
    }

    fn not_next_to(&self, post: &Post, target: UnitId) -> String {
        match post.moved {
            false => format!("{target} is not next to it now"),
            true => format!("{target} is not next to {} now", self.place(post.at)),
        }
    }

    fn place(&self, hex: Hex) -> String {
        self.rules.battle().field.place(hex)
    }

    /// Enemies in sight that are nobody's prisoners, of those that are wanted.
    fn in_sight(&self, wanted: impl Fn(&SeenUnit) -> bool) -> Vec<UnitId> {
        let foes = self.foes().into_iter().map(|(id, _)| id);
        foes.filter(|id| self.view.others.get(id).is_some_and(&wanted)).collect()
    }

    /// A march, and the place where a crew gets down that could not do so when it began (ruling DOG-36).
    fn march(&mut self, march: &March) -> String {
        let told = self.go(march);
        self.set_down_beside(march.unit);
        told
    }

    /// A march as far as it is known: hexes, points, how far it gets this round and why no farther. The unit then stands there.
    fn go(&mut self, march: &March) -> String {
        let (Some(own), Some(mover)) = (self.view.own.get(&march.unit), self.mover(march.unit)) else {
            return String::new();
        };
        if let Err(refusal) = mover.may_march(march) {
            return as_foreseen(&refusal);
        }
        if let Some(post) = self.posts.get_mut(&march.unit) {
            post.done = true;
        }
        let Some(post) = self.posts.get(&march.unit) else { return String::new() };
        let mut ways = ways(self.rules, self.view);
        ways.taken = self.taken().into_keys().collect();
        let way = match &march.way {
            Way::By(hexes) => hexes.clone(),
            Way::To(to) => match ways.best(&own.sorts, own.aboard, own.at, *to) {
                Some(way) => way,
                None => return "as things stand there is no way".to_owned(),
            },
        };
        let all = scores::points(self.rules.numbers(), &own.sorts, own.aboard);
        let course = self.course(march, own, post, way, all, &ways);
        let told = self.course_told(own.at, all, &course);
        let start = post.at;
        let stay = march.leave.filter(|_| course.reached.is_some()).unwrap_or(0);
        if let (Some(end), Some(post)) = (course.reached, self.posts.get_mut(&march.unit)) {
            (post.at, post.moved, post.hidden) = (end, true, false);
            // A rear guard takes the hex before a crew does. The crew then gets down at the end of the march.
            let crew = march.leave.is_none() && post.crew.take().is_some();
            if crew {
                post.on_foot();
            }
            if crew || stay > 0 {
                self.detached.insert(start, march.unit);
            }
            if let Some(boat) = self.boats.iter_mut().find(|(_, load)| *load == Some(march.unit)) {
                boat.0 = end;
            }
            let behind = left_behind(&post.sorts, stay);
            post.sorts.iter_mut().zip(behind).for_each(|(sort, stay)| {
                sort.fighters = sort.fighters.saturating_sub(stay);
            });
        }
        told
    }

    /// Who stands where once the moves before are made.
    fn taken(&self) -> BTreeMap<Hex, Occupant> {
        let own = self.posts.iter().map(|(id, post)| (post.at, Occupant::Unit(*id)));
        let detached = self.detached.iter().map(|(hex, of)| (*hex, Occupant::PartOf(*of)));
        let others = self.view.others.iter().map(|(id, unit)| (unit.at, Occupant::Unit(*id)));
        own.chain(detached).chain(others).collect()
    }

    fn course(
        &self,
        march: &March,
        own: &OwnUnit,
        post: &Post,
        way: Vec<Hex>,
        all: u16,
        ways: &Ways<'_>,
    ) -> Advance {
        let (taken, foes) = (self.taken(), self.foes());
        let start = post.at;
        let (mut from, mut stop) = (start, None);
        let mut course =
            Advance { way, reached: None, spent: post.spent, stop: None, pursued: BTreeSet::new() };
        for to in course.way.clone() {
            if let Some(by) = taken.get(&to).filter(|by| **by != Occupant::Unit(march.unit)) {
                stop = Some(Halt::Taken { hex: to, by: *by });
                break;
            }
            let saved = own
                .saved
                .filter(|(toward, _)| *toward == to && course.reached.is_none())
                .map_or(0, |(_, saved)| saved);
            match ways.step(&own.sorts, own.aboard, from, to) {
                Err(reason) => {
                    stop = Some(Halt::Barred { hex: to, reason });
                    break;
                }
                Ok(cost) if course.spent.saturating_add(cost.saturating_sub(saved)) > all => {
                    stop = Some(Halt::Points { saves: cost > all && !own.aboard });
                    break;
                }
                Ok(cost) => {
                    let mut left = left_enemies(&foes, from, to);
                    // A rear guard holds so many of them (ruling DOG-18).
                    let stays = march.leave.filter(|_| from == start && !left.is_empty());
                    let held = stays.map_or(0, |stay| holds(self.rules, fighters(&own.sorts), stay));
                    let held = held.min(left.len());
                    if !march.flee && held < left.len() {
                        stop = Some(Halt::Engaged { by: left, rear_guard: stays });
                        break;
                    }
                    course.pursued.extend(left.drain(held..));
                    course.spent += cost.saturating_sub(saved);
                }
            }
            (from, course.reached) = (to, Some(to));
        }
        course.stop = stop;
        course
    }

    fn course_told(&self, start: Hex, all: u16, course: &Advance) -> String {
        let path: Vec<String> = course.way.iter().map(ToString::to_string).collect();
        let by = format!("by {}", path.join(", "));
        let stands = self.place(course.reached.unwrap_or(start));
        let far = match course.reached {
            Some(_) => format!("{by}: as far as {stands} this round"),
            None => format!("{by}: it stays in {stands} this round"),
        };
        let mut told = match &course.stop {
            None => format!("{by}: {} of {} points", words::halves(course.spent), words::halves(all)),
            Some(Halt::Points { saves: true }) if course.reached.is_none() => {
                format!("saves its points for {}", self.place(course.way[0]))
            }
            Some(Halt::Points { .. }) => far,
            Some(Halt::Barred { hex, reason }) => format!("it can't enter {}: {reason}", self.place(*hex)),
            Some(Halt::Taken { hex, by }) => format!("{far}; {by} stands in {} now", self.place(*hex)),
            Some(Halt::Engaged { by, rear_guard: Some(stay) }) => {
                format!("{far}; {stay} who stay are too few to hold {} (DOG-18)", listed(&named(by)))
            }
            Some(Halt::Engaged { by, rear_guard: None }) => {
                let (is, strikes) = if by.len() == 1 { ("is", "strikes") } else { ("are", "strike") };
                let who = listed(&named(by));
                format!(
                    "{far}; {who} {is} next to it, and a MOVE leaves no enemy (DOG-40): FLEE goes on, and {who} {strikes} at its back"
                )
            }
        };
        if !course.pursued.is_empty() {
            let strike = if course.pursued.len() == 1 { "strikes" } else { "strike" };
            let who = course.pursued.iter().copied().collect::<Vec<_>>();
            told.push_str(&format!("; {} {strike} at its back", listed(&named(&who))));
        }
        told
    }

    /// The odds of an attack on a unit in sight, if that stays where it is.
    fn attack(&self, id: UnitId, target: UnitId) -> Option<String> {
        let (post, foe) = (self.posts.get(&id)?, self.view.others.get(&target)?);
        if post.at.distance(foe.at) != 1 {
            return Some(self.not_next_to(post, target));
        }
        let (numbers, switches) = (self.rules.numbers(), self.rules.battle().switches);
        let here = ground(self.rules, self.view, post.at, post.aboard);
        let there = ground(self.rules, self.view, foe.at, foe.aboard);
        let back = |sorts: &[Sort]| {
            let back = scores::defence_force(numbers, switches, sorts, there);
            let (least, most) = ends(&odds::strike(numbers, switches, back, &post.sorts));
            match back {
                0 => "; it can't retaliate".to_owned(),
                _ => format!("; if it retaliates, {}", falling(least, most, " of yours")),
            }
        };
        Some(self.strike(post, scores::attack_force(numbers, &post.sorts, here), "", foe, back))
    }

    fn volley(&self, id: UnitId, target: UnitId) -> Option<String> {
        let (post, foe) = (self.posts.get(&id)?, self.view.others.get(&target)?);
        if let Some(unarmed) = self.unarmed(id) {
            return Some(unarmed);
        }
        let hexes = post.at.distance(foe.at);
        match self.volley_force(id, post, foe) {
            0 => Some(match post.moved {
                false => format!("{target} is {hexes} hexes away now, out of range"),
                true => format!("{target} is {hexes} hexes from {} now, out of range", self.place(post.at)),
            }),
            force => Some(self.strike(post, force, &format!(" over {hexes}"), foe, |_| String::new())),
        }
    }

    /// Why a unit can shoot at nobody, however near.
    fn unarmed(&self, id: UnitId) -> Option<String> {
        let shots = &self.view.own.get(&id)?.shots;
        let refused = self.mover(id)?.may_shoot(self.rules.numbers(), shots).err();
        refused.map(|refusal| as_foreseen(&refusal))
    }

    fn volley_force(&self, id: UnitId, post: &Post, foe: &SeenUnit) -> u32 {
        let shots = self.view.own.get(&id).map_or(&[][..], |unit| &unit.shots);
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        scores::volley_force(numbers, scale, &post.sorts, shots, post.at.distance(foe.at))
    }

    /// The odds of a strike of this force on a unit in sight, for every possible composition of the unit, with the retaliation.
    fn strike(
        &self,
        post: &Post,
        force: u32,
        over: &str,
        foe: &SeenUnit,
        back: impl Fn(&[Sort]) -> String,
    ) -> String {
        let (numbers, switches) = (self.rules.numbers(), self.rules.battle().switches);
        let (low, high) = (scores::damage(switches, force, 1), scores::damage(switches, force, 6));
        let from = if post.moved { format!("from {}, ", self.place(post.at)) } else { String::new() };
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
}

fn named(ids: &[UnitId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

fn fighters(sorts: &[Sort]) -> u16 {
    sorts.iter().map(|sort| sort.fighters).sum()
}

/// The fewest and the most that fall.
fn ends(odds: &Distribution<odds::Harm>) -> (u16, u16) {
    let killed = || odds.outcomes().map(|toll| toll.killed);
    (killed().min().unwrap_or(0), killed().max().unwrap_or(0))
}

/// So many fall: `8 to 11 fall`, `1 of yours falls`.
fn falling(least: u16, most: u16, of: &str) -> String {
    match (least, most) {
        (_, 0) => format!("none{of} fall"),
        (1, 1) => format!("1{of} falls"),
        (least, most) if least == most => format!("{least}{of} fall"),
        (least, most) => format!("{least} to {most}{of} fall"),
    }
}

/// The text of a receipt for an order that will have no effect.
fn as_foreseen(refusal: &Refusal) -> String {
    match refusal.passing {
        true => format!("as things are now, {}", refusal.reason),
        false => refusal.reason.clone(),
    }
}

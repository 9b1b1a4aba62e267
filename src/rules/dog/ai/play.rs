//! A computer leader's orders for a round.

use std::collections::{BTreeMap, BTreeSet};

use super::reach::{costs_to, this_round};
use super::skill::Skill;
use super::worth::{self, Worth};
use crate::battle::Ground;
use crate::data::Dog;
use crate::known::{ground, ways};
use crate::model::{People, Sort, TroopId, UnitId};
use crate::scores;
use crate::view::{OwnUnit, View, Wait};
use crate::way::Ways;
use musterd_engine::hex::Hex;
use musterd_kit::way as kit;

/// Order lines for this view. The same view and seed give the same orders.
pub(crate) fn play(rules: &Dog, view: &View, skill: Skill, seed: u64) -> String {
    let lines = match view.wait {
        Wait::Founding | Wait::Over => Vec::new(),
        Wait::SetUp => super::deploy::records(rules, view),
        Wait::Orders | Wait::Moves | Wait::Combat => Leader::new(rules, view, skill, seed).orders(),
    };
    lines.into_iter().map(|line| line + "\n").collect()
}

/// An enemy in sight.
struct Foe {
    at: Hex,
    ground: Ground,
    /// The fighters that are left, after the strikes that are already planned.
    sorts: Vec<Sort>,
    attack: u32,
    /// The force of its volley, and its range; zero if it can't shoot.
    volley: (u32, u32),
    /// Whole points to move.
    moves: u32,
    /// The number of own units that it could strike in its next round; its strike hits one of them.
    targets: i64,
}

/// The danger from an enemy for one own unit: the same wherever the unit stands within the enemy's reach.
struct Threat<'a> {
    foe: &'a Foe,
    /// The average damage of his volley.
    arrows: Worth,
    /// The average damage of his attack.
    blow: Worth,
}

/// The properties that a unit's way depends on: its fighters, and whether it is in a boat.
type Mobility = (Vec<(TroopId, Option<People>)>, bool);

/// A leader's way of fighting this round.
struct Temper {
    /// The value of half a point of the way to the enemy, in percent of the unit's worth.
    advance: i64,
    /// The weight of own losses in an attack, in percent.
    caution: i64,
    /// Whether units that have not been found stay hidden.
    waits: bool,
}

/// A unit's action in combat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deed {
    Defend,
    Attack(UnitId),
    /// Strike any enemy that comes next to it this round.
    Meet,
    Shoot(UnitId),
}

/// A unit's plan, with its value.
struct Plan {
    worth: Worth,
    way: Vec<Hex>,
    /// A hex that it saves points for (ruling DOG-13).
    toward: Option<Hex>,
    hides: bool,
    deed: Deed,
}

struct Leader<'a> {
    rules: &'a Dog,
    view: &'a View,
    seed: u64,
    ways: Ways<'a>,
    foes: BTreeMap<UnitId, Foe>,
    /// The hexes of enemies who stop units next to them.
    held: BTreeSet<Hex>,
    /// The distance to the enemy, for every kind of unit that was planned for.
    far: BTreeMap<Mobility, kit::Ways<u16>>,
    temper: Temper,
}

impl<'a> Leader<'a> {
    fn new(rules: &'a Dog, view: &'a View, skill: Skill, seed: u64) -> Self {
        let battle = rules.battle();
        let numbers = rules.numbers();
        let hostile = |army| view.army.is_some_and(|own| !battle.allied(own, army));
        let mut foes = BTreeMap::new();
        for (id, seen) in view.others.iter().filter(|(_, unit)| unit.captive.is_none() && hostile(unit.army))
        {
            let sorts = worth::guessed(seen);
            let ground = ground(rules, view, seen.at, seen.aboard);
            let arms = sorts.iter().filter_map(|sort| Some((sort, scores::distance(numbers, sort)?)));
            let reach = arms.clone().map(|(_, arm)| scores::reach(battle.scale, arm)).max().unwrap_or(0);
            let volley = arms.map(|(sort, arm)| u32::from(sort.fighters).saturating_mul(arm.power));
            let volley = volley.fold(0, u32::saturating_add);
            let moves = u32::from(scores::moves(numbers, &sorts));
            let foe = Foe {
                at: seen.at,
                ground,
                attack: scores::attack_force(numbers, &sorts, ground),
                volley: (volley, reach),
                moves,
                targets: view
                    .own
                    .values()
                    .filter(|own| own.at.distance(seen.at) <= reach.max(1) + moves)
                    .count()
                    .try_into()
                    .unwrap_or(1),
                sorts,
            };
            foes.insert(*id, foe);
        }
        let held = foes.values().map(|foe| foe.at).collect();
        let temper = Temper::of(rules, view, &foes, skill);
        Self { rules, view, seed, ways: ways(rules, view), foes, held, far: BTreeMap::new(), temper }
    }

    fn orders(mut self) -> Vec<String> {
        let (moves, fights) = (self.view.wait != Wait::Combat, self.view.wait != Wait::Moves);
        let mut own: Vec<(&UnitId, &OwnUnit)> =
            self.view.own.iter().filter(|(_, unit)| unit.captive.is_none() && !unit.guards).collect();
        // Units in front move first, so that they don't block each other.
        let near = |at: Hex| self.foes.values().map(|foe| foe.at.distance(at)).min().unwrap_or(0);
        own.sort_by_key(|(id, unit)| (near(unit.at), **id));
        let (mut marches, mut volleys, mut attacks) = (Vec::new(), Vec::new(), Vec::new());
        for (id, unit) in own {
            let kind = kind(unit);
            if !self.far.contains_key(&kind) {
                let costs = costs_to(&self.ways, &unit.sorts, unit.aboard, &self.goals());
                self.far.insert(kind.clone(), costs);
            }
            let plan = self.plan(unit, self.far.get(&kind), moves);
            if let Some(end) = plan.way.last() {
                let way: Vec<String> = plan.way.iter().map(ToString::to_string).collect();
                marches.push(format!("MOVE {id} {}", way.join(" ")));
                self.ways.taken.remove(&unit.at);
                self.ways.taken.insert(*end);
            } else if let Some(toward) = plan.toward {
                marches.push(format!("MOVE {id} {toward}"));
            } else if plan.hides {
                marches.push(format!("HIDE {id}"));
            }
            let at = plan.way.last().copied().unwrap_or(unit.at);
            match plan.deed {
                Deed::Defend => {}
                Deed::Meet => attacks.push(format!("ATTACK {id}")),
                Deed::Shoot(foe) => volleys.push(format!("SHOOT {id}{}", self.named(foe))),
                Deed::Attack(foe) => attacks.push(format!("ATTACK {id}{}", self.named(foe))),
            }
            self.strike(unit, at, plan.deed);
        }
        if !fights {
            return marches;
        }
        // Shooters go first: an enemy that has been shot at is easier to attack.
        marches.into_iter().chain(volleys).chain(attacks).collect()
    }

    /// The name of a target that an own unit next to it holds. Empty for a target that may move, so that the attack falls on whoever is there then.
    fn named(&self, id: UnitId) -> String {
        let holds = self
            .view
            .own
            .values()
            .any(|unit| self.foes.get(&id).is_some_and(|foe| foe.at.distance(unit.at) == 1));
        if holds { format!(" {id}") } else { String::new() }
    }

    /// The best plan for a unit.
    fn plan(&self, unit: &OwnUnit, far: Option<&kit::Ways<u16>>, moves: bool) -> Plan {
        let numbers = self.rules.numbers();
        let most = if unit.aboard { numbers.boat.moves } else { scores::moves(numbers, &unit.sorts) };
        let halves = most.saturating_mul(2);
        let points = if moves { halves } else { 0 };
        let shoots = unit.shots.iter().any(|left| *left > 0);
        let own = worth::unit(self.rules, &unit.sorts, shoots);
        let range = self.range(unit);
        let left = |at: Hex| {
            far.and_then(|far| far.cost(at))
                .map_or(i64::from(u16::MAX), |cost| i64::from(cost.saturating_sub(range)))
        };
        let here = left(unit.at);
        let gain = |left: i64| {
            // The first four halves count in full: a unit that runs ahead alone is lost.
            let won = here - left;
            own * self.temper.advance * (won.min(4) * 4 + (won - 4).clamp(0, 12)) / 400
        };
        let threats = self.threats(unit);
        let mut best: Option<Plan> = None;
        let mut offer = |plan: Plan| {
            if best.as_ref().is_none_or(|best| plan.worth > best.worth) {
                best = Some(plan);
            }
        };
        for (at, way) in this_round(&self.ways, &self.held, unit, points) {
            let stays = way.is_empty();
            let (deed, fight) = self.deed(unit, at, stays);
            let deed = if deed == Deed::Defend && self.meets(unit, at) { Deed::Meet } else { deed };
            let shown = !stays || deed != Deed::Defend;
            let ambush = if unit.hidden && self.temper.waits && shown { own / 8 } else { 0 };
            let risk = if unit.hidden && !shown { 0 } else { self.risk(unit, own, &threats, at) };
            let tie = i64::from(u32::from(at.col) ^ u32::from(at.row)) * (self.seed % 7).cast_signed() % 5;
            // A unit moves only if it gains something.
            let rest = if stays { 10 } else { 0 };
            let worth = fight - risk - ambush + gain(left(at)) + rest + tie;
            offer(Plan { worth, way, toward: None, hides: false, deed });
            if stays && moves && matches!(deed, Deed::Defend | Deed::Meet) {
                if self.may_hide(unit) {
                    offer(Plan {
                        worth: worth + risk / 2 + 1,
                        way: Vec::new(),
                        toward: None,
                        hides: true,
                        deed: Deed::Defend,
                    });
                }
                if let Some((toward, cost)) = self.saves_for(unit, halves, &left) {
                    let worth = worth + gain(left(toward) + i64::from(cost));
                    offer(Plan { worth, way: Vec::new(), toward: Some(toward), hides: false, deed });
                }
            }
        }
        best.unwrap_or(Plan { worth: 0, way: Vec::new(), toward: None, hides: false, deed: Deed::Defend })
    }

    /// The goals of marches: the enemies in sight, or the hexes that they come from.
    fn goals(&self) -> BTreeSet<Hex> {
        if !self.held.is_empty() {
            return self.held.clone();
        }
        let battle = self.rules.battle();
        let hostile = |army| self.view.army.is_some_and(|own| !battle.allied(own, army));
        let zones = battle.armies().iter().filter(|army| hostile(army.id));
        battle.field.hexes().filter(|hex| zones.clone().any(|army| army.zone.contains(*hex))).collect()
    }

    /// The distance that a unit may keep from the enemy, in halves of points over plain ground: its shooting range.
    fn range(&self, unit: &OwnUnit) -> u16 {
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let arms = unit.sorts.iter().zip(&unit.shots).filter(|(_, left)| **left > 0);
        let arms = arms.filter_map(|(sort, _)| scores::distance(numbers, sort));
        let reach = arms.map(|arm| scores::reach(scale, arm)).max().unwrap_or(0);
        u16::try_from(reach.saturating_sub(1) * 2).unwrap_or(0)
    }

    /// The hex that a unit could save points for, nearer to the enemy, and how much it will still cost in the next round.
    fn saves_for(&self, unit: &OwnUnit, points: u16, left: &impl Fn(Hex) -> i64) -> Option<(Hex, u16)> {
        let dear = |next: &Hex| {
            let saved = unit.saved.filter(|(toward, _)| toward == next).map_or(0, |(_, saved)| saved);
            let cost = self.ways.step(&unit.sorts, unit.aboard, unit.at, *next).ok()?;
            let cost = cost.saturating_sub(saved);
            (cost > points && !unit.aboard).then(|| (*next, cost - points))
        };
        let around = self.rules.battle().field.around(unit.at).filter(|hex| !self.ways.taken.contains(hex));
        let held = self.foes.values().any(|foe| foe.at.distance(unit.at) == 1);
        around
            .filter(|_| !held)
            .filter_map(|hex| dear(&hex))
            .min_by_key(|(hex, cost)| (left(*hex) + i64::from(*cost), *hex))
    }

    /// The best action of a unit in combat from a hex, and its value.
    fn deed(&self, unit: &OwnUnit, at: Hex, stays: bool) -> (Deed, Worth) {
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let foot = ground(self.rules, self.view, at, unit.aboard && stays);
        let force = scores::attack_force(numbers, &unit.sorts, foot);
        let beside: Vec<&Foe> = self.foes.values().filter(|foe| foe.at.distance(at) == 1).collect();
        // A unit that attacks retaliates against its target alone. The retaliations that it gives up count against the attack.
        let answer = worth::defence(self.rules, self.rules.battle().switches, &unit.sorts, foot);
        let given_up = |target: Hex| -> Worth {
            let others = beside.iter().filter(|foe| foe.at != target && !foe.sorts.is_empty());
            others.map(|foe| self.harm(answer, foe) * 2 / 5).sum()
        };
        let mut best = (Deed::Defend, 0);
        for (id, foe) in self.foes.iter().filter(|(_, foe)| !foe.sorts.is_empty()) {
            let hexes = foe.at.distance(at);
            let volley = scores::volley_force(numbers, scale, &unit.sorts, &unit.shots, hexes);
            if volley > 0 {
                let worth = self.blow(volley, foe) - given_up(foe.at);
                if worth > best.1 {
                    best = (Deed::Shoot(*id), worth);
                }
            }
            if hexes == 1 && self.pursues(unit, *id) {
                let switches = self.rules.battle().switches;
                let back = worth::defence(self.rules, switches, &foe.sorts, foe.ground);
                let cost = worth::harm(self.rules, back, &unit.sorts, true) * self.temper.caution / 100;
                let worth = self.blow(force, foe) - cost - given_up(foe.at);
                if worth > best.1 {
                    best = (Deed::Attack(*id), worth);
                }
            }
        }
        best
    }

    /// Whether a unit strikes any enemy that comes: an attacker still retaliates once against its target (ruling DOG-15), so striking pays if the
    /// enemies who can come lose more by it than the unit does.
    fn meets(&self, unit: &OwnUnit, at: Hex) -> bool {
        if unit.hidden || unit.pursues.is_some() {
            return false;
        }
        let numbers = self.rules.numbers();
        let foot = ground(self.rules, self.view, at, false);
        let force = scores::attack_force(numbers, &unit.sorts, foot);
        let mut comers = self
            .foes
            .values()
            .filter(|foe| !foe.sorts.is_empty() && (2..=1 + foe.moves).contains(&foe.at.distance(at)));
        let wins = |foe: &Foe| {
            let back = worth::defence(self.rules, self.rules.battle().switches, &foe.sorts, foe.ground);
            let cost = worth::harm(self.rules, back, &unit.sorts, true) * self.temper.caution / 100;
            self.blow(force, foe) > cost
        };
        // A unit that strikes retaliates against its target alone: if several enemies came, the others would meet no retaliation.
        let beside = self.foes.values().any(|foe| foe.at.distance(at) == 1);
        !beside && comers.next().is_some_and(wins) && comers.next().is_none()
    }

    /// Whether a unit is free to attack this enemy (ruling DOG-17).
    fn pursues(&self, unit: &OwnUnit, id: UnitId) -> bool {
        unit.pursues.is_none_or(|prey| prey == id)
    }

    fn harm(&self, force: u32, foe: &Foe) -> Worth {
        worth::harm(self.rules, force, &foe.sorts, true)
    }

    /// The value of a strike's damage, and part of it again if no target is left to strike back.
    fn blow(&self, force: u32, foe: &Foe) -> Worth {
        let all = worth::unit(self.rules, &foe.sorts, true);
        let taken = self.harm(force, foe);
        if taken >= all { taken * 5 / 4 } else { taken }
    }

    /// The danger from each enemy for a unit.
    fn threats(&self, unit: &OwnUnit) -> Vec<Threat<'_>> {
        let threat = |foe| Threat {
            foe,
            arrows: worth::harm(self.rules, foe.volley.0, &unit.sorts, true),
            blow: worth::harm(self.rules, foe.attack, &unit.sorts, true),
        };
        self.foes.values().filter(|foe| !foe.sorts.is_empty()).map(threat).collect()
    }

    /// The expected damage to a unit in a hex before it acts again, weighted by the chance that the enemy strikes this unit.
    fn risk(&self, unit: &OwnUnit, own: Worth, threats: &[Threat<'_>], at: Hex) -> Worth {
        let foot = ground(self.rules, self.view, at, false);
        let answer = worth::defence(self.rules, self.rules.battle().switches, &unit.sorts, foot);
        let of = |threat: &Threat<'_>| {
            let (foe, hexes) = (threat.foe, threat.foe.at.distance(at));
            let (_, reach) = foe.volley;
            let arrows = match hexes {
                hexes if hexes <= reach => threat.arrows,
                hexes if hexes <= reach + foe.moves => threat.arrows / 2,
                _ => 0,
            };
            let likely = match hexes {
                1 => 100,
                hexes if hexes <= 1 + foe.moves => 60,
                _ => return arrows / foe.targets.max(1),
            };
            // An enemy who would lose more by an attack than he gains is less likely to attack.
            let blow = (threat.blow - self.harm(answer, foe) * 3 / 4).max(0) * likely / 100;
            arrows.max(blow) / foe.targets.max(1)
        };
        threats.iter().map(of).sum::<Worth>().min(own)
    }

    /// Whether hiding makes sense at a unit's place: it is allowed, and the first searcher doesn't find the unit (rulings DOG-23, DOG-43).
    fn may_hide(&self, unit: &OwnUnit) -> bool {
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let seen = self.foes.values().any(|foe| foe.at.distance(unit.at) <= numbers.hide.near);
        if unit.hidden || seen || !self.temper.waits {
            return false;
        }
        let foot = ground(self.rules, self.view, unit.at, unit.aboard);
        scores::hide_factor(numbers, scale, &unit.sorts) - scores::visibility(numbers, None, foot) < 6
    }

    /// Subtracts a planned strike, so that the next unit sees its result.
    fn strike(&mut self, unit: &OwnUnit, at: Hex, deed: Deed) {
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let (id, force) = match deed {
            Deed::Defend | Deed::Meet => return,
            Deed::Attack(id) => {
                let foot = ground(self.rules, self.view, at, unit.aboard);
                (id, scores::attack_force(numbers, &unit.sorts, foot))
            }
            Deed::Shoot(id) => {
                let hexes = self.foes.get(&id).map_or(0, |foe| foe.at.distance(at));
                (id, scores::volley_force(numbers, scale, &unit.sorts, &unit.shots, hexes))
            }
        };
        if let Some(foe) = self.foes.get_mut(&id) {
            foe.sorts = worth::struck(self.rules, force, &foe.sorts);
        }
    }
}

/// The properties that a unit's way depends on.
fn kind(unit: &OwnUnit) -> Mobility {
    (unit.sorts.iter().map(|sort| (sort.troop, sort.people)).collect(), unit.aboard)
}

impl Temper {
    /// A leader's way of fighting: the side with the better bows, or with the ground that the other must take, waits for the other to come.
    fn of(rules: &Dog, view: &View, foes: &BTreeMap<UnitId, Foe>, skill: Skill) -> Self {
        let battle = rules.battle();
        let own = view.army.map(|army| battle.army(army).alliance.as_str());
        let holds = battle.holders.as_deref().is_some_and(|holders| Some(holders) == own);
        let numbers = rules.numbers();
        let power =
            |sort: &Sort| Some(u64::from(sort.fighters) * u64::from(scores::distance(numbers, sort)?.power));
        let bows: u64 = view
            .own
            .values()
            .flat_map(|unit| unit.sorts.iter().zip(&unit.shots))
            .filter(|(_, left)| **left > 0)
            .filter_map(|(sort, _)| power(sort))
            .sum();
        let theirs: u64 = foes.values().map(|foe| u64::from(foe.volley.0)).sum();
        let left = battle.rounds.map_or(u16::MAX, |last| last.saturating_sub(view.round) + 1);
        let outshoots = bows * 2 > theirs * 3;
        let outshot = theirs * 2 > bows * 3;
        let (advance, caution) = match () {
            () if holds && outshot => (3, 80),
            () if holds => (0, 100),
            () if left <= 4 => (8, 30),
            () if outshoots => (2, 90),
            () if outshot => (7, 60),
            () => (5, 75),
        };
        let cautious = skill == Skill::Cautious;
        Self {
            advance: if cautious { advance / 2 } else { advance },
            caution: if cautious { caution + 40 } else { caution },
            waits: holds || outshoots,
        }
    }
}

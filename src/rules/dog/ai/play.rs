//! A computer leader's orders for a round.

use super::Skill;
use super::believed::{Act, Deed, Dice, Man, Order, Position, believed};
use super::board::{Board, Spot};
use super::choose::{Outlook, Temper};
use super::worth::Worth;
use crate::data::Dog;
use crate::model::UnitId;
use crate::view::{View, Wait};
use musterd_kit::search::{Effort, Judge, search};

/// Order lines for this view. The same view and seed give the same orders.
pub(crate) fn play(rules: &Dog, view: &View, skill: Skill, seed: u64) -> String {
    let lines = match view.wait {
        Wait::Founding | Wait::Over => Vec::new(),
        Wait::SetUp => super::deploy::records(rules, view),
        Wait::Orders | Wait::Moves | Wait::Combat => orders(rules, view, skill, seed),
    };
    lines.into_iter().map(|line| line + "\n").collect()
}

/// A way of fighting: straight at the enemy.
const CHARGE: Temper = Temper { advance: 10, caution: 30, fear: 30, waits: false };

/// Ways of fighting that are tried: stay, let him come, press, charge, keep away.
const TEMPERS: [Temper; 5] = [
    Temper { advance: 0, caution: 100, fear: 100, waits: true },
    Temper { advance: 2, caution: 90, fear: 100, waits: true },
    Temper { advance: 5, caution: 75, fear: 100, waits: false },
    CHARGE,
    Temper { advance: -6, caution: 120, fear: 150, waits: true },
];

/// The worth of a draw, in ten thousandths of a victory. Little, or two who both wait for the other would never fight.
const DRAW: i64 = 500;

/// The march to the enemy, in tenths of a round, that halves the worth of a position for who must find him before time runs out.
const HUNT: i64 = 50;

/// The most that such a march is reckoned at, in halves of points: what lies farther, or out of reach, is as bad.
const FARTHEST: u16 = 100;

/// The most rounds that are foreseen.
const ROUNDS: u32 = 8;

/// The samples on which plans are compared, and the passes over all units, at most.
const MOST_SAMPLES: u32 = 36;
const PASSES: u32 = 3;

/// What all that is tried in a round may cost.
const WORK: u32 = 160_000;

/// What a unit does now, and its way of fighting afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Choice {
    act: Act,
    temper: usize,
}

/// A leader's judgement of his army's plans.
struct Captain<'b, 'a> {
    board: &'b Board<'a>,
    at: Position,
    /// Whether moves are asked for.
    moves: bool,
    army: u8,
    side: u8,
    /// Own units in the order of their orders.
    own: Vec<usize>,
    /// For each side, where its enemies come from.
    goals: Vec<Vec<Spot>>,
    /// Each army's usual way of fighting.
    usual: Vec<Temper>,
    holders: Option<u8>,
    last: Option<u16>,
    seed: u64,
}

fn orders(rules: &Dog, view: &View, skill: Skill, seed: u64) -> Vec<String> {
    let Some(army) = view.army else { return Vec::new() };
    let (board, at, names) = believed(rules, view);
    let battle = rules.battle();
    let alliances = battle.alliances();
    let side =
        |name: &str| alliances.iter().position(|own| *own == name).and_then(|side| u8::try_from(side).ok());
    let goals = |own: &&str| -> Vec<Spot> {
        let foes = battle.armies().iter().filter(|army| army.alliance != **own);
        let hexes = battle.field.hexes().filter(|hex| foes.clone().any(|army| army.zone.contains(*hex)));
        hexes.map(|hex| board.spot(hex)).collect()
    };
    let goals = alliances.iter().map(goals).collect();
    let mut captain = Captain {
        usual: Vec::new(),
        board: &board,
        moves: view.wait != Wait::Combat,
        army: army.0,
        side: side(&battle.army(army).alliance).unwrap_or(0),
        own: Vec::new(),
        goals,
        holders: battle.holders.as_deref().and_then(side),
        last: battle.rounds,
        seed,
        at,
    };
    let armies = battle.armies().iter();
    captain.own = captain.look(&captain.at, captain.army).line(&captain.at, captain.army);
    captain.usual = armies.map(|army| captain.cautious(army.id.0)).collect();
    let plan = match skill {
        Skill::Cautious => captain.plan(&captain.usual[usize::from(captain.army)], 0),
        Skill::Planner => search(&captain, captain.effort(), seed),
    };
    captain.lines(&plan, &names, view.wait)
}

impl Captain<'_, '_> {
    /// What a turn of all units costs: each looks at the hexes around it, and at its enemies.
    fn turn(&self) -> u32 {
        let men = u32::try_from(self.at.men.len()).unwrap_or(u32::MAX);
        men.saturating_mul(4 + men / 2).max(1)
    }

    /// The rounds that are foreseen: fewer where many fight.
    fn rounds(&self) -> u32 {
        let left = self.last.map_or(ROUNDS, |last| u32::from(last.saturating_sub(self.at.round)) + 1);
        left.min((WORK / 12 / self.turn()).clamp(3, ROUNDS))
    }

    fn effort(&self) -> Effort {
        let evaluations = WORK / self.turn() / self.rounds();
        let units = u32::try_from(self.own.len()).unwrap_or(u32::MAX);
        let samples = match evaluations / (5 + 4 * units) {
            few @ ..6 => (few / 3 * 3).max(3),
            many => (many / 6 * 6).min(MOST_SAMPLES),
        };
        Effort { evaluations, samples, passes: PASSES, gain: 1 }
    }

    /// How many acts of a unit by each way of fighting are tried: more where few fight.
    fn offers(&self) -> usize {
        let effort = self.effort();
        let each = u32::try_from(self.own.len()).unwrap_or(u32::MAX).saturating_mul(effort.samples * 12);
        usize::try_from(effort.evaluations / each.max(1)).unwrap_or(2).clamp(2, 40)
    }

    /// How a cautious leader fights with an army: the side with the better bows, or with the ground that the other must take, waits for the other to come.
    fn cautious(&self, army: u8) -> Temper {
        let Some(own) = self.at.army(army).map(|i| self.at.men[i].side).next() else { return TEMPERS[0] };
        let bows = |whose: &dyn Fn(&Man) -> bool| -> u64 {
            let men = self.at.men.iter().filter(|man| whose(man));
            men.map(|man| u64::from(self.board.volley(man, 1))).sum()
        };
        let (bows, theirs) = (bows(&|man| man.army == army), bows(&|man| man.side != own));
        let holds = self.holders == Some(own);
        let left = self.last.map_or(u16::MAX, |last| last.saturating_sub(self.at.round) + 1);
        let outshoots = bows * 2 > theirs * 3;
        let outshot = theirs * 2 > bows * 3;
        let (advance, caution) = match () {
            () if holds && outshot => (1, 120),
            () if holds => (0, 140),
            () if left <= 4 => (4, 70),
            () if outshoots => (1, 130),
            () if outshot => (3, 100),
            () => (2, 115),
        };
        Temper { advance, caution, fear: 100, waits: holds || outshoots }
    }

    /// Every own unit's act by one way of fighting.
    fn plan(&self, temper: &Temper, name: usize) -> Vec<Choice> {
        let mut at = self.at.clone();
        let mut seen = self.look(&at, self.army);
        seen.hides = true;
        let orders = seen.orders(&mut at, self.army, |_| *temper, self.moves);
        orders.into_iter().map(|order| Choice { act: order.act, temper: name }).collect()
    }

    /// How an army that is not planned for fights in a sample: as usual, and in every fourth by charging.
    fn other(&self, army: u8, sample: u32) -> Temper {
        if sample % 4 == 3 && army != self.army { CHARGE } else { self.usual[usize::from(army)] }
    }

    fn look(&self, at: &Position, army: u8) -> Outlook<'_, '_> {
        let side = at.army(army).map(|i| at.men[i].side).next().unwrap_or(0);
        Outlook::new(self.board, &self.goals[usize::from(side)], at, army, self.seed)
    }

    /// The worth of a position for the own side in ten thousandths of a victory.
    fn value(&self, at: &Position) -> i64 {
        let sides = 0..u8::try_from(at.sides).unwrap_or(u8::MAX);
        let strength: Vec<i64> = sides.map(|side| self.strength(at, side)).collect();
        let own = strength[usize::from(self.side)];
        let squares: i128 = strength.iter().map(|s| i128::from(*s) * i128::from(*s)).sum();
        let share = i64::try_from(10_000 * i128::from(own) * i128::from(own) / squares.max(1)).unwrap_or(0);
        let stand = strength.iter().filter(|s| **s > 0).count();
        let late = self.last.is_some_and(|last| at.round > last);
        let holders = self.holders.filter(|side| strength[usize::from(*side)] > 0);
        match (stand, holders) {
            (0, _) => DRAW,
            (1, _) if own > 0 => 10_000 + self.kept(own),
            _ if own == 0 => 0,
            (_, Some(holders)) if late && holders == self.side => 5_000 + share / 2,
            // Who attacks has lost if anybody holds out: how many fell says how near it was.
            (_, Some(holders)) if late => {
                let before = self.strength(&self.at, holders).max(1);
                5_000 * (before - strength[usize::from(holders)]).max(0) / before
            }
            (_, None) if late => DRAW + (share - 5_000) / 20,
            // Time runs for who holds the field.
            (_, Some(holders)) if holders == self.side => share,
            _ => share * HUNT / (HUNT + self.hunt(at)),
        }
    }

    /// The worth of all who stand on a side.
    fn strength(&self, at: &Position, side: u8) -> i64 {
        let men = at.men.iter().filter(|man| man.side == side && man.stands());
        men.map(|man| self.board.value(man) / 100).sum()
    }

    /// The march that is left to each known enemy for the nearest own unit, in tenths of a round: the mean, weighed by what they are worth.
    fn hunt(&self, at: &Position) -> i64 {
        let (mut sum, mut all) = (0, 0);
        for foe in at.men.iter().filter(|foe| foe.side != self.side && foe.stands()) {
            let own = at.men.iter().filter(|man| man.side == self.side && man.stands());
            let near = own.map(|man| {
                let cost = self.board.far(man.kind, foe.at)[man.at].min(FARTHEST);
                i64::from(cost) * 10 / i64::from(self.board.kinds[man.kind].points.max(1))
            });
            let worth = self.board.value(foe);
            sum += worth * near.min().unwrap_or(0);
            all += worth;
        }
        sum / all.max(1)
    }

    /// What is left of the own army, in percent.
    fn kept(&self, own: Worth) -> i64 {
        let men = self.at.men.iter().filter(|man| man.side == self.side);
        own * 100 / (men.map(|man| self.board.value(man) / 100).sum::<Worth>()).max(1)
    }

    /// The orders of a plan, each by the way that is free when its turn comes.
    fn orders(&self, plan: &[Choice]) -> Vec<(Order, Vec<Spot>)> {
        let mut at = self.at.clone();
        let mut seen = self.look(&at, self.army);
        let order = |(&i, choice): (&usize, &Choice)| {
            let mut act = choice.act;
            seen.reach(&at, i, self.moves);
            if !seen.reaches(act.end) {
                act.end = at.men[i].at;
            }
            let way = seen.way(at.men[i].at, act.end);
            seen.take(&mut at, i, act);
            (Order::new(i, act, &way), way)
        };
        self.own.iter().zip(plan).map(order).collect()
    }

    /// The lines of a plan: shooters strike first, because an enemy that has been shot at is easier to attack.
    fn lines(&self, plan: &[Choice], names: &[UnitId], wait: Wait) -> Vec<String> {
        let hex = |spot: Spot| self.board.hexes[spot];
        let (mut marches, mut volleys, mut attacks) = (Vec::new(), Vec::new(), Vec::new());
        for (Order { man, act, .. }, way) in self.orders(plan) {
            let id = names[man];
            if !way.is_empty() {
                let way: Vec<String> = way.into_iter().map(|spot| hex(spot).to_string()).collect();
                marches.push(format!("MOVE {id} {}", way.join(" ")));
            } else if let Some(toward) = act.toward {
                marches.push(format!("MOVE {id} {}", hex(toward)));
            } else if act.deed == Deed::Hide {
                marches.push(format!("HIDE {id}"));
            }
            let named = |foe: usize| if act.named { format!(" {}", names[foe]) } else { String::new() };
            match act.deed {
                Deed::Defend | Deed::Hide => {}
                Deed::Meet => attacks.push(format!("ATTACK {id}")),
                Deed::Shoot(foe) => volleys.push(format!("SHOOT {id}{}", named(foe))),
                Deed::Attack(foe) => attacks.push(format!("ATTACK {id}{}", named(foe))),
            }
        }
        match wait {
            Wait::Moves => marches,
            _ => marches.into_iter().chain(volleys).chain(attacks).collect(),
        }
    }
}

impl Judge for Captain<'_, '_> {
    type Choice = Choice;
    /// A place in the line of own units.
    type Step = usize;

    fn openings(&self) -> Vec<Vec<Choice>> {
        TEMPERS.iter().enumerate().map(|(name, temper)| self.plan(temper, name)).collect()
    }

    fn steps(&self, plan: &[Choice]) -> Vec<usize> {
        (0..plan.len()).collect()
    }

    /// What the unit could do while the others do as planned.
    fn changes(&self, &unit: &usize, plan: &[Choice]) -> Vec<Vec<(usize, Choice)>> {
        let mut at = self.at.clone();
        let mut seen = self.look(&at, self.army);
        seen.hides = true;
        for (place, choice) in plan.iter().enumerate().filter(|(place, _)| *place != unit) {
            // Units that move later still stand where they stood.
            let stays = Act { end: at.men[self.own[place]].at, toward: None, ..choice.act };
            seen.take(&mut at, self.own[place], if place < unit { choice.act } else { stays });
        }
        let mut found: Vec<Choice> = Vec::new();
        let mut offer = |act: Act, temper: usize| {
            if found.iter().all(|known| known.act != act) {
                found.push(Choice { act, temper });
            }
        };
        for (name, temper) in TEMPERS.iter().enumerate() {
            let mut best: Vec<(Worth, Act)> = Vec::new();
            seen.weigh(&at, self.own[unit], temper, self.moves, |worth, act| best.push((worth, act)));
            best.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
            for (_, act) in best.into_iter().take(self.offers()) {
                offer(act, name);
                if let Deed::Shoot(_) | Deed::Attack(_) = act.deed {
                    offer(Act { named: !act.named, ..act }, name);
                }
            }
        }
        found.into_iter().map(|choice| vec![(unit, choice)]).collect()
    }

    fn worth(&self, plan: &[Choice], sample: u32) -> i64 {
        let dice = Dice { seed: self.seed, sample };
        let mut tempers: Vec<Option<Temper>> = vec![None; self.at.men.len()];
        for (&i, choice) in self.own.iter().zip(plan) {
            tempers[i] = Some(TEMPERS[choice.temper]);
        }
        let first: Vec<Order> = self.orders(plan).into_iter().map(|(order, _)| order).collect();
        let mut at = self.at.sampled(sample);
        for round in 0..self.rounds() {
            let ahead = round > 0;
            at.fight(self.board, dice, |at, army| {
                if army == self.army && !ahead {
                    return first.clone();
                }
                let other = self.other(army, sample);
                let mut own = at.clone();
                self.look(at, army).orders(
                    &mut own,
                    army,
                    |i| tempers[i].unwrap_or(other),
                    self.moves || ahead,
                )
            });
            let stands = |side: usize| at.men.iter().any(|man| usize::from(man.side) == side && man.stands());
            if (0..at.sides).filter(|side| stands(*side)).count() < 2
                || self.last.is_some_and(|last| at.round > last)
            {
                break;
            }
        }
        self.value(&at)
    }
}

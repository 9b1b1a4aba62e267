//! The fight: who fires when, and what it does (manual, "Sequence of Attack", "The Fire Value", "Cohesion").

use std::collections::BTreeMap;

use musterd_engine::Scribe;

use super::loss::weaken;
use super::{checks, flight, leaders};
use crate::data::Acw;
use crate::event::{Event, Shot};
use crate::facing;
use crate::model::{Arm, BrigadeId, Formation, HqId, Profile, Side, UnitId};
use crate::order::Act;
use crate::phases::dice::random;
use crate::state::{State, Target};
use crate::values::{self, Fighter, Lead, Volley, Weapons};

/// Fights all fights of a turn.
pub(in crate::phases) fn fight(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let hour = rules.battle().hour(scribe.state().turn);
    if hour.still {
        return;
    }
    let hindered = values::is_hindered(hour.weather, hour.light);
    let exposed = leaders::exposed(scribe.state());
    leave_works(scribe);
    let order = order_of_attack(rules, scribe);
    let mut fight = Fight { rules, scribe, hindered, fired_at: BTreeMap::new() };
    for id in order {
        fight.attack(id);
    }
    let fired_at = fight.fired_at;
    checks::check(rules, scribe, &fired_at);
    leaders::risk(rules, scribe, exposed);
    deploy(scribe);
}

/// Whoever assaults leaves the works that it dug (ACW-41).
fn leave_works(scribe: &mut Scribe<'_, Acw>) {
    let leaves = all(scribe.state())
        .filter(|id| {
            let brigade = scribe.state().brigade(*id);
            brigade.act == Act::Assault && brigade.works > 0
        })
        .collect::<Vec<_>>();
    for brigade in leaves {
        scribe.record(Event::WorksLost { brigade });
    }
}

/// Who was surprised has time to deploy now.
fn deploy(scribe: &mut Scribe<'_, Acw>) {
    let late = all(scribe.state())
        .filter(|id| {
            let brigade = scribe.state().brigade(*id);
            brigade.surprised && brigade.formation == Formation::Column
        })
        .collect::<Vec<_>>();
    for brigade in late {
        scribe.record(Event::Formed { brigade, formation: Formation::Line });
    }
}

/// The brigades on the map, side A's first.
fn all(state: &State) -> impl Iterator<Item = BrigadeId> {
    Side::ALL.into_iter().flat_map(|side| state.fielded(side)).map(|(id, ..)| id)
}

/// Whether a brigade attacks its target: deployed or surprised, near enough, and engaged or standing (ACW-64).
fn attacks(fighter: &Fighter<'_>, state: &State, id: BrigadeId) -> bool {
    let brigade = state.brigade(id);
    let deployed = brigade.formation == Formation::Line || brigade.surprised;
    let fires =
        |target: Target| target.distance <= fighter.reach() && (target.engaged || brigade.act == Act::Stand);
    deployed && brigade.target.is_some_and(fires)
}

/// All who attack, in the order in which they do.
fn order_of_attack(rules: &Acw, scribe: &mut Scribe<'_, Acw>) -> Vec<BrigadeId> {
    let state = scribe.state();
    let ready = |id: BrigadeId| {
        let fighter = Fighter::of(rules, id, state.brigade(id));
        let category = values::category(&fighter)?;
        attacks(&fighter, state, id).then_some((id, category))
    };
    let ready: Vec<(BrigadeId, u8)> = all(state).filter_map(ready).collect();
    let mut order: Vec<(u8, i32, u32, BrigadeId)> = Vec::new();
    for (id, category) in ready {
        let chance = random(scribe, ("fire", "order"), &id, 3);
        let fighter = Fighter::of(rules, id, scribe.state().brigade(id));
        order.push((category, -values::precedence(&fighter, chance), 0, id));
    }
    // Equals draw lots (ACW-57).
    let ranks: Vec<(u8, i32)> = order.iter().map(|(category, rank, ..)| (*category, *rank)).collect();
    for (category, rank, lot, id) in &mut order {
        if ranks.iter().filter(|other| **other == (*category, *rank)).count() > 1 {
            *lot = random(scribe, ("fire", "lot"), id, 9999);
        }
    }
    order.sort_unstable();
    order.into_iter().map(|(.., id)| id).collect()
}

/// A fight in its course.
struct Fight<'f, 's> {
    rules: &'f Acw,
    scribe: &'f mut Scribe<'s, Acw>,
    hindered: bool,
    /// Who was fired at, and whether from the front alone.
    fired_at: BTreeMap<BrigadeId, bool>,
}

impl<'f> Fight<'f, '_> {
    fn state(&self) -> &State {
        self.scribe.state()
    }

    fn fighter(&self, id: BrigadeId) -> Fighter<'f> {
        Fighter::of(self.rules, id, self.state().brigade(id))
    }

    /// A brigade fires at its target, unless one of them is gone.
    fn attack(&mut self, id: BrigadeId) {
        let brigade = self.state().brigade(id);
        let Some(target) = brigade.target.filter(|_| brigade.is_fielded()) else { return };
        match target.unit {
            UnitId::Hq(hq) => self.shell(id, hq, target),
            UnitId::Brigade(_) => {
                let fighter = self.fighter(id);
                let apart = self.rules.choices().second_shot
                    && fighter.arm != Arm::Artillery
                    && fighter.guns_fire(target.distance);
                let shots: &[Weapons] =
                    if apart { &[Weapons::SmallArms, Weapons::Guns] } else { &[Weapons::All] };
                for weapons in shots {
                    self.shoot(id, target, *weapons);
                }
            }
        }
    }

    /// One shot. A fire value of 0 does nothing (ACW-51).
    fn shoot(&mut self, id: BrigadeId, target: Target, weapons: Weapons) {
        let UnitId::Brigade(foe) = target.unit else { return };
        if !self.state().brigade(foe).is_fielded() {
            return;
        }
        let lead = self.lead(id);
        let (firer, aimed) = (self.fighter(id), self.fighter(foe));
        let volley = Volley {
            firer: &firer,
            target: &aimed,
            distance: target.distance,
            hindered: self.hindered,
            weapons,
            lead,
        };
        let fire = values::fire(&volley);
        if fire.total <= 0 {
            return;
        }
        let chance = random(self.scribe, ("fire", "vulnerable"), &foe, 3);
        let vulnerability = values::vulnerability(&aimed, chance);
        let numbers = self.rules.numbers();
        let hits = values::hits(numbers, fire.total, vulnerability.total);
        let (faces, held) = (values::nerve(&aimed), aimed.cohesion);
        let (lost, guns_lost) = values::losses(&numbers.losses, &aimed, hits);
        let dice: Vec<u32> = (0..if faces > 1 { hits } else { 0 })
            .map(|_| random(self.scribe, ("fire", "hit"), &foe, faces - 1))
            .collect();
        let costly = if faces > 1 { dice.iter().filter(|die| **die == 0).count() } else { hits as usize };
        let cohesion_lost = i32::try_from(costly).unwrap_or(i32::MAX).min(held);
        let (brigade, enemy) = (self.state().brigade(id), self.state().brigade(foe));
        let (Some(from), Some(at)) = (brigade.at, enemy.at) else { return };
        let frontal = facing::is_frontal(at, enemy.facing, from);
        let shot = Shot {
            attacker: id,
            target: foe,
            from,
            at,
            act: brigade.act,
            guns_alone: weapons == Weapons::Guns,
            men: (brigade.men, enemy.men),
            fire: fire.parts,
            value: fire.total,
            target_parts: vulnerability.parts,
            vulnerability: vulnerability.total,
            hits,
            faces,
            dice,
            lost,
            guns_lost,
            cohesion_lost,
            frontal,
        };
        self.scribe.record(Event::Fired(Box::new(shot)));
        *self.fired_at.entry(foe).or_insert(true) &= frontal;
        if cohesion_lost > 0 {
            leaders::hit(self.rules, self.scribe, foe, cohesion_lost);
        }
        weaken(self.scribe, foe);
    }

    /// What the army's commander gives to a shot: with an assault he leads, to whom the enemy aims at he gives heart (ACW-7, ACW-40).
    fn lead(&mut self, id: BrigadeId) -> Lead {
        let state = self.state();
        let brigade = state.brigade(id);
        let Some(at) = brigade.at else { return Lead::None };
        match leaders::present(state, id.side, at) {
            Some(Profile::Heroic) if brigade.act == Act::Assault && !brigade.surprised => {
                Lead::Heroic(random(self.scribe, ("fire", "heroic"), &id, 5))
            }
            Some(Profile::Bold) if brigade.targeted => Lead::Bold,
            _ => Lead::None,
        }
    }

    /// A headquarters under fire gets away two to four hexes (ACW-28), unless another brigade drove it away before.
    fn shell(&mut self, id: BrigadeId, hq: HqId, target: Target) {
        if self.state().hq(hq).at != Some(target.at) {
            return;
        }
        let steps = 2 + random(self.scribe, ("flee", "length"), &hq, 2);
        let to = flight::hq_way(self.rules, self.state(), hq, steps).unwrap_or(target.at);
        self.scribe.record(Event::HqFired { brigade: id, hq, from: target.at, to });
        leaders::under_fire(self.rules, self.scribe, hq);
    }
}

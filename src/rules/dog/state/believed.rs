//! The position that a leader believes in: what his view shows, and nothing else.

use std::collections::BTreeMap;

use super::{Boat, State, Unit};
use crate::data::Dog;
use crate::known::{ground, unseen_sorts};
use crate::model::{ArmyId, Sort, UnitId};
use crate::scores;
use crate::view::{OwnUnit, SeenUnit, View};
use musterd_kit::foresee::Luck;

impl State {
    /// The position as a leader's view shows it. Enemies whose number is not known are as few as they can be in the kindest course, and as many in the
    /// harshest; of a mixed unit each sort has its share. What people others are of is not to be seen: in the harshest course they are at home where they
    /// stand.
    pub(crate) fn believed(rules: &Dog, view: &View, luck: Luck) -> Self {
        let mut state = Self::at_start(rules);
        (state.wait, state.round, state.order) = (view.wait, view.round, view.order.clone());
        state.works.clone_from(&view.works);
        state.boats = view.boats.iter().map(|(at, load)| Boat { at: *at, load: *load }).collect();
        state.waiting = view.waiting.iter().map(|unit| (unit.unit, unit.clone())).collect();
        // What a leader can command is hidden from others: their units are taken to obey.
        state.leadership.values_mut().for_each(|leadership| *leadership = u32::MAX);
        if let Some(army) = view.army {
            state.leadership.insert(army, view.leadership);
            state.if_attacked.insert(army, view.if_attacked.clone());
        }
        let carried = (0..).zip(&view.boats).filter_map(|(boat, (_, load))| Some(((*load)?, boat)));
        let carried: BTreeMap<UnitId, u8> = carried.collect();
        let boat = |id: &UnitId| carried.get(id).copied();
        let own = view.army.into_iter().flat_map(|army| view.own.iter().map(move |unit| (army, unit)));
        state.units =
            own.map(|(army, (id, unit))| (*id, own_unit(unit, army, view.round, boat(id)))).collect();
        let seen = |(id, unit): (&UnitId, &SeenUnit)| {
            let told = SeenUnit { count: view.count(*id, unit), ..unit.clone() };
            (*id, seen_unit(rules, view, &told, boat(id), luck))
        };
        state.units.extend(view.others.iter().map(seen));
        state.taken = state.units.iter().map(|(id, unit)| (unit.at, *id)).collect();
        for id in state.units.keys().filter(|id| id.part > 0) {
            let used = state.parts.entry(UnitId { part: 0, ..*id }).or_default();
            *used = (*used).max(id.part);
        }
        state
    }
}

fn own_unit(unit: &OwnUnit, army: ArmyId, round: u16, aboard: Option<u8>) -> Unit {
    Unit {
        shots: unit.shots.clone(),
        first: unit.first.clone(),
        hidden: unit.hidden,
        saved: unit.saved,
        obeys: unit.obeys,
        pursues: unit.pursues.map(|prey| (prey, round)),
        guards: unit.guards.then_some((round, round)),
        captive: unit.captive,
        aboard,
        swimming: unit.swimming,
        ..Unit::new(army, unit.name.clone(), unit.sorts.clone(), unit.at)
    }
}

fn seen_unit(rules: &Dog, view: &View, unit: &SeenUnit, aboard: Option<u8>, luck: Luck) -> Unit {
    let home = || scores::home(rules.numbers(), ground(rules, view, unit.at, unit.aboard));
    let (least, most) = unit.count.ends();
    let (all, people) = match luck {
        Luck::Kindest => (least, None),
        Luck::Harshest => (most, home()),
    };
    let sorts = unseen_sorts(&unit.kinds, all).into_iter().map(|sort| Sort { people, ..sort }).collect();
    let new = Unit::new(unit.army, unit.name.clone(), sorts, unit.at);
    Unit { hidden: unit.hidden, captive: unit.captive, aboard, ..new }
}

//! Moves other than marches, as far as their leader sees: hiding, going aboard and ashore, setting crews down; and the view with which orders are
//! judged.

use std::collections::BTreeSet;

use super::{Forecast, Post, as_foreseen};
use crate::legality::{Lookout, Mover, Refusal, dismounting};
use crate::model::UnitId;
use crate::order::Order;
use crate::scores;
use crate::view::SeenUnit;
use crate::way::Ways;
use musterd_engine::hex::Hex;

/// The text for an action, or why it is impossible.
type Effect = Result<String, Refusal>;

impl Forecast<'_> {
    /// A unit after the orders so far.
    pub(super) fn mover(&self, id: UnitId) -> Option<Mover<'_>> {
        let post = self.posts.get(&id)?;
        let (at, sorts, aboard, hidden) = (post.at, post.sorts.as_slice(), post.aboard, post.hidden);
        let points = scores::points(self.rules.numbers(), sorts, aboard).saturating_sub(post.spent);
        Some(Mover { id, at, sorts, aboard, hidden, points })
    }

    /// The text for the order with this index. The unit is then at its new place.
    pub(super) fn deed(&mut self, place: usize, order: &Order) -> String {
        let effect = match order {
            Order::Hide { unit } => self.hide(*unit),
            Order::Board { unit, boat } => self.board(*unit, *boat),
            Order::Land { unit, to } => self.land(*unit, *to),
            Order::Dismount { unit, to } if self.posts.get(unit).is_some_and(|post| post.done) => {
                return "it has moved by then: DISMOUNT stands before its march".to_owned();
            }
            Order::Dismount { unit, to } => self.dismount(place, *unit, *to),
            _ => Ok(String::new()),
        };
        effect.unwrap_or_else(|refusal| as_foreseen(&refusal))
    }

    fn hide(&mut self, unit: UnitId) -> Effect {
        let Some(mover) = self.mover(unit) else { return Ok(String::new()) };
        mover.may_hide(self)?;
        if let Some(post) = self.posts.get_mut(&unit) {
            (post.hidden, post.done) = (true, true);
        }
        Ok(String::new())
    }

    fn board(&mut self, unit: UnitId, boat: Option<Hex>) -> Effect {
        let Some(mover) = self.mover(unit) else { return Ok(String::new()) };
        let (boat, at) = mover.may_board(self, boat)?;
        if let Some((_, load)) = self.boats.get_mut(usize::from(boat)) {
            *load = Some(unit);
        }
        self.put(unit, at, true);
        Ok(format!("the boat in {}", self.place(at)))
    }

    fn land(&mut self, unit: UnitId, to: Hex) -> Effect {
        let Some(mover) = self.mover(unit) else { return Ok(String::new()) };
        mover.may_land(self, to)?;
        if let Some((_, load)) = self.boats.iter_mut().find(|(_, load)| *load == Some(unit)) {
            *load = None;
        }
        self.put(unit, to, false);
        Ok(String::new())
    }

    fn dismount(&mut self, place: usize, unit: UnitId, to: Option<Hex>) -> Effect {
        let Some(mover) = self.mover(unit) else { return Ok(String::new()) };
        mover.may_dismount(self, to)?;
        let beside = to.filter(|to| *to != mover.at);
        let point = dismounting(self.rules.numbers());
        if let Some(post) = self.posts.get_mut(&unit) {
            post.spent += point;
            post.crew = Some(place);
        }
        if let Some(to) = beside {
            self.set_down(unit, to);
        }
        Ok(String::new())
    }

    /// Sets a crew down that has not got down yet, in the first hex next to its chariots that is free.
    pub(super) fn set_down_beside(&mut self, unit: UnitId) {
        let Some(place) = self.posts.get_mut(&unit).and_then(|post| post.crew.take()) else { return };
        let Some(mover) = self.mover(unit) else { return };
        match mover.beside(self) {
            Ok(to) => self.set_down(unit, to),
            Err(refusal) => _ = self.moves.insert(place, as_foreseen(&refusal)),
        }
    }

    fn set_down(&mut self, unit: UnitId, to: Hex) {
        if let Some(post) = self.posts.get_mut(&unit) {
            (post.crew, post.hidden) = (None, false);
            post.on_foot();
        }
        self.detached.insert(to, unit);
    }

    fn put(&mut self, unit: UnitId, at: Hex, aboard: bool) {
        if let Some(post) = self.posts.get_mut(&unit) {
            (post.at, post.aboard, post.hidden) = (at, aboard, false);
            (post.moved, post.done) = (true, true);
        }
    }
}

impl Post {
    /// Removes its crew.
    pub(super) fn on_foot(&mut self) {
        self.sorts.iter_mut().for_each(|sort| sort.crew = None);
    }
}

impl Lookout for Forecast<'_> {
    fn ground(&self) -> Ways<'_> {
        let (changed, bridges) = (&self.view.changed, &self.view.bridges);
        Ways { rules: self.rules, changed, bridges, taken: BTreeSet::new(), watched: BTreeSet::new() }
    }

    fn occupant(&self, hex: Hex) -> Option<String> {
        self.taken().get(&hex).map(ToString::to_string)
    }

    fn boats(&self) -> Vec<Hex> {
        self.boats.iter().map(|(at, _)| *at).collect()
    }

    fn foes(&self) -> Vec<(UnitId, Hex)> {
        let Some(army) = self.view.army else { return Vec::new() };
        let foe = |unit: &SeenUnit| unit.captive.is_none() && !self.rules.battle().allied(army, unit.army);
        let others = self.view.others.iter();
        others.filter(|(_, unit)| foe(unit)).map(|(id, unit)| (*id, unit.at)).collect()
    }
}

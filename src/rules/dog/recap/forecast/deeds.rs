//! Moves that are no marches, as far as their leader sees: hiding, going aboard and ashore, setting crews down. What the rules would refuse is
//! told, in their words.

use super::{Forecast, Post, named};
use crate::hex::Hex;
use crate::report::text::listed;
use crate::rules::dog::model::{Sort, Terrain, UnitId};
use crate::rules::dog::order::Order;
use crate::rules::dog::recap::ways;
use crate::rules::dog::scores;

/// What can't be done, or what there is to say of it.
type Told = Result<String, String>;

impl Forecast<'_> {
    /// What there is to say of such an order; the unit is then where it brings it.
    pub(super) fn deed(&mut self, order: &Order) -> String {
        let told = match order {
            Order::Hide { unit } => self.hide(*unit),
            Order::Board { unit, boat } => self.board(*unit, *boat),
            Order::Land { unit, to } => self.land(*unit, *to),
            Order::Dismount { unit, to } => self.dismount(*unit, *to),
            _ => Ok(String::new()),
        };
        told.unwrap_or_else(|refused| refused)
    }

    /// Where a unit is by the orders so far.
    fn post(&self, unit: UnitId) -> Result<&Post, String> {
        self.posts.get(&unit).ok_or_else(String::new)
    }

    fn hide(&self, unit: UnitId) -> Told {
        let (post, near) = (self.post(unit)?, self.rules.numbers().hide.near);
        match self.foes(|foe| post.at.distance(foe.at) <= near).as_slice() {
            [] => Ok(String::new()),
            [one] => Err(format!("{one} is within {near} hexes now and would see it (DOG-43)")),
            several => {
                let who = listed(&named(several));
                Err(format!("{who} are within {near} hexes now and would see it (DOG-43)"))
            }
        }
    }

    fn board(&mut self, unit: UnitId, boat: Option<Hex>) -> Told {
        let post = self.post(unit)?;
        if post.aboard {
            return Err("it is aboard already".to_owned());
        }
        let (room, carries) =
            (scores::room(self.rules.numbers(), &post.sorts), self.rules.numbers().boat.carries);
        if room > carries {
            return Err(format!("it needs room for {room} men, and a boat has room for {carries} (DOG-35)"));
        }
        let taken = self.taken();
        let free = |at: Hex| at == post.at || post.at.distance(at) == 1 && !taken.contains_key(&at);
        let lies = |(at, load): &&(Hex, Option<UnitId>)| {
            load.is_none() && free(*at) && boat.is_none_or(|hex| hex == *at)
        };
        let Some(at) = self.boats.iter().find(lies).map(|(at, _)| *at) else {
            let place = boat.map_or_else(String::new, |hex| format!(" in {}", self.place(hex)));
            return Err(format!("no empty boat lies next to it{place} now"));
        };
        self.leaves_nobody(post.at, at)?;
        if let Some(boat) = self.boats.iter_mut().find(|(lies, _)| *lies == at) {
            boat.1 = Some(unit);
        }
        self.put(unit, at, true);
        Ok(format!("the boat in {}", self.place(at)))
    }

    fn land(&mut self, unit: UnitId, to: Hex) -> Told {
        let post = self.post(unit)?;
        if !post.aboard {
            return Err("it is not aboard a boat".to_owned());
        }
        self.may_step(post.at, to, &post.sorts)?;
        self.leaves_nobody(post.at, to)?;
        self.is_free(to)?;
        if let Some(boat) = self.boats.iter_mut().find(|(_, load)| *load == Some(unit)) {
            boat.1 = None;
        }
        self.put(unit, to, false);
        Ok(String::new())
    }

    fn dismount(&mut self, unit: UnitId, to: Option<Hex>) -> Told {
        let post = self.post(unit)?;
        let on_foot = |sort: &Sort| {
            Some(Sort { troop: sort.crew?, crew: None, size: None, people: None, ..sort.clone() })
        };
        let foot: Vec<Sort> = post.sorts.iter().filter_map(on_foot).collect();
        if foot.is_empty() {
            return Err("it carries no crew".to_owned());
        }
        if post.marched {
            return Err("it has moved by then: DISMOUNT stands before its march".to_owned());
        }
        let beside = to.filter(|to| *to != post.at);
        if let Some(to) = beside {
            self.may_step(post.at, to, &foot)?;
            self.is_free(to)?;
            self.left.insert(to, unit);
        }
        let point = self.rules.numbers().cover(Terrain::Clear).cost;
        if let Some(post) = self.posts.get_mut(&unit) {
            post.spent += point;
            post.sorts.iter_mut().for_each(|sort| sort.crew = None);
            post.crew = if beside.is_none() { foot } else { Vec::new() };
        }
        Ok(String::new())
    }

    /// Sets a crew down that has not got down yet, in the first hex next to its chariots that is free.
    pub(super) fn set_down_beside(&mut self, unit: UnitId) {
        let Some(post) = self.posts.get_mut(&unit) else { return };
        let (at, crew) = (post.at, std::mem::take(&mut post.crew));
        if crew.is_empty() {
            return;
        }
        let open = |to: &Hex| self.is_free(*to).is_ok() && self.may_step(at, *to, &crew).is_ok();
        if let Some(to) = self.rules.battle().field.around(at).find(open) {
            self.left.insert(to, unit);
        }
    }

    fn put(&mut self, unit: UnitId, at: Hex, aboard: bool) {
        if let Some(post) = self.posts.get_mut(&unit) {
            (post.at, post.aboard, post.moved) = (at, aboard, true);
        }
    }

    fn may_step(&self, from: Hex, to: Hex, sorts: &[Sort]) -> Result<(), String> {
        if from.direction_to(to).is_none() {
            return Err(format!("{} is not next to {}", self.place(to), self.place(from)));
        }
        let step = ways(self.rules, self.view).step(sorts, false, from, to);
        step.map(|_| ()).map_err(|reason| format!("{} can't be entered: {reason}", self.place(to)))
    }

    /// That no enemy in sight is left by a step: neither boats nor shores are fled to.
    fn leaves_nobody(&self, from: Hex, to: Hex) -> Result<(), String> {
        match self.left(from, to).as_slice() {
            [] => Ok(()),
            left => Err(format!("it would leave {}, next to it now (DOG-40)", listed(&named(left)))),
        }
    }

    fn is_free(&self, hex: Hex) -> Result<(), String> {
        match self.taken().get(&hex) {
            None => Ok(()),
            Some(by) => Err(format!("{by} stands in {} now", self.place(hex))),
        }
    }
}

//! Moves that are no marches: aboard a boat and ashore, off a chariot, into hiding. Whatever keeps a unit from them, as far as its leader sees,
//! is told.

use super::{Forecast, named, ways};
use crate::hex::Hex;
use crate::report::text::listed;
use crate::rules::dog::model::{Sort, Terrain, UnitId};
use crate::rules::dog::scores;

impl Forecast<'_> {
    /// Where a unit goes aboard, or why it can't (ruling DOG-35).
    pub(super) fn board(&mut self, id: UnitId, boat: Option<Hex>) -> Option<String> {
        let (post, taken, numbers) = (self.posts.get(&id)?, self.taken(), self.rules.numbers());
        let (room, carries) = (scores::room(numbers, &post.sorts), numbers.boat.carries);
        if post.aboard {
            return Some("it is aboard already".to_owned());
        }
        if room > carries {
            return Some(format!("it needs room for {room} men, and a boat has room for {carries} (DOG-35)"));
        }
        // A boat is free again where those whom it carried land.
        let empty = |load: &UnitId| self.posts.get(load).is_some_and(|post| !post.aboard);
        let near = |at: Hex| at == post.at || (at.distance(post.at) == 1 && !taken.contains_key(&at));
        let mut boats = self.view.boats.iter().filter(|(_, load)| load.as_ref().is_none_or(empty));
        let found = boats.find(|(at, _)| near(*at) && boat.is_none_or(|hex| hex == *at));
        let Some((at, _)) = found else { return Some("no empty boat lies next to it now".to_owned()) };
        if let Some(left) = self.leaving(post.at, *at) {
            return Some(left);
        }
        let post = self.posts.get_mut(&id)?;
        (post.at, post.aboard, post.moved) = (*at, true, true);
        Some(format!("it goes aboard in {}", self.place(*at)))
    }

    /// Why a unit can't go ashore there (ruling DOG-35).
    pub(super) fn land(&mut self, id: UnitId, to: Hex) -> Option<String> {
        let post = self.posts.get(&id)?;
        if !post.aboard {
            return Some("it is not aboard a boat".to_owned());
        }
        if let Some(why) = self.closed(post.at, to, &post.sorts).or_else(|| self.leaving(post.at, to)) {
            return Some(why);
        }
        let post = self.posts.get_mut(&id)?;
        (post.at, post.aboard, post.moved) = (to, false, true);
        None
    }

    /// Why the crew of chariots can't go on foot (ruling DOG-36). The chariots then march with a point less, and fight without it.
    pub(super) fn dismount(&mut self, id: UnitId, to: Option<Hex>) -> Option<String> {
        let post = self.posts.get(&id)?;
        if post.acted {
            return Some("it has moved by then: write DISMOUNT before its march (DOG-36)".to_owned());
        }
        let on_foot = |sort: &Sort| {
            Some(Sort { troop: sort.crew?, crew: None, size: None, people: None, ..sort.clone() })
        };
        let foot: Vec<Sort> = post.sorts.iter().filter_map(on_foot).collect();
        if foot.is_empty() {
            return Some("it carries no crew".to_owned());
        }
        let beside = to.filter(|to| *to != post.at);
        if let Some(why) = beside.and_then(|to| self.closed(post.at, to, &foot)) {
            return Some(why);
        }
        let cost = self.rules.numbers().cover(Terrain::Clear).cost;
        let post = self.posts.get_mut(&id)?;
        post.spent += cost;
        post.sorts.iter_mut().for_each(|sort| sort.crew = None);
        None
    }

    /// Who would see a unit hide (ruling DOG-43).
    pub(super) fn hide(&self, id: UnitId) -> Option<String> {
        let (post, near) = (self.posts.get(&id)?, self.rules.numbers().hide.near);
        let watch = self.foes(|foe| foe.at.distance(post.at) <= near);
        (!watch.is_empty())
            .then(|| format!("{}, within {near} hexes now, would see it (DOG-43)", listed(&named(&watch))))
    }

    /// Why nobody of these sorts can step there now.
    fn closed(&self, from: Hex, to: Hex, sorts: &[Sort]) -> Option<String> {
        if from.direction_to(to).is_none() {
            return Some(format!("{to} is not next to {from}"));
        }
        if let Err(reason) = ways(self.rules, self.view).step(sorts, false, from, to) {
            return Some(format!("it can't enter {}: {reason}", self.place(to)));
        }
        self.taken().get(&to).map(|by| format!("{by} stands in {} now", self.place(to)))
    }

    /// The enemies that such a step would leave, where that is no march (ruling DOG-40).
    fn leaving(&self, from: Hex, to: Hex) -> Option<String> {
        let left = self.foes(|foe| from.distance(foe.at) == 1 && to.distance(foe.at) > 1);
        let is = if left.len() == 1 { "is" } else { "are" };
        (!left.is_empty()).then(|| {
            format!("{} {is} next to it, and only FLEE leaves an enemy (DOG-40)", listed(&named(&left)))
        })
    }
}

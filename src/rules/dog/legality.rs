//! The conditions of orders. They are tested in play, and by the receipt that predicts the result, each on the position that it knows.

use super::model::{Sort, Terrain, UnitId};
use super::numbers::Numbers;
use super::order::{March, Way};
use super::scores;
use super::way::{Ways, left_enemies};
use super::words;
use musterd_engine::hex::Hex;
use musterd_report::text::listed;

/// The position as the leader of a unit sees it: in play, or as expected after his earlier orders.
pub(super) trait Lookout {
    /// The ground, nobody on it.
    fn ground(&self) -> Ways<'_>;
    /// The unit that is seen in a hex.
    fn occupant(&self, hex: Hex) -> Option<String>;
    /// The hexes of boats, in their order.
    fn boats(&self) -> Vec<Hex>;
    /// Enemies in sight that are not prisoners, with their hexes, by name.
    fn foes(&self) -> Vec<(UnitId, Hex)>;
}

/// A unit at the time of its order.
pub(super) struct Mover<'a> {
    pub(super) id: UnitId,
    pub(super) at: Hex,
    pub(super) sorts: &'a [Sort],
    pub(super) aboard: bool,
    pub(super) hidden: bool,
    /// Points that it has left, in halves.
    pub(super) points: u16,
}

/// Why an order can't be carried out, in words.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) reason: String,
    /// Whether it depends on other units' actions, so that it may have passed by the time of the order.
    pub(super) passing: bool,
}

impl From<Refusal> for String {
    fn from(refusal: Refusal) -> Self {
        refusal.reason
    }
}

fn never<T>(reason: String) -> Result<T, Refusal> {
    Err(Refusal { reason, passing: false })
}

fn now<T>(reason: String) -> Result<T, Refusal> {
    Err(Refusal { reason, passing: true })
}

impl Mover<'_> {
    /// Whether a unit can hide (manual 4.6, ruling DOG-43).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_hide(&self, seen: &impl Lookout) -> Result<(), Refusal> {
        if self.hidden {
            return now(format!("{} is hidden already", self.id));
        }
        let near = seen.ground().rules.numbers().hide.near;
        let foes = seen.foes();
        let watchers = foes.iter().filter(|(_, at)| at.distance(self.at) <= near);
        match watchers.map(|(id, _)| id.to_string()).collect::<Vec<_>>().as_slice() {
            [] => Ok(()),
            [one] => now(format!("{one} is within {near} hexes and would see it (DOG-43)")),
            several => now(format!("{} are within {near} hexes and would see it (DOG-43)", listed(several))),
        }
    }

    /// Whether a unit can go aboard a boat, in this hex if one is named. Returns the index of the boat among all boats (ruling DOG-35).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_board(&self, seen: &impl Lookout, asked: Option<Hex>) -> Result<(u8, Hex), Refusal> {
        let (id, ground) = (self.id, seen.ground());
        let numbers = ground.rules.numbers();
        if self.aboard {
            return never(format!("{id} is aboard already"));
        }
        let (room, carries) = (scores::room(numbers, self.sorts), numbers.boat.carries);
        if room > carries {
            return never(format!(
                "{id} needs room for {room} men, and a boat has room for {carries} (DOG-35)"
            ));
        }
        let lies = |(_, at): &(u8, Hex)| {
            let free = at.distance(self.at) == 1 && seen.occupant(*at).is_none();
            (*at == self.at || free) && asked.is_none_or(|hex| hex == *at)
        };
        let Some((boat, at)) = (0..).zip(seen.boats()).find(lies) else {
            let place = asked.map_or_else(String::new, |hex| format!(" in {}", place(&ground, hex)));
            return now(format!("no empty boat lies next to {id}{place}"));
        };
        self.leaves_nobody(seen, at)?;
        Ok((boat, at))
    }

    /// Whether a unit can go ashore (ruling DOG-35).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_land(&self, seen: &impl Lookout, to: Hex) -> Result<(), Refusal> {
        if !self.aboard {
            return never(format!("{} is not aboard a boat", self.id));
        }
        self.may_step(seen, self.sorts, to)?;
        self.leaves_nobody(seen, to)?;
        is_free(seen, to)
    }

    /// Whether the crew of chariots can go on foot: into this hex, or else into the hex that the chariots leave (ruling DOG-36).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_dismount(&self, seen: &impl Lookout, to: Option<Hex>) -> Result<(), Refusal> {
        if crew(self.sorts).is_empty() {
            return never(format!("{} carries no crew", self.id));
        }
        if self.points < dismounting(seen.ground().rules.numbers()) {
            return never(format!("{} has no point left for its crew to dismount (DOG-36)", self.id));
        }
        // The crew stays in its own hex, which the chariots leave: no hex holds two units (manual 1).
        to.filter(|to| *to != self.at).map_or(Ok(()), |to| self.may_set_down(seen, to))
    }

    /// The first hex next to chariots that stay where their crew can get down (ruling DOG-36).
    ///
    /// # Errors
    /// There is no such hex.
    pub(super) fn beside(&self, seen: &impl Lookout) -> Result<Hex, Refusal> {
        let ground = seen.ground();
        let mut around = ground.rules.battle().field.around(self.at);
        match around.find(|to| self.may_set_down(seen, *to).is_ok()) {
            Some(to) => Ok(to),
            None => now(format!("nothing next to {} is free for its crew (DOG-36)", self.id)),
        }
    }

    fn may_set_down(&self, seen: &impl Lookout, to: Hex) -> Result<(), Refusal> {
        self.may_step(seen, &crew(self.sorts), to)?;
        is_free(seen, to)
    }

    /// Whether a march can begin at all, with the part that it leaves behind (rulings DOG-12, DOG-18).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_march(&self, march: &March) -> Result<(), Refusal> {
        if march.way == Way::To(self.at) {
            return never(format!("{} is in {} already", self.id, self.at));
        }
        let all = self.sorts.iter().map(|sort| sort.fighters).sum();
        match march.leave {
            Some(_) if self.aboard => never("nobody can stay behind where a boat was".to_owned()),
            Some(0) => never("LEAVE how many? None is no rear guard".to_owned()),
            Some(leave) if leave >= all => {
                never(format!("{} has {}: somebody has to go", self.id, words::heads(all)))
            }
            _ => Ok(()),
        }
    }

    /// Whether a unit can shoot at all, however near its enemies are; `shots` is the number that each sort has left (ruling DOG-14).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_shoot(&self, numbers: &Numbers, shots: &[u16]) -> Result<(), Refusal> {
        if self.sorts.iter().all(|sort| scores::distance(numbers, sort).is_none()) {
            return never(format!("{} has nothing to shoot with", self.id));
        }
        match shots.iter().all(|left| *left == 0) {
            true => never(format!("{} has no shots left", self.id)),
            false => Ok(()),
        }
    }

    /// Whether a unit can give up to another (manual 4.5, rulings DOG-28, DOG-29).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_surrender(&self, seen: &impl Lookout, to: UnitId) -> Result<(), Refusal> {
        let rules = seen.ground().rules;
        let barbarians = self.sorts.iter().any(|sort| rules.numbers().troop(sort.troop).code == "B");
        if barbarians && rules.battle().switches.barbarian_flight {
            return never(format!("{} are barbarians, who fight to the death (DOG-29)", self.id));
        }
        match seen.foes().iter().any(|(id, at)| *id == to && at.distance(self.at) == 1) {
            true => Ok(()),
            false => now(format!("{to} is no enemy next to {}", self.id)),
        }
    }

    fn may_step(&self, seen: &impl Lookout, sorts: &[Sort], to: Hex) -> Result<(), Refusal> {
        let ground = seen.ground();
        if self.at.direction_to(to).is_none() {
            return never(format!("{} is not next to {}", place(&ground, to), place(&ground, self.at)));
        }
        match ground.step(sorts, false, self.at, to) {
            Ok(_) => Ok(()),
            Err(reason) => never(format!("{} can't be entered: {reason}", place(&ground, to))),
        }
    }

    /// Refuses a step that leaves an enemy: a unit can't flee to a boat or ashore (ruling DOG-40).
    fn leaves_nobody(&self, seen: &impl Lookout, to: Hex) -> Result<(), Refusal> {
        let left = left_enemies(&seen.foes(), self.at, to);
        match left.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice() {
            [] => Ok(()),
            left => now(format!("{} would leave {}, next to it (DOG-40)", self.id, listed(left))),
        }
    }
}

fn is_free(seen: &impl Lookout, hex: Hex) -> Result<(), Refusal> {
    match seen.occupant(hex) {
        None => Ok(()),
        Some(who) => now(format!("{who} stands in {}", place(&seen.ground(), hex))),
    }
}

fn place(ground: &Ways<'_>, hex: Hex) -> String {
    ground.rules.battle().field.place(hex)
}

/// The crew of a unit's chariots, on foot (ruling DOG-36).
pub(super) fn crew(sorts: &[Sort]) -> Vec<Sort> {
    let on_foot = |sort: &Sort| {
        let troop = sort.crew?;
        Some(Sort { troop, crew: None, size: None, people: None, ..sort.clone() })
    };
    sorts.iter().filter_map(on_foot).collect()
}

/// The points that a crew's dismounting takes from its chariots, in halves: one point (ruling DOG-36).
pub(super) fn dismounting(numbers: &Numbers) -> u16 {
    numbers.cover(Terrain::Clear).cost
}

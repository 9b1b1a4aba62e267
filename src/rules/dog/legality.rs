//! The conditions of orders, as the leader of a unit sees the position: in play the true one, in a receipt the one that he believes in.

use std::collections::BTreeSet;
use std::fmt;

use super::change::Ruling;
use super::data::Dog;
use super::model::{ArmyId, Sort, UnitId};
use super::order::{Arm, March, Way};
use super::scores::{self, crew, dismounting};
use super::state::{State, Unit};
use super::way::{Ways, left_enemies};
use super::words;
use musterd_engine::hex::Hex;
use musterd_kit::lists::listed;

/// A position without hidden enemies: those are met, not known of (ruling DOG-44).
#[derive(Clone, Copy)]
pub(super) struct Observation<'a> {
    pub(super) rules: &'a Dog,
    pub(super) state: &'a State,
    pub(super) army: ArmyId,
}

impl<'a> Observation<'a> {
    fn is_friend(&self, unit: &Unit) -> bool {
        self.rules.battle().allied(unit.army, self.army)
    }

    fn shows(&self, unit: &Unit) -> bool {
        self.is_friend(unit) || !unit.hidden
    }

    fn is_foe(&self, unit: &Unit) -> bool {
        !self.is_friend(unit) && !unit.hidden && unit.captive.is_none()
    }

    /// A unit that can act.
    pub(super) fn mover(&self, id: UnitId) -> Option<Mover<'a>> {
        let unit = self.state.active(id)?;
        let all = scores::points(self.rules.numbers(), &unit.sorts, unit.aboard.is_some());
        Some(Mover { seen: *self, id, unit, points: all.saturating_sub(unit.spent) })
    }

    /// Whether a unit can move at all in this round.
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_move(&self, id: UnitId) -> Result<(), Refusal> {
        if self.at_liberty(id)?.moved {
            let instead = Some(
                "a unit moves once a round; what it does before its march stands before that".to_owned(),
            );
            return Err(Refusal { reason: Reason::Moved { unit: id }, passing: false, instead });
        }
        match self.state.is_ruled(Ruling::Stays { unit: id }) {
            true => never(format!("the GM ruled that {id} stays")),
            false => Ok(()),
        }
    }

    /// Whether a unit can fight at all in this round, other than to defend itself.
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_strike(&self, id: UnitId) -> Result<(), Refusal> {
        if self.at_liberty(id)?.struck {
            return never(format!("{id} has struck this round"));
        }
        match self.state.is_ruled(Ruling::Holds { unit: id }) {
            true => never(format!("the GM ruled that {id} holds back")),
            false => Ok(()),
        }
    }

    /// Whether a unit can stand in defence because its leader says so. Who guards prisoners or is held back by the GM does nothing else (ruling DOG-28).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_defend(&self, id: UnitId) -> Result<(), Refusal> {
        match self.rules.policies().defends_while_bound {
            true => self.commanded(id).map(|_| ()),
            false => self.may_strike(id),
        }
    }

    /// A unit that can carry out an order to move or to strike in this round.
    fn at_liberty(&self, id: UnitId) -> Result<&'a Unit, Refusal> {
        match self.commanded(id)? {
            unit if unit.is_guarding(self.state.round) => {
                never(format!("{id} guards prisoners this round (DOG-28)"))
            }
            unit => Ok(unit),
        }
    }

    /// A unit that obeys its leader in this round.
    fn commanded(&self, id: UnitId) -> Result<&'a Unit, Refusal> {
        match self.state.unit(id) {
            // It fell to those whom it met: others may have gone by then.
            None => passing(Reason::Gone { unit: id }),
            Some(unit) if unit.army != self.army => never(format!("{id} is not of this army")),
            Some(unit) if unit.captive.is_some() => never(format!("{id} is a prisoner")),
            Some(unit) if !unit.obeys => never_but(
                format!("{id} disobeys: it stands and defends itself (DOG-21)"),
                "it takes no orders this round",
            ),
            Some(unit) => Ok(unit),
        }
    }

    /// The ground, nobody on it.
    pub(super) fn ground(&self) -> Ways<'a> {
        let (taken, watched) = (BTreeSet::new(), BTreeSet::new());
        Ways { rules: self.rules, works: &self.state.works, taken, watched }
    }

    /// The ground with those on it who are in sight.
    pub(super) fn ways(&self) -> Ways<'a> {
        let mut ways = self.ground();
        for unit in self.state.units.values().filter(|unit| self.shows(unit)) {
            ways.taken.insert(unit.at);
            if self.is_foe(unit) {
                ways.watched.extend(unit.at.around());
            }
        }
        ways
    }

    /// The unit that is seen in a hex.
    pub(super) fn occupant(&self, hex: Hex) -> Option<UnitId> {
        self.state.at(hex).filter(|id| self.state.unit(*id).is_some_and(|unit| self.shows(unit)))
    }

    /// Enemies in sight that are not prisoners, with their hexes, by name.
    pub(super) fn foes(&self) -> Vec<(UnitId, Hex)> {
        let foes = self.state.units.iter().filter(|(_, unit)| self.is_foe(unit));
        foes.map(|(id, unit)| (*id, unit.at)).collect()
    }

    /// Those of them within so many hexes of a hex.
    pub(super) fn foes_within(&self, hexes: u32, of: Hex) -> Vec<UnitId> {
        self.foes().into_iter().filter(|(_, at)| at.distance(of) <= hexes).map(|(id, _)| id).collect()
    }
}

/// What a unit that can't shoot can do.
const MELEE: &str = "ATTACK strikes an enemy next to it";

/// A unit at the time of its order.
pub(super) struct Mover<'a> {
    /// What its leader sees.
    pub(super) seen: Observation<'a>,
    pub(super) id: UnitId,
    pub(super) unit: &'a Unit,
    /// Points that it has left, in halves.
    pub(super) points: u16,
}

/// Why an order can't be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) reason: Reason,
    /// Whether it depends on other units' actions, so that it may have passed by the time of the order.
    pub(super) passing: bool,
    /// What to do instead, where that can be said.
    pub(super) instead: Option<String>,
}

/// What stands against an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reason {
    /// The unit is not on the field.
    Gone { unit: UnitId },
    /// The unit has had its move.
    Moved { unit: UnitId },
    /// Somebody stands where it would go.
    Taken { by: UnitId, place: String },
    /// The unit that it would strike is too far away.
    OutOfReach { target: UnitId, by: UnitId },
    /// Nobody is near enough to be struck.
    NobodyInReach { by: UnitId },
    /// Anything else, in words.
    Told(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone { unit } => write!(f, "{unit} is not on the field any more"),
            Self::Moved { unit } => write!(f, "{unit} has moved this round"),
            Self::Taken { by, place } => write!(f, "{by} stands in {place}"),
            Self::OutOfReach { target, by } => write!(f, "{target} is out of reach of {by}"),
            Self::NobodyInReach { by } => write!(f, "no enemy is within reach of {by}"),
            Self::Told(reason) => f.write_str(reason),
        }
    }
}

/// A refusal that holds whatever others do.
pub(super) fn never<T>(reason: String) -> Result<T, Refusal> {
    Err(Refusal { reason: Reason::Told(reason), passing: false, instead: None })
}

/// A refusal that holds whatever others do, with what to do instead.
pub(super) fn never_but<T>(reason: String, instead: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { reason: Reason::Told(reason), passing: false, instead: Some(instead.into()) })
}

fn now<T>(reason: String) -> Result<T, Refusal> {
    passing(Reason::Told(reason))
}

const fn passing<T>(reason: Reason) -> Result<T, Refusal> {
    Err(Refusal { reason, passing: true, instead: None })
}

impl Mover<'_> {
    /// Whether a unit can hide (manual 4.6, ruling DOG-43).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_hide(&self) -> Result<(), Refusal> {
        if self.unit.hidden {
            return now(format!("{} is hidden already", self.id));
        }
        let near = self.seen.rules.numbers().hide.near;
        let watchers = self.seen.foes_within(near, self.unit.at);
        match watchers.as_slice() {
            [] => Ok(()),
            [one] => now(format!("{one} is within {near} hexes and would see it (DOG-43)")),
            several => now(format!("{} are within {near} hexes and would see it (DOG-43)", listed(several))),
        }
    }

    /// Whether a unit can go aboard a boat, in this hex if one is named. Returns the index of the boat among all boats (ruling DOG-35).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_board(&self, asked: Option<Hex>) -> Result<(u8, Hex), Refusal> {
        let (id, numbers) = (self.id, self.seen.rules.numbers());
        if self.unit.aboard.is_some() {
            return never_but(format!("{id} is aboard already"), "MOVE sails on, LAND goes ashore");
        }
        let (room, carries) = (scores::room(numbers, &self.unit.sorts), numbers.boat.carries);
        if room > carries {
            return never_but(
                format!("{id} needs room for {room} men, and a boat has room for {carries} (DOG-35)"),
                "a march with LEAVE makes two units of it, of which a smaller one finds room",
            );
        }
        let lies = |(_, at): &(u8, Hex)| {
            let free = at.distance(self.unit.at) == 1 && self.seen.occupant(*at).is_none();
            (*at == self.unit.at || free) && asked.is_none_or(|hex| hex == *at)
        };
        let Some((boat, at)) = (0..).zip(self.seen.state.boats.iter().map(|boat| boat.at)).find(lies) else {
            let place = asked.map_or_else(String::new, |hex| format!(" in {}", self.seen.rules.place(hex)));
            let lacks = format!("no empty boat lies next to {id}{place}");
            return match self.seen.state.boats.is_empty() {
                true => never_but(lacks, "there is no boat on this field: MOVE goes by land"),
                false => now(lacks),
            };
        };
        self.leaves_nobody(at)?;
        Ok((boat, at))
    }

    /// Whether a unit can go ashore (ruling DOG-35).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_land(&self, to: Hex) -> Result<(), Refusal> {
        if self.unit.aboard.is_none() {
            return never_but(format!("{} is not aboard a boat", self.id), "MOVE goes by land");
        }
        self.may_step(&self.unit.sorts, to)?;
        self.leaves_nobody(to)?;
        is_free(self.seen, to)
    }

    /// Whether the crew of chariots can go on foot: into this hex, or else into the hex that the chariots leave (ruling DOG-36).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_dismount(&self, to: Option<Hex>) -> Result<(), Refusal> {
        self.carries_crew()?;
        if self.points < dismounting(self.seen.rules.numbers()) {
            return never(format!("{} has no point left for its crew to dismount (DOG-36)", self.id));
        }
        // The crew stays in its own hex, which the chariots leave: no hex holds two units (manual 1).
        to.filter(|to| *to != self.unit.at).map_or(Ok(()), |to| self.may_set_down(to))
    }

    /// Whether a unit has a crew that could go on foot, moved or not (ruling DOG-36).
    ///
    /// # Errors
    /// It has none.
    pub(super) fn carries_crew(&self) -> Result<(), Refusal> {
        match crew(&self.unit.sorts).is_empty() {
            true => never_but(
                format!("{} carries no crew", self.id),
                "only the crew of chariots goes on foot; a march with LEAVE splits other units",
            ),
            false => Ok(()),
        }
    }

    /// The first hex next to chariots that stay where their crew can get down (ruling DOG-36).
    ///
    /// # Errors
    /// There is no such hex.
    pub(super) fn beside(&self) -> Result<Hex, Refusal> {
        let mut around = self.seen.rules.battle().field.around(self.unit.at);
        match around.find(|to| self.may_set_down(*to).is_ok()) {
            Some(to) => Ok(to),
            None => now(format!("nothing next to {} is free for its crew (DOG-36)", self.id)),
        }
    }

    fn may_set_down(&self, to: Hex) -> Result<(), Refusal> {
        self.may_step(&crew(&self.unit.sorts), to)?;
        is_free(self.seen, to)
    }

    /// Whether a march can begin at all, with the part that it leaves behind (rulings DOG-12, DOG-18).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_march(&self, march: &March) -> Result<(), Refusal> {
        if march.way == Way::To(self.unit.at) {
            return never_but(
                format!("{} is in {} already", self.id, self.unit.at),
                "name another hex, or none",
            );
        }
        let all = self.unit.fighters();
        match march.leave {
            Some(_) if self.unit.aboard.is_some() => never_but(
                "nobody can stay behind where a boat was".to_owned(),
                "write the march without LEAVE",
            ),
            Some(0) => never_but(
                "LEAVE how many? None is no rear guard".to_owned(),
                "write how many stay, or no LEAVE",
            ),
            Some(leave) if leave >= all => never_but(
                format!("{} has {}: somebody has to go", self.id, words::heads(all)),
                match all {
                    0 | 1 => "write the march without LEAVE".to_owned(),
                    _ => format!("LEAVE {} at most", all - 1),
                },
            ),
            _ => Ok(()),
        }
    }

    /// Whether a way leads to a hex at all, whoever stands in it.
    ///
    /// # Errors
    /// None does; the refusal says why.
    pub(super) fn may_reach(&self, to: Hex) -> Result<(), Refusal> {
        let (ground, sorts, afloat) = (self.seen.ground(), &self.unit.sorts, self.unit.aboard.is_some());
        if ground.best(sorts, afloat, self.unit.at, to).is_some() {
            return Ok(());
        }
        let why = self
            .seen
            .rules
            .battle()
            .field
            .around(to)
            .find_map(|from| ground.step(sorts, afloat, from, to).err());
        let reason = match why {
            Some(why) => format!("{} can't enter {}: {why}", self.id, self.seen.rules.place(to)),
            None => {
                format!(
                    "no way leads to {} over ground that {} can enter",
                    self.seen.rules.place(to),
                    self.id
                )
            }
        };
        never_but(reason, "name another hex")
    }

    /// Whether a unit can shoot at all, however near its enemies are (ruling DOG-14).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_shoot(&self) -> Result<(), Refusal> {
        if self.unit.sorts.iter().all(|sort| scores::distance(self.seen.rules.numbers(), sort).is_none()) {
            return never_but(format!("{} has nothing to shoot with", self.id), MELEE);
        }
        match self.unit.shots.iter().all(|left| *left == 0) {
            true => never_but(format!("{} has no shots left", self.id), MELEE),
            false => Ok(()),
        }
    }

    /// The force of a strike on somebody in a hex; none if it doesn't reach there.
    pub(super) fn force_on(&self, arm: Arm, hex: Hex) -> Option<u32> {
        let (numbers, scale) = (self.seen.rules.numbers(), self.seen.rules.battle().scale);
        let Unit { sorts, shots, .. } = self.unit;
        match (arm, hex.distance(self.unit.at)) {
            (Arm::Melee, 1) => Some(self.seen.state.attack_force(self.seen.rules, self.id)),
            (Arm::Melee, _) => None,
            (Arm::Volley, hexes) => {
                Some(scores::volley_force(numbers, scale, sorts, shots, hexes)).filter(|force| *force > 0)
            }
        }
    }

    /// The enemies in sight that a unit can strike, by name.
    pub(super) fn in_reach(&self, arm: Arm) -> Vec<UnitId> {
        let foes = self.seen.foes().into_iter();
        foes.filter(|(_, at)| self.force_on(arm, *at).is_some()).map(|(id, _)| id).collect()
    }

    /// The enemy that a unit strikes: the one that it hunts (ruling DOG-17), or the one that it was ordered to strike. None if it may choose.
    ///
    /// # Errors
    /// It can't strike him, or has nobody to choose from; the refusal says why.
    pub(super) fn target(&self, ordered: Option<UnitId>, arm: Arm) -> Result<Option<UnitId>, Refusal> {
        let id = self.id;
        // Who is hidden, or fell where nobody saw it, is the same to those who look for him (ruling DOG-44).
        let in_sight = |other| self.seen.state.unit(other).filter(|unit| !unit.hidden);
        let reaches = |other: &Unit| self.force_on(arm, other.at).is_some();
        if let Some((prey, _)) = self.unit.pursues {
            return match in_sight(prey) {
                None => now(format!("{id} hunts {prey}, who is nowhere to be seen")),
                Some(other) if other.captive.is_none() && reaches(other) => Ok(Some(prey)),
                Some(other) if other.captive.is_some() && self.seen.rules.policies().tells_prey_taken => {
                    now(format!("{id} hunts {prey}, who is a prisoner (DOG-17)"))
                }
                _ => now(format!("{id} hunts {prey}, who is out of reach (DOG-17)")),
            };
        }
        let Some(target) = ordered else {
            return match self.in_reach(arm).is_empty() {
                true => passing(Reason::NobodyInReach { by: id }),
                false => Ok(None),
            };
        };
        match in_sight(target) {
            _ if !self.seen.rules.battle().hostile(id, target) => never(format!("{target} is no enemy")),
            None => now(format!("{target} is nowhere to be seen")),
            Some(other) if other.captive.is_some() => now(format!("{target} is a prisoner")),
            Some(other) if !reaches(other) => passing(Reason::OutOfReach { target, by: id }),
            Some(_) => Ok(Some(target)),
        }
    }

    /// Whether a unit can give up to another (manual 4.5, rulings DOG-28, DOG-29).
    ///
    /// # Errors
    /// It can't; the refusal says why.
    pub(super) fn may_surrender(&self, to: UnitId) -> Result<(), Refusal> {
        let rules = self.seen.rules;
        let barbarians = self.unit.sorts.iter().any(|sort| rules.numbers().troop(sort.troop).code == "B");
        if barbarians && rules.battle().switches.barbarian_flight {
            return never_but(
                format!("{} are barbarians, who fight to the death (DOG-29)", self.id),
                "without an order they defend themselves",
            );
        }
        match self.seen.foes_within(1, self.unit.at).contains(&to) {
            true => Ok(()),
            false => now(format!("{to} is no enemy next to {}", self.id)),
        }
    }

    fn may_step(&self, sorts: &[Sort], to: Hex) -> Result<(), Refusal> {
        if self.unit.at.direction_to(to).is_none() {
            return never_but(
                format!(
                    "{} is not next to {}",
                    self.seen.rules.place(to),
                    self.seen.rules.place(self.unit.at)
                ),
                format!("name a hex next to {}", self.seen.rules.place(self.unit.at)),
            );
        }
        match self.seen.ground().step(sorts, false, self.unit.at, to) {
            Ok(_) => Ok(()),
            Err(reason) => never_but(
                format!("{} can't be entered: {reason}", self.seen.rules.place(to)),
                "name another hex",
            ),
        }
    }

    /// Refuses a step that leaves an enemy: a unit can't flee to a boat or ashore (ruling DOG-40).
    fn leaves_nobody(&self, to: Hex) -> Result<(), Refusal> {
        let left = left_enemies(&self.seen.foes(), self.unit.at, to);
        match left.as_slice() {
            [] => Ok(()),
            left => now(format!("{} would leave {}, next to it (DOG-40)", self.id, listed(left))),
        }
    }
}

fn is_free(seen: Observation<'_>, hex: Hex) -> Result<(), Refusal> {
    match seen.occupant(hex) {
        None => Ok(()),
        Some(by) => passing(Reason::Taken { by, place: seen.rules.place(hex) }),
    }
}

//! What a unit does when its time comes: by a task of its queue, or by its stance. Phases carry it out; nothing here throws a die or changes a
//! position.

use musterd_engine::hex::Hex;

use crate::battle::Spec;
use crate::data::Sa;
use crate::event::Refusal;
use crate::law;
use crate::model::{Missile, NEAR, Spell, UnitId, Way};
use crate::order::{Act, Stance};
use crate::route::{self, Goal};
use crate::state::{Fate, Position};

/// Something that takes a unit's time. Units are given by their places in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named after what they hold")]
pub enum Deed {
    /// It moves a hex; it acts again after `delay` time-points.
    Move { way: Way, to: Hex, delay: u16 },
    /// It holds until this time-point.
    Hold { next: u16 },
    /// It attacks its neighbour.
    Strike { foe: usize },
    /// It fires.
    Fire { foe: usize },
    /// It casts a spell on itself.
    Cast { spell: Spell, points: u32 },
    /// It makes a likeness.
    Liken { likeness: usize, at: Hex },
    /// It leaves the field.
    Leave,
}

/// What comes of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The deed by which it is done.
    Last(Deed),
    /// A deed after which it is not done yet.
    Part(Deed),
    /// A deed in its place: this friend is in the way.
    Wait(Deed, UnitId),
    /// It is done without a deed.
    Over,
}

/// What comes of a task of a unit now. `real` is the wizard who is real, as far as it is known.
///
/// # Errors
/// Why it comes to nothing.
pub fn by_order(
    rules: &Sa,
    position: &Position,
    real: Option<UnitId>,
    place: usize,
    act: Act,
) -> Result<Step, Refusal> {
    let at = position.units[place].at.ok_or(Refusal::NotFielded)?;
    let actor = Actor { rules, position, place, at };
    let strike = |foe| Step::Last(Deed::Strike { foe });
    Ok(match act {
        Act::Move(way) => Step::Last(actor.step(way)?),
        Act::Again => Step::Last(actor.step(position.units[place].way.ok_or(Refusal::NeverMoved)?)?),
        Act::To(goal) if goal == at => Step::Over,
        Act::To(goal) => actor.march(goal)?,
        Act::Hold => Step::Last(actor.hold()),
        // A halt may have held the unit for longer.
        Act::Until(point) if point <= position.point => Step::Over,
        Act::Until(point) => match law::after_hold(rules, position, place) {
            next if next < point => Step::Part(Deed::Hold { next }),
            _ => Step::Last(Deed::Hold { next: point }),
        },
        Act::Contact => match position.met(rules, place) {
            Some(_) => Step::Over,
            None => Step::Part(actor.hold()),
        },
        Act::Strike(way) => strike(law::strike(rules, position, place, way)?),
        Act::Attack(id) => {
            let foe = law::foe(rules, position, place, id)?;
            match position.units[foe].at.ok_or(Refusal::Gone(id))? {
                there if there.distance(at) == 1 => strike(foe),
                there => actor.march(there)?,
            }
        }
        Act::Fire(id) => Step::Last(actor.fire(law::foe(rules, position, place, id)?)?),
        Act::FireAt(hex) => Step::Last(actor.fire(law::foe_at(rules, position, place, hex)?)?),
        Act::Cast(spell, points) => {
            law::cast(rules, position, real, place, points)?;
            Step::Last(Deed::Cast { spell, points })
        }
        Act::Liken(way) => {
            let (likeness, at) = law::liken(rules, position, real, place, way)?;
            Step::Last(Deed::Liken { likeness, at })
        }
        Act::Leave => {
            law::leave(rules, position, place)?;
            Step::Last(Deed::Leave)
        }
    })
}

/// Why a task of a unit comes to nothing whatever happens until its turn; `None` if that hangs on the course of the battle. What is read, offered and
/// foreseen goes by this.
pub fn never(
    rules: &Sa,
    position: &Position,
    real: Option<UnitId>,
    place: usize,
    act: Act,
) -> Option<Refusal> {
    let (battle, spec) = (rules.battle(), &rules.battle().units[place]);
    match act {
        Act::To(hex) => {
            let barred = rules.numbers().cost(spec.kind, battle.field.terrain(hex)).is_none();
            barred.then_some(Refusal::Prohibited(hex))
        }
        Act::Fire(_) | Act::FireAt(_) if spec.missile.is_none() => Some(Refusal::NoMissiles),
        Act::Attack(foe) | Act::Fire(foe) => {
            let fate = position.units[battle.place(foe)].fate;
            matches!(fate, Fate::Gone(_)).then_some(Refusal::Gone(foe))
        }
        Act::Cast(_, points) => law::cast(rules, position, real, place, points).err(),
        Act::Liken(_) => law::likeness(rules, position, real, place).err(),
        Act::Leave => law::wizard(rules, place).err(),
        Act::Move(_)
        | Act::Again
        | Act::Hold
        | Act::Until(_)
        | Act::Contact
        | Act::Strike(_)
        | Act::FireAt(_) => None,
    }
}

/// What a unit does by its stance.
///
/// # Panics
/// It is off the field.
pub fn by_stance(rules: &Sa, position: &Position, place: usize, stance: Stance) -> Deed {
    #[expect(clippy::expect_used, reason = "only units on the field act")]
    let at = position.units[place].at.expect("a unit on the field");
    let actor = Actor { rules, position, place, at };
    let deed = match stance {
        Stance::Hold => actor.fire_at_will(),
        Stance::Advance(goal) => actor.fire_at_will().or_else(|| actor.advance(goal)),
        Stance::Skirmish => actor.skirmish(),
        Stance::Charge => match position.met(rules, place) {
            Some(foe) => Some(Deed::Strike { foe }),
            None => actor.nearest().and_then(|(foe, _)| actor.approach(foe)),
        },
        Stance::Avoid => actor.nearest().and_then(|(_, distance)| actor.retire(distance)),
    };
    deed.unwrap_or_else(|| actor.hold())
}

/// What a unit fires without an order. The wizard and his likenesses fire by order alone: a volley shows which of them are none (SA-51).
pub fn at_will(spec: &Spec) -> Option<Missile> {
    spec.missile.filter(|_| !spec.likeness)
}

/// The unit whose time has come.
struct Actor<'a> {
    rules: &'a Sa,
    position: &'a Position,
    place: usize,
    at: Hex,
}

impl Actor<'_> {
    /// The nearest enemy, and how far it is.
    fn nearest(&self) -> Option<(usize, u32)> {
        law::nearest(self.rules, self.position, self.place)
    }

    fn step(&self, way: Way) -> Result<Deed, Refusal> {
        let step = law::step(self.rules, self.position, self.place, way);
        step.map(|(to, delay)| Deed::Move { way, to, delay })
    }

    fn fire(&self, foe: usize) -> Result<Deed, Refusal> {
        law::fire(self.rules, self.position, self.place, foe).map(|()| Deed::Fire { foe })
    }

    fn hold(&self) -> Deed {
        Deed::Hold { next: law::after_hold(self.rules, self.position, self.place) }
    }

    /// What comes of a march to a hex: a friend in the way is waited for.
    fn march(&self, goal: Hex) -> Result<Step, Refusal> {
        let side = self.rules.battle().units[self.place].id.side;
        match self.toward(goal) {
            Ok(deed @ Deed::Move { to, .. }) if to == goal => Ok(Step::Last(deed)),
            Ok(deed) => Ok(Step::Part(deed)),
            Err(Refusal::Occupied(other)) if other.side == side => Ok(Step::Wait(self.hold(), other)),
            Err(why) => Err(why),
        }
    }

    /// The way out of its hex by which it gets to a goal the quickest.
    fn way(&self, goal: Goal) -> Option<Way> {
        route::first(self.rules, self.position, self.place, goal)
    }

    /// A step on the quickest way to a hex.
    fn toward(&self, goal: Hex) -> Result<Deed, Refusal> {
        self.step(self.way(Goal::Hex(goal)).ok_or(Refusal::NoWay(goal))?)
    }

    /// A step toward an enemy, or if no way leads there, toward the one that is reached first.
    fn approach(&self, foe: usize) -> Option<Deed> {
        let at = self.position.units[foe].at?;
        let way = self.way(Goal::Hex(at)).or_else(|| self.way(Goal::Foe));
        self.step(way?).ok()
    }

    /// A step away from an enemy within three hexes.
    fn retire(&self, distance: u32) -> Option<Deed> {
        if distance > NEAR {
            return None;
        }
        let (way, to, _) = law::flight(self.rules, self.position, self.place)?;
        let farther = law::clearance(self.rules, self.position, self.place, to) > distance;
        self.step(way).ok().filter(|_| farther)
    }

    /// Fire at the nearest enemy at whom it can fire: of several the first by number.
    fn fire_at_will(&self) -> Option<Deed> {
        let range = law::range(self.rules, at_will(&self.rules.battle().units[self.place])?);
        (1..=range).find_map(|distance| {
            let mut there =
                law::enemies(self.rules, self.position, self.place).filter(|(_, far)| *far == distance);
            there.find_map(|(foe, _)| self.fire(foe).ok())
        })
    }

    fn advance(&self, goal: Option<Hex>) -> Option<Deed> {
        match goal {
            _ if self.position.met(self.rules, self.place).is_some() => None,
            Some(hex) if self.at == hex => None,
            Some(hex) => self.toward(hex).ok(),
            None => self.approach(self.nearest()?.0),
        }
    }

    fn skirmish(&self) -> Option<Deed> {
        let (foe, distance) = self.nearest()?;
        let Some(missile) = self.rules.battle().units[self.place].missile else {
            return self.retire(distance);
        };
        let range = law::range(self.rules, missile);
        let back = if distance < range.min(2) { self.retire(distance) } else { None };
        let closer = || if distance > range { self.approach(foe) } else { None };
        back.or_else(|| self.fire_at_will()).or_else(closer)
    }
}

//! What a unit does when its time comes: by a task of its queue, or by its stance. Phases carry it out; nothing here throws a die or changes a
//! position.

use musterd_engine::hex::Hex;

use crate::data::Sa;
use crate::event::Refusal;
use crate::law;
use crate::model::{NEAR, Spell, UnitId, Way};
use crate::order::{Act, Stance};
use crate::route::{self, Goal};
use crate::state::Position;

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
    let at = position.units[place].at.ok_or(Refusal::OffField)?;
    let now = position.point;
    let strike = |foe| Step::Last(Deed::Strike { foe });
    let fire = |foe| law::fire(rules, position, place, foe).map(|()| Step::Last(Deed::Fire { foe }));
    Ok(match act {
        Act::Move(way) => Step::Last(step(rules, position, place, way)?),
        Act::Again => {
            let way = position.units[place].way.ok_or(Refusal::NeverMoved)?;
            Step::Last(step(rules, position, place, way)?)
        }
        Act::To(goal) if goal == at => Step::Over,
        Act::To(goal) => match toward(rules, position, place, Goal::Hex(goal))? {
            deed @ Deed::Move { to, .. } if to == goal => Step::Last(deed),
            deed => Step::Part(deed),
        },
        Act::Hold => Step::Last(hold(rules, position, place)),
        Act::Until(point) if point <= now => return Err(Refusal::Past(point)),
        Act::Until(point) => match now + clear(rules, place) {
            next if next < point => Step::Part(Deed::Hold { next }),
            _ => Step::Last(Deed::Hold { next: point }),
        },
        Act::Contact => match law::nearest(rules, position, place) {
            Some((_, 1)) => Step::Over,
            _ => Step::Part(hold(rules, position, place)),
        },
        Act::Strike(way) => strike(law::strike(rules, position, place, way)?),
        Act::Attack(id) => {
            let foe = law::foe(rules, position, place, id)?;
            match position.units[foe].at.ok_or(Refusal::Gone(id))? {
                there if there.distance(at) == 1 => strike(foe),
                there => Step::Part(toward(rules, position, place, Goal::Hex(there))?),
            }
        }
        Act::Fire(id) => fire(law::foe(rules, position, place, id)?)?,
        Act::FireAt(hex) => fire(law::foe_at(rules, position, place, hex)?)?,
        Act::Cast(..) if !law::is_real(rules, real, place) => return Err(Refusal::NoCaster),
        Act::Cast(spell, points) => {
            law::cast(rules, position, rules.battle().units[place].id, points)?;
            Step::Last(Deed::Cast { spell, points })
        }
        Act::Liken(way) => {
            let (likeness, at) = law::liken(rules, position, real, place, way)?;
            Step::Last(Deed::Liken { likeness, at })
        }
        Act::Leave => law::leave(rules, position, place).map(|()| Step::Last(Deed::Leave))?,
    })
}

/// What a unit does by its stance.
#[must_use]
pub fn by_stance(rules: &Sa, position: &Position, place: usize, stance: Stance) -> Deed {
    let fires = || {
        let target = target(rules, position, place);
        target.map(|foe| Deed::Fire { foe })
    };
    let foe = law::nearest(rules, position, place);
    let distance = foe.map_or(u32::MAX, |(_, distance)| distance);
    let deed = match stance {
        Stance::Hold => fires(),
        Stance::Advance(goal) => fires().or_else(|| match goal {
            _ if distance <= 1 => None,
            Some(hex) if position.units[place].at == Some(hex) => None,
            Some(hex) => toward(rules, position, place, Goal::Hex(hex)).ok(),
            None => approach(rules, position, place),
        }),
        Stance::Charge => match foe {
            Some((foe, 1)) => Some(Deed::Strike { foe }),
            _ => approach(rules, position, place),
        },
        Stance::Skirmish => match rules.battle().units[place]
            .missile
            .map(|missile| law::range(rules, missile))
        {
            None => retire(rules, position, place, distance),
            Some(range) => {
                let back =
                    if range > distance && distance == 1 { retire(rules, position, place, 1) } else { None };
                let near = |deed: &Deed| match deed {
                    Deed::Move { to, .. } => law::clearance(rules, position, place, *to) >= range.min(2),
                    _ => true,
                };
                let closer =
                    || approach(rules, position, place).filter(|deed| distance > range && near(deed));
                back.or_else(fires).or_else(closer)
            }
        },
        Stance::Avoid => retire(rules, position, place, distance),
    };
    deed.unwrap_or_else(|| hold(rules, position, place))
}

/// The nearest enemy at whom a unit can fire: of several the first by number.
fn target(rules: &Sa, position: &Position, place: usize) -> Option<usize> {
    let range = law::range(rules, rules.battle().units[place].missile?);
    let near = law::enemies(rules, position, place).filter(|(_, distance)| *distance <= range);
    let open = near.filter(|(foe, _)| law::fire(rules, position, place, *foe).is_ok());
    open.min_by_key(|(_, distance)| *distance).map(|(foe, _)| foe)
}

/// A step toward the nearest enemy, or if no way leads there, toward the one that is reached first.
fn approach(rules: &Sa, position: &Position, place: usize) -> Option<Deed> {
    let (foe, _) = law::nearest(rules, position, place)?;
    let goal = Goal::Hex(position.units[foe].at?);
    match toward(rules, position, place, goal) {
        Err(Refusal::NoWay(_)) => toward(rules, position, place, Goal::Foe).ok(),
        deed => deed.ok(),
    }
}

/// A step away from an enemy that is near.
fn retire(rules: &Sa, position: &Position, place: usize, distance: u32) -> Option<Deed> {
    let (way, to) = law::flight(rules, position, place).filter(|_| distance <= NEAR)?;
    let farther = law::clearance(rules, position, place, to) > distance;
    step(rules, position, place, way).ok().filter(|_| farther)
}

/// The next step of the quickest way; a friend in the way is waited for.
fn toward(rules: &Sa, position: &Position, place: usize, goal: Goal) -> Result<Deed, Refusal> {
    let at = position.units[place].at.ok_or(Refusal::OffField)?;
    let to = route::first(rules, position, place, goal).ok_or(Refusal::NoWay(match goal {
        Goal::Hex(hex) => hex,
        Goal::Foe => at,
    }))?;
    let way = at.direction_to(to).map(Way).ok_or(Refusal::OffField)?;
    let side = rules.battle().units[place].id.side;
    match step(rules, position, place, way) {
        Err(Refusal::Occupied(other)) if other.side == side => Ok(hold(rules, position, place)),
        deed => deed,
    }
}

fn step(rules: &Sa, position: &Position, place: usize, way: Way) -> Result<Deed, Refusal> {
    law::step(rules, position, place, way).map(|(to, delay)| Deed::Move { way, to, delay })
}

/// Holds as long as a step over clear ground takes (SA-24).
fn hold(rules: &Sa, position: &Position, place: usize) -> Deed {
    Deed::Hold { next: position.point + clear(rules, place) }
}

fn clear(rules: &Sa, place: usize) -> u16 {
    rules.numbers().clear(rules.battle().units[place].kind)
}

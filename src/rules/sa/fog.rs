//! What leaves a position: the only file that makes views and sights.
//!
//! Both sides see the whole field. Hidden are the orders of the other side, and which of the likenesses is the wizard.

use musterd_dice::Seat;

use crate::data::Sa;
use crate::event::{Change, Event};
use crate::model::Side;
use crate::sight::Sight;
use crate::state::{Phase, State};
use crate::view::View;

/// What one seat knows of the position.
pub(crate) fn view(rules: &Sa, state: &State, to: &Seat) -> View {
    let battle = rules.battle();
    let side = battle.side_of(to);
    let is_own = |of: Side| side == Some(of);
    let charges = battle.units.iter().zip(&state.charges).filter(|(spec, _)| is_own(spec.id.side));
    let noticed = battle.units.iter().zip(&state.noticed).filter(|(spec, _)| is_own(spec.id.side));
    let wizard = battle.hunt.map(|hunt| hunt.side);
    let knows = wizard.is_some_and(is_own) || state.phase == Phase::Over;
    View {
        seat: to.clone(),
        side,
        own: battle.commander(to).map(|commander| commander.units.clone()).unwrap_or_default(),
        phase: state.phase,
        paused: state.paused,
        position: state.position.clone(),
        charges: charges.map(|(spec, charge)| (spec.id, charge.clone())).collect(),
        noticed: noticed.map(|(spec, noticed)| (spec.id, *noticed)).collect(),
        real: state.real.filter(|_| knows),
        taste: state.taste(to),
        course: state.course.clone(),
        outcome: state.outcome.clone(),
    }
}

/// What one seat learns of an event.
pub(crate) fn witness(rules: &Sa, _before: &State, event: &Event, to: &Seat) -> Option<Sight> {
    match event {
        Event::Reported { seat, .. } => (seat == to).then(|| Sight::Seen(event.clone())),
        _ => seen(event, rules.battle().side_of(to)),
    }
}

/// What a side sees of an event; `None` for whoever belongs to none.
pub(crate) fn seen(event: &Event, side: Option<Side>) -> Option<Sight> {
    let seen = || Some(Sight::Seen(event.clone()));
    let of = |owner: Side| if side == Some(owner) { seen() } else { None };
    match event {
        Event::Told { unit, .. }
        | Event::Skipped { unit, .. }
        | Event::Waited { unit, .. }
        | Event::Done { unit, .. }
        | Event::Triggered { unit, .. } => of(unit.side),
        Event::Stood { .. } | Event::Reported { .. } => None,
        Event::Amended { change: Change::Wizard(real) } => of(real.side),
        Event::Began { real: Some(real) } if side != Some(real.side) => {
            Some(Sight::Seen(Event::Began { real: None }))
        }
        Event::Likened { unit, likeness, at, points, .. } if side != Some(unit.side) => {
            Some(Sight::Likened { unit: *unit, likeness: *likeness, at: *at, points: *points })
        }
        _ => seen(),
    }
}

/// Whether a roll is the seat's own: all are thrown in the open but the draws of the real wizard, which are his side's.
pub(crate) fn shows_roll(rules: &Sa, phase: &str, to: &Seat) -> bool {
    let wizard = rules.battle().hunt.map(|hunt| hunt.side);
    match rules.battle().side_of(to) {
        None => false,
        side => phase != SECRET || side == wizard,
    }
}

/// The word in the labels of rolls that only the wizard's side may see.
pub(crate) const SECRET: &str = "likeness";

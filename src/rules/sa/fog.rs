//! What leaves a position: the only file that makes views and sights.
//!
//! Both sides see the whole field. Hidden are the orders of the other side, and which of the likenesses is the wizard.

use musterd_dice::Seat;
use serde::Serialize;

use crate::data::Sa;
use crate::event::{Change, Event};
use crate::model::Side;
use crate::state::{Phase, State};
use crate::view::View;

/// What a commander learns of one event: the event itself, without what he can't know. Nobody else can make one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Sight(Event);

impl Sight {
    /// The event as he sees it.
    pub const fn event(&self) -> &Event {
        &self.0
    }
}

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
        Event::Reported { seat, .. } => (seat == to).then(|| Sight(event.clone())),
        _ => seen(event, rules.battle().side_of(to)),
    }
}

/// What a side sees of an event; `None` for whoever belongs to none.
pub(crate) fn seen(event: &Event, side: Option<Side>) -> Option<Sight> {
    let seen = || Some(Sight(event.clone()));
    let of = |owner: Side| if side == Some(owner) { seen() } else { None };
    match event {
        Event::Told { unit, .. }
        | Event::Skipped { unit, .. }
        | Event::Waited { unit, .. }
        | Event::Done { unit, .. }
        | Event::Triggered { unit, .. } => of(unit.side),
        Event::Stood { .. } | Event::Reported { .. } => None,
        Event::Amended { change } => match change {
            Change::Wizard(real) => of(real.side),
            Change::Men(..)
            | Change::Place(..)
            | Change::Rout(..)
            | Change::Next(..)
            | Change::Battles(..)
            | Change::Routs(..)
            | Change::Losing(..)
            | Change::Plain(_)
            | Change::Morale(..)
            | Change::Magic(..) => seen(),
        },
        // All see that the wizard stands in several hexes, and his side alone in which.
        Event::Began { real } | Event::Likened { real, .. }
            if real.is_some_and(|real| side != Some(real.side)) =>
        {
            let mut event = event.clone();
            if let Event::Began { real } | Event::Likened { real, .. } = &mut event {
                *real = None;
            }
            Some(Sight(event))
        }
        // What all see on the field.
        Event::Began { .. }
        | Event::Deployed { .. }
        | Event::Ticked { .. }
        | Event::Moved { .. }
        | Event::Held { .. }
        | Event::Fought { .. }
        | Event::Fired { .. }
        | Event::Checked { .. }
        | Event::Routed { .. }
        | Event::Fled { .. }
        | Event::Cornered { .. }
        | Event::Left { .. }
        | Event::Rallied { .. }
        | Event::Cast { .. }
        | Event::Likened { .. }
        | Event::Vanished { .. }
        | Event::Arrived { .. }
        | Event::Wavered { .. }
        | Event::Drawn { .. }
        | Event::Paused { .. }
        | Event::Ended { .. } => seen(),
    }
}

/// Whether a roll is the seat's own: all are thrown in the open but the draws of the real wizard, which are his side's.
pub(crate) fn shows_roll(rules: &Sa, phase: &str, _: &str, to: &Seat) -> bool {
    let wizard = rules.battle().hunt.map(|hunt| hunt.side);
    match rules.battle().side_of(to) {
        None => false,
        side => phase != SECRET || side == wizard,
    }
}

/// The word in the labels of rolls that only the wizard's side may see.
pub(crate) const SECRET: &str = "likeness";

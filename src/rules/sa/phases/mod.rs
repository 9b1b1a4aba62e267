//! The course of a mail turn: orders are heard, then the clock runs, time-point by time-point.

mod act;
mod clock;
mod fight;
mod orders;
mod rout;
mod wizard;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use musterd_engine::{Input, LabelStem, Scribe};

use crate::data::Sa;
use crate::event::{Ending, Event, Outcome};
use crate::law;
use crate::model::{Side, UnitId};
use crate::order::Order;
use crate::state::{Phase, Position, State, Unit};

/// The hand that writes a battle: the rules, and the scribe.
struct Hand<'h, 's> {
    rules: &'h Sa,
    scribe: &'h mut Scribe<'s, Sa>,
    /// The units whose commanders know that a friend is in the way of their march.
    waiting: BTreeSet<usize>,
}

/// Whether the battle goes on, or how it ends.
type Flow<T = ()> = ControlFlow<Ending, T>;

/// Runs the rules until the next wait.
pub(crate) fn step(rules: &Sa, scribe: &mut Scribe<'_, Sa>, input: &Input<Order>) {
    let mut hand = Hand { rules, scribe, waiting: BTreeSet::new() };
    let flow = match hand.state().phase {
        Phase::Unfounded => hand.found(),
        Phase::Initial(side) => hand.initial(side, input),
        Phase::Battle => hand.block(input),
        Phase::Over => return,
    };
    if let ControlFlow::Break(ending) = flow {
        let outcome = hand.outcome(ending);
        hand.note(Event::Ended { outcome });
    }
}

impl Hand<'_, '_> {
    fn state(&self) -> &State {
        self.scribe.state()
    }

    fn position(&self) -> &Position {
        &self.state().position
    }

    fn unit(&self, place: usize) -> &Unit {
        &self.position().units[place]
    }

    fn id(&self, place: usize) -> UnitId {
        self.rules.battle().units[place].id
    }

    /// The time-point.
    fn now(&self) -> u16 {
        self.position().point
    }

    /// The time-point at which a unit acts next that does nothing else now (SA-24).
    fn after_hold(&self, place: usize) -> u16 {
        law::after_hold(self.rules, self.position(), place)
    }

    /// Whether a unit is what it seems.
    fn is_real(&self, place: usize) -> bool {
        law::is_real(self.rules, self.state().real, place)
    }

    /// Throws dice for a unit, or for two.
    fn roll<const N: usize>(
        &mut self,
        (phase, kind): (&'static str, &'static str),
        of: impl IntoIterator<Item = UnitId>,
        sides: u32,
    ) -> [u32; N] {
        let mut subject = String::with_capacity(8);
        for id in of {
            if !subject.is_empty() {
                subject.push('-');
            }
            subject.push(id.side.letter().to_ascii_lowercase());
            subject.push_str(&id.number.to_string());
        }
        let faces = self.scribe.roll(&LabelStem { phase, kind, subject }, N as u32, sides);
        std::array::from_fn(|die| faces[die])
    }

    /// Records an event that can't end the battle, or whose end is looked at later.
    fn note(&mut self, event: Event) {
        self.scribe.record(event);
    }

    /// Records an event. The battle ends the moment an army's morale is gone (SA-20).
    fn record(&mut self, event: Event) -> Flow {
        self.note(event);
        self.look_at_morale()
    }

    fn look_at_morale(&self) -> Flow {
        let gone = |side: &Side| self.position().morale[side.index()] <= 0;
        match Side::ALL.into_iter().find(gone) {
            Some(side) => Flow::Break(Ending::Retreat(side)),
            None => Flow::Continue(()),
        }
    }

    /// Whether a hunt decides the battle, and the real wizard is on the field.
    fn is_hunted(&self) -> bool {
        let hunt = self.rules.battle().hunt.filter(|hunt| hunt.decides);
        let real = hunt.and(self.state().real).and_then(|wizard| self.rules.battle().index(wizard));
        real.is_some_and(|place| self.unit(place).at.is_some())
    }

    /// How the battle ended: the armies' remains are counted, less 15 % for who retreats (SA-21, SA-49), unless the hunt decided it (SA-44): hunters who
    /// retreat leave the field to the wizard (SA-55).
    fn outcome(&self, ending: Ending) -> Outcome {
        let (position, real) = (self.position(), self.state().real);
        let mut left = Side::ALL.map(|side| law::left(self.rules, position, real, side));
        if let Ending::Retreat(side) = ending {
            left[side.index()] = left[side.index()] * 85 / 100;
        }
        let margin = law::margin(left);
        let hunted = self.rules.battle().hunt.map(|hunt| hunt.side);
        let escapes = |hunters: Side| self.is_hunted() && hunted == Some(hunters.other());
        let won = match ending {
            Ending::Retreat(side) if escapes(side) => hunted.map(|side| (side, false)),
            Ending::Nightfall | Ending::Retreat(_) => {
                let stronger = if left[0] > left[1] { Side::A } else { Side::B };
                (margin >= 10).then_some((stronger, margin >= 30))
            }
            Ending::WizardDead | Ending::WizardRan => hunted.map(|side| (side.other(), true)),
            Ending::WizardGone => hunted.map(|side| (side, true)),
            Ending::WizardLives => hunted.map(|side| (side, false)),
        };
        Outcome { ending, left, margin, won }
    }
}

//! Spells, the wizard and his likenesses, and units that leave the field (SA-25, SA-32, SA-38, SA-44, SA-46).

use musterd_engine::hex::Hex;

use super::{Flow, Hand};
use crate::event::{Departure, Ending, Event};
use crate::fog;
use crate::law;
use crate::model::Spell;

impl Hand<'_, '_> {
    /// A unit casts a spell on itself.
    pub(super) fn cast(&mut self, place: usize, spell: Spell, points: u32) -> Flow {
        let until = (spell == Spell::Courage).then(|| self.now() + law::COURAGE);
        let next = self.after_hold(place);
        self.record(Event::Cast { unit: self.id(place), spell, points, until, next })
    }

    /// The wizard makes a likeness of himself: a die decides in secret which of the two he is.
    pub(super) fn liken(&mut self, place: usize, likeness: usize, at: Hex) -> Flow {
        let (unit, other) = (self.id(place), self.id(likeness));
        let points = self.rules.battle().hunt.map_or(0, |hunt| hunt.cost);
        let [die] = self.roll((fog::SECRET, "real"), [unit, other], 2);
        let real = Some(if die == 1 { unit } else { other });
        let next = self.after_hold(place);
        self.record(Event::Likened { unit, likeness: other, at, real, points, next })
    }

    /// A unit leaves the field.
    pub(super) fn depart(&mut self, place: usize, how: Departure) -> Flow {
        let verdict = self.remove(place, how);
        self.decide(verdict)
    }

    /// Takes a unit off the field. A likeness only vanishes; with the real wizard all his likenesses do. How the hunt ends by it, if it does.
    pub(super) fn remove(&mut self, place: usize, how: Departure) -> Option<Ending> {
        let (unit, from) = (self.id(place), self.position().stand(place));
        if !self.is_real(place) {
            self.note(Event::Vanished { unit, from });
            return None;
        }
        let followers = law::followers(self.rules, self.position(), self.state().real, place);
        self.note(Event::Left { unit, how, from });
        for (unit, at) in followers {
            self.note(Event::Vanished { unit, from: at });
        }
        let battle = self.rules.battle();
        let hunt = battle.hunt.filter(|_| battle.units[place].likeness)?;
        hunt.decides.then_some(match how {
            Departure::Escaped => Ending::WizardGone,
            Departure::Destroyed => Ending::WizardDead,
            Departure::Ran | Departure::Deserted => Ending::WizardRan,
        })
    }

    /// The hunt's verdict counts before army morale (SA-55).
    pub(super) fn decide(&self, verdict: Option<Ending>) -> Flow {
        verdict.map_or_else(|| self.look_at_morale(), Flow::Break)
    }
}

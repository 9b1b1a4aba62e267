//! Melee and fire (SA-1 to SA-10, SA-14, SA-17, SA-19, SA-27, SA-34, SA-42).

use super::{Flow, Hand};
use crate::event::{Blow, Cause, Departure, Event, Factors, Nerve, Why};
use crate::law;
use crate::model::UnitId;
use crate::state::Last;

impl Hand<'_, '_> {
    /// A unit attacks its neighbour. One that moved last needs the nerve for it.
    pub(super) fn attack(&mut self, place: usize, foe: usize) -> Flow {
        if self.unit(place).last == Last::Moved {
            match self.check(place, Why::Attack)? {
                Nerve::Orders => {}
                Nerve::Halt => return Flow::Continue(()),
                Nerve::Rout => {
                    self.rout(place, Cause::Nerve, self.now())?;
                    return self.flee(place);
                }
            }
        }
        let (rules, pair) = (self.rules, [place, foe]);
        let dice: [u32; 4] = self.roll(("melee", "random"), pair.map(|place| self.id(place)), 6);
        let factors = |own: usize, dice: [u32; 2]| Factors {
            dice: Some(dice),
            random: law::random(rules.battle().units[pair[own]].class, dice),
            ..law::melee(rules, self.position(), pair[own], pair[1 - own], own == 0)
        };
        let both = [factors(0, [dice[0], dice[1]]), factors(1, [dice[2], dice[3]])];
        let [attacker, defender] = self.blows(pair, both, true);
        let won = self.winner(pair, [&attacker, &defender]);
        self.note(Event::Fought { attacker, defender, next: self.now() + law::FIGHT, won });
        self.bury(&pair)?;
        match won {
            Some(winner) if winner == attacker.unit => self.lose_heart(foe),
            Some(_) => self.lose_heart(place),
            None => Flow::Continue(()),
        }
    }

    /// A unit fires. Its target fires back if its missiles fly so far.
    pub(super) fn fire(&mut self, place: usize, foe: usize) -> Flow {
        let (rules, pair) = (self.rules, [place, foe]);
        let ids = pair.map(|place| self.id(place));
        let answered = law::answers(rules, self.position(), foe, place);
        let dice: [u32; 2] = match answered {
            true => self.roll(("fire", "random"), ids, 3),
            false => {
                let [die] = self.roll(("fire", "random"), ids, 3);
                [die, 0]
            }
        };
        let position = self.position();
        let factors = |own: usize| Factors {
            dice: Some([dice[own], 0]),
            random: law::scatter(dice[own]),
            ..law::volley(rules, position, pair[own], pair[1 - own], law::moved_last(position, pair[1 - own]))
        };
        let answer = if answered { factors(1) } else { Factors::default() };
        let [attacker, defender] = self.blows(pair, [factors(0), answer], answered);
        let won = self.winner(pair, [&attacker, &defender]);
        self.note(Event::Fired { attacker, defender, answered, next: self.now() + law::FIGHT, won });
        let struck = [foe, place];
        self.bury(if answered { &struck } else { &struck[..1] })
    }

    /// What two do to each other at the same time; the second nothing, unless it answers.
    fn blows(&self, pair: [usize; 2], factors: [Factors; 2], answered: bool) -> [Blow; 2] {
        // A likeness fights as one man (SA-32).
        let men = pair.map(|place| if self.is_real(place) { self.unit(place).men } else { 1 });
        let percent =
            |own: usize| if own == 0 || answered { law::casualties(factors[own].total()) } else { 0 };
        [0, 1].map(|own: usize| Blow {
            unit: self.id(pair[own]),
            men: men[own],
            lost: law::fallen(men[1 - own], percent(1 - own), men[own]),
            factors: factors[own],
            percent: percent(own),
        })
    }

    /// Who has won a fight; nobody wins with a likeness, nor against one.
    fn winner(&self, pair: [usize; 2], blows: [&Blow; 2]) -> Option<UnitId> {
        let real = pair.into_iter().all(|place| self.is_real(place));
        law::winner(self.rules, self.position(), blows).filter(|_| real)
    }

    /// Units that were struck in one fight: whoever has nobody left is gone, and a likeness in any case. Both losses fall at the same time (SA-2), so
    /// all are gone before the hunt and army morale decide anything.
    fn bury(&mut self, struck: &[usize]) -> Flow {
        let mut verdict = None;
        for place in struck.iter().copied() {
            if self.unit(place).men == 0 || !self.is_real(place) {
                verdict = self.remove(place, Departure::Destroyed).or(verdict);
            }
        }
        self.decide(verdict)
    }

    /// A unit that lost a melee routs if it lost too many in a row (SA-17).
    fn lose_heart(&mut self, place: usize) -> Flow {
        let unit = self.unit(place);
        match unit.at.is_some() && law::breaks(self.rules, self.position(), place, unit.losing) {
            true => self.rout(place, Cause::Losses, unit.next.min(self.after_hold(place))),
            false => Flow::Continue(()),
        }
    }
}

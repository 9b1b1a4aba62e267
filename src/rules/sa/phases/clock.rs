//! The clock: the initial move, and the time-points of a block with all that is due at them (SA-22, SA-23, SA-30, SA-43, SA-45).

use std::collections::BTreeSet;
use std::ops::Range;

use musterd_engine::hex::Hex;
use musterd_engine::{Input, LabelStem};

use super::{Flow, Hand};
use crate::battle::Spec;
use crate::event::{Departure, Ending, Event};
use crate::law;
use crate::model::{Class, Side, UnitId};
use crate::order::{Charge, Order};
use crate::state::Fate;

/// The faces of the die by which units that are due together are put in order.
const LOTS: u32 = 1000;

impl Hand<'_, '_> {
    /// Lays out the battle. Where likenesses stand on the field from the start, the real wizard is drawn in secret (SA-32).
    pub(super) fn found(&mut self) -> Flow {
        let placed = (0..self.rules.battle().units.len()).filter(|place| {
            let spec = &self.rules.battle().units[*place];
            spec.likeness && spec.at.is_some()
        });
        let placed: Vec<UnitId> = placed.map(|place| self.id(place)).collect();
        let real = match placed.as_slice() {
            [first, _, ..] => {
                let [die] = self.roll((crate::fog::SECRET, "real"), [*first], placed.len() as u32);
                Some(placed[die as usize - 1])
            }
            _ => None,
        };
        self.record(Event::Began { real })?;
        self.note_standing();
        Flow::Continue(())
    }

    /// The initial move: each unit of a side acts once at point 0, in the order of numbers.
    pub(super) fn initial(&mut self, of: Option<Side>, input: &Input<Order>) -> Flow {
        self.hear(input, of, true)?;
        for side in Side::ALL.into_iter().filter(|side| of.is_none_or(|of| of == *side)) {
            let (from, to) = self.rules.battle().army(side).units;
            self.act_in_turn(from..to)?;
        }
        self.pause(0)
    }

    /// A block of time-points.
    pub(super) fn block(&mut self, input: &Input<Order>) -> Flow {
        self.hear(input, None, false)?;
        let (first, last) = self.rules.block_after(self.state().paused);
        for point in first..=last {
            let is_due = |place: &usize| self.is_due(*place, point);
            let mut due: Vec<usize> = (0..self.rules.battle().units.len()).filter(is_due).collect();
            let comers = self.comers(point);
            let waverers = self.waverers(point, &comers);
            if due.is_empty() && comers.is_empty() && waverers.is_empty() {
                continue;
            }
            self.note(Event::Ticked { point });
            for (place, at) in comers {
                self.note(Event::Arrived { unit: self.id(place), at, next: point });
                due.push(place);
            }
            for (place, most) in waverers {
                self.waver(place, most)?;
            }
            self.draw_lots(&mut due);
            self.act_in_turn(due)?;
        }
        if last == self.rules.battle().nightfall {
            if self.now() < last {
                self.note(Event::Ticked { point: last });
            }
            return Flow::Break(self.nightfall());
        }
        self.pause(last)
    }

    /// A mail turn is over: what stands of each seat's orders is noted first.
    fn pause(&mut self, point: u16) -> Flow {
        self.note_standing();
        self.record(Event::Paused { point })
    }

    /// Notes what each seat has that must not become public yet: standing orders, and who is the wizard as long as a likeness could be he.
    fn note_standing(&mut self) {
        let battle = self.rules.battle();
        let likenesses = battle.units.iter().zip(&self.position().units);
        let secret = likenesses.filter(|(spec, unit)| spec.likeness && unit.at.is_some()).count() > 1;
        let wizard = self.state().real.filter(|_| secret);
        for commander in battle.sides.iter().flat_map(|army| &army.commanders) {
            let charge = |id: &UnitId| (*id, self.state().charges[battle.place(*id)].clone());
            let stands = |(_, charge): &(UnitId, Charge)| *charge != Charge::default();
            let charges: Vec<_> = commander.units.iter().map(charge).filter(stands).collect();
            let real = wizard.filter(|id| commander.units.contains(id));
            if !charges.is_empty() || real.is_some() || self.state().stood.contains(&commander.seat) {
                self.note(Event::Stood { seat: commander.seat.clone(), charges, real });
            }
        }
    }

    fn is_due(&self, place: usize, point: u16) -> bool {
        self.unit(place).at.is_some() && self.unit(place).next <= point
    }

    /// Units act one after the other, as far as they are still on the field and due when their turn comes.
    fn act_in_turn(&mut self, due: impl IntoIterator<Item = usize>) -> Flow {
        for place in due {
            if self.is_due(place, self.now()) {
                self.act(place)?;
            }
        }
        Flow::Continue(())
    }

    /// Puts units that are due together in order: by the chart's clear cost, then the better class, then by lot. Units of one side draw no lots among
    /// themselves.
    fn draw_lots(&mut self, due: &mut [usize]) {
        let rules = self.rules;
        let rank = |place: &usize| -> (u16, Class) {
            let spec = &rules.battle().units[*place];
            (rules.numbers().clear(spec.kind), spec.class)
        };
        due.sort_by_cached_key(|place| (rank(place), *place));
        let mut from = 0;
        while from < due.len() {
            let same = due[from..].iter().take_while(|place| rank(place) == rank(&due[from])).count();
            self.draw(due, from..from + same);
            from += same;
        }
    }

    /// Draws lots for these of the units that are due, if both sides are among them.
    fn draw(&mut self, due: &mut [usize], tied: Range<usize>) {
        let tied = &mut due[tied];
        if self.are_one_side(tied) {
            return;
        }
        self.throw_lots(tied);
        let order = tied.iter().map(|place| self.id(*place)).collect();
        self.note(Event::Drawn { point: self.now(), order });
    }

    /// Puts units in the order of their lots. Where both sides have the same, a die picks who is next, until those left are of one side: the order of the
    /// list would favour one of them. Dice that always fall alike, as those of forecasts, come to an end of it as well.
    fn throw_lots(&mut self, tied: &mut [usize]) {
        let stem = LabelStem::of("order", "draw", &self.now());
        let lots = self.scribe.roll(&stem, tied.len() as u32, LOTS);
        let mut drawn: Vec<(u32, usize)> = lots.into_iter().zip(tied.iter().copied()).collect();
        drawn.sort_unstable();
        for (slot, (_, place)) in tied.iter_mut().zip(&drawn) {
            *slot = *place;
        }
        let mut from = 0;
        for equal in drawn.chunk_by(|one, next| one.0 == next.0) {
            let to = from + equal.len();
            while !self.are_one_side(&tied[from..to]) {
                let picked = self.scribe.die(&stem, (to - from) as u32);
                tied[from..to][..picked as usize].rotate_right(1);
                from += 1;
            }
            from = to;
        }
    }

    /// Whether all these units are of one side.
    fn are_one_side(&self, units: &[usize]) -> bool {
        let mut sides = units.iter().map(|place| self.id(*place).side);
        let first = sides.next();
        sides.all(|side| Some(side) == first)
    }

    /// The units that come onto the field by this point, each with the free hex nearest to where it comes.
    fn comers(&self, point: u16) -> Vec<(usize, Hex)> {
        let battle = self.rules.battle();
        let mut taken = BTreeSet::new();
        let mut comers = Vec::new();
        for (place, spec) in battle.units.iter().enumerate() {
            let comes = spec.arrives.filter(|arrival| arrival.point <= point);
            let Some(arrival) = comes.filter(|_| self.unit(place).fate == Fate::Coming) else { continue };
            let free = |hex: &Hex| {
                law::is_free(self.rules, self.position(), spec.kind, *hex) && !taken.contains(hex)
            };
            let nearest = battle.field.hexes().filter(free).min_by_key(|hex| hex.distance(arrival.at));
            if let Some(hex) = nearest {
                taken.insert(hex);
                comers.push((place, hex));
            }
        }
        comers
    }

    /// The units whose minds are made up at this point, each with the most that a die may show for it to desert.
    fn waverers(&self, point: u16, comers: &[(usize, Hex)]) -> Vec<(usize, u32)> {
        let is_there =
            |place: usize| self.unit(place).at.is_some() || comers.iter().any(|(comer, _)| *comer == place);
        let wavers = |(place, spec): (usize, &Spec)| {
            let desertion = spec.deserts.filter(|desertion| desertion.point == point && is_there(place))?;
            Some((place, desertion.most))
        };
        self.rules.battle().units.iter().enumerate().filter_map(wavers).collect()
    }

    /// A unit may desert (SA-32).
    fn waver(&mut self, place: usize, most: u32) -> Flow {
        let unit = self.id(place);
        let [die] = self.roll(("desertion", "die"), [unit], 6);
        let deserts = die <= most;
        self.note(Event::Wavered { unit, die, deserts });
        match deserts {
            true => self.depart(place, Departure::Deserted),
            false => Flow::Continue(()),
        }
    }

    /// How the battle ends at nightfall (SA-30, SA-44).
    fn nightfall(&self) -> Ending {
        if self.is_hunted() { Ending::WizardLives } else { Ending::Nightfall }
    }
}

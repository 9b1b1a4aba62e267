//! What the sides see of each other's pieces, and remember.

use std::collections::BTreeMap;

use super::State;
use crate::data::Lga;
use crate::event::Event;
use crate::memory::{Fought, Glimpse, LastSeen, Memory, Seen, ShownHq};
use crate::model::{Arm, Side, UnitId};
use crate::record::Turn;
use crate::scenario::UnitSpec;
use crate::sight::Check;
use crate::tables::combat::{DEFENDERS_HQ, HQ};
use musterd_engine::hex::Hex;
use musterd_kit::seen::Sighting;

impl State {
    /// The enemy stacks in sight: every one but those of a garrison alone (manual 3.5).
    pub(crate) fn in_sight<'a>(&'a self, rules: &'a Lga, side: Side) -> impl Iterator<Item = Seen> + 'a {
        self.enemies(rules, side).filter_map(move |(at, stack)| {
            let seen = |id: &&UnitId| !self.unit(**id).garrison;
            let unit = |id: &&UnitId| rules.scenario.unit(**id).kind.arm != Arm::Hq;
            let units = stack.iter().filter(seen).filter(unit).count();
            let top = *stack.iter().filter(seen).find(unit).or_else(|| stack.iter().find(seen))?;
            let count = if units > 0 { units } else { stack.iter().filter(seen).count() };
            let screened = rules.scenario.unit(top).kind.arm == Arm::Cavalry;
            Some(Seen { at, top, count: u32::try_from(count).ok().filter(|_| !screened) })
        })
    }

    /// Whether the side sees marches through a hex: in its own turn, and once it has been attacked also in another's, if it holds the hex or exerts a zone
    /// on it, or is next to one where it does (ruling LGA-71).
    pub(crate) fn watches(&self, rules: &Lga, side: Side, hex: Hex) -> bool {
        let own = |hex: Hex| self.stack(hex).iter().any(|&id| rules.scenario.unit(id).side == side);
        let guarded = |hex: Hex| own(hex) || self.covers(rules, hex, |by| by == side);
        side == self.phasing || self.fought && (guarded(hex) || rules.map.neighbours(hex).any(guarded))
    }

    /// What a side remembers of its enemies' pieces that are out of its sight.
    pub(crate) fn out_of_sight(&self, rules: &Lga, side: Side) -> BTreeMap<UnitId, LastSeen> {
        let Some(memory) = self.memories.get(&side) else { return BTreeMap::new() };
        let stacks: Vec<Seen> = self.in_sight(rules, side).collect();
        let in_sight = |id: UnitId| stacks.iter().any(|seen| seen.top == id);
        let last_seen = |(id, sighting): (UnitId, &Sighting<Turn, Glimpse>)| {
            let above = stacks.iter().find(|seen| seen.at == sighting.at);
            let shown = self.report_before().is_some_and(|report| sighting.was_shown_at(&report));
            let seen = LastSeen {
                at: sighting.at,
                turn: sighting.when,
                glimpse: sighting.what,
                lost: shown && above.is_none(),
                may_be_there: self.may_lie_unseen(rules, id, sighting.at, above),
            };
            (seen.lost || seen.may_be_there).then_some((id, seen))
        };
        memory.seen.out_of_sight(in_sight).filter_map(last_seen).collect()
    }

    /// The headquarters that fights have shown a side by their modifiers alone, and that may be with the stacks that it sees there.
    pub(crate) fn shown_hqs(&self, rules: &Lga, side: Side) -> BTreeMap<Hex, ShownHq> {
        let Some(memory) = self.memories.get(&side).filter(|memory| !memory.hqs.is_empty()) else {
            return BTreeMap::new();
        };
        let stacks: Vec<Seen> = self.in_sight(rules, side).collect();
        let may_be_there = |(at, hq): &(&Hex, &ShownHq)| may_be_led(rules, **at, hq, &stacks);
        memory.hqs.iter().filter(may_be_there).map(|(at, hq)| (*at, *hq)).collect()
    }

    /// The cities where a side's marches have met a garrison whose name it doesn't know and that may be there still, each with the turn.
    pub(crate) fn met_garrisons(&self, side: Side) -> BTreeMap<Hex, Turn> {
        let Some(memory) = self.memories.get(&side) else { return BTreeMap::new() };
        let is_hostile = |at: &Hex| self.control.get(at).is_some_and(|holder| *holder != side);
        memory.garrisons.iter().filter(|(at, _)| is_hostile(at)).map(|(at, turn)| (*at, *turn)).collect()
    }

    /// The player turn on whose report the present one follows: the turn before this one, and once the game is over the last.
    fn report_before(&self) -> Option<Turn> {
        if self.over { Some(self.turn_now()) } else { self.before }
    }

    /// Whether a piece may be in a hex unseen by its enemies, under the stack that they see there.
    fn may_lie_unseen(&self, rules: &Lga, id: UnitId, at: Hex, above: Option<&Seen>) -> bool {
        let spec = rules.scenario.unit(id);
        let is_own = |id: UnitId| rules.scenario.unit(id).side == spec.side;
        let city = rules.map.city_at(at).is_some();
        let as_garrison = city && spec.kind.arm.can_garrison() && self.control.get(&at) == Some(&spec.side);
        let below = above.is_some_and(|seen| {
            let hq = |id: UnitId| rules.scenario.unit(id).kind.arm == Arm::Hq;
            let room = seen.count.is_none_or(|count| count > 1) && !hq(seen.top);
            is_own(seen.top) && (hq(id) || room)
        });
        below || as_garrison
    }

    /// Remembers what the sides see of each other's pieces by an event that is about to happen, as their reports tell it.
    pub(super) fn remember(&mut self, rules: &Lga, event: &Event) {
        if self.to_show {
            match event {
                Event::Amended { .. } => {
                    let mut showing = std::mem::take(&mut self.showing);
                    showing.changes(|| self.shows(rules));
                    self.showing = showing;
                }
                event if comes_before_orders(event) => {}
                _ => {
                    self.to_show = false;
                    self.remember_report(rules);
                }
            }
        }
        if let Event::Moved { unit, to, captured, .. } = event {
            // No enemy is in a hex that is entered.
            let memory = self.memories.entry(rules.scenario.unit(*unit).side).or_default();
            memory.garrisons.remove(to);
            if *captured {
                memory.seen.forget_where(|_, sighting| sighting.at == *to);
                memory.hqs.remove(to);
            }
        }
        match event {
            Event::Recalled { unit, to } => self.spot(rules, *unit, *to, |_, _| true, |_| {}),
            Event::Moved { unit, to, .. } | Event::Reinforced { unit, to, arrived: true, .. } => {
                let near = |state: &Self, side| state.watches(rules, side, *to);
                self.spot(rules, *unit, *to, near, |_| {});
            }
            Event::GarrisonFound { unit, at } => {
                let (side, turn) = (rules.scenario.unit(*unit).side, self.turn_now());
                self.memories.entry(side).or_default().garrisons.insert(*at, turn);
            }
            Event::Withdrew { unit, from, to, .. } => {
                let near = |state: &Self, side| state.watches(rules, side, *from);
                // What the rout did to it is not seen.
                self.spot(rules, *unit, *to, near, |memory| _ = memory.fought.remove(unit));
            }
            Event::Attacked { attacker, from, defender, at, garrison, check, result, .. } => {
                let fates = [
                    (*attacker, *defender, *from, false, result.attacker_loss, result.attacker_destroyed),
                    (*defender, *attacker, *at, *garrison, result.defender_loss, result.defender_destroyed),
                ];
                self.remember_hqs(rules, (*attacker, *from), (*defender, *at), check);
                for (id, by, hex, garrison, loss, destroyed) in fates {
                    let (turn, unit) = (self.turn_now(), self.unit(id));
                    // Every round adds one to the fatigue (ruling LGA-24).
                    let (morale, fatigue) = (unit.morale - loss, unit.fatigue.saturating_add(1));
                    let memory = self.memories.entry(rules.scenario.unit(by).side).or_default();
                    if garrison {
                        // It has a name now.
                        memory.garrisons.remove(&hex);
                    }
                    locate(rules, memory, id, (!destroyed).then_some(hex));
                    if destroyed {
                        memory.forget(id);
                    } else {
                        memory.see(id, hex, turn, garrison);
                        memory.fought.insert(id, Fought { turn, morale, fatigue });
                    }
                }
            }
            _ => {}
        }
    }

    /// Remembers what a round shows each side of the headquarters with the other's stack: the roll counts the best one's modifier.
    fn remember_hqs(
        &mut self,
        rules: &Lga,
        (attacker, from): (UnitId, Hex),
        (defender, at): (UnitId, Hex),
        check: &Check,
    ) {
        let turn = self.turn_now();
        let line =
            |name: &str| check.modifiers.iter().find(|line| line.why == name).map_or(0, |line| line.by);
        let shown = [
            (attacker, defender, from, line(HQ)),
            (defender, attacker, at, line(DEFENDERS_HQ).saturating_neg()),
        ];
        for (of, to, hex, modifier) in shown {
            let [side, to] = [of, to].map(|id| rules.scenario.unit(id).side);
            let hqs = &mut self.memories.entry(to).or_default().hqs;
            hqs.remove(&hex);
            if modifier > 0 {
                hqs.insert(hex, ShownHq { side, turn, modifier });
            }
        }
    }

    /// The player turn.
    pub(super) const fn turn_now(&self) -> Turn {
        Turn { date: self.date, side: self.phasing }
    }

    /// The enemy stacks that each side's report of the position shows, by the piece on top.
    fn shows(&self, rules: &Lga) -> BTreeMap<Side, BTreeMap<UnitId, Seen>> {
        let report = |side: Side| self.in_sight(rules, side).map(|seen| (seen.top, seen)).collect();
        rules.scenario.sides.iter().map(|spec| (spec.side, report(spec.side))).collect()
    }

    /// Remembers the enemy stacks that each side's report of the position has shown, and forgets who by that report can't be where he was last seen.
    fn remember_report(&mut self, rules: &Lga) {
        let when = self.turn_now();
        let mut showing = std::mem::take(&mut self.showing);
        for (side, shown) in showing.told(self.shows(rules)) {
            let mut memory = self.memories.remove(&side).unwrap_or_default();
            shown.doubtful.into_iter().for_each(|piece| memory.seen.forget(piece));
            for Seen { at, top, count } in shown.pieces.into_values() {
                let what = Glimpse { garrison: false, pieces: count };
                locate(rules, &mut memory, top, Some(at));
                memory.seen.see(top, Sighting { at, when, shown: true, what });
            }
            let stacks: Vec<Seen> = self.in_sight(rules, side).collect();
            memory.hqs.retain(|at, hq| may_be_led(rules, *at, hq, &stacks));
            let before = self.report_before();
            memory.seen.forget_where(|piece, sighting| {
                let above = stacks.iter().find(|seen| seen.at == sighting.at);
                let in_sight = above.is_some_and(|seen| seen.top == piece);
                // That report still tells whom the one before it showed.
                let is_told = before.is_some_and(|before| sighting.was_shown_at(&before));
                !in_sight && !is_told && !self.may_lie_unseen(rules, piece, sighting.at, above)
            });
            self.memories.insert(side, memory);
        }
        self.showing = showing;
    }

    /// A piece comes to a hex, and those of its enemies who are `near` see it. `besides` is what else they remember of it.
    fn spot(
        &mut self,
        rules: &Lga,
        id: UnitId,
        to: Hex,
        near: impl Fn(&Self, Side) -> bool,
        besides: impl Fn(&mut Memory),
    ) {
        let (own, when) = (rules.scenario.unit(id).side, self.turn_now());
        for side in rules.scenario.sides.iter().map(|spec| spec.side).filter(|side| *side != own) {
            if near(self, side) {
                let memory = self.memories.entry(side).or_default();
                locate(rules, memory, id, Some(to));
                memory.see(id, to, when, false);
                besides(memory);
            }
        }
    }
}

/// Forgets headquarters of which fights have shown a modifier, if the only one that has it is now known to be in another hex, or nowhere.
fn locate(rules: &Lga, memory: &mut Memory, piece: UnitId, at: Option<Hex>) {
    let spec = rules.scenario.unit(piece);
    if spec.kind.arm != Arm::Hq || memory.hqs.is_empty() {
        return;
    }
    let alike = |other: &&UnitSpec| other.side == spec.side && other.modifier == spec.modifier;
    let hqs = rules.scenario.units.iter().filter(|other| other.kind.arm == Arm::Hq);
    if hqs.filter(alike).count() == 1 {
        let is_it = |hq: &ShownHq| hq.side == spec.side && hq.modifier == spec.modifier;
        memory.hqs.retain(|hex, hq| Some(*hex) == at || !is_it(hq));
    }
}

/// Whether a headquarters that a fight has shown may still be in the hex unseen: a stack of its side is seen there, and not one headquarters alone.
fn may_be_led(rules: &Lga, at: Hex, hq: &ShownHq, stacks: &[Seen]) -> bool {
    let above = stacks.iter().find(|seen| seen.at == at);
    above.map(|seen| (rules.scenario.unit(seen.top), seen.count)).is_some_and(|(top, count)| {
        top.side == hq.side && (top.kind.arm != Arm::Hq || count.is_none_or(|count| count > 1))
    })
}

/// Whether an event of a turn happens before the report on which its orders are given.
const fn comes_before_orders(event: &Event) -> bool {
    matches!(
        event,
        Event::Recalled { .. }
            | Event::Counted { .. }
            | Event::Allocated { .. }
            | Event::OutOfSupply { .. }
            | Event::Mustered { .. }
    )
}

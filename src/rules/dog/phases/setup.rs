//! Before the battle: unit records, hidden units looked for, the order of the armies (manual 4.1, 4.6).

use std::collections::BTreeMap;

use super::{Hand, Orders};
use crate::ai;
use crate::battle::Army;
use crate::event::{Event, Seen};
use crate::fog;
use crate::initiative;
use crate::model::{ArmyId, Sort, UnitId, Waiting};
use crate::order::Order;
use crate::roster::{self, Roster};
use crate::scores;
use crate::state::Unit;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Placed;

impl Hand<'_, '_> {
    /// Takes the unit records; the first round follows, unless positions clash.
    pub(super) fn set_up(&mut self, orders: &Orders) {
        let again = !self.state().waiting.is_empty();
        let mut wanted: BTreeMap<Hex, Vec<Waiting>> = BTreeMap::new();
        for army in self.rules.battle().armies() {
            for unit in self.recorded(army, orders.get(&army.id).map_or(&[][..], Vec::as_slice)) {
                wanted.entry(unit.at).or_default().push(unit);
            }
        }
        let (mut clashes, mut displaced) = (Vec::new(), Vec::new());
        for (at, units) in wanted {
            match <[Waiting; 1]>::try_from(units) {
                Ok([unit]) => self.record(Event::Raised(unit)),
                // Mailed again once; then whoever comes first in the battle file stays (ruling DOG-41).
                Err(units) if again => {
                    let mut units = units.into_iter();
                    if let Some(first) = units.next() {
                        self.record(Event::Raised(first));
                    }
                    displaced.extend(units);
                }
                Err(units) => clashes.push((at, units)),
            }
        }
        // The others once every hex that is wanted is taken.
        for unit in displaced {
            let to = self.nearest(&unit);
            self.record(Event::Displaced { unit: unit.unit, from: unit.at, to });
            if let Some(at) = to {
                self.record(Event::Raised(Waiting { at, ..unit }));
            }
        }
        if !clashes.is_empty() {
            for (at, units) in clashes {
                self.record(Event::Clashed { at, units });
            }
            return;
        }
        self.record(Event::SetUpEnded);
        for id in self.hidden_units() {
            self.search(id);
        }
        self.throw_for_initiative();
    }

    /// The units of an army that are not on the field yet, each with its hex: as recorded, and put where there is room where
    /// nothing usable was.
    fn recorded(&mut self, army: &Army, orders: &[Placed<Order>]) -> Vec<Waiting> {
        let view = fog::view(self.rules, self.state(), &army.seat);
        let Some(mut roster) = Roster::of(self.rules, &view) else { return Vec::new() };
        for placed in orders {
            let Order::Record(record) = &placed.order else { continue };
            if let Err(reason) = roster.take(record) {
                self.refuse(army.id, placed, reason);
            }
        }
        if roster.is_nobody() {
            for record in ai::levy(self.rules, &view) {
                let taken = roster.take(&record);
                // By version 1 it is chosen for the battle file, and may not fit the field as it is.
                debug_assert!(taken.is_ok() || !self.rules.policies().hires_for_field_as_it_is, "{taken:?}");
            }
        }
        roster.finish()
    }

    /// The free hex nearest to where a unit was to stand: of its army's zone; of the whole field where that is full.
    fn nearest(&self, unit: &Waiting) -> Option<Hex> {
        let battle = self.rules.battle();
        let army = battle.lettered(unit.unit.army)?;
        let fits = |hex: &Hex| {
            self.state().at(*hex).is_none()
                && roster::may_start(self.rules, &self.state().works, &unit.sorts, *hex).is_ok()
        };
        let far = |hex: &Hex| (!army.zone.contains(*hex), hex.distance(unit.at), *hex);
        battle.field.hexes().filter(fits).min_by_key(far)
    }

    /// The hidden units.
    pub(super) fn hidden_units(&self) -> Vec<UnitId> {
        let hidden = |unit: &Unit| unit.hidden && unit.captive.is_none();
        self.state().units.iter().filter(|(_, unit)| hidden(unit)).map(|(id, _)| *id).collect()
    }

    /// Enemies near a hex who would find a hidden unit there (ruling DOG-23).
    pub(super) fn searchers(&self, id: UnitId, at: Hex) -> Vec<UnitId> {
        let near = self.rules.numbers().hide.near;
        // A hidden unit does not search: what it does would give it away.
        let found = |unit: &Unit| self.observation(unit.army).foes_within(near, at);
        self.state().unit(id).map_or_else(Vec::new, found)
    }

    /// Somebody looks for a hidden unit (manual 4.6, ruling DOG-23).
    pub(super) fn search(&mut self, id: UnitId) {
        let Some(unit) = self.state().unit(id) else { return };
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let at = unit.at;
        let Some(ground) = self.state().ground(self.rules, at) else { return };
        let searchers: Vec<&Unit> =
            self.searchers(id, at).into_iter().filter_map(|other| self.state().unit(other)).collect();
        let stranger = scores::visibility(numbers, None, ground);
        let to = |sorts: &[Sort]| scores::visibility(numbers, Some(sorts), ground);
        let sight = searchers.iter().map(|unit| to(&unit.sorts)).min().unwrap_or(stranger).min(stranger);
        let factor = scores::hide_factor(numbers, scale, &unit.sorts);
        let chance = scores::chance_to_find(factor, sight);
        // The chosen people of the searchers must not be told. The die and the chance are shown only if every people gives the same chance.
        let seen =
            searchers.iter().map(|unit| to(&unchosen(&unit.sorts))).min().unwrap_or(stranger).min(stranger);
        let best = if searchers.is_empty() { seen } else { scores::visibility_to_natives(numbers, ground) };
        let plain = scores::chance_to_find(factor, seen) == scores::chance_to_find(factor, best.min(seen));
        let die = self.die("search", "hidden", id.label(), 6);
        let found = i64::from(die) <= i64::from(chance);
        self.record(Event::Searched { unit: id, at, die, chance, found, plain });
        if found {
            self.reveal(id, Seen::Found);
        }
    }

    /// Throws for the order of the armies, ties again, and begins the first round (manual 4.1, ruling DOG-22).
    fn throw_for_initiative(&mut self) {
        let armies = self.rules.battle().armies();
        let (throws, order) = initiative::thrown(armies.len(), |place| {
            let letter = armies[place].letter.to_ascii_lowercase();
            self.die("initiative", "throw", letter.to_string(), 6)
        });
        let throws = armies.iter().map(|army| army.id).zip(throws).collect();
        let order: Vec<ArmyId> = order.into_iter().map(|place| armies[place].id).collect();
        self.record(Event::InitiativeThrown { throws, order: order.clone() });
        self.record(Event::RoundBegan { round: 1, order });
    }
}

/// Fighters without the people that was chosen for them, as their enemies see them.
fn unchosen(sorts: &[Sort]) -> Vec<Sort> {
    sorts.iter().map(|sort| Sort { people: None, ..sort.clone() }).collect()
}

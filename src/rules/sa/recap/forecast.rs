//! Who acts when in the coming block, as far as a commander can foresee it: the rules themselves play his orders on the position that he sees. The other
//! side holds still there, as nobody knows what it is told.

use std::collections::BTreeMap;

use musterd_engine::hex::Hex;
use musterd_engine::orders::Reading;
use musterd_engine::{Input, Scribe};
use musterd_kit::foresee::{Course, Foreseen, Foresight};

use super::chances;
use crate::data::Sa;
use crate::event::{Event, Refusal, Why};
use crate::model::{Spell, UnitId};
use crate::odds;
use crate::order::{Act, Order};
use crate::phases;
use crate::state::{Fate, Lost, State};
use crate::view::View;
use crate::words;

/// A time-point that never comes.
const NEVER: u16 = u16::MAX;

/// What a set of orders leads to in the coming block.
pub(super) struct Forecast<'a> {
    rules: &'a Sa,
    foresight: Foresight<Sa, ()>,
}

/// One thing that a unit does, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Moves(u16, Hex),
    Holds(u16),
    Strikes(u16, UnitId),
    Fires(u16, UnitId),
    Casts(u16, Spell),
    Likens(u16),
    Leaves(u16),
    Comes(u16, Hex),
    /// Its morale is checked, with what is added to the dice.
    Wavers(u16, i32),
}

impl<'a> Forecast<'a> {
    /// Plays a set of orders.
    pub(super) fn of(rules: &'a Sa, view: &View, reading: &Reading<Order>) -> Self {
        let input = Input { orders: [(view.seat.clone(), reading.clone())].into() };
        let foresight = Foresight::of(
            rules,
            |_| believed(rules, view),
            |scribe: &mut Scribe<'_, Sa>| phases::step(rules, scribe, &input),
        );
        Self { rules, foresight }
    }

    /// What a unit does while checks of morale go well, in words; `None` if it has no activation in the block.
    pub(super) fn of_unit(&self, id: UnitId) -> Option<String> {
        let is_sure = matches!(self.foresight.tell(|course| self.entries(course, id)), Foreseen::Sure(_));
        // The harshest course is that of the highest faces, which are kind to who checks its morale.
        let entries = self.entries(self.foresight.harshest(), id);
        (!entries.is_empty() || !is_sure).then(|| self.told(id, &entries, is_sure))
    }

    /// Whether a unit does anything in the block but hold.
    pub(super) fn stirs(&self, id: UnitId) -> bool {
        let still = |entries: &Vec<Entry>| entries.iter().all(|entry| matches!(entry, Entry::Holds(_)));
        let told = self.foresight.tell(|course| still(&self.entries(course, id)));
        told != Foreseen::Sure(true)
    }

    /// The tasks of own units that come to nothing as things stand, and the marches that end behind a friend: each with why.
    pub(super) fn skipped(&self) -> Vec<(UnitId, Act, Refusal)> {
        let skips = |course: &Course<Sa, ()>| -> Vec<(UnitId, Act, Refusal)> {
            let mut skips = Vec::new();
            let mut waits: BTreeMap<UnitId, (Act, Refusal)> = BTreeMap::new();
            for event in course.events.iter().flat_map(|(_, events)| events) {
                match event {
                    Event::Skipped { unit, act, why } => skips.push((*unit, *act, *why)),
                    Event::Waited { unit, act, friend } => {
                        waits.insert(*unit, (*act, Refusal::Occupied(*friend)));
                    }
                    // Who goes on has waited to some purpose.
                    Event::Moved { unit, .. } => _ = waits.remove(unit),
                    _ => {}
                }
            }
            skips.extend(waits.into_iter().map(|(unit, (act, why))| (unit, act, why)));
            skips
        };
        match self.foresight.tell(skips) {
            Foreseen::Sure(skips) => skips,
            Foreseen::Open { mut kindest, harshest } => {
                kindest.retain(|skip| harshest.contains(skip));
                kindest
            }
        }
    }

    /// What a unit does in one course, up to the first thing after which nobody can tell.
    fn entries(&self, course: &Course<Sa, ()>, id: UnitId) -> Vec<Entry> {
        let (mut now, mut entries) = (0, Vec::new());
        for event in course.events.iter().flat_map(|(_, events)| events) {
            let entry = match *event {
                Event::Ticked { point } => {
                    now = point;
                    continue;
                }
                Event::Moved { unit, to, .. } if unit == id => Entry::Moves(now, to),
                Event::Held { unit, .. } if unit == id => Entry::Holds(now),
                Event::Fought { attacker, defender, .. } if attacker.unit == id => {
                    entries.push(Entry::Strikes(now, defender.unit));
                    break;
                }
                Event::Fired { attacker, defender, .. } if attacker.unit == id => {
                    Entry::Fires(now, defender.unit)
                }
                Event::Cast { unit, spell, .. } if unit == id => Entry::Casts(now, spell),
                Event::Likened { unit, .. } if unit == id => Entry::Likens(now),
                Event::Arrived { unit, at, .. } if unit == id => Entry::Comes(now, at),
                Event::Left { unit, .. } if unit == id => Entry::Leaves(now),
                Event::Checked { unit, why, ref check, .. } if unit == id => {
                    entries.push(Entry::Wavers(now, check.modifiers()));
                    match why {
                        Why::Attack => continue,
                        Why::Rout(_) | Why::Rally => break,
                    }
                }
                _ => continue,
            };
            entries.push(entry);
        }
        entries
    }

    /// The entries in words. `is_sure` if no die changes them.
    fn told(&self, id: UnitId, entries: &[Entry], is_sure: bool) -> String {
        let alike = |one: &Entry, next: &Entry| {
            matches!(
                (one, next),
                (Entry::Moves(..), Entry::Moves(..))
                    | (Entry::Holds(_), Entry::Holds(_))
                    | (Entry::Wavers(..), Entry::Strikes(..))
            )
        };
        let mut parts: Vec<String> = Vec::new();
        for run in entries.chunk_by(alike) {
            let points = run.iter().map(|entry| entry.point().to_string()).collect::<Vec<_>>().join(", ");
            let foe = |foe| words::called(self.rules, foe);
            parts.push(match run[0] {
                Entry::Moves(..) => {
                    let hexes = run.iter().filter_map(|entry| entry.hex()).map(|hex| hex.to_string());
                    format!("at {points} moves to {}", hexes.collect::<Vec<_>>().join(", "))
                }
                Entry::Holds(_) => format!("at {points} holds"),
                Entry::Strikes(_, unit) => format!("at {points} attacks {}", foe(unit)),
                Entry::Fires(_, unit) => format!("at {points} fires at {}", foe(unit)),
                Entry::Casts(_, spell) => format!("at {points} casts {}", spell.name()),
                Entry::Likens(_) => format!("at {points} makes a likeness"),
                Entry::Leaves(_) => format!("at {points} leaves the field"),
                Entry::Comes(_, hex) => format!("at {points} comes in {}", words::place(self.rules, hex)),
                Entry::Wavers(point, modifiers) => match run.get(1) {
                    Some(Entry::Strikes(_, unit)) => {
                        format!("at {point} attacks {} {}", foe(*unit), self.nerve(id, modifiers))
                    }
                    _ => format!("at {point} checks its morale"),
                },
            });
        }
        let hangs = match entries.last() {
            Some(Entry::Strikes(..)) => Some("what follows hangs on the fight"),
            Some(Entry::Wavers(..)) => Some("what follows hangs on it"),
            _ if is_sure => None,
            Some(_) => Some("unless morale breaks"),
            None => Some("it hangs on the dice"),
        };
        parts.extend(hangs.map(str::to_owned));
        parts.join("; ")
    }

    /// The odds of the check before an attack.
    fn nerve(&self, id: UnitId, modifiers: i32) -> String {
        let class = self.rules.battle().spec(id).class;
        chances::nerve(odds::nerves(self.rules, class, modifiers))
    }
}

impl Entry {
    const fn point(self) -> u16 {
        match self {
            Self::Moves(point, _)
            | Self::Holds(point)
            | Self::Strikes(point, _)
            | Self::Fires(point, _)
            | Self::Casts(point, _)
            | Self::Likens(point)
            | Self::Leaves(point)
            | Self::Comes(point, _)
            | Self::Wavers(point, _) => point,
        }
    }

    const fn hex(self) -> Option<Hex> {
        match self {
            Self::Moves(_, hex) | Self::Comes(_, hex) => Some(hex),
            _ => None,
        }
    }
}

/// The position as a commander sees it. What his side was told stands; the other side never acts.
fn believed(rules: &Sa, view: &View) -> State {
    let mut state = State {
        phase: view.phase,
        position: view.position.clone(),
        paused: view.paused,
        real: view.real,
        ..State::at_start(rules)
    };
    for (place, spec) in rules.battle().units.iter().enumerate() {
        match view.charges.get(&spec.id) {
            Some(charge) => state.charges[place] = charge.clone(),
            None => {
                let unit = &mut state.position.units[place];
                unit.next = NEVER;
                if unit.fate == Fate::Coming {
                    unit.fate = Fate::Gone(Lost::Vanished);
                }
            }
        }
    }
    state
}

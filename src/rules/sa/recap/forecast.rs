//! Who acts when in the coming block, as far as a commander can foresee it: the rules themselves play his orders on the position that he sees. The other
//! side holds still there, as nobody knows what it is told.

use std::collections::BTreeMap;

use musterd_engine::hex::Hex;
use musterd_engine::orders::Reading;
use musterd_engine::{Input, Scribe};
use musterd_kit::foresee::{Course, Foreseen, Foresight};

use super::chances;
use crate::data::Sa;
use crate::event::{Check, Event, Refusal, Why};
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
    /// From a time-point up to when it acts next.
    Holds(u16, u16),
    Strikes(u16, UnitId),
    Fires(u16, UnitId),
    Casts(u16, Spell),
    Likens(u16),
    Leaves(u16),
    Comes(u16, Hex),
    /// Its morale is checked.
    Wavers(u16, Trial),
}

/// A check of morale to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Trial {
    why: Why,
    /// In how many of [`odds::CHECKS`] cases it ends in rout, halt and orders.
    cases: [u32; 3],
    /// Whether it all but surely ends as in this course.
    is_sure: bool,
}

/// What is less likely than this many of [`odds::CHECKS`] cases doesn't end a forecast: one in fifty.
const UNLIKELY: u32 = odds::CHECKS / 50;

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

    /// What a unit does up to the first thing that may come out otherwise, in words; `None` if it has no activation in the block.
    pub(super) fn of_unit(&self, id: UnitId) -> Option<String> {
        let (entries, hangs) = match self.foresight.tell(|course| self.entries(course, id)) {
            Foreseen::Sure(entries) => (entries, None),
            // The harshest course is that of the highest faces, which are kind to who checks its morale.
            Foreseen::Open { kindest, harshest: mut entries } => {
                let same = kindest.iter().zip(&entries).take_while(|(one, other)| one == other).count();
                let common = &entries[..same];
                let likened = common.iter().any(|entry| matches!(entry, Entry::Likens(_)));
                let checked = matches!(common.last(), Some(Entry::Wavers(..)));
                let hangs = match (likened && !checked, entries.is_empty()) {
                    (true, _) => {
                        entries.truncate(same);
                        "what follows hangs on which of the two is the wizard"
                    }
                    (false, false) => "unless morale breaks",
                    (false, true) => "it hangs on the dice",
                };
                (entries, Some(hangs))
            }
        };
        (!entries.is_empty() || hangs.is_some()).then(|| self.told(&entries, hangs))
    }

    /// Whether a unit does anything in the block but hold.
    pub(super) fn stirs(&self, id: UnitId) -> bool {
        let still = |entries: &Vec<Entry>| entries.iter().all(|entry| matches!(entry, Entry::Holds(..)));
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
            // Whoever attacks after a check does it at once: else the check has stopped it.
            let stopped = matches!(entries.last(), Some(Entry::Wavers(_, trial)) if !trial.is_sure);
            if stopped && !matches!(event, Event::Fought { attacker, .. } if attacker.unit == id) {
                break;
            }
            let entry = match *event {
                Event::Ticked { point } => {
                    now = point;
                    continue;
                }
                Event::Moved { unit, to, .. } if unit == id => Entry::Moves(now, to),
                Event::Held { unit, next } if unit == id => Entry::Holds(now, next),
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
                    Entry::Wavers(now, self.trial(id, why, check))
                }
                _ => continue,
            };
            entries.push(entry);
        }
        entries
    }

    /// The chances of a check.
    fn trial(&self, id: UnitId, why: Why, check: &Check) -> Trial {
        let class = self.rules.battle().spec(id).class;
        let cases = odds::nerves(self.rules, class, check.modifiers());
        Trial { why, cases, is_sure: cases[check.result as usize] + UNLIKELY >= odds::CHECKS }
    }

    /// The entries in words, and on what hangs what follows.
    fn told(&self, entries: &[Entry], hangs: Option<&str>) -> String {
        let alike = |one: &Entry, next: &Entry| {
            matches!(
                (one, next),
                (Entry::Moves(..), Entry::Moves(..))
                    | (Entry::Holds(..), Entry::Holds(..))
                    | (Entry::Wavers(..), Entry::Strikes(..))
            )
        };
        let mut parts: Vec<String> = entries.chunk_by(alike).map(|run| self.run(run)).collect();
        let hangs = match entries {
            [.., Entry::Wavers(_, trial), Entry::Strikes(..)] | [.., Entry::Wavers(_, trial)]
                if !trial.is_sure =>
            {
                Some("what follows hangs on the check")
            }
            [.., Entry::Strikes(..)] => Some("what follows hangs on the fight"),
            _ => hangs,
        };
        parts.extend(hangs.map(str::to_owned));
        parts.join("; ")
    }

    /// Entries that are told together.
    fn run(&self, run: &[Entry]) -> String {
        let foe = |foe| words::called(self.rules, foe);
        let at = run[0].point();
        match (run[0], run) {
            (Entry::Moves(..), _) => {
                let points = run.iter().map(|entry| entry.point().to_string());
                let hexes = run.iter().filter_map(|entry| entry.hex()).map(|hex| hex.to_string());
                let [points, hexes] = [points.collect::<Vec<_>>(), hexes.collect()].map(|all| all.join(", "));
                format!("at {points} moves to {hexes}")
            }
            (Entry::Holds(..), [_, .., Entry::Holds(_, next)]) => format!("at {at} holds until {next}"),
            (Entry::Holds(..), _) => format!("at {at} holds"),
            (Entry::Strikes(_, unit), _) => format!("at {at} attacks {}", foe(unit)),
            (Entry::Fires(_, unit), _) => format!("at {at} fires at {}", foe(unit)),
            (Entry::Casts(_, spell), _) => format!("at {at} casts {}", spell.name()),
            (Entry::Likens(_), _) => format!("at {at} makes a likeness"),
            (Entry::Leaves(_), _) => format!("at {at} leaves the field"),
            (Entry::Comes(_, hex), _) => format!("at {at} comes in {}", words::place(self.rules, hex)),
            (Entry::Wavers(_, trial), run) => {
                let nerve = || chances::nerve(trial.cases);
                match (trial.why, run) {
                    (Why::Attack, [_, Entry::Strikes(_, unit), ..]) => {
                        format!("at {at} attacks {} {}", foe(*unit), nerve())
                    }
                    (Why::Attack, _) => format!("at {at} attacks {}", nerve()),
                    (Why::Rout(friend), _) => format!("at {at} sees {friend} rout, and goes on {}", nerve()),
                    (Why::Rally, _) => format!("at {at} {}", chances::rally(trial.cases)),
                }
            }
        }
    }
}

impl Entry {
    const fn point(self) -> u16 {
        match self {
            Self::Moves(point, _)
            | Self::Holds(point, _)
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
            Some(charge) => {
                state.charges[place] = charge.clone();
                state.noticed[place] = view.noticed.get(&spec.id).copied().unwrap_or_default();
            }
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

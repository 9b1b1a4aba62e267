//! Who acts when in the coming block, as far as a commander can foresee it: the rules themselves play his orders on the position that he sees. The other
//! side holds still there, as nobody knows what it is told.

use std::collections::BTreeMap;

use musterd_engine::hex::Hex;
use musterd_engine::orders::Reading;
use musterd_engine::{Input, Scribe};
use musterd_kit::foresee::{Course, Foreseen, Foresight};

use super::chances;
use crate::data::Sa;
use crate::event::{Check, Departure, Event, Refusal, Why};
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
pub(super) struct Outlook<'a> {
    rules: &'a Sa,
    foresight: Foresight<Sa, ()>,
}

/// One thing that a unit does, and at which time-point.
type Entry = (u16, Doing);

/// What a unit does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    Moves(Hex),
    /// Up to when it acts next.
    Holds(u16),
    Strikes(UnitId),
    Fires(UnitId),
    Casts(Spell),
    Likens,
    Leaves,
    Deserts,
    Comes(Hex),
    /// Its morale is checked.
    Wavers(Prospect),
}

/// A check of morale to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Prospect {
    why: Why,
    /// In how many of [`odds::CHECKS`] cases it ends in rout, halt and orders.
    cases: [u32; 3],
    /// Whether it all but surely ends as in this course.
    is_sure: bool,
}

/// What is less likely than this many of [`odds::CHECKS`] cases doesn't end a forecast: one in fifty.
const UNLIKELY: u32 = odds::CHECKS / 50;

impl<'a> Outlook<'a> {
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
                let likened = common.iter().any(|(_, does)| *does == Doing::Likens);
                let checked = matches!(common.last(), Some((_, Doing::Wavers(_))));
                let deserts = matches!(kindest.get(same), Some((_, Doing::Deserts)));
                let hangs = match (likened && !checked, entries.is_empty()) {
                    (true, _) => {
                        entries.truncate(same);
                        "what follows hangs on which of the two is the wizard"
                    }
                    (false, false) if deserts => "unless it deserts",
                    (false, false) if self.somebody_deserts() => "unless morale breaks or a unit deserts",
                    (false, false) => "unless morale breaks",
                    (false, true) if deserts => "it may desert",
                    (false, true) => "it hangs on the dice",
                };
                (entries, Some(hangs))
            }
        };
        (!entries.is_empty() || hangs.is_some()).then(|| self.told(&entries, hangs))
    }

    /// Whether a unit deserts where the dice are low, as desertion asks for.
    fn somebody_deserts(&self) -> bool {
        let mut events = self.foresight.kindest.events.iter().flat_map(|(_, events)| events);
        events.any(|event| matches!(event, Event::Wavered { deserts: true, .. }))
    }

    /// Whether a unit does anything in the block but hold.
    pub(super) fn stirs(&self, id: UnitId) -> bool {
        let still = |entries: &Vec<Entry>| entries.iter().all(|(_, does)| matches!(does, Doing::Holds(_)));
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
        let (mut now, mut entries): (u16, Vec<Entry>) = (0, Vec::new());
        for event in course.events.iter().flat_map(|(_, events)| events) {
            // Whoever attacks after a check does it at once: else the check has stopped it.
            let stopped = matches!(entries.last(), Some((_, Doing::Wavers(trial))) if !trial.is_sure);
            if stopped && !matches!(event, Event::Fought { attacker, .. } if attacker.unit == id) {
                break;
            }
            let does = match *event {
                Event::Ticked { point } => {
                    now = point;
                    continue;
                }
                Event::Moved { unit, to, .. } if unit == id => Doing::Moves(to),
                Event::Held { unit, next } if unit == id => Doing::Holds(next),
                Event::Fought { attacker, defender, .. } if attacker.unit == id => {
                    entries.push((now, Doing::Strikes(defender.unit)));
                    break;
                }
                Event::Fired { attacker, defender, .. } if attacker.unit == id => Doing::Fires(defender.unit),
                Event::Cast { unit, spell, .. } if unit == id => Doing::Casts(spell),
                Event::Likened { unit, .. } if unit == id => Doing::Likens,
                Event::Arrived { unit, at, .. } if unit == id => Doing::Comes(at),
                Event::Left { unit, how: Departure::Deserted, .. } if unit == id => Doing::Deserts,
                Event::Left { unit, .. } if unit == id => Doing::Leaves,
                Event::Checked { unit, why, ref check, .. } if unit == id => {
                    Doing::Wavers(self.prospect(id, why, check))
                }
                _ => continue,
            };
            entries.push((now, does));
        }
        entries
    }

    /// The chances of a check.
    fn prospect(&self, id: UnitId, why: Why, check: &Check) -> Prospect {
        let class = self.rules.battle().spec(id).class;
        let cases = odds::nerves(self.rules, class, check.modifiers());
        Prospect { why, cases, is_sure: cases[check.result as usize] + UNLIKELY >= odds::CHECKS }
    }

    /// The entries in words, and on what hangs what follows.
    fn told(&self, entries: &[Entry], hangs: Option<&str>) -> String {
        let alike = |(_, one): &Entry, (_, next): &Entry| match (one, next) {
            (Doing::Fires(one), Doing::Fires(next)) => one == next,
            (Doing::Moves(_), Doing::Moves(_))
            | (Doing::Holds(_), Doing::Holds(_))
            | (Doing::Wavers(_), Doing::Strikes(_)) => true,
            _ => false,
        };
        let mut parts: Vec<String> = entries.chunk_by(alike).map(|run| self.run(run)).collect();
        let hangs = match entries {
            [.., (_, Doing::Wavers(trial)), (_, Doing::Strikes(_))] | [.., (_, Doing::Wavers(trial))]
                if !trial.is_sure =>
            {
                Some("what follows hangs on the check")
            }
            [.., (_, Doing::Strikes(_))] => Some("what follows hangs on the fight"),
            _ => hangs,
        };
        parts.extend(hangs.map(str::to_owned));
        parts.join("; ")
    }

    /// Entries that are told together.
    fn run(&self, run: &[Entry]) -> String {
        let foe = |foe| words::called(self.rules, foe);
        let (at, does) = run[0];
        let last = run[run.len() - 1].1;
        let points = run.iter().map(|(point, _)| point.to_string()).collect::<Vec<_>>().join(", ");
        match (does, last) {
            (Doing::Moves(_), _) => {
                let hexes = run.iter().filter_map(|(_, does)| match does {
                    Doing::Moves(hex) => Some(hex.to_string()),
                    _ => None,
                });
                format!("at {points} moves to {}", hexes.collect::<Vec<_>>().join(", "))
            }
            (Doing::Holds(_), Doing::Holds(next)) if run.len() > 1 => format!("at {at} holds until {next}"),
            (Doing::Holds(_), _) => format!("at {at} holds"),
            (Doing::Strikes(unit), _) => format!("at {at} attacks {}", foe(unit)),
            (Doing::Fires(unit), _) => format!("at {points} fires at {}", foe(unit)),
            (Doing::Casts(spell), _) => format!("at {at} casts {}", spell.words()),
            (Doing::Likens, _) => format!("at {at} makes a likeness"),
            (Doing::Leaves, _) => format!("at {at} leaves the field"),
            (Doing::Deserts, _) => format!("at {at} deserts"),
            (Doing::Comes(hex), _) => format!("at {at} comes in {}", words::place(self.rules, hex)),
            (Doing::Wavers(trial), last) => {
                let nerve = || chances::nerve(trial.cases);
                match (trial.why, last) {
                    (Why::Attack, Doing::Strikes(unit)) => {
                        format!("at {at} attacks {} {}", foe(unit), nerve())
                    }
                    (Why::Attack, _) => format!("at {at} attacks {}", nerve()),
                    (Why::Rout(friend), _) => format!("at {at} sees {friend} rout, and goes on {}", nerve()),
                    (Why::Rally, _) => format!("at {at} {}", chances::rally(trial.cases)),
                }
            }
        }
    }
}

/// The position as a commander sees it. What his side was told stands; the other side never acts.
pub(crate) fn believed(rules: &Sa, view: &View) -> State {
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

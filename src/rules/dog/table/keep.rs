//! What a table keeps between its lines: units, the round, whose turn it is, the players' words.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::event::{Booked, Event};
use crate::model::{Ground, Sort, UnitId};
use crate::numbers::Numbers;
use crate::odds::Fighters;
use crate::scores;

/// How many sides a table has at least.
const SIDES: usize = 2;
/// How many sides say words at most.
const MOST_SIDES: usize = 26;

/// A unit as a table keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptUnit {
    /// Its sorts, with the fighters that are left of each: none of a sort that has fallen.
    pub sorts: Vec<Sort>,
    /// How many fighters each sort had when the unit was written down.
    pub began: Vec<u16>,
    /// The volleys that each sort has left: none of those who don't shoot.
    pub shots: Vec<u16>,
    /// The ground under it.
    pub ground: Ground,
    /// Whether the table said which ground that is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ground_said: bool,
    /// Where it is, in the table's words: a hex, `the old mill`; empty where nobody said it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// Whether it is hidden.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Whether it has run, as the umpire says: no rule of the manual makes a unit rout.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub routed: bool,
    /// Whether it has attacked or shot since the phase began.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acted: bool,
}

impl KeptUnit {
    /// Whole fighters of these sorts, with all their shots.
    #[must_use]
    pub fn new(numbers: &Numbers, sorts: Vec<Sort>) -> Self {
        Self {
            began: sorts.iter().map(|sort| sort.fighters).collect(),
            shots: sorts
                .iter()
                .map(|sort| scores::distance(numbers, sort).map_or(0, |arm| arm.shots))
                .collect(),
            sorts,
            ground: super::throw::OPEN,
            ground_said: false,
            place: String::new(),
            hidden: false,
            routed: false,
            acted: false,
        }
    }

    /// The fighters who are left, where they stand.
    #[must_use]
    pub fn fighters(&self) -> Fighters {
        self.those(|_| true)
    }

    /// The fighters who have volleys left, where they stand.
    #[must_use]
    pub fn shooters(&self) -> Fighters {
        self.those(|shots| shots > 0)
    }

    fn those(&self, with: impl Fn(u16) -> bool) -> Fighters {
        let pairs = self.sorts.iter().zip(&self.shots);
        let sorts = pairs.filter(|(sort, shots)| sort.fighters > 0 && with(**shots));
        Fighters { sorts: sorts.map(|(sort, _)| sort.clone()).collect(), ground: self.ground }
    }

    /// The number of fighters who are left.
    #[must_use]
    pub fn left(&self) -> u32 {
        self.sorts.iter().map(|sort| u32::from(sort.fighters)).sum()
    }

    /// Takes the dead of a strike off: so many of each sort that was left, in their order.
    pub(super) fn lose(&mut self, killed: &[u16]) {
        let left = self.sorts.iter_mut().filter(|sort| sort.fighters > 0);
        for (sort, dead) in left.zip(killed) {
            sort.fighters = sort.fighters.saturating_sub(*dead);
        }
    }
}

/// Everything that a table keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tabletop {
    /// The units.
    pub units: BTreeMap<UnitId, KeptUnit>,
    /// The round; 0 before the first.
    pub round: u32,
    /// The phase, in the table's words; empty if nobody named one.
    pub phase: String,
    /// The armies, the first first; empty before anybody threw for the initiative.
    pub order: Vec<String>,
    /// The words of each side for the dice. `None` before anybody was asked; no words at all if the table does without.
    pub words: Option<BTreeMap<String, String>>,
}

impl Tabletop {
    /// What the players' side of a throw says: all their words; `None` if there are none.
    #[must_use]
    pub fn salt(&self) -> Option<String> {
        let words = self.words.as_ref().filter(|words| !words.is_empty())?;
        Some(words.iter().map(|(side, words)| format!("{side}: {words}")).collect::<Vec<_>>().join("; "))
    }

    /// How many sides more have to say words for the dice before the first throw: two at least say some, or the table does without.
    #[must_use]
    pub fn words_missing(&self) -> usize {
        match &self.words {
            None => SIDES,
            Some(words) if words.is_empty() => 0,
            Some(words) => SIDES.saturating_sub(words.len()),
        }
    }

    /// Why one more side can't say words, if it can't.
    pub(super) fn refuses_words_of(&self, side: &str) -> Option<String> {
        let said = self.words.as_ref().filter(|said| said.len() >= MOST_SIDES && !said.contains_key(side))?;
        Some(format!("{} sides have said words, which is the most: one of them may say others", said.len()))
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::Struck { booked, .. } | Event::Searched { booked, .. } | Event::Kept { booked } => {
                self.book(booked);
            }
            Event::Ordered { order, .. } => order.clone_into(&mut self.order),
            Event::Turned { round, phase, order } => {
                self.round = *round;
                phase.clone_into(&mut self.phase);
                order.clone_into(&mut self.order);
                self.units.values_mut().for_each(|unit| unit.acted = false);
            }
            Event::Said { side, words } => {
                let all = self.words.get_or_insert_default();
                match side {
                    Some(side) => _ = all.insert(side.clone(), words.clone()),
                    None => all.clear(),
                }
            }
            Event::Noted { .. } | Event::Voided { .. } | Event::Nothing => {}
        }
    }

    fn book(&mut self, booked: &Booked) {
        for (id, unit) in &booked.units {
            match unit {
                Some(unit) => _ = self.units.insert(*id, unit.clone()),
                None => _ = self.units.remove(id),
            }
        }
    }
}

/// A sitting as far as it has come.
#[derive(Debug, Clone, Default)]
pub struct SittingState {
    /// How many lines there were.
    thrown: u32,
    /// What the table keeps.
    table: Arc<Tabletop>,
    /// The lines that can be taken back, the last at the end, each with the table before it.
    before: Vec<(u32, Arc<Tabletop>)>,
}

/// What everybody at the table knows: all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SittingView {
    /// How many lines there were.
    pub thrown: u32,
    /// What the table keeps.
    pub table: Tabletop,
    /// The line that `undo` takes back, by its number.
    pub last: Option<u32>,
}

impl SittingState {
    /// The number of lines so far.
    #[must_use]
    pub const fn thrown(&self) -> u32 {
        self.thrown
    }

    /// What the table knows of it.
    #[must_use]
    pub fn view(&self) -> SittingView {
        let last = self.before.last().map(|(t, _)| *t);
        SittingView { thrown: self.thrown, table: Tabletop::clone(&self.table), last }
    }

    /// Takes the event of the next line.
    pub(super) fn take(&mut self, event: &Event) {
        self.thrown += 1;
        match event {
            Event::Voided { .. } => {
                if let Some((_, mut before)) = self.before.pop() {
                    // What was said for the dice stays said.
                    self.table.words.clone_into(&mut Arc::make_mut(&mut before).words);
                    self.table = before;
                }
                return;
            }
            // Nothing of these can be taken back.
            Event::Noted { .. } | Event::Said { .. } | Event::Nothing => {}
            _ => self.before.push((self.thrown, Arc::clone(&self.table))),
        }
        Arc::make_mut(&mut self.table).take(event);
    }
}

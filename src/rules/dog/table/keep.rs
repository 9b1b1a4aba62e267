//! What a table keeps between its lines: units, the round, whose turn it is, the players' words.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::event::Event;
use super::unit::KeptUnit;
use crate::model::UnitId;
use musterd_kit::lists::joined;

/// How many sides a table has at least.
const SIDES: usize = 2;
/// How many sides say words at most.
const MOST_SIDES: usize = 26;

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
    pub fn salt(&self) -> Option<String> {
        let words = self.words.as_ref().filter(|words| !words.is_empty())?;
        Some(joined(words.iter().map(|(side, words)| format!("{side}: {words}")), "; "))
    }

    /// How many sides more have to say words for the dice before the first throw: two at least say some, or the table does without.
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
        for (id, unit) in event.booked().into_iter().flat_map(|booked| &booked.units) {
            match unit {
                Some(unit) => _ = self.units.insert(*id, unit.clone()),
                None => _ = self.units.remove(id),
            }
        }
        match event {
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
            _ => {}
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
    pub const fn thrown(&self) -> u32 {
        self.thrown
    }

    /// What the table knows of it.
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

//! Undelivered and delivered letters, folded from the journal: those of the open window, sealed ones, couriers, and the letters in each report.
//!
//! A courier sets out with the adjudication of the window in which the letter was written. For every hex of the way in an enemy's reach a die is
//! thrown then. If any of them shows a one, the letter is captured: the enemy reads it with the next dispatch, and its reader never does. Otherwise
//! it arrives with the dispatch of the adjudication in which the courier completes the way.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::{Digest, Label, Roll, Roller, Seat};
use musterd_engine::journal::{Carriage, PressLetter, Seal};

/// The sides of the die for a courier's danger, and the face at which he is captured.
const PERIL: (u32, u32) = (6, 1);

/// The letters of a game.
#[derive(Debug, Clone, Default)]
pub struct Letters {
    /// Letters written in the open window, or in the one that has just closed, in the order of the journal.
    written: Vec<PressLetter>,
    /// Letters that are sealed or with a courier, from earlier windows too.
    waiting: Vec<Waiting>,
    /// Letters whose seal was opened in the open window.
    unsealed: Vec<Waiting>,
    /// The letters in the reports of the adjudication that ran last.
    delivered: Vec<Delivery>,
}

/// A letter in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The letter.
    pub letter: PressLetter,
    /// The seats that read it there.
    pub readers: BTreeSet<Seat>,
    /// Whether they captured it from its courier.
    pub taken: bool,
}

#[derive(Debug, Clone)]
struct Waiting {
    letter: PressLetter,
    /// The readers who don't have it yet.
    readers: BTreeSet<Seat>,
}

impl Waiting {
    fn delivered(self) -> Delivery {
        Delivery { letter: self.letter, readers: self.readers, taken: false }
    }
}

impl Letters {
    /// The number of letters written in the open window.
    pub fn written(&self) -> usize {
        self.written.len()
    }

    /// The letters in the reports of the last adjudication.
    pub fn delivered(&self) -> &[Delivery] {
        &self.delivered
    }

    /// A letter whose seal is to be opened at or before `now` (unix seconds).
    pub fn to_unseal(&self, now: i64) -> Option<&PressLetter> {
        self.waiting
            .iter()
            .map(|waiting| &waiting.letter)
            .find(|letter| seal_time(letter).is_some_and(|at| at <= now))
    }

    /// The next time at which a seal is to be opened, unix seconds.
    pub fn next_seal(&self) -> Option<i64> {
        self.waiting.iter().filter_map(|waiting| seal_time(&waiting.letter)).min()
    }

    /// A waiting letter, by its commitment.
    pub fn waiting(&self, commit: &Digest) -> Option<&PressLetter> {
        self.waiting.iter().map(|waiting| &waiting.letter).find(|letter| letter.commit == *commit)
    }

    /// Throws dice for the couriers that set out with this adjudication.
    pub fn throw(&self, t: u32, dice: &mut dyn Roller) {
        for (_, _, label, count) in self.perils(t) {
            dice.roll(&label, count, PERIL.0);
        }
    }

    /// The couriers that set out now and pass an enemy: the letter's index, its reader, the label, the number of dice.
    fn perils(&self, t: u32) -> Vec<(usize, Seat, Label, u32)> {
        let mut next: BTreeMap<(Seat, Seat), u32> = BTreeMap::new();
        let mut perils = Vec::new();
        for (place, letter) in self.written.iter().enumerate() {
            let Carriage::Courier { rides } = &letter.carriage else { continue };
            for (reader, ride) in rides.iter().filter(|(_, ride)| ride.perils > 0) {
                let seq = next.entry((letter.from.clone(), reader.clone())).or_default();
                let label = format!("{t}/courier/peril/{}-{reader}/{seq}", letter.from);
                *seq += 1;
                let Ok(label) = label.parse() else { continue };
                perils.push((place, reader.clone(), label, ride.perils));
            }
        }
        perils
    }

    /// Adds a letter.
    pub fn wrote(&mut self, letter: &PressLetter) {
        let readers = match &letter.carriage {
            Carriage::AtOnce => BTreeSet::new(),
            Carriage::Sealed { .. } => letter.to.clone(),
            Carriage::Courier { .. } => letter.to.difference(&at_once(letter)).cloned().collect(),
        };
        if !readers.is_empty() {
            self.waiting.push(Waiting { letter: letter.clone(), readers });
        }
        self.written.push(letter.clone());
    }

    /// Opens a letter whose seal was a time. The letter stands in the next report too.
    pub(super) fn unsealed(&mut self, commit: &Digest) {
        let (fallen, waiting) = self.waiting.drain(..).partition(|waiting| waiting.letter.commit == *commit);
        self.waiting = waiting;
        self.unsealed.extend::<Vec<Waiting>>(fallen);
    }

    /// Moves letters when the adjudication `t` has run with these dice; couriers ride `speed` hexes. `enemies` are those of a letter's writer.
    pub fn adjudicated(
        &mut self,
        t: u32,
        rolls: &[Roll],
        speed: u32,
        enemies: impl Fn(&Seat) -> BTreeSet<Seat>,
    ) {
        let taken: BTreeSet<(usize, Seat)> = self
            .perils(t)
            .into_iter()
            .filter(|(_, _, label, _)| {
                rolls.iter().any(|roll| roll.label == *label && roll.faces.contains(&PERIL.1))
            })
            .map(|(place, reader, _, _)| (place, reader))
            .collect();
        self.delivered = std::mem::take(&mut self.unsealed).into_iter().map(Waiting::delivered).collect();
        for (place, letter) in std::mem::take(&mut self.written).into_iter().enumerate() {
            let lost: BTreeSet<Seat> =
                taken.iter().filter(|(at, _)| *at == place).map(|(_, reader)| reader.clone()).collect();
            if !lost.is_empty() {
                let waiting =
                    self.waiting.iter_mut().filter(|waiting| waiting.letter.commit == letter.commit);
                waiting.for_each(|waiting| waiting.readers.retain(|reader| !lost.contains(reader)));
                let readers = enemies(&letter.from);
                self.delivered.push(Delivery { letter: letter.clone(), readers, taken: true });
            }
            let readers = at_once(&letter);
            if !readers.is_empty() {
                self.delivered.push(Delivery { letter, readers, taken: false });
            }
        }
        for waiting in &mut self.waiting {
            let Carriage::Courier { rides } = &waiting.letter.carriage else { continue };
            let legs = t - waiting.letter.t + 1;
            let there =
                |seat: &Seat| rides.get(seat).is_none_or(|ride| ride.hexes <= legs.saturating_mul(speed));
            let (there, on_the_way) = waiting.readers.iter().cloned().partition(there);
            waiting.readers = on_the_way;
            let there: BTreeSet<Seat> = there;
            if !there.is_empty() {
                self.delivered.push(Delivery {
                    letter: waiting.letter.clone(),
                    readers: there,
                    taken: false,
                });
            }
        }
        self.waiting.retain(|waiting| !waiting.readers.is_empty());
    }

    /// Opens the seals that name the window that now opens; these letters stand in the dispatch that is sent now.
    pub(super) fn opened(&mut self, t: u32, name: &str) {
        self.break_seals(|seal| match seal {
            Seal::Turn { t: turn } => *turn <= t,
            Seal::Named { name: wanted } => name.starts_with(wanted.as_str()),
            Seal::Time { .. } => false,
        });
    }

    /// The open window was taken back. Letters written in it travel even so, and their couriers meet no danger.
    pub(super) fn rolled_back(&mut self) {
        self.written.clear();
    }

    /// The game ended: all seals are opened.
    pub(super) fn ended(&mut self) {
        self.break_seals(|_| true);
    }

    fn break_seals(&mut self, falls: impl Fn(&Seal) -> bool) {
        let open = |waiting: &Waiting| match &waiting.letter.carriage {
            Carriage::Sealed { until } => falls(until),
            Carriage::AtOnce | Carriage::Courier { .. } => false,
        };
        let (open, waiting) = self.waiting.drain(..).partition(open);
        self.waiting = waiting;
        let open: Vec<Waiting> = open;
        self.delivered.extend(open.into_iter().map(Waiting::delivered));
    }
}

/// The readers who get a letter at once.
pub fn at_once(letter: &PressLetter) -> BTreeSet<Seat> {
    match &letter.carriage {
        Carriage::AtOnce => letter.to.clone(),
        Carriage::Sealed { .. } => BTreeSet::new(),
        Carriage::Courier { rides } => letter
            .to
            .iter()
            .filter(|reader| rides.get(*reader).is_none_or(|ride| ride.hexes == 0))
            .cloned()
            .collect(),
    }
}

fn seal_time(letter: &PressLetter) -> Option<i64> {
    match &letter.carriage {
        Carriage::Sealed { until: Seal::Time { at } } => Some(*at),
        _ => None,
    }
}

//! Runs an adjudication. Only this code throws dice and changes a state.

use std::collections::BTreeMap;
use std::fmt;

use super::fold::Fold;
use musterd_dice::{Label, Roller};

/// The purpose of a roll: fixed words of the ruleset and an id from the game's state. The scribe adds `t` and the sequence number, so no two rolls
/// ever share a label.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelStem {
    /// A fixed word: `muster`, `combat`.
    pub phase: &'static str,
    /// A fixed word: `roll`, `fog`.
    pub kind: &'static str,
    /// An id from the state, or two joined by `-`: `u12`; never a name or a choice.
    pub subject: String,
}

impl LabelStem {
    /// The label of a roll for `subject`.
    pub fn of(phase: &'static str, kind: &'static str, subject: &impl ToString) -> Self {
        Self { phase, kind, subject: subject.to_string() }
    }
}

impl fmt::Display for LabelStem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.phase, self.kind, self.subject)
    }
}

/// Events in their order, each run of them with the line of the order that it comes of.
pub type EventsByLine<E> = Vec<(Option<usize>, Vec<E>)>;

/// Throws dice and records events during one adjudication, and keeps the state that they lead to.
pub struct Scribe<'a, R: Fold> {
    rules: &'a R,
    state: R::State,
    t: u32,
    dice: &'a mut dyn Roller,
    next: BTreeMap<LabelStem, u32>,
    events: Vec<R::Event>,
    /// From which event on which order was in hand. It is not stored.
    in_hand: Vec<(usize, Option<usize>)>,
}

impl<'a, R: Fold> Scribe<'a, R> {
    /// Starts the adjudication `t` from this position.
    pub fn new(rules: &'a R, state: R::State, t: u32, dice: &'a mut dyn Roller) -> Self {
        Self { rules, state, t, dice, next: BTreeMap::new(), events: Vec::new(), in_hand: Vec::new() }
    }

    /// The position after everything recorded so far.
    #[must_use]
    pub fn state(&self) -> &R::State {
        &self.state
    }

    /// Records an event and applies it to the state.
    pub fn record(&mut self, event: R::Event) {
        self.rules.apply(&mut self.state, &event);
        self.events.push(event);
    }

    /// Takes an order in hand, by its line, or none: what is recorded from here on comes of it.
    pub fn take_in_hand(&mut self, line: Option<usize>) {
        self.in_hand.push((self.events.len(), line));
    }

    /// The line of the order in hand.
    #[must_use]
    pub fn line_in_hand(&self) -> Option<usize> {
        self.in_hand.last().and_then(|(_, line)| *line)
    }

    /// Throws `count` dice of `sides` sides, in a random stream of their own; faces are `1..=sides`.
    ///
    /// # Panics
    /// The ruleset's words or ids are outside the alphabet of labels: a fault in the ruleset's code.
    pub fn roll(&mut self, stem: &LabelStem, count: u32, sides: u32) -> Vec<u32> {
        let seq = self.next.get(stem).map_or(0, |last| last + 1);
        self.next.insert(stem.clone(), seq);
        let label = format!("{}/{stem}/{seq}", self.t);
        #[expect(
            clippy::expect_used,
            reason = "phase and kind are constants, subjects ids: never a player's text"
        )]
        let label = Label::try_from(label).expect("a label made of the ruleset's own words");
        let faces = self.dice.roll(&label, count, sides);
        assert_eq!(faces.len(), count as usize, "{label}: as many faces as dice");
        faces
    }

    /// Throws one die.
    pub fn die(&mut self, stem: &LabelStem, sides: u32) -> u32 {
        self.roll(stem, 1, sides)[0]
    }

    /// The events recorded, in order.
    #[must_use]
    pub fn finish(self) -> Vec<R::Event> {
        self.events
    }

    /// The position that the events lead to, and the events in their order, each run of them with the line of the order in hand.
    #[must_use]
    pub fn finish_by_line(self) -> (R::State, EventsByLine<R::Event>) {
        let mut events = self.events.into_iter();
        let first = self.in_hand.first().map_or(usize::MAX, |(from, _)| *from);
        let mut runs = vec![(None, events.by_ref().take(first).collect::<Vec<_>>())];
        for (place, (from, line)) in self.in_hand.iter().enumerate() {
            let to = self.in_hand.get(place + 1).map_or(usize::MAX, |(to, _)| *to);
            runs.push((*line, events.by_ref().take(to - from).collect()));
        }
        runs.retain(|(_, events)| !events.is_empty());
        (self.state, runs)
    }
}

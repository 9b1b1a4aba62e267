//! One game in play: the hidden state, and what each seat saw in the last adjudication.

use std::borrow::Borrow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use super::briefing::Briefing;
use super::orders::{OrderUse, Reading, Recap, Remark, Weight};
use super::proposals;
use super::sheet::Sheet;
use super::{Awaiting, Input, Ride, Ruleset, Scribe, SeatSpec};
use musterd_dice::statistics::Luck;
use musterd_dice::{Block, Digest, Label, Roller, Seat};
use musterd_text::lines;

/// A game in play. The state never leaves it: all output is a view or a sight of one seat.
pub struct Match<R: Ruleset> {
    rules: Arc<R>,
    state: R::State,
    sights: BTreeMap<Seat, Vec<R::Sight>>,
    luck: Luck,
    /// The units of each seat that had standing orders before the last adjudication.
    stood: BTreeMap<Seat, Vec<String>>,
    /// Cached views of this state, one for each seat. Every mail in an open window needs its seat's view.
    views: RefCell<BTreeMap<Seat, Arc<R::View>>>,
    /// Cached order forms, one for each seat. Every mail of orders is compared with its seat's form.
    forms: RefCell<BTreeMap<Seat, Arc<[String]>>>,
    /// How many adjudications led to the position.
    adopted: u32,
    /// Which seats must order in this state, cached.
    awaiting: OnceCell<Awaiting>,
}

/// The result of an adjudication: events in canonical form (JSON with sorted keys), ready for the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjudication {
    /// The events, in order.
    pub events: Vec<Value>,
}

impl Adjudication {
    /// SHA-256 of the events, each as compact JSON with sorted keys, ended by LF.
    #[must_use]
    pub fn digest(&self) -> Digest {
        digest_of(&self.events)
    }
}

/// SHA-256 of events in canonical form.
#[must_use]
pub fn digest_of(events: impl IntoIterator<Item: Borrow<Value>>) -> Digest {
    let mut bytes = Vec::new();
    for event in events {
        #[expect(
            clippy::expect_used,
            reason = "every JSON value can be written, and memory takes every byte"
        )]
        serde_json::to_writer(&mut bytes, event.borrow()).expect("JSON");
        bytes.push(b'\n');
    }
    Digest::of(&bytes)
}

/// The longest line of a comment, in characters.
const COMMENT: usize = 76;

/// A sentence as comments of an order form.
fn commented(sentence: &str) -> Vec<String> {
    let mut lines = vec!["#".to_owned()];
    for word in sentence.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= COMMENT => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("#   {word}")),
        }
    }
    lines
}

/// An event in a journal that this program can't read.
#[derive(Debug, thiserror::Error)]
#[error(
    "event {index} of the adjudication is not one of `{ruleset}`: {reason}. The journal is damaged or newer than this program"
)]
pub struct Damaged {
    index: usize,
    ruleset: &'static str,
    reason: serde_json::Error,
}

impl<R: Ruleset> Match<R> {
    /// Sets the game up, before the founding adjudication. Games by the same rules may share them.
    #[must_use]
    pub fn new(rules: impl Into<Arc<R>>) -> Self {
        let rules = rules.into();
        let state = rules.found();
        Self {
            rules,
            state,
            sights: BTreeMap::new(),
            luck: Luck::default(),
            stood: BTreeMap::new(),
            views: RefCell::default(),
            forms: RefCell::default(),
            adopted: 0,
            awaiting: OnceCell::new(),
        }
    }

    /// The rules, with the scenario.
    #[must_use]
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The game's seats.
    #[must_use]
    pub fn seats(&self) -> &[SeatSpec] {
        self.rules.seats()
    }

    /// Which seats must order now.
    #[must_use]
    pub fn awaiting(&self) -> &Awaiting {
        self.awaiting.get_or_init(|| self.rules.awaiting(&self.state))
    }

    /// What one seat knows.
    #[must_use]
    pub fn view(&self, seat: &Seat) -> R::View {
        (*self.known_to(seat)).clone()
    }

    /// The cached view of one seat.
    fn known_to(&self, seat: &Seat) -> Arc<R::View> {
        let mut views = self.views.borrow_mut();
        let view = || Arc::new(self.rules.view(&self.state, seat));
        Arc::clone(views.entry(seat.clone()).or_insert_with(view))
    }

    /// Reads one seat's block against its view.
    #[must_use]
    pub fn read(&self, seat: &Seat, block: &Block) -> (Reading<R::Order>, Recap) {
        let (mut reading, recap) = self.rules.read_back(&self.known_to(seat), &Sheet::orders(block.as_str()));
        // What the rules know nothing of may be a line of the host's.
        let slip = |remark: &Remark| {
            let text = lines::lines(block.as_str()).nth(remark.line.checked_sub(1)?)?;
            Sheet::slip(text).map(|slip| slip.remark(remark.line, text))
        };
        for remark in reading.remarks.iter_mut().filter(|remark| remark.weight == Weight::Error) {
            *remark = slip(remark).unwrap_or_else(|| remark.clone());
        }
        (reading, recap)
    }

    /// The orders that a seat can give now.
    pub fn offered(&self, seat: &Seat) -> Vec<OrderUse> {
        self.rules.offered(&self.known_to(seat))
    }

    /// Where units of one seat can get to, by its view ([`Ruleset::reach`]).
    ///
    /// # Errors
    /// The text names no unit that the seat can ask about.
    pub fn reach(&self, seat: &Seat, text: &str) -> Result<Briefing, Remark> {
        self.rules.reach(&self.known_to(seat), text)
    }

    /// Adjudicates this position: applies the rules to these blocks with these dice. Changes nothing; [`Match::adopt`] does.
    pub fn adjudicate(&self, t: u32, blocks: &BTreeMap<Seat, Block>, dice: &mut dyn Roller) -> Adjudication {
        let orders = blocks
            .iter()
            .map(|(seat, block)| {
                let text = Sheet::orders(block.as_str());
                (seat.clone(), self.rules.read_orders(&self.known_to(seat), &text))
            })
            .collect();
        let mut scribe = Scribe::new(&*self.rules, self.state.clone(), t, dice);
        self.rules.step(&mut scribe, &Input { orders });
        Adjudication { events: canonical::<R>(&scribe.finish()) }
    }

    /// The events of a GM's amendment, in canonical form. Changes nothing; [`Match::amend`] does.
    ///
    /// # Errors
    /// The rules refuse the change; the remark says why.
    pub fn amending(&self, text: &str) -> Result<Vec<Value>, Remark> {
        Ok(canonical::<R>(&self.rules.amend(&self.state, text)?))
    }

    /// Applies the events of one adjudication, and keeps what each seat saw of them.
    ///
    /// # Errors
    /// An event doesn't belong to this ruleset; the table is then unchanged.
    pub fn adopt(&mut self, events: &[Value]) -> Result<(), Damaged> {
        let events = read::<R>(events)?;
        self.sights = self.rules.seats().iter().map(|s| (s.seat.clone(), Vec::new())).collect();
        self.luck.extend(self.rules.trials(&events));
        let stood = |seat: &Seat| (seat.clone(), self.rules.standing_units(&self.state, seat));
        self.stood = self.rules.seats().iter().map(|spec| stood(&spec.seat)).collect();
        self.adopted += 1;
        self.happen(&events);
        Ok(())
    }

    /// Applies the events of an amendment. What each seat sees of them is added to what it saw of the last adjudication.
    ///
    /// # Errors
    /// An event doesn't belong to this ruleset; the table is then unchanged.
    pub fn amend(&mut self, events: &[Value]) -> Result<(), Damaged> {
        let events = read::<R>(events)?;
        self.happen(&events);
        Ok(())
    }

    fn happen(&mut self, events: &[R::Event]) {
        self.views.get_mut().clear();
        self.forms.get_mut().clear();
        self.awaiting = OnceCell::new();
        for event in events {
            for spec in self.rules.seats() {
                let sight = self.rules.witness(&self.state, event, &spec.seat);
                self.sights.entry(spec.seat.clone()).or_default().extend(sight);
            }
            self.rules.apply(&mut self.state, event);
        }
    }

    /// Whether a roll is the seat's own ([`Ruleset::shows_roll`]).
    #[must_use]
    pub fn shows_roll(&self, label: &Label, to: &Seat) -> bool {
        label.stem().is_some_and(|(phase, kind, subject)| self.rules.shows_roll(phase, kind, subject, to))
    }

    /// Why players are not sent the proofs of their own rolls in this game; `None` if they are sent.
    #[must_use]
    pub fn withholds_proofs(&self) -> Option<&'static str> {
        self.rules.withholds_proofs()
    }

    /// Why a seat is not told of its luck before the game is over; `None` if it is told.
    #[must_use]
    pub fn withholds_luck(&self) -> Option<&'static str> {
        self.rules.withholds_luck()
    }

    /// The standing orders that these events gave seats, in order. An event of another ruleset is passed over.
    #[must_use]
    pub fn filed(&self, events: &[Value]) -> Vec<(Seat, Vec<String>)> {
        let read = |event: &Value| R::Event::deserialize_from(event).ok();
        events.iter().filter_map(read).filter_map(|event| self.rules.filed(&event)).collect()
    }

    /// The report to one seat: what it saw of the last adjudication and of amendments since, and what it knows now.
    #[must_use]
    pub fn brief(&self, seat: &Seat) -> Briefing {
        let sights = self.sights.get(seat).map_or(&[][..], Vec::as_slice);
        self.rules.brief(&self.known_to(seat), sights)
    }

    /// SHA-256 of what one seat saw of the last adjudication and of amendments since, each as compact JSON with sorted keys, ended by LF.
    ///
    /// # Panics
    /// A sight of the ruleset is no JSON.
    #[must_use]
    pub fn facts(&self, seat: &Seat) -> Digest {
        let sights = self.sights.get(seat).map_or(&[][..], Vec::as_slice);
        #[expect(clippy::expect_used, reason = "a sight is plain data: no map with other keys than strings")]
        let canonical = |sight: &R::Sight| serde_json::to_value(sight).expect("a sight is plain data");
        digest_of(sights.iter().map(canonical))
    }

    /// The words of [`Ruleset::concealed`] for all seats now.
    #[must_use]
    pub fn concealed(&self) -> BTreeSet<String> {
        self.seats().iter().flat_map(|spec| self.rules.concealed(&self.known_to(&spec.seat))).collect()
    }

    /// The report to one seat, for observers ([`Ruleset::shown`]); `hidden` is what all seats conceal now.
    #[must_use]
    pub fn shown(&self, seat: &Seat, hidden: &BTreeSet<String>) -> Briefing {
        let sights = self.sights.get(seat).map_or(&[][..], Vec::as_slice);
        self.rules.shown(&self.known_to(seat), sights, hidden)
    }

    /// The position of all sides on one page, for the GM, if the game has such a page.
    #[must_use]
    pub fn overview(&self) -> Option<Briefing> {
        self.rules.overview(&self.state)
    }

    /// The luck of each side in all dice so far.
    #[must_use]
    pub fn luck(&self) -> &Luck {
        &self.luck
    }

    /// The way of a courier between the commanders of two seats.
    #[must_use]
    pub fn ride(&self, from: &Seat, to: &Seat) -> Option<Ride> {
        self.rules.ride(&self.state, from, to)
    }

    /// The history of the game as one seat knows it.
    #[must_use]
    pub fn history(&self, seat: &Seat) -> Briefing {
        self.rules.history(&self.known_to(seat))
    }

    /// What one seat knows of the position, as data for programs.
    #[must_use]
    pub fn published(&self, seat: &Seat) -> Box<RawValue> {
        self.rules.published(&self.view(seat))
    }

    /// What is so near that a seat's orders may be wanted, as far as it knows.
    #[must_use]
    pub fn contact(&self, seat: &Seat) -> Option<String> {
        self.rules.contact(&self.known_to(seat))
    }

    /// The comments of a form on standing orders that ended with their units in the last adjudication.
    fn ended(&self, seat: &Seat, view: &R::View) -> Vec<String> {
        let stood = self.stood.get(seat).into_iter().flatten();
        let gone = stood.filter(|unit| self.rules.is_gone(view, unit));
        gone.flat_map(|unit| commented(&format!("Your standing order for {unit} has ended: {unit} is gone.")))
            .collect()
    }

    /// The order form of one seat, without its frame.
    #[must_use]
    pub fn form(&self, seat: &Seat) -> Arc<[String]> {
        if let Some(form) = self.forms.borrow().get(seat) {
            return Arc::clone(form);
        }
        let view = self.known_to(seat);
        let mut lines = self.ended(seat, &view);
        lines.extend(self.rules.form(&view));
        if let Awaiting::Orders { must, may, .. } = self.awaiting()
            && (must.contains(seat) || may.contains(seat))
        {
            // The first one teaches.
            if self.adopted == 1 {
                lines.extend(proposals::examples(&self.rules.offered(&view)));
            }
            // The weakest of the computer players is the most cautious.
            if let Some(level) = R::LEVELS.first() {
                lines.extend(proposals::advice(&self.rules.play(&view, level.skill, 0)));
            }
        }
        let form: Arc<[String]> = lines.into();
        self.forms.borrow_mut().insert(seat.clone(), Arc::clone(&form));
        form
    }

    /// A computer player's order lines.
    ///
    /// # Panics
    /// The ruleset has no level of this name.
    #[must_use]
    pub fn play(&self, seat: &Seat, level: &str, seed: u64) -> String {
        #[expect(clippy::expect_used, reason = "levels are checked where they are read")]
        let level = R::LEVELS.iter().find(|known| known.name == level).expect("a level of the ruleset");
        self.rules.play(&self.known_to(seat), level.skill, seed)
    }

    /// A digest of what every seat knows. Positions with equal digests look the same to every seat.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut bytes = Vec::new();
        for spec in self.rules.seats() {
            let view = self.known_to(&spec.seat);
            #[expect(
                clippy::expect_used,
                reason = "views are plain data: no map with other keys than strings"
            )]
            serde_json::to_writer(&mut bytes, &*view).expect("a view is plain data");
            bytes.push(b'\n');
        }
        Digest::of(&bytes)
    }
}

/// Converts events to the form that the journal holds.
fn canonical<R: Ruleset>(events: &[R::Event]) -> Vec<Value> {
    #[expect(clippy::expect_used, reason = "events are plain data: no map with other keys than strings")]
    let value = |event: &R::Event| serde_json::to_value(event).expect("an event is plain data");
    events.iter().map(value).collect()
}

/// Reads events from the journal.
fn read<R: Ruleset>(events: &[Value]) -> Result<Vec<R::Event>, Damaged> {
    let event = |(index, event): (usize, &Value)| {
        R::Event::deserialize_from(event).map_err(|reason| Damaged { index, ruleset: R::ID, reason })
    };
    events.iter().enumerate().map(event).collect()
}

/// Reads an event from a borrowed JSON value.
trait DeserializeFrom: Sized {
    fn deserialize_from(value: &Value) -> Result<Self, serde_json::Error>;
}

impl<T: serde::de::DeserializeOwned> DeserializeFrom for T {
    fn deserialize_from(value: &Value) -> Result<Self, serde_json::Error> {
        T::deserialize(value)
    }
}

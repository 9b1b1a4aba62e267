//! One game in play: the hidden state and what each seat saw last.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use super::briefing::Briefing;
use super::orders::{Reading, Recap, Remark};
use super::sheet::Sheet;
use super::{Awaiting, Input, Ride, Ruleset, Scribe, SeatSpec, Skill};
use musterd_dice::statistics::Luck;
use musterd_dice::{Block, Digest, Label, Roller, Seat};

/// A game at its table. The state never leaves it: everything that goes out is a view or a sight of one seat.
pub struct Table<R: Ruleset> {
    rules: Arc<R>,
    state: R::State,
    sights: BTreeMap<Seat, Vec<R::Sight>>,
    luck: Luck,
    /// What has been asked for of what the seats know of this state: every mail of an open window asks again.
    views: RefCell<BTreeMap<Seat, Arc<R::View>>>,
    /// The form of each seat that was asked for: every mail of orders is compared with it.
    forms: RefCell<BTreeMap<Seat, Arc<[String]>>>,
    /// Who owes what in this state, once it was asked for.
    awaiting: OnceCell<Awaiting>,
}

/// What an adjudication came to: events in canonical form (JSON with sorted keys), ready for the journal.
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
pub fn digest_of(events: &[Value]) -> Digest {
    let mut bytes = Vec::new();
    for event in events {
        bytes.extend_from_slice(event.to_string().as_bytes());
        bytes.push(b'\n');
    }
    Digest::of(&bytes)
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

impl<R: Ruleset> Table<R> {
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
            views: RefCell::default(),
            forms: RefCell::default(),
            awaiting: OnceCell::new(),
        }
    }

    /// The rules and the scenario.
    #[must_use]
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The game's seats.
    #[must_use]
    pub fn seats(&self) -> &[SeatSpec] {
        self.rules.seats()
    }

    /// Who owes what.
    #[must_use]
    pub fn awaiting(&self) -> &Awaiting {
        self.awaiting.get_or_init(|| self.rules.awaiting(&self.state))
    }

    /// What one seat knows.
    #[must_use]
    pub fn view(&self, seat: &Seat) -> R::View {
        (*self.known_to(seat)).clone()
    }

    /// The same, shared.
    fn known_to(&self, seat: &Seat) -> Arc<R::View> {
        let mut views = self.views.borrow_mut();
        let view = || Arc::new(self.rules.view(&self.state, seat));
        Arc::clone(views.entry(seat.clone()).or_insert_with(view))
    }

    /// One seat's block, read against what it knows.
    #[must_use]
    pub fn read(&self, seat: &Seat, block: &Block) -> (Reading<R::Order>, Recap) {
        self.rules.read_back(&self.known_to(seat), &Sheet::orders(block.as_str()))
    }

    /// Adjudicates: the rules on these blocks with these dice, from this position. Changes nothing; [`Table::adopt`] does.
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

    /// What an amendment of the GM's comes to, in canonical form. Changes nothing; [`Table::amend`] does.
    ///
    /// # Errors
    /// Why the rules can't make it so.
    pub fn amending(&self, text: &str) -> Result<Vec<Value>, Remark> {
        Ok(canonical::<R>(&self.rules.amend(&self.state, text)?))
    }

    /// Folds the events of one adjudication, and keeps what each seat saw of them.
    ///
    /// # Errors
    /// When an event is not one of this ruleset's; the table is then unchanged.
    pub fn adopt(&mut self, events: &[Value]) -> Result<(), Damaged> {
        let events = read::<R>(events)?;
        self.sights = self.rules.seats().iter().map(|s| (s.seat.clone(), Vec::new())).collect();
        self.luck.extend(self.rules.trials(&events));
        self.happen(&events);
        Ok(())
    }

    /// Folds the events of an amendment; what each seat sees of them comes behind what it saw of the last adjudication.
    ///
    /// # Errors
    /// When an event is not one of this ruleset's; the table is then unchanged.
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

    /// Whether a roll is the seat's own.
    #[must_use]
    pub fn shows_roll(&self, label: &Label, to: &Seat) -> bool {
        label.stem().is_some_and(|(phase, kind, subject)| self.rules.shows_roll(phase, kind, subject, to))
    }

    /// Why nobody is sent proofs of his own rolls in this game; none where they are.
    #[must_use]
    pub fn withholds_proofs(&self) -> Option<&'static str> {
        self.rules.withholds_proofs()
    }

    /// The standing orders that these events gave seats, in order. An event that is none of this ruleset's gives none.
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

    /// What all seats conceal now.
    #[must_use]
    pub fn concealed(&self) -> BTreeSet<String> {
        self.seats().iter().flat_map(|spec| self.rules.concealed(&self.known_to(&spec.seat))).collect()
    }

    /// The same report to those who watch the game, without whatever still binds; `hidden` is what all seats conceal now.
    #[must_use]
    pub fn shown(&self, seat: &Seat, hidden: &BTreeSet<String>) -> Briefing {
        let sights = self.sights.get(seat).map_or(&[][..], Vec::as_slice);
        self.rules.shown(&self.known_to(seat), sights, hidden)
    }

    /// The position of all sides on one page, for the GM, where the game has such a page.
    #[must_use]
    pub fn overview(&self) -> Option<Briefing> {
        self.rules.overview(&self.state)
    }

    /// Whose luck all dice so far were.
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

    /// What one seat knows of the position, for programs.
    #[must_use]
    pub fn published(&self, seat: &Seat) -> Box<RawValue> {
        self.rules.published(&self.view(seat))
    }

    /// The order form of one seat, without its frame.
    #[must_use]
    pub fn form(&self, seat: &Seat) -> Arc<[String]> {
        let mut forms = self.forms.borrow_mut();
        let form = || self.rules.form(&self.known_to(seat)).into();
        Arc::clone(forms.entry(seat.clone()).or_insert_with(form))
    }

    /// A computer player's order lines.
    #[must_use]
    pub fn play(&self, seat: &Seat, skill: Skill, seed: u64) -> String {
        self.rules.play(&self.known_to(seat), skill, seed)
    }

    /// A digest of everything that every seat may know: equal positions that look different to nobody are the same.
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

/// Events as the journal holds them.
fn canonical<R: Ruleset>(events: &[R::Event]) -> Vec<Value> {
    #[expect(clippy::expect_used, reason = "events are plain data: no map with other keys than strings")]
    let value = |event: &R::Event| serde_json::to_value(event).expect("an event is plain data");
    events.iter().map(value).collect()
}

/// Events from the journal.
fn read<R: Ruleset>(events: &[Value]) -> Result<Vec<R::Event>, Damaged> {
    let event = |(index, event): (usize, &Value)| {
        R::Event::deserialize_from(event).map_err(|reason| Damaged { index, ruleset: R::ID, reason })
    };
    events.iter().enumerate().map(event).collect()
}

/// Reading an event from a borrowed JSON value.
trait DeserializeFrom: Sized {
    fn deserialize_from(value: &Value) -> Result<Self, serde_json::Error>;
}

impl<T: serde::de::DeserializeOwned> DeserializeFrom for T {
    fn deserialize_from(value: &Value) -> Result<Self, serde_json::Error> {
        T::deserialize(value)
    }
}

//! The interface that every game system implements. It knows nothing of mail, time or storage.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use serde::Serialize;
use serde_json::value::RawValue;

use super::briefing::{Briefing, Fact, Part, Section};
use super::calls::Calls;
use super::examination::Examination;
use super::files::{DataError, DataErrors, RuleFiles};
use super::fold::Fold;
use super::founding::{Founding, GameOption, SeatSpec};
use super::levels::{Level, Levels};
use super::orders::{Likeness, OrderUse, Reading, Recap, Remark};
use super::palette::Palette;
use super::scribe::Scribe;
use musterd_dice::statistics::Trial;
use musterd_dice::{Seat, Word};

/// A game system. One value holds the rules and the scenario of one game, loaded and checked; it never changes in play.
///
/// The unit of play is not a turn but "input until the next wait": [`Ruleset::step`] runs until somebody must decide.
/// Nothing but [`Fold::apply`] changes a state, nothing but [`Ruleset::view`] and [`Ruleset::witness`] looks out of it:
/// `State` has no `Debug` and no `Serialize`, so it can't reach a report any other way.
pub trait Ruleset: Fold + Sized + Send + Sync + 'static {
    /// The ruleset's folder under `games/`, and its name on the command line.
    const ID: &'static str;
    /// The game system's name for readers.
    const NAME: &'static str;
    /// The newest version of the rules in this code; 1 is the oldest. A running game is played by the version that it was founded with.
    const RULES_VERSION: u32;
    /// The choices that whoever founds a game has, in the order in which they are offered.
    const OPTIONS: &'static [GameOption] = &[];
    /// The published formats of the data that this ruleset writes for other programs.
    const SCHEMAS: &'static [PublishedFormat] = &[];
    /// The questions about odds that can be asked outside a game: `musterd odds`.
    const ODDS: Calls = Calls::NONE;
    /// The commands of its own that the program has for it: `musterd ID ...`.
    const CALLS: Calls = Calls::NONE;
    /// How it reads its manual: the page of [rulings](super::rulings), empty where there is none.
    const RULINGS: &'static str = "";
    /// The folders of data files that scenarios name, beside `scenarios`: each with what a file in it is, as in `maps`, `a map`.
    const FOLDERS: &'static [(&'static str, &'static str)] = &[];
    /// Whether anybody may see [`Ruleset::chart`] with its map before sides are chosen, seated or not. It is so where no side has anything to hide at
    /// the start.
    const SHOWS_BATTLE: bool = false;
    /// How the signs on its maps look. Every map of its reports has this palette.
    const PALETTE: &'static Palette = &Palette::PLAIN;
    /// The levels of computer players, the weakest first. The last is the usual one. Empty if no computer plays these games.
    const LEVELS: &'static [Level<Self::Skill>];

    /// One order of a player, as understood.
    type Order: Clone + Debug + PartialEq;
    /// What one seat learns of one event.
    type Sight: Clone + Debug + PartialEq + Serialize + Send;
    /// What one seat knows of the position.
    type View: Clone + Debug + PartialEq + Serialize + Send + Sync;
    /// How well a computer player plays.
    type Skill: Copy + 'static;

    /// The levels by name, without what the rules make of them.
    #[must_use]
    fn levels() -> Levels {
        Self::LEVELS.iter().map(|level| Level::of(level.name, level.about, ())).collect()
    }

    /// Reads and checks the rules, maps and the scenario of a game.
    ///
    /// # Errors
    /// Every fault in the files, each with file and line; or seats that don't fit the scenario.
    fn load(founding: &Founding<'_>) -> Result<Self, DataErrors>;

    /// The same by a version of the rules, with the options that were chosen. An empty list of seats stands for the scenario's own.
    ///
    /// # Errors
    /// Those of [`Ruleset::load`], and faults in the chosen options.
    ///
    /// # Panics
    /// This code doesn't have the version.
    fn of_version(version: u32, files: &RuleFiles, seats: &[Seat]) -> Result<Self, DataErrors> {
        assert!((1..=Self::RULES_VERSION).contains(&version), "{} has no version {version}", Self::ID);
        Self::load(&Founding::new(version, Self::OPTIONS, files, seats)?)
    }

    /// The same by the newest version of the rules.
    ///
    /// # Errors
    /// Those of [`Ruleset::of_version`].
    fn from_files(files: &RuleFiles, seats: &[Seat]) -> Result<Self, DataErrors> {
        Self::of_version(Self::RULES_VERSION, files, seats)
    }

    /// Faults for which no new game is founded on these files, though games that were founded with them are played on.
    fn unfit_for_new(files: &RuleFiles) -> Vec<DataError> {
        let _ = files;
        Vec::new()
    }

    /// Examines a data file for its author: its faults, and things in it that may not be meant. `file` is its path under `games/<ruleset>/`, as the
    /// result names it; the text of a scenario is in `files` as `scenario.yaml` even so.
    fn examine(files: &RuleFiles, file: &str) -> Examination {
        let errors = Self::from_files(files, &[]).err().map_or_else(Vec::new, |errors| errors.0);
        Examination::failed(errors).of_file(file)
    }

    /// The scenario as a rule book prints it, for any reader and before the game: the situation, the players, the forces. `map` asks for the map with
    /// the first position too. It says nothing of a game in play.
    fn chart(&self, map: bool) -> Briefing {
        let _ = map;
        let fact = |spec: &SeatSpec| Fact::of(spec.seat.to_string(), spec.title.clone());
        let section = |title: &str, part| Section::of(title.to_owned(), vec![part]);
        let situation = Part::Text { text: self.situation() };
        let seats = Part::Facts { facts: self.seats().iter().map(fact).collect() };
        let sections = vec![section("Situation", situation), section("Seats", seats)];
        Briefing { title: self.title(), sections, ..Briefing::default() }
    }

    /// The scenario's title, dates and so on in one line, for lists.
    fn title(&self) -> String;

    /// The situation before the first order, for the invitation: a few sentences.
    fn situation(&self) -> String;

    /// The seats of this game, in the order in which they act.
    fn seats(&self) -> &[SeatSpec];

    /// The position before the founding adjudication.
    fn found(&self) -> Self::State;

    /// Which seats must order now.
    fn awaiting(&self, state: &Self::State) -> Awaiting;

    /// What one seat knows of the position.
    fn view(&self, state: &Self::State, to: &Seat) -> Self::View;

    /// What one seat learns of `event`, which is about to happen in the position `before`.
    fn witness(&self, before: &Self::State, event: &Self::Event, to: &Seat) -> Option<Self::Sight>;

    /// Whether a roll is the seat's own: a roll that its reports mention, or that the rules throw for its own forces. The seat is shown the roll
    /// before the adjudication is revealed, with the proof that it is the committed one. `phase`, `kind` and `subject` are taken from its label. The
    /// answer depends on these alone, so it can't depend on the position.
    fn shows_roll(&self, phase: &str, kind: &str, subject: &str, to: &Seat) -> bool;

    /// Why players are not sent the proofs of their own rolls before the reveal, as a sentence for the players; `None` if they are sent. A proof
    /// roughly tells how many rolls there were (`docs/dice.md`, "Selective proof"); a ruleset in which that number gives away hidden things leaves
    /// the proofs out.
    fn withholds_proofs(&self) -> Option<&'static str> {
        None
    }

    /// Why a seat is not told of its luck before the game is over, as a sentence for the players; `None` if it is told. Luck counts the rolls that
    /// [`Ruleset::trials`] names: a ruleset that hides from a seat what befell its own forces leaves it out.
    fn withholds_luck(&self) -> Option<&'static str> {
        None
    }

    /// The standing orders that a seat has from this event on, each in words; equal orders have equal words. `None` if the event changes no standing
    /// orders. Standing orders in force must not become public: an adjudication isn't revealed while orders given in it still stand.
    fn filed(&self, event: &Self::Event) -> Option<(Seat, Vec<String>)> {
        let _ = event;
        None
    }

    /// The own units of a seat that have standing orders and are there, by names that no two share. A seat is told once, in its order form, when one of them is gone.
    fn standing_units(&self, state: &Self::State, seat: &Seat) -> Vec<String> {
        let _ = (state, seat);
        Vec::new()
    }

    /// Whether a unit of that name is gone for good, as far as the seat knows.
    fn is_gone(&self, view: &Self::View, unit: &str) -> bool {
        let _ = (view, unit);
        false
    }

    /// Reads order lines against the seat's view only: an answer must tell a player nothing that the view doesn't. The engine's own lines (`READY`,
    /// `salt:` and the like) are never among them. Any text can be read; mistakes become remarks.
    fn read_orders(&self, view: &Self::View, text: &str) -> Reading<Self::Order>;

    /// What a single line of a mail looks like, for players who write no order block. A letter around orders must cause no false mistakes, and a
    /// mistyped order must not be taken for part of the letter. If a line can't be told apart, it is prose, which the receipt lists.
    fn likeness(&self, line: &str) -> Likeness;

    /// The orders that the seat can give now, each with an example and what happens: for the help.
    fn offered(&self, view: &Self::View) -> Vec<OrderUse> {
        let _ = view;
        Vec::new()
    }

    /// What of the enemy's is so near, as far as the seat knows, that its orders may be wanted now: in a few words, as in `an enemy at Ulm 1507`.
    /// `None` if nothing is. A player who is `READY UNTIL CONTACT` is asked again by it. From the view alone: the answer must tell nothing that the
    /// view doesn't.
    fn contact(&self, view: &Self::View) -> Option<String> {
        let _ = view;
        Some("a turn of which the rules don't say what is in reach".to_owned())
    }

    /// Reads orders as [`Ruleset::read_orders`] does, and makes the recap for the receipt: each order as understood, what it will cost and do, and
    /// what units without orders do.
    fn read_back(&self, view: &Self::View, text: &str) -> (Reading<Self::Order>, Recap);

    /// Where units of the seat can get to in their coming move, as things stand: for the command `REACH 3`. `text` is what stands behind `REACH`: one
    /// unit or several, named as in orders. The answer tells nothing that the view doesn't. A place that it gives as one to move to is a goal that
    /// [`Ruleset::read_orders`] takes.
    ///
    /// # Errors
    /// The text names no unit that the seat can ask about. The span of the remark counts from the beginning of `text`. By default, that the game tells
    /// no reach.
    fn reach(&self, view: &Self::View, text: &str) -> Result<Briefing, Remark> {
        let _ = (view, text);
        let why = format!("{} doesn't tell how far units reach.", Self::NAME);
        Err(Remark::error(0, why).hint("a receipt says how far each move that you order gets"))
    }

    /// A courier's way between the commanders of two seats, in the true position; `None` if the game doesn't know where commanders are, so that
    /// letters need no courier.
    fn ride(&self, state: &Self::State, from: &Seat, to: &Seat) -> Option<Ride> {
        let _ = (state, from, to);
        None
    }

    /// Runs the rules on the seats' orders until the next wait.
    fn step(&self, scribe: &mut Scribe<'_, Self>, input: &Input<Self::Order>);

    /// What a GM's amendment can change, each with an example, in the words of this game: for the GM's help.
    fn amendments(&self) -> Vec<OrderUse> {
        Vec::new()
    }

    /// The events of a GM's amendment: they make the change, and nothing else. `text` is one line in the words of the game: `UNIT 12 MORALE 3`,
    /// several of them with `;` between. [`Ruleset::step`] must be able to go on from the position that the events lead to. An empty text is refused.
    ///
    /// # Errors
    /// Why the change can't be made; for the GM, who may know everything.
    fn amend(&self, state: &Self::State, text: &str) -> Result<Vec<Self::Event>, Remark> {
        let _ = (state, text);
        Err(Remark::error(0, format!("The rules of {} know no amendments.", Self::NAME)))
    }

    /// The rolls of one adjudication that were good or bad luck for a side, each with its chance. A seat is told in play how many of its rolls there
    /// were and how they fell, unless [`Ruleset::withholds_luck`]: they are to be rolls of which it is told. The events suffice for this: they contain the dice
    /// and the modifiers. Empty if the game doesn't say which side a roll favours.
    fn trials(&self, events: &[Self::Event]) -> Vec<Trial> {
        let _ = events;
        Vec::new()
    }

    /// The report to one seat: what it saw since its last one, and the position as it knows it.
    fn brief(&self, view: &Self::View, sights: &[Self::Sight]) -> Briefing;

    /// The seat's own units that no other seat sees while they stay where they are, such as hidden units. Each word names the unit and its place, as
    /// far as the place matters.
    fn concealed(&self, view: &Self::View) -> BTreeSet<String> {
        let _ = view;
        BTreeSet::new()
    }

    /// The report to one seat, for observers: anybody may be one, and they get it some adjudications later. The report leaves out: standing orders,
    /// also as the reason of an event; plans; orders that were not carried out; and the units in `hidden`, which their seats still conceal, with
    /// everything that only these could have seen.
    fn shown(&self, view: &Self::View, sights: &[Self::Sight], hidden: &BTreeSet<String>) -> Briefing;

    /// Other data files that scenarios and players can name, such as armies to hire: each file's path without its ending, and a line about it. For
    /// `musterd scenarios`.
    fn stores(files: &RuleFiles) -> Vec<(String, String)> {
        let _ = files;
        Vec::new()
    }

    /// The position of all sides on one page, with everything hidden: for the GM, never for a player. `None` if a game has no such page.
    fn overview(&self, state: &Self::State) -> Option<Briefing> {
        let _ = state;
        None
    }

    /// The history of the game as the seat knows it: the course of the turns, losses and gains. By default a report on which nothing has happened.
    fn history(&self, view: &Self::View) -> Briefing {
        self.brief(view, &[])
    }

    /// What the seat knows of the position, as data for programs: nothing that its report doesn't tell. The format is published as
    /// `docs/schema/<ruleset>-view.json`.
    fn published(&self, view: &Self::View) -> Box<RawValue> {
        as_data(view)
    }

    /// The lines of the order form without its frame, ready to edit: comments and the standing orders in force.
    fn form(&self, view: &Self::View) -> Vec<String>;

    /// A computer player's order lines for this view, by the skill of one of the [levels](Ruleset::LEVELS). `seed` breaks ties; the same view and seed
    /// give the same orders.
    fn play(&self, view: &Self::View, skill: Self::Skill, seed: u64) -> String;
}

/// What a ruleset publishes, as data.
///
/// # Panics
/// It is no plain data: a map has keys that are no texts.
#[must_use]
pub fn as_data(shown: &impl Serialize) -> Box<RawValue> {
    #[expect(clippy::expect_used, reason = "views are plain data")]
    serde_json::value::to_raw_value(shown).expect("a view is plain data")
}

/// A published format of data for other programs, or of a file that authors write: a JSON schema. [`Ruleset::published`] writes by one of them.
#[derive(Debug, Clone, Copy)]
pub struct PublishedFormat {
    /// Its name on the command line: `lga-view`.
    pub name: &'static str,
    /// What is written so, in a few words.
    pub about: &'static str,
    /// The schema, for the files that a host has.
    pub schema: fn(&RuleFiles) -> String,
}

impl PublishedFormat {
    /// A format.
    #[must_use]
    pub const fn of(name: &'static str, about: &'static str, schema: fn(&RuleFiles) -> String) -> Self {
        Self { name, about, schema }
    }
}

/// What a game waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Awaiting {
    /// The players' confirmations. The founding adjudication needs no orders.
    Founding,
    /// Orders.
    Orders {
        /// Name of the wait in the log: `1805-summer-french`.
        name: Word,
        /// The name for readers: `Summer 1805, French to move`.
        title: String,
        /// The seats whose orders the game can't go on without.
        must: Vec<Seat>,
        /// The seats that may also give orders: standing orders.
        may: Vec<Seat>,
    },
    /// Nothing: the game is over.
    Over {
        /// The result, one line for each side.
        results: Vec<String>,
    },
}

impl Awaiting {
    /// Orders of all these seats, and of no others.
    ///
    /// # Panics
    /// The name is no [`Word`].
    pub fn orders(name: &str, title: impl Into<String>, must: Vec<Seat>) -> Self {
        #[expect(clippy::expect_used, reason = "a ruleset names its waits with letters, digits and dashes")]
        let name = name.parse().expect("the name of a wait is a word");
        Self::Orders { name, title: title.into(), must, may: Vec::new() }
    }

    /// These seats may give orders too.
    #[must_use]
    pub fn allowing(mut self, seats: Vec<Seat>) -> Self {
        if let Self::Orders { may, .. } = &mut self {
            *may = seats;
        }
        self
    }
}

/// A courier's way from one commander to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Ride {
    /// The number of hexes, without the first one.
    pub hexes: u32,
    /// How many of them lie in an enemy's reach.
    pub perils: u32,
}

/// The input of one adjudication.
#[derive(Debug, Clone, PartialEq)]
pub struct Input<O> {
    /// Each seat's orders; a seat that sent none is absent.
    pub orders: BTreeMap<Seat, Reading<O>>,
}

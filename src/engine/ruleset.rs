//! What a game system has to know, and nothing about mail, time or storage.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use serde::Serialize;
use serde_json::value::RawValue;

use super::briefing::{Briefing, Fact, Part, Section};
use super::examination::Examination;
use super::files::{DataError, DataErrors, RuleFiles};
use super::fold::Fold;
use super::orders::{Likeness, Reading, Recap, Remark};
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
    /// The version of the verbs (this code). A running game keeps the one it was founded with.
    const RULES_VERSION: u32;

    /// One order as a player gave it, understood.
    type Order: Clone + Debug + PartialEq;
    /// What one seat learns of one event.
    type Sight: Clone + Debug + PartialEq + Serialize + Send;
    /// What one seat knows of the position.
    type View: Clone + Debug + PartialEq + Serialize + Send + Sync;

    /// Reads and checks the rules, maps and the scenario for a game with these seats; an empty list asks for the scenario's own.
    ///
    /// # Errors
    /// Everything wrong with the files, each fault with file and line, or with the choice of seats.
    fn load(files: &RuleFiles, seats: &[Seat]) -> Result<Self, DataErrors>;

    /// Looks a data file over for its author: everything wrong with it, and what may not be meant. `file` is its path under
    /// `games/<ruleset>/`, as the answer names it; a scenario's text is in `files` as `scenario.yaml` all the same.
    fn examine(files: &RuleFiles, file: &str) -> Examination {
        let errors = Self::load(files, &[]).err().map_or_else(Vec::new, |errors| errors.0);
        let named = |mut error: DataError| {
            if error.file == "scenario.yaml" {
                file.clone_into(&mut error.file);
            }
            error
        };
        Examination { errors: errors.into_iter().map(named).collect(), ..Examination::default() }
    }

    /// The scenario as a rule book prints it, for anybody and before the game: what it is about, who plays, with what.
    /// `map` asks for the map with the first position too. Nothing of a game in play is in it.
    fn chart(&self, map: bool) -> Briefing {
        let _ = map;
        let fact = |spec: &SeatSpec| Fact { label: spec.seat.to_string(), text: spec.title.clone() };
        let section = |title: &str, part| Section { title: title.to_owned(), parts: vec![part] };
        let situation = Part::Text { text: self.situation() };
        let seats = Part::Facts { facts: self.seats().iter().map(fact).collect() };
        let sections = vec![section("Situation", situation), section("Seats", seats)];
        Briefing { title: self.title(), sections, ..Briefing::default() }
    }

    /// The scenario's title, dates and so on, for lists: one line.
    fn title(&self) -> String;

    /// The situation before the first order, for the invitation: a few sentences.
    fn situation(&self) -> String;

    /// The seats of this game, in the order in which they act.
    fn seats(&self) -> &[SeatSpec];

    /// The position before the founding adjudication.
    fn found(&self) -> Self::State;

    /// Who owes what.
    fn awaiting(&self, state: &Self::State) -> Awaiting;

    /// What one seat knows.
    fn view(&self, state: &Self::State, to: &Seat) -> Self::View;

    /// What one seat learns of `event`, which is about to happen in the position `before`.
    fn witness(&self, before: &Self::State, event: &Self::Event, to: &Seat) -> Option<Self::Sight>;

    /// Whether a roll is the seat's own: one that its reports tell of, or that the rules throw for its own forces. It is shown
    /// to the seat before the adjudication is revealed, with the proof that it is the committed one; `phase`, `kind` and
    /// `subject` are those of its label. Nothing else tells who may see it, so the answer can't depend on the position.
    fn shows_roll(&self, phase: &str, kind: &str, subject: &str, to: &Seat) -> bool;

    /// Why nobody is sent proofs of his own rolls before they are revealed, a sentence for the players; none where they are. A proof tells
    /// roughly how many rolls there were (`docs/dice.md`, "Selective proof"): a ruleset in which that number tells of what is hidden has
    /// them left out.
    fn withholds_proofs(&self) -> Option<&'static str> {
        None
    }

    /// The standing orders that a seat has from this event on, each in words that are the same for the same order; none where
    /// the event changes none. What is in force must not become public: an adjudication isn't revealed while orders given
    /// in it still stand.
    fn filed(&self, event: &Self::Event) -> Option<(Seat, Vec<String>)> {
        let _ = event;
        None
    }

    /// Reads order lines (never `READY`, `salt:` and the like, which the engine takes) against the seat's view only: an
    /// answer must tell a player nothing that the view doesn't. Any text gives a reading; mistakes are remarks.
    fn read_orders(&self, view: &Self::View, text: &str) -> Reading<Self::Order>;

    /// What a lone line of a mail looks like, for players who write no order block. A letter around orders must give no
    /// false mistakes, and a mistyped order must not be taken for the letter: where both can't be had, it is prose, which
    /// the receipt lists.
    fn likeness(&self, line: &str) -> Likeness;

    /// Reads orders as [`Ruleset::read_orders`] does, and says what the receipt says of them: each as understood, what it
    /// will cost and do, what unordered units do.
    fn read_back(&self, view: &Self::View, text: &str) -> (Reading<Self::Order>, Recap);

    /// The way of a courier between the commanders of two seats, as the position truly is; none where the game doesn't know
    /// where commanders are, so that letters need no courier.
    fn ride(&self, state: &Self::State, from: &Seat, to: &Seat) -> Option<Ride> {
        let _ = (state, from, to);
        None
    }

    /// Runs the rules on the seats' orders until the next wait.
    fn step(&self, scribe: &mut Scribe<'_, Self>, input: &Input<Self::Order>);

    /// What the GM's amendment comes to: events that make the change, and nothing else. `text` is one line in the words of the
    /// game: `UNIT 12 MORALE 3`, several of them with `;` between. The position that the events lead to must be one that
    /// [`Ruleset::step`] can go on from. An empty text is refused with the changes that there are: the GM's `HELP` says so.
    ///
    /// # Errors
    /// Why it can't be done; for the GM, who may know everything.
    fn amend(&self, state: &Self::State, text: &str) -> Result<Vec<Self::Event>, Remark> {
        let _ = (state, text);
        Err(Remark::error(0, format!("The rules of {} know no amendments.", Self::NAME)))
    }

    /// The rolls of one adjudication that were somebody's luck, good or bad, each with its chance. Its events explain themselves:
    /// they bear the dice and the modifiers. None where the game doesn't say whom its dice are kind to.
    fn trials(&self, events: &[Self::Event]) -> Vec<Trial> {
        let _ = events;
        Vec::new()
    }

    /// The report to one seat: what it saw since its last one, and the position as it knows it.
    fn brief(&self, view: &Self::View, sights: &[Self::Sight]) -> Briefing;

    /// What of the seat's own nobody else sees as long as it stands where it stands, each in a word that says both: units that lie hidden.
    fn concealed(&self, view: &Self::View) -> BTreeSet<String> {
        let _ = view;
        BTreeSet::new()
    }

    /// The same report to those who watch the game, who may be anybody, adjudications later: without whatever still binds. That is every
    /// standing order, whether it was told as such or as the reason of what was done; every plan; what its words alone would tell, such
    /// as an order that could not be carried out; and what is in `hidden`, which all seats conceal to this day, with whatever could be
    /// known from there alone.
    fn shown(&self, view: &Self::View, sights: &[Self::Sight], hidden: &BTreeSet<String>) -> Briefing;

    /// What else among its files scenarios and players can name, such as armies to hire: the file's path without its ending, and a line
    /// about it. For `musterd scenarios`.
    fn stores(files: &RuleFiles) -> Vec<(String, String)> {
        let _ = files;
        Vec::new()
    }

    /// The position of all sides on one page, with all that is hidden: for the GM, never for a player. None where a game has no such page.
    fn overview(&self, state: &Self::State) -> Option<Briefing> {
        let _ = state;
        None
    }

    /// The history of the game as the seat knows it: how things went from turn to turn, what was lost and won.
    fn history(&self, view: &Self::View) -> Briefing;

    /// What the seat knows of the position, for programs: nothing that its report doesn't tell. Its form is published, as
    /// `docs/schema/<ruleset>-view.json`.
    fn published(&self, view: &Self::View) -> Box<RawValue> {
        #[expect(clippy::expect_used, reason = "views are plain data: no map with other keys than strings")]
        serde_json::value::to_raw_value(view).expect("a view is plain data")
    }

    /// The lines of the order form, ready to edit, without the frame: comments and the standing orders in force.
    fn form(&self, view: &Self::View) -> Vec<String>;

    /// A computer player's order lines for this view. `seed` breaks ties; the same view and seed give the same orders.
    fn play(&self, view: &Self::View, skill: Skill, seed: u64) -> String;
}

/// A seat as its ruleset describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatSpec {
    /// Its name in addresses, logs and files.
    pub seat: Seat,
    /// What the player is addressed as: `the French commander`.
    pub title: String,
    /// The side it belongs to, as the rules know it: `French`.
    pub side: String,
}

/// How well a computer player plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Skill {
    /// Holds, rallies, and attacks at good odds only.
    Cautious,
    /// Plans for victory points and looks after its supply.
    Planner,
}

/// What a game waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Awaiting {
    /// The players' confirmations; the founding adjudication needs no orders.
    Founding,
    /// Orders.
    Orders {
        /// Name of the wait in the log: `1805-summer-french`.
        name: Word,
        /// The same for readers: `Summer 1805, French to move`.
        title: String,
        /// The seats whose orders the game can't go on without.
        must: Vec<Seat>,
        /// The seats that may order too: standing orders.
        may: Vec<Seat>,
    },
    /// Nothing: the game is over.
    Over {
        /// How it ended, a line a side.
        results: Vec<String>,
    },
}

/// A courier's way from one commander to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Ride {
    /// How many hexes, the first one not counted.
    pub hexes: u32,
    /// How many of them lie in an enemy's reach.
    pub perils: u32,
}

/// What one adjudication acts on.
#[derive(Debug, Clone, PartialEq)]
pub struct Input<O> {
    /// Each seat's orders; a seat that sent none is absent.
    pub orders: BTreeMap<Seat, Reading<O>>,
}

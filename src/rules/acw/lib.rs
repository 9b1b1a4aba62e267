//! Decisive Battles of the American Civil War: armies commanded through their headquarters, hour by hour, with sighting, communications, cohesion and combat.
//!
//! Sources: the manual of volume I, cited by its menus and sections, and the numbered rulings of `docs/rulings/acw.md`.

pub mod ai;
mod amend;
pub mod battle;
mod board;
mod brief;
mod chart;
mod commanders;
mod contact;
pub mod data;
pub mod event;
mod examine;
mod facing;
mod files;
mod fog;
mod fold;
mod form;
mod found;
mod going;
pub mod law;
mod looks;
mod luck;
pub mod model;
pub mod numbers;
pub mod options;
pub mod order;
mod phases;
mod published;
mod questions;
mod reach;
pub mod read;
mod recap;
mod sight;
mod state;
pub mod values;
pub mod view;
pub mod words;

pub use ai::Skill;
pub use data::{Acw, SHIPPED, shipped};
pub use phases::drill;
pub use sight::Sight;
pub use state::{Brigade, Chief, Hq, Phase, Presence, State, Struck};

use std::collections::BTreeSet;

use musterd_dice::statistics::Trial;
use musterd_engine::briefing::Briefing;
use musterd_engine::calls::Calls;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::founding::GameOption;
use musterd_engine::orders::{Likeness, OrderUse, Reading, Recap, Remark};
use musterd_engine::palette::Palette;
use musterd_engine::{
    Awaiting, Examination, Fold, Founding, Input, Level, PublishedFormat, Ride, Ruleset, Scribe, Seat,
    SeatSpec, as_data,
};
use serde_json::value::RawValue;

use event::Event;

use order::Order;
use view::View;

impl Fold for Acw {
    type State = State;
    type Event = Event;

    fn apply(&self, state: &mut State, event: &Event) {
        fold::apply(state, self, event);
    }
}

impl Ruleset for Acw {
    const ID: &'static str = "acw";
    const NAME: &'static str = "Decisive Battles of the American Civil War";
    const RULES_VERSION: u32 = 1;
    const RULINGS: &'static str = include_str!("../../../docs/rulings/acw.md");

    const OPTIONS: &'static [GameOption] = options::OPTIONS;
    const LEVELS: &'static [Level<Skill>] = ai::LEVELS;
    const ODDS: Calls = questions::ODDS;
    const FOLDERS: &'static [(&'static str, &'static str)] = &[("maps", "a map")];
    const PALETTE: &'static Palette = &looks::PALETTE;
    const SCHEMAS: &'static [PublishedFormat] = published::SCHEMAS;

    type Skill = Skill;
    type Order = Order;
    type Sight = Sight;
    type View = View;

    fn load(founding: &Founding<'_>) -> Result<Self, DataErrors> {
        Self::read(founding)
    }

    fn examine(files: &RuleFiles, file: &str) -> Examination {
        examine::examine(files, file)
    }

    fn chart(&self, map: bool) -> Briefing {
        chart::chart(self, map)
    }

    fn title(&self) -> String {
        let battle = self.battle();
        let sides: Vec<&str> = battle.armies.iter().map(|army| army.name.as_str()).collect();
        format!("{} ({})", battle.title, sides.join(" against "))
    }

    fn situation(&self) -> String {
        self.battle().situation.clone()
    }

    fn seats(&self) -> &[SeatSpec] {
        self.seat_specs()
    }

    fn found(&self) -> State {
        State::at_start(self)
    }

    fn awaiting(&self, state: &State) -> Awaiting {
        match state.phase {
            Phase::Unfounded => Awaiting::Founding,
            Phase::Battle => {
                let (first, last) = (state.turn, self.block_from(state.turn));
                let name =
                    if first == last { format!("turn-{first}") } else { format!("turns-{first}-{last}") };
                let seats = self.seat_specs().iter().map(|spec| spec.seat.clone()).collect();
                Awaiting::orders(&name, words::hours(self.battle(), first, last), seats)
            }
            Phase::Over => Awaiting::Over { results: words::results(self, state) },
        }
    }

    fn view(&self, state: &State, to: &Seat) -> View {
        fog::view(self, state, to)
    }

    fn witness(&self, before: &State, event: &Event, to: &Seat) -> Option<Sight> {
        fog::witness(self, before, event, to)
    }

    fn shows_roll(&self, phase: &str, kind: &str, subject: &str, to: &Seat) -> bool {
        fog::shows_roll(self, (phase, kind, subject), to)
    }

    fn withholds_proofs(&self) -> Option<&'static str> {
        Some(
            "Dispatches bring no proofs of your own dice: how many dice fell would tell how many units the enemy has (ACW-85). Every die can be checked \
             once it is revealed.",
        )
    }

    fn filed(&self, event: &Event) -> Option<(Seat, Vec<String>)> {
        fog::filed(self, event)
    }

    fn read_orders(&self, view: &View, text: &str) -> Reading<Order> {
        read::read_orders(self, view, text)
    }

    fn likeness(&self, line: &str) -> Likeness {
        read::likeness(self, line)
    }

    fn offered(&self, view: &View) -> Vec<OrderUse> {
        read::offered(self, view)
    }

    fn contact(&self, view: &View) -> Option<String> {
        contact::contact(self, view)
    }

    fn read_back(&self, view: &View, text: &str) -> (Reading<Order>, Recap) {
        recap::read_back(self, view, text)
    }

    fn reach(&self, view: &View, text: &str) -> Result<Briefing, Remark> {
        reach::reach(self, view, text)
    }

    fn ride(&self, state: &State, from: &Seat, to: &Seat) -> Option<Ride> {
        phases::ride(self, state, from, to)
    }

    fn step(&self, scribe: &mut Scribe<'_, Self>, input: &Input<Order>) {
        phases::step(self, scribe, input);
    }

    fn amendments(&self) -> Vec<OrderUse> {
        amend::uses(self)
    }

    fn amend(&self, state: &State, text: &str) -> Result<Vec<Event>, Remark> {
        amend::amend(self, state, text)
    }

    fn trials(&self, events: &[Event]) -> Vec<Trial> {
        luck::trials(self, events)
    }

    fn brief(&self, view: &View, sights: &[Sight]) -> Briefing {
        brief::brief(self, view, sights)
    }

    fn overview(&self, state: &State) -> Option<Briefing> {
        brief::overview(self, state)
    }

    fn concealed(&self, view: &View) -> BTreeSet<String> {
        fog::concealed(self, view)
    }

    fn shown(&self, view: &View, sights: &[Sight], hidden: &BTreeSet<String>) -> Briefing {
        brief::shown(self, view, sights, hidden)
    }

    fn history(&self, view: &View) -> Briefing {
        brief::history(self, view)
    }

    fn published(&self, view: &View) -> Box<RawValue> {
        as_data(&published::Published::of(self, view))
    }

    fn form(&self, view: &View) -> Vec<String> {
        form::form(self, view)
    }

    fn play(&self, view: &View, skill: Skill, seed: u64) -> String {
        ai::play(self, view, skill, seed)
    }
}

impl Acw {
    /// The last turn of a mail turn that begins with this one: a block of hours in which units move, and all no-move turns behind it. A mail turn that
    /// begins with a no-move turn ends with the last of these.
    #[must_use]
    pub fn block_from(&self, first: u16) -> u16 {
        let (battle, mut last) = (self.battle(), first);
        let end = battle.last_turn();
        if !battle.hour(first).still {
            let most = first.saturating_add(self.choices().block - 1).min(end);
            while last < most && !battle.hour(last + 1).still {
                last += 1;
            }
            return last;
        }
        while last < end && battle.hour(last + 1).still {
            last += 1;
        }
        last
    }
}

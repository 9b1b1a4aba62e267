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

use musterd_engine::calls::Calls;
use musterd_engine::founding::GameOption;
use musterd_engine::palette::Palette;
use musterd_engine::{Awaiting, Fold, Level, PublishedFormat, Ruleset};
use musterd_kit::hand_on;

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

    hand_on! {
        load => Self::read,
        examine => examine::examine,
        chart => chart::chart,
        seats => Self::seat_specs,
        found => State::at_start,
        view => fog::view,
        witness => fog::witness,
        shows_roll => fog::shows_roll,
        filed => fog::filed,
        read_orders => read::read_orders,
        likeness => read::likeness,
        offered => read::offered,
        contact => contact::contact,
        read_back => recap::read_back,
        reach => reach::reach,
        ride => phases::ride,
        step => phases::step,
        amendments => amend::uses,
        amend => amend::amend,
        trials => luck::trials,
        brief => brief::brief,
        concealed => fog::concealed,
        shown => brief::shown,
        overview => brief::overview,
        history => brief::history,
        published => published::Published::of,
        form => form::form,
        play => ai::play,
    }

    fn title(&self) -> String {
        let battle = self.battle();
        let sides: Vec<&str> = battle.armies.iter().map(|army| army.name.as_str()).collect();
        format!("{} ({})", battle.title, sides.join(" against "))
    }

    fn situation(&self) -> String {
        self.battle().situation.clone()
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

    fn withholds_proofs(&self) -> Option<&'static str> {
        Some(
            "Dispatches bring no proofs of your own dice: how many dice fell would tell how many units the enemy has (ACW-85). Every die can be checked \
             once it is revealed.",
        )
    }

    fn withholds_luck(&self) -> Option<&'static str> {
        self.has_despatches().then_some(
            "With despatches the luck of both sides is told in the last report: how many dice fell for brigades of which nothing is heard would tell whether \
             they fight (ACW-86).",
        )
    }
}

impl Acw {
    /// The last turn of a mail turn that begins with this one: a block of hours in which units move, and all no-move turns behind it. A mail turn that
    /// begins with a no-move turn ends with the last of these.
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

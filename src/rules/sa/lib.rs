//! The Shattered Alliance: battles of antiquity, the Middle Ages and Osgorth by time-points, with training classes, morale, rout, missiles and magic.
//!
//! Sources: the manual of the game of 1981, cited by the names of its charts and sections, the charts of its Atari edition, and the numbered
//! rulings of `docs/rulings/sa.md`.

pub mod ai;
mod amend;
pub mod battle;
mod brief;
mod chart;
mod contact;
pub mod data;
pub mod deed;
pub mod event;
mod examine;
mod files;
mod fog;
mod form;
pub mod law;
mod looks;
mod luck;
pub mod model;
pub mod numbers;
pub mod odds;
pub mod options;
pub mod order;
mod phases;
mod published;
mod questions;
mod reach;
pub mod read;
mod recap;
pub mod route;
mod special;
mod state;
pub mod view;
pub mod words;

pub use ai::Skill;
pub use data::{SHIPPED, Sa, shipped};
pub use fog::Sight;
pub use state::{Position, State, Unit};

use musterd_engine::calls::Calls;
use musterd_engine::founding::GameOption;
use musterd_engine::palette::Palette;
use musterd_engine::{Awaiting, Fold, Level, PublishedFormat, Ruleset, Seat};
use musterd_kit::hand_on;
use musterd_report::text::sentence;

use event::Event;
use model::Side;
use order::Order;
use state::Phase;
use view::View;

impl Fold for Sa {
    type State = State;
    type Event = Event;

    fn apply(&self, state: &mut State, event: &Event) {
        state.apply(self, event);
    }
}

impl Ruleset for Sa {
    const ID: &'static str = "sa";
    const NAME: &'static str = "The Shattered Alliance";
    const RULES_VERSION: u32 = 1;
    const RULINGS: &'static str = include_str!("../../../docs/rulings/sa.md");

    const OPTIONS: &'static [GameOption] = options::OPTIONS;
    const LEVELS: &'static [Level<Skill>] = ai::LEVELS;
    const ODDS: Calls = questions::ODDS;
    const FOLDERS: &'static [(&'static str, &'static str)] = &[("armies", "an army"), ("fields", "a field")];
    const SHOWS_BATTLE: bool = true;
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
        read_orders => read::read_orders,
        likeness => read::likeness,
        offered => read::offered,
        contact => contact::contact,
        read_back => recap::read_back,
        reach => reach::reach,
        step => phases::step,
        amendments => amend::uses,
        amend => amend::amend,
        trials => luck::trials,
        brief => brief::brief,
        shown => brief::shown,
        overview => brief::overview,
        history => brief::history,
        published => published::Published::of,
        form => form::form,
        play => ai::play,
    }

    fn title(&self) -> String {
        let battle = self.battle();
        if battle.swapped {
            return battle.title.clone();
        }
        let sides: Vec<&str> = battle.sides.iter().map(|army| army.name.as_str()).collect();
        format!("{} ({})", battle.title, sides.join(" against "))
    }

    fn situation(&self) -> String {
        self.battle().situation.clone()
    }

    fn awaiting(&self, state: &State) -> Awaiting {
        let seats = |side: Side| {
            let commanders = self.battle().army(side).commanders.iter();
            let leads =
                |one: &&battle::Commander| one.units.iter().any(|id| state.position.is_afoot(self, *id));
            commanders.filter(leads).map(|one| one.seat.clone()).collect::<Vec<_>>()
        };
        let both = || Side::ALL.into_iter().flat_map(seats).collect::<Vec<_>>();
        match state.phase {
            Phase::Unfounded => Awaiting::Founding,
            Phase::Initial(Some(side)) => {
                let name = format!("initial-{}", side.letter().to_ascii_lowercase());
                let title = format!("Initial move, {}", self.battle().army(side).name);
                Awaiting::orders(&name, title, seats(side))
            }
            Phase::Initial(None) => Awaiting::orders("initial", "Initial move", both()),
            Phase::Battle => {
                let (first, last) = self.block_after(state.paused);
                let title = format!("Time-points {first} to {last}");
                Awaiting::orders(&format!("points-{first}-{last}"), title, both())
            }
            Phase::Over => Awaiting::Over { results: results(self, state) },
        }
    }

    fn filed(&self, event: &Event) -> Option<(Seat, Vec<String>)> {
        let Event::Stood { seat, charges, real } = event else { return None };
        // Each task by itself: it stands until it is done, whatever becomes of those beside it.
        let words = |(id, charge): &(model::UnitId, order::Charge)| {
            let alone = |task: &order::Task| order::Charge { tasks: vec![*task], ..Default::default() };
            let rest = order::Charge { tasks: Vec::new(), ..charge.clone() };
            let parts = charge.tasks.iter().map(alone).chain([rest]);
            parts
                .flat_map(|part| part.orders(*id))
                .flat_map(|order| read::written(&order))
                .collect::<Vec<_>>()
        };
        let wizard = real.map(|real| format!("the wizard is {real}"));
        Some((seat.clone(), charges.iter().flat_map(words).chain(wizard).collect()))
    }

    fn standing_units(&self, state: &State, seat: &Seat) -> Vec<String> {
        let Some(commander) = self.battle().commander(seat) else { return Vec::new() };
        let stands = |id: &&model::UnitId| {
            let charge = &state.charges[self.battle().place(**id)];
            charge.stance != order::Stance::default() || !charge.triggers.is_empty()
        };
        commander.units.iter().filter(stands).map(|id| words::called(self, *id)).collect()
    }

    fn is_gone(&self, view: &View, unit: &str) -> bool {
        let is_lost = |id: &model::UnitId| {
            matches!(view.position.units[self.battle().place(*id)].fate, state::Fate::Gone(_))
        };
        view.own.iter().any(|id| words::called(self, *id) == unit && is_lost(id))
    }
}

impl Sa {
    /// The first and the last time-point of the mail turn after one that ended at `paused`.
    pub fn block_after(&self, paused: u16) -> (u16, u16) {
        let block = self.choices().block;
        (paused + 1, (paused / block * block + block).min(self.battle().nightfall))
    }
}

/// How the battle ended: a line a side, and who won.
fn results(rules: &Sa, state: &State) -> Vec<String> {
    let Some(outcome) = &state.outcome else { return Vec::new() };
    let battle = rules.battle();
    let line = |side: Side| {
        let left = outcome.left[side.index()];
        let morale = state.position.morale[side.index()];
        let name = sentence(&battle.army(side).name);
        format!("{name}: weight of its steady men {}, army morale {morale}", left / 100)
    };
    let mut lines: Vec<String> = Side::ALL.into_iter().map(line).collect();
    lines.push(format!("{}: {}", words::ending(rules, outcome.ending), words::won(rules, outcome.won)));
    lines
}

//! La Grande Armée: the Napoleonic wars, season by season, on thirty by ten hexes.
//!
//! Sources: the game's manual, version 1.01, cited as `Manual 5.64`, and the numbered rulings of `docs/rulings/lga.md`.

mod ahead;
pub mod ai;
pub mod amend;
mod atlas;
pub mod brief;
mod change;
mod charge;
mod chart;
mod contact;
pub mod data;
pub mod event;
mod examine;
#[cfg(test)]
mod fixture;
mod foe;
mod fog;
mod footing;
mod forecast;
pub mod form;
mod forms;
pub mod ground;
pub mod kinds;
mod known;
mod luck;
pub mod map;
pub mod memory;
pub mod model;
mod needs;
pub mod numbers;
pub mod odds;
pub mod order;
pub mod path;
mod phases;
pub mod plan;
mod policies;
mod published;
mod questions;
mod reach;
pub mod read;
pub mod recap;
pub mod record;
pub mod scenario;
pub mod setting;
pub mod setup;
mod shift;
mod shown;
pub mod sight;
mod sites;
mod special;
mod spelling;
mod spots;
mod state;
mod supply;
pub mod tables;
pub mod terrains;
mod victory;
pub mod view;
mod words;

pub use ai::Skill;
pub use data::{Lga, SHIPPED, shipped};
pub use state::State;

use event::Event;
use forms::schema_with;
use map::declared::MapFile;
use model::Side;
use musterd_engine::briefing::Briefing;
use musterd_engine::calls::Calls;
use musterd_engine::palette::Palette;
use musterd_engine::{Awaiting, Fold, Level, PublishedFormat, Ruleset, Seat};
use musterd_kit::data::{ANY, schema_of};
use musterd_kit::hand_on;
use numbers::Numbers;
use order::Order;
use scenario::declared::ScenarioFile;
use setting::SettingFile;
use sight::Sight;
use view::View;

impl Fold for Lga {
    type State = State;
    type Event = Event;

    fn apply(&self, state: &mut State, event: &Event) {
        state.apply(self, event);
    }
}

impl Ruleset for Lga {
    const ID: &'static str = "lga";
    const NAME: &'static str = "La Grande Armee";
    const RULES_VERSION: u32 = 2;
    const RULINGS: &'static str = include_str!("../../../docs/rulings/lga.md");

    const LEVELS: &'static [Level<Skill>] = ai::LEVELS;
    const ODDS: Calls = questions::ODDS;
    const FOLDERS: &'static [(&'static str, &'static str)] = &[("maps", "a map"), ("settings", "a setting")];
    const PALETTE: &'static Palette = &atlas::PALETTE;
    const SCHEMAS: &'static [PublishedFormat] = &[
        PublishedFormat::of("lga-view", "its `view` in La Grande Armee", |_| {
            include_str!("../../../docs/schema/lga-view.json").to_owned()
        }),
        PublishedFormat::of(
            "lga-scenario",
            "a scenario of La Grande Armee, a file of `scenarios/`",
            |files| schema_with::<ScenarioFile>("A scenario of La Grande Armee", files),
        ),
        PublishedFormat::of("lga-map", "a map of La Grande Armee, a file of `maps/`", |files| {
            schema_with::<MapFile>("A map of La Grande Armee", files)
        }),
        PublishedFormat::of("lga-setting", "nations of La Grande Armee, a file of `settings/`", |_| {
            schema_of::<SettingFile>("A setting of La Grande Armee", &ANY)
        }),
        PublishedFormat::of("lga-rules", "the numbers of La Grande Armee, `ruleset.yaml`", |_| {
            schema_of::<Numbers>("The numbers of La Grande Armee", &numbers::SMALL)
        }),
    ];

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
        ride => phases::courier::ride,
        step => phases::step,
        amendments => amend::uses_in,
        amend => amend::amend,
        trials => luck::trials,
        brief => brief::brief,
        concealed => shown::concealed,
        shown => shown::shown,
        history => brief::history,
        published => published::Published::of,
        form => form::form,
        play => ai::play,
    }

    fn title(&self) -> String {
        let scenario = &self.scenario;
        format!("{}, {} to {}", scenario.title, scenario.start, scenario.end)
    }

    fn situation(&self) -> String {
        self.scenario.situation.clone()
    }

    fn awaiting(&self, state: &State) -> Awaiting {
        if state.over {
            return Awaiting::Over { results: results(state) };
        }
        if !state.begun {
            return Awaiting::Founding;
        }
        let (date, side) = (state.date, state.phasing);
        let (must, may) = self
            .seat_specs()
            .iter()
            .map(|spec| spec.seat.clone())
            .partition(|seat| self.command(seat).is_some_and(|command| command.side == side));
        // The name of the turn in the log: `1805-summer-french`.
        let name = format!("{}-{}-{}", date.year, date.season.word(), side.word());
        Awaiting::orders(&name, format!("{date}, {side} to move"), must).allowing(may)
    }

    fn filed(&self, event: &Event) -> Option<(Seat, Vec<String>)> {
        let Event::StandingFiled { seat, file } = event else { return None };
        let words = file.iter().map(|order| recap::reaction_in_words(self, order));
        Some((seat.clone(), words.collect()))
    }

    fn overview(&self, state: &State) -> Option<Briefing> {
        Some(brief::overview(self, &fog::everything(self, state)))
    }
}

/// How the game ended: a line a side, and who won.
fn results(state: &State) -> Vec<String> {
    let line = |(side, points, level): &(Side, i32, model::Level)| {
        format!("{side}: {points} victory points, {level}")
    };
    let mut lines: Vec<String> = state.results.iter().map(line).collect();
    lines.push(match state.winner {
        Some(side) => format!("The {side} side wins"),
        None => "A draw".to_owned(),
    });
    lines
}

//! Death or Glory: Battlefield: fantasy battles of armies on a map of hexes, moderated by a game master.
//!
//! Sources: the game's manual, version 1.0, cited as `manual 4.3` (its sections numbered as in its contents), and the numbered rulings of
//! `docs/rulings/dog.md`.

pub mod ai;
pub mod amend;
pub mod battle;
pub mod brief;
mod calls;
mod change;
mod chart;
mod cover;
pub mod data;
pub mod event;
mod examine;
mod fog;
pub mod form;
mod initiative;
mod known;
mod legality;
mod looks;
mod luck;
pub mod model;
pub mod next;
pub mod numbers;
pub mod odds;
pub mod order;
mod phases;
mod policies;
mod published;
mod questions;
mod reach;
pub mod read;
pub mod recap;
pub mod record;
mod roster;
pub mod scores;
mod shown;
pub mod sight;
mod state;
mod switches;
pub mod table;
pub mod view;
mod way;
mod words;

pub use ai::Skill;
pub use data::{Dog, SHIPPED, shipped};
pub use state::State;

use battle::declared::{BattleFile, HireFile, schema_with};
use battle::hire::HireList;
use event::Event;
use model::ArmyId;
use musterd_engine::briefing::Briefing;
use musterd_engine::calls::Calls;
use musterd_engine::files::{DataError, RuleFiles};
use musterd_engine::palette::Palette;
use musterd_engine::{Awaiting, Fold, Level, PublishedFormat, Ruleset, Seat};
use musterd_kit::data::schema_of;
use musterd_kit::hand_on;
use musterd_kit::lists::joined;
use numbers::{Numbers, ReadNumbers};
use order::Order;
use sight::Sight;
use view::{View, Wait};

impl Fold for Dog {
    type State = State;
    type Event = Event;

    fn apply(&self, state: &mut State, event: &Event) {
        state.apply(self, event);
    }
}

impl Ruleset for Dog {
    const ID: &'static str = "dog";
    const NAME: &'static str = "Death or Glory: Battlefield";
    const RULES_VERSION: u32 = 3;
    const RULINGS: &'static str = include_str!("../../../docs/rulings/dog.md");

    const LEVELS: &'static [Level<Skill>] = ai::LEVELS;
    const CALLS: Calls = calls::CALLS;
    const ODDS: Calls = questions::ODDS;
    const FOLDERS: &'static [(&'static str, &'static str)] = &[("hire", "a hire list")];
    const PALETTE: &'static Palette = &looks::PALETTE;
    const SCHEMAS: &'static [PublishedFormat] = &[
        PublishedFormat::of("dog-view", "its `view` in Death or Glory", |_| {
            include_str!("../../../docs/schema/dog-view.json").to_owned()
        }),
        PublishedFormat::of("dog-battle", "a battle of Death or Glory, a file of `scenarios/`", |files| {
            schema_with::<BattleFile>("A battle of Death or Glory", files)
        }),
        PublishedFormat::of("dog-hire", "a hire list of Death or Glory, a file of `hire/`", |files| {
            schema_with::<HireFile>("A hire list of Death or Glory", files)
        }),
        PublishedFormat::of("dog-rules", "the numbers of Death or Glory, `ruleset.yaml`", |_| {
            schema_of::<Numbers>("The numbers of Death or Glory", &numbers::NUMBERS)
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
        contact => known::contact,
        read_back => recap::read_back,
        reach => reach::reach,
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

    fn unfit_for_new(files: &RuleFiles) -> Vec<DataError> {
        ReadNumbers::read(files).late
    }

    fn stores(files: &RuleFiles) -> Vec<(String, String)> {
        let Ok(numbers) = Numbers::load(files) else { return Vec::new() };
        HireList::load(files, &numbers)
            .0
            .values()
            .map(|list| (list.path(), list.in_short(&numbers)))
            .collect()
    }

    fn title(&self) -> String {
        let battle = self.battle();
        let armies = joined(battle.armies().iter().map(|army| &army.name), ", ");
        format!("{} ({}; {armies})", battle.title, battle.scale)
    }

    fn situation(&self) -> String {
        self.battle().situation.clone()
    }

    fn awaiting(&self, state: &State) -> Awaiting {
        let battle = self.battle();
        let round = state.round;
        let (name, title) = match state.wait {
            Wait::Founding => return Awaiting::Founding,
            Wait::Over => return Awaiting::Over { results: results(self, state) },
            Wait::SetUp if state.waiting.is_empty() => ("set-up".to_owned(), "Unit records".to_owned()),
            Wait::SetUp => ("set-up-again".to_owned(), "Units to be placed anew".to_owned()),
            Wait::Orders => (format!("round-{round}"), format!("Round {round}")),
            Wait::Moves => (format!("round-{round}-moves"), format!("Round {round}, moves")),
            Wait::Combat => (format!("round-{round}-combat"), format!("Round {round}, combat")),
        };
        let owes = |army: ArmyId| match state.wait {
            Wait::SetUp if state.waiting.is_empty() => battle.army(army).owes_records(),
            Wait::SetUp => state.waiting.keys().any(|unit| unit.army == battle.army(army).letter),
            _ => state.units.values().any(|unit| unit.army == army && unit.captive.is_none()),
        };
        let must =
            battle.armies().iter().filter(|army| owes(army.id)).map(|army| army.seat.clone()).collect();
        Awaiting::orders(&name, title, must)
    }

    fn withholds_proofs(&self) -> Option<&'static str> {
        Some(
            "Dispatches bring no proofs of your own dice: how many dice fell would tell how many units lie hidden (DOG-49). Every die can \
             be checked once it is revealed.",
        )
    }

    fn filed(&self, event: &Event) -> Option<(Seat, Vec<String>)> {
        let Event::Instructed { army, if_attacked } = event else { return None };
        // A part inherits the instruction of the unit that it split off. Its leader wrote it for that unit alone.
        let said = if_attacked.of_origins();
        Some((self.battle().army(*army).seat.clone(), said.lines()))
    }

    fn standing_units(&self, state: &State, seat: &Seat) -> Vec<String> {
        let army = self.led_by(seat);
        let said = army.and_then(|army| state.if_attacked.get(&army));
        let named = said.into_iter().flat_map(|said| &said.except);
        named.filter(|unit| state.unit(**unit).is_some()).map(ToString::to_string).collect()
    }

    fn is_gone(&self, view: &View, unit: &str) -> bool {
        !view.own.keys().any(|own| own.to_string() == unit)
    }

    fn overview(&self, state: &State) -> Option<Briefing> {
        let seats = self.battle().armies().iter().map(|army| &army.seat);
        brief::overview(self, &seats.map(|seat| fog::view_for_gm(self, state, seat)).collect::<Vec<_>>())
    }
}

/// How the battle ended: a line an army, and who won.
fn results(rules: &Dog, state: &State) -> Vec<String> {
    let line = |reckoning: &event::Reckoning| {
        let army = rules.battle().army(reckoning.army);
        format!(
            "{}: {} hit points lost, leadership {} to {}",
            army.name, reckoning.lost, reckoning.before, reckoning.after
        )
    };
    let mut lines: Vec<String> = state.reckonings.iter().map(line).collect();
    lines.push(match &state.winner {
        Some(winner) => format!("Victory for {winner}"),
        None => "A draw".to_owned(),
    });
    lines
}

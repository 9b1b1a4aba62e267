//! Whole battles of Death or Glory between leaders of several kinds, in process: no mail, no store, dice from a numbered seed.
//! `benches/dog.rs` plays with it too.
#![allow(dead_code, reason = "each test binary uses some of it")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use musterd_dice::{Seat, Stream};
use musterd_dog::event::Event;
use musterd_dog::model::Waiting;
use musterd_dog::order::Order;
use musterd_dog::view::{View, Wait};
use musterd_dog::{Dog, Skill, State, shipped};
use musterd_engine::orders::{Reading, Weight};
use musterd_engine::{Awaiting, Input, Ruleset, Scribe};

use crate::common::Loose;

/// The battles in the order of the guide.
pub(crate) const BATTLES: [&str; 9] = [
    "training",
    "millers-ford",
    "reed-causeway",
    "frost-saddle",
    "three-banners",
    "daerquwa",
    "ashland-wells",
    "six-at-the-bridge",
    "doru-siege",
];

/// Adjudications in a battle at most.
const MOST_STEPS: u32 = 120;

/// Who leads an army.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leader {
    /// The program's own.
    Computer(Skill),
    /// Everybody straight at the nearest enemy, and at him.
    Charger,
    /// Anything, to anywhere.
    Anyhow,
}

/// A planner of the program.
pub(crate) const PLANNER: Leader = Leader::Computer(Skill::Planner);
/// A cautious leader of the program.
pub(crate) const CAUTIOUS: Leader = Leader::Computer(Skill::Cautious);

/// How a battle ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The alliance that won.
    pub(crate) winner: Option<String>,
    /// Rounds fought.
    pub(crate) rounds: u16,
    /// Hit points that each alliance lost, of so many at first.
    pub(crate) lost: BTreeMap<String, (u64, u64)>,
}

impl Outcome {
    /// How far an alliance is ahead, in percent of losses; a hundred more for a victory, and less for a defeat.
    pub(crate) fn margin(&self, of: &str) -> i64 {
        let share = |(lost, all): &(u64, u64)| i64::try_from(lost * 100 / all.max(&1)).unwrap();
        let own = share(&self.lost[of]);
        let others: Vec<i64> =
            self.lost.iter().filter(|(name, _)| *name != of).map(|(_, l)| share(l)).collect();
        let theirs = others.iter().sum::<i64>() / i64::try_from(others.len()).unwrap().max(1);
        let won = self.winner.as_ref().map_or(0, |winner| if winner == of { 100 } else { -100 });
        won + theirs - own
    }
}

/// The rules of a battle of `games/dog/scenarios`, as the file is now: whoever balances one need not build the program anew.
pub(crate) fn rules(battle: &str) -> Dog {
    let mut files = shipped("training").unwrap();
    let path = crate::common::root().join(format!("games/dog/scenarios/{battle}.yaml"));
    files.0.insert("scenario.yaml".to_owned(), fs::read_to_string(path).unwrap());
    Dog::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{battle}: {errors}"))
}

/// What a leader orders.
pub(crate) fn orders(rules: &Dog, view: &View, leader: Leader, seed: u32) -> String {
    match leader {
        Leader::Computer(skill) => rules.play(view, skill, u64::from(seed)),
        // Whom to hire and where to begin isn't what is compared.
        _ if view.wait == Wait::SetUp => rules.play(view, Skill::Planner, u64::from(seed)),
        Leader::Charger => charge(rules, view),
        Leader::Anyhow => anyhow(rules, view, seed),
    }
}

fn charge(rules: &Dog, view: &View) -> String {
    let mut text = String::new();
    let hostile = |army| view.army.is_some_and(|own| !rules.battle().allied(own, army));
    for (id, unit) in &view.own {
        let foes = view.others.values().filter(|foe| hostile(foe.army) && foe.captive.is_none());
        let Some(foe) = foes.min_by_key(|foe| (foe.at.distance(unit.at), foe.at)) else { continue };
        if foe.at.distance(unit.at) > 1 {
            let free = |hex: &musterd_engine::hex::Hex| {
                view.own.values().all(|own| own.at != *hex)
                    && view.others.values().all(|other| other.at != *hex)
            };
            let goals = rules.battle().field.around(foe.at).filter(free);
            if let Some(goal) = goals.min_by_key(|hex| (hex.distance(unit.at), *hex)) {
                writeln!(text, "MOVE {id} TO {goal}").unwrap();
            }
        }
        writeln!(text, "ATTACK {id}").unwrap();
    }
    text
}

fn anyhow(rules: &Dog, view: &View, seed: u32) -> String {
    let Loose(seed) = Loose::numbered(seed * 1000 + u32::from(view.round));
    let mut dice = Stream::new(&seed, &"1/test/anyhow/x/0".parse().unwrap());
    let field = &rules.battle().field;
    let mut text = String::new();
    for id in view.own.keys() {
        let (col, row) = (dice.die(u32::from(field.columns)), dice.die(u32::from(field.rows)));
        writeln!(text, "MOVE {id} TO {col:02}{row:02}").unwrap();
        match dice.die(3) {
            1 => writeln!(text, "ATTACK {id}").unwrap(),
            2 => writeln!(text, "SHOOT {id}").unwrap(),
            _ => {}
        }
    }
    text
}

/// Plays a battle to its end: each army as `leader` says of its alliance. Computers' orders are read without an error or a warning.
pub(crate) fn play(rules: &Dog, leader: impl Fn(&str) -> Leader, seed: u32) -> Outcome {
    let mut state = rules.found();
    let mut dice = Loose::numbered(seed);
    let mut first: BTreeMap<String, u64> = BTreeMap::new();
    for t in 1..=MOST_STEPS {
        let mut all: BTreeMap<Seat, Reading<Order>> = BTreeMap::new();
        match rules.awaiting(&state) {
            Awaiting::Over { .. } => return outcome(rules, &state, &first),
            Awaiting::Founding => {}
            Awaiting::Orders { .. } => {
                for army in rules.battle().armies() {
                    let leader = leader(&army.alliance);
                    let view = rules.view(&state, &army.seat);
                    let text = orders(rules, &view, leader, seed);
                    let reading = rules.read_orders(&view, &text);
                    if matches!(leader, Leader::Computer(_)) {
                        let doubt = reading.remarks.iter().find(|remark| remark.weight != Weight::Note);
                        assert!(doubt.is_none(), "{doubt:?}\n{text}");
                    }
                    all.insert(army.seat.clone(), reading);
                }
            }
        }
        let mut scribe = Scribe::new(rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders: all });
        let numbers = rules.numbers();
        state = scribe.state().clone();
        for event in scribe.finish() {
            if let Event::Raised(Waiting { unit, sorts, .. }) = event {
                let army = rules.battle().lettered(unit.army).unwrap();
                let hp = |sort| musterd_dog::scores::hp(numbers, sort);
                let all: u64 = sorts.iter().map(|sort| u64::from(hp(sort)) * u64::from(sort.fighters)).sum();
                *first.entry(army.alliance.clone()).or_default() += all;
            }
        }
    }
    panic!("{}: no end after {MOST_STEPS} adjudications", rules.title());
}

fn outcome(rules: &Dog, state: &State, first: &BTreeMap<String, u64>) -> Outcome {
    let battle = rules.battle();
    let view = rules.view(state, &battle.armies()[0].seat);
    let (winner, reckonings) = view.result.unwrap();
    let mut lost = BTreeMap::new();
    for reckoning in reckonings {
        let alliance = &battle.army(reckoning.army).alliance;
        let entry = lost.entry(alliance.clone()).or_insert((0, first.get(alliance).copied().unwrap_or(1)));
        entry.0 += reckoning.lost;
    }
    Outcome { winner, rounds: view.round, lost }
}

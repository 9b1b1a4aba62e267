//! Death or Glory: a round of forty against forty units timed, and battles between computer leaders played by the hundred:
//! `cargo bench --bench dog -- --help`. Its tables are docs/dog/balance.md.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench fails by panicking, and has no users")]
#![allow(clippy::panic, dead_code, reason = "the arenas are shared with the tests")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use musterd::dice::Seat;
use musterd::engine::files::RuleFiles;
use musterd::engine::orders::Reading;
use musterd::engine::{Input, Ruleset, Scribe};
use musterd::rules::dog::order::Order;
use musterd::rules::dog::view::View;
use musterd::rules::dog::{Dog, SHIPPED, Skill, State};

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/dog_arena.rs"]
mod dog_arena;

use common::Loose;
use dog_arena::{BATTLES, CAUTIOUS, Leader, Outcome, PLANNER, play, rules};

// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Times a large round, and plays battles between computer leaders.
#[derive(Parser)]
struct Args {
    /// Battles by name; all of them where none is named.
    #[arg(long, value_delimiter = ',')]
    battle: Vec<String>,
    /// How many seeds.
    #[arg(long, default_value_t = 100)]
    seeds: u32,
    /// What to do.
    #[arg(value_enum, default_values_t = [Job::Round])]
    jobs: Vec<Job>,
    /// What `cargo bench` adds.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Job {
    /// A round of forty against forty units.
    Round,
    /// Planner against planner: how the battles are balanced.
    Balance,
    /// The planner against the cautious leader, from every side of each battle; a draw counts half.
    Levels,
    /// The planner, and the cautious leader, against others who know nothing of the rules.
    Leaders,
}

fn main() {
    let args = Args::parse();
    let named = |name: &&str| args.battle.is_empty() || args.battle.iter().any(|own| own == name);
    let battles: Vec<&str> = BATTLES.into_iter().filter(|name| named(name)).collect();
    for job in &args.jobs {
        match job {
            Job::Round => {
                round();
                set();
                plan();
            }
            Job::Balance => balance(&battles, args.seeds),
            Job::Levels => against(&battles, args.seeds, &[("planner", PLANNER)], &[("cautious", CAUTIOUS)]),
            Job::Leaders => {
                let others = [("charger", Leader::Charger), ("anyhow", Leader::Anyhow)];
                against(&battles, args.seeds, &[("planner", PLANNER), ("cautious", CAUTIOUS)], &others);
            }
        }
    }
}

fn balance(battles: &[&str], seeds: u32) {
    println!("| battle | side | wins of {seeds} | draws | loses of its hit points | rounds |");
    println!("|---|---|--:|--:|--:|--:|");
    for name in battles {
        let rules = rules(name);
        let ends: Vec<Outcome> = (1..=seeds).map(|seed| play(&rules, |_| PLANNER, seed)).collect();
        let draws = ends.iter().filter(|end| end.winner.is_none()).count();
        let rounds: u32 = ends.iter().map(|end| u32::from(end.rounds)).sum();
        for (place, side) in rules.battle().alliances().into_iter().enumerate() {
            let wins = ends.iter().filter(|end| end.winner.as_deref() == Some(side)).count();
            let share: u64 = ends.iter().map(|end| end.lost[side].0 * 100 / end.lost[side].1.max(1)).sum();
            let (lead, draws, rounds) = match place {
                0 => ((*name).to_owned(), draws.to_string(), (rounds / seeds.max(1)).to_string()),
                _ => Default::default(),
            };
            println!(
                "| {lead} | {side} | {wins} | {draws} | {} % | {rounds} |",
                share / u64::from(seeds.max(1))
            );
        }
    }
    println!();
}

/// What a kind of leader is called.
type Named = (&'static str, Leader);

/// How leaders do against others.
fn against(battles: &[&str], seeds: u32, leaders: &[Named], others: &[Named]) {
    println!("| battle | leader | against | games | won | drawn | score | mean margin of a pair |");
    println!("|---|---|---|--:|--:|--:|--:|--:|");
    for name in battles {
        let rules = rules(name);
        let sides: Vec<String> = rules.battle().alliances().into_iter().map(str::to_owned).collect();
        let pairs = leaders.iter().flat_map(|leader| others.iter().map(move |other| (leader, other)));
        for ((title, leader), (word, other)) in pairs {
            let (mut won, mut drawn, mut margins, mut games) = (0, 0, 0, 0);
            for (seed, side) in (1..=seeds).flat_map(|seed| sides.iter().map(move |side| (seed, side))) {
                let end = play(&rules, |own| if own == side { *leader } else { *other }, seed);
                games += 1;
                won += u32::from(end.winner.as_ref() == Some(side));
                drawn += u32::from(end.winner.is_none());
                margins += end.margin(side);
            }
            let score = (won * 2 + drawn) * 50 / games.max(1);
            let mean = margins / i64::from(seeds.max(1));
            println!("| {name} | {title} | {word} | {games} | {won} | {drawn} | {score} % | {mean} |");
        }
    }
    println!();
}

/// Forty units against forty in two lines next to each other, all of them ordered to march, shoot or attack.
fn large() -> (Dog, State, BTreeMap<Seat, Reading<Order>>) {
    let mut text = String::from(
        "id: large\ntitle: Forty against forty\nsituation: A bench.\nscale: tactical\nfield:\n  rows:\n",
    );
    for _ in 0..12 {
        text.push_str(&format!("    - \"{}\"\n", vec!["."; 20].join(" ")));
    }
    text.push_str("armies:\n");
    for (seat, letter, rows) in [("north", 'N', [5, 6]), ("south", 'S', [8, 7])] {
        text.push_str(&format!(
            "  - seat: {seat}\n    letter: {letter}\n    name: {seat}\n    leadership: 100000\n    units:\n"
        ));
        for number in 1..=40 {
            let (row, col) = (rows[usize::from(number > 20)], (number - 1) % 20 + 1);
            let kind = ["archers", "light infantry"][usize::from(number > 20)];
            text.push_str(&format!(
                "      - {{id: {number}, type: {kind}, fighters: 20, at: \"{col:02}{row:02}\"}}\n"
            ));
        }
    }
    let shared = SHIPPED.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
    let files = shared.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let files = files.chain([("scenario.yaml".to_owned(), text)]).collect();
    let rules = Dog::from_files(&RuleFiles(files), &[]).unwrap();
    let mut dice = Loose::numbered(1);
    let mut scribe = Scribe::new(&rules, rules.found(), 1, &mut dice);
    rules.step(&mut scribe, &Input { orders: BTreeMap::new() });
    let state = scribe.state().clone();
    let order = |seat: &Seat| {
        let view = rules.view(&state, seat);
        rules.read_orders(&view, &rules.play(&view, Skill::Planner, 1))
    };
    let orders: BTreeMap<Seat, Reading<Order>> =
        rules.seats().iter().map(|spec| (spec.seat.clone(), order(&spec.seat))).collect();
    (rules, state, orders)
}

// The job stands alone, never inlined, so that `benches/instructions` can count what it takes.
#[inline(never)]
fn job_adjudicate(rules: &Dog, state: &State, orders: &BTreeMap<Seat, Reading<Order>>) -> usize {
    let mut dice = Loose::numbered(2);
    let mut scribe = Scribe::new(rules, state.clone(), 2, &mut dice);
    rules.step(&mut scribe, &Input { orders: orders.clone() });
    scribe.finish().len()
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn round() {
    const TIMES: u32 = 200;
    let (rules, state, orders) = large();
    let given: usize = orders.values().map(|reading| reading.orders.len()).sum();
    let events = job_adjudicate(&rules, &state, &orders);
    let start = Instant::now();
    for _ in 0..TIMES {
        black_box(job_adjudicate(&rules, &state, &orders));
    }
    let each = start.elapsed() / TIMES;
    println!(
        "a round of 40 against 40 units, {given} orders, {events} events: {} microseconds",
        each.as_micros()
    );
}

#[inline(never)]
fn job_read(rules: &Dog, view: &View, text: &str) -> usize {
    rules.read_orders(view, text).orders.len()
}

#[inline(never)]
fn job_receipt(rules: &Dog, view: &View, text: &str) -> usize {
    rules.read_back(view, text).1.orders.len()
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn set() {
    const TIMES: u32 = 500;
    let (rules, state, _) = large();
    let view = rules.view(&state, &rules.seats()[0].seat);
    let text = rules.play(&view, Skill::Planner, 1);
    for (what, job) in
        [("read", job_read as fn(&Dog, &View, &str) -> usize), ("read back for a receipt", job_receipt)]
    {
        let orders = job(&rules, &view, &text);
        let start = Instant::now();
        for _ in 0..TIMES {
            black_box(job(&rules, &view, &text));
        }
        let each = start.elapsed() / TIMES;
        println!("a set of {orders} orders {what}: {} microseconds", each.as_micros());
    }
}

#[inline(never)]
fn job_plan(rules: &Dog, view: &View, skill: Skill) -> usize {
    rules.play(view, skill, 1).lines().count()
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn plan() {
    const TIMES: u32 = 20;
    let (rules, state, _) = large();
    let view = rules.view(&state, &rules.seats()[0].seat);
    for (who, skill) in [("a cautious leader", Skill::Cautious), ("a planner", Skill::Planner)] {
        let orders = job_plan(&rules, &view, skill);
        let start = Instant::now();
        for _ in 0..TIMES {
            black_box(job_plan(&rules, &view, skill));
        }
        let each = start.elapsed() / TIMES;
        println!("{orders} orders for 40 units against 40 by {who}: {} microseconds", each.as_micros());
    }
}

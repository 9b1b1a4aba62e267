//! A tournament of computer players: `cargo bench --bench tournament -- --help`. Its tables are docs/lga/balance.md. Every
//! event of every game is held against the invariants that the tests know; a game that breaks one ends the tournament.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench fails by panicking, and has no users")]
#![allow(clippy::panic, dead_code, reason = "the arena is shared with the tests")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Parser, ValueEnum};
use musterd::rules::lga::Skill;
use musterd::rules::lga::model::{Level, Side};

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/lga_arena.rs"]
mod lga_arena;
#[path = "../tests/lga/invariants.rs"]
mod lga_invariants;

use lga_arena::{Outcome, SCENARIOS, play, players, rules};
use lga_invariants::Inspector;

/// Plays La Grande Armée between computer players and prints how it went.
#[derive(Parser)]
struct Args {
    /// Scenarios by the manual's number, 1 to 7; all of them where none is named.
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..=7))]
    scenario: Vec<u8>,
    /// How many seeds.
    #[arg(long, default_value_t = 100)]
    seeds: u32,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    first: u32,
    /// Games at once.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// What to play.
    #[arg(value_enum, default_values_t = [Table::Balance, Table::Pairs])]
    tables: Vec<Table>,
    /// What `cargo bench` adds.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A table to print.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    /// Planner against planner: how the scenarios are balanced.
    Balance,
    /// Cautious against cautious.
    Cautious,
    /// Planner against cautious, each seed twice with the sides swapped.
    Pairs,
}

const PLANNER: Option<Skill> = Some(Skill::Planner);
const CAUTIOUS: Option<Skill> = Some(Skill::Cautious);
const LEVELS: [(Level, &str); 6] = [
    (Level::AbsoluteDefeat, "AD"),
    (Level::StrategicDefeat, "SD"),
    (Level::TacticalDefeat, "TD"),
    (Level::TacticalVictory, "TV"),
    (Level::StrategicVictory, "SV"),
    (Level::AbsoluteVictory, "AV"),
];

fn main() {
    let args = Args::parse();
    let numbers: Vec<u8> = if args.scenario.is_empty() { (1..=7).collect() } else { args.scenario.clone() };
    let tables = args.tables.clone();
    for table in tables {
        match table {
            Table::Balance => balance(&args, &numbers, PLANNER, "Planner against planner"),
            Table::Cautious => balance(&args, &numbers, CAUTIOUS, "Cautious against cautious"),
            Table::Pairs => pairs(&args, &numbers),
        }
    }
}

/// The outcomes of one game a seed, in the order of the seeds.
fn games(args: &Args, number: u8, french: Option<Skill>, allied: Option<Skill>) -> Vec<Outcome> {
    let rules = rules(SCENARIOS[usize::from(number) - 1]);
    let players = players(french, allied);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut mine = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(seed) = u32::try_from(place).ok().filter(|seed| *seed < args.seeds) else { return mine };
            mine.push((place, play(&rules, &players, args.first + seed, &mut Inspector::default())));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut ends: Vec<_> = workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect();
        ends.sort_by_key(|(place, _)| *place);
        ends.into_iter().map(|(_, end)| end).collect()
    })
}

fn balance(args: &Args, numbers: &[u8], skill: Option<Skill>, title: &str) {
    println!("### {title}, {} games a scenario\n", args.seeds);
    println!(
        "| scenario | French wins | draws | Allied wins | side | AD | SD | TD | TV | SV | AV | mean points |"
    );
    println!("|---|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|");
    for &number in numbers {
        let ends = games(args, number, skill, skill);
        let won = |by: Option<Side>| ends.iter().filter(|end| winner(end) == by).count();
        let wins = [Some(Side::French), None, Some(Side::Allied)].map(|by| won(by).to_string());
        for (side, lead) in [
            (Side::French, format!("{number} {} | {}", SCENARIOS[usize::from(number) - 1], wins.join(" | "))),
            (Side::Allied, " | | |".to_owned()),
        ] {
            let mut levels: BTreeMap<Level, usize> = BTreeMap::new();
            let mut points = 0;
            for end in &ends {
                *levels.entry(end.sides[&side].1).or_default() += 1;
                points += end.sides[&side].0;
            }
            let counts: Vec<_> = LEVELS
                .iter()
                .map(|(level, _)| levels.get(level).map_or_else(|| "·".to_owned(), usize::to_string))
                .collect();
            println!("| {lead} | {side} | {} | {} |", counts.join(" | "), tenths(points, ends.len()));
        }
    }
    println!();
}

fn pairs(args: &Args, numbers: &[u8]) {
    println!("### Planner against cautious, {} pairs a scenario\n", args.seeds);
    println!(
        "| scenario | planner ahead | even | cautious ahead | mean margin as French | as Allied | of the pair |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for &number in numbers {
        let french = games(args, number, PLANNER, CAUTIOUS);
        let allied = games(args, number, CAUTIOUS, PLANNER);
        let as_french: Vec<i32> = french.iter().map(|end| end.margin(Side::French)).collect();
        let as_allied: Vec<i32> = allied.iter().map(|end| end.margin(Side::Allied)).collect();
        let sums: Vec<i32> = as_french.iter().zip(&as_allied).map(|(a, b)| a + b).collect();
        let count = |holds: fn(&&i32) -> bool| sums.iter().filter(holds).count();
        println!(
            "| {number} {} | {} | {} | {} | {} | {} | {} |",
            SCENARIOS[usize::from(number) - 1],
            count(|sum| **sum > 0),
            count(|sum| **sum == 0),
            count(|sum| **sum < 0),
            tenths(as_french.iter().sum(), sums.len()),
            tenths(as_allied.iter().sum(), sums.len()),
            tenths(sums.iter().sum(), sums.len()),
        );
    }
    println!();
}

/// Who won; nobody where the levels are equal.
fn winner(end: &Outcome) -> Option<Side> {
    let level = |side: Side| end.sides.get(&side).map(|(_, level)| *level);
    match level(Side::French).cmp(&level(Side::Allied)) {
        std::cmp::Ordering::Greater => Some(Side::French),
        std::cmp::Ordering::Less => Some(Side::Allied),
        std::cmp::Ordering::Equal => None,
    }
}

/// A mean with one decimal.
fn tenths(sum: i32, count: usize) -> String {
    let count = i32::try_from(count).unwrap_or(i32::MAX).max(1);
    let tenths = (sum * 20 + count * sum.signum()) / (2 * count);
    format!("{}{}.{}", if tenths < 0 { "-" } else { "" }, tenths.abs() / 10, tenths.abs() % 10)
}

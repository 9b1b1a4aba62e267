//! The Shattered Alliance: battles of forty against forty units timed, and the shipped battles played by the hundred between computer commanders:
//! `cargo bench --features sa --bench sa -- --help`. Its tables are docs/sa/balance.md.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench fails by panicking, and has no users")]
#![allow(clippy::panic, dead_code, reason = "dice and the arena are shared with the tests")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use musterd::dice::Seat;
use musterd::engine::files::RuleFiles;
use musterd::engine::orders::{Placed, Reading};
use musterd::engine::{Awaiting, Input, Ruleset, Scribe};
use musterd::rules::sa::model::{Side, UnitId};
use musterd::rules::sa::order::{Act, Order, Stance, Task};
use musterd::rules::sa::{SHIPPED, Sa, Skill};

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/sa_arena.rs"]
mod sa_arena;

use common::Loose;
use sa_arena::BATTLES;

// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Units of a side.
const UNITS: u32 = 40;

/// Times large battles, and plays the shipped ones between computer commanders.
#[derive(Parser)]
struct Args {
    /// Battles by name; all of them where none is named.
    #[arg(long, value_delimiter = ',')]
    battle: Vec<String>,
    /// How many games of each pair.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// How many times a large battle is timed, after once to warm up.
    #[arg(long, default_value_t = 30)]
    times: u32,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// What to do.
    #[arg(value_enum, default_values_t = [Job::Battle, Job::Commanders])]
    jobs: Vec<Job>,
    /// What `cargo bench` adds.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Job {
    /// A battle of forty against forty units by orders that stand.
    Battle,
    /// The same between two advanced commanders, with the reading of their orders.
    Commanders,
    /// Equals against each other: how the battles are balanced.
    Balance,
    /// The advanced commander against the beginner from both seats; a draw counts half.
    Levels,
}

fn main() {
    let args = Args::parse();
    let named = |name: &&str| args.battle.is_empty() || args.battle.iter().any(|own| own == name);
    let battles: Vec<&str> = BATTLES.into_iter().filter(|name| named(name)).collect();
    let seeds = args.seed..args.seed + args.games;
    for job in &args.jobs {
        match job {
            Job::Battle => battle(args.times),
            Job::Commanders => commanders(args.times),
            Job::Balance => balance(&battles, &seeds),
            Job::Levels => levels(&battles, &seeds),
        }
    }
}

type Seeds = std::ops::Range<u32>;

/// How many of the games side A won, nobody did, and side B did.
fn ends(rules: &Sa, skills: [Skill; 2], seeds: &Seeds) -> [u32; 3] {
    let mut won = [0_u32; 3];
    for seed in seeds.clone() {
        let end = match sa_arena::play(rules, skills, seed, |_, _| {}) {
            Some(Side::A) => 0,
            None => 1,
            Some(Side::B) => 2,
        };
        won[end] += 1;
    }
    won
}

/// A part of a whole in percent, rounded.
fn percent(part: u32, whole: u32) -> u32 {
    (part * 100 + whole / 2) / whole.max(1)
}

fn balance(battles: &[&str], seeds: &Seeds) {
    println!(
        "| battle | side A | advanced: won by A | drawn | won by B | beginners: won by A | drawn | won by B |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    for name in battles {
        let rules = sa_arena::rules(name);
        let shares = |skill| {
            let ends = ends(&rules, [skill; 2], seeds);
            ends.map(|games| percent(games, ends.iter().sum()))
        };
        let [[a, drawn, b], [c, even, d]] = [Skill::Advanced, Skill::Beginning].map(shares);
        let side = &rules.battle().army(Side::A).name;
        println!("| {name} | {side} | {a} | {drawn} | {b} | {c} | {even} | {d} |");
    }
    println!();
}

fn levels(battles: &[&str], seeds: &Seeds) {
    println!("| battle | as side A | as side B | both |");
    println!("|---|--:|--:|--:|");
    for name in battles {
        let rules = sa_arena::rules(name);
        // A game is worth two points.
        let [won, drawn, lost] = ends(&rules, [Skill::Advanced, Skill::Beginning], seeds);
        let [beaten, even, other] = ends(&rules, [Skill::Beginning, Skill::Advanced], seeds);
        let (a, of_a) = (2 * won + drawn, 2 * (won + drawn + lost));
        let (b, of_b) = (2 * other + even, 2 * (beaten + even + other));
        println!(
            "| {name} | {} | {} | {} |",
            percent(a, of_a),
            percent(b, of_b),
            percent(a + b, of_a + of_b)
        );
    }
    println!();
}

/// Forty units against forty of all types, in two lines each, on a field with woods and hills.
fn rules() -> Sa {
    let mut text =
        String::from("id: large\ntitle: Forty against forty\nsituation: A bench.\nfield:\n  rows:\n");
    for row in 1..=20 {
        let sign = |col: u32| match (row, col % 7) {
            (1..=5 | 16..=20, _) => '.',
            (8, 3) => 'F',
            (_, 2) => 'f',
            (10 | 11, 5) => 'n',
            _ => '.',
        };
        writeln!(text, "    - \"{}\"", (1..=30).map(sign).collect::<String>()).unwrap();
    }
    let kinds = [
        "type: HI, class: B, melee: lspear, shield: true, men: 1000",
        "type: LI, class: C, melee: sword, shield: false, men: 700, missile: bow",
        "type: HI, class: C, melee: pike, shield: true, men: 1200",
        "type: LMI, class: B, melee: javelin, shield: true, men: 800, missile: javelin",
        "type: EHC, class: A, melee: lance, shield: true, men: 500",
        "type: LC, class: B, melee: sword, shield: true, men: 600, missile: bow",
        "type: MI, class: C, melee: sword, shield: true, men: 1100",
        "type: HC, class: B, melee: lance, shield: true, men: 700",
    ];
    text.push_str("sides:\n");
    for (side, home, rows) in [("south", "south", [16, 17]), ("north", "north", [5, 4])] {
        write!(text, "  - seat: {side}\n    name: {side}\n    home: {home}\n    army:\n").unwrap();
        for kind in kinds {
            let count = UNITS / kinds.len() as u32;
            writeln!(text, "      - {{count: {count}, name: \"{kind}\", tribe: Zorg, {kind}}}").unwrap();
        }
        text.push_str("    at:\n");
        for (place, kind) in (0..).zip(kinds) {
            let hex = |unit: u32| {
                let number = place * (UNITS / kinds.len() as u32) + unit;
                format!("\"{:02}{:02}\"", 5 + number % 20, rows[(number / 20) as usize])
            };
            let hexes: Vec<String> = (0..UNITS / kinds.len() as u32).map(hex).collect();
            writeln!(text, "      \"{kind}\": [{}]", hexes.join(", ")).unwrap();
        }
    }
    let shared = SHIPPED.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
    let files = shared.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let files = files.chain([("scenario.yaml".to_owned(), text)]).collect();
    Sa::from_files(&RuleFiles(files), &[]).unwrap()
}

/// Orders for all units of a side: some charge, some skirmish, some go forward by their queues and then stand.
fn orders(rules: &Sa, seat: &Seat) -> Reading<Order> {
    let commander = rules.battle().commander(seat).unwrap();
    let order = |id: &UnitId| {
        let units = vec![*id];
        let at = rules.battle().spec(*id).at.unwrap();
        match id.number % 4 {
            0 => Order::Stance { units, stance: Stance::Charge },
            1 => Order::Stance { units, stance: Stance::Skirmish },
            2 => Order::Stance { units, stance: Stance::Advance(None) },
            _ => {
                let middle = musterd::engine::hex::Hex::new(at.col, 10);
                Order::Do { units, tasks: vec![Task::plain(Act::To(middle)), Task::plain(Act::Contact)] }
            }
        }
    };
    let orders = (1..).zip(commander.units.iter().map(order));
    Reading { orders: orders.map(|(line, order)| Placed { line, order }).collect(), remarks: Vec::new() }
}

// The job stands alone, never inlined, so that `benches/instructions` can count what it takes.
#[inline(never)]
fn job_battle(rules: &Sa, orders: &BTreeMap<Seat, Reading<Order>>) -> (usize, u32, String) {
    let mut dice = Loose::numbered(2);
    let mut state = rules.found();
    let mut events = 0;
    for t in 1.. {
        if let Awaiting::Over { results } = rules.awaiting(&state) {
            return (events, t, results.join("; "));
        }
        // What was told once stands: the first turns' orders are enough.
        let told = if t < 4 { orders.clone() } else { BTreeMap::new() };
        let mut scribe = Scribe::new(rules, state, t, &mut dice);
        rules.step(&mut scribe, &Input { orders: told });
        state = scribe.state().clone();
        events += scribe.finish().len();
    }
    unreachable!("a battle has an end")
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn battle(times: u32) {
    let rules = rules();
    let orders: BTreeMap<Seat, Reading<Order>> =
        rules.seats().iter().map(|spec| (spec.seat.clone(), orders(&rules, &spec.seat))).collect();
    let (events, turns, results) = job_battle(&rules, &orders);
    let start = Instant::now();
    for _ in 0..times {
        black_box(job_battle(&rules, &orders));
    }
    let each = start.elapsed() / times.max(1);
    println!(
        "a battle of 40 against 40 units, {turns} mail turns, {events} events: {} microseconds",
        each.as_micros()
    );
    println!("{results}");
}

/// How a battle between computer commanders went, and how long which part of it took.
struct Fought {
    events: usize,
    plays: u32,
    /// Of the slowest play.
    slowest: Duration,
    playing: Duration,
    reading: Duration,
}

// The job stands alone, never inlined, so that `benches/instructions` can count what it takes.
#[inline(never)]
#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn job_commanders(rules: &Sa) -> Fought {
    let mut dice = Loose::numbered(2);
    let mut state = rules.found();
    let (slowest, playing, reading) = Default::default();
    let mut fought = Fought { events: 0, plays: 0, slowest, playing, reading };
    for t in 1.. {
        let must = match rules.awaiting(&state) {
            Awaiting::Over { .. } => return fought,
            Awaiting::Founding => Default::default(),
            Awaiting::Orders { must, .. } => must,
        };
        let mut orders = BTreeMap::new();
        for seat in must {
            let view = rules.view(&state, &seat);
            let start = Instant::now();
            let text = rules.play(&view, Skill::Advanced, 1);
            let played = start.elapsed();
            orders.insert(seat, rules.read_orders(&view, &text));
            fought.plays += 1;
            fought.slowest = fought.slowest.max(played);
            fought.playing += played;
            fought.reading += start.elapsed().saturating_sub(played);
        }
        let mut scribe = Scribe::new(rules, state, t, &mut dice);
        rules.step(&mut scribe, &Input { orders });
        state = scribe.state().clone();
        fought.events += scribe.finish().len();
    }
    unreachable!("a battle has an end")
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn commanders(times: u32) {
    let rules = rules();
    let mut fought = job_commanders(&rules);
    let start = Instant::now();
    for _ in 0..times {
        fought = black_box(job_commanders(&rules));
    }
    let each = start.elapsed() / times.max(1);
    let per = |all: Duration| (all / fought.plays.max(1)).as_micros();
    println!(
        "the same between two advanced commanders, {} events: {} microseconds; {} plays of {} microseconds each, {} at most, and {} for their reading",
        fought.events,
        each.as_micros(),
        fought.plays,
        per(fought.playing),
        fought.slowest.as_micros(),
        per(fought.reading)
    );
}

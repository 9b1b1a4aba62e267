//! The Shattered Alliance: a battle of forty against forty units timed: `cargo bench --features sa --bench sa`.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench fails by panicking, and has no users")]
#![allow(dead_code, reason = "dice are shared with the tests")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use musterd::dice::Seat;
use musterd::engine::files::RuleFiles;
use musterd::engine::orders::{Placed, Reading};
use musterd::engine::{Awaiting, Input, Ruleset, Scribe};
use musterd::rules::sa::model::UnitId;
use musterd::rules::sa::order::{Act, Order, Stance, Task};
use musterd::rules::sa::{SHIPPED, Sa};

#[path = "../tests/common/mod.rs"]
mod common;

use common::Loose;

// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Units of a side.
const UNITS: u32 = 40;

fn main() {
    battle();
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
fn battle() {
    const TIMES: u32 = 100;
    let rules = rules();
    let orders: BTreeMap<Seat, Reading<Order>> =
        rules.seats().iter().map(|spec| (spec.seat.clone(), orders(&rules, &spec.seat))).collect();
    let (events, turns, results) = job_battle(&rules, &orders);
    let start = Instant::now();
    for _ in 0..TIMES {
        black_box(job_battle(&rules, &orders));
    }
    let each = start.elapsed() / TIMES;
    println!(
        "a battle of 40 against 40 units, {turns} mail turns, {events} events: {} microseconds",
        each.as_micros()
    );
    println!("{results}");
}

//! The odds of Death or Glory against every single throw of the dice, and against battles fought by the rules.

use std::collections::BTreeMap;
use std::process::Command;

use musterd::dice::odds::Distribution;
use musterd::engine::files::RuleFiles;
use musterd::engine::{Input, Ruleset, Scribe};
use musterd::rules::dog::battle::{Ground, Switches};
use musterd::rules::dog::numbers::Numbers;
use musterd::rules::dog::odds::{Course, Duel, Fighters};
use musterd::rules::dog::table::read;
use musterd::rules::dog::{Dog, SHIPPED, scores};
use serde_json::Value;

use crate::common::Loose;
use crate::common::pages::{assert_fits, golden};

fn numbers() -> Numbers {
    let files = SHIPPED.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    Numbers::load(&RuleFiles(files.collect())).unwrap()
}

fn fighters(numbers: &Numbers, text: &str) -> Fighters {
    read::fighters(numbers, text, Ground::OPEN).unwrap()
}

fn fought(duel: &Duel<'_>, rounds: u16) -> Distribution<Course> {
    (1..=rounds).fold(duel.start(), |odds, number| duel.round(odds, number))
}

/// One exchange with these two dice, written as the manual tells it (4.3): both are reckoned before anybody falls.
fn exchange(numbers: &Numbers, sides: [&Fighters; 2], left: [u16; 2], by: usize, dice: [u32; 2]) -> [u16; 2] {
    let of = |side: usize| {
        let mut sorts = sides[side].sorts.clone();
        sorts[0].fighters = left[side];
        sorts
    };
    let strength: [u32; 7] = [0, 4, 4, 5, 5, 6, 6];
    let attack = scores::attack(numbers, &of(by)[0], sides[by].ground) * u32::from(left[by]);
    let defence = scores::defence(numbers, Switches::USUAL, &of(1 - by)[0], sides[1 - by].ground)
        * u32::from(left[1 - by]);
    let hits = [attack.div_ceil(10), defence.div_ceil(10)];
    let fallen = |side: usize, damage: u32| {
        let dead = damage / scores::hp(numbers, &of(side)[0]);
        left[side] - u16::try_from(dead).unwrap().min(left[side])
    };
    let mut after = left;
    after[1 - by] = fallen(1 - by, hits[0] * strength[dice[0] as usize]);
    after[by] = fallen(by, hits[1] * strength[dice[1] as usize]);
    after
}

/// Every throw of `exchanges` pairs of dice, each counted once: who attacks in each is given.
fn every_throw(
    numbers: &Numbers,
    sides: [&Fighters; 2],
    attackers: &[usize],
    left: [u16; 2],
    counts: &mut BTreeMap<[u16; 2], u64>,
) {
    let Some((by, rest)) = attackers.split_first() else {
        *counts.entry(left).or_default() += 1;
        return;
    };
    for first in 1..=6 {
        for second in 1..=6 {
            let over = left.contains(&0);
            let after = if over { left } else { exchange(numbers, sides, left, *by, [first, second]) };
            every_throw(numbers, sides, rest, after, counts);
        }
    }
}

#[test]
fn series_of_rounds_are_every_throw_counted() {
    let numbers = numbers();
    for (first, second, both, rounds) in [
        ("18 heavy infantry", "20 pikemen in forest", false, 3),
        ("6 elite knights", "20 orcs", true, 2),
        ("3 trolls", "2 giants in castle", false, 3),
        ("20 forestmen in forest", "7 battle pterodactyls", true, 1),
    ] {
        let sides = [&fighters(&numbers, first), &fighters(&numbers, second)];
        let attackers: Vec<usize> = (1..=rounds)
            .flat_map(|number| match (both, number % 2 == 0) {
                (false, _) => vec![0],
                (true, false) => vec![0, 1],
                (true, true) => vec![1, 0],
            })
            .collect();
        let mut counts = BTreeMap::new();
        let start = sides.map(|side| side.sorts[0].fighters);
        every_throw(&numbers, sides, &attackers, start, &mut counts);
        let of = 36_u64.pow(u32::try_from(attackers.len()).unwrap());
        assert_eq!(counts.values().sum::<u64>(), of);
        let duel = Duel { numbers: &numbers, switches: Switches::USUAL, sides, both, breaks_at: 100 };
        let odds = fought(&duel, rounds).map(|course| [course.left[0][0], course.left[1][0]]);
        assert!(odds.outcomes().eq(counts.keys()), "{first} and {second}");
        for (left, chance) in odds.iter() {
            // Of `of` equally likely throws so many come to this.
            let exact = fraction(&chance.to_string());
            assert_eq!(u128::from(counts[left]) * exact.1, exact.0 * u128::from(of), "{first}, {left:?}");
        }
    }
}

fn fraction(text: &str) -> (u128, u128) {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    (above.parse().unwrap(), below.parse().unwrap())
}

/// A field on which two units stand next to each other.
fn battle() -> Dog {
    let text = "id: duel\ntitle: A duel\nsituation: Two units.\nscale: tactical\nrounds: 3\n\
        field:\n  rows: [\". f\", \". .\"]\narmies:\n\
        \x20 - {seat: red, letter: R, name: Reds, leadership: 900, units: [{id: 1, type: HI, fighters: 18, at: \"0101\"}]}\n\
        \x20 - {seat: blue, letter: B, name: Blues, leadership: 900, units: [{id: 1, type: P, fighters: 20, at: \"0201\"}]}\n";
    let shared = SHIPPED.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
    let files = shared.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let files = files.chain([("scenario.yaml".to_owned(), text.to_owned())]).collect();
    Dog::from_files(&RuleFiles(files), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Two thousand battles by the rules themselves come out as the odds say, within what chance allows.
#[test]
fn battles_come_out_as_the_odds_say() {
    const BATTLES: u32 = 2000;
    let rules = battle();
    let numbers = numbers();
    let sides = [&fighters(&numbers, "18 HI"), &fighters(&numbers, "20 pikemen in forest")];
    let duel = Duel { numbers: &numbers, switches: Switches::USUAL, sides, both: false, breaks_at: 100 };
    let odds = fought(&duel, 3).map(|course| [course.left[0][0], course.left[1][0]]);
    let mut counts: BTreeMap<[u16; 2], u32> = BTreeMap::new();
    for seed in 0..BATTLES {
        let mut dice = Loose::numbered(seed);
        let mut state = rules.found();
        for t in 1..=4 {
            let orders = rules.seats().iter().map(|spec| {
                let view = rules.view(&state, &spec.seat);
                let text = if spec.seat.as_str() == "red" { "ATTACK R1 B1" } else { "DEFEND B1" };
                (spec.seat.clone(), rules.read_orders(&view, text))
            });
            let orders = orders.collect();
            let mut scribe = Scribe::new(&rules, state.clone(), t, &mut dice);
            rules.step(&mut scribe, &Input { orders });
            state = scribe.state().clone();
        }
        let left = |seat: &str| {
            let view = rules.view(&state, &seat.parse().unwrap());
            view.own.values().flat_map(|unit| &unit.sorts).map(|sort| sort.fighters).sum::<u16>()
        };
        *counts.entry([left("red"), left("blue")]).or_default() += 1;
    }
    for left in counts.keys() {
        assert!(odds.outcomes().any(|known| known == left), "{left:?} can't be");
    }
    for (left, chance) in odds.iter() {
        let expected = chance.rounded(BATTLES);
        let found = counts.get(left).copied().unwrap_or(0);
        // Five standard deviations, and one for the rounding: once in a million where the odds are right. The dice are the same each time.
        let wide = 1 + 5 * u32::try_from(u64::from(expected).isqrt()).unwrap() + 5;
        assert!(found.abs_diff(expected) <= wide, "{left:?}: {found} of {BATTLES}, not about {expected}");
    }
}

fn page(question: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.args(["--dir", env!("CARGO_TARGET_TMPDIR"), "odds", "dog"]).args(question);
    let output = command.output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{question:?}: {said}");
    said
}

#[test]
fn every_question_is_answered_on_a_page_that_fits() {
    let questions = [
        &["strike", "18 heavy infantry at 40 orcs"][..],
        &["strike", "72"],
        &["strike", "1 peasant at 5 of 2 hp", "--tiny-strikes"],
        &["strike", "20 pikemen at 9 knights", "--retaliation", "--terrain", "forest hills"],
        &["shoot", "20 elven archers at 12 orcs range 5"],
        &["exchange", "18 HI at 20 pikemen in forest"],
        &["rounds", "20 knights at 20 pikemen"],
        &["rounds", "20 HI at 20 DG", "--both", "--rounds", "2"],
        &["rounds", "9 trolls at 20 orcs", "--breaks-at", "50"],
        &["rounds", "1 giant at 1 giant"],
        &["rounds", "150 pikemen and 50 archers at 200 barbarians"],
    ];
    let pages: Vec<String> =
        questions.iter().map(|q| format!("$ musterd odds dog {}\n{}", q.join(" "), page(q))).collect();
    pages.iter().for_each(|page| page.split_once('\n').into_iter().for_each(|(_, page)| assert_fits(page)));
    golden("odds-dog", &pages.join("\n"));
}

/// The manual's example (4.3, ruling DOG-1) as a program reads it: 32, 40 or 48, a third each.
#[test]
fn a_program_reads_the_manuals_strike_as_fractions() {
    let answer: Value = serde_json::from_str(&page(&["strike", "18 HI at 40 orcs", "--json"])).unwrap();
    let cases = answer["chances"][0]["cases"].as_array().unwrap();
    let told: Vec<String> = cases
        .iter()
        .map(|case| format!("{} {}", case["case"].as_str().unwrap(), case["fraction"].as_str().unwrap()))
        .collect();
    assert_eq!(told, ["32 1/3", "40 1/3", "48 1/3"]);
}

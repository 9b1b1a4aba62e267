//! Whole battles between commanders who are left to themselves.

use std::collections::BTreeMap;

use musterd_acw::event::Event;
use musterd_acw::model::Side;
use musterd_acw::view::View;
use musterd_acw::{Acw, State, shipped};
use musterd_engine::{Awaiting, Input, Ruleset, Scribe};

use crate::common::Loose;

/// The rules of a shipped battle.
pub(crate) fn rules(battle: &str, options: &str) -> Acw {
    let mut files = shipped(battle).unwrap();
    if !options.is_empty() {
        files.0.insert("options.yaml".to_owned(), options.replace(", ", "\n"));
    }
    Acw::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{battle}: {errors}"))
}

/// The position after one more adjudication without orders, and its events.
pub(crate) fn step(rules: &Acw, state: &State, t: u32, dice: &mut Loose) -> (State, Vec<Event>) {
    let mut scribe = Scribe::new(rules, state.clone(), t, dice);
    rules.step(&mut scribe, &Input { orders: BTreeMap::new() });
    (scribe.state().clone(), scribe.finish())
}

fn view(rules: &Acw, state: &State, side: Side) -> View {
    rules.view(state, &rules.battle().army(side).commanders[0].seat)
}

#[test]
fn every_shipped_battle_comes_to_its_end() {
    for name in ["kellys-mill", "bull-run"] {
        let rules = rules(name, "");
        let (mut state, mut dice, mut t) = (rules.found(), Loose::numbered(1), 0);
        while !matches!(rules.awaiting(&state), Awaiting::Over { .. }) {
            t += 1;
            state = step(&rules, &state, t, &mut dice).0;
            assert!(t < 200, "{name} has no end");
        }
    }
}

/// Tells a battle, for looking at it.
#[test]
#[ignore = "for looking at battles"]
fn watch() {
    let name = std::env::var("BATTLE").unwrap_or_else(|_| "kellys-mill".to_owned());
    let seed = std::env::var("DICE").map_or(1, |seed| seed.parse().unwrap());
    let told = std::env::var("TELL").is_ok();
    let rules = rules(&name, "");
    let (mut state, mut dice) = (rules.found(), Loose::numbered(seed));
    for t in 1.. {
        let begun = std::time::Instant::now();
        let (after, events) = step(&rules, &state, t, &mut dice);
        let took = begun.elapsed();
        state = after;
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for event in &events {
            let text = format!("{event:?}");
            let word = text.split([' ', '(', '{']).next().unwrap().to_owned();
            *counts.entry(word.clone()).or_default() += 1;
            let dull = [
                "Communicated",
                "Sighted",
                "Controlled",
                "Stood",
                "Picketed",
                "Targeted",
                "Faced",
                "Fired",
                "Checked",
                "Moved",
                "Formed",
            ];
            if told && !dull.contains(&word.as_str()) {
                println!("  {}", text.chars().take(150).collect::<String>());
            }
        }
        println!("t{t}: {took:?} {counts:?}");
        for side in Side::ALL {
            let view = view(&rules, &state, side);
            let line = |(id, one): (musterd_acw::model::BrigadeId, &musterd_acw::Brigade)| {
                let at = one.at?;
                let name = &rules.battle().brigade(id).name;
                let foe = one.target.map_or(String::new(), |target| format!(">{}", target.at));
                Some(format!(
                    "{name}:{at} {}m c{}{} {:?}{foe}",
                    one.men,
                    one.cohesion,
                    if one.shattered { "S" } else { "" },
                    one.act
                ))
            };
            let lines: Vec<String> = view.own_brigades().filter_map(line).collect();
            println!("   {:?} {}/{:?}: {}", side, lines.len(), view.now.objectives, lines.join(" | "));
        }
        if let Awaiting::Over { results } = rules.awaiting(&state) {
            println!("{results:#?}");
            break;
        }
    }
}

/// A line for each shipped battle: how long it took, what happened in it, how it ended.
#[test]
#[ignore = "for looking at battles"]
fn survey() {
    for name in [
        "kellys-mill",
        "bull-run",
        "shiloh",
        "second-manassas",
        "antietam",
        "fredericksburg",
        "fredericksburg-assault",
        "chancellorsville",
    ] {
        let rules = rules(name, "");
        for seed in 1..=2 {
            let (mut state, mut dice) = (rules.found(), Loose::numbered(seed));
            let mut counts: BTreeMap<String, u32> = BTreeMap::new();
            let (mut longest, begun) = (std::time::Duration::ZERO, std::time::Instant::now());
            let mut t = 0;
            while !matches!(rules.awaiting(&state), Awaiting::Over { .. }) {
                t += 1;
                let begun = std::time::Instant::now();
                let (after, events) = step(&rules, &state, t, &mut dice);
                longest = longest.max(begun.elapsed());
                state = after;
                for event in &events {
                    let word = match event {
                        Event::Stopped { why, .. } => format!("Stopped{why:?}"),
                        Event::Set { act, .. } => {
                            format!("Set{}", format!("{act:?}").split('(').next().unwrap())
                        }
                        Event::Startled { surprised, .. } => format!("Startled{surprised}"),
                        event => format!("{event:?}").split([' ', '(', '{']).next().unwrap().to_owned(),
                    };
                    *counts.entry(word).or_default() += 1;
                }
            }
            for dull in
                ["Began", "Closed", "Communicated", "Sighted", "Scored", "Stood", "Faced", "Founded", "Ended"]
            {
                counts.remove(dull);
            }
            let Awaiting::Over { results } = rules.awaiting(&state) else { panic!() };
            println!(
                "{name} {seed}: {:?}, longest {longest:?}, {t} turns\n  {counts:?}\n  {results:?}",
                begun.elapsed()
            );
        }
    }
}

//! Computer commanders.

use musterd_acw::Skill;
use musterd_acw::model::Side;

use crate::acw_arena::{self, play, rules};

fn skill(word: &str) -> Option<Skill> {
    match word {
        "none" => None,
        "cautious" => Some(Skill::Cautious),
        _ => Some(Skill::Seasoned),
    }
}

/// Plays pairs of games, for tuning.
#[test]
#[ignore = "for tuning"]
fn arena() {
    let var = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let games: u32 = var("GAMES", "10").parse().unwrap();
    let pair = var("PAIR", "seasoned,cautious");
    let (one, other) = pair.split_once(',').unwrap();
    let (one, other) = (skill(one), skill(other));
    let (mut all, mut of) = (0, 0);
    for name in var("BATTLES", &acw_arena::BATTLES.join(",")).split(',') {
        let rules = rules(name, &var("OPTIONS", ""));
        for (seat, skills) in [(Side::A, [one, other]), (Side::B, [other, one])] {
            let (mut got, mut won) = (0, [0; 3]);
            let (mut lost, mut objectives) = ([Vec::new(), Vec::new()], [0, 0]);
            let mut slow = std::time::Duration::ZERO;
            let mut total = std::time::Duration::ZERO;
            let mut playing = std::time::Duration::ZERO;
            for seed in 1..=games {
                let (outcome, times) = play(&rules, skills, seed, |view, reading| {
                    if std::env::var("SHOW").is_ok() {
                        let lines: Vec<String> = reading.orders.iter().map(|one| musterd_acw::read::written(rules.battle(), &one.order)).collect();
                        let held: String = view.holdings.iter().map(|h| format!("{:?}", h.holder)).collect();
                        println!("t{} {}: {held} {:?} lost {:?} hq {:?}", view.turn, view.seat, view.now.objectives, view.now.lost, view.hqs[0].at);
                        for (id, one) in view.own_brigades() { if let Some(at) = one.at { print!("{}@{at} {}c{} {:?}{} | ", rules.battle().brigade(id).name, one.men, one.cohesion, one.act, if one.told {"*"} else {""}); } }
                        println!();
                        println!("     {}", lines.join("; "));
                    }
                });
                got += match outcome.won {
                    Some(side) if side == seat => 2,
                    None => 1,
                    Some(_) => 0,
                };
                won[match outcome.won { Some(Side::A) => 0, None => 1, Some(Side::B) => 2 }] += 1;
                for i in 0..2 {
                    lost[i].push(outcome.lost[i]);
                    objectives[i] += outcome.objectives[i] / games;
                }
                slow = slow.max(times.slowest);
                total += (times.playing + times.stepping) / games;
                playing += times.playing / games;
            }
            all += got;
            of += 2 * games;
            let spread = |mut one: Vec<u32>| {
                one.sort_unstable();
                let sum: u32 = one.iter().sum();
                format!("{}-{}-{}", one[0], sum / games, one[one.len() - 1])
            };
            let [a, b] = lost.map(spread);
            println!("{name:22} as {seat:?}: {:3}%  A/draw/B {won:?} lost {a} / {b} points {objectives:?} slowest {slow:?} game {total:?} playing {playing:?}", got * 50 / games);
            if one == other { break; }
        }
    }
    println!("all: {}%", all * 100 / of.max(1));
}

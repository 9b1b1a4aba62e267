//! Computer players of La Grande Armée, from the first season to the last.

use std::collections::BTreeMap;

use musterd::dice::{Block, Label, Roller, Seat, Seed, Stream};
use musterd::engine::orders::Weight;
use musterd::engine::{Awaiting, Ruleset, Skill, Table};
use musterd::rules::lga::model::Side;
use musterd::rules::lga::{Lga, shipped};

/// Fair dice of no game.
struct Loose(Seed);

impl Roller for Loose {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        let mut stream = Stream::new(&self.0, label);
        (0..count).map(|_| stream.die(sides)).collect()
    }
}

/// Plays a scenario to its end: a skill for each side in the order of the seats, none for a player who never writes. Gives
/// each side's victory points at its last count, and the orders sent.
fn campaign(scenario: &str, skills: &[Option<Skill>], seed: u8) -> (BTreeMap<Side, i32>, Vec<String>) {
    let rules = Lga::load(&shipped(scenario).unwrap(), &[]).unwrap();
    let mut table = Table::new(Lga::load(&shipped(scenario).unwrap(), &[]).unwrap());
    let mut dice = Loose(Seed::unrelated([seed; 32]));
    let mut sent = Vec::new();
    for t in 1.. {
        if matches!(table.awaiting(), Awaiting::Over { .. }) {
            break;
        }
        let mut blocks = BTreeMap::new();
        if matches!(table.awaiting(), Awaiting::Orders { .. }) {
            for (spec, skill) in table.seats().iter().zip(skills) {
                let Some(skill) = skill else { continue };
                let text = table.play(&spec.seat, *skill, u64::from(seed));
                assert_eq!(
                    text,
                    table.play(&spec.seat, *skill, u64::from(seed)),
                    "the same view gives the same orders"
                );
                let view = table.view(&spec.seat);
                let errors: Vec<_> = rules
                    .read_orders(&view, &text)
                    .remarks
                    .into_iter()
                    .filter(|r| r.weight == Weight::Error)
                    .collect();
                assert!(errors.is_empty(), "{scenario} t {t} {}: {errors:?}\n{text}", spec.seat);
                blocks.insert(spec.seat.clone(), Block::canonical(&text));
                sent.push(text);
            }
        }
        let adjudication = table.adjudicate(t, &blocks, &mut dice);
        table.adopt(&adjudication.events).unwrap();
        assert!(t < 60, "the game goes on for ever");
    }
    let seat: Seat = table.seats()[0].seat.clone();
    let points = table.view(&seat).victory.iter().map(|v| (v.side, v.points)).collect();
    (points, sent)
}

const BOLD: Option<Skill> = Some(Skill::Planner);
const CAUTIOUS: Option<Skill> = Some(Skill::Cautious);

/// The French side's points less the Allies', over some campaigns.
fn lead(skills: &[Option<Skill>]) -> i32 {
    let leads = (0..4).map(|seed| {
        let (points, _) = campaign("austrian-1805", skills, seed);
        points[&Side::French] - points[&Side::Allied]
    });
    leads.sum()
}

#[test]
fn computer_players_play_every_scenario_without_an_error() {
    for scenario in [
        "austrian-1805",
        "prussian-1806",
        "spanish-1808",
        "danube-1809",
        "russian-1812",
        "nations-1814",
        "waterloo-1815",
    ] {
        for skills in [[BOLD, CAUTIOUS], [CAUTIOUS, BOLD]] {
            let (points, sent) = campaign(scenario, &skills, 1);
            assert!(sent.iter().any(|text| text.contains("ATTACK")), "{scenario}: nobody ever fights");
            assert_eq!(points.len(), 2);
        }
    }
}

#[test]
fn a_planner_wins_points_that_an_idle_or_cautious_player_does_not() {
    let idle = lead(&[None, None]);
    let against_idle = lead(&[BOLD, None]);
    let against_cautious = lead(&[BOLD, CAUTIOUS]);
    let cautious = lead(&[CAUTIOUS, CAUTIOUS]);
    assert!(
        against_idle > against_cautious && against_cautious > cautious,
        "{against_idle} {against_cautious} {cautious}"
    );
    assert!(against_idle > idle + 40, "{against_idle} {idle}");
}

#[test]
fn a_capital_is_not_left_empty_to_cavalry() {
    let rules = Lga::load(&shipped("austrian-1805").unwrap(), &[]).unwrap();
    // Mack's cavalry in Ulm is five hexes from Paris: too far for infantry, not for horse. Unit 17 is the militia that
    // France can afford.
    let view = rules.view(&rules.found(), &"french".parse().unwrap());
    let orders = rules.play(&view, Skill::Planner, 1);
    let given: Vec<&str> = orders.lines().collect();
    assert!(given.contains(&"BUILD 17") && given.contains(&"GARRISON 17"), "{orders}");
}

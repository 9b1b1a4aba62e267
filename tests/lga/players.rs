//! Computer players of La Grande Armée, from the first season to the last.

use musterd_engine::Ruleset;
use musterd_engine::orders::Reading;
use musterd_lga::event::Event;
use musterd_lga::model::Side;
use musterd_lga::order::{Act, Order};
use musterd_lga::view::View;
use musterd_lga::{Lga, Skill, State};

use crate::common::soak;
use crate::invariants::Inspector;
use crate::lga_arena::{Nobody, Onlooker, SCENARIOS, play, players, rules};
use crate::lga_arena::{Outcome, Proofreader};

const PLANNER: Option<Skill> = Some(Skill::Planner);
const CAUTIOUS: Option<Skill> = Some(Skill::Cautious);

/// Looks on for all that must hold in every game.
#[derive(Default)]
struct Umpire {
    inspector: Inspector,
    proofreader: Proofreader,
    attacks: usize,
}

impl Onlooker for Umpire {
    fn orders(&mut self, view: &View, text: &str, reading: &Reading<Order>) {
        self.proofreader.orders(view, text, reading);
        self.attacks +=
            reading.orders.iter().filter(|placed| matches!(placed.order.act, Act::Attack { .. })).count();
    }

    fn adjudicated(&mut self, rules: &Lga, before: &State, events: &[Event]) {
        self.inspector.adjudicated(rules, before, events);
    }
}

/// Plays a game under the umpire's eyes.
fn umpired(rules: &Lga, french: Option<Skill>, allied: Option<Skill>, seed: u32) -> Outcome {
    let mut umpire = Umpire::default();
    let outcome = play(rules, &players(french, allied), seed, &mut umpire);
    assert_eq!(umpire.proofreader.0, Vec::<String>::new(), "{}: orders that can't be read", rules.title());
    assert!(soak::is_enough(umpire.attacks > 0), "{}: nobody ever fights", rules.title());
    assert!(soak::is_enough(umpire.inspector.events > 100), "{}: nothing happens", rules.title());
    outcome
}

/// The tournament (`benches/tournament.rs`) does the same over a hundred seeds.
#[test]
fn every_scenario_plays_to_its_end_with_every_invariant_kept() {
    for scenario in SCENARIOS {
        let rules = rules(scenario);
        let equals = umpired(&rules, PLANNER, PLANNER, soak::seed(1));
        // Ruling LGA-78.
        let as_ruled = scenario != "waterloo-1815" || equals.margin(Side::French) < 0;
        assert!(soak::is_enough(as_ruled), "{equals:?}");
        umpired(&rules, PLANNER, CAUTIOUS, soak::seed(2));
        umpired(&rules, CAUTIOUS, PLANNER, soak::seed(2));
    }
}

#[test]
fn the_same_game_is_played_twice_alike() {
    let rules = rules("danube-1809");
    let game = |seed| play(&rules, &players(PLANNER, PLANNER), seed, &mut Nobody);
    assert_eq!(game(5), game(5));
}

/// How often of some pairs of games, sides swapped, the planner is ahead of the cautious player.
fn pairs_won(scenario: &str, seeds: std::ops::RangeInclusive<u32>) -> usize {
    let rules = rules(scenario);
    let margin =
        |french, allied, of, seed| play(&rules, &players(french, allied), seed, &mut Nobody).margin(of);
    let ahead = |&seed: &u32| {
        margin(PLANNER, CAUTIOUS, Side::French, seed) + margin(CAUTIOUS, PLANNER, Side::Allied, seed) > 0
    };
    seeds.filter(ahead).count()
}

#[test]
fn the_planner_beats_the_cautious_player_whichever_side_each_has() {
    for scenario in ["austrian-1805", "danube-1809"] {
        let won = pairs_won(scenario, 1..=5);
        assert!(won >= 4, "{scenario}: {won} pairs of 5");
    }
}

/// Paris is the only source of supply that the French have. Between equals they lose scenario 7 (ruling LGA-78), but not all that they hold.
#[test]
fn a_planner_stays_where_its_last_source_of_supply_is_in_danger() {
    let rules = rules("waterloo-1815");
    let game = |seed: &u32| play(&rules, &players(PLANNER, PLANNER), *seed, &mut Nobody);
    let held = (1..=6).filter(|seed| game(seed).sides[&Side::French].0 > 0).count();
    assert!(held >= 2, "Paris was held in {held} games of 6");
}

#[test]
fn a_planner_does_better_than_nobody_at_all() {
    let rules = rules("austrian-1805");
    let lead = |french| play(&rules, &players(french, None), 1, &mut Nobody).margin(Side::French);
    assert!(lead(PLANNER) > lead(CAUTIOUS) && lead(CAUTIOUS) >= lead(None));
}

#[test]
fn a_capital_is_not_left_empty_to_cavalry() {
    let rules = rules("austrian-1805");
    // Mack's cavalry in Ulm is five hexes from Paris: too far for infantry, not for horse. Unit 17 is the militia that
    // France can afford.
    let mut view = rules.view(&rules.found(), &"french".parse().unwrap());
    // Nobody is near enough to attack him first.
    view.own.retain(|_, unit| unit.hex.col <= 11);
    view.stacks.retain(|hex, _| hex.col <= 11);
    let orders = rules.play(&view, Skill::Planner, 1);
    let given: Vec<&str> = orders.lines().collect();
    assert!(given.contains(&"BUILD 17") && given.contains(&"GARRISON 17"), "{orders}");
}

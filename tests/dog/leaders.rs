//! Computer leaders of Death or Glory: what they do, and that it is better than to run at the enemy.

use musterd_dice::Seat;
use musterd_dog::{Dog, Skill, State};
use musterd_engine::{Input, Ruleset, Scribe};

use crate::common::Loose;
use crate::dog_arena::{BATTLES, CAUTIOUS, Leader, PLANNER, play, rules};

/// The mean margin of a leader over pairs of battles, each played from every side.
fn margin(battle: &str, leader: Leader, other: Leader, seeds: std::ops::RangeInclusive<u32>) -> i64 {
    let rules = rules(battle);
    let sides: Vec<String> = rules.battle().alliances().into_iter().map(str::to_owned).collect();
    let played = |seed| {
        let from =
            |side: &String| play(&rules, |own| if own == side { leader } else { other }, seed).margin(side);
        sides.iter().map(from).sum::<i64>()
    };
    seeds.map(played).sum()
}

#[test]
fn a_planner_beats_whoever_charges_or_does_anything_at_all() {
    for battle in ["millers-ford", "reed-causeway", "daerquwa", "ashland-wells"] {
        for other in [Leader::Charger, Leader::Anyhow] {
            let ahead = margin(battle, PLANNER, other, 1..=3);
            assert!(ahead > 100, "{battle}: {ahead} ahead of {other:?}");
        }
    }
}

#[test]
fn a_planner_beats_the_cautious_leader_whichever_side_each_has() {
    for battle in ["millers-ford", "daerquwa", "six-at-the-bridge"] {
        let ahead = margin(battle, PLANNER, CAUTIOUS, 1..=5);
        assert!(ahead > 0, "{battle}: {ahead}");
    }
}

#[test]
fn on_the_training_ground_a_planner_loses_to_no_charger() {
    let ahead = margin("training", PLANNER, Leader::Charger, 1..=20);
    assert!(ahead >= 0, "{ahead}");
}

#[test]
fn a_cautious_leader_beats_whoever_charges() {
    let ahead = margin("millers-ford", CAUTIOUS, Leader::Charger, 1..=3);
    assert!(ahead > 100, "{ahead}");
}

#[test]
fn the_same_battle_is_played_twice_alike() {
    let rules = rules("daerquwa");
    let battle = |seed| play(&rules, |_| PLANNER, seed);
    assert_eq!(battle(5), battle(5));
}

#[test]
fn a_battle_between_equals_is_fought_and_comes_to_its_end() {
    for battle in BATTLES {
        let rules = rules(battle);
        let end = play(&rules, |_| PLANNER, 3);
        assert!(end.lost.values().all(|(lost, _)| *lost > 0), "{battle}: {end:?}");
        play(
            &rules,
            |army| if Some(army) == rules.battle().holders.as_deref() { CAUTIOUS } else { PLANNER },
            4,
        );
    }
}

/// A battle after its founding, on a field of one's own: rows, then units as `letter: [lines]`.
fn founded(more: &str, rows: &[&str], armies: &[(&str, &[&str])]) -> (Dog, State) {
    let mut text = format!("id: x\ntitle: X\nsituation: X.\nscale: tactical\n{more}\nfield:\n  rows:\n");
    rows.iter().for_each(|row| text.push_str(&format!("    - \"{row}\"\n")));
    text.push_str("armies:\n");
    for (letter, units) in armies {
        let seat = letter.to_lowercase();
        text.push_str(&format!(
            "  - seat: {seat}\n    letter: {letter}\n    name: Army {letter}\n    leadership: 9999\n    units:\n"
        ));
        units.iter().for_each(|unit| text.push_str(&format!("      - {{{unit}}}\n")));
    }
    let mut files = musterd_dog::shipped("training").unwrap();
    files.0.insert("scenario.yaml".to_owned(), text);
    let rules = Dog::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let mut dice = Loose::numbered(1);
    let mut scribe = Scribe::new(&rules, rules.found(), 1, &mut dice);
    rules.step(&mut scribe, &Input { orders: Default::default() });
    let state = scribe.state().clone();
    (rules, state)
}

fn ordered(rules: &Dog, state: &State, seat: &str) -> Vec<String> {
    let view = rules.view(state, &seat.parse::<Seat>().unwrap());
    rules.play(&view, Skill::Planner, 1).lines().map(str::to_owned).collect()
}

const OPEN: [&str; 4] = [". . . . . . . .", ". . . . . . . .", ". . . . . . . .", ". . . . . . . ."];

#[test]
fn those_who_can_shoot_shoot_and_come_no_nearer() {
    let e = ["id: 1, type: archers, fighters: 20, at: \"0102\""];
    let d = ["id: 1, type: heavy infantry, fighters: 20, at: \"0602\""];
    let (rules, state) = founded("", &OPEN, &[("E", &e), ("D", &d)]);
    assert_eq!(ordered(&rules, &state, "e"), ["SHOOT E1"]);
}

#[test]
fn nobody_attacks_those_who_strike_back_much_harder() {
    let e = ["id: 1, type: peasants, fighters: 20, at: \"0202\""];
    let d = ["id: 1, type: pikemen, fighters: 20, at: \"0302\""];
    let rows = [OPEN[0], ". . .m . . . . .", OPEN[2]];
    let (rules, state) = founded("rounds: 20", &rows, &[("E", &e), ("D", &d)]);
    // One times twenty against five times twenty times three, on the mountain.
    assert!(ordered(&rules, &state, "e").iter().all(|line| !line.starts_with("ATTACK")));
}

#[test]
fn a_second_strike_falls_on_another_where_the_first_leaves_nobody() {
    let e = [
        "id: 1, type: archers, fighters: 20, at: \"0102\"",
        "id: 2, type: archers, fighters: 20, at: \"0103\"",
    ];
    let d = [
        "id: 1, type: elven archers, fighters: 10, at: \"0402\"",
        "id: 2, type: elven archers, fighters: 10, at: \"0403\"",
        "id: 3, type: peasants, fighters: 1, at: \"0202\"",
    ];
    let (rules, state) = founded("", &OPEN, &[("E", &e), ("D", &d)]);
    let orders = ordered(&rules, &state, "e");
    assert_eq!(orders.iter().filter(|line| line.starts_with("SHOOT")).count(), 2, "{orders:?}");
    assert!(
        !orders.iter().any(|line| line.ends_with(" D3")),
        "nobody wastes a volley on a peasant: {orders:?}"
    );
}

#[test]
fn who_holds_the_field_lies_in_wait_until_somebody_comes_within_range() {
    let rows = ["f f . . . . . . . . . .", "f f . . . . . . . . . .", ". . . . . . . . . . . ."];
    let units = |at: &str| {
        [
            "id: 1, type: elven archers, fighters: 2, people: forest, at: \"0101\", hidden: true".to_owned(),
            format!("id: 1, type: light infantry, fighters: 20, at: \"{at}\""),
        ]
    };
    for (at, shoots) in [("1102", false), ("0501", true)] {
        let [e, d] = units(at);
        let (rules, state) =
            founded("rounds: 9\nholders: Army E", &rows, &[("E", &[e.as_str()]), ("D", &[d.as_str()])]);
        let orders = ordered(&rules, &state, "e");
        assert_eq!(orders.iter().any(|line| line.starts_with("SHOOT")), shoots, "{orders:?}");
        assert!(shoots || orders.iter().all(|line| !line.starts_with("MOVE")), "{orders:?}");
    }
}

//! What a GM changes, and what he is told if it can't be.

use musterd_acw::model::{HqId, Side};
use musterd_acw::order::{Act, Command};
use musterd_acw::{Presence, State};
use musterd_engine::{Fold, Ruleset};

use crate::fixture::{Field, Stage, a, b, hex};
use crate::orders::{battle, opened, view};

/// Two brigades next to each other, one with guns; a division of side A.
fn stage() -> Stage {
    let mut field = Field::of("fields");
    let over = field.division(Side::A);
    let guns = field.guns(6, "napoleon");
    field.add(Side::A, "0505", |one| (one.over, one.guns) = (over, guns));
    field.add(Side::A, "0805", |one| one.over = over);
    field.add(Side::B, "0605", |_| {});
    field.put("0909", "deep water");
    Stage::of(field)
}

/// The position after a GM's line.
#[track_caller]
fn after(stage: &Stage, text: &str) -> State {
    let events = stage.rules.amend(&stage.state, text).unwrap_or_else(|remark| panic!("{text}: {remark:?}"));
    let mut state = stage.state.clone();
    events.iter().for_each(|event| stage.rules.apply(&mut state, event));
    state
}

#[test]
fn a_gm_changes_brigades_headquarters_hexes_and_points() {
    let stage = stage();
    let all = "BRIGADE A1 MEN 900; BRIGADE A1 GUNS 4; BRIGADE A1 COHESION 3; BRIGADE A2 SHATTERED YES; BRIGADE A2 COHESION 4; \
        brigade b1 works 2; BRIGADE A1 LEADERSHIP 7; BRIGADE A1 TOUCH YES; HQ AH2 STAFF 2; HQ AH2 TOUCH YES; MOVE AH1 TO 0303; \
        HEX 1204 CONTROL union; POINTS B 40";
    let state = after(&stage, all);
    let [union, south] = Side::ALL.map(|side| view(&stage.rules, &state, side));
    let one = union.brigade(a(1));
    assert_eq!((one.men, one.guns, one.cohesion, one.leadership, one.in_touch), (900, 4, 3, 7, true));
    assert_eq!((union.brigade(a(2)).shattered, union.brigade(a(2)).cohesion), (true, 4));
    assert_eq!(south.brigade(b(1)).works, 2);
    let hq = union.hq(HqId::new(Side::A, 2));
    assert_eq!((hq.staff, hq.in_touch), (2, true));
    assert_eq!(union.hq(HqId::army(Side::A)).at, Some(hex("0303")));
    assert_eq!(union.controller(&stage.rules, hex("1204")), Side::A);
    assert_eq!(union.now.objectives, [0, 40]);
}

#[test]
fn commands_are_set_in_the_names_of_the_battle() {
    let rules = battle("bull-run", "");
    let state = opened(&rules, &[]);
    let objective = |name: &str| rules.battle().objectives().find(|(_, one)| one.name == name).unwrap().0;
    let (henry, house) = (objective("Henry Hill"), objective("Stone House"));
    for (text, command) in [
        ("HQ AH2 OFFENSIVE Henry Hill", Command::Offensive { via: None, objective: henry }),
        (
            "HQ AH2 OFFENSIVE Stone House, Henry Hill",
            Command::Offensive { via: Some(house), objective: henry },
        ),
        ("HQ AH2 OFFENSIVE Stone House TO henry", Command::Offensive { via: Some(house), objective: henry }),
        ("HQ AH2 DEFENSIVE Henry Hill", Command::Defensive(henry)),
        ("HQ AH2 RESERVE", Command::Reserve),
    ] {
        let events = rules.amend(&state, text).unwrap_or_else(|remark| panic!("{text}: {remark:?}"));
        let mut state = state.clone();
        events.iter().for_each(|event| rules.apply(&mut state, event));
        assert_eq!(view(&rules, &state, Side::A).hq(HqId::new(Side::A, 2)).command, command, "{text}");
    }
}

#[test]
fn who_is_moved_or_taken_away_is_nobodys_opponent() {
    let mut stage = stage();
    stage.aim(crate::fixture::dice(&[], &[("aim", 5)]));
    assert!(stage.brigade(b(1)).target.is_some() && stage.brigade(a(1)).targeted);
    stage.act(a(1), Act::Assault);
    stage.act(b(1), Act::Skirmish);
    for text in ["MOVE A1 TO 0201", "BRIGADE A1 OFF"] {
        let state = after(&stage, text);
        let target = view(&stage.rules, &state, Side::B).brigade(b(1)).target;
        assert_eq!(target, None, "{text}");
        assert_eq!(view(&stage.rules, &state, Side::A).brigade(a(1)).target, None, "{text}");
        // Nobody is left with an order for a fight that there is not.
        assert_eq!(view(&stage.rules, &state, Side::B).brigade(b(1)).act, Act::Stand, "{text}");
        assert_eq!(view(&stage.rules, &state, Side::A).brigade(a(1)).act, Act::Stand, "{text}");
        assert!(!view(&stage.rules, &state, Side::A).brigade(a(1)).targeted, "{text}");
    }
    let state = after(&stage, "BRIGADE A1 OFF");
    assert!(matches!(view(&stage.rules, &state, Side::A).brigade(a(1)).presence, Presence::Gone(_)));
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let stage = stage();
    for (text, says) in [
        (
            "BRIGADE A1 MEN 0",
            "BRIGADE A1 MEN 0: `0` is too little or too much: the men can be from 1 to 18000",
        ),
        (
            "BRIGADE A1 COHESION 8",
            "BRIGADE A1 COHESION 8: `8` is too little or too much: cohesion can be from 1 to 7",
        ),
        ("BRIGADE A2 GUNS 4", "BRIGADE A2 GUNS 4: A2 has no guns"),
        ("BRIGADE A9 MEN 9", "BRIGADE A9 MEN 9: there is no brigade A9"),
        (
            "BRIGADE A1",
            "BRIGADE A1: What changes? Write MEN, GUNS, COHESION, WORKS, LEADERSHIP, SHATTERED, TOUCH or OFF.",
        ),
        ("HQ AH1 RESERVE", "HQ AH1 RESERVE: AH1 is an army's headquarters, and has no command"),
        ("HQ AH1 TOUCH NO", "HQ AH1 TOUCH NO: AH1 is always in communication"),
        ("MOVE AH2 TO 0101", "MOVE AH2 TO 0101: AH2 stands with a brigade of its own: move that"),
        ("MOVE A2 TO 0605", "MOVE A2 TO 0605: B1 stands in 0605: a hex holds one brigade"),
        ("MOVE A2 TO 0909", "MOVE A2 TO 0909: infantry can't enter 0909, deep water"),
        ("MOVE A2 TO 9909", "MOVE A2 TO 9909: `9909` is no hex of the map, which ends at 2020"),
        (
            "MOVE AH1 TO 0605",
            "MOVE AH1 TO 0605: the enemy controls 0605, and headquarters don't enter his territory: write HEX 0605 CONTROL A before it",
        ),
        (
            "MOVE AH1 TO 0303; MOVE B1 TO 0303",
            "With that the position would not hang together: AH1 stands in 0303 with the enemy's B1.",
        ),
        ("HEX 0505 CONTROL B", "HEX 0505 CONTROL B: A1 stands in 0505, and controls it"),
        (
            "HEX 0101 CONTROL X",
            "HEX 0101 CONTROL X: `X` is no side: write A for the Union, B for the Confederacy",
        ),
        (
            "BRIGADE A1 SHATTERED YES",
            "With that the position would not hang together: A1 is shattered, and its cohesion is above 4.",
        ),
        ("BRIGADE A1 OFF; BRIGADE A1 OFF", "BRIGADE A1 OFF: A1 is gone already"),
        ("", "No change is named."),
    ] {
        let remark = stage.rules.amend(&stage.state, text).expect_err(text);
        assert_eq!(remark.text, says);
    }
}

/// A word that two armies have in their names names neither.
#[test]
fn a_word_of_both_names_is_no_side() {
    let mut field = Field::of("fields");
    for (side, name) in [(Side::A, "the Army of Ohio"), (Side::B, "the Army of Tennessee")] {
        field.army(side).name = name.to_owned();
    }
    let stage = Stage::of(field);
    let told = stage.rules.amend(&stage.state, "POINTS Army 40").unwrap_err().text;
    let says = "`Army` can be either side: write A for the Army of Ohio, B for the Army of Tennessee";
    assert_eq!(told, format!("POINTS Army 40: {says}"));
    let state = after(&stage, "POINTS Tennessee 40; POINTS a 30");
    assert_eq!(view(&stage.rules, &state, Side::A).now.objectives, [30, 40]);
}

#[test]
fn every_example_reads() {
    let rules = battle("bull-run", "");
    let state = opened(&rules, &[]);
    for one in rules.amendments() {
        for line in &one.lines {
            let read = rules.amend(&state, line);
            let fits = read.as_ref().is_ok_and(|events| !events.is_empty());
            assert!(
                fits || read.is_err_and(
                    |remark| remark.text.contains("has no guns") || remark.text.contains("hang together")
                ),
                "{line}"
            );
        }
    }
}

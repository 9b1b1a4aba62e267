//! What receipts say of orders: what each comes to, what stands without one, what is unknown.

use musterd_acw::event::{Change, Event};
use musterd_acw::model::{HqId, ObjectiveId, Side, UnitId};
use musterd_acw::order::{Act, Command, Goal};
use musterd_acw::view::View;
use musterd_acw::{Acw, drill};
use musterd_engine::Ruleset;
use musterd_engine::orders::{Recap, Weight};

use crate::fixture::{Calm, Field, Stage, a, b, dice, hex};
use crate::lucky::Lucky;
use crate::march::objective;
use crate::orders::{bull_run, in_touch};
use crate::touch::corps_with;

fn recap(rules: &Acw, view: &View, text: &str) -> Recap {
    let (reading, recap) = rules.read_back(view, text);
    assert!(!reading.has_errors(), "{:?}", reading.remarks);
    recap
}

/// What a line is understood as, and what it comes to.
#[track_caller]
fn told(rules: &Acw, view: &View, line: &str) -> (String, String) {
    let mut orders = recap(rules, view, line).orders;
    assert_eq!(orders.len(), 1, "{line}");
    let one = orders.remove(0);
    (one.order, one.effect)
}

#[test]
fn a_command_says_its_chance_and_its_way() {
    let (rules, view) = bull_run("", Side::A);
    let (order, effect) = told(&rules, &view, "COMMAND H2 OFFENSIVE Stone House, Henry Hill");
    assert_eq!(order, "H2 1st Division: offensive by Stone House to Henry Hill");
    // Tyler's leadership is 3: a random number of 0 to 9, at most 3.
    assert_eq!(
        effect,
        "in communication; it begins with this turn in 4 of 10 cases, else it tries again; 10 hexes to Stone House and 1 hex on to Henry Hill; \
         Henry Hill counts from turn 6 on"
    );
    let (_, same) = told(&rules, &view, "COMMAND H2 OFFENSIVE Stone Bridge");
    assert_eq!(same, "it has this command, and goes on with it");
}

/// ACW-73: a corps begins without a throw; its divisions throw against its leadership, unless a player directs them himself.
#[test]
fn a_command_to_a_corps_says_whose_leadership_counts() {
    let corps = HqId::new(Side::A, 2);
    let ratings = |field: &mut Field| {
        let army = field.army(Side::A);
        (army.hqs[1].leadership, army.hqs[2].leadership) = (2, 8);
    };
    let (mut stage, _) = corps_with(ratings);
    let says = |stage: &Stage, line: &str| told(&stage.rules, &stage.view(Side::A), line).1;
    assert_eq!(
        says(&stage, "COMMAND H2 OFFENSIVE Town"),
        "in communication; it begins at once; each of its divisions that has to change its command throws against the leadership of the corps and \
         begins in 3 of 10 cases, else it tries again; 10 hexes to Town"
    );
    // The army's commander next to the corps directs its divisions.
    stage.apply(&Event::Bound { hq: HqId::army(Side::A), goal: Goal::Corps(corps) });
    assert_eq!(
        says(&stage, "COMMAND H3 OFFENSIVE Town"),
        "in communication; it begins with this turn in 9 of 10 cases, else it tries again; 10 hexes to Town"
    );
    assert!(
        says(&stage, "COMMAND H2 OFFENSIVE Town").contains("against its own leadership: you direct them")
    );
    // Who has thrown in this turn doesn't throw again.
    let command = Command::Offensive { via: None, objective: ObjectiveId(0) };
    let hq = HqId::new(Side::A, 3);
    stage.apply(&Event::Obeyed { hq, by: hq, command, die: 9, begins: false });
    let again = "in communication; it was told so and has thrown in this turn: it tries in the next, and begins in 9 of 10 cases; 10 hexes to Town";
    assert_eq!(says(&stage, "COMMAND H3 OFFENSIVE Town"), again);
    let drops = says(&stage, "COMMAND H3 RESERVE");
    assert_eq!(drops, "it goes on with this command, and offensive to Town is dropped");
}

/// ACW-73: in a morning after no moves a division under a corps can be told by the army, and throws against the corps' leadership.
#[test]
fn a_division_under_a_corps_throws_against_the_corps() {
    let (mut stage, _) = corps_with(|field| {
        let army = field.army(Side::A);
        (army.hqs[1].leadership, army.hqs[2].leadership) = (2, 8);
        for hour in &mut field.battle.hours[..6] {
            hour.still = true;
        }
    });
    for _ in 0..6 {
        stage.next();
    }
    let effect = told(&stage.rules, &stage.view(Side::A), "COMMAND H3 OFFENSIVE Town").1;
    assert!(effect.contains("begins with this turn in 3 of 10 cases"), "{effect}");
    assert!(effect.contains("the leadership of H2 Headquarters AH2 counts"), "{effect}");
}

#[test]
fn a_march_says_how_far_it_gets() {
    let (rules, view) = bull_run("", Side::A);
    let (order, effect) = told(&rules, &view, "COLUMN 1, 5");
    assert_eq!(order, "1 Schenck and 5 Porter: march in column");
    // Schenck's leadership is 3, so he has 9 points; Porter has 10, and nine hexes of road are the most of infantry.
    assert_eq!(
        effect,
        "1 Schenck: 4 hexes: it gets to Stone Bridge 1310, for 4 of 9 movement points; 5 Porter: 19 hexes to Sudley Ford 0605: it gets as far as 1503, \
         for 9 of 10 movement points"
    );
    let (_, deploys) = told(&rules, &view, "DEPLOY 5 W");
    assert_eq!(deploys, "to 2107 (clear), for 3 of 10 movement points");
    let (reading, _) = rules.read_back(&view, "DEPLOY 5 W");
    let doubt = "4 Burnside stands in 2107: 5 Porter stays where it is.";
    assert!(
        reading.remarks.iter().any(|one| one.weight == Weight::Futile && one.text == doubt),
        "{reading:?}"
    );
    let (reading, _) = rules.read_back(&view, "DEPLOY 5 W\nCOLUMN 4");
    assert_eq!(reading.remarks, []);
}

/// ACW-71: a receipt of REGROUP ends where the brigade does, next to its headquarters.
#[test]
fn regrouping_ends_next_to_the_headquarters() {
    let mut field = Field::of("clear");
    let over = field.division(Side::A);
    for at in ["0505", "0905", "0705", "0604"] {
        field.add(Side::A, at, |spec| spec.over = over);
    }
    field.hq_at(Side::A, "0606");
    let mut stage = Stage::of(field);
    let touch = in_touch(stage.rules.battle(), Side::A, &[]);
    stage.apply(&touch);
    let effect = |id: u16| told(&stage.rules, &stage.view(Side::A), &format!("REGROUP {id}")).1;
    assert_eq!(
        effect(2),
        "3 hexes to 0505: it gets to 0605, next to its headquarters, for 6 of 10 movement points"
    );
    assert_eq!(
        effect(3),
        "1 hex to 0505: it gets to 0605, next to its headquarters, for 2 of 10 movement points"
    );
    stage.act(a(2), Act::Regroup);
    stage.run(&mut Lucky::but(&[]), drill::march);
    assert_eq!(stage.brigade(a(2)).at, Some(hex("0605")));
    let effect = |id: u16| told(&stage.rules, &stage.view(Side::A), &format!("REGROUP {id}")).1;
    assert_eq!(effect(2), "it is next to its headquarters in 0505");
}

/// ACW-39: who marches to the sound of the guns does so until he hears none; where they are isn't told.
#[test]
fn the_sound_of_the_guns_is_told_with_its_end() {
    let mut field = Field::of("clear");
    let town = objective(&mut field, "Town", "0505");
    let over = field.division(Side::A);
    field.add(Side::A, "0405", |spec| spec.over = over);
    field.add(Side::B, "0905", |_| {});
    field.army(Side::A).hqs[1].command = Command::Offensive { via: None, objective: town };
    field.hq_at(Side::A, "0205");
    let mut stage = Stage::of(field);
    let touch = in_touch(stage.rules.battle(), Side::A, &[]);
    stage.apply(&touch);
    let effect = |stage: &Stage, line: &str| told(&stage.rules, &stage.view(Side::A), line).1;
    let command = "COMMAND H2 OFFENSIVE Town";
    assert_eq!(effect(&stage, command), "it has this command, and goes on with it");
    stage.run(&mut Lucky::but(&[]), drill::command);
    assert_eq!(
        effect(&stage, command),
        "it has this command, and marches to the sound of the guns until it sees and hears no enemy within five hexes"
    );
    assert_eq!(
        effect(&stage, "COLUMN 1"),
        "to the sound of the guns: toward the nearest enemy that its headquarters sees or hears within five hexes; once there is none, to 0505"
    );
    assert!(
        effect(&stage, "COMMAND H2 RESERVE").ends_with("until it begins it marches to the sound of the guns")
    );
    stage.change(Change::Place(UnitId::Brigade(b(1)), hex("1505")));
    stage.run(&mut Lucky::but(&[]), drill::command);
    assert_eq!(
        effect(&stage, command),
        "it has this command, and is there: it holds until it sees or hears an enemy within five hexes, and then marches against him"
    );
    assert!(effect(&stage, "COLUMN 1").starts_with("1 hex: it gets to 0505"));
}

#[test]
fn what_nobody_is_told_is_said_too() {
    let (rules, view) = bull_run("", Side::A);
    let said = recap(&rules, &view, "COMMAND H2 RESERVE\nSTAND 1-3");
    assert_eq!(
        said.defaults[0],
        "Commands stand: H3 2nd Division offensive by Sudley Ford to Stone House; H4 3rd Division offensive by Sudley Ford to Henry Hill; \
         H5 5th Division reserve."
    );
    assert!(
        said.defaults[1].starts_with("As their commanders chose: ") && said.defaults[1].contains("4, 5, 6"),
        "{said:?}"
    );
    assert_eq!(said.ahead[0], "No enemy is in sight: where he is isn't known.");
    assert_eq!(said.ahead[1], "05:00 dawn, clear.");
}

/// ACW-84: fire of the last hour tells how strong whoever stands there is.
#[test]
fn a_fight_reckons_with_what_the_last_fire_told() {
    let mut field = Field::of("woods");
    let over = field.division(Side::A);
    field.add(Side::A, "0505", |one| one.over = over);
    field.add(Side::B, "0605", |one| one.men = 3000);
    field.hq_at(Side::A, "0404");
    let mut stage = Stage::of(field);
    let effect = |stage: &mut Stage| {
        stage.aim_calmly();
        let touch = in_touch(stage.rules.battle(), Side::A, &[]);
        stage.apply(&touch);
        told(&stage.rules, &stage.view(Side::A), "SKIRMISH 1").1
    };
    assert!(effect(&mut stage).contains("1 hit on an ordinary enemy"), "{}", effect(&mut stage));
    for id in [a(1), b(1)] {
        stage.act(id, Act::Skirmish);
    }
    stage.fight(Calm::but(&[]));
    stage.next();
    let said = effect(&mut stage);
    assert!(said.contains("hit on him as the last fire told him (2910 men, cohesion 6)"), "{said}");
    // Two hours later it is old.
    stage.next();
    assert!(effect(&mut stage).contains("on an ordinary enemy"));
}

/// ACW-84.
#[test]
fn a_fight_says_the_fire_and_what_an_ordinary_enemy_loses() {
    let mut field = Field::of("fields");
    let over = field.division(Side::A);
    field.add(Side::A, "0505", |one| one.over = over);
    field.add(Side::B, "0605", |one| one.men = 9000);
    field.hq_at(Side::A, "0404");
    let mut stage = Stage::of(field);
    stage.aim(dice(&[], &[]));
    let touch = in_touch(stage.rules.battle(), Side::A, &[]);
    stage.apply(&touch);
    let view = stage.view(Side::A);
    let (order, effect) = told(&stage.rules, &view, "ASSAULT 1");
    assert_eq!(order, "1 Brigade A1: assault");
    // The strength of the enemy isn't known: the same is said whatever it is.
    assert!(
        effect.starts_with("against infantry in 0605: fire value 23 (strength 12.5, experience 1, leadership 1, small arms 4, melee 6, own cover -0.5, cover -1)"),
        "{effect}"
    );
    assert!(effect.ends_with("its own vulnerability 23 to 26"), "{effect}");
    let all = recap(&stage.rules, &view, "PROFILE HEROIC\nARMY MOVE STAND\nRESIGN CONFIRM");
    assert!(all.orders[0].effect.contains("you are hit in 8 of 100 such turns"));
    assert!(all.orders[1].effect.contains("enemies within four hexes of there take 2 off its staff"));
    assert_eq!(all.orders[2].effect, "the Confederacy wins at the end of this turn");
    assert!(
        all.defaults[0].starts_with("Commands stand") && all.defaults[1].starts_with("Engaged"),
        "{all:?}"
    );
    assert!(all.ahead[0].starts_with("What the enemy does"), "{all:?}");
}

//! Whose luck a roll is, and how lucky it was.

use musterd_acw::event::{Event, Touch};
use musterd_acw::model::{Side, UnitId};
use musterd_acw::order::Act;
use musterd_engine::Ruleset;

use crate::fixture::{Calm, Field, Stage, a, b, dice};

/// What is said of the rolls of events.
fn told(stage: &Stage, events: &[Event]) -> Vec<String> {
    let trials = stage.rules.trials(events);
    trials.into_iter().map(|t| format!("{} {} {}/{} {}", t.seat, t.what, t.good, t.of, t.hit)).collect()
}

fn duel() -> Stage {
    let mut field = Field::of("clear");
    field.add(Side::A, "0505", |_| {});
    field.add(Side::B, "0605", |spec| spec.column = true);
    Stage::of(field)
}

#[test]
fn shots_and_checks_are_the_luck_of_who_was_fired_at() {
    let mut stage = duel();
    let events = stage.aim(dice(&[("surprise/march/b1", &[9])], &[]));
    // 10 of 16 numbers are below 5 and 5.
    assert_eq!(told(&stage, &events), ["south surprise 10/16 true"]);
    stage.act(a(1), Act::Assault);
    stage.act(b(1), Act::Withdraw);
    let events = stage.fight(Calm::but(&[
        ("fire/order/a1", &[3]),
        ("fire/vulnerable/b1", &[1]),
        ("fire/hit/b1", &[0, 2]),
        ("check/hold/a1", &[0]),
        ("check/hold/b1", &[7]),
    ]));
    // 24 against 23 and more: 2 hits whatever falls, and each costs a withdrawing brigade cohesion one time in four.
    assert_eq!(
        told(&stage, &events),
        [
            "south cohesion 3/4 false",
            "south cohesion 3/4 true",
            // 6 + 5 + 4 - 1 and 2 for the assault: 16 holds always. 5 + 5 + 4 - 1 - 2: 11 holds at 5 and more.
            "south checks 3/8 true",
        ]
    );
}

#[test]
fn a_throw_for_communication_is_its_commanders_luck() {
    let stage = duel();
    let touch = |unit, chance, die| Touch { unit, distance: 3, chance, die };
    let checks = vec![
        touch(UnitId::Brigade(b(1)), 11, 12),
        touch(UnitId::Brigade(b(1)), 0, 0),
        touch(UnitId::Brigade(b(1)), 15, 3),
    ];
    let events = [Event::Communicated { side: Side::B, checks }];
    // Who is always reached has no luck.
    assert_eq!(told(&stage, &events), ["south communications 12/16 false", "south communications 1/16 true"]);
}

//! Mail turns: orders, blocks of hours, no-move turns, reinforcements, the end (manual, chapters 3 and 6).

use musterd_acw::event::{Change, Event};
use musterd_acw::model::{BrigadeId, HqId, ObjectiveId, Profile, Side, UnitId};
use musterd_acw::order::{Act, Command, Goal, Order, When};
use musterd_dice::Seat;
use musterd_engine::hex::Direction;
use musterd_engine::{Awaiting, Ruleset};

use crate::fixture::{Field, Stage, a, b, hex};
use crate::lucky::Lucky;
use crate::march::objective;

/// Two armies, a brigade each under its army's headquarters, which is in touch with it.
fn armies(at: [&str; 2], change: impl FnOnce(&mut Field)) -> Stage {
    let mut field = Field::of("clear");
    field.add(Side::A, at[0], |_| {});
    field.add(Side::B, at[1], |_| {});
    change(&mut field);
    let mut stage = Stage::of(field);
    for id in [a(1), b(1)] {
        stage.change(Change::Touch(UnitId::Brigade(id), true));
    }
    stage
}

fn seat(stage: &Stage, side: Side) -> Seat {
    stage.rules.battle().army(side).commanders[0].seat.clone()
}

/// A mail turn with orders of side A.
fn turn(stage: &mut Stage, orders: Vec<Order>) -> Vec<Event> {
    let seat = seat(stage, Side::A);
    stage.order(&mut Lucky::but(&[("touch", 0)]), &seat, orders)
}

fn began(events: &[Event]) -> Vec<u16> {
    let turn = |event: &Event| match event {
        Event::Began { turn } => Some(*turn),
        _ => None,
    };
    events.iter().filter_map(turn).collect()
}

fn told(events: &[Event], id: BrigadeId) -> Vec<(Act, Option<When>)> {
    let act = |event: &Event| match event {
        Event::Told { brigade, act, when } if *brigade == id => Some((*act, *when)),
        _ => None,
    };
    events.iter().filter_map(act).collect()
}

/// Orders are checked by the law once more: what can't be ordered isn't. Of two orders to one brigade the last counts.
#[test]
fn orders_are_taken() {
    let far = ["0505", "1515"];
    let deploy = Act::Deploy(Direction::East);
    let mut stage = armies(far, |_| {});
    let events = turn(&mut stage, vec![Order::Brigade(a(1), Act::Stand), Order::Brigade(a(1), deploy)]);
    assert_eq!(told(&events, a(1)), [(deploy, None)]);
    assert_eq!(stage.brigade(a(1)).at, Some(hex("0605")));
    // Nobody is engaged; the enemy's brigades are not A's; out of touch nobody is told.
    let mut stage = armies(far, |_| {});
    let events =
        turn(&mut stage, vec![Order::Brigade(a(1), Act::Assault), Order::Brigade(b(1), Act::Reserve)]);
    assert!(told(&events, a(1)).is_empty() && told(&events, b(1)).is_empty());
    let mut stage = armies(far, |_| {});
    stage.change(Change::Touch(UnitId::Brigade(a(1)), false));
    let events = turn(&mut stage, vec![Order::Brigade(a(1), deploy)]);
    assert!(told(&events, a(1)).is_empty());
    // A goal in the enemy's hands is none.
    let mut stage = armies(far, |_| {});
    let goal = |at| Order::Goal(Goal::Hex(hex(at)));
    let events = turn(&mut stage, vec![goal("1515"), goal("0303")]);
    let bound =
        |event: &Event| matches!(event, Event::Bound { goal: Goal::Hex(at), .. } if *at == hex("0303"));
    assert_eq!(events.iter().filter(|event| matches!(event, Event::Bound { .. })).count(), 1);
    assert!(events.iter().any(bound));
}

/// ACW-40, ACW-7: bold and heroic where a brigade within four hexes is a target; when none is any more, sensible.
#[test]
fn how_the_commander_leads() {
    let profiled = |profile: Profile, at: &str| {
        let mut stage = armies(["0505", "0605"], |field| field.hq_at(Side::A, at));
        for (id, at) in [(a(1), "0605"), (b(1), "0505")] {
            let foe = if id == a(1) { b(1) } else { a(1) };
            let target = Some((UnitId::Brigade(foe), hex(at)));
            stage.apply(&Event::Targeted { brigade: id, target, engaged: true, astray: false });
        }
        let events = turn(&mut stage, vec![Order::Profile(profile)]);
        let set = |event: &Event| matches!(event, Event::Profiled { profile: set, fallback: false, .. } if *set == profile);
        events.iter().any(set)
    };
    assert!(profiled(Profile::Bold, "0105"));
    assert!(profiled(Profile::Heroic, "0105"));
    assert!(!profiled(Profile::Bold, "0108"), "six hexes");
    assert!(profiled(Profile::Cautious, "0108"));
    let mut stage = armies(["0505", "1515"], |_| {});
    stage.profile(Side::A, Profile::Bold);
    let events = turn(&mut stage, Vec::new());
    assert!(events.contains(&Event::Profiled { side: Side::A, profile: Profile::Sensible, fallback: true }));
}

/// A block of hours: what was told counts as long as it can be done, a hex by DEPLOY once (ACW-72).
#[test]
fn blocks_of_hours() {
    let mut stage = armies(["0505", "1515"], |field| field.choices.block = 3);
    let events = turn(&mut stage, vec![Order::Brigade(a(1), Act::Deploy(Direction::East))]);
    assert_eq!(began(&events), [2, 3, 4]);
    assert_eq!(stage.brigade(a(1)).at, Some(hex("0605")));
    assert_eq!(
        told(&events, a(1)),
        [(Act::Deploy(Direction::East), None), (Act::Stand, None), (Act::Stand, None)]
    );
    let mut stage = armies(["0105", "1515"], |field| {
        field.choices.block = 2;
        objective(field, "Town", "2005");
    });
    turn(&mut stage, vec![Order::Brigade(a(1), Act::March(Some(ObjectiveId(0))))]);
    assert_eq!(stage.brigade(a(1)).at, Some(hex("1105")), "five hexes an hour");
}

/// STOP ON CONTACT: a block ends when an enemy comes within two hexes.
#[test]
fn contact_ends_a_block() {
    let run = |stop: bool| {
        let mut stage = armies(["0105", "1005"], |field| {
            field.choices.block = 4;
            objective(field, "Town", "2005");
        });
        let march = Order::Brigade(a(1), Act::March(Some(ObjectiveId(0))));
        began(&turn(&mut stage, vec![march, Order::StopOnContact(stop)]))
    };
    // Five hexes in the first hour; next to the enemy in 1005 in the second.
    assert_eq!(run(true), [2, 3]);
    assert_eq!(run(false), [2, 3, 4, 5]);
}

/// IF ENGAGED, IF SHAKEN: in later hours, when it comes true.
#[test]
fn orders_for_later_hours() {
    let mut stage = armies(["0505", "0805"], |field| field.choices.block = 2);
    let orders = vec![
        Order::Brigade(a(1), Act::Deploy(Direction::East)),
        Order::If(a(1), When::Engaged, Act::Withdraw),
        Order::If(a(1), When::Shaken, Act::Reserve),
    ];
    let events = turn(&mut stage, orders);
    assert_eq!(
        told(&events, a(1)),
        [(Act::Deploy(Direction::East), None), (Act::Withdraw, Some(When::Engaged))]
    );
}

/// ACW-61, ACW-48, ACW-56: in no-move turns nobody moves or fires, and they count as turns; reinforcements come.
#[test]
fn no_move_turns() {
    let mut stage = armies(["0505", "0605"], |field| {
        field.battle.hours[0].still = true;
        field.battle.hours[1].still = true;
        field.add(Side::A, "0505", |spec| spec.start.turn = 2);
    });
    assert_eq!(stage.rules.block_from(1), 2);
    let events = turn(&mut stage, Vec::new());
    assert_eq!(began(&events), [2, 3]);
    let until = events.iter().position(|event| *event == Event::Began { turn: 3 }).unwrap();
    let acts =
        |event: &Event| matches!(event, Event::Moved { .. } | Event::Fired(_) | Event::Targeted { .. });
    assert!(!events[..until].iter().any(acts));
    assert!(stage.brigade(a(1)).engaged().is_some(), "in the morning after them");
    // Its hex is taken: the nearest free one.
    assert_eq!(stage.brigade(a(2)).at.unwrap().distance(hex("0505")), 1);
}

/// Manual, chapter 6; ACW-46: after the last turn, or the turn in which somebody resigns, who loses whatever the points.
#[test]
fn the_end() {
    let mut stage = armies(["0505", "1515"], |field| field.battle.hours.truncate(2));
    let over = |stage: &Stage| matches!(stage.rules.awaiting(&stage.state), Awaiting::Over { .. });
    turn(&mut stage, Vec::new());
    assert!(!over(&stage));
    let events = turn(&mut stage, Vec::new());
    assert!(over(&stage) && matches!(events.last(), Some(Event::Ended { .. })));
    let mut stage = armies(["0505", "1515"], |_| {});
    let events = turn(&mut stage, vec![Order::Resign]);
    let Some(Event::Ended { outcome }) = events.last() else { panic!("{events:?}") };
    assert_eq!((outcome.won, outcome.resigned), (Some(Side::B), Some(Side::A)));
    assert!(events.contains(&Event::Closed), "the turn is played to its end");
}

/// Menu 5: next to a corps' headquarters the army commands its formations, and no corps throws for them (ACW-73).
#[test]
fn direct_command() {
    let mut field = Field::of("clear");
    let town = objective(&mut field, "Town", "1505");
    let (corps, division) = (field.division(Side::A), field.division(Side::A));
    field.army(Side::A).hqs[1].echelon = musterd_acw::model::Echelon::Corps;
    field.army(Side::A).hqs[1].leadership = 0;
    field.army(Side::A).hqs[2].over = Some(corps);
    field.add(Side::A, "0505", |spec| spec.over = division);
    field.hq_at(Side::A, "0405");
    let mut stage = Stage::of(field);
    stage.change(Change::Touch(UnitId::Hq(division), true));
    let order = Order::Command(division, Command::Offensive { via: None, objective: town });
    assert!(!turn(&mut stage, vec![order.clone()]).iter().any(|event| matches!(event, Event::Obeyed { .. })));
    stage.apply(&Event::Bound { hq: HqId::army(Side::A), goal: Goal::Corps(corps) });
    stage.change(Change::Touch(UnitId::Hq(division), true));
    let seat = seat(&stage, Side::A);
    let dice = &mut Lucky::but(&[("touch", 0), ("command/obey", 5)]);
    let events = stage.order(dice, &seat, vec![order]);
    let obeyed = |event: &Event| matches!(event, Event::Obeyed { hq, by, begins: true, .. } if *hq == division && *by == division);
    assert!(events.iter().any(obeyed), "{events:?}");
}

/// Couriers: the fewest hexes, and those of them in the enemy's reach.
#[test]
fn couriers() {
    let mut field = Field::of("clear");
    let corps = field.division(Side::A);
    field.army(Side::A).hqs[1].echelon = musterd_acw::model::Echelon::Corps;
    field.add(Side::A, "1105", |spec| spec.over = corps);
    field.add(Side::B, "1507", |_| {});
    field.hq_at(Side::A, "0105");
    let title = "General Corps".to_owned();
    let other = Seat::try_from("corps".to_owned()).unwrap();
    let commander = musterd_acw::battle::Commander { seat: other.clone(), title, hq: corps };
    field.army(Side::A).commanders.push(commander);
    field.army(Side::A).ground = vec![hex("0205")];
    field.army(Side::B).ground = (5..=7).map(|col| musterd_engine::hex::Hex::new(col, 5)).collect();
    let stage = Stage::of(field);
    let ride = stage.rules.ride(&stage.state, &seat(&stage, Side::A), &other).unwrap();
    // Straight along the row, through three hexes of the enemy's: any other way is longer.
    assert_eq!((ride.hexes, ride.perils), (10, 3));
}

//! Movement (manual, "Manoeuvre", Menus 5, 10 and 11), with figures worked by hand.

use musterd_acw::battle::{HexSide, Objective, Worth};
use musterd_acw::drill;
use musterd_acw::event::{Change, Event, Stop};
use musterd_acw::model::{
    Arm, BrigadeId, Crossing, Formation, HqId, Light, ObjectiveId, Side, UnitId, Water, Weather,
};
use musterd_acw::order::{Act, Command, Goal};
use musterd_engine::Ruleset;
use musterd_engine::hex::{Direction, Hex};

use crate::fixture::{Field, Stage, a, b, ground, hex};
use crate::lucky::Lucky;

/// An objective that B holds, worth a point a turn and ten at the end to both.
pub(crate) fn objective(field: &mut Field, name: &str, at: &str) -> ObjectiveId {
    let worth = Worth { turn: 1, end: 10 };
    let place = field.battle.objectives.len();
    field.battle.objectives.push(Objective {
        name: name.to_owned(),
        hex: hex(at),
        held: Side::B,
        turns: (1, 30),
        worth: [worth, worth],
    });
    ObjectiveId(u8::try_from(place).unwrap())
}

/// Twenty hexes of a kind of ground, a brigade in 0105 that is told to march to 2005.
fn road_east(ground: &str, change: impl FnOnce(&mut musterd_acw::battle::BrigadeSpec)) -> Field {
    let mut field = Field::of(ground);
    objective(&mut field, "Town", "2005");
    field.add(Side::A, "0105", change);
    field
}

const ROAD: HexSide = HexSide { road: true, rail: false, water: None, crossing: None };
const MARCH: Act = Act::March(Some(ObjectiveId(0)));

fn pave(field: &mut Field, row: u8) {
    for col in 1..20 {
        field.battle.map.lay(Hex::new(col, row), Hex::new(col + 1, row), ROAD);
    }
}

/// The hexes that a brigade enters in a turn.
fn way(events: &[Event], id: BrigadeId) -> Vec<String> {
    let moved = |event: &Event| match event {
        Event::Moved { unit: UnitId::Brigade(unit), to, .. } if *unit == id => Some(to.to_string()),
        _ => None,
    };
    events.iter().filter_map(moved).collect()
}

/// How many hexes the first brigade of A marches, in touch and with these dice.
fn marched(field: Field, dice: &[(&str, u32)], change: impl FnOnce(&mut Stage)) -> usize {
    let mut stage = Stage::of(field);
    stage.change(Change::Touch(UnitId::Brigade(a(1)), true));
    stage.act(a(1), MARCH);
    change(&mut stage);
    let events = stage.run(&mut Lucky::but(dice), drill::march);
    way(&events, a(1)).len()
}

fn plain(field: Field) -> usize {
    marched(field, &[], |_| {})
}

/// ACW-42: points and hexes by type; roads serve columns.
#[test]
fn how_far_each_type_marches() {
    // Infantry: 10 points, clear 2, woods 4, a road 1 but 9 hexes at most.
    assert_eq!(plain(road_east("clear", |_| {})), 5);
    assert_eq!(plain(road_east("woods", |_| {})), 2);
    let mut paved = road_east("heavy woods", |_| {});
    pave(&mut paved, 5);
    assert_eq!(plain(paved), 9);
    // Cavalry: 16 points, clear 2; a road 15 hexes.
    assert_eq!(plain(road_east("clear", |spec| spec.arm = Arm::Cavalry)), 8);
    let mut paved = road_east("clear", |spec| spec.arm = Arm::Cavalry);
    pave(&mut paved, 5);
    assert_eq!(plain(paved), 15);
    // ACW-55: mounted infantry rides: 12 points, woods 6.
    assert_eq!(plain(road_east("woods", |spec| spec.arm = Arm::MountedInfantry)), 2);
    // Artillery: 10 points, fields 3; heavy woods by road alone.
    assert_eq!(plain(road_east("fields", |spec| spec.arm = Arm::Artillery)), 3);
    assert_eq!(plain(road_east("heavy woods", |spec| spec.arm = Arm::Artillery)), 0);
    let mut paved = road_east("heavy woods", |spec| spec.arm = Arm::Artillery);
    pave(&mut paved, 5);
    assert_eq!(plain(paved), 9);
}

/// ACW-25: weather takes 2 points, then night half, then cohesion 4 or less 2, leadership 3 or less 1, bad luck 1.
#[test]
fn what_takes_movement_points() {
    let clear = || road_east("clear", |_| {});
    let under = |weather, light| {
        let mut field = clear();
        field.under(weather, light);
        field
    };
    assert_eq!(plain(under(Weather::Rain, Light::Day)), 4, "8 points");
    assert_eq!(plain(under(Weather::Drizzle, Light::Day)), 5);
    assert_eq!(plain(under(Weather::Clear, Light::Night)), 2, "5 points");
    assert_eq!(plain(under(Weather::Snow, Light::Night)), 2, "(10 - 2) / 2 points");
    assert_eq!(plain(road_east("clear", |spec| spec.cohesion = 4)), 4, "8 points");
    assert_eq!(plain(road_east("clear", |spec| spec.cohesion = 5)), 5);
    assert_eq!(plain(road_east("clear", |spec| spec.leadership = 3)), 4, "9 points");
    // In touch 0 of 0 to 15 is bad luck, out of touch 0 of 0 to 1.
    assert_eq!(marched(clear(), &[("luck/points/a1", 0)], |_| {}), 4);
    assert_eq!(marched(clear(), &[("luck/points/a1", 1)], |_| {}), 5);
    let lost = |stage: &mut Stage| stage.change(Change::Touch(UnitId::Brigade(a(1)), false));
    assert_eq!(marched(clear(), &[("luck/points/a1", 0)], lost), 4);
    // Snow at night, worn, poorly led, unlucky: 4 - 2 - 1 - 1 points.
    let mut worst = road_east("clear", |spec| (spec.cohesion, spec.leadership) = (4, 3));
    worst.under(Weather::Snow, Light::Night);
    assert_eq!(marched(worst, &[("luck/points/a1", 0)], |_| {}), 0);
}

/// ACW-48: crossings belong to hex sides.
#[test]
fn water_along_hex_sides() {
    let crossed = |water: Water, crossing: Option<Crossing>| {
        let mut field = road_east("clear", |_| {});
        // The water runs between the third and the fourth column; the crossing is in row 5.
        for row in 1..=20 {
            for way in Direction::ALL {
                let from = Hex::new(3, row);
                let Some(to) = from.step(way).filter(|to| to.col == 4 && to.row <= 20) else { continue };
                let crossing = crossing.filter(|_| from == hex("0305") && to == hex("0405"));
                field.battle.map.lay(
                    from,
                    to,
                    HexSide { water: Some(water), crossing, ..HexSide::default() },
                );
            }
        }
        plain(field)
    };
    // Two hexes for 4, then 2 + 2 for the stream, then one more.
    assert_eq!(crossed(Water::Stream, None), 4);
    // 4, then 2 + 4 for the ford.
    assert_eq!(crossed(Water::River, Some(Crossing::Ford)), 3);
    assert_eq!(crossed(Water::River, Some(Crossing::Bridge)), 5);
    assert_eq!(crossed(Water::River, Some(Crossing::Pontoon)), 5);
    assert_eq!(crossed(Water::River, None), 0, "no way");
}

/// ACW-52: next to the enemy movement ends. ACW-76: a column that nobody told halts where it can still deploy.
#[test]
fn columns_stop_at_the_enemy() {
    let field = || {
        let mut field = road_east("clear", |_| {});
        field.add(Side::B, "0505", |_| {});
        field
    };
    let mut stage = Stage::of(field());
    stage.act(a(1), MARCH);
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    assert_eq!(way(&events, a(1)), ["0205", "0305", "0405"]);
    let stopped = Event::Stopped { unit: UnitId::Brigade(a(1)), why: Stop::Enemy };
    assert!(events.contains(&stopped));
    let mut stage = Stage::of(field());
    stage.apply(&Event::Set { brigade: a(1), act: MARCH });
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    assert_eq!(way(&events, a(1)), ["0205"], "three hexes from the enemy");
    // Whom his side doesn't see it runs into.
    let mut hidden = field();
    hidden.battle.exposed = false;
    let mut stage = Stage::of(hidden);
    stage.apply(&Event::Set { brigade: a(1), act: MARCH });
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    assert_eq!(way(&events, a(1)), ["0205", "0305", "0405"]);
}

/// Manual, "Sighting": pickets see whoever comes next to their hexes, and the patrols of whoever comes take them.
#[test]
fn pickets_and_control_along_the_way() {
    let field = |river: bool| {
        let mut field = road_east("clear", |_| {});
        field.battle.exposed = false;
        field.army(Side::A).ground =
            (1..=20).flat_map(|row| (1..=3).map(move |col| Hex::new(col, row))).collect();
        field.army(Side::B).ground =
            (1..=20).flat_map(|row| (4..=20).map(move |col| Hex::new(col, row))).collect();
        if river {
            let ford =
                HexSide { water: Some(Water::River), crossing: Some(Crossing::Ford), ..HexSide::default() };
            field.battle.map.lay(hex("0305"), hex("0405"), ford);
        }
        field
    };
    let told = |river: bool| {
        let mut stage = Stage::of(field(river));
        stage.act(a(1), MARCH);
        let events = stage.run(&mut Lucky::but(&[]), drill::march);
        let from = events.iter().position(|event| matches!(event, Event::Picketed { .. })).unwrap();
        (events[..from].to_vec(), events[from..].to_vec())
    };
    let (before, after) = told(false);
    assert_eq!(way(&before, a(1)), ["0205", "0305"], "next to the enemy's ground");
    assert_eq!(after[0], Event::Picketed { by: Side::B, unit: UnitId::Brigade(a(1)) });
    assert_eq!(after[1], Event::Controlled { side: Side::A, hexes: vec![hex("0405")] });
    let pickets = after.iter().filter(|event| matches!(event, Event::Picketed { .. })).count();
    assert_eq!(pickets, 1, "once");
    // Not across a ford.
    let (_, after) = told(true);
    assert!(!matches!(&after[1], Event::Controlled { hexes, .. } if hexes.contains(&hex("0405"))));
    // Not next to an enemy unit.
    let mut guarded = field(false);
    guarded.add(Side::B, "0505", |_| {});
    let mut stage = Stage::of(guarded);
    stage.act(a(1), MARCH);
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    let taken =
        |event: &Event| matches!(event, Event::Controlled { hexes, .. } if hexes.contains(&hex("0405")));
    assert!(!events.iter().any(taken), "{events:?}");
}

/// ACW-45: staff, experience, leadership, cohesion, order and a random number, the highest first.
#[test]
fn who_moves_first() {
    let first = |change: fn(&mut musterd_acw::battle::BrigadeSpec), dice: &[(&str, u32)]| {
        let mut field = road_east("clear", |_| {});
        field.add(Side::A, "0110", change);
        let mut stage = Stage::of(field);
        for id in [a(1), a(2)] {
            stage.act(id, MARCH);
        }
        let events = stage.run(&mut Lucky::but(dice), drill::march);
        events.iter().find_map(|event| match event {
            Event::Moved { unit: UnitId::Brigade(id), .. } => Some(*id),
            _ => None,
        })
    };
    assert_eq!(first(|_| {}, &[]), Some(a(1)), "of equals the first");
    assert_eq!(first(|_| {}, &[("order/move/a1", 2)]), Some(a(2)));
    assert_eq!(first(|spec| spec.experience = 6, &[]), Some(a(2)));
    assert_eq!(first(|spec| spec.leadership = 6, &[]), Some(a(2)));
    assert_eq!(first(|spec| spec.cohesion = 7, &[]), Some(a(2)));
    assert_eq!(first(|spec| spec.experience = 6, &[("order/move/a2", 1)]), Some(a(1)));
}

/// ACW-71: of equals side A goes first in odd turns, side B in even ones; headquarters go last.
#[test]
fn sides_go_first_by_turns() {
    let first = |turns: u16| {
        let mut field = road_east("clear", |_| {});
        field.add(Side::B, "0110", |_| {});
        field.hq_at(Side::A, "0101");
        let mut stage = Stage::of(field);
        for _ in 1..turns {
            stage.next();
        }
        stage.apply(&Event::Bound { hq: HqId::army(Side::A), goal: Goal::Hex(hex("0103")) });
        for id in [a(1), b(1)] {
            stage.act(id, MARCH);
        }
        let events = stage.run(&mut Lucky::but(&[]), drill::march);
        let moved = events.iter().filter_map(|event| match event {
            Event::Moved { unit, .. } => Some(*unit),
            _ => None,
        });
        let moved: Vec<UnitId> = moved.collect();
        assert_eq!(moved.last(), Some(&UnitId::Hq(HqId::army(Side::A))));
        moved[0]
    };
    assert_eq!(first(1), UnitId::Brigade(a(1)));
    assert_eq!(first(2), UnitId::Brigade(b(1)));
}

/// ACW-78: a corps' headquarters goes with one of its brigades always: to its goal by joining the nearest one.
#[test]
fn where_corps_commanders_go() {
    let mut field = Field::of("clear");
    let corps = field.division(Side::A);
    field.army(Side::A).hqs[1].echelon = musterd_acw::model::Echelon::Corps;
    for at in ["0505", "0905", "0510"] {
        field.add(Side::A, at, |spec| spec.over = corps);
    }
    let seat = musterd_dice::Seat::try_from("corps".to_owned()).unwrap();
    let title = "General Corps".to_owned();
    field.army(Side::A).commanders.push(musterd_acw::battle::Commander { seat, title, hq: corps });
    let mut stage = Stage::of(field);
    assert_eq!(stage.hq(corps).with, Some(a(1)));
    stage.apply(&Event::Bound { hq: corps, goal: Goal::Hex(hex("1205")) });
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    assert!(events.contains(&Event::Joined { hq: corps, brigade: a(2) }));
    assert_eq!((stage.hq(corps).with, stage.hq(corps).at), (Some(a(2)), Some(hex("0905"))));
}

/// ACW-45: pulses let a column behind follow the one before it, whoever is first. ACW-77: it passes through a friend who stands.
#[test]
fn friends_in_the_way() {
    let mut field = road_east("clear", |_| {});
    pave(&mut field, 5);
    field.add(Side::A, "0205", |spec| spec.experience = 3);
    let mut stage = Stage::of(field);
    for id in [a(1), a(2)] {
        stage.act(id, MARCH);
    }
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    assert_eq!([a(1), a(2)].map(|id| way(&events, id).len()), [9, 9]);
    assert_eq!(stage.brigade(a(1)).at, Some(hex("1005")));
    let mut field = road_east("heavy woods", |_| {});
    pave(&mut field, 5);
    field.add(Side::A, "0205", |_| {});
    let mut stage = Stage::of(field);
    stage.act(a(1), MARCH);
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    assert_eq!(way(&events, a(1)).len(), 9, "through him");
    assert_eq!(stage.brigade(a(2)).at, Some(hex("0205")));
}

/// Menus 10 and 11, ACW-18; ACW-71: who withdraws comes to be three hexes off.
#[test]
fn moves_in_the_face_of_the_enemy() {
    let pair = |there: &str| {
        let mut field = Field::of("clear");
        field.add(Side::A, "0505", |_| {});
        field.add(Side::B, there, |_| {});
        Stage::of(field)
    };
    let target = |stage: &mut Stage| {
        let target = stage.brigade(b(1)).at.map(|at| (UnitId::Brigade(b(1)), at));
        stage.apply(&Event::Targeted { brigade: a(1), target, engaged: true, astray: false });
    };
    let run = |stage: &mut Stage, act: Act| {
        stage.act(a(1), act);
        stage.run(&mut Lucky::but(&[]), drill::march);
        stage.brigade(a(1)).at.unwrap()
    };
    // An assault goes into the hex that it has emptied, and into no other.
    let mut stage = pair("0605");
    target(&mut stage);
    assert_eq!(run(&mut stage, Act::Assault), hex("0505"));
    stage.apply(&Event::Moved { unit: UnitId::Brigade(b(1)), from: hex("0605"), to: hex("0905") });
    assert_eq!(run(&mut stage, Act::Assault), hex("0605"));
    // An advance comes next to the opponent.
    let mut stage = pair("0705");
    target(&mut stage);
    assert_eq!(run(&mut stage, Act::Advance).distance(hex("0705")), 1);
    let mut stage = pair("0705");
    target(&mut stage);
    assert_eq!(run(&mut stage, Act::Skirmish), hex("0505"));
    // Who withdraws gets out of contact: three hexes from the enemy, in line, toward his own edge in the west.
    let mut stage = pair("0605");
    target(&mut stage);
    assert_eq!(run(&mut stage, Act::Withdraw).distance(hex("0605")), 3);
    assert!(stage.brigade(a(1)).at.unwrap().col < 5);
    assert_eq!(stage.brigade(a(1)).formation, Formation::Line);
    // A hex by DEPLOY, in line, unless a friend stands there.
    let mut stage = pair("1505");
    assert_eq!(run(&mut stage, Act::Deploy(Direction::NorthWest)), hex("0404"));
    let mut field = Field::of("clear");
    field.add(Side::A, "0505", |_| {});
    field.add(Side::A, "0605", |_| {});
    let mut stage = Stage::of(field);
    stage.act(a(1), Act::Deploy(Direction::East));
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    assert!(events.contains(&Event::Stopped { unit: UnitId::Brigade(a(1)), why: Stop::Friends }));
}

/// Menu 11, ACW-71: a brigade regroups in column to the headquarters over it, and comes next to it.
#[test]
fn regrouping() {
    let mut field = Field::of("clear");
    let division = field.division(Side::A);
    for at in ["0505", "0905"] {
        field.add(Side::A, at, |spec| spec.over = division);
    }
    let mut stage = Stage::of(field);
    stage.act(a(2), Act::Regroup);
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    assert_eq!(way(&events, a(2)), ["0805", "0705", "0605"]);
    assert_eq!(stage.brigade(a(2)).formation, Formation::Column);
}

/// ACW-79, Menu 8: the first objective of two defines the line of march.
#[test]
fn the_line_of_march() {
    let mut field = Field::of("clear");
    let town = objective(&mut field, "Town", "1505");
    let ford = objective(&mut field, "Ford", "0305");
    let division = field.division(Side::A);
    field.add(Side::A, "0505", |spec| spec.over = division);
    field.army(Side::A).hqs[1].command = Command::Offensive { via: Some(ford), objective: town };
    let mut stage = Stage::of(field);
    stage.act(a(1), Act::March(None));
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    // Next to the ford it has passed it, and goes on to the town.
    assert_eq!(way(&events, a(1)), ["0405", "0505", "0605", "0705", "0805"]);
    assert!(events.contains(&Event::Passed { brigade: a(1) }));
    assert!(events.contains(&Event::Reached { hq: division, objective: ford }));
}

/// Menu 5, ACW-43: headquarters of armies ride through friendly territory alone.
#[test]
fn where_commanders_go() {
    let field = || {
        let mut field = Field::of("clear");
        field.army(Side::A).ground =
            (1..=20).flat_map(|row| (1..=12).map(move |col| Hex::new(col, row))).collect();
        field.army(Side::B).ground =
            (1..=20).flat_map(|row| (13..=20).map(move |col| Hex::new(col, row))).collect();
        let division = field.division(Side::A);
        field.army(Side::A).hqs[1].echelon = musterd_acw::model::Echelon::Corps;
        field.add(Side::A, "0805", |spec| spec.over = division);
        field.hq_at(Side::A, "0105");
        field
    };
    let hq = HqId::army(Side::A);
    let rides = |field: Field, goal: Goal| {
        let mut stage = Stage::of(field);
        stage.apply(&Event::Bound { hq, goal });
        let events = stage.run(&mut Lucky::but(&[]), drill::march);
        let stopped = events.iter().any(|event| matches!(event, Event::Stopped { why: Stop::Territory, .. }));
        (stage.hq(hq).at.unwrap(), stopped)
    };
    // 18 points: nine hexes of clear ground; on a road 15.
    assert_eq!(rides(field(), Goal::Hex(hex("1205"))), (hex("1005"), false));
    let mut paved = field();
    pave(&mut paved, 5);
    assert_eq!(rides(paved, Goal::Hex(hex("1205"))), (hex("1205"), false));
    assert_eq!(rides(field(), Goal::Hex(hex("1405"))), (hex("0105"), true));
    // To a corps it comes next to its headquarters.
    let corps = HqId::new(Side::A, 2);
    assert_eq!(rides(field(), Goal::Corps(corps)), (hex("0705"), false));
    assert_eq!(rides(field(), Goal::Stand), (hex("0105"), false));
}

/// ACW-75: an army's headquarters gets out of the way of a brigade that comes upon it.
#[test]
fn a_headquarters_makes_off() {
    let mut field = road_east("clear", |_| {});
    field.hq_at(Side::B, "0305");
    field.army(Side::B).ground =
        (1..=20).flat_map(|row| (2..=20).map(move |col| Hex::new(col, row))).collect();
    let mut stage = Stage::of(field);
    stage.act(a(1), MARCH);
    stage.run(&mut Lucky::but(&[]), drill::march);
    let (hq, here) = (stage.hq(HqId::army(Side::B)).at.unwrap(), stage.brigade(a(1)).at.unwrap());
    assert_eq!(here, hex("0605"));
    assert_ne!(hq, hex("0305"));
}

/// ACW-14, ACW-71: who aims at nobody faces the nearest enemy within five hexes whom his side sees.
#[test]
fn facing_the_enemy() {
    let mut field = Field::of("clear");
    field.add(Side::A, "0505", |spec| spec.facing = Some(Direction::West));
    field.add(Side::A, "1515", |spec| spec.facing = Some(Direction::West));
    field.add(Side::B, "0905", |_| {});
    let mut stage = Stage::of(field);
    stage.run(&mut Lucky::but(&[]), drill::march);
    assert_eq!(stage.brigade(a(1)).facing, Direction::East);
    assert_eq!(stage.brigade(a(2)).facing, Direction::West, "nobody is near");
}

/// A lane of clear hexes from 0105 to the east between deep water; a lane beside it leaves it at 0505 and joins it again at 1205.
fn lanes() -> Field {
    let mut field = Field::of("deep water");
    objective(&mut field, "Town", "2005");
    for col in 1..=20 {
        field.battle.map.put(Hex::new(col, 5), ground(&field.numbers, "clear"));
    }
    for at in (5..=12).map(|col| Hex::new(col, 7)).chain([hex("0506"), hex("1206")]) {
        field.battle.map.put(at, ground(&field.numbers, "clear"));
    }
    field
}

/// A column that has come up to friends who block its way doesn't march back over the hexes of the same hour to go around them.
#[test]
fn a_column_does_not_march_to_and_fro_in_an_hour() {
    let mut field = lanes();
    field.add(Side::A, "0105", |spec| spec.arm = Arm::Cavalry);
    for at in ["0805", "0905", "1005", "1105"] {
        field.add(Side::A, at, |_| {});
    }
    let mut stage = Stage::of(field);
    stage.change(Change::Touch(UnitId::Brigade(a(1)), true));
    stage.act(a(1), MARCH);
    let events = stage.run(&mut Lucky::but(&[]), drill::march);
    assert_eq!(way(&events, a(1)), ["0205", "0305", "0405", "0505", "0605", "0705"]);
    assert!(events.contains(&Event::Stopped { unit: UnitId::Brigade(a(1)), why: Stop::Friends }));
}

/// ACW-78: the commander reads which brigade a corps' headquarters goes with.
#[test]
fn who_a_headquarters_joins_is_told() {
    let mut field = Field::of("clear");
    let corps = field.division(Side::A);
    field.add(Side::A, "0505", |spec| spec.over = corps);
    field.add(Side::A, "0905", |spec| spec.over = corps);
    let stage = Stage::of(field);
    let joined = Event::Joined { hq: corps, brigade: a(2) };
    let sights = |side: Side| -> Vec<musterd_acw::Sight> {
        let seat = &stage.rules.battle().army(side).commanders[0].seat;
        stage.rules.witness(&stage.state, &joined, seat).into_iter().collect()
    };
    let page = musterd_report::text::sections(&stage.rules.brief(&stage.view(Side::A), &sights(Side::A)));
    assert!(page.contains("H2 Headquarters AH2 goes with Brigade A2 now."), "{page}");
    assert_eq!(sights(Side::B), []);
}

//! Whom brigades aim at, and who is surprised (manual, "Target Selection", Menus 9 and 11).

use musterd_acw::battle::HexSide;
use musterd_acw::event::{Change, Event};
use musterd_acw::model::{Arm, BrigadeId, Crossing, Formation, HqId, Side, UnitId, Water};
use musterd_acw::order::Act;
use musterd_engine::hex::Direction;

use crate::fixture::{Field, Stage, a, b, dice, hex};

/// Side A's first brigade in 0505, and one of B's.
fn pair(there: &str) -> Field {
    let mut field = Field::of("fields");
    field.add(Side::A, "0505", |_| {});
    field.add(Side::B, there, |_| {});
    field
}

/// Whom a brigade aims at, and whether it is engaged.
fn target(stage: &Stage, id: BrigadeId) -> Option<(UnitId, bool)> {
    stage.brigade(id).target.map(|target| (target.unit, target.engaged))
}

/// The same, after both aimed without a die.
fn aimed(field: Field) -> [Option<(UnitId, bool)>; 2] {
    let mut stage = Stage::of(field);
    stage.aim(dice(&[], &[]));
    [a(1), b(1)].map(|id| target(&stage, id))
}

const ENGAGED: [Option<(UnitId, bool)>; 2] =
    [Some((UnitId::Brigade(b(1)), true)), Some((UnitId::Brigade(a(1)), true))];
const APART: [Option<(UnitId, bool)>; 2] = [None, None];

const RIVER: HexSide = HexSide { road: false, rail: false, water: Some(Water::River), crossing: None };

#[test]
fn neighbours_are_always_engaged() {
    assert_eq!(aimed(pair("0605")), ENGAGED);
    let mut field = pair("0605");
    field.battle.map.lay(hex("0505"), hex("0605"), RIVER);
    field.battle.exposed = false;
    assert_eq!(aimed(field), ENGAGED);
}

/// ACW-63.
#[test]
fn at_two_hexes_a_river_a_crossing_or_prohibited_ground_keeps_apart() {
    assert_eq!(aimed(pair("0705")), ENGAGED);
    assert_eq!(aimed(pair("0805")), APART);
    let between = |crossing: Option<Crossing>, water: Water| {
        let mut field = pair("0705");
        let side = HexSide { water: Some(water), crossing, ..RIVER };
        field.battle.map.lay(hex("0605"), hex("0705"), side);
        aimed(field)
    };
    assert_eq!(between(None, Water::River), APART);
    assert_eq!(between(Some(Crossing::Bridge), Water::River), APART);
    assert_eq!(between(Some(Crossing::Ford), Water::River), APART);
    assert_eq!(between(None, Water::Stream), ENGAGED);
    let mut lake = pair("0705");
    lake.put("0605", "deep water");
    assert_eq!(aimed(lake), APART);
    // Two ways lead from 0505 to 0503: by 0404 and by 0504. One is enough.
    let mut ways = pair("0503");
    ways.put("0404", "deep water");
    assert_eq!(aimed(ways), ENGAGED);
    let mut ways = pair("0503");
    ways.put("0404", "deep water");
    ways.battle.map.lay(hex("0505"), hex("0504"), RIVER);
    assert_eq!(aimed(ways), APART);
}

/// ACW-63.
#[test]
fn at_two_hexes_both_have_to_be_seen() {
    let sighted = |sides: &[Side]| {
        let mut field = pair("0705");
        field.battle.exposed = false;
        let mut stage = Stage::of(field);
        for by in sides {
            let unit = UnitId::Brigade(if *by == Side::A { b(1) } else { a(1) });
            stage.apply(&Event::Sighted { by: *by, units: vec![unit] });
        }
        stage.aim(dice(&[], &[]));
        [a(1), b(1)].map(|id| target(&stage, id))
    };
    assert_eq!(sighted(&[]), APART);
    assert_eq!(sighted(&[Side::A]), APART);
    assert_eq!(sighted(&[Side::B]), APART);
    assert_eq!(sighted(&Side::ALL), ENGAGED);
}

/// ACW-29.
#[test]
fn the_closest_then_the_untargeted_then_the_deployed_is_chosen() {
    let mut field = Field::of("fields");
    field.add(Side::A, "0505", |_| {});
    field.add(Side::A, "0506", |_| {});
    field.add(Side::B, "0705", |_| {});
    field.add(Side::B, "0605", |spec| spec.column = true);
    field.add(Side::B, "0604", |_| {});
    // A1: B2 is next to it, B1 and B3 two hexes off. A2 is next to B2 alone.
    let mut stage = Stage::of(field);
    stage.aim(dice(&[], &[("aim/stray", 1), ("surprise", 0)]));
    assert_eq!(target(&stage, a(1)), Some((UnitId::Brigade(b(2)), true)));
    // B2 is nearer to A2 than the others, though it is targeted already and in column.
    assert_eq!(target(&stage, a(2)), Some((UnitId::Brigade(b(2)), true)));

    let mut field = Field::of("fields");
    field.add(Side::A, "0505", |_| {});
    field.add(Side::A, "0506", |_| {});
    field.add(Side::B, "0605", |_| {});
    field.add(Side::B, "0504", |spec| spec.column = true);
    field.add(Side::B, "0406", |_| {});
    let mut stage = Stage::of(field);
    stage.aim(dice(&[], &[("aim/stray", 9), ("surprise", 0)]));
    // All three are next to A1; it takes the first that is deployed. A2 is next to B1 and B3, and B1 is targeted.
    assert_eq!(target(&stage, a(1)), Some((UnitId::Brigade(b(1)), true)));
    assert_eq!(target(&stage, a(2)), Some((UnitId::Brigade(b(3)), true)));
}

/// ACW-29.
#[test]
fn one_time_in_ten_another_is_taken() {
    let mut field = pair("0605");
    field.add(Side::B, "0405", |_| {});
    field.add(Side::B, "0504", |_| {});
    let mut stage = Stage::of(field);
    // Each of B's has nobody else to choose.
    let events = stage.aim(dice(&[("aim/stray/a1", &[0]), ("aim/other/a1", &[1])], &[]));
    assert_eq!(target(&stage, a(1)), Some((UnitId::Brigade(b(3)), true)));
    let Event::Targeted { astray, .. } = &events[0] else { panic!("{events:?}") };
    assert!(astray);
}

/// ACW-34.
#[test]
fn artillery_has_targets_in_range_without_being_engaged() {
    let battery = |there: &str, moved: bool| {
        let mut field = Field::of("fields");
        let guns = field.guns(12, "3in-rifle");
        field.add(Side::A, "0505", |spec| (spec.arm, spec.arms, spec.guns) = (Arm::Artillery, None, guns));
        field.add(Side::B, there, |_| {});
        let mut stage = Stage::of(field);
        if moved {
            stage.stir(a(1));
            stage.next();
        }
        stage.aim(dice(&[], &[]));
        [a(1), b(1)].map(|id| target(&stage, id))
    };
    assert_eq!(battery("1005", false), [Some((UnitId::Brigade(b(1)), false)), None]);
    assert_eq!(battery("1105", false), APART);
    // Guns that moved have nothing to aim at, but where they are engaged.
    assert_eq!(battery("1005", true), APART);
    assert_eq!(battery("0605", true), ENGAGED);
}

/// ACW-56.
#[test]
fn headquarters_are_targets_where_no_brigade_is() {
    let stage = |also: Option<&str>| {
        let mut field = Field::of("fields");
        field.add(Side::A, "0505", |_| {});
        field.hq_at(Side::B, "0705");
        field.add(Side::B, also.unwrap_or("1510"), |_| {});
        let mut stage = Stage::of(field);
        stage.aim(dice(&[], &[]));
        target(&stage, a(1))
    };
    let hq = UnitId::Hq(HqId::army(Side::B));
    assert_eq!(stage(None), Some((hq, false)));
    assert_eq!(stage(Some("0606")), Some((UnitId::Brigade(b(1)), true)));
    // The headquarters is with the brigade there, which is engaged instead.
    assert_eq!(stage(Some("0705")), Some((UnitId::Brigade(b(1)), true)));
}

/// ACW-20.
#[test]
fn a_column_that_is_engaged_may_be_surprised() {
    let march = |die: u32| {
        let mut field = pair("0605");
        field.army(Side::A).brigades[0].column = true;
        let mut stage = Stage::of(field);
        let events = stage.aim(dice(&[("surprise/march/a1", &[die])], &[]));
        let startled = events.iter().any(|event| matches!(event, Event::Startled { surprised: true, .. }));
        let brigade = stage.brigade(a(1));
        assert_eq!(brigade.surprised, startled);
        (startled, brigade.formation)
    };
    // Experience 5 and leadership 5: at 10 and more. Who isn't surprised deploys.
    assert_eq!(march(9), (false, Formation::Line));
    assert_eq!(march(10), (true, Formation::Column));
}

/// ACW-61.
#[test]
fn a_brigade_in_reserve_is_always_surprised_but_not_after_the_night() {
    let rest = |still: bool| {
        let mut field = pair("0705");
        field.battle.hours[0].still = still;
        // It comes within reach in the second turn.
        field.army(Side::B).brigades[0].start.at = hex("1505");
        let mut stage = Stage::of(field);
        stage.act(a(1), Act::Reserve);
        stage.next();
        stage.change(Change::Place(UnitId::Brigade(b(1)), hex("0605")));
        // What its commanders choose for this turn changes nothing.
        stage.act(a(1), Act::Stand);
        stage.aim(dice(&[], &[]));
        stage.brigade(a(1)).surprised
    };
    assert!(rest(false));
    assert!(!rest(true));
}

/// ACW-20, ACW-68.
#[test]
fn a_camp_is_thrown_for_when_it_is_engaged() {
    let mut field = pair("0605");
    field.army(Side::A).brigades[0].encamped = true;
    let mut stage = Stage::of(field);
    stage.aim(dice(&[("surprise/march/a1", &[15])], &[]));
    let brigade = stage.brigade(a(1));
    assert!(brigade.surprised && brigade.encamped);
    // In the next turn it is engaged already.
    stage.next();
    stage.aim(dice(&[], &[]));
    let brigade = stage.brigade(a(1));
    assert!(!brigade.surprised && brigade.encamped);
}

/// ACW-14.
#[test]
fn a_brigade_faces_its_target() {
    let mut field = pair("0505");
    field.army(Side::B).brigades[0].start.at = hex("0404");
    let mut stage = Stage::of(field);
    let events = stage.aim(dice(&[], &[]));
    assert_eq!(stage.brigade(a(1)).facing, Direction::NorthWest);
    assert_eq!(stage.brigade(b(1)).facing, Direction::SouthEast);
    assert_eq!(events.iter().filter(|event| matches!(event, Event::Faced { .. })).count(), 2);
}

/// ACW-61.
#[test]
fn in_no_move_turns_nobody_is_engaged() {
    let mut field = pair("0605");
    field.battle.hours[0].still = true;
    assert_eq!(aimed(field), APART);
}

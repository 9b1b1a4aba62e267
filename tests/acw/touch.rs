//! Communications and what headquarters do with their commands (manual, "Communications", Menus 7 to 9), with figures worked by hand.

use musterd_acw::drill;
use musterd_acw::event::{Change, Event, Touch};
use musterd_acw::model::{Arm, Branch, Echelon, HqId, Light, Profile, Side, UnitId, Weather};
use musterd_acw::order::{Act, Command};

use crate::fixture::{Field, Stage, a, hex};
use crate::lucky::Lucky;
use crate::march::objective;

/// An army whose headquarters is in 0105, and a division under it whose only brigade is so many hexes to the east.
fn army(distance: u8) -> Field {
    let mut field = Field::of("clear");
    let division = field.division(Side::A);
    field.hq_at(Side::A, "0105");
    field.add(Side::A, &format!("{:02}05", 1 + distance), |spec| spec.over = division);
    field
}

const DIVISION: HqId = HqId::new(Side::A, 2);

/// The checks of side A.
fn checks(stage: &mut Stage) -> Vec<Touch> {
    let events = stage.run(&mut Lucky::but(&[]), drill::touch);
    let of = |event: Event| match event {
        Event::Communicated { side: Side::A, checks } => Some(checks),
        _ => None,
    };
    events.into_iter().find_map(of).unwrap()
}

fn chance(field: Field, unit: UnitId, change: impl FnOnce(&mut Stage)) -> i32 {
    let mut stage = Stage::of(field);
    change(&mut stage);
    checks(&mut stage).iter().find(|check| check.unit == unit).unwrap().chance
}

/// ACW-26: the base by distance, the staff of the headquarters over the unit, and what the manual adds for both.
#[test]
fn the_chance_to_be_in_communication() {
    let hq = UnitId::Hq(DIVISION);
    // Ten hexes: 7; the staff 5; a division of infantry 0, under an army 2.
    assert_eq!(chance(army(10), hq, |_| {}), 14);
    for (distance, base) in [(1, 15), (2, 13), (4, 11), (6, 9), (12, 7), (13, 5), (17, 3)] {
        assert_eq!(chance(army(distance), hq, |_| {}), base + 7, "{distance}");
    }
    let of = |change: fn(&mut Field)| {
        let mut field = army(10);
        change(&mut field);
        chance(field, hq, |_| {})
    };
    assert_eq!(of(|field| field.army(Side::A).hqs[1].branch = Branch::Cavalry), 20);
    assert_eq!(of(|field| field.army(Side::A).hqs[0].staff = 0), 9);
    // A corps: 4 with cavalry, nothing for the army over it. By day 13 in 16, at night 9 in 16.
    let corps = |field: &mut Field| field.army(Side::A).hqs[1].echelon = Echelon::Corps;
    assert_eq!(of(|field| field.army(Side::A).hqs[1].echelon = Echelon::Corps), 12);
    let mut night = army(10);
    corps(&mut night);
    night.under(Weather::Clear, Light::Night);
    assert_eq!(chance(night, hq, |_| {}), 8);
    let mut horse = army(10);
    corps(&mut horse);
    horse.army(Side::A).hqs[1].branch = Branch::Cavalry;
    assert_eq!(chance(horse, hq, |_| {}), 16);
}

/// ACW-36: brigades by their type and by the headquarters over them.
#[test]
fn brigades_in_communication() {
    let unit = UnitId::Brigade(a(1));
    let of = |arm: Arm, over: Option<Echelon>| {
        let mut field = army(0);
        let echelon = over.unwrap_or(Echelon::Army);
        field.army(Side::A).hqs[1].echelon = echelon;
        field.army(Side::A).hqs[1].staff = 0;
        field.army(Side::A).hqs[0].staff = 0;
        let spec = &mut field.army(Side::A).brigades[0];
        (spec.arm, spec.regiments) = (arm, 4);
        if over.is_none() {
            spec.over = HqId::army(Side::A);
        }
        chance(field, unit, |_| {})
    };
    assert_eq!(of(Arm::Infantry, Some(Echelon::Division)), 15);
    assert_eq!(of(Arm::Infantry, Some(Echelon::Corps)), 16);
    assert_eq!(of(Arm::Infantry, None), 17);
    assert_eq!(of(Arm::Artillery, Some(Echelon::Division)), 21);
    assert_eq!(of(Arm::MountedInfantry, Some(Echelon::Division)), 21);
    assert_eq!(of(Arm::Cavalry, None), 25);
}

/// Manual, "Time of Day", "Weather", "Miscellaneous Modifiers"; ACW-8, ACW-26.
#[test]
fn what_hinders_communication() {
    let hq = UnitId::Hq(DIVISION);
    let under = |weather, light| {
        let mut field = army(10);
        field.under(weather, light);
        chance(field, hq, |_| {})
    };
    assert_eq!(under(Weather::Clear, Light::Dawn), 12);
    assert_eq!(under(Weather::Overcast, Light::Dusk), 12);
    assert_eq!(under(Weather::Rain, Light::Day), 11);
    assert_eq!(under(Weather::HeavyFog, Light::Night), 7);
    assert_eq!(under(Weather::Drizzle, Light::Day), 13);
    assert_eq!(under(Weather::LightFog, Light::Day), 13);
    // Never below 0: 18 hexes 3, no staff, a corps, heavy fog at night.
    let mut worst = army(18);
    worst.army(Side::A).hqs[1].echelon = Echelon::Corps;
    worst.army(Side::A).hqs[0].staff = 0;
    worst.under(Weather::HeavyFog, Light::Night);
    assert_eq!(chance(worst, hq, |_| {}), 0);
    // The army's headquarters: an enemy within four hexes 2, moved 1, bold 1, heroic 3.
    let near = |at: &str| {
        let mut field = army(10);
        field.add(Side::B, at, |_| {});
        chance(field, hq, |_| {})
    };
    assert_eq!(near("0505"), 12);
    assert_eq!(near("0605"), 14);
    assert_eq!(chance(army(10), hq, |stage| stage.profile(Side::A, Profile::Bold)), 13);
    assert_eq!(chance(army(10), hq, |stage| stage.profile(Side::A, Profile::Heroic)), 11);
    let rode = |stage: &mut Stage| {
        let unit = UnitId::Hq(HqId::army(Side::A));
        for (from, to) in [("0105", "0106"), ("0106", "0105")] {
            stage.apply(&Event::Moved { unit, from: hex(from), to: hex(to) });
        }
        stage.next();
    };
    assert_eq!(chance(army(10), hq, rode), 13);
    // A corps over a brigade: an enemy within three hexes 1, an offensive command 1.
    let brigade = |command: Option<Command>, foe: &str| {
        let mut field = army(10);
        objective(&mut field, "Town", "2005");
        field.army(Side::A).hqs[1].echelon = Echelon::Corps;
        field.army(Side::A).hqs[1].command = command.unwrap_or(Command::Reserve);
        field.add(Side::B, foe, |_| {});
        chance(field, UnitId::Brigade(a(1)), |_| {})
    };
    let attack = Command::Offensive { via: None, objective: musterd_acw::model::ObjectiveId(0) };
    assert_eq!(brigade(None, "2020"), 21, "15, the staff 5, under a corps 1");
    assert_eq!(brigade(None, "1405"), 20);
    assert_eq!(brigade(Some(attack), "1405"), 19);
}

/// ACW-1: in touch up to the chance; ACW-38: with radio always, without a throw; who is off the map never is.
#[test]
fn who_is_in_communication() {
    let touched = |die: u32, radio: bool, arrives: u16| {
        let mut field = army(10);
        field.battle.radio = radio;
        field.army(Side::A).brigades[0].start.turn = arrives;
        let mut stage = Stage::of(field);
        let mut dice = Lucky::but(&[("touch/reach/ah2", die), ("touch/reach/a1", 0)]);
        let events = stage.run(&mut dice, drill::touch);
        let thrown = matches!(&events[0], Event::Communicated { checks, .. } if !checks.is_empty());
        (stage.hq(DIVISION).in_touch, stage.brigade(a(1)).in_touch, thrown)
    };
    assert_eq!(touched(14, false, 0), (true, true, true));
    assert_eq!(touched(15, false, 0), (false, true, true));
    assert_eq!(touched(15, true, 0), (true, true, false));
    assert_eq!(touched(0, false, 9), (false, false, false));
}

/// A corps with two divisions of a brigade each, near two objectives.
fn corps() -> (Stage, Command) {
    corps_with(|_| {})
}

/// The same, changed as a case wants; its headquarters are in communication.
pub(crate) fn corps_with(change: impl FnOnce(&mut Field)) -> (Stage, Command) {
    let mut field = Field::of("clear");
    let town = objective(&mut field, "Town", "1505");
    objective(&mut field, "Mill", "1508");
    for _ in 0..3 {
        field.division(Side::A);
    }
    let corps = HqId::new(Side::A, 2);
    field.army(Side::A).hqs[1].echelon = Echelon::Corps;
    for (number, at) in [(3, "0505"), (4, "0510")] {
        field.army(Side::A).hqs[number - 1].over = Some(corps);
        let number = u8::try_from(number).unwrap();
        field.add(Side::A, at, |spec| spec.over = HqId::new(Side::A, number));
    }
    field.hq_at(Side::A, "0405");
    change(&mut field);
    let mut stage = Stage::of(field);
    for unit in 2..=4 {
        stage.change(Change::Touch(UnitId::Hq(HqId::new(Side::A, unit)), true));
    }
    (stage, Command::Offensive { via: None, objective: town })
}

/// ACW-39: a headquarters begins its command by a random number of 0 to 9 up to its leadership, and tries again while it is in touch.
#[test]
fn obedience() {
    let mut field = army(3);
    let town = objective(&mut field, "Town", "1505");
    let mut stage = Stage::of(field);
    let command = Command::Offensive { via: None, objective: town };
    stage.apply(&Event::Commanded { hq: DIVISION, command });
    assert_eq!(stage.hq(DIVISION).pending, Some(command));
    let tries = |stage: &mut Stage, touch: bool, die: u32| {
        stage.change(Change::Touch(UnitId::Hq(DIVISION), touch));
        let events = stage.run(&mut Lucky::but(&[("command/obey/ah2", die)]), drill::command);
        events.iter().any(|event| matches!(event, Event::Obeyed { begins: true, .. }))
    };
    assert!(!tries(&mut stage, false, 0), "out of touch nobody tries");
    assert!(!tries(&mut stage, true, 6), "leadership 5");
    assert_eq!(stage.hq(DIVISION).command, Command::Reserve);
    assert!(tries(&mut stage, true, 5));
    assert_eq!((stage.hq(DIVISION).command, stage.hq(DIVISION).pending), (command, None));
}

/// ACW-39: a headquarters throws once in a turn, though it is told the same again, or something else.
#[test]
fn a_command_is_thrown_for_once_a_turn() {
    let mut field = army(3);
    let town = objective(&mut field, "Town", "1505");
    let mut stage = Stage::of(field);
    let seat = stage.rules.battle().army(Side::A).commanders[0].seat.clone();
    let attack = Command::Offensive { via: None, objective: town };
    let mut turn = |command: Command, die: u32| {
        stage.change(Change::Touch(UnitId::Hq(DIVISION), true));
        let mut dice = Lucky::but(&[("command/obey/ah2", die), ("touch", 0)]);
        let order = musterd_acw::order::Order::Command(DIVISION, command);
        let events = stage.order(&mut dice, &seat, vec![order]);
        let next = events.iter().position(|event| matches!(event, Event::Began { .. })).unwrap();
        let throws =
            |events: &[Event]| events.iter().filter(|event| matches!(event, Event::Obeyed { .. })).count();
        ([throws(&events[..next]), throws(&events[next..])], stage.hq(DIVISION))
    };
    let (throws, hq) = turn(attack, 9);
    assert_eq!((throws, hq.pending), ([1, 1], Some(attack)), "when it is told, and next morning");
    let (throws, hq) = turn(attack, 9);
    assert_eq!((throws, hq.pending), ([0, 1], Some(attack)), "it threw in the morning");
    let other = Command::Offensive { via: Some(town), objective: town };
    let (throws, hq) = turn(other, 9);
    assert_eq!((throws, hq.pending), ([0, 1], Some(other)), "another command is no second throw");
    let (throws, hq) = turn(Command::Reserve, 9);
    assert_eq!((throws, hq.pending), ([0, 0], None), "it goes on with what it does");
    let (throws, hq) = turn(attack, 5);
    assert_eq!((throws, hq.command, hq.pending), ([1, 0], attack, None));
}

/// ACW-39, ACW-73, ACW-74: a corps throws for each formation; the second one gets an objective of its own nearby.
#[test]
fn corps_pass_commands_on() {
    let (mut stage, command) = corps();
    let seat = stage.rules.battle().army(Side::A).commanders[0].seat.clone();
    let order = musterd_acw::order::Order::Command(HqId::new(Side::A, 2), command);
    let mut dice = Lucky::but(&[("command/obey/ah3", 5), ("command/obey/ah4", 6)]);
    let events = stage.order(&mut dice, &seat, vec![order]);
    let obeyed: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Obeyed { hq, by, begins, command, .. } => Some((hq.number, by.number, *begins, *command)),
            _ => None,
        })
        .collect();
    let mill = Command::Offensive { via: None, objective: musterd_acw::model::ObjectiveId(1) };
    assert_eq!(obeyed[..2], [(3, 2, true, command), (4, 2, false, mill)]);
    assert_eq!(stage.hq(HqId::new(Side::A, 2)).command, command);
}

/// ACW-39: at its objective an offensive command goes against enemies within five hexes; a defensive one only out of touch, on 0 of 0 to 15.
#[test]
fn to_the_sound_of_the_guns() {
    let heard =
        |command: fn(musterd_acw::model::ObjectiveId) -> Command, foe: &str, touch: bool, die: u32| {
            let mut field = army(4);
            let town = objective(&mut field, "Town", "0505");
            field.army(Side::A).hqs[1].command = command(town);
            field.add(Side::B, foe, |_| {});
            let mut stage = Stage::of(field);
            stage.change(Change::Touch(UnitId::Hq(DIVISION), touch));
            let events = stage.run(&mut Lucky::but(&[("command/guns/ah2", die)]), drill::command);
            assert!(events.contains(&Event::Reached { hq: DIVISION, objective: town }));
            events.iter().any(|event| matches!(event, Event::Heard { at: Some(_), .. }))
        };
    let attack = |objective| Command::Offensive { via: None, objective };
    assert!(heard(attack, "1005", true, 15));
    assert!(!heard(attack, "1105", true, 0));
    assert!(!heard(Command::Defensive, "1005", true, 0));
    assert!(!heard(Command::Defensive, "1005", false, 1));
    assert!(heard(Command::Defensive, "1005", false, 0));
}

/// The order that commanders choose for the first brigade of A.
fn chosen(stage: &mut Stage) -> Act {
    stage.run(&mut Lucky::but(&[]), drill::aim);
    stage.run(&mut Lucky::but(&[]), drill::set);
    stage.brigade(a(1)).act
}

fn led(command: Command, foe: &str, change: impl FnOnce(&mut Field)) -> Act {
    let mut field = army(9);
    objective(&mut field, "Town", "1505");
    field.army(Side::A).hqs[1].command = command;
    field.add(Side::B, foe, |_| {});
    change(&mut field);
    chosen(&mut Stage::of(field))
}

/// Menus 8, 10 and 11: what commanders make of their commands.
#[test]
fn commanders_choose() {
    let town = musterd_acw::model::ObjectiveId(0);
    let attack = Command::Offensive { via: None, objective: town };
    let nothing = |_: &mut Field| {};
    assert_eq!(led(attack, "2020", nothing), Act::March(None));
    // The enemy in 1305 is three hexes from 1005: in line from here on.
    assert!(matches!(led(attack, "1305", nothing), Act::Deploy(_)));
    assert_eq!(led(attack, "1205", nothing), Act::Advance);
    assert_eq!(led(Command::Defensive(town), "1205", nothing), Act::Skirmish);
    assert_eq!(led(Command::Reserve, "2020", nothing), Act::Stand, "it is fresh");
    let worn = |cohesion: i32| move |field: &mut Field| field.army(Side::A).brigades[0].cohesion = cohesion;
    assert_eq!(led(Command::Reserve, "2020", worn(5)), Act::Reserve);
    assert_eq!(led(attack, "2020", worn(3)), Act::Reserve);
    assert_eq!(led(attack, "1205", worn(2)), Act::Withdraw);
    // A reserve gives way, cavalry screens until it is worn.
    let horse = |cohesion: i32| {
        move |field: &mut Field| {
            let spec = &mut field.army(Side::A).brigades[0];
            (spec.arm, spec.cohesion) = (Arm::Cavalry, cohesion);
        }
    };
    assert!(matches!(led(Command::Reserve, "1305", nothing), Act::Deploy(_)), "a hex back");
    assert_eq!(led(Command::Reserve, "1305", horse(6)), Act::Stand);
    assert!(matches!(led(Command::Reserve, "1305", horse(4)), Act::Deploy(_)));
    // Against twice its number it doesn't assault; against half it does.
    let many = |men: u32| move |field: &mut Field| field.army(Side::B).brigades[0].men = men;
    assert_eq!(led(attack, "1105", many(900)), Act::Assault);
    assert_eq!(led(attack, "1105", many(4000)), Act::Withdraw, "no skirmish in the open");
}

/// ACW-92: a brigade that has lost more than its army bears attacks no more, and an army that has asks for better odds.
#[test]
fn who_has_lost_much_attacks_no_more() {
    let town = musterd_acw::model::ObjectiveId(0);
    let left = |resolve: u32, men: u32, foe: &str| {
        let mut field = army(9);
        objective(&mut field, "Town", "1505");
        field.army(Side::A).hqs[1].command = Command::Offensive { via: None, objective: town };
        field.army(Side::A).resolve = resolve;
        field.add(Side::B, foe, |_| {});
        let mut stage = Stage::of(field);
        stage.change(Change::Men(a(1), men));
        chosen(&mut stage)
    };
    assert_eq!(left(50, 1440, "1205"), Act::Advance);
    assert_eq!(
        left(50, 1000, "1205"),
        Act::Skirmish,
        "44 of a hundred are gone, and the enemy is the stronger"
    );
    assert_eq!(left(5, 1440, "1205"), Act::Skirmish, "the army has lost 15 more than it bears");
    assert_eq!(left(5, 1439, "1205"), Act::Skirmish);
    assert_eq!(left(5, 1439, "1505"), Act::March(None), "it goes to defend its goal");
}

/// ACW-92: a formation of which 20 hundredths more than its army bears are gone or shaken attacks no more.
#[test]
fn a_worn_formation_attacks_no_more() {
    let attack = Command::Offensive { via: None, objective: musterd_acw::model::ObjectiveId(0) };
    let beside = |men: u32, cohesion: i32| {
        led(attack, "1205", |field| {
            field.add(Side::A, "0110", |spec| {
                (spec.over, spec.men, spec.cohesion) = (DIVISION, men, cohesion);
            });
        })
    };
    assert_eq!(beside(600, 3), Act::Advance, "a quarter is shaken, and the army bears 5");
    assert_eq!(beside(601, 3), Act::Skirmish, "more than a quarter is shaken");
    assert_eq!(beside(1800, 4), Act::Advance, "nobody is shaken");
    // Gone is as good as shaken; who is yet to come counts as fit.
    let gone = |change: fn(&mut Stage)| {
        let mut field = army(9);
        objective(&mut field, "Town", "1505");
        field.army(Side::A).hqs[1].command = attack;
        field.army(Side::A).resolve = 30;
        field.add(Side::B, "1205", |_| {});
        field.add(Side::A, "0110", |spec| (spec.over, spec.men) = (DIVISION, 1900));
        let mut stage = Stage::of(field);
        change(&mut stage);
        chosen(&mut stage)
    };
    assert_eq!(gone(|_| {}), Act::Advance);
    assert_eq!(gone(|stage| stage.change(Change::Removed(a(2)))), Act::Skirmish);
}

/// ACW-92: whoever is to hold a place and stands in works within six hexes of it stays in them, and doesn't come out against a beaten enemy.
#[test]
fn works_near_a_post_are_kept() {
    let hold = Command::Defensive(musterd_acw::model::ObjectiveId(0));
    let far = |town: &str, foe: &str, works: u8| {
        let mut field = army(9);
        objective(&mut field, "Town", town);
        field.army(Side::A).hqs[1].command = hold;
        field.army(Side::A).brigades[0].works = works;
        field.add(Side::B, foe, |spec| spec.cohesion = 3);
        chosen(&mut Stage::of(field))
    };
    assert_eq!(far("1605", "2020", 1), Act::Stand, "six hexes");
    assert_eq!(far("1705", "2020", 1), Act::March(None), "seven hexes");
    assert_eq!(far("1605", "2020", 0), Act::March(None), "no works");
    assert_eq!(far("1005", "1105", 0), Act::Assault, "the enemy is shaken");
    assert_eq!(far("1005", "1105", 1), Act::Skirmish, "from works it fires");
}

/// ACW-27, ACW-30 (what the manual says of the first turn of a morning): after six no-move turns all headquarters on the map can be commanded, in touch or not.
#[test]
fn the_first_turn_of_the_morning() {
    let can = |still: usize| {
        let mut field = army(10);
        for hour in &mut field.battle.hours[1..=still] {
            hour.still = true;
        }
        let mut stage = Stage::of(field);
        for _ in 0..=still {
            stage.next();
        }
        stage.change(Change::Touch(UnitId::Hq(DIVISION), false));
        stage.view(Side::A).can_command(DIVISION)
    };
    assert!(can(6));
    assert!(!can(5));
}

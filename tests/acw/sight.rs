//! Sighting, recovery, digging, points (manual, "Sighting", "Cohesion", "Winning the Game"), with figures worked by hand.

use musterd_acw::battle::Worth;
use musterd_acw::drill;
use musterd_acw::event::{Change, Event};
use musterd_acw::model::{Arm, Light, ObjectiveId, Side, UnitId, Weather};
use musterd_acw::order::Act;
use musterd_dice::{Label, Roller};

use crate::fixture::{Field, Stage, a, b, hex};
use crate::lucky::Lucky;
use crate::march::objective;

/// Whether A sees B's brigade there, by a random number of so much.
fn sees(ground: &str, there: &str, die: u32, change: impl FnOnce(&mut Field)) -> bool {
    let mut field = Field::of(ground);
    field.battle.exposed = false;
    field.add(Side::A, "0505", |_| {});
    field.add(Side::B, there, |_| {});
    change(&mut field);
    let mut stage = Stage::of(field);
    let events = stage.run(&mut Lucky::but(&[("sight", die)]), drill::sight);
    let by = |event: &Event| matches!(event, Event::Sighted { by: Side::A, units } if units.contains(&UnitId::Brigade(b(1))));
    events.iter().any(by)
}

/// ACW-22, ACW-44: below 56; 8 for each hex between; both hexes count.
#[test]
fn who_is_seen() {
    let nothing = |_: &mut Field| {};
    // Clear ground over five hexes: 4 times 8, and 7 at most.
    assert!(sees("clear", "1005", 7, nothing));
    assert!(!sees("clear", "1105", 0, nothing), "six hexes");
    // Heavy woods: six hexes of 12 and 32.
    assert!(!sees("heavy woods", "1005", 0, nothing));
    // Woods over three hexes: four of 9 and 16 are 52.
    assert!(sees("woods", "0805", 3, nothing));
    assert!(!sees("woods", "0805", 4, nothing));
    assert!(sees("heavy woods", "0605", 7, nothing), "24 next to it");
    // Woods over two hexes: three of 9 and 8 are 35; rain 8 and dawn 6 more are 49.
    let under = |weather, light| move |field: &mut Field| field.under(weather, light);
    assert!(sees("woods", "0705", 7, under(Weather::Clear, Light::Day)));
    assert!(sees("woods", "0705", 6, under(Weather::Rain, Light::Dawn)));
    assert!(!sees("woods", "0705", 7, under(Weather::Rain, Light::Dawn)));
}

/// ACW-70: one throw for each enemy, by whoever sees him best, and none where it could change nothing.
#[test]
fn who_is_looked_for_by_a_throw() {
    use musterd_dice::{Label, Roller};
    struct Counted(Vec<String>);
    impl Roller for Counted {
        fn roll(&mut self, label: &Label, count: u32, _: u32) -> Vec<u32> {
            self.0.push(label.as_str().to_owned());
            vec![1; count as usize]
        }
    }
    let thrown = |ground: &str, there: &str, friend: &str| {
        let mut field = Field::of(ground);
        field.battle.exposed = false;
        field.add(Side::A, "0505", |_| {});
        field.add(Side::A, friend, |_| {});
        field.add(Side::B, there, |_| {});
        let mut dice = Counted(Vec::new());
        Stage::of(field).run(&mut dice, drill::sight);
        // A looks for one brigade, B for two.
        let of = |side: char| {
            dice.0
                .iter()
                .filter(|label| label.contains("sight") && label.contains(&format!("/{side}")))
                .count()
        };
        (of('b'), of('a'))
    };
    // Woods over three hexes are 52: A, with two who could see, throws once for the one, and B once for each of two.
    assert_eq!(thrown("woods", "0805", "0504"), (1, 2));
    // Clear ground next to him is seen whatever falls; heavy woods over five hexes hide whatever falls.
    assert_eq!(thrown("clear", "0605", "0504"), (0, 0));
    assert_eq!(thrown("heavy woods", "1005", "0504"), (0, 0));
}

/// ACW-22: what weather and light add; at night and in heavy fog one hex.
#[test]
fn weather_and_light_hinder_sight() {
    let under = |weather, light| move |field: &mut Field| field.under(weather, light);
    let most = |weather, light, base: i32| {
        let seen = (0..=7).filter(|die| sees("light woods", "0805", *die, under(weather, light))).count();
        // Four of 6 and 16 are 40: the numbers that keep the sum below 56.
        assert_eq!(i32::try_from(seen).unwrap(), (56 - 40 - base).clamp(0, 8), "{weather:?} {light:?}");
    };
    most(Weather::Clear, Light::Day, 0);
    most(Weather::Overcast, Light::Dusk, 10);
    most(Weather::Rain, Light::Day, 8);
    most(Weather::Snow, Light::Day, 10);
    most(Weather::LightFog, Light::Dawn, 14);
    assert!(!sees("clear", "0705", 0, under(Weather::Clear, Light::Night)));
    assert!(sees("clear", "0605", 7, under(Weather::Clear, Light::Night)));
    assert!(!sees("clear", "0705", 0, under(Weather::HeavyFog, Light::Day)));
}

/// ACW-44: along a hex side the lower of the two hexes counts.
#[test]
fn sight_along_a_hex_side() {
    // From 0505 straight up to 0503 between 0404 and 0504.
    let woods = |hexes: &'static [&'static str]| {
        move |field: &mut Field| hexes.iter().for_each(|hex| field.put(hex, "heavy woods"))
    };
    let bad = |hexes: &'static [&'static str]| {
        move |field: &mut Field| {
            woods(hexes)(field);
            for at in ["0505", "0503"] {
                field.put(at, "woods");
            }
            field.under(Weather::Rain, Light::Dusk);
        }
    };
    // 9 + 9 + 8 + 8 + 6 are 40; with 12 between 52.
    assert!(sees("clear", "0503", 7, bad(&["0404"])));
    assert!(!sees("clear", "0503", 4, bad(&["0404", "0504"])));
    assert!(sees("clear", "0503", 3, bad(&["0404", "0504"])));
}

/// ACW-70: one random number for an enemy however many look, and none where it could change nothing.
#[test]
fn throws_for_sight() {
    let throws = |ground: &str, there: &str| {
        let mut field = Field::of(ground);
        field.battle.exposed = false;
        for at in ["0505", "0506", "0504"] {
            field.add(Side::A, at, |_| {});
        }
        field.add(Side::B, there, |_| {});
        let mut stage = Stage::of(field);
        let mut dice = Counted(Vec::new());
        stage.run(&mut dice, drill::sight);
        dice.0
    };
    assert_eq!(throws("clear", "0805"), [""; 0], "seen for sure");
    assert_eq!(throws("heavy woods", "1005"), [""; 0], "never seen");
    // Woods over three hexes from the nearest of A's: 52, the same in both directions.
    let each = ["sight/find/b1", "sight/find/a1"];
    assert_eq!(throws("woods", "0805")[..2], each);
}

/// The labels of all dice, which show 1.
struct Counted(Vec<String>);

impl Roller for Counted {
    fn roll(&mut self, label: &Label, _: u32, _: u32) -> Vec<u32> {
        let stem = label.as_str().split_once('/').unwrap().1.rsplit_once('/').unwrap().0;
        self.0.push(stem.to_owned());
        vec![1]
    }
}

/// Manual, "Sighting": who was sighted is picketed for a turn, and then out of sight.
#[test]
fn sight_fades() {
    let mut field = Field::of("clear");
    field.battle.exposed = false;
    field.add(Side::A, "0505", |_| {});
    field.add(Side::B, "0805", |_| {});
    let mut stage = Stage::of(field);
    stage.run(&mut Lucky::but(&[]), drill::sight);
    let seen = |stage: &Stage| stage.view(Side::A).foes_seen().count();
    assert_eq!(seen(&stage), 1);
    stage.next();
    assert_eq!(seen(&stage), 1);
    stage.next();
    assert_eq!(seen(&stage), 0);
}

/// ACW-19: a point by a random number of 0 to 9 up to the leadership; at night two more, and up to 7.
#[test]
fn recovery_in_reserve() {
    let rallied = |cohesion: i32, shattered: bool, light: Light, die: u32| {
        let mut field = Field::of("clear");
        field.add(Side::A, "0505", |spec| (spec.cohesion, spec.shattered) = (cohesion, shattered));
        field.under(Weather::Clear, light);
        let mut stage = Stage::of(field);
        stage.act(a(1), Act::Reserve);
        stage.run(&mut Lucky::but(&[("rally", die)]), drill::rest);
        stage.brigade(a(1)).cohesion - cohesion
    };
    assert_eq!(rallied(3, false, Light::Day, 5), 1);
    assert_eq!(rallied(3, false, Light::Day, 6), 0);
    assert_eq!(rallied(3, false, Light::Night, 7), 1);
    assert_eq!(rallied(3, false, Light::Night, 8), 0);
    assert_eq!(rallied(5, false, Light::Day, 0), 1);
    assert_eq!(rallied(6, false, Light::Day, 0), 0);
    assert_eq!(rallied(6, false, Light::Night, 0), 1);
    assert_eq!(rallied(7, false, Light::Night, 0), 0);
    assert_eq!(rallied(3, true, Light::Day, 0), 1);
    assert_eq!(rallied(4, true, Light::Day, 0), 0);
    assert_eq!(rallied(4, true, Light::Night, 0), 1);
    assert_eq!(rallied(5, true, Light::Night, 0), 0);
}

/// ACW-21, ACW-41: idle infantry of an army that digs gets a level by one chance in two, three at most.
#[test]
fn digging() {
    let dug = |die: u32, change: fn(&mut Field)| {
        let mut field = Field::of("clear");
        field.army(Side::A).entrench = true;
        field.add(Side::A, "0505", |_| {});
        change(&mut field);
        let mut stage = Stage::of(field);
        stage.run(&mut Lucky::but(&[("dig", die)]), drill::rest);
        stage.brigade(a(1)).works
    };
    assert_eq!(dug(0, |_| {}), 1);
    assert_eq!(dug(1, |_| {}), 0);
    assert_eq!(dug(0, |field| field.army(Side::A).entrench = false), 0);
    assert_eq!(dug(0, |field| field.army(Side::A).brigades[0].arm = Arm::Cavalry), 0);
    assert_eq!(dug(0, |field| field.army(Side::A).brigades[0].works = 2), 3);
    assert_eq!(dug(0, |field| field.army(Side::A).brigades[0].works = 3), 3);
    assert_eq!(dug(0, |field| field.army(Side::A).brigades[0].shattered = true), 0);
    // Who moved doesn't dig, and leaves what he had.
    let mut field = Field::of("clear");
    field.army(Side::A).entrench = true;
    field.add(Side::A, "0505", |spec| spec.works = 2);
    let mut stage = Stage::of(field);
    stage.stir(a(1));
    stage.run(&mut Lucky::but(&[("dig", 0)]), drill::rest);
    assert_eq!(stage.brigade(a(1)).works, 0);
}

/// ACW-32, ACW-33, ACW-59: an objective counts for whoever controls its hex, in its turns; at the end for its last holder.
#[test]
fn objectives_count() {
    let mut field = Field::of("clear");
    objective(&mut field, "Town", "1005");
    field.battle.objectives[0].turns = (2, 3);
    field.battle.objectives[0].worth = [Worth { turn: 3, end: 50 }, Worth { turn: 4, end: 20 }];
    let mut stage = Stage::of(field);
    let town = ObjectiveId(0);
    stage.change(Change::Control(hex("1005"), Side::A));
    let close = |stage: &mut Stage| stage.run(&mut Lucky::but(&[]), drill::close);
    assert_eq!(close(&mut stage), [Event::Taken { objective: town, side: Side::A }, Event::Closed]);
    stage.next();
    assert_eq!(
        close(&mut stage),
        [Event::Scored { objective: town, side: Side::A, points: 3 }, Event::Closed]
    );
    stage.next();
    stage.change(Change::Control(hex("1005"), Side::B));
    let taken = Event::Taken { objective: town, side: Side::B };
    assert_eq!(
        close(&mut stage),
        [taken, Event::Scored { objective: town, side: Side::B, points: 4 }, Event::Closed]
    );
    stage.next();
    assert_eq!(close(&mut stage), [Event::Closed], "its turns are over");
    let now = stage.view(Side::A).now;
    assert_eq!((now.objectives, now.won), ([3, 24], Some(Side::B)));
}

/// ACW-24, ACW-46: less than a fifth of the larger sum apart is a draw; so is nothing to nothing.
#[test]
fn who_wins() {
    let won = |points: [u32; 2]| {
        let mut stage = Stage::of(Field::of("clear"));
        for side in Side::ALL {
            stage.change(Change::Earned(side, points[side.index()]));
        }
        stage.view(Side::A).now.won
    };
    assert_eq!(won([0, 0]), None);
    assert_eq!(won([100, 81]), None);
    assert_eq!(won([100, 80]), Some(Side::A));
    assert_eq!(won([79, 100]), Some(Side::B));
    assert_eq!(won([1, 0]), Some(Side::A));
}

/// ACW-31: a hundred men a point, a brigade ten, a general twenty-five. ACW-91: of a brigade that breaks a quarter of its men.
#[test]
fn losses_count() {
    let mut field = Field::of("clear");
    field.add(Side::A, "0505", |_| {});
    field.add(Side::A, "0605", |_| {});
    let mut stage = Stage::of(field);
    stage.change(Change::Men(a(1), 1501));
    assert_eq!(stage.view(Side::B).now.casualties, [0, 2]);
    stage.change(Change::Men(a(1), 1500));
    assert_eq!(stage.view(Side::B).now.casualties, [0, 3]);
    let at = hex("0605");
    stage.apply(&Event::Destroyed { brigade: a(2), at, how: musterd_acw::event::Lost::Broken });
    assert_eq!(stage.view(Side::B).now.casualties, [0, 7 + 10]);
    let unit = UnitId::Brigade(a(1));
    let fate = musterd_acw::model::Fate::Wounded;
    stage.apply(&Event::LeaderHit { unit, fate, leadership: 4, staff: None, second: false });
    assert_eq!(stage.view(Side::B).now.casualties, [0, 7 + 10 + 25]);
}

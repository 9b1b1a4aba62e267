//! Fights from the order of attack to flights (manual, "Combat", "Cohesion").

use musterd_acw::Presence;
use musterd_acw::event::{Change, Check, CheckResult, Event, Factor, Lost, Part, Shot};
use musterd_acw::model::{Arm, BrigadeId, Fate, Formation, HqId, Light, Profile, Side, UnitId, Weather};
use musterd_acw::order::Act;
use musterd_engine::hex::Direction;

use crate::fixture::{Calm, Field, Stage, a, b, dice, hex};

/// The shots among events.
pub(crate) fn shots(events: &[Event]) -> Vec<&Shot> {
    events
        .iter()
        .filter_map(|event| if let Event::Fired(shot) = event { Some(&**shot) } else { None })
        .collect()
}

pub(crate) fn checks(events: &[Event]) -> Vec<&Check> {
    events
        .iter()
        .filter_map(|event| if let Event::Checked(check) = event { Some(&**check) } else { None })
        .collect()
}

/// What a part of a check counts, in whole numbers.
fn part(check: &Check, factor: Factor) -> i32 {
    check.parts.iter().find(|part| part.0 == factor).map_or(0, |part| part.1 / 4)
}

/// Two brigades next to each other in open ground: A1 in 0505, B1 in 0605.
fn duel() -> Field {
    let mut field = Field::of("clear");
    field.add(Side::A, "0505", |_| {});
    field.add(Side::B, "0605", |_| {});
    field
}

/// All aim, and have these orders.
fn engaged(field: Field, acts: &[(BrigadeId, Act)]) -> Stage {
    let mut stage = Stage::of(field);
    stage.aim_calmly();
    for (id, act) in acts {
        stage.act(*id, *act);
    }
    stage
}

/// Who fired, in order.
fn firing(events: &[Event]) -> Vec<BrigadeId> {
    shots(events).iter().map(|shot| shot.attacker).collect()
}

/// ACW-17, ACW-57.
#[test]
fn who_stood_fires_before_who_moved_and_charges_come_last() {
    let mut field = Field::of("clear");
    let sabres = field.arms("sabre-pistol");
    field.add(Side::A, "0505", |spec| (spec.arm, spec.arms, spec.cohesion) = (Arm::Cavalry, sabres, 7));
    field.add(Side::A, "0510", |spec| spec.column = true);
    field.add(Side::A, "0515", |_| {});
    field.add(Side::B, "0605", |_| {});
    field.add(Side::B, "0610", |_| {});
    field.add(Side::B, "0615", |_| {});
    let mut stage = Stage::of(field);
    stage.stir(b(1));
    stage.next();
    stage.aim(dice(&[("surprise/march/a2", &[15])], &[]));
    stage.act(a(1), Act::Assault);
    for id in [a(2), b(1), b(2)] {
        stage.act(id, Act::Skirmish);
    }
    stage.act(a(3), Act::Assault);
    stage.act(b(3), Act::Advance);
    let events = stage.fight(Calm::but(&[("fire/lot/a3", &[1])]));
    // B2 stood and skirmishes; B3 and A3 have 2 for their orders each and draw lots; B1 moved; A2 is surprised; A1 charges.
    assert_eq!(firing(&events), [b(2), b(3), a(3), b(1), a(2), a(1)]);
    assert_eq!(shots(&events)[4].value, 2);
}

/// ACW-2, ACW-35.
#[test]
fn losses_count_at_once() {
    let mut stage = engaged(duel(), &[(a(1), Act::Skirmish), (b(1), Act::Withdraw)]);
    // Every die of the turn.
    let lost = dice(
        &[("fire/hit/b1", &[0])],
        &[("fire/order", 0), ("fire/vulnerable", 0), ("check", 7), ("leader/brigade", 99)],
    );
    let events = stage.fight_strictly(lost);
    let [first, second] = shots(&events)[..] else { panic!("{events:?}") };
    // 18 against 6 + 5 + 6 + 6: a hit; a withdrawing brigade loses cohesion one time in four.
    assert_eq!((first.value, first.vulnerability, first.hits, first.faces), (18, 23, 1, 4));
    assert_eq!((first.lost, first.cohesion_lost), (54, 1));
    // Capped to 8, and three quarters of it: 6 against 23 does nothing, but the brigade is fired at.
    assert_eq!((second.men, second.value, second.hits), ((1746, 1800), 6, 0));
    assert_eq!(checks(&events).len(), 2);
    let brigade = stage.brigade(b(1));
    assert_eq!((brigade.men, brigade.cohesion), (1746, 5));
}

/// ACW-6.
#[test]
fn guns_fire_a_second_shot_by_choice() {
    let fired = |second: bool| {
        let mut field = duel();
        let guns = field.guns(6, "napoleon");
        field.army(Side::A).brigades[0].guns = guns;
        field.choices.second_shot = second;
        let mut stage = engaged(field, &[(a(1), Act::Skirmish), (b(1), Act::Skirmish)]);
        let events = stage.fight(Calm::but(&[]));
        let own = shots(&events).into_iter().filter(|shot| shot.attacker == a(1));
        own.map(|shot| (shot.guns_alone, shot.value)).collect::<Vec<_>>()
    };
    assert_eq!(fired(false), [(false, 34)]);
    assert_eq!(fired(true), [(false, 18), (true, 16)]);
}

/// ACW-2.
#[test]
fn each_hit_on_a_camp_costs_cohesion() {
    let mut field = duel();
    field.army(Side::B).brigades[0].encamped = true;
    let mut stage = Stage::of(field);
    stage.aim(dice(&[("surprise/march/b1", &[15])], &[]));
    stage.act(a(1), Act::Assault);
    // 24 against a surprised brigade's 6 + 5 + 0 + 6: 4 hits without a die for one. It answers with 2.
    let events = stage.fight(Calm::but(&[]));
    let [volley, answer] = shots(&events)[..] else { panic!("{events:?}") };
    assert_eq!((volley.vulnerability, volley.hits, volley.faces, volley.dice.len()), (17, 4, 1, 0));
    assert_eq!((volley.cohesion_lost, stage.brigade(b(1)).cohesion), (4, 2));
    // 4 lost of 6: it shattered at 2, and half of 2 is 1.
    assert_eq!(answer.value, 1);
    assert!(events.contains(&Event::Shattered { brigade: b(1) }));
}

/// ACW-12.
#[test]
fn at_two_a_brigade_shatters_once_and_at_nothing_it_is_gone() {
    // 24 and more against 400 men's cohesion + 5 + 6: 3 hits or 4.
    let shoot = |cohesion: i32, shattered: bool, hits: &[u32]| {
        let mut field = duel();
        let spec = &mut field.army(Side::B).brigades[0];
        (spec.cohesion, spec.shattered, spec.men) = (cohesion, shattered, 400);
        let mut stage = engaged(field, &[(a(1), Act::Assault), (b(1), Act::Advance)]);
        let events = stage.fight(Calm::but(&[("fire/hit/b1", hits), ("check/hold/b1", &[7])]));
        let shattered = events.contains(&Event::Shattered { brigade: b(1) });
        (stage.brigade(b(1)).cohesion, stage.brigade(b(1)).presence, shattered)
    };
    let fielded = Presence::Fielded;
    assert_eq!(shoot(4, false, &[0, 0]), (2, fielded, true));
    assert_eq!(shoot(4, false, &[0]), (3, fielded, false));
    // It shattered before: nothing more happens at 2.
    assert_eq!(shoot(4, true, &[0, 0]), (2, fielded, false));
    assert_eq!(shoot(2, true, &[0]), (1, fielded, false));
}

#[test]
fn without_cohesion_or_men_a_brigade_is_gone() {
    let shoot = |cohesion: i32, men: u32, hits: &[u32]| {
        let mut field = duel();
        let spec = &mut field.army(Side::B).brigades[0];
        (spec.cohesion, spec.men) = (cohesion, men);
        let mut stage = engaged(field, &[(a(1), Act::Assault), (b(1), Act::Skirmish)]);
        let events = stage.fight(Calm::but(&[("fire/hit/b1", hits)]));
        let brigade = stage.brigade(b(1));
        // It has lost all, and fires no more and is checked no more.
        assert!(checks(&events).iter().all(|check| check.brigade != b(1)));
        (brigade.presence, brigade.men)
    };
    assert_eq!(shoot(2, 400, &[0, 0]), (Presence::Gone(Lost::Broken), 340 - 340 / 4));
    assert_eq!(shoot(6, 25, &[]), (Presence::Gone(Lost::Annihilated), 0));
}

/// ACW-16, ACW-58.
#[test]
fn checks_count_front_friends_and_works() {
    let mut field = duel();
    // Another enemy of B1 in its rear, and friends of B1 three and four hexes off; all others look elsewhere.
    field.add(Side::A, "0705", |_| {});
    field.add(Side::B, "0602", |_| {});
    field.add(Side::B, "0608", |_| {});
    field.add(Side::B, "1005", |_| {});
    let mut stage = engaged(field, &[(a(1), Act::Skirmish), (a(2), Act::Skirmish), (b(1), Act::Assault)]);
    stage.apply(&Event::Faced { brigade: b(1), way: Direction::West });
    let events = stage.fight(Calm::but(&[]));
    let check = *checks(&events).iter().find(|check| check.brigade == b(1)).unwrap();
    let frontal: Vec<bool> =
        shots(&events).iter().filter(|shot| shot.target == b(1)).map(|shot| shot.frontal).collect();
    assert_eq!(frontal, [true, false]);
    assert_eq!(part(check, Factor::Front), 0);
    assert_eq!(part(check, Factor::Order), 2);
    // Two friends within three hexes, two enemies within two.
    assert_eq!(part(check, Factor::Confidence), 0);
    assert_eq!(check.total, 6 + 5 + 2 + 7);
    assert_eq!(check.result, CheckResult::Holds);
}

/// B1 is fired at and checked with this die; from cohesion and quality on it may be anything.
fn checked(change: impl FnOnce(&mut Field), numbers: &[(&str, &[u32])]) -> (Stage, Vec<Event>) {
    let mut field = duel();
    let spec = &mut field.army(Side::B).brigades[0];
    // 6 + 0 + 4 - 1: 9 and the die.
    (spec.experience, spec.leadership) = (0, 0);
    change(&mut field);
    let mut stage = engaged(field, &[(a(1), Act::Skirmish), (b(1), Act::Skirmish)]);
    let events = stage.fight(Calm::but(numbers));
    (stage, events)
}

/// ACW-53.
#[test]
fn a_check_sends_back_a_hex_or_two_or_three_or_four() {
    let went = |numbers: &[(&str, &[u32])]| {
        let (stage, events) = checked(|_| {}, numbers);
        let way = events.iter().find_map(|event| match event {
            Event::Retreated { way, flees, .. } => Some((way.len(), *flees)),
            _ => None,
        });
        let brigade = stage.brigade(b(1));
        (way, brigade.at, brigade.shattered, brigade.cohesion)
    };
    assert_eq!(went(&[("check/hold/b1", &[7])]).0, None);
    // 15 falls back, straight away from the enemy and toward its own edge.
    assert_eq!(went(&[("check/hold/b1", &[6])]), (Some((1, false)), Some(hex("0705")), false, 6));
    let far = [("check/hold/b1", [2].as_slice()), ("flee/length/b1", &[1])];
    assert_eq!(went(&far), (Some((2, false)), Some(hex("0805")), false, 6));
    // 10 shatters: no more than 4 of cohesion is left (ACW-11), and it flees.
    assert_eq!(went(&[("check/hold/b1", &[1])]), (Some((3, true)), Some(hex("0905")), true, 4));
    let far = [("check/hold/b1", [0].as_slice()), ("flee/length/b1", &[1])];
    assert_eq!(went(&far), (Some((4, true)), Some(hex("1005")), true, 4));
}

/// ACW-11.
#[test]
fn a_shattered_brigade_flees_again_or_is_eliminated() {
    let shattered = |die: u32, cohesion: i32| {
        let broken = |field: &mut Field| {
            let spec = &mut field.army(Side::B).brigades[0];
            (spec.shattered, spec.cohesion) = (true, cohesion);
        };
        let (stage, events) = checked(broken, &[("check/hold/b1", &[die])]);
        let anew = events.contains(&Event::Shattered { brigade: b(1) });
        (stage.brigade(b(1)).presence, stage.brigade(b(1)).at, anew)
    };
    // 3 + 0 + 4 - 1 is 6: eliminated. One more, and it flees alone.
    assert_eq!(shattered(0, 3), (Presence::Gone(Lost::Routed), None, false));
    assert_eq!(shattered(1, 3), (Presence::Fielded, Some(hex("0905")), false));
    // A brigade that has not shattered does so in its place.
    let worn = |field: &mut Field| field.army(Side::B).brigades[0].cohesion = 3;
    let (stage, events) = checked(worn, &[("check/hold/b1", &[0])]);
    assert!(events.contains(&Event::Shattered { brigade: b(1) }));
    assert_eq!(stage.brigade(b(1)).at, Some(hex("0905")));
}

/// ACW-53.
#[test]
fn who_cannot_go_back_loses_cohesion() {
    let surrounded = |field: &mut Field| {
        for at in ["0604", "0705", "0606"] {
            field.put(at, "deep water");
        }
    };
    let (stage, events) = checked(surrounded, &[("check/hold/b1", &[6])]);
    assert!(events.contains(&Event::Cornered { brigade: b(1), cohesion: 5 }));
    let brigade = stage.brigade(b(1));
    assert_eq!((brigade.at, brigade.cohesion, brigade.act), (Some(hex("0605")), 5, Act::Stand));
    // It may shatter so, or be gone.
    let last = |field: &mut Field| {
        surrounded(field);
        let spec = &mut field.army(Side::B).brigades[0];
        (spec.cohesion, spec.shattered, spec.experience, spec.leadership) = (1, true, 5, 6);
    };
    let (stage, _) = checked(last, &[("check/hold/b1", &[3])]);
    assert_eq!(stage.brigade(b(1)).presence, Presence::Gone(Lost::Broken));
}

/// ACW-66.
#[test]
fn a_flight_leads_by_friendly_ground_and_through_friends() {
    let ended = |change: &dyn Fn(&mut Stage)| {
        let mut field = duel();
        let spec = &mut field.army(Side::B).brigades[0];
        (spec.experience, spec.leadership) = (0, 0);
        field.add(Side::B, "0705", |_| {});
        let mut stage = engaged(field, &[(a(1), Act::Skirmish), (b(1), Act::Skirmish)]);
        change(&mut stage);
        // With a friend within three hexes it is 10 and the die.
        let events = stage.fight(Calm::but(&[("check/hold/b1", &[2]), ("flee/length/b1", &[1])]));
        events
            .into_iter()
            .find_map(|event| if let Event::Retreated { way, .. } = event { Some(way) } else { None })
    };
    // Through B2 to the hex behind it, which lies nearest to the edge.
    assert_eq!(ended(&|_| {}), Some(vec![hex("0705"), hex("0805")]));
    // That one is the enemy's: another, of friendly ground all the way.
    let taken = |stage: &mut Stage| {
        for at in ["0805", "0704"] {
            stage.change(Change::Control(hex(at), Side::A));
        }
    };
    let way = ended(&taken).unwrap();
    assert!(!way.contains(&hex("0805")) && !way.contains(&hex("0704")), "{way:?}");
    assert_eq!(way.len(), 2);
}

/// ACW-15, ACW-65.
#[test]
fn what_happened_near_weighs_in_the_next_check() {
    let mut field = duel();
    field.add(Side::B, "0808", |_| {});
    field.add(Side::B, "0809", |_| {});
    field.add(Side::A, "0407", |_| {});
    // B1 holds in a fort, come what may.
    field.battle.map.forts.insert(hex("0605"), 3);
    let mut stage = Stage::of(field);
    // A friend shatters and retreats from two hexes off, one is destroyed, an enemy retreats; its own retreat counts nothing.
    stage.apply(&Event::Shattered { brigade: b(2) });
    let back = |brigade, from: &str, to: &str| Event::Retreated {
        brigade,
        from: hex(from),
        way: vec![hex(to)],
        flees: true,
    };
    stage.apply(&back(b(2), "0808", "1208"));
    stage.apply(&Event::Destroyed { brigade: b(3), at: hex("0809"), how: Lost::Broken });
    stage.apply(&back(a(2), "0407", "0207"));
    stage.apply(&back(b(1), "0605", "0605"));
    let mut weights = Vec::new();
    for _ in 0..4 {
        stage.next();
        stage.aim_calmly();
        stage.act(a(1), Act::Skirmish);
        stage.act(b(1), Act::Skirmish);
        let events = stage.fight(Calm::but(&[("check/hold/a1", &[7]), ("check/hold/b1", &[7])]));
        let of = |id| part(checks(&events).iter().find(|check| check.brigade == id).unwrap(), Factor::Before);
        weights.push((of(a(1)), of(b(1))));
    }
    // B1: 0605 is three hexes from 0808 and four from 0809: -3 and -7, +2 for A2 three hexes off; no less than -7. For the one destroyed a turn more.
    // A1: its friend A2 retreated two hexes off, and B1 next to it: -1 + 2; B2 and B3 were farther than three hexes.
    assert_eq!(weights, [(1, -7), (0, -7), (0, 0), (0, 0)]);
}

/// ACW-7, ACW-40.
#[test]
fn the_armys_commander_gives_heart() {
    let led = |profile: Profile, hq: &str, act: Act| {
        let mut field = duel();
        field.hq_at(Side::A, hq);
        let mut stage = engaged(field, &[(a(1), act), (b(1), Act::Skirmish)]);
        stage.profile(Side::A, profile);
        let numbers: &[(&str, &[u32])] = if profile == Profile::Heroic && act == Act::Assault && hq != "0105"
        {
            &[("fire/heroic/a1", &[5])]
        } else {
            &[]
        };
        let events = stage.fight(Calm::but(numbers));
        let value = shots(&events).iter().find(|shot| shot.attacker == a(1)).unwrap().value;
        let check = *checks(&events).iter().find(|check| check.brigade == a(1)).unwrap();
        (value, part(check, Factor::Command))
    };
    // Three hexes off: an assault of 24.5 and half as much again; a skirmish of 18.5 gains nothing.
    assert_eq!(led(Profile::Heroic, "0205", Act::Assault), (36, 3));
    assert_eq!(led(Profile::Heroic, "0205", Act::Skirmish), (18, 3));
    // Four hexes off is too far for him, and near enough for the others.
    assert_eq!(led(Profile::Heroic, "0105", Act::Assault), (24, 0));
    assert_eq!(led(Profile::Bold, "0105", Act::Skirmish), (20, 2));
    assert_eq!(led(Profile::Sensible, "0105", Act::Skirmish), (18, 1));
    assert_eq!(led(Profile::Cautious, "0205", Act::Skirmish), (18, 0));
    // Five are too far for all.
    assert_eq!(led(Profile::Bold, "0101", Act::Skirmish), (18, 0));
}

/// ACW-54, ACW-67.
#[test]
fn a_brigade_that_loses_cohesion_may_lose_its_leader() {
    let mut field = duel();
    let division = field.division(Side::B);
    field.army(Side::B).brigades[0].over = division;
    let mut stage = engaged(field, &[(a(1), Act::Assault), (b(1), Act::Skirmish)]);
    // Two points: 4 in a hundred each.
    let events = stage.fight(Calm::but(&[
        ("fire/hit/b1", &[0, 0]),
        ("leader/brigade/b1", &[3]),
        ("leader/fate/b1", &[1]),
        ("leader/staff/bh2", &[3]),
        ("leader/fate/bh2", &[2]),
    ]));
    let hit = |unit, fate, staff| Event::LeaderHit { unit, fate, leadership: 4, staff, second: false };
    assert!(events.contains(&hit(UnitId::Brigade(b(1)), Fate::Wounded, None)));
    assert!(events.contains(&hit(UnitId::Hq(division), Fate::Captured, Some(4))));
    assert_eq!(stage.hq(division).staff, 4, "both ratings of a deputy are one lower");
    let brigade = stage.brigade(b(1));
    assert_eq!((brigade.leader, brigade.leadership), (Some(Fate::Wounded), 4));
    // Deputies aren't hit again.
    stage.next();
    stage.aim_calmly();
    stage.act(a(1), Act::Assault);
    let events = stage.fight(Calm::but(&[("fire/hit/b1", &[0])]).without("leader"));
    assert!(!events.iter().any(|event| matches!(event, Event::LeaderHit { .. })));
}

/// ACW-23, ACW-37.
#[test]
fn the_armys_commander_is_in_danger_by_his_profile() {
    let fell = |profile: Profile, hq: &str, die: u32| {
        let mut field = duel();
        field.hq_at(Side::A, hq);
        let mut stage = engaged(field, &[(a(1), Act::Skirmish), (b(1), Act::Skirmish)]);
        stage.profile(Side::A, profile);
        let calm = Calm::but(&[]).loosely("leader/army/ah1", die);
        let events = stage.fight(calm);
        events.iter().any(|event| matches!(event, Event::LeaderHit { unit: UnitId::Hq(_), .. }))
    };
    // In thousandths.
    for (profile, most) in [(Profile::Heroic, 80), (Profile::Bold, 20), (Profile::Sensible, 2)] {
        assert!(fell(profile, "0105", most - 1), "{profile:?}");
        assert!(!fell(profile, "0105", most), "{profile:?}");
        assert!(!fell(profile, "0101", 0), "{profile:?}: more than four hexes off");
    }
    assert!(!fell(Profile::Cautious, "0105", 0));
}

/// ACW-37.
#[test]
fn the_second_in_command_succeeds_and_then_a_deputy() {
    let mut field = duel();
    field.hq_at(Side::A, "0405");
    field.army(Side::A).second =
        Some(musterd_acw::battle::Second { name: "General Second".to_owned(), leadership: 7 });
    let mut stage = engaged(field, &[(a(1), Act::Skirmish), (b(1), Act::Skirmish)]);
    stage.profile(Side::A, Profile::Heroic);
    let falls: [(&str, &[u32]); 2] = [("leader/army/ah1", &[0]), ("leader/fate/ah1", &[0])];
    let unit = UnitId::Hq(HqId::army(Side::A));
    let hit =
        |leadership, staff, second| Event::LeaderHit { unit, fate: Fate::Killed, leadership, staff, second };
    let events = stage.fight(Calm::but(&falls));
    assert!(events.contains(&hit(7, None, false)), "the staff is the army's, and stays");
    // Nobody leads so any more.
    assert!(events.contains(&Event::Profiled { side: Side::A, profile: Profile::Sensible, fallback: true }));
    let mut turn = |numbers: &[(&str, &[u32])]| {
        stage.next();
        stage.aim_calmly();
        stage.act(a(1), Act::Skirmish);
        stage.act(b(1), Act::Skirmish);
        stage.fight(Calm::but(numbers))
    };
    assert!(turn(&falls).contains(&hit(6, Some(4), true)));
    assert!(!turn(&[]).iter().any(|event| matches!(event, Event::LeaderHit { .. })));
}

/// ACW-28.
#[test]
fn a_headquarters_under_fire_gets_away() {
    let shelled = |numbers: &[(&str, &[u32])], act: Act| {
        let mut field = Field::of("clear");
        field.add(Side::A, "0505", |_| {});
        field.add(Side::A, "0504", |_| {});
        field.add(Side::B, "1510", |_| {});
        field.hq_at(Side::B, "0705");
        for at in ["0805", "0905", "1005"] {
            field.army(Side::B).ground.push(hex(at));
        }
        field.army(Side::A).ground = ["0806", "0804", "0706", "0704"].map(hex).to_vec();
        let mut stage = engaged(field, &[(a(1), act), (a(2), Act::Regroup)]);
        let events = stage.fight(Calm::but(numbers));
        let hq = stage.hq(HqId::army(Side::B));
        (hq.at.unwrap(), hq.leader, events.len())
    };
    let roll: (&str, &[u32]) = ("flee/length/bh1", &[1]);
    assert_eq!(shelled(&[roll], Act::Stand), (hex("1005"), None, 1));
    assert_eq!(shelled(&[("flee/length/bh1", &[0])], Act::Stand), (hex("0905"), None, 1));
    // Five in a hundred.
    let falls: [(&str, &[u32]); 3] = [roll, ("leader/fire/bh1", &[4]), ("leader/fate/bh1", &[0])];
    assert_eq!(shelled(&falls, Act::Stand), (hex("1005"), Some(Fate::Killed), 2));
    assert_eq!(shelled(&[roll, ("leader/fire/bh1", &[5])], Act::Stand), (hex("1005"), None, 1));
    // Only who stands fires.
    assert_eq!(shelled(&[], Act::Reserve), (hex("0705"), None, 0));
}

/// ACW-34, ACW-64.
#[test]
fn guns_bombard_where_they_stand() {
    let bombard = |act: Act| {
        let mut field = Field::of("clear");
        let guns = field.guns(12, "3in-rifle");
        field.add(Side::A, "0505", |spec| (spec.arm, spec.arms, spec.guns) = (Arm::Artillery, None, guns));
        field.add(Side::B, "0905", |_| {});
        let mut stage = engaged(field, &[(a(1), act), (b(1), Act::Reserve)]);
        let events = stage.fight(Calm::but(&[]));
        shots(&events).iter().map(|shot| (shot.value, shot.vulnerability)).collect::<Vec<_>>()
    };
    // 6 + 2 + 3 + 6, less twice 3: 11. Of a brigade in reserve the type counts nothing: 6 + 5 + 6.
    assert_eq!(bombard(Act::Stand), [(11, 17)]);
    assert_eq!(bombard(Act::Deploy(Direction::East)), []);
}

/// ACW-41.
#[test]
fn an_assault_leaves_works() {
    let mut field = duel();
    field.army(Side::A).brigades[0].works = 2;
    let mut stage = engaged(field, &[(a(1), Act::Assault), (b(1), Act::Skirmish)]);
    let events = stage.fight(Calm::but(&[]));
    assert_eq!(events[0], Event::WorksLost { brigade: a(1) });
    assert_eq!(stage.brigade(a(1)).works, 0);
}

/// ACW-68.
#[test]
fn a_surprised_brigade_deploys_behind_the_fight() {
    let mut field = duel();
    field.army(Side::B).brigades[0].column = true;
    let mut stage = Stage::of(field);
    stage.aim(dice(&[("surprise/march/b1", &[10])], &[]));
    stage.act(a(1), Act::Skirmish);
    let events = stage.fight(Calm::but(&[("check/hold/b1", &[7])]));
    assert_eq!(firing(&events), [a(1), b(1)]);
    let fired = shots(&events);
    // It has lost a strength point of 18 already: 18.25 is cut to 2.
    assert_eq!((fired[0].vulnerability, fired[1].value), (6 + 5 + 6, 2));
    assert_eq!(fired[1].fire.last(), Some(&Part(Factor::Cap, 8 - 73)));
    assert_eq!(stage.brigade(b(1)).formation, Formation::Line);
}

#[test]
fn nobody_fights_in_no_move_turns_and_all_fight_worse_at_night() {
    let mut field = duel();
    field.under(Weather::Clear, Light::Night);
    field.battle.hours[1].still = true;
    let mut stage = engaged(field, &[(a(1), Act::Skirmish), (b(1), Act::Skirmish)]);
    let events = stage.fight(Calm::but(&[]));
    assert_eq!(shots(&events).iter().map(|shot| shot.value).collect::<Vec<_>>(), [6, 6]);
    stage.next();
    stage.aim_calmly();
    assert_eq!(stage.fight(Calm::but(&[])), []);
}

#[test]
fn a_duel_to_the_end() {
    let mut field = duel();
    let guns = field.guns(6, "mixed");
    field.army(Side::A).brigades[0].guns = guns;
    let mut stage = Stage::of(field);
    let mut turn = |numbers: &[(&str, &[u32])]| {
        stage.next();
        stage.aim_calmly();
        stage.act(a(1), Act::Skirmish);
        stage.act(b(1), Act::Skirmish);
        let events = stage.fight(Calm::but(numbers));
        let fired: Vec<_> = shots(&events)
            .iter()
            .map(|shot| (shot.value, shot.vulnerability, shot.hits, shot.lost))
            .collect();
        let b1 = stage.brigade(b(1));
        (fired, b1.men, b1.cohesion, b1.presence)
    };
    let on = Presence::Fielded;
    // A1 draws the first lot: 18.5 and guns 3 + 2 + 2 + 6 make 31, against 6 + 5 + 6 + 6: 4 hits, 12 % of 1,800. B1 is down to 4, and answers with three
    // quarters of 8 + 4 + 0 and 6: 13 against 23 is a hit.
    let first: [(&str, &[u32]); 2] = [("fire/hit/b1", &[0, 1, 0, 1]), ("fire/lot/b1", &[1])];
    assert_eq!(turn(&first), (vec![(31, 23, 4, 216), (13, 23, 1, 54)], 1584, 4, on));
    // 1,746 men are 17 points still, a quarter less than before; B1's size counts 3 now: 31 against 4 + 5 + 6 + 3 and 2: 5 hits, 15 % of 1,584.
    // It is at 2, and shatters by that: half of 8 + 4 and 6 against 23.
    let second: [(&str, &[u32]); 2] = [("fire/vulnerable/b1", &[2]), ("fire/hit/b1", &[0, 1, 0, 1, 1])];
    assert_eq!(turn(&second), (vec![(31, 20, 5, 237), (8, 23, 0, 0)], 1347, 2, on));
    // 31 against 2 + 5 + 6 + 3: 6 hits; the last cohesion goes.
    let (fired, men, cohesion, presence) = turn(&[("fire/hit/b1", &[0, 0])]);
    assert_eq!(fired, [(31, 16, 6, 242)]);
    assert_eq!((men, cohesion, presence), (1105 - 1105 / 4, 0, Presence::Gone(Lost::Broken)));
}

/// ACW-18, ACW-47.
#[test]
fn an_advance_fires_from_two_hexes_with_smoothbores_too() {
    let mut field = Field::of("clear");
    let smoothbores = field.arms("smoothbore");
    field.add(Side::A, "0505", |spec| spec.arms = smoothbores);
    field.add(Side::B, "0705", |_| {});
    let mut stage = engaged(field, &[(a(1), Act::Advance), (b(1), Act::Skirmish)]);
    let events = stage.fight(Calm::but(&[]));
    // B1 skirmishes and fires first: a quarter of 18.5. A1: a quarter of 12.5, 2 and 2.
    assert_eq!(firing(&events), [b(1), a(1)]);
    assert_eq!(shots(&events).iter().map(|shot| shot.value).collect::<Vec<_>>(), [4, 4]);
    // Without firearms a brigade is engaged, and can't fire so far.
    let mut field = Field::of("clear");
    let spears = field.arms("spear");
    field.add(Side::A, "0505", |spec| spec.arms = spears);
    field.add(Side::B, "0705", |_| {});
    let mut stage = engaged(field, &[(a(1), Act::Advance), (b(1), Act::Skirmish)]);
    assert_eq!(firing(&stage.fight(Calm::but(&[]))), [b(1)]);
}

/// ACW-13.
#[test]
fn a_brigade_at_three_looks_shaken_outside_of_works() {
    let looks = |cohesion: i32, works: u8| {
        let mut field = duel();
        let spec = &mut field.army(Side::B).brigades[0];
        (spec.cohesion, spec.works) = (cohesion, works);
        let stage = Stage::of(field);
        let view = stage.view(Side::A);
        view.foes.iter().find(|foe| foe.at == hex("0605")).unwrap().shaken
    };
    assert_eq!(
        [(4, 0), (3, 0), (3, 1)].map(|(cohesion, works)| looks(cohesion, works)),
        [false, true, false]
    );
}

/// ACW-69.
#[test]
fn all_are_checked_before_anybody_falls_back() {
    let mut field = duel();
    let spec = &mut field.army(Side::B).brigades[0];
    (spec.experience, spec.leadership) = (0, 0);
    field.add(Side::A, "0507", |_| {});
    field.add(Side::B, "0607", |_| {});
    let acts = [a(1), a(2), b(1), b(2)].map(|id| (id, Act::Skirmish));
    let mut stage = engaged(field, &acts);
    // B1 has B2 within three hexes, and A1 and A2 within two: 9 and the die. It flees four hexes.
    let events = stage.fight(Calm::but(&[("check/hold/b1", &[0]), ("flee/length/b1", &[1])]));
    let told = checks(&events);
    let second = *told.iter().find(|check| check.brigade == b(2)).unwrap();
    // For B2 it still stands beside it.
    assert_eq!(part(second, Factor::Confidence), 1 - 2);
    assert!(stage.brigade(b(1)).at.unwrap().distance(hex("0607")) > 3);
    let last = events.iter().rposition(|event| matches!(event, Event::Checked(_)));
    let first = events.iter().position(|event| matches!(event, Event::Retreated { .. }));
    assert!(last < first, "{events:?}");
}

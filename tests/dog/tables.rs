//! The tables of Death or Glory, every cell as the manual prints it: armies (table 1), terrain, relief, fortifications (3), strikes (4.3).

use musterd_dog::battle::{Ground, Switches};
use musterd_dog::model::{Fortification, People, Relief, Scale, Sort, Terrain};
use musterd_dog::numbers::Numbers;
use musterd_dog::{SHIPPED, scores};
use musterd_engine::files::RuleFiles;

fn numbers() -> Numbers {
    let files = SHIPPED.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    Numbers::load(&RuleFiles(files.collect())).unwrap()
}

fn sort(numbers: &Numbers, code: &str) -> Sort {
    let troop = numbers.find(code).unwrap();
    Sort { troop, elite: false, people: None, crew: None, size: None, fighters: 1 }
}

fn ground(terrain: Terrain, relief: Relief) -> Ground {
    Ground { terrain, relief, walls: None }
}

const BUSHES: Terrain = Terrain::of("bushes").unwrap();
const FOREST: Terrain = Terrain::of("forest").unwrap();
const SAND: Terrain = Terrain::of("sand").unwrap();
const SNOW: Terrain = Terrain::of("snow").unwrap();
const SWAMP: Terrain = Terrain::of("swamp").unwrap();
const WATER: Terrain = Terrain::of("water").unwrap();
const OPEN: Ground = Ground { terrain: Terrain::CLEAR, relief: Relief::Plains, walls: None };
const FLIERS_WALK: Switches = Switches { fliers: false, ..Switches::USUAL };

/// Table 1: attack, distance, defence, move, size, hit points, ego, hire, maintenance. Rulings DOG-9 and DOG-10 fill what it leaves open.
const ARMIES: &str = "
    A  1 10x3:5 1 1 1 2 2 2 2
    LC 3 0 3 5 2 3 4 3 3
    HC 4 0 4 4 2 5 6 4 4
    K  6 0 4 4 2 6 10 8 4
    C  2 0 1 4 3 5 4 6 4
    LI 3 0 2 2 1 2 2 2 2
    P  3 0 5 1 1 3 4 3 2
    HI 4 0 4 1 1 4 5 4 3
    B  3 5x2:3 3 2 1 3 3 1 3
    N  2 5x2:3 2 5 2 2 3 2 1
    PE 1 0 1 1 1 1 1 1 1
    D  3 0 3 1 1 3 3 2 2
    DG 5 0 5 2 1 5 6 8 3
    E  2 5x3:5 2 2 1 2 4 2 2
    EA 1 10x5:5 1 2 1 2 5 2 3
    F  2 5x4:5 2 2 1 2 3 2 2
    FA 1 10x4:5 2 2 1 2 5 2 2
    L  3 0 3 2 1 3 3 2 2
    LG 4 3x5:2 4 3 1 4 6 6 4
    G  1 5x2:3 1 1 1 1 1 1 1
    O  3 0 1 2 1 3 2 2 1
    OG 3 0 4 3 2 5 5 4 3
    T  4 0 4 1 3 8 8 2 4
    GI 10 0 8 5 5 30 50 20 10
    R  2 0 2 3 1 3 2 1 2
    BL 5 0 4 3 4 6 2 12 4
    BE 5 0 3 4 5 8 2 16 4
    BP 4 0 0 8 2 4 2 12 4
    BW 3 0 3 5 1 3 2 8 2
    BM 5 5x10:3 5 3 2 5 20 20 5
    W  20 0 20 10 20 40 100 40 20
    DE 250 50x200:10 250 50 5 1000 50000 20000 10000";

#[test]
fn table_1_is_the_manuals() {
    let numbers = numbers();
    let rows: Vec<Vec<&str>> =
        ARMIES.trim().lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    assert_eq!(rows.len(), numbers.troops().count());
    for row in rows {
        let one = sort(&numbers, row[0]);
        let shot = scores::distance(&numbers, &one).map_or_else(|| "0".to_owned(), |d| d.to_string());
        let found = [
            scores::attack(&numbers, &one, OPEN).to_string(),
            shot,
            scores::defence(&numbers, Switches::USUAL, &one, OPEN).to_string(),
            scores::moves(&numbers, std::slice::from_ref(&one)).to_string(),
            scores::size(&numbers, &one).to_string(),
            scores::hp(&numbers, &one).to_string(),
            scores::ego(&numbers, [&one]).to_string(),
            scores::hire(&numbers, [&one]).to_string(),
            scores::maintenance(&numbers, [&one]).to_string(),
        ];
        assert_eq!(found, row[1..], "{}", row[0]);
        // Elite: attack, defence and maintenance twice, ego and hire three times, the rest as before (ruling DOG-8).
        let elite = Sort { elite: true, ..one.clone() };
        let sorts = [&one, &elite];
        let ego = sorts.map(|sort| scores::ego(&numbers, [sort]));
        let hire = sorts.map(|sort| scores::hire(&numbers, [sort]));
        let keep = sorts.map(|sort| scores::maintenance(&numbers, [sort]));
        assert_eq!([ego[1], hire[1], keep[1]], [3 * ego[0], 3 * hire[0], 2 * keep[0]], "{}", row[0]);
        assert_eq!(scores::attack(&numbers, &elite, OPEN), 2 * scores::attack(&numbers, &one, OPEN));
        let defence = |sort: &Sort| scores::defence(&numbers, Switches::USUAL, sort, OPEN);
        assert_eq!(defence(&elite), 2 * defence(&one));
        assert_eq!(scores::hp(&numbers, &elite), scores::hp(&numbers, &one));
        assert_eq!(scores::distance(&numbers, &elite), scores::distance(&numbers, &one));
    }
}

type Row = (Terrain, [u16; 2], i32, Option<(People, u32)>);

/// Terrain (3.1): moves and defence in halves, visibility, and who is at home there with which attack.
const TERRAIN: [Row; 8] = [
    (Terrain::CLEAR, [2, 2], 1, None),
    (BUSHES, [4, 2], 2, Some((People::Sanva, 1))),
    (FOREST, [6, 4], 4, Some((People::Forest, 2))),
    (Terrain::ROAD, [1, 2], 1, None),
    (SAND, [4, 2], 1, Some((People::Desert, 1))),
    (SNOW, [4, 2], 1, Some((People::Arctic, 1))),
    (SWAMP, [8, 4], 2, Some((People::Swamp, 2))),
    (WATER, [10, 1], 1, Some((People::Water, 1))),
];

/// Relief (3.2): moves, defence and visibility, each so much more; and how much more moves and visibility are to dwarves (ruling DOG-30).
const RELIEF: [(Relief, u16, u16); 3] =
    [(Relief::Plains, 0, 0), (Relief::Hills, 1, 0), (Relief::Mountains, 2, 1)];

#[test]
fn every_ground_is_to_every_people_as_the_manual_says() {
    let numbers = numbers();
    let peoples: Vec<Option<People>> = People::ALL.into_iter().map(Some).chain([None]).collect();
    for (terrain, [moves, defence], visibility, home) in TERRAIN {
        for (people, (relief, more, to_dwarves)) in
            peoples.iter().flat_map(|people| RELIEF.map(|relief| (*people, relief)))
        {
            let place = format!("{people:?} in {terrain:?} {relief:?}");
            // Peasants have 1 in each score, so that their scores are the multipliers.
            let folk = Sort { people, ..sort(&numbers, "PE") };
            let sorts = std::slice::from_ref(&folk);
            let ground = ground(terrain, relief);
            let native = home.filter(|(whose, _)| Some(*whose) == people);
            let climb = if people == Some(People::Dwarf) { to_dwarves } else { more };

            let expected = native.map_or(moves, |_| 2) + 2 * climb;
            assert_eq!(scores::cost(&numbers, Switches::USUAL, sorts, ground), expected, "moves of {place}");
            let cover = native.map_or(defence, |_| defence.max(2)) + 2 * more;
            assert_eq!(
                scores::cover(&numbers, Switches::USUAL, &folk, ground),
                u32::from(cover),
                "cover of {place}"
            );
            // At least one, and rounded down (ruling DOG-4).
            let score = scores::defence(&numbers, Switches::USUAL, &folk, ground);
            assert_eq!(score, u32::from(cover / 2).max(1), "defence of {place}");
            let attack = native.map_or(1, |(_, attack)| attack);
            assert_eq!(scores::attack(&numbers, &folk, ground), attack, "attack of {place}");
            let expected = native.map_or(visibility, |_| 1) + i32::from(climb);
            assert_eq!(scores::visibility(&numbers, Some(sorts), ground), expected, "visibility to {place}");
        }
    }
}

#[test]
fn a_hidden_unit_is_easiest_to_find_for_whoever_is_at_home() {
    let numbers = numbers();
    let to_natives = |terrain| {
        [Relief::Plains, Relief::Hills, Relief::Mountains]
            .map(|relief| scores::visibility_to_natives(&numbers, ground(terrain, relief)))
    };
    // Forestmen see through forests, dwarves over hills and half-way over mountains.
    assert_eq!(to_natives(FOREST), [1, 1, 2]);
    assert_eq!(to_natives(Terrain::CLEAR), [1, 1, 2]);
    assert_eq!(to_natives(Terrain::ROAD), [1, 1, 2]);
}

#[test]
fn a_score_of_five_in_water_is_two() {
    let numbers = numbers();
    let defence = |code: &str| {
        let water = ground(WATER, Relief::Plains);
        scores::defence(&numbers, Switches::USUAL, &sort(&numbers, code), water)
    };
    // 5, 4, 3, 2, 1 and 0 (ruling DOG-4: rounded down, at least one, but nothing of nothing); lizardmen are at home there.
    assert_eq!(["P", "OG", "D", "LI", "PE", "BP", "L"].map(defence), [2, 2, 1, 1, 1, 0, 3]);
}

#[test]
fn walls_take_the_place_of_terrain_and_stand_on_relief() {
    let numbers = numbers();
    for (walls, by) in
        [(Fortification::Earthwork, 2), (Fortification::Castle, 3), (Fortification::Stronghold, 4)]
    {
        for (relief, more) in [(Relief::Plains, 0), (Relief::Hills, 1), (Relief::Mountains, 2)] {
            for terrain in [Terrain::CLEAR, BUSHES, SNOW, FOREST] {
                let ground = Ground { terrain, relief, walls: Some(walls) };
                let place = format!("{walls:?} in {terrain:?} {relief:?}");
                for people in [None, Some(People::Forest), Some(People::Sanva)] {
                    let folk = Sort { people, ..sort(&numbers, "PE") };
                    let score = scores::defence(&numbers, Switches::USUAL, &folk, ground);
                    assert_eq!(score, by + more, "{place}");
                    assert_eq!(scores::attack(&numbers, &folk, ground), 1, "{place}");
                    let cost = scores::cost(&numbers, Switches::USUAL, &[folk], ground);
                    assert_eq!(u32::from(cost), 2 * (1 + more), "{place}");
                }
            }
        }
    }
    // Cavalry and beasts of war are light infantry inside (3.3, ruling DOG-27), who have 3 and 2; everybody else is what they are.
    let inside = Ground { walls: Some(Fortification::Castle), ..OPEN };
    let as_infantry = ["LC", "HC", "K", "N", "BL", "BE", "BW", "BP"];
    for (_, troop) in numbers.troops() {
        let one = sort(&numbers, &troop.code);
        let expected =
            if as_infantry.contains(&troop.code.as_str()) { (3, 2) } else { (troop.attack, troop.defence) };
        let found = (
            scores::attack(&numbers, &one, inside),
            scores::defence(&numbers, Switches::USUAL, &one, inside),
        );
        assert_eq!(found, (expected.0, 3 * expected.1), "{}", troop.code);
    }
}

#[test]
fn who_may_enter_which_ground() {
    let numbers = numbers();
    // Chariots and beasts in forests; four hit points or more in swamps; the heavily armoured and some beasts in water (3.1, DOG-24, DOG-25).
    for (terrain, barred, flying) in [
        (FOREST, "C BL BE", ""),
        (SWAMP, "HC K C HI DG OG T GI BL BE BM DE", "BP W"),
        (WATER, "HC K C HI DG BL BE BW", ""),
        (Terrain::CLEAR, "", ""),
        (BUSHES, "", ""),
        (SAND, "", ""),
    ] {
        let listed = |list: &str, code: &str| list.split(' ').any(|one| one == code);
        for (_, troop) in numbers.troops() {
            let one = [sort(&numbers, &troop.code)];
            let enters =
                |switches| scores::enters(&numbers, switches, &one, ground(terrain, Relief::Plains)).is_ok();
            let code = troop.code.as_str();
            assert_eq!(enters(Switches::USUAL), !listed(barred, code), "{code} {terrain:?}");
            assert_eq!(
                enters(FLIERS_WALK),
                !listed(barred, code) && !listed(flying, code),
                "{code} {terrain:?}"
            );
            let walled = Ground { walls: Some(Fortification::Castle), ..ground(terrain, Relief::Plains) };
            assert!(scores::enters(&numbers, FLIERS_WALK, &one, walled).is_ok(), "{code} in a castle");
        }
    }
    // A people at home there is not barred.
    let heavy = |people| [Sort { people: Some(people), ..sort(&numbers, "HI") }];
    for (terrain, people) in [(SWAMP, People::Swamp), (WATER, People::Water)] {
        let place = ground(terrain, Relief::Plains);
        assert!(scores::enters(&numbers, Switches::USUAL, &heavy(people), place).is_ok());
        assert!(scores::enters(&numbers, Switches::USUAL, &heavy(People::Desert), place).is_err());
    }
}

#[test]
fn strikes_are_table_2_and_the_cap_is_six_tenths_rounded_up() {
    let capped = Switches { tiny_strikes: true, ..Switches::USUAL };
    for force in 0..=250_u32 {
        let tens = if force % 10 == 0 { force / 10 } else { force / 10 + 1 };
        for (die, strength) in [(1, 4), (2, 4), (3, 5), (4, 5), (5, 6), (6, 6)] {
            assert_eq!(scores::damage(Switches::USUAL, force, die), strength * tens, "{force} {die}");
        }
    }
    // The most that so small a force can do, with the best and the worst die (ruling DOG-5).
    for (force, best, worst) in [
        (0, 0, 0),
        (1, 1, 1),
        (2, 2, 2),
        (3, 2, 2),
        (4, 3, 3),
        (5, 3, 3),
        (6, 4, 4),
        (7, 5, 4),
        (8, 5, 4),
        (9, 6, 4),
        (10, 6, 4),
        (11, 7, 7),
        (12, 8, 8),
        (13, 8, 8),
        (14, 9, 8),
        (15, 9, 8),
        (20, 12, 8),
        (21, 13, 12),
        (95, 57, 40),
        (100, 60, 40),
    ] {
        let found = [6, 1].map(|die| scores::damage(capped, force, die));
        assert_eq!(found, [best, worst], "a force of {force}");
    }
}

#[test]
fn what_is_divided_is_rounded_as_the_manual_says() {
    let numbers = numbers();
    // Fighters in a unit: two hundred, twenty or one by their size, and one at least (1, ruling DOG-11).
    for (code, strategic, tactical) in [
        ("LI", 200, 20),
        ("K", 100, 10),
        ("C", 66, 6),
        ("BL", 50, 5),
        ("GI", 40, 4),
        ("W", 10, 1),
        ("DE", 40, 4),
    ] {
        let one = sort(&numbers, code);
        let most = |scale| scores::capacity(&numbers, scale, &one);
        let found = [Scale::Strategic, Scale::Tactical, Scale::Personal].map(most);
        assert_eq!(found, [strategic, tactical, 1], "{code}");
    }
    // Whoever dies wholly dies: 4 hit points each (2.1, ruling DOG-2).
    let men = [Sort { fighters: 5, ..sort(&numbers, "HI") }];
    for (damage, dead) in [(0, 0), (3, 0), (4, 1), (7, 1), (8, 2), (19, 4), (20, 5), (21, 5), (400, 5)] {
        let expected = (vec![dead], u32::from(dead) * 4);
        assert_eq!(scores::deaths(&numbers, &men, damage), expected, "{damage}");
    }
    // A visibility beyond every factor still leaves one face of the die (4.6).
    assert_eq!(
        [(4, 1), (4, 3), (4, 4), (4, 6), (10, 4)].map(|(f, v)| scores::chance_to_find(f, v)),
        [3, 1, 1, 1, 6]
    );
}

#[test]
fn a_size_is_said_where_the_manual_leaves_it_open_and_nowhere_else() {
    let numbers = numbers();
    let sense = |code: &str, size| scores::sense(&numbers, &Sort { size, ..sort(&numbers, code) });
    let sound = [4, 5, 50, 51].map(|size| sense("DE", Some(size)).is_ok());
    assert_eq!(sound, [false, true, true, false]);
    assert!(sense("DE", Some(4)).unwrap_err().contains("of size 5 to 50, not 4"));
    assert!(sense("DE", None).unwrap_err().contains("of size 5 to 50: say which"));
    assert!(sense("K", None).is_ok() && sense("K", Some(2)).is_ok());
    assert!(sense("K", Some(1)).unwrap_err().contains("of size 2, not 1"));
}

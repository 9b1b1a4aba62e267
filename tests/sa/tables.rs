//! The charts of The Shattered Alliance, every cell as the manual prints it, and what follows from the figures alone: SA-1, SA-5, SA-28 and SA-40 among them.

use std::collections::BTreeMap;

use musterd_engine::Ruleset;
use musterd_sa::event::Nerve;
use musterd_sa::law;
use musterd_sa::model::{Class, Missile, Side, Terrain, UnitId, UnitType, Weapon};
use musterd_sa::numbers::Gifts;
use musterd_sa::{Position, Sa};

use crate::cases::rules;

/// A battle of one unit a side, in a few keys each, on clear ground; the ground of B1's hex is another where it matters.
fn duel(options: &str, a: &str, b: &str, ground: [char; 2]) -> (Sa, Position) {
    let [own, other] = ground;
    let battle = format!(
        "{{title: A duel, options: {{{options}}}, rows: ['{own} {other}', '. .'], \
         units: {{A1: {{at: '0101', {a}}}, B1: {{at: '0201', {b}}}}}}}"
    );
    let rules = rules(&battle);
    let position = rules.view(&rules.found(), &"side-a".parse().unwrap()).position;
    (rules, position)
}

const A_SWORD: &str = "type: HI";

fn kind(code: &str) -> UnitType {
    UnitType::ALL.into_iter().find(|kind| kind.word() == code).unwrap()
}

/// The rows of a table, each with its first word.
fn rows(table: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    table.trim().lines().map(|line| {
        let mut words = line.split_whitespace();
        (words.next().unwrap(), words.collect())
    })
}

/// Movement Cost Chart: clear, light woods, heavy woods, low hills, high hills, mountain.
const COSTS: &str = "
    HI  12 18 24 12 24 30
    LHI 10 17 21 10 20 29
    MI  12 18 24 12 24 30
    LMI 10 17 20 10 20 28
    LI   9 15 18  9 18 27
    EHC  6 19 25  7 XX XX
    HC   6 18 24  7 XX XX
    MC   6 18 24  7 XX XX
    LC   4 16 21  5 XX XX";

/// The terrains of the chart.
const TERRAINS: [Terrain; 6] = [
    Terrain::Clear,
    Terrain::LightWoods,
    Terrain::HeavyWoods,
    Terrain::LowHills,
    Terrain::HighHills,
    Terrain::Mountain,
];

#[test]
fn every_terrain_costs_every_type_what_the_chart_says() {
    let (rules, _) = duel("", A_SWORD, A_SWORD, ['.', '.']);
    for (code, costs) in rows(COSTS) {
        for (terrain, cost) in TERRAINS.into_iter().zip(costs) {
            let found = rules.numbers().cost(kind(code), terrain);
            assert_eq!(found, cost.parse().ok(), "{code} into {terrain:?}");
        }
        // A bridge is clear ground, and nobody enters water.
        assert_eq!(rules.numbers().cost(kind(code), Terrain::Water), None);
        let bridge = rules.numbers().cost(kind(code), Terrain::Bridge);
        assert_eq!(bridge, rules.numbers().cost(kind(code), Terrain::Clear));
    }
    assert_eq!(rows(COSTS).count(), UnitType::ALL.len());
}

/// Weapon Factor Chart of melee: HI, LHI, MI, LMI, LI, EHC, HC, MC, LC.
const CAVALRY: &str = "
    Lance   4 4 4 4 5 3 4 5 5
    Javelin 3 3 4 4 5 2 2 4 3
    Sword   2 2 3 3 5 1 1 2 3";
const INFANTRY: &str = "
    Pike    3 3 4 4 5 4 5 6 5
    LSpear  2 2 3 3 4 2 4 4 5
    Javelin 1 1 2 2 3 1 2 4 3
    TwoHand 4 4 4 4 4 4 4 4 4
    Sword   0 0 1 1 2 0 0 1 1";
/// Weapon Factor Chart of fire combat.
const FIRE: &str = "
    Javelin 0 0 1 1 1 0 0 1 1
    Rocks   0 0 1 1 1 0 0 1 1
    Bow     0 0 1 1 1 0 0 1 1";

/// The Atari edition's: HI, LHI, MI, LMI, LI, EHC, HC, LC.
const ATARI_CAVALRY: &str = "
    Lance   4 4 4 4 5 3 4 5
    Javelin 3 3 4 4 5 2 2 3
    Sword   2 2 3 3 5 1 1 3";
const ATARI_INFANTRY: &str = "
    Pike    3 3 4 4 5 4 5 5
    LSpear  2 2 3 3 4 2 4 5
    Javelin 1 1 2 2 3 1 2 3
    TwoHand 4 4 4 4 4 4 4 4
    Sword   0 0 1 1 2 0 0 1";
const ATARI_FIRE: &str = "
    Javelin 0 0 1 1 1 0 0 1
    Rocks   0 0 1 1 1 0 0 1
    Bow     0 0 1 1 1 0 0 1";

fn weapon(name: &str) -> Weapon {
    Weapon::ALL.into_iter().find(|weapon| format!("{weapon:?}") == name).unwrap()
}

fn missile(name: &str) -> Missile {
    Missile::ALL.into_iter().find(|missile| format!("{missile:?}") == name).unwrap()
}

/// Every cell of an edition's three weapon charts; its columns are these types.
fn weapon_charts_are(rules: &Sa, columns: &[UnitType], charts: [&str; 3]) {
    let factors = |cells: &[&str]| cells.iter().map(|cell| cell.parse().unwrap()).collect::<Vec<i32>>();
    for own in columns {
        let chart = if own.is_cavalry() { charts[0] } else { charts[1] };
        assert_eq!(rules.numbers().weapons(*own).len(), rows(chart).count(), "{own:?}");
        for (name, cells) in rows(chart) {
            let found: Vec<i32> =
                columns.iter().map(|foe| rules.numbers().melee(*own, weapon(name), *foe)).collect();
            assert_eq!(found, factors(&cells), "{name} of {own:?}");
        }
    }
    for (name, cells) in rows(charts[2]) {
        let found: Vec<i32> =
            columns.iter().map(|foe| rules.numbers().fire[&missile(name)][*foe as usize]).collect();
        assert_eq!(found, factors(&cells), "{name} in fire");
    }
}

/// The row is the own weapon and the column the opponent's type (SA-5).
#[test]
fn every_weapon_has_its_factors_in_both_editions() {
    let (apple, _) = duel("", A_SWORD, A_SWORD, ['.', '.']);
    weapon_charts_are(&apple, &UnitType::ALL, [CAVALRY, INFANTRY, FIRE]);
    let (atari, _) = duel("edition: atari", A_SWORD, A_SWORD, ['.', '.']);
    let columns: Vec<UnitType> = UnitType::ALL.into_iter().filter(|kind| *kind != UnitType::Mc).collect();
    weapon_charts_are(&atari, &columns, [ATARI_CAVALRY, ATARI_INFANTRY, ATARI_FIRE]);
}

/// What the example's readers see: lancers against heavy infantry, pikemen against extra-heavy cavalry (SA-5).
#[test]
fn a_chart_is_read_by_the_own_weapon_and_the_opponents_type() {
    let lancers = "type: EHC, melee: lance";
    let pikes = "type: HI, melee: pike, class: C";
    let (rules, position) = duel("", lancers, pikes, ['.', '.']);
    let [charge, stand] = [(0, 1, true), (1, 0, false)]
        .map(|(own, foe, attacks)| law::melee(&rules, &position, own, foe, attacks));
    assert_eq!((charge.weapon, charge.tactical()), (4, 1));
    assert_eq!((stand.weapon, stand.tactical()), (4, 0));
}

/// Melee Tactical Factor Chart: who fights whom, on which ground, and the tactical factors of attacker and defender (SA-3, SA-7, SA-8).
#[test]
fn every_tactical_factor_of_melee_is_the_charts() {
    let shields = "type: HI, shield: true";
    for (a, b, ground, attacker, defender) in [
        // +1 for the attacker.
        ("type: HI", shields, ['.', '.'], 1, 0),
        // +1 against the shieldless, +1 more against MI and LMI.
        ("type: HI", "type: HI, shield: false", ['.', '.'], 2, 0),
        ("type: HI", "type: LHI, shield: false", ['.', '.'], 2, 0),
        ("type: HI", "type: LI, shield: false", ['.', '.'], 2, 0),
        ("type: HI", "type: LC, shield: false", ['.', '.'], 2, 0),
        ("type: HI", "type: MC, shield: false", ['.', '.'], 2, 0),
        ("type: HI", "type: MI, shield: false", ['.', '.'], 3, 0),
        ("type: HI", "type: LMI, shield: false", ['.', '.'], 3, 0),
        ("type: MI, shield: false", shields, ['.', '.'], 1, 2),
        // +1 for Dwarves against Zorgs, and against nobody else.
        ("type: HI, tribe: Dwarf", "type: HI, tribe: Zorg", ['.', '.'], 2, 0),
        ("type: HI, tribe: Zorg", "type: HI, tribe: Dwarf", ['.', '.'], 1, 1),
        ("type: HI, tribe: Dwarf", "type: HI, tribe: Lizardman", ['.', '.'], 0, 0),
        // -1 against a Lizard person.
        ("type: HI", "type: HI, tribe: Lizardman", ['.', '.'], 0, 0),
        ("type: HI, tribe: Lizardman", "type: HI", ['.', '.'], 1, -1),
        // +1 for Demons.
        ("type: HI, tribe: Demon", "type: HI", ['.', '.'], 2, 0),
        ("type: HI", "type: HI, tribe: Demon", ['.', '.'], 1, 1),
        // Elves' and Centaurs' gift is for bows.
        ("type: LMI, tribe: Elf, missile: bow", "type: HI, tribe: Centaur, missile: bow", ['.', '.'], 1, 0),
        // Terrain takes from whoever fights somebody in it.
        ("type: HI", shields, ['.', 'n'], 0, 0),
        ("type: HI", shields, ['.', 'f'], 0, 0),
        ("type: HI", shields, ['.', 'N'], -1, 0),
        ("type: HI", shields, ['.', 'F'], -1, 0),
        ("type: HI", shields, ['.', '^'], -2, 0),
        ("type: HI", shields, ['.', 'H'], 1, 0),
        ("type: HI", shields, ['^', '.'], 1, -3),
        ("type: HI", shields, ['F', 'n'], 0, -2),
    ] {
        let (rules, position) = duel("", a, b, ground);
        let found = [(0, 1, true), (1, 0, false)]
            .map(|(own, foe, attacks)| law::melee(&rules, &position, own, foe, attacks).tactical());
        assert_eq!(found, [attacker, defender], "{a} in {} attacks {b} in {}", ground[0], ground[1]);
    }
}

/// The three readings of the terrain differential (SA-3), in both editions alike.
#[test]
fn terrain_hinders_whom_the_option_says() {
    for edition in ["apple", "atari"] {
        for (policy, attacker, defender) in
            [("opponent", 1 - 2, -3), ("self", 1 - 3, -2), ("attacker", 1 - 2, 0)]
        {
            let options = format!("edition: {edition}, terrain_penalty: {policy}");
            let (rules, position) = duel(&options, "type: HI", "type: HI", ['^', 'F']);
            let found = [(0, 1, true), (1, 0, false)]
                .map(|(own, foe, attacks)| law::melee(&rules, &position, own, foe, attacks).tactical());
            assert_eq!(found, [attacker, defender], "{options}");
        }
    }
}

/// Tactical factors for fire combat: who fires at whom on which ground, whether the target moved, and the factors (SA-7, SA-8, SA-27).
#[test]
fn every_tactical_factor_of_fire_is_the_charts() {
    let bows = "type: LI, missile: bow";
    for (a, b, ground, moved, factor) in [
        (bows, "type: HI", '.', false, 0),
        (bows, "type: HI, shield: false", '.', false, 1),
        (bows, "type: LHI, shield: false", '.', false, 1),
        (bows, "type: MI, shield: false", '.', false, 2),
        (bows, "type: LMI, shield: false", '.', false, 2),
        (bows, "type: HC, shield: false", '.', false, 1),
        ("type: LI, tribe: Elf, missile: bow", "type: HI", '.', false, 1),
        ("type: HC, tribe: Centaur, missile: bow", "type: HI", '.', false, 1),
        ("type: LI, tribe: Elf, missile: rocks", "type: HI", '.', false, 0),
        ("type: LI, tribe: Elf, missile: javelin", "type: HI", '.', false, 0),
        ("type: LI, tribe: Demon, missile: javelin", "type: HI", '.', false, 1),
        // Printed for melee: no matter in fire.
        ("type: LI, tribe: Dwarf, missile: bow", "type: HI, tribe: Zorg", '.', false, 0),
        (bows, "type: HI, tribe: Lizardman", '.', false, 0),
        (bows, "type: HI", '.', true, -1),
        (bows, "type: HI", 'f', false, -1),
        (bows, "type: HI", 'F', false, -2),
        (bows, "type: HI", 'F', true, -3),
        (bows, "type: HI", 'n', false, 0),
        (bows, "type: HI", 'N', false, 0),
        (bows, "type: HI", '^', false, 0),
    ] {
        let (rules, position) = duel("", a, b, ['.', ground]);
        let found = law::volley(&rules, &position, 0, 1, moved);
        assert_eq!(found.tactical(), factor, "{a} at {b} in {ground}, moved: {moved}");
    }
}

/// Melee Random Factor Chart: two average dice for each class (SA-10).
#[test]
fn every_throw_of_two_average_dice_is_bounded_by_the_class() {
    assert_eq!([1, 2, 3, 4, 5, 6].map(law::average), [2, 3, 3, 4, 4, 5]);
    // The first die less the second, by its faces 2, 3, 4 and 5.
    let thrown = [[0, -1, -2, -3], [1, 0, -1, -2], [2, 1, 0, -1], [3, 2, 1, 0]];
    let plain = [1, 2, 4, 6];
    for (first, row) in plain.into_iter().zip(thrown) {
        for (second, difference) in plain.into_iter().zip(row) {
            let found = Class::ALL.map(|class| law::random(class, [first, second]));
            let (worst, best) = (i32::max(difference, -1), i32::min(difference, 1));
            assert_eq!(found, [worst, worst, difference, best], "{first} and {second}");
        }
    }
    assert_eq!([1, 2, 3].map(law::scatter), [-1, 0, 1]);
}

/// Casualty Calculation Chart, and the cap at a hundred (SA-1).
#[test]
fn every_total_has_its_casualties() {
    for (total, percent) in [
        (-9, 1),
        (-4, 1),
        (-3, 1),
        (-2, 1),
        (-1, 2),
        (0, 3),
        (1, 4),
        (2, 6),
        (3, 8),
        (4, 10),
        (5, 12),
        (6, 15),
        (7, 20),
        (8, 25),
        (9, 30),
        (10, 35),
        (11, 40),
        (12, 45),
        (22, 95),
        (23, 100),
        (24, 100),
        (i32::MAX, 100),
    ] {
        assert_eq!(law::casualties(total), percent, "{total}");
    }
}

/// Of the inflicting unit's men, rounded half up, and no more than there are (SA-2).
#[test]
fn the_dead_are_rounded_half_up() {
    for (men, percent, of, dead) in [
        (1000, 12, 1000, 120),
        (50, 1, 1000, 1),
        (49, 1, 1000, 0),
        (1050, 15, 1000, 158),
        (350, 1, 1000, 4),
        (349, 1, 1000, 3),
        (2000, 45, 500, 500),
    ] {
        assert_eq!(law::fallen(men, percent, of), dead, "{percent} % of {men}");
    }
}

/// Unit Victory (SA-4): killed, of how many, lost.
#[test]
fn a_fight_is_won_by_a_twentieth_and_a_tenth_more() {
    for (killed, of, lost, won) in [
        (120, 1000, 100, true),
        (110, 1000, 100, true),
        (109, 1000, 100, false),
        (100, 1000, 120, false),
        (50, 1000, 0, true),
        (49, 1000, 0, false),
        (50, 1001, 0, false),
        (50, 1000, 45, true),
        (50, 1000, 46, false),
        (0, 0, 0, false),
    ] {
        assert_eq!(law::wins(killed, of, lost), won, "{killed} of {of} killed, {lost} lost");
    }
}

/// Morale Table: the results of the totals -3 to 14, R for rout, h for halt, o for orders (SA-11).
const MORALE: &str = "
    A RRRhhhhooooooooooo
    B RRRRRhhooooooooooo
    C RRRRRRhhhooooooooo
    D RRRRRRRhhhhooooooo";

#[test]
fn every_class_stands_what_the_morale_table_says() {
    let (rules, _) = duel("", A_SWORD, A_SWORD, ['.', '.']);
    for ((_, results), class) in rows(MORALE).zip(Class::ALL) {
        let found: String = (-3..=14)
            .map(|total| match law::nerve(&rules, class, total) {
                Nerve::Rout => 'R',
                Nerve::Halt => 'h',
                Nerve::Orders => 'o',
            })
            .collect();
        assert_eq!(found, results[0], "{class:?}");
    }
}

/// Training Class Chart.
#[test]
fn every_class_routs_at_its_number_of_battles_lost() {
    let (rules, _) = duel("", A_SWORD, A_SWORD, ['.', '.']);
    assert_eq!(Class::ALL.map(|class| rules.numbers().training(class).losses), [4, 3, 2, 1]);
}

/// Guide to Weapon Types: javelins one hex, stones two, arrows three (SA-28).
#[test]
fn every_missile_has_its_range() {
    for (name, range) in [("javelin", 1), ("rocks", 2), ("bow", 3)] {
        for distance in 1..=4_u8 {
            let battle = format!(
                "{{title: A shot, units: {{A1: {{at: '0101', type: LI, missile: {name}}}, \
                 B1: {{at: '{:02}01'}}}}}}",
                1 + distance
            );
            let rules = rules(&battle);
            let position = rules.view(&rules.found(), &"side-a".parse().unwrap()).position;
            let allowed = law::fire(&rules, &position, 0, 1).is_ok();
            assert_eq!(allowed, u32::from(distance) <= range, "{name} at {distance}");
        }
    }
}

/// What the letters of the charts stand for (SA-40).
#[test]
fn every_type_has_its_words() {
    let found = UnitType::ALL.map(|kind| (kind.word(), kind.words()));
    let expected = [
        ("HI", "heavy infantry"),
        ("LHI", "light-heavy infantry"),
        ("MI", "medium infantry"),
        ("LMI", "light-medium infantry"),
        ("LI", "light infantry"),
        ("EHC", "extra-heavy cavalry"),
        ("HC", "heavy cavalry"),
        ("MC", "medium cavalry"),
        ("LC", "light cavalry"),
    ];
    assert_eq!(found, expected);
}

/// Army Morale: three points a unit, five a Valkyrie unit; Unicorns are worth three (SA-20).
#[test]
fn every_unit_is_worth_three_points_of_army_morale_and_a_valkyrie_unit_five() {
    for (tribe, worth) in [("Valkyrie", 5), ("Unicorn", 3), ("Demon", 3), ("Northwold", 3)] {
        let (_, position) = duel("", &format!("type: LC, tribe: {tribe}"), A_SWORD, ['.', '.']);
        assert_eq!(position.morale, [worth, 3], "{tribe}");
    }
}

/// Racial Bonuses, and nothing else (SA-8, SA-9, SA-33).
#[test]
fn every_tribe_has_the_gifts_of_the_manual_and_no_others() {
    let (rules, _) = duel("", A_SWORD, A_SWORD, ['.', '.']);
    let zorgs = BTreeMap::from([("Zorg".to_owned(), 1)]);
    let expected = [
        ("Centaur", Gifts { bow: 1, ..Gifts::NONE }),
        ("Demon", Gifts { combat: 1, fear: 1, ..Gifts::NONE }),
        ("Dwarf", Gifts { against: zorgs, ..Gifts::NONE }),
        ("Elf", Gifts { bow: 1, ..Gifts::NONE }),
        ("Lizardman", Gifts { daunts: 1, ..Gifts::NONE }),
        ("Unicorn", Gifts { sooner: 1, ..Gifts::NONE }),
        ("Valkyrie", Gifts { morale: 5, sooner: 1, ..Gifts::NONE }),
    ];
    let expected = expected.map(|(tribe, gifts)| (tribe.to_owned(), gifts));
    assert_eq!(rules.numbers().tribes, BTreeMap::from(expected));
}

/// What a thousand men are worth at the end, by type and class (SA-21).
#[test]
fn every_type_and_class_weighs_as_the_ruling_says() {
    let types = [
        ("LI", 100_000),
        ("LMI", 125_000),
        ("MI", 150_000),
        ("LHI", 175_000),
        ("HI", 200_000),
        ("LC", 150_000),
        ("MC", 200_000),
        ("HC", 250_000),
        ("EHC", 300_000),
    ];
    for (code, worth) in types {
        for (class, weight) in [("A", 130), ("B", 115), ("C", 100), ("D", 85)] {
            let (rules, position) = duel("", &format!("type: {code}, class: {class}"), A_SWORD, ['.', '.']);
            let found = law::left(&rules, &position, None, Side::A);
            assert_eq!(found, worth * weight / 100, "{code} of class {class}");
        }
    }
}

/// The margin in whole percents of the smaller side, rounded down (SA-21).
#[test]
fn the_margin_is_in_percents_of_the_smaller_side() {
    for (left, margin) in [
        ([1000, 1000], 0),
        ([1000, 1099], 9),
        ([1100, 1000], 10),
        ([1000, 1299], 29),
        ([1000, 1300], 30),
        ([3000, 1000], 200),
        ([0, 5], 100),
        ([0, 0], 0),
    ] {
        assert_eq!(law::margin(left), margin, "{left:?}");
    }
}

/// A unit is written by its side and number.
#[test]
fn units_of_both_sides_are_told_apart() {
    let (rules, _) = duel("", A_SWORD, A_SWORD, ['.', '.']);
    let places = ["A1", "B1", "B2"].map(|id| rules.battle().index(id.parse::<UnitId>().unwrap()));
    assert_eq!(places, [Some(0), Some(1), None]);
}

//! The tables of La Grande Armée, every cell as the manual prints it: units (3.3), moves (2.3), muster (5.4), combat (5.64), reactions (5.67).

use musterd_engine::Ruleset;
use musterd_lga::model::{Arm, CityRank, Terrain};
use musterd_lga::tables::combat::{Clash, Field, Fighter};
use musterd_lga::tables::muster::Mustering;
use musterd_lga::tables::reaction::{self, Withdrawal};
use musterd_lga::tables::{march, siege};
use musterd_lga::{Lga, shipped};

const ARMS: [Arm; 5] = [Arm::Infantry, Arm::Guard, Arm::Militia, Arm::Cavalry, Arm::Hq];
const LAND: [Terrain; 4] = [Terrain::Clear, Terrain::Forest, Terrain::Mountain, Terrain::Marsh];

fn rules() -> Lga {
    Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap()
}

fn clash(attacker: (Arm, i8), defender: (Arm, i8), from: Terrain, to: Terrain) -> Clash {
    let fighter = |(arm, morale)| Fighter { arm, morale, fatigue: 0 };
    Clash {
        attacker: fighter(attacker),
        defender: fighter(defender),
        garrison: false,
        met: false,
        attacker_hq: 0,
        defender_hq: 0,
        field: Field { from, to, river: false },
    }
}

#[test]
fn units_cost_move_and_dare_as_the_manual_says() {
    let rules = rules();
    for (kind, cost, moves, morale) in [
        (Arm::Infantry, 9, 5, 3),
        (Arm::Guard, 10, 4, 4),
        (Arm::Militia, 7, 4, 2),
        (Arm::Cavalry, 7, 7, 2),
        // Ruling LGA-1.
        (Arm::Hq, 5, 7, 0),
    ] {
        let stats = rules.numbers.units.stats(kind);
        assert_eq!((stats.cost, stats.moves, stats.max_morale), (cost, moves, morale), "{kind}");
    }
    let moves = |city| LAND.map(|terrain| rules.numbers.movement.enter(terrain, city));
    assert_eq!((moves(false), moves(true)), ([1, 2, 2, 2], [1, 1, 1, 1]));
    let (leave, again) = (rules.numbers.movement.leave_zone, rules.numbers.movement.attack_withdrawn);
    assert_eq!((leave, again), (1, 2));
}

#[test]
fn every_kind_attacks_every_kind_on_every_ground_as_the_manual_says() {
    let rules = rules();
    let table = &rules.numbers.combat;
    // Into clear ground, forest, mountains and marsh. Only cavalry minds a forest: -1 to attack into it, +1 against it in it.
    for (attacker, defender, ground) in ARMS[..4]
        .iter()
        .flat_map(|attacker| ARMS.map(|defender| (*attacker, defender)))
        .map(|(attacker, defender)| {
            let forest = match (attacker == Arm::Cavalry, defender == Arm::Cavalry) {
                (false, false) | (true, true) => 0,
                (true, false) => -1,
                (false, true) => 1,
            };
            (attacker, defender, [0, forest, -1, 2])
        })
    {
        let odds = |morale: i8, from| {
            LAND.map(|to| {
                clash((attacker, morale), (defender, 2), from, to).odds(table) - i32::from(morale) + 2
            })
        };
        let what = format!("{attacker} against {defender}");
        assert_eq!(odds(2, Terrain::Clear), ground, "{what}");
        // Where the attack comes from matters for marshes and the sea alone (ruling LGA-30).
        for (from, by) in
            [(Terrain::Forest, 0), (Terrain::Mountain, 0), (Terrain::Marsh, -2), (Terrain::Sea, -1)]
        {
            assert_eq!(odds(2, from), ground.map(|line| line + by), "{what} from {from:?}");
        }
        // Cavalry has +2 on units of lower morale; a headquarters is no unit (rulings LGA-17, LGA-25).
        let weaker = if attacker == Arm::Cavalry && defender != Arm::Hq { 2 } else { 0 };
        assert_eq!(odds(3, Terrain::Clear), ground.map(|line| line + weaker), "{what}, who is weaker");
        assert_eq!(odds(1, Terrain::Clear), ground, "{what}, who is stronger");
        // A garrison: -2, and no line of the ground nor of cavalry (rulings LGA-19, LGA-60).
        for (from, to) in LAND.iter().flat_map(|from| LAND.map(|to| (*from, to))) {
            let field = Field { from, to, river: true };
            let garrison = Clash { garrison: true, field, ..clash((attacker, 3), (defender, 2), from, to) };
            assert_eq!(garrison.odds(table), 3 - 2 - 2, "{what} in garrison, {from:?} {to:?}");
        }
    }
}

#[test]
fn rivers_headquarters_and_fatigue_count_as_the_manual_says() {
    let rules = rules();
    let table = &rules.numbers.combat;
    let open = clash((Arm::Infantry, 3), (Arm::Infantry, 3), Terrain::Clear, Terrain::Clear);
    let river = Clash { field: Field { river: true, ..open.field }, ..open };
    let tired = |mine, theirs| Clash {
        attacker: Fighter { fatigue: mine, ..open.attacker },
        defender: Fighter { fatigue: theirs, ..open.defender },
        ..open
    };
    let led = |mine, theirs| Clash { attacker_hq: mine, defender_hq: theirs, ..open };
    let found = [open, river, tired(2, 0), tired(0, 3), led(2, 0), led(0, 1)].map(|clash| clash.odds(table));
    assert_eq!(found, [0, -1, -2, 3, 2, -1]);
    // The results by total; beyond its ends the table is its ends (5.64).
    let by_total = |total: i32| {
        let result = open.result(table, total - 1, 1).1;
        (result.attacker_loss, result.defender_loss)
    };
    let losses: Vec<_> = (-1..=9).map(by_total).collect();
    let expected = [(3, 0), (3, 0), (3, 0), (2, 0), (1, 0), (1, 1), (0, 1), (0, 2), (0, 3), (0, 3), (0, 3)];
    assert_eq!(losses, expected);
    // Whoever loses more morale than is there is destroyed, and whoever loses all of it is not.
    for (morale, destroyed) in [(0, true), (2, true), (3, false), (4, false)] {
        let weak = clash((Arm::Infantry, morale), (Arm::Infantry, morale), Terrain::Clear, Terrain::Clear);
        let (lost, won) = (weak.result(table, 0, 1).1, weak.result(table, 6, 1).1);
        assert_eq!(
            (lost.attacker_destroyed, won.defender_destroyed),
            (destroyed, destroyed),
            "morale {morale}"
        );
        assert!(!lost.defender_destroyed && !won.attacker_destroyed);
    }
}

#[test]
fn a_muster_counts_where_a_unit_stands() {
    let rules = rules();
    let table = &rules.numbers.muster;
    let bonus = |terrain, city| {
        let plain = Mustering {
            morale: 0,
            winter: false,
            terrain,
            own_terrain: None,
            city,
            supplied: true,
            hungry: None,
        };
        [
            plain,
            Mustering { winter: true, ..plain },
            Mustering { supplied: false, ..plain },
            Mustering { hungry: Some(("French", "Russia")), ..plain },
            Mustering { morale: 3, ..plain },
        ]
        .map(|mustering| mustering.bonus(table))
    };
    let cities = [None, Some(CityRank::Minor), Some(CityRank::Major), Some(CityRank::Capital)];
    for (terrain, open) in LAND.into_iter().zip([0, -1, -2, -3]) {
        for (city, by) in cities.into_iter().zip([open, 2, 3, 3]) {
            // In winter, out of supply, French abroad, with a morale of three.
            let expected = [by, by - 2, by - 2, by - 1, by + 3];
            assert_eq!(bonus(terrain, city), expected, "{terrain:?} {city:?}");
        }
    }
    let loss = |die| {
        let plain = Mustering {
            morale: 0,
            winter: false,
            terrain: Terrain::Clear,
            own_terrain: None,
            city: None,
            supplied: true,
            hungry: None,
        };
        plain.check(table, die).1
    };
    assert_eq!([1, 2, 3, 4, 5, 6].map(loss), [2, 2, 1, 1, 0, 0]);
}

#[test]
fn marches_reactions_and_sieges_are_the_manuals() {
    let rules = rules();
    let numbers = &rules.numbers;
    // Fog of war (5.63): on 1 and 2 all is lost, on 3 to 5 one move, where there is one.
    let lost = |left, die| march::fog(numbers.fog, left, die).map(|(_, left)| left);
    assert_eq!(
        [1, 2, 3, 5, 6, 100].map(|die| lost(4, die)),
        [Some(0), Some(0), Some(3), Some(3), None, None]
    );
    assert_eq!([2, 3, 5, 6].map(|die| lost(0, die)), [Some(0), None, None, None]);
    assert_eq!([march::fog_risk(numbers.fog, 4), march::fog_risk(numbers.fog, 0)], [5, 2]);
    let rolls =
        |kind| [(0, false), (1, false), (0, true)].map(|(left, sea)| march::rolls_for_fog(kind, left, sea));
    // Long marches (5.62): of whoever has marched all moves; headquarters don't tire.
    let long = |kind| [3, 4, 5].map(|marched| march::is_long(kind, marched, 4));
    for kind in ARMS {
        let is_unit = kind != Arm::Hq;
        assert_eq!(rolls(kind), [false, is_unit, is_unit], "{kind}");
        assert_eq!(long(kind), [false, is_unit, is_unit], "{kind}");
    }
    let tires = |fatigue, winter| {
        [1, 2, 3, 4, 5, 6].map(|die| march::long_march(&numbers.long_march, fatigue, winter, die).1)
    };
    assert_eq!(tires(0, false), [2, 2, 1, 1, 0, 0]);
    assert_eq!(tires(1, false), [2, 2, 2, 1, 1, 0]);
    assert_eq!(tires(0, true), [2, 2, 2, 2, 1, 1]);
    // Reinforcing (5.67): a six; militia at -2, cavalry at +1. The least die that brings a unit of morale 2, 7 where none does.
    let least =
        |kind| (1..=6).find(|die| reaction::reinforce(&numbers.reinforce, kind, 2, *die).1).unwrap_or(7);
    assert_eq!(ARMS[..4].iter().map(|kind| least(*kind)).collect::<Vec<_>>(), [4, 4, 6, 3]);
    // Withdrawing: -2 over a river, -2 into marsh; infantry and militia may rout (ruling LGA-15).
    for (kind, may_rout) in ARMS.into_iter().zip([true, false, true, false, false]) {
        let plain = Withdrawal { arm: kind, morale: 0, river: false, into_marsh: false };
        assert_eq!(plain.may_rout(), may_rout, "{kind}");
        let losses = |with: Withdrawal| [1, 2, 3, 4, 5, 6].map(|die| with.check(&numbers.rout, die).1);
        assert_eq!(losses(plain), [2, 2, 1, 1, 0, 0]);
        assert_eq!(losses(Withdrawal { river: true, ..plain }), [2, 2, 2, 2, 1, 1]);
        assert_eq!(losses(Withdrawal { into_marsh: true, ..plain }), [2, 2, 2, 2, 1, 1]);
        assert_eq!(losses(Withdrawal { morale: 2, ..plain }), [1, 1, 0, 0, 0, 0]);
    }
    // Sieges (5.7, ruling LGA-35): from full morale guard survive on 2, infantry on 4, militia on 6.
    let survives = |morale: i8| (1..=6).find(|die| siege::loss(&numbers.siege, *die) <= morale);
    assert_eq!([4, 3, 2].map(survives), [Some(2), Some(4), Some(6)]);
}

//! The odds of La Grande Armée against the adjudicator itself: a position is played once for every way in which its dice can
//! fall, and what came of it is counted. The odds must be the same fractions.

use std::collections::BTreeMap;

use musterd_dice::odds::{Distribution, Exact};
use musterd_dice::{Label, Roller, Seat};
use musterd_engine::hex::Hex;
use musterd_engine::{Fold, Input, Ruleset, Scribe};
use musterd_lga::event::Event;
use musterd_lga::model::{Arm, CityRank, Season, Terrain, UnitId};
use musterd_lga::odds::{self, Assault, Attacker, Defender, March, Remains};
use musterd_lga::order::Limit;
use musterd_lga::setup::Position;
use musterd_lga::tables::combat::{Field, Fighter};
use musterd_lga::tables::muster::Mustering;
use musterd_lga::tables::reaction::Withdrawal;
use musterd_lga::{Lga, State, shipped};

/// Dice that fall as written: those that count from `faces`, one after the other, with ones after its end; every other die
/// shows its highest face, which does no harm.
struct Scripted<'a> {
    counted: &'a str,
    faces: &'a [u32],
    /// The sides of each die that counted, in the order thrown.
    thrown: Vec<u32>,
}

impl Roller for Scripted<'_> {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        assert_eq!(count, 1, "{label}: the rules throw one die at a time");
        if !label.as_str().contains(self.counted) {
            return vec![sides];
        }
        self.thrown.push(sides);
        vec![self.faces.get(self.thrown.len() - 1).copied().unwrap_or(1)]
    }
}

/// What became of the orders at the end of their turn (of the next side's muster, if that is what is counted), over every
/// way in which the dice whose labels contain `counted` can fall: each outcome in so many of so many cases.
struct Enumeration<T> {
    weights: BTreeMap<T, u128>,
    cases: u128,
}

impl<T: Ord + std::fmt::Debug> Enumeration<T> {
    fn of(
        rules: &Lga,
        position: &str,
        orders: &[(&str, &str)],
        counted: &str,
        outcome: impl Fn(&State) -> T,
    ) -> Self {
        let position: Position = serde_yaml::from_str(position).unwrap();
        let start = rules.set_up(&position).unwrap();
        let mut input = Input { orders: BTreeMap::new() };
        for (seat, text) in orders {
            let seat: Seat = seat.parse().unwrap();
            let reading = rules.read_orders(&rules.view(&start, &seat), text);
            assert!(!reading.has_errors(), "{:?}", reading.remarks);
            input.orders.insert(seat, reading);
        }
        let mut leaves: Vec<(T, u128)> = Vec::new();
        let mut faces: Vec<u32> = Vec::new();
        loop {
            let mut dice = Scripted { counted, faces: &faces, thrown: Vec::new() };
            let mut scribe = Scribe::new(rules, start.clone(), 1, &mut dice);
            rules.step(&mut scribe, &input);
            let mut after = start.clone();
            let next_turn = |event: &Event| matches!(event, Event::TurnBegan { .. }) && counted != "/muster/";
            for event in scribe.finish().iter().take_while(|event| !next_turn(event)) {
                rules.apply(&mut after, event);
            }
            let after = outcome(&after);
            let sides = dice.thrown;
            leaves.push((after, sides.iter().map(|n| u128::from(*n)).product()));
            // The next sequence of faces, as an odometer counts.
            faces.resize(sides.len(), 1);
            while faces.last().is_some_and(|face| *face == sides[faces.len() - 1]) {
                faces.pop();
            }
            match faces.last_mut() {
                Some(face) => *face += 1,
                None => break,
            }
        }
        let cases = leaves.iter().map(|(_, of)| *of).fold(1, lcm);
        let mut weights = BTreeMap::new();
        for (outcome, of) in leaves {
            *weights.entry(outcome).or_default() += cases / of;
        }
        assert_eq!(weights.values().sum::<u128>(), cases, "every case is counted once");
        Self { weights, cases }
    }

    /// The outcomes looked at in another way.
    fn map<U: Ord>(&self, look: impl Fn(&T) -> U) -> Enumeration<U> {
        let mut weights = BTreeMap::new();
        for (outcome, weight) in &self.weights {
            *weights.entry(look(outcome)).or_default() += weight;
        }
        Enumeration { weights, cases: self.cases }
    }

    /// The same odds, outcome by outcome.
    fn assert_same(&self, odds: &Distribution<T>) {
        let counted: Vec<String> = self
            .weights
            .iter()
            .map(|(value, n)| format!("{value:?}: {}", fraction(*n, self.cases)))
            .collect();
        let odds: Vec<String> = odds.iter().map(|(value, chance)| format!("{value:?}: {chance}")).collect();
        assert_eq!(odds, counted, "odds on the left, enumerated on the right");
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: u128, b: u128) -> u128 {
    a / gcd(a, b) * b
}

/// In lowest terms, as [`Exact`] writes it.
fn fraction(n: u128, of: u128) -> String {
    let divisor = gcd(n, of);
    match of / divisor {
        1 => (n / divisor).to_string(),
        denominator => format!("{}/{denominator}", n / divisor),
    }
}

fn rules(scenario: &str) -> Lga {
    Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap()
}

/// What the adjudicator left of a unit, as its owner sees it.
fn fate(rules: &Lga, state: &State, unit: u16) -> Remains {
    let views = rules.seats().iter().map(|spec| rules.view(state, &spec.seat));
    let morale = views.into_iter().find_map(|view| view.own.get(&UnitId(unit)).map(|unit| unit.morale));
    morale.map_or(Remains::Destroyed, Remains::Morale)
}

/// An assault set up on the map.
struct Trial {
    units: &'static str,
    phasing: &'static str,
    orders: &'static str,
    /// The attackers in the order in which they attack.
    by: Vec<(u16, Limit)>,
    /// Where the defenders stand.
    at: &'static str,
    /// In the order in which the attack falls on them; in their stack they lie in the order of their numbers.
    against: &'static [u16],
}

impl Trial {
    fn position(&self) -> String {
        format!(
            "{{date: {{season: autumn, year: 1805}}, phasing: {}, units: {{{}}}}}",
            self.phasing, self.units
        )
    }

    /// The same as the odds are asked about it.
    fn assault(&self, rules: &Lga) -> Assault {
        let position: Position = serde_yaml::from_str(&self.position()).unwrap();
        let at: Hex = self.at.parse().unwrap();
        let fighter = |id: &u16| {
            let (placed, spec) = (position.units[&UnitId(*id)], rules.scenario.unit(UnitId(*id)));
            let morale = placed.morale.unwrap_or(rules.stats(spec.kind).max_morale);
            Fighter { arm: spec.kind.arm, morale, fatigue: placed.fatigue }
        };
        let modifier = |id: UnitId| rules.scenario.unit(id).modifier;
        let attacker = |(id, limit): &(u16, Limit)| {
            let from = position.units[&UnitId(*id)].at;
            let with = position.units.iter().filter(|(_, placed)| placed.at == from);
            Attacker {
                unit: fighter(id),
                hq: with.map(|(id, _)| modifier(*id)).max().unwrap(),
                field: Field::between(&rules.map, from, at),
                limit: *limit,
            }
        };
        let defender = |id: &u16| Defender {
            unit: fighter(id),
            garrison: position.units[&UnitId(*id)].garrison,
            modifier: modifier(UnitId(*id)),
        };
        let mut stack = self.against.to_vec();
        stack.sort_unstable();
        Assault::new(self.by.iter().map(attacker).collect(), stack.iter().map(defender).collect())
    }

    /// Compares the odds with what is enumerated: the fate of every piece, and how many are left.
    fn check(&self) {
        let rules = rules("austrian-1805");
        let assault = self.assault(&rules);
        let prospect = assault.prospect(&rules.numbers.combat);
        let fates = |state: &State| -> Vec<Remains> {
            let all = self.by.iter().map(|(id, _)| id).chain(self.against);
            all.map(|id| fate(&rules, state, *id)).collect()
        };
        let orders = [(self.phasing, self.orders)];
        let played = Enumeration::of(&rules, &self.position(), &orders, "/combat/", fates);
        let odds = prospect.attackers().chain(prospect.defenders());
        for (place, odds) in odds.enumerate() {
            played.map(|fates| fates[place]).assert_same(&odds);
        }
        let destroyed = |fates: &[Remains]| fates.iter().filter(|fate| **fate == Remains::Destroyed).count();
        let fallen = played.map(|fates| destroyed(&fates[self.by.len()..]));
        fallen.assert_same(&prospect.defence.map(|defence| defence.fallen));
        let none_left = fallen.weights.get(&self.against.len()).copied().unwrap_or_default();
        assert_eq!(prospect.clear().to_string(), fraction(none_left, fallen.cases));
        assert_eq!(prospect.defence.probability(|_| true), Exact::from(1));
    }
}

fn rounds(rounds: u8) -> Limit {
    Limit { rounds, while_morale: None, while_odds: None }
}

#[test]
fn one_round_on_every_kind_of_ground_is_as_enumerated() {
    for (units, phasing, orders, by, at, against) in [
        ("3: {at: '1407'}, 30: {at: '1507'}", "french", "ATTACK Ulm WITH 3", 3, "1507", &[30]),
        ("3: {at: '1506'}, 30: {at: '1507', morale: 0}", "french", "ATTACK Ulm WITH 3", 3, "1507", &[30]),
        ("12: {at: '1607'}, 28: {at: '1707'}", "french", "ATTACK 1707 WITH 12", 12, "1707", &[28]),
        ("12: {at: '1607'}, 28: {at: '1707', morale: 1}", "french", "ATTACK 1707 WITH 12", 12, "1707", &[28]),
        (
            "10: {at: '1409', fatigue: 2}, 23: {at: '1509'}",
            "french",
            "ATTACK Innsbruck WITH 10",
            10,
            "1509",
            &[23],
        ),
        ("30: {at: '2308'}, 1: {at: '2408', fatigue: 3}", "allied", "ATTACK 2408 WITH 30", 30, "2408", &[1]),
    ] {
        Trial { units, phasing, orders, by: vec![(by, rounds(1))], at, against }.check();
    }
}

#[test]
fn a_series_against_a_stack_with_garrison_and_headquarters_is_as_enumerated() {
    let units = "3: {at: '1407', morale: 2}, 14: {at: '1407'}, 21: {at: '1507', morale: 0, fatigue: 1}, \
                 22: {at: '1507', morale: 0, garrison: true}, 29: {at: '1507'}, 31: {at: '1507'}";
    for (orders, limit) in [
        ("ATTACK Ulm WITH 3 x2", rounds(2)),
        ("ATTACK Ulm WITH 3 x4 THEN ENTER", rounds(4)),
        ("ATTACK Ulm WITH 3 x4 WHILE MORALE >= 2", Limit { while_morale: Some(2), ..rounds(4) }),
        ("ATTACK Ulm WITH 3 x4 WHILE ODDS >= 2", Limit { while_odds: Some(2), ..rounds(4) }),
    ] {
        let (by, against) = (vec![(3, limit)], &[21, 31, 22, 29][..]);
        Trial { units, phasing: "french", orders, by, at: "1507", against }.check();
    }
}

#[test]
fn until_clear_is_as_enumerated_to_its_end() {
    let units = "12: {at: '1407', fatigue: 1}, 21: {at: '1507', morale: 1}, 22: {at: '1507', morale: 0, garrison: true}";
    let by = vec![(12, rounds(Limit::MOST_ROUNDS))];
    let orders = "ATTACK Ulm WITH 12 UNTIL CLEAR";
    Trial { units, phasing: "french", orders, by, at: "1507", against: &[21, 22] }.check();
}

#[test]
fn several_attackers_from_two_hexes_one_after_the_other_are_as_enumerated() {
    let units = "3: {at: '1407', morale: 2}, 12: {at: '1506'}, 14: {at: '1506'}, 10: {at: '1407', morale: 1}, \
                 21: {at: '1507'}, 30: {at: '1507', morale: 0}";
    let while_morale = Limit { while_morale: Some(2), ..rounds(2) };
    let by = vec![(3, while_morale), (12, rounds(2)), (10, rounds(1))];
    let orders = "ATTACK Ulm WITH 3 x2 WHILE MORALE >= 2\nATTACK Ulm WITH 12 x2\nATTACK Ulm WITH 10";
    Trial { units, phasing: "french", orders, by, at: "1507", against: &[21, 30] }.check();
}

/// A position of Austrian Challenge in 1805.
fn position(season: Season, phasing: &str, units: &str) -> String {
    let season = season.to_string().to_lowercase();
    format!("{{date: {{season: {season}, year: 1805}}, phasing: {phasing}, units: {{{units}}}}}")
}

#[test]
fn a_muster_is_as_enumerated() {
    let rules = rules("austrian-1805");
    let clear = Mustering {
        morale: 3,
        winter: false,
        terrain: Terrain::Clear,
        own_terrain: None,
        city: None,
        supplied: true,
        hungry: None,
    };
    for (season, phasing, units, unit, expected) in [
        // The Allies muster after the French turn of the same season, the French in the season after the Allies' turn.
        (Season::Autumn, "french", "30: {at: '2309', morale: 1}", 30, Mustering { morale: 1, ..clear }),
        (
            Season::Autumn,
            "french",
            "21: {at: '1507', morale: 0}",
            21,
            Mustering { morale: 0, city: Some(CityRank::Minor), ..clear },
        ),
        (
            Season::Autumn,
            "allied",
            "10: {at: '1104'}",
            10,
            Mustering { morale: 4, winter: true, city: Some(CityRank::Capital), ..clear },
        ),
        (
            Season::Autumn,
            "allied",
            "3: {at: '2408'}",
            3,
            Mustering {
                winter: true,
                terrain: Terrain::Marsh,
                supplied: false,
                hungry: Some(("French", "Russia")),
                ..clear
            },
        ),
    ] {
        Enumeration::of(&rules, &position(season, phasing, units), &[], "/muster/", |state| {
            fate(&rules, state, unit)
        })
        .assert_same(&odds::muster(&rules.numbers.muster, &expected));
    }
}

#[test]
fn a_withdrawal_is_as_enumerated() {
    let rules = rules("austrian-1805");
    let infantry = Withdrawal { arm: Arm::Infantry, morale: 1, river: true, into_marsh: false };
    for (unit, to, expected) in [
        (30, "1607", infantry),
        (21, "1508", Withdrawal { arm: Arm::Militia, river: false, ..infantry }),
        (28, "1607", Withdrawal { arm: Arm::Cavalry, ..infantry }),
    ] {
        // The French, tired beyond hope, lose whatever they roll, so the defender keeps his morale.
        let units = format!("3: {{at: '1407', fatigue: 9}}, {unit}: {{at: '1507', morale: 1}}");
        let standing = format!("STANDING\nWITHDRAW {unit} TO {to} WHEN Ulm ATTACKED");
        let orders = [("french", "ATTACK Ulm WITH 3"), ("allied", standing.as_str())];
        let position = position(Season::Autumn, "french", &units);
        Enumeration::of(&rules, &position, &orders, "/rout/", |state| fate(&rules, state, unit))
            .assert_same(&odds::withdraw(&rules.numbers.rout, &expected));
    }
}

#[test]
fn a_reinforcement_is_as_enumerated() {
    let rules = rules("austrian-1805");
    let table = &rules.numbers.reinforce;
    for (unit, kind, morale) in [
        (23, Arm::Militia, 2),
        (23, Arm::Militia, 0),
        (28, Arm::Cavalry, 2),
        (30, Arm::Infantry, 3),
        (29, Arm::Hq, 0),
    ] {
        let units = format!(
            "3: {{at: '1407', fatigue: 9}}, 21: {{at: '1507'}}, {unit}: {{at: '1607', morale: {morale}}}"
        );
        let standing = format!("STANDING\nREINFORCE {unit} TO Ulm WHEN Ulm ATTACKED");
        let orders = [("french", "ATTACK Ulm WITH 3"), ("allied", standing.as_str())];
        let position = position(Season::Autumn, "french", &units);
        let ulm = "1507".parse().unwrap();
        let arrived =
            |state: &State| rules.view(state, &"allied".parse().unwrap()).own[&UnitId(unit)].hex == ulm;
        Enumeration::of(&rules, &position, &orders, "/reinforce/", arrived)
            .assert_same(&odds::reinforce(table, kind, morale));
    }
}

#[test]
fn a_siege_is_as_enumerated() {
    let rules = rules("austrian-1805");
    for (unit, morale) in [(10, 4), (3, 3), (3, 2), (17, 2)] {
        let units = format!("{unit}: {{at: '1810', morale: {morale}, garrison: true, cut_off: true}}");
        let position = position(Season::Summer, "french", &units);
        Enumeration::of(&rules, &position, &[], "/siege/", |state| fate(&rules, state, unit))
            .assert_same(&odds::besieged(&rules.numbers.siege, morale));
    }
}

#[test]
fn a_march_through_fog_is_as_enumerated() {
    let rules = rules("austrian-1805");
    for (season, unit, kind, left, fatigue, orders, way) in [
        // The fog may take the moves for the second forest; without it, this is a long march in winter.
        (Season::Winter, 10, Arm::Guard, 4, 1, "MOVE 10 1707 1708", &[2, 2][..]),
        (Season::Summer, 14, Arm::Hq, 7, 0, "MOVE 14 1707 1708", &[2, 2]),
    ] {
        let position = position(season, "french", &format!("{unit}: {{at: '1607', fatigue: {fatigue}}}"));
        let hexes: Vec<Hex> = orders.split(' ').skip(2).map(|hex| hex.parse().unwrap()).collect();
        let halt = |state: &State| {
            let own = &rules.view(state, &"french".parse().unwrap()).own[&UnitId(unit)];
            (hexes.iter().position(|hex| *hex == own.hex).map_or(0, |place| place + 1), own.fatigue)
        };
        let march = March {
            kind: kind.into(),
            fatigue,
            left,
            marched: 0,
            winter: season == Season::Winter,
            way: way.to_vec(),
        };
        Enumeration::of(&rules, &position, &[("french", orders)], "/move/", halt)
            .assert_same(&march.halts(&rules.numbers).map(|halt| (halt.entered, halt.fatigue)));
    }
}

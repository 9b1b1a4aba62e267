//! Computer commanders of The Shattered Alliance: what they order is read, hides nothing, and is worth what the levels promise.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use musterd_engine::files::RuleFiles;
use musterd_engine::founding::OPTIONS_FILE;
use musterd_engine::hex::Hex;
use musterd_engine::{Fold, Ruleset};
use musterd_sa::event::{Blow, Event, Factors};
use musterd_sa::model::{Side, Spell, UnitId};
use musterd_sa::order::{Act, Charge, Order, Stance, Task, Trigger};
use musterd_sa::view::View;
use musterd_sa::{SHIPPED, Sa, Skill, State, shipped};

use crate::common::Loose;
use crate::sa_arena::{BATTLES, orders, play, rules, step};

const SKILLS: [Skill; 2] = [Skill::Beginning, Skill::Advanced];

/// A battle on open ground: each unit with its facts and its hex. The points of each side's magic.
fn battle(sides: [&[(&str, &str)]; 2], magic: [u32; 2]) -> Sa {
    let mut text = "id: plain\ntitle: A plain\nsituation: A plain.\nfield:\n  rows:\n".to_owned();
    for _ in 0..14 {
        writeln!(text, "    - \"{}\"", ".".repeat(16)).unwrap();
    }
    text.push_str("sides:\n");
    for ((units, home), magic) in sides.into_iter().zip(["south", "north"]).zip(magic) {
        writeln!(text, "  - seat: {home}\n    name: {home}\n    home: {home}\n    magic: {magic}\n    army:")
            .unwrap();
        for (number, (facts, _)) in (1..).zip(units) {
            writeln!(text, "      - {{name: Unit {number}, tribe: Plain, {facts}}}").unwrap();
        }
        text.push_str("    at:\n");
        for (number, (_, hex)) in (1..).zip(units) {
            writeln!(text, "      Unit {number}: [\"{hex}\"]").unwrap();
        }
    }
    let shared = SHIPPED.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
    let files = shared.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let files = files.chain([("scenario.yaml".to_owned(), text)]).collect();
    Sa::from_files(&RuleFiles(files), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

const SPEARS: &str = "type: HI, class: B, melee: lspear, shield: true, men: 1000";
const BOWS: &str = "type: LI, class: C, melee: sword, missile: bow, shield: false, men: 700";
const FOOT: &str = "type: MI, class: C, melee: lspear, shield: true, men: 1000";

/// The position at the first block, nobody having moved.
fn opened(rules: &Sa) -> State {
    let mut state = rules.found();
    let mut dice = Loose::numbered(1);
    for t in 1..=3 {
        state = step(rules, &state, t, &mut dice, BTreeMap::new());
    }
    state
}

fn view(rules: &Sa, state: &State, side: Side) -> View {
    rules.view(state, &rules.battle().army(side).commanders[0].seat)
}

fn unit(side: Side, number: u8) -> UnitId {
    UnitId::new(side, number)
}

/// What the advanced commander of the first side tells a unit: its charge as it is then.
fn told(rules: &Sa, state: &State, number: u8) -> Charge {
    let view = view(rules, state, Side::A);
    let id = unit(Side::A, number);
    let orders = orders(rules, &view, Skill::Advanced, 1).orders;
    view.charges[&id].clone().after(id, orders.iter().map(|placed| &placed.order))
}

fn attacks(charge: &Charge, foe: UnitId) -> bool {
    charge.tasks.iter().any(|task| task.act == Act::Attack(foe))
}

#[test]
fn every_battle_is_ordered_without_a_mistake_and_the_same_way_twice() {
    for battle in BATTLES {
        let rules = rules(battle);
        for skills in [[SKILLS[0], SKILLS[1]], [SKILLS[1], SKILLS[0]]] {
            play(&rules, skills, 7, |view, reading| {
                let skill = skills[view.side.unwrap().index()];
                assert_eq!(rules.play(view, skill, 1), rules.play(view, skill, 1), "{battle}");
                assert!(
                    reading.orders.iter().all(|placed| placed
                        .order
                        .units()
                        .iter()
                        .all(|id| view.own.contains(id)))
                );
            });
        }
    }
}

#[test]
fn the_advanced_commander_beats_the_beginner_from_either_side() {
    // Two points for a victory, one for a draw, of four a battle. The balance is measured over more games (docs/sa/balance.md).
    let mut points = 0;
    for battle in BATTLES {
        let rules = rules(battle);
        for side in Side::ALL {
            let skills = Side::ALL.map(|own| if own == side { SKILLS[1] } else { SKILLS[0] });
            points += play(&rules, skills, 3, |_, _| {}).map_or(1, |won| if won == side { 2 } else { 0 });
        }
    }
    assert!(points >= 27, "{points} of 36");
}

#[test]
fn what_the_enemy_was_told_changes_no_order() {
    let rules = rules("kingdoms");
    let state = opened(&rules);
    let mut other = state.clone();
    for spec in rules.battle().units.iter().filter(|spec| spec.id.side == Side::B) {
        let charge =
            Charge { tasks: vec![Task::plain(Act::Hold)], stance: Stance::Charge, triggers: Vec::new() };
        rules.apply(&mut other, &Event::Told { unit: spec.id, charge });
    }
    for skill in SKILLS {
        let [one, two] = [&state, &other].map(|state| rules.play(&view(&rules, state, Side::A), skill, 1));
        assert_eq!(one, two);
    }
}

#[test]
fn who_hunts_the_wizard_does_not_know_which_is_real() {
    let mut files = shipped("ormolu").unwrap();
    files.0.insert(OPTIONS_FILE.to_owned(), "wizard: placed\n".to_owned());
    let rules = Sa::from_files(&files, &[]).unwrap();
    let hunt = rules.battle().hunt.unwrap();
    let of = |real: UnitId| {
        let mut state = opened(&rules);
        rules.apply(&mut state, &Event::Began { real: Some(real) });
        rules.apply(&mut state, &Event::Paused { point: 12 });
        rules.apply(&mut state, &Event::Paused { point: 12 });
        SKILLS.map(|skill| rules.play(&view(&rules, &state, hunt.side.other()), skill, 1))
    };
    let wizards = rules.battle().units.iter().filter(|spec| spec.likeness).map(|spec| spec.id);
    let orders: Vec<_> = wizards.map(of).collect();
    assert!(orders.len() > 2 && orders.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn the_wizard_multiplies_before_anybody_is_near() {
    let rules = rules("ormolu");
    let hunt = rules.battle().hunt.unwrap();
    let mut state = rules.found();
    let mut dice = Loose::numbered(1);
    for t in 1..=2 {
        state = step(&rules, &state, t, &mut dice, BTreeMap::new());
    }
    let reading = orders(&rules, &view(&rules, &state, hunt.side), Skill::Advanced, 1);
    let likens = |order: &Order| matches!(order, Order::Do { units, tasks } if units == &[hunt.wizard] && matches!(tasks[0].act, Act::Liken(_)));
    assert!(reading.orders.iter().any(|placed| likens(&placed.order)));
}

#[test]
fn bows_fire_at_foot_in_range_and_never_walk_into_it() {
    // The enemy stands three hexes away, then next to them.
    for (hex, apart) in [("0807", 3), ("0809", 1)] {
        let rules = battle([&[(BOWS, "0810"), (SPEARS, "0611")], &[(SPEARS, hex), (SPEARS, "0303")]], [0, 0]);
        let charge = told(&rules, &opened(&rules), 1);
        let foe = unit(Side::B, 1);
        assert!(!attacks(&charge, foe) && charge.stance != Stance::Charge, "{apart}: {charge:?}");
        assert!(charge.triggers.iter().all(|(_, stance)| *stance != Stance::Charge), "{apart}: {charge:?}");
        let closer =
            |task: &Task| matches!(task.act, Act::To(to) if to.distance(hex.parse::<Hex>().unwrap()) < apart);
        assert!(!charge.tasks.iter().any(closer), "{apart}: {charge:?}");
        assert!(apart == 1 || charge.tasks == [Task::plain(Act::Fire(foe))], "{charge:?}");
    }
}

/// The attacker won a melee against the defender, and nobody fell.
fn fought(attacker: UnitId, defender: UnitId) -> Event {
    let blow = |unit| Blow { unit, men: 1000, lost: 0, factors: Factors::default(), percent: 0 };
    Event::Fought { attacker: blow(attacker), defender: blow(defender), next: 1, won: Some(attacker) }
}

#[test]
fn a_unit_that_one_more_defeat_would_break_is_not_sent_in_again() {
    let rules = battle([&[(FOOT, "0808")], &[(FOOT, "0807"), (SPEARS, "0303")]], [0, 0]);
    let state = opened(&rules);
    let foe = unit(Side::B, 1);
    assert!(attacks(&told(&rules, &state, 1), foe), "fresh it attacks its equal");
    let mut beaten = state;
    rules.apply(&mut beaten, &fought(foe, unit(Side::A, 1)));
    let charge = told(&rules, &beaten, 1);
    assert!(!attacks(&charge, foe), "{charge:?}");
    assert!(
        matches!(charge.tasks.as_slice(), [Task { act: Act::To(_), .. }]),
        "a move makes it good: {charge:?}"
    );
}

#[test]
fn several_fall_on_one_that_two_defeats_break() {
    let weak = Hex::new(8, 7);
    let next: Vec<String> = weak.around().filter(|hex| hex.row >= 7).map(|hex| hex.to_string()).collect();
    let own: Vec<(&str, &str)> = next.iter().map(|hex| (SPEARS, hex.as_str())).collect();
    let rules = battle([&own, &[(FOOT, "0807"), (SPEARS, "0805")]], [0, 0]);
    let state = opened(&rules);
    let numbers = 1..=u8::try_from(own.len()).unwrap();
    let on_it = numbers.filter(|number| attacks(&told(&rules, &state, *number), unit(Side::B, 1))).count();
    assert!(on_it >= 2, "{on_it} of {}", own.len());
}

#[test]
fn spells_are_cast_for_a_fight_at_hand_and_not_beyond_the_pool() {
    let rules =
        battle([&[(SPEARS, "0808"), (SPEARS, "0908")], &[(SPEARS, "0806"), (SPEARS, "0906")]], [3, 0]);
    let state = opened(&rules);
    let charges = [told(&rules, &state, 1), told(&rules, &state, 2)];
    let cast = |charge: &Charge| match charge.tasks.first() {
        Some(Task { act: Act::Cast(Spell::Blade | Spell::Shield, points), .. }) => *points,
        _ => 0,
    };
    let points: u32 = charges.iter().map(cast).sum();
    assert!((1..=3).contains(&points), "{charges:?}");
}

#[test]
fn a_beginner_goes_for_the_nearest_enemy() {
    let rules = battle([&[(SPEARS, "0810"), (BOWS, "0610")], &[(SPEARS, "0806"), (SPEARS, "0301")]], [0, 0]);
    let state = opened(&rules);
    let reading = orders(&rules, &view(&rules, &state, Side::A), Skill::Beginning, 1);
    let attacks =
        Order::Do { units: vec![unit(Side::A, 1)], tasks: vec![Task::plain(Act::Attack(unit(Side::B, 1)))] };
    assert!(reading.orders.iter().any(|placed| placed.order == attacks));
    let advances = Order::Stance { units: vec![unit(Side::A, 2)], stance: Stance::Advance(None) };
    assert!(reading.orders.iter().any(|placed| placed.order == advances));
}

#[test]
fn a_line_in_waiting_falls_on_whoever_comes_next_to_it() {
    let rules = battle([&[(SPEARS, "0808"), (SPEARS, "0908")], &[(FOOT, "0805"), (FOOT, "0905")]], [0, 0]);
    let mut state = opened(&rules);
    let way = musterd_sa::model::Way::of(3).unwrap();
    for (number, to) in [(1, Hex::new(8, 6)), (2, Hex::new(9, 6))] {
        rules.apply(&mut state, &Event::Moved { unit: unit(Side::B, number), way, to, next: 12 });
    }
    let charge = told(&rules, &state, 1);
    assert_eq!(charge.stance, Stance::Hold, "{charge:?}");
    assert_eq!(charge.triggers, [(Trigger::Contact, Stance::Charge)], "{charge:?}");
}

//! Computer commanders of The Shattered Alliance: what they order is read, hides nothing, and is worth what the levels promise.

use std::collections::{BTreeMap, BTreeSet};
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
    founded(sides, magic, &Terms::default())
}

/// What else there is about such a battle.
#[derive(Default)]
struct Terms<'a> {
    /// Lines of the scenario.
    lines: &'a str,
    /// Lines of the first side.
    south: &'a str,
    options: &'a str,
}

fn founded(sides: [&[(&str, &str)]; 2], magic: [u32; 2], terms: &Terms<'_>) -> Sa {
    let mut text = "id: plain\ntitle: A plain\nsituation: A plain.\n".to_owned();
    text.push_str(terms.lines);
    text.push_str("field:\n  rows:\n");
    for _ in 0..14 {
        writeln!(text, "    - \"{}\"", ".".repeat(16)).unwrap();
    }
    text.push_str("sides:\n");
    let named = sides.into_iter().zip([("south", terms.south), ("north", "")]);
    for ((units, (home, lines)), magic) in named.zip(magic) {
        writeln!(text, "  - seat: {home}\n    name: {home}\n    home: {home}\n    magic: {magic}\n    army:")
            .unwrap();
        for (number, (facts, _)) in (1..).zip(units) {
            writeln!(text, "      - {{name: Unit {number}, tribe: Plain, {facts}}}").unwrap();
        }
        text.push_str("    at:\n");
        for (number, (_, hex)) in (1..).zip(units) {
            writeln!(text, "      Unit {number}: [\"{hex}\"]").unwrap();
        }
        text.push_str(lines);
    }
    let shared = SHIPPED.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
    let files = shared.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let own = [("scenario.yaml", text), (OPTIONS_FILE, terms.options.to_owned())];
    let own = own.into_iter().filter(|(_, text)| !text.is_empty());
    let files = files.chain(own.map(|(path, text)| (path.to_owned(), text))).collect();
    Sa::from_files(&RuleFiles(files), &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

/// A shipped battle with options.
fn chosen(battle: &str, options: &str) -> Sa {
    let mut files = shipped(battle).unwrap();
    files.0.insert(OPTIONS_FILE.to_owned(), options.to_owned());
    Sa::from_files(&files, &[]).unwrap()
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
    let rules = chosen("ormolu", "wizard: placed\n");
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

#[test]
fn nobody_plays_a_hunt_that_decides_nothing() {
    // Whether somebody makes likenesses or leaves, and whether somebody rides after the wizard from afar.
    let plays = |options: &str| {
        let rules = chosen("ormolu", options);
        let hunt = rules.battle().hunt.unwrap();
        let mut played = [false; 2];
        play(&rules, [Skill::Advanced; 2], 3, |view, reading| {
            let at = |id: UnitId| view.position.units[rules.battle().index(id).unwrap()].at.unwrap();
            for order in reading.orders.iter().map(|placed| &placed.order) {
                let Order::Do { units, tasks } = order else { continue };
                let rides = |act: &Act| match act {
                    Act::Attack(foe) if view.side != Some(hunt.side) => {
                        rules.battle().spec(*foe).likeness && at(units[0]).distance(at(*foe)) > 6
                    }
                    _ => false,
                };
                played[0] |= tasks.iter().any(|task| matches!(task.act, Act::Liken(_) | Act::Leave));
                played[1] |= tasks.iter().any(|task| rides(&task.act));
            }
        });
        played
    };
    assert_eq!(plays("hunt: on\n"), [true; 2]);
    assert_eq!(plays("hunt: off\n"), [false; 2]);
}

#[test]
fn commanders_of_contingents_order_their_own_units_without_a_mistake() {
    for battle in ["ambush", "beasts", "issus", "cynoscephalae", "stamford"] {
        let rules = chosen(battle, "commands: contingents\n");
        let mut heard = BTreeSet::new();
        play(&rules, [Skill::Advanced; 2], 7, |view, reading| {
            let mut units = reading.orders.iter().flat_map(|placed| placed.order.units());
            assert!(units.all(|id| view.own.contains(id)), "{battle}");
            heard.insert(view.seat.clone());
        });
        assert!(heard.len() > 2 && heard.len() == rules.seats().len(), "{battle}: {heard:?}");
    }
}

#[test]
fn units_of_other_commanders_are_friends() {
    // Recruits fall back before their equals, but not with friends around them, whoever commands those.
    const GREEN: &str = "type: MI, class: D, melee: lspear, shield: true, men: 1000";
    let south =
        "    contingents:\n      - {seat: rear, name: the rear, units: [Unit 2, Unit 3, Unit 4, Unit 5]}\n";
    let terms = Terms { south, options: "commands: contingents\n", ..Terms::default() };
    let near = ["0808", "0709", "0809", "0909", "0810"];
    let far = ["0808", "0114", "0214", "0314", "0414"];
    for (hexes, stays) in [(near, true), (far, false)] {
        let own = hexes.map(|hex| (GREEN, hex));
        let rules = founded([&own, &[(GREEN, "0806")]], [0, 0], &terms);
        let charge = told(&rules, &opened(&rules), 1);
        assert_eq!(charge.tasks.is_empty(), stays, "{hexes:?}: {charge:?}");
    }
}

#[test]
fn whoever_is_still_to_come_has_orders_for_his_arrival() {
    let rules = rules("stamford");
    let state = opened(&rules);
    let coming = || rules.battle().units.iter().filter(|spec| spec.arrives.is_some());
    assert!(coming().count() > 0);
    for (skill, stance) in [(Skill::Beginning, Stance::Charge), (Skill::Advanced, Stance::Advance(None))] {
        let reading = orders(&rules, &view(&rules, &state, Side::B), skill, 1);
        for spec in coming() {
            let wanted = Order::Stance { units: vec![spec.id], stance };
            assert!(reading.orders.iter().any(|placed| placed.order == wanted), "{skill:?}: {}", spec.id);
        }
    }
}

#[test]
fn the_day_is_as_long_as_the_scenario_says() {
    // Nobody is ahead, so that somebody has to attack before night falls, but nobody does before a third of the day is over.
    for nightfall in [60, 300] {
        let lines = format!("nightfall: {nightfall}\n");
        let terms = Terms { lines: &lines, ..Terms::default() };
        let lines = [["0610", "0710", "0810"], ["0604", "0704", "0804"]];
        let [own, foes] = lines.map(|hexes| hexes.map(|hex| (SPEARS, hex)));
        let rules = founded([&own, &foes], [0, 0], &terms);
        let mut points = Vec::new();
        play(&rules, [Skill::Advanced; 2], 1, |view, reading| {
            let attacks = |task: &Task| matches!(task.act, Act::Attack(_));
            let acts = |order: &Order| matches!(order, Order::Do { tasks, .. } if tasks.iter().any(attacks));
            if reading.orders.iter().any(|placed| acts(&placed.order)) {
                points.push(view.paused);
            }
        });
        let first = points.first().unwrap();
        assert!((nightfall / 3..=nightfall / 2).contains(first), "{nightfall}: {points:?}");
    }
}

#[test]
fn a_spell_may_take_what_the_game_allows() {
    for (options, most) in [("spell_cap: 2\n", 2), ("spell_cap: none\n", 6)] {
        let units: [&[(&str, &str)]; 2] = [&[(SPEARS, "0808")], &[(SPEARS, "0806"), (SPEARS, "0906")]];
        let rules = founded(units, [6, 0], &Terms { options, ..Terms::default() });
        let charge = told(&rules, &opened(&rules), 1);
        let points = charge.tasks.first().map(|task| task.act);
        assert!(matches!(points, Some(Act::Cast(_, points)) if points == most), "{options}{charge:?}");
    }
}

#[test]
fn foot_that_would_wait_at_a_bridge_crosses_by_a_ford() {
    let rules = rules("stamford");
    let shallows = ["0408", "0508", "0608", "1808", "1908", "2008"].map(|hex| hex.parse::<Hex>().unwrap());
    let foot = |id: &UnitId| !rules.battle().spec(*id).kind.is_cavalry();
    let mut crossed = false;
    play(&rules, [Skill::Advanced; 2], 3, |view, _| {
        let at = |id: &UnitId| view.position.units[rules.battle().index(*id).unwrap()].at;
        let there = |id: &UnitId| at(id).is_some_and(|at| shallows.contains(&at));
        crossed |= view.own.iter().any(|id| foot(id) && there(id));
    });
    assert!(crossed);
}

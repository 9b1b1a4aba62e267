//! Whole battles between commanders who are left to themselves.

use std::collections::BTreeMap;

use musterd_acw::event::Event;
use musterd_acw::model::{Arm, BrigadeId, Formation, ObjectiveId, Side, UnitId};
use musterd_acw::order::Command;
use musterd_acw::view::View;
use musterd_acw::{Acw, State, shipped};
use musterd_engine::hex::Hex;
use musterd_engine::{Awaiting, Fold, Input, Ruleset, Scribe};

use crate::common::Loose;
use crate::fixture::Field;
use crate::march::objective;

/// The rules of a shipped battle.
pub(crate) fn rules(battle: &str, options: &str) -> Acw {
    let mut files = shipped(battle).unwrap();
    if !options.is_empty() {
        files.0.insert("options.yaml".to_owned(), options.replace(", ", "\n"));
    }
    Acw::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{battle}: {errors}"))
}

/// The position after one more adjudication without orders, and its events.
pub(crate) fn step(rules: &Acw, state: &State, t: u32, dice: &mut Loose) -> (State, Vec<Event>) {
    let mut scribe = Scribe::new(rules, state.clone(), t, dice);
    rules.step(&mut scribe, &Input { orders: BTreeMap::new() });
    (scribe.state().clone(), scribe.finish())
}

fn view(rules: &Acw, state: &State, side: Side) -> View {
    rules.view(state, &rules.battle().army(side).commanders[0].seat)
}

/// The shipped battles.
const BATTLES: [&str; 8] = [
    "kellys-mill",
    "bull-run",
    "shiloh",
    "second-manassas",
    "antietam",
    "fredericksburg",
    "fredericksburg-assault",
    "chancellorsville",
];

/// Plays a battle to its end without orders; `look` sees each event with the position before and after it. How many shots there were.
fn play(rules: &Acw, seed: u32, mut look: impl FnMut(&State, &Event, &State)) -> usize {
    let (mut state, mut dice) = (rules.found(), Loose::numbered(seed));
    let mut shots = 0;
    for t in 1..200 {
        let before = state.clone();
        let (after, events) = step(rules, &state, t, &mut dice);
        for event in &events {
            let was = state.clone();
            rules.apply(&mut state, event);
            look(&was, event, &state);
        }
        shots += events.iter().filter(|event| matches!(event, Event::Fired(_))).count();
        // Folded from the journal it is the same position, and events are read back as they are written.
        let mut folded = before;
        for event in &events {
            let text = serde_json::to_string(event).unwrap();
            rules.apply(&mut folded, &serde_json::from_str(&text).unwrap());
        }
        for side in Side::ALL {
            assert_eq!(view(rules, &folded, side), view(rules, &after, side));
            assert_eq!(view(rules, &state, side), view(rules, &after, side));
        }
        if matches!(rules.awaiting(&state), Awaiting::Over { .. }) {
            return shots;
        }
        stands(rules, &state);
    }
    panic!("{} has no end", rules.title())
}

/// What is true of every position between mail turns: a brigade a hex, on ground where it can be, in control of it, with 0 to 7 of cohesion.
#[track_caller]
fn stands(rules: &Acw, state: &State) {
    let mut taken = BTreeMap::new();
    for side in Side::ALL {
        let view = view(rules, state, side);
        for (id, brigade) in view.own_brigades() {
            let Some(at) = brigade.at else { continue };
            assert_eq!(taken.insert(at, id), None, "{at}: two brigades");
            assert_eq!(view.controller(rules, at), side, "{id} in {at}");
            assert!((1..=7).contains(&brigade.cohesion) && brigade.men > 0, "{id}: {brigade:?}");
            assert!(brigade.works <= 3, "{id}");
            let map = &rules.battle().map;
            let terrain = rules.numbers().terrain(map.ground(at));
            let arm = rules.battle().brigade(id).arm;
            let enters = terrain.cost(arm.into(), Formation::Line).is_some();
            let by_road = map.around(at).any(|(way, _)| map.side(at, way).road);
            assert!(enters || by_road, "{id} in {at}");
        }
        for (id, hq) in view.own_hqs() {
            let stands = hq.with.and_then(|with| view.brigade(with).at);
            assert!(id.is_army() || hq.at == stands, "{id} at {:?} with {:?}", hq.at, hq.with);
        }
    }
}

/// Men never rise, and steps lead from hex to neighbour.
fn unfolds(rules: &Acw, before: &State, event: &Event, after: &State) {
    match event {
        Event::Moved { unit: UnitId::Brigade(id), from, to } => {
            let was = view(rules, before, id.side).brigade(*id).at;
            assert_eq!((was, from.distance(*to)), (Some(*from), 1), "{event:?}");
            assert!(rules.battle().map.between(*from, *to).is_open(), "{event:?}");
        }
        Event::Fired(shot) => {
            let men = |state: &State| view(rules, state, shot.target.side).brigade(shot.target).men;
            assert!(men(after) <= men(before));
        }
        _ => {}
    }
}

#[test]
fn battles_of_commanders_left_to_themselves() {
    for name in BATTLES {
        let rules = rules(name, "");
        let shots = play(&rules, 1, |_, _, _| {});
        assert!(shots > 20, "{name}: {shots} shots");
    }
}

#[test]
fn battles_with_every_option() {
    for options in ["radio: on", "command: corps", "block: 6, exposed: on, guns: second"] {
        for name in ["bull-run", "antietam"] {
            let shots = play(&rules(name, options), 2, |_, _, _| {});
            assert!(shots > 20, "{name}, {options}: {shots} shots");
        }
    }
}

#[test]
fn every_event_of_a_small_battle_unfolds() {
    for seed in 0..6 {
        let rules = rules("kellys-mill", ["", "block: 3", "radio: on"][seed as usize % 3]);
        play(&rules, seed, |before, event, after| unfolds(&rules, before, event, after));
    }
}

/// A small battle of brigades of all types on ground of all kinds, made by numbers.
fn random_field(seed: u32) -> Field {
    let mut number = seed.wrapping_mul(2_654_435_761).max(1);
    let mut next = move |below: u32| {
        number ^= number << 13;
        number ^= number >> 17;
        number ^= number << 5;
        number % below
    };
    let mut field = Field::of("clear");
    let grounds = [
        "clear",
        "fields",
        "woods",
        "light woods",
        "heavy woods",
        "swamp",
        "town",
        "hill crest",
        "deep water",
    ];
    for at in field.battle.map.hexes() {
        let kind = if next(3) > 0 { 0 } else { next(9) as usize };
        field.put(&at.to_string(), grounds[kind]);
    }
    for (name, at) in [("Town", "1010"), ("Mill", "0608"), ("Ford", "1412")] {
        field.put(at, "town");
        objective(&mut field, name, at);
    }
    field.battle.exposed = next(2) == 0;
    for hour in 4..8 {
        field.battle.hours[hour].still = next(2) == 0;
    }
    for side in Side::ALL {
        field.army(side).entrench = next(2) == 0;
        let division = field.division(side);
        let target = ObjectiveId(u8::try_from(next(3)).unwrap());
        field.army(side).hqs[1].command = Command::Offensive { via: None, objective: target };
        for place in 0..4 + next(4) {
            let col = if side == Side::A { 2 + next(6) } else { 14 + next(6) };
            let at = format!("{:02}{:02}", col, 2 + 2 * place);
            field.put(&at, "clear");
            let arm = Arm::ALL[next(4) as usize];
            let guns = if arm == Arm::Artillery { field.guns(6, "napoleon") } else { None };
            let (men, experience) = (400 + 100 * next(25), i32::try_from(2 + next(6)).unwrap());
            let own = next(4) == 0;
            field.add(side, &at, |spec| {
                (spec.arm, spec.guns, spec.men, spec.experience) = (arm, guns, men, experience);
                if arm == Arm::Artillery {
                    (spec.arms, spec.regiments) = (None, 0);
                }
                if own {
                    spec.objective = Some(target);
                } else {
                    spec.over = division;
                }
            });
        }
    }
    field
}

/// What events alone tell of brigades: where each stands, and how many men it has.
#[derive(Default)]
struct Account {
    places: BTreeMap<BrigadeId, Hex>,
    men: BTreeMap<BrigadeId, u32>,
}

impl Account {
    /// Takes an event, which has to fit those before it: steps lead from hex to neighbour over open sides, shots fall between enemies where these stand, and
    /// men never rise.
    fn take(&mut self, rules: &Acw, event: &Event) {
        match event {
            Event::Founded => {
                for spec in rules.battle().armies.iter().flat_map(|army| &army.brigades) {
                    self.men.insert(spec.id, spec.men);
                    if spec.start.turn == 0 {
                        self.places.insert(spec.id, spec.start.at);
                    }
                }
            }
            Event::Arrived { brigade, at } => {
                assert_eq!(self.places.insert(*brigade, *at), None, "{event:?}");
            }
            Event::Moved { unit: UnitId::Brigade(id), from, to } => {
                assert_eq!(self.places.insert(*id, *to), Some(*from), "{event:?}");
                assert_eq!(from.distance(*to), 1, "{event:?}");
                assert!(rules.battle().map.between(*from, *to).is_open(), "{event:?}");
            }
            Event::Retreated { brigade, from, way, .. } => {
                assert_eq!(self.places.get(brigade), Some(from), "{event:?}");
                let mut at = *from;
                for next in way {
                    assert_eq!(at.distance(*next), 1, "{event:?}");
                    at = *next;
                }
                self.places.insert(*brigade, at);
            }
            Event::Destroyed { brigade, .. } => {
                assert!(self.places.remove(brigade).is_some(), "{event:?}");
                self.men.remove(brigade);
            }
            Event::Fired(shot) => {
                assert_ne!(shot.attacker.side, shot.target.side, "{event:?}");
                let stand = [shot.attacker, shot.target].map(|id| (self.places[&id], self.men[&id]));
                assert_eq!(stand, [(shot.from, shot.men.0), (shot.at, shot.men.1)], "{event:?}");
                assert!(shot.lost <= shot.men.1, "{event:?}");
                self.men.insert(shot.target, shot.men.1 - shot.lost);
            }
            _ => {}
        }
    }

    /// The position is what the events told.
    fn agrees(&self, rules: &Acw, state: &State) {
        for side in Side::ALL {
            for (id, brigade) in view(rules, state, side).own_brigades() {
                assert_eq!(brigade.at.as_ref(), self.places.get(&id), "{id}");
                let is_gone = !brigade.is_fielded();
                assert!(is_gone || self.men.get(&id) == Some(&brigade.men), "{id}");
            }
        }
    }
}

/// A random small battle to its end, with what must be true of every event and of every position.
fn hold_together(seed: u32) -> usize {
    let mut field = random_field(seed);
    field.battle.hours.truncate(14);
    let rules = field.rules();
    let (mut state, mut dice, mut account) = (rules.found(), Loose::numbered(seed), Account::default());
    let mut shots = 0;
    for t in 1..60 {
        let (after, events) = step(&rules, &state, t, &mut dice);
        for event in &events {
            account.take(&rules, event);
            rules.apply(&mut state, event);
        }
        shots += events.iter().filter(|event| matches!(event, Event::Fired(_))).count();
        account.agrees(&rules, &after);
        stands(&rules, &state);
        if matches!(rules.awaiting(&state), Awaiting::Over { .. }) {
            assert!(matches!(rules.awaiting(&after), Awaiting::Over { .. }));
            return shots;
        }
    }
    panic!("battle {seed} has no end")
}

/// 500 of them: their events, and the positions that these lead to.
#[test]
fn random_small_battles_hold_together() {
    let shots: usize = (1..=500).map(hold_together).sum();
    assert!(shots > 5_000, "{shots}");
}

/// Some of them in full: views by the journal and by play are the same, and every event unfolds by itself.
#[test]
fn random_small_battles_are_folded_from_their_journals() {
    for seed in 1..=12 {
        let rules = random_field(seed).rules();
        play(&rules, seed, |before, event, after| unfolds(&rules, before, event, after));
    }
}

//! What the GM of a battle is shown and told, and what becomes of what he amends when it is over.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::Seat;
use musterd_dog::event::Event;
use musterd_dog::next::{Wishes, next};
use musterd_dog::{Dog, State, shipped};
use musterd_engine::{Awaiting, Fold, Input, Match, Ruleset, Scribe};

use crate::common::Loose;
use crate::common::pages::page;
use crate::common::standing::{Told, ends_with_its_unit};

/// Archers five hexes from peasants, and swordsmen beside them; one round only.
const RAIN: &str = "id: x\ntitle: X\nsituation: X.\nscale: tactical\nrounds: 1\nfield:\n  rows: [\". . . . . .\", \". . . . . .\"]\n\
    armies:\n\
    \x20 - seat: emperor\n    letter: E\n    name: Empire\n    leadership: 400\n    zone: [\"0101-0202\"]\n\
    \x20   units: [{id: 1, type: archers, fighters: 20, at: \"0101\"}, {id: 2, name: Swords, type: light infantry, fighters: 20, at: \"0102\"}]\n\
    \x20 - seat: king\n    letter: D\n    name: Dwarves\n    leadership: 400\n    zone: [\"0501-0602\"]\n\
    \x20   units: [{id: 1, type: peasants, fighters: 20, at: \"0401\"}, {id: 2, type: dwarves, fighters: 20, at: \"0602\"}]\n";

fn rules(battle: &str) -> Dog {
    let mut files = shipped("training").unwrap();
    files.0.insert("scenario.yaml".to_owned(), battle.to_owned());
    Dog::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The position after a turn with these orders, and what happened in it.
fn played(rules: &Dog, state: &State, orders: &[(&str, &str)]) -> (State, Vec<Event>) {
    let reading = |(seat, text): &(&str, &str)| {
        let seat: Seat = seat.parse().unwrap();
        let reading = rules.read_orders(&rules.view(state, &seat), text);
        assert_eq!(reading.remarks, Vec::new(), "{text}");
        (seat, reading)
    };
    let orders: BTreeMap<_, _> = orders.iter().map(reading).collect();
    let mut dice = Loose::numbered(1);
    let mut scribe = Scribe::new(rules, state.clone(), 1, &mut dice);
    rules.step(&mut scribe, &Input { orders });
    (scribe.state().clone(), scribe.finish())
}

fn amended(rules: &Dog, state: &State, text: &str) -> State {
    let mut after = state.clone();
    for event in rules.amend(state, text).unwrap_or_else(|remark| panic!("{text}: {}", remark.text)) {
        rules.apply(&mut after, &event);
    }
    after
}

#[test]
fn leadership_and_loot_that_are_amended_after_the_last_round_are_carried_on() {
    let rules = rules(RAIN);
    let (begun, _) = played(&rules, &rules.found(), &[]);
    let (over, _) = played(&rules, &begun, &[]);
    let after = amended(&rules, &over, "LEADERSHIP E 777; LOOT king 9");
    let Awaiting::Over { results } = rules.awaiting(&after) else { panic!("one round was to be fought") };
    assert!(results.contains(&"Empire: 0 hit points lost, leadership 400 to 777".to_owned()), "{results:?}");
    let views = rules.seats().iter().map(|spec| (spec.seat.clone(), rules.view(&after, &spec.seat)));
    let views: BTreeMap<_, _> = views.collect();
    let seen = page(&rules.brief(&views[&"king".parse().unwrap()], &[]));
    let words = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("rounded up: nothing changes; the GM made it 777"), "{seen}");
    assert_eq!(
        words.matches("the GM made it").count(),
        1,
        "what is as the sum says is nobody's doing: {seen}"
    );
    // Whoever leaves the field by the GM's hand costs no maintenance any more, and changes nothing else.
    let fewer = amended(&rules, &after, "REMOVE E2");
    let reckoned = |state: &State| rules.view(state, &"emperor".parse().unwrap()).result.unwrap().1.remove(0);
    assert!(reckoned(&fewer).maintenance < reckoned(&after).maintenance);
    assert_eq!((reckoned(&fewer).after, reckoned(&fewer).lost), (777, 0));
    let wishes = Wishes { id: "y".to_owned(), title: None, money: BTreeMap::new(), without: BTreeSet::new() };
    let (file, carried) = next(&rules, &views, &BTreeMap::new(), None, &wishes).unwrap();
    assert!(file.contains("leadership: 777\n"), "{file}");
    assert_eq!(carried.iter().map(|army| army.loot).collect::<Vec<_>>(), [0, 9]);
}

#[test]
fn the_gms_page_counts_whom_volleys_killed_from_afar() {
    let rules = rules(&RAIN.replace("rounds: 1", "rounds: 2"));
    let (begun, _) = played(&rules, &rules.found(), &[]);
    let (state, events) = played(&rules, &begun, &[("emperor", "SHOOT 1 D1")]);
    let fell = events.iter().find_map(|event| match event {
        Event::Shot { strike, .. } => Some(strike.hp),
        _ => None,
    });
    let fell = fell.filter(|fell| *fell > 0).unwrap();
    let own = page(&rules.brief(&rules.view(&state, &"emperor".parse().unwrap()), &[]));
    assert!(own.contains("0 taken from enemies that you could count"), "{own}");
    let whole = page(&rules.overview(&state).unwrap());
    assert!(whole.contains(&format!("0 lost, {fell} taken from enemies\n")), "{whole}");
    assert!(!whole.contains("could count"), "{whole}");
}

#[test]
fn what_the_gm_mistypes_is_answered_with_what_there_is() {
    let rules = rules(RAIN);
    let (state, _) = played(&rules, &rules.found(), &[]);
    let refused = |text: &str| {
        let fault = rules.amend(&state, text).unwrap_err();
        format!("{}; {}", fault.text, fault.hint.unwrap_or_default())
    };
    assert!(refused("ORDER E").contains("such as ORDER E D"), "{}", refused("ORDER E"));
    let said = refused("LEADERSHIP empire 3");
    assert!(said.contains("there are E (emperor), D (king)"), "{said}");
    let said = refused("ADD E9 12 heavy infantery AT 0201");
    assert!(said.to_lowercase().contains("did you mean heavy infantry?"), "{said}");
}

/// What a reveal has to wait for: a turn whose orders still hold.
#[test]
fn what_holds_for_a_part_was_said_when_it_was_said_of_its_unit() {
    let rules = rules(&RAIN.replace("rounds: 1", "rounds: 9"));
    let (mut state, _) = played(&rules, &rules.found(), &[]);
    let filed = |events: &[Event]| events.iter().filter_map(|event| rules.filed(event)).collect::<Vec<_>>();
    let emperor: Seat = "emperor".parse().unwrap();
    let mut said = Vec::new();
    for orders in ["IF ATTACKED DEFEND Swords", "MOVE Swords TO 0302 LEAVE 2", "DEFEND ALL"] {
        let (after, events) = played(&rules, &state, &[("emperor", orders)]);
        said.push(filed(&events));
        state = after;
    }
    let given = vec![(emperor.clone(), vec!["IF ATTACKED DEFEND E2".to_owned()])];
    assert_eq!(said, [given.clone(), Vec::new(), Vec::new()]);
    state = amended(&rules, &state, "REMOVE E2");
    let (state, events) = played(&rules, &state, &[]);
    assert_eq!(rules.view(&state, &emperor).if_attacked.lines(), ["IF ATTACKED DEFEND E2b"]);
    assert_eq!(filed(&events), given, "it holds for E2b, and was said in the first round");
}

#[test]
fn an_instruction_ends_with_its_unit_and_its_leader_is_told_once() {
    let told =
        Told { before: 1, seat: "emperor", order: "IF ATTACKED DEFEND 2", change: "REMOVE E2", unit: "E2" };
    ends_with_its_unit(Match::new(rules(&RAIN.replace("rounds: 1", "rounds: 9"))), &told);
}

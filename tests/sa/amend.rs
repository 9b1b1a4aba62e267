//! What a GM changes, and what he is told if it can't be.

use musterd_engine::{Fold, Input, Ruleset, Scribe};
use musterd_sa::event::{Ending, Event};
use musterd_sa::view::View;
use musterd_sa::{Sa, State};

use crate::common::Loose;
use crate::sa_arena::rules;

/// A battle before its first block.
fn begun(rules: &Sa) -> State {
    let mut state = rules.found();
    for t in 1..=3 {
        state = turn(rules, &state, t).0;
    }
    state
}

/// A mail turn without orders, and its last event.
fn turn(rules: &Sa, state: &State, t: u32) -> (State, Event) {
    let mut dice = Loose::numbered(1);
    let mut scribe = Scribe::new(rules, state.clone(), t, &mut dice);
    rules.step(&mut scribe, &Input { orders: std::collections::BTreeMap::new() });
    let after = scribe.state().clone();
    (after, scribe.finish().pop().unwrap())
}

fn view(rules: &Sa, state: &State) -> View {
    rules.view(state, &rules.seats()[0].seat)
}

/// The position after a GM's line.
fn amended(rules: &Sa, state: &State, text: &str) -> Result<State, String> {
    let events = rules.amend(state, text).map_err(|remark| remark.text)?;
    let mut after = state.clone();
    events.iter().for_each(|event| rules.apply(&mut after, event));
    Ok(after)
}

#[test]
fn every_change_is_made() {
    let rules = rules("mill");
    let state = begun(&rules);
    let free = rules.battle().field.hexes().find(|hex| {
        let clear = rules.battle().field.terrain(*hex) == musterd_sa::model::Terrain::Clear;
        clear && view(&rules, &state).position.unit_at(&rules, *hex).is_none()
    });
    let free = free.unwrap();
    let line = format!(
        "UNIT A1 MEN 77; UNIT A1 AT {free}; UNIT A1 ROUTS YES; UNIT A1 NEXT 9; UNIT A1 BATTLES -2; UNIT A1 ROUT-COUNT 3; \
         UNIT A2 OFF; MORALE A 7; MAGIC B 5"
    );
    let position = view(&rules, &amended(&rules, &state, &line).unwrap()).position;
    let unit = &position.units[0];
    assert_eq!((unit.men, unit.at, unit.routing, unit.next), (77, Some(free), true, 9));
    assert_eq!((unit.battles, unit.routs), (-2, 3));
    assert_eq!((position.units[1].at, position.morale[0], position.magic[1]), (None, 7, 5));
    assert_eq!(position.unit_at(&rules, free), Some(0));
    assert_eq!(position.board.iter().flatten().count(), position.fielded().count());
}

#[test]
fn what_cannot_stand_is_refused_with_its_reason() {
    let rules = rules("mill");
    let state = begun(&rules);
    let taken = view(&rules, &state).position.units[1].at.unwrap();
    for (line, text) in [
        ("", "No change is named."),
        ("UNIT A99 MEN 3", "`A99` is no unit"),
        ("UNIT A50 MEN 3", "there is no unit A50"),
        ("UNIT A1 MEN 0", "can't be without men"),
        ("UNIT A1 MEN -4", "`-4` is no number that fits here"),
        ("UNIT A1 AT 9999", "`9999` is no hex of the field"),
        (&format!("UNIT A1 AT {taken}"), "a hex holds one unit"),
        ("UNIT A1 ROUTS MAYBE", "Write YES or NO."),
        ("UNIT A1 SLEEPS", "What changes?"),
        ("MORALE C 3", "`C` is no side"),
        ("WIZARD A1", "is no likeness of a wizard"),
    ] {
        let refused = amended(&rules, &state, line).err().unwrap_or_default();
        assert!(refused.contains(text), "{line}: {refused}");
    }
}

#[test]
fn an_army_whose_morale_is_taken_retreats_in_the_next_mail_turn() {
    let rules = rules("mill");
    let state = amended(&rules, &begun(&rules), "MORALE B 0").unwrap();
    let (_, last) = turn(&rules, &state, 4);
    let Event::Ended { outcome } = last else { panic!("{last:?}") };
    assert_eq!(outcome.ending, Ending::Retreat(musterd_sa::model::Side::B));
}

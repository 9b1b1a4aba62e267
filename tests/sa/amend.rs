//! What a GM changes, and what he is told if it can't be.

use musterd_engine::{Fold, Input, Match, Ruleset, Scribe};
use musterd_sa::event::{Change, Ending, Event};
use musterd_sa::model::{Side, Spell, UnitId};
use musterd_sa::order::{Act, Charge, Task};
use musterd_sa::view::View;
use musterd_sa::{Sa, State};

use crate::common::Loose;
use crate::common::standing::{Told, ends_with_its_unit};
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
         UNIT A1 LOSING 1; UNIT A1 PLAIN; UNIT A2 OFF; MORALE A 7; MAGIC B 5"
    );
    let position = view(&rules, &amended(&rules, &state, &line).unwrap()).position;
    let unit = &position.units[0];
    assert_eq!((unit.men, unit.at, unit.routing, unit.next), (77, Some(free), true, 9));
    assert_eq!((unit.battles, unit.routs, unit.losing), (-2, 3, 1));
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
        ("UNIT A1 MEN -4", "`-4` is too little or too much: the men can be from 1 to 5700"),
        ("UNIT A1 MEN 99000", "the men can be from 1 to 5700"),
        ("UNIT A1 NEXT 145", "the time-point can be from 0 to 144"),
        ("UNIT A1 BATTLES 100", "BS can be from -99 to 99"),
        ("UNIT A1 ROUT-COUNT -100", "RS can be from -99 to 99"),
        ("UNIT A1 LOSING 9", "the melees lost can be from 0 to 3"),
        ("MORALE A -1", "army morale can be from 0 to 999"),
        ("MAGIC A 1000", "spell points can be from 0 to 999"),
        ("MAGIC A many", "`many` is no number"),
        ("UNIT A1 OFF; UNIT A1 ROUTS YES", "A1 is not on the field"),
        ("UNIT A1 OFF; UNIT A1 OFF", "A1 is neither on the field nor still to come"),
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

/// Nobody acts in the past: a time-point that is over is no other than the next, and says so.
#[test]
fn nobody_acts_next_at_a_time_point_that_is_over() {
    let rules = rules("mill");
    let mut state = begun(&rules);
    assert!(amended(&rules, &state, "UNIT A3 NEXT 1").is_ok());
    state = turn(&rules, &state, 4).0;
    let refused = amended(&rules, &state, "UNIT A3 NEXT 12").err().unwrap_or_default();
    assert!(
        refused.ends_with("time-point 12 is past: UNIT A3 NEXT 13 has it act as soon as it can"),
        "{refused}"
    );
    assert!(amended(&rules, &state, "UNIT A3 NEXT 13").is_ok());
}

#[test]
fn a_unit_that_is_still_to_come_can_be_kept_away() {
    let rules = crate::cases::rules(
        "{title: a relief, sides: {B: {arrives: {Unit B2: {point: 2, at: '0401'}}}}, \
         units: {A1: {at: '0408'}, B1: {at: '0501'}, B2: {}}}",
    );
    let state = begun(&rules);
    let there = |state: &State| turn(&rules, state, 4).0;
    let comes = |state: &State| view(&rules, &there(state)).position.units[2].at.is_some();
    assert!(comes(&state));
    let kept = amended(&rules, &state, "UNIT B2 OFF").unwrap();
    assert!(!comes(&kept));
    assert!(amended(&rules, &kept, "UNIT B2 OFF").is_err());
    assert!(comes(&amended(&rules, &kept, "UNIT B2 AT 0401").unwrap()));
}

#[test]
fn an_army_whose_morale_is_taken_retreats_in_the_next_mail_turn() {
    let rules = rules("mill");
    let state = amended(&rules, &begun(&rules), "MORALE B 0").unwrap();
    let (_, last) = turn(&rules, &state, 4);
    let Event::Ended { outcome } = last else { panic!("{last:?}") };
    assert_eq!(outcome.ending, Ending::Retreat(Side::B));
}

/// A wizard with two likenesses on the field, before the first block.
fn hunted(wizard: &str) -> (Sa, State) {
    let rules = crate::cases::rules(&format!(
        "{{title: a hunt, options: {{wizard: {wizard}}}, battle: {{hunt: {{wizard: Unit B1, likenesses: ['0401', '0601']}}}}, \
         sides: {{B: {{magic: 9}}}}, units: {{A1: {{at: '0408'}}, B1: {{at: '0501'}}}}}}"
    ));
    let state = begun(&rules);
    (rules, state)
}

#[test]
fn nobody_is_put_on_the_field_who_is_not_there() {
    let (rules, mut state) = hunted("casts");
    let refused = amended(&rules, &state, "UNIT B2 AT 0401").err().unwrap_or_default();
    assert!(refused.contains("B2 is a likeness that the wizard has not made"), "{refused}");
    let a1 = UnitId::new(Side::A, 1);
    for change in [Change::Men(a1, 0), Change::Place(a1, None)] {
        rules.apply(&mut state, &Event::Amended { change });
    }
    let refused = amended(&rules, &state, "UNIT A1 AT 0408").err().unwrap_or_default();
    assert!(refused.contains("A1 has no men: write UNIT A1 MEN first"), "{refused}");
    let position = view(&rules, &amended(&rules, &state, "UNIT A1 MEN 5; UNIT A1 AT 0408").unwrap()).position;
    assert_eq!((position.units[0].men, position.units[0].at), (5, "0408".parse().ok()));
}

#[test]
fn with_the_real_wizard_his_likenesses_go_and_alone_none_comes_back() {
    let (rules, state) = hunted("placed");
    let own = rules.view(&state, &rules.seats()[1].seat);
    let real = own.real.unwrap();
    let likenesses = rules.battle().units.iter().filter(|spec| spec.likeness).map(|spec| spec.id);
    let other = likenesses.clone().find(|id| *id != real).unwrap();
    let there = |state: &State| {
        let position = view(&rules, state).position;
        likenesses
            .clone()
            .filter(|id| position.units[rules.battle().index(*id).unwrap()].at.is_some())
            .count()
    };
    let state = amended(&rules, &state, &format!("UNIT {other} OFF")).unwrap();
    assert_eq!(there(&state), 2, "a likeness goes alone");
    let (seat, line) = (rules.seats()[0].seat.clone(), format!("UNIT {real} OFF"));
    let events = rules.amend(&state, &line).unwrap();
    let sights: Vec<_> = events.iter().flat_map(|event| rules.witness(&state, event, &seat)).collect();
    let state = amended(&rules, &state, &line).unwrap();
    assert_eq!(there(&state), 0);
    let report = musterd_report::text::sections(&rules.brief(&view(&rules, &state), &sights));
    assert!(report.contains("nobody wins the hunt while the wizard is"), "{report}");
    let refused = amended(&rules, &state, &format!("UNIT {other} AT 0401")).err().unwrap_or_default();
    assert!(refused.contains("the position would not hang together"), "{refused}");
}

#[test]
fn a_unit_that_is_taken_off_forgets_its_orders_and_one_can_be_rid_of_spells() {
    let (rules, mut state) = hunted("casts");
    let (a1, b1) = (UnitId::new(Side::A, 1), UnitId::new(Side::B, 1));
    let charge = Charge { tasks: vec![Task::plain(Act::Until(90))], ..Charge::default() };
    rules.apply(&mut state, &Event::Told { unit: a1, charge });
    rules.apply(&mut state, &Event::Cast { unit: b1, spell: Spell::Blade, points: 2, until: None, next: 60 });
    let stands = |state: &State| {
        let seat = &rules.seats()[0].seat;
        let mut dice = Loose::numbered(1);
        let mut scribe = Scribe::new(&rules, state.clone(), 4, &mut dice);
        rules.step(&mut scribe, &Input { orders: std::collections::BTreeMap::new() });
        let is_own = |event: &Event| matches!(event, Event::Stood { seat: of, charges, .. } if of == seat && !charges.is_empty());
        scribe.finish().iter().any(is_own)
    };
    assert!(stands(&state));
    let after = amended(&rules, &state, "UNIT A1 OFF; UNIT B1 PLAIN").unwrap();
    assert!(!stands(&after), "what a unit off the field was told holds back no reveal");
    let points = |state: &State| view(&rules, state).position.units[1].spells.map(|on| on.points);
    assert_eq!((points(&state), points(&after)), ([2, 0, 0, 0], [0; 4]));
}

#[test]
fn a_stance_ends_with_its_unit_and_its_commander_is_told_once() {
    let told = Told {
        before: 3,
        seat: "northwold",
        order: "STANCE 2 CHARGE",
        change: "UNIT A2 OFF",
        unit: "Northwold Spears 2 (A2)",
    };
    ends_with_its_unit(Match::new(rules("mill")), &told);
}

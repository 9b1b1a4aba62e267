//! The order language: every order in several spellings, every refusal with its words and its place, lines that replace others.

use musterd_acw::battle::Battle;
use musterd_acw::event::{Event, Touch};
use musterd_acw::model::{Side, UnitId};
use musterd_acw::read::{read_orders, written};
use musterd_acw::view::View;
use musterd_acw::{Acw, State, shipped};
use musterd_engine::{Fold, Ruleset};

/// The rules of a shipped battle with these options: `radio: on`.
pub(crate) fn battle(name: &str, options: &str) -> Acw {
    let mut files = shipped(name).unwrap();
    if !options.is_empty() {
        files.0.insert("options.yaml".to_owned(), options.replace(", ", "\n"));
    }
    Acw::from_files(&files, &[]).unwrap_or_else(|errors| panic!("{name}: {errors}"))
}

/// The position at the beginning of turn 1, after these events.
pub(crate) fn opened(rules: &Acw, then: &[Event]) -> State {
    let mut state = rules.found();
    for event in [Event::Founded, Event::Began { turn: 1 }].iter().chain(then) {
        rules.apply(&mut state, event);
    }
    state
}

/// Everybody of a side is in communication, but for these.
pub(crate) fn in_touch(battle: &Battle, side: Side, but: &[UnitId]) -> Event {
    let army = battle.army(side);
    let brigades = army.brigades.iter().map(|spec| UnitId::Brigade(spec.id));
    let hqs = army.hqs.iter().filter(|spec| !spec.id.is_army()).map(|spec| UnitId::Hq(spec.id));
    let check =
        |unit: UnitId| Touch { unit, distance: 3, chance: 9, die: if but.contains(&unit) { 15 } else { 0 } };
    Event::Communicated { side, checks: brigades.chain(hqs).map(check).collect() }
}

/// What the army commander of a side sees.
pub(crate) fn view(rules: &Acw, state: &State, side: Side) -> View {
    rules.view(state, &rules.battle().army(side).commanders[0].seat)
}

#[test]
fn a_headquarters_goes_by_number_or_by_name() {
    let rules = battle("bull-run", "");
    let state = opened(&rules, &[in_touch(rules.battle(), Side::A, &[])]);
    let view = view(&rules, &state, Side::A);
    let wanted = "COMMAND H3 OFFENSIVE VIA Stone House TO Henry Hill";
    for line in [
        wanted,
        "COMMAND H3 OFFENSIVE VIA \"Stone House\" TO Henry Hill",
        "COMMAND Hunter OFFENSIVE Stone House, Henry Hill",
        "command hunter offensive henry hill via stone house",
        "COMMAND HQ 3 ATTACK TO Stone House Henry Hill",
        "COMMAND 2nd Division: OFFENSIVE 0812, 0913",
    ] {
        let read = read_orders(&rules, &view, line);
        assert_eq!(read.remarks, [], "{line}");
        let lines: Vec<String> = read.orders.iter().map(|one| written(rules.battle(), &one.order)).collect();
        assert_eq!(lines, [wanted], "{line}");
    }
}

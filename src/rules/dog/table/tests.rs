use std::collections::BTreeMap;

use super::keep::SittingState;
use super::line::Line;
use super::throw::Throw;
use super::unit::KeptUnit;
use super::*;
use crate::SHIPPED;
use crate::model::Ground;
use crate::model::Scale;
use musterd_engine::{Fold as _, Input, Ruleset, Scribe};

fn sitting(switches: &[&str]) -> Sitting {
    let house = House {
        title: "a table".to_owned(),
        scale: Scale::Tactical,
        switches: switches.iter().map(|name| (*name).to_owned()).collect(),
    };
    Sitting::from_files(&founding(SHIPPED[0].1, &house), &[]).unwrap()
}

fn read(text: &str) -> Result<Throw, String> {
    read::read(&sitting(&[]).numbers, text, Ground::OPEN).map_err(|misread| misread.reason)
}

/// Dice that always show the same.
struct Always(u32);

impl musterd_dice::Roller for Always {
    fn roll(&mut self, _: &musterd_dice::Label, count: u32, _: u32) -> Vec<u32> {
        (0..count).map(|_| self.0).collect()
    }
}

fn thrown(switches: &[&str], die: u32, text: &str) -> Event {
    let rules = sitting(switches);
    let mut dice = Always(die);
    let mut scribe = Scribe::new(&rules, rules.found(), 1, &mut dice);
    let orders =
        BTreeMap::from([(rules.seats[0].seat.clone(), rules.read_orders(&rules.found().view(), text))]);
    rules.step(&mut scribe, &Input { orders });
    scribe.finish().remove(0)
}

#[test]
fn a_line_reads_as_it_is_written_however_it_was_said() {
    let numbers = sitting(&[]).numbers;
    for (said, line) in [
        ("strike heavy infantry 18 at orcs 40", "strike 18 heavy infantry at 40 orcs"),
        ("STRIKE 18 HI vs 40 orc", "strike 18 heavy infantry at 40 orcs"),
        ("strike elite 18 HI on 40 O on hills", "strike 18 elite heavy infantry at 40 orcs in clear hills"),
        (
            "strike 18x HI elite in the forest hills -> 5 PE",
            "strike 18 elite heavy infantry in forest hills at 5 peasants",
        ),
        (
            "exchange 5 chariots with archers at 6 trolls inside castle",
            "exchange 5 chariots with archers at 6 trolls in clear castle",
        ),
        ("retaliate 3 DE size 10 at 3 W", "retaliate 3 lesser demons size 10 at 3 wyverns"),
        ("strike 72", "strike 72"),
        ("strike force 72 at 40 of 3 hp", "strike 72 at 40 of 3 hp"),
        ("shoot 20 elven archers at 12 orcs range 4", "shoot 20 elven archers at 12 orcs range 4"),
        ("shoot 20 EA range 4 at 12 orcs", "shoot 20 elven archers at 12 orcs range 4"),
        (
            "hide 12 elves (forest) in forest from dwarves",
            "hide 12 elves people forest in forest from 1 dwarf",
        ),
        ("strike 40 pikemen and 20 archers at 9 K", "strike 40 pikemen and 20 archers at 9 knights"),
        ("initiative red, \"the Blues\"", "initiative \"red\" \"the Blues\""),
    ] {
        let throw = read(said).unwrap_or_else(|reason| panic!("{said}: {reason}"));
        assert_eq!(throw.line(&numbers), line, "{said}");
        assert_eq!(read(line).as_ref(), Ok(&throw), "{line}");
    }
}

#[test]
fn what_is_not_understood_is_told_with_what_is_known() {
    for (said, reason) in [
        ("strike 18 hevy infantry at 40 orcs", "did you mean heavy infantry?"),
        ("strike 18 infantry", "did you mean light infantry or heavy infantry?"),
        ("strike 18 hussars", "known are archers (A), light cavalry (LC)"),
        ("strike heavy infantry at 40 orcs", "how many heavy infantry?"),
        ("strike 18 HI at", "which troops?"),
        ("strike 0 HI", "1 to 1000 fighters"),
        ("strike 18 HI in heaven", "`heaven` is no ground: write clear, bushes, forest"),
        ("strike 18 HI in swamp castle", "nothing can be built in swamp"),
        ("strike 18 HI in water hills", "water has no relief"),
        ("strike 3 DE", "say which, with SIZE"),
        ("strike 3 K with archers", "knights carry nobody"),
        ("shoot 18 HI at 40 orcs", "nothing to shoot with; archers, barbarians"),
        ("exchange 72 at 40 orcs", "needs the types of both sides"),
        ("initiative red RED", "two armies are called `RED`"),
        ("initiative red", "name two armies at least"),
        ("dance 3 HI", "`dance` is no throw"),
        ("strike 18 HI at 40 orcs tomorrow", "`tomorrow` is not understood"),
    ] {
        let error = read(said).unwrap_err();
        assert!(error.contains(reason), "{said}: {error}");
    }
}

proptest::proptest! {
    /// A block of an audit file is anybody's text: it is read, or it is told what is wrong, and what is read is written as one line.
    #[test]
    fn any_line_is_read_or_refused(
        words in proptest::collection::vec("(strike|exchange|shoot|hide|initiative|at|on|in|from|range|and|elite|size|with|people|18|4000|HI|archers|chariots|DE|orcs|forest|hills|castle|hp|of|\"x\"|\\PC{0,6})", 0..14)
    ) {
        let text = words.join(" ");
        if let Ok(throw) = read(&text) {
            let line = throw.line(&sitting(&[]).numbers);
            proptest::prop_assert!(!line.contains('\n'));
            proptest::prop_assert_eq!(read(&line), Ok(throw), "{}", line);
        }
    }
}

/// The manual's example (4.3, ruling DOG-1): 18 heavy infantry and a 4 take 40 hit points.
#[test]
fn the_manuals_strike_takes_forty() {
    let Event::Struck { strike, answer: None, .. } = thrown(&[], 4, "strike 18 HI at 40 orcs") else {
        panic!()
    };
    assert_eq!((strike.force, strike.damage), (72, 40));
    let toll = strike.toll.unwrap();
    assert_eq!((toll.killed, toll.hp, toll.left), (vec![13], 39, vec![27]), "ruling DOG-2");
    let Event::Struck { strike, .. } = thrown(&["tiny_strikes"], 4, "strike 1 PE at 9 PE") else { panic!() };
    assert_eq!(strike.damage, 1, "ruling DOG-5");
}

/// Rulings DOG-4, DOG-16: the retaliation is that of the whole unit, by its defence in its hex.
#[test]
fn an_exchange_falls_at_the_same_time() {
    let Event::Struck { strike, answer: Some(answer), .. } =
        thrown(&[], 6, "exchange 18 HI at 10 pikemen in forest")
    else {
        panic!()
    };
    assert_eq!(strike.toll.unwrap().left, [0], "48 hit points are more than all have");
    assert_eq!((answer.force, answer.damage), (100, 60));
    assert_eq!(answer.toll.unwrap().left, [3]);
    let Event::Struck { answer, .. } = thrown(&[], 6, "exchange 18 HI at 3 yarzz") else { panic!() };
    assert_eq!(answer, None, "pterodactyls have no defence");
}

/// Ruling DOG-23, and DOG-22: ties throw again, so dice that always show the same would never end; three armies end it here.
#[test]
fn hidden_units_are_found_by_their_factor() {
    let search = |die, text: &str| match thrown(&[], die, text) {
        Event::Searched { chance, found, .. } => (chance, found),
        event => panic!("{event:?}"),
    };
    assert_eq!(search(4, "hide 4 elves in forest"), (2, false), "6 for a fifth of a unit, less 4");
    assert_eq!(search(2, "hide 4 elves in forest"), (2, true));
    assert_eq!(search(5, "hide 4 elves in forest from forestmen"), (5, true), "at home it counts 1");
    assert_eq!(search(2, "hide 1 elves in forest mountains"), (1, false), "1 at least");
}

/// A sitting in which these lines were put on record, one after the other, with dice that always show the same. A line that is wrong fails the test.
fn sat(die: u32, lines: &[&str]) -> (Sitting, SittingState, Vec<Event>) {
    let rules = sitting(&[]);
    let (mut state, mut events) = (rules.found(), Vec::new());
    for line in lines {
        let read = rules
            .read(&state.view(), line, Ground::OPEN)
            .unwrap_or_else(|misread| panic!("{line}: {misread}"));
        let text = read.text(&rules.numbers);
        assert_eq!(
            rules.read(&state.view(), &text, Ground::OPEN),
            Ok(read),
            "{text} means the same on record"
        );
        let reading = rules.read_orders(&state.view(), &text);
        let mut dice = Always(die);
        let mut scribe = Scribe::new(&rules, state.clone(), state.thrown() + 1, &mut dice);
        rules.step(&mut scribe, &Input { orders: BTreeMap::from([(rules.seats[0].seat.clone(), reading)]) });
        let made = scribe.finish();
        assert_eq!(made.len(), 1, "{line}");
        made.iter().for_each(|event| rules.apply(&mut state, event));
        events.extend(made);
    }
    (rules, state, events)
}

fn unit(state: &SittingState, id: &str) -> KeptUnit {
    state.view().table.units[&id.parse().unwrap()].clone()
}

fn warned(lines: &[&str], throw: &str) -> Vec<String> {
    let (rules, state, _) = sat(4, lines);
    let view = state.view();
    let Line::Throw(named) = rules.read(&view, throw, Ground::OPEN).unwrap() else { panic!("{throw}") };
    before(&rules, &view.table, &named).warnings
}

const ARMIES: [&str; 5] = [
    "unit R1 18 heavy infantry in forest at 0301",
    "R2 20 archers at \"the old mill\"",
    "unit B1 20 orcs at the ford hidden",
    "unit B2 40 pikemen and 20 archers at 0405",
    "B1 seen",
];

#[test]
fn throws_take_off_who_falls_and_spend_the_shots() {
    let (_, state, events) = sat(4, &[&ARMIES[..], &["strike R1 at B1", "volley R2 at B1 range 2"]].concat());
    // The manual's strike (4.3): 40 hit points, 13 orcs; 20 archers take 7 more.
    let (r1, r2, b1) = (unit(&state, "R1"), unit(&state, "R2"), unit(&state, "B1"));
    assert_eq!((r1.left(), r1.acted, r1.place.as_str()), (18, true, "0301"));
    assert_eq!((b1.left(), b1.began.clone(), b1.place.as_str()), (0, vec![20], "the ford"));
    let (_, fresh, _) = sat(4, &ARMIES);
    assert_eq!(r2.shots[0] + 1, unit(&fresh, "R2").shots[0]);
    let lines: Vec<_> = events.iter().filter_map(Event::of).collect();
    assert_eq!(
        lines,
        ["strike 18 heavy infantry in forest at 20 orcs", "shoot 20 archers at 7 orcs range 2"],
        "what was thrown for is in the event"
    );
    // An exchange takes from both, and of a mixed unit from each sort.
    let (_, state, _) = sat(4, &[&ARMIES[..], &["exchange R1 at B2"]].concat());
    let (r1, b2) = (unit(&state, "R1"), unit(&state, "B2"));
    assert!(r1.left() < 18 && b2.left() < 60, "{r1:?} {b2:?}");
    assert_eq!(b2.began, [40, 20]);
    // A sort that is gone leaves the other where it was.
    let (_, state, _) = sat(
        4,
        &["R1 40 heavy infantry", "B2 1 archers and 30 knights", "strike R1 at B2", "strike R1 at B2"],
    );
    let b2 = unit(&state, "B2");
    assert_eq!(b2.sorts[0].fighters, 0, "archers have the fewest hit points");
    assert!((1..30).contains(&b2.sorts[1].fighters), "{b2:?}");
}

#[test]
fn what_speaks_against_a_throw_is_told_before_it() {
    let table = |more: &[&'static str]| [&ARMIES[..], more].concat();
    for (more, throw, warning) in [
        (&["R2 shots 0"][..], "volley R2 at B1", "R2 is out of shots"),
        (&["B1 hidden"], "strike R1 at B1", "B1 is hidden"),
        (&["strike R1 at B2"], "strike R1 at B1", "R1 has attacked or shot already in this phase"),
        (&["volley R2 at B2"], "strike R2 at B1", "R2 has attacked or shot already in this phase"),
        (&["R1 routed"], "strike R1 at B1", "R1 is routed"),
        (&[], "strike R1 at R2", "R1 and R2 are of one army"),
        (&[], "search B1 from R1", "B1 isn't hidden"),
    ] {
        let warnings = warned(&table(more), throw);
        assert!(warnings.len() == 1 && warnings[0].contains(warning), "{more:?} {throw}: {warnings:?}");
    }
    for (more, throw) in [
        (&[][..], "strike R1 at B1"),
        (&["strike R1 at B2"], "retaliate R1 at B1"),
        (&["strike R1 at B2", "phase combat"], "strike R1 at B1"),
        (&["strike R1 at B2", "round"], "strike R1 at B1"),
        (&["strike R1 at B2", "R1 fresh"], "strike R1 at B1"),
        (&["B1 hidden"], "search B1 from R1"),
    ] {
        assert_eq!(warned(&table(more), throw), Vec::<String>::new(), "{more:?} {throw}");
    }
    // Who strikes is seen (DOG-23), and who is found too.
    let (_, state, _) = sat(6, &table(&["R1 hidden", "B1 hidden", "strike R1 at B2", "search B1 from R1"]));
    assert!(!unit(&state, "R1").hidden && !unit(&state, "B1").hidden);
}

#[test]
fn what_a_throw_comes_to_is_told_before_it() {
    let (rules, state, _) = sat(4, &[&ARMIES[..], &["R3 20 forestmen in forest"]].concat());
    let view = state.view();
    let facts = |throw: &str| -> String {
        let Line::Throw(named) = rules.read(&view, throw, Ground::OPEN).unwrap() else { panic!("{throw}") };
        let facts = before(&rules, &view.table, &named).facts;
        facts.iter().map(|fact| format!("{}: {}\n", fact.label, fact.text)).collect()
    };
    let told = facts("strike R1 at B1");
    for part in [
        "R1: 18 heavy infantry in forest at 0301\n",
        "Force: 72; a tenth, rounded up, is 8\n",
        "3 or 4: 40 hit points: 13 of 20 fall\n",
        "Granted: B1 stands in the open: no ground was said\n",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(facts("volley R2 at B1").contains("Granted: from one hex"), "{}", facts("volley R2 at B1"));
    let native = facts("strike R3 at B1");
    assert!(
        native.contains("Ground: forest makes the attack"),
        "natives strike twice as hard at home: {native}"
    );
}

/// A line that is taken back stays on record: the table is as it was before it, and what comes next has dice of its own.
#[test]
fn undo_takes_the_lines_back_one_after_the_other() {
    let lines =
        [&ARMIES[..], &["round", "strike R1 at B1", "note a dog ate a die", "volley R2 at B1"]].concat();
    let whole = |lines: &[&str]| sat(4, lines).1.view().table;
    let back = |undos: usize| {
        let (_, state, events) = sat(4, &[&lines[..], &vec!["undo"; undos]].concat());
        (state.view().table, events.last().and_then(Event::void))
    };
    assert_eq!(back(1), (whole(&lines[..8]), Some(9)), "the volley is void");
    assert_eq!(back(2), (whole(&lines[..6]), Some(7)), "then the strike: a note can't be taken back");
    assert_eq!(back(3), (whole(&lines[..5]), Some(6)), "then the round");
    let rules = sitting(&[]);
    let none = rules.read(&rules.found().view(), "undo", Ground::OPEN).unwrap_err();
    assert_eq!(none.reason, "there is nothing to take back");
    // What was said for the dice stays said.
    let (_, state, _) = sat(4, &["R1 9 knights", "words red oak", "undo"]);
    assert_eq!(state.view().table.salt().as_deref(), Some("red: oak"));
    // The voided throw's number isn't used again.
    let (_, state, events) = sat(4, &["strike 9 knights", "undo", "strike 9 knights"]);
    assert_eq!((state.thrown(), events.len()), (3, 3));
}

#[test]
fn rounds_phases_and_order_follow_the_manual() {
    let (_, state, _) = sat(4, &["order red blue white", "round", "phase missiles and magic"]);
    let table = state.view().table;
    assert_eq!((table.round, table.phase.as_str()), (1, "missiles and magic"));
    assert_eq!(table.order, ["red", "blue", "white"]);
    // Ruling DOG-22: in each round the first becomes the last.
    let (_, state, _) = sat(4, &["order red blue white", "round", "phase combat", "round"]);
    let table = state.view().table;
    assert_eq!((table.round, table.phase.as_str()), (2, ""));
    assert_eq!(table.order, ["blue", "white", "red"]);
}

#[test]
fn a_mistake_is_shown_where_it_is() {
    let (rules, state, _) = sat(4, &ARMIES);
    let view = state.view();
    for (line, span, reason) in [
        ("strik R1 at B1", (0, 5), "did you mean strike?"),
        ("strike R1 at B9", (13, 2), "there is no unit B9: there are B1, B2, R1, R2"),
        ("strike R1 at R1", (13, 2), "on both sides"),
        ("strike R1 at B1 now", (16, 3), "`now` is not understood"),
        ("unit R5 18 hevy infantry", (11, 4), "did you mean heavy infantry?"),
        ("unit R5 in forest", (8, 2), "which troops?"),
        ("unit R1", (5, 2), "what of R1?"),
        ("R1 at", (5, 1), "where is it?"),
        ("R1 lost 19", (8, 2), "not so many fighters"),
        ("R1 in heaven", (6, 6), "`heaven` is no ground"),
        ("unit 7 18 orcs", (5, 1), "`7` is no unit"),
        ("round zero", (6, 4), "which round?"),
        ("words red", (9, 1), "which words?"),
        ("initiative red red", (15, 3), "two armies are called `red`"),
    ] {
        let misread = rules.read(&view, line, Ground::OPEN).unwrap_err();
        assert!(misread.reason.contains(reason), "{line}: {misread}");
        assert_eq!(misread.span, span, "{line}: {misread}");
    }
}

/// The words of all sides are one line of a block, whoever speaks how often.
#[test]
fn a_side_says_other_words_in_place_of_its_first() {
    let words = |lines: &[&str]| sat(4, lines).1.view().table;
    let table = words(&["words red five blue cats", "words Blue under: the oak", "words RED a grey goose"]);
    assert_eq!(table.salt().as_deref(), Some("blue: under: the oak; red: a grey goose"));
    assert_eq!(
        (table.words_missing(), words(&[]).words_missing(), words(&["words red a"]).words_missing()),
        (0, 2, 1)
    );
    let none = words(&["words red a", "words none"]);
    assert_eq!((none.salt(), none.words_missing()), (None, 0));
    let all: Vec<String> = (0..26).map(|side| format!("words s{side} a")).collect();
    let (rules, state, _) = sat(4, &all.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(rules.read(&state.view(), "words s7 b", Ground::OPEN).is_ok());
    let more = rules.read(&state.view(), "words more b", Ground::OPEN).unwrap_err();
    assert!(more.reason.contains("26 sides have said words"), "{more}");
}

/// A session of version 1 reads throws alone, and its throws make the events that they made.
#[test]
fn a_session_of_version_1_keeps_nothing() {
    let house = House { title: "a table".to_owned(), scale: Scale::Tactical, switches: Vec::new() };
    let old = Sitting::of_version(1, &founding(SHIPPED[0].1, &house), &[]).unwrap();
    let view = old.found().view();
    assert!(!old.keeps && old.read(&view, "strike 9 knights", Ground::OPEN).is_ok());
    for line in ["unit R1 9 knights", "undo", "round", "words red oak", "note a"] {
        assert!(old.read(&view, line, Ground::OPEN).is_err(), "{line}");
    }
    let event = serde_json::to_string(&thrown(&[], 4, "strike 72")).unwrap();
    assert_eq!(event, r#"{"event":"struck","strike":{"force":72,"die":4,"damage":40}}"#);
}

proptest::proptest! {
    /// Whatever is typed is read or refused with a place in the line, and what is read means the same on record.
    #[test]
    fn any_line_of_a_table_is_read_or_refused(
        words in proptest::collection::vec("(unit|R1|R9|B1|strike|volley|search|round|phase|order|words|note|undo|at|in|forest|hidden|shots|lost|gone|18|HI|archers|and|none|red|,|\"a b\"|\\PC{0,6})", 0..9)
    ) {
        let (rules, state, _) = sat(4, &ARMIES);
        let text = words.join(" ");
        match rules.read(&state.view(), &text, Ground::OPEN) {
            Ok(line) => {
                let record = line.text(&rules.numbers);
                proptest::prop_assert!(!record.contains('\n'));
                proptest::prop_assert_eq!(rules.read(&state.view(), &record, Ground::OPEN), Ok(line), "{}", record);
            }
            Err(misread) => proptest::prop_assert!(misread.span.0 <= text.chars().count(), "{}: {:?}", text, misread),
        }
    }
}

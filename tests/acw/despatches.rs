//! What a commander who hears by despatches is told of units out of communication (ACW-86).

use std::collections::{BTreeMap, BTreeSet};

use musterd_acw::Sight;
use musterd_acw::event::{Change, Event};
use musterd_acw::model::{Echelon, HqId, Side, UnitId};
use musterd_acw::order::Goal;
use musterd_dice::{Label, Roller};
use musterd_engine::{Fold, Input, Ruleset, Scribe};
use musterd_report::text;

use crate::fixture::{Calm, Field, Stage, a, hex};

/// Two fights far from each other: A1 with B2 near the army's headquarters, A2 with B1 twenty hexes from it.
fn stage(despatches: bool) -> Stage {
    let mut field = Field::of("fields");
    field.choices.despatches = despatches;
    field.battle.exposed = false;
    field.hq_at(Side::A, "0104");
    field.add(Side::A, "0205", |_| {});
    field.add(Side::A, "1515", |_| {});
    field.add(Side::B, "1615", |_| {});
    field.add(Side::B, "0305", |_| {});
    Stage::of(field)
}

/// Dice of a quiet day, but that A2 can be out of communication, and have an hour in which each hit costs it cohesion and its leader falls.
struct Hour {
    is_silent: bool,
    is_bad: bool,
}

impl Roller for Hour {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        let text = label.as_str();
        let is_its = text.contains("/a2/");
        if is_its && text.contains("/reach/") && self.is_silent {
            return vec![sides];
        }
        if is_its && self.is_bad && ["/hit/", "/leader/"].iter().any(|what| text.contains(what)) {
            return vec![1];
        }
        Calm::but(&[]).roll(label, count, sides)
    }
}

/// All that the Union's commander reads after an hour of fighting.
fn told(stage: &Stage, is_silent: bool, is_bad: bool) -> Vec<String> {
    let (rules, seat) = (&stage.rules, &stage.rules.seats()[0].seat);
    let mut state = stage.state.clone();
    let mut sights: Vec<Sight> = Vec::new();
    for t in 1..=2 {
        let mut dice = Hour { is_silent, is_bad: is_bad && t == 2 };
        let mut scribe = Scribe::new(rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders: BTreeMap::new() });
        sights.clear();
        for event in scribe.finish() {
            sights.extend(rules.witness(&state, &event, seat));
            rules.apply(&mut state, &event);
        }
    }
    let view = rules.view(&state, seat);
    let brief = rules.brief(&view, &sights);
    let shown = rules.shown(&view, &sights, &BTreeSet::new());
    let asked = "ROSTER\nINFO 1\nINFO 2\nINFO H1\nINFO 1515\nINFO 1215\n2 STAND\n1 SKIRMISH\n";
    let (reading, recap) = rules.read_back(&view, asked);
    [
        text::standing(&brief),
        text::sections(&brief),
        format!("{brief:?}"),
        text::sections(&shown),
        text::sections(&rules.history(&view)),
        rules.published(&view).get().to_owned(),
        rules.form(&view).join("\n"),
        format!("{reading:?} {recap:?}"),
    ]
    .into()
}

/// ACW-86: whatever a brigade out of communication went through, its commander reads the same.
#[test]
fn a_silent_brigade_tells_nothing_of_what_it_went_through() {
    let stage = stage(true);
    let [quiet, bad] = [false, true].map(|is_bad| told(&stage, true, is_bad));
    for (one, other) in quiet.iter().zip(&bad) {
        assert_eq!(one, other);
    }
    assert!(quiet[1].contains("as of the start"), "{}", quiet[1]);
    assert!(quiet[1].contains("Brigade A1 (1"), "the fight of the other one is told: {}", quiet[1]);
    assert!(!quiet[1].contains("Brigade A2 (1"), "its own isn't: {}", quiet[1]);
}

/// ACW-86: nor does it tell where it is.
#[test]
fn a_silent_brigade_tells_nothing_of_where_it_is() {
    for (is_silent, is_same) in [(true, true), (false, false)] {
        let at = |place: &str| {
            let mut stage = stage(true);
            stage.change(Change::Place(UnitId::Brigade(a(2)), hex(place)));
            told(&stage, is_silent, false)
        };
        assert_eq!(at("0414") == at("0616"), is_same, "{is_silent}");
    }
}

/// ACW-86: whether its division alone could order it, or its commander in person, hangs on where he believes it to be.
#[test]
fn a_silent_brigade_of_a_division_tells_nothing_of_where_it_is() {
    let at = |place: &str| {
        let mut field = Field::of("fields");
        field.choices.despatches = true;
        field.battle.exposed = false;
        let over = field.division(Side::A);
        field.hq_at(Side::A, "0104");
        field.add(Side::A, "1010", |spec| spec.over = over);
        field.add(Side::A, "1012", |spec| spec.over = over);
        field.add(Side::B, "2001", |_| {});
        let mut stage = Stage::of(field);
        stage.change(Change::Touch(UnitId::Brigade(a(1)), false));
        stage.change(Change::Place(UnitId::Brigade(a(1)), hex(place)));
        let (rules, view) = (&stage.rules, stage.view(Side::A));
        let reach = rules.reach(&view, "1").map(|brief| format!("{brief:?}"));
        let refused: Vec<_> = view.refused.values().collect();
        let told = ["1 STAND", "INFO 1", "ADVICE"].map(|text| format!("{:?}", rules.read_back(&view, text)));
        format!("{told:?} {reach:?} {refused:?} {:?} {view:?}", view.direct)
    };
    assert_eq!(at("0305"), at("1515"));
}

/// ACW-86: nor does it tell whether the army directs its corps, which follows from where both stand.
#[test]
fn a_silent_corps_tells_nothing_of_where_it_is() {
    let at = |place: &str| {
        let mut field = Field::of("fields");
        field.choices.despatches = true;
        field.battle.exposed = false;
        let corps = field.division(Side::A);
        field.army(Side::A).hqs[1].echelon = Echelon::Corps;
        field.hq_at(Side::A, "0104");
        field.add(Side::A, "1010", |spec| spec.over = corps);
        field.add(Side::B, "2001", |_| {});
        let mut stage = Stage::of(field);
        stage.apply(&Event::Bound { hq: HqId::army(Side::A), goal: Goal::Corps(corps) });
        stage.change(Change::Touch(UnitId::Hq(corps), false));
        stage.change(Change::Place(UnitId::Hq(corps), hex(place)));
        format!("{:?}", stage.view(Side::A))
    };
    assert_eq!(at("0204"), at("1515"));
}

/// ACW-86: word comes through every headquarters between a brigade and its commander, or from near him.
#[test]
fn word_comes_through_each_headquarters() {
    let knows = |touch: [bool; 2], at: &str| {
        let mut field = Field::of("fields");
        field.choices.despatches = true;
        let over = field.division(Side::A);
        field.hq_at(Side::A, "0104");
        field.add(Side::A, at, |spec| spec.over = over);
        field.add(Side::B, "2001", |_| {});
        let mut stage = Stage::of(field);
        stage.change(Change::Touch(UnitId::Brigade(a(1)), touch[0]));
        stage.change(Change::Touch(UnitId::Hq(over), touch[1]));
        stage.change(Change::Men(a(1), 900));
        let view = stage.view(Side::A);
        assert_eq!(view.heard.contains_key(&UnitId::Brigade(a(1))), view.brigade(a(1)).men == 1800);
        view.brigade(a(1)).men == 900
    };
    assert!(knows([true, true], "1515"));
    assert!(!knows([false, true], "1515"));
    assert!(!knows([true, false], "1515"), "its division can't pass it on");
    assert!(knows([true, false], "0305"), "the commander is near");
    assert!(!knows([false, false], "0305"));
}

/// The same hour is told by a brigade in communication, and without despatches by any.
#[test]
fn others_tell_of_their_fights() {
    for (despatches, is_silent) in [(true, false), (false, true), (false, false)] {
        let stage = stage(despatches);
        let [quiet, bad] = [false, true].map(|is_bad| told(&stage, is_silent, is_bad));
        for place in [0, 1, 2, 3, 5] {
            assert_ne!(quiet[place], bad[place], "{despatches} {is_silent}");
        }
        assert!(bad[1].contains("Brigade A2 (1"), "{}", bad[1]);
    }
}

/// Luck counts the shots at brigades of which nothing is heard: it is told when all is.
#[test]
fn luck_waits_for_the_end_where_despatches_do() {
    let withheld = |despatches: bool, radio: bool| {
        let mut field = Field::of("fields");
        (field.choices.despatches, field.battle.radio) = (despatches, radio);
        field.rules().withholds_luck().is_some()
    };
    assert!(withheld(true, false));
    assert!(!withheld(false, false) && !withheld(true, true));
}

/// A GM sees what has become of it.
#[test]
fn a_gm_sees_units_as_they_are() {
    let stage = stage(true);
    let mut state = stage.state.clone();
    stage.rules.apply(&mut state, &Event::Amended { change: Change::Men(a(2), 777) });
    let page = text::sections(&stage.rules.overview(&state).unwrap());
    assert!(page.contains("777"), "{page}");
    assert_eq!(stage.rules.view(&state, &stage.rules.seats()[0].seat).brigade(a(2)).men, 1800);
}

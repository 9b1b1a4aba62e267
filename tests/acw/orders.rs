//! The order language: every order in several spellings, every refusal with its words and its place, lines that replace others, forms.

use musterd_acw::battle::Battle;
use musterd_acw::event::{Change, Event, Touch};
use musterd_acw::model::{BrigadeId, HqId, Side, UnitId};
use musterd_acw::order::{Act, Order};
use musterd_acw::read::{likeness, read_orders, uses, written};
use musterd_acw::view::View;
use musterd_acw::{Acw, State, shipped};
use musterd_engine::orders::{Likeness, OrderUse, Weight};
use musterd_engine::{Fold, Input, Ruleset, Scribe};
use proptest::prelude::*;

use crate::fixture::{Field, Stage, a, b, dice};

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

/// First Bull Run as it opens, with these options, everybody in communication.
pub(crate) fn bull_run(options: &str, side: Side) -> (Acw, View) {
    let rules = battle("bull-run", options);
    let touch = Side::ALL.map(|side| in_touch(rules.battle(), side, &[]));
    let state = opened(&rules, &touch);
    let view = view(&rules, &state, side);
    (rules, view)
}

/// The lines that a line is read as; it has no remark.
#[track_caller]
fn lines(rules: &Acw, view: &View, line: &str) -> Vec<String> {
    let read = read_orders(rules, view, line);
    assert_eq!(read.remarks, [], "{line}");
    read.orders.iter().map(|one| written(rules.battle(), &one.order)).collect()
}

/// The remark on a line: its weight, what it points at, its words and its hint.
#[track_caller]
fn remark(rules: &Acw, view: &View, line: &str) -> (Weight, String, String) {
    let mut read = read_orders(rules, view, line);
    let remark = read.remarks.pop().unwrap_or_else(|| panic!("{line}: {:?}", read.orders));
    let at =
        remark.span.map_or_else(String::new, |(from, length)| line.chars().skip(from).take(length).collect());
    let hint = remark.hint.map_or_else(String::new, |hint| format!(" [{hint}]"));
    (remark.weight, at, remark.text + &hint)
}

/// A line is refused: what the caret stands under, and what is said.
#[track_caller]
fn refused(rules: &Acw, view: &View, line: &str, at: &str, says: &str) {
    assert!(read_orders(rules, view, line).orders.is_empty(), "{line}");
    assert_eq!(remark(rules, view, line), (Weight::Error, at.to_owned(), says.to_owned()), "{line}");
}

#[test]
fn every_order_has_several_spellings() {
    let (rules, union) = bull_run("block: 3", Side::A);
    let (_, south) = bull_run("", Side::B);
    let spellings: [(&View, &str, &[&str]); 17] = [
        (
            &union,
            "ARMY MOVE Centreville",
            &["army go centreville", "ARMY TO Centreville", "- ARMY MOVE \"Centreville\"."],
        ),
        (&union, "ARMY MOVE 2705", &["ARMY MOVE TO 2705", "army 2705"]),
        (&union, "ARMY MOVE STAND", &["ARMY STAND", "ARMY HALT", "ARMY MOVE STAY"]),
        (&south, "ARMY MOVE CORPS H2", &["ARMY MOVE BH2", "ARMY JOIN Shenandoah", "ARMY MOVE TO CORPS BH2"]),
        (&union, "PROFILE CAUTIOUS", &["profile cautious", "LEAD AS CAUTIOUS", "PROFILE: CAUTIOUS"]),
        (
            &union,
            "COMMAND H3 OFFENSIVE VIA Stone House TO Henry Hill",
            &[
                "COMMAND H3 OFFENSIVE VIA \"Stone House\" TO Henry Hill",
                "COMMAND Hunter OFFENSIVE Stone House, Henry Hill",
                "command hunter offensive henry hill via stone house",
                "COMMAND HQ 3 ATTACK TO Stone House Henry Hill",
                "COMMAND 2nd Division: OFFENSIVE 0812, 0913",
            ],
        ),
        (
            &union,
            "COMMAND H3 OFFENSIVE Henry Hill",
            &["CMD AH3 OFFENSIVE TO Henry", "COMMAND David Hunter OFFENSIVE 0913"],
        ),
        (
            &union,
            "COMMAND H2 DEFENSIVE Centreville",
            &["COMMAND Tyler DEFEND AT Centreville", "COMMAND 1st DEFENSIVE 2705"],
        ),
        (&union, "COMMAND H2 RESERVE", &["COMMAND Tyler REST", "COMMAND H2 RESERVE;"]),
        (
            &union,
            "STAND 2",
            &["HOLD Sherman", "stand \"sherman\"", "STAND A2", "STAND brigade 2", "HALT William T. Sherman"],
        ),
        (&union, "COLUMN 2", &["MARCH Sherman", "COL 2"]),
        (&union, "DEPLOY 2 NW", &["DEPLOY Sherman north-west", "LINE 2 TO NW", "DEPLOY 2 -> nw"]),
        (&union, "REGROUP 2", &["REJOIN Sherman"]),
        (
            &south,
            "OBJECTIVE 7 TO Henry Hill",
            &["OBJ Evans Henry Hill", "OBJECTIVE 7: 0913", "MARCH Evans TO Henry Hill"],
        ),
        (&union, "IF ENGAGED 2 SKIRMISH", &["WHEN ENGAGED Sherman: SKIRMISH", "if engaged 2 then skirmish"]),
        (&union, "IF SHAKEN 2 WITHDRAW", &["IF SHAKEN Sherman: RETREAT"]),
        (&union, "STOP ON CONTACT", &["STOP CONTACT", "stop upon contact"]),
    ];
    for (view, wanted, others) in spellings {
        for line in others.iter().chain([&wanted]) {
            assert_eq!(lines(&rules, view, line), [wanted], "{line}");
        }
    }
    assert_eq!(lines(&rules, &union, "RESIGN CONFIRM"), ["RESIGN CONFIRM"]);
    assert_eq!(lines(&rules, &union, "STOP ON CONTACT OFF"), ["STOP ON CONTACT OFF"]);
}

#[test]
fn several_brigades_are_named_by_ranges_and_lists() {
    let (rules, view) = bull_run("", Side::A);
    for line in [
        "STAND 2-5",
        "STAND A2-A5",
        "STAND A2-5",
        "STAND 5 - 2",
        "STAND 2, 3 and Burnside + Porter",
        "STAND 2 3 4 5",
    ] {
        assert_eq!(lines(&rules, &view, line), ["STAND 2", "STAND 3", "STAND 4", "STAND 5"], "{line}");
    }
    // All that can be ordered: the army's commander is within four hexes of seven brigades.
    assert_eq!(lines(&rules, &view, "STAND ALL").len(), 7);
    assert_eq!(lines(&rules, &view, "COMMAND ALL RESERVE").len(), 4);
}

#[test]
fn whom_a_name_means_is_told_where_it_is_not_clear() {
    let (rules, view) = bull_run("", Side::A);
    let yours = "yours are from 1 to 13; ROSTER lists them";
    let hqs = "yours are H2 1st Division, H3 2nd Division, H4 3rd Division, H5 5th Division";
    for (line, at, says) in [
        ("STAND shermann", "shermann", "`shermann` is none of your brigades. [did you mean 2 Sherman?]".to_owned()),
        ("STAND 99", "99", format!("You have no brigade 99. [{yours}]")),
        ("STAND 1-99", "1-99", format!("You have no brigade 99. [{yours}]")),
        ("STAND B3", "B3", format!("`B3` is the enemy's. [{yours}]")),
        ("STAND 1204", "1204", format!("`1204` is a hex, and a brigade is named here. [{yours}]")),
        (
            "STAND H2",
            "H2",
            "H2 1st Division is a headquarters, and a brigade is named here. [a headquarters is told by COMMAND H2 ...]"
                .to_owned(),
        ),
        (
            "COMMAND Sherman RESERVE",
            "Sherman",
            "2 Sherman is a brigade, and a headquarters is named here. [the one over it is H2 1st Division]".to_owned(),
        ),
        ("COMMAND H22 RESERVE", "H22", format!("You have no headquarters H22. [{hqs}]")),
        ("COMMAND BH2 RESERVE", "BH2", format!("`BH2` is the enemy's. [{hqs}]")),
        ("COMMAND Huntre RESERVE", "Huntre", "`Huntre` is none of your headquarters. [did you mean H3 2nd Division?]".to_owned()),
        (
            "COMMAND H2 OFFENSIVE Stone",
            "Stone",
            "`Stone` could be Stone House or Stone Bridge. [write more of the name, or the number]".to_owned(),
        ),
        ("COMMAND H2 OFFENSIVE Henri Hill", "Henri", "`Henri` is no objective. [did you mean Henry Hill?]".to_owned()),
        ("DEPLOY 2 north", "north", "`north` is no direction. [no hex lies due north or south: write NE, E, SE, SW, W or NW]".to_owned()),
        ("DEPLOY 2 northwset", "northwset", "`northwset` is no direction. [did you mean NORTHWEST?]".to_owned()),
        ("ARMY MOVE 9912", "9912", "9912 is off the map. [the map ends at 3232]".to_owned()),
    ] {
        refused(&rules, &view, line, at, &says);
    }
}

#[test]
fn what_is_missing_is_told_with_an_example_of_the_battle() {
    let (rules, view) = bull_run("block: 3", Side::A);
    for (line, says) in [
        (
            "COMMAND H2",
            "What is it to do? Write OFFENSIVE and an objective, DEFENSIVE and an objective, or RESERVE. [COMMAND H2 OFFENSIVE Stone Bridge]",
        ),
        ("COMMAND", "Which headquarters? Write its number or name. [COMMAND H2 RESERVE]"),
        (
            "ARMY MOVE",
            "Where does your headquarters go? Write an objective, a hex, CORPS and a corps, or STAND. [ARMY MOVE Cub Run Bridge]",
        ),
        ("DEPLOY 2", "Which way? Write NE, E, SE, SW, W or NW. [DEPLOY 1 W]"),
        ("STAND", "Which brigades? Write numbers or names, or ALL."),
        (
            "RESIGN",
            "That ends the battle with this turn, and the enemy wins. Write RESIGN CONFIRM if you mean it.",
        ),
        ("IF ENGAGED 3", "What then? Write ASSAULT, SKIRMISH, ADVANCE or WITHDRAW. [IF ENGAGED 1 SKIRMISH]"),
    ] {
        refused(&rules, &view, line, "", says);
    }
    refused(
        &rules,
        &view,
        "IF 3 ENGAGED ASSAULT",
        "3",
        "If what? Write IF ENGAGED or IF SHAKEN. [IF ENGAGED 1 SKIRMISH]",
    );
    refused(&rules, &view, "STOP 3", "3", "Write STOP ON CONTACT; a brigade stops by STAND. [STAND 1]");
    refused(
        &rules,
        &view,
        "PROFILE brave",
        "brave",
        "How do you lead? Write HEROIC, BOLD, SENSIBLE or CAUTIOUS.",
    );
    refused(&rules, &view, "STAND 3 NW", "NW", "What is `NW` here? The order is complete before it.");
    for (line, at, hint) in [
        ("Sherman ASSAULT", "Sherman", "the order stands first: ASSAULT Sherman"),
        ("H2 OFFENSIVE Henry Hill", "H2", "headquarters are told by COMMAND, which stands first"),
        (
            "ATTACK 3",
            "ATTACK",
            "ASSAULT or ADVANCE is for a brigade, COMMAND ... OFFENSIVE for a headquarters",
        ),
        ("COMAND H2 RESERVE", "COMAND", "did you mean COMMAND?"),
    ] {
        refused(&rules, &view, line, at, &format!("`{at}` is no order. [{hint}]"));
    }
}

#[test]
fn who_cannot_be_ordered_is_told_why() {
    let (rules, view) = bull_run("", Side::B);
    let bee = "2 Bee can't be told to stand: it is under Army of the Shenandoah, which orders it. \
        [COMMAND H2 tells the headquarters over it; or ARMY MOVE within 4 hexes of it]";
    refused(&rules, &view, "STAND 2", "2", bee);
    refused(
        &rules,
        &view,
        "STAND Elzey",
        "Elzey",
        "5 Elzey can't be told to stand: it is not on the map. [it comes at 21 July 1861, 13:00, turn 9, in 1829]",
    );
    // Those of a list that can be ordered are.
    assert_eq!(read_orders(&rules, &view, "STAND 3-6").orders.len(), 1);
    assert_eq!(
        remark(&rules, &view, "STAND 3-6"),
        (
            Weight::Warning,
            "3-6".to_owned(),
            "Left out: 5 Elzey: it is not on the map; 3 Bartow and 6 Stuart: they are under Army of the Shenandoah, which orders them."
                .to_owned()
        )
    );
    let rules = battle("bull-run", "");
    let lost = UnitId::Brigade(b(7));
    let state = opened(&rules, &[in_touch(rules.battle(), Side::B, &[lost])]);
    refused(
        &rules,
        &super::orders::view(&rules, &state, Side::B),
        "STAND Evans",
        "Evans",
        "7 Evans can't be told to stand: it is out of communication this turn. [it goes by what its commanders chose, and is tried again at the next turn]",
    );
    let (rules, view) = bull_run("", Side::A);
    refused(
        &rules,
        &view,
        "COMMAND H1 RESERVE",
        "H1",
        "H1 Army of Northeastern Virginia can't be told reserve: an army's headquarters is given no command. [ARMY MOVE tells it where to go]",
    );
    let far = "12 Davies can't be told to stand: it is under 5th Division, which orders it. \
        [COMMAND H5 tells the headquarters over it; or ARMY MOVE within 4 hexes of it]";
    refused(&rules, &view, "STAND 12", "12", far);
}

#[test]
fn with_radio_everybody_can_be_ordered() {
    let rules = battle("bull-run", "radio: on");
    let state = opened(&rules, &[]);
    for side in Side::ALL {
        let view = view(&rules, &state, side);
        let fielded = view.own_brigades().filter(|(_, one)| one.is_fielded()).count();
        assert_eq!(lines(&rules, &view, "STAND ALL").len(), fielded);
    }
}

#[test]
fn where_the_enemy_holds_the_ground_nobody_is_sent_to_defend() {
    let (rules, view) = bull_run("", Side::A);
    refused(
        &rules,
        &view,
        "COMMAND H2 DEFENSIVE Henry Hill",
        "Henry Hill",
        "H2 1st Division can't be told defensive at Henry Hill: the enemy controls it. [to take it: COMMAND H2 OFFENSIVE Henry Hill]",
    );
    refused(
        &rules,
        &view,
        "ARMY MOVE Henry Hill",
        "Henry Hill",
        "Your headquarters can't go to Henry Hill: the enemy controls it. [your side holds Cub Run Bridge, Centreville]",
    );
    refused(
        &rules,
        &view,
        "ARMY MOVE CORPS H2",
        "H2",
        "Your headquarters can't go to 1st Division's headquarters: that headquarters leads no corps. [write an objective or a hex that your side holds]",
    );
    refused(
        &rules,
        &view,
        "PROFILE HEROIC",
        "HEROIC",
        "You can't be heroic: no brigade of yours that is under attack is within four hexes of you. [PROFILE SENSIBLE or PROFILE CAUTIOUS]",
    );
}

#[test]
fn the_wrong_menu_is_refused_with_what_can_be_done() {
    let (rules, union) = bull_run("", Side::A);
    let can = "[now it can COLUMN, REGROUP, STAND, DEPLOY]";
    for (line, says) in [
        ("ASSAULT 3", format!("3 Keyes can't be told to assault: it is not engaged with an enemy. {can}")),
        (
            "RESERVE 3",
            format!("3 Keyes can't be told to go into reserve: its cohesion is 6, and reserve is for brigades below 6. {can}"),
        ),
        (
            "OBJECTIVE 3 TO Henry Hill",
            "3 Keyes can't be told to march to Henry Hill: it belongs to a division, and marches to that division's objective. [COLUMN 3]".to_owned(),
        ),
    ] {
        refused(&rules, &union, line, "3", &says);
    }
    let regroup = "1 Schenck can't be told to regroup: its headquarters stands with it. [now it can COLUMN, STAND, DEPLOY]";
    refused(&rules, &union, "REGROUP 1", "1", regroup);
    let (rules, south) = bull_run("", Side::B);
    let jackson = "1 Jackson can't be told to march in column: it belongs to no division, and has no objective of its own. \
        [such as OBJECTIVE 1 TO Sudley Ford]";
    refused(&rules, &south, "COLUMN Jackson", "Jackson", jackson);
    // Who has an objective marches on to it.
    assert_eq!(lines(&rules, &south, "COLUMN Evans"), ["OBJECTIVE 7 TO Stone Bridge"]);
}

/// Two brigades next to each other in these grounds, with a third one of side A behind; all in communication, targets chosen.
fn engaged(ground: &str, change: impl FnOnce(&mut Field)) -> Stage {
    let mut field = Field::of(ground);
    let over = field.division(Side::A);
    field.add(Side::A, "0505", |one| one.over = over);
    field.add(Side::A, "0305", |one| one.over = over);
    field.add(Side::B, "0605", |_| {});
    field.hq_at(Side::A, "0404");
    change(&mut field);
    let mut stage = Stage::of(field);
    stage.aim(dice(&[], &[]));
    let touch = in_touch(stage.rules.battle(), Side::A, &[]);
    stage.apply(&touch);
    stage
}

#[test]
fn an_engaged_brigade_has_the_menu_of_engaged_orders() {
    let stage = engaged("fields", |_| {});
    let view = stage.view(Side::A);
    assert!(view.brigade(a(1)).engaged().is_some() && view.brigade(a(2)).engaged().is_none());
    for order in ["ASSAULT 1", "WITHDRAW 1", "COMMAND H2 RESERVE", "PROFILE HEROIC"] {
        assert_eq!(lines(&stage.rules, &view, order), [order]);
    }
    let can = "[now it can ASSAULT, WITHDRAW]";
    for (line, does, why) in [
        ("STAND 1", "stand", "it is engaged with an enemy"),
        ("COLUMN 1", "march in column", "it is engaged with an enemy"),
        ("SKIRMISH 1", "skirmish", "its opponent is next to it, with too little cover for skirmishers"),
        ("ADVANCE 1", "advance", "its opponent is next to it already"),
    ] {
        let says = format!("1 Brigade A1 can't be told to {does}: {why}. {can}");
        refused(&stage.rules, &view, line, "1", &says);
    }
    // In woods skirmishers find cover.
    let stage = engaged("woods", |_| {});
    assert_eq!(lines(&stage.rules, &stage.view(Side::A), "SKIRMISH 1"), ["SKIRMISH 1"]);
}

#[test]
fn later_lines_replace_earlier_ones() {
    let (rules, view) = bull_run("", Side::A);
    let read = read_orders(
        &rules,
        &view,
        "STAND 1-3\nCOLUMN 2\nCOMMAND H2 RESERVE\nSTAND 2\nCOMMAND Tyler OFFENSIVE Henry Hill\nSTAND 1",
    );
    let orders: Vec<(usize, String)> =
        read.orders.iter().map(|one| (one.line, written(rules.battle(), &one.order))).collect();
    let wanted = [(1, "STAND 3"), (4, "STAND 2"), (5, "COMMAND H2 OFFENSIVE Henry Hill"), (6, "STAND 1")];
    assert_eq!(orders, wanted.map(|(line, text)| (line, text.to_owned())));
    let remarks: Vec<(usize, Weight, &str)> =
        read.remarks.iter().map(|one| (one.line, one.weight, one.text.as_str())).collect();
    assert_eq!(
        remarks,
        [
            (2, Weight::Note, "This replaces line 1 for 2 Sherman."),
            (4, Weight::Warning, "This replaces line 2 for 2 Sherman: nothing is left of it."),
            (5, Weight::Warning, "This replaces line 3 for H2 1st Division: nothing is left of it."),
        ]
    );
}

#[test]
fn orders_for_later_hours_are_noted_where_there_are_none() {
    let (rules, view) = bull_run("", Side::A);
    for line in ["IF ENGAGED 2 SKIRMISH", "STOP ON CONTACT"] {
        let (weight, _, text) = remark(&rules, &view, line);
        let wanted = "This mail turn is one hour: an order for its later hours comes to nothing.";
        assert_eq!((weight, text.as_str()), (Weight::Note, wanted));
        assert_eq!(read_orders(&rules, &view, line).orders.len(), 1);
    }
}

/// ACW-81: COLUMN to a brigade of no division means the objective that it has.
#[test]
fn a_brigade_of_no_division_in_column_marches_to_its_own_objective() {
    let (rules, view) = bull_run("", Side::B);
    let own =
        rules.battle().armies[1].brigades.iter().find(|spec| spec.over.is_army() && spec.objective.is_some());
    let spec = own.unwrap();
    let name = &rules.battle().objective(spec.objective.unwrap()).name;
    let said = lines(&rules, &view, &format!("COLUMN {}", spec.id.number));
    assert!(said[0].contains(name.as_str()), "{said:?} for {name}");
}

/// ACW-82: profile and resignation are the army commander's alone where corps have seats.
#[test]
fn a_corps_commander_neither_leads_the_army_nor_resigns() {
    let rules = battle("shiloh", "command: corps");
    let state = opened(&rules, &[in_touch(rules.battle(), Side::B, &[])]);
    let corps = &rules.battle().army(Side::B).commanders[1].seat;
    let view = rules.view(&state, corps);
    for line in ["PROFILE CAUTIOUS", "RESIGN CONFIRM"] {
        assert!(read_orders(&rules, &view, line).orders.is_empty(), "{line}");
        let (weight, _, text) = remark(&rules, &view, line);
        assert!(weight == Weight::Error && text.contains("army"), "{line}: {text}");
    }
}

/// ACW-73: an army's headquarters is given no command, neither by its own seat nor by a corps'.
#[test]
fn an_armys_headquarters_is_given_no_command() {
    let rules = battle("shiloh", "command: corps");
    let state = opened(&rules, &[in_touch(rules.battle(), Side::B, &[])]);
    for commander in &rules.battle().army(Side::B).commanders[..2] {
        let view = rules.view(&state, &commander.seat);
        assert!(!view.can_command(HqId::army(Side::B)), "{}", commander.seat);
        let (weight, _, text) = remark(&rules, &view, "COMMAND H1 RESERVE");
        assert!(
            weight == Weight::Error && text.contains("an army's headquarters is given no command"),
            "{text}"
        );
        let told = format!("{:?}", rules.brief(&view, &[]));
        let commands = told.split("\"Commands\"").nth(1).unwrap();
        assert!(!commands[..40].contains("H1 "), "{}", &commands[..40]);
    }
}

/// ACW-94: the advice that stood in the first dispatch is told at any time.
#[test]
fn advice_is_told_at_any_time() {
    let rules = battle("bull-run", "");
    let mut state = opened(&rules, &[]);
    for turn in 2..5 {
        rules.apply(&mut state, &Event::Began { turn });
    }
    let view = view(&rules, &state, Side::B);
    let read = read_orders(&rules, &view, "ADVICE");
    let advice = &rules.battle().army(Side::B).advice;
    assert!(read.orders.is_empty() && !advice.is_empty());
    assert_eq!((read.remarks[0].weight, &read.remarks[0].text), (Weight::Note, advice));
    assert_eq!(likeness(&rules, "ADVICE"), Likeness::Question);
    assert_eq!(likeness(&rules, "Advice is cheap"), Likeness::Prose);
}

/// ACW-93: next to an opponent a brigade advances over a river, a bridge or a ford alone.
#[test]
fn over_a_bridge_a_brigade_can_advance_at_its_neighbour() {
    use musterd_acw::battle::HexSide;
    use musterd_acw::model::{Crossing, Water};
    let can = |water: Option<Water>, crossing: Option<Crossing>| {
        let mut field = Field::of("fields");
        field.add(Side::A, "0505", |_| {});
        field.add(Side::B, "0605", |_| {});
        field.hq_at(Side::A, "0404");
        let (from, to) = ("0505".parse().unwrap(), "0605".parse().unwrap());
        field.battle.map.lay(from, to, HexSide { water, crossing, ..HexSide::default() });
        let mut stage = Stage::of(field);
        stage.aim_calmly();
        stage.apply(&in_touch(stage.rules.battle(), Side::A, &[]));
        !read_orders(&stage.rules, &stage.view(Side::A), "ADVANCE 1").has_errors()
    };
    assert!(!can(None, None) && !can(Some(Water::Stream), None));
    assert!(can(Some(Water::River), None));
    assert!(
        can(Some(Water::Stream), Some(Crossing::Bridge)) && can(Some(Water::River), Some(Crossing::Ford))
    );
}

/// ACW-83: IF ENGAGED takes ADVANCE too.
#[test]
fn an_order_for_when_a_brigade_is_engaged_may_be_any_of_that_menu() {
    let (rules, view) = bull_run("block: 3", Side::A);
    for act in ["ASSAULT", "SKIRMISH", "ADVANCE", "WITHDRAW"] {
        assert_eq!(read_orders(&rules, &view, &format!("IF ENGAGED 2 {act}")).orders.len(), 1, "{act}");
    }
}

/// ACW-78: a corps' headquarters goes to its goal by joining that of its brigades that is nearest to it.
#[test]
fn a_corps_headquarters_joins_another_of_its_brigades() {
    use musterd_acw::order::Order;
    use musterd_engine::orders::{Placed, Reading};
    let rules = battle("shiloh", "command: corps");
    let mut state = rules.found();
    let mut joined = None;
    for t in 1..=4 {
        let commander = &rules.battle().army(Side::B).commanders[2];
        let hq = rules.view(&state, &commander.seat);
        let goal = hq.hqs.get(commander.hq.place()).and_then(|own| own.with).and_then(|with| {
            let own = rules.battle().all_under(commander.hq).filter(|spec| spec.id != with);
            own.filter_map(|spec| Some((spec.id, hq.brigade(spec.id).at?))).next()
        });
        let orders =
            goal.map(|(_, at)| Placed { line: 1, order: Order::Goal(musterd_acw::order::Goal::Hex(at)) });
        let reading = Reading { orders: orders.into_iter().collect(), remarks: Vec::new() };
        let input = Input { orders: [(commander.seat.clone(), reading)].into() };
        let mut dice = crate::common::Loose::numbered(3);
        let mut scribe = Scribe::new(&rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &input);
        for event in scribe.finish() {
            if let (Event::Joined { hq: own, brigade }, Some((_, goal))) = (&event, goal) {
                let now = rules.view(&state, &commander.seat);
                let far = |at: Option<musterd_engine::hex::Hex>| at.map(|at| at.distance(goal));
                let nearer = far(now.brigade(*brigade).at) < far(now.hq(commander.hq).at);
                joined = joined.or(Some((*own == commander.hq, nearer)));
            }
            rules.apply(&mut state, &event);
        }
    }
    assert_eq!(joined, Some((true, true)));
}

/// ACW-80.
#[test]
fn questions_are_answered_and_are_no_orders() {
    let (rules, view) = bull_run("", Side::A);
    let answers = |line: &str| -> Vec<String> {
        let read = read_orders(&rules, &view, line);
        assert!(
            read.orders.is_empty() && read.remarks.iter().all(|one| one.weight == Weight::Note),
            "{line}"
        );
        read.remarks.into_iter().map(|one| one.text).collect()
    };
    let roster = answers("ROSTER");
    assert_eq!(roster.len(), 4);
    assert!(
        roster[0]
            .starts_with("H2 1st Division: 1 Schenck 2100 men and 6 guns, cohesion 6, in 1709; 2 Sherman"),
        "{roster:?}"
    );
    let [hill, sherman, tyler] = answers("INFO Henry Hill, Sherman, H2").try_into().unwrap();
    assert!(hill.starts_with("Henry Hill 0913: held by the Confederacy; points of Henry Hill in turns 6 to 16: for the Union 8 a turn"), "{hill}");
    assert!(
        sherman.contains("3300 of 3300 men in 4 regiments") && sherman.contains("strength 33"),
        "{sherman}"
    );
    assert!(
        tyler.contains("leadership 3, staff 3; in 1709 with 1 Schenck; command: offensive to Stone Bridge"),
        "{tyler}"
    );
    let [hex] = answers("INFO 1310").try_into().unwrap();
    assert!(
        hex.contains("controlled by the Confederacy") && hex.contains("bridge (Stone Bridge) to the"),
        "{hex}"
    );
    assert!(!hex.contains("Evans"), "the enemy is not seen: {hex}");
    let says = "`Jackson` is no hex, no objective and no unit of yours. [write a hex, an objective, a brigade or a headquarters]";
    refused(&rules, &view, "INFO Jackson", "Jackson", says);
}

#[test]
fn orders_are_told_from_prose() {
    let rules = battle("bull-run", "");
    for (line, wanted) in [
        ("STAND 3", Likeness::Order),
        ("stand 3, 4", Likeness::Order),
        ("Assault Sherman", Likeness::Order),
        ("Command Hunter offensive Stone House, Henry Hill", Likeness::Order),
        ("Profile bold", Likeness::Order),
        ("RESIGN CONFIRM", Likeness::Order),
        ("ROSTER", Likeness::Question),
        ("INFO Henry Hill", Likeness::Question),
        ("info 3", Likeness::Question),
        ("Info: I am away until Monday", Likeness::Prose),
        ("Hold the line, my friend", Likeness::Prose),
        ("Stand by for news from Washington", Likeness::Prose),
        ("The army of the Potomac is late", Likeness::Prose),
        ("Dear general,", Likeness::Prose),
        ("If you are shaken, rest", Likeness::Prose),
    ] {
        assert_eq!(likeness(&rules, line), wanted, "{line}");
    }
    for one in uses() {
        for line in &one.lines {
            assert_ne!(likeness(&rules, line), Likeness::Prose, "{line}");
        }
    }
}

#[test]
fn what_is_offered_can_be_ordered() {
    for name in ["bull-run", "shiloh", "antietam", "kellys-mill"] {
        for options in ["", "block: 4", "radio: on", "command: corps"] {
            let rules = battle(name, options);
            let state = opened(&rules, &Side::ALL.map(|side| in_touch(rules.battle(), side, &[])));
            for spec in rules.seat_specs() {
                let view = rules.view(&state, &spec.seat);
                let offered = rules.offered(&view);
                let now = offered.iter().filter(|one| !is_for_later(one));
                assert!(now.clone().count() > 2, "{name}, {options}, {}: {offered:?}", spec.seat);
                for line in now.flat_map(|one| &one.lines) {
                    let read = read_orders(&rules, &view, line);
                    assert!(
                        read.remarks.iter().all(|one| one.weight == Weight::Note),
                        "{line}: {:?}",
                        read.remarks
                    );
                }
            }
        }
    }
}

/// Whether a kind of order is offered with the words that it can't be given now.
fn is_for_later(one: &OrderUse) -> bool {
    ["as things stand nothing of yours can do so", "that needs mail turns of several hours"]
        .iter()
        .any(|words| one.does.contains(words))
}

/// What nobody can do yet is offered too, with the words that it can't be done: the orders of a fight can be learned before it.
#[test]
fn what_cannot_be_ordered_yet_is_told_with_the_rest() {
    for (name, options) in [("bull-run", ""), ("bull-run", "block: 3"), ("shiloh", "command: corps")] {
        let rules = battle(name, options);
        let state = opened(&rules, &Side::ALL.map(|side| in_touch(rules.battle(), side, &[])));
        for spec in rules.seat_specs() {
            let view = rules.view(&state, &spec.seat);
            let offered = rules.offered(&view);
            for word in ["ASSAULT", "SKIRMISH", "ADVANCE", "WITHDRAW", "IF", "STOP", "RESERVE"] {
                let one = offered.iter().find(|one| one.begins_with(word));
                let one = one.unwrap_or_else(|| panic!("{name}, {options}, {}: {word}", spec.seat));
                let waits = matches!(word, "IF" | "STOP");
                let is_now = match (waits, options) {
                    (true, "block: 3") => true,
                    (true, _) => false,
                    (false, _) => !is_for_later(one),
                };
                assert_eq!(is_for_later(one), !is_now, "{word}: {}", one.does);
                let is_fight = matches!(word, "ASSAULT" | "SKIRMISH" | "ADVANCE" | "WITHDRAW");
                let engaged = view.own_brigades().any(|(_, brigade)| brigade.engaged().is_some());
                assert!(!is_fight || engaged || is_for_later(one), "{word}: {}", one.does);
                for line in one.lines.iter().filter(|_| !is_for_later(one)) {
                    let read = read_orders(&rules, &view, line);
                    assert!(!read.has_errors(), "{line}: {:?}", read.remarks);
                }
            }
        }
    }
}

#[test]
fn a_form_sent_back_changes_nothing_and_its_comments_are_orders() {
    for (name, options) in [
        ("bull-run", ""),
        ("shiloh", "block: 4"),
        ("antietam", "command: corps"),
        ("kellys-mill", "radio: on"),
    ] {
        let rules = battle(name, options);
        let state = opened(&rules, &Side::ALL.map(|side| in_touch(rules.battle(), side, &[])));
        for spec in rules.seat_specs() {
            let view = rules.view(&state, &spec.seat);
            let form = rules.form(&view);
            let read = read_orders(&rules, &view, &form.join("\n"));
            assert_eq!(read.remarks, [], "{form:#?}");
            for order in read.orders {
                match order.order {
                    Order::Goal(goal) => assert_eq!(goal, view.hq(view.hq.unwrap()).goal),
                    Order::Profile(profile) => assert_eq!(profile, view.chief.unwrap().profile),
                    other => panic!("{other:?}"),
                }
            }
            let first_word = |line: &str| line.split(' ').next().unwrap().to_owned();
            let verbs: Vec<String> = uses().iter().map(|one| first_word(&one.lines[0])).collect();
            let offers = form.iter().filter_map(|line| line.strip_prefix("# "));
            for offer in offers.filter(|line| verbs.contains(&first_word(line))) {
                let read = read_orders(&rules, &view, offer);
                assert!(!read.has_errors() && read.orders.len() == 1, "{offer}: {:?}", read.remarks);
            }
        }
    }
}

#[test]
fn the_form_of_a_fight_offers_what_can_be_done() {
    let stage = engaged("woods", |_| {});
    let view = stage.view(Side::A);
    let form = stage.rules.form(&view);
    let chosen = |act: Act, line: &str| {
        let is = view.brigade(a(1)).act == act;
        form.iter().any(|one| one.starts_with(line) && one.ends_with("as its commanders chose") == is)
    };
    assert!(form.contains(&"# Engaged:".to_owned()), "{form:#?}");
    assert!(chosen(Act::Assault, "# ASSAULT 1") && chosen(Act::Skirmish, "# SKIRMISH 1"), "{form:#?}");
    assert!(!form.iter().any(|line| line.contains("ADVANCE 1")), "{form:#?}");
    let mut stage = engaged("woods", |_| {});
    let surprise = Event::Startled { brigade: a(1), die: Some(15), against: 10, surprised: true };
    stage.apply(&surprise);
    let view = stage.view(Side::A);
    assert!(stage.rules.form(&view).iter().any(|line| line.contains("takes no orders")));
    let says = "1 Brigade A1 can't be told to assault: it is surprised, and can't be ordered this turn.";
    refused(&stage.rules, &view, "ASSAULT 1", "1", says);
}

#[test]
fn what_is_gone_is_not_ordered() {
    let mut stage = engaged("fields", |_| {});
    stage.change(Change::Removed(a(2)));
    refused(
        &stage.rules,
        &stage.view(Side::A),
        "STAND 2",
        "2",
        "2 Brigade A2 can't be told to stand: it is gone.",
    );
    stage.apply(&Event::Ended { outcome: stage.view(Side::A).now });
    refused(&stage.rules, &stage.view(Side::A), "STAND 1", "STAND", "The battle is over.");
}

/// Words that orders are made of, and others.
const WORDS: [&str; 48] = [
    "ARMY",
    "MOVE",
    "CORPS",
    "STAND",
    "PROFILE",
    "HEROIC",
    "COMMAND",
    "OFFENSIVE",
    "VIA",
    "TO",
    "DEFENSIVE",
    "RESERVE",
    "ASSAULT",
    "SKIRMISH",
    "ADVANCE",
    "WITHDRAW",
    "OBJECTIVE",
    "COLUMN",
    "DEPLOY",
    "NW",
    "north",
    "REGROUP",
    "IF",
    "ENGAGED",
    "SHAKEN",
    "STOP",
    "ON",
    "CONTACT",
    "RESIGN",
    "CONFIRM",
    "ROSTER",
    "INFO",
    "ALL",
    "Henry",
    "Hill",
    "Stone",
    "House",
    "Sherman",
    "H2",
    "AH3",
    "3",
    "3-6",
    "A2-A5",
    ",",
    "\"",
    "0913",
    "9999",
    "é#",
];

fn jumble() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => prop::sample::select(&WORDS[..]).prop_map(str::to_owned),
        1 => "[ -~]{0,8}",
        1 => ".{0,4}",
    ];
    let line = prop::collection::vec(word, 0..9).prop_map(|words| words.join(" "));
    prop::collection::vec(line, 0..6).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_a_reading_whose_orders_are_written_and_read_back(text in jumble()) {
        let (rules, view) = bull_run("block: 3", Side::A);
        let (read, recap) = rules.read_back(&view, &text);
        prop_assert!(read.orders.is_empty() || !recap.orders.is_empty());
        for placed in &read.orders {
            let line = written(rules.battle(), &placed.order);
            let again = read_orders(&rules, &view, &line);
            let orders: Vec<&Order> = again.orders.iter().map(|one| &one.order).collect();
            prop_assert_eq!(orders, [&placed.order], "{}", line);
        }
        for line in text.lines() {
            let _ = likeness(&rules, line);
        }
    }

    #[test]
    fn who_commands_nobody_orders_nobody(text in jumble()) {
        let rules = battle("kellys-mill", "");
        let state = opened(&rules, &[]);
        let view = rules.view(&state, &"observer".to_owned().try_into().unwrap());
        let (read, _) = rules.read_back(&view, &text);
        prop_assert!(read.orders.is_empty());
        prop_assert!(rules.form(&view).is_empty() && rules.offered(&view).is_empty());
    }
}

#[test]
fn brigades_are_each_ordered_once_a_line() {
    let (rules, view) = bull_run("", Side::A);
    let read = read_orders(&rules, &view, "STAND 2, Sherman, 1-3");
    let ids: Vec<BrigadeId> = read
        .orders
        .iter()
        .map(|one| match one.order {
            Order::Brigade(id, _) => id,
            _ => panic!("{one:?}"),
        })
        .collect();
    assert_eq!(ids, [a(2), a(1), a(3)]);
}

#[test]
fn forms_and_offers_hold_in_the_midst_of_battles() {
    for (name, options) in
        [("bull-run", ""), ("shiloh", "block: 3, despatches: on"), ("antietam", "command: corps")]
    {
        let rules = battle(name, options);
        let (mut state, mut engaged) = (rules.found(), 0);
        let mut dice = crate::common::Loose::numbered(7);
        for t in 1..=9 {
            let input = Input { orders: std::collections::BTreeMap::new() };
            let mut scribe = Scribe::new(&rules, state.clone(), t, &mut dice);
            rules.step(&mut scribe, &input);
            state = scribe.state().clone();
            for spec in rules.seat_specs() {
                let view = rules.view(&state, &spec.seat);
                engaged += view
                    .own_brigades()
                    .filter(|(id, one)| view.can_order(*id) && one.engaged().is_some())
                    .count();
                let form = rules.form(&view);
                let (read, _) = rules.read_back(&view, &form.join("\n"));
                assert_eq!(read.remarks, [], "{name}, {t}: {form:#?}");
                let all: Vec<String> =
                    form.iter().map(|line| line.strip_prefix("# ").unwrap_or(line).to_owned()).collect();
                let offered = rules.offered(&view);
                let verbs: Vec<&str> = uses_of(&all);
                let now = offered.iter().filter(|one| !is_for_later(one));
                for line in verbs.into_iter().chain(now.flat_map(|one| &one.lines).map(AsRef::as_ref)) {
                    let (read, _) = rules.read_back(&view, line);
                    assert!(!read.has_errors(), "{name}, {t}, {}: {line}: {:?}", spec.seat, read.remarks);
                }
            }
        }
        assert!(engaged > 3, "{name}: {engaged}");
    }
}

/// The lines of a form that are orders: those that begin with a word of orders, in capitals.
fn uses_of(form: &[String]) -> Vec<&str> {
    let is_order = |line: &&String| {
        let word = line.split(' ').next().unwrap_or_default();
        word.len() > 1 && uses().iter().any(|one| one.lines[0].split(' ').next() == Some(word))
    };
    form.iter().filter(is_order).map(String::as_str).collect()
}

/// At Shiloh a headquarters is called Reserve Corps: behind another headquarters the word is what that is told.
#[test]
fn a_name_that_begins_with_a_word_of_orders_swallows_none() {
    let rules = battle("shiloh", "");
    let state = opened(&rules, &[in_touch(rules.battle(), Side::B, &[])]);
    let view = view(&rules, &state, Side::B);
    let corps = rules.battle().army(Side::B).hqs.iter().find(|spec| spec.name == "Reserve Corps").unwrap().id;
    let mut told = 0;
    for spec in
        rules.battle().army(Side::B).hqs.iter().filter(|spec| !spec.id.is_army() && view.can_command(spec.id))
    {
        let line = format!("COMMAND H{} RESERVE", spec.id.number);
        assert_eq!(lines(&rules, &view, &line), [line]);
        told += 1;
    }
    assert!(told >= 4, "{told}");
    let line = format!("COMMAND H{} RESERVE", corps.number);
    assert_eq!(lines(&rules, &view, "COMMAND Reserve Corps RESERVE"), [line]);
}

/// A corps commander's own headquarters isn't one that he might order.
#[test]
fn a_seats_own_headquarters_reads_as_his_own() {
    let rules = battle("shiloh", "command: corps");
    let commander = &rules.battle().army(Side::B).commanders[2];
    let touch = in_touch(rules.battle(), Side::B, &[UnitId::Hq(commander.hq)]);
    let view = rules.view(&opened(&rules, &[touch]), &commander.seat);
    let read = read_orders(&rules, &view, &format!("INFO H{}", commander.hq.number));
    let text = &read.remarks[0].text;
    assert!(text.contains("your own headquarters; goes to where it stands"), "{text}");
    assert!(text.contains("out of communication with"), "{text}");
    assert!(!text.contains("order it"), "{text}");
}

/// A number that is too large is said as such, and not as the largest that fits.
#[test]
fn a_number_that_no_brigade_has_is_not_cut() {
    let (rules, view) = bull_run("", Side::A);
    for (line, says) in [
        ("STAND 99999", "You have no brigade of so high a number."),
        ("STAND 3-99999", "You have no brigade of so high a number."),
        ("STAND 65535", "You have no brigade of so high a number."),
        ("STAND 77", "You have no brigade 77."),
    ] {
        assert_eq!(read_orders(&rules, &view, line).remarks[0].text, says, "{line}");
    }
}

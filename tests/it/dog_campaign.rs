//! Campaigns of battles: what is left of one founds the next; and the unit records that lie on a table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use musterd::dice::Seat;
use musterd::engine::files::RuleFiles;
use musterd::engine::{Awaiting, Input, Ruleset, Scribe};
use musterd::report::cards;
use musterd::rules::dog::event::{Event, Reckoning};
use musterd::rules::dog::model::Sort;
use musterd::rules::dog::next::{self, Carried, Wishes, next};
use musterd::rules::dog::view::{View, Wait};
use musterd::rules::dog::{Dog, SHIPPED, Skill, record, scores};

use crate::common::Loose;
use crate::common::pages::assert_fits;

fn seat(name: &str) -> Seat {
    name.parse().unwrap()
}

fn loaded(text: &str) -> Dog {
    let shared = SHIPPED.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
    let files = shared.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let files = files.chain([("scenario.yaml".to_owned(), text.to_owned())]).collect();
    Dog::from_files(&RuleFiles(files), &[]).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// A battle fought to its end by computers, or, with orders, by whoever gave them: what each leader knows then, and all that happened.
fn fought(
    rules: &Dog,
    seed: u32,
    orders: impl Fn(&Seat, &View) -> Option<String>,
) -> (BTreeMap<Seat, View>, Vec<Event>) {
    let mut state = rules.found();
    let mut dice = Loose::numbered(seed);
    let mut happened = Vec::new();
    for t in 1..=100 {
        if let Awaiting::Over { .. } = rules.awaiting(&state) {
            let views = rules.seats().iter().map(|spec| (spec.seat.clone(), rules.view(&state, &spec.seat)));
            return (views.collect(), happened);
        }
        let given = rules.seats().iter().map(|spec| {
            let view = rules.view(&state, &spec.seat);
            let text = orders(&spec.seat, &view)
                .unwrap_or_else(|| rules.play(&view, Skill::Planner, u64::from(seed)));
            (spec.seat.clone(), rules.read_orders(&view, &text))
        });
        let given = given.collect();
        let mut scribe = Scribe::new(rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders: given });
        state = scribe.state().clone();
        happened.extend(scribe.finish());
    }
    panic!("{} has no end", rules.battle().id);
}

fn shipped(name: &str) -> Dog {
    Dog::from_files(&musterd::rules::dog::shipped(name).unwrap(), &[]).unwrap()
}

/// Of battles in which nobody had money to hire with.
fn unspent() -> BTreeMap<Seat, u64> {
    BTreeMap::new()
}

fn wishes(money: &[(&str, u32)]) -> Wishes {
    let money = money.iter().map(|(name, money)| (seat(name), *money)).collect();
    Wishes { id: "second".to_owned(), title: None, money, without: BTreeSet::new() }
}

/// Fighters of each sort, wherever they stand.
fn counted<'a>(sorts: impl Iterator<Item = &'a Sort>) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for sort in sorts.filter(|sort| sort.fighters > 0) {
        let name = format!("{:?}", Sort { fighters: 0, ..sort.clone() });
        *counts.entry(name).or_insert(0) += u32::from(sort.fighters);
    }
    counts
}

#[test]
fn what_is_left_of_a_battle_founds_the_next_and_that_one_after_it() {
    let first = shipped("daerquwa");
    let (views, _) = fought(&first, 7, |_, _| None);
    let money = [("emperor", 3000), ("king", 500), ("queen", 500)];
    let (text, carried) = next(&first, &views, &unspent(), None, &wishes(&money)).unwrap();
    let second = loaded(&text);
    assert_eq!(second.battle().field, first.battle().field);
    assert_eq!(second.battle().switches, first.battle().switches);
    assert_eq!((second.battle().rounds, second.battle().holders.as_deref()), (Some(16), None));
    for (army, carried) in second.battle().armies().iter().zip(&carried) {
        let view = &views[&army.seat];
        let free = view.own.values().filter(|unit| unit.captive.is_none()).flat_map(|unit| &unit.sorts);
        assert_eq!(counted(army.units.iter().flat_map(|unit| &unit.sorts)), counted(free), "{}", army.name);
        let (_, reckonings) = view.result.as_ref().unwrap();
        let reckoning: &Reckoning = &reckonings[usize::from(army.id.0)];
        assert_eq!((army.leadership, carried.loot), (reckoning.after, reckoning.loot));
        assert_eq!(carried.maintenance, reckoning.maintenance, "nobody is paid twice, or not at all");
        let left = carried.loot + carried.money - carried.maintenance;
        assert_eq!(army.budget.map(u64::from), Some(left), "{}: {carried:?}", army.name);
        let old = &first.battle().armies()[usize::from(army.id.0)];
        assert_eq!((&army.zone, &army.hires, &army.leader), (&old.zone, &old.hires, &old.leader));
        assert!(text.contains(&format!("# {}", carried.leadership)), "the sum is shown");
    }
    // And that one is a battle too, fought and carried on.
    let (views, _) = fought(&second, 8, |_, _| None);
    let (text, _) =
        next(&second, &views, &unspent(), Some(shipped("training").battle()), &wishes(&money)).unwrap();
    let third = loaded(&text);
    assert_eq!(third.battle().field, shipped("training").battle().field);
}

const ROAD: &str = "id: road\ntitle: A \"road\"\nsituation: Red is caught.\nscale: tactical\nrounds: 3\n\
    field:\n  rows: [\". . . .h\", \". ~ ~ .\", \". . . .\"]\n  fortifications: {\"0103\": castle}\n  places: {\"0101\": \"Gate: old\"}\n\
    \x20 bridges: [\"0202\", \"0101-0102\"]\n  boats: [\"0302\"]\n\
    armies:\n\
    \x20 - {seat: red, letter: R, name: Reds, leadership: 900, units: [{id: 1, name: Old Guard, type: LI, fighters: 16, at: \"0301\"}, {id: 2, type: PE, fighters: 9, at: \"0103\"}]}\n\
    \x20 - {seat: blue, letter: B, name: Blues, leadership: 900, units: [{id: 1, type: C, crew: A, fighters: 6, at: \"0201\"}, {id: 2, type: HI, fighters: 20, elite: true, at: \"0203\"}]}\n";

/// Manual 4.4, 4.5: what stayed behind is with its unit again; who gave up is lost, and paid for.
#[test]
fn parts_come_back_prisoners_are_lost_and_loot_pays() {
    let rules = loaded(ROAD);
    let orders = |seat: &Seat, view: &View| {
        Some(match (seat.as_str(), view.round) {
            ("red", 1) => "FLEE R1 TO 0401 LEAVE 4\nSURRENDER R2 TO B2".to_owned(),
            ("blue", 1) => "DEFEND B2".to_owned(),
            _ => String::new(),
        })
    };
    let (views, happened) = fought(&rules, 3, orders);
    assert!(happened.iter().any(|event| matches!(event, Event::Split { .. })), "{happened:?}");
    assert!(happened.iter().any(|event| matches!(event, Event::Surrendered { .. })), "{happened:?}");
    let red = &views[&seat("red")];
    let free: u16 = red
        .own
        .values()
        .filter(|unit| unit.captive.is_none())
        .flat_map(|unit| &unit.sorts)
        .map(|s| s.fighters)
        .sum();
    let (text, carried) =
        next(&rules, &views, &unspent(), None, &wishes(&[("red", 5), ("blue", 1000)])).unwrap();
    let again = loaded(&text);
    let [reds, blues] = again.battle().armies() else { panic!() };
    assert_eq!(reds.units.len(), 1, "{text}");
    assert_eq!((reds.units[0].sorts[0].fighters, reds.units[0].name.as_str()), (free, "Old Guard"));
    assert!(reds.units[0].at.is_none() && reds.owes_records(), "its leader says where it stands");
    let Carried { prisoners, loot, .. } = &carried[0];
    assert_eq!((prisoners.as_slice(), *loot), (&["R2, 9 peasants, taken by B2".to_owned()][..], 0));
    assert_eq!(carried[1].loot, 9, "a prisoner's maintenance (DOG-28)");
    // Five are not enough: what is owed is said, and nothing is hired for it.
    let due = scores::maintenance(rules.numbers(), &reds.units[0].sorts);
    assert_eq!((carried[0].owed(), carried[0].left(), reds.budget), (due - 5, 0, None));
    assert_eq!(blues.budget.map(u64::from), Some(1009 - carried[1].maintenance));
    assert_eq!(blues.units[1].sorts, rules.battle().armies()[1].units[1].sorts);
    assert_eq!(again.battle().field, rules.battle().field, "{text}");
}

#[test]
fn a_battle_that_is_not_over_or_an_army_without_anybody_carries_nothing_on() {
    let rules = loaded(ROAD);
    let state = rules.found();
    let views =
        rules.seats().iter().map(|spec| (spec.seat.clone(), rules.view(&state, &spec.seat))).collect();
    assert!(next(&rules, &views, &unspent(), None, &wishes(&[])).unwrap_err().contains("not over yet"));
    assert!(
        next(&rules, &views, &unspent(), None, &wishes(&[("green", 1)]))
            .unwrap_err()
            .contains("there are red, blue")
    );
    let training = shipped("training");
    let (views, _) = (1..50)
        .map(|seed| fought(&training, seed, |_, _| None))
        .find(|(views, _)| views.values().any(|view| view.own.is_empty()))
        .expect("in some battle somebody is destroyed");
    let reason = next(&training, &views, &unspent(), None, &wishes(&[])).unwrap_err();
    assert!(
        reason.contains("nobody is left") && reason.contains("--money") && reason.contains("--without"),
        "{reason}"
    );
    assert!(next(&training, &views, &unspent(), None, &wishes(&[("red", 50), ("blue", 50)])).is_ok());
}

/// Manual 2.1: hire is paid from the leader's chest, and what stays in it is there after the battle.
#[test]
fn money_that_hired_nobody_is_there_for_the_next_battle() {
    let rules = shipped("ashland-wells");
    let hired = |seat: &Seat, view: &View| match (seat.as_str(), view.wait) {
        ("captain", Wait::SetUp) => Some("UNIT 1 10 heavy cavalry\nUNIT 2 5 elite knights".to_owned()),
        _ => None,
    };
    let (views, happened) = fought(&rules, 5, hired);
    let left = next::unspent(&rules, &happened);
    // 325 less 10 x 4 and 5 x 8 x 3.
    assert_eq!(left[&seat("captain")], 165);
    assert!(left[&seat("khan")] < 420, "the computer hired with it");
    let (_, carried) = next(&rules, &views, &left, None, &wishes(&[("captain", 7), ("khan", 900)])).unwrap();
    let captain = &carried[0];
    let sum = 165 + captain.loot + 7;
    assert_eq!((captain.left(), captain.owed()), {
        (sum.saturating_sub(captain.maintenance), captain.maintenance.saturating_sub(sum))
    });
    // Who is the battle file's was paid for before.
    assert_eq!(next::unspent(&shipped("daerquwa"), &happened), BTreeMap::new());
}

/// The form of the manual's card, in text and as a page that stands by itself.
#[test]
fn unit_records_have_what_the_manuals_card_has() {
    let rules = shipped("daerquwa");
    let queen = rules.battle().armies().iter().find(|army| army.seat == seat("queen")).unwrap();
    let deck = record::at_start(&rules, queen);
    let page = cards::text(std::slice::from_ref(&deck));
    assert_fits(&page);
    for label in [
        "UNIT # Q1",
        "Type",
        "Number",
        "Attack",
        "Distance",
        "Defence",
        "HP",
        "Initial pos. 0404",
        "Comments:",
    ] {
        assert!(page.contains(label), "{label}: {page}");
    }
    // 20 of 20 are found by 10 less the forest's 4: always.
    assert!(page.contains("Hidden: found by 6 or less of a"), "{page}");
    let html = cards::html("Cards", &[deck]);
    assert_eq!(html.matches("<article").count(), 4);
    assert!(html.contains("@page{size:A4") && !html.contains("http"));
}

fn musterd(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_musterd")).arg("--dir").arg(dir).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// By command: the cards of a hire list, of the program's and of a file.
#[test]
fn a_hire_list_has_unit_records() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("host");
    let page = said(&musterd(&dir, &["dog", "record", "hire/company-300"]));
    assert_fits(&page);
    let list =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("games/dog/hire/company-300.yaml"));
    let list = list.unwrap();
    let units = list.lines().filter(|line| line.trim_start().starts_with("- {")).count();
    assert_eq!(page.matches("UNIT # ..").count(), units, "{page}");
    assert!(page.contains("UNIT # ..1 ") && page.contains("LEADERSHIP"), "{page}");
    fs::create_dir_all(home.path().join("hire")).unwrap();
    let own = home.path().join("hire/own.yaml");
    fs::write(&own, list.replace("id: company-300", "id: own")).unwrap();
    let own = said(&musterd(&dir, &["dog", "record", own.to_str().unwrap()]));
    assert_eq!(own, page);
    let html = said(&musterd(&dir, &["dog", "record", "hire/company-300", "--html"]));
    assert_eq!(html.matches("<article").count(), units);
    let wrong = said(&musterd(&dir, &["dog", "record", "hire/company"]));
    assert!(wrong.contains("no hire list `company`") && wrong.contains("company-300"), "{wrong}");
}

/// For programs too: what there is to play and to hire.
#[test]
fn the_list_of_scenarios_for_programs_has_the_hire_lists() {
    let home = tempfile::tempdir().unwrap();
    let listed = musterd(home.path(), &["scenarios", "--json"]);
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let ids = |key: &str| -> Vec<&str> {
        listed[key].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect()
    };
    assert!(ids("scenarios").contains(&"dog/training"), "{listed}");
    assert!(ids("stores").contains(&"dog/hire/company-300"), "{listed}");
    assert!(listed["stores"].as_array().unwrap().iter().all(|one| one["about"] != ""), "{listed}");
}

/// By command: a battle played by mail between computers, its cards as it stands, the next one from it, which is in order.
#[test]
fn one_command_makes_the_next_battle_of_a_game() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("host");
    let played = musterd(home.path(), &["demo", "dog/training", "--keep", dir.to_str().unwrap()]);
    assert!(played.status.success(), "{}", said(&played));
    let cards = musterd(&dir, &["dog", "record", "demo", "--army", "red"]);
    assert!(cards.status.success(), "{}", said(&cards));
    let file = home.path().join("second.yaml");
    let out = file.to_str().unwrap();
    let next = ["dog", "next", "demo", "--out", out, "--money", "red=90", "--money", "blue=90"];
    let made = musterd(&dir, &next);
    assert!(made.status.success(), "{}", said(&made));
    assert_fits(said(&made).split("\nWritten").next().unwrap());
    let checked = musterd(&dir, &["scenario", "check", out, "--ruleset", "dog"]);
    assert!(checked.status.success(), "{}\n{}", said(&checked), fs::read_to_string(&file).unwrap());
    assert_eq!(musterd(&dir, &next).status.code(), Some(2), "nothing is written over");
    let blanks = musterd(&dir, &["dog", "record", out, "--html"]);
    assert!(said(&blanks).contains("UNIT # R......"), "{}", said(&blanks));
    let wrong = musterd(&dir, &["dog", "record", "daerquwa", "--army", "green"]);
    assert!(said(&wrong).contains("there are emperor, king, queen"), "{}", said(&wrong));
}

//! The rulings and tables of La Grande Armée, case by case: `tests/cases/lga/*.yaml`. Each case scripts its dice by label;
//! a die that is missing or left over fails it, and so does a ruling that no case names. What takes more than a turn to
//! show goes on under `then`, a player turn a step.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use musterd_dice::Seat;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Weight;
use musterd_engine::{Fold, Input, Ruleset, Scribe};
use musterd_lga::model::{Level, Nation, Side, UnitId};
use musterd_lga::order::Order;
use musterd_lga::setup::Position;
use musterd_lga::{Lga, State, shipped};
use serde::Deserialize;
use serde_json::Value;

use crate::common::script::{Script, says};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    title: String,
    #[serde(default)]
    rulings: Vec<String>,
    /// The sections of the manual that it shows.
    #[serde(default)]
    manual: Vec<String>,
    #[serde(default = "first_scenario")]
    scenario: String,
    /// Texts of the scenario file to be replaced: a fixture scenario.
    #[serde(default)]
    patches: BTreeMap<String, String>,
    #[serde(default)]
    seats: Vec<Seat>,
    /// The position; without one the game is founded.
    given: Option<Position>,
    #[serde(default)]
    orders: BTreeMap<Seat, String>,
    /// Faces by label, in the order thrown.
    #[serde(default)]
    dice: BTreeMap<String, Vec<u32>>,
    /// The face of every other die with a label that begins so.
    #[serde(default)]
    other_dice: BTreeMap<String, u32>,
    #[serde(default)]
    expect: Expected,
    /// The player turns after this one.
    #[serde(default)]
    then: Vec<Step>,
}

/// One player turn: what is ordered, how the dice fall, and what comes of it.
#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
struct Step {
    orders: BTreeMap<Seat, String>,
    dice: BTreeMap<String, Vec<u32>>,
    other_dice: BTreeMap<String, u32>,
    expect: Expected,
}

impl Case {
    fn steps(&self) -> Vec<Step> {
        let first = Step {
            orders: self.orders.clone(),
            dice: self.dice.clone(),
            other_dice: self.other_dice.clone(),
            expect: self.expect.clone(),
        };
        [first].into_iter().chain(self.then.iter().cloned()).collect()
    }
}

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
struct Expected {
    /// What the owner's view says of a unit, at least this; null if it is not on the map.
    units: BTreeMap<UnitId, Value>,
    control: BTreeMap<Hex, Side>,
    points: BTreeMap<Nation, i32>,
    victory: BTreeMap<Side, (i32, Level)>,
    /// What a seat learnt: something like each of these.
    seen: BTreeMap<Seat, Vec<Value>>,
    /// What a seat did not learn: nothing like any of these.
    unseen: BTreeMap<Seat, Vec<Value>>,
    /// What a seat sees of an enemy stack, at least this; null if it sees none.
    enemies: BTreeMap<Seat, BTreeMap<Hex, Value>>,
    /// What a seat remembers of an enemy piece out of its sight, at least this, as published; null if nothing.
    last_seen: BTreeMap<Seat, BTreeMap<UnitId, Value>>,
    /// The cities where a seat's side remembers a garrison without a name, all of them, as published.
    garrisons_met: BTreeMap<Seat, Vec<Hex>>,
    /// Hexes to which a seat's side can trace supply, and can't.
    supplied: BTreeMap<Seat, Vec<Hex>>,
    cut_off: BTreeMap<Seat, Vec<Hex>>,
    /// Reasons for what was not done, in order: a part of each.
    not_done: BTreeMap<Seat, Vec<String>>,
    /// Why lines of a seat's orders were refused when they were read, in order: a part of each.
    refused: BTreeMap<Seat, Vec<String>>,
    /// What a seat was answered besides: a part of one answer for each of these.
    told: BTreeMap<Seat, Vec<String>>,
    /// Who wins at the end; null is a draw.
    #[serde(deserialize_with = "even_null")]
    winner: Option<Value>,
}

/// Keeps a null that is written, which an `Option` would take for nothing written.
fn even_null<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

fn first_scenario() -> String {
    "austrian-1805".to_owned()
}

/// The rules under which a case is played, with other numbers than the shipped ones if they are given.
fn rules_of(case: &Case, numbers: Option<&str>) -> Result<Lga, String> {
    let mut files = shipped(&case.scenario).ok_or_else(|| format!("no scenario {}", case.scenario))?;
    if let Some(numbers) = numbers {
        files.0.insert("ruleset.yaml".to_owned(), numbers.to_owned());
    }
    for (old, new) in &case.patches {
        let text = files.0.get_mut("scenario.yaml").unwrap();
        if !text.contains(old) {
            return Err(format!("the scenario file has no text `{old}` to patch"));
        }
        *text = text.replace(old, new);
    }
    Lga::from_files(&files, &case.seats).map_err(|e| e.to_string())
}

/// Everything that is not as the case expects.
fn run(case: &Case, rules: &Lga) -> Result<Vec<String>, String> {
    let mut state = match &case.given {
        Some(position) => rules.set_up(position)?,
        None => rules.found(),
    };
    let mut faults = Vec::new();
    for (number, step) in (1..).zip(case.steps()) {
        let found = play(rules, &mut state, &step);
        let place = if case.then.is_empty() { String::new() } else { format!("turn {number}: ") };
        faults.extend(found.into_iter().map(|fault| format!("{place}{fault}")));
    }
    Ok(faults)
}

/// Reads a step's orders; everything that was answered otherwise than it expects.
fn read(rules: &Lga, state: &State, step: &Step) -> (Input<Order>, Vec<String>) {
    let mut faults = Vec::new();
    let mut input = Input { orders: BTreeMap::new() };
    let none = Vec::new();
    for (seat, text) in &step.orders {
        let reading = rules.read_orders(&rules.view(state, seat), text);
        let (refused, told): (Vec<_>, Vec<_>) =
            reading.remarks.iter().partition(|remark| remark.weight == Weight::Error);
        let refused: Vec<&str> = refused.into_iter().map(|remark| remark.text.as_str()).collect();
        let wanted = step.expect.refused.get(seat).unwrap_or(&none);
        if refused.len() != wanted.len()
            || refused.iter().zip(wanted).any(|(found, part)| !found.contains(part))
        {
            faults.push(format!("refused to {seat}: {refused:?}, expected {wanted:?}"));
        }
        for part in step.expect.told.get(seat).unwrap_or(&none) {
            if !told.iter().any(|remark| remark.text.contains(part)) {
                faults.push(format!("{seat} was told {told:?}, expected {part:?}"));
            }
        }
        input.orders.insert(seat.clone(), reading);
    }
    (input, faults)
}

/// Plays one player turn; everything that is not as the step expects.
fn play(rules: &Lga, state: &mut State, step: &Step) -> Vec<String> {
    let (input, mut faults) = read(rules, state, step);
    let mut dice = Script::new(step.dice.clone(), step.other_dice.clone());
    let mut scribe = Scribe::new(rules, state.clone(), 1, &mut dice);
    rules.step(&mut scribe, &input);
    let events = scribe.finish();
    faults.extend(dice.faults());

    let mut sights: BTreeMap<Seat, Vec<Value>> = BTreeMap::new();
    for event in &events {
        for spec in rules.seats() {
            if let Some(sight) = rules.witness(state, event, &spec.seat) {
                sights.entry(spec.seat.clone()).or_default().push(serde_json::to_value(sight).unwrap());
            }
        }
        rules.apply(state, event);
        faults.extend(state.faults(rules).into_iter().map(|fault| format!("after {event:?}: {fault}")));
    }
    let views: BTreeMap<Seat, _> =
        rules.seats().iter().map(|spec| (spec.seat.clone(), rules.view(state, &spec.seat))).collect();
    let any = views.values().next().unwrap();
    let expect = &step.expect;
    for (id, wanted) in &expect.units {
        let found = views.values().find_map(|view| view.own.get(id));
        match found.map(|unit| serde_json::to_value(unit).unwrap()) {
            None if wanted.is_null() => {}
            Some(found) if says(&found, wanted) => {}
            found => faults.push(format!("unit {id} is {found:?}, expected {wanted}")),
        }
    }
    for (hex, side) in &expect.control {
        if any.control.get(hex) != Some(side) {
            faults.push(format!("{hex} is controlled by {:?}, expected {side}", any.control.get(hex)));
        }
    }
    for (nation, points) in &expect.points {
        if any.points.get(nation) != Some(points) {
            faults.push(format!("{nation:?} has {:?} points, expected {points}", any.points.get(nation)));
        }
    }
    for (side, (points, level)) in &expect.victory {
        let found = any.victory.iter().find(|v| v.side == *side).unwrap();
        if (found.points, found.level) != (*points, *level) {
            faults.push(format!("{side}: {} {:?}, expected {points} {level:?}", found.points, found.level));
        }
    }
    let none = Vec::new();
    let unknown = |seat: &&Seat| !views.contains_key(*seat);
    let strangers = expect.seen.keys().chain(expect.unseen.keys()).chain(expect.not_done.keys());
    faults.extend(strangers.filter(unknown).map(|seat| format!("no seat is called {seat}")));
    let silent = |seat: &&Seat| !step.orders.contains_key(*seat);
    let answered = expect.refused.keys().chain(expect.told.keys());
    faults.extend(answered.filter(silent).map(|seat| format!("{seat} ordered nothing to be answered")));
    for (seat, wanted) in &expect.seen {
        let found = sights.get(seat).unwrap_or(&none);
        for wanted in wanted.iter().filter(|wanted| !found.iter().any(|found| says(found, wanted))) {
            faults.push(format!("{seat} did not see {wanted}, but {}", Value::from(found.clone())));
        }
    }
    for (seat, unwanted) in &expect.unseen {
        let found = sights.get(seat).unwrap_or(&none);
        for unwanted in unwanted.iter().filter(|unwanted| found.iter().any(|found| says(found, unwanted))) {
            faults.push(format!("{seat} saw {unwanted}"));
        }
    }
    for (seat, stacks) in &expect.enemies {
        for (hex, wanted) in stacks {
            match views[seat].enemies.get(hex).map(|stack| serde_json::to_value(stack).unwrap()) {
                None if wanted.is_null() => {}
                Some(found) if says(&found, wanted) => {}
                found => faults.push(format!("{seat} sees {found:?} at {hex}, expected {wanted}")),
            }
        }
    }
    for (seat, pieces) in &expect.last_seen {
        let published: Value = serde_json::from_str(rules.published(&views[seat]).get()).unwrap();
        let none = Vec::new();
        let all = published.get("last_seen").map_or(&none, |all| all.as_array().unwrap());
        for (id, wanted) in pieces {
            match all.iter().find(|seen| seen["no"] == id.0) {
                None if wanted.is_null() => {}
                Some(found) if says(found, wanted) => {}
                found => faults.push(format!("{seat} remembers {found:?} of {id}, expected {wanted}")),
            }
        }
    }
    for (seat, wanted) in &expect.garrisons_met {
        let published: Value = serde_json::from_str(rules.published(&views[seat]).get()).unwrap();
        let met = published.get("garrisons_met").and_then(Value::as_array).into_iter().flatten();
        let met: Vec<Hex> = met.map(|one| one["hex"].as_str().unwrap().parse().unwrap()).collect();
        if met != *wanted {
            faults.push(format!("{seat} remembers garrisons at {met:?}, expected {wanted:?}"));
        }
    }
    for (lists, supplied) in [(&expect.supplied, true), (&expect.cut_off, false)] {
        for (seat, hexes) in lists {
            for hex in hexes.iter().filter(|hex| views[seat].supplied.contains(hex) != supplied) {
                faults.push(format!("{seat}: supply to {hex} should be {supplied}"));
            }
        }
    }
    for spec in rules.seats() {
        let seat = &spec.seat;
        let found = sights.get(seat).unwrap_or(&none).iter().filter(|sight| sight["saw"] == "not_done");
        let reasons: Vec<String> = found.map(|sight| sight["reason"].as_str().unwrap().to_owned()).collect();
        let wanted = expect.not_done.get(seat).cloned().unwrap_or_default();
        if reasons.len() != wanted.len()
            || reasons.iter().zip(&wanted).any(|(found, part)| !found.contains(part))
        {
            faults.push(format!("not done for {seat}: {reasons:?}, expected {wanted:?}"));
        }
    }
    if let Some(winner) = &expect.winner {
        let ended = sights[any_seat(rules)].iter().find(|sight| sight["saw"] == "ended");
        if ended.map(|sight| &sight["winner"]) != Some(winner) {
            faults.push(format!("the end is {ended:?}, expected winner {winner}"));
        }
    }
    faults
}

fn any_seat(rules: &Lga) -> &Seat {
    &rules.seats()[0].seat
}

fn case_files() -> Vec<(String, CaseFile)> {
    let folder = crate::common::root().join("tests/cases/lga");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.is_file()).collect();
    paths.sort();
    let read = |path: &std::path::Path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let file = serde_yaml::from_str(&fs::read_to_string(path).unwrap());
        (name.clone(), file.unwrap_or_else(|e| panic!("{name}: {e}")))
    };
    paths.iter().map(|path| read(path)).collect()
}

#[test]
fn every_case_comes_out_as_written() {
    let mut faults = Vec::new();
    let mut count = 0;
    for (name, file) in case_files() {
        for case in &file.cases {
            count += 1;
            let found = rules_of(case, None).and_then(|rules| run(case, &rules));
            let found = found.unwrap_or_else(|fault| vec![fault]);
            faults.extend(found.into_iter().map(|fault| format!("{name}, {}: {fault}", case.title)));
        }
    }
    assert!(faults.is_empty(), "of {count} cases:\n{}", faults.join("\n"));
}

#[test]
fn every_ruling_has_cases_and_the_book_names_their_files() {
    let book = crate::common::root().join("docs/rulings/lga.md");
    let book = fs::read_to_string(book).unwrap();
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, file) in case_files() {
        for ruling in file.cases.into_iter().flat_map(|case| case.rulings) {
            named.entry(ruling).or_default().insert(name.clone());
        }
    }
    let mut count = 0;
    for paragraph in book.split("\n\n") {
        let ruling = paragraph.strip_prefix("**LGA-").and_then(|text| text.split_once("**"));
        let Some((number, text)) = ruling else { continue };
        let (ruling, text) = (format!("LGA-{number}"), text.split_whitespace().collect::<Vec<_>>().join(" "));
        count += 1;
        // What takes a whole campaign to show is shown by a test.
        if let Some((_, test)) = text.rsplit_once(" Tests: ") {
            let path = crate::common::root().join(test.trim_end_matches('.'));
            assert!(fs::read_to_string(path).unwrap().contains(&ruling), "{test} does not name {ruling}");
            continue;
        }
        let (_, files) = text.rsplit_once(" Cases: ").unwrap_or_default();
        let told: BTreeSet<String> = files.trim_end_matches('.').split(", ").map(str::to_owned).collect();
        let found = named.remove(&ruling).unwrap_or_default();
        assert_eq!(told, found, "the book says that the cases of {ruling} are in {told:?}");
    }
    assert!(count >= 72, "{count} rulings were found");
    assert!(named.is_empty(), "cases name rulings that are not in the book: {named:?}");
}

/// The sections of the manual that hold rules; the others tell of screens, menus and input devices.
const SECTIONS: [&str; 27] = [
    "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.11", "2.13", "3.2", "3.3", "3.5", "3.6", "3.7", "5.1",
    "5.2", "5.3", "5.4", "5.5", "5.61", "5.62", "5.63", "5.64", "5.65", "5.66", "5.67", "5.7", "6.0",
];

#[test]
fn every_section_of_the_manual_with_rules_in_it_has_a_case() {
    let files = case_files();
    let shown = files.iter().flat_map(|(_, file)| &file.cases).flat_map(|case| &case.manual);
    let shown: BTreeSet<&str> = shown.map(String::as_str).collect();
    assert_eq!(shown, BTreeSet::from(SECTIONS));
}

/// What must not be seen would not be seen under a misspelt name either.
#[test]
fn whatever_a_case_says_is_unseen_is_seen_in_some_other() {
    let steps: Vec<Step> =
        case_files().iter().flat_map(|(_, file)| &file.cases).flat_map(Case::steps).collect();
    let names = |sights: &BTreeMap<Seat, Vec<Value>>| {
        sights.values().flatten().map(|sight| sight["saw"].to_string()).collect::<BTreeSet<_>>()
    };
    let seen: BTreeSet<String> = steps.iter().flat_map(|step| names(&step.expect.seen)).collect();
    let unseen: BTreeSet<String> = steps.iter().flat_map(|step| names(&step.expect.unseen)).collect();
    assert!(unseen.is_subset(&seen), "{:?}", unseen.difference(&seen));
}

/// The numbers of the rules with each in turn made one larger or one smaller, and the line that was changed.
fn wrong_numbers(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut wrong = Vec::new();
    for (row, line) in lines.iter().enumerate() {
        let code = line.split('#').next().unwrap();
        let digit = |i: usize| code.as_bytes().get(i).is_some_and(u8::is_ascii_digit);
        for start in (0..code.len()).filter(|&i| digit(i) && !(i > 0 && digit(i - 1))) {
            let end = (start..).find(|&i| !digit(i)).unwrap();
            let number: u32 = code[start..end].parse().unwrap();
            for other in [Some(number + 1), number.checked_sub(1)].into_iter().flatten() {
                let changed = format!("{}{other}{}", &line[..start], &line[end..]);
                let mut all = lines.clone();
                all[row] = &changed;
                wrong.push((all.join("\n"), changed.trim().to_owned()));
            }
        }
    }
    wrong
}

#[test]
fn a_wrong_number_anywhere_in_the_rules_fails_a_case() {
    let files = case_files();
    let mut cases: Vec<&Case> = files.iter().flat_map(|(_, file)| &file.cases).collect();
    let shipped = shipped("austrian-1805").unwrap();
    let mut unnoticed = Vec::new();
    for (numbers, line) in wrong_numbers(&shipped.0["ruleset.yaml"]) {
        let mut rules: BTreeMap<String, Result<Lga, String>> = BTreeMap::new();
        let mut fails = |case: &Case| {
            let kind = format!("{} {:?} {:?}", case.scenario, case.patches, case.seats);
            let rules = rules.entry(kind).or_insert_with(|| rules_of(case, Some(&numbers)));
            rules.as_ref().map_or(true, |rules| run(case, rules).map_or(true, |faults| !faults.is_empty()))
        };
        // The case that noticed a number is asked first about the next one: it is mostly of the same table.
        match cases.iter().position(|case| fails(case)) {
            Some(noticed) => cases[..=noticed].rotate_right(1),
            None => unnoticed.push(line),
        }
    }
    assert!(unnoticed.is_empty(), "no case notices:\n{}", unnoticed.join("\n"));
}

//! The rulings and tables of Death or Glory, case by case: `tests/cases/dog/*.yaml`. Each case is a battle in a few lines, with its dice
//! by label; a die that is missing or left over fails it. What takes more than a step to show goes on under `then`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use musterd_dice::{Label, Roller, Seat};
use musterd_dog::model::UnitId;
use musterd_dog::{Dog, SHIPPED, State};
use musterd_engine::files::RuleFiles;
use musterd_engine::orders::{Remark, Weight};
use musterd_engine::{Awaiting, Fold, Input, Ruleset, Scribe};
use serde::Deserialize;
use serde_json::Value;
use serde_yaml::Value as Yaml;

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
    /// Keys of the battle file that are not as usual: scale, rounds, switches.
    #[serde(default)]
    battle: BTreeMap<String, Yaml>,
    /// The rows of the field; plain ground of six by five hexes where none are given.
    #[serde(default)]
    rows: Vec<String>,
    /// Other keys of the field: fortifications, bridges, boats.
    #[serde(default)]
    field: BTreeMap<String, Yaml>,
    /// Keys of armies that are not as usual, by letter.
    #[serde(default)]
    armies: BTreeMap<char, BTreeMap<String, Yaml>>,
    /// Units of the battle file, by letter and number.
    #[serde(default)]
    units: BTreeMap<String, BTreeMap<String, Yaml>>,
    /// A fault in the battle file that is told: a part of it. Nothing is played then.
    #[serde(default)]
    fault: Option<String>,
    /// The founding, if its dice matter; else the army with the last letter acts first, and nobody is found by a die below 6.
    founding: Option<Step>,
    /// The version of the rules; the newest unless told.
    version: Option<u32>,
    /// What the GM amends before the first orders.
    #[serde(default)]
    amend: String,
    #[serde(default)]
    orders: BTreeMap<char, String>,
    /// Faces by label, in the order thrown.
    #[serde(default)]
    dice: BTreeMap<String, Vec<u32>>,
    /// The face of every other die with a label that begins so.
    #[serde(default)]
    other_dice: BTreeMap<String, u32>,
    #[serde(default)]
    expect: Expected,
    /// What the GM amends before the first step is played anew with the same orders, and what comes of it then.
    rerun: Option<Step>,
    /// The steps after the first.
    #[serde(default)]
    then: Vec<Step>,
}

/// One step: what is ordered, how the dice fall, and what comes of it.
#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
struct Step {
    amend: String,
    orders: BTreeMap<char, String>,
    dice: BTreeMap<String, Vec<u32>>,
    other_dice: BTreeMap<String, u32>,
    expect: Expected,
}

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
struct Expected {
    /// What the owner's view says of a unit, at least this; null if it is not on the field.
    units: BTreeMap<UnitId, Value>,
    /// What an army's view says of somebody else's unit, at least this; null if it sees none.
    others: BTreeMap<char, BTreeMap<UnitId, Value>>,
    /// What an army remembers of an enemy that has hidden, at least this, as published; null if nothing.
    last_seen: BTreeMap<char, BTreeMap<UnitId, Value>>,
    /// What an army's view says besides, at least this.
    view: BTreeMap<char, Value>,
    /// What an army learnt: something like each of these.
    seen: BTreeMap<char, Vec<Value>>,
    /// What an army did not learn: nothing like any of these.
    unseen: BTreeMap<char, Vec<Value>>,
    /// What an army's report says: a part for each of these.
    report: BTreeMap<char, Vec<String>>,
    /// Reasons for what was not done, in order: a part of each.
    not_done: BTreeMap<char, Vec<String>>,
    /// Why lines were refused when they were read, in order: a part of each.
    refused: BTreeMap<char, Vec<String>>,
    /// What the receipt said of orders and defaults: a part of one line for each of these.
    told: BTreeMap<char, Vec<String>>,
    /// What no line of the receipt may say.
    untold: BTreeMap<char, Vec<String>>,
    /// The warnings among the problems of the receipt, all of them: line, text and hint.
    warned: BTreeMap<char, Vec<String>>,
    /// How it ended: a part of the results.
    ended: Option<String>,
}

/// The seat of the army with this letter.
fn seat(letter: char) -> Seat {
    format!("army-{}", letter.to_ascii_lowercase()).parse().unwrap()
}

fn yaml(text: &str) -> Yaml {
    serde_yaml::from_str(text).unwrap()
}

/// A case's battle as a file.
fn battle(case: &Case) -> String {
    let mut file: BTreeMap<String, Yaml> = BTreeMap::new();
    for (key, usual) in [("id", "case"), ("title", "A case"), ("situation", "A case."), ("scale", "tactical")]
    {
        file.insert(key.to_owned(), yaml(usual));
    }
    file.extend(case.battle.clone());
    let mut field = case.field.clone();
    let rows = match case.rows.as_slice() {
        [] => vec![". . . . . .".to_owned(); 5],
        rows => rows.to_vec(),
    };
    field.insert("rows".to_owned(), serde_yaml::to_value(rows).unwrap());
    file.insert("field".to_owned(), serde_yaml::to_value(field).unwrap());
    let letters: BTreeSet<char> =
        case.units.keys().filter_map(|unit| unit.chars().next()).chain(case.armies.keys().copied()).collect();
    let army = |letter: &char| {
        let mut army: BTreeMap<String, Yaml> = BTreeMap::new();
        army.insert("seat".to_owned(), Yaml::String(seat(*letter).to_string()));
        army.insert("letter".to_owned(), Yaml::String(letter.to_string()));
        army.insert("name".to_owned(), Yaml::String(format!("Army {letter}")));
        army.insert("leadership".to_owned(), yaml("100000"));
        army.extend(case.armies.get(letter).cloned().unwrap_or_default());
        let own = case.units.iter().filter(|(unit, _)| unit.starts_with(*letter));
        let units: Vec<Yaml> = own
            .map(|(id, unit)| {
                let mut unit = unit.clone();
                unit.insert("id".to_owned(), yaml(&id[1..]));
                serde_yaml::to_value(unit).unwrap()
            })
            .collect();
        if !units.is_empty() {
            army.insert("units".to_owned(), serde_yaml::to_value(units).unwrap());
        }
        serde_yaml::to_value(army).unwrap()
    };
    let armies: Vec<Yaml> = letters.iter().map(army).collect();
    file.insert("armies".to_owned(), serde_yaml::to_value(armies).unwrap());
    serde_yaml::to_string(&file).unwrap()
}

fn rules_of(case: &Case, numbers: Option<&str>) -> Result<Dog, String> {
    let numbers = numbers.unwrap_or(SHIPPED[0].1).to_owned();
    let files = [("ruleset.yaml".to_owned(), numbers), ("scenario.yaml".to_owned(), battle(case))];
    let version = case.version.unwrap_or(Dog::RULES_VERSION);
    Dog::of_version(version, &RuleFiles(files.into()), &[]).map_err(|errors| errors.to_string())
}

/// Everything that is not as the case expects.
fn run(case: &Case, rules: &Dog) -> Vec<String> {
    let mut state = rules.found();
    let mut faults = Vec::new();
    let usual = || {
        let throws = ('A'..='Z').filter(|letter| rules.battle().lettered(*letter).is_some()).zip(1..=6);
        let dice = throws
            .map(|(letter, die)| (format!("initiative/throw/{}", letter.to_ascii_lowercase()), vec![die]));
        let mut step = Step { dice: dice.collect(), ..Step::default() };
        step.other_dice.insert("search".to_owned(), 6);
        step
    };
    let founding = case.founding.clone().unwrap_or_else(usual);
    let found = play(rules, &mut state, &founding);
    if case.founding.is_some() {
        faults.extend(found.into_iter().map(|fault| format!("founding: {fault}")));
    }
    let mut first = Step {
        amend: case.amend.clone(),
        orders: case.orders.clone(),
        dice: case.dice.clone(),
        other_dice: case.other_dice.clone(),
        expect: case.expect.clone(),
    };
    if let Some(rerun) = &case.rerun {
        let found = play(rules, &mut state.clone(), &first);
        faults.extend(found.into_iter().map(|fault| format!("before the rerun: {fault}")));
        first = Step { orders: first.orders, ..rerun.clone() };
    }
    for (number, step) in (1..).zip([&first].into_iter().chain(&case.then)) {
        let found = play(rules, &mut state, step);
        let place = if case.then.is_empty() { String::new() } else { format!("step {number}: ") };
        faults.extend(found.into_iter().map(|fault| format!("{place}{fault}")));
    }
    faults
}

/// The dice of a case, and the one of each round that counts for nothing (ruling DOG-49).
struct Veiled(Script);

impl Roller for Veiled {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        if label.as_str().contains("/none/veil/") { vec![1] } else { self.0.roll(label, count, sides) }
    }
}

/// Plays one step; everything that is not as it expects.
fn play(rules: &Dog, state: &mut State, step: &Step) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen: BTreeMap<char, Vec<<Dog as Ruleset>::Sight>> = BTreeMap::new();
    let mut sights: BTreeMap<char, Vec<Value>> = BTreeMap::new();
    let letters: Vec<char> = rules.battle().armies().iter().map(|army| army.letter).collect();
    let mut make_so = |state: &mut State, events: Vec<_>| {
        for event in events {
            for letter in &letters {
                if let Some(sight) = rules.witness(state, &event, &seat(*letter)) {
                    sights.entry(*letter).or_default().push(serde_json::to_value(&sight).unwrap());
                    seen.entry(*letter).or_default().push(sight);
                }
            }
            rules.apply(state, &event);
        }
    };
    if !step.amend.is_empty() {
        match rules.amend(state, &step.amend) {
            Ok(events) => make_so(state, events),
            Err(remark) => faults.push(format!("the amendment: {}", remark.text)),
        }
    }
    let mut input = Input { orders: BTreeMap::new() };
    for (letter, text) in &step.orders {
        let (reading, recap) = rules.read_back(&rules.view(state, &seat(*letter)), text);
        let refused: Vec<&str> =
            reading.remarks.iter().filter(|r| r.weight == Weight::Error).map(|r| r.text.as_str()).collect();
        let wanted = step.expect.refused.get(letter).cloned().unwrap_or_default();
        if refused.len() != wanted.len()
            || refused.iter().zip(&wanted).any(|(found, part)| !found.contains(part))
        {
            faults.push(format!("refused to {letter}: {refused:?}, expected {wanted:?}"));
        }
        if let Some(wanted) = step.expect.warned.get(letter) {
            let is_warning = |remark: &&Remark| matches!(remark.weight, Weight::Futile | Weight::Warning);
            let warnings = reading.remarks.iter().filter(is_warning);
            let found: Vec<String> = warnings
                .map(|it| format!("{}: {} [{}]", it.line, it.text, it.hint.as_deref().unwrap_or_default()))
                .collect();
            if found != *wanted {
                faults.push(format!("{letter} was warned {found:#?}, expected {wanted:#?}"));
            }
        }
        let mut told: Vec<String> =
            recap.orders.iter().map(|o| format!("{}: {}", o.order, o.effect)).collect();
        told.extend(recap.defaults);
        told.extend(reading.remarks.iter().map(|remark| remark.text.clone()));
        for part in step.expect.told.get(letter).into_iter().flatten() {
            if !told.iter().any(|line| line.contains(part)) {
                faults.push(format!("{letter} was told {told:#?}, expected {part:?}"));
            }
        }
        for part in step.expect.untold.get(letter).into_iter().flatten() {
            if let Some(line) = told.iter().find(|line| line.contains(part)) {
                faults.push(format!("{letter} was told {line:?}, and not to be told {part:?}"));
            }
        }
        input.orders.insert(seat(*letter), reading);
    }
    let mut dice = Veiled(Script::new(step.dice.clone(), step.other_dice.clone()));
    let mut scribe = Scribe::new(rules, state.clone(), 1, &mut dice);
    rules.step(&mut scribe, &input);
    let events = scribe.finish();
    faults.extend(dice.0.faults());
    make_so(state, events);
    faults.extend(state.faults(rules));
    compare(rules, state, &step.expect, &sights, &mut faults);
    for letter in &letters {
        // What a leader remembers is not shown to those who watch.
        let view = rules.view(state, &seat(*letter));
        let shown = format!("{:?}", rules.shown(&view, &[], &BTreeSet::new()));
        if shown.contains("Out of sight") {
            faults.push(format!("those who watch {letter} are shown what he remembers: {shown}"));
        }
    }
    for (letter, parts) in &step.expect.report {
        let report = format!("{:?}", rules.brief(&rules.view(state, &seat(*letter)), &seen[letter]));
        let lacking = parts.iter().filter(|part| !report.contains(*part));
        faults.extend(lacking.map(|part| format!("{letter}'s report lacks {part:?}: {report}")));
    }
    faults
}

/// What is not as expected after a step.
fn compare(
    rules: &Dog,
    state: &State,
    expect: &Expected,
    sights: &BTreeMap<char, Vec<Value>>,
    faults: &mut Vec<String>,
) {
    let none = Vec::new();
    let views: BTreeMap<char, Value> = rules
        .battle()
        .armies()
        .iter()
        .map(|army| (army.letter, serde_json::to_value(rules.view(state, &army.seat)).unwrap()))
        .collect();
    for (id, wanted) in &expect.units {
        let found = &views[&id.army]["own"][id.to_string()];
        if !(wanted.is_null() && found.is_null() || !wanted.is_null() && says(found, wanted)) {
            faults.push(format!("{id} is {found}, expected {wanted}"));
        }
    }
    for (letter, others) in &expect.others {
        for (id, wanted) in others {
            let found = &views[letter]["others"][id.to_string()];
            if !(wanted.is_null() && found.is_null() || !wanted.is_null() && says(found, wanted)) {
                faults.push(format!("{letter} sees {id} as {found}, expected {wanted}"));
            }
        }
    }
    for (letter, hid) in &expect.last_seen {
        let published = rules.published(&rules.view(state, &seat(*letter)));
        let published: Value = serde_json::from_str(published.get()).unwrap();
        let all = published.get("last_seen").and_then(Value::as_array).unwrap_or(&none);
        for (id, wanted) in hid {
            let found = all.iter().find(|seen| seen["unit"] == id.to_string()).unwrap_or(&Value::Null);
            if !(wanted.is_null() && found.is_null() || !wanted.is_null() && says(found, wanted)) {
                faults.push(format!("{letter} remembers {id} as {found}, expected {wanted}"));
            }
        }
    }
    for (letter, wanted) in &expect.view {
        if !says(&views[letter], wanted) {
            faults.push(format!("{letter} knows {}, expected {wanted}", views[letter]));
        }
    }
    for (letter, wanted) in &expect.seen {
        let found = sights.get(letter).unwrap_or(&none);
        for wanted in wanted.iter().filter(|wanted| !found.iter().any(|found| says(found, wanted))) {
            faults.push(format!("{letter} did not see {wanted}, but {}", Value::from(found.clone())));
        }
    }
    for (letter, unwanted) in &expect.unseen {
        let found = sights.get(letter).unwrap_or(&none);
        for unwanted in unwanted.iter().filter(|unwanted| found.iter().any(|found| says(found, unwanted))) {
            faults.push(format!("{letter} saw {unwanted}"));
        }
    }
    for army in rules.battle().armies() {
        let found =
            sights.get(&army.letter).unwrap_or(&none).iter().filter(|sight| sight["sight"] == "not_done");
        let reasons: Vec<&str> = found.map(|sight| sight["reason"].as_str().unwrap()).collect();
        let wanted = expect.not_done.get(&army.letter).unwrap_or(const { &Vec::new() });
        if reasons.len() != wanted.len()
            || reasons.iter().zip(wanted).any(|(found, part)| !found.contains(part))
        {
            faults.push(format!("not done for {}: {reasons:?}, expected {wanted:?}", army.letter));
        }
    }
    if let Some(part) = &expect.ended {
        match rules.awaiting(state) {
            Awaiting::Over { results } if results.iter().any(|line| line.contains(part)) => {}
            other => faults.push(format!("it waits for {other:?}, expected the end: {part}")),
        }
    }
}

/// The sections of the manual that hold rules, numbered as in its contents.
const SECTIONS: [&str; 12] =
    ["1", "2.1", "2.2", "2.3", "3.1", "3.2", "3.3", "4.1", "4.2", "4.3", "4.4", "4.5"];

#[test]
fn every_section_of_the_manual_with_rules_in_it_has_a_case() {
    let files = case_files();
    let shown = files.iter().flat_map(|(_, file)| &file.cases).flat_map(|case| &case.manual);
    let shown: BTreeSet<&str> = shown.map(String::as_str).collect();
    assert_eq!(shown, SECTIONS.into_iter().chain(["4.6"]).collect());
}

fn case_files() -> Vec<(String, CaseFile)> {
    let folder = crate::common::root().join("tests/cases/dog");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
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
            let found = match (rules_of(case, None), &case.fault) {
                (Ok(rules), None) => run(case, &rules),
                (Ok(_), Some(part)) => vec![format!("the battle has no fault, expected {part}")],
                (Err(errors), Some(part)) if errors.contains(part) => Vec::new(),
                (Err(errors), _) => vec![errors],
            };
            faults.extend(found.into_iter().map(|fault| format!("{name}, {}: {fault}", case.title)));
        }
    }
    assert!(faults.is_empty(), "of {count} cases:\n{}", faults.join("\n"));
}

#[test]
fn every_ruling_has_cases_and_the_book_names_their_files() {
    let book = crate::common::root().join("docs/rulings/dog.md");
    let book = fs::read_to_string(book).unwrap();
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, file) in case_files() {
        for ruling in file.cases.into_iter().flat_map(|case| case.rulings) {
            named.entry(ruling).or_default().insert(name.clone());
        }
    }
    let mut count = 0;
    for paragraph in book.split("\n\n") {
        let ruling = paragraph.strip_prefix("**DOG-").and_then(|text| text.split_once("**"));
        let Some((number, text)) = ruling else { continue };
        let (ruling, text) = (format!("DOG-{number}"), text.split_whitespace().collect::<Vec<_>>().join(" "));
        count += 1;
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
    assert!(count >= 39, "{count} rulings were found");
    assert!(named.is_empty(), "cases name rulings that are not in the book: {named:?}");
}

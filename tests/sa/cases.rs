//! The rulings of The Shattered Alliance, case by case: `tests/cases/sa/*.yaml`. Each case is a battle in a few lines, with its dice by
//! label; a die that is missing or left over fails it. What takes more than a mail turn to show goes on under `then`.
//!
//! A case begins with the first time-point of the battle, every unit being due, unless it tells of `initial` moves. Average dice are
//! written as they fall, 2 to 5, and dice of fire as -1, 0 or 1; others by their faces.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use musterd_dice::{Label, Roller, Seat};
use musterd_engine::files::RuleFiles;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Weight;
use musterd_engine::{Awaiting, Fold, Founding, Input, Ruleset, Scribe};
use musterd_sa::event::{Change, Event};
use musterd_sa::model::{Side, UnitId, Way};
use musterd_sa::{SHIPPED, Sa, State};
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
pub(crate) struct Case {
    title: String,
    #[serde(default)]
    rulings: Vec<String>,
    /// The headings of the manual that it shows.
    #[serde(default)]
    manual: Vec<String>,
    /// Options of the founding that are not as usual.
    #[serde(default)]
    options: BTreeMap<String, String>,
    /// Keys of the scenario that are not as usual: nightfall, hunt.
    #[serde(default)]
    battle: BTreeMap<String, Yaml>,
    /// The rows of the field; clear ground of ten by eight hexes where none are given.
    #[serde(default)]
    rows: Vec<String>,
    /// Keys of sides that are not as usual: home, magic, zone.
    #[serde(default)]
    sides: BTreeMap<Side, BTreeMap<String, Yaml>>,
    /// The units, each with its hex and what is not as usual: thousand men of heavy infantry with swords and shields, of class B.
    #[serde(default)]
    units: BTreeMap<UnitId, BTreeMap<String, Yaml>>,
    /// What has become of units before the case begins.
    #[serde(default)]
    now: BTreeMap<UnitId, Now>,
    /// A fault in the scenario that is told: a part of it. Nothing is played then.
    #[serde(default)]
    fault: Option<String>,
    /// The steps before the first time-point, from the founding on: without them nobody makes an initial move.
    #[serde(default)]
    initial: Vec<Step>,
    /// What the GM changes before the first orders.
    #[serde(default)]
    amend: String,
    #[serde(default)]
    orders: BTreeMap<Side, String>,
    /// Dice by label, in the order thrown.
    #[serde(default)]
    dice: BTreeMap<String, Vec<i32>>,
    #[serde(default)]
    expect: Expected,
    /// The steps after the first.
    #[serde(default)]
    then: Vec<Step>,
}

/// What has become of a unit before its case begins.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Now {
    /// Whether its last order was a move.
    moved: bool,
    /// When it acts next.
    next: Option<u16>,
    men: Option<u32>,
    /// Battles won less battles lost.
    battles: Option<i32>,
    /// Routs seen.
    routs: Option<i32>,
    routing: bool,
}

impl Now {
    /// The events by which it has become so.
    fn events(&self, unit: UnitId, at: Option<Hex>) -> Vec<Event> {
        let moved = at.filter(|_| self.moved).map(|to| Event::Moved { unit, way: Way::ALL[0], to, next: 0 });
        let changes = [
            self.next.map(|next| Change::Next(unit, next)),
            self.men.map(|men| Change::Men(unit, men)),
            self.battles.map(|battles| Change::Battles(unit, battles)),
            self.routs.map(|routs| Change::Routs(unit, routs)),
            self.routing.then_some(Change::Rout(unit, true)),
        ];
        let amended = changes.into_iter().flatten().map(|change| Event::Amended { change });
        moved.into_iter().chain(amended).collect()
    }
}

/// One step: what the GM changes, what is ordered, how the dice fall, and what comes of it.
#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
struct Step {
    amend: String,
    orders: BTreeMap<Side, String>,
    dice: BTreeMap<String, Vec<i32>>,
    expect: Expected,
}

#[derive(Deserialize, Default, Clone, PartialEq)]
#[serde(deny_unknown_fields, default)]
struct Expected {
    /// What is true of a unit then, at least this. A unit that is off the field is at null.
    units: BTreeMap<UnitId, Value>,
    /// What happened: something like each of these, in this order.
    events: Vec<Value>,
    /// What happened once and not again: something like each of these.
    once: Vec<Value>,
    /// What did not happen: nothing like any of these.
    never: Vec<Value>,
    /// The morale of the armies.
    morale: BTreeMap<Side, i32>,
    /// The spell points that are left.
    magic: BTreeMap<Side, u32>,
    /// What a side's view says besides, at least this.
    view: BTreeMap<Side, Value>,
    /// What a side learnt: something like each of these.
    seen: BTreeMap<Side, Vec<Value>>,
    /// What a side did not learn: nothing like any of these.
    unseen: BTreeMap<Side, Vec<Value>>,
    /// What a side's report says: a part for each of these.
    report: BTreeMap<Side, Vec<String>>,
    /// What a side's report doesn't say.
    unreported: BTreeMap<Side, Vec<String>>,
    /// Why lines were refused when they were read, in order: a part of each.
    refused: BTreeMap<Side, Vec<String>>,
    /// What the receipt says: a part of one line for each of these.
    told: BTreeMap<Side, Vec<String>>,
    /// What no line of the receipt says.
    untold: BTreeMap<Side, Vec<String>>,
    /// How it ended: a part of the results.
    ended: Option<String>,
}

impl Case {
    /// Whether it shows anything: a fault, or what comes of one of its steps.
    fn shows(&self) -> bool {
        let steps = self.initial.iter().chain(&self.then).map(|step| &step.expect);
        self.fault.is_some() || steps.chain([&self.expect]).any(|expect| *expect != Expected::default())
    }
}

/// The usual keys of a unit.
const UNIT: &str = "{type: HI, class: B, melee: sword, shield: true, men: 1000}";

/// The seat of a side.
fn seat(side: Side) -> Seat {
    format!("side-{}", side.letter().to_ascii_lowercase()).parse().unwrap()
}

fn yaml<T: for<'a> Deserialize<'a>>(text: &str) -> T {
    serde_yaml::from_str(text).unwrap()
}

fn value<T: serde::Serialize>(it: T) -> Yaml {
    serde_yaml::to_value(it).unwrap()
}

/// A case's scenario as a file.
fn scenario(case: &Case) -> String {
    let mut file: BTreeMap<String, Yaml> = yaml("{id: case, title: A case, situation: A case.}");
    file.extend(case.battle.clone());
    let rows = match case.rows.as_slice() {
        [] => vec![". . . . . . . . . .".to_owned(); 8],
        rows => rows.to_vec(),
    };
    let rows: Vec<String> = rows.iter().map(|row| row.replace(' ', "")).collect();
    file.insert("field".to_owned(), value(BTreeMap::from([("rows", rows)])));
    let side = |side: Side| {
        let mut line: BTreeMap<String, Yaml> = yaml(match side {
            Side::A => "{name: the Reds, home: south}",
            Side::B => "{name: the Blues, home: north}",
        });
        line.insert("seat".to_owned(), value(seat(side)));
        let mut at: BTreeMap<String, Yaml> = BTreeMap::new();
        let mut army = Vec::new();
        for (id, keys) in case.units.iter().filter(|(id, _)| id.side == side) {
            assert_eq!(usize::from(id.number), army.len() + 1, "{}: units are numbered from 1", case.title);
            let mut unit: BTreeMap<String, Yaml> = yaml(UNIT);
            unit.insert("name".to_owned(), value(format!("Unit {id}")));
            unit.insert("tribe".to_owned(), value("Northwold"));
            unit.extend(keys.clone());
            if let Some(hex) = unit.remove("at") {
                at.insert(id.number.to_string(), value([hex]));
            }
            army.push(unit);
        }
        line.insert("army".to_owned(), value(army));
        line.insert("at".to_owned(), value(at));
        line.extend(case.sides.get(&side).cloned().unwrap_or_default());
        line
    };
    file.insert("sides".to_owned(), value(Side::ALL.map(side)));
    serde_yaml::to_string(&file).unwrap()
}

fn rules_of(case: &Case) -> Result<Sa, String> {
    let charts = SHIPPED.iter().find(|(path, _)| *path == "ruleset.yaml").unwrap();
    let mut files = BTreeMap::from([
        ("ruleset.yaml".to_owned(), charts.1.to_owned()),
        ("scenario.yaml".to_owned(), scenario(case)),
    ]);
    if !case.options.is_empty() {
        let chosen = musterd_engine::founding::options_file(&case.options);
        files.insert(musterd_engine::founding::OPTIONS_FILE.to_owned(), chosen);
    }
    let files = RuleFiles(files);
    let founding = Founding::new(Sa::RULES_VERSION, Sa::OPTIONS, &files, &[]);
    founding.and_then(|founding| Sa::load(&founding)).map_err(|errors| errors.to_string())
}

/// The rules of a battle in a few lines: for tests of the law.
pub(crate) fn rules(text: &str) -> Sa {
    rules_of(&yaml(text)).unwrap()
}

/// Everything that is not as the case expects.
fn run(case: &Case, rules: &Sa) -> Vec<String> {
    let mut state = rules.found();
    let mut faults = Vec::new();
    if case.initial.is_empty() {
        let paused = Event::Paused { point: 0 };
        for event in [&Event::Began { real: None }, &paused, &paused] {
            rules.apply(&mut state, event);
        }
    }
    for (id, now) in &case.now {
        for event in now.events(*id, rules.battle().spec(*id).at) {
            rules.apply(&mut state, &event);
        }
    }
    let initial = case.initial.iter().map(|step| ("initial move", step));
    let first = Step {
        amend: case.amend.clone(),
        orders: case.orders.clone(),
        dice: case.dice.clone(),
        expect: case.expect.clone(),
    };
    let steps = [&first].into_iter().chain(&case.then).map(|step| ("battle", step));
    for (number, (part, step)) in (1..).zip(initial.chain(steps)) {
        let found = play(rules, &mut state, step);
        faults.extend(found.into_iter().map(|fault| format!("{part}, step {number}: {fault}")));
    }
    faults
}

/// The dice of a case. Several that are thrown together fall one after the other.
struct Dice(Script);

impl Dice {
    /// The dice by their faces.
    fn of(written: &BTreeMap<String, Vec<i32>>) -> Self {
        let faces = |(stem, written): (&String, &Vec<i32>)| {
            let face = |shown: &i32| match stem.split_once('/').map(|(phase, _)| phase) {
                Some("fire") => shown + 2,
                Some("melee" | "morale") => [0, 0, 1, 2, 4, 6][usize::try_from(*shown).unwrap()],
                _ => *shown,
            };
            (stem.clone(), written.iter().map(|shown| u32::try_from(face(shown)).unwrap()).collect())
        };
        Self(Script::new(written.iter().map(faces).collect(), BTreeMap::new()))
    }
}

impl Roller for Dice {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        (0..count).flat_map(|_| self.0.roll(label, 1, sides)).collect()
    }
}

/// Plays one step; everything that is not as it expects.
fn play(rules: &Sa, state: &mut State, step: &Step) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen: BTreeMap<Side, Vec<<Sa as Ruleset>::Sight>> = BTreeMap::new();
    let mut happened = Vec::new();
    let mut make_so = |state: &mut State, events: Vec<Event>| {
        for event in events {
            for side in Side::ALL {
                seen.entry(side).or_default().extend(rules.witness(state, &event, &seat(side)));
            }
            rules.apply(state, &event);
            happened.push(serde_json::to_value(event).unwrap());
        }
    };
    if !step.amend.is_empty() {
        match rules.amend(state, &step.amend) {
            Ok(events) => make_so(state, events),
            Err(remark) => faults.push(format!("the amendment: {}", remark.text)),
        }
    }
    let mut input = Input { orders: BTreeMap::new() };
    for (side, text) in &step.orders {
        let (reading, recap) = rules.read_back(&rules.view(state, &seat(*side)), text);
        let refused = reading.remarks.iter().filter(|remark| remark.weight == Weight::Error);
        let refused: Vec<&str> = refused.map(|remark| remark.text.as_str()).collect();
        let wanted = step.expect.refused.get(side).cloned().unwrap_or_default();
        let alike = |(found, part): (&&str, &String)| found.contains(part);
        if refused.len() != wanted.len() || !refused.iter().zip(&wanted).all(alike) {
            faults.push(format!("refused to {side:?}: {refused:?}, expected {wanted:?}"));
        }
        let mut told: Vec<String> =
            recap.orders.iter().map(|it| format!("{}: {}", it.order, it.effect)).collect();
        told.extend(recap.defaults);
        told.extend(recap.ahead);
        told.extend(reading.remarks.iter().map(|remark| remark.text.clone()));
        for part in step.expect.told.get(side).into_iter().flatten() {
            if !told.iter().any(|line| line.contains(part)) {
                faults.push(format!("{side:?} was told {told:#?}, expected {part:?}"));
            }
        }
        for part in step.expect.untold.get(side).into_iter().flatten() {
            if told.iter().any(|line| line.contains(part)) {
                faults.push(format!("{side:?} was told {told:#?}, and not expected {part:?}"));
            }
        }
        input.orders.insert(seat(*side), reading);
    }
    let mut dice = Dice::of(&step.dice);
    let mut scribe = Scribe::new(rules, state.clone(), 1, &mut dice);
    rules.step(&mut scribe, &input);
    let events = scribe.finish();
    faults.extend(dice.0.faults());
    make_so(state, events);
    compare(rules, state, &step.expect, &happened, &seen, &mut faults);
    faults
}

/// What is not as expected after a step.
fn compare(
    rules: &Sa,
    state: &State,
    expect: &Expected,
    happened: &[Value],
    seen: &BTreeMap<Side, Vec<<Sa as Ruleset>::Sight>>,
    faults: &mut Vec<String>,
) {
    let views = Side::ALL.map(|side| rules.view(state, &seat(side)));
    let position = &views[0].position;
    for (id, wanted) in &expect.units {
        let place = rules.battle().index(*id).unwrap_or_else(|| panic!("no unit {id}"));
        let found = serde_json::to_value(&position.units[place]).unwrap();
        if !says(&found, wanted) {
            faults.push(format!("{id} is {found}, expected {wanted}"));
        }
    }
    let mut rest = happened.iter();
    for wanted in &expect.events {
        if !rest.any(|found| says(found, wanted)) {
            let all = Value::from(happened.to_vec());
            faults.push(format!("this didn't happen, or not so late: {wanted}; but {all:#}"));
            break;
        }
    }
    for wanted in &expect.once {
        let count = happened.iter().filter(|found| says(found, wanted)).count();
        if count != 1 {
            faults.push(format!("this happened {count} times, and not once: {wanted}"));
        }
    }
    for unwanted in expect.never.iter().filter(|it| happened.iter().any(|found| says(found, it))) {
        faults.push(format!("this happened: {unwanted}"));
    }
    let armies = Side::ALL.map(|side| (side, position.morale[side.index()]));
    let found: BTreeMap<Side, i32> =
        armies.into_iter().filter(|(side, _)| expect.morale.contains_key(side)).collect();
    if found != expect.morale {
        faults.push(format!("army morale is {found:?}, expected {:?}", expect.morale));
    }
    for (side, wanted) in &expect.magic {
        let found = position.magic[side.index()];
        if found != *wanted {
            faults.push(format!("{side:?} has {found} spell points, expected {wanted}"));
        }
    }
    for (side, wanted) in &expect.view {
        let found = serde_json::to_value(&views[side.index()]).unwrap();
        if !says(&found, wanted) {
            faults.push(format!("{side:?} knows {found}, expected {wanted}"));
        }
    }
    let sights = |side: &Side| -> Vec<Value> {
        seen.get(side).into_iter().flatten().map(|sight| serde_json::to_value(sight).unwrap()).collect()
    };
    for (side, wanted) in &expect.seen {
        let found = sights(side);
        let lacking = wanted.iter().filter(|wanted| !found.iter().any(|found| says(found, wanted)));
        faults.extend(lacking.map(|wanted| format!("{side:?} did not see {wanted}, but {found:?}")));
    }
    for (side, unwanted) in &expect.unseen {
        let found = sights(side);
        let odd = unwanted.iter().filter(|it| found.iter().any(|found| says(found, it)));
        faults.extend(odd.map(|it| format!("{side:?} saw {it}")));
    }
    for (side, parts) in &expect.report {
        let report = format!("{:?}", rules.brief(&views[side.index()], &seen[side]));
        let lacking = parts.iter().filter(|part| !report.contains(*part));
        faults.extend(lacking.map(|part| format!("{side:?}'s report lacks {part:?}: {report}")));
    }
    for (side, parts) in &expect.unreported {
        let report = format!("{:?}", rules.brief(&views[side.index()], &seen[side]));
        let odd = parts.iter().filter(|part| report.contains(*part));
        faults.extend(odd.map(|part| format!("{side:?}'s report says {part:?}: {report}")));
    }
    match (&expect.ended, rules.awaiting(state)) {
        (None, _) => {}
        (Some(part), Awaiting::Over { results }) if results.iter().any(|line| line.contains(part)) => {}
        (Some(part), other) => faults.push(format!("it waits for {other:?}, expected the end: {part}")),
    }
}

fn case_files() -> Vec<(String, CaseFile)> {
    let folder = crate::common::root().join("tests/cases/sa");
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
            assert!(case.shows(), "{name}, {}: it expects nothing", case.title);
            let found = match (rules_of(case), &case.fault) {
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

/// The headings of the manual that hold rules.
const HEADINGS: [&str; 19] = [
    "Army Morale",
    "Army Victory",
    "Casualty Calculation Chart",
    "Command Card",
    "Defensive Fire",
    "Fire Combat Factor Chart",
    "Frequency",
    "Guide to Weapon Types",
    "Line of Sight",
    "Melee Random Factor Chart",
    "Melee Tactical Factor Chart",
    "Morale Table",
    "Movement Cost Chart",
    "Player Introduction Card",
    "Racial Bonuses",
    "Rout Moves",
    "Training Class Chart",
    "Unit Morale Factors",
    "Unit Victory",
];

#[test]
fn every_heading_of_the_manual_with_rules_under_it_has_a_case() {
    let files = case_files();
    let shown = files.iter().flat_map(|(_, file)| &file.cases).flat_map(|case| &case.manual);
    let shown: BTreeSet<&str> = shown.map(String::as_str).collect();
    assert_eq!(shown, HEADINGS.into_iter().collect());
}

#[test]
fn every_ruling_has_cases_and_the_book_names_their_files() {
    let book = crate::common::root().join("docs/rulings/sa.md");
    let book = fs::read_to_string(book).unwrap();
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, file) in case_files() {
        for ruling in file.cases.into_iter().flat_map(|case| case.rulings) {
            named.entry(ruling).or_default().insert(name.clone());
        }
    }
    let mut numbers = BTreeSet::new();
    for paragraph in book.split("\n\n") {
        let ruling = paragraph.strip_prefix("**SA-").and_then(|text| text.split_once("**"));
        let Some((number, text)) = ruling else { continue };
        let (ruling, text) = (format!("SA-{number}"), text.split_whitespace().collect::<Vec<_>>().join(" "));
        let mark = text.trim_start_matches('*').split([',', '.']).next().unwrap_or_default();
        assert!(["Manual", "Found", "Known", "Proposed"].contains(&mark), "{ruling} has no mark");
        assert!(numbers.insert(number.parse::<u32>().unwrap()), "{ruling} stands twice in the book");
        let (text, test) =
            text.rsplit_once(" Tests: ").map_or((text.as_str(), None), |(text, test)| (text, Some(test)));
        if let Some(test) = test {
            let path = crate::common::root().join(test.trim_end_matches('.'));
            let text = fs::read_to_string(path).unwrap();
            let names =
                text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(|word| word == ruling);
            assert!(names, "{test} does not name {ruling}");
        }
        let files = text.rsplit_once(" Cases: ").map_or("", |(_, files)| files);
        let files = files.trim_end_matches('.').split(", ").filter(|file| !file.is_empty());
        let told: BTreeSet<String> = files.map(str::to_owned).collect();
        let found = named.remove(&ruling).unwrap_or_default();
        assert_eq!(told, found, "the book says that the cases of {ruling} are in {told:?}");
        assert!(test.is_some() || !found.is_empty(), "nothing shows {ruling}");
    }
    let last = numbers.last().copied().unwrap_or_default();
    assert!(numbers.iter().copied().eq(1..=last), "the book has no other rulings than {numbers:?}");
    assert!(named.is_empty(), "cases name rulings that are not in the book: {named:?}");
}

//! Recorded games: each is adjudicated again by the version of the rules that it was founded with, to the same byte, and each set of orders and each
//! amendment in it is answered in the same words. A change that these tests notice wants a new version of the rules, or is a better answer: then
//! `record_answers_anew` writes the answers, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use musterd::desk::Game;
use musterd::desk::campaign::Campaign;
use musterd::dice::{Block, Seat, Seed, Stream};
use musterd::engine::Awaiting;
use musterd::engine::journal::{Cause, Entry, Verdict};
use musterd::engine::orders::{Recap, Remark};
use musterd::engine::terms::Terms;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::contract::secrets;
use super::replay::replay;
use super::support::{NOON, charter};

/// What a game is recorded from. What is recorded once stays as it is: another game gets another name.
struct Recipe {
    name: &'static str,
    scenario: &'static str,
    /// The version of the rules.
    version: u32,
    /// The seats, where sides are shared; none for the scenario's own.
    seats: &'static [&'static str],
    seed: u8,
    turns: u32,
    /// Of a hundred lines of a computer player's, so many are left out or garbled.
    garbled: u64,
    /// So many lines of each set are of other kinds.
    others: usize,
    /// Options that were chosen.
    options: &'static [(&'static str, &'static str)],
}

const fn recipe(name: &'static str, scenario: &'static str, seed: u8, turns: u32) -> Recipe {
    Recipe { name, scenario, version: 1, seats: &[], seed, turns, garbled: 15, others: 30, options: &[] }
}

const SHARED: &[&str] = &["french", "allied.austria-britain", "allied.russia"];

const RECIPES: [Recipe; 52] = [
    recipe("lga-01", "lga/austrian-1805", 1, 12),
    recipe("lga-02", "lga/austrian-1805", 2, 12),
    Recipe { seats: SHARED, ..recipe("lga-03", "lga/austrian-1805", 3, 12) },
    Recipe { garbled: 0, others: 4, ..recipe("lga-04", "lga/austrian-1805", 4, 12) },
    recipe("lga-05", "lga/danube-1809", 5, 12),
    Recipe { garbled: 0, others: 4, ..recipe("lga-06", "lga/danube-1809", 6, 12) },
    recipe("lga-07", "lga/nations-1814", 7, 8),
    Recipe { garbled: 0, others: 4, ..recipe("lga-08", "lga/nations-1814", 8, 8) },
    recipe("lga-09", "lga/russian-1812", 9, 8),
    Recipe { garbled: 0, others: 4, ..recipe("lga-10", "lga/russian-1812", 10, 8) },
    recipe("lga-11", "lga/waterloo-1815", 11, 8),
    Recipe { garbled: 0, others: 4, ..recipe("lga-12", "lga/waterloo-1815", 12, 8) },
    recipe("lga-13", "lga/spanish-1808", 13, 10),
    Recipe { garbled: 0, others: 4, ..recipe("lga-14", "lga/spanish-1808", 14, 10) },
    recipe("lga-15", "lga/prussian-1806", 15, 10),
    recipe("dog-01", "dog/training", 21, 20),
    Recipe { garbled: 0, others: 5, ..recipe("dog-02", "dog/training", 22, 20) },
    recipe("dog-03", "dog/millers-ford", 23, 12),
    Recipe { garbled: 0, others: 5, ..recipe("dog-04", "dog/millers-ford", 24, 12) },
    recipe("dog-05", "dog/reed-causeway", 25, 12),
    recipe("dog-06", "dog/frost-saddle", 26, 12),
    recipe("dog-07", "dog/three-banners", 27, 12),
    Recipe { garbled: 0, others: 5, ..recipe("dog-08", "dog/three-banners", 28, 12) },
    recipe("dog-09", "dog/daerquwa", 29, 12),
    recipe("dog-10", "dog/ashland-wells", 30, 12),
    Recipe { garbled: 0, others: 5, ..recipe("dog-11", "dog/ashland-wells", 31, 12) },
    recipe("dog-12", "dog/six-at-the-bridge", 32, 12),
    recipe("dog-13", "dog/doru-siege", 33, 12),
    Recipe { version: 2, ..recipe("dog-14", "dog/reed-causeway", 34, 12) },
    Recipe { version: 2, ..recipe("dog-15", "dog/ashland-wells", 35, 12) },
    Recipe { garbled: 0, others: 2, ..recipe("dog-16", "dog/training", 36, 20) },
    Recipe { others: 15, ..recipe("sa-01", "sa/mill", 41, 16) },
    Recipe { garbled: 0, others: 2, ..recipe("sa-02", "sa/mill", 42, 16) },
    Recipe { others: 15, ..recipe("sa-03", "sa/kingdoms", 43, 16) },
    Recipe { garbled: 0, others: 2, ..recipe("sa-04", "sa/ormolu", 44, 16) },
    Recipe { others: 10, ..recipe("sa-05", "sa/ormolu", 45, 16) },
    Recipe { garbled: 0, others: 2, ..recipe("sa-06", "sa/manzikert", 46, 16) },
    Recipe { others: 10, ..recipe("sa-07", "sa/beasts", 47, 16) },
    Recipe { garbled: 5, others: 4, ..recipe("sa-08", "sa/issus", 48, 16) },
    Recipe { garbled: 0, others: 0, ..recipe("sa-09", "sa/mill", 49, 16) },
    Recipe { others: 15, ..recipe("acw-01", "acw/kellys-mill", 61, 12) },
    Recipe { garbled: 0, others: 2, ..recipe("acw-02", "acw/bull-run", 62, 20) },
    Recipe { garbled: 5, others: 6, options: &[("block", "3")], ..recipe("acw-03", "acw/bull-run", 63, 8) },
    Recipe { garbled: 0, others: 0, ..recipe("acw-04", "acw/shiloh", 64, 24) },
    Recipe {
        garbled: 5,
        others: 6,
        options: &[("command", "corps")],
        ..recipe("acw-05", "acw/shiloh", 65, 12)
    },
    Recipe {
        garbled: 0,
        others: 1,
        options: &[("despatches", "on")],
        ..recipe("acw-06", "acw/antietam", 66, 16)
    },
    Recipe {
        garbled: 0,
        others: 1,
        options: &[("radio", "on"), ("exposed", "on")],
        ..recipe("acw-07", "acw/chancellorsville", 67, 16)
    },
    Recipe { garbled: 0, others: 0, ..recipe("acw-08", "acw/second-manassas", 68, 40) },
    Recipe { garbled: 0, others: 0, ..recipe("acw-09", "acw/kellys-mill", 69, 12) },
    Recipe {
        garbled: 0,
        others: 16,
        options: &[("command", "corps")],
        ..recipe("acw-10", "acw/shiloh", 70, 20)
    },
    Recipe {
        garbled: 0,
        others: 16,
        options: &[("command", "corps"), ("exposed", "on")],
        ..recipe("acw-11", "acw/antietam", 71, 15)
    },
    Recipe { garbled: 0, others: 20, ..recipe("acw-12", "acw/kellys-mill", 72, 12) },
];

/// A battle of its own, and what the GM amends and the leaders order in it, window by window: `tests/corpus/NAME.yaml`.
#[derive(Default, Deserialize)]
struct Script {
    battle: Option<String>,
    rounds: Vec<BTreeMap<String, String>>,
}

impl Script {
    fn of(name: &str) -> Self {
        let file = format!("{}/tests/corpus/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        fs::read_to_string(file).map_or_else(|_| Self::default(), |text| serde_yaml::from_str(&text).unwrap())
    }
}

/// What somebody was answered, after so many entries of the journal.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Answer {
    /// A seat's orders.
    Orders { after: usize, seat: Seat, block: String, recap: Recap, remarks: Vec<Remark> },
    /// An amendment that the rules refused.
    Refused { after: usize, text: String, remark: Remark },
}

fn path(name: &str, what: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/corpus/{name}.{what}.gz"))
}

pub(crate) fn kept<T: for<'de> Deserialize<'de>>(name: &str, what: &str) -> Vec<T> {
    let unpacked = Command::new("gzip").arg("-dc").arg(path(name, what)).output().unwrap();
    assert!(unpacked.status.success(), "{name}.{what}: {}", String::from_utf8_lossy(&unpacked.stderr));
    let text = String::from_utf8(unpacked.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn keep<T: Serialize>(name: &str, what: &str, all: &[T]) {
    let lines = all.iter().map(|one| serde_json::to_string(one).unwrap() + "\n").collect::<String>();
    let plain = path(name, what).with_extension("");
    fs::write(&plain, lines).unwrap();
    assert!(Command::new("gzip").args(["-9", "-n", "-f"]).arg(&plain).status().unwrap().success());
}

/// What is answered to the orders in a journal.
fn answered(entries: &[Entry]) -> Vec<Answer> {
    let (first, rest) = entries.split_at(1);
    let mut campaign = Campaign::fold(&musterd::rulesets::desk(), first).unwrap();
    let mut answers = Vec::new();
    for (after, entry) in (1..).zip(rest) {
        if let Cause::Received(mail) = &entry.cause
            && let (Some(seat), Verdict::Accepted { block, .. }) = (&mail.seat, &mail.verdict)
        {
            let (recap, remarks) = campaign.game().read(seat, block);
            let block = block.as_str().to_owned();
            answers.push(Answer::Orders { after, seat: seat.clone(), block, recap, remarks });
        }
        campaign.apply(entry).unwrap();
    }
    answers
}

#[test]
fn every_recorded_game_is_adjudicated_and_answered_as_it_was() {
    let desk = musterd::rulesets::desk();
    for Recipe { name, version, .. } in RECIPES {
        let entries: Vec<Entry> = kept(name, "journal");
        let Cause::Founded { charter, .. } = &entries[0].cause else { panic!("{name}: no founding") };
        assert_eq!(charter.rules_version, version, "{name}");
        replay(&desk, &entries, &secrets());
        let (orders, refused): (Vec<Answer>, Vec<Answer>) =
            kept(name, "answers").into_iter().partition(|answer| matches!(answer, Answer::Orders { .. }));
        let again = answered(&entries);
        assert_eq!(orders.len(), again.len(), "{name}: sets of orders");
        for (was, is) in orders.iter().zip(&again) {
            assert_eq!(was, is, "{name}");
        }
        for answer in refused {
            let Answer::Refused { after, text, remark } = answer else { continue };
            let campaign = Campaign::fold(&desk, &entries[..after]).unwrap();
            let again = campaign.game().amending(&text).unwrap_err();
            assert_eq!((after, remark), (after, again), "{name}: {text}");
        }
    }
}

/// The names of the variants of a ruleset's events, as the journal has them.
fn kinds(source: &str) -> BTreeSet<String> {
    let (_, events) = source.split_once("pub enum Event {").unwrap();
    let (events, _) = events.split_once("\n}").unwrap();
    let variants = events.lines().filter_map(|line| line.strip_prefix("    "));
    let names = variants.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    let name = |line: &str| line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap().to_owned();
    names.map(name).map(|name| snake(&name)).collect()
}

fn snake(name: &str) -> String {
    let mut text = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && at > 0 {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

#[test]
fn every_kind_of_event_is_in_the_recorded_games() {
    for (ruleset, source) in [
        ("lga", include_str!("../../src/rules/lga/event.rs")),
        ("dog", include_str!("../../src/rules/dog/event.rs")),
        ("sa", include_str!("../../src/rules/sa/event.rs")),
        ("acw", include_str!("../../src/rules/acw/event.rs")),
    ] {
        let mut lacking = kinds(source);
        assert!(lacking.len() > 20, "{lacking:?}");
        for Recipe { name, .. } in RECIPES.iter().filter(|recipe| recipe.name.starts_with(ruleset)) {
            for entry in kept::<Entry>(name, "journal") {
                let events = match &entry.cause {
                    Cause::Adjudicated { events, .. } => events,
                    Cause::Amended(amendment) => &amendment.events,
                    _ => continue,
                };
                for event in events {
                    lacking.remove(kind(event));
                }
            }
        }
        assert_eq!(lacking, BTreeSet::new(), "{ruleset}: no recorded game has these");
    }
}

/// The kind of an event in a journal.
fn kind(event: &Value) -> &str {
    event["event"]
        .as_str()
        .or_else(|| event.as_str())
        .unwrap_or_else(|| event.as_object().unwrap().keys().next().unwrap())
}

/// Chances of a recording.
struct Chance(Stream);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0.die(u32::try_from(most).unwrap()) as usize - 1
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    fn happens(&mut self, of_hundred: u64) -> bool {
        self.below(100) < usize::try_from(of_hundred).unwrap()
    }
}

/// Words that somebody at this seat may write.
struct Words {
    numbers: Vec<String>,
    ids: Vec<String>,
    hexes: Vec<String>,
    others: Vec<String>,
}

impl Words {
    fn of(game: &dyn Game, seat: &Seat, lines: &[String]) -> Self {
        let view: Value = serde_json::from_str(game.published(seat).get()).unwrap();
        let mut found = Self { numbers: Vec::new(), ids: Vec::new(), hexes: Vec::new(), others: Vec::new() };
        found.look(&view);
        for word in lines.iter().flat_map(|line| line.split_whitespace()) {
            found.take(word.trim_matches(','));
        }
        found.numbers.extend((1..=40).map(|n| n.to_string()));
        found.hexes.extend(["0101", "0505", "9999"].map(str::to_owned));
        found.ids.push("Z9".to_owned());
        found.others.extend(["Vienna", "Nowhere", "the French"].map(str::to_owned));
        found
    }

    fn look(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.take(text),
            Value::Array(all) => all.iter().for_each(|value| self.look(value)),
            Value::Object(all) => all.iter().for_each(|(key, value)| {
                self.take(key);
                self.look(value);
            }),
            _ => {}
        }
    }

    fn take(&mut self, word: &str) {
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        let is_id = word.len() < 4
            && word.starts_with(|c: char| c.is_ascii_uppercase())
            && word[1..].bytes().all(|b| b.is_ascii_digit());
        match () {
            () if word.is_empty() || word.len() > 30 || !word.is_ascii() => {}
            () if digits && word.len() == 4 => self.hexes.push(word.to_owned()),
            () if digits => self.numbers.push(word.to_owned()),
            () if is_id && word.len() > 1 => self.ids.push(word.to_owned()),
            () => self.others.push(word.to_owned()),
        }
    }

    /// A line of this kind.
    fn fill(&self, kind: &str, chance: &mut Chance) -> String {
        let mut line = String::new();
        let mut rest = kind;
        while let Some((before, behind)) = rest.split_once('{') {
            let (slot, behind) = behind.split_once('}').unwrap();
            let number = chance.below(9).to_string();
            let word = match slot {
                "own" if !self.ids.is_empty() && chance.happens(30) => chance.one(&self.ids),
                "own" => chance.one(&self.numbers),
                "foe" => chance.one(&self.ids),
                "hex" => chance.one(&self.hexes),
                "dir" => &chance.one(&["E", "W", "NE", "NW", "SE", "SW"]).to_string(),
                "n" => &number,
                _ => chance.one(&self.others),
            };
            line = line + before + word;
            rest = behind;
        }
        line + rest
    }
}

/// A line with a slip in it.
fn garbled(line: &str, chance: &mut Chance) -> String {
    let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() {
        return String::new();
    }
    let at = chance.below(words.len());
    let letter = chance.below(words[at].len());
    match chance.below(7) {
        0 => drop(words.remove(at)),
        1 => words.insert(at, words[at].clone()),
        2 => words.swap(at, 0),
        3 if words[at].is_ascii() => drop(words[at].remove(letter)),
        4 if words[at].is_ascii() => words[at].insert(letter, 'e'),
        5 => words[at] = words[at].to_lowercase(),
        _ => words.push("now".to_owned()),
    }
    words.join(" ")
}

/// A set of orders: a computer player's, with slips, and lines of all kinds among them.
fn block(game: &dyn Game, seat: &Seat, recipe: &Recipe, kinds: &[String], chance: &mut Chance) -> Block {
    let levels = game.levels();
    let level = if chance.happens(50) { levels.iter().last() } else { levels.iter().next() };
    let level = level.unwrap().name;
    let own = game.play(seat, level, chance.below(1000) as u64);
    let own: Vec<String> = own.lines().map(str::to_owned).collect();
    let words = Words::of(game, seat, &own);
    let mut lines = Vec::new();
    for line in own {
        match (chance.happens(recipe.garbled), chance.happens(50)) {
            (true, true) if !line.trim().is_empty() => lines.push(garbled(&line, chance)),
            (true, _) => {}
            (false, _) => lines.push(line),
        }
    }
    for _ in 0..recipe.others {
        let line = words.fill(chance.one::<String>(kinds), chance);
        let line = if chance.happens(25) { garbled(&line, chance) } else { line };
        let at = chance.below(lines.len() + 1);
        lines.insert(at, line);
    }
    Block::canonical(&lines.join("\n"))
}

/// The lines of all texts below a key of this name.
fn lines_under(value: &serde_yaml::Value, key: &str, parted: char, found: &mut Vec<String>) {
    match value {
        serde_yaml::Value::Sequence(all) => {
            all.iter().for_each(|value| lines_under(value, key, parted, found));
        }
        serde_yaml::Value::Mapping(all) => {
            for (name, value) in all {
                match (name.as_str() == Some(key), value) {
                    (true, serde_yaml::Value::String(text)) => {
                        found.extend(text.split(parted).map(str::to_owned));
                    }
                    (true, serde_yaml::Value::Mapping(texts)) => {
                        let texts = texts.values().filter_map(serde_yaml::Value::as_str);
                        found.extend(texts.flat_map(|text| text.split(parted).map(str::to_owned)));
                    }
                    _ => lines_under(value, key, parted, found),
                }
            }
        }
        _ => {}
    }
}

/// What a GM may try.
const AMENDMENTS: [&str; 34] = [
    "UNIT {own} MORALE {n}",
    "UNIT {own} FATIGUE {n}",
    "UNIT {own} MOVES {n}",
    "UNIT {own} AT {hex}",
    "UNIT {own} TOP",
    "UNIT {own} POOL",
    "UNIT {own} GARRISON YES",
    "UNIT {own} SUPPLIED NO",
    "UNIT {own} RALLIED YES",
    "POINTS French {n}",
    "VICTORY French {n}",
    "CONTROL {hex} French",
    "UNIT {foe} FIGHTERS {n}",
    "UNIT {foe} SHOTS {n}",
    "UNIT {foe} AT {hex}",
    "UNIT {foe} HIDDEN YES",
    "UNIT {foe} HIDDEN NO",
    "UNIT {foe} FREE",
    "REMOVE {foe}",
    "GROUND {hex} forest",
    "BRIDGE {hex} YES",
    "BOAT {hex} YES",
    "LEADERSHIP A {n}",
    "LOOT {foe} {n}",
    "RULE {foe} HOLDS",
    "ADD {foe} {n} light infantry AT {hex}",
    "BRIGADE {foe} MEN 90{n}",
    "BRIGADE {foe} GUNS {n}",
    "BRIGADE {foe} COHESION {n}",
    "BRIGADE {foe} OFF",
    "HQ {foe} STAFF {n}",
    "MOVE {foe} TO {hex}",
    "HEX {hex} CONTROL A",
    "POINTS A {n}",
];

fn record(recipe: &Recipe) {
    let desk = musterd::rulesets::desk();
    let mut founding = desk.founding(recipe.scenario).unwrap();
    let Script { battle, rounds } = Script::of(recipe.name);
    if let Some(battle) = battle {
        founding.files.0.insert("scenario.yaml".to_owned(), battle);
    }
    let options = recipe.options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    founding.choose(&options.collect()).unwrap();
    let mut rounds = rounds.into_iter();
    let seats: Vec<Seat> = recipe.seats.iter().map(|seat| seat.parse().unwrap()).collect();
    let table = desk.open((&founding.ruleset, recipe.version), &founding.files, &seats).unwrap();
    founding.rules_version = recipe.version;
    let ruleset = founding.ruleset.clone();
    let seats = table.seats().iter().map(|spec| spec.seat.clone()).collect::<Vec<_>>();
    let charter = charter(founding, seats, Terms::usual());
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    let kinds = fs::read_to_string(root.join(format!("corpus/{ruleset}.lines"))).unwrap();
    let kinds: Vec<String> = kinds.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    // What cases order and amend, in other positions than theirs.
    let (mut cases, mut amendments) = (Vec::new(), AMENDMENTS.map(str::to_owned).to_vec());
    // A ruleset whose cases are code has none of these.
    for file in fs::read_dir(root.join("cases").join(&ruleset)).into_iter().flatten() {
        let file = file.unwrap().path();
        if !file.is_file() {
            continue;
        }
        let text = fs::read_to_string(file).unwrap();
        lines_under(&serde_yaml::from_str(&text).unwrap(), "orders", '\n', &mut cases);
        lines_under(&serde_yaml::from_str(&text).unwrap(), "amend", ';', &mut amendments);
    }
    cases.sort();
    // The morale of an army is left alone: without it a battle is over.
    amendments.retain(|text| !text.trim().is_empty() && !text.starts_with("MORALE"));
    amendments.sort();
    // Half of the lines are of each source.
    let most = if cases.is_empty() { kinds.len() } else { cases.len() };
    let kinds = kinds.into_iter().cycle().take(most).chain(cases);
    let kinds: Vec<String> = kinds.filter(|line| !line.trim().is_empty()).collect();
    let chance = &mut Chance(Stream::new(&Seed::unrelated([recipe.seed; 32]), &"recorded".parse().unwrap()));
    let secrets = secrets();
    let mut entries = vec![Entry { at: NOON, cause: Campaign::founding(charter, &secrets) }];
    let mut refused = Vec::new();
    let mut campaign = Campaign::fold(&desk, &entries).unwrap();
    let add = |campaign: &mut Campaign, entries: &mut Vec<Entry>, cause| {
        let entry = Entry { at: NOON, cause };
        campaign.apply(&entry).unwrap();
        entries.push(entry);
    };
    while campaign.results().is_none() {
        let opening = campaign.opening(&secrets, Some(NOON + 3600)).unwrap();
        add(&mut campaign, &mut entries, opening);
        if campaign.results().is_some() || campaign.next_t() > recipe.turns {
            break;
        }
        if let Awaiting::Orders { must, may, .. } = campaign.game().awaiting().clone() {
            let round = rounds.next().unwrap_or_default();
            if let Some(text) = round.get("gm") {
                let cause = campaign.amending(&secrets, text, "as agreed").unwrap();
                add(&mut campaign, &mut entries, cause.unwrap_or_else(|why| panic!("{text}: {}", why.text)));
            }
            let words = Words::of(campaign.game(), &must[0], &[]);
            for _ in 0..chance.below(8) {
                let text = words.fill(chance.one::<String>(&amendments), chance);
                match campaign.amending(&secrets, &text, "as agreed").unwrap() {
                    Ok(cause) => add(&mut campaign, &mut entries, cause),
                    Err(remark) => refused.push(Answer::Refused { after: entries.len(), text, remark }),
                }
            }
            for seat in must.into_iter().chain(may) {
                let block = match round.get(seat.as_str()) {
                    Some(text) => Block::canonical(text),
                    None => block(campaign.game(), &seat, recipe, &kinds, chance),
                };
                let cause = campaign.acceptance(&secrets, &seat, block, "mail", NOON).unwrap();
                add(&mut campaign, &mut entries, cause);
            }
        }
        for step in [Campaign::closing, Campaign::adjudication] {
            let cause = step(&campaign, &secrets).unwrap();
            add(&mut campaign, &mut entries, cause);
        }
    }
    keep(recipe.name, "journal", &entries);
    let answers: Vec<Answer> = answered(&entries).into_iter().chain(refused).collect();
    keep(recipe.name, "answers", &answers);
}

/// For answers that are better than they were: the journals, and what the GM tried, stay as they are.
#[test]
#[ignore = "not a test: records answers to keep"]
fn record_answers_anew() {
    let desk = musterd::rulesets::desk();
    for Recipe { name, .. } in RECIPES {
        let entries: Vec<Entry> = kept(name, "journal");
        let refused = kept::<Answer>(name, "answers").into_iter().filter_map(|answer| match answer {
            Answer::Refused { after, text, .. } => {
                let campaign = Campaign::fold(&desk, &entries[..after]).unwrap();
                let remark = campaign.game().amending(&text).unwrap_err();
                Some(Answer::Refused { after, text, remark })
            }
            Answer::Orders { .. } => None,
        });
        let answers: Vec<Answer> = answered(&entries).into_iter().chain(refused).collect();
        keep(name, "answers", &answers);
    }
}

#[test]
#[ignore = "not a test: records games to keep"]
fn record_games_to_keep() {
    for recipe in RECIPES.iter().filter(|recipe| !path(recipe.name, "journal").exists()) {
        record(recipe);
    }
}

//! Journals of earlier versions: each must fold to the digest that was recorded with it, for ever. Those whose secrets are the tests' own are
//! adjudicated again too: where one comes out otherwise, the results of rules have changed, which wants a new `RULES_VERSION`.

use std::collections::BTreeMap;
use std::path::Path;

use musterd::desk::campaign::Campaign;
use musterd::dice::{Block, Seat};
use musterd::engine::Awaiting;
use musterd::engine::journal::{Cause, Entry};
use musterd::engine::terms::Terms;
use serde::Deserialize;

use super::contract::secrets;
use super::replay::replay;
use super::support::{NOON, charter};

#[test]
fn every_old_journal_folds_to_its_digest() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vintage");
    let digests = std::fs::read_to_string(root.join("digests")).unwrap();
    let (mut folded, mut replayed) = (0, 0);
    for line in digests.lines().filter(|line| !line.starts_with('#')) {
        let (digest, path) = line.split_once("  ").expect("a digest, two spaces, a path from tests/");
        let text = std::fs::read_to_string(root.join("..").join(path)).unwrap();
        let entries: Vec<Entry> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let campaign = Campaign::fold(&musterd::rulesets::desk(), &entries).unwrap();
        assert_eq!(campaign.game().digest().to_string(), digest, "{path}");
        folded += 1;
        let Cause::Founded { anchor, .. } = &entries[0].cause else { panic!("{path}: no founding") };
        if *anchor == secrets().anchor() {
            assert_eq!(
                replay(&musterd::rulesets::desk(), &entries, &secrets()).digest.to_string(),
                digest,
                "{path}"
            );
            replayed += 1;
        }
    }
    assert!(folded > replayed && replayed > 0, "{folded} old journals, of which {replayed} are played again");
}

/// What a kept battle is made of: its file, and what the GM amends and the leaders order, round by round.
#[derive(Deserialize)]
struct Script {
    battle: String,
    rounds: Vec<BTreeMap<String, String>>,
}

/// Plays the battle that is kept, with today's rules. What is kept stays as it was: another vintage has another name.
#[test]
#[ignore = "not a test: makes a journal to keep"]
fn play_a_battle_to_keep() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vintage");
    let path = root.join("dog-ford.jsonl");
    assert!(!path.exists(), "{} is kept as it is", path.display());
    let script = std::fs::read_to_string(root.join("dog-ford.yaml")).unwrap();
    let script: Script = serde_yaml::from_str(&script).unwrap();
    let desk = musterd::rulesets::desk();
    let mut founding = desk.founding("dog/training").unwrap();
    founding.files.0.insert("scenario.yaml".to_owned(), script.battle);
    let seats: [Seat; 2] = ["red", "blue"].map(|seat| seat.parse().unwrap());
    founding.scenario = "dog/ford".to_owned();
    let charter = charter(founding, seats, Terms::usual());
    let secrets = secrets();
    let mut entries = vec![Entry { at: NOON, cause: Campaign::founding(charter, &secrets) }];
    let mut campaign = Campaign::fold(&desk, &entries).unwrap();
    let mut add = |campaign: &mut Campaign, cause| {
        let entry = Entry { at: NOON, cause };
        campaign.apply(&entry).unwrap();
        entries.push(entry);
    };
    let mut rounds = script.rounds.into_iter();
    while campaign.results().is_none() {
        let opening = campaign.opening(&secrets, Some(NOON + 3600)).unwrap();
        add(&mut campaign, opening);
        if campaign.results().is_some() {
            break;
        }
        if let Awaiting::Orders { must, .. } = campaign.game().awaiting().clone() {
            let round = rounds.next().unwrap_or_default();
            if let Some(text) = round.get("gm") {
                let amended = campaign.amending(&secrets, text, "as agreed").unwrap();
                add(&mut campaign, amended.unwrap_or_else(|remark| panic!("{}", remark.text)));
            }
            for (n, seat) in (0..).zip(must) {
                let computer = || campaign.game().play(&seat, "planner", n);
                let text = round.get(seat.as_str()).cloned().unwrap_or_else(computer);
                let cause =
                    campaign.acceptance(&secrets, &seat, Block::canonical(&text), "mail", NOON).unwrap();
                add(&mut campaign, cause);
            }
        }
        for step in [Campaign::closing, Campaign::adjudication] {
            let cause = step(&campaign, &secrets).unwrap();
            add(&mut campaign, cause);
        }
    }
    let amended = campaign.amending(&secrets, "LEADERSHIP B 300; LOOT R 9", "as agreed").unwrap().unwrap();
    add(&mut campaign, amended);
    let digest = campaign.game().digest();
    let lines: Vec<String> =
        entries.iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
    std::fs::write(path, lines.concat()).unwrap();
    println!("for tests/vintage/digests:\n{digest}  vintage/dog-ford.jsonl");
}

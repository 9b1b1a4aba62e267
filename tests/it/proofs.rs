//! The proofs that come with a dispatch: a seat's own dice, and nothing of the others'.

use std::collections::BTreeSet;

use musterd::daemon::Request;
use musterd::desk::campaign::Campaign;
use musterd::dice::audit::{Proofs, Proved, examine_proofs};
use musterd::dice::{Secret, SecretChain, Witness};
use musterd::engine::journal::{Cause, Entry};
use musterd::engine::terms::Terms;
use serde_json::{Value, json};

use super::contract::{LgaSpecimen, SharedSpecimen, played};
use super::reveal::numbered;
use super::support::*;

/// A toy game whose sides have got their purses by dice of their own.
pub(crate) fn begun() -> (Camp, String) {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { proofs: true, ..Terms::default() });
    let proofs = files(&camp, "red")["alpha-t1-red-proofs.json"].clone();
    (camp, proofs)
}

fn labels(proved: &Proved) -> Vec<&str> {
    proved.rolls.iter().map(|roll| roll.label.as_str()).collect()
}

#[test]
fn a_player_sees_that_the_dice_told_are_the_committed_ones_and_nobody_elses() {
    let (camp, proofs) = begun();
    let proved = examine_proofs(&proofs, &numbered(&camp, "red"), None).unwrap();
    assert_eq!(proved.findings, []);
    assert_eq!(labels(&proved), ["1/ridge/purse/red/0"]);
    let dispatch = camp.newest("red", "dispatch").body.unwrap().text;
    let dispatch = Witness::all_in(&dispatch).last().unwrap();
    assert_eq!(
        proved.head,
        (dispatch.index, dispatch.head),
        "the head at the end of the dispatch stands on it"
    );
    assert!(proved.witnesses > 0 && !proved.thrown);
    let umpire = files(&camp, "umpire")["alpha-t1-umpire-proofs.json"].clone();
    let umpire = examine_proofs(&umpire, &[], None).unwrap();
    assert_eq!(
        labels(&umpire),
        ["1/ridge/purse/blue/0", "1/ridge/purse/red/0"],
        "who may see all is shown all"
    );
    // Nothing that would let a player guess the others' dice and compare.
    let secrets = camp.secrets();
    assert!(!proofs.contains(&secrets.secret(1).unwrap().reveal().to_string()));
    let others = proofs.replace("told 1 blue ", "");
    assert!(!others.contains("blue"), "but that something was told: {proofs}");
}

#[test]
fn the_proof_of_a_turn_that_ran_again_begins_with_its_amendment() {
    let (camp, _) = begun();
    let mut host = camp.open();
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "dispatch", &format!("bid-{seat}"), &block("BID 1\r\nREADY")));
    }
    settle(&mut host);
    let text = "RERUN 2 AMEND PURSE red 9 BECAUSE of a slip".to_owned();
    host.execute(Request::Gm { game: game(), text, yes: true }).unwrap();
    settle(&mut host);
    let is_of_rerun = |text: &String| {
        serde_json::from_str::<Value>(text).is_ok_and(|file| file["entries"][0]["kind"] == "gm")
    };
    let again = files(&camp, "red").into_values().find(is_of_rerun).unwrap();
    assert_eq!(examine_proofs(&again, &numbered(&camp, "red"), None).unwrap().findings, []);
}

#[test]
fn with_the_secrets_of_an_escrow_the_dice_are_thrown_again() {
    let (camp, proofs) = begun();
    let escrow = SecretChain::from_escrow(&camp.secrets().to_escrow().unwrap()).unwrap();
    let proved = examine_proofs(&proofs, &[], Some(&escrow)).unwrap();
    assert!(proved.thrown && proved.findings.is_empty(), "{:?}", proved.findings);
    // Of other secrets one in six gives the same face, but not twenty in a row.
    let with = |number: u8| {
        let other = SecretChain::new(&game(), Secret::new([number; 32]), 100);
        let proved = examine_proofs(&proofs, &[], Some(&other)).unwrap();
        proved.findings.iter().map(|finding| finding.fault.code()).collect::<Vec<_>>()
    };
    assert!((1..20).any(|number| with(number) == ["wrong-die"]));
}

const OTHER: &str = "1111111111111111111111111111111111111111111111111111111111111111";

#[test]
fn whatever_is_changed_in_a_proof_is_found() {
    let (camp, proofs) = begun();
    let honest: Value = serde_json::from_str(&proofs).unwrap();
    let shown = honest["rolls"].as_array().unwrap().iter().position(Value::is_object).unwrap();
    type Forge<'a> = &'a dyn Fn(&mut Value);
    let cases: &[(&str, &str, Forge<'_>)] = &[
        ("a better die", "other-rolls", &|f| {
            let face = f["rolls"][shown]["roll"][3][0].as_u64().unwrap();
            f["rolls"][shown]["roll"][3][0] = json!(face % 6 + 1);
        }),
        ("another blind", "other-rolls", &|f| f["rolls"][shown]["blind"] = json!(OTHER)),
        ("another tree beside it", "other-rolls", &|f| f["rolls"][1 - shown] = json!(OTHER)),
        ("the parts changed about", "other-rolls", &|f| f["rolls"].as_array_mut().unwrap().reverse()),
        ("another turn's label", "foreign-label", &|f| {
            f["rolls"][shown]["roll"][0] = json!("9/ridge/purse/red/0");
        }),
        ("a die of no sides", "impossible-roll", &|f| f["rolls"][shown]["roll"][2] = json!(0)),
        ("another root in the log", "wrong-hash", &|f| {
            let place =
                f["entries"].as_array().unwrap().iter().position(|line| line["kind"] == "rolls").unwrap();
            f["entries"][place]["body"] = json!(format!("1 {OTHER} {OTHER}"));
        }),
        ("a log made anew", "other-log", &|f| f["before"] = json!(OTHER)),
        ("no commitment", "count", &|f| f["entries"] = json!([])),
        ("a second commitment", "count", &|f| {
            let entries = f["entries"].as_array_mut().unwrap();
            entries.push(json!({"kind": "rolls", "body": format!("1 {OTHER} {OTHER}"), "hash": OTHER}));
        }),
        ("a rerun that no amendment precedes", "out-of-place", &|f| {
            let entries = f["entries"].as_array_mut().unwrap();
            entries.push(json!({"kind": "rerun", "body": format!("1 1 {OTHER} {OTHER}"), "hash": OTHER}));
        }),
        ("no close", "out-of-place", &|f| _ = f["entries"].as_array_mut().unwrap().remove(0)),
        ("more in an entry than it has", "malformed", &|f| {
            let body = format!("{} more", f["entries"][0]["body"].as_str().unwrap());
            f["entries"][0]["body"] = json!(body);
        }),
    ];
    for (what, code, forge) in cases {
        let mut forged = honest.clone();
        forge(&mut forged);
        let proved = examine_proofs(&forged.to_string(), &numbered(&camp, "red"), None).unwrap();
        let codes: Vec<&str> = proved.findings.iter().map(|finding| finding.fault.code()).collect();
        assert!(codes.contains(code), "{what}: {codes:?}");
    }
    for no_proofs in ["", "{}", "{\"protocol\": \"pbemdice/1\"}", &"[".repeat(100_000)] {
        assert!(examine_proofs(no_proofs, &[], None).is_err());
    }
    // A name that stands twice is read as programs like: no two need to see the same proofs.
    let twice = format!("{},\"more\":1,\"more\":2}}", proofs.trim_end().trim_end_matches('}'));
    let twice_refused = examine_proofs(&twice, &[], None);
    assert!(twice_refused.is_err(), "{twice_refused:?}");
}

#[test]
fn the_proof_of_a_turn_is_the_same_however_late_it_is_asked_for() {
    let (camp, proofs) = begun();
    let mut host = camp.open();
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 2")));
    settle(&mut host);
    camp.post(camp.answer("red", "dispatch", "r", "REPORT"));
    settle(&mut host);
    assert_eq!(
        files(&camp, "red")["alpha-t1-red-proofs.json"],
        proofs,
        "and says nothing of what others sent since"
    );
}

/// What the rolls that a seat is shown are for: its own units, and those that fight with them.
#[test]
fn every_dispatch_of_a_campaign_proves_the_seats_own_dice_alone() {
    let desk = desk();
    let mut shown = BTreeSet::new();
    for steps in [2, 3, 4] {
        for entries in [played::<LgaSpecimen>(1, steps), played::<SharedSpecimen>(2, steps)] {
            let campaign = Campaign::fold(&desk, &entries).unwrap();
            let secrets = SecretChain::new(&game(), Secret::new([7; 32]), 100);
            let leaves = campaign.leaves_of_rolls(&secrets);
            let all = rolls_of(&entries);
            for spec in campaign.game().seats() {
                let proofs: Proofs = campaign.proofs(&secrets, &leaves, &spec.seat).unwrap();
                let text = serde_json::to_string(&proofs).unwrap();
                let proved = examine_proofs(&text, &[campaign.witness().unwrap()], Some(&secrets)).unwrap();
                assert!(proved.findings.is_empty() && proved.thrown, "{:?}", proved.findings);
                for roll in &proved.rolls {
                    let [_, phase, _, subject, _] = roll.label.as_str().split('/').collect::<Vec<_>>()[..]
                    else {
                        panic!("{}", roll.label);
                    };
                    shown.insert((spec.side.clone(), phase.to_owned(), subject.to_owned()));
                }
                assert!(proved.rolls.len() <= all);
            }
        }
    }
    // Only a fight is shown to both sides.
    let of = |side: &str| -> BTreeSet<(&str, &str)> {
        let own = shown.iter().filter(|(other, ..)| other == side);
        own.map(|(_, phase, subject)| (phase.as_str(), subject.as_str())).collect()
    };
    let sides: BTreeSet<&str> = shown.iter().map(|(side, ..)| side.as_str()).collect();
    assert_eq!(sides.len(), 2);
    let mut sides = sides.into_iter();
    let (one, two) = (of(sides.next().unwrap()), of(sides.next().unwrap()));
    let both: BTreeSet<&str> = one.intersection(&two).map(|(phase, _)| *phase).collect();
    assert!(both.iter().all(|phase| *phase == "combat"), "{both:?}");
    assert!(
        one.iter().any(|(phase, _)| *phase == "muster") && two.iter().any(|(phase, _)| *phase == "muster")
    );
}

/// How many rolls the last adjudication made.
fn rolls_of(entries: &[Entry]) -> usize {
    let last = entries.iter().rev().find_map(|entry| match &entry.cause {
        Cause::Adjudicated { rolls, .. } => Some(rolls.len()),
        _ => None,
    });
    last.unwrap()
}

#[test]
fn a_game_can_do_without() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { proofs: false, ..Terms::usual() });
    assert!(files(&camp, "red").keys().all(|name| !name.contains("proofs")));
}

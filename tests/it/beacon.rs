//! Games whose dice wait for a public beacon: closed and told of before its round, run by its value and by nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use musterd::audit::Contradiction;
use musterd::daemon::config;
use musterd::daemon::{Host, NewGame, Reply, Request};
use musterd::desk::audit::audit_file;
use musterd::desk::campaign::Campaign;
use musterd::dice::audit::BeaconProof;
use musterd::dice::{Beacon, BeaconPolicy, BeaconValue, ChainLines, Digest, Level, Witness};
use musterd::engine::journal::{Cause, Entry};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::fault::{self, Plan};
use serde_json::{Value, json};

use super::audit::{
    Forgery, as_arguments, both_find, change_body, codes, examined, independent, lines_of, place_of, rechain,
    rolled,
};
#[cfg(feature = "games")]
use super::browser::finds_nothing_wrong;
use super::replay::replay;
use super::sim::{Chance, cut_short_at_any_call, work};
use super::support::*;
use super::toy::seat;
use super::verify::{asked, the_case, unwrapped};
use crate::common::soak;

/// A beacon of which no key is known, so that the tests can be it.
const POLICY: &str = "test-beacon:1692803367:3:3600";
/// The beacon that signs what it publishes.
const QUICKNET: &str = "drand-quicknet:1692803367:3:3600";
/// What it published in round 1000.
const ROUND_1000: &str =
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

fn policy() -> BeaconPolicy {
    POLICY.parse().unwrap()
}

/// What the beacon publishes in a round, in hex digits.
fn value(round: u64) -> String {
    Digest::of(format!("the world in round {round}").as_bytes()).to_string()
}

fn publish(camp: &Camp, round: u64) {
    fs::write(camp.path().join(format!("beacons/test-beacon.{round}")), value(round)).unwrap();
}

/// A data directory with a source of beacons.
fn camp_with(beacon: &str) -> Camp {
    let camp = Camp::new();
    let path = camp.path().join(config::FILE);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, format!("{text}beacon: {beacon}\n")).unwrap();
    fs::create_dir(camp.path().join("beacons")).unwrap();
    camp
}

pub(crate) fn camp() -> Camp {
    camp_with("{kind: files, path: beacons}")
}

fn new(umpire: &str, terms: Terms) -> NewGame {
    let umpire = if umpire.is_empty() { player("umpire") } else { umpire.to_owned() };
    NewGame {
        templates: std::collections::BTreeMap::new(),
        scenario: "toy/ridge".to_owned(),
        id: game(),
        seats: [("red", player("red")), ("blue", player("blue")), ("umpire", umpire)]
            .map(|(name, who)| (seat(name), who))
            .into(),
        gm: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: false,
        press: PressPolicy::All,
        terms,
        witnesses: Vec::new(),
        beacon: Some(policy()),
        missing: None,
        options: std::collections::BTreeMap::new(),
    }
}

/// A game in which both sides have joined; the founding is closed.
fn gathered(camp: &Camp, host: &mut Host, umpire: &str, terms: Terms) {
    host.execute(Request::found(new(umpire, terms))).unwrap();
    settle(host);
    joined(camp, host, if umpire.is_empty() { &["red", "blue", "umpire"] } else { &["red", "blue"] });
}

fn joined(camp: &Camp, host: &mut Host, seats: &[&str]) {
    for seat in seats {
        let text = format!("JOIN\r\nsalt: dice of {seat}");
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), &text));
    }
    settle(host);
}

fn campaign(host: &mut Host) -> Campaign {
    Campaign::fold(&desk(), &journal(host)).unwrap()
}

/// The round that is waited for, and its time.
fn awaited(host: &mut Host) -> (u64, i64) {
    let awaited = campaign(host).awaited().unwrap();
    (awaited.round, awaited.due)
}

/// Lets the round come that is waited for.
fn shine(camp: &Camp, host: &mut Host) {
    let (round, due) = awaited(host);
    camp.clock.set(due);
    publish(camp, round);
    settle(host);
}

fn orders(camp: &Camp, host: &mut Host, seat: &str, id: &str, lines: &str) {
    camp.post(camp.answer(seat, "dispatch", id, &block(lines)));
    settle(host);
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn notes(entries: &[Entry]) -> Vec<String> {
    let note = |entry: &Entry| match &entry.cause {
        Cause::Noted { text } => Some(text.clone()),
        _ => None,
    };
    entries.iter().filter_map(note).collect()
}

/// A game of two people and a computer, played to its end by the beacon; and the heads that a player was shown.
pub(crate) fn played(camp: &Camp) -> (Value, Vec<ChainLines>) {
    let mut host = camp.open();
    gathered(camp, &mut host, "computer", Terms::default());
    shine(camp, &mut host);
    for round in 1..=3 {
        orders(
            camp,
            &mut host,
            "red",
            &format!("r{round}"),
            &format!("salt: spring {round}\r\nBID 2\r\nREADY"),
        );
        match round {
            2 => camp.wait(24 * HOUR),
            _ => camp.post(camp.answer("blue", "dispatch", &format!("b{round}"), &block("BID 1\r\nREADY"))),
        }
        settle(&mut host);
        // The two bids, and the umpire's ruling, which nobody has to be waited for.
        while campaign(&mut host).awaited().is_some() {
            shine(camp, &mut host);
        }
    }
    let entries = journal(&mut host);
    assert!(campaign(&mut host).results().is_some(), "the game is over");
    replay(&desk(), &entries, &camp.secrets());
    let mails = camp.mails(&player("red"));
    let heads = mails
        .iter()
        .flat_map(|mail| ChainLines::all_in(&mail.body.as_ref().unwrap().text).collect::<Vec<_>>());
    (serde_json::to_value(audit_file(&entries, &camp.secrets(), u32::MAX)).unwrap(), heads.collect())
}

/// What the mails say of closes and of the beacon is read, and held against the log.
#[test]
fn the_round_is_counted_from_the_close_of_a_turn_that_waited_for_a_mail() {
    let camp = camp();
    let mut host = camp.open();
    gathered(&camp, &mut host, "computer", Terms { recall: Some(15), ..Terms::default() });
    shine(&camp, &mut host);
    let ready = camp.clock.now();
    for seat in ["red", "blue"] {
        orders(&camp, &mut host, seat, &format!("ready-{seat}"), "BID 2\r\nREADY");
    }
    assert_eq!(campaign(&mut host).awaited(), None);
    // The host is late by a minute, and the close is later than what the wait was for.
    camp.clock.set(ready + 16 * 60);
    settle(&mut host);
    let closed = u64::try_from(ready + 16 * 60).unwrap();
    assert_eq!(awaited(&mut host).0, policy().round(closed));
    shine(&camp, &mut host);
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn an_audit_holds_what_mails_say_of_the_beacon_against_the_log() {
    let camp = camp();
    let (file, _) = played(&camp);
    let dir = tempfile::tempdir().unwrap();
    let keep = |name: &str, text: String| {
        fs::write(dir.path().join(name), text).unwrap();
        dir.path().join(name)
    };
    let path = keep("alpha.json", file.to_string());
    let mails = camp.path().join("mail").join(player("red"));
    let honest = asked(&[&path, &mails], false, None);
    assert_eq!(the_case(&honest).contradictions, []);
    let value = file["turns"][1]["beacon"].as_str().unwrap().rsplit_once('/').unwrap().1;
    let raw: Vec<String> =
        raw_mails(&mails).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap()).collect();
    // Of a turn that waits the notice alone names the leaves.
    let notices: Vec<&String> = raw.iter().filter(|mail| mail.contains("is closed")).collect();
    let notice = keep("notice.eml", notices[0].clone());
    assert_eq!(the_case(&asked(&[&notice], false, None)).closes, 1);
    let forged = raw.iter().find(|mail| mail.contains(value)).unwrap().replace(value, &"1".repeat(64));
    let forged = asked(&[&path, &keep("forged.eml", forged)], false, None);
    let other = |c: &Contradiction| matches!(c, Contradiction::TwoBeacons { t: 2, .. });
    assert!(the_case(&forged).contradictions.iter().any(other), "{forged:?}");
}

#[test]
fn a_turn_is_closed_and_told_of_before_the_round_that_its_dice_wait_for() {
    let camp = camp();
    let mut host = camp.open();
    gathered(&camp, &mut host, "", Terms::default());
    let (round, due) = awaited(&mut host);
    assert_eq!(round, policy().round(u64::try_from(NOON).unwrap()));
    assert!((NOON + HOUR..NOON + HOUR + 6).contains(&due));
    for seat in ["red", "blue", "umpire"] {
        let notice = camp.newest(seat, "notice");
        assert_eq!(notice.subject, "[alpha] turn 1 is closed");
        let text = notice.body.unwrap().text;
        assert!(words(&text).contains(&format!("test-beacon, round {round}")), "{text}");
        let Cause::Closed { leaves, root, .. } =
            journal(&mut host).into_iter().find(|e| matches!(e.cause, Cause::Closed { .. })).unwrap().cause
        else {
            panic!()
        };
        for hash in leaves.values().chain([&root]) {
            assert!(text.contains(&hash.to_string()), "{text}");
        }
        assert!(Witness::all_in(&text).next().is_some());
    }
    // A value that is there before its time is not looked at, and a later one's neither.
    publish(&camp, round);
    camp.clock.set(due - 1);
    settle(&mut host);
    assert_eq!((awaited(&mut host).0, camp.count("red", "dispatch")), (round, 0));
    camp.clock.set(due);
    settle(&mut host);
    let dispatch = camp.newest("red", "dispatch").body.unwrap().text;
    let hash = BeaconValue::published(value(round).as_bytes()).unwrap().of_round(&policy().name, round);
    assert!(words(&dispatch).contains("The dice of t 1 have level L3"), "{dispatch}");
    assert!(dispatch.contains(&format!("{} beacon", hash.value)), "{dispatch}");
    assert_eq!(campaign(&mut host).last().unwrap().assurance.level, Level::L3);
    assert!(camp.newest("red", "invitation").body.unwrap().text.contains(POLICY));
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn the_round_is_counted_from_the_close_even_where_the_deadline_was_long_before() {
    let camp = camp();
    let mut host = camp.open();
    gathered(&camp, &mut host, "", Terms { grace: 12 * 60, ..Terms::default() });
    shine(&camp, &mut host);
    orders(&camp, &mut host, "red", "red", "BID 2");
    camp.wait(40 * HOUR);
    settle(&mut host);
    let (_, due) = awaited(&mut host);
    assert!((HOUR..HOUR + 6).contains(&(due - camp.clock.now())), "an hour from now");
    shine(&camp, &mut host);
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn nothing_of_a_closed_turn_can_be_changed() {
    let camp = camp();
    let mut host = camp.open();
    gathered(&camp, &mut host, "", Terms::default());
    shine(&camp, &mut host);
    for seat in ["red", "blue"] {
        orders(&camp, &mut host, seat, seat, &format!("salt: of {seat}\r\nBID 2\r\nREADY"));
    }
    let before = journal(&mut host);
    for command in [
        "PROCESS 2",
        "EXTEND 2 2d",
        "DEADLINE 2 2026-12-24 12:00",
        "AMEND 2 PURSE red 5",
        "DRAFT 2 WITH AMEND PURSE red 5",
        "ROLLBACK 1",
        "RERUN 1 WITH AMEND PURSE red 5",
    ] {
        let request = Request::Gm { game: game(), text: command.to_owned(), yes: true };
        let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
        let said = answers[0].paragraphs.join(" ");
        assert!(
            said.contains("Turn 2 is closed, and what its dice are bound to can't change"),
            "{command}: {said}"
        );
    }
    assert!(host.execute(Request::Resolve { game: game(), turn: "2".to_owned() }).is_err());
    assert_eq!(journal(&mut host), before);
    // Too late, and told so; the log has no open turn that a mail could be for.
    camp.post(camp.answer("red", "dispatch", "late", &block("BID 5\r\nREADY")));
    camp.post(camp.answer(
        "blue",
        "dispatch",
        "asks",
        "STATUS\r\nWITHDRAW ORDERS\r\nEXTEND 24h\r\nREPORT\r\nHISTORY\r\n",
    ));
    camp.post(camp.answer("blue", "dispatch", "letter", "PRESS TO RED\r\nWell?\r\nEND PRESS\r\n"));
    settle(&mut host);
    let refusal = words(&camp.newest("red", "refusal").body.unwrap().text);
    assert!(
        refusal.contains("It came too late") && refusal.contains("the dice wait for the public beacon"),
        "{refusal}"
    );
    let answers: Vec<String> =
        camp.mails(&player("blue")).into_iter().map(|mail| words(&mail.body.unwrap().text)).collect();
    let said = answers.join("\n");
    for part in [
        "of the beacon test-beacon",
        "the orders were closed on",
        "No deadline is set",
        "report-1.txt",
        "history.txt",
        "no turn is open until the dice of the last one have fallen",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let notes = notes(&journal(&mut host));
    for (part, count) in [("mail after the close: red ", 1), ("mail after the close: blue ", 1)] {
        assert_eq!(notes.iter().filter(|note| note.starts_with(part)).count(), count, "{notes:?}");
    }
    let Reply::Status { games } = host.execute(Request::Status { game: Some(game()) }).unwrap() else {
        panic!()
    };
    assert!(games[0].waits_for.contains("for the dice of turn 2, which is closed"), "{}", games[0].waits_for);
    shine(&camp, &mut host);
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn a_value_that_doesnt_come_is_told_of_once_and_waited_for() {
    let camp = camp();
    let mut host = camp.open();
    gathered(&camp, &mut host, "", Terms::default());
    let (round, due) = awaited(&mut host);
    publish(&camp, round + 1);
    let subjects = |camp: &Camp, to: &str| {
        let mails = camp.mails(to).into_iter().filter(|mail| mail.subject.contains("beacon"));
        mails.count()
    };
    for minutes in [0, 1, 59, 60, 61, 600, 6000] {
        camp.clock.set(due + minutes * 60);
        settle(&mut host);
        assert_eq!(awaited(&mut host).0, round);
        assert!(host.next_due().unwrap().unwrap() > camp.clock.now(), "it isn't asked for all the time");
        let told = usize::from(minutes >= 60);
        assert_eq!((subjects(&camp, &player("red")), subjects(&camp, GM)), (told, told), "{minutes}");
    }
    // Part of a value is none.
    fs::write(camp.path().join(format!("beacons/test-beacon.{round}")), &value(round)[..21]).unwrap();
    settle(&mut host);
    assert_eq!(awaited(&mut host).0, round);
    publish(&camp, round);
    camp.wait(15);
    settle(&mut host);
    assert_eq!(campaign(&mut host).window().unwrap().t, 2);
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn a_turn_by_the_beacon_can_wait_for_approval_and_run_again() {
    let camp = camp();
    let mut host = camp.open();
    gathered(&camp, &mut host, "", Terms { approval: Some(60), ..Terms::default() });
    shine(&camp, &mut host);
    assert!(campaign(&mut host).draft().is_some_and(|draft| draft.beacon.is_some()));
    let gm = |host: &mut Host, text: &str| {
        let request = Request::Gm { game: game(), text: text.to_owned(), yes: true };
        let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
        answers.into_iter().flat_map(|answer| answer.paragraphs).collect::<Vec<_>>().join(" ")
    };
    gm(&mut host, "APPROVE 1");
    settle(&mut host);
    for seat in ["red", "blue"] {
        orders(&camp, &mut host, seat, seat, &format!("salt: of {seat}\r\nBID 2\r\nREADY"));
    }
    // What the GM says now is for the dispatches of this turn.
    gm(&mut host, "NARRATE 2: It rains.");
    shine(&camp, &mut host);
    let entries = journal(&mut host);
    let said = gm(&mut host, "RERUN 2 WITH AMEND PURSE red 5");
    assert_ne!(journal(&mut host), entries, "{said}");
    gm(&mut host, "APPROVE 2");
    settle(&mut host);
    assert!(camp.newest("red", "dispatch").body.unwrap().text.contains("It rains."));
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn values_may_come_from_a_command() {
    let script = format!("test $1 = test-beacon && test $2 -gt 34152000 && echo {}", value(0));
    let camp = camp_with(&format!("{{kind: command, run: [/bin/sh, -c, '{script}', sh]}}"));
    let mut host = camp.open();
    gathered(&camp, &mut host, "", Terms::default());
    let (round, due) = awaited(&mut host);
    camp.clock.set(due);
    // The command may need longer than the host waits for it.
    for _ in 0..20 {
        if campaign(&mut host).awaited().is_none() {
            break;
        }
        camp.wait(15);
        settle(&mut host);
    }
    let shone = journal(&mut host).into_iter().find_map(|entry| match entry.cause {
        Cause::Beacon { beacon, value, .. } => Some((beacon, value)),
        _ => None,
    });
    let given = BeaconValue::published(value(0).as_bytes()).unwrap();
    assert_eq!(
        shone.unwrap(),
        (given.of_round(&policy().name, round), Some(given)),
        "the journal keeps the value"
    );
}

#[test]
fn a_game_that_could_never_run_or_whose_close_would_come_late_is_not_founded() {
    let bare = Camp::new();
    let why = bare.open().execute(Request::found(new("", Terms::default()))).unwrap_err();
    assert!(why.to_string().contains("musterd.yaml") && why.exit() == 2, "{why}");
    let camp = camp();
    let beacon = Some("test-beacon:1692803367:3:60".parse().unwrap());
    let why =
        camp.open().execute(Request::found(NewGame { beacon, ..new("", Terms::default()) })).unwrap_err();
    assert!(why.to_string().contains("300 seconds") && why.exit() == 2, "{why}");
}

#[test]
fn close_and_run_cut_short_at_any_call_end_as_if_they_had_not_been() {
    let camp = camp();
    {
        let mut host = camp.open();
        gathered(&camp, &mut host, "", Terms::default());
        shine(&camp, &mut host);
    }
    camp.post(camp.answer("red", "dispatch", "r", &block("BID 2\r\nsalt: red\r\nREADY")));
    camp.post(camp.answer("blue", "dispatch", "b", &block("BID 1\r\nREADY")));
    // Two receipts, and three notices of the close.
    cut_short_at_any_call(&camp, 5);
    work(&camp, None).unwrap();
    let (round, due) = awaited(&mut camp.open());
    camp.clock.set(due);
    publish(&camp, round);
    cut_short_at_any_call(&camp, 3);
}

/// Plays a game with a beacon that is some seconds late at times, while the host dies now and then.
fn simulated(seed: u64) -> Vec<Entry> {
    // Shown if it fails; the same seed is the same game.
    eprintln!("seed {seed}");
    let camp = camp();
    gathered(&camp, &mut camp.open(), "computer", Terms::default());
    let mut chance = Chance(seed);
    for step in 0..2000 {
        let (waits, over, t) = {
            let mut host = camp.open();
            let campaign = campaign(&mut host);
            (campaign.awaited(), campaign.results().is_some(), campaign.window().map(|window| window.t))
        };
        if over {
            let entries = journal(&mut camp.open());
            replay(&desk(), &entries, &camp.secrets());
            return entries;
        }
        match (waits, t) {
            (Some(awaited), _) => {
                camp.clock.set(camp.clock.now().max(awaited.due) + 1);
                if step % 3 == 0 {
                    publish(&camp, awaited.round);
                }
            }
            (None, Some(t)) => {
                for seat in ["red", "blue"] {
                    if camp.count(seat, "dispatch") > 0 {
                        let id = format!("{seat}-{t}");
                        let lines = format!("BID {}\r\nsalt: {seat} {t}\r\nREADY", 1 + t % 3);
                        camp.post(camp.answer(seat, "dispatch", &id, &block(&lines)));
                    }
                }
            }
            (None, None) => {}
        }
        loop {
            let n = if seed > 0 && chance.below(3) > 0 { 1 + chance.below(60) } else { u64::MAX };
            let armed = fault::arm(Plan::crash_at(n));
            let outcome = work(&camp, None);
            let died = armed.passed().len() as u64 >= n;
            drop(armed);
            if !died {
                outcome.unwrap();
                break;
            }
        }
    }
    panic!("the game goes on for ever")
}

#[test]
fn however_often_the_host_dies_a_game_with_a_beacon_comes_out_the_same() {
    let undisturbed = simulated(0);
    for seed in soak::seeds(1..3) {
        assert_eq!(simulated(seed), undisturbed);
    }
}

const FORGERIES: &[Forgery] = &[
    ("a beacon left out", "wrong-beacon", |f| f["turns"][1]["beacon"] = Value::Null),
    ("the beacon of the next round", "wrong-beacon", |f| {
        let beacon: Beacon = f["turns"][1]["beacon"].as_str().unwrap().parse().unwrap();
        f["turns"][1]["beacon"] = json!(Beacon { round: beacon.round + 1, ..beacon }.to_string());
    }),
    ("another beacon", "wrong-beacon", |f| {
        let beacon: Beacon = f["turns"][1]["beacon"].as_str().unwrap().parse().unwrap();
        f["turns"][1]["beacon"] = json!(Beacon { name: "nist".parse().unwrap(), ..beacon }.to_string());
    }),
    ("a round spelled otherwise", "wrong-beacon", |f| {
        let beacon = f["turns"][1]["beacon"].as_str().unwrap().replacen('/', "/0", 1);
        f["turns"][1]["beacon"] = json!(beacon);
    }),
    ("another value", "wrong-die", |f| {
        let turn = rolled(f);
        let beacon: Beacon = turn["beacon"].as_str().unwrap().parse().unwrap();
        turn["beacon"] = json!(Beacon { value: Digest::of(b"a better one"), ..beacon }.to_string());
    }),
    ("a raw value with another hash", "wrong-beacon-value", |f| {
        f["turns"][1]["beacon_value"] = json!(value(1));
    }),
    ("a raw value in capitals", "wrong-beacon-value", |f| {
        let shown = f["turns"][1]["beacon_value"].as_str().unwrap().to_uppercase();
        f["turns"][1]["beacon_value"] = json!(shown);
    }),
    ("a raw value of half a byte more", "wrong-beacon-value", |f| {
        let shown = format!("{}0", f["turns"][1]["beacon_value"].as_str().unwrap());
        f["turns"][1]["beacon_value"] = json!(shown);
    }),
    ("a raw value that is no text", "malformed", |f| f["turns"][1]["beacon_value"] = json!(7)),
    ("a raw value left out", "beacon-value-missing", |f| {
        _ = f["turns"][1].as_object_mut().unwrap().remove("beacon_value");
    }),
    ("a deadline after the close", "out-of-place", |f| {
        let at = place_of(f, "close", "2 ");
        let mut line = f["log"][place_of(f, "deadline", "2 ")].clone();
        line["body"] = json!("2 1795400000");
        lines_of(f).insert(at + 1, line);
        rechain(f);
    }),
    ("another deadline before the close", "wrong-beacon", |f| {
        change_body(f, "deadline", "1 ", |_| "1 1795262460".to_owned());
        rechain(f);
    }),
    ("a policy without a beacon", "wrong-beacon", |f| {
        change_body(f, "game", "", |body| body.replace(POLICY, "-"));
        rechain(f);
    }),
];

#[test]
fn both_verifiers_accept_a_game_with_a_beacon_and_find_every_forgery_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let (file, heads) = played(&camp());
    let outcome = examined(&file, &heads);
    assert_eq!(outcome.findings, []);
    let levels: Vec<Level> = outcome.turns.iter().filter_map(|turn| turn.level).collect();
    assert!(levels.contains(&Level::L3) && levels.len() == outcome.turns.len(), "{levels:?}");
    let proofs: Vec<_> = outcome.turns.iter().filter_map(|turn| turn.beacon.as_ref()).collect();
    assert!(proofs.iter().all(|public| public.proof == BeaconProof::NoKey), "{proofs:?}");
    let (status, said) = independent(dir.path(), &file, &as_arguments(&heads));
    assert!(status == 0 && said.contains(": L3, salted by red"), "{said}");
    assert!(said.contains("its value is in the file, and this script checks no signature"), "{said}");
    assert_eq!(codes(&file, &[]), [""; 0]);
    both_find(&file, FORGERIES);
}

/// Files of before have no raw values, and are said to lack them; a value in a game that waits for no beacon is one too many.
#[test]
fn a_file_of_before_is_said_to_lack_what_the_beacon_published() {
    let dir = tempfile::tempdir().unwrap();
    let (mut file, _) = played(&camp());
    for turn in file["turns"].as_array_mut().unwrap() {
        assert!(turn.as_object_mut().unwrap().remove("beacon_value").is_some());
    }
    let outcome = examined(&file, &[]);
    assert_eq!(outcome.findings, []);
    let public: Vec<_> = outcome.turns.iter().filter_map(|turn| turn.beacon.as_ref()).collect();
    assert!(!public.is_empty() && public.iter().all(|public| public.proof == BeaconProof::NoValue));
    let (status, said) = independent(dir.path(), &file, &[]);
    assert!(status == 0 && said.contains("the value itself is not in the file"), "{said}");
    let said = unwrapped(&asked(&[&kept(dir.path(), &file)], false, None));
    assert!(said.contains("The file lacks what it published, as files of before do"), "{said}");
    // A journal that began without them goes on with them.
    file["turns"][2]["beacon_value"] = Value::Null;
    assert_eq!(codes(&file, &[]), [""; 0]);

    let (mut other, _) = super::audit::played();
    other["turns"][1]["beacon_value"] = json!(value(7));
    both_find(&other, &[("a raw value in a game without a beacon", "wrong-beacon-value", |_| {})]);
}

fn kept(dir: &Path, file: &Value) -> PathBuf {
    let path = dir.join("kept.json");
    fs::write(&path, file.to_string()).unwrap();
    path
}

/// A game whose founding waits for round 1000 of drand's quicknet, which has come; the host has not looked.
fn awaits_quicknet() -> (Camp, Host) {
    let camp = camp();
    camp.clock.set(1_692_802_763);
    let mut host = camp.open();
    gathered_by(&camp, &mut host, QUICKNET);
    let (round, due) = awaited(&mut host);
    assert_eq!((round, due), (1000, 1_692_806_364));
    camp.clock.set(due);
    (camp, host)
}

fn gathered_by(camp: &Camp, host: &mut Host, policy: &str) {
    let beacon = Some(policy.parse().unwrap());
    host.execute(Request::found(NewGame { beacon, ..new("computer", Terms::default()) })).unwrap();
    settle(host);
    joined(camp, host, &["red", "blue"]);
}

#[cfg(feature = "drand")]
#[test]
fn a_value_that_the_beacon_didnt_sign_is_refused_and_asked_for_again() {
    let (camp, mut host) = awaits_quicknet();
    let file = camp.path().join("beacons/drand-quicknet.1000");
    fs::write(&file, ROUND_1000.replacen('b', "9", 1)).unwrap();
    let said = crate::trouble::log_of(|| settle(&mut host));
    assert!(said.contains("refused, and is asked for again"), "{said}");
    assert!(said.contains("it isn't signed by drand-quicknet as the value of round 1000"), "{said}");
    assert_eq!(awaited(&mut host).0, 1000);
    assert!(host.next_due().unwrap().unwrap() > camp.clock.now(), "it isn't asked for all the time");
    fs::write(&file, ROUND_1000).unwrap();
    camp.wait(15);
    settle(&mut host);
    assert_eq!(campaign(&mut host).window().unwrap().t, 2);
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[cfg(feature = "drand")]
#[test]
fn what_quicknet_signed_is_proved_offline_and_what_a_host_made_up_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let (camp, mut host) = awaits_quicknet();
    fs::write(camp.path().join("beacons/drand-quicknet.1000"), ROUND_1000).unwrap();
    settle(&mut host);
    let entries = journal(&mut host);
    let file = |entries: &[Entry]| {
        let file = audit_file(entries, &camp.secrets(), 1);
        serde_json::to_value(file).unwrap()
    };
    let honest = file(&entries);
    let outcome = examined(&honest, &[]);
    assert_eq!(outcome.findings, []);
    let founding = &outcome.turns[0];
    assert_eq!(
        (founding.level, founding.beacon.as_ref().unwrap().proof),
        (Some(Level::L3), BeaconProof::Signed)
    );
    let said = unwrapped(&asked(&[&kept(dir.path(), &honest)], false, None));
    assert!(said.contains("proved for t 1: its own key has signed it"), "{said}");
    assert!(!said.contains("by hand") && !said.contains("Ask the beacon"), "{said}");

    // A host that would rather have another value makes all the rest fit it.
    let at = entries.iter().position(|entry| matches!(entry.cause, Cause::Beacon { .. })).unwrap();
    let mut forged = entries[..at].to_vec();
    let name = QUICKNET.parse::<BeaconPolicy>().unwrap().name;
    let better: BeaconValue = value(5).parse().unwrap();
    let cause = Cause::Beacon { t: 1, beacon: better.of_round(&name, 1000), value: Some(better) };
    forged.push(Entry { at: entries[at].at, cause });
    let cause = Campaign::fold(&desk(), &forged).unwrap().adjudication(&camp.secrets()).unwrap();
    forged.push(Entry { at: entries[at].at, cause });
    let forged = file(&forged);
    let outcome = examined(&forged, &[]);
    assert_eq!(codes(&forged, &[]), ["beacon-not-signed"]);
    assert_eq!((outcome.turns[0].level, &outcome.turns[0].beacon), (Some(Level::L2), &None));
    let said = unwrapped(&asked(&[&kept(dir.path(), &forged)], false, None));
    assert!(said.contains("the beacon's value isn't signed by drand-quicknet"), "{said}");
    // The two that have no library for curves say that they didn't look.
    let (status, said) = independent(dir.path(), &forged, &[]);
    assert!(status == 0 && said.contains("this script checks no signature"), "{said}");
    #[cfg(feature = "games")]
    finds_nothing_wrong(&forged);
}

/// What an earlier build wrote of a beacon has its hash alone. A value that is there is the one of that hash.
#[test]
fn a_journal_of_before_goes_on_without_the_beacons_values() {
    let camp = camp();
    let mut host = camp.open();
    gathered(&camp, &mut host, "computer", Terms::default());
    shine(&camp, &mut host);
    let mut entries = journal(&mut host);
    let at = entries.iter().position(|entry| matches!(entry.cause, Cause::Beacon { .. })).unwrap();
    let mut line = serde_json::to_value(&entries[at]).unwrap();
    assert!(line["cause"]["value"].take().is_string(), "{line}");
    line["cause"].as_object_mut().unwrap().remove("value");
    entries[at] = serde_json::from_value(line).unwrap();
    Campaign::fold(&desk(), &entries).unwrap();
    let file = serde_json::to_value(audit_file(&entries, &camp.secrets(), 1)).unwrap();
    assert_eq!(codes(&file, &[]), [""; 0]);
    assert!(file["turns"][0].get("beacon_value").is_none() && file["turns"][0]["beacon"].is_string());
    let Cause::Beacon { value: kept, .. } = &mut entries[at].cause else { panic!() };
    *kept = Some(value(0).parse().unwrap());
    assert!(Campaign::fold(&desk(), &entries).is_err(), "another value than the one that was noted");
}

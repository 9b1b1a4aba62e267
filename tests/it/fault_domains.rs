//! A journal, a secret or a key that can't be opened, read or written is the trouble of its game alone: all others go on, every command answers and
//! names it, and once it is mended nothing is lost or doubled.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use musterd::daemon::archive;
use musterd::daemon::{GameStatus, Host, Reply, Request, Snapshot, Vitals};
use musterd::dice::{Digest, GameId};
use musterd::engine::journal::Cause;
use musterd::engine::terms::Terms;
use musterd::fault::{self, Plan};
use musterd::store::{HOST as OWN, Ledger as _, Records as _, Store, StoreError};

use crate::several::{ANNA, answers, became, game_of, games, mail_to, reply_address};
use crate::skips::has;
use crate::store::{open_clean, sent, step, whole_steps};
use crate::support::{Camp, HOST, HOUR, block, player, settle, toy_game};

/// What can stand in the place of a journal.
const CALAMITIES: [&str; 6] = ["directory", "pipe", "device", "nowhere", "circle", "link to a directory"];

/// Puts something else in the place of a file, which is kept beside the directory. Gives where.
fn strike(file: &Path, calamity: &str) -> PathBuf {
    let kept = file.parent().unwrap().parent().unwrap().join("kept");
    fs::rename(file, &kept).unwrap();
    match calamity {
        "directory" => fs::create_dir(file).unwrap(),
        "pipe" => assert!(Command::new("mkfifo").arg(file).status().unwrap().success()),
        "device" => symlink("/dev/zero", file).unwrap(),
        "nowhere" => symlink("/nowhere/at-all", file).unwrap(),
        "circle" => symlink(file, file).unwrap(),
        _ => {
            let foreign = kept.with_file_name("foreign");
            fs::create_dir_all(&foreign).unwrap();
            fs::set_permissions(&foreign, fs::Permissions::from_mode(0o755)).unwrap();
            symlink(foreign, file).unwrap();
        }
    }
    kept
}

fn mend(file: &Path, kept: &Path) {
    match file.is_dir() && !file.is_symlink() {
        true => fs::remove_dir(file).unwrap(),
        false => fs::remove_file(file).unwrap(),
    }
    fs::rename(kept, file).unwrap();
    if let Ok(foreign) = fs::metadata(kept.with_file_name("foreign")) {
        assert_eq!(foreign.permissions().mode() & 0o777, 0o755, "where a link leads is not ours");
    }
}

fn journal_of(camp: &Camp, name: &str) -> PathBuf {
    camp.path().join("mirror").join(format!("{name}.jsonl"))
}

fn id(game: &str) -> GameId {
    game.parse().unwrap()
}

fn vitals(host: &mut Host) -> Vitals {
    match host.execute(Request::Vitals).unwrap() {
        Reply::Vitals(vitals) => *vitals,
        other => panic!("{other:?}"),
    }
}

fn snapshot(host: &mut Host) -> Snapshot {
    match host.execute(Request::Snapshot).unwrap() {
        Reply::Snapshot(snapshot) => snapshot,
        other => panic!("{other:?}"),
    }
}

fn status(host: &mut Host) -> Vec<GameStatus> {
    match host.execute(Request::Status { game: None }).unwrap() {
        Reply::Status { games } => games,
        other => panic!("{other:?}"),
    }
}

fn turns(host: &mut Host, game: &str) -> usize {
    let Reply::Journal { entries } = host.execute(Request::Journal { game: id(game) }).unwrap() else {
        panic!()
    };
    entries.iter().filter(|entry| matches!(entry.cause, Cause::Adjudicated { .. })).count()
}

/// Asserts that alpha alone stands still, is named everywhere with `why`, and that nothing of it can be asked or changed.
fn alpha_is_set_aside(host: &mut Host, why: &str) {
    let found = status(host);
    let names: Vec<&str> = found.iter().map(|status| status.game.as_str()).collect();
    assert_eq!(names, ["beta", "alpha"], "{why}");
    assert!(found[0].aside.is_none() && found[0].t.is_some(), "{why}: {found:?}");
    assert!(found[1].aside.as_ref().is_some_and(|told| told.contains(why)), "{why}: {found:?}");
    let ailments: Vec<_> = vitals(host).ailments(3600).into_iter().filter(|it| it.about == "game").collect();
    assert!(
        ailments.len() == 1 && ailments[0].text.contains("game alpha can't go on"),
        "{why}: {ailments:?}"
    );
    assert!(ailments[0].text.contains("start musterd again"), "{why}: {ailments:?}");
    let shot = snapshot(host);
    assert_eq!(shot.games.iter().map(|mark| mark.game.as_str()).collect::<Vec<_>>(), ["beta"], "{why}");
    assert!(shot.set_aside.keys().eq([&id("alpha")]), "{why}: {shot:?}");
    let packed = archive::pack(host.dir(), shot, &mut io::sink()).unwrap();
    assert!(packed.damaged.iter().any(|told| told.contains("the journal of `alpha` is not in this backup")));
    let gm = Request::Gm { game: id("alpha"), text: "EXTEND 2 1d".to_owned(), yes: true };
    for request in [Request::Journal { game: id("alpha") }, Request::Audit { game: id("alpha") }, gm] {
        let told = host.execute(request).unwrap_err().to_string();
        assert!(told.contains("game `alpha` is set aside, the others go on"), "{why}: {told}");
    }
    for request in [Request::Audit { game: id("beta") }, Request::Status { game: Some(id("alpha")) }] {
        assert!(host.execute(request).is_ok(), "{why}");
    }
}

/// Two games whose red is Anna, with the reply addresses of her seats.
fn two_games(camp: &Camp) -> (Host, [String; 2]) {
    let mut host = camp.open();
    games(&mut host);
    let addresses = ["alpha", "beta"].map(|game| reply_address(camp, ANNA, game, "red"));
    (host, addresses)
}

/// Anna orders for both games in one mail, and for each alone.
fn orders(camp: &Camp, [alpha, beta]: &[String; 2], n: u32) {
    let both = [alpha.clone(), beta.clone()];
    camp.post(mail_to(ANNA, &both[..1], &format!("alpha-{n}"), &block("BID 1")));
    camp.post(mail_to(ANNA, &both[1..], &format!("beta-{n}"), &block("BID 1")));
    camp.post(mail_to(ANNA, &both, &format!("both-{n}"), &block("BID 2")));
}

fn receipts(camp: &Camp, id: &str) -> Vec<String> {
    answers(camp, ANNA, id, "receipt").into_iter().map(|(game, _)| game).collect()
}

#[test]
fn a_journal_that_is_no_file_at_the_start_sets_its_game_aside_and_no_other() {
    for calamity in CALAMITIES {
        let camp = Camp::new();
        let (host, addresses) = two_games(&camp);
        drop(host);
        let file = journal_of(&camp, "alpha");
        let kept = strike(&file, calamity);
        orders(&camp, &addresses, 1);
        let mut host = camp.open();
        settle(&mut host);
        alpha_is_set_aside(&mut host, "alpha.jsonl");
        assert_eq!(became(&mut host, "beta"), ["BID 1", "BID 2"], "{calamity}");
        drop(host);
        // Once more, so that what waits is looked at again before it is mended.
        settle(&mut camp.open());
        mend(&file, &kept);
        whole_again(&camp, calamity);
    }
}

/// Asserts that each mail of [`orders`] has had its effect once in each of its games, and was answered once.
fn whole_again(camp: &Camp, told: &str) {
    for _ in 0..2 {
        let mut host = camp.open();
        settle(&mut host);
        assert!(status(&mut host).iter().all(|status| status.aside.is_none()), "{told}");
        assert_eq!(became(&mut host, "alpha"), ["BID 1", "BID 2"], "{told}");
        assert_eq!(became(&mut host, "beta"), ["BID 1", "BID 2"], "{told}");
        let vitals = vitals(&mut host);
        assert_eq!((vitals.spool_waiting, vitals.spool_aside.len()), (0, 0), "{told}");
    }
    assert_eq!(receipts(camp, "alpha-1"), ["alpha"], "{told}");
    assert_eq!(receipts(camp, "beta-1"), ["beta"], "{told}");
    assert_eq!(receipts(camp, "both-1"), ["alpha", "beta"], "{told}");
}

/// Which of these mails of somebody's were answered by the word that they wait for alpha.
fn told_to_wait(camp: &Camp, who: &str, ids: &[&str]) -> Vec<String> {
    let is_told = |id: &&&str| {
        let said = answers(camp, who, id, "waits");
        assert!(said.len() < 2, "{id}: {said:?}");
        said.iter().any(|(_, text)| {
            text.contains("waits.")
                && !text.contains("changed nothing")
                && text.contains("alpha stands still")
        })
    };
    ids.iter().filter(is_told).map(|id| (*id).to_owned()).collect()
}

#[test]
fn who_writes_to_a_game_that_is_set_aside_is_told_once_a_day_that_the_mail_waits() {
    const STRANGER: &str = "ludwig@elsewhere.example";
    let camp = Camp::new();
    let (host, addresses) = two_games(&camp);
    drop(host);
    let file = journal_of(&camp, "alpha");
    let kept = strike(&file, "directory");
    let mut host = camp.open();
    let alpha = &addresses[..1];
    camp.post(mail_to(ANNA, alpha, "first", &block("BID 1")));
    camp.post(mail_to(ANNA, alpha, "second", &block("BID 2")));
    camp.post(mail_to(STRANGER, &["host+alpha@example.org".to_owned()], "stranger", "May I join?"));
    let automatic = mail_to(ANNA, alpha, "away", "I am away.");
    camp.post(format!("Auto-Submitted: auto-replied\r\n{automatic}"));
    settle(&mut host);
    let ids = ["first", "second", "away", "third", "fourth"];
    assert_eq!(told_to_wait(&camp, ANNA, &ids), ["first"]);
    assert_eq!(told_to_wait(&camp, STRANGER, &["stranger"]), ["stranger"]);
    // A mail for a game that goes on, too, is told of the one that doesn't.
    camp.wait(20 * HOUR);
    camp.post(mail_to(ANNA, &addresses, "third", &block("BID 2")));
    settle(&mut host);
    assert_eq!(receipts(&camp, "third"), ["beta"]);
    assert_eq!(told_to_wait(&camp, ANNA, &ids), ["first", "third"]);
    // What waits is looked at again at each start, and is not told of again.
    drop(host);
    settle(&mut camp.open());
    assert_eq!(told_to_wait(&camp, ANNA, &ids), ["first", "third"]);
    mend(&file, &kept);
    let mut host = camp.open();
    settle(&mut host);
    camp.post(mail_to(ANNA, alpha, "fourth", &block("BID 1")));
    settle(&mut host);
    let taken: Vec<String> =
        became(&mut host, "alpha").into_iter().filter(|it| it.starts_with("BID")).collect();
    assert_eq!(taken, ["BID 1", "BID 2", "BID 2", "BID 1"], "each order mail is in the journal once");
    assert_eq!(told_to_wait(&camp, ANNA, &ids), ["first", "third"]);
}

#[test]
fn a_journal_that_becomes_unfit_sets_its_game_aside_in_the_commit_and_no_other() {
    for calamity in CALAMITIES {
        let camp = Camp::new();
        let (mut host, addresses) = two_games(&camp);
        let file = journal_of(&camp, "alpha");
        let kept = strike(&file, calamity);
        orders(&camp, &addresses, 1);
        settle(&mut host);
        alpha_is_set_aside(&mut host, "alpha.jsonl");
        assert_eq!(became(&mut host, "beta"), ["BID 1", "BID 2"], "{calamity}");
        assert!(receipts(&camp, "alpha-1").is_empty(), "{calamity}: nothing is told that doesn't last");
        assert_eq!(receipts(&camp, "beta-1"), ["beta"], "{calamity}");
        camp.wait(25 * HOUR);
        settle(&mut host);
        assert_eq!(turns(&mut host, "beta"), 2, "{calamity}: its deadline is kept");
        drop(host);
        mend(&file, &kept);
        whole_again(&camp, calamity);
    }
}

#[test]
fn an_error_of_the_disk_over_one_journal_in_a_commit_sets_its_game_aside() {
    for point in ["store.mirror.append", "store.mirror.sync"] {
        let camp = Camp::new();
        let (mut host, addresses) = two_games(&camp);
        camp.post(mail_to(ANNA, &addresses[..1], "alpha-1", &block("BID 1")));
        let armed = fault::arm(Plan::fail_at(1, io::ErrorKind::Other).only(point));
        settle(&mut host);
        drop(armed);
        orders_but_alphas(&camp, &addresses);
        settle(&mut host);
        alpha_is_set_aside(&mut host, "injected fault");
        drop(host);
        whole_again(&camp, point);
    }
}

fn orders_but_alphas(camp: &Camp, addresses: &[String; 2]) {
    camp.post(mail_to(ANNA, &addresses[1..], "beta-1", &block("BID 1")));
    camp.post(mail_to(ANNA, addresses, "both-1", &block("BID 2")));
}

#[test]
fn a_command_whose_journal_can_not_be_written_is_told_so_and_stands_once_that_is_mended() {
    let camp = Camp::new();
    let (mut host, _) = two_games(&camp);
    let deadlines = |host: &mut Host| {
        let Reply::Journal { entries } = host.execute(Request::Journal { game: id("alpha") }).unwrap() else {
            panic!()
        };
        entries.iter().filter(|entry| matches!(entry.cause, Cause::Rescheduled { .. })).count()
    };
    let before = deadlines(&mut host);
    let armed = fault::arm(Plan::fail_at(1, io::ErrorKind::Other).only("store.mirror.append"));
    let gm = Request::Gm { game: id("alpha"), text: "EXTEND 2 1d".to_owned(), yes: true };
    let error = host.execute(gm).unwrap_err();
    drop(armed);
    assert!(error.to_string().contains("game `alpha` is set aside"), "{error}");
    assert_eq!(error.exit(), 3);
    drop(host);
    assert_eq!(deadlines(&mut camp.open()) - before, 1);
}

#[test]
fn a_full_disk_and_one_on_which_nothing_can_be_written_stop_the_whole_store() {
    for (plan, told) in [
        (Plan::fail_at(1, io::ErrorKind::StorageFull).only("store.mirror.append"), "the disk is full"),
        (Plan::fail_at(1, io::ErrorKind::QuotaExceeded).only("store.mirror.sync"), "the disk is full"),
        (Plan::crash_at(1).only("store.mirror"), "injected"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let store = open_clean(dir.path());
        store.commit(&[step("alpha", 0), step("beta", 0)]).unwrap();
        let armed = fault::arm(plan);
        let error = store.commit(&[step("alpha", 1)]).unwrap_err();
        drop(armed);
        assert!(
            matches!(error, StoreError::Unmirrored { .. }) && error.to_string().contains(told),
            "{error}"
        );
        assert!(store.commit(&[step("beta", 1)]).is_err(), "until it is opened again");
        assert!(store.newly_set_aside().is_empty());
        drop(store);
        let (store, recovery) = Store::open(dir.path()).unwrap();
        assert!(recovery.set_aside.is_empty(), "{recovery:?}");
        assert_eq!((whole_steps(&store, "alpha"), whole_steps(&store, "beta")), (2, 1));
    }
}

/// As a newer program may leave it, whose data directory is of the same format.
#[test]
fn an_entry_that_this_program_does_not_know_sets_its_game_aside_and_no_other() {
    let camp = Camp::new();
    let (host, addresses) = two_games(&camp);
    drop(host);
    let file = journal_of(&camp, "alpha");
    let before = fs::read_to_string(&file).unwrap();
    let last: serde_json::Value = serde_json::from_str(before.lines().last().unwrap()).unwrap();
    let (n, prev) = (last["n"].as_u64().unwrap() + 1, last["hash"].as_str().unwrap());
    let line = format!(r#"{{"n":{n},"prev":"{prev}","entries":[{{"at":1,"kind":"teleported"}}]"#);
    let hash = Digest::of(line.as_bytes());
    fs::write(&file, format!("{before}{line},\"hash\":\"{hash}\"}}\n")).unwrap();
    orders(&camp, &addresses, 1);
    for _ in 0..2 {
        let mut host = camp.open();
        settle(&mut host);
        alpha_is_set_aside(&mut host, "holds an entry that this program doesn't know");
        assert_eq!(became(&mut host, "beta"), ["BID 1", "BID 2"]);
    }
}

#[test]
fn a_turn_whose_journal_can_not_be_written_keeps_no_other_turn_from_running() {
    let camp = Camp::new();
    let (mut host, _) = two_games(&camp);
    let file = journal_of(&camp, "alpha");
    let kept = strike(&file, "directory");
    camp.wait(25 * HOUR);
    settle(&mut host);
    alpha_is_set_aside(&mut host, "alpha.jsonl");
    let ran = turns(&mut host, "beta");
    let told = |game: &str| camp.mails(ANNA).iter().filter(|mail| mail.subject.contains(game)).count();
    assert!(ran == 2 && told("alpha") < told("beta"), "its dispatches wait");
    drop(host);
    mend(&file, &kept);
    host = camp.open();
    settle(&mut host);
    assert_eq!((turns(&mut host, "alpha"), told("alpha")), (ran, told("beta")));
}

#[test]
fn of_one_commit_the_steps_of_every_other_game_last_and_what_was_sent_is_not_sent_again() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    store.commit(&[step("alpha", 0), step("beta", 0), step("gamma", 0)]).unwrap();
    let file = dir.path().join("mirror/beta.jsonl");
    let kept = strike(&file, "directory");
    store.commit(&[step("alpha", 1), step("beta", 1), step("gamma", 1)]).unwrap();
    let lines = |game: &str| {
        fs::read_to_string(dir.path().join(format!("mirror/{game}.jsonl"))).unwrap().lines().count()
    };
    assert_eq!((lines("alpha"), lines("gamma")), (2, 2));
    let aside = store.newly_set_aside();
    assert!(
        aside.len() == 1 && aside[0].0.as_str() == "beta" && store.newly_set_aside().is_empty(),
        "{aside:?}"
    );
    assert!(matches!(store.commit(&[step("beta", 2)]), Err(StoreError::SetAside { .. })));
    assert!(store.due(i64::MAX, 100).unwrap().iter().all(|mail| !mail.packet.id.starts_with("beta/")));
    // A mail of its that was on its way when it was set aside.
    store.record(&[sent("beta/0/french/receipt", "a@x.example")]).unwrap();
    store.commit(&[step("alpha", 2)]).unwrap();
    drop(store);
    mend(&file, &kept);
    let (store, recovery) = Store::open(dir.path()).unwrap();
    assert!(recovery.set_aside.is_empty() && recovery.notes.len() == 1, "{recovery:?}");
    assert_eq!(["alpha", "beta", "gamma"].map(|game| whole_steps(&store, game)), [3, 2, 2]);
    let again = |mail: &musterd::store::Outgoing| {
        mail.packet.id == "beta/0/french/receipt" && mail.recipient == "a@x.example"
    };
    assert!(!store.due(i64::MAX, 100).unwrap().iter().any(again), "sent once");
    assert_eq!(lines("beta"), 3);
}

#[test]
fn while_a_store_is_rebuilt_a_journal_that_can_not_be_read_waits_for_itself() {
    for calamity in CALAMITIES {
        let dir = tempfile::tempdir().unwrap();
        let store = open_clean(dir.path());
        store.commit(&[step("alpha", 0), step("beta", 0)]).unwrap();
        drop(store);
        fs::remove_dir_all(dir.path().join("store")).unwrap();
        let file = dir.path().join("mirror/alpha.jsonl");
        let kept = strike(&file, calamity);
        let (store, recovery) = Store::open(dir.path()).unwrap();
        assert!(recovery.set_aside.keys().eq(["alpha"]), "{calamity}: {recovery:?}");
        assert_eq!(whole_steps(&store, "beta"), 1);
        drop(store);
        mend(&file, &kept);
        let (store, recovery) = Store::open(dir.path()).unwrap();
        assert!(recovery.set_aside.is_empty(), "{calamity}: {recovery:?}");
        assert_eq!((whole_steps(&store, "alpha"), whole_steps(&store, "beta")), (1, 1));
    }
}

/// No game rests on it: it is moved out of the way and written anew from the store.
#[test]
fn the_journal_of_what_is_no_games_is_written_anew_where_it_can_not_be_used() {
    let hello = |n: u32| format!("From: s{n}@b.example\r\nTo: {HOST}\r\nSubject: hi\r\n\r\nhello\r\n");
    for calamity in CALAMITIES {
        let camp = Camp::new();
        let (mut host, _) = two_games(&camp);
        camp.post(hello(1));
        settle(&mut host);
        drop(host);
        let file = journal_of(&camp, OWN);
        let before = fs::read(&file).unwrap();
        strike(&file, calamity);
        let mut host = camp.open();
        assert!(fs::read(&file).unwrap().starts_with(&before), "{calamity}: nothing of it is lost");
        assert!(fs::symlink_metadata(file.with_extension("jsonl.damaged-1")).is_ok(), "{calamity}");
        camp.post(hello(2));
        settle(&mut host);
        assert_eq!(camp.mails("s2@b.example").len(), 1, "{calamity}");
        assert!(vitals(&mut host).ailments(3600).is_empty(), "{calamity}");
    }
}

#[test]
fn where_the_journal_of_what_is_no_games_can_not_be_made_anew_strangers_wait_and_all_games_go_on() {
    let camp = Camp::new();
    let (host, addresses) = two_games(&camp);
    drop(host);
    let file = journal_of(&camp, OWN);
    if file.exists() {
        fs::remove_file(&file).unwrap();
    }
    fs::create_dir(&file).unwrap();
    let armed = fault::arm(Plan::fail_at(1, io::ErrorKind::PermissionDenied).only("store.rename"));
    let mut host = camp.open();
    drop(armed);
    camp.post(format!("From: s@b.example\r\nTo: {HOST}\r\nSubject: hi\r\n\r\nhello\r\n"));
    camp.post(mail_to(ANNA, &addresses[1..], "beta-1", &block("BID 1")));
    settle(&mut host);
    assert_eq!(became(&mut host, "beta"), ["BID 1"]);
    assert!(camp.mails("s@b.example").is_empty());
    let told: Vec<_> = vitals(&mut host).ailments(3600).into_iter().filter(|it| it.about == "mail").collect();
    assert!(told[0].text.contains("_host.jsonl") && told[0].text.contains("all games go on"), "{told:?}");
    drop(host);
    settle(&mut camp.open());
    assert_eq!(camp.mails("s@b.example").len(), 1);
}

#[test]
fn a_mail_for_two_games_whose_one_has_lost_its_secret_counts_in_the_other_at_once() {
    let camp = Camp::new();
    let (mut host, addresses) = two_games(&camp);
    // Who writes for both, and for a game that is none of this host's.
    let stray = [
        addresses[0].clone(),
        addresses[1].clone(),
        format!("host+omega@{}", HOST.split_once('@').unwrap().1),
    ];
    drop(host);
    let (secret, away) = (camp.path().join("secrets/alpha.secret"), camp.path().join("alpha.secret"));
    fs::rename(&secret, &away).unwrap();
    camp.post(mail_to(ANNA, &stray, "both-1", &block("BID 2")));
    for _ in 0..2 {
        host = camp.open();
        settle(&mut host);
        assert_eq!(became(&mut host, "beta"), ["BID 2"]);
        drop(host);
    }
    let told = camp.mails(ANNA).len();
    fs::rename(&away, &secret).unwrap();
    for _ in 0..2 {
        host = camp.open();
        settle(&mut host);
        assert_eq!((became(&mut host, "alpha").len(), became(&mut host, "beta").len()), (1, 1));
        drop(host);
    }
    assert_eq!(receipts(&camp, "both-1"), ["alpha", "beta"]);
    let about_omega = camp.mails(ANNA).iter().filter(|mail| mail.subject.contains("omega")).count();
    assert!(about_omega <= 1 && camp.mails(ANNA).len() > told, "what is no game's is answered once");
}

/// A host of the program's own with two games of a person and the computer each.
fn campaign() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("host");
    assert!(musterd(&dir, &["init", dir.to_str().unwrap(), "--address", HOST]).status.success());
    for game in ["alpha", "beta"] {
        let new = [
            "new",
            "austrian-1805",
            "--id",
            game,
            "--seat",
            "french=computer",
            "--seat",
            "allied=a@b.example",
        ];
        let made = musterd(&dir, &new);
        assert!(made.status.success(), "{}", said(&made));
    }
    assert_eq!(musterd(&dir, &["serve", "--once"]).status.code(), Some(0));
    place
}

/// A command, ended by force where it hangs.
fn musterd(dir: &Path, arguments: &[&str]) -> Output {
    under(&[], dir, arguments)
}

/// The same under another program.
fn under(program: &[&str], dir: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.args(["-k", "1", "120"]).args(program);
    command.args([env!("CARGO_BIN_EXE_musterd"), "--dir"]).arg(dir).args(arguments);
    command.env_remove("MUSTERD_LOG").stdin(Stdio::null()).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn every_command_goes_on_beside_a_journal_that_is_no_file() {
    let place = campaign();
    let dir = place.path().join("host");
    let kept = strike(&dir.join("mirror/alpha.jsonl"), "pipe");
    let out = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (backup, audit) = (out("backup.tar"), out("beta.json"));
    for (command, code, told) in [
        (&["status"][..], 0, "alpha"),
        (&["status", "alpha"], 0, "alpha.jsonl"),
        (&["status", "beta"], 0, "beta"),
        (&["journal", "beta"], 0, ""),
        (&["journal", "alpha"], 3, "game `alpha` is set aside, the others go on"),
        (&["report", "beta", "allied"], 2, "no report"),
        (&["audit", "beta", "--out", &audit], 0, ""),
        (&["gm", "beta", "STATUS"], 0, ""),
        (&["gm", "alpha", "STATUS"], 3, "game `alpha` is set aside"),
        (&["config", "check"], 1, "mirror/alpha.jsonl: fault: this is no file"),
        (&["serve", "--once"], 1, ""),
        (&["backup", &backup], 1, "the journal of `alpha` is not in this backup"),
        (
            &[
                "new",
                "austrian-1805",
                "--id",
                "gamma",
                "--seat",
                "french=computer",
                "--seat",
                "allied=a@b.example",
            ],
            0,
            "gamma",
        ),
        (
            &[
                "new",
                "austrian-1805",
                "--id",
                "alpha",
                "--seat",
                "french=computer",
                "--seat",
                "allied=a@b.example",
            ],
            2,
            "alpha",
        ),
    ] {
        let output = musterd(&dir, command);
        let text = said(&output);
        if command[0] != "report" {
            assert_eq!(output.status.code(), Some(code), "{command:?}: {text}");
            assert!(text.contains(told), "{command:?}: {text}");
        }
        assert!(!text.contains("panicked"), "{command:?}: {text}");
    }
    mend(&dir.join("mirror/alpha.jsonl"), &kept);
    assert_eq!(musterd(&dir, &["serve", "--once"]).status.code(), Some(0));
}

/// The disk of one file fails, in each way in which it can: the others' calls are let through.
#[test]
fn an_error_of_the_system_over_one_journal_stops_that_game_alone() {
    if !has("strace", "strace") {
        return;
    }
    for (call, error) in [
        ("open,openat", "EACCES"),
        ("open,openat", "EIO"),
        ("open,openat", "EROFS"),
        ("read", "EIO"),
        ("write", "EIO"),
        ("write", "EDQUOT"),
        ("fdatasync", "EIO"),
    ] {
        let place = campaign();
        let dir = place.path().join("host");
        let file = dir.join("mirror/alpha.jsonl");
        // A mail that changes something in each game.
        for game in ["alpha", "beta"] {
            let mails = dir.join("mail/a@b.example/new");
            let invited =
                fs::read_dir(mails).unwrap().map(|mail| fs::read_to_string(mail.unwrap().path()).unwrap());
            let begins = format!("+{game}.allied.");
            let to = invited.flat_map(|mail| mail.lines().map(str::to_owned).collect::<Vec<_>>());
            let to =
                to.into_iter().find(|line| line.starts_with("Reply-To:") && line.contains(&begins)).unwrap();
            let to = to.trim_start_matches("Reply-To:").trim().trim_matches(['<', '>']).to_owned();
            let join = format!(
                "From: a@b.example\r\nTo: {to}\r\nMessage-ID: <{game}@b.example>\r\nSubject: x\r\n\r\nJOIN\r\n"
            );
            fs::write(dir.join("mail").join(HOST).join("new").join(game), join).unwrap();
        }
        let inject = format!("inject={call}:error={error}");
        let trace = format!("trace={call}");
        let strace = [
            "strace",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-P",
            file.to_str().unwrap(),
            "-e",
            &trace,
            "-e",
            &inject,
        ];
        let output = under(&strace, &dir, &["serve", "--once"]);
        let text = said(&output);
        let is_everybodys = error == "EDQUOT";
        assert_eq!(output.status.code(), Some(if is_everybodys { 3 } else { 1 }), "{call} {error}: {text}");
        let begun = |game: &str| {
            let journal = said(&musterd(&dir, &["--json", "journal", game])).replace(' ', "");
            journal.matches("\"kind\":\"adjudicated\"").count()
        };
        if !is_everybodys {
            assert!(text.contains("alpha.jsonl") && text.contains("set aside"), "{call} {error}: {text}");
            assert_eq!(begun("beta"), 1, "{call} {error}: {text}");
        }
        // It is there again, and everything that came meanwhile has its effect once.
        let again = musterd(&dir, &["serve", "--once"]);
        assert_eq!(again.status.code(), Some(0), "{call} {error}: {}", said(&again));
        assert_eq!((begun("alpha"), begun("beta")), (1, 1), "{call} {error}: {text}");
    }
}

#[test]
fn a_secret_that_can_not_be_read_or_closed_is_its_games_trouble_alone() {
    for calamity in CALAMITIES {
        let camp = Camp::new();
        let (host, addresses) = two_games(&camp);
        drop(host);
        let file = camp.path().join("secrets/alpha.secret");
        let kept = strike(&file, calamity);
        orders(&camp, &addresses, 1);
        let mut host = camp.open();
        settle(&mut host);
        assert_eq!(became(&mut host, "beta"), ["BID 1", "BID 2"], "{calamity}");
        let found = status(&mut host);
        let aside: Vec<_> = found.iter().filter(|status| status.aside.is_some()).collect();
        assert!(aside.len() == 1 && aside[0].game.as_str() == "alpha", "{calamity}: {found:?}");
        let shot = snapshot(&mut host);
        let packed = archive::pack(host.dir(), shot, &mut io::sink()).unwrap();
        assert!(
            packed.damaged.iter().any(|told| told.contains("secrets/alpha.secret")),
            "{calamity}: {packed:?}"
        );
        drop(host);
        mend(&file, &kept);
        whole_again(&camp, calamity);
    }
}

#[test]
fn a_secret_that_can_not_have_its_name_keeps_its_own_games_mails_back_and_no_others() {
    let camp = Camp::new();
    let mut host = camp.open();
    let armed = fault::arm(Plan::fail_at(1, io::ErrorKind::PermissionDenied).only("vault.rename"));
    let error = host.execute(Request::found(toy_game(&[], "24h", Terms::default()))).unwrap_err();
    drop(armed);
    let told = error.to_string();
    assert!(told.contains("game `alpha` is set aside") && told.contains("alpha.secret"), "{told}");
    game_of(
        &mut host,
        "beta",
        &[("red", ANNA.to_owned()), ("blue", player("blue")), ("umpire", player("umpire"))],
    );
    let about = |game: &str| camp.mails(ANNA).iter().filter(|mail| mail.subject.contains(game)).count();
    assert!(about("alpha") == 0 && about("beta") > 0);
    drop(host);
    settle(&mut camp.open());
    assert!(about("alpha") > 0 && camp.path().join("secrets/alpha.secret").is_file());
}

/// A game whose rules this program doesn't have can't be folded: it is shown as one that can't go on.
#[test]
fn a_status_of_all_names_a_game_that_can_not_be_looked_at_and_shows_the_others() {
    let camp = Camp::new();
    let mut host = camp.open();
    game_of(
        &mut host,
        "beta",
        &[("red", ANNA.to_owned()), ("blue", player("blue")), ("umpire", player("umpire"))],
    );
    drop(host);
    let mut host = camp.try_open_with(musterd::rulesets::desk).unwrap();
    let found = status(&mut host);
    assert!(found.len() == 1 && found[0].aside.as_ref().is_some_and(|why| why.contains("toy")), "{found:?}");
}

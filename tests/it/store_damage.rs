//! A data directory with a flipped byte anywhere: opened again it heals and says so, or it is refused with a message that names the
//! file and the way out. Never a panic, and nothing is lost in silence. And a directory that an earlier version wrote.

use musterd::store::{Ledger as _, Records as _};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use musterd::daemon::{Host, HostError, Reply, Request};
use musterd::fault::{self, Plan};
use musterd::store::{FORMAT, LedgerLine, Store, StoreError};

use crate::store::{game, open_clean, step};
use crate::support::{Camp, HOUR, block, founded, settle};

/// What a host says of its games and of their mails, all of it read from disk.
fn content(host: &mut Host) -> Result<String, HostError> {
    let Reply::Status { games } = host.execute(Request::Status { game: None })? else { panic!() };
    let mut text = String::new();
    for mut status in games {
        // That it can't go on is told beside what it holds.
        status.aside = None;
        // Where its mail stays is no matter of the store.
        status.warnings.clear();
        let game = status.game.clone();
        let Reply::Journal { entries } = host.execute(Request::Journal { game })? else { panic!() };
        text.push_str(&format!("{status:?}\n{}\n", serde_json::to_string(&entries).unwrap()));
    }
    Ok(text)
}

/// Every file of a data directory that something could be lost with.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for part in ["store", "mirror", "spool/new", "spool/done", "secrets", "format"] {
        let path = dir.join(part);
        if path.is_file() {
            found.push(path);
            continue;
        }
        for file in fs::read_dir(path).unwrap() {
            found.push(file.unwrap().path());
        }
    }
    found.retain(|path| path.is_file() && fs::metadata(path).unwrap().len() > 0);
    found.sort();
    found
}

/// Opens and reads, as a daemon does: damage that shows only in use condemns the database, and the next opening rebuilds it.
fn open_and_read(camp: &Camp) -> Result<String, HostError> {
    let read = || camp.try_open().and_then(|mut host| content(&mut host));
    match read() {
        Err(HostError::Store(error)) if error.may_pass() => read(),
        other => other,
    }
}

#[test]
fn a_flipped_byte_anywhere_heals_or_is_refused_by_name() {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "bid-red", &block("BID 3")));
    settle(&mut host);
    camp.wait(25 * HOUR);
    settle(&mut host);
    // One mail waits, so that the spool has something to lose.
    camp.post(camp.answer("red", "dispatch", "waits", &block("BID 1")));
    let (mut sources, _) = crate::support::local_mail(&host);
    sources[0].drain(host.spool()).unwrap();
    let whole = content(&mut host).unwrap();
    drop(host);
    let mut outcomes: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for file in files(camp.path()) {
        let name = file.strip_prefix(camp.path()).unwrap().to_owned();
        let size = usize::try_from(fs::metadata(&file).unwrap().len()).unwrap();
        let places = if name.starts_with("store") { 24 } else { 8 };
        for n in 0..places {
            let copy = camp.in_memory_copy();
            let path = copy.path().join(&name);
            let mut bytes = fs::read(&path).unwrap();
            bytes[(size * n + size / 2) / places] ^= 0x15;
            fs::write(&path, bytes).unwrap();
            let told = format!("{} byte {}", name.display(), (size * n + size / 2) / places);
            let folder = name.components().next().unwrap().as_os_str().to_str().unwrap().to_owned();
            let outcome = outcomes.entry(folder.clone()).or_default();
            match open_and_read(&copy) {
                Ok(found) => {
                    outcome.0 += 1;
                    assert!(found == whole, "{told}: lost in silence");
                    told_of_mail(&copy, &name, &told);
                }
                Err(error) => {
                    outcome.1 += 1;
                    let text = error.to_string();
                    let file = name.file_name().unwrap().to_str().unwrap();
                    assert!(text.contains(file), "{told}: it doesn't name the file: {text}");
                    assert!(
                        ["put", "backup", "run that version", "start"].iter().any(|way| text.contains(way)),
                        "{told}: no way out: {text}"
                    );
                }
            }
        }
    }
    // The store and every journal can be made from each other; the format's number can't.
    assert_eq!(outcomes["store"].1, 0, "{outcomes:?}");
    assert_eq!(outcomes["mirror"].1, 0, "{outcomes:?}");
    assert_eq!(outcomes["spool"].1, 0, "{outcomes:?}");
    assert_eq!(outcomes["secrets"].1, 0, "{outcomes:?}: all other games go on");
    assert!(outcomes["format"].1 > 0, "{outcomes:?}");
}

/// Where a mail that waits was altered, or the secret that it is judged by, it is set aside and said to be; one that was dealt with
/// before harms nothing.
fn told_of_mail(camp: &Camp, name: &Path, told: &str) {
    let mut host = camp.open();
    let before = content(&mut host).unwrap();
    settle(&mut host);
    let Reply::Vitals(vitals) = host.execute(Request::Vitals).unwrap() else { panic!() };
    let harmed = name.starts_with("spool/new") || name.starts_with("secrets");
    assert_eq!(vitals.spool_aside.len(), usize::from(harmed), "{told}");
    assert_eq!(
        content(&mut host).unwrap() == before,
        harmed,
        "{told}: altered orders were taken, or good ones not"
    );
}

/// A data directory as an earlier format was written, from `tests/vintage`.
fn vintage(format: u32) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let vintages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vintage");
    let archive = vintages.join(format!("data-format-{format}.tar.gz"));
    let unpacked = Command::new("tar").arg("xzf").arg(archive).arg("-C").arg(dir.path()).status();
    assert!(unpacked.unwrap().success());
    dir
}

fn ledger(store: &Store, name: &str) -> Vec<LedgerLine> {
    store.ledger(Some(&name.parse().unwrap())).unwrap()
}

#[test]
fn a_data_directory_of_an_earlier_format_is_brought_up_once() {
    (1..FORMAT).for_each(is_brought_up_once);
}

fn is_brought_up_once(format: u32) {
    let dir = vintage(format);
    let (store, recovery) = Store::open(dir.path()).unwrap();
    assert_eq!(recovery.notes.len(), 1, "{recovery:?}");
    let told = format!("was of format {format} and is of format {FORMAT}");
    assert!(recovery.notes[0].contains(&told) && recovery.notes[0].contains("mirror journals (3)"));
    let games: Vec<String> = store.games().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(games, ["alpha", "beta"]);
    assert!(ledger(&store, "alpha").iter().all(|line| line.next.is_none()), "what was sent is known as sent");
    assert!(ledger(&store, "beta").iter().all(|line| line.attempts == 0 && line.next.is_some()));
    let outbox = store.outbox().unwrap();
    assert_eq!((outbox.waiting, outbox.oldest), (2, Some(crate::support::NOON)));
    let due = store.due(i64::MAX, 2).unwrap();
    assert!(due.iter().all(|mail| store.packet(&mail.packet.id).unwrap().as_ref() == Some(&mail.packet)));
    let handled = |name: &str| store.handled(name).unwrap();
    assert!(handled("1795262400-1a272713da1b6e66582d6f3a24fc53f6.eml") && !handled("1795262400-1a.eml"));
    drop(store);
    assert_eq!(fs::read_to_string(dir.path().join("format")).unwrap(), format!("{FORMAT}\n"));
    assert!(!dir.path().join("store.replaced").exists() && !dir.path().join("store.rebuilding").exists());
    assert!(Store::open(dir.path()).unwrap().1.notes.is_empty(), "only once");
}

#[test]
fn a_migration_that_fails_leaves_the_old_directory_as_it_was() {
    (1..FORMAT).for_each(fails_without_a_trace);
}

fn fails_without_a_trace(format: u32) {
    let before = fs::read_to_string(vintage(format).path().join("format")).ok();
    let undisturbed = vintage(format);
    let armed = fault::arm(Plan::observe());
    drop(Store::open(undisturbed.path()).unwrap());
    let calls = armed.passed().len() as u64;
    drop(armed);
    assert!(calls >= 5, "{calls}");
    for n in 1..=calls {
        for plan in [Plan::crash_at(n), Plan::fail_at(n, io::ErrorKind::StorageFull)] {
            let dir = vintage(format);
            let armed = fault::arm(plan);
            let opened = Store::open(dir.path()).map(drop);
            drop(armed);
            assert!(opened.is_err(), "call {n}");
            let now = fs::read_to_string(dir.path().join("format")).ok();
            assert!(now == before || n == calls, "call {n}: called new before it was");
            let (store, _) = Store::open(dir.path()).unwrap();
            assert_eq!(store.outbox().unwrap().waiting, 2, "call {n}");
            assert!(ledger(&store, "alpha").iter().all(|line| line.next.is_none()), "call {n}");
        }
    }
}

#[test]
fn a_newer_directory_is_refused_and_not_touched() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    store.commit(&[step("alpha", 0)]).unwrap();
    drop(store);
    let mirror = fs::read(dir.path().join("mirror/alpha.jsonl")).unwrap();
    fs::write(dir.path().join("format"), format!("{}\n", FORMAT + 1)).unwrap();
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    assert!(
        matches!(error, StoreError::Newer { found, known: FORMAT, .. } if found == FORMAT + 1),
        "{error:?}"
    );
    assert!(error.to_string().contains("run that version again"), "{error}");
    assert!(!error.may_pass() && !dir.path().join("store").exists());
    assert_eq!(fs::read(dir.path().join("mirror/alpha.jsonl")).unwrap(), mirror);
    fs::write(dir.path().join("format"), "two").unwrap();
    assert!(matches!(Store::open(dir.path()).unwrap_err(), StoreError::Format { .. }));
    fs::write(dir.path().join("format"), format!("{FORMAT}\n")).unwrap();
    assert_eq!(
        Store::open(dir.path()).unwrap().0.position(&game("alpha")).unwrap(),
        step("alpha", 0).entries.len() as u64
    );
}

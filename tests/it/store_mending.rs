//! The store after a crash, a lost database or a damaged mirror: it mends itself from the other copy, or says what is wrong.

use std::fs;
use std::io;
use std::path::Path;

use musterd::fault::{self, Plan};
use musterd::store::{Step, Store, StoreError};

use super::store::*;

/// Commits three steps of `alpha` and one of `beta`, and tells of one of the packets that it was sent.
fn history(dir: &Path) {
    let store = open_clean(dir);
    store.commit(&[step("alpha", 0)]).unwrap();
    store.commit(&[step("alpha", 1), step("beta", 0)]).unwrap();
    store.commit(&[step("alpha", 2)]).unwrap();
    store.record(&[sent("alpha/0/french/receipt", "a@x.example")]).unwrap();
}

/// Asserts that the store holds [`history`], and that the mirrors do.
fn assert_history(store: &Store, dir: &Path) {
    assert_eq!((whole_steps(store, "alpha"), whole_steps(store, "beta")), (3, 1));
    let settled: Vec<_> = store.ledger(Some(&game("alpha"))).unwrap();
    let settled: Vec<_> =
        settled.iter().filter(|line| line.next.is_none()).map(|line| &line.recipient).collect();
    assert_eq!(settled, ["a@x.example"]);
    assert_eq!((mirror_of(dir, "alpha").lines().count(), mirror_of(dir, "beta").lines().count()), (4, 1));
}

/// The commits of the crash tests. Steps of one commit stand or fall together.
fn commits() -> [Vec<Step>; 3] {
    [vec![step("alpha", 0)], vec![step("alpha", 1), step("beta", 0)], vec![step("alpha", 2)]]
}

/// Runs what is left of [`commits`]; how many were acknowledged in all, and what stopped it.
fn run(store: &Store, done: usize) -> (usize, Option<StoreError>) {
    for (n, steps) in commits().iter().enumerate().skip(done) {
        if let Err(error) = store.commit(steps) {
            return (n, Some(error));
        }
    }
    (commits().len(), None)
}

/// How many of [`commits`] the store holds; all of them whole.
fn held(store: &Store) -> usize {
    match (whole_steps(store, "alpha"), whole_steps(store, "beta")) {
        (0, 0) => 0,
        (1, 0) => 1,
        (2, 1) => 2,
        (3, 1) => 3,
        torn => panic!("a commit is there in part: {torn:?}"),
    }
}

#[test]
fn a_fault_at_any_call_leaves_whole_commits_and_loses_none_that_was_acknowledged() {
    let undisturbed = tempfile::tempdir().unwrap();
    let store = open_clean(undisturbed.path());
    let armed = fault::arm(Plan::observe());
    assert_eq!(run(&store, 0).0, 3);
    let calls = armed.passed();
    drop(armed);
    for call in ["store.batch", "store.flush", "store.sync", "store.mirror.append", "store.mirror.sync"] {
        assert!(calls.contains(&call), "no commit calls {call}");
    }
    let last = calls.len() as u64;
    let crashes = (1..=last).map(Plan::crash_at);
    let refusals = (1..=last).map(|n| Plan::fail_at(n, io::ErrorKind::StorageFull));
    for plan in crashes.chain(refusals) {
        let told = format!("{plan:?}");
        let dir = tempfile::tempdir().unwrap();
        let store = open_clean(dir.path());
        let armed = fault::arm(plan);
        let (acknowledged, error) = run(&store, 0);
        drop(armed);
        assert!(matches!(error, Some(StoreError::Disk { .. })), "{told}: {error:?}");
        let refused = store.commit(&commits()[acknowledged]).unwrap_err();
        assert!(matches!(refused, StoreError::Poisoned), "{told}: {refused}");
        assert!(matches!(store.handled("alpha-0.eml"), Err(StoreError::Poisoned)));
        drop(store);

        let (store, _) = open(dir.path());
        let held = held(&store);
        assert!((acknowledged..=acknowledged + 1).contains(&held), "{told}: {held} of {acknowledged}");
        assert_eq!(run(&store, held).0, 3);
        drop(store);
        assert_eq!(self::held(&open_clean(dir.path())), 3);
        for name in ["alpha", "beta"] {
            assert_eq!(mirror_of(dir.path(), name), mirror_of(undisturbed.path(), name), "{told}");
        }
    }
}

/// Does something to the database's directory.
type Calamity = fn(&Path);

/// Ways in which a database is lost or goes bad, each done to a closed store.
const CALAMITIES: [(&str, Calamity); 9] = [
    ("gone", |store| fs::remove_dir_all(store).unwrap()),
    ("an empty directory", |store| {
        fs::remove_dir_all(store).unwrap();
        fs::create_dir(store).unwrap();
    }),
    ("silently empty", |store| {
        let elsewhere = tempfile::tempdir().unwrap();
        drop(open_clean(elsewhere.path()));
        fs::remove_dir_all(store).unwrap();
        let copied = std::process::Command::new("cp")
            .arg("-r")
            .arg(elsewhere.path().join("store"))
            .arg(store)
            .status();
        assert!(copied.unwrap().success());
    }),
    ("all garbage", |store| {
        let size = usize::try_from(fs::metadata(store.join("db")).unwrap().len()).unwrap();
        fs::write(store.join("db"), b"Vive l'Empereur! ".repeat(size / 17 + 1)).unwrap();
    }),
    ("a file of zeros", |store| {
        let size = fs::metadata(store.join("db")).unwrap().len();
        let file = fs::File::create(store.join("db")).unwrap();
        file.set_len(size).unwrap();
    }),
    ("an empty file", |store| drop(fs::File::create(store.join("db")).unwrap())),
    ("garbage in the middle", |store| {
        let mut bytes = fs::read(store.join("db")).unwrap();
        bytes[600..4000].fill(b'?');
        fs::write(store.join("db"), bytes).unwrap();
    }),
    ("a foreign configuration", |store| fs::write(store.join("conf"), "what is this?\n").unwrap()),
    ("known to have failed", |store| fs::write(store.with_extension("condemned"), "").unwrap()),
];

#[test]
fn a_store_that_is_lost_is_rebuilt_from_the_mirrors() {
    for (calamity, strike) in CALAMITIES {
        let dir = tempfile::tempdir().unwrap();
        history(dir.path());
        strike(&dir.path().join("store"));
        let aside = dir.path().join("store").exists();
        let (store, recovery) = open(dir.path());
        assert_history(&store, dir.path());
        assert!(
            recovery.notes.iter().any(|n| n.contains("rebuilt from 2 mirror journals")),
            "{calamity}: {recovery:?}"
        );
        assert_eq!(dir.path().join("store.damaged-1").exists(), aside, "{calamity}: the old store is kept");
        store.commit(&[step("alpha", 3)]).unwrap();
        drop(store);
        assert_eq!(whole_steps(&open_clean(dir.path()), "alpha"), 4, "{calamity}");
    }
}

#[test]
fn a_crash_while_mending_is_mended_too() {
    let strike = |dir: &Path| {
        history(dir);
        // A store that must be rebuilt, and a mirror that must be cut.
        fs::write(dir.join("store/conf"), "what is this?\n").unwrap();
        let torn = mirror_of(dir, "beta") + "{\"n\":2,\"prev\"";
        fs::write(mirror(dir, "beta"), torn).unwrap();
    };
    let dir = tempfile::tempdir().unwrap();
    strike(dir.path());
    let armed = fault::arm(Plan::observe());
    drop(open(dir.path()));
    let calls = armed.passed();
    drop(armed);
    assert!(calls.contains(&"store.rename") && calls.contains(&"store.mirror.cut"), "{calls:?}");
    for n in 1..=calls.len() {
        let dir = tempfile::tempdir().unwrap();
        strike(dir.path());
        let armed = fault::arm(Plan::crash_at(n as u64));
        assert!(Store::open(dir.path()).is_err());
        drop(armed);
        let (store, _) = open(dir.path());
        assert_history(&store, dir.path());
        drop(store);
        assert_history(&open_clean(dir.path()), dir.path());
    }
}

/// What is left of a mirror's text; none if the file is gone.
type Loss = fn(&str) -> Option<String>;

#[test]
fn a_mirror_that_lags_is_topped_up() {
    let losses: [(&str, Loss); 5] = [
        ("gone", |_| None),
        ("empty", |_| Some(String::new())),
        ("without its last line", |text| Some(text.split_inclusive('\n').take(3).collect())),
        ("cut in its last line", |text| Some(text[..text.len() - 20].to_owned())),
        ("zeros for its end", |text| Some(text[..text.len() - 20].to_owned() + &"\0".repeat(20))),
    ];
    for (loss, lose) in losses {
        let dir = tempfile::tempdir().unwrap();
        history(dir.path());
        let whole = mirror_of(dir.path(), "alpha");
        match lose(&whole) {
            Some(rest) => fs::write(mirror(dir.path(), "alpha"), rest).unwrap(),
            None => fs::remove_file(mirror(dir.path(), "alpha")).unwrap(),
        }
        let (store, recovery) = open(dir.path());
        assert_history(&store, dir.path());
        assert_eq!(mirror_of(dir.path(), "alpha"), whole, "{loss}");
        assert!(recovery.notes.iter().any(|n| n.contains("alpha.jsonl")), "{loss}: {recovery:?}");
        drop(store);
        open_clean(dir.path());
    }
}

#[test]
fn half_a_line_more_than_the_store_has_is_cut_off() {
    for extra in ["{\"n\":5,\"prev\":\"", "\0\0\0\0\0", "nonsense\n"] {
        let dir = tempfile::tempdir().unwrap();
        history(dir.path());
        let whole = mirror_of(dir.path(), "alpha");
        fs::write(mirror(dir.path(), "alpha"), format!("{whole}{extra}")).unwrap();
        let (store, recovery) = open(dir.path());
        assert_history(&store, dir.path());
        assert_eq!(mirror_of(dir.path(), "alpha"), whole);
        assert!(recovery.notes[0].contains("in the middle of line 5"), "{recovery:?}");
    }
}

/// Alters a word in line 2 of the mirror of `alpha`.
fn alter(dir: &Path) {
    let text = mirror_of(dir, "alpha").replace("entry 1 of alpha", "entry 9 of alpha");
    fs::write(mirror(dir, "alpha"), text).unwrap();
}

#[test]
fn a_mirror_altered_in_the_middle_is_mended_from_a_good_store_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    history(dir.path());
    let whole = mirror_of(dir.path(), "alpha");
    alter(dir.path());
    let (store, recovery) = open(dir.path());
    assert_history(&store, dir.path());
    assert_eq!(mirror_of(dir.path(), "alpha"), whole);
    assert!(recovery.notes[0].contains("alpha.jsonl` line 2: "), "{recovery:?}");
    let kept = fs::read_to_string(dir.path().join("mirror/alpha.jsonl.damaged-1")).unwrap();
    assert!(kept.contains("entry 9 of alpha"));
}

#[test]
fn a_mirror_of_garbage_is_made_anew_from_a_good_store_and_kept() {
    for garbage in [&b"\xff\0\x17no journal"[..], &b"one\ntwo\n\x80\n".repeat(50), b"\n\n\n\n\n\n\n\n\n"] {
        let dir = tempfile::tempdir().unwrap();
        history(dir.path());
        let whole = mirror_of(dir.path(), "alpha");
        fs::write(mirror(dir.path(), "alpha"), garbage).unwrap();
        let (store, recovery) = open(dir.path());
        assert_history(&store, dir.path());
        assert_eq!(mirror_of(dir.path(), "alpha"), whole);
        assert!(recovery.notes[0].contains("alpha.jsonl`"), "{recovery:?}");
    }
}

#[test]
fn a_store_that_lost_lines_which_a_damaged_mirror_has_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    history(dir.path());
    // The store of a moment ago, and a mirror with a flaw before the lines that it lacks.
    let old = tempfile::tempdir().unwrap();
    let store = open_clean(old.path());
    store.commit(&commits()[0]).unwrap();
    drop(store);
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    fs::rename(old.path().join("store"), dir.path().join("store")).unwrap();
    let text = mirror_of(dir.path(), "alpha");
    assert!(text.lines().count() > 2);
    fs::write(mirror(dir.path(), "alpha"), format!("x{text}")).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    assert!(matches!(&error, StoreError::Mirror { line: 1, .. }), "{error:?}");
}

#[test]
fn without_a_store_an_altered_mirror_is_an_error_with_file_and_line() {
    let dir = tempfile::tempdir().unwrap();
    history(dir.path());
    alter(dir.path());
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    for _ in 0..2 {
        let error = Store::open(dir.path()).unwrap_err();
        assert!(matches!(&error, StoreError::Mirror { line: 2, .. }), "{error:?}");
        assert!(
            error.to_string().contains("alpha.jsonl` line 2: ") && error.to_string().contains("backup"),
            "{error}"
        );
        assert!(!error.may_pass());
    }
    // What the message advises: cut the file before the line.
    let first = mirror_of(dir.path(), "alpha").lines().next().unwrap().to_owned() + "\n";
    fs::write(mirror(dir.path(), "alpha"), first).unwrap();
    assert_eq!(whole_steps(&open(dir.path()).0, "alpha"), 1);
}

#[test]
fn a_mirror_of_another_story_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    history(dir.path());
    let other = tempfile::tempdir().unwrap();
    let store = open_clean(other.path());
    for n in 0..4 {
        let entries = vec![note("another story")];
        store.commit(&[Step { game: Some(game("alpha")), position: n, entries, ..Step::default() }]).unwrap();
    }
    fs::copy(mirror(other.path(), "alpha"), mirror(dir.path(), "alpha")).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::Diverged { line: 4, .. }), "{error:?}");
    // Nor one game's journal for another's.
    let dir = tempfile::tempdir().unwrap();
    history(dir.path());
    fs::copy(mirror(dir.path(), "alpha"), mirror(dir.path(), "beta")).unwrap();
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    assert!(matches!(Store::open(dir.path()).unwrap_err(), StoreError::Mirror { line: 1, .. }));
}

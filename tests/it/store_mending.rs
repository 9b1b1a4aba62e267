//! The store after a crash, a lost database or a damaged mirror: it mends itself from the other copy, or says what is wrong.

use std::fs;
use std::io;
use std::path::Path;

use musterd::fault::{self, Plan};
use musterd::store::{HOST, Ledger as _, Records as _, Step, Store, StoreError};

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
        let error = error.unwrap();
        let is_stored = match &error {
            StoreError::Unmirrored { .. } => Some(true),
            StoreError::Unclear { .. } => None,
            other => panic!("{told}: {other:?}"),
        };
        assert!(error.may_pass() && error.to_string().contains("before you repeat"), "{told}: {error}");
        let refused = store.commit(&commits()[acknowledged]).unwrap_err();
        assert!(matches!(refused, StoreError::Poisoned), "{told}: {refused}");
        assert!(matches!(store.handled("alpha-0.eml"), Err(StoreError::Poisoned)));
        drop(store);

        let (store, _) = open(dir.path());
        let held = held(&store);
        assert!((acknowledged..=acknowledged + 1).contains(&held), "{told}: {held} of {acknowledged}");
        assert!(is_stored.is_none_or(|stored| stored == (held > acknowledged)), "{told}: {held}");
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

#[test]
fn a_rebuilding_without_room_leaves_the_old_store_in_its_place() {
    let strike = |dir: &Path| {
        history(dir);
        fs::write(dir.join("store/conf"), "what is this?\n").unwrap();
    };
    let dir = tempfile::tempdir().unwrap();
    strike(dir.path());
    let armed = fault::arm(Plan::observe());
    drop(open(dir.path()));
    let calls = armed.passed();
    drop(armed);
    let call = |name| 1 + calls.iter().position(|call| *call == name).unwrap();
    let (built, set_aside) = (call("store.rebuilt"), call("store.rename"));
    for n in 1..=set_aside {
        let dir = tempfile::tempdir().unwrap();
        strike(dir.path());
        let armed = fault::arm(Plan::disk_full_from(n as u64));
        let error = Store::open(dir.path()).unwrap_err();
        drop(armed);
        assert!(error.to_string().starts_with("the disk is full"), "call {n}: {error}");
        assert_eq!(fs::read_to_string(dir.path().join("store/conf")).unwrap(), "what is this?\n", "call {n}");
        assert!(!dir.path().join("store.damaged-1").exists(), "call {n}");
        assert_eq!(dir.path().join("store.rebuilding").exists(), n >= built, "call {n}: half takes no room");
        let (store, recovery) = open(dir.path());
        assert_history(&store, dir.path());
        let told = recovery.notes.concat();
        assert!(told.contains("could not be opened") && told.contains("store.damaged-1"), "call {n}: {told}");
    }
}

#[test]
fn half_a_snapshot_of_the_database_is_no_damage() {
    for half in [&b""[..], b"\x01\x02\x03 and then there was no room any more"] {
        let dir = tempfile::tempdir().unwrap();
        history(dir.path());
        let file = dir.path().join("store/snap.7FFFFFFFFFFFFFFF.generating");
        fs::write(&file, half).unwrap();
        assert_history(&open_clean(dir.path()), dir.path());
        assert!(!file.exists());
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
    for extra in ["{\"n\":5,\"prev\":\"", "\0\0\0\0\0", "nonsense"] {
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

#[test]
fn a_whole_last_line_that_is_wrong_is_damage_and_is_never_cut_in_silence() {
    let altered: fn(&str) -> String = |text| text.replace("entry 2 of alpha", "entry 9 of alpha");
    let more: fn(&str) -> String = |text| format!("{text}nonsense\n");
    for (harm, line) in [(altered, 3), (more, 5)] {
        let dir = tempfile::tempdir().unwrap();
        history(dir.path());
        if line == 3 {
            // So that it is the last.
            let text: String = mirror_of(dir.path(), "alpha").split_inclusive('\n').take(3).collect();
            fs::write(mirror(dir.path(), "alpha"), text).unwrap();
        }
        let whole = mirror_of(dir.path(), "alpha");
        let damaged = harm(&whole);
        assert_ne!(damaged, whole);
        fs::write(mirror(dir.path(), "alpha"), &damaged).unwrap();
        // With the store it is mended, and the damaged one is kept.
        let (store, recovery) = open(dir.path());
        assert_history(&store, dir.path());
        drop(store);
        assert!(recovery.notes[0].contains(&format!("alpha.jsonl` line {line}: ")), "{recovery:?}");
        let kept = fs::read_to_string(dir.path().join("mirror/alpha.jsonl.damaged-1")).unwrap();
        assert_eq!(kept, damaged);
        // Without it nobody knows what stood there.
        fs::write(mirror(dir.path(), "alpha"), &damaged).unwrap();
        fs::remove_dir_all(dir.path().join("store")).unwrap();
        let (store, recovery) = open(dir.path());
        assert!(recovery.set_aside["alpha"].contains(&format!("alpha.jsonl` line {line}: ")), "{recovery:?}");
        assert_eq!(mirror_of(dir.path(), "alpha"), damaged);
        assert_eq!(whole_steps(&store, "beta"), 1);
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
fn a_store_that_lost_lines_which_a_damaged_mirror_has_is_not_believed_in_that_game() {
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
    let (store, recovery) = open(dir.path());
    assert!(recovery.set_aside["alpha"].contains("alpha.jsonl` line 1: "), "{recovery:?}");
    assert!(dir.path().join("store.damaged-1").exists(), "what the old store had of it is kept");
    assert_eq!((store.games().unwrap(), whole_steps(&store, "beta")), (vec![game("beta")], 1));
}

#[test]
fn without_a_store_an_altered_mirror_sets_its_game_aside_with_file_and_line() {
    let dir = tempfile::tempdir().unwrap();
    history(dir.path());
    alter(dir.path());
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    for n in 0..2 {
        let (store, recovery) = open(dir.path());
        let why = &recovery.set_aside["alpha"];
        assert!(why.contains("alpha.jsonl` line 2: ") && why.contains("backup"), "{why}");
        assert_eq!(store.set_aside(&game("alpha")).as_ref(), Some(why));
        assert_eq!(
            (store.games().unwrap(), store.position(&game("beta")).unwrap()),
            (vec![game("beta")], 1 + n)
        );
        for refused in [
            store.entries(&game("alpha")).map(drop),
            store.commit(&[Step { position: 0, ..step("alpha", 0) }]),
        ] {
            assert!(
                matches!(&refused, Err(StoreError::SetAside { why: told, .. }) if told == why),
                "{refused:?}"
            );
        }
        store.commit(&[step("beta", 1 + n)]).unwrap();
        assert!(store.due(i64::MAX, 100).unwrap().iter().all(|due| due.packet.id.starts_with("beta/")));
        assert!(!dir.path().join("store.damaged-1").exists(), "the database isn't built anew each time");
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
    let file = mirror_of(dir.path(), "alpha");
    let (store, recovery) = open(dir.path());
    let why = &recovery.set_aside["alpha"];
    assert!(why.contains("line 4 is not what the store holds") && why.contains("keep the one"), "{why}");
    // Both stories stay as they are.
    assert!(matches!(store.entries(&game("alpha")), Err(StoreError::SetAside { .. })));
    assert!(store.commit(&[step("alpha", 3)]).is_err());
    let due = store.due(i64::MAX, 100).unwrap();
    assert!(!due.is_empty() && due.iter().all(|due| due.packet.id.starts_with("beta/")));
    assert_eq!((store.next_due().unwrap(), mirror_of(dir.path(), "alpha")), (Some(100), file));
    assert_eq!(whole_steps(&store, "beta"), 1);
    drop(store);
    // What the message advises: the file is moved away.
    fs::remove_file(mirror(dir.path(), "alpha")).unwrap();
    assert_history(&open(dir.path()).0, dir.path());
}

#[test]
fn one_games_journal_under_the_name_of_another_is_called_what_it_is() {
    let dir = tempfile::tempdir().unwrap();
    history(dir.path());
    // A copy that somebody made by hand; there is no such game.
    fs::copy(mirror(dir.path(), "alpha"), mirror(dir.path(), "alpha-old")).unwrap();
    for lose_the_store in [false, true] {
        if lose_the_store {
            fs::remove_dir_all(dir.path().join("store")).unwrap();
        }
        let (store, recovery) = open(dir.path());
        let why = &recovery.set_aside["alpha-old"];
        assert!(why.contains("a copy of that of `alpha`: move it out"), "{why}");
        assert_history(&store, dir.path());
    }
    fs::remove_file(mirror(dir.path(), "alpha-old")).unwrap();
    // Over the journal of another it is mended from the store, however long it is.
    let whole = mirror_of(dir.path(), "beta");
    fs::copy(mirror(dir.path(), "alpha"), mirror(dir.path(), "beta")).unwrap();
    let (store, recovery) = open(dir.path());
    assert!(recovery.notes[0].contains("the journal of another game"), "{recovery:?}");
    assert_eq!((recovery.set_aside.len(), mirror_of(dir.path(), "beta")), (0, whole));
    drop(store);
    fs::copy(mirror(dir.path(), "alpha"), mirror(dir.path(), "beta")).unwrap();
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    let (store, recovery) = open(dir.path());
    assert!(recovery.set_aside["beta"].contains("a copy of that of `alpha`"), "{recovery:?}");
    assert_eq!(whole_steps(&store, "alpha"), 3);
}

#[test]
fn the_damaged_journal_of_what_is_no_games_is_cut_and_kept_and_stops_no_game() {
    let dir = tempfile::tempdir().unwrap();
    history(dir.path());
    let (store, _) = open(dir.path());
    for n in 0..3 {
        store.commit(&[Step { seen: vec![format!("stranger {n}")], ..Step::default() }]).unwrap();
    }
    drop(store);
    let text = mirror_of(dir.path(), HOST);
    fs::write(mirror(dir.path(), HOST), text.replace("stranger 1", "stranger 9")).unwrap();
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    let (store, recovery) = open(dir.path());
    assert!(
        recovery.notes[0].contains("_host.jsonl` line 2: ") && recovery.set_aside.is_empty(),
        "{recovery:?}"
    );
    assert!(dir.path().join("mirror/_host.jsonl.damaged-1").exists());
    assert_history(&store, dir.path());
    let known = ["stranger 0", "stranger 1", "stranger 2"].map(|key| store.seen(key).unwrap());
    assert_eq!(known, [true, false, false]);
    drop(store);
    open_clean(dir.path());
}

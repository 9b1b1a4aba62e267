//! The store: whole steps or none, whatever fails; two copies of everything; one process at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use musterd::engine::GameId;
use musterd::engine::journal::{Cause, Entry};
use musterd::fault::{self, Plan};
use musterd::store::{Attempt, HOST, LedgerLine, Packet, Recovery, Step, Store, StoreError, Tried};
use proptest::prelude::*;

pub(crate) fn game(id: &str) -> GameId {
    id.parse().unwrap()
}

pub(crate) fn note(text: &str) -> Entry {
    Entry { at: 1_795_000_000, cause: Cause::Noted { text: text.to_owned() } }
}

pub(crate) fn packet(id: &str, to: &[&str]) -> Packet {
    Packet {
        id: id.to_owned(),
        to: to.iter().map(|&a| a.to_owned()).collect(),
        from: "gm@example.org".to_owned(),
        message_id: format!("<{}@example.org>", id.replace('/', ".")),
        raw: format!("Subject: {id}\r\n\r\nThe season is resolved.\r\n"),
        not_before: 100,
        stale_after: None,
    }
}

/// The `n`th step (from 0) of a game: one entry, one mail seen and handled, one packet to two people.
pub(crate) fn step(id: &str, n: u64) -> Step {
    Step {
        game: Some(game(id)),
        position: n,
        entries: vec![note(&format!("entry {n} of {id}"))],
        seen: vec![format!("{id} french <{n}@player>")],
        handled: vec![format!("{id}-{n}.eml")],
        packets: vec![packet(&format!("{id}/{n}/french/receipt"), &["a@x.example", "b@y.example"])],
    }
}

fn open(dir: &Path) -> (Store, Recovery) {
    Store::open(dir).unwrap()
}

/// Opens a store that nothing happened to.
fn open_clean(dir: &Path) -> Store {
    let (store, recovery) = open(dir);
    assert_eq!(recovery, Recovery::default());
    store
}

fn mirror(dir: &Path, name: &str) -> PathBuf {
    dir.join("mirror").join(format!("{name}.jsonl"))
}

/// How many steps made by [`step`] the store holds; each must be there with all its parts or with none.
fn whole_steps(store: &Store, id: &str) -> u64 {
    let held = store.position(&game(id)).unwrap();
    let entries = store.entries(&game(id)).unwrap();
    let ledger = store.ledger(Some(&game(id))).unwrap();
    assert_eq!(entries.len() as u64, held);
    assert_eq!(ledger.len() as u64, 2 * held);
    for n in 0..held + 3 {
        let there = n < held;
        let wanted = step(id, n);
        assert_eq!(entries.get(usize::try_from(n).unwrap()), wanted.entries.first().filter(|_| there));
        assert_eq!(store.seen(&wanted.seen[0]).unwrap(), there, "seen of step {n}");
        assert_eq!(store.handled(&wanted.handled[0]).unwrap(), there, "handled of step {n}");
        assert_eq!(store.packet(&wanted.packets[0].id).unwrap(), wanted.packets.into_iter().find(|_| there));
    }
    held
}

fn mirror_of(dir: &Path, name: &str) -> String {
    fs::read_to_string(mirror(dir, name)).unwrap_or_default()
}

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

fn sent(packet: &str, to: &str) -> Tried {
    tried(packet, to, Attempt::Sent { at: 200, reply: "250 taken".into() })
}

fn tried(packet: &str, to: &str, attempt: Attempt) -> Tried {
    Tried { packet: packet.into(), recipient: to.into(), attempt }
}

#[test]
fn what_was_committed_is_there_after_reopening() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    assert_eq!((store.games().unwrap(), store.next_due().unwrap()), (vec![], None));
    store.commit(&[step("alpha", 0), step("beta", 0), step("alpha", 1)]).unwrap();
    store.commit(&[step("alpha", 2)]).unwrap();
    let host = Step {
        handled: vec!["stranger.eml".into()],
        packets: vec![packet(&format!("{HOST}/help/1"), &["s@z.example"])],
        ..Step::default()
    };
    store.commit(&[host]).unwrap();
    let check = |store: &Store| {
        assert_eq!(store.games().unwrap(), [game("alpha"), game("beta")]);
        assert_eq!((whole_steps(store, "alpha"), whole_steps(store, "beta")), (3, 1));
        assert_eq!(store.entries_from(&game("alpha"), 2).unwrap(), step("alpha", 2).entries);
        assert_eq!(store.entries(&game("gamma")).unwrap(), []);
        assert!(store.handled("stranger.eml").unwrap());
        assert_eq!(store.ledger(None).unwrap().len(), 1);
        assert_eq!(store.next_due().unwrap(), Some(100));
    };
    check(&store);
    drop(store);
    check(&open_clean(dir.path()));
}

#[test]
fn nobody_else_may_look() {
    let dir = tempfile::tempdir().unwrap();
    history(dir.path());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir.path().join("mirror")), 0o700);
    assert_eq!(mode(&mirror(dir.path(), "alpha")), 0o600);
    assert_eq!(mode(&dir.path().join("store")), 0o700);
}

#[test]
fn a_second_daemon_is_told_so() {
    let dir = tempfile::tempdir().unwrap();
    let first = open_clean(dir.path());
    let error = Store::open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error:?}");
    assert!(error.to_string().starts_with("another musterd is running on the store in"), "{error}");
    first.commit(&[step("alpha", 0)]).unwrap();
    drop(first);
    assert_eq!(whole_steps(&open_clean(dir.path()), "alpha"), 1);
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

#[test]
fn a_full_disk_is_told_in_plain_words() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    let armed = fault::arm(Plan::disk_full_from(1));
    let error = store.commit(&[step("alpha", 0)]).unwrap_err();
    drop(armed);
    assert!(error.to_string().starts_with("the disk is full"), "{error}");
    assert!(error.to_string().contains("mails stay where they are"), "{error}");
    assert!(error.may_pass());
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

#[test]
fn a_step_made_for_another_state_is_refused_and_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    store.commit(&[step("alpha", 0)]).unwrap();
    for stale in [0, 2] {
        let steps = [step("beta", 0), Step { position: stale, ..step("alpha", 1) }];
        let error = store.commit(&steps).unwrap_err();
        assert!(
            matches!(error, StoreError::Stale { held: 1, expected, .. } if expected == stale),
            "{error:?}"
        );
        assert_eq!((whole_steps(&store, "alpha"), whole_steps(&store, "beta")), (1, 0));
    }
    store.commit(&[step("alpha", 1)]).unwrap();
    assert_eq!(whole_steps(&store, "alpha"), 2);
}

#[test]
fn what_can_not_be_stored_is_refused_before_anything_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    store.commit(&[step("alpha", 0)]).unwrap();
    let good = || packet("alpha/1/french/receipt", &["a@x.example"]);
    let unfit = [
        Packet { raw: "x".repeat(Packet::LARGEST), ..good() },
        Packet { raw: "Südfront".into(), ..good() },
        Packet { to: vec![], ..good() },
        Packet { to: vec!["a@x.example".into(), "a@x.example".into()], ..good() },
        Packet { to: vec!["a@x.example\r\nBcc: b@y.example".into()], ..good() },
        Packet { id: "beta/1/french/receipt".into(), ..good() },
        Packet { id: "alpha/1/french/the receipt".into(), ..good() },
        Packet { id: "alpha/0/french/receipt".into(), ..good() },
    ];
    for packet in unfit {
        let told = packet.id.clone();
        let steps = [Step { packets: vec![good(), packet], ..step("alpha", 1) }];
        let error = store.commit(&steps).unwrap_err();
        assert!(matches!(error, StoreError::Unfit(_)), "{told}: {error:?}");
    }
    let homeless = Step { entries: vec![note("x")], ..Step::default() };
    assert!(matches!(store.commit(&[homeless]).unwrap_err(), StoreError::Unfit(_)));
    assert_eq!(whole_steps(&store, "alpha"), 1);
    store.commit(&[Step { packets: vec![good()], ..step("alpha", 1) }]).unwrap();
}

#[test]
fn the_ledger_follows_every_recipient_alone() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    let id = "alpha/1/french/dispatch";
    let people = ["a@x", "b@x", "c@x", "d@x"];
    let dispatch = Packet { stale_after: Some(900), ..packet(id, &people) };
    store.commit(&[Step { packets: vec![dispatch], ..step("alpha", 0) }]).unwrap();
    assert_eq!(store.due(99, 10).unwrap(), []);
    assert_eq!(store.due(100, 10).unwrap().iter().map(|o| o.recipient.as_str()).collect::<Vec<_>>(), people);
    let deferred = Attempt::Deferred { at: 100, next: 160, reason: "450 greylisted".into() };
    let refused = Attempt::Refused { at: 101, reason: "550 no such user".into() };
    let round = [tried(id, "a@x", deferred.clone()), sent(id, "b@x"), tried(id, "c@x", refused.clone())];
    store.record(&round).unwrap();
    let line = |to: &str, attempts, next, last| LedgerLine {
        packet: id.into(),
        recipient: to.into(),
        attempts,
        next,
        last,
    };
    let sent_at_200 = sent(id, "b@x").attempt;
    let ledger = [
        line("a@x", 1, Some(160), Some(deferred)),
        line("b@x", 1, None, Some(sent_at_200)),
        line("c@x", 1, None, Some(refused.clone())),
        line("d@x", 0, Some(100), None),
    ];
    assert_eq!(store.ledger(Some(&game("alpha"))).unwrap(), ledger);
    assert_eq!(store.ledger(Some(&game("alph"))).unwrap(), []);
    assert_eq!(store.next_due().unwrap(), Some(100));

    let due = store.due(1000, 10).unwrap();
    assert_eq!(
        due.iter().map(|o| (o.recipient.as_str(), o.attempts)).collect::<Vec<_>>(),
        [("d@x", 0), ("a@x", 1)]
    );
    assert!(due[0].is_stale(1000) && !due[0].is_stale(900));
    store.record(&[due[0].tried(Attempt::Stale { at: 1000 }), sent(id, "a@x")]).unwrap();
    assert_eq!((store.due(i64::MAX, 10).unwrap(), store.next_due().unwrap()), (vec![], None));

    // Settled is settled, but what was sent may bounce.
    for settled in [sent(id, "a@x"), sent(id, "c@x"), sent(id, "nobody@x"), sent("alpha/9/x/y", "a@x")] {
        assert!(matches!(store.record(&[settled]).unwrap_err(), StoreError::Unfit(_)));
    }
    store.record(&[tried(id, "b@x", refused.clone())]).unwrap();
    drop(store);
    let ledger = open_clean(dir.path()).ledger(Some(&game("alpha"))).unwrap();
    assert_eq!(ledger[1], line("b@x", 1, None, Some(refused)));
    assert_eq!(ledger.iter().map(|l| l.attempts).collect::<Vec<_>>(), [2, 1, 1, 0]);
}

#[test]
fn the_queue_gives_what_is_longest_due_first() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    let times = [300, -5, 100, 200];
    let packets = times.map(|at| Packet { not_before: at, ..packet(&format!("alpha/{at}/x"), &["a@x"]) });
    store.commit(&[Step { packets: packets.to_vec(), ..step("alpha", 0) }]).unwrap();
    let due =
        |now, limit| store.due(now, limit).unwrap().iter().map(|o| o.packet.not_before).collect::<Vec<_>>();
    assert_eq!(due(250, 10), [-5, 100, 200]);
    assert_eq!(due(250, 2), [-5, 100]);
    assert_eq!(due(-6, 10), [] as [i64; 0]);
}

/// sled keeps items of more than 128 KiB in files that it never syncs, and several values make one item.
#[test]
fn large_mails_and_foundings_stay_out_of_the_files_that_sled_never_syncs() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    let raw = "Die ganze Ordre de Bataille\r\n".repeat(8500);
    assert!(raw.len() > 240_000);
    for n in 0..30 {
        let packets =
            (0..2).map(|k| Packet { raw: raw.clone(), ..packet(&format!("alpha/{n}/{k}"), &["a@x"]) });
        let entries = vec![note(&"founding ".repeat(12_000)), note("short")];
        let step = Step { packets: packets.collect(), entries, ..step("alpha", 2 * n) };
        store.commit(&[step]).unwrap();
    }
    assert_eq!(fs::read_dir(dir.path().join("store/blobs")).unwrap().count(), 0);
    drop(store);
    let store = open_clean(dir.path());
    assert_eq!(store.entries(&game("alpha")).unwrap()[58], note(&"founding ".repeat(12_000)));
    assert_eq!(store.packet("alpha/17/1").unwrap().unwrap().raw, raw);
    assert_eq!(fs::read_dir(dir.path().join("store/blobs")).unwrap().count(), 0);
}

#[test]
fn many_steps_share_one_sync() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    let steps: Vec<_> =
        (0..100).map(|n| step(["alpha", "beta"][usize::try_from(n % 2).unwrap()], n / 2)).collect();
    let armed = fault::arm(Plan::observe().only("store.sync"));
    store.commit(&steps).unwrap();
    assert_eq!(armed.passed().len(), 1);
    drop(armed);
    assert_eq!((whole_steps(&store, "alpha"), whole_steps(&store, "beta")), (50, 50));
    // Nothing to say is not a line.
    store.commit(&[]).unwrap();
    store.commit(&[Step { game: Some(game("alpha")), position: 50, ..Step::default() }]).unwrap();
    assert_eq!(mirror_of(dir.path(), "alpha").lines().count(), 50);
}

/// What happens to a store in the property test.
#[derive(Debug, Clone)]
enum Happening {
    Commit(Vec<(usize, usize, bool)>),
    Fault(u64, Vec<(usize, usize, bool)>),
    Send(usize),
    Reopen,
    LoseStore,
    LoseMirror(usize),
}

const GAMES: [&str; 3] = ["alpha", "beta", "gamma"];

/// A plain picture of what the store should hold.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model {
    entries: BTreeMap<GameId, Vec<Entry>>,
    seen: BTreeSet<String>,
    pending: BTreeSet<String>,
    sent: BTreeSet<String>,
}

impl Model {
    /// The steps that this plan asks for in this state.
    fn steps(&mut self, plan: &[(usize, usize, bool)]) -> Vec<Step> {
        let mut steps = Vec::new();
        for &(which, entries, mail) in plan {
            let id = game(GAMES[which]);
            let journal = self.entries.entry(id.clone()).or_default();
            let position = journal.len() as u64;
            let entries: Vec<_> = (0..entries).map(|k| note(&"x".repeat(k * 3000 + 1))).collect();
            journal.extend(entries.clone());
            let name = format!("{id}/{}", self.seen.len());
            self.seen.insert(name.clone());
            if mail {
                self.pending.insert(name.clone());
            }
            let packets = if mail { vec![packet(&name, &["a@x"])] } else { vec![] };
            steps.push(Step {
                game: Some(id),
                position,
                entries,
                seen: vec![name],
                packets,
                ..Step::default()
            });
        }
        steps
    }

    fn read(store: &Store, of: &Model) -> Model {
        let mut read = Model::default();
        for id in store.games().unwrap() {
            read.entries.insert(id.clone(), store.entries(&id).unwrap());
            for line in store.ledger(Some(&id)).unwrap() {
                let place = if line.next.is_some() { &mut read.pending } else { &mut read.sent };
                place.insert(line.packet);
            }
        }
        read.seen = of.seen.iter().filter(|key| store.seen(key).unwrap()).cloned().collect();
        let due: BTreeSet<_> =
            store.due(i64::MAX, 10_000).unwrap().into_iter().map(|o| o.packet.id).collect();
        assert_eq!(due, read.pending);
        read
    }
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let plan = || prop::collection::vec((0..GAMES.len(), 0..4_usize, any::<bool>()), 1..4);
    let happening = prop_oneof![
        6 => plan().prop_map(Happening::Commit),
        2 => (1..12_u64, plan()).prop_map(|(n, plan)| Happening::Fault(n, plan)),
        3 => any::<usize>().prop_map(Happening::Send),
        1 => Just(Happening::Reopen),
        1 => Just(Happening::LoseStore),
        1 => (0..GAMES.len()).prop_map(Happening::LoseMirror),
    ];
    prop::collection::vec(happening, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_the_store_holds_what_it_acknowledged(happenings in happenings()) {
        let dir = tempfile::tempdir().unwrap();
        let mut store = Some(open_clean(dir.path()));
        let mut model = Model::default();
        for happening in happenings {
            let open_store = store.take().unwrap();
            let before = model.clone();
            match happening {
                Happening::Commit(plan) => open_store.commit(&model.steps(&plan)).unwrap(),
                Happening::Fault(n, plan) => {
                    let steps = model.steps(&plan);
                    let armed = fault::arm(Plan::crash_at(n));
                    let outcome = open_store.commit(&steps);
                    drop(armed);
                    if outcome.is_err() {
                        drop(open_store);
                        let reopened = open(dir.path()).0;
                        let read = Model::read(&reopened, &model);
                        prop_assert!(read == model || read == before, "a commit is there in part: {read:?}");
                        model = read;
                        store = Some(reopened);
                        continue;
                    }
                }
                Happening::Send(n) => {
                    let id = model.pending.iter().nth(n % model.pending.len().max(1)).cloned();
                    if let Some(id) = id {
                        open_store.record(&[sent(&id, "a@x")]).unwrap();
                        model.pending.remove(&id);
                        model.sent.insert(id);
                    }
                }
                Happening::Reopen => {
                    drop(open_store);
                    store = Some(open_clean(dir.path()));
                    continue;
                }
                Happening::LoseStore => {
                    drop(open_store);
                    fs::remove_dir_all(dir.path().join("store")).unwrap();
                    store = Some(open(dir.path()).0);
                    continue;
                }
                Happening::LoseMirror(which) => {
                    drop(open_store);
                    let _ = fs::remove_file(mirror(dir.path(), GAMES[which]));
                    store = Some(open(dir.path()).0);
                    continue;
                }
            }
            store = Some(open_store);
        }
        let read = Model::read(store.as_ref().unwrap(), &model);
        prop_assert_eq!(read, model);
    }
}

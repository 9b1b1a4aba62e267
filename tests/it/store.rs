//! The store: what is committed is there, what can't be stored is refused, the ledger follows every mail; one process at a time.

use musterd::store::{Ledger as _, Records as _};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use musterd::engine::GameId;
use musterd::engine::journal::{Cause, Entry};
use musterd::fault::{self, Plan};
use musterd::store::{Attempt, HOST, LedgerLine, Packet, Recovery, Step, Store, StoreError, Tried};

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
        tried: Vec::new(),
    }
}

pub(crate) fn open(dir: &Path) -> (Store, Recovery) {
    Store::open(dir).unwrap()
}

/// Opens a store that nothing happened to.
pub(crate) fn open_clean(dir: &Path) -> Store {
    let (store, recovery) = open(dir);
    assert!(recovery.notes.is_empty() && recovery.set_aside.is_empty(), "{recovery:?}");
    store
}

pub(crate) fn mirror(dir: &Path, name: &str) -> PathBuf {
    dir.join("mirror").join(format!("{name}.jsonl"))
}

/// How many steps made by [`step`] the store holds; each must be there with all its parts or with none.
pub(crate) fn whole_steps(store: &Store, id: &str) -> u64 {
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

pub(crate) fn mirror_of(dir: &Path, name: &str) -> String {
    fs::read_to_string(mirror(dir, name)).unwrap_or_default()
}

pub(crate) fn sent(packet: &str, to: &str) -> Tried {
    tried(packet, to, Attempt::Sent { at: 200, reply: "250 taken".into() })
}

pub(crate) fn tried(packet: &str, to: &str, attempt: Attempt) -> Tried {
    Tried { packet: packet.into(), recipient: to.into(), attempt }
}

#[test]
fn a_step_that_holds_nothing_writes_no_line() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    store.commit(&[step("alpha", 0)]).unwrap();
    let before = mirror_of(dir.path(), "alpha");
    let nothing = Step {
        entries: Vec::new(),
        seen: Vec::new(),
        handled: Vec::new(),
        packets: Vec::new(),
        ..step("alpha", 1)
    };
    store.commit(&[nothing]).unwrap();
    assert_eq!(mirror_of(dir.path(), "alpha"), before);
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
        assert_eq!(store.entries(&game("alpha")).unwrap()[2..], step("alpha", 2).entries);
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
    open_clean(dir.path()).commit(&[step("alpha", 0)]).unwrap();
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
    let deferred = Attempt::Deferred {
        at: 100,
        next: 160,
        reason: "450 greylisted".into(),
        since: Some(100),
        unclear: 0,
    };
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
fn a_mail_that_is_only_due_at_another_time_was_not_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    let id = "alpha/1/french/dispatch";
    store.commit(&[Step { packets: vec![packet(id, &["a@x"])], ..step("alpha", 0) }]).unwrap();
    // Tried at 100 and at 160; between them it was made due at 120.
    for (at, next, attempts) in [(100, 160, 1), (100, 120, 1), (160, 400, 2)] {
        let deferred = Attempt::Deferred { at, next, reason: "no route".into(), since: None, unclear: 0 };
        store.record(&[tried(id, "a@x", deferred)]).unwrap();
        let line = store.ledger(Some(&game("alpha"))).unwrap().remove(0);
        assert_eq!((line.attempts, line.next, store.next_due().unwrap()), (attempts, Some(next), Some(next)));
    }
}

#[test]
fn a_step_takes_back_what_has_not_left_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    store.commit(&[step("alpha", 0), step("beta", 0)]).unwrap();
    let sent = Attempt::Sent { at: 150, reply: "250 ok".to_owned() };
    store.record(&[tried("alpha/0/french/receipt", "a@x.example", sent.clone())]).unwrap();
    let withdrawn = Attempt::Withdrawn { at: 200, reason: "rolled back to before 3".to_owned() };
    let taking_back = |n: u64, packet: &str, to: &str| Step {
        tried: vec![tried(packet, to, withdrawn.clone())],
        ..step("alpha", n)
    };
    for (packet, to) in [
        ("alpha/0/french/receipt", "a@x.example"),
        ("beta/0/french/receipt", "a@x.example"),
        ("alpha/7/french/receipt", "a@x.example"),
    ] {
        let refused = store.commit(&[taking_back(1, packet, to)]).unwrap_err();
        assert!(matches!(refused, StoreError::Unfit(_)), "{packet} to {to}");
    }
    // Of an earlier step, and of one that is committed with it.
    store
        .commit(&[
            taking_back(1, "alpha/0/french/receipt", "b@y.example"),
            taking_back(2, "alpha/1/french/receipt", "a@x.example"),
        ])
        .unwrap();
    drop(store);
    fs::remove_dir_all(dir.path().join("store")).unwrap();
    let (store, _) = open(dir.path());
    let last = |line: usize| store.ledger(Some(&game("alpha"))).unwrap()[line].last.clone();
    assert_eq!([last(0), last(1), last(2)], [Some(sent), Some(withdrawn.clone()), Some(withdrawn.clone())]);
    let due = store.due(i64::MAX, 99).unwrap();
    let due: Vec<_> = due.iter().map(|o| (o.packet.id.as_str(), o.recipient.as_str())).collect();
    assert!(!due.contains(&("alpha/0/french/receipt", "b@y.example")), "{due:?}");
    assert!(due.contains(&("alpha/1/french/receipt", "b@y.example")), "{due:?}");
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

#[test]
fn what_the_end_of_a_mail_rests_on_lasts_in_its_journal_before_that_end_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let store = open_clean(dir.path());
    store.commit(&["alpha", "bravo", "charlie"].map(|id| step(id, 0))).unwrap();
    // A mail for two games is handled in the later one's journal.
    let bravo = Step { handled: Vec::new(), ..step("bravo", 1) };
    let steps = [step("alpha", 1), bravo, step("charlie", 1)];
    let plan = fault::arm(Plan::observe().only("store.mirror"));
    store.commit(&steps).unwrap();
    let (write, sync) = ("store.mirror.append", "store.mirror.sync");
    assert_eq!(plan.passed(), [write, sync, write, write, sync, sync]);
    drop(plan);
    let crash = fault::arm(Plan::crash_at(2).only("store.mirror"));
    let bravo = Step { handled: Vec::new(), ..step("bravo", 2) };
    store.commit(&[step("alpha", 2), bravo, step("charlie", 2)]).unwrap_err();
    drop(crash);
    let lines = |id| fs::read_to_string(mirror(dir.path(), id)).unwrap().lines().count();
    assert_eq!(["alpha", "bravo", "charlie"].map(lines), [2, 3, 2], "no other is begun before it lasts");
}

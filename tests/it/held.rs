//! Journals that were put back as they were at an earlier time, beside a spool that knows more: each mail has its effect again in
//! the turn that it was for and in no other, and only what nobody can know is left to somebody.

use std::fs;
use std::path::Path;

use musterd::daemon::{Host, HostError, Reply, Request, Vitals, archive, serve};
use musterd::engine::journal::Cause;
use musterd::fault::{self, Plan};

use crate::several::game_of;
use crate::support::*;

fn vitals(host: &mut Host) -> Vitals {
    match host.execute(Request::Vitals).unwrap() {
        Reply::Vitals(vitals) => *vitals,
        other => panic!("{other:?}"),
    }
}

fn ailments(host: &mut Host) -> Vec<String> {
    vitals(host).ailments(3600).into_iter().map(|ailment| ailment.text).collect()
}

fn journal_of(dir: &Path, game: &str) -> Vec<u8> {
    fs::read(dir.join(format!("mirror/{game}.jsonl"))).unwrap()
}

/// Loses the database, and puts a journal back as it was.
fn put_back(dir: &Path, game: &str, journal: &[u8]) {
    fs::remove_dir_all(dir.join("store")).unwrap();
    fs::write(dir.join(format!("mirror/{game}.jsonl")), journal).unwrap();
}

/// Moves a mail of the spool's.
fn moved(dir: &Path, name: &str, from: &str, to: &str) {
    fs::rename(dir.join(from).join(name), dir.join(to).join(name)).unwrap();
}

/// A second game, which somebody plays against computers; it begins at once.
fn begin_beta(host: &mut Host, red: &str) {
    let computer = || "computer".to_owned();
    game_of(host, "beta", &[("red", player(red)), ("blue", computer()), ("umpire", computer())]);
}

fn entries_of(host: &mut Host, game: &str) -> usize {
    match host.execute(Request::Journal { game: game.parse().unwrap() }).unwrap() {
        Reply::Journal { entries } => entries.len(),
        other => panic!("{other:?}"),
    }
}

/// A game that goes on by two turns, with mails of all kinds for each; its journal as it was before them.
fn gone_on(camp: &Camp) -> Vec<u8> {
    let mut host = camp.open();
    founded(camp, &mut host);
    drop(host);
    let early = journal_of(camp.path(), "alpha");
    let mut host = camp.open();
    for (seat, id, text) in [
        ("red", "bid-red", block("BID 3")),
        ("blue", "bid-blue", block("BID 2")),
        ("red", "chat", "no orders at all".to_owned()),
        ("red", "letter", "PRESS TO blue\r\nPeace?\r\nEND PRESS".to_owned()),
    ] {
        camp.post(camp.answer(seat, "dispatch", id, &text));
    }
    settle(&mut host);
    camp.wait(25 * HOUR);
    settle(&mut host);
    // It answers none of the host's mails: only the time when it came says for which turn it is.
    let (from, to) = (&player("umpire"), &camp.newest("umpire", "dispatch").reply_to[0]);
    camp.post(Mail { from, to, id: "ruling", in_reply_to: None, text: &block("UPHOLD") }.raw());
    settle(&mut host);
    camp.wait(25 * HOUR);
    settle(&mut host);
    camp.post(camp.answer("red", "dispatch", "bid-red-2", &block("BID 1")));
    camp.post(camp.answer("red", "dispatch", "chat-2", "nothing here either"));
    settle(&mut host);
    early
}

/// What the journal says of mails, and what was adjudicated: all but the times of the host's own doings.
fn course(host: &mut Host) -> Vec<Cause> {
    let told =
        |cause: &Cause| matches!(cause, Cause::Received(_) | Cause::Adjudicated { .. } | Cause::Pressed(_));
    journal(host).into_iter().map(|entry| entry.cause).filter(told).collect()
}

#[test]
fn each_mail_has_its_effect_again_in_its_own_turn_and_in_the_order_of_the_first_time() {
    let camp = Camp::new();
    let early = gone_on(&camp);
    let mut host = camp.open();
    let whole = course(&mut host);
    assert_eq!(
        verdicts(&mut host)[3..],
        ["accepted", "accepted", "no-orders", "accepted", "accepted", "no-orders"]
    );
    drop(host);
    put_back(camp.path(), "alpha", &early);
    let mut host = camp.open();
    settle(&mut host);
    let first = course(&mut host);
    assert!(first == whole[..first.len()], "{first:?}");
    let t = |cause: &Cause| matches!(cause, Cause::Received(mail) if mail.t > 3);
    assert!(whole.iter().any(t) && !first.iter().any(t), "mails for the turn that is not open yet wait");
    camp.wait(25 * HOUR);
    settle(&mut host);
    assert_eq!(course(&mut host), whole);
    assert_eq!(ailments(&mut host), [""; 0]);
    drop(host);
    for _ in 0..2 {
        let mut host = camp.open();
        settle(&mut host);
        assert_eq!(course(&mut host), whole, "nothing has its effect twice");
        assert!(!camp.path().join("store.rebuilt").exists(), "nothing is held any more");
        drop(host);
        fs::remove_dir_all(camp.path().join("store")).unwrap();
    }
}

/// Opens the host and does all there is to do, unless something fails.
fn came_to_an_end(camp: &Camp) -> Result<(), HostError> {
    let mut host = camp.try_open()?;
    let mut sources = host.config().sources(host.dir())?;
    let relay = host.config().relay(host.dir(), host.clock())?;
    serve::settle(&mut host, &mut sources, &*relay)
}

#[test]
fn a_crash_at_any_step_of_it_loses_and_doubles_nothing() {
    let base = Camp::in_memory();
    let early = gone_on(&base);
    let whole = course(&mut base.open());
    put_back(base.path(), "alpha", &early);
    for n in 1.. {
        let camp = base.in_memory_copy();
        let armed = fault::arm(Plan::crash_at(n));
        let done = came_to_an_end(&camp).is_ok();
        drop(armed);
        let mut host = camp.open();
        settle(&mut host);
        camp.wait(25 * HOUR);
        settle(&mut host);
        let (told, wanted) = (course(&mut host).len(), whole.len());
        assert!(
            course(&mut host) == whole,
            "a crash at step {n}: {told} of {wanted}, {:?}",
            verdicts(&mut host)
        );
        if done {
            assert!(n > 20, "only {n} steps");
            break;
        }
    }
}

#[test]
fn what_was_written_for_a_turn_that_came_out_otherwise_waits_for_somebody_and_stops_its_game_alone() {
    let camp = Camp::new();
    let mut host = camp.open();
    begin_beta(&mut host, "ben");
    drop(host);
    let early = gone_on(&camp);
    let mut host = camp.open();
    let mails = received(&mut host);
    let name = |n: usize| mails[n].mail.clone();
    drop(host);
    put_back(camp.path(), "alpha", &early);
    // Red's bid of the first round is lost.
    moved(camp.path(), &name(3), "spool/done", "spool/other");
    let mut host = camp.open();
    settle(&mut host);
    let ruling = name(6);
    let now = vitals(&mut host);
    assert_eq!((now.spool_held, now.games_held), (vec![ruling.clone()], vec!["alpha".to_owned()]));
    let told = ailments(&mut host);
    assert!(told.len() == 1 && told[0].contains(&ruling) && told[0].contains("no turn of alpha"), "{told:?}");
    let (alpha, beta) = (entries_of(&mut host, "alpha"), entries_of(&mut host, "beta"));
    camp.wait(30 * HOUR);
    settle(&mut host);
    assert_eq!(entries_of(&mut host, "alpha"), alpha + 1, "the note that the turn is held");
    assert!(entries_of(&mut host, "beta") > beta + 1, "the other game goes on");
    moved(camp.path(), &ruling, "spool/done", "spool/other");
    settle(&mut host);
    assert!(entries_of(&mut host, "alpha") > alpha + 2, "the turn has run");
    assert!(!verdicts(&mut host)[5..].contains(&"accepted".to_owned()), "no orders went to another turn");
}

#[test]
fn orders_for_a_turn_that_has_passed_are_answered_as_late() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    drop(host);
    let early = journal_of(camp.path(), "alpha");
    let mut host = camp.open();
    let (from, to) = (&player("red"), &camp.newest("red", "dispatch").reply_to[0]);
    camp.post(Mail { from, to, id: "bid", in_reply_to: None, text: &block("BID 3") }.raw());
    settle(&mut host);
    let bid = received(&mut host).pop().unwrap();
    drop(host);
    put_back(camp.path(), "alpha", &early);
    moved(camp.path(), &bid.mail, "spool/done", "spool/other");
    camp.wait(25 * HOUR);
    let mut host = camp.open();
    settle(&mut host);
    drop(host);
    // The mail is found again when its turn has run without it.
    moved(camp.path(), &bid.mail, "spool/other", "spool/done");
    fs::remove_dir_all(camp.path().join("store")).unwrap();
    let mut host = camp.open();
    settle(&mut host);
    assert_eq!(verdicts(&mut host)[3..], ["other-turn"]);
    assert_eq!((camp.count("red", "refusal"), ailments(&mut host)), (1, Vec::new()));
}

#[test]
fn a_mail_for_two_games_has_its_effect_again_in_the_one_that_was_put_back() {
    let camp = Camp::new();
    let mut host = camp.open();
    begin_beta(&mut host, "red");
    founded(&camp, &mut host);
    drop(host);
    let early = ["alpha", "beta"].map(|game| journal_of(camp.path(), game));
    let mut host = camp.open();
    let addresses: Vec<String> =
        camp.mails(&player("red")).into_iter().flat_map(|mail| mail.reply_to).collect();
    let address =
        |game: &str| addresses.iter().find(|to| to.contains(&format!("+{game}.red."))).unwrap().as_str();
    let to = [address("alpha"), address("beta")].join(">, <");
    camp.post(
        Mail { from: &player("red"), to: &to, id: "both", in_reply_to: None, text: &block("BID 2") }.raw(),
    );
    settle(&mut host);
    let whole = ["alpha", "beta"].map(|game| entries_of(&mut host, game));
    drop(host);
    for (game, early) in ["alpha", "beta"].iter().zip(&early) {
        put_back(camp.path(), game, early);
        let mut host = camp.open();
        settle(&mut host);
        assert_eq!(["alpha", "beta"].map(|game| entries_of(&mut host, game)), whole, "{game} was put back");
        assert_eq!(ailments(&mut host), [""; 0]);
    }
}

#[test]
fn mails_of_unknown_destiny_stop_the_games_that_they_name_and_no_other() {
    let camp = Camp::new();
    let mut host = camp.open();
    begin_beta(&mut host, "ben");
    drop(host);
    let early = gone_on(&camp);
    put_back(camp.path(), "alpha", &early);
    // As an older version has left it.
    fs::remove_file(camp.path().join("spool/decided.jsonl")).unwrap();
    let mut host = camp.open();
    let (alpha, beta) = (entries_of(&mut host, "alpha"), entries_of(&mut host, "beta"));
    let now = vitals(&mut host);
    assert_eq!((now.spool_held.len(), now.games_held), (7, vec!["alpha".to_owned()]));
    camp.wait(30 * HOUR);
    settle(&mut host);
    assert_eq!(entries_of(&mut host, "alpha"), alpha + 1, "the note that the turn is held");
    assert!(entries_of(&mut host, "beta") > beta + 1, "the other game goes on");
}

#[test]
fn what_came_after_the_moment_of_a_backup_goes_to_its_own_turn_after_the_restore() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let Reply::Snapshot(moment) = host.execute(Request::Snapshot).unwrap() else { panic!() };
    // A turn runs while the backup is written.
    let other = camp.elsewhere();
    camp.post(camp.answer("red", "dispatch", "bid-red", &block("BID 3")));
    settle(&mut host);
    camp.wait(25 * HOUR);
    settle(&mut host);
    let (from, to) = (&player("umpire"), &camp.newest("umpire", "dispatch").reply_to[0]);
    camp.post(Mail { from, to, id: "ruling", in_reply_to: None, text: &block("UPHOLD") }.raw());
    settle(&mut host);
    let whole = course(&mut host);
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("backup.tar");
    archive::pack(camp.path(), moment, &mut fs::File::create(&path).unwrap()).unwrap();
    let restored = archive::restore(&path, other.path()).unwrap();
    assert_eq!(restored.mails_waiting, 2);
    musterd::post::create(&other.inbox()).unwrap();
    other.clock.set(NOON + HOUR);
    let mut there = other.open();
    settle(&mut there);
    assert!(course(&mut there).len() == whole.len() - 2, "the ruling waits for its turn");
    other.wait(25 * HOUR);
    settle(&mut there);
    assert_eq!(course(&mut there), whole);
}

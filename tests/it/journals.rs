//! Journals that are gone, damaged or older than the rest of a data directory: the host begins nothing anew by mistake, other games
//! go on, and every mail has its effect once.

use std::fs;
use std::os::unix::net::UnixListener;

use musterd::daemon::clock::Clock;
use musterd::daemon::{Host, HostError, NewGame, Reply, Request, Vitals, archive};
use musterd::engine::terms::{PressPolicy, Terms};

use crate::support::{Camp, HOUR, Mail, block, founded, journal, new_game, player, put, settle, verdicts};
use crate::toy::seat;

fn vitals(host: &mut Host) -> Vitals {
    match host.execute(Request::Vitals).unwrap() {
        Reply::Vitals(vitals) => *vitals,
        other => panic!("{other:?}"),
    }
}

/// What `health` would say.
fn ailments(host: &mut Host) -> Vec<(String, String)> {
    vitals(host).ailments(3600).into_iter().map(|ailment| (ailment.about, ailment.text)).collect()
}

/// The names of what waits in the spool, sorted.
fn waiting(camp: &Camp) -> Vec<String> {
    let files = fs::read_dir(camp.path().join("spool/new")).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Moves what a disk held away, and back.
fn moved(camp: &Camp, from: &str, to: &str) {
    fs::rename(camp.path().join(from), camp.path().join(to)).unwrap();
}

#[test]
fn a_host_whose_journals_are_not_there_refuses_to_begin_anew() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    drop(host);
    camp.post(camp.answer("red", "dispatch", "bid-red", &block("BID 3")));
    moved(&camp, "store", "kept-store");
    moved(&camp, "mirror", "kept-mirror");
    // As mount points of disks that are not there; and as a database that was found empty.
    for n in 0..3 {
        if n == 1 {
            for part in ["store", "mirror"] {
                fs::create_dir(camp.path().join(part)).unwrap();
            }
        } else if n == 2 {
            drop(musterd::store::Store::open(camp.path()).unwrap());
        }
        let error = camp.try_open().err().unwrap();
        assert!(matches!(&error, HostError::Lost { games, .. } if games == "alpha"), "{error:?}");
        let text = error.to_string();
        assert!(
            text.contains("not mounted") && text.contains("backup") && text.contains("start again"),
            "{text}"
        );
        let database = camp.path().join("store/db");
        assert_eq!(database.exists(), n == 2, "nothing is made under a mount point");
    }
    for part in ["store", "mirror"] {
        fs::remove_dir_all(camp.path().join(part)).unwrap();
        moved(&camp, &format!("kept-{part}"), part);
    }
    let mut host = camp.open();
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().unwrap(), "accepted", "the mail waited in its mailbox");
}

/// A host whose journal was put back as it was before three mails, two of them the orders of the first turn; an older version dealt
/// with them, which kept no record of turns.
pub(crate) fn put_back() -> Camp {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    drop(host);
    let old = fs::read(camp.path().join("mirror/alpha.jsonl")).unwrap();
    let mut host = camp.open();
    camp.post(camp.answer("red", "dispatch", "bid-red", &block("BID 3")));
    camp.post(camp.answer("blue", "dispatch", "bid-blue", &block("BID 2")));
    camp.post(camp.answer("red", "dispatch", "chat", "no orders at all"));
    settle(&mut host);
    drop(host);
    fs::remove_dir_all(camp.path().join("store")).unwrap();
    fs::write(camp.path().join("mirror/alpha.jsonl"), old).unwrap();
    fs::remove_file(camp.path().join("spool/decided.jsonl")).unwrap();
    camp
}

#[test]
fn mails_that_an_older_journal_does_not_know_are_held_until_somebody_has_read_them() {
    let camp = put_back();
    let mails = camp.count("red", "receipt");
    // At the start after the rebuilding, at the next one, and after the database was lost once more.
    let mut held = Vec::new();
    for n in 0..3 {
        if n == 2 {
            fs::remove_dir_all(camp.path().join("store")).unwrap();
        }
        let mut host = camp.open();
        settle(&mut host);
        assert_eq!(verdicts(&mut host), ["accepted"; 3], "the JOINs, and nothing that is held");
        assert_eq!((waiting(&camp).len(), camp.count("red", "receipt")), (0, mails));
        held = vitals(&mut host).spool_held;
        assert_eq!(held.len(), 3);
        let [(about, told)] = &ailments(&mut host)[..] else { panic!("one ailment") };
        assert!(about == "mail" && told.starts_with("3 mails were dealt with once"), "{told}");
        assert!(held.iter().all(|name| told.contains(name)) && told.contains("spool/new"), "{told}");
    }
    // However late it is, no turn is run without orders that may be among them, and the GM's journal says why, once.
    camp.wait(1000 * HOUR);
    let mut host = camp.open();
    let before = journal(&mut host).len();
    for _ in 0..2 {
        settle(&mut host);
        assert_eq!(journal(&mut host).len(), before + 1, "the note that the turn is held");
    }
    // One is let in, which is refused as late by now; the others are put away, and the turn runs.
    moved(&camp, &format!("spool/done/{}", held[0]), &format!("spool/new/{}", held[0]));
    for name in &held[1..] {
        moved(&camp, &format!("spool/done/{name}"), &format!("spool/other/{name}"));
    }
    settle(&mut host);
    assert_eq!((vitals(&mut host).spool_held.len(), ailments(&mut host)), (0, Vec::new()));
    assert!(journal(&mut host).len() > before + 2, "the turn has run");
}

#[test]
fn a_mail_that_was_held_and_is_let_in_has_its_effect_once() {
    let camp = put_back();
    let mut host = camp.open();
    for name in vitals(&mut host).spool_held {
        moved(&camp, &format!("spool/done/{name}"), &format!("spool/new/{name}"));
    }
    settle(&mut host);
    let whole = verdicts(&mut host);
    assert_eq!(whole[..5], ["accepted"; 5], "the JOINs and the bids");
    let entries = journal(&mut host).len();
    drop(host);
    for _ in 0..2 {
        let mut host = camp.open();
        settle(&mut host);
        assert_eq!((verdicts(&mut host), journal(&mut host).len()), (whole.clone(), entries));
        assert_eq!(vitals(&mut host).spool_held, Vec::<String>::new());
        drop(host);
        fs::remove_dir_all(camp.path().join("store")).unwrap();
    }
}

/// A toy game of one person, red, against computers.
fn beta() -> NewGame {
    let seats = [("red", player("red")), ("blue", "computer".to_owned()), ("umpire", "computer".to_owned())];
    NewGame {
        templates: std::collections::BTreeMap::new(),
        scenario: "toy/ridge".to_owned(),
        id: "beta".parse().unwrap(),
        seats: seats.map(|(name, who)| (seat(name), who)).into(),
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: false,
        press: PressPolicy::default(),
        terms: Terms::default(),
        beacon: None,
        missing: None,
        options: std::collections::BTreeMap::new(),
    }
}

#[test]
fn a_damaged_journal_sets_its_own_game_aside_and_no_other() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    host.execute(Request::found(beta())).unwrap();
    settle(&mut host);
    drop(host);
    let path = camp.path().join("mirror/alpha.jsonl");
    let good = fs::read_to_string(&path).unwrap();
    fs::write(&path, good.replacen("JOIN", "J0IN", 1)).unwrap();
    fs::remove_dir_all(camp.path().join("store")).unwrap();
    camp.post(camp.answer("red", "dispatch", "bid-alpha", &block("BID 3")));
    let invited =
        camp.mails(&player("red")).into_iter().find(|mail| mail.reply_to[0].contains("+beta.")).unwrap();
    let (from, id, text) = (&player("red"), "join-beta", &block("JOIN"));
    let join = Mail { from, to: &invited.reply_to[0], id, in_reply_to: invited.message_id.as_deref(), text };
    camp.post(join.raw());
    for _ in 0..2 {
        let mut host = camp.open();
        settle(&mut host);
        let Reply::Status { games } = host.execute(Request::Status { game: None }).unwrap() else { panic!() };
        let told: Vec<_> =
            games.iter().map(|game| (game.game.as_str(), game.t, game.aside.is_some())).collect();
        assert_eq!(told, [("beta", Some(2), false), ("alpha", None, true)], "the other plays on");
        let why = games[1].aside.as_ref().unwrap();
        assert!(why.contains("alpha.jsonl` line") && why.contains("from a backup"), "{why}");
        let ill = ailments(&mut host);
        let [(game, first), (mail, second)] = &ill[..] else { panic!("{ill:?}") };
        assert!(
            game == "game" && first.contains("game alpha can't go on, the others do") && first.contains(why),
            "{ill:?}"
        );
        assert!(mail == "mail" && second.contains("can't be dealt with"), "{ill:?}");
        let asked = host.execute(Request::Journal { game: "alpha".parse().unwrap() }).unwrap_err();
        assert!(asked.to_string().contains(why), "{asked}");
        let again =
            host.execute(Request::found(NewGame { id: "alpha".parse().unwrap(), ..beta() })).unwrap_err();
        assert_eq!(again.exit(), 2, "its name isn't free: {again}");
        let Reply::Snapshot(snapshot) = host.execute(Request::Snapshot).unwrap() else { panic!() };
        let packed = archive::pack(camp.path(), snapshot, &mut std::io::sink()).unwrap();
        assert!(packed.damaged[0].contains("the journal of `alpha` is not in this backup"), "{packed:?}");
    }
    fs::write(&path, good).unwrap();
    let mut host = camp.open();
    settle(&mut host);
    assert_eq!(verdicts(&mut host), ["accepted"; 4], "its mail was kept, and the JOINs count once");
    assert_eq!((ailments(&mut host), waiting(&camp).len()), (Vec::new(), 0));
}

#[test]
fn mails_wait_while_the_clock_is_known_to_be_behind() {
    // Made by a clock that is ahead of the machine's, which therefore is behind when it is asked.
    let mut camp = Camp::new();
    let now = Clock::System.now();
    camp.clock.set(now + 1000 * HOUR);
    let mut host = camp.open();
    founded(&camp, &mut host);
    let floor = journal(&mut host).last().unwrap().at;
    let newest = camp.newest("red", "dispatch");
    drop(host);
    // A mail that answers none of the host's: only its time says which turn it is for.
    let (from, text) = (&player("red"), &block("BID 3"));
    let mail = Mail { from, to: &newest.reply_to[0], id: "fresh", in_reply_to: None, text };
    put(&camp.inbox(), "fresh", mail.raw().as_bytes(), now);
    let ahead = std::mem::replace(&mut camp.clock, Clock::System);
    let mut host = camp.open();
    for _ in 0..2 {
        host.look_at_clock();
        settle(&mut host);
        assert_eq!(verdicts(&mut host).len(), 3, "nothing but the JOINs");
        let names = waiting(&camp);
        assert!(names.len() == 1 && names[0].starts_with(&format!("{floor:010}-")), "{names:?}");
    }
    assert!(ailments(&mut host).iter().any(|(about, text)| about == "clock" && text.contains("no mail")));
    drop(host);
    camp.clock = ahead;
    let mut host = camp.open();
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().unwrap(), "accepted");
}

#[test]
fn what_is_no_mail_among_mails_is_told() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[], "24h");
    settle(&mut host);
    assert_eq!(ailments(&mut host), []);
    fs::create_dir(camp.inbox().join("new/folder")).unwrap();
    let _socket = UnixListener::bind(camp.inbox().join("new/socket")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", camp.inbox().join("new/link")).unwrap();
    fs::write(camp.inbox().join("new/.hidden"), "a program's own").unwrap();
    fs::create_dir(camp.path().join("spool/new/folder")).unwrap();
    fs::write(camp.path().join("spool/new/notes.txt"), "mine").unwrap();
    settle(&mut host);
    let vitals = vitals(&mut host);
    assert_eq!(vitals.spool_strays, ["folder", "notes.txt"]);
    let left = vitals.mailboxes[0].left.join("\n");
    for told in
        ["new/folder: this is no file but a directory", "new/socket: this is no file but a socket", "a link"]
    {
        assert!(left.contains(told), "{told}: {left}");
    }
    assert_eq!(vitals.mailboxes[0].left.len(), 3, "{left}");
    let about: Vec<_> = vitals.ailments(3600).into_iter().map(|ailment| ailment.about).collect();
    assert_eq!(about, ["mailbox", "mail"]);
    for path in ["new/folder", "new/socket", "new/link"] {
        let path = camp.inbox().join(path);
        fs::remove_file(&path).or_else(|_| fs::remove_dir(&path)).unwrap();
    }
    settle(&mut host);
    assert_eq!(ailments(&mut host).len(), 1, "what was mended is told no more");
}

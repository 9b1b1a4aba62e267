//! Trouble of a host with many games: what befalls one of them leaves the others, and the players' trust, alone.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex};

use musterd::daemon::clock::Clock;
use musterd::daemon::{Entropy, Host, HostError, NewGame, Options, Reply, Request, Shape, Trust};
use musterd::desk::campaign::Campaign;
use musterd::dice::{Digest, GameId};
use musterd::engine::journal::{Cause, Change, Entry, Received, Verdict};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::fault::{self, Plan};
use musterd::post::{Outcome, Relay};
use musterd::store::{Records as _, Store};
use tracing::Dispatch;

use crate::support::{
    Camp, HOUR, Mail, NOON, block, desk, founded, game, journal, local_mail, new_game, player, settle,
    verdicts,
};
use crate::toy::seat;

/// A toy game of one person, red, against computers.
fn lone_game(id: &str) -> NewGame {
    let seats = [("red", player("red")), ("blue", "computer".to_owned()), ("umpire", "computer".to_owned())];
    NewGame {
        scenario: "toy/ridge".to_owned(),
        id: id.parse().unwrap(),
        seats: seats.map(|(name, who)| (seat(name), who)).into(),
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: false,
        press: PressPolicy::default(),
        terms: Terms::default(),
        beacon: None,
        missing: None,
        options: BTreeMap::new(),
        templates: BTreeMap::new(),
    }
}

/// Red's JOIN to every game that invited it.
fn join_all(camp: &Camp) {
    for (n, invitation) in camp.mails(&player("red")).iter().enumerate() {
        let id = format!("join-{n}");
        let mail = Mail {
            from: &player("red"),
            to: &invitation.reply_to[0],
            id: &id,
            in_reply_to: invitation.message_id.as_deref(),
            text: &block("JOIN"),
        };
        camp.post(mail.raw());
    }
}

fn open_turns(host: &mut Host) -> BTreeMap<GameId, Option<u32>> {
    let Reply::Status { games } = host.execute(Request::Status { game: None }).unwrap() else { panic!() };
    games.into_iter().map(|status| (status.game, status.t)).collect()
}

#[test]
fn mails_for_more_games_than_are_kept_in_memory_share_a_commit() {
    let camp = Camp::new();
    let mut host = camp.open();
    let games = 40;
    for n in 0..games {
        host.execute(Request::found(lone_game(&format!("g{n:02}")))).unwrap();
    }
    settle(&mut host);
    // The windows that these mails open close later than the ones they end.
    camp.wait(12 * HOUR);
    join_all(&camp);
    settle(&mut host);
    assert!(open_turns(&mut host).values().all(|t| *t == Some(2)), "{:?}", open_turns(&mut host));
    camp.wait(13 * HOUR);
    settle(&mut host);
    assert!(
        open_turns(&mut host).values().all(|t| *t == Some(2)),
        "a turn ran at the deadline of the one before"
    );
    camp.wait(12 * HOUR);
    settle(&mut host);
    assert!(open_turns(&mut host).values().all(|t| *t == Some(4)), "{:?}", open_turns(&mut host));
}

/// Two games, to which red's mails are on their way; the secret of the first is out of reach.
fn without_a_secret(camp: &Camp) -> Host {
    let mut host = camp.open();
    host.execute(Request::found(lone_game("alpha"))).unwrap();
    host.execute(Request::found(lone_game("beta"))).unwrap();
    settle(&mut host);
    drop(host);
    fs::rename(camp.path().join("secrets/alpha.secret"), camp.path().join("alpha.secret")).unwrap();
    join_all(camp);
    let mut host = camp.open();
    settle(&mut host);
    host
}

/// Refuses red's mails of the first game, and counts everybody's.
#[derive(Default)]
struct Counting(Mutex<BTreeMap<(String, Vec<u8>), usize>>);

impl Relay for Counting {
    fn send(&self, _: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        *self.0.lock().unwrap().entry((to[0].clone(), raw.to_vec())).or_default() += 1;
        let is_refused = to[0] == player("red") && String::from_utf8_lossy(raw).contains("[alpha]");
        let outcome = match is_refused {
            true => Outcome::Refused("550 5.1.1 no such user".to_owned()),
            false => Outcome::Accepted("250 ok".to_owned()),
        };
        vec![(to[0].clone(), outcome)]
    }
}

#[test]
fn a_mail_that_is_refused_in_a_game_whose_secret_is_gone_has_no_other_sent_again() {
    let camp = Camp::new();
    let mut host = camp.open();
    host.execute(Request::found(lone_game("alpha"))).unwrap();
    host.execute(Request::found(lone_game("beta"))).unwrap();
    drop(host);
    fs::rename(camp.path().join("secrets/alpha.secret"), camp.path().join("alpha.secret")).unwrap();
    let relay = Counting::default();
    for _ in 0..3 {
        let mut host = camp.open();
        host.send_due(&relay).unwrap();
        camp.wait(HOUR);
    }
    let counts: Vec<usize> = relay.0.lock().unwrap().values().copied().collect();
    assert!(counts.len() >= 4 && counts.iter().all(|&copies| copies == 1), "{counts:?}");
    // Once the secret is back, the refusal is noted like any other.
    fs::rename(camp.path().join("alpha.secret"), camp.path().join("secrets/alpha.secret")).unwrap();
    let mut host = camp.open();
    camp.wait(5 * HOUR);
    host.send_due(&relay).unwrap();
    let alpha: GameId = "alpha".parse().unwrap();
    drop(host);
    let entries = Store::open(camp.path()).unwrap().0.entries(&alpha).unwrap();
    let is_marked =
        |e: &Entry| matches!(&e.cause, Cause::Arranged(a) if matches!(a.change, Change::Undelivered { .. }));
    assert_eq!(entries.iter().filter(|e| is_marked(e)).count(), 1);
}

#[test]
fn a_game_whose_secret_is_gone_stops_no_other() {
    let camp = Camp::new();
    let mut host = without_a_secret(&camp);
    assert_eq!(open_turns(&mut host).into_values().collect::<Vec<_>>(), [Some(1), Some(2)]);
    camp.wait(25 * HOUR);
    settle(&mut host);
    // Red gave no bid in beta, and the umpire, a computer, ruled at once.
    assert_eq!(open_turns(&mut host).into_values().collect::<Vec<_>>(), [Some(1), Some(4)]);
}

#[test]
fn mail_for_a_game_whose_secret_is_gone_is_kept_until_it_is_back() {
    let camp = Camp::new();
    drop(without_a_secret(&camp));
    fs::rename(camp.path().join("alpha.secret"), camp.path().join("secrets/alpha.secret")).unwrap();
    let mut host = camp.open();
    settle(&mut host);
    assert_eq!(open_turns(&mut host).into_values().collect::<Vec<_>>(), [Some(2), Some(2)]);
    assert!(verdicts(&mut host).iter().all(|word| word == "accepted"));
}

#[test]
fn a_person_who_is_ready_does_not_wait_for_the_lost_mail_of_a_computer() {
    let camp = Camp::new();
    let mut host = camp.open();
    new_game(&mut host, &[("blue", "computer"), ("umpire", "computer")], "none");
    let (_, relay) = local_mail(&host);
    host.send_due(&*relay).unwrap();
    for mail in fs::read_dir(camp.inbox().join("new")).unwrap() {
        fs::remove_file(mail.unwrap().path()).unwrap();
    }
    settle(&mut host);
    assert_eq!(open_turns(&mut host).into_values().collect::<Vec<_>>(), [Some(1)]);
    join_all(&camp);
    settle(&mut host);
    assert_eq!(open_turns(&mut host).into_values().collect::<Vec<_>>(), [Some(2)]);
}

#[test]
fn a_program_that_answers_every_mail_is_not_refused_for_ever() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    for n in 0..50 {
        camp.post(camp.answer(
            "red",
            "dispatch",
            &format!("away-{n}"),
            "I am in the mountains until Monday.",
        ));
        settle(&mut host);
    }
    assert_eq!(camp.count("red", "refusal"), 20);
    assert_eq!(verdicts(&mut host).iter().filter(|word| *word == "no-orders").count(), 50);
    camp.wait(24 * HOUR);
    camp.post(camp.answer("red", "dispatch", "away-again", "I am back."));
    settle(&mut host);
    assert_eq!(camp.count("red", "refusal"), 21);
}

#[test]
fn a_deadline_that_passes_during_a_drain_waits_for_the_next_one() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.clock.set(NOON + 25 * HOUR);
    assert_eq!(host.run_due(NOON + 23 * HOUR, Trust::Sure).unwrap(), 0);
    assert_eq!(host.run_due(NOON + 24 * HOUR, Trust::Sure).unwrap(), 1);
}

#[test]
fn a_game_is_founded_only_with_addresses_that_can_be_written_to() {
    let camp = Camp::new();
    let mut host = camp.open();
    let mut refused = |new: NewGame, word: &str| match host.execute(Request::found(new)) {
        Err(HostError::Usage(why)) => assert!(why.contains(word), "{why}"),
        other => panic!("{other:?}"),
    };
    refused(NewGame { gm: vec!["the umpire".to_owned()], ..lone_game("alpha") }, "--gm");
    let mut new = lone_game("alpha");
    new.seats.insert(seat("blue"), "j\u{fc}rgen@example.org".to_owned());
    refused(new, "ASCII");
    let mut new = lone_game("alpha");
    new.seats.insert(seat("blue"), "Host+alpha@example.org".to_owned());
    refused(new, "this host's own address");
    assert!(open_turns(&mut host).is_empty());
}

#[test]
fn there_is_no_report_before_the_founding() {
    let camp = Camp::new();
    let mut host = camp.open();
    host.execute(Request::found(lone_game("alpha"))).unwrap();
    let report =
        Request::Report { game: "alpha".parse().unwrap(), seat: seat("red"), turn: None, shape: Shape::Text };
    assert!(matches!(host.execute(report), Err(HostError::Usage(why)) if why.contains("nothing to report")));
}

#[test]
fn a_host_with_real_mail_takes_no_set_clock_and_no_seed_file() {
    let camp = Camp::new();
    let file = camp.path().join("musterd.yaml");
    let local = fs::read_to_string(&file).unwrap();
    let relay = "mail_out: {kind: smtp, host: localhost, port: 25, security: none}\n";
    let real = local.replace("mail_out:\n  kind: maildir\n  root: mail\n", relay);
    assert_ne!(real, local);
    fs::write(&file, real).unwrap();
    let with = |clock, entropy| Host::open(Options { clock, entropy, ..camp.options() });
    let seed = || camp.options().entropy;
    for (clock, entropy) in [(camp.clock.clone(), Entropy::System), (Clock::System, seed())] {
        assert!(matches!(with(clock, entropy), Err(HostError::Usage(why)) if why.contains("real mail")));
    }
    assert!(with(Clock::System, Entropy::System).is_ok());
}

#[test]
fn a_mail_after_the_end_is_answered_and_noted_and_belongs_to_no_adjudication() {
    let camp = Camp::new();
    let mut host = camp.open();
    host.execute(Request::found(lone_game("alpha"))).unwrap();
    settle(&mut host);
    join_all(&camp);
    settle(&mut host);
    while open_turns(&mut host).values().any(Option::is_some) {
        camp.wait(25 * HOUR);
        settle(&mut host);
    }
    let (ended, judged) = (journal(&mut host).len(), verdicts(&mut host));
    for id in ["after", "once-more"] {
        camp.post(camp.answer("red", "dispatch", id, &block("BID 5")));
    }
    settle(&mut host);
    assert_eq!(camp.count("red", "refusal"), 2, "each is answered");
    assert_eq!(verdicts(&mut host), judged, "the log knows no mail without an adjudication");
    let mut entries = journal(&mut host);
    let notes: Vec<_> = entries[ended..]
        .iter()
        .map(|entry| match &entry.cause {
            Cause::Noted { text } => text.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(notes.len(), 2);
    let shown =
        |note: &&str| note.starts_with("mail after the end: red ") && note.ends_with(" refused game-over");
    assert!(notes.iter().all(shown), "{notes:?}");
    // Journals of earlier versions hold such mails as received for the adjudication 0.
    let verdict = Verdict::Refused { reason: "game-over".parse().unwrap(), text: Digest::of(b"BID 5") };
    let mail = "old".to_owned();
    let received = Received { t: 0, seat: Some(seat("red")), mail, arrived: camp.clock.now(), verdict };
    entries.push(Entry { at: camp.clock.now(), cause: Cause::Received(received) });
    let campaign = Campaign::fold(&desk(), &entries).unwrap();
    assert_eq!(campaign.results().map(<[String]>::len), Some(2));
}

/// The anchor that a game's founding published.
fn anchor(host: &mut Host) -> Digest {
    match &journal(host)[0].cause {
        Cause::Founded { anchor, .. } => *anchor,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_founding_cut_short_at_any_call_can_be_done_again_and_keeps_the_secret_it_published() {
    let alpha = || Request::found(lone_game("alpha"));
    for n in 1.. {
        let camp = Camp::new();
        let options = || Options { entropy: Entropy::System, ..camp.options() };
        camp.open();
        let armed = fault::arm(Plan::crash_at(n));
        if let Ok(mut host) = Host::open(options()) {
            let _ = host.execute(alpha());
            let relay = host.config().relay(host.dir(), host.clock());
            let _ = relay.and_then(|relay| host.send_due(&*relay));
        }
        let passed = armed.passed();
        drop(armed);
        let mut host = Host::open(options()).unwrap();
        if open_turns(&mut host).is_empty() {
            host.execute(alpha()).unwrap();
        }
        assert_eq!(camp.secrets().anchor(), anchor(&mut host), "died at call {n}: {:?}", passed.last());
        settle(&mut host);
        assert_eq!(camp.count("red", "invitation"), 1, "died at call {n}: {:?}", passed.last());
        if (passed.len() as u64) < n {
            assert!(passed.contains(&"vault.rename") && n > 8, "{passed:?}");
            break;
        }
    }
}

/// What the log is told while this runs, in this thread.
///
/// While a single subscriber is alive, `tracing` asks only the thread that comes first to an event whether
/// anybody wants it, and that may be a thread without one; with a second, whom nobody writes to, it asks all.
pub(crate) fn log_of(what: impl FnOnce()) -> String {
    static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));
    LazyLock::force(&SECOND);
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);
    impl Write for Log {
        fn write(&mut self, event: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(event);
            Ok(event.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let log = Log::default();
    let to = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || to.clone()).finish();
    tracing::subscriber::with_default(subscriber, what);
    let log = log.0.lock().unwrap().clone();
    String::from_utf8(log).unwrap()
}

/// A relay that knows no sub-addresses, and says so; those that it was given.
struct NoSubAddresses(Mutex<Vec<String>>, Box<dyn Relay>);

impl Relay for NoSubAddresses {
    fn send(&self, from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        if !to[0].contains('+') {
            return self.1.send(from, to, raw);
        }
        self.0.lock().unwrap().push(to[0].clone());
        let reply = format!("550 5.1.1 <{}>: Recipient address rejected: User unknown", to[0]);
        vec![(to[0].clone(), Outcome::Refused(reply))]
    }
}

#[test]
fn a_relay_that_refuses_our_own_addresses_is_told_of_and_no_secret_with_it() {
    let camp = Camp::new();
    let mut host = camp.open();
    host.execute(Request::found(lone_game("alpha"))).unwrap();
    settle(&mut host);
    let refuses_own = |host: &mut Host| {
        let Reply::Vitals(vitals) = host.execute(Request::Vitals).unwrap() else { panic!() };
        let told = vitals.ailments(HOUR).iter().any(|ill| ill.text.contains("recipient_delimiter"));
        (vitals.relay.refuses_own.clone(), told)
    };
    join_all(&camp);
    let (mut sources, relay) = local_mail(&host);
    let relay = NoSubAddresses(Mutex::default(), relay);
    let log = log_of(|| musterd::daemon::serve::settle(&mut host, &mut sources, &relay).unwrap());
    let given = relay.0.lock().unwrap().clone();
    assert!(!given.is_empty() && log.contains("User unknown") && log.contains("host+alpha.blue."), "{log}");
    for address in given {
        let secret = address.split_once('@').unwrap().0.rsplit('.').next().unwrap();
        assert!(secret.len() == 16 && !log.contains(secret), "{secret}: {log}");
    }
    assert_eq!(refuses_own(&mut host), (Some("5.1.1".to_owned()), true));
}

#[test]
fn the_log_tells_of_a_decision_once_it_is_kept() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "dispatch", &format!("bid-{seat}"), &block("BID 3\r\nREADY")));
    }
    let (mut sources, relay) = local_mail(&host);
    sources[0].drain(host.spool()).unwrap();
    let failed = log_of(|| {
        let plan = fault::arm(Plan::fail_at(1, io::ErrorKind::Other).only("store.batch"));
        assert!(host.take_mail().is_err());
        drop(plan);
    });
    assert!(!failed.contains("orders accepted") && !failed.contains("adjudicated"), "{failed}");
    drop((host, relay));
    let mut host = camp.open();
    let log = log_of(|| settle(&mut host));
    let told = |what: &str| log.lines().filter(|line| line.contains(what)).count();
    assert_eq!((told("orders accepted"), told("adjudicated")), (2, 1), "{log}");
}

#[test]
fn who_hears_that_a_journal_could_not_be_written_hears_that_his_command_was_carried_out() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let deadlines = |host: &mut Host| {
        journal(host).iter().filter(|entry| matches!(entry.cause, Cause::Rescheduled { .. })).count()
    };
    let extend = |host: &mut Host| {
        host.execute(Request::Gm { game: game(), text: "EXTEND 2 1d".to_owned(), yes: true }).map(drop)
    };
    let before = deadlines(&mut host);
    for (point, stored, told) in [
        ("store.mirror.append", 1, "is stored all the same"),
        ("store.mirror.sync", 2, "is stored all the same"),
        ("store.batch", 2, "may be stored all the same"),
    ] {
        let plan = fault::arm(Plan::fail_at(1, io::ErrorKind::StorageFull).only(point));
        let error = extend(&mut host).unwrap_err();
        drop(plan);
        let said = error.to_string();
        assert!(said.contains("the disk is full") && said.contains(told), "{point}: {said}");
        assert!(said.contains("`musterd status`") && said.contains("before you repeat"), "{point}: {said}");
        assert_eq!(error.exit(), 3);
        drop(host);
        host = camp.open();
        assert_eq!(deadlines(&mut host) - before, stored, "{point}");
    }
}

#[test]
fn no_invitation_leaves_before_the_secret_has_its_final_name() {
    let camp = Camp::new();
    let mut host = camp.open();
    let (_, relay) = local_mail(&host);
    let full = fault::arm(Plan::disk_full_from(1).only("vault.rename"));
    assert!(host.execute(Request::found(lone_game("alpha"))).is_err());
    assert!(host.send_due(&*relay).is_err());
    assert_eq!(camp.count("red", "invitation"), 0);
    drop(full);
    host.send_due(&*relay).unwrap();
    assert_eq!(camp.count("red", "invitation"), 1);
    assert_eq!(camp.secrets().anchor(), anchor(&mut host));
}

#[test]
fn the_secret_of_a_game_whose_journal_is_gone_serves_no_other_game() {
    let camp = Camp::new();
    let mut host = camp.open();
    host.execute(Request::found(lone_game("alpha"))).unwrap();
    host.execute(Request::found(lone_game("gamma"))).unwrap();
    drop(host);
    let secret = camp.path().join("secrets/alpha.secret");
    let before = fs::read(&secret).unwrap();
    fs::remove_dir_all(camp.path().join("store")).unwrap();
    fs::remove_file(camp.path().join("mirror/alpha.jsonl")).unwrap();
    let mut host = camp.open();
    let error = host.execute(Request::found(lone_game("alpha"))).unwrap_err();
    assert!(error.to_string().contains("choose another --id"), "{error}");
    assert_eq!(fs::read(&secret).unwrap(), before);
    host.execute(Request::found(lone_game("beta"))).unwrap();
    fs::rename(&secret, camp.path().join("old.secret")).unwrap();
    host.execute(Request::found(lone_game("alpha"))).unwrap();
}

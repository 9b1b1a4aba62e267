//! Days without the relay, the daemon or the mailbox: afterwards everybody gets what still matters, and nothing else.

use std::process::Command;

use musterd::daemon::{Host, serve};
use musterd::engine::journal::Cause;
use musterd::post::{Drained, Keep, Outcome, PostError, Relay, Source};

use super::support::*;

const DAYS: i64 = 3;

/// A founded game with a turn a day.
fn camp() -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    (camp, host)
}

fn ran(host: &mut Host) -> usize {
    journal(host).iter().filter(|e| matches!(e.cause, Cause::Adjudicated { .. })).count()
}

/// The kinds of the mails that came to red since there were so many, sorted.
fn came(camp: &Camp, before: usize) -> Vec<String> {
    let mut mails = camp.mails(&player("red"));
    mails.sort_by_key(|mail| mail.message_id.clone());
    let kind = |id: &str| id.split('@').next().unwrap().rsplit('.').nth(1).unwrap().to_owned();
    let mut kinds: Vec<String> = mails.iter().map(|mail| kind(mail.message_id.as_deref().unwrap())).collect();
    assert_eq!(kinds.len(), mails.len());
    kinds.sort();
    assert!(mails.len() >= before);
    kinds
}

fn count(kinds: &[String], kind: &str) -> usize {
    kinds.iter().filter(|k| *k == kind).count()
}

/// A relay that takes nothing.
struct Down;

impl Relay for Down {
    fn send(&self, _: &str, to: &[String], _: &[u8]) -> Vec<(String, Outcome)> {
        to.iter().map(|to| (to.clone(), Outcome::Deferred("no route".to_owned()))).collect()
    }
}

/// A mailbox that can't be reached.
struct Gone;

impl Source for Gone {
    fn name(&self) -> &str {
        "gone"
    }
    fn drain(&mut self, _: &mut dyn Keep) -> Result<Drained, PostError> {
        let error = std::io::Error::from(std::io::ErrorKind::TimedOut);
        Err(PostError::Connect { server: "imap.example.org:993".to_owned(), error })
    }
}

/// The same, empty, once it can be reached again.
struct Back;

impl Source for Back {
    fn name(&self) -> &str {
        "gone"
    }
    fn drain(&mut self, _: &mut dyn Keep) -> Result<Drained, PostError> {
        Ok(Drained::default())
    }
}

#[test]
fn after_days_without_a_relay_come_the_dispatches_and_no_old_notice() {
    let (camp, mut host) = camp();
    let before = came(&camp, 0);
    let (mut sources, relay) = local_mail(&host);
    for hours in 0..DAYS * 12 {
        if hours == 2 {
            // Orders are taken all the while; their receipts would be old by the time they leave.
            camp.post(camp.answer("red", "dispatch", "bid", &block("BID 1")));
        }
        serve::settle(&mut host, &mut sources, &Down).unwrap();
        camp.wait(2 * HOUR);
    }
    assert_eq!(ran(&mut host), 3, "the game went on");
    assert_eq!(came(&camp, 0), before, "and nobody heard of it");
    for _ in 0..4 {
        serve::settle(&mut host, &mut sources, &*relay).unwrap();
        camp.wait(HOUR);
    }
    let (after, turns) = (came(&camp, before.len()), ran(&mut host) - 1);
    assert_eq!(count(&after, "dispatch") - count(&before, "dispatch"), turns);
    assert!(count(&after, "reminder") <= 1, "one for the open turn at most: {after:?}");
    assert_eq!(count(&after, "receipt"), count(&before, "receipt"), "{after:?}");
    assert!(after.len() - before.len() <= turns + 1, "{after:?}");
    assert!(host.next_due().unwrap().is_some_and(|due| due > camp.clock.now()), "nothing is left to send");
}

#[test]
fn after_days_without_the_daemon_a_turn_runs_and_nobody_is_reminded_of_the_past() {
    let (camp, host) = camp();
    let before = came(&camp, 0);
    drop(host);
    camp.wait(DAYS * 24 * HOUR);
    let mut host = camp.open();
    settle(&mut host);
    let after = came(&camp, before.len());
    assert_eq!(ran(&mut host), 2, "one turn: the next has its own time");
    assert_eq!(after.len() - before.len(), 1, "{after:?}");
    assert_eq!(count(&after, "dispatch") - count(&before, "dispatch"), 1);
    // The turn that is open now has its whole time.
    camp.wait(23 * HOUR);
    settle(&mut host);
    assert_eq!(ran(&mut host), 2);
}

#[test]
fn a_host_that_was_off_over_a_deadline_waits_for_its_mailbox_from_its_first_look_on() {
    let (camp, host) = camp();
    drop(host);
    camp.wait(5 * 24 * HOUR);
    let mut host = camp.open();
    let (_, relay) = local_mail(&host);
    let mut gone: Vec<Box<dyn Source>> = vec![Box::new(Gone)];
    let gm = camp.mails(GM).len();
    for (wait, turns) in [(0, 0), (23 * HOUR, 0), (HOUR - 1, 0), (1, 1)] {
        camp.wait(wait);
        serve::settle(&mut host, &mut gone, &*relay).unwrap();
        assert_eq!(ran(&mut host), 1 + turns, "{wait}");
        let told = camp.mails(GM).iter().skip(gm).filter(|mail| mail.subject.contains("turn held")).count();
        assert_eq!(told, 1, "the GM is told, once");
    }
    // One that can be read in between has the whole time again.
    let mut back: Vec<Box<dyn Source>> = vec![Box::new(Back)];
    camp.wait(26 * HOUR);
    serve::settle(&mut host, &mut back, &*relay).unwrap();
    assert_eq!(ran(&mut host), 3);
    camp.wait(50 * HOUR);
    serve::settle(&mut host, &mut gone, &*relay).unwrap();
    assert_eq!(ran(&mut host), 3, "two days after a look that found all well");
}

#[test]
fn from_cron_a_turn_is_held_for_a_mailbox_from_when_the_gm_was_told() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("host");
    let musterd = |now: &str, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
        command.arg("--dir").arg(&dir).arg("--now").arg(now).args(arguments).env_remove("MUSTERD_LOG");
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let init = ["init", dir.to_str().unwrap(), "--address", HOST];
    assert!(Command::new(env!("CARGO_BIN_EXE_musterd")).args(init).output().unwrap().status.success());
    // Nobody listens at this port.
    let imap = "mail_in:\n  - {kind: imap, host: 127.0.0.1, port: 1, security: none, user: me, password_env: HOME}\n";
    let file = dir.join("musterd.yaml");
    let text = std::fs::read_to_string(&file).unwrap().replace("mail_in:\n", imap);
    std::fs::write(&file, text.replace("gm: []", &format!("gm: [{GM}]"))).unwrap();
    let seats = ["--seat", "french=anna@players.example", "--seat", "allied=computer"];
    let new = [&["new", "austrian-1805", "--id", "alpha"][..], &seats].concat();
    assert_eq!(musterd("2026-01-01T00:00:00Z", &new).0, Some(0));
    let mut lengths = Vec::new();
    for now in ["2026-01-20T00:00:00Z", "2026-01-20T23:00:00Z", "2026-01-21T00:00:00Z"] {
        assert_eq!(musterd(now, &["serve", "--once"]).0, Some(1), "{now}");
        let log = musterd(now, &["journal", "alpha"]).1;
        assert_eq!(log.matches("turn held: a mailbox can't be reached").count(), 1, "{now}: {log}");
        lengths.push(log.lines().count());
    }
    assert!(lengths[0] == lengths[1] && lengths[1] < lengths[2], "held for a day: {lengths:?}");
}

#[test]
fn a_clock_that_jumps_ahead_runs_no_turn_and_leaves_no_mark_once_it_is_set_right() {
    let (camp, mut host) = camp();
    host.look_at_clock();
    let entries = journal(&mut host).len();
    let jump = 10 * 24 * HOUR;
    camp.wait(jump);
    host.look_at_clock();
    let gm = camp.mails(GM).len();
    settle(&mut host);
    assert_eq!((ran(&mut host), journal(&mut host).len()), (1, entries), "a day past deadline and hold");
    assert_eq!(camp.mails(GM).len(), gm + 1, "the GM is told");
    // A mail that is dealt with meanwhile is dated ahead, and nothing waits for that time.
    camp.post(camp.answer("red", "dispatch", "what", &block("NONSENSE")));
    settle(&mut host);
    let seen = verdicts(&mut host).len();
    assert_eq!(seen, 4);
    camp.wait(-jump);
    host.look_at_clock();
    camp.post(camp.answer("blue", "dispatch", "bid", &block("BID 1")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host)[seen..], ["accepted"]);
}

#[test]
fn mails_wait_as_soon_as_the_clock_is_set_back_behind_what_the_daemon_wrote() {
    let (camp, mut host) = camp();
    host.look_at_clock();
    // As far as a clock may drift between two looks, so that nothing is doubted.
    for _ in 0..12 {
        camp.wait(290);
        host.look_at_clock();
    }
    camp.post(camp.answer("red", "dispatch", "bid-red", &block("BID 1")));
    settle(&mut host);
    camp.wait(-3000);
    host.look_at_clock();
    camp.post(camp.answer("blue", "dispatch", "bid-blue", &block("BID 1")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host)[3..], ["accepted"], "red's");
    camp.wait(3000);
    host.look_at_clock();
    settle(&mut host);
    assert_eq!(verdicts(&mut host)[3..], ["accepted", "accepted"]);
}

#[test]
fn after_days_without_the_mailbox_players_are_told_little_and_the_orders_in_it_are_refused_once() {
    let (camp, mut host) = camp();
    let before = came(&camp, 0);
    let gm = camp.mails(GM).len();
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 1")));
    let (mut sources, relay) = local_mail(&host);
    let mut gone: Vec<Box<dyn Source>> = vec![Box::new(Gone)];
    for _ in 0..DAYS * 12 {
        serve::settle(&mut host, &mut gone, &*relay).unwrap();
        camp.wait(2 * HOUR);
    }
    let turns = ran(&mut host) - 1;
    assert_eq!(turns, 1, "held for a day, then run");
    let during = came(&camp, before.len());
    assert_eq!(during.len() - before.len(), turns, "the dispatches alone: {during:?}");
    serve::settle(&mut host, &mut sources, &*relay).unwrap();
    let after = came(&camp, during.len());
    assert_eq!(count(&after, "refusal"), count(&before, "refusal") + 1, "{after:?}");
    assert!(camp.mails(GM).len() - gm <= 2, "the GM is told of each held turn");
}

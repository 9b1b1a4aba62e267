//! Days without the relay, the daemon or the mailbox: afterwards everybody gets what still matters, and nothing else.

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

//! What becomes of single mails where a server fails over them: each is taken once and whole, or waits, and holds up no other.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use musterd::daemon::serve::{self, Draining};
use musterd::daemon::{Host, HostError, Reply, Request};
use musterd::post::{Arrived, Drained, HEAD_BYTES, Keep, KeepError, PostError, Raw, Server, Source, Stop};

use crate::hostile::{LIMIT, Place, body_item, fetches_two, imap, size_item, source};
use crate::post::Memory;
use crate::scripted::Mischief::{self, Cut, Drip, Say, Stall};
use crate::scripted::{at, hastily, serve as scripted};
use crate::support::Camp;

#[test]
fn mail_that_cannot_be_marked_is_taken_once_and_the_rest_after_it() {
    let mischief: [fn() -> Mischief; 3] =
        [|| Cut(String::new()), || Say("TAG BAD no such command\r\n".to_owned()), || Stall(String::new())];
    for (n, make) in mischief.into_iter().enumerate() {
        // Each in a batch of its own, as large mails are.
        let script = move |_: usize, line: &str| match line {
            _ if line.contains("STORE") => Some(make()),
            _ if line.contains("RFC822.SIZE") => Some(Say("TAG OK\r\n".to_owned())),
            _ => None,
        };
        let (mut kept, place) = (Memory::default(), Place::default());
        let mut source = source(hastily(scripted(script, imap)), &place);
        let drained = source.drain(&mut kept).unwrap();
        assert_eq!(drained.kept, 3, "{n}");
        assert!(drained.left.len() == 1 && drained.left[0].contains("it is safe"), "{n}: {drained:?}");
        assert_eq!(place.0.lock().unwrap().unwrap().uid, 3, "{n}");
        assert_eq!(source.drain(&mut kept).unwrap(), Drained::default(), "{n}");
        assert_eq!(kept.subjects(), ["letter 1", "letter 2", "letter 3"], "{n}: each once");
    }
}

#[test]
fn a_mail_handed_over_without_its_text_is_not_taken_for_the_whole() {
    // First nothing, and nothing again after the good one: neither is the mail.
    for (before, after, kept_at_once) in [
        ("", "", 2),
        ("* 2 FETCH (UID 2 BODY[] {0}\r\n)\r\n", "", 3),
        ("", "* 2 FETCH (UID 2 BODY[] {0}\r\n)\r\n", 3),
    ] {
        let healed = Arc::new(Mutex::new(kept_at_once == 3));
        let now = Arc::clone(&healed);
        let script = move |_: usize, line: &str| {
            let empty = "* 2 FETCH (UID 2 BODY[] {0}\r\n)\r\n".to_owned();
            let good = imap(line);
            let two = body_item(2);
            fetches_two(line).then(|| match *now.lock().unwrap() {
                true => Say(good.replace(&two, &format!("{before}{two}{after}"))),
                false => Say(good.replace(&two, &empty)),
            })
        };
        let (mut kept, place) = (Memory::default(), Place::default());
        let mut source = source(at(scripted(script, imap)), &place);
        let drained = source.drain(&mut kept).unwrap();
        assert_eq!((drained.kept, drained.left.len()), (kept_at_once, 3 - kept_at_once), "{drained:?}");
        *healed.lock().unwrap() = true;
        source.drain(&mut kept).unwrap();
        let mut subjects = kept.subjects();
        subjects.sort();
        assert_eq!(subjects, ["letter 1", "letter 2", "letter 3"]);
        assert_eq!(place.0.lock().unwrap().unwrap().uid, 3);
    }
}

#[test]
fn a_mail_larger_than_the_server_says_is_handed_over_as_too_large() {
    // What a server answers that is asked for the beginning of a mail, and what one that is asked for all of it.
    let large = |line: &str| {
        let asked = line.split_once("<0.").and_then(|(_, rest)| rest.split('>').next()?.parse().ok());
        let text = format!("Subject: large\r\n\r\n{}", "x".repeat(200_000));
        let shown = &text[..asked.unwrap_or(text.len()).min(text.len())];
        format!("* 2 FETCH (UID 2 BODY[] {{{}}}\r\n{shown})\r\n", shown.len())
    };
    for size in ["", "* 2 FETCH (UID 2 RFC822.SIZE 10)\r\n"] {
        let script = move |_: usize, line: &str| {
            if line.contains("RFC822.SIZE") {
                return Some(Say(imap(line).replace(&size_item(2), size)));
            }
            fetches_two(line).then(|| Say(imap(line).replace(&body_item(2), &large(line))))
        };
        let (mut kept, place) = (Memory::default(), Place::default());
        let drained = source(at(scripted(script, imap)), &place).drain(&mut kept).unwrap();
        assert_eq!((drained.kept, drained.left.len()), (3, 0), "{size}: {drained:?}");
        assert_eq!(place.0.lock().unwrap().unwrap().uid, 3);
        let oversize = kept.0.iter().find_map(|message| match &message.raw {
            Raw::Oversize { head, size } => Some((head.len(), *size > LIMIT)),
            Raw::Whole(_) => None,
        });
        assert_eq!(oversize, Some((HEAD_BYTES, true)), "{size}");
    }
}

/// A server that answers a search only after something was done elsewhere, and how it is told of that.
fn waits_for_work() -> (mpsc::Sender<()>, impl Fn(usize, &str) -> Option<Mischief> + Send + Sync + 'static) {
    let (work, done) = mpsc::channel();
    let done = Mutex::new(done);
    let waits = move |_: usize, line: &str| {
        if line.contains("SEARCH") {
            done.lock().unwrap().recv_timeout(Duration::from_secs(30)).unwrap();
        }
        None
    };
    (work, waits)
}

#[test]
fn while_two_mailboxes_are_drained_there_is_time_for_other_work() {
    let camp = Camp::new();
    let mut host = camp.open();
    // The first server answers only after somebody has done something else.
    let (work, waits) = waits_for_work();
    let places = [Place::default(), Place::default()];
    let mut sources: [Box<dyn Source>; 2] = [
        Box::new(source(at(scripted(waits, imap)), &places[0])),
        Box::new(source(at(scripted(|_, _| None, imap)), &places[1])),
    ];
    let mut asked = 0;
    let mut meanwhile = |host: &mut Host, _: Draining<'_>| {
        let Reply::Vitals(vitals) = host.execute(Request::Vitals).unwrap() else { panic!() };
        assert_eq!(vitals.mailboxes.len(), 1, "the host can be asked");
        asked += 1;
        let _ = work.send(());
        Ok(())
    };
    // The same mails in both are dealt with once.
    assert_eq!(serve::take_in(&mut host, &mut sources, &mut meanwhile).unwrap(), 3);
    assert!(asked > 0 && places.iter().all(|place| place.0.lock().unwrap().unwrap().uid == 3));
}

#[test]
fn a_folder_whose_next_number_is_wrong_is_not_read_again_and_again() {
    let fetches = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&fetches);
    let script = move |_: usize, line: &str| {
        count.fetch_add(usize::from(line.contains("BODY.PEEK")), Ordering::SeqCst);
        line.contains("SELECT").then(|| Say(imap(line).replace("UIDNEXT 4", "UIDNEXT 2")))
    };
    let (mut kept, place) = (Memory::default(), Place::default());
    let mut source = source(at(scripted(script, imap)), &place);
    assert_eq!(source.drain(&mut kept).unwrap().kept, 3);
    for _ in 0..3 {
        assert_eq!(source.drain(&mut kept).unwrap(), Drained::default());
        assert_eq!(place.0.lock().unwrap().unwrap().uid, 3);
    }
    assert_eq!(fetches.load(Ordering::SeqCst), 1);
}

#[test]
fn while_a_mailbox_hangs_a_host_that_has_failed_is_still_asked_and_says_why() {
    let camp = Camp::new();
    let mut host = camp.open();
    let (work, waits) = waits_for_work();
    let mut sources: [Box<dyn Source>; 1] = [Box::new(source(at(scripted(waits, imap)), &Place::default()))];
    let mut told = Vec::new();
    let mut meanwhile = |_: &mut Host, how: Draining<'_>| {
        match how {
            Draining::Failed(error) => told.push(error.to_string()),
            _ => return Err(HostError::usage("the disk is gone")),
        }
        if told.len() == 2 {
            let _ = work.send(());
        }
        Ok(())
    };
    let error = serve::take_in(&mut host, &mut sources, &mut meanwhile).unwrap_err();
    assert_eq!(error.to_string(), "the disk is gone");
    assert!(told.len() >= 2 && told.iter().all(|told| told == "the disk is gone"), "{told:?}");
}

/// Keeps mail until the program is to end.
struct Stopped(Memory, Arc<AtomicBool>);

impl Keep for Stopped {
    fn keep(&mut self, batch: &[Arrived]) -> Result<(), KeepError> {
        self.0.keep(batch)?;
        self.1.store(true, Ordering::SeqCst);
        Ok(())
    }

    fn stop(&self) -> Stop {
        Stop::when(Arc::clone(&self.1))
    }
}

#[test]
fn a_program_that_is_to_end_breaks_off_what_it_asks_a_server_and_asks_no_more() {
    // The server answers nothing to this any more, or drips; the last is the one that is asked after mail was kept.
    for (at_what, drips) in [("SEARCH", false), ("BODY.PEEK", true), ("LOGIN", true), ("STORE", false)] {
        let stop = Arc::new(AtomicBool::new(false));
        let (set, lines) = (Arc::clone(&stop), Arc::new(Mutex::new(Vec::new())));
        let heard = Arc::clone(&lines);
        let script = move |_: usize, line: &str| {
            heard.lock().unwrap().push(line.to_owned());
            line.contains(at_what).then(|| {
                set.store(true, Ordering::SeqCst);
                if drips { Drip(b'*') } else { Stall(String::new()) }
            })
        };
        let place = Place::default();
        // An answer may take ten times as long.
        let server = Server { timeout: Duration::from_secs(3600), ..at(scripted(script, imap)) };
        let mut source = source(server, &place);
        let mut keep = Stopped(Memory::default(), stop);
        let error = source.drain(&mut keep).unwrap_err();
        assert!(matches!(error, PostError::Keep(KeepError::Stopping)), "{at_what}: {error}");
        let lines = lines.lock().unwrap();
        assert_eq!(lines.iter().filter(|line| *line == "greeting").count(), 1, "{at_what}: {lines:?}");
        assert!(at_what == "STORE" || lines.last().unwrap().contains(at_what), "{lines:?}");
        assert!(
            !lines.iter().any(|line| line.contains("STORE")),
            "mail that was kept is marked the next time"
        );
        assert_eq!(keep.0.0.len(), if at_what == "STORE" { 3 } else { 0 });
        assert!(place.0.lock().unwrap().is_none_or(|position| position.uid == 0), "{at_what}");
    }
}

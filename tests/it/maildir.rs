//! Maildirs in and out, and the spool: in order, once, and through crashes at every step.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use musterd::fault::{self, Plan};
use musterd::post::{
    Arrived, HEAD_BYTES, Keep, KeepError, MaildirRelay, MaildirSource, Outcome, PostError, Raw, Relay,
    Source, Spool, create, deliver,
};
use tempfile::TempDir;

use crate::post::Memory;

const LIMIT: u64 = 200_000;
/// A time of arrival that no clock shows.
const THEN: i64 = 1_700_000_000;

/// A Maildir and a spool in one throwaway directory.
struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        create(&dir.path().join("inbox")).unwrap();
        Self { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Puts a letter into the Maildir, so many seconds after [`THEN`].
    fn put(&self, name: &str, seconds: u64, text: &[u8]) {
        let path = self.path("inbox").join(name);
        fs::write(&path, text).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(THEN.unsigned_abs() + seconds);
        fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    }

    fn source(&self) -> MaildirSource {
        MaildirSource::new("inbox".to_owned(), self.path("inbox"), LIMIT)
    }

    fn spool(&self) -> Spool {
        Spool::open(&self.path("spool")).unwrap()
    }
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn letter(n: usize) -> Vec<u8> {
    format!("Subject: letter {n}\r\nMessage-ID: <{n}@ney>\r\n\r\nmove\r\n").into_bytes()
}

fn arrived(n: usize, seconds: i64) -> Arrived {
    Arrived { raw: Raw::Whole(letter(n)), arrived: THEN + seconds, source: "test".to_owned() }
}

#[test]
fn waiting_mail_comes_in_order_of_arrival_and_is_marked_seen() {
    let place = Place::new();
    place.put("new/c", 5, &letter(1));
    place.put("new/b", 7, &letter(3));
    place.put("new/a", 7, &letter(2));
    // Some other program has looked in, without anybody reading.
    place.put("cur/d:2,F", 9, &letter(4));
    for (other, n) in [("cur/e:2,RS", 90), ("cur/f:2,T", 91), ("new/.hidden", 92), ("tmp/g", 93)] {
        place.put(other, 1, &letter(n));
    }
    fs::create_dir(place.path("inbox/new/folder")).unwrap();

    let mut kept = Memory::default();
    let drained = place.source().drain(&mut kept).unwrap();
    assert_eq!((drained.kept, drained.left.len()), (4, 1));
    assert_eq!(kept.subjects(), ["letter 1", "letter 2", "letter 3", "letter 4"]);
    assert_eq!(kept.0.iter().map(|m| m.arrived - THEN).collect::<Vec<_>>(), [5, 7, 7, 9]);
    assert_eq!(names(&place.path("inbox/cur")), ["a:2,S", "b:2,S", "c:2,S", "d:2,FS", "e:2,RS", "f:2,T"]);
    assert_eq!(names(&place.path("inbox/new")), [".hidden", "folder"]);
    assert_eq!(place.source().drain(&mut kept).unwrap().kept, 0);
}

#[test]
fn a_large_letter_comes_as_its_head() {
    let place = Place::new();
    let mut large = letter(1);
    large.resize(usize::try_from(LIMIT).unwrap() + 1, b'x');
    place.put("new/large", 0, &large);
    place.put("new/limit", 1, &large[1..]);
    let mut kept = Memory::default();
    place.source().drain(&mut kept).unwrap();
    assert_eq!(kept.0[0].raw, Raw::Oversize { head: large[..HEAD_BYTES].to_vec(), size: LIMIT + 1 });
    assert_eq!(kept.0[1].raw, Raw::Whole(large[1..].to_vec()));
}

#[test]
fn a_letter_that_vanishes_meanwhile_is_no_error() {
    struct Meddler(PathBuf);
    impl Keep for Meddler {
        fn keep(&mut self, batch: &[Arrived]) -> Result<(), KeepError> {
            assert_eq!(batch.len(), 2);
            fs::remove_file(&self.0).unwrap();
            Ok(())
        }
    }
    let place = Place::new();
    place.put("new/a", 0, &letter(1));
    place.put("new/b", 0, &letter(2));
    assert_eq!(place.source().drain(&mut Meddler(place.path("inbox/new/a"))).unwrap().kept, 2);
    assert_eq!(names(&place.path("inbox/cur")), ["b:2,S"]);
}

#[test]
fn a_letter_that_can_not_be_marked_is_kept_and_its_file_named() {
    let place = Place::new();
    place.put("new/a", 1, &letter(1));
    // Where it would go there is a directory already.
    fs::create_dir_all(place.path("inbox/cur/a:2,S/in-the-way")).unwrap();
    let mut kept = Memory::default();
    let error = place.source().drain(&mut kept).unwrap_err();
    assert!(error.to_string().contains("new/a"), "{error}");
    assert_eq!(kept.0.len(), 1);
}

#[test]
fn a_link_in_a_maildir_leads_nowhere() {
    let place = Place::new();
    place.put("new/1.x", 1, b"From: a@b.example\r\n\r\nhello");
    let secret = place.path("secret");
    fs::write(&secret, "not yours").unwrap();
    std::os::unix::fs::symlink(&secret, place.path("inbox/new/2.x")).unwrap();
    let mut spool = place.spool();
    assert_eq!(place.source().drain(&mut spool).unwrap().kept, 1);
    for pending in spool.pending().unwrap() {
        assert!(!format!("{:?}", spool.read(&pending).unwrap()).contains("not yours"));
    }
}

#[test]
fn a_missing_maildir_is_named() {
    let place = Place::new();
    let mut source = MaildirSource::new("gone".to_owned(), place.path("gone"), LIMIT);
    let error = source.drain(&mut Memory::default()).unwrap_err();
    assert!(matches!(&error, PostError::File { path, .. } if path.ends_with("gone/new")), "{error}");
}

/// What stands in the spool after a drain that dies at its `n`th step, and then one that does not; whether it died.
fn spool_after_crash(n: u64) -> (Vec<String>, bool) {
    let place = Place::new();
    for (k, name) in ["new/a", "new/b", "new/c"].into_iter().enumerate() {
        place.put(name, u64::try_from(k).unwrap(), &letter(k));
    }
    let mut spool = place.spool();
    let armed = fault::arm(Plan::crash_at(n));
    let died = place.source().drain(&mut spool).is_err();
    drop(armed);
    let waiting = spool.pending().unwrap().len() + names(&place.path("inbox/new")).len();
    assert!(waiting >= 3, "crash {n}: a letter is neither in the spool nor in its mailbox");

    let mut spool = place.spool();
    spool.sweep().unwrap();
    place.source().drain(&mut spool).unwrap();
    assert_eq!(names(&place.path("inbox/cur")), ["a:2,S", "b:2,S", "c:2,S"], "crash {n}");
    assert_eq!(names(&place.path("spool/tmp")), [""; 0], "crash {n}");
    (spool.pending().unwrap().into_iter().map(|p| p.name).collect(), died)
}

#[test]
fn a_crash_at_any_step_of_a_drain_loses_and_doubles_nothing() {
    let (undisturbed, died) = spool_after_crash(u64::MAX);
    assert!(undisturbed.len() == 3 && !died);
    let mut crashes = 0;
    for n in 1.. {
        let (spool, died) = spool_after_crash(n);
        assert_eq!(spool, undisturbed, "crash {n}");
        if !died {
            break;
        }
        crashes += 1;
    }
    assert!(crashes >= 3 * 4, "each letter is written, synced, renamed and marked: {crashes}");
}

#[test]
fn the_spool_keeps_the_same_letter_once_and_in_order_of_arrival() {
    let place = Place::new();
    let mut spool = place.spool();
    spool.keep(&[arrived(2, 20), arrived(1, 10), arrived(1, 10), arrived(1, 30)]).unwrap();
    spool.keep(&[arrived(1, 10)]).unwrap();
    let pending = spool.pending().unwrap();
    assert_eq!(pending.iter().map(|p| p.arrived - THEN).collect::<Vec<_>>(), [10, 20, 30]);
    assert!(
        pending[0].name.starts_with("1700000010-") && pending[0].name.ends_with(".eml"),
        "{}",
        pending[0].name
    );
    assert_eq!(spool.read(&pending[0]).unwrap().raw, Raw::Whole(letter(1)));

    // Once done it stays done, though its mailbox should hand it over again.
    spool.done(&pending[..1]).unwrap();
    spool.done(&pending[..1]).unwrap();
    spool.keep(&[arrived(1, 10)]).unwrap();
    assert_eq!(place.spool().pending().unwrap(), pending[1..]);
    assert_eq!(spool.read(&pending[0]).unwrap().raw, Raw::Whole(letter(1)), "kept for good");
    // Litter is passed over.
    fs::write(place.path("spool/new/README"), "x").unwrap();
    assert_eq!(spool.pending().unwrap(), pending[1..]);
}

#[test]
fn a_letter_that_a_power_cut_took_from_the_spool_comes_before_those_behind_it_that_stayed() {
    let place = Place::new();
    let mailbox: Vec<Arrived> = (0..4).map(|n| arrived(n, 0)).collect();
    let waiting = |spool: &Spool| -> Vec<Raw> {
        let names = spool.pending().unwrap();
        names.iter().map(|name| spool.read(name).unwrap().raw).collect()
    };
    let mut spool = place.spool();
    spool.keep(&mailbox).unwrap();
    let in_order: Vec<Raw> = mailbox.iter().map(|mail| mail.raw.clone()).collect();
    assert_eq!(waiting(&spool), in_order);
    for lost in [0, 2] {
        let first = spool.pending().unwrap()[lost].name.clone();
        fs::remove_file(place.path("spool/new").join(first)).unwrap();
        // The mailbox was not told of any of them, and gives them again.
        spool.keep(&mailbox).unwrap();
        assert_eq!(waiting(&spool), in_order, "without {lost}");
    }
}

#[test]
fn a_time_before_1970_or_after_2286_still_sorts() {
    let place = Place::new();
    let mut spool = place.spool();
    let at = |arrived| Arrived { arrived, ..arrived_at_zero() };
    spool.keep(&[at(20_000_000_000), at(9_999_999_999), at(-5)]).unwrap();
    let times: Vec<i64> = spool.pending().unwrap().into_iter().map(|p| p.arrived).collect();
    assert_eq!(times, [0, 9_999_999_999, 20_000_000_000]);
}

fn arrived_at_zero() -> Arrived {
    arrived(0, -THEN)
}

#[test]
fn a_full_disk_or_a_broken_one_leaves_the_mail_in_its_mailbox() {
    for (plan, full) in [
        (Plan::disk_full_from(1).only("file.write"), true),
        (Plan::disk_full_from(2).only("file.sync"), true),
        (Plan::fail_at(1, ErrorKind::QuotaExceeded).only("file.write"), true),
        (Plan::fail_at(1, ErrorKind::Other).only("file.rename"), false),
        (Plan::fail_at(1, ErrorKind::Other).only("file.sync_dir"), false),
    ] {
        let place = Place::new();
        place.put("new/a", 0, &letter(1));
        place.put("new/b", 1, &letter(2));
        let mut spool = place.spool();
        let armed = fault::arm(plan.clone());
        let error = place.source().drain(&mut spool).unwrap_err();
        drop(armed);
        let PostError::Keep(error) = error else { panic!("{plan:?}: {error}") };
        assert_eq!(matches!(error, KeepError::DiskFull(_)), full, "{error}");
        assert!(error.to_string().contains("stays in its mailbox"), "{error}");
        assert_eq!(names(&place.path("inbox/new")), ["a", "b"], "{plan:?}");
        assert_eq!(names(&place.path("spool/tmp")), [""; 0], "half a file takes space that is needed");
        assert_eq!(place.source().drain(&mut spool).unwrap().kept, 2);
        assert_eq!(spool.pending().unwrap().len(), 2);
    }
}

#[test]
fn a_pipe_is_taken_whole_or_not_at_all() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }
    }
    let place = Place::new();
    let mut spool = place.spool();
    deliver(&mut spool, &mut &letter(1)[..], LIMIT, THEN).unwrap();
    let error = deliver(&mut spool, &mut letter(2).chain(Broken), LIMIT, THEN).unwrap_err();
    assert!(error.to_string().contains("standard input"), "{error}");
    let pending = spool.pending().unwrap();
    assert_eq!(pending.len(), 1);
    assert_eq!(spool.read(&pending[0]).unwrap().raw, Raw::Whole(letter(1)));

    let large = vec![b'x'; usize::try_from(LIMIT).unwrap() + 77];
    deliver(&mut spool, &mut &large[..], LIMIT, THEN + 1).unwrap();
    let pending = place.spool().pending().unwrap();
    let message = spool.read(&pending[1]).unwrap();
    assert_eq!(message.raw, Raw::Oversize { head: large[..HEAD_BYTES].to_vec(), size: LIMIT + 77 });
    assert_eq!(message.arrived, THEN + 1);
}

trait Chain {
    fn chain(self, then: impl Read) -> impl Read;
}

impl Chain for Vec<u8> {
    fn chain(self, then: impl Read) -> impl Read {
        io::Cursor::new(self).chain(then)
    }
}

fn send(relay: &MaildirRelay, to: &str, raw: &[u8]) -> Outcome {
    let (recipient, outcome) = relay.send("gm@example.org", &[to.to_owned()], raw).remove(0);
    assert_eq!(recipient, to);
    outcome
}

#[test]
fn a_letter_is_delivered_once_though_sent_again() {
    let place = Place::new();
    let relay = MaildirRelay::with_clock(place.path("mail"), Arc::new(|| THEN + 42));
    assert!(matches!(send(&relay, "Ney+orders@Example.org", &letter(1)), Outcome::Accepted(_)));
    assert!(matches!(send(&relay, "ney@example.org", &letter(1)), Outcome::Accepted(_)));
    let mailbox = relay.mailbox("ney@example.org").unwrap();
    assert_eq!(mailbox, place.path("mail/ney@example.org"));
    let [name] = &names(&mailbox.join("new"))[..] else { panic!("not one letter") };
    let file = mailbox.join("new").join(name);
    let text = fs::read(&file).unwrap();
    assert!(text.starts_with(b"Return-Path: <gm@example.org>\r\nDelivered-To: Ney+orders@Example.org\r\n"));
    assert!(text.ends_with(&letter(1)));
    let modified = fs::metadata(&file).unwrap().modified().unwrap();
    assert_eq!(modified.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs(), THEN.unsigned_abs() + 42);

    // The player's program has shown it; the crash is over and the outbox sends again.
    fs::rename(&file, mailbox.join("cur").join(format!("{name}:2,S"))).unwrap();
    assert!(matches!(send(&relay, "ney@example.org", &letter(1)), Outcome::Accepted(_)));
    assert_eq!(names(&mailbox.join("new")), [""; 0]);
    assert!(matches!(send(&relay, "ney@example.org", &letter(2)), Outcome::Accepted(_)));
    assert_eq!(names(&mailbox.join("new")).len(), 1);
}

#[test]
fn a_crash_at_any_step_of_a_delivery_is_mended_by_sending_again() {
    for n in 1.. {
        let place = Place::new();
        let relay = MaildirRelay::new(place.path("mail"));
        fs::create_dir(place.path("mail")).unwrap();
        let armed = fault::arm(Plan::crash_at(n));
        let outcome = send(&relay, "ney@example.org", &letter(1));
        drop(armed);
        let sent = matches!(outcome, Outcome::Accepted(_));
        assert!(sent || matches!(outcome, Outcome::Deferred(_)), "crash {n}: {outcome:?}");
        assert!(matches!(send(&relay, "ney@example.org", &letter(1)), Outcome::Accepted(_)));
        let mailbox = relay.mailbox("ney@example.org").unwrap();
        assert_eq!(
            (names(&mailbox.join("new")).len(), names(&mailbox.join("tmp")).len()),
            (1, 0),
            "crash {n}"
        );
        if sent {
            assert!(n > 5, "a delivery writes, syncs, renames and syncs again");
            break;
        }
    }
}

#[test]
fn a_maildir_of_which_a_power_cut_left_a_part_is_completed() {
    for lost in ["tmp", "new", "cur"] {
        let place = Place::new();
        let relay = MaildirRelay::new(place.path("mail"));
        create(&place.path("mail/gm@x")).unwrap();
        fs::remove_dir(place.path("mail/gm@x").join(lost)).unwrap();
        let outcome = send(&relay, "gm@x", &letter(1));
        assert!(matches!(outcome, Outcome::Accepted(_)), "{lost}: {outcome:?}");
    }
}

#[test]
fn no_address_leads_out_of_the_maildirs() {
    let place = Place::new();
    let root = place.path("mail");
    let relay = MaildirRelay::new(root.clone());
    for odd in ["../../x@y", "/etc/passwd@y", ".@y", "..@..", "a\\b@y", "é@y", "a/../b@y"] {
        assert!(matches!(send(&relay, odd, &letter(1)), Outcome::Accepted(_)), "{odd}");
        let mailbox = relay.mailbox(odd).unwrap();
        assert_eq!((mailbox.parent(), mailbox.is_dir()), (Some(root.as_path()), true), "{odd}");
    }
    assert_eq!(names(place.dir.path()), ["inbox", "mail"]);
    for bad in ["", "ney", "@y", "x@", "a\nb@y", "a b@y"] {
        assert!(matches!(send(&relay, bad, &letter(1)), Outcome::Refused(_)), "{bad:?}");
    }
    let injected = relay.send("gm@x>\r\nBcc: y", &["ney@y".to_owned()], &letter(1));
    assert!(matches!(&injected[..], [(_, Outcome::Refused(_))]), "{injected:?}");
}

#[test]
fn a_letter_goes_round_from_relay_to_source() {
    let place = Place::new();
    let relay = MaildirRelay::with_clock(place.path("mail"), Arc::new(|| THEN));
    for n in 0..5 {
        send(&relay, "gm+alpha.french.TOKEN@example.org", &letter(n));
    }
    let inbox = relay.mailbox("gm@example.org").unwrap();
    let drained = || {
        let mut kept = Memory::default();
        MaildirSource::new("gm".to_owned(), inbox.clone(), LIMIT).drain(&mut kept).unwrap();
        kept.0
    };
    let round = drained();
    assert_eq!(round.len(), 5);
    for message in &round {
        let Raw::Whole(raw) = &message.raw else { panic!("small") };
        assert!(String::from_utf8_lossy(raw).contains("Delivered-To: gm+alpha.french.TOKEN@example.org\r\n"));
        assert_eq!(message.arrived, THEN);
    }
    assert_eq!(drained(), []);
}

//! The daemon beside a relay that takes its time over each letter, and a mailbox that has no end: the built binary, asked and stopped
//! meanwhile.

use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use musterd::daemon::{HostError, Reply, Request, Vitals, config, control};
use tempfile::TempDir;

use crate::hostile::{body_item, fetches_two, imap, size_item};
use crate::hostile_smtp::smtp;
use crate::scripted::Mischief::{Drip, Say};
use crate::scripted::serve;
use crate::support::{HOST, Mail, NOON, put};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a relay has been given, and whether it may go on.
#[derive(Default)]
struct Door {
    state: Mutex<(usize, bool)>,
    changed: Condvar,
    /// So many letters it takes at once.
    free: usize,
    /// The lines that it heard.
    heard: Mutex<Vec<String>>,
}

impl Door {
    /// The relay has a letter; it answers once it may. Whether that was at once.
    fn knock(&self) -> bool {
        let mut state = self.state.lock().unwrap();
        state.0 += 1;
        self.changed.notify_all();
        if state.0 <= self.free {
            return true;
        }
        drop(self.changed.wait_while(state, |(_, open)| !*open).unwrap());
        false
    }

    /// What stands behind this name of a header, in each letter that the relay has had.
    fn headers(&self, name: &str) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        heard.iter().filter_map(|line| line.strip_prefix(name)).map(str::to_owned).collect()
    }

    fn letters(&self) -> usize {
        self.state.lock().unwrap().0
    }

    fn open(&self) {
        self.state.lock().unwrap().1 = true;
        self.changed.notify_all();
    }

    /// Waits until the relay has had so many letters.
    fn await_letters(&self, letters: usize) {
        let state = self.state.lock().unwrap();
        let (state, waited) =
            self.changed.wait_timeout_while(state, PATIENCE, |(had, _)| *had < letters).unwrap();
        assert!(!waited.timed_out(), "{} of {letters} letters", state.0);
    }
}

/// The daemon, and a relay that keeps the first letter until the door is opened.
struct Served {
    daemon: Killed,
    door: Arc<Door>,
    dir: TempDir,
}

impl Served {
    fn start() -> Self {
        Self::start_after(|_| {}, None)
    }

    /// The same with a data directory that something was done in before, and a relay that says this to each letter.
    fn start_after(before: impl FnOnce(&TempDir), reply: Option<&'static str>) -> Self {
        Self::start_taking(0, before, reply)
    }

    /// The same with a relay that takes so many letters before the first that it keeps.
    fn start_taking(free: usize, before: impl FnOnce(&TempDir), reply: Option<&'static str>) -> Self {
        let door = Arc::new(Door { free, ..Door::default() });
        let keeper = Arc::clone(&door);
        let port = serve(
            move |_, line| {
                keeper.heard.lock().unwrap().push(line.to_owned());
                if line != "." {
                    return None;
                }
                let was_free = keeper.knock();
                reply.filter(|_| !was_free).map(|reply| Say(reply.to_owned()))
            },
            smtp,
        );
        let dir = sending_to(port);
        before(&dir);
        let log = File::create(dir.path().join("log")).unwrap();
        let daemon = command(&dir, &["serve"]).stderr(log).spawn().unwrap();
        Self { daemon: Killed(daemon), door, dir }
    }

    fn ask(&self, n: usize) {
        ask(&self.dir, n);
    }

    /// Ann's mail to this seat from her second address, which takes back what goes to the first.
    fn drop_first_address(&self, seat: &str) {
        let drops = Mail {
            from: "ann@home.example",
            to: seat.trim_matches(['<', '>']),
            id: "drops",
            in_reply_to: None,
            text: "ADDRESS DROP ann@players.example",
        };
        put(&self.dir.path().join("mail").join(HOST), "drops", drops.raw().as_bytes(), NOON);
    }

    /// Since when the relay has letters, as the daemon says.
    fn busy_since(&self) -> Option<i64> {
        self.vitals().relay.busy_since
    }

    fn vitals(&self) -> Box<Vitals> {
        match control::ask(self.dir.path(), &Request::Vitals).unwrap() {
            Some(Reply::Vitals(vitals)) => vitals,
            other => panic!("{other:?}"),
        }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        command(&self.dir, arguments).output().unwrap()
    }

    /// Waits until the log says this.
    fn await_log(&self, said: &str) {
        let log = || std::fs::read_to_string(self.dir.path().join("log")).unwrap();
        until(said, || log().contains(said));
    }

    /// The loop goes round: it answers between two looks at everything else.
    fn goes_round(&self) {
        (0..3).for_each(|_| drop(self.vitals()));
    }

    fn signal(&self) {
        let id = self.daemon.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    }
}

/// A data directory whose mail goes out by the relay at this port.
fn sending_to(port: u16) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let relay = format!("{{kind: smtp, host: 127.0.0.1, port: {port}, security: none, connections: 3}}");
    let text = config::example(HOST)
        .replace("  kind: maildir\n  root: mail\n", &format!("  {relay}\n"))
        .replace("poll_seconds: 30", "poll_seconds: 1");
    std::fs::write(dir.path().join(config::FILE), text).unwrap();
    musterd::post::create(&dir.path().join("mail").join(HOST)).unwrap();
    dir
}

/// A stranger's mail, which is answered.
fn ask(dir: &TempDir, n: usize) {
    let (from, id) = (format!("stranger-{n}@players.example"), format!("question-{n}"));
    let mail = Mail { from: &from, to: HOST, id: &id, in_reply_to: None, text: "What is this?" };
    put(&dir.path().join("mail").join(HOST), &id, mail.raw().as_bytes(), NOON);
}

fn command(dir: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.arg("--dir").arg(dir.path()).args(arguments);
    command
}

impl Drop for Served {
    fn drop(&mut self) {
        self.door.open();
    }
}

const NEW: [&str; 8] = [
    "new",
    "austrian-1805",
    "--id",
    "alpha",
    "--seat",
    "french=computer",
    "--seat",
    "allied=ann@players.example",
];

#[test]
fn a_relay_that_does_not_answer_holds_up_neither_mail_in_nor_turns_nor_commands() {
    let served = Served::start();
    served.ask(0);
    served.door.await_letters(1);
    assert!(served.busy_since().is_some());
    // A command that changes something, and a turn.
    for arguments in [&NEW[..], &["status"]] {
        let done = served.run(arguments);
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    }
    let begun = served.run(&[
        "new",
        "austrian-1805",
        "--id",
        "beta",
        "--seat",
        "french=computer",
        "--seat",
        "allied=computer",
        "--start",
        "now",
    ]);
    assert!(begun.status.success(), "{}", String::from_utf8_lossy(&begun.stderr));
    assert!(served.run(&["resolve", "beta", "2"]).status.success());
    // Mail in.
    served.ask(1);
    let vitals = || served.vitals();
    until("the second mail is dealt with", || vitals().counters.queued >= 4);
    assert!(vitals().relay.busy_since.is_some(), "the relay has not answered yet");
    assert_eq!(served.door.letters(), 1, "while it isn't known to answer one letter goes ahead");
    served.door.open();
    // All answers go out, and the invitation.
    served.door.await_letters(3);
    until("the relay has answered", || served.busy_since().is_none());
}

/// Runs a command that succeeds; what it said.
fn run(dir: &TempDir, arguments: &[&str]) -> String {
    let done = command(dir, arguments).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{arguments:?}: {out}{err}");
    out.into_owned()
}

/// Begins games with Ann against the computer, and runs so many turns of each. What was written up to the first went out by another relay;
/// their dispatches wait for the one that is slow. Returns the addresses that the first mails are to be answered to.
fn with_dispatches(dir: &TempDir, games: &[&str], turns: u32) -> Vec<String> {
    let path = dir.path().join(config::FILE);
    let slow = std::fs::read_to_string(&path).unwrap();
    let at = slow.find("host: 127.0.0.1, port: ").unwrap() + "host: 127.0.0.1, ".len();
    let addresses = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&addresses);
    let port = serve(
        move |_, line| {
            heard.lock().unwrap().extend(line.strip_prefix("Reply-To: ").map(str::to_owned));
            None
        },
        smtp,
    );
    let end = at + slow[at..].find(',').unwrap();
    std::fs::write(&path, format!("{}port: {port}{}", &slow[..at], &slow[end..])).unwrap();
    for id in games {
        let seats = ["--seat", "french=computer", "--seat", "allied=ann@players.example,ann@home.example"];
        run(dir, &[&["new", "austrian-1805", "--id", id, "--start", "now"], &seats[..]].concat());
    }
    run(dir, &["serve", "--once"]);
    std::fs::write(&path, slow).unwrap();
    for (id, turn) in games.iter().flat_map(|id| (2..2 + turns).map(move |turn| (id, turn))) {
        run(dir, &["resolve", id, &turn.to_string()]);
    }
    addresses.lock().unwrap().clone()
}

/// What a rollback says of the mails that it took back.
fn taken_back(said: &str) -> String {
    let line = said.lines().find(|line| line.contains("that had not left")).map(str::to_owned);
    line.unwrap_or_else(|| panic!("{said}"))
}

#[test]
fn a_rollback_waits_for_the_tries_of_what_it_withdraws_and_for_no_others() {
    let before = |dir: &TempDir| drop(with_dispatches(dir, &["alpha", "beta"], 1));
    let served = Served::start_after(before, Some("450 4.2.0 not now\r\n"));
    served.door.await_letters(1);
    let of_beta = taken_back(&run(&served.dir, &["gm", "beta", "ROLLBACK 2", "--yes"]));
    // The relay has a dispatch of the other.
    let alpha = command(&served.dir, &["gm", "alpha", "ROLLBACK 2", "--yes"]).stdout(Stdio::piped()).spawn();
    let mut alpha = alpha.unwrap();
    served.await_log("a command takes back what the relay has just now");
    assert!(alpha.try_wait().unwrap().is_none(), "whether its letter is taken isn't known");
    assert_eq!(served.door.letters(), 1, "nothing of the game that was rolled back has gone out");
    served.door.open();
    let done = alpha.wait_with_output().unwrap();
    assert!(done.status.success());
    assert_eq!(
        taken_back(&String::from_utf8_lossy(&done.stdout)),
        of_beta,
        "it was put off, and is taken back"
    );
}

#[test]
fn what_a_rollback_withdraws_is_not_begun_while_it_waits_for_the_relay() {
    let before = |dir: &TempDir| drop(with_dispatches(dir, &["alpha"], 7));
    let served = Served::start_taking(1, before, Some("450 4.2.0 not now\r\n"));
    // One was taken, and the relay has one on each of three connections: three wait.
    served.door.await_letters(4);
    let rollback =
        command(&served.dir, &["gm", "alpha", "ROLLBACK 2", "--yes"]).stdout(Stdio::piped()).spawn();
    served.await_log("a command takes back what the relay has just now");
    let dispatches = || {
        let turn = |id: &String| id.strip_prefix("<alpha.")?.split_once(".allied.dispatch.")?.0.parse().ok();
        let turns = served.door.headers("Message-ID: ").iter().filter_map(turn).collect::<BTreeSet<u32>>();
        turns.into_iter().filter(|t| (3..=9).contains(t)).collect::<Vec<_>>()
    };
    let begun = dispatches();
    served.goes_round();
    served.door.open();
    let done = rollback.unwrap().wait_with_output().unwrap();
    assert!(taken_back(&String::from_utf8_lossy(&done.stdout)).contains('6'), "{done:?}");
    assert_eq!(dispatches(), begun, "none was begun once it was to be withdrawn");
}

#[test]
fn a_mail_that_takes_back_what_the_relay_has_holds_up_mail_and_turns_and_no_commands() {
    let before = |dir: &TempDir| drop(with_dispatches(dir, &["alpha"], 1));
    let served = Served::start_after(before, Some("450 4.2.0 not now\r\n"));
    served.door.await_letters(1);
    let seat = served.door.headers("Reply-To: ").remove(0);
    let dealt_with = served.vitals().counters.mails;
    served.drop_first_address(&seat);
    served.await_log("a mail takes back what the relay has just now");
    // Questions and commands are answered, and mail waits in the spool.
    served.ask(0);
    run(&served.dir, &NEW.map(|word| if word == "alpha" { "delta" } else { word }));
    served.goes_round();
    assert_eq!(served.vitals().counters.mails, dealt_with, "no mail is dealt with before it");
    served.door.open();
    until("both mails are dealt with", || served.vitals().counters.mails >= dealt_with + 2);
    let journal = run(&served.dir, &["journal", "alpha"]);
    assert!(journal.contains("ann@players.example"), "{journal}");
}

#[test]
fn a_mail_that_takes_back_what_the_relay_has_not_begun_waits_for_nothing() {
    let mut seats = Vec::new();
    let before = |dir: &TempDir| seats = with_dispatches(dir, &["alpha", "beta"], 1);
    let served = Served::start_after(before, Some("450 4.2.0 not now\r\n"));
    // While the relay isn't known to answer one letter goes ahead: that of the other game was handed over, and waits.
    served.door.await_letters(1);
    let begun = served.door.headers("Reply-To: ").remove(0);
    let seat = seats.iter().find(|seat| **seat != begun).unwrap();
    let dealt_with = served.vitals().counters.mails;
    served.drop_first_address(seat);
    until("the mail is dealt with", || served.vitals().counters.mails > dealt_with);
    let log = std::fs::read_to_string(served.dir.path().join("log")).unwrap();
    assert!(!log.contains("takes back what the relay has just now"), "{log}");
    assert_eq!(served.door.letters(), 1, "the relay has not answered about the first yet");
}

#[test]
fn what_the_relay_took_while_the_store_failed_is_not_sent_again() {
    let founds = |dir: &TempDir| assert!(command(dir, &NEW).output().unwrap().status.success());
    let served = Served::start_after(founds, None);
    served.door.await_letters(1);
    // A commit fails beside it, and the store has to be opened again.
    let (mirror, away) = (served.dir.path().join("mirror"), served.dir.path().join("away"));
    std::fs::rename(&mirror, &away).unwrap();
    assert!(!served.run(&["gm", "alpha", "PAUSE", "--yes"]).status.success());
    std::fs::rename(&away, &mirror).unwrap();
    served.door.open();
    let answered = || match control::ask(served.dir.path(), &Request::Vitals) {
        Ok(Some(Reply::Vitals(vitals))) if vitals.counters.faults > 0 => Some(vitals),
        _ => None,
    };
    until("the daemon goes on", || answered().is_some_and(|vitals| vitals.outbox.waiting == 0));
    let sent = answered().unwrap().counters.sent;
    assert_eq!(served.door.letters() as u64, sent, "each letter was sent once");
}

#[test]
fn what_a_relay_refused_is_offered_again_as_soon_as_the_daemon_is_started() {
    let (blocks, taken) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicU32::new(0)));
    let (state, count) = (Arc::clone(&blocks), Arc::clone(&taken));
    let refused = Arc::new(AtomicU32::new(0));
    let refusals = Arc::clone(&refused);
    let port = serve(
        move |_, line| {
            count.fetch_add(u32::from(line == "."), Ordering::SeqCst);
            (line.starts_with("RCPT") && state.load(Ordering::SeqCst)).then(|| {
                refusals.fetch_add(1, Ordering::SeqCst);
                Say("550 5.7.1 Client host blocked\r\n".to_owned())
            })
        },
        smtp,
    );
    let dir = sending_to(port);
    ask(&dir, 0);
    let start = || Killed(command(&dir, &["serve"]).stderr(Stdio::null()).spawn().unwrap());
    let mut daemon = start();
    until("it is refused", || refused.load(Ordering::SeqCst) > 0);
    assert!(Command::new("kill").args(["-TERM", &daemon.0.id().to_string()]).status().unwrap().success());
    until("the daemon ends", || daemon.0.try_wait().unwrap().is_some());
    blocks.store(false, Ordering::SeqCst);
    let _daemon = start();
    until("the letter is taken", || taken.load(Ordering::SeqCst) == 1);
}

#[test]
fn to_stop_is_waited_for_by_the_letters_under_way_and_by_no_others() {
    let mut served = Served::start();
    (0..8).for_each(|n| served.ask(n));
    served.door.await_letters(1);
    served.signal();
    // The relay answers nothing meanwhile.
    served.await_log("stopping: ");
    // It has called back what waits, and answers nobody any more but to say that.
    let ask = || control::ask(served.dir.path(), &Request::Vitals);
    until("it waits for the relay alone", || matches!(ask(), Err(HostError::Told { .. })));
    assert!(served.daemon.0.try_wait().unwrap().is_none(), "a letter under way is seen through");
    served.door.open();
    assert!(served.daemon.0.wait().unwrap().success());
    assert!(!control::daemon_runs(served.dir.path()));
    let had = served.door.letters();
    assert_eq!(had, 1, "one went ahead, and none is begun behind it");
}

#[test]
fn a_step_that_fails_while_the_daemon_is_to_stop_is_told_by_its_log_and_its_exit_status() {
    let founds = |dir: &TempDir| assert!(command(dir, &NEW).output().unwrap().status.success());
    let mut served = Served::start_after(founds, Some("550 5.1.1 no such user\r\n"));
    served.door.await_letters(1);
    served.signal();
    served.await_log("stopping: ");
    // That the address is no good can't be written down: the journals are not where they were.
    let (mirror, away) = (served.dir.path().join("mirror"), served.dir.path().join("away"));
    std::fs::rename(&mirror, &away).unwrap();
    std::fs::write(&mirror, "").unwrap();
    served.door.open();
    assert_eq!(served.daemon.0.wait().unwrap().code(), Some(1));
    let log = std::fs::read_to_string(served.dir.path().join("log")).unwrap();
    for said in ["told to stop, and the step in hand failed", "what became of these mails can't be noted"] {
        let told = log.lines().find(|line| line.contains(said));
        assert!(told.is_some_and(|line| line.contains("mirror")), "{log}");
    }
    // The next start takes it up again.
    std::fs::remove_file(&mirror).unwrap();
    std::fs::rename(&away, &mirror).unwrap();
    served.run(&["serve", "--once"]);
    let journal = served.run(&["journal", "alpha"]);
    let journal = String::from_utf8_lossy(&journal.stdout);
    assert_eq!(journal.matches("a mail to allied did not arrive").count(), 1, "{journal}");
}

/// A data directory whose mail comes from an IMAP server.
fn drains_from(port: u16) -> TempDir {
    drains_folders(port, &["INBOX"])
}

/// The same, of several folders.
fn drains_folders(port: u16, folders: &[&str]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let password = dir.path().join("password");
    std::fs::write(&password, "sesame\n").unwrap();
    std::fs::set_permissions(&password, std::fs::Permissions::from_mode(0o600)).unwrap();
    let mailbox = |folder: &&str| {
        format!(
            "  - {{kind: imap, host: 127.0.0.1, port: {port}, security: none, user: gm, password_file: password, folder: {folder}}}\n"
        )
    };
    let mailboxes: String = folders.iter().map(mailbox).collect();
    let example = config::example(HOST);
    let (before, rest) = example.split_once("mail_in:\n").unwrap();
    let rest = rest.split_once("mail_out:").unwrap().1;
    std::fs::write(dir.path().join(config::FILE), format!("{before}mail_in:\n{mailboxes}mail_out:{rest}"))
        .unwrap();
    dir
}

#[test]
fn who_asks_a_daemon_that_has_failed_and_waits_for_a_mailbox_is_told_why() {
    let (asks, marks) = (Arc::new(Door::default()), Arc::new(Door::default()));
    let doors = [Arc::clone(&asks), Arc::clone(&marks)];
    // One of the letters is answered: that is written down.
    let from = "stranger@players.example";
    let text = Mail { from, to: HOST, id: "question", in_reply_to: None, text: "What is this?" }.raw();
    let script = move |_: usize, line: &str| {
        let two = |what: String| format!("* 2 FETCH (UID 2 {what})\r\n");
        if line.contains("SEARCH") {
            doors[0].knock();
        } else if line.contains("STORE") {
            doors[1].knock();
        } else if line.contains("RFC822.SIZE") {
            let size = two(format!("RFC822.SIZE {}", text.len()));
            return Some(Say(imap(line).replace(&size_item(2), &size)));
        } else if fetches_two(line) {
            let body = two(format!("BODY[] {{{}}}\r\n{text}", text.len()));
            return Some(Say(imap(line).replace(&body_item(2), &body)));
        }
        None
    };
    let dir = drains_from(serve(script, imap));
    let _daemon = Killed(command(&dir, &["serve"]).stderr(Stdio::null()).spawn().unwrap());
    asks.await_letters(1);
    std::fs::rename(dir.path().join("mirror"), dir.path().join("away")).unwrap();
    asks.open();
    // The mails are in the spool, and the server takes its time; what was decided of them can't be written down.
    marks.await_letters(1);
    let mut told = String::new();
    until("the daemon has failed", || {
        let status = command(&dir, &["status"]).output().unwrap();
        told = String::from_utf8_lossy(&status.stderr).into_owned();
        !status.status.success()
    });
    marks.open();
    assert!(told.contains("mirror"), "{told}");
}

/// A mailbox in which each look finds one mail more.
fn endless() -> u16 {
    let looks = AtomicU32::new(0);
    let script = move |_: usize, line: &str| {
        let tag = line.split(' ').next().unwrap_or_default();
        let said = if line.contains("SELECT") {
            "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n".to_owned()
        } else if line.contains("UID SEARCH") {
            format!("* SEARCH {}\r\n", looks.fetch_add(1, Ordering::SeqCst) + 1)
        } else {
            return None;
        };
        Some(Say(format!("{said}{tag} OK done\r\n")))
    };
    serve(script, imap)
}

#[test]
fn a_mailbox_without_end_does_not_keep_the_daemon_from_stopping() {
    for arguments in [&["serve"][..], &["serve", "--once"]] {
        let dir = drains_from(endless());
        let mut daemon = Killed(command(&dir, arguments).stderr(Stdio::null()).spawn().unwrap());
        let other = dir.path().join("spool/other");
        let came = || std::fs::read_dir(&other).map_or(0, Iterator::count);
        until("three mails came", || came() >= 3);
        assert!(Command::new("kill").args(["-TERM", &daemon.0.id().to_string()]).status().unwrap().success());
        until("the daemon ends", || daemon.0.try_wait().unwrap().is_some());
    }
}

#[test]
fn mailboxes_on_a_server_that_drips_do_not_keep_the_daemon_from_stopping() {
    let logins = Arc::new(AtomicU32::new(0));
    let (door, count) = (Arc::new(Door::default()), Arc::clone(&logins));
    door.open();
    let keeper = Arc::clone(&door);
    let script = move |_: usize, line: &str| {
        if line.contains("CAPABILITY") {
            // Without IDLE nothing watches the folders on connections of its own.
            return Some(Say("* CAPABILITY IMAP4rev1\r\nTAG OK\r\n".to_owned()));
        }
        count.fetch_add(u32::from(line.contains("LOGIN")), Ordering::SeqCst);
        line.contains("BODY.PEEK").then(|| {
            keeper.knock();
            Drip(b'*')
        })
    };
    let dir = drains_folders(serve(script, imap), &["INBOX", "Orders"]);
    let mut daemon = Killed(command(&dir, &["serve"]).stderr(Stdio::null()).spawn().unwrap());
    door.await_letters(1);
    // The two watches have looked, too.
    until("three logins", || logins.load(Ordering::SeqCst) == 3);
    assert!(Command::new("kill").args(["-TERM", &daemon.0.id().to_string()]).status().unwrap().success());
    until("the daemon ends", || daemon.0.try_wait().unwrap().is_some());
    assert!(daemon.0.wait().unwrap().success());
    let begun = door.state.lock().unwrap().0;
    assert_eq!((begun, logins.load(Ordering::SeqCst)), (1, 3), "nothing is begun once it is to stop");
}

/// Waits, as long as anything may take on a busy machine, for what must happen.
fn until(what: &str, mut happened: impl FnMut() -> bool) {
    let pause = Duration::from_millis(50);
    let pauses = PATIENCE.as_millis() / pause.as_millis();
    for _ in 0..pauses {
        if happened() {
            return;
        }
        std::thread::sleep(pause);
    }
    panic!("never: {what}");
}

/// A process that doesn't outlive its test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // Already gone where the test has stopped it.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

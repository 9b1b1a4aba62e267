//! The built binary killed with SIGKILL at its Nth write, sync, rename or send, for N = 1 to the last, in a step with two mails
//! in and four out: the one that founds a campaign, and a later player turn of it. It must resume to the same end.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use musterd::desk::mail::Sent;
use tempfile::TempDir;

use super::skips::has;
use super::support::{HOST, Mail, NOON, block, player, put, raw_mails, read};

/// Every system call that changes a file or sends; those that the program doesn't use cost nothing here.
const CALLS: &str = "write,pwrite64,writev,pwritev,fsync,fdatasync,sync_file_range,rename,renameat,renameat2,link,linkat,\
                     unlink,unlinkat,ftruncate,mkdir,sendto,sendmsg";
const SEATS: [&str; 2] = ["french", "allied"];

/// A data directory in which both players' JOIN waits.
fn invited(dir: &Path) {
    fs::write(dir.join("seed"), [7; 32]).unwrap();
    let host = dir.join("host");
    run(dir, &["init", host.to_str().unwrap(), "--address", HOST]);
    let seats = SEATS.map(|seat| format!("{seat}={}", player(seat)));
    let new = ["new", "austrian-1805", "--id", "alpha", "--recall", "none"];
    run(dir, &[&new[..], &["--seat", &seats[0], "--seat", &seats[1]]].concat());
    run(dir, &["serve", "--once"]);
    for seat in SEATS {
        answer(dir, seat, "join", "JOIN\r\nsalt: mine");
    }
}

/// A data directory in which the orders of both sides wait for the first player turn of the campaign: marches of the French,
/// and nothing from the allies, who only react in it.
fn at_war(dir: &Path) {
    invited(dir);
    run(dir, &["serve", "--once"]);
    answer(dir, "french", "march", &block("MOVE 1 TO Wurzburg\r\nMOVE 2 TO Antwerp\r\nsalt: ulm\r\nREADY"));
    answer(dir, "allied", "stand", "READY");
}

/// Lets a player answer the newest mail from the host.
fn answer(dir: &Path, seat: &str, name: &str, text: &str) {
    let mail = dir.join("host/mail");
    let newest = raw_mails(&mail.join(player(seat))).into_iter().map(|(_, raw)| read(&raw));
    let newest = newest
        .filter(|mail| !mail.reply_to.is_empty())
        .max_by_key(|mail| Sent::of(mail.message_id.as_deref().unwrap(), "example.org").unwrap().t);
    let newest = newest.unwrap();
    let id = format!("{name}-{seat}");
    let mail_of_player =
        Mail { from: &player(seat), to: &newest.reply_to[0], id: &id, in_reply_to: None, text };
    put(&mail.join(HOST), &id, mail_of_player.raw().as_bytes(), NOON);
}

/// The program on a copy, to be run or traced: with a fixed time and seed, and no log.
fn arguments(dir: &Path, command: &[&str]) -> Vec<String> {
    let (host, seed) = (dir.join("host"), dir.join("seed"));
    let global = ["--dir", host.to_str().unwrap(), "--seed-file", seed.to_str().unwrap()];
    let time = ["--now", "2026-11-21T12:00:00Z"];
    [&[env!("CARGO_BIN_EXE_musterd")], &global[..], &time, command]
        .concat()
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn run(dir: &Path, command: &[&str]) -> Output {
    let arguments = arguments(dir, command);
    let output =
        Command::new(&arguments[0]).args(&arguments[1..]).env("MUSTERD_LOG", "off").output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn strace(dir: &Path, options: &[&str]) -> bool {
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq", "-o"])
        .arg(dir.join("trace"))
        .args(options)
        .args(arguments(dir, &["serve", "--once"]));
    command.env("MUSTERD_LOG", "off").output().unwrap().status.success()
}

/// In memory where there is such a place: a process that dies loses nothing that a disk would have kept.
fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

fn copy(of: &Path) -> TempDir {
    let dir = scratch();
    // With the files' times: they say when mails arrived.
    assert!(Command::new("cp").arg("-a").arg(of.join(".")).arg(dir.path()).status().unwrap().success());
    dir
}

/// What there is in the end: the journal, and every mail of the players, by file name.
fn outcome(dir: &Path) -> (String, BTreeMap<PathBuf, Vec<u8>>) {
    let journal = String::from_utf8(run(dir, &["journal", "alpha"]).stdout).unwrap();
    let maildirs = SEATS.map(|seat| dir.join("host/mail").join(player(seat)));
    let mails = maildirs.iter().flat_map(|maildir| raw_mails(maildir));
    (journal, mails.map(|((_, path), raw)| (path.strip_prefix(dir).unwrap().to_owned(), raw)).collect())
}

/// Every call of a traced run: each thread's first, second, ... of each kind. strace counts them the same way.
fn calls_in(trace: &str) -> Vec<(String, usize)> {
    let mut most: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for line in trace.lines() {
        let Some((thread, rest)) = line.split_once(char::is_whitespace) else { continue };
        let Some((call, _)) = rest.trim_start().split_once('(') else { continue };
        *most.entry((call, thread)).or_default() += 1;
    }
    let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
    for ((call, _), count) in most {
        let last = calls.entry(call).or_default();
        *last = count.max(*last);
    }
    calls.into_iter().flat_map(|(call, last)| (1..=last).map(move |n| (call.to_owned(), n))).collect()
}

#[test]
fn killed_at_any_write_sync_rename_or_send_of_the_founding_it_resumes_to_the_same_end() {
    kill_everywhere(invited, 2, 1);
}

#[test]
fn killed_at_any_write_sync_rename_or_send_of_a_player_turn_it_resumes_to_the_same_end() {
    // An order with an error would not let the turn run.
    kill_everywhere(at_war, 2 + 4, 2);
}

/// Kills the step that waits in a prepared directory, at every call; `mails_before` and `adjudications` tell that it is the step
/// that was meant.
fn kill_everywhere(prepare: fn(&Path), mails_before: usize, adjudications: usize) {
    if !has("strace", "strace") {
        return;
    }
    let base = scratch();
    prepare(base.path());
    let undisturbed = copy(base.path());
    assert!(strace(undisturbed.path(), &["-e", &format!("trace={CALLS}")]));
    let calls = calls_in(&fs::read_to_string(undisturbed.path().join("trace")).unwrap());
    let expected = outcome(undisturbed.path());
    assert_eq!(expected.1.len(), mails_before + 4, "four mails out");
    assert_eq!(expected.0.matches("\"adjudicated\"").count(), adjudications, "{}", expected.0);
    let (next, killed) = (AtomicUsize::new(0), Mutex::new(0));
    let work = || {
        while let Some((call, n)) = calls.get(next.fetch_add(1, Ordering::SeqCst)) {
            let dir = copy(base.path());
            let inject = format!("inject={call}:signal=SIGKILL:when={n}");
            // A call of a thread that has less to do this time is never reached, and then nothing dies.
            let survived = strace(dir.path(), &["-e", &format!("trace={call}"), "-e", &inject]);
            *killed.lock().unwrap() += usize::from(!survived);
            run(dir.path(), &["serve", "--once"]);
            let ended = outcome(dir.path());
            assert!(ended == expected, "killed at {call} {n}, it came to another end:\n{}", ended.0);
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let killed = killed.into_inner().unwrap();
    assert!(killed >= 60 && killed + 5 >= calls.len(), "{killed} of {} deaths", calls.len());
}

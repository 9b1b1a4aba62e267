//! The host around the core, in a directory of memory (`/dev/shm`), where a sync costs nothing: an order mail from bytes to
//! stored receipt, and the memory of a host with a thousand games at turn 5.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench measures, fails by panicking, and has no users"
)]

#[path = "../tests/it/reopened.rs"]
#[allow(dead_code, reason = "the other bench uses more of it")]
mod reopened;

use std::path::Path;
use std::time::{Duration, Instant};

use musterd::daemon::clock::Clock;
use musterd::daemon::{Entropy, Host, Options, Trust, config};
use musterd::desk::mail;
use musterd::dice::GameId;
use musterd::engine::journal::Cause;
use musterd::letter;
use musterd::post::{Arrived, Keep, Raw};
use musterd::store::{Ledger as _, Step, Store};
use reopened::{played, reopened, report};

// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Within the windows of the played games that are opened again.
const START: i64 = 1_767_300_000;
const MAILS: u32 = 2_000;
const GAMES: usize = 1_000;

fn open(dir: &Path) -> Host {
    let entropy = Entropy::SeedFile(b"bench".to_vec().into());
    Host::open(Options {
        dir: dir.to_owned(),
        clock: Clock::at(START),
        entropy,
        desk: musterd::rulesets::desk(),
    })
    .unwrap()
}

fn prepared() -> tempfile::TempDir {
    let dir = tempfile::tempdir_in("/dev/shm").unwrap();
    std::fs::write(dir.path().join(config::FILE), config::example("campaign@bench.invalid")).unwrap();
    dir
}

// It stands alone, never inlined, so that `benches/instructions` can count what it takes.
#[inline(never)]
fn job_take_mail(host: &mut Host) -> usize {
    host.take_mail().unwrap()
}

/// Mails with the orders that were played in t 3, each a new set that replaces the one before.
fn order_mails(scenario: &str, mails: u32) {
    let game: GameId = "bench".parse().unwrap();
    let dir = prepared();
    let again = reopened(&played(scenario), &game, "ben@bench.invalid".to_owned(), None);
    let block = again.block.clone();
    again.put_into(&Store::open(dir.path()).unwrap().0, dir.path());
    let mut host = open(dir.path());
    let (_, key) = report(&mut host, &game);
    let lines = block.lines().count() + 1;
    for n in 0..mails {
        let raw = format!(
            "From: ben@bench.invalid\r\nTo: campaign@bench.invalid\r\nSubject: orders\r\nMessage-ID: <{n}@ben>\r\n\r\n\
             {key}\r\nBEGIN ORDERS\r\n{block}salt: {n}\r\nEND ORDERS\r\n"
        );
        let mail = Arrived { raw: Raw::Whole(raw.into_bytes()), arrived: START, source: "bench".to_owned() };
        host.spool().keep(&[mail]).unwrap();
    }
    let (begun, worked) = (Instant::now(), processor_time());
    assert_eq!(job_take_mail(&mut host), mails as usize);
    let (took, worked) = (begun.elapsed() / mails, (processor_time() - worked) / mails);
    println!(
        "{scenario}: order mail of {lines} lines, from spooled bytes to stored receipt, no syncs: {worked:?}"
    );
    println!("  of CPU (goal for about 60 lines: 300 µs), in {took:?}");
    let raw = format!("{key}\nBEGIN ORDERS\n{block}END ORDERS\n");
    let begun = Instant::now();
    for _ in 0..mails {
        std::hint::black_box(mail::open(raw.as_bytes(), &letter::Limits::default()));
    }
    println!("  of which opening the letter: {:?}", begun.elapsed() / mails);
}

/// What this process has had of the processors so far, by the system's own account: hundredths of a second.
fn processor_time() -> Duration {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap();
    let behind_the_name = status.rsplit(')').next().unwrap().split_whitespace();
    let ticks = behind_the_name.skip(11).take(2).map(|field| field.parse::<u64>().unwrap());
    Duration::from_millis(10 * ticks.sum::<u64>())
}

/// The resident memory of this process, in MB, from the system's own account.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
}

/// A thousand games at turn 5, known to a host that has just opened.
fn thousand_games() {
    let dir = prepared();
    let entries = played("waterloo-1815");
    let upto = entries.iter().position(|e| matches!(e.cause, Cause::Closed { t: 5, .. })).unwrap();
    {
        let (store, _) = Store::open(dir.path()).unwrap();
        let games: Vec<usize> = (0..GAMES).collect();
        for some in games.chunks(50) {
            let step = |n: &usize| {
                let game: GameId = format!("game-{n}").parse().unwrap();
                let mut entries = entries[..upto].to_vec();
                if let Cause::Founded { charter, .. } = &mut entries[0].cause {
                    charter.game = game.clone();
                }
                Step { game: Some(game), entries, ..Step::default() }
            };
            store.commit(&some.iter().map(step).collect::<Vec<_>>()).unwrap();
        }
    }
    drop(entries);
    let host =
        std::process::Command::new(std::env::current_exe().unwrap()).arg("--known").arg(dir.path()).status();
    assert!(host.unwrap().success());
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, dir] = arguments.as_slice()
        && flag == "--known"
    {
        let begun = Instant::now();
        let before = resident();
        let mut host = open(Path::new(dir));
        println!(
            "{GAMES} games at turn 5: opened in {:?}, resident {} MB (goal: 100 MB; {before} MB before)",
            begun.elapsed(),
            resident()
        );
        assert_eq!(host.run_due(host.clock().now(), Trust::Sure).unwrap(), 0);
        return;
    }
    if let [_, flag, mails, scenario] = arguments.as_slice()
        && flag == "--mails"
    {
        return order_mails(scenario, mails.parse().unwrap());
    }
    order_mails("nations-1814", MAILS);
    order_mails("waterloo-1815", MAILS);
    thousand_games();
}

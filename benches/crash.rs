//! A whole host under power cuts, thousands of them: `cargo bench --bench crash -- --points 5000`. The seed is fresh and printed;
//! `--seed` draws the same again, but a recording is never quite the last one, as the program's threads go on when they like: so a disk that
//! a cut left, and that did harm, is kept, to be looked at and started again.
//!
//! `--controls` has the disk forget the syncs of one part of the data directory after the other, and tells how often that is noticed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    dead_code,
    unreachable_pub,
    missing_docs,
    reason = "a bench measures, fails by panicking, and shares its judge with the tests"
)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use clap::Parser;

#[path = "../tests/it/crash_disk.rs"]
mod crash_disk;
#[path = "../tests/it/crash_game.rs"]
mod crash_game;
#[path = "../tests/it/crash_history.rs"]
mod crash_history;
#[path = "../tests/it/crash_judge.rs"]
mod crash_judge;
#[path = "../tests/it/crash_trace.rs"]
mod crash_trace;

use crash_game::Recording;
use crash_judge::{CONTROLS, Cut, Ignored, Way, cuts, try_all};

/// Cuts the power of a recorded host.
#[derive(Parser)]
struct Args {
    /// How many power cuts; of each control a twentieth.
    #[arg(long, default_value_t = 1000)]
    points: usize,
    /// What they are drawn by [default: fresh].
    #[arg(long)]
    seed: Option<u64>,
    /// Where to keep disks as a cut left them that did harm.
    #[arg(long, default_value = "target/crash")]
    failures: PathBuf,
    /// Try the controls too.
    #[arg(long)]
    controls: bool,
    /// What `cargo bench` adds.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let fresh = || u64::try_from(SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos() % (1 << 48)).unwrap();
    let seed = args.seed.unwrap_or_else(fresh);
    let base = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let began = Instant::now();
    let recording = Recording::make(base.path());
    let changes = recording.history.changes.len();
    println!(
        "seed {seed}: {} commands of {changes} changes recorded in {:.1?}",
        recording.steps.len(),
        began.elapsed()
    );
    let way = Way { kept: Some(args.failures.clone()), ..Way::default() };
    let failed = judge(&recording, "no sync", &cuts(&recording, args.points, seed), &way);
    let mut unnoticed = false;
    if args.controls {
        for (part, ignored) in CONTROLS {
            let cuts = cuts(&recording, (args.points / 20).max(1), seed);
            let way = Way { ignored, ..Way::default() };
            unnoticed |= judge(&recording, &format!("the syncs of {part}"), &cuts, &way) == 0;
        }
    }
    ExitCode::from(u8::from(failed > 0 || unnoticed))
}

/// Tries cuts, tells the faults, and how many they are.
fn judge(recording: &Recording, forgotten: &str, cuts: &[Cut], way: &Way) -> usize {
    let began = Instant::now();
    let faults = try_all(recording, cuts, way);
    let (failed, took) = (faults.len(), began.elapsed());
    println!(
        "a disk that forgets {forgotten}: {failed} of {} power cuts did harm, in {took:.1?}",
        cuts.len()
    );
    let shown = if way.ignored == Ignored::Nothing { faults.len() } else { 1 };
    faults.iter().take(shown).for_each(|fault| println!("  {fault}"));
    failed
}

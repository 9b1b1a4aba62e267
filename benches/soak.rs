//! The random tests with fresh seeds, for as long as you like: `cargo bench --bench soak -- --minutes 60`. The suite runs the same cases every
//! time; here each run of a test has a seed of its own, which is printed. A failure prints the command that repeats it.
//!
//! The tests are those of the dev profile, built first. `cargo bench --workspace --profile dev --bench soak` builds nothing else but itself.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    dead_code,
    missing_docs,
    reason = "a bench fails by panicking, and shares its list with the tests"
)]

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use clap::Parser;
use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGINT, SIGTERM};

#[path = "../tests/common/soak.rs"]
mod soak;

use soak::{ALL, Random, SEED};

/// Seeds stay below this.
const SEEDS: u32 = 1_000_000_000;
/// How much of the output of a test that failed is shown.
const LINES: usize = 40;

/// Runs the random tests with fresh seeds.
#[derive(Parser)]
struct Args {
    /// How long, the build left out. A test that is still running then is stopped.
    #[arg(long, default_value_t = 5)]
    minutes: u64,
    /// The first seed [default: fresh].
    #[arg(long, value_parser = clap::value_parser!(u32).range(..i64::from(SEEDS)))]
    seed: Option<u32>,
    /// Only the tests of files whose paths have this in them.
    only: Option<String>,
    /// What `cargo bench` adds.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Some tests with a seed.
struct Run<'a> {
    of: &'a Random,
    tests: Vec<&'a str>,
    seed: u32,
}

/// How a run came out.
enum Outcome {
    Passed,
    Failed { tests: Vec<String>, output: String },
    Stopped,
}

impl<'a> Run<'a> {
    fn new(of: &'a Random, seed: u32) -> Self {
        Self { of, tests: of.tests.to_vec(), seed }
    }

    fn arguments(&self) -> Vec<&'a str> {
        // Of the whole workspace, as the suite is built: for one package cargo may build its dependencies anew.
        let binary = ["test", "--workspace"].into_iter().chain(self.of.target.iter().copied());
        binary.chain(["--", "--exact"]).chain(self.tests.iter().copied()).collect()
    }

    fn go(&self, until: Instant, interrupted: &AtomicBool) -> Outcome {
        let mut file = tempfile::tempfile().unwrap();
        let mut command = Command::new("cargo");
        command.args(self.arguments());
        command.env(SEED, self.seed.to_string()).env("PROPTEST_RNG_SEED", self.seed.to_string());
        // Of a failure its words are shown, and not whence they were said.
        command.env("RUST_BACKTRACE", "0");
        command.stdout(writer(&file)).stderr(writer(&file));
        // A group, so that cargo and the test that it runs can be stopped together.
        let mut child = command.process_group(0).spawn().unwrap();
        let Some(status) = wait(&mut child, until, interrupted) else { return Outcome::Stopped };
        let mut output = String::new();
        std::io::Seek::rewind(&mut file).unwrap();
        file.read_to_string(&mut output).unwrap();
        let is_told = |line: &&str| line.starts_with("test ") && line.contains(" ... ");
        let ran = output.lines().filter(is_told).count();
        if status.success() && ran == self.tests.len() {
            return Outcome::Passed;
        }
        let failed =
            output.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
        Outcome::Failed { tests: failed.map(str::to_owned).collect(), output }
    }
}

/// The command by which somebody repeats it.
impl fmt::Display for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, .. } = self;
        write!(f, "{SEED}={seed} PROPTEST_RNG_SEED={seed} cargo {}", self.arguments().join(" "))
    }
}

fn writer(file: &File) -> File {
    file.try_clone().unwrap()
}

/// How a child ended; none if it had to be stopped.
fn wait(child: &mut Child, until: Instant, interrupted: &AtomicBool) -> Option<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if Instant::now() >= until || interrupted.load(Ordering::Relaxed) {
            let group = Pid::from_child(child);
            kill_process_group(group, Signal::KILL).unwrap();
            child.wait().unwrap();
            return None;
        }
        sleep(Duration::from_millis(50));
    }
}

/// The number that is drawn behind another one (SplitMix64).
fn next(seed: u32) -> u32 {
    let mut z = u64::from(seed).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    u32::try_from((z ^ (z >> 31)) % u64::from(SEEDS)).unwrap()
}

fn main() -> ExitCode {
    let args = Args::parse();
    let wanted = |random: &&Random| args.only.as_deref().is_none_or(|only| random.file.contains(only));
    let randoms: Vec<&Random> = ALL.iter().filter(wanted).collect();
    assert!(!randoms.is_empty(), "no random tests are in such a file");
    let targets: BTreeSet<_> = randoms.iter().map(|random| random.target).collect();
    let build = ["test", "--workspace", "--no-run", "--quiet"];
    let built = Command::new("cargo").args(build).args(targets.into_iter().flatten()).status().unwrap();
    if !built.success() {
        return ExitCode::FAILURE;
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted)).unwrap();
    }
    let fresh = || u32::try_from(SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos() % u128::from(SEEDS));
    let mut seed = args.seed.unwrap_or_else(|| fresh().unwrap());
    let until = Instant::now() + Duration::from_secs(60 * args.minutes);
    println!("first seed {seed}: {} files of random tests, for {} minutes", randoms.len(), args.minutes);
    let (mut runs, mut failures) = (0, 0);
    // Which tests a short soak comes to is chance too.
    let first = usize::try_from(seed).unwrap() % randoms.len();
    for random in randoms.iter().cycle().skip(first) {
        let run = Run::new(random, seed);
        let began = Instant::now();
        let outcome = run.go(until, &interrupted);
        let took = began.elapsed().as_secs();
        match outcome {
            Outcome::Passed => println!("{:32} seed {seed:9}: passed in {took} s", random.file),
            Outcome::Stopped => {
                println!("{:32} seed {seed:9}: stopped after {took} s; it was: {run}", random.file);
                break;
            }
            Outcome::Failed { tests, output } => {
                failures += 1;
                let shown: Vec<&str> = output.lines().rev().take(LINES).collect();
                shown.iter().rev().for_each(|line| println!("    {line}"));
                let failed: Vec<&str> = tests.iter().map(String::as_str).collect();
                let run = if failed.is_empty() { run } else { Run { tests: failed, ..run } };
                println!("{:32} seed {seed:9}: FAILED. Repeat it: {run}", random.file);
            }
        }
        runs += 1;
        seed = next(seed);
    }
    println!("{runs} runs, {failures} failed");
    ExitCode::from(u8::from(failures > 0))
}

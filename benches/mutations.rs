//! Mutated mails, a million of them if asked: `cargo bench --bench mutations -- --mails 1000000`. A mail that panics, that
//! loses its shape or takes the processor a second is written to a file, and its seed told.
//!
//! `--burdens` times mails that are the same thing many times over, each at three lengths. `--read FOLDER` tells what is made of
//! every file of a folder: a look at mail that others wrote.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    dead_code,
    missing_docs,
    reason = "a bench measures, fails by panicking, and shares its mails with the tests"
)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use clap::Parser;
use musterd::desk::mail::{open, own_words};
use musterd::letter::Limits;

#[path = "../tests/it/letters_burdens.rs"]
mod letters_burdens;
#[path = "../tests/it/letters_examined.rs"]
mod letters_examined;
#[path = "../tests/it/letters_mutation.rs"]
mod letters_mutation;
#[path = "../tests/it/letters_summary.rs"]
mod letters_summary;

use letters_burdens::burdens;
use letters_examined::Reader;
use letters_mutation::Mutator;

/// No mail may take the processor longer.
const LONGEST: Duration = Duration::from_secs(1);

/// Reads mutated mails from their bytes to their orders.
#[derive(Parser)]
struct Args {
    /// How many.
    #[arg(long, default_value_t = 20_000)]
    mails: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The folder of mails (*.eml) that they are made from.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Where to write a mail that fails.
    #[arg(long, default_value = "target/mutations")]
    failures: PathBuf,
    /// Time the burdens instead.
    #[arg(long)]
    burdens: bool,
    /// Tell instead what is made of every file below this folder.
    #[arg(long)]
    read: Option<PathBuf>,
    /// What `cargo bench` adds.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(folder) = &args.read {
        read(folder)
    } else if args.burdens {
        time_burdens()
    } else {
        mutate(&args)
    }
}

fn mutate(args: &Args) -> ExitCode {
    let folder = args.corpus.clone().unwrap_or_else(letters_summary::corpus);
    let (mutator, reader) = (Mutator::of(&folder), Reader::new());
    let mut slowest = (Duration::ZERO, 0, 0);
    let (mut bytes, mut failed, mut reading) = (0, 0, Duration::ZERO);
    for seed in args.first..args.first + args.mails {
        let mail = mutator.mail(seed);
        let began = processor_time();
        let held = reader.examine(&mail);
        let took = processor_time().saturating_sub(began);
        reading += took;
        bytes += mail.len() as u64;
        slowest = slowest.max((took, seed, mail.len()));
        let what = match held {
            Err(what) => what,
            Ok(()) if took > LONGEST => format!("it took {took:?}"),
            Ok(()) => continue,
        };
        failed += 1;
        std::fs::create_dir_all(&args.failures).unwrap();
        let file = args.failures.join(format!("{seed}.eml"));
        std::fs::write(&file, &mail).unwrap();
        println!("seed {seed}: {what}; the mail is in {}", file.display());
    }
    let (took, seed, length) = slowest;
    println!(
        "{} mails of {bytes} bytes read in {reading:.1?}, {failed} failed; the slowest (seed {seed}, {length} bytes) took {took:.1?}; \
         at most {} kB of memory",
        args.mails,
        peak_kilobytes()
    );
    ExitCode::from(u8::from(failed > 0))
}

fn time_burdens() -> ExitCode {
    let reader = Reader::new();
    let timed = |bytes: usize| -> Vec<(String, Duration)> {
        let time = |(name, mail): (String, Vec<u8>)| {
            let began = processor_time();
            reader.examine(&mail).unwrap_or_else(|what| panic!("{what}: {name}"));
            (name, processor_time().saturating_sub(began))
        };
        burdens(bytes).map(time).collect()
    };
    let (small, middling, large) = (timed(240_000), timed(480_000), timed(960_000));
    let mut rows: Vec<_> = small.iter().zip(&middling).zip(&large).collect();
    rows.sort_by_key(|(_, (_, took))| std::cmp::Reverse(*took));
    println!("{:>9} {:>9} {:>9}  burden of 240, 480 and 960 kB", "ms", "ms", "ms");
    for (((name, small), (_, middling)), (_, large)) in rows {
        let ms = |took: &Duration| format!("{}.{}", took.as_millis(), took.as_micros() / 100 % 10);
        println!("{:>9} {:>9} {:>9}  {name}", ms(small), ms(middling), ms(large));
    }
    ExitCode::SUCCESS
}

fn read(folder: &Path) -> ExitCode {
    let reader = Reader::new();
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let letter = open(&bytes, &Limits::default());
        println!("=== {}\n{}", path.display(), letters_summary::summary(&letter));
        if let Err(what) = reader.examine(&bytes) {
            println!("!!! {what}");
        }
        if let Ok(body) = &letter.body {
            println!("~~~ written by its sender:\n{}", own_words(&body.text).trim());
        }
    }
    ExitCode::SUCCESS
}

/// How long this thread has been running, whatever else the machine does; where the system doesn't tell, the time of day.
fn processor_time() -> Duration {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split_whitespace().next().and_then(|first| first.parse().ok());
    nanoseconds.map_or_else(|| BEGAN.elapsed(), Duration::from_nanos)
}

/// The most memory that the process has held, in kilobytes.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

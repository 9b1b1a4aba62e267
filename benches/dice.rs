//! Many dice through the protocol's own mapping, and the battery over them: `cargo bench --bench dice -- --dice 1000000000`.
//!
//! Dice of nine sizes are thrown by labels of a thousand dice each, as an adjudication throws them: every label's stream is begun
//! anew from the seed. What comes of it is told in `docs/statistics.md`.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench measures, and has no users"
)]

use std::time::Instant;

use clap::Parser;
use musterd::dice::statistics::{Luck, Statistics, Tally};
use musterd::dice::{Digest, Label, Seed, Stream};
use musterd::engine::briefing::Briefing;
use musterd::report::statistics::sections;
use musterd::report::text;

/// The sizes of dice that wargames know.
const SIDES: [u32; 9] = [2, 3, 4, 6, 8, 10, 12, 20, 100];
/// How many dice one label throws.
const A_LABEL: u32 = 1000;

/// Throws dice and tests them.
#[derive(Parser)]
struct Args {
    /// How many, together.
    #[arg(long, default_value_t = 9_000_000)]
    dice: u64,
    /// Words whose SHA-256 is the seed.
    #[arg(long, default_value = "musterd")]
    seed: String,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let args = Args::parse();
    let seed = Seed::unrelated(*Digest::of(args.seed.as_bytes()).as_bytes());
    let mut tally = Tally::default();
    let began = Instant::now();
    let each = args.dice.div_ceil(SIDES.len() as u64);
    for sides in SIDES {
        let mut left = each;
        let mut number = 0_u64;
        while left > 0 {
            let count = left.min(u64::from(A_LABEL));
            let label: Label = format!("1/bench/dice/d{sides}/{number}").parse().unwrap();
            let mut stream = Stream::new(&seed, &label);
            tally.throw(sides, (0..count).map(|_| stream.die(sides)));
            (left, number) = (left - count, number + 1);
        }
    }
    let thrown = began.elapsed();
    let statistics = Statistics::of(&tally, &Luck::default());
    let briefing = Briefing { sections: sections(&statistics), ..Briefing::default() };
    println!("{}", text::sections(&briefing));
    let nanoseconds = thrown.as_nanos() as f64 / statistics.dice as f64;
    println!(
        "{} dice thrown and counted in {:.1} s, {nanoseconds:.1} ns each; tested in {:.1} s.",
        statistics.dice,
        thrown.as_secs_f64(),
        (began.elapsed() - thrown).as_secs_f64()
    );
}

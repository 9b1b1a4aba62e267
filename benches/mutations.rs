//! What is made of foreign mail: `cargo bench --bench mutations -- --read FOLDER`.
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench fails by panicking, and has no users")]
#![allow(dead_code, clippy::print_stdout, clippy::panic, reason = "shared with the tests")]

use std::path::PathBuf;

use clap::Parser;
use musterd::letter::{Limits, open, own_words};

#[path = "../tests/it/letters_summary.rs"]
mod letters_summary;

/// Reads mails.
#[derive(Parser)]
struct Args {
    /// Print what is made of every file below this folder.
    #[arg(long)]
    read: Option<PathBuf>,
    /// What `cargo bench` adds.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let args = Args::parse();
    let mut folders: Vec<PathBuf> = args.read.into_iter().collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for path in files {
        let letter = open(&std::fs::read(&path).unwrap(), &Limits::default());
        println!("=== {}\n{}", path.display(), letters_summary::summary(&letter));
        if let Ok(body) = &letter.body {
            println!("~~~ written by its sender:\n{}", own_words(&body.text).trim());
        }
    }
}

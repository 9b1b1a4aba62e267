//! Prints the words of a mail's writer, without quotations and signature: `own_words MAIL`, or the mail at standard input.

use std::io::Read as _;

use musterd_letter::{Limits, NoMarks, open, own_words};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut raw = Vec::new();
    match std::env::args_os().nth(1) {
        Some(path) => raw = std::fs::read(path)?,
        None => _ = std::io::stdin().read_to_end(&mut raw)?,
    }
    let body = open(&raw, &Limits::default(), &NoMarks).body?;
    print!("{}", own_words(&body.text, &NoMarks));
    Ok(())
}

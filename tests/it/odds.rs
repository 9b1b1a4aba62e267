//! `musterd odds`: what a user sees, and what a program reads.

use std::process::{Command, Output};

use serde_json::Value;

use crate::report::assert_golden;

fn odds(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.args(["--dir", env!("CARGO_TARGET_TMPDIR"), "odds", "lga"]).args(arguments.split(' ')).output().unwrap()
}

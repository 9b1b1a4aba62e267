//! The command line: one file a command.

use std::process::ExitCode;

/// Runs the program with the process's arguments.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}

//! How a command tells that it failed: lines for people, or with `--json` one object for programs.

use std::io::{self, Write as _};

use clap::error::ErrorKind;
use serde::Serialize;

use super::global::Ended;
use super::{output, plain};
use musterd_daemon::HostError;

/// The exit status of a command whose output was lost.
const LOST: u8 = 3;

/// Why a command ends with another exit status than 0.
#[derive(Debug, Serialize)]
pub(super) struct Failure {
    /// What it is about, in one word that programs may rely on.
    kind: &'static str,
    exit: u8,
    message: String,
    /// Whether the output of the command tells people already.
    #[serde(skip)]
    is_told: bool,
}

/// The object for programs.
#[derive(Serialize)]
struct ErrorOutput<'a> {
    error: &'a Failure,
}

impl Failure {
    /// That the arguments can't be read.
    pub(super) fn usage(answer: &clap::Error, exit: u8) -> Self {
        // The library has written it already for people.
        Self { kind: "usage", exit, message: usage_in_words(answer), is_told: true }
    }

    /// How a command ended, unless well.
    pub(super) fn of(outcome: Result<Ended, HostError>) -> Option<Self> {
        let finding = |exit, message: &str, is_told| {
            Some(Self { kind: "finding", exit, message: message.to_owned(), is_told })
        };
        let told = "something was found, and the output of the command tells what";
        match outcome {
            Ok(Ended::Done) => None,
            Ok(Ended::Finding(exit)) => finding(exit, told, true),
            Ok(Ended::Incomplete(exit)) => {
                let message = "nothing wrong was found, and not all could be told yet: the output of the command says what";
                Some(Self { kind: "incomplete", exit, message: message.to_owned(), is_told: true })
            }
            Ok(Ended::Found(lines)) => finding(1, &lines.join("\n"), false),
            Ok(Ended::Unconfirmed) => {
                let message = "nothing was done: confirm it with --yes behind the command, once you have read what it does";
                Some(Self { kind: "unconfirmed", exit: 1, message: message.to_owned(), is_told: true })
            }
            Err(error) => Some(Self::from(&error)),
        }
    }

    /// The failure of a command whose output was lost, in the place of a lesser one.
    pub(super) fn of_output(before: Option<Self>) -> Option<Self> {
        let lesser = before.as_ref().is_none_or(|before| before.exit < LOST || before.kind == "incomplete");
        match output::lost().filter(|_| lesser) {
            Some(error) => {
                let told = format!(
                    "standard output: {error}; what was asked for was done, and not all of it was told"
                );
                let said = before.filter(|before| !before.is_told).map(|before| before.message);
                let message = said.into_iter().chain([told]).collect::<Vec<_>>().join("\n");
                Some(Self { kind: "output", exit: LOST, message, is_told: false })
            }
            None => before,
        }
    }

    /// The exit status.
    pub(super) const fn exit(&self) -> u8 {
        self.exit
    }

    /// The same with another exit status.
    pub(super) fn with_exit(self, exit: u8) -> Self {
        Self { exit, ..self }
    }

    /// The same with a few more words.
    pub(super) fn with_words(self, words: &str) -> Self {
        Self { message: format!("{}{words}", self.message), ..self }
    }

    /// Tells it on standard error.
    pub(super) fn tell(&self, json: bool) {
        if json {
            let line = serde_json::to_string(&ErrorOutput { error: self }).unwrap_or_default();
            let _ = writeln!(io::stderr(), "{}", plain::shown_json(&line));
        } else if !self.is_told {
            match self.kind {
                "finding" | "output" => self.message.lines().for_each(output::error),
                _ => output::error(&self.message),
            }
        }
    }
}

impl From<&HostError> for Failure {
    fn from(error: &HostError) -> Self {
        Self { kind: error.kind().as_str(), exit: error.exit(), message: error.to_string(), is_told: false }
    }
}

/// What is wrong with the arguments, without the summary of what the command takes.
fn usage_in_words(answer: &clap::Error) -> String {
    if answer.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "a command or an argument is missing: `--help` says what can follow".to_owned();
    }
    let told = answer.render().to_string();
    let told = told.strip_prefix("error: ").unwrap_or(&told);
    let ends = ["\n\nUsage:", "\n\nFor more information"].into_iter().filter_map(|end| told.find(end));
    told[..ends.min().unwrap_or(told.len())].trim().to_owned()
}

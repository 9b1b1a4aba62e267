use std::io::{IsTerminal, Read};

use clap::{Args, ValueHint};

use super::global::{Ended, Global};
use super::outfile::{Force, OutDir};
use super::output;
use musterd_daemon::{Effect, GmAnswer, HostError, Reply, Request};
use musterd_desk::mail::{Attachment, gm_verbs};
use musterd_dice::GameId;
use musterd_engine::alike::meant;
use musterd_report::{text, underlined};

/// Lead a game: every command that the GM can mail
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(super) struct Gm {
    /// Write the files that an answer brings into this directory, instead of printing them
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    files: Option<OutDir>,
    #[command(flatten)]
    force: Force,
    /// The game
    game: GameId,
    /// The command, as in a mail; `-` reads commands from the standard input. `--yes` at its end confirms it
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Gm {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        // Behind the command they stand among its words.
        let (mut words, mut yes, mut dir) = (self.command.as_slice(), false, self.files.clone());
        loop {
            (words, yes, dir) = match words {
                [words @ .., last] if last == "--yes" => (words, true, dir),
                [words @ .., option, last] if option == "--files" => {
                    (words, yes, Some(OutDir::at(last.into())))
                }
                _ => break,
            };
        }
        let text = match words {
            [only] if only == "-" => {
                let mut text = String::new();
                let read = std::io::stdin().lock().read_to_string(&mut text);
                read.map_err(|error| HostError::Io { path: "standard input".into(), error })?;
                text
            }
            words => words.join(" "),
        };
        let from_input = matches!(words, [only] if only == "-");
        let dir = dir.as_ref();
        dir.map_or(Ok(()), |dir| dir.spare(global))?;
        let ended = self.ask(global, text.clone(), yes, dir)?;
        let asks = std::io::stdin().is_terminal() && !from_input && !global.json;
        if ended == Ended::Unconfirmed && asks && agreed()? {
            return self.ask(global, text, true, dir);
        }
        Ok(ended)
    }

    fn ask(
        &self,
        global: &Global,
        text: String,
        yes: bool,
        dir: Option<&OutDir>,
    ) -> Result<Ended, HostError> {
        let reply = global.ask(Request::Gm { game: self.game.clone(), text, yes })?;
        if global.json {
            output::json(&reply);
        }
        let Reply::Gm { answers, unread } = reply else { return Ok(Ended::Done) };
        if let Some(dir) = dir {
            let files = answers.iter().flat_map(|answer| &answer.files);
            files
                .into_iter()
                .try_for_each(|file| dir.write(global, self.force, (&file.name, &file.bytes)))?;
        }
        if !global.json {
            answers.iter().for_each(|answer| print(answer, dir.is_some()));
            if let Some(line) = &unread {
                let first = line.split_whitespace().next().unwrap_or_default();
                let near = meant(first, gm_verbs().map(|verb| verb.word));
                let near = near.map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
                output::text(&format!(
                    "{}This begins no command.{near} `musterd gm {} HELP` lists them.",
                    underlined(line, (0, first.chars().count())),
                    self.game
                ));
            }
        }
        let has = |end: Effect| answers.iter().any(|answer| answer.end == end);
        Ok(match (unread.is_some() || has(Effect::Wrong), has(Effect::Unconfirmed)) {
            (true, _) => Ended::Finding(2),
            (false, true) => Ended::Unconfirmed,
            (false, false) => Ended::Done,
        })
    }
}

fn print(answer: &GmAnswer, is_written: bool) {
    if let Some(caret) = &answer.caret {
        output::text(caret.under(&answer.line).trim_end_matches('\n'));
    }
    output::text(&text::page(&answer.paragraphs));
    if !answer.page.is_empty() {
        output::text(&format!("\n{}", answer.page));
    }
    for Attachment { name, mime, bytes } in &answer.files {
        if is_written {
            output::text(&format!("Written: {name}"));
        } else if is_drawn(mime) {
            output::text(&format!("{name} is for a browser: `--files DIR` writes it."));
        } else {
            output::text(&format!("\n=== {name}\n\n{}", String::from_utf8_lossy(bytes)));
        }
    }
}

/// Whether a file is a page or a picture, which nobody reads in a terminal.
fn is_drawn(mime: &str) -> bool {
    matches!(mime, "text/html" | "image/svg+xml")
}

fn after_help() -> String {
    let help: Vec<(&str, &str)> = gm_verbs().flat_map(|verb| verb.help).copied().collect();
    format!("{EXAMPLES}\n\nCommands:\n{}", text::columns(&help).trim_end())
}

const EXAMPLES: &str = "Examples:
  musterd gm alpha HELP
  musterd gm alpha PROCESS 5
  musterd gm alpha EXTEND 1805-winter-french 2d BECAUSE Anna is ill
  musterd gm alpha REPLACE french anna@example.org --yes
  musterd gm alpha AMEND 5 'UNIT 12 MORALE 3' BECAUSE a slip in the orders
  musterd gm alpha - < commands.txt
  musterd gm --files drafts alpha DRAFT 5

A turn is the open one's number or name, so that a stale command does no harm. What changes the position or the players is told \
first, and done with --yes or when you say so.";

/// Asks for confirmation on the terminal.
fn agreed() -> Result<bool, HostError> {
    output::text("Do it? Answer yes or no:");
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    read.map_err(|error| HostError::Io { path: "standard input".into(), error })?;
    Ok(line.trim().eq_ignore_ascii_case("yes"))
}

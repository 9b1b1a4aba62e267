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
        let (mut words, mut yes, mut dir, mut force) =
            (self.command.as_slice(), false, self.files.clone(), self.force);
        loop {
            (words, yes, dir, force) = match words {
                [words @ .., last] if last == "--yes" => (words, true, dir, force),
                [words @ .., last] if last == "--force" => (words, yes, dir, Force { force: true }),
                [words @ .., option, last] if option == "--files" => {
                    (words, yes, Some(OutDir::at(last.into())), force)
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
        let dir = dir.as_ref().map(|dir| (dir, force));
        dir.map_or(Ok(()), |(dir, _)| dir.spare(global))?;
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
        dir: Option<(&OutDir, Force)>,
    ) -> Result<Ended, HostError> {
        let reply = global.ask(Request::Gm { game: self.game.clone(), text, yes })?;
        if global.json {
            output::json(&reply);
        }
        let Reply::Gm { answers, unread } = reply else { return Ok(Ended::Done) };
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
        // Last: the commands are done, whatever becomes of the files.
        if let Some((dir, force)) = dir {
            for (name, bytes) in named_apart(answers.iter().flat_map(|answer| &answer.files)) {
                dir.write(global, force, (&name, bytes))?;
                if !global.json {
                    output::text(&format!("Written: {name}"));
                }
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
    for Attachment { name, mime, bytes } in answer.files.iter().filter(|_| !is_written) {
        if is_drawn(mime) {
            output::text(&format!("{name} is for a browser: `--files DIR` writes it."));
        } else {
            output::text(&format!("\n=== {name}\n\n{}", String::from_utf8_lossy(bytes)));
        }
    }
}

/// The files of several answers under names of their own, each once.
fn named_apart<'a>(files: impl Iterator<Item = &'a Attachment>) -> Vec<(String, &'a [u8])> {
    let mut seen: Vec<&Attachment> = Vec::new();
    let mut all: Vec<(String, &[u8])> = Vec::new();
    for file in files {
        if seen.contains(&file) {
            continue;
        }
        seen.push(file);
        let (stem, ending) = file.name.rsplit_once('.').unwrap_or((&file.name, "txt"));
        let numbered = |n: usize| if n == 1 { file.name.clone() } else { format!("{stem}-{n}.{ending}") };
        let is_free = |name: &String| all.iter().all(|(other, _)| other != name);
        let free = (1..).map(numbered).find(is_free);
        all.extend(free.map(|name| (name, file.bytes.as_slice())));
    }
    all
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_name_are_told_apart_and_the_same_file_is_written_once() {
        let files = [("all.txt", "a"), ("all.txt", "b"), ("red.txt", "a"), ("all.txt", "b"), ("log", "c")];
        let files = files.map(|(name, text)| Attachment::text(name, text.to_owned()));
        let named: Vec<(String, &[u8])> = named_apart(files.iter());
        let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["all.txt", "all-2.txt", "red.txt", "log"]);
    }
}

//! Commands made of the calls that rulesets offer.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _};
use std::marker::PhantomData;
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _, ValueParser};
use clap::error::ErrorKind;
use clap::{ArgAction, ArgMatches, Args as _, Command, FromArgMatches, Subcommand, ValueHint};

use super::global::{Ended, Global};
use super::outfile::{Force, OutFile, Writing};
use super::output;
use super::session::Session;
use super::shelf::{desk, read_data};
use crate::rulesets;
use musterd_daemon::{HostError, Reply, Request};
use musterd_desk::DeskError;
use musterd_desk::correction::counting_events;
use musterd_dice::GameId;
use musterd_engine::calls::{
    Answer, Arg, Call, CallError, Calls, Dice, Given, Installation, Kind, PlayedGame, Takes,
};
use musterd_engine::files::RuleFiles;
use musterd_engine::founding::NoVersion;
use musterd_engine::journal::Cause;

/// The longest line that is read from whoever sits at the program; what is longer is read as several.
const LONGEST_LINE: u64 = 1 << 16;

/// A kind of calls that rulesets offer.
pub(super) trait Offer {
    /// The calls, by ruleset.
    fn offered() -> Vec<(&'static str, Calls)>;
}

/// The commands of the rulesets: `musterd dog ...`.
#[derive(Debug)]
pub(super) struct Own;

impl Offer for Own {
    fn offered() -> Vec<(&'static str, Calls)> {
        rulesets::known().calls().collect()
    }
}

/// A call to a ruleset, with its arguments.
#[derive(Debug)]
pub(super) struct Asked<O> {
    offer: PhantomData<O>,
    ruleset: &'static str,
    call: Call,
    given: Given,
    /// The files that arguments name.
    files: BTreeMap<&'static str, OutFile>,
    force: Force,
}

/// The command of a ruleset: its calls are commands in it.
fn command(ruleset: &'static str, calls: &Calls) -> Command {
    let inner = |call: &Call| {
        let command = Command::new(call.name);
        let args = call.args.iter().copied().flatten();
        let command = args.fold(command, |command, arg| {
            let command = command.arg(argument(arg));
            if matches!(arg.kind, Kind::Written { .. }) { Force::augment_args(command) } else { command }
        });
        // The flag of a file that is written brings a line about itself.
        command.about(call.about).after_help(help(call.examples, call.notes))
    };
    Command::new(ruleset)
        .about(calls.about)
        .after_help(help(calls.examples, calls.notes))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(calls.calls.iter().map(inner))
}

/// What stands below a help: examples, and paragraphs.
pub(super) fn help(examples: &[&str], notes: &[&str]) -> String {
    let heading = if examples.len() == 1 { "Example:" } else { "Examples:" };
    let examples: String = examples.iter().map(|example| format!("\n  {example}")).collect();
    let notes: String = notes.iter().map(|note| format!("\n\n{note}")).collect();
    format!("{heading}{examples}{notes}")
}

fn argument(arg: &Arg) -> clap::Arg {
    let option = clap::Arg::new(arg.name).help(arg.help).required(arg.required);
    let option = option
        .required_unless_present_any(arg.unless.iter().copied())
        .conflicts_with_all(arg.excludes.iter().copied());
    let option = match arg.takes {
        Takes::One => option.long(arg.name),
        Takes::List => option.long(arg.name).value_delimiter(',').action(ArgAction::Append),
        Takes::Repeated => option.long(arg.name).action(ArgAction::Append),
        Takes::Words(1, 1) => option,
        Takes::Words(least, most) => option.num_args(least..=most).action(ArgAction::Append),
    };
    let parser: ValueParser = match arg.kind {
        Kind::Flag => return option.action(ArgAction::SetTrue),
        Kind::Text(check) => ValueParser::from(move |text: &str| check(text).map(|()| text.to_owned())),
        Kind::Number(least, most) => {
            let number = clap::value_parser!(i64).range(least..=most);
            number.map(|number| number.to_string()).into()
        }
        Kind::Word(words) => {
            let values = words.iter().map(|(word, about)| PossibleValue::new(*word).help(*about));
            PossibleValuesParser::new(values).into()
        }
        Kind::Written { .. } | Kind::Session => clap::value_parser!(OutFile).into(),
    };
    let option = option.value_name(arg.value).value_parser(parser).hide_possible_values(true);
    let option = match arg.kind {
        Kind::Number(..=-1, _) => option.allow_negative_numbers(true),
        Kind::Written { .. } | Kind::Session => option.value_hint(ValueHint::FilePath),
        _ => option,
    };
    arg.default.into_iter().fold(option, clap::Arg::default_value)
}

impl<O: Offer> FromArgMatches for Asked<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let found = matches.subcommand().and_then(|(ruleset, matches)| {
            let (ruleset, calls) = O::offered().into_iter().find(|(id, _)| *id == ruleset)?;
            let (name, matches) = matches.subcommand()?;
            let call = calls.calls.iter().find(|call| call.name == name)?;
            let files = files(call, matches);
            let mut args = call.args.iter().copied().flatten();
            let writes = args.any(|arg| matches!(arg.kind, Kind::Written { .. }));
            let force = if writes { Force::from_arg_matches(matches).ok()? } else { Force::NONE };
            Some(Self {
                offer: PhantomData,
                ruleset,
                call: *call,
                given: given(call, matches, &files),
                files,
                force,
            })
        });
        found.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<O: Offer> Subcommand for Asked<O> {
    fn augment_subcommands(all: Command) -> Command {
        all.subcommands(O::offered().iter().map(|(ruleset, calls)| command(ruleset, calls)))
    }

    fn augment_subcommands_for_update(all: Command) -> Command {
        Self::augment_subcommands(all)
    }

    fn has_subcommand(name: &str) -> bool {
        O::offered().iter().any(|(ruleset, _)| *ruleset == name)
    }
}

impl<O> Asked<O> {
    /// Carries out the call, and prints what it answers.
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        // Nothing is done if its file can't be written.
        let writing = self.begin(global)?;
        let mut here = Here { ruleset: self.ruleset, files: &self.files, global };
        let answer = match (self.call.run)(&self.given, &mut here) {
            Ok(answer) => answer,
            Err(CallError::Usage(reason)) => return Err(HostError::usage(reason)),
            Err(CallError::Data(errors)) => return Err(DeskError::from(errors).into()),
            Err(CallError::Installation(error)) => {
                let error = error.downcast::<HostError>().map(|error| *error);
                return Err(error.unwrap_or_else(|error| HostError::usage(error.to_string())));
            }
        };
        let Answer { text, json, file } = answer;
        match (file, writing) {
            (Some(file), Some(writing)) => writing.whole(file.as_bytes())?,
            (Some(file), None) => {
                output::text(&file);
                return Ok(Ended::Done);
            }
            (None, _) => {}
        }
        match json.filter(|_| global.json) {
            Some(json) => output::json_text(&json),
            None => output::text(&text),
        }
        Ok(Ended::Done)
    }

    /// Begins to write the file of the call, unless that is standard output.
    fn begin(&self, global: &Global) -> Result<Option<Writing>, HostError> {
        for arg in self.call.args.iter().copied().flatten() {
            if let (Kind::Written { among, .. }, Some(out)) = (arg.kind, self.files.get(arg.name))
                && !out.is_output()
            {
                return out.begin_among(global, self.force, among).map(Some);
            }
        }
        Ok(None)
    }
}

/// The files that arguments name, those beside others too.
fn files(call: &Call, matches: &ArgMatches) -> BTreeMap<&'static str, OutFile> {
    let named = |name: &str| matches.try_get_one::<OutFile>(name).ok().flatten().cloned();
    let file = |arg: &Arg| match arg.kind {
        Kind::Session => Some((arg.name, named(arg.name)?)),
        Kind::Written { beside, .. } => {
            let beside = || {
                let (other, ending) = beside?;
                Some(OutFile::at(named(other)?.path().with_extension(ending)))
            };
            Some((arg.name, named(arg.name).or_else(beside)?))
        }
        _ => None,
    };
    call.args.iter().copied().flatten().filter_map(file).collect()
}

fn given(call: &Call, matches: &ArgMatches, files: &BTreeMap<&'static str, OutFile>) -> Given {
    let path =
        |file: &OutFile| if file.is_output() { "-".to_owned() } else { file.path().display().to_string() };
    Given::new(call, |arg| match arg.kind {
        Kind::Written { .. } | Kind::Session => files.get(arg.name).map(path).into_iter().collect(),
        Kind::Flag if matches.get_flag(arg.name) => vec![String::new()],
        Kind::Flag => Vec::new(),
        _ => matches.get_many::<String>(arg.name).into_iter().flatten().cloned().collect(),
    })
}

/// This installation, for the calls of one ruleset.
struct Here<'a> {
    ruleset: &'static str,
    files: &'a BTreeMap<&'static str, OutFile>,
    global: &'a Global,
}

impl Installation for Here<'_> {
    fn files(&mut self) -> Result<RuleFiles, CallError> {
        desk(&self.global.dir()).0.shared_files(self.ruleset).map_err(unusable)
    }

    fn scenario(&mut self, name: &str) -> Result<RuleFiles, CallError> {
        let name = format!("{}/{name}", self.ruleset);
        let founding = desk(&self.global.dir()).0.founding(&name).map_err(unusable)?;
        Ok(founding.files)
    }

    fn read(&mut self, path: &str) -> Result<Option<String>, CallError> {
        let path = Path::new(path);
        path.is_file().then(|| read_data(path)).transpose().map_err(unusable)
    }

    fn game(&mut self, game: &GameId) -> Result<PlayedGame, CallError> {
        let entries = match self.global.ask(Request::Journal { game: game.clone() }).map_err(unusable)? {
            Reply::Journal { entries } => entries,
            _ => Vec::new(),
        };
        let charter = entries.iter().find_map(|entry| match &entry.cause {
            Cause::Founded { charter, .. } => Some(charter),
            _ => None,
        });
        let charter = charter.ok_or_else(|| format!("game {game} was never founded"))?;
        let (ruleset, version) = charter.rules();
        if ruleset != self.ruleset {
            return Err(
                format!("game {game} is one of `{ruleset}`, and no game of `{}`", self.ruleset).into()
            );
        }
        let newest = rulesets::known().rules_version(self.ruleset).unwrap_or_default();
        NoVersion::check(self.ruleset, version, newest).map_err(|error| unusable(DeskError::from(error)))?;
        Ok(PlayedGame { version, files: charter.files.clone(), events: counting_events(&entries) })
    }

    fn dice(
        &mut self,
        table: &'static str,
        argument: &str,
        founding: Option<RuleFiles>,
    ) -> Result<Box<dyn Dice>, CallError> {
        let out = self.files.get(argument).ok_or("no session is named")?;
        if founding.is_none() && !out.path().is_file() {
            let path = out.path().display();
            return Err(format!("there is no session {path}: name it with --{argument}").into());
        }
        Ok(Box::new(Session::open(table, out, self.global, founding).map_err(unusable)?))
    }

    fn ask(&mut self, prompt: &str) -> Result<Option<String>, CallError> {
        // A program that reads the answer as data sees nothing else.
        let shows = !self.global.json;
        let input = io::stdin();
        let typed = input.is_terminal();
        if shows && typed {
            output::prompt(prompt);
        }
        let mut line = Vec::new();
        let fault = |error| unusable(HostError::Io { path: "standard input".into(), error });
        let read = input.lock().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(fault)?;
        if read == 0 {
            if shows && typed {
                output::text("");
            }
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
        // What comes from a pipe is shown behind its prompt, as a terminal shows what is typed.
        if shows && !typed {
            output::text(format!("{prompt}{line}").trim_end());
        }
        Ok(Some(line))
    }

    fn tell(&mut self, page: &str) {
        if !self.global.json {
            output::text(page);
        }
    }
}

fn unusable(error: impl Into<HostError>) -> CallError {
    CallError::Installation(Box::new(error.into()))
}

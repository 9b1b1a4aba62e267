//! What a ruleset answers outside a game, as data: questions about odds, commands of its own. The program makes its command line of them, with help,
//! manual pages, completions and errors; so no ruleset knows a command line, and the command line no ruleset.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Debug;
use std::str::FromStr;

use serde::Serialize;
use serde_json::Value;

use super::files::{DataErrors, RuleFiles};
use musterd_dice::{Assurance, Digest, GameId, Witness};

/// Calls of one kind that a ruleset offers.
#[derive(Debug, Clone, Copy)]
pub struct Calls {
    /// What they are about, in a line.
    pub about: &'static str,
    /// Examples, as a user types them; the first stands for all.
    pub examples: &'static [&'static str],
    /// Paragraphs below the examples.
    pub notes: &'static [&'static str],
    /// The calls.
    pub calls: &'static [Call],
}

/// A question that a ruleset answers, or a command that it carries out.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// Its name: `attack`.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Examples, as a user types them.
    pub examples: &'static [&'static str],
    /// Paragraphs below the examples.
    pub notes: &'static [&'static str],
    /// Its arguments, in the order of the help. Calls may share lists of them.
    pub args: &'static [&'static [Arg]],
    /// Answers it.
    pub run: fn(&Given, &mut dyn Installation) -> Result<Answer, CallError>,
}

impl Calls {
    /// None at all.
    pub const NONE: Self = Self { about: "", examples: &[], notes: &[], calls: &[] };

    /// Calls whose examples are those of the first.
    ///
    /// # Panics
    /// There is no call.
    #[must_use]
    pub const fn of(about: &'static str, calls: &'static [Call]) -> Self {
        Self { about, examples: calls[0].examples, notes: &[], calls }
    }
}

/// An argument of a call.
#[derive(Debug, Clone, Copy)]
pub struct Arg {
    /// Its name: that of the option `--name`.
    pub name: &'static str,
    /// What stands for its value in the help: `UNIT`.
    pub value: &'static str,
    /// What it says, in a line.
    pub help: &'static str,
    /// Which values it has.
    pub kind: Kind,
    /// How many values it has, and where they stand.
    pub takes: Takes,
    /// Its value if none is given.
    pub default: Option<&'static str>,
    /// Whether it must be given.
    pub required: bool,
    /// It must be given unless one of these is.
    pub unless: &'static [&'static str],
    /// It can't be given with these.
    pub excludes: &'static [&'static str],
}

/// The values of an argument.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// None: it is given or not.
    Flag,
    /// A text; the function tells why a text is none of the values.
    Text(fn(&str) -> Result<(), String>),
    /// A whole number from the first to the second.
    Number(i64, i64),
    /// One of these words, each with what it means.
    Word(&'static [(&'static str, &'static str)]),
    /// A file that the call writes: see [`Answer::file`]. It may lie in `among` of a data directory's parts. Where none is named, it lies beside the file
    /// of another argument, with another ending. With it comes a flag `--force`, which replaces a file that exists.
    Written {
        /// The parts of a data directory in which it may lie.
        among: &'static [&'static str],
        /// The argument of the other file, and the ending.
        beside: Option<(&'static str, &'static str)>,
    },
    /// The journal of a session of dice: see [`Installation::dice`].
    Session,
}

/// How many values an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// One, behind `--name`.
    One,
    /// Several behind `--name`, parted by commas.
    List,
    /// One behind each of several `--name`.
    Repeated,
    /// The call's words without an option, at least and at most so many.
    Words(usize, usize),
}

impl Arg {
    /// An option without a value.
    #[must_use]
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Self::option(name, "", Kind::Flag, help)
    }

    /// An option with a value.
    #[must_use]
    pub const fn option(name: &'static str, value: &'static str, kind: Kind, help: &'static str) -> Self {
        Self {
            name,
            value,
            help,
            kind,
            takes: Takes::One,
            default: None,
            required: false,
            unless: &[],
            excludes: &[],
        }
    }

    /// Words of any number without an option: one at least.
    #[must_use]
    pub const fn words(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self::option(name, value, Kind::Text(any), help).loose(1, usize::MAX)
    }

    /// The same with a default.
    #[must_use]
    pub const fn default(self, value: &'static str) -> Self {
        Self { default: Some(value), ..self }
    }

    /// The same with several values, parted by commas.
    #[must_use]
    pub const fn listed(self) -> Self {
        Self { takes: Takes::List, ..self }
    }

    /// The same, and it may be repeated.
    #[must_use]
    pub const fn repeated(self) -> Self {
        Self { takes: Takes::Repeated, ..self }
    }

    /// The same, without an option: so many values at least and at most.
    #[must_use]
    pub const fn loose(self, least: usize, most: usize) -> Self {
        Self { takes: Takes::Words(least, most), required: true, ..self }
    }

    /// The same, and it must be given.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// The same, and it must be given unless one of these is.
    #[must_use]
    pub const fn unless(self, others: &'static [&'static str]) -> Self {
        Self { unless: others, ..self }
    }

    /// The same, and it can't be given with these.
    #[must_use]
    pub const fn excludes(self, others: &'static [&'static str]) -> Self {
        Self { excludes: others, ..self }
    }
}

/// Takes any text.
///
/// # Errors
/// None.
pub const fn any(_: &str) -> Result<(), String> {
    Ok(())
}

/// Takes what can be read as a `T`.
///
/// # Errors
/// Why it can't be read.
pub fn read_as<T: FromStr<Err: ToString>>(text: &str) -> Result<(), String> {
    text.parse::<T>().map(drop).map_err(|error| error.to_string())
}

/// The arguments of a call as they were given, each checked by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given(BTreeMap<&'static str, Vec<String>>);

impl Given {
    /// The arguments of a call; `values` gives those of one, its default included. A flag that is given has one value.
    #[must_use]
    pub fn new(call: &Call, values: impl Fn(&Arg) -> Vec<String>) -> Self {
        Self(call.args.iter().copied().flatten().map(|arg| (arg.name, values(arg))).collect())
    }

    /// All values of an argument.
    ///
    /// # Panics
    /// The call has no such argument.
    #[must_use]
    pub fn all(&self, name: &str) -> &[String] {
        #[expect(clippy::expect_used, reason = "a call asks for its own arguments")]
        self.0.get(name).expect("an argument of the call")
    }

    /// Whether an argument is given.
    ///
    /// # Panics
    /// The call has no such argument.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        !self.all(name).is_empty()
    }

    /// The value of an argument.
    ///
    /// # Panics
    /// The call has no such argument.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.all(name).first().map(String::as_str)
    }

    /// The value of an argument, read.
    ///
    /// # Panics
    /// The call has no such argument, or one of another kind.
    #[must_use]
    pub fn value<T: FromStr<Err: Debug>>(&self, name: &str) -> Option<T> {
        self.values(name).into_iter().next()
    }

    /// All values of an argument, read.
    ///
    /// # Panics
    /// The call has no such argument, or one of another kind.
    #[must_use]
    pub fn values<T: FromStr<Err: Debug>>(&self, name: &str) -> Vec<T> {
        #[expect(clippy::expect_used, reason = "checked where the arguments were read")]
        self.all(name).iter().map(|text| text.parse().expect("a value of the argument's kind")).collect()
    }
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// For people.
    pub text: String,
    /// For programs: a JSON document. `None` if there is only a page.
    pub json: Option<String>,
    /// What is in the file that the call writes, if it writes one.
    pub file: Option<String>,
}

impl Answer {
    /// An answer in words and as data.
    #[must_use]
    pub fn new(text: String, data: &impl Serialize) -> Self {
        #[expect(clippy::expect_used, reason = "answers are plain data: no map with other keys than strings")]
        let json = serde_json::to_string_pretty(data).expect("an answer is plain data");
        Self { text, json: Some(json), file: None }
    }

    /// A page, also for programs.
    #[must_use]
    pub const fn page(text: String) -> Self {
        Self { text, json: None, file: None }
    }

    /// The same with a file.
    #[must_use]
    pub fn with_file(self, file: String) -> Self {
        Self { file: Some(file), ..self }
    }
}

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// It makes no sense, for this reason.
    #[error("{0}")]
    Usage(String),
    /// The ruleset's files are wrong.
    #[error(transparent)]
    Data(#[from] DataErrors),
    /// The installation can't do what the call wants.
    #[error(transparent)]
    Installation(Box<dyn Error + Send + Sync>),
}

impl From<String> for CallError {
    fn from(reason: String) -> Self {
        Self::Usage(reason)
    }
}

impl From<&str> for CallError {
    fn from(reason: &str) -> Self {
        Self::Usage(reason.to_owned())
    }
}

/// What a call may use of the installation that it is made at.
pub trait Installation {
    /// The ruleset's files that belong to no scenario, such as its numbers: the host's own over the built-in ones.
    ///
    /// # Errors
    /// They can't be read.
    fn files(&mut self) -> Result<RuleFiles, CallError>;

    /// The files that a game of this scenario of the ruleset is founded on.
    ///
    /// # Errors
    /// There is no such scenario.
    fn scenario(&mut self, name: &str) -> Result<RuleFiles, CallError>;

    /// The text of a user's file; `None` if there is no file at this path.
    ///
    /// # Errors
    /// It can't be read.
    fn read(&mut self, path: &str) -> Result<Option<String>, CallError>;

    /// A game of this ruleset, as far as it has been played.
    ///
    /// # Errors
    /// There is no such game, it is one of another ruleset, or of a version of this one that the program doesn't have.
    fn game(&mut self, game: &GameId) -> Result<PlayedGame, CallError>;

    /// A session of dice, by the rules `table`: its journal is the file of an argument. A new one begins with the files of its founding.
    ///
    /// # Errors
    /// It can't be opened; it would be a new one, and there are no files.
    fn dice(
        &mut self,
        table: &'static str,
        argument: &str,
        founding: Option<RuleFiles>,
    ) -> Result<Box<dyn Dice>, CallError>;

    /// A line of whoever sits at the installation, asked for with a prompt; `None` once there are no more. Any line can be read: what is no UTF-8 in it
    /// is replaced. Nobody sits at an installation that doesn't say so.
    ///
    /// # Errors
    /// The input can't be read.
    fn ask(&mut self, prompt: &str) -> Result<Option<String>, CallError> {
        let _ = prompt;
        Ok(None)
    }

    /// Shows a page to whoever sits at the installation, before the call is over.
    fn tell(&mut self, page: &str) {
        let _ = page;
    }
}

/// A game as far as it has been played.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedGame {
    /// The version of its rules.
    pub version: u32,
    /// What it was founded on.
    pub files: RuleFiles,
    /// The events that count, from its founding on.
    pub events: Vec<Value>,
}

/// A session of dice, opened by this process alone: a journal like a game's, in which what is thrown for is on record before the dice fall.
pub trait Dice {
    /// Whether it begins now.
    fn is_new(&self) -> bool;
    /// What it was founded on: the version of its rules, and the files.
    fn founding(&self) -> (u32, &RuleFiles);
    /// What its dice are committed to.
    fn anchor(&self) -> Digest;
    /// The last throw that is revealed; 0 if none is.
    fn revealed(&self) -> u32;
    /// The end of its log.
    fn witness(&self) -> Option<Witness>;
    /// The event of every throw so far.
    fn events(&self) -> Vec<Value>;
    /// Every throw so far.
    ///
    /// # Errors
    /// The journal is damaged.
    fn throws(&self) -> Result<Vec<Thrown>, CallError>;
    /// Finishes a throw that was cut short after its line was on record, with these words of the players unless theirs are on record too.
    ///
    /// # Errors
    /// The journal can't be written.
    fn finish(&mut self, words: Option<&str>) -> Result<Option<Thrown>, CallError>;
    /// Throws the dice that an order line wants.
    ///
    /// # Errors
    /// The journal can't be written; all throws of the session were had.
    fn throw(&mut self, line: &str, salt: &Salt) -> Result<Thrown, CallError>;
    /// Makes all throws public: the audit file that proves them.
    ///
    /// # Errors
    /// The journal can't be written.
    fn reveal(&mut self) -> Result<String, CallError>;
}

/// The players' words for a throw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Salt {
    /// None.
    Without,
    /// These.
    Given(String),
    /// They are asked for once what is thrown for is on record.
    Asked,
}

/// A throw and its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Thrown {
    /// Its number.
    pub t: u32,
    /// The order line.
    pub line: String,
    /// What happened.
    pub event: Value,
    /// How far its dice can be trusted.
    pub assurance: Option<Assurance>,
}

//! What a game is founded on, for its ruleset: the files, the seats, the version of the rules, and the options that were chosen.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::alike::{meant, names};
use super::files::{DataError, DataErrors, RuleFiles, SCENARIO};
use super::yaml::{Content, LineColumn};
use musterd_dice::Seat;

/// The founding file that holds the chosen options, a line for each: `edition: atamsion`. A game without options has no such file.
pub const OPTIONS_FILE: &str = "options.yaml";

/// The GM's name in addresses and key lines; no seat can have it.
pub const GM: &str = "gm";
/// Why no seat can have it.
pub const NO_SEAT_GM: &str = "a seat can't be called `gm`: mails to the GM are addressed so";

/// A seat as its ruleset describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatSpec {
    /// Its name in addresses, logs and files.
    pub seat: Seat,
    /// How the player is addressed: `the French commander`.
    pub title: String,
    /// The side it belongs to, as the rules know it: `French`.
    pub side: String,
}

impl SeatSpec {
    /// A seat.
    pub fn of(seat: Seat, title: impl Into<String>, side: impl Into<String>) -> Self {
        Self { seat, title: title.into(), side: side.into() }
    }
}

/// What one game is founded on.
#[derive(Debug, Clone)]
pub struct Founding<'a> {
    files: &'a RuleFiles,
    seats: &'a [Seat],
    version: u32,
    options: &'static [GameOption],
    chosen: Chosen,
}

/// The chosen options by name, as written.
pub type Chosen = BTreeMap<String, String>;

impl<'a> Founding<'a> {
    /// What a game is founded on, by a version of a ruleset that has these options: the chosen ones are read and checked. An empty list of seats stands
    /// for the scenario's own.
    ///
    /// # Errors
    /// [`OPTIONS_FILE`] can't be read, names an option that the ruleset doesn't have, or gives one a value that it doesn't have.
    pub fn new(
        version: u32,
        options: &'static [GameOption],
        files: &'a RuleFiles,
        seats: &'a [Seat],
    ) -> Result<Self, DataErrors> {
        let chosen = chosen(files, options)?;
        Ok(Self { files, seats, version, options, chosen })
    }

    /// The data files.
    #[must_use]
    pub const fn files(&self) -> &'a RuleFiles {
        self.files
    }

    /// The seats; none for the scenario's own.
    #[must_use]
    pub const fn seats(&self) -> &'a [Seat] {
        self.seats
    }

    /// Refuses seats that a scenario doesn't have.
    ///
    /// # Errors
    /// A seat is none of `own`.
    pub fn only(&self, own: &[SeatSpec]) -> Result<(), DataErrors> {
        let is_odd = |seat: &&Seat| !own.iter().any(|spec| spec.seat == **seat);
        let Some(odd) = self.seats.iter().find(is_odd) else { return Ok(()) };
        let own: Vec<&str> = own.iter().map(|spec| spec.seat.as_str()).collect();
        let text = format!("no seat `{odd}`: the seats are {}", own.join(", "));
        Err(DataErrors::one(SCENARIO, 0, text))
    }

    /// Refuses seats that are not those of a scenario, each once: `why` says what has one.
    ///
    /// # Errors
    /// A seat is none of `own`, or one of these is missing.
    pub fn each(&self, own: &[SeatSpec], why: &str) -> Result<(), DataErrors> {
        self.only(own)?;
        if self.seats.is_empty() || self.seats.len() == own.len() {
            return Ok(());
        }
        let own: Vec<&str> = own.iter().map(|spec| spec.seat.as_str()).collect();
        Err(DataErrors::one(SCENARIO, 0, format!("{why}: the seats are {}", own.join(", "))))
    }

    /// The version of the rules that the game is played by: 1 is the oldest.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// The value of an option: the chosen one, or its default.
    ///
    /// # Panics
    /// The ruleset has no such option.
    #[must_use]
    pub fn option(&self, name: &str) -> &str {
        self.chosen.get(name).map_or(self.of_name(name).default, String::as_str)
    }

    fn of_name(&self, name: &str) -> &'static GameOption {
        #[expect(clippy::expect_used, reason = "a ruleset asks for its own options")]
        self.options.iter().find(|option| option.name == name).expect("an option of the ruleset")
    }

    /// The file that an option names: its path; `None` for [`OWN`].
    ///
    /// # Panics
    /// The ruleset has no such option, or it is none of files.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<String> {
        let Values::File { folder, .. } = self.of_name(name).values else {
            unreachable!("`{name}` is an option of files")
        };
        Some(self.option(name)).filter(|value| *value != OWN).map(|value| format!("{folder}/{value}.yaml"))
    }

    /// The value of an option that is a number: the chosen one, or its default.
    ///
    /// # Panics
    /// The ruleset has no such option, or it is none with numbers.
    #[must_use]
    pub fn number(&self, name: &str) -> i64 {
        #[expect(clippy::expect_used, reason = "checked when it was read; a ruleset's default is a number")]
        self.option(name).parse().expect("an option with numbers")
    }
}

/// A program that doesn't have the version of the rules that a game is played by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the game is played by version {version} of the rules `{ruleset}`, and this program has versions 1 to {newest}: {}",
    if version > newest { "install the musterd that it was founded with, or a newer one" } else { "its journal is damaged" }
)]
pub struct NoVersion {
    /// The ruleset.
    pub ruleset: &'static str,
    /// The game's version.
    pub version: u32,
    /// The newest in this program.
    pub newest: u32,
}

impl NoVersion {
    /// Whether a program with versions up to `newest` of a ruleset has this one.
    ///
    /// # Errors
    /// It doesn't.
    pub fn check(ruleset: &'static str, version: u32, newest: u32) -> Result<(), Self> {
        match (1..=newest).contains(&version) {
            true => Ok(()),
            false => Err(Self { ruleset, version, newest }),
        }
    }
}

/// A choice that whoever founds a game has: an edition, the length of a turn, a handicap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GameOption {
    /// Its name: `edition`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The values that it can have.
    pub values: Values,
    /// The value that it has if nothing is chosen.
    pub default: &'static str,
}

/// The values of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Values {
    /// One of these words, each with its meaning.
    Words(&'static [(&'static str, &'static str)]),
    /// A whole number, from the first to the second.
    Number(i64, i64),
    /// The name of a file of the ruleset in this folder, or [`OWN`] with this meaning.
    File {
        /// The folder.
        folder: &'static str,
        /// What [`OWN`] means.
        own: &'static str,
    },
}

/// The value of an option of files that stands for what the scenario has of its own.
pub const OWN: &str = "own";

impl GameOption {
    /// An option that is one of these words, each with its meaning; the first if nothing is chosen.
    #[must_use]
    pub const fn words(
        name: &'static str,
        about: &'static str,
        words: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { name, about, values: Values::Words(words), default: words[0].0 }
    }

    /// An option that is a whole number between two others.
    #[must_use]
    pub const fn number(
        name: &'static str,
        about: &'static str,
        (least, most): (i64, i64),
        default: &'static str,
    ) -> Self {
        Self { name, about, values: Values::Number(least, most), default }
    }

    /// An option that is a file of the ruleset in a folder; what the scenario has of its own if nothing is chosen.
    #[must_use]
    pub const fn file(name: &'static str, about: &'static str, folder: &'static str) -> Self {
        Self { name, about, values: Values::File { folder, own: "the scenario's" }, default: OWN }
    }

    /// The same with another value if nothing is chosen.
    #[must_use]
    pub const fn with_default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// Whether it can have this value in a game with these files.
    fn check(&self, files: &RuleFiles, value: &str) -> Result<(), OptionError> {
        let has = match self.values {
            Values::Words(words) => words.iter().any(|(word, _)| *word == value),
            // Written as a number is printed: one value has one spelling.
            Values::Number(least, most) => {
                value.parse().is_ok_and(|n: i64| (least..=most).contains(&n) && n.to_string() == value)
            }
            Values::File { folder, .. } => {
                let name = |path: &'_ String| {
                    Some(path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".yaml")?.to_owned())
                };
                let there: Vec<String> = files.0.keys().filter_map(name).collect();
                if value != OWN && !there.iter().any(|name| name == value) {
                    let known = names(value, there.iter().map(String::as_str));
                    let value = value.to_owned();
                    return Err(OptionError::NoFile { option: self.name, value, folder, known });
                }
                true
            }
        };
        match has {
            true => Ok(()),
            false => Err(OptionError::Value { option: *self, value: value.to_owned() }),
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => {
                f.write_str(&words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", "))
            }
            Self::Number(least, most) => write!(f, "{least} to {most}"),
            Self::File { folder, .. } => write!(f, "{OWN}, or the name of a file in {folder}"),
        }
    }
}

/// An option that can't be chosen so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The ruleset has no such option.
    #[error("there is no option `{name}`{}", .near.map_or_else(|| known(.options), |near| format!("; did you mean `{near}`?")))]
    Unknown {
        /// The name that was written.
        name: String,
        /// An option that may have been meant.
        near: Option<&'static str>,
        /// The options that there are.
        options: &'static [GameOption],
    },
    /// The option has no such value.
    #[error("option `{}` can't be `{value}`: it can be {}", .option.name, .option.values)]
    Value {
        /// The option.
        option: GameOption,
        /// The value that was written.
        value: String,
    },
    /// The ruleset has no such file.
    #[error("option `{}` can't be `{value}`: there is no such file in `{folder}`, and it is not `{OWN}`; {known}", .option)]
    NoFile {
        /// The option.
        option: &'static str,
        /// The value that was written.
        value: String,
        /// The folder.
        folder: &'static str,
        /// The file that may have been meant, or all there are.
        known: String,
    },
}

fn known(options: &[GameOption]) -> String {
    match options {
        [] => ": this ruleset has none".to_owned(),
        several => format!(": there are {}", several.iter().map(|o| o.name).collect::<Vec<_>>().join(", ")),
    }
}

/// Checks one choice, for a game with these files.
///
/// # Errors
/// There is no such option, or it has no such value.
pub fn check_option(
    options: &'static [GameOption],
    files: &RuleFiles,
    name: &str,
    value: &str,
) -> Result<(), OptionError> {
    let Some(option) = options.iter().find(|option| option.name == name) else {
        let near = meant(name, options.iter().map(|option| option.name));
        return Err(OptionError::Unknown { name: name.to_owned(), near, options });
    };
    option.check(files, value)
}

/// The text of [`OPTIONS_FILE`] for these choices.
#[must_use]
pub fn options_file(chosen: &Chosen) -> String {
    chosen.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
}

/// The options of a game in words, each with its value: `What each side begins with: full (twice that).` The files are those of a game that was
/// loaded; of others the usual values are told.
#[must_use]
pub fn in_words(files: &RuleFiles, options: &'static [GameOption]) -> Vec<String> {
    let chosen = chosen(files, options).unwrap_or_default();
    let words = |option: &GameOption| {
        let value = chosen.get(option.name).map_or(option.default, String::as_str);
        let meaning = match option.values {
            Values::Words(words) => {
                words.iter().find(|(word, _)| *word == value).map(|(_, meaning)| *meaning)
            }
            Values::File { own, .. } => Some(own).filter(|_| value == OWN),
            Values::Number(..) => None,
        };
        let meaning = meaning.map(|meaning| format!(" ({meaning})")).unwrap_or_default();
        let mut about = option.about.to_owned();
        about.get_mut(..1).map(str::make_ascii_uppercase);
        format!("{about}: {value}{meaning}.")
    };
    options.iter().map(words).collect()
}

/// The choices in the founding files.
fn chosen(files: &RuleFiles, options: &'static [GameOption]) -> Result<Chosen, DataErrors> {
    if !files.0.contains_key(OPTIONS_FILE) {
        return Ok(Chosen::new());
    }
    let tree = files.tree(OPTIONS_FILE)?;
    let fault = |at: LineColumn, reason: String| DataError { file: OPTIONS_FILE.to_owned(), at, reason };
    let Content::Map(lines) = &tree.content else {
        return Err(DataErrors(vec![fault(
            tree.at,
            "write a line for each option: `name: value`".to_owned(),
        )]));
    };
    let (mut chosen, mut faults) = (Chosen::new(), Vec::new());
    for (name, value) in lines {
        let (Some(key), Some(text)) = (name.text(), value.text()) else {
            faults.push(fault(name.at, "an option is a name and a value".to_owned()));
            continue;
        };
        match check_option(options, files, key, text) {
            Err(error) => faults.push(fault(value.at, error.to_string())),
            Ok(()) if chosen.insert(key.to_owned(), text.to_owned()).is_some() => {
                faults.push(fault(name.at, format!("option `{key}` is chosen twice")));
            }
            Ok(()) => {}
        }
    }
    if faults.is_empty() { Ok(chosen) } else { Err(DataErrors(faults)) }
}

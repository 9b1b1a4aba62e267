//! The levels of computer players: how well they play, by name.

use musterd_dice::Word;

/// A level of computer players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level<S> {
    /// Its name in commands, terms and journals: `planner`. A name that a journal may hold stays for ever.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub about: &'static str,
    /// What the rules make of it.
    pub skill: S,
}

impl<S> Level<S> {
    /// A level.
    #[must_use]
    pub const fn of(name: &'static str, about: &'static str, skill: S) -> Self {
        Self { name, about, skill }
    }
}

/// The levels of one ruleset by name, the weakest first. The last is the usual one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Levels(Vec<Level<()>>);

/// A level that a ruleset doesn't have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoLevel {
    /// It has others.
    #[error("no computer plays `{wanted}`: use {known}")]
    Unknown {
        /// The level that was asked for.
        wanted: String,
        /// Those that there are, in words.
        known: String,
    },
    /// It has none at all.
    #[error("no computer plays this game")]
    NoComputer,
}

impl FromIterator<Level<()>> for Levels {
    fn from_iter<I: IntoIterator<Item = Level<()>>>(levels: I) -> Self {
        Self(levels.into_iter().collect())
    }
}

impl Levels {
    /// The level of this name; the usual one where none is named.
    ///
    /// # Errors
    /// There is no such level.
    pub fn find(&self, name: Option<&str>) -> Result<Word, NoLevel> {
        let usual = self.0.last().ok_or(NoLevel::NoComputer)?;
        let name = name.unwrap_or(usual.name);
        let level = self.0.iter().find(|level| level.name == name);
        level.and_then(|level| level.name.parse().ok()).ok_or_else(|| NoLevel::Unknown {
            wanted: name.to_owned(),
            known: self.0.iter().map(|level| level.name).collect::<Vec<_>>().join(" or "),
        })
    }

    /// The level of a computer player that is asked for as `computer` or `computer:cautious`; `None` if the text asks for none.
    ///
    /// # Errors
    /// There is no such level.
    pub fn computer(&self, text: &str) -> Option<Result<Word, NoLevel>> {
        match text.split_once(':') {
            None => (text == "computer").then(|| self.find(None)),
            Some((who, level)) => (who == "computer").then(|| self.find(Some(level))),
        }
    }

    /// The levels, the weakest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Level<()>> {
        self.0.iter()
    }

    /// How computer players are asked for, the usual level first: `computer`, `computer:cautious`.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let usual = self.0.last().map(|_| "computer".to_owned());
        let others = self.0.iter().rev().skip(1).map(|level| format!("computer:{}", level.name));
        usual.into_iter().chain(others)
    }
}

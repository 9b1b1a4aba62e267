//! The rulesets that a program plays, and the games that are founded on them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::game::Game;
use super::in_play::InPlay;
use super::kind::{Rulebook, no_gm_among, path_of};
use super::shelf::told_of;
use musterd_dice::Seat;
use musterd_engine::alike::unlikeness;
use musterd_engine::calls::Calls;
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::founding::{
    Chosen, GameOption, NoVersion, OPTIONS_FILE, OptionError, check_option, in_words, options_file,
};
use musterd_engine::{Examination, Levels, Match, PublishedFormat, Ruleset};

/// Why a game can't be set up: a fault without a line in a file is no fault of the files.
fn unfit(errors: &DataErrors) -> &'static str {
    match errors.0.iter().any(|error| error.at.line > 0) {
        true => "the game's files can't be used; `musterd scenario check` tells all that is wrong with them",
        false => "the game can't be set up like this",
    }
}

/// The rulesets that a program plays, with the data files that it ships and the host's own files over them. A new desk has none.
#[derive(Default, Clone)]
pub struct Desk {
    kinds: Vec<Rulebook>,
}

/// A scenario as the list shows it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Listing {
    /// Its name on the command line: `lga/austrian-1805`.
    pub id: String,
    /// Its title and dates.
    pub title: String,
    /// Its seats, unless a game splits its sides.
    pub seats: Vec<Seat>,
    /// Why it can't be played, for a faulty scenario of the host's own. It then has no title and no seats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<DataError>,
}

/// A request that the desk can't meet.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// No such ruleset.
    #[error("there is no ruleset `{0}`; this program plays {1}")]
    NoRuleset(String, String),
    /// No such scenario.
    #[error("there is no scenario `{wanted}`{}; `musterd scenarios` lists them all", .near.as_ref().map(|n| format!(" (did you mean `{n}`?)")).unwrap_or_default())]
    NoScenario {
        /// The name that was asked for.
        wanted: String,
        /// A name that may have been meant.
        near: Option<String>,
    },
    /// The program doesn't have this version of the rules.
    #[error(transparent)]
    NoVersion(#[from] NoVersion),
    /// The files are wrong, or the seats don't fit them.
    #[error("{}:\n{}", unfit(.0), .0)]
    Data(#[from] DataErrors),
}

impl Desk {
    /// Adds a ruleset with its files: path under `games/<ruleset>/`, and text.
    pub fn with<R: Ruleset>(mut self, files: &[(&str, &str)]) -> Self {
        let in_play = InPlay::<R>::new();
        self.kinds.push(Rulebook {
            id: R::ID,
            rules_version: R::RULES_VERSION,
            options: R::OPTIONS,
            schemas: R::SCHEMAS,
            folders: R::FOLDERS,
            odds: R::ODDS,
            calls: R::CALLS,
            levels: R::levels,
            open: Arc::new(move |version, files, seats| {
                Ok(Box::new(Match::<R>::new(in_play.rules(version, files, seats)?)))
            }),
            examine: |files, file| {
                let mut found = R::examine(files, file);
                let rules = R::from_files(files, &[]);
                let reserved = rules.ok().and_then(|rules| no_gm_among(rules.seats()).err());
                found.errors.extend(reserved.into_iter().flat_map(|errors| errors.0));
                found
            },
            unfit_for_new: R::unfit_for_new,
            stores: R::stores,
            shelf: RuleFiles::of(files).0,
            own: BTreeSet::new(),
        });
        self
    }

    /// Adds a file of the host's own, which replaces a built-in file of the same path.
    ///
    /// # Errors
    /// There is no such ruleset.
    pub fn shelve(&mut self, ruleset: &str, path: &str, text: String) -> Result<(), DeskError> {
        let all = self.ids();
        let kind = self.kinds.iter_mut().find(|k| k.id == ruleset);
        let kind = kind.ok_or_else(|| DeskError::NoRuleset(ruleset.to_owned(), all))?;
        kind.shelf.insert(path.to_owned(), text);
        kind.own.insert(path.to_owned());
        Ok(())
    }

    /// The folders of data files that scenarios of any ruleset name, each with what a file in it is.
    pub fn folders(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let mut seen = BTreeSet::new();
        self.kinds.iter().flat_map(|kind| kind.folders).copied().filter(move |(name, _)| seen.insert(*name))
    }

    /// The schema of a ruleset's published format, for the files that are here.
    pub fn schema(&self, name: &str) -> Option<String> {
        self.kinds.iter().find_map(|kind| {
            let format = kind.schemas.iter().find(|format| format.name == name)?;
            Some((format.schema)(&RuleFiles(kind.shelf.clone())))
        })
    }

    /// The published forms, as JSON schemas, that a file with this path (`maps/europe.yaml`) may have: those that are said to be of its folder, or
    /// all of the ruleset where none is said to be of any.
    pub(super) fn forms_of(&self, ruleset: &str, path: &str) -> impl Iterator<Item = String> {
        let folder = path.split_once('/').map_or(path, |(folder, _)| folder);
        let is_of = |format: &PublishedFormat, folder: &str| format.about.contains(&format!("`{folder}"));
        let kind = self.kinds.iter().find(|kind| kind.id == ruleset);
        let formats: Vec<&PublishedFormat> = kind.iter().flat_map(|kind| kind.schemas).collect();
        let named = formats.iter().any(|format| is_of(format, folder));
        let formats = formats.into_iter().filter(move |format| !named || is_of(format, folder));
        let files = kind.map(|kind| RuleFiles(kind.shelf.clone())).unwrap_or_default();
        formats.map(|format| (format.schema)(&files)).collect::<Vec<_>>().into_iter()
    }

    /// The folders of data files that scenarios of this ruleset name.
    ///
    /// # Errors
    /// There is no such ruleset.
    pub(super) fn folders_of(&self, ruleset: &str) -> Result<impl Iterator<Item = &'static str>, DeskError> {
        Ok(self.kind(ruleset)?.folders.iter().map(|(folder, _)| *folder))
    }

    /// The options that a game of this ruleset can be founded with.
    ///
    /// # Errors
    /// There is no such ruleset.
    pub fn options(&self, ruleset: &str) -> Result<&'static [GameOption], DeskError> {
        Ok(self.kind(ruleset)?.options)
    }

    /// Every scenario, by ruleset and name, including those that can't be played.
    pub fn scenarios(&self) -> Vec<Listing> {
        self.kinds.iter().flat_map(Self::listings).collect()
    }

    /// The scenarios of one ruleset.
    ///
    /// # Errors
    /// There is no such ruleset.
    pub fn scenarios_of(&self, ruleset: &str) -> Result<Vec<Listing>, DeskError> {
        Ok(Self::listings(self.kind(ruleset)?))
    }

    fn listings(kind: &Rulebook) -> Vec<Listing> {
        let listing = |kind: &Rulebook, name: &str| {
            let id = format!("{}/{name}", kind.id);
            match kind.open_newest(&kind.files(name), &[]) {
                Ok(game) => {
                    let seats = game.seats().iter().map(|s| s.seat.clone()).collect();
                    Listing { id, title: game.title(), seats, errors: Vec::new() }
                }
                Err(DataErrors(mut errors)) => {
                    told_of(&mut errors, &path_of(name));
                    Listing { id, title: String::new(), seats: Vec::new(), errors }
                }
            }
        };
        kind.scenarios().map(|name| listing(kind, name)).collect()
    }

    /// The first scenario of the first ruleset; empty if there is none.
    pub fn first_scenario(&self) -> String {
        let first = |kind: &Rulebook| kind.scenarios().next().map(|name| format!("{}/{name}", kind.id));
        self.kinds.iter().find_map(first).unwrap_or_default()
    }

    /// Other files that scenarios and players can name, such as armies to hire: `dog/hire/legion-500`, with a line about each.
    pub fn stores(&self) -> Vec<(String, String)> {
        let of = |kind: &Rulebook| (kind.stores)(&RuleFiles(kind.shelf.clone()));
        let named = |kind: &Rulebook, (path, line)| (format!("{}/{path}", kind.id), line);
        self.kinds.iter().flat_map(|kind| of(kind).into_iter().map(move |store| named(kind, store))).collect()
    }

    /// The host's own files, other than scenarios, that can't be used, with their faults: `dog/hire/own.yaml`. Only a game that names such a file is
    /// affected.
    pub fn unfit(&self) -> Vec<(String, Vec<DataError>)> {
        let named = |kind: &Rulebook, (path, faults)| (format!("{}/{path}", kind.id), faults);
        self.kinds
            .iter()
            .flat_map(|kind| kind.unfit().into_iter().map(move |file| named(kind, file)))
            .collect()
    }

    /// Examines a file of a ruleset, by its path under `games/<ruleset>/`: a scenario, or one of the maps. Its own faults come first, then those of
    /// the files that it depends on.
    ///
    /// # Errors
    /// There is no such ruleset.
    pub fn examine(&self, ruleset: &str, path: &str) -> Result<Examination, DeskError> {
        Ok(self.kind(ruleset)?.examination(path))
    }

    /// The founding of a new game: the ruleset's name and version, the scenario's name, and all files. `scenario` is `lga/austrian-1805`, or the name
    /// alone if only one ruleset has it.
    ///
    /// # Errors
    /// There is no such scenario.
    pub fn founding(&self, scenario: &str) -> Result<ScenarioFiles, DeskError> {
        let mut ids = Vec::new();
        for kind in &self.kinds {
            for name in kind.scenarios() {
                let id = format!("{}/{name}", kind.id);
                if id == scenario || name == scenario {
                    let (files, left_out) = kind.fit_files(name);
                    return Ok(ScenarioFiles {
                        ruleset: kind.id.to_owned(),
                        rules_version: kind.rules_version,
                        options: kind.options,
                        scenario: id,
                        files,
                        left_out,
                    });
                }
                ids.push(id);
            }
        }
        let similar = |id: &String| {
            let name = id.rsplit('/').next().unwrap_or(id);
            let unlike = unlikeness(scenario.rsplit('/').next().unwrap_or(scenario), name);
            (2 * unlike.slips <= scenario.len() || name.contains(scenario)).then_some(unlike)
        };
        let near = ids.into_iter().filter_map(|id| Some((similar(&id)?, id))).min().map(|(_, id)| id);
        Err(DeskError::NoScenario { wanted: scenario.to_owned(), near })
    }

    /// Sets a game up as it is founded, before its first event.
    ///
    /// # Errors
    /// There is no such ruleset, or this program doesn't have this version of it; the files are wrong, or the seats don't fit the scenario.
    pub fn open(
        &self,
        (ruleset, version): (&str, u32),
        files: &RuleFiles,
        seats: &[Seat],
    ) -> Result<Box<dyn Game>, DeskError> {
        let kind = self.kind(ruleset)?;
        NoVersion::check(kind.id, version, kind.rules_version)?;
        Ok((kind.open)(version, files, seats)?)
    }

    /// Sets a new game up, before its first event.
    ///
    /// # Errors
    /// The files are wrong, even if games that were founded with them are played on; or the seats don't fit the scenario.
    pub fn open_new(&self, founding: &ScenarioFiles, seats: &[Seat]) -> Result<Box<dyn Game>, DeskError> {
        Ok(self.kind(&founding.ruleset)?.open_newest(&founding.files, seats)?)
    }

    /// The options of a game of this ruleset in words, by its founding files; none where there are none to choose.
    pub fn options_in_words(&self, ruleset: &str, files: &RuleFiles) -> Vec<String> {
        self.kind(ruleset).map(|kind| in_words(files, kind.options)).unwrap_or_default()
    }

    /// The newest version of a ruleset in this program, which has all older ones too; `None` if it has no such ruleset.
    pub fn rules_version(&self, ruleset: &str) -> Option<u32> {
        self.kind(ruleset).ok().map(|kind| kind.rules_version)
    }

    /// The published formats of the data that the rulesets write for other programs.
    pub fn schemas(&self) -> impl Iterator<Item = &'static PublishedFormat> + '_ {
        self.kinds.iter().flat_map(|kind| kind.schemas)
    }

    /// The questions about odds that rulesets answer, by ruleset.
    pub fn odds(&self) -> impl Iterator<Item = (&'static str, Calls)> + '_ {
        let some = self.kinds.iter().filter(|kind| !kind.odds.calls.is_empty());
        some.map(|kind| (kind.id, kind.odds))
    }

    /// The commands of their own that rulesets have, by ruleset.
    pub fn calls(&self) -> impl Iterator<Item = (&'static str, Calls)> + '_ {
        let some = self.kinds.iter().filter(|kind| !kind.calls.calls.is_empty());
        some.map(|kind| (kind.id, kind.calls))
    }

    /// The levels of a ruleset's computer players.
    ///
    /// # Errors
    /// There is no such ruleset.
    pub fn levels(&self, ruleset: &str) -> Result<Levels, DeskError> {
        Ok((self.kind(ruleset)?.levels)())
    }

    /// The names of the rulesets.
    pub fn rulesets(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.kinds.iter().map(|kind| kind.id)
    }

    pub(super) fn kind(&self, ruleset: &str) -> Result<&Rulebook, DeskError> {
        let kind = self.kinds.iter().find(|k| k.id == ruleset);
        kind.ok_or_else(|| DeskError::NoRuleset(ruleset.to_owned(), self.ids()))
    }

    /// The files of a ruleset that belong to no scenario: its numbers and maps.
    ///
    /// # Errors
    /// There is no such ruleset.
    pub fn shared_files(&self, ruleset: &str) -> Result<RuleFiles, DeskError> {
        let kind = self.kinds.iter().find(|k| k.id == ruleset);
        let kind = kind.ok_or_else(|| DeskError::NoRuleset(ruleset.to_owned(), self.ids()))?;
        let files = kind.shelf.iter().filter(|(path, _)| !path.starts_with("scenarios/"));
        Ok(RuleFiles(files.map(|(path, text)| (path.clone(), text.clone())).collect()))
    }

    fn ids(&self) -> String {
        self.kinds.iter().map(|k| k.id).collect::<Vec<_>>().join(", ")
    }
}

/// The rules and the scenario that a new game is founded on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioFiles {
    /// The ruleset.
    pub ruleset: String,
    /// The version of the rules.
    pub rules_version: u32,
    /// The choices that whoever founds a game has.
    pub options: &'static [GameOption],
    /// The scenario, as `ruleset/name`.
    pub scenario: String,
    /// All files, the scenario's as `scenario.yaml`.
    pub files: RuleFiles,
    /// The host's own files that can't be used and that this scenario doesn't need, by path under `games/<ruleset>/`.
    pub left_out: Vec<String>,
}

impl ScenarioFiles {
    /// Puts the choices for a game among its files.
    ///
    /// # Errors
    /// The ruleset doesn't have an option, or not with this value.
    pub fn choose(&mut self, chosen: &Chosen) -> Result<(), OptionError> {
        let check = |(name, value): (&String, &String)| check_option(self.options, &self.files, name, value);
        chosen.iter().try_for_each(check)?;
        if !chosen.is_empty() {
            self.files.0.insert(OPTIONS_FILE.to_owned(), options_file(chosen));
        }
        Ok(())
    }

    /// The ruleset, and the version of it that a new game is played by.
    pub fn rules(&self) -> (&str, u32) {
        (&self.ruleset, self.rules_version)
    }
}

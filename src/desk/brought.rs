//! Data files that somebody brings for one game, without folders that would tell what each is: they are told by their keys.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::desk::{Desk, DeskError};

/// The folder of scenarios.
const SCENARIOS: &str = "scenarios";
/// The file of a ruleset's numbers.
const RULES: &str = "ruleset.yaml";

/// A file that somebody brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brought {
    /// Its name, without any folder: `my-map.yaml`.
    pub name: String,
    /// Its contents.
    pub text: String,
}

impl Brought {
    /// Its name without the ending, by which other files name it.
    pub fn stem(&self) -> &str {
        self.name.rsplit_once('.').map_or(self.name.as_str(), |(stem, _)| stem)
    }
}

/// A desk with files that somebody brought: those of one ruleset.
#[derive(Clone)]
pub struct Laid {
    /// The desk.
    pub desk: Desk,
    /// The ruleset.
    pub ruleset: String,
    /// The files by their paths under `games/<ruleset>/`: the name that each was brought by.
    pub files: BTreeMap<String, String>,
}

impl Laid {
    /// What the file at a path is: `a map`.
    pub fn what(&self, path: &str) -> &'static str {
        let folder = path.split_once('/').map_or("", |(folder, _)| folder);
        match folder {
            "" => "the numbers of the rules",
            SCENARIOS => "a scenario",
            _ => {
                self.desk.folders().find(|(name, _)| *name == folder).map_or("a data file", |(_, what)| what)
            }
        }
    }
}

impl Desk {
    /// The ruleset that a file with this path (`scenarios/my-1809.yaml`) was written for: the one that knows most of its keys, and of those the one
    /// with the fewest faults.
    ///
    /// # Errors
    /// This desk has no ruleset.
    pub fn likeliest(&self, path: &str, text: &str) -> Result<String, DeskError> {
        let places = self.rulesets().map(|ruleset| (ruleset.to_owned(), path.to_owned())).collect();
        Ok(self.likeliest_place(text, places)?.0)
    }

    /// A desk on which these files lie too, each in the folder of the ruleset that knows most of its keys.
    ///
    /// # Errors
    /// There is no such ruleset.
    pub fn with_brought(&self, ruleset: &str, files: &[Brought]) -> Result<Laid, DeskError> {
        let mut laid = Laid { desk: self.clone(), ruleset: ruleset.to_owned(), files: BTreeMap::new() };
        for file in files {
            let path = match file.stem() {
                "ruleset" => RULES.to_owned(),
                stem => {
                    let folders = [SCENARIOS].into_iter().chain(self.folders_of(ruleset)?);
                    let places = folders
                        .map(|folder| (ruleset.to_owned(), format!("{folder}/{stem}.yaml")))
                        .collect::<Vec<_>>();
                    self.likeliest_place(&file.text, places)?.1
                }
            };
            laid.desk.shelve(ruleset, &path, file.text.clone())?;
            laid.files.insert(path, file.name.clone());
        }
        Ok(laid)
    }

    /// The place, a ruleset and a path, where a file with this text has most keys that are known there, and of those the one with the fewest faults.
    fn likeliest_place(
        &self,
        text: &str,
        places: Vec<(String, String)>,
    ) -> Result<(String, String), DeskError> {
        let mut found = Vec::new();
        for (ruleset, path) in places {
            let mut desk = self.clone();
            let familiar =
                desk.forms_of(&ruleset, &path).map(|form| familiar(&form, text)).max().unwrap_or(0);
            desk.shelve(&ruleset, &path, text.to_owned())?;
            let faults = desk.examine(&ruleset, &path)?.errors.into_iter();
            let own = faults.filter(|fault| fault.file == path).count();
            found.push(((Reverse(familiar), own), (ruleset, path)));
        }
        let best = found.into_iter().min_by(|(one, _), (other, _)| one.cmp(other));
        best.map(|(_, place)| place).ok_or_else(|| DeskError::NoRuleset(String::new(), "nothing".to_owned()))
    }
}

/// How many of a file's keys a form has at its top. They are read by line, so that a file which is no YAML has some too.
fn familiar(form: &str, text: &str) -> usize {
    let form: serde_json::Value = serde_json::from_str(form).unwrap_or_default();
    let has = |key: &str| form["properties"].get(key).is_some();
    text.lines().filter_map(|line| line.split_once(':')).filter(|(key, _)| has(key)).count()
}

//! What is wrong with data files, and what can be chosen, in words for their authors: on the command line and by mail.

use super::desk::{Desk, DeskError, ScenarioFiles};
use super::kind::path_of;
use musterd_engine::briefing::{Briefing, Fact, Part, Section};
use musterd_engine::files::DataError;
use musterd_engine::founding::{GameOption, OWN, Values};
use musterd_engine::{Examination, Levels};
use musterd_report::text;

impl Desk {
    /// The examination of a file of a ruleset, by its path under `games/<ruleset>/`, with the files named by `called`, which returns `None` for a file
    /// that the author doesn't have; and the number of its own errors, which come first.
    ///
    /// # Errors
    /// There is no such ruleset.
    pub fn diagnosis(
        &self,
        ruleset: &str,
        path: &str,
        called: impl Fn(&str) -> Option<String>,
    ) -> Result<(Examination, usize), DeskError> {
        let mut examination = self.examine(ruleset, path)?;
        let own = examination.errors.iter().filter(|fault| fault.file == path).count();
        let Examination { errors, warnings, .. } = &mut examination;
        for fault in errors.iter_mut().chain(warnings) {
            let called = called(&fault.file);
            fault.file = called.unwrap_or_else(|| format!("games/{ruleset}/{}", fault.file));
        }
        Ok((examination, own))
    }

    /// The examination of the scenario that a game is to be founded of, with the options that were chosen and its own faults alone, named by its path in the data directory. `None` if
    /// it is a shipped one.
    ///
    /// # Errors
    /// There is no such ruleset.
    pub fn diagnosis_of_own(&self, founding: &ScenarioFiles) -> Result<Option<Examination>, DeskError> {
        let name = founding.scenario.rsplit('/').next().unwrap_or_default();
        let path = path_of(name);
        let kind = self.kind(&founding.ruleset)?;
        if !kind.own.contains(&path) {
            return Ok(None);
        }
        let mut found = kind.examined(&founding.files, &path);
        for faults in [&mut found.errors, &mut found.warnings] {
            faults.retain(|fault| fault.file == path);
            faults.iter_mut().for_each(|fault| fault.file = format!("games/{}/{path}", founding.ruleset));
        }
        Ok(Some(found))
    }
}

/// The examination of a file called `name`, of whose errors the first `own` are its own: each with its place, the file in numbers, and the verdict.
pub fn diagnosis_in_words(name: &str, (examination, own): &(Examination, usize)) -> String {
    let Examination { errors, warnings, summary } = examination;
    let (own, others) = errors.split_at_checked(*own).unwrap_or((errors, &[]));
    let page = text::sections(&Briefing { sections: summary.clone(), ..Briefing::default() });
    let verdict = match errors.is_empty() {
        true => format!("{name} is in order: {}.", count(0, warnings.len())),
        false => format!("{name} can't be used: {}.", count(errors.len(), warnings.len())),
    };
    let others = match others {
        [] => String::new(),
        others => format!("In files that it depends on:\n{}", findings(others, &[])),
    };
    let parts = [findings(own, warnings), others, page, format!("{verdict}\n")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Errors, then warnings, a line each.
pub fn findings(errors: &[DataError], warnings: &[DataError]) -> String {
    let line = |kind, fault: &DataError| {
        let text = fault.to_string();
        let place = text.strip_suffix(&fault.reason).unwrap_or_default();
        format!("{place}{kind}: {}\n", fault.reason)
    };
    let errors = errors.iter().map(|fault| line("error", fault));
    errors.chain(warnings.iter().map(|fault| line("warning", fault))).collect()
}

fn count(errors: usize, warnings: usize) -> String {
    let words = |n: usize, what: &str| match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    format!("{}, {}", words(errors, "error"), words(warnings, "warning"))
}

/// The choices that whoever founds a game has; `None` where there are none.
pub fn options_section(options: &[GameOption]) -> Option<Section> {
    let fact = |option: &GameOption| {
        let values = match option.values {
            Values::Number(..) => option.values.to_string(),
            Values::File { folder, own } => {
                format!("{OWN} ({own}), or the name of a file in `{folder}`")
            }
            Values::Words(words) => {
                words.iter().map(|(word, means)| format!("{word} ({means})")).collect::<Vec<_>>().join(", ")
            }
        };
        Fact {
            label: option.name.to_owned(),
            text: format!("{}: {values}; {} unless chosen", option.about, option.default),
        }
    };
    let facts = options.iter().map(fact).collect();
    (!options.is_empty()).then(|| Section::of("Options", vec![Part::Facts { facts }]))
}

/// The computer players that can be seated, each with how it plays; `None` where there are none.
pub fn computers_section(levels: &Levels) -> Option<Section> {
    let words = levels.words().zip(levels.iter().rev());
    let facts: Vec<Fact> = words.map(|(label, level)| Fact { label, text: level.about.to_owned() }).collect();
    (!facts.is_empty()).then(|| Section::of("Computer players", vec![Part::Facts { facts }]))
}

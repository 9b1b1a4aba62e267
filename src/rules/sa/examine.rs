//! The examination of a file for its author: every fault, and doubtful things.

use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::{Examination, Founding, Ruleset};
use musterd_kit::files::Found;

use crate::data::Sa;
use crate::files::scenario;
use crate::numbers::{self, Numbers};
use crate::options::{Choices, OPTIONS};

/// Examines `file`: an army, a field or the charts by their own paths, or the scenario that is in `files` as `scenario.yaml`. If the charts can't be
/// used, the shipped ones are used instead.
pub(crate) fn examine(files: &RuleFiles, file: &str) -> Examination {
    let (numbers, faults) = match Numbers::load(files) {
        Ok(numbers) => (numbers, Vec::new()),
        Err(DataErrors(faults)) => (Numbers::shipped(), faults),
    };
    // An author's file is examined as it is played unless something is chosen.
    let founding = match Founding::new(Sa::RULES_VERSION, OPTIONS, files, &[]) {
        Ok(founding) => founding,
        Err(DataErrors(errors)) => return Examination::failed(errors),
    };
    let choices = Choices::of(&founding);
    let mut found = match file {
        numbers::FILE => Found::default(),
        path if path.starts_with("armies/") => scenario::army(files, &numbers, &choices, path),
        path if path.starts_with("fields/") => scenario::field(files, &numbers, &choices, path),
        _ => scenario::read(&founding, &numbers, &choices).1,
    };
    found.errors.extend(faults);
    found.examined(file)
}

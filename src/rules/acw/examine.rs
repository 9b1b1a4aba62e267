//! The examination of a file for its author: every fault, and doubtful things.

use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::{Examination, Founding, Ruleset};
use musterd_kit::files::Found;

use crate::data::Acw;
use crate::files::scenario;
use crate::numbers::{self, Numbers};
use crate::options::{Choices, OPTIONS};

/// Examines `file`: a map or the tables by their own paths, or the scenario that is in `files` as `scenario.yaml`. If the tables can't be used, the
/// shipped ones are used instead.
pub(crate) fn examine(files: &RuleFiles, file: &str) -> Examination {
    let (numbers, faults) = match Numbers::load(files) {
        Ok(numbers) => (numbers, Vec::new()),
        Err(DataErrors(faults)) => (Numbers::shipped(), faults),
    };
    // An author's file is examined as it is played unless something is chosen.
    let founding = match Founding::new(Acw::RULES_VERSION, OPTIONS, files, &[]) {
        Ok(founding) => founding,
        Err(DataErrors(errors)) => return Examination::failed(errors),
    };
    let mut found = match file {
        numbers::FILE => Found::default(),
        path if path.starts_with("maps/") => scenario::map(files, &numbers, path),
        _ => scenario::read(files, &numbers, &Choices::of(&founding)).1,
    };
    found.errors.extend(faults);
    found.examined(file)
}

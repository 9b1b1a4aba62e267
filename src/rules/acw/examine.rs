//! The examination of a file for its author: every fault, and doubtful things.

use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::{Examination, Founding};

use crate::battle;
use crate::files::scenario::ReadBattle;
use crate::numbers::{self, Numbers};
use crate::options::{Choices, OPTIONS};

/// Examines `file`: a map or the tables by their own paths, or the scenario that is in `files` as `scenario.yaml`. If the tables can't be used, the
/// shipped ones are used instead.
pub(crate) fn examine(files: &RuleFiles, file: &str) -> Examination {
    let failed = |errors: Vec<_>| Examination { errors, ..Examination::default() };
    let (numbers, faults) = match Numbers::load(files) {
        Ok(numbers) => (numbers, Vec::new()),
        Err(DataErrors(faults)) => (Numbers::shipped(), faults),
    };
    // An author's file is examined as it is played unless something is chosen.
    let founding = match Founding::new(1, OPTIONS, files, &[]) {
        Ok(founding) => founding,
        Err(DataErrors(errors)) => return failed(errors),
    };
    let choices = Choices::of(&founding);
    let mut read = match file {
        numbers::FILE => ReadBattle::default(),
        path if path.starts_with("maps/") => ReadBattle::map(files, &numbers, path),
        _ => ReadBattle::read(files, &numbers, &choices),
    };
    read.errors.extend(faults);
    let stem = file.strip_prefix("scenarios/").and_then(|name| name.strip_suffix(".yaml"));
    if let (Some(stem), Some(id)) = (stem, read.id.filter(|id| stem != Some(id.value.as_str()))) {
        let reason =
            format!("the id is `{}`, but the file is {stem}.yaml: the commands call it {stem}", id.value);
        read.warnings.push(DataError { file: file.to_owned(), at: id.at, reason });
    }
    for fault in read.errors.iter_mut().chain(&mut read.warnings) {
        if fault.file == battle::FILE {
            file.clone_into(&mut fault.file);
        }
    }
    Examination { errors: read.errors, warnings: read.warnings, ..Examination::default() }
}

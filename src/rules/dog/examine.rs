//! The examination of a battle file for its author: every error, and doubtful things.

use super::battle::ReadBattle;
use super::battle::hire::HireList;
use super::data::SHIPPED;
use super::numbers::{self, Numbers, ReadNumbers};
use musterd_engine::Examination;
use musterd_engine::files::RuleFiles;

/// Examines `file`: a hire list or the numbers by their own paths, or the battle that is in `files` as `scenario.yaml`. If the numbers can't be used, the shipped ones
/// are used instead.
pub(super) fn examine(files: &RuleFiles, file: &str) -> Examination {
    let mut read = ReadNumbers::read(files);
    let doubts = std::mem::take(&mut read.warnings);
    let mut faults = [read.errors.as_slice(), &read.twice].concat();
    faults.sort_by_key(|fault| fault.at);
    let Ok(shipped) = Numbers::load(&RuleFiles::of(&SHIPPED)) else { return Examination::failed(faults) };
    let numbers = read.for_checks(shipped);
    if files.0.contains_key(file) {
        let name = file.strip_prefix("hire/").and_then(|name| name.strip_suffix(".yaml"));
        let found = name.and_then(|name| HireList::load(files, &numbers).1.remove(name));
        let errors = [found.unwrap_or_default().0, faults].concat();
        let warnings = if file == numbers::FILE { doubts } else { Vec::new() };
        return Examination { errors, warnings, ..Examination::default() };
    }
    let mut found = match ReadBattle::with_lists(files, &numbers) {
        Ok((draft, _)) => {
            Examination { errors: draft.errors, warnings: draft.warnings, ..Examination::default() }
        }
        Err(errors) => Examination::failed(errors.0),
    };
    found.errors.extend(faults);
    found.of_file(file)
}

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
            let errors = [draft.errors, draft.late].concat();
            Examination { errors, warnings: draft.warnings, ..Examination::default() }
        }
        Err(errors) => Examination::failed(errors.0),
    };
    found.errors.extend(faults);
    found.of_file(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dog, shipped};
    use musterd_engine::Ruleset;

    /// The faults of a shipped battle after a change to it; it can be founded all the same, as it could before they were looked for.
    fn late(battle: &str, from: &str, to: &str) -> Vec<String> {
        let mut files = shipped(battle).unwrap();
        let text = files.0.get_mut("scenario.yaml").unwrap();
        assert!(text.contains(from), "{from}");
        *text = text.replacen(from, to, 1);
        assert!(Dog::from_files(&files, &[]).is_ok(), "{to}");
        let found = examine(&files, "scenarios/own.yaml");
        assert_eq!(found.warnings, [], "{to}");
        found.errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_unit_that_starts_outside_its_armys_zone_is_a_fault() {
        for hex in ["0101", "0105"] {
            let to = format!("fighters: 14, at: \"{hex}\"");
            let said = format!(
                "scenarios/own.yaml:36:69: B1 starts in {hex}, outside the `zone` of its army, 0106 to 1009: move it there, or widen the zone"
            );
            assert_eq!(late("millers-ford", "fighters: 14, at: \"0506\"", &to), [said]);
        }
        assert!(late("millers-ford", "fighters: 14, at: \"0506\"", "fighters: 14, at: \"0106\"").is_empty());
    }
}

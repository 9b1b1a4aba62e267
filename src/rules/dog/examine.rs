//! The examination of a battle file for its author: every error, and doubtful things.

use super::battle::hire::HireList;
use super::battle::{self, ReadBattle, is_hire_list};
use super::data::SHIPPED;
use super::numbers::{self, Numbers, ReadNumbers};
use musterd_engine::Examination;
use musterd_engine::files::{DataError, RuleFiles};
use musterd_engine::yaml::LineColumn;

/// Examines `file`: a hire list or the numbers by their own paths, or the battle that is in `files` as `scenario.yaml`. If the numbers can't be used, the shipped ones
/// are used instead.
pub(super) fn examine(files: &RuleFiles, file: &str) -> Examination {
    let mut read = ReadNumbers::read(files);
    let doubts = std::mem::take(&mut read.warnings);
    let mut faults = [read.errors.as_slice(), &read.late].concat();
    faults.sort_by_key(|fault| fault.at);
    #[expect(clippy::expect_used, reason = "a test reads them")]
    let shipped = Numbers::load(&RuleFiles::of(&SHIPPED)).expect("the shipped numbers");
    let numbers = read.for_checks(shipped);
    if files.0.contains_key(file) {
        let name = file.strip_prefix("hire/").and_then(|name| name.strip_suffix(".yaml"));
        let found = name.and_then(|name| HireList::load(files, &numbers).1.remove(name));
        let late = name.map(|name| HireList::late(files, &numbers, name)).unwrap_or_default();
        let errors = [found.unwrap_or_default().0, late, faults].concat();
        let warnings = if file == numbers::FILE { doubts } else { Vec::new() };
        return Examination { errors, warnings, ..Examination::default() };
    }
    let ReadBattle { mut found, late, .. } = ReadBattle::with_lists(files, &numbers);
    found.errors.extend(late);
    if is_hire_list(files, found.errors.len()) {
        let at = LineColumn { line: 1, column: 1 };
        let reason = "this is a hire list, and it is checked as a battle: move it into a folder `hire`";
        let moved = DataError { file: battle::FILE.to_owned(), at, reason: reason.to_owned() };
        return Examination::failed(vec![moved]).of_file(file);
    }
    found.errors.extend(faults);
    found.examined(file)
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
        assert!(found.warnings.iter().all(|doubt| doubt.reason.starts_with("the id is ")), "{to}");
        found.errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_that_orders_could_not_tell_apart_are_faults() {
        let named = |name: &str| late("millers-ford", "name: Long Staves", &format!("name: {name}"));
        for name in ["7", "B7", "\"0405\""] {
            let bare = name.trim_matches('"');
            let said =
                format!("scenarios/own.yaml:36:9: `{bare}` can't be told from a number in orders: use words");
            assert_eq!(named(name), [said]);
        }
        let other = shipped("millers-ford").unwrap().0["scenario.yaml"].clone();
        let other = other
            .lines()
            .nth(36)
            .unwrap()
            .split("name: ")
            .nth(1)
            .unwrap()
            .split(',')
            .next()
            .unwrap()
            .to_owned();
        let said = format!(
            "scenarios/own.yaml:37:9: another unit is called `{other}` (line 36): orders could not tell them apart"
        );
        assert_eq!(named(&other), [said]);
    }

    #[test]
    fn names_of_a_hire_list_that_orders_could_not_tell_apart_are_faults() {
        let mut files = shipped("millers-ford").unwrap();
        let text = files.0.get_mut("hire/watch-100.yaml").unwrap();
        let names: Vec<&str> =
            text.split("name: ").skip(1).filter_map(|rest| rest.split(',').next()).collect();
        let (first, second, third) = (names[0].to_owned(), names[1].to_owned(), names[2].to_owned());
        *text = text.replacen(&second, &first, 1).replacen(&third, "12", 1);
        let found = examine(&files, "hire/watch-100.yaml");
        let told: Vec<String> = found.errors.iter().map(|fault| fault.reason.clone()).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].starts_with(&format!("another unit is called `{first}` (line ")), "{told:?}");
        assert!(told[1].starts_with("`12` can't be told from a number"), "{told:?}");
        let lists = HireList::load(&files, &Numbers::load(&files).unwrap());
        assert!(lists.0.contains_key("watch-100"), "games that have it go on");
    }

    #[test]
    fn a_battle_that_is_not_called_as_its_file_is_doubted() {
        let found = examine(&shipped("millers-ford").unwrap(), "scenarios/own.yaml");
        let told: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "scenarios/own.yaml:2:5: the id is `millers-ford`, but the file is own.yaml: the commands call it own"
            ]
        );
        assert_eq!(examine(&shipped("millers-ford").unwrap(), "scenarios/millers-ford.yaml").warnings, []);
    }

    #[test]
    fn a_hire_list_in_another_folder_is_told_where_it_belongs() {
        let mut files = shipped("millers-ford").unwrap();
        let list = SHIPPED.iter().find(|(path, _)| *path == "hire/watch-100.yaml").unwrap().1;
        files.0.insert("scenario.yaml".to_owned(), list.to_owned());
        let found = examine(&files, "scenarios/watch-100.yaml");
        let told: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "scenarios/watch-100.yaml:1:1: this is a hire list, and it is checked as a battle: move it into a folder `hire`"
            ]
        );
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

//! Checks which of a ruleset's files can be used.

use super::kind::Rulebook;
use musterd_engine::Examination;
use musterd_engine::files::{DataError, RuleFiles};

/// Replaces the scenario's file name in faults by its own path.
pub(super) fn told_of(faults: &mut [DataError], path: &str) {
    for fault in faults.iter_mut().filter(|fault| fault.file == "scenario.yaml") {
        path.clone_into(&mut fault.file);
    }
}

impl Rulebook {
    pub(super) fn examination(&self, path: &str) -> Examination {
        let name = path.strip_prefix("scenarios/").and_then(|name| name.strip_suffix(".yaml"));
        self.examined(&self.files(name.unwrap_or_default()), path)
    }

    /// The examination of a file among these, its scenario by its own path.
    pub(super) fn examined(&self, files: &RuleFiles, path: &str) -> Examination {
        let mut found = (self.examine)(files, path);
        for faults in [&mut found.errors, &mut found.warnings] {
            told_of(faults, path);
            faults.sort_by_key(|fault| fault.file != path);
        }
        found
    }

    /// The host's own files, other than scenarios, that can't be used, with the reasons.
    pub(super) fn unfit(&self) -> Vec<(String, Vec<DataError>)> {
        let beside = self.own.iter().filter(|path| path.contains('/') && !path.starts_with("scenarios/"));
        let faults = beside.map(|path| {
            let own = self.examination(path).errors.into_iter().filter(|fault| fault.file == *path);
            (path.clone(), own.collect::<Vec<_>>())
        });
        faults.filter(|(_, faults)| !faults.is_empty()).collect()
    }

    /// The files for founding a game of a scenario, without own files of the host that can't be used, if the scenario doesn't need them; and the
    /// paths of those left out.
    pub(super) fn fit_files(&self, scenario: &str) -> (RuleFiles, Vec<String>) {
        let mut files = self.files(scenario);
        let unread = files.0.iter().filter(|(_, text)| RuleFiles::is_unread(text));
        let mut unfit: Vec<String> = unread.map(|(path, _)| path.clone()).collect();
        unfit.extend(self.unfit().into_iter().map(|(path, _)| path));
        unfit.sort();
        unfit.dedup();
        // Opening these files reports what is wrong.
        if !unfit.is_empty() && self.open_newest(&files, &[]).is_err() {
            return (files, Vec::new());
        }
        unfit.iter().for_each(|path| _ = files.0.remove(path));
        (files, unfit)
    }
}

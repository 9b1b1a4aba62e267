//! A ruleset's files on the shelf: which of them can be used, and what is wrong with the others.

use super::kind::Rulebook;
use musterd_engine::Examination;
use musterd_engine::files::{DataError, RuleFiles};

/// Calls the scenario's file by its own path in what is told of it.
pub(super) fn told_of(faults: &mut [DataError], path: &str) {
    for fault in faults.iter_mut().filter(|fault| fault.file == "scenario.yaml") {
        path.clone_into(&mut fault.file);
    }
}

impl Rulebook {
    pub(super) fn examination(&self, path: &str) -> Examination {
        let name = path.strip_prefix("scenarios/").and_then(|name| name.strip_suffix(".yaml"));
        let mut found = (self.examine)(&self.files(name.unwrap_or_default()), path);
        for faults in [&mut found.errors, &mut found.warnings] {
            told_of(faults, path);
            faults.sort_by_key(|fault| fault.file != path);
        }
        found
    }

    /// The host's own files beside the scenarios that can't be used, and why.
    pub(super) fn unfit(&self) -> Vec<(String, Vec<DataError>)> {
        let beside = self.own.iter().filter(|path| path.contains('/') && !path.starts_with("scenarios/"));
        let faults = beside.map(|path| {
            let own = self.examination(path).errors.into_iter().filter(|fault| fault.file == *path);
            (path.clone(), own.collect::<Vec<_>>())
        });
        faults.filter(|(_, faults)| !faults.is_empty()).collect()
    }

    /// The files to found a game of a scenario on, without those of the host's own that can't be used, if it does without; and which these are.
    pub(super) fn fit_files(&self, scenario: &str) -> (RuleFiles, Vec<String>) {
        let mut files = self.files(scenario);
        let unread = files.0.iter().filter(|(_, text)| RuleFiles::is_unread(text));
        let mut unfit: Vec<String> = unread.map(|(path, _)| path.clone()).collect();
        unfit.extend(self.unfit().into_iter().map(|(path, _)| path));
        unfit.sort();
        unfit.dedup();
        // Whoever opens them is told what is wrong.
        if !unfit.is_empty() && (self.open)(&files, &[]).is_err() {
            return (files, Vec::new());
        }
        unfit.iter().for_each(|path| _ = files.0.remove(path));
        (files, unfit)
    }
}

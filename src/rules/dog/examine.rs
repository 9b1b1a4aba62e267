//! A battle file looked over for its author: every error, and what may not be meant.

use super::battle::hire::HireList;
use super::battle::{self, Draft};
use super::numbers::Numbers;
use crate::engine::Examination;
use crate::engine::files::RuleFiles;

/// Looks over `file`: a hire list by its own path, or the battle that is in `files` as `scenario.yaml`.
pub(super) fn examine(files: &RuleFiles, file: &str) -> Examination {
    if files.0.contains_key(file) {
        let lists = Numbers::load(files).and_then(|numbers| HireList::load(files, &numbers));
        let errors = lists.err().map_or_else(Vec::new, |errors| errors.0);
        return Examination { errors, ..Examination::default() };
    }
    let draft = Numbers::load(files).and_then(|numbers| Draft::with_lists(files, &numbers));
    let mut found = match draft {
        Ok((draft, _)) => {
            Examination { errors: draft.errors, warnings: draft.warnings, ..Examination::default() }
        }
        Err(errors) => Examination { errors: errors.0, ..Examination::default() },
    };
    for fault in found.errors.iter_mut().chain(&mut found.warnings) {
        if fault.file == battle::FILE {
            file.clone_into(&mut fault.file);
        }
    }
    found
}

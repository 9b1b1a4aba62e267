//! A battle file looked over for its author: every error, and what may not be meant.

use super::battle::{self, Draft};
use super::numbers::Numbers;
use crate::engine::Examination;
use crate::engine::files::RuleFiles;

/// Looks over `file`, the battle that is in `files` as `scenario.yaml`.
pub(super) fn examine(files: &RuleFiles, file: &str) -> Examination {
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

//! The examination of a file for its author.

use musterd_engine::Examination;
use musterd_engine::files::RuleFiles;

pub(crate) fn examine(_: &RuleFiles, _: &str) -> Examination {
    todo!()
}

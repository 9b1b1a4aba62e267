//! Reads the files of a battle: charts, scenario, armies and field.

use musterd_engine::Founding;
use musterd_engine::files::DataErrors;

use crate::battle::Battle;
use crate::numbers::Numbers;
use crate::options::Choices;

/// Reads and checks the files of a battle.
pub(crate) fn load(_founding: &Founding<'_>, _choices: &Choices) -> Result<(Numbers, Battle), DataErrors> {
    Err(DataErrors::one(crate::battle::FILE, 0, "not read yet".to_owned()))
}

/// Reads the charts alone.
pub(crate) fn numbers(
    _files: &musterd_engine::files::RuleFiles,
    _edition: crate::options::Edition,
) -> Result<Numbers, DataErrors> {
    Err(DataErrors::one(crate::battle::FILE, 0, "not read yet".to_owned()))
}

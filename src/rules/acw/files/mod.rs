//! Reads the files of a battle: tables, scenario, map.

use musterd_engine::Founding;
use musterd_engine::files::DataErrors;

use crate::battle::Battle;
use crate::numbers::Numbers;
use crate::options::Choices;

/// Reads and checks the files of a battle.
///
/// # Errors
/// Every fault of those that the battle needs.
pub(crate) fn load(_: &Founding<'_>, _: &Choices) -> Result<(Numbers, Battle), DataErrors> {
    todo!()
}

//! Reads the files of a battle: tables, scenario, map.

mod army;
pub(crate) mod declared;
mod doubts;
mod ground;
mod hours;
mod looks;
mod objectives;
mod paths;
pub(crate) mod scenario;

use musterd_engine::Founding;
use musterd_engine::files::DataErrors;

use crate::battle::Battle;
use crate::numbers::Numbers;
use crate::options::Choices;

/// Reads and checks the files of a battle.
///
/// # Errors
/// Every fault of those that the battle needs.
pub(crate) fn load(founding: &Founding<'_>, choices: &Choices) -> Result<(Numbers, Battle), DataErrors> {
    let numbers = Numbers::load(founding.files())?;
    let (battle, found) = scenario::read(founding.files(), &numbers, choices);
    Ok((numbers, found.usable(battle)?))
}

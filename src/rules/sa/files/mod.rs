//! Reads the files of a battle: charts, scenario, armies and field.

pub(crate) mod declared;
mod deploy;
mod ground;
mod orcs;
mod roster;
pub(crate) mod scenario;

use musterd_engine::Founding;
use musterd_engine::files::DataErrors;

use crate::battle::Battle;
use crate::numbers::Numbers;
use crate::options::{Choices, Edition};

/// Reads and checks the files of a battle.
///
/// # Errors
/// Every fault of those that the battle needs.
pub(crate) fn load(founding: &Founding<'_>, choices: &Choices) -> Result<(Numbers, Battle), DataErrors> {
    let mut numbers = Numbers::load(founding.files())?;
    let (battle, found) = scenario::read(founding, &numbers, choices);
    let mut battle = found.usable(battle)?;
    if choices.edition == Edition::Atari {
        orcs::say(&mut numbers, &mut battle);
    }
    Ok((numbers, battle))
}

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
use scenario::{Chosen, ReadBattle};

/// Reads and checks the files of a battle.
///
/// # Errors
/// Every fault of those that the battle needs.
pub(crate) fn load(founding: &Founding<'_>, choices: &Choices) -> Result<(Numbers, Battle), DataErrors> {
    let mut numbers = Numbers::load(founding.files())?;
    let read = ReadBattle::read(founding.files(), &numbers, choices, &Chosen::of(founding));
    match read.battle.filter(|_| read.errors.is_empty()) {
        Some(mut battle) => {
            if choices.edition == Edition::Atari {
                orcs::say(&mut numbers, &mut battle);
            }
            Ok((numbers, battle))
        }
        None => Err(DataErrors(read.errors)),
    }
}

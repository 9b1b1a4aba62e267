//! Common inputs of the commands for Death or Glory: the numbers of the rules, and the words for fighters and ground.

use crate::cli::global::Global;
use crate::cli::shelf::desk;
use musterd_daemon::HostError;
use musterd_dog::battle::Ground;
use musterd_dog::numbers::Numbers;
use musterd_dog::table::read;
use musterd_dog::table::throw::OPEN;

/// How to write fighters, for the help of every question.
pub(in crate::cli) const FIGHTERS: &str = "Fighters are a number and a type of table 1, such as 18 heavy infantry or 18 HI, with ELITE, WITH their crew, PEOPLE or \
    SIZE where they have one, and IN the ground they stand on: in forest hills, in clear castle.";

/// The text of the numbers of the rules; the host's own file replaces the built-in one.
pub(super) fn numbers_text(global: &Global) -> Result<String, HostError> {
    let files = desk(&global.dir()).0.shared_files("dog")?;
    Ok(files.0.get("ruleset.yaml").cloned().unwrap_or_default())
}

/// The numbers of the rules.
pub(in crate::cli) fn numbers(global: &Global) -> Result<Numbers, HostError> {
    let files = desk(&global.dir()).0.shared_files("dog")?;
    Ok(Numbers::load(&files).map_err(musterd_desk::DeskError::from)?)
}

/// The ground that an option names.
pub(in crate::cli) fn usual(option: Option<&str>) -> Result<Ground, HostError> {
    option.map_or(Ok(OPEN), read::ground).map_err(HostError::usage)
}

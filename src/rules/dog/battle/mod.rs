//! A battle: the field, the armies, the scale and the switches, from `games/dog/scenarios/*.yaml`.

pub(crate) mod declared;
mod field;
mod file;
pub mod hire;
mod scenario;
pub mod zone;

pub use crate::model::Ground;
pub use crate::switches::Switches;
pub use field::{Field, Works};
pub use file::FILE;
pub(super) use file::{ReadBattle, is_hire_list};
pub use scenario::{Army, Battle, UnitSpec};

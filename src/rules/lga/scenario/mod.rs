//! A scenario: dates, sides, order of battle, control and victory levels, from `games/lga/scenarios/*.yaml`.

mod checked;
pub(crate) mod declared;
mod file;

pub use checked::{Recall, Scenario, SideSpec, Start, UnitSpec};
pub use file::FILE;
pub(super) use file::{Places, ReadScenario};

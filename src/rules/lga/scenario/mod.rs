//! A scenario: dates, sides, order of battle, control and victory levels, from `games/lga/scenarios/*.yaml`.

pub(crate) mod declared;
mod file;
mod setting;
mod sides;
mod units;

pub use file::FILE;
pub(super) use file::{Places, ReadScenario};
pub use setting::Scenario;
pub use sides::SideSpec;
pub use units::{Recall, Start, UnitSpec};

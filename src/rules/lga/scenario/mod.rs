//! A scenario: dates, sides, order of battle, control and victory levels, from `games/lga/scenarios/*.yaml`.

mod checked;
pub(crate) mod declared;
mod file;
mod sides;
mod units;

pub use checked::Scenario;
pub use file::FILE;
pub(super) use file::{Places, ReadScenario};
pub use sides::SideSpec;
pub use units::{Recall, Start, UnitSpec};

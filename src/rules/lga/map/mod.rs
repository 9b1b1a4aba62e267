//! The map: hexes with their terrain, cities, rivers and seas, from `games/lga/maps/*.yaml`. Public and unchanging.

mod area;
pub(crate) mod declared;
mod file;
mod grid;

pub use area::{Area, City};
pub use file::path_of;
pub(crate) use file::{Gaps, ReadMap};
pub use grid::Map;

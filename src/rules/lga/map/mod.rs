//! The map: hexes with their terrain, cities, rivers and seas, from `games/lga/maps/*.yaml`. Public and unchanging.

pub(crate) mod declared;
mod file;
mod grid;

pub use file::path_of;
pub(crate) use file::{Gaps, ReadMap};
pub use grid::{Area, City, Map};

//! How the signs on the maps look.

use musterd_engine::palette::Palette;

pub(crate) const PALETTE: Palette = Palette { ..Palette::PLAIN };

//! Random numbers of a turn.

use std::fmt::Display;

use musterd_engine::{LabelStem, Scribe};

use crate::data::Acw;

/// A random number of 0 to `most` for a unit (ACW-1).
pub(super) fn random(
    scribe: &mut Scribe<'_, Acw>,
    (phase, kind): (&'static str, &'static str),
    of: &impl Display,
    most: u32,
) -> u32 {
    let subject = of.to_string().to_ascii_lowercase();
    scribe.die(&LabelStem { phase, kind, subject }, most + 1) - 1
}

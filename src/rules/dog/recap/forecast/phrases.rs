//! Phrases of what is foreseen.

use crate::legality::{Reason, Refusal};

/// The text of a receipt for an order that will have no effect.
pub(super) fn as_foreseen(refusal: &Refusal) -> String {
    match (&refusal.reason, refusal.passing) {
        (Reason::Gone { .. }, _) | (_, false) => refusal.reason.to_string(),
        _ => format!("as things are now, {}", refusal.reason),
    }
}

/// So many fall: `8 to 11 fall`, `1 of yours falls`.
pub(super) fn falling(least: u16, most: u16, of: &str) -> String {
    match (least, most) {
        (_, 0) => format!("none{of} fall"),
        (1, 1) => format!("1{of} falls"),
        (least, most) if least == most => format!("{least}{of} fall"),
        (least, most) => format!("{least} to {most}{of} fall"),
    }
}

//! Who sits where: seats and the addresses of their players, and what is settled about them.

use super::campaign::Campaign;
use crate::dice::Seat;

impl Campaign {
    /// The how-manieth secret a seat has; the first one is 0.
    #[must_use]
    pub fn issue(&self, seat: &Seat) -> u32 {
        self.life().issues.get(seat).copied().unwrap_or(0)
    }
}

//! Exact odds of everything that the dice decide: an assault of several units round after round, the muster, withdrawing and
//! reinforcing, sieges, marches. Pure: facts in, [distributions](musterd_dice::odds::Distribution) out. Every result comes
//! from the functions of [`tables`](super::tables) that the adjudicator reads too.
//!
//! An assault is the most frequent question of computer players and receipts:
//!
//! ```
//! # use musterd_lga::{Lga, shipped};
//! # use musterd_engine::Ruleset;
//! use musterd_lga::model::Arm;
//! use musterd_lga::odds::{Assault, Attacker, Defender};
//! use musterd_lga::order::Limit;
//! use musterd_lga::tables::combat::{Field, Fighter};
//!
//! # let rules = Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap();
//! let unit = |arm, morale| Fighter { arm, morale, fatigue: 0 };
//! let limit = Limit { rounds: 4, while_morale: Some(2), while_odds: None };
//! let attacker = |morale| Attacker {
//!     unit: unit(Arm::Infantry, morale),
//!     hq: 1,
//!     field: Field::OPEN,
//!     limit,
//! };
//! let assault = Assault::new(vec![attacker(3), attacker(2)], vec![Defender::unit(unit(Arm::Infantry, 3))]);
//! let prospect = assault.prospect(&rules.numbers.combat);
//! assert_eq!(prospect.clear().percent(), "85.8%");
//! assert_eq!(prospect.clear().rounded(1000), 858);
//! ```

mod attack;
mod march;
mod rolls;

pub use attack::{Assault, Attacker, Bout, Defence, Defender, Prospect, Stack};
pub use march::{Halt, March};
pub use rolls::{besieged, muster, reinforce, withdraw};

/// The fate of a piece. Ordered from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remains {
    /// It is destroyed.
    Destroyed,
    /// It is left with this morale.
    Morale(i8),
}

impl Remains {
    /// Below zero a unit is destroyed (manual 5.64).
    pub const fn left_with(morale: i8) -> Self {
        if morale < 0 { Self::Destroyed } else { Self::Morale(morale) }
    }

    /// The morale lost from `before`; a unit destroyed loses all that it had.
    pub fn loss(self, before: i8) -> u32 {
        let left = match self {
            Self::Destroyed => 0,
            Self::Morale(left) => left,
        };
        u32::try_from(before.saturating_sub(left)).unwrap_or_default()
    }
}

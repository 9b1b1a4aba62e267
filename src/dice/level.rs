//! How far an adjudication's dice can be trusted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::ids::Seat;
use super::orders::Block;

/// What the host could still do to the dice of one adjudication; higher is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// No salt from outside: the host could have tried secrets before it published the anchor.
    L0,
    /// At least one salt from outside; but the house ordered after the opening, and could try orders until the dice suited it.
    L1,
    /// Every house seat's orders fixed at opening too: the host chooses which mails count and when to close, and is seen doing so.
    L2,
    /// A public beacon from after the close too: nothing is left to the host, if the beacon published what the log says.
    L3,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::L0 => "L0",
            Self::L1 => "L1",
            Self::L2 => "L2",
            Self::L3 => "L3",
        };
        f.pad(name)
    }
}

/// An adjudication's level, and whose salts made it so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assurance {
    /// The level.
    pub level: Level,
    /// The seats outside the house whose blocks carried a salt.
    pub salted: BTreeSet<Seat>,
}

impl Assurance {
    /// The assurance of an adjudication: `house` are the seats that the host or its computer played at the opening or ordered for
    /// since (a stand-in), `sealed` those whose orders are what was logged directly after the opening, `blocks` what was adjudicated (a silent seat has none),
    /// and `beacon` the public value that entered the seed, empty if the game uses none.
    #[must_use]
    pub fn of(
        house: &BTreeSet<Seat>,
        sealed: &BTreeSet<Seat>,
        blocks: &BTreeMap<Seat, Block>,
        beacon: &[u8],
    ) -> Self {
        let outside = blocks.iter().filter(|(seat, _)| !house.contains(*seat));
        let salted: BTreeSet<Seat> =
            outside.filter(|(_, block)| block.salt()).map(|(seat, _)| seat.clone()).collect();
        let level = match (salted.is_empty(), house.is_subset(sealed), beacon.is_empty()) {
            (true, _, _) => Level::L0,
            (false, false, _) => Level::L1,
            (false, true, true) => Level::L2,
            (false, true, false) => Level::L3,
        };
        Self { level, salted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(names: &str) -> BTreeSet<Seat> {
        names.split_whitespace().map(|name| name.parse().unwrap()).collect()
    }

    fn blocks(of: &[(&str, &str)]) -> BTreeMap<Seat, Block> {
        of.iter().map(|(seat, text)| (seat.parse().unwrap(), Block::canonical(text))).collect()
    }

    #[test]
    fn without_a_salt_from_outside_nothing_helps() {
        let (house, none) = (seats("allied"), seats(""));
        for orders in [
            blocks(&[]),
            blocks(&[("french", "hold"), ("allied", "salt: the house's own")]),
            blocks(&[("french", "salt:")]),
        ] {
            let found = Assurance::of(&house, &house, &orders, b"beacon");
            assert_eq!(found, Assurance { level: Level::L0, salted: none.clone() }, "{orders:?}");
        }
    }

    #[test]
    fn seals_and_a_beacon_raise_the_level() {
        let orders = blocks(&[("french", "salt: blue cats"), ("prussia", "hold"), ("allied", "salt: x")]);
        let (house, french) = (seats("allied russia"), seats("french"));
        for (sealed, beacon, level) in [
            ("", "", Level::L1),
            ("allied", "", Level::L1),
            ("allied", "b", Level::L1),
            ("allied russia", "", Level::L2),
            ("allied russia", "b", Level::L3),
        ] {
            let found = Assurance::of(&house, &seats(sealed), &orders, beacon.as_bytes());
            assert_eq!(
                found,
                Assurance { level, salted: french.clone() },
                "sealed {sealed}, beacon {beacon}"
            );
        }
    }

    #[test]
    fn a_host_that_plays_no_seat_has_nothing_to_seal() {
        let orders = blocks(&[("french", "salt: a"), ("allied", "salt: b")]);
        let found = Assurance::of(&seats(""), &seats(""), &orders, b"");
        assert_eq!(found, Assurance { level: Level::L2, salted: seats("french allied") });
    }
}

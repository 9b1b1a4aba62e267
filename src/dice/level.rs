//! How far an adjudication's dice can be trusted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::ids::Seat;
use super::orders::Block;

/// What the host could still do to the dice of one adjudication. A higher level leaves it less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// No seat outside the house sent a salt: the host could have tried secrets before it published the anchor.
    L0,
    /// At least one seat outside the house sent a salt. But house seats ordered after the opening, so the host could try their orders until the dice
    /// suited it.
    L1,
    /// In addition, every house seat's orders were fixed at the opening. The host can only choose which mails count and when to close. The author of
    /// a mail that doesn't count sees that, and the log shows it.
    L2,
    /// In addition, a public beacon's value from after the close counts. Nothing is left to the host, if the beacon published the value that is in
    /// the log.
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

/// An adjudication's level, and the seats whose salts led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assurance {
    /// The level.
    pub level: Level,
    /// The seats, other than house seats, whose blocks carried a salt.
    pub salted: BTreeSet<Seat>,
}

impl Assurance {
    /// The assurance of an adjudication. `house` are the seats that the host or its computer played at the opening, or ordered for since then (a
    /// stand-in); `sealed` are those whose orders were logged directly after the opening and are the ones adjudicated; `blocks` are the adjudicated
    /// orders (a silent seat has none); `beacon` is the public value that entered the seed, empty if the game uses none.
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

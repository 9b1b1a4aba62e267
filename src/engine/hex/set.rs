//! A set of hexes as a bitmap. It is queried thousands of times a turn; one query costs two shifts.

use super::Hex;

/// A set of hexes. It can't hold columns above 127; [`Hex`] numbers end at 99.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HexSet {
    /// One number for each row, with one bit for each column.
    rows: Vec<u128>,
}

impl HexSet {
    /// Whether the hex is in the set.
    #[must_use]
    pub fn contains(&self, hex: Hex) -> bool {
        self.rows.get(usize::from(hex.row)).is_some_and(|row| row >> (hex.col & 127) & 1 == 1)
    }

    /// Adds a hex.
    pub fn insert(&mut self, hex: Hex) {
        let row = usize::from(hex.row);
        if row >= self.rows.len() {
            self.rows.resize(row + 1, 0);
        }
        self.rows[row] |= 1 << (hex.col & 127);
    }
}

impl Extend<Hex> for HexSet {
    fn extend<I: IntoIterator<Item = Hex>>(&mut self, hexes: I) {
        hexes.into_iter().for_each(|hex| self.insert(hex));
    }
}

impl FromIterator<Hex> for HexSet {
    fn from_iter<I: IntoIterator<Item = Hex>>(hexes: I) -> Self {
        let mut set = Self::default();
        set.extend(hexes);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_in_and_nothing_else() {
        let inside = [Hex::new(1, 1), Hex::new(30, 10), Hex::new(99, 99), Hex::new(64, 2)];
        let set: HexSet = inside.into_iter().collect();
        for row in 1..=99 {
            for col in 1..=99 {
                let hex = Hex::new(col, row);
                assert_eq!(set.contains(hex), inside.contains(&hex), "{hex}");
            }
        }
        assert!(!HexSet::default().contains(Hex::new(1, 1)));
    }
}

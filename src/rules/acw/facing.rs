//! Where a unit faces, and what is in front of it (ACW-14, ACW-58).

use musterd_engine::hex::{Direction, Hex};

/// From one hex to another in skewed coordinates.
fn vector(from: Hex, to: Hex) -> (i32, i32) {
    let skewed = |hex: Hex| {
        let (col, row) = (i32::from(hex.col), i32::from(hex.row));
        (col - (row - 1) / 2, row)
    };
    let ((q1, r1), (q2, r2)) = (skewed(from), skewed(to));
    (q2 - q1, r2 - r1)
}

/// A step in skewed coordinates.
const fn unit(way: Direction) -> (i32, i32) {
    match way {
        Direction::East => (1, 0),
        Direction::West => (-1, 0),
        Direction::NorthEast => (1, -1),
        Direction::NorthWest => (0, -1),
        Direction::SouthEast => (0, 1),
        Direction::SouthWest => (-1, 1),
    }
}

/// Twice the product of two vectors: positive where less than a right angle is between them.
const fn product((q1, r1): (i32, i32), (q2, r2): (i32, i32)) -> i32 {
    2 * (q1 * q2 + r1 * r2) + q1 * r2 + q2 * r1
}

/// The direction nearest to the way from one hex to another: the one kept so far if two are as near, else the first of them. `None` from a hex to itself.
pub(crate) fn toward(from: Hex, to: Hex, kept: Direction) -> Option<Direction> {
    let way = vector(from, to);
    let near = |direction: &Direction| (product(unit(*direction), way), *direction == kept);
    // Of equals the last counts, so the list is read from its end.
    (from != to).then(|| Direction::ALL.into_iter().rev().max_by_key(near)).flatten()
}

/// Whether what comes from another hex comes from the front of a unit that faces so: within a right angle.
pub(crate) fn is_frontal(at: Hex, facing: Direction, from: Hex) -> bool {
    product(unit(facing), vector(at, from)) >= 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_faces_each_of_its_neighbours() {
        for at in [Hex::new(5, 5), Hex::new(5, 6)] {
            for way in Direction::ALL {
                let to = at.step(way).unwrap();
                assert_eq!(toward(at, to, Direction::East), Some(way), "{at} {to}");
                assert_eq!(toward(at, to.step(way).unwrap(), Direction::East), Some(way));
            }
            assert_eq!(toward(at, at, Direction::East), None);
        }
        // Straight up over two rows lies between northeast and northwest.
        let (at, to) = (Hex::new(5, 5), Hex::new(5, 3));
        assert_eq!(toward(at, to, Direction::East), Some(Direction::NorthEast));
        assert_eq!(toward(at, to, Direction::NorthWest), Some(Direction::NorthWest));
    }

    #[test]
    fn three_sides_are_the_front() {
        let at = Hex::new(5, 5);
        let front = |facing| {
            let is = |way: &Direction| is_frontal(at, facing, at.step(*way).unwrap());
            Direction::ALL.into_iter().filter(is).collect::<Vec<_>>()
        };
        assert_eq!(front(Direction::East), [Direction::East, Direction::NorthEast, Direction::SouthEast]);
        assert_eq!(
            front(Direction::SouthWest),
            [Direction::West, Direction::SouthEast, Direction::SouthWest]
        );
        // At two hexes a right angle is frontal still.
        assert!(is_frontal(at, Direction::East, Hex::new(5, 3)));
        assert!(!is_frontal(at, Direction::East, Hex::new(4, 3)));
    }
}

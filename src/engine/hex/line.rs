//! The hexes between two.

use super::Hex;

impl Hex {
    /// The hexes on the line from the middle of this hex to that of another, without these two: for each step one hex, or two where the line runs
    /// along the side between them.
    pub fn line(self, to: Self) -> impl Iterator<Item = (Self, Option<Self>)> {
        let (a, b) = (self.cube(), to.cube());
        let steps = i64::from(self.distance(to));
        let at = move |step: i64, nudge: i64| {
            // The point is kept as a fraction over `steps`, with a nudge far smaller than any of its parts.
            const FINE: i64 = 1_000;
            let part = |i: usize| (a[i] * (steps - step) + b[i] * step) * FINE;
            let nudged = [part(0) + nudge, part(1) + 2 * nudge, part(2) - 3 * nudge];
            Self::nearest(nudged, steps * FINE)
        };
        (1..steps).filter_map(move |step| match (at(step, 1), at(step, -1)) {
            (Some(one), Some(other)) if one != other => Some((one.min(other), Some(one.max(other)))),
            (one, other) => one.or(other).map(|hex| (hex, None)),
        })
    }

    /// In cube coordinates, whose sum is 0.
    fn cube(self) -> [i64; 3] {
        let (q, r) = self.axial();
        [q.into(), r.into(), i64::from(-q - r)]
    }

    /// The hex whose middle is nearest to a point in cube coordinates, given in parts of a whole; `None` if its column or row is below 0.
    fn nearest(parts: [i64; 3], whole: i64) -> Option<Self> {
        let near = parts.map(|part| (part + whole / 2).div_euclid(whole));
        let off = [0, 1, 2].map(|i: usize| (near[i] * whole - parts[i]).abs());
        let mut cube = near;
        let worst = (0..3).max_by_key(|i| off[*i])?;
        cube[worst] = -(near[(worst + 1) % 3] + near[(worst + 2) % 3]);
        let (q, row) = (cube[0], cube[1]);
        let col = q + (row - 1).div_euclid(2);
        Some(Self::new(u8::try_from(col).ok()?, u8::try_from(row).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::Hex;

    fn hex(col: u8, row: u8) -> Hex {
        Hex::new(col, row)
    }

    #[test]
    fn a_line_along_a_row_passes_through_every_hex_of_it() {
        let line: Vec<_> = hex(3, 4).line(hex(7, 4)).collect();
        assert_eq!(line, [4, 5, 6].map(|col| (hex(col, 4), None)));
        assert_eq!(hex(3, 4).line(hex(4, 4)).count(), 0, "neighbours have nothing between them");
        assert_eq!(hex(3, 4).line(hex(3, 4)).count(), 0);
    }

    #[test]
    fn a_line_along_a_side_has_the_hexes_on_both_sides_of_it() {
        // Straight up over two rows the line runs between two hexes of the row in the middle.
        let line: Vec<_> = hex(5, 5).line(hex(5, 3)).collect();
        assert_eq!(line, [(hex(4, 4), Some(hex(5, 4)))]);
    }

    #[test]
    fn a_line_has_a_hex_for_each_step_the_same_both_ways() {
        for (to, from) in (1..20).flat_map(|col| (1..12).map(move |row| (hex(col, row), hex(9, 6)))) {
            let line: Vec<_> = from.line(to).collect();
            let mut back: Vec<_> = to.line(from).collect();
            back.reverse();
            assert_eq!(line, back, "{from} {to}");
            for (step, (one, other)) in (1..).zip(&line) {
                for on in std::iter::once(one).chain(other) {
                    assert_eq!(from.distance(*on), step, "{from} {to}: {on}");
                    assert_eq!(on.distance(to), from.distance(to) - step, "{from} {to}: {on}");
                }
            }
        }
    }
}

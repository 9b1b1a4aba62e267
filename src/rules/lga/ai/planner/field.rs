//! A set of hexes by their number on the map: supply is traced over thousands of positions a turn.

/// A hex by its number on the map.
pub(super) type Spot = usize;

/// A set of hexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spots(Vec<u64>);

impl Spots {
    /// The empty set on a map of so many hexes.
    pub(super) fn empty(hexes: usize) -> Self {
        Self(vec![0; hexes.div_ceil(64)])
    }

    /// The hexes given.
    pub(super) fn of(hexes: usize, spots: impl IntoIterator<Item = Spot>) -> Self {
        let mut field = Self::empty(hexes);
        spots.into_iter().for_each(|spot| field.add(spot));
        field
    }

    pub(super) fn has(&self, spot: Spot) -> bool {
        self.0[spot / 64] >> (spot % 64) & 1 == 1
    }

    pub(super) fn add(&mut self, spot: Spot) {
        self.0[spot / 64] |= 1 << (spot % 64);
    }

    /// The hexes in it, in order.
    pub(super) fn spots(&self) -> impl Iterator<Item = Spot> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(place, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| place * 64 + bit)
        })
    }

    /// Adds all of another set.
    pub(super) fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Removes all hexes of another set.
    pub(super) fn strip(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= !theirs);
    }
}

/// The hexes that a line of supply reaches: over `held` hexes from the `sources` among them. A line continues from a hex only if no enemy zone covers
/// it (manual 5.4, ruling LGA-34). A source in a zone still counts as one (ruling LGA-64).
pub(super) fn trace(near: &[Vec<Spot>], sources: &[Spot], held: &Spots, zones: &Spots) -> Spots {
    let mut reached = Spots(vec![0; held.0.len()]);
    let mut open: Vec<Spot> = Vec::with_capacity(64);
    for &source in sources {
        if held.has(source) && !reached.has(source) {
            reached.add(source);
            open.push(source);
        }
    }
    while let Some(here) = open.pop() {
        for &next in &near[here] {
            if held.has(next) && !reached.has(next) {
                reached.add(next);
                if !zones.has(next) {
                    open.push(next);
                }
            }
        }
    }
    reached
}

/// The shortest way from a hex to one that is `safe`, over `held` hexes and through none that are `barred`.
pub(super) fn way_to(
    near: &[Vec<Spot>],
    from: Spot,
    safe: &Spots,
    held: &Spots,
    barred: &Spots,
) -> Option<Vec<Spot>> {
    let mut open: Vec<(Spot, usize)> = vec![(from, 0)];
    let mut seen = Spots::of(near.len(), [from]);
    let mut next = 0;
    while let Some(&(here, _)) = open.get(next) {
        for &spot in &near[here] {
            if !held.has(spot) || seen.has(spot) || barred.has(spot) {
                continue;
            }
            seen.add(spot);
            open.push((spot, next));
            if safe.has(spot) {
                let mut way = Vec::new();
                let mut back = open.len() - 1;
                while back > 0 {
                    way.push(open[back].0);
                    back = open[back].1;
                }
                return Some(way);
            }
        }
        next += 1;
    }
    None
}

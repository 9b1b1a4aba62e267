//! Sets of hexes by their number on the map, and the lines of supply over them: the planner traces thousands a turn.

/// A hex by its number on the map.
pub(crate) type Spot = usize;

/// A set of hexes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spots(Vec<u64>);

impl Spots {
    /// The empty set on a map of so many hexes.
    pub(crate) fn empty(hexes: usize) -> Self {
        Self(vec![0; hexes.div_ceil(64)])
    }

    /// The hexes given.
    pub(crate) fn of(hexes: usize, spots: impl IntoIterator<Item = Spot>) -> Self {
        let mut field = Self::empty(hexes);
        spots.into_iter().for_each(|spot| field.add(spot));
        field
    }

    pub(crate) fn has(&self, spot: Spot) -> bool {
        self.0[spot / 64] >> (spot % 64) & 1 == 1
    }

    pub(crate) fn add(&mut self, spot: Spot) {
        self.0[spot / 64] |= 1 << (spot % 64);
    }

    /// Takes a hex out; whether it was in.
    fn take(&mut self, spot: Spot) -> bool {
        let (word, bit) = (&mut self.0[spot / 64], 1 << (spot % 64));
        let was_in = *word & bit != 0;
        *word &= !bit;
        was_in
    }

    /// The hexes in it, in order.
    pub(crate) fn spots(&self) -> impl Iterator<Item = Spot> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(place, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then_some(left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(place * 64 + bit)
            })
        })
    }

    /// Adds all of another set.
    pub(crate) fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Removes all hexes of another set.
    pub(crate) fn strip(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= !theirs);
    }
}

/// The hexes that a line of supply reaches: over `held` hexes from the `sources` among them. A line continues from a hex only if no enemy zone covers
/// it (manual 5.4, ruling LGA-34). `near` gives the hexes next to one. A source in a zone still counts as one (ruling LGA-64).
pub(crate) fn trace<I: Iterator<Item = Spot>>(
    near: impl Fn(Spot) -> I,
    sources: impl IntoIterator<Item = Spot>,
    held: &Spots,
    zones: &Spots,
) -> Spots {
    // What isn't reached yet.
    let mut rest = held.clone();
    let mut open: Vec<Spot> = Vec::with_capacity(64);
    open.extend(sources.into_iter().filter(|source| rest.take(*source)));
    while let Some(here) = open.pop() {
        open.extend(near(here).filter(|next| rest.take(*next) && !zones.has(*next)));
    }
    let mut reached = held.clone();
    reached.strip(&rest);
    reached
}

/// The shortest way from a hex to one that is `safe`, over `held` hexes and through none that are `barred`.
pub(crate) fn way_to(
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

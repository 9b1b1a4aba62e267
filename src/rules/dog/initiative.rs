//! The throw for the order of the armies.

/// Throws a die for each of so many armies, and ties again, until no two have thrown the same (manual 4.1, ruling DOG-22). Gives the throws of each, and
/// the armies by their places in their order, the highest first.
pub(crate) fn thrown(armies: usize, mut die: impl FnMut(usize) -> u32) -> (Vec<Vec<u32>>, Vec<usize>) {
    let mut throws: Vec<Vec<u32>> = vec![Vec::new(); armies];
    let mut tied: Vec<usize> = (0..armies).collect();
    while !tied.is_empty() {
        tied.iter().for_each(|place| throws[*place].push(die(*place)));
        let same = |a: &usize| (0..armies).any(|b| *a != b && throws[*a] == throws[b]);
        tied = (0..armies).filter(same).collect();
    }
    let mut order: Vec<usize> = (0..armies).collect();
    order.sort_by(|a, b| throws[*b].cmp(&throws[*a]));
    (throws, order)
}

//! The tree over an adjudication's rolls: one root for all, and short proofs that a roll is among them.

use super::hash::{Digest, hash};

/// The root over `leaves`, in the shape of RFC 6962: a list is split at the largest power of two below its length.
#[must_use]
pub fn root(leaves: &[Digest]) -> Digest {
    match leaves {
        [] => hash("roll-none", &[]),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(split(leaves.len()));
            node(&root(left), &root(right))
        }
    }
}

/// The proof that leaf number `index` (from 0) is under the root: the roots of the sibling subtrees on its way up, the lowest first. `None` if there
/// is no such leaf.
#[must_use]
pub fn path(leaves: &[Digest], index: usize) -> Option<Vec<Digest>> {
    if leaves.len() <= 1 {
        return (index < leaves.len()).then(Vec::new);
    }
    let at = split(leaves.len());
    let (left, right) = leaves.split_at(at);
    let (mut path, beside) =
        if index < at { (path(left, index)?, root(right)) } else { (path(right, index - at)?, root(left)) };
    path.push(beside);
    Some(path)
}

/// Whether `path` proves that `leaf` is number `index` of `count` leaves under `root`.
#[must_use]
pub fn verify(leaf: &Digest, index: usize, count: usize, path: &[Digest], root: &Digest) -> bool {
    climb(leaf, index, count, path).is_some_and(|top| top == *root)
}

fn climb(leaf: &Digest, index: usize, count: usize, path: &[Digest]) -> Option<Digest> {
    if count <= 1 {
        return (index < count && path.is_empty()).then_some(*leaf);
    }
    let (beside, below) = path.split_last()?;
    let at = split(count);
    Some(if index < at {
        node(&climb(leaf, index, at, below)?, beside)
    } else {
        node(beside, &climb(leaf, index - at, count - at, below)?)
    })
}

/// The largest power of two below `count`, which is 2 or more.
pub(super) const fn split(count: usize) -> usize {
    count.next_power_of_two() / 2
}

/// The node over two subtrees.
pub(super) fn node(left: &Digest, right: &Digest) -> Digest {
    hash("roll-node", &[left.as_bytes(), right.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOTS: [&str; 10] = [
        "c6878f3f4b1573dc7345587ecefb9b344b7ddde5a9d4aa9bb92def6769bb9742",
        "2b9ee1711206a1cd3aae581660ba0d8b82e3afaafacb4366b40554c42afcfe6a",
        "a324d13664bbe663c37f591038d0b22f8e301c9b29930d3b15f0c041afc25e95",
        "e3914c45db9e5ce8531af8ebdc1b878c44f6305376494c630efce8fdc2bba0f5",
        "fe9e5d44dcabd093ccbd7d77e7e7ce8a0cb1f2e46b8d9fe5a0bbd5991bb63592",
        "2cbda557727032987e9fb93bdbda73e0b7c4aa655a0cce4a20506a06d9d10bb2",
        "4e178b6133b2e07a7d05e24015e0049fa7e5b172b428366c662b723d70f51007",
        "e6665990b1c2fc10ab52a82f7e7ef2000585780b6ea7a07220bef6bee5fc5df0",
        "55fa1cec87767393dc377fc3aee1c814709de7348e785c45b23a898b5b55d42b",
        "22057402c83070d03c6ad9116878a1729400375fe2e1f2d2b59da10cd2d7cc84",
    ];

    fn leaves(count: usize) -> Vec<Digest> {
        (0..count).map(|i| hash("x", &[i.to_string().as_bytes()])).collect()
    }

    #[test]
    fn roots_agree_with_an_independent_program() {
        for (count, expected) in ROOTS.iter().enumerate() {
            assert_eq!(root(&leaves(count)).to_string(), *expected, "{count} leaves");
        }
    }

    #[test]
    fn every_leaf_has_a_path_that_proves_it_and_nothing_else() {
        for count in 1..=9 {
            let leaves = leaves(count);
            let root = root(&leaves);
            for index in 0..count {
                let path = path(&leaves, index).unwrap();
                for (other, leaf) in leaves.iter().enumerate() {
                    let proved = verify(leaf, index, count, &path, &root);
                    assert_eq!(proved, other == index, "{other} as {index} of {count}");
                }
                for place in (0..=count).filter(|&place| place != index) {
                    assert!(
                        !verify(&leaves[index], place, count, &path, &root),
                        "{index} at {place} of {count}"
                    );
                }
                for n in 0..path.len() {
                    let mut cut = path.clone();
                    cut.remove(n);
                    assert!(!verify(&leaves[index], index, count, &cut, &root));
                    let mut bent = path.clone();
                    bent[n] = leaves[index];
                    assert!(!verify(&leaves[index], index, count, &bent, &root));
                }
                let longer = [path, vec![root]].concat();
                assert!(!verify(&leaves[index], index, count, &longer, &root));
            }
            assert_eq!(path(&leaves, count), None);
        }
        assert_eq!(path(&[], 0), None);
    }
}

//! Counts dice as they come: the numbers that the battery needs, a few hundred for each die size, however many dice there are.

use std::collections::{BTreeMap, BTreeSet};

use crate::audit::{Examination, Turn};
use crate::label::Roll;

/// The largest distance at which two dice of a size are compared.
pub(super) const LAGS: usize = 3;

/// The dice of a game, counted by size. Their order matters: by adjudication, in each by the bytes of their labels, as they are committed; under one
/// label in the order thrown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally(BTreeMap<u32, Faces>);

impl Tally {
    /// Counts the dice of one label.
    pub fn add(&mut self, roll: &Roll) {
        self.throw(roll.sides, roll.faces.iter().copied());
    }

    /// Counts dice of `sides` sides in the order thrown. A face that such a die doesn't have is skipped; the audit reports it.
    pub fn throw(&mut self, sides: u32, faces: impl IntoIterator<Item = u32>) {
        if sides < 2 {
            return;
        }
        let size = self.0.entry(sides).or_insert_with(|| Faces::new(sides));
        faces.into_iter().filter(|face| (1..=sides).contains(face)).for_each(|face| size.count(face));
    }

    /// Counts the revealed dice of an audit file. Its examination says which adjudications were rolled back.
    #[must_use]
    pub fn of_file<'a>(turns: impl IntoIterator<Item = &'a Turn>, examination: &Examination) -> Self {
        let void = examination.turns.iter().filter(|examined| examined.void).map(|examined| examined.t);
        let void: BTreeSet<u32> = void.collect();
        let mut sorted: Vec<&Turn> = turns.into_iter().filter(|turn| !void.contains(&turn.t)).collect();
        sorted.sort_by_key(|turn| turn.t);
        let mut tally = Self::default();
        sorted.into_iter().for_each(|turn| tally.add_turn(turn));
        tally
    }

    /// Counts an adjudication as it ran last.
    fn add_turn(&mut self, turn: &Turn) {
        let rolls = turn.reruns.last().map_or(&turn.rolls, |again| &again.rolls);
        let mut sorted: Vec<_> = rolls.iter().collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        for thrown in sorted {
            if let Ok(sides) = u32::try_from(thrown.2) {
                self.throw(sides, thrown.3.iter().filter_map(|face| u32::try_from(*face).ok()));
            }
        }
    }

    /// The number of dice.
    #[must_use]
    pub fn dice(&self) -> u64 {
        self.0.values().map(|faces| faces.dice).sum()
    }

    pub(super) fn sizes(&self) -> impl Iterator<Item = &Faces> {
        self.0.values()
    }
}

/// All dice of one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Faces {
    pub(super) sides: u32,
    pub(super) dice: u64,
    /// The number of dice in each fine class.
    fine: Vec<u64>,
    /// The number of coarse classes.
    pub(super) coarse: u32,
    /// The number of each pair of coarse classes of two successive dice; each die is in one pair.
    pub(super) pairs: Vec<u64>,
    first: Option<u32>,
    /// The number of dice in the upper or lower half of the faces; a middle face is in neither.
    pub(super) halves: u64,
    /// How often such a die lies in the other half than the one before.
    pub(super) changes: u64,
    half: Option<bool>,
    run: u64,
    pub(super) longest: u64,
    /// For each lag, the sum of the products of two dice at this distance; each die is doubled, and its mean subtracted.
    pub(super) products: [i128; LAGS],
    last: [i64; LAGS],
}

impl Faces {
    fn new(sides: u32) -> Self {
        let fine = largest_divisor(sides, 100);
        let coarse = largest_divisor(fine, 10);
        Self {
            sides,
            dice: 0,
            fine: vec![0; fine as usize],
            coarse,
            pairs: vec![0; (coarse * coarse) as usize],
            first: None,
            halves: 0,
            changes: 0,
            half: None,
            run: 0,
            longest: 0,
            products: [0; LAGS],
            last: [0; LAGS],
        }
    }

    fn count(&mut self, face: u32) {
        let at = u64::from(face - 1);
        let fine = at * self.fine.len() as u64 / u64::from(self.sides);
        self.fine[fine as usize] += 1;
        let class = (at * u64::from(self.coarse) / u64::from(self.sides)) as u32;
        match self.first.take() {
            None => self.first = Some(class),
            Some(first) => self.pairs[(first * self.coarse + class) as usize] += 1,
        }
        // Twice the difference between the face and its mean: above 0 in the upper half.
        let centred = 2 * i64::from(face) - i64::from(self.sides) - 1;
        if centred != 0 {
            self.count_half(centred > 0);
        }
        for (lag, product) in self.products.iter_mut().enumerate() {
            if self.dice > lag as u64 {
                *product += i128::from(centred) * i128::from(self.last[lag]);
            }
        }
        self.last.rotate_right(1);
        self.last[0] = centred;
        self.dice += 1;
    }

    fn count_half(&mut self, half: bool) {
        self.halves += 1;
        if self.half == Some(half) {
            self.run += 1;
        } else {
            self.changes += u64::from(self.half.is_some());
            self.run = 1;
            self.half = Some(half);
        }
        self.longest = self.longest.max(self.run);
    }

    /// The number of dice in each of `classes` classes, a divisor of the number of fine ones.
    pub(super) fn by_class(&self, classes: u32) -> Vec<u64> {
        let together = self.fine.len() / (classes.max(1) as usize);
        self.fine.chunks(together.max(1)).map(|chunk| chunk.iter().sum()).collect()
    }

    /// The number of classes in which faces are counted: as many as have at least five dice expected in each, otherwise the coarse ones.
    pub(super) fn classes(&self) -> u32 {
        let fine = self.fine.len() as u32;
        if self.dice >= 5 * u64::from(fine) { fine } else { self.coarse }
    }

    /// The classes that are shown: each face of a die of at most 20 sides, otherwise the coarse classes.
    pub(super) fn shown(&self) -> u32 {
        if self.sides <= 20 { self.sides } else { self.coarse }
    }
}

/// The largest divisor of `n` that is at most `most`.
fn largest_divisor(n: u32, most: u32) -> u32 {
    (1..=most.min(n)).rev().find(|divisor| n.is_multiple_of(*divisor)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{Again, Examined, Thrown};

    fn faces(sides: u32, all: &[u32]) -> Faces {
        let mut tally = Tally::default();
        tally.throw(sides, all.iter().copied());
        tally.0.remove(&sides).unwrap()
    }

    #[test]
    fn faces_pairs_halves_and_products_are_counted() {
        let six = faces(6, &[1, 6, 6, 3, 3, 2, 4]);
        assert_eq!(six.by_class(6), [1, 1, 2, 1, 0, 2]);
        // 1-6, 6-3, 3-2; the last die waits for its partner.
        let pairs: Vec<usize> = (0..36).filter(|at| six.pairs[*at] > 0).collect();
        assert_eq!(pairs, [5, 2 * 6 + 1, 5 * 6 + 2]);
        // Low, high, high, low, low, low, high.
        assert_eq!((six.halves, six.changes, six.longest), (7, 3, 3));
        // Centred and doubled: -5 5 5 -1 -1 -3 1.
        assert_eq!(six.products, [-25 + 25 - 5 + 1 + 3 - 3, -25 - 5 - 5 + 3 - 1, 5 - 5 - 15 - 1]);
    }

    #[test]
    fn a_middle_face_is_in_neither_half() {
        let three = faces(3, &[1, 2, 3, 2, 2, 3, 1]);
        assert_eq!((three.halves, three.changes, three.longest), (4, 2, 2));
    }

    #[test]
    fn large_dice_are_counted_in_equal_classes() {
        let hundred = faces(100, &[1, 10, 11, 100]);
        assert_eq!((hundred.classes(), hundred.shown()), (10, 10));
        assert_eq!(hundred.by_class(10), [2, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
        let huge = faces(4_000_000_000, &[1, 40_000_000, 40_000_001, 4_000_000_000]);
        assert_eq!((huge.by_class(100)[..2].to_vec(), huge.by_class(100)[99]), (vec![2, 1], 1));
        assert_eq!(huge.by_class(10), [3, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        // 150 = 2 * 3 * 5 * 5: 75 classes are the most below 100, and 5 the most of these that come to at most 10.
        let odd = faces(150, &[150]);
        assert_eq!((odd.by_class(75)[74], odd.by_class(5)[4]), (1, 1));
        assert_eq!(faces(12, &vec![1; 60]).classes(), 12);
        assert_eq!(faces(12, &vec![1; 59]).classes(), 6);
        assert_eq!(faces(13, &[13]).classes(), 1);
    }

    #[test]
    fn what_no_die_shows_is_passed_over() {
        assert_eq!(faces(6, &[0, 7, 6]).dice, 1);
        let mut tally = Tally::default();
        tally.throw(1, [1, 1]);
        tally.throw(0, [1]);
        assert_eq!(tally, Tally::default());
    }

    #[test]
    fn of_an_audit_file_the_last_run_counts_in_the_order_of_labels_and_what_is_void_does_not() {
        let thrown = |label: &str, faces: &[u64]| Thrown(label.to_owned(), 1, 6, faces.to_vec());
        let turn = |t: u32, rolls: Vec<Thrown>| Turn { t, rolls, ..Turn::default() };
        let mut turns = vec![
            turn(3, vec![thrown("3/a/x/y/0", &[2])]),
            turn(2, vec![thrown("2/b/x/y/0", &[1]), thrown("2/a/x/y/0", &[6, 5])]),
            turn(1, vec![thrown("1/a/x/y/0", &[3])]),
        ];
        let examined = |t: u32, void: bool| Examined {
            t,
            name: String::new(),
            closed: true,
            void,
            level: None,
            salted: BTreeSet::new(),
            beacon: None,
            rolls: 0,
            dice: 0,
            told: 0,
        };
        let examination = Examination {
            game: None,
            host_key: None,
            entries: 0,
            witnesses: 0,
            findings: Vec::new(),
            turns: vec![examined(1, true), examined(2, false), examined(3, false)],
        };
        assert_eq!(Tally::of_file(&turns, &examination).0[&6], faces(6, &[6, 5, 1, 2]));
        turns[1].reruns.push(Again { rolls: vec![thrown("2/a/x/y/0", &[4])], result: String::new() });
        assert_eq!(Tally::of_file(&turns, &examination).0[&6], faces(6, &[4, 2]));
    }
}

//! One roll thrown again, with the consent of all (dice.md, "Re-rolls").

use super::label::{Label, Roll, Roller};
use super::streams::{DiceFault, Seed, Streams};

/// Throws the dice of an adjudication once more: all dice as they fell, except those of one label, which come from another seed.
pub struct Rerolled<'a> {
    label: &'a Label,
    before: Streams,
    anew: Streams,
}

impl<'a> Rerolled<'a> {
    /// The dice of the adjudication with the seed `before`, except those of `label`, which come from the seed `anew`.
    #[must_use]
    pub fn new(label: &'a Label, before: Seed, anew: Seed) -> Self {
        Self { label, before: Streams::new(before), anew: Streams::new(anew) }
    }

    /// The roll thrown again; `None` if the rules didn't throw it this time.
    ///
    /// # Errors
    /// A fault in the ruleset's use of labels.
    pub fn into_rolls(self) -> Result<Vec<Roll>, DiceFault> {
        self.before.into_rolls()?;
        self.anew.into_rolls()
    }
}

impl Roller for Rerolled<'_> {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        let from = if label == self.label { &mut self.anew } else { &mut self.before };
        from.roll(label, count, sides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_game::{T, game, root, secret};
    use crate::{Secret, seed};

    #[test]
    fn one_label_falls_anew_and_every_other_as_it_fell() {
        let seeds = || {
            let other = Secret::new([9; 32]);
            (seed(&secret(), &game(), T, &root(), b""), seed(&other, &game(), T + 1, &root(), b""))
        };
        let labels =
            ["2/combat/attack/1204/0", "2/combat/attack/1305/0"].map(|l| l.parse::<Label>().unwrap());
        let (before, anew) = seeds();
        let (mut as_before, mut as_anew) = (Streams::new(before), Streams::new(anew));
        let (before, anew) = seeds();
        let mut again = Rerolled::new(&labels[1], before, anew);
        assert_eq!(again.roll(&labels[0], 20, 6), as_before.roll(&labels[0], 20, 6));
        let faces = again.roll(&labels[1], 20, 6);
        assert_eq!(faces, as_anew.roll(&labels[1], 20, 6));
        assert_ne!(faces, as_before.roll(&labels[1], 20, 6));
        assert_eq!(again.into_rolls(), Ok(vec![Roll { label: labels[1].clone(), sides: 6, faces }]));
    }
}

//! The loaded rules of running games. Each set of files is read only once: a host has hundreds of games of a few scenarios, and reading one takes
//! milliseconds and a megabyte.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::kind::no_gm_among;
use musterd_dice::{Digest, Seat};
use musterd_engine::Ruleset;
use musterd_engine::files::{DataErrors, RuleFiles};

/// The loaded rules of one ruleset, by the files and the seats that they were read from. Rules that no game uses any more are dropped.
pub(super) struct InPlay<R>(Mutex<BTreeMap<Origin, Weak<R>>>);

/// The digest of the files with the version of the rules, and the seats.
type Origin = (Digest, Vec<Seat>);

impl<R: Ruleset> InPlay<R> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// This version of the rules, from these files, for these seats.
    ///
    /// # Errors
    /// The files are wrong, or the seats don't fit them.
    pub(super) fn rules(
        &self,
        version: u32,
        files: &RuleFiles,
        seats: &[Seat],
    ) -> Result<Arc<R>, DataErrors> {
        let key = (files.digest(R::ID, version), seats.to_vec());
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(&key).and_then(Weak::upgrade) {
            return Ok(rules);
        }
        let rules = Arc::new(R::of_version(version, files, seats)?);
        no_gm_among(rules.seats())?;
        known.retain(|_, rules| rules.strong_count() > 0);
        known.insert(key, Arc::downgrade(&rules));
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Desk;
    use musterd_lga::Lga;

    #[test]
    fn games_share_rules_only_of_the_same_files_and_seats() {
        let desk = Desk::default().with::<Lga>(&musterd_lga::SHIPPED);
        let files = |scenario: &str| desk.founding(scenario).unwrap().files;
        let austria = files("lga/austrian-1805");
        let in_play = InPlay::<Lga>::new();
        let first = in_play.rules(1, &austria, &[]).unwrap();
        assert!(Arc::ptr_eq(&first, &in_play.rules(1, &austria, &[]).unwrap()));

        let russia = in_play.rules(1, &files("lga/russian-1812"), &[]).unwrap();
        assert_ne!(first.scenario.id, russia.scenario.id);

        let seats = ["allied.russia-britain", "french", "allied.austria"].map(|seat| seat.parse().unwrap());
        assert_eq!(in_play.rules(1, &austria, &seats).unwrap().seats().len(), 3);

        let mut changed = austria;
        let text = changed.0["ruleset.yaml"].replace("unspent_for_one_point", "unspent_for_two");
        changed.0.insert("ruleset.yaml".to_owned(), text);
        assert!(in_play.rules(1, &changed, &[]).is_err(), "a file is read, whatever was read before");
    }
}

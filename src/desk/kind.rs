//! One ruleset with its files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::game::Game;
use musterd_dice::Seat;
use musterd_engine::calls::Calls;
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::founding::{GameOption, NO_SEAT_GM, OPTIONS_FILE};
use musterd_engine::{Examination, Levels, PublishedFormat, SeatSpec};

/// Sets a game up by a version of the rules, from its files, for these seats.
pub(super) type Open =
    Arc<dyn Fn(u32, &RuleFiles, &[Seat]) -> Result<Box<dyn Game>, DataErrors> + Send + Sync>;

/// Examines a data file.
pub(super) type Examine = fn(&RuleFiles, &str) -> Examination;

/// The faults of files for which no new game is founded on them.
pub(super) type UnfitForNew = fn(&RuleFiles) -> Vec<DataError>;

/// Other files of a ruleset that can be named.
pub(super) type Stores = fn(&RuleFiles) -> Vec<(String, String)>;

/// One ruleset.
#[derive(Clone)]
pub(super) struct Rulebook {
    pub(super) id: &'static str,
    pub(super) rules_version: u32,
    pub(super) options: &'static [GameOption],
    pub(super) schemas: &'static [PublishedFormat],
    pub(super) folders: &'static [(&'static str, &'static str)],
    pub(super) odds: Calls,
    pub(super) calls: Calls,
    pub(super) levels: fn() -> Levels,
    pub(super) open: Open,
    pub(super) examine: Examine,
    pub(super) unfit_for_new: UnfitForNew,
    pub(super) stores: Stores,
    pub(super) shelf: BTreeMap<String, String>,
    /// The paths of the host's own files among them.
    pub(super) own: BTreeSet<String>,
}

pub use musterd_engine::founding::GM;

pub(super) fn no_gm_among(seats: &[SeatSpec]) -> Result<(), DataErrors> {
    match seats.iter().any(|spec| spec.seat.as_str() == GM) {
        true => Err(DataErrors::one("scenario.yaml", 0, NO_SEAT_GM)),
        false => Ok(()),
    }
}

/// The path of a scenario's file under `games/<ruleset>/`.
pub(super) fn path_of(scenario: &str) -> String {
    format!("scenarios/{scenario}.yaml")
}

impl Rulebook {
    /// Sets a new game up, by the newest version of the rules.
    ///
    /// # Errors
    /// The files are wrong, or the seats don't fit them.
    pub(super) fn open_newest(&self, files: &RuleFiles, seats: &[Seat]) -> Result<Box<dyn Game>, DataErrors> {
        let (opened, unfit) = ((self.open)(self.rules_version, files, seats), (self.unfit_for_new)(files));
        if unfit.is_empty() {
            return opened;
        }
        let mut errors = opened.err().map_or_else(Vec::new, |errors| errors.0);
        errors.extend(unfit);
        errors.sort_by(|a, b| (&a.file, a.at).cmp(&(&b.file, b.at)));
        Err(DataErrors(errors))
    }

    pub(super) fn scenarios(&self) -> impl Iterator<Item = &str> {
        self.shelf.keys().filter_map(|path| path.strip_prefix("scenarios/")?.strip_suffix(".yaml"))
    }

    pub(super) fn files(&self, scenario: &str) -> RuleFiles {
        // Options are chosen for one game, not for a host.
        let is_shared = |path: &str| !path.starts_with("scenarios/") && path != OPTIONS_FILE;
        let shared = self.shelf.iter().filter(|(path, _)| is_shared(path));
        let own = self.shelf.get(&path_of(scenario));
        let own = own.map(|text| ("scenario.yaml".to_owned(), text.clone()));
        RuleFiles(shared.map(|(path, text)| (path.clone(), text.clone())).chain(own).collect())
    }
}

/// The GM's name in addresses and key lines, as a seat.
pub fn gm_seat() -> Seat {
    #[expect(clippy::expect_used, reason = "a constant in the alphabet of seats")]
    GM.parse().expect("a seat's name")
}

/// Whether a mail that names this seat is for the GM.
pub fn is_gm(seat: &Seat) -> bool {
    seat.as_str() == GM
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_seat_can_be_called_gm() {
        let spec = |name: &str| SeatSpec {
            seat: name.parse().unwrap(),
            title: "the one".to_owned(),
            side: "Red".to_owned(),
        };
        assert!(no_gm_among(&[spec("red"), spec("gm.red")]).is_ok());
        let errors = no_gm_among(&[spec("red"), spec("gm")]).unwrap_err();
        assert!(errors.to_string().contains("can't be called `gm`"), "{errors}");
    }
}

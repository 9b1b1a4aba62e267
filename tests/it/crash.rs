//! A whole host under power cuts. Its life is recorded call by call, each command by the program itself; then at many points of it the disk
//! is put down as a power cut may leave it, the daemon is started, and nothing that was told may be lost or doubled.
//!
//! The seed is fixed here; `cargo bench --bench crash` takes fresh ones. The controls prove that the syncs are what holds: where the disk
//! forgets those of one part of the data directory, the same judge must find fault.

use std::sync::LazyLock;

use super::crash_game::Recording;
use super::crash_judge::{CONTROLS, Way, cuts, try_all};
use super::skips::has;
use crate::common::soak;

const SEED: u32 = 17;
/// How many power cuts a host has to live through here.
const CUTS: usize = 120;
/// How many a control has to be found out.
const CUTS_OF_A_CONTROL: usize = 24;

/// One recording for all tests of this module; none where there is nothing to record with.
fn recorded() -> Option<&'static (Recording, tempfile::TempDir)> {
    has("strace", "strace").then(|| &*RECORDED)
}

static RECORDED: LazyLock<(Recording, tempfile::TempDir)> = LazyLock::new(|| {
    let base = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let recording = Recording::make(base.path());
    (recording, base)
});

#[test]
fn the_recorded_life_has_what_can_go_wrong() {
    let Some((recording, _)) = recorded() else { return };
    let end = &recording.steps.last().unwrap().outcome;
    let count =
        |game: &str, what: &str| end.journals[game].iter().filter(|entry| entry.contains(what)).count();
    for game in ["alpha", "beta"] {
        assert!(count(game, "\"adjudicated\"") >= 2, "{game}: turns");
        assert!(count(game, "\"received\"") >= 1 && count(game, "\"pressed\"") >= 1, "{game}: mails");
    }
    assert!(count("alpha", "\"accepted\"") > 64, "more mails than one batch of the daemon's");
    assert!(end.mails.keys().any(|name| name.starts_with("nobody@")), "a stranger is answered");
    // In them a lost database is no fault.
    let between = recording.changes_between_snapshots();
    assert!(between * 5 < recording.history.changes.len(), "{between} changes while the database is opened");
    assert!(end.mails.len() > 80 && recording.told.len() > end.mails.len());
}

#[test]
fn nothing_told_is_lost_or_doubled_by_a_power_cut_at_any_moment() {
    let Some((recording, _)) = recorded() else { return };
    let faults = try_all(recording, &cuts(recording, CUTS, soak::seed(SEED).into()), &Way::default());
    let told: String = faults.iter().map(|fault| format!("{fault}\n")).collect();
    assert!(faults.is_empty(), "{} of {CUTS} power cuts did harm:\n{told}", faults.len());
}

#[test]
fn a_disk_that_forgets_the_syncs_of_any_one_part_is_found_out() {
    let Some((recording, _)) = recorded() else { return };
    for (part, ignored) in CONTROLS {
        let way = Way { ignored, first_only: true, kept: None };
        let faults = try_all(recording, &cuts(recording, CUTS_OF_A_CONTROL, SEED.into()), &way);
        assert!(!faults.is_empty(), "{part}: nobody noticed that it is never synced");
    }
}

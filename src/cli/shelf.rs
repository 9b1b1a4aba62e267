//! The host's own rules, maps and scenarios: the files in `games/` of the data directory, which replace or extend the built-in ones.

use std::fs;
use std::path::Path;

use crate::rulesets;
use musterd_daemon::HostError;
use musterd_desk::Desk;
use musterd_disk::regular;
use musterd_engine::files::{DataError, RuleFiles};
use musterd_engine::yaml::LineColumn;

/// The largest data file that is read, in bytes. The reader of a file reports faults of slightly smaller ones.
const LARGEST: u64 = 4 << 20;
/// The folder of scenarios.
pub(super) const SCENARIOS: &str = "scenarios";
/// The folders of files that scenarios name.
pub(super) fn named() -> impl Iterator<Item = &'static str> {
    rulesets::known().folders().map(|(name, _)| name)
}

/// A data file as it is, with U+FFFD in place of bytes that are not UTF-8. Its reader reports the fault, and other files can still be used.
pub(super) fn read_data(path: &Path) -> Result<String, HostError> {
    let bytes = regular::read(path, LARGEST);
    let bytes = bytes.map_err(|error| HostError::Io { path: path.to_owned(), error })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The host's own files: ruleset, and path under the ruleset's folder.
pub(super) fn own_files(dir: &Path) -> Vec<(String, String)> {
    let mut own = Vec::new();
    for ruleset in names_in(&dir.join("games")) {
        for folder in folders() {
            let names = names_in(&dir.join("games").join(&ruleset).join(folder));
            let files = names.into_iter().filter(|name| name.ends_with(".yaml"));
            own.extend(files.map(|name| (ruleset.clone(), in_folder(folder, &name))));
        }
    }
    own.sort();
    own
}

/// Data files of the host's own that nothing reads, by path in the data directory: they are in no ruleset's folder, or have another extension.
pub(super) fn unread_files(dir: &Path) -> Vec<String> {
    let is_data = |name: &String| name.ends_with(".yaml") || name.ends_with(".yml");
    let games = dir.join("games");
    let mut unread: Vec<String> = names_in(&games).into_iter().filter(is_data).collect();
    unread.retain(|name| games.join(name).is_file());
    for ruleset in names_in(&games) {
        for folder in folders() {
            let names = names_in(&games.join(&ruleset).join(folder)).into_iter().filter(is_data);
            let strays =
                names.filter(|name| name.ends_with(".yml") || (folder.is_empty() && name != "ruleset.yaml"));
            unread.extend(strays.map(|name| format!("{ruleset}/{}", in_folder(folder, &name))));
        }
    }
    unread.into_iter().map(|path| format!("games/{path}")).collect()
}

/// The folders of a ruleset's files.
fn folders() -> impl Iterator<Item = &'static str> {
    ["", SCENARIOS].into_iter().chain(named())
}

fn in_folder(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

/// The rulesets, with the host's own files in place of or beside the built-in ones; and the faults of files that can't be read or belong to no
/// ruleset. A running game has its rules in its journal, so faults here never stop it. A new game is affected only if it depends on a faulty file.
pub(super) fn desk(dir: &Path) -> (Desk, Vec<DataError>) {
    let mut desk = rulesets::desk();
    let mut faults = Vec::new();
    for (ruleset, name) in own_files(dir) {
        let path = dir.join("games").join(&ruleset).join(&name);
        let (text, unread) = match regular::read(&path, LARGEST) {
            Ok(bytes) => (String::from_utf8_lossy(&bytes).into_owned(), None),
            Err(error) => (RuleFiles::unread(&error.to_string()), Some(error.to_string())),
        };
        let reason =
            desk.shelve(&ruleset, &name, text).map_or_else(|error| Some(error.to_string()), |()| unread);
        let file = path.display().to_string();
        faults.extend(reason.map(|reason| DataError { file, at: LineColumn::default(), reason }));
    }
    (desk, faults)
}

//! Which paths are the host's own: what an operator has written somewhere must not land on them.

use std::path::{Component, Path, PathBuf};

/// What a data directory holds of the host's own, by the first part of the path.
const PARTS: [&str; 11] = [
    "musterd.yaml",
    "secrets",
    "mirror",
    "spool",
    "templates",
    "games",
    "format",
    "format.new",
    "mail",
    "control.sock",
    "store",
];
/// Beginnings of names that belong to such parts: `store.lock`, `store.damaged-1`, `imap-0.cursor`.
const KINDS: [&str; 2] = ["store.", "imap-"];

/// The part of the data directory `dir` that a path, from there, lies in or is, where it is the host's own.
#[must_use]
pub fn own_part(dir: &Path, path: &Path) -> Option<String> {
    let (dir, path) = (real(dir), real(&dir.join(path)));
    let first = path.strip_prefix(dir).ok()?.components().next();
    let Some(Component::Normal(first)) = first else { return Some(".".to_owned()) };
    let first = first.to_str()?;
    let is_own = PARTS.contains(&first) || KINDS.iter().any(|kind| first.starts_with(kind));
    is_own.then(|| first.to_owned())
}

/// A path without links and detours, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = path.ancestors().find_map(|there| {
        let rest = path.strip_prefix(there).ok()?;
        Some(there.canonicalize().ok()?.join(rest))
    });
    found.unwrap_or(path)
}

/// Whether two paths, from the data directory `dir`, are one place.
pub(super) fn same_place(dir: &Path, one: &Path, other: &Path) -> bool {
    real(&dir.join(one)) == real(&dir.join(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_own_is_known_by_every_way_to_it() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("host");
        std::fs::create_dir_all(dir.join("spool/new")).unwrap();
        std::os::unix::fs::symlink(dir.join("spool"), place.path().join("link")).unwrap();
        for (path, part) in [
            ("musterd.yaml", Some("musterd.yaml")),
            ("./spool/new/x.prom", Some("spool")),
            ("../host/store/x", Some("store")),
            ("../link/x", Some("spool")),
            ("store.lock", Some("store.lock")),
            (".", Some(".")),
            ("figures/x.prom", None),
            ("../x.prom", None),
            ("/run/x.prom", None),
        ] {
            assert_eq!(own_part(&dir, Path::new(path)).as_deref(), part, "{path}");
        }
        assert!(same_place(&dir, Path::new("new/a"), Path::new("./new/a/")));
        assert!(same_place(&dir, Path::new("spool"), Path::new("../link/")));
        assert!(!same_place(&dir, Path::new("spool"), Path::new("mail")));
    }
}

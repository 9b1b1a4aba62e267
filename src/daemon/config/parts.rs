//! Which files and directories are the host's own: what somebody has written somewhere must not land on them. They are known by device and
//! inode, so by every way that leads there: links, `..`, hard links, mounts, a file system without capitals.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use musterd_disk::fresh::{Identity, folders_above};

/// The configuration in a data directory.
pub(crate) const FILE: &str = "musterd.yaml";

/// What a data directory holds of the host's own, and how many levels of directories that has.
const PARTS: [(&str, usize); 11] = [
    (FILE, 0),
    ("secrets", 0),
    ("mirror", 0),
    ("spool", 1),
    ("templates", 1),
    ("games", 2),
    ("format", 0),
    ("format.new", 0),
    ("mail", 2),
    ("control.sock", 0),
    ("store", 1),
];
/// Beginnings of names that belong to such parts: `store.lock`, `store.damaged-1`, `imap-0.cursor`.
const KINDS: [&str; 2] = ["store.", "imap-"];
/// The parts whose files, too, are known wherever else they have a name: those without which a game is lost.
const KEPT: [&str; 3] = ["secrets", "mirror", "store"];

/// The part of the data directory `dir` that a path, from there, lies in or is, where it is the host's own.
pub fn own_part(dir: &Path, path: &Path) -> Option<String> {
    let path = std::path::absolute(dir.join(path)).unwrap_or_else(|_| dir.join(path));
    let there = path.ancestors().find(|there| there.is_dir())?;
    let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
    let folders = folders_above(there).ok()?;
    let first = rest.components().next().map(Component::as_os_str);
    let own = Own::of(dir, &[]);
    let leads_to = Identity::at(&path);
    own.part_at(&folders, first).or_else(|| leads_to.and_then(|file| own.files.get(&file).cloned()))
}

/// What is the host's own, by what it is called in messages.
pub(crate) struct Own {
    dir: Option<Identity>,
    folders: BTreeMap<Identity, String>,
    pub(crate) files: BTreeMap<Identity, String>,
}

impl Own {
    /// As far as it is there and can be looked at; with what else is `named`, and how many levels of directories that has.
    pub(crate) fn of(dir: &Path, named: &[(&Path, usize)]) -> Self {
        let mut own = Self { dir: Identity::at(dir), folders: BTreeMap::new(), files: BTreeMap::new() };
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        let others = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let of_kind = others.filter(|name| is_of_kind(name)).map(|name| (name, 1));
        for (part, levels) in PARTS.map(|(part, levels)| (part.to_owned(), levels)).into_iter().chain(of_kind)
        {
            own.add(&dir.join(&part), &part, levels);
        }
        for (path, levels) in named {
            own.add(&dir.join(path), &path.display().to_string(), *levels);
        }
        own
    }

    fn add(&mut self, path: &Path, part: &str, levels: usize) {
        let Some(identity) = Identity::at(path) else { return };
        if !path.is_dir() {
            self.files.entry(identity).or_insert_with(|| part.to_owned());
            return;
        }
        self.folders.entry(identity).or_insert_with(|| part.to_owned());
        let keeps = KEPT.contains(&part);
        if levels == 0 && !keeps {
            return;
        }
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            // A link counts as what it leads to.
            let may_be_folder = entry.file_type().is_ok_and(|kind| !kind.is_file());
            let path = entry.path();
            if may_be_folder && path.is_dir() {
                if levels > 0 {
                    self.add(&path, part, levels - 1);
                }
            } else if keeps {
                self.add(&path, part, 0);
            }
        }
    }

    /// The part that something lies in or is: `folders` from the one that it lies in upwards, `name` its name there, none for that directory
    /// itself.
    pub(crate) fn part_at(&self, folders: &[Identity], name: Option<&OsStr>) -> Option<String> {
        if let Some(part) = folders.iter().find_map(|folder| self.folders.get(folder)) {
            return Some(part.clone());
        }
        if self.dir.is_none() || folders.first() != self.dir.as_ref() {
            return None;
        }
        let Some(name) = name else { return Some(".".to_owned()) };
        // On some file systems it is the same name.
        let name = name.to_str()?.to_ascii_lowercase();
        let is_own = PARTS.iter().any(|(part, _)| *part == name) || is_of_kind(&name);
        is_own.then_some(name)
    }
}

fn is_of_kind(name: &str) -> bool {
    KINDS.iter().any(|kind| name.starts_with(kind))
}

/// A path without links and detours, as far as it exists.
pub(crate) fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = path.ancestors().find_map(|there| {
        let rest = path.strip_prefix(there).ok()?;
        Some(there.canonicalize().ok()?.join(rest))
    });
    found.unwrap_or(path)
}

/// Whether two paths, from the data directory `dir`, are one place.
pub(crate) fn same_place(dir: &Path, one: &Path, other: &Path) -> bool {
    real(&dir.join(one)) == real(&dir.join(other))
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_own_is_known_by_every_way_to_it() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join("host");
        fs::create_dir_all(dir.join("spool/new")).unwrap();
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

//! Mail that is no game's, once it was dealt with: kept for whoever wants to know what came, up to a size, the newest longest.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::KeepError;
use super::fsio;
use musterd_disk::regular;

/// A directory of such mails. Nothing depends on what lies in it, so that nothing of it is synced.
#[derive(Debug)]
pub struct Aside {
    dir: PathBuf,
    /// Sizes by name; names begin with the time of arrival.
    held: BTreeMap<String, u64>,
    bytes: u64,
    most: u64,
}

impl Aside {
    /// Opens the directory, which holds at most so many bytes, creating it where missing.
    ///
    /// # Errors
    /// It could not be made or read.
    pub fn open(dir: &Path, most: u64) -> Result<Self, KeepError> {
        let failed = |error| KeepError::Io { path: dir.to_owned(), error };
        fsio::create_private_dir(dir).map_err(failed)?;
        // The mails in it need not last; a directory whose name doesn't would take them with it long after.
        regular::sync_name(dir).map_err(failed)?;
        let mut held = BTreeMap::new();
        for entry in fs::read_dir(dir).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if let (Ok(name), Ok(meta)) = (entry.file_name().into_string(), entry.metadata()) {
                held.insert(name, meta.len());
            }
        }
        let bytes = held.values().sum();
        Ok(Self { dir: dir.to_owned(), held, bytes, most })
    }

    /// Takes a file in, and lets go of the oldest where it gets too much. A file that is gone already is no fault.
    ///
    /// # Errors
    /// It could not be moved.
    pub fn take(&mut self, from: &Path, name: &str) -> Result<(), KeepError> {
        let to = self.dir.join(name);
        let moved = fs::metadata(from).and_then(|meta| fs::rename(from, &to).map(|()| meta.len()));
        let size = match moved {
            Ok(size) => size,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(KeepError::Io { path: from.to_owned(), error }),
        };
        self.bytes += size;
        self.bytes -= self.held.insert(name.to_owned(), size).unwrap_or(0);
        while self.bytes > self.most
            && let Some((oldest, size)) = self.held.pop_first()
        {
            self.bytes -= size;
            // Whatever keeps it from going, it is counted no more.
            let _ = fs::remove_file(self.dir.join(oldest));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_oldest_goes_first_also_after_it_was_opened_again() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("other");
        let put = |aside: &mut Aside, name: &str| {
            let file = root.path().join(name);
            fs::write(&file, [b'x'; 40]).unwrap();
            aside.take(&file, name).unwrap();
        };
        let mut aside = Aside::open(&dir, 100).unwrap();
        put(&mut aside, "1-a");
        put(&mut aside, "2-b");
        assert_eq!(names(&dir), ["1-a", "2-b"]);
        let mut aside = Aside::open(&dir, 100).unwrap();
        put(&mut aside, "3-c");
        put(&mut aside, "3-c");
        assert_eq!(names(&dir), ["2-b", "3-c"]);
        let mut full = Aside::open(&dir, 80).unwrap();
        put(&mut full, "4-d");
        assert_eq!(names(&dir), ["3-c", "4-d"], "just so much as it may hold");
        full.take(&root.path().join("gone"), "gone").unwrap();
        assert_eq!(names(&dir), ["3-c", "4-d"]);
    }
}

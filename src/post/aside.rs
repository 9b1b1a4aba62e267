//! Keeps mail that belongs to no game after it was handled, for later inspection. The size is limited; the oldest mails are removed first.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::KeepError;
use super::fsio;
use musterd_disk::regular;

/// A directory of such mails. Nothing depends on them, so nothing is synced.
#[derive(Debug)]
pub struct Aside {
    dir: PathBuf,
    /// Sizes by name; names begin with the time of arrival.
    held: BTreeMap<String, u64>,
    bytes: u64,
    most: u64,
}

impl Aside {
    /// Opens the directory, and creates it if it is missing. It holds at most `most` bytes.
    ///
    /// # Errors
    /// It could not be made or read.
    pub fn open(dir: &Path, most: u64) -> Result<Self, KeepError> {
        let failed = |error| KeepError::Io { path: dir.to_owned(), error };
        fsio::create_private_dir(dir).map_err(failed)?;
        // The mails in it need not be durable. Its own name must be, or a later loss of the name would take the mails with it.
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

    /// Moves a file into the directory, and removes the oldest files if there are too many bytes. It is no error if the file is gone already.
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
            // Even if it can't be removed, it no longer counts.
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

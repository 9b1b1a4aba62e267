//! The places of the store's files, their permissions, and how changes of a directory are made durable.
//!
//! ```text
//! <dir>/format            the number of this layout, see `format.rs`
//! <dir>/store.lock        held by the one process that has the store open
//! <dir>/store/            the embedded database
//! <dir>/store.damaged-1/  one that was set aside
//! <dir>/mirror/ID.jsonl   the mirror journal of a game; `_host.jsonl` for what belongs to no game
//! ```
//!
//! Only the owner can read any of it: it holds the seats' secrets and hidden orders.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::io::Errno;

use super::{HOST, StoreError};
use musterd_disk::fault;
use musterd_engine::GameId;

/// How often the lock is tried, ten milliseconds apart. A child process that is just being started holds this process's open files, with the lock,
/// until its program is loaded.
const LOCK_TRIES: u32 = 30;

/// The name of a file that is created to test whether a file can be created.
const PROBE: &str = ".probe";

/// The paths of one data directory.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    dir: PathBuf,
}

impl Layout {
    pub(super) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The database in use.
    pub(super) fn database(&self) -> PathBuf {
        self.dir.join("store")
    }

    /// A database that is being rebuilt. It is worthless until it is renamed.
    pub(super) fn rebuilding(&self) -> PathBuf {
        self.dir.join("store.rebuilding")
    }

    /// The file with the number of the directory's format.
    pub(super) fn format(&self) -> PathBuf {
        self.dir.join("format")
    }

    /// A database that was replaced by one of a newer format.
    pub(super) fn replaced(&self) -> PathBuf {
        self.dir.join("store.replaced")
    }

    /// Whether nothing has ever been stored here.
    pub(super) fn is_new(&self) -> Result<bool, StoreError> {
        Ok(!self.database().join("db").exists() && self.mirror_names()?.is_empty())
    }

    /// The marker file of a database that failed while in use. A database with this marker is not trusted.
    pub(super) fn condemned(&self) -> PathBuf {
        self.dir.join("store.condemned")
    }

    /// The marker file of a database that was rebuilt and has not yet been compared with the files beside it.
    pub(super) fn rebuilt(&self) -> PathBuf {
        self.dir.join("store.rebuilt")
    }

    pub(super) fn mirrors(&self) -> PathBuf {
        self.dir.join("mirror")
    }

    /// The mirror journal of a game's name, or of [`HOST`].
    pub(super) fn mirror(&self, name: &str) -> PathBuf {
        self.mirrors().join(format!("{name}.jsonl"))
    }

    /// The names that have a mirror journal, sorted.
    pub(super) fn mirror_names(&self) -> Result<Vec<String>, StoreError> {
        let dir = self.mirrors();
        let mut names = Vec::new();
        let files = match fs::read_dir(&dir) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(names),
            other => other.map_err(disk(&dir, "read"))?,
        };
        for file in files {
            let file = file.map_err(disk(&dir, "read"))?.file_name();
            let name = file.to_str().and_then(|file| file.strip_suffix(".jsonl"));
            names.extend(
                name.filter(|name| *name == HOST || name.parse::<GameId>().is_ok()).map(str::to_owned),
            );
        }
        names.sort();
        Ok(names)
    }

    /// Turns an error of a mirror journal into [`StoreError::Journal`] if only that journal is affected. If no other file can be written beside it
    /// either, or the disk is full, all journals are affected, and the error stays as it is.
    pub(super) fn narrowed(&self, fault: StoreError) -> StoreError {
        match fault {
            StoreError::Disk { path, doing, source }
                if path.parent() == Some(&self.mirrors())
                    && !is_everybodys(&source)
                    && self.probe().is_ok() =>
            {
                StoreError::Journal { file: path, doing, source }
            }
            other => other,
        }
    }

    /// Writes a file beside the journals, and removes it.
    fn probe(&self) -> io::Result<()> {
        let path = self.mirrors().join(PROBE);
        fault::point("store.mirror.probe")?;
        // A process may have died and left the file.
        drop(fs::remove_file(&path));
        let mut file = private().create_new(true).open(&path)?;
        file.write_all(PROBE.as_bytes()).and_then(|()| file.sync_all())?;
        fs::remove_file(&path)
    }

    /// Makes the directories, readable for the owner only.
    pub(super) fn create(&self) -> Result<(), StoreError> {
        private_dir(&self.mirrors())?;
        sync_dir(&self.dir)
    }

    /// Locks the store for this process, until the file is dropped.
    pub(super) fn lock(&self) -> Result<File, StoreError> {
        let path = self.dir.join("store.lock");
        let file = private().create(true).truncate(false).open(&path).map_err(disk(&path, "open"))?;
        for _ in 0..LOCK_TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
                Err(TryLockError::Error(e)) => return Err(disk(&path, "lock")(e)),
            }
        }
        Err(StoreError::Busy { dir: self.dir.clone() })
    }

    /// Renames `path` to the first free name of `path.damaged-1`, `path.damaged-2`, …; returns the new name.
    pub(super) fn set_aside(&self, path: &Path) -> Result<PathBuf, StoreError> {
        let aside = free_name(path);
        rename(path, &aside)?;
        Ok(aside)
    }
}

/// The first of `path.damaged-1`, `path.damaged-2`, … that doesn't exist.
pub(super) fn free_name(path: &Path) -> PathBuf {
    let name = |n: u64| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".damaged-{n}"));
        PathBuf::from(name)
    };
    let mut n = 1;
    while name(n).exists() {
        n += 1;
    }
    name(n)
}

/// Renames a file or directory, and makes the new name durable.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    fault::point("store.rename").and_then(|()| fs::rename(from, to)).map_err(disk(from, "rename"))?;
    to.parent().map_or(Ok(()), sync_dir)
}

/// Makes the names in a directory durable.
pub(super) fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(disk(dir, "sync"))
}

/// Makes a directory, and missing directories above it, for the owner only. A directory behind a link keeps its permissions.
pub(super) fn private_dir(dir: &Path) -> Result<(), StoreError> {
    let create = || DirBuilder::new().recursive(true).mode(0o700).create(dir);
    let close = || match dir.is_symlink() {
        true => Ok(()),
        false => fs::set_permissions(dir, Permissions::from_mode(0o700)),
    };
    create().and_then(|()| close()).map_err(disk(dir, "create"))
}

/// Options for files that only the owner may read: reading and writing.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600);
    options
}

/// Whether an error never concerns one file only: the disk is full, or the process has too many open files.
fn is_everybodys(error: &io::Error) -> bool {
    let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded, io::ErrorKind::OutOfMemory];
    let files = [Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error);
    full.contains(&error.kind()) || error.raw_os_error().is_some_and(|code| files.contains(&code))
}

/// Turns an error of the system into an error of the store.
pub(super) fn disk(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Disk { path, doing, source }
}

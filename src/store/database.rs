//! Wraps the embedded database: its panics become errors, and its flush is followed by a real sync.

use std::fs::{self, File};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::account::Span;
use super::error::Unfit;
use super::layout::{disk, private_dir, sync_dir};
use super::{StoreError, keys, line};
use musterd_disk::fault;
use musterd_disk::worker::Worker;

/// Memory for pages, in bytes. sled's own default is a gigabyte.
const CACHE: u64 = 32 << 20;
/// How long a flush may take. A healthy disk needs milliseconds, a busy one seconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// An open database.
#[derive(Debug)]
pub(super) struct Database {
    /// `None` only while it is being dropped.
    tree: Option<sled::Db>,
    /// The thread that waits for sled's own flush.
    flusher: Worker,
    /// The file that sled writes. sled's own `flush` lets the kernel decide when the bytes reach the disk.
    file: File,
    path: PathBuf,
}

impl Database {
    /// Opens or creates the database in the directory `path`.
    ///
    /// # Errors
    /// `Damaged` if the contents are at fault; `Busy` or `Disk` otherwise.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let fresh = !path.join("db").exists();
        private_dir(path)?;
        drop_remains(path, fresh)?;
        only_files(path)?;
        let tree = open_patiently(path)?;
        let data = path.join("db");
        let file = File::open(&data).map_err(disk(&data, "open"))?;
        if fresh {
            let conf = path.join("conf");
            File::open(&conf).and_then(|conf| conf.sync_all()).map_err(disk(&conf, "sync"))?;
            file.sync_all().map_err(disk(&data, "sync"))?;
            path.parent().map_or(Ok(()), sync_dir)?;
        }
        // sled replaces its snapshot when it opens. It doesn't make the new name durable before it removes the old one.
        sync_dir(path)?;
        Ok(Self { tree: Some(tree), flusher: Worker::new("store-flush"), file, path: path.to_owned() })
    }

    /// Applies a batch. After a crash the batch is there as a whole or not at all; it is durable only after [`Database::sync`].
    pub(super) fn apply(&self, batch: sled::Batch) -> Result<(), StoreError> {
        fault::point("store.batch").map_err(disk(&self.path, "write to"))?;
        self.guarded(|tree| {
            let applied = tree.apply_batch(batch);
            free();
            Ok(applied?)
        })
    }

    /// Makes everything applied so far durable.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        fault::point("store.flush").map_err(disk(&self.path, "write to"))?;
        self.flush()?;
        fault::point("store.sync").and_then(|()| self.file.sync_data()).map_err(disk(&self.path, "sync"))
    }

    /// Runs sled's own flush on a separate thread. If the disk fails at a bad moment, the flush waits for ever for a signal that was lost; it must
    /// not block the daemon.
    fn flush(&self) -> Result<(), StoreError> {
        let tree = self.tree.clone();
        let flush = move || {
            let flushed = tree.map_or(Ok(0), |tree| tree.flush());
            free();
            flushed
        };
        let finished = self.flusher.begin(flush).map_err(disk(&self.path, "sync"))?;
        let flushed = finished.recv_timeout(PATIENCE).map_err(|why| match why {
            RecvTimeoutError::Timeout => {
                self.flusher.abandon();
                io::Error::new(io::ErrorKind::TimedOut, "the disk doesn't answer")
            }
            RecvTimeoutError::Disconnected => io::Error::other("the database panicked"),
        });
        let flushed = flushed.map_err(disk(&self.path, "sync"))?;
        self.guarded(|_| Ok(flushed?)).map(|_| ())
    }

    pub(super) fn get<T: DeserializeOwned>(&self, key: &[u8]) -> Result<Option<T>, StoreError> {
        let value = self.guarded(|tree| Ok(tree.get(key)?))?;
        value.map(|value| self.decode(&value)).transpose()
    }

    pub(super) fn contains(&self, key: &[u8]) -> Result<bool, StoreError> {
        self.guarded(|tree| Ok(tree.contains_key(key)?))
    }

    /// The first value whose key starts with `prefix`.
    pub(super) fn first(&self, prefix: &[u8]) -> Result<Option<sled::IVec>, StoreError> {
        self.guarded(|tree| Ok(tree.scan_prefix(prefix).values().next().transpose()?))
    }

    /// Calls `each` with keys and values from `from` on, in order, while the keys start with `prefix` and `each` returns true.
    pub(super) fn walk(
        &self,
        prefix: &[u8],
        from: &[u8],
        mut each: impl FnMut(&[u8], &[u8]) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let mut stop = Ok(());
        self.guarded(|tree| {
            for pair in tree.range(from..) {
                let (key, value) = pair?;
                if !key.starts_with(prefix) {
                    break;
                }
                match each(&key, &value) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(e) => {
                        stop = Err(e);
                        break;
                    }
                }
            }
            Ok(())
        })?;
        stop
    }

    /// A whole line of a mirror journal.
    pub(super) fn line(&self, name: &str, n: u64) -> Result<Vec<u8>, StoreError> {
        let (first, last) = (keys::chunk(name, n, 0), keys::chunk(name, n, u32::MAX));
        let mut line = Vec::new();
        self.guarded(|tree| {
            for pair in tree.range(first.as_slice()..=last.as_slice()) {
                line.extend_from_slice(&pair?.1);
            }
            Ok(())
        })?;
        if line.is_empty() { Err(self.damaged(format!("line {n} of `{name}` is missing"))) } else { Ok(line) }
    }

    /// A piece of a line.
    pub(super) fn piece(&self, name: &str, span: Span) -> Result<Vec<u8>, StoreError> {
        let missing = || self.damaged(format!("a piece of line {} of `{name}` is missing", span.line));
        let number = |n: u64| usize::try_from(n).map_err(|_| missing());
        let (start, len) = (number(span.start)?, number(span.len)?);
        let first = start / keys::CHUNK;
        let chunk =
            |n: usize| u32::try_from(n).map(|n| keys::chunk(name, span.line, n)).map_err(|_| missing());
        let (from, to) = (chunk(first)?, chunk((start + len) / keys::CHUNK)?);
        let mut bytes = Vec::with_capacity(len + 2 * keys::CHUNK);
        self.guarded(|tree| {
            for pair in tree.range(from.as_slice()..=to.as_slice()) {
                bytes.extend_from_slice(&pair?.1);
            }
            Ok(())
        })?;
        let skip = start - first * keys::CHUNK;
        bytes.get(skip..skip + len).map(<[u8]>::to_vec).ok_or_else(missing)
    }

    /// An entry of a line of a mirror journal. If the line is whole and the entry can't be read, that isn't damage: another program wrote it.
    pub(super) fn entry<T: DeserializeOwned>(&self, name: &str, span: Span) -> Result<T, StoreError> {
        let piece = self.piece(name, span)?;
        serde_json::from_slice(&piece).map_err(|error| {
            match self.line(name, span.line).map(|line| line::read(&line).is_ok()) {
                Ok(true) => StoreError::Unknown { line: span.line, why: error.to_string() },
                Ok(false) => self.damaged(format!("an entry can't be read: {error}")),
                Err(fault) => fault,
            }
        })
    }

    /// Reads a value that the database keeps as JSON.
    pub(super) fn decode<T: DeserializeOwned>(&self, value: &[u8]) -> Result<T, StoreError> {
        serde_json::from_slice(value).map_err(|e| self.damaged(format!("a value can't be read: {e}")))
    }

    /// The error for a database that can't be trusted.
    pub(super) fn damaged(&self, why: String) -> StoreError {
        StoreError::Damaged { dir: self.path.clone(), why }
    }

    fn guarded<T>(&self, action: impl FnOnce(&sled::Db) -> Result<T, Fault>) -> Result<T, StoreError> {
        let closed = || Err(Fault::Content("it is closed".to_owned()));
        catch_unwind(AssertUnwindSafe(|| self.tree.as_ref().map_or_else(closed, action)))
            .unwrap_or_else(|panic| Err(Fault::panicked(&*panic)))
            .map_err(|fault| fault.at(&self.path))
    }
}

impl Drop for Database {
    /// If the disk refuses to sync, sled panics when it is dropped. Everything that had to be durable was synced before.
    fn drop(&mut self) {
        let tree = self.tree.take();
        drop(catch_unwind(AssertUnwindSafe(|| drop(tree))));
    }
}

/// Encodes a value for the database.
pub(super) fn encode(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| Unfit::Unwritable(error).into())
}

/// An error of sled's.
enum Fault {
    /// The contents of the database are wrong.
    Content(String),
    /// The system failed.
    System(io::Error),
}

impl From<sled::Error> for Fault {
    fn from(error: sled::Error) -> Self {
        use io::ErrorKind::{InvalidData, InvalidInput, NotFound, Other, UnexpectedEof};
        match error {
            // sled makes errors of these kinds itself if one of its own files isn't as it should be.
            sled::Error::Io(e)
                if matches!(e.kind(), InvalidData | InvalidInput | NotFound | Other | UnexpectedEof) =>
            {
                Self::Content(e.to_string())
            }
            sled::Error::Io(e) => Self::System(e),
            other => Self::Content(other.to_string()),
        }
    }
}

impl Fault {
    fn panicked(panic: &(dyn std::any::Any + Send)) -> Self {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
        Self::Content(format!("sled panicked: {words}"))
    }

    fn at(self, path: &Path) -> StoreError {
        match self {
            Self::Content(why) => StoreError::Damaged { dir: path.to_owned(), why },
            Self::System(e) => disk(path, "use")(e),
        }
    }
}

/// Makes sled free memory that is no longer used. A thread that has replaced something in the tree keeps the old value until it has some sixty more
/// of its kind. Each log buffer of half a megabyte is such a value, so a thread that does little but flush would keep thirty megabytes.
fn free() {
    // Kept values may be freed once every thread that could still read them has advanced twice.
    for _ in 0..3 {
        crossbeam_epoch::pin().flush();
    }
}

/// Removes what sled had written of a new snapshot when the disk became full or the process died. sled takes any file called `snap.…` for a finished
/// snapshot, and the latest name for the current one, though it can read the log without a snapshot. If a power cut interrupted the creation of the
/// database, and there is no log, all files beside it are worthless.
fn drop_remains(path: &Path, without_log: bool) -> Result<(), StoreError> {
    for file in fs::read_dir(path).map_err(disk(path, "read"))? {
        let file = file.map_err(disk(path, "read"))?;
        let name = file.file_name();
        let name = name.to_string_lossy();
        let is_snapshot = name.starts_with("snap.");
        let is_worthless = match without_log {
            true => is_snapshot || name == "conf",
            false => is_snapshot && name.ends_with(".generating"),
        };
        if is_worthless {
            let half = file.path();
            fs::remove_file(&half).map_err(disk(&half, "remove"))?;
        }
    }
    Ok(())
}

/// Opens the tree. sled releases its lock a moment after it was dropped, so opening is tried again for a while if the lock is held. Our own lock,
/// taken before this, keeps other processes out.
fn open_patiently(path: &Path) -> Result<sled::Db, StoreError> {
    const TRIES: u32 = 200;
    for _ in 0..TRIES {
        let config = sled::Config::new().path(path).cache_capacity(CACHE).flush_every_ms(None);
        let fault = match catch_unwind(AssertUnwindSafe(|| config.open())) {
            Ok(Ok(tree)) => return Ok(tree),
            Ok(Err(sled::Error::Io(e))) if e.to_string().contains("could not acquire lock") => {
                thread::sleep(Duration::from_millis(10));
                continue;
            }
            Ok(Err(e)) => Fault::from(e),
            Err(panic) => Fault::panicked(&*panic),
        };
        return Err(fault.at(path));
    }
    Err(StoreError::Busy { dir: path.to_owned() })
}
/// Fails unless sled finds only files and directories: it would wait for the other end of a pipe.
fn only_files(path: &Path) -> Result<(), StoreError> {
    for entry in fs::read_dir(path).map_err(disk(path, "read"))? {
        let file = entry.map_err(disk(path, "read"))?.path();
        let is_fit = fs::metadata(&file).is_ok_and(|what| what.is_file() || what.is_dir());
        if !is_fit {
            let error = io::Error::other("this is no file: move it away, and start musterd again");
            return Err(disk(&file, "open")(error));
        }
    }
    Ok(())
}

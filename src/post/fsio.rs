//! Durable steps on files: a step that is reported as done survives a power cut. Each step passes a fault point.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use musterd_disk::fault::point;
use musterd_disk::regular;

/// Writes and syncs a new file that only its owner may read. The name is durable only after [`sync_dir`] on its directory.
pub(super) fn write_synced(path: &Path, bytes: &[u8], modified: Option<i64>) -> io::Result<()> {
    let file = write_unsynced(path, bytes)?;
    if let Some(seconds) = modified.and_then(|s| u64::try_from(s).ok()) {
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))?;
    }
    finish_sync(&file)
}

/// Writes a new file that only its owner may read; it is durable only after [`finish_sync`].
pub(super) fn write_unsynced(path: &Path, bytes: &[u8]) -> io::Result<File> {
    point("file.write")?;
    let new = || OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let mut file = match new() {
        // A killed process has left the file, or somebody has put a link there; a link is not followed.
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(path)?;
            new()?
        }
        made => made?,
    };
    file.write_all(bytes)?;
    Ok(file)
}

/// Makes the disk begin to write a file, without waiting for it. This is only a hint; [`finish_sync`] makes the file durable.
pub(super) fn begin_sync(file: &File) {
    // Linux begins to write data out when told that it will not be needed.
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
}

/// Makes a written file durable.
pub(super) fn finish_sync(file: &File) -> io::Result<()> {
    point("file.sync")?;
    file.sync_all()
}

/// Makes written files durable, several at a time.
///
/// # Errors
/// A file that could not be synced, by its index.
pub(super) fn finish_sync_of_each(files: Vec<File>) -> Result<(), (usize, io::Error)> {
    // A test's plan counts calls in its own thread only, so the fault points are passed here.
    (0..files.len()).try_for_each(|n| point("file.sync").map_err(|e| (n, e)))?;
    regular::sync_together(files, File::sync_all)
}

/// Renames within a file system: afterwards either the old or the new name stands, never neither.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    point("file.rename")?;
    fs::rename(from, to)
}

/// Makes a directory, and those above it, for their owner only: mails in it show dispatches and the keys of seats. Its name is durable only after
/// [`sync_dir`] on the directory above.
pub(super) fn create_private_dir(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

/// Makes the names in a directory durable.
pub(super) fn sync_dir(dir: &Path) -> io::Result<()> {
    let dir = File::open(dir)?;
    point("file.sync_dir")?;
    dir.sync_all()
}

/// Makes the names in a directory and the directory's own name durable: the process that created it may have died before that.
pub(super) fn sync_dir_and_name(dir: &Path) -> io::Result<()> {
    sync_dir(dir)?;
    point("file.sync_dir")?;
    regular::sync_name(dir)
}

/// Replaces a small file whole: readers see the old bytes or the new.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("tmp");
    write_synced(&fresh, bytes, None)?;
    rename(&fresh, path)?;
    sync_dir(path.parent().unwrap_or(Path::new(".")))
}

/// A file's modification time in seconds since 1970 UTC and the nanoseconds within; never before 1970.
pub(super) fn modified(meta: &fs::Metadata) -> (i64, u32) {
    let since =
        meta.modified().ok().and_then(|t| t.duration_since(SystemTime::UNIX_EPOCH).ok()).unwrap_or_default();
    (i64::try_from(since.as_secs()).unwrap_or(i64::MAX), since.subsec_nanos())
}

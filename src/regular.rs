//! The host's own files, read as files, and made to last. What became a pipe or a device is refused at once, where opening it would
//! wait for a writer who never comes; and nothing is read without end.

use std::fs::File;
use std::io::{self, Read as _};
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder};

use rustix::fs::{Mode, OFlags};

/// How many files the disk is asked for at once, each by a thread that waits for it.
const SYNCED_AT_ONCE: usize = 8;

/// Opens a file for reading, through links: operators link configurations and passwords into place.
///
/// # Errors
/// It can't be opened, or is a directory, a pipe, a socket or a device.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OFlags::empty())
}

/// The same, but a link is refused too: for directories into which others may write.
///
/// # Errors
/// As [`open`]; or it is a link.
pub fn open_unlinked(path: &Path) -> io::Result<File> {
    open_with(path, OFlags::NOFOLLOW)
}

fn open_with(path: &Path, more: OFlags) -> io::Result<File> {
    // Without waiting: what it is can only be asked for sure once it is open.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC | more;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("this is no file but a directory, a pipe or a device")),
    }
}

/// Reads a whole file of at most `limit` bytes.
///
/// # Errors
/// As [`open`]; it can't be read, or is larger ([`io::ErrorKind::FileTooLarge`]).
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    // With room for all of it, and for the byte that isn't there, a file is read at once; one that grows meanwhile is read all the same.
    let length = file.metadata()?.len().min(limit);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0).saturating_add(1));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= limit) {
        return Ok(bytes);
    }
    let reason = format!("it is larger than {} KiB, which is too large for what its name says", limit / 1024);
    Err(io::Error::new(io::ErrorKind::FileTooLarge, reason))
}

/// Makes written files last by `sync`, several at a time and in no order: a disk is hardly longer about eight than about one.
///
/// # Errors
/// One that could not be, by its place among the files; of the others nothing is known then.
pub fn sync_together(
    files: &[&File],
    sync: impl Fn(&File) -> io::Result<()> + Sync,
) -> Result<(), (usize, io::Error)> {
    let next = AtomicUsize::new(0);
    let work = || loop {
        let n = next.fetch_add(1, Ordering::Relaxed);
        let Some(file) = files.get(n) else { return Ok(()) };
        sync(file).map_err(|error| (n, error))?;
    };
    thread::scope(|scope| {
        let helpers = 1..files.len().min(SYNCED_AT_ONCE);
        // Where no thread can be had, those that are there do its share.
        let spawn = |_| Builder::new().name("sync".to_owned()).spawn_scoped(scope, work).ok();
        let helpers: Vec<_> = helpers.map_while(spawn).collect();
        let join = |done: Result<(), _>, helper: thread::ScopedJoinHandle<'_, _>| {
            done.and(helper.join().unwrap_or_else(|panic| resume_unwind(panic)))
        };
        helpers.into_iter().fold(work(), join)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::os::fd::AsRawFd as _;
    use std::os::unix::fs::symlink;
    use std::process::Command;
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn every_file_is_synced_once_and_one_that_can_not_be_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let open = |n| File::create(dir.path().join(format!("{n}"))).unwrap();
        let files: Vec<File> = (0..50).map(open).collect();
        let files: Vec<&File> = files.iter().collect();
        let synced = Mutex::new(Vec::new());
        let sync = |file: &File| {
            synced.lock().unwrap().push(file.as_raw_fd());
            Ok(())
        };
        for some in [&files[..0], &files[..1], &files[..]] {
            synced.lock().unwrap().clear();
            sync_together(some, sync).unwrap();
            let synced = synced.lock().unwrap();
            assert_eq!(synced.len(), some.len());
            let wanted: BTreeSet<_> = some.iter().map(|file| file.as_raw_fd()).collect();
            assert_eq!(synced.iter().copied().collect::<BTreeSet<_>>(), wanted);
        }
        let broken = files[37].as_raw_fd();
        let sync = |file: &File| match file.as_raw_fd() == broken {
            true => Err(io::ErrorKind::StorageFull.into()),
            false => Ok(()),
        };
        let (place, error) = sync_together(&files, sync).unwrap_err();
        assert_eq!((place, error.kind()), (37, io::ErrorKind::StorageFull));
    }

    #[test]
    fn only_files_are_read_and_never_more_than_is_allowed() {
        let dir = tempfile::tempdir().unwrap();
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| dir.path().join(name));
        fs::write(&file, "a".repeat(2048)).unwrap();
        symlink(&file, &link).unwrap();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(read(&file, 2048).unwrap().len(), 2048);
        assert_eq!(read(&link, 2048).unwrap().len(), 2048);
        assert!(open_unlinked(&file).is_ok() && open_unlinked(&link).is_err());
        let error = read(&file, 2047).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        for other in [&pipe, Path::new("/dev/zero"), dir.path()] {
            let error = read(other, 2048).unwrap_err();
            assert!(error.to_string().contains("this is no file"), "{}: {error}", other.display());
        }
    }
}

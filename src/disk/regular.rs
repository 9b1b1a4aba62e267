//! The host's own files: they must be regular files, and are made durable. A pipe or a device is refused at once, because opening it would wait for a
//! writer who never comes. No read is without a limit.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::io::{self, Read as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::worker::Worker;

/// How many files are synced at the same time, each by a thread that waits for the disk.
const SYNCED_AT_ONCE: usize = 8;

/// The threads that wait for the disk, besides the calling thread.
static SYNCERS: [Worker; SYNCED_AT_ONCE - 1] = [const { Worker::new("sync") }; SYNCED_AT_ONCE - 1];

/// Opens a file for reading. Links are followed, because operators put configurations and passwords behind links.
///
/// # Errors
/// It can't be opened, or is a directory, a pipe, a socket or a device.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OFlags::RDONLY)
}

/// Opens a file for reading, but refuses a link: for directories into which others may write.
///
/// # Errors
/// Those of [`open`]; or it is a link.
pub fn open_unlinked(path: &Path) -> io::Result<File> {
    open_with(path, OFlags::RDONLY | OFlags::NOFOLLOW)
}

/// Opens a file of the host's own for appending. A missing file is created, for its owner only. A link is refused, because its target belongs to
/// somebody else.
///
/// # Errors
/// Those of [`open_unlinked`].
pub fn append(path: &Path) -> io::Result<File> {
    // Opened for reading too: otherwise a pipe that nobody reads would be refused with an error that doesn't say what it is.
    open_with(path, OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::NOFOLLOW)
}

fn open_with(path: &Path, how: OFlags) -> io::Result<File> {
    // Opened without waiting: the kind of a file is certain only once it is open.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC | how;
    let file =
        File::from(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR).map_err(|error| match error {
            Errno::LOOP if how.contains(OFlags::NOFOLLOW) => {
                io::Error::other("this is a link, which is not followed: put the file itself there")
            }
            error => error.into(),
        })?);
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("this is no file but a directory, a pipe or a device")),
    }
}

/// Reads a whole file of at most `limit` bytes.
///
/// # Errors
/// Those of [`open`]; it can't be read, or is larger ([`io::ErrorKind::FileTooLarge`]).
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    // With room for the whole file and one byte more, a file is read in one call. A file that grows meanwhile is read completely even so.
    let length = file.metadata()?.len().min(limit);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0).saturating_add(1));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= limit) {
        return Ok(bytes);
    }
    let reason = format!("it is larger than {} KiB, which is too large for what its name says", limit / 1024);
    Err(io::Error::new(io::ErrorKind::FileTooLarge, reason))
}

/// Makes a directory, and missing directories above it, with these permissions. The names of the new directories are made durable.
///
/// # Errors
/// One could not be made, or the disk fails.
pub fn create_dir(dir: &Path, rights: u32) -> io::Result<()> {
    let missing: Vec<&Path> = dir.ancestors().take_while(|dir| !is_here(dir) && !dir.exists()).collect();
    DirBuilder::new().recursive(true).mode(rights).create(dir)?;
    missing.into_iter().try_for_each(sync_name)
}

/// Makes the name of a file or directory durable.
///
/// # Errors
/// The directory that contains it can't be opened, or the disk fails.
pub fn sync_name(path: &Path) -> io::Result<()> {
    let dir = path.parent().unwrap_or(path);
    File::open(if is_here(dir) { Path::new(".") } else { dir })?.sync_all()
}

/// Whether this is the empty directory part of a path without a directory.
fn is_here(dir: &Path) -> bool {
    dir.as_os_str().is_empty()
}

/// Makes written files durable by `sync`, several at a time and in no order: for a disk, eight files take hardly longer than one.
///
/// # Errors
/// The first file that could not be synced, by its index.
pub fn sync_together(
    files: Vec<File>,
    sync: impl Fn(&File) -> io::Result<()> + Send + Sync + 'static,
) -> Result<(), (usize, io::Error)> {
    sync_each(files, sync).into_iter().next().map_or(Ok(()), Err)
}

/// Makes written files durable as [`sync_together`] does. Returns all files that could not be synced, by index, in order.
pub fn sync_each(
    files: Vec<File>,
    sync: impl Fn(&File) -> io::Result<()> + Send + Sync + 'static,
) -> Vec<(usize, io::Error)> {
    let helpers = files.len().min(SYNCED_AT_ONCE).saturating_sub(1);
    let shared = Arc::new((files, sync, AtomicUsize::new(0)));
    let (synced, outcomes) = channel();
    let work = || {
        let (shared, synced) = (Arc::clone(&shared), synced.clone());
        move || {
            let (files, sync, next) = &*shared;
            while let Some((n, file)) = next_of(files, next) {
                // The caller may have ended.
                drop(synced.send((n, sync(file))));
            }
        }
    };
    for helper in SYNCERS.iter().take(helpers) {
        // If no thread can be started, the present threads do its share. A thread that is busy with other files isn't waited for either.
        drop(helper.begin(work()));
    }
    work()();
    drop(synced);
    let all = shared.0.len();
    let mut outcomes: BTreeMap<usize, io::Result<()>> = outcomes.iter().take(all).collect();
    let ended = || Err(io::Error::other("a thread that waits for the disk has ended"));
    let failed = (0..all).filter_map(|n| Some((n, outcomes.remove(&n).unwrap_or_else(ended).err()?)));
    failed.collect()
}

fn next_of<'a>(files: &'a [File], next: &AtomicUsize) -> Option<(usize, &'a File)> {
    let n = next.fetch_add(1, Ordering::Relaxed);
    files.get(n).map(|file| (n, file))
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
        for many in [0, 1, 50] {
            let files: Vec<File> = (0..many).map(open).collect();
            let wanted: BTreeSet<_> = files.iter().map(File::as_raw_fd).collect();
            let synced = Arc::new(Mutex::new(Vec::new()));
            let noted = Arc::clone(&synced);
            let sync = move |file: &File| {
                noted.lock().unwrap().push(file.as_raw_fd());
                Ok(())
            };
            sync_together(files, sync).unwrap();
            let synced = synced.lock().unwrap();
            assert_eq!(synced.len(), many);
            assert_eq!(synced.iter().copied().collect::<BTreeSet<_>>(), wanted);
        }
        let files: Vec<File> = (0..50).map(open).collect();
        let broken = files[37].as_raw_fd();
        let sync = move |file: &File| match file.as_raw_fd() == broken {
            true => Err(io::ErrorKind::StorageFull.into()),
            false => Ok(()),
        };
        let (place, error) = sync_together(files, sync).unwrap_err();
        assert_eq!((place, error.kind()), (37, io::ErrorKind::StorageFull));
        let files: Vec<File> = (0..50).map(open).collect();
        let broken = [files[3].as_raw_fd(), files[41].as_raw_fd()];
        let sync = move |file: &File| match broken.contains(&file.as_raw_fd()) {
            true => Err(io::ErrorKind::Other.into()),
            false => Ok(()),
        };
        assert_eq!(sync_each(files, sync).iter().map(|(n, _)| *n).collect::<Vec<_>>(), [3, 41]);
    }

    #[test]
    fn a_file_whose_thread_ended_before_it_was_synced_is_not_called_safe() {
        let dir = tempfile::tempdir().unwrap();
        let files = (0..2).map(|n| File::create(dir.path().join(n.to_string())).unwrap()).collect();
        let caller = std::thread::current().id();
        let (begun, has_begun) = channel();
        let has_begun = Mutex::new(has_begun);
        let sync = move |_: &File| {
            if std::thread::current().id() != caller {
                begun.send(()).unwrap();
                panic!("the thread ends, as it is meant to");
            }
            // Leaves the other file to the helper thread.
            has_begun.lock().unwrap().recv().unwrap();
            Ok(())
        };
        assert!(sync_together(files, sync).is_err());
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
        for other in [&pipe, Path::new("/dev/zero")] {
            let error = append(other).unwrap_err();
            assert!(error.to_string().contains("this is no file"), "{}: {error}", other.display());
        }
    }
}

//! The host's own files, read as files. What became a pipe or a device is refused at once, where opening it would wait for a
//! writer who never comes; and nothing is read without end.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

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

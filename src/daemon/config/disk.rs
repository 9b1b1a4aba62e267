//! The disk below a data directory: how much room there is, and whose it is.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use crate::HostError;

/// Room on a file system, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// What this user may still write.
    pub free: u64,
    /// All there is.
    pub total: u64,
}

impl Space {
    /// What this user may still write, in megabytes.
    pub const fn free_megabytes(self) -> u64 {
        self.free / 1_000_000
    }
}

/// The room on the disk of this directory.
///
/// # Errors
/// The directory can't be reached.
pub fn space(dir: &Path) -> io::Result<Space> {
    let disk = rustix::fs::statvfs(dir)?;
    Ok(Space {
        free: disk.f_bavail.saturating_mul(disk.f_frsize),
        total: disk.f_blocks.saturating_mul(disk.f_frsize),
    })
}

/// The bytes of all files in a directory and below; what can't be read counts nothing.
pub fn bytes_in(dir: &Path) -> u64 {
    let Ok(files) = fs::read_dir(dir) else { return 0 };
    let bytes = files.flatten().map(|file| match file.metadata() {
        Ok(meta) if meta.is_dir() => bytes_in(&file.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    });
    bytes.sum()
}

/// Checks that a data directory belongs to the user that this process runs as. Files that another user makes in it, root by
/// a careless command, can't be opened by the daemon afterwards.
///
/// # Errors
/// It belongs to somebody else; how to run the command as its owner.
pub fn owned(dir: &Path) -> Result<(), HostError> {
    let meta = match fs::metadata(dir) {
        Ok(meta) => meta,
        // Whoever wants it tells that better.
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(HostError::io(dir, e)),
    };
    let (owner, group) = (meta.uid(), meta.gid());
    let user = rustix::process::geteuid().as_raw();
    if owner == user {
        return Ok(());
    }
    Err(HostError::usage(format!(
        "{} belongs to user {owner}, and this is user {user}: files made here now would be out of the daemon's reach; start the \
         daemon and ask again, or go as that user (`setpriv --reuid={owner} --regid={group} --clear-groups musterd ...`)",
        dir.display()
    )))
}

/// Checks of a directory that is to become a data directory, if it is there, that it is this user's and that nobody else may write to it:
/// he could lay links into it that lead elsewhere.
///
/// # Errors
/// It is not so; what to do.
pub fn alone(dir: &Path) -> Result<(), HostError> {
    owned(dir)?;
    match fs::metadata(dir) {
        Ok(meta) if meta.permissions().mode() & 0o022 != 0 => Err(HostError::usage(format!(
            "others may write to {0}: run `chmod 700 {0}` first, or name another directory",
            dir.display()
        ))),
        _ => Ok(()),
    }
}

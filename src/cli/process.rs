//! What this process is to the machine: nothing of it is left lying around for others.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::Mode;
use rustix::process::{DumpableBehavior, geteuid, set_dumpable_behavior, umask};

use crate::daemon::HostError;

/// Hidden orders, passwords and the secrets of dice pass through this process: whatever file it makes is its user's alone, it
/// leaves no core dump, and other processes of the same user can't look into it.
pub(super) fn close() {
    umask(Mode::RWXG | Mode::RWXO);
    // A kernel without this has the limits of the service manager.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// Root's files in the data directory of another user would be in the daemon's way ever after.
///
/// # Errors
/// We are root, and somebody else owns the directory.
pub(super) fn own(dir: &Path) -> Result<(), HostError> {
    match std::fs::metadata(dir) {
        Ok(meta) if geteuid().is_root() && meta.uid() != 0 => {
            let (uid, gid, dir) = (meta.uid(), meta.gid(), dir.display());
            Err(HostError::usage(format!(
                "{dir} belongs to the user {uid}, who couldn't use what root leaves there: start the daemon and ask again, or go \
                 as that user: setpriv --reuid={uid} --regid={gid} --clear-groups musterd --dir {dir} ..."
            )))
        }
        // What else is wrong with it is told by whoever uses it.
        _ => Ok(()),
    }
}

//! Process settings that keep the process's data from other users.

use rustix::fs::Mode;
use rustix::process::{DumpableBehavior, set_dumpable_behavior, umask};

/// Hidden orders, passwords and the secrets of dice pass through this process. So every file that it creates is readable for its user only, it leaves
/// no core dump, and other processes of the same user can't inspect it.
pub(super) fn close() {
    umask(Mode::RWXG | Mode::RWXO);
    // A kernel without this call has the limits of the service manager.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

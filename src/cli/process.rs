//! What this process is to the machine: nothing of it is left lying around for others.

use rustix::fs::Mode;
use rustix::process::{DumpableBehavior, set_dumpable_behavior, umask};

/// Hidden orders, passwords and the secrets of dice pass through this process: whatever file it makes is its user's alone, it
/// leaves no core dump, and other processes of the same user can't look into it.
pub(super) fn close() {
    umask(Mode::RWXG | Mode::RWXO);
    // A kernel without this has the limits of the service manager.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

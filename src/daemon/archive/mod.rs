//! Backups: a plain tar file with a manifest in front, which says the SHA-256 of every file behind it.
//!
//! It holds what can't be made anew: configuration, secrets, mirror journals, every mail received, templates, rules of one's own, the
//! positions in IMAP folders. It doesn't hold the database, which is rebuilt from the mirror journals. These say of each mail to whom it
//! was sent, and of each mail received that it had its effect: after a restore nothing is sent or done twice.

mod pack;
mod unpack;

use std::io::{self, Read};
use std::path::{Component, Path};

pub use pack::{Packed, pack};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
pub use unpack::{Restored, restore};

use crate::Snapshot;

/// The manifest's name in the archive.
const MANIFEST: &str = "manifest.json";
/// The version of the archive's layout.
const VERSION: u32 = 1;
/// The largest manifest that is read, in bytes: that of half a million mails.
const LARGEST_MANIFEST: u64 = 64 << 20;
/// What a data directory holds that is never restored.
const NEVER: [&str; 3] = ["store", "store.lock", "control.sock"];

/// What an archive holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the archive's layout.
    pub backup: u32,
    /// The version of the program that wrote it.
    pub program: String,
    /// The format of the data directory, see [`musterd_store::FORMAT`].
    pub format: u32,
    /// The moment that it holds.
    pub snapshot: Snapshot,
    /// Every file behind the manifest, in order.
    pub files: Vec<FileMark>,
}

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMark {
    /// Its path in the data directory.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// Its digest, in hexadecimal.
    pub sha256: String,
}

/// Whether a path from an archive stays in the directory that it is restored to, and is one that a backup has.
fn is_safe(path: &str) -> bool {
    let mut components = Path::new(path).components();
    let first = components.clone().next();
    let reserved = |part: &Component<'_>| NEVER.iter().any(|name| part.as_os_str() == *name);
    !path.is_empty()
        && path.split('/').all(|part| !part.is_empty() && part != ".")
        && components.all(|part| matches!(part, Component::Normal(_)))
        && !first.is_some_and(|part| reserved(&part))
}

/// Reads on, and takes the digest and the length of what was read.
struct Digesting<R> {
    inner: R,
    sha: Sha256,
    bytes: u64,
}

impl<R: Read> Digesting<R> {
    fn new(inner: R) -> Self {
        Self { inner, sha: Sha256::new(), bytes: 0 }
    }

    fn finish(self) -> (u64, String) {
        (self.bytes, self.sha.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl<R: Read> Read for Digesting<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buf)?;
        self.sha.update(&buf[..count]);
        self.bytes += u64::try_from(count).unwrap_or(0);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_elsewhere_is_not_safe() {
        for good in ["musterd.yaml", "mirror/_host.jsonl", "games/lga/maps/x.yaml", "store.txt"] {
            assert!(is_safe(good), "{good}");
        }
        for bad in [
            "",
            "/etc/passwd",
            "../x",
            "a/../b",
            "a//b",
            "./a",
            "a/",
            "store/db",
            "control.sock",
            "store.lock",
        ] {
            assert!(!is_safe(bad), "{bad}");
        }
    }
}

//! Mails that have come, wherever they were put since: in the spool, or with what is nobody's.

use std::fs;
use std::io;
use std::path::Path;

use musterd_disk::regular;
use musterd_post::is_as_kept;

/// The largest file that is read, in bytes, as in the spool.
const LARGEST: u64 = 128 << 20;
/// Where a mail lies before and after it was dealt with.
const PLACES: [&str; 3] = ["spool/new", "spool/done", "spool/other"];

/// The names of the mails that have arrived at `since` (unix seconds) or later.
pub(crate) fn names_since(dir: &Path, since: i64) -> Vec<String> {
    let mut names = Vec::new();
    for place in PLACES {
        let files = fs::read_dir(dir.join(place)).into_iter().flatten().flatten();
        names.extend(files.filter_map(|file| file.file_name().into_string().ok()));
    }
    let is_recent = |name: &String| {
        let arrived = name.split_once('-').and_then(|(arrived, _)| arrived.parse::<i64>().ok());
        arrived.is_some_and(|arrived| arrived >= since)
    };
    names.retain(is_recent);
    names.sort();
    names.dedup();
    names
}

/// The bytes of a mail; `None` where it is gone, can't be read, or isn't as it was kept.
pub(crate) fn read(dir: &Path, name: &str) -> Option<Vec<u8>> {
    for place in PLACES {
        let path = dir.join(place).join(name);
        match regular::read(&path, LARGEST) {
            Ok(bytes) => return Some(bytes).filter(|bytes| is_as_kept(name, bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => tracing::warn!(path = %path.display(), %error, "this mail can't be read"),
        }
    }
    None
}

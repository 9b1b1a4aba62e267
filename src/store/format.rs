//! The format of a data directory: a number in the file `format`. It rises when older programs would misread what a newer one
//! writes, or a newer one has to change what an older one wrote.
//!
//! | format | what changed |
//! |---|---|
//! | 1 | the first; it has no file `format` |
//! | 2 | the database knows since when each mail waits |
//! | 3 | the database has fewer keys for each mail, and shorter ones |
//!
//! Mirror journals and spool are the same in all. (`spool/decided.jsonl` is written by newer programs only; older ones pass it over, and
//! a mail that it doesn't know of is read by somebody after a rebuild.) What changes the database alone is carried out by making it anew from the
//! mirror journals, beside the old one, which is given up only when the new one is whole.

use std::io;

use super::layout::{Layout, disk};
use super::{Recovery, StoreError, recovery};
use musterd_disk::{fault, fresh, regular};

/// The largest file with the number that is read, in bytes.
const LARGEST: u64 = 1024;

/// The format that this program writes.
pub const FORMAT: u32 = 3;

/// Brings a data directory to [`FORMAT`]; the notes say what was done. The directory is locked by the caller.
pub(super) fn bring_up(layout: &Layout, done: &mut Recovery) -> Result<(), StoreError> {
    let found = match read(layout)? {
        Some(found) => found,
        None if layout.is_new()? => return write(layout),
        None => 1,
    };
    if found > FORMAT {
        return Err(StoreError::Newer { file: layout.format(), found, known: FORMAT });
    }
    if found < FORMAT {
        // The mirrors get what they lack from the old database before that goes.
        drop(recovery::open(layout, done)?);
        // What is in doubt may need the old database.
        done.whole()?;
        let mirrors = recovery::renew(layout)?;
        done.notes.push(format!(
            "the data directory was of format {found} and is of format {FORMAT} now: the database was made anew from its mirror \
             journals ({mirrors})"
        ));
        write(layout)?;
    }
    Ok(())
}

/// The number in the file; none where there is no file.
fn read(layout: &Layout) -> Result<Option<u32>, StoreError> {
    let path = layout.format();
    let text = match regular::read(&path, LARGEST) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) if e.kind() == io::ErrorKind::FileTooLarge => {
            return Err(StoreError::Format { file: path, known: FORMAT });
        }
        Err(e) => return Err(disk(&path, "read")(e)),
    };
    match text.trim().parse() {
        Ok(0) | Err(_) => Err(StoreError::Format { file: path, known: FORMAT }),
        Ok(format) => Ok(Some(format)),
    }
}

fn write(layout: &Layout) -> Result<(), StoreError> {
    let path = layout.format();
    let written =
        fault::point("store.format").and_then(|()| fresh::replace(&path, format!("{FORMAT}\n").as_bytes()));
    written.map_err(disk(&path, "write to"))
}

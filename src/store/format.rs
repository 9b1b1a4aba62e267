//! The format of a data directory: a number in the file `format`. A new number is given if older programs would misread what a newer program writes,
//! or if a newer program has to change what an older one wrote.
//!
//! | format | what changed |
//! |---|---|
//! | 1 | the first; it has no file `format` |
//! | 2 | the database knows since when each mail waits |
//! | 3 | the database has fewer keys for each mail, and shorter ones |
//!
//! Mirror journals and spool are the same in all formats. (`spool/decided.jsonl` is written by newer programs only. Older programs ignore it; after a
//! rebuild, mails that are missing in it are left to a person.) A change of the database alone is made by building a new database from the
//! mirror journals, beside the old one. The old one is removed only when the new one is whole.

use std::io;

use super::layout::{Layout, disk};
use super::{Recovery, StoreError, recovery};
use musterd_disk::{fault, fresh, regular};

/// The largest file `format` that is read, in bytes.
const LARGEST: u64 = 1024;

/// The format that this program writes.
pub const FORMAT: u32 = 3;

/// Brings a data directory to [`FORMAT`]; the notes say what was done. The caller holds the lock of the directory.
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
        // Before the old database is removed, the mirrors get from it what they lack.
        drop(recovery::open(layout, done)?);
        // A journal that is in doubt may need the old database.
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

/// The number in the file; `None` if there is no file.
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

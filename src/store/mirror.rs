//! The mirror journals as files: which lines are whole, where a journal ends, appending and cutting.

use std::fs::File;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};

use super::StoreError;
use super::layout::{disk, sync_dir};
use super::line::{self, BadLine, JournalLine};
use musterd_dice::Digest;
use musterd_disk::{fault, regular};

/// How many journals are open at the same time while they are written.
const OPEN_AT_ONCE: usize = 64;

/// The result of reading a mirror journal.
#[derive(Debug)]
pub(super) struct Scan {
    /// The number of whole, chained lines from the start.
    pub(super) lines: u64,
    /// The number of their bytes.
    pub(super) bytes: u64,
    /// The hash of the last of these lines; without lines, the journal's anchor.
    pub(super) hash: Digest,
    /// The first faulty line after them, if there is one.
    pub(super) flaw: Option<Flaw>,
}

/// The first line of a journal that isn't whole, or belongs to another journal.
#[derive(Debug)]
pub(super) struct Flaw {
    pub(super) why: BadLine,
    /// Whether it is an interrupted append: the end of the file, without a line feed. Anything else is damage.
    pub(super) torn: bool,
    /// The highest number of a whole line of this journal after it; 0 if there is none. The store had that many lines.
    pub(super) highest: u64,
    /// The anchor that this line names in place of its own journal's, if it begins the journal of another game.
    pub(super) foreign: Option<Digest>,
}

impl Scan {
    /// The fault of the journal, unless it is only an interrupted append.
    pub(super) fn damage(&self) -> Option<&Flaw> {
        self.flaw.as_ref().filter(|flaw| !flaw.torn)
    }

    /// The least number of lines that the journal had.
    pub(super) fn at_least(&self) -> u64 {
        self.flaw.as_ref().map_or(0, |flaw| flaw.highest).max(self.lines)
    }
}

/// Reads the journal at `path` and calls `each` with each whole line. A missing file is an empty journal.
pub(super) fn scan(
    path: &Path,
    name: &str,
    mut each: impl FnMut(&[u8], &JournalLine<'_>) -> Result<(), StoreError>,
) -> Result<Scan, StoreError> {
    let mut scan = Scan { lines: 0, bytes: 0, hash: line::anchor(name), flaw: None };
    let file = match regular::open_unlinked(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(scan),
        Err(e) => return Err(disk(path, "open")(e)),
    };
    let mut file = BufReader::new(file);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if file.read_until(b'\n', &mut bytes).map_err(disk(path, "read"))? == 0 {
            return Ok(scan);
        }
        if let Some(flaw) = &mut scan.flaw {
            if flaw.foreign.is_none() {
                flaw.highest = flaw.highest.max(line::read(&bytes).map_or(0, |line| line.n));
            }
            continue;
        }
        match chained(&bytes, &scan) {
            Ok(line) => {
                each(&bytes, &line)?;
                scan.lines = line.n;
                scan.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                scan.hash = line.hash;
            }
            Err(why) => {
                let first = line::read(&bytes).ok().filter(|line| line.n == 1 && scan.lines == 0);
                let foreign = first.map(|line| line.prev);
                let why = foreign.map_or(why, |_| BadLine::Foreign);
                scan.flaw = Some(Flaw { why, torn: !bytes.ends_with(b"\n"), highest: 0, foreign });
            }
        }
    }
}

/// Checks a copy of the mirror journal `name`: every line must be whole, and chained to the one before. Returns the number of lines, and the hash of
/// the last.
///
/// # Errors
/// The first line that isn't whole, and why, in words; or the copy can't be read.
pub fn verify(name: &str, mut journal: impl BufRead) -> Result<(u64, Digest), String> {
    let mut scan = Scan { lines: 0, bytes: 0, hash: line::anchor(name), flaw: None };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if journal.read_until(b'\n', &mut bytes).map_err(|e| e.to_string())? == 0 {
            return Ok((scan.lines, scan.hash));
        }
        let line = chained(&bytes, &scan).map_err(|why| format!("line {}: {why}", scan.lines + 1))?;
        (scan.lines, scan.hash) = (line.n, line.hash);
    }
}

fn chained<'a>(bytes: &'a [u8], before: &Scan) -> Result<JournalLine<'a>, BadLine> {
    let line = line::read(bytes)?;
    if line.n != before.lines + 1 || line.prev != before.hash {
        return Err(BadLine::Misplaced { wanted: before.lines + 1 });
    }
    Ok(line)
}

/// Whole lines to be added to the journal at a path.
pub(super) type Addition<'a> = (PathBuf, &'a [Vec<u8>]);

/// Appends whole lines to a journal and makes them durable with one sync.
pub(super) fn append(addition: Addition<'_>) -> Result<(), StoreError> {
    append_to_each(&[addition])?.into_iter().next().map_or(Ok(()), |(_, fault)| Err(fault))
}

/// Appends to several journals of one directory. All are written before the disk is waited for; the order in which they become durable is undefined.
/// Returns the index and the error of each journal that could not be written; all others are written and durable.
pub(super) fn append_to_each(additions: &[Addition<'_>]) -> Result<Vec<(usize, StoreError)>, StoreError> {
    let (mut failed, mut first) = (Vec::new(), 0);
    for some in additions.chunks(OPEN_AT_ONCE) {
        let new = some.iter().find(|(path, _)| !path.exists());
        let mut grown = Vec::new();
        for (n, (path, lines)) in (first..).zip(some) {
            match grow(path, lines) {
                Ok(file) => grown.push((n, path, file)),
                Err(fault) => failed.push((n, fault)),
            }
        }
        let (mut written, mut files) = (Vec::new(), Vec::new());
        for (n, path, file) in grown {
            // The files are synced by other threads, and a test's plan counts calls in its own thread only, so the fault point is called here.
            match fault::point("store.mirror.sync") {
                Ok(()) => {
                    written.push((n, path));
                    files.push(file);
                }
                Err(error) => failed.push((n, disk(path, "sync")(error))),
            }
        }
        for (place, error) in regular::sync_each(files, File::sync_data) {
            failed.extend(written.get(place).map(|(n, path)| (*n, disk(path, "sync")(error))));
        }
        if let Some(dir) = new.and_then(|(path, _)| path.parent()) {
            sync_dir(dir)?;
        }
        first += some.len();
    }
    Ok(failed)
}

/// Writes whole lines at the end of a journal; they are not yet durable.
fn grow(path: &Path, lines: &[Vec<u8>]) -> Result<File, StoreError> {
    let mut file = regular::append(path).map_err(disk(path, "open"))?;
    fault::point("store.mirror.append")
        .and_then(|()| lines.iter().try_for_each(|line| file.write_all(line)))
        .map_err(disk(path, "write to"))?;
    Ok(file)
}

/// The length of a journal in bytes. The journal has to be a file.
pub(super) fn length(path: &Path) -> Result<u64, StoreError> {
    let meta = regular::open_unlinked(path).and_then(|file| file.metadata());
    Ok(meta.map_err(disk(path, "open"))?.len())
}

/// Cuts the journal after its first `bytes`.
pub(super) fn cut(path: &Path, bytes: u64) -> Result<(), StoreError> {
    let file = regular::append(path).map_err(disk(path, "open"))?;
    fault::point("store.mirror.cut")
        .and_then(|()| file.set_len(bytes))
        .and_then(|()| file.sync_all())
        .map_err(disk(path, "shorten"))
}

//! The spool: a message is safe here before its mailbox is told, and stays for good after it was handled.
//!
//! `new/` holds the messages that wait, `done/` those that were handled, `other/` mail that belongs to no game ([`Aside`](super::Aside)), `tmp/`
//! files that are being written. A message's name consists of its time of arrival and the hash of its bytes, so keeping the same message again
//! changes nothing, and the names sort by arrival.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rustix::io::Errno;
use sha2::{Digest, Sha256};

use super::{Arrived, HEAD_BYTES, Keep, KeepError, Raw, fsio};
use musterd_disk::{fault, regular};

/// The largest file of the spool that is read, in bytes: no configuration keeps larger messages.
const LARGEST: u64 = 128 << 20;
/// The number of messages that are synced at the same time; each is an open file.
const SYNCED_TOGETHER: usize = 64;

/// A directory of received messages.
#[derive(Debug, Clone)]
pub struct Spool {
    root: PathBuf,
    /// Held while messages get their final names and while the names are listed. If a listing missed a message and contained a later one, they would
    /// be handled in the wrong order.
    names: Arc<Mutex<()>>,
}

/// A message that waits in the spool. Ordered by arrival, then by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pending {
    /// When it arrived, in seconds since 1970 UTC.
    pub arrived: i64,
    /// Its file name in the spool: `<arrived>-<hash>.eml`, or `<arrived>-<hash>.<size>.head` if it was over the limit.
    pub name: String,
}

impl Pending {
    fn parse(name: &str) -> Option<Self> {
        let (arrived, rest) = name.split_once('-')?;
        let known = rest.ends_with(".eml") || oversize_of(name).is_some();
        known.then_some(Self { arrived: arrived.parse().ok()?, name: name.to_owned() })
    }
}

/// The full size of a truncated message, as its name states it.
fn oversize_of(name: &str) -> Option<u64> {
    name.strip_suffix(".head")?.rsplit_once('.')?.1.parse().ok()
}

/// Whether a read error concerns that file only. A file that exists but can't be found is a link that leads nowhere.
fn is_of_one_file(error: &io::Error, is_here: bool) -> bool {
    match error.kind() {
        io::ErrorKind::Other | io::ErrorKind::FileTooLarge => true,
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => is_here,
        _ => error.raw_os_error() == Some(Errno::LOOP.raw_os_error()),
    }
}

/// Whether these are the bytes that a message of this name was kept with: the name contains their hash.
pub fn is_as_kept(name: &str, bytes: &[u8]) -> bool {
    let wanted = name.split_once('-').and_then(|(_, rest)| rest.split_once('.')).map(|(hash, _)| hash);
    let found = match oversize_of(name) {
        None => hash(&[bytes]),
        Some(size) => hash(&[bytes, &size.to_be_bytes()]),
    };
    wanted == Some(&found)
}

fn hash(parts: &[&[u8]]) -> String {
    let mut sha = Sha256::new();
    for part in parts {
        sha.update(part);
    }
    sha.finalize().iter().take(16).map(|b| format!("{b:02x}")).collect()
}

/// The name of a message in the spool.
fn name_of(message: &Arrived) -> String {
    // A time before 1970 is a server's error, and would sort wrongly.
    let arrived = message.arrived.max(0);
    match &message.raw {
        Raw::Whole(raw) => format!("{arrived:010}-{}.eml", hash(&[raw])),
        Raw::Oversize { head, size } => {
            format!("{arrived:010}-{}.{size}.head", hash(&[head, &size.to_be_bytes()]))
        }
    }
}

impl Spool {
    /// Opens the spool in this directory, and creates it if it is missing.
    ///
    /// # Errors
    /// A directory could not be made.
    pub fn open(root: &Path) -> Result<Self, KeepError> {
        let spool = Self { root: root.to_owned(), names: Arc::default() };
        for part in ["tmp", "new", "done"] {
            let dir = spool.dir(part);
            fsio::create_private_dir(&dir).map_err(|e| failed(&dir, e))?;
        }
        fsio::sync_dir_and_name(root).map_err(|e| failed(root, e))?;
        Ok(spool)
    }

    fn dir(&self, part: &str) -> PathBuf {
        self.root.join(part)
    }

    /// Removes the files in `tmp/` that killed writers left. The daemon calls it when it starts. A `deliver` that is writing at this very moment
    /// fails, and its mail server tries again.
    ///
    /// # Errors
    /// The directory could not be read or a file not removed.
    pub fn sweep(&self) -> Result<usize, KeepError> {
        let tmp = self.dir("tmp");
        let removed = fs::read_dir(&tmp).and_then(|entries| {
            let files = entries.filter(|entry| !entry.as_ref().is_ok_and(|entry| entry.path().is_dir()));
            files.map(|entry| fs::remove_file(entry?.path())).collect::<io::Result<Vec<_>>>()
        });
        removed.map(|all| all.len()).map_err(|e| failed(&tmp, e))
    }

    /// All waiting messages, in order of arrival, and within a second in the order in which they were kept. Other files are ignored.
    ///
    /// # Errors
    /// The directory could not be read.
    pub fn pending(&self) -> Result<Vec<Pending>, KeepError> {
        Ok(self.waiting()?.0)
    }

    /// The messages of [`Self::pending`], and the names of other things in the directory, sorted.
    ///
    /// # Errors
    /// The directory could not be read.
    pub fn waiting(&self) -> Result<(Vec<Pending>, Vec<String>), KeepError> {
        let dir = self.dir("new");
        let (mut found, mut strays) = (Vec::new(), Vec::new());
        let _names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        for entry in fs::read_dir(&dir).map_err(|e| failed(&dir, e))? {
            let entry = entry.map_err(|e| failed(&dir, e))?;
            match entry.file_name().to_str().and_then(Pending::parse) {
                Some(message) => {
                    let kept =
                        entry.metadata().and_then(|meta| meta.modified()).map_err(|e| failed(&dir, e))?;
                    found.push((message.arrived, kept, message));
                }
                None => strays.push(entry.file_name().to_string_lossy().into_owned()),
            }
        }
        found.sort();
        strays.sort();
        Ok((found.into_iter().map(|(_, _, message)| message).collect(), strays))
    }

    /// The names of all messages. Those that wait come last, in their order. Messages that arrive or are handled meanwhile may be among them or not;
    /// none is there twice.
    ///
    /// # Errors
    /// A directory could not be read.
    pub fn all(&self) -> Result<Vec<String>, KeepError> {
        // `new/` is read first, because messages move from there to `done/`, which is read later.
        let mut names: Vec<String> = self.pending()?.into_iter().map(|message| message.name).collect();
        let waiting: BTreeSet<String> = names.iter().cloned().collect();
        let dir = self.dir("done");
        let mut done = Vec::new();
        for entry in fs::read_dir(&dir).map_err(|e| failed(&dir, e))? {
            let name = entry.map_err(|e| failed(&dir, e))?.file_name();
            let name = name.to_str().and_then(Pending::parse).map(|message| message.name);
            done.extend(name.filter(|name| !waiting.contains(name)));
        }
        done.sort();
        done.append(&mut names);
        Ok(done)
    }

    /// The messages that were handled and don't wait, in no order.
    ///
    /// # Errors
    /// The directory could not be read.
    pub fn dealt_with(&self) -> Result<Vec<Pending>, KeepError> {
        let (dir, waiting) = (self.dir("done"), self.dir("new"));
        let mut found = Vec::new();
        for entry in fs::read_dir(&dir).map_err(|e| failed(&dir, e))? {
            let name = entry.map_err(|e| failed(&dir, e))?.file_name();
            found.extend(name.to_str().and_then(Pending::parse));
        }
        found.retain(|message| !waiting.join(&message.name).exists());
        Ok(found)
    }

    /// Changes the dates of waiting messages that claim to have arrived at `until` or before, because the clock was wrong then: they count as having
    /// arrived at `at`. They keep their order.
    ///
    /// # Errors
    /// A file could not be moved; the files before it have been moved.
    pub fn redate(&self, until: i64, at: i64) -> Result<usize, KeepError> {
        let new = self.dir("new");
        let wrong: Vec<Pending> =
            self.pending()?.into_iter().filter(|message| message.arrived <= until).collect();
        for message in &wrong {
            let Some((_, rest)) = message.name.split_once('-') else { continue };
            let from = new.join(&message.name);
            fsio::rename(&from, &new.join(format!("{at:010}-{rest}"))).map_err(|e| failed(&from, e))?;
        }
        if !wrong.is_empty() {
            fsio::sync_dir(&new).map_err(|e| failed(&new, e))?;
        }
        Ok(wrong.len())
    }

    /// Reads a message that waits or was handled.
    ///
    /// # Errors
    /// It is in neither directory, can't be read, or differs from the message that was kept.
    pub fn read(&self, message: &Pending) -> Result<Arrived, KeepError> {
        let path = self.dir("new").join(&message.name);
        let is_here = fs::symlink_metadata(&path).is_ok();
        let bytes = match regular::read(&path, LARGEST) {
            Err(e) if e.kind() == io::ErrorKind::NotFound && !is_here => {
                regular::read(&self.dir("done").join(&message.name), LARGEST)
            }
            other => other,
        };
        let bytes = match bytes {
            // There is a directory, a pipe or a link in its place, or a file that can't be opened or is much too large: this concerns only this mail,
            // and is no fault of the disk.
            Err(e) if is_of_one_file(&e, is_here) => return Err(KeepError::Altered(path)),
            other => other.map_err(|e| failed(&path, e))?,
        };
        if !is_as_kept(&message.name, &bytes) {
            return Err(KeepError::Altered(path));
        }
        let raw = match oversize_of(&message.name) {
            None => Raw::Whole(bytes),
            Some(size) => Raw::Oversize { head: bytes, size },
        };
        Ok(Arrived { raw, arrived: message.arrived, source: "spool".to_owned() })
    }

    /// Moves messages to `done/`, one by one, after their effect is in the store, and syncs once for all of them. Doing it again is harmless: a power
    /// cut before the sync may bring a message back, which is then moved again.
    ///
    /// # Errors
    /// A file could not be moved; the files before it have been moved.
    pub fn done(&self, messages: &[Pending]) -> Result<(), KeepError> {
        let (new, done) = (self.dir("new"), self.dir("done"));
        for message in messages {
            let (from, to) = (new.join(&message.name), done.join(&message.name));
            match fsio::rename(&from, &to) {
                Err(e) if e.kind() == io::ErrorKind::NotFound && to.exists() => {}
                Err(e) => return Err(failed(&from, e)),
                Ok(()) => {}
            }
        }
        // A power cut before this does no harm: the store knows such a message as handled.
        [done, new].iter().try_for_each(|dir| fsio::sync_dir(dir).map_err(|e| failed(dir, e)))
    }

    /// Puts a waiting message behind those that are being kept now. They stand before it in its mailbox; a power cut has removed them and left it.
    fn put_behind(&self, at: &Path) -> io::Result<()> {
        let _names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        match File::open(at) {
            // It was handled meanwhile.
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            file => {
                let file = file?;
                put_in_order(&file)?;
                fsio::finish_sync(&file)
            }
        }
    }

    /// Writes one message to a temporary file. The disk begins to write it and need not have finished.
    fn write(&self, name: &str, message: &Arrived) -> io::Result<(Fresh, File)> {
        let path = self.dir("tmp").join(format!("{name}.{}", unique()));
        let (Raw::Whole(bytes) | Raw::Oversize { head: bytes, .. }) = &message.raw;
        let fresh = Fresh { path, is_placed: false };
        let file = fsio::write_unsynced(&fresh.path, bytes)?;
        put_in_order(&file)?;
        fsio::begin_sync(&file);
        Ok((fresh, file))
    }
}

/// A message on its way into the spool.
struct Written {
    fresh: Fresh,
    at: PathBuf,
}

/// A temporary file, which is removed with this value unless it got its final name: half a message is of no use, and on a full disk its space is
/// needed.
struct Fresh {
    path: PathBuf,
    is_placed: bool,
}

impl Fresh {
    fn place(mut self, at: &Path) -> io::Result<()> {
        fsio::rename(&self.path, at)?;
        self.is_placed = true;
        Ok(())
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if !self.is_placed {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Spool {
    /// The path of a message that waits or was handled, for callers that move it elsewhere.
    pub fn place_of(&self, message: &Pending) -> PathBuf {
        let new = self.dir("new").join(&message.name);
        if new.exists() { new } else { self.dir("done").join(&message.name) }
    }
}

impl Keep for Spool {
    fn keep(&mut self, batch: &[Arrived]) -> Result<(), KeepError> {
        let (new, done, other) = (self.dir("new"), self.dir("done"), self.dir("other"));
        let mut is_one_new = false;
        for messages in batch.chunks(SYNCED_TOGETHER) {
            let (mut written, mut files): (Vec<Written>, _) = (Vec::new(), Vec::new());
            for message in messages {
                let name = name_of(message);
                let at = new.join(&name);
                if written.iter().any(|w| w.at == at) {
                    continue;
                }
                if at.exists() {
                    if is_one_new {
                        self.put_behind(&at).map_err(|e| failed(&at, e))?;
                    }
                    continue;
                }
                if [&done, &other].into_iter().any(|dir| dir.join(&name).exists()) {
                    continue;
                }
                is_one_new = true;
                let (fresh, file) = self.write(&name, message).map_err(|e| failed(&at, e))?;
                written.push(Written { fresh, at });
                files.push(file);
            }
            // All files are being written before the first is waited for, so that they share the commits of the file system's journal.
            fsio::finish_sync_of_each(files)
                .map_err(|(n, e)| failed(written.get(n).map_or(new.as_path(), |message| &message.at), e))?;
            let _names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
            for Written { fresh, at } in written {
                fresh.place(&at).map_err(|e| failed(&at, e))?;
            }
        }
        // This is done even if nothing was written: an earlier run may have died between its renames and this step.
        fsio::sync_dir(&new).map_err(|e| failed(&new, e))
    }
}

/// Makes a file's modification time later than that of every file kept before it, so that messages which arrived in the same second keep the order of
/// their mailbox: the last orders count.
fn put_in_order(file: &File) -> io::Result<()> {
    static LAST: Mutex<SystemTime> = Mutex::new(SystemTime::UNIX_EPOCH);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let modified = file.metadata()?.modified()?;
    if modified > *last {
        *last = modified;
    } else {
        *last += Duration::from_micros(1);
        file.set_modified(*last)?;
    }
    Ok(())
}

/// A unique part for the names of temporary files, for processes and threads that keep the same message at the same time.
fn unique() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn failed(path: &Path, error: io::Error) -> KeepError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => KeepError::DiskFull(path.to_owned()),
        _ => KeepError::Io { path: path.to_owned(), error },
    }
}

/// Takes one message from a mail server's pipe and keeps it. `arrived` is the caller's clock, in seconds since 1970 UTC.
///
/// # Errors
/// The input could not be read to its end or was empty, or the message could not be kept: the mail server must try again.
pub fn deliver(keep: &mut dyn Keep, input: &mut dyn Read, limit: u64, arrived: i64) -> Result<(), KeepError> {
    let raw = fault::point("pipe.read").and_then(|()| read_limited(input, limit, None));
    let raw = raw.map_err(|error| KeepError::Io { path: PathBuf::from("standard input"), error })?;
    // A closed input looks like an empty one, and an empty text is not a mail.
    if matches!(&raw, Raw::Whole(bytes) if bytes.is_empty()) {
        return Err(KeepError::Nothing);
    }
    keep.keep(&[Arrived { raw, arrived, source: "pipe".to_owned() }])
}

/// Reads a message up to the limit. For a larger message, reads the head, and gives the size as stated or counted.
pub(super) fn read_limited(input: &mut dyn Read, limit: u64, size: Option<u64>) -> io::Result<Raw> {
    let head_bytes = HEAD_BYTES as u64;
    let mut bytes = Vec::new();
    match size {
        Some(size) if size > limit => {
            input.take(head_bytes).read_to_end(&mut bytes)?;
            Ok(Raw::Oversize { head: bytes, size })
        }
        _ => {
            let read = input.take(limit.saturating_add(1)).read_to_end(&mut bytes)? as u64;
            if read <= limit {
                return Ok(Raw::Whole(bytes));
            }
            bytes.truncate(HEAD_BYTES);
            Ok(Raw::Oversize { head: bytes, size: read + io::copy(input, &mut io::sink())? })
        }
    }
}

/// Reads a file up to the limit. A file that was replaced by a link or a pipe since its directory was read is refused: it could lead to the secrets
/// of this host, or block for ever.
pub(super) fn read_file_limited(path: &Path, limit: u64) -> io::Result<Raw> {
    let mut file = regular::open_unlinked(path)?;
    let size = file.metadata()?.len();
    read_limited(&mut file, limit, Some(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_became_a_link_or_a_pipe_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| dir.path().join(name));
        fs::write(&file, "a mail").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(read_file_limited(&file, 100).is_ok());
        assert!(read_file_limited(&link, 100).is_err());
        assert!(read_file_limited(&pipe, 100).is_err());
    }
}

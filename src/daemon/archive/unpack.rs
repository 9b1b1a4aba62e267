//! Restoring a backup into an empty directory.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{Digesting, FileMark, LARGEST_MANIFEST, MANIFEST, Manifest, VERSION, is_safe};
use crate::HostError;
use crate::books::decided;
use crate::config;
use crate::config::disk;
use musterd_store::{self as store, Ledger as _, Records as _, Store};

/// What was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What the archive said that it holds.
    pub manifest: Manifest,
    /// Mails received that wait to be dealt with.
    pub mails_waiting: usize,
    /// Mails received that were dealt with before the backup.
    pub mails_done: usize,
    /// Mails that wait to be sent.
    pub outbox: u64,
}

/// How archives begin that were packed by another program, and what unpacks them.
const PACKED: [(&[u8], &str); 4] = [
    (b"\x1f\x8b", "gunzip -c"),
    (b"\xfd7zXZ", "xz -dc"),
    (b"\x28\xb5\x2f\xfd", "zstd -dc"),
    (b"BZh", "bunzip2 -c"),
];

/// Restores an archive into `dir`, which must be empty or missing. The configuration is written last: a directory without it is no
/// data directory, so that half a restore is never taken for a whole one.
///
/// # Errors
/// The archive isn't what its manifest says; the directory isn't empty; the disk. Nothing is left in the directory then.
pub fn restore(archive: &Path, dir: &Path) -> Result<Restored, HostError> {
    let taken = |e: io::Error| HostError::io(dir, e);
    match fs::read_dir(dir) {
        Ok(mut files) => {
            if files.next().is_some() {
                return Err(HostError::usage(format!(
                    "{} isn't empty: a backup is restored into an empty directory or a new one (--to names it)",
                    dir.display()
                )));
            }
            disk::alone(dir)?;
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) => return Err(taken(e)),
    }
    let (archive, file): (&Path, Box<dyn Read>) = match archive.to_str() {
        Some("-") => (Path::new("standard input"), Box::new(io::stdin().lock())),
        _ => (archive, Box::new(File::open(archive).map_err(|e| HostError::io(archive, e))?)),
    };
    let mut file = BufReader::new(file);
    let beginning = file.fill_buf().map_err(|e| HostError::io(archive, e))?;
    if let Some((_, program)) = PACKED.iter().find(|(magic, _)| beginning.starts_with(magic)) {
        return Err(HostError::Archive {
            path: archive.to_owned(),
            reason: format!(
                "it is packed: unpack it first, or on the way: `{program} {} | musterd restore - --to DIR`",
                archive.display()
            ),
        });
    }
    let made = !dir.exists();
    DirBuilder::new().recursive(true).mode(0o700).create(dir).map_err(taken)?;
    let restored = Restoring { archive, dir }.all(file);
    if restored.is_err() {
        // What is left of it could be taken for a data directory.
        let _ = clear(dir);
        if made {
            let _ = fs::remove_dir(dir);
        }
    }
    restored
}

fn clear(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
    }
    Ok(())
}

struct Restoring<'a> {
    archive: &'a Path,
    dir: &'a Path,
}

impl Restoring<'_> {
    fn all(&self, file: impl Read) -> Result<Restored, HostError> {
        let mut tar = tar::Archive::new(file);
        // Nothing of the format's extensions is wanted, such as names of any length.
        let entries = tar.entries().map_err(|e| self.broken(&e.to_string()))?;
        let mut entries = entries.raw(true);
        let mut next = || -> Result<Option<_>, HostError> {
            let entry = entries.next().transpose().map_err(|e| self.broken(&e.to_string()))?;
            Ok(entry)
        };
        let manifest = match next() {
            Ok(Some(entry)) => self.manifest(entry)?,
            Err(_) => return Err(self.broken("it is no backup of musterd: those are tar files")),
            Ok(None) => return Err(self.broken("it is empty")),
        };
        let mut configuration = None;
        for mark in &manifest.files {
            let Some(entry) = next()? else {
                return Err(self.broken(&format!("it ends before `{}`", mark.path)));
            };
            if mark.path == config::FILE {
                let mut bytes = Vec::new();
                self.copy(entry, mark, &mut bytes)?;
                configuration = Some(bytes);
            } else {
                let mut file = self.create(&mark.path)?;
                self.copy(entry, mark, &mut file)?;
                file.sync_all().map_err(|e| HostError::io(&self.dir.join(&mark.path), e))?;
            }
        }
        if next()?.is_some() {
            return Err(self.broken("it holds more than its manifest says"));
        }
        self.nothing_more(tar.into_inner())?;
        let configuration = configuration.ok_or_else(|| self.broken("it holds no configuration"))?;
        let restored = self.rebuild(manifest)?;
        let path = self.dir.join(config::FILE);
        let mut file = self.create(config::FILE)?;
        file.write_all(&configuration).and_then(|()| file.sync_all()).map_err(|e| HostError::io(&path, e))?;
        self.sync_dir(self.dir)?;
        Ok(restored)
    }

    /// Looks whether only zeros follow, with which other programs fill an archive up.
    fn nothing_more(&self, mut rest: impl Read) -> Result<(), HostError> {
        let mut piece = vec![0; 64 * 1024];
        loop {
            match rest.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(count) if piece.iter().take(count).all(|byte| *byte == 0) => {}
                Ok(_) => return Err(self.broken("something that is no part of it stands behind its end")),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.broken(&e.to_string())),
            }
        }
    }

    fn manifest(&self, mut entry: tar::Entry<'_, impl Read>) -> Result<Manifest, HostError> {
        let foreign = || self.broken("it is no backup of musterd: those begin with a manifest");
        let is_manifest = entry.path().is_ok_and(|path| path == Path::new(MANIFEST));
        if !is_manifest || !entry.header().entry_type().is_file() || entry.size() > LARGEST_MANIFEST {
            return Err(foreign());
        }
        let mut text = Vec::new();
        entry.read_to_end(&mut text).map_err(|e| self.broken(&e.to_string()))?;
        let manifest: Manifest = serde_json::from_slice(&text)
            .map_err(|e| self.broken(&format!("its manifest can't be read: {e}")))?;
        if manifest.backup > VERSION || manifest.format > store::FORMAT {
            return Err(self.broken(&format!(
                "it was made by musterd {}, which is newer than this one: restore it with that version",
                manifest.program
            )));
        }
        let mut paths = BTreeSet::new();
        if let Some(bad) =
            manifest.files.iter().find(|mark| !is_safe(&mark.path) || !paths.insert(&mark.path))
        {
            return Err(
                self.broken(&format!("`{}` is no path for a file of a backup", bad.path.escape_default()))
            );
        }
        let needed = manifest.files.iter().fold(0_u64, |sum, mark| sum.saturating_add(mark.bytes));
        let space = disk::space(self.dir).map_err(|e| HostError::io(self.dir, e))?;
        if needed > space.free {
            return Err(HostError::Archive {
                path: self.dir.to_owned(),
                reason: format!(
                    "the backup needs {} MB there, and {} MB are free: make room, or choose another disk",
                    needed.div_ceil(1_000_000),
                    space.free_megabytes()
                ),
            });
        }
        Ok(manifest)
    }

    /// Copies an entry that has to be what the manifest says of it.
    fn copy(
        &self,
        entry: tar::Entry<'_, impl Read>,
        mark: &FileMark,
        to: &mut dyn Write,
    ) -> Result<(), HostError> {
        let path = &mark.path;
        let named = entry.path().is_ok_and(|found| found == Path::new(path));
        if !named || !entry.header().entry_type().is_file() || entry.size() != mark.bytes {
            return Err(self.broken(&format!("where its manifest says `{path}` it holds something else")));
        }
        let mut source = Digesting::new(entry);
        io::copy(&mut source, to).map_err(|e| HostError::io(&self.dir.join(path), e))?;
        if source.finish() != (mark.bytes, mark.sha256.clone()) {
            return Err(self.broken(&format!(
                "`{path}` in it isn't what its manifest says: it was altered or cut short"
            )));
        }
        Ok(())
    }

    fn create(&self, path: &str) -> Result<File, HostError> {
        let path = self.dir.join(path);
        if let Some(parent) = path.parent() {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(parent);
            made.map_err(|e| HostError::io(parent, e))?;
        }
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        file.map_err(|e| HostError::io(&path, e))
    }

    /// Makes the database, and puts every mail where it belongs.
    fn rebuild(&self, manifest: Manifest) -> Result<Restored, HostError> {
        // There may have been none.
        let (new, done) = (self.dir.join("spool/new"), self.dir.join("spool/done"));
        for folder in [&new, &done, &self.dir.join("spool/tmp")] {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.map_err(|e| HostError::io(folder, e))?;
        }
        let (store, recovery) = Store::open(self.dir)?;
        recovery.whole().map_err(|e| self.broken(&e.to_string()))?;
        for (name, lines, hash, _) in store.mirrors()? {
            let same =
                manifest.snapshot.mirrors.get(&name).is_some_and(|m| (m.lines, m.hash) == (lines, hash));
            if !same {
                return Err(
                    self.broken(&format!("the journal of `{name}` in it isn't the one that was backed up"))
                );
            }
        }
        // Of a mail that had its effect after the moment of the backup it is known for which turn: there it has it again.
        let decided = decided::read(self.dir, |_| true)?;
        let (mut waiting, mut dealt_with, mut held) = (0, 0, !manifest.snapshot.held.is_empty());
        for mark in &manifest.files {
            let Some(name) = mark.path.strip_prefix("spool/new/") else { continue };
            let path = new.join(name);
            if store.handled(name)? {
                dealt_with += 1;
                fs::rename(&path, done.join(name)).map_err(|e| HostError::io(&path, e))?;
            } else if decided.contains_key(name) {
                waiting += 1;
                held = true;
                fs::rename(&path, done.join(name)).map_err(|e| HostError::io(&path, e))?;
            } else {
                keep_order(&path, waiting).map_err(|e| HostError::io(&path, e))?;
                waiting += 1;
            }
        }
        let folders: BTreeSet<PathBuf> = manifest
            .files
            .iter()
            .filter_map(|mark| self.dir.join(&mark.path).parent().map(Path::to_owned))
            .chain([new, done])
            .collect();
        folders.iter().try_for_each(|folder| self.sync_dir(folder))?;
        // The next start looks at what is held.
        if !held {
            store.settle_rebuilding()?;
        }
        let outbox = store.outbox()?.waiting;
        Ok(Restored { manifest, mails_waiting: waiting, mails_done: dealt_with, outbox })
    }

    fn sync_dir(&self, dir: &Path) -> Result<(), HostError> {
        File::open(dir).and_then(|dir| dir.sync_all()).map_err(|e| HostError::io(dir, e))
    }

    fn broken(&self, why: &str) -> HostError {
        HostError::Archive {
            path: self.archive.to_owned(),
            reason: format!("{why}; nothing was restored, take another backup"),
        }
    }
}

/// Mails of one second are dealt with in the order of their files' times: the `n`th that waits gets the `n`th.
fn keep_order(mail: &Path, n: usize) -> io::Result<()> {
    let order = Duration::from_micros(u64::try_from(n).unwrap_or(u64::MAX));
    File::options().write(true).open(mail)?.set_modified(SystemTime::UNIX_EPOCH + order)
}

//! Opens the store: compares the database with the mirror journals and repairs either from the other.
//!
//! A commit goes to the database first and to the mirror journals second, and is acknowledged only then. So a mirror may be behind (the process died
//! between the two) or end in half a line; it is then completed from the database. But a database that is behind a mirror has lost something that was
//! acknowledged. Such a database is not trusted at all: it is set aside, and a new one is made from the mirrors. If a journal is damaged and the
//! database can't repair it, only its own game is affected: that game is set aside, and the others go on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::database::Database;
use super::keys;
use super::layout::{Layout, disk, free_name, private, private_dir, rename, sync_dir};
use super::mirror::{self, Flaw, Scan};
use super::staging::{Head, Staging, head};
use super::{HOST, StoreError};
use musterd_disk::fault;
use musterd_text::nouns::count;

/// The repairs made when the store was opened, a sentence each; empty after an ordinary stop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// The sentences.
    pub notes: Vec<String>,
    /// Games whose journal can't be used, with the reason. Nothing of them is shown, changed or sent until the journal is repaired.
    pub set_aside: BTreeMap<String, String>,
    /// Whether the database was rebuilt since the last call of [`Ledger::settle_rebuilding`](super::Ledger::settle_rebuilding). If the mirror
    /// journals were restored from a backup, the database knows less than the host did.
    pub rebuilt: bool,
}

impl Recovery {
    pub(super) fn set_aside(&mut self, name: &str, why: &StoreError) {
        self.set_aside.insert(name.to_owned(), why.to_string());
    }

    /// Fails if a game was set aside.
    ///
    /// # Errors
    /// The first game that was.
    pub fn whole(&self) -> Result<(), StoreError> {
        match self.set_aside.first_key_value() {
            Some((game, why)) => Err(StoreError::SetAside { game: game.clone(), why: why.clone() }),
            None => Ok(()),
        }
    }
}

/// The number of journal lines in one batch while a database is rebuilt.
const LINES_A_BATCH: u64 = 64;

/// Why the present database is not used, and a new one is made.
#[derive(Debug, thiserror::Error)]
enum Distrust {
    #[error("a rebuilding of the store was cut short")]
    CutShort,
    #[error("the store was missing")]
    Missing,
    #[error("the store had failed while in use")]
    Failed,
    #[error("the store could not be opened ({0})")]
    Unopened(String),
    #[error("the store could not be read ({0})")]
    Unread(String),
    /// It lacks lines of a mirror journal.
    #[error("the store had {has} of the {of} lines of the mirror journal of `{name}`")]
    Behind { name: String, has: u64, of: u64 },
}

/// Opens the database, which is then whole and agrees with every mirror that is not set aside.
pub(super) fn open(layout: &Layout, recovery: &mut Recovery) -> Result<Database, StoreError> {
    let database = mended(layout, recovery)?;
    recovery.rebuilt = layout.rebuilt().exists();
    Ok(database)
}

fn mended(layout: &Layout, recovery: &mut Recovery) -> Result<Database, StoreError> {
    let (path, condemned) = (layout.database(), layout.condemned());
    if path.exists() {
        // A directory that this process may not read would look like a missing one.
        private_dir(&path)?;
    }
    if !path.join("db").exists() {
        if layout.mirror_names()?.is_empty() {
            return Database::open(&path);
        }
        let cut_short = layout.rebuilding().exists();
        return rebuild(layout, &if cut_short { Distrust::CutShort } else { Distrust::Missing }, recovery);
    }
    if condemned.exists() {
        return rebuild(layout, &Distrust::Failed, recovery);
    }
    let database = match Database::open(&path) {
        Ok(database) => database,
        Err(StoreError::Damaged { why, .. }) => {
            return rebuild(layout, &Distrust::Unopened(why), recovery);
        }
        Err(e) => return Err(e),
    };
    match reconcile(layout, &database, recovery) {
        Ok(None) => Ok(database),
        Ok(Some(why)) => {
            drop(database);
            rebuild(layout, &why, recovery)
        }
        Err(StoreError::Damaged { why, .. }) => {
            drop(database);
            rebuild(layout, &Distrust::Unread(why), recovery)
        }
        Err(e) => Err(e),
    }
}

/// Compares every journal with the database and completes the mirrors. A journal that can't be repaired is set aside. Returns why the database can't
/// be trusted, if so.
fn reconcile(
    layout: &Layout,
    database: &Database,
    recovery: &mut Recovery,
) -> Result<Option<Distrust>, StoreError> {
    let mut names: BTreeSet<String> = layout.mirror_names()?.into_iter().collect();
    names.extend(heads(database)?);
    for name in names {
        let notes = &mut recovery.notes;
        let agreed = compare(layout, database, &name, notes).or_else(|fault| match layout.narrowed(fault) {
            fault if name == HOST && fault.is_of_one_journal() => hosts_anew(layout, database, fault, notes),
            fault => Err(fault),
        });
        match agreed {
            Ok(None) => {}
            Ok(behind) => return Ok(behind),
            Err(fault) if fault.is_of_one_journal() => recovery.set_aside(&name, &fault),
            Err(fault) => return Err(fault),
        }
    }
    Ok(None)
}

/// Compares one journal with the database, and completes it. Returns why the database can't be trusted, if so.
fn compare(
    layout: &Layout,
    database: &Database,
    name: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Distrust>, StoreError> {
    let path = layout.mirror(name);
    let mut scan = mirror::scan(&path, name, |_, _| Ok(()))?;
    let head = head(database, name)?;
    let is_beyond_the_store = head.lines == 0 || head.lines < scan.at_least();
    if let Some(flaw) = scan.damage().filter(|_| is_beyond_the_store) {
        if name == HOST {
            cut_hosts(&path, &scan, flaw, notes)?;
            scan.flaw = None;
        } else if head.lines == 0 {
            return Err(beyond_repair(layout, name, &scan, flaw));
        }
    }
    if head.lines < scan.at_least() {
        return Ok(Some(Distrust::Behind { name: name.to_owned(), has: head.lines, of: scan.at_least() }));
    }
    let same = if head.lines == scan.lines {
        head.hash == scan.hash
    } else {
        let next = database.line(name, scan.lines + 1)?;
        super::line::read(&next).map_err(|why| database.damaged(why.to_string()))?.prev == scan.hash
    };
    match same {
        true => mend(&path, name, database, &head, &scan, notes).map(|()| None),
        false => Err(StoreError::Diverged { file: path, line: scan.lines.max(1) }),
    }
}

/// Rewrites the host's own journal from the database if the present file can't be used: no game depends on it. If this fails too, the first error is
/// returned.
fn hosts_anew(
    layout: &Layout,
    database: &Database,
    fault: StoreError,
    notes: &mut Vec<String>,
) -> Result<Option<Distrust>, StoreError> {
    let path = layout.mirror(HOST);
    let Ok(aside) = layout.set_aside(&path) else { return Err(fault) };
    notes.push(format!("{fault}; it was moved to `{}` and is written anew from the store", aside.display()));
    compare(layout, database, HOST, notes).map_err(|fault| layout.narrowed(fault))
}

/// Brings a mirror journal to the state of the database. The journal is whole up to the end of `scan`; the database has at least as much.
fn mend(
    path: &Path,
    name: &str,
    database: &Database,
    head: &Head,
    scan: &Scan,
    notes: &mut Vec<String>,
) -> Result<(), StoreError> {
    match &scan.flaw {
        Some(flaw) if flaw.torn => cut_torn(path, scan, notes)?,
        // A commit reaches the database first, so the database has every line that was here.
        Some(flaw) => {
            let copy = keep_copy(path)?;
            notes.push(format!(
                "`{}` line {}: {}; mended from the store, the damaged file is kept as `{}`",
                path.display(),
                scan.lines + 1,
                flaw.why,
                copy.display()
            ));
            mirror::cut(path, scan.bytes)?;
        }
        None => {}
    }
    for n in scan.lines + 1..=head.lines {
        mirror::append((path.to_owned(), &[database.line(name, n)?]))?;
    }
    if head.lines > scan.lines {
        notes.push(format!(
            "`{}`: lines {} to {} were added from the store",
            path.display(),
            scan.lines + 1,
            head.lines
        ));
    }
    Ok(())
}

/// Makes a new database from the mirror journals, then sets the old one aside, if there is one. A marker records this until
/// [`Store::settle_rebuilding`](super::Store::settle_rebuilding). If the building fails, for example because the disk is full, the old database stays
/// in its place, so that the next opening tries again for the same reason.
fn rebuild(layout: &Layout, why: &Distrust, recovery: &mut Recovery) -> Result<Database, StoreError> {
    let (path, condemned, marker) = (layout.database(), layout.condemned(), layout.rebuilt());
    // Half a database is worthless, and the disk may be full. An error of removing it isn't reported; the first error is.
    let (building, journals) = build(layout, recovery).inspect_err(|_| drop(remove(&layout.rebuilding())))?;
    fault::point("store.rebuilt")
        .and_then(|()| private().create(true).truncate(true).open(&marker)?.sync_all())
        .map_err(disk(&marker, "write to"))?;
    let aside = if path.exists() { Some(layout.set_aside(&path)?) } else { None };
    // The marker of the failed database is removed neither earlier, while the old database is still in place, nor later, since the new one is good.
    if condemned.exists() {
        fs::remove_file(&condemned).map_err(disk(&condemned, "remove"))?;
    }
    sync_dir(layout.dir())?;
    rename(&building, &path)?;
    let kept = aside.map_or(String::new(), |aside| format!("; the old one is kept as `{}`", aside.display()));
    let journals = count(journals, "mirror journal");
    recovery.notes.push(format!("{why}: it was rebuilt from {journals}{kept}"));
    Database::open(&path)
}

/// Makes a new database from the mirror journals, and removes the old one when the new one is whole. Returns the number of journals. If this fails,
/// the old one stays.
pub(super) fn renew(layout: &Layout) -> Result<usize, StoreError> {
    let (path, replaced) = (layout.database(), layout.replaced());
    let mut recovery = Recovery::default();
    let (building, journals) = build(layout, &mut recovery)?;
    recovery.whole()?;
    remove(&replaced)?;
    rename(&path, &replaced)?;
    rename(&building, &path)?;
    remove(&replaced)?;
    Ok(journals)
}

/// Builds a database from the mirror journals in a separate place, without those that are damaged. Returns the number of journals too.
fn build(layout: &Layout, recovery: &mut Recovery) -> Result<(PathBuf, usize), StoreError> {
    let building = layout.rebuilding();
    let mut names = layout.mirror_names()?;
    recovery.set_aside.clear();
    loop {
        remove(&building)?;
        let database = Database::open(&building)?;
        let refilled = names.iter().map(|name| (name, refill(layout, name, &database, &mut recovery.notes)));
        let failed = refilled.into_iter().find_map(|(name, outcome)| Some((name.clone(), outcome.err()?)));
        match failed {
            None => {
                database.sync()?;
                return Ok((building, names.len()));
            }
            // Lines of this journal may be in the new database already, so building starts again without the journal.
            Some((name, fault)) => {
                let fault = layout.narrowed(fault);
                if !fault.is_of_one_journal() {
                    return Err(fault);
                }
                let moved = (name == HOST).then(|| layout.set_aside(&layout.mirror(HOST)));
                match moved {
                    Some(Ok(aside)) => recovery.notes.push(format!(
                        "{fault}; it was moved to `{}`: no game is touched, strangers may be answered twice",
                        aside.display()
                    )),
                    Some(Err(_)) | None => recovery.set_aside(&name, &fault),
                }
                names.retain(|other| *other != name);
            }
        }
    }
}

/// Removes a directory, if it exists.
fn remove(path: &Path) -> Result<(), StoreError> {
    if path.exists() { fs::remove_dir_all(path).map_err(disk(path, "remove")) } else { Ok(()) }
}

/// Copies a whole mirror journal into an empty database.
fn refill(
    layout: &Layout,
    name: &str,
    database: &Database,
    notes: &mut Vec<String>,
) -> Result<(), StoreError> {
    let path = layout.mirror(name);
    let mut staging = Staging::new(database);
    let scan = mirror::scan(&path, name, |bytes, line| {
        staging.line(name, bytes, line).map_err(|e| match e {
            StoreError::Unfit(why) => {
                StoreError::Mirror { file: path.clone(), line: line.n, why: why.to_string() }
            }
            other => other,
        })?;
        if line.n % LINES_A_BATCH == 0 {
            database.apply(std::mem::replace(&mut staging, Staging::new(database)).finish()?.batch)?;
        }
        Ok(())
    })?;
    database.apply(staging.finish()?.batch)?;
    match &scan.flaw {
        None => Ok(()),
        Some(flaw) if flaw.torn => cut_torn(&path, &scan, notes),
        Some(flaw) if name == HOST => cut_hosts(&path, &scan, flaw, notes),
        Some(flaw) => Err(beyond_repair(layout, name, &scan, flaw)),
    }
}

/// The names of the journals in the database.
pub(super) fn heads(database: &Database) -> Result<Vec<String>, StoreError> {
    let mut names = Vec::new();
    database.walk(keys::HEADS, keys::HEADS, |key, _| {
        names.push(String::from_utf8_lossy(&key[keys::HEADS.len()..]).into_owned());
        Ok(true)
    })?;
    Ok(names)
}

/// Cuts the remains of an interrupted append. They were never acknowledged.
fn cut_torn(path: &Path, scan: &Scan, notes: &mut Vec<String>) -> Result<(), StoreError> {
    notes.push(format!(
        "`{}` ended in the middle of line {}, as a crash leaves it: that part was cut off",
        path.display(),
        scan.lines + 1
    ));
    mirror::cut(path, scan.bytes)
}

/// Cuts the host's own journal before its damage: it says whom the host answered, and no game depends on it.
fn cut_hosts(path: &Path, scan: &Scan, flaw: &Flaw, notes: &mut Vec<String>) -> Result<(), StoreError> {
    let copy = keep_copy(path)?;
    notes.push(format!(
        "`{}` line {}: {}; it was cut there and the damaged file is kept as `{}`: no game is touched, strangers may be answered \
         twice",
        path.display(),
        scan.lines + 1,
        flaw.why,
        copy.display()
    ));
    mirror::cut(path, scan.bytes)
}

/// Copies a damaged file to another name; returns that name.
fn keep_copy(path: &Path) -> Result<PathBuf, StoreError> {
    let copy = free_name(path);
    fs::copy(path, &copy).map_err(disk(&copy, "write"))?;
    Ok(copy)
}

fn beyond_repair(layout: &Layout, name: &str, scan: &Scan, flaw: &Flaw) -> StoreError {
    let file = layout.mirror(name);
    match flaw.foreign {
        Some(anchor) => {
            let names = match layout.mirror_names() {
                Ok(names) => names,
                Err(fault) => return fault,
            };
            let whose = names.into_iter().find(|other| super::line::anchor(other) == anchor);
            StoreError::Foreign { file, name: name.to_owned(), whose }
        }
        None => StoreError::Mirror { file, line: scan.lines + 1, why: flaw.why.to_string() },
    }
}

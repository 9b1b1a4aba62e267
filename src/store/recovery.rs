//! Opening the store: comparing the database with the mirror journals and mending either from the other.
//!
//! A commit goes to the database first and to the mirror journals second, and is acknowledged only then. So a mirror may be
//! behind (the process died between the two) or end in half a line, and is topped up from the database; but a database that
//! is behind a mirror has lost something that was acknowledged. It is then not trusted in anything: it is set aside and
//! a new one is made from the mirrors.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::StoreError;
use super::database::Database;
use super::keys;
use super::layout::{Layout, disk, free_name, private_dir, rename, sync_dir};
use super::mirror::{self, Flaw, Scan};
use super::staging::{Head, Staging, head};

/// Lines of a journal that go into one batch while a database is rebuilt.
const LINES_A_BATCH: u64 = 64;

/// Opens the database, whole and agreeing with every mirror; `notes` says what had to be mended.
pub(super) fn open(layout: &Layout, notes: &mut Vec<String>) -> Result<Database, StoreError> {
    let (path, condemned) = (layout.database(), layout.condemned());
    if path.exists() {
        // One that is shut to us looks like one that is missing.
        private_dir(&path)?;
    }
    if !path.join("db").exists() {
        // Nothing yet; or a rebuilding was cut short after the old database was set aside.
        if layout.mirror_names()?.is_empty() {
            return Database::open(&path);
        }
        return rebuild(layout, "the store was missing", notes);
    }
    if condemned.exists() {
        return rebuild(layout, "the store had failed while in use", notes);
    }
    let database = match Database::open(&path) {
        Ok(database) => database,
        Err(StoreError::Damaged { why, .. }) => {
            return rebuild(layout, &format!("the store could not be opened ({why})"), notes);
        }
        Err(e) => return Err(e),
    };
    match reconcile(layout, &database, notes) {
        Ok(None) => Ok(database),
        Ok(Some(why)) => {
            drop(database);
            rebuild(layout, &why, notes)
        }
        Err(StoreError::Damaged { why, .. }) => {
            drop(database);
            rebuild(layout, &format!("the store could not be read ({why})"), notes)
        }
        Err(e) => Err(e),
    }
}

/// Compares every journal with the database and tops up the mirrors. The answer: why the database can't be trusted.
fn reconcile(
    layout: &Layout,
    database: &Database,
    notes: &mut Vec<String>,
) -> Result<Option<String>, StoreError> {
    let mut names: BTreeSet<String> = layout.mirror_names()?.into_iter().collect();
    names.extend(heads(database)?);
    for name in names {
        let path = layout.mirror(&name);
        let scan = mirror::scan(&path, &name, |_, _| Ok(()))?;
        let head = head(database, &name)?;
        if head.lines < scan.lines {
            return Ok(Some(format!(
                "the store had {} of the {} lines of the mirror journal of `{name}`",
                head.lines, scan.lines
            )));
        }
        let same = if head.lines == scan.lines {
            head.hash == scan.hash
        } else {
            let next = database.line(&name, scan.lines + 1)?;
            super::line::read(&next).map_err(|why| database.damaged(why))?.prev == scan.hash
        };
        if !same {
            return Err(StoreError::Diverged { file: path, line: scan.lines.max(1) });
        }
        mend(&path, &name, database, &head, &scan, notes)?;
    }
    Ok(None)
}

/// Brings a mirror journal, whole up to where `scan` says, to the state of the database, which has that much or more.
fn mend(
    path: &Path,
    name: &str,
    database: &Database,
    head: &Head,
    scan: &Scan,
    notes: &mut Vec<String>,
) -> Result<(), StoreError> {
    if let Some(flaw) = &scan.flaw {
        if flaw.followers > 0 {
            // More than an interrupted append. A commit reaches the store first, so it has every line that stood here, unless a whole
            // one shows that it has lost some.
            if head.lines < flaw.highest {
                return Err(beyond_repair(path, scan, flaw));
            }
            let copy = free_name(path);
            fs::copy(path, &copy).map_err(disk(&copy, "write"))?;
            notes.push(format!(
                "`{}` line {}: {}; mended from the store, the damaged file is kept as `{}`",
                path.display(),
                scan.lines + 1,
                flaw.why,
                copy.display()
            ));
        } else {
            notes.push(cut_note(path, scan));
        }
        mirror::cut(path, scan.bytes)?;
    }
    for n in scan.lines + 1..=head.lines {
        mirror::append(path, &[database.line(name, n)?])?;
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

/// Sets the database aside, if there is one, and makes a new one from the mirror journals.
fn rebuild(layout: &Layout, why: &str, notes: &mut Vec<String>) -> Result<Database, StoreError> {
    let (path, condemned) = (layout.database(), layout.condemned());
    let aside = if path.exists() { Some(layout.set_aside(&path)?) } else { None };
    if condemned.exists() {
        fs::remove_file(&condemned).map_err(disk(&condemned, "remove"))?;
        sync_dir(layout.dir())?;
    }
    let names = layout.mirror_names()?;
    let building = build(layout, &names, notes)?;
    rename(&building, &path)?;
    let kept = aside.map_or(String::new(), |aside| format!("; the old one is kept as `{}`", aside.display()));
    let journals =
        if names.len() == 1 { "1 mirror journal" } else { &format!("{} mirror journals", names.len()) };
    notes.push(format!("{why}: it was rebuilt from {journals}{kept}"));
    Database::open(&path)
}

/// Makes a new database from the mirror journals, and gives the old one up once the new one is whole; how many journals there
/// are. Where it fails the old one stands.
pub(super) fn renew(layout: &Layout) -> Result<usize, StoreError> {
    let (path, replaced) = (layout.database(), layout.replaced());
    let names = layout.mirror_names()?;
    let building = build(layout, &names, &mut Vec::new())?;
    remove(&replaced)?;
    rename(&path, &replaced)?;
    rename(&building, &path)?;
    remove(&replaced)?;
    Ok(names.len())
}

/// Makes a database from these mirror journals in a place of its own.
fn build(layout: &Layout, names: &[String], notes: &mut Vec<String>) -> Result<PathBuf, StoreError> {
    let building = layout.rebuilding();
    remove(&building)?;
    let database = Database::open(&building)?;
    for name in names {
        refill(&layout.mirror(name), name, &database, notes)?;
    }
    database.sync()?;
    Ok(building)
}

/// Removes a directory, if it is there.
fn remove(path: &Path) -> Result<(), StoreError> {
    if path.exists() { fs::remove_dir_all(path).map_err(disk(path, "remove")) } else { Ok(()) }
}

/// Puts a whole mirror journal into an empty database.
fn refill(path: &Path, name: &str, database: &Database, notes: &mut Vec<String>) -> Result<(), StoreError> {
    let mut staging = Staging::new(database);
    let scan = mirror::scan(path, name, |bytes, line| {
        staging.line(name, bytes, line).map_err(|e| match e {
            StoreError::Unfit(why) => StoreError::Mirror { file: path.to_owned(), line: line.n, why },
            other => other,
        })?;
        if line.n % LINES_A_BATCH == 0 {
            database.apply(std::mem::replace(&mut staging, Staging::new(database)).finish().batch)?;
        }
        Ok(())
    })?;
    database.apply(staging.finish().batch)?;
    match &scan.flaw {
        Some(flaw) if flaw.followers > 0 => Err(beyond_repair(path, &scan, flaw)),
        Some(_) => {
            notes.push(cut_note(path, &scan));
            mirror::cut(path, scan.bytes)
        }
        None => Ok(()),
    }
}

/// The names that the database has journals of.
pub(super) fn heads(database: &Database) -> Result<Vec<String>, StoreError> {
    let mut names = Vec::new();
    database.walk(keys::HEADS, keys::HEADS, |key, _| {
        names.push(String::from_utf8_lossy(&key[keys::HEADS.len()..]).into_owned());
        Ok(true)
    })?;
    Ok(names)
}

fn cut_note(path: &Path, scan: &Scan) -> String {
    format!(
        "`{}` ended in the middle of line {}, as a crash leaves it: that part was cut off",
        path.display(),
        scan.lines + 1
    )
}

fn beyond_repair(path: &Path, scan: &Scan, flaw: &Flaw) -> StoreError {
    StoreError::Mirror { file: path.to_owned(), line: scan.lines + 1, why: flaw.why.clone() }
}

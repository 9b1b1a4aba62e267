//! Files that are written as a whole or not at all, at a place that a user names. A file is new and readable for its owner only; it is written under
//! a random name in the same directory, and gets its own name when it is on the disk. A link at that name is not followed, and an existing file is
//! not truncated.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

use crate::fault::point;

/// The beginning and the end of the names of files that are being written. A process that was killed leaves such a file.
const UNFINISHED: (&str, &str) = (".musterd-", ".part");
/// How many random names are tried.
const NAMES_TRIED: u32 = 8;

/// The place of a file that exists or is to be written: an open directory, and a name in it. What was found out about the place stays true, whatever
/// becomes of the path that led there.
#[derive(Debug)]
pub struct FilePlace {
    folder: File,
    folder_path: PathBuf,
    name: OsString,
}

/// The identity of a file or directory, whatever path leads to it: its device and inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity(u64, u64);

/// What a name stands for at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nothing has the name.
    Free,
    /// A file.
    File,
    /// A symbolic link, wherever it leads.
    Link,
    /// A directory.
    Directory,
    /// A pipe, a socket, a device.
    Other,
}

impl Identity {
    fn of(stat: &Stat) -> Self {
        Self(stat.st_dev, stat.st_ino)
    }

    /// The identity of the file or directory at a path; `None` if there is none.
    pub fn at(path: &Path) -> Option<Self> {
        rustix::fs::stat(path).ok().as_ref().map(Self::of)
    }
}

impl FilePlace {
    /// The place of this path; its directory has to be there.
    ///
    /// # Errors
    /// The path doesn't end in a file name ([`io::ErrorKind::InvalidFilename`]); its directory can't be opened.
    pub fn of(path: &Path) -> io::Result<Self> {
        let (name, folder) = (path.file_name(), path.parent());
        // The paths `x/` and `x/.` have a file name too, which is that of a directory.
        let ends_in_name = name.is_some_and(|name| path.as_os_str().as_bytes().ends_with(name.as_bytes()));
        let (Some(name), Some(folder), true) = (name, folder, ends_in_name) else {
            return Err(io::ErrorKind::InvalidFilename.into());
        };
        let folder_path = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = File::from(rustix::fs::open(folder_path, flags, Mode::empty())?);
        Ok(Self { folder, folder_path: folder_path.to_owned(), name: name.to_owned() })
    }

    /// The directory's path, as it was given.
    pub fn folder(&self) -> &Path {
        &self.folder_path
    }

    /// The name in it.
    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// What the name stands for now.
    ///
    /// # Errors
    /// The directory can't be read.
    pub fn standing(&self) -> io::Result<Standing> {
        Ok(match self.stat(AtFlags::SYMLINK_NOFOLLOW)? {
            None => Standing::Free,
            Some(stat) => match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => Standing::File,
                FileType::Symlink => Standing::Link,
                FileType::Directory => Standing::Directory,
                _ => Standing::Other,
            },
        })
    }

    /// The identity of what has the name, and, if that is a link, of its target.
    ///
    /// # Errors
    /// The directory can't be read.
    pub fn identities(&self) -> io::Result<Vec<Identity>> {
        let own = self.stat(AtFlags::SYMLINK_NOFOLLOW)?;
        // A link that leads nowhere, or in a circle, has no target.
        let target = self.stat(AtFlags::empty()).ok().flatten();
        Ok(own.iter().chain(&target).map(Identity::of).collect())
    }

    /// The directory and all directories above it, from the innermost.
    ///
    /// # Errors
    /// One of them can't be reached.
    pub fn folders(&self) -> io::Result<Vec<Identity>> {
        folders_from(self.folder.try_clone()?.into())
    }

    fn stat(&self, flags: AtFlags) -> io::Result<Option<Stat>> {
        match rustix::fs::statat(&self.folder, &self.name, flags) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// A directory and all directories above it, from the innermost.
///
/// # Errors
/// One of them can't be reached.
pub fn folders_above(folder: &Path) -> io::Result<Vec<Identity>> {
    folders_from(rustix::fs::open(folder, PASSING, Mode::empty())?)
}

/// The flags with which the directories on the way up are opened.
const PASSING: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

fn folders_from(mut folder: OwnedFd) -> io::Result<Vec<Identity>> {
    let mut found = vec![Identity::of(&rustix::fs::fstat(&folder)?)];
    loop {
        folder = rustix::fs::openat(&folder, "..", PASSING, Mode::empty())?;
        let above = Identity::of(&rustix::fs::fstat(&folder)?);
        if found.last() == Some(&above) {
            return Ok(found);
        }
        found.push(above);
    }
}

/// A file that is being written. Unless it is finished, it is removed.
#[derive(Debug)]
pub struct Fresh {
    place: FilePlace,
    file: File,
    unfinished: String,
    replaces: bool,
    named: bool,
}

impl Fresh {
    /// Begins a file. With `replaces`, an existing file stays until the new one is finished and takes its name. Without, an existing file is an
    /// error.
    ///
    /// # Errors
    /// No file can be made there; or the name is taken and `replaces` is false ([`io::ErrorKind::AlreadyExists`]).
    pub fn begin(place: FilePlace, replaces: bool) -> io::Result<Self> {
        point("fresh.write")?;
        if !replaces && place.standing()? != Standing::Free {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let (unfinished, file) = unfinished(&place.folder)?;
        Ok(Self { place, file, unfinished, replaces, named: false })
    }

    /// Makes the file readable for everybody.
    ///
    /// # Errors
    /// An error of the system.
    pub fn open_to_all(&self) -> io::Result<()> {
        Ok(rustix::fs::fchmod(&self.file, Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::ROTH)?)
    }

    /// Makes the file durable, and gives it its name.
    ///
    /// # Errors
    /// An error of the disk; or `replaces` is false and the name has been taken meanwhile ([`io::ErrorKind::AlreadyExists`]).
    pub fn finish(mut self) -> io::Result<()> {
        point("fresh.sync")?;
        self.file.sync_all()?;
        self.take_name()?;
        point("fresh.sync_dir")?;
        match self.place.folder.sync_all() {
            // Some network file systems don't support this.
            Err(error) if error.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => Ok(()),
            synced => synced,
        }
    }

    /// Gives the file its name without making it durable: for files that are rewritten all the time.
    ///
    /// # Errors
    /// Those of [`Fresh::finish`].
    pub fn finish_for_now(mut self) -> io::Result<()> {
        self.take_name()
    }

    fn take_name(&mut self) -> io::Result<()> {
        point("fresh.rename")?;
        let (folder, from, to) = (&self.place.folder, self.unfinished.as_str(), self.place.name.as_os_str());
        match self.replaces {
            true => rustix::fs::renameat(folder, from, folder, to)?,
            false => match rustix::fs::renameat_with(folder, from, folder, to, RenameFlags::NOREPLACE) {
                // A file system without this operation has hard links, which replace nothing either.
                Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                    rustix::fs::linkat(folder, from, folder, to, AtFlags::empty())?;
                    rustix::fs::unlinkat(folder, from, AtFlags::empty())?;
                }
                renamed => renamed?,
            },
        }
        self.named = true;
        Ok(())
    }
}

impl Write for Fresh {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        if !self.named {
            // A half-written file is worse than none.
            let _ = rustix::fs::unlinkat(&self.place.folder, self.unfinished.as_str(), AtFlags::empty());
        }
    }
}

/// A new file under a random name that nobody could have guessed.
fn unfinished(folder: &File) -> io::Result<(String, File)> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut tried = 0;
    loop {
        let name = format!("{}{:016x}{}", UNFINISHED.0, random()?, UNFINISHED.1);
        match rustix::fs::openat(folder, name.as_str(), flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => return Ok((name, file.into())),
            Err(Errno::EXIST) if tried < NAMES_TRIED => tried += 1,
            Err(error) => return Err(error.into()),
        }
    }
}

fn random() -> io::Result<u64> {
    getrandom::u64().map_err(|e| io::Error::other(format!("the system gives no random numbers: {e}")))
}

/// Writes a whole new file; the name must be free.
///
/// # Errors
/// Those of [`Fresh::begin`] and [`Fresh::finish`].
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_as(path, bytes, false)
}

/// Writes a whole file, which replaces an existing one.
///
/// # Errors
/// Those of [`Fresh::begin`] and [`Fresh::finish`].
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_as(path, bytes, true)
}

fn write_as(path: &Path, bytes: &[u8], replaces: bool) -> io::Result<()> {
    let mut fresh = Fresh::begin(FilePlace::of(path)?, replaces)?;
    fresh.write_all(bytes)?;
    fresh.finish()
}

/// Opens an existing file at its place for reading and appending.
///
/// # Errors
/// It can't be opened, or is a link, a directory, a pipe or a device.
pub fn open_to_grow(place: &FilePlace) -> io::Result<File> {
    let flags = OFlags::RDWR
        | OFlags::APPEND
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::NOCTTY
        | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(&place.folder, &place.name, flags, Mode::empty())?);
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("this is no file but a directory, a pipe or a device")),
    }
}

/// Removes half-written files that a killed process left in a directory. Nobody else may be writing there.
///
/// # Errors
/// The directory can't be read.
pub fn sweep(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let is_unfinished =
            |name: &str| name.strip_prefix(UNFINISHED.0).is_some_and(|rest| rest.ends_with(UNFINISHED.1));
        if name.to_str().is_some_and(is_unfinished) {
            std::fs::remove_file(folder.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;
    use crate::fault::{self, Plan};

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_that_fails_anywhere_leaves_what_was_there_and_nothing_else() {
        for (replaces, named_at) in [(true, 4), (false, 4)] {
            for n in 1..=4 {
                let dir = tempfile::tempdir().unwrap();
                let path = dir.path().join("x");
                if replaces {
                    fs::write(&path, "old").unwrap();
                }
                let plan = fault::arm(Plan::fail_at(n, io::ErrorKind::StorageFull).only("fresh."));
                let error = write_as(&path, b"new", replaces).unwrap_err();
                drop(plan);
                assert_eq!(error.kind(), io::ErrorKind::StorageFull);
                let stands = fs::read_to_string(&path).ok();
                let wanted = if n == named_at { Some("new") } else { replaces.then_some("old") };
                assert_eq!(stands.as_deref(), wanted, "call {n}");
                assert_eq!(names(dir.path()), if wanted.is_some() { vec!["x"] } else { vec![] }, "call {n}");
            }
        }
    }

    #[test]
    fn nothing_is_written_through_and_nothing_is_replaced_that_was_not_meant() {
        let dir = tempfile::tempdir().unwrap();
        let [path, other] = ["x", "other"].map(|name| dir.path().join(name));
        fs::write(&other, "another's").unwrap();
        symlink(&other, &path).unwrap();
        assert_eq!(write(&path, b"new").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_to_string(&other).unwrap(), "another's");
        let meta = fs::symlink_metadata(&path).unwrap();
        assert!(meta.is_file() && meta.permissions().mode() & 0o777 == 0o600);
        // A file that appears while this one is written is not replaced either.
        let late = dir.path().join("late");
        let mut fresh = Fresh::begin(FilePlace::of(&late).unwrap(), false).unwrap();
        fresh.write_all(b"new").unwrap();
        fs::write(&late, "another's").unwrap();
        assert_eq!(fresh.finish().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&late).unwrap(), "another's");
        assert_eq!(names(dir.path()), ["late", "other", "x"]);
    }

    #[test]
    fn a_place_is_a_name_in_a_directory() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("a")).unwrap();
        for bad in ["a/", "a/.", "a/..", ".", "", "/"] {
            let path = if bad == "/" { bad.into() } else { dir.path().join(bad) };
            assert!(FilePlace::of(&path).is_err(), "{bad}");
        }
        assert_eq!(FilePlace::of(&dir.path().join("none/x")).unwrap_err().kind(), io::ErrorKind::NotFound);
        let place = FilePlace::of(&dir.path().join("a/x")).unwrap();
        let folders = place.folders().unwrap();
        assert_eq!(
            folders[..2],
            [dir.path().join("a"), dir.path().into()].map(|path| Identity::at(&path).unwrap())
        );
        assert_eq!(folders, folders_above(&dir.path().join("a")).unwrap());
    }

    #[test]
    fn what_somebody_was_killed_over_is_swept_away() {
        let dir = tempfile::tempdir().unwrap();
        let fresh = Fresh::begin(FilePlace::of(&dir.path().join("x")).unwrap(), false).unwrap();
        std::mem::forget(fresh);
        fs::write(dir.path().join(".musterd-notes"), "mine").unwrap();
        assert_eq!(names(dir.path()).len(), 2);
        sweep(dir.path()).unwrap();
        assert_eq!(names(dir.path()), [".musterd-notes"]);
    }
}

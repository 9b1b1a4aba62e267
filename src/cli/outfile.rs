//! Where commands write: one type for every argument that names a file to be written, one for every directory to be made. No other code of the
//! command line creates a file, and a test finds both types in the definitions of the commands.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{MapValueParser, PathBufValueParser, TypedValueParser as _, ValueParserFactory};

use super::global::Global;
use musterd_daemon::{HostError, spare_others, spare_own};
use musterd_disk::fresh::{FilePlace, Fresh, Standing, open_to_grow};
use musterd_disk::regular;

/// A file that a command is to write.
#[derive(Debug, Clone)]
pub struct OutFile(PathBuf);

/// A directory that a command is to make, or to fill.
#[derive(Debug, Clone)]
pub struct OutDir(PathBuf);

/// Whether a file that is there is to make way.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct Force {
    /// Replace the file if it exists already, once the new one is whole
    #[arg(long)]
    pub(super) force: bool,
}

impl Force {
    /// An existing file is never replaced.
    pub(super) const NONE: Self = Self { force: false };
}

impl ValueParserFactory for OutFile {
    type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> Self>;

    fn value_parser() -> Self::Parser {
        PathBufValueParser::new().map(Self)
    }
}

impl ValueParserFactory for OutDir {
    type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> Self>;

    fn value_parser() -> Self::Parser {
        PathBufValueParser::new().map(Self)
    }
}

/// Names of standard output.
const OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

impl OutFile {
    /// A file at this path, beside another one.
    pub(super) const fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// The path as it was given.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Whether it stands for standard output.
    pub(super) fn is_output(&self) -> bool {
        OUTPUT.iter().any(|output| self.0.as_os_str() == *output)
    }

    /// Begins to write it before anything else is done, so that a file that can't be written is reported at once.
    pub(super) fn begin(&self, global: &Global, force: Force) -> Result<Writing, HostError> {
        self.begin_among(global, force, &[])
    }

    /// Begins to write a file that may lie in these parts of a data directory.
    pub(super) fn begin_among(
        &self,
        global: &Global,
        force: Force,
        meant: &[&str],
    ) -> Result<Writing, HostError> {
        let place = self.place(global, meant)?;
        let path = self.0.display();
        match place.standing().map_err(|error| unwritten(&self.0, &error))? {
            Standing::Free => {}
            Standing::Link if force.force && self.leads_to_no_file() => {
                return Err(HostError::usage(format!(
                    "{path} is a link of the system's, or leads to a pipe or a device: name a file"
                )));
            }
            Standing::File | Standing::Link if force.force => {}
            Standing::File => {
                return Err(HostError::usage(format!(
                    "{path} exists already: choose another name, or have it replaced with --force"
                )));
            }
            Standing::Link => {
                return Err(HostError::usage(format!(
                    "{path} is a link, which is not followed: name the file itself, or have the link replaced with --force"
                )));
            }
            Standing::Directory => {
                return Err(HostError::usage(format!("{path} is a directory: name a file in it")));
            }
            Standing::Other => {
                return Err(HostError::usage(format!(
                    "{path} is a pipe or a device, and no file: write to standard output with `-`, and lead that there"
                )));
            }
        }
        let fresh = Fresh::begin(place, force.force).map_err(|error| unwritten(&self.0, &error))?;
        Ok(Writing { fresh, path: self.0.clone() })
    }

    /// Whether the path is a link among the system's own, such as `/dev/stderr`, or leads to a pipe or a device.
    fn leads_to_no_file(&self) -> bool {
        let folder = self.0.parent().and_then(|folder| folder.canonicalize().ok());
        let is_systems = |folder: &Path| {
            ["/dev", "/proc", "/sys"].iter().any(|own| folder.starts_with(own))
                && !folder.starts_with("/dev/shm")
        };
        folder.is_some_and(|folder| is_systems(&folder))
            || self.0.metadata().is_ok_and(|target| !target.is_file() && !target.is_dir())
    }

    /// Opens it for reading and appending; `None` if it doesn't exist.
    pub(super) fn grow(&self, global: &Global) -> Result<Option<File>, HostError> {
        let place = self.place(global, &[])?;
        let fault = |error| HostError::Io { path: self.0.clone(), error };
        match place.standing().map_err(fault)? {
            Standing::Free => Ok(None),
            Standing::Link => {
                let path = self.0.display();
                Err(HostError::usage(format!(
                    "{path} is a link, which is not followed: name the file itself"
                )))
            }
            _ => open_to_grow(&place).map(Some).map_err(fault),
        }
    }

    fn place(&self, global: &Global, meant: &[&str]) -> Result<FilePlace, HostError> {
        if self.is_output() {
            return Err(HostError::usage(format!("{} is no file: name one", self.0.display())));
        }
        let folder =
            || self.0.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let place = FilePlace::of(&self.0).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidFilename => {
                HostError::usage(format!("{} names a directory: name a file in it", self.0.display()))
            }
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                HostError::usage(format!("there is no directory {}: make it first", folder().display()))
            }
            _ => unwritten(&self.0, &error),
        })?;
        spare_own(&global.dir(), &place, meant)?;
        Ok(place)
    }
}

impl OutDir {
    /// A directory at this path, which no argument names.
    pub(super) const fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// The path, if it lies in no directory that belongs to another program.
    pub(super) fn path(&self) -> Result<&Path, HostError> {
        spare_others(&self.0)?;
        Ok(&self.0)
    }

    /// That files may be written in it: it lies neither in the data directory nor in a directory of another program's.
    pub(super) fn spare(&self, global: &Global) -> Result<(), HostError> {
        let whole = std::path::absolute(self.path()?).map_err(|error| unwritten(&self.0, &error))?;
        let there = whole.ancestors().find_map(|above| above.canonicalize().ok());
        let own = global.dir().canonicalize().ok();
        if there.zip(own).is_some_and(|(there, own)| there.starts_with(own)) {
            return Err(HostError::usage(format!(
                "{} lies in the data directory, where the host's own files are: choose another place",
                self.0.display()
            )));
        }
        Ok(())
    }

    /// Writes a file in it; the directory is made where it is missing.
    pub(super) fn write(
        &self,
        global: &Global,
        force: Force,
        (name, bytes): (&str, &[u8]),
    ) -> Result<(), HostError> {
        self.spare(global)?;
        let dir = &self.0;
        regular::create_dir(dir, 0o700).map_err(|error| unwritten(dir, &error))?;
        OutFile::at(dir.join(name)).begin(global, force)?.whole(bytes)
    }
}

/// A file that a command is writing. Unless it is finished, nothing is changed.
pub(super) struct Writing {
    fresh: Fresh,
    path: PathBuf,
}

impl Writing {
    /// Writes the whole file, and finishes it.
    pub(super) fn whole(mut self, bytes: &[u8]) -> Result<(), HostError> {
        self.fresh.write_all(bytes).map_err(|error| unwritten(&self.path, &error))?;
        self.finish()
    }

    /// Makes the file durable under its name.
    pub(super) fn finish(self) -> Result<(), HostError> {
        let Self { fresh, path } = self;
        fresh.finish().map_err(|error| unwritten(&path, &error))
    }
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.fresh.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.fresh.flush()
    }
}

/// The error that a file was not written, with a remedy.
fn unwritten(path: &Path, error: &io::Error) -> HostError {
    let remedy = match error.kind() {
        io::ErrorKind::AlreadyExists => "somebody else has made it meanwhile: choose another name",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "make room, or choose another disk"
        }
        _ => "choose a place where this user may write",
    };
    let error = io::Error::new(error.kind(), format!("{error}: nothing was written there; {remedy}"));
    HostError::Io { path: path.to_owned(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_output_has_several_names_and_no_file_has_one() {
        for name in OUTPUT {
            assert!(OutFile(name.into()).is_output(), "{name}");
        }
        for name in ["./-", "-.json", "/dev/stderr", "/dev/null", "stdout"] {
            assert!(!OutFile(name.into()).is_output(), "{name}");
        }
    }
}

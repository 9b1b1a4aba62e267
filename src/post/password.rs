//! Passwords: read from files that only their owner can read, never printed, wiped when dropped.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use musterd_disk::regular;

/// The longest password.
const LONGEST: u64 = 4096;

/// A password. It has no `Display`, and its `Debug` form does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(Zeroizing<String>);

/// A password file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadPassword {
    /// It could not be read.
    #[error("cannot read the password file {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// Others than its owner may read or write the file.
    #[error("the password file {} is open to others (mode {mode:03o}): run `chmod 600 {}`", path.display(), path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The file holds no password.
    #[error("the password file {} holds no usable password: write it there as one line of at most 4096 bytes", .0.display())]
    Unusable(PathBuf),
}

impl Password {
    /// A password from a safe place, such as a named environment variable.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// Reads a password file: one line, without its line end.
    ///
    /// # Errors
    /// The file is unreadable, open to group or others, empty, or more than one line.
    pub fn from_file(path: &Path) -> Result<Self, BadPassword> {
        let unreadable = |error| BadPassword::Unreadable { path: path.to_owned(), error };
        let file = regular::open(path).map_err(unreadable)?;
        // The mode of the opened file is checked, so that nobody can swap the file between the check and the reading.
        let mode = file.metadata().map_err(unreadable)?.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(BadPassword::Exposed { path: path.to_owned(), mode });
        }
        Self::read(file, path)
    }

    /// Reads a credential that the service manager has put into a directory of this service's own. Its mode isn't checked: systemd may grant access
    /// by an access list, which shows as a group's permission.
    ///
    /// # Errors
    /// The file is unreadable, empty, or more than one line.
    pub fn from_credential(path: &Path) -> Result<Self, BadPassword> {
        let file =
            regular::open(path).map_err(|error| BadPassword::Unreadable { path: path.to_owned(), error })?;
        Self::read(file, path)
    }

    fn read(file: File, path: &Path) -> Result<Self, BadPassword> {
        let unreadable = |error| BadPassword::Unreadable { path: path.to_owned(), error };
        let mut text = Zeroizing::new(String::new());
        file.take(LONGEST + 1).read_to_string(&mut text).map_err(unreadable)?;
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() || line.contains(['\n', '\r', '\0']) || text.len() as u64 > LONGEST {
            return Err(BadPassword::Unusable(path.to_owned()));
        }
        Ok(Self(Zeroizing::new(line.to_owned())))
    }

    /// The password itself, for the login only.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(mode: u32, text: &str) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("password");
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        (dir, path)
    }

    #[test]
    fn a_private_file_gives_its_line_and_nothing_shows_it() {
        let (_dir, path) = file(0o600, "tr0ub4dor \r\n");
        let secret = Password::from_file(&path).unwrap();
        assert_eq!(secret.reveal(), "tr0ub4dor ");
        assert!(!format!("{secret:?}").contains("tr0ub"));
    }

    #[test]
    fn a_file_open_to_others_is_refused_with_the_remedy() {
        for mode in [0o640, 0o604, 0o660, 0o644] {
            let (_dir, path) = file(mode, "x\n");
            let said = Password::from_file(&path).unwrap_err().to_string();
            assert!(said.contains(&format!("{mode:03o}")) && said.contains("chmod 600"), "{said}");
        }
    }

    #[test]
    fn a_credential_may_show_the_mode_of_its_access_list() {
        let (_dir, path) = file(0o440, "tr0ub4dor\n");
        assert_eq!(Password::from_credential(&path).unwrap().reveal(), "tr0ub4dor");
    }

    #[test]
    fn an_empty_or_longer_file_is_no_password() {
        for text in ["", "\n", "one\ntwo\n", &"x".repeat(5000)] {
            let (_dir, path) = file(0o600, text);
            assert!(matches!(Password::from_file(&path), Err(BadPassword::Unusable(_))), "{text:.10}");
        }
    }
}

//! The position up to which a folder on a server has been read, stored on our side.

use std::io;
use std::path::PathBuf;

use super::fsio;
use musterd_disk::regular;

/// The position in a folder: every message up to `uid` is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The folder's UIDVALIDITY: with another one, UIDs mean other messages.
    pub uid_validity: u32,
    /// The last UID up to which everything was kept.
    pub uid: u32,
}

/// Stores a [`Position`] between runs. If it is lost, the folder is read again; no mail is lost.
pub trait Cursor: Send {
    /// The position saved last, if any.
    ///
    /// # Errors
    /// It could not be read.
    fn load(&mut self) -> io::Result<Option<Position>>;

    /// Saves the position.
    ///
    /// # Errors
    /// It could not be written.
    fn save(&mut self, position: Position) -> io::Result<()>;
}

/// The largest file of a position that is read, in bytes: two numbers and a name.
const LARGEST_CURSOR: u64 = 4096;

/// A [`Cursor`] in a small file: two numbers, and on the next line the folder that they belong to. A damaged file, or one for another folder, gives
/// no position.
#[derive(Debug, Clone)]
pub struct CursorFile {
    /// The file.
    pub path: PathBuf,
    /// The server, account and folder: servers may give the same UIDVALIDITY to several folders.
    pub mailbox: String,
}

impl Cursor for CursorFile {
    fn load(&mut self) -> io::Result<Option<Position>> {
        let text = match regular::read(&self.path, LARGEST_CURSOR) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::FileTooLarge) => {
                return Ok(None);
            }
            Err(e) => return Err(self.named(&e)),
        };
        let Some((numbers, mailbox)) = text.split_once('\n') else { return Ok(None) };
        if mailbox.trim_end() != self.mailbox {
            return Ok(None);
        }
        let mut numbers = numbers.split_whitespace().map(str::parse);
        Ok(match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(uid_validity)), Some(Ok(uid)), None) => Some(Position { uid_validity, uid }),
            _ => None,
        })
    }

    fn save(&mut self, position: Position) -> io::Result<()> {
        let Position { uid_validity, uid } = position;
        fsio::replace(&self.path, format!("{uid_validity} {uid}\n{}\n", self.mailbox).as_bytes())
            .map_err(|e| self.named(&e))
    }
}

impl CursorFile {
    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_survives_in_its_file_and_a_damaged_file_means_a_rescan() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("inbox.position");
        let mut cursor = CursorFile { path: path.clone(), mailbox: "gm@mail INBOX".to_owned() };
        assert_eq!(cursor.load().unwrap(), None);
        let position = Position { uid_validity: 7, uid: 42 };
        cursor.save(position).unwrap();
        assert_eq!(cursor.load().unwrap(), Some(position));
        let mut other = CursorFile { path, mailbox: "gm@mail orders".to_owned() };
        assert_eq!(other.load().unwrap(), None, "of another folder");
        for damage in ["", "7\n", "7 x\n", "7 42", "7 42 1\n", "\u{fffd}"] {
            std::fs::write(&cursor.path, format!("{damage}gm@mail INBOX\n")).unwrap();
            assert_eq!(cursor.load().unwrap(), None, "{damage:?}");
        }
    }
}

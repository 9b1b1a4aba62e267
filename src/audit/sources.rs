//! Files and folders that somebody kept: what each is, and everything in it read as a stream.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::evidence::{AuditText, Evidence};
use super::mail::Mail;
use super::mbox::{LARGEST_MAIL, Mbox, is_postmark};
use musterd_desk::mail::Kind;
use musterd_dice::audit::Proofs;
use musterd_dice::{GameId, Seat};

/// The largest audit file that is read, in bytes: a campaign of 1,000 turns has some tens of megabytes.
pub(super) const LARGEST_FILE: u64 = 1 << 30;
/// How many bytes of a file are looked at to learn what it is.
const SNIFFED: u64 = 4096;
/// How the protocols of audit files begin.
const PROTOCOLS: &str = "pbemdice/";
/// How deep folders are gone through.
const DEEPEST: usize = 32;
/// The buffer that mailbox files are read through, in bytes.
const BUFFER: usize = 256 * 1024;

/// What a file or folder is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadPathKind {
    /// An audit file.
    AuditFile,
    /// The proofs of a seat's own dice in one adjudication.
    Proofs,
    /// A file of many mails.
    Mbox,
    /// A folder of mails, one a file, in `new` and `cur`.
    Maildir,
    /// One saved mail.
    Mail,
    /// A folder of such things.
    Folder,
    /// None of these: passed over.
    #[default]
    Unknown,
}

impl ReadPathKind {
    /// The same in words.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::AuditFile => "audit file",
            Self::Proofs => "proofs of a seat's dice",
            Self::Mbox => "mailbox file (mbox)",
            Self::Maildir => "Maildir",
            Self::Mail => "one saved mail",
            Self::Folder => "folder",
            Self::Unknown => "neither mails nor an audit file",
        }
    }
}

/// Something that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReadPath {
    /// Where it lies.
    pub path: String,
    /// What it is.
    pub kind: ReadPathKind,
    /// How many mails are in it.
    pub mails: u64,
    /// How many of them a host of this program wrote.
    pub of_hosts: u64,
    /// How many audit files are in it.
    pub files: u64,
    /// How many files of proofs are in it.
    pub proofs: u64,
    /// How many files in it were passed over, being neither.
    pub passed_over: u64,
    /// The games that its mails and proofs are of.
    pub games: BTreeSet<GameId>,
}

/// A file that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct Unreadable {
    /// Which.
    pub path: PathBuf,
    /// What the system said.
    pub error: io::Error,
}

/// Reads files and folders, in any order and mixture.
pub struct Reader<'a> {
    /// What was read so far.
    pub evidence: Evidence,
    /// Each path with what it is, in the order given.
    pub sources: Vec<ReadPath>,
    /// Is told how many bytes were read, now and then.
    progress: &'a mut dyn FnMut(u64),
    bytes: u64,
}

impl Unreadable {
    fn at(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |error| Self { path: path.to_owned(), error }
    }
}

impl<'a> Reader<'a> {
    /// Nothing read yet.
    pub fn new(progress: &'a mut dyn FnMut(u64)) -> Self {
        Self { evidence: Evidence::default(), sources: Vec::new(), progress, bytes: 0 }
    }

    /// Reads a path, whatever it is.
    ///
    /// # Errors
    /// When the system can't read it. What can be read and makes no sense is passed over, and counted.
    pub fn read(&mut self, path: &Path) -> Result<(), Unreadable> {
        let is_dir = fs::metadata(path).map_err(Unreadable::at(path))?.is_dir();
        let mut source = ReadPath { path: path.display().to_string(), ..ReadPath::default() };
        source.kind = match is_dir {
            true => self.read_folder(path, &mut source, 0)?,
            false => self.read_file(path, &mut source)?,
        };
        self.sources.push(source);
        Ok(())
    }

    /// A folder with everything below it.
    fn read_folder(
        &mut self,
        path: &Path,
        source: &mut ReadPath,
        depth: usize,
    ) -> Result<ReadPathKind, Unreadable> {
        let is_maildir = path.join("cur").is_dir() && path.join("new").is_dir();
        let in_maildir = path.ends_with("cur") || path.ends_with("new");
        let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut inside: Vec<PathBuf> =
            entries.map_err(Unreadable::at(path))?.iter().map(DirEntry::path).collect();
        inside.sort();
        for path in inside {
            // A link to a folder may lead round in a circle.
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            if meta.is_dir() {
                let half_written = is_maildir && path.ends_with("tmp");
                if depth < DEEPEST && !half_written {
                    self.read_folder(&path, source, depth + 1)?;
                }
            } else if in_maildir && fs::metadata(&path).is_ok_and(|meta| meta.is_file()) {
                self.read_mail(&path, source)?;
            } else if !is_maildir && self.read_file(&path, source)? == ReadPathKind::Unknown {
                source.passed_over += 1;
            }
        }
        Ok(if is_maildir { ReadPathKind::Maildir } else { ReadPathKind::Folder })
    }

    fn read_file(&mut self, path: &Path, source: &mut ReadPath) -> Result<ReadPathKind, Unreadable> {
        let meta = fs::metadata(path).map_err(Unreadable::at(path))?;
        // What is neither file nor folder may never end.
        if !meta.is_file() {
            return Ok(ReadPathKind::Unknown);
        }
        let kind = sniff(&beginning(path, SNIFFED)?);
        match kind {
            ReadPathKind::AuditFile => {
                let bytes = beginning(path, LARGEST_FILE + 1)?;
                if bytes.len() as u64 > LARGEST_FILE {
                    let why = format!("it has more than {LARGEST_FILE} bytes, and no audit file is so large");
                    return Err(Unreadable::at(path)(io::Error::other(why)));
                }
                self.advance(bytes.len() as u64);
                let path = path.display().to_string();
                return Ok(self.take_json(path, false, BTreeSet::new(), &bytes, source));
            }
            ReadPathKind::Mbox => self.read_mbox(path, source)?,
            ReadPathKind::Mail => self.read_mail(path, source)?,
            ReadPathKind::Proofs | ReadPathKind::Maildir | ReadPathKind::Folder | ReadPathKind::Unknown => {}
        }
        Ok(kind)
    }

    fn read_mbox(&mut self, path: &Path, source: &mut ReadPath) -> Result<(), Unreadable> {
        let file = File::open(path).map_err(Unreadable::at(path))?;
        let mut mbox = Mbox::new(BufReader::with_capacity(BUFFER, file));
        let (mut mail, mut number) = (Vec::new(), 0);
        while let Some(bytes) = mbox.next_mail(&mut mail).map_err(Unreadable::at(path))? {
            number += 1;
            self.take_mail(path, Some(number), &mail, source);
            self.advance(bytes);
        }
        Ok(())
    }

    fn read_mail(&mut self, path: &Path, source: &mut ReadPath) -> Result<(), Unreadable> {
        let mail = beginning(path, LARGEST_MAIL as u64)?;
        self.take_mail(path, None, &mail, source);
        self.advance(mail.len() as u64);
        Ok(())
    }

    fn take_mail(&mut self, path: &Path, number: Option<u64>, raw: &[u8], source: &mut ReadPath) {
        source.mails += 1;
        let path = path.display().to_string();
        let mail = Mail::of(raw, path.clone(), number);
        let sent_to: BTreeSet<Seat> =
            mail.seat.iter().filter(|_| mail.is_sent_as(Kind::Dispatch)).cloned().collect();
        let place = number.map_or_else(|| path.clone(), |number| format!("{path}, mail {number}"));
        for (name, bytes) in musterd_letter::attached_files(raw, ".json") {
            let path = format!("{name} in {place}");
            self.take_json(path, true, sent_to.clone(), &bytes, source);
        }
        source.games.extend(mail.game.clone());
        source.games.extend(mail.heads.iter().map(|head| head.lines.game().clone()));
        source.of_hosts += u64::from(self.evidence.take_mail(mail));
    }

    /// Takes an audit file or proofs; says which it was.
    fn take_json(
        &mut self,
        path: String,
        attached: bool,
        sent_to: BTreeSet<Seat>,
        bytes: &[u8],
        source: &mut ReadPath,
    ) -> ReadPathKind {
        // Such a file is UTF-8. It is cut off where that ends, and so not one at all: two readers would replace the rest in two ways.
        let text = bytes.utf8_chunks().next().map_or_else(String::new, |chunk| chunk.valid().to_owned());
        let (kind, game) = meant_as(&text);
        let file = AuditText { path, attached, sent_to, text };
        match kind {
            ReadPathKind::AuditFile => {
                source.files += 1;
                self.evidence.take_file(file);
            }
            ReadPathKind::Proofs => {
                source.proofs += 1;
                source.games.extend(game);
                self.evidence.take_proofs(file);
            }
            _ => {}
        }
        kind
    }

    fn advance(&mut self, bytes: u64) {
        self.bytes += bytes;
        (self.progress)(self.bytes);
    }
}

/// So many bytes of a file, or all that it has.
fn beginning(path: &Path, most: u64) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(Unreadable::at(path))
}

/// What a file is, by its beginning.
fn sniff(head: &[u8]) -> ReadPathKind {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let begins = &head[head.iter().take_while(|byte| byte.is_ascii_whitespace()).count()..];
    let line = begins.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    if begins.starts_with(b"{") {
        ReadPathKind::AuditFile
    } else if is_postmark(line) {
        ReadPathKind::Mbox
    } else if name > 0 && line.get(name) == Some(&b':') {
        ReadPathKind::Mail
    } else {
        ReadPathKind::Unknown
    }
}

/// What a text is meant as: JSON with the parts of an audit file or of proofs, whatever is in them, or neither. One that is no JSON to its
/// end, and says of itself that it is one of these, is meant as one all the same: it was cut off.
fn meant_as(text: &str) -> (ReadPathKind, Option<GameId>) {
    #[derive(serde::Deserialize)]
    struct Parts {
        protocol: String,
        #[serde(default)]
        log: Option<serde::de::IgnoredAny>,
        #[serde(default)]
        game: Option<serde_json::Value>,
    }
    match serde_json::from_str::<Parts>(text) {
        Ok(parts) if parts.protocol == Proofs::PROTOCOL => {
            let game = parts.game.as_ref().and_then(serde_json::Value::as_str);
            (ReadPathKind::Proofs, game.and_then(|game| game.parse().ok()))
        }
        Ok(parts) if parts.log.is_some() && parts.protocol.starts_with(PROTOCOLS) => {
            (ReadPathKind::AuditFile, None)
        }
        Err(error) if error.is_syntax() || error.is_eof() => (broken(text), None),
        Ok(_) | Err(_) => (ReadPathKind::Unknown, None),
    }
}

/// What a text that is no whole JSON says that it is, or looks like: its parts may stand in any order.
fn broken(text: &str) -> ReadPathKind {
    let begins: String = text.chars().take(SNIFFED as usize).filter(|c| !c.is_whitespace()).collect();
    let says = |protocol: &str| begins.contains(&format!("\"protocol\":\"{protocol}"));
    let has_log = |name: &str| begins.contains(&format!("\"{name}\":[{{")) && begins.contains("\"hash\":\"");
    if says(Proofs::PROTOCOL) || has_log("entries") {
        ReadPathKind::Proofs
    } else if says(PROTOCOLS) || has_log("log") {
        ReadPathKind::AuditFile
    } else {
        ReadPathKind::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_beginning() {
        for (head, kind) in [
            ("{\"protocol\":\"pbemdice/1\"", ReadPathKind::AuditFile),
            ("\u{feff}  {", ReadPathKind::AuditFile),
            ("From - Sat Nov 21 12:00:00 2026\r\n", ReadPathKind::Mbox),
            ("From red@example.org Sat Nov 21 12:00:00 2026\n", ReadPathKind::Mbox),
            ("Return-Path: <>\r\n", ReadPathKind::Mail),
            ("From: red@example.org\n", ReadPathKind::Mail),
            ("From Ulm to Vienna\n", ReadPathKind::Unknown),
            ("\u{89}PNG", ReadPathKind::Unknown),
            ("", ReadPathKind::Unknown),
        ] {
            assert_eq!(sniff(head.as_bytes()), kind, "{head:?}");
        }
    }
}

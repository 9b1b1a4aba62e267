//! Maildirs, in and out: the embedded default, no server needed.
//!
//! Incoming mail: messages in `new/`, and those in `cur/` that are neither seen nor trashed, in case another program has looked into the Maildir. A
//! kept message is marked as seen. Outgoing mail: one Maildir for each recipient, each message under a name made from its Message-ID.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{Arrived, Drained, Keep, Outcome, PostError, Raw, Relay, Source, fsio, spool};
use musterd_disk::{fault, regular};

/// The most messages that are handed over at once. Together they are also limited to [`BATCH_BYTES`].
const BATCH: usize = 64;
/// See [`BATCH`].
const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// The directories of a Maildir.
const PARTS: [&str; 3] = ["tmp", "new", "cur"];

/// Makes an empty Maildir, or completes one.
///
/// # Errors
/// A directory could not be made.
pub fn create(root: &Path) -> io::Result<()> {
    for part in PARTS {
        fsio::create_private_dir(&root.join(part))?;
    }
    fsio::sync_dir_and_name(root)
}

/// The file that the relay puts into a Maildir that it has made itself.
const MADE_BY_US: &str = "made-by-musterd";

/// The text of that file.
const ABOUT_IT: &str = "musterd has made this Maildir, because mail_out in musterd.yaml sends mail to Maildirs of this machine.\n\
                        Whoever reads mail here deletes this file: then musterd no longer warns that nobody does.\n";

/// Whether somebody reads the mail in a Maildir, as far as that can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// There is no Maildir.
    NoMaildir,
    /// The relay made the Maildir for mail, and no mail program has used it.
    Nobody,
    /// A person or another program made the Maildir, or has read mail in it.
    Some,
}

/// Whether somebody reads the mail in this Maildir.
pub fn readers(root: &Path) -> Readers {
    if !root.is_dir() {
        return Readers::NoMaildir;
    }
    // A mail program moves messages to `cur/` once it has shown them.
    let was_read = fs::read_dir(root.join("cur")).is_ok_and(|mut mails| mails.next().is_some());
    match was_read || !root.join(MADE_BY_US).exists() {
        true => Readers::Some,
        false => Readers::Nobody,
    }
}

/// A Maildir that receives orders.
#[derive(Debug)]
pub struct MaildirSource {
    name: String,
    root: PathBuf,
    limit: u64,
}

/// A message file with its sort key: the time of arrival, then the name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    modified: (i64, u32),
    name: String,
    path: PathBuf,
}

impl MaildirSource {
    /// The Maildir in this directory. Only the head of a message over `limit` bytes is handed over.
    pub fn new(name: String, root: PathBuf, limit: u64) -> Self {
        Self { name, root, limit }
    }

    /// The messages that wait. Other files among them are added to `left`, with the reason.
    fn waiting(&self, left: &mut Vec<String>) -> Result<Vec<Waiting>, PostError> {
        let mut found = Vec::new();
        for part in ["new", "cur"] {
            let dir = self.root.join(part);
            for entry in fs::read_dir(&dir).map_err(|error| file_error(&dir, error))? {
                let entry = entry.map_err(|error| file_error(&dir, error))?;
                // No Maildir program uses names that are not text.
                let Ok(name) = entry.file_name().into_string() else {
                    left.push(format!("{}: its name is no text", entry.path().display()));
                    continue;
                };
                let flags = name.split_once(":2,").map_or("", |(_, flags)| flags);
                if name.starts_with('.') || (part == "cur" && flags.contains(['S', 'T'])) {
                    continue;
                }
                match entry.metadata() {
                    Ok(meta) if meta.is_file() => {
                        found.push(Waiting { modified: fsio::modified(&meta), name, path: entry.path() });
                    }
                    Ok(meta) => {
                        let what = kind_of(meta.file_type());
                        left.push(format!("{}: this is no file but {what}", entry.path().display()));
                    }
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(file_error(&entry.path(), error)),
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Marks a message as seen. It is no error if the message has vanished meanwhile: it is kept.
    fn mark(&self, message: &Waiting) -> Result<(), PostError> {
        let (base, flags) = message.name.split_once(":2,").unwrap_or((&message.name, ""));
        let mut flags: Vec<char> = flags.chars().chain(['S']).collect();
        flags.sort_unstable();
        flags.dedup();
        let seen = self.root.join("cur").join(format!("{base}:2,{}", flags.iter().collect::<String>()));
        match fsio::rename(&message.path, &seen) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file_error(&message.path, error)),
            _ => Ok(()),
        }
    }

    fn hand_over(
        &self,
        batch: &mut Vec<(Waiting, Arrived)>,
        keep: &mut dyn Keep,
    ) -> Result<usize, PostError> {
        let (files, messages): (Vec<_>, Vec<_>) = std::mem::take(batch).into_iter().unzip();
        if files.is_empty() {
            return Ok(0);
        }
        keep.keep(&messages)?;
        for file in &files {
            self.mark(file)?;
        }
        let cur = self.root.join("cur");
        fsio::sync_dir(&cur).map_err(|error| file_error(&cur, error))?;
        Ok(files.len())
    }
}

impl Source for MaildirSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn drain(&mut self, keep: &mut dyn Keep) -> Result<Drained, PostError> {
        let mut drained = Drained::default();
        let mut batch = Vec::new();
        let mut bytes = 0;
        for file in self.waiting(&mut drained.left)? {
            match spool::read_file_limited(&file.path, self.limit) {
                Ok(raw) => {
                    bytes += match &raw {
                        Raw::Whole(raw) => raw.len(),
                        Raw::Oversize { head, .. } => head.len(),
                    };
                    let arrived = Arrived { raw, arrived: file.modified.0, source: self.name.clone() };
                    batch.push((file, arrived));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => drained.left.push(format!("{}: {error}", file.path.display())),
            }
            if batch.len() >= BATCH || bytes >= BATCH_BYTES {
                drained.kept += self.hand_over(&mut batch, keep)?;
                bytes = 0;
            }
        }
        drained.kept += self.hand_over(&mut batch, keep)?;
        Ok(drained)
    }
}

/// The kind of a thing that lies in a Maildir in place of a message, in words.
fn kind_of(kind: fs::FileType) -> &'static str {
    if kind.is_dir() {
        "a directory"
    } else if kind.is_symlink() {
        "a link"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a pipe or a device"
    }
}

fn file_error(path: &Path, error: io::Error) -> PostError {
    PostError::File { path: path.to_owned(), error }
}

/// Delivers into one Maildir for each recipient, `root/<address>/`; mail to `local+detail@host` goes to `local@host`.
#[derive(Clone)]
pub struct MaildirRelay {
    root: PathBuf,
    clock: Option<Arc<dyn Fn() -> i64 + Send + Sync>>,
}

impl fmt::Debug for MaildirRelay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MaildirRelay").field("root", &self.root).finish_non_exhaustive()
    }
}

/// A text that is not an address, or an address whose Maildir's name would be too long.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a mail address")]
struct NoAddress(String);

impl MaildirRelay {
    /// The Maildirs under this directory; delivered files have the system's time.
    pub fn new(root: PathBuf) -> Self {
        Self { root, clock: None }
    }

    /// Like [`MaildirRelay::new`], but delivered files have the time of this clock, in seconds since 1970 UTC, so that a game on a virtual clock
    /// replays exactly.
    pub fn with_clock(root: PathBuf, clock: Arc<dyn Fn() -> i64 + Send + Sync>) -> Self {
        Self { root, clock: Some(clock) }
    }

    /// The Maildir of an address, which need not exist yet; `None` if it is no address.
    pub fn mailbox(&self, address: &str) -> Option<PathBuf> {
        directory_name(address).ok().map(|name| self.root.join(name))
    }

    fn deliver(&self, envelope_from: &str, to: &str, raw: &[u8]) -> io::Result<String> {
        let invalid = |e| io::Error::new(io::ErrorKind::InvalidInput, e);
        let mailbox = self.root.join(directory_name(to).map_err(invalid)?);
        if envelope_from.contains(|c: char| c.is_control()) {
            return Err(invalid(NoAddress(envelope_from.escape_debug().to_string())));
        }
        // A power cut while it was being made may have left any of its parts.
        if !PARTS.iter().all(|part| mailbox.join(part).is_dir()) {
            // A person who makes the directory alone wants the mail there, and reads it.
            let made_by_us = !mailbox.is_dir();
            regular::create_dir(&self.root, 0o700)?;
            create(&mailbox)?;
            if made_by_us {
                fsio::write_unsynced(&mailbox.join(MADE_BY_US), ABOUT_IT.as_bytes())?;
            }
            fsio::sync_dir(&self.root)?;
        }
        let name = unique_name(raw);
        let (tmp, new) = (mailbox.join("tmp").join(&name), mailbox.join("new").join(&name));
        if new.exists() || was_read(&mailbox.join("cur"), &name)? {
            // The file may be from a run that died before this step.
            fsio::sync_dir(&mailbox.join("new"))?;
            return Ok(format!("{name} was delivered before"));
        }
        // Every delivery agent adds these headers: the envelope, which the mail's own headers need not show.
        let mut bytes = format!("Return-Path: <{envelope_from}>\r\nDelivered-To: {to}\r\n").into_bytes();
        bytes.extend_from_slice(raw);
        fsio::write_synced(&tmp, &bytes, self.clock.as_ref().map(|clock| clock()))?;
        fsio::rename(&tmp, &new)?;
        fsio::sync_dir(&mailbox.join("new"))?;
        Ok(format!("delivered as {name}"))
    }
}

impl Relay for MaildirRelay {
    fn send(&self, envelope_from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        let outcome = |to: &String| match fault::point("relay.send")
            .and_then(|()| self.deliver(envelope_from, to, raw))
        {
            Ok(reply) => Outcome::Accepted(reply),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Outcome::Refused(error.to_string()),
            Err(error) => Outcome::Deferred(error.to_string()),
        };
        to.iter().map(|to| (to.clone(), outcome(to))).collect()
    }
}

/// Whether the reader's program has already moved the message to `cur/`, where its name ends in flags.
fn was_read(cur: &Path, name: &str) -> io::Result<bool> {
    for entry in fs::read_dir(cur)? {
        let file = entry?.file_name();
        if file.to_str().and_then(|f| f.split(":2,").next()) == Some(name) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A message's file name: the same for the same Message-ID, so that sending again after a crash makes no second copy.
fn unique_name(raw: &[u8]) -> String {
    let id = message_id(raw);
    let hash = Sha256::digest(id.as_deref().unwrap_or(raw));
    hash.iter().take(16).map(|b| format!("{b:02x}")).chain([".musterd".to_owned()]).collect()
}

/// The value of the `Message-ID` field without white space, wherever the field is folded.
fn message_id(raw: &[u8]) -> Option<Vec<u8>> {
    let mut value: Option<Vec<u8>> = None;
    for line in raw.split(|&b| b == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        let folded = line.starts_with(b" ") || line.starts_with(b"\t");
        match &mut value {
            Some(id) if folded => id.extend_from_slice(line),
            Some(_) => break,
            None => {
                let colon = line.iter().position(|&b| b == b':').unwrap_or(0);
                let (name, rest) = line.split_at(colon);
                if name.eq_ignore_ascii_case(b"message-id") {
                    value = Some(rest.get(1..).unwrap_or_default().to_vec());
                }
            }
        }
    }
    let id: Vec<u8> = value?.into_iter().filter(|b| !b.is_ascii_whitespace()).collect();
    (!id.is_empty()).then_some(id)
}

/// The directory name of an address: lower case, without the detail after `+`, and safe as one path component: bytes other than letters, digits and
/// `@ . _ -` are written as `=xx`, and so is a leading dot.
fn directory_name(address: &str) -> Result<String, NoAddress> {
    let bad = || NoAddress(address.chars().take(80).flat_map(char::escape_debug).collect());
    let (local, host) = address.rsplit_once('@').ok_or_else(bad)?;
    let local = local.split_once('+').map_or(local, |(local, _detail)| local);
    if local.is_empty() || host.is_empty() || address.contains(|c: char| c.is_control() || c.is_whitespace())
    {
        return Err(bad());
    }
    let mut name = String::new();
    for (at, byte) in format!("{local}@{host}").to_lowercase().bytes().enumerate() {
        match byte {
            b'.' if at == 0 => name.push_str("=2e"),
            b'a'..=b'z' | b'0'..=b'9' | b'@' | b'.' | b'_' | b'-' => name.push(char::from(byte)),
            _ => name.push_str(&format!("={byte:02x}")),
        }
    }
    // The longest name that every file system accepts.
    if name.len() > 255 { Err(bad()) } else { Ok(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_one_directory_below_the_root() {
        let named = |address: &str| directory_name(address).unwrap();
        assert_eq!(named("Ney@Example.org"), "ney@example.org");
        assert_eq!(named("gm+alpha.french.TOKEN@example.org"), "gm@example.org");
        assert_eq!(named("../../etc/passwd@x"), "=2e.=2f..=2fetc=2fpasswd@x");
        assert_eq!(named("a/b@../c"), "a=2fb@..=2fc");
        assert_ne!(named("a/b@x"), named("a=2fb@x"));
        for bad in [
            "",
            "@",
            "ney",
            "ney@",
            "@x",
            "+d@x",
            "a b@x",
            "a\0@x",
            "a\r\nb@x",
            &format!("{}@x", "é".repeat(60)),
        ] {
            assert!(directory_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_folded_message_id_is_found_and_one_in_the_body_is_not() {
        let id = |raw: &str| message_id(raw.as_bytes()).map(|id| String::from_utf8(id).unwrap());
        assert_eq!(id("Subject: x\r\nMESSAGE-ID:\r\n <a@b>\r\nTo: y\r\n\r\n").as_deref(), Some("<a@b>"));
        assert_eq!(id("Message-Id: <a@b>\n\nbody").as_deref(), Some("<a@b>"));
        assert_eq!(id("Subject: x\n\nMessage-ID: <a@b>\n"), None);
        assert_eq!(id("Message-ID: \n\n"), None);
    }
}

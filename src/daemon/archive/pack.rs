//! Writing a backup while the data directory is in use.

use std::fs;
use std::io::{self, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};

use super::{Digesting, FileMark, MANIFEST, Manifest, VERSION};
use crate::GameMark;
use crate::HostError;
use crate::Snapshot;
use crate::books::decided;
use crate::config::{self, Config, MailIn, MailOut, ServerConfig};
use musterd_dice::SecretChain;
use musterd_disk::regular;
use musterd_post::{Spool, is_as_kept};
use musterd_store as store;

/// The largest file that is read whole, in bytes: configuration, templates, rules.
const LARGEST_SMALL: u64 = 16 << 20;

/// The largest mail of the spool that is read, in bytes.
const LARGEST_MAIL: u64 = 128 << 20;

/// What was packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Files, without the manifest.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// What is missing or damaged in the data directory, and was packed as it is; a sentence each.
    pub damaged: Vec<String>,
}

/// Where a file of the archive comes from.
enum Origin {
    /// It was read.
    Bytes(Vec<u8>),
    /// So many bytes of a file that only grows.
    Front(PathBuf, u64),
    /// A mail in the spool, which moves from `new/` to `done/` at any time.
    Mail(String),
}

/// Packs a data directory as it was at the moment of `snapshot`; its daemon may go on meanwhile.
///
/// # Errors
/// The configuration or a mail can't be read, or the archive not be written. A journal that is damaged, and a secret, template or rule that can't
/// be read, are left out and told of.
pub fn pack(dir: &Path, mut snapshot: Snapshot, out: &mut dyn Write) -> Result<Packed, HostError> {
    let mut unread = Vec::new();
    leave_out_unfit(dir, &mut snapshot, &mut unread);
    let mut files = gather(dir, &snapshot, &mut unread)?;
    let left_out = snapshot.set_aside.iter().map(|(game, why)| {
        format!(
            "{why}: the journal of `{game}` is not in this backup; keep the earlier one until that is mended"
        )
    });
    let lost = snapshot.games.iter().filter_map(|game| lost_secret(&files, game));
    let mut damaged: Vec<String> = left_out.chain(unread).chain(lost).collect();
    let mut marks = Vec::new();
    files.retain(|(path, origin)| {
        let Origin::Mail(name) = origin else { return true };
        let fault = fs_mail(dir, name).err();
        damaged.extend(fault.as_ref().map(|error| format!("{error}; the mail {path} is not in this backup")));
        fault.is_none()
    });
    for (path, origin) in &files {
        if let Origin::Mail(name) = origin
            && !is_as_kept(name, &fs_mail(dir, name)?)
        {
            damaged.push(format!("the mail {path} isn't what was kept: its bytes were altered since"));
        }
        let mut source = Digesting::new(open(dir, origin)?);
        io::copy(&mut source, &mut io::sink()).map_err(|e| HostError::io(&dir.join(path), e))?;
        let (bytes, sha256) = source.finish();
        marks.push(FileMark { path: path.clone(), bytes, sha256 });
    }
    let manifest = Manifest {
        backup: VERSION,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        format: store::FORMAT,
        snapshot,
        files: marks,
    };
    let text = serde_json::to_vec_pretty(&manifest).map_err(|e| HostError::usage(e.to_string()))?;
    let fault = |e| HostError::io(Path::new("the backup"), e);
    let mut tar = tar::Builder::new(out);
    append(&mut tar, MANIFEST, length(text.len()), manifest.snapshot.at, &text[..]).map_err(fault)?;
    for ((path, origin), mark) in files.iter().zip(&manifest.files) {
        let mut source = Digesting::new(open(dir, origin)?);
        append(&mut tar, path, mark.bytes, manifest.snapshot.at, &mut source).map_err(fault)?;
        if source.finish() != (mark.bytes, mark.sha256.clone()) {
            let reason = "it changed while it was packed; make the backup again".to_owned();
            return Err(HostError::Archive { path: dir.join(path), reason });
        }
    }
    tar.finish().map_err(fault)?;
    let bytes = manifest.files.iter().map(|mark| mark.bytes).sum();
    Ok(Packed { files: manifest.files.len(), bytes, damaged })
}

fn append(
    tar: &mut tar::Builder<&mut dyn Write>,
    path: &str,
    bytes: u64,
    at: i64,
    source: impl Read,
) -> io::Result<()> {
    let mut header = tar::Header::new_ustar();
    header.set_path(path)?;
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_mtime(u64::try_from(at).unwrap_or(0));
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    tar.append(&header, source.take(bytes))
}

/// Every file of the backup, by its path. The order matters: positions in IMAP folders are read before the spool is listed, so that
/// each mail before such a position is in the backup; the configuration comes last, and makes the directory a data directory.
fn gather(
    dir: &Path,
    snapshot: &Snapshot,
    unread: &mut Vec<String>,
) -> Result<Vec<(String, Origin)>, HostError> {
    let config = Config::load(dir)?;
    let mut files = Vec::new();
    for index in 0..config.mail_in.len() {
        files.extend(small(dir, &format!("imap-{index}.cursor"))?);
    }
    files.extend(small(dir, "format")?);
    for path in named_files(&config) {
        files.extend(small(dir, &path)?);
    }
    let mut told = |error: HostError| unread.push(format!("{error}; it is not in this backup"));
    below(dir, "secrets", 1, &|name| name.contains(".secret"), &mut files, &mut told)?;
    let is_template = |name: &str| name.ends_with(".txt") || name.ends_with(".html");
    below(dir, "templates", 2, &is_template, &mut files, &mut told)?;
    below(dir, "games", 4, &|name| name.ends_with(".yaml"), &mut files, &mut told)?;
    for (name, mark) in &snapshot.mirrors {
        let path = format!("mirror/{name}.jsonl");
        files.push((path.clone(), Origin::Front(dir.join(path), mark.bytes)));
    }
    let spool = Spool::open(&dir.join("spool"))?;
    // In the order in which they are to be dealt with.
    for name in spool.all()? {
        let folder = if snapshot.held.contains(&name) { "done" } else { "new" };
        files.push((format!("spool/{folder}/{name}"), Origin::Mail(name)));
    }
    // After the mails: whatever was decided of them is in it.
    files.extend(as_long_as_now(dir, decided::FILE)?);
    files.extend(small(dir, config::FILE)?);
    Ok(files)
}

/// What is wrong with the secret of a game, if the backup is without the right one.
fn lost_secret(files: &[(String, Origin)], game: &GameMark) -> Option<String> {
    let name = &game.game;
    let path = format!("secrets/{name}.secret");
    // It has the name of a draft where the host was stopped in the middle of the founding.
    let kept = files.iter().find_map(|(file, origin)| match origin {
        Origin::Bytes(bytes) if *file == path || *file == format!("{path}.new") => Some(bytes),
        _ => None,
    });
    let why = match kept.map(|bytes| SecretChain::from_text(&String::from_utf8_lossy(bytes))) {
        None => "it is missing".to_owned(),
        Some(Err(error)) => error.to_string(),
        Some(Ok(chain)) if chain.game() != name || game.anchor.is_some_and(|it| it != chain.anchor()) => {
            format!("it isn't the secret that `{name}` was founded with")
        }
        Some(Ok(_)) => return None,
    };
    Some(format!(
        "{path}: {why}; without it `{name}` can't go on, here or after a restore: put the file back from an earlier backup"
    ))
}

/// The files in the data directory that the configuration names.
fn named_files(config: &Config) -> Vec<String> {
    let servers = config.mail_in.iter().filter_map(|mailbox| match mailbox {
        MailIn::Imap { server, .. } => Some(server),
        MailIn::Maildir { .. } => None,
    });
    let relay = match &config.mail_out {
        MailOut::Smtp { server, .. } => Some(server),
        MailOut::Maildir { .. } => None,
    };
    let files = |server: &ServerConfig| [server.password_file.clone(), server.tls_ca.clone()];
    let mut named: Vec<String> = servers
        .chain(relay)
        .flat_map(files)
        .flatten()
        // One that lies elsewhere isn't ours to pack.
        .filter(|path| path.components().all(|part| matches!(part, Component::Normal(_))))
        .filter_map(|path| path.to_str().map(str::to_owned))
        .collect();
    named.sort();
    named.dedup();
    named
}

/// A file that only grows, as far as it goes now; nothing where there is none.
fn as_long_as_now(dir: &Path, path: &str) -> Result<Option<(String, Origin)>, HostError> {
    let at = dir.join(path);
    match fs::metadata(&at) {
        Ok(meta) => Ok(Some((path.to_owned(), Origin::Front(at, meta.len())))),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(HostError::io(&at, e)),
    }
}

/// A file, if it is there.
fn small(dir: &Path, path: &str) -> Result<Option<(String, Origin)>, HostError> {
    let at = dir.join(path);
    match regular::read(&at, LARGEST_SMALL) {
        Ok(bytes) => Ok(Some((path.to_owned(), Origin::Bytes(bytes)))),
        Err(e) if e.kind() == io::ErrorKind::FileTooLarge => {
            Err(HostError::Archive { path: at, reason: format!("{e}: move it out of the data directory") })
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(HostError::io(&at, e)),
    }
}

/// The wanted files of a folder and of those in it, `depth` levels down, by name. Of each that can't be read is `told`.
fn below(
    dir: &Path,
    folder: &str,
    depth: usize,
    wanted: &dyn Fn(&str) -> bool,
    files: &mut Vec<(String, Origin)>,
    told: &mut dyn FnMut(HostError),
) -> Result<(), HostError> {
    let at = dir.join(folder);
    let entries = match fs::read_dir(&at) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(HostError::io(&at, e)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry.map_err(|e| HostError::io(&at, e))?.file_name().into_string());
    }
    names.sort();
    for name in names {
        let path = format!("{folder}/{name}");
        if dir.join(&path).is_dir() {
            if depth > 1 {
                below(dir, &path, depth - 1, wanted, files, told)?;
            }
        } else if wanted(&name) {
            match small(dir, &path) {
                Ok(file) => files.extend(file),
                Err(error) => told(error),
            }
        }
    }
    Ok(())
}

fn open<'a>(dir: &Path, origin: &'a Origin) -> Result<Box<dyn Read + 'a>, HostError> {
    Ok(match origin {
        Origin::Bytes(bytes) => Box::new(&bytes[..]),
        Origin::Front(path, bytes) => {
            Box::new(BufReader::new(regular::open(path).map_err(|e| HostError::io(path, e))?.take(*bytes)))
        }
        Origin::Mail(name) => Box::new(io::Cursor::new(fs_mail(dir, name)?)),
    })
}

fn fs_mail(dir: &Path, name: &str) -> Result<Vec<u8>, HostError> {
    // It may be put away meanwhile.
    let places = ["new", "other", "done"].map(|part| dir.join("spool").join(part).join(name));
    let [new, other, done] = &places;
    for path in [new, other] {
        match regular::read(path, LARGEST_MAIL) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            read => return read.map_err(|e| HostError::io(path, e)),
        }
    }
    regular::read(done, LARGEST_MAIL).map_err(|e| HostError::io(done, e))
}

/// Reads every mirror journal as far as it goes into the backup. One that isn't whole could not be restored: it is left out, and its game
/// with it; what is no game's is told of at once.
fn leave_out_unfit(dir: &Path, snapshot: &mut Snapshot, unfit: &mut Vec<String>) {
    let faults = snapshot.mirrors.iter().filter_map(|(name, mark)| {
        let path = dir.join("mirror").join(format!("{name}.jsonl"));
        let why = match regular::open_unlinked(&path) {
            Err(error) => error.to_string(),
            Ok(file) => match store::verify(name, BufReader::new(file.take(mark.bytes))) {
                Ok((lines, hash)) if (lines, hash) == (mark.lines, mark.hash) => return None,
                Ok((lines, _)) => {
                    format!("it ends with line {lines}, the store's copy with line {}", mark.lines)
                }
                Err(why) => why,
            },
        };
        let why = format!("{}: {why}; start the daemon anew, which mends it from the store", path.display());
        Some((name.clone(), why))
    });
    for (name, why) in faults.collect::<Vec<_>>() {
        snapshot.mirrors.remove(&name);
        snapshot.games.retain(|mark| mark.game.as_str() != name);
        match name.parse() {
            Ok(game) => _ = snapshot.set_aside.insert(game, why),
            Err(_) => unfit.push(format!("{why}; what is no game's is not in this backup")),
        }
    }
}

fn length(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

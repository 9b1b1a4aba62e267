//! What can be wrong with a configuration beyond its words: files that others may read, directories that can't be written,
//! ports that don't go with their protection, templates that are none.

pub(crate) mod findings;

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::BeaconSource;
use crate::HostError;
use crate::books::decided;
use crate::check::findings::Severity;
pub use crate::check::findings::{Finding, Findings};
use crate::config::disk;
use crate::config::parts::{own_part, same_place};
use crate::config::{self, Config, MailIn, MailOut, SecurityConfig, ServerConfig, look_over_templates};
use crate::decisions::custody;
use crate::health::metrics;
use crate::secrets::vault::{self, Vault};
use musterd_dice::{GameId, SecretChain};
use musterd_disk::regular;
use musterd_engine::files::DataError;
use musterd_engine::yaml::{Content, LineColumn, Node};
use musterd_post::{self as post, probe};
use musterd_store::Store;
use rustix::fs::{Access, access};
use rustix::io::Errno;

/// Looks at a configuration without opening anything for writing and without talking to anybody.
///
/// # Errors
/// The file can't be read at all.
pub fn look(file: &Path) -> Result<Findings, HostError> {
    let text = config::text_of(file)?;
    let name = file.display().to_string();
    let dir = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut look =
        Look { name, dir, text: &text, tree: config::read::tree(&text).ok(), found: Findings::default() };
    match Config::read(&look.name, &text) {
        Ok(config) => {
            look.machine(&config);
            look.found.config = Some(config);
        }
        Err(faults) => {
            for fault in faults.0 {
                let finding = look.shown(fault);
                look.found.errors.push(finding);
            }
        }
    }
    look.data_directory();
    Ok(look.found)
}

/// Asks every server of a configuration what it is and whether it would work for us; `file` is where the configuration stands.
/// Nothing is changed, and no mail is sent.
pub fn ask_servers(file: &Path, findings: &mut Findings) {
    let Some(config) = &findings.config else { return };
    let Ok(text) = config::text_of(file) else { return };
    let dir = file.parent().unwrap_or(Path::new(""));
    let name = file.display().to_string();
    let mut look =
        Look { name, dir, text: &text, tree: config::read::tree(&text).ok(), found: Findings::default() };
    for (n, mailbox) in config.mail_in.iter().enumerate() {
        let MailIn::Imap { server, folder } = mailbox else { continue };
        look.ask(&["mail_in", &n.to_string(), "host"], server, |server| probe::imap(server, folder));
    }
    if let MailOut::Smtp { server, .. } = &config.mail_out {
        look.ask(&["mail_out", "host"], server, |server| probe::smtp(server, &config.address));
    }
    let Findings { errors, faults, warnings, servers, .. } = look.found;
    findings.errors.extend(errors);
    findings.faults.extend(faults);
    findings.warnings.extend(warnings);
    findings.servers.extend(servers);
}

/// Of a longer line of the configuration only a piece is shown, in characters.
const LONGEST_SHOWN: usize = 100;

/// A look under way.
struct Look<'a> {
    name: String,
    dir: &'a Path,
    text: &'a str,
    tree: Option<Node>,
    found: Findings,
}

impl Look<'_> {
    /// Everything about the machine that the configuration relies on.
    fn machine(&mut self, config: &Config) {
        if config.address.ends_with(".localdomain") {
            self.warn(&["address"], "nobody elsewhere can write to this address: give the host's real one");
        }
        if config.gm.is_empty() {
            self.warn(&["gm"], "nobody is told of trouble: give an address of yours");
        }
        self.founders(config);
        for (n, mailbox) in config.mail_in.iter().enumerate() {
            let n = n.to_string();
            match mailbox {
                MailIn::Maildir { path } => {
                    let whole =
                        ["new", "cur", "tmp"].iter().all(|part| self.dir.join(path).join(part).exists());
                    // One that is there needs no making at the start.
                    self.writable(
                        &["mail_in", &n, "path"],
                        path,
                        if whole { Severity::Fault } else { Severity::Error },
                    );
                    self.maildir(&["mail_in", &n, "path"], path);
                }
                MailIn::Imap { server, .. } => {
                    self.server(&["mail_in", &n], server, (993, &[143]));
                    self.position(self.dir.join(format!("imap-{n}.cursor")));
                }
            }
        }
        if let Some(reason) = config.was_never_fed(self.dir) {
            self.warn(&["mail_in"], &reason);
        }
        for reason in config.stays_unread(self.dir) {
            self.warn(&["mail_out", "kind"], &reason);
        }
        match &config.mail_out {
            MailOut::Maildir { root } => self.writable(&["mail_out", "root"], root, Severity::Fault),
            MailOut::Smtp { server, .. } => self.server(&["mail_out"], server, (465, &[25, 587])),
        }
        if let Some(file) = &config.metrics_file {
            self.writable(&["metrics_file"], file.parent().unwrap_or(file), Severity::Fault);
            if let Err(error) = config.metrics_path(self.dir) {
                self.error(&["metrics_file"], &error.to_string());
            } else if let Err(error) = metrics::is_ours(&self.dir.join(file)) {
                self.fault(&["metrics_file"], &error.to_string());
            }
        }
        self.maildirs(config);
        match &config.beacon {
            Some(BeaconSource::Files { path }) => {
                let path = self.dir.join(path);
                if access(&path, Access::READ_OK | Access::EXEC_OK).is_err() {
                    let reason = format!("{} is no directory that can be read: make it", path.display());
                    self.warn(&["beacon", "path"], &reason);
                }
            }
            Some(BeaconSource::Command { program, .. }) => {
                let program = self.dir.join(program);
                if !program.is_file() || access(&program, Access::EXEC_OK).is_err() {
                    let reason = format!("{} is no program that can be run", program.display());
                    self.fault(&["beacon", "run"], &reason);
                }
            }
            None => {}
        }
        if !config.sign {
            self.warn(
                &["sign"],
                "the heads in the mails of new games are not signed, so that nobody can tell one that a player makes up from yours: write \
                 `sign: true` and start the daemon again, if you don't mean it so; games that run stay as they are",
            );
        }
        if let Ok(space) = disk::space(self.dir)
            && space.free_megabytes() < config.low_disk_megabytes
        {
            let reason = format!(
                "only {} MB are free on the disk of {}: make room, mail is refused when it is full",
                space.free_megabytes(),
                self.dir.display()
            );
            self.warn(&["low_disk_megabytes"], &reason);
        }
    }

    /// Whether those who may found games by mail can.
    fn founders(&mut self, config: &Config) {
        if !config.founders.is_empty() && config.limits.keep_other_mb == 0 {
            self.warn(
                &["limits", "keep_other_mb"],
                "games can't be founded by mail: a founder's mail is kept with other mail until it is confirmed, and none is kept; allow some \
                 megabytes",
            );
        }
    }

    /// Maildirs that are read twice, or lie where the host keeps things of its own.
    fn maildirs(&mut self, config: &Config) {
        let mut seen: Vec<&Path> = Vec::new();
        for (n, mailbox) in config.mail_in.iter().enumerate() {
            let MailIn::Maildir { path } = mailbox else { continue };
            let n = n.to_string();
            if seen.iter().any(|other| same_place(self.dir, other, path)) {
                self.fault(&["mail_in", &n, "path"], "this mailbox stands there twice: leave one out");
            }
            seen.push(path);
            self.not_our_own(&["mail_in", &n, "path"], path);
        }
        if let MailOut::Maildir { root } = &config.mail_out {
            self.not_our_own(&["mail_out", "root"], root);
        }
    }

    fn not_our_own(&mut self, at: &[&str], path: &Path) {
        if let Some(part) = own_part(self.dir, path).filter(|part| part != "mail") {
            let what = if part == "." { "the data directory itself".to_owned() } else { format!("`{part}`") };
            self.fault(at, &format!("{what} is the host's own and no place for mail: choose another path"));
        }
    }

    /// `implicit` is the port where TLS speaks from the first byte, `explicit` those where it is asked for.
    fn server(&mut self, at: &[&str], server: &ServerConfig, (implicit, explicit): (u16, &[u16])) {
        let place = |key: &'static str| [at, &[key]].concat();
        match server.security {
            SecurityConfig::Tls if explicit.contains(&server.port) => self.warn(
                &place("security"),
                &format!("on port {} servers want `starttls`; with `tls` it is {implicit}", server.port),
            ),
            SecurityConfig::Starttls if server.port == implicit => {
                self.warn(&place("security"), &format!("on port {implicit} servers want `tls`"));
            }
            _ => {}
        }
        if let Some(file) = &server.password_file
            && let Err(error) = post::Password::from_file(&self.dir.join(file))
        {
            self.error(&place("password_file"), &error.to_string());
        }
        let named =
            [("password_env", &server.password_env), ("password_credential", &server.password_credential)];
        if let Some((key, _)) = named.into_iter().find(|(_, name)| name.is_some())
            && let Err(reason) = server.password(self.dir)
        {
            self.warn(&place(key), &format!("{reason} here: the daemon needs it in its environment"));
        }
        if let Some(file) = &server.tls_ca {
            // A relay's is read at the start, a mailbox's with every connection.
            let weight = if at.first() == Some(&"mail_out") { Severity::Error } else { Severity::Fault };
            let path = self.dir.join(file);
            match regular::read(&path, post::LARGEST_AUTHORITIES).map(|pem| post::authorities(&pem)) {
                Ok(Ok(1..)) => {}
                Ok(Ok(_)) => {
                    self.fault(&place("tls_ca"), "there is no certificate in this file: it must be PEM");
                }
                Ok(Err(why)) => {
                    self.note(weight, &place("tls_ca"), &format!("no certificate of an authority: {why}"));
                }
                Err(error) => self.note(weight, &place("tls_ca"), &format!("{}: {error}", path.display())),
            }
        }
    }

    /// The file of how far a folder was read, which the daemon reads and replaces.
    fn position(&mut self, path: PathBuf) {
        if let Err(error) = regular::open(&path)
            && error.kind() != io::ErrorKind::NotFound
        {
            let reason = format!("{error}: move it away, and the folder is read from its beginning");
            self.beside(Severity::Fault, path, &reason);
        }
    }

    /// What to do about a directory that this user may not use so; nothing where it may, or where the disk of the whole data directory is
    /// read-only, which is told once.
    fn barred(&self, path: &Path, wanted: Access) -> Option<&'static str> {
        match access(path, wanted) {
            Ok(()) => None,
            Err(Errno::ROFS) if is_read_only(base(self.dir)) => None,
            Err(Errno::ROFS) => Some("it lies on a read-only disk, mount that writable"),
            Err(_) => Some("give it to the daemon's user"),
        }
    }

    /// A directory that is written to, or made.
    fn writable(&mut self, at: &[&str], path: &Path, weight: Severity) {
        let path = self.dir.join(path);
        let there = path.ancestors().find(|path| path.exists()).unwrap_or(Path::new("/"));
        if !there.is_dir() {
            self.note(weight, at, &format!("{} is no directory: choose another path", there.display()));
        } else if let Some(remedy) = self.barred(there, Access::WRITE_OK | Access::EXEC_OK) {
            self.note(weight, at, &format!("{} can't be written to: {remedy}", there.display()));
        }
    }

    /// The parts of a Maildir that are there already; those that are missing are made.
    fn maildir(&mut self, at: &[&str], path: &Path) {
        for part in ["new", "cur", "tmp"] {
            let part = self.dir.join(path).join(part);
            let (shown, ours) = (part.display(), Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK);
            if fs::symlink_metadata(&part).is_err() {
                continue;
            }
            if !part.is_dir() {
                let reason = format!("{shown} is no directory, and a Maildir has one there: move it away");
                self.error(at, &reason);
            } else if let Some(remedy) = self.barred(&part, ours) {
                let reason =
                    format!("{shown} can't be read and written to, so no mail comes in from there: {remedy}");
                self.fault(at, &reason);
            }
        }
    }

    /// The directories of the host's own that are there already.
    fn parts(&mut self, dir: &Path) {
        let (ours, read) =
            (Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK, Access::READ_OK | Access::EXEC_OK);
        let written =
            ["secrets", "mirror", "store", "spool", "spool/new", "spool/tmp", "spool/done", "spool/other"];
        for (part, wanted) in
            written.map(|part| (part, ours)).into_iter().chain([("templates", read), ("games", read)])
        {
            let path = dir.join(part);
            if fs::symlink_metadata(&path).is_ok()
                && let Some(remedy) = self.barred(&path, wanted)
            {
                let (what, weight) = match wanted == ours {
                    true => ("read and written to", Severity::Error),
                    false => ("read", Severity::Fault),
                };
                self.beside(weight, path, &format!("it can't be {what}: {remedy}, with mode 700"));
            }
        }
    }

    /// What has to be a file of the host's own: its notes, and the mails that wait.
    fn own_files(&mut self, dir: &Path) {
        let waiting =
            fs::read_dir(dir.join("spool/new")).into_iter().flatten().flatten().map(|file| file.path());
        let all: Vec<PathBuf> = waiting.chain([dir.join(decided::FILE), dir.join("store/conf")]).collect();
        for path in all.into_iter().filter(|path| fs::symlink_metadata(path).is_ok()) {
            if let Err(error) = regular::open_unlinked(&path) {
                let remedy = "give it to the daemon's user with mode 600, or move it away";
                self.beside(Severity::Fault, path, &format!("{error}: {remedy}"));
            }
        }
    }

    /// What lies beside the configuration.
    fn data_directory(&mut self) {
        let dir = base(self.dir);
        if let Err(error) = disk::owned(dir) {
            self.beside(Severity::Error, dir.to_owned(), &error.to_string());
        }
        if is_read_only(dir) {
            self.beside(
                Severity::Error,
                dir.to_owned(),
                "it can't be written to: it lies on a read-only disk, mount that writable",
            );
        } else if access(dir, Access::WRITE_OK | Access::EXEC_OK).is_err() {
            let reason = "it can't be written to: give it to the daemon's user";
            self.beside(Severity::Error, dir.to_owned(), reason);
        }
        self.parts(dir);
        self.own_files(dir);
        for finding in look_over_templates(self.dir) {
            self.beside(Severity::Fault, dir.join("templates"), &finding.to_string());
        }
        let secrets = dir.join("secrets");
        let files = fs::read_dir(&secrets).into_iter().flatten().flatten().map(|file| file.path());
        for path in std::iter::once(secrets.clone()).chain(files) {
            let open = fs::metadata(&path).is_ok_and(|meta| meta.permissions().mode() & 0o077 != 0);
            if open {
                let reason = format!(
                    "others may read this, and foresee the dice: run `chmod -R go= {}`",
                    secrets.display()
                );
                self.beside(Severity::Fault, path, &reason);
            }
        }
        self.secrets(dir);
        let mirror = dir.join("mirror");
        if let (Ok(own), Ok(mirror)) = (fs::metadata(dir), fs::metadata(&mirror))
            && own.uid() != mirror.uid()
        {
            let reason = "its owner isn't that of the data directory: it was written by another user";
            self.beside(Severity::Error, dir.join("mirror"), reason);
        }
    }

    /// The secrets of the games that are there, and of those whose journals are.
    fn secrets(&mut self, dir: &Path) {
        let at = |game: &GameId| dir.join("secrets").join(format!("{game}.secret"));
        if let Err(error) = custody::look_for_journals(dir, || Store::is_new(dir)) {
            self.beside(Severity::Error, dir.join("store"), &error.to_string());
        }
        for game in Vault::founded_in(&dir.join("secrets")).unwrap_or_default() {
            let reason = match regular::read(&at(&game), vault::LARGEST_SECRET) {
                Err(error) => {
                    format!(
                        "{error}: `{game}` can't go on without it; give it to the daemon's user, with mode 600"
                    )
                }
                Ok(bytes) => match SecretChain::game_of_text(&String::from_utf8_lossy(&bytes)) {
                    Ok(whose) if whose == game => continue,
                    Ok(whose) => format!("this is the secret of `{whose}`: put the right file back"),
                    Err(error) => format!("{error}: put the file back from a backup"),
                },
            };
            self.beside(Severity::Fault, at(&game), &reason);
        }
        let mut lost = Vec::new();
        for file in fs::read_dir(dir.join("mirror")).into_iter().flatten().flatten() {
            let name = file.file_name();
            let game = name.to_str().and_then(|name| name.strip_suffix(".jsonl")?.parse::<GameId>().ok());
            let Some(game) = game else { continue };
            if let Err(error) = regular::open_unlinked(&file.path()) {
                let reason = format!(
                    "{error}: `{game}` can't go on without it; mend the file, or put it back from a backup"
                );
                self.beside(Severity::Fault, file.path(), &reason);
            }
            lost.push(game);
        }
        // One whose founding was cut short is taken up again from its draft.
        lost.retain(|game| !at(game).exists() && !at(game).with_extension("secret.new").exists());
        lost.sort();
        for game in lost {
            let reason = format!(
                "it is missing, and `{game}`, whose journal is here, can't go on without it: put the file back from a backup"
            );
            self.beside(Severity::Fault, at(&game), &reason);
        }
    }

    fn ask(
        &mut self,
        at: &[&str],
        server: &ServerConfig,
        ask: impl FnOnce(&post::Server) -> Result<probe::Found, post::PostError>,
    ) {
        let found = match server.server(self.dir) {
            Ok(server) => ask(&server).map_err(HostError::Post),
            Err(error) => Err(error),
        };
        match found {
            Ok(found) => {
                self.found.servers.push(found.said);
                found.doubts.iter().for_each(|doubt| self.warn(at, doubt));
            }
            Err(error) => self.fault(at, &error.to_string()),
        }
    }

    fn error(&mut self, at: &[&str], reason: &str) {
        self.note(Severity::Error, at, reason);
    }

    fn fault(&mut self, at: &[&str], reason: &str) {
        self.note(Severity::Fault, at, reason);
    }

    fn warn(&mut self, at: &[&str], reason: &str) {
        self.note(Severity::Warning, at, reason);
    }

    fn note(&mut self, weight: Severity, at: &[&str], reason: &str) {
        let finding = self.finding(at, reason);
        self.found.of(weight).push(finding);
    }

    /// A finding in another file.
    fn beside(&mut self, weight: Severity, path: PathBuf, reason: &str) {
        let path = path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        let fault = DataError {
            file: path.display().to_string(),
            at: LineColumn::default(),
            reason: config::read::told(reason),
        };
        self.found.of(weight).push(Finding::elsewhere(fault));
    }

    fn finding(&self, at: &[&str], reason: &str) -> Finding {
        let at = self.tree.as_ref().map_or(LineColumn::default(), |tree| place(tree, at));
        self.shown(DataError { file: self.name.clone(), at, reason: config::read::told(reason) })
    }

    /// A fault of the configuration, with as much of its line as can be read at a glance.
    fn shown(&self, fault: DataError) -> Finding {
        let Some(line) = self.line(fault.at) else { return Finding::elsewhere(fault) };
        let column = fault.at.column.saturating_sub(1);
        if line.chars().nth(LONGEST_SHOWN).is_none() {
            return Finding { fault, shown: Some(line), caret: column };
        }
        let from = column.saturating_sub(LONGEST_SHOWN / 2);
        let (before, caret) = if from > 0 { ("...", column - from + 3) } else { ("", column) };
        let piece: String = line.chars().skip(from).take(LONGEST_SHOWN).collect();
        let after = if line.chars().nth(from + LONGEST_SHOWN).is_some() { "..." } else { "" };
        Finding { fault, shown: Some(format!("{before}{piece}{after}")), caret }
    }

    /// A line of the configuration as it may be shown: without a password that somebody wrote there.
    fn line(&self, at: LineColumn) -> Option<String> {
        let line = self.text.lines().nth(at.line.checked_sub(1)?)?;
        let hidden = line.split_once(':').filter(|(key, _)| {
            let key = key.trim_start_matches([' ', '-']).to_lowercase();
            key.contains("pass") && !key.ends_with("_file") && !key.ends_with("_env")
        });
        Some(hidden.map_or_else(|| line.trim_end().to_owned(), |(key, _)| format!("{key}: ...")))
    }
}

/// Where the value of a key stands, or that of the nearest key above it; entries of a list are numbers.
fn place(node: &Node, path: &[&str]) -> LineColumn {
    let Some((first, rest)) = path.split_first() else { return node.at };
    let below = match &node.content {
        Content::Map(pairs) => {
            pairs.iter().find(|(key, _)| key.text() == Some(first)).map(|(_, value)| value)
        }
        Content::List(nodes) => first.parse::<usize>().ok().and_then(|n| nodes.get(n)),
        Content::Text { .. } => None,
    };
    below.map_or(node.at, |below| place(below, rest))
}

/// Whether a directory lies on a disk that is mounted read-only.
fn is_read_only(dir: &Path) -> bool {
    access(dir, Access::WRITE_OK) == Err(Errno::ROFS)
}

/// The data directory, as a path that can be looked at.
fn base(dir: &Path) -> &Path {
    if dir.as_os_str().is_empty() { Path::new(".") } else { dir }
}

//! The journal of a sitting at a table: an append-only file with the same entries as any game's, and its secret beside it.
//!
//! The secret is a synced file before the journal begins. The text of a throw is synced before its dice are computed, and the result is synced before
//! it is shown. A throw that was interrupted is finished by the next process that opens the session: it can't be thrown again.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use zeroize::Zeroizing;

use crate::cli::global::Global;
use crate::cli::outfile::{Force, OutFile};
use crate::rulesets;
use musterd_daemon::HostError;
use musterd_desk::Desk;
use musterd_desk::audit::{assurances, audit_file};
use musterd_desk::campaign::Campaign;
use musterd_desk::reveal::revealed;
use musterd_dice::audit::AuditFile;
use musterd_dice::{Assurance, Block, GameId, Seat, SecretChain, Witness, leaf};
use musterd_disk::regular;
use musterd_dog::table::throw::Throw;
use musterd_dog::table::{Event, PLAYERS, Sitting, UMPIRE};
use musterd_engine::files::RuleFiles;
use musterd_engine::journal::{Arrangement, Author, Cause, Change, Charter, Entry, Player, Sealed};
use musterd_engine::terms::{DeadlinePolicy, PressPolicy, Terms};
use musterd_engine::{Ruleset as _, Skill};

/// The largest journal that is read: some hundred thousand throws.
const LARGEST: u64 = 256 << 20;
/// The largest secret.
const LARGEST_SECRET: u64 = 4096;
/// How often the lock is tried, 20 milliseconds apart.
const LOCK_TRIES: u32 = 1_500;

/// A sitting, opened by this process alone.
pub(super) struct Session {
    path: PathBuf,
    file: File,
    entries: Vec<Entry>,
    secrets: SecretChain,
    campaign: Campaign,
    rules: Sitting,
}

/// A throw and its result.
pub(super) struct Thrown {
    pub(super) t: u32,
    pub(super) throw: Throw,
    pub(super) event: Event,
    pub(super) assurance: Option<Assurance>,
}

impl Session {
    /// Opens a session, or begins it with these files. Returns whether it is new.
    pub(super) fn open(
        out: &OutFile,
        global: &Global,
        founding: impl FnOnce() -> Result<RuleFiles, HostError>,
    ) -> Result<(Self, bool), HostError> {
        let path = out.path();
        let fault = |error| HostError::Io { path: path.to_owned(), error };
        let mut founding = Some(founding);
        let (mut file, mut new) = match out.grow(global)? {
            Some(file) => (file, false),
            None => {
                let new = founding.take().map(|founding| begin(out, global, founding)).transpose()?;
                let file = out.grow(global)?.ok_or_else(|| fault(io::ErrorKind::NotFound.into()))?;
                (file, new == Some(true))
            }
        };
        lock(&file, path)?;
        let mut text = text_of(&mut file).map_err(fault)?;
        if text.is_empty()
            && let Some(founding) = founding
        {
            // An earlier beginning was interrupted before it wrote anything.
            append(&mut file, path, &[founding_entry(out, global, founding)?])?;
            (text, new) = (text_of(&mut file).map_err(fault)?, true);
        }
        // A line without its end was being written when the machine stopped; its result was never shown.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let unfit = |reason: String| HostError::usage(format!("{}: {reason}", path.display()));
        let entries = read(path, &text[..whole])?;
        if entries.is_empty() {
            return Err(unfit("this file is no session: choose another --session".to_owned()));
        }
        let secrets = secrets_of(path)?;
        let campaign = Campaign::fold(&desk(), &entries).map_err(|error| unfit(error.to_string()))?;
        let charter = campaign.charter();
        if charter.ruleset != Sitting::ID {
            return Err(unfit(format!("this is a journal of `{}`, and no session of dice", charter.ruleset)));
        }
        if campaign.anchor() != secrets.anchor() || charter.game != *secrets.game() {
            return Err(HostError::Secret {
                path: secret_path(path),
                reason: "this isn't the secret that the session began with: put the right file back"
                    .to_owned(),
            });
        }
        let rules = Sitting::of_version(charter.rules_version, &charter.files, &[])
            .map_err(|error| unfit(error.to_string()))?;
        // Now it is certain that the file is a session; only now it is changed.
        if whole < text.len() {
            file.set_len(whole as u64).map_err(fault)?;
        }
        Ok((Self { path: path.to_owned(), file, entries, secrets, campaign, rules }, new))
    }

    /// How the table plays.
    pub(super) const fn rules(&self) -> &Sitting {
        &self.rules
    }

    pub(super) const fn campaign(&self) -> &Campaign {
        &self.campaign
    }

    /// The last throw that is revealed.
    pub(super) fn revealed(&self) -> u32 {
        revealed(&self.entries)
    }

    /// Every throw so far.
    pub(super) fn throws(&self) -> Vec<Thrown> {
        let ran = self.entries.iter().filter_map(|entry| match &entry.cause {
            Cause::Adjudicated { t, .. } => Some(*t),
            _ => None,
        });
        ran.filter_map(|t| self.thrown(t).ok()).collect()
    }

    /// The end of the log, for the table to write down.
    pub(super) fn witness(&self) -> Option<Witness> {
        self.campaign.witness()
    }

    /// Finishes a throw that was interrupted after its line was on disk.
    pub(super) fn finish(&mut self, now: i64) -> Result<Option<Thrown>, HostError> {
        let Some(t) = self.campaign.window().map(|window| window.t) else {
            // The throw is closed, and its dice are not written down.
            let ran = self.entries.iter().rev().find_map(|entry| match entry.cause {
                Cause::Adjudicated { t, .. } | Cause::Closed { t, .. } => Some((t, &entry.cause)),
                _ => None,
            });
            let Some((t, Cause::Closed { .. })) = ran else { return Ok(None) };
            self.adjudicate(now)?;
            return self.thrown(t).map(Some);
        };
        self.close(None, now)?;
        self.adjudicate(now)?;
        self.thrown(t).map(Some)
    }

    /// Throws dice. `salt` is called for the players' words once the line is on disk.
    pub(super) fn throw(
        &mut self,
        throw: &Throw,
        salt: impl FnOnce(u32) -> Result<Option<String>, HostError>,
        now: i64,
    ) -> Result<Thrown, HostError> {
        self.rules.allows(throw).map_err(HostError::usage)?;
        let t = self.campaign.next_t();
        let seat = seat(UMPIRE);
        let block = Block::canonical(&throw.line(self.rules.numbers()));
        let secret = self.secrets.secret(t).ok_or_else(|| {
            HostError::usage(format!(
                "this session has had its {} throws: begin another",
                self.secrets.length()
            ))
        })?;
        let leaf = leaf(&secret, self.secrets.game(), t, &seat, Some(&block));
        let musterd_engine::Awaiting::Orders { name, .. } = self.campaign.game().awaiting() else {
            return Err(HostError::usage("this session is over"));
        };
        let name = name.clone();
        let sealed = vec![Sealed { seat, leaf, block }];
        self.take(vec![Cause::Opened { t, name, deadline: None, sealed }], now)?;
        self.close(salt(t)?.as_deref(), now)?;
        self.adjudicate(now)?;
        self.thrown(t)
    }

    fn close(&mut self, salt: Option<&str>, now: i64) -> Result<(), HostError> {
        let words = salt.map(|salt| salt.split_whitespace().collect::<Vec<_>>().join(" "));
        if let Some(words) = words.filter(|words| !words.is_empty()) {
            let block = Block::canonical(&format!("salt: {words}"));
            let accepted =
                self.campaign.acceptance(&self.secrets, &seat(PLAYERS), block, "said at the table", now);
            self.take(vec![accepted.map_err(|error| self.unfit(error))?], now)?;
        }
        let closing = self.campaign.closing(&self.secrets).map_err(|error| self.unfit(error))?;
        self.take(vec![closing], now)
    }

    fn adjudicate(&mut self, now: i64) -> Result<(), HostError> {
        let ran = self.campaign.adjudication(&self.secrets).map_err(|error| self.unfit(error))?;
        self.take(vec![ran], now)
    }

    /// Makes all throws public, and returns the audit file that proves them.
    pub(super) fn reveal(&mut self, now: i64) -> Result<AuditFile, HostError> {
        let last = self.campaign.next_t() - 1;
        if last > self.revealed()
            && let Some(secret) = self.secrets.secret(last)
        {
            let secret = secret.reveal();
            let change = Change::Revealed { upto: last, secret };
            let text = format!("reveal {last} {secret}");
            self.take(vec![Cause::Arranged(Arrangement { t: last + 1, by: Author::Gm, change, text })], now)?;
        }
        Ok(audit_file(&self.entries, &self.secrets, self.revealed()))
    }

    fn take(&mut self, causes: Vec<Cause>, now: i64) -> Result<(), HostError> {
        let entries: Vec<Entry> = causes.into_iter().map(|cause| Entry { at: now, cause }).collect();
        append(&mut self.file, &self.path, &entries)?;
        for entry in entries {
            self.campaign.apply(&entry).map_err(|error| self.unfit(error))?;
            self.entries.push(entry);
        }
        Ok(())
    }

    /// A throw as recorded in the journal.
    fn thrown(&self, t: u32) -> Result<Thrown, HostError> {
        let line = self.entries.iter().rev().find_map(|entry| match &entry.cause {
            Cause::Opened { t: other, sealed, .. } if *other == t => sealed.first(),
            _ => None,
        });
        let events = self.entries.iter().rev().find_map(|entry| match &entry.cause {
            Cause::Adjudicated { t: other, events, .. } if *other == t => events.first(),
            _ => None,
        });
        let damaged = || self.unfit(format!("throw {t} is not in the journal"));
        let line = line.ok_or_else(damaged)?.block.as_str();
        let ground = musterd_dog::table::throw::OPEN;
        let throw = musterd_dog::table::read::read(self.rules.numbers(), line, ground);
        let throw = throw.map_err(|reason| self.unfit(reason))?;
        let event = serde_json::from_value(events.ok_or_else(damaged)?.clone());
        let event = event.map_err(|error| self.unfit(error))?;
        let whole = audit_file(&self.entries, &self.secrets, t);
        let all = assurances(&whole).map_err(|error| self.unfit(error))?;
        let assurance = all.into_iter().find(|(other, _)| *other == t);
        Ok(Thrown { t, throw, event, assurance: assurance.map(|(_, assurance)| assurance) })
    }

    fn unfit(&self, reason: impl std::fmt::Display) -> HostError {
        HostError::usage(format!("{}: {reason}", self.path.display()))
    }
}

/// The rulesets that a session, or its audit file, may belong to.
fn desk() -> Desk {
    rulesets::with_tables()
}

/// One of the two seats at a table.
fn seat(name: &str) -> Seat {
    #[expect(clippy::expect_used, reason = "constants in the alphabet of seats")]
    name.parse().expect("a seat")
}

fn founded(game: &GameId, files: RuleFiles, secrets: &SecretChain) -> Cause {
    let players = [
        // The umpire's line is sealed at the opening, like orders of house seats: nobody can later claim that it said something else.
        (seat(UMPIRE), Player::Computer { skill: Skill::Cautious }),
        (seat(PLAYERS), Player::Open),
    ];
    let charter = Charter {
        game: game.clone(),
        ruleset: Sitting::ID.to_owned(),
        rules_version: Sitting::RULES_VERSION,
        scenario: Sitting::ID.to_owned(),
        files,
        players: players.into_iter().collect(),
        gm: Vec::new(),
        deadlines: DeadlinePolicy::None,
        chain_length: secrets.length(),
        beacon: None,
        host_key: None,
        press: PressPolicy::None,
        terms: Terms::default(),
    };
    Cause::Founded { charter: Box::new(charter), anchor: secrets.anchor() }
}

/// The name of a session in its log: its file's name, as far as its characters are allowed there.
fn id_of(path: &Path) -> GameId {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let sign = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = stem.chars().map(sign).take(20).collect();
    let usual = || GameId::try_from("session".to_owned());
    #[expect(clippy::expect_used, reason = "a constant in the alphabet of games")]
    name.trim_matches('-').parse().or_else(|_| usual()).expect("a game's name")
}

fn secret_path(path: &Path) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(".secret");
    PathBuf::from(name)
}

/// Begins a session: its secret, then its journal with the founding. Returns false if another process has just begun it.
fn begin(
    out: &OutFile,
    global: &Global,
    founding: impl FnOnce() -> Result<RuleFiles, HostError>,
) -> Result<bool, HostError> {
    let written = out.begin(global, Force::NONE).and_then(|writing| {
        let lines = lines_of(&[founding_entry(out, global, founding)?]);
        writing.whole(&lines.map_err(|error| HostError::Io { path: out.path().to_owned(), error })?)
    });
    match written {
        Err(error) if is_taken(&error) && out.grow(global)?.is_some() => Ok(false),
        written => written.map(|()| true),
    }
}

/// Whether a file may not have been written because another process has created it meanwhile.
fn is_taken(error: &HostError) -> bool {
    match error {
        HostError::Io { error, .. } => error.kind() == io::ErrorKind::AlreadyExists,
        HostError::Usage(_) => true,
        _ => false,
    }
}

/// The founding of a session. Its secret is already on the disk.
fn founding_entry(
    out: &OutFile,
    global: &Global,
    founding: impl FnOnce() -> Result<RuleFiles, HostError>,
) -> Result<Entry, HostError> {
    let (game, files) = (id_of(out.path()), founding()?);
    let secrets = draft(out.path(), &game, global)?;
    Ok(Entry { at: global.clock().now(), cause: founded(&game, files, &secrets) })
}

/// The secret of a session that is about to begin: a new one, or the one that an interrupted beginning left.
fn draft(path: &Path, game: &GameId, global: &Global) -> Result<SecretChain, HostError> {
    let secret = OutFile::at(secret_path(path));
    let take_up = || match secret.grow(global)? {
        None => Ok(None),
        Some(_) => match secrets_of(path).ok().filter(|chain| chain.game() == game) {
            Some(chain) => Ok(Some(chain)),
            None => Err(HostError::usage(format!(
                "{} is there already, and isn't the secret of a session that was cut short: choose another --session",
                secret.path().display()
            ))),
        },
    };
    if let Some(chain) = take_up()? {
        return Ok(chain);
    }
    let fault = |error| HostError::Io { path: secret.path().to_owned(), error };
    let drawn = global.entropy()?.draw(game.as_str()).map_err(fault)?;
    let chain = SecretChain::new(game, drawn, SecretChain::DEFAULT_LENGTH);
    let text = chain.to_text();
    match secret.begin(global, Force::NONE).and_then(|writing| writing.whole(text.as_bytes())) {
        // Another process begins the session too; one of the two secrets becomes the session's.
        Err(error) if is_taken(&error) => take_up()?.ok_or(error),
        written => written.map(|()| chain),
    }
}

fn secrets_of(path: &Path) -> Result<SecretChain, HostError> {
    let path = secret_path(path);
    let unfit = |reason: String| HostError::Secret { path: path.clone(), reason };
    let bytes = regular::read(&path, LARGEST_SECRET).map(Zeroizing::new).map_err(|error| {
        unfit(format!(
            "{error}; the session can't go on without its secret: put the file back, or begin another"
        ))
    })?;
    let text = Zeroizing::new(String::from_utf8_lossy(&bytes).into_owned());
    SecretChain::from_text(&text).map_err(|error| unfit(error.to_string()))
}

fn read(path: &Path, text: &[u8]) -> Result<Vec<Entry>, HostError> {
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let entry = |(number, line): (usize, &[u8])| {
        serde_json::from_slice(line).map_err(|error| {
            let path = path.display();
            HostError::usage(format!(
                "{path}: line {number} is no line of a session: {error}; choose another --session"
            ))
        })
    };
    (1..).zip(lines).map(entry).collect()
}

/// Appends lines and makes them durable.
fn append(file: &mut File, path: &Path, entries: &[Entry]) -> Result<(), HostError> {
    let fault = |error| HostError::Io { path: path.to_owned(), error };
    let lines = lines_of(entries).map_err(fault)?;
    file.write_all(&lines).and_then(|()| file.sync_data()).map_err(fault)
}

fn lines_of(entries: &[Entry]) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for entry in entries {
        serde_json::to_writer(&mut lines, entry)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// The journal as it is, up to [`LARGEST`].
fn text_of(file: &mut File) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    file.rewind()?;
    file.take(LARGEST.saturating_add(1)).read_to_end(&mut text)?;
    match u64::try_from(text.len()).is_ok_and(|length| length <= LARGEST) {
        true => Ok(text),
        false => Err(io::ErrorKind::FileTooLarge.into()),
    }
}

fn lock(file: &File, path: &Path) -> Result<(), HostError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::Error(error)) => return Err(HostError::Io { path: path.to_owned(), error }),
        }
    }
    Err(HostError::usage(format!(
        "{}: another musterd is throwing in this session: try again",
        path.display()
    )))
}

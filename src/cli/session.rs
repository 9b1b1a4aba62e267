//! The journal of a session of dice: an append-only file with the same entries as any game's, and its secret beside it.
//!
//! The secret is a synced file before the journal begins. The text of a throw is synced before its dice are computed, and the result is synced before
//! it is shown. A throw that was interrupted is finished by the next process that opens the session: it can't be thrown again.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{self, BufRead as _, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use zeroize::Zeroizing;

use super::global::Global;
use super::outfile::{Force, OutFile};
use super::output;
use crate::rulesets;
use musterd_daemon::HostError;
use musterd_desk::audit::{assurances, audit_file};
use musterd_desk::campaign::Campaign;
use musterd_desk::reveal::revealed;
use musterd_desk::{Desk, Game};
use musterd_dice::{Assurance, Block, Digest, GameId, Seat, SecretChain, Witness, leaf};
use musterd_disk::regular;
use musterd_engine::Awaiting;
use musterd_engine::calls::{CallError, Dice, Salt, Thrown};
use musterd_engine::files::RuleFiles;
use musterd_engine::journal::{Arrangement, Author, Cause, Change, Charter, Entry, Player, Sealed};
use musterd_engine::terms::{DeadlinePolicy, PressPolicy, Terms};

/// The largest journal that is read: some hundred thousand throws.
const LARGEST: u64 = 256 << 20;
/// The largest secret.
const LARGEST_SECRET: u64 = 4096;
/// How often the lock is tried, 20 milliseconds apart.
const LOCK_TRIES: u32 = 1_500;

/// A session, opened by this process alone.
pub(super) struct Session {
    path: PathBuf,
    file: File,
    entries: Vec<Entry>,
    secrets: SecretChain,
    campaign: Campaign,
    is_new: bool,
    /// The time of what is written.
    now: i64,
}

/// How a session begins, unless it has begun.
struct Beginning<'a> {
    /// The ruleset of its throws.
    table: &'a str,
    out: &'a OutFile,
    global: &'a Global,
    files: Option<RuleFiles>,
}

impl Session {
    /// Opens a session of throws by this ruleset; one that has not begun begins with these files.
    pub(super) fn open(
        table: &str,
        out: &OutFile,
        global: &Global,
        files: Option<RuleFiles>,
    ) -> Result<Self, HostError> {
        let path = out.path();
        let fault = |error| HostError::Io { path: path.to_owned(), error };
        let beginning = Beginning { table, out, global, files };
        let (mut file, mut is_new) = match out.grow(global)? {
            Some(file) => (file, false),
            None => {
                let is_new = beginning.begin()?;
                (out.grow(global)?.ok_or_else(|| fault(io::ErrorKind::NotFound.into()))?, is_new)
            }
        };
        lock(&file, path)?;
        let mut text = text_of(&mut file).map_err(fault)?;
        if text.is_empty() && !is_new {
            // An earlier beginning was interrupted before it wrote anything.
            append(&mut file, path, &[beginning.entry()?])?;
            (text, is_new) = (text_of(&mut file).map_err(fault)?, true);
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
        if charter.ruleset != table {
            return Err(unfit(format!("this is a journal of `{}`, and no session of dice", charter.ruleset)));
        }
        if campaign.anchor() != secrets.anchor() || charter.game != *secrets.game() {
            return Err(HostError::Secret {
                path: secret_path(path),
                reason: "this isn't the secret that the session began with: put the right file back"
                    .to_owned(),
            });
        }
        // Now it is certain that the file is a session; only now it is changed.
        if whole < text.len() {
            file.set_len(whole as u64).map_err(fault)?;
        }
        let now = global.clock().now();
        Ok(Self { path: path.to_owned(), file, entries, secrets, campaign, is_new, now })
    }

    /// The seat whose line is what is thrown for, and the seat of everybody else, whose words enter the dice.
    fn seats(&self) -> Result<[Seat; 2], HostError> {
        seats(self.campaign.game()).ok_or_else(|| self.unfit("a table has two seats"))
    }

    fn finish_last(&mut self, words: Option<&str>) -> Result<Option<Thrown>, HostError> {
        let [_, players] = self.seats()?;
        let open = self.campaign.window().map(|window| (window.t, window.accepted.contains_key(&players)));
        let t = match open {
            Some((t, said)) => {
                self.close(words.filter(|_| !said))?;
                t
            }
            None => {
                // The throw is closed, and its dice are not written down.
                let ran = self.entries.iter().rev().find_map(|entry| match entry.cause {
                    Cause::Adjudicated { t, .. } | Cause::Closed { t, .. } => Some((t, &entry.cause)),
                    _ => None,
                });
                let Some((t, Cause::Closed { .. })) = ran else { return Ok(None) };
                t
            }
        };
        self.adjudicate()?;
        self.thrown(t).map(Some)
    }

    /// Throws dice for an order line. The players' words are asked for once the line is on disk.
    fn throw_for(&mut self, line: &str, salt: &Salt) -> Result<Thrown, HostError> {
        let t = self.campaign.next_t();
        let [seat, _] = self.seats()?;
        let block = Block::canonical(line);
        let most = self.secrets.length();
        let used_up = || HostError::usage(format!("this session has had its {most} throws: begin another"));
        let secret = self.secrets.secret(t).ok_or_else(used_up)?;
        let leaf = leaf(&secret, self.secrets.game(), t, &seat, Some(&block));
        let Awaiting::Orders { name, .. } = self.campaign.game().awaiting() else {
            return Err(HostError::usage("this session is over"));
        };
        let name = name.clone();
        let sealed = vec![Sealed { seat, leaf, block }];
        self.take(vec![Cause::Opened { t, name, deadline: None, sealed }])?;
        let words = match salt {
            Salt::Without => None,
            Salt::Given(words) => Some(words.clone()),
            Salt::Asked => Some(asked(t)?),
        };
        let plain = |words: String| words.chars().filter(|c| !c.is_control()).collect::<String>();
        self.close(words.map(plain).as_deref())?;
        self.adjudicate()?;
        self.thrown(t)
    }

    fn reveal_all(&mut self) -> Result<String, HostError> {
        let last = self.campaign.next_t() - 1;
        if last > self.revealed()
            && let Some(secret) = self.secrets.secret(last)
        {
            let secret = secret.reveal();
            let change = Change::Revealed { upto: last, secret };
            let text = format!("reveal {last} {secret}");
            self.take(vec![Cause::Arranged(Arrangement { t: last + 1, by: Author::Gm, change, text })])?;
        }
        let file = audit_file(&self.entries, &self.secrets, self.revealed());
        serde_json::to_string(&file).map_err(|error| self.unfit(error))
    }

    fn close(&mut self, salt: Option<&str>) -> Result<(), HostError> {
        let words = salt.map(|salt| salt.split_whitespace().collect::<Vec<_>>().join(" "));
        if let Some(words) = words.filter(|words| !words.is_empty()) {
            let block = Block::canonical(&format!("salt: {words}"));
            let [_, players] = self.seats()?;
            let accepted =
                self.campaign.acceptance(&self.secrets, &players, block, "said at the table", self.now);
            self.take(vec![accepted.map_err(|error| self.unfit(error))?])?;
        }
        let closing = self.campaign.closing(&self.secrets).map_err(|error| self.unfit(error))?;
        self.take(vec![closing])
    }

    fn adjudicate(&mut self) -> Result<(), HostError> {
        let ran = self.campaign.adjudication(&self.secrets).map_err(|error| self.unfit(error))?;
        self.take(vec![ran])
    }

    fn take(&mut self, causes: Vec<Cause>) -> Result<(), HostError> {
        let at = self.now;
        let entries: Vec<Entry> = causes.into_iter().map(|cause| Entry { at, cause }).collect();
        append(&mut self.file, &self.path, &entries)?;
        for entry in entries {
            self.campaign.apply(&entry).map_err(|error| self.unfit(error))?;
            self.entries.push(entry);
        }
        Ok(())
    }

    /// Every throw as recorded in the journal.
    fn all_thrown(&self) -> Result<Vec<Thrown>, HostError> {
        let ran: Vec<u32> = self.entries.iter().filter_map(|entry| adjudicated(&entry.cause)).collect();
        let levels = self.levels(ran.last().copied().unwrap_or_default())?;
        ran.into_iter().map(|t| self.recorded(t, &levels)).collect()
    }

    /// A throw as recorded in the journal.
    fn thrown(&self, t: u32) -> Result<Thrown, HostError> {
        self.recorded(t, &self.levels(t)?)
    }

    /// How far the dice up to a throw can be trusted.
    fn levels(&self, upto: u32) -> Result<BTreeMap<u32, Assurance>, HostError> {
        let whole = audit_file(&self.entries, &self.secrets, upto);
        let all = assurances(&whole).map_err(|error| self.unfit(error))?;
        Ok(all.into_iter().collect())
    }

    fn recorded(&self, t: u32, levels: &BTreeMap<u32, Assurance>) -> Result<Thrown, HostError> {
        let line = self.entries.iter().rev().find_map(|entry| match &entry.cause {
            Cause::Opened { t: other, sealed, .. } if *other == t => sealed.first(),
            _ => None,
        });
        let events = self.entries.iter().rev().find_map(|entry| match &entry.cause {
            Cause::Adjudicated { t: other, events, .. } if *other == t => events.first(),
            _ => None,
        });
        let damaged = || self.unfit(format!("throw {t} is not in the journal"));
        let line = line.ok_or_else(damaged)?.block.as_str().trim_end().to_owned();
        let event = events.ok_or_else(damaged)?.clone();
        Ok(Thrown { t, line, event, assurance: levels.get(&t).cloned() })
    }

    fn unfit(&self, reason: impl std::fmt::Display) -> HostError {
        HostError::usage(format!("{}: {reason}", self.path.display()))
    }
}

impl Dice for Session {
    fn is_new(&self) -> bool {
        self.is_new
    }

    fn founding(&self) -> (u32, &RuleFiles) {
        let charter = self.campaign.charter();
        (charter.rules_version, &charter.files)
    }

    fn anchor(&self) -> Digest {
        self.campaign.anchor()
    }

    fn revealed(&self) -> u32 {
        revealed(&self.entries)
    }

    fn witness(&self) -> Option<Witness> {
        self.campaign.witness()
    }

    fn events(&self) -> Vec<Value> {
        let event = |entry: &Entry| match &entry.cause {
            Cause::Adjudicated { events, .. } => events.first().cloned(),
            _ => None,
        };
        self.entries.iter().filter_map(event).collect()
    }

    fn throws(&self) -> Result<Vec<Thrown>, CallError> {
        self.all_thrown().map_err(failed)
    }

    fn finish(&mut self, words: Option<&str>) -> Result<Option<Thrown>, CallError> {
        self.finish_last(words).map_err(failed)
    }

    fn throw(&mut self, line: &str, salt: &Salt) -> Result<Thrown, CallError> {
        self.throw_for(line, salt).map_err(failed)
    }

    fn reveal(&mut self) -> Result<String, CallError> {
        self.reveal_all().map_err(failed)
    }
}

/// The throw that a cause is the result of.
const fn adjudicated(cause: &Cause) -> Option<u32> {
    match cause {
        Cause::Adjudicated { t, .. } => Some(*t),
        _ => None,
    }
}

/// The players' words for a throw, which are asked for.
fn asked(t: u32) -> Result<String, HostError> {
    output::text(&format!("Throw {t} is on record. The players' words for the dice:"));
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    read.map_err(|error| HostError::Io { path: "standard input".into(), error })?;
    Ok(line)
}

/// The rulesets that a session, or its audit file, may belong to.
fn desk() -> Desk {
    rulesets::with_tables()
}

fn failed(error: HostError) -> CallError {
    CallError::Installation(Box::new(error))
}

/// The two seats at a table: whose line is thrown for, and everybody else.
fn seats(game: &dyn Game) -> Option<[Seat; 2]> {
    let [umpire, players] = game.seats() else { return None };
    Some([umpire.seat.clone(), players.seat.clone()])
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

impl Beginning<'_> {
    /// Begins the session: its secret, then its journal with the founding. Returns false if another process has just begun it.
    fn begin(&self) -> Result<bool, HostError> {
        let Self { out, global, .. } = self;
        let written = out.begin(global, Force::NONE).and_then(|writing| {
            let lines = lines_of(&[self.entry()?]);
            writing.whole(&lines.map_err(|error| HostError::Io { path: out.path().to_owned(), error })?)
        });
        match written {
            Err(error) if is_taken(&error) && out.grow(global)?.is_some() => Ok(false),
            written => written.map(|()| true),
        }
    }

    /// The founding of the session. Its secret is then on the disk.
    fn entry(&self) -> Result<Entry, HostError> {
        let Self { out, global, .. } = self;
        let files = self.files.clone().ok_or_else(|| HostError::usage("this session has not begun"))?;
        let game = id_of(out.path());
        let secrets = draft(out.path(), &game, global)?;
        Ok(Entry { at: global.clock().now(), cause: self.founded(game, files, &secrets)? })
    }

    fn founded(&self, game: GameId, files: RuleFiles, secrets: &SecretChain) -> Result<Cause, HostError> {
        let desk = desk();
        let version = desk.rules_version(self.table).unwrap_or(1);
        let opened = desk.open((self.table, version), &files, &[])?;
        let [umpire, others] = seats(&*opened).ok_or_else(|| HostError::usage("a table has two seats"))?;
        let skill = opened.levels().find(None).map_err(|error| HostError::usage(error.to_string()))?;
        // The umpire's line is sealed at the opening, like orders of house seats: nobody can later claim that it said something else.
        let players = [(umpire, Player::Computer { skill }), (others, Player::Open)];
        let charter = Charter {
            game,
            ruleset: self.table.to_owned(),
            rules_version: version,
            scenario: self.table.to_owned(),
            files,
            players: players.into_iter().collect(),
            gm: Vec::new(),
            deadlines: DeadlinePolicy::None,
            chain_length: secrets.length(),
            beacon: None,
            host_key: None,
            press: PressPolicy::None,
            terms: Terms::default(),
            templates: BTreeMap::new(),
        };
        Ok(Cause::Founded { charter: Box::new(charter), anchor: secrets.anchor() })
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

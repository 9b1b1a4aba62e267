//! A host's life, recorded: it is made, games are founded, players join, send orders by mailbox and by pipe, and turns run. Every
//! command is the program itself, under `strace`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use super::crash_disk::{Change, Place, Tree};
use super::crash_history::History;
use super::crash_trace;

/// The host's address.
const HOST: &str = "host@example.org";
/// The data directory on the disk.
pub(crate) const DIR: &str = "/host";

/// What is done from outside.
pub(crate) enum Deed {
    /// A command of the operator's.
    Command(Vec<&'static str>),
    /// A mail through the mail server's pipe.
    Deliver(Vec<u8>),
    /// The daemon, until there is nothing left to do now.
    Serve,
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(words) => write!(f, "{}", words.join(" ")),
            Self::Deliver(_) => f.write_str("deliver"),
            Self::Serve => f.write_str("serve --once"),
        }
    }
}

/// A mail, with the name of its file in the mailbox.
pub(crate) struct Mail {
    name: String,
    raw: Vec<u8>,
    /// When the mail server kept it, in nanoseconds since 1970.
    at: i64,
}

/// One command, and the mails that came before it.
pub(crate) struct Step {
    pub(crate) deed: Deed,
    /// The time by the host's clock.
    now: String,
    pub(crate) mails: Vec<Mail>,
    /// The numbers of its changes: from the first mail on, from the first call on, and to its end.
    pub(crate) since: usize,
    pub(crate) begun: usize,
    pub(crate) ended: usize,
    /// What there was in the end.
    pub(crate) outcome: Outcome,
}

/// So much of a mirror journal was told to somebody outside, by then.
pub(crate) struct Told {
    pub(crate) number: usize,
    pub(crate) mirror: String,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) struct Recording {
    pub(crate) history: History,
    pub(crate) steps: Vec<Step>,
    pub(crate) told: Vec<Told>,
    /// From when to when the name of the database's snapshot was not certain.
    between: Vec<Range<usize>>,
    base: PathBuf,
}

/// What a host has come to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The entries of each game.
    pub(crate) journals: BTreeMap<String, Vec<String>>,
    /// The mails that went out, by address and file.
    pub(crate) mails: BTreeMap<String, Vec<u8>>,
    secrets: BTreeMap<String, Vec<u8>>,
    /// What the spool keeps of the mails that came in.
    kept: BTreeSet<String>,
    /// What came in and was not dealt with.
    waiting: BTreeSet<String>,
}

impl Outcome {
    /// Reads a data directory whose daemon has ended.
    pub(crate) fn of(dir: &Path) -> Self {
        let mut journals = BTreeMap::new();
        for (name, bytes) in files_in(&dir.join("mirror")) {
            let Some(game) = name.strip_suffix(".jsonl") else { continue };
            journals.insert(game.to_owned(), entries_of(&bytes));
        }
        let mut mails = BTreeMap::new();
        for address in dirs_in(&dir.join("mail")).into_iter().filter(|address| address != HOST) {
            for (name, bytes) in files_in(&dir.join("mail").join(&address).join("new")) {
                mails.insert(format!("{address}/{name}"), bytes);
            }
        }
        let spool = |part: &str| files_in(&dir.join("spool").join(part)).into_keys();
        let inbox = dir.join("mail").join(HOST);
        let unseen = files_in(&inbox.join("cur")).into_keys().filter(|name| !name.ends_with(":2,S"));
        Self {
            journals,
            mails,
            secrets: files_in(&dir.join("secrets")),
            kept: spool("done").chain(spool("other")).collect(),
            waiting: spool("new").chain(files_in(&inbox.join("new")).into_keys()).chain(unseen).collect(),
        }
    }

    /// What is not as it should be, in a few words; none if all is.
    pub(crate) fn differs_from(&self, expected: &Self) -> Option<String> {
        if let Some(name) = self.waiting.difference(&expected.waiting).next() {
            return Some(format!("the mail `{name}` still waits"));
        }
        for (game, entries) in &expected.journals {
            let found = self.journals.get(game).map_or(&[][..], Vec::as_slice);
            if let Some(n) = (0..entries.len().max(found.len())).find(|n| found.get(*n) != entries.get(*n)) {
                let cut = |entry: Option<&String>| {
                    entry.map_or("none".to_owned(), |entry| entry.chars().take(300).collect())
                };
                let (expected, found) = (cut(entries.get(n)), cut(found.get(n)));
                return Some(format!("entry {n} of `{game}` is\n{found}\nand should be\n{expected}"));
            }
        }
        for (name, raw) in &expected.mails {
            match self.mails.get(name) {
                None => return Some(format!("the mail out `{name}` is lost: {:?}", subject(raw))),
                Some(found) if found != raw => return Some(format!("the mail out `{name}` is another")),
                Some(_) => {}
            }
        }
        if let Some((name, raw)) = self.mails.iter().find(|(name, _)| !expected.mails.contains_key(*name)) {
            return Some(format!("the mail out `{name}` should not be there: {:?}", subject(raw)));
        }
        (self != expected).then(|| {
            format!(
                "secrets or spool differ: {:?}, {:?}",
                self.secrets.keys(),
                self.kept.symmetric_difference(&expected.kept)
            )
        })
    }
}

fn subject(raw: &[u8]) -> String {
    header(raw, "Subject").unwrap_or_default()
}

fn entries_of(mirror: &[u8]) -> Vec<String> {
    let lines = mirror.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let entries = lines.flat_map(|line| {
        let line: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
        line["entries"].as_array().cloned().unwrap_or_default()
    });
    entries.map(|entry| entry.to_string()).collect()
}

fn files_in(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(files) = fs::read_dir(dir) else { return BTreeMap::new() };
    let files = files.map(|file| file.unwrap().path()).filter(|path| path.is_file());
    files
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect()
}

fn dirs_in(dir: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(dir) else { return Vec::new() };
    let dirs = files.map(Result::unwrap).filter(|file| file.path().is_dir());
    dirs.map(|dir| dir.file_name().into_string().unwrap()).collect()
}

/// The value of a header field that may be folded.
fn header(raw: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(raw);
    let head = text.split("\r\n\r\n").next()?.replace("\r\n ", " ").replace("\r\n\t", " ");
    head.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim().to_owned()))
}

impl Recording {
    /// Plays the script, and records it. The disk is a directory of its own in `base`.
    pub(crate) fn make(base: &Path) -> Self {
        let disk = base.join("disk");
        fs::create_dir(&disk).unwrap();
        fs::write(base.join("seed"), [7; 32]).unwrap();
        let history = History::of(&disk);
        let mut recording = Self {
            history,
            steps: Vec::new(),
            told: Vec::new(),
            between: Vec::new(),
            base: base.canonicalize().unwrap(),
        };
        recording.play();
        recording.note_told();
        recording.note_snapshots();
        recording
    }

    fn disk(&self) -> PathBuf {
        self.base.join("disk")
    }

    /// The mailbox in which orders arrive, on the disk.
    fn inbox() -> String {
        format!("{DIR}/mail/{HOST}")
    }

    fn play(&mut self) {
        let noon = "2026-11-21T12:00:00Z";
        self.step(noon, Deed::Command(vec!["init", "HOST", "--address", HOST]), vec![]);
        let seats = ["french=anna@x.example", "allied=bert@x.example"];
        let new = ["new", "austrian-1805", "--id", "alpha", "--seat", seats[0], "--seat", seats[1]];
        self.step(noon, Deed::Command([&new[..], &["--deadline", "3d", "--press", "all"]].concat()), vec![]);
        let seats = ["red=anna@x.example", "blue=bert@x.example"];
        let new = ["new", "dog/training", "--id", "beta", "--seat", seats[0], "--seat", seats[1]];
        self.step(noon, Deed::Command([&new[..], &["--deadline", "3d", "--press", "all"]].concat()), vec![]);
        self.step(noon, Deed::Serve, vec![]);
        // One mail for two games each.
        let joins =
            ["anna", "bert"].map(|who| self.answer(who, &["alpha", "beta"], "join", "JOIN\r\nsalt: mine"));
        self.step("2026-11-21T13:00:00Z", Deed::Serve, joins.into());
        let march =
            self.answer("anna", &["alpha"], "march", "BEGIN ORDERS\r\nMOVE 1 TO Wurzburg\r\nEND ORDERS");
        self.step("2026-11-21T14:00:00Z", Deed::Deliver(march.raw), vec![]);
        self.step("2026-11-21T14:00:00Z", Deed::Serve, vec![]);
        let mails = self.mails_of_a_turn();
        self.step("2026-11-21T15:00:00Z", Deed::Serve, mails);
        // All are ready, and after a while the turn runs; the next at its deadline.
        self.step("2026-11-21T21:00:00Z", Deed::Serve, vec![]);
        self.step("2026-11-26T12:00:00Z", Deed::Serve, vec![]);
        let more = self.more_than_a_batch();
        self.step("2026-11-26T13:00:00Z", Deed::Serve, more);
    }

    fn mails_of_a_turn(&self) -> Vec<Mail> {
        let orders = |lines: &str| format!("BEGIN ORDERS\r\n{lines}\r\nEND ORDERS");
        let letter = "PRESS TO ALL\r\nWe march.\r\nEND PRESS\r\n";
        vec![
            self.answer("anna", &["alpha"], "second", &orders("MOVE 1 TO Wurzburg\r\nMOVE 2 TO Antwerp")),
            self.answer("anna", &["alpha"], "third", &orders("MOVE 2 TO Antwerp\r\nsalt: ulm\r\nREADY")),
            Self::mail("nobody", HOST, "stranger", "How do I play?"),
            self.answer("bert", &["alpha"], "ready", &format!("{letter}READY")),
            self.answer("bert", &["beta"], "letter", letter),
        ]
    }

    /// More mails than one batch of the daemon's holds.
    fn more_than_a_batch(&self) -> Vec<Mail> {
        let mail = |n: usize| {
            let who = ["anna", "bert"][n % 2];
            self.answer(
                who,
                &["alpha"],
                &format!("more-{n:02}"),
                &format!("BEGIN ORDERS\r\nsalt: {n}\r\nEND ORDERS"),
            )
        };
        (0..70).map(mail).collect()
    }

    fn mail(who: &str, to: &str, id: &str, text: &str) -> Mail {
        let id = format!("{id}-{who}");
        let raw = format!(
            "From: <{who}@x.example>\r\nTo: {to}\r\nSubject: Re: orders\r\nMessage-ID: <{id}@x.example>\r\n\
             Date: Sat, 21 Nov 2026 12:00:00 +0000\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
        );
        Mail { name: id, raw: raw.into_bytes(), at: 0 }
    }

    /// What a player answers to a mail of each of these games.
    fn answer(&self, who: &str, games: &[&str], id: &str, text: &str) -> Mail {
        let mails = files_in(&self.base.join(format!("disk{DIR}/mail/{who}@x.example/new")));
        let address = |game: &&str| {
            let own = mails.values().filter_map(|raw| header(raw, "Reply-To"));
            let mut own = own.filter(|to| to.contains(&format!("host+{game}.")));
            own.next().unwrap_or_else(|| panic!("{who} has no mail of {game}"))
        };
        Self::mail(who, &games.iter().map(address).collect::<Vec<_>>().join(", "), id, text)
    }

    fn step(&mut self, now: &str, deed: Deed, mut mails: Vec<Mail>) {
        let since = self.history.changes.len();
        let disk = self.disk();
        for (n, mail) in mails.iter_mut().enumerate() {
            // All in one second, as a server keeps what it gets at once.
            mail.at = (1_795_000_000_000 + i64::try_from(self.steps.len() * 1000 + n).unwrap()) * 1_000_000;
            mail.put(&disk).unwrap();
            self.history.give(&format!("{}/new/{}", Self::inbox(), mail.name), &mail.raw, mail.at);
        }
        let begun = self.history.changes.len();
        let trace = self.base.join("trace");
        let mut step =
            Step { deed, now: now.to_owned(), mails, since, begun, ended: 0, outcome: Outcome::default() };
        let output = self.run(&step, &disk, Some(&trace));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{now}: {said}");
        self.history.add(&fs::read_to_string(&trace).unwrap());
        self.history.correct_times();
        let other = self.history.live.differs_from(super::crash_disk::ROOT, &disk);
        assert_eq!(other, None, "the recording is not what was done");
        step.ended = self.history.changes.len();
        step.outcome = Outcome::of(&self.base.join(format!("disk{DIR}")));
        self.steps.push(step);
    }

    /// Carries out the deed of a step on a disk.
    pub(crate) fn run(&self, step: &Step, disk: &Path, trace: Option<&Path>) -> Output {
        let host = disk.join(&DIR[1..]);
        let mut command = match trace {
            None => Command::new(env!("CARGO_BIN_EXE_musterd")),
            Some(trace) => {
                let mut strace = Command::new("strace");
                strace.args(["-f", "-qq", "-ttt", "-xx", "-s", "9999999", "-o"]).arg(trace);
                strace.args(["-e", &format!("trace={}", crash_trace::CALLS.replace(' ', ""))]);
                strace.arg(env!("CARGO_BIN_EXE_musterd"));
                strace
            }
        };
        command
            .arg("--dir")
            .arg(&host)
            .arg("--seed-file")
            .arg(self.base.join("seed"))
            .args(["--now", &step.now]);
        match &step.deed {
            Deed::Command(words) => {
                let word = |word: &'static str| if word == "HOST" { host.as_os_str() } else { word.as_ref() };
                command.args(words.iter().copied().map(word))
            }
            Deed::Deliver(_) => command.arg("deliver"),
            Deed::Serve => command.args(["serve", "--once"]),
        };
        command
            .env("MUSTERD_LOG", "warn")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        if let Deed::Deliver(raw) = &step.deed {
            stdin.write_all(raw).unwrap();
        }
        drop(stdin);
        child.wait_with_output().unwrap()
    }

    /// Finds out which lines of which mirror journal each mail that left had told of.
    fn note_told(&mut self) {
        let mut tree = Tree::new();
        let mut ends = self.steps.iter().map(|step| step.ended).peekable();
        let mirrors = format!("{DIR}/mirror");
        for (number, change) in self.history.changes.iter().enumerate() {
            tree.apply(change);
            for to in delivered(change).filter(|to| self.history.birth(*to).starts_with("/host/mail/")) {
                let id = format!("Message-ID: {}", header(tree.bytes(to), "Message-ID").unwrap_or_default());
                let told = tree.names_at(&mirrors).into_iter().find_map(|name| {
                    let bytes = tree.bytes(tree.at(&format!("{mirrors}/{name}"))?);
                    let at = std::str::from_utf8(bytes).ok()?.find(&id)?;
                    let end = at + bytes[at..].iter().position(|byte| *byte == b'\n')? + 1;
                    Some(Told { number: number + 1, mirror: name.to_owned(), bytes: bytes[..end].to_vec() })
                });
                self.told.push(told.unwrap_or_else(|| panic!("{id} left before it was in a journal")));
            }
            if ends.next_if(|end| *end == number + 1).is_some() {
                for name in tree.names_at(&mirrors) {
                    let bytes = tree.bytes(tree.at(&format!("{mirrors}/{name}")).unwrap()).to_vec();
                    self.told.push(Told { number: number + 1, mirror: name.to_owned(), bytes });
                }
            }
        }
    }

    fn note_snapshots(&mut self) {
        let is_stores = |place: Place| self.history.birth(place) == format!("{DIR}/store");
        let (mut begun, mut between) = (None, Vec::new());
        for (number, change) in self.history.changes.iter().enumerate() {
            match change {
                Change::Names(edits)
                    if edits.iter().any(|e| e.name.starts_with("snap.") && is_stores(e.dir)) =>
                {
                    begun.get_or_insert(number);
                }
                Change::Sync { of, .. } if is_stores(*of) => {
                    between.extend(begun.take().map(|begun| begun..number + 1));
                }
                _ => {}
            }
        }
        between.extend(begun.map(|begun| begun..self.history.changes.len() + 1));
        self.between = between;
    }

    /// Whether the database is just being opened: sled then relies on the name of a new snapshot that is not certain yet. A cut may cost
    /// it everything, and it is made anew from the mirror journals.
    pub(crate) fn is_between_snapshots(&self, after: usize) -> bool {
        self.between.iter().any(|between| between.contains(&after))
    }

    /// How many changes fall into such moments.
    pub(crate) fn changes_between_snapshots(&self) -> usize {
        self.between.iter().map(Range::len).sum()
    }

    /// The names of the mails that wait in the mailbox of a tree.
    pub(crate) fn unseen(tree: &Tree) -> Vec<String> {
        let new = tree.names_at(&format!("{}/new", Self::inbox()));
        let cur = tree.names_at(&format!("{}/cur", Self::inbox()));
        new.into_iter()
            .chain(cur.into_iter().filter(|name| !name.ends_with(":2,S")))
            .map(str::to_owned)
            .collect()
    }
}

impl Mail {
    /// Its file's name, without flags.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Puts it where the mail server does.
    pub(crate) fn put(&self, disk: &Path) -> io::Result<()> {
        let path = disk.join(&format!("{}/new", Recording::inbox())[1..]).join(&self.name);
        fs::write(&path, &self.raw)?;
        let at = SystemTime::UNIX_EPOCH + Duration::from_nanos(self.at.try_into().unwrap());
        fs::File::options().write(true).open(&path)?.set_modified(at)
    }
}

/// The files that came into somebody's `new` by a change: a delivery agent's last move.
fn delivered(change: &Change) -> impl Iterator<Item = Place> {
    let edits = match change {
        Change::Names(edits) => edits.as_slice(),
        _ => &[],
    };
    // From `tmp`, under the name that it keeps.
    let moved = edits.len() == 2 && edits[0].name == edits[1].name && edits[1].name.ends_with(".musterd");
    edits.iter().filter(move |_| moved).filter_map(|edit| edit.to)
}

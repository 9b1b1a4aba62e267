//! A data directory with Maildirs, a virtual clock, and players who write into it as mail programs do.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use mail_parser::MimeHeaders;
use musterd::daemon::clock::Clock;
use musterd::daemon::{Entropy, Host, HostError, NewGame, Options, Reply, Request, config, serve};
use musterd::desk::mail;
use musterd::desk::{Desk, ScenarioFiles};
use musterd::dice::{GameId, Seat, SecretChain};
use musterd::engine::journal::{Cause, Charter, Entry, Player, Received, Verdict};
use musterd::engine::terms::{DeadlinePolicy, PressPolicy, Terms};
use musterd::letter::{Letter, Limits};
use musterd::post::{Relay, Source};
use musterd::store::StoreError;
use tempfile::TempDir;
use zeroize::Zeroizing;

use super::toy::{self, Toy, seat};

/// Noon of 25 September 1805 would lie before the clock of mails begins; this is 21 November 2026, 12:00 UTC.
pub(crate) const NOON: i64 = 1_795_262_400;
pub(crate) const HOUR: i64 = 3600;
/// The host's address.
pub(crate) const HOST: &str = "host@example.org";
pub(crate) const GM: &str = "gm@example.org";

/// The desk with the toy on it.
pub(crate) fn desk() -> Desk {
    musterd::rulesets::desk().with::<Toy>(toy::FILES).with::<musterd_ford::Ford>(&musterd_ford::SHIPPED)
}

pub(crate) fn game() -> GameId {
    "alpha".parse().unwrap()
}

/// The address of a seat's player.
pub(crate) fn player(seat: &str) -> String {
    format!("{seat}@players.example")
}

/// A host's data directory.
pub(crate) struct Camp {
    dir: TempDir,
    pub(crate) clock: Clock,
}

impl Camp {
    pub(crate) fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    /// One that doesn't wait for the disk, where the system has room for it in memory.
    pub(crate) fn in_memory() -> Self {
        Self::at(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn at(dir: TempDir) -> Self {
        let camp = Self { dir, clock: Clock::at(NOON) };
        let text = config::example_unsigned(HOST).replace("gm: []", &format!("gm: [{GM}]"));
        fs::write(camp.path().join(config::FILE), text).unwrap();
        musterd::post::create(&camp.inbox()).unwrap();
        camp
    }

    /// An empty directory, at the same time.
    pub(crate) fn elsewhere(&self) -> Self {
        Self { dir: tempfile::tempdir().unwrap(), clock: Clock::at(self.clock.now()) }
    }

    /// A copy that doesn't wait for the disk, of a directory whose host is closed.
    pub(crate) fn in_memory_copy(&self) -> Self {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        copy_into(self.path(), dir.path());
        Self { dir, clock: Clock::at(self.clock.now()) }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn inbox(&self) -> PathBuf {
        self.path().join("mail").join(HOST)
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            dir: self.path().to_owned(),
            clock: self.clock.clone(),
            entropy: Entropy::SeedFile(Zeroizing::new(b"a seed for tests".to_vec())),
            desk: desk(),
        }
    }

    /// Opens the host. A process that another test starts holds the store's lock between its fork and its exec.
    pub(crate) fn try_open(&self) -> Result<Host, HostError> {
        self.try_open_with(desk)
    }

    /// The same with other rules and scenarios on the desk.
    pub(crate) fn try_open_with(&self, desk: fn() -> Desk) -> Result<Host, HostError> {
        let options = || Options { desk: desk(), ..self.options() };
        for _ in 0..200 {
            match Host::open(options()) {
                Err(HostError::Store(StoreError::Busy { .. })) => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                other => return other,
            }
        }
        Host::open(options())
    }

    pub(crate) fn open(&self) -> Host {
        self.try_open().unwrap()
    }

    /// Lets time pass.
    pub(crate) fn wait(&self, seconds: i64) {
        self.clock.set(self.clock.now() + seconds);
    }

    /// Puts a mail into the host's mailbox; it arrives now.
    pub(crate) fn put(&self, name: &str, raw: &[u8]) {
        put(&self.inbox(), name, raw, self.clock.now());
    }

    /// Puts a mail there under a name that sorts after every earlier one's.
    pub(crate) fn post(&self, raw: impl AsRef<[u8]>) {
        let count = ["new", "cur"].map(|part| fs::read_dir(self.inbox().join(part)).unwrap().count());
        self.put(&format!("mail-{:04}", count[0] + count[1]), raw.as_ref());
    }

    /// What lies in somebody's Maildir, in the order in which the host wrote it.
    pub(crate) fn mails(&self, address: &str) -> Vec<Letter> {
        let raw = raw_mails(&self.path().join("mail").join(address));
        let mut mails: Vec<Letter> = raw.iter().map(|(_, raw)| read(raw)).collect();
        sort_as_written(self.path(), &mut mails);
        mails
    }

    /// The newest mail of a kind, `dispatch` say, to a seat's player.
    pub(crate) fn newest(&self, seat: &str, kind: &str) -> Letter {
        let mut mails = self.mails(&player(seat));
        mails.retain(|mail| is_of_kind(mail, kind));
        mails.pop().unwrap_or_else(|| panic!("no {kind} for {seat}"))
    }

    /// How many mails of a kind came to a seat's player.
    pub(crate) fn count(&self, seat: &str, kind: &str) -> usize {
        self.mails(&player(seat)).iter().filter(|mail| is_of_kind(mail, kind)).count()
    }

    /// A mail of this seat's player, answering its newest mail of that kind.
    pub(crate) fn answer(&self, seat: &str, kind: &str, id: &str, text: &str) -> String {
        let answered = self.newest(seat, kind);
        Mail {
            from: &player(seat),
            to: &answered.reply_to[0],
            id,
            in_reply_to: answered.message_id.as_deref(),
            text,
        }
        .raw()
    }

    /// The secret chain of the game.
    pub(crate) fn secrets(&self) -> SecretChain {
        let text = fs::read_to_string(self.path().join("secrets/alpha.secret")).unwrap();
        SecretChain::from_text(&text).unwrap()
    }
}

pub(crate) fn is_of_kind(mail: &Letter, kind: &str) -> bool {
    mail.message_id.as_deref().is_some_and(|id| id.contains(&format!(".{kind}.")))
}

/// Sorts mails of the host with this data directory as it wrote them: its mirror journals have them in that order.
pub(crate) fn sort_as_written(dir: &Path, mails: &mut [Letter]) {
    let files = fs::read_dir(dir.join("mirror")).into_iter().flatten();
    // A pipe or a device that a test puts in the place of a journal would be read without end.
    let is_file = |path: &PathBuf| fs::metadata(path).is_ok_and(|about| about.is_file());
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).filter(is_file).collect();
    files.sort();
    let mirrors: String = files.iter().map(|file| fs::read_to_string(file).unwrap_or_default()).collect();
    let written = mirrors.split("\"message_id\":\"").skip(1).enumerate();
    let written = written.map(|(n, rest)| (rest.split('"').next().unwrap_or_default(), n));
    let order: BTreeMap<&str, usize> = written.collect();
    mails.sort_by_key(|mail| order.get(mail.message_id.as_deref().unwrap_or_default()).copied());
}

pub(crate) fn numbers_in(id: &str) -> Vec<u64> {
    id.split('.').filter_map(|part| part.split('@').next()?.parse().ok()).collect()
}

/// Writes a mail as a delivery agent does, with its time of arrival.
pub(crate) fn put(maildir: &Path, name: &str, raw: &[u8], arrived: i64) {
    let tmp = maildir.join("tmp").join(name);
    fs::write(&tmp, raw).unwrap();
    let at = SystemTime::UNIX_EPOCH + Duration::from_secs(arrived.try_into().unwrap());
    fs::File::options().write(true).open(&tmp).unwrap().set_modified(at).unwrap();
    fs::rename(&tmp, maildir.join("new").join(name)).unwrap();
}

/// The files of a Maildir's `new`, sorted by time and name.
pub(crate) fn raw_mails(maildir: &Path) -> Vec<((SystemTime, PathBuf), Vec<u8>)> {
    let Ok(files) = fs::read_dir(maildir.join("new")) else { return Vec::new() };
    let mut mails: Vec<_> = files
        .map(|file| {
            let file = file.unwrap();
            let at = file.metadata().unwrap().modified().unwrap();
            ((at, file.path()), fs::read(file.path()).unwrap())
        })
        .collect();
    mails.sort();
    mails
}

/// A mail of the host's, its text as it was sent: whoever reads players' mails makes broken lines whole by their HTML.
pub(crate) fn read(raw: &[u8]) -> Letter {
    let mut letter = mail::open(raw, &Limits { bytes: 10_000_000 });
    let sent = mail_parser::MessageParser::default().parse(raw);
    let sent = sent.as_ref().and_then(|mail| mail.body_text(0)).map(|text| text.replace("\r\n", "\n"));
    if let Some((body, text)) = letter.body.as_mut().ok().zip(sent) {
        body.text = text;
    }
    letter
}

/// The newest mail of a kind in a Maildir.
pub(crate) fn newest(maildir: &Path, kind: &str) -> Option<Letter> {
    let mut mails = raw_mails(maildir).into_iter().map(|(_, raw)| read(&raw));
    mails.rfind(|mail| is_of_kind(mail, kind))
}

/// A mail as an ordinary program sends it.
pub(crate) struct Mail<'a> {
    pub(crate) from: &'a str,
    pub(crate) to: &'a str,
    pub(crate) id: &'a str,
    pub(crate) in_reply_to: Option<&'a str>,
    pub(crate) text: &'a str,
}

impl Mail<'_> {
    pub(crate) fn raw(&self) -> String {
        let Self { from, to, id, in_reply_to, text } = self;
        let answer = in_reply_to.map(|id| format!("In-Reply-To: <{id}>\r\n")).unwrap_or_default();
        format!(
            "From: <{from}>\r\nTo: <{to}>\r\nSubject: Re: orders\r\nMessage-ID: <{id}@players.example>\r\n{answer}\
             Date: Sat, 21 Nov 2026 12:00:00 +0000\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
        )
    }
}

/// An order block in its frame.
pub(crate) fn block(lines: &str) -> String {
    format!("BEGIN ORDERS\r\n{lines}\r\nEND ORDERS\r\n")
}

/// A new toy game with these seats; people where nothing else is said.
pub(crate) fn new_game(host: &mut Host, computers: &[(&str, &str)], deadline: &str) -> Vec<String> {
    new_game_on(host, computers, deadline, Terms::default())
}

/// The same on terms of its own.
pub(crate) fn new_game_on(
    host: &mut Host,
    computers: &[(&str, &str)],
    deadline: &str,
    terms: Terms,
) -> Vec<String> {
    match host.execute(Request::found(toy_game(computers, deadline, terms))).unwrap() {
        Reply::New { lines } => lines,
        other => panic!("{other:?}"),
    }
}

/// The charter of a game of this scenario between people, with nothing in it that isn't usual but the terms.
pub(crate) fn charter(
    scenario: ScenarioFiles,
    seats: impl IntoIterator<Item = Seat>,
    terms: Terms,
) -> Charter {
    let player = |seat: Seat| {
        let addresses = vec![player(seat.as_str())];
        (seat, Player::Mail { addresses })
    };
    Charter {
        game: game(),
        ruleset: scenario.ruleset,
        rules_version: scenario.rules_version,
        scenario: scenario.scenario,
        files: scenario.files,
        players: seats.into_iter().map(player).collect(),
        gm: Vec::new(),
        deadlines: DeadlinePolicy::After { minutes: 60, not_on: Vec::new(), zone: None },
        chain_length: 100,
        beacon: None,
        host_key: None,
        press: PressPolicy::All,
        terms,
        templates: BTreeMap::new(),
    }
}

/// What such a game is asked for with.
pub(crate) fn toy_game(computers: &[(&str, &str)], deadline: &str, terms: Terms) -> NewGame {
    let mut seats: BTreeMap<_, _> = ["red", "blue", "umpire"].map(|s| (seat(s), player(s))).into();
    seats.extend(computers.iter().map(|(s, who)| (seat(s), (*who).to_owned())));
    NewGame {
        scenario: "toy/ridge".to_owned(),
        id: game(),
        seats,
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some(deadline.to_owned()),
        start_now: false,
        press: PressPolicy::All,
        terms,
        beacon: None,
        missing: None,
        options: BTreeMap::new(),
        templates: BTreeMap::new(),
    }
}

pub(crate) fn local_mail(host: &Host) -> (Vec<Box<dyn Source>>, Box<dyn Relay>) {
    (host.config().sources(host.dir()).unwrap(), host.config().relay(host.dir(), host.clock()).unwrap())
}

/// Lets the host do all there is to do now.
pub(crate) fn settle(host: &mut Host) {
    let (mut sources, relay) = local_mail(host);
    serve::settle(host, &mut sources, &*relay).unwrap();
}

/// A game whose three players, all people, have joined: both sides are asked to bid.
pub(crate) fn founded(camp: &Camp, host: &mut Host) {
    founded_on(camp, host, Terms::default());
}

/// The same on terms of its own.
pub(crate) fn founded_on(camp: &Camp, host: &mut Host, terms: Terms) {
    new_game_on(host, &[], "24h", terms);
    settle(host);
    for seat in ["red", "blue", "umpire"] {
        camp.post(camp.answer(seat, "invitation", &format!("join-{seat}"), "JOIN\r\nsalt: dice of mine"));
    }
    settle(host);
}

pub(crate) fn journal(host: &mut Host) -> Vec<Entry> {
    match host.execute(Request::Journal { game: game() }).unwrap() {
        Reply::Journal { entries } => entries,
        other => panic!("{other:?}"),
    }
}

/// What happened last in a game, before all were told of it.
pub(crate) fn happened_last(entries: &[Entry]) -> &Cause {
    let mut happened = entries.iter().rev().map(|entry| &entry.cause);
    happened.find(|cause| !matches!(cause, Cause::Reported(_))).unwrap()
}

/// The mails that the journal speaks of.
pub(crate) fn received(host: &mut Host) -> Vec<Received> {
    let mails = journal(host).into_iter().filter_map(|entry| match entry.cause {
        Cause::Received(mail) => Some(mail),
        _ => None,
    });
    mails.collect()
}

/// What became of each mail, in a word: `accepted`, `late`, `wrong-secret` …
pub(crate) fn verdicts(host: &mut Host) -> Vec<String> {
    let word = |mail: Received| match mail.verdict {
        Verdict::Accepted { .. } => "accepted".to_owned(),
        Verdict::Withdrawn { .. } => "withdrawn".to_owned(),
        Verdict::Refused { reason, .. } => reason.to_string(),
    };
    received(host).into_iter().map(word).collect()
}

/// With the files' times: they say when mails arrived.
fn copy_into(from: &Path, to: &Path) {
    let copied = std::process::Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status();
    assert!(copied.unwrap().success());
}

/// A copy of a data directory whose host is closed, at the same time.
impl Clone for Camp {
    fn clone(&self) -> Self {
        let dir = tempfile::tempdir().unwrap();
        copy_into(self.path(), dir.path());
        Self { dir, clock: Clock::at(self.clock.now()) }
    }
}

/// The files that came with the newest dispatch of a seat, by name.
pub(crate) fn files(camp: &Camp, seat: &str) -> BTreeMap<String, String> {
    let newest = camp.newest(seat, "dispatch").message_id;
    let raw = raw_mails(&camp.path().join("mail").join(player(seat))).into_iter().map(|(_, raw)| raw);
    let raw = raw.into_iter().find(|raw| read(raw).message_id == newest).unwrap();
    let mail = mail_parser::MessageParser::default().parse(&raw).unwrap();
    let file = |part: &mail_parser::MessagePart<'_>| {
        Some((part.attachment_name()?.to_owned(), String::from_utf8(part.contents().to_vec()).unwrap()))
    };
    mail.attachments().filter_map(file).collect()
}

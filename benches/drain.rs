//! Mail on real servers: order mails drained from Dovecot until each is durably kept, decided, committed and its receipt
//! queued, beside a plain IMAP client that fetches the same mails and drops them; then the receipts out through Postfix, beside
//! what it takes from its own load generator. `cargo bench --bench drain -- MAILS`, 10,000 unless told; needs root, as Postfix does.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::print_stdout,
    missing_docs,
    reason = "a bench measures, fails by panicking, and has no users"
)]

#[path = "../tests/it/servers.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod servers;
#[path = "../tests/it/skips.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod skips;

#[path = "../tests/it/reopened.rs"]
mod reopened;

use std::fmt::Write as _;
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use musterd::daemon::clock::Clock;
use musterd::daemon::{Entropy, Host, Options, config, serve};
use musterd::dice::GameId;
use musterd::post::{CursorFile, Finish, ImapSource, Password, Security, Server, SmtpRelay, Source};
use musterd::store::{Records as _, Store};
use reopened::{played, reopened, report};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use servers::{MailServers, PASSWORD};

// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The windows of the played games are opened again for this long, in seconds: receipts of another year would not be sent.
const WEEK: i64 = 7 * 24 * 3600;
const GAMES: usize = 100;
const MAILS: usize = 10_000;
/// As many messages in one FETCH of the plain client as the daemon asks for.
const BATCH: usize = 256;
/// Connections to the relay, of both sides.
const CONNECTIONS: u32 = 4;
const SCENARIOS: [&str; 2] = ["nations-1814", "waterloo-1815"];

/// A seat that mails orders: everything that its mails are made of.
struct Writer {
    game: GameId,
    token: String,
    quoted: String,
    block: String,
}

/// Seconds since 1970 UTC.
fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

/// A data directory with games whose t 3, an Allied turn, has just opened; persons have the Allied seats.
fn found_games(dir: &Path) -> Vec<Writer> {
    fs::write(dir.join(config::FILE), config::example("campaign@localhost")).unwrap();
    let (store, _) = Store::open(dir).unwrap();
    let journals = SCENARIOS.map(played);
    let mut games: Vec<(GameId, String)> = Vec::new();
    for n in 0..GAMES {
        let game = format!("game-{n:03}").parse().unwrap();
        let player = format!("player-{n}@localhost");
        let again = reopened(&journals[n % 2], &game, player, Some(now() + WEEK));
        games.push((game, again.block.clone()));
        again.put_into(&store, dir);
    }
    drop(store);
    let mut host = open(dir);
    let writer = |(game, block): (GameId, String)| {
        let (text, key) = report(&mut host, &game);
        let token = key.rsplit(' ').next().unwrap().to_owned();
        // As many mail programs do: the dispatch below the answer, without the form at its end.
        let quoted = text.lines().filter(|line| !line.contains("key:")).take(40);
        let quoted = quoted.map(|line| format!("> {line}\r\n")).collect();
        Writer { game, token, quoted, block }
    };
    games.into_iter().map(writer).collect()
}

/// The how-manieth mail of all: a new set of orders that replaces the one before.
fn mail(writers: &[Writer], n: usize) -> String {
    // Every game in turn, and some more often than others.
    let who = (n * 7 + (n / GAMES) * (n % 3)) % writers.len();
    let Writer { game, token, quoted, block } = &writers[who];
    // From a few orders to all of them: most sets are no longer than that.
    let lines = block.matches('\n').count();
    let block: String = block.split_inclusive('\n').take(8 + n * 13 % (lines - 8)).collect();
    format!(
        "Return-Path: <player-{who}@localhost>\r\nDelivered-To: campaign@localhost\r\n\
         Received: from mail.example.org (mail.example.org [192.0.2.7])\r\n\tby localhost (Postfix) with ESMTPS id {n:010X}\r\n\t\
         for <campaign+{game}.allied.{token}@localhost>; Thu, 1 Jan 2026 20:40:00 +0000 (UTC)\r\n\
         Message-ID: <{n}.{who}@localhost>\r\nDate: Thu, 1 Jan 2026 20:39:{:02} +0000\r\nMIME-Version: 1.0\r\n\
         User-Agent: Mozilla Thunderbird\r\nSubject: Re: [{game}] orders, please\r\nContent-Language: en-GB\r\n\
         To: The umpire <campaign+{game}.allied.{token}@localhost>\r\nReferences: <{game}/3@localhost>\r\n\
         From: Player {who} <player-{who}@localhost>\r\nIn-Reply-To: <{game}/3@localhost>\r\n\
         Content-Type: text/plain; charset=UTF-8; format=flowed\r\nContent-Transfer-Encoding: 8bit\r\n\r\n\
         Here they are.\r\n\r\nBEGIN ORDERS\r\n{block}salt: {n}\r\nEND ORDERS\r\n\r\nOn 01/01/2026 20:00, The umpire wrote:\r\n{quoted}",
        n % 60
    )
}

/// A mailbox with the mails in it, as if they had come by LMTP. Returns their bytes.
fn fill(servers: &MailServers, user: &str, mails: &[String]) {
    let maildir = servers.path("home").join(user).join("Maildir");
    for part in ["tmp", "new", "cur"] {
        fs::create_dir_all(maildir.join(part)).unwrap();
    }
    for (n, mail) in mails.iter().enumerate() {
        let size = mail.len();
        let name = format!("{}.M{n:06}P1.localhost,S={size},W={size}:2,", now() - 1000);
        fs::write(maildir.join("cur").join(name), mail).unwrap();
    }
    let home = servers.path("home");
    assert!(Command::new("chown").args(["-R", "mail:mail"]).arg(home).status().unwrap().success());
    servers.doveadm(&["index", "-u", user, "INBOX"]);
    assert_eq!(servers.count(user, "INBOX", "ALL"), mails.len());
}

/// Waits until Postfix has handed over all that it has.
fn until_delivered(servers: &MailServers) {
    let queued = || {
        let conf = servers.path("postfix/conf");
        Command::new("postqueue").arg("-c").arg(conf).arg("-j").output().unwrap().stdout
    };
    while !queued().is_empty() {
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn open(dir: &Path) -> Host {
    let entropy = Entropy::SeedFile(b"bench".to_vec().into());
    Host::open(Options {
        dir: dir.to_owned(),
        clock: Clock::at(now()),
        entropy,
        desk: musterd::rulesets::desk(),
    })
    .unwrap()
}

/// What this process has had of the processors so far, by the system's own account: hundredths of a second.
fn processor_time() -> Duration {
    let status = fs::read_to_string("/proc/self/stat").unwrap();
    let behind_the_name = status.rsplit(')').next().unwrap().split_whitespace();
    let ticks = behind_the_name.skip(11).take(2).map(|field| field.parse::<u64>().unwrap());
    Duration::from_millis(10 * ticks.sum::<u64>())
}

/// The most memory this process ever had, in MB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
}

/// How a server is reached: handed on to the processes that are measured.
#[derive(Clone)]
struct At {
    port: u16,
    authority: PathBuf,
    user: String,
}

impl At {
    fn server(&self) -> Server {
        Server {
            host: "localhost".to_owned(),
            port: self.port,
            security: Security::Tls,
            tls_ca: Some(self.authority.clone()),
            login: Some((self.user.clone(), Password::new(PASSWORD.to_owned()))),
            timeout: Duration::from_secs(60),
        }
    }

    fn arguments(&self) -> [String; 3] {
        [self.port.to_string(), self.authority.display().to_string(), self.user.clone()]
    }

    fn read(arguments: &[String]) -> Self {
        let [port, authority, user] = arguments else { panic!("port, authority, user: {arguments:?}") };
        Self { port: port.parse().unwrap(), authority: authority.into(), user: user.clone() }
    }
}

/// Fetches every mail over TLS and drops it, so many in one command.
fn fetch_plainly(at: &At, mails: usize, together: usize) -> Measured {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(&at.authority).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls =
        rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let tls = tls.with_root_certificates(roots).with_no_client_auth();
    let measuring = Measuring::begin();
    let tcp = TcpStream::connect(("127.0.0.1", at.port)).unwrap();
    tcp.set_nodelay(true).unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let connection = rustls::ClientConnection::new(Arc::new(tls), name).unwrap();
    let mut client = imap::Client::new(rustls::StreamOwned::new(connection, tcp));
    client.read_greeting().unwrap();
    let mut session = client.login(&at.user, PASSWORD).map_err(|(error, _)| error).unwrap();
    session.select("INBOX").unwrap();
    let mut fetched = 0;
    for from in (1..=mails).step_by(together) {
        let to = (from + together - 1).min(mails);
        let items = session.uid_fetch(format!("{from}:{to}"), "(UID INTERNALDATE BODY.PEEK[])").unwrap();
        fetched += items.iter().filter(|item| item.body().is_some()).count();
    }
    assert_eq!(fetched, mails);
    measuring.end(mails)
}

/// Drains every mail as the daemon does, until all are decided and their receipts wait to be sent.
fn drain(dir: &Path, at: &At, mails: usize) -> Measured {
    let mut host = open(dir);
    let cursor = Box::new(CursorFile { path: dir.join("imap-0.cursor"), mailbox: "INBOX".to_owned() });
    let source = ImapSource::new(at.server(), "INBOX".to_owned(), Finish::MarkSeen, 1_000_000, cursor);
    let mut sources: [Box<dyn Source>; 1] = [Box::new(source)];
    let measuring = Measuring::begin();
    assert_eq!(serve::take_in(&mut host, &mut sources, &mut |_, _| Ok(())).unwrap(), mails);
    measuring.end(mails)
}

/// Sends everything that waits, as the daemon does.
fn send(dir: &Path, at: &At, mails: usize) -> Measured {
    let config = config::example("campaign@localhost");
    let smtp = format!(
        "{{kind: smtp, host: localhost, port: {}, security: tls, connections: {CONNECTIONS}}}",
        at.port
    );
    let config = config.replace("  kind: maildir\n  root: mail\n", &format!("  {smtp}\n"));
    fs::write(dir.join(config::FILE), config).unwrap();
    let options = Options {
        dir: dir.to_owned(),
        clock: Clock::System,
        entropy: Entropy::System,
        desk: musterd::rulesets::desk(),
    };
    let mut host = Host::open(options).unwrap();
    let relay = SmtpRelay::new(&at.server(), CONNECTIONS).unwrap();
    let measuring = Measuring::begin();
    assert_eq!(host.send_due(&relay).unwrap(), mails);
    measuring.end(mails)
}

/// What the relay takes from the load generator that comes with it, over as many connections, without TLS and login: as many
/// mails a second.
#[expect(clippy::cast_precision_loss, reason = "no more than some thousands")]
fn send_plainly(servers: &MailServers, mails: usize, bytes: usize) -> f64 {
    let begun = Instant::now();
    let status = Command::new("smtp-source")
        .args(["-d", "-s", &CONNECTIONS.to_string(), "-m", &mails.to_string(), "-l", &bytes.to_string()])
        .args(["-f", "campaign@localhost", "-t", "plain@localhost"])
        .arg(format!("inet:127.0.0.1:{}", servers.ports().smtp))
        .status();
    assert!(status.unwrap().success());
    mails as f64 / begun.elapsed().as_secs_f64()
}

/// A job that has begun.
struct Measuring {
    begun: Instant,
    worked: Duration,
}

/// What a job took; printed by one process and read by another.
struct Measured {
    per_second: f64,
    cpu: Duration,
    peak: u64,
}

impl Measuring {
    fn begin() -> Self {
        Self { worked: processor_time(), begun: Instant::now() }
    }

    #[expect(clippy::cast_precision_loss, reason = "no more than some thousands")]
    fn end(self, mails: usize) -> Measured {
        let took = self.begun.elapsed();
        let cpu = (processor_time() - self.worked) / u32::try_from(mails).unwrap();
        Measured { per_second: mails as f64 / took.as_secs_f64(), cpu, peak: peak() }
    }
}

/// Runs one job in a process of its own, so that its memory and processor time are its own.
fn apart(job: &str, at: &At, mails: usize, dir: Option<&Path>) -> Measured {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(job).args(at.arguments()).arg(mails.to_string()).args(dir);
    let output = command.stderr(std::process::Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "{job}: {}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    let mut words = text.split_whitespace();
    let mut next = || words.next().unwrap().to_owned();
    Measured {
        per_second: next().parse().unwrap(),
        cpu: Duration::from_nanos(next().parse().unwrap()),
        peak: next().parse().unwrap(),
    }
}

fn job(arguments: &[String]) {
    let (job, rest) = arguments.split_first().unwrap();
    let (at, rest) = rest.split_at(3);
    let (at, mails) = (At::read(at), rest[0].parse().unwrap());
    let dir = rest.get(1).map(Path::new);
    let measured = match (job.as_str(), dir) {
        ("--fetch", None) => fetch_plainly(&at, mails, BATCH),
        ("--fetch-singly", None) => fetch_plainly(&at, mails, 1),
        ("--drain", Some(dir)) => drain(dir, &at, mails),
        ("--send", Some(dir)) => send(dir, &at, mails),
        other => panic!("no such job: {other:?}"),
    };
    println!("{} {} {}", measured.per_second, measured.cpu.as_nanos(), measured.peak);
}

fn tell(what: &str, measured: &Measured) {
    let Measured { per_second, cpu, peak } = measured;
    println!("  {what}: {per_second:.0} mails/s, {cpu:?} of CPU a mail, {peak} MB at most");
}

fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap();
    assert!(status.success());
}

/// One round: as many mails for a plain client and for the daemon, in this order or the other.
fn round(
    servers: &MailServers,
    name: &str,
    mails: &[String],
    games: &Path,
    daemon_first: bool,
) -> (f64, PathBuf) {
    let dir = games.with_file_name(name);
    copy(games, &dir);
    let at = |user: String| At { port: servers.ports().imaps, authority: servers.authority(), user };
    let (plain, own) = (at(format!("plain-{name}")), at(format!("own-{name}")));
    fill(servers, &plain.user, mails);
    fill(servers, &own.user, mails);
    // What was written to make the mailboxes is not to be synced by whoever syncs first.
    assert!(Command::new("sync").status().unwrap().success());
    let run = |ours: bool| match ours {
        true => apart("--drain", &own, mails.len(), Some(&dir)),
        false => apart("--fetch", &plain, mails.len(), None),
    };
    let (first, second) = (run(daemon_first), run(!daemon_first));
    let (drained, fetched) = if daemon_first { (first, second) } else { (second, first) };
    let singly = apart("--fetch-singly", &plain, mails.len(), None);
    println!(
        "{} mails, {}:",
        mails.len(),
        if daemon_first { "the daemon first" } else { "the plain client first" }
    );
    tell("fetched and dropped by a plain client, 256 in a command", &fetched);
    tell("the same, one in a command", &singly);
    tell("drained by the daemon, decided, receipts queued", &drained);
    let ratio = drained.per_second / fetched.per_second;
    println!(
        "  ratio {ratio:.2} to batches, {:.2} to one by one (goal 0.5)",
        drained.per_second / singly.per_second
    );
    assert_eq!(servers.count(&own.user, "INBOX", "SEEN"), mails.len(), "each is marked");
    let done = fs::read_dir(dir.join("spool/done")).unwrap().count();
    assert_eq!(done, mails.len(), "each is kept");
    let (store, _) = Store::open(&dir).unwrap();
    assert_eq!(store.due(i64::MAX, usize::MAX).unwrap().len(), mails.len(), "each has a receipt");
    (ratio, dir)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if arguments.first().is_some_and(|a| a.starts_with("--")) {
        return job(&arguments);
    }
    let mails = arguments.first().map_or(MAILS, |n| n.parse().unwrap());
    let Some(servers) = MailServers::start() else { return };
    let dir = tempfile::tempdir().unwrap();
    let games = dir.path().join("games");
    fs::create_dir(&games).unwrap();
    let writers = found_games(&games);
    let letters: Vec<String> = (0..mails).map(|n| mail(&writers, n)).collect();
    let bytes: Vec<usize> = letters.iter().map(String::len).collect();
    let mut about = String::new();
    write!(about, "{mails} order mails for {GAMES} games").unwrap();
    println!(
        "{about}, {} to {} bytes, {} on average",
        bytes.iter().min().unwrap(),
        bytes.iter().max().unwrap(),
        bytes.iter().sum::<usize>() / mails
    );
    round(&servers, "tenth", &letters[..mails / 10], &games, false);
    let mut drained = Vec::new();
    for (name, daemon_first) in [("one", false), ("two", true), ("three", false)] {
        drained.push(round(&servers, name, &letters, &games, daemon_first));
    }
    if std::env::var_os("MUSTERD_BENCH_SEND").is_some_and(|v| v == "0") {
        return;
    }
    let at = At { port: servers.ports().smtps, authority: servers.authority(), user: "campaign".to_owned() };
    let (_, dir) = drained.pop().unwrap();
    let bytes = {
        let (store, _) = Store::open(&dir).unwrap();
        let receipts = store.due(i64::MAX, mails).unwrap();
        receipts.iter().map(|receipt| receipt.packet.raw.len()).sum::<usize>() / mails
    };
    println!("{mails} receipts of {bytes} bytes on average to Postfix, over {CONNECTIONS} connections:");
    let own_pace = send_plainly(&servers, mails, bytes);
    println!("  as many bytes by Postfix's own smtp-source, without TLS: {own_pace:.0} mails/s");
    until_delivered(&servers);
    let ours = apart("--send", &at, mails, Some(&dir));
    tell("the queue sent by the daemon over TLS, and noted", &ours);
    println!("  ratio {:.2}", ours.per_second / own_pace);
}

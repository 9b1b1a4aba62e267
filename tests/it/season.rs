//! A season of La Grande Armée on real mail servers: the built daemon on Dovecot and Postfix over TLS, two players with
//! mail programs of their own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use musterd::desk::mail;
use musterd::letter::{Letter, Limits};
use musterd::post::{Arrived, CursorFile, Finish, ImapSource, Outcome, Raw, Relay, SmtpRelay, Source};

use crate::post::Memory;
use crate::servers::{MailServers, PASSWORD};

/// How long a mail may take from one mailbox to the answer in another.
const PATIENCE: Duration = Duration::from_secs(30);

/// The running daemon; told to stop when dropped.
pub(crate) struct Daemon {
    child: Child,
    dir: PathBuf,
}

impl Daemon {
    pub(crate) fn start(dir: &Path) -> Self {
        let log = std::fs::File::create(dir.join("daemon.log")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
        command.arg("--dir").arg(dir).arg("serve").env("MUSTERD_LOG", "musterd=debug");
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        for _ in 0..100 {
            if dir.join("control.sock").exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Self { child, dir: dir.to_owned() }
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
        let output = command.arg("--dir").arg(&self.dir).args(arguments).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "musterd {arguments:?}: {error}\n{}", self.log());
        output
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.dir.join("daemon.log")).unwrap_or_default()
    }

    pub(crate) fn stop(mut self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "the daemon ended with {status}:\n{}", self.log());
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // A test that failed leaves the daemon running; one that passed has stopped it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A player at his mail program.
pub(crate) struct Player<'a> {
    user: &'static str,
    servers: &'a MailServers,
    inbox: ImapSource,
    read: Vec<Letter>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(servers: &'a MailServers, user: &'static str, dir: &Path) -> Self {
        let server = servers.server(servers.ports().imaps, user);
        let cursor =
            Box::new(CursorFile { path: dir.join(format!("{user}.cursor")), mailbox: "INBOX".to_owned() });
        let inbox = ImapSource::new(server, "INBOX".to_owned(), Finish::MarkSeen, 1_000_000, cursor);
        Self { user, servers, inbox, read: Vec::new() }
    }

    /// Waits for a mail whose subject holds all these words, and returns it.
    pub(crate) fn wait_for(&mut self, words: &[&str], daemon: &Daemon) -> Letter {
        let tries = PATIENCE.as_millis() / 100;
        for _ in 0..tries {
            let mut arrived = Memory::default();
            self.inbox.drain(&mut arrived).unwrap();
            self.read.extend(arrived.0.iter().map(opened));
            // A further part, which only brings files, may come first.
            let is_meant =
                |l: &Letter| words.iter().all(|w| l.subject.contains(w)) && !l.subject.contains(" (part ");
            let found = self.read.iter().position(is_meant);
            if let Some(found) = found {
                return self.read.remove(found);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        // What went wrong is told in an answer.
        let is_wrong =
            |letter: &&Letter| ["[ERRORS]", "not accepted"].iter().any(|word| letter.subject.contains(word));
        let errors: Vec<&str> = self.read.iter().filter(is_wrong).map(body).collect();
        let subjects: Vec<&str> = self.read.iter().map(|l| l.subject.as_str()).collect();
        panic!(
            "{}: no mail {words:?} among {subjects:?}\n{}\n{}",
            self.user,
            errors.join("\n"),
            daemon.log()
        );
    }

    /// Answers a mail as mail programs do: the text on top, the mail quoted below.
    pub(crate) fn answer(&self, to: &Letter, text: &str) {
        let address = to.reply_to.first().expect("the host's mails say where to answer");
        let quoted: String = body(to).lines().map(|line| format!("> {line}\r\n")).collect();
        let id = to.message_id.as_deref().unwrap();
        let stamp = text.len() + quoted.len();
        let mail = format!(
            "From: {user}@localhost\r\nTo: {address}\r\nSubject: Re: {subject}\r\nMessage-ID: <{stamp}.{id}.{user}>\r\n\
             In-Reply-To: <{id}>\r\nReferences: <{id}>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
             \r\n{text}\r\n\r\nOn Saturday the umpire wrote:\r\n{quoted}",
            user = self.user,
            subject = to.subject,
            text = text.replace('\n', "\r\n"),
        );
        self.send(address, &mail);
    }

    /// Writes to an address without answering anything.
    pub(crate) fn write(&self, address: &str, id: &str, text: &str) {
        let user = self.user;
        let mail = format!(
            "From: {user}@localhost\r\nTo: {address}\r\nSubject: a word\r\nMessage-ID: <{id}.{user}>\r\n\
             MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{}\r\n",
            text.replace('\n', "\r\n")
        );
        self.send(address, &mail);
    }

    /// Sends a whole mail.
    pub(crate) fn send(&self, address: &str, mail: &str) {
        let relay = SmtpRelay::new(&self.servers.server(self.servers.ports().smtp, self.user), 1).unwrap();
        let from = format!("{}@localhost", self.user);
        let outcomes = relay.send(&from, &[address.to_owned()], mail.as_bytes());
        assert!(matches!(&outcomes[..], [(_, Outcome::Accepted(_))]), "{outcomes:?}");
    }
}

fn opened(message: &Arrived) -> Letter {
    let (Raw::Whole(bytes) | Raw::Oversize { head: bytes, .. }) = &message.raw;
    mail::open(bytes, &Limits::default())
}

pub(crate) fn body(letter: &Letter) -> &str {
    &letter.body.as_ref().unwrap().text
}

pub(crate) fn data_directory(servers: &MailServers, dir: &Path, user: &str) {
    let password = dir.join("mail.password");
    std::fs::write(&password, PASSWORD).unwrap();
    assert!(Command::new("chmod").arg("600").arg(&password).status().unwrap().success());
    std::fs::copy(servers.authority(), dir.join("ca.pem")).unwrap();
    let server = format!("host: localhost, user: {user}, password_file: mail.password, tls_ca: ca.pem");
    let (imap, smtp) = (servers.ports().imaps, servers.ports().smtp);
    let config = format!(
        "address: {user}@localhost\nzone: Europe/Vienna\n\
         mail_in: [{{kind: imap, {server}, port: {imap}, security: tls}}]\n\
         mail_out: {{kind: smtp, {server}, port: {smtp}, security: starttls}}\n\
         poll_seconds: 1\n"
    );
    std::fs::write(dir.join("musterd.yaml"), config).unwrap();
}

#[test]
fn a_season_is_played_over_dovecot_and_postfix() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    data_directory(&servers, dir.path(), "umpire-season");
    let daemon = Daemon::start(dir.path());
    let seats = ["--seat", "french=anna-season@localhost", "--seat", "allied=ben-season@localhost"];
    daemon.command(&[&["new", "austrian-1805", "--id", "season", "--recall", "none"][..], &seats].concat());

    let mut anna = Player::new(&servers, "anna-season", dir.path());
    let mut ben = Player::new(&servers, "ben-season", dir.path());
    for player in [&mut anna, &mut ben] {
        let invitation = player.wait_for(&["[season]"], &daemon);
        player.answer(&invitation, "BEGIN ORDERS\nJOIN\nsalt: the frogs were loud last night\nEND ORDERS");
        player.wait_for(&["confirmed"], &daemon);
    }

    // The French turn of Summer 1805: one order that works, one with a mistake, then both put right.
    let dispatch = anna.wait_for(&["Summer 1805", "orders by"], &daemon);
    let to_allied = ben.wait_for(&["Summer 1805"], &daemon);
    anna.answer(&dispatch, "MOVE 1 TO Wurzburg\nMOV 99 TO Ulm");
    let receipt = anna.wait_for(&["[ERRORS]"], &daemon);
    assert!(body(&receipt).contains("MOV 99 TO Ulm"), "{}", body(&receipt));
    anna.answer(
        &receipt,
        "BEGIN ORDERS\nMOVE 1 TO Wurzburg\nMOVE 2 TO Antwerp\nREADY\nsalt: marengo\nEND ORDERS",
    );
    let receipt = anna.wait_for(&["2 orders for Summer 1805"], &daemon);
    assert!(!receipt.subject.contains("[ERRORS]"), "{}", body(&receipt));
    ben.answer(&to_allied, "READY");

    // The Allied turn: nobody waits for the deadline.
    let dispatch = ben.wait_for(&["Summer 1805", "orders by"], &daemon);
    let to_french = anna.wait_for(&["Summer 1805"], &daemon);
    ben.answer(&dispatch, "BEGIN ORDERS\nREADY\nsalt: ulm\nEND ORDERS");
    anna.answer(&to_french, "READY");

    let autumn = anna.wait_for(&["Autumn 1805"], &daemon);
    ben.wait_for(&["Autumn 1805"], &daemon);
    assert!(body(&autumn).contains("Bernadotte"), "{}", body(&autumn));
    assert!(body(&autumn).contains("\nChain: season "), "{}", body(&autumn));
    assert!(body(&autumn).contains("L1") || body(&autumn).contains("L2"), "{}", body(&autumn));

    let status = String::from_utf8(daemon.command(&["status", "season"]).stdout).unwrap();
    assert!(status.contains("1805-autumn-french"), "{status}");
    assert!(status.contains(" 0 failed"), "{status}");
    assert!(!daemon.log().contains(PASSWORD), "no password stands in a log that shows all there is");
    daemon.stop();
}

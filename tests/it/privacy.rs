//! What the built program lets out: nothing that acts on a terminal, no secret in the log or the journal, no file and no
//! memory for other users.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::skips::skipped;
use super::support::{HOST, Mail, block, is_of_kind, player, raw_mails, read};

/// Clears the screen, names the window, returns to the start of the line, turns the text round; in an order, a letter, a name.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{8}\rMOVE";

/// A host with a campaign between two people.
struct Home {
    dir: TempDir,
}

impl Home {
    fn new() -> Self {
        let home = Self { dir: tempfile::tempdir().unwrap() };
        home.run(&["init", home.path().to_str().unwrap(), "--address", HOST]);
        let seats = ["french", "allied"].map(|seat| format!("{seat}={}", player(seat)));
        let seats = ["--seat", &seats[0], "--seat", &seats[1], "--press", "all", "--start", "now"];
        home.run(&[&["new", "austrian-1805", "--id", "alpha"][..], &seats].concat());
        home.run(&["serve", "--once"]);
        home
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("host")
    }

    /// A command that may fail.
    fn try_run(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
        command.args(["--dir", self.path().to_str().unwrap()]).args(arguments).env("MUSTERD_LOG", "trace");
        let file = self.dir.path().join("input");
        fs::write(&file, input).unwrap();
        command.stdin(fs::File::open(file).unwrap()).output().unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let output = self.try_run(arguments, b"");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// The address that answers of a seat go to, with its secret.
    fn reply_address(&self, seat: &str) -> String {
        let mut mails =
            raw_mails(&self.path().join("mail").join(player(seat))).into_iter().map(|(_, raw)| read(&raw));
        mails.rfind(|mail| is_of_kind(mail, "dispatch")).unwrap().reply_to[0].clone()
    }

    fn deliver(&self, mail: &Mail<'_>) {
        let output = self.try_run(&["deliver"], mail.raw().as_bytes());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Orders, a letter and a command of a player's, full of what would act on a terminal, and a stranger's mail.
    fn attacked(&self) -> Output {
        let letter = format!("PRESS TO allied\r\nI come. {HOSTILE}\r\nEND PRESS\r\n");
        let orders = block(&format!("MOVE 1 TO {HOSTILE}\r\n{HOSTILE} 2 TO Antwerp\r\nMOVE 2 TO Antwerp"));
        let text = format!("STATUS {HOSTILE}\r\n{letter}{orders}");
        let (from, to) = (player("french"), self.reply_address("french"));
        self.deliver(&Mail { from: &from, to: &to, id: "hostile", in_reply_to: None, text: &text });
        let from = format!("{HOSTILE}@evil.example");
        let to = format!("\"{HOSTILE}\" <{HOST}>");
        self.deliver(&Mail { from: &from, to: &to, id: HOSTILE, in_reply_to: None, text: HOSTILE });
        self.run(&["serve", "--once"])
    }
}

/// The first character of a text that acts on a terminal.
fn acting(text: &str) -> Option<char> {
    text.chars()
        .find(|&c| (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202a}'..='\u{202e}'))
}

#[test]
fn nothing_from_a_mail_acts_on_the_operators_terminal() {
    let home = Home::new();
    let mut said = vec![home.attacked()];
    for command in [
        &["status"][..],
        &["status", "--json"],
        &["report", "alpha", "french"],
        &["report", "alpha", "french", "--json"],
        &["history", "alpha", "allied"],
        &["journal", "alpha"],
    ] {
        said.push(home.run(command));
    }
    said.push(home.try_run(&["check", "alpha", "french", "-"], format!("MOVE 1 TO {HOSTILE}").as_bytes()));
    said.push(home.try_run(&["resolve", "alpha", HOSTILE], b""));
    let mut quoted = 0;
    for output in said {
        for stream in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(stream.clone()).unwrap();
            assert_eq!(acting(&text), None, "{text}");
            quoted += usize::from(text.contains("[2J"));
        }
    }
    // What was written is shown, not hidden.
    assert!(quoted >= 2, "{quoted}");
}

#[test]
fn the_log_and_the_journal_hold_no_secret() {
    let home = Home::new();
    let secret = fs::read_to_string(home.path().join("secrets/alpha.secret")).unwrap();
    let secret = secret.lines().find_map(|line| line.strip_prefix("last ")).unwrap().to_owned();
    let tokens = ["french", "allied"].map(|seat| {
        let address = home.reply_address(seat);
        address.split(['.', '@']).find(|part| part.len() == 16).unwrap().to_owned()
    });
    let log = String::from_utf8(home.attacked().stderr).unwrap();
    assert!(log.contains("orders accepted"), "the log at its most talkative: {log}");
    let journal = String::from_utf8(home.run(&["journal", "alpha"]).stdout).unwrap();
    for secret in tokens.iter().chain([&secret]) {
        assert!(!log.contains(secret.as_str()), "the log holds {secret}: {log}");
        assert!(!journal.contains(secret.as_str()), "the journal holds {secret}");
    }
}

#[test]
fn every_file_of_a_host_is_its_users_alone() {
    fn look(path: &Path, found: &mut usize) {
        let meta = fs::symlink_metadata(path).unwrap();
        assert_eq!(meta.permissions().mode() & 0o077, 0, "{} is open to others", path.display());
        *found += 1;
        if meta.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| look(&entry.unwrap().path(), found));
        }
    }
    let home = Home::new();
    home.attacked();
    let mut found = 0;
    look(&home.path(), &mut found);
    assert!(found > 30, "{found}");
}

/// Runs as another user, where the tests run as root; else says so.
fn as_nobody(home: &Home) -> Option<Command> {
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        skipped("only root can try what another user sees");
        return None;
    }
    let bin = home.dir.path().join("bin");
    fs::create_dir(&bin).unwrap();
    fs::set_permissions(home.dir.path(), fs::Permissions::from_mode(0o711)).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_musterd"), bin.join("musterd")).unwrap();
    fs::set_permissions(&bin, fs::Permissions::from_mode(0o755)).unwrap();
    let given = Command::new("chown").args(["-R", "65534:65534"]).arg(home.path()).status();
    assert!(given.unwrap().success());
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(bin.join("musterd"));
    command.arg("--dir").arg(home.path());
    Some(command)
}

#[test]
fn the_daemons_memory_is_closed_to_its_own_user_too() {
    let home = Home::new();
    let Some(mut command) = as_nobody(&home) else { return };
    let mut daemon = command.arg("serve").stderr(Stdio::null()).spawn().unwrap();
    let socket = home.path().join("control.sock");
    for _ in 0..600 {
        if socket.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    // The kernel gives the entries of a process that can't be dumped or traced to root.
    let owner = fs::metadata(format!("/proc/{}/environ", daemon.id())).unwrap().uid();
    let served = socket.exists();
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    assert!(served, "the daemon did not come up");
    assert_eq!(owner, 0);
}

#[test]
fn root_leaves_nothing_in_the_data_directory_of_another_user() {
    let home = Home::new();
    let Some(_) = as_nobody(&home) else { return };
    for (arguments, exit) in [(&["status"][..], 2), (&["serve", "--once"], 2), (&["deliver"], 75)] {
        let refused = home.try_run(arguments, b"From: a@b.example\n\nhello\n");
        assert_eq!(refused.status.code(), Some(exit), "{arguments:?}");
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.contains("setpriv --reuid=65534"), "{said}");
    }
}

/// Every function in the sources below a directory.
fn functions(dir: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            functions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let names =
                text.lines().filter_map(|line| line.trim_start().strip_prefix("fn ")?.split('(').next());
            found.extend(names.map(str::to_owned));
        }
    }
}

#[test]
fn every_test_that_the_threat_model_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tests = BTreeSet::new();
    ["tests/it", "src"].iter().for_each(|dir| functions(&root.join(dir), &mut tests));
    let text = fs::read_to_string(root.join("docs/security.md")).unwrap();
    let named: Vec<&str> = text.split('`').skip(1).step_by(2).filter(|word| word.contains("::")).collect();
    assert!(named.len() > 25, "{named:?}");
    for name in named.iter().filter(|name| **name != "::") {
        let (_, function) = name.rsplit_once("::").unwrap();
        assert!(tests.contains(function), "docs/security.md names the test {name}, which is not there");
    }
}

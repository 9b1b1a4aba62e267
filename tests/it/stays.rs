//! A host whose mail stays on its own machine says so, by the name of everybody whom none reaches; and a host that mail reaches by a pipe
//! alone needs no mailbox.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use musterd::daemon::control;
use serde_json::Value;
use tempfile::TempDir;

use super::namespaces::{said, wait_for};

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";
const GM: &str = "gm@example.org";

fn command(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.current_dir(place).args(["--dir", "host"]).args(arguments).env_remove("MUSTERD_DIR");
    command
}

fn musterd(place: &Path, arguments: &[&str]) -> Output {
    command(place, arguments).output().unwrap()
}

/// What a command says, which has to end with this.
fn told(place: &Path, arguments: &[&str], exit: i32) -> String {
    let output = musterd(place, arguments);
    assert_eq!(output.status.code(), Some(exit), "{arguments:?}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn json(place: &Path, arguments: &[&str]) -> Value {
    serde_json::from_slice(&musterd(place, &[arguments, &["--json"]].concat()).stdout).unwrap()
}

/// A host as `init` makes it.
fn host() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    told(place.path(), &["init", "host", "--address", "campaign@example.org"], 0);
    place
}

fn change(place: &Path, from: &str, to: &str) {
    let file = place.join("host/musterd.yaml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(file, text.replace(from, to)).unwrap();
}

const FOUND: [&str; 12] = [
    "new",
    "austrian-1805",
    "--id",
    "alpha",
    "--start",
    "now",
    "--gm",
    GM,
    "--seat",
    "french=anna@example.org",
    "--seat",
    "allied=computer",
];

/// A daemon that is stopped when the test ends.
struct Daemon(Child);

impl Daemon {
    fn start(place: &Path) -> Self {
        let daemon = Self(command(place, &["serve"]).stderr(Stdio::null()).spawn().unwrap());
        wait_for("the daemon", || control::daemon_runs(&place.join("host")).then_some(()));
        daemon
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// The lines that warn of mail that stays here, by whose it is.
fn warned(text: &str) -> Vec<&str> {
    let about = text
        .lines()
        .filter_map(|line| line.split_once("mail for ").filter(|_| line.contains("nobody reads")));
    about.map(|(_, rest)| rest.split(' ').next().unwrap()).collect()
}

#[test]
fn a_new_host_says_that_it_mails_nobody() {
    let place = tempfile::tempdir().unwrap();
    let init = ["init", "host", "--address", "campaign@example.org"];
    let text = told(place.path(), &init, 0);
    assert!(
        text.contains("Warning: mail to everybody stays on this machine, in Maildirs in host/mail:"),
        "{text}"
    );
    assert!(text.contains("set `mail_out` in host/musterd.yaml to an SMTP server"), "{text}");
    let other = tempfile::tempdir().unwrap();
    let made: Value =
        serde_json::from_slice(&musterd(other.path(), &[&init[..], &["--json"]].concat()).stdout).unwrap();
    assert!(made["warnings"][0].as_str().unwrap().contains("stays on this machine"), "{made}");
    let text = told(place.path(), &["config", "check"], 0);
    assert!(text.contains("warning: mail to everybody stays on this machine"), "{text}");
    let found = json(place.path(), &["config", "check"]);
    assert!(found["warnings"].to_string().contains("mail to everybody stays on this machine"), "{found}");
}

#[test]
fn everybody_is_named_whose_mail_stays_here_until_somebody_reads_it() {
    let home = host();
    let place = home.path();
    let founded = told(place, &FOUND, 0);
    assert_eq!(warned(&founded), [ANNA, GM], "{founded}");
    assert!(founded.contains(
        "in host/mail/anna@example.org, which nobody reads: set `mail_out` in host/musterd.yaml to an SMTP"
    ));
    // Before and after the mails lie there.
    assert_eq!(warned(&told(place, &["status"], 0)), [ANNA, GM]);
    told(place, &["serve", "--once"], 0);
    let status = told(place, &["status", "alpha"], 0);
    assert_eq!(warned(&status), [ANNA, GM], "{status}");
    let status = json(place, &["status"]);
    assert_eq!(status["games"][0]["warnings"].as_array().unwrap().len(), 2, "{status}");
    let checked = told(place, &["config", "check"], 0);
    assert_eq!(warned(&checked), [ANNA, GM], "{checked}");
    // Who comes later is named when he comes.
    let replaced = told(place, &["gm", "alpha", "REPLACE", "french", BEN, "BECAUSE", "so", "--yes"], 0);
    // What the GM is told has lines as a mail has.
    assert_eq!(warned(&replaced.replace('\n', " ")), [BEN], "{replaced}");
    {
        let _daemon = Daemon::start(place);
        wait_for("Ben's mail", || place.join("host/mail").join(BEN).is_dir().then_some(()));
        let well = told(place, &["health"], 0);
        assert!(well.starts_with("The daemon runs and is well.\nwarning: mail_out: "), "{well}");
        assert_eq!(warned(&well), [ANNA, BEN, GM], "{well}");
        let well = json(place, &["health"]);
        assert_eq!(
            (&well["healthy"], well["warnings"].as_array().unwrap().len()),
            (&Value::Bool(true), 3),
            "{well}"
        );
    }
    // One reads his mail, and one says that he does.
    let ben = place.join("host/mail").join(BEN);
    let mail = fs::read_dir(ben.join("new")).unwrap().next().unwrap().unwrap();
    fs::rename(mail.path(), ben.join("cur").join(mail.file_name())).unwrap();
    assert_eq!(warned(&told(place, &["status"], 0)), [GM]);
    fs::remove_file(place.join("host/mail").join(GM).join("made-by-musterd")).unwrap();
    assert_eq!(warned(&told(place, &["status"], 0)), [""; 0]);
}

#[test]
fn nobody_is_named_whose_maildir_was_made_for_it_or_whose_mail_goes_out() {
    let home = host();
    let place = home.path();
    for address in [ANNA, GM] {
        fs::create_dir(place.join("host/mail").join(address)).unwrap();
    }
    let quiet = |text: &str| {
        assert!(!text.contains("nobody reads") && !text.contains("stays on this machine"), "{text}");
    };
    quiet(&told(place, &FOUND, 0));
    told(place, &["serve", "--once"], 0);
    for _ in 0..2 {
        quiet(&told(place, &["status"], 0));
        quiet(&told(place, &["config", "check"], 0));
    }
    let mails = fs::read_dir(place.join("host/mail").join(ANNA).join("new")).unwrap().count();
    assert!(mails > 0, "a directory alone is Maildir enough");
    {
        let _daemon = Daemon::start(place);
        assert_eq!(told(place, &["health"], 0), "The daemon runs and is well.\n");
    }
    change(
        place,
        "  kind: maildir\n  root: mail\n",
        "  {kind: smtp, host: 127.0.0.1, port: 9, security: none}\n",
    );
    quiet(&told(place, &["status"], 0));
    quiet(&told(place, &["gm", "alpha", "REPLACE", "french", BEN, "BECAUSE", "so", "--yes"], 0));
    quiet(&told(place, &["config", "check"], 0));
    // A demo is played by computers.
    let demo = tempfile::tempdir().unwrap();
    told(demo.path(), &["demo", "dog/training", "--keep", "host"], 0);
    quiet(&told(demo.path(), &["status"], 0));
    quiet(&told(demo.path(), &["config", "check"], 0));
}

#[test]
fn a_host_by_a_pipe_needs_no_mailbox() {
    let home = host();
    let place = home.path();
    change(place, "mail_in:\n  - kind: maildir\n    path: mail/campaign@example.org\n", "mail_in: []\n");
    let text = told(place, &["config", "check"], 0);
    assert!(
        text.contains(
            "warning: no mailbox is read (`mail_in: []`), and no mail has come by `musterd deliver` yet"
        ),
        "{text}"
    );
    told(place, &FOUND, 0);
    told(place, &["serve", "--once"], 0);
    let daemon = Daemon::start(place);
    let well = told(place, &["health"], 0);
    assert!(well.contains("warning: mail_in: no mailbox is read"), "{well}");
    // Mail by the pipe is dealt with, by the daemon too.
    let anna = place.join("host/mail").join(ANNA).join("new");
    let mails = || fs::read_dir(&anna).unwrap().count();
    let before = mails();
    let key = fs::read_dir(&anna).unwrap().find_map(|mail| {
        let text = fs::read_to_string(mail.unwrap().path()).unwrap();
        text.lines().find(|line| line.starts_with("# key: ")).map(str::to_owned)
    });
    let mail = format!(
        "From: {ANNA}\r\nTo: campaign@example.org\r\nSubject: x\r\n\r\n{}\r\nSTATUS\r\n",
        key.unwrap()
    );
    let mut deliver = command(place, &["deliver"]).stdin(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut deliver.stdin.take().unwrap(), mail.as_bytes()).unwrap();
    assert!(deliver.wait().unwrap().success());
    wait_for("the answer", || (mails() > before).then_some(()));
    let well = told(place, &["health"], 0);
    assert!(!well.contains("mail_in"), "{well}");
    // And turns run at their deadlines.
    drop(daemon);
    let turn = |text: &str| text.split("(turn ").nth(1).unwrap().split(',').next().unwrap().to_owned();
    let first = turn(&told(place, &["status"], 0));
    told(place, &["--now", "2040-01-01T00:00:00Z", "serve", "--once"], 0);
    assert_ne!(turn(&told(place, &["status"], 0)), first);
    assert!(!told(place, &["config", "check"], 0).contains("mail_in"));
    told(place, &["backup", "b.tar"], 0);
}

//! The examples under `deploy/examples/`, run by the programs that they are for: each hands a mail to musterd as the user whom
//! the data directory belongs to. Postfix runs in namespaces of its own; procmail and Sieve where they are installed.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use musterd::post::{Outcome, Relay as _, Security, Server, SmtpRelay};

use super::namespaces::{self, Running, said, sh, wait_for};
use super::skips::has;
use super::support::{Mail, raw_mails};

const DATA: &str = "/var/lib/musterd";
/// Where mail for the campaigns goes to, a domain for each way.
const BY_ALIAS: &str = "campaign@localhost";
const BY_FORWARD: &str = "musterd@localhost";
const BY_PIPE: &str = "campaign@example.org";

/// An example, with the program where this test has it.
fn example(name: &str, program: &Path) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/examples").join(name);
    let text = fs::read_to_string(path).unwrap();
    text.replace("/usr/bin/musterd", program.to_str().unwrap())
}

fn mail(to: &str, id: &str) -> String {
    let from = format!("{id}@players.example");
    Mail { from: &from, to, id, in_reply_to: None, text: "What is this?" }.raw()
}

#[test]
fn sieve_sorts_mail_for_the_campaigns_into_their_folder() {
    if !has("sieve-test", "dovecot-sieve") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("campaign.sieve");
    fs::write(&script, example("campaign.sieve", Path::new("/usr/bin/musterd"))).unwrap();
    let path = dir.path().join("mail");
    let sorted = |to: &str| {
        fs::write(&path, mail(to, "sieve")).unwrap();
        let mut command = Command::new("sieve-test");
        for setting in
            ["recipient_delimiter=+", "mail_location=maildir:/tmp", "mail_uid=nobody", "mail_gid=nogroup"]
        {
            command.args(["-o", setting]);
        }
        let output = command.args(["-a", to]).arg(&script).arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    };
    for to in ["campaign@example.org", "campaign+alpha.french.k7q2mz4t9hwxp3cd@example.org"] {
        assert!(sorted(to).contains("folder: Campaign"), "{}", sorted(to));
    }
    assert!(!sorted("anna@example.org").contains("folder: Campaign"));
}

#[test]
fn pipes_of_mail_servers_reach_the_spool() {
    if let Some(dir) = namespaces::inside() {
        inside(&dir);
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let Some(inner) = namespaces::run_inside("examples::pipes_of_mail_servers_reach_the_spool", dir.path())
    else {
        return;
    };
    let log = fs::read_to_string(dir.path().join("postfix.log")).unwrap_or_default();
    assert!(inner.status.success(), "{}\npostfix:\n{log}", said(&inner));
    eprint!("{}", said(&inner));
}

fn inside(dir: &Path) {
    let (at, program) = (dir.display(), dir.join("bin/musterd"));
    // The static user of deploy/sysusers.conf, and a data directory as the service makes it.
    sh(&format!(
        "umask 022
        mount --make-rprivate /
        mount -t proc proc /proc
        ip link set lo up
        cp /etc/passwd {at}/passwd
        cp /etc/group {at}/group
        echo 'musterd:x:64999:64999::{DATA}:/bin/sh' >>{at}/passwd
        echo 'musterd:x:64999:' >>{at}/group
        echo 'anna:x:64998:64999::/var/lib/anna:/bin/sh' >>{at}/passwd
        mount --bind {at}/passwd /etc/passwd
        mount --bind {at}/group /etc/group
        cp -a /etc/postfix {at}/etc-postfix
        mount --bind {at}/etc-postfix /etc/postfix
        cp -a /var/lib/postfix {at}/lib-postfix
        mount -t tmpfs -o mode=755 tmpfs /var/lib
        cp -a {at}/lib-postfix /var/lib/postfix
        mount -t tmpfs -o mode=755 tmpfs /var/spool/postfix
        install -d -m 700 -o musterd -g musterd {DATA}
        install -d -m 700 -o anna -g musterd /var/lib/anna"
    ));
    let as_musterd = || {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "musterd", "--regid", "musterd", "--clear-groups", "--no-new-privs"]);
        command.env("HOME", DATA).env_remove("MUSTERD_DIR");
        command
    };
    let made = as_musterd().arg(&program).args(["init", DATA, "--address", BY_PIPE]).output().unwrap();
    assert!(made.status.success(), "{}", said(&made));

    let pieces = example("postfix-pipe", &program);
    let piece = |name: &str| {
        let (_, piece) = pieces.split_once(&format!("# --- {name}\n")).unwrap();
        piece.split_once("\n# ---").map_or(piece, |(piece, _)| piece).to_owned()
    };
    let services =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/compose/postfix-master.cf"))
            .unwrap();
    let ours = "local  unix  -  n  n  -  -  local";
    fs::write("/etc/postfix/master.cf", format!("{services}{ours}\n{}\n", piece("master.cf"))).unwrap();
    fs::write("/etc/postfix/musterd.transport", piece("/etc/postfix/musterd.transport")).unwrap();
    fs::write(
        "/etc/postfix/main.cf",
        format!(
            "compatibility_level = 3.6\nmaillog_file = /dev/stdout\nmyhostname = localhost\nmydestination = localhost\n\
             relay_domains = example.org\nsmtp_dns_support_level = disabled\nmynetworks = 127.0.0.0/8\n\
             smtpd_relay_restrictions = permit_mynetworks, reject\nhome_mailbox = Maildir/\nalias_database =\n\
             alias_maps = hash:/etc/postfix/aliases\n{}\n",
            piece("main.cf")
        ),
    )
    .unwrap();
    fs::write("/etc/postfix/aliases", example("aliases", &program)).unwrap();
    sh("postalias hash:/etc/postfix/aliases");
    fs::write(format!("{DATA}/.forward"), example("forward", &program)).unwrap();
    sh(&format!("chown musterd:musterd {DATA}/.forward; chmod 600 {DATA}/.forward"));

    let log = fs::File::create(dir.join("postfix.log")).unwrap();
    let mut running = Running::default();
    running.start(Command::new("postfix").arg("start-fg").stdout(log));
    let up = || std::net::TcpStream::connect(("127.0.0.1", 25)).ok();
    wait_for("Postfix", up);
    let server = Server {
        host: "localhost".to_owned(),
        port: 25,
        security: Security::PlainOnLoopback,
        tls_ca: None,
        login: None,
        timeout: Duration::from_secs(20),
    };
    let relay = SmtpRelay::new(&server, 1).unwrap();
    let mut sent = Vec::new();
    for (name, to) in [("alias", BY_ALIAS), ("forward", BY_FORWARD), ("pipe", BY_PIPE)] {
        // With the detail that says whose orders they are.
        let to = to.replace('@', "+alpha.french.k7q2mz4t9hwxp3cd@");
        let outcomes =
            relay.send("anna@players.example", std::slice::from_ref(&to), mail(&to, name).as_bytes());
        assert!(matches!(&outcomes[..], [(_, Outcome::Accepted(_))]), "{outcomes:?}");
        sent.push(name);
    }
    if has("procmail", "procmail") {
        procmail(dir, &program, &as_musterd, "procmail");
        sent.push("procmail");
    }
    let spooled = || fs::read_dir(format!("{DATA}/spool/new")).map_or(0, Iterator::count);
    from_nobody();
    wait_for("every mail", || (spooled() > sent.len()).then_some(()));
    let kept = |part: &str| {
        let mails = fs::read_dir(format!("{DATA}/spool/{part}")).unwrap();
        mails.map(|mail| fs::read_to_string(mail.unwrap().path()).unwrap()).collect::<Vec<_>>()
    };
    let from_nobody =
        |mail: &String| mail.starts_with("Return-Path: <>") && mail.contains("Subject: Undelivered");
    assert!(kept("new").iter().any(from_nobody), "a bounce keeps its empty sender: {:?}", kept("new"));

    // The daemon, as the same user, can read them all, and answers each writer.
    let served = as_musterd().arg(&program).args(["--dir", DATA, "serve", "--once"]).output().unwrap();
    assert!(served.status.success(), "{}", said(&served));
    let answered = PathBuf::from(DATA).join("mail").join("bounces@players.example");
    assert!(!answered.exists(), "nobody is answered");
    for name in sent {
        let mailbox = PathBuf::from(DATA).join("mail").join(format!("{name}@players.example"));
        assert_eq!(raw_mails(&mailbox).len(), 1, "the mail by {name}: {}", said(&served));
    }
    through_maildirs(&as_musterd, &program, &relay);
}

/// A mail from the null sender, as bounces are, comes in by the pipe.
fn from_nobody() {
    let stream = std::net::TcpStream::connect(("127.0.0.1", 25)).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap()).lines();
    let mut say = |line: &str, wanted: &str| {
        (&stream).write_all(format!("{line}\r\n").as_bytes()).unwrap();
        let answer = answers.find(|answer| answer.as_ref().is_ok_and(|answer| answer.get(3..4) == Some(" ")));
        let answer = answer.unwrap().unwrap();
        assert!(answer.starts_with(wanted), "{line}: {answer}");
    };
    let to = BY_PIPE.replace('@', "+alpha.french.k7q2mz4t9hwxp3cd@");
    // The greeting answers nothing of ours, so each answer is that of the line before.
    say("HELO localhost", "220");
    say("MAIL FROM:<>", "250");
    say(&format!("RCPT TO:<{to}>"), "250");
    say("DATA", "250");
    say(
        &format!(
            "From: bounces@players.example\r\nTo: <{to}>\r\nSubject: Undelivered mail\r\nMessage-ID: <b@players.example>\r\n\r\nIt \
             came back.\r\n."
        ),
        "354",
    );
    say("QUIT", "250");
}

/// In by a Maildir into which Postfix delivers, out by Postfix: `maildir.yaml`.
fn through_maildirs(as_musterd: &impl Fn() -> Command, program: &Path, relay: &SmtpRelay) {
    fs::remove_file(format!("{DATA}/.forward")).unwrap();
    fs::write(format!("{DATA}/musterd.yaml"), example("maildir.yaml", program)).unwrap();
    let from = "anna@localhost";
    let raw = Mail { from, to: BY_PIPE, id: "maildir", in_reply_to: None, text: "What is this?" }.raw();
    let outcomes = relay.send(from, &[BY_FORWARD.to_owned()], raw.as_bytes());
    assert!(matches!(&outcomes[..], [(_, Outcome::Accepted(_))]), "{outcomes:?}");
    let mails = |home: &str| raw_mails(&PathBuf::from(home).join("Maildir"));
    wait_for("the mail in the Maildir", || (!mails(DATA).is_empty()).then_some(()));
    let served = as_musterd().arg(program).args(["--dir", DATA, "serve", "--once"]).output().unwrap();
    assert!(served.status.success(), "{}", said(&served));
    let answer = wait_for("an answer", || mails("/var/lib/anna").pop());
    assert!(String::from_utf8_lossy(&answer.1).contains(BY_PIPE));
    assert!(mails(DATA).is_empty(), "what was kept is marked as seen");
}

/// procmail hands a mail over, and where that fails leaves it to the mail server.
fn procmail(dir: &Path, program: &Path, as_musterd: &impl Fn() -> Command, id: &str) {
    let rules = example("procmailrc", program);
    for (rules, exit) in [(rules.clone(), 0), (rules.replace(DATA, "/nowhere"), 75)] {
        let path = dir.join("procmailrc");
        fs::write(&path, rules).unwrap();
        let message = dir.join("message");
        fs::write(&message, mail(BY_PIPE, id).replace("\r\n", "\n")).unwrap();
        let mut command = as_musterd();
        command.args(["procmail", "-m"]).arg(&path).stdin(fs::File::open(&message).unwrap());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(exit), "{}", said(&output));
    }
}

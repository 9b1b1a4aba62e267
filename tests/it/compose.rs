//! The compose files carry a game: the very configuration files, with the installed Dovecot and Postfix, on the very ports and
//! paths, in namespaces of their own in the containers' place. What only a container engine can do (build the images, start
//! and watch the services) is not tested.
//!
//! The test runs itself again inside the namespaces, where it may mount and listen as it likes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use musterd::post::{
    CursorFile, Finish, ImapSource, Outcome, Password, PostError, Relay as _, Security, Server, SmtpRelay,
    Source as _,
};

use super::namespaces::{self, Running, sh, wait_for};
use super::sandbox;
use super::support::{Mail, newest};
use crate::post::Memory;

const NAME: &str = "compose::the_compose_files_carry_a_game";
const ADDRESS: &str = "umpire@club.example";
/// The user of the container.
const USER: &str = "65532";

#[test]
fn the_compose_files_carry_a_game() {
    if let Some(dir) = namespaces::inside() {
        inside(&dir);
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/compose");
    for name in ["dovecot.conf", "postfix-main.cf", "postfix-master.cf", "musterd.yaml", "prepare"] {
        fs::copy(from.join(name), dir.path().join(name)).unwrap();
    }
    let prepare = |address: &str| Command::new(dir.path().join("prepare")).arg(address).output().unwrap();
    assert!(!prepare("nobody@x; rm").status.success(), "no address, and a shell would be worse");
    let prepared = prepare(ADDRESS);
    assert!(prepared.status.success(), "{}", String::from_utf8_lossy(&prepared.stderr));
    assert!(!prepare(ADDRESS).status.success(), "what is there stays as it is");

    let Some(inner) = namespaces::run_inside(NAME, dir.path()) else { return };
    let log = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap_or_default();
    assert!(
        inner.status.success(),
        "{}\nmusterd:\n{}\ndovecot:\n{}\npostfix:\n{}",
        namespaces::said(&inner),
        log("musterd.log"),
        log("dovecot.log"),
        log("postfix.log")
    );
    // At the log's most talkative, and in all that system calls carry besides the TLS: no password.
    let password = log("site/password");
    assert!(password.trim().len() >= 32);
    assert!(!log("musterd.log").contains(password.trim()), "the password is in the log");
    sandbox::fits_the_unit(&log("trace"));
}

fn inside(dir: &Path) {
    let share = |part: &str| dir.join(part).to_str().unwrap().to_owned();
    let at = dir.to_str().unwrap();
    // What the images and compose.yaml lay where.
    sh(&format!(
        "umask 022
        mount --make-rprivate /
        mount -t proc proc /proc
        ip link set lo up
        hostname mail.club.example
        printf '127.0.0.1 localhost mail.club.example dovecot postfix\\n' >{at}/hosts
        mount --bind {at}/hosts /etc/hosts
        cp -a /etc/postfix {at}/etc-postfix
        mount --bind {at}/etc-postfix /etc/postfix
        cp {at}/postfix-main.cf /etc/postfix/main.cf
        cp {at}/postfix-master.cf /etc/postfix/master.cf
        mkdir /etc/postfix/site
        mount --bind {at}/site /etc/postfix/site
        cp -a /etc/dovecot {at}/etc-dovecot
        mount --bind {at}/etc-dovecot /etc/dovecot
        cp {at}/dovecot.conf /etc/dovecot/dovecot.conf
        mkdir /etc/dovecot/site
        mount --bind {at}/site /etc/dovecot/site
        mount -t tmpfs tmpfs /srv
        install -d -m 750 -o 5000 -g 5000 /srv/mail
        mount -t tmpfs tmpfs /run
        mkdir -p /run/secrets
        cp {at}/site/password /run/secrets/musterd.imap
        cp {at}/site/password /run/secrets/musterd.smtp
        cp -a /var/lib/postfix {at}/lib-postfix
        mount -t tmpfs tmpfs /var/lib
        mkdir /var/lib/dovecot
        cp -a {at}/lib-postfix /var/lib/postfix
        install -d -m 700 -o {USER} -g {USER} /var/lib/musterd
        cp {at}/site/musterd.yaml /var/lib/musterd/musterd.yaml
        mount -t tmpfs -o mode=755 tmpfs /var/spool/postfix
        mkdir {at}/etc-musterd
        cp {at}/site/tls.crt {at}/etc-musterd/"
    ));
    // The path of the image need not exist here: the configuration may say another.
    let config = fs::read_to_string("/var/lib/musterd/musterd.yaml").unwrap();
    let config = config.replace("/etc/musterd/", &share("etc-musterd/"));
    fs::write("/var/lib/musterd/musterd.yaml", config).unwrap();

    // A player has a mailbox here too.
    let mut users = fs::read_to_string("/etc/dovecot/site/users").unwrap();
    users.push_str("anna:{PLAIN}waterloo\n");
    fs::write("/etc/dovecot/site/users", users).unwrap();
    fs::write("/etc/postfix/site/mailboxes", format!("{ADDRESS} -\nanna@club.example -\n")).unwrap();

    let mut running = Running::default();
    let log = |name: &str| Stdio::from(fs::File::create(dir.join(name)).unwrap());
    let mut start = |name: &str, command: &mut Command| running.start(command.stderr(log(name)));
    start("dovecot.log", Command::new("dovecot").arg("-F"));
    start("postfix.log", Command::new("sh").args(["-c", "exec postfix start-fg >&2"]));
    let up = |port: u16| std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
    wait_for("the servers", || [24, 25, 465, 587, 993].into_iter().all(up).then_some(()));

    let mut daemon = Command::new("strace");
    daemon.args(["-f", "-qq", "-s", "256", "-o"]).arg(dir.join("trace"));
    daemon.args(["setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", "--no-new-privs"]);
    daemon.args(["--bounding-set=-all", "--inh-caps=-all", "env", "-i"]);
    daemon.args(["MUSTERD_DIR=/var/lib/musterd", "CREDENTIALS_DIRECTORY=/run/secrets", "MUSTERD_LOG=trace"]);
    start("musterd.log", daemon.arg(dir.join("bin/musterd")).arg("serve"));
    wait_for("the daemon", || Path::new("/var/lib/musterd/control.sock").exists().then_some(()));

    let seats = ["--seat", "french=anna@club.example", "--seat", "allied=computer", "--start", "now"];
    let made = musterd(&[&["new", "austrian-1805", "--id", "alpha"][..], &seats].concat());
    assert!(made.contains("alpha"), "{made}");
    let mailbox = PathBuf::from("/srv/mail/anna/Maildir");
    let dispatch = wait_for("a dispatch", || newest(&mailbox, "dispatch"));

    // From outside, at the door for other mail servers.
    let world = Server {
        host: "localhost".to_owned(),
        port: 25,
        security: Security::PlainOnLoopback,
        tls_ca: None,
        login: None,
        timeout: Duration::from_secs(20),
    };
    // Both certificates are for other names than this one, by which the servers can be reached too.
    let misnamed = |port| Server {
        port,
        security: Security::Tls,
        tls_ca: Some(dir.join("site/tls.crt")),
        login: Some(("anna".to_owned(), Password::new("waterloo".to_owned()))),
        ..world.clone()
    };
    let cursor = Box::new(CursorFile { path: dir.join("cursor"), mailbox: "INBOX".to_owned() });
    let mut inbox = ImapSource::new(misnamed(993), "INBOX".to_owned(), Finish::MarkSeen, 1_000_000, cursor);
    let refused = inbox.drain(&mut Memory::default()).unwrap_err();
    assert!(matches!(refused, PostError::Tls { .. }), "{refused}");
    let relay = SmtpRelay::new(&misnamed(465), 1).unwrap();
    let refused =
        relay.send("anna@club.example", &["anna@club.example".to_owned()], b"Subject: x\r\n\r\nx\r\n");
    assert!(matches!(&refused[..], [(_, Outcome::Unreached(_))]), "{refused:?}");
    let world = SmtpRelay::new(&world, 1).unwrap();
    let orders = Mail {
        from: "anna@club.example",
        to: &dispatch.reply_to[0],
        id: "orders",
        in_reply_to: dispatch.message_id.as_deref(),
        text: "BEGIN ORDERS\r\nMOVE 1 TO Wurzburg\r\nEND ORDERS",
    };
    let send = |to: &str| {
        let mut outcomes = world.send("anna@club.example", &[to.to_owned()], orders.raw().as_bytes());
        outcomes.pop().unwrap().1
    };
    // It is no relay, which may be an operator's mistake and pass, and knows who lives here.
    let elsewhere = send("somebody@elsewhere.example");
    assert!(
        matches!(&elsewhere, Outcome::Deferred(why) if why.contains("Relay access denied")),
        "{elsewhere:?}"
    );
    let nobody = send("nobody@club.example");
    assert!(matches!(nobody, Outcome::Refused(_)), "{nobody:?}");
    let accepted = send(orders.to);
    assert!(matches!(accepted, Outcome::Accepted(_)), "{accepted:?}");
    let receipt = wait_for("the receipt", || newest(&mailbox, "receipt"));
    let text = receipt.body.unwrap().text;
    assert!(text.contains("Wurzburg"), "{text}");

    let status = musterd(&["status", "alpha"]);
    assert!(status.contains("1 accepted"), "{status}");
    sh("kill -TERM $(pidof -s musterd)");
    wait_for("the end", || (!Path::new("/var/lib/musterd/control.sock").exists()).then_some(()));
    sh("postfix stop >/dev/null 2>&1; doveadm stop");
}

fn musterd(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_musterd"))
        .args(["--dir", "/var/lib/musterd"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

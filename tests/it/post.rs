//! Mail in and out by IMAP and SMTP, against real servers.

use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use musterd::fault::{self, Plan};
use musterd::post::{
    Arrived, CursorFile, Finish, ImapSource, ImapWatch, Keep, KeepError, Outcome, Parcel, Password,
    PostError, Raw, Relay, Security, Server, SmtpRelay, Source, Spool, Wake, send_many,
};

use crate::servers::{MailServers, certificate};

const LIMIT: u64 = 1_000_000;

/// Keeps messages in memory, as the spool does on disk.
#[derive(Default)]
pub(crate) struct Memory(pub(crate) Vec<Arrived>);

impl Keep for Memory {
    fn keep(&mut self, batch: &[Arrived]) -> Result<(), KeepError> {
        self.0.extend_from_slice(batch);
        Ok(())
    }
}

impl Memory {
    pub(crate) fn subjects(&self) -> Vec<String> {
        self.0.iter().map(subject).collect()
    }
}

fn subject(message: &Arrived) -> String {
    let (Raw::Whole(bytes) | Raw::Oversize { head: bytes, .. }) = &message.raw;
    let text = String::from_utf8_lossy(bytes);
    text.lines().find_map(|line| line.strip_prefix("Subject: ")).unwrap_or_default().to_owned()
}

pub(crate) fn letter(n: usize) -> Vec<u8> {
    format!(
        "From: ney@localhost\r\nTo: gm@localhost\r\nSubject: orders {n}\r\nMessage-ID: <{n}@ney>\r\n\r\n\
         ORDERS\r\n.\r\nmove 1 to 1204\r\nEND\r\n"
    )
    .into_bytes()
}

pub(crate) fn send(relay: &SmtpRelay, to: &str, n: usize) {
    let outcomes = relay.send("ney@localhost", &[format!("{to}@localhost")], &letter(n));
    assert!(matches!(&outcomes[..], [(_, Outcome::Accepted(_))]), "{outcomes:?}");
}

fn subjects_of(letters: std::ops::RangeInclusive<usize>) -> Vec<String> {
    letters.map(|n| format!("orders {n}")).collect()
}

/// Waits for Postfix to hand its mails to Dovecot.
pub(crate) fn wait_for(servers: &MailServers, user: &str, count: usize) {
    for _ in 0..200 {
        if servers.count(user, "INBOX", "ALL") >= count {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{count} mails for {user} did not arrive");
}

fn inbox(servers: &MailServers, user: &str, position: &Path) -> ImapSource {
    let server = servers.server(servers.ports().imaps, user);
    ImapSource::new(
        server,
        "INBOX".to_owned(),
        Finish::MarkSeen,
        LIMIT,
        Box::new(CursorFile { path: position.to_owned(), mailbox: "INBOX".to_owned() }),
    )
}

#[test]
fn mail_sent_by_smtp_is_drained_by_imap_once() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    for (port, n) in [(servers.ports().smtp, 1), (servers.ports().smtps, 2)] {
        send(&SmtpRelay::new(&servers.server(port, "ney-once"), 2).unwrap(), "gm-once", n);
        wait_for(&servers, "gm-once", n);
    }

    let mut kept = Memory::default();
    let mut source = inbox(&servers, "gm-once", &dir.path().join("position"));
    let drained = source.drain(&mut kept).unwrap();
    assert_eq!((drained.kept, drained.left.len()), (2, 0));
    assert_eq!(kept.subjects(), ["orders 1", "orders 2"]);
    let Raw::Whole(raw) = &kept.0[0].raw else { panic!("small, but not whole") };
    assert!(raw.ends_with(b"ORDERS\r\n.\r\nmove 1 to 1204\r\nEND\r\n"), "{}", String::from_utf8_lossy(raw));
    let file = fs::metadata(dir.path().join("position")).unwrap().modified().unwrap();
    let now = file.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    assert!(u64::try_from(kept.0[0].arrived).unwrap().abs_diff(now) < 60, "INTERNALDATE is the arrival");
    assert_eq!(servers.count("gm-once", "INBOX", "SEEN"), 2);

    // Not again: on the same connection, after a restart, and although the flags were taken away.
    assert_eq!(source.drain(&mut kept).unwrap().kept, 0);
    servers.doveadm(&["flags", "remove", "-u", "gm-once", "\\Seen", "mailbox", "INBOX", "ALL"]);
    assert_eq!(inbox(&servers, "gm-once", &dir.path().join("position")).drain(&mut kept).unwrap().kept, 0);
}

#[test]
fn idle_wakes_when_mail_arrives() {
    let Some(servers) = MailServers::shared() else { return };
    let (told, wakes) = mpsc::channel();
    let server = servers.server(servers.ports().imaps, "gm-idle");
    // Polling alone would not wake within this test.
    let day = Duration::from_secs(24 * 3600);
    let watch =
        ImapWatch::start(server, "INBOX".to_owned(), day, 1, move |wake| drop(told.send(wake))).unwrap();
    let next = || wakes.recv_timeout(Duration::from_secs(60));
    assert!(matches!(next(), Ok(Wake::Poll)), "a new watch knows nothing of what came before");
    let relay = SmtpRelay::new(&servers.server(servers.ports().smtp, "ney-idle"), 1).unwrap();
    for n in 1..=2 {
        send(&relay, "gm-idle", n);
        assert!(matches!(next(), Ok(Wake::Changed)), "mail {n}");
    }
    drop(watch);
    // What was said before counts for nothing; then the thread is gone, and nobody can send any more.
    while next().is_ok() {}
    assert!(matches!(next(), Err(mpsc::RecvTimeoutError::Disconnected)));
}

#[test]
fn a_folder_made_anew_is_read_from_its_start() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    let relay = SmtpRelay::new(&servers.server(servers.ports().smtps, "ney-anew"), 1).unwrap();
    servers.doveadm(&["mailbox", "create", "-u", "gm-anew", "Orders", "Done"]);
    let position = dir.path().join("position");
    let server = servers.server(servers.ports().imap, "gm-anew");
    let cursor = Box::new(CursorFile { path: position.clone(), mailbox: "INBOX".to_owned() });
    let finish = Finish::MoveTo("Done".to_owned());
    let mut source = ImapSource::new(server, "Orders".to_owned(), finish, LIMIT, cursor);
    let file = |from: usize, to: usize| {
        for n in from..=to {
            send(&relay, "gm-anew", n);
        }
        wait_for(&servers, "gm-anew", to - from + 1);
        servers.doveadm(&["move", "-u", "gm-anew", "Orders", "mailbox", "INBOX", "ALL"]);
    };

    let mut kept = Memory::default();
    file(1, 3);
    assert_eq!(source.drain(&mut kept).unwrap().kept, 3);
    assert_eq!((servers.count("gm-anew", "Orders", "ALL"), servers.count("gm-anew", "Done", "ALL")), (0, 3));
    let before = fs::read_to_string(&position).unwrap();

    servers.doveadm(&["mailbox", "delete", "-u", "gm-anew", "Orders"]);
    let gone = source.drain(&mut kept).unwrap_err();
    assert!(gone.is_temporary() && gone.to_string().contains("opening the folder"), "{gone}");
    servers.doveadm(&["mailbox", "create", "-u", "gm-anew", "Orders"]);
    // UIDs begin at 1 again: the old position would hide both.
    file(4, 5);
    assert_eq!(source.drain(&mut kept).unwrap().kept, 2);
    // Postfix hands over in no certain order.
    let (mut early, mut late) = (kept.subjects(), kept.subjects().split_off(3));
    early.truncate(3);
    early.sort();
    late.sort();
    assert_eq!((early, late), (subjects_of(1..=3), subjects_of(4..=5)));
    let after = fs::read_to_string(&position).unwrap();
    assert_ne!(before.split(' ').next(), after.split(' ').next(), "another UIDVALIDITY");
}

#[test]
fn an_oversize_mail_comes_as_its_head_and_stops_nothing() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    let relay = SmtpRelay::new(&servers.server(servers.ports().smtps, "ney-large"), 1).unwrap();
    send(&relay, "gm-large", 1);
    wait_for(&servers, "gm-large", 1);
    let mut large = letter(2);
    large.extend(b"(({99}\r\n".repeat(200_000));
    let outcomes = relay.send("ney-large@localhost", &["gm-large@localhost".to_owned()], &large);
    assert!(matches!(&outcomes[..], [(_, Outcome::Accepted(_))]), "{outcomes:?}");
    wait_for(&servers, "gm-large", 2);
    send(&relay, "gm-large", 3);
    wait_for(&servers, "gm-large", 3);

    let mut kept = Memory::default();
    assert_eq!(inbox(&servers, "gm-large", &dir.path().join("position")).drain(&mut kept).unwrap().kept, 3);
    assert_eq!(kept.subjects(), ["orders 1", "orders 2", "orders 3"]);
    let Raw::Oversize { head, size } = &kept.0[1].raw else { panic!("taken whole") };
    assert_eq!(head.len(), 65_536);
    assert!(*size > LIMIT, "{size}");
}

#[test]
fn a_full_disk_leaves_the_mail_on_the_server() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    send(&SmtpRelay::new(&servers.server(servers.ports().smtps, "ney-full"), 1).unwrap(), "gm-full", 1);
    wait_for(&servers, "gm-full", 1);
    let mut spool = Spool::open(&dir.path().join("spool")).unwrap();
    let mut source = inbox(&servers, "gm-full", &dir.path().join("position"));
    let full = fault::arm(Plan::disk_full_from(1).only("file."));
    let error = source.drain(&mut spool).unwrap_err();
    drop(full);
    assert!(matches!(&error, PostError::Keep(KeepError::DiskFull(_))), "{error}");
    assert_eq!(servers.count("gm-full", "INBOX", "SEEN"), 0);
    assert_eq!(spool.pending().unwrap(), []);
    assert_eq!(source.drain(&mut spool).unwrap().kept, 1);
    assert_eq!(spool.pending().unwrap().len(), 1);
    assert_eq!(servers.count("gm-full", "INBOX", "SEEN"), 1);
}

#[test]
fn what_an_operator_gets_wrong_is_said_clearly() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    certificate(dir.path(), "other").unwrap();
    let ports = servers.ports();
    let drain = |server: Server| {
        let cursor = Box::new(CursorFile { path: dir.path().join("position"), mailbox: "INBOX".to_owned() });
        ImapSource::new(server, "INBOX".to_owned(), Finish::MarkSeen, LIMIT, cursor)
            .drain(&mut Memory::default())
            .unwrap_err()
    };
    let to = ["gm-wrong@localhost".to_owned()];
    let deferred = |server: &Server| match &SmtpRelay::new(server, 1).unwrap().send(
        "gm-wrong@localhost",
        &to,
        &letter(1),
    )[..]
    {
        [(_, Outcome::Deferred(reason) | Outcome::Unreached(reason))] => reason.clone(),
        other => panic!("not deferred, though no letter is at fault: {other:?}"),
    };

    // A wrong password.
    let wrong = |port| Server {
        login: Some(("gm-wrong".to_owned(), Password::new("hunter2".to_owned()))),
        ..servers.server(port, "gm-wrong")
    };
    let error = drain(wrong(ports.imaps));
    assert!(matches!(&error, PostError::Login { .. }) && !error.is_temporary(), "{error}");
    assert!(error.to_string().contains("`gm-wrong`") && !error.to_string().contains("hunter2"), "{error}");
    assert!(deferred(&wrong(ports.smtp)).contains("535"));

    // A certificate that nobody here trusts: no authority given, or another one.
    for tls_ca in [None, Some(dir.path().join("other.pem"))] {
        for port in [ports.imaps, ports.imap] {
            let error = drain(Server { tls_ca: tls_ca.clone(), ..servers.server(port, "gm-wrong") });
            assert!(
                matches!(&error, PostError::Tls { .. }) && error.to_string().contains("tls_ca"),
                "{error}"
            );
        }
        for port in [ports.smtps, ports.smtp] {
            let reason = deferred(&Server { tls_ca: tls_ca.clone(), ..servers.server(port, "gm-wrong") });
            assert!(reason.to_lowercase().contains("certificate"), "{reason}");
        }
    }

    // A file that is none, an address that is not in the certificate, a plain port taken for TLS, nobody there.
    let missing =
        Server { tls_ca: Some(dir.path().join("none.pem")), ..servers.server(ports.imaps, "gm-wrong") };
    assert!(drain(missing.clone()).to_string().contains("none.pem"));
    assert!(SmtpRelay::new(&missing, 1).unwrap_err().to_string().contains("none.pem"));
    let misnamed = Server { host: "127.0.0.2".to_owned(), ..servers.server(ports.imaps, "gm-wrong") };
    assert!(!matches!(drain(misnamed), PostError::Keep(_)));
    let mistaken = Server { security: Security::Tls, ..servers.server(ports.imap, "gm-wrong") };
    let error = drain(mistaken).to_string();
    assert!(error.contains("wants STARTTLS"), "{error}");
    let nobody = Server { port: 1, ..servers.server(ports.imap, "gm-wrong") };
    let error = drain(nobody);
    assert!(matches!(error, PostError::Connect { .. }) && error.is_temporary(), "{error}");
}

#[test]
fn unencrypted_mail_stays_on_this_machine() {
    let elsewhere = Server {
        host: "192.0.2.1".to_owned(),
        port: 25,
        security: Security::PlainOnLoopback,
        tls_ca: None,
        login: None,
        timeout: Duration::from_millis(200),
    };
    let error = SmtpRelay::new(&elsewhere, 1).unwrap_err();
    assert!(matches!(&error, PostError::Config { .. }) && error.to_string().contains("STARTTLS"), "{error}");
    assert!(SmtpRelay::new(&Server { host: "127.0.0.1".to_owned(), ..elsewhere }, 1).is_ok());
}

#[test]
fn each_recipient_has_an_outcome_and_many_letters_go_at_once() {
    let Some(servers) = MailServers::shared() else { return };
    let relay = SmtpRelay::new(&servers.server(servers.ports().smtps, "gm-each"), 4).unwrap();
    let parcels: Vec<Parcel> = (0..40)
        .map(|n| Parcel {
            from: "gm-each@localhost".to_owned(),
            to: vec![
                "ney-each+alpha@localhost".to_owned(),
                "no address".to_owned(),
                "ney-each@localhost".to_owned(),
            ],
            raw: letter(n),
        })
        .collect();
    for outcomes in send_many(&relay, &parcels, 4, &mut || true) {
        let to: Vec<&str> = outcomes.iter().map(|(to, _)| to.as_str()).collect();
        assert_eq!(to, ["ney-each+alpha@localhost", "no address", "ney-each@localhost"]);
        assert!(
            matches!(&outcomes[0].1, Outcome::Accepted(reply) if reply.starts_with("250 ")),
            "{outcomes:?}"
        );
        assert!(matches!(&outcomes[1].1, Outcome::Refused(_)), "{outcomes:?}");
        assert!(matches!(&outcomes[2].1, Outcome::Accepted(_)), "{outcomes:?}");
    }
    wait_for(&servers, "ney-each", 80);
    // A recipient whom the server itself refuses, while the next letter still goes.
    let outcomes = relay.send(
        "gm-each@localhost",
        &["a".repeat(70) + "@[127.0.0.1", "ney-each@localhost".to_owned()],
        &letter(99),
    );
    assert!(matches!(&outcomes[..], [(_, Outcome::Refused(_)), (_, Outcome::Accepted(_))]), "{outcomes:?}");
}

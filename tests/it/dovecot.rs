//! A real Dovecot in trouble: behind a network that cuts, stalls and delays, restarted, its folder taken away.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use musterd::post::{
    CursorFile, Finish, ImapSource, ImapWatch, Outcome, PostError, Raw, Relay, Server, SmtpRelay, Source,
    Spool, Wake,
};

use crate::post::{Memory, letter, send, wait_for};
use crate::servers::{MailServers, PASSWORD};

/// What the network does to the bytes that a server sends, on the first connections.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    /// Closes both sides after so many bytes.
    Cut(usize),
    /// Sends nothing more after so many bytes.
    Stall(usize),
    /// Waits so many milliseconds before every piece.
    Delay(u64),
}

/// A network between here and `port`: trouble on the first connections, none on later ones. The port to connect to.
fn network(port: u16, trouble: Trouble, connections: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let near = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let seen = AtomicUsize::new(0);
        for client in listener.incoming() {
            let client = client.unwrap();
            let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else { continue };
            let trouble = (seen.fetch_add(1, Ordering::SeqCst) < connections).then_some(trouble);
            let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            thread::spawn(move || carry(&from, &to, None));
            thread::spawn(move || carry(&server, &client, trouble));
        }
    });
    near
}

/// Carries bytes one way until either side is gone.
fn carry(mut from: &TcpStream, mut to: &TcpStream, trouble: Option<Trouble>) {
    let (mut buffer, mut carried) = ([0; 1024], 0);
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let room = match trouble {
            Some(Trouble::Cut(bytes) | Trouble::Stall(bytes)) => bytes - carried,
            _ => usize::MAX,
        };
        if let Some(Trouble::Delay(millis)) = trouble {
            thread::sleep(Duration::from_millis(millis));
        }
        let count = count.min(room);
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
        carried += count;
        if count == room {
            if matches!(trouble, Some(Trouble::Stall(_))) {
                // Until the other side gives up.
                let _ = to.read(&mut [0]);
            }
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

fn source(server: Server, folder: &str, position: &Path) -> ImapSource {
    let cursor = Box::new(CursorFile { path: position.to_owned(), mailbox: "INBOX".to_owned() });
    ImapSource::new(server, folder.to_owned(), Finish::MarkSeen, 1_000_000, cursor)
}

#[test]
fn a_bad_network_costs_no_mail_and_doubles_none() {
    let Some(servers) = MailServers::shared() else { return };
    let relay = SmtpRelay::new(&servers.server(servers.ports().smtps, "ney-network"), 1).unwrap();
    // Large enough that every byte at which the network fails is in the middle of a message or of an answer.
    for n in 1..=5 {
        let mut mail = letter(n);
        mail.extend(b"All work and no play makes a dull game.\r\n".repeat(400));
        let outcomes = relay.send("ney@localhost", &["gm-network@localhost".to_owned()], &mail);
        assert!(matches!(&outcomes[..], [(_, Outcome::Accepted(_))]), "{outcomes:?}");
    }
    wait_for(&servers, "gm-network", 5);
    let cuts = [1, 100, 1500, 4000, 6000, 20_000, 40_000, 80_000].map(Trouble::Cut);
    let stalls = [1, 3000, 30_000].map(Trouble::Stall);
    for trouble in cuts.into_iter().chain(stalls).chain([Trouble::Delay(5)]) {
        let dir = tempfile::tempdir().unwrap();
        let mut spool = Spool::open(&dir.path().join("spool")).unwrap();
        let port = network(servers.ports().imaps, trouble, 2);
        let timeout = if matches!(trouble, Trouble::Stall(_)) { 1 } else { 20 };
        let server = Server {
            port,
            timeout: Duration::from_secs(timeout),
            ..servers.server(servers.ports().imaps, "gm-network")
        };
        let mut source = source(server, "INBOX", &dir.path().join("position"));
        // On a busy machine a patience of one second may end more often than the network fails.
        for _ in 0..20 {
            match source.drain(&mut spool) {
                Ok(drained) if drained.left.is_empty() => break,
                Ok(_) => {}
                Err(error) => assert!(error.is_temporary(), "{trouble:?}: {error}"),
            }
        }
        let kept = spool.pending().unwrap();
        assert_eq!(kept.len(), 5, "{trouble:?}: each once");
        for mail in &kept {
            let Raw::Whole(raw) = spool.read(mail).unwrap().raw else { panic!("{trouble:?}: not whole") };
            assert!(raw.ends_with(b"a dull game.\r\n") && raw.len() > 16_000, "{trouble:?}");
        }
    }
}

#[test]
fn a_relay_behind_a_bad_network_gets_every_letter() {
    let Some(servers) = MailServers::shared() else { return };
    for (n, cut) in [10, 400, 2500, 2800, 3000, 3100].into_iter().enumerate() {
        let port = network(servers.ports().smtps, Trouble::Cut(cut), 1);
        let server = Server { port, ..servers.server(servers.ports().smtps, "ney-cut") };
        let relay = SmtpRelay::new(&Server { timeout: Duration::from_secs(3), ..server }, 1).unwrap();
        let to = [format!("gm-cut-{n}@localhost")];
        loop {
            match relay.send("ney@localhost", &to, &letter(n)).remove(0).1 {
                Outcome::Accepted(_) => break,
                Outcome::Deferred(_) | Outcome::Unreached(_) | Outcome::Login(_) | Outcome::Unclear(_) => {
                    thread::sleep(Duration::from_millis(100));
                }
                Outcome::Refused(why) => panic!("cut at {cut}: {why}"),
            }
        }
        wait_for(&servers, &format!("gm-cut-{n}"), 1);
    }
}

#[test]
fn dovecot_may_restart_and_change_its_mind_about_the_password() {
    // Servers of its own: others must not notice.
    let Some(servers) = MailServers::start() else { return };
    let dir = tempfile::tempdir().unwrap();
    let server =
        Server { timeout: Duration::from_secs(2), ..servers.server(servers.ports().imaps, "gm-restart") };
    let (told, wakes) = mpsc::channel();
    let watch =
        ImapWatch::start(server.clone(), "INBOX".to_owned(), Duration::from_secs(1), 1, move |wake| {
            drop(told.send(wake));
        })
        .unwrap();
    let heard = |what: fn(&Wake) -> bool| {
        let patience = Duration::from_secs(60);
        while !what(&wakes.recv_timeout(patience).expect("the watch goes on")) {}
    };
    heard(|wake| matches!(wake, Wake::Poll));
    let relay = SmtpRelay::new(&servers.server(servers.ports().smtp, "ney-restart"), 1).unwrap();
    let mut source = source(server, "INBOX", &dir.path().join("position"));
    let mut kept = Memory::default();
    send(&relay, "gm-restart", 1);
    wait_for(&servers, "gm-restart", 1);
    assert_eq!(source.drain(&mut kept).unwrap().kept, 1);

    // The connection that the source keeps is dead after a restart: it makes another.
    servers.restart_dovecot(|config| config);
    heard(|wake| matches!(wake, Wake::Fault(_)));
    send(&relay, "gm-restart", 2);
    wait_for(&servers, "gm-restart", 2);
    // A server that has just come up may still turn one connection away.
    while source.drain(&mut kept).map_or(0, |drained| drained.kept) == 0 {
        thread::sleep(Duration::from_millis(50));
    }
    heard(|wake| matches!(wake, Wake::Poll | Wake::Changed));

    // Another password, which nobody has told us.
    servers.restart_dovecot(|config| config.replace(PASSWORD, "open-barley"));
    let refused = loop {
        match source.drain(&mut kept) {
            Err(error @ PostError::Login { .. }) => break error.to_string(),
            Err(error) => assert!(error.is_temporary(), "{error}"),
            // A session that outlives the server by a moment.
            Ok(drained) => assert_eq!(drained.kept, 0),
        }
    };
    assert!(refused.contains("gm-restart") && !refused.contains(PASSWORD), "{refused}");
    heard(|wake| matches!(wake, Wake::Fault(PostError::Login { .. })));
    // And the old one again: found out after the pause, by the drain and by the watch.
    servers.restart_dovecot(|config| config.replace("open-barley", PASSWORD));
    while source.drain(&mut kept).is_err() {
        thread::sleep(Duration::from_millis(50));
    }
    send(&SmtpRelay::new(&servers.server(servers.ports().smtp, "ney-restart"), 1).unwrap(), "gm-restart", 3);
    wait_for(&servers, "gm-restart", 3);
    heard(|wake| matches!(wake, Wake::Poll | Wake::Changed));
    while source.drain(&mut kept).map_or(0, |drained| drained.kept) == 0 {
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(kept.subjects(), ["orders 1", "orders 2", "orders 3"]);
    drop(watch);
}

#[test]
fn a_folder_taken_away_under_the_watch_is_watched_again_when_it_is_back() {
    let Some(servers) = MailServers::shared() else { return };
    servers.doveadm(&["mailbox", "create", "-u", "gm-away", "Orders"]);
    let server = servers.server(servers.ports().imaps, "gm-away");
    let (told, wakes) = mpsc::channel();
    let _watch = ImapWatch::start(server, "Orders".to_owned(), Duration::from_millis(300), 1, move |wake| {
        drop(told.send(wake));
    })
    .unwrap();
    let heard = |what: fn(&Wake) -> bool| {
        while !what(&wakes.recv_timeout(Duration::from_secs(60)).expect("the watch goes on")) {}
    };
    heard(|wake| matches!(wake, Wake::Poll));
    servers.doveadm(&["mailbox", "delete", "-u", "gm-away", "Orders"]);
    heard(|wake| matches!(wake, Wake::Fault(PostError::Server { .. })));
    // The session that had it open may have made it again.
    if !servers.doveadm(&["mailbox", "list", "-u", "gm-away"]).contains("Orders") {
        servers.doveadm(&["mailbox", "create", "-u", "gm-away", "Orders"]);
    }
    let relay = SmtpRelay::new(&servers.server(servers.ports().smtps, "ney-away"), 1).unwrap();
    for n in 1.. {
        send(&relay, "gm-away", n);
        wait_for(&servers, "gm-away", 1);
        servers.doveadm(&["move", "-u", "gm-away", "Orders", "mailbox", "INBOX", "ALL"]);
        if wakes.recv_timeout(Duration::from_secs(5)).is_ok_and(|wake| matches!(wake, Wake::Changed)) {
            break;
        }
        assert!(n < 20, "the folder is not watched again");
    }
}

#[test]
fn a_certificate_that_is_another_hosts_or_out_of_date_is_refused() {
    let Some(servers) = MailServers::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    for (name, days, word) in [("other.example", "30", "not valid for"), ("localhost", "-1", "expired")] {
        let (key, request, pem) =
            (dir.path().join("k.pem"), dir.path().join("r.pem"), dir.path().join("c.pem"));
        let run = |arguments: &[&str]| {
            let output = std::process::Command::new("openssl").args(arguments).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        };
        let (key, request, pem) = (key.to_str().unwrap(), request.to_str().unwrap(), pem.to_str().unwrap());
        let subject = format!("/CN={name}");
        let extension = dir.path().join("extension");
        std::fs::write(
            &extension,
            format!("subjectAltName=DNS:{name}\nbasicConstraints=critical,CA:FALSE\n"),
        )
        .unwrap();
        let curve = "ec_paramgen_curve:prime256v1";
        run(&[
            "req", "-new", "-newkey", "ec", "-pkeyopt", curve, "-nodes", "-subj", &subject, "-keyout", key,
            "-out", request,
        ]);
        run(&[
            "x509",
            "-req",
            "-in",
            request,
            "-signkey",
            key,
            "-days",
            days,
            "-extfile",
            extension.to_str().unwrap(),
            "-out",
            pem,
        ]);
        let port = tls_server(Path::new(pem), Path::new(key));
        let server = Server {
            port,
            tls_ca: Some(pem.into()),
            ..servers.server(servers.ports().imaps, "gm-certificate")
        };
        let error = source(server.clone(), "INBOX", &dir.path().join("position"))
            .drain(&mut Memory::default())
            .unwrap_err();
        assert!(
            matches!(&error, PostError::Tls { .. }) && error.to_string().to_lowercase().contains(word),
            "{error}"
        );
        let relay = SmtpRelay::new(&server, 1).unwrap();
        let outcome = relay.send("gm@localhost", &["ney@localhost".to_owned()], &letter(1)).remove(0).1;
        assert!(
            matches!(&outcome, Outcome::Unreached(why) if why.to_lowercase().contains("certificate")),
            "{outcome:?}"
        );
    }
}

/// A server that shows this certificate to whoever connects; the port.
fn tls_server(certificate: &Path, key: &Path) -> u16 {
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let chain = vec![CertificateDer::from_pem_file(certificate).unwrap()];
    let key = PrivateKeyDer::from_pem_file(key).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let (config, listener) = (Arc::new(config), TcpListener::bind("127.0.0.1:0").unwrap());
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut tls = rustls::StreamOwned::new(connection, stream.unwrap());
            let _ = tls.read(&mut [0]);
        }
    });
    port
}

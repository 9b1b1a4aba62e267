//! What the daemon tells a service manager: the built binary, with a socket in systemd's place.

use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use musterd::daemon::config;
use tempfile::TempDir;

use super::support::{HOST, Mail, NOON, put};

/// How long a message may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The daemon under a manager that listens.
struct Service {
    dir: TempDir,
    child: Child,
    told: Receiver<String>,
}

impl Service {
    /// Starts it on this data directory; the manager expects a sign of life within `watchdog`.
    fn start(dir: TempDir, watchdog: Duration) -> Self {
        Self::logging_to(Stdio::null(), dir, watchdog)
    }

    fn logging_to(log: Stdio, dir: TempDir, watchdog: Duration) -> Self {
        let path = dir.path().join("notify.sock");
        let socket = UnixDatagram::bind(&path).unwrap();
        let (tell, told) = channel();
        // Read at once, as a manager does: a full queue would hold the daemon up.
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length) = socket.recv(&mut buffer) {
                let message = String::from_utf8_lossy(&buffer[..length]).into_owned();
                if message.lines().try_for_each(|line| tell.send(line.to_owned())).is_err() {
                    return;
                }
            }
        });
        let child = Command::new(env!("CARGO_BIN_EXE_musterd"))
            .arg("--dir")
            .arg(dir.path())
            .arg("serve")
            .env("NOTIFY_SOCKET", &path)
            .env("WATCHDOG_USEC", watchdog.as_micros().to_string())
            .env_remove("WATCHDOG_PID")
            .stderr(log)
            .spawn()
            .unwrap();
        Self { dir, child, told }
    }

    /// What is told up to and with the first message that begins so.
    fn until(&self, start: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let message = self.told.recv_timeout(PATIENCE);
            let message = message.unwrap_or_else(|_| panic!("never told `{start}`, only {heard:?}"));
            heard.push(message);
            if heard.last().is_some_and(|message| message.starts_with(start)) {
                return heard;
            }
        }
    }

    fn stop(mut self) -> Vec<String> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let heard = self.until("STOPPING=1");
        assert!(self.child.wait().unwrap().success());
        heard
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Already gone where the test has stopped it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn data_directory() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(config::FILE), config::example(HOST)).unwrap();
    musterd::post::create(&inbox(dir.path())).unwrap();
    dir
}

fn inbox(dir: &Path) -> std::path::PathBuf {
    dir.join("mail").join(HOST)
}

fn count(heard: &[String], message: &str) -> usize {
    heard.iter().filter(|heard| *heard == message).count()
}

#[test]
fn a_service_manager_is_told_when_the_daemon_serves_lives_and_stops() {
    let service = Service::start(data_directory(), Duration::from_millis(400));
    let opening = service.until("READY=1");
    assert!(opening.iter().any(|message| message.starts_with("EXTEND_TIMEOUT_USEC=")), "{opening:?}");
    assert_eq!(count(&opening, "WATCHDOG=1"), 0);
    let serving = service.until("STATUS=");
    assert_eq!(serving.last().unwrap(), "STATUS=0 games, nothing due");
    for _ in 0..3 {
        service.until("WATCHDOG=1");
    }
    let stopping = service.stop();
    // What hasn't changed is not said again.
    assert!(!stopping.iter().any(|message| message.contains("games")), "{stopping:?}");
}

#[test]
fn a_long_drain_gives_signs_of_life_between_its_batches() {
    let dir = data_directory();
    for n in 0..300 {
        let (from, id) = (format!("stranger-{n}@players.example"), format!("flood-{n}"));
        let mail = Mail { from: &from, to: HOST, id: &id, in_reply_to: None, text: "What is this?" };
        put(&inbox(dir.path()), &id, mail.raw().as_bytes(), NOON);
    }
    // So short that every sign is sent.
    let service = Service::start(dir, Duration::from_micros(4));
    service.until("READY=1");
    let draining = service.until("STATUS=");
    // The first line on how things stand comes after all 300 were kept, dealt with and answered, 64 at a time.
    assert!(count(&draining, "WATCHDOG=1") >= 10, "{draining:?}");
    service.stop();
}

#[test]
fn a_loop_that_hangs_falls_silent() {
    let dir = data_directory();
    // A log that takes no line any more once it is full: who writes to it waits for ever.
    let (log, _unread) = UnixStream::pair().unwrap();
    let stderr = Stdio::from(OwnedFd::from(log.try_clone().unwrap()));
    let service = Service::logging_to(stderr, dir, Duration::from_millis(100));
    service.until("READY=1");
    std::thread::spawn(move || while (&log).write_all(&[b'-'; 4096]).is_ok() {});
    let mail = Mail { from: "a@b.example", to: HOST, id: "a", in_reply_to: None, text: "What is this?" };
    put(&inbox(service.dir.path()), "a", mail.raw().as_bytes(), NOON);
    // A loop that lives gives a sign at least every second.
    let is_silent = || service.told.recv_timeout(Duration::from_secs(3)).is_err();
    assert!(
        (0..100).any(|_| is_silent()),
        "signs from a daemon that hangs in {}",
        service.dir.path().display()
    );
}

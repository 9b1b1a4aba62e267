//! A daemon as its operator meets it: health and figures, a log without secrets, a disk that is full, a clock that is wrong, two
//! daemons, a directory of somebody else's.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use musterd::daemon::clock::Clock;
use musterd::daemon::config;
use musterd::daemon::{
    Ailment, Counters, GameCounts, Host, HostError, MailboxHealth, Options, RelayHealth, Reply, Request,
    Vitals, metrics,
};
use musterd::desk::mail::Sent;
use musterd::store::Outbox;

use crate::scripted::{self, Mischief};
use crate::skips::{has, skipped};
use crate::support::{
    Camp, HOST, HOUR, Mail, NOON, block, founded, local_mail, player, put, raw_mails, read, settle, verdicts,
};
use crate::{hostile, hostile_smtp};

fn well() -> Vitals {
    Vitals {
        version: "1.0".to_owned(),
        started: Some(NOON),
        now: NOON + 10_000,
        counters: Counters::default(),
        games: GameCounts { open: 2, ended: 1, overdue: 0, aside: Vec::new(), next_due: Some(NOON + 20_000) },
        mailboxes: vec![MailboxHealth {
            kind: "imap".to_owned(),
            drained: Some(NOON + 9_990),
            fault: None,
            left: Vec::new(),
        }],
        spool_waiting: 0,
        spool_aside: Vec::new(),
        spool_strays: Vec::new(),
        spool_held: Vec::new(),
        games_held: Vec::new(),
        outbox: Outbox { waiting: 0, oldest: None },
        relay: RelayHealth::default(),
        gms_unreached: Vec::new(),
        disk_free: 50_000_000_000,
        disk_total: 100_000_000_000,
        disk_low: 200_000_000,
        store_bytes: 1_000_000,
        templates_unfit: Vec::new(),
        clock_doubted: false,
        ailing: Vec::new(),
        warnings: Vec::new(),
    }
}

#[test]
fn every_ailment_is_told_once_with_what_to_do() {
    let about = |vitals: &Vitals| {
        vitals.ailments(3600).into_iter().map(|Ailment { about, .. }| about).collect::<Vec<_>>()
    };
    assert_eq!(about(&well()), [""; 0]);
    let mut ill = well();
    ill.mailboxes[0] = MailboxHealth {
        kind: "imap".to_owned(),
        drained: Some(NOON),
        fault: Some("cannot connect".to_owned()),
        left: Vec::new(),
    };
    ill.outbox = Outbox { waiting: 7, oldest: Some(NOON) };
    ill.relay.fault = Some("connection refused".to_owned());
    ill.games.aside = vec![("alpha".to_owned(), "its secret is gone".to_owned())];
    ill.spool_aside = vec!["1-a.eml".to_owned()];
    ill.templates_unfit = vec!["`alpha/help.txt`, line 2: no".to_owned()];
    ill.disk_free = 1_000_000;
    ill.clock_doubted = true;
    assert_eq!(about(&ill), ["mailbox", "outbox", "game", "mail", "template", "disk", "clock"]);
    let text: String = ill.ailments(3600).into_iter().map(|ailment| ailment.text + "\n").collect();
    for wanted in [
        "for 2 h: cannot connect",
        "7 mails wait",
        "connection refused",
        "its secret is gone",
        "1-a.eml",
        "1 MB",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert_eq!(about(&Vitals { now: NOON + 3600, ..ill }).len(), 5, "an hour is not too long");
    let one = Vitals { outbox: Outbox { waiting: 1, oldest: Some(NOON) }, ..well() };
    assert!(one.ailments(3600)[0].text.starts_with("1 mail waits to be sent"));
    // A relay that says nothing for hours holds no mailbox up: one that wasn't drained since is at fault itself.
    let slow =
        Vitals { relay: RelayHealth { busy_since: Some(NOON + 10), ..RelayHealth::default() }, ..well() };
    assert_eq!(about(&slow), ["outbox"]);
    let mailboxes = vec![MailboxHealth { drained: Some(NOON), ..well().mailboxes.remove(0) }];
    assert_eq!(about(&Vitals { mailboxes, ..slow.clone() }), ["mailbox", "outbox"]);
    let told = &slow.ailments(3600)[0].text;
    assert!(told.contains("for 2 h") && told.contains("others wait"), "{told}");
    assert_eq!(about(&Vitals { now: NOON + 60, ..slow }), [""; 0], "a minute is not too long");
    let left = vec!["new/x: a directory".to_owned(), "new/y: a socket".to_owned()];
    let odd = Vitals {
        mailboxes: vec![MailboxHealth { left, ..well().mailboxes.remove(0) }],
        spool_strays: vec!["notes.txt".to_owned()],
        ..well()
    };
    assert_eq!(about(&odd), ["mailbox", "mail"]);
    let told = odd.ailments(3600);
    assert!(told[0].text.starts_with("2 things are left in mailbox 1 (imap), such as new/x"), "{told:?}");
    assert!(
        told[1].text.contains("1 thing lies in spool/new") && told[1].text.contains("notes.txt"),
        "{told:?}"
    );
    let never = MailboxHealth { kind: "imap".to_owned(), drained: None, fault: None, left: Vec::new() };
    assert_eq!(about(&Vitals { mailboxes: vec![never], ..well() }), ["mailbox"]);
}

#[test]
fn the_figures_are_what_prometheus_reads_and_name_nobody() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "late", "no orders at all"));
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 3")));
    settle(&mut host);
    camp.wait(25 * HOUR);
    settle(&mut host);
    let Reply::Vitals(vitals) = host.execute(Request::Vitals).unwrap() else { panic!() };
    let text = metrics::text(&vitals);
    let mut families = std::collections::BTreeSet::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            assert!(families.insert(help.split(' ').next().unwrap().to_owned()), "twice: {line}");
            continue;
        }
        if line.starts_with("# TYPE ") {
            continue;
        }
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(value.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-'), "{line}");
        let name = name.split('{').next().unwrap();
        let family = name.trim_end_matches("_sum").trim_end_matches("_count");
        assert!(families.contains(family), "{line} belongs to no family");
    }
    let value = |name: &str| {
        let line = text.lines().find(|line| line.rsplit_once(' ').is_some_and(|(n, _)| n == name));
        line.unwrap_or_else(|| panic!("{name}: {text}")).rsplit_once(' ').unwrap().1.to_owned()
    };
    assert_eq!(value("musterd_mails_accepted_total"), "4", "three JOINs and a bid");
    assert_eq!(value("musterd_mails_refused_total{reason=\"no-orders\"}"), "1");
    assert_eq!(value("musterd_turns_total"), "2");
    assert_eq!(value("musterd_games{state=\"open\"}"), "1");
    assert_eq!(value("musterd_outbox_mails"), "0");
    assert_eq!(value("musterd_mails_handled_total"), "5");
    assert_eq!(
        value("musterd_mailbox_drained_seconds{mailbox=\"1\",kind=\"maildir\"}"),
        camp.clock.now().to_string()
    );
    assert!(value("musterd_disk_free_bytes").parse::<u64>().unwrap() > 0);
    assert!(!text.contains('@'), "an address: {text}");
    let file = camp.path().join("musterd.prom");
    metrics::write_file(&file, &vitals).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // The collector is another user; and what lies at a name that somebody may guess is not touched.
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o644);
    let other = camp.path().join("musterd.prom.new");
    fs::write(&other, "another's").unwrap();
    metrics::write_file(&file, &vitals).unwrap();
    assert_eq!(fs::read_to_string(&other).unwrap(), "another's");
}

#[test]
fn what_waits_to_be_sent_is_as_old_as_the_mail_and_not_as_its_last_try() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 3")));
    let (mut sources, _) = local_mail(&host);
    sources[0].drain(host.spool()).unwrap();
    host.take_mail().unwrap();
    let port = scripted::serve(|_, _| Some(Mischief::Cut(String::new())), hostile_smtp::smtp);
    let dead = format!(
        "address: {HOST}\nmail_in: []\nmail_out: {{kind: smtp, host: 127.0.0.1, port: {port}, security: none}}\n"
    );
    let relay = config::Config::read("f", &dead).unwrap().relay(host.dir(), host.clock()).unwrap();
    host.send_due(&*relay).unwrap();
    let Reply::Vitals(vitals) = host.execute(Request::Vitals).unwrap() else { panic!() };
    assert_eq!((vitals.outbox.waiting, vitals.outbox.oldest), (1, Some(NOON)));
    assert!(vitals.relay.fault.is_some() && vitals.counters.deferred >= 1, "{vitals:?}");
}

fn musterd(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_musterd")).arg("--dir").arg(dir).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A running daemon; killed when dropped.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn init(dir: &Path) {
    assert!(musterd(dir, &["init", dir.to_str().unwrap(), "--address", HOST]).status.success());
}

fn start(dir: &Path, prepare: impl FnOnce(&mut Command)) -> Daemon {
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.arg("--dir").arg(dir).arg("serve").stderr(Stdio::null());
    prepare(&mut command);
    let daemon = Daemon(command.spawn().unwrap());
    wait_for(|| musterd(dir, &["health"]).status.code() != Some(3));
    daemon
}

fn wait_for(mut what: impl FnMut() -> bool) {
    for _ in 0..600 {
        if what() {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("it never came to that");
}

#[test]
fn health_says_whether_the_daemon_runs() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("host");
    init(&dir);
    fs::create_dir(dir.join("mail/somebody@example.org")).unwrap();
    let down = musterd(&dir, &["health"]);
    assert_eq!(down.status.code(), Some(3));
    assert!(
        said(&down).contains("no daemon answers at ") && said(&down).contains("serve"),
        "{}",
        said(&down)
    );
    assert_eq!(musterd(&dir, &["metrics"]).status.code(), Some(3));
    let file = dir.join("figures/musterd.prom");
    fs::create_dir(dir.join("figures")).unwrap();
    let config = fs::read_to_string(dir.join("musterd.yaml")).unwrap();
    fs::write(dir.join("musterd.yaml"), config.clone() + "metrics_file: figures/musterd.prom\n").unwrap();
    let daemon = start(&dir, |_| {});
    let up = musterd(&dir, &["health"]);
    assert_eq!((up.status.code(), said(&up).as_str()), (Some(0), "The daemon runs and is well.\n"));
    assert!(said(&musterd(&dir, &["metrics"])).contains("\nmusterd_build_info{version=\""));
    wait_for(|| file.exists());
    let json: serde_json::Value =
        serde_json::from_slice(&musterd(&dir, &["--json", "health"]).stdout).unwrap();
    assert_eq!((&json["running"], &json["healthy"]), (&true.into(), &true.into()));
    // A second daemon is told who is there, and does no harm to the first.
    let second = musterd(&dir, &["serve"]);
    assert_eq!(second.status.code(), Some(3));
    assert!(said(&second).contains("another musterd is running"), "{}", said(&second));
    assert!(musterd(&dir, &["health"]).status.success());
    drop(daemon);
    // What a killed daemon leaves behind is no daemon, and stops none.
    assert!(dir.join("control.sock").exists());
    assert_eq!(musterd(&dir, &["health"]).status.code(), Some(3));
    // Too little room on the disk, for anybody.
    fs::write(
        dir.join("musterd.yaml"),
        config.replace("low_disk_megabytes: 200", "low_disk_megabytes: 1000000000"),
    )
    .unwrap();
    let _daemon = start(&dir, |_| {});
    let low = musterd(&dir, &["health"]);
    assert_eq!(low.status.code(), Some(1));
    assert!(said(&low).starts_with("disk: only "), "{}", said(&low));
}

#[test]
fn while_the_disk_is_full_the_daemon_says_so_and_then_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("host");
    init(&dir);
    // The store is made before; then no file may grow, as on a full disk.
    assert!(musterd(&dir, &["serve", "--once"]).status.success());
    if !has("prlimit", "util-linux") {
        return;
    }
    let script =
        format!("trap '' XFSZ; exec {} --dir {} serve", env!("CARGO_BIN_EXE_musterd"), dir.display());
    let child =
        Command::new("sh").args(["-c", &script]).env_remove("MUSTERD_LOG").stderr(Stdio::piped()).spawn();
    let mut daemon = Daemon(child.unwrap());
    wait_for(|| musterd(&dir, &["health"]).status.success());
    let pid = daemon.0.id().to_string();
    let limit = |bytes: &str| {
        let set =
            Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={bytes}:unlimited")]).status();
        assert!(set.unwrap().success());
    };
    limit("0");
    let hello = b"From: a@b.example\r\nTo: host@example.org\r\nSubject: hi\r\n\r\nhello\r\n";
    put(&dir.join("mail").join(HOST), "hello", hello, NOON);
    wait_for(|| musterd(&dir, &["health", "--max-age", "1"]).status.code() == Some(1));
    let ill = said(&musterd(&dir, &["health", "--max-age", "1"]));
    assert!(ill.contains("too large") || ill.contains("full"), "{ill}");
    assert_eq!(
        fs::read_dir(dir.join("mail").join(HOST).join("new")).unwrap().count(),
        1,
        "the mail stays where it is"
    );
    limit("unlimited");
    wait_for(|| fs::read_dir(dir.join("spool/other")).unwrap().count() == 1);
    wait_for(|| musterd(&dir, &["health"]).status.success());
    daemon.0.kill().unwrap();
    let mut log = String::new();
    daemon.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    let told = log.lines().filter(|line| line.contains("can't be drained now")).count();
    assert_eq!(told, 1, "once, not at every try: {log}");
}

#[test]
fn a_clock_before_the_last_entry_runs_no_turn() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    drop(host);
    // The machine came up in another year, and the deadline seems far away; then somebody sets the clock years too late.
    camp.clock.set(NOON - 300 * 24 * HOUR);
    let mut host = camp.open();
    host.look_at_clock();
    let Reply::Vitals(vitals) = host.execute(Request::Vitals).unwrap() else { panic!() };
    assert_eq!(vitals.ailments(3600).iter().map(|a| a.about.as_str()).collect::<Vec<_>>(), ["clock"]);
    settle(&mut host);
    assert_eq!(verdicts(&mut host).len(), 3);
    camp.clock.set(NOON + 1);
    host.look_at_clock();
    let Reply::Vitals(vitals) = host.execute(Request::Vitals).unwrap() else { panic!() };
    assert!(vitals.clock_doubted, "it has just jumped");
}

#[test]
fn a_directory_of_somebody_elses_is_refused_with_the_remedy() {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let dir = place.path().join("host");
    init(&dir);
    if !Command::new("chown").args(["-R", "12345"]).arg(&dir).output().unwrap().status.success() {
        skipped("only root can give a directory away");
        return;
    }
    for command in [&["serve", "--once"][..], &["status"]] {
        let refused = musterd(&dir, command);
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            said(&refused).contains("belongs to user 12345")
                && said(&refused).contains("setpriv --reuid=12345"),
            "{}",
            said(&refused)
        );
    }
    assert!(!dir.join("store").exists() && !dir.join("mirror").exists(), "something was made there");
    let checked = said(&musterd(&dir, &["config", "check"]));
    assert!(checked.contains("belongs to user 12345"), "{checked}");
    // Somebody who may not write there.
    let owner = Command::new("chown").args(["-R", "0"]).arg(&dir).output().unwrap();
    assert!(owner.status.success());
    // Where the build lies, that user may not come.
    let program = place.path().join("musterd");
    fs::copy(env!("CARGO_BIN_EXE_musterd"), &program).unwrap();
    let mut as_nobody = Command::new("setpriv");
    as_nobody.args(["--reuid=65534", "--clear-groups"]).arg(&program).arg("--dir").arg(&dir);
    let refused = as_nobody.args(["serve", "--once"]).output().unwrap();
    if refused.stderr.starts_with(b"setpriv:") {
        skipped("only root can go as another user");
        return;
    }
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(said(&refused).contains("belongs to user 0"), "{}", said(&refused));
}

#[test]
fn a_read_only_disk_is_named() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("host");
    init(&dir);
    let mount = |options: &str| Command::new("mount").args(["-o", options]).arg(&dir).arg(&dir).output();
    let bound = mount("bind").is_ok_and(|output| output.status.success())
        && Command::new("mount")
            .args(["-o", "remount,ro,bind"])
            .arg(&dir)
            .output()
            .is_ok_and(|o| o.status.success());
    if !bound {
        let _ = Command::new("umount").arg(&dir).output();
        skipped("nothing can be mounted here");
        return;
    }
    let refused = musterd(&dir, &["serve", "--once"]);
    let checked = musterd(&dir, &["config", "check"]);
    assert!(Command::new("umount").arg(&dir).status().unwrap().success());
    assert_eq!(refused.status.code(), Some(3));
    assert!(said(&refused).contains("read-only disk"), "{}", said(&refused));
    assert!(said(&checked).contains("can't be written to"), "{}", said(&checked));
}

#[test]
fn secrets_that_stand_open_are_closed() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    drop(host);
    let (dir, file) = (camp.path().join("secrets"), camp.path().join("secrets/alpha.secret"));
    for path in [&dir, &file] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    drop(camp.open());
    for path in [&dir, &file] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o077, 0, "{}", path.display());
    }
}

/// Everything of a running season that is secret: seats' secrets, the chain, sealed orders, passwords.
#[test]
fn the_log_of_a_season_holds_no_secret_at_any_level() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("host");
    init(&dir);
    let imap = scripted::serve(|_, _| None, hostile::imap);
    let config = fs::read_to_string(dir.join("musterd.yaml")).unwrap();
    let source = format!(
        "mail_in:\n  - {{kind: imap, host: 127.0.0.1, port: {imap}, security: none, user: me, password_env: MUSTERD_TEST_WORD}}\n"
    );
    fs::write(dir.join("musterd.yaml"), config.replace("mail_in:\n", &source)).unwrap();
    fs::write(place.path().join("seed"), [7; 32]).unwrap();
    let mut log = String::new();
    let mut run = |arguments: &[&str], format: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_musterd"))
            .args(["--log", format, "--now", "2026-11-21T12:00:00Z", "--seed-file"])
            .arg(place.path().join("seed"))
            .arg("--dir")
            .arg(&dir)
            .args(arguments)
            .env("MUSTERD_LOG", "trace")
            .env("MUSTERD_TEST_WORD", "tr0ub4dor-and-3")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", said(&output));
        log.push_str(&String::from_utf8_lossy(&output.stderr));
    };
    let mailbox = dir.join("mail").join(HOST);
    let seats = ["french", "allied"];
    let mails = |seat: &str| raw_mails(&dir.join("mail").join(player(seat))).into_iter().map(|(_, raw)| raw);
    let answer = |seat: &str, id: &str, text: &str| {
        let newest = mails(seat).map(|raw| read(&raw)).filter(|mail| !mail.reply_to.is_empty());
        let newest = newest
            .max_by_key(|mail| Sent::of(mail.message_id.as_deref().unwrap(), "example.org").unwrap().t)
            .unwrap();
        let id = format!("{id}-{seat}");
        let mail = Mail { from: &player(seat), to: &newest.reply_to[0], id: &id, in_reply_to: None, text };
        put(&mailbox, &id, mail.raw().as_bytes(), NOON);
    };
    let sat = seats.map(|seat| format!("{seat}={}", player(seat)));
    run(&["new", "austrian-1805", "--id", "alpha", "--seat", &sat[0], "--seat", &sat[1]], "text");
    run(&["serve", "--once"], "text");
    for seat in seats {
        answer(seat, "join", "JOIN\r\nsalt: mine");
    }
    run(&["serve", "--once"], "json");
    answer("french", "march", &block("MOVE 1 TO Wurzburg\r\nMOVE 2 TO Antwerp\r\nsalt: pepper-of-ulm"));
    answer("allied", "bad", &block("MOVE 99 TO Nowhere\r\nPRESS TO french\r\nA plot of mine\r\nEND PRESS"));
    run(&["serve", "--once"], "text");
    run(&["report", "alpha", "french"], "text");
    run(&["gm", "alpha", "STATUS"], "text");
    run(&["status"], "json");
    assert!(log.contains("orders accepted") && log.contains("adjudicated"), "{log}");
    let mut secrets = vec![
        "tr0ub4dor-and-3".to_owned(),
        "Wurzburg".to_owned(),
        "pepper-of-ulm".to_owned(),
        "A plot of mine".to_owned(),
    ];
    let chain = fs::read_to_string(dir.join("secrets/alpha.secret")).unwrap();
    secrets.extend(chain.split_whitespace().filter(|word| word.len() >= 32).map(str::to_owned));
    for seat in seats {
        for raw in mails(seat) {
            for address in read(&raw).reply_to {
                let detail = address.split(['+', '@']).nth(1).unwrap_or_default().to_owned();
                secrets.extend(detail.rsplit('.').next().filter(|word| word.len() == 16).map(str::to_owned));
            }
        }
    }
    secrets.sort();
    secrets.dedup();
    assert!(secrets.len() >= 4 + 1 + 2, "{secrets:?}");
    for secret in secrets {
        if let Some(line) = log.lines().find(|line| line.contains(&secret)) {
            panic!("`{secret}` stands in the log: {line}");
        }
    }
}

#[test]
fn the_log_is_as_it_is_configured() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("host");
    init(&dir);
    let config = fs::read_to_string(dir.join("musterd.yaml")).unwrap();
    fs::write(dir.join("musterd.yaml"), config.replace("  format: text", "  format: json")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.arg("--dir").arg(&dir).arg("serve").env_remove("MUSTERD_LOG").stderr(Stdio::piped());
    let mut daemon = Daemon(command.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(daemon.0.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&line["level"], &line["fields"]["message"]), (&"INFO".into(), &"musterd serves".into()));
    let quiet = config.replace("  level: info", "  level: error");
    drop(daemon);
    fs::write(dir.join("musterd.yaml"), quiet).unwrap();
    let output = musterd(&dir, &["serve", "--once"]);
    assert_eq!(said(&output), "");
    let wrong = Host::open(Options { clock: Clock::System, ..Camp::new().options() });
    assert!(matches!(wrong, Err(HostError::Usage(_)) | Ok(_)));
}

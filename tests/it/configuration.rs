//! `musterd config check`: every fault at once, where it stands, and what to do; what the servers say; every key explained.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use musterd::daemon::config::{KEYS, example};
use tempfile::TempDir;

use crate::scripted::{self, Mischief};
use crate::{hostile, hostile_smtp};

fn musterd(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_musterd")).args(arguments).env_remove("MUSTERD_DIR").output().unwrap()
}

/// A data directory with this configuration.
fn camp(configuration: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("musterd.yaml"), configuration).unwrap();
    dir
}

/// The same, in which the GM reads his mail.
fn camp_of_readers(configuration: &str) -> TempDir {
    let dir = camp(configuration);
    fs::create_dir_all(dir.path().join("mail/gm@example.org")).unwrap();
    dir
}

/// What the check says of a data directory, and its exit status.
fn check(dir: &Path, more: &[&str]) -> (String, Option<i32>) {
    let file = dir.join("musterd.yaml");
    let arguments = [&["config", "check", file.to_str().unwrap()], more].concat();
    let output = musterd(&arguments);
    let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (said.replace(&format!("{}/", dir.display()), ""), output.status.code())
}

fn example_with(gm: &str) -> String {
    example("campaign@example.org").replace("gm: []", &format!("gm: [{gm}]"))
}

#[test]
fn a_configuration_in_order_has_no_error_and_no_warning() {
    let dir = camp_of_readers(&example_with("gm@example.org"));
    assert_eq!(
        check(dir.path(), &[]),
        ("musterd.yaml is in order: no errors, no warnings.\n".to_owned(), Some(0))
    );
    assert!(fs::read_dir(dir.path()).unwrap().count() == 2, "the check made something");
}

/// A configuration of before, in which the host doesn't sign, or doesn't say whether.
#[test]
fn a_host_that_doesnt_sign_is_told_how_to() {
    for sign in ["sign: false\n", ""] {
        let text = example_with("gm@example.org").replace("sign: true\n", sign);
        let (said, code) = check(camp_of_readers(&text).path(), &[]);
        assert!(said.contains("1 warning") && code == Some(0), "{said}");
        assert!(said.contains("write `sign: true` and start the daemon again"), "{said}");
    }
}

#[test]
fn a_source_of_beacons_that_gives_none_is_told_of() {
    for (beacon, wanted, status) in [
        ("{kind: files, path: .}", "no errors, no warnings", 0),
        ("{kind: command, run: [/bin/sh, -c, exit]}", "no errors, no warnings", 0),
        ("{kind: files, path: beacons}", "warning: beacons is no directory that can be read: make it", 0),
        ("{kind: command, run: [./beacon]}", "fault: ./beacon is no program that can be run", 1),
        ("{kind: command, run: [beacon]}", "begin it with the program's path, such as", 1),
        ("{kind: command, run: []}", "begin it with the program's path, such as", 1),
        ("{kind: command, path: x}", "the command for a beacon has no key `path`", 1),
        ("{kind: oracle}", "`oracle` is no kind; write files or command", 1),
    ] {
        let dir = camp_of_readers(&format!("{}beacon: {beacon}\n", example_with("gm@example.org")));
        let (said, code) = check(dir.path(), &[]);
        assert!(said.contains(wanted) && code == Some(status), "{beacon}: {said}");
    }
}

#[test]
fn every_fault_is_shown_with_its_line_and_a_caret() {
    let text = example_with("gm@example.org")
        .replace("zone: UTC", "zone: Mars/Base")
        .replace("poll_seconds: 30", "pol_seconds: 30")
        .replace("hold_hours: 24", "password: hunter2");
    let (said, status) = check(camp(&text).path(), &[]);
    assert_eq!(status, Some(1));
    for wanted in [
        "musterd.yaml:10:7: error: `Mars/Base` is no time zone; write one such as Europe/Vienna\n    zone: Mars/Base\n          ^\n",
        "error: the configuration has no key `pol_seconds`; did you mean `poll_seconds`?\n    pol_seconds: 30\n    ^\n",
        "musterd.yaml can't be used as it is: 3 errors, no warnings.\n",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    assert!(!said.contains("hunter2"), "{said}");
    let daemon = musterd(&["--dir", camp(&text).path().to_str().unwrap(), "serve"]);
    let refused = String::from_utf8(daemon.stderr).unwrap();
    assert_eq!(daemon.status.code(), Some(3));
    assert!(refused.contains("Mars/Base") && refused.contains("pol_seconds"), "all of it: {refused}");
}

#[test]
fn no_file_and_bytes_that_are_no_text_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let (said, status) = check(dir.path(), &[]);
    assert!(said.contains("there is no such file") && status == Some(3), "{said}");
    fs::write(dir.path().join("musterd.yaml"), b"address: \xff@example.org\n").unwrap();
    let (said, status) = check(dir.path(), &[]);
    assert!(said.contains("musterd.yaml:1:10: error: this is no UTF-8") && status == Some(1), "{said}");
}

#[test]
fn what_the_configuration_relies_on_is_looked_at() {
    let text = "address: campaign@example.org\ngm: [gm@example.org]\nmail_in:\n  - kind: imap\n    host: mail.example.org\n    \
                port: 993\n    security: starttls\n    user: campaign\n    password_file: open.password\n    tls_ca: ca.pem\n\
                mail_out:\n  kind: smtp\n  host: mail.example.org\n  port: 587\n  security: tls\n  user: campaign\n  \
                password_env: MUSTERD_TEST_NOT_SET\nmetrics_file: musterd.yaml/figures.prom\nlow_disk_megabytes: 900000000\n";
    let dir = camp(text);
    let write = |path: &str, text: &str, mode: u32| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    };
    write("open.password", "hunter2\n", 0o644);
    write("ca.pem", "no certificate\n", 0o644);
    write("templates/dispatch.txt", "{% if %}", 0o644);
    write("secrets/alpha.secret", "x", 0o644);
    write("games/lga/scenarios/mine.yaml", "title: [", 0o644);
    let (said, status) = check(dir.path(), &[]);
    assert_eq!(status, Some(1), "{said}");
    for wanted in [
        "musterd.yaml:9:20: error: the password file",
        "chmod 600",
        "musterd.yaml:10:13: fault: there is no certificate in this file",
        "musterd.yaml:7:15: warning: on port 993 servers want `tls`",
        "musterd.yaml:15:13: warning: on port 587 servers want `starttls`",
        "musterd.yaml:17:17: warning: the variable MUSTERD_TEST_NOT_SET is not set here",
        "musterd.yaml:18:15: error: ",
        "MB are free on the disk",
        "templates: fault: ",
        "secrets/alpha.secret: fault: others may read this",
        "games/lga/scenarios/mine.yaml:",
    ] {
        assert!(said.contains(wanted), "{wanted}\n{said}");
    }
    assert!(!said.contains("hunter2"), "{said}");
    let file = dir.path().join("musterd.yaml");
    let output = musterd(&["config", "check", file.to_str().unwrap(), "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["usable"], false);
    assert!(json["errors"].as_array().unwrap().iter().any(|e| e["line"] == 9), "{json}");
}

#[test]
fn the_figures_are_written_over_nothing_else() {
    let with = |file: &str| example_with("gm@example.org") + &format!("metrics_file: {file}\n");
    for (file, wanted) in [
        ("secrets/alpha.secret", "the name must end in `.prom`"),
        ("musterd.yaml", "the name must end in `.prom`"),
        ("spool/new/x.prom", "`spool` of the data directory is the host's own"),
        ("./templates/../secrets/x.prom", "`secrets` of the data directory is the host's own"),
        ("notes.prom", "this file holds something else than figures"),
    ] {
        let dir = camp(&with(file));
        fs::create_dir_all(dir.path().join("templates")).unwrap();
        fs::create_dir_all(dir.path().join("spool/new")).unwrap();
        fs::write(dir.path().join("notes.prom"), "my notes\n").unwrap();
        let (said, status) = check(dir.path(), &[]);
        assert!(status == Some(1) && said.contains(wanted), "{file}: {said}");
        if file != "notes.prom" {
            let served = musterd(&["--dir", dir.path().to_str().unwrap(), "serve"]);
            assert_eq!(served.status.code(), Some(3), "{file}");
            assert!(String::from_utf8_lossy(&served.stderr).contains(wanted), "{file}: {served:?}");
        }
    }
    let dir = camp(&with("figures.prom"));
    for held in ["", "# HELP musterd_build_info The program's version; always 1.\n"] {
        fs::write(dir.path().join("figures.prom"), held).unwrap();
        assert_eq!(check(dir.path(), &[]).1, Some(0));
    }
}

#[test]
fn mailboxes_and_addresses_that_lead_in_circles_are_found() {
    let text = example_with("Campaign+gm@example.org")
        .replace("mail_in:\n", "mail_in:\n  - {kind: maildir, path: ./mail//campaign@example.org/}\n")
        .replace("  root: mail\n", "  root: spool/done\n");
    let (said, status) = check(camp(&text).path(), &[]);
    assert!(status == Some(1) && said.contains("this is the host's own address"), "{said}");
    let dir = camp(&text.replace("Campaign+gm@", "gm@"));
    let (said, status) = check(dir.path(), &[]);
    assert!(status == Some(1) && said.contains("no errors, 2 faults"), "{said}");
    assert!(said.contains("this mailbox stands there twice"), "{said}");
    assert!(said.contains("`spool` is the host's own and no place for mail"), "{said}");
}

#[test]
fn values_of_any_length_and_kind_are_shown_in_one_short_line() {
    let long = "x".repeat(60_000);
    for (from, to) in [
        ("address: campaign@example.org", format!("address: {long}")),
        ("zone: UTC", format!("zone: \"Mars\\n\\e[2J{long}\"")),
        ("gm: [gm@example.org]", format!("gm: [\"two\\nlines {long}\"]")),
        ("poll_seconds: 30", format!("poll_seconds: {long}")),
        ("poll_seconds: 30", format!("{long}: 30")),
        ("zone: UTC", format!("name: Us # {long}\nzone: {{{long}")),
    ] {
        let text = example_with("gm@example.org").replace(from, &to);
        assert!(text.contains(&to));
        let (said, status) = check(camp(&text).path(), &[]);
        assert_eq!(status, Some(1), "{said:.200}");
        assert!(said.len() < 3000, "{} bytes for {from}: {said:.500}", said.len());
        assert!(
            said.lines().all(|line| line.chars().count() < 500 && !line.contains('\u{1b}')),
            "{said:.500}"
        );
        assert!(!said.lines().any(|line| line.starts_with("lines")), "{said:.500}");
    }
}

#[test]
fn files_of_games_that_can_not_be_used_are_found_and_stop_no_host() {
    let dir = camp(&example_with("gm@example.org"));
    for folder in ["foo", "lga/scenarios"] {
        fs::create_dir_all(dir.path().join("games").join(folder)).unwrap();
    }
    for (file, kind, reason) in [
        ("lga/ruleset.yaml", "fault", "no YAML"),
        ("foo/rules.yaml", "fault", "there is no ruleset `foo`"),
        ("lga/scenarios/mine.yaml", "fault", ""),
        ("lga/scenarios/mine.yml", "warning", "nothing reads this file"),
        ("lga/mine.yaml", "warning", "nothing reads this file"),
        ("mine.yaml", "warning", "nothing reads this file"),
    ] {
        let path = dir.path().join("games").join(file);
        fs::write(&path, "a: [").unwrap();
        let (said, status) = check(dir.path(), &[]);
        assert_eq!(status, Some(i32::from(kind == "fault")), "{file}: {said}");
        let tells = |line: &str| {
            line.contains(&format!("games/{file}"))
                && line.contains(&format!(" {kind}: "))
                && line.contains(reason)
        };
        assert!(said.lines().any(tells), "{file}: {said}");
        let served = musterd(&["--dir", dir.path().to_str().unwrap(), "serve", "--once"]);
        assert_eq!(served.status.code(), Some(0), "{file}: {served:?}");
        fs::remove_file(path).unwrap();
    }
}

/// What a case does to a data directory.
type Spoil = fn(&Path);

#[test]
fn what_is_called_an_error_keeps_the_daemon_from_starting_and_nothing_else_does() {
    fn change(dir: &Path, from: &str, to: &str) {
        let file = dir.join("musterd.yaml");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(file, text.replace(from, to)).unwrap();
    }
    fn put(dir: &Path, path: &str, text: &str) {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    const RELAY: (&str, &str) =
        ("  kind: maildir\n  root: mail\n", "  {kind: smtp, host: 127.0.0.1, port: 9, security: tls, ");
    const MAILBOX: (&str, &str) = (
        "mail_in:\n",
        "mail_in:\n  - {kind: imap, host: 127.0.0.1, port: 9, security: tls, user: me, password_file: p",
    );
    let cases: [(&str, &str, Spoil); 15] = [
        ("error", "is no time zone", |dir| change(dir, "zone: UTC", "zone: Mars/Base")),
        ("error", "the password file", |dir| {
            put(dir, "p", "hunter2");
            change(dir, MAILBOX.0, &format!("{}}}\n", MAILBOX.1));
        }),
        ("fault", "there is no certificate", |dir| {
            put(dir, "ca.pem", "none");
            change(dir, RELAY.0, &format!("{}tls_ca: ca.pem}}\n", RELAY.1));
        }),
        ("error", "ca.pem: No such file", |dir| {
            change(dir, RELAY.0, &format!("{}tls_ca: ca.pem}}\n", RELAY.1));
        }),
        ("fault", "ca.pem: No such file", |dir| {
            put(dir, "p", "hunter2");
            fs::set_permissions(dir.join("p"), fs::Permissions::from_mode(0o600)).unwrap();
            change(dir, MAILBOX.0, &format!("{}, tls_ca: ca.pem}}\n", MAILBOX.1));
        }),
        ("error", "is the host's own, and the figures", |dir| {
            change(dir, "zone: UTC", "zone: UTC\nmetrics_file: spool/x.prom");
        }),
        ("fault", "something else than figures", |dir| {
            put(dir, "x.prom", "my notes");
            change(dir, "zone: UTC", "zone: UTC\nmetrics_file: x.prom");
        }),
        ("error", "and a Maildir has one there", |dir| put(dir, "mail/campaign@example.org/new", "")),
        ("error", "is no directory: choose another", |dir| put(dir, "mail", "")),
        ("fault", "stands there twice", |dir| {
            change(dir, MAILBOX.0, "mail_in:\n  - {kind: maildir, path: ./mail//campaign@example.org}\n");
        }),
        ("fault", "no place for mail", |dir| change(dir, "  root: mail\n", "  root: spool/done\n")),
        ("fault", "templates: ", |dir| put(dir, "templates/dispatch.txt", "{% if %}")),
        ("fault", "others may read this", |dir| put(dir, "secrets/draft", "")),
        ("error", "as when a disk was not mounted", |dir| put(dir, "secrets/alpha.secret", "x")),
        ("fault", "no program that can be run", |dir| {
            change(dir, "zone: UTC", "zone: UTC\nbeacon: {kind: command, run: [./none]}");
        }),
    ];
    for (kind, wanted, spoil) in cases {
        let dir = camp(&example_with("gm@example.org"));
        spoil(dir.path());
        let (said, status) = check(dir.path(), &[]);
        let has = said.lines().any(|line| line.contains(&format!(": {kind}: ")) && line.contains(wanted));
        assert!(has && status == Some(1), "{wanted}: {said}");
        let told = if kind == "error" { "can't be used as it is: " } else { "can be used, but " };
        assert!(said.contains(told), "{wanted}: {said}");
        let usable = check(dir.path(), &["--json"]).0.contains("\"usable\": true");
        let served = musterd(&["--dir", dir.path().to_str().unwrap(), "serve", "--once"]);
        let starts = served.status.code() != Some(3);
        assert_eq!((starts, usable), (kind == "fault", kind == "fault"), "{wanted}: {served:?}");
    }
}

#[test]
fn a_folder_that_is_not_there_is_told_with_how_it_is_made() {
    let no_folder = |_: usize, line: &str| {
        let said = "TAG NO Mailbox doesn't exist: Campaign\r\n";
        line.contains("EXAMINE").then(|| Mischief::Say(said.into()))
    };
    let imap = scripted::serve(no_folder, hostile::imap);
    let smtp = scripted::serve(|_, _| None, hostile_smtp::smtp);
    let dir = at_ports(imap, smtp);
    let file = dir.path().join("musterd.yaml");
    let text =
        fs::read_to_string(&file).unwrap().replace("password_file: p", "password_file: p, folder: Campaign");
    fs::write(file, text).unwrap();
    let (said, status) = check(dir.path(), &["--connect"]);
    let wanted = ["Mailbox doesn't exist: Campaign", "`doveadm mailbox create -s -u USER Campaign`"];
    assert!(wanted.iter().all(|wanted| said.contains(wanted)) && status == Some(1), "{said}");
}

/// A configuration whose mail comes from and goes to this very machine.
fn at_ports(imap: u16, smtp: u16) -> TempDir {
    let server = |port| format!("host: 127.0.0.1, port: {port}, security: none, timeout_seconds: 1");
    let dir = camp(&format!(
        "address: campaign@example.org\ngm: [gm@example.org]\nmail_in: [{{kind: imap, {}, user: me, password_file: p}}]\n\
         mail_out: {{kind: smtp, {}}}\n",
        server(imap),
        server(smtp)
    ));
    fs::write(dir.path().join("p"), "hunter2\n").unwrap();
    fs::set_permissions(dir.path().join("p"), fs::Permissions::from_mode(0o600)).unwrap();
    dir
}

#[test]
fn every_server_is_asked_and_says_what_it_is() {
    let imap = scripted::serve(|_, _| None, hostile::imap);
    let smtp = scripted::serve(|_, _| None, hostile_smtp::smtp);
    let (said, status) = check(at_ports(imap, smtp).path(), &["--connect"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains(
            "logged in as `me`; `INBOX` holds 3 mails; IDLE yes, MOVE no, UIDPLUS no; not encrypted"
        ),
        "{said}"
    );
    assert!(said.contains("no login; takes mail from campaign@example.org"), "{said}");
}

#[test]
fn a_server_that_refuses_or_says_nothing_is_a_finding_in_good_time() {
    let imap = scripted::serve(
        |_, line: &str| line.contains("LOGIN").then(|| Mischief::Say("TAG NO wrong password\r\n".into())),
        hostile::imap,
    );
    let smtp = scripted::serve(
        |_, line: &str| line.starts_with("MAIL").then(|| Mischief::Say("553 not your address\r\n".into())),
        hostile_smtp::smtp,
    );
    let (said, status) = check(at_ports(imap, smtp).path(), &["--connect"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("musterd.yaml:3:") && said.contains("login as `me` refused"), "{said}");
    assert!(
        said.contains("musterd.yaml:4:") && said.contains("553") && said.contains("takes our sender"),
        "{said}"
    );
    assert!(!said.contains("hunter2"), "{said}");
    let stalls = || scripted::serve(|_, _| Some(Mischief::Stall(String::new())), hostile::imap);
    let (said, status) = check(at_ports(stalls(), stalls()).path(), &["--connect"]);
    assert!(said.contains("no errors, 2 faults") && status == Some(1), "{said}");
}

#[test]
fn every_key_is_explained_where_init_writes_it_and_in_the_operators_guide() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = fs::read_to_string(root.join("docs/operators-guide.md")).unwrap();
    let example = example("campaign@example.org");
    for (what, keys) in KEYS {
        for key in keys {
            let stands =
                |line: &str| line.trim_start_matches(['#', ' ', '-']).starts_with(&format!("{key}:"));
            assert!(example.lines().any(stands), "`{key}` of {what} is not in the file that init writes");
            assert!(guide.contains(&format!("`{key}`")), "`{key}` of {what} is not in the operator's guide");
        }
    }
}

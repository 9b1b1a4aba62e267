//! What goes wrong in a data directory under an operator's hands: secrets that are gone, pipes where files should be, wording that
//! can't be read. Each is told at once and by name, and stops nothing that could go on.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use musterd::daemon::archive;
use musterd::daemon::{Host, Reply, Request, Vitals};
use tempfile::TempDir;

use crate::skips::skipped;
use crate::support::{Camp, GM, HOST, NOON, block, founded, put, settle};

/// A command, ended by force where it hangs.
fn musterd(dir: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.args(["-k", "1", "60", env!("CARGO_BIN_EXE_musterd"), "--dir"]).arg(dir).args(arguments);
    command.env_remove("MUSTERD_LOG").stdin(Stdio::null()).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn vitals(host: &mut Host) -> Vitals {
    match host.execute(Request::Vitals).unwrap() {
        Reply::Vitals(vitals) => *vitals,
        other => panic!("{other:?}"),
    }
}

/// What `health` would say, about what.
fn ailments(host: &mut Host) -> Vec<(String, String)> {
    vitals(host).ailments(3600).into_iter().map(|ailment| (ailment.about, ailment.text)).collect()
}

/// A data directory of the program's own, with one game of two computer players in it.
fn campaign() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path();
    fs::write(dir.join("seed"), "a seed for this test").unwrap();
    let host = dir.join("host");
    assert!(musterd(&host, &["init", host.to_str().unwrap(), "--address", HOST]).status.success());
    let new = [
        "new",
        "austrian-1805",
        "--id",
        "alpha",
        "--seat",
        "french=computer",
        "--seat",
        "allied=a@b.example",
    ];
    let made = musterd(&host, &new);
    assert!(made.status.success(), "{}", said(&made));
    place
}

#[test]
fn a_secret_that_is_gone_or_garbled_is_told_before_it_is_needed() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    drop(host);
    let file = camp.path().join("secrets/alpha.secret");
    let good = fs::read_to_string(&file).unwrap();
    let other = good.replace("game alpha", "game beta");
    let endless = good.replace("length 10000", "length 4000000000");
    for bad in [None, Some(""), Some("no secret"), Some(&good[..40]), Some(&other), Some(&endless)] {
        match bad {
            Some(text) => fs::write(&file, text).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let mut host = camp.open();
        let found = ailments(&mut host);
        assert!(
            matches!(&found[..], [(about, text)] if about == "game" && text.contains("secrets/alpha.secret")),
            "{bad:?}: {found:?}"
        );
    }
    fs::write(&file, &good).unwrap();
    assert_eq!(ailments(&mut camp.open()), []);
    // One that reads well and is another's is found in idle moments, by what it leads to.
    let last = good.split_whitespace().next_back().unwrap();
    let digit = if last.starts_with('0') { "1" } else { "0" };
    fs::write(&file, good.replace(last, &format!("{digit}{}", &last[1..]))).unwrap();
    let mut host = camp.open();
    assert_eq!(ailments(&mut host), []);
    let lost = host.look_over_secrets();
    assert!(
        lost.len() == 1 && lost[0].1.contains("isn't the secret that `alpha` was founded with"),
        "{lost:?}"
    );
    assert_eq!(ailments(&mut host).len(), 1);
}

#[test]
fn a_host_with_a_lost_secret_is_not_well_to_cron_nor_to_a_backup_nor_after_a_restore() {
    let place = campaign();
    let (dir, backup) = (place.path().join("host"), place.path().join("backup.tar"));
    assert_eq!(musterd(&dir, &["serve", "--once"]).status.code(), Some(0));
    fs::remove_file(dir.join("secrets/alpha.secret")).unwrap();
    let once = musterd(&dir, &["serve", "--once"]);
    assert!(once.status.code() == Some(1) && said(&once).contains("secrets/alpha.secret"), "{}", said(&once));
    let backed_up = musterd(&dir, &["backup", backup.to_str().unwrap()]);
    assert_eq!(backed_up.status.code(), Some(1), "{}", said(&backed_up));
    assert!(said(&backed_up).contains("secrets/alpha.secret: it is missing"), "{}", said(&backed_up));
    let there = place.path().join("there");
    let restored = musterd(&dir, &["restore", backup.to_str().unwrap(), "--to", there.to_str().unwrap()]);
    assert_eq!(restored.status.code(), Some(1), "{}", said(&restored));
    assert!(said(&restored).contains("game alpha can't go on"), "{}", said(&restored));
}

#[test]
fn cron_is_told_of_a_mailbox_that_can_not_be_reached_and_of_a_wrong_clock() {
    let place = campaign();
    let dir = place.path().join("host");
    assert_eq!(musterd(&dir, &["serve", "--once"]).status.code(), Some(0));
    let early = musterd(&dir, &["--now", "2020-01-01T00:00:00Z", "serve", "--once"]);
    assert!(early.status.code() == Some(1) && said(&early).contains("set it right"), "{}", said(&early));
    let config = fs::read_to_string(dir.join("musterd.yaml")).unwrap();
    let nobody = "mail_in:\n  - {kind: imap, host: 127.0.0.1, port: 1, security: none, user: me, password_env: HOME}\n";
    fs::write(dir.join("musterd.yaml"), config.replace("mail_in:\n", nobody)).unwrap();
    let alone = musterd(&dir, &["serve", "--once"]);
    assert!(
        alone.status.code() == Some(1) && said(&alone).contains("can't be drained now"),
        "{}",
        said(&alone)
    );
}

#[test]
fn a_backup_tells_a_secret_that_is_not_the_games_own() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let Reply::Snapshot(snapshot) = host.execute(Request::Snapshot).unwrap() else { panic!() };
    let file = camp.path().join("secrets/alpha.secret");
    let good = fs::read_to_string(&file).unwrap();
    fs::write(&file, good.replace("length 10000", "length 9999")).unwrap();
    let packed = archive::pack(camp.path(), snapshot.clone(), &mut std::io::sink()).unwrap();
    assert!(packed.damaged[0].contains("isn't the secret that `alpha` was founded with"), "{packed:?}");
    fs::write(&file, good).unwrap();
    let packed = archive::pack(camp.path(), snapshot, &mut std::io::sink()).unwrap();
    assert_eq!(packed.damaged, [""; 0]);
}

/// A running daemon; killed when dropped.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_control_socket_that_somebody_removed_is_made_anew() {
    let place = campaign();
    let dir = place.path().join("host");
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.arg("--dir").arg(&dir).arg("serve").stderr(Stdio::null());
    let _daemon = Daemon(command.spawn().unwrap());
    let answers = || {
        (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            musterd(&dir, &["health"]).status.success()
        })
    };
    assert!(answers());
    for _ in 0..2 {
        fs::remove_file(dir.join("control.sock")).unwrap();
        assert!(answers());
    }
}

#[test]
fn a_directory_in_place_of_the_control_socket_is_named_at_the_start_and_stops_no_daemon_later() {
    let place = campaign();
    let dir = place.path().join("host");
    let socket = dir.join("control.sock");
    fs::create_dir(&socket).unwrap();
    let output = musterd(&dir, &["serve"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("control.sock: the control socket belongs here"), "{}", said(&output));
    fs::remove_dir(&socket).unwrap();
    let log = place.path().join("log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command.arg("--dir").arg(&dir).arg("serve").stderr(fs::File::create(&log).unwrap());
    let _daemon = Daemon(command.spawn().unwrap());
    let until = |what: &dyn Fn() -> bool| {
        (0..300).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            what()
        })
    };
    assert!(until(&|| musterd(&dir, &["health"]).status.success()));
    fs::remove_file(&socket).unwrap();
    fs::create_dir(&socket).unwrap();
    let told = || fs::read_to_string(&log).unwrap().matches("no command reaches the daemon").count();
    assert!(until(&|| told() > 0));
    let hello = format!("From: a@b.example\r\nTo: {HOST}\r\nSubject: hi\r\n\r\nhello\r\n");
    put(&dir.join("mail").join(HOST), "hello", hello.as_bytes(), NOON);
    let answers = dir.join("mail/a@b.example/new");
    assert!(until(&|| fs::read_dir(&answers).is_ok_and(|mut mails| mails.next().is_some())), "mails go on");
    assert_eq!(told(), 1, "once");
    fs::remove_dir(&socket).unwrap();
    assert!(until(&|| musterd(&dir, &["health"]).status.success()), "and it is asked again");
}

#[test]
fn a_pipe_that_brings_nothing_leaves_the_mail_with_the_mail_server() {
    let place = campaign();
    let dir = place.path().join("host");
    for input in ["<&-", "</dev/null"] {
        let program = env!("CARGO_BIN_EXE_musterd");
        let line = format!("'{program}' --dir '{}' deliver {input}", dir.display());
        let output = Command::new("sh").args(["-c", &line]).output().unwrap();
        assert_eq!(output.status.code(), Some(75), "{input}: {}", said(&output));
        assert!(said(&output).contains("standard input is closed or empty"), "{input}: {}", said(&output));
    }
    assert_eq!(fs::read_dir(dir.join("spool/new")).unwrap().count(), 0);
}

#[test]
fn a_check_of_the_configuration_looks_at_the_files_that_mails_and_dice_rest_on() {
    let place = campaign();
    let dir = place.path().join("host");
    assert_eq!(musterd(&dir, &["serve", "--once"]).status.code(), Some(0));
    let checked = |wanted: &[&str]| {
        let output = musterd(&dir, &["config", "check"]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(i32::from(!wanted.is_empty())), "{text}");
        wanted.iter().for_each(|wanted| assert!(text.contains(wanted), "{wanted}: {text}"));
    };
    checked(&[]);
    let secret = dir.join("secrets/alpha.secret");
    let good = fs::read_to_string(&secret).unwrap();
    fs::remove_file(&secret).unwrap();
    checked(&[
        "secrets/alpha.secret: fault: it is missing, and `alpha`, whose journal is here",
        "from a backup",
    ]);
    fs::write(&secret, good.replace("game alpha", "game beta")).unwrap();
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    checked(&["this is the secret of `beta`: put the right file back"]);
    fs::write(&secret, "nothing").unwrap();
    checked(&["secrets/alpha.secret: fault: "]);
    fs::write(&secret, &good).unwrap();
    checked(&[]);
    let inbox = dir.join("mail").join(HOST);
    for part in ["new", "cur", "tmp"] {
        fs::rename(inbox.join(part), place.path().join(part)).unwrap();
        fs::write(inbox.join(part), "").unwrap();
        checked(&[&format!("{HOST}/{part} is no directory, and a Maildir has one there")]);
        fs::remove_file(inbox.join(part)).unwrap();
        fs::rename(place.path().join(part), inbox.join(part)).unwrap();
    }
    let config = dir.join("musterd.yaml");
    let local = fs::read_to_string(&config).unwrap();
    let server = "  - {kind: imap, host: 127.0.0.1, port: 9, security: none, user: gm, password_env: HOME}\n";
    let (before, rest) = local.split_once("mail_in:\n").unwrap();
    let text = format!("{before}mail_in:\n{server}mail_out:{}", rest.split_once("mail_out:").unwrap().1);
    fs::write(&config, text).unwrap();
    checked(&[]);
    fs::create_dir(dir.join("imap-0.cursor")).unwrap();
    checked(&["imap-0.cursor: fault: this is no file but a directory", "read from its beginning"]);
    fs::remove_dir(dir.join("imap-0.cursor")).unwrap();
    fs::write(&config, local).unwrap();
    for part in ["store", "mirror"] {
        fs::rename(dir.join(part), place.path().join(part)).unwrap();
    }
    checked(&["as when a disk was not mounted"]);
}

#[test]
fn output_that_is_lost_is_a_fault_and_a_reader_who_has_gone_is_none() {
    let place = campaign();
    let dir = place.path().join("host");
    let arguments = |command: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_musterd"));
        program.arg("--dir").arg(&dir).args(command).stdin(Stdio::null()).stderr(Stdio::piped());
        program
    };
    for command in [
        &["status"][..],
        &["--json", "status"],
        &["scenarios"],
        &["config", "check"],
        &["journal", "alpha"],
        &["backup", "-"],
        &["schema", "dispatch"],
        &["--help"],
        &["help", "new"],
        &["--version"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = arguments(command).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{command:?}: {}", said(&output));
        assert!(said(&output).contains("No space left"), "{command:?}: {}", said(&output));
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = arguments(&["scenarios"]).stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""));
}

#[test]
fn a_pipe_with_a_slip_in_its_arguments_leaves_the_mail_with_the_mail_server() {
    let place = campaign();
    let dir = place.path().join("host");
    for slip in [
        &["deliver", "--bogus"][..],
        &["deliver", "campaign@example.org"],
        &["--now", "yesterday", "deliver"],
        &["--bogus", "deliver"],
        &["--dir", "/nowhere", "deliver"],
    ] {
        let output = musterd(&dir, slip);
        assert_eq!(output.status.code(), Some(75), "{slip:?}: {}", said(&output));
    }
    assert_eq!(musterd(&dir, &["status", "--bogus"]).status.code(), Some(2));
}

/// Where a link leads is somebody else's: neither his bytes nor his rights are touched.
#[test]
fn a_foreign_file_behind_a_link_is_left_as_it_is() {
    let place = campaign();
    let dir = place.path().join("host");
    assert!(musterd(&dir, &["serve", "--once"]).status.success());
    let foreign = place.path().join("foreign");
    for file in [
        "mirror/alpha.jsonl",
        "mirror/_host.jsonl",
        "spool/decided.jsonl",
        "secrets/alpha.secret",
        "secrets/_host.secret",
        "secrets/notes",
    ] {
        let (path, kept) = (dir.join(file), place.path().join("kept"));
        let was = path.exists();
        if was {
            fs::rename(&path, &kept).unwrap();
        }
        fs::write(&foreign, "somebody else's\n").unwrap();
        fs::set_permissions(&foreign, fs::Permissions::from_mode(0o664)).unwrap();
        std::os::unix::fs::symlink(&foreign, &path).unwrap();
        let hello = format!("From: x@b.example\r\nTo: {HOST}\r\nSubject: {file}\r\n\r\nhello\r\n");
        put(&dir.join("mail").join(HOST), &file.replace('/', "-"), hello.as_bytes(), NOON);
        let output = musterd(&dir, &["serve", "--once"]);
        assert!(output.status.code().is_some(), "{file}: {}", said(&output));
        assert_eq!(fs::read_to_string(&foreign).unwrap(), "somebody else's\n", "{file}: {}", said(&output));
        assert_eq!(fs::metadata(&foreign).unwrap().permissions().mode() & 0o777, 0o664, "{file}");
        // `_host.jsonl` is moved out of the way, link and all.
        let _ = fs::remove_file(&path);
        if was {
            fs::rename(&kept, &path).unwrap();
        }
    }
    assert!(musterd(&dir, &["serve", "--once"]).status.success());
    // A directory on another disk.
    let elsewhere = place.path().join("elsewhere");
    fs::rename(dir.join("mirror"), &elsewhere).unwrap();
    fs::set_permissions(&elsewhere, fs::Permissions::from_mode(0o2770)).unwrap();
    std::os::unix::fs::symlink(&elsewhere, dir.join("mirror")).unwrap();
    let output = musterd(&dir, &["serve", "--once"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(fs::metadata(&elsewhere).unwrap().permissions().mode() & 0o7777, 0o2770);
}

/// A pipe has no writer here, so whoever opens it to read waits for ever.
#[test]
fn a_pipe_where_a_file_should_be_is_refused_and_not_waited_for() {
    let place = campaign();
    let dir = place.path().join("host");
    assert!(musterd(&dir, &["serve", "--once"]).status.success());
    fs::create_dir_all(dir.join("games/lga/scenarios")).unwrap();
    for (file, command) in [
        ("musterd.yaml", &["config", "check"][..]),
        ("musterd.yaml", &["status"]),
        ("musterd.yaml", &["deliver"]),
        ("format", &["status"]),
        ("store/conf", &["status"]),
        ("store/conf", &["serve", "--once"]),
        ("store/conf", &["config", "check"]),
        ("spool/decided.jsonl", &["config", "check"]),
        ("mirror/alpha.jsonl", &["status"]),
        ("secrets/alpha.secret", &["serve", "--once"]),
        ("secrets/alpha.secret", &["backup", "-"]),
        ("games/lga/scenarios/mine.yaml", &["scenarios"]),
        ("games/lga/scenarios/mine.yaml", &["config", "check"]),
        ("templates/help.txt", &["serve", "--once"]),
        ("templates/help.txt", &["templates", "check"]),
    ] {
        let (path, kept) = (dir.join(file), place.path().join("kept"));
        let was = path.exists();
        if was {
            fs::rename(&path, &kept).unwrap();
        }
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let output = musterd(&dir, command);
        fs::remove_file(&path).unwrap();
        if was {
            fs::rename(&kept, &path).unwrap();
        }
        let status = output.status.code();
        let text = said(&output);
        assert!(!matches!(status, None | Some(124 | 137)), "{file}: {command:?} hung");
        // What is wrong with one game's file, or one scenario's, stops no command that shows the others too.
        let goes_on = file.starts_with("mirror") || command == ["scenarios"];
        let fits = file.starts_with("templates") || (status == Some(0)) == goes_on;
        let told = text.contains("this is no file") && fits;
        assert!(told, "{file}: {command:?}: {status:?} {text}");
    }
    assert!(musterd(&dir, &["serve", "--once"]).status.success());
}

#[test]
fn what_has_no_place_in_a_folder_of_the_hosts_stops_no_other_work() {
    let place = campaign();
    let dir = place.path().join("host");
    assert!(musterd(&dir, &["serve", "--once"]).status.success());
    fs::create_dir(dir.join("spool/tmp/folder")).unwrap();
    std::os::unix::fs::symlink("/nowhere", dir.join("secrets/link.secret")).unwrap();
    let output = musterd(&dir, &["serve", "--once"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    // What has the name of a mail is told, and stops no other mail.
    let name = dir.join("spool/new/1795262400-00000000000000000000000000000000.eml");
    for make in ["mkdir", "mkfifo", "ln -s /nowhere/at-all", "ln -s /dev/zero", "ln -s ."] {
        let mut words = make.split(' ');
        assert!(Command::new(words.next().unwrap()).args(words).arg(&name).status().unwrap().success());
        let make = make.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let hello = format!("From: {make}@b.example\r\nTo: {HOST}\r\nSubject: hi\r\n\r\nhello\r\n");
        put(&dir.join("mail").join(HOST), &make, hello.as_bytes(), NOON);
        let output = musterd(&dir, &["serve", "--once"]);
        assert_eq!(output.status.code(), Some(1), "{make}: {}", said(&output));
        assert!(said(&output).contains("was altered after it was kept"), "{make}: {}", said(&output));
        let checked = musterd(&dir, &["config", "check"]);
        assert!(said(&checked).contains("1795262400-"), "{make}: {}", said(&checked));
        let packed = musterd(&dir, &["backup", place.path().join(&make).to_str().unwrap()]);
        assert_eq!(packed.status.code(), Some(1), "{make}: {}", said(&packed));
        assert!(said(&packed).contains("is not in this backup"), "{make}: {}", said(&packed));
        assert!(dir.join(format!("mail/{make}@b.example/new")).exists(), "{make}: {}", said(&output));
        let _ = fs::remove_file(&name).or_else(|_| fs::remove_dir(&name));
    }
}

#[test]
fn what_is_shut_to_the_daemons_user_is_named_and_a_shut_store_is_no_lost_one() {
    let place = campaign();
    let dir = place.path().join("host");
    assert!(musterd(&dir, &["serve", "--once"]).status.success());
    // Root may do everything: the rest is tried as another user.
    let given = Command::new("chown").args(["-R", "65534"]).arg(place.path()).status().unwrap().success();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = place.path().join("musterd");
    fs::copy(env!("CARGO_BIN_EXE_musterd"), &program).unwrap();
    let as_nobody = |arguments: &[&str]| {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=65534", "--clear-groups"])
            .arg(&program)
            .arg("--dir")
            .arg(&dir)
            .args(arguments);
        command.env_remove("MUSTERD_LOG").output().unwrap()
    };
    if !given || !as_nobody(&["status"]).status.success() {
        skipped("only root can go as another user");
        return;
    }
    for part in ["secrets", "mirror", "store", "spool/new", "templates"] {
        let path = dir.join(part);
        let mode = fs::metadata(&path).unwrap().permissions();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        let checked = as_nobody(&["config", "check"]);
        let served = as_nobody(&["serve", "--once"]);
        let kind = if part == "templates" { "fault" } else { "error" };
        fs::set_permissions(&path, mode).unwrap();
        assert!(kind == "error" || served.status.success(), "{part}: {}", said(&served));
        assert_eq!(checked.status.code(), Some(1), "{part}: {}", said(&checked));
        assert!(
            said(&checked).contains(&format!("{part}: {kind}: it can't be read")),
            "{part}: {}",
            said(&checked)
        );
        assert!(!said(&served).contains("rebuilt"), "{part}: {}", said(&served));
    }
    let inbox = format!("mail/{HOST}/cur");
    for (part, told) in
        [("secrets/alpha.secret", "with mode 600"), (&inbox, "so no mail comes in from there")]
    {
        let path = dir.join(part);
        let mode = fs::metadata(&path).unwrap().permissions();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        let checked = as_nobody(&["config", "check"]);
        fs::set_permissions(&path, mode).unwrap();
        let text = said(&checked);
        assert!(
            checked.status.code() == Some(1) && text.contains(part) && text.contains(told),
            "{part}: {text}"
        );
    }
    assert_eq!(as_nobody(&["config", "check"]).status.code(), Some(0));
}

#[test]
fn a_template_of_one_game_that_is_broken_stops_nothing_and_is_told() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    drop(host);
    for (path, text) in [
        ("alpha/receipt.txt", &b"{% if %}"[..]),
        ("alpha/notes.txt", b"what I mean to change"),
        ("help.txt", b"caf\xe9"),
    ] {
        let path = camp.path().join("templates").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut host = camp.open();
    let found = ailments(&mut host);
    let about: Vec<&str> = found.iter().map(|(about, _)| about.as_str()).collect();
    assert_eq!(about, ["template"; 3], "{found:?}");
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 3")));
    let before = camp.count("red", "receipt");
    settle(&mut host);
    assert_eq!(camp.count("red", "receipt"), before + 1, "in the usual words");
    drop(host);
    // The GM hears of the game's own from the daemon, and once.
    let told = || camp.mails(GM).iter().filter(|mail| mail.subject.contains("template")).count();
    let options = || camp.options();
    for _ in 0..2 {
        musterd::daemon::serve::serve(&options, musterd::daemon::serve::Run::Once, &|_| {}).unwrap();
    }
    assert_eq!(told(), 2, "one for each of the game's own files");
}

//! Backups: made while the daemon works, restored elsewhere to the same games, mails and marks; nothing is sent or done twice.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use musterd::daemon::archive;
use musterd::daemon::{Host, HostError, Reply, Request, Snapshot};
use musterd::dice::GameId;
use musterd::engine::journal::Entry;
use musterd::fault::{self, Plan};
use musterd::report::built_in_templates;
use tempfile::TempDir;

use crate::support::{Camp, HOUR, NOON, block, founded, journal, settle, verdicts};

fn snapshot(host: &mut Host) -> Snapshot {
    match host.execute(Request::Snapshot).unwrap() {
        Reply::Snapshot(snapshot) => snapshot,
        other => panic!("{other:?}"),
    }
}

/// A backup of a camp as it is now, in a file.
fn back_up(camp: &Camp, host: &mut Host) -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("backup.tar");
    let mut file = fs::File::create(&path).unwrap();
    let packed = archive::pack(camp.path(), snapshot(host), &mut file).unwrap();
    assert_eq!(packed.damaged, [""; 0]);
    (place, path)
}

/// A camp restored from a backup, at the same time.
fn restored(from: &Camp, backup: &Path) -> (Camp, archive::Restored) {
    let camp = from.elsewhere();
    let restored = archive::restore(backup, camp.path()).unwrap();
    musterd::post::create(&camp.inbox()).unwrap();
    (camp, restored)
}

/// The journals, and what the status says of games and of mails to and from each seat.
fn content(host: &mut Host) -> (BTreeMap<GameId, Vec<Entry>>, String) {
    let Reply::Status { mut games } = host.execute(Request::Status { game: None }).unwrap() else { panic!() };
    // Maildirs are no part of a backup.
    games.iter_mut().for_each(|game| game.warnings.clear());
    let status = format!("{games:?}");
    let entries = games.into_iter().map(|game| {
        let Reply::Journal { entries } = host.execute(Request::Journal { game: game.game.clone() }).unwrap()
        else {
            panic!()
        };
        (game.game, entries)
    });
    (entries.collect(), status)
}

#[test]
fn a_restored_host_knows_what_was_done_and_sent_and_goes_on() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("red", "dispatch", "bid-red", &block("BID 3")));
    settle(&mut host);
    // One mail waits in the spool, and one to be sent.
    camp.post(camp.answer("blue", "dispatch", "bid-blue", &block("BID 2")));
    let (mut sources, _) = crate::support::local_mail(&host);
    sources[0].drain(host.spool()).unwrap();
    let (_place, backup) = back_up(&camp, &mut host);
    let before = content(&mut host);

    let (other, restored) = restored(&camp, &backup);
    assert_eq!((restored.mails_waiting, restored.outbox), (1, 0));
    assert!(restored.mails_done >= 4, "{restored:?}");
    let mut there = other.open();
    assert_eq!(content(&mut there), before);
    settle(&mut there);
    assert_eq!(
        verdicts(&mut there).len(),
        verdicts(&mut host).len() + 1,
        "the waiting mail is dealt with, the others not again"
    );
    let mails = fs::read_dir(other.path().join("mail")).unwrap().count();
    assert_eq!(
        mails, 2,
        "nothing was sent but the receipt for the mail that waited: the host's box and blue's"
    );
    assert_eq!(other.count("blue", "receipt"), 1);

    // The original deals with the same mail: both come to the same turn.
    settle(&mut host);
    for camp in [&camp, &other] {
        camp.wait(25 * HOUR);
    }
    settle(&mut host);
    settle(&mut there);
    assert_eq!(journal(&mut there), journal(&mut host));
    for camp in [&camp, &other] {
        assert_eq!(camp.count("umpire", "dispatch"), if std::ptr::eq(camp, &other) { 1 } else { 2 });
    }
}

#[test]
fn what_came_after_the_moment_of_the_backup_is_not_half_in_it() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let moment = snapshot(&mut host);
    let then = journal(&mut host);
    // The daemon goes on while the backup is written: a turn runs and mail comes.
    camp.post(camp.answer("red", "dispatch", "bid-red", &block("BID 3")));
    settle(&mut host);
    camp.wait(25 * HOUR);
    settle(&mut host);
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("backup.tar");
    archive::pack(camp.path(), moment, &mut fs::File::create(&path).unwrap()).unwrap();
    let (other, restored) = restored(&camp, &path);
    other.clock.set(NOON);
    assert_eq!(restored.mails_waiting, 1, "a mail that had its effect after the moment waits again");
    let mut there = other.open();
    assert_eq!(journal(&mut there), then);
    settle(&mut there);
    assert!(verdicts(&mut there).iter().filter(|word| *word == "accepted").count() > 3);
}

#[test]
fn mails_that_are_held_are_held_after_a_restore_too() {
    let camp = crate::journals::put_back();
    let mut host = camp.open();
    let (_place, backup) = back_up(&camp, &mut host);
    let before = verdicts(&mut host);
    let (other, restored) = restored(&camp, &backup);
    assert_eq!(restored.mails_waiting, 0);
    let mut there = other.open();
    settle(&mut there);
    assert_eq!(verdicts(&mut there), before);
    let Reply::Vitals(vitals) = there.execute(Request::Vitals).unwrap() else { panic!() };
    assert_eq!(vitals.spool_held.len(), 3);
}

#[test]
fn an_archive_that_was_altered_anywhere_is_refused_and_leaves_nothing() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let (_place, backup) = back_up(&camp, &mut host);
    let good = fs::read(&backup).unwrap();
    let place = tempfile::tempdir().unwrap();
    let (bad, dir) = (place.path().join("bad.tar"), place.path().join("dir"));
    let mut refused = 0;
    let places = (0..good.len()).step_by(good.len() / 150);
    for at in places {
        let mut bytes = good.clone();
        bytes[at] ^= 0x11;
        fs::write(&bad, bytes).unwrap();
        match archive::restore(&bad, &dir) {
            Err(error) => {
                refused += 1;
                assert!(matches!(error, HostError::Archive { .. }), "byte {at}: {error}");
                assert!(!dir.exists(), "byte {at} left something");
            }
            // The time of a file or the fill of a block: nothing that is restored.
            Ok(_) => fs::remove_dir_all(&dir).unwrap(),
        }
        fs::write(&bad, &good[..at]).unwrap();
        // Behind the last file a tar ends with nothing but zeros.
        let cut = archive::restore(&bad, &dir);
        assert!(cut.is_err() && !dir.exists() || at + 2048 > good.len(), "cut at {at}");
        let _ = fs::remove_dir_all(&dir);
    }
    assert!(refused > 100, "{refused}");
}

/// A tar file of these members: path, type, content.
fn tar_of(members: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (path, kind, bytes) in members {
        let mut header = tar::Header::new_gnu();
        // As somebody would write it who means harm: the library itself refuses `..`.
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o777);
        if *kind == tar::EntryType::Symlink {
            header.set_link_name("/etc").unwrap();
        }
        header.set_cksum();
        tar.append(&header, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

#[test]
fn an_archive_made_to_do_harm_is_refused() {
    let file = tar::EntryType::Regular;
    let manifest = |path: &str, bytes: &str| {
        format!(
            "{{\"backup\":1,\"program\":\"0\",\"format\":2,\"snapshot\":{{\"at\":0,\"mirrors\":{{}},\"games\":[]}},\
             \"files\":[{{\"path\":\"{path}\",\"bytes\":{bytes},\"sha256\":\"00\"}}]}}"
        )
    };
    let place = tempfile::tempdir().unwrap();
    let (bad, dir) = (place.path().join("bad.tar"), place.path().join("dir"));
    let escape = manifest("../evil", "1");
    let absolute = manifest("/tmp/evil", "1");
    let link = manifest("spool", "0");
    let large = manifest("musterd.yaml", "9000000000000000000");
    let mine = manifest("musterd.yaml", "1");
    let newer = mine.replace("\"backup\":1", "\"backup\":9");
    let cases: [(&str, Vec<u8>); 8] = [
        (
            "no path for a file",
            tar_of(&[("manifest.json", file, escape.as_bytes()), ("../evil", file, b"x")]),
        ),
        (
            "no path for a file",
            tar_of(&[("manifest.json", file, absolute.as_bytes()), ("/tmp/evil", file, b"x")]),
        ),
        (
            "something else",
            tar_of(&[("manifest.json", file, link.as_bytes()), ("spool", tar::EntryType::Symlink, b"")]),
        ),
        ("MB are free", tar_of(&[("manifest.json", file, large.as_bytes()), ("musterd.yaml", file, b"x")])),
        (
            "isn't what its manifest says",
            tar_of(&[("manifest.json", file, mine.as_bytes()), ("musterd.yaml", file, b"x")]),
        ),
        ("newer than this one", tar_of(&[("manifest.json", file, newer.as_bytes())])),
        ("begin with a manifest", tar_of(&[("musterd.yaml", file, b"x")])),
        ("", b"no tar at all".repeat(100)),
    ];
    for (wanted, bytes) in cases {
        fs::write(&bad, bytes).unwrap();
        let error = archive::restore(&bad, &dir).unwrap_err().to_string();
        assert!(
            error.contains(wanted) && error.contains("bad.tar") || error.contains("MB are free"),
            "{wanted}: {error}"
        );
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "{wanted}: something was made");
    }
}

#[test]
fn nothing_is_restored_over_anything() {
    let camp = Camp::new();
    let mut host = camp.open();
    let (_place, backup) = back_up(&camp, &mut host);
    drop(host);
    let error = archive::restore(&backup, camp.path()).unwrap_err();
    assert!(matches!(&error, HostError::Usage(why) if why.contains("isn't empty")), "{error}");
    assert!(camp.path().join("musterd.yaml").exists());
}

#[test]
fn a_restore_that_the_disk_stops_leaves_nothing() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let (_place, backup) = back_up(&camp, &mut host);
    for n in 1..=3 {
        let other = camp.elsewhere();
        let armed = fault::arm(Plan::disk_full_from(n).only("store."));
        let error = archive::restore(&backup, other.path()).unwrap_err();
        drop(armed);
        assert!(error.to_string().contains("disk is full"), "{error}");
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0, "call {n}");
    }
}

#[test]
fn a_damaged_mail_is_told_and_a_damaged_journal_is_left_out_of_the_backup() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let moment = snapshot(&mut host);
    let done = camp.path().join("spool/done");
    let mail = fs::read_dir(&done).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&mail).unwrap();
    bytes[20] ^= 1;
    fs::write(&mail, bytes).unwrap();
    let packed = archive::pack(camp.path(), moment.clone(), &mut Vec::new()).unwrap();
    assert!(packed.damaged.len() == 1 && packed.damaged[0].contains("altered"), "{packed:?}");
    let journal = camp.path().join("mirror/alpha.jsonl");
    let mut bytes = fs::read(&journal).unwrap();
    bytes[1000] ^= 1;
    fs::write(&journal, bytes).unwrap();
    let mut archive = Vec::new();
    let packed = archive::pack(camp.path(), moment, &mut archive).unwrap();
    let told = &packed.damaged[0];
    assert!(told.contains("alpha.jsonl: line 1: ") && told.contains("start the daemon anew"), "{packed:?}");
    assert!(told.contains("the journal of `alpha` is not in this backup"), "{packed:?}");
    assert!(!String::from_utf8_lossy(&archive).contains("mirror/alpha.jsonl\0"));
}

/// A running daemon; killed when dropped.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn musterd(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_musterd")).arg("--dir").arg(dir).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A data directory with a campaign of computer players whose daemon runs.
fn serving(dir: &Path) -> Daemon {
    assert!(musterd(dir, &["init", dir.to_str().unwrap(), "--address", "host@example.org"]).status.success());
    let command = Command::new(env!("CARGO_BIN_EXE_musterd"))
        .arg("--dir")
        .arg(dir)
        .arg("serve")
        .stderr(Stdio::null())
        .spawn();
    let daemon = Daemon(command.unwrap());
    for _ in 0..300 {
        if musterd(dir, &["health"]).status.success() {
            return daemon;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("the daemon didn't start");
}

#[test]
fn a_daemon_that_is_killed_after_a_backup_goes_on_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    let (host, file, other) =
        (place.path().join("host"), place.path().join("b.tar"), place.path().join("other"));
    let daemon = serving(&host);
    let new = ["new", "austrian-1805", "--id", "alpha", "--deadline", "7d", "--start", "now"];
    let seats = ["--seat", "french=computer", "--seat", "allied=computer"];
    let founded = musterd(&host, &[&new[..], &seats].concat());
    assert!(founded.status.success(), "{}", said(&founded));
    // Computer against computer: turns run while the backup is made.
    let backup = musterd(&host, &["backup", file.to_str().unwrap()]);
    assert!(backup.status.success() && said(&backup).contains("1 game"), "{}", said(&backup));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!place.path().join("b.tar.new").exists());
    let again = musterd(&host, &["backup", file.to_str().unwrap()]);
    assert!(said(&again).contains("exists already") && again.status.code() == Some(2), "{}", said(&again));
    let piped = musterd(&host, &["backup", "-"]);
    assert!(piped.status.success() && piped.stdout.len() > 1000);
    drop(daemon);

    let restored =
        musterd(place.path(), &["restore", file.to_str().unwrap(), "--to", other.to_str().unwrap()]);
    assert!(restored.status.success() && said(&restored).contains("alpha: "), "{}", said(&restored));
    let entries = |dir: &Path| {
        let journal = musterd(dir, &["journal", "alpha"]).stdout;
        String::from_utf8(journal).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (there, here) = (entries(&other), entries(&host));
    assert!(
        !there.is_empty() && here.starts_with(&there),
        "the restored journal is the beginning of the first"
    );
    // What was on its way between computer players is the mail system's, and lost with it: their sealed orders count all the same.
    // Both hosts play on, from where one was killed and the other restored, and the dice of both fall the same.
    let ended = [&host, &other].map(|dir| {
        let served = musterd(dir, &["--now", "2040-01-01T00:00:00Z", "serve", "--once"]);
        assert!(served.status.success(), "{}", said(&served));
        let status: serde_json::Value =
            serde_json::from_slice(&musterd(dir, &["--json", "status"]).stdout).unwrap();
        status["games"][0]["results"].clone()
    });
    assert!(!ended[0].as_array().unwrap().is_empty(), "the campaign came to its end: {ended:?}");
    assert_eq!(ended[0], ended[1]);
    assert!(entries(&other).starts_with(&there));
}

#[test]
fn a_backup_that_can_not_be_written_leaves_no_file() {
    let place = tempfile::tempdir().unwrap();
    let host = place.path().join("host");
    assert!(musterd(&host, &["init", host.to_str().unwrap()]).status.success());
    // A file may not grow beyond four blocks of 512 bytes: as on a full disk. The store is made before.
    assert!(musterd(&host, &["status"]).status.success());
    fs::create_dir_all(host.join("templates")).unwrap();
    let mut template = fs::File::create(host.join("templates/help.txt")).unwrap();
    template.write_all("Write to us.\n".repeat(100_000).as_bytes()).unwrap();
    let file = place.path().join("b.tar");
    let script = format!(
        "trap '' XFSZ; ulimit -f 1100; exec {} --dir {} backup {}",
        env!("CARGO_BIN_EXE_musterd"),
        host.display(),
        file.display()
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).to_lowercase().contains("too large"), "{}", said(&output));
    let mut left = String::new();
    for entry in fs::read_dir(place.path()).unwrap() {
        left.push_str(entry.unwrap().file_name().to_str().unwrap());
    }
    assert_eq!(left, "host");
    let mut log = String::new();
    fs::File::open(host.join("musterd.yaml")).unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("address:"));
}

#[test]
fn an_archive_comes_by_a_pipe_and_one_that_is_packed_says_how() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let (place, backup) = back_up(&camp, &mut host);
    drop(host);
    let there = place.path().join("there");
    let restore = |input: &Path, file: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
        command.args(["restore", file, "--to"]).arg(&there).stdin(fs::File::open(input).unwrap());
        command.output().unwrap()
    };
    for (magic, program) in [(&b"\x1f\x8b\x08"[..], "gunzip -c"), (b"\x28\xb5\x2f\xfd", "zstd -dc")] {
        let packed = place.path().join("packed");
        fs::write(&packed, magic).unwrap();
        let output = restore(&packed, packed.to_str().unwrap());
        assert_eq!(output.status.code(), Some(3));
        assert!(
            said(&output).contains(program) && said(&output).contains("unpack it first"),
            "{}",
            said(&output)
        );
        assert!(!there.exists());
    }
    let note = place.path().join("note");
    fs::write(&note, "not an archive\n").unwrap();
    let output = restore(&note, "-");
    assert!(said(&output).contains("it is no backup of musterd: those are tar files"), "{}", said(&output));
    // Padded with zeros, as other programs write archives; and with more than that.
    let bytes = fs::read(&backup).unwrap();
    fs::write(&backup, [&bytes[..], b"more"].concat()).unwrap();
    let output = restore(&backup, "-");
    assert!(output.status.code() == Some(3) && said(&output).contains("behind its end"), "{}", said(&output));
    assert!(!there.exists());
    fs::write(&backup, [&bytes[..], &[0; 10_240]].concat()).unwrap();
    // The toy's games are not this program's own, so that it stops at the last step: all else is restored.
    let output = restore(&backup, "-");
    assert!(there.join("mirror/alpha.jsonl").exists(), "{}", said(&output));
}

#[test]
fn a_backup_is_not_laid_among_the_hosts_own_files() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("host");
    assert!(musterd(&dir, &["init", dir.to_str().unwrap(), "--address", "h@example.org"]).status.success());
    assert!(musterd(&dir, &["serve", "--once"]).status.success());
    for part in ["spool/new", "store", "mirror", "secrets", "templates"] {
        let file = dir.join(part).join("backup.tar");
        let output = musterd(&dir, &["backup", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{part}: {}", said(&output));
        assert!(said(&output).contains("is the host's own") && !file.exists(), "{part}: {}", said(&output));
    }
    let file = place.path().join("backup.tar");
    assert!(musterd(&dir, &["backup", file.to_str().unwrap()]).status.success());
}

/// The built-in templates with a greeting of the game's own, in a folder.
fn own_templates(dir: &Path) {
    fs::create_dir_all(dir).unwrap();
    let (_, dispatch) = built_in_templates().find(|(file, _)| *file == "dispatch.txt").unwrap();
    let own = dispatch.replace("{{ report }}", "Salut, citizen!\n\n{{ report }}");
    assert_ne!(own, dispatch);
    fs::write(dir.join("dispatch.txt"), own).unwrap();
}

#[test]
fn a_game_keeps_its_own_templates_in_backups_and_its_audit_file_is_as_any() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let (host, templates) = (at("host"), at("own"));
    let run = |dir: &Path, arguments: &[&str]| {
        let output = musterd(dir, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
        said(&output)
    };
    run(&host, &["init", host.to_str().unwrap(), "--address", "host@example.org"]);
    let new = |id: &str, templates: &Path| {
        let seats = ["--seat", "french=anna@example.org", "--seat", "allied=computer", "--start", "now"];
        let own = ["new", "lga/austrian-1805", "--id", id, "--templates", templates.to_str().unwrap()];
        musterd(&host, &[&own[..], &seats[..]].concat())
    };
    // A folder that isn't there, one without templates, and one with a fault found nothing.
    fs::create_dir_all(at("none")).unwrap();
    fs::create_dir_all(at("faulty")).unwrap();
    fs::write(at("faulty").join("dispatch.txt"), "{% if %}").unwrap();
    for (folder, why) in
        [("missing", "missing"), ("none", "there is no template in it"), ("faulty", "dispatch.txt")]
    {
        let output = new("beta", &at(folder));
        assert!(!output.status.success() && said(&output).contains(why), "{folder}: {}", said(&output));
    }
    own_templates(&templates);
    let output = new("alpha", &templates);
    assert!(output.status.success(), "{}", said(&output));
    // The journal has them: the folder isn't needed any more.
    fs::remove_dir_all(&templates).unwrap();
    let report = run(&host, &["report", "alpha", "french"]);
    assert!(report.contains("Salut, citizen!"), "{report}");
    assert!(!run(&host, &["status"]).contains("beta"));

    let (backup, other) = (at("backup.tar"), at("other"));
    run(&host, &["backup", backup.to_str().unwrap()]);
    run(&other, &["restore", backup.to_str().unwrap()]);
    // How long there is until the deadline, the clock says.
    let timeless = |page: &str| {
        page.lines().filter(|line| !line.starts_with("Orders ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(timeless(&run(&other, &["report", "alpha", "french"])), timeless(&report));
    // Wording is nothing of the game's: the audit file has none of it, and is verified and played again as any.
    for (dir, name) in [(&host, "one.json"), (&other, "two.json")] {
        run(dir, &["gm", "alpha", "REVEAL 1", "--yes"]);
        let file = at(name);
        run(dir, &["audit", "alpha", "--out", file.to_str().unwrap()]);
        assert!(!fs::read_to_string(&file).unwrap().contains("citizen"));
        let told = run(dir, &["verify", file.to_str().unwrap(), "--replay"]);
        assert!(!told.contains("FAILED"), "{told}");
    }
}

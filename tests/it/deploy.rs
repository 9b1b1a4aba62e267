//! What lies in `deploy/`: the unit is judged by systemd's own tools.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A file of `deploy/`.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(name)
}

/// Runs `systemd-analyze`; none where the machine hasn't got it.
fn systemd_analyze(arguments: &[&str], on: &Path) -> Option<Output> {
    match Command::new("systemd-analyze").args(arguments).arg(on).output() {
        Ok(output) => Some(output),
        Err(error) => {
            eprintln!("SKIPPED: the unit is not checked here: systemd-analyze: {error}");
            assert!(
                std::env::var_os("MUSTERD_NO_SERVERS").is_some(),
                "systemd-analyze is missing: run tests/run, or install systemd, or set MUSTERD_NO_SERVERS=1"
            );
            None
        }
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A copy of the unit whose program is the built one, with these drop-ins: what is verified must be there to be run.
fn installed(drop_ins: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let unit = fs::read_to_string(file("musterd.service")).unwrap();
    assert!(unit.contains("ExecStart=/usr/bin/musterd serve\n"));
    let path = dir.path().join("musterd.service");
    fs::write(&path, unit.replace("/usr/bin/musterd", env!("CARGO_BIN_EXE_musterd"))).unwrap();
    let folder = dir.path().join("musterd.service.d");
    fs::create_dir(&folder).unwrap();
    for name in drop_ins {
        fs::copy(file(name), folder.join(name)).unwrap();
    }
    (dir, path)
}

#[test]
fn the_unit_is_hardened() {
    let check = ["security", "--offline=true", "--threshold=25"];
    let Some(judged) = systemd_analyze(&check, &file("musterd.service")) else { return };
    assert!(judged.status.success(), "{}", said(&judged));
}

#[test]
fn the_unit_with_a_static_user_is_as_hardened() {
    let (_dir, unit) = installed(&["static-user.conf"]);
    let check = ["security", "--offline=true", "--threshold=25"];
    let Some(judged) = systemd_analyze(&check, &unit) else { return };
    assert!(judged.status.success(), "{}", said(&judged));
}

#[test]
fn systemd_understands_every_line_of_the_unit() {
    for drop_ins in [&[][..], &["static-user.conf"]] {
        let (_dir, unit) = installed(drop_ins);
        let Some(verified) = systemd_analyze(&["verify", "--man=no"], &unit) else { return };
        assert!(verified.status.success() && said(&verified).is_empty(), "{drop_ins:?}: {}", said(&verified));
    }
}

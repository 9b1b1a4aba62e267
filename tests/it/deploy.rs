//! What lies in `deploy/`: the unit is judged by systemd's own tools; the container files, without an engine, as far as what they name
//! can be looked up.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::skips::has;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of `deploy/`.
fn file(name: &str) -> PathBuf {
    root().join("deploy").join(name)
}

/// Runs `systemd-analyze`; none where the machine hasn't got it, which is said.
fn systemd_analyze(arguments: &[&str], on: &Path) -> Option<Output> {
    if !has("systemd-analyze", "systemd") {
        return None;
    }
    Some(Command::new("systemd-analyze").args(arguments).arg(on).output().unwrap())
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

#[test]
fn compose_mounts_what_is_there_and_copies_what_the_context_has() {
    let text = fs::read_to_string(file("compose/compose.yaml")).unwrap();
    let compose: serde_yaml::Value = serde_yaml::from_str(&text).unwrap();
    let prepare = fs::read_to_string(file("compose/prepare")).unwrap();
    let is_there = |path: &str| match path.strip_prefix("site/") {
        Some(made) => prepare.contains(&format!("site.new/{made}")),
        None => path == "site" || file("compose").join(path).exists(),
    };
    let named = |value: &serde_yaml::Value| -> Vec<String> {
        let names = value.as_mapping().unwrap().keys().map(|key| key.as_str().unwrap().to_owned());
        names.collect()
    };
    let volumes = named(&compose["volumes"]);
    assert_eq!(named(&compose["services"]), ["dovecot", "postfix", "musterd"]);
    for (service, what) in compose["services"].as_mapping().unwrap() {
        for mount in what["volumes"].as_sequence().unwrap() {
            let (source, _at) = mount.as_str().unwrap().split_once(':').unwrap();
            let known = match source.strip_prefix("./") {
                Some(path) => is_there(path),
                None => volumes.iter().any(|volume| volume == source),
            };
            assert!(known, "{service:?} mounts {source}, which nobody makes");
        }
        let context = file("compose").join(what["build"]["context"].as_str().unwrap());
        assert!(context.join(what["build"]["dockerfile"].as_str().unwrap()).exists());
    }
    for (secret, from) in compose["secrets"].as_mapping().unwrap() {
        let from = from["file"].as_str().unwrap().strip_prefix("./").unwrap();
        assert!(is_there(from), "nobody makes the secret {secret:?}");
        let yaml = fs::read_to_string(file("compose/musterd.yaml")).unwrap();
        assert!(yaml.contains(&format!("password_credential: {}", secret.as_str().unwrap())));
    }
    // What the build needs is in its context: every file of the manifest, and what the sources include.
    let context = fs::read_to_string(root().join(".dockerignore")).unwrap();
    let mut needed: BTreeSet<String> = ["Cargo.lock", "Cargo.toml", "benches"].map(str::to_owned).into();
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let targets = manifest.lines().filter_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'));
    let folder =
        |path: &'_ str| ["src", "docs"].into_iter().find(|whole| path.starts_with(&format!("{whole}/")));
    needed.extend(targets.map(|path| folder(path).unwrap_or(path).to_owned()));
    let members = manifest.split('"').filter(|word| word.starts_with("tests/") && !word.ends_with(".rs"));
    needed.extend(members.map(str::to_owned));
    included(&root().join("src"), &mut needed);
    assert!(needed.contains("games") && needed.contains("templates"), "{needed:?}");
    for path in needed {
        assert!(context.lines().any(|line| line == format!("!{path}")), "{path} is not in the context");
    }
}

/// The folders of the repository that sources below a directory name as `"../../FOLDER/...`, and the targets of the manifests there.
fn included(dir: &Path, folders: &mut BTreeSet<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            included(&path, folders);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            let relative = text.split('"').filter(|word| word.starts_with("../"));
            let inside = relative.map(|path| path.trim_start_matches("../"));
            if path.ends_with("Cargo.toml") {
                folders.extend(inside.map(str::to_owned));
                continue;
            }
            let folder = |path: &str| path.split('/').next().map(str::to_owned);
            folders.extend(inside.filter_map(folder).filter(|folder| root().join(folder).is_dir()));
        }
    }
}

#[test]
fn the_container_files_run_commands_that_there_are() {
    let commands = musterd::cli::command();
    let text = fs::read_to_string(file("Containerfile")).unwrap();
    let run = |line: &str| {
        let list = &line[line.find('[')?..];
        serde_json::from_str::<Vec<String>>(list).ok()
    };
    let run: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with("CMD") || line.starts_with("HEALTHCHECK"))
        .map(|line| run(line).unwrap().pop().unwrap())
        .collect();
    assert_eq!(run, ["health", "serve"]);
    for name in run {
        assert!(commands.find_subcommand(&name).is_some(), "there is no `musterd {name}`");
    }
}

//! What commands write: every option that names a file or a directory is found in the definitions of the commands, and tried where it
//! must not write. Nothing that is there is damaged, and it is said what to do.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use musterd::cli::{OutDir, OutFile};
use tempfile::TempDir;

use super::namespaces::{self, said};
use super::skips::skipped;

/// A command's words, and the name of the argument.
type Argument = (String, String);

/// The arguments of this type, of all commands.
fn arguments(wanted: TypeId) -> BTreeSet<Argument> {
    fn look(command: &clap::Command, path: &str, wanted: TypeId, found: &mut BTreeSet<Argument>) {
        for argument in command.get_arguments().filter(|argument| !argument.is_global_set()) {
            if argument.get_value_parser().type_id() == wanted {
                found.insert((path.to_owned(), argument.get_id().to_string()));
            }
        }
        for inner in command.get_subcommands() {
            look(inner, format!("{path} {}", inner.get_name()).trim(), wanted, found);
        }
    }
    let mut found = BTreeSet::new();
    look(&musterd::cli::command(), "", wanted, &mut found);
    found
}

/// How a file comes to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Whole.
    Whole,
    /// It is begun, and grows.
    Grows,
    /// It grows if it is there.
    GrowsOnly,
}

/// An output, and how it is asked for.
struct Written {
    command: String,
    way: Way,
    before: Vec<String>,
    after: Vec<String>,
}

impl Written {
    fn of((command, argument): Argument) -> Self {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (way, before, after) = match (command.as_str(), argument.as_str()) {
            ("audit", "out") => (Way::Whole, "demo --out", ""),
            ("escrow", "out") => (Way::Whole, "demo --out", ""),
            ("scenario copy", "file") => (Way::Whole, "austrian-1805", ""),
            ("backup", "file") => (Way::Whole, "", ""),
            ("dog next", "out") => (Way::Whole, "demo --money red=90 --money blue=90 --out", ""),
            ("dog reveal", "out") => (Way::Whole, "--session evening.jsonl --out", ""),
            ("dog strike" | "dog shoot" | "dog hide" | "dog initiative" | "dog session", "session") => {
                let words = match command.rsplit(' ').next().unwrap() {
                    "strike" => "9",
                    "shoot" => "20 archers at 12 orcs",
                    "hide" => "12 elves in forest",
                    "initiative" => "red blue",
                    _ => "",
                };
                (Way::Grows, "--session", words)
            }
            ("dog table", "session") => (Way::Grows, "--session", ""),
            ("dog reveal", "session") => (Way::GrowsOnly, "--out revealed.json --session", ""),
            other => panic!(
                "{other:?} names a file to be written: say here how it is asked for, so that it is tried"
            ),
        };
        Self { way, before: [words(&command), words(before)].concat(), after: words(after), command }
    }

    fn all() -> Vec<Self> {
        arguments(TypeId::of::<OutFile>()).into_iter().map(Self::of).collect()
    }

    /// Has it written there, by somebody who works on a host.
    fn run(&self, home: &Home, host: &Path, target: &Path, force: bool) -> Output {
        let mut command = Command::new("timeout");
        command.args(["60", env!("CARGO_BIN_EXE_musterd"), "--dir"]).arg(host);
        command.current_dir(home.path()).args(&self.before).arg(target).args(&self.after);
        if force {
            command.arg("--force");
        }
        command.stdin(Stdio::null()).env_remove("MUSTERD_DIR").output().unwrap()
    }
}

/// A directory with a host in it.
struct Home(TempDir);

impl Home {
    /// A host on which a battle was played, and a sitting at a table.
    fn played() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        home.done(&["demo", "dog/training", "--keep", "host"]);
        home.done(&["--dir", "host", "dog", "strike", "9", "--session", "evening.jsonl"]);
        home
    }

    /// One that only looks so: what must not be written is refused before anything is read.
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        home.done(&["init", "host", "--address", "campaign@example.org"]);
        for file in OWN {
            let path = home.host().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if !path.exists() {
                fs::write(path, "the host's").unwrap();
            }
        }
        for folder in ["games/dog/scenarios", "spool/new", "spool/tmp", "mail/campaign@example.org/new"] {
            fs::create_dir_all(home.host().join(folder)).unwrap();
        }
        fs::write(home.path().join("evening.jsonl"), "").unwrap();
        home
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn host(&self) -> PathBuf {
        self.path().join("host")
    }

    fn musterd(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
        command.current_dir(self.path()).args(arguments).env_remove("MUSTERD_DIR").output().unwrap()
    }

    fn done(&self, arguments: &[&str]) {
        let output = self.musterd(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    }
}

/// Everything that lies in a directory: which file, of what kind and length, written when, leading where.
type Tree = BTreeMap<PathBuf, (u64, u32, u64, i64, i64, Option<PathBuf>)>;

fn tree(dir: &Path) -> Tree {
    fn look(path: &Path, found: &mut Tree) {
        let meta = fs::symlink_metadata(path).unwrap();
        let link = fs::read_link(path).ok();
        // That a directory had a name for a moment is no harm.
        let (length, at, nanos) =
            if meta.is_dir() { (0, 0, 0) } else { (meta.len(), meta.mtime(), meta.mtime_nsec()) };
        found.insert(path.to_owned(), (meta.ino(), meta.mode(), length, at, nanos, link));
        if meta.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| look(&entry.unwrap().path(), found));
        }
    }
    let mut found = Tree::new();
    look(dir, &mut found);
    found
}

/// What changed between two trees.
fn changed(before: &Tree, dir: &Path) -> Vec<PathBuf> {
    let after = tree(dir);
    let all: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    all.into_iter().filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

/// Nothing was done, the user is told why, and it contains this.
fn refused(output: &Output, why: &str, what: &str) {
    assert!(matches!(output.status.code(), Some(2 | 3)), "{what}: {output:?}");
    assert!(said(output).contains(why), "{what}: not `{why}` but {}", said(output));
}

#[test]
fn every_option_that_takes_a_path_is_known_to_write_or_only_to_read() {
    assert!(Written::all().len() >= 11);
    let read: BTreeSet<Argument> = [
        ("", "dir"),
        ("", "seed_file"),
        ("check", "file"),
        ("config check", "file"),
        ("escrow", "check"),
        ("new", "templates"),
        ("restore", "file"),
        ("verify", "paths"),
        ("verify", "secret"),
    ]
    .map(|(command, argument)| (command.to_owned(), argument.to_owned()))
    .into();
    let mut paths = arguments(TypeId::of::<PathBuf>());
    let cli = musterd::cli::command();
    let global = cli
        .get_arguments()
        .filter(|argument| argument.get_value_parser().type_id() == TypeId::of::<PathBuf>());
    paths.extend(global.map(|argument| (String::new(), argument.get_id().to_string())));
    assert_eq!(
        paths, read,
        "an option that is written to has the type OutFile or OutDir; one that is read from stands here"
    );
}

/// Only these make, rename or open files for writing: what a user names is written by `fresh` alone.
#[test]
fn nothing_else_in_the_program_makes_files() {
    const MAKE: [&str; 12] = [
        "fs::write",
        "File::create",
        "OpenOptions",
        "File::options",
        "fs::rename",
        "fs::copy",
        "hard_link",
        "openat(",
        "renameat",
        "os::unix::fs::symlink",
        "OFlags::CREATE",
        "create_new(",
    ];
    let allowed: BTreeSet<&str> = [
        "disk/fresh.rs",
        // The host's own, in directories of its own.
        "daemon/archive/unpack.rs",
        "daemon/secrets/vault.rs",
        "post/aside.rs",
        "post/fsio.rs",
        "disk/regular.rs",
        "store/layout.rs",
        "store/store.rs",
        "store/recovery.rs",
    ]
    .into();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            if MAKE.iter().any(|word| code.contains(word)) {
                found.insert(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, allowed, "files are made by musterd_disk::fresh");
}

/// What is the host's own and there: first that without which a game is lost.
const OWN: [&str; 8] = [
    "musterd.yaml",
    "format",
    "store.lock",
    "secrets/demo.secret",
    "mirror/demo.jsonl",
    "store/db",
    "spool/done/a-mail",
    "templates/dispatch.txt.example",
];
const OF_GAMES: usize = 6;
/// What could become the host's own.
const NOT_THERE: [&str; 16] = [
    "MUSTERD.YAML",
    "Secrets",
    "format.new",
    "control.sock",
    "imap-0.cursor",
    "store.damaged-1",
    "spool/x",
    "spool/new/x",
    "secrets/x.json",
    "secrets/demo.secret.new",
    "secrets/_host.secret",
    "mirror/x.jsonl",
    "store/x",
    "templates/dispatch.txt",
    "mail/x",
    "mail/campaign@example.org/new/x",
];

#[test]
fn no_option_writes_over_or_into_what_is_the_hosts_own() {
    let home = Home::new();
    let (host, aside) = (home.host(), home.path().join("aside"));
    fs::create_dir(&aside).unwrap();
    symlink(&host, home.path().join("way")).unwrap();
    let all = Written::all();
    let audit = all.iter().position(|written| written.command == "audit").unwrap();
    for (n, path) in OWN.iter().chain(&NOT_THERE).enumerate() {
        let file = host.join(path);
        let (folder, name) = (file.parent().unwrap(), file.file_name().unwrap());
        symlink(folder, aside.join(format!("way{n}"))).unwrap();
        let mut ways = vec![
            file.clone(),
            home.path().join("way").join(path),
            host.join("spool/../secrets/..").join(path),
            aside.join(format!("way{n}")).join(name),
        ];
        if n < OF_GAMES {
            symlink(&file, aside.join(format!("link{n}"))).unwrap();
            fs::hard_link(&file, aside.join(format!("twin{n}"))).unwrap();
            ways.extend(["link", "twin"].map(|kind| aside.join(format!("{kind}{n}"))));
        }
        let before = tree(home.path());
        for (m, written) in all.iter().enumerate() {
            // Of one option every way there, of the others one in turn, and what could become the host's own in turn too.
            let tried = match m == audit {
                true => ways.clone(),
                false if n < OWN.len() || n % all.len() == m => vec![ways[(n + m) % ways.len()].clone()],
                false => Vec::new(),
            };
            for way in tried.into_iter().filter(|way| written.way != Way::GrowsOnly || way.is_file()) {
                let what = format!("{} {}", written.command, way.display());
                let output = written.run(&home, &host, &way, written.way == Way::Whole);
                refused(&output, "which is the host's own", &what);
                assert_eq!(changed(&before, home.path()), [""; 0].map(PathBuf::from), "{what}");
            }
        }
    }
    // By somebody who has named another host, or none.
    for written in all.iter().filter(|written| written.way != Way::GrowsOnly) {
        let output =
            written.run(&home, &home.path().join("nowhere"), &host.join("secrets/demo.secret"), false);
        refused(&output, "which is the host's own", &written.command);
    }
    // A battle of the host's own is meant to lie among its games.
    let next = all.iter().find(|written| written.command == "dog next").unwrap();
    let output = next.run(&home, &host, &host.join("games/dog/scenarios/second.yaml"), false);
    assert!(!said(&output).contains("which is the host's own"), "{}", said(&output));
}

#[test]
fn what_the_configuration_names_is_the_hosts_own_too() {
    let home = Home(tempfile::tempdir().unwrap());
    let host = home.host();
    fs::create_dir(&host).unwrap();
    fs::create_dir(home.path().join("inbox")).unwrap();
    fs::write(home.path().join("evening.jsonl"), "").unwrap();
    let config = "address: a@b.org\nmail_in: [{kind: maildir, path: ../inbox}]\n\
                  mail_out: {kind: smtp, host: h, port: 465, security: tls, user: u, password_file: word, tls_ca: ca.pem}\n";
    fs::write(host.join("musterd.yaml"), config).unwrap();
    for file in ["word", "ca.pem"] {
        fs::write(host.join(file), "hunter2").unwrap();
    }
    let before = tree(home.path());
    for written in Written::all().iter().filter(|written| written.way != Way::GrowsOnly) {
        for path in ["host/word", "host/ca.pem", "inbox/x"] {
            let output = written.run(&home, &host, &home.path().join(path), written.way == Way::Whole);
            refused(&output, "which is the host's own", &format!("{} {path}", written.command));
        }
    }
    assert_eq!(changed(&before, home.path()), [""; 0].map(PathBuf::from));
}

#[test]
fn a_mount_of_a_hosts_own_directory_is_the_hosts_own() {
    let home = Home::new();
    let script = "mount --bind host/secrets mnt && mount --bind host/spool/new new && touch ready && \
                  $0 --dir host audit demo --force --out mnt/demo.secret; $0 --dir host audit demo --out new/x";
    for folder in ["mnt", "new"] {
        fs::create_dir(home.path().join(folder)).unwrap();
    }
    let before = tree(&home.host());
    let mut unshare = Command::new("unshare");
    unshare.args(["--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_musterd")]);
    let _copies = namespaces::copies_mounts();
    let output = unshare.current_dir(home.path()).output().unwrap();
    if !home.path().join("ready").exists() {
        skipped(&format!("nothing can be mounted here: {}", said(&output)));
        return;
    }
    assert_eq!(said(&output).matches("which is the host's own").count(), 2, "{}", said(&output));
    assert_eq!(changed(&before, &home.host()), [""; 0].map(PathBuf::from));
}

#[test]
fn a_file_is_written_whole_and_over_nothing_that_was_not_meant() {
    let home = Home::played();
    let host = home.host();
    for written in Written::all().iter().filter(|written| written.way == Way::Whole) {
        let place = tempfile::tempdir_in(home.path()).unwrap();
        let at = |name: &str| place.path().join(name);
        let run = |name: &str, force| written.run(&home, &host, &at(name), force);
        let what = &written.command;
        fs::write(at("victim"), "another's").unwrap();
        let victim = || fs::read_to_string(at("victim")).unwrap();
        // A new one, with others' files and links at whatever name somebody might guess.
        for temporary in ["a.new", "a.part", "a.tmp", ".a.tmp", "a~"] {
            symlink(at("victim"), at(temporary)).unwrap();
        }
        let output = run("a", false);
        assert!(output.status.success(), "{what}: {}", said(&output));
        assert_eq!(fs::metadata(at("a")).unwrap().permissions().mode() & 0o7777, 0o600, "{what}");
        assert!(
            ["a.new", "a.part", "a.tmp", ".a.tmp", "a~"].iter().all(|name| at(name).is_symlink()),
            "{what}"
        );
        assert_eq!(victim(), "another's", "{what}");
        // One that is there stands; with --force the new one takes its place, and it is not cut short.
        let first = fs::read(at("a")).unwrap();
        fs::write(at("b"), "mine").unwrap();
        fs::hard_link(at("b"), at("b-too")).unwrap();
        refused(&run("b", false), "--force", what);
        assert_eq!(fs::read(at("b")).unwrap(), b"mine", "{what}");
        let output = run("b", true);
        assert!(output.status.success(), "{what}: {}", said(&output));
        assert_eq!(fs::read(at("b-too")).unwrap(), b"mine", "{what}");
        assert!(fs::read(at("b")).unwrap().len().abs_diff(first.len()) < 2000, "{what}");
        // Links.
        symlink(at("victim"), at("link")).unwrap();
        symlink(at("nothing"), at("loose")).unwrap();
        for link in ["link", "loose"] {
            refused(&run(link, false), "--force", what);
            assert!(at(link).is_symlink() && !at("nothing").exists(), "{what}");
            let output = run(link, true);
            assert!(output.status.success() && !at(link).is_symlink(), "{what}: {}", said(&output));
        }
        assert!(!at("nothing").exists() && victim() == "another's", "{what}");
        // What is no file, and no place for one.
        fs::create_dir(at("folder")).unwrap();
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let before = tree(place.path());
        for (name, why) in [
            ("folder", "name a file in it"),
            ("folder/", "name a file in it"),
            ("new/", "name a file in it"),
            ("none/x", "make it first"),
            ("victim/x", "make it first"),
            ("pipe", "with `-`"),
        ] {
            for force in [false, true] {
                refused(&run(name, force), why, &format!("{what} {name}"));
            }
        }
        for (path, why) in [("/proc/x.json", "choose a place"), ("/dev/null", "with `-`")] {
            refused(&written.run(&home, &host, Path::new(path), true), why, &format!("{what} {path}"));
        }
        assert_eq!(changed(&before, place.path()), [""; 0].map(PathBuf::from), "{what}");
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        for output in ["-", "/dev/stdout"] {
            let output = written.run(&home, &host, Path::new(output), false);
            assert!(
                output.status.success() && output.stdout.len().abs_diff(first.len()) < 2000,
                "{what}: {}",
                said(&output)
            );
        }
        let left = |entry: fs::DirEntry| entry.file_name().to_str().unwrap().starts_with(".musterd");
        assert!(!fs::read_dir(place.path()).unwrap().any(|entry| left(entry.unwrap())), "{what}");
    }
    assert!(!home.path().join("-").exists());
}

#[test]
fn a_session_grows_in_no_file_but_its_own() {
    let home = Home(tempfile::tempdir().unwrap());
    let host = home.path().join("nowhere");
    for written in Written::all().iter().filter(|written| written.way != Way::Whole) {
        let place = tempfile::tempdir_in(home.path()).unwrap();
        let at = |name: &str| place.path().join(name);
        let run = |name: &str| written.run(&home, &host, &at(name), false);
        let what = &written.command;
        for (name, text) in
            [("word", "hunter2"), ("notes", "one\ntwo"), ("lines", "one\ntwo\n"), ("json", "{\"at\":1")]
        {
            fs::write(at(name), text).unwrap();
        }
        symlink(at("notes"), at("link")).unwrap();
        symlink(at("nothing"), at("loose")).unwrap();
        fs::write(at("taken.secret"), "another's").unwrap();
        symlink(at("notes"), at("led.secret")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let before = tree(place.path());
        for name in [
            "word", "notes", "lines", "json", "link", "loose", "taken", "led", "folder", "folder/", "none/x",
            "pipe",
        ] {
            let output = run(name);
            assert!(matches!(output.status.code(), Some(2 | 3)), "{what} {name}: {output:?}");
            assert_eq!(
                changed(&before, place.path()),
                [""; 0].map(PathBuf::from),
                "{what} {name}: {}",
                said(&output)
            );
        }
        let output = written.run(&home, &host, Path::new("-"), false);
        assert!(
            matches!(output.status.code(), Some(2)) && !home.path().join("-").exists(),
            "{what}: {output:?}"
        );
        if written.way == Way::Grows {
            for _ in 0..2 {
                assert!(run("evening").status.success(), "{what}");
            }
            for name in ["evening", "evening.secret"] {
                assert_eq!(fs::metadata(at(name)).unwrap().permissions().mode() & 0o7777, 0o600);
            }
        }
    }
}

#[test]
fn no_host_is_made_in_or_over_another_one() {
    let home = Home(tempfile::tempdir().unwrap());
    home.done(&["init", "host", "--address", "campaign@example.org"]);
    home.done(&["--dir", "host", "serve", "--once"]);
    home.done(&["--dir", "host", "backup", "b.tar"]);
    let outputs = arguments(TypeId::of::<OutDir>());
    assert!(outputs.len() >= 3);
    for (command, argument) in outputs {
        let before: &[&str] = match (command.as_str(), argument.as_str()) {
            ("init", "place") => &["init"],
            ("demo", "keep") => &["demo", "dog/training", "--keep"],
            ("restore", "to") => &["restore", "b.tar", "--to"],
            ("gm", "files") => &["--dir", "host", "gm", "alpha", "STATUS", "--files"],
            other => panic!(
                "{other:?} names a directory to be made: say here how it is asked for, so that it is tried"
            ),
        };
        let run = |path: &str| home.musterd(&[before, &[path]].concat());
        symlink(home.host(), home.path().join("way")).ok();
        let tree_before = tree(home.path());
        for path in [
            "host",
            "way",
            "host/secrets",
            "host/secrets/x",
            "way/store/x/y",
            "host/games/x",
            "host/mail",
            "host/spool/new",
        ] {
            refused(&run(path), "", &format!("{command} {path}"));
            assert_eq!(changed(&tree_before, home.path()), [""; 0].map(PathBuf::from), "{command} {path}");
        }
        // Those of `gm` are files that follow no link.
        if matches!(command.as_str(), "demo" | "gm") {
            continue;
        }
        // One that others may write to, where they could lay links.
        let open = tempfile::tempdir_in(home.path()).unwrap();
        fs::set_permissions(open.path(), fs::Permissions::from_mode(0o777)).unwrap();
        refused(&run(open.path().to_str().unwrap()), "chmod 700", &command);
        assert_eq!(fs::read_dir(open.path()).unwrap().count(), 0, "{command}");
    }
}

#[test]
fn files_of_answers_lie_in_no_data_directory_whatever_the_working_directory_is() {
    let home = Home::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
    command
        .current_dir(home.host())
        .args(["--dir", ".", "gm", "alpha", "STATUS", "--force", "--files", "drafts"]);
    let output = command.env_remove("MUSTERD_DIR").output().unwrap();
    refused(&output, "lies in the data directory", "gm");
    assert!(!home.host().join("drafts").exists());
}

#[test]
fn a_new_host_follows_no_link_and_takes_nobodys_place() {
    let home = Home(tempfile::tempdir().unwrap());
    let make = |name: &str| {
        fs::create_dir_all(home.path().join(name).join("templates")).unwrap();
        home.path().join(name)
    };
    let victim = home.path().join("victim");
    fs::write(&victim, "another's").unwrap();
    // A configuration that is a link, even to nowhere, is there.
    for (name, target) in [("a", "victim"), ("b", "nothing")] {
        symlink(home.path().join(target), make(name).join("musterd.yaml")).unwrap();
        refused(&home.musterd(&["init", name]), "exists already", name);
    }
    // What lies among the templates stays as it is.
    let dir = make("c");
    symlink(&victim, dir.join("templates/dispatch.txt.example")).unwrap();
    home.done(&["init", "c"]);
    assert!(dir.join("musterd.yaml").is_file() && dir.join("templates/dispatch.txt.example").is_symlink());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "another's");
    assert!(!home.path().join("nothing").exists());
    // A host that has lost its configuration is no new one.
    let played = Home::new();
    fs::remove_file(played.host().join("musterd.yaml")).unwrap();
    let before = tree(played.path());
    refused(&played.musterd(&["init", "host"]), "put that back from a backup", "a lost configuration");
    assert_eq!(changed(&before, played.path()), [""; 0].map(PathBuf::from));
}

//! The Debian package, made by `deploy/debian/build` of the program that the tests built, is installed in a clean root, carries a first mail, is
//! upgraded, removed and purged.
//!
//! The root is made of the packages of this machine: those that every Debian has, those that `musterd` depends on, and nothing else. So a
//! dependency that the package doesn't name is missing there. The test runs itself again in namespaces of its own, where it lives in that root.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::namespaces::{self, Running, said, sh, wait_for};
use super::skips::has;
use super::support::{Mail, newest};

const NAME: &str = "package::the_package_carries_a_first_mail_in_a_clean_root";

/// Makes the package.
fn build(to: &Path) -> PathBuf {
    let made = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/debian/build"))
        .arg(env!("CARGO_BIN_EXE_musterd"))
        .arg(to)
        // The program of the tests has all names for a debugger in it.
        .env("DPKG_DEB_COMPRESSOR_TYPE", "none")
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", said(&made));
    PathBuf::from(String::from_utf8(made.stdout).unwrap().trim())
}

#[test]
fn the_package_carries_a_first_mail_in_a_clean_root() {
    if let Some(dir) = namespaces::inside() {
        inside(&dir);
        return;
    }
    if !has("dpkg-deb", "dpkg") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let package = build(dir.path());
    let version = env!("CARGO_PKG_VERSION");
    let name = package.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(&format!("musterd_{version}-")), "{name}");
    // Whoever builds the same program has the same bytes.
    let again = tempfile::tempdir().unwrap();
    assert!(
        fs::read(&package).unwrap() == fs::read(build(again.path())).unwrap(),
        "another build is another package"
    );
    drop(again);
    fs::rename(&package, dir.path().join("musterd.deb")).unwrap();

    let Some(inner) = namespaces::run_inside(NAME, dir.path()) else { return };
    let log = fs::read_to_string(dir.path().join("daemon.log")).unwrap_or_default();
    assert!(inner.status.success(), "{}\nmusterd:\n{log}", said(&inner));
}

/// The release on top of the changelog is the version of the program and of the package, of one date, and has its notes.
#[test]
fn a_version_is_the_same_in_all_that_names_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text =
        |path: &str| fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let version = env!("CARGO_PKG_VERSION");
    let changelog = text("CHANGELOG.md");
    let headings: Vec<&str> = changelog.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(headings[0], "[Unreleased]");
    let date = headings[1].strip_prefix(&format!("[{version}] - ")).expect(headings[1]);
    let day: jiff::civil::Date = date.parse().unwrap();
    let debian = text("deploy/debian/changelog");
    assert!(debian.starts_with(&format!("musterd ({version}-")), "{debian}");
    assert!(debian.contains(&day.strftime(">  %a, %d %b %Y ").to_string()), "{debian}");
    let notes = text(&format!("docs/release-notes/{version}.md"));
    assert!(notes.starts_with(&format!("# musterd {version}\n\n{} ", day.strftime("%-d %B %Y,"))), "{notes}");
}

fn inside(dir: &Path) {
    sh("mount --make-rprivate / && ip link set lo up");
    let root = Root::new(&dir.join("root"), &dir.join("musterd.deb"));
    root.installed();
    // Commands of README.Debian, in its order.
    root.sh("runuser -u musterd -- musterd init /var/lib/musterd --address campaign@example.org");
    let mailbox = "/var/lib/musterd/mail/anna@example.org";
    root.sh(&format!("runuser -u musterd -- mkdir {mailbox}; runuser -u musterd -- musterd config check"));
    let mut running = Running::default();
    running.start(&mut root.daemon(&dir.join("daemon.log")));
    let socket = root.path("/var/lib/musterd/control.sock");
    wait_for("the daemon", || socket.exists().then_some(()));
    // From here on commands are root's, and find the directory by themselves.
    root.sh("musterd new austrian-1805 --id alpha --start now --seat french=anna@example.org --seat allied=computer");
    assert_eq!(root.completed("musterd report alpha f"), "french\n");

    let dispatch = wait_for("a dispatch", || newest(&root.path(mailbox), "dispatch"));
    let orders = Mail {
        from: "anna@example.org",
        to: &dispatch.reply_to[0],
        id: "orders",
        in_reply_to: dispatch.message_id.as_deref(),
        text: "BEGIN ORDERS\r\nMOVE 1 TO Wurzburg\r\nEND ORDERS",
    };
    fs::write(root.path("/tmp/orders.eml"), orders.raw()).unwrap();
    // As a mail server hands it over: examples/postfix-pipe.
    root.sh("runuser -u musterd -- /usr/bin/musterd --dir /var/lib/musterd deliver </tmp/orders.eml");
    let receipt = wait_for("the receipt", || newest(&root.path(mailbox), "receipt"));
    let text = receipt.body.unwrap().text;
    assert!(text.contains("Wurzburg"), "{text}");

    // The same version again is an upgrade too, while the daemon works.
    root.sh("dpkg -i /musterd.deb");
    assert!(root.sh("musterd status alpha").contains("1 accepted"));
    root.sh("kill -TERM $(pidof -s musterd)");
    wait_for("the end", || (!socket.exists()).then_some(()));
    root.removed();
}

/// A root of its own for a few packages of this machine.
struct Root(PathBuf);

impl Root {
    /// The packages that every Debian has, and those that this one depends on.
    fn new(root: &Path, package: &Path) -> Self {
        let depends =
            Command::new("dpkg-deb").args(["-f", package.to_str().unwrap(), "Depends"]).output().unwrap();
        let packages = closure(&String::from_utf8(depends.stdout).unwrap());
        assert!(
            !packages.iter().any(|name| name.starts_with("perl-modules")),
            "this is no clean root: {packages:?}"
        );
        fs::create_dir(root).unwrap();
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
        let root = Self(root.to_owned());
        root.unpack(&packages);
        fs::rename(package, root.path("/musterd.deb")).unwrap();
        root
    }

    /// Lays the files of packages into the root, and says in its database that they are installed.
    fn unpack(&self, packages: &BTreeSet<String>) {
        let at = self.0.to_str().unwrap();
        let names = packages.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        // Links such as /bin come first: what lies behind them is unpacked through them.
        sh(&format!(
            "cd /
            for top in bin sbin lib lib64; do
                [ ! -L $top ] || {{ cp -P $top {at}/; mkdir -p {at}/$(readlink $top); }}
            done
            dpkg-query -L {names} | grep -E '^/.' | grep -vE '^/(bin|sbin|lib|lib64)$' \
                | grep -vE '^/usr/share/(doc|man|locale|info)/' | sed 's|^/||' | sort -u >{at}.files
            tar -c --no-recursion --ignore-failed-read -T {at}.files 2>/dev/null | tar -x --keep-directory-symlink -C {at}
            cd {at}
            mkdir -p var/lib/dpkg/info var/lib/dpkg/updates var/lib/dpkg/triggers var/lib/dpkg/alternatives
            cp usr/share/base-passwd/passwd.master etc/passwd
            cp usr/share/base-passwd/group.master etc/group
            cp -p /etc/pam.d/common-* etc/pam.d/
            chmod 1777 tmp
            mkdir -p proc dev
            mount -t proc proc proc
            mount --rbind /dev dev
            dpkg-query -s {names} >var/lib/dpkg/status
            cp -p /var/lib/dpkg/info/format var/lib/dpkg/info/
            for name in {names}; do
                cp -p /var/lib/dpkg/info/$name.* /var/lib/dpkg/info/$name:* var/lib/dpkg/info/ 2>/dev/null || true
            done"
        ));
        self.sh("dpkg --configure -a");
        assert_eq!(self.sh("dpkg --audit"), "", "the root is no whole system");
    }

    /// The path of a file in the root, seen from outside.
    fn path(&self, path: &str) -> PathBuf {
        self.0.join(path.trim_start_matches('/'))
    }

    /// A program in the root, with the environment that root has there.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("chroot");
        command.arg(&self.0).arg(program).env_clear().current_dir("/");
        command.envs([("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"), ("HOME", "/root"), ("LC_ALL", "C.UTF-8")]);
        command
    }

    fn run(&self, script: &str) -> Output {
        self.command("/bin/sh").args(["-e", "-c", script]).output().unwrap()
    }

    /// Runs a script in the root, which must succeed.
    fn sh(&self, script: &str) -> String {
        let output = self.run(script);
        assert!(output.status.success(), "{script}: {}", said(&output));
        said(&output)
    }

    /// What the installed completions of bash offer root for a line.
    fn completed(&self, line: &str) -> String {
        let script = format!(
            "source /usr/share/bash-completion/completions/musterd
            compopt() {{ :; }}
            COMP_WORDS=({line}) COMP_TYPE=9
            COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
            _clap_complete_musterd musterd \"${{COMP_WORDS[COMP_CWORD]}}\"
            printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let output = self.command("/bin/bash").args(["-c", &script]).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    }

    /// The daemon as the installed unit starts it.
    fn daemon(&self, log: &Path) -> Command {
        let unit = fs::read_to_string(self.path("/usr/lib/systemd/system/musterd.service")).unwrap();
        let line = |key: &str| unit.lines().find_map(|line| line.strip_prefix(key)).unwrap().to_owned();
        let environment = line("Environment=").replace("%S", "/var/lib");
        let mut daemon = self.command("/bin/sh");
        daemon
            .arg("-c")
            .arg(format!("exec runuser -u musterd -- env -i {environment} {}", line("ExecStart=")));
        daemon.stderr(Stdio::from(fs::File::create(log).unwrap()));
        daemon
    }

    /// Installs the package, and looks at what it made.
    fn installed(&self) {
        self.sh("dpkg -i /musterd.deb");
        assert_eq!(
            self.sh("dpkg-query -W -f '${Status}' musterd; dpkg --audit; dpkg -V musterd"),
            "install ok installed"
        );
        assert_eq!(self.sh("stat -c '%U %G %a' /var/lib/musterd"), "musterd musterd 700\n");
        assert_eq!(self.sh("getent passwd musterd | cut -d : -f 6"), "/var/lib/musterd\n");
        // The user is the one that `init` and a mail server's pipe run as.
        let unit = self.sh("systemd-analyze cat-config systemd/system/musterd.service");
        assert_eq!(
            unit.lines().rfind(|line| line.starts_with("DynamicUser=")),
            Some("DynamicUser=no"),
            "{unit}"
        );
        // A host has no address yet: nothing is enabled.
        assert_eq!(said(&self.run("systemctl is-enabled musterd")), "disabled\n");
        assert_eq!(said(&self.run("systemd-analyze verify --man=no musterd.service")), "");
        for page in ["man1/musterd.1", "man1/musterd-new.1", "man5/musterd.yaml.5"] {
            self.sh(&format!("zcat /usr/share/man/{page}.gz | grep -q '^.TH'"));
        }
        let licences = self.sh("zcat /usr/share/doc/musterd/licences.gz");
        for library in ["\nsled ", "\nrustls ", "\nclap "] {
            assert!(licences.contains(library), "the licence of {library:?} is missing");
        }
        self.sh("systemctl enable musterd");
        assert!(self.path("/etc/systemd/system/multi-user.target.wants/musterd.service").is_symlink());
    }

    /// Removes and purges the package: the games outlive it.
    fn removed(&self) {
        let journal = self.path("/var/lib/musterd/mirror/alpha.jsonl");
        let kept = fs::read(&journal).unwrap();
        self.sh("dpkg -r musterd");
        for gone in ["/usr/bin/musterd", "/usr/lib/systemd/system/musterd.service", "/usr/share/doc/musterd"]
        {
            assert!(!self.path(gone).exists(), "{gone} is left");
        }
        assert!(fs::read(&journal).unwrap() == kept);
        self.sh("dpkg -i /musterd.deb");
        assert!(self.sh("runuser -u musterd -- musterd status alpha").contains("1 accepted"));
        let purged = self.sh("dpkg -P musterd");
        assert!(
            purged.contains("/var/lib/musterd stays") && purged.contains("rm -r /var/lib/musterd"),
            "{purged}"
        );
        assert!(fs::read(&journal).unwrap().starts_with(&kept));
        assert!(!self.path("/etc/systemd/system/multi-user.target.wants/musterd.service").is_symlink());
        // Whoever deletes what is in it has nothing left of it.
        self.sh("find /var/lib/musterd -mindepth 1 -delete; dpkg -i /musterd.deb; dpkg -P musterd");
        assert!(!self.path("/var/lib/musterd").exists());
        assert!(self.run("dpkg-query -s musterd").status.code() == Some(1));
    }
}

/// What dpkg says of one package.
struct Known {
    essential: bool,
    depends: String,
}

/// The packages of this machine that every Debian has, those that are named, and all that these depend on.
fn closure(depends: &str) -> BTreeSet<String> {
    let format = "${Package}\t${Essential}\t${Pre-Depends}, ${Depends}\t${Provides}\t${Status}\n";
    let listed = Command::new("dpkg-query").args(["-W", "-f", format]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let (mut known, mut provided) = (BTreeMap::new(), BTreeMap::new());
    for line in listed.lines() {
        let [name, essential, depends, provides, "install ok installed"] =
            line.split('\t').collect::<Vec<_>>()[..]
        else {
            continue;
        };
        for virtual_name in provides.split(',').map(bare).filter(|name| !name.is_empty()) {
            provided.entry(virtual_name.to_owned()).or_insert_with(|| name.to_owned());
        }
        known.insert(name.to_owned(), Known { essential: essential == "yes", depends: depends.to_owned() });
    }
    let installed = |name: &str| match known.contains_key(name) {
        true => Some(name.to_owned()),
        false => provided.get(name).cloned(),
    };
    let named = |depends: &str| -> Vec<String> {
        let wanted = depends.split(',').filter(|wanted| !wanted.trim().is_empty());
        // Of several that would do, the first that is here.
        let found = wanted.map(|wanted| {
            let found = wanted.split('|').map(bare).find_map(&installed);
            found.unwrap_or_else(|| panic!("this machine has none of {wanted}"))
        });
        found.collect()
    };
    let mut found: BTreeSet<String> =
        known.iter().filter(|(_, package)| package.essential).map(|(name, _)| name.clone()).collect();
    found.extend(named(depends));
    let mut open: Vec<String> = found.iter().cloned().collect();
    while let Some(name) = open.pop() {
        for further in named(&known[&name].depends) {
            if found.insert(further.clone()) {
                open.push(further);
            }
        }
    }
    found
}

/// A dependency's name, without its version and architecture.
fn bare(dependency: &str) -> &str {
    let name = dependency.trim().split([' ', '(']).next().unwrap_or_default();
    name.split(':').next().unwrap_or_default()
}

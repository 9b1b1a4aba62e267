//! What the shells complete with the scripts under `deploy/completions`: each script is loaded by its shell, as an installation has it, and asks the
//! built program.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::skips::has;

/// Lines as they stand when the user presses the key, and what is offered for the last word. `HOST` is the host's directory.
const LINES: [(&str, &[&str]); 15] = [
    ("musterd resol", &["resolve"]),
    ("musterd --dir HOST status ", &["alpha", "beta"]),
    ("musterd --dir HOST status b", &["beta"]),
    ("musterd status --js", &["--json"]),
    ("musterd --dir HOST report alpha ", &["allied.austria-britain", "allied.russia", "french"]),
    ("musterd --dir HOST history beta c", &["captain"]),
    ("musterd --dir HOST check gamma ", &[]),
    ("musterd --dir HOST gm alpha REPL", &["REPLACE"]),
    ("musterd --dir HOST gm alpha REPLACE f", &["french"]),
    ("musterd --dir HOST gm alpha PROCESS fr", &[]),
    ("musterd new austrian-1", &["austrian-1805"]),
    ("musterd --dir HOST new dog/own", &["dog/own-battle"]),
    ("musterd new austrian-1805 --id x --seat f", &["french="]),
    ("musterd scenario show waterl", &["waterloo-1815"]),
    ("musterd scenario copy waterl", &["waterloo-1815"]),
];

/// A host with two games and scenarios of its own, one of them named to do harm; and the file that the harm would leave.
struct Shelf {
    dir: tempfile::TempDir,
}

impl Shelf {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let shelf = Self { dir };
        shelf.musterd(&["init", "HOST", "--address", "campaign@example.org"]);
        let seats = ["--seat", "french=anna@example.org", "--seat", "allied.austria-britain=computer"];
        let game = ["--dir", "HOST", "new", "austrian-1805", "--id", "alpha", "--start", "now"];
        shelf.musterd(&[&game[..], &seats, &["--seat", "allied.russia=computer"]].concat());
        let game = ["--dir", "HOST", "new", "ashland-wells", "--id", "beta", "--start", "now"];
        shelf.musterd(
            &[&game[..], &["--seat", "captain=anna@example.org", "--seat", "khan=computer"]].concat(),
        );
        let own = shelf.host().join("games/dog/scenarios");
        fs::create_dir_all(&own).unwrap();
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/dog/scenarios/ashland-wells.yaml");
        for name in ["own-battle.yaml", "own-$(touch harm).yaml", "own-`touch harm`;touch harm.yaml"] {
            fs::copy(&shipped, own.join(name)).unwrap();
        }
        shelf
    }

    fn host(&self) -> PathBuf {
        self.dir.path().join("HOST")
    }

    fn musterd(&self, arguments: &[&str]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_musterd"));
        let output = command.args(arguments).current_dir(&self.dir).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Has a shell complete all lines. It prints what it offers a line each, and `--` after each line of the user's.
    fn completes(&self, shell: &str, options: &[&str], script: &str) {
        if !has(shell, shell) {
            return;
        }
        let program = Path::new(env!("CARGO_BIN_EXE_musterd")).parent().unwrap();
        let mut path = program.as_os_str().to_owned();
        path.push(":/usr/local/bin:/usr/bin:/bin");
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/completions");
        let mut command = Command::new(shell);
        command.args(options).args(["-c", script]);
        if shell != "fish" {
            command.arg(shell);
        }
        let lines = LINES.iter().map(|(line, _)| *line);
        let output = command
            .args(lines)
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.dir.path())
            .env("LC_ALL", "C.UTF-8")
            .env("COMPLETIONS", kept)
            .current_dir(&self.dir)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let wrong = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && wrong.is_empty(), "{said}\n{wrong}");
        let offered: Vec<&str> = said.split_terminator("--\n").collect();
        assert_eq!(offered.len(), LINES.len(), "{said}");
        for ((line, wanted), offered) in LINES.iter().zip(offered) {
            let mut offered: Vec<&str> = offered
                .lines()
                .filter(|offer| !offer.is_empty())
                .map(|offer| offer.split(['\t', ':']).next().unwrap())
                .collect();
            offered.sort_unstable();
            // Options are offered where there is nothing to name, and nowhere else.
            if wanted.is_empty() {
                offered.retain(|offer| !offer.starts_with('-'));
            }
            assert_eq!(offered, *wanted, "{shell}: {line}");
        }
        assert!(
            !self.dir.path().join("harm").exists() && !self.host().join("harm").exists(),
            "{shell} ran a name"
        );
    }
}

#[test]
fn bash_completes_games_seats_and_scenarios() {
    let script = r#"
        source "$COMPLETIONS/musterd.bash"
        compopt() { :; }
        function=$(complete -p musterd) function=${function##*-F } function=${function%% *}
        for line in "$@"; do
            COMP_WORDS=($line) COMP_TYPE=9 COMPREPLY=()
            [[ $line == *' ' ]] && COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            "$function" musterd "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\n' "${COMPREPLY[@]}" --
        done"#;
    Shelf::new().completes("bash", &["--norc", "--noprofile"], script);
}

#[test]
fn zsh_completes_games_seats_and_scenarios() {
    // The script is found by its name, as in the folder of a package; its first call has to complete already.
    let script = r#"
        fpath=($COMPLETIONS $fpath)
        autoload -Uz compinit && compinit -u -D
        _describe() { print -rl -- ${(P)3} }
        for line in "$@"; do
            words=(${(s: :)line})
            [[ $line == *' ' ]] && words+=("")
            CURRENT=$#words
            $_comps[musterd] || true
            print -- --
        done"#;
    Shelf::new().completes("zsh", &["-f"], script);
}

#[test]
fn fish_completes_games_seats_and_scenarios() {
    let script = r#"
        source $COMPLETIONS/musterd.fish
        for line in $argv
            complete -C $line
            echo -- --
        end"#;
    Shelf::new().completes("fish", &["--no-config"], script);
}

/// A shell asks while the daemon works: what is completed takes neither the lock of the store nor an answer of the daemon's, and changes no file.
#[test]
fn completing_disturbs_no_daemon() {
    let shelf = Shelf::new();
    let host = shelf.host();
    let lock = fs::File::options().write(true).open(host.join("store.lock")).unwrap();
    lock.try_lock().unwrap();
    let files = |dir: &Path| -> Vec<_> {
        let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> =
            entries.map(|entry| (entry.file_name(), entry.metadata().unwrap().modified().unwrap())).collect();
        files.sort();
        files
    };
    let before = (files(&host), files(&host.join("mirror")));
    let output = Command::new(env!("CARGO_BIN_EXE_musterd"))
        .args(["--", "musterd", "--dir"])
        .arg(&host)
        .args(["report", "alpha", "fr"])
        .envs([("MUSTERD_COMPLETE", "bash"), ("_CLAP_COMPLETE_INDEX", "5")])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "french", "{output:?}");
    assert_eq!(before, (files(&host), files(&host.join("mirror"))));
}

/// The variable may be in the environment of a mail server, whoever put it there: mail is taken all the same.
#[test]
fn a_mail_is_delivered_whatever_the_environment_says_of_completions() {
    let shelf = Shelf::new();
    let mut deliver = Command::new(env!("CARGO_BIN_EXE_musterd"))
        .args(["--dir", "HOST", "deliver"])
        .env("MUSTERD_COMPLETE", "bash")
        .current_dir(&shelf.dir)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mail = b"From: <anna@example.org>\r\nTo: <campaign@example.org>\r\n\r\nHELP\r\n";
    deliver.stdin.take().unwrap().write_all(mail).unwrap();
    assert!(deliver.wait().unwrap().success());
    let kept = fs::read_dir(shelf.host().join("spool/new")).unwrap().count();
    assert_eq!(kept, 1, "a mail is taken and not kept");
}

//! What the guides show is what the program does. Every guide is played from top to bottom in a directory of its own, and
//! what the program says is compared with what the guide prints.
//!
//! | in a guide | is |
//! |---|---|
//! | a block fenced as `console` | commands behind `$ `, each followed by what it prints |
//! | a block fenced as `text mail from ADDRESS` | a mail of that player's, answering his newest if he has any; it is delivered as from a mail server's pipe, and the daemon called once |
//! | a block fenced as `text mail to ADDRESS: KIND` | the newest mail of that kind (`invitation`, `receipt`, `dispatch` …) in that player's Maildir |
//! | a line `<!-- $ COMMAND -->` | a command that readers needn't see; it has to succeed |
//! | a line `[...]` in what is shown | lines left out |
//! | a block fenced as `rust FILE` or `yaml FILE` | lines of that file, whose path begins at the guide's folder |
//! | a row of a table that begins with a command by mail | what the table of commands says of it |
//!
//! Commands run in a shell that keeps its working directory. It begins beside a link to `docs`, and its `musterd` has a fixed seed and
//! the time that stands in `~/clock`, so that what is shown can be shown again. Digests are not compared: a new version of the
//! rules changes them.
//!
//! After a change of the program that changes what it prints, `MUSTERD_REWRITE_DOCS=1 cargo test --test it guides` writes the guides
//! anew, and first the campaign that one of them is about (`docs/example-campaign`). A passage between two `[...]` is found again by its first line and keeps its number of lines; where the first line is gone,
//! the test says which: choose another by hand.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use musterd::desk::mail::{Reads, Verb, verbs};

use super::example_campaign;
use super::support::{is_of_kind, raw_mails, read, sort_as_written};

const ELISION: &str = "[...]";
/// The address of the hosts in the guides.
const HOST: &str = "campaign@example.org";
const NOW: &str = "2026-01-01T00:00:00Z";
const SEED: &str = "a seed for reproducible campaigns\n";
/// The guides with something to play, from the root of the repository.
const GUIDES: [&str; 20] = [
    "README.md",
    "docs/acw/own-battles.md",
    "docs/acw/players-guide.md",
    "docs/audit-guide.md",
    "docs/example-game/README.md",
    "docs/first-campaign.md",
    "docs/operators-guide.md",
    "docs/players-guide.md",
    "docs/gm-guide.md",
    "docs/dog/gm-guide.md",
    "docs/dog/orders.md",
    "docs/dog/players-guide.md",
    "docs/dog/table.md",
    "docs/lga/gm-guide.md",
    "docs/lga/orders.md",
    "docs/lga/players-guide.md",
    "docs/lga/scenarios.md",
    "docs/sa/gm-guide.md",
    "docs/sa/players-guide.md",
    "docs/sa/scenarios.md",
];

#[test]
fn every_guide_shows_what_the_program_does() {
    #[expect(clippy::disallowed_methods, reason = "asked for by whoever runs the tests")]
    let rewrite = std::env::var("MUSTERD_REWRITE_DOCS").is_ok();
    if rewrite {
        example_campaign::write();
    }
    let stale: Vec<String> = thread::scope(|scope| {
        let played = GUIDES.map(|guide| scope.spawn(move || play(guide, rewrite)));
        played.into_iter().filter_map(|guide| guide.join().unwrap()).collect()
    });
    assert!(
        stale.is_empty(),
        "{}\n\nMUSTERD_REWRITE_DOCS=1 cargo test --test it guides writes the guides anew.",
        stale.join("\n\n")
    );
}

#[test]
fn a_guide_is_played_and_written_anew() {
    let guide = "\
<!-- $ mkdir camp -->
<!-- $ cd camp -->
```console
$ basename \"$PWD\"
away
$ printf '%s\\n' one two \\
    three four five six
one
[...]
three
now with
[...]
```
";
    let played = guide.replace("away", "camp").replace("now with", "four");
    assert_eq!(Stage::new("a guide").play(guide), played);
    assert_eq!(Stage::new("a guide").play(&played), played);
    assert!(
        first_difference(guide, &played)
            .unwrap()
            .starts_with("5: the guide has\n  away\nbut now it is\n  camp")
    );
    let digests = ["a", "b"].map(|digit| format!("Chain: alpha 7\n  {}\n", digit.repeat(64)));
    assert_eq!(first_difference(&digests[0], &digests[1]), None);
}

/// Plays a guide, and writes it anew if asked to; else the first line that is no longer true, if any.
fn play(guide: &'static str, rewrite: bool) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(guide);
    let printed = fs::read_to_string(&path).unwrap();
    let played = Stage::new(guide).play(&with_commands(guide, &printed));
    if rewrite {
        fs::write(&path, &played).unwrap();
        return None;
    }
    first_difference(&printed, &played).map(|difference| format!("{guide}:{difference}"))
}

/// A guide with a row for each command as the table of commands has it; a row may mark what it says, and link it.
fn with_commands(guide: &str, text: &str) -> String {
    let is_told = |verb: &&Verb| match verb.reads {
        Reads::Seat(_) | Reads::Anybody(_) | Reads::AnybodyOptions(..) => guide == "docs/players-guide.md",
        Reads::Gm(_) | Reads::GmWords(..) => guide == "docs/gm-guide.md",
    };
    let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
    for (example, does) in verbs().filter(is_told).flat_map(|verb| verb.help) {
        let row = rows.iter_mut().find(|row| unmarked(row).starts_with(&format!("| {example} |")));
        let row = row.unwrap_or_else(|| panic!("{guide}: no table has a row `{example}`"));
        if unmarked(row) != format!("| {example} | {does} |") {
            *row = format!("| `{}` | {does} |", example.replace(", ", "`, `"));
        }
    }
    rows.join("\n") + "\n"
}

/// A row without its marks, of links the words alone.
fn unmarked(row: &str) -> String {
    let mut row = row.replace('`', "");
    while let Some((before, link)) = row.split_once('[')
        && let Some((words, rest)) = link.split_once("](")
        && let Some((_, after)) = rest.split_once(')')
    {
        row = [before, words, after].concat();
    }
    row
}

/// Every page of the documentation: its name from the root of the repository, and its text.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [
        "",
        "docs",
        "docs/acw",
        "docs/dog",
        "docs/example-campaign",
        "docs/example-game",
        "docs/lga",
        "docs/rulings",
        "docs/sa",
        "docs/adr",
    ]
    .map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let paths = files.into_iter().flatten().map(|file| file.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let name = |path: &Path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
    pages.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

#[test]
fn no_guide_shows_a_command_unplayed() {
    for (name, text) in pages() {
        assert!(!text.contains("\n    $ "), "{name}: fence the block of this command as `console`");
        let plays = text.contains("```console") || text.contains("```text mail");
        assert!(!plays || GUIDES.contains(&name.as_str()), "{name} is not among GUIDES");
    }
}

#[test]
fn the_example_game_has_as_many_lines_as_its_page_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/example-game");
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    let rows: Vec<(&str, usize)> = rows
        .map(|row| {
            let (file, rest) = row.split_once('`').unwrap();
            (file, rest.rsplit(' ').next().unwrap().parse().unwrap())
        })
        .collect();
    for (file, lines) in &rows {
        assert_eq!(fs::read_to_string(folder.join(file)).unwrap().lines().count(), *lines, "{file}");
    }
    let sources = fs::read_dir(folder.join("src")).unwrap().count();
    assert_eq!(rows.len(), sources + 3, "the sources, the scenario, the program and the crate");
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut links = 0;
    for (name, text) in pages() {
        let folder = root.join(&name).parent().unwrap().to_owned();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let page = if file.is_empty() { root.join(&name) } else { folder.join(file) };
            assert!(page.exists(), "{name}: there is no {target}");
            let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
            let title = |line: &str| line.trim_start_matches('#').trim().to_lowercase();
            let anchor =
                |line: &str| title(line).chars().filter(is_kept).collect::<String>().replace(' ', "-");
            let found = || {
                fs::read_to_string(&page)
                    .unwrap()
                    .lines()
                    .any(|line| line.starts_with('#') && anchor(line) == heading)
            };
            assert!(heading.is_empty() || found(), "{name}: {file} has no heading for {target}");
            links += 1;
        }
    }
    assert!(links > 20, "{links} links");
}

/// The line at which two versions of a guide differ but for digests, with both; none where they are the same.
fn first_difference(printed: &str, played: &str) -> Option<String> {
    let (printed, played): (Vec<&str>, Vec<&str>) = (printed.lines().collect(), played.lines().collect());
    let line = |text: &[&str], at: usize| masked(text.get(at).unwrap_or(&"(the end)"));
    (0..printed.len().max(played.len())).find(|at| line(&printed, *at) != line(&played, *at)).map(|at| {
        format!("{}: the guide has\n  {}\nbut now it is\n  {}", at + 1, line(&printed, at), line(&played, at))
    })
}

/// A line without its digests.
fn masked(line: &str) -> String {
    let is_digest = |word: &&str| word.len() == 64 && word.bytes().all(|b| b.is_ascii_hexdigit());
    line.split(' ').map(|word| if is_digest(&word) { "DIGEST" } else { word }).collect::<Vec<_>>().join(" ")
}

/// The program that a guide is about.
fn program(guide: &str) -> PathBuf {
    let musterd = Path::new(env!("CARGO_BIN_EXE_musterd"));
    if guide.starts_with("docs/example-game/") {
        // A test that is asked for alone has no examples built. The workspace is named so that no crate is built again after the tests of all of it.
        let mut cargo = Command::new(env!("CARGO"));
        let built = cargo.args(["build", "--quiet", "--locked", "--workspace", "--example", "ford"]);
        // What a test is told of its own package: some build scripts look at it, and all crates above theirs would be built again.
        for (name, _) in std::env::vars_os() {
            if name
                .to_str()
                .is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
            {
                built.env_remove(name);
            }
        }
        assert!(built.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
        musterd.parent().unwrap().join("examples/ford")
    } else {
        musterd.to_owned()
    }
}

/// A directory in which a guide is played.
struct Stage {
    guide: &'static str,
    dir: tempfile::TempDir,
    mails: usize,
}

impl Stage {
    fn new(guide: &'static str) -> Self {
        let stage = Self { guide, dir: tempfile::tempdir().unwrap(), mails: 0 };
        for folder in ["bin", "home"] {
            fs::create_dir(stage.path(folder)).unwrap();
        }
        std::os::unix::fs::symlink(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("docs"),
            stage.path("home/docs"),
        )
        .unwrap();
        fs::write(stage.path("seed"), SEED).unwrap();
        fs::write(stage.path("home/clock"), NOW).unwrap();
        fs::write(stage.path("directory"), stage.path("home").to_str().unwrap()).unwrap();
        let musterd = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guides/musterd");
        std::os::unix::fs::symlink(musterd, stage.path("bin/musterd")).unwrap();
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Where the shell stands.
    fn directory(&self) -> PathBuf {
        fs::read_to_string(self.path("directory")).unwrap().trim_end().into()
    }

    /// Plays a guide; the guide as it should be.
    fn play(mut self, text: &str) -> String {
        let mut played = String::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            played.push_str(line);
            played.push('\n');
            if let Some(command) = line.strip_prefix("<!-- $ ").and_then(|rest| rest.strip_suffix(" -->")) {
                let (said, success) = self.run(command, "");
                assert!(success, "{}: $ {command}\n{said}", self.guide);
            }
            let Some(fence) = line.strip_prefix("```") else { continue };
            let shown: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            for line in self.block(fence, &shown) {
                played.push_str(&line);
                played.push('\n');
            }
            played.push_str("```\n");
        }
        played
    }

    /// Plays a block; the block as it should be.
    fn block(&mut self, fence: &str, shown: &[&str]) -> Vec<String> {
        let as_it_is = || shown.iter().map(ToString::to_string).collect();
        if fence == "console" {
            let parts = shown.chunk_by(|_, line| !line.starts_with("$ "));
            return parts.flat_map(|part| self.console(part)).collect();
        }
        if let Some(address) = fence.strip_prefix("text mail from ") {
            self.send(address, &shown.join("\n"));
            return as_it_is();
        }
        if let Some(file) = fence.strip_prefix("rust ").or_else(|| fence.strip_prefix("yaml ")) {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(self.guide).parent().unwrap().to_owned();
            let text = fs::read_to_string(folder.join(file)).unwrap();
            return self.fit(file, shown, &text);
        }
        match fence.strip_prefix("text mail to ").and_then(|rest| rest.split_once(": ")) {
            Some((address, kind)) => {
                let mail = self.newest(address, kind);
                let said = format!("Subject: {}\n\n{}", mail.subject, mail.body.unwrap().text);
                self.fit(&format!("the {kind} to {address}"), shown, &said)
            }
            None => as_it_is(),
        }
    }

    /// Runs a command, which may go over several lines, and fits what it says to what is shown.
    fn console(&self, part: &[&str]) -> Vec<String> {
        let continued = part.iter().take_while(|line| line.ends_with('\\')).count();
        let (command, shown) = part.split_at(part.len().min(continued + 1));
        let mut lines: Vec<String> = command.iter().map(ToString::to_string).collect();
        let command = command.join("\n");
        let said = self.run(command.trim_start_matches("$ "), "").0;
        lines.extend(self.fit(&command, shown, &said));
        lines
    }

    /// Runs a command in the shell: what it said, and whether it succeeded.
    fn run(&self, command: &str, input: &str) -> (String, bool) {
        let directory = self.path("directory");
        let script = format!("exec 2>&1\n{command}\nstatus=$?; pwd >{}; exit $status", directory.display());
        let mut child = Command::new("sh")
            .args(["-c", &script])
            .current_dir(self.directory())
            .env("PATH", format!("{}:{}", self.path("bin").display(), std::env!("PATH")))
            .env("HOME", self.path("home"))
            .env("MUSTERD_PROGRAM", program(self.guide))
            .env("MUSTERD_SEED", self.path("seed"))
            .env_remove("MUSTERD_DIR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that reads nothing may be gone by now.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(
            !said.starts_with("sh: "),
            "{}: the shell doesn't understand $ {command}\n{said}",
            self.guide
        );
        (said, output.status.success())
    }

    /// The newest mail of a kind in a player's Maildir; of any kind, if it is empty.
    fn newest(&self, address: &str, kind: &str) -> musterd::letter::Letter {
        let mut mails = self.mails_to(address);
        let all: Vec<String> = mails.iter().map(|mail| mail.subject.clone()).collect();
        // A further part only brings files.
        mails.retain(|mail| (kind.is_empty() || is_of_kind(mail, kind)) && !mail.subject.contains(" (part "));
        mails.pop().unwrap_or_else(|| panic!("{}: {address} has no {kind}, but {all:?}", self.guide))
    }

    /// A player's mails, the newest last.
    fn mails_to(&self, address: &str) -> Vec<musterd::letter::Letter> {
        let maildir = self.directory().join("mail").join(address);
        let raw: Vec<Vec<u8>> = raw_mails(&maildir).into_iter().map(|(_, raw)| raw).collect();
        let mut mails: Vec<_> = raw.iter().map(|raw| read(raw)).collect();
        sort_as_written(&self.directory(), &mut mails);
        // Of the mails of two games the later one is the newer.
        let times: std::collections::BTreeMap<_, _> =
            raw.iter().map(|raw| (read(raw).message_id, musterd::letter::times(raw).written)).collect();
        mails.sort_by_key(|mail| times[&mail.message_id]);
        mails
    }

    /// Has a player answer his newest mail, as from a mail server's pipe; somebody who has none writes to the host.
    fn send(&mut self, address: &str, text: &str) {
        self.mails += 1;
        let number = self.mails;
        let (to, answer) = match self.mails_to(address).pop() {
            Some(answered) => {
                let id = answered.message_id.unwrap_or_default();
                let to = answered.reply_to.first().or(answered.from.first()).cloned();
                (to, format!("Subject: Re: {}\nIn-Reply-To: <{id}>\n", answered.subject))
            }
            None => (None, "Subject: hello\n".to_owned()),
        };
        let to = to.unwrap_or_else(|| HOST.to_owned());
        let mail = format!(
            "From: <{address}>\nTo: <{to}>\nMessage-ID: <{number}@players.example>\n{answer}\n{text}\n"
        );
        for (command, input) in [("musterd deliver", mail.as_str()), ("musterd serve --once", "")] {
            let (said, success) = self.run(command, input);
            assert!(success, "{}: {command}: {said}", self.guide);
        }
    }

    /// What was said, with the lines left out that are left out of what is shown.
    fn fit(&self, of: &str, shown: &[&str], said: &str) -> Vec<String> {
        let said: Vec<&str> = said.trim_end().lines().collect();
        if !shown.contains(&ELISION) {
            return said.iter().map(ToString::to_string).collect();
        }
        let passages: Vec<&[&str]> = shown.split(|line| *line == ELISION).collect();
        let mut fitted = Vec::new();
        let mut from = 0;
        for (index, passage) in passages.iter().enumerate() {
            if index > 0 {
                fitted.push(ELISION.to_owned());
            }
            let Some(first) = passage.first() else { continue };
            let rest = &said[from..];
            let same = |a: &[&str], b: &[&str]| a.iter().zip(b).all(|(a, b)| masked(a) == masked(b));
            let whole = rest.windows(passage.len()).position(|window| same(window, passage));
            let start = match index {
                0 => Some(0),
                _ => whole.or_else(|| rest.iter().position(|line| line.starts_with(first))),
            };
            let start = start.unwrap_or_else(|| {
                panic!("{}: {of} has no line\n{first}\nany more; it is\n{}", self.guide, said.join("\n"))
            });
            let is_last = index + 1 == passages.len();
            let end = if is_last { rest.len() } else { rest.len().min(start + passage.len()) };
            fitted.extend(rest[start..end].iter().map(ToString::to_string));
            from += end;
        }
        fitted
    }
}

//! The program with the toy as a ruleset of its own: whatever a ruleset offers, its commands have. With `--no-default-features` it has no other.
//!
//! The test runs itself: with [`PLAYED`] in its environment it is the program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "other tests use more of the toy")]

#[path = "../it/leaks.rs"]
mod leaks;
#[path = "../it/toy.rs"]
mod toy;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Output, Stdio};

use tempfile::TempDir;

/// Set where this is the program.
const PLAYED: &str = "MUSTERD_PLAYS_THE_TOY";

/// A test with its name.
type Test = (&'static str, fn());

macro_rules! tests {
    ($($name:ident),* $(,)?) => { &[$((stringify!($name), $name as fn())),*] };
}

const TESTS: &[Test] = tests![
    without_features_the_toy_is_the_only_ruleset,
    its_odds_its_command_and_its_schema_are_commands_of_the_program,
    an_odd_argument_is_answered_in_the_words_of_the_program,
    its_options_and_its_levels_are_those_of_new,
    its_orders_are_explained_by_mail,
    its_map_is_drawn_by_its_palette,
    a_filter_runs_what_it_names_and_tells_how_many_it_leaves_out,
];

/// A harness of one thread: the usual one has no room for another program in the same binary.
fn main() -> ExitCode {
    if std::env::var_os(PLAYED).is_some() {
        musterd::rulesets::play(|desk| desk.with::<toy::Toy>(toy::FILES));
        return musterd::cli::main();
    }
    let asked = match Asked::of(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(odd) => {
            eprintln!("error: this harness knows no {odd}");
            return ExitCode::from(2);
        }
    };
    let tests: Vec<&Test> = TESTS.iter().filter(|(name, _)| asked.wants(name)).collect();
    if asked.lists {
        tests.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    let mut failed = 0;
    for (name, test) in &tests {
        let is_well = std::panic::catch_unwind(test).is_ok();
        println!("test {name} ... {}", if is_well { "ok" } else { "FAILED" });
        failed += usize::from(!is_well);
    }
    let (outcome, passed) = (if failed == 0 { "ok" } else { "FAILED" }, tests.len() - failed);
    let left_out = TESTS.len() - tests.len();
    println!(
        "\ntest result: {outcome}. {passed} passed; {failed} failed; 0 ignored; 0 measured; {left_out} filtered out\n"
    );
    ExitCode::from(u8::from(failed > 0))
}

/// What the arguments ask for, as the usual harness takes them.
#[derive(Default)]
struct Asked {
    /// Parts of the names to run; all if there are none.
    parts: Vec<String>,
    /// Parts of the names to leave out.
    skipped: Vec<String>,
    /// Whether the parts are whole names.
    exact: bool,
    /// Whether only tests that are marked as ignored are wanted: there are none.
    ignored: bool,
    /// Whether the names are told and nothing is run.
    lists: bool,
}

impl Asked {
    /// Reads the arguments; the error is one that is not known.
    fn of(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut asked = Self::default();
        while let Some(argument) = arguments.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
                _ => (argument.as_str(), None),
            };
            let mut value = || value.clone().or_else(|| arguments.next()).unwrap_or_default();
            match name {
                "--exact" => asked.exact = true,
                "--ignored" => asked.ignored = true,
                "--list" => asked.lists = true,
                "--skip" => asked.skipped.push(value()),
                // One thread, everything shown: nothing else can be had.
                "--test-threads" | "--format" | "--color" => drop(value()),
                "--nocapture" | "--no-capture" | "--show-output" | "--include-ignored" | "--quiet" | "-q" => {
                }
                odd if odd.starts_with('-') => return Err(odd.to_owned()),
                _ => asked.parts.push(argument),
            }
        }
        Ok(asked)
    }

    fn wants(&self, name: &str) -> bool {
        let fits = |part: &String| if self.exact { name == part } else { name.contains(part.as_str()) };
        !self.ignored
            && (self.parts.is_empty() || self.parts.iter().any(fits))
            && !self.skipped.iter().any(fits)
    }
}

/// Runs the program in a directory.
fn run(dir: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments).current_dir(dir).env(PLAYED, "1").env("COLUMNS", "100");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// What the program says, where all goes well.
fn said(dir: &Path, arguments: &[&str]) -> String {
    let output = run(dir, arguments, "");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap() + &error
}

/// What it complains of, and its exit status.
fn refused(dir: &Path, arguments: &[&str]) -> (i32, String) {
    let output = run(dir, arguments, "");
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn without_features_the_toy_is_the_only_ruleset() {
    let dir = TempDir::new().unwrap();
    let scenarios = said(dir.path(), &["scenarios", "--json"]);
    let scenarios: serde_json::Value = serde_json::from_str(&scenarios).unwrap();
    let ids = scenarios["scenarios"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap());
    let others: Vec<&str> = ids.clone().filter(|id| *id != "toy/ridge").collect();
    assert_eq!(ids.count() - others.len(), 1);
    assert_eq!(
        others.is_empty(),
        !cfg!(any(feature = "lga", feature = "dog", feature = "sa", feature = "acw")),
        "{others:?}"
    );
}

fn its_odds_its_command_and_its_schema_are_commands_of_the_program() {
    let dir = TempDir::new().unwrap();
    let odds = said(dir.path(), &["odds", "toy", "clash", "--own", "1", "--other", "1", "--json"]);
    assert!(odds.contains("\"5/12\""), "{odds}");
    let help = said(dir.path(), &["toy", "won", "--help"]);
    assert!(
        help.contains("Tell how many rounds of a game were upheld") && help.contains("musterd toy won alpha")
    );
    let schema = said(dir.path(), &["schema", "toy-view"]);
    assert!(schema.contains("\"object\""), "{schema}");
    found(dir.path(), &[]);
    assert_eq!(said(&dir.path().join("camp"), &["toy", "won", "alpha"]), "0 upheld\n");
}

fn an_odd_argument_is_answered_in_the_words_of_the_program() {
    let dir = TempDir::new().unwrap();
    let (status, error) = refused(dir.path(), &["odds", "toy", "clash", "--own", "100", "--other", "1"]);
    assert!(status == 2 && error.contains("100 is not in 0..=99"), "{status}: {error}");
    let (status, error) = refused(dir.path(), &["toy", "wons"]);
    assert!(status == 2 && error.contains("unrecognized subcommand 'wons'"), "{status}: {error}");
}

/// A host with a game of the toy in `camp`, as `new` founds it with these arguments too.
fn found(dir: &Path, more: &[&str]) -> String {
    said(dir, &["init", "camp", "--address", "camp@example.org"]);
    let seats =
        ["--seat", "red=red@example.org", "--seat", "blue=computer:timid", "--seat", "umpire=computer"];
    let new = ["new", "toy/ridge", "--id", "alpha", "--start", "now"];
    said(&dir.join("camp"), &[&new[..], &seats, more].concat())
}

fn its_options_and_its_levels_are_those_of_new() {
    let dir = TempDir::new().unwrap();
    let founded = found(dir.path(), &["--option", "purses=full"]);
    assert!(founded.contains("The Ridge, 3 rounds") && founded.contains("Round 1"), "{founded}");
    let camp = dir.path().join("camp");
    let seats = ["--seat", "red=open", "--seat", "umpire=open"];
    let new =
        |more: &[&str]| refused(&camp, &[&["new", "toy/ridge", "--id", "beta"], &seats[..], more].concat());
    let (status, error) = new(&["--seat", "blue=open", "--option", "purses=empty"]);
    assert!(status != 0 && error.contains("plain") && error.contains("full"), "{error}");
    let (status, error) = new(&["--seat", "blue=computer:brave"]);
    assert!(status != 0 && error.contains("timid") && error.contains("bold"), "{error}");
    let shown = said(&camp, &["scenario", "show", "toy/ridge"]);
    assert!(shown.contains("twice that"), "{shown}");
}

fn a_filter_runs_what_it_names_and_tells_how_many_it_leaves_out() {
    let harness = |arguments: &[&str]| {
        let output = Command::new(std::env::current_exe().unwrap()).args(arguments).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, told) = harness(&["odd_argument", "--test-threads", "1", "--nocapture"]);
    assert!(
        status == 0 && told.contains("an_odd_argument_is_answered_in_the_words_of_the_program ... ok"),
        "{told}"
    );
    assert!(
        told.contains(&format!(
            "1 passed; 0 failed; 0 ignored; 0 measured; {} filtered out",
            TESTS.len() - 1
        )),
        "{told}"
    );
    for none in [&["--ignored"][..], &["odd_argument", "--exact"], &["its_", "--skip", "its_"]] {
        let (status, told) = harness(none);
        assert!(
            status == 0
                && told.contains(&format!(
                    " 0 passed; 0 failed; 0 ignored; 0 measured; {} filtered out",
                    TESTS.len()
                )),
            "{told}"
        );
    }
    let (status, told) = harness(&["its_", "--list"]);
    assert_eq!((status, told.lines().count()), (0, 4), "{told}");
    assert_eq!(harness(&["--bench"]).0, 2);
}

fn its_map_is_drawn_by_its_palette() {
    let dir = TempDir::new().unwrap();
    found(dir.path(), &[]);
    let drawn = said(&dir.path().join("camp"), &["report", "alpha", "red", "--svg"]);
    assert!(drawn.contains("#ebdcb6") && drawn.contains("the ridge"), "{drawn}");
}

fn its_orders_are_explained_by_mail() {
    let dir = TempDir::new().unwrap();
    found(dir.path(), &[]);
    let camp = dir.path().join("camp");
    said(&camp, &["serve", "--once"]);
    let box_of = |who: &str| camp.join("mail").join(format!("{who}@example.org")).join("new");
    let mails =
        || fs::read_dir(box_of("red")).unwrap().map(|mail| fs::read_to_string(mail.unwrap().path()).unwrap());
    let header = |mail: &str, name: &str| {
        let found = mail.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        found.unwrap_or_else(|| panic!("no {name}: {mail}")).to_owned()
    };
    let dispatch = mails().find(|mail| mail.contains("X-Musterd: dispatch")).unwrap();
    let to = header(&dispatch, "Reply-To");
    let asked = format!(
        "From: red@example.org\r\nTo: {to}\r\nMessage-ID: <help@example.org>\r\nSubject: orders\r\n\r\nHELP ORDERS\r\n"
    );
    fs::write(box_of("camp").join("1.help"), asked).unwrap();
    said(&camp, &["serve", "--once"]);
    let answer = mails().find(|mail| mail.contains("Bids three coins for the ridge")).expect("an answer");
    assert!(answer.contains("BID 3"), "{answer}");
}

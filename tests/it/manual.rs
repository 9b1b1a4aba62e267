//! The manual pages under `deploy/` are made from the definitions of the commands, and the page of the configuration from the file that
//! `musterd init` writes; the completions, which ask the program itself, by the program.
//!
//! After a change of commands or keys `MUSTERD_REWRITE_DOCS=1 cargo test --test it manual` writes them anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use musterd::daemon::config;

const MANUAL: &str = "musterd manual";

/// Every file as it should be, by its path below `deploy/`.
fn made() -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut command = musterd::cli::command().disable_help_subcommand(true);
    command.build();
    let mut names = vec!["musterd.yaml(5)".to_owned()];
    name_pages(&command, &mut names);
    add_pages(&command, &names, &mut files);
    files.insert(PathBuf::from("man/musterd.yaml.5"), configuration());
    for (shell, file) in
        [(Shell::Bash, "musterd.bash"), (Shell::Zsh, "_musterd"), (Shell::Fish, "musterd.fish")]
    {
        files.insert(Path::new("completions").join(file), musterd::cli::completions(shell).unwrap());
    }
    files
}

/// `musterd scenario check` has the page `musterd-scenario-check`.
fn page_of(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

fn name_pages(command: &Command, names: &mut Vec<String>) {
    names.push(format!("{}(1)", page_of(command)));
    command.get_subcommands().for_each(|inner| name_pages(inner, names));
}

fn add_pages(command: &Command, names: &[String], files: &mut BTreeMap<PathBuf, String>) {
    let name = page_of(command);
    files.insert(PathBuf::from(format!("man/{name}.1")), page(command, names));
    command.get_subcommands().for_each(|inner| add_pages(inner, names, files));
}

/// One page: the options as the library writes them, and the words of the command's help in their sections.
fn page(command: &Command, names: &[String]) -> String {
    let name = page_of(command);
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    title(&name.to_uppercase(), "1").to_writer(&mut text).unwrap();
    man.render_name_section(&mut text).unwrap();
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    // The commands of the GM.
    let (after, listed) = after.split_once("\nCommands:\n").unwrap_or((&after, ""));
    let is_heading = |line: &&str| line.starts_with("Example") && line.ends_with(':');
    let (examples, words): (Vec<&str>, Vec<&str>) = after
        .lines()
        .filter(|line| !line.is_empty() && !is_heading(line))
        .partition(|line| line.starts_with(' '));
    let (exit, words): (Vec<&str>, Vec<&str>) =
        words.into_iter().partition(|line| line.starts_with("Exit status"));

    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let spoken = name.replace('-', " ");
    let rest = usage.strip_prefix(&spoken).unwrap_or_else(|| panic!("{name}: {usage}"));
    let mut front = Roff::new();
    front.control("SH", ["SYNOPSIS"]).text([bold(spoken), roman(rest)]);
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    front.control("SH", ["DESCRIPTION"]).text([roman(format!("{}.", about.trim_end_matches('.')))]);
    for line in words {
        front.control("PP", []).text([roman(line)]);
    }
    front.to_writer(&mut text).unwrap();
    man.render_options_section(&mut text).unwrap();
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text).unwrap();
    }
    let mut rest = Roff::new();
    if !listed.is_empty() {
        rest.control("SH", ["COMMANDS"]).control("nf", []);
        listed.lines().for_each(|line| _ = rest.text([roman(line)]));
        rest.control("fi", []);
    }
    rest.control("SH", ["EXIT STATUS"]);
    match exit.as_slice() {
        [] => rest.text([roman("0 done, 2 usage, 3 a fault of the machine or output that got lost.")]),
        lines => rest.text([roman(format!("{} Else as musterd(1) tells.", lines.join(" ")))]),
    };
    if name == "musterd" {
        entries(&mut rest, "ENVIRONMENT", &ENVIRONMENT);
    }
    if ["musterd", "musterd-serve", "musterd-init"].contains(&name) {
        entries(&mut rest, "FILES", &FILES);
    }
    rest.control("SH", ["EXAMPLES"]);
    if let Some(place) = after.lines().find_map(|line| line.strip_prefix("Example, ")) {
        rest.text([roman(place)]);
    }
    rest.control("nf", []);
    for line in examples {
        rest.text([roman(line)]);
    }
    rest.control("fi", []);
    let around: Vec<&str> = names.iter().map(String::as_str).filter(|other| is_beside(name, other)).collect();
    rest.control("SH", ["SEE ALSO"]).text([roman(around.join(", "))]);
    rest.to_writer(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

fn entries(page: &mut Roff, heading: &str, entries: &[(&str, &str)]) {
    page.control("SH", [heading]);
    for (what, meaning) in entries {
        page.control("TP", []).text([bold(*what)]).text([roman(*meaning)]);
    }
}

const ENVIRONMENT: [(&str, &str); 5] = [
    ("MUSTERD_DIR", "The data directory, where --dir names none."),
    (
        "MUSTERD_COMPLETE",
        "Set by the completions of a shell, to bash, zsh or fish; by itself it prints them: source <(MUSTERD_COMPLETE=bash musterd)",
    ),
    ("MUSTERD_LOG", "What is worth a line of the log, for one run: musterd=debug."),
    ("NO_COLOR", "Where it is set, nothing is coloured."),
    ("XDG_DATA_HOME", "Where the user's own data directory lies, in place of ~/.local/share."),
];

/// In the data directory.
const FILES: [(&str, &str); 9] = [
    ("musterd.yaml", "The configuration: see musterd.yaml(5)."),
    ("secrets/", "One file a game: the secret that its dice are made from. Keep it secret, and safe."),
    ("mirror/", "One journal a game: all that was decided and told."),
    ("spool/", "Every mail received, as it came."),
    ("store/", "The database, which is made anew from the journals where it is lost."),
    ("templates/", "Wording of the host's own."),
    ("games/", "Rules, maps and scenarios of the host's own."),
    ("mail/", "Maildirs, where no mail server is used."),
    ("control.sock", "How commands reach the running daemon."),
];

/// The root names every command, a command its root, its own commands and the configuration.
fn is_beside(name: &str, other: &str) -> bool {
    let (other, _section) = other.split_once('(').unwrap();
    let above = name.rsplit_once('-').map(|(above, _)| above);
    let below = other.rsplit_once('-').map(|(above, _)| above);
    other != name
        && (below == Some(name) || above == Some(other) || ["musterd", "musterd.yaml"].contains(&other))
}

/// The first line of a page. Without a date: the version says how old it is.
fn title(name: &str, section: &str) -> Roff {
    let version = format!("musterd {}", env!("CARGO_PKG_VERSION"));
    let mut page = Roff::new();
    page.control("TH", [name, section, "\"\"", &version, MANUAL]);
    page
}

/// The page of `musterd.yaml`: the documented file itself.
fn configuration() -> String {
    let mut page = title("MUSTERD.YAML", "5");
    page.control("SH", ["NAME"]).text([roman("musterd.yaml - the configuration of a musterd host")]);
    page.control("SH", ["DESCRIPTION"]).text([
        roman("The file "),
        bold("musterd.yaml"),
        roman(
            " of a data directory says where mail comes from and where it goes. A key that is not known is an error, told with \
             its line. This is the file as ",
        ),
        bold("musterd init"),
        roman(" writes it: every key with its default, what is commented out as an example."),
    ]);
    page.control("SH", ["KEYS"]).control("nf", []);
    for line in config::example("campaign@example.org").lines() {
        page.text([roman(line)]);
    }
    page.control("fi", []).control("SH", ["SEE ALSO"]).text([roman("musterd(1), musterd-init(1)")]);
    page.render()
}

#[test]
fn manual_pages_and_completions_tell_of_the_commands_as_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy");
    let made = made();
    let kept = ["man", "completions"].map(|folder| root.join(folder));
    if std::env::var_os("MUSTERD_REWRITE_DOCS").is_some() {
        for folder in &kept {
            let _ = fs::remove_dir_all(folder);
            fs::create_dir_all(folder).unwrap();
        }
        for (path, text) in &made {
            fs::write(root.join(path), text).unwrap();
        }
        return;
    }
    let remedy = "MUSTERD_REWRITE_DOCS=1 cargo test --test it manual writes it anew";
    for (path, text) in &made {
        let kept = fs::read_to_string(root.join(path)).unwrap_or_default();
        assert!(kept == *text, "deploy/{} is not what is made of the commands: {remedy}", path.display());
    }
    for file in kept.iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = file.unwrap().path();
        let path = path.strip_prefix(&root).unwrap();
        assert!(made.contains_key(path), "deploy/{} is of no command: {remedy}", path.display());
    }
}

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::global::{Ended, Global};
use super::{output, shelf};
use musterd_daemon::HostError;
use musterd_daemon::check::{self, Finding, Findings};
use musterd_daemon::config;
use musterd_engine::files::DataError;
use musterd_engine::yaml::LineColumn;

/// Look at the configuration
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  musterd --dir campaign config check --connect")]
pub(super) struct Config {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(Check),
}

/// Look for everything that is wrong with a configuration; changes nothing
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd --dir campaign config check\n  musterd config check campaign/musterd.yaml --connect\n\n\
                  It also looks at what the configuration relies on: password files, directories, templates, rules of your own.\n\n\
                  With an error the daemon doesn't start, or can't write down what it decides. With a fault it does, and something doesn't work or is in danger. Exit status 1 \
                  where there is either."
)]
struct Check {
    /// The file [default: musterd.yaml in the data directory]
    file: Option<PathBuf>,
    /// Log in to every mail server too, and say what it is; no mail is sent or changed
    #[arg(long)]
    connect: bool,
}

/// The result of a check, for programs.
#[derive(Serialize)]
struct CheckOutput<'a> {
    file: &'a Path,
    /// Whether the daemon works with it: no finding is an error.
    usable: bool,
    #[serde(flatten)]
    findings: &'a Findings,
}

impl Config {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        match &self.command {
            Command::Check(command) => command.run(global),
        }
    }
}

impl Check {
    fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let default = global.dir().join(config::FILE);
        let default = default.strip_prefix(".").unwrap_or(&default);
        let file = self.file.as_deref().unwrap_or(default);
        let mut findings = check::look(file)?;
        own_games(file.parent().unwrap_or(Path::new("")), &mut findings)?;
        if self.connect {
            check::ask_servers(file, &mut findings);
        }
        let usable = findings.errors.is_empty();
        let whole = usable && findings.faults.is_empty();
        if global.json {
            output::json(&CheckOutput { file, usable, findings: &findings });
        } else {
            output::text(&in_words(file, &findings));
        }
        Ok(if whole { Ended::Done } else { Ended::Finding(1) })
    }
}

/// Notes the faults of the host's own rules, maps and scenarios.
fn own_games(dir: &Path, findings: &mut Findings) -> Result<(), HostError> {
    let (desk, faults) = shelf::desk(dir);
    let left_out: Vec<String> = faults.iter().map(|fault| fault.file.clone()).collect();
    let mut found = faults;
    for (ruleset, path) in shelf::own_files(dir) {
        let file = |path: &str| dir.join("games").join(&ruleset).join(path).display().to_string();
        if left_out.contains(&file(&path)) {
            continue;
        }
        let faults = match path.split_once('/') {
            Some(_) => desk.examine(&ruleset, &path)?.errors,
            // Faults of a ruleset's own file are found in each of its scenarios.
            None => {
                let of_it = |fault: &DataError| fault.file == path;
                desk.scenarios().into_iter().flat_map(|listing| listing.errors).filter(of_it).collect()
            }
        };
        for mut fault in faults {
            fault.file = file(if fault.file == "scenario.yaml" { &path } else { &fault.file });
            // A fault of a map is found in every scenario on the map.
            if !found.contains(&fault) {
                found.push(fault);
            }
        }
    }
    findings.faults.extend(found.into_iter().map(Finding::elsewhere));
    for path in shelf::unread_files(dir) {
        let reason = "nothing reads this file: games have `games/RULESET/ruleset.yaml`, and files that end in .yaml in its `maps` and \
                      `scenarios`";
        let file = dir.join(path).display().to_string();
        findings.warnings.push(Finding::elsewhere(DataError {
            file,
            at: LineColumn::default(),
            reason: reason.to_owned(),
        }));
    }
    Ok(())
}

fn in_words(file: &Path, findings: &Findings) -> String {
    let Findings { errors, faults, warnings, servers, config: _ } = findings;
    let mut text = String::new();
    for (kind, found) in [("error", errors), ("fault", faults), ("warning", warnings)] {
        for Finding { fault, shown, caret } in found {
            let whole = fault.to_string();
            let place = whole.strip_suffix(&fault.reason).unwrap_or_default();
            text.push_str(&format!("{place}{kind}: {}\n", fault.reason));
            if let Some(line) = shown {
                let caret = " ".repeat(*caret);
                text.push_str(&format!("    {line}\n    {caret}^\n"));
            }
        }
    }
    servers.iter().for_each(|server| text.push_str(&format!("{server}\n")));
    let count = |n: usize, what: &str| match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    let verdict = match (errors.is_empty(), faults.is_empty()) {
        (false, _) => "can't be used as it is",
        (true, false) => "can be used, but not everything works with it",
        (true, true) => "is in order",
    };
    let of_faults =
        if faults.is_empty() { String::new() } else { format!("{}, ", count(faults.len(), "fault")) };
    let counted =
        format!("{}, {of_faults}{}", count(errors.len(), "error"), count(warnings.len(), "warning"));
    text.push_str(&format!("{} {verdict}: {counted}.\n", file.display()));
    text
}

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::failure::Failure;
use super::global::{Ended, Global};
use super::output;
use super::scenario_copy::Copy;
use super::shelf::{SCENARIOS, named};
use crate::rulesets;
use musterd_daemon::HostError;
use musterd_desk::diagnosis::{computers_section, diagnosis_in_words, findings, options_section};
use musterd_desk::{Desk, DeskError};
use musterd_engine::Examination;
use musterd_engine::briefing::Briefing;
use musterd_engine::files::RuleFiles;
use musterd_report as report;
use musterd_report::text::listed;

/// Check a scenario or map of your own, show one, or copy one
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  musterd scenario check games/lga/scenarios/my-1809.yaml --watch
  musterd scenario show austrian-1805 --map
  musterd scenario show austrian-1805 --svg > austerlitz.svg
  musterd scenario copy danube-1809 games/lga/scenarios/my-1809.yaml")]
pub(super) struct Scenario {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(Check),
    Show(Show),
    Copy(Copy),
}

/// What stands below the options of `scenario check`: what a file is goes by its folder.
fn check_help() -> String {
    let kinds = rulesets::known()
        .folders()
        .map(|(folder, what)| format!("A file in a folder `{folder}` is {what}. "));
    let used = named().chain([RULES]).map(|name| format!("`{name}`"));
    format!(
        "Example:
  musterd scenario check games/lga/scenarios/my-1809.yaml

{}The file `ruleset.yaml` has the numbers of the rules. Every other file is a scenario. {} beside it (or beside its folder) are used before those of the data directory, and those before the built-in ones.

Exit status: 0 it can be played, 1 it can't (with --strict: or there are warnings).",
        kinds.collect::<String>(),
        listed(&used.collect::<Vec<_>>()),
    )
}

/// Tell what is wrong with a scenario or map, or not meant, with line and column
#[derive(Debug, Args)]
#[command(after_help = check_help())]
struct Check {
    /// A scenario's or map's file, or a scenario's name
    #[arg(id = "scenario", value_name = "FILE")]
    file: String,
    /// The ruleset, where the folder doesn't tell it
    #[arg(long, value_name = "ID")]
    ruleset: Option<String>,
    /// Warnings count as errors
    #[arg(long)]
    strict: bool,
    /// Check again whenever the file changes, or one that it depends on, until Ctrl-C
    #[arg(long, conflicts_with_all = ["strict"])]
    watch: bool,
}

/// Print a scenario as a rule book does: situation, forces, victory levels, special rules
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  musterd scenario show austrian-1805 --map")]
struct Show {
    /// A scenario's name, as `musterd scenarios` lists it, or its file
    scenario: String,
    /// With the map: who holds what, who stands where
    #[arg(long)]
    map: bool,
    /// The map alone, drawn: an SVG file
    #[arg(long, conflicts_with_all = ["map", "yaml"])]
    svg: bool,
    /// Its file as it is, to begin one of your own with
    #[arg(long, conflicts_with_all = ["map"])]
    yaml: bool,
    /// The ruleset, where the folder doesn't tell it
    #[arg(long, value_name = "ID")]
    ruleset: Option<String>,
}

/// The result of a check, for programs.
#[derive(Serialize)]
struct ExaminationOutput<'a> {
    file: &'a str,
    ruleset: &'a str,
    playable: bool,
    #[serde(flatten)]
    examination: &'a Examination,
}

/// A scenario as printed, for programs.
#[derive(Serialize)]
struct Shown<'a> {
    id: String,
    system: &'a str,
    #[serde(flatten)]
    chart: Briefing,
}

impl Scenario {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        match &self.command {
            Command::Check(command) => command.run(global),
            Command::Show(command) => command.run(global),
            Command::Copy(command) => command.run(global),
        }
    }
}

/// The file of a ruleset's numbers.
const RULES: &str = "ruleset.yaml";

/// How often a watched file is looked at.
const GLANCE: Duration = Duration::from_millis(300);

/// After so many glances a missing file counts as gone.
const MISSED: u32 = 2;

impl Check {
    fn run(&self, global: &Global) -> Result<Ended, HostError> {
        if self.watch { self.watch(global) } else { self.once(global) }
    }

    /// Checks on every change.
    fn watch(&self, global: &Global) -> Result<Ended, HostError> {
        let mut watched = Subject::find(global, &self.file, self.ruleset.as_deref())?.watched();
        loop {
            let seen = stamps(&watched);
            // What is wrong now may be right after the next change.
            if let Err(error) = self.once(global) {
                Failure::from(&error).tell(global.json);
            }
            if !global.json {
                output::text(&format!("Watching {}: Ctrl-C ends it.", self.file));
            }
            watched = self.next_change(global, &watched, &seen).watched();
        }
    }

    /// Waits for a change, and finds the files anew. A file that is gone is told of once it has been missing for two glances, and told of when it is back.
    fn next_change(&self, global: &Global, watched: &[PathBuf], seen: &[Stamp]) -> Subject {
        let mut missed = 0_u32;
        loop {
            std::thread::sleep(GLANCE);
            if missed == 0 && stamps(watched) == seen {
                continue;
            }
            match Subject::find(global, &self.file, self.ruleset.as_deref()) {
                Ok(subject) => {
                    if missed >= MISSED && !global.json {
                        output::text(&format!("{} is back.", self.file));
                    }
                    return subject;
                }
                Err(error) => {
                    missed = missed.saturating_add(1);
                    if missed == MISSED {
                        let failure = Failure::from(&error);
                        failure.with_words(": it is checked when it is back").tell(global.json);
                    }
                }
            }
        }
    }

    fn once(&self, global: &Global) -> Result<Ended, HostError> {
        let subject = Subject::find(global, &self.file, self.ruleset.as_deref())?;
        let diagnosis = subject.examine()?;
        let Examination { errors, warnings, .. } = &diagnosis.0;
        let playable = errors.is_empty();
        match global.json {
            true => subject.as_json(&self.file, &diagnosis.0),
            false => output::text(&diagnosis_in_words(&self.file, &diagnosis)),
        }
        let found = !playable || (self.strict && !warnings.is_empty());
        Ok(if found { Ended::Finding(1) } else { Ended::Done })
    }
}

impl Show {
    fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let subject = Subject::find(global, &self.scenario, self.ruleset.as_deref())?;
        if self.yaml
            && let Some(name) = subject.scenario()
        {
            let founding = subject.desk.founding(&name)?;
            output::text(founding.files.0.get("scenario.yaml").map_or("", String::as_str));
            return Ok(Ended::Done);
        }
        let (examination, _) = subject.examine()?;
        if !examination.errors.is_empty() {
            match global.json {
                true => subject.as_json(&self.scenario, &examination),
                false => output::text(&findings(&examination.errors, &[])),
            }
            return Ok(Ended::Finding(1));
        }
        let Some(name) = subject.scenario() else {
            return Err(HostError::usage(format!(
                "{} is no scenario: `musterd scenario check` looks it over, `show` prints scenarios",
                self.scenario
            )));
        };
        let founding = subject.desk.founding(&name)?;
        let game = subject.desk.open(founding.rules(), &founding.files, &[])?;
        if self.svg {
            let chart = game.chart(true);
            let mut maps = chart.maps().peekable();
            if global.json || maps.peek().is_none() {
                let why =
                    if global.json { "--svg prints a picture, and no JSON" } else { "it has no map to draw" };
                return Err(HostError::usage(format!("{name}: {why}: leave --svg out")));
            }
            output::text(&report::html::drawing(maps));
            return Ok(Ended::Done);
        }
        let mut chart = game.chart(self.map);
        chart.sections.extend(options_section(founding.options));
        chart.sections.extend(computers_section(&game.levels()));
        let shown = Shown { id: name, system: game.system(), chart };
        if global.json {
            output::json(&shown);
        } else {
            let (id, system) = (&shown.id, shown.system);
            let head = match shown.chart.date.as_str() {
                "" => shown.chart.title.clone(),
                date => format!("{}, {date}", shown.chart.title),
            };
            output::text(&format!(
                "{}\n{system}: {id}\n\n{}",
                report::ascii(&head),
                report::text::sections(&shown.chart)
            ));
        }
        Ok(Ended::Done)
    }
}

/// A scenario or map, at a desk with all files that it needs.
struct Subject {
    desk: Desk,
    ruleset: String,
    /// Its path under `games/<ruleset>/`.
    path: String,
    /// The paths of the user's own files, by path under `games/<ruleset>/`.
    sources: BTreeMap<String, PathBuf>,
}

impl Subject {
    /// Prints the result of a check for programs.
    fn as_json(&self, file: &str, examination: &Examination) {
        let (ruleset, playable) = (self.ruleset.as_str(), examination.errors.is_empty());
        output::json(&ExaminationOutput { file, ruleset, playable, examination });
    }

    /// Finds a file; otherwise a scenario by its name.
    fn find(global: &Global, wanted: &str, ruleset: Option<&str>) -> Result<Self, HostError> {
        let dir = global.dir();
        let (desk, _) = super::shelf::desk(&dir);
        if Path::new(wanted).is_file() {
            return Self::of_file(desk, &dir, Path::new(wanted), ruleset);
        }
        let founding = desk.founding(wanted).map_err(|error| match error {
            DeskError::NoScenario { .. } if wanted.ends_with(".yaml") => {
                HostError::usage(format!("there is no file {wanted}"))
            }
            error => error.into(),
        })?;
        let name = founding.scenario.rsplit('/').next().unwrap_or(wanted);
        let path = format!("scenarios/{name}.yaml");
        let sources = own_sources(&dir, &founding.ruleset);
        Ok(Self { desk, ruleset: founding.ruleset, path, sources })
    }

    fn of_file(mut desk: Desk, dir: &Path, file: &Path, ruleset: Option<&str>) -> Result<Self, HostError> {
        let fault = |path: &Path, error| HostError::Io { path: path.to_owned(), error };
        let here =
            |path: &Path| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_owned() };
        let folder = here(file.parent().unwrap_or(Path::new("")));
        let real = folder.canonicalize().map_err(|e| fault(&folder, e))?;
        let name_of = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (root, real_root, shelf) = match name_of(&real).as_str() {
            shelf if shelf == SCENARIOS || named().any(|known| known == shelf) => {
                let root = if folder == Path::new(".") {
                    PathBuf::from("..")
                } else {
                    here(folder.parent().unwrap_or(&folder))
                };
                (root, real.parent().unwrap_or(&real).to_owned(), shelf.to_owned())
            }
            _ if name_of(file) == RULES => (folder, real, String::new()),
            _ => (folder, real, SCENARIOS.to_owned()),
        };
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let path = if shelf.is_empty() { RULES.to_owned() } else { format!("{shelf}/{stem}.yaml") };
        let ruleset = match ruleset {
            Some(ruleset) => ruleset.to_owned(),
            None if desk.rulesets().any(|known| known == name_of(&real_root)) => name_of(&real_root),
            None => rulesets::desk().likeliest(&path, &super::shelf::read_data(file)?)?,
        };
        let mut sources = BTreeMap::from([(path.clone(), file.to_owned())]);
        let rules = root.join(RULES);
        if rules.is_file() {
            sources.insert(RULES.to_owned(), rules);
        }
        for shelf in named() {
            for file in std::fs::read_dir(root.join(shelf)).into_iter().flatten() {
                let file = file.map_err(|e| fault(&root, e))?.path();
                if file.extension().is_some_and(|e| e == "yaml") {
                    sources.entry(format!("{shelf}/{}", name_of(&file))).or_insert(file);
                }
            }
        }
        for (path, source) in &sources {
            let text = match super::shelf::read_data(source) {
                Err(HostError::Io { error, .. }) if source != file => RuleFiles::unread(&error.to_string()),
                text => text?,
            };
            desk.shelve(&ruleset, path, text)?;
        }
        for (path, source) in own_sources(dir, &ruleset) {
            sources.entry(path).or_insert(source);
        }
        Ok(Self { desk, ruleset, path, sources })
    }

    /// The files whose changes matter, and the folders in which new ones would.
    fn watched(&self) -> Vec<PathBuf> {
        let folders = self.sources.values().filter_map(|source| source.parent());
        let beside = folders.flat_map(|folder| {
            let shelves = named().flat_map(|shelf| [folder.join(shelf), folder.join("..").join(shelf)]);
            [folder.to_owned()].into_iter().chain(shelves)
        });
        let mut watched: Vec<PathBuf> = self.sources.values().cloned().chain(beside).collect();
        watched.sort();
        watched.dedup();
        watched
    }

    /// The scenario's name on the command line; `None` for any other file.
    fn scenario(&self) -> Option<String> {
        let name = self.path.strip_prefix("scenarios/")?.strip_suffix(".yaml")?;
        Some(format!("{}/{name}", self.ruleset))
    }

    /// The examination, with the files named as the user knows them; and the number of its own errors, which come first.
    fn examine(&self) -> Result<(Examination, usize), HostError> {
        let shown = |source: &PathBuf| source.strip_prefix(".").unwrap_or(source).display().to_string();
        Ok(self.desk.diagnosis(&self.ruleset, &self.path, |file| self.sources.get(file).map(shown))?)
    }
}

/// When a file was changed, and its length; none where it is not there.
type Stamp = Option<(SystemTime, u64)>;

fn stamps(paths: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |path: &PathBuf| {
        let about = std::fs::metadata(path).ok()?;
        Some((about.modified().ok()?, about.len()))
    };
    paths.iter().map(stamp).collect()
}

/// The paths of the host's own files of a ruleset.
fn own_sources(dir: &Path, ruleset: &str) -> BTreeMap<String, PathBuf> {
    let files = super::shelf::own_files(dir).into_iter().filter(|(of, _)| of == ruleset);
    files.map(|(of, path)| (path.clone(), dir.join("games").join(of).join(path))).collect()
}

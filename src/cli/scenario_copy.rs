use clap::{Args, ValueHint};
use serde::Serialize;

use super::global::{Ended, Global};
use super::outfile::{Force, OutFile};
use super::output;
use super::shelf::SCENARIOS;
use musterd_daemon::HostError;
use musterd_desk::Desk;
use musterd_engine::alike::names;

/// Copy a scenario's file, or one that it depends on, under a name of your own
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  musterd scenario copy acw/bull-run games/acw/scenarios/my-bull-run.yaml
  musterd scenario copy acw/maps/bull-run games/acw/maps/my-field.yaml
  musterd scenario copy acw/ruleset games/acw/ruleset.yaml

The copy's `id` is the name of the new file. A copy in `games` of the data directory can be played as it is: `musterd scenarios` lists it.")]
pub(super) struct Copy {
    /// A scenario's name, as `musterd scenarios` lists it; RULESET/FOLDER/NAME for a map or another file, RULESET/ruleset for the numbers of the rules
    scenario: String,
    /// The file to write; `-` prints it
    #[arg(value_hint = ValueHint::FilePath)]
    file: OutFile,
    #[command(flatten)]
    force: Force,
}

/// What was copied, for programs.
#[derive(Serialize)]
struct Copied<'a> {
    copied: &'a str,
    file: String,
}

impl Copy {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let (desk, _) = super::shelf::desk(&global.dir());
        let (copied, text) = source(&desk, &self.scenario)?;
        if self.file.is_output() {
            output::text(text.trim_end());
            return Ok(Ended::Done);
        }
        let path = self.file.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let writing = self.file.begin_among(global, self.force, &["games"])?;
        writing.whole(renamed(&text, &stem).as_bytes())?;
        let file = path.display().to_string();
        match global.json {
            true => output::json(&Copied { copied: &copied, file }),
            false => output::text(&format!(
                "{file} is a copy of {copied}. After each change `musterd scenario check {file}` tells what is wrong."
            )),
        }
        Ok(Ended::Done)
    }
}

/// The name and the text of a file: of a scenario, or of one that scenarios depend on.
fn source(desk: &Desk, wanted: &str) -> Result<(String, String), HostError> {
    let parts: Vec<&str> = wanted.strip_suffix(".yaml").unwrap_or(wanted).split('/').collect();
    let (ruleset, path) = match parts[..] {
        [ruleset, "ruleset"] => (ruleset, "ruleset.yaml".to_owned()),
        [ruleset, folder, name] if folder != SCENARIOS => (ruleset, format!("{folder}/{name}.yaml")),
        [ruleset, _, name] => return scenario(desk, &format!("{ruleset}/{name}")),
        _ => return scenario(desk, wanted),
    };
    let files = desk.shared_files(ruleset)?;
    match files.0.get(&path) {
        Some(text) => Ok((format!("{ruleset}/{}", path.trim_end_matches(".yaml")), text.clone())),
        None => {
            let known = files.0.keys().map(|path| path.trim_end_matches(".yaml"));
            let near = names(path.trim_end_matches(".yaml"), known);
            Err(HostError::usage(format!("{ruleset} has no file {path}; {near}")))
        }
    }
}

fn scenario(desk: &Desk, wanted: &str) -> Result<(String, String), HostError> {
    let founding = desk.founding(wanted)?;
    let text = founding.files.0.get(musterd_engine::files::SCENARIO).cloned().unwrap_or_default();
    Ok((founding.scenario, text))
}

/// A file that calls itself by another name. All else of it stays as it is.
fn renamed(text: &str, name: &str) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    if let Some(line) = lines.iter_mut().find(|line| line.starts_with("id:")) {
        let rest = line.find(" #").map_or(String::new(), |comment| line[comment..].to_owned());
        // YAML takes digits for a number, and some words for other things.
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
        *line = if plain { format!("id: {name}{rest}") } else { format!("id: {name:?}{rest}") };
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn a_copy_has_a_name_of_its_own_and_is_the_same_otherwise() {
        let text = "# A battle.\nid: old   # its name\ntitle: id: 7\nsides:\n  - id: x\n";
        let own = "# A battle.\nid: new # its name\ntitle: id: 7\nsides:\n  - id: x\n";
        assert_eq!(renamed(text, "new"), own);
        assert_eq!(renamed("id: a\n", "1861"), "id: \"1861\"\n");
        assert_eq!(renamed("terrains: {}\n", "ruleset"), "terrains: {}\n");
    }
}

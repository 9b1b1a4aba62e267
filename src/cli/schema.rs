use clap::Args;
use serde_json::{Value, json};

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::HostError;
use musterd_engine::PublishedFormat;
use musterd_engine::alike;
use musterd_engine::files::RuleFiles;

/// The format of every dispatch.
const DISPATCH: PublishedFormat =
    PublishedFormat::of("dispatch", "the JSON that comes with a dispatch", |_| {
        include_str!("../../docs/schema/dispatch.json").to_owned()
    });

/// The format of proofs.
const PROOFS: PublishedFormat =
    PublishedFormat::of("proofs", "a seat's own dice with their proof, as they come with it", |_| {
        include_str!("../../docs/schema/proofs.json").to_owned()
    });

/// Print the JSON Schema of a file that authors write, or of what is written for others
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd schema dispatch\n  musterd schema lga-scenario > scenario.json\n  musterd schema scenario (of any game)\n  musterd schema --list

An editor with a YAML language server shows what keys mean and marks mistakes, if the first line of a file says where its schema is:
  # yaml-language-server: $schema=scenario.json"
)]
pub(super) struct Schema {
    /// Its name
    #[arg(required_unless_present = "list")]
    name: Option<String>,
    /// Name all of them
    #[arg(long, conflicts_with = "name")]
    list: bool,
}

impl Schema {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let (desk, _) = super::shelf::desk(&global.dir());
        let known: Vec<&PublishedFormat> =
            std::iter::once(&DISPATCH).chain(desk.schemas()).chain([&PROOFS]).collect();
        let names: Vec<&str> = known.iter().map(|format| format.name).collect();
        let Some(name) = &self.name else {
            if global.json {
                output::json(&names);
            } else {
                known.iter().for_each(|it| output::text(&format!("{:<14} {}", it.name, it.about)));
            }
            return Ok(Ended::Done);
        };
        let ending = format!("-{name}");
        let text = |format: &PublishedFormat| {
            desk.schema(format.name).unwrap_or_else(|| (format.schema)(&RuleFiles::default()))
        };
        let exact = known.iter().copied().find(|format| format.name == name);
        let of_games: Vec<_> =
            known.iter().copied().filter(|format| format.name.ends_with(&ending)).collect();
        match (exact, of_games.as_slice()) {
            (Some(format), _) => output::text(text(format).trim_end()),
            (None, [format]) => output::text(text(format).trim_end()),
            (None, []) => {
                // Its game may be left out of a name.
                let short = names.iter().filter_map(|name| Some(name.split_once('-')?.1));
                let near = alike::meant(name, names.iter().copied().chain(short));
                let told = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there are {}", names.join(", ")),
                };
                return Err(HostError::usage(format!("there is no schema `{name}`: {told}")));
            }
            (None, several) => {
                let each = several.iter().map(|format| (format.name, text(format)));
                output::text(&any_of(name, each)?);
            }
        }
        Ok(Ended::Done)
    }
}

/// One schema for the files of this name of several games: a file has to be one of theirs.
fn any_of<'a>(name: &str, schemas: impl Iterator<Item = (&'a str, String)>) -> Result<String, HostError> {
    let parsed = |(own, text): (&str, String)| {
        let schema: Result<Value, _> = serde_json::from_str(&text);
        // With a name of its own its references stay within it.
        schema.map(|mut schema| {
            schema["$id"] = json!(format!("urn:musterd:{own}"));
            schema
        })
    };
    let fault = |error: serde_json::Error| HostError::usage(format!("the schema of `{name}`: {error}"));
    let each: Vec<Value> = schemas.map(parsed).collect::<Result<_, _>>().map_err(fault)?;
    let whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("{name}, of any game"),
        "anyOf": each,
    });
    serde_json::to_string_pretty(&whole).map_err(fault)
}

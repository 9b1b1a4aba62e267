use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::HostError;
use musterd_engine::PublishedFormat;
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
    after_help = "Examples:\n  musterd schema dispatch\n  musterd schema lga-scenario > scenario.json\n  musterd schema --list

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
        let mut meant = known.iter().filter(|format| format.name.ends_with(&ending));
        let alone = meant.next().filter(|_| meant.next().is_none());
        let Some(format) = known.iter().find(|format| format.name == name).or(alone) else {
            return Err(HostError::usage(format!(
                "there is no schema `{name}`: there are {}",
                names.join(", ")
            )));
        };
        let text = desk.schema(format.name).unwrap_or_else(|| (format.schema)(&RuleFiles::default()));
        output::text(text.trim_end());
        Ok(Ended::Done)
    }
}

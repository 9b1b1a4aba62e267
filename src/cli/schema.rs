use clap::Args;

use super::global::{Ended, Global};
use super::output;
use crate::rulesets;
use musterd_daemon::HostError;
use musterd_engine::PublishedFormat;

/// The format of every dispatch.
const DISPATCH: PublishedFormat = PublishedFormat {
    name: "dispatch",
    about: "the JSON that comes with a dispatch",
    schema: include_str!("../../docs/schema/dispatch.json"),
};

/// The format of proofs.
const PROOFS: PublishedFormat = PublishedFormat {
    name: "proofs",
    about: "a seat's own dice with their proof, as they come with it",
    schema: include_str!("../../docs/schema/proofs.json"),
};

/// Print the JSON Schema of what this program writes for others
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  musterd schema dispatch\n  musterd schema --list")]
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
        let desk = rulesets::desk();
        let known: Vec<&PublishedFormat> =
            std::iter::once(&DISPATCH).chain(desk.schemas()).chain([&PROOFS]).collect();
        let names: Vec<&str> = known.iter().map(|format| format.name).collect();
        let Some(name) = &self.name else {
            if global.json {
                output::json(&names);
            } else {
                known.iter().for_each(|it| output::text(&format!("{:<10} {}", it.name, it.about)));
            }
            return Ok(Ended::Done);
        };
        let Some(format) = known.iter().find(|format| format.name == name) else {
            return Err(HostError::usage(format!(
                "there is no schema `{name}`: there are {}",
                names.join(", ")
            )));
        };
        output::text(format.schema.trim_end());
        Ok(Ended::Done)
    }
}

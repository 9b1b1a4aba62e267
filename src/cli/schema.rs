use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::HostError;

/// The published formats of this program's output, by name.
const SCHEMAS: [(&str, &str, &str); 4] = [
    ("dispatch", "the JSON that comes with a dispatch", include_str!("../../docs/schema/dispatch.json")),
    ("lga-view", "its `view` in La Grande Armee", include_str!("../../docs/schema/lga-view.json")),
    ("dog-view", "its `view` in Death or Glory", include_str!("../../docs/schema/dog-view.json")),
    (
        "proofs",
        "a seat's own dice with their proof, as they come with it",
        include_str!("../../docs/schema/proofs.json"),
    ),
];

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
        let Some(name) = &self.name else {
            let names: Vec<&str> = SCHEMAS.iter().map(|(name, ..)| *name).collect();
            if global.json {
                output::json(&names);
            } else {
                SCHEMAS.iter().for_each(|(name, what, _)| output::text(&format!("{name:<10} {what}")));
            }
            return Ok(Ended::Done);
        };
        let Some((.., schema)) = SCHEMAS.iter().find(|(known, ..)| known == name) else {
            let names: Vec<&str> = SCHEMAS.iter().map(|(name, ..)| *name).collect();
            return Err(HostError::usage(format!(
                "there is no schema `{name}`: there are {}",
                names.join(", ")
            )));
        };
        output::text(schema.trim_end());
        Ok(Ended::Done)
    }
}

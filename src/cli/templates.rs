use clap::{Args, Subcommand};

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{HostError, config};
use musterd_report::Finding;
use musterd_text::nouns::count;

/// Look the texts of the mails over
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  musterd templates check")]
pub(super) struct Templates {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(Check),
}

/// Try the host's own templates on samples of every mail, and tell what is wrong
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  musterd templates check

The host's own templates are `templates/NAME.txt`, and `templates/GAME/NAME.txt` for the mails of one game.

Exit status: 0 they will do, 1 something is wrong with them.")]
struct Check {}

impl Templates {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let Command::Check(Check {}) = &self.command;
        let own = config::own_templates(&global.dir());
        let findings: Vec<Finding> = config::look_over_templates(&global.dir());
        if global.json {
            output::json(&findings);
        } else {
            findings.iter().for_each(|finding| output::text(&finding.to_string()));
            if own.texts.is_empty() && findings.is_empty() {
                output::text("No templates of your own: the built-in ones are used.");
            } else if findings.is_empty() {
                output::text(&format!("{} of your own: all is well.", count(own.texts.len(), "template")));
            }
        }
        Ok(if findings.is_empty() { Ended::Done } else { Ended::Finding(1) })
    }
}

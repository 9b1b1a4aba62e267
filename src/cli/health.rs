use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{Ailment, HostError, Reply, Request, control};

/// Say whether the daemon runs and is well; for supervisors, and for people at night
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd --dir campaign health\n  musterd health --max-age 600 || mail -s trouble root </dev/null\n\n\
                  Exit status 0 well (there may be warnings), 1 something needs somebody (a line each), 3 no daemon answers."
)]
pub(super) struct Health {
    /// After how long a mailbox that can't be drained, or a mail that isn't sent, is worth a line
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(i64).range(1..))]
    max_age: i64,
}

/// How long the daemon may take to answer: it may be in the middle of a turn.
const PATIENCE: Duration = Duration::from_secs(15);

/// The output of `health` for programs.
#[derive(Serialize)]
struct HealthOutput {
    running: bool,
    healthy: bool,
    findings: Vec<Ailment>,
    /// Things that work but may not be meant.
    warnings: Vec<Ailment>,
}

impl Health {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let dir = global.dir();
        let one = |about: &str, text: String| vec![Ailment { about: about.to_owned(), text }];
        let mut warnings = Vec::new();
        let (running, findings) = match control::ask_within(&dir, &Request::Vitals, PATIENCE) {
            Ok(Some(Reply::Vitals(vitals))) => {
                warnings.clone_from(&vitals.warnings);
                (true, vitals.ailments(self.max_age))
            }
            Ok(Some(_)) => (true, Vec::new()),
            Ok(None) => (false, one("daemon", control::no_daemon(&dir).to_string())),
            Err(error) => (matches!(error, HostError::Told { .. }), one("daemon", error.to_string())),
        };
        let healthy = running && findings.is_empty();
        if global.json {
            output::json(&HealthOutput { running, healthy, findings, warnings });
        } else {
            if healthy {
                output::text("The daemon runs and is well.");
            }
            findings.iter().for_each(|finding| output::text(&format!("{}: {}", finding.about, finding.text)));
            warnings
                .iter()
                .for_each(|warning| output::text(&format!("warning: {}: {}", warning.about, warning.text)));
        }
        Ok(match (running, healthy) {
            (true, true) => Ended::Done,
            (true, false) => Ended::Finding(1),
            (false, _) => Ended::Finding(3),
        })
    }
}

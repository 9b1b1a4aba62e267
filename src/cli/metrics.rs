use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{HostError, Reply, Request, control, metrics};

/// Print the daemon's figures, as Prometheus reads them
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  musterd --dir campaign metrics | grep outbox\n\nThe daemon writes the same to a file for a collector where the configuration names one (metrics_file).\n\nExit status 3 where no daemon answers."
)]
pub(super) struct Metrics {}

impl Metrics {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let dir = global.dir();
        match control::ask(&dir, &Request::Vitals)?.ok_or_else(|| control::no_daemon(&dir))? {
            reply if global.json => output::json(&reply),
            Reply::Vitals(vitals) => output::text(&metrics::text(&vitals)),
            _ => {}
        }
        Ok(Ended::Done)
    }
}

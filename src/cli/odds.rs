use clap::Args;

use super::calls::{self, Asked, Offer};
use super::global::{Ended, Global};
use crate::rulesets;
use musterd_daemon::HostError;
use musterd_engine::calls::Calls;

/// Count the exact odds of an attack, a muster, a march, a strike: no sampling
#[derive(Debug, Args)]
#[command(after_help = help())]
pub(super) struct Odds {
    #[command(subcommand)]
    of: Asked<Question>,
}

/// What rulesets know about odds.
#[derive(Debug)]
struct Question;

impl Offer for Question {
    fn offered() -> Vec<(&'static str, Calls)> {
        rulesets::known().odds().collect()
    }
}

fn help() -> String {
    let odds = rulesets::known().odds();
    let examples: Vec<&str> = odds.filter_map(|(_, odds)| odds.examples.first().copied()).collect();
    calls::help(&examples, &["With --json every chance is an exact fraction and a decimal."])
}

impl Odds {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        self.of.run(global)
    }
}

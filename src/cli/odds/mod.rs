mod answer;
pub(super) mod dog;
mod lga;

use clap::{Args, Subcommand};

use super::global::{Ended, Global};
use musterd_daemon::HostError;

/// Count the exact odds of an attack, a muster, a march, a strike: no sampling
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd odds lga attack --with infantry:3 --hq 2 --against militia:2\n  musterd odds dog rounds 20 knights at 20 pikemen\n\nWith --json every chance is an exact fraction and a decimal."
)]
pub(super) struct Odds {
    #[command(subcommand)]
    of: Ruleset,
}

#[derive(Debug, Subcommand)]
enum Ruleset {
    Lga(lga::Lga),
    Dog(dog::Dog),
}

impl Odds {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        match &self.of {
            Ruleset::Lga(question) => question.run(global),
            Ruleset::Dog(question) => question.run(global),
        }
    }
}

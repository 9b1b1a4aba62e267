mod chart;
mod dice;
mod given;
mod next;
mod played;
mod record;
mod session;

use clap::{Args, Subcommand};

use super::global::{Ended, Global};
pub(super) use given::{FIGHTERS, numbers, usual};
use musterd_daemon::HostError;

/// At the table of Death or Glory: dice that can be checked, unit records, the next battle
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd dog strike 18 heavy infantry at 40 orcs in forest\n  musterd dog initiative red blue\n  musterd dog reveal --out evening.json && musterd verify evening.json\n  musterd dog record daerquwa --html > cards.html"
)]
pub(super) struct Dog {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Strike(dice::Strike),
    Shoot(dice::Shoot),
    Hide(dice::Hide),
    Initiative(dice::Initiative),
    Session(dice::Show),
    Reveal(dice::Reveal),
    Chart(chart::Chart),
    Record(record::Record),
    Next(next::Next),
}

impl Dog {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        match &self.command {
            Command::Strike(command) => command.run(global),
            Command::Shoot(command) => command.run(global),
            Command::Hide(command) => command.run(global),
            Command::Initiative(command) => command.run(global),
            Command::Session(command) => command.run(global),
            Command::Reveal(command) => command.run(global),
            Command::Chart(command) => command.run(global),
            Command::Record(command) => command.run(global),
            Command::Next(command) => command.run(global),
        }
    }
}

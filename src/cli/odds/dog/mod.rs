mod asked;
mod rounds;
mod strike;

use clap::{Args, Subcommand};

use crate::cli::dog::{FIGHTERS, numbers};
use crate::cli::global::{Ended, Global};
use musterd_daemon::HostError;

/// The odds of Death or Glory: strikes, exchanges, rounds until a side is beaten
#[derive(Debug, Args)]
#[command(after_help = format!("Examples:\n  musterd odds dog strike 18 heavy infantry at 40 orcs in forest\n  musterd odds dog rounds 20 knights at 20 pikemen\n\n{FIGHTERS}"))]
pub(super) struct Dog {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    Strike(strike::Strike),
    Shoot(strike::Shoot),
    Exchange(rounds::Exchange),
    Rounds(rounds::Rounds),
}

impl Dog {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let numbers = numbers(global)?;
        let answer = match &self.question {
            Question::Strike(question) => question.answer(&numbers),
            Question::Shoot(question) => question.answer(&numbers),
            Question::Exchange(question) => question.answer(&numbers),
            Question::Rounds(question) => question.answer(&numbers),
        }?;
        Ok(answer.print(global))
    }
}

mod attack;
mod march;
mod rolls;
mod unit;

use unit::{UNITS, numbers};

use clap::{Args, Subcommand};

use crate::cli::global::{Ended, Global};
use musterd_daemon::HostError;

/// The odds of La Grande Armee
#[derive(Debug, Args)]
#[command(after_help = format!("Example:\n  musterd odds lga attack --with infantry:3 --against militia:2 --river\n\n{UNITS}"))]
pub(super) struct Lga {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    Attack(attack::Attack),
    Muster(rolls::Muster),
    Withdraw(rolls::Withdraw),
    Reinforce(rolls::Reinforce),
    Siege(rolls::Siege),
    March(march::March),
}

impl Lga {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let numbers = numbers(global)?;
        let answer = match &self.question {
            Question::Attack(question) => question.answer(&numbers),
            Question::Muster(question) => question.answer(&numbers),
            Question::Withdraw(question) => question.answer(&numbers),
            Question::Reinforce(question) => question.answer(&numbers),
            Question::Siege(question) => question.answer(&numbers),
            Question::March(question) => question.answer(&numbers),
        }?;
        Ok(answer.print(global))
    }
}

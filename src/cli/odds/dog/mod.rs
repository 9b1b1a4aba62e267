mod rounds;
mod strike;

use clap::{Args, Subcommand};

use crate::cli::dog::numbers;
use crate::cli::{Ended, Global};
use musterd_daemon::HostError;
use musterd_dog::battle::{Ground, Switches};
use musterd_dog::numbers::Numbers;
use musterd_dog::table::throw::{OPEN, Throw};
use musterd_dog::table::{read, telling};
use musterd_engine::briefing::Fact;

/// How fighters are written, for the help of every question.
pub(in crate::cli) const FIGHTERS: &str = "Fighters are a number and a type of table 1, such as 18 heavy infantry or 18 HI, with ELITE, WITH their crew, PEOPLE or \
    SIZE where they have one, and IN the ground they stand on: in forest hills, in clear castle.";

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

/// What every question takes.
#[derive(Debug, Args)]
struct Asked {
    /// Who strikes, AT whom
    #[arg(required = true, value_name = "WORDS", trailing_var_arg = false)]
    words: Vec<String>,
    /// The ground of those of whom none is said, such as "forest hills" [default: clear]
    #[arg(long, value_name = "GROUND")]
    terrain: Option<String>,
    /// With the optional rule that few fighters strike for six tenths of their force at most (DOG-5)
    #[arg(long)]
    tiny_strikes: bool,
    /// With the optional rule that walls don't help nomads (DOG-29)
    #[arg(long)]
    nomad_unease: bool,
}

impl Asked {
    fn switches(&self) -> Switches {
        Switches { tiny_strikes: self.tiny_strikes, nomad_unease: self.nomad_unease, ..Switches::USUAL }
    }

    /// What is asked about.
    fn throw(&self, numbers: &Numbers, verb: &str) -> Result<Throw, HostError> {
        let usual = usual(self.terrain.as_deref())?;
        read::read(numbers, &format!("{verb} {}", self.words.join(" ")), usual).map_err(HostError::usage)
    }

    /// What the rules would not allow of it on a field.
    fn doubts(&self, numbers: &Numbers, throw: &Throw) -> Vec<Fact> {
        let doubts = telling::doubts(numbers, self.switches(), None, throw);
        doubts.into_iter().map(|doubt| fact("But", doubt)).collect()
    }
}

/// The ground that an option names.
pub(in crate::cli) fn usual(option: Option<&str>) -> Result<Ground, HostError> {
    option.map_or(Ok(OPEN), read::ground).map_err(HostError::usage)
}

fn fact(label: &str, text: impl Into<String>) -> Fact {
    Fact { label: label.to_owned(), text: text.into() }
}

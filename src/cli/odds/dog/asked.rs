//! What a question about Death or Glory is asked with.

use clap::Args;

use crate::cli::dog::usual;
use musterd_daemon::HostError;
use musterd_dog::battle::Switches;
use musterd_dog::numbers::Numbers;
use musterd_dog::table::throw::Throw;
use musterd_dog::table::{read, telling};
use musterd_engine::briefing::Fact;

/// What every question takes.
#[derive(Debug, Args)]
pub(super) struct Asked {
    /// Who strikes, AT whom
    #[arg(required = true, value_name = "WORDS", trailing_var_arg = false)]
    pub(super) words: Vec<String>,
    /// The ground of those of whom none is said, such as "forest hills" [default: clear]
    #[arg(long, value_name = "GROUND")]
    pub(super) terrain: Option<String>,
    /// With the optional rule that few fighters strike for six tenths of their force at most (DOG-5)
    #[arg(long)]
    pub(super) tiny_strikes: bool,
    /// With the optional rule that walls don't help nomads (DOG-29)
    #[arg(long)]
    pub(super) nomad_unease: bool,
}

impl Asked {
    pub(super) fn switches(&self) -> Switches {
        Switches { tiny_strikes: self.tiny_strikes, nomad_unease: self.nomad_unease, ..Switches::USUAL }
    }

    /// The throw that the question is about.
    pub(super) fn throw(&self, numbers: &Numbers, verb: &str) -> Result<Throw, HostError> {
        let usual = usual(self.terrain.as_deref())?;
        read::read(numbers, &format!("{verb} {}", self.words.join(" ")), usual).map_err(HostError::usage)
    }

    /// Things in the throw that the rules would not allow on a field.
    pub(super) fn doubts(&self, numbers: &Numbers, throw: &Throw) -> Vec<Fact> {
        let doubts = telling::doubts(numbers, self.switches(), None, throw);
        doubts.into_iter().map(|doubt| fact("But", doubt)).collect()
    }
}

pub(super) fn fact(label: &str, text: impl Into<String>) -> Fact {
    Fact { label: label.to_owned(), text: text.into() }
}

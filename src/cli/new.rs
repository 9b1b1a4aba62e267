use std::path::PathBuf;

use clap::Args;

use super::global::{Ended, Global};
use super::output;
use super::terms::TermsArgs;
use musterd_daemon::config::templates_in;
use musterd_daemon::{HostError, NewGame, Reply, Request};
use musterd_dice::{BeaconPolicy, GameId};

/// Found a game and invite its players
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  musterd new austrian-1805 --id alpha \\
      --seat french=anna@example.org --seat allied=computer
  musterd new austrian-1805 --id beta \\
      --seat french=anna@example.org --seat allied=ben@example.org \\
      --gm gm@example.org --deadline 'sat 20:00 Europe/Vienna min 48h'
  musterd new austrian-1805 --id gamma --seat french=computer \\
      --seat allied.austria-britain=anna@example.org \\
      --seat allied.russia=ben@example.org")]
pub(super) struct New {
    /// The scenario, as `musterd scenarios` lists it
    scenario: String,
    /// The game's name: a-z, 0-9 and -
    #[arg(long, value_name = "GAME")]
    id: GameId,
    /// Who sits where: SEAT=ADDRESS[,ADDRESS...], SEAT=computer[:LEVEL], SEAT=open; levels as
    /// `musterd scenario show` lists them
    #[arg(long = "seat", value_name = "SEAT=WHO", required = true)]
    seats: Vec<String>,
    /// The GM's address; may be given several times
    #[arg(long, value_name = "ADDRESS")]
    gm: Vec<String>,
    /// Whom to ask to be a witness of the dice; may be given several times
    #[arg(long, value_name = "ADDRESS")]
    witness: Vec<String>,
    /// 3d, '3d not weekends', none, 'sat 20:00 Europe/Vienna min 48h' [default: 7d]
    #[arg(long, value_name = "WHEN")]
    deadline: Option<String>,
    /// Begin once all have joined, or now
    #[arg(long, value_name = "WHEN", value_parser = ["now", "joined"], default_value = "joined")]
    start: String,
    /// Whom players may write to through the host
    #[arg(long, value_name = "WHOM", value_parser = ["side", "all", "none"], default_value = "side")]
    press: String,
    /// The public beacon that the dice wait for after each close, as
    /// drand-quicknet:1692803367:3:3600 [default: none]
    #[arg(long, value_name = "NAME:GENESIS:PERIOD:DELAY")]
    beacon: Option<BeaconPolicy>,
    /// An option of the game's rules, as `musterd scenario show` lists them; may be
    /// given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// A folder with templates of the game's own for its mails, as dispatch.txt
    #[arg(long, value_name = "DIR")]
    templates: Option<PathBuf>,
    #[command(flatten)]
    terms: TermsArgs,
}

impl New {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let mut new = NewGame::of(self.scenario.clone(), self.id.clone());
        for (option, values) in
            [("seat", &self.seats), ("gm", &self.gm), ("witness", &self.witness), ("option", &self.options)]
        {
            values.iter().try_for_each(|value| new.set(option, value))?;
        }
        new.set("start", &self.start)?;
        new.set("press", &self.press)?;
        self.deadline.iter().try_for_each(|value| new.set("deadline", value))?;
        self.terms.given().iter().try_for_each(|(option, value)| new.set(option, value))?;
        new.beacon.clone_from(&self.beacon);
        if let Some(dir) = &self.templates {
            let own = templates_in(dir);
            if let Some(fault) = own.unread.first() {
                return Err(HostError::usage(format!("--templates {}: {fault}", dir.display())));
            }
            if own.texts.is_empty() {
                return Err(HostError::usage(format!(
                    "--templates {}: there is no template in it",
                    dir.display()
                )));
            }
            new.templates = own.texts;
        }
        match global.ask(Request::found(new))? {
            reply if global.json => output::json(&reply),
            Reply::New { lines } => output::text(&lines.join("\n")),
            _ => {}
        }
        Ok(Ended::Done)
    }
}

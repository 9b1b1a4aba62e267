use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::global::{Ended, Global};
use super::outfile::{Force, OutFile};
use super::output;
use musterd_daemon::{HostError, escrow};
use musterd_dice::{GameId, SecretChain};

/// Write the file that opens a game's dice without its host
#[derive(Debug, Args)]
#[command(
    after_help = "Give it to somebody whom the players trust, who neither plays nor tells: whoever has it knows the dice. \
Seal it for them, or for a vault. With it anybody can check the dice should the host disappear or refuse: \
`musterd verify --secret FILE`. It orders for nobody: seats' secrets can't be made from it.

Examples:
  musterd escrow alpha --out alpha.escrow
  musterd escrow alpha | gpg --encrypt -r umpire@example.org > sealed.gpg
  musterd escrow --check alpha.escrow"
)]
pub(super) struct Escrow {
    /// The game's name
    #[arg(required_unless_present = "check")]
    game: Option<GameId>,
    /// The file to write; `-` prints it [default: it is printed]
    #[arg(long, value_name = "FILE", conflicts_with = "check", value_hint = ValueHint::FilePath)]
    out: Option<OutFile>,
    #[command(flatten)]
    force: Force,
    /// Say what such a file opens
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    check: Option<PathBuf>,
}

impl Escrow {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        match (&self.game, &self.check) {
            (_, Some(file)) => check(file, global.json),
            (Some(game), None) => self.write(game, global),
            (None, None) => Err(HostError::usage("name a game, or a file with --check")),
        }
    }

    fn write(&self, game: &GameId, global: &Global) -> Result<Ended, HostError> {
        let out = self.out.as_ref().filter(|out| !out.is_output());
        let writing =
            out.map(|out| out.begin(global, self.force).map(|writing| (out, writing))).transpose()?;
        let (text, anchor) = escrow::of(&global.dir(), game)?;
        let Some((out, writing)) = writing else {
            let fault = |error| HostError::Io { path: "standard output".into(), error };
            std::io::stdout().write_all(text.as_bytes()).map_err(fault)?;
            return Ok(Ended::Done);
        };
        writing.whole(text.as_bytes())?;
        if global.json {
            output::json(&serde_json::json!({ "game": game, "anchor": anchor, "file": out.path() }));
        } else {
            output::text(&format!(
                "{} opens the dice of {game}. Its anchor is\n  {anchor}\nas in every invitation.\n",
                out.path().display()
            ));
        }
        Ok(Ended::Done)
    }
}

/// The secrets in such a file.
pub(super) fn open(file: &Path) -> Result<SecretChain, HostError> {
    let text = zeroize::Zeroizing::new(super::shelf::read_data(file)?);
    SecretChain::from_escrow(&text).map_err(|error| HostError::usage(format!("{}: {error}", file.display())))
}

fn check(file: &Path, json: bool) -> Result<Ended, HostError> {
    let chain = open(file)?;
    let (game, anchor, last) = (chain.game(), chain.anchor(), chain.length());
    if json {
        output::json(&serde_json::json!({ "game": game, "anchor": anchor, "last": last }));
    } else {
        output::text(&format!(
            "This opens the dice of {game}, up to t {last}, if the game has the anchor\n  {anchor}\nCompare it with that of an invitation.\n"
        ));
    }
    Ok(Ended::Done)
}

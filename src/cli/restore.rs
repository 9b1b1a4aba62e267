use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::Serialize;

use super::global::{Ended, Global};
use super::outfile::OutDir;
use super::output;
use musterd_daemon::archive::{self, Restored};
use musterd_daemon::{GameMark, Host, HostError, Options, Reply, Request};
use musterd_dice::GameId;
use musterd_text::nouns::counted;

/// Make a data directory of a backup
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd restore campaign.tar --to /var/lib/musterd\n  gunzip -c campaign.tar.gz | musterd restore - --to /var/lib/musterd\n\nThe archive is checked first; the directory must be empty or missing. Look at `musterd status` before you start the \
                  daemon: a deadline that has passed meanwhile runs its turn at once (`musterd gm GAME EXTEND ...` moves it).\n\nExit status 1 where the secret of a game was not in it."
)]
pub(super) struct Restore {
    /// The backup; `-` reads it from standard input
    file: PathBuf,
    /// Where to [default: the data directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    to: Option<OutDir>,
}

/// The result of the restoration, for programs.
#[derive(Serialize)]
struct Made<'a> {
    dir: &'a PathBuf,
    games: &'a [GameMark],
    /// Games that can't go on, with the reason.
    lost: &'a [(GameId, String)],
    mails_done: usize,
    mails_waiting: usize,
    outbox: u64,
}

impl Restore {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let dir = match &self.to {
            Some(dir) => dir.path()?.to_owned(),
            None => OutDir::at(global.dir()).path()?.to_owned(),
        };
        let Restored { manifest, mails_waiting, mails_done, outbox } = archive::restore(&self.file, &dir)?;
        // The backup is proved to be usable: every game can be folded.
        let (desk, _) = super::shelf::desk(&dir);
        let options = Options { dir: dir.clone(), clock: global.clock(), entropy: global.entropy()?, desk };
        let mut host = Host::open(options)?;
        let lost = host.look_over_secrets();
        let reply = host.execute(Request::Status { game: None })?;
        let games = &manifest.snapshot.games;
        if global.json {
            output::json(&Made { dir: &dir, games, lost: &lost, mails_done, mails_waiting, outbox });
            return Ok(if lost.is_empty() { Ended::Done } else { Ended::Finding(1) });
        }
        let when = jiff::Timestamp::from_second(manifest.snapshot.at).unwrap_or_default();
        let mut text = format!("Restored {} as it was at {when}:\n", dir.display());
        if let Reply::Status { games: now } = reply {
            for (mark, status) in games.iter().zip(now) {
                let turn = mark.t.map(|t| format!(", turn {t}")).unwrap_or_default();
                text.push_str(&format!(
                    "  {}: {}{turn}, waits for {}; deadline {}\n",
                    mark.game,
                    counted(mark.entries, "entry", "entries"),
                    status.waits_for,
                    status.deadline.as_deref().unwrap_or("none")
                ));
            }
        }
        text.push_str(&format!(
            "  mails received: {mails_done} dealt with, {mails_waiting} waiting; mails to send: {outbox}\n\
             Next: look at `musterd --dir {0} status`, then `musterd --dir {0} serve`.",
            dir.display()
        ));
        output::text(&text);
        let told: Vec<String> =
            lost.iter().map(|(game, why)| format!("game {game} can't go on: {why}")).collect();
        Ok(if told.is_empty() { Ended::Done } else { Ended::Found(told) })
    }
}

use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use clap::{Args, ValueHint};
use serde::Serialize;

use super::global::{Ended, Global};
use super::outfile::{Force, OutFile, Writing};
use super::output;
use musterd_daemon::archive::{self, Packed};
use musterd_daemon::{Host, HostError, Reply, Request, Snapshot, control};
use musterd_text::nouns::count;

/// Write a backup of the data directory; the daemon may run meanwhile
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd --dir campaign backup /backups/campaign.tar\n  musterd --dir campaign backup - | ssh elsewhere 'cat > campaign.tar'\n\n\
                  It holds the secrets of the games: keep it where nobody else can read it. `musterd restore` checks it and makes a data \
                  directory of it.\n\nExit status 1 where a mail in the data directory is damaged, or the secret of a game missing or not its own."
)]
pub(super) struct Backup {
    /// The file to write; `-` writes to standard output
    #[arg(value_hint = ValueHint::FilePath)]
    file: OutFile,
    #[command(flatten)]
    force: Force,
}

/// The contents of the backup, for programs.
#[derive(Serialize)]
struct Made<'a> {
    file: &'a Path,
    games: usize,
    files: usize,
    bytes: u64,
    damaged: &'a [String],
}

impl Backup {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let dir = global.dir();
        let writing = match self.file.is_output() {
            true => None,
            false => Some(self.file.begin(global, self.force)?),
        };
        // If no daemon runs, the host is locked until the backup is written.
        let (snapshot, _host) = match control::ask(&dir, &Request::Snapshot)? {
            Some(reply) => (reply, None),
            None => {
                let mut host = Host::open(global.options()?)?;
                (host.execute(Request::Snapshot)?, Some(host))
            }
        };
        let Reply::Snapshot(snapshot) = snapshot else { return Ok(Ended::Done) };
        let games = snapshot.games.len();
        let packed = write(&dir, snapshot, writing)?;
        let Packed { files, bytes, damaged } = &packed;
        if !self.file.is_output() {
            if global.json {
                output::json(&Made { file: self.file.path(), games, files: *files, bytes: *bytes, damaged });
            } else {
                output::text(&format!(
                    "Backed up {} to {}: {}, {}, {bytes} bytes. It holds secrets: keep it safe.",
                    dir.display(),
                    self.file.path().display(),
                    count(length(games), "game"),
                    count(length(*files), "file")
                ));
            }
        }
        Ok(if damaged.is_empty() { Ended::Done } else { Ended::Found(packed.damaged) })
    }
}

/// Writes the archive: either the whole file under its name, or nothing.
fn write(dir: &Path, snapshot: Snapshot, writing: Option<Writing>) -> Result<Packed, HostError> {
    let Some(writing) = writing else {
        let mut out = BufWriter::new(io::stdout().lock());
        let packed = archive::pack(dir, snapshot, &mut out)?;
        let lost = |error| HostError::Io { path: "standard output".into(), error };
        out.flush().map_err(lost)?;
        out.get_mut().flush().map_err(lost)?;
        return Ok(packed);
    };
    let mut out = BufWriter::new(writing);
    let packed = archive::pack(dir, snapshot, &mut out)?;
    out.into_inner()
        .map_err(|error| HostError::Io { path: "the backup".into(), error: error.into_error() })?
        .finish()?;
    Ok(packed)
}

fn length(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

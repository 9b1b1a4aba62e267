use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::{Ended, Global, output};
use crate::daemon::archive::{self, Packed};
use crate::daemon::control::{self, Asked};
use crate::daemon::{Host, HostError, Reply, Request, Snapshot, own_part};
use crate::nouns::count;

/// Write a backup of the data directory; the daemon may run meanwhile
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd --dir campaign backup /backups/campaign.tar\n  musterd --dir campaign backup - | ssh elsewhere 'cat > campaign.tar'\n\n\
                  It holds the secrets of the games: keep it where nobody else can read it. `musterd restore` checks it and makes a data \
                  directory of it.\n\nExit status 1 where a mail in the data directory is damaged, or the secret of a game missing or not its own."
)]
pub(super) struct Backup {
    /// The file to write, which must not exist; `-` writes to standard output
    file: PathBuf,
}

/// What was packed, for programs.
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
        if self.file.as_os_str() != "-" && self.file.exists() {
            return Err(HostError::usage(format!(
                "{} exists already, and may be the last good backup: choose another name",
                self.file.display()
            )));
        }
        let place = std::path::absolute(&self.file).unwrap_or_else(|_| self.file.clone());
        if self.file.as_os_str() != "-"
            && let Some(part) = own_part(&dir, &place)
        {
            return Err(HostError::usage(format!(
                "{} lies in `{part}` of the data directory, which is the host's own: choose another place, on another disk if \
                 there is one",
                self.file.display()
            )));
        }
        // Where no daemon runs the host is held until the backup is written.
        let (snapshot, _host) = match control::ask(&dir, &Request::Snapshot)? {
            Asked::Answered(reply) => (*reply, None),
            Asked::Refused(exit, message) => {
                output::error(&message);
                return Ok(Ended::Refused(exit));
            }
            Asked::Nobody => {
                let mut host = Host::open(global.options()?)?;
                (host.execute(Request::Snapshot)?, Some(host))
            }
        };
        let Reply::Snapshot(snapshot) = snapshot else { return Ok(Ended::Refused(3)) };
        let games = snapshot.games.len();
        let packed = self.write(&dir, snapshot)?;
        let Packed { files, bytes, damaged } = &packed;
        damaged.iter().for_each(|damage| output::error(damage));
        if self.file.as_os_str() != "-" {
            if global.json {
                output::json(&Made { file: &self.file, games, files: *files, bytes: *bytes, damaged });
            } else {
                output::text(&format!(
                    "Backed up {} to {}: {}, {}, {bytes} bytes. It holds secrets: keep it safe.",
                    dir.display(),
                    self.file.display(),
                    count(length(games), "game"),
                    count(length(*files), "file")
                ));
            }
        }
        Ok(if damaged.is_empty() { Ended::Done } else { Ended::Finding })
    }

    /// Writes the archive: whole under its name, or not at all.
    fn write(&self, dir: &Path, snapshot: Snapshot) -> Result<Packed, HostError> {
        if self.file.as_os_str() == "-" {
            let mut out = BufWriter::new(io::stdout().lock());
            let packed = archive::pack(dir, snapshot, &mut out)?;
            let lost = |error| HostError::Io { path: "standard output".into(), error };
            out.flush().map_err(lost)?;
            out.get_mut().flush().map_err(lost)?;
            return Ok(packed);
        }
        let mut fresh = self.file.as_os_str().to_owned();
        fresh.push(".new");
        let fresh = PathBuf::from(fresh);
        let written = self.write_as(dir, snapshot, &fresh);
        if written.is_err() {
            // Half a backup is worse than none.
            let _ = fs::remove_file(&fresh);
        }
        written
    }

    fn write_as(&self, dir: &Path, snapshot: Snapshot, fresh: &Path) -> Result<Packed, HostError> {
        let fault = |error| HostError::Io { path: fresh.to_owned(), error };
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(fresh).map_err(fault)?;
        let mut out = BufWriter::new(file);
        let packed = archive::pack(dir, snapshot, &mut out)?;
        out.flush().and_then(|()| out.get_ref().sync_all()).map_err(fault)?;
        fs::rename(fresh, &self.file).map_err(fault)?;
        let folder = self.file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(fault)?;
        Ok(packed)
    }
}

fn length(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

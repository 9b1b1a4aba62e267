//! What every command is given: the data directory, how to speak, and how to reach the host.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::shelf::desk;
use musterd_daemon::clock::Clock;
use musterd_daemon::control;
use musterd_daemon::{Entropy, Host, HostError, Options, Reply, Request};

/// What every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Global {
    /// The data directory [default: this one, the user's or the machine's]
    #[arg(long, global = true, env = "MUSTERD_DIR", hide_env_values = true, value_name = "DIR")]
    pub(super) dir: Option<PathBuf>,
    /// A fixed time such as 2026-01-01T12:00:00Z, for a reproducible run
    #[arg(long, global = true, value_name = "TIME")]
    pub(super) now: Option<jiff::Timestamp>,
    /// A file to make all secrets from, for a reproducible run
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) seed_file: Option<PathBuf>,
    /// Answer as JSON, for programs; what went wrong is JSON too
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// How the log on standard error is written: text or json [default: text; of the daemon: as it is configured]
    #[arg(long, global = true, value_name = "FORMAT", hide_possible_values = true)]
    pub(super) log: Option<LogFormat>,
}

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// How a command ended that had no error of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ended {
    /// There is nothing to report.
    Done,
    /// The command found something, which its output tells, and which has this exit status.
    Finding(u8),
    /// The command found something, which is told by these lines only: exit status 1.
    Found(Vec<String>),
    /// Nothing was done, because it has to be confirmed: exit status 1.
    Unconfirmed,
    /// Nothing is wrong as far as it goes, and not all could be told; this exit status says why.
    Incomplete(u8),
}

impl Global {
    /// The data directory.
    pub(super) fn dir(&self) -> PathBuf {
        data_dir(self.dir.clone())
    }

    pub(super) fn clock(&self) -> Clock {
        self.now.map_or(Clock::System, |now| Clock::at(now.as_second()))
    }

    pub(super) fn entropy(&self) -> Result<Entropy, HostError> {
        self.seed_file.as_deref().map_or(Ok(Entropy::System), Entropy::from_seed_file)
    }

    pub(super) fn options(&self) -> Result<Options, HostError> {
        let dir = self.dir();
        let (desk, faults) = desk(&dir);
        for fault in faults {
            tracing::warn!("{fault}: no game can be founded that rests on this file");
        }
        Ok(Options { dir, clock: self.clock(), entropy: self.entropy()?, desk })
    }

    /// Carries out a command: by the running daemon, or by this process if none runs.
    pub(super) fn ask(&self, request: Request) -> Result<Reply, HostError> {
        let dir = self.dir();
        if (self.now.is_some() || self.seed_file.is_some()) && control::daemon_runs(&dir) {
            return Err(HostError::usage(
                "the running daemon has a clock and secrets of its own: stop it, or leave out --now and --seed-file",
            ));
        }
        match control::ask(&dir, &request)? {
            Some(reply) => Ok(reply),
            None => Host::open(self.options()?)?.execute(request),
        }
    }
}

/// The data directory of a machine's own host, as the package and the unit have it.
const SYSTEM: &str = "/var/lib/musterd";

/// The data directory: the one that is named, else the working directory, the user's or the machine's, whichever holds a host first. Where none does it
/// is the user's.
pub(super) fn data_dir(named: Option<PathBuf>) -> PathBuf {
    let is_a_host = |dir: &Path| dir.join(musterd_daemon::config::FILE).exists();
    let home = || std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let users = || {
        let data = std::env::var_os("XDG_DATA_HOME");
        data.map_or_else(|| home().join(".local/share"), PathBuf::from).join("musterd")
    };
    let found =
        || [PathBuf::from("."), users(), PathBuf::from(SYSTEM)].into_iter().find(|dir| is_a_host(dir));
    named.or_else(found).unwrap_or_else(users)
}

use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::serve::{Ending, Run, serve};
use musterd_daemon::{HostError, Options, config};

/// Run the daemon: read mail, run turns when they are due, send mail
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd --dir campaign serve\n  musterd --dir campaign serve --once   # from cron\n\nExit status: 0 told to stop, or all done; 1 where the step in hand failed when it was told to stop, and with --once where a game, a mail, a mailbox, the relay or the clock needs somebody; the log says why."
)]
pub(super) struct Serve {
    /// Drain the mailbox, do what is due, send, and exit
    #[arg(long)]
    once: bool,
}

impl Serve {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        // They are read once, so that an error in the arguments shows at the start; the clock is the same in every session.
        let (clock, entropy) = (global.clock(), global.entropy()?);
        global.options()?;
        for finding in config::look_over_templates(&global.dir()) {
            tracing::warn!("templates/{finding}");
        }
        let options = || Options {
            dir: global.dir(),
            clock: clock.clone(),
            entropy: entropy.clone(),
            desk: super::shelf::desk(&global.dir()).0,
        };
        let run = if self.once { Run::Once } else { Run::Forever };
        Ok(match (serve(&options, run, &output::text)?, run) {
            (Ending::BrokenOff, _) | (Ending::LeftBehind, Run::Once) => Ended::Finding(1),
            // The daemon was told to stop, and did. `health` reports mail and turns that still wait.
            (Ending::Well | Ending::LeftBehind, _) => Ended::Done,
        })
    }
}

use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{HostError, Reply, Request};

/// Show the key that signs the heads of the log in this host's mails
#[derive(Debug, Args)]
#[command(after_help = "Example:
  musterd key > allowed_signers
  grep -A1 '^Chain:' mail.txt | \\
      ssh-keygen -Y verify -f allowed_signers -I campaign@example.org \\
          -n pbemdice -s chain.sig

The second command is a player's, with a mail and its attachment, to check that the mail says what this host wrote.")]
pub(super) struct Key {}

impl Key {
    #[expect(clippy::unused_self, reason = "every command is run so")]
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        match global.ask(Request::Key)? {
            reply if global.json => output::json(&reply),
            Reply::Key { allowed_signer } => output::text(&allowed_signer),
            _ => {}
        }
        Ok(Ended::Done)
    }
}

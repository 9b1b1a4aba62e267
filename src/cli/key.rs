use clap::Args;

use super::global::{Ended, Global};
use super::output;
use musterd_daemon::{HostError, Reply, Request, make_key};

/// Show the key that signs the heads of the log in this host's mails
#[derive(Debug, Args)]
#[command(after_help = "Example:
  musterd key > allowed_signers
  grep -A1 '^Chain:' mail.txt | \\
      ssh-keygen -Y verify -f allowed_signers -I campaign@example.org \\
          -n pbemdice -s chain.sig

The second command is a player's, with a mail and its attachment, to check that the mail says what this host wrote.")]
pub(super) struct Key {
    /// Make another where the host's key is lost for good; the games that name the lost one go on unsigned
    #[arg(long)]
    new: bool,
}

impl Key {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        if self.new {
            let path = make_key(&global.dir(), &global.entropy()?)?;
            if global.json {
                output::json(&serde_json::json!({ "key": path }));
            } else {
                output::text(&format!(
                    "Made {}. Start the daemon again: games founded from then on are signed with it.",
                    path.display()
                ));
            }
            return Ok(Ended::Done);
        }
        match global.ask(Request::Key)? {
            reply if global.json => output::json(&reply),
            Reply::Key { allowed_signer } => output::text(&allowed_signer),
            _ => {}
        }
        Ok(Ended::Done)
    }
}

use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::Args;

use super::global::{Ended, Global};
use musterd_daemon::config::Config;
use musterd_daemon::{HostError, disk};
use musterd_post as post;

/// Take one message from a mail server's pipe, on standard input
#[derive(Debug, Args)]
#[command(
    after_help = "Example, in ~/.forward of the user whom the data directory belongs to:\n  \"|/usr/bin/musterd --dir /var/lib/musterd deliver\"\n\nExit status 0 once the message is safe on disk, else 75 (try again). Works while the daemon is down."
)]
pub(super) struct Deliver {}

/// The exit status of every failure: mail servers understand it as "try again later". With any other one they would send the mail back.
pub(super) const TEMPORARY_FAILURE: u8 = 75;

impl Deliver {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let dir = global.dir();
        let keep = || -> Result<(), HostError> {
            disk::owned(&dir)?;
            let limit = Config::load(&dir)?.max_mail_bytes;
            let mut spool = post::Spool::open(&dir.join("spool"))?;
            post::deliver(&mut spool, &mut std::io::stdin().lock(), limit, global.clock().now())?;
            Ok(())
        };
        // A mail must not be sent back because this program is at fault.
        match catch_unwind(AssertUnwindSafe(keep)) {
            Ok(kept) => kept.map(|()| Ended::Done),
            Err(_) => {
                Ok(Ended::Found(vec!["this is a fault of the program: the mail was not taken".to_owned()]))
            }
        }
    }
}

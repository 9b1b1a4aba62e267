use std::fs;
use std::io;
use std::path::Path;

use clap::{Args, ValueHint};
use serde::Serialize;

use super::global::{Ended, Global};
use super::outfile::OutDir;
use super::output;
use musterd_daemon::config::{self, Config};
use musterd_daemon::{HostError, disk, make_key};
use musterd_desk::mail::HostAddress;
use musterd_disk::fresh;
use musterd_disk::regular;
use musterd_post as post;

/// Make a data directory: configuration, mailboxes, example templates
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  musterd init campaign --address campaign@example.org")]
pub(super) struct Init {
    /// The directory; made where it is missing
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    place: OutDir,
    /// The address that players write to
    #[arg(long, default_value = "campaign@localhost.localdomain", value_name = "ADDRESS")]
    address: String,
    /// Don't sign the heads of the log in mails
    #[arg(long)]
    no_sign: bool,
}

/// The files that were made, for programs.
#[derive(Serialize)]
struct Made<'a> {
    config: &'a Path,
    mailbox: &'a Path,
    address: String,
    /// The key that signs the heads in mails.
    key: Option<&'a Path>,
    /// Things that may not be meant.
    warnings: Vec<String>,
}

impl Init {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let address = HostAddress::parse(&self.address).map_err(|e| HostError::usage(e.to_string()))?;
        let fault = |path: &Path, error| HostError::Io { path: path.to_owned(), error };
        let (dir, entropy) = (self.place.path()?, global.entropy()?);
        no_host_yet(dir)?;
        let (file, templates) = (dir.join(config::FILE), dir.join("templates"));
        regular::create_dir(&templates, 0o700).map_err(|e| fault(&templates, e))?;
        for (file, text) in musterd_report::built_in_templates() {
            let path = templates.join(format!("{file}.example"));
            match fresh::write(&path, text.as_bytes()) {
                // The owner may have changed the file.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                written => written.map_err(|e| fault(&path, e))?,
            }
        }
        let mail = dir.join("mail");
        regular::create_dir(&mail, 0o700).map_err(|e| fault(&mail, e))?;
        let inbox = mail.join(address.to_string());
        post::create(&inbox).map_err(|e| fault(&inbox, e))?;
        let example = if self.no_sign { config::example_unsigned } else { config::example };
        let text = example(&address.to_string());
        fresh::write(&file, text.as_bytes()).map_err(|e| fault(&file, e))?;
        let made = if self.no_sign { None } else { Some(make_key(dir, &entropy)?) };
        let config = Config::read(&file.display().to_string(), &text).map_err(HostError::Misconfigured)?;
        let warnings = config.stays_unread(dir);
        if global.json {
            let (config, mailbox, key) = (file.as_path(), inbox.as_path(), made.as_deref());
            output::json(&Made { config, mailbox, address: address.to_string(), key, warnings });
            return Ok(Ended::Done);
        }
        let dir = dir.display();
        let signs = made.map_or_else(String::new, |key| {
            format!(
                "The heads in its mails are signed with {}: keep a copy of it with your backups.\n",
                key.display()
            )
        });
        output::text(&format!(
            "Made {dir}: the configuration is {}, mail for {address} goes to {}.\n\
             {signs}Next: `musterd --dir {dir} serve`, and `musterd --dir {dir} new SCENARIO --id ID --seat SEAT=ADDRESS ...`.",
            file.display(),
            inbox.display()
        ));
        warnings.iter().for_each(|warning| output::text(&format!("Warning: {warning}.")));
        Ok(Ended::Done)
    }
}

/// Parts of a data directory in which games were founded.
const OF_GAMES: [&str; 4] = ["secrets", "mirror", "store", "spool"];

/// Checks that the directory holds no host yet, and that nobody else can write to it.
fn no_host_yet(dir: &Path) -> Result<(), HostError> {
    let is_there = |name: &str| fs::symlink_metadata(dir.join(name)).is_ok();
    if is_there(config::FILE) {
        let file = dir.join(config::FILE);
        return Err(HostError::usage(format!("{} exists already: nothing was changed", file.display())));
    }
    if let Some(part) = OF_GAMES.into_iter().find(|part| is_there(part)) {
        return Err(HostError::usage(format!(
            "{0} holds a `{part}` of a host whose {1} is missing: put that back from a backup (`musterd init` elsewhere writes a new one to \
             begin with); nothing was changed",
            dir.display(),
            config::FILE
        )));
    }
    disk::alone(dir)
}

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::{Ended, Global, output};
use crate::daemon::HostError;
use crate::daemon::config;
use crate::letter::HostAddress;
use crate::{post, regular};

/// Make a data directory: configuration, mailboxes, example templates
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  musterd init campaign --address campaign@example.org")]
pub(super) struct Init {
    /// The directory; made where it is missing
    dir: PathBuf,
    /// The address that players write to
    #[arg(long, default_value = "campaign@localhost.localdomain", value_name = "ADDRESS")]
    address: String,
}

/// What was made, for programs.
#[derive(Serialize)]
struct Made<'a> {
    config: &'a Path,
    mailbox: &'a Path,
    address: String,
}

impl Init {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let address = HostAddress::parse(&self.address).map_err(|e| HostError::usage(e.to_string()))?;
        let fault = |path: &Path, error| HostError::Io { path: path.to_owned(), error };
        let file = self.dir.join(config::FILE);
        if file.exists() {
            return Err(HostError::usage(format!("{} exists already: nothing was changed", file.display())));
        }
        let templates = self.dir.join("templates");
        regular::create_dir(&templates, 0o777).map_err(|e| fault(&templates, e))?;
        for (file, text) in crate::report::built_in_templates() {
            let path = templates.join(format!("{file}.example"));
            write(&path, text).map_err(|e| fault(&path, e))?;
        }
        let mail = self.dir.join("mail");
        regular::create_dir(&mail, 0o700).map_err(|e| fault(&mail, e))?;
        let inbox = mail.join(address.to_string());
        post::create(&inbox).map_err(|e| fault(&inbox, e))?;
        // Last and whole: who sees it has a host.
        let fresh = self.dir.join(format!("{}.new", config::FILE));
        write(&fresh, &config::example(&address.to_string())).map_err(|e| fault(&fresh, e))?;
        fs::rename(&fresh, &file).and_then(|()| regular::sync_name(&file)).map_err(|e| fault(&file, e))?;
        if global.json {
            output::json(&Made { config: &file, mailbox: &inbox, address: address.to_string() });
            return Ok(Ended::Done);
        }
        let dir = self.dir.display();
        output::text(&format!(
            "Made {dir}: the configuration is {}, mail for {address} goes to {}.\n\
             Next: `musterd --dir {dir} serve`, and `musterd --dir {dir} new SCENARIO --id ID --seat SEAT=ADDRESS ...`.",
            file.display(),
            inbox.display()
        ));
        Ok(Ended::Done)
    }
}

/// Writes a file that lasts.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    regular::sync_name(path)
}

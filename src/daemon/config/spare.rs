//! What somebody has written somewhere must not land on what is the host's own.

use std::fs;
use std::path::Path;

use crate::HostError;
use crate::config::parts::Own;
use crate::config::parts::own_part;
use crate::config::{Config, FILE, MailIn, MailOut, ServerConfig};
use musterd_disk::fresh::FilePlace;

/// Sees to it that what a command is to write lands on nothing of the host's own: of the data directory `dir`, or of another one that
/// the place lies in. `meant` are the parts that it may be for.
///
/// # Errors
/// It would; where it may go instead.
pub fn spare_own(dir: &Path, place: &FilePlace, meant: &[&str]) -> Result<(), HostError> {
    let fault = |error| HostError::io(place.folder(), error);
    let (folders, files) = (place.folders().map_err(fault)?, place.identities().map_err(fault)?);
    let real = place.folder().canonicalize().map_err(fault)?;
    let around = real.ancestors().filter(|above| fs::symlink_metadata(above.join(FILE)).is_ok());
    for host in std::iter::once(dir).chain(around) {
        // What is wrong with a configuration is told elsewhere.
        let config = Config::load(host).ok();
        let own = Own::of(host, &config.as_ref().map(named_by).unwrap_or_default());
        let lies_in = own.part_at(&folders, Some(place.name()));
        let is = || files.iter().find_map(|file| own.files.get(file).cloned());
        if let Some(part) = lies_in.or_else(is).filter(|part| !meant.contains(&part.as_str())) {
            return Err(HostError::usage(format!(
                "{} lies in `{part}` of the data directory {}, which is the host's own: choose another place",
                place.folder().join(place.name()).display(),
                host.display()
            )));
        }
    }
    Ok(())
}

/// Sees to it that a new data directory doesn't come to lie within one that is there.
///
/// # Errors
/// It would.
pub fn spare_others(dir: &Path) -> Result<(), HostError> {
    let path = std::path::absolute(dir).map_err(|error| HostError::io(dir, error))?;
    let Some(there) = path.ancestors().find(|there| there.is_dir()) else { return Ok(()) };
    let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
    let real = there.canonicalize().map_err(|error| HostError::io(there, error))?.join(rest);
    // One that is itself a data directory is for whoever makes it to refuse, or to have.
    let around = real.ancestors().skip(1).filter(|above| fs::symlink_metadata(above.join(FILE)).is_ok());
    for host in around {
        if let Some(part) = own_part(host, &real) {
            return Err(HostError::usage(format!(
                "{} lies in `{part}` of the data directory {}, which is the host's own: choose another place",
                dir.display(),
                host.display()
            )));
        }
    }
    Ok(())
}

/// The files and directories that a configuration names, with how many levels of directories these have.
fn named_by(config: &Config) -> Vec<(&Path, usize)> {
    fn files(server: &ServerConfig) -> impl Iterator<Item = (&Path, usize)> {
        [&server.password_file, &server.tls_ca].into_iter().flatten().map(|path| (path.as_path(), 0))
    }
    let mut named = Vec::new();
    for mailbox in &config.mail_in {
        match mailbox {
            MailIn::Maildir { path } => named.push((path.as_path(), 1)),
            MailIn::Imap { server, .. } => named.extend(files(server)),
        }
    }
    match &config.mail_out {
        MailOut::Maildir { root } => named.push((root, 2)),
        MailOut::Smtp { server, .. } => named.extend(files(server)),
    }
    named
}

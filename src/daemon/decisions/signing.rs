//! The host's own key, with which it signs the chain lines of its mails: made once, kept beside the games' secrets, the same for all games
//! that are founded while `sign` is on.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::HostError;
use crate::games::Games;
use crate::health::vitals::Ailment;
use crate::mails::mailroom::{Clerk, Mailroom};
use crate::secrets::vault::{Entropy, LARGEST_SECRET};
use musterd_desk::mail::Attachment;
use musterd_dice::{ChainLines, GameId, HostKey, Secret, Signer};
use musterd_disk::fresh::{FilePlace, Fresh};
use musterd_disk::{fault, regular};
use musterd_engine::journal::{Cause, Entry};

/// The file among the secrets; no game can be called so.
pub(crate) const FILE: &str = "_host.secret";

const HEADING: &str = "musterd host key: keep it, show it to nobody";

/// Makes the key that signs the heads in the mails of a data directory's games, and says where it lies.
///
/// # Errors
/// There is one, which no other takes the place of; or it can't be written.
pub fn make_key(dir: &Path, entropy: &Entropy) -> Result<PathBuf, HostError> {
    let secrets = dir.join("secrets");
    let path = secrets.join(FILE);
    if fs::symlink_metadata(&path).is_ok() {
        return Err(HostError::usage(format!(
            "{} exists already, and no other takes its place: the games that were founded with it name it in their logs",
            path.display()
        )));
    }
    regular::create_dir(&secrets, 0o700)
        .and_then(|()| regular::sync_name(&secrets))
        .map_err(|e| HostError::io(&secrets, e))?;
    draw(&secrets, entropy).map(|_| path)
}

/// Draws a key and writes it.
fn draw(secrets: &Path, entropy: &Entropy) -> Result<Zeroizing<String>, HostError> {
    let path = secrets.join(FILE);
    let secret = entropy.draw("host key").map_err(|e| HostError::io(&path, e))?;
    let text = Zeroizing::new(format!("{HEADING}\n{}\n", secret.reveal()));
    write(secrets, &text).map_err(|e| HostError::io(&path, e))?;
    Ok(text)
}

/// The host's key. Where there is none, one is made if mails are to be signed (`signs`) and no game names one that is `lost`. Where it can't be
/// used, or is lost, why: nothing is signed, and no other is made in its place.
pub(crate) fn signer(
    secrets: &Path,
    entropy: &Entropy,
    signs: bool,
    lost: impl FnOnce() -> Result<Option<GameId>, HostError>,
) -> Result<(Option<Signer>, Option<Ailment>), HostError> {
    let path = secrets.join(FILE);
    let unfit = |why: String| {
        let text = format!(
            "{}: {why}; no mail is signed and no game is founded that would be, all others go on: put the file back from a backup and \
             start musterd again",
            path.display()
        );
        tracing::error!("{text}");
        Ok((None, Some(Ailment { about: "key".to_owned(), text })))
    };
    let text = match regular::read(&path, LARGEST_SECRET) {
        Ok(bytes) => Zeroizing::new(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
            if !signs {
                return Ok((None, None));
            }
            if let Some(game) = lost()? {
                return unfit(format!(
                    "it is missing, and signs the mails of {game} (if it is lost for good, `musterd key --new` makes another for the games to come)"
                ));
            }
            Zeroizing::new(draw(secrets, entropy)?.as_bytes().to_vec())
        }
        Err(error) => return unfit(error.to_string()),
    };
    let secret = str::from_utf8(&text).ok().and_then(|text| text.strip_prefix(HEADING));
    match secret.and_then(|rest| Secret::try_from(rest.trim()).ok()) {
        Some(secret) => Ok((Some(Signer::new(&secret)), None)),
        None => unfit("this is no host key".to_owned()),
    }
}

/// Writes the file whole or not at all: what mails were signed with must not be made anew.
fn write(secrets: &Path, text: &str) -> io::Result<()> {
    fault::point("vault.write")?;
    let mut file = Fresh::begin(FilePlace::of(&secrets.join(FILE))?, false)?;
    file.write_all(text.as_bytes())?;
    file.finish()
}

impl Games {
    /// The key that signs, as the command line shows it.
    pub(crate) fn key(&self) -> Result<String, HostError> {
        self.check_key()?;
        let signer = self.mailroom().signer.as_ref().ok_or_else(|| {
            HostError::usage(
                "this host signs nothing: write `sign: true` into musterd.yaml and start the daemon again",
            )
        })?;
        Ok(signer.key().allowed_signer(&self.mailroom().address.to_string()))
    }

    /// Whether mails are signed that are to be.
    pub(crate) fn check_key(&self) -> Result<(), HostError> {
        let fault = self.ailing().iter().find(|ailment| ailment.about == "key");
        match fault.filter(|_| self.config.sign) {
            Some(fault) => Err(HostError::usage(fault.text.clone())),
            None => Ok(()),
        }
    }
}

impl Clerk<'_> {
    /// The signature of a mail's chain lines, in games whose log names this host's key.
    pub(crate) fn chain_signature(&self, lines: &ChainLines) -> Option<Attachment> {
        let stated = self.campaign.charter().host_key?;
        let signer = self.signer.as_ref().filter(|signer| signer.key() == stated)?;
        Some(file("chain.sig", signer.sign(lines)))
    }
}

impl Mailroom {
    /// Tells the operator of a game whose mails can't be signed, because the key that its log names is gone.
    pub(crate) fn look_at_key(&self, game: &GameId, entries: &[Entry]) {
        let Some(Entry { cause: Cause::Founded { charter, .. }, .. }) = entries.first() else { return };
        if charter.host_key.is_some() && charter.host_key != self.signer.as_ref().map(Signer::key) {
            tracing::error!(%game, "its mails are not signed: secrets/{FILE} is not the key that its log names; put it back from a backup");
        }
    }

    /// The key of a game, as ssh-keygen wants to be told it.
    pub(crate) fn allowed_signers(&self, key: &HostKey) -> Attachment {
        file("allowed_signers", format!("{}\n", key.allowed_signer(&self.address.to_string())))
    }
}

/// No mail program shows it as if it were part of the letter.
fn file(name: &str, text: String) -> Attachment {
    Attachment::of(name, "application/octet-stream", text)
}

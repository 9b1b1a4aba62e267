//! Escrow: a file that a host leaves with somebody else at a founding, with which the dice can be checked without the host. It
//! holds the secret before the last one: all earlier secrets follow from it, those of the seats don't.

use std::fs;
use std::io;
use std::path::Path;

use zeroize::Zeroizing;

use crate::HostError;
use musterd_dice::{Digest, GameId, SecretChain};

/// The escrow of a game in a data directory, and the game's anchor. The daemon may run: its secrets never change.
///
/// # Errors
/// There is no such secret, or it can't be read.
pub fn of(dir: &Path, game: &GameId) -> Result<(Zeroizing<String>, Digest), HostError> {
    let path = dir.join("secrets").join(format!("{game}.secret"));
    let text = fs::read_to_string(&path).map(Zeroizing::new).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => HostError::usage(format!(
            "there is no secret of a game `{game}` in {}; `musterd status` lists the games",
            dir.display()
        )),
        _ => HostError::io(&path, error),
    })?;
    let secret = |reason: String| HostError::Secret { path: path.clone(), reason };
    let chain = SecretChain::from_text(&text).map_err(|error| secret(error.to_string()))?;
    if chain.game() != game {
        return Err(secret(format!("this is the secret of `{}`; put the right file back", chain.game())));
    }
    let escrow = chain.to_escrow().ok_or_else(|| secret("its chain has one secret only".to_owned()))?;
    Ok((escrow, chain.anchor()))
}

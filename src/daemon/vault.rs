//! The games' secrets: one file a game, mode 0600, written before anything is published.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::HostError;
use crate::dice::{GameId, Seat, Secret, SecretChain, hash, keyed};
use crate::letter::Token;

/// Where new secrets come from.
#[derive(Clone)]
pub enum Entropy {
    /// The operating system's generator.
    System,
    /// The bytes of a seed file: reproducible runs, and no secret at all.
    SeedFile(Zeroizing<Vec<u8>>),
}

/// The directory of secrets, and the chains in use.
pub(super) struct Vault {
    dir: PathBuf,
    entropy: Entropy,
    open: BTreeMap<GameId, SecretChain>,
}

/// How many chains are kept in memory; each has a hundred checkpoints of 32 bytes.
const OPEN_AT_MOST: usize = 64;

impl Vault {
    pub(super) fn open(dir: &Path, entropy: Entropy) -> Result<Self, HostError> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700).create(dir).map_err(|e| HostError::io(dir, e))?;
        Ok(Self { dir: dir.to_owned(), entropy, open: BTreeMap::new() })
    }

    fn path(&self, game: &GameId) -> PathBuf {
        self.dir.join(format!("{game}.secret"))
    }

    /// The chain of a game that is about to be founded. A secret left behind by a founding that was cut short is used:
    /// nothing of it was ever published.
    pub(super) fn create(&mut self, game: &GameId) -> Result<&SecretChain, HostError> {
        let path = self.path(game);
        if !path.exists() {
            let chain = SecretChain::new(game, self.draw(game)?, SecretChain::DEFAULT_LENGTH);
            let draft = path.with_extension("tmp");
            let write = || -> std::io::Result<()> {
                let mut options = fs::OpenOptions::new();
                let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
                std::io::Write::write_all(&mut file, chain.to_text().as_bytes())?;
                file.sync_all()?;
                fs::rename(&draft, &path)?;
                fs::File::open(&self.dir)?.sync_all()
            };
            write().map_err(|e| HostError::io(&path, e))?;
        }
        self.chain(game)
    }

    fn draw(&self, game: &GameId) -> Result<Secret, HostError> {
        match &self.entropy {
            Entropy::System => {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes).map_err(|e| HostError::Secret {
                    path: self.path(game),
                    reason: format!("the system gives no random numbers: {e}"),
                })?;
                Ok(Secret::new(bytes))
            }
            Entropy::SeedFile(seed) => {
                Ok(Secret::new(*hash("seed-file", &[seed, game.as_str().as_bytes()]).as_bytes()))
            }
        }
    }

    /// The chain of a founded game.
    pub(super) fn chain(&mut self, game: &GameId) -> Result<&SecretChain, HostError> {
        if !self.open.contains_key(game) {
            let path = self.path(game);
            let unread = |e: std::io::Error| HostError::Secret {
                path: path.clone(),
                reason: format!(
                    "the secret of `{game}` can't be read: {e}; put the file back, and start musterd again"
                ),
            };
            let text = Zeroizing::new(fs::read_to_string(&path).map_err(unread)?);
            let chain = SecretChain::from_text(&text)
                .map_err(|e| HostError::Secret { path: path.clone(), reason: e.to_string() })?;
            if chain.game() != game {
                let reason = format!("this is the secret of `{}`; put the right file back", chain.game());
                return Err(HostError::Secret { path, reason });
            }
            if self.open.len() >= OPEN_AT_MOST {
                self.open.pop_first();
            }
            self.open.insert(game.clone(), chain);
        }
        self.open.get(game).ok_or_else(|| HostError::usage(format!("there is no secret for `{game}`")))
    }

    /// The secret of a seat: 80 bits from the game's last secret, which is never revealed.
    pub(super) fn token(&mut self, game: &GameId, seat: &Seat) -> Result<Token, HostError> {
        let chain = self.chain(game)?;
        let last =
            chain.secret(chain.length()).ok_or_else(|| HostError::usage("the secret chain is empty"))?;
        let bytes =
            keyed(last.as_bytes(), "seat-token", &[game.as_str().as_bytes(), seat.as_str().as_bytes()]);
        let mut token = [0; 10];
        token.copy_from_slice(&bytes.as_bytes()[..10]);
        Ok(Token::from_bytes(token))
    }
}

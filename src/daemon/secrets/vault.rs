//! The games' secrets: one file a game, mode 0600, written before anything is published.
//!
//! A founding writes its secret as `ID.secret.new` and renames that to `ID.secret` once the game is committed, before any mail
//! leaves. So `ID.secret.new` without a game was never used, and a founding that was cut short takes it up again; `ID.secret`
//! without a game belongs to a game whose journal is gone, and is neither used again nor overwritten.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::HostError;
use musterd_desk::GM;
use musterd_desk::mail::{MailTag, Token};
use musterd_dice::{Digest, GameId, Seat, Secret, SecretChain, hash, keyed};
use musterd_disk::fresh::{FilePlace, Fresh};
use musterd_disk::{fault, fresh, regular};
use musterd_engine::journal::GmRole;

/// Where new secrets come from.
#[derive(Clone)]
pub enum Entropy {
    /// The operating system's generator.
    System,
    /// The bytes of a seed file: reproducible runs, and no secret at all.
    SeedFile(Zeroizing<Vec<u8>>),
}

impl Entropy {
    /// Shorter seed files are a mistake, such as a file that was never written.
    const SHORTEST_SEED: usize = 8;

    /// Reads a seed file.
    ///
    /// # Errors
    /// It can't be read, or has less than 8 bytes.
    pub fn from_seed_file(path: &Path) -> Result<Self, HostError> {
        let seed = Zeroizing::new(regular::read(path, LARGEST_SEED).map_err(|e| HostError::io(path, e))?);
        if seed.len() < Self::SHORTEST_SEED {
            return Err(HostError::usage(format!(
                "--seed-file {}: it has {} bytes, and a seed needs at least {}; write any text into it, or leave the \
                 option out for secrets from the system's generator",
                path.display(),
                seed.len(),
                Self::SHORTEST_SEED
            )));
        }
        Ok(Self::SeedFile(seed))
    }

    /// A new secret; of a seed file the one that belongs to this name.
    ///
    /// # Errors
    /// The system's generator gives nothing.
    pub fn draw(&self, name: &str) -> io::Result<Secret> {
        match self {
            Self::System => {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes)
                    .map_err(|e| io::Error::other(format!("the system gives no random numbers: {e}")))?;
                Ok(Secret::new(bytes))
            }
            Self::SeedFile(seed) => Ok(Secret::new(*hash("seed-file", &[seed, name.as_bytes()]).as_bytes())),
        }
    }
}

/// The directory of secrets, and the chains in use.
pub(crate) struct Vault {
    dir: PathBuf,
    entropy: Entropy,
    open: BTreeMap<GameId, Arc<SecretChain>>,
    /// The anchors that games were founded with: their secrets have to lead to them.
    anchors: BTreeMap<GameId, Digest>,
    /// Founded games whose secret was not compared with the anchor yet.
    unproved: BTreeSet<GameId>,
    /// Founded games whose secret may still have the name of a draft.
    unkept: BTreeSet<GameId>,
    /// Games whose secret others may read, and why that could not be changed.
    unclosed: BTreeMap<GameId, String>,
    /// What codes about games that don't exist yet are made of, once it was needed.
    codes: Option<Secret>,
}

/// What the secret of a game is called.
const SECRET: &str = ".secret";

/// What the secret of a game that is being founded is called.
const DRAFT: &str = ".secret.new";

/// The file of the secret that codes about games are made of which don't exist yet; no game can be called so. Without it open codes are worth nothing,
/// and no more is lost.
const CODES: &str = "_codes.secret";

const CODES_HEADING: &str = "musterd codes: show it to nobody";

/// The largest seed file and the largest secret that are read, in bytes.
const LARGEST_SEED: u64 = 1 << 20;
pub(crate) const LARGEST_SECRET: u64 = 4096;

/// How many chains are kept in memory; each has a thousand checkpoints of 32 bytes.
const OPEN_AT_MOST: usize = 128;

impl Vault {
    /// Opens the directory; `founded` are the games whose founding is committed.
    pub(crate) fn open(
        dir: &Path,
        entropy: Entropy,
        founded: impl Fn(&GameId) -> bool,
    ) -> Result<Self, HostError> {
        // Its name too, whoever made it: what lies in a directory that a power cut takes away is lost with it.
        let made = regular::create_dir(dir, 0o700).and_then(|()| regular::sync_name(dir));
        made.map_err(|e| HostError::io(dir, e))?;
        close(dir)?;
        fresh::sweep(dir).map_err(|e| HostError::io(dir, e))?;
        let (mut unkept, mut unclosed) = (BTreeSet::new(), BTreeMap::new());
        for file in fs::read_dir(dir).map_err(|e| HostError::io(dir, e))? {
            let file = file.map_err(|e| HostError::io(dir, e))?;
            let name = file.file_name();
            let game_of = |ending| name.to_str().and_then(|name| name.strip_suffix(ending)?.parse().ok());
            let path = file.path();
            if let Err(error) = close(&path) {
                tracing::error!(path = %path.display(), %error, "this can't be kept from others");
                unclosed.extend(game_of(SECRET).map(|game: GameId| (game, error.to_string())));
            }
            unkept.extend(game_of(DRAFT).filter(|game| founded(game)));
        }
        Ok(Self {
            dir: dir.to_owned(),
            entropy,
            open: BTreeMap::new(),
            anchors: BTreeMap::new(),
            unproved: BTreeSet::new(),
            unkept,
            unclosed,
            codes: None,
        })
    }

    /// The games whose secrets lie in a directory under their final names: each was founded.
    ///
    /// # Errors
    /// The directory can't be read.
    pub(crate) fn founded_in(dir: &Path) -> Result<Vec<GameId>, HostError> {
        let files = match fs::read_dir(dir) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.map_err(|e| HostError::io(dir, e))?,
        };
        let mut games = Vec::new();
        for file in files {
            let name = file.map_err(|e| HostError::io(dir, e))?.file_name();
            games.extend(name.to_str().and_then(|name| name.strip_suffix(SECRET)?.parse().ok()));
        }
        games.sort();
        Ok(games)
    }

    fn path(&self, game: &GameId) -> PathBuf {
        self.dir.join(format!("{game}{SECRET}"))
    }

    /// The chain of a game that is about to be founded, kept as a draft until [`Self::founded`] is told.
    pub(crate) fn draft(&mut self, game: &GameId) -> Result<&SecretChain, HostError> {
        let path = self.path(game);
        if path.exists() {
            return Err(HostError::usage(format!(
                "`{}` is the secret of an earlier game `{game}` whose journal is gone, and no two games may share one: \
                 choose another --id, or move that file to a safe place (it proves the dice of that game)",
                path.display()
            )));
        }
        let draft = self.dir.join(format!("{game}{DRAFT}"));
        let chain = match self.left_over(&draft, game).map_err(|e| HostError::io(&draft, e))? {
            Some(left) => left,
            None => {
                let chain = SecretChain::new(game, self.draw(game)?, SecretChain::DEFAULT_LENGTH);
                self.write(&draft, &chain).map_err(|e| HostError::io(&draft, e))?;
                chain
            }
        };
        Ok(self.open.entry(game.clone()).insert_entry(Arc::new(chain)).into_mut())
    }

    /// The draft of a founding that was cut short, made to last; none where it was cut short while the draft was written.
    fn left_over(&self, draft: &Path, game: &GameId) -> io::Result<Option<SecretChain>> {
        let text = match regular::read(draft, LARGEST_SECRET) {
            Ok(bytes) => Zeroizing::new(bytes),
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e),
        };
        let chain = str::from_utf8(&text).ok().and_then(|text| SecretChain::from_text(text).ok());
        let chain = chain.filter(|chain| chain.game() == game);
        if chain.is_some() {
            fs::File::open(draft)?.sync_all()?;
            fs::File::open(&self.dir)?.sync_all()?;
        }
        Ok(chain)
    }

    fn write(&self, draft: &Path, chain: &SecretChain) -> io::Result<()> {
        fault::point("vault.write")?;
        let mut file = Fresh::begin(FilePlace::of(draft)?, true)?;
        io::Write::write_all(&mut file, chain.to_text().as_bytes())?;
        fault::point("vault.sync")?;
        file.finish()
    }

    /// The founding is committed: the draft is to become the game's secret ([`Self::keep_founded`]).
    pub(crate) fn founded(&mut self, game: &GameId) {
        self.unkept.insert(game.clone());
    }

    /// Gives the drafts of founded games their final name. No mail may leave before that: a draft's secret counts as unused. Tells of which
    /// games that can't be, and why.
    pub(crate) fn keep_founded(&mut self) -> Result<Vec<(GameId, HostError)>, HostError> {
        let mut stuck = Vec::new();
        while let Some(game) = self.unkept.first().cloned() {
            let (draft, path) = (self.dir.join(format!("{game}{DRAFT}")), self.path(&game));
            let named = fault::point("vault.rename")
                .and_then(|()| if path.exists() { Ok(()) } else { fs::rename(&draft, &path) });
            match named {
                Err(error) if !is_of_one_file(&error) => return Err(HostError::io(&path, error)),
                Err(error) => {
                    let reason = format!(
                        "`{}` can't have this name ({error}): rename it, and start musterd again; until then nothing of `{game}` is sent",
                        draft.display()
                    );
                    stuck.push((game.clone(), self.unfit(&game, reason)));
                }
                Ok(()) => fault::point("vault.sync")
                    .and_then(|()| fs::File::open(&self.dir)?.sync_all())
                    .map_err(|error| HostError::io(&path, error))?,
            }
            self.unkept.remove(&game);
        }
        Ok(stuck)
    }

    /// A founding that failed.
    pub(crate) fn forget(&mut self, game: &GameId) {
        self.open.remove(game);
    }

    fn draw(&self, game: &GameId) -> Result<Secret, HostError> {
        let drawn = self.entropy.draw(game.as_str());
        drawn.map_err(|e| HostError::Secret { path: self.path(game), reason: e.to_string() })
    }

    /// Tells what a game was founded with, before its secret is used.
    pub(crate) fn expect(&mut self, game: &GameId, anchor: Digest) {
        if self.anchors.insert(game.clone(), anchor).is_none() {
            self.unproved.insert(game.clone());
        }
    }

    /// What a game was founded with.
    pub(crate) fn anchor(&self, game: &GameId) -> Option<Digest> {
        self.anchors.get(game).copied()
    }

    /// Some of the games whose secret was not compared with their anchor yet.
    pub(crate) fn unproved(&self, most: usize) -> Vec<GameId> {
        self.unproved.iter().take(most).cloned().collect()
    }

    /// Looks whether the secret of a founded game is there, and reads as one: not yet whether it is the right one.
    pub(crate) fn look_for(&self, game: &GameId) -> Result<(), HostError> {
        let text = self.text(game)?;
        let whose = SecretChain::game_of_text(&text).map_err(|e| self.unfit(game, e.to_string()))?;
        self.is_of(game, &whose)
    }

    /// Looks whether the secret of a founded game is the one that it was founded with. Asked once of each game.
    pub(crate) fn prove(&mut self, game: &GameId) -> Result<(), HostError> {
        self.unproved.remove(game);
        if self.open.contains_key(game) { Ok(()) } else { self.load(game).map(drop) }
    }

    fn text(&self, game: &GameId) -> Result<Zeroizing<String>, HostError> {
        if let Some(error) = self.unclosed.get(game) {
            let reason = format!(
                "others can read it, and foresee the dice of `{game}`, and that can't be changed ({error}): give the file to the user \
                 that musterd runs as, with mode 600, and start musterd again"
            );
            return Err(self.unfit(game, reason));
        }
        let read = regular::read(&self.path(game), LARGEST_SECRET);
        let bytes = Zeroizing::new(read.map_err(|e| {
            let reason = format!(
                "the secret of `{game}` can't be read: {e}; put the file back, and start musterd again"
            );
            self.unfit(game, reason)
        })?);
        Ok(Zeroizing::new(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn unfit(&self, game: &GameId, reason: String) -> HostError {
        HostError::Secret { path: self.path(game), reason }
    }

    fn is_of(&self, game: &GameId, whose: &GameId) -> Result<(), HostError> {
        match whose == game {
            true => Ok(()),
            false => {
                Err(self.unfit(game, format!("this is the secret of `{whose}`; put the right file back")))
            }
        }
    }

    /// Reads the chain of a founded game, and holds it against the anchor.
    fn load(&self, game: &GameId) -> Result<SecretChain, HostError> {
        let chain = SecretChain::from_text(&self.text(game)?).map_err(|e| self.unfit(game, e.to_string()))?;
        self.is_of(game, chain.game())?;
        match self.anchors.get(game) {
            Some(anchor) if *anchor != chain.anchor() => Err(self.unfit(
                game,
                format!(
                    "this isn't the secret that `{game}` was founded with: put the right file back from a backup, and start \
                     musterd again"
                ),
            )),
            _ => Ok(chain),
        }
    }

    /// The chain of a founded game.
    pub(crate) fn chain(&mut self, game: &GameId) -> Result<Arc<SecretChain>, HostError> {
        if !self.open.contains_key(game) {
            let chain = self.load(game)?;
            self.unproved.remove(game);
            if self.open.len() >= OPEN_AT_MOST {
                self.open.pop_first();
            }
            self.open.insert(game.clone(), Arc::new(chain));
        }
        self.open
            .get(game)
            .cloned()
            .ok_or_else(|| HostError::usage(format!("there is no secret for `{game}`")))
    }

    /// The secret of a seat or of the GM, the how-manieth it is.
    pub(crate) fn token(
        &mut self,
        game: &GameId,
        holder: Holder<'_>,
        issue: u32,
    ) -> Result<Token, HostError> {
        Ok(token(&last_of(&*self.chain(game)?)?, game, holder, issue))
    }

    /// The code by which somebody confirms what they asked for: 80 bits, made of all that it is to be good for. Nothing need be
    /// kept until it comes back.
    pub(crate) fn code(&mut self, game: &GameId, what: &[&str]) -> Result<Token, HostError> {
        Ok(derived(&last_of(&*self.chain(game)?)?, game, "confirm", what))
    }

    /// The same about a game that doesn't exist yet.
    pub(crate) fn founding_code(&mut self, game: &GameId, what: &[&str]) -> Result<Token, HostError> {
        let codes = match self.codes.take() {
            Some(codes) => codes,
            None => {
                let path = self.dir.join(CODES);
                self.read_codes(&path).map_err(|e| HostError::io(&path, e))?
            }
        };
        Ok(derived(self.codes.insert(codes), game, "found", what))
    }

    /// The secret of such codes, made where there is none that can be used.
    fn read_codes(&self, path: &Path) -> io::Result<Secret> {
        let text = match regular::read(path, LARGEST_SECRET) {
            Ok(bytes) => Zeroizing::new(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Zeroizing::default(),
            Err(error) => return Err(error),
        };
        let secret = str::from_utf8(&text).ok().and_then(|text| text.strip_prefix(CODES_HEADING));
        if let Some(secret) = secret.and_then(|secret| Secret::try_from(secret.trim()).ok()) {
            return Ok(secret);
        }
        let secret = self.entropy.draw("codes")?;
        let text = Zeroizing::new(format!("{CODES_HEADING}\n{}\n", secret.reveal()));
        let mut file = Fresh::begin(FilePlace::of(path)?, true)?;
        io::Write::write_all(&mut file, text.as_bytes())?;
        file.finish()?;
        Ok(secret)
    }

    /// Whether a game of this name was founded once whose journal is gone: its secret is not used again.
    pub(crate) fn is_spent(&self, game: &GameId) -> bool {
        self.path(game).exists()
    }
}

/// The last secret of a game, which is never revealed: seats' secrets are derived from it.
pub(crate) fn last_of(chain: &SecretChain) -> Result<Secret, HostError> {
    chain.secret(chain.length()).ok_or_else(|| HostError::usage("the secret chain is empty"))
}

/// Whose secret it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Holder<'a> {
    /// A seat's.
    Seat(&'a Seat),
    /// That of the GM's addresses with this part in leading the game: who knows a lesser one can't write in an owner's name.
    Gm(GmRole),
}

/// The secret of a seat or of the GM, the how-manieth it is: 80 bits from the game's last secret.
pub(crate) fn token(last: &Secret, game: &GameId, holder: Holder<'_>, issue: u32) -> Token {
    let number = issue.to_string();
    let seat = match holder {
        Holder::Gm(role @ (GmRole::Referee | GmRole::Reader)) => {
            return derived(last, game, "gm-token", &[role.word(), &number]);
        }
        Holder::Gm(GmRole::Owner) => GM,
        Holder::Seat(seat) => seat.as_str(),
    };
    let what = [seat, number.as_str()];
    derived(last, game, "seat-token", &what[..if issue == 0 { 1 } else { 2 }])
}

/// What stands in the Message-ID of a mail of the game's in the place of its number.
pub(crate) fn mail_tag(last: &Secret, game: &GameId, what: &[&str]) -> MailTag {
    MailTag::of(&hashed(last, game, "message-id", what))
}

fn derived(last: &Secret, game: &GameId, tag: &str, what: &[&str]) -> Token {
    let mut token = [0; 10];
    token.copy_from_slice(&hashed(last, game, tag, what).as_bytes()[..10]);
    Token::from_bytes(token)
}

fn hashed(last: &Secret, game: &GameId, tag: &str, what: &[&str]) -> Digest {
    let fields: Vec<&[u8]> =
        std::iter::once(game.as_str()).chain(what.iter().copied()).map(str::as_bytes).collect();
    keyed(last.as_bytes(), tag, &fields)
}

/// Whether it is this very file that can't be renamed: it is gone, immutable, or mounted there.
fn is_of_one_file(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    let own = [Kind::NotFound, Kind::PermissionDenied, Kind::ReadOnlyFilesystem, Kind::ResourceBusy];
    own.contains(&error.kind())
}

/// Takes the rights of others to a secret, or to the directory of all, away, as a copy made by hand may have given them. Where a link leads
/// is somebody else's: his rights are not touched, and a secret that others can read there can't be used.
fn close(path: &Path) -> Result<(), HostError> {
    let fault = |e| HostError::io(path, e);
    let meta = match fs::metadata(path) {
        // A link that leads nowhere gives nothing away; a game whose secret it is will say so.
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other.map_err(fault)?,
    };
    let mode = meta.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    if path.is_symlink() {
        let open = || io::Error::other("a link leads to it, and what it leads to is open to others");
        return if meta.is_file() { Err(fault(open())) } else { Ok(()) };
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700)).map_err(fault)?;
    tracing::warn!(
        path = %path.display(),
        "others could read this, and foresee the dice of games: now only its owner can"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault(dir: &Path, founded: bool) -> Vault {
        let mut vault = Vault::open(dir, Entropy::System, |_| founded).unwrap();
        assert!(vault.keep_founded().unwrap().is_empty());
        vault
    }

    fn names(dir: &Path) -> Vec<String> {
        let files = fs::read_dir(dir).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        files.collect()
    }

    #[test]
    fn a_draft_is_taken_up_again_and_a_secret_that_was_used_never() {
        let (dir, game) = (tempfile::tempdir().unwrap(), "alpha".parse().unwrap());
        let anchor = vault(dir.path(), false).draft(&game).unwrap().anchor();
        assert_eq!(vault(dir.path(), false).draft(&game).unwrap().anchor(), anchor);
        assert_eq!(names(dir.path()), ["alpha.secret.new"]);
        assert_eq!(vault(dir.path(), true).chain(&game).unwrap().anchor(), anchor, "its game is committed");
        assert_eq!(names(dir.path()), ["alpha.secret"]);
        let error = vault(dir.path(), false).draft(&game).unwrap_err();
        assert!(error.to_string().contains("choose another --id"), "{error}");
        assert_eq!(error.exit(), 2);
        assert_eq!(vault(dir.path(), true).chain(&game).unwrap().anchor(), anchor, "and not overwritten");
    }

    #[test]
    fn a_draft_cut_short_while_it_was_written_is_written_anew() {
        let (dir, game) = (tempfile::tempdir().unwrap(), "alpha".parse().unwrap());
        fs::write(dir.path().join("alpha.secret.new"), "pbemdice/1 sec").unwrap();
        let anchor = vault(dir.path(), false).draft(&game).unwrap().anchor();
        assert_eq!(vault(dir.path(), true).chain(&game).unwrap().anchor(), anchor);
    }

    #[test]
    fn a_seed_file_that_holds_nothing_is_no_seed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("seed");
        for short in ["", "1234567"] {
            fs::write(&path, short).unwrap();
            let error = Entropy::from_seed_file(&path).err().unwrap();
            assert!(error.to_string().contains("needs at least 8"), "{error}");
            assert_eq!(error.exit(), 2);
        }
        fs::write(&path, "12345678").unwrap();
        assert!(Entropy::from_seed_file(&path).is_ok());
        fs::remove_file(&path).unwrap();
        assert!(Entropy::from_seed_file(&path).err().unwrap().to_string().contains("seed"));
    }
}

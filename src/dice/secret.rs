//! The host's secrets: a hash chain, fixed before the first mail and revealed from its start.

use std::fmt;
use std::num::ParseIntError;

use subtle::ConstantTimeEq as _;
use zeroize::{Zeroize as _, Zeroizing};

use super::hash::{BadDigest, Digest, hash, unhex};
use super::ids::{BadId, GameId};

/// One adjudication's secret: never formatted, wiped from memory when dropped.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl Secret {
    /// Takes these bytes, which come from the operating system's generator, as a secret.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The raw bytes, to key or enter a hash.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The secret as plain bytes, for an adjudication that is being revealed. It gives away every earlier one too.
    #[must_use]
    pub const fn reveal(&self) -> Digest {
        Digest::new(self.0)
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Secret {}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// `s_{i-1} = H("chain", game, i, s_i)`: the secret before `secret`, which is number `i` (1 or more).
#[must_use]
pub fn previous(game: &GameId, i: u32, secret: &Secret) -> Secret {
    Secret(*hash("chain", &[game.as_str().as_bytes(), i.to_string().as_bytes(), &secret.0]).as_bytes())
}

/// Every secret of one game: adjudication `t` uses number `t`, the public anchor is number 0.
///
/// Making one costs a hash for each secret (some milliseconds for 10,000); asking for a secret, at most
/// [`SecretChain::STRIDE`] hashes.
#[derive(Clone)]
pub struct SecretChain {
    game: GameId,
    length: u32,
    anchor: Digest,
    /// `s_N`, then every secret whose number is a multiple of [`Self::STRIDE`], in falling order.
    kept: Vec<(u32, Secret)>,
}

impl SecretChain {
    /// How many adjudications a game can have, unless the host sets another number.
    pub const DEFAULT_LENGTH: u32 = 10_000;
    /// The longest chain. A longer one is a damaged file, which would take minutes to follow.
    pub const LONGEST: u32 = 1_000_000;
    /// The distance between the secrets that are kept in memory.
    pub const STRIDE: u32 = 10;

    /// The chain of `game` that ends in `last`, its secret number `length`.
    #[must_use]
    pub fn new(game: &GameId, last: Secret, length: u32) -> Self {
        let mut kept = vec![(length, last.clone())];
        let mut secret = last;
        for i in (1..=length).rev() {
            secret = previous(game, i, &secret);
            if (i - 1).is_multiple_of(Self::STRIDE) {
                kept.push((i - 1, secret.clone()));
            }
        }
        Self { game: game.clone(), length, anchor: secret.reveal(), kept }
    }

    /// The game of this chain.
    #[must_use]
    pub const fn game(&self) -> &GameId {
        &self.game
    }

    /// N: how many adjudications the game can have.
    #[must_use]
    pub const fn length(&self) -> u32 {
        self.length
    }

    /// `s_0`, which is published in the first log entry and in every invitation.
    #[must_use]
    pub const fn anchor(&self) -> Digest {
        self.anchor
    }

    /// The secret of adjudication `t`; `None` for 0, which is the public anchor, and beyond the end of the chain.
    #[must_use]
    pub fn secret(&self, t: u32) -> Option<Secret> {
        if t == 0 {
            return None;
        }
        let after = self.kept.partition_point(|(number, _)| *number >= t);
        let (number, start) = self.kept.get(after.checked_sub(1)?)?;
        Some((t + 1..=*number).rev().fold(start.clone(), |secret, i| previous(&self.game, i, &secret)))
    }

    /// The contents of the secret file: the game, N and `s_N`. A reader can foresee every die of the game, so it goes to a file of mode 0600 and
    /// nowhere else.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        let last = self.kept.first().map_or(self.anchor, |(_, last)| last.reveal());
        Zeroizing::new(format!("{HEADING}\ngame {}\nlength {}\nlast {last}\n", self.game, self.length))
    }

    /// Reads the output of [`Self::to_text`].
    ///
    /// # Errors
    /// The error says which line is missing or wrong, and never repeats the contents of a line after `last`.
    pub fn from_text(text: &str) -> Result<Self, BadSecretFile> {
        let (game, length, last) = parts(text)?;
        Ok(Self::new(&game, last, length))
    }

    /// The contents of an escrow: the game, N - 1, `s_(N-1)` and the anchor. A reader can foresee every die too, but can't make what a host derives
    /// from `s_N`. `None` if the chain has one secret only.
    #[must_use]
    pub fn to_escrow(&self) -> Option<Zeroizing<String>> {
        let length = self.length.checked_sub(1)?;
        let (game, anchor, last) = (&self.game, self.anchor, self.secret(length)?.reveal());
        Some(Zeroizing::new(format!(
            "{ESCROW_HEADING}\ngame {game}\nlength {length}\nlast {last}\nanchor {anchor}\n"
        )))
    }

    /// Reads the output of [`Self::to_escrow`]: a chain that lacks only its last secret.
    ///
    /// # Errors
    /// The error says which line is missing or wrong, or that the secret doesn't lead to the anchor.
    pub fn from_escrow(text: &str) -> Result<Self, BadSecretFile> {
        let mut lines = text.lines();
        if lines.next() != Some(ESCROW_HEADING) {
            return Err(BadSecretFile::EscrowHeading);
        }
        let (game, length, last) = fields(&mut lines)?;
        let chain = Self::new(&game, last, length);
        let anchor = lines.next().and_then(|line| line.strip_prefix("anchor ")?.parse().ok());
        match anchor {
            None => Err(BadSecretFile::Missing("anchor")),
            Some(anchor) if chain.anchor != anchor => Err(BadSecretFile::Anchor),
            Some(_) => Ok(chain),
        }
    }

    /// The game of the secret in a file, without the work of making the chain.
    ///
    /// # Errors
    /// Those of [`Self::from_text`].
    pub fn game_of_text(text: &str) -> Result<GameId, BadSecretFile> {
        parts(text).map(|(game, ..)| game)
    }
}

/// The contents of a secret file below its heading: the game, N and `s_N`.
fn fields<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Result<(GameId, u32, Secret), BadSecretFile> {
    let mut field = |name: &'static str| {
        let line = lines.next().and_then(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.ok_or(BadSecretFile::Missing(name))
    };
    let game = field("game")?.parse()?;
    let length = field("length")?.parse()?;
    if length > SecretChain::LONGEST {
        return Err(BadSecretFile::TooLong);
    }
    let last = unhex(field("last")?).ok_or(BadSecretFile::Last)?;
    Ok((game, length, Secret(last)))
}

/// The contents of a secret file.
fn parts(text: &str) -> Result<(GameId, u32, Secret), BadSecretFile> {
    let mut lines = text.lines();
    match lines.next() {
        Some(HEADING) => fields(&mut lines),
        _ => Err(BadSecretFile::Heading),
    }
}

impl fmt::Debug for SecretChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretChain({} of {}, anchor {})", self.length, self.game, self.anchor)
    }
}

const ESCROW_HEADING: &str =
    "pbemdice/1 escrow: it opens the dice of a game; keep it sealed until they are to be opened";
const HEADING: &str = "pbemdice/1 secret: keep it, show it to nobody";

/// Why a secret file can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSecretFile {
    /// It is another kind of file.
    #[error("the secret file doesn't begin with `{HEADING}`: restore it from your backup")]
    Heading,
    /// It is not an escrow.
    #[error("this is no escrow: it doesn't begin with `{ESCROW_HEADING}`")]
    EscrowHeading,
    /// The escrow was changed.
    #[error("the secret in it doesn't lead to the anchor in it: the escrow is damaged, or was changed")]
    Anchor,
    /// A line is not where it should be.
    #[error("the secret file has no line `{0} …` where it should stand: restore it from your backup")]
    Missing(&'static str),
    /// The game's name is damaged.
    #[error("the secret file names no game: {0}")]
    Game(#[from] BadId),
    /// N is damaged.
    #[error("the secret file's length is not a number: {0}")]
    Length(#[from] ParseIntError),
    /// N is more than any game has.
    #[error("the secret file's length is more than any game has: restore it from your backup")]
    TooLong,
    /// `s_N` is damaged.
    #[error("the secret file's last secret is not 64 hex digits in lower case: restore it from your backup")]
    Last,
}

impl TryFrom<&str> for Secret {
    type Error = BadDigest;

    /// A revealed secret, as an audit file has it.
    fn try_from(text: &str) -> Result<Self, BadDigest> {
        text.parse().map(|digest: Digest| Self(*digest.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> GameId {
        "test-game".parse().unwrap()
    }

    fn chain(length: u32) -> SecretChain {
        let last = Secret(std::array::from_fn(|i| u8::try_from(i + 1).unwrap()));
        SecretChain::new(&game(), last, length)
    }

    #[test]
    fn the_chain_agrees_with_an_independent_program() {
        let chain = chain(1000);
        assert_eq!(
            chain.anchor().to_string(),
            "4226b2fc44f80bc1bbb7f755ad041d9edbbe2c73c39b9a5165d973b909bd3485"
        );
        for (t, expected) in [
            (1, "c0adccc82412a86ccdf900515e5e614317f2b2f3fbc8798b731df94ffd7f02d5"),
            (2, "01d68a61d897539365412fc3926eebafa895ea860ed0935c2377a5ebee63603a"),
            (500, "d531ea7d50b2f99713032699c7b46412160ef83c05191624709329f323cec711"),
            (999, "892fd31546ed5152a475010cc266b224ef05d064f878bffb0814264a7939189c"),
            (1000, "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"),
        ] {
            assert_eq!(chain.secret(t).unwrap().reveal().to_string(), expected, "s_{t}");
        }
    }

    #[test]
    fn each_secret_hashes_to_the_one_before_and_the_first_to_the_anchor() {
        for length in [1, 99, 100, 101, 250] {
            let chain = chain(length);
            for t in 2..=length {
                let before = chain.secret(t - 1).unwrap();
                assert_eq!(previous(&game(), t, &chain.secret(t).unwrap()), before, "{t} of {length}");
            }
            assert_eq!(previous(&game(), 1, &chain.secret(1).unwrap()).reveal(), chain.anchor());
            assert!(chain.secret(0).is_none());
            assert!(chain.secret(length + 1).is_none());
        }
    }

    #[test]
    fn the_secret_file_gives_the_same_chain_back() {
        let chain = chain(321);
        let again = SecretChain::from_text(&chain.to_text()).unwrap();
        assert_eq!((again.game(), again.length(), again.anchor()), (chain.game(), 321, chain.anchor()));
        assert_eq!(again.secret(200), chain.secret(200));
    }

    #[test]
    fn an_escrow_opens_every_turn_and_lacks_the_last_secret() {
        assert!(chain(1).to_escrow().is_none(), "there is nothing before its only secret");
        let chain = chain(321);
        let text = chain.to_escrow().unwrap();
        let escrow = SecretChain::from_escrow(&text).unwrap();
        assert_eq!((escrow.game(), escrow.anchor()), (chain.game(), chain.anchor()));
        for t in [1, 200, 320] {
            assert_eq!(escrow.secret(t), chain.secret(t));
        }
        assert_eq!(escrow.secret(321), None, "what a host derives from it stays the host's");
        assert!(!text.contains("01020304"));
        assert!(SecretChain::from_text(&text).is_err(), "and it is no secret file");
        let first = chain.secret(1).unwrap().reveal().to_string();
        let last = chain.secret(320).unwrap().reveal().to_string();
        assert_eq!(
            SecretChain::from_escrow(&text.replace(&last, &first)).unwrap_err(),
            BadSecretFile::Anchor
        );
    }

    #[test]
    fn a_damaged_secret_file_is_refused_without_showing_the_secret() {
        let text = chain(5).to_text();
        let lines: Vec<&str> = text.lines().collect();
        let without = |n: usize| [&lines[..n], &lines[n + 1..]].concat().join("\n");
        for n in 0..4 {
            let error = SecretChain::from_text(&without(n)).unwrap_err();
            assert!(!error.to_string().contains("0102"), "{error}");
        }
        let error = SecretChain::from_text(&text.replace("0102", "01xx")).unwrap_err();
        assert_eq!(error, BadSecretFile::Last);
        assert!(!error.to_string().contains("0304"), "{error}");
        assert!(SecretChain::from_text(&text.replace("length 5", "length five")).is_err());
        assert!(SecretChain::from_text(&text.replace("test-game", "Test Game")).is_err());
    }

    #[test]
    fn no_secret_can_be_printed_by_accident() {
        let chain = chain(3);
        let shown = format!("{chain:?} {:?}", chain.secret(3));
        assert!(!shown.contains("01020304"), "{shown}");
    }
}

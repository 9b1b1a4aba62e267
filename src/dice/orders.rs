//! Order blocks: their canonical bytes, and the leaves and root that bind an adjudication's dice to them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize, Serializer};

use super::hash::{Digest, hash, keyed};
use super::ids::{GameId, Seat};
use super::label::Label;
use super::secret::Secret;

/// The canonical order block of a seat: the text that the receipt returns, that is hashed, and that is adjudicated. Every line ends in LF and has no
/// space, tab or CR before it. An empty block is not an absent one.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct Block {
    /// Shared: the block in the mail, the journal, the window and the receipt is the same text.
    text: Arc<str>,
    /// The hash of the text, cached: a mail's receipt and several marks need it.
    digest: OnceLock<Digest>,
}

impl PartialEq for Block {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Block {}

/// The characters that separate words in a line for the dice.
const BLANKS: [char; 2] = [' ', '\t'];

/// A stored order block that is not in canonical form, so it was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the order block is not canonical: a line ends in blanks or CR, or the last one has no line end")]
pub struct NotCanonical;

impl Block {
    /// The canonical form of these order lines, which are separated or ended by LF or CR LF.
    #[must_use]
    pub fn canonical(lines: &str) -> Self {
        let mut block = String::with_capacity(lines.len() + 1);
        for line in lines.lines() {
            block.push_str(line.trim_end_matches([' ', '\t', '\r']));
            block.push('\n');
        }
        Self::of(block)
    }

    fn of(text: String) -> Self {
        Self { text: text.into(), digest: OnceLock::new() }
    }

    /// The bytes that are hashed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// SHA-256 of the block, which the receipt prints.
    #[must_use]
    pub fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| Digest::of(self.text.as_bytes()))
    }

    /// Whether the block carries a `salt:` line with at least one word: entropy that the host could not foresee.
    #[must_use]
    pub fn salt(&self) -> bool {
        let says = |c: char| !(c.is_control() || matches!(c, ' ' | '\u{a0}'));
        self.spoken("salt").any(|words| words.contains(says))
    }

    /// The state of the log that the player saw, as its first well-formed `seen: INDEX HEAD` line says.
    #[must_use]
    pub fn seen(&self) -> Option<(u64, Digest)> {
        self.spoken("seen").find_map(|text| {
            let (index, head) = text.trim_matches(BLANKS).split_once(BLANKS)?;
            let digits = (1..=15).contains(&index.len()) && index.bytes().all(|byte| byte.is_ascii_digit());
            Some((index.parse().ok().filter(|_| digits)?, head.trim_start_matches(BLANKS).parse().ok()?))
        })
    }

    /// The contents of the lines with this key. Verifiers recognise exactly the lines that dice.md defines; [`ProtocolLine::of`] decides how freely a
    /// line of orders is read otherwise.
    fn spoken(&self, key: &str) -> impl Iterator<Item = &str> {
        self.text.lines().filter_map(move |line| {
            let (before, rest) = line.trim_start_matches(BLANKS).split_at_checked(key.len())?;
            rest.strip_prefix(':').filter(|_| before.eq_ignore_ascii_case(key))
        })
    }

    /// A block that consents to throw the roll with this label again, with a salt if there is one.
    #[must_use]
    pub fn consent(label: &Label, salt: &str) -> Self {
        let salt = salt.split_whitespace().collect::<Vec<_>>().join(" ");
        let salt = if salt.is_empty() { salt } else { format!("salt: {salt}\n") };
        Self::canonical(&format!("reroll: {label}\n{salt}"))
    }

    /// Whether the block consents to throw the roll with this label again.
    #[must_use]
    pub fn consents_to(&self, label: &Label) -> bool {
        self.text.starts_with(Self::consent(label, "").as_str())
    }
}

impl TryFrom<String> for Block {
    type Error = NotCanonical;
    fn try_from(text: String) -> Result<Self, NotCanonical> {
        if *Self::canonical(&text).text == *text { Ok(Self::of(text)) } else { Err(NotCanonical) }
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.text)
    }
}

/// A line of an order block that is for the dice and means nothing to the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProtocolLine<'a> {
    /// `salt: any words`.
    Salt(&'a str),
    /// `seen: INDEX HEAD`, with INDEX and HEAD not yet parsed.
    Seen(&'a str),
}

impl<'a> ProtocolLine<'a> {
    /// Reads a line for the dice; `None` if it is another line. Case and leading blanks don't matter: mail programs capitalise and indent.
    #[must_use]
    pub fn of(line: &'a str) -> Option<Self> {
        let line = line.trim_start();
        // Cheap test first: this runs on every line of every mail.
        if !line.starts_with(['S', 's']) {
            return None;
        }
        let (key, rest) = line.split_once(':')?;
        let rest = rest.trim();
        match key {
            key if key.eq_ignore_ascii_case("salt") => Some(Self::Salt(rest)),
            key if key.eq_ignore_ascii_case("seen") => Some(Self::Seen(rest)),
            _ => None,
        }
    }
}

/// `F(s_t, "blind", game, t, seat)`: hides the contents of a leaf from the others until `s_t` is revealed.
#[must_use]
pub fn blind(secret: &Secret, game: &GameId, t: u32, seat: &Seat) -> Digest {
    let t = t.to_string();
    keyed(secret.as_bytes(), "blind", &[game.as_str().as_bytes(), t.as_bytes(), seat.as_str().as_bytes()])
}

/// The commitment to one seat's orders in adjudication `t`, or to its silence.
#[must_use]
pub fn leaf(secret: &Secret, game: &GameId, t: u32, seat: &Seat, block: Option<&Block>) -> Digest {
    let blind = blind(secret, game, t, seat);
    let t = t.to_string();
    let (game, t, seat) = (game.as_str().as_bytes(), t.as_bytes(), seat.as_str().as_bytes());
    match block {
        Some(block) => hash("orders", &[game, t, seat, blind.as_bytes(), block.text.as_bytes()]),
        None => hash("absent", &[game, t, seat, blind.as_bytes()]),
    }
}

/// The root over the leaves of *all* seats of the game, to which the dice of adjudication `t` are bound.
#[must_use]
pub fn root(game: &GameId, t: u32, leaves: &BTreeMap<Seat, Digest>) -> Digest {
    let t = t.to_string();
    let mut fields: Vec<&[u8]> = vec![game.as_str().as_bytes(), t.as_bytes()];
    for (seat, leaf) in leaves {
        fields.push(seat.as_str().as_bytes());
        fields.push(leaf.as_bytes());
    }
    hash("orderset", &fields)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_game::{GAME, T, game, secret};

    const FRENCH: &str = "move 1 to 1204\nsalt: five blue cats\n";

    fn seat(name: &str) -> Seat {
        name.parse().unwrap()
    }

    #[test]
    fn a_canonical_block_has_bare_lines_that_each_end() {
        for (given, expected) in [
            ("", ""),
            ("\n", "\n"),
            ("  ", "\n"),
            ("hold", "hold\n"),
            ("hold\n", "hold\n"),
            ("hold \t \r\nmove 1\t\n", "hold\nmove 1\n"),
            ("hold\r\r\n", "hold\n"),
            ("a\rb\n", "a\rb\n"),
            ("  indented, and blank lines:\n\n\n", "  indented, and blank lines:\n\n\n"),
            ("no-break\u{a0}\n", "no-break\u{a0}\n"),
        ] {
            assert_eq!(Block::canonical(given).as_str(), expected, "{given:?}");
        }
    }

    proptest! {
        #[test]
        fn canonical_is_stable_and_blind_to_line_ends(lines in "([a-z\r\n\t \u{a0}]|\\PC){0,60}") {
            let block = Block::canonical(&lines);
            prop_assert_eq!(&Block::canonical(block.as_str()), &block);
            prop_assert_eq!(&Block::canonical(&block.as_str().replace('\n', " \t\r\n")), &block);
            let kept = |text: &str| text.chars().filter(|c| !matches!(c, ' ' | '\t' | '\r' | '\n')).collect::<String>();
            // A CR inside a line belongs to the order and stays; only blanks and CR are ever removed.
            prop_assert_eq!(kept(block.as_str()), kept(&lines));
            prop_assert_eq!(Block::try_from(block.as_str().to_owned()), Ok(block));
        }
    }

    #[test]
    fn a_stored_block_must_be_canonical() {
        for changed in ["hold", "hold \n", "hold\r\n", "hold\n "] {
            assert_eq!(Block::try_from(changed.to_owned()), Err(NotCanonical), "{changed:?}");
        }
    }

    #[test]
    fn a_salt_is_a_salt_line_with_words() {
        for (line, salted) in [
            ("salt: five blue cats", true),
            ("hold\n  Salt:x", true),
            ("salt:\nsalt: x", true),
            ("salt:", false),
            ("salt: \u{a0}", false),
            ("salt five", false),
            ("saltpetre: x", false),
            ("# salt: x", false),
            ("", false),
        ] {
            assert_eq!(Block::canonical(line).salt(), salted, "{line:?}");
        }
    }

    #[test]
    fn the_first_readable_seen_line_counts() {
        let (one, two) = (Digest::of(b"one"), Digest::of(b"two"));
        let seen = |text: &str| Block::canonical(text).seen();
        assert_eq!(seen(&format!("hold\nseen: 17 {one}\nseen: 18 {two}")), Some((17, one)));
        assert_eq!(seen(&format!("seen: 17\nSeen:  18   {two}")), Some((18, two)));
        assert_eq!(seen(&format!("seen: -1 {one}")), None);
        assert_eq!(seen(&format!("seen: 1 {}", one.to_string().to_uppercase())), None);
        assert_eq!(seen("hold"), None);
    }

    #[test]
    fn leaves_and_root_agree_with_an_independent_program() {
        let of = |name: &str, block: Option<&str>| {
            leaf(&secret(), &game(), T, &seat(name), block.map(Block::canonical).as_ref())
        };
        assert_eq!(
            blind(&secret(), &game(), T, &seat("french")).to_string(),
            "76a88d505e645454af0e52dcc1002fe294f4f391a435f778a793b1df4be05a1a"
        );
        let (french, austria, allied) =
            (of("french", Some(FRENCH)), of("allied.austria", None), of("allied", Some("")));
        assert_eq!(french.to_string(), "a0266bfa235f2a731c07afd3be1f62880fb2000e19e587de9196a58f7a0815fe");
        assert_eq!(austria.to_string(), "b5bfa7635952517b467466cd7d7e2fe37f387b3022357148d778e2411e344845");
        assert_eq!(allied.to_string(), "044ab2515e6a1ba50b7b6190f4acd61c61f9de68b83370a6aae08f9ef3da4284");
        let leaves = BTreeMap::from([
            (seat("french"), french),
            (seat("allied.austria"), austria),
            (seat("allied"), allied),
        ]);
        assert_eq!(
            root(&game(), T, &leaves).to_string(),
            "981c904876050c2d17bdf54bd8032a69de3aa5ceec8b7867cd49e87a226492ef"
        );
        assert_eq!(
            Block::canonical(FRENCH).digest().to_string(),
            "4dcacbea0f8e75fedcaf542716fa08147c80925199ac3474e72a146d17d51141"
        );
    }

    #[test]
    fn every_input_changes_the_leaf() {
        let other_game = "other".parse().unwrap();
        let other_secret = Secret::new([7; 32]);
        let (french, hold, none) = (seat("french"), Block::canonical("hold"), Block::canonical(""));
        let leaves = [
            leaf(&secret(), &game(), T, &french, Some(&hold)),
            leaf(&other_secret, &game(), T, &french, Some(&hold)),
            leaf(&secret(), &other_game, T, &french, Some(&hold)),
            leaf(&secret(), &game(), T + 1, &french, Some(&hold)),
            leaf(&secret(), &game(), T, &seat("allied"), Some(&hold)),
            leaf(&secret(), &game(), T, &french, Some(&Block::canonical("halt"))),
            leaf(&secret(), &game(), T, &french, Some(&none)),
            leaf(&secret(), &game(), T, &french, None),
        ];
        let different: std::collections::BTreeSet<_> = leaves.iter().collect();
        assert_eq!(different.len(), leaves.len(), "of {GAME}");
    }

    #[test]
    fn every_input_changes_the_root() {
        let (a, b) = (Digest::of(b"a"), Digest::of(b"b"));
        let of = |game: &str, t: u32, leaves: &[(&str, Digest)]| {
            let leaves = leaves.iter().map(|(name, leaf)| (seat(name), *leaf)).collect();
            root(&game.parse().unwrap(), t, &leaves)
        };
        let roots = [
            of("g", 1, &[("x", a), ("y", b)]),
            of("h", 1, &[("x", a), ("y", b)]),
            of("g", 2, &[("x", a), ("y", b)]),
            of("g", 1, &[("x", b), ("y", a)]),
            of("g", 1, &[("x", a), ("z", b)]),
            of("g", 1, &[("x", a)]),
            of("g", 1, &[]),
        ];
        let different: std::collections::BTreeSet<_> = roots.iter().collect();
        assert_eq!(different.len(), roots.len());
        assert_eq!(of("g", 1, &[("y", b), ("x", a)]), roots[0], "the order of seats is their bytes'");
    }
}

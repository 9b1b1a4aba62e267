//! The two hash functions of the protocol, and the digests they give.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// 32 bytes of SHA-256 or HMAC-SHA256: raw inside hashes, 64 lower-case hex digits in logs, mails and JSON.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

/// A text that is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a digest: write 64 hex digits in lower case")]
pub struct BadDigest(String);

impl Digest {
    /// Takes these bytes as a digest.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Plain SHA-256 of `bytes`, without tag or lengths: for an order block, a refused mail, the founding bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The raw bytes, as they enter other hashes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = BadDigest;
    fn from_str(text: &str) -> Result<Self, BadDigest> {
        let bytes = unhex(text).ok_or_else(|| BadDigest(text.chars().take(80).collect()))?;
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for Digest {
    type Error = BadDigest;
    fn try_from(text: String) -> Result<Self, BadDigest> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

/// The 32 bytes that 64 lower-case hex digits stand for.
pub(super) fn unhex(text: &str) -> Option<[u8; 32]> {
    fn nibble(digit: u8) -> Option<u8> {
        match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        }
    }
    let digits: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
    }
    Some(bytes)
}

/// `H(tag, fields…)` = SHA-256(lp("pbemdice/1/" + tag, fields…)). Integers are given as ASCII decimal.
#[must_use]
pub fn hash(tag: &str, fields: &[&[u8]]) -> Digest {
    let mut state = Sha256::new();
    lp(tag, fields, |bytes| state.update(bytes));
    Digest(state.finalize().into())
}

/// `F(key, tag, fields…)` = HMAC-SHA256(key, lp("pbemdice/1/" + tag, fields…)).
#[must_use]
pub fn keyed(key: &[u8; 32], tag: &str, fields: &[&[u8]]) -> Digest {
    // HMAC fills a key shorter than its block with zeros, so this is the 32-byte key itself.
    let mut block = zeroize::Zeroizing::new([0; 64]);
    block[..32].copy_from_slice(key);
    let mut state = Hmac::<Sha256>::new((&*block).into());
    lp(tag, fields, |bytes| state.update(bytes));
    Digest(state.finalize().into_bytes().into())
}

/// `lp`: each field as its length in 4 bytes big-endian, then its bytes; no two lists of fields read the same.
/// A field stays under 4 GiB: the longest is an order block, and mails are capped far below that.
fn lp(tag: &str, fields: &[&[u8]], mut put: impl FnMut(&[u8])) {
    let tag = ["pbemdice/1/", tag].concat();
    for field in std::iter::once(&tag.as_bytes()).chain(fields) {
        put(&length(field.len()));
        put(field);
    }
}

/// The length of a field, as it stands before the field.
#[expect(clippy::expect_used, reason = "a wrong length would make two fields read the same")]
pub(crate) fn length(bytes: usize) -> [u8; 4] {
    u32::try_from(bytes).expect("a field under 4 GiB").to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting() -> [u8; 32] {
        std::array::from_fn(|i| u8::try_from(i).unwrap())
    }

    #[test]
    fn fields_are_prefixed_by_their_lengths() {
        let mut bytes = Vec::new();
        lp("a", &[b"", b"bcd"], |part| bytes.extend_from_slice(part));
        assert_eq!(bytes, b"\0\0\0\x0cpbemdice/1/a\0\0\0\0\0\0\0\x03bcd");
    }

    #[test]
    fn hashes_agree_with_an_independent_program() {
        let secret = counting();
        assert_eq!(
            hash("chain", &[b"test-game", b"1", &secret]).to_string(),
            "d2e525895c73a84fd6e6ed3948add7bab6adf452008e3e55d6b1b8db05b788da"
        );
        assert_eq!(
            keyed(&secret, "roll", &[b"1/a/b/c/0"]).to_string(),
            "8eddffc639776cc82cebcc39239d0a1a3c87a73ed1799c79500717cbb07e9ad2"
        );
    }

    #[test]
    fn where_one_field_ends_matters() {
        assert_ne!(hash("x", &[b"ab", b"c"]), hash("x", &[b"a", b"bc"]));
        assert_ne!(hash("x", &[b"ab"]), hash("x", &[b"ab", b""]));
        assert_ne!(hash("x", &[b"ab"]), hash("xab", &[]));
    }

    #[test]
    fn a_digest_reads_as_it_is_written_and_only_so() {
        let digest = Digest::new(counting());
        let text = digest.to_string();
        assert_eq!(text.parse(), Ok(digest));
        assert_eq!(serde_json::to_string(&digest).unwrap(), format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<Digest>(&format!("\"{text}\"")).unwrap(), digest);
        for bad in ["", &text[1..], &text.to_uppercase(), &format!("{text}0"), &text.replace('0', "g")] {
            assert!(bad.parse::<Digest>().is_err(), "{bad}");
        }
    }
}

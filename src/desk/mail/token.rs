//! A seat's secret.

use std::fmt;
use std::str::FromStr;

use subtle::ConstantTimeEq;

/// Crockford's base 32 in lower case: no `i`, `l`, `o` or `u` to misread.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A seat's secret: 80 bits, written as 16 characters. Compared in constant time, never shown by `Debug`.
#[derive(Clone)]
pub struct Token([u8; 10]);

/// A text that isn't the 16 characters of a secret. The error doesn't repeat the text, which may be most of a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a seat's secret is 16 characters of 0-9 and a-z without i, l, o, u")]
pub struct BadToken;

impl Token {
    /// The secret made of ten bytes from the operating system's generator.
    pub fn from_bytes(bytes: [u8; 10]) -> Self {
        Self(bytes)
    }

    /// The 16 characters, for the seat's own mails and nothing else.
    pub fn reveal(&self) -> String {
        let (mut bits, mut held) = (0_u32, 0_u32);
        let mut text = String::with_capacity(16);
        for byte in self.0 {
            bits = (bits << 8) | u32::from(byte);
            held += 8;
            while held >= 5 {
                held -= 5;
                text.push(char::from(ALPHABET[(bits >> held & 31) as usize]));
            }
        }
        text
    }
}

impl FromStr for Token {
    type Err = BadToken;

    /// Accepts common errors of copying by hand: capitals, `o` for 0, `i` and `l` for 1.
    fn from_str(text: &str) -> Result<Self, BadToken> {
        let mut bytes = [0; 10];
        let (mut bits, mut held, mut next) = (0_u32, 0_u32, 0_usize);
        if text.len() != 16 {
            return Err(BadToken);
        }
        for byte in text.bytes() {
            let plain = match byte.to_ascii_lowercase() {
                b'o' => b'0',
                b'i' | b'l' => b'1',
                other => other,
            };
            let digit = (0_u32..).zip(ALPHABET).find(|(_, c)| **c == plain).ok_or(BadToken)?.0;
            bits = (bits << 5) | digit;
            held += 5;
            if held >= 8 {
                held -= 8;
                bytes[next] = (bits >> held & 255) as u8;
                next += 1;
            }
        }
        Ok(Self(bytes))
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Token {}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The text with `***` in place of every seat's secret in an address of a host, as [`HostAddress::reply_address`](super::HostAddress::reply_address)
/// writes it: for the log, and for texts that others may read. The address may be cut off or in capitals.
pub fn without_secrets(text: String) -> String {
    let ends_an_address = |c: char| !c.is_ascii_alphanumeric() && !"+-_=%".contains(c);
    let (mut shown, mut rest, mut has_plus) = (String::new(), text.as_str(), false);
    while let Some((before, after)) = rest.split_once('.') {
        let length = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
        let (word, behind) = after.split_at(length);
        shown.push_str(before);
        shown.push('.');
        let mut words = before.rsplit(ends_an_address);
        has_plus = words.next().is_some_and(|word| word.contains('+')) || has_plus && words.next().is_none();
        if (has_plus || behind.starts_with('@')) && word.parse::<Token>().is_ok() {
            shown.push_str("***");
            rest = behind;
        } else {
            rest = after;
        }
    }
    if shown.is_empty() {
        return text;
    }
    shown + rest
}

//! Numbers with the nouns that fit them.

use std::fmt::Display;

/// A number with a noun whose plural ends in -s: `1 mail`, `2 mails`.
pub fn count<N: Copy + Display + PartialEq + From<u8>>(n: N, one: &str) -> String {
    let ending = if n == N::from(1) { "" } else { "s" };
    format!("{n} {one}{ending}")
}

/// A number with a noun whose plural is irregular: `1 entry`, `2 entries`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(n: N, one: &str, many: &str) -> String {
    format!("{n} {}", if n == N::from(1) { one } else { many })
}

//! The host's own address, and the sub-addresses that tell it which game and seat a reply is for.

use std::fmt;

use super::token::Token;
use musterd_dice::{GameId, Seat};

/// The longest local part that mail servers must take (RFC 5321, 4.5.3.1.1), in bytes.
const LONGEST_LOCAL: usize = 64;

/// The address that players write to, `local@domain`, lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostAddress {
    local: String,
    domain: String,
}

/// A text that can't be the host's address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an address the host can use: write local@domain, the local part without `+`, both in plain ASCII"
)]
pub struct BadHostAddress(String);

impl HostAddress {
    /// Reads `local@domain`. The local part must leave room for `+` and a sub-address.
    ///
    /// # Errors
    /// [`BadHostAddress`] if either part is missing or holds anything but letters, digits, `.`, `-` and (local) `_`.
    pub fn parse(text: &str) -> Result<Self, BadHostAddress> {
        let bad = || BadHostAddress(text.chars().take(80).collect());
        let (local, domain) = text.trim().rsplit_once('@').ok_or_else(bad)?;
        let dotted = |part: &str, extra: &str| {
            part.split('.').all(|word| {
                !word.is_empty()
                    && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || extra.contains(c))
            })
        };
        if dotted(local, "_") && dotted(domain, "") && local.len() <= LONGEST_LOCAL && domain.len() <= 253 {
            Ok(Self { local: local.to_ascii_lowercase(), domain: domain.to_ascii_lowercase() })
        } else {
            Err(bad())
        }
    }

    /// The part after the `@`: the domain of Message-IDs and List-Ids too.
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// `local+game.seat.token@domain`, the address that a seat answers to.
    ///
    /// If that address would be longer than mail servers must accept, the plain address: the key line above the form ([`super::key_line`]) then names
    /// game, seat and secret.
    pub fn reply_address(&self, game: &GameId, seat: &Seat, token: &Token) -> String {
        let local = format!("{}+{game}.{seat}.{}", self.local, token.reveal());
        if local.len() <= LONGEST_LOCAL { format!("{local}@{}", self.domain) } else { self.to_string() }
    }

    /// Whether `address` is this one, with a sub-address or without.
    pub fn is_own(&self, address: &str) -> bool {
        self.detail(address).is_some()
    }

    /// The sub-address in `address`, lower case: `Some("")` for the plain address, `None` for somebody else's.
    pub(super) fn detail(&self, address: &str) -> Option<String> {
        let address = address.to_ascii_lowercase();
        let local = address.strip_suffix(&self.domain)?.strip_suffix('@')?;
        let rest = local.strip_prefix(&self.local)?;
        if rest.is_empty() { Some(String::new()) } else { rest.strip_prefix('+').map(str::to_owned) }
    }
}

impl fmt::Display for HostAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.local, self.domain)
    }
}

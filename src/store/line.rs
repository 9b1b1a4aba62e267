//! A line of a mirror journal: one step of one game, chained to the line before by its hash.
//!
//! ```text
//! {"n":2,"prev":"…","entries":[…],"seen":[…],"handled":[…],"packets":[…],"tried":[…],"hash":"…"}
//! ```
//!
//! `n` counts from 1. `hash` is the SHA-256 of the line's bytes before `,"hash"`; `prev` is the hash of the line before, and in the
//! first line [`anchor`] of the journal's name. Lists that are empty are left out. The database keeps these very bytes, so
//! either file can be made from the other.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::step::{Packet, Tried};
use crate::dice::Digest;
use crate::engine::journal::Entry;

const HASH: &str = ",\"hash\":\"";
/// Of the hash with its name, its quotes and the closing brace.
const TAIL: usize = HASH.len() + 64 + 2;

/// What a line is about, still to be written.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Draft<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) seen: &'a [String],
    pub(super) handled: &'a [String],
    pub(super) packets: &'a [Packet],
    pub(super) tried: &'a [Tried],
}

impl Draft<'_> {
    pub(super) fn is_empty(&self) -> bool {
        let Self { entries, seen, handled, packets, tried } = self;
        entries.is_empty() && seen.is_empty() && handled.is_empty() && packets.is_empty() && tried.is_empty()
    }
}

#[derive(Serialize)]
struct Body<'a> {
    n: u64,
    prev: Digest,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    entries: &'a [Entry],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    seen: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    handled: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    packets: &'a [Packet],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tried: &'a [Tried],
}

/// A line, read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line<'a> {
    pub(super) n: u64,
    pub(super) prev: Digest,
    #[serde(borrow, default)]
    pub(super) entries: Vec<&'a RawValue>,
    #[serde(default)]
    pub(super) seen: Vec<String>,
    #[serde(default)]
    pub(super) handled: Vec<String>,
    #[serde(borrow, default)]
    pub(super) packets: Vec<&'a RawValue>,
    #[serde(default)]
    pub(super) tried: Vec<Tried>,
    pub(super) hash: Digest,
}

/// What the first line of the journal `name` has as `prev`, so that no journal passes for another.
pub(super) fn anchor(name: &str) -> Digest {
    Digest::of(format!("musterd/mirror/1/{name}").as_bytes())
}

/// The bytes of a line, with the line feed.
pub(super) fn write(n: u64, prev: Digest, draft: &Draft<'_>) -> Result<Vec<u8>, serde_json::Error> {
    let Draft { entries, seen, handled, packets, tried } = *draft;
    let mut bytes = serde_json::to_vec(&Body { n, prev, entries, seen, handled, packets, tried })?;
    bytes.pop();
    let hash = Digest::of(&bytes);
    bytes.extend_from_slice(format!("{HASH}{hash}\"}}\n").as_bytes());
    Ok(bytes)
}

/// Reads a line and checks its hash; the error is a phrase for [`StoreError::Mirror`](super::StoreError::Mirror).
pub(super) fn read(bytes: &[u8]) -> Result<Line<'_>, String> {
    let bytes = bytes.strip_suffix(b"\n").ok_or("the line is cut off")?;
    let body =
        bytes.len().checked_sub(TAIL).and_then(|end| bytes.get(..end)).ok_or("the line is too short")?;
    let line = read_written(bytes)?;
    if Digest::of(body) != line.hash {
        return Err("the line isn't what its hash says: it was altered after it was written".to_owned());
    }
    Ok(line)
}

/// Reads a line whose hash is known to be right, because it has just been written.
pub(super) fn read_written(bytes: &[u8]) -> Result<Line<'_>, String> {
    serde_json::from_slice(bytes).map_err(|e| format!("it can't be read ({e})"))
}

/// Where in its line a piece of it stands.
pub(super) fn offset(line: &[u8], piece: &RawValue) -> u64 {
    let start = piece.get().as_ptr().addr() - line.as_ptr().addr();
    u64::try_from(start).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let seen = ["a\nb\u{0}c".to_owned()];
        write(7, anchor("alpha"), &Draft { seen: &seen, ..Draft::default() }).unwrap()
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        let bytes = sample();
        let line = read(&bytes).unwrap();
        assert_eq!((line.n, line.prev, line.seen.len()), (7, anchor("alpha"), 1));
        assert_eq!(bytes.iter().filter(|b| **b == b'\n').count(), 1, "one line, whatever the mail said");
    }

    #[test]
    fn a_change_of_any_byte_shows() {
        let good = sample();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert!(read(&bad).is_err(), "byte {at} of {}", String::from_utf8_lossy(&bad));
            assert!(read(&good[..at]).is_err());
        }
    }
}

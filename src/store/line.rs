//! A line of a mirror journal: one step of one game, chained to the line before by its hash.
//!
//! ```text
//! {"n":2,"prev":"…","entries":[…],"seen":[…],"handled":[…],"packets":[…],"tried":[…],"hash":"…"}
//! ```
//!
//! `n` counts from 1. `hash` is the SHA-256 of the line's bytes before `,"hash"`; `prev` is the hash of the line before, and in the
//! first line [`anchor`] of the journal's name. Lists that are empty are left out. The database keeps these very bytes, so
//! either file can be made from the other.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::step::{Packet, Tried};
use musterd_dice::Digest;
use musterd_engine::journal::Entry;

const HASH: &str = ",\"hash\":\"";
/// The length of the end of a line: the hash with its name and quotes, and the closing brace.
const TAIL: usize = HASH.len() + 64 + 2;

/// The contents of a line that is yet to be written.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct LineContents<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) seen: &'a [String],
    pub(super) handled: &'a [String],
    pub(super) packets: &'a [Packet],
    pub(super) tried: &'a [Tried],
}

impl LineContents<'_> {
    pub(super) fn is_empty(&self) -> bool {
        !self.tells_of_a_decision() && self.tried.is_empty()
    }

    /// Whether it holds more than the results of tries to send.
    pub(super) fn tells_of_a_decision(&self) -> bool {
        let Self { entries, seen, handled, packets, tried: _ } = self;
        !(entries.is_empty() && seen.is_empty() && handled.is_empty() && packets.is_empty())
    }
}

/// The fields at the beginning of a line.
#[derive(Serialize)]
struct Beginning {
    n: u64,
    prev: Digest,
}

/// A line in its written form.
pub(super) struct Written {
    /// Its bytes, with the line feed.
    pub(super) bytes: Vec<u8>,
    /// Its hash.
    pub(super) hash: Digest,
    /// The place of each entry in it.
    pub(super) entries: Vec<Range<usize>>,
    /// The place of each packet in it.
    pub(super) packets: Vec<Range<usize>>,
}

/// A line that was read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JournalLine<'a> {
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

/// The value of `prev` in the first line of the journal `name`. It prevents one journal from passing for another.
pub(super) fn anchor(name: &str) -> Digest {
    Digest::of(format!("musterd/mirror/1/{name}").as_bytes())
}

/// Writes a line.
pub(super) fn write(n: u64, prev: Digest, draft: &LineContents<'_>) -> Result<Written, serde_json::Error> {
    let LineContents { entries, seen, handled, packets, tried } = *draft;
    // Packets take nearly all the room of a line that has any. With room reserved for them the line is not moved while it grows.
    let room = packets.iter().map(|packet| packet.raw.len() + packet.raw.len() / 8).sum::<usize>();
    let mut bytes = Vec::with_capacity(room + 4096);
    serde_json::to_writer(&mut bytes, &Beginning { n, prev })?;
    bytes.pop();
    let entries = put_list(&mut bytes, "entries", entries)?;
    put_list(&mut bytes, "seen", seen)?;
    put_list(&mut bytes, "handled", handled)?;
    let packets = put_list(&mut bytes, "packets", packets)?;
    put_list(&mut bytes, "tried", tried)?;
    let hash = Digest::of(&bytes);
    bytes.extend_from_slice(format!("{HASH}{hash}\"}}\n").as_bytes());
    Ok(Written { bytes, hash, entries, packets })
}

/// Writes a list, unless it is empty. Returns the place of each element.
fn put_list<T: Serialize>(
    bytes: &mut Vec<u8>,
    name: &str,
    list: &[T],
) -> Result<Vec<Range<usize>>, serde_json::Error> {
    let mut places = Vec::with_capacity(list.len());
    for element in list {
        let before = if places.is_empty() { format!(",\"{name}\":[") } else { ",".to_owned() };
        bytes.extend_from_slice(before.as_bytes());
        let start = bytes.len();
        serde_json::to_writer(&mut *bytes, element)?;
        places.push(start..bytes.len());
    }
    if !places.is_empty() {
        bytes.push(b']');
    }
    Ok(places)
}

/// Why a line of a journal can't be used. [`StoreError::Mirror`](super::StoreError::Mirror) says what to do about it.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadLine {
    /// No line feed ends it.
    #[error("the line is cut off")]
    CutOff,
    /// It is too short for a hash.
    #[error("the line is too short")]
    TooShort,
    /// It is no line of a journal.
    #[error("it can't be read ({0})")]
    Unreadable(#[from] serde_json::Error),
    /// Its hash doesn't match its bytes.
    #[error("the line isn't what its hash says: it was altered after it was written")]
    Altered,
    /// It is whole, but doesn't follow the line before it.
    #[error("line {wanted} is wanted here, and this is another")]
    Misplaced {
        /// The number of the line that would follow, from 1.
        wanted: u64,
    },
    /// It begins the journal of another game.
    #[error("this is the journal of another game")]
    Foreign,
}

/// Reads a line and checks its hash.
pub(super) fn read(bytes: &[u8]) -> Result<JournalLine<'_>, BadLine> {
    let bytes = bytes.strip_suffix(b"\n").ok_or(BadLine::CutOff)?;
    let body = bytes.len().checked_sub(TAIL).and_then(|end| bytes.get(..end)).ok_or(BadLine::TooShort)?;
    let line: JournalLine<'_> = serde_json::from_slice(bytes)?;
    if Digest::of(body) == line.hash { Ok(line) } else { Err(BadLine::Altered) }
}

/// The place of a piece in its line.
pub(super) fn place(line: &[u8], piece: &RawValue) -> Range<usize> {
    let start = piece.get().as_ptr().addr() - line.as_ptr().addr();
    start..start + piece.get().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use musterd_engine::journal::Cause;

    fn sample() -> Vec<u8> {
        let seen = ["a\nb\u{0}c".to_owned()];
        write(7, anchor("alpha"), &LineContents { seen: &seen, ..LineContents::default() }).unwrap().bytes
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        let bytes = sample();
        let line = read(&bytes).unwrap();
        assert_eq!((line.n, line.prev, line.seen.len()), (7, anchor("alpha"), 1));
        assert_eq!(bytes.iter().filter(|b| **b == b'\n').count(), 1, "one line, whatever the mail said");
    }

    #[test]
    fn the_place_of_a_piece_is_known_from_writing_as_from_reading() {
        let entry = |text: &str| Entry { at: 5, cause: Cause::Noted { text: text.to_owned() } };
        let entries = [entry("a \"quoted\" word"), entry("\n")];
        let written =
            write(1, anchor("alpha"), &LineContents { entries: &entries, ..LineContents::default() })
                .unwrap();
        let line = read(&written.bytes).unwrap();
        let places: Vec<_> = line.entries.iter().map(|entry| place(&written.bytes, entry)).collect();
        assert_eq!((line.hash, places), (written.hash, written.entries));
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

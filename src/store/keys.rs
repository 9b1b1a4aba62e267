//! The keys of the database. It is one tree, so that one batch is one atomic commit; a key's first byte says what it is.
//!
//! | key | value |
//! |---|---|
//! | `g` name | the [head](super::staging::Head) of a mirror journal |
//! | `m` name 0 line chunk | a piece of one of its lines |
//! | `e` name 0 index | where in the lines a game's entry stands |
//! | `l` id 0 recipient | where in the lines a packet stands, and how it stands with a recipient |
//! | `d` time id 0 recipient | nothing: the queue of what is to be sent |
//! | `s` digest | nothing: a mail that had its effect |
//! | `h` digest | nothing: a mail in the spool that is done with |
//!
//! Numbers are big-endian, so that the order of keys is the order of numbers. Names, ids and recipients hold no zero byte. Of a digest
//! the first half stands in a key, as in the names of mails in the spool: sled keeps keys of up to 22 bytes without an allocation each.

use musterd_dice::Digest;

/// Bytes of a line in one value. sled writes a leaf of its tree as one item, splits a leaf only when it has more than 16
/// values, and moves an item of more than 128 KiB to a file that it never syncs. With values of at most this, and some
/// 280 bytes for a key, no leaf can grow so large; and the line of most mails is two of them.
pub(super) const CHUNK: usize = 29 * 256;

pub(super) const HEADS: &[u8] = b"g";
pub(super) const QUEUE: &[u8] = b"d";

fn key(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = vec![tag];
    parts.iter().for_each(|part| key.extend_from_slice(part));
    key
}

pub(super) fn head(name: &str) -> Vec<u8> {
    key(b'g', &[name.as_bytes()])
}

pub(super) fn chunk(name: &str, line: u64, chunk: u32) -> Vec<u8> {
    key(b'm', &[name.as_bytes(), &[0], &line.to_be_bytes(), &chunk.to_be_bytes()])
}

pub(super) fn entry(name: &str, index: u64) -> Vec<u8> {
    key(b'e', &[name.as_bytes(), &[0], &index.to_be_bytes()])
}

/// The prefix of every entry of a game.
pub(super) fn entries(name: &str) -> Vec<u8> {
    key(b'e', &[name.as_bytes(), &[0]])
}

pub(super) fn account(id: &str, recipient: &str) -> Vec<u8> {
    key(b'l', &[id.as_bytes(), &[0], recipient.as_bytes()])
}

/// The prefix of the accounts of a packet.
pub(super) fn accounts_of(id: &str) -> Vec<u8> {
    key(b'l', &[id.as_bytes(), &[0]])
}

/// The prefix of the accounts of every packet whose id starts with `id_prefix`.
pub(super) fn accounts(id_prefix: &str) -> Vec<u8> {
    key(b'l', &[id_prefix.as_bytes()])
}

pub(super) fn queued(at: i64, id: &str, recipient: &str) -> Vec<u8> {
    key(b'd', &[&ordered(at), id.as_bytes(), &[0], recipient.as_bytes()])
}

/// The key of a mark, which is a digest of its text: the text comes from a stranger and may be of any length.
pub(super) fn seen(key_text: &str) -> Vec<u8> {
    key(b's', &[&half_digest(key_text)])
}

pub(super) fn handled(spool_name: &str) -> Vec<u8> {
    key(b'h', &[&half_digest(spool_name)])
}

fn half_digest(text: &str) -> [u8; 16] {
    let digest = Digest::of(text.as_bytes());
    std::array::from_fn(|at| digest.as_bytes()[at])
}

/// The packet's id and the recipient in a key of [`account`].
pub(super) fn read_account(key: &[u8]) -> Option<(String, String)> {
    let text = std::str::from_utf8(key.get(1..)?).ok()?;
    let (id, recipient) = text.split_once('\0')?;
    Some((id.to_owned(), recipient.to_owned()))
}

/// The time, the packet's id and the recipient in a key of [`queued`].
pub(super) fn read_queued(key: &[u8]) -> Option<(i64, String, String)> {
    let (at, rest) = key.get(1..)?.split_first_chunk::<8>()?;
    let (id, recipient) = std::str::from_utf8(rest).ok()?.split_once('\0')?;
    Some(((u64::from_be_bytes(*at) ^ SIGN).cast_signed(), id.to_owned(), recipient.to_owned()))
}

const SIGN: u64 = 1 << 63;

/// Eight bytes that sort in the order of the times, those before 1970 included.
fn ordered(at: i64) -> [u8; 8] {
    (at.cast_unsigned() ^ SIGN).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_is_ordered_by_time_and_reads_back() {
        let times = [i64::MIN, -1, 0, 1, 255, 256, 1_795_000_000, i64::MAX];
        let keys: Vec<_> = times.iter().map(|at| queued(*at, "alpha/1/french/receipt", "a@b")).collect();
        assert!(keys.is_sorted());
        for (at, key) in times.into_iter().zip(keys) {
            assert_eq!(read_queued(&key), Some((at, "alpha/1/french/receipt".into(), "a@b".into())));
        }
    }

    #[test]
    fn an_account_reads_back() {
        let key = account("_host/help/9", "x@y.example");
        assert_eq!(read_account(&key), Some(("_host/help/9".into(), "x@y.example".into())));
    }
}

//! Turns steps into one batch for the database and lines for the mirror journals. Nothing is written here.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::account::{Account, Span};
use super::database::{Database, encode};
use super::error::Unfit;
use super::line::{self, JournalLine, LineContents, Written};
use super::step::{HOST, Packet, Step, Tried};
use super::{StoreError, keys};
use musterd_dice::Digest;

/// The end of a mirror journal, and of the game's journal in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    /// The number of lines so far.
    pub(super) lines: u64,
    /// The hash of the last line.
    pub(super) hash: Digest,
    /// The number of entries so far.
    pub(super) entries: u64,
}

/// The fields of a packet that the database needs; the packet's text stays in the line.
#[derive(Deserialize)]
struct Envelope {
    id: String,
    to: Vec<String>,
    not_before: i64,
}

impl Envelope {
    fn of(packet: &Packet) -> Self {
        Self { id: packet.id.clone(), to: packet.to.clone(), not_before: packet.not_before }
    }
}

/// The parts of a line that the database notes, with the places of its entries and packets in the line's bytes.
struct Noted<'a> {
    n: u64,
    hash: Digest,
    bytes: &'a [u8],
    entries: Vec<Range<usize>>,
    seen: &'a [String],
    handled: &'a [String],
    packets: Vec<(Envelope, Range<usize>)>,
    tried: &'a [Tried],
}

/// A commit that is being assembled.
pub(super) struct Staging<'a> {
    database: &'a Database,
    batch: sled::Batch,
    heads: BTreeMap<String, Head>,
    accounts: BTreeMap<(String, String), Account>,
    packets: BTreeSet<String>,
    lines: BTreeMap<String, Vec<Vec<u8>>>,
    leading: BTreeSet<String>,
}

/// A commit that is ready to be written.
pub(super) struct Staged {
    pub(super) batch: sled::Batch,
    /// The new lines of each mirror journal.
    pub(super) lines: BTreeMap<String, Vec<Vec<u8>>>,
    /// The journals that have to be durable before all others, in the order of their names. Their lines hold only a part of the effects of a mail, as
    /// far as can be told; the last part, which says that the mail is handled, is in a journal after these.
    pub(super) leading: BTreeSet<String>,
}

impl<'a> Staging<'a> {
    pub(super) fn new(database: &'a Database) -> Self {
        Self {
            database,
            batch: sled::Batch::default(),
            heads: BTreeMap::new(),
            accounts: BTreeMap::new(),
            packets: BTreeSet::new(),
            lines: BTreeMap::new(),
            leading: BTreeSet::new(),
        }
    }

    /// Adds a step after those already added.
    pub(super) fn step(&mut self, step: &Step) -> Result<(), StoreError> {
        let name = step.game.as_ref().map_or(HOST, |game| game.as_str());
        if step.game.is_some() {
            let held = self.head(name)?.entries;
            if held != step.position {
                return Err(StoreError::Stale { game: name.to_owned(), held, expected: step.position });
            }
        } else if !step.entries.is_empty() {
            return Err(Unfit::Homeless.into());
        }
        step.packets.iter().try_for_each(|packet| fit(packet, name))?;
        if let Some(other) = step.tried.iter().find(|tried| name_in(&tried.packet) != name) {
            return Err(Unfit::Foreign { packet: other.packet.clone(), name: name.to_owned() }.into());
        }
        let Step { entries, seen, handled, packets, tried, .. } = step;
        self.draft(name, &LineContents { entries, seen, handled, packets, tried })
    }

    /// Adds results of tries to send, in one line for each game.
    pub(super) fn tried(&mut self, tried: &[Tried]) -> Result<(), StoreError> {
        let mut by_name: BTreeMap<&str, Vec<Tried>> = BTreeMap::new();
        for one in tried {
            by_name.entry(name_in(&one.packet)).or_default().push(one.clone());
        }
        by_name.into_iter().try_for_each(|(name, tried)| {
            self.draft(name, &LineContents { tried: &tried, ..LineContents::default() })
        })
    }

    fn draft(&mut self, name: &str, draft: &LineContents<'_>) -> Result<(), StoreError> {
        if draft.is_empty() {
            return Ok(());
        }
        let head = self.head(name)?;
        let n = head.lines + 1;
        let Written { bytes, hash, entries, packets } =
            line::write(n, head.hash, draft).map_err(Unfit::Unwritable)?;
        self.note(
            name,
            Noted {
                n,
                hash,
                bytes: &bytes,
                entries,
                seen: draft.seen,
                handled: draft.handled,
                packets: draft.packets.iter().map(Envelope::of).zip(packets).collect(),
                tried: draft.tried,
            },
        )?;
        self.lines.entry(name.to_owned()).or_default().push(bytes);
        if draft.handled.is_empty() && draft.tells_of_a_decision() {
            self.leading.insert(name.to_owned());
        }
        Ok(())
    }

    /// Adds a whole line that is known to follow the last.
    pub(super) fn line(
        &mut self,
        name: &str,
        bytes: &[u8],
        line: &JournalLine<'_>,
    ) -> Result<(), StoreError> {
        let packet = |piece: &&RawValue| {
            let envelope: Envelope = serde_json::from_str(piece.get())
                .map_err(|error| Unfit::Unreadable { name: name.to_owned(), error })?;
            Ok((envelope, line::place(bytes, piece)))
        };
        let packets = line.packets.iter().map(packet).collect::<Result<_, StoreError>>()?;
        self.note(
            name,
            Noted {
                n: line.n,
                hash: line.hash,
                bytes,
                entries: line.entries.iter().map(|entry| line::place(bytes, entry)).collect(),
                seen: &line.seen,
                handled: &line.handled,
                packets,
                tried: &line.tried,
            },
        )
    }

    /// Adds a line. All keys of the database are made here.
    fn note(&mut self, name: &str, line: Noted<'_>) -> Result<(), StoreError> {
        let mut head = self.head(name)?;
        for (chunk, n) in line.bytes.chunks(keys::CHUNK).zip(0..) {
            self.batch.insert(keys::chunk(name, line.n, n), chunk);
        }
        let number = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        let span =
            |place: Range<usize>| Span { line: line.n, start: number(place.start), len: number(place.len()) };
        for place in line.entries {
            self.batch.insert(keys::entry(name, head.entries), encode(&span(place))?);
            head.entries += 1;
        }
        line.seen.iter().for_each(|key| self.batch.insert(keys::seen(key), b""));
        line.handled.iter().for_each(|mail| self.batch.insert(keys::handled(mail), b""));
        for (envelope, place) in line.packets {
            self.packet(envelope, span(place))?;
        }
        line.tried.iter().try_for_each(|tried| self.attempt(tried))?;
        (head.lines, head.hash) = (line.n, line.hash);
        self.heads.insert(name.to_owned(), head);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Staged, StoreError> {
        for (name, head) in &self.heads {
            self.batch.insert(keys::head(name), encode(head)?);
        }
        Ok(Staged { batch: self.batch, lines: self.lines, leading: self.leading })
    }

    fn head(&self, name: &str) -> Result<Head, StoreError> {
        match self.heads.get(name) {
            Some(head) => Ok(head.clone()),
            None => head(self.database, name),
        }
    }

    fn packet(&mut self, envelope: Envelope, at: Span) -> Result<(), StoreError> {
        let Envelope { id, to, not_before } = envelope;
        if self.packets.contains(&id) || self.database.first(&keys::accounts_of(&id))?.is_some() {
            return Err(Unfit::Taken(id).into());
        }
        for recipient in to {
            let account = Account::new(at, not_before);
            self.account(&id, recipient, account)?;
        }
        self.packets.insert(id);
        Ok(())
    }

    fn attempt(&mut self, tried: &Tried) -> Result<(), StoreError> {
        let Tried { packet, recipient, attempt } = tried;
        let account = match self.accounts.get(&(packet.clone(), recipient.clone())) {
            Some(account) => Some(account.clone()),
            None => self.database.get::<Account>(&keys::account(packet, recipient))?,
        };
        let Some(account) = account else {
            let (packet, recipient) = (packet.clone(), recipient.clone());
            return Err(Unfit::Unknown { packet, recipient }.into());
        };
        let Some(after) = account.after(attempt) else {
            let (packet, recipient) = (packet.clone(), recipient.clone());
            return Err(Unfit::Settled { packet, recipient }.into());
        };
        if let Some(next) = account.next() {
            self.batch.remove(keys::queued(next, packet, recipient));
        }
        self.account(packet, recipient.clone(), after)
    }

    fn account(&mut self, id: &str, recipient: String, account: Account) -> Result<(), StoreError> {
        if let Some(next) = account.next() {
            self.batch.insert(keys::queued(next, id, &recipient), b"");
        }
        self.batch.insert(keys::account(id, &recipient), encode(&account)?);
        self.accounts.insert((id.to_owned(), recipient), account);
        Ok(())
    }
}

/// The head of the journal `name` in the database; the head of an empty journal if there is none.
pub(super) fn head(database: &Database, name: &str) -> Result<Head, StoreError> {
    let empty = || Head { lines: 0, hash: line::anchor(name), entries: 0 };
    Ok(database.get(&keys::head(name))?.unwrap_or_else(empty))
}

/// The mirror journal that a packet's id belongs to.
pub(super) fn name_in(packet_id: &str) -> &str {
    packet_id.split('/').next().unwrap_or_default()
}

/// Whether a packet can be stored for the game or host `name`, and sent.
pub(super) fn fit(packet: &Packet, name: &str) -> Result<(), StoreError> {
    let Packet { id, to, from, raw, .. } = packet;
    let wrong = if name_in(id) != name || id.len() > 200 || !id.bytes().all(|b| b.is_ascii_graphic()) {
        format!("its id must be `{name}/…`, printable ASCII of at most 200 bytes")
    } else if to.is_empty() || to.iter().collect::<BTreeSet<_>>().len() != to.len() {
        "it must have recipients, each once".to_owned()
    } else if let Some(bad) = to.iter().chain([from]).find(|a| a.len() > 320 || a.contains(char::is_control))
    {
        format!("`{}` is not an address", bad.escape_default())
    } else if raw.len() >= Packet::LARGEST || !raw.is_ascii() {
        format!("its text must be ASCII, less than {} bytes; it has {}", Packet::LARGEST, raw.len())
    } else {
        return Ok(());
    };
    Err(Unfit::Packet { id: id.clone(), wrong }.into())
}

//! A folder on an IMAP server as a source of mail.
//!
//! The position up to which the folder was read (UIDVALIDITY and UID) is stored on our side, not in flags, so no message is missed if another program
//! reads the mail first. A new UIDVALIDITY, or no position, means that all messages are taken. Taking a message twice is harmless, because its effect
//! depends on its content. The daemon should be the only user of the folder.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use imap::types::Mailbox;

use super::cursor::{Cursor, Position};
use super::link::Link;
use super::pause::{Pause, this_second};
use super::server::Server;
use super::{Arrived, Drained, HEAD_BYTES, Keep, PostError, Raw, Source, Stop};

/// The number of message sizes that one command asks for.
const SIZES: usize = 2048;
/// The most messages fetched in one command. Together they are also limited to [`BATCH_BYTES`], unless it is a single message.
const BATCH: usize = 256;
/// See [`BATCH`].
const BATCH_BYTES: u64 = 4 * 1024 * 1024;
/// The most messages that may fail in one drain before it is given up: the reason of each is kept until the end.
const MOST_LEFT: usize = 1000;
/// The most connections that may break in one drain before it is given up; each delays at most one message.
const FAULTS: usize = 4;

/// How a kept message is marked in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finish {
    /// It is flagged as seen.
    MarkSeen,
    /// It is moved to this folder, which must exist; the server must know MOVE, as nearly all do.
    MoveTo(String),
}

/// A folder on an IMAP server that receives orders.
pub struct ImapSource {
    name: String,
    server: Server,
    folder: String,
    finish: Finish,
    limit: u64,
    cursor: Box<dyn Cursor>,
    link: Option<Link>,
    /// The pause after a refused login, and the server's reply.
    login: (Pause, String),
    /// Messages above the position that are already kept, after one that could not be taken; with their UIDVALIDITY.
    beyond: (u32, BTreeSet<u32>),
}

/// Problems with single messages during one drain.
#[derive(Default)]
struct Troubles {
    /// The messages of a batch that failed: they are fetched one by one from then on.
    suspects: BTreeSet<u32>,
    /// The messages that failed alone: they are left until the next drain.
    left: BTreeMap<u32, String>,
    /// Why kept mail was not marked or moved.
    unmarked: Option<String>,
}

impl Troubles {
    /// Notes what a failed batch says about its messages. `kept`: whether they are safe, and only could not be marked in the folder.
    fn blame(&mut self, batch: &[(u32, Option<u64>)], kept: bool, error: &PostError) {
        match batch {
            _ if kept => self.unmarked = Some(error.to_string()),
            [(uid, _)] => _ = self.left.insert(*uid, error.to_string()),
            _ => self.suspects.extend(batch.iter().map(|&(uid, _)| uid)),
        }
    }
}

impl std::fmt::Debug for ImapSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImapSource")
            .field("server", &self.server)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl ImapSource {
    /// This folder on this server, under the server's name for it (beyond ASCII: in modified UTF-7). Only the head of a message over `limit` bytes is
    /// handed over.
    pub fn new(server: Server, folder: String, finish: Finish, limit: u64, cursor: Box<dyn Cursor>) -> Self {
        let user = server.login.as_ref().map(|(user, _)| format!(" of {user}")).unwrap_or_default();
        let name = format!("imap {server} {folder}{user}");
        let login = (Pause::after_login(server.timeout), String::new());
        Self { name, server, folder, finish, limit, cursor, link: None, login, beyond: (0, BTreeSet::new()) }
    }

    /// Opens the folder on the connection of the last drain or, if there is none or it has died, on a new one.
    fn open(&mut self, stop: &Stop) -> Result<(Link, u32, Mailbox), PostError> {
        let select = |mut link: Link| {
            let mailbox = link.call("opening the folder", |s| s.select(&self.folder))?;
            let validity = mailbox.uid_validity.ok_or_else(|| {
                self.server.config_error("the server gives no UIDVALIDITY, so mail cannot be told apart")
            })?;
            Ok((link, validity, mailbox))
        };
        if let Some(Ok(opened)) = self.link.take().map(select) {
            return Ok(opened);
        }
        let link = match (&self.server.login, self.login.0.lasts()) {
            (Some((user, _)), true) => {
                let (server, user) = (self.server.to_string(), user.clone());
                return Err(PostError::Login { server, user, reason: self.login.1.clone() });
            }
            _ => Link::open(&self.server, self.limit, stop),
        };
        match &link {
            Err(PostError::Login { reason, .. }) => {
                self.login.0.begin();
                self.login.1.clone_from(reason);
            }
            Err(_) => {}
            Ok(_) => self.login.0.end(),
        }
        link.and_then(select)
    }

    /// Takes everything above the position. An error ends the pass; the messages that were kept before are counted.
    fn pass(
        &mut self,
        keep: &mut dyn Keep,
        drained: &mut Drained,
        troubles: &mut Troubles,
    ) -> Result<(), PostError> {
        let (mut link, uid_validity, mailbox) = self.open(&keep.stop())?;
        let uid = self.position_in(&mut link, uid_validity, &mailbox)?;
        if self.beyond.0 != uid_validity {
            self.beyond = (uid_validity, BTreeSet::new());
        }
        self.beyond.1.retain(|&beyond| beyond > uid);
        let listed = self.listed_above(uid, &mut link, &mailbox)?;
        let mut wanted: Vec<u32> = listed
            .iter()
            .copied()
            .filter(|u| !self.beyond.1.contains(u) && !troubles.left.contains_key(u))
            .collect();
        wanted.reverse();
        while !wanted.is_empty() {
            let at = wanted.len().saturating_sub(SIZES);
            let mut chunk = wanted.split_off(at);
            chunk.reverse();
            for batch in batches(sizes(&mut link, &chunk)?, self.limit, &troubles.suspects) {
                let before = drained.kept;
                let taken = self.take(&mut link, &batch, keep, drained, troubles);
                if let Err(error @ PostError::Keep(_)) = taken {
                    return Err(error);
                }
                self.advance(uid_validity, uid, &listed)?;
                if let Err(error) = taken {
                    troubles.blame(&batch, drained.kept > before, &error);
                    return Err(error);
                }
                if troubles.left.len() > MOST_LEFT {
                    let reason =
                        format!("the server lists over {MOST_LEFT} messages that it does not hand over");
                    return Err(self.server_error("fetching mail", reason));
                }
            }
        }
        self.link = Some(link);
        Ok(())
    }

    /// The number of the last message up to which an opened folder was read.
    fn position_in(
        &mut self,
        link: &mut Link,
        uid_validity: u32,
        mailbox: &Mailbox,
    ) -> Result<u32, PostError> {
        let saved = self.cursor.load().map_err(|e| self.position_error("reading the position file", &e))?;
        let uid = saved.filter(|p| p.uid_validity == uid_validity).map_or(0, |p| p.uid);
        // Every message that was read had a lower number than the server's next one. If not, the position is wrong, unless the server still lists
        // such a message.
        if let Some(next) = mailbox.uid_next.filter(|&next| next <= uid)
            && search(link, "looking for new mail", &format!("UID {uid}:*"))?.iter().all(|&u| u < next)
        {
            tracing::warn!(
                source = self.name,
                read_up_to = uid,
                next,
                "the folder isn't the one that was read, though it says so: it is read from its beginning"
            );
            self.beyond.1.clear();
            self.cursor
                .save(Position { uid_validity, uid: 0 })
                .map_err(|e| self.position_error("writing the position file", &e))?;
            return Ok(0);
        }
        Ok(uid)
    }

    /// The messages above a position.
    fn listed_above(&self, uid: u32, link: &mut Link, mailbox: &Mailbox) -> Result<BTreeSet<u32>, PostError> {
        // `n:*` always includes the last message, even below n: only an empty folder has nothing to show.
        let query = format!("UID {}:*", uid.saturating_add(1));
        let found = search(link, "looking for new mail", &query)?;
        if found.is_empty()
            && mailbox.exists > 0
            && mailbox.uid_next.is_some_and(|next| next > uid.saturating_add(1))
        {
            let reason = "the server finds nothing in a folder that holds mail".to_owned();
            return Err(self.server_error("looking for new mail", reason));
        }
        Ok(found.into_iter().filter(|&u| u > uid).collect())
    }

    fn server_error(&self, doing: &'static str, reason: String) -> PostError {
        PostError::Server { server: self.server.to_string(), doing, reason }
    }

    /// Keeps one batch durably, then marks it in the folder. An error after the batch was kept concerns the marking.
    fn take(
        &mut self,
        link: &mut Link,
        batch: &[(u32, Option<u64>)],
        keep: &mut dyn Keep,
        drained: &mut Drained,
        troubles: &mut Troubles,
    ) -> Result<(), PostError> {
        let uids: Vec<u32> = batch.iter().map(|&(uid, _)| uid).collect();
        let most = match batch {
            [(_, Some(size))] if *size > self.limit => format!("<0.{HEAD_BYTES}>"),
            // The message may be larger than the server says, and the whole may exceed the limit.
            [(uid, size)] if size.is_none() || troubles.suspects.contains(uid) => {
                format!("<0.{}>", self.limit.saturating_add(1))
            }
            _ => String::new(),
        };
        let messages = self.fetch(link, batch, &most)?;
        let (mut taken, mut arrived) = (Vec::new(), Vec::new());
        for (uid, message) in messages {
            taken.push(uid);
            arrived.push(message);
        }
        for &uid in uids.iter().filter(|uid| !taken.contains(uid)) {
            let still_there = search(link, "looking for a message", &format!("UID {uid}"))?;
            if still_there.contains(&uid) {
                troubles
                    .left
                    .insert(uid, format!("the server lists message {uid} but does not hand it over"));
            } else {
                // Another program has deleted it meanwhile.
                self.beyond.1.insert(uid);
            }
        }
        if !taken.is_empty() {
            keep.keep(&arrived)?;
            self.beyond.1.extend(&taken);
            drained.kept += taken.len();
        }
        // If the folder is read-only, or the server fails to mark the messages, the mail must not be fetched again and again.
        if !taken.is_empty() && troubles.unmarked.is_none() {
            let set = uid_set(&taken);
            troubles.unmarked = match &self.finish {
                Finish::MarkSeen => link.call("marking mail as seen", |s| {
                    unless_refused(s.uid_store(&set, "+FLAGS.SILENT (\\Seen)"))
                })?,
                Finish::MoveTo(folder) => {
                    link.call("moving mail", |s| unless_refused(s.uid_mv(&set, folder)))?
                }
            };
        }
        Ok(())
    }

    /// Fetches messages, or for one of them the part that `most` names. Messages that come without UID or body are left out. A message with an
    /// impossible date counts as arriving now, because otherwise it would be left for ever.
    fn fetch(
        &self,
        link: &mut Link,
        batch: &[(u32, Option<u64>)],
        most: &str,
    ) -> Result<BTreeMap<u32, Arrived>, PostError> {
        let sizes: BTreeMap<u32, u64> = batch.iter().map(|&(uid, size)| (uid, size.unwrap_or(0))).collect();
        let stated = |uid: &u32| sizes.get(uid).copied().unwrap_or(0);
        let uids: Vec<u32> = sizes.keys().copied().collect();
        let query = format!("(UID INTERNALDATE BODY.PEEK[]{most})");
        let fetched = link.call("fetching mail", |s| s.uid_fetch(uid_set(&uids), &query))?;
        let (mut lengths, mut messages) = (BTreeMap::new(), BTreeMap::new());
        for item in fetched.iter() {
            let (Some(uid), Some(body)) = (item.uid, item.body()) else { continue };
            if !sizes.contains_key(&uid) {
                continue;
            }
            // A server that sends less when asked again, or nothing, has not delivered the message that it lists.
            let shown = lengths.get(&uid).is_some_and(|&before| before >= body.len() as u64);
            if shown || body.is_empty() && stated(&uid) > 0 {
                continue;
            }
            let length = body.len() as u64;
            lengths.insert(uid, length);
            let size = length.max(stated(&uid));
            let raw = if size > self.limit {
                Raw::Oversize { head: body.iter().take(HEAD_BYTES).copied().collect(), size }
            } else {
                Raw::Whole(body.to_vec())
            };
            let arrived = item.internal_date().map_or_else(this_second, |date| date.timestamp());
            messages.insert(uid, Arrived { raw, arrived, source: self.name.clone() });
        }
        // The sizes that servers state are slightly off.
        for (uid, bytes) in lengths.iter().filter(|&(uid, &bytes)| most.is_empty() && bytes < stated(uid) / 2)
        {
            tracing::warn!(
                source = self.name,
                uid,
                bytes,
                stated = stated(uid),
                "much of this mail is missing"
            );
        }
        Ok(messages)
    }

    /// Saves the position before the first listed message that is not yet kept.
    fn advance(&mut self, uid_validity: u32, from: u32, listed: &BTreeSet<u32>) -> Result<(), PostError> {
        let kept = &self.beyond.1;
        let uid = listed.iter().take_while(|uid| kept.contains(uid)).last().copied().unwrap_or(from);
        self.cursor
            .save(Position { uid_validity, uid })
            .map_err(|e| self.position_error("writing the position file", &e))
    }

    fn position_error(&self, doing: &'static str, error: &io::Error) -> PostError {
        PostError::Server { server: self.server.to_string(), doing, reason: error.to_string() }
    }
}

impl Source for ImapSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn drain(&mut self, keep: &mut dyn Keep) -> Result<Drained, PostError> {
        let mut drained = Drained::default();
        let mut troubles = Troubles::default();
        let mut faults = 0;
        // A pass that fails over a message is followed by another pass without it, on a new connection.
        while let Err(error) = self.pass(keep, &mut drained, &mut troubles) {
            faults += 1;
            let over_a_message =
                !(troubles.left.is_empty() && troubles.suspects.is_empty()) || troubles.unmarked.is_some();
            if matches!(error, PostError::Keep(_)) || !over_a_message || faults > FAULTS {
                return Err(error);
            }
        }
        drained.left = troubles.left.into_values().collect();
        let unmarked = troubles
            .unmarked
            .map(|why| format!("it is safe, but the server does not let it be marked: {why}"));
        drained.left.extend(unmarked);
        Ok(drained)
    }
}

/// The server's words if it refuses the command; an error in all other cases.
fn unless_refused<T>(answer: imap::Result<T>) -> imap::Result<Option<String>> {
    match answer {
        Ok(_) => Ok(None),
        Err(imap::Error::No(no)) => Ok(Some(no.information)),
        Err(other) => Err(other),
    }
}

/// The UIDs that match a search. The library's own search fails if a flag changes at the same time.
fn search(link: &mut Link, doing: &'static str, query: &str) -> Result<BTreeSet<u32>, PostError> {
    let said = link.call(doing, |s| s.run_command_and_read_response(format!("UID SEARCH {query}")))?;
    let mut found = BTreeSet::new();
    for line in said.split(|&b| b == b'\n') {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        if words.next() != Some(b"*") || !words.next().is_some_and(|w| w.eq_ignore_ascii_case(b"SEARCH")) {
            continue;
        }
        for word in words {
            let uid = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
            found.insert(uid.ok_or_else(|| PostError::Server {
                server: link.server().to_owned(),
                doing,
                reason: "the server's answer cannot be understood".to_owned(),
            })?);
        }
    }
    Ok(found)
}

/// The size of each message; `None` if the server gives none.
fn sizes(link: &mut Link, uids: &[u32]) -> Result<Vec<(u32, Option<u64>)>, PostError> {
    let fetched = link.call("asking for sizes", |s| s.uid_fetch(uid_set(uids), "(UID RFC822.SIZE)"))?;
    let known: BTreeMap<u32, u64> =
        fetched.iter().filter_map(|item| Some((item.uid?, u64::from(item.size?)))).collect();
    Ok(uids.iter().map(|&uid| (uid, known.get(&uid).copied())).collect())
}

/// Cuts messages into batches; suspects, large messages and those of unknown size are fetched alone.
fn batches(
    sized: Vec<(u32, Option<u64>)>,
    limit: u64,
    suspects: &BTreeSet<u32>,
) -> Vec<Vec<(u32, Option<u64>)>> {
    let mut batches: Vec<Vec<(u32, Option<u64>)>> = Vec::new();
    let mut room = 0;
    for (uid, size) in sized {
        let small = size.filter(|&size| size <= BATCH_BYTES.min(limit) && !suspects.contains(&uid));
        match (small, batches.last_mut()) {
            (Some(size), Some(last)) if size <= room && last.len() < BATCH => {
                room -= size;
                last.push((uid, Some(size)));
            }
            _ => {
                room = small.map_or(0, |size| BATCH_BYTES - size);
                batches.push(vec![(uid, size)]);
            }
        }
    }
    batches
}

/// Ascending UIDs in the form of an IMAP set: `1:3,7`.
fn uid_set(uids: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &uid in uids {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(uid) => *last = uid,
            _ => ranges.push((uid, uid)),
        }
    }
    let written = ranges.iter().map(|&(a, b)| if a == b { a.to_string() } else { format!("{a}:{b}") });
    written.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_uids_is_written_in_ranges() {
        assert_eq!(uid_set(&[1, 2, 3, 7, 9, 10]), "1:3,7,9:10");
        assert_eq!(uid_set(&[u32::MAX - 1, u32::MAX]), "4294967294:4294967295");
    }

    #[test]
    fn large_suspect_and_unknown_messages_are_fetched_alone() {
        let sized = vec![
            (1, Some(10)),
            (2, Some(BATCH_BYTES + 1)),
            (3, Some(10)),
            (4, Some(10)),
            (5, None),
            (6, Some(1)),
        ];
        let cut: Vec<Vec<u32>> = batches(sized, u64::MAX, &BTreeSet::from([4]))
            .into_iter()
            .map(|batch| batch.into_iter().map(|(uid, _)| uid).collect())
            .collect();
        assert_eq!(cut, [vec![1], vec![2], vec![3], vec![4], vec![5], vec![6]]);
        let many = batches((1..=600).map(|uid| (uid, Some(100))).collect(), 100, &BTreeSet::new());
        assert_eq!(many.iter().map(Vec::len).collect::<Vec<_>>(), [256, 256, 88]);
    }
}

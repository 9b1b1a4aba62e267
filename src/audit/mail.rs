//! What one mail is to a game: what it says of the log, a receipt, the host's signature; and of a player's mail the orders in it.

use std::collections::BTreeSet;

use super::claims::{Claim, Subject, Value};
use super::mbox::LARGEST_MAIL;
use super::own::Own;
use super::place::MailRef;
use super::returned::{LONGEST_BLOCK, Returned};
use super::said::{self, OfDice, ShownHead, Speech, above_chain, after, last_said};
use super::telling::Telling;
use musterd_desk::GM;
use musterd_desk::mail::{self, Command, Given, Kind, LineKind, Mark, Parts, SeatCommand, Sent, Which};
use musterd_dice::{Block, ChainLines, Digest, GameId, HostKey, Label, Seat};
use musterd_letter::{self as letter, Automatic, Body, Letter, Limits, Times};

/// The most of a mail's text that is looked through, in bytes: the host's own mails have a few kilobytes.
const LONGEST_TEXT: usize = 2 * 1024 * 1024;
/// The longest signature that is looked at, in bytes: one has some 300.
const LONGEST_SIGNATURE: usize = 2048;
/// How many different signatures of one mail are kept, from copies of it.
pub(super) const MOST_SIGNATURES: usize = 8;
/// How many of a mail's heads a signature in it may be of: its own chain lines stand at its end.
const MOST_SIGNED: usize = 4;

/// How many of the addresses that a mail is to are kept.
const MOST_ADDRESSES: usize = 20;

/// The words of a receipt before the leaf.
const TAKEN: &[&str] = &["as", "the", "leaf"];
/// How the seats of those begin who have none, and are written to all the same.
pub(super) const GUEST: &str = "guest.";

/// A mail that somebody kept, with what was read of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mail {
    /// Which; of several copies the first.
    pub(super) at: MailRef,
    pub(super) message_id: Option<String>,
    /// The Message-ID of the mail that it answers.
    pub(super) answers: Option<String>,
    /// SHA-256 of its Message-ID and its text: a second copy has the same.
    pub(super) print: Digest,
    /// Whether the host wrote it: by its mark, or by its Message-ID.
    pub(super) is_hosts: bool,
    /// Of a host's mail, which one it is, where its Message-ID was not changed on the way.
    pub(super) sent: Option<Sent>,
    /// What it was for, where its Message-ID or its mark tells.
    kind: Option<Kind>,
    /// The seat that it is to, or of a player's own mail the seat that it was from.
    pub(super) seat: Option<Seat>,
    /// The adjudication that a player's mail was meant for, where it answers a mail of the host's.
    pub(super) t: Option<u32>,
    /// The addresses that a player's mail is to, without what stands behind a `+` in them.
    pub(super) to: BTreeSet<String>,
    /// The game that it is about, if it names one.
    pub(super) game: Option<GameId>,
    /// The heads in it; once it is kept, only those that a signature may be of.
    pub(super) heads: Vec<ShownHead>,
    /// The last log entry when it was written: by its number, or where the mail has none, once a log tells which it is.
    pub(super) index: Option<u64>,
    /// The head that it shows without a number, and which adjudication was open then.
    pub(super) open: Option<(u32, Digest)>,
    /// Whether it shows a head of its own.
    pub(super) shows_head: bool,
    /// When it was written, and when it came.
    pub(super) times: Times,
    /// What it claims besides its heads, until it is kept.
    pub(super) claims: Vec<Claim>,
    /// The closes that it brings.
    pub(super) brought: Option<Box<Brought>>,
    /// Whether it is the last word to somebody who plays the seat no more.
    is_farewell: bool,
    /// Whether it takes orders back, or answers that they are taken back.
    pub(super) takes_back: bool,
    /// The rolls that it consents to be thrown again, or answers a consent to throw again of.
    pub(super) consents: BTreeSet<Label>,
    /// The signatures that its copies bring of their chain lines, as they are attached: those that there is room for.
    pub(super) signatures: Vec<(MailRef, String)>,
    /// Whether one of them brings one.
    pub(super) is_signed: bool,
    /// Whether its copies brought more signatures than are kept.
    pub(super) lacks_signatures: bool,
    /// Of a dispatch, the order form in it, without comments.
    pub(super) form: Option<Block>,
    /// What a mail of the host's to a seat lacks, though each of its kind has it: without it there is nothing to compare.
    pub(super) lack: Option<&'static str>,
    /// What it says of orders that were taken.
    pub(super) taking: Option<Taking>,
    /// What it tells in a way that the log binds.
    pub(super) told: Option<Box<Telling>>,
    /// What a player ordered in it.
    pub(super) own: Option<Box<Own>>,
}

/// The closes that a mail brings, where dispatches only repeat them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Brought {
    /// The adjudications with their roots.
    pub(super) roots: BTreeSet<(u32, Digest)>,
    /// Of its copies the one that came first.
    pub(super) copy: MailRef,
    /// When that was, in Unix seconds: by a server's word, or by its own.
    pub(super) at: Option<i64>,
    pub(super) by_server: bool,
}

/// What a mail says of orders that were taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Taking {
    /// For which adjudication, and whose they are. Where a server on the way gave the mail another Message-ID, or the host gave it one of
    /// another kind, only the log can tell.
    pub(super) place: Option<(u32, Seat)>,
    pub(super) leaf: Digest,
    /// The attached orders.
    pub(super) returned: Returned,
}

/// A mail that says of certain orders that they were taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Receipt<'a> {
    pub(super) mail: &'a Mail,
    pub(super) t: u32,
    pub(super) seat: &'a Seat,
    pub(super) leaf: Digest,
    pub(super) returned: &'a Returned,
}

impl Brought {
    fn bytes(&self) -> usize {
        self.copy.bytes() + self.roots.len() * size_of::<(u32, Digest)>()
    }

    /// What a server says of when it came counts before what its `Date` says, and the earlier before the later.
    pub(super) const fn order(&self) -> (bool, bool, Option<i64>) {
        (!self.by_server, self.at.is_none(), self.at)
    }
}

impl Mail {
    /// Reads a mail, whatever its bytes: this file, or this of the mails in it.
    pub(super) fn of(raw: &[u8], path: String, number: Option<u64>) -> Self {
        let letter = mail::open(raw, &Limits { bytes: LARGEST_MAIL as u64 });
        let empty = Body::default();
        let body = letter.body.as_ref().unwrap_or(&empty);
        let text = &body.text[..body.text.floor_char_boundary(LONGEST_TEXT)];
        let words = said::words(text);
        let mut mail = Self::under(raw, &letter, MailRef { path, number, subject: letter.subject.clone() });
        let id = mail.message_id.as_deref().unwrap_or_default();
        mail.print = Digest::of(format!("{id}\n{text}").as_bytes());
        // A last word to somebody has an id of its own, unless that was changed on the way.
        let says_farewell = id.starts_with("farewell.") || said::farewell(&words);
        mail.is_farewell = mail.kind == Some(Kind::Notice) && says_farewell;
        mail.heads = said::heads_in(text);
        match mail.heads.iter().rev().find(|head| !head.quoted).map(|head| &head.lines) {
            Some(ChainLines::Numbered(witness)) => mail.index = Some(witness.index),
            Some(ChainLines::Open(open)) => mail.open = Some((open.t, open.head)),
            None => {}
        }
        mail.shows_head = mail.index.is_some() || mail.open.is_some();
        mail.taking = mail.taking_in(&letter, body, text, &words);
        mail.takes_back = said::takes_back(&words);
        mail.consents = said::consents(&words);
        // Of what players write in the host's mails nothing is its word, and all of a letter is theirs.
        let speaks = mail.is_hosts && mail.kind != Some(Kind::Press);
        let speech = Speech::of(if speaks { text } else { "" });
        let of_dice = speech.of_dice();
        // A host may say it in other words, or in another language: then it is the last digest above the chain lines.
        let anchor = after(&words, &["back", "to", "this", "anchor:"]).or_else(|| above_chain(&words));
        let anchor = anchor.filter(|_| mail.kind == Some(Kind::Invitation));
        mail.lack = mail.lack_in(text, &of_dice, anchor.is_some());
        anchor.into_iter().for_each(|anchor| mail.claim(Subject::Anchor, Value::Digest(anchor)));
        mail.claim_dice(&of_dice);
        for (t, value) in speech.beacons() {
            mail.claim(Subject::Beacon(t), Value::Digest(value));
        }
        mail.brought = mail.brought_in(&of_dice);
        if mail.is_hosts {
            let key = attached(raw, "allowed_signers").and_then(|line| key_in(&line));
            let key = key.map(|key| (Subject::Key, key.to_string()));
            let from = letter.from.first().map(|from| (Subject::Address, from.to_ascii_lowercase()));
            key.into_iter().chain(from).for_each(|(subject, text)| mail.claim(subject, Value::Text(text)));
            let tells = matches!(mail.kind, Some(Kind::Dispatch | Kind::Receipt));
            mail.told = if tells { Telling::of(raw) } else { None };
        }
        if !mail.heads.is_empty() {
            mail.signatures.extend(attached(raw, "chain.sig").map(|signature| (mail.at.clone(), signature)));
            mail.is_signed = !mail.signatures.is_empty();
        }
        mail.form = if mail.is_of(Kind::Dispatch) { form_in(text) } else { None };
        mail.game = mail.game.or_else(|| mail.heads.last().map(|head| head.lines.game().clone()));
        if !mail.is_hosts && mail.taking.is_none() {
            mail.take_orders(&letter, body, text);
        }
        mail
    }

    /// Nothing of a mail but who wrote it, to whom and what for.
    fn under(raw: &[u8], letter: &Letter, at: MailRef) -> Self {
        let sent = letter.message_id.as_deref().and_then(sent_as);
        // A computer player's orders have an id of the host's making too.
        let sent = sent.filter(|sent| sent.kind != Kind::Orders);
        // A server on the way may give a mail another id: then its mark tells.
        let mark = if sent.is_none() { Mark::of(raw) } else { None };
        let kind = sent.as_ref().map(|sent| sent.kind).or(mark.as_ref().map(|mark| mark.kind));
        let about = mark.and_then(|mark| mark.about);
        // The GM's own mails have no such id, and not all that a player's have.
        let marked = about.as_ref().filter(|(_, seat)| seat.as_str() != GM).map(|(game, _)| game.clone());
        let seat = sent.as_ref().map(|sent| sent.seat.clone()).or(about.map(|(_, seat)| seat));
        Self {
            at,
            message_id: letter.message_id.clone(),
            answers: letter.in_reply_to.clone(),
            print: Digest::new([0; 32]),
            is_hosts: sent.is_some() || letter.automatic == Some(Automatic::OwnMail),
            kind,
            seat: seat.filter(|_| kind != Some(Kind::Orders)),
            t: None,
            to: BTreeSet::new(),
            game: sent.as_ref().map(|sent| sent.game.clone()).or(marked),
            sent,
            heads: Vec::new(),
            index: None,
            open: None,
            shows_head: false,
            times: letter::times(raw),
            claims: Vec::new(),
            brought: None,
            is_farewell: false,
            takes_back: false,
            consents: BTreeSet::new(),
            signatures: Vec::new(),
            is_signed: false,
            lacks_signatures: false,
            form: None,
            lack: None,
            taking: None,
            told: None,
            own: None,
        }
    }

    /// Whether it is of this kind, and to a seat.
    pub(super) fn is_of(&self, kind: Kind) -> bool {
        self.kind == Some(kind) && self.seat.is_some()
    }

    /// Whether it says by its Message-ID that it is of this kind.
    pub(super) fn is_sent_as(&self, kind: Kind) -> bool {
        self.sent.as_ref().is_some_and(|sent| sent.kind == kind)
    }

    /// Whether it is to somebody who has the seat. Without its Message-ID a mail to somebody who has none looks like others to one, but not
    /// like these.
    pub(super) fn is_to_player(&self) -> bool {
        let always = [Kind::Dispatch, Kind::Receipt, Kind::Reminder];
        self.sent.is_some() || always.into_iter().any(|kind| self.is_of(kind))
    }

    /// Whether it tells somebody that the seat is his, or no more.
    pub(super) fn hands_over(&self) -> bool {
        self.kind == Some(Kind::Invitation) || self.is_farewell
    }

    /// Whether it is to whoever has the seat then.
    pub(super) const fn is_to_holder(&self) -> bool {
        self.kind.is_some() && !self.is_farewell
    }

    /// Whether it has to bring a signature, if its host signs: what is signed is the head.
    pub(super) fn has_to_sign(&self) -> bool {
        self.shows_head
            && self.is_to_player()
            && self.seat.as_ref().is_some_and(|seat| !seat.as_str().starts_with(GUEST))
    }

    /// What it says of orders that were taken, where that has its place.
    pub(super) fn receipt(&self) -> Option<Receipt<'_>> {
        let Taking { place, leaf, returned } = self.taking.as_ref()?;
        let (t, seat) = place.as_ref()?;
        Some(Receipt { mail: self, t: *t, seat, leaf: *leaf, returned })
    }

    /// The orders in it that its own words don't belie.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        let returned = self.taking.iter().flat_map(|taking| taking.returned.credible());
        self.own.iter().flat_map(|own| &own.blocks).chain(returned)
    }

    /// How many bytes of it are kept, but for what each mail has.
    pub(super) fn bytes(&self) -> usize {
        let signatures = self.signatures.iter().map(|(copy, signature)| copy.bytes() + signature.len());
        let brought = self.brought.as_ref().map_or(0, |brought| brought.bytes());
        let form = self.form.as_ref().map_or(0, |form| form.as_str().len());
        let returned = self.taking.as_ref().map_or(0, |taking| taking.returned.bytes());
        let own = self.own.as_ref().map_or(0, |own| own.bytes());
        let to: usize = self.to.iter().map(String::len).sum();
        let told = self.told.as_ref().map_or(0, |told| told.bytes());
        signatures.sum::<usize>() + brought + form + returned + own + to + told
    }

    /// Takes what another copy of it has and it lacks.
    pub(super) fn take_copy(&mut self, copy: Self) {
        if self.signatures.is_empty() {
            self.heads = copy.heads;
        }
        self.is_signed |= copy.is_signed;
        // A copy that has kept the host's own headers may come after one that has lost them.
        match (&mut self.brought, copy.brought) {
            (Some(brought), Some(more)) if more.order() < brought.order() => *brought = more,
            (brought @ None, more) => *brought = more,
            _ => {}
        }
        if let (Some(taking), Some(more)) = (&mut self.taking, copy.taking) {
            taking.returned.take(more.returned);
        }
        if let (Some(own), Some(more)) = (&mut self.own, copy.own) {
            own.take(*more);
        }
        match (&mut self.told, copy.told) {
            (Some(told), Some(more)) => told.take(*more, &copy.at),
            (told @ None, more) => *told = more,
            _ => {}
        }
    }

    /// Keeps of its heads those that a signature may be of.
    pub(super) fn keep_signed(&mut self) {
        let most = if self.is_signed { MOST_SIGNED } else { 0 };
        self.heads.drain(..self.heads.len().saturating_sub(most));
    }

    /// What it says of orders that were taken, in the built-in template's words or in others.
    fn taking_in(&self, letter: &Letter, body: &Body, text: &str, words: &[&str]) -> Option<Taking> {
        // Not every game's addresses hold a seat's secret.
        let answers_host = || letter.in_reply_to.as_deref().and_then(sent_as).is_some();
        let is_to_host = || {
            letter.to.iter().any(|address| seat_address(address).is_some())
                || !self.is_hosts && answers_host()
        };
        match self.kind {
            Some(Kind::Receipt) => {}
            Some(Kind::Press) => return None,
            _ if !self.shows_head || is_to_host() => return None,
            _ => {
                // Only a receipt says this there, whatever it calls itself; a refusal repeats what anybody wrote.
                let speech = Speech::of(text);
                last_said(speech.words(), TAKEN)?;
                return taking(speech.words(), body, None);
            }
        }
        let sent = self.sent.as_ref().map(|sent| (sent.t, sent.seat.clone()));
        taking(words, body, sent)
    }

    /// What it lacks of that which each of its kind has, in words.
    fn lack_in(&self, text: &str, of_dice: &[OfDice], has_anchor: bool) -> Option<&'static str> {
        let (kind, game) = (self.kind?, self.game.as_ref()?);
        let is_own = |head: &&ShownHead| !head.quoted && head.lines.game() == game;
        let mut own = self.heads.iter().filter(is_own);
        // Other mails may show none.
        if matches!(kind, Kind::Dispatch | Kind::Receipt) && own.next().is_none() {
            return Some("head");
        }
        let (has, what) = match kind {
            Kind::Receipt => (self.taking.is_some(), "leaf of the orders"),
            Kind::Dispatch => {
                let reports = of_dice.iter().any(|said| self.reports(said));
                (reports, "list of the leaves that the dice were bound to")
            }
            Kind::Invitation => (has_anchor, "anchor of the host's secrets"),
            _ => return None,
        };
        // The end of a mail that was too long for its host is left.
        let is_whole = !text.contains("This mail was too long: its middle is left out.");
        (is_whole && !has).then_some(what)
    }

    /// Whether a dispatch says so of the dice that it reports. It asks for the orders of the next adjudication, and the first of these for
    /// that comes right behind the dice; one that is sent again may come later.
    fn reports(&self, said: &OfDice) -> bool {
        let next = said.t.saturating_add(1);
        let is_due = |sent: &Sent| {
            if sent.which == Which::Number(0) { next == sent.t } else { next <= sent.t }
        };
        said.level.is_some() && self.sent.as_ref().is_none_or(is_due)
    }

    fn claim(&mut self, subject: Subject, value: Value) {
        self.claims.push(subject.is(value));
    }

    /// Claims what it says of the dice of adjudications.
    fn claim_dice(&mut self, of_dice: &[OfDice]) {
        for OfDice { t, close, level, beacon } in of_dice {
            self.claim(Subject::Close(*t), Value::Close(close.clone()));
            level.iter().for_each(|level| self.claim(Subject::Level(*t), Value::Text(level.clone())));
            beacon.iter().for_each(|value| self.claim(Subject::Beacon(*t), Value::Digest(*value)));
        }
    }

    /// The closes that it brings: dispatches repeat them.
    fn brought_in(&self, of_dice: &[OfDice]) -> Option<Box<Brought>> {
        let brings = |said: &&OfDice| said.level.is_none() && self.kind == Some(Kind::Notice);
        let roots: BTreeSet<_> =
            of_dice.iter().filter(brings).map(|said| (said.t, said.close.root)).collect();
        let (copy, Times { received, written }) = (self.at.clone(), self.times);
        let (at, by_server) = (received.or(written), received.is_some());
        (!roots.is_empty()).then(|| Box::new(Brought { roots, copy, at, by_server }))
    }

    /// Reads a mail that the host didn't write as a player's, if it was for a seat at all: by the mail that it answers, or by the address
    /// that it was sent to.
    fn take_orders(&mut self, letter: &Letter, body: &Body, text: &str) {
        let mut named = letter.in_reply_to.iter().chain(letter.references.iter().rev());
        let answered = named.find_map(|id| sent_as(id));
        // An invitation begins every thread: having its id says nothing of the turn meant.
        let t = answered.as_ref().filter(|sent| sent.kind != Kind::Invitation).map(|sent| sent.t);
        let answered = answered.map(|sent| (sent.game, sent.seat));
        let addressed = || letter.to.iter().find_map(|address| seat_address(address));
        let Some((game, seat)) = answered.or_else(addressed) else { return };
        let written = Body { text: text.to_owned(), ..body.clone() };
        let Parts { mut commands, rest, is_doubtful, .. } = Parts::of(&written);
        if is_doubtful {
            // Without the rules: what stands below a line that may be a command with a slip may have been obeyed.
            commands = Parts::beside(&written, &|_| false).commands;
        }
        // Orders that are only tried, or kept for a later turn, are none of this one's.
        let rest = if commands.iter().any(Given::sets_orders_aside) { Body::default() } else { rest };
        self.takes_back =
            commands.iter().any(|given| given.command == Ok(Command::Seat(SeatCommand::WithdrawOrders)));
        let consents = commands.iter().filter_map(|given| match &given.command {
            Ok(Command::Seat(SeatCommand::Consent(label, _))) => Some(label.clone()),
            _ => None,
        });
        self.consents = consents.collect();
        (self.game, self.seat, self.t) = (Some(game), Some(seat), t);
        self.to = letter.to.iter().take(MOST_ADDRESSES).map(|address| base_address(address)).collect();
        self.own = Some(Box::new(Own::of(&body.text, rest)));
    }
}

/// The order form in a mail of the host's, as an answer that quotes the mail brings it, without its comments.
fn form_in(text: &str) -> Option<Block> {
    let quoted: String = text.lines().flat_map(|line| ["> ", line, "\n"]).collect();
    let found = mail::find_orders(&quoted, None, "", &|_| LineKind::Order).orders;
    let block = found.block().filter(|block| block.as_str().len() <= LONGEST_BLOCK)?;
    let lines = block.as_str().lines().filter(|line| !line.trim_start().starts_with('#'));
    Some(Block::canonical(&lines.collect::<Vec<_>>().join("\n")))
}

/// The text of the file with this name that is attached to a mail.
fn attached(raw: &[u8], name: &str) -> Option<String> {
    let (_, bytes) = letter::attached_files(raw, name).into_iter().next()?;
    Some(String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_SIGNATURE)]).into_owned())
}

/// The key in a line for `ssh-keygen -Y verify`, whatever stands before it.
fn key_in(line: &str) -> Option<HostKey> {
    let mut words = line.split_whitespace().rev();
    let (letters, kind) = (words.next()?, words.next()?);
    format!("{kind} {letters}").parse().ok()
}

/// Which mail of a host's has this Message-ID.
fn sent_as(id: &str) -> Option<Sent> {
    Sent::of(id, id.rsplit_once('@')?.1)
}

/// What a receipt says, in the built-in template's words or in others: then the leaf is the last digest above the chain lines.
fn taking(words: &[&str], body: &Body, place: Option<(u32, Seat)>) -> Option<Taking> {
    // A host's own template may begin a sentence with it.
    let begins = ["SHA-256", "is"];
    let at = words.windows(3).rposition(|near| matches!(near[0], "their" | "Their") && near[1..] == begins);
    let sha256 = at.and_then(|at| after(&words[at..], &begins));
    let orders = body.attachment.as_deref().filter(|orders| orders.len() <= LONGEST_BLOCK);
    let orders = orders.map(Block::canonical);
    let is_leaf =
        |digest: &Digest| Some(*digest) != sha256 && orders.as_ref().map(Block::digest) != Some(*digest);
    let leaf = above_chain(words).filter(is_leaf).or_else(|| after(words, TAKEN))?;
    Some(Taking { place, leaf, returned: Returned::new(sha256, orders) })
}

/// An address without what stands behind a `+` in it: a host writes from one and is answered at others.
pub(super) fn base_address(address: &str) -> String {
    let address = address.to_ascii_lowercase();
    match address.rsplit_once('@') {
        Some((local, domain)) => format!("{}@{domain}", local.split('+').next().unwrap_or_default()),
        None => address,
    }
}

/// The game and the seat of an address `host+game.seat.secret@domain`.
fn seat_address(address: &str) -> Option<(GameId, Seat)> {
    let (local, _) = address.rsplit_once('@')?;
    let (game, rest) = local.split_once('+')?.1.split_once('.')?;
    let (seat, token) = rest.rsplit_once('.')?;
    token.parse::<mail::Token>().ok()?;
    Some((game.parse().ok()?, seat.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_seat_names_it() {
        let found = seat_address("campaign+alpha.allied.austria.k7q2mz4t9hwxp3cd@example.org").unwrap();
        assert_eq!((found.0.as_str(), found.1.as_str()), ("alpha", "allied.austria"));
        assert_eq!(seat_address("campaign@example.org"), None);
        assert_eq!(seat_address("lists+alpha.french@example.org"), None);
    }
}

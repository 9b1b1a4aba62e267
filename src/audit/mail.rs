//! What one mail is to a game: what it says of the log, a receipt, the host's signature; and of a player's mail the orders in it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::claims::{Claim, Weight};
use super::mbox::LARGEST_MAIL;
use super::returned::Returned;
use super::said::{self, Head, OfDice, Speech, above_chain, after, last_said};
use musterd_desk::GM;
use musterd_desk::mail::{self, Command, Kind, LineKind, Mark, Orders, Parts, Sent, Source};
use musterd_desk::order_mail::kind_without_rules;
use musterd_dice::{Block, Digest, GameId, HostKey, Label, Seat};
use musterd_letter::{self as letter, Automatic, Body, Enclosed, Letter, Limits, Times};

/// The most of a mail's text that is looked through, in bytes: the host's own mails have a few kilobytes.
const LONGEST_TEXT: usize = 2 * 1024 * 1024;
/// The longest orders that a host takes, in bytes.
const LONGEST_BLOCK: usize = 64 * 1024;

/// The words of a receipt before the leaf.
const TAKEN: &[&str] = &["as", "the", "leaf"];

/// The longest signature that is looked at, in bytes: one has some 300.
const LONGEST_SIGNATURE: usize = 2048;

/// What one mail says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Testimony {
    pub(super) subject: String,
    pub(super) message_id: Option<String>,
    /// SHA-256 of its Message-ID and its text: a second copy has the same.
    pub(super) print: Digest,
    /// The mail that it answers.
    pub(super) answers: Option<String>,
    /// Whether the host wrote it: by its mark, or by its Message-ID.
    pub(super) is_hosts: bool,
    /// Of a host's mail, which one it is.
    pub(super) sent: Option<Sent>,
    /// Of a host's mail to a seat, what it was for and whose, also where its Message-ID was changed on the way.
    pub(super) to_seat: Option<(Kind, Seat)>,
    /// The game that it is about, if it names one.
    pub(super) game: Option<GameId>,
    /// The heads in it.
    pub(super) heads: Vec<Head>,
    /// What it claims besides these.
    pub(super) claims: Vec<(Claim, Weight)>,
    /// Whether it answers that orders are taken back.
    pub(super) takes_back: bool,
    /// The rolls that it answers a consent to throw again of.
    pub(super) consents: BTreeSet<Label>,
    /// When it was written, and when it came.
    pub(super) times: Times,
    /// The signature that it brings of its chain lines, as it is attached.
    pub(super) signature: Option<String>,
    /// Of a dispatch, the order form in it.
    pub(super) form: Option<Block>,
    /// What it lacks.
    pub(super) lack: Option<Lack>,
    /// What it tells of orders.
    pub(super) content: Option<Content>,
}

/// What a mail tells of orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    /// That they were taken.
    Receipt(Receipt),
    /// The same, where it is no receipt by its Message-ID.
    Unplaced(Unplaced),
    /// A player's own.
    Own(Box<Own>),
}

impl Content {
    /// The orders that the host returned.
    pub(super) fn returned(self) -> Option<Returned> {
        match self {
            Self::Receipt(receipt) => Some(receipt.returned),
            Self::Unplaced(unplaced) => Some(unplaced.taking.returned),
            Self::Own(_) => None,
        }
    }

    /// The orders in it that its own words don't belie.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        let (returned, own) = self.parts();
        own.into_iter().flat_map(|own| &own.blocks).chain(returned.into_iter().flat_map(Returned::credible))
    }

    /// How many bytes of orders it holds.
    pub(super) fn bytes(&self) -> usize {
        let (returned, own) = self.parts();
        let blocks = own.into_iter().flat_map(|own| &own.blocks);
        returned.map_or(0, Returned::bytes) + blocks.map(|block| block.as_str().len()).sum::<usize>()
    }

    /// How many bytes of what its player wrote.
    pub(super) fn texts(&self) -> usize {
        let (_, own) = self.parts();
        let texts = own.into_iter().flat_map(|own| {
            let enclosed = own.enclosed.iter().filter_map(|one| one.text.as_ref());
            std::iter::once(&own.rest).chain(&own.attached).chain(enclosed)
        });
        texts.map(String::len).sum()
    }

    fn parts(&self) -> (Option<&Returned>, Option<&Own>) {
        match self {
            Self::Receipt(receipt) => (Some(&receipt.returned), None),
            Self::Unplaced(unplaced) => (Some(&unplaced.taking.returned), None),
            Self::Own(own) => (None, Some(own)),
        }
    }
}

/// What a mail of the host's to a seat lacks, though each of its kind has it: without it there is nothing to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lack {
    /// A head of its own game, outside of quotations.
    Head,
    /// Of a receipt, the leaf of the orders.
    Leaf,
    /// Of a dispatch, what the dice were bound to.
    Close,
    /// Of an invitation, the anchor of the host's secrets.
    Anchor,
}

impl Lack {
    /// Of a mail of this kind, to a seat of this game; where its Message-ID was changed on the way there is no `sent`.
    fn of(
        (kind, game): (Kind, &GameId),
        sent: Option<&Sent>,
        heads: &[Head],
        has_leaf: bool,
        of_dice: &[OfDice],
        anchor: Option<Digest>,
        text: &str,
    ) -> Option<Self> {
        let is_own = |head: &Head| !head.quoted && head.witness.game == *game;
        // The end of a mail that was too long for its host is left.
        let is_whole = !text.contains("This mail was too long: its middle is left out.");
        match kind {
            _ if !heads.iter().any(is_own) => Some(Self::Head),
            Kind::Receipt if is_whole && !has_leaf => Some(Self::Leaf),
            Kind::Dispatch if is_whole && !of_dice.iter().any(|said| is_reported(said, sent)) => {
                Some(Self::Close)
            }
            Kind::Invitation if is_whole && anchor.is_none() => Some(Self::Anchor),
            _ => None,
        }
    }

    /// The same in words.
    pub(super) const fn in_words(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Leaf => "leaf of the orders",
            Self::Close => "list of the leaves that the dice were bound to",
            Self::Anchor => "anchor of the host's secrets",
        }
    }
}

/// Whether a dispatch says so of the dice that it reports. It asks for the orders of the next adjudication, and the first of these for
/// that comes right behind the dice; one that is sent again may come later.
fn is_reported(said: &OfDice, dispatch: Option<&Sent>) -> bool {
    let next = said.close.t.saturating_add(1);
    let is_due = |sent: &Sent| if sent.n == 0 { next == sent.t } else { next <= sent.t };
    said.level.is_some() && dispatch.is_none_or(is_due)
}

/// What a receipt says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Receipt {
    pub(super) t: u32,
    pub(super) seat: Seat,
    pub(super) leaf: Digest,
    /// The attached orders.
    pub(super) returned: Returned,
    /// When it was written, and when it came.
    pub(super) times: Times,
    /// The last log entry when it was written: what it was given for is there or before.
    pub(super) upto: Option<u64>,
}

/// What a mail says of orders that were taken, without saying for which adjudication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Taking {
    pub(super) leaf: Digest,
    pub(super) returned: Returned,
    times: Times,
    /// The last log entry when it was written.
    pub(super) upto: Option<u64>,
}

impl Taking {
    /// The receipt that it is for these orders.
    pub(super) fn placed(self, t: u32, seat: Seat) -> Receipt {
        let Self { leaf, returned, times, upto } = self;
        Receipt { t, seat, leaf, returned, times, upto }
    }
}

/// A mail that says so and whose Message-ID doesn't tell for which adjudication: a server on the way gave it another, or the host gave it
/// one of another kind. The log tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unplaced {
    /// To whom, where anything tells.
    pub(super) seat: Option<Seat>,
    pub(super) taking: Taking,
}

/// A player's own mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own {
    /// The seat that it was from: by the address that it was sent to, or by the mail that it answers.
    pub(super) seat: Seat,
    /// The adjudication that it was meant for, where it answers a mail of the host's.
    pub(super) t: Option<u32>,
    /// When it was written, by its own word, in Unix seconds.
    pub(super) written: Option<i64>,
    /// Whether it takes back the orders that stand.
    pub(super) withdraws: bool,
    /// The rolls that it consents to be thrown again.
    pub(super) consents: BTreeSet<Label>,
    /// SHA-256 of its decoded text, as the log has it where it was refused: with the line ends below it that the copy has, with
    /// one, and with none. Programs that keep mail change these.
    pub(super) texts: [Digest; 3],
    /// The blocks in it that have marks, or are attached.
    pub(super) blocks: Vec<Block>,
    /// Whether the first of them stands in what the player wrote: then it is what was ordered.
    pub(super) marked: bool,
    /// What the player wrote where no marks are: orders, prose or both, which only the game's rules can tell apart.
    pub(super) loose: Option<Block>,
    /// Its text without commands and letters, for the game's rules to read.
    pub(super) rest: String,
    /// The orders that are attached; several where copies of it bring different ones.
    pub(super) attached: Vec<String>,
    /// What it holds beside these.
    pub(super) enclosed: Vec<Enclosed>,
}

impl Own {
    /// The mail with this file of orders, as the host reads it.
    pub(super) fn body(&self, file: Option<&str>) -> Body {
        let (text, attachment) = (self.rest.clone(), file.map(str::to_owned));
        Body { text, attachment, enclosed: self.enclosed.clone(), ..Body::default() }
    }
}

/// How much of what a mail holds beside its text and its orders is kept.
const MOST_ENCLOSED: usize = 20;

/// Which mail it is: who wrote it, to whom and what for.
struct Envelope {
    sent: Option<Sent>,
    /// What it was for, where its Message-ID or its mark tells.
    kind: Option<Kind>,
    /// The game that it is of, where one of these tells.
    game: Option<GameId>,
    /// Of the host's, for what and to which seat.
    to_seat: Option<(Kind, Seat)>,
    is_hosts: bool,
}

impl Envelope {
    fn of(raw: &[u8], letter: &Letter) -> Self {
        let sent = letter.message_id.as_deref().and_then(sent_as);
        // A computer player's orders have an id of the host's making too.
        let sent = sent.filter(|sent| sent.kind != Kind::Orders);
        // A server on the way may give a mail another id: then its mark tells.
        let mark = if sent.is_none() { Mark::of(raw) } else { None };
        let kind = sent.as_ref().map(|sent| sent.kind).or(mark.as_ref().map(|mark| mark.kind));
        let about = mark.and_then(|mark| mark.about);
        // The GM's own mails have no such id, and not all that a player's have.
        let marked = about.as_ref().filter(|(_, seat)| seat.as_str() != GM).map(|(game, _)| game.clone());
        let game = sent.as_ref().map(|sent| sent.game.clone()).or(marked);
        let seat = sent.as_ref().map(|sent| sent.seat.clone()).or(about.map(|(_, seat)| seat));
        let to_seat = kind.zip(seat).filter(|(kind, _)| *kind != Kind::Orders);
        let is_hosts = sent.is_some() || letter.automatic == Some(Automatic::OwnMail);
        Self { sent, kind, game, to_seat, is_hosts }
    }

    /// Whether it may say of orders that they were taken, though it is no receipt by its Message-ID.
    fn may_be_receipt(&self, letter: &Letter) -> bool {
        // Not every game's addresses hold a seat's secret.
        let answers_host = || letter.in_reply_to.as_deref().and_then(sent_as).is_some();
        let is_to_host = letter.to.iter().any(|address| seat_address(address).is_some())
            || !self.is_hosts && answers_host();
        !is_to_host && self.kind != Some(Kind::Press)
    }

    /// What it tells of orders that were taken, by these words.
    fn content(&self, taking: Taking) -> Content {
        match &self.sent {
            Some(sent) if sent.kind == Kind::Receipt => {
                Content::Receipt(taking.placed(sent.t, sent.seat.clone()))
            }
            _ => Content::Unplaced(Unplaced {
                seat: self.to_seat.as_ref().map(|(_, seat)| seat.clone()),
                taking,
            }),
        }
    }
}

impl Testimony {
    /// Reads a mail, whatever its bytes.
    pub(super) fn of(raw: &[u8]) -> Self {
        let letter = mail::open(raw, &Limits { bytes: LARGEST_MAIL as u64 });
        let empty = Body::default();
        let body = letter.body.as_ref().unwrap_or(&empty);
        let text = beginning(&body.text, LONGEST_TEXT);
        let envelope = Envelope::of(raw, &letter);
        let (kind, is_hosts) = (envelope.kind, envelope.is_hosts);
        let heads = said::heads_in(text);
        let words = said::words(text);
        // Of what players write in the host's mails nothing is its word, and all of a letter is theirs.
        let speaks = is_hosts && kind != Some(Kind::Press);
        let speech = Speech::of(if speaks { text } else { "" });
        let times = letter::times(raw);
        let upto = last_own(&heads);
        let taking = if kind == Some(Kind::Receipt) {
            taking(&words, body, times, upto)
        } else if envelope.may_be_receipt(&letter) && upto.is_some() {
            // Only a receipt says this there, whatever it calls itself; a refusal repeats what anybody wrote.
            let own_words = Speech::of(text);
            last_said(own_words.words(), TAKEN).and_then(|_| taking(own_words.words(), body, times, upto))
        } else {
            None
        };
        let has_leaf = taking.is_some();
        // Without id and mark a receipt looks like a player's answer to the mails that it names.
        let own = if is_hosts || has_leaf { None } else { own(&letter, body, text) };
        let last_game = heads.last().map(|head| head.witness.game.clone());
        let game = envelope.game.clone().or(last_game);
        let game = own.as_ref().map(|(game, _)| game.clone()).or(game);
        let own = own.map(|(_, own)| Content::Own(Box::new(Own { written: times.written, ..own })));
        // A host may say it in other words, or in another language: then it is the last digest above the chain lines.
        let anchor = after(&words, &["back", "to", "this", "anchor:"]).or_else(|| above_chain(&words));
        let anchor = anchor.filter(|_| kind == Some(Kind::Invitation));
        let of_dice = speech.of_dice();
        let lack = kind.zip(envelope.game.as_ref()).and_then(|each| {
            Lack::of(each, envelope.sent.as_ref(), &heads, has_leaf, &of_dice, anchor, text)
        });
        let own_word = |claim| (claim, Weight::Own);
        let mut claims: Vec<(Claim, Weight)> = anchor.map(Claim::Anchor).map(own_word).into_iter().collect();
        claims.extend(of_closes(&of_dice, kind, times));
        let beacons = speech.beacons().into_iter().map(|(t, value)| Claim::Beacon(t, value));
        claims.extend(beacons.map(own_word));
        let print = format!("{}\n{text}", letter.message_id.as_deref().unwrap_or_default());
        let mut testimony = Self {
            claims,
            takes_back: said::takes_back(&words),
            consents: said::consents(&words),
            times,
            signature: if heads.is_empty() { None } else { attached(raw, "chain.sig") },
            form: if kind == Some(Kind::Dispatch) { form_in(text) } else { None },
            lack,
            game,
            content: taking.map(|taking| envelope.content(taking)).or(own),
            print: Digest::of(print.as_bytes()),
            answers: letter.in_reply_to,
            to_seat: envelope.to_seat,
            is_hosts,
            sent: envelope.sent,
            heads,
            subject: letter.subject,
            message_id: letter.message_id,
        };
        if is_hosts {
            let key = attached(raw, "allowed_signers").and_then(|line| key_in(&line));
            let address = letter.from.first().map(|from| Claim::Address(from.to_ascii_lowercase()));
            let both = key.map(|key| Claim::Key(key.to_string())).into_iter().chain(address);
            testimony.claims.extend(both.map(own_word));
        }
        testimony.claim_ways(said::farewell(&words), kind);
        testimony
    }

    /// The last log entry when it was written.
    pub(super) fn index(&self) -> Option<u64> {
        last_own(&self.heads)
    }

    /// Whether it is to somebody who has the seat. Without its Message-ID a mail to somebody who has none looks like others to one, but not
    /// like these.
    pub(super) fn is_to_player(&self) -> bool {
        let always =
            |(kind, _): &(Kind, Seat)| matches!(kind, Kind::Dispatch | Kind::Receipt | Kind::Reminder);
        self.sent.is_some() || self.to_seat.as_ref().is_some_and(always)
    }

    /// Claims when it was written, and to whose hands.
    fn claim_ways(&mut self, farewell: bool, kind: Option<Kind>) {
        let index = self.index();
        if let (true, Some(index), Some(at)) = (self.is_to_player(), index, self.times.written) {
            self.claims.push((Claim::Written(index), Weight::Late(at)));
        }
        if let Some(sent) = self.sent.as_ref().filter(|sent| sent.kind == Kind::Dispatch) {
            self.claims.push((Claim::Report(sent.seat.clone(), sent.t), Weight::Own));
        }
        // A last word to somebody has an id of its own, unless that was changed on the way.
        let says_farewell = self.message_id.iter().any(|id| id.starts_with("farewell.")) || farewell;
        let hands_over = kind == Some(Kind::Invitation) || kind == Some(Kind::Notice) && says_farewell;
        if let Some(((kind, seat), index)) = self.to_seat.as_ref().zip(index) {
            let both = [
                hands_over.then(|| Claim::HandedOver(seat.clone(), index)),
                (!hands_over || *kind == Kind::Invitation).then(|| Claim::WrittenTo(seat.clone(), index)),
            ];
            self.claims.extend(both.into_iter().flatten().map(|claim| (claim, Weight::Own)));
        }
    }
}

/// The last log entry that a mail shows outside of quotations.
fn last_own(heads: &[Head]) -> Option<u64> {
    heads.iter().rev().find(|head| !head.quoted).map(|head| head.witness.index)
}

/// What a mail claims of the dice of adjudications.
fn of_closes(of_dice: &[OfDice], kind: Option<Kind>, times: Times) -> Vec<(Claim, Weight)> {
    let at = times.received.or(times.written);
    let mut claims = Vec::new();
    for OfDice { close, level, beacon } in of_dice {
        claims.push((Claim::Close(close.clone()), Weight::Own));
        claims.extend(level.clone().map(|level| (Claim::Level(close.t, level), Weight::Own)));
        claims.extend(beacon.map(|value| (Claim::Beacon(close.t, value), Weight::Own)));
    }
    // Dispatches repeat what a close bound the dice to; a notice brings it.
    let brings = |said: &&OfDice| said.level.is_none() && kind == Some(Kind::Notice);
    let brought: BTreeSet<u32> = of_dice.iter().filter(brings).map(|said| said.close.t).collect();
    for close in of_dice.iter().map(|said| &said.close).filter(|close| brought.contains(&close.t)) {
        let (t, root, by_server, dated) = (close.t, close.root, times.received.is_some(), at.is_some());
        let weight = at.map_or(Weight::Own, |at| Weight::Early(Reverse(at)));
        claims.push((Claim::Told { t, root, by_server, dated }, weight));
    }
    claims
}

/// The order form in a mail of the host's, as an answer that quotes the mail brings it, without its comments.
fn form_in(text: &str) -> Option<Block> {
    let quoted: String = text.lines().flat_map(|line| ["> ", line, "\n"]).collect();
    let found = mail::find_orders(&quoted, None, "", &|_| LineKind::Order).orders;
    let block = found.block().filter(|block| block.as_str().len() <= LONGEST_BLOCK)?;
    let lines = block.as_str().lines().filter(|line| !line.trim_start().starts_with('#'));
    Some(Block::canonical(&lines.collect::<Vec<_>>().join("\n")))
}

/// The beginning of a text, cut at a character.
fn beginning(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
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
fn taking(words: &[&str], body: &Body, times: Times, upto: Option<u64>) -> Option<Taking> {
    // A host's own template may begin a sentence with it.
    let begins = ["SHA-256", "is"];
    let at = words.windows(3).rposition(|near| matches!(near[0], "their" | "Their") && near[1..] == begins);
    let sha256 = at.and_then(|at| after(&words[at..], &begins));
    let orders = body.attachment.as_deref().filter(|orders| orders.len() <= LONGEST_BLOCK);
    let orders = orders.map(Block::canonical);
    let is_leaf =
        |digest: &Digest| Some(*digest) != sha256 && orders.as_ref().map(Block::digest) != Some(*digest);
    let leaf = above_chain(words).filter(is_leaf).or_else(|| after(words, TAKEN))?;
    Some(Taking { leaf, returned: Returned::new(sha256, orders), times, upto })
}

/// What a mail that the host didn't write was to it: its game and the rest, if it was for a seat at all.
fn own(letter: &Letter, body: &Body, text: &str) -> Option<(GameId, Own)> {
    let answered = letter.in_reply_to.iter().chain(letter.references.iter().rev()).find_map(|id| sent_as(id));
    let addressed = || letter.to.iter().find_map(|address| seat_address(address));
    let (game, seat) = match &answered {
        Some(sent) => (sent.game.clone(), sent.seat.clone()),
        None => addressed()?,
    };
    // An invitation begins every thread: having its id says nothing of the turn meant.
    let t = answered.filter(|sent| sent.kind != Kind::Invitation).map(|sent| sent.t);
    let Parts { commands, rest, .. } = Parts::of(&Body { text: text.to_owned(), ..body.clone() });
    let withdraws = commands.iter().any(|given| given.command == Ok(Command::WithdrawOrders));
    let consents = commands.iter().filter_map(|given| match &given.command {
        Ok(Command::Consent(label, _)) => Some(label.clone()),
        _ => None,
    });
    let consents = consents.collect();
    let attached = rest.attachment.as_deref();
    let short = |one: Enclosed| Enclosed { text: one.text.filter(|text| text.len() <= LONGEST_BLOCK), ..one };
    let enclosed = rest.enclosed.iter().take(MOST_ENCLOSED).cloned().map(short).collect();
    let text = mail::unflowed(&rest, &kind_without_rules).into_owned();
    let read = |kind: &dyn Fn(&str) -> LineKind| mail::find_orders(&text, attached, "", kind).orders;
    let read = [read(&|_| LineKind::Prose), read(&kind_without_rules)];
    let bare = body.text.trim_end_matches('\n');
    let texts = [body.text.as_str(), &format!("{bare}\n"), bare].map(|text| Digest::of(text.as_bytes()));
    let mut own = Own {
        seat,
        t,
        written: None,
        withdraws,
        consents,
        texts,
        blocks: Vec::new(),
        marked: false,
        loose: None,
        rest: text,
        attached: rest.attachment.into_iter().collect(),
        enclosed,
    };
    for orders in read {
        match orders {
            Orders::Block { block, .. } | Orders::Unterminated(block)
                if block.as_str().len() > LONGEST_BLOCK => {}
            Orders::Block { block, source } if !own.blocks.contains(&block) => {
                own.marked |= source == Source::Written && own.blocks.is_empty();
                own.blocks.push(block);
            }
            Orders::Unterminated(block) if !own.blocks.contains(&block) => own.blocks.push(block),
            Orders::Recognised(block) | Orders::Aside(block) if block.as_str().len() <= LONGEST_BLOCK => {
                own.loose = Some(block);
            }
            _ => {}
        }
    }
    Some((game, own))
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

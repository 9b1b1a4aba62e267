//! What one mail says of a game's log: heads, leaves of a close, a receipt, the anchor; and of a player's mail the orders in it.

use std::collections::BTreeMap;

use super::mbox::LARGEST_MAIL;
use crate::dice::{Block, Digest, GameId, Seat, Witness};
use crate::letter::{self, Automatic, Body, Kind, Letter, Limits, LineKind, Orders, Sent, Source};

/// The most of a mail's text that is looked through, in bytes: the host's own mails have a few kilobytes.
const LONGEST_TEXT: usize = 2 * 1024 * 1024;
/// The most heads taken from one mail; a forwarded bundle has some hundreds.
const MOST_HEADS: usize = 1000;
/// The most seats that a game has.
const MOST_SEATS: usize = 100;
/// The longest orders that a host takes, in bytes.
const LONGEST_BLOCK: usize = 64 * 1024;
/// How many words stand at most between the beginning of what a mail says of a close and its first leaf.
const CLOSE_WORDS: usize = 120;

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
    /// The game that it is about, if it names one.
    pub(super) game: Option<GameId>,
    /// The heads in it.
    pub(super) heads: Vec<Head>,
    /// What it says of closes.
    pub(super) closes: Vec<Close>,
    /// The anchor of an invitation.
    pub(super) anchor: Option<Digest>,
    /// Of a receipt, what it says.
    pub(super) receipt: Option<Receipt>,
    /// Of a player's mail, what it was.
    pub(super) own: Option<Own>,
}

/// A head, and whether it stands in a quotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) witness: Witness,
    pub(super) quoted: bool,
}

/// The leaves that a mail says an adjudication's dice were bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Close {
    pub(super) t: u32,
    pub(super) leaves: BTreeMap<Seat, Digest>,
    pub(super) root: Digest,
}

/// What a receipt says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Receipt {
    pub(super) t: u32,
    pub(super) seat: Seat,
    pub(super) leaf: Digest,
    pub(super) sha256: Option<Digest>,
    /// The attached orders.
    pub(super) orders: Option<Block>,
}

/// A player's own mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own {
    /// The seat that it was from: by the address that it was sent to, or by the mail that it answers.
    pub(super) seat: Seat,
    /// The adjudication that it was meant for, where it answers a mail of the host's.
    pub(super) t: Option<u32>,
    /// SHA-256 of its decoded text, as the log has it where it was refused: with the line ends below it that the copy has, with
    /// one, and with none. Programs that keep mail change these.
    pub(super) texts: [Digest; 3],
    /// The blocks in it that have marks, or are attached.
    pub(super) blocks: Vec<Block>,
    /// Whether the first of them stands in what the player wrote: then it is what was ordered.
    pub(super) marked: bool,
    /// What the player wrote where no marks are: orders, prose or both, which only the game's rules can tell apart.
    pub(super) loose: Option<Block>,
}

impl Testimony {
    /// Reads a mail, whatever its bytes.
    pub(super) fn of(raw: &[u8]) -> Self {
        let letter = letter::open(raw, &Limits { bytes: LARGEST_MAIL as u64 });
        let empty = Body::default();
        let body = letter.body.as_ref().unwrap_or(&empty);
        let text = beginning(&body.text, LONGEST_TEXT);
        let sent = letter.message_id.as_deref().and_then(sent);
        // A computer player's orders have an id of the host's making too.
        let sent = sent.filter(|sent| sent.kind != Kind::Orders);
        let is_hosts = sent.is_some() || letter.automatic == Some(Automatic::OwnMail);
        let heads = heads_in(text);
        let game = sent.as_ref().map(|sent| sent.game.clone());
        let game = game.or_else(|| heads.last().map(|head| head.witness.game.clone()));
        let words: Vec<&str> = unmarked(text).flat_map(|(_, line)| line.split_whitespace()).collect();
        let own = if is_hosts { None } else { own(&letter, body, text) };
        let print = format!("{}\n{text}", letter.message_id.as_deref().unwrap_or_default());
        Self {
            closes: closes_in(&words),
            anchor: after(&words, &["back", "to", "this", "anchor:"]),
            receipt: sent.as_ref().and_then(|sent| receipt(sent, &words, body)),
            game: own.as_ref().map(|(game, _)| game.clone()).or(game),
            own: own.map(|(_, own)| own),
            subject: letter.subject,
            print: Digest::of(print.as_bytes()),
            message_id: letter.message_id,
            answers: letter.in_reply_to,
            is_hosts,
            sent,
            heads,
        }
    }
}

/// The beginning of a text, cut at a character.
fn beginning(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

/// Which mail of a host's has this Message-ID.
fn sent(id: &str) -> Option<Sent> {
    Sent::of(id, id.rsplit_once('@')?.1)
}

/// The lines of a text without their quote marks, and whether they had any.
fn unmarked(text: &str) -> impl Iterator<Item = (bool, &str)> {
    text.lines().map(|line| {
        let bare = letter::strip_quote_marks(line);
        (bare.len() != line.len(), bare)
    })
}

/// Every pair of chain lines, in quotations too. Mail programs may have broken the second line, or joined both.
fn heads_in(text: &str) -> Vec<Head> {
    let lines: Vec<(bool, &str)> = unmarked(text).collect();
    let mut heads = Vec::new();
    for (at, (quoted, line)) in lines.iter().enumerate() {
        let Some(said) = line.strip_prefix("Chain: ") else { continue };
        let mut words = said.split_whitespace();
        let (Some(game), Some(index)) = (words.next(), words.next()) else { continue };
        let (Ok(game), Ok(number)) = (game.parse::<GameId>(), index.parse::<u64>()) else { continue };
        if number.to_string() != index {
            continue;
        }
        let line_behind = |n: usize| lines.get(at + n).map_or("", |(_, line)| line.trim());
        let joined = || [line_behind(1), line_behind(2)].concat();
        let head = words
            .next()
            .and_then(|word| word.parse().ok())
            .or_else(|| line_behind(1).parse().ok())
            .or_else(|| joined().parse().ok());
        let Some(head) = head else { continue };
        heads.push(Head { witness: Witness { game, index: number, head }, quoted: *quoted });
        if heads.len() == MOST_HEADS {
            break;
        }
    }
    heads
}

/// The digest behind these words.
fn after(words: &[&str], before: &[&str]) -> Option<Digest> {
    let at = words.windows(before.len()).position(|window| window == before)?;
    words.get(at + before.len())?.parse().ok()
}

/// `The dice of t N have level …`, and behind the words `before they fell:` a leaf and a seat each, then the root.
fn closes_in(words: &[&str]) -> Vec<Close> {
    let mut closes = Vec::new();
    for (at, window) in words.windows(6).enumerate() {
        let ["dice", "of", "t", t, "have", "level"] = window else { continue };
        let (Ok(t), rest) = (t.parse::<u32>(), &words[at + 6..]) else { continue };
        let Some(from) = rest.iter().take(CLOSE_WORDS).position(|word| *word == "fell:") else { continue };
        closes.extend(close(t, &rest[from + 1..]));
    }
    closes
}

fn close(t: u32, words: &[&str]) -> Option<Close> {
    let mut leaves = BTreeMap::new();
    for pair in words.chunks_exact(2) {
        let (leaf, name) = match pair {
            [name, leaf] if name.ends_with(':') => (leaf, name.trim_end_matches(':')),
            [leaf, name] => (leaf, *name),
            _ => return None,
        };
        let digest = leaf.parse().ok()?;
        if name == "root" {
            return Some(Close { t, leaves, root: digest });
        }
        leaves.insert(name.parse().ok()?, digest);
        if leaves.len() > MOST_SEATS {
            return None;
        }
    }
    None
}

fn receipt(sent: &Sent, words: &[&str], body: &Body) -> Option<Receipt> {
    if sent.kind != Kind::Receipt {
        return None;
    }
    let leaf = after(words, &["as", "the", "leaf"])?;
    let sha256 = after(words, &["their", "SHA-256", "is"]);
    let orders = body.orders_attachment.as_deref().filter(|orders| orders.len() <= LONGEST_BLOCK);
    let orders = orders.map(Block::canonical);
    Some(Receipt { t: sent.t, seat: sent.seat.clone(), leaf, sha256, orders })
}

/// What a mail that the host didn't write was to it: its game and the rest, if it was for a seat at all.
fn own(letter: &Letter, body: &Body, text: &str) -> Option<(GameId, Own)> {
    let answered = letter.in_reply_to.iter().chain(letter.references.iter().rev()).find_map(|id| sent(id));
    let addressed = || letter.to.iter().find_map(|address| seat_address(address));
    let (game, seat) = match &answered {
        Some(sent) => (sent.game.clone(), sent.seat.clone()),
        None => addressed()?,
    };
    // An invitation begins every thread: having its id says nothing of the turn meant.
    let t = answered.filter(|sent| sent.kind != Kind::Invitation).map(|sent| sent.t);
    let (_, words) = letter::take_commands(text);
    let (_, words) = letter::take_press(&words);
    let attached = body.orders_attachment.as_deref();
    let read = |kind: LineKind| letter::find_orders(&words, attached, "", &move |_| kind).orders;
    let bare = body.text.trim_end_matches('\n');
    let texts = [body.text.as_str(), &format!("{bare}\n"), bare].map(|text| Digest::of(text.as_bytes()));
    let mut own = Own { seat, t, texts, blocks: Vec::new(), marked: false, loose: None };
    for orders in [read(LineKind::Prose), read(LineKind::Order)] {
        match orders {
            Orders::Block { block, .. } | Orders::Unterminated(block)
                if block.as_str().len() > LONGEST_BLOCK => {}
            Orders::Block { block, source } if !own.blocks.contains(&block) => {
                own.marked |= source == Source::Written && own.blocks.is_empty();
                own.blocks.push(block);
            }
            Orders::Unterminated(block) if !own.blocks.contains(&block) => own.blocks.push(block),
            Orders::Recognised(block) if block.as_str().len() <= LONGEST_BLOCK => own.loose = Some(block),
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
    token.parse::<letter::Token>().ok()?;
    Some((game.parse().ok()?, seat.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "4226b2fc44f80bc1bbb7f755ad041d9edbbe2c73c39b9a5165d973b909bd3485";

    fn heads(text: &str) -> Vec<(u64, bool)> {
        heads_in(text).iter().map(|head| (head.witness.index, head.quoted)).collect()
    }

    #[test]
    fn chain_lines_are_found_however_mail_programs_leave_them() {
        assert_eq!(heads(&format!("Chain: alpha 17\n  {HEAD}\n")), [(17, false)]);
        assert_eq!(
            heads(&format!("> Chain: alpha 17\n>   {HEAD}\n>> Chain: alpha 2\n>>  {HEAD}")),
            [(17, true), (2, true)]
        );
        assert_eq!(heads(&format!("Chain: alpha 17 {HEAD}\n")), [(17, false)], "an HTML page's lines joined");
        let (first, second) = HEAD.split_at(60);
        assert_eq!(
            heads(&format!("> > Chain: alpha 17\n> >   {first}\n> > {second}\n")),
            [(17, true)],
            "a broken line"
        );
        for wrong in [
            format!("Chain: alpha 017\n  {HEAD}"),
            format!("Chain: Alpha 17\n  {HEAD}"),
            "Chain: alpha 1".to_owned(),
        ] {
            assert_eq!(heads(&wrong), [], "{wrong}");
        }
        assert_eq!(heads(&format!("| Chain: alpha 17\n|   {HEAD}\n")), [], "a player's words behind a bar");
    }

    #[test]
    fn the_leaves_of_a_close_are_read_in_both_forms_and_broken_anywhere() {
        let beside = format!(
            "The dice of t 12 have level L1: the host can.\nThey were bound to these orders, one leaf a seat, before\nthey fell:\n  {HEAD} blue\n  {HEAD} red\n  {HEAD} root\n"
        );
        let under = beside.replace(&format!("{HEAD} blue"), &format!("blue:\n  {HEAD}"));
        let under = under.replace(&format!("{HEAD} red"), &format!("red:\n  {HEAD}"));
        let quoted: String = beside.lines().map(|line| format!("> {line}\n")).collect();
        for text in [beside, under, quoted] {
            let words: Vec<&str> = unmarked(&text).flat_map(|(_, line)| line.split_whitespace()).collect();
            let [close] = &*closes_in(&words) else { panic!("{text}") };
            assert_eq!((close.t, close.leaves.len()), (12, 2), "{text}");
        }
    }

    #[test]
    fn the_address_of_a_seat_names_it() {
        let found = seat_address("campaign+alpha.allied.austria.k7q2mz4t9hwxp3cd@example.org").unwrap();
        assert_eq!((found.0.as_str(), found.1.as_str()), ("alpha", "allied.austria"));
        assert_eq!(seat_address("campaign@example.org"), None);
        assert_eq!(seat_address("lists+alpha.french@example.org"), None);
    }
}

//! What the text of a mail says of a game's log: heads, the leaves of a close, the anchor, what a beacon gave. Mail programs break,
//! join and quote lines as they like: nothing here depends on where a line ends, but that chain lines begin one.

use std::collections::{BTreeMap, BTreeSet};

use crate::dice::{Beacon, Digest, GameId, Label, Seat, Witness};
use crate::letter;

/// The most heads taken from one mail; a forwarded bundle has some hundreds.
const MOST_HEADS: usize = 1000;
/// How many lines the two chain lines may have become.
const CHAIN_LINES: usize = 6;
/// The letters of a head.
const HEAD_LETTERS: usize = 64;
/// The most seats that a game has.
const MOST_SEATS: usize = 100;
/// How many words stand at most between the beginning of what a mail says of a close and its first leaf.
const CLOSE_WORDS: usize = 120;
/// Into how many words what a beacon gave may have been broken.
const BEACON_WORDS: usize = 8;

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

/// The lines of a text without their quote marks, and whether they had any.
fn unmarked(text: &str) -> impl Iterator<Item = (bool, &str)> {
    text.lines().map(|line| {
        let bare = letter::strip_quote_marks(line);
        (bare.len() != line.len(), bare)
    })
}

/// The words of a text, without quote marks.
pub(super) fn words(text: &str) -> Vec<&str> {
    unmarked(text).flat_map(|(_, line)| line.split_whitespace()).collect()
}

/// Every pair of chain lines, in quotations too.
pub(super) fn heads_in(text: &str) -> Vec<Head> {
    let lines: Vec<(bool, &str)> = unmarked(text).collect();
    let begins = lines.iter().enumerate().filter_map(|(at, (quoted, line))| {
        let said = line.strip_prefix("Chain:").filter(|said| said.is_empty() || said.starts_with(' '))?;
        let behind = lines[at + 1..].iter().take(CHAIN_LINES - 1).map(|(_, line)| *line);
        let words = std::iter::once(said).chain(behind).flat_map(str::split_whitespace);
        Some(Head { witness: witness(words)?, quoted: *quoted })
    });
    begins.take(MOST_HEADS).collect()
}

/// Game, index and head, the last of which may be in pieces.
fn witness<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Witness> {
    let game: GameId = words.next()?.parse().ok()?;
    let written = words.next()?;
    // One spelling only: no sign, no leading zeros.
    let index: u64 = written.parse().ok().filter(|index: &u64| index.to_string() == written)?;
    let mut letters = String::new();
    while letters.len() < HEAD_LETTERS {
        let piece = words.next()?;
        letters.push_str(piece.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(piece)?);
    }
    Some(Witness { game, index, head: digest(&letters)? })
}

/// A digest, in capitals too: whoever reads it out of a mail compares numbers, not letters.
fn digest(word: &str) -> Option<Digest> {
    (word.len() == HEAD_LETTERS).then(|| word.to_ascii_lowercase().parse().ok())?
}

/// The digest behind these words.
pub(super) fn after(words: &[&str], before: &[&str]) -> Option<Digest> {
    let at = words.windows(before.len()).position(|window| window == before)?;
    digest(words.get(at + before.len())?)
}

/// What a mail says of closes. A report has `The dice of t N have level …`, and behind the words `before they fell:` a leaf and a
/// seat each, then the root; of a turn that waits for a beacon, `The dice of t N are bound to …`, and these behind the sentence.
pub(super) fn closes_in(words: &[&str]) -> Vec<Close> {
    let mut closes = Vec::new();
    for (at, window) in words.windows(6).enumerate() {
        let (t, rest) = match window {
            ["dice", "of", "t", t, "have", "level"] | ["dice", "of", "t", t, "are", "bound"] => {
                (t.parse::<u32>(), &words[at + 6..])
            }
            _ => continue,
        };
        let near = &rest[..rest.len().min(CLOSE_WORDS)];
        let from = match window[4] {
            "have" => near.iter().position(|word| *word == "fell:").map(|at| at + 1),
            _ => near
                .windows(2)
                .position(|pair| is_leaf(pair[0]) || pair[0].ends_with(':') && is_leaf(pair[1])),
        };
        let (Ok(t), Some(from)) = (t, from) else { continue };
        closes.extend(close(t, &rest[from..]));
    }
    closes
}

fn is_leaf(word: &str) -> bool {
    digest(word).is_some()
}

fn close(t: u32, words: &[&str]) -> Option<Close> {
    let mut leaves = BTreeMap::new();
    for pair in words.chunks_exact(2) {
        let (leaf, name) = match pair {
            [name, leaf] if name.ends_with(':') => (leaf, name.trim_end_matches(':')),
            [leaf, name] => (leaf, *name),
            _ => return None,
        };
        let leaf = digest(leaf)?;
        if name == "root" {
            return Some(Close { t, leaves, root: leaf });
        }
        leaves.insert(name.parse().ok()?, leaf);
        if leaves.len() > MOST_SEATS {
            return None;
        }
    }
    None
}

/// Whether a mail answers that a seat's orders are taken back (`requests/seat.rs`).
pub(super) fn takes_back(words: &[&str]) -> bool {
    words.windows(5).any(|window| window == ["taken", "back,", "as", "if", "you"])
}

/// The rolls that a mail answers a player that he consents to be thrown again (`requests/seat.rs`): it quotes his commands.
pub(super) fn consents(words: &[&str]) -> BTreeSet<Label> {
    let answers = words.windows(4).any(|window| {
        window.starts_with(&["All", "have", "consented,"]) || window == ["You", "consent.", "The", "roll"]
    });
    let quoted = words.windows(2).filter(|pair| answers && pair[0].eq_ignore_ascii_case("CONSENT"));
    quoted.filter_map(|pair| pair[1].to_ascii_lowercase().parse().ok()).collect()
}

/// The adjudications that a mail says wait for their dice, closed and bound to leaves.
pub(super) fn awaiting_in(words: &[&str]) -> BTreeSet<u32> {
    let awaiting = words.windows(6).filter_map(|window| match window {
        ["dice", "of", "t", t, "are", "bound"] => t.parse().ok(),
        _ => None,
    });
    awaiting.collect()
}

/// The level that a report claims for the dice of an adjudication, as it stands there.
pub(super) fn levels_in(words: &[&str]) -> Vec<(u32, String)> {
    let levels = words.windows(7).filter_map(|window| match window {
        ["dice", "of", "t", t, "have", "level", level] => {
            Some((t.parse().ok()?, level.trim_end_matches(':').to_owned()))
        }
        _ => None,
    });
    levels.collect()
}

/// What mails say that the public beacon gave: behind the root of a report, `VALUE beacon`; to witnesses, `The beacon has come,
/// NAME/ROUND/VALUE, and turn N has run.`, which is longer than a line.
pub(super) fn beacons_in(words: &[&str]) -> Vec<(u32, Digest)> {
    let (mut beacons, mut t) = (Vec::new(), None);
    for at in 0..words.len() {
        match &words[at..] {
            ["dice", "of", "t", number, "have", "level", ..] => t = number.parse().ok(),
            ["root", value, "beacon", ..] => beacons.extend(t.take().zip(digest(value))),
            ["beacon", "has", "come,", rest @ ..] => beacons.extend(come(rest)),
            _ => {}
        }
    }
    beacons
}

fn come(words: &[&str]) -> Option<(u32, Digest)> {
    let last = words.iter().take(BEACON_WORDS).position(|word| word.ends_with(','))?;
    let beacon: Beacon = words[..=last].concat().trim_end_matches(',').parse().ok()?;
    match words.get(last + 1..last + 4)? {
        ["and", "turn", t] => Some((t.parse().ok()?, beacon.value)),
        _ => None,
    }
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
        let (one, two) = first.split_at(20);
        for broken in [
            format!("> > Chain: alpha 17\n> >   {first}\n> > {second}\n"),
            format!("> > Chain: alpha 17\n> >   {first}\n{second}\n"),
            format!("> Chain: alpha 17\n>\n>   {one}\n> {two}\n> {second}\n"),
            format!("> Chain:\n> alpha 17\n>\n>   {HEAD}\n"),
            format!("> Chain: alpha\n> 17\n>   {HEAD}\n"),
            format!("> Chain: alpha 17\n>   {}\n", HEAD.to_ascii_uppercase()),
        ] {
            assert_eq!(heads(&broken), [(17, true)], "{broken}");
        }
        for wrong in [
            format!("Chain: alpha 017\n  {HEAD}"),
            format!("Chain: Alpha 17\n  {HEAD}"),
            format!("Chain: alpha 17\n  {first} and {second}"),
            format!("Chain: alpha 17\n  {HEAD}0"),
            format!("Chain:alpha 17\n  {HEAD}"),
            "Chain: alpha 1".to_owned(),
        ] {
            assert_eq!(heads(&wrong), [], "{wrong}");
        }
        assert_eq!(heads(&format!("| Chain: alpha 17\n|   {HEAD}\n")), [], "a player's words behind a bar");
    }

    /// A text as it came, quoted, and quoted by a program that breaks lines without marking what follows.
    fn as_kept(text: &str) -> [String; 3] {
        let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
        let broken = text.lines().map(|line| match line.rsplit_once(' ') {
            Some((before, last)) => format!("> > {before}\n{last}\n"),
            None => format!("> > {line}\n"),
        });
        [text.to_owned(), quoted, broken.collect()]
    }

    #[test]
    fn the_leaves_of_a_close_are_read_in_all_forms_and_broken_anywhere() {
        let beside = format!(
            "The dice of t 12 have level L1: the host can.\nThey were bound to these orders, one leaf a seat, before\nthey fell:\n  {HEAD} blue\n  {HEAD} red\n  {HEAD} root\n"
        );
        let under = beside.replace(&format!("{HEAD} blue"), &format!("blue:\n  {HEAD}"));
        let under = under.replace(&format!("{HEAD} red"), &format!("red:\n  {HEAD}"));
        let leaves = beside.split_once("fell:\n").unwrap().1;
        let waits = format!(
            "The orders for Round 1 are closed. The dice of t 12 are bound to\nthem, one leaf a seat: see below.\n{leaves}"
        );
        for text in [beside, under, waits].iter().flat_map(|text| as_kept(text)) {
            let [close] = &*closes_in(&words(&text)) else { panic!("{text}") };
            assert_eq!((close.t, close.leaves.len()), (12, 2), "{text}");
        }
    }

    #[test]
    fn what_a_beacon_gave_is_read_in_both_forms_and_broken_anywhere() {
        let report = format!(
            "The dice of t 12 have level L3: nothing is left.\n  {HEAD} red\n  {HEAD} root\n  {HEAD} beacon\n"
        );
        let (one, two) = HEAD.split_at(40);
        let told = format!("The beacon has come, drand-quicknet/1000/{HEAD},\nand turn 12 has run.\n");
        let cut = format!("The beacon has come, drand-\nquicknet/1000/{one}\n{two}, and turn 12 has run.\n");
        for text in [report, told, cut].iter().flat_map(|text| as_kept(text)) {
            assert_eq!(beacons_in(&words(&text)), [(12, HEAD.parse().unwrap())], "{text}");
        }
        assert_eq!(beacons_in(&words(&format!("  {HEAD} root\n  {HEAD} beacon\n"))), [], "of no turn");
    }
}

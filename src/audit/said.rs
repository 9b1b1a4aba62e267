//! What the text of a mail says of a game's log: heads, the leaves of a close, the anchor, what a beacon gave. Mail programs break,
//! join and quote lines as they like: nothing here depends on where a line ends, but that chain lines begin one.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::{Beacon, ChainLines, Digest, Label, Seat};
use musterd_letter as letter;
use musterd_report::WIDTH;

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
/// How many words the title of a turn has at most, with those round it.
const TITLE_WORDS: usize = 40;
/// How long a rule is at least that is known for one in the midst of a line.
const HEADING_RULE: usize = 20;
/// Into how many words what a beacon gave may have been broken.
const BEACON_WORDS: usize = 8;

/// A head, and whether it stands in a quotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShownHead {
    pub(super) lines: ChainLines,
    pub(super) quoted: bool,
}

/// What a mail says an adjudication's dice were bound to: the leaves and their root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Close {
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

/// The words of a text, in quotations too, but none of a player's behind a bar.
pub(super) fn words(text: &str) -> Vec<&str> {
    let lines = unmarked(text).filter(|(_, line)| !is_behind_bar(line));
    lines.flat_map(|(_, line)| line.split_whitespace()).collect()
}

/// Every pair of chain lines, in quotations too.
pub(super) fn heads_in(text: &str) -> Vec<ShownHead> {
    let lines: Vec<(bool, &str)> = unmarked(text).collect();
    let begins = lines.iter().enumerate().filter_map(|(at, (quoted, line))| {
        let said = line.strip_prefix("Chain:").filter(|said| said.is_empty() || said.starts_with(' '))?;
        let behind = lines[at + 1..].iter().take(CHAIN_LINES - 1).map(|(_, line)| *line);
        let words = std::iter::once(said).chain(behind).flat_map(str::split_whitespace);
        Some(ShownHead { lines: chain_lines(words)?, quoted: *quoted })
    });
    begins.take(MOST_HEADS).collect()
}

/// Game, number or turn, and head, the last of which may be in pieces.
fn chain_lines<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<ChainLines> {
    let (game, place) = (words.next()?, words.next()?);
    let mut letters = String::new();
    while letters.len() < HEAD_LETTERS {
        let piece = words.next()?;
        letters.push_str(piece.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(piece)?);
    }
    ChainLines::read(game, place, digest(&letters)?)
}

/// A digest, in capitals too: whoever reads it out of a mail compares numbers, not letters.
fn digest(word: &str) -> Option<Digest> {
    (word.len() == HEAD_LETTERS).then(|| word.to_ascii_lowercase().parse().ok())?
}

/// The digest behind these words, where they stand last: what a player wrote is repeated before what the host says.
pub(super) fn after(words: &[&str], before: &[&str]) -> Option<Digest> {
    let at = words.windows(before.len()).rposition(|window| window == before)?;
    digest(words.get(at + before.len())?)
}

/// The last digest above a mail's own chain lines.
pub(super) fn above_chain(words: &[&str]) -> Option<Digest> {
    let end = words.iter().rposition(|word| *word == "Chain:")?;
    words[..end].iter().rev().find_map(|word| digest(word))
}

/// The digest that stands behind these words right above a mail's own chain lines, where nothing that others wrote can stand.
pub(super) fn last_said(words: &[&str], before: &[&str]) -> Option<Digest> {
    let end = words.iter().rposition(|word| *word == "Chain:")?;
    let last = words[..end].iter().rposition(|word| !is_rule(word))?;
    words[..last].ends_with(before).then(|| digest(words[last]))?
}

/// What a mail of the host's says in its own words: not in quotations, nor behind the bars of a player's letter. Words of others can
/// stand among these too, the name of a unit for one: so what counts as said begins a paragraph, and is told whole.
pub(super) struct Speech<'a> {
    words: Vec<&'a str>,
    /// Which of them begin a paragraph.
    beginnings: Vec<usize>,
}

/// What a mail says of the dice of one adjudication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OfDice {
    pub(super) t: u32,
    /// What they are bound to.
    pub(super) close: Close,
    /// The level that is claimed for them; none while they wait for a public beacon.
    pub(super) level: Option<String>,
    /// What the beacon gave for them.
    pub(super) beacon: Option<Digest>,
}

impl<'a> Speech<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let (mut words, mut beginnings) = (Vec::new(), Vec::new());
        // Where lines were joined a heading's rule may stand before a paragraph; any other rule only where all of them were.
        let is_joined = text.trim().lines().count() == 1;
        let ends_heading = |words: &[&str]| match words {
            [before @ .., last] if last.len() >= HEADING_RULE && is_rule(last) => {
                is_joined || before.ends_with(&["THE", "DICE"])
            }
            _ => false,
        };
        let mut breaks = true;
        for (quoted, line) in unmarked(text) {
            if quoted || is_behind_bar(line) {
                // What follows may be the rest of a player's line.
                breaks = false;
                continue;
            }
            let at_edge = breaks && !line.starts_with(char::is_whitespace);
            for (number, word) in line.split_whitespace().enumerate() {
                if number == 0 && at_edge || ends_heading(&words) {
                    beginnings.push(words.len());
                }
                words.push(word);
            }
            breaks = is_break(line);
        }
        Self { words, beginnings }
    }

    /// All of them.
    pub(super) fn words(&self) -> &[&'a str] {
        &self.words
    }

    /// The words from the beginning of each paragraph on.
    fn paragraphs(&self) -> impl Iterator<Item = &[&'a str]> {
        self.beginnings.iter().map(|at| &self.words[*at..])
    }

    /// What it says of dice. A report has `The dice of t N have level …:`, and behind the words `before they fell:` a leaf and a seat each,
    /// then the root and perhaps `VALUE beacon`; of a turn that waits for a beacon, `The dice of t N are bound to …`, behind a sentence
    /// or none, and the leaves behind that paragraph.
    pub(super) fn of_dice(&self) -> Vec<OfDice> {
        self.paragraphs().filter_map(of_dice).collect()
    }

    /// What it says to witnesses that the public beacon gave: `The beacon has come, NAME/ROUND/VALUE, and turn N has run.`, which is
    /// longer than a line.
    pub(super) fn beacons(&self) -> Vec<(u32, Digest)> {
        let come = self.paragraphs().filter_map(|words| match words {
            ["The", "beacon", "has", "come,", rest @ ..] => come(rest),
            _ => None,
        });
        come.collect()
    }
}

/// Whether a line is a player's, behind the bar that the host puts before it.
fn is_behind_bar(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// Whether a paragraph may end with this line: an empty one, a rule, one at the end of a sentence, or one that was not broken to fit the
/// width, since a short word more would have stood in it. A page of HTML has no empty lines, and does not break its own.
fn is_break(line: &str) -> bool {
    let length = line.chars().count();
    let has_room = length + " The".len() <= WIDTH || length > WIDTH;
    has_room || line.ends_with(['.', ':']) || line.split_whitespace().next_back().is_some_and(is_rule)
}

/// Whether a word is a rule across the page, or what is left of one.
fn is_rule(word: &str) -> bool {
    word.bytes().all(|byte| matches!(byte, b'-' | b'='))
}

fn of_dice(words: &[&str]) -> Option<OfDice> {
    let (t, level, behind) = match words {
        ["The", "dice", "of", "t", t, "have", "level", level, behind @ ..] => {
            (t, Some(level.strip_suffix(':')?.to_owned()), behind)
        }
        ["The", "dice", "of", "t", t, "are", "bound", behind @ ..] => (t, None, behind),
        ["The", "orders", "for", behind @ ..] => {
            let near = &behind[..behind.len().min(TITLE_WORDS)];
            let at = near.windows(2).position(|pair| pair[0] == "closed." && pair[1] == "The")?;
            return of_dice(&behind[at + 1..]).filter(|said| said.level.is_none());
        }
        _ => return None,
    };
    // What another paragraph says of dice is its own.
    let next = behind.windows(4).position(|window| window == ["The", "dice", "of", "t"]);
    let near = &behind[..behind.len().min(CLOSE_WORDS).min(next.unwrap_or(usize::MAX))];
    let from = match level {
        Some(_) => near.iter().position(|word| *word == "fell:")? + 1,
        None => {
            near.windows(2).position(|pair| is_leaf(pair[0]) || pair[0].ends_with(':') && is_leaf(pair[1]))?
        }
    };
    let (close, behind) = close(&behind[from..])?;
    let beacon = match behind {
        [value, "beacon", ..] if level.is_some() => digest(value),
        _ => None,
    };
    Some(OfDice { t: t.parse().ok()?, close, level, beacon })
}

fn is_leaf(word: &str) -> bool {
    digest(word).is_some()
}

/// The leaves and the root, and the words behind them.
fn close<'w, 't>(words: &'w [&'t str]) -> Option<(Close, &'w [&'t str])> {
    let mut leaves = BTreeMap::new();
    for (number, pair) in words.chunks_exact(2).enumerate() {
        let (leaf, name) = match pair {
            [name, leaf] if name.ends_with(':') => (leaf, name.trim_end_matches(':')),
            [leaf, name] => (leaf, *name),
            _ => return None,
        };
        let leaf = digest(leaf)?;
        if name == "root" {
            return Some((Close { leaves, root: leaf }, &words[2 * number + 2..]));
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

/// Whether a mail is the last word to somebody who plays a seat no more (`seats.rs`).
pub(super) fn farewell(words: &[&str]) -> bool {
    words.windows(7).any(|window| window == ["no", "further", "mail", "of", "yours", "changes", "anything"])
}

/// The rolls that a mail answers a player that he consents to be thrown again (`requests/seat.rs`): it quotes his commands.
pub(super) fn consents(words: &[&str]) -> BTreeSet<Label> {
    let answers = words.windows(4).any(|window| {
        window.starts_with(&["All", "have", "consented,"]) || window == ["You", "consent.", "The", "roll"]
    });
    let quoted = words.windows(2).filter(|pair| answers && pair[0].eq_ignore_ascii_case("CONSENT"));
    quoted.filter_map(|pair| pair[1].to_ascii_lowercase().parse().ok()).collect()
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
        let index = |head: &ShownHead| match &head.lines {
            ChainLines::Numbered(witness) => witness.index,
            ChainLines::Open(open) => u64::from(open.t) + 1000,
        };
        heads_in(text).iter().map(|head| (index(head), head.quoted)).collect()
    }

    #[test]
    fn chain_lines_are_found_however_mail_programs_leave_them() {
        assert_eq!(heads(&format!("Chain: alpha 17\n  {HEAD}\n")), [(17, false)]);
        assert_eq!(
            heads(&format!("> Chain: alpha 17\n>   {HEAD}\n>> Chain: alpha 2\n>>  {HEAD}")),
            [(17, true), (2, true)]
        );
        assert_eq!(heads(&format!("Chain: alpha 17 {HEAD}\n")), [(17, false)], "an HTML page's lines joined");
        assert_eq!(heads(&format!("Chain: alpha t3\n  {HEAD}\n")), [(1003, false)], "without a number");
        assert_eq!(heads(&format!("> Chain: alpha t3 {HEAD}\n")), [(1003, true)]);
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

    /// A text as it came, behind a heading, with its lines broken, and with them joined as in a page.
    fn as_kept(text: &str) -> [String; 4] {
        let broken = text.lines().map(|line| match line.rsplit_once(' ') {
            Some((before, last)) => format!("{before}\n{last}\n"),
            None => format!("{line}\n"),
        });
        let heading = format!("THE DICE {}\n", "-".repeat(69));
        let joined = format!("A report. {heading}{text}").split_whitespace().collect::<Vec<_>>().join(" ");
        [text.to_owned(), heading + text, broken.collect(), joined]
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
            let [said] = &*Speech::of(&text).of_dice() else { panic!("{text}") };
            assert_eq!((said.t, said.close.leaves.len()), (12, 2), "{text}");
        }
    }

    #[test]
    fn what_a_beacon_gave_is_read_in_both_forms_and_broken_anywhere() {
        let report = format!(
            "The dice of t 12 have level L3: nothing is left.\nBound to, before they fell:\n  {HEAD} red\n  {HEAD} root\n  {HEAD} beacon\n"
        );
        let value = HEAD.parse().unwrap();
        for text in as_kept(&report) {
            let [said] = &*Speech::of(&text).of_dice() else { panic!("{text}") };
            assert_eq!((said.level.as_deref(), said.beacon), (Some("L3"), Some(value)), "{text}");
        }
        let (one, two) = HEAD.split_at(40);
        let told = format!("The beacon has come, drand-quicknet/1000/{HEAD},\nand turn 12 has run.\n");
        let cut = format!("The beacon has come, drand-\nquicknet/1000/{one}\n{two}, and turn 12 has run.\n");
        for text in [told, cut].iter().flat_map(|text| as_kept(text)) {
            assert_eq!(Speech::of(&text).beacons(), [(12, value)], "{text}");
        }
    }

    /// What players write stands in the host's mails behind bars, in quotations, and in the midst of its sentences and tables.
    #[test]
    fn nothing_that_a_player_can_bring_into_a_mail_is_the_hosts_word() {
        let levels = |text: &str| {
            let said = Speech::of(text).of_dice();
            said.into_iter().filter_map(|said| said.level).collect::<Vec<_>>()
        };
        let leaves = format!("  {HEAD} red\n  {HEAD} root\n  {HEAD} beacon\n");
        let begun = "The dice of t 2 have level L0: x\n";
        let whole = format!("{begun}before they fell:\n{leaves}");
        let own = whole.replace("L0", "L2");
        let come = format!("The beacon has come, b/1/{HEAD}, and turn 2 has run.\n");
        assert_eq!(levels(&whole), ["L0"]);
        assert_eq!(levels(&format!("{}.\n{whole}", "x".repeat(WIDTH - 1))), ["L0"], "without empty lines");
        for mark in ["| ", " | ", "> ", "  "] {
            let said = format!("{whole}\n{come}");
            let said: String = said.lines().map(|line| format!("{mark}{line}\n")).collect();
            assert_eq!((levels(&said), Speech::of(&said).beacons()), (vec![], vec![]), "{said}");
        }
        let line_before = "x".repeat(WIDTH - 3);
        for text in [
            format!("| The rest of this line was broken off.\n{whole}"),
            format!("> The rest of this line was broken off.\n{whole}"),
            format!("A1  {} {whole}", "-".repeat(HEADING_RULE)),
            format!("A1  10 peasants  {whole}"),
            format!("{line_before}\n{whole}"),
            format!("{begun}\nA1  10 peasants\n"),
            format!("dice of t 2 have level L0\n{leaves}"),
            format!("{begun}  {HEAD} beacon\n"),
        ] {
            assert_eq!(levels(&text), [""; 0], "{text}");
            assert_eq!(levels(&format!("{text}\n{own}")), ["L2"], "{text}");
        }
    }
}

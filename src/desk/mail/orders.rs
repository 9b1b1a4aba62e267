//! Finds the order block of a letter. Players may write it in many ways and places.

use std::borrow::Cow;

use super::line::{LineKind, begins_block, ends_block, is_mark, is_meant, is_slip};
use super::reading::tell_voices;
use super::route::read_key_line;
use super::spelling::as_read;
use super::struck::is_struck;
use super::unread::{self, Unread};
use super::wrapped::unwrapped;
use musterd_dice::Block;
use musterd_letter::{Voice, VoicedLine};
use musterd_text::lines;

/// The place of an explicit block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// In the player's own text.
    Written,
    /// In an attached file.
    Attached,
    /// Inside the quoted mail: the player filled in the form there.
    Quoted,
}

/// The orders of a letter. No block contains a key line, because blocks become public and the secret in the line must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Orders {
    /// The lines between `BEGIN ORDERS` and `END ORDERS`, possibly none, spelt as the rules read them; or a whole attached file without these marks.
    Block {
        /// The lines.
        block: Block,
        /// The place of the block.
        source: Source,
    },
    /// Order lines that the player wrote without marks; other text is left out.
    Recognised(Block),
    /// Lines without marks that accompany orders, none of them an order: they leave the present set as it is.
    Aside(Block),
    /// Only mistyped orders, without marks: they make no set.
    Slips(Block),
    /// `BEGIN ORDERS` without `END ORDERS`: all lines from there up to the signature or the quotation, at least one of them an order. It counts as
    /// orders, with a remark: a forgotten last line must not cost a turn, and the receipt shows if a mail was cut short.
    Unterminated(Block),
    /// No orders.
    None,
}

impl Orders {
    /// The block, if there is one.
    pub fn block(&self) -> Option<&Block> {
        match self {
            Self::Block { block, .. }
            | Self::Recognised(block)
            | Self::Aside(block)
            | Self::Unterminated(block) => Some(block),
            Self::Slips(_) | Self::None => None,
        }
    }
}

/// The orders of a letter, and lines that were not taken for orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The orders.
    pub orders: Orders,
    /// Skipped lines of the player's own, trimmed. Beside recognised orders: all other lines, except comments, key lines and lines below a signature
    /// mark. Beside a block: the lines that look like orders. Also struck-out lines, anywhere, between `~~`, even if there are no orders.
    pub passed_over: Vec<String>,
    /// Changed lines of a quoted form that were not read, because the player wrote orders of his own above it.
    pub form_lines: Vec<String>,
    /// The player's own lines outside the block.
    pub letter: Vec<String>,
    /// Other parts that may hold orders and were not read.
    pub unread: Vec<Unread>,
}

/// Finds the order block of a letter. `form` is the order form that was mailed to its sender, empty if there was none; `kind` tells the meaning of a
/// line for the rules of the game.
///
/// The first of these that the letter contains:
///
/// 1. a block in what the player wrote, empty only if no order line stands outside it and nothing in it is struck out;
/// 2. a block begun there and never ended;
/// 3. attached orders with at least one order line;
/// 4. a block in the quotation with an order line that carries no quote mark: a form filled in by a program that marks
///    quoted lines;
/// 5. order lines that the player wrote anywhere outside a quotation or a signature, and the lines that belong beside
///    them. They beat a quoted form even where that has order lines: it mostly has, because a form holds the current
///    standing orders;
/// 6. a block in the quotation with at least one order line.
///
/// The player's own lines that are not orders (`READY`, a salt) never replace a form: they are added to its orders, unless another line of his own
/// looks like an order.
///
/// A quoted or attached form without an order line is never an empty block, and one with the order lines that it was mailed
/// with is none at all: a player who answers a dispatch with thanks doesn't cancel the orders sent before. Neither is such a
/// form right below its key line: some program quoted it in a way that we don't know.
pub fn find_orders(
    text: &str,
    attachment: Option<&str>,
    form: &str,
    kind: &dyn Fn(&str) -> LineKind,
) -> Found {
    find_in(&tell_voices(text), attachment, form, kind)
}

/// Does the same in a text whose voices are already told apart.
pub(super) fn find_in(
    lines: &[VoicedLine<'_>],
    attachment: Option<&str>,
    form: &str,
    kind: &dyn Fn(&str) -> LineKind,
) -> Found {
    // Marks are not orders, though a ruleset may read END ORDERS as one: in La Grande Armee END closes a section.
    let kind = &|line: &str| if is_mark(line) { LineKind::Prose } else { kind(line.trim()) };
    let search = Search { lines, form, kind };
    let blocks = Blocks::of(&search);
    let quoted = blocks.quoted;
    let mut found = chosen(&search, blocks, attachment);
    let block = found.orders.block().map_or("", |block| block.as_str());
    let is_form = |at: usize| quoted.as_ref().is_some_and(|span| span.holds(at));
    let unread = unread::beside(lines, is_form, attachment, block, form, kind);
    if !matches!(found.orders, Orders::Block { source: Source::Quoted, .. })
        && let Some(span) =
            quoted.filter(|span| found.form_lines.is_empty() && span.is_below_key(lines, kind))
        && !block.is_empty()
    {
        let of_form = span.block(lines, kind);
        let new = new_lines(&of_form, form, kind).into_iter();
        found.form_lines =
            new.filter(|line| !lines::lines(block).any(|other| other.trim() == line)).collect();
    }
    found.unread = unread;
    found
}

/// The orders of a form, including mistyped ones, that it did not contain when it was mailed.
fn new_lines(block: &Block, form: &str, kind: &dyn Fn(&str) -> LineKind) -> Vec<String> {
    let mailed: Vec<&str> = lines::lines(form).map(str::trim).collect();
    let is_new = |line: &&str| {
        (is_meant(kind(line)) || is_slip(line, kind))
            && !mailed.iter().any(|mailed| mailed.eq_ignore_ascii_case(line))
    };
    lines::lines(block.as_str()).map(str::trim).filter(is_new).map(str::to_owned).collect()
}

/// The orders of a letter, by the order of preference of their places; see [`find_orders`].
fn chosen(search: &Search<'_>, blocks: Blocks, attachment: Option<&str>) -> Found {
    let Blocks { own, sent_back, quoted } = blocks;
    let blocks = [own.as_ref().map(|(span, _)| span), sent_back.as_ref(), quoted.as_ref()];
    let outside = |at: usize| !blocks.into_iter().flatten().any(|span| span.holds(at));
    let told = search.told(outside);
    let words = Words::of(&told, search.struck(outside));
    if let Some(found) = own.and_then(|(span, block)| in_own_block(search, &span, block, &words)) {
        return found;
    }
    let attached = attachment.map(|file| attached_block(file, search.kind));
    if let Some(block) = attached.as_ref().filter(|block| search.brings_orders(block)) {
        return words.with_form(block.clone(), Source::Attached);
    }
    let filled_in = quoted.map(|span| (search.block(&span), span.is_edited(search.lines, search.kind)));
    let unmarked = sent_back.map(|span| search.block(&span));
    in_form_or_words(search, filled_in, attached.as_ref(), unmarked.as_ref(), &words)
}

/// A letter that is searched for orders.
struct Search<'a> {
    lines: &'a [VoicedLine<'a>],
    /// The form that was mailed to its sender.
    form: &'a str,
    kind: &'a dyn Fn(&str) -> LineKind,
}

impl<'a> Search<'a> {
    fn block(&self, span: &BlockSpan) -> Block {
        span.block(self.lines, self.kind)
    }

    /// The player's own first block at or after a line.
    fn own_block(&self, from: usize) -> Option<(BlockSpan, Block)> {
        let is_own = |voice| voice != Voice::Quoted;
        let span = BlockSpan::find(self.lines, from, is_own, is_own)?;
        let block = self.block(&span);
        Some((span, block))
    }

    fn has_order(&self, block: &Block) -> bool {
        lines::lines(block.as_str()).any(|line| is_meant((self.kind)(line)))
    }

    /// The lines of a kind in a text.
    fn lines_of<'b>(&self, text: &'b str, wanted: LineKind) -> impl Iterator<Item = &'b str> {
        lines::lines(text).map(str::trim).filter(move |line| (self.kind)(line) == wanted)
    }

    /// Whether a block has exactly the orders that the form had when it was mailed.
    fn is_sent_back(&self, block: &Block) -> bool {
        let adds_aside = || {
            let mut asides = self.lines_of(block.as_str(), LineKind::Aside);
            let is_mailed = |line: &str| {
                self.lines_of(self.form, LineKind::Aside).any(|mailed| mailed.eq_ignore_ascii_case(line))
            };
            asides.any(|line| !is_mailed(line))
        };
        // Most blocks already differ in their first order.
        let mut mailed = self.lines_of(self.form, LineKind::Order);
        !self.form.is_empty()
            && self
                .lines_of(block.as_str(), LineKind::Order)
                .all(|line| mailed.next().is_some_and(|mailed| mailed.eq_ignore_ascii_case(line)))
            && mailed.next().is_none()
            && !adds_aside()
    }

    fn brings_orders(&self, block: &Block) -> bool {
        self.has_order(block) && !self.is_sent_back(block)
    }

    /// The mistyped lines in a form.
    fn slips_in(&self, block: &Block) -> Vec<String> {
        let mailed: Vec<&str> = lines::lines(self.form).map(str::trim).collect();
        let is_new = |line: &&str| !mailed.iter().any(|mailed| mailed.eq_ignore_ascii_case(line));
        let lines = lines::lines(block.as_str()).map(str::trim);
        let slips = lines.filter(|line| is_slip(line, self.kind)).filter(is_new);
        slips.filter(|_| !self.form.is_empty()).map(str::to_owned).collect()
    }

    /// The salts that were filled in in these blocks, if the player wrote no other salt.
    fn salts_in<'b>(&self, blocks: impl Iterator<Item = &'b Block>, said: &[&str]) -> Vec<String> {
        let mailed: Vec<&str> = lines::lines(self.form).map(str::trim).collect();
        let of_form = blocks.flat_map(|block| lines::lines(block.as_str())).map(str::trim);
        let is_salt = |line: &&str| Block::canonical(line).salt() && !mailed.contains(line);
        let has_own = said.iter().any(|line| Block::canonical(line).salt());
        of_form.filter(is_salt).filter(|_| !self.form.is_empty() && !has_own).map(str::to_owned).collect()
    }

    /// The player's own lines outside blocks, as the rules read them.
    fn told(&self, outside: impl Fn(usize) -> bool) -> Vec<(LineKind, Cow<'a, str>)> {
        let lines = self.lines.iter().enumerate();
        let written = lines.filter(|(at, line)| line.voice == Voice::Written && outside(*at));
        let written = written.map(|(_, line)| line.text).filter(|text| !text.trim().is_empty());
        written.map(|text| as_read(text, self.kind)).map(|text| ((self.kind)(&text), text)).collect()
    }

    /// The struck-out lines. They are reported, so that the player sees how they were understood.
    fn struck(&self, outside: impl Fn(usize) -> bool) -> Vec<String> {
        let struck_out = |at: usize, line: &VoicedLine<'_>| {
            is_struck(line.text) && (line.voice == Voice::Written || !outside(at))
        };
        let struck = self.lines.iter().enumerate().filter(|(at, line)| struck_out(*at, line));
        struck.map(|(_, line)| line.text.trim().to_owned()).collect()
    }
}

/// The explicit blocks of a letter.
struct Blocks {
    /// The player's own.
    own: Option<(BlockSpan, Block)>,
    /// The form right below its key line, unchanged.
    sent_back: Option<BlockSpan>,
    /// The block in the quotation.
    quoted: Option<BlockSpan>,
}

impl Blocks {
    fn of(search: &Search<'_>) -> Self {
        let (own, sent_back) = match search.own_block(0) {
            Some((span, block))
                if span.is_below_key(search.lines, search.kind) && search.is_sent_back(&block) =>
            {
                (search.own_block(span.behind), Some(span))
            }
            own => (own, None),
        };
        Self { own, sent_back, quoted: BlockSpan::quoted(search.lines) }
    }
}

/// The player's own lines outside the blocks of a letter, by kind.
struct Words<'a> {
    told: &'a [(LineKind, Cow<'a, str>)],
    /// The lines that are not prose.
    said: Vec<&'a str>,
    /// The mistyped orders.
    slips: Vec<&'a str>,
    has_order: bool,
    has_aside: bool,
    /// The struck-out lines, outside or inside a block.
    struck: Vec<String>,
}

impl<'a> Words<'a> {
    fn of(told: &'a [(LineKind, Cow<'a, str>)], struck: Vec<String>) -> Self {
        let has = |wanted: LineKind| told.iter().any(|(kind, _)| *kind == wanted);
        let (has_order, has_aside) = (has(LineKind::Order), has(LineKind::Aside));
        let said = told.iter().filter(|(kind, _)| *kind != LineKind::Prose).map(|(_, text)| &**text);
        let slips = told.iter().filter(|(kind, text)| is_slip(text, &|_| *kind)).map(|(_, text)| &**text);
        Self { told, said: said.collect(), slips: slips.collect(), has_order, has_aside, struck }
    }

    /// The lines that count without marks.
    fn loose(&self) -> &[&'a str] {
        if self.has_order || self.has_aside { &self.said } else { &[] }
    }

    fn prose(&self) -> Vec<String> {
        let prose =
            self.told.iter().filter(|(kind, _)| *kind == LineKind::Prose).map(|(_, text)| text.trim());
        prose
            .filter(|line| {
                !line.starts_with('#') && !is_mark(line) && !is_struck(line) && read_key_line(line).is_none()
            })
            .map(str::to_owned)
            .collect()
    }

    fn found(&self, orders: Orders, passed_over: Vec<String>) -> Found {
        let passed_over = passed_over.into_iter().chain(self.struck.iter().cloned()).collect();
        Found { orders, passed_over, form_lines: Vec::new(), letter: Vec::new(), unread: Vec::new() }
    }

    fn beside_block(&self, orders: Orders) -> Found {
        let beside = if self.loose().is_empty() { &self.slips } else { self.loose() };
        Found { letter: self.prose(), ..self.found(orders, trimmed(beside)) }
    }

    /// The orders of a form, together with the player's own lines if none of them is an order.
    fn with_form(&self, block: Block, source: Source) -> Found {
        let joins = !self.said.is_empty() && !self.has_order && self.slips.is_empty();
        if !joins {
            let block = Orders::Block { block, source };
            return Found { letter: self.prose(), ..self.found(block, trimmed(&self.said)) };
        }
        let block = block_of(self.said.iter().copied().chain(lines::lines(block.as_str())));
        Found { letter: self.prose(), ..self.found(Orders::Block { block, source }, Vec::new()) }
    }

    fn with_salts(&self, salts: &[String]) -> Block {
        block_of(self.loose().iter().copied().chain(salts.iter().map(String::as_str)))
    }
}

fn trimmed(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|text| text.trim().to_owned()).collect()
}

/// The orders of the player's own block, if it counts.
fn in_own_block(search: &Search<'_>, span: &BlockSpan, block: Block, words: &Words<'_>) -> Option<Found> {
    let has_order = search.has_order(&block);
    // A player who strikes out all lines of a block gives no orders; that must not withdraw the present ones.
    let is_left_empty = || search.lines[span.first..span.behind].iter().any(|line| is_struck(line.text));
    if !span.ended {
        return has_order.then(|| words.beside_block(Orders::Unterminated(block)));
    }
    // A block that was copied with its key line, or quoted in an unknown way, is a form even so.
    if has_order && span.is_below_key(search.lines, search.kind) {
        return Some(words.with_form(block, Source::Written));
    }
    let counts = has_order || words.loose().is_empty() && !is_left_empty();
    counts.then(|| words.beside_block(Orders::Block { block, source: Source::Written }))
}

/// The orders of a form in the quotation, if the player edited it, or the orders that he wrote without marks. `unmarked`: a form that he sent back
/// without quote marks.
fn in_form_or_words(
    search: &Search<'_>,
    filled_in: Option<(Block, bool)>,
    attached: Option<&Block>,
    unmarked: Option<&Block>,
    words: &Words<'_>,
) -> Found {
    let filled_in = match filled_in {
        Some((block, edited)) if search.brings_orders(&block) && (edited || !words.has_order) => {
            return words.with_form(block, Source::Quoted);
        }
        filled_in => filled_in.map(|(block, _)| block),
    };
    // A salt that was filled in in the form belongs to the orders that count.
    let salts = || search.salts_in(filled_in.iter().chain(unmarked), &words.said);
    if words.has_order {
        let new = |block: &Block| new_lines(block, search.form, search.kind);
        let form_lines: Vec<String> = filled_in.iter().flat_map(new).collect();
        // A block below the player's own orders is not the form but an older mail.
        let salts = if form_lines.is_empty() { salts() } else { Vec::new() };
        let orders = Orders::Recognised(words.with_salts(&salts));
        return Found { form_lines, ..words.found(orders, words.prose()) };
    }
    let forms = filled_in.iter().chain(attached).chain(unmarked);
    let slipped: Vec<String> = forms.flat_map(|block| search.slips_in(block)).collect();
    let has_slips = !words.slips.is_empty();
    let loose = words.loose();
    if !slipped.is_empty() {
        // Nothing that was entered into the form can be read; a `READY` above it must not run the turn without these lines.
        let all = words.said.iter().copied().chain(slipped.iter().map(String::as_str));
        words.found(Orders::Slips(block_of(all)), Vec::new())
    } else if has_slips && loose.is_empty() {
        words.found(Orders::Slips(block_of(&words.said)), Vec::new())
    } else if has_slips {
        words.found(Orders::Recognised(block_of(loose)), words.prose())
    } else if !loose.is_empty() {
        words.found(Orders::Aside(words.with_salts(&salts())), words.prose())
    } else {
        words.found(Orders::None, Vec::new())
    }
}

/// The blocks of a letter that may be the form that was mailed to its sender, for a caller who doesn't know that form.
pub fn possible_forms(text: &str, attachment: Option<&str>) -> Vec<Block> {
    let kind = &|_: &str| LineKind::Prose;
    let lines = tell_voices(text);
    let written = BlockSpan::find(&lines, 0, |voice| voice != Voice::Quoted, |voice| voice != Voice::Quoted);
    let written = written.filter(|span| span.is_below_key(&lines, kind));
    let quoted = BlockSpan::quoted(&lines);
    let blocks = [written, quoted].into_iter().flatten().map(|span| span.block(&lines, kind));
    let mut forms: Vec<Block> = blocks.chain(attachment.map(|file| attached_block(file, kind))).collect();
    forms.dedup();
    forms
}

/// A block of these lines, without key lines and struck-out lines.
fn block_of(lines: impl IntoIterator<Item = impl AsRef<str>>) -> Block {
    let mut kept = String::new();
    for line in lines {
        let line = line.as_ref();
        if read_key_line(line).is_none() && !is_struck(line) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    Block::canonical(&kept)
}

/// The block in an attached file; the whole file if it has no marks, like the receipt's `orders.txt`.
fn attached_block(file: &str, kind: &dyn Fn(&str) -> LineKind) -> Block {
    let lines: Vec<VoicedLine<'_>> =
        file.lines().map(|text| VoicedLine { voice: Voice::Written, text }).collect();
    let span = BlockSpan::find(&lines, 0, |_| true, |_| true);
    span.unwrap_or(BlockSpan { first: 0, behind: lines.len(), ended: false }).block(&lines, kind)
}

/// An explicit block: the index of its first line and of the line after its last. Marks are found in the lines as written, since they count in any
/// spelling; only the block's own lines are then normalised, not a long quotation beside it.
#[derive(Clone, Copy)]
struct BlockSpan {
    first: usize,
    behind: usize,
    /// Whether `END ORDERS` closes it.
    ended: bool,
}

impl BlockSpan {
    /// The first block of a quotation.
    fn quoted(lines: &[VoicedLine<'_>]) -> Option<Self> {
        Self::find(lines, 0, |voice| voice == Voice::Quoted, |_| true).filter(|span| span.ended)
    }

    /// The first `BEGIN ORDERS` at or after a line in a voice that may begin a block, up to the next `END ORDERS` in a voice that may end it. Without
    /// an end, up to the end of the player's own lines.
    fn find(
        lines: &[VoicedLine<'_>],
        from: usize,
        begins: impl Fn(Voice) -> bool,
        ends: impl Fn(Voice) -> bool,
    ) -> Option<Self> {
        let is_begin = |line: &VoicedLine<'_>| begins(line.voice) && begins_block(line.text);
        let first = from + 1 + lines[from..].iter().position(is_begin)?;
        let rest = &lines[first..];
        if let Some(length) = rest.iter().position(|line| ends(line.voice) && ends_block(line.text)) {
            return Some(Self { first, behind: first + length, ended: true });
        }
        let length = rest.iter().position(|line| line.voice != Voice::Written).unwrap_or(rest.len());
        Some(Self { first, behind: first + length, ended: false })
    }

    /// Whether a key line stands directly above its first line, as in a form.
    fn is_below_key(&self, lines: &[VoicedLine<'_>], kind: &dyn Fn(&str) -> LineKind) -> bool {
        let above = lines[..self.first - 1].iter().rfind(|line| !line.text.trim().is_empty());
        above.is_some_and(|line| read_key_line(&as_read(line.text, kind)).is_some())
    }

    fn holds(&self, at: usize) -> bool {
        (self.first..self.behind).contains(&at)
    }

    fn block(&self, lines: &[VoicedLine<'_>], kind: &dyn Fn(&str) -> LineKind) -> Block {
        block_of(unwrapped(lines[self.first..self.behind].iter().map(|line| as_read(line.text, kind))))
    }

    fn is_edited(&self, lines: &[VoicedLine<'_>], kind: &dyn Fn(&str) -> LineKind) -> bool {
        lines[self.first..self.behind]
            .iter()
            .any(|line| line.voice != Voice::Quoted && is_meant(kind(&as_read(line.text, kind))))
    }
}

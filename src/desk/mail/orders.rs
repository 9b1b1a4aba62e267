//! The order block of a letter, where a player may write it in many ways and places.

use std::borrow::Cow;

use super::line::{LineKind, begins_block, ends_block, is_mark, is_meant, is_slip};
use super::reading::tell_voices;
use super::route::read_key_line;
use super::spelling::as_read;
use super::struck::is_struck;
use super::unread::{self, Unread};
use super::wrapped::unwrapped;
use musterd_dice::Block;
use musterd_letter::{Line, Voice};
use musterd_text::lines;

/// Where an explicit block stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// In what the player wrote.
    Written,
    /// In an attached file.
    Attached,
    /// Inside the quoted mail: the player filled in the form there.
    Quoted,
}

/// The orders of a letter. No block holds a key line: blocks become public, and the secret in it must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Orders {
    /// The lines between `BEGIN ORDERS` and `END ORDERS`, possibly none, spelt as the rules read them; or a whole attached file without these marks.
    Block {
        /// The lines.
        block: Block,
        /// Where it stood.
        source: Source,
    },
    /// Order lines that the player wrote without marks, other text left out.
    Recognised(Block),
    /// Lines without marks that are said beside orders, none of them an order: they leave the set that stands as it is.
    Aside(Block),
    /// Mistyped orders without marks and nothing else: they make no set.
    Slips(Block),
    /// `BEGIN ORDERS` without `END ORDERS`: all that follows it up to the signature or the quotation. It holds at least
    /// one order line. It counts as orders, with a remark: a forgotten last line must not cost anybody a turn, and the
    /// receipt shows a mail that was cut short for what it is.
    Unterminated(Block),
    /// None at all.
    None,
}

impl Orders {
    /// The block, if there is one.
    #[must_use]
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

/// The orders of a letter, and what was not taken for orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The orders.
    pub orders: Orders,
    /// Of what the player wrote, trimmed: beside recognised orders all other lines, but for comments, key lines and what
    /// stands below a signature mark; beside a block the lines that look like orders. And lines that are struck out, wherever they stand, between `~~`,
    /// even if there are no orders.
    pub passed_over: Vec<String>,
    /// Changed lines of a quoted form that were not read, since the player wrote orders of his own above it.
    pub form_lines: Vec<String>,
    /// What the player wrote round a block.
    pub letter: Vec<String>,
    /// What else may hold orders and was not read.
    pub unread: Vec<Unread>,
}

/// Finds the order block of a letter. `form` is the order form that was mailed to its sender, empty if there was none; `kind`
/// says what a line is to the rules of the game.
///
/// The first of these that the letter has:
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
/// Lines of the player's own that are no orders (`READY`, a salt) never outweigh a form: they join its orders, where nothing else of his
/// own looks like one.
///
/// A quoted or attached form without an order line is never an empty block, and one with the order lines that it was mailed
/// with is none at all: a player who answers a dispatch with thanks doesn't cancel the orders sent before. Neither is such a
/// form right below its key line: some program quoted it in a way that we don't know.
#[must_use]
pub fn find_orders(
    text: &str,
    attachment: Option<&str>,
    form: &str,
    kind: &dyn Fn(&str) -> LineKind,
) -> Found {
    find_in(&tell_voices(text), attachment, form, kind)
}

/// The same in a text whose voices are told apart.
pub(super) fn find_in(
    lines: &[Line<'_>],
    attachment: Option<&str>,
    form: &str,
    kind: &dyn Fn(&str) -> LineKind,
) -> Found {
    // A ruleset may well read END ORDERS as an order: END closes a section of La Grande Armee's.
    let kind = &|line: &str| if is_mark(line) { LineKind::Prose } else { kind(line.trim()) };
    let mut found = chosen(lines, attachment, form, kind);
    let quoted = Span::quoted(lines);
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

/// The orders of a form, mistyped ones too, that it was not mailed with.
fn new_lines(block: &Block, form: &str, kind: &dyn Fn(&str) -> LineKind) -> Vec<String> {
    let mailed: Vec<&str> = lines::lines(form).map(str::trim).collect();
    let is_new = |line: &&str| {
        (is_meant(kind(line)) || is_slip(line, kind))
            && !mailed.iter().any(|mailed| mailed.eq_ignore_ascii_case(line))
    };
    lines::lines(block.as_str()).map(str::trim).filter(is_new).map(str::to_owned).collect()
}

fn chosen(
    lines: &[Line<'_>],
    attachment: Option<&str>,
    form: &str,
    kind: &dyn Fn(&str) -> LineKind,
) -> Found {
    let block = |span: &Span| span.block(lines, kind);
    let has_order = |block: &Block| lines::lines(block.as_str()).any(|line| is_meant(kind(line)));
    let is_sent_back = |block: &Block| {
        let of = |text: &str, wanted: LineKind| -> Vec<String> {
            let lines = lines::lines(text).map(str::trim).filter(|line| kind(line) == wanted);
            lines.map(str::to_ascii_lowercase).collect()
        };
        let adds = |wanted: LineKind| {
            let mailed = of(form, wanted);
            of(block.as_str(), wanted).iter().any(|line| !mailed.contains(line))
        };
        !form.is_empty()
            && of(block.as_str(), LineKind::Order) == of(form, LineKind::Order)
            && !adds(LineKind::Aside)
    };
    let brings_orders = |block: &Block| has_order(block) && !is_sent_back(block);
    let is_slip = |line: &&str| is_slip(line, kind);
    // What was mistyped in a form.
    let slips_in = |block: &Block| -> Vec<String> {
        let mailed: Vec<&str> = lines::lines(form).map(str::trim).collect();
        let is_new = |line: &&str| !mailed.iter().any(|mailed| mailed.eq_ignore_ascii_case(line));
        let slips = lines::lines(block.as_str()).map(str::trim).filter(is_slip).filter(is_new);
        slips.filter(|_| !form.is_empty()).map(str::to_owned).collect()
    };
    let own = |from: usize| {
        let span = Span::find(lines, from, |voice| voice != Voice::Quoted, |voice| voice != Voice::Quoted)?;
        let block = block(&span);
        Some((span, block))
    };
    let (own, sent_back) = match own(0) {
        Some((span, block)) if span.is_below_key(lines, kind) && is_sent_back(&block) => {
            (own(span.behind), Some(span))
        }
        own => (own, None),
    };
    let quoted = Span::quoted(lines);
    let blocks = [own.as_ref().map(|(span, _)| span), sent_back.as_ref(), quoted.as_ref()];
    let outside = |at: usize| !blocks.into_iter().flatten().any(|span| span.holds(at));
    let written = lines.iter().enumerate().filter(|(at, line)| line.voice == Voice::Written && outside(*at));
    let written = written.map(|(_, line)| line.text).filter(|text| !text.trim().is_empty());
    let told: Vec<(LineKind, Cow<'_, str>)> =
        written.map(|text| as_read(text, kind)).map(|text| (kind(&text), text)).collect();
    let has = |wanted: LineKind| told.iter().any(|(kind, _)| *kind == wanted);
    let said: Vec<&str> =
        told.iter().filter(|(kind, _)| *kind != LineKind::Prose).map(|(_, text)| &**text).collect();
    let has_slips = said.iter().any(is_slip);
    let loose = if has(LineKind::Order) || has(LineKind::Aside) { &said[..] } else { &[] };
    // Whoever struck an order out sees that it was taken for that.
    let struck_out =
        |at: usize, line: &Line<'_>| is_struck(line.text) && (line.voice == Voice::Written || !outside(at));
    let struck = lines.iter().enumerate().filter(|(at, line)| struck_out(*at, line));
    let struck: Vec<String> = struck.map(|(_, line)| line.text.trim().to_owned()).collect();
    let prose = || {
        let prose = told.iter().filter(|(kind, _)| *kind == LineKind::Prose).map(|(_, text)| text.trim());
        prose
            .filter(|line| {
                !line.starts_with('#') && !is_mark(line) && !is_struck(line) && read_key_line(line).is_none()
            })
            .map(str::to_owned)
    };
    let found = |orders: Orders, passed_over: Vec<String>| {
        let passed_over = passed_over.into_iter().chain(struck.iter().cloned()).collect();
        Found { orders, passed_over, form_lines: Vec::new(), letter: Vec::new(), unread: Vec::new() }
    };
    let trimmed = |lines: &[&str]| lines.iter().map(|text| text.trim().to_owned()).collect();
    let slips: Vec<&str> = said.iter().copied().filter(is_slip).collect();
    let beside = if loose.is_empty() { &slips[..] } else { loose };
    let beside_block = |orders: Orders| Found { letter: prose().collect(), ..found(orders, trimmed(beside)) };
    let joins = !said.is_empty() && !has(LineKind::Order) && !has_slips;
    let with_form = |block: Block, source: Source| {
        if !joins {
            let block = Orders::Block { block, source };
            return Found { letter: prose().collect(), ..found(block, trimmed(&said)) };
        }
        let block = block_of(said.iter().copied().chain(lines::lines(block.as_str())));
        Found { letter: prose().collect(), ..found(Orders::Block { block, source }, Vec::new()) }
    };

    // Whoever strikes all lines out of a block gives no orders; that isn't to take back those that stand.
    let is_left_empty = |span: &Span| lines[span.first..span.behind].iter().any(|line| is_struck(line.text));
    match own {
        // Copied with its key line, or quoted in a way that we don't know: a form all the same.
        Some((span, block)) if span.ended && span.is_below_key(lines, kind) && has_order(&block) => {
            return with_form(block, Source::Written);
        }
        Some((span, block))
            if span.ended && (has_order(&block) || loose.is_empty() && !is_left_empty(&span)) =>
        {
            return beside_block(Orders::Block { block, source: Source::Written });
        }
        Some((span, block)) if !span.ended && has_order(&block) => {
            return beside_block(Orders::Unterminated(block));
        }
        _ => {}
    }
    let attached = attachment.map(|file| attached_block(file, kind));
    if let Some(block) = attached.as_ref().filter(|block| brings_orders(block)) {
        return with_form(block.clone(), Source::Attached);
    }
    let filled_in = quoted.map(|span| (block(&span), span.is_edited(lines, kind)));
    let unmarked = sent_back.as_ref().map(block);
    let slipped = |filled_in: &Option<(Block, bool)>| -> Vec<String> {
        filled_in
            .iter()
            .map(|(block, _)| block)
            .chain(&attached)
            .chain(&unmarked)
            .flat_map(slips_in)
            .collect()
    };
    // A salt that was filled in in the form goes with what counts.
    let salts_in = |filled_in: &Option<(Block, bool)>| -> Vec<String> {
        let mailed: Vec<&str> = lines::lines(form).map(str::trim).collect();
        let blocks = filled_in.iter().map(|(block, _)| block).chain(&unmarked);
        let of_form = blocks.flat_map(|block| lines::lines(block.as_str())).map(str::trim);
        let is_salt = |line: &&str| Block::canonical(line).salt() && !mailed.contains(line);
        let has_own = said.iter().any(|line| Block::canonical(line).salt());
        of_form.filter(is_salt).filter(|_| !form.is_empty() && !has_own).map(str::to_owned).collect()
    };
    let with_salts = |salts: &[String]| -> Vec<String> {
        loose.iter().map(|line| (*line).to_owned()).chain(salts.iter().cloned()).collect()
    };
    match filled_in {
        Some((block, edited)) if brings_orders(&block) && (edited || !has(LineKind::Order)) => {
            with_form(block, Source::Quoted)
        }
        filled_in if has(LineKind::Order) => {
            let form_lines: Vec<String> =
                filled_in.iter().flat_map(|(block, _)| new_lines(block, form, kind)).collect();
            // Below orders of its own a block is no form, but an older mail.
            let salts = if form_lines.is_empty() { salts_in(&filled_in) } else { Vec::new() };
            let orders = Orders::Recognised(block_of(with_salts(&salts)));
            Found { form_lines, ..found(orders, prose().collect()) }
        }
        // Nothing that was put into the form can be read: a READY on top runs no turn without it.
        filled_in if !slipped(&filled_in).is_empty() => {
            let slips = slipped(&filled_in);
            let all = said.iter().copied().chain(slips.iter().map(String::as_str));
            found(Orders::Slips(block_of(all)), Vec::new())
        }
        _ if has_slips && loose.is_empty() => found(Orders::Slips(block_of(&said)), Vec::new()),
        _ if has_slips => found(Orders::Recognised(block_of(loose)), prose().collect()),
        filled_in if !loose.is_empty() => {
            let salts = salts_in(&filled_in);
            found(Orders::Aside(block_of(with_salts(&salts))), prose().collect())
        }
        _ => found(Orders::None, Vec::new()),
    }
}

/// The blocks of a letter that may be the form that its sender was mailed, for somebody who doesn't know that one.
#[must_use]
pub fn possible_forms(text: &str, attachment: Option<&str>) -> Vec<Block> {
    let kind = &|_: &str| LineKind::Prose;
    let lines = tell_voices(text);
    let written = Span::find(&lines, 0, |voice| voice != Voice::Quoted, |voice| voice != Voice::Quoted);
    let written = written.filter(|span| span.is_below_key(&lines, kind));
    let quoted = Span::quoted(&lines);
    let blocks = [written, quoted].into_iter().flatten().map(|span| span.block(&lines, kind));
    let mut forms: Vec<Block> = blocks.chain(attachment.map(|file| attached_block(file, kind))).collect();
    forms.dedup();
    forms
}

/// The block of these lines, key lines and what is struck out left out.
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

/// An attached file's block; the whole file if it has no marks, as the receipt's `orders.txt` has none.
fn attached_block(file: &str, kind: &dyn Fn(&str) -> LineKind) -> Block {
    let lines: Vec<Line<'_>> = file.lines().map(|text| Line { voice: Voice::Written, text }).collect();
    let span = Span::find(&lines, 0, |_| true, |_| true);
    span.unwrap_or(Span { first: 0, behind: lines.len(), ended: false }).block(&lines, kind)
}

/// An explicit block: the places of its first line and of the line behind its last. It is found in the lines as they were written,
/// since a mark is one however it is spelt; only its own lines are read as the rules read them, and not a long quotation beside it.
struct Span {
    first: usize,
    behind: usize,
    /// Whether an `END ORDERS` closes it.
    ended: bool,
}

impl Span {
    /// The first block of a quotation.
    fn quoted(lines: &[Line<'_>]) -> Option<Self> {
        Self::find(lines, 0, |voice| voice == Voice::Quoted, |_| true).filter(|span| span.ended)
    }

    /// The first `BEGIN ORDERS` at or behind a line in a voice that may begin, up to the next `END ORDERS` in a voice that may
    /// end. Without one, up to where the player stops speaking.
    fn find(
        lines: &[Line<'_>],
        from: usize,
        begins: impl Fn(Voice) -> bool,
        ends: impl Fn(Voice) -> bool,
    ) -> Option<Self> {
        let is_begin = |line: &Line<'_>| begins(line.voice) && begins_block(line.text);
        let first = from + 1 + lines[from..].iter().position(is_begin)?;
        let rest = &lines[first..];
        if let Some(length) = rest.iter().position(|line| ends(line.voice) && ends_block(line.text)) {
            return Some(Self { first, behind: first + length, ended: true });
        }
        let length = rest.iter().position(|line| line.voice != Voice::Written).unwrap_or(rest.len());
        Some(Self { first, behind: first + length, ended: false })
    }

    /// Whether a key line stands right above its first line, as it does in a form.
    fn is_below_key(&self, lines: &[Line<'_>], kind: &dyn Fn(&str) -> LineKind) -> bool {
        let above = lines[..self.first - 1].iter().rfind(|line| !line.text.trim().is_empty());
        above.is_some_and(|line| read_key_line(&as_read(line.text, kind)).is_some())
    }

    fn holds(&self, at: usize) -> bool {
        (self.first..self.behind).contains(&at)
    }

    fn block(&self, lines: &[Line<'_>], kind: &dyn Fn(&str) -> LineKind) -> Block {
        block_of(unwrapped(lines[self.first..self.behind].iter().map(|line| as_read(line.text, kind))))
    }

    fn is_edited(&self, lines: &[Line<'_>], kind: &dyn Fn(&str) -> LineKind) -> bool {
        lines[self.first..self.behind]
            .iter()
            .any(|line| line.voice != Voice::Quoted && is_meant(kind(&as_read(line.text, kind))))
    }
}

//! Converts HTML mail to text, line for line as its writer saw it.
//!
//! This needs code of its own, because each line of a mail may have a meaning by itself: the usual converters merge `<div>`s, draw tables, mark
//! links, or build a tree that a hostile mail can make quadratic in size. This converter reads the text once from front to back, keeps no tree, and
//! knows of each element only whether it breaks a line, quotes, or keeps its spaces.

use mail_parser::decoders::html::add_html_token;

use super::quotation::is_quotation;
use super::struck;
use super::unseen::{Unseen, VOID};

/// Elements that stand on lines of their own.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "html",
    "li",
    "listing",
    "main",
    "menu",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "textarea",
    "tfoot",
    "thead",
    "title",
    "tr",
    "ul",
    "xmp",
];

/// Elements whose content isn't shown.
const HIDDEN: &[&str] = &["script", "style", "title", "template", "noembed", "noframes", "iframe", "svg"];

/// Elements that keep spaces and line ends.
const VERBATIM: &[&str] = &["pre", "textarea", "listing", "xmp"];

/// How often a page is read again without the elements that were never closed. After that, everything in it counts as visible.
const MOST_MENDED: usize = 2;

/// The longest entity name that is looked up, so that a stray `&` costs no time.
const LONGEST_ENTITY: usize = 33;

/// The text of an HTML page: blocks and `<br>` end lines, the cells of a table row are joined by spaces, quotations get `> ` marks, spaces collapse
/// except where the page keeps them. Invisible text is left out, and struck-out text stands between [`struck::BEGIN`] and [`struck::END`]; an element
/// that is never closed neither hides nor strikes out anything. Time and memory are linear in the length: a closing tag that a broken page lacks is
/// searched for only once.
pub(super) fn to_text(html: &str) -> String {
    let mut styles = Vec::new();
    let looking = |unseen| Page { unseen: Some(unseen), ..Page::default() };
    let mut page = read(html, looking(Unseen::default()), &mut styles);
    let styled = Unseen::with_styles(&styles);
    if styled.has_styles() {
        page = read(html, looking(styled), &mut Vec::new());
    }
    for _ in 0..MOST_MENDED {
        match page.unseen.take().map(Unseen::without_unclosed) {
            Some(Err(mended)) => page = read(html, looking(mended), &mut Vec::new()),
            Some(Ok(_)) | None => return page.finish(),
        }
    }
    let is_broken = page.unseen.take().is_some_and(|unseen| unseen.without_unclosed().is_err());
    if is_broken { read(html, Page::default(), &mut Vec::new()).finish() } else { page.finish() }
}

/// Reads a page. The contents of its `<style>` elements go to `styles`, since such an element also applies to the text above it.
fn read<'a>(html: &'a str, mut page: Page, styles: &mut Vec<&'a str>) -> Page {
    let (mut quotes_close, mut hidden_closes) = (true, true);
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        page.text(&rest[..at]);
        rest = &rest[at..];
        match Markup::read(rest, &mut quotes_close) {
            Markup::Literal => {
                page.text("<");
                rest = &rest[1..];
            }
            Markup::Skipped(length) => rest = &rest[length..],
            Markup::Tag { name, attributes, closing, length } => {
                rest = &rest[length..];
                if !closing && hidden_closes && HIDDEN.contains(&name.as_str()) {
                    let after = after_hidden(rest, &name);
                    hidden_closes = after.is_some();
                    if let Some(after) = after.filter(|_| name == "style") {
                        styles.push(&rest[..rest.len() - after.len()]);
                    }
                    rest = after.unwrap_or(rest);
                } else {
                    page.tag(&name, attributes, closing);
                }
            }
        }
    }
    page.text(rest);
    page
}

/// The meaning of a `<`.
enum Markup<'a> {
    /// A less-than sign that begins no tag.
    Literal,
    /// A comment, a declaration or an unfinished tag, with its length in bytes.
    Skipped(usize),
    Tag {
        name: String,
        attributes: &'a str,
        closing: bool,
        length: usize,
    },
}

impl<'a> Markup<'a> {
    fn read(at: &'a str, quotes_close: &mut bool) -> Self {
        let up_to = |end: &str| at.find(end).map_or(at.len(), |found| found + end.len());
        if at.starts_with("<!--") {
            return Self::Skipped(if at.starts_with("<!-->") { 5 } else { up_to("-->") });
        }
        if at.starts_with("<!") || at.starts_with("<?") {
            return Self::Skipped(up_to(">"));
        }
        let closing = at.starts_with("</");
        let body = &at[if closing { 2 } else { 1 }..];
        if !body.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Self::Literal;
        }
        let mut quote = None;
        let end = body.bytes().position(|byte| match (quote, byte) {
            (None, b'>') => true,
            (None, b'"' | b'\'') if *quotes_close => {
                quote = Some(byte);
                false
            }
            (Some(open), _) if open == byte => {
                quote = None;
                false
            }
            _ => false,
        });
        // If a quote is never closed, it would swallow the mail: then tags end at their first `>`.
        *quotes_close &= end.is_some();
        let Some(end) = end.or_else(|| body.find('>')) else { return Self::Skipped(at.len()) };
        let name_end = body[..end].find(|c: char| c.is_whitespace() || c == '/').unwrap_or(end);
        let length = at.len() - body.len() + end + 1;
        let name = body[..name_end].to_ascii_lowercase();
        Self::Tag { name, attributes: &body[name_end..end], closing, length }
    }
}

/// The text after the closing tag of a hidden element, if it has one: an unclosed `<style>` hides nothing.
fn after_hidden<'a>(rest: &'a str, name: &str) -> Option<&'a str> {
    let (at, _) = rest.match_indices("</").find(|(at, _)| {
        let tag = &rest.as_bytes()[at + 2..];
        tag.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
    })?;
    Some(rest[at..].find('>').map_or("", |end| &rest[at + end + 1..]))
}

/// The gap between the text so far and the next text.
#[derive(Default, PartialEq, Eq, Clone, Copy)]
enum Gap {
    #[default]
    Nothing,
    Space,
    /// The border between two cells of a row. A block inside the cell doesn't turn it into a line end.
    Cell,
    Line,
}

#[derive(Default)]
struct Page {
    done: String,
    line: String,
    /// Whether the text at the end of the line is struck out.
    in_struck: bool,
    gap: Gap,
    quotes: usize,
    /// For each open `<blockquote>`, whether it is a quotation; webmail indents with the same element.
    blockquotes: Vec<bool>,
    /// The element that keeps spaces and line ends, and how many elements of this name are open.
    verbatim: Option<(String, usize)>,
    /// Whether the row has had a cell, so that the next cell continues its line.
    in_row: bool,
    /// The hidden parts of the page; `None` if everything is visible.
    unseen: Option<Unseen>,
}

impl Page {
    fn tag(&mut self, name: &str, attributes: &str, closing: bool) {
        if let Some(unseen) = &mut self.unseen {
            let was_gone = unseen.is_gone();
            unseen.pass(name, attributes, closing);
            if was_gone || unseen.is_gone() {
                return;
            }
        }
        match (name, closing) {
            ("br", _) => {
                self.settle();
                self.end_line();
            }
            ("td" | "th", false) => {
                self.gap = if self.in_row { Gap::Cell } else { self.gap };
                self.in_row = true;
            }
            ("tr", _) | ("table", true) => self.in_row = false,
            _ => {}
        }
        let ends_row = matches!(name, "tr" | "table" | "tbody" | "thead" | "tfoot");
        if BLOCKS.contains(&name) && !self.line.is_empty() && (ends_row || self.gap != Gap::Cell) {
            self.gap = Gap::Line;
        }
        if name == "blockquote" {
            self.settle();
            if closing {
                self.quotes -= usize::from(self.blockquotes.pop() == Some(true));
            } else {
                let quotes = self.quotes > 0 || is_quotation(attributes, &self.done);
                self.blockquotes.push(quotes);
                self.quotes += usize::from(quotes);
            }
        }
        self.track_verbatim(name, attributes, closing);
    }

    fn track_verbatim(&mut self, name: &str, attributes: &str, closing: bool) {
        match &mut self.verbatim {
            Some((open, count)) if open == name => {
                *count = if closing { *count - 1 } else { *count + 1 };
                if *count == 0 {
                    self.verbatim = None;
                }
            }
            None if !closing
                && !VOID.contains(&name)
                && (VERBATIM.contains(&name) || keeps_spaces(attributes)) =>
            {
                self.verbatim = Some((name.to_owned(), 1));
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.unseen.as_ref().is_some_and(Unseen::hides_text) {
            return;
        }
        let mut rest = text;
        while let Some(at) = rest.find('&') {
            self.literal(&rest[..at]);
            rest = &rest[at..];
            let name_ends = rest.bytes().take(LONGEST_ENTITY).position(|byte| byte == b';');
            match name_ends {
                Some(end) => {
                    let mut decoded = String::new();
                    add_html_token(&mut decoded, &rest.as_bytes()[..=end], false);
                    // The character of an entity is content: `&nbsp;` and `&#32;` don't collapse.
                    self.settle();
                    self.put(&decoded);
                    rest = &rest[end + 1..];
                }
                None => {
                    self.literal("&");
                    rest = &rest[1..];
                }
            }
        }
        self.literal(rest);
    }

    fn literal(&mut self, text: &str) {
        if self.verbatim.is_some() {
            let mut lines = text.split('\n');
            let first = lines.next().unwrap_or_default().trim_end_matches('\r');
            if !first.is_empty() {
                self.settle();
                self.put(first);
            }
            for line in lines {
                self.settle();
                self.end_line();
                self.put(line.trim_end_matches('\r'));
            }
            return;
        }
        for (index, word) in text.split(|c: char| c.is_ascii_whitespace()).enumerate() {
            if index > 0 && self.gap == Gap::Nothing && !self.line.is_empty() {
                self.gap = Gap::Space;
            }
            if !word.is_empty() {
                self.settle();
                self.put(word);
            }
        }
    }

    /// Writes text, with marks if it is struck out.
    fn put(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.strike(self.voids_text());
        self.line.extend(text.chars().filter(|c| ![struck::BEGIN, struck::END].contains(c)));
    }

    fn voids_text(&self) -> bool {
        self.unseen.as_ref().is_some_and(Unseen::voids_text)
    }

    /// Begins or ends a struck-out passage.
    fn strike(&mut self, strikes: bool) {
        if strikes != self.in_struck {
            self.line.push(if strikes { struck::BEGIN } else { struck::END });
            self.in_struck = strikes;
        }
    }

    /// Writes the gap, because text follows it.
    fn settle(&mut self) {
        match std::mem::take(&mut self.gap) {
            Gap::Line => self.end_line(),
            Gap::Space | Gap::Cell if !self.line.is_empty() => {
                // A space between struck-out words and others belongs to the struck-out words.
                self.strike(self.in_struck && self.voids_text());
                self.line.push(' ');
            }
            Gap::Space | Gap::Cell | Gap::Nothing => {}
        }
    }

    fn end_line(&mut self) {
        self.strike(false);
        self.mark_quotation();
        self.done.push_str(&self.line);
        self.done.push('\n');
        self.line.clear();
    }

    fn mark_quotation(&mut self) {
        // More quote marks than any reader needs would let a small mail grow into a large text.
        (0..self.quotes.min(8)).for_each(|_| self.done.push_str("> "));
    }

    fn finish(mut self) -> String {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.done
    }
}

fn keeps_spaces(attributes: &str) -> bool {
    let keeps = |squeezed: String| {
        ["pre", "break-spaces"].iter().any(|way| squeezed.contains(&format!("white-space:{way}")))
    };
    attributes.contains("white-space") && keeps(squeezed(attributes))
}

fn squeezed(attributes: &str) -> String {
    attributes.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::to_text;

    #[test]
    fn blocks_and_breaks_end_lines_once() {
        assert_eq!(to_text("<div>a</div><div>b</div>"), "a\nb\n");
        assert_eq!(to_text("a<br>b<br/>\nc"), "a\nb\nc\n");
        assert_eq!(to_text("<div>a<br></div><div><br></div><p>b</p>"), "a\n\nb\n");
        assert_eq!(to_text("<p>MOVE 1\n TO <b>Ulm</b></p>\n<p>REST</p>"), "MOVE 1 TO Ulm\nREST\n");
    }

    #[test]
    fn the_cells_of_a_row_share_a_line_even_with_paragraphs_inside() {
        let table =
            "<table><tr><td>MOVE</td> <td>1</td></tr><tr><td><p>REST</p></td><td><p>2</p></td></tr></table>";
        assert_eq!(to_text(table), "MOVE 1\nREST 2\n");
        assert_eq!(to_text("<table><tr><td><div>a</div><div>b</div></td></tr></table>c"), "a\nb\nc\n");
    }

    #[test]
    fn kept_spaces_are_kept() {
        assert_eq!(to_text("<pre>a\n  b\n\nc</pre>d  e"), "a\n  b\n\nc\nd e\n");
        assert_eq!(to_text("<div style=\"white-space: pre-wrap\">a\n<div>b</div> c</div>d"), "a\nb\n c\nd\n");
        assert_eq!(to_text("<p style='white-space: break-spaces'>a\nb</p>"), "a\nb\n");
    }

    #[test]
    fn quotations_are_marked_and_indentation_is_not() {
        assert_eq!(to_text("x<blockquote type=cite>a<br>b</blockquote>y"), "x\n> a\n> b\ny\n");
        assert_eq!(to_text("<blockquote style=\"border: none\">a</blockquote>"), "a\n");
        assert_eq!(
            to_text("<blockquote class=gmail_quote>a<blockquote>b</blockquote></blockquote>c"),
            "> a\n> > b\nc\n"
        );
    }

    #[test]
    fn entities_are_decoded_and_hidden_elements_are_not_shown() {
        assert_eq!(
            to_text("<style>p{}</style>a &amp; b&nbsp;&#252;&#xFC; &bogus; & x"),
            "a & b\u{a0}üü &bogus; & x\n"
        );
        assert_eq!(to_text("1 < 2 <!-- > --> <![if x]>3"), "1 < 2 3\n");
        assert_eq!(to_text("<style>orders"), "orders\n");
    }

    #[test]
    fn text_that_nobody_is_shown_is_left_out() {
        assert_eq!(
            to_text("<div style=\"display:none;max-height:0\">MOVE 9<br>x</div><p>MOVE 1</p>"),
            "MOVE 1\n"
        );
        assert_eq!(to_text("MOVE 1<span hidden> TO 2</span><span> TO 3</span>"), "MOVE 1 TO 3\n");
        let table = "<td style=\"font-size:0\">x<div style=\"font-size:14px\">MOVE 1</div><div style=\"font-size:14px\">MOVE 2</div></td>";
        assert_eq!(to_text(table), "MOVE 1\nMOVE 2\n");
        assert_eq!(
            to_text("<blockquote style='display:none'>a</blockquote>b<blockquote type=cite>c</blockquote>"),
            "b\n> c\n"
        );
    }

    #[test]
    fn styles_of_the_page_hide_as_those_of_an_element_do() {
        let hidden = |style: &str| {
            to_text(&format!(
                "<style>{style}</style><p>MOVE 1</p><div class=\"x y\">MOVE 9<br>z</div><p>REST</p>"
            ))
        };
        for style in [
            ".x{display:none}",
            "div.y { font-size:0 }",
            ".x{position:absolute;left:-9999px}",
            ".p{} .x,.q{visibility:hidden}",
        ] {
            let text = hidden(style);
            assert!(
                !text.contains("MOVE 9") && text.starts_with("MOVE 1\n") && text.ends_with("REST\n"),
                "{text}"
            );
        }
        assert_eq!(hidden("@media (max-width:600px){.x{display:none}}"), "MOVE 1\nMOVE 9\nz\nREST\n");
        // The style also applies if it stands below the text.
        assert_eq!(to_text("<p class=x>MOVE 9</p><p>MOVE 1</p><style>.x{display:none}</style>"), "MOVE 1\n");
    }

    #[test]
    fn broken_markup_loses_no_text() {
        assert_eq!(to_text("<div hidden>a<p>MOVE 1</p>"), "a\nMOVE 1\n");
        assert_eq!(to_text("<p hidden>a<p>MOVE 1</p><p>REST 2</p>"), "a\nMOVE 1\nREST 2\n");
        assert_eq!(to_text("<a href=\"x>MOVE 1</a>"), "MOVE 1\n");
        assert_eq!(to_text("</blockquote>a</pre></div>b"), "a\nb\n");
    }
}

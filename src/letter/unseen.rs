//! Text that an HTML page contains but doesn't show, such as the preview line for a list of mails; and text that it shows as void: struck-out text.
//! Text counts as hidden only if there is no doubt. Colours, heights and shapes are ignored: their effect depends on the program that shows the page,
//! and no text that the writer saw must be lost.

use std::collections::BTreeSet;

use super::stylesheet::{Effect, Property, Style, Stylesheet};

/// Elements without content: a style on one of them doesn't apply to the text after it.
pub(super) const VOID: &[&str] = &["br", "col", "hr", "img", "input", "link", "meta", "wbr"];

/// The deepest nesting of hiding or showing elements that is followed: each level costs time at every tag.
const DEEPEST: usize = 40;

/// Keeps track of the hidden parts of a page while the page is read from front to back.
#[derive(Default)]
pub(super) struct Unseen {
    /// The styles of the page.
    sheet: Stylesheet,
    /// The open elements that changed the visibility.
    frames: Vec<Frame>,
    now: Look,
    /// The number of tags that have opened an element.
    tags: usize,
    /// The numbers of tags whose elements are known to be never closed.
    unclosed: BTreeSet<usize>,
}

struct Frame {
    name: String,
    /// The numbers of the tags that opened the still open elements of this name, this one included.
    open: Vec<usize>,
    /// The look outside the element.
    before: Look,
}

/// The look of text, as far as it decides whether a reader sees the text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Look {
    /// The text takes no room; nothing inside can be visible again.
    gone: bool,
    /// The letters have no size. Elements inside may have one.
    without_size: bool,
    /// The text takes room but isn't drawn. Elements inside may be drawn.
    invisible: bool,
    /// The text is struck out, with everything inside.
    struck: bool,
}

impl Unseen {
    /// A tracker with the contents of the page's `<style>` elements.
    pub(super) fn with_styles(styles: &[&str]) -> Self {
        Self { sheet: Stylesheet::read(styles), ..Self::default() }
    }

    /// If an element that hides or strikes out is still open at the end of the page, the markup is broken, and nobody knows what it was meant to
    /// hide. The error is a new tracker that ignores the unclosed elements; the page must be read again with it.
    pub(super) fn without_unclosed(self) -> Result<Self, Self> {
        if !self.hides_text() && !self.voids_text() {
            return Ok(self);
        }
        let unclosed = self.frames.into_iter().flat_map(|frame| frame.open).chain(self.unclosed).collect();
        Err(Self { sheet: self.sheet, unclosed, ..Self::default() })
    }

    /// Whether the page has styles that matter here.
    pub(super) fn has_styles(&self) -> bool {
        !self.sheet.is_empty()
    }

    /// Whether the text takes no room, so that not even its line ends count.
    pub(super) fn is_gone(&self) -> bool {
        self.now.gone
    }

    /// Whether the text is hidden.
    pub(super) fn hides_text(&self) -> bool {
        self.now.gone || self.now.without_size || self.now.invisible
    }

    /// Whether the text is struck out.
    pub(super) fn voids_text(&self) -> bool {
        self.now.struck
    }

    /// Processes a tag.
    pub(super) fn pass(&mut self, name: &str, attributes: &str, closing: bool) {
        if VOID.contains(&name) || attributes.ends_with('/') {
            return;
        }
        let same = self.frames.iter().rposition(|frame| frame.name == name);
        if closing {
            let Some(at) = same else { return };
            self.frames[at].open.pop();
            if self.frames[at].open.is_empty() {
                self.now = self.frames[at].before;
                self.frames.truncate(at);
            }
            return;
        }
        let tag = self.tags;
        self.tags += 1;
        if self.unclosed.contains(&tag) {
            return;
        }
        let look = self.now.inside(name, attributes, &self.sheet);
        if look != self.now && self.frames.len() < DEEPEST {
            self.frames.push(Frame { name: name.to_owned(), open: vec![tag], before: self.now });
            self.now = look;
        } else if let Some(at) = same {
            self.frames[at].open.push(tag);
        }
    }
}

impl Look {
    /// The look inside an element with this name and these attributes.
    fn inside(self, name: &str, attributes: &str, sheet: &Stylesheet) -> Self {
        let mut style = Style::default();
        if matches!(name, "s" | "strike" | "del") {
            style.by_nature(Property::Decoration, Effect::Hides);
        }
        // Pages without a document type give a table the usual size.
        if name == "table" && self.without_size {
            style.by_nature(Property::FontSize, Effect::Shows);
        }
        add_style_of(&mut style, name, attributes, sheet);
        if style.is_empty() { self } else { self.styled(&style) }
    }

    fn styled(self, style: &Style) -> Self {
        let mut look = self;
        let sides = [Property::Left, Property::Right, Property::Top, Property::Bottom];
        let is_off = style.hides(Property::Position) && sides.into_iter().any(|side| style.hides(side));
        look.gone |= is_off || style.hides(Property::Display) || style.hides(Property::MsoHide);
        if let Some(effect) = style.get(Property::Visibility) {
            look.invisible = effect == Effect::Hides;
        }
        if let Some(effect) = style.get(Property::FontSize).filter(|effect| *effect != Effect::Inherits) {
            look.without_size = effect == Effect::Hides;
        }
        look.struck |= style.hides(Property::Decoration);
        look
    }
}

/// Adds all declarations of styles and attributes for an element.
fn add_style_of(style: &mut Style, name: &str, attributes: &str, sheet: &Stylesheet) {
    // Nearly no tag has attributes, so this is tested first.
    if attributes.is_empty() && sheet.is_empty() {
        return;
    }
    let (mut classes, mut id) = (String::new(), String::new());
    for (attribute, value) in Attributes(attributes) {
        let is = |wanted| attribute.eq_ignore_ascii_case(wanted);
        if is("hidden") && !value.eq_ignore_ascii_case("false") {
            style.by_nature(Property::Display, Effect::Hides);
        } else if is("size") && name == "font" {
            style.by_nature(Property::FontSize, Effect::Shows);
        } else if is("style") {
            style.declare(value);
        } else if is("class") {
            classes = value.to_ascii_lowercase();
        } else if is("id") {
            id = value.to_ascii_lowercase();
        }
    }
    style.look_up(sheet, name, &classes, &id);
}

/// The attributes of a tag: names as written, values without their quotes.
struct Attributes<'a>(&'a str);

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let blank = |c: char| c.is_ascii_whitespace() || c == '/';
        let rest = self.0.trim_start_matches(blank);
        let end = rest.find(|c: char| blank(c) || c == '=').unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        let Some(value) = behind.trim_start_matches(blank).strip_prefix('=') else {
            self.0 = behind;
            return (!name.is_empty()).then_some((name, ""));
        };
        let value = value.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let quoted = ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.split_once(quote));
        let (value, behind) = quoted.unwrap_or_else(|| {
            value.split_at(value.find(|c: char| c.is_ascii_whitespace()).unwrap_or(value.len()))
        });
        self.0 = behind;
        Some((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::super::html::to_text;
    use super::*;

    fn look(attributes: &str) -> Look {
        Look::default().within("div", attributes)
    }

    impl Look {
        fn within(self, name: &str, attributes: &str) -> Self {
            self.inside(name, attributes, &Stylesheet::default())
        }
    }

    #[test]
    fn what_takes_no_room_is_gone() {
        for attributes in [
            " style=\"display:none\"",
            " class=x style='color:#fff; DISPLAY : None !important;'",
            " style=display:none",
            " hidden",
            " hidden=\"\" id=a",
            " style=\"mso-hide:all\"",
            " style=\"position:absolute;left:-9999px\"",
            " style=\"POSITION: fixed; top: -120em\"",
            " style=\"display:block;display:none\"",
        ] {
            assert!(look(attributes).gone, "{attributes}");
        }
    }

    #[test]
    fn what_leaves_a_doubt_is_seen() {
        for attributes in [
            "",
            " style=\"display:block\"",
            " class=\"hidden\" data-hidden aria-hidden=true",
            " title=\" hidden \"",
            " style=\"overflow:hidden;height:0\"",
            " style=\"max-height:1px;overflow:hidden\"",
            " style=\"font-size:10px;opacity:0\"",
            " style=\"left:-9999px\"",
            " style=\"position:relative;left:-9999px;top:-9999px\"",
            " style=\"text-indent:-9999px;margin-left:-9999px\"",
            " style=\"position:absolute;left:-\"",
            " style=\"position:absolute;clip:rect(0 0 0 0)\"",
            " style=\"display:none;display:block\"",
            " style=\"color:#fff;background:#fff\" bgcolor=white",
            " style=\"color:transparent\"",
            " style=\"font-size:.\"",
            " = style",
            " style=\"display",
        ] {
            assert_eq!(look(attributes), Look::default(), "{attributes}");
        }
    }

    #[test]
    fn letters_without_size_get_one_from_what_is_inside() {
        let nothing = look(" style=\"font-size:0;line-height:0\"");
        assert!(nothing.without_size && look(" style=\"font-size: 0px\"").without_size);
        for part in
            [" style=\"color:red\"", " style=\"font-size:100%\"", " style=\"font-size:1em\"", " size=3"]
        {
            assert!(nothing.within("div", part).without_size, "{part}");
        }
        for (name, own) in [
            ("div", " style=\"font-size:13px\""),
            ("div", " style=\"font:13px serif\""),
            ("font", " size=2"),
            ("table", ""),
        ] {
            assert!(!nothing.within(name, own).without_size, "{name}{own}");
        }
        let invisible = look(" style=\"visibility:hidden\"");
        assert!(invisible.invisible && !invisible.within("p", " style=\"visibility:visible\"").invisible);
    }

    #[test]
    fn what_is_struck_out_is_seen_and_void() {
        let around = " style='text-decoration:line-through'";
        for (name, attributes, around, void) in [
            ("s", "", "", true),
            ("del", " datetime=x", "", true),
            ("strike", "", "", true),
            ("span", " style='text-decoration: line-through'", "", true),
            ("span", " style='text-decoration-line:underline line-through'", "", true),
            ("span", " style='text-decoration:none'", around, true),
            ("span", "", "", false),
            ("s", " style='text-decoration:none'", "", false),
            ("span", " style='color:white'", "", false),
        ] {
            let mut unseen = Unseen::default();
            unseen.pass("div", around, false);
            unseen.pass(name, attributes, false);
            assert!(!unseen.hides_text(), "{name}{attributes}");
            assert_eq!(unseen.voids_text(), void, "{name}{attributes} in {around}");
        }
    }

    #[test]
    fn what_is_struck_out_is_marked_line_by_line() {
        let marked = |html: &str| to_text(html).replace('\u{fdd0}', "{").replace('\u{fdd1}', "}");
        assert_eq!(
            marked("<s>MOVE 3<br>MOVE 4</s><br>REST <del>5</del> 6"),
            "{MOVE 3}\n{MOVE 4}\nREST {5} 6\n"
        );
        assert_eq!(marked("MOVE 3<s>, 4</s> TO Ulm"), "MOVE 3{, 4} TO Ulm\n");
        assert_eq!(marked("a\u{fdd0}b&#xFDD1;c"), "abc\n", "nobody else makes such marks");
        assert_eq!(
            marked("<p style='color:white'>MOVE 9</p>MOVE 1"),
            "MOVE 9\nMOVE 1\n",
            "colours say nothing"
        );
    }

    #[test]
    fn what_is_never_closed_strikes_nothing_out_and_the_rest_stays_struck() {
        let marked = |html: &str| to_text(html).replace('\u{fdd0}', "{").replace('\u{fdd1}', "}");
        for (page, text) in [
            ("<s>MOVE 1</s><br><s>MOVE 2<br>MOVE 3", "{MOVE 1}\nMOVE 2\nMOVE 3\n"),
            ("<s>MOVE 1<br><s>MOVE 2</s><br>MOVE 3", "MOVE 1\n{MOVE 2}\nMOVE 3\n"),
            ("<s>MOVE 1<br><s>MOVE 2<br>MOVE 3", "MOVE 1\nMOVE 2\nMOVE 3\n"),
            ("<p hidden>x</p><s>MOVE 1", "MOVE 1\n"),
            ("<s>MOVE 1<br><p hidden>x</p><del>MOVE 2</del>", "MOVE 1\n{MOVE 2}\n"),
        ] {
            assert_eq!(marked(page), text, "{page}");
        }
    }

    #[test]
    fn an_elements_end_is_known_among_others_of_its_name() {
        let mut unseen = Unseen::default();
        let mut pass = |name: &str, attributes: &str, closing: bool| {
            unseen.pass(name, attributes, closing);
            unseen.hides_text()
        };
        assert!(!pass("div", "", false) && pass("div", " hidden", false) && pass("div", "", false));
        assert!(pass("p", " style=\"visibility:hidden\"", false) && pass("br", " hidden", false));
        assert!(pass("div", "", true) && !pass("div", "", true) && !pass("div", "", true));
        assert!(!pass("span", " hidden/", false) && !pass("img", " hidden", false));
    }
}

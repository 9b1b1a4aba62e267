//! What an HTML page holds and doesn't show: the line that a program previews in its list of mails, a copy for telephones.

use super::html::VOID;

/// Deeper nesting of elements that hide or show what is in them is not followed: each level costs time for every tag.
const DEEPEST: usize = 40;

/// Which part of a page is not shown, while it is read from front to back.
#[derive(Default)]
pub(super) struct Unseen {
    /// The open elements that changed what is shown.
    frames: Vec<Frame>,
    now: Look,
}

struct Frame {
    name: String,
    /// How many elements of that name are open inside, itself included.
    open: usize,
    /// What was shown before it.
    before: Look,
}

/// Why text is not shown.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Look {
    /// It takes no room: nothing inside can show itself again.
    gone: bool,
    /// Its letters have no size. What is inside may have one.
    without_size: bool,
    /// It has its room and isn't drawn. What is inside may be.
    invisible: bool,
}

impl Unseen {
    /// Whether an element takes no room, and nothing in it: not even its line ends count.
    pub(super) fn is_gone(&self) -> bool {
        self.now.gone
    }

    /// Whether text isn't shown.
    pub(super) fn hides_text(&self) -> bool {
        self.now != Look::default()
    }

    /// Whether an element that hides is still open. At the end of a page that is broken markup: what it was meant to hide, nobody knows.
    pub(super) fn is_left_open(&self) -> bool {
        self.hides_text()
    }

    /// Goes past a tag.
    pub(super) fn pass(&mut self, name: &str, attributes: &str, closing: bool) {
        if VOID.contains(&name) || attributes.ends_with('/') {
            return;
        }
        let same = self.frames.iter().rposition(|frame| frame.name == name);
        if closing {
            let Some(at) = same else { return };
            self.frames[at].open -= 1;
            if self.frames[at].open == 0 {
                self.now = self.frames[at].before;
                self.frames.truncate(at);
            }
            return;
        }
        let look = self.now.inside(attributes);
        if look != self.now && self.frames.len() < DEEPEST {
            self.frames.push(Frame { name: name.to_owned(), open: 1, before: self.now });
            self.now = look;
        } else if let Some(at) = same {
            self.frames[at].open += 1;
        }
    }
}

impl Look {
    /// What is shown inside an element with these attributes.
    fn inside(self, attributes: &str) -> Self {
        let mut look = self;
        // Nearly no tag has any: asked first.
        if attributes.is_empty() {
            return look;
        }
        let mut flat = false;
        let mut cut_off = false;
        for (name, value) in Attributes(attributes) {
            if name.eq_ignore_ascii_case("hidden") {
                look.gone |= !value.eq_ignore_ascii_case("false");
            }
            if !name.eq_ignore_ascii_case("style") {
                continue;
            }
            let style = value.to_ascii_lowercase();
            for (property, value) in style.split(';').filter_map(|one| one.split_once(':')) {
                let value = value.trim_end_matches("!important").trim();
                match property.trim() {
                    "display" => look.gone |= value == "none",
                    "opacity" => look.gone |= is_nothing(value),
                    "max-height" | "height" => flat |= is_nothing(value),
                    "overflow" | "overflow-y" => cut_off |= value == "hidden",
                    "visibility" => look.invisible = matches!(value, "hidden" | "collapse"),
                    // A part of nothing is nothing.
                    "font-size" if is_part(value) => look.without_size |= is_nothing(value),
                    "font-size" => look.without_size = is_nothing(value),
                    "font" => look.without_size = false,
                    _ => {}
                }
            }
        }
        look.gone |= flat && cut_off;
        look
    }
}

/// Whether a length or a number is nought: `0`, `0px`, `0.0em`.
fn is_nothing(value: &str) -> bool {
    let number = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    !number.is_empty() && number.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

/// Whether a size is told by that of the element around it: `100%`, `1.2em`.
fn is_part(value: &str) -> bool {
    value.ends_with('%') || value.ends_with("em") && !value.ends_with("rem")
}

/// The attributes of a tag, names as they are written, values without their quotes.
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
    use super::*;

    fn look(attributes: &str) -> Look {
        Look::default().inside(attributes)
    }

    #[test]
    fn what_takes_no_room_is_gone() {
        for attributes in [
            " style=\"display:none\"",
            " class=x style='color:#fff; DISPLAY : None !important;'",
            " style=display:none",
            " hidden",
            " hidden=\"\" id=a",
            " style=\"opacity:0.0\"",
            " style=\"max-height:0px;overflow:hidden\"",
        ] {
            assert!(look(attributes).gone, "{attributes}");
        }
        for attributes in [
            "",
            " style=\"display:block\"",
            " class=\"hidden\" data-hidden aria-hidden=true",
            " title=\" hidden \"",
            " style=\"overflow:hidden\"",
            " style=\"max-height:0\"",
            " style=\"font-size:10px;opacity:.8;height:0.5em\"",
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
        assert!(nothing.inside(" style=\"color:red\"").without_size);
        assert!(nothing.inside(" style=\"font-size:100%\"").without_size);
        assert!(nothing.inside(" style=\"font-size:1em\"").without_size);
        assert!(!nothing.inside(" style=\"font-size:13px\"").without_size);
        assert!(!nothing.inside(" style=\"font:13px serif\"").without_size);
        let invisible = look(" style=\"visibility:hidden\"");
        assert!(invisible.invisible && !invisible.inside(" style=\"visibility:visible\"").invisible);
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

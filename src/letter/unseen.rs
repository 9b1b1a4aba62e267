//! What an HTML page holds and doesn't show: the line that a program previews in its list of mails, a copy for telephones. And what it
//! shows as not to be read: text that is struck out, or that nobody can tell from its ground.

use super::html::VOID;
use super::stylesheet::{Property, Style, Stylesheet};

/// Deeper nesting of elements that hide or show what is in them is not followed: each level costs time for every tag.
const DEEPEST: usize = 40;

/// Which part of a page is not shown, while it is read from front to back.
#[derive(Default)]
pub(super) struct Unseen {
    /// The styles of the page.
    sheet: Stylesheet,
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

/// How text looks, as far as it decides whether its reader sees it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Look {
    /// It takes no room: nothing inside can show itself again.
    gone: bool,
    /// Its letters have no size. What is inside may have one.
    without_size: bool,
    /// It has its room and isn't drawn. What is inside may be.
    invisible: bool,
    /// A line goes through it, and through all that is inside.
    struck: bool,
    ink: Ink,
    ground: Ink,
}

/// A colour.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Ink {
    /// That of a page where nobody chose one: black on white.
    #[default]
    Usual,
    Known([u8; 3]),
    /// A picture, or a colour that isn't known here.
    Unknown,
    Transparent,
}

impl Unseen {
    /// With the contents of the page's `<style>` elements.
    pub(super) fn with_styles(styles: &[&str]) -> Self {
        Self { sheet: Stylesheet::read(styles), ..Self::default() }
    }

    /// Whether the page has styles that matter here.
    pub(super) fn has_styles(&self) -> bool {
        !self.sheet.is_empty()
    }

    /// Whether an element takes no room, and nothing in it: not even its line ends count.
    pub(super) fn is_gone(&self) -> bool {
        self.now.gone
    }

    /// Whether text isn't shown.
    pub(super) fn hides_text(&self) -> bool {
        self.now.gone || self.now.without_size || self.now.invisible
    }

    /// Whether text is there and not to be read: struck out, or written in the colour of its ground.
    pub(super) fn voids_text(&self) -> bool {
        self.now.struck || self.now.is_drowned()
    }

    /// Whether an element that hides is still open. At the end of a page that is broken markup: what it was meant to hide, nobody knows.
    pub(super) fn is_left_open(&self) -> bool {
        self.hides_text() || self.voids_text()
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
        let look = self.now.inside(name, attributes, &self.sheet);
        if look != self.now && self.frames.len() < DEEPEST {
            self.frames.push(Frame { name: name.to_owned(), open: 1, before: self.now });
            self.now = look;
        } else if let Some(at) = same {
            self.frames[at].open += 1;
        }
    }
}

impl Look {
    /// What is shown inside an element of this name with these attributes.
    fn inside(self, name: &str, attributes: &str, sheet: &Stylesheet) -> Self {
        let strikes = matches!(name, "s" | "strike" | "del");
        // Nearly no tag has any attributes: asked first.
        if attributes.is_empty() && sheet.is_empty() && !strikes {
            return self;
        }
        let style = style_of(name, attributes, strikes, sheet);
        if style.is_empty() { self } else { self.styled(&style) }
    }

    fn styled(self, style: &Style) -> Self {
        let given = |property| style.get(property);
        let is = |property, wanted: fn(&str) -> bool| given(property).is_some_and(wanted);
        let mut look = self;
        let flat = is(Property::Height, is_flat) || is(Property::MaxHeight, is_flat);
        let cut_off = flat && is(Property::Overflow, |value| value == "hidden");
        let placed = is(Property::Position, |value| matches!(value, "absolute" | "fixed" | "relative"));
        let sides = [Property::Left, Property::Right, Property::Top, Property::Bottom];
        let moved = [Property::Indent, Property::MarginLeft, Property::MarginTop];
        let is_off = placed && sides.into_iter().any(|side| is(side, is_far))
            || moved.into_iter().any(|by| is(by, is_far));
        look.gone |= cut_off
            || is_off
            || placed && is(Property::Clip, is_clipped)
            || is(Property::Display, |value| value == "none")
            || is(Property::Opacity, is_nothing);
        if let Some(value) = given(Property::Visibility) {
            look.invisible = matches!(value, "hidden" | "collapse");
        }
        match given(Property::FontSize) {
            // A part of nothing is nothing.
            Some(value) if is_part(value) => look.without_size |= is_nothing(value),
            Some(value) => look.without_size = is_nothing(value),
            None => {}
        }
        look.struck |= is(Property::Decoration, |value| value.contains("line-through"));
        if let Some(ink) = given(Property::Color).and_then(Ink::of) {
            look.ink = ink;
        }
        // What shines through a ground is the one below.
        if let Some(ground) =
            given(Property::Background).and_then(Ink::of).filter(|it| *it != Ink::Transparent)
        {
            look.ground = ground;
        }
        look
    }

    /// Whether it is written in the colour of its ground. Only a colour that somebody chose is believed to be meant so.
    fn is_drowned(self) -> bool {
        const WHITE: [u8; 3] = [255; 3];
        match (self.ink, self.ground) {
            (Ink::Transparent, _) => true,
            (Ink::Known(ink), Ink::Usual) => is_near(ink, WHITE),
            (Ink::Known(ink), Ink::Known(ground)) => is_near(ink, ground),
            _ => false,
        }
    }
}

/// Everything that styles and attributes say of an element.
fn style_of(name: &str, attributes: &str, strikes: bool, sheet: &Stylesheet) -> Style {
    let mut style = Style::default();
    if strikes {
        style.by_nature(Property::Decoration, "line-through");
    }
    let (mut classes, mut id) = (String::new(), String::new());
    for (attribute, value) in Attributes(attributes) {
        let is = |wanted| attribute.eq_ignore_ascii_case(wanted);
        if is("hidden") && !value.eq_ignore_ascii_case("false") {
            style.by_nature(Property::Display, "none");
        } else if is("bgcolor") {
            style.by_nature(Property::Background, value);
        } else if is("background") {
            style.by_nature(Property::Background, "url");
        } else if is("color") && name == "font" || is("text") && name == "body" {
            style.by_nature(Property::Color, value);
        } else if is("href") && name == "a" {
            style.by_nature(Property::Color, "#0000ee");
        } else if is("style") {
            style.declare(value);
        } else if is("class") {
            classes = value.to_ascii_lowercase();
        } else if is("id") {
            id = value.to_ascii_lowercase();
        }
    }
    style.look_up(sheet, name, &classes, &id);
    style
}

impl Ink {
    /// A colour as styles write it; none for that of what is around.
    fn of(value: &str) -> Option<Self> {
        let value = value.trim();
        let known = match value {
            "inherit" | "currentcolor" | "unset" | "" => return None,
            "transparent" | "none" => return Some(Self::Transparent),
            "white" => [255; 3],
            "snow" | "ivory" | "ghostwhite" | "floralwhite" | "mintcream" | "azure" => [250; 3],
            "black" => [0; 3],
            _ if value.starts_with('#') => return Some(Self::of_hex(&value[1..])),
            _ if value.starts_with("rgb") => return Some(Self::of_numbers(value)),
            _ => return Some(Self::Unknown),
        };
        Some(Self::Known(known))
    }

    /// `fff`, `ffffff`, and both with a fourth part, how dense it is.
    fn of_hex(digits: &str) -> Self {
        let parts: Option<Vec<u8>> =
            digits.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
        let parts = match parts.as_deref() {
            Some(short @ ([_, _, _] | [_, _, _, _])) => short.iter().map(|part| part * 17).collect(),
            Some(long @ ([_, _, _, _, _, _] | [_, _, _, _, _, _, _, _])) => {
                long.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect()
            }
            _ => Vec::new(),
        };
        match parts.as_slice() {
            [_, _, _, 0] => Self::Transparent,
            [red, green, blue, ..] => Self::Known([*red, *green, *blue]),
            _ => Self::Unknown,
        }
    }

    /// `rgb(255, 255, 255)`, `rgba(0 0 0 / 0)`.
    fn of_numbers(value: &str) -> Self {
        let inner = value.split_once('(').map_or("", |(_, inner)| inner.trim_end_matches(')'));
        let mut parts = inner.split([',', ' ', '/']).filter(|part| !part.is_empty());
        let [red, green, blue] =
            [parts.next(), parts.next(), parts.next()].map(|part| part?.parse::<u8>().ok());
        match (red, green, blue, parts.next()) {
            (.., Some(density)) if is_nothing(density) => Self::Transparent,
            (Some(red), Some(green), Some(blue), _) => Self::Known([red, green, blue]),
            _ => Self::Unknown,
        }
    }
}

/// Whether nobody can tell two colours apart.
fn is_near(one: [u8; 3], other: [u8; 3]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.abs_diff(other) <= 12)
}

/// Whether a length or a number is nought: `0`, `0px`, `0.0em`.
fn is_nothing(value: &str) -> bool {
    let (number, _) = number_and_unit(value);
    !number.is_empty() && number.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

/// Whether a height leaves room for no letter: screen readers' texts have `1px`.
fn is_flat(value: &str) -> bool {
    is_nothing(value) || value == "1px"
}

/// Whether a size is told by that of the element around it: `100%`, `1.2em`.
fn is_part(value: &str) -> bool {
    value.ends_with('%') || value.ends_with("em") && !value.ends_with("rem")
}

/// Whether a distance leads off the page: `-9999px`, `-100em`, `-100%`.
fn is_far(value: &str) -> bool {
    let (number, unit) = number_and_unit(value);
    let Some(number) = number.strip_prefix('-') else { return false };
    let whole = number.split('.').next().unwrap_or_default();
    let least = match unit {
        "" | "px" | "pt" => 500,
        _ => 100,
    };
    // A number of more digits than can be read is far too.
    !whole.is_empty() && whole.parse::<u32>().map_or(whole.len() > 9, |number| number >= least)
}

/// `rect(0, 0, 0, 0)`, `rect(1px 1px 1px 1px)`, `inset(50%)`: nothing is left.
fn is_clipped(value: &str) -> bool {
    let (shape, inner) = value.split_once('(').unwrap_or_default();
    let mut sides = inner.trim_end_matches(')').split([',', ' ']).filter(|side| !side.is_empty()).peekable();
    let wanted = |side: &str| match shape {
        "rect" => is_flat(side),
        "inset" => matches!(side, "50%" | "100%"),
        _ => false,
    };
    sides.peek().is_some() && sides.all(wanted)
}

/// `-1.5em` as `-1.5` and `em`.
fn number_and_unit(value: &str) -> (&str, &str) {
    value.split_at(value.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(value.len()))
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
        Look::default().within(attributes)
    }

    impl Look {
        fn within(self, attributes: &str) -> Self {
            self.inside("div", attributes, &Stylesheet::default())
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
            " style=\"opacity:0.0\"",
            " style=\"max-height:0px;overflow:hidden\"",
            " style=\"position:absolute;left:-9999px\"",
            " style=\"POSITION: fixed; top: -120em\"",
            " style=\"text-indent:-5000px\"",
            " style=\"margin-left: -999.5em\"",
            " style=\"position:absolute;width:1px;height:1px;overflow:hidden\"",
            " style=\"position:absolute;clip:rect(0 0 0 0)\"",
            " style=\"position:absolute;clip-path:inset(50%)\"",
            " style=\"display:block;display:none\"",
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
            " style=\"left:-9999px\"",
            " style=\"position:relative;left:-10px;top:-2em\"",
            " style=\"text-indent:-18pt;margin-left:-36pt\"",
            " style=\"position:absolute;left:-\"",
            " style=\"display:none;display:block\"",
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
        assert!(nothing.within(" style=\"color:red\"").without_size);
        assert!(nothing.within(" style=\"font-size:100%\"").without_size);
        assert!(nothing.within(" style=\"font-size:1em\"").without_size);
        assert!(!nothing.within(" style=\"font-size:13px\"").without_size);
        assert!(!nothing.within(" style=\"font:13px serif\"").without_size);
        let invisible = look(" style=\"visibility:hidden\"");
        assert!(invisible.invisible && !invisible.within(" style=\"visibility:visible\"").invisible);
    }

    #[test]
    fn what_is_struck_out_or_has_the_colour_of_its_ground_is_void() {
        let is_void = |name: &str, attributes: &str, around: &str| {
            let mut unseen = Unseen::default();
            unseen.pass("div", around, false);
            unseen.pass(name, attributes, false);
            assert!(!unseen.hides_text(), "{name}{attributes}");
            unseen.voids_text()
        };
        for (name, attributes, around) in [
            ("s", "", ""),
            ("del", " datetime=x", ""),
            ("strike", "", ""),
            ("span", " style='text-decoration: line-through'", ""),
            ("span", " style='text-decoration-line:underline line-through'", ""),
            ("span", " style='text-decoration:none'", " style='text-decoration:line-through'"),
            ("font", " color=#FFFFFF", ""),
            ("span", " style='color:white'", ""),
            ("span", " style='color: #fefefe !important'", ""),
            ("span", " style='color:rgb(255, 255, 255)'", " bgcolor=white"),
            ("span", " style='color:#123'", " style='background:#112233'"),
            ("span", " style='color:rgba(0,0,0,0)'", " bgcolor=black"),
            ("span", " style='color:transparent'", ""),
        ] {
            assert!(is_void(name, attributes, around), "{name}{attributes} in {around}");
        }
        for (name, attributes, around) in [
            ("span", "", ""),
            ("s", " style='text-decoration:none'", ""),
            ("span", " style='color:white'", " style='background-color:#003366'"),
            ("span", " style='color:white'", " style='background:url(x.png) no-repeat'"),
            ("span", " style='color:white'", " background=x.png"),
            ("span", " style='color:var(--x)'", ""),
            ("span", " style='color:#f8f8'", " bgcolor=#111"),
            ("span", " style='background:black'", ""),
            ("a", " href=x", " style='color:white'"),
            ("span", " style='color:hsl(0,0%,100%)'", ""),
            ("span", " color=white", ""),
        ] {
            assert!(!is_void(name, attributes, around), "{name}{attributes} in {around}");
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

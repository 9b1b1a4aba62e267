//! What the styles of an HTML page say of whether a text can be seen: those of `<style>` elements by an element's name, class or id
//! alone, and those of the element itself. No tree is kept, so that rules for elements inside others are passed over; so are rules
//! for other screens.

use std::collections::BTreeMap;

/// What is followed of a style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Property {
    Display,
    Visibility,
    Opacity,
    Height,
    MaxHeight,
    Overflow,
    FontSize,
    Color,
    Background,
    Decoration,
    Position,
    Left,
    Right,
    Top,
    Bottom,
    Indent,
    MarginLeft,
    MarginTop,
    Clip,
}

impl Property {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "display" => Self::Display,
            "visibility" => Self::Visibility,
            "opacity" => Self::Opacity,
            "height" => Self::Height,
            "max-height" => Self::MaxHeight,
            "overflow" | "overflow-y" => Self::Overflow,
            "font-size" | "font" => Self::FontSize,
            "color" => Self::Color,
            "background" | "background-color" => Self::Background,
            "text-decoration" | "text-decoration-line" => Self::Decoration,
            "position" => Self::Position,
            "left" => Self::Left,
            "right" => Self::Right,
            "top" => Self::Top,
            "bottom" => Self::Bottom,
            "text-indent" => Self::Indent,
            "margin-left" => Self::MarginLeft,
            "margin-top" => Self::MarginTop,
            "clip" | "clip-path" => Self::Clip,
            _ => return None,
        })
    }
}

/// Which of two declarations of a property counts: the important one, then that of the narrower selector, then the later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    important: bool,
    by: By,
    order: usize,
}

/// Where a declaration comes from, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    /// The element's own look: `<s>`, `bgcolor`.
    Nature,
    Name,
    Class,
    Id,
    Style,
}

/// The declarations that count for one element, in lower case.
#[derive(Debug, Default, Clone)]
pub(super) struct Style {
    given: BTreeMap<Property, (Rank, String)>,
}

impl Style {
    /// The value of a property, if it is given.
    pub(super) fn get(&self, property: Property) -> Option<&str> {
        self.given.get(&property).map(|(_, value)| value.as_str())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// What an element shows by its nature, where no style says otherwise.
    pub(super) fn by_nature(&mut self, property: Property, value: &str) {
        let rank = Rank { important: false, by: By::Nature, order: 0 };
        self.put(property, rank, value.trim().to_ascii_lowercase());
    }

    /// Adds the declarations of an element's own `style`.
    pub(super) fn declare(&mut self, text: &str) {
        self.read(&text.to_ascii_lowercase(), By::Style, 0);
    }

    /// Adds what a page's styles say of an element.
    pub(super) fn look_up(&mut self, sheet: &Stylesheet, name: &str, classes: &str, id: &str) {
        if sheet.rules.is_empty() {
            return;
        }
        let mut add = |selector: &str| {
            for (property, (rank, value)) in sheet.rules.get(selector).iter().flat_map(|style| &style.given) {
                self.put(*property, *rank, value.clone());
            }
        };
        add(name);
        for class in classes.split_ascii_whitespace() {
            add(&format!(".{class}"));
            add(&format!("{name}.{class}"));
        }
        if !id.is_empty() {
            add(&format!("#{id}"));
            add(&format!("{name}#{id}"));
        }
    }

    fn read(&mut self, text: &str, by: By, order: usize) {
        for (property, value) in text.split(';').filter_map(|one| one.split_once(':')) {
            let (name, value) = (property.trim(), value.trim());
            let Some(property) = Property::named(name) else { continue };
            let (value, important) = match value.split_once('!') {
                Some((value, _)) => (value.trim(), true),
                None => (value, false),
            };
            let value = if name == "font" { size_in_font(value) } else { value };
            self.put(property, Rank { important, by, order }, value.to_owned());
        }
    }

    fn put(&mut self, property: Property, rank: Rank, value: String) {
        if self.given.get(&property).is_none_or(|(other, _)| *other <= rank) {
            self.given.insert(property, (rank, value));
        }
    }
}

/// The size in `bold 12px/1.5 serif`.
fn size_in_font(value: &str) -> &str {
    let is_size =
        |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !is_weight(word);
    let word = value.split_ascii_whitespace().find(is_size).unwrap_or("medium");
    word.split('/').next().unwrap_or(word)
}

/// `400`: a weight is a number without a unit.
fn is_weight(word: &str) -> bool {
    word.len() == 3 && word.ends_with("00") && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The rules of a page's `<style>` elements, by selector.
#[derive(Debug, Default, Clone)]
pub(super) struct Stylesheet {
    rules: BTreeMap<String, Style>,
}

impl Stylesheet {
    /// Reads the contents of the page's `<style>` elements, in time linear in their length.
    pub(super) fn read(styles: &[&str]) -> Self {
        let mut sheet = Self::default();
        let text = without_comments(&styles.join("\n")).to_ascii_lowercase();
        let mut rest = text.as_str();
        let mut order = 0;
        while let Some(open) = rest.find('{') {
            let head = rest[..open].rsplit(['}', ';']).next().unwrap_or_default().trim();
            let body = &rest[open + 1..];
            if let Some(rule) = head.strip_prefix('@') {
                // What holds for every screen is read as if it stood outside.
                rest = if is_for_every_screen(rule) { body } else { behind_block(body) };
                continue;
            }
            let end = body.find('}').unwrap_or(body.len());
            order += 1;
            for (selector, by) in head.split(',').filter_map(|selector| simple(selector.trim())) {
                let style = sheet.rules.entry(selector.to_owned()).or_default();
                style.read(&body[..end], by, order);
            }
            rest = body.get(end + 1..).unwrap_or_default();
        }
        sheet.rules.retain(|_, style| !style.is_empty());
        sheet
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

/// Styles without comments, and without the marks of a comment that hides them from ancient programs.
fn without_comments(styles: &str) -> String {
    let mut text = String::with_capacity(styles.len());
    let mut rest = styles;
    while let Some((before, comment)) = rest.split_once("/*") {
        text.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, behind)| behind);
    }
    text.push_str(rest);
    text.replace("<!--", " ").replace("-->", " ")
}

/// Whether a rule for media, such as `media screen`, leaves nobody out.
fn is_for_every_screen(rule: &str) -> bool {
    rule.strip_prefix("media").is_some_and(|media| {
        media
            .split(',')
            .any(|one| matches!(one.trim().trim_start_matches("only ").trim(), "" | "all" | "screen"))
    })
}

/// What follows a block that has been opened.
fn behind_block(body: &str) -> &str {
    let mut depth = 1_usize;
    for (at, byte) in body.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &body[at + 1..];
        }
    }
    ""
}

/// A selector of a name, a class, an id, or a name with one of these, and what it goes by; none for any other.
fn simple(selector: &str) -> Option<(&str, By)> {
    let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let (name, rest) = selector.split_at(selector.find(['.', '#']).unwrap_or(selector.len()));
    let by = match rest.as_bytes().first() {
        None => By::Name,
        Some(b'.') => By::Class,
        Some(_) => By::Id,
    };
    let word = rest.get(1..).unwrap_or_default();
    let whole = !selector.is_empty() && (by == By::Name || !word.is_empty());
    (whole && is_word(name) && is_word(word)).then_some((selector, by))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn display(sheet: &str, (name, classes, id): (&str, &str, &str), style: &str) -> Option<String> {
        let mut found = Style::default();
        found.look_up(&Stylesheet::read(&[sheet]), name, classes, id);
        found.declare(style);
        found.get(Property::Display).map(str::to_owned)
    }

    #[test]
    fn a_rule_counts_for_what_it_names_and_the_narrower_wins() {
        let p = ("p", "a b", "i");
        for (sheet, wanted) in [
            ("p{display:x}", Some("x")),
            (".a { color: red; DISPLAY : X ; }", Some("x")),
            ("q,p.b{display:x}", Some("x")),
            ("#i{display:x}", Some("x")),
            ("<!-- /* } */ .a{display:x} -->", Some("x")),
            ("@import 'x'; .a{display:x}", Some("x")),
            ("@media screen{.b{display:x}}", Some("x")),
            (".a{display:x} p{display:y}", Some("x")),
            ("#i{display:x} .a{display:y}", Some("x")),
            (".a{display:x!important} #i{display:y}", Some("x")),
            (".b{display:y} .a{display:x}", Some("x")),
            ("@media (max-width:600px){.a{display:x}} .b{display:z}", Some("z")),
            ("@media only screen and (max-width:9px) {.a{display:x}}", None),
            ("@font-face{display:x}", None),
            ("div p{display:x}", None),
            ("p:hover{display:x}", None),
            ("*{display:x}", None),
            (".{display:x}", None),
            ("q.a{display:x}", None),
            (".a{display:x", Some("x")),
            (".a{{{", None),
            ("@media {", None),
        ] {
            assert_eq!(display(sheet, p, "").as_deref(), wanted, "{sheet}");
        }
        assert_eq!(display(".a{display:x}", p, "display:y").as_deref(), Some("y"));
        assert_eq!(display(".a{display:x !important}", p, "display:y").as_deref(), Some("x"));
    }

    #[test]
    fn the_size_in_a_font_is_found() {
        for (font, size) in
            [("bold 12px/1.5 serif", "12px"), ("0/0 a", "0"), ("400 1em x", "1em"), ("menu", "medium")]
        {
            assert_eq!(size_in_font(font), size, "{font}");
        }
    }
}

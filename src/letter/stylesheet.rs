//! Reads the styles of an HTML page to find out whether a text is visible: rules in `<style>` elements whose selector is an element's name, class or
//! id alone, and the style of the element itself. No tree is kept. So a rule for elements inside others, or for some screens only, never counts as
//! hiding a text; but if such a rule shows something, it isn't taken for hidden.

use std::collections::BTreeMap;

/// The most selectors of a page that are read, so that the cost of a mail is limited by its length.
const MOST_SELECTORS: usize = 10_000;
/// The most classes of an element that are looked up.
const MOST_CLASSES: usize = 32;
/// No value that matters here is longer than this, in bytes.
const LONGEST_VALUE: usize = 100;

/// The properties that matter for visibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Property {
    Display,
    Visibility,
    FontSize,
    /// Word's own property: `mso-hide:all`.
    MsoHide,
    Decoration,
    Position,
    Left,
    Right,
    Top,
    Bottom,
}

/// What a value of a [`Property`] does to the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// It hides the text, strikes it out, or moves it off the page if its element is positioned freely.
    Hides,
    /// It leaves the text visible.
    Shows,
    /// A size relative to that of the surrounding element: a part of nothing is nothing.
    Inherits,
}

impl Property {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "display" => Self::Display,
            "visibility" => Self::Visibility,
            "font-size" | "font" => Self::FontSize,
            "mso-hide" => Self::MsoHide,
            "text-decoration" | "text-decoration-line" => Self::Decoration,
            "position" => Self::Position,
            "left" => Self::Left,
            "right" => Self::Right,
            "top" => Self::Top,
            "bottom" => Self::Bottom,
            _ => return None,
        })
    }

    /// The effect of a value, which is in lower case.
    fn effect(self, value: &str) -> Effect {
        let hides = match self {
            Self::Display => value == "none",
            Self::Visibility => value == "hidden",
            Self::MsoHide => value == "all",
            Self::FontSize if is_part(value) && !is_nothing(value) => return Effect::Inherits,
            Self::FontSize => is_nothing(value),
            Self::Decoration => value.contains("line-through"),
            Self::Position => matches!(value, "absolute" | "fixed"),
            Self::Left | Self::Right | Self::Top | Self::Bottom => is_far(value),
        };
        if hides { Effect::Hides } else { Effect::Shows }
    }
}

/// The rank of a declaration: of two declarations for a property the important one counts, then the one with the narrower selector, then the later
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    important: bool,
    by: By,
    order: usize,
}

/// The origin of a declaration, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    /// The default look of the element: `<s>`, `hidden`.
    Nature,
    Name,
    Class,
    Id,
    Style,
}

/// One declaration that matters here.
#[derive(Debug, Clone, Copy)]
struct Declaration {
    property: Property,
    effect: Effect,
    important: bool,
}

/// The declarations that apply to one element.
#[derive(Debug, Default, Clone)]
pub(super) struct Style {
    given: BTreeMap<Property, (Rank, Effect)>,
}

impl Style {
    /// The effect that is declared for a property, if any.
    pub(super) fn get(&self, property: Property) -> Option<Effect> {
        self.given.get(&property).map(|(_, effect)| *effect)
    }

    pub(super) fn hides(&self, property: Property) -> bool {
        self.get(property) == Some(Effect::Hides)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Adds the default effect of an element, which every style overrides.
    pub(super) fn by_nature(&mut self, property: Property, effect: Effect) {
        self.put(property, Rank { important: false, by: By::Nature, order: 0 }, effect);
    }

    /// Adds the declarations of an element's own `style`.
    pub(super) fn declare(&mut self, text: &str) {
        self.add(&declarations(&text.to_ascii_lowercase()), By::Style, 0);
    }

    /// Adds the declarations of the page's styles for an element.
    pub(super) fn look_up(&mut self, sheet: &Stylesheet, name: &str, classes: &str, id: &str) {
        if sheet.is_empty() {
            return;
        }
        let mut words = vec![name.to_owned()];
        words.extend(classes.split_ascii_whitespace().take(MOST_CLASSES).map(|class| format!(".{class}")));
        if !id.is_empty() {
            words.push(format!("#{id}"));
        }
        let mut merge = |selector: &str| {
            for (property, (rank, effect)) in sheet.rules.get(selector).iter().flat_map(|style| &style.given)
            {
                self.put(*property, *rank, *effect);
            }
        };
        merge(name);
        for word in &words[1..] {
            merge(word);
            merge(&format!("{name}{word}"));
        }
        for word in &words {
            for (property, important) in sheet.shown.get(word).into_iter().flatten() {
                self.given.retain(|given, (rank, _)| {
                    let by_less = if word == name { By::Name } else { By::Id };
                    given != property || rank.by > by_less && !(rank.by == By::Style && *important)
                });
            }
        }
    }

    fn add(&mut self, declarations: &[Declaration], by: By, order: usize) {
        for Declaration { property, effect, important } in declarations {
            self.put(*property, Rank { important: *important, by, order }, *effect);
        }
    }

    fn put(&mut self, property: Property, rank: Rank, effect: Effect) {
        if self.given.get(&property).is_none_or(|(other, _)| *other <= rank) {
            self.given.insert(property, (rank, effect));
        }
    }
}

/// The last declaration of each property, and the last important one, in the body of a rule in lower case. Their number is small, however long the
/// body is.
fn declarations(body: &str) -> Vec<Declaration> {
    let mut last = BTreeMap::new();
    for (name, value) in body.split(';').filter_map(|one| one.split_once(':')) {
        let (name, value) = (name.trim(), value.trim());
        let Some(property) = Property::named(name).filter(|_| value.len() <= LONGEST_VALUE) else { continue };
        let (value, important) = match value.split_once('!') {
            Some((value, _)) => (value.trim(), true),
            None => (value, false),
        };
        let value = if name == "font" { size_in_font(value) } else { value };
        last.insert((property, important), property.effect(value));
    }
    let declaration = |((property, important), effect)| Declaration { property, effect, important };
    last.into_iter().map(declaration).collect()
}

/// The size in `bold 12px/1.5 serif`.
fn size_in_font(value: &str) -> &str {
    let is_size =
        |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !is_weight(word);
    let word = value.split_ascii_whitespace().find(is_size).unwrap_or("medium");
    word.split('/').next().unwrap_or(word)
}

/// Whether a word is a font weight, a number without a unit: `400`.
fn is_weight(word: &str) -> bool {
    word.len() == 3 && word.ends_with("00") && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a length is zero: `0`, `0px`, `0.0em`.
fn is_nothing(value: &str) -> bool {
    let (number, _) = number_and_unit(value);
    number.contains('0') && number.bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

/// Whether a size is relative to that of the surrounding element: `100%`, `1.2em`.
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
    // A number with too many digits to be parsed is far too.
    !whole.is_empty() && whole.parse::<u32>().map_or(whole.len() > 9, |number| number >= least)
}

/// Splits `-1.5em` into `-1.5` and `em`.
fn number_and_unit(value: &str) -> (&str, &str) {
    value.split_at(value.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(value.len()))
}

/// The rules of a page's `<style>` elements.
#[derive(Debug, Default, Clone)]
pub(super) struct Stylesheet {
    /// The declarations, by selector.
    rules: BTreeMap<String, Style>,
    /// Properties that an ignored rule makes visible again, by name, class or id; the flag says whether as important.
    shown: BTreeMap<String, BTreeMap<Property, bool>>,
}

impl Stylesheet {
    /// Reads the contents of the page's `<style>` elements, in time linear in their length.
    pub(super) fn read(styles: &[&str]) -> Self {
        let mut sheet = Self::default();
        let text = without_comments(&styles.join("\n")).to_ascii_lowercase();
        let mut rest = text.as_str();
        // The number of open blocks that apply to some screens only.
        let mut passed = 0_usize;
        let mut selectors = 0;
        while let Some(open) = rest.find('{') {
            let before = &rest[..open];
            passed = passed.saturating_sub(before.matches('}').count());
            let head = before.rsplit(['}', ';']).next().unwrap_or_default().trim();
            let body = &rest[open + 1..];
            if let Some(rule) = head.strip_prefix('@') {
                let is_group =
                    ["media", "supports", "layer", "container"].iter().any(|at| rule.starts_with(at));
                passed += usize::from(is_group && (passed > 0 || !is_for_every_screen(rule)));
                rest = if is_group { body } else { behind_block(body) };
                continue;
            }
            let end = body.find('}').unwrap_or(body.len());
            let declarations = declarations(&body[..end]);
            for selector in head.split(',').map(str::trim) {
                selectors += 1;
                if selectors > MOST_SELECTORS {
                    return sheet;
                }
                match simple(selector).filter(|_| passed == 0 && !declarations.is_empty()) {
                    Some((selector, by)) => {
                        sheet.rules.entry(selector.to_owned()).or_default().add(&declarations, by, selectors);
                    }
                    None => sheet.show(selector, &declarations),
                }
            }
            rest = body.get(end + 1..).unwrap_or_default();
        }
        sheet
    }

    /// Notes the properties that an ignored rule makes visible again.
    fn show(&mut self, selector: &str, declarations: &[Declaration]) {
        let showing = declarations.iter().filter(|declaration| declaration.effect == Effect::Shows);
        let mut showing = showing.peekable();
        if showing.peek().is_none() {
            return;
        }
        let last = selector.rsplit([' ', '>', '+', '~']).next().unwrap_or_default();
        let last = last.split([':', '[']).next().unwrap_or_default();
        let from = last.rfind(['.', '#']).unwrap_or(0);
        let shown = self.shown.entry(last[from..].to_owned()).or_default();
        for declaration in showing {
            *shown.entry(declaration.property).or_default() |= declaration.important;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.shown.is_empty()
    }
}

/// Styles without comments, and without the comment marks that hide them from ancient programs.
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

/// Whether a media rule, such as `media screen`, applies to every reader.
fn is_for_every_screen(rule: &str) -> bool {
    rule.strip_prefix("media").is_some_and(|media| {
        media
            .split(',')
            .any(|one| matches!(one.trim().trim_start_matches("only ").trim(), "" | "all" | "screen"))
    })
}

/// The text after a block that has been opened.
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

/// A selector of a name, a class, an id, or a name with a class or id, with its rank; `None` for any other selector.
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

    /// The declared display of `<p class="a b" id=i>`.
    fn display(sheet: &str, style: &str) -> Option<Effect> {
        let mut found = Style::default();
        found.declare(style);
        found.look_up(&Stylesheet::read(&[sheet]), "p", "a b", "i");
        found.get(Property::Display)
    }

    #[test]
    fn a_rule_counts_for_what_it_names_and_the_narrower_wins() {
        let hides = Some(Effect::Hides);
        for (sheet, wanted) in [
            ("p{display:none}", hides),
            (".a { color: red; DISPLAY : None ; }", hides),
            ("q,p.b{display:none}", hides),
            ("#i{display:none}", hides),
            ("<!-- /* } */ .a{display:none} -->", hides),
            ("@import 'x'; .a{display:none}", hides),
            ("@media screen{.b{display:none}}", hides),
            (".a{display:none} p{display:block}", hides),
            ("#i{display:none} .a{display:block}", hides),
            (".a{display:none!important} #i{display:block}", hides),
            (".a{display:none!important;display:block}", hides),
            (".b{display:block} .a{display:none}", hides),
            (".a{display:none} .b{display:block}", Some(Effect::Shows)),
            ("@media (max-width:600px){.a{display:block}} .b{display:inline}", None),
            ("@media only screen and (max-width:9px) {.a{display:none}}", None),
            ("@media print{@media screen{.a{display:none}}} .b{display:none}", hides),
            ("@font-face{display:none}", None),
            ("div p{display:none}", None),
            ("p:hover{display:none}", None),
            ("*{display:none}", None),
            (".{display:none}", None),
            ("q.a{display:none}", None),
            (".a{display:none", hides),
            (".a{{{", None),
            ("@media {", None),
            ("@keyframes x{from{top:0} .b{display:none}}", None),
        ] {
            assert_eq!(display(sheet, ""), wanted, "{sheet}");
        }
        assert_eq!(display(".a{display:none}", "display:block"), Some(Effect::Shows));
        assert_eq!(display(".a{display:none !important}", "display:block"), hides);
    }

    #[test]
    fn what_a_rule_for_some_shows_again_is_not_taken_for_hidden() {
        for showing in [
            "@media (max-width:600px){.a{display:block}}",
            "@media (max-width:600px){q{} .a,q{display:block}}",
            "@supports (x:y){@media screen{p.b{display:table-cell}}}",
            "div .a{display:block}",
            "q > p.a:hover{display:block}",
            "p[x]{display:block} div #i{display:inline}",
        ] {
            assert_eq!(display(&format!("{showing} .a{{display:none}}"), ""), None, "{showing}");
            assert_eq!(display(showing, "display:none"), Some(Effect::Hides), "its own style is stronger");
        }
        assert_eq!(display("@media (x){.a{display:block!important}}", "display:none"), None);
        assert_eq!(display("div p{display:block} .a{display:none}", ""), Some(Effect::Hides));
        assert_eq!(display("div p{display:block} p{display:none}", ""), None);
        assert_eq!(display("@media (x){.a{visibility:visible}} .a{display:none}", ""), Some(Effect::Hides));
    }

    #[test]
    fn whatever_a_page_says_it_keeps_little_of_it() {
        let names = |count: usize| (0..count).map(|n| format!("a{n}")).collect::<Vec<_>>().join(",");
        for count in [1, 100, 9_000, 20_000] {
            let body = "left:0;display:none!important;".repeat(count);
            assert_eq!(declarations(&body).len(), 2, "a body is read once, whatever its length");
            for sheet in
                [format!("{}{{{body}}}", names(count)), format!("@media x{{{}{{{body}}}}}", names(count))]
            {
                let sheet = Stylesheet::read(&[&sheet]);
                let kept = sheet.rules.values().map(|style| style.given.len());
                let shown = sheet.shown.values().map(BTreeMap::len);
                assert!(kept.chain(shown).all(|length| length <= 2));
                assert_eq!(sheet.rules.len() + sheet.shown.len(), count.min(MOST_SELECTORS));
            }
        }
        let long = format!("display:none{}", "x".repeat(LONGEST_VALUE));
        assert!(declarations(&long).is_empty(), "a value that nobody writes");
        let mut found = Style::default();
        found.look_up(
            &Stylesheet::read(&[".z{display:none}"]),
            "p",
            &format!("{}z", "a ".repeat(MOST_CLASSES)),
            "",
        );
        assert!(found.is_empty(), "a class that nobody gives");
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

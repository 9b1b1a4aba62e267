//! How the signs on a ruleset's maps look: grounds, marks, hex sides, holders and counters, each with its meaning. A ruleset lists them; whoever draws a
//! map knows none of them.

/// The signs of a ruleset's maps with their looks. Legends name them in these orders, and maps are painted in them.
///
/// A colour is `#` with three or six hexadecimal digits, a width a number of drawing units. In these units a hex stands on its point, 40 wide and 46
/// high.
#[derive(Debug, PartialEq, Eq)]
pub struct Palette {
    /// The kinds of ground. A ground with another sign is drawn as clear.
    pub grounds: &'static [Ground<'static>],
    /// What stands on hexes, such as cities. A mark with another sign is not drawn.
    pub marks: &'static [Mark],
    /// The sides of hexes that are drawn. A side with another sign is not drawn.
    pub sides: &'static [Edge],
    /// Those who hold hexes. Another sign is drawn as [`Palette::held`].
    pub holders: &'static [Holder],
    /// Any other holder; its sign stands for all.
    pub held: Holder,
    /// The reader's forces.
    pub own: Counter,
    /// Others' forces in sight.
    pub others: Counter,
    /// Others' forces out of sight, as they were last seen.
    pub remembered: Counter,
}

/// A kind of ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground<'a> {
    /// Its sign.
    pub sign: char,
    /// What it is, in a word or two.
    pub meaning: &'a str,
    /// The colour of its hexes.
    pub colour: &'a str,
    /// What is drawn in each of its hexes.
    pub drawing: Drawing,
    /// Whether it is open water, whose hexes run into each other.
    pub water: bool,
}

/// A kind of ground that the files of a game add to the palette of its ruleset, or give another colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedGround {
    /// Its sign.
    pub sign: char,
    /// What it is, in a word or two.
    pub meaning: String,
    /// The colour of its hexes.
    pub colour: String,
    /// What is drawn in each of its hexes.
    pub drawing: Drawing,
    /// Whether it is open water.
    pub water: bool,
}

impl AddedGround {
    /// The ground.
    #[must_use]
    pub fn look(&self) -> Ground<'_> {
        let Self { sign, meaning, colour, drawing, water } = self;
        Ground { sign: *sign, meaning, colour, drawing: *drawing, water: *water }
    }
}

/// A look that the files of a game give to some counters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddedCounter {
    /// Whose counters these are, in a few words.
    pub meaning: String,
    /// Their colour and that of their letters; without them they have those of the palette.
    pub colours: Option<(String, String)>,
}

/// A drawing in a hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    /// An SVG path from the middle of the hex, in relative commands; empty for none.
    pub path: &'static str,
    /// The colour that fills it, or `none`.
    pub fill: &'static str,
    /// The colour of its line, or `none`.
    pub line: &'static str,
    /// The width of its line.
    pub width: &'static str,
}

/// What stands on a hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Its sign.
    pub sign: char,
    /// What it is, in a word or two.
    pub meaning: &'static str,
    /// Its dots, the largest first.
    pub dots: &'static [Dot],
    /// Whether its hex is named on a map of the whole too.
    pub chief: bool,
}

/// A dot of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dot {
    /// Whether it is a square.
    pub square: bool,
    /// Its width.
    pub width: &'static str,
    /// Its colour.
    pub colour: &'static str,
}

/// A kind of hex side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Its sign, between two columns.
    pub sign: char,
    /// Its sign between two rows: two letters.
    pub level: &'static str,
    /// What it is, in a few words.
    pub meaning: &'static str,
    /// Its colour.
    pub colour: &'static str,
    /// Its width.
    pub width: &'static str,
    /// Whether it runs from one hex to the other, as a road does, and not along the side between them.
    pub across: bool,
}

/// Whoever holds a hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    /// The sign.
    pub sign: char,
    /// What it means, in a word or two.
    pub meaning: &'static str,
    /// The colour of the hexes.
    pub colour: &'static str,
}

/// The counter of some forces. Counters have to differ without their colours too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    /// Whose forces these are.
    pub meaning: &'static str,
    /// Its colour.
    pub fill: &'static str,
    /// The colour of its outline.
    pub line: &'static str,
    /// The width of its outline.
    pub width: &'static str,
    /// Whether its outline is broken.
    pub broken: bool,
    /// The colour of its letters.
    pub letters: &'static str,
}

impl Palette {
    /// Clear ground and counters.
    pub const PLAIN: Self = Self {
        grounds: &[Ground::CLEAR],
        marks: &[],
        sides: &[],
        holders: &[],
        held: Holder { sign: '?', meaning: "held by others", colour: "#b3261e" },
        own: Counter {
            meaning: "your forces",
            fill: "#1f3f77",
            line: "#fff",
            width: ".8",
            broken: false,
            letters: "#fff",
        },
        others: Counter {
            meaning: "forces of others",
            fill: "#fff",
            line: "#b3261e",
            width: "1.6",
            broken: false,
            letters: "#9c1c15",
        },
        remembered: Counter {
            meaning: "as last seen",
            fill: "#fbf8ef",
            line: "#6b5d45",
            width: "1.2",
            broken: true,
            letters: "#6b5d45",
        },
    };

    /// The ground with this sign.
    #[must_use]
    pub fn ground(&self, sign: char) -> Option<Ground<'static>> {
        self.grounds.iter().find(|one| one.sign == sign).copied()
    }

    /// The mark with this sign.
    #[must_use]
    pub fn mark(&self, sign: char) -> Option<&'static Mark> {
        self.marks.iter().find(|one| one.sign == sign)
    }

    /// The hex side with this sign.
    #[must_use]
    pub fn side(&self, sign: char) -> Option<&'static Edge> {
        self.sides.iter().find(|one| one.sign == sign)
    }

    /// The holder with this sign.
    #[must_use]
    pub fn holder(&self, sign: char) -> Holder {
        self.holders.iter().find(|one| one.sign == sign).copied().unwrap_or(self.held)
    }

    /// What is wrong with it: signs that mean two things, colours and paths that no drawing can have.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let is_number = |text: &str| {
            text.ends_with(|c: char| c.is_ascii_digit())
                && text.matches('.').count() <= 1
                && text.chars().all(|c| c.is_ascii_digit() || c == '.')
        };
        let is_path = |text: &str| text.chars().all(|c| c.is_ascii_digit() || "mlhvqctsz -.".contains(c));
        let mut faults = Vec::new();
        let mut expect = |is: bool, what: &str, text: &str| {
            if !is {
                faults.push(format!("{what}: `{text}`"));
            }
        };
        for Ground { meaning, colour, drawing, .. } in self.grounds {
            expect(is_colour(colour), meaning, colour);
            expect(is_path(drawing.path), meaning, drawing.path);
            expect(is_number(drawing.width), meaning, drawing.width);
            for colour in [drawing.fill, drawing.line] {
                expect(colour == "none" || is_colour(colour), meaning, colour);
            }
        }
        for (meaning, dot) in
            self.marks.iter().flat_map(|mark| mark.dots.iter().map(|dot| (mark.meaning, dot)))
        {
            expect(is_colour(dot.colour), meaning, dot.colour);
            expect(is_number(dot.width), meaning, dot.width);
        }
        for edge in self.sides {
            expect(is_colour(edge.colour), edge.meaning, edge.colour);
            expect(is_number(edge.width), edge.meaning, edge.width);
            expect(edge.level.len() == 2 && edge.level.is_ascii(), edge.meaning, edge.level);
        }
        for holder in self.holders.iter().chain([&self.held]) {
            expect(is_colour(holder.colour), holder.meaning, holder.colour);
        }
        for counter in [self.own, self.others, self.remembered] {
            expect(is_number(counter.width), counter.meaning, counter.width);
            for colour in [counter.fill, counter.line, counter.letters] {
                expect(is_colour(colour), counter.meaning, colour);
            }
        }
        let signs: [Vec<char>; 4] = [
            self.grounds.iter().map(|one| one.sign).collect(),
            self.marks.iter().map(|one| one.sign).collect(),
            self.sides.iter().map(|one| one.sign).collect(),
            self.holders.iter().map(|one| one.sign).collect(),
        ];
        for signs in signs {
            for (at, sign) in signs.iter().enumerate() {
                expect(!signs[..at].contains(sign), "two meanings", &sign.to_string());
                expect(matches!(sign, ' '..='~'), "no sign of ASCII", &sign.to_string());
            }
        }
        faults
    }
}

/// Whether a text is a colour: `#` with three or six hexadecimal digits.
#[must_use]
pub fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 3 | 6) && digits.chars().all(|c| c.is_ascii_hexdigit())
}

/// The contrast of two colours in hundredths, from 100 for equal ones to 2100 for black on white; `None` if one is no colour. Letters on a ground
/// want 450 (Web Content Accessibility Guidelines 2).
#[must_use]
pub fn contrast(a: &str, b: &str) -> Option<u32> {
    let (a, b) = (luminance(a)?, luminance(b)?);
    // A twentieth is added to both, for the light that falls on a screen.
    Some((a.max(b) + 500) * 100 / (a.min(b) + 500))
}

/// Black or white, whichever is read better on a colour.
#[must_use]
pub fn letters_on(colour: &str) -> &'static str {
    if contrast(colour, "#000000") > contrast(colour, "#ffffff") { "#000000" } else { "#ffffff" }
}

/// How bright a colour is, from 0 for black to 10,000 for white.
fn luminance(colour: &str) -> Option<u32> {
    /// The light of a component of 0, 16, 32 ... 256, in ten thousandths; between them it rises evenly.
    const LIGHT: [u32; 17] =
        [0, 52, 144, 296, 513, 802, 1170, 1620, 2159, 2789, 3515, 4342, 5271, 6308, 7454, 8714, 10089];
    let digits = colour.strip_prefix('#').filter(|_| is_colour(colour))?;
    let component = |at: usize| {
        let text =
            if digits.len() == 3 { digits[at..=at].repeat(2) } else { digits[2 * at..2 * at + 2].to_owned() };
        u32::from_str_radix(&text, 16).ok()
    };
    let light = |component: u32| {
        let (step, rest) = (component as usize / 16, component % 16);
        (LIGHT[step] + (LIGHT[step + 1] - LIGHT[step]) * rest / 16).min(10_000)
    };
    let [red, green, blue] = [component(0)?, component(1)?, component(2)?].map(light);
    Some((red * 2126 + green * 7152 + blue * 722) / 10_000)
}

impl Drawing {
    /// Nothing.
    pub const NONE: Self = Self { path: "", fill: "none", line: "none", width: "0" };
}

impl Ground<'static> {
    /// Ground that nothing is drawn on.
    pub const CLEAR: Self = Self::plain(' ', "clear", "#f1e8d0");

    /// A ground in a colour.
    #[must_use]
    pub const fn plain(sign: char, meaning: &'static str, colour: &'static str) -> Self {
        Self { sign, meaning, colour, drawing: Drawing::NONE, water: false }
    }

    /// The same with a drawing that is filled.
    #[must_use]
    pub const fn filled(self, path: &'static str, fill: &'static str) -> Self {
        Self { drawing: Drawing { path, fill, ..self.drawing }, ..self }
    }

    /// The same with a drawing of lines.
    #[must_use]
    pub const fn lined(self, path: &'static str, line: &'static str, width: &'static str) -> Self {
        Self { drawing: Drawing { path, line, width, ..self.drawing }, ..self }
    }

    /// The same under another name.
    #[must_use]
    pub const fn called(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }

    /// The same with another sign.
    #[must_use]
    pub const fn signed(self, sign: char) -> Self {
        Self { sign, ..self }
    }
}

impl Mark {
    /// The same under another name.
    #[must_use]
    pub const fn called(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_palette_can_be_drawn() {
        assert_eq!(Palette::PLAIN.faults(), Vec::<String>::new());
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        for (a, b, expected) in [
            ("#000000", "#ffffff", 2100),
            ("#fff", "#ffffff", 100),
            ("#767676", "#ffffff", 454),
            ("#1f3f77", "#ffffff", 1040),
            ("#b3261e", "#ffffff", 654),
            ("#ff0000", "#0000ff", 215),
        ] {
            let found = contrast(a, b).unwrap();
            assert!(found.abs_diff(expected) <= expected / 50, "{a} on {b}: {found}, expected {expected}");
            assert_eq!(contrast(b, a), Some(found));
        }
        assert_eq!(contrast("red", "#fff"), None);
    }

    #[test]
    fn black_or_white_is_read_on_every_colour() {
        let parts = || ["00", "33", "66", "99", "bb", "ff"].into_iter();
        for (red, green, blue) in
            parts().flat_map(|r| parts().flat_map(move |g| parts().map(move |b| (r, g, b))))
        {
            let colour = format!("#{red}{green}{blue}");
            assert!(contrast(&colour, letters_on(&colour)) >= Some(450), "{colour}");
        }
    }

    #[test]
    fn whatever_no_drawing_can_have_is_a_fault() {
        const BAD: Palette = Palette {
            grounds: &[
                Ground::plain('f', "forest", "green").filled("M0 0\"/>", "#12g"),
                Ground::plain('f', "fens", "#123").lined("m-13 8h8", "none", "1.x"),
            ],
            sides: &[Edge {
                sign: '#',
                level: "=",
                meaning: "river",
                colour: "#123456",
                width: "",
                across: false,
            }],
            held: Holder { colour: "#1234", ..Palette::PLAIN.held },
            ..Palette::PLAIN
        };
        let expected = [
            "forest: `green`",
            "forest: `M0 0\"/>`",
            "forest: `#12g`",
            "fens: `1.x`",
            "river: ``",
            "river: `=`",
            "held by others: `#1234`",
            "two meanings: `f`",
        ];
        assert_eq!(BAD.faults(), expected);
    }
}

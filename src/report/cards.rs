//! Cards for playing on a table: in text two beside each other, on paper eight to a sheet, or fewer if they are long.

use super::ascii::ascii;
use super::html::Html;
use super::wrap::wrap;
use musterd_engine::briefing::Fact;

/// The width of a card in text, including its frame and the gap after it: two cards fill a page.
const WIDE: usize = 38;
/// Columns of a label in text.
const LABEL: usize = 13;

/// A card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// The kind and number of the thing: `UNIT # E3`.
    pub heading: String,
    /// Its name; may be empty.
    pub title: String,
    /// The facts on the card.
    pub facts: Vec<Fact>,
    /// Rows of boxes to cross off, each with its label.
    pub boxes: Vec<(String, u16)>,
    /// Comments at the bottom.
    pub comments: Vec<String>,
}

/// Cards that belong together. Each deck begins a new sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deck {
    /// The title of the deck.
    pub title: String,
    /// The cards in order.
    pub cards: Vec<Card>,
}

/// The decks as text.
pub fn text(decks: &[Deck]) -> String {
    let mut page = String::new();
    for deck in decks {
        if !page.is_empty() {
            page.push('\n');
        }
        super::text::heading(&mut page, &deck.title);
        for pair in deck.cards.chunks(2) {
            let (left, right) = (lines(&pair[0]), pair.get(1).map(lines).unwrap_or_default());
            let high = left.len().max(right.len());
            let (left, right) = (framed(left, high), pair.get(1).map(|_| framed(right, high)));
            for (at, line) in left.iter().enumerate() {
                page.push_str(line);
                if let Some(other) = right.as_ref().and_then(|lines| lines.get(at)) {
                    page.push_str("  ");
                    page.push_str(other);
                }
                page.push('\n');
            }
            page.push('\n');
        }
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// The lines within the frame of a card.
fn lines(card: &Card) -> Vec<String> {
    let inner = WIDE - 4;
    let mut text = String::new();
    wrap(&mut text, inner, "", "  ", &ascii(&card.heading));
    if !card.title.is_empty() {
        wrap(&mut text, inner, "", "", &ascii(&card.title));
    }
    text.push('\n');
    let beside = |text: &mut String, label: &str, value: &str| {
        wrap(text, inner, &format!("{:<LABEL$}", ascii(label)), &" ".repeat(LABEL), &ascii(value));
    };
    for fact in &card.facts {
        beside(&mut text, &fact.label, &fact.text);
    }
    for (label, many) in &card.boxes {
        beside(&mut text, label, &boxes(*many, 5));
    }
    text.push('\n');
    text.push_str("Comments:\n");
    for comment in &card.comments {
        wrap(&mut text, inner, "  ", "  ", &ascii(comment));
    }
    text.lines().map(str::to_owned).collect()
}

/// Boxes in groups; a large number of boxes is only a number.
fn boxes(many: u16, group: usize) -> String {
    if many > 100 {
        return format!("of {many}: ........");
    }
    let all: Vec<char> = "o".repeat(many.into()).chars().collect();
    all.chunks(group).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

/// A card in its frame, with `high` lines.
fn framed(lines: Vec<String>, high: usize) -> Vec<String> {
    let edge = format!("+{}+", "-".repeat(WIDE - 2));
    let inner = WIDE - 4;
    let blank = std::iter::repeat(String::new());
    let inside = lines.into_iter().chain(blank).take(high).map(|line| format!("| {line:<inner$} |"));
    std::iter::once(edge.clone()).chain(inside).chain([edge]).collect()
}

/// The style of the page of cards, on a screen and on paper. It loads nothing from elsewhere.
const STYLE: &str = "<style>\n\
@page{size:A4 portrait;margin:8mm}\n\
*{box-sizing:border-box}\n\
body{margin:0;font:9.5pt/1.2 Georgia,'Times New Roman',serif;color:#000;background:#fff}\n\
h1{font-size:13pt;margin:0 0 2mm;border-bottom:1.5pt solid #000}\n\
.deck{break-before:page;max-width:192mm;margin:0 auto 8mm}\n\
.deck:first-of-type{break-before:auto}\n\
.sheet{display:grid;grid-template-columns:1fr 1fr;gap:2.5mm}\n\
.card{border:1.2pt solid #000;padding:1.5mm 3mm;min-height:60mm;break-inside:avoid;display:flex;flex-direction:column}\n\
.card h2{font-size:11pt;margin:0;display:flex;justify-content:space-between;gap:3mm}\n\
.card h2 i{font-weight:normal}\n\
dl{margin:1mm 0;display:grid;grid-template-columns:24mm 1fr}\n\
dt,dd{margin:0;padding:.2mm 0;border-bottom:.4pt dotted #888}\n\
dt{font-variant:small-caps}\n\
dd b{display:inline-block;width:2.3mm;height:2.3mm;border:.6pt solid #000;margin:0 .4mm .3mm 0;vertical-align:middle}\n\
.comments{flex:1;font-size:8.5pt}\n\
.comments p{margin:.4mm 0}\n\
@media screen{body{background:#ddd;padding:8mm}.deck{background:#fff;padding:9mm;max-width:210mm;box-shadow:0 1px 6px #888}}\n\
</style>\n";

/// The decks as one page of HTML to print.
pub fn html(title: &str, decks: &[Deck]) -> String {
    let mut page = Html::default();
    page.tag("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    page.prose(title);
    page.tag("</title>\n");
    page.tag(STYLE);
    page.tag("</head>\n<body>\n");
    for deck in decks {
        let each = to_a_sheet(deck);
        let sheets = deck.cards.len().div_ceil(each);
        for (number, cards) in (1..).zip(deck.cards.chunks(each)) {
            page.tag("<section class=\"deck\">\n<h1>");
            page.prose(&deck.title);
            if sheets > 1 {
                page.prose(&format!(" ({number} of {sheets})"));
            }
            page.tag("</h1>\n<div class=\"sheet\">\n");
            cards.iter().for_each(|card| write_card(&mut page, card));
            page.tag("</div>\n</section>\n");
        }
    }
    page.tag("</body>\n</html>\n");
    page.finish()
}

/// How many cards of a deck fit on a sheet, judged by its longest card: two in each of up to four rows.
fn to_a_sheet(deck: &Deck) -> usize {
    let highest = deck.cards.iter().map(height).max().unwrap_or(0);
    2 * (SHEET / highest.max(1)).clamp(1, 4)
}

/// The height of a sheet below its heading, in tenths of a millimetre.
const SHEET: usize = 2750;

/// The approximate height of a printed card, with the gap below it, in tenths of a millimetre; rather too much than too little.
fn height(card: &Card) -> usize {
    const FRAME: usize = 140;
    const ROW: usize = 46;
    const BOXES: usize = 32;
    const SMALL: usize = 42;
    let facts: usize = card.facts.iter().map(|fact| fact.text.len().div_ceil(36).max(1) * ROW).sum();
    let boxes = |many: usize| if many > 100 { ROW } else { ROW + BOXES * (many.saturating_sub(1) / 20) };
    let boxes: usize = card.boxes.iter().map(|(_, many)| boxes(usize::from(*many))).sum();
    let comments: usize = card.comments.iter().map(|comment| comment.len().div_ceil(55).max(1) * SMALL).sum();
    FRAME + facts + boxes + SMALL + comments
}

fn write_card(page: &mut Html, card: &Card) {
    page.tag("<article class=\"card\">\n<h2><span>");
    page.prose(&card.heading);
    page.tag("</span><i>");
    page.prose(&card.title);
    page.tag("</i></h2>\n<dl>\n");
    for fact in &card.facts {
        page.tag("<dt>");
        page.prose(&fact.label);
        page.tag("</dt><dd>");
        page.prose(&fact.text);
        page.tag("</dd>\n");
    }
    for (label, many) in &card.boxes {
        page.tag("<dt>");
        page.prose(label);
        page.tag("</dt><dd>");
        if *many > 100 {
            page.prose(&boxes(*many, 5));
        } else {
            // Blanks between boxes would be visible, so a line of the source ends only after five boxes.
            for number in 1..=*many {
                page.tag("<b></b>");
                if number % 5 == 0 {
                    page.end_line();
                }
            }
        }
        page.tag("</dd>\n");
    }
    page.tag("</dl>\n<div class=\"comments\">Comments:\n");
    for comment in &card.comments {
        page.tag("<p>");
        page.prose(comment);
        page.tag("</p>\n");
    }
    page.tag("</div>\n</article>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deck(cards: usize) -> Deck {
        let card = |number: usize| Card {
            heading: format!("UNIT # E{number}"),
            title: "Third <Cohort> & a name that is longer than a card".to_owned(),
            facts: vec![Fact {
                label: "Type".to_owned(),
                text: "elite heavy infantry of the old sort".to_owned(),
            }],
            boxes: vec![("Fighters".to_owned(), 18), ("Shots".to_owned(), 200)],
            comments: vec!["Hidden.".to_owned()],
        };
        Deck { title: "The Thunder Legions".to_owned(), cards: (1..=cards).map(card).collect() }
    }

    #[test]
    fn cards_stand_in_pairs_within_their_frames() {
        let page = text(&[deck(3)]);
        let frames: Vec<&str> = page.lines().filter(|line| line.starts_with(['+', '|'])).collect();
        assert!(frames.iter().all(|line| matches!(line.len(), 38 | 78)), "{page}");
        assert!(page.contains("| Fighters     ooooo ooooo ooooo ooo"), "{page}");
        assert!(page.contains("of 200: ...."), "{page}");
    }

    #[test]
    fn every_sheet_of_a_deck_says_whose_it_is() {
        let headings = |deck: Deck| {
            let page = html("Cards", &[deck]);
            let sheets = page.split("<section class=\"deck\">").skip(1);
            let heading = |sheet: &str| {
                let heading = sheet.split("<h1>").nth(1).unwrap().split("</h1>").next().unwrap();
                format!("{heading}: {}", sheet.matches("<article").count())
            };
            sheets.map(heading).collect::<Vec<_>>()
        };
        assert_eq!(headings(deck(8)), ["The Thunder Legions: 8"]);
        assert_eq!(
            headings(deck(10)),
            ["The Thunder Legions (1 of 2): 8", "The Thunder Legions (2 of 2): 2"]
        );
        // Long cards are not cut in two, and a sheet doesn't end before its last row.
        let mut long = deck(7);
        let facts = long.cards[3].facts.clone();
        long.cards[3].facts.extend((0..8).flat_map(|_| facts.clone()));
        assert_eq!(headings(long), ["The Thunder Legions (1 of 2): 6", "The Thunder Legions (2 of 2): 1"]);
    }

    #[test]
    fn nothing_on_a_card_becomes_markup_and_nothing_is_fetched() {
        let page = html("Cards", &[deck(2)]);
        assert!(page.contains("Third &lt;Cohort&gt; &amp; a name"), "{page}");
        assert_eq!(page.matches("<b></b>").count(), 36);
        assert!(!page.contains("http") && !page.contains("src=") && !page.contains("url("));
    }
}

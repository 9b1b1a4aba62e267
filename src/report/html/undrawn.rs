//! A page without its drawings.

/// What a drawing becomes: nothing is seen of it. Its words stay, since the log binds all words of a page (docs/dice.md, "What was told").
const HIDDEN: &str = "<svg width=\"0\" height=\"0\" style=\"display:none\">";

/// The page with nothing of its drawings but their words, which aren't shown.
pub fn without_drawings(page: &str) -> String {
    let mut left = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(begin) = rest.find("<svg") {
        let (before, drawing) = rest.split_at(begin);
        left.push_str(before);
        let Some(end) = drawing.find("</svg>") else { break };
        let (drawing, behind) = drawing.split_at(end);
        left.push_str(HIDDEN);
        words_of(drawing, &mut left);
        left.push_str("</svg>");
        rest = behind.strip_prefix("</svg>").unwrap_or(behind);
    }
    left.push_str(rest);
    left
}

/// The words of a drawing, each text in its tags.
fn words_of(drawing: &str, left: &mut String) {
    for text in drawing.split('>').skip(1).filter_map(|piece| piece.split('<').next()) {
        if !text.trim().is_empty() {
            left.push_str("<text>");
            left.push_str(text);
            left.push_str("</text>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use musterd_dice::told::page_words;

    #[test]
    fn a_page_without_drawings_has_the_same_words_and_nothing_else_of_them() {
        let page = "<p>Before &amp; after</p>\n<svg viewBox=\"0 0 9 9\">\n<path d=\"M0 0\"/>\n<g><text x=\"1\">Ulm 1507</text>\
                    <text x=\"2\">II &lt;Mack&gt;</text></g></svg>\n<p>Between</p><svg><text>Wien</text></svg><p>End</p>";
        let left = without_drawings(page);
        assert_eq!(page_words(&left), page_words(page));
        assert!(!left.contains("<path") && !left.contains("viewBox") && left.contains("Between"), "{left}");
        assert_eq!(without_drawings("<p>No drawing</p>"), "<p>No drawing</p>");
    }
}

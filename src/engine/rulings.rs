//! The rulings on a manual, as the page of a ruleset under `docs/rulings/` has them: sections with headings, in them numbered rulings.

/// A ruling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// Its name, as `LGA-12`.
    pub name: String,
    /// The heading that it stands under.
    pub subject: String,
    /// What it says, without the tests that show it.
    pub text: String,
}

/// The rulings of a page, in its order. Paragraphs that don't begin with a ruling's name are left out.
#[must_use]
pub fn read(page: &str) -> Vec<Ruling> {
    let mut subject = "";
    let mut rulings = Vec::new();
    for paragraph in page.split("\n\n").map(str::trim) {
        if let Some(heading) = paragraph.strip_prefix("## ") {
            subject = heading;
        } else if let Some((name, text)) =
            paragraph.strip_prefix("**").and_then(|rest| rest.split_once("** "))
        {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let shown_by = ["Tests: ", "Cases: "].iter().filter_map(|mark| text.rfind(mark)).min();
            let text = shown_by.map_or(&*text, |at| &text[..at]).trim_end().replace(['*', '`'], "");
            rulings.push(Ruling { name: name.to_owned(), subject: subject.to_owned(), text });
        }
    }
    rulings
}

impl Ruling {
    /// Whether it is the one with this name or number, or its heading and text have words that begin with each of the words asked for.
    #[must_use]
    pub fn answers(&self, asked: &str) -> bool {
        let asked = asked.to_lowercase();
        let number = self.name.rsplit('-').next().unwrap_or_default();
        if asked.split_whitespace().all(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            return asked.trim() == number;
        }
        let said = format!("{} {}", self.subject, self.text).to_lowercase();
        let has = |word: &str| said.split(|c: char| !c.is_alphanumeric()).any(|said| said.starts_with(word));
        asked.trim() == self.name.to_lowercase() || asked.split_whitespace().all(has)
    }
}

/// The subjects with the names of their first and last rulings, in the page's order.
#[must_use]
pub fn subjects(rulings: &[Ruling]) -> Vec<(&str, String)> {
    let names = |of: &[Ruling]| of.iter().map(|ruling| ruling.name.as_str()).collect::<Vec<_>>().join(", ");
    rulings.chunk_by(|one, next| one.subject == next.subject).map(|of| (&*of[0].subject, names(of))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A game: rulings\n\nHow it is read.\n\n## Supply\n\n**A-1** *Manual.* A source feeds\nfour `units`. Menu 2. Cases: supply.yaml.\n\n\
                        **A-12** Winter counts twice. Tests: tests/a.rs.\n\n## Combat\n\n**A-2** Dice are thrown once.\n\n## Versions\n\nThere is one.\n";

    #[test]
    fn a_page_has_rulings_under_subjects() {
        let rulings = read(PAGE);
        assert_eq!(rulings.len(), 3);
        assert_eq!(rulings[0].text, "Manual. A source feeds four units. Menu 2.");
        assert_eq!(subjects(&rulings), [("Supply", "A-1, A-12".to_owned()), ("Combat", "A-2".to_owned())]);
    }

    #[test]
    fn a_ruling_is_found_by_its_name_its_number_and_its_words() {
        let rulings = read(PAGE);
        let found = |asked: &str| {
            let found = rulings.iter().filter(|ruling| ruling.answers(asked));
            found.map(|ruling| ruling.name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(found("a-12"), ["A-12"]);
        assert_eq!(found("2"), ["A-2"]);
        assert_eq!(found("SUPPLY"), ["A-1", "A-12"]);
        assert_eq!(found("supply wint"), ["A-12"]);
        assert_eq!(found("cavalry"), [""; 0]);
    }
}

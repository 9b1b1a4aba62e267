//! The one place where text becomes HTML: everything that is not a literal of this program is escaped here.

use super::super::ascii::ascii;

/// The length at which a line of prose is ended, in bytes: mail servers allow at most 998.
const LONG: usize = 160;

/// A page of HTML in plain ASCII. Its lines are short enough for every mail server, unless a single word is longer.
#[derive(Default)]
pub(crate) struct Html {
    page: String,
    /// The start of the current line.
    line: usize,
}

impl Html {
    /// Adds markup that is a literal of this program.
    pub(crate) fn tag(&mut self, markup: &'static str) {
        self.page.push_str(markup);
    }

    /// Ends the current line of the source. Readers don't see this.
    pub(crate) fn end_line(&mut self) {
        self.page.push('\n');
        self.line = self.page.len();
    }

    /// Ends the current line of the source if it is long.
    pub(crate) fn end_long_line(&mut self) {
        if self.page.len() - self.line > LONG {
            self.end_line();
        }
    }

    /// Adds a whole number, in an attribute or a path.
    pub(crate) fn number(&mut self, number: i32) {
        // Written digit by digit: a map has thousands of numbers, and the formatting machinery is ten times as slow.
        let mut digits = [0_u8; 10];
        let (mut left, mut at) = (number.unsigned_abs(), digits.len());
        loop {
            at -= 1;
            digits[at] = b"0123456789"[(left % 10) as usize];
            left /= 10;
            if left == 0 {
                break;
            }
        }
        if number < 0 {
            self.page.push('-');
        }
        digits[at..].iter().for_each(|digit| self.page.push(char::from(*digit)));
    }

    /// Adds a place in a path or in the points of a line: `x y`. Long paths are broken into lines here.
    pub(crate) fn place(&mut self, command: &'static str, (x, y): (i32, i32)) {
        self.end_long_line();
        self.page.push_str(command);
        self.number(x);
        self.page.push(' ');
        self.number(y);
    }

    /// Adds words, escaped. Blanks and line ends look the same to a reader, so long lines are broken at blanks.
    pub(crate) fn prose(&mut self, text: &str) {
        let text = ascii(text);
        let mut rest = text.as_ref();
        while rest.len() > LONG {
            let Some(end) = rest[LONG / 2..].find([' ', '\n']).map(|at| LONG / 2 + at) else { break };
            self.escaped(&rest[..end]);
            self.end_line();
            rest = &rest[end + 1..];
        }
        self.escaped(rest);
    }

    /// Adds words; text in backquotes is set in another font.
    pub(crate) fn words(&mut self, text: &str) {
        let quotes = text.bytes().filter(|byte| *byte == b'`').count();
        if quotes == 0 || !quotes.is_multiple_of(2) {
            return self.prose(text);
        }
        for (i, part) in text.split('`').enumerate() {
            if i.is_multiple_of(2) {
                self.prose(part);
            } else {
                self.tag("<code style=\"font-family:Menlo,Consolas,monospace\">");
                self.escaped(&ascii(part));
                self.tag("</code>");
            }
        }
    }

    /// Adds lines inside an element that keeps line ends, escaped.
    pub(crate) fn verbatim(&mut self, lines: &str) {
        self.escaped(&ascii(lines));
        self.line = self.page.rfind('\n').map_or(0, |end| end + 1);
    }

    fn escaped(&mut self, text: &str) {
        let is_markup = |byte: u8| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'');
        let mut rest = text;
        while let Some(at) = rest.bytes().position(is_markup) {
            self.page.push_str(&rest[..at]);
            self.page.push_str(match rest.as_bytes()[at] {
                b'&' => "&amp;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'"' => "&quot;",
                _ => "&#39;",
            });
            rest = &rest[at + 1..];
        }
        self.page.push_str(rest);
    }

    /// Adds a piece of a page that another writer has finished.
    pub(crate) fn piece(&mut self, page: &str) {
        self.page.push_str(page);
        self.line = self.page.rfind('\n').map_or(0, |end| end + 1);
    }

    /// The finished page.
    pub(crate) fn finish(self) -> String {
        self.page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Html)) -> String {
        let mut page = Html::default();
        write(&mut page);
        page.finish()
    }

    #[test]
    fn whatever_is_written_stays_text() {
        let nasty = "<script>&\"'</script>`<b>`";
        for page in [
            written(|page| page.prose(nasty)),
            written(|page| page.words(nasty)),
            written(|page| page.verbatim(nasty)),
        ] {
            let markup = page.replace("<code style=\"font-family:Menlo,Consolas,monospace\">", "");
            assert!(!markup.replace("</code>", "").contains(['<', '>', '"', '\'']), "{page}");
        }
        assert_eq!(written(|page| page.prose("Grande Armée")), "Grande Armee");
    }

    #[test]
    fn no_line_grows_beyond_what_mail_servers_bear() {
        let page = written(|page| page.prose(&"word ".repeat(1000)));
        assert!(page.lines().all(|line| line.len() < 400));
        assert_eq!(page.split_whitespace().count(), 1000);
        let page = written(|page| (0..1000).for_each(|n| page.place("L", (n, -n))));
        assert!(page.lines().all(|line| line.len() < 400) && page.contains("L999 -999"));
    }

    #[test]
    fn numbers_are_written_as_they_are() {
        for number in [0, 7, -10, 1507, i32::MAX, i32::MIN] {
            assert_eq!(written(|page| page.number(number)), number.to_string());
        }
    }
}

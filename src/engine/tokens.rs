//! Cuts a line of orders into words, numbers and marks, each with its place for the caret. The order readers of all rulesets begin with these tokens.

use memchr::memchr2;

/// A place in a line: the first character, from 0, and the number of characters.
pub type Span = (usize, usize);

/// The kinds of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Letters, digits and other characters of names: `III`, `1507`, `x3`, `St.`, `-2`.
    Word,
    /// A text in double quotes; the token's text leaves the quotes out.
    Quoted,
    /// Any other character or sign: `,` `+` `>=`.
    Mark,
}

/// A piece of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// The characters; for a quoted text those inside the quotes.
    pub text: &'a str,
    /// The kind of the token.
    pub kind: Kind,
    /// Its place, quotes included.
    pub span: Span,
}

impl Token<'_> {
    /// Whether it is this keyword or mark; a quoted text never is.
    pub fn is(&self, word: &str) -> bool {
        self.kind != Kind::Quoted && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is one of these keywords or marks.
    pub fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|w| self.is(w))
    }
}

/// A line with other words in some places of it, which stand in their order.
#[must_use]
pub fn respelt(line: &str, said: impl IntoIterator<Item = (Span, String)>) -> String {
    let letters: Vec<char> = line.chars().collect();
    let (mut text, mut end) = (String::new(), 0);
    for ((start, length), words) in said {
        text.extend(letters.get(end..start).unwrap_or_default());
        text.push_str(&words);
        end = start + length;
    }
    text.extend(letters.get(end..).unwrap_or_default());
    text
}

/// The part of a line before its comment, and whether it contains anything but blanks. A `#` inside quotes begins no comment.
pub fn without_comment(line: &str) -> &str {
    // Nearly all lines have neither a quote nor a comment.
    if memchr2(b'"', b'#', line.as_bytes()).is_none() {
        return line;
    }
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    // A quote that is never closed must not hide a comment.
    if quoted { line.split('#').next().unwrap_or_default() } else { line }
}

/// Cuts a line without its comment into tokens. Any text can be cut.
pub fn cut(line: &str) -> Vec<Token<'_>> {
    // Room for an order of usual length.
    let mut tokens = Vec::with_capacity(12);
    let (mut rest, mut start) = (line, 0);
    // Nearly all lines are ASCII and have as many characters as bytes.
    let is_ascii = line.is_ascii();
    while let Some(c) = rest.chars().next() {
        let next = || rest[c.len_utf8()..].chars().next();
        let (kind, length) = match c {
            c if c.is_whitespace() || c.is_control() => {
                rest = &rest[c.len_utf8()..];
                start += 1;
                continue;
            }
            '"' => (Kind::Quoted, rest[1..].find('"').map_or(rest.len(), |closing| closing + 2)),
            '-' if next() == Some('>') => (Kind::Mark, 2),
            c if in_word(c) => (Kind::Word, word_length(rest)),
            '<' | '>' | '=' if next() == Some('=') => (Kind::Mark, 2),
            c => (Kind::Mark, c.len_utf8()),
        };
        let (text, behind) = rest.split_at(length);
        let span = (start, if is_ascii { length } else { text.chars().count() });
        let text = if kind == Kind::Quoted { text.trim_matches('"').trim() } else { text };
        tokens.push(Token { text, kind, span });
        rest = behind;
        start += span.1;
    }
    trim_decoration(tokens)
}

/// Words and signs that introduce a telephone number.
const TELEPHONE: [&str; 18] = [
    "tel",
    "phone",
    "telephone",
    "mobile",
    "mob",
    "cell",
    "fax",
    "t",
    "m",
    "p",
    "f",
    "gsm",
    "handy",
    "tlf",
    "telefon",
    "tél",
    "téléphone",
    "teléfono",
];

/// Whether a line is a telephone number as people write it under their names: at least seven digits, after a `+` or a word such as `Tel`; or after a
/// `(` or a 0, unless the digits are in groups of four, as hexes are.
pub fn is_telephone(tokens: &[Token<'_>]) -> bool {
    let is_label = |t: &&Token<'_>| {
        let word = t.text.trim_end_matches('.').to_lowercase();
        TELEPHONE.contains(&word.as_str())
    };
    let (labels, number): (Vec<&Token<'_>>, Vec<&Token<'_>>) = tokens.iter().partition(is_label);
    let is_part = |c: char| c.is_ascii_digit() || "+-/().:".contains(c);
    let digits = || number.iter().flat_map(|t| t.text.chars()).filter(char::is_ascii_digit);
    let begins = |with: &[char]| number.first().is_some_and(|t| t.text.starts_with(with));
    let is_hex = |t: &&&Token<'_>| t.text.len() == 4 && t.text.chars().all(|c| c.is_ascii_digit());
    // No hex number has three digits, and no unit number either, but in large armies.
    let is_of_three = |t: &&Token<'_>| t.text.chars().filter(char::is_ascii_digit).count() == 3;
    let may_be_hexes = !number.iter().any(is_of_three)
        && (number.iter().filter(is_hex).count() > 1
            || number.iter().all(|t| t.text.len() <= 4) && number.iter().any(|t| is_hex(&t)));
    number.iter().all(|t| t.text.chars().all(is_part))
        && digits().count() >= 7
        && (!labels.is_empty() || begins(&['+']) || begins(&['(', '0']) && !may_be_hexes)
}

/// The length in bytes of the word that a text begins with.
fn word_length(text: &str) -> usize {
    // Nearly all words are ASCII, and testing bytes is faster than testing characters.
    let ascii =
        text.bytes().position(|byte| !byte.is_ascii() || !in_word(char::from(byte))).unwrap_or(text.len());
    let behind = &text[ascii..];
    match behind.bytes().next() {
        Some(byte) if !byte.is_ascii() => ascii + behind.find(|c| !in_word(c)).unwrap_or(behind.len()),
        _ => ascii,
    }
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '\'' | '-' | '_' | '/')
}

/// Removes a list's dash or star before an order, and a full stop or semicolon after it.
fn trim_decoration(mut tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    if tokens.first().is_some_and(|t| t.is_any(&["-", "*", "--"])) {
        tokens.remove(0);
    }
    while tokens.last().is_some_and(|t| t.is_any(&[";", ".", ","])) {
        tokens.pop();
    }
    if let Some(last) = tokens.last_mut()
        && last.kind == Kind::Word
        && let Some(bare) = last.text.strip_suffix('.')
    {
        *last = Token { text: bare, span: (last.span.0, last.span.1 - 1), ..*last };
    }
    tokens
}

/// Reads through the tokens of one line.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    line: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
    /// The first token that is not read.
    to: usize,
}

impl<'a> Cursor<'a> {
    /// Starts before the first token.
    pub fn new(line: &'a str) -> Self {
        let tokens = cut(line);
        Self { line, at: 0, to: tokens.len(), tokens }
    }

    /// The tokens not yet taken.
    pub fn rest(&self) -> &[Token<'a>] {
        self.tokens.get(self.at..self.to).unwrap_or_default()
    }

    /// Ends the reading before the token that is so many ahead, until [`Cursor::widen`]. Gives what that takes.
    pub fn narrow(&mut self, count: usize) -> usize {
        let to = self.at.saturating_add(count).min(self.to);
        std::mem::replace(&mut self.to, to)
    }

    /// Takes back a [`Cursor::narrow`].
    pub const fn widen(&mut self, to: usize) {
        self.to = to;
    }

    /// The next token, not taken.
    pub fn peek(&self) -> Option<Token<'a>> {
        self.rest().first().copied()
    }

    /// Takes the next token.
    pub fn take(&mut self) -> Option<Token<'a>> {
        let token = self.peek()?;
        self.skip(1);
        Some(token)
    }

    /// Takes `count` tokens without looking at them.
    pub fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.to);
    }

    /// Takes the next token if it is one of these words.
    pub fn take_any(&mut self, words: &[&str]) -> Option<Token<'a>> {
        let token = self.peek().filter(|t| t.is_any(words))?;
        self.skip(1);
        Some(token)
    }

    /// The longest run of up to `most` next tokens, joined with blanks, that `named` knows: what it names, and the number of tokens. Takes none of
    /// them.
    pub fn longest<T>(&self, most: usize, named: impl Fn(&str) -> Option<T>) -> Option<(T, usize)> {
        longest(self.rest(), most, named)
    }

    /// Takes the longest run of tokens that names something, as [`Cursor::longest`] finds it.
    pub fn take_longest<T>(&mut self, most: usize, named: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (found, words) = self.longest(most, named)?;
        self.skip(words);
        Some(found)
    }

    /// The place of the next token, or the end of the line.
    pub fn here(&self) -> Span {
        self.peek().map_or_else(|| self.end(), |t| t.span)
    }

    /// The span over the tokens taken since `before` of them were left.
    pub fn span_since(&self, before: usize) -> Span {
        let since = self.to.saturating_sub(before);
        let to = self.at.min(self.to);
        self.tokens.get(since..to).and_then(around).unwrap_or_else(|| self.here())
    }

    /// The span from the first to the last of the tokens not yet taken.
    pub fn rest_span(&self) -> Span {
        around(self.rest()).unwrap_or_else(|| self.end())
    }

    /// The next token behind the reading, or the place after the line's last character. If something is missing, the caret stands there.
    fn end(&self) -> Span {
        let behind = self.tokens.get(self.to).map(|token| token.span);
        behind.unwrap_or_else(|| (self.line.trim_end().chars().count(), 1))
    }
}

/// The longest run of up to `most` first tokens, joined with blanks, that `named` knows: what it names, and the number of tokens.
pub fn longest<T>(
    tokens: &[Token<'_>],
    most: usize,
    named: impl Fn(&str) -> Option<T>,
) -> Option<(T, usize)> {
    let together = |words: usize| {
        let text = tokens.get(..words)?.iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
        named(&text).map(|found| (found, words))
    };
    (1..=most).rev().find_map(together)
}

/// The span over several tokens.
pub fn around(tokens: &[Token<'_>]) -> Option<Span> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    Some((first.span.0, last.span.0 + last.span.1 - first.span.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<&str> {
        cut(line).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn words_marks_and_quotes_are_parted() {
        assert_eq!(texts("move 1,2 TO  St. Petersburg"), ["move", "1", ",", "2", "TO", "St.", "Petersburg"]);
        assert_eq!(texts("ATT 1507 WITH \"VI Ney\" x3"), ["ATT", "1507", "WITH", "VI Ney", "x3"]);
        assert_eq!(texts("WHILE ODDS>=-1"), ["WHILE", "ODDS", ">=", "-1"]);
        assert_eq!(texts("- MOVE 1 TO Ulm."), ["MOVE", "1", "TO", "Ulm"]);
        assert_eq!(texts("MOVE 1 -> Ulm"), ["MOVE", "1", "->", "Ulm"]);
        assert_eq!(texts("\"never closed"), ["never closed"]);
        assert_eq!(texts(" \t\u{0} "), Vec::<&str>::new());
    }

    #[test]
    fn spans_count_characters_not_bytes() {
        let tokens = cut("MOVE 1 TO Königsberg WITH \"é\"");
        assert_eq!(tokens[3].span, (10, 10));
        assert_eq!(tokens[5].span, (26, 3));
    }

    #[test]
    fn a_narrow_cursor_ends_before_what_follows() {
        let mut cursor = Cursor::new("1 Cav TO Ulm");
        let whole = cursor.narrow(2);
        cursor.skip(1);
        assert_eq!((cursor.rest().len(), cursor.rest_span(), cursor.span_since(2)), (1, (2, 3), (0, 1)));
        cursor.skip(7);
        assert_eq!((cursor.peek(), cursor.here(), cursor.span_since(2)), (None, (6, 2), (0, 5)));
        cursor.widen(whole);
        assert_eq!(cursor.peek().map(|token| token.text), Some("TO"));
    }

    #[test]
    fn the_longest_name_is_taken() {
        let named = |text: &str| ["old town", "old", "old town hall"].iter().position(|name| *name == text);
        let mut cursor = Cursor::new("old town gate");
        assert_eq!(cursor.longest(3, named), Some((0, 2)));
        assert_eq!(cursor.longest(1, named), Some((1, 1)));
        assert_eq!((cursor.take_longest(3, named), cursor.peek().unwrap().text), (Some(0), "gate"));
        assert_eq!(cursor.take_longest(3, named), None);
    }

    #[test]
    fn comments_end_a_line_unless_quoted() {
        assert_eq!(without_comment("END 3 # done"), "END 3 ");
        assert_eq!(without_comment("END \"a#b\" # c"), "END \"a#b\" ");
        assert_eq!(without_comment("END \"a # b"), "END \"a ");
    }
}

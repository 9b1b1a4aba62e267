//! Converts any text to plain ASCII, which old mail programs, terminals and fixed columns can show.

use std::borrow::Cow;

/// The text in printable ASCII and line ends, nothing else: letters lose their accents, other scripts are spelled in Latin letters, a tab becomes a
/// space, other control characters are removed, and characters without a spelling become `?`.
pub fn ascii(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c == '\n' || c == ' ' || c.is_ascii_graphic();
    // Without an early exit the processor tests many bytes at once.
    if text.bytes().fold(true, |all, byte| all & plain(char::from(byte))) {
        return Cow::Borrowed(text);
    }
    // Line by line, because the library drops line ends after the first odd letter.
    let spelled = text.split('\n').map(|line| deunicode::deunicode_with_tofu(&line.replace('\t', " "), "?"));
    let spelled: Vec<String> = spelled.map(|line| line.replace('\n', " ")).collect();
    Cow::Owned(spelled.join("\n").chars().filter(|c| plain(*c)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_dashes_and_other_scripts_are_spelled_out() {
        assert_eq!(ascii("La Grande Armée – «Straße» …"), "La Grande Armee - <<Strasse>> ...");
        assert_eq!(ascii("Кутузов"), "Kutuzov");
        assert_eq!(ascii("a\tb\r\nc\u{7}\u{10FFFF}"), "a b\nc?");
        assert_eq!(ascii("é\n\n\tb\n"), "e\n\n b\n");
    }
}

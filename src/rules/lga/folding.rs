//! The words of a name as they are compared: without case, accents and punctuation.

/// The words of a name as they are compared.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).map(fold).filter(|w| !w.is_empty()).collect()
}

/// A word without case and accents; `oe` and the like become one letter.
pub(super) fn fold(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase) {
        match c {
            'ä' | 'à' | 'á' | 'â' | 'å' => plain.push('a'),
            'é' | 'è' | 'ê' | 'ë' => plain.push('e'),
            'í' | 'ì' | 'î' => plain.push('i'),
            'ö' | 'ó' | 'ò' | 'ô' | 'ø' => plain.push('o'),
            'ü' | 'ú' | 'ù' | 'û' => plain.push('u'),
            'ç' => plain.push('c'),
            'ñ' => plain.push('n'),
            'ß' => plain.push_str("ss"),
            other => plain.push(other),
        }
    }
    for (two, one) in [("ae", "a"), ("oe", "o"), ("ue", "u")] {
        if plain.contains(two) {
            plain = plain.replace(two, one);
        }
    }
    plain
}

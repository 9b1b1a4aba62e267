//! Names as players write them: without case, accents and punctuation, whole or in part, and with slips of the pen.

use musterd_engine::alike::unlikeness;

/// The words of a name as they are compared.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).map(fold).filter(|w| !w.is_empty()).collect()
}

/// A word without case and accents; `oe` and the like become one letter.
#[must_use]
pub fn fold(word: &str) -> String {
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

/// Whether two names are one to whoever writes orders: they differ in nothing but case, accents and punctuation.
#[must_use]
pub fn is_one(name: &str, other: &str) -> bool {
    let folded = words(name);
    name.eq_ignore_ascii_case(other) || !folded.is_empty() && folded == words(other)
}

/// How well a name fits: less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Whole,
    Words,
    Beginnings,
}

/// The candidates of the lowest rank whose names fit what is asked for, of those the ones that fit best, and equally well: all of a name, before some
/// of its words in order, before the beginnings of some. Names and question are in folded [`words`].
pub fn best<'n, T, R: Ord>(
    asked: &[String],
    candidates: impl Iterator<Item = (T, &'n [String])>,
    rank: impl Fn(&T) -> R,
) -> Vec<T> {
    let mut found = Vec::new();
    let mut top = None;
    for (candidate, words) in candidates {
        let Some(fit) = fit(asked, words) else { continue };
        let place = Some((rank(&candidate), fit));
        if top.is_none() || place < top {
            found.clear();
            top = place;
        } else if place > top {
            continue;
        }
        found.push(candidate);
    }
    found
}

fn fit(asked: &[String], name: &[String]) -> Option<Fit> {
    if asked.is_empty() {
        return None;
    }
    // Wherever blanks stand.
    let length = |words: &[String]| words.iter().map(String::len).sum::<usize>();
    if length(asked) == length(name)
        && asked.iter().flat_map(|word| word.bytes()).eq(name.iter().flat_map(|word| word.bytes()))
    {
        return Some(Fit::Whole);
    }
    let in_order = |matches: fn(&str, &str) -> bool| {
        let mut rest = name.iter();
        asked.iter().all(|word| rest.any(|other| matches(other, word)))
    };
    if in_order(|other, word| other == word) {
        Some(Fit::Words)
    } else if in_order(|other, word| other.starts_with(word)) {
        Some(Fit::Beginnings)
    } else {
        None
    }
}

/// The candidate whose name, or a longer word of it, differs least, if it differs by no more than a third of its letters.
pub fn nearest<'n, T>(asked: &[String], candidates: impl Iterator<Item = (T, &'n [String])>) -> Option<T> {
    let asked: String = asked.join(" ").chars().take(40).collect();
    let unlikeness = |words: &[String]| {
        let longer = words.iter().filter(|word| word.len() >= 3).cloned();
        std::iter::once(words.join(" "))
            .chain(longer)
            .map(|name| (unlikeness(&asked, &name), name.len()))
            .filter(|(unlikeness, length)| unlikeness.slips * 3 <= *length)
            .map(|(unlikeness, _)| unlikeness)
            .min()
    };
    let near = candidates.filter_map(|(candidate, words)| Some((unlikeness(words)?, candidate)));
    near.min_by_key(|(unlikeness, _)| *unlikeness).map(|(_, candidate)| candidate)
}

/// `a, b or c`, at most four of them named.
#[must_use]
pub fn either(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= 4 => format!("{} or {last}", first.join(", ")),
        many => format!("{} or one of {} more", many[..3].join(", "), many.len() - 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fold_to_plain_letters() {
        for spelling in ["Königsberg", "KOENIGSBERG", "konigsberg"] {
            assert_eq!(words(spelling), ["konigsberg"]);
        }
        assert_eq!(words("St. Petersburg"), ["st", "petersburg"]);
    }

    #[test]
    fn names_are_one_but_for_case_accents_and_punctuation() {
        assert!(is_one("St. Père", "st pere") && is_one("!", "!"));
        assert!(!is_one("!", "?") && !is_one("St. Pere", "Stpere"));
    }

    #[test]
    fn whole_names_beat_words_and_words_beat_beginnings() {
        let fit = |asked: &str, name: &str| fit(&words(asked), &words(name));
        assert_eq!(fit("davout", "DAVOUT"), Some(Fit::Whole));
        assert_eq!(fit("davout", "III Davout"), Some(Fit::Words));
        assert_eq!(fit("iii dav", "III Davout"), Some(Fit::Beginnings));
        assert_eq!(fit("i", "I Bernadotte"), Some(Fit::Words));
        assert_eq!(fit("i", "III Davout"), Some(Fit::Beginnings));
        assert_eq!(fit("1cav", "1 Cav"), Some(Fit::Whole));
        assert_eq!(fit("davout iii", "III Davout"), None);
    }

    #[test]
    fn long_lists_of_choices_are_cut() {
        let names: Vec<String> = (1..=6).map(|n| n.to_string()).collect();
        assert_eq!(either(&names[..2]), "1 or 2");
        assert_eq!(either(&names), "1, 2, 3 or one of 3 more");
    }
}

//! Replaces letters that look like Latin ones by Latin letters.

use std::borrow::Cow;

/// Letters of other alphabets that look like Latin ones, with their Latin counterparts. They come from a keyboard that was left in the other
/// alphabet; nobody can see the difference.
const LOOKALIKES: [(&str, &str); 4] = [
    ("АВЕКМНОРСТУХЅІЈԚԜҮ", "ABEKMHOPCTYXSIJQWY"),
    ("аеорсухѕіјһԁԛԝ", "aeopcyxsijhdqw"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("ονϲϳ", "ovcj"),
];

/// The line up to its comment, with every word in Latin letters that looks like a Latin word: `МОVЕ`. A word with a letter that has no counterpart
/// stays.
pub(super) fn in_latin(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let (orders, comment) = line.split_at(line.find('#').unwrap_or(line.len()));
    let mut latin = String::with_capacity(line.len());
    for word in orders.split_inclusive(|c: char| !c.is_alphabetic()) {
        let read: Option<String> = word.chars().map(latin_letter).collect();
        latin.push_str(read.as_deref().unwrap_or(word));
    }
    latin.push_str(comment);
    if latin == line { Cow::Borrowed(line) } else { Cow::Owned(latin) }
}

fn latin_letter(c: char) -> Option<char> {
    if !c.is_alphabetic() || c.is_ascii() {
        return Some(c);
    }
    LOOKALIKES.iter().find_map(|(theirs, ours)| {
        let at = theirs.chars().position(|letter| letter == c)?;
        ours.chars().nth(at)
    })
}

#[cfg(test)]
mod tests {
    use super::LOOKALIKES;

    #[test]
    fn every_letter_that_looks_latin_has_the_one_that_it_looks_like() {
        for (theirs, ours) in LOOKALIKES {
            assert_eq!(theirs.chars().count(), ours.len());
        }
    }
}

//! Finds the name that a misspelt word was meant to be. Every hint of the program uses this one order of likeness.

/// The distance between a written word and a name, both in the same case. A smaller value means a likelier name.
///
/// The number of slips of the pen is compared first: letters left out, put in, wrong or swapped with a neighbour. Among names with equally many
/// slips, the one with the same letters is meant: `Viena` is Vienna, not Vilna.
#[must_use]
pub fn unlikeness(written: &str, name: &str) -> Unlikeness {
    Unlikeness { slips: slips(written, name), strange: strange(written, name) + strange(name, written) }
}

/// See [`unlikeness`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unlikeness {
    /// The number of slips of the pen between the two.
    pub slips: usize,
    /// The number of letters that only one of the two contains.
    strange: usize,
}

/// The slips of the pen between two words (the restricted edit distance of Damerau and Levenshtein).
#[must_use]
pub fn slips(written: &str, name: &str) -> usize {
    strsim::osa_distance(written, name)
}

fn strange(word: &str, other: &str) -> usize {
    word.chars().filter(|&letter| !other.contains(letter)).count()
}

/// The name that the writer of `word` may have meant, out of `known`: one slip for every three letters is forgiven, and at least one; a word of one
/// letter is like no other.
pub fn meant<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let most = (word.chars().count() / 3).max(1);
    known
        .map(|name| (unlikeness(&word, &name.to_lowercase()), name))
        .filter(|(unlikeness, _)| unlikeness.slips <= most && unlikeness.slips < word.chars().count())
        .min()
        .map(|(_, name)| name)
}

/// `; did you mean X?`, or an empty text if no name is near.
pub fn guess<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    meant(word, known)
        .map_or_else(|| "; check its spelling".to_owned(), |near| format!("; did you mean {near}?"))
}

/// Which name may be meant, or all there are: the end of a message about a name of a file that is none of `known`.
pub fn names<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    match meant(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there is none".to_owned(),
        None => format!("there are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_names_as_near_the_one_with_the_same_letters_is_meant() {
        let cities = ["Vilna", "Vienna", "Verona"];
        assert_eq!(meant("Viena", cities.into_iter()), Some("Vienna"));
        assert_eq!(meant("viena", cities.into_iter().rev()), Some("Vienna"), "in whatever order they come");
        assert_eq!(meant("Vlina", cities.into_iter()), Some("Vilna"), "two letters swapped are one slip");
        assert_eq!(meant("Paris", cities.into_iter()), None);
        assert_eq!(meant("E", ["A", "B"].into_iter()), None, "one letter for another");
        assert_eq!(meant("a", ["A", "B"].into_iter()), Some("A"));
    }
}

//! Words with meanings: the values of an option of games, or of an argument of questions.

use musterd_engine::calls::Given;

/// A word, what it says to whoever chooses it, and what the rules make of it.
pub type Meaning<T> = (&'static str, &'static str, T);

/// The words with what they say, in their order.
pub const fn words<T: Copy, const N: usize>(all: &[Meaning<T>; N]) -> [(&'static str, &'static str); N] {
    let mut words = [("", ""); N];
    let mut place = 0;
    while place < N {
        words[place] = (all[place].0, all[place].1);
        place += 1;
    }
    words
}

/// What a word means.
///
/// # Panics
/// It is none of these: what is chosen is checked when it is read.
pub fn meant<T: Copy>(all: &[Meaning<T>], word: &str) -> T {
    #[expect(clippy::expect_used, reason = "checked when it was read")]
    all.iter().find(|(own, ..)| *own == word).expect("one of the words").2
}

/// What the word of an argument means; the first word if it is not given.
///
/// # Panics
/// There are no words, or the call has no such argument, or one with other words.
pub fn asked<T: Copy>(given: &Given, argument: &str, all: &[Meaning<T>]) -> T {
    given.text(argument).map_or(all[0].2, |word| meant(all, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [Meaning<u8>; 2] = [("small", "of one", 1), ("large", "of two", 2)];

    #[test]
    fn a_word_is_offered_with_what_it_says_and_read_as_what_it_means() {
        assert_eq!(words(&SIZES), [("small", "of one"), ("large", "of two")]);
        assert_eq!(SIZES.map(|(word, ..)| meant(&SIZES, word)), [1, 2]);
    }
}

//! The numbers of adjudications, reruns and tellings: from 1, in one spelling.

/// The largest of them: nine digits.
pub(crate) const LARGEST: u32 = 999_999_999;

/// Such a number, if this is its spelling.
pub(crate) fn natural(digits: &str) -> Option<u32> {
    let number = digits.parse().ok().filter(|number| (1..=LARGEST).contains(number))?;
    (number.to_string() == digits).then_some(number)
}

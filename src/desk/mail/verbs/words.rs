//! Reads the words after a command's first.

use std::str::FromStr;

use jiff::civil::{Date, Time};

use super::slip::{Slip, Wanted};

/// What was read, or the word that can't be.
pub(in crate::mail) type Read<T> = Result<T, Slip>;

/// A value of each kind, as a slip names it.
pub(super) const TURN: Wanted = Wanted::A("a turn such as 5");
pub(super) const GAME: Wanted = Wanted::A("the name of a game such as alpha");
pub(super) const ADDRESS: Wanted = Wanted::A("an address such as anna@example.org");
pub(super) const SPAN: Wanted = Wanted::A("a span of time such as 90m, 36h or 2d");
pub(super) const DAY: Wanted = Wanted::A("a day such as 2026-12-10");
const TIME: Wanted = Wanted::A("a time such as 20:00");

/// Nothing stands behind the command's word.
pub(super) fn none<C>(rest: &[&str], command: C) -> Read<C> {
    ended(rest, 0).map(|()| command)
}

/// Nothing stands behind the first `read` words.
pub(super) fn ended(rest: &[&str], read: usize) -> Read<()> {
    if rest.len() > read { Err(Slip::wrong(read, Wanted::Nothing)) } else { Ok(()) }
}

/// More words are a sentence, and no question.
const MOST_WORDS: usize = 3;

/// What is asked about, in a few words or none.
pub(super) fn question(rest: &[&str]) -> Read<String> {
    ended(rest, MOST_WORDS).map(|()| rest.join(" "))
}

/// The word at a place.
pub(super) fn word<'a>(rest: &[&'a str], place: usize, wanted: Wanted) -> Read<&'a str> {
    rest.get(place).copied().ok_or(Slip::missing(place, wanted))
}

/// The word at a place, in small letters.
pub(super) fn small(rest: &[&str], place: usize, wanted: Wanted) -> Read<String> {
    word(rest, place, wanted).map(str::to_lowercase)
}

/// One word and no other, in small letters.
pub(super) fn only(rest: &[&str], wanted: Wanted) -> Read<String> {
    let word = small(rest, 0, wanted)?;
    ended(rest, 1).map(|()| word)
}

/// The value that the word at a place names; names are in small letters.
pub(super) fn named<T: FromStr>(rest: &[&str], place: usize, wanted: Wanted) -> Read<T> {
    let written = word(rest, place, wanted)?;
    written.to_ascii_lowercase().parse().map_err(|_| Slip::wrong(place, wanted))
}

/// One name and no other word.
pub(super) fn only_named<T: FromStr>(rest: &[&str], wanted: Wanted) -> Read<T> {
    let value = named(rest, 0, wanted)?;
    ended(rest, 1).map(|()| value)
}

/// Which of these words stands at a place.
pub(super) fn which(rest: &[&str], place: usize, words: &'static [&'static str]) -> Read<&'static str> {
    let written = word(rest, place, Wanted::Word(words))?;
    let found = words.iter().copied().find(|word| word.eq_ignore_ascii_case(written));
    found.ok_or(Slip::wrong(place, Wanted::Word(words)))
}

/// Whether this word stands at a place.
pub(super) fn is(rest: &[&str], place: usize, word: &str) -> bool {
    rest.get(place).is_some_and(|written| written.eq_ignore_ascii_case(word))
}

/// Seats with commas or blanks between them, from a place on.
pub(super) fn seats(rest: &[&str], from: usize) -> Read<Vec<musterd_dice::Seat>> {
    let mut seats = Vec::new();
    for (place, names) in rest.iter().enumerate().skip(from) {
        for name in names.split(',').filter(|name| !name.is_empty()) {
            let seat = name.to_ascii_lowercase().parse();
            seats.push(seat.map_err(|_| Slip::wrong(place, Wanted::Seat))?);
        }
    }
    if seats.is_empty() { Err(Slip::missing(rest.len().max(from), Wanted::Seat)) } else { Ok(seats) }
}

/// The day at a place.
pub(super) fn day(rest: &[&str], place: usize, wanted: Wanted) -> Read<Date> {
    word(rest, place, wanted)?.parse().map_err(|_| Slip::wrong(place, wanted))
}

/// The time of day at a place: `20:00`.
pub(super) fn time(rest: &[&str], place: usize) -> Read<Time> {
    let written = word(rest, place, TIME)?;
    let read = || {
        let (hour, minute) = written.split_once(':')?;
        Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
    };
    read().ok_or(Slip::wrong(place, TIME))
}

/// The span of time at a place, in minutes.
pub(super) fn span(rest: &[&str], place: usize, wanted: Wanted) -> Read<u32> {
    minutes(word(rest, place, wanted)?).ok_or(Slip::wrong(place, wanted))
}

/// The name of the option that a word or a line begins, and what stands behind it, without its dashes: mail programs put two of them together.
pub fn option_in(text: &str) -> Option<&str> {
    let name = ["--", "\u{2014}", "\u{2013}"].iter().find_map(|dashes| text.strip_prefix(dashes));
    name.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// A span of time as people write it, in minutes: `90m`, `36h`, `3d`; a year at most.
pub fn minutes(text: &str) -> Option<u32> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let unit = match unit {
        "m" | "M" => 1,
        "h" | "H" => 60,
        "d" | "D" => 24 * 60,
        _ => return None,
    };
    let minutes = number.parse::<u32>().ok()?.checked_mul(unit)?;
    (1..=366 * 24 * 60).contains(&minutes).then_some(minutes)
}

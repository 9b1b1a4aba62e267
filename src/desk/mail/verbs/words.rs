//! Reads the words after a command's first.

use std::str::FromStr;

use jiff::civil::{Date, DateTime, Time};

pub(super) fn none<C>(rest: &[&str], command: C) -> Option<C> {
    rest.is_empty().then_some(command)
}

pub(super) fn one(rest: &[&str]) -> Option<String> {
    match rest {
        [only] => Some((*only).to_owned()),
        _ => None,
    }
}

/// One word, in small letters.
pub(super) fn small(rest: &[&str]) -> Option<String> {
    one(rest).map(|word| word.to_ascii_lowercase())
}

/// The value that a word names; names are in small letters.
pub(super) fn named<T: FromStr>(word: &str) -> Option<T> {
    word.to_ascii_lowercase().parse().ok()
}

/// `ADD` and an address, or `DROP` and one.
pub(super) fn address<C>(rest: &[&str], add: fn(String) -> C, drop: fn(String) -> C) -> Option<C> {
    let [what, address] = rest else { return None };
    let address = address.to_lowercase();
    match what.to_ascii_uppercase().as_str() {
        "ADD" => Some(add(address)),
        "DROP" => Some(drop(address)),
        _ => None,
    }
}

/// A day and a time: `2026-12-10 20:00`.
pub(super) fn at(day: &str, time: &str) -> Option<DateTime> {
    let (hour, minute) = time.split_once(':')?;
    let time = Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()?;
    Some(day.parse::<Date>().ok()?.to_datetime(time))
}

/// A span of time as people write it, in minutes: `90m`, `36h`, `3d`; a year at most.
#[must_use]
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

//! The calendar: computes from a game's deadline policy the deadline of a window, fixed in UTC when the window opens, and shows times on players'
//! clocks. The time-zone database is the program's own.

use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};

use crate::mail::minutes;
use musterd_engine::terms::DeadlinePolicy;
use musterd_report::span_in_words;

/// How to write a policy.
pub const FORMS: &str = "`3d`, `36h`, `90m`, `none`, `3d not sat,sun Europe/Vienna`, or days, a time and a zone such as `sat 20:00 \
                         Europe/Vienna` or `wed,sat 20:00 Europe/Vienna min 48h`";

/// A policy that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a deadline: write {FORMS}")]
pub struct BadDeadline(String);

/// Reads a policy as `musterd new --deadline` takes it.
///
/// # Errors
/// The text is not a policy, or the zone is unknown.
pub fn parse(text: &str) -> Result<DeadlinePolicy, BadDeadline> {
    let bad = || BadDeadline(text.to_owned());
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["none"] => Ok(DeadlinePolicy::None),
        [length] => {
            let minutes = minutes(length).ok_or_else(bad)?;
            Ok(DeadlinePolicy::After { minutes, not_on: Vec::new(), zone: None })
        }
        [length, "not", free, zone @ ..] => {
            let not_on = weekdays(free).filter(|days| days.len() < 7).ok_or_else(bad)?;
            let zone = match zone {
                [] => None,
                [zone] if TimeZone::get(zone).is_ok() => Some((*zone).to_owned()),
                _ => return Err(bad()),
            };
            Ok(DeadlinePolicy::After { minutes: minutes(length).ok_or_else(bad)?, not_on, zone })
        }
        [days, time, zone, rest @ ..] => {
            let least = match rest {
                [] => 24 * 60,
                ["min", least] => minutes(least).ok_or_else(bad)?,
                _ => return Err(bad()),
            };
            let (hour, minute) = time.split_once(':').ok_or_else(bad)?;
            let hour: i8 = hour.parse().ok().filter(|h| (0..24).contains(h)).ok_or_else(bad)?;
            let minute: i8 = minute.parse().ok().filter(|m| (0..60).contains(m)).ok_or_else(bad)?;
            TimeZone::get(zone).map_err(|_| bad())?;
            Ok(DeadlinePolicy::Weekly {
                days: weekdays(days).ok_or_else(bad)?,
                hour,
                minute,
                zone: (*zone).to_owned(),
                at_least_hours: least.div_ceil(60),
            })
        }
        _ => Err(bad()),
    }
}

/// Days of the week as ISO numbers, sorted: `sat,sun`, `weekends`, `weekdays`.
fn weekdays(text: &str) -> Option<Vec<i8>> {
    match text.to_ascii_lowercase().as_str() {
        "weekend" | "weekends" => return Some(vec![6, 7]),
        "weekday" | "weekdays" => return Some((1..=5).collect()),
        _ => {}
    }
    let days = text.split(',').map(|day| weekday(day).map(Weekday::to_monday_one_offset));
    let mut days = days.collect::<Option<Vec<i8>>>()?;
    days.sort_unstable();
    days.dedup();
    Some(days)
}

fn weekday(text: &str) -> Option<Weekday> {
    Some(match text.to_ascii_lowercase().as_str() {
        "mon" | "monday" => Weekday::Monday,
        "tue" | "tuesday" => Weekday::Tuesday,
        "wed" | "wednesday" => Weekday::Wednesday,
        "thu" | "thursday" => Weekday::Thursday,
        "fri" | "friday" => Weekday::Friday,
        "sat" | "saturday" => Weekday::Saturday,
        "sun" | "sunday" => Weekday::Sunday,
        _ => return None,
    })
}

/// When a window that opens at `opened` (unix seconds) closes; `None` if it waits for all players.
///
/// A local time that a change to daylight saving skips means the later time; one that occurs twice means the first.
///
/// A policy without a zone uses `default`.
pub fn next(policy: &DeadlinePolicy, opened: i64, default: &str) -> Option<i64> {
    let least = match policy {
        DeadlinePolicy::None => return None,
        DeadlinePolicy::After { minutes, .. } => i64::from(*minutes) * 60,
        DeadlinePolicy::Weekly { at_least_hours, .. } => i64::from(*at_least_hours) * 3600,
    };
    not_before(policy, opened.saturating_add(least), default)
}

/// The first time from `earliest` on at which the policy lets a window close; `None` if it never does.
pub fn not_before(policy: &DeadlinePolicy, earliest: i64, default: &str) -> Option<i64> {
    match policy {
        DeadlinePolicy::None => None,
        DeadlinePolicy::After { not_on, zone, .. } => {
            let at = zoned(earliest, zone.as_deref().unwrap_or(default));
            let free = |day: &Zoned| !not_on.contains(&day.weekday().to_monday_one_offset());
            let days = (0..7).filter_map(|days| at.checked_add(Span::new().days(days)).ok());
            Some(days.into_iter().find(free).unwrap_or(at).timestamp().as_second())
        }
        DeadlinePolicy::Weekly { days, hour, minute, zone, .. } => {
            let start = zoned(earliest, zone);
            (0..8).find_map(|offset| {
                let day = start.date().checked_add(Span::new().days(offset)).ok()?;
                if !days.contains(&day.weekday().to_monday_one_offset()) {
                    return None;
                }
                let at = day.at(*hour, *minute, 0, 0).to_zoned(start.time_zone().clone()).ok()?;
                Some(at.timestamp().as_second()).filter(|at| *at >= earliest)
            })
        }
    }
}

/// The first time from `at` on that is on none of the policy's free days: for deadlines that somebody moves.
pub fn off_free_days(policy: &DeadlinePolicy, at: i64, default: &str) -> i64 {
    match policy {
        DeadlinePolicy::After { .. } => not_before(policy, at, default).unwrap_or(at),
        DeadlinePolicy::None | DeadlinePolicy::Weekly { .. } => at,
    }
}

/// The policy in words, for lists.
pub fn in_words(policy: &DeadlinePolicy) -> String {
    const NAMES: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let listed = |days: &[i8]| -> String {
        let name =
            |day: &i8| usize::try_from(*day - 1).ok().and_then(|i| NAMES.get(i)).copied().unwrap_or("?");
        days.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    match policy {
        DeadlinePolicy::None => "none: a turn runs when all are ready".to_owned(),
        DeadlinePolicy::After { minutes, not_on, zone } => {
            let mut text = format!("{} after each turn opens", span_in_words(i64::from(*minutes)));
            if !not_on.is_empty() {
                text.push_str(&format!(", not on {}", listed(not_on)));
                zone.iter().for_each(|zone| text.push_str(&format!(" ({zone})")));
            }
            text
        }
        DeadlinePolicy::Weekly { days, hour, minute, zone, at_least_hours } => {
            let least = span_in_words(i64::from(*at_least_hours) * 60);
            format!("{} {hour:02}:{minute:02} {zone}, at least {least} after a turn opens", listed(days))
        }
    }
}

/// A time on a zone's clock; in UTC if the zone is unknown.
pub fn zoned(unix: i64, zone: &str) -> Zoned {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    Timestamp::from_second(unix).unwrap_or_default().to_zoned(zone)
}

/// The zone in which a game's players are told times.
pub fn zone_of<'a>(policy: &'a DeadlinePolicy, default: &'a str) -> &'a str {
    match policy {
        DeadlinePolicy::Weekly { zone, .. } | DeadlinePolicy::After { zone: Some(zone), .. } => zone,
        DeadlinePolicy::None | DeadlinePolicy::After { .. } => default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_deadline_is_refused() {
        for bad in [
            "",
            "3",
            "0d",
            "d",
            "3w",
            "sat",
            "sat 25:00 UTC",
            "sat 20:00 Nowhere/City",
            "sat 20:00 UTC x",
            "3d not",
            "3d not mon,tue,wed,thu,fri,sat,sun",
            "3d not weekends Nowhere/City",
            "é",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_policy_is_said_in_words() {
        for (policy, words) in [
            ("36h", "1 day 12 hours after each turn opens"),
            (
                "3d not weekends Europe/Vienna",
                "3 days after each turn opens, not on Sat, Sun (Europe/Vienna)",
            ),
            (
                "sat 20:00 Europe/Vienna min 48h",
                "Sat 20:00 Europe/Vienna, at least 2 days after a turn opens",
            ),
            ("none", "none: a turn runs when all are ready"),
        ] {
            assert_eq!(in_words(&parse(policy).unwrap()), words);
        }
    }
}

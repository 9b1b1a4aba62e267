//! Reads the days of a battle as turns, with light and weather.

use musterd_engine::yaml::{LineColumn, Reader, short};
use musterd_kit::data::At;

use super::declared::{DayLine, MOST_TURNS, ScenarioFile};
use crate::battle::Hour;
use crate::model::{Light, Weather};

const MONTHS: [(&str, u8); 12] = [
    ("January", 31),
    ("February", 29),
    ("March", 31),
    ("April", 30),
    ("May", 31),
    ("June", 30),
    ("July", 31),
    ("August", 31),
    ("September", 30),
    ("October", 31),
    ("November", 30),
    ("December", 31),
];

/// The turns as read.
pub(super) struct Hours {
    pub(super) hours: Vec<Hour>,
    /// Whether their number is known.
    known: bool,
}

impl Hours {
    /// The last turn, if it is known.
    pub(super) fn last(&self) -> Option<u16> {
        self.known.then(|| u16::try_from(self.hours.len()).unwrap_or(u16::MAX))
    }

    /// Notes that a turn is after the last one; `what` follows from it.
    pub(super) fn is_late(&self, reader: &mut Reader, at: LineColumn, turn: u16, what: &str) -> bool {
        let late = self.last().filter(|last| turn > *last);
        if let Some(last) = late {
            reader.fault(at, format!("turn {turn} is after the last, {last}: {what}"));
        }
        late.is_some()
    }
}

/// A date in numbers that can be compared, and in words.
fn date(text: &str) -> Option<((u16, u8, u8), String)> {
    let mut parts = text.trim().split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b' '));
    let shaped = is_plain && parts.next().is_none() && year.len() == 4 && month.len() == 2 && day.len() == 2;
    let (year, month, day): (u16, u8, u8) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    let (name, days) = MONTHS.get(usize::from(month).checked_sub(1)?)?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = if month == 2 && !leap { 28 } else { *days };
    (shaped && (1000..2000).contains(&year) && (1..=last).contains(&day))
        .then(|| ((year, month, day), format!("{day} {name} {year}")))
}

/// Reads the days and the weather, and notes their faults.
pub(super) fn read(reader: &mut Reader, file: &ScenarioFile) -> Hours {
    let mut hours = Hours { hours: Vec::new(), known: file.days.known().is_some() };
    if file.days.known().is_some_and(Vec::is_empty) {
        reader.fault(file.days.at, "a battle has at least one day: add one");
    }
    let mut before: Option<((u16, u8, u8), u8)> = None;
    for day in &file.days.value {
        let Some(day) = day.known() else {
            hours.known = false;
            continue;
        };
        let date_of = day.date.known().and_then(|text| {
            let read = date(&text.0);
            if read.is_none() {
                let reason =
                    format!("`{}` is no date: write year, month, day, such as 1862-04-06", short(&text.0));
                reader.fault(day.date.at, reason);
            }
            read
        });
        let bounds = day.from.known().zip(day.to.known());
        match bounds {
            Some((from, to)) if from > to => {
                reader.fault(
                    day.to.at,
                    format!("the day ends at {to} and begins at {from}: change one of them"),
                );
                hours.known = false;
            }
            Some((from, to)) => {
                let name = date_of.as_ref().map_or_else(String::new, |(_, name)| name.clone());
                of_day(reader, day, (*from, *to), &name, &mut hours.hours);
            }
            None => hours.known = false,
        }
        if let Some((date, (from, to))) = date_of.map(|(date, _)| date).zip(bounds) {
            if before.is_some_and(|before| before >= (date, *from)) {
                reader.fault(day.date.at, "days follow each other: this one is not after that before it");
            }
            before = Some((date, *to));
        }
    }
    let most = usize::try_from(MOST_TURNS).unwrap_or(usize::MAX);
    if hours.hours.len() > most {
        let reason = format!("the battle has {} turns: it can have {MOST_TURNS}", hours.hours.len());
        reader.fault(file.days.at, reason);
        hours.known = false;
        hours.hours.truncate(most);
    }
    weather(reader, file, &mut hours);
    hours
}

/// The hours of a day.
fn of_day(reader: &mut Reader, day: &DayLine, (from, to): (u8, u8), name: &str, hours: &mut Vec<Hour>) {
    let lists = [(Light::Dawn, &day.dawn), (Light::Dusk, &day.dusk), (Light::Night, &day.night)];
    let mut lit: Vec<(u8, Light)> = Vec::new();
    let outside = |reader: &mut Reader, hour: &At<u8>| {
        let known = hour.known().copied();
        if let Some(hour_of) = known.filter(|hour| !(from..=to).contains(hour)) {
            reader.fault(hour.at, format!("{hour_of} is no hour of this day, which has {from} to {to}"));
        }
        known.filter(|hour| (from..=to).contains(hour))
    };
    for (light, list) in lists {
        for entry in list {
            let Some(hour) = outside(reader, entry) else { continue };
            if let Some((_, other)) = lit.iter().find(|(lit, _)| *lit == hour) {
                let reason = format!("{hour} is {} already: leave one out", other.words());
                reader.fault(entry.at, reason);
            }
            lit.push((hour, light));
        }
    }
    let still: Vec<u8> = day.still.iter().filter_map(|hour| outside(reader, hour)).collect();
    hours.extend((from..=to).map(|hour| Hour {
        day: name.to_owned(),
        hour,
        light: lit.iter().find(|(lit, _)| *lit == hour).map_or(Light::Day, |(_, light)| *light),
        weather: Weather::Clear,
        still: still.contains(&hour),
    }));
}

/// The turns from one to another, if both are known to be and in order.
pub(super) fn span(
    reader: &mut Reader,
    hours: &Hours,
    turns: &At<(u16, u16)>,
    late: &str,
) -> Option<(u16, u16)> {
    let (first, last) = *turns.known()?;
    if first > last {
        let reason = format!("turn {first} is after turn {last}: write the first one first");
        reader.fault(turns.at, reason);
        return None;
    }
    (!hours.is_late(reader, turns.at, last, late)).then_some((first, last))
}

fn weather(reader: &mut Reader, file: &ScenarioFile, hours: &mut Hours) {
    let mut told: Vec<(u16, u16)> = Vec::new();
    for line in file.weather.iter().filter_map(At::known) {
        let late = "leave out what comes after it";
        let Some((first, last)) = span(reader, hours, &line.turns, late) else { continue };
        if let Some(other) = told.iter().find(|other| first <= other.1 && other.0 <= last) {
            let turn = first.max(other.0);
            let reason = format!("turn {turn} has its weather already: name each turn once");
            reader.fault(line.turns.at, reason);
        }
        told.push((first, last));
        let turns = hours.hours.iter_mut().take(usize::from(last)).skip(usize::from(first) - 1);
        turns.for_each(|hour| hour.weather = line.is);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let said = |text: &str| date(text).map(|(_, name)| name);
        assert_eq!(said("1861-07-21").as_deref(), Some("21 July 1861"));
        assert_eq!(said("1864-02-29").as_deref(), Some("29 February 1864"));
        for bad in ["1863-02-29", "1861-13-01", "1861-00-01", "1861-7-21", "21 July", "1861-07-32", "1861-07"]
        {
            assert_eq!(said(bad), None, "{bad}");
        }
    }
}

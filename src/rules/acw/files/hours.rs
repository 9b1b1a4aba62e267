//! Reads the days of a battle as turns, with light and weather.

use std::ops::RangeInclusive;

use jiff::civil::Date;
use musterd_engine::yaml::{LineColumn, Reader, short};
use musterd_kit::data::At;

use super::declared::{DayLine, MOST_TURNS, ScenarioFile};
use crate::battle::Hour;
use crate::model::{Light, Weather};

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

/// The years that a battle may be in.
const YEARS: RangeInclusive<i16> = 1000..=1999;

/// A date that is written as the schema has it, or what is wrong with it.
fn date(text: &str) -> Result<Date, String> {
    let written = text.trim();
    let is_plain = written.len() == 10 && written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let date = if is_plain { written.parse::<Date>().ok() } else { None };
    match date {
        Some(date) if YEARS.contains(&date.year()) => Ok(date),
        Some(_) => Err(format!(
            "the year of `{written}` is out of range: a battle is between {} and {}",
            YEARS.start(),
            YEARS.end()
        )),
        None => Err(format!("`{}` is no date: write year, month, day, such as 1862-04-06", short(text))),
    }
}

/// Reads the days and the weather, and notes their faults.
pub(super) fn read(reader: &mut Reader, file: &ScenarioFile) -> Hours {
    let mut hours = Hours { hours: Vec::new(), known: file.days.known().is_some() };
    if file.days.known().is_some_and(Vec::is_empty) {
        reader.fault(file.days.at, "a battle has at least one day: add one");
    }
    let mut before: Option<(Date, u8)> = None;
    for day in &file.days.value {
        let Some(day) = day.known() else {
            hours.known = false;
            continue;
        };
        let date_of = day
            .date
            .known()
            .and_then(|text| date(&text.0).map_err(|reason| reader.fault(day.date.at, reason)).ok());
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
                let name = date_of.map_or_else(String::new, |date| date.strftime("%-d %B %Y").to_string());
                of_day(reader, day, (*from, *to), &name, &mut hours.hours);
            }
            None => hours.known = false,
        }
        if let Some((date, (from, to))) = date_of.zip(bounds) {
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
        let said = |text: &str| date(text).ok();
        assert_eq!(said("1861-07-21"), Some(Date::constant(1861, 7, 21)));
        assert_eq!(said("1864-02-29"), Some(Date::constant(1864, 2, 29)));
        for bad in ["1863-02-29", "1861-13-01", "1861-00-01", "1861-7-21", "21 July", "1861-07-32", "1861-07"]
        {
            assert_eq!(said(bad), None, "{bad}");
        }
    }
}

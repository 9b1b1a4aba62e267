//! A deadline for players' calendars: the part of RFC 5545 that one event needs.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A deadline as a calendar event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarEntry {
    /// The same for every version of one deadline: a newer version replaces the older one.
    pub uid: String,
    /// Higher for a later version.
    pub sequence: u64,
    /// When this version was made, unix seconds.
    pub stamp: i64,
    /// The deadline, unix seconds.
    pub at: i64,
    /// The purpose: one line.
    pub summary: String,
    /// How many minutes before the deadline the calendar gives an alarm.
    pub remind_minutes: Option<u32>,
}

/// The longest line in bytes, without its end (RFC 5545, 3.1).
const LONGEST_LINE: usize = 75;

/// The calendar file: lines ended by CRLF, folded.
pub fn text(deadline: &CalendarEntry) -> String {
    let CalendarEntry { uid, sequence, stamp, at, summary, remind_minutes } = deadline;
    let mut lines = vec![
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//musterd//deadline//EN".to_owned(),
        "METHOD:PUBLISH".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}", escaped(uid)),
        format!("SEQUENCE:{sequence}"),
        format!("DTSTAMP:{}", utc(*stamp)),
        format!("DTSTART:{}", utc(*at)),
        format!("SUMMARY:{}", escaped(summary)),
        "TRANSP:TRANSPARENT".to_owned(),
    ];
    if let Some(minutes) = remind_minutes {
        lines.extend([
            "BEGIN:VALARM".to_owned(),
            "ACTION:DISPLAY".to_owned(),
            format!("DESCRIPTION:{}", escaped(summary)),
            format!("TRIGGER:-PT{minutes}M"),
            "END:VALARM".to_owned(),
        ]);
    }
    lines.extend(["END:VEVENT".to_owned(), "END:VCALENDAR".to_owned()]);
    lines.iter().flat_map(|line| [folded(line), "\r\n".to_owned()]).collect()
}

/// A time in the form `20261128T190000Z`.
fn utc(unix: i64) -> String {
    let at = Timestamp::from_second(unix).unwrap_or_default().to_zoned(TimeZone::UTC);
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Escapes a text (RFC 5545, 3.3.11).
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | ';' | ',' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// Folds a long line (RFC 5545, 3.1): it continues after a line end and a blank.
fn folded(line: &str) -> String {
    let (mut folded, mut room) = (String::with_capacity(line.len()), LONGEST_LINE);
    for c in line.chars() {
        if c.len_utf8() > room {
            folded.push_str("\r\n ");
            room = LONGEST_LINE - 1;
        }
        room -= c.len_utf8();
        folded.push(c);
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_a_calendar_of_one_event() {
        let text = text(&CalendarEntry {
            uid: "alpha.2.french@host.example".to_owned(),
            sequence: 7,
            stamp: 1_795_000_000,
            at: 1_796_000_400,
            summary:
                "[alpha] orders for Summer 1805, French to move; a title that goes on and on; to its end"
                    .to_owned(),
            remind_minutes: Some(1440),
        });
        assert_eq!(
            text,
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//musterd//deadline//EN\r\nMETHOD:PUBLISH\r\nBEGIN:VEVENT\r\n\
             UID:alpha.2.french@host.example\r\nSEQUENCE:7\r\nDTSTAMP:20261118T110640Z\r\nDTSTART:20261130T010000Z\r\n\
             SUMMARY:[alpha] orders for Summer 1805\\, French to move\\; a title that goes\r\n  on and on\\; to its end\r\n\
             TRANSP:TRANSPARENT\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:[alpha] orders for Summer 1805\\, French to \
             move\\; a title that \r\n goes on and on\\; to its end\r\nTRIGGER:-PT1440M\r\nEND:VALARM\r\nEND:VEVENT\r\n\
             END:VCALENDAR\r\n"
        );
        assert!(text.split("\r\n").all(|line| line.len() <= 75));
    }
}

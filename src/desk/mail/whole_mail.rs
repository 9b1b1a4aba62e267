//! Finds the orders of a whole mail: in its text, in its file of orders, and in a file of text if only that one holds orders.

use super::flowed::unflowed;
use super::line::{LineKind, begins_block, is_mark};
use super::orders::{Found, Orders, Source, find_in, find_orders};
use super::reading::tell_voices;
use super::route::read_key_line;
use super::spelling::as_read;
use super::unread::{self, Unread, by_voices, comments_in, has_line, is_order};
use musterd_letter::{Body, Enclosed, EnclosedIn, Nature, Voice, strip_quote_marks};
use musterd_text::lines;

/// Finds the order block of a mail, as [`find_orders`] does, and other parts that may hold orders. A file of text, whatever its name, is read if only
/// it holds orders.
pub fn find_orders_in(body: &Body, form: &str, kind: &dyn Fn(&str) -> LineKind) -> Found {
    let text = unflowed(body, kind);
    let mut found = find_orders(&text, body.attachment.as_deref(), form, kind);
    let has_none = |found: &Found| matches!(found.orders, Orders::None | Orders::Aside(_) | Orders::Slips(_));
    let mut read = None;
    if has_none(&found) {
        let mut files = body.enclosed.iter().filter(|file| brings_orders(file, form, kind));
        if let (Some(file), None) = (files.next(), files.next()) {
            let content = file.text.as_deref().unwrap_or_default();
            found = if content.lines().any(begins_block) {
                find_orders(&text, Some(content), form, kind)
            } else {
                let lines = [tell_voices(content), tell_voices(&text)].concat();
                find_in(&lines, body.attachment.as_deref(), form, kind)
            };
            read = Some(file);
        }
    }
    let others = body.enclosed.iter().filter(|one| read.is_none_or(|read| !std::ptr::eq(read, *one)));
    let others: Vec<Unread> = others.filter_map(|one| unread_in(one, &found, form, kind)).collect();
    // The text of a forwarded mail stands in the text too, as a quotation; and lines that the file quotes are named with the file.
    let in_file = |line: &String| {
        read.and_then(|file| file.text.as_deref())
            .is_some_and(|text| lines(text, kind).any(|other| other == *line))
    };
    for quoted in found.unread.iter_mut().filter(|part| part.place == unread::UnreadIn::Quotation) {
        quoted.lines.retain(|line| !in_file(line) && !others.iter().any(|other| other.lines.contains(line)));
    }
    found.unread.retain(|part| !part.lines.is_empty());
    let is_attached =
        matches!(found.orders, Orders::Block { source: Source::Attached, .. }) && read.is_none();
    let file = body.attachment.as_ref().map(|file| Enclosed::file(&body.attachment_name, file.clone()));
    match &file {
        Some(file) if is_attached => found.unread.extend(left_of(file, &found, form, kind)),
        Some(file) => found.unread.extend(unread_in(file, &found, form, kind)),
        None => {}
    }
    if let Some(file) = read {
        found.unread.extend(left_of(file, &found, form, kind));
    }
    found.unread.extend(others);
    found
}

/// Whether a file of text holds other orders than the form that was mailed.
fn brings_orders(file: &Enclosed, form: &str, kind: &dyn Fn(&str) -> LineKind) -> bool {
    let Enclosed { place: EnclosedIn::File(_), text: Some(text), .. } = file else { return false };
    let orders = orders_of(text, kind);
    orders.iter().any(|line| kind(line) == LineKind::Order) && !is_alike(&orders, &orders_of(form, kind))
}

/// The lines of one enclosure that may be orders and are not among those found.
fn unread_in(one: &Enclosed, found: &Found, form: &str, kind: &dyn Fn(&str) -> LineKind) -> Option<Unread> {
    let place = &one.place;
    let unread = |lines: Vec<String>, prose: Vec<String>| Unread {
        place: unread::UnreadIn::Enclosed(place.clone()),
        lines,
        prose,
    };
    let Some(text) = &one.text else { return Some(unread(Vec::new(), Vec::new())) };
    let block = found.orders.block().map_or("", |block| block.as_str());
    let is_file = matches!(place, EnclosedIn::File(_) | EnclosedIn::Other(_));
    let is_new = |line: &String| !has_line(block, line) && !has_line(form, line);
    let mut prose = Vec::new();
    let mut lines = match place {
        EnclosedIn::Forwarded(_) => by_voices(text, kind),
        _ => orders_of(text, kind),
    };
    match one.nature {
        Nature::Added => lines.retain(|line| kind(line) == LineKind::Order),
        Nature::Odd if lines.is_empty() => return Some(unread(Vec::new(), Vec::new())),
        Nature::Odd | Nature::Written if is_file => {
            prose = self::lines(text, kind).filter(|line| is_prose(line, kind)).collect();
        }
        Nature::Odd | Nature::Written => {}
    }
    if is_file {
        // The order of orders matters.
        if is_alike(&lines, &orders_of(block, kind)) || is_alike(&lines, &orders_of(form, kind)) {
            lines.clear();
        }
    } else {
        lines.retain(is_new);
    }
    if matches!(place, EnclosedIn::Subject | EnclosedIn::ForwardedSubject(_)) {
        // Words about a turn stand in most subjects.
        lines.retain(|line| kind(line) != LineKind::Beside);
    } else {
        let told = tell_voices(text).into_iter().filter(|line| line.voice != Voice::Quoted || is_file);
        let comments = comments_in(told.map(|line| (line.text, false)), form, kind).into_iter();
        lines.extend(comments.filter(|line| !is_told(found, line)));
    }
    (!lines.is_empty() || !prose.is_empty()).then(|| unread(lines, prose))
}

/// Orders in a file that was read which were not taken: outside its block, or where the file itself quotes something. A file may be a mail of the
/// host's in which somebody filled in the form; of its quoted lines only whole orders count.
fn left_of(file: &Enclosed, found: &Found, form: &str, kind: &dyn Fn(&str) -> LineKind) -> Option<Unread> {
    let block = found.orders.block().map_or("", |block| block.as_str());
    let lines: Vec<String> = by_voices(file.text.as_deref()?, kind)
        .into_iter()
        .filter(|line| !has_line(block, line) && !has_line(form, line) && !is_told(found, line))
        .collect();
    (!lines.is_empty()).then(|| Unread {
        place: unread::UnreadIn::Enclosed(file.place.clone()),
        lines,
        prose: Vec::new(),
    })
}

/// Whether a line is already named as unread.
fn is_told(found: &Found, line: &str) -> bool {
    found.unread.iter().any(|one| one.lines.iter().any(|told| told.eq_ignore_ascii_case(line)))
}

/// The lines of a text as they would stand in a block.
fn lines<'a>(text: &'a str, kind: &'a dyn Fn(&str) -> LineKind) -> impl Iterator<Item = String> + 'a {
    lines::lines(text).map(|line| as_read(strip_quote_marks(line).trim(), kind).into_owned())
}

fn orders_of(text: &str, kind: &dyn Fn(&str) -> LineKind) -> Vec<String> {
    lines(text, kind).filter(|line| is_order(line, kind)).collect()
}

fn is_prose(line: &str, kind: &dyn Fn(&str) -> LineKind) -> bool {
    let is_words = !line.is_empty() && !line.starts_with('#') && !is_mark(line);
    is_words && read_key_line(line).is_none() && kind(line) == LineKind::Prose
}

fn is_alike(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.eq_ignore_ascii_case(other))
}

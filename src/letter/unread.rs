//! What of a mail may be orders and is not among those that were found: no turn may run early over it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::body::Body;
use super::enclosed::{Enclosed, Place};
use super::orders::{Found, LineKind, Orders, Source, find_in, find_orders, is_mark};
use super::plain::strip_quote_marks;
use super::reply::{Line, Voice, tell_voices};
use super::route::read_key_line;
use super::spelling::as_read;
use crate::dice::ProtocolLine;
use crate::lines;

/// Something in a mail that may hold orders and was not read as orders. Where both lists are empty, it could not be read at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// What it is.
    pub place: Place,
    /// Its lines that are orders, or mistyped ones.
    pub lines: Vec<String>,
    /// Of a file, its other lines: they may be orders in other words.
    pub prose: Vec<String>,
}

/// Finds the order block of a mail, as [`find_orders`] does, and what else of it may hold orders. A file of text, whatever its name, is
/// read where it alone holds orders.
#[must_use]
pub fn find_orders_in(body: &Body, form: &str, kind: &dyn Fn(&str) -> LineKind) -> Found {
    let text = body.unflowed(kind);
    let mut found = find_orders(&text, body.orders_attachment.as_deref(), form, kind);
    let has_none = |found: &Found| matches!(found.orders, Orders::None | Orders::Aside(_) | Orders::Slips(_));
    let mut read = None;
    if has_none(&found) {
        let mut files = body.enclosed.iter().filter(|file| brings_orders(file, form, kind));
        if let (Some(file), None) = (files.next(), files.next()) {
            let content = file.text.as_deref().unwrap_or_default();
            found = if file.begins_block() {
                find_orders(&text, Some(content), form, kind)
            } else {
                let lines = [tell_voices(content), tell_voices(&text)].concat();
                find_in(&lines, body.orders_attachment.as_deref(), form, kind)
            };
            read = Some(file);
        }
    }
    let others = body.enclosed.iter().filter(|one| read.is_none_or(|read| !std::ptr::eq(read, *one)));
    let others: Vec<Unread> = others.filter_map(|one| unread_in(one, &found, form, kind)).collect();
    // The text of a forwarded mail stands in the text too, as a quotation.
    for quoted in found.unread.iter_mut().filter(|part| part.place == Place::Quotation) {
        quoted.lines.retain(|line| !others.iter().any(|other| other.lines.contains(line)));
    }
    found.unread.retain(|part| !part.lines.is_empty());
    let is_attached =
        matches!(found.orders, Orders::Block { source: Source::Attached, .. }) && read.is_none();
    if let Some(file) = body.orders_attachment.as_ref().filter(|_| !is_attached) {
        let file = Enclosed::file(&body.orders_file, file.clone());
        found.unread.extend(unread_in(&file, &found, form, kind));
    }
    found.unread.extend(others);
    found
}

/// What stands in the lines of a text, or of a file of orders, where orders are not read: below the signature mark, behind the sign of a
/// comment, or in what is quoted. `is_form`: whether a line is of an order form that is quoted.
pub(super) fn beside(
    lines: &[Line<'_>],
    is_form: impl Fn(usize) -> bool,
    attachment: Option<&str>,
    block: &str,
    form: &str,
    kind: &dyn Fn(&str) -> LineKind,
) -> Vec<Unread> {
    let signature = lines.iter().filter(|line| line.voice == Voice::Signature).map(|line| line.text);
    let signature: Vec<String> = signature
        .map(|line| as_read(line.trim(), kind).into_owned())
        .filter(|line| is_order(line, kind) && !has_line(block, line))
        .collect();
    let is_own = |(at, line): &(usize, &Line<'_>)| line.voice != Voice::Quoted || is_form(*at);
    let own = lines.iter().enumerate().filter(is_own);
    let quoted = lines.iter().enumerate().filter(|line| !is_own(line)).map(|(_, line)| line.text.trim());
    let quoted: Vec<String> = quoted
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| as_read(line, kind))
        .filter(|line| kind(line) == LineKind::Order && !has_line(block, line) && !has_line(form, line))
        .map(Cow::into_owned)
        .collect();
    let file = attachment.into_iter().flat_map(lines::lines);
    let comments =
        own.map(|(_, line)| line.text).chain(file).filter(|line| line.trim_start().starts_with('#'));
    let mailed: BTreeSet<String> = lines::lines(form).filter_map(commented).collect();
    let comments: Vec<String> = comments
        .filter(|line| !mailed.is_empty() && commented(line).is_some_and(|order| !mailed.contains(&order)))
        .filter(|line| commented(line).is_some_and(|order| kind(&as_read(&order, kind)) == LineKind::Order))
        .map(|line| line.trim().to_owned())
        .collect();
    let all = [(Place::Signature, signature), (Place::Comments, comments), (Place::Quotation, quoted)];
    let all = all.into_iter().filter(|(_, lines)| !lines.is_empty());
    all.map(|(place, lines)| Unread { place, lines, prose: Vec::new() }).collect()
}

/// What a comment has before a second comment in it, one space between words: the order that a form suggests. Programs break the rest.
fn commented(line: &str) -> Option<String> {
    let order = line.trim_start().strip_prefix('#')?.trim_start_matches(['#', ' ', '\t']);
    let words: Vec<&str> = order.split('#').next()?.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Whether a file of text holds other orders than a form as it was mailed.
fn brings_orders(file: &Enclosed, form: &str, kind: &dyn Fn(&str) -> LineKind) -> bool {
    let Enclosed { place: Place::File(_), text: Some(text) } = file else { return false };
    let orders = orders_of(text, kind);
    orders.iter().any(|line| kind(line) == LineKind::Order) && !is_alike(&orders, &orders_of(form, kind))
}

/// What one thing holds that may be orders and is not among those found.
fn unread_in(
    Enclosed { place, text }: &Enclosed,
    found: &Found,
    form: &str,
    kind: &dyn Fn(&str) -> LineKind,
) -> Option<Unread> {
    let place = place.clone();
    let Some(text) = text else { return Some(Unread { place, lines: Vec::new(), prose: Vec::new() }) };
    let block = found.orders.block().map_or("", |block| block.as_str());
    let mut lines = orders_of(text, kind);
    let mut prose = Vec::new();
    if matches!(place, Place::File(_) | Place::Press(_)) {
        // Orders are carried out in their order.
        if is_alike(&lines, &orders_of(block, kind)) || is_alike(&lines, &orders_of(form, kind)) {
            lines.clear();
        }
        prose = self::lines(text, kind).filter(|line| is_prose(line, kind)).collect();
    } else {
        lines.retain(|line| !has_line(block, line) && !has_line(form, line));
        // Words about a turn stand in most subjects.
        lines.retain(|line| place != Place::Subject || kind(line) != LineKind::Beside);
    }
    (!lines.is_empty() || !prose.is_empty()).then_some(Unread { place, lines, prose })
}

/// The lines of a text as they may stand in a block.
fn lines<'a>(text: &'a str, kind: &'a dyn Fn(&str) -> LineKind) -> impl Iterator<Item = String> + 'a {
    lines::lines(text).map(|line| as_read(strip_quote_marks(line).trim(), kind).into_owned())
}

fn orders_of(text: &str, kind: &dyn Fn(&str) -> LineKind) -> Vec<String> {
    lines(text, kind).filter(|line| is_order(line, kind)).collect()
}

/// Whether a line is an order, or a mistyped one. A `READY` that isn't read runs no turn.
fn is_order(line: &str, kind: &dyn Fn(&str) -> LineKind) -> bool {
    match kind(line) {
        LineKind::Order => !is_mark(line),
        LineKind::Aside => !line.trim_end_matches(['.', '!', ';']).eq_ignore_ascii_case("ready"),
        LineKind::Beside => ProtocolLine::of(line).is_none(),
        LineKind::Prose => false,
    }
}

fn is_prose(line: &str, kind: &dyn Fn(&str) -> LineKind) -> bool {
    let is_words = !line.is_empty() && !line.starts_with('#') && !is_mark(line);
    is_words && read_key_line(line).is_none() && kind(line) == LineKind::Prose
}

fn is_alike(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.eq_ignore_ascii_case(other))
}

fn has_line(block: &str, line: &str) -> bool {
    lines::lines(block).any(|other| other.trim().eq_ignore_ascii_case(line.trim()))
}

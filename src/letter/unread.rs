//! What of a mail may be orders and is not among those that were found: no turn may run early over it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::body::Body;
use super::content::Nature;
use super::enclosed::{Enclosed, Place};
use super::orders::{Found, LineKind, Orders, Source, find_in, find_orders, is_mark};
use super::plain::strip_quote_marks;
use super::reply::{Line, Voice, tell_voices};
use super::route::read_key_line;
use super::spelling::as_read;
use musterd_dice::ProtocolLine;
use musterd_text::lines;

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
    // The text of a forwarded mail stands in the text too, as a quotation; and what the file quotes is named with the file.
    let in_file = |line: &String| {
        read.and_then(|file| file.text.as_deref())
            .is_some_and(|text| lines(text, kind).any(|other| other == *line))
    };
    for quoted in found.unread.iter_mut().filter(|part| part.place == Place::Quotation) {
        quoted.lines.retain(|line| !in_file(line) && !others.iter().any(|other| other.lines.contains(line)));
    }
    found.unread.retain(|part| !part.lines.is_empty());
    let is_attached =
        matches!(found.orders, Orders::Block { source: Source::Attached, .. }) && read.is_none();
    let file = body.orders_attachment.as_ref().map(|file| Enclosed::file(&body.orders_file, file.clone()));
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
    let quoted = lines.iter().enumerate().filter(|line| !is_own(line)).map(|(_, line)| line.text.trim());
    let quoted: Vec<String> = quoted
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| as_read(line, kind))
        .filter(|line| kind(line) == LineKind::Order && !has_line(block, line) && !has_line(form, line))
        .map(Cow::into_owned)
        .collect();
    let own = lines.iter().enumerate().filter(is_own).map(|(at, line)| (line.text, is_form(at)));
    let file = attachment.into_iter().flat_map(lines::lines).map(|line| (line, true));
    let comments = comments_in(own.chain(file), form, kind);
    let all = [(Place::Signature, signature), (Place::Comments, comments), (Place::Quotation, quoted)];
    let all = all.into_iter().filter(|(_, lines)| !lines.is_empty());
    all.map(|(place, lines)| Unread { place, lines, prose: Vec::new() }).collect()
}

/// The comments among lines that are orders and not the form's own. With each line: whether it is of a form, where a mistyped order counts
/// too; elsewhere it may be a remark.
fn comments_in<'a>(
    lines: impl Iterator<Item = (&'a str, bool)>,
    form: &str,
    kind: &dyn Fn(&str) -> LineKind,
) -> Vec<String> {
    let mut mailed: Option<BTreeSet<String>> = None;
    let comments = lines.filter(|(line, _)| line.trim_start().starts_with('#'));
    let is_left = |(line, of_form): &(&str, bool)| {
        let mailed = mailed.get_or_insert_with(|| lines::lines(form).filter_map(commented).collect());
        let Some(order) = commented(line).filter(|order| !mailed.is_empty() && !mailed.contains(order))
        else {
            return false;
        };
        let is_meant = |order: &str| {
            let order = &*as_read(order, kind);
            kind(order) == LineKind::Order && !is_mark(order) || *of_form && is_slip(order, kind)
        };
        (is_meant(&order) || numbered(line).is_some_and(|order| kind(order) == LineKind::Order))
            && !is_piece(line, form)
    };
    comments.filter(is_left).map(|(line, _)| line.trim().to_owned()).collect()
}

/// Whether a comment is one of the form, or a piece of one: telephones break the lines that they quote at 30 or 40 columns, and a piece may
/// begin with the sign of a second comment.
fn is_piece(line: &str, form: &str) -> bool {
    let words = |line: &str| {
        let words: Vec<&str> = line.trim_start_matches(['#', ' ', '\t']).split_whitespace().collect();
        format!(" {} ", words.join(" "))
    };
    let piece = words(line);
    lines::lines(form).any(|mailed| words(mailed).contains(&piece))
}

/// What follows a number right behind the sign of a comment: `#1 MOVE 3 TO Ulm`.
fn numbered(line: &str) -> Option<&str> {
    let (number, order) = line.trim_start().strip_prefix('#')?.split_once(char::is_whitespace)?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(order.trim())
}

/// What a comment has before a second comment in it, one space between words: the order that a form suggests. Programs break the rest.
fn commented(line: &str) -> Option<String> {
    let order = line.trim_start().strip_prefix('#')?.trim_start_matches(['#', ' ', '\t']);
    let words: Vec<&str> = order.split('#').next()?.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Whether a file of text holds other orders than a form as it was mailed.
fn brings_orders(file: &Enclosed, form: &str, kind: &dyn Fn(&str) -> LineKind) -> bool {
    let Enclosed { place: Place::File(_), text: Some(text), .. } = file else { return false };
    let orders = orders_of(text, kind);
    orders.iter().any(|line| kind(line) == LineKind::Order) && !is_alike(&orders, &orders_of(form, kind))
}

/// What one thing holds that may be orders and is not among those found.
fn unread_in(one: &Enclosed, found: &Found, form: &str, kind: &dyn Fn(&str) -> LineKind) -> Option<Unread> {
    let place = one.place.clone();
    let unread = |lines: Vec<String>, prose: Vec<String>| Unread { place: place.clone(), lines, prose };
    let Some(text) = &one.text else { return Some(unread(Vec::new(), Vec::new())) };
    let block = found.orders.block().map_or("", |block| block.as_str());
    let is_file = matches!(place, Place::File(_) | Place::Press(_));
    let is_new = |line: &String| !has_line(block, line) && !has_line(form, line);
    let mut prose = Vec::new();
    let mut lines = match place {
        Place::Forwarded(_) => by_voices(text, kind),
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
        // Orders are carried out in their order.
        if is_alike(&lines, &orders_of(block, kind)) || is_alike(&lines, &orders_of(form, kind)) {
            lines.clear();
        }
    } else {
        lines.retain(is_new);
    }
    if matches!(place, Place::Subject | Place::ForwardedSubject(_)) {
        // Words about a turn stand in most subjects.
        lines.retain(|line| kind(line) != LineKind::Beside);
    } else {
        let told = tell_voices(text).into_iter().filter(|line| line.voice != Voice::Quoted || is_file);
        let comments = comments_in(told.map(|line| (line.text, false)), form, kind).into_iter();
        lines.extend(comments.filter(|line| !is_told(found, line)));
    }
    (!lines.is_empty() || !prose.is_empty()).then(|| unread(lines, prose))
}

/// What of a file that was read is an order and was not taken: outside its block, or where the file itself quotes something. A file may be
/// a mail of the host's in which somebody filled the form in: of what is quoted only whole orders count.
fn left_of(file: &Enclosed, found: &Found, form: &str, kind: &dyn Fn(&str) -> LineKind) -> Option<Unread> {
    let block = found.orders.block().map_or("", |block| block.as_str());
    let lines: Vec<String> = by_voices(file.text.as_deref()?, kind)
        .into_iter()
        .filter(|line| !has_line(block, line) && !has_line(form, line) && !is_told(found, line))
        .collect();
    (!lines.is_empty()).then(|| Unread { place: file.place.clone(), lines, prose: Vec::new() })
}

/// Whether a line is named already as one that was not read.
fn is_told(found: &Found, line: &str) -> bool {
    found.unread.iter().any(|one| one.lines.iter().any(|told| told.eq_ignore_ascii_case(line)))
}

/// The orders in a text, mistyped ones too where its writer speaks; of a signature or a quotation in it only whole orders, and none of a
/// quotation of the host's own mail.
fn by_voices(text: &str, kind: &dyn Fn(&str) -> LineKind) -> Vec<String> {
    let told = tell_voices(text);
    let is_hosts = |line: &Line<'_>| line.text.starts_with("Chain: ") || read_key_line(line.text).is_some();
    let quotes_host = told.iter().any(|line| line.voice == Voice::Quoted && is_hosts(line));
    let read = told.into_iter().map(|line| (line.voice, as_read(line.text.trim(), kind).into_owned()));
    let counts = |(voice, line): &(Voice, String)| match voice {
        Voice::Written => is_order(line, kind),
        Voice::Signature => kind(line) == LineKind::Order,
        Voice::Quoted => !quotes_host && kind(line) == LineKind::Order && !is_mark(line),
    };
    read.filter(counts).map(|(_, line)| line).collect()
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
        LineKind::Beside => is_slip(line, kind),
        LineKind::Prose => false,
    }
}

/// Whether a line is a mistyped order.
fn is_slip(line: &str, kind: &dyn Fn(&str) -> LineKind) -> bool {
    kind(line) == LineKind::Beside && ProtocolLine::of(line).is_none()
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

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "# Orders of yours\n# MOVE 12 TO Paris            # MOVE 3 with 1 Cav, cavalry 2/2\n";

    fn kind(line: &str) -> LineKind {
        match line.split_whitespace().next() {
            Some("MOVE") => LineKind::Order,
            Some("MVE") => LineKind::Beside,
            _ => LineKind::Prose,
        }
    }

    fn comments(lines: &[(&str, bool)]) -> Vec<String> {
        comments_in(lines.iter().copied(), FORM, &kind)
    }

    #[test]
    fn pieces_of_a_form_that_a_telephone_broke_are_the_forms_own() {
        for piece in [
            "# MOVE 12",
            "# MOVE 12 TO Paris",
            "# MOVE 12 TO Paris  # MOVE 3",
            "# MOVE 3 with",
            "#MOVE 3 with 1 Cav, cavalry 2/2",
        ] {
            assert_eq!(comments(&[(piece, true), (piece, false)]), [""; 0], "{piece}");
        }
    }

    #[test]
    fn other_comments_that_are_orders_were_left_in() {
        for line in ["# MOVE 12 TO Reims", "# MOVE 1", "## MOVE 12 TO Reims", "#1 MOVE 12 TO Reims"] {
            assert_eq!(comments(&[(line, false)]), [line]);
        }
        assert_eq!(
            comments(&[("# MVE 12 TO Reims", true), ("# MVE a remark", false)]),
            ["# MVE 12 TO Reims"]
        );
    }

    #[test]
    fn of_a_quotation_in_a_file_whole_orders_count_and_none_of_the_hosts_own_mail() {
        assert_eq!(
            by_voices("MVE 1\n> MOVE 2\n> MVE 3\n-- \nMOVE 4\nMVE 5", &kind),
            ["MVE 1", "MOVE 2", "MOVE 4"]
        );
        let ours = "> MOVE 2\n> # key: alpha french k7q2mz4t9hwxp3cd\nMOVE 1\n";
        assert_eq!(by_voices(ours, &kind), ["MOVE 1"]);
    }
}

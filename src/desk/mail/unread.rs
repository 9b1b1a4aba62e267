//! Parts of a mail that may be orders and are not among the orders found: no turn may run early if there are any.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt;

use super::line::{LineKind, is_mark, is_slip};
use super::reading::tell_voices;
use super::route::read_key_line;
use super::spelling::as_read;
use musterd_letter::{Voice, VoicedLine};
use musterd_text::lines;

/// A part of a mail that may hold orders and was not read as orders. If both lists are empty, it could not be read at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Its place.
    pub place: UnreadIn,
    /// Its lines that are orders, including mistyped ones.
    pub lines: Vec<String>,
    /// For a file, its other lines: they may be orders in unknown words.
    pub prose: Vec<String>,
}

/// The places of such parts in a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnreadIn {
    /// Below the signature mark.
    Signature,
    /// After the sign of a comment, in an order form or beside it.
    Comments,
    /// In the mail that it answers or forwards, in lines that were not mailed so.
    Quotation,
    /// Outside the mail's text and its file of orders.
    Enclosed(musterd_letter::EnclosedIn),
}

impl fmt::Display for UnreadIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signature => f.write_str("lines below your signature mark"),
            Self::Comments => f.write_str("lines that begin with #"),
            Self::Quotation => f.write_str("lines in the mail that you quote"),
            Self::Enclosed(place) => place.fmt(f),
        }
    }
}

/// The lines in a text, or in a file of orders, at places where orders are not read: below the signature mark, after the sign of a comment, or in a
/// quotation. `is_form`: whether a line belongs to a quoted order form.
pub(super) fn beside(
    lines: &[VoicedLine<'_>],
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
    let is_own = |(at, line): &(usize, &VoicedLine<'_>)| line.voice != Voice::Quoted || is_form(*at);
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
    let all =
        [(UnreadIn::Signature, signature), (UnreadIn::Comments, comments), (UnreadIn::Quotation, quoted)];
    let all = all.into_iter().filter(|(_, lines)| !lines.is_empty());
    all.map(|(place, lines)| Unread { place, lines, prose: Vec::new() }).collect()
}

/// The comments among lines that are orders and not the form's own. The flag with each line says whether it belongs to a form: there a mistyped order
/// counts too; elsewhere it may be a remark.
pub(super) fn comments_in<'a>(
    lines: impl Iterator<Item = (&'a str, bool)>,
    form: &str,
    kind: &dyn Fn(&str) -> LineKind,
) -> Vec<String> {
    // Built from the whole form, so only once a comment is an order; the key line above a block is none.
    let mailed = OnceCell::<BTreeSet<String>>::new();
    let is_new = |order: &String| {
        let mailed = mailed.get_or_init(|| lines::lines(form).filter_map(commented).collect());
        !mailed.is_empty() && !mailed.contains(order)
    };
    let is_known = |order: &String| mailed.get().is_some() && !is_new(order);
    let comments = lines.filter(|(line, _)| line.trim_start().starts_with('#'));
    let is_left = |(line, of_form): &(&str, bool)| {
        let Some(order) = commented(line).filter(|order| !is_known(order)) else { return false };
        let is_meant = |order: &str| {
            let order = &*as_read(order, kind);
            kind(order) == LineKind::Order && !is_mark(order) || *of_form && is_slip(order, kind)
        };
        (is_meant(&order) || numbered(line).is_some_and(|order| kind(order) == LineKind::Order))
            && is_new(&order)
            && !is_piece(line, form)
    };
    comments.filter(is_left).map(|(line, _)| line.trim().to_owned()).collect()
}

/// Whether a comment belongs to the form, or is a piece of such a comment: telephones break quoted lines at 30 or 40 columns, and a piece may begin
/// with the sign of a second comment.
fn is_piece(line: &str, form: &str) -> bool {
    let words = |line: &str| {
        let words: Vec<&str> = line.trim_start_matches(['#', ' ', '\t']).split_whitespace().collect();
        format!(" {} ", words.join(" "))
    };
    let piece = words(line);
    lines::lines(form).any(|mailed| words(mailed).contains(&piece))
}

/// The text after a number that directly follows the sign of a comment: `#1 MOVE 3 TO Ulm`.
fn numbered(line: &str) -> Option<&str> {
    let (number, order) = line.trim_start().strip_prefix('#')?.split_once(char::is_whitespace)?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(order.trim())
}

/// The text of a comment before a second comment in it, with one space between words: the order that a form suggests. Programs break the rest.
fn commented(line: &str) -> Option<String> {
    let order = line.trim_start().strip_prefix('#')?.trim_start_matches(['#', ' ', '\t']);
    let words: Vec<&str> = order.split('#').next()?.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The orders in a text, including mistyped ones in its writer's own lines; in a signature or a quotation only whole orders, and none in a quotation
/// of the host's own mail.
pub(super) fn by_voices(text: &str, kind: &dyn Fn(&str) -> LineKind) -> Vec<String> {
    let told = tell_voices(text);
    let is_hosts =
        |line: &VoicedLine<'_>| line.text.starts_with("Chain: ") || read_key_line(line.text).is_some();
    let quotes_host = told.iter().any(|line| line.voice == Voice::Quoted && is_hosts(line));
    let read = told.into_iter().map(|line| (line.voice, as_read(line.text.trim(), kind).into_owned()));
    let counts = |(voice, line): &(Voice, String)| match voice {
        Voice::Written => is_order(line, kind),
        Voice::Signature => kind(line) == LineKind::Order,
        Voice::Quoted => !quotes_host && kind(line) == LineKind::Order && !is_mark(line),
    };
    read.filter(counts).map(|(_, line)| line).collect()
}

/// Whether a line is an order, or a mistyped one. A `READY` that isn't read runs no turn.
pub(super) fn is_order(line: &str, kind: &dyn Fn(&str) -> LineKind) -> bool {
    match kind(line) {
        LineKind::Order => !is_mark(line),
        LineKind::Aside => !line.trim_end_matches(['.', '!', ';']).eq_ignore_ascii_case("ready"),
        LineKind::Beside => is_slip(line, kind),
        LineKind::Prose => false,
    }
}

/// Whether a block contains a line.
pub(super) fn has_line(block: &str, line: &str) -> bool {
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

//! The units that an order names: one unit, a list, a range of numbers, or all.

use super::names::{Fault, Names, Scope, quote};
use crate::model::UnitId;
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::tokens::{Cursor, Kind, Span, Token, around};

/// A unit and where it is named.
pub(super) type NamedUnit = (UnitId, Span);

/// The units of an order.
pub(super) enum Who {
    /// These, in the order written.
    Named(Vec<NamedUnit>),
    /// `ALL`, `ALL AT Ulm`.
    All {
        /// Where, if not anywhere.
        at: Option<Hex>,
        /// Where it is written.
        span: Span,
    },
}

/// Words and signs between the members of a list.
const SEPARATORS: &[&str] = &[",", "+", "&", "AND"];
/// Words between `ALL` and the place.
const THERE: &[&str] = &["AT", "IN", "FROM"];

/// The units named up to a stop or the end of the line, or all. If they can't be read, the cursor stays before them.
pub(super) fn who(
    names: &Names<'_>,
    cursor: &mut Cursor<'_>,
    scope: Scope,
    stop: impl Fn(&Token<'_>) -> bool,
) -> Result<Who, Fault> {
    let (tokens, end) = up_to(cursor, stop);
    let (who, length) = (whom(names, tokens, scope, end)?, tokens.len());
    cursor.skip(length);
    Ok(who)
}

/// The units that these tokens name, or all.
pub(super) fn whom(names: &Names<'_>, tokens: &[Token<'_>], scope: Scope, end: Span) -> Result<Who, Fault> {
    match tokens {
        [all] if all.is("ALL") => Ok(Who::All { at: None, span: all.span }),
        [all, there, place @ ..] if all.is("ALL") && there.is_any(THERE) => {
            Ok(Who::All { at: Some(names.place(place, end)?), span: all.span })
        }
        _ => listed(names, tokens, scope, end).map(Who::Named),
    }
}

/// The units named up to a stop or the end of the line. If they can't be read, the cursor stays before them.
pub(super) fn units(
    names: &Names<'_>,
    cursor: &mut Cursor<'_>,
    scope: Scope,
    stop: impl Fn(&Token<'_>) -> bool,
) -> Result<Vec<NamedUnit>, Fault> {
    let (tokens, end) = up_to(cursor, stop);
    let (units, length) = (listed(names, tokens, scope, end)?, tokens.len());
    cursor.skip(length);
    Ok(units)
}

/// The tokens up to a stop; and the place for a remark that something is missing after them.
fn up_to<'c, 'a>(cursor: &'c Cursor<'a>, stop: impl Fn(&Token<'_>) -> bool) -> (&'c [Token<'a>], Span) {
    let rest = cursor.rest();
    let tokens = &rest[..rest.iter().position(stop).unwrap_or(rest.len())];
    let end = around(tokens).map_or_else(|| cursor.here(), |(start, length)| (start + length, 1));
    (tokens, end)
}

/// Units in a list: `3, 1 Cav AND "VI Ney"`, `3 4 5`, `1-3, 7`.
fn listed(names: &Names<'_>, tokens: &[Token<'_>], scope: Scope, end: Span) -> Result<Vec<NamedUnit>, Fault> {
    let mut found = Vec::with_capacity(1);
    let mut take = |part: &[Token<'_>]| {
        let span = around(part).unwrap_or(end);
        match range(part) {
            Some((first, last)) => found.extend(between(names, first, last, scope, part, span)?),
            None => found.push((names.unit(part, scope, end)?, span)),
        }
        Ok(())
    };
    for one in separated(tokens) {
        let numbers = one.len() > 1 && one.iter().all(|t| is_number(t) || range(&[*t]).is_some());
        match numbers {
            true => one.chunks(1).try_for_each(&mut take)?,
            false => take(one)?,
        }
    }
    Ok(found)
}

/// The numbers at the ends of `3-7` or `3 - 7`.
fn range(tokens: &[Token<'_>]) -> Option<(u16, u16)> {
    let (first, last) = match tokens {
        [one] if one.kind == Kind::Word => one.text.split_once('-')?,
        [first, dash, last] if dash.is("-") && first.kind == Kind::Word && last.kind == Kind::Word => {
            (first.text, last.text)
        }
        _ => return None,
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(first) || !digits(last) {
        return None;
    }
    // A number above every unit's number is looked up as written, so that the answer repeats it.
    Some((first.parse().unwrap_or(u16::MAX), last.parse().unwrap_or(u16::MAX)))
}

/// Every unit of a range, downwards if it is written so. The order must be allowed to name each of them.
fn between(
    names: &Names<'_>,
    first: u16,
    last: u16,
    scope: Scope,
    tokens: &[Token<'_>],
    span: Span,
) -> Result<Vec<NamedUnit>, Fault> {
    let ends = [first, last];
    if let Some(strange) = ends.into_iter().find(|number| !names.has_number(*number)) {
        let written = tokens.iter().map(|t| t.text).collect::<String>();
        let text = format!(
            "There is no unit {strange} for {}: they go from 1 to {}.",
            quote(&written),
            names.last_number()
        );
        return Err(Fault::new(span, text));
    }
    let numbers: Vec<u16> =
        if first <= last { (first..=last).collect() } else { (last..=first).rev().collect() };
    numbers.into_iter().map(|number| Ok((names.numbered(number, scope, span)?, span))).collect()
}

fn is_number(token: &Token<'_>) -> bool {
    token.kind == Kind::Word && token.text.bytes().all(|b| b.is_ascii_digit())
}

/// Units before a path without TO: each takes as many words as form a name.
pub(super) fn units_by_length(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Who, Fault> {
    if let Some(all) = cursor.peek().filter(|t| t.is("ALL")) {
        cursor.skip(1);
        return match cursor.peek().filter(|t| t.is_any(THERE)) {
            None => Ok(Who::All { at: None, span: all.span }),
            Some(there) => Err(Fault::new(there.span, "Where does the one place end and the other begin?")
                .hint("for example MOVE ALL AT Ulm TO Munich")),
        };
    }
    let mut found = Vec::new();
    loop {
        let span = cursor.here();
        // Only up to the comma: words on both sides of it never make one name.
        let member: Vec<_> = cursor.rest().iter().take_while(|t| !t.is_any(SEPARATORS)).copied().collect();
        let range_length =
            [3, 1].into_iter().find(|&n| member.get(..n).is_some_and(|part| range(part).is_some()));
        if let Some((length, (first, last))) = range_length.and_then(|n| Some((n, range(member.get(..n)?)?)))
        {
            let span = around(&member[..length]).unwrap_or(span);
            found.extend(between(names, first, last, Scope::Field, &member[..length], span)?);
            cursor.skip(length);
        } else if let Some((count, unit)) = names.longest_unit(&member, Scope::Field) {
            found.push((unit, around(&member[..count]).unwrap_or(span)));
            cursor.skip(count);
        } else {
            let name: Vec<_> = member.iter().take_while(|t| !begins_way(t)).copied().collect();
            let name = if name.is_empty() { member.into_iter().take(1).collect() } else { name };
            found.push((names.unit(&name, Scope::Field, span)?, span));
            cursor.skip(name.len());
        }
        // `1, 2, and 4`.
        let mut parted = false;
        while cursor.take_any(SEPARATORS).is_some() {
            parted = true;
        }
        if !parted || cursor.peek().is_some_and(|t| begins_way(&t)) {
            return Ok(Who::Named(found));
        }
    }
}

/// Whether a path begins here: a hex number or a direction is never a unit.
fn begins_way(token: &Token<'_>) -> bool {
    token.kind == Kind::Word
        && (token.text.parse::<Hex>().is_ok() || Direction::from_abbreviation(token.text).is_some())
}

/// The members of a list, at least one even if empty.
pub(super) fn separated<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t [Token<'a>]> {
    tokens.split(|t| t.is_any(SEPARATORS)).filter(|part| !part.is_empty() || tokens.is_empty())
}

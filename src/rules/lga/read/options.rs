//! The ends of lines: how long an attack goes on, and what sets a standing order off.

use super::names::{Fault, Names, Scope, quote};
use crate::order::{Limit, Trigger};
use musterd_engine::hex::Hex;
use musterd_engine::tokens::{Cursor, Kind, Token};

/// Whether the limits of an attack begin here. A lone `X` does so before a number only: corps are called so too.
pub(super) fn opens_limit(rest: &[Token<'_>]) -> bool {
    let number = |token: &Token<'_>| token.text.bytes().all(|b| b.is_ascii_digit());
    match rest {
        [x, after @ ..] if x.is("X") => after.first().is_some_and(number),
        [first, ..] => first.is_any(&["UNTIL", "WHILE", "THEN", "ENTER"]) || times(first).is_some(),
        [] => false,
    }
}

/// `x3` or `3x`.
fn times(token: &Token<'_>) -> Option<Result<u8, Fault>> {
    if token.kind != Kind::Word {
        return None;
    }
    let digits = token.text.strip_prefix(['x', 'X']).or_else(|| token.text.strip_suffix(['x', 'X']))?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(rounds(digits, token))
}

fn rounds(digits: &str, token: &Token<'_>) -> Result<u8, Fault> {
    match digits.parse::<u8>().map(|n| n.min(Limit::MOST_ROUNDS)) {
        Ok(0) | Err(_) => {
            let text = format!("{} is no number of rounds.", quote(token.text));
            Err(Fault::new(token.span, text).hint(format!("x1 to x{}", Limit::MOST_ROUNDS)))
        }
        Ok(n) => Ok(n),
    }
}

/// `x3 UNTIL CLEAR WHILE MORALE >= 2 WHILE ODDS >= 0 THEN ENTER`, in any order; whether to enter.
pub(super) fn limit(cursor: &mut Cursor<'_>) -> Result<(Limit, bool), Fault> {
    let (mut most, mut open_ended, mut enter) = (None, false, false);
    let (mut while_morale, mut while_odds) = (None, None);
    while let Some(token) = cursor.take() {
        if let Some(found) = times(&token) {
            most = Some(found?);
        } else if token.is("X") {
            let number = cursor.take().unwrap_or(token);
            most = Some(rounds(number.text, &number)?);
        } else if token.is("UNTIL") {
            if cursor.take_any(&["CLEAR", "CLEARED", "EMPTY"]).is_none() {
                return Err(Fault::new(cursor.here(), "UNTIL what?").hint("UNTIL CLEAR"));
            }
            open_ended = true;
        } else if token.is_any(&["WHILE", "IF"]) {
            open_ended = true;
            if cursor.take_any(&["MORALE"]).is_some() {
                while_morale = Some(at_least(cursor)?);
            } else if cursor.take_any(&["ODDS"]).is_some() {
                while_odds = Some(at_least(cursor)?);
            } else {
                let hint = "WHILE MORALE >= 2 or WHILE ODDS >= 0";
                return Err(Fault::new(cursor.here(), "WHILE what?").hint(hint));
            }
        } else if token.is("ENTER") {
            enter = true;
        } else if token.is("THEN") {
            if cursor.take_any(&["ENTER", "ADVANCE"]).is_none() {
                return Err(Fault::new(cursor.here(), "THEN what?")
                    .hint("THEN ENTER; anything else is an order of its own"));
            }
            enter = true;
        } else if !token.is_any(&[",", "AND"]) {
            let text = format!("{} is no limit of an attack.", quote(token.text));
            return Err(Fault::new(token.span, text)
                .hint("x3, UNTIL CLEAR, WHILE MORALE >= 2, WHILE ODDS >= 0 or THEN ENTER"));
        }
    }
    let rounds = most.unwrap_or(if open_ended { Limit::MOST_ROUNDS } else { 1 });
    Ok((Limit { rounds, while_morale, while_odds }, enter))
}

/// `>= 2`, `> 1` or just `2`.
fn at_least(cursor: &mut Cursor<'_>) -> Result<i8, Fault> {
    let above = match cursor.take_any(&[">=", ">"]) {
        Some(sign) => sign.is(">"),
        None => false,
    };
    let number = small(cursor, "WHILE MORALE >= 2")?;
    Ok(number + i8::from(above))
}

/// A number that any table of the game could hold.
fn small(cursor: &mut Cursor<'_>, example: &str) -> Result<i8, Fault> {
    let here = cursor.here();
    let number = cursor.take().and_then(|t| t.text.parse::<i8>().ok()).filter(|n| (-20..=20).contains(n));
    number.ok_or_else(|| Fault::new(here, "A number is missing here.").hint(format!("for example {example}")))
}

/// `WHEN 1507 ATTACKED`, `WHEN 4 MORALE <= 1`, `ALWAYS`; none where nothing is said.
pub(super) fn condition(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Option<Trigger>, Fault> {
    if cursor.take_any(&["ALWAYS"]).is_some() {
        return Ok(Some(Trigger::Always));
    }
    if cursor.peek().is_none() {
        return Ok(None);
    }
    let what = |cursor: &Cursor<'_>| {
        Fault::new(cursor.here(), "When?")
            .hint("WHEN 1507 ATTACKED, WHEN 4 ATTACKED, WHEN 4 MORALE <= 1, WHEN 1507 ENTERED or ALWAYS")
    };
    if cursor.take_any(&["WHEN", "IF"]).is_none() {
        return Err(what(cursor));
    }
    let happening = |t: &Token<'_>| t.is_any(&["ATTACKED", "ENTERED", "MORALE"]);
    let Some(length) = cursor.rest().iter().position(happening) else { return Err(what(cursor)) };
    let subject: Vec<_> = cursor.rest()[..length].iter().filter(|t| !t.is("IS")).copied().collect();
    if subject.is_empty() {
        return Err(what(cursor));
    }
    let here = cursor.here();
    cursor.skip(length);
    let Some(happening) = cursor.take() else { return Err(what(cursor)) };
    if happening.is("ENTERED") {
        return Ok(Some(Trigger::HexEntered { hex: names.place(&subject, here)? }));
    }
    if happening.is("MORALE") {
        let unit = names.unit(&subject, Scope::Side, here)?;
        let below = cursor.take_any(&["<=", "<", "="]).is_some_and(|sign| sign.is("<"));
        let morale = small(cursor, "WHEN 4 MORALE <= 1")? - i8::from(below);
        return Ok(Some(Trigger::MoraleAtMost { unit, morale }));
    }
    let number =
        subject.first().filter(|t| t.kind == Kind::Word && t.text.bytes().all(|b| b.is_ascii_digit()));
    let is_unit = subject.len() == 1 && number.is_some_and(|t| t.text.parse::<Hex>().is_err());
    let place = if is_unit { None } else { names.place(&subject, here).ok() };
    Ok(Some(match place {
        Some(hex) => Trigger::HexAttacked { hex },
        None => Trigger::UnitAttacked { unit: names.unit(&subject, Scope::Side, here)? },
    }))
}

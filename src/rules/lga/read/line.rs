//! One line of orders, by the forms.

use super::forms::{GRAMMAR, Verb};
use super::nouns::{Names, Noun};
use super::order::{LineOrders, Marked, guard, orders, reactions};
use crate::order::Standing;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Token};
use musterd_engine::yaml::short;
use musterd_kit::lexicon::{Lexicon as _, at, missing};

/// The meaning of a line.
pub(super) enum Line {
    /// An order for the own turn, to one or several units.
    Command(LineOrders),
    /// Lines of the standing file.
    Reactions(Vec<Marked<Standing>>),
    /// `STANDING`: reactions follow.
    SectionBegins,
    /// `STANDING NONE`.
    SectionEmpty,
    /// `END` without a unit.
    SectionEnds,
    /// `INFO`: the hexes asked about, and what names none.
    Info(Vec<Hex>, Vec<Remark>),
}

/// Reads one line without its comment; none if it is empty.
///
/// # Errors
/// The line can't be understood; the remark has the place.
pub(super) fn read(names: &Names<'_>, text: &str, in_section: bool) -> Result<Option<Line>, Remark> {
    let mut cursor = Cursor::new(text);
    let Some(first) = cursor.take() else { return Ok(None) };
    let line = match verb(first)? {
        Verb::Standing => standing(names, &mut cursor)?,
        Verb::End if cursor.rest().iter().all(|token| token.is("STANDING")) => {
            let which = || missing(&cursor, "END which unit?").hint("for example END 3");
            in_section.then_some(Line::SectionEnds).ok_or_else(which)?
        }
        Verb::Info => {
            let read = GRAMMAR.read_rest(names, Verb::Info, &mut cursor)?;
            let (mut hexes, mut unknown) = (Vec::new(), Vec::new());
            for asked in read.nouns("of").map(Noun::asked) {
                match asked {
                    Ok(hex) => hexes.push(hex),
                    Err(remark) => unknown.push(remark),
                }
            }
            Line::Info(hexes, unknown)
        }
        Verb::If => {
            let guard = guard(&GRAMMAR.read_part(names, Verb::If, &mut cursor)?);
            let Some(next) = cursor.take() else {
                return Err(missing(&cursor, "IF what is so, do what? An order is missing.")
                    .hint(names.example("for example IF Ulm EMPTY MOVE 3 TO Ulm")));
            };
            let verb = verb(next)?;
            if !verb.is_command() || reacts(verb, &cursor, false).is_some() {
                return Err(at(next, "IF guards orders for your own turn only.")
                    .hint(GRAMMAR.openings(Verb::is_command)));
            }
            Line::Command(LineOrders { guard: Some(guard), ..command(names, verb, next, &mut cursor)? })
        }
        verb => match reacts(verb, &cursor, in_section) {
            Some(verb) => reaction(names, verb, &mut cursor)?,
            None => Line::Command(command(names, verb, first, &mut cursor)?),
        },
    };
    Ok(Some(line))
}

fn verb(token: Token<'_>) -> Result<Verb, Remark> {
    GRAMMAR.verb_of(token, |verb| !verb.is_reaction())
}

/// The reaction that a line orders, if it orders one.
fn reacts(verb: Verb, cursor: &Cursor<'_>, in_section: bool) -> Option<Verb> {
    let has_trigger = || cursor.rest().iter().any(|token| token.is_any(&["WHEN", "ALWAYS"]));
    match verb {
        Verb::Top if in_section || has_trigger() => Some(Verb::TopWhen),
        verb => verb.is_reaction().then_some(verb),
    }
}

fn command(
    names: &Names<'_>,
    verb: Verb,
    first: Token<'_>,
    cursor: &mut Cursor<'_>,
) -> Result<LineOrders, Remark> {
    // `MOVE: 3 TO Ulm`.
    while cursor.take_any(&[":"]).is_some() {}
    let (start, length) = cursor.rest_span();
    let line = (first.span.0, start + length - first.span.0);
    orders(names, &GRAMMAR.read_rest(names, verb, cursor)?, line)
}

fn standing(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Line, Remark> {
    let read = GRAMMAR.read_part(names, Verb::Standing, cursor)?;
    if read.has("none") {
        return GRAMMAR.complete(cursor).map(|()| Line::SectionEmpty);
    }
    let Some(next) = cursor.take() else { return Ok(Line::SectionBegins) };
    match reacts(verb(next)?, cursor, true) {
        Some(verb) => reaction(names, verb, cursor),
        None => Err(at(next, format!("`{}` is no standing order.", short(next.text)))
            .hint("REINFORCE, WITHDRAW or TOP; STANDING NONE empties the file")),
    }
}

/// `REINFORCE 4 TO 1507 WHEN 1507 ATTACKED`, without its verb.
fn reaction(names: &Names<'_>, verb: Verb, cursor: &mut Cursor<'_>) -> Result<Line, Remark> {
    let start = cursor.here();
    GRAMMAR.read_rest(names, verb, cursor).map(|read| Line::Reactions(reactions(&read, start)))
}

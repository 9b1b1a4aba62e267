//! The nouns of unit records: names, types of troops, peoples.

use crate::model::{People, Sort, TroopId};
use crate::numbers::Numbers;
use musterd_engine::alike::meant;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::Cursor;
use musterd_engine::yaml::short;
use musterd_kit::lexicon::{at, missing};

/// The words that end the name of a type.
const WORDS: [&str; 14] =
    ["AT", "IN", "TO", "HIDDEN", "OPEN", "ELITE", "CREW", "WITH", "PEOPLE", "SIZE", "NAME", "AND", "+", ","];

/// The longest name of a unit, in characters.
const LONGEST_NAME: usize = 40;

/// A unit's name, which others read in their dispatches.
pub(super) fn name(cursor: &mut Cursor<'_>) -> Result<String, Remark> {
    let Some(token) = cursor.take() else {
        return Err(missing(cursor, "Which name? Write it in quotes."));
    };
    if token.text.chars().count() > LONGEST_NAME {
        return Err(at(token, format!("A unit's name has {LONGEST_NAME} characters at most.")));
    }
    Ok(token.text.to_owned())
}

/// `18 heavy infantry` or `heavy infantry 18`.
pub(super) fn sort(numbers: &Numbers, cursor: &mut Cursor<'_>) -> Result<Sort, Remark> {
    let before = number_here(cursor);
    let elite = cursor.take_any(&["ELITE"]).is_some();
    let troop = troop(numbers, cursor)?;
    let fighters = match before.or_else(|| number_here(cursor)) {
        Some(fighters) => fighters,
        None => return Err(missing(cursor, "How many? Write a number before the type.")),
    };
    Ok(Sort { elite, ..Sort::of(troop, fighters) })
}

fn number_here(cursor: &mut Cursor<'_>) -> Option<u16> {
    let text = cursor.peek()?.text;
    let number = text.strip_suffix(['x', 'X']).unwrap_or(text).parse().ok()?;
    cursor.skip(1);
    cursor.take_any(&["X", "OF"]);
    Some(number)
}

/// A type of troops, by code or by name of several words.
pub(super) fn troop(numbers: &Numbers, cursor: &mut Cursor<'_>) -> Result<TroopId, Remark> {
    let Some(token) = cursor.peek() else {
        return Err(missing(cursor, "Which troops? Write a name or code of table 1."));
    };
    if let Some(found) = cursor.take_longest(3, |text| numbers.find(text)) {
        return Ok(found);
    }
    let ends =
        |text: &&str| WORDS.iter().any(|word| word.eq_ignore_ascii_case(text)) || text.parse::<u16>().is_ok();
    let words: Vec<&str> =
        cursor.rest().iter().map(|token| token.text).take_while(|text| !ends(text)).collect();
    let text = if words.is_empty() { token.text.to_owned() } else { words.join(" ") };
    let near = meant(&text, numbers.troops().map(|(_, troop)| troop.name.as_str())).map(str::to_owned);
    let hint = near
        .or_else(|| numbers.codes_like(&text))
        .map_or_else(|| "write a name or code of table 1".to_owned(), |near| format!("did you mean {near}?"));
    Err(at(token, format!("`{}` is no type of troops.", short(&text))).hint(hint))
}

/// A people.
pub(super) fn people(cursor: &mut Cursor<'_>) -> Result<People, Remark> {
    let Some(token) = cursor.take() else { return Err(missing(cursor, "Which people?")) };
    let found = People::ALL.into_iter().find(|people| token.is(&people.to_string()));
    found.ok_or_else(|| {
        at(token, format!("`{}` is no people.", short(token.text)))
            .hint(format!("write {}", People::WORDS.join(", ")))
    })
}

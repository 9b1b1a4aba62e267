//! A unit record: `UNIT 3 18 heavy infantry AT 0405 HIDDEN NAME "Third Cohort"`.

use super::line::{Line, Noun};
use super::order::Read;
use crate::data::Dog;
use crate::model::{People, Sort, TroopId, UnitId};
use crate::numbers::Numbers;
use crate::order::{Order, Record};
use musterd_engine::alike::meant;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::Cursor;
use musterd_engine::yaml::short;
use musterd_kit::grammar::{Part, Said};
use musterd_kit::lexicon::{at, missing};

/// The words that end the name of a type.
const WORDS: [&str; 14] =
    ["AT", "IN", "TO", "HIDDEN", "OPEN", "ELITE", "CREW", "WITH", "PEOPLE", "SIZE", "NAME", "AND", "+", ","];

/// The longest name of a unit, in characters.
const LONGEST_NAME: usize = 40;

/// The record of a line.
pub(super) fn of(read: &Read) -> Result<Record, Remark> {
    let unit = read.the("unit").unit();
    let mut record = Record { unit, name: None, sorts: Vec::new(), at: None, hidden: false };
    // Before the type, or after it.
    let mut elite = false;
    for part in &read.parts {
        let whose = |text: &str| Remark::error(0, text).at(part.span.0, part.span.1);
        let last = record.sorts.last_mut();
        match (part.name, &part.said) {
            ("name", Said::Noun(Noun::Name(name))) => record.name = Some(name.clone()),
            ("at", Said::Noun(Noun::Hex(hex))) => record.at = Some(*hex),
            ("hidden", _) => record.hidden = true,
            ("open", _) => record.hidden = false,
            ("elite", _) => last.map_or_else(|| elite = true, |sort| sort.elite = true),
            ("sort", Said::Noun(Noun::Sort(sort))) => {
                record.sorts.push(Sort { elite: sort.elite || elite, ..sort.clone() });
                elite = false;
            }
            (_, Said::Word) if last.is_none() => {
                return Err(whose(&format!("Whose {}? Write the type first.", part.name)));
            }
            (_, Said::Noun(noun)) => {
                if let Some(sort) = last {
                    match noun {
                        Noun::Troop(crew) => sort.crew = Some(*crew),
                        Noun::People(people) => sort.people = Some(*people),
                        Noun::Count(size) => sort.size = Some(*size),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    Ok(record)
}

/// The parts of a record's line.
pub(super) fn parts(rules: &Dog, record: &Record) -> Vec<Part<Noun>> {
    let mut parts = vec![Part::noun("unit", Noun::Unit(record.unit))];
    parts.extend(record.sorts.iter().map(|sort| Part::noun("sort", Noun::Sort(sort.clone()))));
    let name = record.name.as_ref().filter(|_| rules.policies().writes_records_whole);
    parts.extend(name.map(|name| Part::noun("name", Noun::Name(name.clone()))));
    parts.extend(record.at.map(|at| Part::noun("at", Noun::Hex(at))));
    parts.extend(record.hidden.then(|| Part::word("hidden")));
    parts
}

/// A record for each unit of a hire list, without a place, numbered from 1 or from the number of the line on.
pub(super) fn hired(line: &Line<'_>, read: &Read) -> Result<Vec<Order>, Remark> {
    let list = &line.rules.lists()[&read.the("list").list()];
    let first = read.noun("first").map_or(1, Noun::count);
    let army = line.view.army.map(|army| line.rules.battle().army(army));
    let army = army.ok_or_else(|| Remark::error(0, "You lead no army.").at(read.end.0, read.end.1))?;
    let first = u8::try_from(first).unwrap_or(UnitId::MOST);
    let own = |id: UnitId| army.units.iter().any(|unit| unit.id == id);
    let record = |(unit, name, sorts): (UnitId, &str, &[Sort])| {
        let name = (!name.is_empty()).then(|| name.to_owned());
        Order::Record(Record { unit, name, sorts: sorts.to_vec(), at: None, hidden: false })
    };
    Ok(list.numbered(army.letter, first, own).map(record).collect())
}

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
    Ok(Sort { troop, elite, people: None, crew: None, size: None, fighters })
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
    let near = meant(&text, numbers.troops().map(|(_, troop)| troop.name.as_str()));
    let hint = near
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

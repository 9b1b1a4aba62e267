//! A unit record: `UNIT 3 18 heavy infantry AT 0405 HIDDEN NAME "Third Cohort"`.

use super::line::{Line, at, clip};
use crate::battle::hire::HireList;
use crate::model::{People, Sort, TroopId, UnitId};
use crate::order::{Order, Record};
use musterd_engine::alike::meant;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Kind, Token};

/// The words that end the name of a type.
const WORDS: [&str; 14] =
    ["AT", "IN", "TO", "HIDDEN", "OPEN", "ELITE", "CREW", "WITH", "PEOPLE", "SIZE", "NAME", "AND", "+", ","];

/// The longest name of a unit, in characters.
const LONGEST_NAME: usize = 40;

/// Reads a record behind its verb.
pub(super) fn read(line: &mut Line<'_, '_>) -> Result<Record, Remark> {
    let unit = number(line)?;
    details(line, unit)
}

/// Reads `HIRE legion-500`, `HIRE legion-500 FROM 11`: a record for each unit of a hire list, without a place, numbered from 1 or from there on.
pub(super) fn hire(line: &mut Line<'_, '_>) -> Result<Vec<Order>, Remark> {
    let lists = line.rules.lists();
    let known = || lists.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let Some(token) = line.cursor.peek() else {
        return Err(line.missing("Which hire list?").hint(format!("there are {}", known())));
    };
    let Some(list) = HireList::find(lists, token.text) else {
        return Err(at(token, format!("`{}` is no hire list.", clip(token.text)))
            .hint(format!("there are {}", known())));
    };
    line.cursor.skip(1);
    let first = match line.cursor.take_any(&["FROM"]) {
        Some(_) => line.count("From which number on? Write one from 1 to 99.")?,
        None => 1,
    };
    let army = line.view.army.map(|army| line.rules.battle().army(army));
    let army = army.ok_or_else(|| line.missing("You lead no army."))?;
    let first = u8::try_from(first).unwrap_or(UnitId::MOST);
    let own = |id: UnitId| army.units.iter().any(|unit| unit.id == id);
    let record = |(unit, name, sorts): (UnitId, &str, &[Sort])| {
        let name = (!name.is_empty()).then(|| name.to_owned());
        Order::Record(Record { unit, name, sorts: sorts.to_vec(), at: None, hidden: false })
    };
    Ok(list.numbered(army.letter, first, own).map(record).collect())
}

/// Reads a record behind its number.
pub(super) fn details(line: &mut Line<'_, '_>, unit: UnitId) -> Result<Record, Remark> {
    let mut record = Record { unit, name: None, sorts: Vec::new(), at: None, hidden: false };
    let mut elite = false;
    while let Some(token) = line.cursor.peek() {
        if token.kind == Kind::Quoted {
            line.cursor.skip(1);
            record.name = Some(name(token)?);
        } else if line.cursor.take_any(&["NAME", "CALLED"]).is_some() {
            let token = line.cursor.take().ok_or_else(|| line.missing("Which name? Write it in quotes."))?;
            record.name = Some(name(token)?);
        } else if line.cursor.take_any(&[",", "AND", "+", "&", ";"]).is_some() {
        } else if token.is_any(&["AT", "IN", "TO", "->"]) {
            record.at = Some(line.hex()?);
        } else if line.cursor.take_any(&["HIDDEN"]).is_some() {
            record.hidden = true;
        } else if line.cursor.take_any(&["OPEN", "VISIBLE"]).is_some() {
            record.hidden = false;
        } else if line.cursor.take_any(&["ELITE"]).is_some() {
            // Before the type, or after it.
            match record.sorts.last_mut() {
                Some(sort) => sort.elite = true,
                None => elite = true,
            }
        } else if line.cursor.take_any(&["CREW", "WITH"]).is_some() {
            let crew = troop(line)?;
            let Some(sort) = record.sorts.last_mut() else {
                return Err(at(token, "Whose crew? Write the type first."));
            };
            sort.crew = Some(crew);
        } else if line.cursor.take_any(&["PEOPLE", "FOLK"]).is_some() {
            let people = people(line)?;
            let Some(sort) = record.sorts.last_mut() else {
                return Err(at(token, "Whose people? Write the type first."));
            };
            sort.people = Some(people);
        } else if line.cursor.take_any(&["SIZE"]).is_some() {
            let size = line.count("Which size? Write a number.")?;
            let Some(sort) = record.sorts.last_mut() else {
                return Err(at(token, "Whose size? Write the type first."));
            };
            sort.size = Some(size);
        } else {
            let sort = sort(line, elite)?;
            elite = false;
            record.sorts.push(sort);
        }
    }
    Ok(record)
}

/// A unit's name, which others read in their dispatches.
fn name(token: Token<'_>) -> Result<String, Remark> {
    if token.text.chars().count() > LONGEST_NAME {
        return Err(at(token, format!("A unit's name has {LONGEST_NAME} characters at most.")));
    }
    Ok(token.text.to_owned())
}

/// The record's number: `3` or `E3`.
fn number(line: &mut Line<'_, '_>) -> Result<UnitId, Remark> {
    let letter = line.letter();
    let Some(token) = line.cursor.take() else { return Err(line.missing("Which unit? Write its number.")) };
    match line.numbered(token.text) {
        Some(id) if Some(id.army) == letter && id.part == 0 => Ok(id),
        Some(id) if Some(id.army) != letter => Err(at(token, format!("{id} is not of your army."))),
        _ => Err(at(token, format!("`{}` is no unit's number.", clip(token.text)))
            .hint("write a number from 1 to 99")),
    }
}

/// `18 heavy infantry` or `heavy infantry 18`.
fn sort(line: &mut Line<'_, '_>, elite: bool) -> Result<Sort, Remark> {
    let before = number_here(line);
    let elite = line.cursor.take_any(&["ELITE"]).is_some() || elite;
    let kind = troop(line)?;
    let fighters = match before.or_else(|| number_here(line)) {
        Some(fighters) => fighters,
        None => return Err(line.missing("How many? Write a number before the type.")),
    };
    Ok(Sort { troop: kind, elite, people: None, crew: None, size: None, fighters })
}

fn number_here(line: &mut Line<'_, '_>) -> Option<u16> {
    let text = line.cursor.peek()?.text;
    let number = text.strip_suffix(['x', 'X']).unwrap_or(text).parse().ok()?;
    line.cursor.skip(1);
    line.cursor.take_any(&["X", "OF"]);
    Some(number)
}

/// A type of troops, by code or by name of several words.
fn troop(line: &mut Line<'_, '_>) -> Result<TroopId, Remark> {
    let Some(token) = line.cursor.peek() else {
        return Err(line.missing("Which troops? Write a name or code of table 1."));
    };
    let numbers = line.rules.numbers();
    if let Some(found) = line.cursor.take_longest(3, |text| numbers.find(text)) {
        return Ok(found);
    }
    let ends =
        |text: &&str| WORDS.iter().any(|word| word.eq_ignore_ascii_case(text)) || text.parse::<u16>().is_ok();
    let words: Vec<&str> =
        line.cursor.rest().iter().map(|token| token.text).take_while(|text| !ends(text)).collect();
    let text = if words.is_empty() { token.text.to_owned() } else { words.join(" ") };
    let near = meant(&text, numbers.troops().map(|(_, troop)| troop.name.as_str()));
    let hint = near
        .map_or_else(|| "write a name or code of table 1".to_owned(), |near| format!("did you mean {near}?"));
    Err(at(token, format!("`{}` is no type of troops.", clip(&text))).hint(hint))
}

fn people(line: &mut Line<'_, '_>) -> Result<People, Remark> {
    let Some(token) = line.cursor.take() else { return Err(line.missing("Which people?")) };
    let found = People::ALL.into_iter().find(|people| token.is(&people.to_string()));
    found.ok_or_else(|| {
        at(token, format!("`{}` is no people.", clip(token.text)))
            .hint(format!("write {}", People::WORDS.join(", ")))
    })
}

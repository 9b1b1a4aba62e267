//! A unit record: `UNIT 3 18 heavy infantry AT 0405 HIDDEN NAME "Third Cohort"`.

use super::line::{Line, Noun, Read};
use crate::data::Dog;
use crate::model::{Sort, UnitId};
use crate::order::{Order, Record};
use musterd_engine::orders::Remark;
use musterd_kit::grammar::{Part, Said};

/// The record of a line.
pub(super) fn of(read: &Read) -> Result<Record, Remark> {
    let mut record = Record::of(read.the("unit").unit());
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
        Order::Record(Record { name, sorts: sorts.to_vec(), ..Record::of(unit) })
    };
    Ok(list.numbered(army.letter, first, own).map(record).collect())
}

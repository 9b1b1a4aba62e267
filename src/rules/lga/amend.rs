//! Reads the GM's amendments: `UNIT 12 MORALE 3; UNIT Davout AT Ulm; CONTROL Ulm FRENCH`.
//!
//! An amendment is an input to the rules. It is read against the whole position and turned into events. It is refused if the position would become
//! inconsistent.

use std::fmt;

use serde::Deserialize;

use super::data::Lga;
use super::event::Event;
use super::folding::words;
use super::footing::Traveller;
use super::ground::closed;
use super::map::Area;
use super::model::{Nation, Side, UnitId, UnitType};
use super::state::State;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;

pub use super::change::Change;

/// The help on the forms of an amendment.
const FORMS: &str = "Write UNIT and its number or name, then MORALE n, FATIGUE n, MOVES n, AT place, TOP, POOL, GARRISON YES, SUPPLIED \
                     YES or RALLIED YES (or NO); or POINTS nation n, VICTORY side n, CONTROL place side.";

/// The events of a GM's line.
pub(super) fn amend(rules: &Lga, state: &State, text: &str) -> Result<Vec<Event>, Remark> {
    let mut after = state.clone();
    let mut events = Vec::new();
    for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        for change in read(rules, &after, part).map_err(|why| Remark::error(1, format!("{part}: {why}")))? {
            let event = Event::Amended { change };
            after.apply(rules, &event);
            events.push(event);
        }
    }
    let before = state.faults(rules);
    if let Some(fault) = after.faults(rules).into_iter().find(|fault| !before.contains(fault)) {
        return Err(Remark::error(1, format!("With that the position would not hang together: {fault}.")));
    }
    if events.is_empty() {
        return Err(Remark::error(1, FORMS));
    }
    Ok(events)
}

/// One change as written, with its consequences: a unit that stands in a hex controls it.
fn read(rules: &Lga, state: &State, part: &str) -> Result<Vec<Change>, String> {
    let tokens: Vec<&str> = part.split_whitespace().collect();
    let (first, rest) = tokens.split_first().ok_or(FORMS)?;
    match (first.to_ascii_uppercase().as_str(), rest) {
        ("UNIT", rest) => of_unit(rules, state, rest),
        ("POINTS", [nation, points]) => {
            let nation =
                Nation::from_word(nation).ok_or_else(|| format!("no nation is called `{nation}`"))?;
            if !state.points.contains_key(&nation) {
                return Err(format!("{nation} is not in this scenario"));
            }
            Ok(vec![Change::Points { nation, points: number(points)? }])
        }
        ("VICTORY", [side, points]) => {
            Ok(vec![Change::Victory { side: side_in(rules, side)?, points: number(points)? }])
        }
        ("CONTROL", [place @ .., side]) if !place.is_empty() => {
            let side = named::<Side>(side)?;
            Ok(vec![Change::Control { at: hex(rules, place)?, side }])
        }
        _ => Err(FORMS.to_owned()),
    }
}

fn of_unit(rules: &Lga, state: &State, tokens: &[&str]) -> Result<Vec<Change>, String> {
    const FIELDS: [&str; 9] =
        ["MORALE", "FATIGUE", "MOVES", "AT", "TOP", "POOL", "GARRISON", "SUPPLIED", "RALLIED"];
    let is_field = |token: &&str| FIELDS.iter().any(|field| token.eq_ignore_ascii_case(field));
    let split = tokens.iter().skip(1).position(is_field).ok_or(FORMS)? + 1;
    let unit = unit_named(rules, &tokens[..split])?;
    let spec = rules.scenario().unit(unit);
    let stats = rules.stats(spec.kind);
    let on_map = || match state.unit(unit).at {
        Some(at) => Ok(at),
        None => Err(format!("{} is in the build pool", spec.name)),
    };
    let change = match (tokens[split].to_ascii_uppercase().as_str(), &tokens[split + 1..]) {
        ("MORALE", [value]) => Change::Morale { unit, morale: number(value)? },
        ("FATIGUE", [value]) => Change::Fatigue { unit, fatigue: number(value)? },
        ("MOVES", [value]) => Change::Moves { unit, left: number(value)? },
        ("TOP", []) => Change::Topped { unit },
        ("POOL", []) => Change::Pooled { unit },
        ("GARRISON", [value]) => Change::Garrison { unit, garrison: yes(value)? },
        ("SUPPLIED", [value]) => Change::Supplied { unit, supplied: yes(value)? },
        ("RALLIED", [value]) => Change::Rallied { unit, rallied: yes(value)? },
        ("AT", place) => {
            let at = hex(rules, place)?;
            let who = Traveller { nation: spec.nation, kind: spec.kind };
            let sea = rules.map().area(at).is_some_and(|area| !area.is_land());
            if let Some(why) = closed(rules, who, at, None).filter(|_| sea) {
                return Err(format!("{} can't be at sea: {why}", spec.name));
            }
            let placed = Change::Placed { unit, at, morale: stats.max_morale, left: stats.moves };
            let land = rules.map().area(at).is_some_and(Area::is_land);
            let taken = land && spec.kind != UnitType::Hq && state.control.get(&at) != Some(&spec.side);
            let control = taken.then_some(Change::Control { at, side: spec.side });
            return Ok(std::iter::once(placed).chain(control).collect());
        }
        _ => return Err(FORMS.to_owned()),
    };
    if let Change::Garrison { garrison: true, .. } = change {
        let at = on_map()?;
        if rules.map().area(at).is_none_or(|area| area.city.is_none()) {
            return Err(format!("there is no city at {}", rules.map().place(at)));
        }
    }
    on_map()?;
    Ok(vec![change])
}

/// The unit with this number, or the only one whose name has all these words.
fn unit_named(rules: &Lga, tokens: &[&str]) -> Result<UnitId, String> {
    let quoted = tokens.join(" ");
    if let [token] = tokens
        && let Ok(number) = token.parse::<u16>()
    {
        let found = rules.scenario().find(UnitId(number));
        return found.map(|spec| spec.id).ok_or_else(|| format!("there is no unit {number}"));
    }
    let wanted = words(&quoted);
    let names = rules.scenario().units().iter().zip(&rules.spelling().units);
    let fits = |name: &[String]| wanted.iter().all(|word| name.contains(word));
    let found: Vec<_> = names.filter(|(_, name)| fits(name)).map(|(spec, _)| spec).collect();
    match found.as_slice() {
        [] => Err(format!("no unit is called `{quoted}`")),
        [one] => Ok(one.id),
        [first, second, ..] => Err(format!(
            "`{quoted}` may be {} ({}) or {} ({}): write its number",
            first.name, first.id, second.name, second.id
        )),
    }
}

/// A hex in play or at sea, by number or by its city's name.
fn hex(rules: &Lga, tokens: &[&str]) -> Result<Hex, String> {
    let quoted = tokens.join(" ");
    let wanted = words(&quoted);
    let number = tokens.last().and_then(|last| last.parse::<Hex>().ok());
    let cities = || rules.map().cities().zip(&rules.spelling().towns);
    let city = || cities().find(|(_, (name, short))| *name == wanted || *short == wanted.join(" "));
    let hex = number.or_else(|| city().map(|((hex, _), _)| hex));
    let hex = hex.ok_or_else(|| format!("no place is called `{quoted}`"))?;
    let sea = rules.map().area(hex).is_some_and(|area| !area.is_land());
    if rules.scenario().in_play(hex) || sea {
        Ok(hex)
    } else {
        Err(format!("{} is not in play", rules.map().place(hex)))
    }
}

fn side_in(rules: &Lga, text: &str) -> Result<Side, String> {
    let side = named::<Side>(text)?;
    rules.scenario().side(side).map(|spec| spec.side).ok_or_else(|| format!("no side is called `{text}`"))
}

/// A nation or a side as data files write it.
fn named<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, String> {
    let value = serde_json::Value::String(text.to_ascii_lowercase());
    serde_json::from_value(value).map_err(|_| format!("nothing is called `{text}`"))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String>
where
    T::Err: fmt::Display,
{
    text.parse().map_err(|_| format!("`{text}` is not a number that fits here"))
}

fn yes(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "true" | "on" => Ok(true),
        "no" | "false" | "off" => Ok(false),
        _ => Err(format!("write YES or NO instead of `{text}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::rules;
    use musterd_engine::Ruleset;

    #[test]
    fn nobody_is_put_to_sea_who_cannot_sail_and_a_nation_has_either_name() {
        let rules = rules("austrian-1805");
        let state = rules.found();
        let refused = amend(&rules, &state, "UNIT 1 AT 0706").unwrap_err();
        assert!(refused.text.contains("I Bernadotte can't be at sea"), "{}", refused.text);
        for nation in ["France", "french"] {
            assert_eq!(
                amend(&rules, &state, &format!("POINTS {nation} 20")).map(|events| events.len()),
                Ok(1)
            );
        }
    }
}

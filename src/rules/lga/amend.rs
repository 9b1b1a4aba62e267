//! What the GM may change by hand, and how he writes it: `UNIT 12 MORALE 3; UNIT Davout AT Ulm; CONTROL Ulm FRENCH`.
//!
//! An amendment is an input to the rules: read against the whole position, made of events, and refused where the position
//! would no longer hang together.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::data::Lga;
use super::event::Event;
use super::ground::{Traveller, closed};
use super::map::Area;
use super::model::{Nation, Side, UnitId, UnitType};
use super::spelling::words;
use super::state::{State, Unit};
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;

/// What the forms of an amendment are, for whoever wrote none.
const FORMS: &str = "Write UNIT and its number or name, then MORALE n, FATIGUE n, MOVES n, AT place, TOP, POOL, GARRISON YES, SUPPLIED \
                     YES or RALLIED YES (or NO); or POINTS nation n, VICTORY side n, CONTROL place side.";

/// One thing that the GM changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "amended", rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named after what they hold; the variants say what is changed")]
pub enum Change {
    /// A unit's morale.
    Morale { unit: UnitId, morale: i8 },
    /// A unit's fatigue.
    Fatigue { unit: UnitId, fatigue: u8 },
    /// The moves that a unit has left this season.
    Moves { unit: UnitId, left: u8 },
    /// A unit stands on top of a hex; one from the pool comes fresh, with this morale.
    Placed { unit: UnitId, at: Hex, morale: i8, left: u8 },
    /// A unit lies on top of its stack.
    Topped { unit: UnitId },
    /// A unit is in the build pool.
    Pooled { unit: UnitId },
    /// Whether a unit is its city's garrison.
    Garrison { unit: UnitId, garrison: bool },
    /// Whether a unit counts as supplied this season.
    Supplied { unit: UnitId, supplied: bool },
    /// Whether a unit was rallied this season.
    Rallied { unit: UnitId, rallied: bool },
    /// A nation's military points.
    Points { nation: Nation, points: i32 },
    /// A side's victory points; they are counted anew at its next count.
    Victory { side: Side, points: i32 },
    /// Who controls a hex.
    Control { at: Hex, side: Side },
}

impl Change {
    /// The unit that it is about, if it is about one.
    pub(super) const fn unit(&self) -> Option<UnitId> {
        match self {
            Self::Morale { unit, .. }
            | Self::Fatigue { unit, .. }
            | Self::Moves { unit, .. }
            | Self::Placed { unit, .. }
            | Self::Topped { unit }
            | Self::Pooled { unit }
            | Self::Garrison { unit, .. }
            | Self::Supplied { unit, .. }
            | Self::Rallied { unit, .. } => Some(*unit),
            Self::Points { .. } | Self::Victory { .. } | Self::Control { .. } => None,
        }
    }

    /// It in words, as those who may know it read it.
    pub(super) fn in_words(&self, rules: &Lga) -> String {
        let is = |yes: bool, what: &str| if yes { format!("is {what}") } else { format!("is not {what}") };
        let (place, nation) = (|at: Hex| rules.map().place(at), |nation: Nation| nation.to_string());
        let (subject, verb) = match *self {
            Self::Morale { morale, .. } => (None, format!("has morale {morale}")),
            Self::Fatigue { fatigue, .. } => (None, format!("has fatigue {fatigue}")),
            Self::Moves { left, .. } => (None, format!("has {left} moves left")),
            Self::Placed { at, .. } => (None, format!("is at {}", place(at))),
            Self::Topped { .. } => (None, "lies on top of its stack".to_owned()),
            Self::Pooled { .. } => (None, "is in the build pool".to_owned()),
            Self::Garrison { garrison, .. } => (None, is(garrison, "the garrison of its city")),
            Self::Supplied { supplied, .. } => (None, is(supplied, "in supply")),
            Self::Rallied { rallied, .. } => (None, is(rallied, "rallied this season")),
            Self::Points { nation: of, points } => {
                (Some(nation(of)), format!("has {points} military points"))
            }
            Self::Victory { side, points } => {
                (Some(format!("the {side} side")), format!("has {points} victory points"))
            }
            Self::Control { at, side } => (Some(place(at).into_owned()), format!("is under {side} control")),
        };
        let unit = self.unit().map(|id| format!("{} ({id})", rules.scenario().unit(id).name));
        format!("The GM's amendment: {} {verb}.", unit.or(subject).unwrap_or_default())
    }

    /// Makes it so.
    pub(super) fn apply(&self, state: &mut State) {
        match *self {
            Self::Morale { unit, morale } => state.unit_mut(unit).morale = morale,
            Self::Fatigue { unit, fatigue } => state.unit_mut(unit).fatigue = fatigue,
            Self::Moves { unit, left } => {
                let unit = state.unit_mut(unit);
                (unit.left, unit.ended) = (left, unit.ended && left == 0);
            }
            Self::Placed { unit, at, morale, left } => {
                if state.unit(unit).at.is_none() {
                    *state.unit_mut(unit) = Unit { morale, left, ..Unit::IN_POOL };
                }
                state.shift(unit, at);
            }
            Self::Topped { unit } => {
                if let Some(at) = state.unit(unit).at {
                    state.lift(unit);
                    state.put_on_top(unit, at);
                }
            }
            Self::Pooled { unit } => state.destroy(unit),
            Self::Garrison { unit, garrison } => state.unit_mut(unit).garrison = garrison,
            Self::Supplied { unit, supplied } => state.unit_mut(unit).supplied = supplied,
            Self::Rallied { unit, rallied } => state.unit_mut(unit).rallied = rallied,
            Self::Points { nation, points } => drop(state.points.insert(nation, points)),
            Self::Victory { side, points } => drop(state.victory.insert(side, points)),
            Self::Control { at, side } => drop(state.control.insert(at, side)),
        }
    }
}

/// What a line of the GM's comes to.
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

/// One change as written, with what follows from it: whoever stands in a hex controls it.
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

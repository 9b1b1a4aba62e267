//! One line of orders.

use super::record;
use crate::data::Dog;
use crate::model::UnitId;
use crate::order::{March, Order, Way};
use crate::view::View;
use musterd_engine::alike::meant;
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Kind, Token};

/// The verbs, with what else they may be called.
const VERBS: [(Verb, &[&str]); 14] = [
    (Verb::Unit, &["UNIT", "RECORD", "PLACE"]),
    (Verb::Move, &["MOVE", "MARCH", "GO", "ADVANCE", "MV"]),
    (Verb::Flee, &["FLEE", "RETREAT", "WITHDRAW"]),
    (Verb::Split, &["SPLIT", "DETACH"]),
    (Verb::Hide, &["HIDE"]),
    (Verb::Hire, &["HIRE", "ENLIST"]),
    (Verb::Board, &["BOARD", "EMBARK"]),
    (Verb::Land, &["LAND", "DISEMBARK"]),
    (Verb::Dismount, &["DISMOUNT"]),
    (Verb::Attack, &["ATTACK", "STRIKE", "CHARGE", "ATT"]),
    (Verb::Shoot, &["SHOOT", "FIRE", "VOLLEY"]),
    (Verb::Defend, &["DEFEND", "DEFENCE", "DEFENSE", "HOLD", "STAND"]),
    (Verb::If, &["IF", "WHEN"]),
    (Verb::Surrender, &["SURRENDER", "YIELD"]),
];

/// What a line asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Unit,
    Hire,
    Move,
    Flee,
    Split,
    Hide,
    Board,
    Land,
    Dismount,
    Attack,
    Shoot,
    Defend,
    If,
    Surrender,
}

/// The verb that a word is, in any case.
pub(super) fn verb(word: &str) -> Option<Verb> {
    VERBS
        .iter()
        .find(|(_, words)| words.iter().any(|own| own.eq_ignore_ascii_case(word)))
        .map(|(verb, _)| *verb)
}

/// The verb that somebody may have meant.
pub(super) fn near_verb(word: &str) -> Option<&'static str> {
    meant(word, VERBS.iter().flat_map(|(_, words)| words.iter().copied()))
}

/// What a line orders.
#[derive(Debug, Default)]
pub(super) struct Given {
    pub(super) orders: Vec<Order>,
    /// Whether it was given to all: to whoever has no such order by the lines before.
    pub(super) all: bool,
}

/// Reads a line without its comment; a line for several units gives several orders.
pub(super) fn read(rules: &Dog, view: &View, text: &str) -> Result<Given, Remark> {
    let mut line = Line { rules, view, cursor: Cursor::new(text), all: false };
    let Some(first) = line.cursor.take() else { return Ok(Given::default()) };
    let Some(verb) = verb(first.text).filter(|_| first.kind == Kind::Word) else {
        let text = format!("`{}` is no order.", clip(first.text));
        let hint = match near_verb(first.text) {
            Some(near) => format!("did you mean {near}?"),
            None => "orders are MOVE, FLEE, HIDE, ATTACK, SHOOT, DEFEND, IF ATTACKED, SURRENDER".to_owned(),
        };
        return Err(at(first, text).hint(hint));
    };
    let orders = match verb {
        Verb::Unit => vec![Order::Record(record::read(&mut line)?)],
        Verb::Hire => record::hire(&mut line)?,
        Verb::Move => line.march(false)?,
        Verb::Flee => line.march(true)?,
        Verb::Split => line.march(false)?,
        Verb::Hide => line.each(|unit| Order::Hide { unit })?,
        Verb::Board => {
            let unit = line.own()?;
            let boat = if line.cursor.peek().is_some() { Some(line.hex()?) } else { None };
            vec![Order::Board { unit, boat }]
        }
        Verb::Land => {
            let unit = line.own()?;
            vec![Order::Land { unit, to: line.hex()? }]
        }
        Verb::Dismount => {
            let unit = line.own()?;
            let to = if line.cursor.peek().is_some() { Some(line.hex()?) } else { None };
            vec![Order::Dismount { unit, to }]
        }
        Verb::Attack => line.strike(|unit, target| Order::Attack { unit, target })?,
        Verb::Shoot => line.strike(|unit, target| Order::Shoot { unit, target })?,
        Verb::Defend => line.each(|unit| Order::Defend { unit })?,
        Verb::If => line.if_attacked()?,
        Verb::Surrender => {
            let unit = line.own()?;
            line.cursor.take_any(&["TO", "->"]);
            let to = line.foe()?;
            vec![Order::Surrender { unit, to }]
        }
    };
    match line.cursor.peek() {
        Some(rest) => {
            Err(at(rest, format!("What is `{}` here? The order is complete before it.", clip(rest.text))))
        }
        None => Ok(Given { orders, all: line.all }),
    }
}

/// The most words of a name that may be written without quotes.
const NAME_WORDS: usize = 4;

/// The unit with this name, in any case, if it is one alone. What split off a unit shares its name, which means the unit itself while that is
/// there.
fn only<'n>(units: impl Iterator<Item = (UnitId, &'n str)>, name: &str) -> Option<UnitId> {
    let called = units.filter(|(_, own)| own.eq_ignore_ascii_case(name)).map(|(id, _)| id);
    let called: Vec<UnitId> = called.collect();
    let mut whole = called.iter().filter(|id| id.part == 0);
    match (called.as_slice(), whole.next()) {
        ([one], _) => Some(*one),
        (_, Some(one)) if whole.next().is_none() => Some(*one),
        _ => None,
    }
}

/// A line that is being read.
pub(super) struct Line<'v, 't> {
    pub(super) rules: &'v Dog,
    pub(super) view: &'v View,
    pub(super) cursor: Cursor<'t>,
    /// Whether it is for all units.
    pub(super) all: bool,
}

/// A remark on a word.
pub(super) fn at(token: Token<'_>, text: impl Into<String>) -> Remark {
    Remark::error(0, text).at(token.span.0, token.span.1)
}

/// A word as a message repeats it.
pub(super) fn clip(text: &str) -> String {
    musterd_engine::yaml::short(text)
}

impl Line<'_, '_> {
    /// A remark that something is missing here.
    pub(super) fn missing(&self, what: &str) -> Remark {
        let (start, length) = self.cursor.here();
        Remark::error(0, what).at(start, length)
    }

    /// One own unit: by number, by letter and number, or by name.
    pub(super) fn own(&mut self) -> Result<UnitId, Remark> {
        self.cursor.take_any(&["UNIT", "UNITS"]);
        let Some(token) = self.cursor.peek() else {
            return Err(self.missing("Which unit? Write its number."));
        };
        let Some((id, taken)) = self.own_here() else {
            let known = self.view.own.keys().map(ToString::to_string).collect::<Vec<_>>();
            let text = format!("`{}` is none of your units.", clip(token.text));
            let hint = if known.is_empty() {
                "you have none".to_owned()
            } else {
                format!("yours are {}", list(&known))
            };
            return Err(at(token, text).hint(hint));
        };
        self.cursor.skip(taken);
        Ok(id)
    }

    /// The own unit that the next tokens name, and how many they are.
    fn own_here(&self) -> Option<(UnitId, usize)> {
        let token = self.cursor.peek()?;
        let by_number = self.numbered(token.text);
        if let Some(id) = by_number.filter(|id| token.kind == Kind::Word && self.view.own.contains_key(id)) {
            return Some((id, 1));
        }
        let own = || self.view.own.iter().map(|(id, unit)| (*id, unit.name.as_str()));
        self.cursor.longest(NAME_WORDS, |text| only(own(), text))
    }

    /// The unit that a word means: `E3`, or `3` for the own army's.
    pub(super) fn numbered(&self, text: &str) -> Option<UnitId> {
        let with_letter = || format!("{}{text}", self.letter()?).parse().ok();
        text.parse().ok().or_else(with_letter)
    }

    /// The letter of the leader's army.
    pub(super) fn letter(&self) -> Option<char> {
        self.view.army.map(|army| self.rules.battle().army(army).letter)
    }

    /// One or more own units, with commas and AND between them.
    fn owns(&mut self) -> Result<Vec<UnitId>, Remark> {
        if self.cursor.take_any(&["ALL", "EVERYBODY"]).is_some() {
            self.all = true;
            return Ok(self
                .view
                .own
                .iter()
                .filter(|(_, unit)| unit.captive.is_none())
                .map(|(id, _)| *id)
                .collect());
        }
        let mut units = vec![self.own()?];
        loop {
            let comma = self.cursor.take_any(&[",", "AND", "+", "&"]).is_some();
            if comma {
                units.push(self.own()?);
            } else if let Some((id, taken)) = self.own_here() {
                self.cursor.skip(taken);
                units.push(id);
            } else {
                return Ok(units);
            }
        }
    }

    /// An order for each of several units.
    fn each(&mut self, order: impl Fn(UnitId) -> Order) -> Result<Vec<Order>, Remark> {
        Ok(self.owns()?.into_iter().map(order).collect())
    }

    /// A hex by number or by the name of a place.
    pub(super) fn hex(&mut self) -> Result<Hex, Remark> {
        self.cursor.take_any(&["TO", "AT", "IN", "->", "INTO"]);
        let Some(token) = self.cursor.peek() else {
            return Err(self.missing("Where? Write a hex, such as 0304."));
        };
        let field = &self.rules.battle().field;
        if let Ok(hex) = token.text.parse::<Hex>() {
            self.cursor.skip(1);
            return match field.has(hex) {
                true => Ok(hex),
                false => Err(at(token, format!("{hex} is off the field."))
                    .hint(format!("the field ends at {}", Hex::new(field.columns, field.rows)))),
            };
        }
        if let Some(hex) = self.cursor.take_longest(NAME_WORDS, |text| field.named(text)) {
            return Ok(hex);
        }
        let near = meant(token.text, field.places.values().map(String::as_str));
        let hint = near.map_or_else(
            || "write column and row, such as 0304".to_owned(),
            |n| format!("did you mean {n}?"),
        );
        Err(at(token, format!("`{}` is no hex of this field.", clip(token.text))).hint(hint))
    }

    /// `MOVE 3 TO 0405`, `MOVE 3 0304 0305 LEAVE 6`, `MOVE 3 NE E E`.
    fn march(&mut self, flee: bool) -> Result<Vec<Order>, Remark> {
        let unit = self.own()?;
        let Some(from) = self.view.own.get(&unit).map(|own| own.at) else { return Ok(Vec::new()) };
        let mut leave = None;
        let mut flee = flee;
        let mut hexes: Vec<Hex> = Vec::new();
        let mut to = false;
        while let Some(token) = self.cursor.peek() {
            if token.is_any(&["LEAVE", "LEAVING", "KEEP"]) {
                self.cursor.skip(1);
                leave = Some(self.count("How many stay? Write a number.")?);
            } else if token.is_any(&["FLEE", "FLEEING"]) {
                self.cursor.skip(1);
                flee = true;
            } else if token.is_any(&[",", "THEN", "VIA", "BY"]) {
                self.cursor.skip(1);
            } else if let Some(direction) = Direction::from_abbreviation(token.text) {
                let here = hexes.last().copied().unwrap_or(from);
                let Some(next) = here.step(direction).filter(|hex| self.rules.battle().field.has(*hex))
                else {
                    return Err(at(token, format!("{} of {here} the field ends.", direction.abbreviation())));
                };
                self.cursor.skip(1);
                hexes.push(next);
            } else {
                to |= token.is_any(&["TO", "->", "INTO"]);
                hexes.push(self.hex()?);
            }
        }
        let way = match hexes.as_slice() {
            [] => return Err(self.missing("Where to? Write a hex, such as TO 0304.")),
            [one] if to || from.direction_to(*one).is_none() => Way::To(*one),
            _ => {
                let mut here = from;
                for hex in &hexes {
                    if here.direction_to(*hex).is_none() {
                        let text = format!("{hex} is not next to {here}: a way goes from hex to hex.");
                        return Err(self
                            .missing(&text)
                            .hint(format!("MOVE {unit} TO {hex} finds the way itself")));
                    }
                    here = *hex;
                }
                Way::By(hexes)
            }
        };
        Ok(vec![Order::March(March { unit, way, leave, flee })])
    }

    /// A number of fighters.
    pub(super) fn count(&mut self, missing: &str) -> Result<u16, Remark> {
        let Some(token) = self.cursor.take() else { return Err(self.missing(missing)) };
        token.text.parse().map_err(|_| at(token, format!("`{}` is no number of fighters.", clip(token.text))))
    }

    /// `ATTACK 3 D2`, `SHOOT 3, 4 AT D2`, `ATTACK 3`.
    fn strike(&mut self, order: impl Fn(UnitId, Option<UnitId>) -> Order) -> Result<Vec<Order>, Remark> {
        let units = self.owns()?;
        self.cursor.take_any(&["ON", "AT", "->", "AGAINST"]);
        let target = match self.cursor.take_any(&["ANY", "ANYBODY", "ANYONE"]) {
            Some(_) => None,
            None if self.cursor.peek().is_none() => None,
            None => Some(self.foe()?),
        };
        Ok(units.into_iter().map(|unit| order(unit, target)).collect())
    }

    /// An enemy in sight: by letter and number, by its hex, or by name.
    fn foe(&mut self) -> Result<UnitId, Remark> {
        let Some(token) = self.cursor.peek() else {
            return Err(self.missing("Which enemy? Write its letter and number."));
        };
        let battle = self.rules.battle();
        let hostile = |id: &UnitId| {
            let army = battle.lettered(id.army).map(|army| army.id);
            army.zip(self.view.army).is_some_and(|(a, b)| !battle.allied(a, b))
        };
        let foes = || self.view.others.iter().filter(|(id, _)| hostile(id));
        let by_id = token.text.parse::<UnitId>().ok();
        let by_hex = token.text.parse::<Hex>().ok();
        let called = || foes().map(|(id, unit)| (*id, unit.name.as_str()));
        let by_name = || self.cursor.longest(NAME_WORDS, |text| only(called(), text));
        let found = foes()
            .find(|(id, unit)| Some(**id) == by_id || Some(unit.at) == by_hex)
            .map(|(id, _)| (*id, 1))
            .or_else(by_name);
        let Some((id, taken)) = found else {
            let text = match by_id {
                Some(id) if self.view.own.contains_key(&id) => format!("{id} is one of your own units."),
                Some(id) if self.view.others.contains_key(&id) => format!("{id} is an ally's."),
                _ => format!("You see no enemy `{}`.", clip(token.text)),
            };
            let known: Vec<String> = foes().map(|(id, _)| id.to_string()).collect();
            let hint = if known.is_empty() {
                "no enemy is in sight".to_owned()
            } else {
                format!("in sight are {}", list(&known))
            };
            return Err(at(token, text).hint(hint));
        };
        self.cursor.skip(taken);
        Ok(id)
    }

    /// `IF ATTACKED DEFEND 3 4`, `IF ATTACKED KEEP`.
    fn if_attacked(&mut self) -> Result<Vec<Order>, Remark> {
        if self.cursor.take_any(&["ATTACKED"]).is_none() {
            return Err(self.missing("If what? Write IF ATTACKED DEFEND, or IF ATTACKED KEEP."));
        }
        self.cursor.take_any(&[":", ",", "THEN"]);
        let keep = if self.cursor.take_any(&["KEEP", "ATTACK", "STRIKE"]).is_some() {
            true
        } else if self.cursor.take_any(&["DEFEND", "DEFENCE", "DEFENSE"]).is_some() {
            false
        } else {
            return Err(self.missing("What then? Write DEFEND or KEEP."));
        };
        // All of them is the army, with whoever comes later.
        if self.cursor.take_any(&["ALL", "EVERYBODY"]).is_some() || self.cursor.peek().is_none() {
            return Ok(vec![Order::IfAttacked { unit: None, keep }]);
        }
        self.each(|unit| Order::IfAttacked { unit: Some(unit), keep })
    }
}

/// The first few names of many.
fn list(names: &[String]) -> String {
    match names.len() {
        0..=12 => names.join(", "),
        _ => format!("{}, ...", names[..12].join(", ")),
    }
}

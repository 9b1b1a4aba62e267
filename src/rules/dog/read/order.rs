//! One line of orders, from its verb to its end.

use super::line::{Line, at, clip};
use super::record;
use super::verbs::{Verb, near_verb, verb};
use crate::data::Dog;
use crate::model::UnitId;
use crate::order::{March, Order, Way};
use crate::view::View;
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Kind};

/// What a line orders.
#[derive(Debug, Default)]
pub(super) struct LineOrders {
    pub(super) orders: Vec<Order>,
    /// Whether it was given to all: to whoever has no such order by the lines before.
    pub(super) all: bool,
}

/// Reads a line without its comment; a line for several units gives several orders.
pub(super) fn read(rules: &Dog, view: &View, text: &str) -> Result<LineOrders, Remark> {
    let mut line = Line { rules, view, cursor: Cursor::new(text), all: false };
    let Some(first) = line.cursor.take() else { return Ok(LineOrders::default()) };
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
        None => Ok(LineOrders { orders, all: line.all }),
    }
}

impl Line<'_, '_> {
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

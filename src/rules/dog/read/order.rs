//! The orders that a line gives, from its parts; and the parts of an order, to write it.

use super::forms::{GRAMMAR, Verb};
use super::line::{Line, Noun, Read, write};
use super::record;
use crate::data::Dog;
use crate::known::example_hex;
use crate::model::UnitId;
use crate::order::{Arm, March, Order, Way};
use crate::view::{View, Wait};
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_kit::grammar::{Part, Said};

/// What a line orders.
#[derive(Debug, Default)]
pub(super) struct LineOrders {
    pub(super) orders: Vec<Order>,
    /// Whether it was given to all: to whoever has no such order by the lines before.
    pub(super) all: bool,
    /// A warning where the line may have been meant otherwise. Its line number is not set.
    pub(super) doubt: Option<Remark>,
}

/// Reads a line without its comment; a line for several units gives several orders.
pub(super) fn read(rules: &Dog, view: &View, text: &str) -> Result<LineOrders, Remark> {
    let line = Line { rules, view, parts: false };
    let is_before = matches!(view.wait, Wait::Founding | Wait::SetUp);
    let Some(read) = GRAMMAR.read(&line, text, |verb| verb.is_record() == is_before)? else {
        return Ok(LineOrders::default());
    };
    let who = || line.units(&read);
    let each = |order: &dyn Fn(UnitId) -> Order| who().into_iter().map(order).collect();
    let unit = || read.the("who").unit();
    let target = || read.noun("target").map(Noun::unit);
    let orders = match read.verb {
        Verb::Unit => vec![Order::Record(record::of(&read)?)],
        Verb::Hire => record::hired(&line, &read)?,
        Verb::Move => line.march(&read, false)?,
        Verb::Flee => line.march(&read, true)?,
        Verb::Hide => each(&|unit| Order::Hide { unit }),
        Verb::Board => vec![Order::Board { unit: unit(), boat: read.noun("boat").map(Noun::hex) }],
        Verb::Land => vec![Order::Land { unit: unit(), to: read.the("to").hex() }],
        Verb::Dismount => vec![Order::Dismount { unit: unit(), to: read.noun("to").map(Noun::hex) }],
        Verb::Attack => each(&|unit| Order::Strike { unit, arm: Arm::Melee, target: target() }),
        Verb::Shoot => each(&|unit| Order::Strike { unit, arm: Arm::Volley, target: target() }),
        Verb::Defend => each(&|unit| Order::Defend { unit }),
        Verb::If => {
            let keep = read.has("keep");
            // All of them is the army, with whoever comes later.
            match read.is_all("who") || !read.has("who") {
                true => {
                    return Ok(LineOrders {
                        orders: vec![Order::IfAttacked { unit: None, keep }],
                        ..LineOrders::default()
                    });
                }
                false => each(&|unit| Order::IfAttacked { unit: Some(unit), keep }),
            }
        }
        Verb::Surrender => vec![Order::Surrender { unit: unit(), to: read.the("to").unit() }],
    };
    Ok(LineOrders { orders, all: read.is_all("who"), doubt: line.own_target(&read, text) })
}

impl Line<'_> {
    /// The units that a line is for.
    fn units(&self, read: &Read) -> Vec<UnitId> {
        if read.is_all("who") {
            return self.view.free().map(|(id, _)| id).collect();
        }
        read.nouns("who").map(Noun::unit).collect()
    }

    /// The warning where an own unit stands in the place of a target: `ATTACK 2 R3` is read as an order for both. A list of bare numbers, or one with
    /// commas, gives none.
    fn own_target(&self, read: &Read, text: &str) -> Option<Remark> {
        if !matches!(read.verb, Verb::Attack | Verb::Shoot) || read.has("target") {
            return None;
        }
        let units: Vec<_> = read
            .parts
            .iter()
            .filter_map(|part| match &part.said {
                Said::Noun(noun) if part.name == "who" => Some((noun.unit(), part.span)),
                _ => None,
            })
            .collect();
        let [others @ .., (_, (before, length)), (last, span)] = units.as_slice() else { return None };
        let letters: Vec<char> = text.chars().collect();
        let written = |from: usize, to: usize| letters.get(from..to).unwrap_or_default().iter().collect();
        let (between, named): (String, String) =
            (written(before + length, span.0), written(span.0, span.0 + span.1));
        if !between.trim().is_empty() || named.trim().parse::<u16>().is_ok() {
            return None;
        }
        let (what, verb) = match read.verb {
            Verb::Shoot => ("shoot", "SHOOT"),
            _ => ("attack", "ATTACK"),
        };
        let first = units.first()?.0.in_orders();
        let all = if others.is_empty() { "both" } else { "all of them" };
        let says = format!("{last} is your own unit and no target, so this orders {all} to {what}.");
        let foe = self.foes().next().map(|(id, _)| format!("{verb} {first} {id}"));
        let target = foe.map_or_else(String::new, |foe| format!("a target is named like this: {foe}; "));
        let hint = format!("{target}with commas between the units the line is read so without this warning");
        Some(Remark::warning(0, says).at(span.0, span.1).hint(hint))
    }

    /// `MOVE 3 TO 0405`, `MOVE 3 0304 0305 LEAVE 6`, `MOVE 3 NE E E`.
    fn march(&self, read: &Read, flee: bool) -> Result<Vec<Order>, Remark> {
        let unit = read.the("who").unit();
        let Some(from) = self.view.own.get(&unit).map(|own| own.at) else { return Ok(Vec::new()) };
        let missing = |text: &str| Remark::error(0, text).at(read.end.0, read.end.1);
        let mut hexes: Vec<Hex> = Vec::new();
        for part in &read.parts {
            let here = hexes.last().copied().unwrap_or(from);
            match &part.said {
                Said::Noun(Noun::Direction(direction)) => {
                    let next = here.step(*direction).filter(|hex| self.rules.battle().field.has(*hex));
                    let ends = || format!("{} of {here} the field ends.", direction.abbreviation());
                    let (start, length) = part.span;
                    hexes.push(next.ok_or_else(|| Remark::error(0, ends()).at(start, length))?);
                }
                Said::Noun(Noun::Hex(hex)) => hexes.push(*hex),
                _ => {}
            }
        }
        let way = match hexes.as_slice() {
            [] => {
                let hex = example_hex(self.rules, self.view);
                return Err(missing(&format!("Where to? Write a hex, such as TO {hex}.")));
            }
            [one] if read.has("to") || from.direction_to(*one).is_none() => Way::To(*one),
            _ => {
                let steps = std::iter::once(&from).chain(&hexes).zip(&hexes);
                for (here, hex) in steps {
                    if here.direction_to(*hex).is_none() {
                        let text = format!("{hex} is not next to {here}: a way goes from hex to hex.");
                        return Err(missing(&text).hint(format!("MOVE {unit} TO {hex} finds the way itself")));
                    }
                }
                Way::By(hexes)
            }
        };
        // The last number counts.
        let leave = read.nouns("leave").last().map(Noun::count);
        Ok(vec![Order::March(March { unit, way, leave, flee: flee || read.has("flee") })])
    }
}

/// An order as its line is written. It is read back as the same order.
pub fn written(rules: &Dog, order: &Order) -> String {
    let unit = |name, id: UnitId| Part::noun(name, Noun::Unit(id));
    let hex = |name, hex: Hex| Part::noun(name, Noun::Hex(hex));
    let who = |id: UnitId| unit("who", id);
    let with = |id: UnitId, more: Option<Part<Noun>>| std::iter::once(who(id)).chain(more).collect();
    let (verb, parts): (Verb, Vec<Part<Noun>>) = match order {
        Order::Record(record) => (Verb::Unit, record::parts(rules, record)),
        Order::March(march) => {
            let mut parts = vec![who(march.unit)];
            match &march.way {
                Way::To(to) => parts.extend([Part::word("to"), hex("hex", *to)]),
                Way::By(hexes) => parts.extend(hexes.iter().map(|by| hex("hex", *by))),
            }
            parts.extend(march.leave.map(|leave| Part::noun("leave", Noun::Count(leave))));
            (if march.flee { Verb::Flee } else { Verb::Move }, parts)
        }
        Order::Hide { unit } => (Verb::Hide, vec![who(*unit)]),
        Order::Board { unit, boat } => (Verb::Board, with(*unit, boat.map(|boat| hex("boat", boat)))),
        Order::Land { unit, to } => (Verb::Land, vec![who(*unit), hex("to", *to)]),
        Order::Dismount { unit, to } => (Verb::Dismount, with(*unit, to.map(|to| hex("to", to)))),
        Order::Strike { unit: id, arm, target } => {
            let verb = if *arm == Arm::Melee { Verb::Attack } else { Verb::Shoot };
            (verb, with(*id, target.map(|foe| unit("target", foe))))
        }
        Order::Defend { unit } => (Verb::Defend, vec![who(*unit)]),
        Order::IfAttacked { unit, keep } => {
            let word = Part::word(if *keep { "keep" } else { "defend" });
            (Verb::If, std::iter::once(word).chain(unit.map(who)).collect())
        }
        Order::Surrender { unit: id, to } => (Verb::Surrender, vec![who(*id), unit("to", *to)]),
    };
    GRAMMAR.write(verb, &parts, |noun, line| write(rules, noun, line))
}

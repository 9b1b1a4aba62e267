//! The orders: two forms, and the nouns that they name.

use musterd_engine::hex::Hex;
use musterd_engine::orders::{Likeness, OrderUse, Placed, Reading, Recap, Remark, Understood};
use musterd_engine::tokens::{Cursor, Token};
use musterd_kit::grammar::{Manner, Part};
use musterd_kit::lexicon::{Lexicon, Vocabulary, at, first_few, missing};
use musterd_kit::{kinds, language, nouns};

use crate::battle::{Event, State, UnitId};
use crate::report::View;
use crate::{Ford, Order};

kinds! {
    enum Kind {
        "own": Own,
        "foe": Foe,
        "hex": Hex,
        "strength": Strength,
    }
}

nouns! {
    enum Noun {
        unit: Unit(UnitId),
        hex: Hex(Hex),
        strength: Strength(u8),
    }
}

language! {
    /// The order language.
    static GRAMMAR of Verb, Kind = Manner::of("order");

    Move ["MOVE", "MARCH", "GO"]: "{who:own} TO|->|INTO? {to:hex}" => {
        "MOVE R1 TO 0504" => "goes there by the cheapest way, as far as its points last";
    }

    Attack ["ATTACK", "STRIKE"]: "{who:own} [ {foe:foe} ]" => {
        "ATTACK R1 B2", "ATTACK R1" =>
            "strikes at an enemy next to it after all marches: at this one, or at any";
    }
}

language! {
    /// The language of the GM's changes.
    static CHANGES of Change, Kind = Manner::of("change");

    Strength ["STRENGTH"]: "{who:own} {left:strength}" => {
        "STRENGTH R1 3" => "sets the strength of a unit: up to 9, and 0 takes it away";
    }
}

/// The nouns as one side knows them; or the GM, to whom all units are his own.
struct Known<'r> {
    rules: &'r Ford,
    own: Vec<UnitId>,
    foes: Vec<UnitId>,
}

impl<'r> Known<'r> {
    fn of(rules: &'r Ford, view: &View) -> Self {
        let (own, foes) = view.places.keys().partition(|id| id.0 == view.side);
        Self { rules, own, foes }
    }
}

impl Lexicon for Known<'_> {
    type Kind = Kind;
    type Noun = Noun;

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
        let what = match kind {
            Kind::Own => "Which unit? Write its letter and number.",
            Kind::Foe => "Which enemy? Write its letter and number.",
            Kind::Hex => "Where? Write a hex, such as 0504.",
            Kind::Strength => "How strong? Write a number up to 9.",
        };
        let token = cursor.take().ok_or_else(|| missing(cursor, what))?;
        match kind {
            Kind::Own => self.unit(token, &self.own, "is none of your units"),
            Kind::Foe => self.unit(token, &self.foes, "is no enemy in sight"),
            Kind::Strength => {
                let strength = token.text.parse().ok().filter(|left| *left <= 9);
                strength.map(Noun::Strength).ok_or_else(|| at(token, what))
            }
            Kind::Hex => {
                let hex = token.text.parse().ok().filter(|hex| self.rules.sign(*hex).is_some());
                hex.map(Noun::Hex).ok_or_else(|| {
                    at(token, format!("`{}` is no hex of this field.", token.text))
                        .hint(format!("the field ends at {}", self.rules.last()))
                })
            }
        }
    }
}

impl Known<'_> {
    fn unit(&self, token: Token<'_>, of: &[UnitId], is_none: &str) -> Result<Noun, Remark> {
        let names = |id: &UnitId| [id.to_string(), self.rules.scenario.units[id].name.value.clone()];
        let named = |id: &&UnitId| names(id).iter().any(|name| name.eq_ignore_ascii_case(token.text));
        of.iter().find(named).map(|id| Noun::Unit(*id)).ok_or_else(|| {
            let there: Vec<String> = of.iter().map(ToString::to_string).collect();
            let hint = if there.is_empty() {
                "there is none".to_owned()
            } else {
                format!("there are {}", first_few(&there))
            };
            at(token, format!("`{}` {is_none}.", token.text)).hint(hint)
        })
    }
}

impl Vocabulary for Ford {
    fn is_name(&self, token: &Token<'_>) -> bool {
        UnitId::try_from(token.text.to_uppercase()).is_ok() || token.text.parse::<Hex>().is_ok()
    }

    fn is_noun(&self, token: &Token<'_>) -> bool {
        self.scenario.units.values().any(|unit| unit.name.value.eq_ignore_ascii_case(token.text))
    }
}

/// What can be ordered.
pub(crate) fn uses() -> Vec<OrderUse> {
    GRAMMAR.uses(|_| true)
}

/// What a GM can change.
pub(crate) fn changes() -> Vec<OrderUse> {
    CHANGES.uses(|_| true)
}

/// The event of a GM's change.
pub(crate) fn change(rules: &Ford, state: &State, text: &str) -> Result<Event, Remark> {
    let known = Known { rules, own: state.places.keys().copied().collect(), foes: Vec::new() };
    let said =
        CHANGES.read(&known, text, |_| true)?.ok_or_else(|| Remark::error(1, "No change is named."))?;
    match said.verb {
        Change::Strength => {
            Ok(Event::Amended { unit: said.the("who").unit(), strength: said.the("left").strength() })
        }
    }
}

/// What a lone line of a mail looks like.
pub(crate) fn likeness(rules: &Ford, line: &str) -> Likeness {
    GRAMMAR.likeness(rules, line)
}

/// The line of an order, as it is read.
pub(crate) fn written(order: &Order) -> String {
    let (verb, parts) = match order {
        Order::Move { unit, to } => {
            (Verb::Move, vec![Part::noun("who", Noun::Unit(*unit)), Part::noun("to", Noun::Hex(*to))])
        }
        Order::Attack { unit, target } => {
            let target = target.iter().map(|target| Part::noun("foe", Noun::Unit(*target)));
            (Verb::Attack, [Part::noun("who", Noun::Unit(*unit))].into_iter().chain(target).collect())
        }
    };
    GRAMMAR.write(verb, &parts, |noun, line| {
        line.push_str(&match noun {
            Noun::Unit(id) => id.to_string(),
            Noun::Hex(hex) => hex.to_string(),
            Noun::Strength(left) => left.to_string(),
        });
    })
}

/// Reads a set of orders: one march and one strike for each unit.
pub(crate) fn read(rules: &Ford, view: &View, text: &str) -> Reading<Order> {
    let known = Known::of(rules, view);
    musterd_kit::set::read(text, |line, before: &[Placed<Order>]| {
        let Some(said) = GRAMMAR.read(&known, line, |_| true)? else { return Ok(None) };
        let unit = said.the("who").unit();
        let order = match said.verb {
            Verb::Move => Order::Move { unit, to: said.the("to").hex() },
            Verb::Attack => Order::Attack { unit, target: said.noun("foe").map(Noun::unit) },
        };
        let is_alike = |other: &Order| {
            other.unit() == unit && std::mem::discriminant(other) == std::mem::discriminant(&order)
        };
        match before.iter().find(|other| is_alike(&other.order)) {
            Some(first) => {
                let text = format!("{unit} has such an order in line {} already.", first.line);
                Err(Remark::error(0, text))
            }
            None => Ok(Some(order)),
        }
    })
}

/// The orders as understood, and what will come of them as far as the side knows.
pub(crate) fn recap(rules: &Ford, view: &View, reading: &Reading<Order>) -> Recap {
    let effect = |order: &Order| match order {
        Order::Move { unit, to } => match rules.march(&view.places, *unit, *to) {
            Ok(way) => {
                let way: Vec<String> = way.iter().map(ToString::to_string).collect();
                format!("this round by {}", way.join(", "))
            }
            Err(why) => format!("as things stand: {why}"),
        },
        Order::Attack { unit, target } => match rules.target(&view.places, *unit, *target) {
            Ok(target) => {
                let bonus = rules.bonus(&view.places, *unit, target);
                format!("as they stand: {target}, die {bonus:+}; 4 costs it one, 6 two")
            }
            Err(why) => format!("as things stand: {why}"),
        },
    };
    let understood = |placed: &Placed<Order>| Understood {
        line: placed.line,
        order: written(&placed.order),
        effect: effect(&placed.order),
    };
    let idle = view.own().filter(|id| !reading.orders.iter().any(|placed| placed.order.unit() == *id));
    let idle: Vec<String> = idle.map(|id| id.to_string()).collect();
    let defaults = if idle.is_empty() { Vec::new() } else { vec![format!("{} stand", idle.join(", "))] };
    Recap { orders: reading.orders.iter().map(understood).collect(), defaults, ahead: Vec::new() }
}

/// The orders of a computer player: strike whoever is near, else go for the ford. The cautious one lets the enemy come.
pub(crate) fn play(rules: &Ford, view: &View, waits: bool) -> String {
    let mut lines = Vec::new();
    for id in view.own() {
        let at = view.places[&id];
        let foes = view.places.iter().filter(|(foe, _)| foe.0 != id.0).map(|(_, at)| *at);
        let near = foes.min_by_key(|hex| hex.distance(at));
        let goal = match waits {
            true => near.filter(|hex| hex.distance(at) < 4),
            false => Some(rules.scenario.goal.value).filter(|goal| *goal != at),
        };
        if let Some(to) = goal.filter(|to| rules.march(&view.places, id, *to).is_ok()) {
            lines.push(written(&Order::Move { unit: id, to }));
        }
        lines.push(written(&Order::Attack { unit: id, target: None }));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

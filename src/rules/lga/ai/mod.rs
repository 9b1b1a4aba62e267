//! Computer players: orders as text, made from a view as any player's are.
//!
//! Every order is tried on the [`Plan`] first, as a careful player would ask for a receipt, and used only if it can be carried out. So the text can
//! be read without an error, and later orders build on earlier ones.

mod assault;
mod defence;
mod march;
mod muster;
mod planner;
mod skill;
mod survey;

use super::data::Lga;
use super::known::Known;
use super::model::{Side, UnitId};
use super::order::{Act, Guard, HexIs, Limit, Order, Path};
use super::plan::Plan;
use super::view::View;
use musterd_engine::hex::Hex;
pub use skill::{LEVELS, Skill};
use survey::Survey;

/// A computer player's order lines. The same view, skill and seed give the same lines; `seed` only breaks ties.
#[must_use]
pub fn play(rules: &Lga, view: &View, skill: Skill, seed: u64) -> String {
    let known = Known::new(rules, view);
    let mut player = Player {
        survey: Survey::new(rules, view, &known),
        rules,
        view,
        known: &known,
        plan: Plan::new(rules, view, &known).strict(),
        skill,
        seed,
        lines: Vec::new(),
        used: Vec::new(),
    };
    if view.phasing == Some(view.side) {
        player.muster();
        if skill == Skill::Planner {
            player.campaign();
        } else {
            player.hold_cities();
            player.assault();
            player.take_cities();
            player.rest();
            player.gather();
        }
    }
    if view.phasing.is_some() {
        player.stand();
    }
    player.lines.join("\n")
}

/// One turn of a computer player.
struct Player<'a> {
    rules: &'a Lga,
    view: &'a View,
    known: &'a Known<'a>,
    survey: Survey<'a>,
    plan: Plan<'a>,
    skill: Skill,
    seed: u64,
    lines: Vec<String>,
    /// Units that have their orders.
    used: Vec<UnitId>,
}

impl Player<'_> {
    /// Gives an order if it can be carried out. Returns whether it can.
    fn order(&mut self, act: Act) -> bool {
        self.order_if(None, act)
    }

    /// Gives an order under a condition, if it can be carried out.
    fn order_if(&mut self, guard: Option<Guard>, act: Act) -> bool {
        let order = Order { guard, act };
        let line = self.lines.len() + 1;
        let possible = self.plan.carry_out(line, &order).is_ok();
        if possible {
            self.lines.push(written(&order));
        }
        possible
    }

    /// Sends a unit to a hex, unless it is there already.
    fn send(&mut self, unit: UnitId, to: Hex) -> bool {
        let there = self.plan.piece(unit).is_some_and(|piece| piece.hex == to);
        there || self.order(Act::Move { unit, path: Path::To(to) })
    }

    /// The own units without orders that this player commands, by number.
    fn idle(&self) -> Vec<UnitId> {
        self.plan
            .pieces()
            .filter(|p| self.view.nations.contains(&p.nation) && p.left > 0 && !self.used.contains(&p.id))
            .map(|p| p.id)
            .collect()
    }

    /// A number that decides between equal hexes, the same for the same seed.
    const fn lot(&self, hex: Hex) -> u64 {
        let mixed =
            (self.seed ^ ((hex.col as u64) << 8 | hex.row as u64)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
    }

    const fn bold(&self) -> bool {
        matches!(self.skill, Skill::Planner)
    }

    const fn side(&self) -> Side {
        self.view.side
    }
}

/// An order in the words of docs/lga/orders.md.
fn written(order: &Order) -> String {
    let guard = match order.guard {
        None => String::new(),
        Some(Guard { hex, is: HexIs::Empty }) => format!("IF {hex} EMPTY "),
        Some(Guard { hex, is: HexIs::Held }) => format!("IF {hex} HELD "),
        Some(Guard { hex, is: HexIs::Controlled }) => format!("IF {hex} CONTROLLED "),
    };
    let act = match &order.act {
        Act::Aid { to, points } => format!("AID {to} {points}"),
        Act::Build { unit, at: Some(at) } => format!("BUILD {unit} AT {at}"),
        Act::Build { unit, at: None } => format!("BUILD {unit}"),
        Act::Rally { unit } => format!("RALLY {unit}"),
        Act::Move { unit, path: Path::To(goal) } => format!("MOVE {unit} TO {goal}"),
        Act::Move { unit, path: Path::Hexes(hexes) } => {
            format!("MOVE {unit} {}", hexes.iter().map(Hex::to_string).collect::<Vec<_>>().join(" "))
        }
        Act::Move { unit, path: Path::Directions(directions) } => {
            format!(
                "MOVE {unit} {}",
                directions.iter().map(|d| d.abbreviation()).collect::<Vec<_>>().join(" ")
            )
        }
        Act::Attack { unit, at, limit, enter } => {
            format!("ATTACK {at} WITH {unit}{}{}", limited(limit), if *enter { " THEN ENTER" } else { "" })
        }
        Act::Garrison { unit, .. } => format!("GARRISON {unit}"),
        Act::End { unit } => format!("END {unit}"),
        Act::Top { unit, .. } => format!("TOP {unit}"),
        Act::Standing { .. } => "STANDING".to_owned(),
    };
    guard + &act
}

fn limited(limit: &Limit) -> String {
    let mut text = match limit.rounds {
        1 => String::new(),
        rounds => format!(" x{rounds}"),
    };
    if let Some(morale) = limit.while_morale {
        text.push_str(&format!(" WHILE MORALE >= {morale}"));
    }
    if let Some(odds) = limit.while_odds {
        text.push_str(&format!(" WHILE ODDS >= {odds}"));
    }
    text
}

//! Computer players: orders as text, made from a view as any player's are.
//!
//! Every order is tried on the [`Plan`] first, as a careful player would ask for a receipt, and used only if it can be carried out. So the text can
//! be read without an error, and later orders build on earlier ones.

mod assault;
mod defence;
mod march;
mod muster;
mod planner;
mod reached;
mod skill;
mod survey;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::data::Lga;
use super::known::Known;
use super::model::UnitId;
use super::order::{Act, Guard, Order, Path};
use super::plan::Plan;
use super::read::written;
use super::supply::Supply;
use super::view::View;
use musterd_engine::hex::Hex;
use musterd_kit::search::mixed;
use reached::Reach;
pub use skill::{LEVELS, Skill};

/// A computer player's order lines. The same view, skill and seed give the same lines; `seed` only breaks ties.
pub fn play(rules: &Lga, view: &View, skill: Skill, seed: u64) -> String {
    let known = Known::new(rules, view);
    let mut player = Player {
        rules,
        view,
        known: &known,
        plan: Plan::new(rules, view, &known).strict(),
        skill,
        seed,
        lines: Vec::new(),
        used: Vec::new(),
        reaches: RefCell::default(),
        supply: OnceCell::new(),
    };
    if view.phasing == Some(view.side) {
        player.muster();
        if skill == Skill::Planner {
            player.campaign();
        } else {
            player.hold_cities();
            player.assault();
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
    plan: Plan<'a>,
    skill: Skill,
    seed: u64,
    lines: Vec<String>,
    /// Units that have their orders.
    used: Vec<UnitId>,
    /// Where units get to that stand here with so many moves left, as far as it was asked.
    reaches: RefCell<BTreeMap<(UnitId, Hex, u8), Rc<Reach>>>,
    /// The lines of supply over what the side holds.
    supply: OnceCell<Supply>,
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
            .filter(|p| self.view.commands(p.nation) && p.left > 0 && !self.used.contains(&p.id))
            .map(|p| p.id)
            .collect()
    }

    /// A number that decides between equal hexes, the same for the same seed.
    const fn lot(&self, hex: Hex) -> u64 {
        mixed(self.seed ^ ((hex.col as u64) << 8 | hex.row as u64))
    }
}

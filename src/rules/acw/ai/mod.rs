//! Computer commanders: orders by the grammar of every player, from what a commander sees.

mod cautious;
mod fights;
mod look;
mod plan;
mod seasoned;
mod staff;

use musterd_engine::Level;

use crate::data::Acw;
use crate::model::{HqId, UnitId};
use crate::order::{Command, Order};
use crate::read::written;
use crate::view::View;
use look::Look;

/// How well a computer commander plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// He holds what he has, and attacks where he is stronger.
    Cautious,
    /// He concentrates, and judges each fight.
    Seasoned,
}

/// The levels, the weakest first.
pub(crate) const LEVELS: &[Level<Skill>] = &[
    Level::of("cautious", "holds what he has, and attacks where he is stronger", Skill::Cautious),
    Level::of("seasoned", "concentrates, and judges each fight", Skill::Seasoned),
];

/// A computer commander's order lines. The same view gives the same orders: nothing is left to the seed.
pub(crate) fn play(rules: &Acw, view: &View, skill: Skill, _seed: u64) -> String {
    let Some(mut look) = Look::of(rules, view) else { return String::new() };
    let mut orders = match skill {
        Skill::Cautious => cautious::orders(&mut look),
        Skill::Seasoned => seasoned::orders(&mut look),
    };
    let called_off = called_off(&look, &orders);
    orders.extend(called_off);
    orders.iter().map(|order| written(rules.battle(), order) + "\n").collect()
}

/// Ends the commands that his limited objectives forbid, unless one of his orders changes them: a player before him may have given them (ACW-95).
fn called_off(look: &Look<'_>, orders: &[Order]) -> Vec<Order> {
    let is_told =
        |id: HqId| orders.iter().any(|order| matches!(order, Order::Command(told, _) if *told == id));
    let now = |id: HqId| look.view.hq(id).pending.unwrap_or(look.view.hq(id).command);
    let is_forbidden = |id: HqId| look.is_forbidden(UnitId::Hq(id), now(id));
    let commanded = |id: &HqId| look.view.can_command(*id) && !id.is_army() && !is_told(*id);
    let mut called_off = Vec::new();
    for (id, _) in look.view.own_hqs().filter(|(id, _)| commanded(id) && is_forbidden(*id)) {
        called_off.push(Order::Command(id, Command::Reserve));
        // A corps hands its command down; who does what he may goes on with it.
        let below =
            look.battle.hqs_under(id).map(|spec| spec.id).filter(|id| commanded(id) && !is_forbidden(*id));
        called_off.extend(below.map(|id| Order::Command(id, now(id))));
    }
    called_off
}

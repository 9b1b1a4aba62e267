//! What a brigade's order comes to.

use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;
use musterd_text::nouns::counted;

use super::{Teller, fight};
use crate::going::{self, Allowance};
use crate::law;
use crate::model::{Arm, BrigadeId, Formation, Light};
use crate::numbers::Mover;
use crate::order::Act;
use crate::words;

impl Teller<'_> {
    /// What an order comes to for one brigade; `None` if there is nothing to add.
    pub(super) fn comes_to(&self, id: BrigadeId, act: Act) -> Option<String> {
        let brigade = self.view.brigade(id);
        match act {
            Act::Assault | Act::Skirmish | Act::Advance | Act::Withdraw => {
                fight::of(self.rules, self.view, id, act)
            }
            Act::March(_) | Act::Regroup => {
                let (at, to) = (brigade.at?, self.destination(id, act)?);
                Some(self.way(id, at, to))
            }
            Act::Deploy(way) => {
                let map = &self.rules.battle().map;
                let to = brigade.at?.step(way)?;
                let ground = self.rules.numbers().ground_name(map.ground(to));
                let crosses = map.between(brigade.at?, to).is_barrier();
                let over = if crosses { ", over a crossing" } else { "" };
                let how = (Mover::from(self.rules.battle().brigade(id).arm), Formation::Line);
                let (_, cost) = going::step(self.rules, how, brigade.at?, way)?;
                let points =
                    going::allowance_in(self.rules, self.view.turn, (id, brigade), Formation::Line).points;
                let enough = if cost > points { ": it hasn't so many" } else { "" };
                let place = words::place(self.rules.battle(), to);
                Some(format!("to {place} ({ground}){over}, for {cost} of {points} movement points{enough}"))
            }
            Act::Reserve => Some(self.recovery(id)),
            Act::Stand => self.digging(id),
        }
    }

    /// How far a march is, and how far the brigade gets this turn.
    fn way(&self, id: BrigadeId, at: Hex, to: Hex) -> String {
        let (battle, view) = (self.rules.battle(), self.view);
        let place = words::place(battle, to);
        if at == to {
            return format!("it is in {place}");
        }
        let mover = Mover::from(battle.brigade(id).arm);
        let allowance = going::allowance_in(self.rules, view.turn, (id, view.brigade(id)), Formation::Column);
        self.march_to((mover, allowance), at, to)
    }

    /// How far it is by the cheapest way in column, and where a unit is at the end of the turn if nobody is in its way.
    pub(super) fn march_to(&self, (mover, allowance): (Mover, Allowance), at: Hex, to: Hex) -> String {
        let (rules, battle) = (self.rules, self.rules.battle());
        let place = words::place(battle, to);
        let how = (mover, Formation::Column);
        // A headquarters does not enter the enemy's ground (ACW-43).
        let open = |hex: Hex| {
            mover != Mover::Headquarters || Some(self.view.controller(rules, hex)) == self.view.side
        };
        let steps = |here, spent: u16| {
            let next = going::steps(rules, how, here).filter(move |(next, _)| open(*next));
            next.map(move |(next, cost)| (next, spent + cost))
        };
        let Some(way) = Ways::cheapest(battle.map.last(), (at, 0), |hex| hex == to, steps) else {
            return format!("there is no way to {place}");
        };
        let far = counted(u32::try_from(way.len()).unwrap_or(u32::MAX), "hex", "hexes");
        if battle.hour(self.view.turn).still {
            return format!("{far} to {place}; nobody moves in this turn");
        }
        let (mut here, mut spent, mut gone) = (at, 0, 0);
        let foes: Vec<Hex> = self.view.foes_seen().map(|foe| foe.at).collect();
        let mut stopped = false;
        for next in &way {
            let Some((_, cost)) = going::steps(rules, how, here).find(|(hex, _)| hex == next) else { break };
            stopped = foes.iter().any(|foe| foe.distance(here) <= 1) && here != at;
            if stopped || spent + cost > allowance.points || gone == allowance.hexes {
                break;
            }
            (here, spent, gone) = (*next, spent + cost, gone + 1);
        }
        let points = format!("{spent} of {} movement points", allowance.points);
        match here {
            here if here == to => format!("{far}: it gets to {place}, for {points}"),
            here if here == at => format!(
                "{far} to {place}: the next hex costs more than its {} movement points",
                allowance.points
            ),
            here if stopped => format!("{far} to {place}: it stops in {here}, next to an enemy"),
            here => {
                format!("{far} to {place}: it gets as far as {}, for {points}", words::place(battle, here))
            }
        }
    }

    /// The chance to recover in reserve (ACW-19).
    fn recovery(&self, id: BrigadeId) -> String {
        let (brigade, hour) = (self.view.brigade(id), self.rules.battle().hour(self.view.turn));
        let night = hour.light == Light::Night;
        let chance = (brigade.leadership + if night { 3 } else { 1 }).clamp(0, 10);
        format!("recovers 1 cohesion in {chance} of 10 cases if no enemy comes near; else it is surprised")
    }

    /// Whether it may dig while it stands (ACW-21, ACW-41).
    fn digging(&self, id: BrigadeId) -> Option<String> {
        let (battle, brigade) = (self.rules.battle(), self.view.brigade(id));
        let digs =
            battle.army(id.side).entrench && battle.brigade(id).arm == Arm::Infantry && !brigade.shattered;
        (digs && law::works(battle, brigade) < 3).then(|| {
            let next = brigade.works + 1;
            format!("if it neither moves nor fires it digs works of {next} in 1 of 2 cases")
        })
    }
}

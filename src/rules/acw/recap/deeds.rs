//! What a brigade's order comes to.

use musterd_engine::hex::Hex;
use musterd_text::nouns::counted;

use super::{Teller, fight};
use crate::law;
use crate::model::{Arm, BrigadeId, Light};
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
                Some(format!("to {} ({ground}){over}", words::place(self.rules.battle(), to)))
            }
            Act::Reserve => Some(self.recovery(id)),
            Act::Stand => self.digging(id),
        }
    }

    /// How far a march is, and how far the brigade gets.
    fn way(&self, id: BrigadeId, at: Hex, to: Hex) -> String {
        let battle = self.rules.battle();
        let mover: Mover = battle.brigade(id).arm.into();
        let most = self.rules.numbers().allowances[&mover].column;
        let place = words::place(battle, to);
        match at.distance(to) {
            0 => format!("it is in {place}"),
            distance if distance <= u32::from(most) => {
                format!("{} to {place}", counted(distance, "hex", "hexes"))
            }
            distance => format!(
                "{} to {place}, of at most {most} a turn: it doesn't get there in this one",
                counted(distance, "hex", "hexes")
            ),
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

//! What a brigade's order comes to.

use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;
use musterd_text::nouns::counted;

use super::{End, Teller, fight};
use crate::commanders;
use crate::data::Acw;
use crate::going::{self, Allowance};
use crate::law;
use crate::model::{Arm, BrigadeId, Formation, Light};
use crate::numbers::Mover;
use crate::order::Act;
use crate::view::View;
use crate::words;

impl Teller<'_> {
    /// What an order comes to for one brigade; `None` if there is nothing to add.
    pub(super) fn comes_to(&self, id: BrigadeId, act: Act) -> Option<String> {
        let brigade = self.view.brigade(id);
        match act {
            Act::Assault | Act::Skirmish | Act::Advance | Act::Withdraw => {
                fight::of(self.rules, self.view, id, act)
            }
            Act::March(_) => {
                let (at, to) = (brigade.at?, self.destination(id, act)?);
                let over = self.view.hq(self.rules.battle().brigade(id).over);
                let guns = commanders::follows_guns(over, act);
                Some(if guns { self.to_the_guns(to) } else { self.way(id, at, (to, End::There)) })
            }
            Act::Regroup => {
                let (at, to) = (brigade.at?, self.destination(id, act)?);
                Some(self.way(id, at, (to, End::Beside)))
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

    /// Where a march goes whose headquarters marches to the sound of the guns (ACW-39): where they are isn't told.
    fn to_the_guns(&self, to: Hex) -> String {
        format!(
            "to the sound of the guns: toward the nearest enemy that its headquarters sees or hears within five hexes; once there is none, to {}",
            words::place(self.rules.battle(), to)
        )
    }

    /// How far a march is, and how far the brigade gets this turn.
    fn way(&self, id: BrigadeId, at: Hex, (to, end): (Hex, End)) -> String {
        let (battle, view) = (self.rules.battle(), self.view);
        let place = words::place(battle, to);
        if at == to {
            return format!("it is in {place}");
        }
        if end == End::Beside && at.distance(to) == 1 {
            return format!("it is next to its headquarters in {place}");
        }
        let mover = Mover::from(battle.brigade(id).arm);
        let allowance = going::allowance_in(self.rules, view.turn, (id, view.brigade(id)), Formation::Column);
        self.march_to((mover, allowance), at, (to, end))
    }

    /// How far it is by the cheapest way in column, and where a unit is at the end of the turn if nobody is in its way.
    pub(super) fn march_to(
        &self,
        (mover, allowance): (Mover, Allowance),
        at: Hex,
        (to, end): (Hex, End),
    ) -> String {
        let (rules, battle) = (self.rules, self.rules.battle());
        let place = words::place(battle, to);
        let Some(mut way) = way(rules, self.view, mover, at, to) else {
            return format!("there is no way to {place}");
        };
        if end == End::Beside {
            // It comes next to it by the last hex but one, or before.
            let near = way.iter().position(|hex| hex.distance(to) <= 1);
            way.truncate(near.map_or(way.len(), |place| place + 1));
        }
        let last = way.last().copied().unwrap_or(at);
        let far = counted(u32::try_from(way.len()).unwrap_or(u32::MAX), "hex", "hexes");
        if battle.hour(self.view.turn).still {
            return format!("{far} to {place}; nobody moves in this turn");
        }
        let leg = leg(rules, self.view, (mover, allowance), at, &way);
        let points = format!("{} of {} movement points", leg.spent, allowance.points);
        match leg.at {
            here if here == last && here != to => {
                format!("{far} to {place}: it gets to {here}, next to its headquarters, for {points}")
            }
            here if here == to => format!("{far}: it gets to {place}, for {points}"),
            here if here == at => format!(
                "{far} to {place}: the next hex costs more than its {} movement points",
                allowance.points
            ),
            here if leg.stopped => format!("{far} to {place}: it stops in {here}, next to an enemy"),
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

/// The cheapest way in column to a hex, without the hex where it starts; `None` if there is none.
pub(crate) fn way(rules: &Acw, view: &View, mover: Mover, at: Hex, to: Hex) -> Option<Vec<Hex>> {
    // A headquarters does not enter the enemy's ground (ACW-43).
    let open = |hex: Hex| mover != Mover::Headquarters || Some(view.controller(rules, hex)) == view.side;
    let steps = |here, spent: u16| {
        let next = going::steps(rules, (mover, Formation::Column), here).filter(move |(next, _)| open(*next));
        next.map(move |(next, cost)| (next, spent + cost))
    };
    Ways::cheapest(rules.battle().map.last(), (at, 0), |hex| hex == to, steps)
}

/// What a unit goes of a way in one turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leg {
    /// Where it is then.
    pub(crate) at: Hex,
    /// Movement points spent.
    pub(crate) spent: u16,
    /// Hexes gone.
    pub(crate) hexes: u16,
    /// Whether an enemy in sight stops it.
    pub(crate) stopped: bool,
}

/// What a unit goes of a way in one turn if nobody is in it.
pub(crate) fn leg(
    rules: &Acw,
    view: &View,
    (mover, allowance): (Mover, Allowance),
    at: Hex,
    way: &[Hex],
) -> Leg {
    let mut leg = Leg { at, spent: 0, hexes: 0, stopped: false };
    let foes: Vec<Hex> = view.foes_seen().map(|foe| foe.at).collect();
    for next in way {
        let mut steps = going::steps(rules, (mover, Formation::Column), leg.at);
        let Some((_, cost)) = steps.find(|(hex, _)| hex == next) else { break };
        leg.stopped = foes.iter().any(|foe| foe.distance(leg.at) <= 1) && leg.at != at;
        if leg.stopped || leg.spent + cost > allowance.points || leg.hexes == allowance.hexes {
            break;
        }
        (leg.at, leg.spent, leg.hexes) = (*next, leg.spent + cost, leg.hexes + 1);
    }
    leg
}

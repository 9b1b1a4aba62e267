//! What the seasoned commander tells brigades near him himself: of each order he reckons what it costs the enemy and what it costs him.

use musterd_engine::hex::Hex;

use super::look::{FoeSeen, Look, Middle};
use super::plan::Plan;
use crate::law;
use crate::model::BrigadeId;
use crate::numbers::{Gun, SmallArms};
use crate::order::{Act, Order};
use crate::state::{Brigade, Target};
use crate::values::{self, Fighter, Lead, Volley, Weapons};

/// Values are in hundredths of a point.
type Cents = i64;

/// What it is worth not to leave works, for each point of their value.
const POST: Cents = 300;
/// How much better another order has to be than what its commanders chose.
const BETTER: Cents = 150;
/// What leaving a place in contact is worth to the enemy.
const GROUND: Cents = 300;
/// So far from the enemy a brigade rests.
const SAFE: u32 = 5;

/// Orders to brigades in reach, where they beat what their commanders chose.
pub(super) fn orders(look: &Look<'_>, plan: &Plan) -> Vec<Order> {
    let fight = Fight { look, plan };
    let reached = look.fielded().filter(|(id, one, _)| look.view.can_order(*id) && !one.surprised);
    reached.filter_map(|(id, one, at)| Some(Order::Brigade(id, fight.order(id, one, at)?))).collect()
}

struct Fight<'l, 'a> {
    look: &'l Look<'a>,
    plan: &'l Plan,
}

impl Fight<'_, '_> {
    fn order(&self, id: BrigadeId, brigade: &Brigade, at: Hex) -> Option<Act> {
        match brigade.engaged() {
            Some(target) => self.engaged((id, brigade, at), target),
            None => self.rest(id, brigade, at),
        }
    }

    /// Rest, where nobody is near.
    fn rest(&self, id: BrigadeId, brigade: &Brigade, at: Hex) -> Option<Act> {
        let lawful = law::act(self.look.rules, (id, brigade), &self.look.view.hqs, Act::Reserve).is_ok();
        let stands = !matches!(brigade.act, Act::March(_) | Act::Regroup | Act::Deploy(_));
        let worn = brigade.cohesion <= 4 || (brigade.cohesion == 5 && stands);
        (lawful && worn && brigade.act != Act::Reserve && self.look.clear(at) >= SAFE).then_some(Act::Reserve)
    }

    fn engaged(&self, (id, brigade, at): (BrigadeId, &Brigade, Hex), target: Target) -> Option<Act> {
        let foe = *self.look.in_sight().find(|foe| foe.at == target.at)?;
        let can = |act: &Act| law::engaged(self.look.rules, brigade, *act).is_ok();
        let value = |act: Act| self.value((id, brigade, at), (target, &foe), act);
        // To stand and fire, or to come up, is for its own commanders to choose: they see more of it.
        let acts = [Act::Assault, Act::Withdraw];
        let best =
            acts.into_iter().filter(can).map(|act| (value(act), act)).max_by_key(|(value, _)| *value)?;
        let chosen = value(brigade.act);
        (best.1 != brigade.act && best.0 > chosen + BETTER).then_some(best.1)
    }

    /// What an order is worth.
    fn value(
        &self,
        (id, brigade, at): (BrigadeId, &Brigade, Hex),
        (target, foe): (Target, &FoeSeen),
        act: Act,
    ) -> Cents {
        let look = self.look;
        let middle = look.middle(foe.arm);
        let arms = look.army_of_foes().find(|spec| spec.arm == foe.arm);
        let gear = (
            arms.and_then(|spec| spec.arms.as_ref()),
            arms.and_then(|spec| spec.guns.as_ref()).map(|(_, gun)| gun),
        );
        let own = Fighter { act, ..Fighter::of(look.rules, id, brigade) };
        let enemy = self.fighter(foe, &middle, gear);
        let far = if act == Act::Advance { 1 } else { target.distance };
        let dealt = self.hits(&own, &enemy, target.distance) * cost(middle.men, enemy.cohesion) / 100;
        let near = look.in_sight().filter(|one| one.at.distance(at) <= far.max(1)).count().max(1);
        let friends = look.fielded().filter(|(_, _, hex)| hex.distance(foe.at) <= 1).count().max(1);
        let share = i64::try_from(100 * near / friends.max(near.min(friends))).unwrap_or(100).clamp(50, 200);
        let mine =
            |act: Act| cost(brigade.men, brigade.cohesion) * if act == Act::Withdraw { 60 } else { 100 };
        let taken = self.hits(&enemy, &own, far) * mine(act) * share / 1_000_000;
        let odds = self.plan.odds(look, id).clamp(60, 160);
        let zeal = 70 + odds * 30 / 100;
        let turn = dealt * zeal / 100 - taken;
        match act {
            Act::Withdraw => turn - self.ground(at),
            // Who stays fights the next hour as well.
            Act::Assault => {
                turn * 18 / 10 - POST * i64::from(law::works(look.battle, brigade))
                    + if foe.shaken { self.ground(foe.at) } else { 0 }
            }
            _ => turn * 18 / 10,
        }
    }

    /// What a place is worth in contact.
    fn ground(&self, at: Hex) -> Cents {
        let look = self.look;
        let post = look.battle.objectives().find(|(_, objective)| objective.hex == at);
        GROUND + post.map_or(0, |(id, _)| look.stake(id) * 20)
    }

    /// Hits of a shot in hundredths, in the middle.
    fn hits(&self, firer: &Fighter<'_>, target: &Fighter<'_>, distance: u32) -> i64 {
        let look = self.look;
        if distance > firer.reach() || values::category(firer).is_none() {
            return 0;
        }
        let hour = look.battle.hour(look.view.turn);
        let hindered = values::is_hindered(hour.weather, hour.light);
        let volley = Volley { firer, target, distance, hindered, weapons: Weapons::All, lead: Lead::None };
        let value = values::fire(&volley).total;
        let of = |chance: u32| {
            i64::from(values::hits(look.rules.numbers(), value, values::vulnerability(target, chance).total))
        };
        (of(1) + of(2)) * 50
    }

    /// An enemy as he probably is.
    fn fighter<'f>(
        &self,
        foe: &FoeSeen,
        middle: &Middle,
        (small_arms, gun): (Option<&'f SmallArms>, Option<&'f Gun>),
    ) -> Fighter<'f> {
        let map = &self.look.battle.map;
        Fighter {
            arm: foe.arm,
            men: middle.men * if foe.shaken { 7 } else { 9 } / 10,
            guns: middle.guns,
            regiments: middle.regiments,
            small_arms,
            gun,
            experience: middle.experience,
            leadership: middle.leadership,
            cohesion: if foe.shaken { 3 } else { 5 },
            act: Act::Skirmish,
            surprised: false,
            encamped: false,
            moved: false,
            cover: self.look.rules.numbers().terrain(map.ground(foe.at)).cover,
            works: map.forts.get(&foe.at).copied().unwrap_or(0).into(),
        }
    }
}

/// What a hit on a brigade costs, by its men and its cohesion.
fn cost(men: u32, cohesion: i32) -> Cents {
    let lost = i64::from(men) * 3 / 100;
    let nerve = match cohesion {
        5.. => 150,
        4 => 200,
        3 => 350,
        _ => 500,
    };
    lost + nerve
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worn_brigade_is_dearer() {
        assert!(cost(1800, 3) > cost(1800, 6));
    }
}

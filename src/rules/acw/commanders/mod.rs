//! How commanders choose the order of each brigade under them that no player told (Menus 8 to 11).

mod engaged;
mod manoeuvre;

use musterd_engine::hex::Hex;

use crate::battle::{Battle, HqSpec};
use crate::data::Acw;
use crate::law;
use crate::model::{Arm, BrigadeId, Echelon, HqId, Light, Side, UnitId};
use crate::numbers::Mover;
use crate::order::{Act, Command};
use crate::state::{Brigade, Hq, Presence, State};

/// What the commanders of an army ask for beyond the usual odds for each hundredth of its men that it has lost more than it bears, in hundredths (ACW-92).
pub(crate) const MARGIN: i64 = 10;
/// The loss beyond what its army bears at which a brigade attacks no more, in hundredths of its men, and that of a formation (ACW-92).
const WORN: u32 = 15;
const WORN_OUT: u32 = 20;

/// Who chooses, and by what: what his side sees of the enemy.
struct Scene<'a> {
    rules: &'a Acw,
    state: &'a State,
    /// The enemies that each side sees.
    foes: [Vec<(BrigadeId, Hex)>; 2],
    night: bool,
    /// What the commanders of each side ask for beyond the usual odds, in hundredths, once their army has lost much (ACW-92).
    margins: [i64; 2],
}

/// What a brigade is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// Take the hex of its objective, or meet the enemy there, and attack.
    Attack(Hex),
    /// Go to the hex of its objective, and defend it.
    Defend(Hex),
    /// Rest, or wait.
    Rest,
    /// Nothing: it has no objective.
    Wait,
}

/// The enemy brigades that a side sees, with their hexes.
pub(crate) fn known(rules: &Acw, state: &State, side: Side) -> Vec<(BrigadeId, Hex)> {
    let exposed = rules.is_exposed();
    let eyes = &state.eyes[side.index()];
    let seen = |id: BrigadeId| exposed || eyes.sees(UnitId::Brigade(id));
    state.fielded(side.other()).filter(|(id, ..)| seen(*id)).map(|(id, _, at)| (id, at)).collect()
}

/// The orders that commanders give otherwise than before to brigades that no player told.
pub(crate) fn choices(rules: &Acw, state: &State) -> Vec<(BrigadeId, Act)> {
    let scene = Scene::of(rules, state);
    let untold = Side::ALL.into_iter().flat_map(|side| state.fielded(side)).filter(|(_, one, _)| !one.told);
    untold
        .map(|(id, one, at)| (id, one.act, scene.choose(id, one, at)))
        .filter(|(_, before, act)| before != act)
        .map(|(id, _, act)| (id, act))
        .collect()
}

/// Where a brigade goes by an order: on the march to the enemy whom its headquarters hears, to the point that defines its line of march until it has passed
/// that, or to its objective; to its headquarters; into the next hex. `None` if it has no goal or stays. Phases go by it; receipts and answers to `REACH` by [`goal_told`].
pub(crate) fn goal(battle: &Battle, hq: &Hq, brigade: &Brigade, act: Act) -> Option<Hex> {
    let hex = |objective| battle.objective(objective).hex;
    match act {
        Act::March(Some(objective)) if hq.command.objective() != Some(objective) => Some(hex(objective)),
        Act::March(_) => {
            let via = match hq.command {
                Command::Offensive { via: Some(via), .. } if !brigade.passed => Some(hex(via)),
                _ => None,
            };
            hq.guns.or(via).or(hq.command.objective().map(hex))
        }
        Act::Regroup => hq.at,
        Act::Deploy(way) => brigade.at?.step(way),
        _ => None,
    }
}

/// The same as its army's commander may know it: that a headquarters marches to the sound of guns is told, and where they are is not.
pub(crate) fn goal_told(battle: &Battle, hq: &Hq, brigade: &Brigade, act: Act) -> Option<Hex> {
    goal(battle, &Hq { guns: None, ..hq.clone() }, brigade, act)
}

/// Whether a march is to the sound of the guns that its headquarters hears.
pub(crate) fn follows_guns(hq: &Hq, act: Act) -> bool {
    let elsewhere = matches!(act, Act::March(Some(own)) if hq.command.objective() != Some(own));
    hq.guns.is_some() && matches!(act, Act::March(_)) && !elsewhere
}

impl<'a> Scene<'a> {
    fn of(rules: &'a Acw, state: &'a State) -> Self {
        let battle = rules.battle();
        let foes = Side::ALL.map(|side| known(rules, state, side));
        let night = battle.hour(state.turn).light == Light::Night;
        let margin = |side| {
            let lost = state.lost(battle, side);
            i64::from(battle.army(side).weariness(lost)) * MARGIN
        };
        Self { rules, state, foes, night, margins: Side::ALL.map(margin) }
    }

    fn choose(&self, id: BrigadeId, brigade: &Brigade, at: Hex) -> Act {
        if brigade.surprised {
            return Act::Stand;
        }
        match brigade.engaged() {
            Some(target) => self.engaged((id, brigade, at), target),
            None => self.manoeuvre(id, brigade, at),
        }
    }

    fn over(&self, id: BrigadeId) -> (&HqSpec, &Hq) {
        let over = self.rules.battle().brigade(id).over;
        (self.rules.battle().hq(over), self.state.hq(over))
    }

    fn arm(&self, id: BrigadeId) -> Arm {
        self.rules.battle().brigade(id).arm
    }

    fn mover(&self, id: BrigadeId) -> Mover {
        Mover::from(self.arm(id))
    }

    /// What a brigade does of what it is to do: one that has shattered or lost much attacks no more, nor does one of a formation that has (ACW-92).
    fn task(&self, id: BrigadeId, brigade: &Brigade) -> Task {
        let spec = self.rules.battle().brigade(id);
        let bears = self.rules.battle().army(id.side).resolve;
        let is_worn = brigade.men * 100 < spec.men * 100_u32.saturating_sub(bears + WORN);
        let spent = brigade.shattered || is_worn || self.is_worn_out(spec.over, bears + WORN_OUT);
        match self.ordered(id, brigade) {
            Task::Attack(goal) if spent => Task::Defend(goal),
            task => task,
        }
    }

    /// Whether more than these hundredths of the men under a headquarters are gone or shaken.
    fn is_worn_out(&self, over: HqId, bears: u32) -> bool {
        let battle = self.rules.battle();
        let men = battle.all_under(over).map(|spec| {
            let brigade = self.state.brigade(spec.id);
            let stands = match brigade.presence {
                Presence::Fielded => brigade.cohesion > law::SHAKEN,
                Presence::Awaited => true,
                Presence::Gone(_) => false,
            };
            (spec.men, if stands { brigade.men } else { 0 })
        });
        let (all, fit) = men.fold((0, 0), |(all, fit), (men, standing)| (all + men, fit + standing));
        fit * 100 < all * 100_u32.saturating_sub(bears)
    }

    /// What a brigade is to do: by its own objective, or by the command of the headquarters over it.
    fn ordered(&self, id: BrigadeId, brigade: &Brigade) -> Task {
        let battle = self.rules.battle();
        let (spec, hq) = self.over(id);
        let own = brigade.objective.filter(|_| spec.echelon != Echelon::Division);
        if let Some(own) = own {
            let hex = battle.objective(own).hex;
            let attacks = match spec.echelon {
                Echelon::Corps => hq.command.is_offensive(),
                _ => self.state.control[battle.map.place(hex)] != id.side,
            };
            return if attacks { Task::Attack(hex) } else { Task::Defend(hex) };
        }
        let hex = |objective| hq.guns.unwrap_or(battle.objective(objective).hex);
        match hq.command {
            _ if spec.echelon == Echelon::Army => Task::Wait,
            Command::Offensive { objective, .. } => Task::Attack(hex(objective)),
            Command::Defensive(objective) if hq.guns.is_some() => Task::Attack(hex(objective)),
            Command::Defensive(objective) => Task::Defend(hex(objective)),
            // Cavalry goes on screening until it is worn (Menu 8).
            Command::Reserve if self.arm(id) == Arm::Cavalry && brigade.cohesion > 4 => Task::Wait,
            Command::Reserve => Task::Rest,
        }
    }

    /// The order by which a brigade marches: to its own objective, or by the command of the headquarters over it.
    fn march(&self, id: BrigadeId, brigade: &Brigade) -> Option<Act> {
        let (spec, hq) = self.over(id);
        match spec.echelon {
            Echelon::Division => hq.command.objective().map(|_| Act::March(None)),
            Echelon::Corps => brigade.objective.or(hq.command.objective()).map(|own| Act::March(Some(own))),
            Echelon::Army => brigade.objective.map(|own| Act::March(Some(own))),
        }
    }

    /// Whether nobody stands in a hex, as far as a side sees: commanders don't know of others.
    fn is_free(&self, side: Side, hex: Hex) -> bool {
        let stands = self.state.brigade_at(hex);
        stands.is_none_or(|id| id.side != side && self.foes[side.index()].iter().all(|(foe, _)| *foe != id))
    }

    /// The nearest enemy that the brigade's side sees, with its distance.
    fn nearest(&self, side: Side, at: Hex) -> Option<(BrigadeId, Hex, u32)> {
        let foes = self.foes[side.index()].iter().map(|(foe, there)| (*foe, *there, at.distance(*there)));
        foes.min_by_key(|(foe, _, far)| (*far, *foe))
    }
}

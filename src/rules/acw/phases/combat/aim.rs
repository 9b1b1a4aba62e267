//! Whom each brigade is to fight (manual, "Target Selection", Menu 9), and who is surprised (Menu 11).

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use crate::data::Acw;
use crate::event::Event;
use crate::facing;
use crate::model::{Arm, BrigadeId, Formation, HqId, Side, UnitId};
use crate::order::Act;
use crate::phases::dice::random;
use crate::state::{Brigade, State};
use crate::values::Fighter;

/// How near an enemy has to be that a brigade is engaged.
const ENGAGED: u32 = 2;

/// Whom a brigade can have for a target, each with his distance.
struct Choice {
    id: BrigadeId,
    /// The brigades that it fights if it is engaged, else those that its guns reach.
    brigades: Vec<(BrigadeId, Hex, u32)>,
    engaged: bool,
    /// The headquarters within reach, where no brigade is (ACW-56).
    hqs: Vec<(HqId, Hex, u32)>,
}

/// Gives each brigade within reach of the enemy its target, throws for surprise, deploys and turns who is to fight. In no-move turns nobody is engaged (ACW-61).
pub(in crate::phases) fn aim(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let state = scribe.state();
    if rules.battle().hour(state.turn).still {
        return;
    }
    // Who is engaged doesn't hang on who was looked at first.
    let choices: Vec<Choice> = Side::ALL
        .into_iter()
        .flat_map(|side| state.fielded(side))
        .map(|(id, brigade, at)| choice(rules, state, (id, brigade), at))
        .collect();
    for choice in &choices {
        choose(scribe, choice);
    }
    for choice in choices.iter().filter(|choice| choice.engaged) {
        startle(rules, scribe, choice.id);
    }
    for choice in &choices {
        turn(scribe, choice.id);
    }
}

fn choice(rules: &Acw, state: &State, (id, brigade): (BrigadeId, &Brigade), at: Hex) -> Choice {
    let enemy = id.side.other();
    let foes: Vec<(BrigadeId, Hex, u32)> =
        state.fielded(enemy).map(|(foe, _, there)| (foe, there, at.distance(there))).collect();
    let engaging = foes.iter().filter(|(foe, there, _)| engages(rules, state, (id, at), (*foe, *there)));
    let engaging: Vec<_> = engaging.copied().collect();
    if !engaging.is_empty() {
        return Choice { id, brigades: engaging, engaged: true, hqs: Vec::new() };
    }
    let sees = |unit: UnitId| sees(rules, state, id.side, unit);
    let fighter = Fighter::of(rules, id, brigade);
    let ready = brigade.formation == Formation::Line;
    // Guns that moved can't fire.
    let bombards = ready && fighter.arm == Arm::Artillery && !brigade.moved;
    let in_range = |(foe, _, far): &&(BrigadeId, Hex, u32)| {
        bombards && *far <= fighter.reach() && sees(UnitId::Brigade(*foe))
    };
    let brigades: Vec<_> = foes.iter().filter(in_range).copied().collect();
    let shoots = bombards || (ready && fighter.arm != Arm::Artillery);
    let alone = |there: Hex| foes.iter().all(|(_, foe, _)| *foe != there);
    let hqs = state.hqs_of(enemy).filter_map(|(hq, one)| Some((hq, one.at?)));
    let hqs = hqs.map(|(hq, there)| (hq, there, at.distance(there))).filter(|(hq, there, far)| {
        shoots && *far <= fighter.reach() && alone(*there) && sees(UnitId::Hq(*hq))
    });
    Choice { id, hqs: hqs.collect(), brigades, engaged: false }
}

/// Whether a side sees an enemy.
fn sees(rules: &Acw, state: &State, side: Side, unit: UnitId) -> bool {
    rules.is_exposed() || state.eyes[side.index()].sees(unit)
}

/// Whether an enemy engages a brigade: always as its neighbour; at two hexes where both are seen, and neither water nor prohibited ground lies between them
/// (Menu 9, ACW-63).
fn engages(rules: &Acw, state: &State, (id, at): (BrigadeId, Hex), (foe, there): (BrigadeId, Hex)) -> bool {
    match at.distance(there) {
        0 | 1 => true,
        ENGAGED => {
            let seen = |id: BrigadeId| sees(rules, state, id.side.other(), UnitId::Brigade(id));
            seen(id) && seen(foe) && is_open_between(rules, at, there)
        }
        _ => false,
    }
}

/// Whether there is a hex between two by which one can come to the other: no barrier of water on the way, no ground that nobody enters.
fn is_open_between(rules: &Acw, at: Hex, there: Hex) -> bool {
    let map = &rules.battle().map;
    map.around(at).map(|(_, middle)| middle).filter(|middle| middle.distance(there) == 1).any(|middle| {
        let ground = rules.numbers().terrain(map.ground(middle));
        ground.column.is_some()
            && !map.between(at, middle).is_barrier()
            && !map.between(middle, there).is_barrier()
    })
}

/// Chooses by the order of preference: the closest, then who is nobody's target, then who is deployed. One time in ten another is taken (ACW-29).
fn choose(scribe: &mut Scribe<'_, Acw>, choice: &Choice) {
    let Choice { id, engaged, .. } = *choice;
    let target = |unit: UnitId, at: Hex, astray: bool| Event::Targeted {
        brigade: id,
        target: Some((unit, at)),
        engaged,
        astray,
    };
    if choice.brigades.is_empty() {
        if let Some((hq, at, _)) = choice.hqs.iter().min_by_key(|(hq, _, far)| (*far, *hq)) {
            scribe.record(target(UnitId::Hq(*hq), *at, false));
        }
        return;
    }
    let state = scribe.state();
    let mut brigades = choice.brigades.clone();
    brigades.sort_by_key(|(foe, _, far)| {
        let one = state.brigade(*foe);
        (*far, one.targeted, one.formation == Formation::Column, *foe)
    });
    #[expect(clippy::expect_used, reason = "an army has so few units")]
    let others = u32::try_from(brigades.len() - 1).expect("a number of units");
    let astray = others > 0 && random(scribe, ("aim", "stray"), &id, 9) == 0;
    let place = if astray { 1 + random(scribe, ("aim", "other"), &id, others - 1) as usize } else { 0 };
    let (foe, at, _) = brigades[place];
    scribe.record(target(UnitId::Brigade(foe), at, astray));
}

/// Throws whether a brigade is surprised that comes to be engaged in column, in its camp or in reserve (ACW-20). Who is engaged and not surprised deploys.
fn startle(rules: &Acw, scribe: &mut Scribe<'_, Acw>, id: BrigadeId) {
    let state = scribe.state();
    let brigade = state.brigade(id);
    let rests = brigade.was == Act::Reserve && !follows_still(rules, state);
    let marches = brigade.formation == Formation::Column;
    let caught = !brigade.was_engaged && (rests || marches || brigade.encamped);
    let against = rules.battle().brigade(id).experience + brigade.leadership;
    if caught {
        let die = (!rests).then(|| random(scribe, ("surprise", "march"), &id, 15));
        let surprised = die.is_none_or(|die| i64::from(die) >= i64::from(against));
        scribe.record(Event::Startled { brigade: id, die, against, surprised });
    }
    let brigade = scribe.state().brigade(id);
    if !brigade.surprised && brigade.formation == Formation::Column {
        scribe.record(Event::Formed { brigade: id, formation: Formation::Line });
    }
}

/// Whether this is the first turn after a no-move turn: who rested there stands (ACW-61).
fn follows_still(rules: &Acw, state: &State) -> bool {
    state.turn > 1 && rules.battle().hour(state.turn - 1).still
}

/// A brigade faces its target (ACW-14).
fn turn(scribe: &mut Scribe<'_, Acw>, id: BrigadeId) {
    let brigade = scribe.state().brigade(id);
    let Some((target, at)) = brigade.target.zip(brigade.at) else { return };
    if let Some(way) = facing::toward(at, target.at, brigade.facing).filter(|way| *way != brigade.facing) {
        scribe.record(Event::Faced { brigade: id, way });
    }
}

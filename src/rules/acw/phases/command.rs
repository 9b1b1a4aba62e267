//! What headquarters do with their commands: they obey, pass them on, march to the sound of the guns (Menu 8, ACW-39).

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use super::dice::random;
use crate::battle::Battle;
use crate::commanders;
use crate::data::Acw;
use crate::event::Event;
use crate::law;
use crate::model::{Echelon, HqId, ObjectiveId, Side};
use crate::order::Command;
use crate::state::State;

/// How far a headquarters looks and listens for enemies, in hexes.
const LISTENS: u32 = 5;
/// How far from the corps' objective those of its formations lie.
const STRAYS: u32 = 4;

/// The headquarters below the armies, those of corps before those of divisions.
fn below(battle: &Battle) -> Vec<HqId> {
    let of = |echelon: Echelon| {
        Side::ALL
            .into_iter()
            .flat_map(|side| &battle.army(side).hqs)
            .filter(move |spec| spec.echelon == echelon)
            .map(|spec| spec.id)
    };
    of(Echelon::Corps).chain(of(Echelon::Division)).collect()
}

/// What headquarters do by themselves at a turn's beginning: commands that are not begun yet are thrown for again, arrivals are seen, guns are heard.
pub(super) fn morning(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    for hq in below(rules.battle()) {
        let state = scribe.state();
        if state.hq(hq).at.is_none() {
            continue;
        }
        if let Some(command) = state.hq(hq).pending.filter(|_| state.hq(hq).in_touch) {
            let direct = law::direct(state, hq.side);
            obey(rules, scribe, (hq, direct), command);
        }
        arrive(rules, scribe, hq);
        listen(rules, scribe, hq);
    }
}

/// A headquarters is given a command by a player. A corps begins it and passes it on to its formations; a division throws whether it begins, unless it has thrown
/// in this turn (ACW-39, ACW-73). Formations of a corps that are told something else themselves are left out. `direct` is the corps that the army's commander
/// directs.
pub(super) fn command(
    rules: &Acw,
    scribe: &mut Scribe<'_, Acw>,
    (hq, command): (HqId, Command),
    direct: Option<HqId>,
    is_told: impl Fn(HqId) -> bool,
) {
    let before = scribe.state().hq(hq);
    let throws = before.command != command && !before.tried;
    scribe.record(Event::Commanded { hq, command });
    if rules.battle().hq(hq).echelon != Echelon::Corps {
        if throws {
            obey(rules, scribe, (hq, direct), command);
        }
        return;
    }
    let formations: Vec<HqId> = rules.battle().hqs_under(hq).map(|spec| spec.id).collect();
    for (place, formation) in formations.into_iter().enumerate() {
        let state = scribe.state();
        let one = state.hq(formation);
        if one.at.is_none()
            || is_told(formation)
            || complies(rules.battle(), command, one.pending.unwrap_or(one.command))
        {
            continue;
        }
        let wanted = wanted(rules, state, command, (formation, place));
        if one.in_touch && !one.tried {
            obey(rules, scribe, (formation, direct), wanted);
        } else {
            scribe.record(Event::Commanded { hq: formation, command: wanted });
        }
    }
}

/// Throws whether a headquarters begins a command (ACW-39, ACW-73).
fn obey(rules: &Acw, scribe: &mut Scribe<'_, Acw>, (hq, direct): (HqId, Option<HqId>), command: Command) {
    let by = law::obeys(rules.battle(), hq, direct);
    let leadership = scribe.state().hq(by).leadership;
    let die = random(scribe, ("command", "obey"), &hq, 9);
    let begins = i64::from(die) <= i64::from(leadership);
    scribe.record(Event::Obeyed { hq, by, command, die, begins });
}

/// Whether a formation does what its corps is to do: the same kind of command, not far from the same objective.
fn complies(battle: &Battle, corps: Command, formation: Command) -> bool {
    let near = |one: ObjectiveId, other: ObjectiveId| {
        battle.objective(one).hex.distance(battle.objective(other).hex) <= STRAYS
    };
    match (corps, formation) {
        (Command::Offensive { objective, .. }, Command::Offensive { objective: own, .. })
        | (Command::Defensive(objective), Command::Defensive(own)) => near(objective, own),
        (Command::Reserve, Command::Reserve) => true,
        // Whoever defends already calls nothing off.
        (Command::Reserve, Command::Defensive(_)) => true,
        _ => false,
    }
}

/// What a corps wants of a formation: its own command, the second and later ones with an objective of their own nearby if there is one; in reserve no attack
/// any more (ACW-74).
fn wanted(rules: &Acw, state: &State, command: Command, (formation, place): (HqId, usize)) -> Command {
    let battle = rules.battle();
    let side = formation.side;
    let around = |objective: ObjectiveId, holder: Side| {
        let middle = battle.objective(objective).hex;
        let mut near: Vec<(u32, ObjectiveId)> = battle
            .objectives()
            .map(|(id, other)| (other.hex.distance(middle), id))
            .filter(|(far, id)| {
                *id == objective || (*far <= STRAYS && state.holdings[id.place()].holder == holder)
            })
            .collect();
        near.sort_unstable();
        near[place % near.len()].1
    };
    match command {
        Command::Offensive { via, objective } => {
            Command::Offensive { via, objective: around(objective, side.other()) }
        }
        Command::Defensive(objective) => Command::Defensive(around(objective, side)),
        Command::Reserve => {
            let at = state.hq(formation).at;
            let near = |hex: Hex| at.is_some_and(|at| at.distance(hex) <= LISTENS);
            let foes = commanders::known(rules, state, side).into_iter().any(|(_, foe)| near(foe));
            let own = battle
                .objectives()
                .filter(|(id, objective)| near(objective.hex) && state.holdings[id.place()].holder == side)
                .min_by_key(|(id, objective)| (at.map(|at| at.distance(objective.hex)), *id));
            match own.filter(|_| foes) {
                Some((id, _)) => Command::Defensive(id),
                None => Command::Reserve,
            }
        }
    }
}

/// A headquarters has come to its objective when it is next to it, or one of its brigades stands there.
fn arrive(rules: &Acw, scribe: &mut Scribe<'_, Acw>, hq: HqId) {
    let battle = rules.battle();
    let state = scribe.state();
    let one = state.hq(hq);
    let Some((objective, at)) = one.command.objective().filter(|_| !one.arrived).zip(one.at) else { return };
    let goal = battle.objective(objective).hex;
    let there = state
        .brigade_at(goal)
        .is_some_and(|id| id.side == hq.side && battle.is_under(battle.brigade(id).over, hq));
    if there || at.distance(goal) <= 1 {
        scribe.record(Event::Reached { hq, objective });
    }
}

/// At its objective a headquarters with an offensive command looks and listens, and marches against the nearest enemy within five hexes; one with a defensive
/// command does so out of communication, by a small chance (Menu 8, ACW-39).
fn listen(rules: &Acw, scribe: &mut Scribe<'_, Acw>, hq: HqId) {
    let state = scribe.state();
    let one = state.hq(hq);
    let Some(at) = one.at else { return };
    let found = one.arrived.then(|| nearest(rules, state, hq.side, at)).flatten();
    let goes = match (one.command, found) {
        (_, None) | (Command::Reserve, _) => false,
        (Command::Offensive { .. }, Some(_)) => true,
        (Command::Defensive(_), Some(_)) if one.guns.is_some() => true,
        (Command::Defensive(_), Some(_)) => {
            !one.in_touch && random(scribe, ("command", "guns"), &hq, 15) == 0
        }
    };
    let at = found.filter(|_| goes);
    if scribe.state().hq(hq).guns != at {
        scribe.record(Event::Heard { hq, at });
    }
}

/// The nearest enemy brigade within hearing: seen, or heard as it fought in the last turn.
fn nearest(rules: &Acw, state: &State, side: Side, at: Hex) -> Option<Hex> {
    let seen = commanders::known(rules, state, side).into_iter().map(|(_, foe)| foe);
    let heard = state.fielded(side.other()).filter(|(_, one, _)| one.was_engaged).map(|(_, _, foe)| foe);
    let near = seen.chain(heard).map(|foe| (at.distance(foe), foe)).filter(|(far, _)| *far <= LISTENS);
    near.min().map(|(_, foe)| foe)
}

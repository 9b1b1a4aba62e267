//! The end of a turn: objectives, points, the standing (manual, "Winning the Game").

use musterd_engine::Scribe;

use crate::data::Acw;
use crate::event::Event;
use crate::model::{BrigadeId, HqId, ObjectiveId, Side, UnitId};
use crate::order::Command;

/// Objectives go to whoever controls their hexes, and count for their holders while they are active (ACW-32, ACW-33).
pub(super) fn close(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    for (id, objective) in battle.objectives() {
        let state = scribe.state();
        let side = state.control[battle.map.place(objective.hex)];
        if state.holdings[id.place()].holder != side {
            scribe.record(Event::Taken { objective: id, side });
        }
        let (first, last) = objective.turns;
        if (first..=last).contains(&scribe.state().turn) {
            let points = objective.worth[side.index()].turn;
            scribe.record(Event::Scored { objective: id, side, points });
        }
    }
    scribe.record(Event::Closed);
}

/// What the formations of each seat are to do for longer than the mail turn that is over.
pub(super) fn stand(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    for commander in Side::ALL.into_iter().flat_map(|side| &battle.army(side).commanders) {
        let state = scribe.state();
        let side = commander.hq.side;
        let leads = |unit: UnitId| battle.leader_of(unit).hq == commander.hq;
        let command = |(id, hq): (HqId, &crate::state::Hq)| (id, hq.pending.unwrap_or(hq.command));
        let commands: Vec<(HqId, Command)> = state
            .hqs_of(side)
            .filter(|(id, _)| *id != commander.hq && leads(UnitId::Hq(*id)))
            .map(command)
            .collect();
        let own = |(id, one): (BrigadeId, &crate::state::Brigade)| Some((id, one.objective?));
        let objectives: Vec<(BrigadeId, ObjectiveId)> =
            state.brigades_of(side).filter_map(own).filter(|(id, _)| leads(UnitId::Brigade(*id))).collect();
        let goal = state.hq(commander.hq).goal;
        scribe.record(Event::Stood { seat: commander.seat.clone(), goal, commands, objectives });
    }
}

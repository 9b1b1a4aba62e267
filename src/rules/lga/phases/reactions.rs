//! Phase V: the defenders' reactions, by their standing orders (manual 5.65 to 5.67, rulings LGA-14, LGA-15, LGA-46 and LGA-56).

use super::phasing::unit_roll;
use crate::data::Lga;
use crate::event::Event;
use crate::model::{Arm, Date, Side, Terrain, UnitId};
use crate::needs::{Inactive, can_top};
use crate::order::{Reaction, Standing, Trigger};
use crate::shift::{Hindrance, Lookout, Shift, closed_goal};
use crate::state::State;
use crate::tables::reaction::{self, Withdrawal};
use musterd_engine::hex::Hex;
use musterd_engine::{Scribe, Seat};

/// An action that the defenders may react to.
pub(super) enum Occasion {
    /// A round was fought.
    Attacked {
        /// The hex.
        hex: Hex,
        /// The unit attacked.
        defender: UnitId,
    },
    /// A unit of the phasing side entered a hex.
    Entered {
        /// The hex.
        hex: Hex,
    },
}

/// Tries every standing order whose condition holds, by nation, then by line; only after the phasing side has attacked (manual 5.66).
pub(super) fn answer(rules: &Lga, scribe: &mut Scribe<'_, Lga>, occasion: &Occasion) {
    let state = scribe.state();
    if !state.fought || state.standing.values().all(Vec::is_empty) {
        return;
    }
    // Whether a line that waits for a place or a unit applies is decided before the reactions: they do not change it.
    let waits_in_vain = |line: &Standing| {
        !matches!(line.when, Trigger::Always | Trigger::MoraleAtMost { .. })
            && !holds(state, &line.when, occasion)
    };
    let mut lines: Vec<(Seat, Standing)> = Vec::new();
    for (nation, _) in rules.scenario.nations() {
        for (seat, file) in &state.standing {
            let reacts =
                rules.command(seat).is_some_and(|c| c.side != state.phasing && c.nations.contains(&nation));
            let own = |line: &&Standing| rules.scenario.unit(line.reaction.unit()).nation == nation;
            let lines_now = file.iter().filter(|_| reacts).filter(own).filter(|line| !waits_in_vain(line));
            lines.extend(lines_now.map(|line| (seat.clone(), line.clone())));
        }
    }
    for (seat, line) in lines {
        if holds(scribe.state(), &line.when, occasion)
            && let Err(Some(reason)) = react(rules, scribe, &line)
        {
            tell(rules, scribe, seat, &line, &reason);
        }
    }
}

/// Tells a commander why his standing order had no effect, once in a turn for each unit of a line.
fn tell(rules: &Lga, scribe: &mut Scribe<'_, Lga>, seat: Seat, line: &Standing, reason: &str) {
    let name = &rules.scenario.unit(line.reaction.unit()).name;
    let event =
        Event::NotDone { seat, line: 0, order: line.line.clone(), reason: format!("{name} {reason}") };
    if !scribe.state().is_told(&event) {
        scribe.record(event);
    }
}

/// Why a reaction was not made, if its commander should know; `None` if there was no cause for it, or if the unit has had its defensive move, which
/// he knows.
type Idle = Option<String>;

fn holds(state: &State, when: &Trigger, occasion: &Occasion) -> bool {
    match (*when, occasion) {
        (Trigger::Always, _) => true,
        (Trigger::MoraleAtMost { unit, morale }, _) => {
            state.unit(unit).at.is_some() && state.unit(unit).morale <= morale
        }
        (Trigger::HexAttacked { hex }, Occasion::Attacked { hex: at, .. })
        | (Trigger::HexEntered { hex }, Occasion::Entered { hex: at }) => hex == *at,
        (Trigger::UnitAttacked { unit }, Occasion::Attacked { defender, .. }) => unit == *defender,
        (Trigger::HexAttacked { .. } | Trigger::UnitAttacked { .. }, Occasion::Entered { .. })
        | (Trigger::HexEntered { .. }, Occasion::Attacked { .. }) => false,
    }
}

fn react(rules: &Lga, scribe: &mut Scribe<'_, Lga>, line: &Standing) -> Result<(), Idle> {
    match line.reaction {
        Reaction::Top { unit, at } if at.is_some() && scribe.state().unit(unit).at != at => Err(None),
        Reaction::Top { unit, .. } => top(rules, scribe, unit, Some(&line.line)).map_err(|_| None),
        Reaction::Reinforce { unit, to } => reinforce(rules, scribe, unit, to, &line.line),
        Reaction::Withdraw { unit, to } => withdraw(rules, scribe, unit, to, &line.line),
    }
}

/// Puts a unit on top of its stack; nothing happens if it lies there already.
///
/// # Errors
/// Why it can't be done, for the player.
pub(super) fn top(
    rules: &Lga,
    scribe: &mut Scribe<'_, Lga>,
    unit: UnitId,
    because: Option<&str>,
) -> Result<(), String> {
    let state = scribe.state();
    let Some(at) = state.unit(unit).at else { return Err("it is not on the map".to_owned()) };
    if !can_top(rules.scenario.unit(unit).kind.arm, state.unit(unit).garrison) {
        return Err("a headquarters or a garrison is never attacked first".to_owned());
    }
    if state.stack(at).first() != Some(&unit) {
        scribe.record(Event::Topped { unit, at, because: because.map(str::to_owned) });
    }
    Ok(())
}

/// The hex of a unit that can make a defensive move into another hex, apart from zones: one hex, both ends controlled, by land, once a season, under
/// the usual restrictions (manual 2.13 and 5.65).
///
/// # Errors
/// Why it can't.
fn can_shift(rules: &Lga, state: &State, id: UnitId, to: Hex) -> Result<Hex, Idle> {
    let spec = rules.scenario.unit(id);
    let unit = state.unit(id);
    let from = unit.at.ok_or(None)?;
    if unit.defended || from == to {
        return Err(None);
    }
    let position = Truth { rules, state, side: spec.side };
    let place = || rules.map.place(to);
    if let Some(closed) = closed_goal(rules, id, to, &position) {
        return Err(Some(format!("can't enter {}: {}", place(), rules.refusal(closed))));
    }
    let shift = Shift { unit: id, from, to, supplied: !unit.cut_off };
    let why = match shift.hindrance(rules, &position) {
        None => return Ok(from),
        Some(Hindrance::Inactive(Inactive::Unsupplied)) => "is out of supply".to_owned(),
        Some(Hindrance::Inactive(Inactive::CalledAway)) => {
            "has been called away and may not leave its hex".to_owned()
        }
        Some(Hindrance::NotAdjacent) => {
            format!("stands at {}, which is not next to {}", rules.map.place(from), place())
        }
        Some(Hindrance::EnemyThere) => format!("can't enter {}: the enemy stands there", place()),
        Some(Hindrance::NotOurs(lost)) => {
            format!("moves between hexes of its own side only, and {} is not one", rules.map.place(lost))
        }
    };
    Err(Some(why))
}

/// The true position, with the enemies of a side.
struct Truth<'a> {
    rules: &'a Lga,
    state: &'a State,
    side: Side,
}

impl Lookout for Truth<'_> {
    fn date(&self) -> Date {
        self.state.date
    }

    fn controller(&self, hex: Hex) -> Option<Side> {
        self.state.control.get(&hex).copied()
    }

    fn enemy_at(&self, hex: Hex) -> bool {
        self.state.enemy_at(self.rules, hex, self.side)
    }
}

/// Reinforces: from outside the enemy's zones into one. Units roll for the fog of war (manual 5.67); a failure counts as the unit's defensive move
/// (ruling LGA-67).
fn reinforce(
    rules: &Lga,
    scribe: &mut Scribe<'_, Lga>,
    id: UnitId,
    to: Hex,
    because: &str,
) -> Result<(), Idle> {
    let state = scribe.state();
    let spec = rules.scenario.unit(id);
    if !state.in_enemy_zone(rules, to, spec.side) {
        return Err(None);
    }
    let from = can_shift(rules, state, id, to)?;
    if state.in_enemy_zone(rules, from, spec.side) {
        return Err(Some(format!("stands in an enemy zone of control itself, at {}", rules.map.place(from))));
    }
    let because = because.to_owned();
    let morale = state.unit(id).morale;
    let (check, arrived) = (spec.kind.arm != Arm::Hq)
        .then(|| scribe.die(&unit_roll("react", "reinforce", id), 6))
        .map(|die| reaction::reinforce(&rules.numbers.reinforce, spec.kind.arm, morale, die))
        .unzip();
    let arrived = arrived.unwrap_or(true);
    scribe.record(Event::Reinforced { unit: id, from, to, check, arrived, because });
    Ok(())
}

/// Withdraws: out of the enemy's zones. Infantry and militia may rout (manual 5.67, ruling LGA-15).
fn withdraw(
    rules: &Lga,
    scribe: &mut Scribe<'_, Lga>,
    id: UnitId,
    to: Hex,
    because: &str,
) -> Result<(), Idle> {
    let state = scribe.state();
    let spec = rules.scenario.unit(id);
    if state.unit(id).at.is_none_or(|at| !state.in_enemy_zone(rules, at, spec.side)) {
        return Err(None);
    }
    let from = can_shift(rules, state, id, to)?;
    if state.in_enemy_zone(rules, to, spec.side) {
        let place = rules.map.place(to);
        return Err(Some(format!("can't withdraw to {place}: an enemy zone of control covers it")));
    }
    let because = because.to_owned();
    let withdrawal = Withdrawal {
        arm: spec.kind.arm,
        morale: state.unit(id).morale,
        river: rules.map.river(from, to),
        into_marsh: rules.map.area(to).is_some_and(|area| area.terrain == Terrain::Marsh),
    };
    let (check, loss) = withdrawal
        .may_rout()
        .then(|| scribe.die(&unit_roll("react", "rout", id), 6))
        .map(|die| withdrawal.check(&rules.numbers.rout, die))
        .unzip();
    let loss = loss.unwrap_or(0);
    let destroyed = withdrawal.morale < loss;
    scribe.record(Event::Withdrew { unit: id, from, to, check, loss, destroyed, because });
    Ok(())
}

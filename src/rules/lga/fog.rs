//! The only functions that read the hidden position: what a seat knows, and what it learns of an event.
//!
//! A side sees all of its own, who controls each hex, everybody's points, and of each enemy stack the top unit and the number of units, unless
//! cavalry screens it (manual 3.5), and what it remembers of those that it has lost sight of. Garrisons and the units below stay hidden, as do enemy morale and fatigue unless a combat shows them. On another
//! side's turn it sees nothing before the first attack (manual 5.66), then the events on and next to the hexes that it holds or exerts a zone on.

use std::collections::BTreeMap;

use super::change::Change;
use super::data::Lga;
use super::event::Event;
use super::known::Known;
use super::model::{Side, UnitId};
use super::order::Standing;
use super::sight::{Named, Sight};
use super::state::State;
use super::supply::Supply;
use super::tables::combat;
use super::victory;
use super::view::{EnemyStack, OwnUnit, PoolUnit, Purses, Victory, View};
use musterd_dice::Seat;
use musterd_engine::SeatSpec;
use musterd_engine::hex::Hex;
use musterd_kit::learnt;

/// What a seat knows.
pub(super) fn view(rules: &Lga, state: &State, to: &Seat) -> View {
    let command = rules.command(to);
    let side = command.map_or(Side::Neutral, |command| command.side);
    let nations = command.map_or_else(Vec::new, |command| command.nations.clone());
    let scenario = &rules.scenario;
    let ours = scenario.units.iter().filter(|spec| command.is_some() && spec.side == side);
    let pool = ours.clone().filter(|spec| nations.contains(&spec.nation) && state.unit(spec.id).at.is_none());
    let pool = pool.filter(|spec| scenario.called_away(spec.id, state.date).is_none()).map(|spec| PoolUnit {
        id: spec.id,
        name: spec.name.clone(),
        nation: spec.nation,
        kind: spec.kind,
        cost: rules.stats(spec.kind).cost,
        from_year: spec.from_year,
    });
    let stacks = state
        .stacks()
        .filter(|(_, stack)| command.is_some() && stack.iter().any(|&id| scenario.unit(id).side == side));
    let supply = Supply::of(rules, state, side);
    View {
        seat: to.clone(),
        side,
        date: state.date,
        turn: state.turn,
        turns: scenario.turns(),
        phasing: (!state.over).then_some(state.phasing),
        control: state.control.clone(),
        supplied: supply.hexes(rules).collect(),
        own: ours
            .clone()
            .filter_map(|spec| Some((spec.id, own_unit(rules, state, &supply, spec.id)?)))
            .collect(),
        stacks: stacks.map(|(hex, stack)| (hex, in_order(rules, state, stack))).collect(),
        pool: pool.collect(),
        enemies: enemies(rules, state, side).collect(),
        remembered: state.out_of_sight(rules, side),
        fought: state.memories.get(&side).map_or_else(BTreeMap::new, |memory| memory.fought.clone()),
        hqs: state.shown_hqs(rules, side),
        garrisons: state.met_garrisons(side),
        before: state.before,
        points: Purses::of(&rules.setting, &state.points),
        victory: scenario
            .sides
            .iter()
            .map(|spec| {
                let points = state.victory.get(&spec.side).copied().unwrap_or_default();
                let level = victory::level(rules, spec.side, points);
                Victory { side: spec.side, points, level, levels: spec.levels.clone() }
            })
            .collect(),
        standing: state.standing.get(to).cloned().unwrap_or_default(),
        history: state.history.clone(),
        record: if state.over { state.record.clone() } else { state.record.of_side(rules, side) },
        nations,
    }
}

/// What one side has, as one seat that commanded all of it would know it, with the standing orders of each of its seats. For the GM.
pub(super) struct Whole {
    /// The side's view, with every nation of it under one command.
    pub(super) view: View,
    /// The standing orders in force, by seat.
    pub(super) standing: Vec<(Seat, Vec<Standing>)>,
}

/// Everything, side by side, for the GM and never for a player.
pub(super) fn everything(rules: &Lga, state: &State) -> Vec<Whole> {
    let of_side = |side: Side| {
        let commands =
            |spec: &&SeatSpec| rules.command(&spec.seat).is_some_and(|command| command.side == side);
        let seats = || rules.seat_specs().iter().filter(commands).map(|spec| &spec.seat);
        let mut views = seats().map(|seat| view(rules, state, seat));
        let first = views.next()?;
        let view = views.fold(first, |mut all, view| {
            all.nations.extend(view.nations);
            all.pool.extend(view.pool);
            all
        });
        let standing = seats().filter_map(|seat| Some((seat.clone(), state.standing.get(seat)?.clone())));
        Some(Whole { view, standing: standing.filter(|(_, file)| !file.is_empty()).collect() })
    };
    rules.scenario.sides.iter().filter_map(|spec| of_side(spec.side)).collect()
}

fn own_unit(rules: &Lga, state: &State, supply: &Supply, id: UnitId) -> Option<OwnUnit> {
    let spec = rules.scenario.unit(id);
    let unit = state.unit(id);
    let stats = rules.stats(spec.kind);
    Some(OwnUnit {
        id,
        name: spec.name.clone(),
        nation: spec.nation,
        kind: spec.kind,
        hex: unit.at?,
        garrison: unit.garrison,
        morale: unit.morale,
        max_morale: stats.max_morale,
        fatigue: unit.fatigue,
        moves: stats.moves,
        supplied: !unit.cut_off,
        served: supply.serves(rules, state, id),
        modifier: spec.modifier,
    })
}

/// A stack in the order in which it is attacked: units from the top, the garrison, headquarters (ruling LGA-20).
fn in_order(rules: &Lga, state: &State, stack: &[UnitId]) -> Vec<UnitId> {
    let mut pieces = stack.to_vec();
    pieces.sort_by_key(|&id| combat::turn(rules.scenario.unit(id).kind.arm, state.unit(id).garrison));
    pieces
}

/// The enemy stacks in sight.
fn enemies<'a>(rules: &'a Lga, state: &'a State, side: Side) -> impl Iterator<Item = (Hex, EnemyStack)> + 'a {
    state.in_sight(rules, side).map(|seen| {
        let spec = rules.scenario.unit(seen.top);
        let (nation, kind, name) = (spec.nation, spec.kind, spec.name.clone());
        (seen.at, EnemyStack { id: spec.id, nation, kind, name, count: seen.count })
    })
}

/// Whether a side sees an enemy in a hex other than a garrison.
pub(super) fn sees_enemy(rules: &Lga, state: &State, hex: Hex, side: Side) -> bool {
    let enemy = |&id: &UnitId| rules.scenario.unit(id).side != side && !state.unit(id).garrison;
    state.stack(hex).iter().any(enemy)
}

/// Whether the phasing side knows of an enemy in a hex: it sees one, or has met his garrison this turn.
pub(super) fn knows_enemy(rules: &Lga, state: &State, hex: Hex, side: Side) -> bool {
    sees_enemy(rules, state, hex, side) || (state.found.contains(&hex) && state.enemy_at(rules, hex, side))
}

/// The ground as the phasing side knows it at this moment of its turn.
pub(super) fn known<'a>(rules: &'a Lga, state: &'a State, side: Side) -> Known<'a> {
    let enemies = state.enemies(rules, side).map(|(hex, _)| hex);
    let held = enemies.filter(|&hex| knows_enemy(rules, state, hex, side)).collect();
    Known::of_parts(rules, &state.control, held, state.enemy_zones(rules, side))
}

/// What a seat learns of an event that is about to happen.
pub(super) fn witness(rules: &Lga, before: &State, event: &Event, to: &Seat) -> Option<Sight> {
    let side = rules.command(to)?.side;
    let eye = Eye { rules, before, side };
    learnt!(event: Event => Sight {
        TurnBegan { date, side };
        Counted { side, points, level };
        Allocated { nation, cities, saved, now };
        OutOfSupply { unit = eye.ours(*unit)?, at };
        Mustered { unit = eye.ours(*unit)?, at, check, loss, morale, destroyed };
        StandingFiled { ; count = file.len() } of { seat, file } if seat == to;
        Aided { to, points };
        Built { unit = eye.ours(*unit)?, at, cost };
        Rallied { unit = eye.ours(*unit)?, morale, cost };
        Moved { unit = eye.named(*unit), from, to, captured; own = eye.owns(*unit) } if eye.owns(*unit) || eye.near(*to);
        Fogged { unit = eye.ours(*unit)?, at, die, loss };
        LongMarch { unit = eye.ours(*unit)?, at, check, gained };
        Attacked {
            attacker = eye.named(*attacker), from, defender = eye.named(*defender), at, garrison, check, result
        } if eye.owns(*attacker) || eye.owns(*defender);
        Garrisoned { unit = eye.ours(*unit)?, at };
        // Where no standing order did it, the player's own order was carried out; the position shows it.
        Topped { unit = eye.ours(*unit)?, at, because = because.clone()? };
        // Of an enemy only a successful arrival is seen.
        Reinforced {
            unit = eye.named(*unit), from, to,
            check = check.clone().filter(|_| eye.owns(*unit)),
            arrived,
            because = if eye.owns(*unit) { because.clone() } else { String::new() };
            own = eye.owns(*unit)
        } if eye.owns(*unit) || *arrived && eye.near(*to);
        // Of an enemy only the withdrawal itself is seen.
        Withdrew {
            unit = eye.named(*unit), from, to,
            check = check.clone().filter(|_| eye.owns(*unit)),
            loss = if eye.owns(*unit) { *loss } else { 0 },
            destroyed = eye.owns(*unit) && *destroyed,
            because = if eye.owns(*unit) { because.clone() } else { String::new() };
            own = eye.owns(*unit)
        } if eye.owns(*unit) || eye.near(*from);
        NotDone { line, order, reason } of { seat } if seat == to;
        Starved { unit = eye.ours(*unit)?, at };
        Besieged { unit = eye.ours(*unit)?, at, die, loss, destroyed };
        Ended { levels, winner };
    } else {
        Event::Recalled { unit, to } => {
            let (name, place) = (&rules.scenario.unit(*unit).name, rules.map.place(*to));
            Some(Sight::Special { text: format!("{name} is called away to {place}.") })
        }
        Event::Amended { change } => amended(rules, before, change, to),
        Event::MoveEnded { .. } | Event::GarrisonFound { .. } => None,
    })
}

/// What a side sees of the position before an event.
struct Eye<'a> {
    rules: &'a Lga,
    before: &'a State,
    side: Side,
}

impl Eye<'_> {
    /// A unit as a report names it.
    fn named(&self, id: UnitId) -> Named {
        let spec = self.rules.scenario.unit(id);
        Named { id, name: spec.name.clone(), nation: spec.nation, kind: spec.kind }
    }

    /// Whether a unit is of the side.
    fn owns(&self, id: UnitId) -> bool {
        self.rules.scenario.unit(id).side == self.side
    }

    /// A unit of the side.
    fn ours(&self, id: UnitId) -> Option<Named> {
        self.owns(id).then(|| self.named(id))
    }

    /// Whether the side sees marches through a hex.
    fn near(&self, hex: Hex) -> bool {
        self.before.watches(self.rules, self.side, hex)
    }
}

/// Whether a roll is a seat's own: it is for a unit of its side, or for a fight with one. Rolls for couriers are not part of these rules.
pub(super) fn shows_roll(rules: &Lga, phase: &str, subject: &str, to: &Seat) -> bool {
    let Some(command) = rules.command(to) else { return false };
    let unit = |text: &str| rules.scenario.find(UnitId(text.strip_prefix('u')?.parse().ok()?));
    let own = |text: &str| unit(text).is_some_and(|spec| spec.side == command.side);
    phase != "courier" && subject.split('-').any(own)
}

/// What a seat learns of a GM's change: everything about its own units and public facts. Of other changes it learns only that something was changed,
/// if it can see that.
fn amended(rules: &Lga, before: &State, change: &Change, to: &Seat) -> Option<Sight> {
    let side = rules.command(to)?.side;
    if change.unit().is_none_or(|unit| rules.scenario.unit(unit).side == side) {
        return Some(Sight::Special { text: change.in_words(rules) });
    }
    let mut after = before.clone();
    after.amend(change);
    let seen = view(rules, before, to) != view(rules, &after, to);
    let text = || "The GM amended the position of the enemy as you see it.".to_owned();
    seen.then(|| Sight::Special { text: text() })
}

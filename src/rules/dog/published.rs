//! The battle as a leader knows it, for programs: what the report tells in words and maps, and nothing else. Its form is published in
//! `docs/schema/dog-view.json`; what is added to it must be told by the report too.

use std::collections::BTreeMap;

use serde::Serialize;

use super::battle::Ground;
use super::data::Dog;
use super::event::Reckoning;
use super::model::{ArmyId, People, Sort, TroopId, UnitId};
use super::view::{Count, OwnUnit, SeenUnit, View, Wait};
use musterd_dice::Seat;
use musterd_engine::hex::Hex;

/// What a leader knows, made of his view and of what everybody knows of the battle.
#[derive(Serialize)]
pub(super) struct Published<'a> {
    army: Option<&'a Seat>,
    wait: Wait,
    round: u16,
    rounds: Option<u16>,
    /// The armies in the order in which they act.
    order: Vec<&'a Seat>,
    leadership: u32,
    ego: u64,
    lost: u64,
    drowned: u64,
    inflicted: u64,
    loot: u64,
    units: Vec<Own<'a>>,
    others: Vec<SeenOther<'a>>,
    /// Enemies that have hidden.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    last_seen: Vec<Remembered<'a>>,
    /// Own units that are to be placed anew.
    to_place: Vec<UnitId>,
    /// Where its units may start, as corners of rectangles; only before the battle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    starts: Vec<(Hex, Hex)>,
    boats: Vec<BoatInSight>,
    bridges: Vec<Hex>,
    /// Sides of hexes with a bridge.
    crossings: Vec<(Hex, Hex)>,
    /// Ground that is not as the battle file has it.
    changed: BTreeMap<Hex, Ground>,
    if_attacked: Vec<String>,
    result: Option<Outcome<'a>>,
}

#[derive(Serialize)]
struct Own<'a> {
    unit: UnitId,
    name: &'a str,
    hex: Hex,
    fighters: Vec<OwnSort<'a>>,
    hidden: bool,
    aboard: bool,
    guards: bool,
    obeys: bool,
    captive_of: Option<UnitId>,
    hunts: Option<UnitId>,
    saved: Option<Saved>,
    swimming: u16,
}

/// A sort of fighters in an own unit.
#[derive(Serialize)]
struct OwnSort<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    count: u16,
    /// How many there were at first.
    first: u16,
    elite: bool,
    people: Option<People>,
    crew: Option<&'a str>,
    /// Volleys left.
    shots: u16,
}

/// Points saved toward a hex, in halves.
#[derive(Serialize)]
struct Saved {
    toward: Hex,
    halves: u16,
}

/// Somebody else's unit in sight.
#[derive(Serialize)]
struct SeenOther<'a> {
    unit: UnitId,
    army: &'a Seat,
    ally: bool,
    name: &'a str,
    hex: Hex,
    types: Vec<TroopKind<'a>>,
    least: u16,
    most: u16,
    /// The round in which it was counted, if nobody counts it now.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted: Option<u16>,
    hidden: bool,
    aboard: bool,
    captive_of: Option<UnitId>,
}

/// An enemy that has hidden, as it was last seen.
#[derive(Serialize)]
struct Remembered<'a> {
    round: u16,
    #[serde(flatten)]
    unit: SeenOther<'a>,
}

#[derive(Serialize)]
struct TroopKind<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    elite: bool,
}

#[derive(Serialize)]
struct BoatInSight {
    hex: Hex,
    /// Who is aboard, if he can be seen.
    carries: Option<UnitId>,
}

#[derive(Serialize)]
struct Outcome<'a> {
    /// The alliance that won.
    winner: Option<&'a str>,
    armies: Vec<Cost<'a>>,
}

/// What the battle cost a leader.
#[derive(Serialize)]
struct Cost<'a> {
    army: &'a Seat,
    lost: u64,
    inflicted: u64,
    leadership_before: u32,
    leadership_after: u32,
    loot: u64,
    maintenance: u64,
}

impl<'a> Published<'a> {
    pub(super) fn of(rules: &'a Dog, view: &'a View) -> Self {
        let names = Names { rules, own: view.army };
        Self {
            army: view.army.map(|army| names.seat(army)),
            wait: view.wait,
            round: view.round,
            rounds: rules.battle().rounds,
            order: view.order.iter().map(|army| names.seat(*army)).collect(),
            leadership: view.leadership,
            ego: view.ego,
            lost: view.lost,
            drowned: view.drowned,
            inflicted: view.inflicted,
            loot: view.loot,
            units: view.own.iter().map(|(id, unit)| names.own(*id, unit)).collect(),
            others: view.others.iter().map(|(id, unit)| names.seen_now(view, *id, unit)).collect(),
            last_seen: view
                .remembered
                .iter()
                .map(|(id, seen)| Remembered { round: seen.round, unit: names.seen(*id, &seen.unit) })
                .collect(),
            to_place: view.waiting.iter().map(|unit| unit.unit).collect(),
            starts: match (view.wait, view.army) {
                (Wait::SetUp, Some(army)) => rules.battle().army(army).starts(&rules.battle().field),
                _ => Vec::new(),
            },
            boats: view
                .boats
                .iter()
                .map(|(hex, carries)| BoatInSight { hex: *hex, carries: *carries })
                .collect(),
            bridges: view.bridges.iter().copied().collect(),
            crossings: view.crossings.iter().copied().collect(),
            changed: view.changed.clone(),
            if_attacked: view.if_attacked.lines(),
            result: view.result.as_ref().map(|(winner, reckonings)| Outcome {
                winner: winner.as_deref(),
                armies: reckonings.iter().map(|reckoning| names.cost(reckoning)).collect(),
            }),
        }
    }
}

/// Names instead of places in tables.
struct Names<'a> {
    rules: &'a Dog,
    own: Option<ArmyId>,
}

impl<'a> Names<'a> {
    fn seat(&self, army: ArmyId) -> &'a Seat {
        &self.rules.battle().army(army).seat
    }

    fn troop(&self, troop: TroopId) -> &'a str {
        &self.rules.numbers().troop(troop).name
    }

    fn own(&self, id: UnitId, unit: &'a OwnUnit) -> Own<'a> {
        let fighters = |(place, sort): (usize, &Sort)| OwnSort {
            kind: self.troop(sort.troop),
            count: sort.fighters,
            first: unit.first.get(place).copied().unwrap_or(sort.fighters),
            elite: sort.elite,
            people: sort.people,
            crew: sort.crew.map(|crew| self.troop(crew)),
            shots: unit.shots.get(place).copied().unwrap_or(0),
        };
        Own {
            unit: id,
            name: &unit.name,
            hex: unit.at,
            fighters: unit.sorts.iter().enumerate().map(fighters).collect(),
            hidden: unit.hidden,
            aboard: unit.aboard,
            guards: unit.guards,
            obeys: unit.obeys,
            captive_of: unit.captive,
            hunts: unit.pursues,
            saved: unit.saved.map(|(toward, halves)| Saved { toward, halves }),
            swimming: unit.swimming,
        }
    }

    /// A unit in sight, with what was told of its number before.
    fn seen_now(&self, view: &View, id: UnitId, unit: &'a SeenUnit) -> SeenOther<'a> {
        let counted = view.counted.get(&id).map(|counted| counted.round);
        let (least, most) = ends(view.count(id, unit));
        SeenOther { least, most, counted, ..self.seen(id, unit) }
    }

    fn seen(&self, id: UnitId, unit: &'a SeenUnit) -> SeenOther<'a> {
        let (least, most) = ends(unit.count);
        let kind = |(troop, elite): &(TroopId, bool)| TroopKind { kind: self.troop(*troop), elite: *elite };
        SeenOther {
            unit: id,
            army: self.seat(unit.army),
            ally: self.own.is_some_and(|own| self.rules.battle().allied(own, unit.army)),
            name: &unit.name,
            hex: unit.at,
            types: unit.kinds.iter().map(kind).collect(),
            least,
            most,
            counted: None,
            hidden: unit.hidden,
            aboard: unit.aboard,
            captive_of: unit.captive,
        }
    }

    fn cost(&self, reckoning: &Reckoning) -> Cost<'a> {
        Cost {
            army: self.seat(reckoning.army),
            lost: reckoning.lost,
            inflicted: reckoning.enemy,
            leadership_before: reckoning.before,
            leadership_after: reckoning.after,
            loot: reckoning.loot,
            maintenance: reckoning.maintenance,
        }
    }
}

/// The fewest and the most.
const fn ends(count: Count) -> (u16, u16) {
    match count {
        Count::Exactly(count) => (count, count),
        Count::About(least, most) => (least, most),
    }
}

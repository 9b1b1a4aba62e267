//! The battle as a leader knows it, for programs: what the report tells in words and maps, and nothing else. Its form is published in
//! `docs/schema/dog-view.json`; what is added to it must be told by the report too.

use std::collections::BTreeMap;

use super::battle::Ground;
use super::data::Dog;
use super::event::Reckoning;
use super::model::{ArmyId, People, Sort, TroopId, UnitId};
use super::view::{LastSeen, OwnUnit, SeenUnit, View, Wait};
use musterd_dice::Seat;
use musterd_engine::hex::Hex;
use musterd_kit::published;

published! {
    /// What a leader knows, made of his view and of what everybody knows of the battle.
    pub(super) struct Published<'a> of (rules: &'a Dog, view: &'a View) with {
        let seat = |army: ArmyId| &rules.battle().army(army).seat;
        let remembered = |(id, seen): (&UnitId, &'a LastSeen)| Remembered::of(rules, view, *id, seen);
    } {
        army: Option<&'a Seat> = view.army.map(seat),
        wait: Wait = view.wait,
        round: u16 = view.round,
        rounds: Option<u16> = rules.battle().rounds,
        /// The armies in the order in which they act.
        order: Vec<&'a Seat> = view.order.iter().map(|army| seat(*army)).collect(),
        leadership: u32 = view.leadership,
        ego: u64 = view.ego,
        lost: u64 = view.lost,
        drowned: u64 = view.drowned,
        inflicted: u64 = view.inflicted,
        loot: u64 = view.loot,
        units: Vec<Own<'a>> = view.own.iter().map(|(id, unit)| Own::of(rules, *id, unit)).collect(),
        others: Vec<SeenOther<'a>> =
            view.others.iter().map(|(id, unit)| SeenOther::now(rules, view, *id, unit)).collect(),
        /// Enemies that have hidden.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        last_seen: Vec<Remembered<'a>> = view.remembered.iter().map(remembered).collect(),
        /// Own units that are to be placed anew.
        to_place: Vec<UnitId> = view.waiting.iter().map(|unit| unit.unit).collect(),
        /// Where its units may start, as corners of rectangles; only before the battle.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        starts: Vec<(Hex, Hex)> = match (view.wait, view.army) {
            (Wait::SetUp, Some(army)) => rules.battle().army(army).starts(&rules.battle().field),
            _ => Vec::new(),
        },
        boats: Vec<BoatInSight> = view.boats.iter().map(|(hex, who)| BoatInSight::of(*hex, *who)).collect(),
        bridges: Vec<Hex> = view.works.bridges.iter().copied().collect(),
        /// Sides of hexes with a bridge.
        crossings: Vec<(Hex, Hex)> = view.works.crossings.iter().copied().collect(),
        /// Ground that is not as the battle file has it.
        changed: BTreeMap<Hex, Ground> = view.works.changed.clone(),
        if_attacked: Vec<String> = view.if_attacked.lines(),
        result: Option<Outcome<'a>> =
            view.result.as_ref().map(|(winner, costs)| Outcome::of(rules, winner.as_deref(), costs)),
    }

    struct Own<'a> of (rules: &'a Dog, id: UnitId, own: &'a OwnUnit) with {
        let sorts = own.sorts.iter().enumerate();
    } {
        unit: UnitId = id,
        name: &'a str = &own.name,
        hex: Hex = own.at,
        fighters: Vec<OwnSort<'a>> = sorts.map(|(place, sort)| OwnSort::of(rules, own, place, sort)).collect(),
        hidden: bool = own.hidden,
        aboard: bool = own.aboard,
        guards: bool = own.guards,
        obeys: bool = own.obeys,
        captive_of: Option<UnitId> = own.captive,
        hunts: Option<UnitId> = own.pursues,
        saved: Option<Saved> = own.saved.map(|(hex, halves)| Saved::of(hex, halves)),
        swimming: u16 = own.swimming,
    }

    /// A sort of fighters in an own unit.
    struct OwnSort<'a> of (rules: &'a Dog, own: &OwnUnit, place: usize, sort: &Sort) {
        #[serde(rename = "type")]
        kind: &'a str = troop(rules, sort.troop),
        count: u16 = sort.fighters,
        /// How many there were at first.
        first: u16 = own.first.get(place).copied().unwrap_or(sort.fighters),
        elite: bool = sort.elite,
        people: Option<People> = sort.people,
        crew: Option<&'a str> = sort.crew.map(|crew| troop(rules, crew)),
        /// Volleys left.
        shots: u16 = own.shots.get(place).copied().unwrap_or(0),
    }

    /// Points saved toward a hex, in halves.
    struct Saved of (hex: Hex, points: u16) {
        toward: Hex = hex,
        halves: u16 = points,
    }

    /// Somebody else's unit in sight.
    struct SeenOther<'a> of (rules: &'a Dog, view: &View, id: UnitId, seen: &'a SeenUnit) with {
        let (fewest, largest) = seen.count.ends();
    } {
        unit: UnitId = id,
        army: &'a Seat = &rules.battle().army(seen.army).seat,
        ally: bool = view.army.is_some_and(|own| rules.battle().allied(own, seen.army)),
        name: &'a str = &seen.name,
        hex: Hex = seen.at,
        types: Vec<TroopKind<'a>> =
            seen.kinds.iter().map(|(of, elite)| TroopKind::of(rules, *of, *elite)).collect(),
        least: u16 = fewest,
        most: u16 = largest,
        /// The round in which it was counted, if nobody counts it now.
        #[serde(skip_serializing_if = "Option::is_none")]
        counted: Option<u16> = None,
        hidden: bool = seen.hidden,
        aboard: bool = seen.aboard,
        captive_of: Option<UnitId> = seen.captive,
    }

    /// An enemy that has hidden, as it was last seen.
    struct Remembered<'a> of (rules: &'a Dog, view: &View, id: UnitId, last: &'a LastSeen) {
        round: u16 = last.round,
        #[serde(flatten)]
        unit: SeenOther<'a> = SeenOther::of(rules, view, id, &last.unit),
    }

    struct TroopKind<'a> of (rules: &'a Dog, of: TroopId, best: bool) {
        #[serde(rename = "type")]
        kind: &'a str = troop(rules, of),
        elite: bool = best,
    }

    struct BoatInSight of (at: Hex, aboard: Option<UnitId>) {
        hex: Hex = at,
        /// Who is aboard, if he can be seen.
        carries: Option<UnitId> = aboard,
    }

    struct Outcome<'a> of (rules: &'a Dog, alliance: Option<&'a str>, costs: &[Reckoning]) {
        /// The alliance that won.
        winner: Option<&'a str> = alliance,
        armies: Vec<Cost<'a>> = costs.iter().map(|cost| Cost::of(rules, cost)).collect(),
    }

    /// What the battle cost a leader.
    struct Cost<'a> of (rules: &'a Dog, reckoning: &Reckoning) {
        army: &'a Seat = &rules.battle().army(reckoning.army).seat,
        lost: u64 = reckoning.lost,
        inflicted: u64 = reckoning.enemy,
        leadership_before: u32 = reckoning.before,
        leadership_after: u32 = reckoning.after,
        loot: u64 = reckoning.loot,
        maintenance: u64 = reckoning.maintenance,
    }
}

impl<'a> SeenOther<'a> {
    /// A unit in sight, with what was told of its number before.
    fn now(rules: &'a Dog, view: &View, id: UnitId, seen: &'a SeenUnit) -> Self {
        let counted = view.counted.get(&id).map(|counted| counted.round);
        let (least, most) = view.count(id, seen).ends();
        Self { least, most, counted, ..Self::of(rules, view, id, seen) }
    }
}

fn troop(rules: &Dog, troop: TroopId) -> &str {
    &rules.numbers().troop(troop).name
}

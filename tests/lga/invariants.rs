//! What must hold in a game of La Grande Armée after every event: units, military points and control hang together
//! ([`State::faults`]), and supply is what the manual says, traced here once more in the plainest way.

use std::collections::BTreeSet;

use musterd_engine::hex::Hex;
use musterd_engine::{Fold, Ruleset};
use musterd_lga::event::Event;
use musterd_lga::model::{Arm, CityRank, Nation, Side, Terrain, UnitId};
use musterd_lga::view::{OwnUnit, View};
use musterd_lga::{Lga, State};

use crate::lga_arena::Onlooker;

/// Holds every event of a game against the invariants; fails at the first that is broken.
#[derive(Default)]
pub(crate) struct Inspector {
    /// Units of the phasing side that began its turn out of supply.
    cut_off: BTreeSet<UnitId>,
    /// Events looked at.
    pub(crate) events: usize,
}

impl Onlooker for Inspector {
    fn adjudicated(&mut self, rules: &Lga, before: &State, events: &[Event]) {
        let mut state = before.clone();
        let mut expected: Option<BTreeSet<UnitId>> = None;
        for event in events {
            let told = |what: &str| format!("{}: {what} by {event:?}", rules.title());
            match event {
                Event::TurnBegan { .. } => self.cut_off.clear(),
                // Supply is checked when points have been counted and paid, before anybody musters.
                Event::OutOfSupply { unit, .. } => {
                    expected.get_or_insert_with(|| unsupplied(rules, &state));
                    self.cut_off.insert(*unit);
                }
                Event::Mustered { .. } if expected.is_none() => {
                    expected = Some(unsupplied(rules, &state));
                }
                Event::Moved { unit, .. } | Event::Attacked { attacker: unit, .. } => {
                    assert!(!self.cut_off.contains(unit), "{}", told("a unit out of supply stirs"));
                }
                // Lost in the muster, and raised anew.
                Event::Built { unit, .. } => {
                    self.cut_off.remove(unit);
                }
                Event::Starved { unit, .. } | Event::Besieged { unit, .. } => {
                    assert!(self.cut_off.contains(unit), "{}", told("a unit in supply starves"));
                }
                _ => {}
            }
            rules.apply(&mut state, event);
            let faults = state.faults(rules);
            assert!(faults.is_empty(), "{}", told(&faults.join("; ")));
            self.events += 1;
        }
        if let Some(expected) = expected {
            assert_eq!(self.cut_off, expected, "{}: units out of supply at {events:?}", rules.title());
        }
    }
}

/// The phasing side's units that no line of supply reaches (manual 2.3, 5.4, rulings LGA-34 and LGA-64).
fn unsupplied(rules: &Lga, state: &State) -> BTreeSet<UnitId> {
    let views: Vec<View> = rules.seats().iter().map(|spec| rules.view(state, &spec.seat)).collect();
    let side = views[0].phasing.unwrap();
    let (ours, theirs): (Vec<&View>, Vec<&View>) = views.iter().partition(|view| view.side == side);
    let units =
        |views: &[&View]| views.iter().flat_map(|view| view.own.values().cloned()).collect::<Vec<_>>();
    let (ours, theirs): (Vec<OwnUnit>, Vec<OwnUnit>) = (units(&ours), units(&theirs));
    let map = &rules.map;
    let on_land = |hex: Hex| map.area(hex).is_some_and(|area| area.terrain != Terrain::Sea);
    let enemies: Vec<&OwnUnit> = theirs.iter().filter(|unit| unit.kind.arm != Arm::Hq).collect();
    let held: BTreeSet<Hex> = enemies.iter().map(|unit| unit.hex).collect();
    let zones: BTreeSet<Hex> = enemies
        .iter()
        .filter(|unit| !unit.garrison && on_land(unit.hex))
        .flat_map(|unit| map.neighbours(unit.hex))
        .collect();
    let control = &views[0].control;
    let source = |hex: Hex| {
        let Some(city) = map.area(hex).and_then(|area| area.city.as_ref()) else { return false };
        let capital = city.rank == CityRank::Capital
            && city.name != "Madrid"
            && (city.name == "Paris") == (side == Side::French)
            && control.get(&hex) == Some(&side);
        let british =
            |unit: &OwnUnit| unit.garrison && unit.hex == hex && Some(unit.nation) == Nation::of("britain");
        capital || city.port && ours.iter().any(british)
    };
    let mut reached: BTreeSet<Hex> = map.hexes().filter(|&hex| source(hex)).collect();
    loop {
        let from = reached.iter().copied().filter(|&hex| source(hex) || !zones.contains(&hex));
        let more: BTreeSet<Hex> = from
            .flat_map(|hex| map.neighbours(hex))
            .filter(|hex| control.get(hex) == Some(&side) && !held.contains(hex) && !reached.contains(hex))
            .collect();
        if more.is_empty() {
            break;
        }
        reached.extend(more);
    }
    let free = |unit: &&OwnUnit| {
        let hinterland = Some(unit.nation) == Nation::of("russia") && unit.hex.col == 30;
        !(Some(unit.nation) == Nation::of("spain")
            || hinterland
            || !on_land(unit.hex)
            || reached.contains(&unit.hex))
    };
    ours.iter().filter(free).map(|unit| unit.id).collect()
}

//! What a side knows, and how it is told.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::briefing::{Briefing, Fact, Item, Map, Part, Scale, Section, Table, Tile};
use musterd_engine::hex::Hex;
use musterd_engine::palette::{Ground, Palette};
use musterd_kit::palette::{BRIDGE, FOREST, SEA};
use serde::Serialize;

use crate::Ford;
use crate::battle::{Event, Places, Side, State, UnitId};

/// What a side knows of the position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
    /// Whose view it is.
    pub side: Side,
    /// The round that is ordered now.
    pub round: u32,
    /// The units in sight, own and hostile.
    pub places: Places,
    /// The strengths of the own units: the enemy's are not told.
    pub strengths: BTreeMap<UnitId, u8>,
}

impl View {
    /// The own units.
    pub(crate) fn own(&self) -> impl Iterator<Item = UnitId> {
        self.strengths.keys().copied()
    }
}

pub(crate) fn view(rules: &Ford, state: &State, side: Side) -> View {
    let is_known = |(id, at): &(&UnitId, &Hex)| id.0 == side || rules.is_seen(**at, side, &state.places);
    let places = state.places.iter().filter(is_known).map(|(id, at)| (*id, *at)).collect();
    let own = state.strengths.iter().filter(|(id, _)| id.0 == side);
    View { side, round: state.round, places, strengths: own.map(|(id, left)| (*id, *left)).collect() }
}

/// What a side learns of an event: a sentence with its details.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sight {
    /// The unit that it is about, if it is about one.
    unit: Option<UnitId>,
    /// Whether it tells of an order that came to nothing, which is nobody else's business.
    failed: bool,
    text: String,
    details: Vec<String>,
}

pub(crate) fn witness(rules: &Ford, before: &State, event: &Event, side: Side) -> Option<Sight> {
    let (unit, failed) = match event {
        Event::Round { .. } | Event::First { .. } => (None, false),
        Event::Failed { unit, .. } => (Some(*unit), true),
        Event::Marched { unit, .. } | Event::Struck { unit, .. } | Event::Amended { unit, .. } => {
            (Some(*unit), false)
        }
    };
    let sight = |text: String, details| Some(Sight { unit, failed, text, details });
    let item = |text: String| sight(text, Vec::new());
    match event {
        Event::Round { round } => item(format!("Round {round} begins.")),
        Event::First { side, face } => {
            sight(format!("The {side} act first."), vec![format!("die {face}: 1 to 3 the Reds")])
        }
        Event::Marched { unit, way } => {
            let is_seen = |hex| unit.0 == side || rules.is_seen(hex, side, &before.places);
            let (from, to) = (before.places[unit], *way.last()?);
            match (is_seen(from), is_seen(to)) {
                (true, true) => item(format!("{unit} marches from {from} to {to}.")),
                (true, false) => item(format!("{unit} marches from {from} out of sight.")),
                (false, true) => item(format!("{unit} comes in sight at {to}.")),
                (false, false) => None,
            }
        }
        Event::Struck { unit, target, face, bonus, loss } => {
            // Both sides see both units: they stand next to each other.
            let end = if before.strengths[target] <= *loss { ", which is gone" } else { "" };
            let details = vec![format!("die {face}, {bonus:+}: costs {loss}")];
            sight(format!("{unit} strikes at {target}{end}."), details)
        }
        Event::Failed { unit, line, why } if unit.0 == side => {
            item(format!("{unit} could not do what line {line} says: {why}."))
        }
        Event::Amended { unit, strength } if unit.0 == side => {
            item(format!("The GM gives {unit} a strength of {strength}."))
        }
        Event::Failed { .. } | Event::Amended { .. } => None,
    }
}

/// The own units that the enemy doesn't see: those in a wood with no enemy on a hex next to it. An enemy there would be in sight.
pub(crate) fn concealed(rules: &Ford, view: &View) -> BTreeSet<String> {
    let unseen = view.own().filter(|id| !rules.is_seen(view.places[id], view.side.enemy(), &view.places));
    unseen.map(|id| concealment(id, view.places[&id])).collect()
}

fn concealment(unit: UnitId, at: Hex) -> String {
    format!("{unit} at {at}")
}

/// The report for observers: without the units that are hidden still, and without orders that came to nothing.
pub(crate) fn shown(rules: &Ford, view: &View, sights: &[Sight], hidden: &BTreeSet<String>) -> Briefing {
    let mut view = view.clone();
    let is_hidden = |unit: &UnitId, at: &Hex| hidden.contains(&concealment(*unit, *at));
    let gone: BTreeSet<UnitId> =
        view.places.iter().filter(|(id, at)| is_hidden(id, at)).map(|(id, _)| *id).collect();
    view.places.retain(|id, _| !gone.contains(id));
    view.strengths.retain(|id, _| !gone.contains(id));
    let is_told = |sight: &&Sight| !sight.failed && sight.unit.is_none_or(|unit| !gone.contains(&unit));
    let sights: Vec<Sight> = sights.iter().filter(is_told).cloned().collect();
    brief(rules, &view, &sights)
}

pub(crate) fn brief(rules: &Ford, view: &View, sights: &[Sight]) -> Briefing {
    let scenario = &rules.scenario;
    let mut table = Table::new(&["Unit", "Name", "Kind", "Hex", ">Strength"]);
    for side in Side::BOTH {
        table.group(format!("The {side}"));
        for (id, at) in view.places.iter().filter(|(id, _)| id.0 == side) {
            let unit = &scenario.units[id];
            let strength = view.strengths.get(id).map_or("?".to_owned(), ToString::to_string);
            table.row([
                id.to_string(),
                unit.name.value.clone(),
                unit.kind.to_string(),
                at.to_string(),
                strength,
            ]);
        }
    }
    let item = |sight: &Sight| Item { text: sight.text.clone(), details: sight.details.clone() };
    let items = sights.iter().map(item).collect();
    let round = format!("Round {} of {}", view.round.min(scenario.rounds), scenario.rounds);
    Briefing {
        title: scenario.title.clone(),
        to: format!("the leader of the {}", view.side),
        date: round.clone(),
        subject: round,
        at_end: Vec::new(),
        standing: vec![Fact {
            label: "Goal".to_owned(),
            text: format!("hold {} at the end", scenario.goal.value),
        }],
        sections: vec![
            Section::of("What happened", vec![Part::Items { numbered: true, items }]),
            Section::of("The field", vec![Part::Map(map(rules, view))]),
            Section::of("Units in sight", vec![Part::Table(table)]),
        ],
    }
}

/// How the signs on the map look.
pub(crate) const PALETTE: Palette = Palette {
    grounds: &[Ground::CLEAR, FOREST.called("wood"), BRIDGE.called("ford"), SEA.called("water")],
    ..Palette::PLAIN
};

/// The sign on maps of a sign in the scenario's rows.
const fn palette_sign(sign: char) -> char {
    match sign {
        'w' => FOREST.sign,
        '=' => BRIDGE.sign,
        '~' => SEA.sign,
        _ => Ground::CLEAR.sign,
    }
}

fn map(rules: &Ford, view: &View) -> Map {
    let tile = |hex: Hex| {
        let sign = rules.sign(hex)?;
        let here = view.places.iter().find(|(_, at)| **at == hex).map(|(id, _)| *id);
        let ground = palette_sign(sign);
        let strength = here.and_then(|id| view.strengths.get(&id));
        let strength = strength.map_or(String::new(), |left| format!("-{left}"));
        let forces = here.map_or(String::new(), |id| format!("{id}{strength}"));
        let pin = here.and_then(|id| id.to_string().chars().next());
        let own = here.is_some_and(|id| id.0 == view.side);
        Some((hex, Tile { ground, forces, pin, own, ..Tile::default() }))
    };
    let last = rules.last();
    let hexes = (1..=last.row).flat_map(|row| (1..=last.col).map(move |col| Hex::new(col, row)));
    let tiles: BTreeMap<Hex, Tile> = hexes.filter_map(tile).collect();
    let grounds = PALETTE.grounds[1..].iter().map(|ground| (ground.sign.to_string(), ground.meaning));
    let legend = grounds.chain([("R1-4".to_owned(), "unit and its strength")]);
    let legend = legend.map(|(sign, meaning)| (sign, meaning.to_owned())).collect();
    Map { legend, ..Map::of(&PALETTE, Scale::Theatre, tiles) }
}

/// The lines of the order form: a march for each unit, to be uncommented.
pub(crate) fn form(rules: &Ford, view: &View) -> Vec<String> {
    view.own().map(|id| format!("# MOVE {id} TO {}", rules.scenario.goal.value)).collect()
}

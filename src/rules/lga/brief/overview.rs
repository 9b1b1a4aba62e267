//! The page of everything, for the GM: all units of all sides, garrisons and standing orders, money, cities, supply.

use std::collections::BTreeMap;

use super::super::data::Lga;
use super::super::fog::Whole;
use super::super::model::{Arm, CityRank, Side};
use super::super::sites::supply_capitals;
use super::super::view::{OwnUnit, View};

use super::{army, head, maps, purse, victory_in_words};
use musterd_engine::briefing::{Briefing, Fact, Item, Part, Section, Table};
use musterd_engine::hex::Hex;
use musterd_text::nouns::count;

/// The position of all sides. It addresses nobody but the GM.
pub(in super::super) fn overview(rules: &Lga, sides: &[Whole]) -> Briefing {
    let mut sections = Vec::new();
    let all = everybody(sides);
    sections.push(Section::of("The map", vec![maps::strategic(rules, &all)]));
    for theatre in maps::theatres(rules, &all) {
        sections.push(Section::of(&theatre.title, vec![Part::Map(theatre.map)]));
    }
    for side in sides {
        sections.extend(of_side(rules, side));
    }
    sections.push(Section::of("Cities", vec![Part::Table(cities(rules, &all))]));
    let subject = match all.phasing {
        Some(side) => format!("{} - {side} to move", all.date),
        None => format!("{} is over", rules.scenario.title),
    };
    let standing = standing(rules, &all);
    Briefing { to: "the GM".to_owned(), standing, ..head(rules, &all, subject, sections) }
}

/// One view of the units of all sides, as if one commander had them all.
fn everybody(sides: &[Whole]) -> View {
    let [first, others @ ..] = sides else { unreachable!("a scenario has sides, each with a seat") };
    let mut all = first.view.clone();
    for side in others {
        all.nations.extend(side.view.nations.iter().copied());
        all.own.extend(side.view.own.iter().map(|(id, unit)| (*id, unit.clone())));
        all.stacks.extend(side.view.stacks.iter().map(|(hex, stack)| (*hex, stack.clone())));
    }
    all.enemies.clear();
    all.forget();
    all
}

/// Whose turn it is, and the points of all.
fn standing(rules: &Lga, all: &View) -> Vec<Fact> {
    let victory = all.victory.iter().map(|one| Fact::of(one.side.to_string(), victory_in_words(one)));
    let purses = rules.scenario.nations().filter_map(|(nation, _)| purse(rules, all, nation));
    let purses = Fact::of("Military points", purses.collect::<Vec<_>>().join(", "));
    let moves = all.phasing.map(|side| Fact::of("To move", format!("The {side} side.")));
    victory.chain([purses]).chain(moves).collect()
}

/// The sections of a side: its army, what it can build, what its seats left as standing orders.
fn of_side(rules: &Lga, Whole { view, standing }: &Whole) -> Vec<Section> {
    let mut sections = vec![Section::chapter(format!("The {} side", view.side))];
    sections.push(Section::of("State", vec![Part::Facts { facts: state(rules, view) }]));
    let units = if view.own.is_empty() {
        vec![Part::text("No unit of this side is on the map.")]
    } else {
        army::own(rules, view)
    };
    sections.push(Section::of("Army", units));
    let pool = army::to_build(rules, view, view.pool.iter().collect());
    sections.extend((!pool.rows.is_empty()).then(|| Section::of("Build pool", vec![Part::Table(pool)])));
    for (seat, file) in standing {
        let items = file.iter().map(|order| Item::of(order.line.clone())).collect();
        let list = Part::Items { numbered: true, items };
        sections.push(Section::of(format!("Standing orders of {seat}"), vec![list]));
    }
    sections
}

/// Strength, sources of supply, and who is out of it.
fn state(rules: &Lga, view: &View) -> Vec<Fact> {
    let units: Vec<&OwnUnit> = view.own.values().filter(|unit| unit.kind.arm != Arm::Hq).collect();
    let morale: i32 = units.iter().map(|unit| i32::from(unit.morale)).sum();
    let strength = format!(
        "{} and {} headquarters on the map, {morale} morale in all; {} to build",
        count(units.len(), "unit"),
        view.own.len() - units.len(),
        count(view.pool.len(), "unit"),
    );
    let held = |hex: &Hex| view.control.get(hex) == Some(&view.side);
    let sources = supply_capitals(rules, view.side).filter(held);
    let sources = sources.map(|hex| rules.map.place(hex).into_owned());
    let listed = |places: Vec<String>| if places.is_empty() { "none".to_owned() } else { places.join(", ") };
    let starving = view.own.values().filter(|unit| !unit.served);
    let starving =
        starving.map(|unit| format!("{} ({}) at {}", unit.name, unit.id, rules.map.place(unit.hex)));
    let cut = view.control.iter().filter(|(hex, side)| **side == view.side && !view.supplied.contains(hex));
    vec![
        Fact::of("Strength", strength),
        Fact::of("Supplied from", listed(sources.collect())),
        Fact::of("Out of supply", listed(starving.collect())),
        Fact::of("Cut off", format!("{} of its hexes", cut.count())),
    ]
}

/// Every city in play: who holds it, and its garrison.
fn cities(rules: &Lga, all: &View) -> Table {
    let garrisons: BTreeMap<Hex, &OwnUnit> =
        all.own.values().filter(|unit| unit.garrison).map(|unit| (unit.hex, unit)).collect();
    let mut table = Table::new(&["city", "rank", "port", "held by", "garrison"]);
    for rank in CityRank::ALL {
        let cities =
            rules.map.cities().filter(|(hex, city)| city.rank == rank && rules.scenario.in_play(*hex));
        for (hex, city) in cities {
            let holder = all.control.get(&hex).map(Side::to_string).unwrap_or_default();
            let garrison = garrisons.get(&hex);
            let garrison = garrison.map(|unit| format!("{} ({})", unit.name, unit.id)).unwrap_or_default();
            let port = if city.port { "port" } else { "" };
            let place = rules.map.place(hex).into_owned();
            table.row([place, rank.word().to_owned(), port.to_owned(), holder, garrison]);
        }
    }
    table
}

//! A battle as a rule book prints it: situation, armies, units for hire, the field. Hidden units of the file are left out, because its reader may
//! lead the other side.

use super::battle::Army;
use super::battle::Works;
use super::brief::{field_map, listed, parts, terms_of_hire};
use super::data::Dog;
use super::words;
use musterd_engine::briefing::{Briefing, Fact, Part, Section, Table};
use musterd_kit::lists::joined;

/// The battle as a document, its map at the end if it is wanted.
pub(super) fn chart(rules: &Dog, map: bool) -> Briefing {
    let battle = rules.battle();
    let length = battle.rounds.map_or_else(
        || "until one side is left".to_owned(),
        |rounds| match &battle.holders {
            Some(holders) => {
                format!("{rounds} rounds; then victory for {holders}, if any of theirs still stand")
            }
            None => format!("{rounds} rounds; then it is drawn"),
        },
    );
    let orders = if battle.by_phase { "moves first, combat after them" } else { "moves and combat together" };
    let on: Vec<&str> = battle.switches.named().filter(|(_, on)| *on).map(|(name, _)| name).collect();
    let facts = vec![
        Fact::of("Scale", format!("{}: {} men to a unit", battle.scale, rules.numbers().limit(battle.scale))),
        Fact::of("Length", length),
        Fact::of("By mail", orders),
        Fact::of("Optional rules", if on.is_empty() { "none".to_owned() } else { on.join(", ") }),
    ];
    let mut sections = vec![
        Section::of("Situation", vec![Part::text(&battle.situation)]),
        Section::of("The battle", vec![Part::Facts { facts }]),
    ];
    sections.extend(battle.armies().iter().map(|army| Section::of(&army.name, this_army(rules, army))));
    if map {
        let field = &battle.field;
        let works = Works::at_start(field);
        let boats: Vec<_> = field.boats.iter().map(|at| (*at, None)).collect();
        for (title, part) in parts(field) {
            let sheet = field_map(rules, &works, &boats, part);
            sections.push(Section::of(title, vec![Part::Map(sheet)]));
        }
        if let (Some(lists), Some(last)) = (listed(field, &works, &boats), sections.last_mut()) {
            last.parts.push(Part::text(&lists));
        }
    }
    Briefing { title: battle.title.clone(), date: battle.date.clone(), sections, ..Briefing::default() }
}

fn this_army(rules: &Dog, army: &Army) -> Vec<Part> {
    let numbers = rules.numbers();
    let mut facts = vec![
        Fact::of("Seat", format!("{}, {}", army.seat, army.leader)),
        Fact::of("Alliance", army.alliance.clone()),
        Fact::of("Leadership", army.leadership.to_string()),
        Fact::of("May start in", army.starts_in(&rules.battle().field)),
    ];
    if let Some(budget) = army.budget {
        let kinds = joined(army.hires.iter().map(|troop| &numbers.troop(*troop).name), ", ");
        facts.push(Fact::of("Money", budget.to_string()));
        facts.push(Fact::of("For hire", kinds));
        facts.extend(terms_of_hire(rules, army).map(|terms| Fact::of("Terms", terms)));
    }
    let mut parts = vec![Part::Facts { facts }];
    let open: Vec<_> = army.units.iter().filter(|unit| !unit.hidden).collect();
    if !open.is_empty() {
        let mut table = Table::new(&["Unit", "Who", "Where", "Name"]);
        for unit in open {
            table.row([
                unit.id.to_string(),
                words::fighters(numbers, &unit.sorts),
                unit.at.map_or_else(|| "its leader chooses".to_owned(), |at| rules.place(at)),
                unit.name.clone(),
            ]);
        }
        parts.push(Part::Table(table));
    }
    parts
}

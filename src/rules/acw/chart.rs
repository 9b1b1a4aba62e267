//! The battle as a rule book prints it: situation, both orders of battle, objectives, hours, the map.

use musterd_engine::briefing::{Briefing, Fact, Part, Scale, Section, Table};
use musterd_engine::hex::Hex;
use musterd_report::text::sentence;

use crate::battle::{Battle, Hour};
use crate::brief;
use crate::data::Acw;
use crate::model::{Echelon, Side};
use crate::words;

/// The battle as a document, its map at the end if it is wanted.
pub(crate) fn chart(rules: &Acw, map: bool) -> Briefing {
    let battle = rules.battle();
    let mut sections = vec![
        Section::of("Situation", vec![Part::text(&battle.situation)]),
        Section::of("The battle", vec![Part::Facts { facts: facts(rules) }]),
        Section::of("Objectives", vec![Part::Table(objectives(battle))]),
    ];
    for side in Side::ALL {
        let army = battle.army(side);
        let parts = vec![Part::Facts { facts: side_facts(battle, side) }, Part::Table(units(battle, side))];
        sections.push(Section::of(format!("{}: {}", sentence(&army.name), army.army), parts));
    }
    sections.push(Section::of(
        "Ground",
        vec![
            Part::text("Cover against fire, what it takes from sight, and the movement points to enter it."),
            Part::Table(grounds(rules)),
        ],
    ));
    if map {
        sections.extend(maps(rules));
        sections.extend(brief::lineup(rules));
    }
    Briefing { title: battle.title.clone(), date: battle.date.clone(), sections, ..Briefing::default() }
}

/// The map of the whole, in halves where it is too wide for one sheet.
fn maps(rules: &Acw) -> Vec<Section> {
    let section = |(_, part): (&str, (Hex, Hex))| {
        let title = format!("The field, columns {} to {}", part.0.col, part.1.col);
        Section::of(title, vec![Part::Map(brief::ground(rules, Scale::Strategic, part))])
    };
    brief::halves(rules).into_iter().map(section).collect()
}

fn facts(rules: &Acw) -> Vec<Fact> {
    let battle = rules.battle();
    let (first, last) = (battle.hour(1), battle.hour(battle.last_turn()));
    let mut facts = vec![
        Fact::of("Scenario", battle.setting.words()),
        Fact::of(
            "Hours",
            format!("{} turns, from {} to {}", battle.last_turn(), words::hour(first), words::hour(last)),
        ),
        Fact::of("Weather", weather(battle)),
        Fact::of("Scale", format!("{} metres a hex", battle.map.metres)),
        Fact::of("Orders", if rules.has_radio() { "all can always be ordered" } else { "by couriers" }),
        Fact::of("Sight", if rules.is_exposed() { "all enemies are seen" } else { "by sight and pickets" }),
    ];
    if !battle.sources.is_empty() {
        facts.push(Fact::of("Sources", battle.sources.clone()));
    }
    facts
}

/// The weather through the battle: `clear; rain from turn 18 to 25`.
fn weather(battle: &Battle) -> String {
    let turns: Vec<(usize, &Hour)> = (1..).zip(&battle.hours).collect();
    let runs = turns.chunk_by(|(_, a), (_, b)| a.weather == b.weather);
    let told = runs.map(|run| {
        let words = run[0].1.weather.words();
        format!("{words} in turns {} to {}", run[0].0, run[run.len() - 1].0)
    });
    told.collect::<Vec<_>>().join("; ")
}

fn objectives(battle: &Battle) -> Table {
    let mut table = Table::new(&["Objective", "Hex", "Held by", "Turns", ">", ">"]);
    for (column, side) in table.columns[4..6].iter_mut().zip(Side::ALL) {
        column.title = format!("{} turn/end", battle.army(side).letter);
    }
    for objective in &battle.objectives {
        let [a, b] = objective.worth.map(|worth| format!("{}/{}", worth.turn, worth.end));
        let held = battle.army(objective.held).name.clone();
        let turns = format!("{}-{}", objective.turns.0, objective.turns.1);
        table.row([objective.name.clone(), objective.hex.to_string(), held, turns, a, b]);
    }
    table
}

fn side_facts(battle: &Battle, side: Side) -> Vec<Fact> {
    let army = battle.army(side);
    let mut facts: Vec<Fact> =
        army.commanders.iter().map(|one| Fact::of("Seat", format!("{}, {}", one.seat, one.title))).collect();
    let men: u32 = army.brigades.iter().map(|spec| spec.men).sum();
    let guns: u32 = army.brigades.iter().filter_map(|spec| spec.guns.as_ref()).map(|(guns, _)| guns).sum();
    facts.push(Fact::of("Strength", format!("{men} men, {guns} guns, {} brigades", army.brigades.len())));
    if let Some(second) = &army.second {
        facts.push(Fact::of("Second", second.name.clone()));
    }
    facts.push(Fact::of("Entrenches", if army.entrench { "yes" } else { "no" }));
    facts
}

/// The order of battle of a side.
fn units(battle: &Battle, side: Side) -> Table {
    let mut table =
        Table::new(&[">No", "Brigade", "Commander", "Type", ">Men", ">Guns", ">Ex", ">Ld", "Comes"]);
    for hq in &battle.army(side).hqs {
        let ratings = format!("leadership {}, staff {}", hq.leadership, hq.staff);
        let command = match hq.echelon {
            Echelon::Army => String::new(),
            _ => format!(": {}", words::command(battle, hq.command)),
        };
        table.group(format!("H{} {}, {} ({ratings}){command}", hq.id.number, hq.name, hq.commander));
        for spec in battle.brigades_under(hq.id) {
            let comes = match spec.start.turn {
                0 => spec.start.at.to_string(),
                turn => format!("turn {turn}, {}", spec.start.at),
            };
            table.row([
                spec.id.number.to_string(),
                spec.name.clone(),
                spec.commander.clone(),
                short(spec.arm).to_owned(),
                spec.men.to_string(),
                spec.guns.as_ref().map_or_else(String::new, |(guns, _)| guns.to_string()),
                spec.experience.to_string(),
                spec.leadership.to_string(),
                comes,
            ]);
        }
    }
    table
}

/// A type of brigade in a table.
const fn short(arm: crate::model::Arm) -> &'static str {
    use crate::model::Arm;
    match arm {
        Arm::Infantry => "inf",
        Arm::MountedInfantry => "mtd",
        Arm::Cavalry => "cav",
        Arm::Artillery => "art",
    }
}

fn grounds(rules: &Acw) -> Table {
    let mut table =
        Table::new(&["Sign", "Ground", ">Cover", ">Sight", ">Column", ">Line", ">Cavalry", ">Guns"]);
    let map = &rules.battle().map;
    for (ground, name, terrain) in rules.numbers().grounds() {
        if !map.hexes().any(|hex| map.ground(hex) == ground) {
            continue;
        }
        let cost = |cost: Option<u16>| cost.map_or_else(|| "no".to_owned(), |cost| cost.to_string());
        table.row([
            terrain.sign.to_string(),
            name.to_owned(),
            terrain.cover.to_string(),
            terrain.sight.to_string(),
            cost(terrain.column),
            cost(terrain.line),
            cost(terrain.cavalry),
            cost(terrain.artillery),
        ]);
    }
    table
}

//! The forces: the own order of battle, the enemy as known, units that can be built, the standing orders.

use std::collections::BTreeSet;

use super::super::data::Lga;
use super::super::model::{Arm, Nation};
use super::super::setting::Builds;
use super::super::sites::known_build_sites;
use super::super::view::{OwnUnit, PoolUnit, View};

use musterd_engine::briefing::{Item, Part, Section, Table};
use musterd_engine::hex::Hex;
use musterd_report::text::listed;
use musterd_text::nouns::count;

/// The own side's units by place, each stack from its top.
pub(super) fn own(rules: &Lga, view: &View) -> Vec<Part> {
    let mut table = Table::new(&[">no", "unit", "type", ">morale", ">fatigue", ">moves", ""]);
    for hex in view.stacks.keys() {
        let (mine, others): (Vec<_>, Vec<_>) = view.stack(*hex).partition(|u| view.commands(u.nation));
        if mine.is_empty() {
            continue;
        }
        let mut place = place_in_words(rules, view, *hex);
        if !others.is_empty() {
            place.push_str(&company(rules, view, *hex, &others));
        }
        table.group(place);
        mine.into_iter().for_each(|unit| table.row(unit_row(rules, unit)));
    }
    if table.rows.is_empty() {
        return vec![Part::text("Not one of your units is on the map.")];
    }
    vec![Part::Table(table)]
}

/// The owners of other pieces in a stack with the reader's, and the unit on top.
fn company(rules: &Lga, view: &View, hex: Hex, others: &[&OwnUnit]) -> String {
    let nations: BTreeSet<&str> = others.iter().map(|unit| rules.name(unit.nation)).collect();
    let nations: Vec<&str> = nations.into_iter().collect();
    let top = view.stack(hex).next();
    let top = top.map_or_else(String::new, |unit| format!("; on top {} ({})", unit.name, unit.id));
    format!(", shared with {}{top}", listed(&nations))
}

/// Every army of a side by nation and place, each stack from its top, with the nations' points.
pub(super) fn armies(rules: &Lga, view: &View) -> Vec<Part> {
    let mut table = Table::new(&["at", "from the top: number, morale now/at most"]);
    for nation in &view.nations {
        let all: Vec<&OwnUnit> = view.own.values().filter(|unit| unit.nation == *nation).collect();
        let units = all.iter().filter(|unit| unit.kind.arm != Arm::Hq).count();
        let points = view.points.get(nation).copied().unwrap_or_default();
        let headquarters = match all.len() - units {
            0 => String::new(),
            n => format!(", {n} HQ"),
        };
        let points = count(points, "military point");
        table.group(format!("{}: {}{headquarters}; {points}", rules.name(*nation), count(units, "unit")));
        for hex in view.stacks.keys() {
            let pieces = view.stack(*hex).filter(|unit| unit.nation == *nation);
            let pieces: Vec<String> = pieces.map(piece_in_words).collect();
            if !pieces.is_empty() {
                table.row([rules.map.place(*hex).into_owned(), pieces.join(", ")]);
            }
        }
    }
    vec![Part::Table(table)]
}

/// A unit in short, `Mack 1 (21) 2/2`, with its special states.
fn piece_in_words(unit: &OwnUnit) -> String {
    let mut words = format!("{} ({})", unit.name, unit.id);
    match unit.kind.arm {
        Arm::Hq => words.push_str(&format!(" {} {:+}", unit.kind, unit.modifier)),
        _ => words.push_str(&format!(" {}/{}", unit.morale, unit.max_morale)),
    }
    if unit.fatigue > 0 {
        words.push_str(&format!(" fatigue {}", unit.fatigue));
    }
    if unit.garrison {
        words.push_str(" garrison");
    }
    if !unit.supplied {
        words.push_str(" cut off");
    }
    words
}

/// The units that a seat can still build, and its orders for the enemy's turn; empty once the game is over.
pub(super) fn reserves(rules: &Lga, view: &View) -> Vec<Section> {
    if view.phasing.is_none() {
        return Vec::new();
    }
    let mut sections = vec![Section::of("Build pool", pool(rules, view))];
    sections.extend(standing(view).map(|parts| Section::of("Standing orders in force", parts)));
    sections
}

/// `Ulm 1507, minor city, out of supply`.
fn place_in_words(rules: &Lga, view: &View, hex: Hex) -> String {
    let mut words = vec![rules.map.place(hex).into_owned()];
    if let Some(area) = rules.map.area(hex) {
        words.push(match area.city.as_ref().map(|city| city.rank) {
            Some(rank) => rank.to_string(),
            None => area.ground(),
        });
    }
    if view.is_cut_off(hex) {
        words.push("OUT OF SUPPLY".to_owned());
    }
    words.join(", ")
}

fn unit_row(rules: &Lga, unit: &OwnUnit) -> [String; 7] {
    let mut notes = Vec::new();
    if unit.garrison {
        notes.push("garrison".to_owned());
    }
    if unit.kind.arm == Arm::Hq {
        notes.push(format!("{:+} in combat", unit.modifier));
    } else if unit.morale == 0 {
        notes.push("demoralised".to_owned());
    }
    if !unit.supplied {
        notes.push("began unsupplied: can't act".to_owned());
    }
    let (morale, fatigue) = match unit.kind.arm {
        Arm::Hq => ("-".to_owned(), "-".to_owned()),
        _ => (format!("{}/{}", unit.morale, unit.max_morale), unit.fatigue.to_string()),
    };
    [
        unit.id.to_string(),
        unit.name.clone(),
        format!("{} {}", rules.adjective(unit.nation), unit.kind),
        morale,
        fatigue,
        unit.moves.to_string(),
        notes.join(", "),
    ]
}

/// The enemy's stacks in sight, and his pieces out of sight as they were last seen.
pub(super) fn enemy(rules: &Lga, view: &View) -> Vec<Part> {
    let mut parts = match view.enemies.is_empty() {
        true => vec![Part::text("No enemy is in sight.")],
        false => vec![Part::Table(in_sight(rules, view))],
    };
    let remembered = out_of_sight(rules, view);
    if !remembered.rows.is_empty() {
        parts.push(Part::text("Out of sight; as last seen:"));
        parts.push(Part::Table(remembered));
    }
    parts
}

fn in_sight(rules: &Lga, view: &View) -> Table {
    let mut table = Table::new(&["at", "on top", "type", "pieces"]);
    for (hex, stack) in &view.enemies {
        let pieces = stack.count.map_or_else(|| "unknown behind the cavalry".to_owned(), |n| n.to_string());
        let kind = format!("{} {}", rules.adjective(stack.nation), stack.kind);
        table.row([rules.map.place(*hex).into_owned(), stack.name.clone(), kind, pieces]);
    }
    table
}

/// The enemy's pieces out of sight that may be where they were last seen, and the garrisons that marches have met, whose names nobody knows.
fn out_of_sight(rules: &Lga, view: &View) -> Table {
    let mut table = Table::new(&["at", "unit", "type", "in the turn", ""]);
    let mut remembered: Vec<_> = view.remembered.iter().filter(|(_, seen)| seen.may_be_there).collect();
    remembered.sort_by_key(|(id, seen)| (seen.at, **id));
    for (id, seen) in remembered {
        let spec = rules.scenario.unit(*id);
        table.row([
            rules.map.place(seen.at).into_owned(),
            spec.name.clone(),
            format!("{} {}", rules.adjective(spec.nation), spec.kind),
            format!("{}, {}", seen.turn.date, seen.turn.side),
            if seen.glimpse.garrison { "garrison".to_owned() } else { String::new() },
        ]);
    }
    for (hex, turn) in &view.garrisons {
        let turn = format!("{}, {}", turn.date, turn.side);
        let place = rules.map.place(*hex).into_owned();
        table.row([
            place,
            "not known".to_owned(),
            String::new(),
            turn,
            "garrison that a march met".to_owned(),
        ]);
    }
    table
}

/// Own units off the map, those that can be built now first.
fn pool(rules: &Lga, view: &View) -> Vec<Part> {
    let pool: Vec<_> = view.pool.iter().filter(|unit| view.commands(unit.nation)).collect();
    if pool.is_empty() {
        let all = view.mine().next().is_some();
        return vec![Part::text(if all {
            "Empty: all your units are on the map."
        } else {
            "Empty: you have no units."
        })];
    }
    let table = to_build(rules, view, pool);
    let nations = view.nations.iter().filter(|nation| view.pool.iter().any(|unit| unit.nation == **nation));
    let sites: Vec<String> = nations.map(|nation| sites_in_words(rules, view, *nation)).collect();
    vec![Part::Table(table), Part::text(format!("As things stand they can be built: {}.", sites.join(", ")))]
}

/// Units off the map with what they cost, those that can be built now first.
pub(super) fn to_build(rules: &Lga, view: &View, mut pool: Vec<&PoolUnit>) -> Table {
    pool.sort_by_key(|unit| (unit.from_year > view.date.year, unit.id));
    let mut table = Table::new(&[">no", "unit", "type", ">points", ""]);
    for unit in pool {
        let purse = view.points.get(&unit.nation).copied().unwrap_or_default();
        let note = if unit.from_year > view.date.year {
            format!("from {}", unit.from_year)
        } else if i32::from(unit.cost) > purse {
            format!("{} has {purse}", rules.name(unit.nation))
        } else {
            String::new()
        };
        let kind = format!("{} {}", rules.adjective(unit.nation), unit.kind);
        table.row([unit.id.to_string(), unit.name.clone(), kind, unit.cost.to_string(), note]);
    }
    table
}

/// `Russian units at Moscow 2906 or St. Petersburg 2701`.
fn sites_in_words(rules: &Lga, view: &View, nation: Nation) -> String {
    let sites = known_build_sites(rules, view, nation);
    let place = match sites.as_slice() {
        [] => "nowhere".to_owned(),
        _ if rules.setting.of(nation).builds == Builds::AnyCity => {
            format!("at any {} city that you hold", rules.adjective(nation))
        }
        sites => {
            let places: Vec<_> = sites.iter().map(|hex| rules.map.place(*hex)).collect();
            format!("at {}", places.join(" or "))
        }
    };
    format!("{} units {place}", rules.adjective(nation))
}

/// The standing orders in force; `None` if there are none.
fn standing(view: &View) -> Option<Vec<Part>> {
    if view.standing.is_empty() {
        return None;
    }
    let items = view.standing.iter().map(|order| Item::of(order.line.clone()));
    Some(vec![Part::Items { numbered: true, items: items.collect() }])
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::{position, rules};
    use super::super::super::model::Side;
    use super::*;

    #[test]
    fn where_units_can_be_built_is_told_of_the_nations_that_have_some_as_things_stand() {
        let spain = rules("spanish-1808");
        let told = |rules: &Lga, given: &str| {
            let parts = pool(rules, &position(rules, Side::Allied, given));
            let Some(Part::Text { text }) = parts.last() else { panic!("{parts:?}") };
            text.clone()
        };
        // Madrid has fallen.
        let fallen = "{date: {season: summer, year: 1808}, phasing: allied, control: {'0408': french}}";
        assert_eq!(
            told(&spain, fallen),
            "As things stand they can be built: Spanish units at any Spanish city that you hold, British units at London 1201."
        );
        let russia = rules("russian-1812");
        let lost = "{date: {season: summer, year: 1812}, phasing: allied, control: {'2906': french}}";
        assert_eq!(
            told(&russia, lost),
            "As things stand they can be built: Russian units at St. Petersburg 2701."
        );
        // Moscow is off this map, and Vienna has fallen.
        let austria = rules("austrian-1805");
        let fallen = "{date: {season: summer, year: 1805}, phasing: allied, control: {'1809': french}}";
        assert_eq!(
            told(&austria, fallen),
            "As things stand they can be built: Austrian units nowhere, Russian units at St. Petersburg 2701."
        );
    }
}

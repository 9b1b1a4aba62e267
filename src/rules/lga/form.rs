//! The order form of a dispatch: every own unit with an example to edit, as comments, and the standing orders in force.

use super::data::Lga;
use super::known::Known;
use super::model::{Arm, Nation};
use super::needs::{can_build, is_aided, rally_price};
use super::order::{Act, Limit, Order, Reaction, Standing, Trigger};
use super::plan::Plan;
use super::read::{reactions, written, written_reaction};
use super::sites::{could_garrison, known_build_sites};
use super::view::{OwnUnit, PoolUnit, View};
use musterd_engine::hex::Hex;
use musterd_kit::form::{HOW_TO, shortened};
use musterd_text::nouns::count;

/// The form, without its frame. Sent back as it is, it orders nothing and keeps the standing file.
pub fn form(rules: &Lga, view: &View) -> Vec<String> {
    let mut lines = Vec::new();
    if view.phasing == Some(view.side) {
        lines.push(HOW_TO.to_owned());
        if rules.allies(&view.seat).next().is_some() {
            lines.push("# Only your own units stand here: your allies order theirs.".to_owned());
        }
        for nation in &view.nations {
            let nation_lines = muster_lines(rules, view, *nation);
            if !nation_lines.is_empty() {
                lines.push(format!(
                    "# {}: {}",
                    rules.name(*nation),
                    count(*view.points.get(nation).unwrap_or(&0), "military point")
                ));
                lines.extend(nation_lines);
            }
        }
        for (hex, stack) in own_stacks(view) {
            let supply = if view.is_cut_off(hex) { " (out of supply)" } else { "" };
            lines.push(format!("# At {}{supply}", rules.map.place(hex)));
            lines.extend(stack.into_iter().map(|unit| suggestion(rules, view, unit)));
        }
    } else {
        lines.push("# Not your turn: only standing orders, your reactions on the enemy's turn.".to_owned());
    }
    lines.extend(standing_lines(rules, view));
    let fit = |line: String| if line.starts_with('#') { shortened(line) } else { line };
    lines.into_iter().map(fit).collect()
}

/// The stacks that the seat commands, hex by hex, top first.
fn own_stacks(view: &View) -> Vec<(Hex, Vec<&OwnUnit>)> {
    view.stacks
        .keys()
        .map(|hex| (*hex, view.stack(*hex).filter(|unit| view.commands(unit.nation)).collect::<Vec<_>>()))
        .filter(|(_, units)| !units.is_empty())
        .collect()
}

/// Aid, builds and rallies that can be paid for.
fn muster_lines(rules: &Lga, view: &View, nation: Nation) -> Vec<String> {
    let points = view.points.get(&nation).copied().unwrap_or(0);
    let mut lines = Vec::new();
    if rules.setting.of(nation).aids && points > 0 {
        let mut nations = rules.scenario.nations().map(|(nation, _)| nation);
        if let Some(ally) = nations.find(|ally| is_aided(rules, nation, *ally)) {
            let points = u16::try_from(points).unwrap_or(u16::MAX);
            lines.push(suggested(Act::Aid { to: ally, points }));
        }
    }
    for unit in view.own.values().filter(|unit| unit.nation == nation) {
        let Ok(cost) = rally_price(rules, unit.kind, unit.morale, false) else { continue };
        let order = suggested(Act::Rally { unit: unit.id });
        lines.push(format!(
            "{order:<28} # {}, morale {}/{}: {}",
            unit.name,
            unit.morale,
            unit.max_morale,
            count(i32::from(cost), "point")
        ));
    }
    let sites = known_build_sites(rules, view, nation);
    let now = |unit: &&PoolUnit| unit.nation == nation && can_build(rules, unit.id, view.date).is_ok();
    for unit in view.pool.iter().filter(now) {
        let order = match sites.as_slice() {
            [] => continue,
            [_] => suggested(Act::Build { unit: unit.id, at: None }),
            [first, ..] => suggested(Act::Build { unit: unit.id, at: Some(*first) }),
        };
        lines.push(format!("{order:<28} # {}, {}: {} points", unit.name, unit.kind, unit.cost));
    }
    lines
}

/// An example for one unit: an attack where an enemy is next to it, else a march to the nearest city.
fn suggestion(rules: &Lga, view: &View, unit: &OwnUnit) -> String {
    let enemy = rules.map.neighbours(unit.hex).find(|hex| view.enemies.contains_key(hex));
    let fights = unit.kind.arm != Arm::Hq && unit.morale > 0;
    let order = if !unit.supplied && could_garrison(&rules.map, view, unit) {
        suggested(Act::Garrison { unit: unit.id, at: None })
    } else if !unit.supplied {
        suggested(Act::End { unit: unit.id })
    } else if let Some(enemy) = enemy.filter(|_| fights) {
        let limit = Limit { rounds: 1, while_morale: None, while_odds: None };
        suggested(Act::Attack { unit: unit.id, at: enemy, limit, enter: false })
    } else {
        format!("# MOVE {} TO {}", unit.id, near_goal(rules, unit.hex))
    };
    let garrison = if unit.garrison { ", garrison" } else { "" };
    let strength = match unit.kind {
        kind if kind.arm == Arm::Hq => format!("{kind} +{}", unit.modifier),
        kind => format!("{kind} {}/{}", unit.morale, unit.max_morale),
    };
    format!("{order:<28} # {}, {strength}{garrison}", unit.name)
}

/// An order behind a `#`.
fn suggested(act: Act) -> String {
    format!("# {}", written(&Order { guard: None, act }))
}

/// The nearest other city in play, the bigger the better: a goal to write over.
fn near_goal(rules: &Lga, from: Hex) -> String {
    let in_play = |hex: &Hex| *hex != from && rules.scenario.in_play(*hex);
    let cities = rules.map.cities().filter(|(hex, _)| in_play(hex));
    let nearest = cities.min_by_key(|(hex, city)| (from.distance(*hex), city.rank));
    nearest.map_or_else(|| from.to_string(), |(_, city)| city.name.clone())
}

/// The standing file in real lines, so that the form sent back changes nothing; an example where there is none.
fn standing_lines(rules: &Lga, view: &View) -> Vec<String> {
    if view.standing.is_empty() {
        let Some(example) = standing_example(rules, view) else { return Vec::new() };
        return vec!["# STANDING".to_owned(), format!("#   {example}"), "# END".to_owned()];
    }
    let mut lines = vec!["STANDING".to_owned()];
    lines.extend(view.standing.iter().map(|standing| standing_line(rules, view, standing)));
    lines.push("END".to_owned());
    lines
}

/// A reinforcement that could be made as things stand.
fn standing_example(rules: &Lga, view: &View) -> Option<String> {
    let known = Known::new(rules, view);
    let plan = Plan::new(rules, view, &known);
    view.mine()
        .flat_map(|unit| rules.map.neighbours(unit.hex).map(|next| (unit.id, next)))
        .map(|(unit, to)| {
            let (reaction, when) = (Reaction::Reinforce { unit, to }, Trigger::HexAttacked { hex: to });
            Standing { line: written_reaction(reaction, when), reaction, when }
        })
        .find(|standing| reactions::check(rules, view, &plan, standing).is_ok_and(|doubts| doubts.is_empty()))
        .map(|standing| standing.line)
}

fn standing_line(rules: &Lga, view: &View, standing: &Standing) -> String {
    let unit = standing.reaction.unit();
    let name = rules.scenario.find(unit).map_or("", |spec| spec.name.as_str());
    let is_in_pool = view.pool.iter().any(|one| one.id == unit);
    let absent = if is_in_pool { "in the build pool" } else { "not on the map" };
    let place = view.own.get(&unit).map_or(absent.into(), |unit| rules.map.place(unit.hex));
    format!("  {:<42} # {name}, {place}", standing.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{opening, rules};
    use crate::model::{Side, UnitId};
    use crate::read::read_orders;
    use musterd_engine::orders::Placed;

    #[test]
    fn the_form_sent_back_orders_nothing_and_every_suggestion_in_it_can_be_read() {
        for scenario in ["austrian-1805", "spanish-1808", "nations-1814", "waterloo-1815"] {
            let rules = rules(scenario);
            for side in rules.scenario.sides.iter().map(|s| s.side) {
                let view = opening(&rules, side);
                let lines = form(&rules, &view);
                assert!(lines.iter().all(|line| line.len() <= 78 && line.is_ascii()), "{lines:#?}");
                let reading = read_orders(&rules, &view, &lines.join("\n"));
                assert!(reading.orders.is_empty() && reading.remarks.is_empty(), "{:?}", reading.remarks);
                let standing: Vec<&str> = lines.iter().rev().take(3).rev().map(|line| &line[1..]).collect();
                let reading = read_orders(&rules, &view, &standing.join("\n"));
                assert!(
                    reading.orders.len() == 1 && reading.remarks.is_empty(),
                    "{standing:?} {:?}",
                    reading.remarks
                );
                for line in lines.iter().filter(|line| line.contains("  # ")) {
                    let reading = read_orders(&rules, &view, &line[1..]);
                    assert!(!reading.has_errors() || line.contains("BUILD"), "{line}: {:?}", reading.remarks);
                    assert!(reading.orders.len() == 1 || line.contains("BUILD"), "{line}");
                }
            }
        }
    }

    #[test]
    fn what_is_cut_off_may_go_into_its_city_where_nobody_garrisons_it() {
        let rules = rules("austrian-1805");
        let mut view = opening(&rules, Side::French);
        view.supplied.clear();
        view.own.values_mut().for_each(|unit| (unit.supplied, unit.served) = (false, false));
        let lines = form(&rules, &view);
        let has = |start: &str| lines.iter().any(|line| line.starts_with(start));
        assert!(has("# GARRISON 2 "), "II Marmont at Amsterdam: {lines:#?}");
        assert!(has("# END 3 ") && !has("# GARRISON 3 "), "VI Ney garrisons Boulogne: {lines:#?}");
        assert!(lines.iter().any(|line| line == "# At Boulogne 1203 (out of supply)"), "{lines:#?}");
    }

    #[test]
    fn the_standing_file_survives_the_form() {
        let rules = rules("austrian-1805");
        let mut view = opening(&rules, Side::French);
        let text =
            "STANDING\nREINFORCE 3 TO 1303\nTOP 5 WHEN 5 ATTACKED\nWITHDRAW 7 TO Paris WHEN 7 MORALE <= 1";
        let Act::Standing { file } = read_orders(&rules, &view, text).orders.remove(0).order.act else {
            panic!()
        };
        assert_eq!(file[1].order.when, Trigger::UnitAttacked { unit: UnitId(5) });
        view.standing = file.iter().map(|placed| placed.order.clone()).collect();
        for phasing in [Side::French, Side::Allied] {
            view.phasing = Some(phasing);
            let reading = read_orders(&rules, &view, &form(&rules, &view).join("\n"));
            let [Placed { order: Order { act: Act::Standing { file }, .. }, .. }] = reading.orders.as_slice()
            else {
                panic!("{reading:?}")
            };
            let reread: Vec<_> = file.iter().map(|placed| placed.order.clone()).collect();
            assert_eq!(reread, view.standing);
        }
    }
}

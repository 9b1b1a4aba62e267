//! The receipt's summary of a set of orders: each in full words, with its cost and expected effect.

use super::ahead::ahead;
use super::data::Lga;
use super::forecast::Forecast;
use super::known::Known;
use super::model::{Arm, UnitId};
use super::order::{Act, Order, Reaction, Stage, Standing, Trigger};
use super::plan::Plan;
use super::read::play_through;
use super::view::View;
use musterd_engine::orders::{Placed, Reading, Recap, Understood, joined};
use musterd_text::nouns::count;

/// Reads orders, and describes them together with what every unit without an order will do. Everything comes from the view.
pub fn read_back(rules: &Lga, view: &View, text: &str) -> (Reading<Order>, Recap) {
    let known = Known::new(rules, view);
    let mut plan = Plan::new(rules, view, &known).in_words();
    let mut forecast = Forecast::new(rules, view);
    let mut said: Vec<Understood> = Vec::new();
    let mut attacks = false;
    let reading = play_through(rules, view, text, &mut plan, &mut |line, order, outlook| {
        let mut effect = outlook.effect;
        attacks |= outlook.attack.is_some();
        let attack = outlook.attack.as_ref().zip(order.act.unit());
        if let Some(odds) = attack.and_then(|((at, by), unit)| forecast.of(unit, *at, by)) {
            effect.push_str(". ");
            effect.push_str(&odds);
        }
        said.push(Understood { line, order: outlook.order, effect });
    });
    for placed in &reading.orders {
        if let Act::Standing { file } = &placed.order.act {
            said.extend(standing(rules, placed.line, file));
        }
    }
    // They were played in the order of their carrying out. Those of a line have one stage, and stay as they were.
    said.sort_by_key(|understood| understood.line);
    let defaults = defaults(rules, view, &reading, &plan);
    let is_on_turn = view.phasing == Some(view.side);
    let mut to_come = if is_on_turn { ahead(rules, view, &known, &plan) } else { Vec::new() };
    if attacks {
        to_come.insert(0, WITHOUT_STANDING_ORDERS.to_owned());
    }
    (reading, Recap { orders: said, defaults, ahead: to_come })
}

/// What no odds of attacks reckon with; told once.
const WITHOUT_STANDING_ORDERS: &str =
    "Attacks: the odds leave out the enemy's standing orders: who then lies on top, and who comes to help.";

fn standing(rules: &Lga, section: usize, file: &[Placed<Standing>]) -> Vec<Understood> {
    let said = |line: usize, order: String| Understood { line, order, effect: String::new() };
    if file.is_empty() {
        return vec![said(section, "No standing orders from now on".to_owned())];
    }
    let reaction = |placed: &Placed<Standing>| {
        let words = reaction_in_words(rules, &placed.order);
        said(placed.line, joined(["Standing: ", &words]))
    };
    file.iter().map(reaction).collect()
}

/// `reinforce Ulm 1507 with VI Ney (6) when Ulm 1507 is attacked`.
pub fn reaction_in_words(rules: &Lga, standing: &Standing) -> String {
    let name = |unit: UnitId| rules.scenario.called(unit);
    let place = |hex| rules.map.place(hex);
    let mut words = match standing.reaction {
        Reaction::Reinforce { unit, to } => joined(["reinforce ", &place(to), " with ", &name(unit)]),
        Reaction::Withdraw { unit, to } => joined(["withdraw ", &name(unit), " to ", &place(to)]),
        Reaction::Top { unit, at: None } => joined(["put ", &name(unit), " on top"]),
        Reaction::Top { unit, at: Some(at) } => joined(["put ", &name(unit), " on top at ", &place(at)]),
    };
    let mut add = |texts: &[&str]| texts.iter().for_each(|text| words.push_str(text));
    match standing.when {
        Trigger::HexAttacked { hex } => add(&[" when ", &place(hex), " is attacked"]),
        Trigger::UnitAttacked { unit } => add(&[" when ", &name(unit), " is attacked"]),
        Trigger::MoraleAtMost { unit, morale } => {
            add(&[" when ", &name(unit), " has morale ", &morale.to_string(), " or less"]);
        }
        Trigger::HexEntered { hex } => add(&[" when ", &place(hex), " is entered"]),
        Trigger::Always => add(&[" as soon as it is allowed"]),
    }
    words
}

/// What units without an order, and other unused things, will do.
fn defaults(rules: &Lga, view: &View, reading: &Reading<Order>, plan: &Plan<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if view.phasing == Some(view.side) {
        let acts = |unit: UnitId| {
            let field = |p: &&Placed<Order>| p.order.act.stage() == Stage::Field;
            reading.orders.iter().filter(field).any(|p| p.order.act.unit() == Some(unit))
        };
        let idle: Vec<_> = plan.pieces().filter(|p| view.commands(p.nation) && !acts(p.id)).collect();
        let garrisons = idle.iter().filter(|p| p.garrison).count();
        let others: Vec<_> = idle.iter().filter(|p| !p.garrison).map(|p| plan.name(p.id)).collect();
        lines.extend(match others.as_slice() {
            [] => None,
            [one] => Some(format!("{one} has no order and stays where it is.")),
            several => {
                Some(format!("{} units have no order and stay: {}.", several.len(), several.join(", ")))
            }
        });
        match garrisons {
            0 => {}
            1 => lines.push("1 garrison stays one.".to_owned()),
            n => lines.push(format!("{n} garrisons stay as they are.")),
        }
        lines.extend(unspent(rules, view, plan));
    }
    let files = reading.orders.iter().any(|p| matches!(p.order.act, Act::Standing { .. }));
    match view.standing.len() {
        _ if files => {}
        0 => lines.push("You have no standing orders.".to_owned()),
        1 => lines.push("Your standing order stands.".to_owned()),
        n => lines.push(format!("Your {n} standing orders stand.")),
    }
    lines
}

/// Unspent points that would buy something.
fn unspent(rules: &Lga, view: &View, plan: &Plan<'_>) -> Vec<String> {
    let hurt = |nation| {
        let below =
            |p: &&super::plan::Piece| p.kind.arm != Arm::Hq && p.morale < rules.stats(p.kind).max_morale;
        plan.pieces().filter(|p| p.nation == nation).filter(below).count()
    };
    view.nations
        .iter()
        .filter(|nation| plan.points(**nation) > 0)
        .map(|nation| {
            let points = plan.points(*nation);
            let keeps = count(points, "military point");
            let hurt = hurt(*nation);
            let nation = rules.name(*nation);
            match hurt {
                0 => format!("{nation} keeps {keeps}."),
                1 => format!("{nation} keeps {keeps}; 1 unit is below full morale."),
                n => format!("{nation} keeps {keeps}; {n} units are below full morale."),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{opening, rules};
    use crate::model::Side;

    fn said(text: &str) -> Recap {
        let rules = rules("austrian-1805");
        let view = opening(&rules, Side::French);
        read_back(&rules, &view, text).1
    }

    #[test]
    fn a_march_is_said_with_its_way_and_cost() {
        let recap = said("MOVE 3 TO Frankfurt");
        assert_eq!(recap.orders[0].order, "Move III Davout (3) from Boulogne 1203 to Frankfurt 1505");
        assert_eq!(
            recap.orders[0].effect,
            "by 1303, Antwerp 1403, Cologne 1404, Frankfurt 1505: 4 of 5 moves; 19% risk of fog"
        );
        assert_eq!(said("MOVE 14 TO 1303").orders[0].effect, "by 1303: 1 of 7 moves");
        assert!(
            said("MOVE 10 TO Frankfurt").orders[0]
                .effect
                .ends_with("4 of 4 moves; 14% risk of fog; a long march")
        );
    }

    #[test]
    fn an_attack_is_said_with_its_odds_and_first_with_what_is_not_known() {
        let recap = said("MOVE 1 TO 1406\nATTACK Ulm WITH 1 x2");
        assert_eq!(
            recap.orders[1].order,
            "Attack Ulm 1507 with I Bernadotte (1) from Stuttgart 1406, up to 2 rounds"
        );
        let effect = "not known: its morale and fatigue, reckoned as full (2) and none; whether an HQ is with it, which would make this -1; whether \
                      the city has a garrison, which would come last at -2. Odds +0 (morale +3, defender's morale -2, across a river -1). Top unit destroyed 22.2%, hurt 36.1%; until it falls, ours loses 1.89 morale, destroyed 19.4%; not reckoned with: 1 more \
                      below it. Destroyed if its morale is 1: 61.1%, 0: 94.4%";
        assert_eq!(recap.orders[1].effect, effect);
    }

    #[test]
    fn what_is_not_known_of_a_hex_is_told_of_the_first_attack_that_it_matters_to_and_once() {
        let recap = said(
            "MOVE 12, 13 TO 1407\nATTACK Ulm WITH 12\nATTACK Ulm WITH 13 UNTIL CLEAR THEN ENTER\nATTACK Ulm WITH 13 x2",
        );
        let effects: Vec<&str> =
            recap.orders.iter().filter(|said| said.line > 1).map(|said| said.effect.as_str()).collect();
        assert!(effects[0].starts_with(
            "not known: its morale and fatigue, reckoned as full (2) and none; whether an HQ is with it"
        ));
        assert!(!effects[0].contains("garrison"), "one round doesn't get to it: {}", effects[0]);
        let garrison = "not known: whether the city has a garrison, which would come last at -2. Odds ";
        assert!(effects[1].starts_with(garrison), "{}", effects[1]);
        assert!(effects[2].starts_with("odds at best "), "{}", effects[2]);
    }

    #[test]
    fn a_receipt_with_an_attack_says_once_that_standing_orders_are_left_out_of_the_odds() {
        let told = |text: &str| {
            let ahead = said(text).ahead;
            ahead.iter().filter(|line| line.as_str() == WITHOUT_STANDING_ORDERS).count()
        };
        assert_eq!(told("MOVE 1, 12 TO 1407\nATTACK Ulm WITH 1\nATTACK Ulm WITH 12"), 1);
        assert_eq!(told("MOVE 1 TO 1407"), 0);
    }

    #[test]
    fn a_receipt_says_what_the_condition_on_the_odds_leaves_out_where_that_matters() {
        let rules = rules("austrian-1805");
        let view = opening(&rules, Side::French);
        let told = |least: i8| -> Vec<String> {
            let text = format!("MOVE 12 TO 1406\nATTACK Ulm WITH 12 WHILE ODDS >= {least}");
            let remarks = read_back(&rules, &view, &text).0.remarks.into_iter();
            remarks.map(|remark| remark.text).filter(|text| text.contains("without the enemy's")).collect()
        };
        assert_eq!(
            told(5),
            [
                "It will not attack: the known odds are +1, below +5 (without the enemy's morale, fatigue and headquarters)."
            ]
        );
        assert_eq!(
            told(0),
            [
                "It attacks all the same: without the enemy's morale, fatigue and headquarters the odds are +1, and `WHILE ODDS` asks for +0 of them."
            ]
        );
        assert_eq!(told(-1), [""; 0]);
    }

    #[test]
    fn points_are_counted_down() {
        let recap = said("BUILD 17\nMOVE 17 TO Orleans");
        assert_eq!(recap.orders[0].order, "Build Rhine Mil (17), militia, at Paris 1104");
        assert_eq!(recap.orders[0].effect, "7 points; France has 1 left");
        assert_eq!(recap.orders[1].order, "Move Rhine Mil (17) from Paris 1104 to Orleans 1105");
    }

    #[test]
    fn what_has_no_order_is_told() {
        let recap = said("END 3, 4, 5, 7, 8, 10, 11, 12, 13, 14, 15, 16\nSTANDING\nREINFORCE 3 TO 1303");
        assert_eq!(
            recap.orders[12].order,
            "Standing: reinforce 1303 with III Davout (3) when 1303 is attacked"
        );
        assert_eq!((recap.orders[11].line, recap.orders[12].line), (1, 3), "each under its own line");
        let defaults = [
            "2 units have no order and stay: I Bernadotte (1), II Marmont (2).",
            "2 garrisons stay as they are.",
            "France keeps 8 military points.",
        ];
        assert_eq!(recap.defaults, defaults);
    }

    #[test]
    fn who_is_out_of_supply_where_his_orders_leave_him_is_told_and_what_the_muster_may_cost_him() {
        let stay = said("").ahead;
        assert_eq!(stay.len(), 2, "{stay:?}");
        assert!(stay[0].starts_with("Supply: all your units are in supply"), "{stay:?}");
        assert!(stay[0].ends_with("as far as you see and before the enemy moves."), "{stay:?}");
        let rules = rules("austrian-1805");
        let mut view = opening(&rules, Side::French);
        // Paris, where every line of supply begins, has fallen.
        let fallen =
            View { control: view.control.keys().map(|hex| (*hex, Side::Allied)).collect(), ..view.clone() };
        let ahead = read_back(&rules, &fallen, "").1.ahead;
        assert!(ahead[0].starts_with(
            "Supply: out of it where these orders leave them, as far as you see and before the enemy moves: "
        ));
        assert!(ahead[0].contains("III Davout (3) at Boulogne 1203"), "{ahead:?}");
        assert!(ahead[1].starts_with("Muster in Autumn 1805") && ahead[1] != stay[1], "{ahead:?}");
        // Who began this turn out of supply and stays so is lost, or besieged.
        for (id, garrison) in [(3, false), (6, true)] {
            let unit = view.own.get_mut(&UnitId(id)).unwrap();
            (unit.hex, unit.supplied, unit.garrison) = ("1507".parse().unwrap(), false, garrison);
        }
        let ahead = read_back(&rules, &view, "").1.ahead;
        assert_eq!(ahead[0], "Lost for want of supply when this turn ends: III Davout (3) at Ulm 1507.");
        assert!(
            ahead[1].starts_with("VI Ney (6) stands a siege in Ulm 1507 when this turn ends: it falls in ")
        );
        let fights = said("MOVE 1 TO 1406\nATTACK Ulm WITH 1").ahead;
        assert!(
            fights[2].contains(
                " where these orders leave them and before the enemy moves, but for what attacks may cost before it: "
            ),
            "{fights:?}"
        );
        assert!(!stay[1].contains("attacks"), "{stay:?}");
        let theirs = View { phasing: Some(Side::Allied), ..opening(&rules, Side::French) };
        assert_eq!(read_back(&rules, &theirs, "").1.ahead, Vec::<String>::new());
    }
}

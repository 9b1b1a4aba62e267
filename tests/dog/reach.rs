//! `REACH`: how far units get in a round, by what their leader sees.

use musterd_dog::{Dog, shipped};
use musterd_engine::Ruleset;
use musterd_report::text::sections as page;

use crate::common::pages::golden;
use crate::common::reach::{Named, goals, holds, refuses};
use crate::orders::first_round;

fn battle(name: &str) -> Dog {
    Dog::from_files(&shipped(name).unwrap(), &[]).unwrap()
}

#[test]
fn every_goal_is_one_that_orders_take() {
    for name in ["daerquwa", "reed-causeway", "training"] {
        let rules = battle(name);
        for view in first_round(&rules) {
            let ordered = holds(&rules, &view, 6, Named::by_hex);
            assert!(ordered > 2, "{name} {}: {ordered}", view.seat);
        }
    }
}

#[test]
fn a_unit_is_told_what_it_gets_to_for_how_many_points() {
    let rules = battle("training");
    let view = &first_round(&rules)[0];
    let id = view.own.keys().next().unwrap();
    let answer = rules.reach(view, &id.to_string()).unwrap();
    golden("reach-dog", &format!("{}\n\n{}", answer.title, page(&answer)));
    // As far as the receipt of each march says, and no farther.
    let told: Vec<_> = goals(&answer).iter().map(Named::hex).collect();
    for hex in rules.battle().field.hexes().filter(|hex| *hex != view.own[id].at) {
        let (_, recap) = rules.read_back(view, &format!("MOVE {id} TO {hex}"));
        let effect = recap.orders.first().map_or("", |order| order.effect.as_str());
        let arrives = effect.contains(" points") && !effect.contains("this round");
        assert_eq!(told.contains(&hex), arrives, "{hex}: {effect}");
    }
}

#[test]
fn what_is_asked_wrongly_is_pointed_at() {
    let rules = battle("training");
    let view = &first_round(&rules)[0];
    refuses(&rules, view, "99", "yours are");
    let setting_up = rules.view(&rules.found(), &rules.battle().armies()[0].seat);
    assert!(rules.reach(&setting_up, "1").unwrap_err().text.contains("has not begun"));
}

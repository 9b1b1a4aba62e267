//! `REACH`: how far units get in a block, by what their commander sees.

use musterd_engine::Ruleset;
use musterd_report::text::sections as page;
use musterd_sa::model::Side;

use crate::common::pages::golden;
use crate::common::reach::{Named, goals, holds, refuses};
use crate::orders::{battle, view_after};

#[test]
fn every_goal_is_one_that_orders_take() {
    for name in ["mill", "ormolu", "issus"] {
        let rules = battle(name);
        for (side, steps) in [(Side::A, 1), (Side::A, 3), (Side::B, 4)] {
            let view = view_after(&rules, side, steps);
            if view.orders_now() {
                let ordered = holds(&rules, &view, 8, Named::by_hex);
                assert!(ordered > 5, "{name} {side:?} {steps}: {ordered}");
            }
        }
    }
}

#[test]
fn a_unit_is_told_when_it_gets_where() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    let answer = rules.reach(&view, "1").unwrap();
    golden("reach-sa", &format!("{}\n\n{}", answer.title, page(&answer)));
    // The receipt of each march has it there at the same time.
    let told = goals(&answer);
    assert!(told.len() > 3, "{told:?}");
    for named in &told {
        let (_, recap) = rules.read_back(&view, &named.by_hex());
        let ahead = recap.ahead.join("\n");
        assert!(ahead.contains(&named.hex().to_string()), "{named:?}: {ahead}");
    }
}

#[test]
fn what_is_asked_wrongly_is_pointed_at() {
    let rules = battle("mill");
    let view = view_after(&rules, Side::A, 3);
    refuses(&rules, &view, "99", "");
    let foe = rules.reach(&view, "B1").unwrap_err();
    assert!(foe.text.contains("is the enemy's"), "{foe:?}");
}

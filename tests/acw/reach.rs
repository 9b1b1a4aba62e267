//! `REACH`: how far brigades and headquarters get, by what their commander sees.

use musterd_acw::view::View;
use musterd_acw::{Acw, shipped};
use musterd_engine::{Input, Ruleset, Scribe};
use musterd_report::text::sections as page;

use crate::common::Loose;
use crate::common::pages::golden;
use crate::common::reach::{Named, goals, holds, refuses};

fn battle(name: &str) -> Acw {
    Acw::from_files(&shipped(name).unwrap(), &[]).unwrap()
}

/// What the commander of the first seat or the second sees in the first turn.
fn view(rules: &Acw, seat: usize) -> View {
    let mut dice = Loose::numbered(1);
    let mut scribe = Scribe::new(rules, rules.found(), 1, &mut dice);
    rules.step(&mut scribe, &Input { orders: [].into() });
    rules.view(scribe.state(), &rules.seats()[seat].seat)
}

/// The order to go to a goal: objectives by name, deployments by direction, a headquarters' way by hex.
pub(crate) fn line(named: &Named) -> String {
    let hex = named.hex().to_string();
    let name = named.place.trim_end_matches(&hex).trim();
    match named.order.split(' ').next() {
        Some("ARMY") => named.by_hex(),
        Some("DEPLOY") => format!("{} {name}", named.order),
        _ if named.order.ends_with("TO") => format!("{} {name}", named.order),
        _ => named.order.clone(),
    }
}

#[test]
fn every_goal_is_one_that_orders_take() {
    for name in ["kellys-mill", "bull-run", "shiloh"] {
        let rules = battle(name);
        let ordered: usize = (0..2).map(|seat| holds(&rules, &view(&rules, seat), 60, line)).sum();
        assert!(ordered > 20, "{name}: {ordered}");
    }
}

#[test]
fn a_brigade_is_told_its_marches_and_its_deployments() {
    let rules = battle("kellys-mill");
    let view = view(&rules, 0);
    let answer = rules.reach(&view, "1").unwrap();
    golden("reach-acw", &format!("{}\n\n{}", answer.title, page(&answer)));
    let army = rules.reach(&view, "H1").unwrap();
    assert!(goals(&army).iter().all(|named| named.order == "ARMY MOVE TO"), "{army:?}");
    for named in goals(&army) {
        let (_, recap) = rules.read_back(&view, &line(&named));
        assert!(recap.orders[0].effect.contains("it gets to"), "{named:?}: {recap:?}");
    }
}

#[test]
fn what_is_asked_wrongly_is_pointed_at() {
    let rules = battle("kellys-mill");
    refuses(&rules, &view(&rules, 0), "99", "yours are");
}

//! `REACH`: how far brigades and headquarters get, by what their commander sees.

use musterd_acw::model::Side;
use musterd_acw::view::View;
use musterd_acw::{Acw, shipped};
use musterd_engine::founding::OPTIONS_FILE;
use musterd_engine::{Input, Ruleset, Scribe};
use musterd_report::text::sections as page;

use crate::common::Loose;
use crate::common::pages::golden;
use crate::common::reach::{Named, goals, holds, refuses};
use crate::orders::bull_run;

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

/// A march goes by the point on its line of march, as the receipt and the phases have it.
#[test]
fn the_answer_goes_where_the_receipt_of_the_same_order_does() {
    let (rules, view) = bull_run("", Side::A);
    let mut compared = 0;
    for number in 1..=20_u8 {
        let Ok(answer) = rules.reach(&view, &number.to_string()) else { continue };
        for named in goals(&answer).iter().filter(|named| named.order == format!("COLUMN {number}")) {
            let (_, recap) = rules.read_back(&view, &named.order);
            let effect = &recap.orders[0].effect;
            assert!(effect.contains(&named.hex().to_string()), "{named:?}: {effect}");
            compared += 1;
        }
    }
    assert!(compared > 3, "{compared}");
}

/// Hours of a block are played before anybody is asked again, and so are those of its answer.
#[test]
fn a_mail_turn_of_several_hours_is_told_as_a_whole() {
    let farthest = |options: &str| {
        let (rules, view) = bull_run(options, Side::A);
        assert!(holds(&rules, &view, 30, line) > 10, "{options}");
        page(&rules.reach(&view, "5").unwrap())
    };
    let (hour, block) = (farthest(""), farthest("block: 3"));
    assert!(hour.contains("this turn as far as 1503"), "{hour}");
    assert!(block.contains("1 hour") || block.contains(" hours"), "{block}");
    assert!(!block.contains("as far as 1503") && block.contains("movement points an hour"), "{block}");
}

/// The headquarters of a corps goes over to a brigade of its own (ACW-78).
#[test]
fn a_corps_commander_is_told_how_his_headquarters_goes() {
    let mut files = shipped("shiloh").unwrap();
    files.0.insert(OPTIONS_FILE.to_owned(), "command: corps\n".to_owned());
    let rules = Acw::from_files(&files, &[]).unwrap();
    let views = (0..rules.seats().len()).map(|seat| view(&rules, seat));
    let of_corps = views.filter(|view| view.hq.is_some_and(|hq| !hq.is_army() && view.hq(hq).at.is_some()));
    let mut asked = 0;
    for view in of_corps {
        let told = page(&rules.reach(&view, &format!("H{}", view.hq.unwrap().number)).unwrap());
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("ARMY MOVE TO a place moves it: it goes over to the brigade"), "{told}");
        asked += 1;
    }
    assert!(asked > 1, "{asked}");
}

#[test]
fn what_is_asked_wrongly_is_pointed_at() {
    let rules = battle("kellys-mill");
    refuses(&rules, &view(&rules, 0), "99", "yours are");
}

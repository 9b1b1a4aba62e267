//! `REACH`: how far units get, by what their side sees.

use musterd_engine::Ruleset;
use musterd_engine::briefing::Part;
use musterd_lga::model::Side;
use musterd_lga::view::View;
use musterd_lga::{Lga, shipped};

use crate::common::pages::golden;
use crate::common::reach::{Named, goals, holds, refuses};
use musterd_report::text::sections as page;

fn rules(scenario: &str) -> Lga {
    Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap()
}

/// What a side sees at the start, when it is the turn of `phasing`.
fn view(rules: &Lga, seat: &str, phasing: Side) -> View {
    View { phasing: Some(phasing), ..rules.view(&rules.found(), &seat.parse().unwrap()) }
}

#[test]
fn every_goal_is_one_that_orders_take() {
    for scenario in ["austrian-1805", "spanish-1808", "waterloo-1815"] {
        let rules = rules(scenario);
        for (seat, side) in [("french", Side::French), ("allied", Side::Allied)] {
            let ordered = holds(&rules, &view(&rules, seat, side), 90, Named::by_hex);
            assert!(ordered > 20, "{scenario} {seat}: {ordered}");
        }
    }
}

#[test]
fn a_corps_is_told_what_it_gets_to_for_how_many_moves() {
    let rules = rules("austrian-1805");
    let answer = rules.reach(&view(&rules, "french", Side::French), "3").unwrap();
    golden("reach-lga", &format!("{}\n\n{}", answer.title, page(&answer)));
}

/// An answer goes no farther than the receipt of the same march, and leaves nothing out that the receipt says is reached.
#[test]
fn the_answer_agrees_with_the_receipt_of_each_march() {
    let rules = rules("austrian-1805");
    let view = view(&rules, "french", Side::French);
    for (id, unit) in view.own.iter().take(6) {
        let answer = rules.reach(&view, &id.to_string()).unwrap();
        let told: Vec<_> = goals(&answer).iter().map(Named::hex).collect();
        for hex in rules.map.hexes().filter(|hex| *hex != unit.hex) {
            let (reading, recap) = rules.read_back(&view, &format!("MOVE {id} TO {hex}"));
            let arrives = recap.orders.iter().any(|order| {
                order.effect.contains(&hex.to_string())
                    && reading.remarks.iter().all(|remark| !remark.text.contains("gets to"))
            });
            assert_eq!(told.contains(&hex), arrives, "{id} to {hex}: {:?} {recap:?}", reading.remarks);
        }
    }
}

#[test]
fn who_starves_goes_nowhere_and_is_told_why() {
    let rules = rules("austrian-1805");
    let given =
        "{date: {season: summer, year: 1805}, phasing: french, units: {3: {at: '1405', cut_off: true}}}";
    let state = rules.set_up(&serde_yaml::from_str(given).unwrap()).unwrap();
    let answer = rules.reach(&rules.view(&state, &"french".parse().unwrap()), "3").unwrap();
    assert_eq!(goals(&answer), []);
    assert!(page(&answer).contains("is out of supply: it can't move"), "{}", page(&answer));
}

#[test]
fn several_units_have_a_section_each_and_not_more_than_six() {
    let rules = rules("austrian-1805");
    let view = view(&rules, "french", Side::French);
    let answer = rules.reach(&view, "1, 3 and Ney").unwrap();
    assert_eq!((answer.sections.len(), answer.maps().count()), (3, 3));
    assert!(answer.title.starts_with("Reach of 3 units, "), "{}", answer.title);
    let many = rules.reach(&view, "1-8").unwrap_err();
    assert!(many.text.contains("6 units at most"), "{many:?}");
}

#[test]
fn on_the_enemys_turn_the_next_move_is_told_as_things_stand() {
    let rules = rules("austrian-1805");
    let answer = rules.reach(&view(&rules, "french", Side::Allied), "3").unwrap();
    let when = answer.sections[0].parts.iter().any(
        |part| matches!(part, Part::Facts { facts } if facts.iter().any(|fact| fact.text.contains("next turn"))),
    );
    assert!(when, "{answer:?}");
    assert!(!goals(&answer).is_empty());
}

#[test]
fn on_the_enemys_turn_supply_is_what_it_is_now_and_not_what_the_own_turn_began_with() {
    let rules = rules("austrian-1805");
    let mut view = view(&rules, "french", Side::Allied);
    let id = *view.own.iter().find(|(_, unit)| unit.name == "III Davout").unwrap().0;
    for (began, served) in [(true, false), (false, true)] {
        let unit = view.own.get_mut(&id).unwrap();
        (unit.supplied, unit.served) = (began, served);
        let answer = rules.reach(&view, &id.to_string()).unwrap();
        assert_eq!(goals(&answer).is_empty(), !served, "{began} {served}");
        let told = page(&answer).contains("As things stand: ");
        assert_eq!(told, !served, "{}", page(&answer));
    }
}

#[test]
fn what_is_asked_wrongly_is_pointed_at() {
    let rules = rules("austrian-1805");
    let view = view(&rules, "french", Side::French);
    refuses(&rules, &view, "Davuot", "III Davout (3)");
    let enemy = rules.reach(&view, "Mack Cav").unwrap_err();
    assert!(enemy.text.contains("your enemy"), "{enemy:?}");
}

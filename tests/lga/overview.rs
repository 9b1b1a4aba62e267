//! The GM's page of everything.

use musterd_dice::Seat;
use musterd_engine::orders::Placed;
use musterd_engine::{Fold, Ruleset};
use musterd_lga::event::Event;
use musterd_lga::model::UnitId;
use musterd_lga::order::{Act, Order};
use musterd_lga::{Lga, shipped};

use crate::common::pages::golden;
use musterd_report::text::{sections as page, standing};

const GIVEN: &str = "{date: {season: autumn, year: 1805}, phasing: allied,
    units: {3: {at: '1507', morale: 2, fatigue: 2, garrison: true}, 21: {at: '1809', garrison: true, morale: 1}, 4: {at: '1407'}, 5: {at: '1406', cut_off: true}}}";

fn overview() -> (Lga, String) {
    let rules = Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap();
    let mut state = rules.set_up(&serde_yaml::from_str(GIVEN).unwrap()).unwrap();
    let french: Seat = "french".parse().unwrap();
    let written = "STANDING\nREINFORCE 4 TO Ulm WHEN Ulm ATTACKED\nEND";
    let reading = rules.read_orders(&rules.view(&state, &french), written);
    let [Placed { order: Order { act: Act::Standing { file }, .. }, .. }] = reading.orders.as_slice() else {
        panic!("{reading:?}")
    };
    let file = file.iter().map(|placed| placed.order.clone()).collect();
    rules.apply(&mut state, &Event::StandingFiled { seat: french, file });
    let briefing = rules.overview(&state).unwrap();
    assert_eq!(briefing.to, "the GM");
    let page = format!("{}\n\n{}\n{}", briefing.title, standing(&briefing), page(&briefing));
    (rules, page)
}

#[test]
fn the_page_of_everything_has_all_units_garrisons_standing_orders_and_cities() {
    let (rules, page) = overview();
    golden("lga-overview", &page);
    let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for unit in &rules.scenario.units {
        assert!(flat.contains(&unit.name), "{} is missing", unit.name);
    }
    for told in
        ["STANDING ORDERS OF FRENCH", "REINFORCE 4 TO", "2/3 2", "Mack 1 (21)", "BUILD POOL", "France 8"]
    {
        assert!(flat.contains(told), "{told}: {page}");
    }
}

#[test]
fn the_page_of_everything_has_no_memory_of_a_side() {
    let rules = Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap();
    let mut state = rules.set_up(&serde_yaml::from_str(GIVEN).unwrap()).unwrap();
    let before = page(&rules.overview(&state).unwrap());
    let vienna = rules.map.cities().find(|(_, city)| city.name == "Vienna").unwrap().0;
    rules.apply(&mut state, &Event::GarrisonFound { unit: UnitId(4), at: vienna });
    let seen = rules.view(&state, &"french".parse().unwrap());
    assert!(seen.garrisons.contains_key(&vienna), "the side remembers it");
    assert_eq!(page(&rules.overview(&state).unwrap()), before);
}

#[test]
fn the_page_of_everything_speaks_to_no_player() {
    let (_, page) = overview();
    let page = page.to_lowercase();
    for word in ["you ", "your ", "yours"] {
        assert_eq!(page.lines().find(|line| line.contains(word)), None, "{word}");
    }
}

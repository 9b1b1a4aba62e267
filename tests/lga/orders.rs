//! The guides and the forms of orders and changes.

use musterd_engine::Ruleset;
use musterd_engine::orders::Likeness;
use musterd_lga::read::uses;
use musterd_lga::{Lga, shipped};

use crate::common::forms::says_forms;
use crate::lga_arena::SCENARIOS;

fn of(scenario: &str) -> Lga {
    Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap()
}

#[test]
fn the_guides_have_every_order_and_change_as_the_forms_say() {
    says_forms("docs/lga/gm-guide.md", "<!-- changes -->", &of("austrian-1805").amendments());
    says_forms("docs/lga/orders.md", "<!-- commands -->", &uses(true));
    says_forms("docs/lga/orders.md", "<!-- reactions -->", &uses(false));
}

#[test]
fn every_change_that_the_gm_is_told_of_is_taken_in_his_scenario() {
    for scenario in SCENARIOS {
        let rules = of(scenario);
        let state = rules.found();
        for line in rules.amendments().iter().flat_map(|one| &one.lines) {
            let read = rules.amend(&state, line);
            // Alone a few of them don't hang together in the first position; all are read.
            let taken = read
                .as_ref()
                .map_or_else(|remark| remark.text.contains("hang together"), |events| !events.is_empty());
            assert!(taken, "{scenario}: {line}: {read:?}");
        }
    }
}

#[test]
fn every_example_is_in_the_words_of_the_orders() {
    let rules = Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap();
    let state = rules.found();
    let view = rules.view(&state, &rules.seats()[0].seat);
    for line in uses(true).iter().chain(&uses(false)).flat_map(|one| &one.lines) {
        let expected = if line.starts_with("INFO") { Likeness::Question } else { Likeness::Order };
        assert_eq!(rules.likeness(line), expected, "{line}");
        // Some can't be carried out from the first position; the words of all are understood.
        let read = rules.read_orders(&view, line);
        let strange = ["is no order", "is no limit", "complete before", "is missing", "?"];
        let faults =
            read.remarks.iter().filter(|remark| strange.iter().any(|words| remark.text.contains(words)));
        assert_eq!(faults.count(), 0, "{line}: {:?}", read.remarks);
    }
}

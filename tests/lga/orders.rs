//! The guides and the forms of orders and changes.

use musterd_engine::Ruleset;
use musterd_lga::{Lga, shipped};

use crate::common::forms::says_forms;

#[test]
fn the_guide_has_every_change_as_the_forms_say() {
    says_forms("docs/lga/gm-guide.md", "<!-- changes -->", &Lga::amendments());
}

#[test]
fn every_change_of_the_guide_is_taken() {
    let rules = Lga::from_files(&shipped("austrian-1805").unwrap(), &[]).unwrap();
    let state = rules.found();
    for line in Lga::amendments().iter().flat_map(|one| one.lines) {
        let read = rules.amend(&state, line);
        // Alone a few of them don't hang together in the first position; all are read.
        let taken = read
            .as_ref()
            .map_or_else(|remark| remark.text.contains("hang together"), |events| !events.is_empty());
        assert!(taken, "{line}: {read:?}");
    }
}

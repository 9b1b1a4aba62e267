//! What the dice of Death or Glory could tell of hidden units: their number, their proofs, and what they are committed to (ruling DOG-49).

use std::collections::BTreeMap;

use musterd::daemon::{NewGame, Request};
use musterd::desk::campaign::Campaign;
use musterd::dice::{Label, Roller, Secret, SecretChain};
use musterd::engine::journal::{Cause, Entry};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::engine::{Input, Ruleset, Scribe};
use musterd::rules::dog::{Dog, shipped};

use super::contract::{DogSpecimen, played};
use super::support::*;
use super::toy::seat;
use crate::common::Loose;

/// Dice that remember what they were thrown for.
struct Noted {
    dice: Loose,
    labels: Vec<String>,
}

impl Roller for Noted {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        self.labels.push(label.to_string());
        self.dice.roll(label, count, sides)
    }
}

#[test]
fn no_dispatch_of_a_battle_brings_proofs_and_the_invitation_says_why() {
    let camp = Camp::new();
    let mut host = camp.open();
    let new = NewGame {
        scenario: "dog/training".to_owned(),
        id: game(),
        seats: ["red", "blue"].map(|side| (seat(side), player(side))).into(),
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: true,
        press: PressPolicy::All,
        terms: Terms { proofs: true, ..Terms::default() },
        beacon: None,
        missing: None,
        options: BTreeMap::new(),
        templates: BTreeMap::new(),
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let invitation = words(&camp.newest("red", "invitation").body.unwrap().text);
    assert!(invitation.contains("no proofs of your own dice: how many dice fell would tell"), "{invitation}");
    let brought = files(&camp, "red");
    assert!(brought.keys().all(|name| !name.contains("proofs")), "{:?}", brought.keys());
}

#[test]
fn nobody_is_given_proofs_however_far_the_battle_is() {
    for steps in 1..=3 {
        let entries = played::<DogSpecimen>(1, steps);
        let campaign = Campaign::fold(&desk(), &entries).unwrap();
        let secrets = SecretChain::new(&game(), Secret::new([7; 32]), 100);
        let leaves = campaign.leaves_of_rolls(&secrets);
        assert!(!leaves.is_empty(), "after step {steps} there were dice to prove");
        for spec in campaign.game().seats() {
            assert_eq!(campaign.proofs(&secrets, &leaves, &spec.seat), None, "{}", spec.seat);
        }
    }
}

/// The root over no rolls is a constant: whoever reads the log would see that somebody unseen was looked for in a quiet round.
#[test]
fn a_quiet_round_is_committed_to_a_die_that_counts_for_nothing() {
    let rules = Dog::from_files(&shipped("training").unwrap(), &[]).unwrap();
    let mut dice = Noted { dice: Loose::numbered(1), labels: Vec::new() };
    let mut state = rules.found();
    for t in 1..=2 {
        dice.labels.clear();
        let mut scribe = Scribe::new(&rules, state.clone(), t, &mut dice);
        rules.step(&mut scribe, &Input { orders: BTreeMap::new() });
        state = scribe.state().clone();
    }
    assert_eq!(dice.labels, ["2/none/veil/round/0"]);
    for army in rules.battle().armies() {
        assert!(!rules.shows_roll("none", "veil", "round", &army.seat), "it is nobody's");
    }
}

/// Every adjudication of a battle with hidden units has rolls, whatever happens in it.
#[test]
fn no_adjudication_of_a_battle_is_without_dice() {
    let entries: Vec<Entry> = played::<DogSpecimen>(2, 99);
    let mut ran = 0;
    for entry in &entries {
        if let Cause::Adjudicated { t, rolls, .. } = &entry.cause {
            ran += 1;
            assert!(!rolls.is_empty(), "t {t} has no dice");
        }
    }
    assert!(ran > 3, "{ran} adjudications are no battle");
}

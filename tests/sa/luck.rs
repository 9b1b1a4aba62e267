//! Whose luck a roll is, and how lucky it was.

use musterd_engine::Ruleset;
use musterd_sa::event::{Blow, Check, Event, Factors, Nerve, Why};
use musterd_sa::model::{Side, UnitId};

use crate::sa_arena::rules;

/// What is said of the rolls of an event of the introductory battle.
fn told(event: Event) -> Vec<String> {
    let trials = rules("mill").trials(&[event]);
    trials.into_iter().map(|t| format!("{} {} {}/{} {}", t.seat, t.what, t.good, t.of, t.hit)).collect()
}

/// The part of a class B unit of heavy infantry in a fight, of 500 men with a total of 3 before its dice.
fn blow(side: Side, random: i32) -> Blow {
    let factors = Factors { weapon: 3, random, ..Factors::default() };
    Blow { unit: UnitId::new(side, 1), men: 500, lost: 0, factors, percent: 0 }
}

#[test]
fn a_melee_is_the_luck_of_either_side_by_its_own_dice() {
    let fought = |own, foe| {
        let (attacker, defender) = (blow(Side::A, own), blow(Side::B, foe));
        told(Event::Fought { attacker, defender, next: 12, won: None })
    };
    let rules = rules("mill");
    let seats = rules.seats();
    // Of 36 throws 13 add something, 10 nothing, and 13 take one away.
    assert_eq!(
        fought(2, -1),
        [format!("{} melees 13/36 true", seats[0].seat), format!("{} melees 13/36 false", seats[1].seat)]
    );
}

#[test]
fn fire_is_the_luck_of_those_who_fired() {
    let fired = |answered| {
        let (attacker, defender) = (blow(Side::A, 1), blow(Side::B, 0));
        told(Event::Fired { attacker, defender, answered, next: 12, won: None }).len()
    };
    assert_eq!((fired(false), fired(true)), (1, 2));
}

#[test]
fn a_check_that_can_come_out_in_one_way_alone_is_no_luck() {
    let checked = |close| {
        let dice = [3, 4, 5];
        let check =
            Check { dice, close, dead: 0, battles: 0, routs: 0, fear: 0, courage: 0, result: Nerve::Orders };
        told(Event::Checked { unit: UnitId::new(Side::A, 1), why: Why::Attack, check, next: None })
    };
    assert_eq!(checked(0), [""; 0]);
    // Class B takes orders at 4 and halts at 2: with -8 that is 12 and 10 of the dice, 60 and 96 of 216 throws.
    assert_eq!(checked(-8), [format!("{} morale 60/216 true", rules("mill").seats()[0].seat)]);
}

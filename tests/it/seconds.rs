//! The very seconds in which a game's times end: what holds in the second that is named, and what in the one before and after.

use musterd::desk::campaign::Campaign;
use musterd::desk::life::HELD;
use musterd::desk::timing::{AFTER_ABSENCE, Due};
use musterd::engine::journal::{Arrangement, Author, Cause, Change, Entry, Matter};
use musterd::engine::terms::{Missing, Terms};

use super::support::*;
use super::toy::seat;

const DEADLINE: i64 = NOON + 24 * HOUR;

/// The journal of a game that was founded at noon, with an open window of 24 hours in which red and blue are to order.
fn founding() -> Vec<Entry> {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    founded(&camp, &mut host);
    journal(&mut host)
}

/// The same game on other terms.
fn on(entries: &[Entry], terms: Terms) -> Campaign {
    let mut entries = entries.to_vec();
    let Cause::Founded { charter, .. } = &mut entries[0].cause else { panic!() };
    charter.terms = terms;
    charter.gm = vec![GM.to_owned()];
    Campaign::fold(&desk(), &entries).unwrap()
}

fn arranged(campaign: &mut Campaign, at: i64, change: Change) {
    let cause = Cause::Arranged(Arrangement { t: 2, by: Author::Gm, change, text: "settled".to_owned() });
    campaign.apply(&Entry { at, cause }).unwrap();
}

/// Red has ordered.
fn with_orders(campaign: &mut Campaign, camp: &Camp) {
    let cause = campaign.stand_in(&camp.secrets(), &seat("red"), &"timid".parse().unwrap()).unwrap();
    campaign.apply(&Entry { at: NOON, cause }).unwrap();
}

#[test]
fn orders_that_arrive_in_the_deadlines_very_second_count_and_a_second_later_they_are_late() {
    // A player's first orders, and those that take the place of earlier ones.
    for (after, has_ordered) in [(0, false), (0, true), (1, false), (1, true)] {
        let camp = Camp::in_memory();
        let mut host = camp.open();
        founded(&camp, &mut host);
        if has_ordered {
            camp.post(camp.answer("red", "dispatch", "first", &block("BID 1")));
            settle(&mut host);
        }
        camp.clock.set(DEADLINE + after);
        camp.post(camp.answer("red", "dispatch", "red", &block("BID 2")));
        settle(&mut host);
        let verdict = if after == 0 { "accepted" } else { "late" };
        assert_eq!(verdicts(&mut host).last().unwrap(), verdict, "{after} s after it, {has_ordered}");
    }
}

#[test]
fn a_turn_runs_in_its_deadlines_second_and_not_before() {
    let campaign = on(&founding(), Terms { remind: None, ..Terms::default() });
    assert_eq!(campaign.due(DEADLINE - 1), None);
    assert!(matches!(campaign.due(DEADLINE), Some(Due::Run(..))));
    assert_eq!(campaign.next_due(NOON), Some(DEADLINE));
    assert_eq!(campaign.next_due(DEADLINE - 1), Some(DEADLINE));
    assert_eq!(campaign.next_due(DEADLINE), Some(DEADLINE));
}

#[test]
fn a_reminder_goes_in_its_second_and_never_in_the_first_half_of_the_window() {
    let entries = founding();
    // Minutes before the deadline, and the hours after the opening that come of it.
    for (minutes, at) in [
        (90, DEADLINE - 90 * 60),
        (1, DEADLINE - 60),
        (719, DEADLINE - 719 * 60),
        (720, NOON + 12 * HOUR),
        (721, NOON + 12 * HOUR),
        (24 * 60, NOON + 12 * HOUR),
    ] {
        let campaign = on(&entries, Terms { remind: Some(minutes), ..Terms::default() });
        assert_eq!(campaign.due(at - 1), None, "{minutes} minutes");
        let Some(Due::Remind(seats)) = campaign.due(at) else { panic!("{minutes}: {:?}", campaign.due(at)) };
        assert_eq!(seats, [seat("blue"), seat("red")].into());
        assert_eq!(campaign.next_due(NOON), Some(at), "{minutes} minutes");
    }
    let never = on(&entries, Terms { remind: None, ..Terms::default() });
    assert_eq!([1, 12, 23].map(|hour| never.due(NOON + hour * HOUR)), [None, None, None]);
}

#[test]
fn grace_ends_in_its_second() {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let mut campaign = on(&journal(&mut host), Terms { grace: 60, ..Terms::default() });
    with_orders(&mut campaign, &camp);
    let (red, blue, end) = (seat("red"), seat("blue"), DEADLINE + HOUR);
    let takes = |who| [DEADLINE, DEADLINE + 1, end, end + 1].map(|at| campaign.takes_orders(who, at));
    assert_eq!((takes(&red), takes(&blue)), ([true, false, false, false], [true, true, true, false]));
    assert_eq!(campaign.due(DEADLINE), Some(Due::TellLate([blue.clone()].into(), end)));
    assert!(matches!(campaign.due(end - 1), Some(Due::TellLate(..))));
    assert!(matches!(campaign.due(end), Some(Due::Run(..))));
    // Told once, it waits for the end of the grace.
    let told = campaign.telling(Matter::Late, &[blue].into()).unwrap();
    campaign.apply(&Entry { at: DEADLINE, cause: told }).unwrap();
    assert_eq!(campaign.due(end - 1), None);
    assert_eq!(campaign.next_due(DEADLINE), Some(end));
}

#[test]
fn a_turn_that_is_held_takes_missing_orders_at_any_time_and_has_no_grace_on_top() {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let terms = Terms { missing: Missing::Hold, hold: 120, grace: 60, ..Terms::default() };
    let mut campaign = on(&journal(&mut host), terms);
    with_orders(&mut campaign, &camp);
    let (red, blue) = (seat("red"), seat("blue"));
    assert!(
        campaign.takes_orders(&blue, DEADLINE + 100 * HOUR) && !campaign.takes_orders(&red, DEADLINE + 1)
    );
    let end = DEADLINE + HOUR;
    assert_eq!(campaign.due(end), Some(Due::Hold([blue.clone()].into(), end + 2 * HOUR)));
    let held = campaign.rescheduling(end + 2 * HOUR, HELD).unwrap();
    campaign.apply(&Entry { at: end, cause: held }).unwrap();
    assert_eq!(campaign.due(end + 2 * HOUR), Some(Due::AskGm([blue].into())), "the grace is not given again");
}

#[test]
fn a_turn_runs_with_as_many_missing_as_its_terms_allow_and_waits_for_one_more() {
    let entries = founding();
    let due = |most| on(&entries, Terms { most_missing: Some(most), ..Terms::default() }).due(DEADLINE);
    assert!(matches!(due(0), Some(Due::Hold(..))));
    assert!(matches!(due(1), Some(Due::Hold(..))));
    assert!(matches!(due(2), Some(Due::Run(..))));
}

#[test]
fn a_pause_stops_a_deadline_that_is_not_over() {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let entries = journal(&mut host);
    for (after, stands_still) in [(-1, true), (0, true), (1, false)] {
        let mut campaign = on(&entries, Terms { grace: 60, ..Terms::default() });
        with_orders(&mut campaign, &camp);
        arranged(&mut campaign, DEADLINE + after, Change::Paused);
        assert_eq!(campaign.takes_orders(&seat("red"), DEADLINE + 100), stands_still, "{after}");
        assert_eq!((campaign.due(DEADLINE + HOUR), campaign.next_due(DEADLINE)), (None, None));
        assert!(!campaign.all_ready(), "nothing runs in a pause");
    }
}

#[test]
fn what_the_terms_allow_beyond_the_first_deadline_moves_by_the_pause_of_its_window_alone() {
    let entries = founding();
    let latest = |paused, resumed| {
        let mut campaign = on(&entries, Terms { extension: 60, ..Terms::default() });
        arranged(&mut campaign, paused, Change::Paused);
        arranged(&mut campaign, resumed, Change::Resumed);
        for who in ["red", "blue"] {
            arranged(&mut campaign, resumed, Change::Voted { seat: seat(who), until: DEADLINE + 99 * HOUR });
        }
        campaign.later_deadline("UTC").unwrap().0
    };
    assert_eq!(latest(NOON + 5, NOON + 105), DEADLINE + HOUR + 100);
    // The window opened at noon, when the game stood still already.
    assert_eq!(latest(NOON - 50, NOON + 100), DEADLINE + HOUR + 100);
}

#[test]
fn an_absence_counts_from_its_first_second_until_a_day_after_its_last() {
    let entries = founding();
    let later = |from, until| {
        let mut campaign = on(&entries, Terms::default());
        arranged(&mut campaign, NOON, Change::Absent { seat: seat("blue"), from, until });
        campaign.later_deadline("UTC")
    };
    let (hour, day) = (HOUR, AFTER_ABSENCE);
    assert_eq!(later(DEADLINE, DEADLINE + hour), Some((DEADLINE + hour + day, "absence")));
    assert_eq!(later(DEADLINE + 1, DEADLINE + hour), None, "it begins after the deadline");
    // Back a day before the deadline there was time enough; a second less is not.
    assert_eq!(later(NOON - hour, DEADLINE - day), None);
    assert_eq!(later(NOON - hour, DEADLINE - day + 1), Some((DEADLINE + 1, "absence")));
}

#[test]
fn a_vote_moves_a_deadline_as_far_as_the_majority_and_the_terms_go() {
    let entries = founding();
    let later = |red, blue, extension| {
        let mut campaign = on(&entries, Terms { extension, ..Terms::default() });
        for (who, until) in [("red", red), ("blue", blue)] {
            arranged(&mut campaign, NOON, Change::Voted { seat: seat(who), until });
        }
        campaign.later_deadline("UTC")
    };
    let most = 60;
    assert_eq!(later(DEADLINE + 1, DEADLINE + 60, most), Some((DEADLINE + 1, "vote")));
    assert_eq!(later(DEADLINE, DEADLINE + 60, most), None, "no move at all");
    assert_eq!(later(DEADLINE + 2 * HOUR, DEADLINE + 3 * HOUR, most), Some((DEADLINE + HOUR, "vote")));
    assert_eq!(on(&entries, Terms::default()).majority(), (2, 2));
}

#[test]
fn who_takes_a_seat_has_the_time_that_the_terms_give_and_no_more() {
    let entries = founding();
    let deadline = |newcomer, now| {
        let mut campaign = on(&entries, Terms { newcomer, ..Terms::default() });
        let player = campaign.charter().players[&seat("blue")].clone();
        arranged(&mut campaign, now, Change::Seated { seat: seat("blue"), player });
        campaign.newcomer_deadline(&seat("blue"), now, "UTC")
    };
    assert_eq!(deadline(60, DEADLINE - HOUR), None, "there is just enough left");
    assert_eq!(deadline(60, DEADLINE - HOUR + 1), Some(DEADLINE + 1));
    assert_eq!(deadline(0, DEADLINE + 1), None, "terms that give none");
    let mut campaign = on(&entries, Terms { newcomer: 60, ..Terms::default() });
    let player = campaign.charter().players[&seat("blue")].clone();
    for _ in 0..2 {
        arranged(&mut campaign, DEADLINE - 1, Change::Seated { seat: seat("blue"), player: player.clone() });
    }
    assert_eq!(campaign.newcomer_deadline(&seat("blue"), DEADLINE - 1, "UTC"), None, "once for a seat");
}

#[test]
fn a_reviewed_turn_goes_out_in_the_last_second_of_its_review() {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { approval: Some(60), ..Terms::default() });
    // The founding's own dispatches wait for the GM first.
    assert_eq!(camp.count("red", "dispatch"), 0);
    camp.wait(HOUR - 1);
    settle(&mut host);
    assert_eq!(camp.count("red", "dispatch"), 0);
    camp.wait(1);
    settle(&mut host);
    assert_eq!(camp.count("red", "dispatch"), 1);
}

//! Letters that don't come at once: sealed, anonymous, and by courier (ruling LGA-77).

use std::collections::{BTreeMap, BTreeSet};

use musterd::daemon::Host;
use musterd::desk::letters::Letters;
use musterd::dice::{Digest, Label, Roll, Roller, Seat};
use musterd::engine::Ride;
use musterd::engine::journal::{Carriage, Cause, PressLetter};
use musterd::engine::terms::{PressPolicy, Terms};

use super::press::{AUSTRIA, RUSSIA, answered, shared_on, text, unwrapped};
use super::replay::replay;
use super::support::*;
use super::verify::mails_fit;

fn day(camp: &Camp, host: &mut Host) {
    camp.wait(24 * HOUR);
    settle(host);
}

#[test]
fn a_sealed_letter_is_committed_now_and_read_when_its_turn_opens() {
    let camp = Camp::new();
    let mut host = shared_on(&camp, PressPolicy::All, Terms::default());
    let sealed = "PRESS TO ALL SEALED UNTIL 4\r\nUlm falls.\r\nEND PRESS\r\n";
    let answer = answered(&camp, &mut host, AUSTRIA, "a", sealed);
    assert!(unwrapped(&answer).contains("is sealed until turn 4 opens"), "{}", text(&answer));
    assert_eq!(camp.count("french", "press"), 0);
    for t in 3..6 {
        day(&camp, &mut host);
        let dispatch = camp.newest("french", "dispatch");
        assert_eq!(text(&dispatch).contains("| Ulm falls."), t == 4, "turn {t}");
    }
    let entries = journal(&mut host);
    replay(&desk(), &entries, &camp.secrets());
    mails_fit(&camp, &entries);
}

#[test]
fn a_letter_sealed_until_a_season_or_a_day_is_read_then() {
    let camp = Camp::new();
    let mut host = shared_on(&camp, PressPolicy::Side, Terms::default());
    answered(
        &camp,
        &mut host,
        AUSTRIA,
        "a",
        "PRESS TO RUSSIA SEALED UNTIL 1805-autumn\r\nLeaves.\r\nEND PRESS\r\n",
    );
    let until = "PRESS TO RUSSIA SEALED UNTIL 2026-11-24\r\nA day.\r\nEND PRESS\r\n";
    let answer = answered(&camp, &mut host, AUSTRIA, "b", until);
    assert!(
        unwrapped(&answer).contains("sealed until Tuesday 24 November 2026, 00:00 UTC"),
        "{}",
        text(&answer)
    );
    day(&camp, &mut host);
    assert!(!text(&camp.newest(RUSSIA, "dispatch")).contains("| Leaves."));
    day(&camp, &mut host);
    assert!(text(&camp.newest(RUSSIA, "dispatch")).contains("| Leaves."), "the dispatch of autumn");
    assert_eq!(camp.count(RUSSIA, "press"), 0);
    camp.wait(13 * HOUR);
    settle(&mut host);
    assert!(text(&camp.newest(RUSSIA, "press")).contains("| A day."));
    day(&camp, &mut host);
    assert_eq!(camp.count(RUSSIA, "press"), 1, "once");
    assert!(text(&camp.newest(RUSSIA, "dispatch")).contains("| A day."));
    let entries = journal(&mut host);
    replay(&desk(), &entries, &camp.secrets());
    mails_fit(&camp, &entries);
}

#[test]
fn a_seal_that_is_no_time_to_come_is_refused() {
    let camp = Camp::new();
    let mut host = shared_on(&camp, PressPolicy::Side, Terms::default());
    for (n, until) in ["2", "2020-01-01", "the end of days"].iter().enumerate() {
        let words = format!("PRESS TO ALLIES SEALED UNTIL {until}\r\nx\r\nEND PRESS\r\n");
        let answer = answered(&camp, &mut host, AUSTRIA, &format!("s{n}"), &words);
        assert!(unwrapped(&answer).contains("is no time to come"), "{until}: {}", text(&answer));
    }
}

#[test]
fn an_anonymous_letter_names_nobody_and_needs_leave() {
    for anonymous in [false, true] {
        let camp = Camp::new();
        let mut host = shared_on(&camp, PressPolicy::All, Terms { anonymous, ..Terms::default() });
        let words = "PRESS ANONYMOUS TO ALL\r\nThe Prussians come.\r\nEND PRESS\r\n";
        let answer = answered(&camp, &mut host, AUSTRIA, "a", words);
        if !anonymous {
            assert!(unwrapped(&answer).contains("every letter says whose it is"), "{}", text(&answer));
            continue;
        }
        let read = camp.newest("french", "press");
        assert_eq!(read.subject, "[alpha] Letter from an unknown hand");
        // Who else has it would tell by whom it is: whoever is missing.
        let tells = |mail: &musterd::letter::Letter| {
            ["Austria", "Russia", "Britain"].into_iter().any(|nation| {
                let lines = unwrapped(mail);
                let start = lines.find("unknown hand").unwrap();
                let end = lines[start..].find("The Prussians come.").unwrap();
                lines[start..start + end].contains(&format!("commander of {nation}"))
            })
        };
        assert!(!tells(&read), "{}", text(&read));
        assert!(unwrapped(&read).contains("It can't be answered"), "{}", text(&read));
        day(&camp, &mut host);
        let dispatch = camp.newest("french", "dispatch");
        assert!(
            text(&dispatch).contains("From an unknown hand to the French commander"),
            "{}",
            text(&dispatch)
        );
        let ally = camp.newest(RUSSIA, "dispatch");
        assert!(text(&ally).contains("From an unknown hand to"), "{}", text(&ally));
        assert!(!tells(&dispatch), "{}", text(&dispatch));
    }
}

#[test]
fn couriers_of_the_allies_ride_to_each_other_and_the_enemy_reads_what_he_takes() {
    let camp = Camp::new();
    let mut host = shared_on(&camp, PressPolicy::All, Terms { couriers: Some(4), ..Terms::default() });
    let words = "PRESS TO RUSSIA\r\nI stand on the Inn.\r\nEND PRESS\r\nPRESS TO FRENCH\r\nLet us talk.\r\nEND PRESS\r\n";
    let answer = answered(&camp, &mut host, AUSTRIA, "a", words);
    assert!(unwrapped(&answer).contains("goes to the commander of Russia by courier"), "{}", text(&answer));
    assert_eq!(camp.count(RUSSIA, "press") + camp.count("french", "press"), 0, "nothing comes at once");
    let rides = journal(&mut host).into_iter().find_map(|entry| match entry.cause {
        Cause::Pressed(PressLetter { carriage: Carriage::Courier { rides }, .. }) => Some(rides),
        _ => None,
    });
    let ride = rides.unwrap()[&RUSSIA.parse::<Seat>().unwrap()];
    assert!(ride.hexes > 1 && ride.perils <= ride.hexes, "{ride:?}");
    let mut came = Vec::new();
    for season in 1..6 {
        day(&camp, &mut host);
        if text(&camp.newest(RUSSIA, "dispatch")).contains("| I stand on the Inn.") {
            came.push(season);
        }
        // A flag of truce comes with the next dispatch, and nobody takes it.
        let french = camp.newest("french", "dispatch");
        assert_eq!(text(&french).contains("| Let us talk."), season == 1);
    }
    if ride.perils == 0 {
        assert_eq!(came, [ride.hexes.div_ceil(4)]);
    }
    let entries = journal(&mut host);
    replay(&desk(), &entries, &camp.secrets());
    mails_fit(&camp, &entries);
}

/// Dice that show the same face always, and note what they were thrown for.
struct Loaded(u32, Vec<String>);

impl Roller for Loaded {
    fn roll(&mut self, label: &Label, count: u32, _: u32) -> Vec<u32> {
        self.1.push(format!("{label} {count}"));
        vec![self.0; count as usize]
    }
}

fn seats(names: &[&str]) -> BTreeSet<Seat> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// A journal's letters with one that Anna wrote in window 3 to Ben, so many hexes and 2 perils away, and to Carl in her own camp.
fn letters(hexes: u32) -> (Letters, PressLetter) {
    let rides = [("b", Ride { hexes, perils: 2 }), ("c", Ride { hexes: 0, perils: 0 })];
    let rides: BTreeMap<Seat, Ride> = rides.map(|(seat, ride)| (seat.parse().unwrap(), ride)).into();
    let letter = PressLetter {
        t: 3,
        from: "a".parse().unwrap(),
        to: seats(&["b", "c"]),
        mail: String::new(),
        arrived: 0,
        text: "Come.\n".to_owned(),
        commit: Digest::of(b"letter"),
        anonymous: false,
        carriage: Carriage::Courier { rides },
    };
    let mut letters = Letters::default();
    letters.wrote(&letter);
    (letters, letter)
}

fn read_by(letters: &Letters) -> Vec<(Vec<&str>, bool)> {
    let mut read = Vec::new();
    for delivery in letters.delivered() {
        read.push((delivery.readers.iter().map(Seat::as_str).collect(), delivery.taken));
    }
    read
}

#[test]
fn a_courier_throws_once_for_each_hex_in_the_enemys_reach_and_rides_on_by_seasons() {
    for (face, taken) in [(2, false), (1, true)] {
        let (mut letters, _) = letters(5);
        let mut dice = Loaded(face, Vec::new());
        letters.throw(3, &mut dice);
        assert_eq!(dice.1, ["3/courier/peril/a-b/0 2"]);
        let label: Label = "3/courier/peril/a-b/0".parse().unwrap();
        let rolls = [Roll { label, sides: 6, faces: vec![6, face] }];
        let enemies = |_: &Seat| seats(&["x", "y"]);
        letters.adjudicated(3, &rolls, 2, enemies);
        let mut first = vec![(vec!["c"], false)];
        if taken {
            first.insert(0, (vec!["x", "y"], true));
        }
        assert_eq!(read_by(&letters), first, "who is in the camp reads it at once");
        letters.adjudicated(4, &[], 2, enemies);
        assert_eq!(read_by(&letters), [], "4 of 5 hexes are ridden");
        letters.adjudicated(5, &[], 2, enemies);
        let last = if taken { vec![] } else { vec![(vec!["b"], false)] };
        assert_eq!(read_by(&letters), last);
        letters.adjudicated(6, &[], 2, enemies);
        assert_eq!(read_by(&letters), []);
    }
}

#[test]
fn a_courier_is_there_with_the_hex_in_which_his_seasons_ride_ends() {
    for (hexes, seasons) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)] {
        let (mut letters, _) = letters(hexes);
        let came = (3..10).find(|t| {
            letters.adjudicated(*t, &[], 2, |_| seats(&["x"]));
            read_by(&letters).iter().any(|(readers, _)| readers.contains(&"b"))
        });
        assert_eq!(came, Some(2 + seasons), "{hexes} hexes");
    }
}

#[test]
fn a_seal_falls_in_time_after_a_restart_too() {
    let camp = Camp::new();
    let mut host = shared_on(&camp, PressPolicy::Side, Terms { remind: None, ..Terms::default() });
    let until = "PRESS TO RUSSIA SEALED UNTIL 2026-11-22\r\nA day.\r\nEND PRESS\r\n";
    answered(&camp, &mut host, AUSTRIA, "a", until);
    drop(host);
    let mut host = camp.open();
    // Midnight is the seal's second.
    camp.clock.set(NOON + 12 * HOUR - 1);
    settle(&mut host);
    assert_eq!(camp.count(RUSSIA, "press"), 0);
    camp.wait(1);
    settle(&mut host);
    assert!(text(&camp.newest(RUSSIA, "press")).contains("| A day."));
}

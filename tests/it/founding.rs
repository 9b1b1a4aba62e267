//! What a game is founded with, and is played by to its end: the version of the rules, and the options that were chosen.

use std::collections::BTreeMap;

use musterd::daemon::{NewGame, Reply, Request};
use musterd::desk::DeskError;
use musterd::desk::campaign::{Campaign, CampaignError};
use musterd::engine::founding::OPTIONS_FILE;
use musterd::engine::journal::{Arrangement, Author, Cause, Change, Entry, Player};
use musterd::engine::terms::{Missing, Terms};

use super::contract::{ToySpecimen, camp_of, played, secrets};
use super::support::*;
use super::toy::seat;

/// A journal whose founding names this version of the rules.
fn of_version(version: u32) -> Vec<Entry> {
    let mut entries = played::<ToySpecimen>(2, 3);
    let Cause::Founded { charter, .. } = &entries[0].cause else { panic!() };
    let mut charter = (**charter).clone();
    charter.rules_version = version;
    entries[0].cause = Campaign::founding(charter, &secrets());
    entries
}

#[test]
fn a_game_of_a_version_that_the_program_does_not_have_is_set_aside_and_the_others_go_on() {
    for (version, what_to_do) in
        [(99, "install the musterd that it was founded with"), (0, "its journal is damaged")]
    {
        let entries = of_version(version);
        let folded = Campaign::fold(&desk(), &entries);
        assert!(matches!(folded.err(), Some(CampaignError::Desk(DeskError::NoVersion(_)))));
        let camp = camp_of(&entries);
        let mut host = camp.open();
        settle(&mut host);
        let Reply::Status { games } = host.execute(Request::Status { game: None }).unwrap() else { panic!() };
        let told = games[0].aside.clone().unwrap();
        let says =
            format!("played by version {version} of the rules `toy`, and this program has versions 1 to 1");
        assert!(told.contains(&says) && told.contains(what_to_do), "{told}");
        let beta = NewGame { id: "beta".parse().unwrap(), ..toy_game(&[], "24h", Terms::default()) };
        assert!(host.execute(Request::found(beta)).is_ok());
    }
}

#[test]
fn a_game_whose_computer_plays_by_a_level_that_the_program_does_not_have_is_set_aside_and_the_others_go_on() {
    let mut entries = played::<ToySpecimen>(2, 3);
    let player = Player::Computer { skill: "grandmaster".parse().unwrap() };
    let change = Change::Seated { seat: seat("blue"), player };
    let arrangement =
        Arrangement { t: 3, by: Author::Gm, change, text: "blue has another player".to_owned() };
    entries.push(Entry { at: NOON, cause: Cause::Arranged(arrangement) });
    let camp = camp_of(&entries);
    let mut host = camp.open();
    settle(&mut host);
    let Reply::Status { games } = host.execute(Request::Status { game: None }).unwrap() else { panic!() };
    let told = games[0].aside.clone().unwrap();
    assert!(told.contains("no computer plays `grandmaster`: use timid or bold"), "{told}");
    assert!(told.contains("install the musterd that gave it, or a newer one"), "{told}");
    let beta = NewGame { id: "beta".parse().unwrap(), ..toy_game(&[], "24h", Terms::default()) };
    assert!(host.execute(Request::found(beta)).is_ok());
}

#[test]
fn computer_players_have_the_levels_of_their_ruleset_and_the_last_of_them_unless_another_is_named() {
    let camp = Camp::new();
    let mut host = camp.open();
    let computers = |blue| toy_game(&[("blue", blue), ("umpire", "computer")], "24h", Terms::default());
    let new = NewGame { missing: Some("computer:planner".to_owned()), ..computers("computer:timid") };
    let refused = host.execute(Request::found(new)).unwrap_err().to_string();
    assert_eq!(refused, "--missing computer:planner: write hold, standing, computer, computer:timid or gm");
    let refused = host.execute(Request::found(computers("computer:planner"))).unwrap_err().to_string();
    assert_eq!(refused, "--seat blue: no computer plays `planner`: use timid or bold");
    let new = NewGame { missing: Some("computer".to_owned()), ..computers("computer:timid") };
    host.execute(Request::found(new)).unwrap();
    let Reply::Journal { entries } = host.execute(Request::Journal { game: game() }).unwrap() else {
        panic!()
    };
    let Cause::Founded { charter, .. } = &entries[0].cause else { panic!() };
    let skill = |name: &str| name.parse().unwrap();
    assert_eq!(charter.terms.missing, Missing::Computer { skill: skill("bold") });
    assert_eq!(charter.players[&seat("blue")], Player::Computer { skill: skill("timid") });
    assert_eq!(charter.players[&seat("umpire")], Player::Computer { skill: skill("bold") });
}

/// A game of one player and two computers with this option, begun at once.
fn with_option(name: &str, value: &str) -> NewGame {
    let computers = ["blue", "umpire"].map(|seat| (seat, "computer"));
    let options = BTreeMap::from([(name.to_owned(), value.to_owned())]);
    NewGame { options, start_now: true, ..toy_game(&computers, "24h", Terms::default()) }
}

#[test]
fn an_option_is_chosen_at_the_founding_and_played_by() {
    let camp = Camp::new();
    let mut host = camp.open();
    for (name, value, why) in [
        ("purse", "full", "--option: there is no option `purse`; did you mean `purses`?"),
        ("edition", "full", "--option: there is no option `edition`: there are purses"),
        ("purses", "empty", "--option: option `purses` can't be `empty`: it can be plain, full"),
    ] {
        assert_eq!(host.execute(Request::found(with_option(name, value))).unwrap_err().to_string(), why);
    }
    host.execute(Request::found(with_option("purses", "full"))).unwrap();
    settle(&mut host);
    let Reply::Journal { entries } = host.execute(Request::Journal { game: game() }).unwrap() else {
        panic!()
    };
    let Cause::Founded { charter, .. } = &entries[0].cause else { panic!() };
    assert_eq!(charter.files.0[OPTIONS_FILE], "purses: full\n");
    let events = entries.iter().find_map(|entry| match &entry.cause {
        Cause::Adjudicated { t: 1, events, .. } => Some(events),
        _ => None,
    });
    // Twice six, and a die.
    let coins = |event: &serde_json::Value| event["paid"]["coins"].as_u64();
    let coins: Vec<u64> = events.unwrap().iter().filter_map(coins).collect();
    assert!(coins.len() == 2 && coins.iter().all(|coins| (13..=18).contains(coins)), "{coins:?}");
    let invitation = camp.newest("red", "invitation").body.unwrap().text;
    assert!(invitation.contains("What each side begins with: full (twice that)."), "{invitation}");
    // It is folded again by them.
    drop(host);
    let mut host = camp.open();
    let Reply::Status { games } = host.execute(Request::Status { game: None }).unwrap() else { panic!() };
    assert!(games[0].aside.is_none(), "{games:?}");
}

#[test]
#[cfg(feature = "lga")]
fn an_option_of_a_game_without_any_is_refused() {
    let mut founding = desk().founding("lga/austrian-1805").unwrap();
    let chosen = BTreeMap::from([("edition".to_owned(), "second".to_owned())]);
    let error = founding.choose(&chosen).unwrap_err().to_string();
    assert_eq!(error, "there is no option `edition`: this ruleset has none");
}

//! One mail to several of its sender's seats: it acts for each, and where it can't it says so.

use std::collections::BTreeMap;

use musterd::daemon::{Host, NewGame, Reply, Request};
use musterd::dice::GameId;
use musterd::engine::journal::{Cause, Verdict};
use musterd::engine::terms::{PressPolicy, Terms};
use musterd::letter::Letter;

use super::support::*;
use super::toy::seat;

/// Red of both games.
pub(crate) const ANNA: &str = "red@players.example";

/// Two games, begun at once, whose red is the same person.
pub(crate) fn games(host: &mut Host) {
    for (id, blue) in [("alpha", player("blue")), ("beta", "ben@players.example".to_owned())] {
        game_of(host, id, &[("red", ANNA.to_owned()), ("blue", blue), ("umpire", player("umpire"))]);
    }
}

/// A game on the ridge with these players that begins at once.
pub(crate) fn game_of(host: &mut Host, id: &str, seats: &[(&str, String)]) {
    let new = NewGame {
        scenario: "toy/ridge".to_owned(),
        id: id.parse().unwrap(),
        seats: seats.iter().map(|(name, who)| (seat(name), who.clone())).collect::<BTreeMap<_, _>>(),
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: true,
        press: PressPolicy::All,
        terms: Terms::default(),
        beacon: None,
        missing: None,
        options: BTreeMap::new(),
        templates: BTreeMap::new(),
    };
    host.execute(Request::found(new)).unwrap();
    settle(host);
}

/// The reply address of a seat, from its mails to `who`.
pub(crate) fn reply_address(camp: &Camp, who: &str, game: &str, seat: &str) -> String {
    let begins = format!("host+{game}.{seat}.");
    let addresses = camp.mails(who).into_iter().flat_map(|mail| mail.reply_to);
    addresses.into_iter().find(|address| address.starts_with(&begins)).unwrap()
}

pub(crate) fn mail_to(from: &str, to: &[String], id: &str, text: &str) -> String {
    Mail { from, to: &to.join(">, <"), id, in_reply_to: None, text }.raw()
}

/// What became of the mails of red in a game, and the words for those that changed nothing.
pub(crate) fn became(host: &mut Host, game: &str) -> Vec<String> {
    let game: GameId = game.parse().unwrap();
    let Reply::Journal { entries } = host.execute(Request::Journal { game }).unwrap() else { panic!() };
    let word = |cause| match cause {
        Cause::Received(mail) => Some(match mail.verdict {
            Verdict::Accepted { block, .. } => block.as_str().trim_end().to_owned(),
            Verdict::Withdrawn { .. } => "withdrawn".to_owned(),
            Verdict::Refused { reason, .. } => reason.to_string(),
        }),
        _ => None,
    };
    entries.into_iter().filter_map(|entry| word(entry.cause)).collect()
}

/// The mails of a kind that answer the mail of that id, by game.
pub(crate) fn answers(camp: &Camp, who: &str, id: &str, kind: &str) -> Vec<(String, String)> {
    let id = format!("{id}@players.example");
    let told = |mail: &Letter| {
        let words = mail.body.as_ref().unwrap().text.split_whitespace().collect::<Vec<_>>().join(" ");
        let game = mail.message_id.as_deref().unwrap().split('.').next().unwrap().to_owned();
        (game, words)
    };
    let mut mails = camp.mails(who);
    mails.retain(|mail| mail.in_reply_to.as_ref() == Some(&id) && is_of_kind(mail, kind));
    let mut told: Vec<_> = mails.iter().map(told).collect();
    told.sort();
    told
}

#[test]
fn commands_and_orders_count_for_each_game_that_the_mail_is_addressed_to() {
    let camp = Camp::new();
    let mut host = camp.open();
    games(&mut host);
    let both = ["alpha", "beta"].map(|game| reply_address(&camp, ANNA, game, "red"));
    let mail = mail_to(ANNA, &both, "both", &format!("ABSENT UNTIL 2026-12-10\r\n{}", block("BID 2")));
    camp.post(&mail);
    settle(&mut host);
    for game in ["alpha", "beta"] {
        assert_eq!(became(&mut host, game), ["BID 2"], "{game}");
    }
    let games =
        |kind: &str| answers(&camp, ANNA, "both", kind).into_iter().map(|(game, _)| game).collect::<Vec<_>>();
    assert_eq!(
        (games("receipt"), games("answer")),
        (vec!["alpha".into(), "beta".into()], vec!["alpha".into(), "beta".into()])
    );
    // A copy for each recipient, as a mail server delivers them, has no second effect; nor after a stop.
    let before = camp.mails(ANNA).len();
    camp.post(format!("Delivered-To: {}\r\n{mail}", both[1]));
    settle(&mut host);
    drop(host);
    let mut host = camp.open();
    camp.post(format!("Delivered-To: {}\r\n{mail}", both[0]));
    settle(&mut host);
    assert_eq!((became(&mut host, "beta").len(), camp.mails(ANNA).len()), (1, before));
}

#[test]
fn orders_below_a_key_line_are_for_its_seat_and_the_other_is_told_that_nothing_was_taken() {
    let camp = Camp::new();
    let mut host = camp.open();
    games(&mut host);
    let both = ["alpha", "beta"].map(|game| reply_address(&camp, ANNA, game, "red"));
    let token = both[1].split(['.', '@']).nth(2).unwrap();
    let text = format!("STATUS\r\n# key: beta red {token}\r\n{}", block("BID 2"));
    camp.post(mail_to(ANNA, &both, "keyed", &text));
    settle(&mut host);
    assert_eq!(became(&mut host, "beta"), ["BID 2"]);
    assert_eq!(became(&mut host, "alpha"), ["other-seat"]);
    let refused = answers(&camp, ANNA, "keyed", "refusal");
    assert_eq!(refused.len(), 1);
    assert!(
        refused[0].0 == "alpha"
            && refused[0].1.contains("says that its orders are for red in beta: for that seat they were looked at, for this one nothing was taken"),
        "{refused:?}"
    );
    assert_eq!(answers(&camp, ANNA, "keyed", "answer").len(), 2, "what is asked is answered for both");
}

#[test]
fn only_the_senders_own_seats_count() {
    let camp = Camp::new();
    let mut host = camp.open();
    games(&mut host);
    let own = reply_address(&camp, ANNA, "alpha", "red");
    let blues = reply_address(&camp, &player("blue"), "alpha", "blue");
    let no_secret = "host+beta@example.org".to_owned();
    let to = [own, blues, no_secret, "host+omega@example.org".to_owned()];
    camp.post(mail_to(ANNA, &to, "mixed", &block("BID 2")));
    settle(&mut host);
    assert_eq!(became(&mut host, "alpha"), ["wrong-sender", "BID 2"], "blue's, then red's");
    assert_eq!(became(&mut host, "beta"), ["no-secret"]);
    // Each was told: blue of the attempt, red of what was not taken, and of the game that is none.
    assert!(camp.newest("blue", "refusal").subject.contains("not shown to be yours"));
    let told: Vec<String> = camp.mails(ANNA).into_iter().map(|mail| mail.subject).collect();
    assert!(
        told.iter().any(|subject| subject.contains("[beta]") && subject.contains("not shown to be yours")),
        "{told:?}"
    );
    assert!(told.iter().any(|subject| subject.contains("no such game")), "{told:?}");
}

#[test]
fn who_has_two_seats_of_a_game_orders_for_both_before_the_turn_runs() {
    let camp = Camp::new();
    let mut host = camp.open();
    game_of(
        &mut host,
        "alpha",
        &[("red", ANNA.to_owned()), ("blue", ANNA.to_owned()), ("umpire", player("umpire"))],
    );
    let both = ["blue", "red"].map(|seat| reply_address(&camp, ANNA, "alpha", seat));
    camp.post(mail_to(ANNA, &both[1..], "first", &block("BID 1\r\nREADY")));
    camp.post(mail_to(ANNA, &both, "both", &block("BID 3\r\nREADY")));
    settle(&mut host);
    assert_eq!(
        became(&mut host, "alpha"),
        ["BID 1\nREADY", "BID 3\nREADY", "BID 3\nREADY"],
        "none came too late"
    );
    let closed =
        journal(&mut host).iter().filter(|entry| matches!(entry.cause, Cause::Closed { .. })).count();
    assert_eq!(closed, 2, "the founding and this turn");
}

#[test]
fn of_two_addresses_of_a_seat_the_one_with_the_good_secret_counts() {
    let camp = Camp::new();
    let mut host = camp.open();
    games(&mut host);
    let old = reply_address(&camp, ANNA, "alpha", "red");
    camp.post(mail_to(ANNA, std::slice::from_ref(&old), "new", "NEW SECRET"));
    settle(&mut host);
    let mails = camp.mails(ANNA);
    let brought = mails.iter().find(|mail| mail.subject.contains("new secret")).unwrap();
    camp.post(mail_to(ANNA, &[old, brought.reply_to[0].clone()], "both", &block("BID 2")));
    settle(&mut host);
    assert_eq!(became(&mut host, "alpha"), ["BID 2"]);
}

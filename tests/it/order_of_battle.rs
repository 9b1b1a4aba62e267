//! Who thinks of taking a seat sees both armies and the field first, where the rules show them to everybody.

use std::collections::BTreeMap;

use musterd::daemon::{Host, NewGame, Request};
use musterd::engine::terms::Terms;
use musterd::letter::Letter;

use super::support::*;

const ANNA: &str = "anna@guests.example";

/// A game of this scenario, with these seats.
fn new(host: &mut Host, scenario: &str, id: &str, seats: &[(&str, &str)]) {
    let seats = seats.iter().map(|(seat, who)| (seat.parse().unwrap(), (*who).to_owned()));
    let game = NewGame {
        scenario: scenario.to_owned(),
        id: id.parse().unwrap(),
        seats: seats.collect::<BTreeMap<_, _>>(),
        ..toy_game(&[], "24h", Terms::default())
    };
    host.execute(Request::found(game)).unwrap();
    settle(host);
}

/// What the host answers to this mail of somebody who has no seat.
fn answered(camp: &Camp, host: &mut Host, id: &str, subject: &str, words: &str) -> Letter {
    let mail = Mail { from: ANNA, to: HOST, id, in_reply_to: None, text: words }.raw();
    camp.post(mail.replace("Re: orders", subject));
    settle(host);
    answer_to(camp, ANNA, id)
}

fn answer_to(camp: &Camp, address: &str, id: &str) -> Letter {
    let id = format!("{id}@players.example");
    let mut mails = camp.mails(address);
    mails.retain(|mail| mail.in_reply_to.as_deref() == Some(id.as_str()));
    mails.pop().unwrap_or_else(|| panic!("no answer to {id}"))
}

fn text(mail: &Letter) -> &str {
    &mail.body.as_ref().unwrap().text
}

fn words(mail: &Letter) -> String {
    text(mail).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_outsider_sees_both_armies_of_an_open_game_before_a_seat_is_taken() {
    let camp = Camp::new();
    let mut host = camp.open();
    new(&mut host, "sa/mill", "mill", &[("northwold", "open"), ("reaches", "open")]);
    let list = answered(&camp, &mut host, "l", "a game?", "LIST\r\n");
    assert!(words(&list).contains("HELP BATTLE mill shows its armies and its field."), "{}", text(&list));
    let named = answered(&camp, &mut host, "n", "a game?", "HELP BATTLE mill\r\n");
    let meant = answered(&camp, &mut host, "m", "[mill] how is it?", "help battle\r\n");
    for mail in [&named, &meant] {
        for said in [
            "mill: The Mill at Harrow Brook, an autumn morning, as it begins. Every side knows this.",
            "A: NORTHWOLD",
            "A1-2 Northwold Spears HI B long spear, shields 570",
            "B: THE FAR REACHES",
            "B5 Lockwood Horse HC B sword, shields 350",
            "TYPES OF UNIT",
            "THE FIELD",
            "A Northwold",
        ] {
            assert!(words(mail).contains(said), "`{said}`:\n{}", text(mail));
        }
        assert!(text(mail).lines().all(|line| line.chars().count() <= 78), "{}", text(mail));
    }
    let unnamed = answered(&camp, &mut host, "u", "a game?", "HELP BATTLE\r\nHELP BATTLE nowhere\r\n");
    assert!(words(&unnamed).contains("Name the game, as in HELP BATTLE alpha"), "{}", text(&unnamed));
    assert!(words(&unnamed).contains("There is no game `nowhere` here."), "{}", text(&unnamed));
}

#[test]
fn an_invitation_says_how_to_see_the_armies_and_no_mail_brings_them_without_end() {
    let camp = Camp::new();
    let mut host = camp.open();
    let seats = ["searchers", "ormolu"].map(|seat| (seat, player(seat)));
    let seats = seats.each_ref().map(|(seat, who)| (*seat, who.as_str()));
    new(&mut host, "sa/ormolu", "alpha", &seats);
    let invitation = camp.newest("searchers", "invitation");
    let said = "answer with the one line HELP BATTLE on top to see them, before you accept or decline.";
    assert!(words(&invitation).contains(said), "{}", text(&invitation));
    camp.post(camp.answer("searchers", "invitation", "b", "HELP BATTLE\r\n"));
    camp.post(camp.answer("searchers", "invitation", "often", &"HELP BATTLE\r\n".repeat(20)));
    settle(&mut host);
    let battle = answer_to(&camp, &player("searchers"), "b");
    assert!(words(&battle).contains("only his own side knows which is real"), "{}", text(&battle));
    assert!(!text(&battle).contains("(real)") && !text(&battle).contains("likeness)"), "{}", text(&battle));
    let often = answer_to(&camp, &player("searchers"), "often");
    let times = words(&often).matches("Every side knows this.").count();
    assert!(times > 1 && text(&often).len() < 50_000, "{times} times: {}", text(&often).len());
    assert!(words(&often).contains("That is too much for one mail"), "{}", text(&often));
}

#[test]
fn where_a_side_hides_something_nobody_is_told_of_the_armies() {
    let camp = Camp::new();
    let mut host = camp.open();
    let scenarios = ["dog/training", "lga/austrian-1805"];
    for (n, scenario) in scenarios.iter().enumerate() {
        let founding = desk().founding(scenario).unwrap();
        let game = desk().open(founding.rules(), &founding.files, &[]).unwrap();
        assert!(!game.shows_battle(), "{scenario}");
        let id = format!("game-{n}");
        let seats: Vec<String> = game.seats().iter().map(|spec| spec.seat.to_string()).collect();
        let seats: Vec<(&str, &str)> = seats.iter().map(|seat| (seat.as_str(), "open")).collect();
        new(&mut host, scenario, &id, &seats);
        let answer = answered(&camp, &mut host, &id, "a game?", &format!("LIST\r\nHELP BATTLE {id}\r\n"));
        assert!(!words(&answer).contains("shows its armies"), "{}", text(&answer));
        assert!(words(&answer).contains("don't show the armies to everybody"), "{}", text(&answer));
    }
}

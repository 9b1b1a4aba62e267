//! Missed turns that are excused, by the terms or because a player is new: the turn is held back once, and counts against nobody.
//! And how reliably people order, as their GM and the operator learn it.

use musterd::daemon::{Host, Reply, Request, SeatStatus};
use musterd::engine::terms::Terms;
use musterd::letter::Letter;

use super::replay::replay;
use super::support::*;
use super::toy::seat;

fn status(host: &mut Host) -> (Option<u32>, Vec<SeatStatus>) {
    let Reply::Status { mut games } = host.execute(Request::Status { game: Some(game()) }).unwrap() else {
        panic!()
    };
    let game = games.remove(0);
    (game.t, game.seats)
}

fn open(host: &mut Host) -> Option<u32> {
    status(host).0
}

/// Turns in time, late, missed and excused of a seat's player.
fn turns(host: &mut Host, name: &str) -> Option<[u32; 4]> {
    let (_, seats) = status(host);
    let turns = seats.into_iter().find(|one| one.seat == seat(name)).unwrap().turns?;
    Some([turns.in_time, turns.late, turns.missed, turns.excused])
}

fn hours(camp: &Camp, host: &mut Host, hours: i64) {
    for _ in 0..hours {
        camp.wait(HOUR);
        settle(host);
    }
}

fn orders(camp: &Camp, host: &mut Host, who: &str, id: &str, lines: &str) {
    camp.post(camp.answer(who, "dispatch", id, &block(lines)));
    settle(host);
}

fn words(mail: &Letter) -> String {
    mail.body.as_ref().unwrap().text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn gm(host: &mut Host, text: &str) -> String {
    let request = Request::Gm { game: game(), text: text.to_owned(), yes: true };
    let Reply::Gm { answers, .. } = host.execute(request).unwrap() else { panic!() };
    settle(host);
    answers[0].paragraphs.join("\n")
}

fn held(camp: &Camp, who: &str) -> Vec<Letter> {
    let mut mails = camp.mails(&player(who));
    mails.retain(|mail| mail.subject.contains("held back"));
    mails
}

#[test]
fn the_first_missed_turn_that_the_terms_excuse_holds_the_turn_once_and_is_not_counted() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { excused: 1, hold: 48 * 60, ..Terms::default() });
    hours(&camp, &mut host, 30);
    assert_eq!(open(&mut host), Some(2), "held back");
    for who in ["red", "blue", "umpire"] {
        let told = held(&camp, who);
        assert_eq!(told.len(), 1);
        assert!(words(&told[0]).contains("Each player of this game is excused 1 missed turn."), "{who}");
        assert!(words(&told[0]).contains("without orders from the blue player and the red player"), "{who}");
    }
    orders(&camp, &mut host, "red", "red", "BID 2");
    assert_eq!(open(&mut host), Some(2), "it still waits for the other, who is excused");
    hours(&camp, &mut host, 41);
    assert_eq!(open(&mut host), Some(2));
    hours(&camp, &mut host, 2);
    assert_eq!(open(&mut host), Some(3), "it runs without him when that time is over");
    assert_eq!((turns(&mut host, "red"), turns(&mut host, "blue")), (Some([0, 1, 0, 0]), Some([0, 0, 0, 1])));
    assert!(!gm(&mut host, "STATUS").contains("turns missed one after the other"));
    // The next one is counted, and holds nothing.
    orders(&camp, &mut host, "umpire", "ruling", "VOID");
    hours(&camp, &mut host, 25);
    assert_eq!(open(&mut host), Some(4));
    orders(&camp, &mut host, "red", "red-2", "BID 1");
    hours(&camp, &mut host, 24);
    assert_eq!(open(&mut host), Some(5));
    assert_eq!((turns(&mut host, "red"), turns(&mut host, "blue")), (Some([1, 1, 0, 0]), Some([0, 0, 1, 1])));
    let told = gm(&mut host, "STATUS");
    assert!(told.contains("turns missed one after the other: 1"), "{told}");
    assert!(told.contains("turns on this host: 0 in time, 1 missed, 1 excused"), "{told}");
    // Nobody else is told.
    camp.post(camp.answer("red", "dispatch", "s", "STATUS\r\n"));
    settle(&mut host);
    assert!(!words(&camp.newest("red", "answer")).contains("in time"));
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn a_new_players_first_missed_turn_holds_the_game_whatever_the_terms() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    orders(&camp, &mut host, "blue", "blue", "BID 1");
    gm(&mut host, "REPLACE red zoe@players.example");
    hours(&camp, &mut host, 30);
    assert_eq!(open(&mut host), Some(2), "held back for the new player");
    assert!(words(&held(&camp, "blue")[0]).contains("New in the game: the red player."));
    hours(&camp, &mut host, 67);
    assert_eq!(open(&mut host), Some(3), "it runs when the time is over");
    assert_eq!(turns(&mut host, "red"), Some([0, 0, 0, 1]));
    orders(&camp, &mut host, "umpire", "ruling", "VOID");
    hours(&camp, &mut host, 25);
    assert_eq!(open(&mut host), Some(4));
    orders(&camp, &mut host, "blue", "blue-2", "BID 1");
    hours(&camp, &mut host, 24);
    assert_eq!(open(&mut host), Some(5), "only the first one is");
    assert_eq!(held(&camp, "blue").len(), 1);
    assert_eq!(turns(&mut host, "red"), Some([0, 0, 1, 1]));
    replay(&desk(), &journal(&mut host), &camp.secrets());
}

#[test]
fn a_turn_held_for_a_new_player_runs_once_the_orders_are_here() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    orders(&camp, &mut host, "blue", "blue", "BID 1");
    gm(&mut host, "REPLACE red zoe@players.example");
    hours(&camp, &mut host, 30);
    let welcome = camp.mails("zoe@players.example").remove(0);
    let text = block("BID 2");
    let from = "zoe@players.example";
    camp.post(Mail { from, to: &welcome.reply_to[0], id: "zoe", in_reply_to: None, text: &text }.raw());
    settle(&mut host);
    assert_eq!(open(&mut host), Some(3));
    assert_eq!(turns(&mut host, "red"), Some([0, 1, 0, 0]));
}

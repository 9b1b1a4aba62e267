//! Nobody reads anybody else's address in a mail of the host's, whatever players, guests and the GM ask for.

use std::fs;

use mail_parser::{MessageParser, MimeHeaders};
use musterd::daemon::{Host, Request};
use musterd::engine::terms::Terms;

use super::support::*;

const SECOND: &str = "red@second.example";
const WATCHER: &str = "watcher@guests.example";
const WAITER: &str = "waiter@guests.example";
const NEW: &str = "newcomer@guests.example";

fn gm(host: &mut Host, text: &str) {
    host.execute(Request::Gm { game: game(), text: text.to_owned(), yes: true }).unwrap();
    settle(host);
}

fn guest(camp: &Camp, host: &mut Host, from: &str, id: &str, text: &str) {
    camp.wait(1);
    camp.post(Mail { from, to: HOST, id, in_reply_to: None, text }.raw());
    settle(host);
}

/// Sends back the code that came last to this address.
fn confirm(camp: &Camp, host: &mut Host, from: &str, id: &str) {
    let texts = camp.mails(from).into_iter().filter_map(|mail| mail.body.ok()).map(|body| body.text);
    let lines: Vec<String> = texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter(|l| l.starts_with("CONFIRM"))
        .collect();
    guest(camp, host, from, id, lines.last().unwrap());
}

/// Everything that somebody's mails say: as they came, and every part of them decoded.
fn everything_to(camp: &Camp, address: &str) -> String {
    let mut all = String::new();
    for (_, raw) in raw_mails(&camp.path().join("mail").join(address)) {
        all.push_str(&String::from_utf8_lossy(&raw));
        let mail = MessageParser::default().parse(&raw).unwrap();
        for part in &mail.parts {
            all.push_str(&String::from_utf8_lossy(part.contents()));
            all.push_str(part.attachment_name().unwrap_or_default());
        }
    }
    all.to_lowercase()
}

#[test]
fn no_mail_tells_anybody_another_ones_address() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { anonymous: true, observers_lag: 0, ..Terms::default() });
    let say = |host: &mut Host, whose: &str, id: &str, text: &str| {
        camp.wait(1);
        camp.post(camp.answer(whose, "dispatch", id, text));
        settle(host);
    };
    say(&mut host, "red", "add", &format!("ADDRESS ADD {SECOND}\r\n"));
    confirm(&camp, &mut host, SECOND, "add-2");
    guest(&camp, &mut host, WATCHER, "watch", "OBSERVE alpha\r\nSTATUS\r\nLIST\r\n");
    confirm(&camp, &mut host, WATCHER, "watch-2");
    guest(&camp, &mut host, WAITER, "wait", "STANDBY alpha\r\n");
    confirm(&camp, &mut host, WAITER, "wait-2");
    let letters =
        "PRESS TO ALL\r\nTo all.\r\nEND PRESS\r\nPRESS TO BLUE ANONYMOUS\r\nTo one.\r\nEND PRESS\r\n";
    for whose in ["red", "blue"] {
        let text = format!(
            "STATUS\r\nLIST\r\nHELP seats\r\nHISTORY\r\nPREVIEW\r\nEXTEND 1d\r\n{letters}{}",
            block("BID 2")
        );
        say(&mut host, whose, &format!("all-{whose}"), &text);
        say(
            &mut host,
            whose,
            &format!("away-{whose}"),
            "ABSENT UNTIL 2026-12-24\r\nZONE Europe/Vienna\r\nREPORT\r\n",
        );
    }
    // Blue answers a mail that was red's, and a stranger knows red's address.
    let reds = camp.newest("red", "dispatch").reply_to[0].clone();
    for (n, (from, to)) in [
        (player("blue"), reds.clone()),
        (GM.to_owned(), reds),
        (player("blue"), "host+alpha.red.0123456789abcdef@example.org".to_owned()),
        (player("red"), "host+alpha.blue.0123456789abcdef@example.org".to_owned()),
        (WATCHER.to_owned(), "host+alpha.blue.0123456789abcdef@example.org".to_owned()),
        (player("blue"), "host+alpha@example.org".to_owned()),
    ]
    .iter()
    .enumerate()
    {
        camp.wait(1);
        let id = format!("astray-{n}");
        camp.post(Mail { from, to, id: &id, in_reply_to: None, text: &block("BID 1") }.raw());
        settle(&mut host);
    }
    for command in [
        "PAUSE",
        "RESUME",
        "BROADCAST: Well met.",
        "NARRATE 2: Rain.",
        "TERMS --grace 1h",
        "EXTEND 2 1d",
        "PROCESS 2",
    ] {
        gm(&mut host, command);
    }
    camp.post(camp.answer("umpire", "dispatch", "ruling", &block("UPHOLD\r\nREADY")));
    settle(&mut host);
    say(&mut host, "blue", "secret", "NEW SECRET\r\n");
    gm(&mut host, "SECRET red");
    gm(&mut host, &format!("REPLACE red {NEW}"));
    gm(&mut host, "EJECT blue");
    confirm(&camp, &mut host, WAITER, "seat");
    for _ in 0..6 {
        camp.wait(40 * HOUR);
        settle(&mut host);
    }
    let people = [player("red"), player("blue"), player("umpire"), SECOND.to_owned()];
    let guests = [WATCHER, WAITER, NEW, GM].map(str::to_owned);
    let all: Vec<String> = people.iter().chain(&guests).cloned().collect();
    let own = |reader: &String| match reader.as_str() {
        "red@players.example" | SECOND => vec![player("red"), SECOND.to_owned()],
        _ => vec![reader.clone()],
    };
    for reader in all.iter().filter(|reader| *reader != GM) {
        let text = everything_to(&camp, reader);
        assert!(text.len() > 1000, "{reader} has read hardly anything");
        for other in all.iter().filter(|other| !own(reader).contains(other)) {
            let at = text.find(other.as_str());
            let around = at.map(|at| &text[at.saturating_sub(300)..(at + 60).min(text.len())]);
            assert_eq!(around, None, "{reader} reads of {other}");
        }
    }
    let boxes = fs::read_dir(camp.path().join("mail")).unwrap().count();
    assert_eq!(boxes, all.len() + 1, "whoever else was written to has not been looked at");
}

#[test]
fn the_gm_gives_a_seat_a_new_secret_and_does_not_see_it() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let old = camp.answer("red", "dispatch", "old", &block("BID 1"));
    gm(&mut host, "SECRET red BECAUSE his mailbox was read");
    let mail = camp.newest("red", "invitation");
    let secret = mail.reply_to[0].split(['.', '@']).nth(2).unwrap().to_owned();
    assert_eq!(secret.len(), 16, "{mail:?}");
    assert!(!everything_to(&camp, GM).contains(&secret));
    camp.post(old);
    settle(&mut host);
    camp.post(camp.answer("red", "invitation", "new", &block("BID 2")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).split_off(3), ["wrong-secret", "accepted"]);
}

#[test]
fn the_gm_can_change_the_gms_own_secret() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let address = |camp: &Camp| {
        let mut welcomes = camp.mails(GM);
        welcomes.retain(|mail| mail.subject.contains("you are the GM"));
        welcomes.into_iter().map(|mail| mail.reply_to[0].clone()).collect::<Vec<_>>()
    };
    let pause = |id: &str, to: &str| Mail { from: GM, to, id, in_reply_to: None, text: "PAUSE\r\n" }.raw();
    gm(&mut host, "SECRET gm");
    let addresses = address(&camp);
    assert_eq!(addresses.len(), 2);
    let is_paused = |camp: &Camp| everything_to(camp, GM).contains("the game stands still");
    let (one, other) = (&addresses[0], &addresses[1]);
    assert_ne!(one, other);
    // Which came first the clock of the test doesn't tell: just one of them counts.
    camp.post(pause("one", one));
    settle(&mut host);
    let first = is_paused(&camp);
    camp.post(pause("other", other));
    settle(&mut host);
    assert!(is_paused(&camp));
    let told = camp.mails(GM).into_iter().filter(|mail| mail.subject.contains("not proved")).count();
    assert_eq!(told, 1, "{first}");
}

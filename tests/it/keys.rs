//! A host, or a game, with so long a name that no seat's secret has room in its address: each mail brings the key line.

use std::fs;

use musterd::daemon::{Host, config};
use musterd::letter::Letter;

use super::support::*;

/// With a seat's name and secret its local part would be longer than mail servers must take.
const LONG: &str = "great-battles-of-the-napoleonic-wars-by-mail@example.org";

/// A game by mail to that address, with everything sent.
fn camp() -> (Camp, Host) {
    let camp = Camp::new();
    let file = camp.path().join(config::FILE);
    fs::write(&file, fs::read_to_string(&file).unwrap().replace(HOST, LONG)).unwrap();
    musterd::post::create(&camp.path().join("mail").join(LONG)).unwrap();
    let mut host = camp.open();
    new_game(&mut host, &[], "24h");
    settle(&mut host);
    (camp, host)
}

/// The key lines of a mail's text.
fn keys(mail: &Letter) -> Vec<&str> {
    let text = mail.body.as_ref().unwrap().text.lines();
    text.filter(|line| line.starts_with("# key: alpha ")).collect()
}

/// Answers a mail as most programs do: above all that it said.
fn answer(camp: &Camp, host: &mut Host, answered: &Letter, id: &str, text: &str) {
    assert_eq!(answered.reply_to, [LONG]);
    let quoted: Vec<String> =
        answered.body.as_ref().unwrap().text.lines().map(|line| format!("> {line}")).collect();
    let text = format!("{text}\r\n\r\n{}", quoted.join("\r\n"));
    let from = &answered.to[0];
    let in_reply_to = answered.message_id.as_deref();
    let raw = Mail { from, to: LONG, id, in_reply_to, text: &text }.raw();
    put(&camp.path().join("mail").join(LONG), id, raw.as_bytes(), camp.clock.now());
    settle(host);
}

#[test]
fn any_mail_can_be_answered_where_the_address_has_no_room_for_the_secret() {
    let (camp, mut host) = camp();
    for seat in ["red", "blue", "umpire"] {
        answer(&camp, &mut host, &camp.newest(seat, "invitation"), &format!("join-{seat}"), "JOIN");
    }
    answer(&camp, &mut host, &camp.newest("red", "dispatch"), "bid", &block("BID 1"));
    answer(&camp, &mut host, &camp.newest("red", "receipt"), "status", "STATUS");
    answer(&camp, &mut host, &camp.newest("red", "answer"), "thanks", "Thanks.");
    answer(&camp, &mut host, &camp.newest("red", "refusal"), "press", "PRESS TO BLUE\r\nPeace?\r\nEND PRESS");
    camp.wait(20 * HOUR);
    settle(&mut host);
    answer(&camp, &mut host, &camp.newest("blue", "press"), "again", &block("BID 2"));
    assert_eq!(verdicts(&mut host)[3..], ["accepted", "no-orders", "accepted"]);
    let wanted = ["invitation", "receipt", "dispatch", "answer", "refusal", "press", "reminder"];
    for kind in wanted {
        assert!(camp.count("red", kind) + camp.count("blue", kind) > 0, "{kind}");
    }
    for (whose, address) in [("red", player("red")), ("blue", player("blue")), ("gm", GM.to_owned())] {
        for (_, raw) in raw_mails(&camp.path().join("mail").join(&address)) {
            let mail = read(&raw);
            let found = keys(&mail);
            let seats = found.iter().filter(|key| key.starts_with(&format!("# key: alpha {whose} ")));
            assert_eq!((found.len(), seats.count()), (1, 1), "{whose}: {}", mail.subject);
            let html = mail_parser::MessageParser::default().parse(&raw).unwrap();
            let html = html.html_bodies().find(|part| part.is_text_html());
            let html = html.and_then(|part| part.text_contents()).unwrap_or(found[0]);
            assert!(html.contains(found[0]), "{whose}: {}: {html}", mail.subject);
        }
    }
}

#[test]
fn the_first_mail_says_what_the_key_is() {
    let (camp, _host) = camp();
    for mail in [camp.newest("red", "invitation"), camp.mails(GM).remove(0)] {
        let text = mail.body.unwrap().text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("in each mail to you") || text.contains("of each mail to you"), "{text}");
        assert!(
            !text.contains("that address is your seat's key") && !text.contains("The address holds"),
            "{text}"
        );
    }
}

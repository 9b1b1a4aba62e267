//! `MAIL`: what the mails to a seat bring. Whatever is left out, what is told stays bound and true.

use super::*;

/// The newest mail of a kind to a seat, as it came.
fn raw(camp: &Camp, who: &str, kind: &str) -> String {
    let id = camp.newest(who, kind).message_id;
    let mut mails = raw_mails(&camp.path().join("mail").join(player(who))).into_iter().map(|(_, raw)| raw);
    String::from_utf8(mails.find(|raw| read(raw).message_id == id).unwrap()).unwrap()
}

/// The page of the newest dispatch to a seat.
fn page(camp: &Camp, who: &str) -> Option<String> {
    let raw = raw(camp, who, "dispatch");
    let mail = mail_parser::MessageParser::default().parse(raw.as_bytes()).unwrap();
    let part = mail.html_bodies().find(|part| part.is_text_html())?;
    Some(part.text_contents().unwrap().to_owned())
}

fn next_round(camp: &Camp, host: &mut Host, id: &str) {
    for seat in ["red", "blue"] {
        camp.post(camp.answer(seat, "dispatch", &format!("{id}-{seat}"), &block("BID 1\r\nREADY")));
    }
    settle(host);
    camp.post(camp.answer("umpire", "dispatch", &format!("{id}-umpire"), &block("VOID\r\nREADY")));
    settle(host);
}

fn names(camp: &Camp, who: &str) -> Vec<String> {
    files(camp, who).into_keys().map(|name| name.split('-').next_back().unwrap().to_owned()).collect()
}

#[test]
fn a_player_chooses_what_the_mails_to_the_seat_bring_and_all_of_it_fits_the_log() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded_on(&camp, &mut host, Terms { proofs: true, ..Terms::default() });
    let all = asked(&camp, &mut host, "red", "m", "MAIL\r\n");
    says(&all, "bring the text, which tells everything, and beside it: a page, drawings in it,");
    assert_eq!(changes(&mut host), [], "to ask changes nothing");
    assert!(page(&camp, "red").unwrap().contains("<rect"), "the usual page draws the ridge");
    let none = asked(&camp, &mut host, "red", "p", "MAIL PICTURES OFF DATA OFF\r\nMAIL CALENDAR OFF\r\n");
    says(&none, "They don't bring: drawings in it, the report as data and the deadline for a calendar.");
    next_round(&camp, &mut host, "one");
    let undrawn = page(&camp, "red").unwrap();
    assert!(!undrawn.contains("<rect") && undrawn.contains("Ridge"));
    assert_eq!(names(&camp, "red"), ["proofs.json", "orders.txt"]);
    assert!(page(&camp, "blue").unwrap().contains("<rect"), "the others are written to as before");
    asked(&camp, &mut host, "red", "t", "MAIL TEXT BRIEF\r\n");
    next_round(&camp, &mut host, "two");
    assert_eq!((page(&camp, "red"), names(&camp, "red")), (None, Vec::new()));
    says(&camp.newest("red", "dispatch"), "Told:");
    asked(&camp, &mut host, "red", "f", "MAIL HTML FULL PICTURES ON DATA ON CALENDAR ON\r\n");
    says(&asked(&camp, &mut host, "red", "r", "REPORT\r\n"), "comes again");
    assert!(page(&camp, "red").unwrap().contains("<rect"));
    assert_eq!(names(&camp, "red").len(), 4, "{:?}", names(&camp, "red"));
    checked(&camp, &mut host);
}

/// In letters of one width on a page too: programs on the web show a text in others, and its carets point at nothing there.
#[test]
fn an_answer_is_on_its_page_as_it_is_in_its_text() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let answer = asked(&camp, &mut host, "red", "slip", "ZONE <b>Vienna\r\n");
    let raw = raw(&camp, "red", "answer");
    let mail = mail_parser::MessageParser::default().parse(raw.as_bytes()).unwrap();
    let html = mail.html_bodies().find(|part| part.is_text_html()).unwrap();
    let page = html.text_contents().unwrap().replace("&lt;", "<").replace("&gt;", ">").replace('\r', "");
    assert!(html.text_contents().unwrap().contains("<pre") && !html.text_contents().unwrap().contains("<b>"));
    let text = text(&answer);
    let lines: Vec<&str> = text.lines().collect();
    let caret = lines.iter().position(|line| line.contains("^^^")).unwrap();
    assert!(page.contains(&lines[caret - 1..=caret].join("\n")), "{page}");
    // Whoever wants text alone has it.
    asked(&camp, &mut host, "red", "t", "MAIL TEXT\r\n");
    asked(&camp, &mut host, "red", "again", "ZONE Wien\r\n");
    assert!(!self::raw(&camp, "red", "answer").contains("text/html"));
}

/// A program that quotes a page without marks, and answers by itself, confirms nothing.
#[test]
fn a_code_in_the_page_of_an_answer_is_quoted_without_marks_and_confirms_nothing() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    asked(&camp, &mut host, "red", "r", "RESIGN\r\n");
    let raw = raw(&camp, "red", "answer");
    let mail = mail_parser::MessageParser::default().parse(raw.as_bytes()).unwrap();
    let page =
        mail.html_bodies().find(|part| part.is_text_html()).unwrap().text_contents().unwrap().to_owned();
    assert!(page.contains("CONFIRM alpha."), "{page}");
    let body =
        page.split_once("<body").unwrap().1.split_once('>').unwrap().1.split_once("</body>").unwrap().0;
    let seats = |host: &mut Host| {
        changes(host).into_iter().filter(|change| matches!(change, Change::Seated { .. })).count()
    };
    let before = seats(&mut host);
    for (n, quoted) in [
        format!("<div>I am away until Monday.</div><div>{body}</div>"),
        format!("<div>I am away until Monday.</div><blockquote>{body}</blockquote>"),
    ]
    .into_iter()
    .enumerate()
    {
        let away = camp.answer("red", "dispatch", &format!("away-{n}"), &quoted);
        camp.post(away.replace("text/plain", "text/html"));
        settle(&mut host);
    }
    assert_eq!(seats(&mut host), before, "the seat is still the player's");
}

#[test]
fn what_a_player_wanted_of_the_mails_ends_with_his_seat_and_slips_are_told() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    asked(&camp, &mut host, "red", "t", "MAIL TEXT\r\n");
    assert!(page(&camp, "red").is_some());
    gm(&mut host, "REPLACE red zoe@players.example");
    let zoe = camp.mails("zoe@players.example");
    let dispatch = zoe.iter().find(|mail| is_of_kind(mail, "dispatch")).unwrap();
    let raw = raw_mails(&camp.path().join("mail/zoe@players.example"));
    let raw = raw.into_iter().map(|(_, raw)| raw).find(|raw| read(raw).message_id == dispatch.message_id);
    assert!(String::from_utf8(raw.unwrap()).unwrap().contains("text/html"));
}

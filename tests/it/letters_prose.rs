//! What stands in words round orders: it holds a READY where it may be an order or ask for time, and a signature doesn't.

use musterd::desk::mail;
use musterd::desk::order_mail::read_orders_of;
use musterd::letter::Limits;

use super::letters_unread::{camp, has_run, mail, mixed, said, standing};
use super::support::*;

const MARKED: &str = "BEGIN ORDERS\r\nBID 1\r\nREADY\r\nEND ORDERS\r\n";
const SALTED: &str = "BEGIN ORDERS\r\nBID 1\r\nsalt: SALT\r\nREADY\r\nEND ORDERS\r\n";

fn versions(camp: &Camp, id: &str, text: &str, page: &str) -> String {
    let mail = mixed(camp, id, text, &[("Content-Type: text/html", page)]);
    mail.replace("multipart/mixed", "multipart/alternative")
}

fn page(camp: &Camp, id: &str, html: &str) -> String {
    camp.answer("red", "dispatch", id, html).replace("text/plain", "text/html")
}

#[test]
fn ready_waits_for_slips_and_doubtful_words_beside_marks() {
    let (camp, mut host) = camp();
    for (n, line) in
        ["BDI 5", "And five coins more, please.", "bid everything", "I am not ready yet."].iter().enumerate()
    {
        let file = mixed(
            &camp,
            &format!("file-{n}"),
            &format!("{line}\r\n"),
            &[(
                "Content-Type: text/plain; name=orders.txt\nContent-Disposition: attachment; filename=orders.txt",
                MARKED,
            )],
        );
        let below = camp.answer("red", "dispatch", &format!("below-{n}"), &format!("{MARKED}\r\n{line}\r\n"));
        let above = camp.answer("red", "dispatch", &format!("above-{n}"), &format!("{line}\r\n\r\n{MARKED}"));
        for raw in [below, above, file] {
            mail(&camp, &mut host, &raw);
            assert!(!has_run(&mut host), "{line}");
            assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "{line}");
            let (subject, receipt) = said(&camp, "receipt");
            assert!(subject.contains("READY left out"), "{line}: {subject}");
            assert!(receipt.contains(line), "{line}: {receipt}");
        }
    }
    let kind = "Dear umpire,\r\n\r\nhere are my orders.\r\n\r\n";
    mail(
        &camp,
        &mut host,
        &camp.answer("red", "dispatch", "kind", &format!("{kind}{MARKED}\r\nBest wishes\r\nRed\r\n")),
    );
    assert!(has_run(&mut host));
}

#[test]
fn orders_that_are_only_indented_are_the_writers_own() {
    let (camp, mut host) = camp();
    let styles = [
        "",
        " style=\"margin:0 0 0 40px\"",
        " style=\"margin-left: 0.8ex; padding-left: 1ex; border-left: 3px solid rgb(200, 200, 200);\"",
        " style=\"margin: 0 0 0 40px; border: none; padding: 0px;\" class=\"webkit-indent-blockquote\"",
        " style=\"margin:0 0 0 40px;border:0\"",
    ];
    for (n, style) in styles.iter().enumerate() {
        let html = format!("<p>WAIT</p><blockquote{style}><p>BID 5</p></blockquote><p>salt: {n}</p>");
        mail(&camp, &mut host, &page(&camp, &format!("page-{n}"), &html));
        assert_eq!(standing(&mut host).unwrap(), format!("WAIT\nBID 5\nsalt: {n}\n"), "{style}");
        let html = format!("<p>BID 1</p><p>READY</p><blockquote{style}>BID 5</blockquote>");
        mail(&camp, &mut host, &versions(&camp, &format!("both-{n}"), "BID 1\r\nREADY", &html));
        assert!(!has_run(&mut host), "{style}");
        assert!(said(&camp, "receipt").1.contains("| BID 5"), "{style}");
    }
    let quoted = |bid: &str| {
        format!(
            "<p>BID 1</p><p>READY</p><p>On Sat, 21 Nov 2026 at 12:00 the umpire &lt;h@example.org&gt; wrote:</p>\
             <blockquote>{bid}</blockquote>"
        )
    };
    mail(&camp, &mut host, &page(&camp, "quoted", &quoted("BID 5")));
    assert_eq!(standing(&mut host).unwrap(), "BID 1\n");
    assert!(said(&camp, "receipt").0.contains("lines in the mail that you quote not read"));
    mail(&camp, &mut host, &page(&camp, "same", &quoted("BID 1")));
    assert_eq!(standing(&mut host).unwrap(), "BID 1\nREADY\n");
    assert!(has_run(&mut host));
}

#[test]
fn ready_waits_for_orders_in_a_letter_without_an_end() {
    let (camp, mut host) = camp();
    let text = "BID 1\r\nREADY\r\nPRESS TO BLUE\r\nhi\r\nBID 5\r\n";
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "letter", text));
    assert!(!has_run(&mut host));
    let (subject, receipt) = said(&camp, "receipt");
    assert!(subject.contains("your letter to BLUE not read, READY left out"), "{subject}");
    assert!(receipt.contains("| BID 5"), "{receipt}");
    assert!(said(&camp, "press").1.contains("NOT sent on"));
    let marked = format!("{MARKED}PRESS TO BLUE\r\nI add five coins\r\n");
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "marked", &marked));
    assert!(!has_run(&mut host));
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "alone", "PRESS TO BLUE\r\nhello\r\nBID 4\r\n"));
    let (subject, refusal) = said(&camp, "refusal");
    assert!(subject.contains("your letter to BLUE not read") && refusal.contains("| BID 4"), "{refusal}");
    let whole = "BID 1\r\nREADY\r\nPRESS TO BLUE\r\nhi\r\nBID 5\r\nEND PRESS\r\n";
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "whole", whole));
    assert!(has_run(&mut host));
}

#[test]
fn an_order_in_quotation_marks_is_read() {
    let (camp, mut host) = camp();
    for (n, line) in ["\"BID 4\"", "\u{bb} BID 4", "'BID 4'", "\u{201e}BID 4\u{201c}"].iter().enumerate() {
        mail(
            &camp,
            &mut host,
            &camp.answer("red", "dispatch", &format!("quoted-{n}"), &format!("{line}\r\n")),
        );
        assert_eq!(standing(&mut host).as_deref(), Some("BID 4\n"), "{line}");
        mail(&camp, &mut host, &camp.answer("red", "dispatch", &format!("other-{n}"), "BID 1"));
    }
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "slip", "BID 1\r\nREADY\r\n\"BDI 4\"\r\n"));
    assert_eq!(
        standing(&mut host).as_deref(),
        Some("BID 1\nREADY\nBDI 4\n"),
        "an error, over which no READY counts"
    );
    mail(
        &camp,
        &mut host,
        &camp.answer("red", "dispatch", "motto", "BID 1\r\nREADY\r\n\"Fortune favours the bold\"\r\n"),
    );
    assert!(has_run(&mut host));
}

#[test]
fn ready_waits_beside_a_command_that_asks_for_time() {
    let (camp, mut host) = camp();
    for (n, command) in [
        "EXTEND soon",
        "EXTEND 2d",
        "ABSENT UNTIL 2026-12-10",
        "ABSENT next week",
        "RESIGN",
        "RESIGN at once",
        // The first letter is Cyrillic.
        "\u{415}XTEND 2d",
        "STATUS of my army",
    ]
    .iter()
    .enumerate()
    {
        let is_late = !command.starts_with("STATUS");
        // Mails are written in Latin letters.
        let quoted = command.replace('\u{415}', "E");
        let with_orders = [
            Some(format!("{command}\r\nBID 1\r\nsalt: SALT\r\nREADY\r\n")),
            Some(format!("{command}\r\n{SALTED}")),
            is_late.then(|| format!("BID 1\r\nsalt: SALT\r\nREADY\r\n{command}\r\n")),
            is_late.then(|| format!("{SALTED}{command}\r\n")),
        ];
        for (k, text) in with_orders.into_iter().flatten().enumerate() {
            let text = text.replace("SALT", &format!("{n} {k}"));
            mail(&camp, &mut host, &camp.answer("red", "dispatch", &format!("set-{n}-{k}"), &text));
            assert!(!has_run(&mut host), "{text}");
            assert_eq!(standing(&mut host).unwrap(), format!("BID 1\nsalt: {n} {k}\n"), "{text}");
            let (subject, receipt) = said(&camp, "receipt");
            assert!(subject.contains("READY left out"), "{text}: {subject}");
            let told = "So its READY was left out";
            assert!(receipt.contains(told) && receipt.contains(&quoted), "{text}: {receipt}");
        }
        let alone =
            [Some(format!("{command}\r\nREADY\r\n")), is_late.then(|| format!("READY\r\n{command}\r\n"))];
        for (k, text) in alone.into_iter().flatten().enumerate() {
            mail(&camp, &mut host, &camp.answer("red", "dispatch", &format!("alone-{n}-{k}"), &text));
            assert!(!has_run(&mut host), "{text}");
            let (subject, refusal) = said(&camp, "refusal");
            assert!(subject.contains("READY left out"), "{text}: {subject}");
            assert!(refusal.contains(&format!("\"{quoted}\"")), "{text}: {refusal}");
        }
    }
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "asks", "STATUS\r\nREADY\r\n"));
    assert!(has_run(&mut host), "what only asks holds nothing");
}

/// Signatures that name numbers, verbs of orders and towns, as a line each.
const SIGNATURES: [&str; 21] = [
    "This e-mail is confidential. If you are not the intended recipient, don't print it unless you are ready to.",
    "Tel +44 20 7946 0000 | Mob +44 7700 900000",
    "Tel +44 20 7946 0000 | Mob +44 7700 900000 | www.example.com",
    "P +1 (555) 010-2345 | F +1 (555) 010-2346",
    "T: +44 20 7946 0000  M: +44 7700 900000",
    "1 King Street, London EC2V 8AU",
    "12 Rue de Rivoli",
    "Marsch 12, 8010 Graz",
    "Support: support@example.com",
    "Registered office: 1 King Street, London EC2V 8AU. Registered in England and Wales No. 123456.",
    "Registered in England and Wales No. 123456.",
    "Move Logistics GmbH",
    "Move Logistics GmbH, Wien",
    "March Hare",
    "Rally Team Lund",
    "Get Outlook for iOS",
    "Amtsgericht Wien, FN 123456a, UID ATU12345678",
    "Please consider the environment before printing this email.",
    "If you are not the named addressee you should not disseminate, distribute or copy this e-mail.",
    "If you are not the intended recipient, please delete it. Do not move, copy or distribute it.",
    "CAUTION: This email originated from outside the organization. Do not click links or open attachments.",
];

#[test]
fn signatures_hold_no_ready_in_any_game() {
    let desk = musterd::rulesets::desk();
    let attached = |line: &str| {
        format!(
            "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\nContent-Type: text/plain\r\n\r\nREADY\r\n\
             --q\r\nContent-Type: text/plain; name=disclaimer.txt\r\nContent-Disposition: attachment; filename=disclaimer.txt\r\n\r\n\
             {line}\r\n--q--\r\n"
        )
    };
    for scenario in ["lga/austrian-1805", "lga/waterloo-1815", "dog/training"] {
        let founding = desk.founding(scenario).unwrap();
        let game = desk.open(founding.rules(), &founding.files, &[]).unwrap();
        let seat = game.seats()[0].seat.clone();
        let read = |mail: &str| {
            let raw = format!("From: a@b.example\r\nSubject: x\r\n{mail}");
            let body = mail::open(raw.as_bytes(), &Limits::default()).body.unwrap();
            read_orders_of(&*game, &seat, &body)
        };
        for line in SIGNATURES {
            for mail in [format!("\r\nREADY\r\n\r\n{line}\r\n"), attached(line)] {
                let read = read(&mail).unwrap_or_else(|held| panic!("{scenario} {line}: {held:?}"));
                assert_eq!(read.block.as_str(), "READY\n", "{scenario} {line}");
            }
            let marked =
                read(&format!("\r\nBEGIN ORDERS\r\nWAIT\r\nREADY\r\nEND ORDERS\r\n{line}\r\n")).unwrap();
            assert_eq!(marked.block.as_str(), "WAIT\nREADY\n", "{scenario} {line}");
        }
    }
    for (scenario, lines) in [
        (
            "lga/austrian-1805",
            &["MVE 1 TO Ulm", "And please also move the 1st cavalry to Ulm.", "MOVE 99 TO Nowhere"][..],
        ),
        ("dog/training", &["MVE A1 0909", "please move A1 to 0909", "MOVE A1 0909"][..]),
    ] {
        let founding = desk.founding(scenario).unwrap();
        let game = desk.open(founding.rules(), &founding.files, &[]).unwrap();
        let seat = game.seats()[0].seat.clone();
        for line in lines {
            let raw = format!("Subject: x\r\n\r\nBEGIN ORDERS\r\nWAIT\r\nREADY\r\nEND ORDERS\r\n{line}\r\n");
            let body = mail::open(raw.as_bytes(), &Limits::default()).body.unwrap();
            let mail = read_orders_of(&*game, &seat, &body).unwrap();
            assert!(mail.held_back && mail.passed_over.iter().any(|one| one == line), "{scenario} {line}");
        }
    }
}

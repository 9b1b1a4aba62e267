//! READY runs no turn over orders that were not read: what a mail holds beside the orders that were found in it, before a toy game's host.

use std::fmt::Write as _;

use musterd::daemon::Host;
use musterd::desk::mail;
use musterd::desk::order_mail::read_orders_of;
use musterd::engine::journal::{Cause, Verdict};
use musterd::letter::Limits;

use super::support::*;
use super::toy::seat;

/// A founded game in which blue is ready, so that red's READY runs the turn.
pub(super) fn camp() -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    camp.post(camp.answer("blue", "dispatch", "blue", &block("BID 2\r\nREADY")));
    settle(&mut host);
    (camp, host)
}

/// Whether the bids were adjudicated.
pub(super) fn has_run(host: &mut Host) -> bool {
    journal(host).iter().any(|entry| matches!(entry.cause, Cause::Adjudicated { t: 2, .. }))
}

/// The set of orders of red's that stands.
pub(super) fn standing(host: &mut Host) -> Option<String> {
    let blocks = journal(host).into_iter().filter_map(|entry| match entry.cause {
        Cause::Received(received) if received.seat == Some(seat("red")) && received.t == 2 => {
            match received.verdict {
                Verdict::Accepted { block, .. } => Some(block.as_str().to_owned()),
                _ => None,
            }
        }
        _ => None,
    });
    blocks.last()
}

/// Subject and text of red's newest mail of a kind, its lines joined.
pub(super) fn said(camp: &Camp, kind: &str) -> (String, String) {
    let mail = camp.newest("red", kind);
    let text = mail.body.unwrap().text;
    (mail.subject, text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Red's answer to its dispatch with these parts beside its text.
pub(super) fn mixed(camp: &Camp, id: &str, text: &str, parts: &[(&str, &str)]) -> String {
    let mail = camp.answer("red", "dispatch", id, "");
    let (head, _) = mail.split_once("Content-Type:").unwrap();
    let mut raw = format!(
        "{head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n\
         --q\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    );
    for (headers, content) in parts {
        write!(raw, "--q\r\n{}\r\n\r\n{content}\r\n", headers.replace('\n', "\r\n")).unwrap();
    }
    raw + "--q--\r\n"
}

/// The headers of an attached file.
pub(super) fn file(kind: &str, name: &str) -> String {
    format!("Content-Type: {kind}; name=\"{name}\"\nContent-Disposition: attachment; filename=\"{name}\"")
}

pub(super) fn binary(kind: &str, name: &str) -> String {
    format!("{}\nContent-Transfer-Encoding: base64", file(kind, name))
}

pub(super) fn mail(camp: &Camp, host: &mut Host, raw: &str) {
    camp.wait(1);
    camp.post(raw);
    settle(host);
}

/// So many bytes that are no text.
pub(super) fn bytes(count: usize) -> String {
    "/9j/4AAQSkZJRgABAQAAAQAB\r\n".repeat(count / 18 + 1)
}

const FORWARDED: &str = "From: red@elsewhere.example\r\nSubject: my bid\r\n\r\nBID 5\r\n";

#[test]
fn ready_waits_for_every_part_that_was_not_read() {
    let (camp, mut host) = camp();
    let photo = bytes(60_000);
    let parts = [
        (binary("application/msword", "plan.doc"), "0M8R4KGxGuEAAAAA", "plan.doc"),
        (binary("application/octet-stream", "plan.docx"), "UEsDBBQABgAIAAAA", "plan.docx"),
        (binary("application/vnd.oasis.opendocument.text", "plan.odt"), "UEsDBBQAAAgAAAAA", "plan.odt"),
        (binary("application/pdf", "plan.pdf"), "JVBERi0xLjQKJeLjz9MK", "plan.pdf"),
        (file("application/rtf", "plan.rtf"), "{\\rtf1 BID 5\\par}", "plan.rtf"),
        (file("text/rtf", "text.rtf"), "{\\rtf1 BID 5\\par}", "text.rtf"),
        (file("text/csv", "plan.csv"), "BID,5", "plan.csv"),
        (binary("application/ms-tnef", "winmail.dat"), "eJ8+IhAQAQaQCAAEAAAAAAABAAEAAQeQ", "winmail.dat"),
        (
            binary("application/pkcs7-mime; smime-type=enveloped-data", "smime.p7m"),
            "MIAGCSqGSIb3DQEHA6CAMIAC",
            "smime.p7m",
        ),
        (binary("audio/mp4", "memo.m4a"), "AAAAIGZ0eXBNNEEgAAAAAA==", "memo.m4a"),
        (binary("image/jpeg", "sheet.jpg"), &photo, "sheet.jpg"),
        (
            "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64".to_owned(),
            "AAECAwT/",
            "a part of type application/octet-stream",
        ),
        ("Content-Type: message/rfc822".to_owned(), FORWARDED, "the forwarded mail \"my bid\""),
        (file("message/rfc822", "old.eml"), FORWARDED, "the forwarded mail \"my bid\""),
        (file("text/plain", "alpha-orders.txt"), "BID 5", "alpha-orders.txt"),
        (file("text/plain", "orders.txt"), "BEGIN ORDERS\r\nBID 5\r\nEND ORDERS", "orders.txt"),
        (file("text/html", "plan.html"), "<p>BID 5</p>", "plan.html"),
        (file("application/octet-stream", "plan"), "BID 5", "plan"),
        (file("text/plain", "words.txt"), "I add five coins", "words.txt"),
    ];
    for (n, (headers, content, name)) in parts.iter().enumerate() {
        for (way, begin, end) in [("loose", "", ""), ("marked", "BEGIN ORDERS\r\n", "END ORDERS\r\n")] {
            let text = format!("{begin}BID 1\r\nsalt: {way} {n}\r\nREADY\r\n{end}");
            // An attached file of orders counts before lines without marks.
            if way == "loose" && *name == "orders.txt" {
                continue;
            }
            mail(&camp, &mut host, &mixed(&camp, &format!("{way}-{n}"), &text, &[(headers, content)]));
            assert!(!has_run(&mut host), "{way} {name}");
            let set = format!("BID 1\nsalt: {way} {n}\n");
            assert_eq!(standing(&mut host).unwrap(), set, "{name}");
            let (subject, receipt) = said(&camp, "receipt");
            assert!(subject.starts_with("[NOT READ] ") && subject.contains("READY left out"), "{subject}");
            assert!(subject.contains(&format!("{name} not read")), "{subject}");
            assert!(
                receipt.contains(name) && receipt.contains("Your READY was left out"),
                "{name}: {receipt}"
            );
        }
    }
    mail(&camp, &mut host, &mixed(&camp, "control", "READY", &[]));
    assert!(has_run(&mut host), "the advice works");
}

#[test]
fn what_programs_add_to_every_mail_holds_no_ready() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let (small, logo) = (bytes(5_000), bytes(30_000));
    let page = "Content-Type: multipart/related; boundary=r";
    let with_logo = format!(
        "--r\r\nContent-Type: text/html\r\n\r\n<p>Red</p><img src=\"cid:logo@x\">\r\n--r\r\nContent-Type: image/png\r\n\
         Content-ID: <logo@x>\r\nContent-Transfer-Encoding: base64\r\n\r\n{logo}--r--"
    );
    let formatting = "eJ8+IgEAAQIAAgABAAAAYQAA";
    let parts: [(String, &str); 14] = [
        (file("text/x-vcard", "red.vcf"), "BEGIN:VCARD\r\nNOTE:BID 5\r\nEND:VCARD"),
        (file("text/calendar; method=PUBLISH", "deadline.ics"), "BEGIN:VCALENDAR\r\nEND:VCALENDAR"),
        (file("application/pgp-signature", "signature.asc"), "-----BEGIN PGP SIGNATURE-----"),
        (file("application/octet-stream", "OpenPGP_signature"), "-----BEGIN PGP SIGNATURE-----"),
        (binary("application/pkcs7-signature", "smime.p7s"), "MIAGCSqGSIb3DQEHAqCAMIAC"),
        (file("application/octet-stream", "chain.sig"), "-----BEGIN SSH SIGNATURE-----"),
        (file("application/json", "dispatch.json"), "{\"text\": \"BID 5\"}"),
        (file("text/plain", "orders.txt"), "BEGIN ORDERS\r\nseen:\r\nsalt:\r\n# BID 3\r\nEND ORDERS"),
        (file("text/plain", "same.txt"), "BID 1"),
        (file("text/plain", "ATT00001.txt"), "This mail is confidential. Do not print it."),
        (file("text/html", "ATT00002.htm"), "<html><body></body></html>"),
        (binary("image/png", "icon.png"), &small),
        (binary("application/ms-tnef", "winmail.dat"), formatting),
        (page.to_owned(), &with_logo),
    ];
    for (n, (headers, content)) in parts.iter().enumerate() {
        let text = format!("BID 1\r\nREADY\r\nsalt: {n}");
        mail(&camp, &mut host, &mixed(&camp, &format!("added-{n}"), &text, &[(headers, content)]));
        assert_eq!(standing(&mut host).unwrap(), format!("BID 1\nREADY\nsalt: {n}\n"), "{headers}");
        assert!(said(&camp, "receipt").0.starts_with("[alpha] "), "{headers}");
    }
    let signed = "BID 1\r\nREADY\r\nsalt: s\r\n-- \r\nRed\r\n12 High Street\r\nTel. 01 42 34 12 11";
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "signed", signed));
    assert_eq!(standing(&mut host).unwrap(), "BID 1\nREADY\nsalt: s\n");
}

#[test]
fn a_file_of_text_of_any_name_is_read_where_it_alone_holds_orders() {
    for (n, (headers, content)) in [
        (file("text/plain", "alpha-orders.txt"), "BID 4"),
        (file("application/octet-stream", "my plan"), "BID 4"),
        (file("text/html", "plan.html"), "<p>Here it is:</p><p>BID 4</p>"),
        (file("text/plain", "plan.txt"), "BEGIN ORDERS\r\nBID 4\r\nEND ORDERS"),
        ("Content-Type: text/plain\nContent-Disposition: inline; filename=\"plan.txt\"".to_owned(), "BID 4"),
    ]
    .iter()
    .enumerate()
    {
        let (camp, mut host) = camp();
        let id = format!("alone-{n}");
        mail(&camp, &mut host, &mixed(&camp, &id, "See attached.\r\nREADY", &[(headers, content)]));
        let set = standing(&mut host).unwrap();
        assert!(set.contains("BID 4\n") && set.contains("READY\n"), "{headers}: {set}");
        assert!(has_run(&mut host), "{headers}");
    }
    // Of two nobody can tell which counts.
    let (camp, mut host) = camp();
    let (one, other) = (file("text/plain", "one.txt"), file("text/plain", "two.txt"));
    mail(&camp, &mut host, &mixed(&camp, "both", "READY", &[(&one, "BID 4"), (&other, "BID 5")]));
    assert!(standing(&mut host).is_none() && !has_run(&mut host));
    let (subject, refusal) = said(&camp, "refusal");
    assert!(subject.contains("one.txt and 1 other part not read"), "{subject}");
    assert!(refusal.contains("one.txt: | BID 4") && refusal.contains("two.txt: | BID 5"), "{refusal}");
}

#[test]
fn ready_waits_for_lines_where_no_orders_are_read() {
    let (camp, mut host) = camp();
    let marked = "BEGIN ORDERS\r\nBID 1\r\nREADY\r\nEND ORDERS\r\n";
    let with_subject = |id: &str, subject: &str, text: &str| {
        let raw = camp.answer("red", "dispatch", id, text);
        raw.replace("Subject: Re: orders", &format!("Subject: {subject}"))
    };
    let answer = |id: &str, text: &str| camp.answer("red", "dispatch", id, text);
    let dispatch = camp.newest("red", "dispatch").body.unwrap().text;
    let quoted: String = dispatch.lines().map(|line| format!("> {line}\r\n")).collect();
    let form = |from: &str, to: &str| {
        let edited = quoted.replace(from, to);
        assert_ne!(edited, quoted);
        format!("On Sat, 21 Nov 2026 the umpire wrote:\r\n\r\n{edited}")
    };
    let cases = [
        (
            answer("signature", "BID 1\r\nREADY\r\n-- \r\nRed\r\nBID 5"),
            "lines below your signature mark",
            "| BID 5",
        ),
        (
            answer("marked-signature", &format!("{marked}-- \r\nBID 5")),
            "lines below your signature mark",
            "| BID 5",
        ),
        (with_subject("subject", "Re: [alpha] BID 5", "BID 1\r\nREADY"), "your subject line", "| BID 5"),
        (with_subject("wait", "WAIT", "BID 1\r\nREADY"), "your subject line", "| WAIT"),
        (
            answer("commented", &format!("BID 1\r\nREADY\r\n\r\n{}", form("# BID 3", "# BID 5"))),
            "lines that begin with #",
            "| # BID 5",
        ),
        (
            answer("own-comment", "BEGIN ORDERS\r\n# BID 5\r\nBID 1\r\nREADY\r\nEND ORDERS"),
            "lines that begin with #",
            "| # BID 5",
        ),
    ];
    for (raw, place, line) in &cases {
        mail(&camp, &mut host, raw);
        assert!(!has_run(&mut host), "{place}");
        let set = standing(&mut host).unwrap();
        assert!(set.contains("BID 1\n") && !set.contains("READY"), "{place}: {set}");
        let (subject, receipt) = said(&camp, "receipt");
        assert!(
            subject.starts_with("[NOT READ] ") && subject.contains(&format!("{place} not read")),
            "{subject}"
        );
        assert!(receipt.contains(&format!("{place}: {line}")), "{receipt}");
    }
    let head = "On Sat, 21 Nov 2026 the umpire wrote:\r\n\r\n";
    let unmarked = dispatch.replace('\n', "\r\n");
    let inserted = |at: &str, line: &str| quoted.replacen(at, &format!("{line}{at}"), 1);
    let outlook = "-----Original Message-----\r\nFrom: the umpire\r\nSubject: orders\r\n\r\n";
    for (id, text) in [
        ("no-end", form("# BID 3", "BID 5").replace("> END ORDERS\r\n", "")),
        ("no-begin", form("# BID 3", "BID 5").replace("> BEGIN ORDERS", "> Begin orders")),
        ("outside-form", format!("{head}{}", inserted("> BEGIN ORDERS", "> BID 5\r\n"))),
        ("below-form", format!("{head}{quoted}> BID 5\r\n")),
        ("unmarked", format!("{outlook}{unmarked}\r\nBID 5\r\n")),
        (
            "gmail",
            "---------- Forwarded message ---------\r\nFrom: Red <red@x.example>\r\nSubject: x\r\n\r\nBID 5"
                .to_owned(),
        ),
        (
            "apple",
            "Begin forwarded message:\r\n\r\nFrom: Red <red@x.example>\r\nSubject: x\r\n\r\nBID 5".to_owned(),
        ),
        ("as-before", "As I wrote before:\r\n> BID 5".to_owned()),
    ] {
        mail(&camp, &mut host, &answer(id, &format!("BID 1\r\nREADY\r\n\r\n{text}")));
        assert!(!has_run(&mut host), "{id}");
        assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "{id}");
        let (subject, receipt) = said(&camp, "receipt");
        assert!(subject.contains("lines in the mail that you quote not read"), "{id}: {subject}");
        assert!(receipt.contains("lines in the mail that you quote: | BID 5"), "{id}: {receipt}");
    }
    // Those that were named before this already: READY counted beside a marked block all the same.
    for (id, text, line) in [
        ("outside", format!("{marked}BID 5"), "| BID 5"),
        ("two-blocks", format!("{marked}BEGIN ORDERS\r\nBID 5\r\nEND ORDERS"), "| BID 5"),
        ("form", format!("{marked}\r\n{}", form("# BID 3", "BID 5")), "| BID 5"),
    ] {
        mail(&camp, &mut host, &answer(id, &text));
        assert!(!has_run(&mut host), "{id}");
        assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "{id}");
        let (subject, receipt) = said(&camp, "receipt");
        assert!(subject.contains("READY left out") && receipt.contains(line), "{id}: {subject}\n{receipt}");
    }
    mail(&camp, &mut host, &answer("control", &format!("{marked}Yours, Red\r\n\r\n{}", form("the", "The"))));
    assert!(has_run(&mut host));
}

#[test]
fn a_ready_above_the_hosts_own_words_counts() {
    for kind in ["receipt", "dispatch", "refusal"] {
        let (camp, mut host) = camp();
        mail(&camp, &mut host, &camp.answer("red", "dispatch", "set", "BID 3"));
        mail(&camp, &mut host, &camp.answer("red", "dispatch", "slip", "BDI 4"));
        let told = camp.newest("red", kind).body.unwrap().text;
        let quoted: String = told.lines().map(|line| format!("> {line}\r\n")).collect();
        let text = format!("READY\r\n\r\nOn Sat, 21 Nov 2026 the umpire wrote:\r\n{quoted}");
        mail(&camp, &mut host, &camp.answer("red", kind, "ready", &text));
        assert!(has_run(&mut host), "{kind}: {:?}", said(&camp, "receipt"));
    }
}

#[test]
fn orders_of_the_html_version_alone_hold_a_ready() {
    let (camp, mut host) = camp();
    let versions = |id: &str, text: &str, page: &str| {
        let mail = mixed(&camp, id, text, &[("Content-Type: text/html", page)]);
        mail.replace("multipart/mixed", "multipart/alternative")
    };
    mail(&camp, &mut host, &versions("differs", "BID 1\r\nREADY", "<p>BID 1</p><p>BID 5</p><p>READY</p>"));
    assert!(!has_run(&mut host));
    let (subject, receipt) = said(&camp, "receipt");
    assert!(subject.contains("the other version of your text not read"), "{subject}");
    assert!(receipt.contains("| BID 5"), "{receipt}");
    mail(&camp, &mut host, &versions("same", "*BID 1*\r\nREADY", "<p><b>BID 1</b></p><p>READY</p>"));
    assert_eq!(standing(&mut host).unwrap(), "BID 1\nREADY\n");
    assert!(has_run(&mut host));
}

#[test]
fn a_mail_that_was_not_read_stops_the_ready_of_the_set_that_stands() {
    let doc = binary("application/msword", "plan.doc");
    let parts: [(&str, &str); 1] = [(&doc, "0M8R4KGxGuEAAAAA")];
    type Later = fn(&Camp, &[(&str, &str)]) -> String;
    let later: [(&str, Later); 5] = [
        ("alone", |camp, parts| mixed(camp, "later", "Here is another plan.", parts)),
        ("ready", |camp, parts| mixed(camp, "later", "READY", parts)),
        ("salted", |camp, parts| mixed(camp, "later", "READY\r\nsalt: x", parts)),
        ("slip", |camp, _| camp.answer("red", "dispatch", "later", "BDI 4")),
        ("encrypted", |camp, _| {
            camp.answer("red", "dispatch", "later", "-----BEGIN PGP MESSAGE-----\r\n\r\nabc")
        }),
    ];
    for (what, later) in later {
        let camp = Camp::new();
        let mut host = camp.open();
        founded(&camp, &mut host);
        mail(&camp, &mut host, &camp.answer("red", "dispatch", "set", "BID 1\r\nREADY"));
        mail(&camp, &mut host, &later(&camp, &parts));
        mail(&camp, &mut host, &camp.answer("blue", "dispatch", "blue", &block("BID 2\r\nREADY")));
        assert!(!has_run(&mut host), "{what}: over orders that were not read");
        assert!(standing(&mut host).unwrap().starts_with("BID 1\n"), "{what}");
        let (subject, answer) = said(&camp, "refusal");
        if !["slip", "encrypted"].contains(&what) {
            assert!(subject.contains("plan.doc not read"), "{what}: {subject}");
        }
        assert!(answer.contains("READY"), "{what}: {answer}");
        mail(&camp, &mut host, &camp.answer("red", "dispatch", "again", "READY"));
        assert!(has_run(&mut host), "{what}");
    }
    // Thanks hold nothing.
    let (camp, mut host) = camp();
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "set", "BID 1"));
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "thanks", "A fine report, thank you!"));
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "ready", "READY"));
    assert!(has_run(&mut host));
}

#[test]
fn a_marked_block_of_which_nothing_is_understood_takes_no_good_set_back() {
    let (camp, mut host) = camp();
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "wrong", &block("BDI 1")));
    assert_eq!(standing(&mut host).unwrap(), "BDI 1\n", "there is nothing to lose");
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "good", &block("BID 1")));
    for (n, wrong) in ["BDI 4", "BID everything", "all my coins, please", "BDI 4\r\nREADY"].iter().enumerate()
    {
        mail(&camp, &mut host, &camp.answer("red", "dispatch", &format!("wrong-{n}"), &block(wrong)));
        assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "{wrong}");
        let (_, refusal) = said(&camp, "refusal");
        assert!(refusal.contains("ERROR"), "{refusal}");
        assert!(
            refusal.contains("Orders of yours that were accepted before this mail still stand"),
            "{refusal}"
        );
    }
    for (n, notes) in ["# BID 4", "salt: seven grey stones", "# BID 4\r\n\r\nsalt: x"].iter().enumerate() {
        mail(&camp, &mut host, &camp.answer("red", "dispatch", &format!("notes-{n}"), &block(notes)));
        assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "{notes}");
        let (_, refusal) = said(&camp, "refusal");
        assert!(refusal.contains("No orders were found in it"), "{refusal}");
    }
    for (id, text, set) in
        [("half", "BDI 4\r\nBID 2", "BDI 4\nBID 2\n"), ("none", "", "\n"), ("wait", "WAIT", "WAIT\n")]
    {
        mail(&camp, &mut host, &camp.answer("red", "dispatch", id, &block(text)));
        assert_eq!(standing(&mut host).unwrap(), set);
    }
}

#[test]
fn orders_beside_a_large_photo_count() {
    let (camp, mut host) = camp();
    let photo = bytes(3_000_000);
    let headers = binary("image/jpeg", "sheet.jpg");
    let raw = mixed(&camp, "large", "BID 4\r\nREADY", &[(&headers, &photo)]);
    assert!(raw.len() > 4_000_000);
    mail(&camp, &mut host, &raw);
    mail(&camp, &mut host, &format!("Delivered-To: somebody@example.org\r\n{raw}"));
    assert_eq!(standing(&mut host).unwrap(), "BID 4\n");
    assert_eq!(
        verdicts(&mut host).iter().filter(|word| *word == "accepted").count(),
        5,
        "three JOINs, blue's, and this once"
    );
    let (subject, receipt) = said(&camp, "receipt");
    assert!(subject.contains("sheet.jpg and what follows it not read, READY left out"), "{subject}");
    assert!(receipt.contains("sheet.jpg"), "{receipt}");
    assert!(!has_run(&mut host));
    // What is cut in its text can't be told from a whole one.
    let long = mixed(&camp, "long", &"BID 5\r\n".repeat(300_000), &[]);
    mail(&camp, &mut host, &long);
    assert_eq!(verdicts(&mut host).last().unwrap(), "too-large");
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "ready", "READY"));
    assert!(has_run(&mut host));
    assert_eq!(standing(&mut host).unwrap(), "BID 4\nREADY\n");
}

#[test]
fn emphasis_of_every_kind_is_no_part_of_an_order() {
    let (camp, mut host) = camp();
    for (n, line) in [
        "*BID 4*",
        "**BID 4**",
        "***BID 4***",
        "_BID 4_",
        "*BID* 4",
        "**BID** 4",
        "BID *4*",
        "1. *BID 4*",
        "- **BID 4**",
        "* *BID 4*",
        "__BID__ __4__",
    ]
    .iter()
    .enumerate()
    {
        for (way, text) in [("marked", block(line)), ("loose", format!("{line}\r\n"))] {
            mail(&camp, &mut host, &camp.answer("red", "dispatch", &format!("{way}-{n}"), &text));
            assert_eq!(standing(&mut host).as_deref(), Some("BID 4\n"), "{way} {line}");
        }
        mail(&camp, &mut host, &camp.answer("red", "dispatch", &format!("other-{n}"), "BID 1"));
    }
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "ready", "*BID 4*\r\n*READY*"));
    assert!(has_run(&mut host));
}

#[test]
fn no_subject_of_our_own_mails_is_an_order() {
    let ours = [
        "Summer 1815 - French to move - orders by Sat 28 Nov 20:00 CET",
        "Summer 1805 - French to move - standing orders by Thu 8 Jan 00:00 UTC",
        "Round 3 - to order - orders by Sat 28 Nov 20:00 CET",
        "2 orders for Summer 1815, French to move",
        "1 order for Round 3, 1 line with errors, plan.doc not read, READY left out",
        "your seat is confirmed",
        "not accepted: READY left out",
        "reminder: orders are due",
        "turn 3 is closed",
        "the turn is held back",
    ];
    let desk = musterd::rulesets::desk();
    for scenario in ["lga/waterloo-1815", "dog/training"] {
        let founding = desk.founding(scenario).unwrap();
        let game = desk.open(founding.rules(), &founding.files, &[]).unwrap();
        let seats: Vec<_> = game.seats().iter().map(|spec| spec.seat.clone()).collect();
        assert!(seats.len() > 1);
        for subject in ours {
            for prefix in ["Re: [alpha] ", "AW: [EXTERNAL] [ERRORS] [NOT READ] [alpha] "] {
                let raw = format!("From: a@b.example\nSubject: {prefix}{subject}\n\nREADY\n");
                let body = mail::open(raw.as_bytes(), &Limits::default()).body.unwrap();
                for seat in &seats {
                    let mail = read_orders_of(&*game, seat, &body).unwrap();
                    assert_eq!(mail.block.as_str(), "READY\n", "{subject}");
                    assert_eq!(mail.unread, [], "{subject}");
                }
            }
        }
    }
}

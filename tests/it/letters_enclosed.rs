//! READY runs no turn over what a file, a forwarded mail, a subject, a comment or one more version of the text holds, and was not read; and
//! what programs add holds none, before a toy game's host.

use super::letters_unread::{binary, bytes, camp, file, has_run, mail, mixed, said, standing};
use super::support::*;

#[test]
fn ready_waits_for_what_a_file_holds_beside_what_was_read_of_it() {
    let (camp, mut host) = camp();
    let marked = "BEGIN ORDERS\r\nBID 1\r\nEND ORDERS";
    let contents = [
        ("below", format!("{marked}\r\nBID 5")),
        ("above", format!("BID 5\r\n{marked}")),
        ("two", format!("{marked}\r\nBEGIN ORDERS\r\nBID 5\r\nEND ORDERS")),
        ("quoted", format!("{marked}\r\n> BID 5")),
        ("signature", format!("{marked}\r\n-- \r\nBID 5")),
        ("comment", format!("{marked}\r\n# BID 5")),
    ];
    for (way, content) in &contents {
        for name in ["orders.txt", "plan.txt"] {
            let part = (&*file("text/plain", name), &**content);
            mail(&camp, &mut host, &mixed(&camp, &format!("{way}-{name}"), "READY", &[part]));
            assert!(!has_run(&mut host), "{way} {name}");
            assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "{way} {name}");
            let (subject, receipt) = said(&camp, "receipt");
            assert!(subject.contains("READY left out"), "{way} {name}: {subject}");
            assert!(receipt.contains("BID 5"), "{way} {name}: {receipt}");
        }
    }
    let quoted = [
        ("marked", "> BID 5".to_owned()),
        ("mail", "From: red@a.example\r\nTo: b@c.example\r\nSubject: my bid\r\n\r\nBID 5".to_owned()),
    ];
    for (way, content) in &quoted {
        let part = (&*file("text/plain", "plan.txt"), &**content);
        mail(&camp, &mut host, &mixed(&camp, way, "READY", &[part]));
        assert!(!has_run(&mut host), "{way}");
        let (subject, refusal) = said(&camp, "refusal");
        assert!(subject.contains("plan.txt not read"), "{way}: {subject}");
        assert!(refusal.contains("plan.txt: | BID 5"), "{way}: {refusal}");
    }
    mail(&camp, &mut host, &mixed(&camp, "control", "READY", &[(&file("text/plain", "orders.txt"), marked)]));
    assert!(has_run(&mut host));
}

#[test]
fn a_text_is_looked_at_whatever_its_type_and_its_name() {
    let (camp, mut host) = camp();
    let parts = [
        ("text/css", "plan.txt"),
        ("text/calendar", "plan.txt"),
        ("text/directory", "plan.txt"),
        ("text/rfc822-headers", "plan.txt"),
        ("image/png", "plan.txt"),
        ("application/pgp-keys", "plan.txt"),
        ("application/applefile", "plan"),
        ("application/json", "plan.json"),
        ("application/json", "plan"),
        ("text/plain", "notes.ics"),
        ("text/plain", "notes.vcf"),
        ("text/plain", "chain.sig"),
        ("text/plain", "plan.csv"),
        ("text/plain", "plan.doc"),
        ("application/xml", "plan.xml"),
        ("text/x-log", "plan.log"),
    ];
    for (n, (kind, name)) in parts.iter().enumerate() {
        let content = ["BID 5", "BEGIN:VCARD\r\nFN:Red\r\nEND:VCARD\r\nBID 5"][n % 2];
        let (headers, text) = (file(kind, name), format!("BID 1\r\nREADY\r\nsalt: {n}"));
        mail(&camp, &mut host, &mixed(&camp, &format!("typed-{n}"), &text, &[(&headers, content)]));
        assert!(!has_run(&mut host), "{kind} {name}");
        assert_eq!(standing(&mut host).unwrap(), format!("BID 1\nsalt: {n}\n"), "{kind} {name}");
        let (_, receipt) = said(&camp, "receipt");
        assert!(receipt.contains(&format!("{name}: | BID 5")), "{kind} {name}: {receipt}");
    }
    for (name, content) in [
        ("orders.txt", "-----BEGIN PGP MESSAGE-----\r\n\r\nabc"),
        ("orders.txt", "{\\rtf1 BID 5\\par}"),
        ("plan.txt", "-----BEGIN PGP MESSAGE-----\r\n\r\nabc"),
        ("plan.txt", "{\\rtf1 BID 5\\par}"),
        ("orders.txt", "%PDF-1.4"),
        ("plan.url", "[InternetShortcut]\r\nURL=https://a.example/plan"),
    ] {
        let part = (&*file("text/plain", name), content);
        mail(&camp, &mut host, &mixed(&camp, &format!("{name}-{}", &content[..4]), "READY", &[part]));
        assert!(!has_run(&mut host), "{name} {content}");
        assert!(said(&camp, "refusal").0.contains(&format!("{name} not read")), "{name} {content}");
    }
    mail(&camp, &mut host, &mixed(&camp, "control", "READY", &[]));
    assert!(has_run(&mut host));
}

#[test]
fn a_plain_text_of_any_type_is_read_where_it_alone_holds_orders() {
    for (kind, name) in [
        ("text/csv", "plan.csv"),
        ("text/plain", "plan.doc"),
        ("text/xml", "plan.xml"),
        ("text/x-log", "plan.log"),
        ("text/x-org", "plan.org"),
        ("text/css", "plan.txt"),
    ] {
        let (camp, mut host) = camp();
        mail(&camp, &mut host, &mixed(&camp, "alone", "READY", &[(&file(kind, name), "BID 4")]));
        assert!(standing(&mut host).is_some_and(|set| set.contains("BID 4\n")), "{kind} {name}");
        assert!(has_run(&mut host), "{kind} {name}");
    }
}

#[test]
fn a_forwarded_mail_is_looked_at_whole() {
    let (camp, mut host) = camp();
    let head = "From: red@elsewhere.example\r\n";
    let parts = [
        (
            "subject",
            format!("{head}Subject: [x] BID 5\r\n\r\nSee above."),
            "the subject of the forwarded mail",
        ),
        ("signature", format!("{head}Subject: a\r\n\r\nHello\r\n-- \r\nBID 5"), "the forwarded mail \"a\""),
        ("quoted", format!("{head}Subject: a\r\n\r\n> BID 5"), "the forwarded mail \"a\""),
        ("comment", format!("{head}Subject: a\r\n\r\n# BID 5"), "the forwarded mail \"a\""),
        (
            "mark",
            format!("{head}Subject: a\r\nX-Musterd: dispatch alpha red\r\n\r\nBID 5"),
            "the forwarded mail \"a\"",
        ),
        (
            "new-id",
            format!(
                "{head}Subject: a\r\nMessage-ID: <1@elsewhere.example>\r\nX-Musterd: dispatch alpha red\r\n\r\nBID 5"
            ),
            "the forwarded mail \"a\"",
        ),
    ];
    for (way, content, place) in &parts {
        let part = ("Content-Type: message/rfc822", &**content);
        mail(&camp, &mut host, &mixed(&camp, way, &format!("BID 1\r\nREADY\r\nsalt: {way}"), &[part]));
        assert!(!has_run(&mut host), "{way}");
        assert_eq!(standing(&mut host).unwrap(), format!("BID 1\nsalt: {way}\n"), "{way}");
        let (subject, receipt) = said(&camp, "receipt");
        assert!(subject.contains("READY left out") && receipt.contains(place), "{way}: {subject} {receipt}");
    }
    // One of the host's own is a quotation; so is what else holds no order that is not in the form.
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let mails = raw_mails(&camp.path().join("mail").join(player("red")));
    let mut mails = mails.into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap());
    let dispatch = mails.find(|raw| raw.contains("\r\nX-Musterd: dispatch ")).unwrap();
    let without_id = dispatch.replace("Message-ID: <", "Message-ID: <x");
    let other = format!("{head}Subject: Re: orders\r\n\r\nThanks, that was a close one!");
    for (n, content) in [&dispatch, &without_id, &other].into_iter().enumerate() {
        let part = ("Content-Type: message/rfc822", &**content);
        mail(
            &camp,
            &mut host,
            &mixed(&camp, &format!("own-{n}"), &format!("BID 1\r\nsalt: {n}\r\nREADY"), &[part]),
        );
        assert_eq!(standing(&mut host).unwrap(), format!("BID 1\nsalt: {n}\nREADY\n"));
    }
}

#[test]
fn ready_waits_for_orders_anywhere_in_a_subject() {
    let (camp, mut host) = camp();
    for (n, subject) in [
        "My orders for alpha, summer 1815: BID 5",
        "Red orders: BID 5",
        "Re: alpha: my bid: BID 5",
        "Orders [alpha] BID 5",
    ]
    .iter()
    .enumerate()
    {
        let raw = camp.answer("red", "dispatch", &format!("subject-{n}"), "READY");
        mail(&camp, &mut host, &raw.replace("Subject: Re: orders", &format!("Subject: {subject}")));
        assert!(!has_run(&mut host), "{subject}");
        let (_, refusal) = said(&camp, "refusal");
        assert!(refusal.contains("your subject line: | BID 5"), "{subject}: {refusal}");
    }
}

#[test]
fn ready_waits_for_every_comment_that_is_an_order_and_not_the_forms() {
    let (camp, mut host) = camp();
    let dispatch = camp.newest("red", "dispatch").body.unwrap().text;
    let quoted = |text: &str| -> String {
        let lines: String = text.lines().map(|line| format!("> {line}\r\n")).collect();
        format!("On Sat, 21 Nov 2026 the umpire wrote:\r\n\r\n{lines}")
    };
    let with = |line: &str| quoted(&dispatch.replace("END ORDERS", &format!("{line}\nEND ORDERS")));
    let notes = file("text/plain", "plan.txt");
    let cases = [
        (mixed(&camp, "file", "READY", &[(&notes, "# BID 5")]), "| # BID 5"),
        (camp.answer("red", "dispatch", "typo", &format!("READY\r\n\r\n{}", with("# BDI 5"))), "| # BDI 5"),
        (camp.answer("red", "dispatch", "numbered", "READY\r\n#1 BID 5"), "| #1 BID 5"),
        (
            camp.answer("red", "dispatch", "in-form", &format!("READY\r\n\r\n{}", with("#1 BID 5"))),
            "| #1 BID 5",
        ),
    ];
    for (raw, line) in &cases {
        mail(&camp, &mut host, raw);
        assert!(!has_run(&mut host), "{line}");
        let (_, refusal) = said(&camp, "refusal");
        assert!(refusal.contains(line), "{line}: {refusal}");
    }
    let control = format!("READY\r\n# a remark of mine\r\n\r\n{}", quoted(&dispatch));
    mail(&camp, &mut host, &camp.answer("red", "dispatch", "control", &control));
    assert!(has_run(&mut host));
}

#[test]
fn ready_waits_for_one_more_version_of_the_text_that_says_more() {
    let (camp, mut host) = camp();
    let versions = |id: &str, kind: &str, content: &str| {
        let headers = format!("Content-Type: {kind}");
        let mail = mixed(&camp, id, "BID 1\r\nREADY", &[(&headers, content)]);
        mail.replace("multipart/mixed", "multipart/alternative")
    };
    for (n, (kind, content)) in [
        ("text/markdown", "BID 1\r\n\r\n**BID 5**\r\n\r\nREADY"),
        ("text/enriched", "<bold>BID 1</bold>\r\n\r\nBID 5\r\n\r\nREADY"),
        ("text/rtf", "{\\rtf1 BID 1\\par BID 5\\par READY\\par}"),
        ("application/pdf", "%PDF-1.4"),
    ]
    .iter()
    .enumerate()
    {
        mail(&camp, &mut host, &versions(&format!("more-{n}"), kind, content));
        assert!(!has_run(&mut host), "{kind}");
        assert!(said(&camp, "receipt").0.contains("READY left out"), "{kind}");
    }
    for (kind, content) in [
        ("text/markdown", "**BID 1**\r\n\r\nREADY"),
        ("text/enriched", "<bold>BID 1</bold>\r\n\r\nREADY"),
        ("text/rtf", "{\\rtf1 BID 1\\par READY\\par}"),
        ("text/calendar", "BEGIN:VCALENDAR\r\nSUMMARY:BID 5\r\nEND:VCALENDAR"),
    ] {
        let (camp, mut host) = super::letters_unread::camp();
        let headers = format!("Content-Type: {kind}");
        let raw = mixed(&camp, "same", "BID 1\r\nREADY", &[(&headers, content)]);
        mail(&camp, &mut host, &raw.replace("multipart/mixed", "multipart/alternative"));
        assert!(has_run(&mut host), "{kind}");
    }
}

#[test]
fn logos_banners_and_what_gateways_add_hold_no_ready() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let page = |before: &str, size: usize| {
        format!(
            "--r\r\nContent-Type: text/html\r\n\r\n<p>Red</p>{before}<img src=\"cid:logo@x\">\r\n--r\r\n\
             Content-Type: image/png\r\nContent-ID: <logo@x>\r\nContent-Transfer-Encoding: base64\r\n\r\n{}--r--",
            bytes(size)
        )
    };
    let related = "Content-Type: multipart/related; boundary=r";
    let inline = "Content-Type: image/png; name=\"image001.png\"\nContent-Disposition: inline\n\
                  Content-ID: <i1>\nContent-Transfer-Encoding: base64";
    let signed = page("<div class=\"moz-signature\">-- <br>Red</div>", 90_000);
    let (small, drawn) = (bytes(3_000), bytes(30_000));
    let added = [
        (related.to_owned(), &*signed),
        (inline.to_owned(), &*drawn),
        (binary("application/octet-stream", "logo.webp"), &*small),
        (
            file("image/svg+xml", "logo.svg"),
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"/></svg>",
        ),
        (file("text/xml", "metadata.xml"), "<x/>"),
        (file("application/smil", "smil.xml"), "<smil><head/><body><par dur=\"5s\"/></body></smil>"),
        (
            file("application/autocrypt-setup", "autocrypt.html"),
            "<html><pre>\r\n-----BEGIN PGP MESSAGE-----\r\n</pre></html>",
        ),
        (file("application/json", "dispatch.json"), "{\r\n\"text\": [\r\n\"BID 5\"\r\n]}"),
    ];
    for (n, (headers, content)) in added.iter().enumerate() {
        let text = format!("BID 1\r\nREADY\r\nsalt: {n}");
        mail(&camp, &mut host, &mixed(&camp, &format!("added-{n}"), &text, &[(headers, content)]));
        assert_eq!(standing(&mut host).unwrap(), format!("BID 1\nREADY\nsalt: {n}\n"), "{headers}");
    }
    let (photo, unsigned) = (inline.replace("png", "jpeg"), page("", 90_000));
    for (n, (headers, content)) in [(&*photo, &*drawn), (related, &*unsigned)].iter().enumerate() {
        let text = format!("BID 1\r\nREADY\r\nsalt: held {n}");
        mail(&camp, &mut host, &mixed(&camp, &format!("held-{n}"), &text, &[(headers, content)]));
        assert_eq!(standing(&mut host).unwrap(), format!("BID 1\nsalt: held {n}\n"), "{headers}");
    }
}

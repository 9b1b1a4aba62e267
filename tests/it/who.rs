//! Whose a mail is: what stands in `From` is an address beyond doubt, or it proves nothing and nobody is written to for it. And
//! reports that come from nobody.

use std::fs;

use musterd::daemon::{Host, config};

use super::reach::{SECOND, camp as camp_of_two_addresses, marks, told_gm};
use super::support::*;

/// Ways to write red's address that leave no doubt, as programs and gateways write it. `{}` is the address.
const PLAIN: &[&str] = &[
    "From: {}",
    "from:{}",
    "FROM: <{}>",
    "From: Red <{}>",
    "From: \"Red, of the hill\" <{}>",
    "From: Red, of the hill <{}>",
    "From: Red Q. Public <{}>",
    "From: \"{}\" <{}>",
    "From: {} <{}>",
    "From: \"'{}'\" <{}>",
    "From: '{}' <{}>",
    "From: \"mallory@evil.example\" <{}>",
    "From: {} (Red)",
    "From: (mallory@evil.example) {}",
    "From: Red (of \\) the (hill)) <{}>",
    "From: =?utf-8?q?R=C3=A9d?= <{}>",
    "From: =?utf-8?b?UsOpZA==?= <{}>",
    "From: =?utf-8?q?Public,_Red?= <{}>",
    "From: =?utf-8?q?red@home.example?= <{}>",
    "From: =?iso-8859-1?q?R=E9d?=\r\n =?iso-8859-1?q?_of?= <{}>",
    "From: Red\r\n\t<{}>",
    "From:\r\n {}",
    "From: [EXTERNAL] Red <{}>",
    "From: R\u{e9}d \u{2014} hill <{}>",
    "From: < {} >",
    "From: red @ players.example",
    "From: RED@Players.Example",
    "From: \"red\"@players.example",
    "From: Nick @ work <{}>",
    "From: {},",
    "Sender: mallory@evil.example\r\nFrom: {}",
    "Reply-To: mallory@evil.example\r\nFrom: {}",
    "Resent-From: mallory@evil.example\r\nFrom: {}",
];

/// Ways to write something that one reader may take for red's address and another for somebody else's, or for none.
const DOUBTFUL: &[&[u8]] = &[
    b"From: \"red@players.example\"@evil.example",
    b"From: \"red@players.example\" @evil.example",
    b"From: \"red@players.example\"",
    b"From: \"red@players.example\" <>",
    b"From: red@players.example <>",
    b"From: red@players.example\0",
    b"From: red@players.example\0@evil.example",
    b"From: <red@players.example\0.evil.example>",
    b"From: mallory@evil.example\0, red@players.example",
    b"From: red\x01@players.example",
    b"From: red@players.example\x7f",
    b"From: red@players.example, mallory@evil.example",
    b"From: mallory@evil.example, red@players.example",
    b"From: <red@players.example> <mallory@evil.example>",
    b"From: <red@players.example>mallory@evil.example",
    b"From: <red@players.example>, <red@players.example>",
    b"From: red@players.example; mallory@evil.example",
    b"From: red@players.example <mallory@evil.example>",
    b"From: \"mallory\"@evil.example <red@players.example>",
    b"From: mallory@\"evil.example\" <red@players.example>",
    b"From: @evil.example <red@players.example>",
    b"From: =?utf-8?q?mallory=40evil.example?=, red@players.example",
    b"From: mallory, red@players.example",
    b"From\x00: red@players.example",
    b"From\x01: red@players.example",
    b"From\x7f: <red@players.example>",
    b"From\xff: red@players.example",
    b"From: mallory@evil.example <red@players.example>",
    b"From: red@players.example\r\nFrom: mallory@evil.example",
    b"From: mallory@evil.example\r\nFrom: red@players.example",
    b"From: red@players.example\r\nFrom : mallory@evil.example",
    b"From: red@players.example\r\nFROM: red@players.example",
    b"From: red@players.example\r\nFrom\0: mallory@evil.example",
    b"From: red@players.example\r\nFr om: mallory@evil.example",
    b"From: red@players.example\r\nFrom:",
    b"From: \rmallory@evil.example\r, red@players.example",
    b"From: red@players.example\rFrom: mallory@evil.example",
    b"From: =?utf-8?q?red=40players=2Eexample?=",
    b"From: =?utf-8?q?red=40players=2Eexample?= (red)",
    b"From: =?utf-8?b?cmVkQHBsYXllcnMuZXhhbXBsZQ==?= (red)",
    b"From: <=?utf-8?q?red=40players=2Eexample?=>",
    b"From: =?utf-8?q?red?=@players.example",
    b"From: Players: red@players.example;",
    b"From: red@players.example:;",
    b"From: <@evil.example:red@players.example>",
    b"From: <@evil.example,@evil.example:red@players.example>",
    b"From: <red@players.example:mallory@evil.example>",
    b"From: red@players.example@evil.example",
    b"From: mallory@evil.example@players.example",
    b"From: red%players.example@evil.example",
    b"From: red@players.example.",
    b"From: red@players.example.evil.example",
    b"From: red@[players.example]",
    b"From: [red@players.example]",
    b"From: red@players..example",
    b"From: red.@players.example",
    b"From: o'red@players.example",
    b"From: mallory'red@players.example",
    b"From: mallory:red@players.example",
    b"From: mallory(x)red@players.example",
    b"From: mallory red@players.example",
    b"From: mallory\"red@players.example",
    b"From: <red@players.example",
    b"From: red@players.example>",
    b"From: (red@players.example",
    b"From: (red@players.example)",
    b"From: (\\) red@players.example",
    b"From: Red \\<red@players.example>",
    b"From: red\\@players.example",
    b"From: red@players.example (a",
    // The Kelvin sign, whose small letter is a k; letters that look alike; one byte of no encoding; a mark of direction.
    "From: red@players.example\u{212a}".as_bytes(),
    "From: r\u{435}d@players.example".as_bytes(),
    "From: \u{202e}red@players.example".as_bytes(),
    b"From: red@players.example\xff",
    b"From: red@players.example\xa0",
    b"From:",
    b"Sender: red@players.example",
    b"Resent-From: red@players.example",
    b"Reply-To: red@players.example",
    b"X-From: red@players.example",
    b"Sender: red@players.example\r\nFrom: mallory@evil.example",
    b"Resent-From: red@players.example\r\nFrom: mallory@evil.example",
    b"Reply-To: red@players.example\r\nFrom: mallory@evil.example",
];

/// A mail of orders with red's secret, whose `From` is replaced by these lines.
fn with_from(camp: &Camp, id: &str, from: &[u8]) -> Vec<u8> {
    let mail = camp.answer("red", "dispatch", id, &block(&format!("BID 1\r\n# {id}")));
    let rest = mail.strip_prefix(&format!("From: <{}>", player("red"))).unwrap();
    [from, rest.as_bytes()].concat()
}

/// What became of these mails, one after the other.
fn judged(camp: &Camp, host: &mut Host, mails: impl Iterator<Item = Vec<u8>>) -> Vec<String> {
    let before = verdicts(host).len();
    for mail in mails {
        camp.post(mail);
        camp.wait(1);
        settle(host);
    }
    verdicts(host).split_off(before)
}

#[test]
fn an_address_beyond_doubt_is_its_players_however_it_is_dressed() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let mails = PLAIN.iter().enumerate().map(|(n, from)| {
        let from = from.replace("{}", &player("red"));
        with_from(&camp, &format!("plain-{n}"), from.as_bytes())
    });
    let words = judged(&camp, &mut host, mails.collect::<Vec<_>>().into_iter());
    let lost: Vec<_> = PLAIN.iter().zip(&words).filter(|(_, word)| *word != "accepted").collect();
    assert!(words.len() == PLAIN.len() && lost.is_empty(), "{lost:#?}");
}

#[test]
fn whatever_leaves_a_doubt_proves_nothing_and_writes_to_nobody_else() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let before = camp.count("red", "receipt");
    let mails = DOUBTFUL.iter().enumerate().map(|(n, from)| with_from(&camp, &format!("doubt-{n}"), from));
    let words = judged(&camp, &mut host, mails.collect::<Vec<_>>().into_iter());
    let taken: Vec<String> = DOUBTFUL
        .iter()
        .zip(&words)
        .filter(|(_, word)| *word != "wrong-sender")
        .map(|(from, word)| format!("{word}: {}", from.escape_ascii()))
        .collect();
    assert!(taken.is_empty(), "{taken:#?}");
    assert_eq!(words.len(), DOUBTFUL.len());
    assert_eq!(camp.count("red", "receipt"), before);
    let refusal = camp.newest("red", "refusal").body.unwrap().text;
    assert!(refusal.contains("It has your seat's secret"), "red is told: {refusal}");
    let mut written_to: Vec<String> = fs::read_dir(camp.path().join("mail"))
        .unwrap()
        .map(|dir| dir.unwrap().file_name().into_string().unwrap())
        .collect();
    written_to.sort();
    let mut known = vec![player("blue"), player("red"), player("umpire"), GM.to_owned(), HOST.to_owned()];
    known.sort();
    assert_eq!(written_to, known, "nobody but the registered addresses");
    // And red orders as before.
    camp.post(camp.answer("red", "dispatch", "after", &block("BID 1")));
    settle(&mut host);
    assert_eq!(verdicts(&mut host).last().unwrap(), "accepted");
}

#[test]
fn a_strangers_commands_are_answered_only_where_it_is_clear_who_asks() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    let mails = |camp: &Camp| fs::read_dir(camp.path().join("mail")).unwrap().count();
    let before = mails(&camp);
    let request = |n: usize, from: &str| {
        format!(
            "{from}\r\nTo: {HOST}\r\nSubject: x\r\nMessage-ID: <ask-{n}@x.example>\r\n\r\nSTANDBY alpha\r\nLIST\r\n"
        )
    };
    for (n, from) in [
        "From: \"carl@example.org\"@evil.example",
        "From: carl@example.org <anna@evil.example>",
        "From: carl@example.org\r\nFrom: anna@evil.example",
        "From: <@evil.example:carl@example.org>",
        "From: carl@example.org\0",
        "From: o'\0carl@example.org",
    ]
    .iter()
    .enumerate()
    {
        camp.post(request(n, from));
        settle(&mut host);
    }
    assert_eq!(mails(&camp), before, "nobody was written to");
    camp.post(request(10, "From: o'carl@example.org"));
    settle(&mut host);
    // As a Maildir's name writes it.
    assert_eq!(camp.mails("o=27carl@example.org").len(), 1, "the whole local part is the address");
    assert!(camp.mails("carl@example.org").is_empty());
}

/// A founded game on a host that asks for the word of `mx.example.org`.
#[test]
fn a_servers_word_counts_for_the_address_that_we_read() {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    drop(host);
    let file = camp.path().join(config::FILE);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}authentication: {{host: mx.example.org}}\n")).unwrap();
    let mut host = camp.open();
    let red = "From: <red@players.example>";
    let cases = [
        // Without the domain that it is about a pass says nothing.
        ("dmarc=pass", red, false),
        ("dmarc=pass (p=none)", red, false),
        ("dmarc=pass header.d=players.example", red, false),
        ("dmarc=pass header.from=evil.example", red, false),
        ("dmarc=pass header.from=\"\"", red, false),
        ("dmarc=pass header.from=evil.example header.from=players.example", red, false),
        ("dmarc=pass header.from=players.example header.from=evil.example", red, false),
        ("dmarc=fail header.from=players.example; dmarc=pass header.from=players.example", red, false),
        ("dmarc=pass header.from=players.example; dmarc=fail header.from=players.example", red, false),
        ("dmarc=pass (header.from=players.example)", red, false),
        ("dmarc=fail reason=\"; dmarc=pass header.from=players.example\"", red, false),
        ("dkim=pass header.d=evil.example header.d=players.example", red, false),
        ("dkim=pass header.i=@players.example header.d=evil.example", red, false),
        ("spf=pass smtp.mailfrom=\"red@players.example\"@evil.example", red, false),
        ("spf=pass smtp.mailfrom=red@players.example smtp.mailfrom=red@evil.example", red, false),
        // One that vouches for another's domain is no help for what looks like red's address.
        ("dmarc=pass header.from=evil.example", "From: \"red@players.example\"@evil.example", false),
        (
            "dmarc=pass header.from=players.example",
            "From: <red@players.example>\r\nFrom: <m@players.example>",
            false,
        ),
        ("dmarc=pass header.from=players.example", "From: m@players.example, red@players.example", false),
        ("dmarc=pass header.from=players.example", "From: m'red@players.example", false),
        ("dmarc=pass header.from=players.example", red, true),
        ("DMARC=pass (p=none dis=none) header.from=Players.Example", red, true),
        ("dmarc=pass header.from=players.example.", red, true),
        ("dmarc=pass header.from=red@players.example", red, true),
        ("dkim=pass header.i=@mail.players.example header.d=players.example", red, true),
        ("dkim=pass header.d=evil.example; dkim=pass header.d=players.example", red, true),
        ("spf=pass smtp.mailfrom=<red@players.example>", red, true),
    ];
    let mails = cases.iter().enumerate().map(|(n, (says, from, _))| {
        let head = format!("Authentication-Results: mx.example.org; {says}\r\n");
        [head.into_bytes(), with_from(&camp, &format!("case-{n}"), from.as_bytes())].concat()
    });
    let words = judged(&camp, &mut host, mails.collect::<Vec<_>>().into_iter());
    for ((says, from, counts), word) in cases.iter().zip(&words) {
        assert_eq!(word == "accepted", *counts, "{says}, {from}: {word}");
    }
    // A version of the header that nobody knows yet says nothing; neither does whatever stands below it.
    for (n, head) in [
        "Authentication-Results: mx.example.org 2; dmarc=pass header.from=players.example\r\n",
        "Authentication-Results: mx.example.org 2; x=y\r\nAuthentication-Results: mx.example.org; dmarc=pass header.from=players.example\r\n",
    ]
    .iter()
    .enumerate()
    {
        let mail = with_from(&camp, &format!("version-{n}"), red.as_bytes());
        let words = judged(&camp, &mut host, std::iter::once([head.as_bytes(), &mail].concat()));
        assert_eq!(words, ["not-authenticated"], "{head}");
    }
    let mail = with_from(&camp, "first", red.as_bytes());
    let head = b"Authentication-Results: mx.example.org 1; dmarc=pass header.from=players.example\r\n";
    assert_eq!(judged(&camp, &mut host, std::iter::once([&head[..], &mail].concat())), ["accepted"]);
}

/// How mail programs that deliver for themselves write that nobody sent a report.
const FROM_NOBODY: &[(&str, &str)] = &[
    ("From: MAILER-DAEMON <>", "Mail delivery failed"),
    ("From: MAILER-DAEMON <>", "Zustellung"),
    ("From: <>", "Mail delivery failed"),
    ("From: Mail Delivery System <>", "Undelivered Mail Returned to Sender"),
    ("From: \"Mail Delivery Subsystem\" < >", "Returned mail: see transcript"),
    ("From: <MAILER-DAEMON>", "failure notice"),
    ("From: MAILER-DAEMON", "failure notice"),
    ("From: MAILER-DAEMON (Mail Delivery System)", "failure notice"),
    ("From: Mail Delivery System <MAILER-DAEMON>", "Undelivered"),
    ("From: <> (Mail Delivery System)", "Undelivered"),
    ("From: MAILER-DAEMON@relay.example", "x"),
    ("From: <\"MAILER-DAEMON\"@relay.example>", "x"),
    ("Return-Path: <>\r\nFrom: postmaster@relay.example", "x"),
    ("Return-Path: <MAILER-DAEMON>\r\nFrom: somebody <>", "x"),
    ("Return-Path: < >\r\nFrom: relay@relay.example", "x"),
];

/// What DragonFly's dma writes of a mail that it can't deliver, which it returns; without the secret where it is forged.
fn from_nobody(camp: &Camp, n: usize, (from, subject): (&str, &str), has_secret: bool) -> String {
    let dispatch = camp.newest("red", "dispatch");
    let (id, reply_to) = (dispatch.message_id.unwrap(), &dispatch.reply_to[0]);
    let reply_to = if has_secret { format!("Reply-To: {reply_to}\r\n") } else { String::new() };
    let red = player("red");
    format!(
        "Received: from MAILER-DAEMON\r\n\tid {n}\r\n\tby relay.example (DragonFly Mail Agent v0.13);\r\n\
         \tSat, 21 Nov 2026 12:00:00 +0000\r\nX-Original-To: <{HOST}>\r\n{from}\r\nTo: {HOST}\r\nSubject: {subject}\r\n\
         Message-Id: <{n}.1@relay.example>\r\nDate: Sat, 21 Nov 2026 12:00:00 +0000\r\n\r\n\
         This is the DragonFly Mail Agent v0.13 at relay.example.\r\n\r\n\
         There was an error delivering your mail to <{red}>.\r\n\r\n\
         mx.players.example did not accept: 550 5.1.1 No such user\r\n\r\nMessage headers follow.\r\n\r\n\
         From: {HOST}\r\nTo: {red}\r\nMessage-ID: <{id}>\r\n{reply_to}"
    )
}

#[test]
fn a_report_from_nobody_is_a_report() {
    for (n, case) in FROM_NOBODY.iter().enumerate() {
        let (camp, mut host) = camp_of_two_addresses();
        let before = camp.mails(SECOND).len();
        camp.post(from_nobody(&camp, n, *case, true));
        settle(&mut host);
        assert_eq!(marks(&mut host), (1, 0), "{case:?}");
        assert_eq!(camp.mails(SECOND).len(), before + 1, "sent again: {case:?}");
        assert_eq!(told_gm(&camp).len(), 1);
    }
}

#[test]
fn a_forged_report_from_nobody_proves_nothing() {
    let (camp, mut host) = camp_of_two_addresses();
    let (before, refused) = (camp.mails(SECOND).len(), camp.count("red", "refusal"));
    for (n, case) in FROM_NOBODY.iter().enumerate() {
        camp.post(from_nobody(&camp, n, *case, false));
        settle(&mut host);
    }
    assert_eq!((marks(&mut host), camp.mails(SECOND).len()), ((0, 0), before));
    assert_eq!(camp.count("red", "refusal"), refused, "nobody is answered");
}

#[test]
fn no_byte_in_a_from_line_stops_anything() {
    // Every byte at every place of three lines, and lines that never end.
    let lines = [
        "From: \"a\" <red@players.example> (b)\r\n",
        "From: x:red@players.example;\r\n",
        "From: a\r\n b\r\n",
    ];
    for line in lines {
        for at in 0..=line.len() {
            for byte in (0..=255_u8).step_by(3).chain(*b"\0\r\n\t <>()[]\"\\,:;@.=?") {
                let mut raw = line.as_bytes().to_vec();
                raw.insert(at, byte);
                raw.extend_from_slice(b"To: x@y\r\n\r\nBID 1\r\n");
                let letter = read(&raw);
                let author = letter.author.unwrap_or_default();
                assert!(!author.contains(char::is_control), "{}", raw.escape_ascii());
            }
        }
    }
    for piece in ["(", "\"", "<", "@", ",", ":", "\\", "=?", "a@b,", "(\\", "=?utf-8?q?a?=", "\u{e9}"] {
        let raw = format!("From: {}\r\n\r\nx", piece.repeat(200_000));
        read(raw.as_bytes());
    }
}

//! Letters: a corpus of mails in the style of every program that players use, each with what must be made of it; and
//! what holds of all bytes.
//!
//! `tests/letters/NAME.eml` is a mail, `NAME.expected` what [`summary`] says of it.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use musterd::desk::mail::{
    Attachment, BadToken, ComposeError, Composition, Kind, LineKind, MailTag, Mailbox, Orders, Sent, Token,
    Which, compose, find_orders, message_id, open, open_head, routes,
};
use musterd::dice::{Block, Digest};
use musterd::letter::{Automatic, Letter, Limits, Unreadable};
use proptest::prelude::*;

use super::letters_summary::{corpus, host, kind, orders_of, summary};

#[test]
fn every_mail_of_the_corpus_is_understood() {
    let mut mails: Vec<PathBuf> = fs::read_dir(corpus())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "eml"))
        .collect();
    mails.sort();
    assert!(mails.len() >= 220, "the corpus is gone: {} mails", mails.len());
    let mut wrong = String::new();
    for path in mails {
        let letter = open(&fs::read(&path).unwrap(), &Limits::default());
        let expected = fs::read_to_string(path.with_extension("expected")).unwrap();
        let told = summary(&letter);
        if told != expected {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            write!(wrong, "=== {name}: expected\n{expected}--- got\n{told}--- of {letter:#?}\n").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

pub(crate) fn letter_of(text: &str) -> Letter {
    open(format!("From: ney@example.org\nTo: musterd@play.example\n\n{text}").as_bytes(), &Limits::default())
}

fn block_of(text: &str, attachment: Option<&str>) -> Option<String> {
    find_orders(text, attachment, "", &kind).orders.block().map(|block| block.as_str().to_owned())
}

#[test]
fn an_empty_block_is_an_answer_only_where_the_player_wrote_it() {
    let form = "BEGIN ORDERS\n# nothing yet\n\nEND ORDERS\n";
    assert_eq!(block_of(form, None).as_deref(), Some("# nothing yet\n\n"));
    assert_eq!(block_of("Yes.\n> BEGIN ORDERS\n> # nothing yet\n> END ORDERS\n", None), None);
    assert_eq!(block_of("Yes.\n", Some(form)), None);
    // A program that quotes without any mark makes the form look written: the order lines above it are meant.
    assert_eq!(block_of(&format!("MOVE 1\n{form}"), None).as_deref(), Some("MOVE 1\n"));
}

#[test]
fn a_written_block_beats_an_attached_one_and_that_one_loose_lines_and_these_a_quoted_form() {
    let quoted = "On 4 May the host wrote:\n> BEGIN ORDERS\n> MOVE 4\n> END ORDERS\n";
    let written = "MOVE 2\nBEGIN ORDERS\nMOVE 1\nEND ORDERS\n";
    assert_eq!(block_of(&format!("{written}{quoted}"), Some("MOVE 3")).as_deref(), Some("MOVE 1\n"));
    assert_eq!(block_of(&format!("MOVE 2\n{quoted}"), Some("MOVE 3")).as_deref(), Some("MOVE 3\n"));
    assert_eq!(block_of(&format!("MOVE 2\n{quoted}"), None).as_deref(), Some("MOVE 2\n"));
    assert_eq!(block_of(quoted, None).as_deref(), Some("MOVE 4\n"));
}

#[test]
fn the_marks_of_a_block_are_no_orders_whatever_the_ruleset_makes_of_them() {
    let reads_end = |line: &str| match line {
        line if line.starts_with("MOVE") || line.to_ascii_uppercase().starts_with("END") => LineKind::Order,
        _ => LineKind::Prose,
    };
    let found =
        |text: &str| find_orders(text, None, "", &reads_end).orders.block().map(|b| b.as_str().to_owned());
    assert_eq!(found("BEGIN ORDERS\nEND ORDERS\n").as_deref(), Some(""));
    // Nothing here reads as an order; the receipt must show what is wrong with it all the same.
    assert_eq!(found("BEGIN ORDERS\nMOOVE 2 TO 1303\nEND ORDERS\n").as_deref(), Some("MOOVE 2 TO 1303\n"));
    assert_eq!(found("begin orders\nMOVE 2 TO 1303\nend orders\n").as_deref(), Some("MOVE 2 TO 1303\n"));
}

/// Everything that is found in a text: the block, and the lines passed over.
fn found_in(text: &str) -> (Option<String>, Vec<String>) {
    let found = find_orders(text, None, "", &kind);
    (found.orders.block().map(|block| block.as_str().to_owned()), found.passed_over)
}

#[test]
fn a_mistyped_order_counts_beside_orders_wherever_it_stands_but_makes_no_set() {
    let (block, passed_over) =
        found_in("Hello\nMVOE 1\n\nMOVE 2\nsalt: x\nbye now\n# a note\n\nMVOE 3\n-- \nNey\n");
    assert_eq!(block.as_deref(), Some("MVOE 1\nMOVE 2\nsalt: x\nMVOE 3\n"));
    assert_eq!(passed_over, ["Hello", "bye now"], "no comments, nothing below the signature mark");
    assert_eq!(found_in("MVOE 1\nsalt: x\n"), (None, Vec::new()));
}

#[test]
fn orders_outside_a_block_are_told_and_the_letter_around_it_is_not() {
    let text =
        "Hello\nMOVE 9\nBEGIN ORDERS\nMOVE 1\nEND ORDERS\nMVOE 2\n# key: alpha french k7q2mz4t9hwxp3cd\n";
    let (block, passed_over) = found_in(text);
    assert_eq!(
        (block.as_deref(), passed_over),
        (Some("MOVE 1\n"), vec!["MOVE 9".to_owned(), "MVOE 2".to_owned()])
    );
    let (_, passed_over) = found_in("MOVE 1\n# key: alpha french k7q2mz4t9hwxp3cd\nHello\n");
    assert_eq!(passed_over, ["Hello"], "a secret is never said back");
}

#[test]
fn what_is_struck_out_is_no_order_and_is_told() {
    let told = vec!["~~MOVE 9~~".to_owned()];
    let block = Some("MOVE 1\n".to_owned());
    for text in [
        "BEGIN ORDERS\nMOVE 1\n~~MOVE 9~~\nEND ORDERS\n",
        "~~MOVE 9~~\nBEGIN ORDERS\nMOVE 1\nEND ORDERS\n",
        "MOVE 1\n~~MOVE 9~~\n",
        "> BEGIN ORDERS\n> ~~MOVE 9~~\nMOVE 1\n> END ORDERS\n",
    ] {
        assert_eq!(found_in(text), (block.clone(), told.clone()), "{text}");
    }
    assert_eq!(found_in("> ~~MOVE 9~~\nMOVE 1\n"), (block, Vec::new()), "another's words");
}

#[test]
fn a_block_whose_lines_are_all_struck_out_is_no_set() {
    let told = vec!["~~MOVE 9~~".to_owned()];
    for text in [
        "BEGIN ORDERS\n~~MOVE 9~~\nEND ORDERS\n",
        "BEGIN ORDERS\nsalt: x\n~~MOVE 9~~\nEND ORDERS\n",
        "~~MOVE 9~~\n",
    ] {
        assert_eq!(found_in(text), (None, told.clone()), "{text}");
    }
    assert_eq!(found_in("BEGIN ORDERS\nEND ORDERS\n"), (Some(String::new()), Vec::new()), "taken back");
}

#[test]
fn only_whole_lines_in_capitals_mark_a_block() {
    let text = "Write between BEGIN ORDERS and END ORDERS.\nbegin orders\n  BEGIN ORDERS  \nMOVE 1\nEND ORDERS!\nEND ORDERS\n";
    assert_eq!(block_of(text, None).as_deref(), Some("MOVE 1\nEND ORDERS!\n"));
}

#[test]
fn mail_over_the_limit_is_refused_but_its_sender_is_known() {
    let head = "From: Ney <ney@example.org>\nTo: musterd+alpha.french.k7q2mz4t9hwxp3cd@play.example\n\n";
    let mail = format!("{head}MOVE 1\n{}", "x".repeat(10_000_000));
    let letter = open(mail.as_bytes(), &Limits::default());
    assert_eq!(letter.body, Err(Unreadable::TooLarge { bytes: mail.len() as u64, limit: 1_000_000 }));
    assert_eq!(letter.from, ["ney@example.org"]);
    assert!(routes(&letter, &host())[0].token.is_some());
    let of_head =
        open_head(&mail.as_bytes()[..1000], Unreadable::TooLarge { bytes: 10_000_094, limit: 1_000_000 });
    assert_eq!(of_head.from, ["ney@example.org"]);
}

#[test]
fn of_a_report_about_thousands_a_few_recipients_count() {
    let groups: String =
        (0..5000).map(|n| format!("Final-Recipient: rfc822; a{n}@b.example\nAction: failed\n\n")).collect();
    let report = format!(
        "From: mailer-daemon@b.example\nContent-Type: multipart/report; report-type=delivery-status; boundary=x\n\n\
         --x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; b.example\n\n{groups}--x--\n"
    );
    let Some(Automatic::Bounce(bounces)) = open(report.as_bytes(), &Limits::default()).automatic else {
        panic!("no report")
    };
    assert_eq!(bounces.len(), 20);
}

#[test]
fn mails_within_mails_end_somewhere() {
    let mail =
        format!("From: ney@example.org\n{}MOVE 1\n", "Content-Type: message/rfc822\n\n".repeat(20_000));
    let letter = open(mail.as_bytes(), &Limits::default());
    assert_eq!((letter.body, letter.from), (Err(Unreadable::Damaged), vec!["ney@example.org".to_owned()]));
}

#[test]
fn parts_within_parts_end_somewhere() {
    let parts = "--b\nContent-Type: multipart/mixed; boundary=c\n\n".repeat(20_000);
    let mail = format!("From: ney@example.org\nContent-Type: multipart/mixed; boundary=b\n\n{parts}MOVE 1\n");
    let letter = open(mail.as_bytes(), &Limits::default());
    assert_eq!((letter.body, letter.from), (Err(Unreadable::Damaged), vec!["ney@example.org".to_owned()]));
}

#[test]
fn a_subject_is_one_line_of_words() {
    let letter = open(b"From: ney@example.org\nSubject: =?utf-8?q?a=09b=0Ac?=\n\nx\n", &Limits::default());
    assert_eq!(letter.subject, "a b c");
}

#[test]
fn twenty_thousand_order_lines_are_all_found() {
    let text: String = (0..20_000).map(|n| format!("MOVE {n} TO 1203\n")).collect();
    let letter = letter_of(&text);
    let Ok(Orders::Recognised(block)) = orders_of(&letter) else { panic!("{:?}", letter.body) };
    assert_eq!(block.as_str(), text);
}

#[test]
fn a_secret_survives_copying_by_hand_and_is_never_printed() {
    let token = Token::from_bytes([1, 2, 3, 4, 5, 250, 251, 252, 253, 254]);
    let text = token.reveal();
    assert_eq!(text.len(), 16);
    assert_eq!(text.parse(), Ok(token.clone()));
    assert_eq!(text.to_uppercase().replace('0', "O").replace('1', "l").parse(), Ok(token.clone()));
    assert_eq!(text[1..].parse::<Token>(), Err(BadToken));
    assert_eq!("k7q2mz4t9hwxp3cu".parse::<Token>(), Err(BadToken));
    assert!(!format!("{token:?}").contains(&text));
    assert_ne!(Token::from_bytes([0; 10]), token);
}

fn packet(text: &str) -> Composition {
    Composition {
        from: Mailbox { name: Some("La Grande Armee".into()), address: "musterd@play.example".into() },
        to: vec!["ney@example.org".into(), "ney@example.com".into()],
        reply_to: Some("musterd+alpha.french.k7q2mz4t9hwxp3cd@play.example".into()),
        subject: "[alpha] Autumn 1805".into(),
        message_id: message_id(
            "play.example",
            &"alpha".parse().unwrap(),
            3,
            &"french".parse().unwrap(),
            Kind::Dispatch,
            Which::Number(0),
        ),
        in_reply_to: None,
        references: Vec::new(),
        date: 1_777_939_200,
        kind: Kind::Dispatch,
        game: "alpha".parse().ok(),
        seat: "french".parse().ok(),
        text: text.to_owned(),
        html: None,
        attachments: Vec::new(),
        may_leave: false,
        automatic: true,
    }
}

fn attached(name: &str, mime: &str, bytes: &[u8]) -> Attachment {
    Attachment { name: name.into(), mime: mime.into(), bytes: bytes.to_vec() }
}

#[test]
fn a_composed_mail_is_what_it_was_told_to_be() {
    let mail = String::from_utf8(compose(&packet("One line.\n")).unwrap()).unwrap();
    let expected = "Date: Tue, 05 May 2026 00:00:00 +0000\r\n\
        From: \"La Grande Armee\" <musterd@play.example>\r\n\
        Subject: [alpha] Autumn 1805\r\n\
        Message-ID: <alpha.3.french.dispatch.0@play.example>\r\n\
        To: ney@example.org, ney@example.com\r\n\
        Reply-To: musterd+alpha.french.k7q2mz4t9hwxp3cd@play.example\r\n\
        Auto-Submitted: auto-generated\r\n\
        X-Auto-Response-Suppress: All\r\n\
        X-Musterd: dispatch alpha french\r\n\
        List-Id: <alpha.musterd.play.example>\r\n\
        MIME-Version: 1.0\r\n\
        Content-Type: text/plain; charset=us-ascii\r\n\
        Content-Transfer-Encoding: 7bit\r\n\
        \r\n\
        One line.\r\n";
    assert_eq!(mail, expected);
}

#[test]
fn a_mail_that_can_be_unsubscribed_from_says_how_in_a_url() {
    let from = Mailbox { name: None, address: "war&peace@play.example".into() };
    let header = |may_leave, game: Option<&str>| {
        let game = game.map(|game| game.parse().unwrap());
        let mail =
            compose(&Composition { may_leave, game, from: from.clone(), ..packet("One line.\n") }).unwrap();
        let mail = String::from_utf8(mail).unwrap();
        mail.lines().find_map(|line| line.strip_prefix("List-Unsubscribe: ")).map(str::to_owned)
    };
    let url = "<mailto:war%26peace@play.example?subject=LEAVE%20alpha>";
    assert_eq!(header(true, Some("alpha")).as_deref(), Some(url));
    assert_eq!((header(false, Some("alpha")), header(true, None)), (None, None));
}

#[test]
fn maps_of_78_columns_travel_unchanged_and_attachments_byte_for_byte() {
    let map = format!("{}\n  .  trailing \n{}\n", "#".repeat(78), "From here".repeat(8));
    let mut with_files = packet(&map);
    with_files.attachments = vec![
        attached("orders.txt", "text/plain", b"MOVE 1\nREST 2\n"),
        attached("view.json", "application/json", b"{\"a\":\n1}"),
        attached("deadline.ics", "text/calendar; method=PUBLISH", b"BEGIN:VCALENDAR\r\n"),
    ];
    let bytes = compose(&with_files).unwrap();
    assert_eq!(bytes, compose(&with_files).unwrap());
    let read = mail_parser::MessageParser::default().parse(&bytes).unwrap();
    assert_eq!(read.body_text(0).unwrap().replace("\r\n", "\n"), map);
    let sent = with_files.attachments.iter().map(|file| file.bytes.as_slice());
    assert!(read.attachments().map(mail_parser::MessagePart::contents).eq(sent));
    assert!(String::from_utf8(bytes).unwrap().contains(&"#".repeat(78)));
}

#[test]
fn a_mail_with_html_is_one_thing_in_two_views_the_better_one_last() {
    let html = "<p>One\nline.</p>\n";
    let both = Composition { html: Some(html.to_owned()), ..packet("One line.\n") };
    let mail = String::from_utf8(compose(&both).unwrap()).unwrap();
    let (head, body) = mail.split_once("\r\n\r\n").unwrap();
    let (_, boundary) = head.rsplit_once("boundary=\"").unwrap();
    let boundary = boundary.trim_end_matches('"');
    assert!(head.contains("Content-Type: multipart/alternative;"), "{head}");
    let part = |kind: &str, text: &str| {
        format!(
            "--{boundary}\r\nContent-Type: text/{kind}; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit\r\n\r\n\
             {text}\r\n"
        )
    };
    let views = part("plain", "One line.\r\n") + &part("html", "<p>One\r\nline.</p>\r\n");
    assert_eq!(body, format!("{views}--{boundary}--\r\n"));
}

#[test]
fn attachments_stand_behind_both_views_and_neither_is_lost_among_them() {
    let form = "BEGIN ORDERS\nMOVE 1\nEND ORDERS\n";
    let mut full = packet("The text.\n");
    full.html = Some(format!("<p>M\u{fc}nchen</p>\n<pre>{}</pre>\n", "x".repeat(3000)));
    full.attachments = vec![
        attached("orders.txt", "text/plain", form.as_bytes()),
        attached("a.json", "application/json", b"{}"),
    ];
    let bytes = compose(&full).unwrap();
    assert!(bytes.split(|byte| *byte == b'\n').all(|line| line.len() <= 999));
    let read = mail_parser::MessageParser::default().parse(&bytes).unwrap();
    assert_eq!((read.text_body_count(), read.html_body_count(), read.attachment_count()), (1, 1, 2));
    assert_eq!(read.body_text(0).unwrap().trim_end(), "The text.");
    assert_eq!(read.body_html(0).unwrap().replace("\r\n", "\n").trim_end(), full.html.unwrap().trim_end());
    let body = open(&bytes, &Limits::default()).body.unwrap();
    assert_eq!(body.attachment.as_deref(), Some(form));
}

#[test]
fn text_that_is_not_ascii_or_has_endless_lines_arrives_too() {
    for text in [format!("München {}\n", "x".repeat(3000)), "y".repeat(3000) + "\n", "bell\u{7}\n".to_owned()]
    {
        let bytes = compose(&packet(&text)).unwrap();
        assert!(bytes.split(|byte| *byte == b'\n').all(|line| line.len() <= 79));
        let read =
            mail_parser::MessageParser::default().parse(&bytes).unwrap().body_text(0).unwrap().into_owned();
        assert_eq!(read.trim_end(), text.trim_end());
    }
}

#[test]
fn nothing_a_player_or_host_names_adds_a_header_or_a_part() {
    let mut nasty = packet("text");
    nasty.subject = "a\r\nBcc: spy@example.org\n\nbody\u{2028}x".into();
    nasty.from.name = Some("b\r\nX-Evil: 1".into());
    nasty.in_reply_to = Some("c@d>\r\nX-Evil: 2".into());
    nasty.references = vec!["e@f\nX-Evil: 3".into(), "good@example.org".into()];
    nasty.attachments = vec![attached("o\"\r\nX-Evil: 4\r\n/../x.txt", "text/plain", b"x")];
    let clean = compose(&nasty).unwrap();
    let boundary = String::from_utf8(clean.clone()).unwrap().split("--=_").nth(1).unwrap()[..40].to_owned();
    nasty.text = format!("--=_{boundary}\r\nContent-Type: text/html\r\n\r\n<b>forged</b>\n");
    let forged = compose(&nasty).unwrap();
    for bytes in [clean, forged] {
        let read = mail_parser::MessageParser::default().parse(&bytes).unwrap();
        let names: Vec<&str> = read.headers().iter().map(|header| header.name.as_str()).collect();
        assert!(!names.iter().any(|name| ["Bcc", "X-Evil"].contains(name)), "{names:?}");
        assert_eq!(read.references().as_text(), Some("good@example.org"));
        assert_eq!((read.html_body_count(), read.attachment_count(), read.parts.len()), (1, 1, 3));
        assert_eq!(read.in_reply_to(), &mail_parser::HeaderValue::Empty);
    }
}

#[test]
fn packets_that_no_mail_can_carry_say_why() {
    let broken = |change: &dyn Fn(&mut Composition)| {
        let mut broken = packet("x");
        change(&mut broken);
        compose(&broken).map(|_| ()).unwrap_err()
    };
    assert!(matches!(broken(&|p| p.to.clear()), ComposeError::NoRecipient));
    assert!(matches!(broken(&|p| p.to.push("nobody".into())), ComposeError::BadAddress { field: "To", .. }));
    assert!(matches!(broken(&|p| p.date = -1), ComposeError::BadDate(-1)));
    assert!(matches!(broken(&|p| p.date = i64::MAX), ComposeError::BadDate(_)));
    assert!(matches!(broken(&|p| p.message_id = "a b@c".into()), ComposeError::BadMessageId(_)));
    assert!(matches!(
        broken(&|p| p.attachments.push(attached("a", "nothing", b""))),
        ComposeError::BadMediaType(_)
    ));
}

#[test]
fn the_host_knows_its_own_mail_and_takes_a_computer_players_orders() {
    let mut sent = packet("BEGIN ORDERS\nMOVE 1\nEND ORDERS\n");
    assert_eq!(open(&compose(&sent).unwrap(), &Limits::default()).automatic, Some(Automatic::OwnMail));
    sent.automatic = false;
    sent.kind = Kind::Orders;
    let letter = open(&compose(&sent).unwrap(), &Limits::default());
    assert_eq!(letter.automatic, None);
    assert_eq!(letter.message_id.as_deref(), Some(sent.message_id.as_str()));
    assert_eq!(orders_of(&letter).unwrap().block().map(Block::as_str), Some("MOVE 1\n"));
}

#[test]
fn an_answer_tells_which_mail_it_answers() {
    let (game, seat) = ("alpha".parse().unwrap(), "allied.austria".parse().unwrap());
    let tag = MailTag::of(&Digest::of(b"3"));
    let id = message_id("play.example", &game, 12, &seat, Kind::Receipt, Which::Tag(tag));
    let sent = Sent { game, t: 12, seat, kind: Kind::Receipt, which: Which::Tag(tag) };
    assert_eq!(Sent::of(&id, "play.example").as_ref(), Some(&sent));
    let old = Sent::of("alpha.12.allied.austria.receipt.3@play.example", "play.example");
    assert_eq!(old, Some(Sent { which: Which::Number(3), ..sent }), "hosts have written a number");
    for strange in [id.replace("play", "work"), id.replace("receipt", "rumour"), "x@play.example".to_owned()]
    {
        assert_eq!(Sent::of(&strange, "play.example"), None, "{strange}");
    }
}

/// The corpus, for mutation.
fn raw_corpus() -> Vec<Vec<u8>> {
    let paths = fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().path());
    let mut mails: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|kind| kind == "eml")).collect();
    mails.sort();
    mails.iter().map(|path| fs::read(path).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_an_answer(raw in prop::collection::vec(any::<u8>(), 0..2000)) {
        summary(&open(&raw, &Limits::default()));
    }

    #[test]
    fn any_mutation_of_a_real_mail_gives_an_answer(
        (which, cuts) in (any::<prop::sample::Index>(), prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, prop::collection::vec(any::<u8>(), 0..6)), 1..8))
    ) {
        let mails = raw_corpus();
        let mut mail = which.get(&mails).clone();
        for (at, gone, new) in cuts {
            let at = at.index(mail.len().max(1)).min(mail.len());
            let end = (at + gone).min(mail.len());
            mail.splice(at..end, new);
        }
        summary(&open(&mail, &Limits::default()));
    }

    #[test]
    fn any_page_and_any_text_gives_an_answer(page in "(<[a-z/!]{0,4}|[a-z\"'=>& \n;]|&[a-z#0-9]{0,3};|<blockquote>|<pre>|<td>|> |-- \n|On 1 a wrote:\n|BEGIN ORDERS\n|END ORDERS\n|MOVE 1\n){0,60}") {
        for kind in ["html", "plain; format=flowed; delsp=yes"] {
            let mail = format!("From: a@b\nContent-Type: text/{kind}\n\n{page}");
            summary(&open(mail.as_bytes(), &Limits::default()));
        }
    }

    #[test]
    fn a_block_that_is_sent_is_the_block_that_arrives(lines in prop::collection::vec("[A-Za-z0-9#,.;:/()<-][ -~äöüß]{0,90}", 0..30), attach: bool) {
        let block = Block::canonical(&lines.iter().filter(|line| !line.starts_with('>')).map(|line| format!("{line}\n")).collect::<String>());
        let mut sent = packet(&format!("MOVE 9\nBEGIN ORDERS\nMOVE 1\n{}END ORDERS\n", block.as_str()));
        if attach {
            sent.text = "See the file.\n".to_owned();
            sent.attachments = vec![attached("orders.txt", "text/plain", format!("MOVE 1\n{}", block.as_str()).as_bytes())];
        }
        let letter = open(&compose(&sent).unwrap(), &Limits::default());
        let expected = format!("MOVE 1\n{}", block.as_str());
        let orders = orders_of(&letter).unwrap();
        prop_assert_eq!(orders.block().map(Block::as_str), Some(expected.as_str()));
    }

    #[test]
    fn every_secret_is_read_back(bytes: [u8; 10]) {
        let token = Token::from_bytes(bytes);
        prop_assert_eq!(token.reveal().parse(), Ok(token));
    }
}

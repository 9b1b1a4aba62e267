//! Programs that answer programs, and floods: whatever comes, the mails that leave are few, and players' orders count.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use musterd::daemon::clock::Clock;
use musterd::daemon::{Host, Options, config};
use musterd::engine::journal::{Cause, Verdict};
use musterd::letter::Letter;

use super::support::*;
use super::toy::seat;

const DAY: i64 = 24 * HOUR;

fn camp() -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    (camp, host)
}

/// A camp whose configuration has this in the place of that.
fn camp_with(changes: &[(&str, &str)]) -> (Camp, Host) {
    let camp = Camp::new();
    let file = camp.path().join(config::FILE);
    let mut text = fs::read_to_string(&file).unwrap();
    for (that, this) in changes {
        assert!(text.contains(that), "{that}");
        text = text.replace(that, this);
    }
    fs::write(&file, text).unwrap();
    let mut host = camp.open();
    founded(&camp, &mut host);
    (camp, host)
}

/// Red's bids that were accepted.
fn bids(host: &mut Host) -> Vec<String> {
    let received = received(host).into_iter().filter(|mail| mail.t > 1 && mail.seat == Some(seat("red")));
    let accepted = received.filter_map(|mail| match mail.verdict {
        Verdict::Accepted { block, .. } => Some(block.as_str().to_owned()),
        Verdict::Refused { .. } | Verdict::Withdrawn { .. } => None,
    });
    accepted.collect()
}

#[test]
fn orders_count_though_a_mail_server_marks_all_its_peoples_mail() {
    for header in [
        "X-Auto-Response-Suppress: All",
        "X-Auto-Response-Suppress: DR, OOF, AutoReply",
        "Precedence: bulk",
        "Precedence: list\r\nList-Id: <everybody.company.example>",
        "List-Unsubscribe: <mailto:leave@company.example>",
    ] {
        let (camp, mut host) = camp();
        let sent = camp.mails(&player("red")).len();
        let marked =
            |id: &str, text: &str| format!("{header}\r\n{}", camp.answer("red", "dispatch", id, text));
        camp.post(marked("orders", &block("BID 2")));
        settle(&mut host);
        assert_eq!(
            (bids(&mut host), camp.count("red", "receipt")),
            (vec!["BID 2\n".to_owned()], 2),
            "{header}"
        );
        camp.post(marked("status", "STATUS\r\n"));
        settle(&mut host);
        assert_eq!(camp.count("red", "answer"), 1, "{header}");
        // What asks for nothing gets no answer, and what proves nothing neither: it may be a program's.
        camp.post(marked("thanks", "Thank you, that was fun."));
        let wrong = "host+alpha.red.0123456789abcdef@example.org";
        let forged =
            Mail { from: &player("red"), to: wrong, id: "f", in_reply_to: None, text: &block("BID 9") };
        camp.post(format!("{header}\r\n{}", forged.raw()));
        let stranger = Mail { from: "x@y.example", to: HOST, id: "s", in_reply_to: None, text: "LIST\r\n" };
        camp.post(format!("{header}\r\n{}", stranger.raw()));
        settle(&mut host);
        assert_eq!(camp.mails(&player("red")).len(), sent + 2, "{header}");
        assert_eq!((camp.mails("x@y.example").len(), bids(&mut host).len()), (0, 1), "{header}");
    }
}

#[test]
fn a_mail_that_says_it_is_a_programs_is_nobodys_orders() {
    let (camp, mut host) = camp();
    let sent = camp.mails(&player("red")).len();
    for (n, header) in [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated (by cron)",
        "Precedence: auto_reply",
        "X-Autoreply: yes",
        "Return-Path: <>",
    ]
    .iter()
    .enumerate()
    {
        let mail = camp.answer("red", "dispatch", &format!("away{n}"), &block("BID 5"));
        camp.post(format!("{header}\r\n{mail}"));
    }
    camp.post(format!("Auto-Submitted: no\r\n{}", camp.answer("red", "dispatch", "hand", &block("BID 1"))));
    settle(&mut host);
    assert_eq!((bids(&mut host), camp.mails(&player("red")).len()), (vec!["BID 1\n".to_owned()], sent + 1));
}

#[test]
fn an_answer_names_the_mails_before_it_in_its_thread() {
    let (camp, mut host) = camp();
    let (invitation, dispatch) = (camp.newest("red", "invitation"), camp.newest("red", "dispatch"));
    camp.post(camp.answer("red", "dispatch", "orders", &block("BID 2")));
    settle(&mut host);
    let before = [invitation.message_id, dispatch.message_id, Some("orders@players.example".to_owned())];
    assert_eq!(camp.newest("red", "receipt").references, before.map(Option::unwrap));
}

#[test]
fn orders_count_whatever_their_subject_says_and_a_vacation_notice_is_not_answered() {
    let (camp, mut host) = camp();
    let sent = camp.mails(&player("red")).len();
    let called = |subject: &str, id: &str, text: &str| {
        camp.answer("red", "dispatch", id, text)
            .replace("Subject: Re: orders", &format!("Subject: {subject}"))
    };
    let subjects =
        ["Out of office tomorrow, so here are my orders", "Abwesenheit: Befehle anbei", "Auto: my orders"];
    for (n, subject) in subjects.iter().enumerate() {
        camp.wait(1);
        camp.post(called(subject, &format!("orders{n}"), &block(&format!("BID {n}"))));
        settle(&mut host);
    }
    assert_eq!(
        (bids(&mut host).len(), camp.mails(&player("red")).len()),
        (3, sent + 3),
        "each has its receipt"
    );
    let form = text_of(&camp.newest("red", "dispatch"));
    let form: Vec<String> = form.lines().map(|line| format!("> {line}")).collect();
    camp.post(called(
        "Automatic reply: orders",
        "away",
        &format!("Back on Monday.\r\n{}", form.join("\r\n")),
    ));
    let wrong = "host+alpha.red.0123456789abcdef@example.org";
    let forged = Mail { from: &player("red"), to: wrong, id: "f", in_reply_to: None, text: &block("BID 9") };
    camp.post(forged.raw().replace("Subject: Re: orders", "Subject: Out of office"));
    settle(&mut host);
    assert_eq!((bids(&mut host).len(), camp.mails(&player("red")).len()), (3, sent + 3));
}

#[test]
fn addresses_that_only_programs_write_from_are_never_helped() {
    let (camp, mut host) = camp();
    let robots = [
        "mailer-daemon@x.example",
        "no-reply@x.example",
        "noreply+42@x.example",
        "owner-chess@x.example",
        "chess-owner@x.example",
        "chess-request@x.example",
        "chess-bounces+host=example.org@x.example",
        "listserv@x.example",
    ];
    for (n, from) in robots.iter().enumerate() {
        let id = format!("r{n}");
        camp.post(Mail { from, to: HOST, id: &id, in_reply_to: None, text: "Please confirm" }.raw());
    }
    settle(&mut host);
    for from in robots {
        assert_eq!(camp.mails(from).len(), 0, "{from}");
    }
}

/// The raw mails of a kind to a seat's player.
fn raw_of_kind(camp: &Camp, whose: &str, kind: &str) -> Vec<String> {
    let mails = raw_mails(&camp.path().join("mail").join(player(whose)));
    let mails = mails.into_iter().filter(|(_, raw)| is_of_kind(&read(raw), kind));
    mails.map(|(_, raw)| String::from_utf8(raw).unwrap()).collect()
}

#[test]
fn every_mail_of_ours_says_that_a_program_wrote_it_and_answers_say_what_they_answer() {
    let (camp, mut host) = camp();
    let text = format!("STATUS\r\nPRESS TO BLUE\r\nHello.\r\nEND PRESS\r\n{}", block("BID 2"));
    camp.post(camp.answer("red", "dispatch", "all", &text));
    camp.wait(1);
    camp.post(camp.answer("red", "dispatch", "thanks", "Thank you."));
    settle(&mut host);
    for (whose, kind, submitted) in [
        ("red", "receipt", "auto-replied"),
        ("red", "answer", "auto-replied"),
        ("red", "refusal", "auto-replied"),
        ("red", "press", "auto-replied"),
        ("blue", "press", "auto-generated"),
        ("red", "dispatch", "auto-generated"),
        ("red", "invitation", "auto-generated"),
    ] {
        let mails = raw_of_kind(&camp, whose, kind);
        let last = mails.last().unwrap();
        assert!(last.contains(&format!("Auto-Submitted: {submitted}\r\n")), "{kind}: {last}");
        let answers = last.contains("In-Reply-To: <all@players.example>")
            || last.contains("In-Reply-To: <thanks@players.example>");
        assert_eq!(answers, submitted == "auto-replied", "{kind}: {last}");
    }
    let stranger = "x@y.example";
    camp.post(Mail { from: stranger, to: HOST, id: "s", in_reply_to: None, text: "Hello?" }.raw());
    settle(&mut host);
    let help = raw_mails(&camp.path().join("mail").join(stranger)).pop().unwrap().1;
    assert!(String::from_utf8(help).unwrap().contains("Auto-Submitted: auto-replied\r\n"));
}

/// A program that answers every mail to red's mailbox.
type Responder = fn(&Letter, usize) -> String;

fn reply(mail: &Letter, n: usize, headers: &str, text: &str) -> String {
    let to = mail.reply_to.first().cloned().unwrap_or_else(|| HOST.to_owned());
    let raw = Mail {
        from: &player("red"),
        to: &to,
        id: &format!("auto-{n}"),
        in_reply_to: mail.message_id.as_deref(),
        text,
    }
    .raw();
    format!("{headers}{raw}")
}

fn text_of(mail: &Letter) -> String {
    mail.body.as_ref().map_or(String::new(), |body| body.text.replace('\n', "\r\n"))
}

fn quoted(mail: &Letter) -> String {
    text_of(mail).lines().map(|line| format!("> {line}\r\n")).collect()
}

const RESPONDERS: &[(&str, Responder)] = &[
    ("as RFC 3834 has it", |m, n| reply(m, n, "Auto-Submitted: auto-replied\r\n", "I am away.")),
    ("by its subject", |m, n| {
        reply(m, n, "", "I am away.").replace("Subject: Re: orders", "Subject: Out of office: orders")
    }),
    ("without a sign", |m, n| reply(m, n, "", "I am away.")),
    ("with our mail quoted", |m, n| reply(m, n, "", &format!("I am away.\r\n{}", quoted(m)))),
    ("with our mail as its own words", |m, n| reply(m, n, "", &format!("I am away.\r\n{}", text_of(m)))),
    ("with our mail and nothing else", |m, n| reply(m, n, "", &text_of(m))),
    ("marked as a company's mail", |m, n| {
        reply(m, n, "X-Auto-Response-Suppress: All\r\n", &format!("I am away.\r\n{}", text_of(m)))
    }),
    ("as a command", |m, n| reply(m, n, "", "STATUS\r\n")),
    ("to the plain address", |m, n| {
        Mail {
            from: &player("red"),
            to: HOST,
            id: &format!("auto-{n}"),
            in_reply_to: None,
            text: &text_of(m),
        }
        .raw()
    }),
    ("from another address, as a challenge", |m, n| {
        let (from, to, id) = ("challenge@guard.example", m.reply_to.first().cloned(), format!("auto-{n}"));
        let to = to.unwrap_or_else(|| HOST.to_owned());
        Mail {
            from,
            to: &to,
            id: &id,
            in_reply_to: None,
            text: "Answer this mail to prove that you are no robot.",
        }
        .raw()
    }),
];

#[test]
fn whatever_answers_every_mail_gets_few_and_changes_no_orders() {
    for (name, responder) in RESPONDERS {
        let (camp, mut host) = camp();
        camp.post(camp.answer("red", "dispatch", "first", &block("BID 1")));
        settle(&mut host);
        camp.post(camp.answer("red", "dispatch", "own", &block("BID 2")));
        settle(&mut host);
        let mut answered = BTreeSet::new();
        let mut n = 0;
        let guard = || camp.mails("challenge@guard.example").len();
        for round in 0.. {
            let mails = camp.mails(&player("red"));
            let fresh: Vec<&Letter> =
                mails.iter().filter(|mail| answered.insert(mail.message_id.clone())).collect();
            if fresh.is_empty() {
                break;
            }
            for mail in fresh {
                n += 1;
                camp.post(responder(mail, n));
            }
            settle(&mut host);
            assert!(round < 200, "{name}: no end, {} mails", mails.len());
        }
        let count = camp.mails(&player("red")).len();
        assert!(count <= 70, "{name}: {count} mails to red in a day");
        assert!(guard() <= 1 && camp.mails(GM).len() <= 20, "{name}: {} to the GM", camp.mails(GM).len());
        let bids = bids(&mut host);
        assert_eq!(bids.last().map(String::as_str), Some("BID 2\n"), "{name}: {bids:?}");
    }
}

/// Carries what one host wrote to another into that one's mailbox, without the headers whose names begin so.
fn carry(from: &Path, to: &Path, stripped: &[&str], seen: &mut BTreeSet<String>) -> usize {
    let mut carried = 0;
    for (_, raw) in raw_mails(from) {
        let text = String::from_utf8(raw).unwrap();
        let kept = |line: &&str| !stripped.iter().any(|name| line.starts_with(name));
        let text: String = text.split_inclusive("\r\n").filter(kept).collect();
        let id = read(text.as_bytes()).message_id.unwrap();
        if seen.insert(id.clone()) {
            carried += 1;
            put(to, &format!("carried-{}", seen.len()), text.as_bytes(), NOON);
        }
    }
    carried
}

#[test]
fn two_hosts_that_write_to_each_other_soon_stop() {
    const OTHER: &str = "other@example.net";
    for stripped in [&[][..], &["X-Musterd", "Auto-Submitted", "List-Id", "X-Auto-Response", "Return-Path"]] {
        let camp = Camp::new();
        let mut one = camp.open();
        let elsewhere = Camp::new();
        fs::write(elsewhere.path().join(config::FILE), config::example(OTHER)).unwrap();
        let inbox = elsewhere.path().join("mail").join(OTHER);
        musterd::post::create(&inbox).unwrap();
        let clock = Clock::at(NOON);
        let mut other = Host::open(Options { clock, ..elsewhere.options() }).unwrap();
        new_game(&mut one, &[("red", OTHER)], "24h");
        let (mut seen, mut mails) = (BTreeSet::new(), 0);
        for _ in 0..30 {
            settle(&mut one);
            mails += carry(&camp.path().join("mail").join(OTHER), &inbox, stripped, &mut seen);
            settle(&mut other);
            mails += carry(&elsewhere.path().join("mail").join(HOST), &camp.inbox(), stripped, &mut seen);
        }
        assert!((1..=4).contains(&mails), "{mails} mails, without {stripped:?}");
    }
}

#[test]
fn a_flood_of_strangers_is_answered_up_to_the_limit_and_keeps_nobody_from_playing() {
    let (camp, mut host) = camp_with(&[
        ("strangers_a_day: 500", "strangers_a_day: 20"),
        ("keep_other_mb: 200", "keep_other_mb: 0"),
    ]);
    let flood = |day: &str| {
        for n in 0..300 {
            let (from, id) = (format!("s{n}@flood.example"), format!("{day}-{n}"));
            let text = ["Hello?", "LIST\r\n", "STANDBY alpha\r\n", "[nogame] hi"][n % 4];
            camp.post(Mail { from: &from, to: HOST, id: &id, in_reply_to: None, text }.raw());
        }
    };
    let answered = || (0..300).map(|n| camp.mails(&format!("s{n}@flood.example")).len()).sum::<usize>();
    flood("one");
    camp.post(camp.answer("red", "dispatch", "bid", &block("BID 2")));
    settle(&mut host);
    assert_eq!((answered(), bids(&mut host).len(), camp.count("red", "receipt")), (20, 1, 2));
    // Opened again, it knows what it did.
    drop(host);
    let mut host = camp.open();
    flood("two");
    settle(&mut host);
    assert_eq!(answered(), 20);
    assert_eq!(fs::read_dir(camp.path().join("spool/other")).unwrap().count(), 0, "and what came is let go");
    camp.wait(DAY);
    settle(&mut host);
    flood("three");
    settle(&mut host);
    assert_eq!(answered(), 40, "the next day");
}

#[test]
fn what_is_no_games_is_kept_apart_and_comes_back_without_effect() {
    let (camp, mut host) = camp();
    let mail = Mail { from: "x@y.example", to: HOST, id: "s", in_reply_to: None, text: "Hello?" }.raw();
    camp.post(&mail);
    settle(&mut host);
    let other = || fs::read_dir(camp.path().join("spool/other")).unwrap().count();
    assert_eq!((other(), camp.mails("x@y.example").len()), (1, 1));
    camp.wait(DAY);
    // The mailbox gives all of it once more, as it does when its UIDs have changed.
    put(&camp.inbox(), "again", mail.as_bytes(), NOON);
    settle(&mut host);
    assert_eq!((other(), camp.mails("x@y.example").len()), (1, 1), "it is known");
}

#[test]
fn what_a_stranger_asks_of_a_game_is_kept_no_longer_than_other_mail() {
    let (camp, mut host) = camp();
    let files = |part: &str| fs::read_dir(camp.path().join("spool").join(part)).unwrap().count();
    let (done, other) = (files("done"), files("other"));
    for id in ["one", "two"] {
        let to = "host+alpha@example.org";
        camp.post(Mail { from: "x@y.example", to, id, in_reply_to: None, text: "STATUS\r\n" }.raw());
        settle(&mut host);
    }
    assert_eq!((files("done"), files("other")), (done, other + 2));
    assert_eq!(camp.mails("x@y.example").len(), 2);
}

#[test]
fn guesses_at_a_secret_are_told_of_five_times_a_day_and_never_keep_the_player_out() {
    let (camp, mut host) = camp_with(&[("unproved_a_day: 100", "unproved_a_day: 30")]);
    let (gm, red) = (camp.mails(GM).len(), camp.count("red", "refusal"));
    let letters = "0123456789abcdefghjkmnpqrstvwxyz";
    for n in 0..60 {
        let to = format!("host+alpha.red.{}123456789abcdef@example.org", &letters[n % 32..=n % 32]);
        let id = format!("guess-{n}");
        camp.post(
            Mail { from: &player("red"), to: &to, id: &id, in_reply_to: None, text: &block("BID 9") }.raw(),
        );
        camp.wait(1);
        settle(&mut host);
    }
    assert_eq!((camp.mails(GM).len() - gm, camp.count("red", "refusal") - red), (5, 5));
    let last = camp
        .mails(GM)
        .into_iter()
        .filter_map(|mail| mail.body.ok())
        .filter(|body| body.text.contains("5th of its kind"));
    assert_eq!(last.count(), 1, "the GM is told that it goes on");
    let noted = verdicts(&mut host).iter().filter(|word| *word == "wrong-secret").count();
    assert_eq!(noted, 30, "the journal is not flooded");
    let notes = journal(&mut host)
        .into_iter()
        .filter(|e| matches!(&e.cause, Cause::Noted { text } if text.contains("proved nothing")));
    assert_eq!(notes.count(), 1);
    // Other failures are told of: the player's own mail from an address that is not registered, with the right secret.
    let reply_to = camp.newest("red", "dispatch").reply_to[0].clone();
    camp.post(camp.answer("red", "dispatch", "true", &block("BID 2")));
    settle(&mut host);
    assert_eq!((bids(&mut host), camp.count("red", "receipt")), (vec!["BID 2\n".to_owned()], 2));
    camp.wait(DAY);
    for n in 0..6 {
        let id = format!("guess-more-{n}");
        let to = "host+alpha.red.0123456789abcdef@example.org";
        camp.post(Mail { from: &player("red"), to, id: &id, in_reply_to: None, text: "x" }.raw());
    }
    settle(&mut host);
    let before = camp.count("red", "refusal");
    camp.post(
        Mail { from: "red@holiday.example", to: &reply_to, id: "h", in_reply_to: None, text: "x" }.raw(),
    );
    settle(&mut host);
    assert_eq!(camp.count("red", "refusal"), before + 1);
}

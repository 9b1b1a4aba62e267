//! Every mail that the host writes, as its reader sees it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use musterd::dice::{Assurance, Block, ChainLines, Digest, Level, OpenHead, Witness};
use musterd::engine::orders::{Recap, Remark, Understood};
use musterd::report::letters::{
    self, Addressee, BoundLeaves, Deadline, Dispatch, Final, Help, Invitation, Message, Notice, Part, Reason,
    Receipt, Refusal, WindowShown,
};
use musterd::report::{TemplateError, Templates};
use musterd::rules::lga::brief::brief;
use musterd::rules::lga::model::Side;

use crate::common::pages::{assert_fits, golden};
use crate::report::{lga, opening};

pub(crate) fn to() -> Addressee {
    Addressee {
        game: "alpha".parse().unwrap(),
        system: "La Grande Armee".to_owned(),
        seat: "french".parse().unwrap(),
        title: "the French commander".to_owned(),
        allies: Vec::new(),
        reply_to: "campaign+alpha.french.k7q2mz4t9hwxp3cd@example.org".to_owned(),
        key_line: "# key: alpha french k7q2mz4t9hwxp3cd".to_owned(),
    }
}

fn open() -> OpenHead {
    OpenHead { game: "alpha".parse().unwrap(), t: 3, head: Digest::of(b"head") }
}

fn witness() -> Witness {
    Witness { game: "alpha".parse().unwrap(), index: 14, head: Digest::of(b"head") }
}

fn deadline() -> Deadline {
    let at: Timestamp = "2026-11-28T19:00:00Z".parse().unwrap();
    let now: Timestamp = "2026-11-22T08:30:00Z".parse().unwrap();
    Deadline::new(&at.in_tz("Europe/Paris").unwrap(), now)
}

fn window(part: Part) -> WindowShown {
    let title = "Autumn 1805, French to move".to_owned();
    WindowShown { t: 3, title, part, deadline: Some(deadline()), recall: None, runs: None }
}

fn closed() -> BoundLeaves {
    let leaf = |seat: &str| (seat.parse().unwrap(), Digest::of(seat.as_bytes()));
    BoundLeaves {
        t: 2,
        leaves: BTreeMap::from(["french", "allied.austria-russia"].map(leaf)),
        beacon: None,
        root: Digest::of(b"root"),
        assurance: Assurance { level: Level::L1, salted: BTreeSet::from(["french".parse().unwrap()]) },
    }
}

pub(crate) fn sample_dispatch() -> Dispatch {
    let rules = lga("austrian-1805");
    Dispatch {
        to: to(),
        briefing: brief(&rules, &opening(&rules, Side::French), &[]),
        told: None,
        further: Vec::new(),
        said: vec!["The Allied commander sent no orders; standing orders stood.".to_owned()],
        window: window(Part::Phasing),
        form: vec!["# MOVE 3 TO Ulm".to_owned(), "STANDING".to_owned()],
        closed: Some(closed()),
        revealed: None,
        seen: witness(),
        witness: witness().into(),
    }
}

/// What a sample of orders reads as.
struct Sample {
    recap: Recap,
    remarks: Vec<Remark>,
    previous: Recap,
}

fn sample() -> Sample {
    let order = |line, order: &str, effect: &str| Understood {
        line,
        order: order.to_owned(),
        effect: effect.to_owned(),
    };
    Sample {
        recap: Recap {
            orders: vec![
                order(2, "Move III Davout from Reims 1204 to Ulm 1507", "by 1304, 1405, 1506: 4 of 5 moves"),
                order(
                    4,
                    "Move IV Soult from Boulogne 1203 to Stuttgart 1406",
                    "by 1303, 1304, 1405: 4 of 5 moves",
                ),
            ],
            defaults: vec!["Stay where they are: 8 units (1, 2, 5 to 10).".to_owned()],
            ahead: vec!["Supply: all your units are in supply where these orders leave them.".to_owned()],
        },
        remarks: vec![
            Remark::error(3, "You have no unit 33.").at(17, 2).hint("ATTACK 1507 WITH 3"),
            Remark::warning(4, "There is no city called Stutgart: taken for Stuttgart 1406.").at(10, 8),
            Remark::note(0, "INFO 1507: Ulm, minor city, held by the Allied side."),
        ],
        previous: Recap {
            orders: vec![order(2, "Move III Davout from Reims 1204 to Paris 1104", "")],
            defaults: Vec::new(),
            ahead: Vec::new(),
        },
    }
}

fn sample_receipt(read: &Sample) -> Receipt<'_> {
    let block = "salt: a grey goose\nMOVE 3 TO Ulm\nATTACK 1507 WITH 33\nMOVE 4 TO Stutgart\n";
    Receipt {
        to: to(),
        window: window(Part::Phasing),
        block: Block::canonical(block),
        recap: &read.recap,
        remarks: &read.remarks,
        told: None,
        previous: Some(&read.previous),
        ready: false,
        stopped: None,
        until_contact: false,
        left: None,
        wait: false,
        join: false,
        passed_over: Vec::new(),
        marked: true,
        unended: false,
        held_back: false,
        form_lines: Vec::new(),
        asks: Vec::new(),
        unread: Vec::new(),
        leaf: Digest::of(b"leaf"),
        witness: open(),
    }
}

#[track_caller]
fn check(name: &str, message: &Message) {
    assert!(message.subject.bytes().all(|b| b == b' ' || b.is_ascii_graphic()), "{:?}", message.subject);
    assert_fits(&message.body);
    golden(name, &format!("Subject: {}\n\n{}", message.subject, message.body));
}

#[track_caller]
fn ends_with_the_chain_lines(message: &Message) {
    ends_with(message, witness().into());
}

#[track_caller]
fn ends_with(message: &Message, lines: ChainLines) {
    assert!(message.body.ends_with(&format!("{lines}\n")), "{}", message.body);
    assert_eq!(ChainLines::all_in(&message.body).collect::<Vec<_>>(), [lines]);
}

#[track_caller]
fn ends_with_the_game(message: &Message) {
    assert!(message.body.ends_with("\nGame: alpha\n"), "{}", message.body);
    assert_eq!(ChainLines::all_in(&message.body).next(), None, "{}", message.body);
}

#[test]
fn a_dispatch_asks_for_orders_with_a_form() {
    let mail = sample_dispatch();
    let message = letters::dispatch(&Templates::default(), &mail);
    check("mail-dispatch", &message);
    ends_with_the_chain_lines(&message);
    assert_eq!(message.subject, "[alpha] Summer 1805 - French to move - orders by Sat 28 Nov 20:00 CET");
    let form = message.body.split_once("BEGIN ORDERS\n").unwrap().1.split_once("END ORDERS\n").unwrap().0;
    let block = Block::canonical(form);
    assert_eq!(block.seen(), Some((14, Digest::of(b"head"))), "the form says which log its player saw");
    assert!(!block.salt(), "a form sent back unchanged must not count as salted");
    assert!(!form.contains("k7q2mz4t9hwxp3cd"), "blocks become public: the secret stays out of them");
}

#[test]
fn a_form_wraps_its_comments_and_never_breaks_an_order() {
    let order = format!("REINFORCE 4 TO 1507 WHEN 1507 ATTACKED{}", " AND ".repeat(20));
    let mail = Dispatch {
        form: vec![format!("# {}", "a long comment ".repeat(20)), order.clone()],
        ..sample_dispatch()
    };
    let body = letters::dispatch(&Templates::default(), &mail).body;
    let form = body.split_once("BEGIN ORDERS\n").unwrap().1.split_once("END ORDERS\n").unwrap().0;
    let orders: Vec<&str> = form.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(orders, [&format!("seen: 14 {}", Digest::of(b"head")), "salt:", order.trim_end()]);
    assert!(form.lines().filter(|line| line.starts_with('#')).all(|line| line.len() <= 78), "{form}");
}

#[test]
fn a_seat_that_is_not_to_move_is_asked_for_standing_orders() {
    let mail = Dispatch { window: window(Part::Standing), closed: None, ..sample_dispatch() };
    let message = letters::dispatch(&Templates::default(), &mail);
    ends_with_the_chain_lines(&message);
    assert!(message.subject.ends_with("standing orders by Sat 28 Nov 20:00 CET"), "{}", message.subject);
    assert!(message.body.contains("answer this mail with orders for it"), "{}", message.body);
}

#[test]
fn the_last_report_has_no_form_and_names_the_audit_file() {
    let Dispatch { to, briefing, said, closed, seen, witness, .. } = sample_dispatch();
    let audit_file = Some("alpha-audit.json".to_owned());
    let (told, further, results, audit_note) = (None, Vec::new(), Vec::new(), String::new());
    let mail =
        Final { to, briefing, said, told, further, results, audit_file, audit_note, closed, seen, witness };
    let message = letters::final_report(&Templates::default(), &mail);
    ends_with_the_chain_lines(&message);
    assert!(!message.body.contains("BEGIN ORDERS") && message.body.contains("alpha-audit.json"));
}

#[test]
fn a_receipt_points_at_what_is_wrong() {
    let message = letters::receipt(&Templates::default(), &sample_receipt(&sample()));
    check("mail-receipt", &message);
    ends_with(&message, open().into());
    assert!(message.subject.starts_with("[ERRORS] [alpha] "), "{}", message.subject);
}

#[test]
fn a_receipt_says_a_thing_once() {
    let remark = |text: &str| Remark::warning(2, text).at(0, 4);
    // Two units under one order, the same doubt for both and one more for the second.
    let remarks = vec![remark("It stops."), remark("It stops."), remark("It is tired.")];
    let sample = Sample { remarks, ..sample() };
    let mail = sample_receipt(&sample);
    let text = letters::receipt(&Templates::default(), &mail).body;
    for once in ["   2  MOVE 3 TO Ulm", "Warning: It stops.", "Warning: It is tired."] {
        assert_eq!(text.matches(once).count(), 1, "{once}\n{text}");
    }
}

#[test]
fn a_receipt_counts_the_orders_that_cannot_be_carried_out() {
    let never = |line: usize| Remark::futile(line, "It has no shots left.");
    // Line 3 has an error as well, line 2 draws two warnings, and a doubt is no more than a doubt.
    let remarks = vec![never(2), never(2), never(3), Remark::error(3, "No."), Remark::warning(4, "Perhaps.")];
    let sample = Sample { remarks, ..sample() };
    let message = letters::receipt(&Templates::default(), &sample_receipt(&sample));
    assert!(
        message.subject.contains(", 1 line with errors, 1 line can't be carried out"),
        "{}",
        message.subject
    );
    let said = message.body.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("1 line can't be carried out as things stand, see the warnings. Send the whole"),
        "{said}"
    );
    assert!(said.contains("Warning: It has no shots left."), "{said}");
    let remarks = vec![never(1), never(2)];
    let message = letters::receipt(&Templates::default(), &sample_receipt(&Sample { remarks, ..sample }));
    assert!(message.body.contains("with no errors; 2 lines can't be carried out"), "{}", message.body);
}

#[test]
fn a_receipt_without_errors_is_not_flagged() {
    let sample = sample();
    let mail = Receipt { remarks: &[], previous: None, join: true, ..sample_receipt(&sample) };
    let message = letters::receipt(&Templates::default(), &mail);
    assert!(message.subject.starts_with("[alpha] 2 orders"), "{}", message.subject);
    assert!(message.body.contains("Your seat is confirmed."));
    assert!(!message.body.contains("PROBLEMS") && !message.body.contains("CHANGED SINCE"));
}

#[test]
fn an_invitation_says_how_to_begin() {
    let mail = Invitation {
        to: to(),
        scenario: "Austrian Challenge, Summer 1805 to Summer 1806".to_owned(),
        options: Vec::new(),
        shows_battle: false,
        situation: lga("austrian-1805").scenario.situation.clone(),
        others: vec![("the Allied commander".to_owned(), "the computer".to_owned())],
        beacon: None,
        host_key: None,
        rhythm: vec![musterd::engine::briefing::Fact::of("Deadline", "3 days after each turn opens")],
        anchor: Digest::of(b"anchor"),
        reveal: String::new(),
        deadline: Some(deadline()),
        started: false,
        seated: false,
        seen: witness(),
        witness: witness().into(),
    };
    let message = letters::invitation(&Templates::default(), &mail);
    check("mail-invitation", &message);
    ends_with_the_chain_lines(&message);
    assert!(message.body.contains("\n# JOIN\n") && message.body.contains(&Digest::of(b"anchor").to_string()));
    let started = letters::invitation(&Templates::default(), &Invitation { started: true, ..mail });
    assert!(!started.body.contains("# JOIN\n"), "nothing is to be confirmed in a game that has begun");
}

#[test]
fn every_refusal_says_why_and_what_to_do() {
    let reasons = [
        Reason::UnknownGame { asked: "omega".to_owned() },
        Reason::UnknownSeat { asked: "turkish".to_owned() },
        Reason::NotProved { from: "somebody@example.net".to_owned(), has_secret: false },
        Reason::NotProved { from: "somebody@example.net".to_owned(), has_secret: true },
        Reason::Late { window: "Autumn 1805".to_owned(), closed: "Sat 28 Nov 20:00 CET".to_owned() },
        Reason::OtherTurn { meant: 2, open: 3 },
        Reason::GameOver,
        Reason::TooLarge { bytes: 10_485_760, limit: 1_000_000 },
        Reason::Unreadable { why: "This mail is encrypted, and the host has no key.".to_owned() },
        Reason::NoOrders,
    ];
    let mut page = String::new();
    for reason in reasons {
        let mail = Refusal {
            game: Some("alpha".parse().unwrap()),
            reason,
            about: "Re: [alpha] Autumn 1805 – my orders".to_owned(),
            arrived: "Sat 28 Nov 20:01 CET".to_owned(),
            window: Some(window(Part::Phasing)),
            ready_waits: false,
            stopped: None,
            has_gm: true,
            host: "campaign@example.org".to_owned(),
        };
        let message = letters::refusal(&Templates::default(), &mail);
        ends_with_the_game(&message);
        assert_fits(&message.subject);
        assert_fits(&message.body);
        page.push_str(&format!("Subject: {}\n\n{}\n\n", message.subject, message.body));
    }
    golden("mail-refusals", &page);
}

#[test]
fn a_subject_can_not_pass_for_chain_lines() {
    let mail = Refusal {
        game: Some("alpha".parse().unwrap()),
        reason: Reason::UnknownGame { asked: format!("x\nChain: alpha 99\n  {}", Digest::of(b"forged")) },
        about: format!("Re:\nChain: alpha 99\n  {}\n", Digest::of(b"forged")),
        arrived: String::new(),
        window: None,
        ready_waits: false,
        stopped: None,
        has_gm: false,
        host: "campaign@example.org".to_owned(),
    };
    ends_with_the_game(&letters::refusal(&Templates::default(), &mail));
}

#[test]
fn strangers_and_gms_get_plain_words() {
    for (name, plays) in [("mail-help", false), ("mail-help-player", true)] {
        let help = Help { host: "campaign@example.org".to_owned(), plays };
        check(name, &letters::help(&Templates::default(), &help));
    }
    let notice = Notice {
        game: Some("alpha".parse().unwrap()),
        subject: "a mail server refuses french".to_owned(),
        paragraphs: vec!["Mail to french came back: 5.1.1, no such user.".to_owned()],
        lines: String::new(),
        witness: Some(witness().into()),
    };
    let notice = letters::notice(&Templates::default(), &notice);
    check("mail-notice", &notice);
    ends_with_the_chain_lines(&notice);
}

#[test]
fn a_host_may_replace_a_template_and_a_slip_in_it_loses_no_mail() {
    let with =
        |path: &str, text: &str| Templates::new([(path.to_owned(), text.to_owned())].into_iter().collect());
    let own = |text: &str| with("help.txt", text);
    let help = Help { host: "campaign@example.org".to_owned(), plays: false };
    let message = letters::help(&own("Ask {{ host }}, s'il vous plaît.\n"), &help);
    assert_eq!(message.body, "Ask campaign@example.org, s'il vous plait.\n");

    let slipped = letters::help(&own("Ask {{ nobody.at_all }}\n"), &help);
    assert_eq!(slipped, letters::help(&Templates::default(), &help));

    let broken = own("one\n{% if %}\n");
    assert!(matches!(broken.faults(), [TemplateError::Broken { line: 2, .. }]), "{:?}", broken.faults());
    assert_eq!(letters::help(&broken, &help), letters::help(&Templates::default(), &help));
    let unknown = with("hlep.txt", "").faults()[0].to_string();
    assert!(unknown.contains("dispatch.txt, final.txt, "), "{unknown}");
}

#[test]
fn time_left_is_told_in_two_units() {
    let at: Timestamp = "2026-11-28T19:00:00Z".parse().unwrap();
    let left = |now: &str| Deadline::new(&at.in_tz("UTC").unwrap(), now.parse().unwrap()).left;
    assert_eq!(left("2026-11-21T18:00:00Z"), "7 days 1 hour");
    assert_eq!(left("2026-11-28T16:58:00Z"), "2 hours 2 minutes");
    assert_eq!(left("2026-11-28T18:59:00Z"), "1 minute");
    assert_eq!(left("2026-11-28T19:00:00Z"), "");
}

//! What a mail without marks makes of the orders that stand, and of its `READY`: before a toy game's host.

use musterd::daemon::Host;
use musterd::desk::campaign::Campaign;
use musterd::desk::mail::{LineKind, find_orders};
use musterd::desk::order_mail::{NoOrders, OrderMail, read_orders_of};
use musterd::dice::{Block, Seat};
use musterd::engine::journal::{Cause, Entry, Verdict};
use musterd::letter::Body;

use super::letters_summary::kind;
use super::support::*;
use super::toy::seat;

/// A founded game, with everything sent.
fn camp() -> (Camp, Host) {
    let camp = Camp::new();
    let mut host = camp.open();
    founded(&camp, &mut host);
    (camp, host)
}

/// The set of orders of red's that stands.
fn standing(host: &mut Host) -> Option<String> {
    let blocks = journal(host).into_iter().filter_map(|entry| match entry.cause {
        Cause::Received(received) if received.seat == Some(seat("red")) && received.t > 1 => {
            match received.verdict {
                Verdict::Accepted { block, .. } => Some(block.as_str().to_owned()),
                _ => None,
            }
        }
        _ => None,
    });
    blocks.last()
}

/// Red mails this in answer to its dispatch, quoted below.
fn mail(camp: &Camp, host: &mut Host, id: &str, text: &str) {
    let dispatch = camp.newest("red", "dispatch").body.unwrap().text;
    let quoted: String = dispatch.lines().map(|line| format!("> {line}\r\n")).collect();
    let text = format!("{text}\r\n\r\nOn Sat, 21 Nov 2026 the umpire wrote:\r\n\r\n{quoted}");
    camp.wait(1);
    camp.post(camp.answer("red", "dispatch", id, &text));
    settle(host);
}

/// The same with the form filled in inside the quotation.
fn mail_with_form(camp: &Camp, host: &mut Host, id: &str, text: &str) {
    let dispatch = camp.newest("red", "dispatch").body.unwrap().text;
    let quoted: String = dispatch.lines().map(|line| format!("> {line}\r\n")).collect();
    let filled_in = quoted.replace("> # BID 3", "> BID 3");
    assert_ne!(quoted, filled_in);
    let text = format!("{text}\r\n\r\nOn Sat, 21 Nov 2026 the umpire wrote:\r\n\r\n{filled_in}");
    camp.wait(1);
    camp.post(camp.answer("red", "dispatch", id, &text));
    settle(host);
}

/// What the newest answer of this kind says, its lines joined.
fn said(camp: &Camp, kind: &str) -> (String, String) {
    let mail = camp.newest("red", kind);
    let text = mail.body.unwrap().text;
    (mail.subject, text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn ready_on_top_joins_the_form_that_is_filled_in_below() {
    let (camp, mut host) = camp();
    mail_with_form(&camp, &mut host, "joined", "READY\r\nsalt: geese");
    let set = standing(&mut host).unwrap();
    let lines: Vec<&str> =
        set.lines().filter(|line| !line.starts_with(['#']) && !line.starts_with("seen:")).collect();
    assert_eq!(lines, ["READY", "salt: geese", "salt:", "BID 3"]);
}

#[test]
fn prose_on_top_that_may_be_an_order_holds_the_ready_of_a_form() {
    let (camp, mut host) = camp();
    mail_with_form(&camp, &mut host, "doubt", "I add five coins\r\nREADY");
    let set = standing(&mut host).unwrap();
    assert!(set.contains("\nBID 3\n") && !set.contains("READY"), "{set}");
    let (subject, text) = said(&camp, "receipt");
    assert!(subject.ends_with("READY left out"), "{subject}");
    assert!(text.contains("| I add five coins"), "{text}");
}

#[test]
fn orders_on_top_count_and_the_forms_lines_are_named() {
    let (camp, mut host) = camp();
    mail_with_form(&camp, &mut host, "both", "BID 1\r\nREADY");
    assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "READY waits");
    let (subject, text) = said(&camp, "receipt");
    assert!(subject.ends_with("READY left out"), "{subject}");
    assert!(text.contains("so they were not read: | BID 3"), "{text}");
    // The receipt's advice.
    mail(&camp, &mut host, "alone", "READY");
    assert_eq!(standing(&mut host).unwrap(), "BID 1\nREADY\n");
}

#[test]
fn an_untouched_form_counts_as_none_whatever_stands_on_top() {
    let (camp, mut host) = camp();
    mail(&camp, &mut host, "own", "BID 1\r\nREADY");
    assert_eq!(standing(&mut host).unwrap(), "BID 1\nREADY\n");
    mail(&camp, &mut host, "wait", "WAIT");
    assert_eq!(standing(&mut host).unwrap(), "BID 1\nWAIT\n");
}

#[test]
fn lines_of_which_none_can_be_read_replace_no_set() {
    let (camp, mut host) = camp();
    mail(&camp, &mut host, "set", "BID 1");
    for (id, text) in
        [("wrong", "BID everything\r\n\r\nRed"), ("slip", "BDI 2\r\n"), ("ready", "BID all\r\nREADY")]
    {
        mail(&camp, &mut host, id, text);
        assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "{text}");
        let (subject, refusal) = said(&camp, "refusal");
        assert!(refusal.contains("ERROR"), "{refusal}");
        assert!(
            refusal.contains("Orders of yours that were accepted before this mail still stand"),
            "{refusal}"
        );
        assert_eq!(subject.contains("READY left out"), id == "ready", "{subject}");
    }
    camp.post(camp.answer("red", "dispatch", "marked", &block("BID everything")));
    settle(&mut host);
    assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "nor does a marked one");
}

#[test]
fn the_advice_for_a_ready_that_was_left_out_works() {
    let (camp, mut host) = camp();
    mail(&camp, &mut host, "set", "BID 1\r\nREADY\r\n\r\nRed, keeper of coins");
    assert_eq!(standing(&mut host).unwrap(), "BID 1\n");
    let (_, receipt) = said(&camp, "receipt");
    assert!(
        receipt.contains("send a mail with the one word READY and no other words of your own"),
        "{receipt}"
    );
    mail(&camp, &mut host, "again", "READY\r\n\r\nRed, keeper of coins");
    assert_eq!(standing(&mut host).unwrap(), "BID 1\n");
    let (subject, refusal) = said(&camp, "refusal");
    assert!(subject.contains("READY left out"), "{subject}");
    assert!(refusal.contains("\"Red, keeper of coins\""), "{refusal}");
    assert!(refusal.contains("send READY again in a mail with no other words of your own"), "{refusal}");
    mail(
        &camp,
        &mut host,
        "marked",
        "BEGIN ORDERS\r\nBID 1\r\nREADY\r\nEND ORDERS\r\n\r\nRed, keeper of coins",
    );
    assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "marks or none");
    mail(&camp, &mut host, "signed", "READY\r\n--\r\nRed, keeper of coins");
    assert_eq!(standing(&mut host).unwrap(), "BID 1\nREADY\n");
    mail(&camp, &mut host, "wait", "WAIT");
    mail(&camp, &mut host, "alone", "READY");
    assert_eq!(standing(&mut host).unwrap(), "BID 1\nREADY\n");
}

#[test]
fn the_answer_to_a_refusal_that_is_quoted_below_takes_no_set_back() {
    let (camp, mut host) = camp();
    mail(&camp, &mut host, "set", "BID 1");
    mail(&camp, &mut host, "refused", "READY\r\n\r\nRed, keeper of coins");
    let refusal = camp.newest("red", "refusal");
    assert!(refusal.subject.contains("READY left out"), "{}", refusal.subject);
    let text = refusal.body.unwrap().text;
    let quoted: String = text.lines().map(|line| format!("> {line}\r\n")).collect();
    let answers =
        [("thanks", "Ah, I see. I'll write again tonight.", "BID 1\n"), ("ready", "READY", "BID 1\nREADY\n")];
    for (id, words, expected) in answers {
        let text = format!("{words}\r\n\r\nOn Sat, 21 Nov 2026 the umpire wrote:\r\n\r\n{quoted}");
        camp.wait(1);
        camp.post(camp.answer("red", "refusal", id, &text));
        settle(&mut host);
        assert_eq!(standing(&mut host).unwrap(), expected, "{id}");
    }
}

#[test]
fn a_salt_that_is_filled_in_in_the_form_goes_with_what_stands_on_top() {
    let (camp, mut host) = camp();
    let dispatch = camp.newest("red", "dispatch").body.unwrap().text;
    let quoted: String = dispatch.lines().map(|line| format!("> {line}\r\n")).collect();
    let filled_in = quoted.replace("> salt:", "> salt: nine geese");
    assert_ne!(quoted, filled_in);
    for (id, words, expected) in [
        ("order", "BID 1", "BID 1\nsalt: nine geese\n"),
        ("ready", "READY", "BID 1\nREADY\nsalt: nine geese\n"),
        ("own", "BID 2\r\nsalt: ten", "BID 2\nsalt: ten\n"),
    ] {
        let text = format!("{words}\r\n\r\nOn Sat, 21 Nov 2026 the umpire wrote:\r\n\r\n{filled_in}");
        camp.wait(1);
        camp.post(camp.answer("red", "dispatch", id, &text));
        settle(&mut host);
        assert_eq!(standing(&mut host).unwrap(), expected, "{id}");
    }
}

#[test]
fn ready_runs_no_turn_over_a_form_whose_every_change_is_mistyped() {
    let (camp, mut host) = camp();
    mail(&camp, &mut host, "set", "BID 1");
    let dispatch = camp.newest("red", "dispatch").body.unwrap().text;
    let quoted: String = dispatch.lines().map(|line| format!("> {line}\r\n")).collect();
    let filled_in = quoted.replace("> # BID 3", "> BDI 3");
    assert_ne!(quoted, filled_in);
    let unmarked = filled_in.replace("> ", "");
    for (id, words, form) in [
        ("ready", "READY\r\n\r\n", &filled_in),
        ("bare", "", &filled_in),
        ("outlook", "READY\r\n\r\n", &unmarked),
    ] {
        let text = format!("{words}On Sat, 21 Nov 2026 the umpire wrote:\r\n\r\n{form}");
        camp.wait(1);
        camp.post(camp.answer("red", "dispatch", id, &text));
        settle(&mut host);
        assert_eq!(standing(&mut host).unwrap(), "BID 1\n", "{id}");
        let (_, refusal) = said(&camp, "refusal");
        assert!(refusal.contains("BDI 3"), "{id}: {refusal}");
    }
}

/// The Allied turn of the first summer of a played game, and its seat.
fn allied() -> (Campaign, Seat) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/played/lga-waterloo-1815.jsonl");
    let journal = std::fs::read_to_string(path).unwrap();
    let mut entries: Vec<Entry> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let opened = entries.iter().position(|entry| matches!(entry.cause, Cause::Opened { t: 3, .. })).unwrap();
    entries.truncate(opened + 1);
    (Campaign::fold(&musterd::rulesets::desk(), &entries).unwrap(), "allied".parse().unwrap())
}

fn read_mail(campaign: &Campaign, seat: &Seat, text: &str) -> Result<OrderMail, NoOrders> {
    read_orders_of(campaign.game(), seat, &Body { text: text.to_owned(), ..Body::default() })
}

#[test]
fn a_question_is_no_new_set() {
    let (campaign, seat) = allied();
    let set = Block::canonical("STANDING NONE\nREADY\n");
    let upon = |text: &str, set: &Block| {
        let mail = read_mail(&campaign, &seat, text).unwrap();
        mail.upon(Some(set), Some(campaign.game())).block
    };
    let asked = upon("INFO Brussels\n\nAnna\n", &set);
    assert_eq!(asked.as_str(), "STANDING NONE\nREADY\nINFO Brussels\n");
    assert_eq!(upon("INFO Paris\nWAIT\n", &asked).as_str(), "STANDING NONE\nINFO Paris\nWAIT\n");
    let (_, remarks) = campaign.game().read(&seat, &asked);
    assert!(remarks.iter().any(|remark| remark.line == 3 && remark.text.contains("Brussels")), "{remarks:?}");
    for prose in ["Info: I am away from 12 to 15 December", "Info: Brussels is mine!", "Info"] {
        assert_eq!(read_mail(&campaign, &seat, prose), Err(NoOrders::default()), "{prose}");
    }
}

#[test]
fn a_date_and_a_signature_are_no_set() {
    let (campaign, seat) = allied();
    let none = read_mail(&campaign, &seat, "March 3, 2026\n\nThanks for the report!\n").unwrap_err();
    assert!(none.unread.is_some(), "{none:?}");
    let none = read_mail(&campaign, &seat, "Move Logistics GmbH, Brussels Str. 12\n").unwrap_err();
    assert_eq!(none, NoOrders::default(), "a firm is no order that can't be read");
}

#[test]
fn ready_counts_over_an_address_a_wish_and_a_telephone() {
    let (campaign, seat) = allied();
    for line in ["Director, Paris office", "Vive la France!", "Good luck at Brussels!", "Tel. 01 42 34 12 11"]
    {
        let mail = read_mail(&campaign, &seat, &format!("READY\n\nCarl\n{line}\n")).unwrap();
        assert_eq!(mail.block.as_str(), "READY\n", "{line}");
    }
    for line in ["Blucher goes to Paris", "move everybody, please", "not ready yet"] {
        let none = read_mail(&campaign, &seat, &format!("READY\n\nCarl\n{line}\n")).unwrap_err();
        assert_eq!(none.doubtful, [line]);
    }
}

#[test]
fn the_hosts_address_is_nobodys_order_and_stands_in_no_receipt() {
    let secret = "musterd+alpha.french.k7q2mz4t9hwxp3cd@play.example";
    let text = format!("MOVE 1\n\nKirjutas kell kolm The umpire <{secret}>\nning nii on\nMOVE 2\n");
    let found = find_orders(&text, None, "", &kind);
    assert_eq!(
        found.orders.block().map(Block::as_str),
        Some("MOVE 1\nMOVE 2\n"),
        "what is below is still read"
    );
    assert_eq!(found.passed_over, ["ning nii on"]);
}

#[test]
fn a_form_attached_or_copied_is_joined_too() {
    let form = "# key: alpha french k7q2mz4t9hwxp3cd\nBEGIN ORDERS\nMOVE 1\nEND ORDERS\n";
    let found = |text: &str, file: Option<&str>| {
        let found = find_orders(text, file, "REACT 3\n", &kind);
        (found.orders.block().map(|block| block.as_str().to_owned()), found.passed_over)
    };
    let joined = (Some("READY\nMOVE 1\n".to_owned()), Vec::new());
    assert_eq!(found("Here they are.\nREADY\n", Some(form)), joined);
    assert_eq!(found(&format!("{form}\nREADY\n"), None), joined);
    // A mistyped order of the player's own outweighs no form, and is named.
    let named = (Some("MOVE 1\n".to_owned()), vec!["READY".to_owned(), "MVOE 2".to_owned()]);
    assert_eq!(found("READY\nMVOE 2\n", Some(form)), named);
    assert_eq!(kind("READY"), LineKind::Aside);
}

//! The audit from outside: a host that answers what stands above the orders in a mail and keeps the orders back, and the honest host that had
//! to take them for none.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use musterd::audit::{Fate, Inquiry};
use musterd::daemon::{NewGame, Request};
use musterd::desk::audit::audit_file;
use musterd::desk::reveal::revealed;
use musterd::engine::terms::{PressPolicy, Terms};
use serde_json::Value;

use super::support::*;
use super::toy::seat;
use super::verify::{Kept, asked, in_words, mbox, the_case, unwrapped};

const FRENCH: &str = "french";

/// How a player writes his orders below a line for the host.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    /// Between marks of his own.
    Marked,
    /// Into the form, in a quotation of the dispatch.
    Quoted,
    /// Into the form, below the dispatch's head as Outlook writes it, without quote marks.
    Outlook,
    /// Into a file.
    Attached,
}

const MANNERS: [Manner; 4] = [Manner::Marked, Manner::Quoted, Manner::Outlook, Manner::Attached];

/// A game in its third turn: the French have standing orders, which are lines of their form.
fn with_standing_orders() -> Camp {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    let seats: BTreeMap<_, _> = ["french", "allied"].map(|name| (seat(name), player(name))).into();
    let new = NewGame {
        scenario: "lga/austrian-1805".to_owned(),
        id: game(),
        seats,
        gm: Vec::new(),
        witnesses: Vec::new(),
        deadline: Some("24h".to_owned()),
        start_now: false,
        press: PressPolicy::All,
        terms: Terms::default(),
        beacon: None,
        missing: None,
        options: BTreeMap::new(),
        templates: BTreeMap::new(),
    };
    host.execute(Request::found(new)).unwrap();
    settle(&mut host);
    for name in ["french", "allied"] {
        camp.post(camp.answer(name, "invitation", &format!("join-{name}"), "JOIN"));
    }
    settle(&mut host);
    let standing = block("STANDING\r\nREINFORCE 3 TO 1303 WHEN 1303 ATTACKED\r\nEND");
    camp.post(camp.answer("french", "dispatch", "standing", &standing));
    camp.wait(24 * HOUR);
    settle(&mut host);
    camp
}

/// A seat's form, as it stands in its dispatch.
fn form(camp: &Camp, seat: &str) -> String {
    let text = camp.newest(seat, "dispatch").body.unwrap().text;
    let at = text.find("# key:").unwrap();
    let end = text[at..].find("END ORDERS\n").unwrap() + "END ORDERS\n".len();
    text[at..at + end].to_owned()
}

fn changed(form: &str) -> String {
    let other = form.replace("\nSTANDING\n", "\nSTANDING\nTOP 5 WHEN 5 ATTACKED\n");
    assert_ne!(other, form, "the form has no standing orders");
    other
}

/// A mail of a seat's player to the host: a command, and this form below it.
fn written(camp: &Camp, seat: &str, manner: Manner, form: &str) -> String {
    let text = camp.newest(seat, "dispatch").body.unwrap().text;
    let at = text.find("# key:").unwrap();
    let own = self::form(camp, seat);
    let dispatch = text[..at].to_owned() + form + &text[at + own.len()..];
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let words = match manner {
        Manner::Marked => {
            let (_, block) = form.split_once("BEGIN ORDERS\n").unwrap();
            format!("STATUS\n\nBEGIN ORDERS\n{block}")
        }
        Manner::Quoted => {
            "STATUS\n\nThe host wrote:\n".to_owned()
                + &dispatch.lines().map(|line| format!("> {line}\n")).collect::<String>()
        }
        Manner::Outlook => format!(
            "STATUS\n\n-----Original Message-----\nFrom: The host <{HOST}>\nSent: Saturday\nTo: {}\nSubject: Orders\n\n{dispatch}",
            player(seat)
        ),
        Manner::Attached => "STATUS\n".to_owned(),
    };
    let mail = camp.answer(seat, "dispatch", "own", &crlf(&words));
    if manner != Manner::Attached {
        return mail;
    }
    let (head, text) = mail.split_once("Content-Type: text/plain; charset=utf-8\r\n\r\n").unwrap();
    format!(
        "{head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\n{text}\r\n--x\r\n\
         Content-Type: text/plain\r\nContent-Disposition: attachment; filename=\"orders.txt\"\r\n\r\n{}\r\n--x--\r\n",
        crlf(form)
    )
}

/// What came of a mail: of what the host was given of it.
struct Played {
    kept: Kept,
    seat: &'static str,
    mail: String,
}

impl Played {
    /// The host gets all of the mail, or nothing but the command in it.
    fn of(camp: &Camp, seat: &'static str, mail: &str, given: &str) -> Self {
        let camp = camp.in_memory_copy();
        let host = camp.open();
        let mut kept = Kept { camp, host, sent: Vec::new(), dir: tempfile::tempdir().unwrap() };
        kept.camp.post(given);
        settle(&mut kept.host);
        let answered = ["answer", "refusal"].map(|kind| kept.camp.count(seat, kind));
        assert!(answered.iter().sum::<usize>() > 0, "the host answers what it was given");
        kept.camp.wait(24 * HOUR);
        settle(&mut kept.host);
        Self { kept, seat, mail: mail.to_owned() }
    }

    /// All that the player has, with the dispatches or without them.
    fn got(&self, with_dispatch: bool) -> PathBuf {
        let mails = raw_mails(&self.kept.maildir(self.seat)).into_iter().map(|(_, raw)| raw);
        let mails = mails.filter(|raw| with_dispatch || !is_of_kind(&read(raw), "dispatch"));
        let mails = mails.map(|raw| String::from_utf8(raw).unwrap());
        let got: Vec<String> = mails.chain([self.mail.clone()]).collect();
        self.kept.keep("got.mbox", mbox(got.iter().map(String::as_str)))
    }

    fn asked(&mut self, with_dispatch: bool, with_rules: bool) -> (Fate, Inquiry) {
        let got = self.got(with_dispatch);
        let mut file = self.kept.file();
        if !with_rules {
            file.as_object_mut().unwrap().remove("replay").unwrap();
        }
        self.asked_of(&got, &file)
    }

    /// The same of one mailbox and this file.
    fn asked_of(&self, got: &Path, file: &Value) -> (Fate, Inquiry) {
        let file = self.kept.keep("alpha.json", file.to_string());
        let inquiry = asked(&[got, &file], false, Some(&seat(self.seat)));
        let story = the_case(&inquiry).mine.as_ref().unwrap();
        let sent = story.turns.iter().flat_map(|turn| &turn.mails).chain(&story.elsewhere);
        let own = sent.filter(|sent| sent.mail.subject == "Re: orders").map(|sent| sent.fate.clone());
        let [fate] = &own.collect::<Vec<_>>()[..] else { panic!("{}", in_words(&inquiry)) };
        (fate.clone(), inquiry)
    }
}

fn command_alone(camp: &Camp, seat: &str) -> String {
    camp.answer(seat, "dispatch", "own", "STATUS")
}

#[test]
fn a_host_that_keeps_the_orders_in_a_mail_back_is_never_cleared() {
    let camp = with_standing_orders();
    let form = changed(&form(&camp, FRENCH));
    for manner in MANNERS {
        let mail = written(&camp, FRENCH, manner, &form);
        let mut played = Played::of(&camp, FRENCH, &mail, &command_alone(&camp, FRENCH));
        for (with_dispatch, with_rules) in [(true, true), (false, true), (true, false), (false, false)] {
            let (fate, inquiry) = played.asked(with_dispatch, with_rules);
            // Without the dispatch they may be the form's, but for what stands between marks of the player's own.
            let expected =
                if with_dispatch || manner == Manner::Marked { Fate::PassedOver } else { Fate::OrdersOrForm };
            let page = unwrapped(&inquiry);
            assert_eq!(fate, expected, "{manner:?}, {with_dispatch}, {with_rules}: {page}");
            assert!(inquiry.found_something(true), "{page}");
            assert!(!page.contains("fits the log") && !page.contains("no answer to it is here"), "{page}");
        }
    }
}

#[test]
fn an_honest_host_that_took_the_orders_in_a_mail_is_asked_nothing() {
    let camp = with_standing_orders();
    let form = changed(&form(&camp, FRENCH));
    for manner in MANNERS {
        let mail = written(&camp, FRENCH, manner, &form);
        let mut played = Played::of(&camp, FRENCH, &mail, &mail);
        for (with_dispatch, with_rules) in [(true, true), (false, true), (true, false), (false, false)] {
            let (fate, inquiry) = played.asked(with_dispatch, with_rules);
            let page = unwrapped(&inquiry);
            assert!(
                matches!(fate, Fate::Counted { .. }),
                "{manner:?}, {with_dispatch}, {with_rules}: {page}"
            );
            assert!(!inquiry.found_something(true), "{page}");
        }
    }
}

/// Whoever sends the form back as it came orders nothing: an honest host has nothing to log.
#[test]
fn a_form_that_was_sent_back_as_it_came_accuses_nobody() {
    let camp = with_standing_orders();
    let form = form(&camp, FRENCH);
    for manner in [Manner::Quoted, Manner::Outlook, Manner::Attached] {
        let mail = written(&camp, FRENCH, manner, &form);
        let mut played = Played::of(&camp, FRENCH, &mail, &mail);
        for (with_dispatch, with_rules) in [(true, true), (false, true), (true, false), (false, false)] {
            let (fate, inquiry) = played.asked(with_dispatch, with_rules);
            let expected = if with_dispatch { Fate::NoOrders } else { Fate::OrdersOrForm };
            let page = unwrapped(&inquiry);
            assert_eq!(fate, expected, "{manner:?}, {with_dispatch}, {with_rules}: {page}");
            assert_eq!(inquiry.found_something(true), !with_dispatch, "{page}");
            assert_eq!(page.contains("fits the log"), with_dispatch, "{page}");
        }
    }
    // Between marks of one's own they are orders.
    let mail = written(&camp, FRENCH, Manner::Marked, &form);
    let (fate, inquiry) = Played::of(&camp, FRENCH, &mail, &mail).asked(true, true);
    assert!(matches!(fate, Fate::Counted { .. }), "{}", in_words(&inquiry));
    let (fate, inquiry) = Played::of(&camp, FRENCH, &mail, &command_alone(&camp, FRENCH)).asked(true, true);
    assert_eq!(fate, Fate::PassedOver, "{}", in_words(&inquiry));
}

/// A form of comments has no orders, whether the dispatch was kept or not; and none is mailed with a `READY` in it.
#[test]
fn a_form_of_comments_orders_nothing_and_one_with_a_ready_is_filled_in() {
    let kept = Kept::founded();
    drop(kept.host);
    let (camp, red) = (kept.camp, "red");
    let form = form(&camp, red);
    let ready = form.replace("# BID 3", "BID 3\nREADY");
    assert_ne!(ready, form);
    for manner in MANNERS.into_iter().filter(|manner| *manner != Manner::Marked) {
        let honest = written(&camp, red, manner, &form);
        let mut honest = Played::of(&camp, red, &honest, &honest);
        let mut cheated =
            Played::of(&camp, red, &written(&camp, red, manner, &ready), &command_alone(&camp, red));
        for with_dispatch in [true, false] {
            let (fate, inquiry) = honest.asked(with_dispatch, true);
            assert_eq!(fate, Fate::NoOrders, "{manner:?}: {}", in_words(&inquiry));
            assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
            let (fate, inquiry) = cheated.asked(with_dispatch, true);
            assert_eq!(fate, Fate::PassedOver, "{manner:?}: {}", in_words(&inquiry));
        }
    }
}

/// A host that mails the form a second time, as its player filled it in, makes no form of his orders.
#[test]
fn a_second_dispatch_with_the_players_own_orders_in_its_form_clears_nobody() {
    let camp = with_standing_orders();
    let own = form(&camp, FRENCH);
    let filled_in = changed(&own);
    let mail = written(&camp, FRENCH, Manner::Quoted, &filled_in);
    let mut played = Played::of(&camp, FRENCH, &mail, &command_alone(&camp, FRENCH));
    let mut mails = raw_mails(&camp.path().join("mail").join(player(FRENCH))).into_iter().map(|(_, raw)| raw);
    let dispatch = mails.rfind(|raw| is_of_kind(&read(raw), "dispatch")).unwrap();
    let (text, id) = (read(&dispatch).body.unwrap().text, read(&dispatch).message_id.unwrap());
    let again = Mail {
        from: HOST,
        to: &player(FRENCH),
        id: "x",
        in_reply_to: None,
        text: &text.replace(&own, &filled_in),
    };
    let again = again.raw().replace("x@players.example", &id.replace(".dispatch.0@", ".dispatch.1@"));
    assert!(!again.contains(&id));
    let got = played
        .kept
        .keep("more.mbox", std::fs::read_to_string(played.got(true)).unwrap() + &mbox([again.as_str()]));
    let file = played.kept.file();
    let (fate, inquiry) = played.asked_of(&got, &file);
    assert_eq!(fate, Fate::OrdersOrForm, "{}", in_words(&inquiry));
    assert!(inquiry.found_something(true));
}

/// A letter above the form as it came is no order either; and what a turn's secret hides is not said to fit.
#[test]
fn a_letter_above_the_form_orders_nothing_and_what_is_hidden_is_not_said_to_fit() {
    let camp = with_standing_orders();
    let own = form(&camp, FRENCH);
    let letter = |mail: String| {
        mail.replace(
            "STATUS\r\n",
            "STATUS\r\n\r\nPRESS TO ALLIED\r\nGood day.\r\nEND PRESS\r\n\r\nThanks!\r\n",
        )
    };
    for manner in [Manner::Quoted, Manner::Outlook] {
        let mail = letter(written(&camp, FRENCH, manner, &own));
        let (fate, inquiry) = Played::of(&camp, FRENCH, &mail, &mail).asked(true, true);
        assert_eq!(fate, Fate::NoOrders, "{manner:?}: {}", in_words(&inquiry));
        assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
    }
    // Where something was taken of the seat it takes the secret to see whether it is this.
    let mut host = camp.open();
    camp.post(camp.answer(FRENCH, "dispatch", "first", &block("STANDING\r\nTOP 5 WHEN 5 ATTACKED\r\nEND")));
    settle(&mut host);
    drop(host);
    let mail = written(&camp, FRENCH, Manner::Quoted, &changed(&own));
    let mut played = Played::of(&camp, FRENCH, &mail, &command_alone(&camp, FRENCH));
    let entries = journal(&mut played.kept.host);
    let file = audit_file(&entries, &played.kept.camp.secrets(), revealed(&entries));
    let (fate, inquiry) = played.asked_of(&played.got(true), &serde_json::to_value(file).unwrap());
    assert_eq!(fate, Fate::Hidden, "{}", in_words(&inquiry));
    let page = unwrapped(&inquiry);
    assert!(page.contains("1 mail of a player's that no answer and no revealed orders tell of"), "{page}");
}

/// An invitation's form confirms the seat until the game begins, and orders nothing then.
#[test]
fn a_seat_that_was_confirmed_above_a_command_is_not_said_to_have_ordered_nothing() {
    let camp = Camp::in_memory();
    let mut host = camp.open();
    new_game(&mut host, &[("umpire", "computer")], "24h");
    settle(&mut host);
    let quoted = |camp: &Camp| {
        let text = camp.newest("red", "invitation").body.unwrap().text;
        let text: String =
            text.lines().map(|line| format!("> {}\r\n", line.replace("# JOIN", "JOIN"))).collect();
        camp.answer("red", "invitation", "own", &format!("STATUS\r\n\r\n{text}"))
    };
    let command = |camp: &Camp| camp.answer("red", "invitation", "own", "STATUS");
    drop(host);
    let mut cheated = Played::of(&camp, "red", &quoted(&camp), &command(&camp));
    let (fate, inquiry) = cheated.asked(true, true);
    assert_eq!(fate, Fate::PassedOver, "{}", in_words(&inquiry));
    let kept = Kept::founded();
    drop(kept.host);
    let mail = quoted(&kept.camp);
    let (fate, inquiry) = Played::of(&kept.camp, "red", &mail, &mail).asked(true, true);
    assert_eq!(fate, Fate::NoOrders, "{}", in_words(&inquiry));
    assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
}

/// The reason that the log gives for a refusal is the host's word; this one can be seen from the mail.
#[test]
fn orders_that_were_refused_as_none_are_asked_about() {
    let camp = with_standing_orders();
    let own = form(&camp, FRENCH);
    let thanks = |mail: String| mail.replacen("STATUS\r\n", "Thanks!\r\n", 1);
    let given = thanks(command_alone(&camp, FRENCH));
    for manner in MANNERS {
        let mail = thanks(written(&camp, FRENCH, manner, &changed(&own)));
        let (fate, inquiry) = Played::of(&camp, FRENCH, &mail, &given).asked(true, true);
        assert!(matches!(fate, Fate::RefusedAsEmpty { .. }), "{manner:?}: {}", in_words(&inquiry));
        assert!(inquiry.found_something(true));
        if manner == Manner::Marked {
            continue;
        }
        let mail = thanks(written(&camp, FRENCH, manner, &own));
        let mut honest = Played::of(&camp, FRENCH, &mail, &mail);
        for (with_dispatch, with_rules) in [(true, true), (false, true), (true, false), (false, false)] {
            let (fate, inquiry) = honest.asked(with_dispatch, with_rules);
            assert!(matches!(fate, Fate::Refused { .. }), "{manner:?}: {}", in_words(&inquiry));
            assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
        }
    }
}

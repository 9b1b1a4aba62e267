//! The audit from outside: a host that answers what stands above the orders in a mail and keeps the orders back, and the honest host that had
//! to take them for none.

use std::collections::BTreeMap;

use musterd::audit::{Fate, Inquiry};
use musterd::daemon::{NewGame, Request};
use musterd::engine::terms::{PressPolicy, Terms};

use super::support::*;
use super::toy::seat;
use super::verify::{Kept, asked, in_words, mbox, the_case, unwrapped};

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
    };
    host.execute(Request::New(new)).unwrap();
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

/// The form of the French, as it stands in their dispatch.
fn form(camp: &Camp) -> String {
    let text = camp.newest("french", "dispatch").body.unwrap().text;
    let at = text.find("# key:").unwrap();
    let end = text[at..].find("END ORDERS\n").unwrap() + "END ORDERS\n".len();
    text[at..at + end].to_owned()
}

fn changed(form: &str) -> String {
    let other = form.replace("\nSTANDING\n", "\nSTANDING\nTOP 5 WHEN 5 ATTACKED\n");
    assert_ne!(other, form, "the form has no standing orders");
    other
}

/// A mail of the French to the host: a command, and this form below it.
fn written(camp: &Camp, manner: Manner, form: &str) -> String {
    let text = camp.newest("french", "dispatch").body.unwrap().text;
    let at = text.find("# key:").unwrap();
    let own = self::form(camp);
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
            player("french")
        ),
        Manner::Attached => "STATUS\n".to_owned(),
    };
    let mail = camp.answer("french", "dispatch", "of-the-french", &crlf(&words));
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
    mail: String,
}

impl Played {
    /// The host gets all of the mail, or nothing but the command in it.
    fn of(camp: &Camp, mail: &str, given: &str) -> Self {
        let camp = camp.in_memory_copy();
        let host = camp.open();
        let mut kept = Kept { camp, host, sent: Vec::new(), dir: tempfile::tempdir().unwrap() };
        kept.camp.post(given);
        settle(&mut kept.host);
        assert!(kept.camp.count("french", "answer") > 0, "the command is answered");
        kept.camp.wait(24 * HOUR);
        settle(&mut kept.host);
        Self { kept, mail: mail.to_owned() }
    }

    fn asked(&mut self, with_dispatch: bool, with_rules: bool) -> (Fate, Inquiry) {
        let mails = raw_mails(&self.kept.maildir("french")).into_iter().map(|(_, raw)| raw);
        let mails = mails.filter(|raw| with_dispatch || !is_of_kind(&read(raw), "dispatch"));
        let mails = mails.map(|raw| String::from_utf8(raw).unwrap());
        let got: Vec<String> = mails.chain([self.mail.clone()]).collect();
        let got = self.kept.keep("got.mbox", mbox(got.iter().map(String::as_str)));
        let mut file = self.kept.file();
        if !with_rules {
            file.as_object_mut().unwrap().remove("replay").unwrap();
        }
        let file = self.kept.keep("alpha.json", file.to_string());
        let inquiry = asked(&[&got, &file], false, Some(&seat("french")));
        let story = the_case(&inquiry).mine.as_ref().unwrap();
        let sent = story.turns.iter().flat_map(|turn| &turn.mails).chain(&story.elsewhere);
        let own = sent.filter(|sent| sent.mail.subject == "Re: orders").map(|sent| sent.fate.clone());
        let [fate] = &own.collect::<Vec<_>>()[..] else { panic!("{}", in_words(&inquiry)) };
        (fate.clone(), inquiry)
    }
}

fn command_alone(camp: &Camp) -> String {
    camp.answer("french", "dispatch", "of-the-french", "STATUS")
}

#[test]
fn a_host_that_keeps_the_orders_in_a_mail_back_is_never_cleared() {
    let camp = with_standing_orders();
    let form = changed(&form(&camp));
    for manner in MANNERS {
        let mail = written(&camp, manner, &form);
        let mut played = Played::of(&camp, &mail, &command_alone(&camp));
        for (with_dispatch, with_rules) in [(true, true), (false, true), (true, false), (false, false)] {
            let (fate, inquiry) = played.asked(with_dispatch, with_rules);
            // Without the dispatch they may be the form's, but for what stands between marks of the player's own.
            let expected =
                if with_dispatch || manner == Manner::Marked { Fate::PassedOver } else { Fate::OrdersOrForm };
            let page = unwrapped(&inquiry);
            assert_eq!(fate, expected, "{manner:?}, {with_dispatch}, {with_rules}: {page}");
            assert!(inquiry.found_something(true), "{page}");
            assert!(!page.contains("every mail fits") && !page.contains("no answer to it is here"), "{page}");
        }
    }
}

#[test]
fn an_honest_host_that_took_the_orders_in_a_mail_is_asked_nothing() {
    let camp = with_standing_orders();
    let form = changed(&form(&camp));
    for manner in MANNERS {
        let mail = written(&camp, manner, &form);
        let mut played = Played::of(&camp, &mail, &mail);
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
    let form = form(&camp);
    for manner in [Manner::Quoted, Manner::Outlook, Manner::Attached] {
        let mail = written(&camp, manner, &form);
        let mut played = Played::of(&camp, &mail, &mail);
        for (with_dispatch, with_rules) in [(true, true), (false, true), (true, false), (false, false)] {
            let (fate, inquiry) = played.asked(with_dispatch, with_rules);
            let expected = if with_dispatch { Fate::NoOrders } else { Fate::OrdersOrForm };
            let page = unwrapped(&inquiry);
            assert_eq!(fate, expected, "{manner:?}, {with_dispatch}, {with_rules}: {page}");
            assert_eq!(inquiry.found_something(true), !with_dispatch, "{page}");
            assert_eq!(page.contains("every mail fits the log"), with_dispatch, "{page}");
        }
    }
    // Between marks of one's own they are orders.
    let mail = written(&camp, Manner::Marked, &form);
    let (fate, inquiry) = Played::of(&camp, &mail, &mail).asked(true, true);
    assert!(matches!(fate, Fate::Counted { .. }), "{}", in_words(&inquiry));
    let (fate, inquiry) = Played::of(&camp, &mail, &command_alone(&camp)).asked(true, true);
    assert_eq!(fate, Fate::PassedOver, "{}", in_words(&inquiry));
}

//! The audit from outside: what a host could do to one player's orders behind his back, and the honest host that did no such thing.

use musterd::audit::{Fate, Inquiry};
use musterd::daemon::Request;
use musterd::engine::terms::{Missing, Terms};

use super::support::*;
use super::toy::seat;
use super::verify::{Kept, asked, in_words, mbox, the_case, unwrapped};

const NOT_YOURS: &str = "NOT YOURS?";

/// All that red got, in one file after the other; what is hidden from red is not among it.
struct Box {
    kept: Kept,
    hidden: Vec<Vec<u8>>,
}

impl Box {
    fn founded_on(terms: Terms) -> Self {
        Self { kept: Kept::founded_on(terms), hidden: Vec::new() }
    }

    fn founded() -> Self {
        Self::founded_on(Terms::default())
    }

    fn all(&self) -> Vec<Vec<u8>> {
        raw_mails(&self.kept.maildir("red")).into_iter().map(|(_, raw)| raw).collect()
    }

    /// Does something, and hides what the host mailed to red about it.
    fn unseen(&mut self, deed: impl FnOnce(&mut Kept)) {
        let before = self.all();
        deed(&mut self.kept);
        let after = self.all();
        self.hidden.extend(after.into_iter().filter(|raw| !before.contains(raw)));
    }

    /// The host takes orders that red never sent.
    fn forge(&mut self, words: &str) {
        self.unseen(|kept| {
            let mail = kept.camp.answer("red", "dispatch", &format!("forged-{}", kept.sent.len()), words);
            kept.camp.post(mail);
            settle(&mut kept.host);
        });
    }

    /// Blue plays, and the time runs out.
    fn close(&mut self) {
        self.kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
        self.kept.camp.wait(24 * HOUR);
        settle(&mut self.kept.host);
    }

    /// What red is told who kept all of these mails and what he sent.
    fn asked(&mut self, keeps: impl Fn(&[u8]) -> bool) -> Inquiry {
        let mails = self.all().into_iter().filter(|raw| keeps(raw));
        let mails: Vec<String> = mails.map(|raw| String::from_utf8(raw).unwrap()).collect();
        let got = self.kept.keep("got.mbox", mbox(mails.iter().map(String::as_str)));
        let (sent, file) = (self.kept.sent_by("red"), self.kept.audit());
        asked(&[&got, &sent, &file], false, Some(&seat("red")))
    }

    /// Red is asked, and nobody where nothing was hidden.
    #[track_caller]
    fn is_asked_and_the_honest_twin_is_not(&mut self, about: &str) {
        let hidden = self.hidden.clone();
        let forged = self.asked(|raw| !hidden.iter().any(|hidden| hidden == raw));
        let page = unwrapped(&forged);
        assert!(page.contains(about) && forged.found_something(true), "{page}");
        let honest = self.asked(|_| true);
        let page = unwrapped(&honest);
        assert!(!page.contains(NOT_YOURS) && !honest.found_something(true), "{page}");
    }
}

fn gm(kept: &mut Kept, text: &str) {
    kept.host.execute(Request::Gm { game: game(), text: text.to_owned(), yes: true }).unwrap();
    settle(&mut kept.host);
}

fn fates(inquiry: &Inquiry, t: u32) -> Vec<&Fate> {
    let story = the_case(inquiry).mine.as_ref().unwrap();
    story
        .turns
        .iter()
        .filter(|turn| turn.t == t)
        .flat_map(|turn| &turn.mails)
        .map(|sent| &sent.fate)
        .collect()
}

/// The host takes the number before an order away, as it says: the audit reads the mail as the host did.
#[test]
fn whoever_numbers_his_orders_is_not_told_that_they_were_changed() {
    let mut red = Box::founded();
    let ways = [
        "1. BID 2\r\n2) WAIT",
        "(4) BID 1",
        "5: BID 2",
        "[1] BID 1",
        "a) BID 2",
        "**BID 1**",
        "`BID 2`",
        "1.BID 0",
        "1. salt: w\r\n2. BID 1",
        "ВID 2",
    ];
    for way in ways {
        red.kept.send("red", "dispatch", &block(way));
    }
    red.kept.send("red", "dispatch", "Dear host,\r\n\r\n1. BID 2\r\n2. WAIT\r\n\r\nRegards, Red\r\n");
    red.close();
    for keeps in [|_: &[u8]| true, |raw: &[u8]| !String::from_utf8_lossy(raw).contains(".receipt.")] {
        let inquiry = red.asked(keeps);
        assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
        let fates = fates(&inquiry, 2);
        assert_eq!(fates.len(), ways.len() + 1, "{}", in_words(&inquiry));
        assert!(fates.iter().all(|fate| matches!(fate, Fate::Replaced { .. } | Fate::Counted { .. })));
    }
}

#[test]
fn orders_without_marks_that_the_host_took_otherwise_are_found() {
    let mut red = Box::founded();
    let words = "Dear host,\r\n\r\nsalt: mine\r\nBID 2\r\n\r\nThe bridge is lovely.\r\n";
    let mail = red.kept.write("red", "dispatch", words);
    red.kept.camp.post(mail.replace("BID 2", "BID 3"));
    settle(&mut red.kept.host);
    let other = "BID 1\r\nBID 2\r\n";
    let mail = red.kept.write("red", "dispatch", other);
    red.kept.camp.post(mail.replace("BID 1\r\n", ""));
    settle(&mut red.kept.host);
    red.kept.send("red", "dispatch", words);
    red.close();
    let inquiry = red.asked(|_| true);
    let changed = fates(&inquiry, 2).into_iter().filter(|fate| **fate == Fate::Changed).count();
    assert_eq!((fates(&inquiry, 2).len(), changed), (3, 2), "{}", in_words(&inquiry));
}

/// A receipt was written when its entry was in the log: it explains none that came behind it.
#[test]
fn an_earlier_set_that_the_host_put_back_is_asked_about() {
    let mut red = Box::founded();
    let first = block("salt: a\r\nBID 2");
    red.kept.send("red", "dispatch", &first);
    red.kept.send("red", "dispatch", &block("salt: b\r\nBID 1"));
    red.forge(&first);
    let again = red.kept.camp.answer("red", "dispatch", "red-again", &first);
    red.close();
    red.is_asked_and_the_honest_twin_is_not(NOT_YOURS);
    // Nor is whoever mailed the set a second time, and lost the receipt.
    red.kept.sent.push(("red", again));
    let hidden = red.hidden.clone();
    let inquiry = red.asked(|raw| !hidden.iter().any(|hidden| hidden == raw));
    assert!(!unwrapped(&inquiry).contains(NOT_YOURS), "{}", in_words(&inquiry));
}

/// The same orders once more make nothing else of what stands: nobody has to explain them.
#[test]
fn a_second_copy_of_what_stands_is_nothing_to_ask_about() {
    let mut red = Box::founded();
    let set = block("salt: a\r\nBID 2");
    red.kept.send("red", "dispatch", &set);
    red.forge(&set);
    red.close();
    let hidden = red.hidden.clone();
    let inquiry = red.asked(|raw| !hidden.iter().any(|hidden| hidden == raw));
    assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
}

#[test]
fn a_withdrawal_that_let_the_computer_in_is_asked_about() {
    let missing = Missing::Computer { skill: "bold".parse().unwrap() };
    let mut red = Box::founded_on(Terms { missing, ..Terms::default() });
    red.kept.send("red", "dispatch", &block("BID 2"));
    red.forge("WITHDRAW ORDERS");
    red.close();
    red.is_asked_and_the_honest_twin_is_not("NOT YOURS? The orders were taken back");
    assert!(unwrapped(&red.asked(|_| true)).contains("the computer gave orders"), "it did stand in");
}

/// Neither does the answer to one withdrawal explain the next.
#[test]
fn a_second_withdrawal_is_not_explained_by_the_first() {
    let mut red = Box::founded();
    red.kept.send("red", "dispatch", &block("BID 2"));
    red.kept.send("red", "dispatch", "WITHDRAW ORDERS");
    red.kept.send("red", "dispatch", &block("BID 1"));
    red.forge("WITHDRAW ORDERS\r\n\r\nthanks");
    red.close();
    red.is_asked_and_the_honest_twin_is_not("NOT YOURS? The orders were taken back");
}

/// A lone `READY` is said of the set that stands: that has to be the player's too.
#[test]
fn orders_below_a_lone_ready_are_asked_about() {
    let mut red = Box::founded();
    red.kept.send("red", "dispatch", &block("BID 2"));
    red.forge(&block("salt: host\r\nBID 1"));
    red.kept.send("red", "dispatch", "READY");
    red.close();
    red.is_asked_and_the_honest_twin_is_not(NOT_YOURS);
}

/// One line of the log is enough to give a seat away. Whoever has mails from before it and from behind it is asked, unless he was told.
#[test]
fn a_seat_that_one_line_gave_away_is_asked_about_unless_its_player_was_told() {
    let mut red = Box::founded();
    red.unseen(|kept| gm(kept, &format!("REPLACE red {},red2@players.example", player("red"))));
    red.forge(&block("salt: host\r\nBID 1"));
    red.close();
    red.is_asked_and_the_honest_twin_is_not("By the log another had your seat from entry");
}

/// A mail that shows the very entry tells of nothing by itself.
#[test]
fn a_mail_of_another_kind_does_not_tell_that_a_seat_changed_hands() {
    let mut red = Box::founded();
    red.unseen(|kept| gm(kept, &format!("REPLACE red {},red2@players.example", player("red"))));
    red.forge(&block("salt: host\r\nBID 1"));
    red.unseen(|kept| gm(kept, &format!("REPLACE red {}", player("red"))));
    red.close();
    let told: Vec<String> = red.hidden.iter().map(|raw| String::from_utf8(raw.clone()).unwrap()).collect();
    let brought = told.iter().find(|mail| mail.contains(".red.dispatch.")).unwrap();
    let reminder = brought
        .replace(".red.dispatch.", ".red.reminder.")
        .replace("dispatch alpha red", "reminder alpha red");
    let mails: Vec<String> = red.all().into_iter().map(|raw| String::from_utf8(raw).unwrap()).collect();
    let mails = mails.iter().filter(|mail| !told.contains(mail)).chain([&reminder]);
    let got = red.kept.keep("got.mbox", mbox(mails.map(String::as_str)));
    let (sent, file) = (red.kept.sent_by("red"), red.kept.audit());
    let inquiry = asked(&[&got, &sent, &file], false, Some(&seat("red")));
    assert!(unwrapped(&inquiry).contains(NOT_YOURS), "{}", in_words(&inquiry));
    red.is_asked_and_the_honest_twin_is_not(NOT_YOURS);
}

/// What the computer sealed for a seat is asked about where its player never heard that the computer had it.
#[test]
fn a_turn_that_the_computer_played_behind_a_players_back_is_asked_about() {
    let mut red = Box::founded();
    red.kept.send("red", "dispatch", &block("BID 1\r\nREADY"));
    red.unseen(|kept| gm(kept, "REPLACE red computer"));
    // The next round opens, sealed.
    red.kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    red.unseen(|kept| gm(kept, &format!("REPLACE red {}", player("red"))));
    red.close();
    red.is_asked_and_the_honest_twin_is_not("By the log another had your seat from entry");
}

/// Orders that came in time are not refused in silence.
#[test]
fn a_refusal_that_nobody_was_told_of_is_asked_about() {
    let mut red = Box::founded();
    let mail = red.kept.write("red", "dispatch", &block("BID 2"));
    let from_elsewhere = mail.replace(&format!("From: <{}>", player("red")), "From: <eve@elsewhere.example>");
    assert_ne!(mail, from_elsewhere);
    red.unseen(|kept| {
        kept.camp.post(from_elsewhere);
        settle(&mut kept.host);
    });
    red.close();
    red.is_asked_and_the_honest_twin_is_not("REFUSED, AND YOU WEREN'T TOLD?");
    // Whoever kept nothing of the host's can't miss it.
    let inquiry = red.asked(|_| false);
    assert!(matches!(fates(&inquiry, 2)[..], [Fate::Refused { .. }]), "{}", in_words(&inquiry));
    assert!(!inquiry.found_something(true));
}

/// The host tells of so many in a day: where it told of some, one more in silence accuses nobody.
#[test]
fn one_refusal_more_than_a_player_is_told_of_accuses_nobody() {
    let mut red = Box::founded();
    for n in 0..7 {
        let mail = red.kept.write("red", "dispatch", &block(&format!("salt: {n}\r\nBID 2")));
        red.kept
            .camp
            .post(mail.replace(&format!("From: <{}>", player("red")), "From: <eve@elsewhere.example>"));
        settle(&mut red.kept.host);
    }
    red.close();
    let inquiry = red.asked(|_| true);
    assert!(
        fates(&inquiry, 2).iter().all(|fate| matches!(fate, Fate::Refused { .. })),
        "{}",
        in_words(&inquiry)
    );
    assert_eq!(fates(&inquiry, 2).len(), 7);
    assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
}

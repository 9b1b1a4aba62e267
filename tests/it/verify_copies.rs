//! The audit from outside: copies of one mail, some of them spoilt on the way, say the same in any order.

use std::collections::BTreeSet;
use std::fs;

use musterd::audit::Contradiction;
use musterd::engine::terms::Terms;

use super::signature::sign;
use super::support::*;
use super::toy::seat;
use super::verify::{Kept, asked, in_words, mbox, the_case};

/// Every order of every choice of these.
fn orders_of(names: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for name in names {
        let rest: Vec<usize> = names.iter().copied().filter(|other| other != name).collect();
        all.extend(orders_of(&rest).into_iter().map(|behind| [vec![*name], behind].concat()));
    }
    all
}

/// A mail whole, with two other sets of orders attached in their place, and with an empty file.
fn copies_of(mail: &str) -> [String; 4] {
    let at = mail.find("filename=\"orders.txt\"").unwrap();
    let begin = at + mail[at..].find("\r\n\r\n").unwrap() + 4;
    let end = begin + mail[begin..].find("\r\n--").unwrap();
    let base64 =
        mail[..at].rsplit("\r\n--").next().unwrap().contains("base64") || mail[at..begin].contains("base64");
    let [one, other] = match base64 {
        true => ["QklEIDkKUkVBRFkK", "QklEIDgKV0FJVAo="],
        false => ["BID 9\r\nREADY", "BID 8\r\nWAIT"],
    };
    [&mail[begin..end], one, other, ""].map(|orders| format!("{}{orders}{}", &mail[..begin], &mail[end..]))
}

const WHOLE: usize = 0;

#[test]
fn spoilt_copies_of_a_receipt_accuse_nobody_in_any_order_once_a_whole_one_is_there() {
    let mut kept = Kept::founded();
    kept.play(1);
    let file = kept.audit();
    let receipt = String::from_utf8(kept.newest_raw("red", "receipt")).unwrap();
    let id = kept.camp.newest("red", "receipt").message_id.unwrap();
    // A server that passes mail on may change its Message-ID: then the log places it.
    for receipt in [receipt.replace(&id, "0100018f-1@email.relay.example"), receipt] {
        let copies = copies_of(&receipt);
        let orders = orders_of(&[0, 1, 2, 3]);
        assert_eq!(orders.len(), 1 + 4 + 12 + 24 + 24);
        for order in orders.iter().filter(|order| !order.is_empty()) {
            let mails = kept.keep("copies.mbox", mbox(order.iter().map(|copy| copies[*copy].as_str())));
            let inquiry = asked(&[&mails, &file], false, None);
            let found = &the_case(&inquiry).contradictions;
            if order.contains(&WHOLE) {
                assert_eq!(found, &[], "{order:?}");
                continue;
            }
            // None of them is what the receipt says: that is told once, and that the leaf is of other orders.
            let is_one = |is: fn(&Contradiction) -> bool| found.iter().filter(|c| is(c)).count() == 1;
            assert!(
                found.len() == 2
                    && is_one(|c| matches!(c, Contradiction::OtherAttachment { .. }))
                    && is_one(|c| matches!(c, Contradiction::OtherOrders { .. })),
                "{order:?}: {found:?}"
            );
        }
    }
}

/// Whoever kept a spoilt copy of his own mail beside the whole one sent what the whole one has.
#[test]
fn spoilt_copies_of_a_players_mail_change_no_verdict_in_any_order() {
    let mut kept = Kept::founded();
    let mail = kept.camp.answer("red", "dispatch", "own", "See there.");
    let (head, text) = mail.split_once("Content-Type: text/plain; charset=utf-8\r\n\r\n").unwrap();
    let mail = format!(
        "{head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\n{text}\r\n--x\r\n\
         Content-Type: text/plain\r\nContent-Disposition: attachment; filename=\"orders.txt\"\r\n\r\nBID 2\r\nREADY\r\n--x--\r\n"
    );
    kept.camp.post(&mail);
    settle(&mut kept.host);
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    let (file, copies) = (kept.audit(), copies_of(&mail));
    let received =
        raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap());
    let received: Vec<String> = received.collect();
    let without_receipts: Vec<String> =
        received.iter().filter(|mail| !is_of_kind(&read(mail.as_bytes()), "receipt")).cloned().collect();
    for got in [&received, &without_receipts] {
        for order in orders_of(&[0, 1, 2, 3]).iter().filter(|order| order.contains(&WHOLE)) {
            let own = order.iter().map(|copy| copies[*copy].as_str());
            let mails = kept.keep("mails.mbox", mbox(got.iter().map(String::as_str).chain(own)));
            let inquiry = asked(&[&mails, &file], false, Some(&seat("red")));
            let turn = &the_case(&inquiry).mine.as_ref().unwrap().turns[1];
            let fates: BTreeSet<String> = turn.mails.iter().map(|sent| sent.fate.to_string()).collect();
            assert!(
                turn.unexplained.is_empty()
                    && fates.len() == 1
                    && fates.iter().all(|fate| fate.contains("what counted")),
                "{order:?}: {}",
                in_words(&inquiry)
            );
        }
    }
}

/// Which log a player saw stands in the orders that a receipt returns: a spoilt copy's are nobody's word.
#[test]
fn what_a_spoilt_copy_says_was_seen_is_no_witness_in_any_order() {
    let mut kept = Kept::founded();
    kept.play(1);
    let file = kept.audit();
    let receipt = String::from_utf8(kept.newest_raw("red", "receipt")).unwrap();
    let [whole, spoilt, ..] = copies_of(&receipt);
    // seen: 3 111..., BID 9
    let seen = format!("c2VlbjogMyAx{}MQpCSUQgOQo=", "MTEx".repeat(20) + "MTEx");
    let spoilt = spoilt.replace("QklEIDkKUkVBRFkK", &seen);
    for copies in [[&whole, &spoilt], [&spoilt, &whole]] {
        let mails = kept.keep("copies.mbox", mbox(copies.map(String::as_str)));
        let inquiry = asked(&[&mails, &file], false, None);
        assert_eq!(the_case(&inquiry).contradictions, [], "{}", in_words(&inquiry));
    }
}

/// An archive may take the key off an invitation: any copy that has it names it.
#[test]
fn the_hosts_key_is_found_in_any_copy_of_the_invitation() {
    let camp = Camp::in_memory();
    sign(&camp, true);
    let mut kept = Kept::founded_in(camp, Terms::default());
    kept.play(1);
    let whole = fs::read_dir(kept.maildir("red").join("new")).unwrap().map(|mail| mail.unwrap().path());
    let invitation =
        whole.map(|path| fs::read_to_string(path).unwrap()).find(|mail| mail.contains("allowed_signers\""));
    let whole = invitation.unwrap();
    let bare = whole.replace("allowed_signers\"", "allowed_signers.bin\"");
    let key = |copies: &[&str]| {
        let inquiry = asked(&[&kept.keep("copies.mbox", mbox(copies.iter().copied()))], false, None);
        let case = the_case(&inquiry);
        assert_eq!(case.contradictions, [], "{}", in_words(&inquiry));
        case.signatures.key
    };
    assert!(key(&[&whole]).is_some() && key(&[&bare]).is_none());
    assert_eq!(key(&[&bare, &whole]), key(&[&whole]));
    assert_eq!(key(&[&whole, &bare]), key(&[&whole]));
}

//! The audit from outside: the host's signatures in mails, and whose the proofs are that came with them.

use std::path::PathBuf;

use musterd::audit::{Contradiction, Inquiry, Proven};
use musterd::daemon::Host;
use musterd::desk::audit::audit_file;
use musterd::dice::ChainLines;
use musterd::engine::terms::Terms;

use super::signature::sign;
use super::support::*;
use super::verify::{Kept, asked, in_words, mbox, the_case, unwrapped};

/// A game whose host signs its mails.
fn signed() -> Kept {
    let camp = Camp::in_memory();
    sign(&camp, true);
    Kept::founded_in(camp, Terms::default())
}

#[test]
fn signatures_that_hold_are_told_with_or_without_a_file() {
    let mut kept = signed();
    kept.play(1);
    let file = kept.audit();
    let inquiry = asked(&[&kept.maildir("red"), &file], false, None);
    let case = the_case(&inquiry);
    assert_eq!((case.signatures.good, &case.contradictions), (case.signatures.brought, &vec![]));
    assert!(case.signatures.good > 3, "{case:?}");
    let page = unwrapped(&inquiry);
    assert!(page.contains("are the host's, by the key that is named in"), "{page}");
    assert!(page.contains("of the two chain lines, and of nothing above them"), "{page}");
    // The invitation brings the key too.
    let alone = asked(&[&kept.maildir("red")], false, None);
    let signatures = &the_case(&alone).signatures;
    assert!(signatures.good == case.signatures.good && signatures.named_in.is_some(), "{signatures:?}");
    let receipt = kept.keep("receipt.eml", kept.newest_raw("red", "receipt"));
    let unknown = asked(&[&receipt], false, None);
    assert_eq!((the_case(&unknown).signatures.brought, the_case(&unknown).signatures.good), (1, 0));
    assert!(unwrapped(&unknown).contains("nothing here names the host's key"), "{}", in_words(&unknown));
}

#[test]
fn a_signature_that_doesnt_hold_is_found() {
    let mut kept = signed();
    kept.play(1);
    let (file, receipt) = (kept.audit(), String::from_utf8(kept.newest_raw("red", "receipt")).unwrap());
    let head = ChainLines::all_in(&read(receipt.as_bytes()).body.unwrap().text).last().unwrap();
    let forged = receipt.replace(&head.head().to_string(), &"1".repeat(64));
    assert_ne!(forged, receipt);
    proves_nothing(
        &asked(&[&kept.keep("forged.eml", forged), &file], false, None),
        "the hash of a log entry",
    );
    // A head that is the log's accuses nobody, and its signature is found all the same.
    let other = String::from_utf8(kept.newest_raw("red", "dispatch")).unwrap();
    let spoilt = receipt.replace(signature_in(&receipt), signature_in(&other));
    let inquiry = asked(&[&kept.keep("spoilt.eml", spoilt), &file], false, None);
    let found = &the_case(&inquiry).contradictions;
    assert!(matches!(found[..], [Contradiction::BadSignature { .. }]), "{found:?}");
}

/// The attached signature of a mail, in base64.
fn signature_in(mail: &str) -> &str {
    let from = mail.find("LS0tLS1CRUdJTiBT").unwrap();
    mail[from..].split_once("\r\n\r\n").or_else(|| mail[from..].split_once("\r\n--")).unwrap().0
}

/// One mail says something else than the rest, and it may be anybody's: the host isn't blamed.
#[track_caller]
fn proves_nothing(inquiry: &Inquiry, what: &str) {
    let found = &the_case(inquiry).contradictions;
    assert!(
        matches!(&found[..], [Contradiction::Unproved { about, .. }] if about.contains(what)),
        "{found:?}"
    );
    let page = unwrapped(inquiry);
    assert!(page.contains("it proves nothing against the host"), "{page}");
    assert!(
        page.contains("1 mail says something else than the rest, and nothing shows that the host wrote that"),
        "{page}"
    );
    for blame in ["keeps two logs", "Another log", "dropped", "Ask the host to explain"] {
        assert!(!page.contains(blame), "{blame}: {page}");
    }
}

/// What a player makes up is not signed: heads, receipts and closes alike, with a file and against another player's mails.
#[test]
fn a_mail_that_a_player_made_up_is_not_blamed_on_a_host_that_signs() {
    let mut kept = signed();
    kept.play(1);
    let file = kept.audit();
    let raw = |kind: &str| {
        String::from_utf8(kept.newest_raw("red", kind)).unwrap().replace("chain.sig", "chain.txt")
    };
    let (receipt, dispatch) = (raw("receipt"), raw("dispatch"));
    let text = read(receipt.as_bytes()).body.unwrap().text;
    let head = ChainLines::all_in(&text).last().unwrap().head().to_string();
    let other_head = kept.keep("head.eml", receipt.replace(&head, &"1".repeat(64)));
    proves_nothing(&asked(&[&other_head, &file], false, None), "the hash of a log entry");
    // Without a file nobody can tell which entry a head without its number is of.
    let inquiry = asked(&[&other_head, &kept.maildir("red")], false, None);
    assert_eq!(the_case(&inquiry).contradictions, []);
    let leaf = text.split_once("as the leaf").unwrap().1.split_whitespace().next().unwrap();
    let other_leaf = kept.keep("leaf.eml", receipt.replace(leaf, &"2".repeat(64)));
    proves_nothing(&asked(&[&other_leaf, &file], false, None), "the orders of red for t");
    let text = read(dispatch.as_bytes()).body.unwrap().text;
    let root = text.lines().find_map(|line| line.trim().strip_suffix(" root")).unwrap();
    let other_root = kept.keep("root.eml", dispatch.replace(root, &"3".repeat(64)));
    let inquiry = asked(&[&other_root, &file], false, None);
    let found = &the_case(&inquiry).contradictions;
    assert!(matches!(&found[..], [Contradiction::Unproved { .. }]), "{found:?}");
    // Of a host that doesn't sign nothing better can be told.
    let mut kept = Kept::founded();
    kept.play(1);
    let receipt = String::from_utf8(kept.newest_raw("red", "receipt")).unwrap();
    let head =
        ChainLines::all_in(&read(receipt.as_bytes()).body.unwrap().text).last().unwrap().head().to_string();
    let forged = kept.keep("forged.eml", receipt.replace(&head, &"1".repeat(64)));
    let inquiry = asked(&[&forged, &kept.audit()], false, None);
    let found = &the_case(&inquiry).contradictions;
    assert!(matches!(&found[..], [Contradiction::NoSuchHead { signed: false, .. }]), "{found:?}");
}

#[test]
fn a_mail_without_a_signature_from_a_host_that_signs_is_found() {
    let mut kept = signed();
    kept.play(1);
    let (file, receipt) = (kept.audit(), String::from_utf8(kept.newest_raw("red", "receipt")).unwrap());
    let bare = kept.keep("bare.eml", receipt.replace("chain.sig", "chain.txt"));
    let unsigned = |c: &Contradiction| matches!(c, Contradiction::Unsigned { .. });
    let beside = asked(&[&bare, &kept.maildir("blue"), &file], false, None);
    assert_eq!(the_case(&beside).contradictions.iter().filter(|c| unsigned(c)).count(), 1, "{beside:?}");
    let alone = asked(&[&bare, &file], false, None);
    assert_eq!(the_case(&alone).contradictions, [], "nothing shows that this host signs its mails");
}

/// Of two logs that a host goes on with, each mail bears its signature.
#[test]
fn a_signed_head_of_another_log_is_proof_and_said_to_be() {
    let mut kept = signed();
    kept.play(1);
    drop(kept.host);
    let other = kept.camp.in_memory_copy();
    let (mut one, mut two) = (kept.camp.open(), other.open());
    let go_on = |camp: &Camp, host: &mut Host, bid: &str| {
        for seat in ["red", "blue"] {
            camp.post(camp.answer(seat, "dispatch", seat, &block(&format!("{bid}\r\nREADY"))));
            settle(host);
        }
    };
    go_on(&kept.camp, &mut one, "BID 2");
    go_on(&other, &mut two, "BID 0");
    let maildir = |camp: &Camp| camp.path().join("mail").join(player("red"));
    let both = asked(&[&maildir(&kept.camp), &maildir(&other)], false, None);
    let two_heads = |c: &Contradiction| matches!(c, Contradiction::TwoHeads { signed: 2, .. });
    assert!(the_case(&both).contradictions.iter().any(two_heads), "{both:?}");
    let said = "signed both with its key: nobody else can have made them, so this is proof";
    assert!(unwrapped(&both).contains(said), "{}", in_words(&both));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("two.json");
    std::fs::write(&path, audit_file(&journal(&mut two), &other.secrets(), u32::MAX).to_json()).unwrap();
    let against = asked(&[&maildir(&kept.camp), &path], false, None);
    let other_log = |c: &Contradiction| matches!(c, Contradiction::OtherLog { signed: true, .. });
    assert!(the_case(&against).contradictions.iter().any(other_log), "{against:?}");
    assert!(unwrapped(&against).contains("nobody else can have made that, so this is proof"));
}

/// Two games have two keys: whoever signed two heads of one entry keeps two logs of one game, whatever else differs.
#[test]
fn two_heads_that_one_key_signed_are_not_of_two_games() {
    let mut kept = signed();
    kept.play(1);
    drop(kept.host);
    let other = kept.camp.in_memory_copy();
    let (mut one, mut two) = (kept.camp.open(), other.open());
    for (camp, host, bid) in [(&kept.camp, &mut one, "BID 2"), (&other, &mut two, "BID 0")] {
        for seat in ["red", "blue"] {
            camp.post(camp.answer(seat, "dispatch", seat, &block(&format!("{bid}\r\nREADY"))));
            settle(host);
        }
    }
    let all = |camp: &Camp| {
        let mails = raw_mails(&camp.path().join("mail").join(player("red"))).into_iter();
        mails.map(|(_, raw)| String::from_utf8(raw).unwrap()).collect::<Vec<_>>()
    };
    // The other log's mails come from elsewhere, and its invitation fixes other secrets.
    let elsewhere = |mail: &String| {
        let mail = mail.replace(&format!("<{HOST}>"), "<host@other.example>");
        match mail.split_once("anchor:\r\n  ") {
            Some((before, anchor)) => format!("{before}anchor:\r\n  {}{}", "1".repeat(64), &anchor[64..]),
            None => mail,
        }
    };
    let dir = tempfile::tempdir().unwrap();
    let theirs: Vec<String> = all(&other).iter().map(elsewhere).collect();
    let inquiry = |change: fn(&String) -> String| {
        let mails: Vec<String> = all(&kept.camp).iter().chain(&theirs).map(change).collect();
        let path = dir.path().join("both.mbox");
        std::fs::write(&path, mbox(mails.iter().map(String::as_str))).unwrap();
        asked(&[&path], false, None)
    };
    let signed = inquiry(String::clone);
    let found = &the_case(&signed).contradictions;
    assert!(found.iter().any(|c| matches!(c, Contradiction::TwoHeads { signed: 2, .. })), "{found:?}");
    assert!(found.iter().any(|c| matches!(c, Contradiction::TwoAnchors { .. })), "{found:?}");
    let unsigned = inquiry(|mail| mail.replace("chain.sig", "chain.txt"));
    let found = &the_case(&unsigned).contradictions;
    assert!(matches!(found[..], [Contradiction::TwoGames { .. }]), "{found:?}");
}

/// Proofs as an attachment of a dispatch to a seat.
fn attached(kept: &Kept, to: &str, proofs: &str) -> PathBuf {
    let dispatch = kept.camp.newest(to, "dispatch");
    let (id, text) = (dispatch.message_id.unwrap(), dispatch.body.unwrap().text.replace('\n', "\r\n"));
    kept.keep(
        "dispatch.eml",
        format!(
            "Message-ID: <{id}>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\
             Content-Type: text/plain\r\n\r\n{text}\r\n--x\r\nContent-Type: application/json\r\n\
             Content-Disposition: attachment; filename=\"proofs.json\"\r\n\r\n{proofs}\r\n--x--\r\n"
        ),
    )
}

#[test]
fn proofs_of_another_seat_are_found_in_a_dispatch_and_by_their_rolls() {
    let mut kept = Kept::founded_on(Terms { proofs: true, ..Terms::default() });
    let proofs = |seat: &str| files(&kept.camp, seat)[&format!("alpha-t1-{seat}-proofs.json")].clone();
    let (red, blue) = (proofs("red"), proofs("blue"));
    let right = asked(&[&attached(&kept, "red", &red)], false, None);
    assert_eq!(the_case(&right).contradictions, []);
    let wrong = asked(&[&attached(&kept, "red", &blue)], false, None);
    let others = |c: &Contradiction| matches!(c, Contradiction::OthersProofs { seat, sent_to, .. } if seat == "blue" && sent_to == "red");
    assert!(the_case(&wrong).contradictions.iter().any(others), "{wrong:?}");
    assert!(the_case(&wrong).proofs.iter().all(Proven::is_forged) && wrong.found_something(true));
    // Under another name: the rules say whose a roll is, and the audit file brings them.
    let renamed = kept.keep("renamed.json", blue.replace("\"seat\":\"blue\"", "\"seat\":\"red\""));
    let file = kept.audit();
    let inquiry = asked(&[&renamed, &file], false, None);
    let roll = |c: &Contradiction| matches!(c, Contradiction::OthersRoll { t: 1, label, .. } if label.contains("blue"));
    assert!(the_case(&inquiry).contradictions.iter().any(roll), "{}", in_words(&inquiry));
    let own = asked(&[&kept.keep("own.json", &blue), &file], false, None);
    assert_eq!(the_case(&own).contradictions, []);
}

/// Of any number of copies of one mail, each with another signature, so many are checked.
#[test]
fn copies_of_one_mail_bring_so_many_signatures() {
    let mut kept = signed();
    kept.play(1);
    let (file, receipt) = (kept.audit(), String::from_utf8(kept.newest_raw("red", "receipt")).unwrap());
    // The attached file begins with these letters in base64.
    let begins = "LS0tLS1CRUdJTiBT";
    assert!(receipt.contains(begins), "{receipt}");
    let copies: Vec<String> =
        (10..30).map(|copy| receipt.replace(begins, &format!("LS0tLS1CRUdJ{copy}BT"))).collect();
    let all = std::iter::once(&receipt).chain(&copies).map(String::as_str);
    let flood = kept.keep("flood.mbox", mbox(all.clone()));
    let inquiry = asked(&[&flood, &file], false, None);
    let case = the_case(&inquiry);
    assert_eq!((case.mails_of_host, case.signatures.brought, case.signatures.good), (1, 8, 1));
    assert!(inquiry.overfull && case.contradictions.is_empty(), "{inquiry:?}");
    // Behind so many forged copies the true one is not looked at, and nobody is accused.
    let last = copies.iter().chain(std::iter::once(&receipt)).map(String::as_str);
    let behind = asked(&[&kept.keep("behind.mbox", mbox(last)), &file], false, None);
    let case = the_case(&behind);
    assert_eq!((case.signatures.brought, case.signatures.good), (8, 0));
    assert!(behind.overfull && case.contradictions.is_empty(), "{behind:?}");
    let few = asked(&[&kept.keep("few.mbox", mbox(all.take(8))), &file], false, None);
    assert!(!few.overfull && the_case(&few).signatures.brought == 8, "{few:?}");
    // The same copy again is no other signature.
    let again =
        asked(&[&kept.keep("again.mbox", mbox(std::iter::repeat_n(&*receipt, 20))), &file], false, None);
    assert!(!again.overfull && the_case(&again).signatures.brought == 1, "{again:?}");
}

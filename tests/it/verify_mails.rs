//! The audit from outside: mails as people keep them, and what they say against each other and against a file.

use std::fs;

use musterd::audit::{Contradiction, ReadPathKind};
use musterd::daemon::Request;
use musterd::dice::Witness;

use super::audit::{change_body, place_of, rechain};
use super::support::*;
use super::verify::{Kept, asked, in_words, mbox, the_case, unwrapped};

/// However a mail was kept, the head in it is found.
#[test]
fn mails_are_read_as_people_keep_them() {
    let mut kept = Kept::founded();
    kept.play(1);
    let dispatch = String::from_utf8(kept.newest_raw("red", "dispatch")).unwrap();
    let head = Witness::all_in(&read(dispatch.as_bytes()).body.unwrap().text).last().unwrap();
    let sent = mail_parser::MessageParser::default().parse(dispatch.as_bytes()).unwrap();
    let own_page = sent.body_html(0).unwrap().into_owned();
    let page = format!("<html><body><p>Hello</p><pre>{head}</pre></body></html>");
    let encoded = format!(
        "Chain: {} {}=\r\n\r\n=20 {}=\r\n{}",
        head.game,
        head.index,
        &head.head.to_string()[..40],
        &head.head.to_string()[40..]
    );
    let typed = |kind: &str, encoding: &str, body: &str| {
        format!(
            "From: a@b.example\r\nSubject: Fwd\r\nMIME-Version: 1.0\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n{body}\r\n"
        )
    };
    let quoted =
        |mark: &str| head.to_string().lines().map(|line| format!("{mark}{line}\r\n")).collect::<String>();
    let attached = format!(
        "From: a@b.example\r\nSubject: Fwd\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\
         Content-Type: text/plain\r\n\r\nSee below.\r\n--x\r\nContent-Type: message/rfc822\r\n\r\n{dispatch}\r\n--x--\r\n"
    );
    for (how, mail) in [
        ("as it came", dispatch.clone()),
        ("as the page of the dispatch", typed("text/html", "8bit", &own_page)),
        ("as a page only", typed("text/html", "8bit", &page)),
        ("encoded", typed("text/plain", "quoted-printable", &encoded.replace("=\r\n\r\n", "\r\n"))),
        (
            "quoted in an answer",
            typed("text/plain", "8bit", &format!("Thanks!\r\n\r\nThe host wrote:\r\n{}", quoted("> "))),
        ),
        ("quoted twice", typed("text/plain", "8bit", &quoted("> > "))),
        ("forwarded inline", typed("text/plain", "8bit", &format!("---------- Forwarded message\r\n{head}"))),
        ("forwarded as an attachment", attached),
    ] {
        let other = mail.replace(&head.head.to_string()[41..], &"0".repeat(23));
        assert_ne!(other, mail, "{how}");
        for (name, text) in [("one.eml", mail.clone()), ("one.mbox", mbox([mail.as_str()]))] {
            let inquiry = asked(&[&kept.keep(name, text)], false, None);
            assert_eq!(the_case(&inquiry).heads, 1, "{how}, in {name}");
        }
        let inquiry = asked(&[&kept.keep("one.eml", mail), &kept.keep("other.eml", other)], false, None);
        let found = &the_case(&inquiry).contradictions;
        assert!(found.iter().any(|c| matches!(c, Contradiction::TwoHeads { .. })), "{how}: {found:?}");
    }
}

/// What somebody saved into one folder: all sorts of files, folders in folders, the audit file still in its mail.
#[test]
fn a_folder_of_all_sorts_is_gone_through() {
    let mut kept = Kept::founded();
    kept.play(1);
    let dir = kept.dir.path().join("saved");
    fs::create_dir_all(dir.join("old/letters")).unwrap();
    let mails: Vec<String> =
        raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap()).collect();
    let (first, rest) = mails.split_first().unwrap();
    fs::write(dir.join("old/letters/invitation.eml"), first).unwrap();
    fs::write(dir.join("old/rest.mbox"), mbox(rest.iter().map(String::as_str))).unwrap();
    fs::write(dir.join("old/again.mbox"), mbox([first.as_str()])).unwrap();
    fs::write(dir.join("map.png"), [0x89, 0x50]).unwrap();
    fs::write(dir.join("position.json"), "{\"protocol\": 7}").unwrap();
    let attached = format!(
        "From: host@example.org\r\nSubject: The end\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
         --x\r\nContent-Type: text/plain\r\n\r\nIt is over.\r\n--x\r\nContent-Type: application/json\r\n\
         Content-Disposition: attachment; filename=\"alpha.json\"\r\n\r\n{}\r\n--x--\r\n",
        kept.file()
    );
    fs::write(dir.join("the-end.eml"), attached).unwrap();
    let inquiry = asked(&[&dir], false, None);
    let [source] = &*inquiry.sources else { panic!("{inquiry:?}") };
    let told = (source.kind, source.mails, source.files, source.passed_over);
    assert_eq!(told, (ReadPathKind::Folder, mails.len() as u64 + 2, 1, 2));
    let case = the_case(&inquiry);
    assert_eq!((case.mails_of_host, case.files.len()), (mails.len(), 1), "a second copy counts once");
    assert_eq!(case.contradictions, []);
}

/// The line `seen:` in the form that a player sent back is what he was shown, though he kept no mail of the host's.
#[test]
fn what_a_players_form_was_filled_in_with_is_a_witness() {
    let mut kept = Kept::founded();
    let other = "1".repeat(64);
    kept.send("red", "dispatch", &block(&format!("seen: 3 {other}\r\nBID 1\r\nREADY")));
    let (file, sent) = (kept.audit(), kept.sent_by("red"));
    let inquiry = asked(&[&sent, &file], false, None);
    let quoted = |c: &Contradiction| matches!(c, Contradiction::OtherLog { index: 3, quoted: true, .. });
    assert!(the_case(&inquiry).contradictions.iter().any(quoted), "{}", in_words(&inquiry));
}

#[test]
fn a_mailbox_of_nothing_but_forgeries_costs_no_more_than_a_true_one() {
    let dir = tempfile::tempdir().unwrap();
    let mail = |n: usize| {
        let head = |k: usize| format!("Chain: alpha {}\n  {:064x}\n", n * 1000 + k, n * 1000 + k);
        let heads: String = (0..1000).map(head).collect();
        format!("From x Sat Nov 21 12:00:00 2026\nMessage-ID: <{n}@x>\n\n{heads}\n")
    };
    let path = dir.path().join("forged.mbox");
    fs::write(&path, (0..120).map(mail).collect::<String>()).unwrap();
    let inquiry = asked(&[&path], false, None);
    assert_eq!((inquiry.overfull, the_case(&inquiry).heads), (true, 100_000));
    assert!(inquiry.found_something(true), "what was not compared is not fine");
}

#[test]
fn what_mails_say_of_anchors_and_closes_is_compared() {
    let mut kept = Kept::founded();
    kept.play(1);
    let mut file = kept.file();
    let other = "1".repeat(64);
    change_body(&mut file, "game", "", |body| {
        let mut fields: Vec<&str> = body.split(' ').collect();
        fields[1] = &other;
        fields.join(" ")
    });
    change_body(&mut file, "close", "2 ", |_| format!("2 {other}"));
    rechain(&mut file);
    let inquiry = asked(&[&kept.maildir("red"), &kept.keep("forged.json", file.to_string())], false, None);
    let found = &the_case(&inquiry).contradictions;
    assert!(matches!(&found[..], [Contradiction::TwoGames { .. }]), "nothing is common to both: {found:?}");
    let mut file = kept.file();
    change_body(&mut file, "close", "2 ", |_| format!("2 {other}"));
    rechain(&mut file);
    let inquiry = asked(&[&kept.maildir("red"), &kept.keep("forged.json", file.to_string())], false, None);
    let found = &the_case(&inquiry).contradictions;
    assert!(found.iter().any(|c| matches!(c, Contradiction::OtherClose { t: 2, .. })), "{found:?}");
}

/// What is said of mails that know more than a file does.
#[test]
fn a_file_that_is_older_than_the_mails_is_said_to_be_and_nobody_is_blamed() {
    let mut kept = Kept::founded();
    kept.play(1);
    let file = kept.audit();
    kept.play(1);
    let inquiry = asked(&[&kept.maildir("red"), &file], false, None);
    let newer = the_case(&inquiry).newer.as_ref().unwrap();
    assert!(newer.index.is_some_and(|index| index > newer.last), "{newer:?}");
    assert_eq!(the_case(&inquiry).contradictions, []);
    assert!(!inquiry.found_something(true));
    let page = unwrapped(&inquiry);
    assert!(page.contains("so the file is older. Ask the host for a newer one."), "{page}");
    assert!(page.contains("alpha: nothing is wrong as far as the file reaches"), "{page}");
    assert!(page.contains("behind its end") && page.contains("The file is older than the mails"), "{page}");
    let newest = kept.audit();
    assert_eq!(the_case(&asked(&[&kept.maildir("red"), &newest], false, None)).newer, None);
}

/// The log goes on after the end of a game, with notes of the mails that still come; turns don't.
#[test]
fn a_file_that_leaves_out_turns_after_its_end_is_caught_and_an_answer_after_the_end_is_none() {
    let mut kept = Kept::founded();
    kept.play(3);
    let file = kept.audit();
    kept.send("red", "dispatch", &block("BID 2"));
    let inquiry = asked(&[&kept.maildir("red"), &file], false, None);
    let case = the_case(&inquiry);
    assert!(case.contradictions.is_empty(), "{}", in_words(&inquiry));
    let back = Request::Gm { game: game(), text: "ROLLBACK 6 BECAUSE of the map".to_owned(), yes: true };
    kept.host.execute(back).unwrap();
    settle(&mut kept.host);
    kept.play(1);
    // The last report of the second end would bring the whole file; a receipt shows that there was one.
    let receipt = kept.keep("receipt.eml", kept.newest_raw("red", "receipt"));
    let inquiry = asked(&[&receipt, &file], false, None);
    let went_on = |c: &Contradiction| matches!(c, Contradiction::WentOn { t: 8, last: 7, .. });
    assert!(the_case(&inquiry).contradictions.iter().any(went_on), "{}", in_words(&inquiry));
    assert!(inquiry.found_something(true));
}

/// A host can't keep what it says out of a comparison by spelling it a little oddly.
#[test]
fn a_mail_of_the_hosts_in_which_nothing_can_be_read_is_found_and_capitals_are_read() {
    let mut kept = Kept::founded();
    kept.play(1);
    let file = kept.audit();
    let dispatch = String::from_utf8(kept.newest_raw("red", "dispatch")).unwrap();
    let receipt = String::from_utf8(kept.newest_raw("red", "receipt")).unwrap();
    let head =
        Witness::all_in(&read(dispatch.as_bytes()).body.unwrap().text).last().unwrap().head.to_string();
    let chain = "Chain: alpha ";
    for (mail, from, to, what) in [
        (&dispatch, chain, "Chain: alpha 0", "head"),
        (&dispatch, chain, " Chain: alpha ", "head"),
        (&dispatch, chain, "Chain : alpha ", "head"),
        (&dispatch, chain, "Chain: a1pha ", "head"),
        (&dispatch, chain, "", "head"),
        (&receipt, "as the leaf\r\n  ", "as the leaf\r\n  0", "leaf of the orders"),
        (&dispatch, "they fell:", "they fell;", "list of the leaves that the dice were bound to"),
    ] {
        let odd = mail.replace(from, to);
        assert_ne!(odd, *mail, "{from}");
        let inquiry = asked(&[&kept.keep("odd.eml", odd), &file], false, None);
        let unreadable =
            |c: &Contradiction| matches!(c, Contradiction::Unreadable { what: it, .. } if *it == what);
        let found = inquiry.cases.iter().flat_map(|case| &case.contradictions).any(unreadable);
        assert!(found && inquiry.found_something(true), "{to}: {}", in_words(&inquiry));
    }
    let capitals = kept.keep("odd.eml", dispatch.replace(&head, &head.to_ascii_uppercase()));
    assert_eq!(the_case(&asked(&[&capitals, &file], false, None)).contradictions, []);
    let other = dispatch.replace(&head, &format!("{}A", "B".repeat(63)));
    let inquiry = asked(&[&kept.keep("odd.eml", other), &file], false, None);
    let other_log = |c: &Contradiction| matches!(c, Contradiction::OtherLog { quoted: false, .. });
    assert!(the_case(&inquiry).contradictions.iter().any(other_log), "{}", in_words(&inquiry));
}

/// What can be read of one adjudication excuses nothing that can't be read of the one that the dispatch is about.
#[test]
fn a_dispatch_says_of_its_own_dice_what_can_be_compared() {
    let mut kept = Kept::founded();
    kept.play(1);
    let earlier = String::from_utf8(kept.newest_raw("red", "dispatch")).unwrap();
    kept.play(1);
    let file = kept.audit();
    let dispatch = String::from_utf8(kept.newest_raw("red", "dispatch")).unwrap();
    let said = |mail: &str| {
        let (_, behind) = mail.split_once("\r\nThe dice of t ").unwrap();
        format!("The dice of t {}", behind.split_once("\r\n\r\n").unwrap().0)
    };
    let (own, other) = (said(&dispatch), said(&earlier));
    let (claimed, leaves) = own.split_once("fell:\r\n").unwrap();
    let t = claimed.split_whitespace().nth(4).unwrap();
    let dropped = format!(
        "The dice of t {t} have level L3, for nothing is left.\r\n\r\nThe dice of t {t} are bound:\r\n{leaves}"
    );
    for odd in [
        dropped,
        format!("{other}\r\n\r\n {own}"),
        format!("{other}\r\n\r\nOf this turn: {}", own.replacen("The", "the", 1)),
        other,
    ] {
        let mail = dispatch.replace(&own, &odd);
        assert_ne!(mail, dispatch);
        let inquiry = asked(&[&kept.keep("odd.eml", mail), &file], false, None);
        let unreadable = |c: &Contradiction| matches!(c, Contradiction::Unreadable { .. });
        assert!(the_case(&inquiry).contradictions.iter().any(unreadable), "{odd}: {}", in_words(&inquiry));
    }
}

/// Servers that pass mail on may give it another Message-ID.
#[test]
fn a_mail_of_the_hosts_under_another_id_is_compared_all_the_same() {
    let mut kept = Kept::founded();
    kept.play(1);
    let dispatch = String::from_utf8(kept.newest_raw("red", "dispatch")).unwrap();
    let (before, _) = dispatch.split_once(" root\r\n").unwrap();
    let root = before.split_whitespace().next_back().unwrap();
    let own = kept.camp.newest("red", "dispatch").message_id.unwrap();
    let file = kept.audit();
    let contradictions = |from: &str, to: &str| {
        let mail = dispatch.replace(&own, "0100018f-1@email.relay.example").replace(from, to);
        let inquiry = asked(&[&kept.keep("relayed.eml", mail), &file], false, None);
        the_case(&inquiry).contradictions.clone()
    };
    assert_eq!(contradictions("", ""), []);
    let other = contradictions(&format!("{root} root"), &format!("{} root", "1".repeat(64)));
    assert!(other.iter().any(|c| matches!(c, Contradiction::OtherClose { .. })), "{other:?}");
    let unread = contradictions("they fell:", "they fell;");
    assert!(unread.iter().any(|c| matches!(c, Contradiction::Unreadable { .. })), "{unread:?}");
}

/// A receipt repeats a player's lines before its own sentence.
#[test]
fn a_players_line_in_his_receipt_is_not_taken_for_the_leaf() {
    let mut kept = Kept::founded();
    let other = "f".repeat(64);
    let lines = format!("as the leaf {other} of\r\ntheir SHA-256 is {other} of\r\nBID 1\r\nREADY");
    kept.send("red", "dispatch", &block(&lines));
    let receipt = String::from_utf8(kept.newest_raw("red", "receipt")).unwrap();
    assert!(receipt.contains("as the leaf ffff"), "{receipt}");
    let (file, receipt) = (kept.audit(), kept.keep("receipt.eml", receipt));
    assert_eq!(the_case(&asked(&[&receipt, &file], false, None)).contradictions, []);
}

/// A refusal repeats the subject of the mail that it answers, and anybody can write one.
#[test]
fn a_subject_that_a_refusal_repeats_is_not_taken_for_the_leaf() {
    let mut kept = Kept::founded();
    let other = "f".repeat(64);
    let mail = kept.write("red", "dispatch", "I can't this week.\r\n");
    let (before, rest) = mail.split_once("Subject: ").unwrap();
    let (_, after) = rest.split_once("\r\n").unwrap();
    kept.camp.post(format!("{before}Subject: x as the leaf {other} x\r\n{after}"));
    settle(&mut kept.host);
    let words = |raw: &[u8]| {
        let text = read(raw).body.unwrap().text;
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let mails = raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| raw);
    let repeats = mails.filter(|raw| words(raw).contains("as the leaf ffff"));
    let answers: Vec<String> = repeats.map(|raw| String::from_utf8(raw).unwrap()).collect();
    assert!(!answers.is_empty(), "no mail of the host's repeats the subject");
    let (file, answers) = (kept.audit(), kept.keep("answers.mbox", mbox(answers.iter().map(String::as_str))));
    assert_eq!(the_case(&asked(&[&answers, &file], false, None)).contradictions, []);
}

#[test]
fn a_level_that_a_dispatch_claims_and_the_revealed_orders_dont_have_is_found() {
    let mut kept = Kept::founded();
    kept.play(3);
    let file = kept.audit();
    let dispatch = String::from_utf8(kept.newest_raw("red", "dispatch")).unwrap();
    let other_level = |mail: &str| {
        let inquiry = asked(&[&kept.keep("one.eml", mail), &file], false, None);
        let other = |c: &Contradiction| matches!(c, Contradiction::OtherLevel { .. });
        the_case(&inquiry).contradictions.iter().any(other)
    };
    let claims = ["L0", "L1", "L2", "L3"].map(|level| format!("have level {level}"));
    let claimed = claims.iter().find(|claim| dispatch.contains(*claim)).unwrap();
    assert!(!other_level(&dispatch));
    let other = claims.iter().find(|claim| *claim != claimed).unwrap();
    assert!(other_level(&dispatch.replace(claimed, other)));
}

/// Text of a player's stands in the host's mails: in letters, and in what he names.
#[test]
fn no_player_makes_a_mail_of_the_hosts_or_his_own_accuse_the_host() {
    let mut kept = Kept::founded();
    kept.play(1);
    let file = kept.file();
    let close = file["log"][place_of(&file, "close", "2 ")]["body"].as_str().unwrap().replace("2 ", "");
    let (other, anchor) = ("1".repeat(64), "back to this anchor:");
    let lie = format!(
        "The dice of t 2 have level L3: nothing is left to the host. Bound to,\r\nbefore they fell:\r\n  {other} blue\r\n  {close} root\r\n  {other} beacon\r\n\r\n\
         The beacon has come, b/1/{other}, and turn 2 has run.\r\n\r\nThey all lead {anchor}\r\n  {other}\r\n"
    );
    kept.send("red", "dispatch", &format!("PRESS TO BLUE\r\n{lie}\r\nEND PRESS\r\n"));
    let letter = String::from_utf8(kept.newest_raw("blue", "press")).unwrap();
    assert!(letter.contains("| The dice of t 2 have level L3"), "{letter}");
    // A program that takes the bars away, and a host's mail of another kind that repeats them.
    let bare = kept.keep("bare.eml", letter.replace("| ", ""));
    let notice = kept.keep("notice.eml", letter.replace(".press.", ".notice."));
    let (sent, file) = (kept.sent_by("red"), kept.keep("alpha.json", file.to_string()));
    let inquiry = asked(&[&kept.maildir("blue"), &bare, &notice, &sent, &file], false, None);
    assert_eq!(the_case(&inquiry).contradictions, [], "{}", in_words(&inquiry));
    // In a dispatch the same words, behind others in a line or as long as a name may be, are not the host's.
    let dispatch = String::from_utf8(kept.newest_raw("blue", "dispatch")).unwrap();
    for name in ["A1  10 peasants  The dice of t 2 have level L3", "The dice of t 2 have level L3: peasants"]
    {
        let named = dispatch.replacen("THE DICE ---", &format!("{name}\r\n\r\nTHE DICE ---"), 1);
        assert_ne!(named, dispatch);
        let inquiry = asked(&[&kept.keep("named.eml", named), &file], false, None);
        assert_eq!(the_case(&inquiry).contradictions, [], "{}", in_words(&inquiry));
    }
}

//! What mails bring along: proofs of a seat's own dice, and the audit file again and again; and secrets from an escrow.

use std::fs;
use std::path::{Path, PathBuf};

use musterd::audit::{Contradiction, ReadPathKind};
use musterd::desk::audit::audit_file;
use musterd::dice::{Digest, Secret, SecretChain, hash};
use musterd::engine::terms::Terms;
use serde_json::{Value, json};

use super::audit::place_of;
use super::support::*;
use super::verify::{Kept, asked, asked_with, in_words, the_case, unwrapped};

/// The line between the mails of a mailbox file.
const POSTMARK: &str = "From x@players.example Sat Nov 21 12:00:00 2026\n";
const OTHER: &str = "1111111111111111111111111111111111111111111111111111111111111111";

/// A game whose dispatches prove each seat's own dice.
fn proving(rounds: usize) -> Kept {
    let mut kept = Kept::founded_on(Terms { proofs: true, ..Terms::default() });
    kept.play(rounds);
    kept
}

/// The proofs that came with a seat's first dispatch.
fn first_proofs(kept: &Kept) -> String {
    files(&kept.camp, "red")["alpha-t1-red-proofs.json"].clone()
}

#[test]
fn proofs_among_mails_are_told_in_a_line_a_seat() {
    let mut kept = proving(3);
    let file = kept.audit();
    let (red, blue) = (kept.maildir("red"), kept.maildir("blue"));
    for paths in [vec![file.as_path(), &red, &blue], vec![&red, &blue]] {
        let inquiry = asked(&paths, true, None);
        let case = the_case(&inquiry);
        assert_eq!((&inquiry.damaged, &case.contradictions), (&vec![], &vec![]));
        assert!(
            case.proofs.iter().all(|proven| proven.findings.is_empty() && proven.compared > 0),
            "{case:?}"
        );
        let rolls = |seat: &str| -> usize {
            case.proofs.iter().filter(|proven| proven.seat.as_str() == seat).map(|proven| proven.rolls).sum()
        };
        let page = unwrapped(&inquiry);
        for seat in ["red", "blue"] {
            let line = format!("{seat} 6 dispatches prove {} own roll", rolls(seat));
            assert!(rolls(seat) > 0 && page.contains(&line), "`{line}` is not in {page}");
        }
        assert!(!inquiry.found_something(true), "{page}");
    }
}

#[test]
fn proofs_by_themselves_are_examined_and_what_they_lack_is_said() {
    let kept = proving(0);
    let proofs = kept.keep("proofs.json", first_proofs(&kept));
    let inquiry = asked(&[&proofs], false, None);
    assert_eq!(inquiry.sources[0].kind, ReadPathKind::Proofs);
    let page = unwrapped(&inquiry);
    assert!(page.contains("red 1 dispatch proves 1 own roll"), "{page}");
    assert!(
        page.contains("Whether the proofs of red for t 1 are of the log that everybody was shown"),
        "{page}"
    );
    assert!(!inquiry.found_something(false) && page.contains("the proofs hold"), "{page}");
    // The same file in a mail counts once, and the dispatch is what was missing.
    let inquiry = asked(&[&proofs, &kept.maildir("red")], false, None);
    assert_eq!((inquiry.sources[1].proofs, the_case(&inquiry).proofs.len()), (1, 1));
    assert!(!unwrapped(&inquiry).contains("Whether the proofs"), "{}", in_words(&inquiry));
}

#[test]
fn forged_proofs_are_named_with_what_is_wrong_in_them() {
    let mut kept = proving(0);
    let file = kept.audit();
    let honest: Value = serde_json::from_str(&first_proofs(&kept)).unwrap();
    let shown = honest["rolls"].as_array().unwrap().iter().position(Value::is_object).unwrap();
    let examined = |forged: &Value, beside: &[&Path]| {
        let forged = kept.keep("forged.json", forged.to_string());
        let inquiry = asked(&[beside, &[forged.as_path()]].concat(), false, None);
        assert!(inquiry.found_something(true) || !inquiry.damaged.is_empty(), "{}", in_words(&inquiry));
        inquiry
    };
    let mut forged = honest.clone();
    let face = &mut forged["rolls"][shown]["roll"][3][0];
    *face = json!(face.as_u64().unwrap() % 6 + 1);
    let page = unwrapped(&examined(&forged, &[]));
    for told in [
        "forged.json, the proofs of red, t 1: its rolls are not those that were committed to",
        "1 file of proofs is WRONG",
    ] {
        assert!(page.contains(told), "{page}");
    }

    // One that holds in itself, on a log of its own.
    let mut forged = honest.clone();
    forged["before"] = json!(OTHER);
    rechained(&mut forged);
    let page = unwrapped(&asked(&[&kept.keep("forged.json", forged.to_string())], false, None));
    assert!(page.contains("the proofs hold"), "{page}");
    let (mails, honest_proofs) = (kept.maildir("red"), kept.keep("proofs.json", honest.to_string()));
    for (beside, place) in [(&file, "alpha.json"), (&mails, "dispatch"), (&honest_proofs, "proofs.json")] {
        let inquiry = examined(&forged, &[beside]);
        let found = &the_case(&inquiry).contradictions;
        let [Contradiction::OtherProofs { seat, t: 1, .. }] = &**found else { panic!("{place}: {found:?}") };
        assert_eq!(seat, "red");
        assert!(
            the_case(&inquiry).proofs.iter().any(|proven| proven.is_forged() && proven.findings.is_empty())
        );
    }

    let mut forged = honest;
    forged["rolls"] = json!(7);
    let page = unwrapped(&examined(&forged, &[]));
    assert!(page.contains("forged.json can't be read: these are no proofs"), "{page}");
}

/// Gives every entry of proofs the hash that follows from the one before.
fn rechained(proofs: &mut Value) {
    let mut head: Digest = proofs["before"].as_str().unwrap().parse().unwrap();
    let from = proofs["from"].as_u64().unwrap();
    for (index, line) in (from..).zip(proofs["entries"].as_array_mut().unwrap()) {
        let (kind, body) = (line["kind"].as_str().unwrap(), line["body"].as_str().unwrap());
        head =
            hash("entry", &[head.as_bytes(), index.to_string().as_bytes(), kind.as_bytes(), body.as_bytes()]);
        line["hash"] = json!(head.to_string());
    }
}

/// A saved mail with a file attached.
fn bringing(kept: &Kept, name: &str, file: &Value) -> PathBuf {
    let mail = format!(
        "From: host@example.org\r\nSubject: The end\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
         --x\r\nContent-Type: text/plain\r\n\r\nIt is over.\r\n--x\r\nContent-Type: application/json\r\n\
         Content-Disposition: attachment; filename=\"alpha.audit.json\"\r\n\r\n{file}\r\n--x--\r\n"
    );
    kept.keep(name, mail)
}

#[test]
fn the_same_audit_file_in_many_mails_is_one_file() {
    let mut kept = Kept::founded();
    kept.play(1);
    // Two turns are revealed, with more of the log to come.
    let then = audit_file(&journal(&mut kept.host), &kept.camp.secrets(), 1);
    let then = bringing(&kept, "then.eml", &serde_json::to_value(then).unwrap());
    kept.play(2);
    let whole = kept.file();
    let mut mailed = whole.clone();
    mailed.as_object_mut().unwrap().remove("replay");
    let paths = [
        kept.keep("whole.json", whole.to_string()),
        bringing(&kept, "red.eml", &mailed),
        bringing(&kept, "blue.eml", &mailed),
        then,
    ];
    let all = |paths: &[PathBuf], replay| {
        asked(&paths.iter().map(PathBuf::as_path).collect::<Vec<_>>(), replay, None)
    };
    let inquiry = all(&paths, true);
    let case = the_case(&inquiry);
    assert_eq!((case.files.len(), case.copies.len(), &case.contradictions), (1, 3, &vec![]));
    assert_eq!(case.files[0].replayed.as_ref().unwrap().adjudications, 7);
    let page = unwrapped(&inquiry);
    assert!(page.contains("the same log and the same dice are in 3 mails, as far as each reaches"), "{page}");
    assert!(!inquiry.found_something(false) && page.matches("Audit file").count() == 1, "{page}");

    // Mails alone: the one with the rules is older, and the game is played again as far as it reaches.
    let inquiry = all(&paths[1..], true);
    let file = &the_case(&inquiry).files[0];
    assert!(
        file.path.contains("red.eml") && file.replayed_from.as_ref().unwrap().contains("then.eml"),
        "{file:?}"
    );
    assert_eq!(file.replayed.as_ref().unwrap().adjudications, 1);
    assert!(!inquiry.found_something(false), "{}", in_words(&inquiry));
    let inquiry = all(&paths[1..3], true);
    assert!(
        unwrapped(&inquiry).contains("Not played again: the file holds no rules"),
        "{}",
        in_words(&inquiry)
    );

    // Whatever differs is no copy.
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 4] = [
        ("t 2", |file| file["turns"][1]["orders"]["red"] = json!("BID 3\nREADY\n")),
        ("the number of turns", |file| _ = file["turns"].as_array_mut().unwrap().pop()),
        ("entry 3 of the log", |file| file["log"][3]["body"] = json!("1 red")),
        ("the heads that somebody was shown", |file| file["witness"] = json!([[3, OTHER]])),
    ];
    for (place, change) in changes {
        let mut other = mailed.clone();
        change(&mut other);
        let inquiry = all(&[paths[0].clone(), bringing(&kept, "other.eml", &other)], false);
        let case = the_case(&inquiry);
        let found = |c: &Contradiction| matches!(c, Contradiction::TwoContents { what, .. } if what == place);
        assert!(case.contradictions.iter().any(found), "{place}: {:?}", case.contradictions);
        assert!(case.copies.is_empty() && inquiry.found_something(true), "{place}");
    }
    let mut other = whole;
    other["replay"]["version"] = json!(77);
    let inquiry = all(&[paths[0].clone(), bringing(&kept, "other.eml", &other)], false);
    assert!(
        unwrapped(&inquiry).contains("and differ in what plays the game again"),
        "{}",
        in_words(&inquiry)
    );
}

fn as_in_escrow(kept: &Kept) -> SecretChain {
    SecretChain::from_escrow(&kept.camp.secrets().to_escrow().unwrap()).unwrap()
}

#[test]
fn an_escrow_opens_what_its_host_never_revealed() {
    let mut kept = proving(1);
    let entries = journal(&mut kept.host);
    let hidden = audit_file(&entries, &kept.camp.secrets(), 0);
    let file = kept.keep("hidden.json", serde_json::to_string(&hidden).unwrap());
    let escrow = as_in_escrow(&kept);
    let opened = |mails: &Path, escrow: &SecretChain| asked_with(&[&file, mails], false, None, Some(escrow));
    let inquiry = opened(&kept.maildir("red"), &escrow);
    let case = the_case(&inquiry);
    assert!(case.proofs.iter().all(|proven| proven.thrown) && case.contradictions.is_empty(), "{case:?}");
    let page = unwrapped(&inquiry);
    assert!(page.contains("all were thrown again with the secrets and fell the same"), "{page}");
    assert!(page.contains("All dice of a turn take every seat's orders"), "{page}");

    // A host that logs other orders than it returns with the receipt: nobody could tell before.
    let place = place_of(&serde_json::to_value(&hidden).unwrap(), "recv", "2 red ");
    let leaf = hidden.log[place].body.split(' ').find(|word| word.len() == 64).unwrap();
    let forged = kept.keep("forged.json", serde_json::to_string(&hidden).unwrap().replace(leaf, OTHER));
    let receipts = kept.keep("receipts.mbox", {
        let mails =
            raw_mails(&kept.maildir("red")).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap());
        mails.map(|mail| format!("{POSTMARK}{}\n", mail.replace(leaf, OTHER))).collect::<String>()
    });
    let other_orders = |escrow| {
        let inquiry = asked_with(&[&forged, &receipts], false, None, escrow);
        let of_t2 = |c: &Contradiction| matches!(c, Contradiction::OtherOrders { t: 2, .. });
        the_case(&inquiry).contradictions.iter().any(of_t2)
    };
    assert!(!other_orders(None) && other_orders(Some(&escrow)));

    // The secrets of another game of that name.
    let other = SecretChain::new(&game(), Secret::new([8; 32]), 100);
    let inquiry = opened(&kept.maildir("red"), &other);
    let found = &the_case(&inquiry).contradictions;
    assert!(matches!(&**found, [Contradiction::OtherEscrow { .. }]), "{found:?}");
    assert!(the_case(&inquiry).proofs.iter().all(|proven| !proven.thrown && proven.findings.is_empty()));
}

#[test]
fn the_command_takes_an_escrow() {
    let kept = proving(0);
    let escrow = kept.keep("alpha.escrow", kept.camp.secrets().to_escrow().unwrap().as_bytes());
    let proofs = kept.keep("proofs.json", first_proofs(&kept));
    let verify = |secret: &Path| {
        let program = env!("CARGO_BIN_EXE_musterd");
        std::process::Command::new(program)
            .arg("verify")
            .arg(&proofs)
            .arg("--secret")
            .arg(secret)
            .output()
            .unwrap()
    };
    let output = verify(&escrow);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("thrown again with the secrets"), "{said}");
    fs::write(&escrow, "no secrets").unwrap();
    assert_eq!(verify(&escrow).status.code(), Some(2));
}

//! What honest hosts and players have kept, in whatever state, accuses nobody; and beside each the forgery that looks like it.

use std::fs;
use std::path::{Path, PathBuf};

use musterd::audit::{Contradiction, Fate};
use musterd::daemon::Request;
use musterd::desk::audit::audit_file;
use musterd::desk::reveal::revealed;
use musterd::dice::ChainLines;
use musterd::engine::journal::Cause;
use musterd::engine::terms::{Reveal, Terms};
use serde_json::{Value, json};

use super::audit::{OTHER, as_arguments, independent, independent_of, lines_of, place_of, rechain, reopen};
use super::signature::sign;
use super::support::*;
use super::toy::seat;
use super::verify::{Kept, asked, in_words, mbox, the_case};

fn gm(kept: &mut Kept, text: &str) {
    kept.host.execute(Request::Gm { game: game(), text: text.to_owned(), yes: true }).unwrap();
    settle(&mut kept.host);
}

/// The turn that ran last runs again with another purse.
fn rerun(kept: &mut Kept, coins: u32) {
    let ran = journal(&mut kept.host).into_iter().filter_map(|entry| match entry.cause {
        Cause::Adjudicated { t, .. } => Some(t),
        _ => None,
    });
    let last = ran.max().unwrap();
    gm(kept, &format!("RERUN {last} AMEND PURSE red {coins} BECAUSE of a slip"));
}

/// The audit file that the host gives out now.
fn now(kept: &mut Kept) -> Value {
    let entries = journal(&mut kept.host);
    serde_json::to_value(audit_file(&entries, &kept.camp.secrets(), revealed(&entries))).unwrap()
}

fn count(file: &Value, kind: &str) -> usize {
    file["log"].as_array().unwrap().iter().filter(|line| line["kind"] == kind).count()
}

/// Each file of a game that is run again and amended on its way, and behind its end, under this policy of what is revealed.
fn taken_at_all_times(reveal: Reveal) -> (Kept, Vec<Value>) {
    let mut kept = Kept::founded_on(Terms { reveal, ..Terms::default() });
    let mut files = Vec::new();
    for round in 1..=3 {
        kept.play(1);
        files.push(now(&mut kept));
        if round < 3 {
            gm(&mut kept, "AMEND PURSE blue 9 BECAUSE of a slip");
            files.push(now(&mut kept));
        }
        for coins in [20, 30] {
            rerun(&mut kept, coins + round);
            files.push(now(&mut kept));
        }
    }
    let last = files.last().unwrap();
    assert!(count(last, "rerun") >= 6, "{:?}", last["log"]);
    (kept, files)
}

fn at_all_times() -> Vec<Reveal> {
    let lags = (0..3).map(|turns| Reveal::Lag { turns });
    lags.chain([Reveal::End]).collect()
}

#[test]
fn files_of_one_log_that_were_taken_at_any_times_agree() {
    for reveal in at_all_times() {
        let (kept, files) = taken_at_all_times(reveal);
        let paths: Vec<PathBuf> = files
            .iter()
            .enumerate()
            .map(|(n, file)| kept.keep(&format!("{n}.json"), file.to_string()))
            .collect();
        for (n, earlier) in paths.iter().enumerate() {
            for later in &paths[n + 1..] {
                let inquiry = asked(&[earlier, later], false, None);
                assert_eq!(the_case(&inquiry).contradictions, [], "{reveal:?}, file {n}");
            }
        }
        let mailbox = kept.maildir("red");
        let inquiry = asked(&[&mailbox, paths.last().unwrap()], false, None);
        assert_eq!(the_case(&inquiry).contradictions, [], "{reveal:?}");
        let inquiry = asked(&[&mailbox], false, None);
        assert!(inquiry.cases.iter().all(|case| case.contradictions.is_empty()), "{reveal:?}");
    }
}

#[test]
fn a_file_that_lacks_what_both_must_have_is_no_older_copy() {
    let (kept, files) = taken_at_all_times(Reveal::Lag { turns: 0 });
    let whole = kept.keep("whole.json", files.last().unwrap().to_string());
    let older = &files[files.len() - 2];
    let ran_again = |file: &Value| {
        let turns = file["turns"].as_array().unwrap();
        turns
            .iter()
            .position(|turn| turn["reruns"].as_array().is_some_and(|again| !again.is_empty()))
            .unwrap()
    };
    type Forge = Box<dyn Fn(&mut Value)>;
    let at = ran_again(older);
    let forgeries: [(&str, Forge); 5] = [
        ("a rerun that its log has", Box::new(move |file| file["turns"][at]["reruns"] = json!([]))),
        (
            "another result of a rerun",
            Box::new(move |file| file["turns"][at]["reruns"][0]["result"] = json!(OTHER)),
        ),
        ("other dice", Box::new(move |file| file["turns"][at]["result"] = json!(OTHER))),
        ("a step that it has to show", Box::new(|file| _ = steps(file).remove(1))),
        ("a step of another's", Box::new(|file| steps(file)[1]["events"] = json!([]))),
    ];
    for (what, forge) in forgeries {
        let mut forged = older.clone();
        forge(&mut forged);
        assert_ne!(forged, *older, "{what}");
        let inquiry = asked(&[&whole, &kept.keep("forged.json", forged.to_string())], false, None);
        let differs = |c: &Contradiction| matches!(c, Contradiction::TwoContents { .. });
        assert!(the_case(&inquiry).contradictions.iter().any(differs), "{what}: {}", in_words(&inquiry));
    }
}

fn steps(file: &mut Value) -> &mut Vec<Value> {
    file["replay"]["steps"].as_array_mut().unwrap()
}

fn heads(kept: &Kept, seat: &str) -> Vec<ChainLines> {
    let mails = kept.camp.mails(&player(seat));
    mails
        .iter()
        .flat_map(|mail| ChainLines::all_in(&mail.body.as_ref().unwrap().text).collect::<Vec<_>>())
        .collect()
}

/// `docs/verify.py`: what was shown behind a file's end can't be compared, and accuses nobody; what was shown before it can.
#[test]
fn the_independent_verifier_tells_an_older_file_from_another_log() {
    let dir = tempfile::tempdir().unwrap();
    let mut kept = Kept::founded();
    kept.play(2);
    let whole = kept.file();
    kept.send("red", "dispatch", &block("BID 2"));
    let shown = heads(&kept, "red");
    let (status, said) = independent(dir.path(), &whole, &as_arguments(&shown));
    assert!(status == 4 && said.contains("older than the mails: 1 of their heads"), "{said}");
    assert!(said.contains("alpha: nothing wrong, as far as this file reaches, 0 unrevealed"), "{said}");
    assert!(!said.contains("not witnessed"), "{said}");
    // A host that hands out no more than the beginning, with all of it revealed, isn't believed to have shown the whole.
    let mut cut = whole.clone();
    let end = place_of(&cut, "rolls", "2 ") + 1;
    lines_of(&mut cut).truncate(end);
    cut["turns"].as_array_mut().unwrap().truncate(2);
    reopen(&mut cut);
    let (status, said) = independent(dir.path(), &cut, &as_arguments(&shown));
    assert!(status == 4 && said.contains("nothing wrong, as far as this file reaches"), "{said}");
    // What the file itself says that somebody was shown has to be in it.
    cut["witness"] = json!([[end, OTHER]]);
    assert_eq!(independent(dir.path(), &cut, &[]).0, 1);
    let is_numbered = |head: &ChainLines| matches!(head, ChainLines::Numbered(_));
    let decided = |head: &ChainLines| !is_numbered(head) && head.place() == "t2";
    for (forged, what) in [
        (shown.iter().position(is_numbered).unwrap(), "a head that is not in this log"),
        (shown.iter().position(decided).unwrap(), "a head that this log did not have while it was open"),
    ] {
        let mut other = as_arguments(&shown);
        other[2 * forged + 1] = format!("{}:{OTHER}", shown[forged].place());
        let (status, said) = independent(dir.path(), &whole, &other);
        assert!(status == 1 && said.contains(what), "{said}");
    }
}

#[test]
fn the_independent_verifier_reads_lines_that_end_with_cr_and_blames_no_file_for_an_argument() {
    let dir = tempfile::tempdir().unwrap();
    let mut kept = Kept::founded();
    kept.play(1);
    let file = kept.file();
    let heads = heads(&kept, "red");
    let with_cr = |head: &ChainLines| ["--head".to_owned(), format!("{}\r:{}\r", head.place(), head.head())];
    let arguments: Vec<String> = heads.iter().flat_map(with_cr).collect();
    let text = serde_json::to_string_pretty(&file).unwrap().replace('\n', "\r\n");
    let (status, said) = independent_of(dir.path(), &text, &arguments);
    assert!(status == 0 && !said.contains("not witnessed"), "{said}");
    let forged = arguments[1].replace(&heads[0].head().to_string(), OTHER);
    assert_eq!(independent_of(dir.path(), &text, &["--head".to_owned(), forged]).0, 1);
    for odd in ["3:17", "3", "x:y", &format!("{OTHER}:3")] {
        let (status, said) = independent(dir.path(), &file, &["--head".to_owned(), odd.to_owned()]);
        assert!(status == 2 && said.starts_with("no head INDEX:HEX: "), "{said}");
    }
}

/// A game whose host says what its templates say in other words.
fn translated() -> Kept {
    let camp = Camp::in_memory();
    let built_in = |name: &str| {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("templates").join(name)).unwrap()
    };
    let own = camp.path().join("templates");
    fs::create_dir_all(&own).unwrap();
    for (name, words, in_german) in [
        (
            "receipt.txt",
            "Your orders as they stand are attached as orders.txt; their SHA-256 is",
            "Deine Befehle liegen bei (orders.txt); ihr SHA-256 lautet",
        ),
        ("receipt.txt", "and the log holds them as the leaf", "im Protokoll stehen sie als Blatt"),
        ("invitation.txt", "they all lead back to this anchor:", "alle gehen auf diesen Anker zurueck:"),
    ] {
        let path = own.join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|_| built_in(name));
        assert!(text.contains(words), "{name}: {words}");
        fs::write(path, text.replace(words, in_german)).unwrap();
    }
    Kept::founded_in(camp, Terms::default())
}

#[test]
fn receipts_and_invitations_in_another_language_are_compared_all_the_same() {
    let mut kept = translated();
    let lines = format!("salt: {OTHER}\r\nsalt: as the leaf {OTHER}\r\nBID 1\r\nREADY");
    kept.send("red", "dispatch", &block(&lines));
    kept.send("blue", "dispatch", &block("BID 2\r\nREADY"));
    kept.play(1);
    let receipt = String::from_utf8(kept.newest_raw("red", "receipt")).unwrap();
    assert!(receipt.contains("als Blatt") && !receipt.contains("the leaf\r\n"), "{receipt}");
    let (file, sent, red) = (kept.audit(), kept.sent_by("red"), seat("red"));
    let inquiry = asked(&[&kept.maildir("red"), &sent, &file], false, Some(&red));
    let case = the_case(&inquiry);
    assert_eq!(case.contradictions, []);
    assert!(case.receipts > 1 && !inquiry.found_something(true), "{}", in_words(&inquiry));
    let inquiry = asked(&[&kept.maildir("red")], false, None);
    assert_eq!(the_case(&inquiry).contradictions, []);

    // And what they say is held against the log.
    let mut forged = kept.file();
    let at = place_of(&forged, "recv", "2 red");
    lines_of(&mut forged).remove(at);
    rechain(&mut forged);
    let forged = kept.keep("forged.json", forged.to_string());
    let inquiry = asked(&[&kept.maildir("red"), &forged], false, None);
    let dropped = |c: &Contradiction| matches!(c, Contradiction::Dropped { t: 2, .. });
    assert!(the_case(&inquiry).contradictions.iter().any(dropped), "{}", in_words(&inquiry));
    let mut forged = kept.file();
    let body = forged["log"][0]["body"].as_str().unwrap().to_owned();
    let anchor = body.split(' ').nth(1).unwrap();
    forged["log"][0]["body"] = json!(body.replace(anchor, OTHER));
    let forged = kept.keep("forged.json", forged.to_string());
    let inquiry = asked(&[&kept.maildir("red"), &forged], false, None);
    let anchors = |c: &Contradiction| matches!(c, Contradiction::TwoAnchors { .. });
    assert!(the_case(&inquiry).contradictions.iter().any(anchors), "{}", in_words(&inquiry));
}

/// The mails in a folder as text.
fn raws(folder: &Path) -> Vec<String> {
    raw_mails(folder).into_iter().map(|(_, raw)| String::from_utf8(raw).unwrap()).collect()
}

/// A mail under another Message-ID.
fn under_another_id(mail: &str, id: &str) -> String {
    let (before, rest) = mail.split_once("Message-ID: <").unwrap();
    let (_, after) = rest.split_once('>').unwrap();
    format!("{before}Message-ID: <{id}>{after}")
}

/// The spellings of a mail under which it is no receipt by its Message-ID, with whether it names its seat.
fn under_other_names(receipt: &str) -> Vec<(&'static str, String)> {
    let relayed = under_another_id(receipt, "0100019a@email.relay.example");
    let unmarked: Vec<&str> = relayed.split("\r\n").filter(|line| !line.starts_with("X-Musterd:")).collect();
    let answer = receipt.replace(".red.receipt.", ".red.answer.");
    vec![
        ("another id", relayed.clone()),
        ("no mark", unmarked.join("\r\n")),
        ("an answer", answer.replace("X-Musterd: receipt", "X-Musterd: answer")),
        ("an answer under another id", relayed.replace("X-Musterd: receipt", "X-Musterd: answer")),
        ("another turn", receipt.replace("alpha.2.red.", "alpha.99.red.")),
    ]
}

#[test]
fn a_leaf_that_a_mail_shows_as_taken_convicts_whatever_the_mail_is_called() {
    let mut kept = Kept::founded();
    let before = kept.file();
    kept.send("red", "dispatch", &block("BID 2\r\nREADY"));
    let receipt = String::from_utf8(kept.newest_raw("red", "receipt")).unwrap();
    kept.send("blue", "dispatch", &block("BID 1\r\nREADY"));
    let honest = kept.audit();
    let mut file = kept.file();
    let at = place_of(&file, "recv", "2 red");
    lines_of(&mut file).remove(at);
    rechain(&mut file);
    file["turns"][1]["orders"]["red"] = Value::Null;
    // The receipt ends with the last head that both logs have, as a host writes it that means to forget the orders.
    let own = ChainLines::all_in(&read(receipt.as_bytes()).body.unwrap().text).last().unwrap();
    let last = at - 1;
    assert_eq!(before["log"][last], file["log"][last]);
    let shown = receipt.replace(&own.head().to_string(), file["log"][last]["hash"].as_str().unwrap());
    let (forged, sent, red) = (kept.keep("forged.json", file.to_string()), kept.sent_by("red"), seat("red"));
    for (what, mail) in under_other_names(&shown) {
        assert_ne!(mail, shown, "{what}");
        let mail = kept.keep("shown.eml", mail);
        let inquiry = asked(&[&mail, &forged], false, None);
        let dropped =
            |c: &Contradiction| matches!(c, Contradiction::Dropped { .. } | Contradiction::NeverTaken { .. });
        assert!(inquiry.cases[0].contradictions.iter().any(dropped), "{what}: {}", in_words(&inquiry));
        let inquiry = asked(&[&mail, &sent, &forged], false, Some(&red));
        let turns = &the_case(&inquiry).mine.as_ref().unwrap().turns;
        let fates: Vec<&Fate> = turns.iter().flat_map(|turn| &turn.mails).map(|sent| &sent.fate).collect();
        assert!(fates.contains(&&Fate::Dropped), "{what}: {}", in_words(&inquiry));
    }
    for (what, mail) in under_other_names(&receipt) {
        let mail = kept.keep("true.eml", mail);
        let inquiry = asked(&[&mail, &sent, &honest], false, Some(&red));
        let case = the_case(&inquiry);
        assert!(
            case.contradictions.is_empty() && !inquiry.found_something(true),
            "{what}: {}",
            in_words(&inquiry)
        );
        let answered = asked(&[&mail, &honest], false, Some(&red));
        let turns = &the_case(&answered).mine.as_ref().unwrap().turns;
        let turn = turns.iter().find(|turn| turn.t == 2).unwrap();
        assert!(
            matches!(&turn.mails[..], [sent] if matches!(sent.fate, Fate::Counted { .. })),
            "{what}: it tells of mails that weren't kept: {}",
            in_words(&answered)
        );
    }
    // A file that ends before the mail knows nothing of it.
    let older = kept.keep("older.json", before.to_string());
    for (what, mail) in under_other_names(&receipt) {
        let inquiry = asked(&[&kept.keep("true.eml", mail), &older], false, None);
        assert_eq!(the_case(&inquiry).contradictions, [], "{what}");
    }
}

/// Some servers give every mail that they pass on another Message-ID.
#[test]
fn a_mailbox_with_other_ids_asks_about_the_same_orders() {
    let mut kept = Kept::founded();
    kept.play(1);
    let (file, red) = (kept.audit(), seat("red"));
    let relayed = |mails: &[String]| {
        let mails: Vec<String> = mails
            .iter()
            .enumerate()
            .map(|(n, mail)| under_another_id(mail, &format!("0100019a-{n}@relay.example")))
            .collect();
        kept.keep("relayed.mbox", mbox(mails.iter().map(String::as_str)))
    };
    let all = raws(&kept.maildir("red"));
    let inquiry = asked(&[&relayed(&all), &file], false, Some(&red));
    assert!(!inquiry.found_something(true), "{}", in_words(&inquiry));
    let without: Vec<String> = all.iter().filter(|mail| !mail.contains(".receipt.")).cloned().collect();
    let inquiry = asked(&[&relayed(&without), &file], false, Some(&red));
    let turn = &the_case(&inquiry).mine.as_ref().unwrap().turns[1];
    assert!(turn.t == 2 && turn.unexplained.iter().any(|entry| entry.foreign), "{}", in_words(&inquiry));
}

/// Some archives take off what was attached.
#[test]
fn copies_without_what_was_attached_change_no_verdict_in_any_order() {
    let camp = Camp::in_memory();
    sign(&camp, true);
    let mut kept = Kept::founded_in(camp, Terms::default());
    kept.play(1);
    let file = kept.audit();
    let whole = raws(&kept.maildir("red"));
    let bare = |mail: &String| mail.replace("chain.sig", "chain.txt").replace("orders.txt\"", "orders.bin\"");
    let stripped: Vec<String> = whole.iter().map(bare).collect();
    let with_footer: Vec<String> = stripped
        .iter()
        .map(|mail| mail.replacen("\r\n--", "\r\n_____\r\nA list, with a footer\r\n\r\n--", 2))
        .collect();
    assert!(whole.iter().zip(&stripped).all(|(whole, bare)| whole != bare));
    let [whole_box, bare_box, footer_box] =
        [("whole", &whole), ("bare", &stripped), ("footer", &with_footer)]
            .map(|(name, mails)| kept.keep(&format!("{name}.mbox"), mbox(mails.iter().map(String::as_str))));
    for boxes in [
        [&whole_box, &bare_box],
        [&bare_box, &whole_box],
        [&footer_box, &whole_box],
        [&whole_box, &footer_box],
    ] {
        let inquiry = asked(&[boxes[0], boxes[1], &file], false, Some(&seat("red")));
        assert_eq!(the_case(&inquiry).contradictions, [], "{boxes:?}");
        assert!(!inquiry.found_something(true), "{boxes:?}");
    }
    // One mail of which no copy is signed; one copy of which the signature doesn't hold; one whose orders are others.
    let receipt = String::from_utf8(kept.newest_raw("red", "receipt")).unwrap();
    let rest: Vec<&str> = whole.iter().map(String::as_str).filter(|mail| *mail != receipt).collect();
    let rest = kept.keep("rest.mbox", mbox(rest));
    let lines: Vec<&str> = receipt.split("\r\n").collect();
    let at = lines.iter().position(|line| line.contains("filename=\"chain.sig\"")).unwrap();
    let body = at + lines[at..].iter().position(|line| line.is_empty()).unwrap() + 2;
    let mut spoilt: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    spoilt[body] = "A".repeat(spoilt[body].len());
    let found = |copies: [String; 2], is_it: fn(&Contradiction) -> bool| {
        for copies in [[&copies[0], &copies[1]], [&copies[1], &copies[0]]] {
            let copies = kept.keep("copies.mbox", mbox(copies.map(String::as_str)));
            let inquiry = asked(&[&copies, &rest, &file], false, None);
            assert!(the_case(&inquiry).contradictions.iter().any(is_it), "{}", in_words(&inquiry));
        }
    };
    found([bare(&receipt), bare(&receipt) + "\r\n"], |c| matches!(c, Contradiction::Unsigned { .. }));
    let unsigned = spoilt.join("\r\n");
    found([unsigned.clone(), unsigned.clone()], |c| matches!(c, Contradiction::BadSignature { .. }));
    let orders = lines.iter().position(|line| line.contains("filename=\"orders.txt\"")).unwrap();
    let body = orders + lines[orders..].iter().position(|line| line.is_empty()).unwrap() + 1;
    let mut others: Vec<&str> = lines.clone();
    others[body] = "QklEIDkKUkVBRFkK";
    let others = others.join("\r\n");
    found([others.clone(), others.clone()], |c| matches!(c, Contradiction::OtherAttachment { .. }));
    // A whole copy beside them says that these were spoilt on the way.
    for copies in [[&receipt, &unsigned, &others], [&unsigned, &others, &receipt]] {
        let copies = kept.keep("copies.mbox", mbox(copies.map(String::as_str)));
        let inquiry = asked(&[&copies, &rest, &file], false, None);
        assert_eq!(the_case(&inquiry).contradictions, [], "{}", in_words(&inquiry));
    }
}

/// Turns every number of 64 digits round: another game's heads, leaves and anchor.
fn of_another_game(mail: &str) -> String {
    let is_digest = |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let turned = |word: &str| if is_digest(word) { word.chars().rev().collect() } else { word.to_owned() };
    let lines = mail.split("\r\n").map(|line| line.split(' ').map(turned).collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\r\n")
}

#[test]
fn two_games_of_one_name_are_told_to_be_two_and_nothing_else_is() {
    let mut kept = Kept::founded();
    kept.play(1);
    let file = kept.audit();
    let own = raws(&kept.maildir("red"));
    let turned: Vec<String> = own.iter().map(|mail| of_another_game(mail)).collect();
    let elsewhere: Vec<String> =
        turned.iter().map(|mail| mail.replace("example.org", "other.example")).collect();
    let own = kept.keep("own.mbox", mbox(own.iter().map(String::as_str)));
    let [turned, elsewhere] = [("turned", turned), ("elsewhere", elsewhere)]
        .map(|(name, mails)| kept.keep(&format!("{name}.mbox"), mbox(mails.iter().map(String::as_str))));
    let red = seat("red");
    for paths in [
        &[&own, &elsewhere][..],
        &[&own, &elsewhere, &file],
        &[&file, &elsewhere, &own],
        &[&elsewhere, &file],
    ] {
        let paths: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
        let inquiry = asked(&paths, false, Some(&red));
        let [Contradiction::TwoGames { .. }] = &the_case(&inquiry).contradictions[..] else {
            panic!("{paths:?}: {}", in_words(&inquiry))
        };
        assert!(
            inquiry.found_something(true) && !in_words(&inquiry).contains("dropped"),
            "{}",
            in_words(&inquiry)
        );
    }
    // One host with two anchors for one game has to explain all of it.
    let inquiry = asked(&[&own, &turned, &file], false, Some(&red));
    let found = &the_case(&inquiry).contradictions;
    assert!(found.iter().any(|c| matches!(c, Contradiction::TwoAnchors { .. })), "{found:?}");
    assert!(found.iter().any(|c| matches!(c, Contradiction::OtherLog { .. })), "{found:?}");
}
